//! Handles of libraries in memory that comes back: nothing is saved of them.
//!
//! In: an item or a block that is being filled. Out: what a block of the program has put there stays. Requests that no
//! block has made are no requests: at a checkpoint none is in flight.

use crate::format::Kind;
use crate::heap::Kinds;
use crate::messages::{REQUEST_TYPE, no_request};

use super::Session;

impl Session {
    /// Lets all requests of an item be none, before blocks that come later make some again.
    pub(super) fn begin_requests(&mut self, type_index: u32, start: usize, elements: u64) {
        let types = self.types.types();
        let is_request =
            |one: &crate::format::Type| one.kind == Kind::Handle && one.name == REQUEST_TYPE;
        let Some(none) = no_request().filter(|_| types.iter().any(is_request)) else {
            return;
        };
        let mut kinds = Kinds::new(types.to_vec());
        let size = kinds.size(type_index);
        for &(at, kind) in kinds.handles(type_index).iter() {
            if is_request(&kinds.types[kind as usize]) && kinds.size(kind) == none.len() {
                for element in 0..elements as usize {
                    self.program.write(start + element * size + at, none);
                }
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
    }
}
