//! What a checkpoint has to restore, cell by cell: as it is seen from each frame on the stack.
//!
//! In: what is live at a checkpoint and at the calls on the way. Out: cells, each with the states that count for it.
//!
//! Not here: what a restart does about them ([`decide`](super::decide)).

use std::cell::OnceCell;
use std::collections::BTreeSet;

use super::blocks::BlockRead;
use super::cover::is_heap;
use super::decide::Deciding;
use super::state::State;
use crate::analysis::liveness::{CheckpointLive, FrameLive};
use crate::analysis::memory::{CellId, CellSet, ObjectId, ObjectKind};
use crate::dataflow::steps::{RoutineId, TextPlace, VariableId};
use crate::program::Directive;
use rustc_hash::{FxHashMap, FxHashSet};

/// A cell as it is seen from a frame.
pub(super) struct Seen<'s> {
    pub cell: CellId,
    pub frame: Frame,
    /// The states that count: all of them have to be right.
    pub states: Vec<&'s State>,
    /// It may be changed behind the call at which it is seen: its register has to be there before.
    pub later: bool,
    /// A block reads it when it runs again, and nobody later.
    pub read_by_block: Option<&'s BlockRead>,
    /// Only its memory has to be there; what is in it does not matter. The pointer that leads there.
    pub only_memory: Option<CellId>,
}

/// The function in whose activation a cell lives, and the call there.
type Frame = Option<(RoutineId, Option<TextPlace>)>;

impl<'s> Seen<'s> {
    /// What the program reads after the checkpoint.
    pub fn new(cell: CellId, frame: Frame, states: Vec<&'s State>) -> Seen<'s> {
        Seen {
            cell,
            frame,
            states,
            later: false,
            read_by_block: None,
            only_memory: None,
        }
    }

    /// What is in it is read by the program after the checkpoint.
    pub fn is_plain(&self) -> bool {
        self.read_by_block.is_none() && self.only_memory.is_none()
    }
}

impl Deciding<'_> {
    /// Live cells with the states that count for them, and memory that has to be there.
    pub fn seen<'s>(&'s self, live: &CheckpointLive, state: &'s State) -> Vec<Seen<'s>> {
        let mut seen = Vec::new();
        let mut frames: FxHashMap<RoutineId, Vec<(&FrameLive, OnceCell<CellSet>)>> =
            FxHashMap::default();
        for frame in &live.frames {
            let there = frames.entry(frame.routine).or_default();
            there.push((frame, OnceCell::new()));
        }
        for index in live.cells.ones() {
            let cell = CellId(index as u32);
            let Some(owner) = self.automatic(cell) else {
                seen.push(Seen::new(cell, None, vec![state]));
                continue;
            };
            // A local that others can reach: of this activation, or of one on the way.
            let there = |at: TextPlace| {
                self.local(cell)
                    .is_none_or(|one| self.is_there(owner, one, at))
            };
            let is_private = self.liveness.effects.private.contains(index);
            if owner == live.routine && there(live.place) {
                seen.push(Seen::new(cell, Some((owner, None)), vec![state]));
            }
            for (frame, stored) in frames.get(&owner).into_iter().flatten() {
                if !frame.cells.contains(index) || !there(frame.call) {
                    continue;
                }
                let mut states = self.at_call(owner, frame.call);
                let is_other = owner != live.routine;
                if is_other && self.is_unregistered(cell) {
                    states.push(state);
                }
                // What nothing leads to stays as it is while others run.
                let is_stored = || {
                    let behind = || self.facts.stored_by(owner, frame.call.span);
                    stored.get_or_init(behind).contains(index)
                        || self.facts.any_time.contains(index)
                };
                seen.push(Seen {
                    later: is_other && !is_private && state.changed.contains(index) && is_stored(),
                    ..Seen::new(cell, Some((owner, Some(frame.call))), states)
                });
            }
        }
        for frame in &live.frames {
            for index in frame.cells.ones() {
                let cell = CellId(index as u32);
                let known = live.cells.contains(index);
                let there = self
                    .local(cell)
                    .is_none_or(|one| self.is_there(frame.routine, one, frame.call));
                if there && (!known || self.automatic(cell).is_none()) {
                    seen.push(Seen::new(
                        cell,
                        Some((frame.routine, Some(frame.call))),
                        self.at_call(frame.routine, frame.call),
                    ));
                }
            }
        }
        self.add_memory(live, state, &mut seen);
        self.add_buffers(live, state, &mut seen);
        self.add_blocks(live, state, &mut seen);
        seen
    }

