//! From what may be read later and what may have happened before to what is live.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::effects::{Effects, owner_of_local};
use crate::analysis::handles::{is_jump_buffer, lies_in};
use crate::analysis::memory::{CellId, CellSet, Memory, ObjectKind};
use crate::analysis::points_to::PointsTo;
use crate::catalog::Catalogue;
use crate::dataflow::steps::{RoutineId, Steps, TextPlace};
use crate::program::Program;

use super::before::{Before, Past};
use super::downward::{After, Downward, Found, below};
use super::handed::Handed;
use super::model::{CheckpointLive, FrameLive, Liveness};
use super::why;

impl<'a> Liveness<'a> {
    /// Looks at a program.
    pub fn of(
        program: &'a Program,
        catalogue: &Catalogue,
        steps: &'a Steps,
        points_to: &'a PointsTo,
        effects: &'a Effects,
    ) -> Liveness<'a> {
        let memory = &points_to.memory;
        let downward = Downward::of(program, steps, memory, effects);
        let before = Before::of(program, steps, memory, effects, &downward);
        let locals = locals(steps, memory);
        let jump_buffers = jump_buffers(program, memory, effects);
        let given = (program, catalogue);
        let handed = Handed::of(given, steps, points_to, effects, &downward.after_calls);
        let mut checkpoints: Vec<CheckpointLive> = downward
            .checkpoints
            .iter()
            .map(|found| {
                let all = Assembly {
                    steps,
                    memory,
                    effects,
                    downward: &downward,
                    before: &before,
                    locals: &locals,
                    jump_buffers: &jump_buffers,
                    handed: &handed,
                };
                all.checkpoint(found)
            })
            .collect();
        checkpoints.sort_by_key(|one| (one.unit, one.directive));
        Liveness {
            program,
            steps,
            points_to,
            effects,
            callers: why::callers(effects),
            jump_buffers,
            checkpoints,
        }
    }
}

/// The cells of what `setjmp` fills, if anybody calls it.
fn jump_buffers(program: &Program, memory: &Memory, effects: &Effects) -> CellSet {
    let mut found = CellSet::with_capacity(memory.cells.len());
    if effects.bodies.iter().any(|body| body.returns_twice) {
        let all = (0..memory.cells.len()).filter(|cell| {
            let cell = CellId(*cell as u32);
            lies_in(program, memory, cell, &is_jump_buffer)
        });
        found.extend(all);
    }
    found
}

/// The cells of every function's locals.
fn locals(steps: &Steps, memory: &Memory) -> BTreeMap<RoutineId, CellSet> {
    let mut locals: BTreeMap<RoutineId, CellSet> = BTreeMap::new();
    for object in &memory.objects {
        if let ObjectKind::Variable(variable) = object.kind
            && let Some(owner) = owner_of_local(steps, variable)
        {
            locals
                .entry(owner)
                .or_insert_with(|| CellSet::with_capacity(memory.cells.len()))
                .insert_range(object.first.0 as usize..(object.first.0 + object.count) as usize);
        }
    }
    locals
}

struct Assembly<'a> {
    steps: &'a Steps,
    memory: &'a Memory,
    effects: &'a Effects,
    downward: &'a Downward<'a>,
    before: &'a Before<'a>,
    locals: &'a BTreeMap<RoutineId, CellSet>,
    jump_buffers: &'a CellSet,
    handed: &'a Handed<'a>,
}

