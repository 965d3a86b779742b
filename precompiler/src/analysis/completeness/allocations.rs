//! What functions without directives allocate, and what they allocate in some cases only.
//!
//! Blocks are told apart by the calls through which they come about (`through`), so a call of an allocating function
//! makes only the blocks on whose way it is.
//!
//! `if (full) { u = realloc(…); changed = 1; } return changed;`: whether the block is new is known to the caller, which
//! registers it then, but not to us.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::facts::Facts;
use crate::analysis::effects::{Action, ActionKind};
use crate::analysis::memory::{ObjectId, ObjectKind};
use crate::dataflow::Flow;
use crate::dataflow::steps::{RoutineId, TextPlace};
use crate::source::Span;

impl Facts<'_> {
    /// Finds the memory that a function without directives allocates on some of its ways, but not on all.
    pub(super) fn find_conditional(&mut self) {
        let mut known: BTreeMap<RoutineId, BTreeSet<ObjectId>> = BTreeMap::new();
        for routine in self.steps.routine_ids() {
            let allocates = &self.effects.summary(routine).allocates;
            if self.is_client(routine) || allocates.is_empty() {
                continue;
            }
            let below = self.called_below(routine);
            let made = allocates.iter().copied();
            let made: BTreeSet<ObjectId> = made
                .filter(|object| self.may_make(routine, &below, *object))
                .collect();
            known.insert(routine, made.clone());
            self.allocates.insert(routine, made);
            self.below.insert(routine, below);
        }
        // What is surely allocated: first all, then less and less.
        loop {
            let mut news = false;
            for routine in known.keys().copied().collect::<Vec<_>>() {
                let surely = self.surely_allocated(routine, &known);
                if known.get(&routine).is_some_and(|old| *old != surely) {
                    known.insert(routine, surely);
                    news = true;
                }
            }
            if !news {
                break;
            }
        }
        for (routine, surely) in &known {
            let made = &self.allocates[routine];
            let some = made.difference(surely).copied().collect::<Vec<_>>();
            for object in some {
                let cells = self.object_cells(object);
                self.conditional.extend(cells);
            }
        }
    }

    /// Functions that a function calls, and those that these call.
    fn called_below(&self, routine: RoutineId) -> BTreeSet<RoutineId> {
        let mut below = BTreeSet::new();
        let mut work = vec![routine];
        while let Some(one) = work.pop() {
            self.visit(one.0 as usize, &mut |action| {
                if let ActionKind::Call { routines, .. } = &action.kind {
                    work.extend(routines.iter().filter(|callee| below.insert(**callee)));
                }
            });
        }
        below
    }

    /// The calls through which an object comes about, the outermost one first, with the functions they stand in.
    fn way_to(&self, object: ObjectId) -> Rc<[(RoutineId, TextPlace)]> {
        let known = self.ways.borrow().get(&object).cloned();
        known.unwrap_or_else(|| {
            let way: Rc<[_]> = self.find_way(object).into();
            self.ways.borrow_mut().insert(object, Rc::clone(&way));
            way
        })
    }

    fn find_way(&self, object: ObjectId) -> Vec<(RoutineId, TextPlace)> {
        let object = &self.memory.objects[object.0 as usize];
        let ObjectKind::Heap {
            routine,
            call,
            through,
        } = &object.kind
        else {
            return Vec::new();
        };
        let stands_in = |place: &TextPlace| {
            self.steps.routine_ids().find(|id| {
                let at = self.steps.routine(*id).function;
                let function = self.program.units[at.unit].function(at.function);
                at.unit == place.unit && function.span.has(place.span.start)
            })
        };
        let outer = through.iter();
        let outer = outer.filter_map(|place| Some((stands_in(place)?, *place)));
        outer.chain([(*routine, *call)]).collect()
    }

    fn may_make(&self, routine: RoutineId, below: &BTreeSet<RoutineId>, object: ObjectId) -> bool {
        let way = self.way_to(object);
        let begins_below = way.first().is_none_or(|(first, _)| below.contains(first));
        way.len() < 2 || begins_below || way.iter().any(|(one, _)| *one == routine)
    }

    /// What a call of a function without directives may allocate.
    pub(super) fn made_by(
        &self,
        caller: RoutineId,
        call: Span,
        callee: RoutineId,
    ) -> Vec<ObjectId> {
        let unit = self.steps.routine(caller).function.unit;
        let here = TextPlace { unit, span: call };
        let made = self.allocates.get(&callee).into_iter().flatten().copied();
        let below = self.below.get(&callee);
        made.filter(|object| {
            let way = self.way_to(*object);
            let mut own = way.iter().filter(|(one, _)| *one == caller).peekable();
            match (own.peek(), way.first()) {
                // Then the calls that are told apart begin further down.
                (None, Some((first, _))) => {
                    *first == callee || below.is_none_or(|below| below.contains(first))
                }
                (None, None) => true,
                _ => own.any(|(_, place)| *place == here),
            }
        })
        .collect()
    }

    /// What a function allocates on all ways to its end.
    fn surely_allocated(
        &self,
        routine: RoutineId,
        known: &BTreeMap<RoutineId, BTreeSet<ObjectId>>,
    ) -> BTreeSet<ObjectId> {
        let Some(all) = self.allocates.get(&routine) else {
            return BTreeSet::new();
        };
        let flow = &self.steps.routine(routine).flow;
        let nodes = &self.effects.bodies[routine.0 as usize].nodes;
        let mut before: Vec<Option<BTreeSet<ObjectId>>> = vec![None; flow.nodes.len()];
        before[Flow::ENTRY.0] = Some(BTreeSet::new());
        let mut waiting = BTreeSet::from([Flow::ENTRY.0]);
        while let Some(node) = waiting.pop_first() {
            let Some(mut state) = before[node].clone() else {
                continue;
            };
            let actions = nodes.get(node).map_or(&[][..], Vec::as_slice);
            if !allocate(actions, known, &mut state) {
                continue;
            }
            state.retain(|object| all.contains(object));
            for next in &flow.nodes[node].next {
                let after = match &before[next.0] {
                    None => state.clone(),
                    Some(old) => old.intersection(&state).copied().collect(),
                };
                if before[next.0].as_ref() != Some(&after) {
                    before[next.0] = Some(after);
                    waiting.insert(next.0);
                }
            }
        }
        before.swap_remove(Flow::EXIT.0).unwrap_or_default()
    }
}

/// Adds what a list surely allocates. Whether control comes to its end.
fn allocate(
    actions: &[Action],
    known: &BTreeMap<RoutineId, BTreeSet<ObjectId>>,
    state: &mut BTreeSet<ObjectId>,
) -> bool {
    for action in actions {
        match &action.kind {
            ActionKind::Begin { object, .. } => {
                state.insert(*object);
            }
            ActionKind::Call {
                routines,
                surely: true,
                ..
            } => {
                if let [callee] = &**routines {
                    state.extend(known.get(callee).into_iter().flatten());
                }
            }
            ActionKind::Choose(lists) => {
                let mut joined: Option<BTreeSet<ObjectId>> = None;
                for list in lists {
                    let mut one = state.clone();
                    if allocate(list, known, &mut one) {
                        joined = Some(match joined {
                            None => one,
                            Some(other) => other.intersection(&one).copied().collect(),
                        });
                    }
                }
                match joined {
                    None => return false,
                    Some(joined) => *state = joined,
                }
            }
            ActionKind::Stop => return false,
            _ => {}
        }
    }
    true
}