    /// What blocks on the way read when they run again, as if they read it after the checkpoint: a restart gives them
    /// what was there before `init`, or what was registered.
    fn add_blocks<'s>(&'s self, live: &CheckpointLive, state: &'s State, seen: &mut Vec<Seen<'s>>) {
        for read in self.block_reads.iter().filter(|read| !read.from_blocks) {
            let flow = &self.steps.routine(live.routine).flow;
            let before = read.routine != live.routine
                || flow.may_follow(read.block.span.start, live.place.span.start);
            if live.cells.contains(read.cell.0 as usize) || !before {
                continue;
            }
            let mut add = |frame, states| {
                seen.push(Seen {
                    read_by_block: Some(read),
                    ..Seen::new(read.cell, frame, states)
                });
            };
            match self.automatic(read.cell) {
                None => add(None, vec![state]),
                Some(owner) if owner == live.routine => add(Some((owner, None)), vec![state]),
                Some(owner) => {
                    for frame in live.frames.iter().filter(|frame| frame.routine == owner) {
                        let mut states = self.at_call(owner, frame.call);
                        states.push(state);
                        add(Some((owner, Some(frame.call))), states);
                    }
                }
            }
        }
    }

    /// Memory that live pointers point to has to be there, whatever is in it. What `setjmp` has filled in it need not be: it comes with
    /// what is beside it.
    fn add_memory<'s>(&self, live: &CheckpointLive, state: &'s State, seen: &mut Vec<Seen<'s>>) {
        let mut done: FxHashSet<ObjectId> = FxHashSet::default();
        // What one cell leads to need not be looked at for another one that leads to the same.
        let mut followed: FxHashSet<u32> = FxHashSet::default();
        let holders: Vec<CellId> = seen.iter().map(|one| one.cell).collect();
        for holder in holders {
            let number = self.points_to.pointees_number(holder);
            if followed.contains(&number) || self.handle_name(holder).is_some() {
                continue;
            }
            followed.insert(number);
            for target in self.points_to.pointees(holder) {
                let object = self.memory().cells[target.0 as usize].object;
                if !is_heap(self.memory(), target.0 as usize) || !done.insert(object) {
                    continue;
                }
                let jump_buffers = &self.liveness.jump_buffers;
                let is_in_one = |cell: &CellId| jump_buffers.contains(cell.0 as usize);
                let is_one = self.points_to.cells(object).all(|cell| is_in_one(&cell));
                for cell in self.points_to.cells(object) {
                    if !live.cells.contains(cell.0 as usize) && (is_one || !is_in_one(&cell)) {
                        seen.push(Seen {
                            only_memory: Some(holder),
                            ..Seen::new(cell, None, vec![state])
                        });
                    }
                }
            }
        }
    }

    /// The buffers of persistent requests that the library makes again, and the arrays of plans, have to be in memory that comes back,
    /// whatever is in them.
    fn add_buffers<'s>(
        &'s self,
        live: &CheckpointLive,
        state: &'s State,
        seen: &mut Vec<Seen<'s>>,
    ) {
        let effects = self.liveness.effects;
        let of_requests = (&effects.prepared, |cell| self.is_request_made_again(cell));
        let of_plans = (&effects.planned, |cell| self.is_made_last(cell));
        self.add_buffers_of(live, state, of_requests, seen);
        self.add_buffers_of(live, state, of_plans, seen);
    }

    fn add_buffers_of<'s>(
        &'s self,
        live: &CheckpointLive,
        state: &'s State,
        (buffers, is_holder): (&BTreeSet<ObjectId>, impl Fn(CellId) -> bool),
        seen: &mut Vec<Seen<'s>>,
    ) {
        if buffers.is_empty() {
            return;
        }
        let plain = seen.iter().filter(|one| one.is_plain());
        let Some(request) = { plain }.find(|one| is_holder(one.cell)) else {
            return;
        };
        let request = request.cell;
        let known: FxHashSet<CellId> = seen.iter().map(|one| one.cell).collect();
        let cells = buffers
            .iter()
            .flat_map(|object| self.points_to.cells(*object));
        for cell in cells.filter(|cell| !known.contains(cell)) {
            let mut add = |frame, states| {
                seen.push(Seen {
                    only_memory: Some(request),
                    ..Seen::new(cell, frame, states)
                });
            };
            match self.automatic(cell) {
                None => add(None, vec![state]),
                Some(owner) if owner == live.routine => add(Some((owner, None)), vec![state]),
                Some(owner) => {
                    for frame in live.frames.iter().filter(|frame| frame.routine == owner) {
                        let states = self.at_call(owner, frame.call);
                        add(Some((owner, Some(frame.call))), states);
                    }
                }
            }
        }
    }

    pub(super) fn at_call(&self, routine: RoutineId, call: TextPlace) -> Vec<&State> {
        let here = self.found.calls.get(&(routine, call.span));
        here.into_iter().flatten().collect()
    }

    /// Whether some function may end the register of a local.
    fn is_unregistered(&self, cell: CellId) -> bool {
        let name = self.variable(cell).map(|one| one.name.as_str());
        let units = self.program.units.iter();
        let mut all = units.flat_map(|unit| &unit.directives);
        all.any(|one| match &one.directive {
            Directive::Unregister { names } => {
                names.iter().any(|one| one.split('@').next() == name)
            }
            _ => false,
        })
    }

    /// The automatic local that a cell belongs to.
    pub(super) fn local(&self, cell: CellId) -> Option<VariableId> {
        match self.memory().objects[self.object(cell).0 as usize].kind {
            ObjectKind::Variable(variable) => self.automatic(cell).map(|_| variable),
            _ => None,
        }
    }
}
