//! Items that a changed program has in addition: they get memory, all zeros, and are registered like the others.
//!
//! In: what a register directive hands over for an item that the checkpoint does not have. Out: a live register. It is
//! zero once more when the restart ends, whatever the blocks on the way did to it.

use crate::registry::{BEHIND, NodeId, RegisterId};
use crate::restore::{Replay, Stop};

use super::items::count;
use super::{Handed, Session};

/// A register that began with zeros during a restart.
#[derive(Clone, Copy, Debug)]
pub struct Zeroed {
    /// The register.
    live: RegisterId,
    /// What its pointer points to.
    base: usize,
    /// Its first element.
    start: usize,
    /// Bytes.
    length: usize,
}

impl Session {
    /// Gives a new item its memory, and registers it.
    pub(super) fn adopt(
        &mut self,
        replay: &mut Replay,
        node: NodeId,
        sequence: u64,
        handed: Handed,
    ) -> Result<(), Stop> {
        let function = self.trace.node(node).function.clone();
        let item = function.items.get(handed.item as usize);
        let (name, line, flags) = item.map_or(("", 0, 0), |one| (&one.name, one.line, one.flags));
        let whom = format!(
            "register `{name}` of {} ({}:{line}), which is new",
            function.name, function.file
        );
        if !handed.known {
            return Err(format!("{whom}: a restart does not know its extents"));
        }
        if handed.address < 4096 {
            return Err(format!(
                "{whom}: the pointer to it is NULL on restart; register that pointer first"
            ));
        }
        let size = self.types.get(handed.type_index).map_or(0, |one| one.size);
        let elements = handed.first.saturating_add(count(&handed.extents));
        let needed = elements.saturating_mul(size);
        if needed > isize::MAX as u64 {
            return Err(format!("{whom}: it does not fit into memory"));
        }
        let mut base = handed.address;
        if flags & BEHIND != 0 {
            let fits = |room: u64| room >= needed;
            base = self.program.pointer(handed.address);
            let usable = base != 0
                && base != self.program.poison()
                && self.program.room(base).is_none_or(fits);
            if !usable {
                let fresh = self.program.allocate(needed, 0);
                base = fresh.map_err(|error| format!("{whom}: {error}"))?;
                self.program.set_pointer(handed.address, base);
            }
        }
        let start = base + (handed.first * size) as usize;
        let length = (count(&handed.extents) * size) as usize;
        self.program.change(start, length, |memory| memory.fill(0));
        if let Some(live) = self.register(node, sequence, handed) {
            let latest = replay.section_of.values().copied().max().unwrap_or(0);
            self.registers.set_section(live, latest + 1);
            self.zeroed.push(Zeroed {
                live,
                base,
                start,
                length,
            });
        }
        Ok(())
    }

    /// The same values once more, at the end of the restart.
    pub(super) fn adopt_again(&mut self) {
        for one in std::mem::take(&mut self.zeroed) {
            let Some(register) = self.registers.get(one.live) else {
                continue;
            };
            if register.is_behind() && register.floating.is_none() {
                self.program.set_pointer(register.address, one.base);
            }
            self.program
                .change(one.start, one.length, |memory| memory.fill(0));
        }
    }
}
