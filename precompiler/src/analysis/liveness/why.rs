//! Why cells are live or dead: the nearest read, the nearest write. Searched when somebody asks, for many cells at once.

use std::collections::HashMap;

use rustc_hash::FxHashMap;

use crate::analysis::effects::{Action, ActionKind, Effects, walk};
use crate::analysis::memory::CellId;
use crate::dataflow::Flow;
use crate::dataflow::steps::{RoutineId, TextPlace};

use super::follow::{Meeting, Point};
use super::model::{Behind, CheckpointLive, Dead, Liveness, Witness};
use super::scan::{Met, Sought};

impl Liveness<'_> {
    /// Why a cell is live at a checkpoint: the nearest read, or nothing when none is seen.
    pub fn why_live(&self, checkpoint: usize, cell: CellId) -> Option<Witness> {
        self.why_all_live(checkpoint, &[cell]).remove(&cell)
    }

    /// Why cells are live at a checkpoint: for each the nearest read, where one is seen. Much faster than one after the other.
    pub fn why_all_live(&self, checkpoint: usize, cells: &[CellId]) -> FxHashMap<CellId, Witness> {
        let mut found = FxHashMap::default();
        let Some(at) = self.checkpoints.get(checkpoint) else {
            return found;
        };
        // Calls in a circle hide what is read behind them.
        for past_calls in [false, true] {
            let mut open: Vec<CellId> = cells.to_vec();
            open.retain(|cell| !found.contains_key(cell));
            open.sort_unstable();
            open.dedup();
            if !open.is_empty() {
                self.find_reads(at, &open, past_calls, &mut found);
            }
        }
        found
    }

    fn find_reads(
        &self,
        at: &CheckpointLive,
        cells: &[CellId],
        past_calls: bool,
        found: &mut FxHashMap<CellId, Witness>,
    ) {
        let sought = self.sought(cells, past_calls);
        sought.follow(self.start(at), Some(&self.callers), &mut |meeting| {
            let witness = read(&sought, meeting);
            let is_found = witness.is_some();
            found.extend(witness.map(|one| (cells[meeting.number], one)));
            is_found
        });
        for (number, cell) in cells.iter().enumerate() {
            if found.contains_key(cell) {
                continue;
            }
            let mut any_time = self.effects.any_time.iter().chain(&self.effects.at_exit);
            let witness = any_time.find_map(|&routine| read_in(&sought, routine, number, &[]));
            found.extend(witness.map(|one| (*cell, one)));
        }
    }

    /// Why a cell is dead at a checkpoint; nothing when it is live.
    pub fn why_dead(&self, checkpoint: usize, cell: CellId) -> Option<Dead> {
        let at = self.checkpoints.get(checkpoint)?;
        let number = cell.0 as usize;
        if at.cells.contains(number) || at.frames.iter().any(|one| one.cells.contains(number)) {
            return None;
        }
        let cells = [cell];
        let sought = self.sought(&cells, false);
        if at.read_later.contains(number) {
            let there = !sought.is_heap(cell) || at.exists.contains(number);
            return Some(match there && !at.written_before.contains(number) {
                true => Dead::NeverWritten,
                false => Dead::NotThere,
            });
        }
        let mut dead = Dead::NeverRead;
        sought.follow(self.start(at), Some(&self.callers), &mut |meeting| {
            let write = match &meeting.met {
                Met::Overwritten(span) => Some((*span, meeting.routine)),
                Met::OverwrittenBy(callee, span) => {
                    let inside = sought.write_inside(*callee, meeting.number);
                    Some(inside.unwrap_or((*span, meeting.routine)))
                }
                Met::Read(_) | Met::ReadBy(..) => None,
            };
            if let Some((span, routine)) = write {
                let write = sought.place(routine, span);
                dead = Dead::Overwritten { write, routine };
            }
            write.is_some()
        });
        Some(dead)
    }

    fn sought<'s>(&'s self, cells: &'s [CellId], past_calls: bool) -> Sought<'s> {
        let memory = &self.points_to.memory;
        Sought::new(self.steps, memory, self.effects, cells, past_calls)
    }

    /// The point right after a checkpoint directive.
    fn start(&self, at: &CheckpointLive) -> Point {
        let body = &self.effects.bodies[at.routine.0 as usize];
        let holds = |action: &Action| action.kind == ActionKind::Directive(at.directive);
        let mut start = Point {
            routine: at.routine,
            node: Flow::ENTRY.0,
            after: 0,
        };
        for (node, actions) in body.nodes.iter().enumerate() {
            if let Some(position) = actions.iter().position(holds) {
                start.node = node;
                start.after = position + 1;
            }
        }
        start
    }
}

/// The read that a search has come to, where it is one.
fn read(sought: &Sought<'_>, meeting: &Meeting<'_>) -> Option<Witness> {
    match &meeting.met {
        Met::Read(span) => Some(Witness {
            read: sought.place(meeting.routine, *span),
            routine: meeting.routine,
            through: meeting.way(),
        }),
        Met::ReadBy(readers, span) => {
            let mut through = meeting.way();
            through.push(sought.place(meeting.routine, *span));
            readers
                .iter()
                .find_map(|&reader| read_in(sought, reader, meeting.number, &through))
        }
        Met::Overwritten(_) | Met::OverwrittenBy(..) => None,
    }
}

/// A read in a function, as seen from its entry.
fn read_in(
    sought: &Sought<'_>,
    routine: RoutineId,
    number: usize,
    before: &[TextPlace],
) -> Option<Witness> {
    let (span, holder, calls) = sought.read_inside(routine, number)?;
    let calls = calls.into_iter().map(|(one, span)| sought.place(one, span));
    Some(Witness {
        read: sought.place(holder, span),
        routine: holder,
        through: before.iter().copied().chain(calls).collect(),
    })
}

/// The points right after the calls of every function.
pub(super) fn callers(effects: &Effects) -> HashMap<RoutineId, Vec<Behind>> {
    let mut callers: HashMap<RoutineId, Vec<Behind>> = HashMap::new();
    for (index, body) in effects.bodies.iter().enumerate() {
        for (node, actions) in body.nodes.iter().enumerate() {
            for (position, action) in actions.iter().enumerate() {
                let after = match action.kind {
                    // A call inside may be followed by others inside.
                    ActionKind::Choose(_) | ActionKind::Repeat(_) => position,
                    _ => position + 1,
                };
                walk(std::iter::once(action), &mut |inner| {
                    if let ActionKind::Call { routines, .. } = &inner.kind {
                        for &routine in routines {
                            callers.entry(routine).or_default().push(Behind {
                                routine: RoutineId(index as u32),
                                node,
                                after,
                                span: inner.span,
                            });
                        }
                    }
                });
            }
        }
    }
    callers
}
