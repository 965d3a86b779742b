//! Arrays that loops and calls overwrite as a whole become part of the bodies, and of the summaries.

use crate::analysis::coverage::{Coverage, Covered};
use crate::analysis::memory::CellId;
use crate::analysis::points_to::PointsTo;
use crate::dataflow::steps::{RoutineId, Steps};
use crate::source::Span;

use super::model::{Action, ActionKind, Effects, Filled, SetId};

impl Effects {
    /// Takes in what loops and calls surely overwrite. The summaries change with it.
    pub fn cover(&mut self, coverage: &Coverage, steps: &Steps, points_to: &PointsTo) {
        for id in steps.routine_ids() {
            let ways: Vec<((usize, usize), Vec<Filled>)> = coverage
                .ways(id)
                .map(|(way, covered)| {
                    let filled = covered
                        .iter()
                        .map(|one| Filled {
                            cells: self.add_set(one.cells.clone()),
                            by: one.by,
                        })
                        .collect();
                    (way, filled)
                })
                .collect();
            self.bodies[id.0 as usize].overwritten = ways.into_iter().collect();
            let mut nodes = std::mem::take(&mut self.bodies[id.0 as usize].nodes);
            for actions in &mut nodes {
                self.cover_calls(coverage, id, actions);
            }
            self.bodies[id.0 as usize].nodes = nodes;
        }
        self.summarise(steps, points_to);
    }

    /// What a call surely overwrites comes after all that a library function does, and before a function of the program is
    /// called: a checkpoint in that one comes back behind the call with a part of the array overwritten only.
    fn cover_calls(&mut self, coverage: &Coverage, id: RoutineId, actions: &mut Vec<Action>) {
        let mut position = 0;
        while position < actions.len() {
            let span = actions[position].span;
            let last = is_last(actions, position, span);
            match &mut actions[position].kind {
                ActionKind::Choose(lists) => {
                    for list in lists {
                        self.cover_calls(coverage, id, list);
                    }
                }
                ActionKind::Write { .. } | ActionKind::Call { .. } if last => {
                    let routines = match &actions[position].kind {
                        ActionKind::Call { routines, .. } => routines.clone(),
                        _ => Box::default(),
                    };
                    let sets = self.untouched(coverage.overwritten_by_call(id, span), &routines);
                    let into = match routines.is_empty() {
                        true => position + 1,
                        false => position,
                    };
                    position += sets.len();
                    let writes = sets.into_iter().map(|cells| Action {
                        kind: ActionKind::Write { cells, all: true },
                        span,
                    });
                    actions.splice(into..into, writes);
                }
                _ => {}
            }
            position += 1;
        }
    }

    /// What a call overwrites without that one of these functions may read it before, whoever calls them.
    fn untouched(&mut self, covered: &[Covered], routines: &[RoutineId]) -> Vec<SetId> {
        let mut sets = Vec::new();
        for one in covered {
            let mut cells = one.cells.clone();
            cells.retain(|cell| {
                let mut called = routines.iter();
                !called.any(|&one| self.summary(one).exposed.contains(cell.0 as usize))
            });
            sets.push(self.add_set(cells));
        }
        sets
    }

    /// The number of a list of cells.
    pub(super) fn add_set(&mut self, mut cells: Vec<CellId>) -> SetId {
        if cells.is_empty() {
            return SetId::default();
        }
        cells.sort_unstable();
        cells.dedup();
        self.sets.add(cells.into())
    }
}

/// Whether no other store of the same call follows.
fn is_last(actions: &[Action], position: usize, span: Span) -> bool {
    !actions[position + 1..]
        .iter()
        .any(|one| one.span == span && matches!(one.kind, ActionKind::Write { .. }))
}
