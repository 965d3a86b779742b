//! Dormant entries that a restart has gone past; each has a place reserved in the live trace.

use crate::registry::{NodeId, Trace};

/// Dormant entries that have been passed.
#[derive(Debug, Default)]
pub struct Asleep {
    /// In the order in which control went past them.
    pub passed: Vec<Passed>,
}

/// One of them.
#[derive(Clone, Copy, Debug)]
pub struct Passed {
    /// The activation.
    pub live: NodeId,
    /// The place in the live trace.
    pub sequence: u64,
    /// The activation's node in the checkpoint.
    pub node: usize,
    /// The index of the entry there.
    pub entry: usize,
}

impl Asleep {
    /// Control goes past these entries of an activation.
    pub fn pass(&mut self, trace: &mut Trace, live: NodeId, passed: &(usize, Vec<usize>)) {
        for &entry in &passed.1 {
            self.passed.push(Passed {
                live,
                sequence: trace.reserve(),
                node: passed.0,
                entry,
            });
        }
    }
}
