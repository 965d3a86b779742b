//! The values at the end of a run, to be compared with those of another run: the setting `final`.
//!
//! In: the registers at `shutdown`. Out: a file in the format of a checkpoint, in a directory of generations of its own. No
//! restart is made from it, so it holds nothing of the way there. Only what lies at its own place and is no pointer is in it: the
//! program may have freed its memory and closed its files by then. So of what was registered by its address only variables of the
//! program, what lies on the stack of `shutdown` and its callers, and blocks that the library has seen allocated and not freed are
//! read. What was registered in a loop is left out, too: a variable of its body is no longer there.

use crate::format::{self, Trace};
use crate::memory::{blocks, without_writing_signals};
use crate::registry::{BEHIND, FOLLOW, INDIRECT, Register, WHOLE};
use crate::store::{Directory, Mappings};

use super::Session;
use super::collect::collect;
use super::collected::{Copying, Refusal};
use super::in_turn::holds_pointers;

impl Session {
    /// Writes them where the setting says.
    pub fn write_final(&mut self) {
        let Some(path) = self.settings.last.clone() else {
            return;
        };
        if let Err(reason) = self.final_values(&path) {
            self.say(format!(
                "warning: the final values cannot be written to {}: {reason}",
                path.display()
            ));
        }
    }

    fn final_values(&self, path: &std::path::Path) -> Result<(), String> {
        let generation = self.latest_generation + 1;
        let copying = Copying::Into(Vec::new());
        let there = There::now();
        let collected = collect(self, &[], generation, copying, &|one| {
            self.is_still_there(one, &there)
        });
        let mut checkpoint = match collected {
            Ok(collected) => collected.checkpoint,
            Err(Refusal::Heap(reason)) => return Err(reason),
            Err(Refusal::Format(error)) => return Err(error.to_string()),
            Err(Refusal::Obstacle(obstacle)) => return Err(format!("{obstacle:?}")),
        };
        checkpoint.trace = Trace::default();
        let directory = Directory::new(self.directory.store(), path);
        let rank = self.group.rank();
        let written = without_writing_signals(|| {
            directory.publish(generation, rank, &mut |_| {}, |out| {
                format::write(&checkpoint, 0, out)
            })
        });
        written.map(drop).map_err(|error| error.to_string())
    }

    /// Whether a register has its value whatever the program has given back.
    fn is_still_there(&self, register: &Register, there: &There) -> bool {
        let is_elsewhere = register.flags & (BEHIND | INDIRECT | WHOLE | FOLLOW) != 0;
        !is_elsewhere
            && !holds_pointers(self.types.types(), register.type_index)
            && !self.is_of_a_loop(register)
            && self.extent(register).is_some_and(|extent| {
                let last = extent.start + (extent.size * extent.elements).saturating_sub(1);
                let is_own = |address| self.program.image_offset(address).is_some();
                is_own(extent.start) && is_own(last) || there.holds(extent.start, last)
            })
    }

    fn is_of_a_loop(&self, register: &Register) -> bool {
        let block = || {
            let node = self.trace.node(register.node);
            let execution = node.executions.get(&register.sequence)?;
            register.function.block(execution.block)
        };
        block().is_some_and(|block| block.in_loop != 0)
    }
}

/// Memory that the program has at the end, beside its variables.
struct There {
    mapped: Mappings,
    /// An address on the stack, which grows towards lower ones: behind it are the callers.
    here: usize,
    /// Where blocks begin, and how long they are.
    blocks: Vec<(usize, usize)>,
}

impl There {
    fn now() -> There {
        let here = 0u8;
        There {
            mapped: Mappings::now().unwrap_or_default(),
            here: &raw const here as usize,
            blocks: blocks::all(),
        }
    }

    /// Whether all from one address to another one is on the stack, or in a block.
    fn holds(&self, first: usize, last: usize) -> bool {
        let is_on_stack =
            self.here <= first && self.mapped.are_together(self.here as u64, last as u64);
        let before = self
            .blocks
            .partition_point(|one| one.0 <= first)
            .checked_sub(1);
        let block = before.map(|before| self.blocks[before]);
        is_on_stack || block.is_some_and(|(start, length)| last - start < length)
    }
}
