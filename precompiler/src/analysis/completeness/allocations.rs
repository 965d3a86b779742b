//! Memory that a function allocates in some cases only.
//!
//! `if (full) { u = realloc(…); changed = 1; } return changed;`: whether the block is new is known to the caller, which
//! registers it then, but not to us.

use std::collections::{BTreeMap, BTreeSet};

use super::facts::Facts;
use crate::analysis::effects::{Action, ActionKind};
use crate::analysis::memory::ObjectId;
use crate::dataflow::Flow;
use crate::dataflow::steps::RoutineId;

impl Facts<'_> {
    /// Finds the memory that a function without directives allocates on some of its ways, but not on all.
    pub(super) fn find_conditional(&mut self) {
        let mut known: BTreeMap<RoutineId, BTreeSet<ObjectId>> = BTreeMap::new();
        for routine in self.steps.routine_ids() {
            let summary = self.effects.summary(routine);
            if !self.is_client(routine) && !summary.allocates.is_empty() {
                known.insert(routine, summary.allocates.clone());
            }
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
            for object in self.effects.summary(*routine).allocates.difference(surely) {
                let cells = self.object_cells(*object);
                self.conditional.extend(cells);
            }
        }
    }

    /// What a function allocates on all ways to its end.
    fn surely_allocated(
        &self,
        routine: RoutineId,
        known: &BTreeMap<RoutineId, BTreeSet<ObjectId>>,
    ) -> BTreeSet<ObjectId> {
        let all = &self.effects.summary(routine).allocates;
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
