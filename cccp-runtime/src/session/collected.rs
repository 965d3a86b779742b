//! What collecting a checkpoint is asked, and what it gives, as plain data. How: `collect`.

use std::collections::BTreeMap;
use std::os::fd::OwnedFd;

use crate::format::{Checkpoint, FormatError};
use crate::generation::Extent;
use crate::registry::{NodeId, RegisterId};
use crate::restore::{Need, Obstacle};

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
    /// Values of the trace that point to variables with registers, and that a restart uses.
    pub needs: Vec<Need>,
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

/// Below so many bytes new memory costs little.
const LARGE: usize = 1 << 16;

/// Where the encoded values go.
#[derive(Debug)]
pub enum Copying {
    /// Into these buffers, as far as there are enough; the program may go on then.
    Into(Vec<Vec<u8>>),
    /// Nowhere yet, except for those that hold pointers: `values_in_turn` encodes them when their turn comes.
    Later,
}

impl Copying {
    /// The memory of the next value, which has so many bytes: what the value in its place had at the last checkpoint; where that is too
    /// short, another one that is as long, or the longest.
    pub fn buffer(&mut self, length: usize) -> Vec<u8> {
        let Copying::Into(buffers) = self else {
            return Vec::new();
        };
        let own = buffers.pop().unwrap_or_default();
        if length < LARGE || own.capacity() >= length {
            return own;
        }
        let fit = |buffer: &Vec<u8>| {
            let room = buffer.capacity();
            match room >= length {
                true => (0, room),
                false => (1, usize::MAX - room),
            }
        };
        let others = buffers.iter().enumerate();
        let found = others.min_by_key(|(_, buffer)| fit(buffer));
        match found
            .filter(|(_, buffer)| fit(buffer) < fit(&own))
            .map(|(at, _)| at)
        {
            Some(at) => std::mem::replace(&mut buffers[at], own),
            None => own,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Copying;

    #[test]
    fn a_value_gets_the_memory_that_it_had_or_such_as_is_long_enough() {
        let rooms = [100usize, 1 << 20, 1 << 17, 40];
        let buffers = || {
            let rooms = rooms.iter().rev();
            Copying::Into(rooms.map(|room| Vec::with_capacity(*room)).collect())
        };
        let mut copying = buffers();
        let taken =
            [50, 1 << 17, 1 << 18, 1 << 22, 7].map(|length| copying.buffer(length).capacity());
        assert_eq!(taken, [100, 1 << 20, 1 << 17, 40, 0]);
        copying = buffers();
        let taken = [1 << 16, 1 << 21, 1, 1].map(|length| copying.buffer(length).capacity());
        assert_eq!(taken, [1 << 17, 1 << 20, 100, 40]);
        assert_eq!(Copying::Later.buffer(10).capacity(), 0);
    }
}
