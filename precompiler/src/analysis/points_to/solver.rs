//! The objects of a program while it is being solved, and the loop around it.
//!
//! Every object has a range of *targets*, one per leaf; every target has a node for what is stored there. A block of the
//! heap has one target until it is used under a type; then it gets new ones, and everything that went to the old one is
//! looked at again. An object that is used in ways that do not fit is collapsed: its nodes become one.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use super::Scope;
use super::amount::Calls;
use super::calls::{Caller, Site};
use super::constrain::{BlockCopy, Constraint, Leaves};
use super::declared::Prototypes;
use super::derive::Derived;
use super::graph::{Graph, NodeId, UNSEEN};
use super::instance::Instance;
use super::misfits::Misfits;
use super::query::Room;
use super::set::Set;
use super::supply::Supplier;
use crate::analysis::memory::{Collapse, LayoutId, Layouts, ObjectKind, Shape, Stepped};
use crate::analysis::unknown::DeclaredFunction;
use crate::catalog::Catalogue;
use crate::dataflow::steps::{FunctionTarget, RoutineId, Steps, TextPlace, TypeRef, VariableId};
use crate::program::{Program, TypeKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// An object while it is being solved.
#[derive(Clone, Debug)]
pub struct Entry {
    pub kind: ObjectKind,
    /// Of the whole object.
    pub layout: LayoutId,
    /// Its first target.
    pub base: u32,
    /// A block of the heap that was not used under a type so far.
    pub is_untyped: bool,
    /// A block of the heap whose type the call says that allocates it.
    pub is_said: bool,
    /// The type that it will get.
    pub wanted: Option<(LayoutId, TypeRef)>,
    /// How many bytes it has: a block of the heap, where that is a constant.
    pub bytes: Option<u64>,
    /// The type it has, if it is one of the program: of the heap, that of an element.
    pub ty: Option<TypeRef>,
    pub collapsed: Option<Collapse>,
    pub is_escaped: bool,
    /// Where pointers to it are computed in a way that loses the member.
    pub blurred: Option<TextPlace>,
}

/// Everything that is known while solving.
pub struct Solver<'a> {
    pub program: &'a Program,
    pub steps: &'a Steps,
    pub catalogue: &'a Catalogue,
    pub layouts: Layouts,
    pub graph: Graph,
    pub objects: Vec<Entry>,
    pub by_kind: FxHashMap<ObjectKind, u32>,
    /// The same for variables, by number.
    pub by_variable: Vec<Option<u32>>,
    /// What accesses touch, as far as it was asked for.
    pub hits: FxHashMap<(LayoutId, u32, LayoutId, u32), Leaves>,
    /// Where pointers to a leaf point to after arithmetic: the layout of the object, the leaf, the type that is pointed to, and how many
    /// elements.
    pub stepped: FxHashMap<(LayoutId, u32, LayoutId, Option<i128>), Rc<Stepped>>,
    /// Blocks of the heap that have been used under a type.
    pub wanted: Vec<u32>,
    /// The object of a target.
    pub target_object: Vec<u32>,
    /// The node of what is stored there.
    pub target_node: Vec<NodeId>,
    pub constraints: Vec<Constraint>,
    pub copies: Vec<BlockCopy>,
    /// Constraints that do what several did.
    pub joined: FxHashSet<u32>,
    /// What they do instead of others.
    pub instead: FxHashMap<u32, u32>,
    /// Constraints of other nodes that see to targets for a constraint.
    pub suppliers: FxHashMap<u32, Vec<Supplier>>,
    pub sites: Vec<Site>,
    /// What each has been linked with.
    pub linked: FxHashSet<(u32, FunctionTarget)>,
    pub instances: Vec<Instance>,
    /// Instances of functions without a way of their own.
    pub base_instance: FxHashMap<Scope, usize>,
    /// Instances of functions by the calls that lead there.
    pub through_instance: FxHashMap<(RoutineId, Vec<TextPlace>), usize>,
    /// The declarations of functions, by unit, of those that somebody asked for.
    pub prototypes: FxHashMap<usize, Prototypes<'a>>,
    /// Instances whose steps have not been looked at.
    pub to_generate: VecDeque<usize>,
    /// Functions of which each call has an instance of its own.
    pub allocators: Vec<bool>,
    /// Calls through pointers that do not happen.
    pub misfits: Misfits,
    /// Variables whose address is taken somewhere.
    pub is_exposed: Vec<bool>,
    /// Those of them whose address goes only to library functions that store a new block there.
    pub is_lent: Vec<bool>,
    /// Functions whose locals threads share.
    pub shares_locals: Vec<bool>,
    /// There is code that we do not see, and that can name functions and variables of the program.
    pub is_open: bool,
    /// Functions that nothing is known of but their declarations.
    pub declared: BTreeMap<String, DeclaredFunction>,
    /// What they have been handed as constant: it may come back from them.
    pub handed_out: NodeId,
    /// Calls of functions that nothing is known of.
    pub unknown_sites: Vec<(u32, String)>,
    /// Nodes that are computed from others.
    pub derived: FxHashMap<(NodeId, Derived), NodeId>,
    /// Stores through pointers that have been seen.
    pub stored: FxHashSet<(NodeId, LayoutId, u32, NodeId)>,
    /// Nodes with one target only.
    pub constants: FxHashMap<u32, NodeId>,
    /// The calls of the program, by their text.
    pub calls: Calls<'a>,
    /// Who calls whom.
    pub call_edges: BTreeSet<(Caller, Caller)>,
    /// Where a function is called.
    pub calls_of: FxHashMap<RoutineId, BTreeSet<(Option<RoutineId>, TextPlace)>>,
    /// How many steps have been looked at anew.
    pub anew: usize,
    /// Layout of a pointer, to read one that nobody has a type for.
    pub pointer: LayoutId,
    pub pointer_bits: u64,
}

