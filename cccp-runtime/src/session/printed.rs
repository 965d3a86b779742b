//! Standard output that is a file of the shell: see `store/printed`.

use crate::format::PRINTED;
use crate::memory::{standard_output, without_writing_signals};
use crate::store::{Again, PrintedExtent};

use super::Session;
use super::library::Kept;

impl Session {
    /// How much the program has printed, for a checkpoint.
    pub(super) fn printed_so_far(&self) -> Option<Kept> {
        let now = self.printed_now?;
        let numbers = [now.which.0, now.which.1, now.length];
        Some(Kept::numbers(PRINTED, &numbers))
    }

    /// A restart: the file has again what had been printed up to the checkpoint.
    pub(super) fn print_again(&mut self, generation: u64, [device, number, length]: [u64; 3]) {
        let then = PrintedExtent {
            which: (device, number),
            length,
        };
        let came = without_writing_signals(|| self.printed.bring_back(standard_output(), then));
        match came {
            Again::Kept => {}
            Again::Back(bytes) => self.say(format!(
                "the file of standard output was emptied when this run was started: what had been printed up to generation \
                 {generation} is in it again, {bytes} bytes"
            )),
            Again::Lost(bytes) => self.say(format!(
                "warning: the file of standard output was emptied when this run was started: {bytes} bytes that had been printed \
                 up to generation {generation} are lost; start it with `>> file` instead of `> file`"
            )),
        }
    }
}
