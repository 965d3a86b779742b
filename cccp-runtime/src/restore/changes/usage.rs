//! How the trace of a checkpoint uses a function: which of its blocks are on the way, and where it stands.

use std::collections::{BTreeMap, BTreeSet};

use crate::format::{Checkpoint, Payload};

/// How the trace uses a function.
#[derive(Debug, Default)]
pub(super) struct Usage {
    /// Blocks that were executed and are kept.
    pub(super) blocks: BTreeSet<u32>,
    /// Blocks in progress: calls, the checkpoint.
    pub(super) active: BTreeSet<u32>,
    /// An activation had returned.
    pub(super) returned: bool,
    /// Registers by item.
    pub(super) registers: BTreeMap<u32, Vec<u64>>,
}

impl Usage {
    /// Of the function with this index.
    pub(super) fn of(checkpoint: &Checkpoint, function: u32) -> Usage {
        let mut usage = Usage::default();
        let nodes = checkpoint.trace.nodes.iter();
        for node in nodes.filter(|node| node.function == function) {
            let active = node
                .active
                .and_then(|active| node.entries.get(active as usize));
            match active {
                Some(entry) => {
                    usage.active.insert(entry.block);
                }
                None => usage.returned |= !node.is_residence(),
            }
            for entry in &node.entries {
                usage.blocks.insert(entry.block);
                if let Payload::Register(links) = &entry.payload {
                    for link in links {
                        let ids = usage.registers.entry(link.item).or_default();
                        ids.extend(link.register);
                    }
                }
            }
        }
        usage
    }
}
