//! Calls of library functions, as the catalogue describes them.
//!
//! `returns` and `stores` say which pointers there are afterwards; what is written without that holds what was in memory
//! that is read, unless it is a handle that is made or the declaration says that there are no pointers. What is kept in a state is stored in the object of that state, and functions that are kept there may be
//! called with what is kept there, unless the catalogue says with what they are called. A function that the catalogue does not know does
//! the worst.

use super::calls::{Given, Site};
use super::constrain::Constraint;
use super::graph::NodeId;
use super::solver::Solver;
use super::{Scope, graph};
use crate::analysis::memory::ObjectKind;
use crate::catalog::{
    Alternative, CallBack, Effect, EffectKind, Extent, LibraryFunction, Place, Role, Root,
};

/// How many parameters a function that a library calls back may have.
const PARAMETERS: usize = 8;

impl Solver<'_> {
    /// A call of a function that is defined elsewhere.
    pub fn library(&mut self, site: u32, name: &str) {
        let Some(function) = self.catalogue.find(name) else {
            self.unknown_sites.push((site, name.to_string()));
            self.link_unseen(site, Some(name));
            return;
        };
        self.note_random(&function);
        let one = self.sites[site as usize].clone();
        let result = one.result;
        let results = self.result_nodes(&one);
        for alternative in &function.returns {
            if let Some(node) = self.alternative(&function, &one, alternative) {
                self.graph.edge(node, result);
                for leaf in &results {
                    self.graph.edge(node, *leaf);
                }
            }
        }
        for (place, values) in &function.stores {
            let Some(memory) = self.memory(&function, &one, place) else {
                continue;
            };
            for value in values {
                if let Some(node) = self.alternative(&function, &one, value) {
                    self.store_at(&one, place, memory, node);
                    self.store_lent(&one, place, node);
                }
            }
        }
        self.keep(&function, &one);
        self.move_pointers(&function, &one);
        for call in &function.calls {
            let Some(callback) = self.memory(&function, &one, &call.callback) else {
                continue;
            };
            let mut arguments = Vec::new();
            for values in &call.arguments {
                let nodes = values
                    .iter()
                    .filter_map(|value| self.alternative(&function, &one, value))
                    .collect();
                let nodes = self.joined(nodes).into_iter().collect();
                arguments.push(Given {
                    nodes,
                    ..Given::default()
                });
            }
            let kept_in = self.state_of(&function);
            let inner = self.library_site(&one, arguments, kept_in);
            self.constrain(callback, Constraint::Call(inner));
        }
    }

    /// The state of a generator of random numbers is memory that a restart has to do with, although no pointer leads there.
    fn note_random(&mut self, function: &LibraryFunction) {
        if !function.is(Role::Random) && !function.is(Role::Seeds) {
            return;
        }
        let effects = function.effects.iter();
        let places = effects.map(|effect| &effect.place);
        for place in places {
            if let Root::Hidden(name) = &place.root {
                self.target(ObjectKind::Library(format!("@{name}")));
            }
        }
    }

    fn library_site(&mut self, outer: &Site, arguments: Vec<Given>, kept: Option<NodeId>) -> u32 {
        let id = self.sites.len() as u32;
        let result = self.graph.node();
        self.sites.push(Site {
            instance: None,
            caller: outer.caller,
            at: outer.at,
            call: None,
            arguments,
            result,
            aggregate: None,
            kept_in: kept,
            moves_numbers: outer.moves_numbers,
        });
        id
    }

    /// The node of the state in which a function keeps things.
    fn state_of(&mut self, function: &LibraryFunction) -> Option<NodeId> {
        let state = function
            .effects
            .iter()
            .find_map(|effect| match &effect.kind {
                EffectKind::Keeps(state) => Some(state.clone()),
                _ => None,
            })?;
        Some(self.state_node(state.as_deref()))
    }

    fn state_node(&mut self, name: Option<&str>) -> NodeId {
        let name = format!("@{}", name.unwrap_or("kept"));
        let target = self.target(ObjectKind::Library(name));
        self.target_node[target as usize]
    }

    /// The pointers that lead to a place.
    fn memory(&mut self, function: &LibraryFunction, site: &Site, place: &Place) -> Option<NodeId> {
        let mut node = match &place.root {
            Root::Parameter(index) => {
                let nodes = site.arguments.get(*index).map(|given| given.nodes.clone());
                self.joined(nodes.unwrap_or_default())?
            }
            Root::Rest => {
                let rest = site.arguments.iter().skip(function.parameters.len());
                let nodes = rest.flat_map(|given| given.nodes.clone()).collect();
                self.joined(nodes)?
            }
            Root::Returned => site.result,
            Root::Hidden(name) => {
                let target = self.target(ObjectKind::Library(format!("@{name}")));
                self.constant(target)
            }
        };
        if !place.members.is_empty() {
            node = self.loaded_all(node);
        }
        for _ in 0..place.behind {
            node = self.loaded(node, self.pointer, 0);
        }
        Some(if place.everything {
            self.everything(node)
        } else {
            node
        })
    }

    fn joined(&mut self, nodes: Vec<NodeId>) -> Option<NodeId> {
        match nodes[..] {
            [] => None,
            [node] => Some(node),
            _ => {
                let all = self.graph.node();
                for node in nodes {
                    self.graph.edge(node, all);
                }
                Some(all)
            }
        }
    }

    /// A pointer that comes back or is handed over.
    fn alternative(
        &mut self,
        function: &LibraryFunction,
        site: &Site,
        alternative: &Alternative,
    ) -> Option<NodeId> {
        match alternative {
            Alternative::Null => None,
            Alternative::New(_) => {
                let instance = &self.instances[site.instance?];
                let Scope::Routine(routine) = instance.scope else {
                    return None;
                };
                let kind = ObjectKind::Heap {
                    routine,
                    call: site.at,
                    through: instance.through.clone(),
                };
                let target = self.target(kind);
                Some(self.constant(target))
            }
            Alternative::Same(place) | Alternative::Into(place) => {
                let node = self.memory(function, site, place)?;
                if !matches!(place.root, Root::Hidden(_)) {
                    return Some(node);
                }
                let kept = self.loaded_all(node);
                match alternative {
                    Alternative::Into(_) => Some(kept),
                    // The state itself, or what is kept there.
                    _ => self.joined(vec![node, kept]),
                }
            }
        }
    }

    /// A pointer is stored in the local whose address was handed over, as the instance sees it.
    fn store_lent(&mut self, site: &Site, place: &Place, value: NodeId) {
        let given = match place.root {
            Root::Parameter(index) => site.arguments.get(index),
            _ => None,
        };
        let lent = given.and_then(|given| given.lent);
        if let (Some(variable), Some(instance)) = (lent, site.instance) {
            let node = self.variable_node(instance, variable, 0);
            self.graph.edge(value, node);
        }
    }

    /// A pointer is stored in a place.
    fn store_at(&mut self, site: &Site, place: &Place, memory: NodeId, value: NodeId) {
        let ty = match place.root {
            Root::Parameter(index) if place.behind == 0 && place.members.is_empty() => {
                site.arguments.get(index).and_then(|given| given.ty)
            }
            _ => None,
        };
        if self.points_to_number(ty) && !place.everything {
            // What a library makes there are numbers to the program.
        } else if self.points_to_pointer(ty) && !place.everything {
            self.store_leaf(memory, self.pointer, 0, value);
        } else {
            self.constrain(memory, Constraint::StoreAll { from: value });
        }
    }

    fn keep(&mut self, function: &LibraryFunction, site: &Site) {
        for effect in &function.effects {
            let EffectKind::Keeps(state) = &effect.kind else {
                continue;
            };
            // With what that is called is said: not with all that is kept, as for `pthread_create`.
            let kept = &effect.place;
            let is_called = |call: &CallBack| {
                let called = &call.callback;
                !kept.everything
                    && (&called.root, called.behind, &called.members)
                        == (&kept.root, kept.behind, &kept.members)
            };
            if function.calls.iter().any(is_called) {
                continue;
            }
            if let Some(node) = self.memory(function, site, &effect.place) {
                let state = self.state_node(state.as_deref());
                self.graph.edge(node, state);
            }
        }
    }

    /// What is written holds what was read.
    fn move_pointers(&mut self, function: &LibraryFunction, site: &Site) {
        let is_text = |effect: &Effect| {
            effect.kind == EffectKind::Reads && effect.place.extent == Some(Extent::Terminated)
        };
        let hidden = |place: &Place| matches!(&place.root, Root::Hidden(name) if name == "escaped");
        // As bad as a function that nobody knows.
        if function.effects.iter().any(|effect| hidden(&effect.place)) {
            self.graph.insert(site.result, graph::UNSEEN);
        }
        // `sprintf`: what becomes text is no pointer any more.
        if site.moves_numbers || function.effects.iter().any(is_text) {
            return;
        }
        let is_seen = |place: &Place| !matches!(place.root, Root::Hidden(_));
        let reads = function
            .effects
            .iter()
            .filter(|effect| effect.kind == EffectKind::Reads && is_seen(&effect.place));
        for read in reads {
            for effect in &function.effects {
                let writes = matches!(effect.kind, EffectKind::Writes | EffectKind::Fills);
                let is_said = function.stores.iter().any(|(place, _)| {
                    place.root == effect.place.root && place.behind == effect.place.behind
                });
                let unit = site.at.unit;
                if !writes
                    || is_said
                    || !is_seen(&effect.place)
                    || Self::is_made(function, &effect.place)
                    || !self.may_hold(function, unit, &effect.place)
                    || !self.may_hold(function, unit, &read.place)
                    || self.copies_numbers(site.at, &read.place, &effect.place)
                {
                    continue;
                }
                let from = self.memory(function, site, &read.place);
                let to = self.memory(function, site, &effect.place);
                if let (Some(from), Some(to)) = (from, to)
                    && from != to
                {
                    let amounts = [read, effect].map(|way| self.moved(function, site.at, way));
                    self.block_copy(site.at, (from, to), amounts);
                }
            }
        }
    }

    /// Functions that are kept in a state may be called with what is kept there.
    pub fn begin_state(&mut self, object: u32) {
        let target = self.objects[object as usize].base;
        let node = self.target_node[target as usize];
        let address = self.constant(target);
        let both = self.graph.node();
        self.graph.edge(node, both);
        self.graph.edge(address, both);
        let argument = Given {
            nodes: vec![both],
            ..Given::default()
        };
        let id = self.sites.len() as u32;
        let result = self.graph.node();
        self.sites.push(Site {
            instance: None,
            caller: None,
            at: graph::NOWHERE,
            call: None,
            arguments: vec![argument; PARAMETERS],
            result,
            aggregate: None,
            kept_in: Some(node),
            moves_numbers: false,
        });
        self.constrain(node, Constraint::Call(id));
    }
}
