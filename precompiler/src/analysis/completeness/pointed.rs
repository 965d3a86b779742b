//! Locals on the stack: which exist at a checkpoint, and which pointers point to. So do variables of the thread, which are always
//! there.
//!
//! A pointer to a local says something only while the activation of its function lasts and control is in the block that
//! declares it; before and after that it is indeterminate. So of all locals to which a pointer may ever lead, those count
//! that are on the stack at the checkpoint.
//!
//! ```text
//! void f(int **p) { int x; *p = &x; g(); }      at a checkpoint in g: x is there
//! main: int *q; f(&q); h();                     at a checkpoint in h: nobody may use what q holds
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::decide::Deciding;
use super::model::StackLocal;
use super::seen::Seen;
use super::sites::Wanted;
use super::state::State;
use crate::analysis::liveness::CheckpointLive;
use crate::analysis::memory::{CellId, ObjectKind};
use crate::dataflow::NodeId;
use crate::dataflow::steps::{
    Base, Call, Projection, RoutineId, StepKind, TextPlace, ValueId, VariableId, VariableKind,
};
use crate::program::{ExpressionKind, Label, ScopeId, StatementKind, TypeId, TypeKind, Unit};
use crate::source::Span;
use rustc_hash::FxHashMap;

/// Where the variables of a function can be named.
#[derive(Default)]
pub(super) struct Scopes {
    blocks: FxHashMap<ScopeId, Span>,
    /// Expressions that are statements in which something is declared, outer ones before those inside.
    expressions: Vec<Span>,
    has_labels: bool,
}

