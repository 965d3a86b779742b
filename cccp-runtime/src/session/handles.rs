//! Handles of libraries in memory that comes back: nothing is saved of them.
//!
//! In: an item or a block that is being filled. Out: what a block of the program has put there stays. Requests that no
//! block has made are no requests: at a checkpoint none is in flight. Locks are initialised: at a checkpoint
//! nobody holds one.

use std::collections::BTreeMap;

use crate::format::Type;
use crate::generation::Extent;
use crate::heap::Kinds;
use crate::memory::{holders, is_in_use, is_lock};
use crate::messages::{REQUEST_TYPE, no_request};
use crate::registry::RegisterId;

use super::Session;
use super::reach::{Numbered, brought};

impl Session {
    /// Says which lock somebody holds, of those that a checkpoint takes with it and whose bytes tell that: it would be free after a
    /// restart.
    pub(super) fn held_lock(
        &self,
        extents: &BTreeMap<RegisterId, Extent>,
        reached: Option<&Numbered>,
    ) -> Result<(), String> {
        let types = self.types.types();
        if types.iter().any(|one| is_lock(&one.name)) {
            let mut kinds = Kinds::new(types.to_vec());
            for register in self.registers.iter() {
                if let Some(extent) = extents.get(&register.id) {
                    let block = (extent.start, extent.elements as u64);
                    self.held_in(&mut kinds, extent.type_index, &[block])
                        .map_err(|found| {
                            format!("{}: {found}", register.described(&register.name))
                        })?;
                }
            }
        }
        let Some(reached) = reached else {
            return Ok(());
        };
        let mut kinds = Kinds::new(reached.reached.kinds.types.clone());
        if !kinds.types.iter().any(|one| is_lock(&one.name)) {
            return Ok(());
        }
        for register in self.registers.iter() {
            for (_, pool, reached) in reached.of(register.id) {
                self.held_in(&mut kinds, pool.type_index, &pool.blocks)
                    .map_err(|found| {
                        let name = brought(register, reached.kinds.name(pool.type_index));
                        format!("{}: {found}", register.described(&name))
                    })?;
            }
        }
        Ok(())
    }

    fn held_in(
        &self,
        kinds: &mut Kinds,
        type_index: u32,
        blocks: &[(usize, u64)],
    ) -> Result<(), String> {
        let size = kinds.size(type_index);
        for &(at, kind) in kinds.handles(type_index).iter() {
            let (length, name) = (kinds.size(kind), &kinds.types[kind as usize].name);
            // Where it is noted who holds a lock of OpenMP, a restart lets the same thread take it.
            if !is_lock(name) || holders::are_noted() && holders::is_noted_type(name) {
                continue;
            }
            for &(start, count) in blocks.iter().filter(|block| block.0 != 0) {
                for number in 0..count as usize {
                    let place = start + number * size + at;
                    if is_in_use(name, self.program.view(place, length)) {
                        return Err(format!(
                            "the `{name}` of its element {number} is held by a thread, waited for, or has attributes of its own; a \
                             restart initialises it anew, free and without attributes. Give it back before the checkpoint; if it \
                             has attributes, register what is beside it only, and initialise it on restart"
                        ));
                    }
                }
            }
        }
        Ok(())
    }

    /// Lets all requests of an item be none and its locks free, before blocks that come later make some again.
    pub(super) fn begin_handles(&mut self, type_index: u32, start: usize, elements: u64) {
        let types = self.types.types();
        let begins = |one: &Type| one.name == REQUEST_TYPE || is_lock(&one.name);
        if !types.iter().any(begins) {
            return;
        }
        let mut kinds = Kinds::new(types.to_vec());
        let size = kinds.size(type_index);
        for &(at, kind) in kinds.handles(type_index).iter() {
            let places = (0..elements as usize).map(|element| start + element * size + at);
            let name = &kinds.types[kind as usize].name;
            match no_request().filter(|_| name == REQUEST_TYPE) {
                Some(none) if kinds.size(kind) == none.len() => {
                    places.for_each(|place| self.program.write(place, none));
                }
                Some(_) => {}
                None => self.program.begin_locks(name, places),
            }
        }
    }

    /// Writes the values of `bytes` to a block at `place`, and leaves handles that are there.
    pub(super) fn write_around_handles(
        &self,
        kinds: &mut Kinds,
        type_index: u32,
        place: usize,
        bytes: &[u8],
    ) {
        let handles = kinds.handles(type_index);
        if handles.is_empty() {
            return self.program.write(place, bytes);
        }
        let mut bytes = bytes.to_vec();
        let size = kinds.size(type_index).max(1);
        for element in 0..bytes.len() / size {
            for &(at, kind) in handles.iter() {
                let at = element * size + at;
                let length = kinds.size(kind);
                let mut made = self.program.read(place + at, length);
                // New memory is zero, which is no request either.
                if kinds.types[kind as usize].name == REQUEST_TYPE
                    && made.iter().all(|byte| *byte == 0)
                    && let Some(none) = no_request().filter(|none| none.len() == length)
                {
                    made = none.to_vec();
                }
                bytes[at..at + length].copy_from_slice(&made);
            }
        }
        self.program.write(place, &bytes);
        let elements = bytes.len() / size;
        for &(at, kind) in handles.iter() {
            let places = (0..elements).map(|element| place + element * size + at);
            let name = &kinds.types[kind as usize].name;
            self.program.begin_locks(name, places);
        }
    }
}