impl Assembly<'_> {
    fn checkpoint(&self, found: &Found) -> CheckpointLive {
        let unit = self.steps.routines[found.routine.0 as usize].function.unit;
        let nothing = CellSet::with_capacity(self.memory.cells.len());
        let past = self
            .before
            .checkpoints
            .get(&(found.routine, found.directive));
        let mut written = past.map_or_else(|| nothing.clone(), |past| past.written.clone());
        let exists = past.map_or_else(|| nothing.clone(), |past| past.exists.clone());
        let mut later = found.live.clone();
        for &routine in &self.effects.any_time {
            let summary = self.effects.summary(routine);
            let beside = self.effects.threads.contains(&routine)
                || self.downward.clients[routine.0 as usize];
            later.union_with(if beside {
                &summary.reads
            } else {
                &summary.exposed
            });
            written.union_with(&summary.writes);
        }
        let below = below(&self.downward.calls, found.routine);
        let is_there = |object: &ObjectKind, cell: usize| match object {
            ObjectKind::Variable(variable) => match owner_of_local(self.steps, *variable) {
                None => true,
                Some(owner) if owner == found.routine => written.contains(cell),
                Some(owner) => {
                    below.contains(&owner)
                        && written.contains(cell)
                        && !self.effects.private.contains(cell)
                }
            },
            ObjectKind::Heap { .. } => exists.contains(cell) && written.contains(cell),
            ObjectKind::Function(_) | ObjectKind::Text(_) => false,
            ObjectKind::Library(_) | ObjectKind::Unknown => true,
        };
        let mut cells = nothing;
        for cell in later.ones() {
            let object = self.memory.cells[cell].object;
            if is_there(&self.memory.objects[object.0 as usize].kind, cell) {
                cells.insert(cell);
            }
        }
        if !self.may_jump_back(found.routine, &below) {
            cells.difference_with(self.jump_buffers);
        }
        let on_the_way = || {
            let after = self.downward.after_calls.iter();
            after.filter(|after| after.callees.iter().any(|callee| below.contains(callee)))
        };
        let mut frames: Vec<FrameLive> = on_the_way()
            .map(|after| self.frame(unit_of(self.steps, after.routine), after, &cells))
            .collect();
        let callees: Vec<&[RoutineId]> = on_the_way().map(|after| &*after.callees).collect();
        let was_stored = |cell: usize| {
            let kept = |past: &Past| past.written.contains(cell);
            written.contains(cell)
                || on_the_way().any(|after| {
                    let past = self.before.calls.get(&(after.routine, after.span));
                    past.is_some_and(kept)
                })
        };
        let (routine, locals) = (found.routine, self.locals);
        self.handed.add(
            routine,
            &mut cells,
            &mut frames,
            &callees,
            locals,
            &was_stored,
        );
        CheckpointLive {
            unit,
            directive: found.directive,
            routine: found.routine,
            place: TextPlace {
                unit,
                span: found.span,
            },
            cells,
            frames,
            read_later: later,
            exists,
            written_before: written,
        }
    }

    /// Whether some function that may be under way at a checkpoint has called `setjmp`. Where none has, there is nowhere to jump to: what
    /// earlier calls have filled means nothing any more.
    fn may_jump_back(&self, routine: RoutineId, below: &BTreeSet<RoutineId>) -> bool {
        let has_set = |one: &RoutineId| self.effects.bodies[one.0 as usize].returns_twice;
        !self.effects.any_time.is_empty() || has_set(&routine) || below.iter().any(has_set)
    }

    /// The locals of a frame: as they are after the call, and those that others reach as they are at the checkpoint, too.
    fn frame(&self, unit: usize, after: &After, at_checkpoint: &CellSet) -> FrameLive {
        let mut cells = CellSet::with_capacity(self.memory.cells.len());
        if let Some(own) = self.locals.get(&after.routine) {
            let past: Option<&Past> = self.before.calls.get(&(after.routine, after.span));
            for cell in own.ones() {
                let live = if self.effects.private.contains(cell) {
                    after.live.contains(cell)
                        && past.is_some_and(|past| past.written.contains(cell))
                } else {
                    at_checkpoint.contains(cell) && self.concerns(after, past, cell)
                };
                cells.set(cell, live);
            }
        }
        FrameLive {
            routine: after.routine,
            call: TextPlace {
                unit,
                span: after.span,
            },
            cells,
        }
    }

    /// Whether a local that others reach, and that is live at a checkpoint, may be so on the way over this call: another call of the
    /// same function may be the one after which it is read.
    fn concerns(&self, after: &After, past: Option<&Past>, cell: usize) -> bool {
        let object = self.memory.cells[cell].object;
        let is_one = self.memory.objects[object.0 as usize].is_single
            && !self.effects.bodies[after.routine.0 as usize].returns_twice;
        let callees = || after.callees.iter().map(|one| self.effects.summary(*one));
        let any_time = || {
            let all = self.effects.any_time.iter();
            all.map(|one| self.effects.summary(*one))
        };
        if !is_one || callees().any(|one| one.may_jump) {
            return true;
        }
        let is_read = after.live.contains(cell)
            || callees()
                .chain(any_time())
                .any(|one| one.reads.contains(cell));
        let is_written = past.is_none_or(|past| past.written.contains(cell))
            || callees()
                .chain(any_time())
                .any(|one| one.writes.contains(cell));
        is_read && is_written
    }
}

fn unit_of(steps: &Steps, routine: RoutineId) -> usize {
    steps.routines[routine.0 as usize].function.unit
}