impl Deciding<'_> {
    /// Whether a local can be there, with a value, when control is at a place of its function.
    pub(super) fn is_there(&self, owner: RoutineId, variable: VariableId, at: TextPlace) -> bool {
        let one = self.steps.variable(variable);
        let (VariableKind::Named, symbol) = (one.kind, one.symbol) else {
            return true;
        };
        let Some(symbol) = symbol else {
            // The copy that a region makes private.
            return one.declared.span.has(at.span.start);
        };
        let unit = &self.program.units[self.steps.routine(owner).function.unit];
        let scopes = self.known.scopes(owner, || self.scopes(owner));
        let (declared, place) = (one.declared.span.start, at.span.start);
        let Some(block) = scopes.blocks.get(&unit.symbols[symbol.0].scope) else {
            let mut inside = scopes.expressions.iter().rev();
            let inside = inside.find(|one| one.has(declared));
            return inside.is_none_or(|inside| inside.has(place));
        };
        // After `longjmp` there is something in volatile locals only.
        let comes_back = self.liveness.effects.bodies[owner.0 as usize].returns_twice
            && is_volatile(unit, one.ty.id);
        block.has(place)
            && (declared <= place
                || comes_back
                || scopes.has_labels && self.may_go_back(owner, declared..block.end, place))
    }

    fn scopes(&self, routine: RoutineId) -> Scopes {
        let function = self.steps.routine(routine).function;
        let unit = &self.program.units[function.unit];
        let body = &unit.function(function.function).body;
        let mut scopes = Scopes::default();
        body.walk(&mut |statement| {
            match &statement.kind {
                StatementKind::Compound { scope, .. } | StatementKind::For { scope, .. } => {
                    scopes.blocks.insert(*scope, statement.span);
                }
                StatementKind::Labelled {
                    label: Label::Name(_),
                    ..
                } => scopes.has_labels = true,
                _ => {}
            }
            true
        });
        body.walk_expressions(&mut |expression| {
            if matches!(expression.kind, ExpressionKind::Statement(_)) {
                scopes.expressions.push(expression.span);
            }
        });
        scopes
    }

    /// Whether control may come from a part of a function to a place.
    fn may_go_back(&self, routine: RoutineId, from: Range<usize>, to: usize) -> bool {
        let flow = &self.steps.routine(routine).flow;
        let Some(to) = flow.node_at(to) else {
            return true;
        };
        let mut nodes = flow.nodes.iter().enumerate();
        nodes.any(|(number, node)| {
            from.contains(&node.span.start) && flow.after(NodeId(number))[to.0]
        })
    }

    /// Locals on the stack to which pointers lead that a restarted program may use, or that calls on the way were handed.
    pub(super) fn pointed(
        &self,
        live: &CheckpointLive,
        state: &State,
        seen: &[Seen],
    ) -> Vec<StackLocal> {
        let mut found: BTreeMap<(VariableId, Option<TextPlace>), StackLocal> = BTreeMap::new();
        let mut done = BTreeSet::new();
        for one in seen.iter().filter(|one| one.only_memory.is_none()) {
            if done.insert(self.points_to.pointees_number(one.cell)) {
                let targets = self.points_to.pointees(one.cell).collect();
                self.on_stack(live, state, targets, &mut found);
            }
        }
        for frame in &live.frames {
            let targets = self.handed(frame.routine, frame.call);
            self.on_stack(live, state, targets, &mut found);
        }
        found.into_values().collect()
    }

    fn on_stack(
        &self,
        live: &CheckpointLive,
        state: &State,
        targets: Vec<CellId>,
        found: &mut BTreeMap<(VariableId, Option<TextPlace>), StackLocal>,
    ) {
        for target in targets {
            if let ObjectKind::Variable(variable) =
                self.memory().objects[self.object(target).0 as usize].kind
                && self.steps.variable(variable).per_thread
            {
                self.of_the_thread(live, state, (variable, target), found);
                continue;
            }
            let (Some(variable), Some(owner)) = (self.local(target), self.automatic(target)) else {
                continue;
            };
            let object = self.object(target);
            let mut add = |call: Option<TextPlace>, states: Vec<&State>| {
                let place = call.unwrap_or(live.place);
                let key = (variable, call);
                if found.contains_key(&key) || !self.is_there(owner, variable, place) {
                    return;
                }
                let mut cells = self.points_to.cells(object);
                let is_open =
                    cells.any(|cell| states.iter().any(|one| one.open.contains(cell.0 as usize)));
                let site = self.site(&Wanted {
                    root: variable,
                    memory: &[],
                    views: &[(owner, place)],
                });
                let local = StackLocal {
                    variable,
                    call,
                    is_registered: !is_open,
                    site,
                };
                found.insert(key, local);
            };
            if owner == live.routine {
                add(None, vec![state]);
            }
            for frame in live.frames.iter().filter(|frame| frame.routine == owner) {
                add(Some(frame.call), self.at_call(owner, frame.call));
            }
        }
    }

    /// A variable of a thread lies elsewhere in every process, and lasts as long as the program.
    fn of_the_thread(
        &self,
        live: &CheckpointLive,
        state: &State,
        (variable, target): (VariableId, CellId),
        found: &mut BTreeMap<(VariableId, Option<TextPlace>), StackLocal>,
    ) {
        let frames = live.frames.iter().map(|one| (one.routine, one.call));
        let views: Vec<_> = frames.chain([(live.routine, live.place)]).collect();
        let mut cells = self.points_to.cells(self.object(target));
        let is_open = cells.any(|cell| state.open.contains(cell.0 as usize));
        found.entry((variable, None)).or_insert_with(|| StackLocal {
            variable,
            call: None,
            is_registered: !is_open,
            site: self.site(&Wanted {
                root: variable,
                memory: &[],
                views: &views,
            }),
        });
    }

    /// What the arguments of a call lead to, but those that are written anew as the address of a variable.
    fn handed(&self, routine: RoutineId, call: TextPlace) -> Vec<CellId> {
        let mut calls: Vec<&Call> = Vec::new();
        let mut fixed: BTreeSet<ValueId> = BTreeSet::new();
        self.steps
            .routine(routine)
            .walk(&mut |step| match &step.kind {
                StepKind::Call(one) if step.span == call.span => calls.push(one),
                StepKind::Address { place, into } => {
                    let mut path = place.path.iter();
                    let is_fixed = matches!(place.base, Base::Variable(_))
                        && path.all(|one| matches!(one, Projection::Member(..)));
                    if is_fixed {
                        fixed.insert(*into);
                    }
                }
                _ => {}
            });
        let arguments = calls.iter().flat_map(|call| &call.arguments);
        arguments
            .filter(|one| !fixed.contains(&one.value) && one.aggregate.is_none())
            .flat_map(|one| self.points_to.targets(routine, one.value))
            .collect()
    }
}

/// Whether something of a type is volatile.
fn is_volatile(unit: &Unit, ty: TypeId) -> bool {
    unit.ty(ty).qualifiers.is_volatile
        || match unit.kind(ty) {
            TypeKind::Array { element, .. } => is_volatile(unit, *element),
            TypeKind::Record(record) => {
                let members = unit.records[record.0].members.iter().flatten();
                members.into_iter().any(|one| is_volatile(unit, one.ty))
            }
            _ => false,
        }
}
