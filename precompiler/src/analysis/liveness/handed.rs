//! Handles that a call hands to the function in which, or below which, a checkpoint is taken: streams, communicators, plans.
//!
//! A restart makes the call again, and evaluates an argument anew that is a handle: no replay log knows where it will lie. So what the
//! argument reads is live at the checkpoint where the parameter is, although the program itself does not read it again.
//!
//! ```text
//! FILE *in = fopen(name, "r");
//! sum(in);                        in: live at the checkpoint in `sum`, because its parameter is
//! step(grid->comm);               grid and its comm: live at the checkpoint in `step`
//! ```
//!
//! In: the frames of a checkpoint, and what is live there. Out: the same, with more that is live. When unsure: live.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::effects::{ActionKind, Effects};
use crate::analysis::handles::handle;
use crate::analysis::memory::{CellId, CellSet};
use crate::analysis::points_to::PointsTo;
use crate::catalog::Catalogue;
use crate::dataflow::steps::{RoutineId, StepKind, Steps, TextPlace, TypeRef};
use crate::program::Program;
use crate::solver::rounds;
use crate::source::Span;

use super::downward::After;
use super::model::FrameLive;

/// An argument that is a handle: which one, and what it reads.
struct Given {
    position: usize,
    cells: Vec<CellId>,
}

/// The arguments that are handles, of all calls that may lead to a checkpoint.
pub(super) struct Handed<'a> {
    steps: &'a Steps,
    points_to: &'a PointsTo,
    calls: BTreeMap<TextPlace, Vec<Given>>,
}

impl<'a> Handed<'a> {
    /// Those of a program.
    pub fn of(
        (program, catalogue): (&Program, &Catalogue),
        steps: &'a Steps,
        points_to: &'a PointsTo,
        effects: &Effects,
        after_calls: &[After],
    ) -> Handed<'a> {
        let is_handle = |ty: TypeRef| handle(catalogue, &program.units[ty.unit], ty.id).is_some();
        let is_pointer = |ty: TypeRef| program.units[ty.unit].pointee(ty.id).is_some();
        let holds_handle = |cell: &CellId| {
            let ty = points_to.memory.cells[cell.0 as usize].ty;
            ty.is_some_and(is_handle)
        };
        let mut wanted: BTreeMap<RoutineId, BTreeSet<TextPlace>> = BTreeMap::new();
        for after in after_calls {
            let unit = steps.routine(after.routine).function.unit;
            let span = after.span;
            let here = wanted.entry(after.routine).or_default();
            here.insert(TextPlace { unit, span });
        }
        let mut calls: BTreeMap<TextPlace, Vec<Given>> = BTreeMap::new();
        for (id, wanted) in wanted {
            let routine = steps.routine(id);
            let unit = routine.function.unit;
            let mut all: Vec<Span> = Vec::new();
            let mut given: Vec<(TextPlace, usize, Span)> = Vec::new();
            routine.walk(&mut |step| {
                let StepKind::Call(call) = &step.kind else {
                    return;
                };
                let span = step.span;
                all.push(span);
                let place = TextPlace { unit, span };
                if wanted.contains(&place) {
                    let arguments = call.arguments.iter().enumerate();
                    let arguments = arguments.filter(|(_, one)| {
                        let ty = routine.values[one.value.0 as usize].ty;
                        one.aggregate.is_none() && (is_handle(ty) || is_pointer(ty))
                    });
                    given.extend(arguments.map(|(position, one)| (place, position, one.span)));
                }
            });
            // The results of calls are in the replay log.
            given.retain(|(_, _, text)| !all.iter().any(|call| text.contains(*call)));
            let mut cells: Vec<Vec<CellId>> = vec![Vec::new(); given.len()];
            effects.bodies[id.0 as usize].walk(&mut |action| {
                let ActionKind::Read(set) = action.kind else {
                    return;
                };
                for (read, (_, _, text)) in cells.iter_mut().zip(&given) {
                    if text.contains(action.span) {
                        read.extend(effects.cells(set));
                    }
                }
            });
            for (cells, (place, position, _)) in cells.into_iter().zip(given) {
                if cells.iter().any(holds_handle) {
                    let here = calls.entry(place).or_default();
                    here.push(Given { position, cells });
                }
            }
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
                let Some(given) = self.calls.get(&frames[at].call) else {
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
