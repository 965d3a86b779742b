//! Arrays that loops and calls overwrite as a whole become part of the bodies, and of the summaries.

use crate::analysis::coverage::Coverage;
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

    /// After all that a call does comes what it surely overwrites.
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
                    let covered = coverage.overwritten_by_call(id, span);
                    let sets: Vec<SetId> = covered
                        .iter()
                        .map(|one| self.add_set(one.cells.clone()))
                        .collect();
                    for cells in sets {
                        position += 1;
                        let kind = ActionKind::Write { cells, all: true };
                        actions.insert(position, Action { kind, span });
                    }
                }
                _ => {}
            }
            position += 1;
        }
    }

    /// The number of a list of cells.
    pub(super) fn add_set(&mut self, mut cells: Vec<CellId>) -> SetId {
        if cells.is_empty() {
            return SetId::default();
        }
        cells.sort_unstable();
        cells.dedup();
        self.sets.push(cells.into());
        SetId(self.sets.len() as u32 - 1)
    }
}

/// Whether no other store of the same call follows.
fn is_last(actions: &[Action], position: usize, span: Span) -> bool {
    !actions[position + 1..]
        .iter()
        .any(|one| one.span == span && matches!(one.kind, ActionKind::Write { .. }))
}
