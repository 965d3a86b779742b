//! What is live at a checkpoint, and why.

use std::collections::HashMap;

use crate::analysis::effects::Effects;
use crate::analysis::memory::{CellId, CellSet};
use crate::analysis::points_to::PointsTo;
use crate::dataflow::steps::{RoutineId, Steps, TextPlace};
use crate::program::{DirectiveId, Program};
use crate::source::Span;

/// What is live at every checkpoint.
#[derive(Debug)]
pub struct Liveness<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its steps.
    pub steps: &'a Steps,
    /// Its memory, and what pointers point to.
    pub points_to: &'a PointsTo,
    /// What its functions do.
    pub effects: &'a Effects,
    /// The cells of what `setjmp` fills, if anybody calls it.
    pub jump_buffers: CellSet,
    /// In the order of units and text.
    pub(super) checkpoints: Vec<CheckpointLive>,
    /// The points right after the calls of every function.
    pub(super) callers: HashMap<RoutineId, Vec<Behind>>,
}

/// The point right after a call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Behind {
    /// The function in which the call stands.
    pub routine: RoutineId,
    /// The node there.
    pub node: usize,
    /// How many of its actions are over.
    pub after: usize,
    /// The call.
    pub span: Span,
}

/// What is live right after a checkpoint directive.
#[derive(Clone, Debug)]
pub struct CheckpointLive {
    /// Index of the unit.
    pub unit: usize,
    /// The directive there.
    pub directive: DirectiveId,
    /// The function in which it stands.
    pub routine: RoutineId,
    /// The directive's text.
    pub place: TextPlace,
    /// All that is live: globals, statics, the heap, locals of the checkpoint's own frame, and of frames on the way as
    /// far as others can reach them.
    pub cells: CellSet,
    /// Calls that may be under way at the checkpoint.
    pub frames: Vec<FrameLive>,
    /// All that may be read later, whether it exists at the checkpoint or not.
    pub read_later: CellSet,
    /// Cells of the heap that may exist at the checkpoint.
    pub exists: CellSet,
    /// What may have been stored to before control comes to the checkpoint. What is not, has the value of its
    /// initialiser (static storage) or none.
    pub written_before: CellSet,
}

impl CheckpointLive {
    /// All that is live, in every frame; what is so in several comes several times.
    pub fn everywhere(&self) -> impl Iterator<Item = CellId> + '_ {
        let frames = self.frames.iter().flat_map(|frame| frame.cells.ones());
        let all = self.cells.ones().chain(frames);
        all.map(|index| CellId(index as u32))
    }
}

/// A frame below that of the checkpoint.
#[derive(Clone, Debug)]
pub struct FrameLive {
    /// Its function.
    pub routine: RoutineId,
    /// The call in it that may lead to the checkpoint.
    pub call: TextPlace,
    /// Its locals that are live.
    pub cells: CellSet,
}

/// Why a cell is live: the nearest read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The read.
    pub read: TextPlace,
    /// The function in which it is.
    pub routine: RoutineId,
    /// Calls and returns on the way from the checkpoint to it, in this order.
    pub through: Vec<TextPlace>,
}

/// Why a cell is dead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dead {
    /// It is overwritten before anybody reads it: the nearest of these writes.
    Overwritten {
        /// The write.
        write: TextPlace,
        /// The function in which it is.
        routine: RoutineId,
    },
    /// Nobody reads it any more.
    NeverRead,
    /// It does not exist yet, or not any more.
    NotThere,
    /// It exists, but nothing was ever stored to it.
    NeverWritten,
}

/// What forced a conservative choice, and what would lift it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Conservative {
    /// One sentence without a full stop.
    pub reason: String,
    /// What would lift it; empty when nothing does.
    pub lift: String,
    /// Where, if it is at one place.
    pub place: Option<TextPlace>,
}

impl Liveness<'_> {
    /// One per checkpoint directive, in the order of units and text.
    pub fn checkpoints(&self) -> &[CheckpointLive] {
        &self.checkpoints
    }
}
