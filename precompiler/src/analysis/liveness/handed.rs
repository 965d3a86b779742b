//! Streams that a call hands to the function in which, or below which, a checkpoint is taken.
//!
//! A restart makes the call again, and evaluates an argument anew that is a stream: no replay log knows where the stream will lie. So
//! what the argument reads is live at the checkpoint where the parameter is, although the program itself does not read it again.
//!
//! ```text
//! FILE *in = fopen(name, "r");
//! sum(in);                        in: live at the checkpoint in `sum`, because its parameter is
//! ```
//!
//! In: the frames of a checkpoint, and what is live there. Out: the same, with more that is live. When unsure: live.

use std::collections::BTreeMap;

use crate::analysis::effects::{ActionKind, Effects};
use crate::analysis::handles::{is_mpi_file, is_stream_of_c};
use crate::analysis::memory::{CellId, CellSet};
use crate::analysis::points_to::PointsTo;
use crate::dataflow::steps::{RoutineId, StepKind, Steps, TextPlace};
use crate::program::Program;
use crate::solver::rounds;

use super::downward::After;
use super::model::FrameLive;

/// An argument that is a stream: which one, and what it reads.
struct Given {
    position: usize,
    cells: Vec<CellId>,
}

/// The arguments that are streams, of all calls that may lead to a checkpoint.
pub(super) struct Handed<'a> {
    steps: &'a Steps,
    points_to: &'a PointsTo,
    calls: BTreeMap<(usize, usize, usize), Vec<Given>>,
}

/// Where a call stands.
fn key(place: TextPlace) -> (usize, usize, usize) {
    (place.unit, place.span.start, place.span.end)
}

impl<'a> Handed<'a> {
    /// Those of a program.
    pub fn of(
        program: &Program,
        steps: &'a Steps,
        points_to: &'a PointsTo,
        effects: &Effects,
        after_calls: &[After],
    ) -> Handed<'a> {
        let is_stream = |cell: &CellId| {
            let ty = points_to.memory.cells[cell.0 as usize].ty;
            ty.is_some_and(|ty| {
                let unit = &program.units[ty.unit];
                is_stream_of_c(unit, ty.id) || is_mpi_file(unit, ty.id)
            })
        };
        let mut calls: BTreeMap<(usize, usize, usize), Vec<Given>> = BTreeMap::new();
        for after in after_calls {
            let routine = steps.routine(after.routine);
            let unit = routine.function.unit;
            routine.walk(&mut |step| {
                let StepKind::Call(call) = &step.kind else {
                    return;
                };
                if step.span != after.span {
                    return;
                }
                for (position, argument) in call.arguments.iter().enumerate() {
                    let mut cells = Vec::new();
                    effects.bodies[after.routine.0 as usize].walk(&mut |action| {
                        if let ActionKind::Read(set) = action.kind
                            && argument.span.contains(action.span)
                        {
                            cells.extend(effects.cells(set).iter().copied().filter(is_stream));
                        }
                    });
                    if !cells.is_empty() {
                        let span = step.span;
                        let here = calls.entry(key(TextPlace { unit, span })).or_default();
                        here.push(Given { position, cells });
                    }
                }
            });
        }
        Handed {
            steps,
            points_to,
            calls,
        }
    }

    /// Adds what is live because a parameter is. `callees` are those of each frame's call; `locals` those of a function, of which only
    /// its own frame tells; `is_there` what the program has stored to before.
    pub fn add(
        &self,
        routine: RoutineId,
        cells: &mut CellSet,
        frames: &mut [FrameLive],
        callees: &[&[RoutineId]],
        locals: &BTreeMap<RoutineId, CellSet>,
        is_there: &dyn Fn(usize) -> bool,
    ) {
        if self.calls.is_empty() {
            return;
        }
        rounds(|| {
            let mut is_new = false;
            for at in 0..frames.len() {
                let Some(given) = self.calls.get(&key(frames[at].call)) else {
                    continue;
                };
                for one in given {
                    let is_read = callees[at].iter().any(|callee| {
                        let live = |cell: &CellId| {
                            let index = cell.0 as usize;
                            let mut theirs = frames.iter().filter(|frame| frame.routine == *callee);
                            (*callee == routine && cells.contains(index))
                                || theirs.any(|frame| frame.cells.contains(index))
                        };
                        self.parameter(*callee, one.position).iter().any(live)
                    });
                    if !is_read {
                        continue;
                    }
                    for cell in &one.cells {
                        let index = cell.0 as usize;
                        let owns = |own: &CellSet| own.contains(index);
                        let is_own = locals.get(&frames[at].routine).is_some_and(owns);
                        let live = match is_own {
                            true => &mut frames[at].cells,
                            false => &mut *cells,
                        };
                        if is_there(index) && !live.contains(index) {
                            live.insert(index);
                            is_new = true;
                        }
                    }
                }
            }
            is_new
        });
    }

    /// The cells of a parameter.
    fn parameter(&self, routine: RoutineId, position: usize) -> Vec<CellId> {
        let parameters = &self.steps.routine(routine).parameters;
        let object = parameters
            .get(position)
            .and_then(|variable| self.points_to.variable(*variable));
        object.map_or_else(Vec::new, |object| self.points_to.cells(object).collect())
    }
}
