//! What collecting a checkpoint is asked, and what it gives, as plain data. How: `collect`.

use std::collections::BTreeMap;
use std::os::fd::OwnedFd;

use crate::format::{Checkpoint, FormatError};
use crate::generation::Extent;
use crate::registry::{NodeId, RegisterId};
use crate::restore::Obstacle;

/// Why there is no checkpoint.
#[derive(Debug)]
pub enum Refusal {
    /// Memory that nobody can save.
    Heap(String),
    /// Values that cannot be encoded.
    Format(FormatError),
    /// A restart could not come back.
    Obstacle(Obstacle),
}

impl From<FormatError> for Refusal {
    fn from(error: FormatError) -> Refusal {
        Refusal::Format(error)
    }
}

/// Where an activation on the stack stands.
#[derive(Clone, Debug)]
pub struct Place {
    /// The activation.
    pub node: NodeId,
    /// A call in progress, or the checkpoint.
    pub block: u32,
    /// Its loop counters.
    pub counters: Vec<u64>,
}

/// What a pointer that leads nowhere means for a restart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Loss {
    /// Nobody looks at it.
    None,
    /// It becomes poison.
    Poison,
    /// The restart has to stop.
    Stop,
}

/// A pointer that a restart could not follow.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lost {
    /// What holds it, for people: "register `p` of solve (heat.c:12)".
    pub holder: String,
    /// What it means.
    pub loss: Loss,
    /// It lies before something that is saved: what, and what helps.
    pub ahead: Option<String>,
}

/// What [`collect`] gives.
#[derive(Debug)]
pub struct Collected {
    /// Everything to write.
    pub checkpoint: Checkpoint,
    /// Pointers that lead nowhere.
    pub lost: Vec<Lost>,
    /// Registers whose memory is gone.
    pub gone: Vec<RegisterId>,
    /// Where the registers' elements are.
    pub extents: BTreeMap<RegisterId, Extent>,
    /// How many states of generators of random numbers there are.
    pub generators: usize,
    /// Files that the program writes.
    pub written: Vec<OwnedFd>,
    /// What the user should know about files that cannot come back, and about memory that is left out.
    pub warnings: Vec<String>,
}

/// Where the encoded values go.
#[derive(Debug)]
pub enum Copying {
    /// Into these buffers, as far as there are enough; the program may go on then.
    Into(Vec<Vec<u8>>),
    /// Nowhere yet, except for those that hold pointers: `values_in_turn` encodes them when their turn comes.
    Later,
}