impl<'a> Solver<'a> {
    /// With the object that stands for what we do not see.
    pub fn new(
        program: &'a Program,
        steps: &'a Steps,
        catalogue: &'a Catalogue,
        room: Room,
    ) -> Solver<'a> {
        let mut layouts = Layouts::new();
        let pointer = layouts.pointer(program);
        let pointer_bits = layouts.get(pointer).size.unwrap_or(64);
        let mut solver = Solver {
            program,
            steps,
            catalogue,
            layouts,
            graph: Graph::new(room),
            objects: Vec::new(),
            by_kind: FxHashMap::default(),
            by_variable: vec![None; steps.variables.len()],
            hits: FxHashMap::default(),
            stepped: FxHashMap::default(),
            wanted: Vec::new(),
            target_object: Vec::new(),
            target_node: Vec::new(),
            constraints: Vec::new(),
            copies: Vec::new(),
            joined: FxHashSet::default(),
            instead: FxHashMap::default(),
            suppliers: FxHashMap::default(),
            sites: Vec::new(),
            linked: FxHashSet::default(),
            instances: Vec::new(),
            base_instance: FxHashMap::default(),
            through_instance: FxHashMap::default(),
            prototypes: FxHashMap::default(),
            to_generate: VecDeque::new(),
            allocators: Vec::new(),
            misfits: Misfits::default(),
            is_exposed: Vec::new(),
            is_lent: Vec::new(),
            shares_locals: Vec::new(),
            is_open: false,
            declared: BTreeMap::new(),
            handed_out: UNSEEN,
            unknown_sites: Vec::new(),
            derived: FxHashMap::default(),
            stored: FxHashSet::default(),
            constants: FxHashMap::default(),
            calls: Calls::default(),
            call_edges: BTreeSet::new(),
            calls_of: FxHashMap::default(),
            anew: 0,
            pointer,
            pointer_bits,
        };
        solver.calls = solver.all_calls();
        solver.add(ObjectKind::Unknown, Layouts::OPAQUE, None);
        solver.objects[0].is_escaped = true;
        solver.handed_out = solver.graph.node();
        solver
    }

    fn add(&mut self, kind: ObjectKind, layout: LayoutId, ty: Option<TypeRef>) -> u32 {
        let id = self.objects.len() as u32;
        let is_heap = matches!(kind, ObjectKind::Heap { .. });
        let bytes = self.bytes_of(&kind);
        let (layout, ty) = match self.element_of(&kind) {
            Some((element, ty)) => (self.block_of(bytes, element), Some(ty)),
            None => (layout, ty),
        };
        let base = self.targets(id, layout);
        if let ObjectKind::Variable(variable) = kind {
            self.by_variable[variable.0 as usize] = Some(id);
        }
        self.by_kind.insert(kind.clone(), id);
        self.objects.push(Entry {
            kind,
            layout,
            base,
            is_untyped: is_heap && ty.is_none(),
            is_said: is_heap && ty.is_some(),
            wanted: None,
            bytes,
            ty,
            collapsed: None,
            is_escaped: false,
            blurred: None,
        });
        id
    }

    fn targets(&mut self, object: u32, layout: LayoutId) -> u32 {
        let base = self.target_object.len() as u32;
        // A struct without members has an address, too.
        for index in 0..self.layouts.get(layout).leaves.len().max(1) {
            self.target_object.push(object);
            let unseen = object == 0 && index == 0;
            let node = if unseen { UNSEEN } else { self.graph.node() };
            self.target_node.push(node);
        }
        base
    }

    /// The object of a kind; the layout is of importance only when it is new.
    pub fn object(&mut self, kind: ObjectKind) -> u32 {
        let known = match &kind {
            ObjectKind::Variable(variable) => self.by_variable[variable.0 as usize],
            _ => self.by_kind.get(&kind).copied(),
        };
        if let Some(id) = known {
            return id;
        }
        match &kind {
            ObjectKind::Variable(variable) => {
                let variable = *variable;
                let ty = self.steps.variables[variable.0 as usize].ty;
                let layout = self.layouts.of(self.program, ty);
                let id = self.add(kind, layout, Some(ty));
                self.begin_variable(variable, id);
                id
            }
            ObjectKind::Library(name) => {
                if name == "@escaped" {
                    return 0;
                }
                let id = self.add(kind, Layouts::OPAQUE, None);
                self.begin_state(id);
                id
            }
            _ => self.add(kind, Layouts::OPAQUE, None),
        }
    }

    /// The first target of an object.
    pub fn target(&mut self, kind: ObjectKind) -> u32 {
        let id = self.object(kind);
        self.objects[id as usize].base
    }

    /// The object of a target, and the leaf there.
    pub fn locate(&self, target: u32) -> (u32, u32) {
        let object = self.target_object[target as usize];
        let entry = &self.objects[object as usize];
        let count = self.layouts.get(entry.layout).leaves.len() as u32;
        // Targets from before the object had a type are its beginning.
        let inside = target >= entry.base && target - entry.base < count;
        let leaf = if inside && entry.collapsed.is_none() {
            target - entry.base
        } else {
            0
        };
        (object, leaf)
    }

    /// The target of a leaf.
    pub fn target_of(&self, object: u32, leaf: u32) -> u32 {
        let entry = &self.objects[object as usize];
        match entry.collapsed {
            Some(_) => entry.base,
            None => entry.base + leaf,
        }
    }

    /// The node of what is stored in a leaf.
    pub fn node_of(&self, object: u32, leaf: u32) -> NodeId {
        self.target_node[self.target_of(object, leaf) as usize]
    }

    /// All leaves of an object.
    pub fn leaf_count(&self, object: u32) -> u32 {
        let entry = &self.objects[object as usize];
        let count = self.layouts.get(entry.layout).leaves.len() as u32;
        if entry.collapsed.is_some() { 1 } else { count }
    }

    /// It is one leaf from now on.
    pub fn collapse(&mut self, object: u32, why: Collapse) {
        let entry = &self.objects[object as usize];
        if entry.collapsed.is_some() {
            return;
        }
        let (base, count) = (entry.base as usize, self.leaf_count(object) as usize);
        let nodes: Vec<NodeId> = self.target_node[base..base + count.max(1)].to_vec();
        for node in &nodes[1..] {
            self.graph.unify(nodes[0], *node);
        }
        self.objects[object as usize].collapsed = Some(why);
    }

    /// A block of the heap is used under a type; whether it will get one because of that.
    pub fn want(&mut self, object: u32, used: LayoutId) -> bool {
        let element = self.layouts.element(used);
        let size = self.layouts.get(element).size;
        // Bytes can be anything.
        let (true, Some(ty)) = (
            size.is_some_and(|size| size > 8),
            self.layouts.type_of(element),
        ) else {
            return self.objects[object as usize].wanted.is_some();
        };
        let bytes = self.objects[object as usize].bytes;
        let rank = |id: LayoutId| {
            let one = self.layouts.get(id);
            let fits = one
                .size
                .zip(bytes)
                .is_none_or(|(bits, bytes)| bits <= bytes.saturating_mul(8));
            (fits, one.leaves.len(), one.size, std::cmp::Reverse(id))
        };
        let entry = &mut self.objects[object as usize];
        if entry.wanted.is_none() {
            self.wanted.push(object);
        }
        if entry
            .wanted
            .is_none_or(|(old, _)| rank(old) < rank(element))
        {
            entry.wanted = Some((element, ty));
        }
        true
    }

    /// The layout of a block of so many bytes with elements of a type.
    fn block_of(&mut self, bytes: Option<u64>, element: LayoutId) -> LayoutId {
        match self.is_one_element(bytes, element) {
            true => self.layouts.one(element),
            false => self.layouts.many(element),
        }
    }

    /// Blocks that were used under a type get it.
    fn give_types(&mut self) {
        let mut again = Set::default();
        let mut wanted = std::mem::take(&mut self.wanted);
        wanted.sort_unstable();
        for object in wanted {
            let entry = &self.objects[object as usize];
            let (true, Some((element, ty))) = (entry.is_untyped, entry.wanted) else {
                continue;
            };
            again.insert(entry.base);
            let layout = self.block_of(entry.bytes, element);
            let base = self.targets(object, layout);
            let entry = &mut self.objects[object as usize];
            entry.is_untyped = false;
            entry.layout = layout;
            entry.ty = Some(ty);
            entry.base = base;
            if entry.is_escaped {
                entry.is_escaped = false;
                self.escape(object);
            }
        }
        if !again.is_empty() {
            self.graph.show_again(&again);
        }
    }

    /// What can be done with an object by code that we do not see.
    pub fn escape(&mut self, object: u32) {
        if std::mem::replace(&mut self.objects[object as usize].is_escaped, true) {
            return;
        }
        let entry = &self.objects[object as usize];
        if let ObjectKind::Function(target) = &entry.kind {
            let target = target.clone();
            self.called_from_outside(&target);
            return;
        }
        let leaves = self.layouts.get(entry.layout).leaves.clone();
        for (index, leaf) in leaves.iter().enumerate() {
            let node = self.node_of(object, index as u32);
            if leaf.holds_pointers() {
                self.graph.unify(UNSEEN, node);
            } else {
                self.graph.edge(node, UNSEEN);
            }
        }
    }

    /// Until nothing is new.
    pub fn run(&mut self) {
        loop {
            while let Some(instance) = self.to_generate.pop_front() {
                self.generate(instance);
            }
            for target in self.graph.take_swallowed().iter() {
                let object = self.target_object[target as usize];
                self.escape(object);
            }
            if !self.graph.is_new() && self.to_generate.is_empty() {
                return;
            }
            if self.graph.is_too_large() {
                self.graph.give_up();
            }
            let wave = self.graph.wave();
            self.join_constraints();
            for (node, new) in wave {
                if self.graph.is_too_large() {
                    self.graph.give_up();
                }
                let mut index = 0;
                while let Some(constraint) = self.graph.constraint(node, index) {
                    self.tell(node, constraint, &new);
                    index += 1;
                }
            }
            for (constraints, new) in self.graph.take_late() {
                for constraint in constraints {
                    if self.joined.contains(&constraint) {
                        self.apply(constraint, &new);
                    }
                }
            }
            self.give_types();
        }
    }

    /// What a variable holds before anything is stored in it.
    fn begin_variable(&mut self, id: VariableId, object: u32) {
        let variable = &self.steps.variables[id.0 as usize];
        let is_foreign = !variable.is_defined && variable.owner.is_none();
        if is_foreign && !self.is_opaque(variable.ty) {
            // What a library keeps, or what we do not see.
            let state = self.catalogue.state_of_variable(&variable.name);
            let target = state.map_or(UNSEEN, |state| {
                self.target(ObjectKind::Library(format!("@{state}")))
            });
            let content = self.target_node[target as usize];
            let is_inside = self.catalogue.points_inside(&variable.name);
            let layout = self.objects[object as usize].layout;
            let leaves = self.layouts.get(layout).leaves.clone();
            for (index, leaf) in leaves.iter().enumerate() {
                if leaf.holds_pointers() {
                    let node = self.node_of(object, index as u32);
                    if !is_inside {
                        self.graph.insert(node, target);
                    }
                    self.graph.edge(content, node);
                    self.graph.edge(node, content);
                }
            }
        }
        // Code that is not seen has a variable that it defines, whether it knows names of the program or not.
        let is_there = variable.is_of_unseen_object(self.program, self.catalogue);
        if variable.is_shared
            && (self.is_open || is_there)
            && !variable.is_of_library(self.program, self.catalogue)
        {
            self.escape(object);
        }
    }

    /// Whether a library keeps to itself what is in a variable of a type: the program has its address, and nothing of what is there.
    fn is_opaque(&self, ty: TypeRef) -> bool {
        let unit = &self.program.units[ty.unit];
        matches!(unit.kind(ty.id), TypeKind::Record(record) if unit.records[record.0].is_opaque)
    }

    /// The layout of what a pointer type points to.
    pub fn pointee(&mut self, ty: TypeRef) -> Option<LayoutId> {
        let unit = self.program.units.get(ty.unit)?;
        let id = unit.pointee(ty.id)?;
        Some(self.layouts.of(self.program, TypeRef { id, ..ty }))
    }

    /// The layout of a type.
    pub fn layout(&mut self, ty: TypeRef) -> LayoutId {
        self.layouts.of(self.program, ty)
    }

    /// Whether values of a type can carry (a part of) a pointer.
    pub fn carries(&mut self, ty: TypeRef) -> bool {
        let layout = self.layout(ty);
        !matches!(
            self.layouts.get(layout).shape,
            Shape::Leaf(crate::analysis::memory::LeafKind::Float, _)
        )
    }

    /// Whether values of a type can carry a whole pointer.
    pub fn carries_all(&mut self, ty: TypeRef) -> bool {
        let layout = self.layout(ty);
        let one = self.layouts.get(layout);
        self.carries_layout(layout) && one.size.is_none_or(|size| size >= self.pointer_bits)
    }

    fn carries_layout(&self, layout: LayoutId) -> bool {
        !matches!(
            self.layouts.get(layout).shape,
            Shape::Leaf(crate::analysis::memory::LeafKind::Float, _)
        )
    }

    /// Solves a program.
    pub fn solve(mut self) -> Solver<'a> {
        self.prepare();
        self.run();
        self.remaining();
        self.run();
        self
    }

    /// A routine's number as an index.
    pub fn routine(&self, id: RoutineId) -> &'a crate::dataflow::steps::Routine {
        &self.steps.routines[id.0 as usize]
    }
}
