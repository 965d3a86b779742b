//! The values at the end of a run, to be compared with those of another run: the setting `final`.
//!
//! In: the registers at `shutdown`. Out: a file in the format of a checkpoint, in a directory of generations of its own. No
//! restart is made from it, so it holds nothing of the way there. What was registered in a loop is left out: a variable of
//! its body is no longer there.

use crate::format::{self, Trace};
use crate::memory::without_writing_signals;
use crate::store::Directory;

use super::Session;
use super::collect::collect;
use super::collected::{Copying, Refusal};

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
        let collected = collect(self, &[], generation, Copying::Into(Vec::new()));
        let mut checkpoint = match collected {
            Ok(collected) => collected.checkpoint,
            Err(Refusal::Heap(reason)) => return Err(reason),
            Err(Refusal::Format(error)) => return Err(error.to_string()),
            Err(Refusal::Obstacle(obstacle)) => return Err(format!("{obstacle:?}")),
        };
        checkpoint.trace = Trace::default();
        for section in &mut checkpoint.sections {
            section.registers.retain(|one| !self.is_of_a_loop(one.id));
        }
        let directory = Directory::new(self.directory.store(), path);
        let rank = self.group.rank();
        let written = without_writing_signals(|| {
            directory.publish(generation, rank, &mut |_| {}, |out| {
                format::write(&checkpoint, 0, out)
            })
        });
        written.map(drop).map_err(|error| error.to_string())
    }

    fn is_of_a_loop(&self, id: u64) -> bool {
        let block = || {
            let register = self.registers.get(id)?;
            let node = self.trace.node(register.node);
            let execution = node.executions.get(&register.sequence)?;
            register.function.block(execution.block)
        };
        block().is_some_and(|block| block.in_loop != 0)
    }
}
