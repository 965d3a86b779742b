//! Persistent requests of MPI: their buffers are saved as what lies there, and they are made again when a restart has put
//! everything into its place.
//!
//! In: lines about requests, in which MPI says where a buffer is. Out: the same with a place that another process finds; on
//! restart requests where the old ones were. Not here: what else a request was made with (`cccp-mpi`), where requests lie
//! (`held`).

use std::collections::BTreeSet;

use crate::format::{Kind, PointerValue};
use crate::generation::Map;
use crate::messages::REQUEST_TYPE;
use crate::restore::{Held, Prepared, Replay, Stop};

use super::Session;

/// Begins a line about a request.
const REQUEST: &str = "request ";
/// The word of the line that says where its buffer is.
const BUFFER: usize = 3;

/// Whether a line is about a persistent request.
pub(super) fn is_prepared(line: &str) -> bool {
    line.starts_with(REQUEST)
}

/// Whether a word stands for a request that is made last, and not for the null handle.
pub(super) fn is_made_last(kind: &str, word: &str) -> bool {
    kind == REQUEST_TYPE
        && word
            .strip_prefix('r')
            .is_some_and(|rest| rest.parse::<u64>().is_ok())
}

/// A line with another word in the place of its buffer.
fn with_buffer(line: &str, buffer: &str) -> String {
    let words = line.split(' ').enumerate();
    let words = words.map(|(at, word)| if at == BUFFER { buffer } else { word });
    words.collect::<Vec<_>>().join(" ")
}

/// Lines in which buffers are places that another process finds.
pub(super) fn with_places(lines: &str, map: &Map) -> Result<String, String> {
    let mut out = String::new();
    for line in lines.lines() {
        match is_prepared(line) {
            true => out += &with_buffer(line, &place(line, map)?),
            false => out += line,
        }
        out.push('\n');
    }
    Ok(out)
}

fn place(line: &str, map: &Map) -> Result<String, String> {
    let words: Vec<&str> = line.split(' ').collect();
    let word = |at: usize| words.get(at).copied().unwrap_or_default();
    // Nothing is sent, and nobody is at the other end.
    let is_idle = word(BUFFER + 1) == "0" || word(BUFFER + 2) == "none";
    match saved_place(word(BUFFER), map) {
        Some(place) => Ok(place),
        None if is_idle => Ok("null".to_string()),
        None => Err(format!(
            "the buffer of a persistent request ({}, other rank: {}) is not in memory that is saved: register it",
            word(BUFFER - 1),
            word(BUFFER + 2)
        )),
    }
}

/// A place that another process finds; none for an address in memory that is not saved.
pub(super) fn saved_place(address: &str, map: &Map) -> Option<String> {
    match map.resolve(address.parse().ok()?, Kind::Pointer) {
        PointerValue::Register {
            id,
            element,
            leaf,
            byte,
        } => Some(format!("{id}:{element}:{leaf}:{byte}")),
        PointerValue::Image { offset } => Some(format!("image:{offset}")),
        _ => None,
    }
}

/// What lies at such a place.
pub(super) fn meant(place: &str) -> Option<PointerValue> {
    if place == "null" {
        return Some(PointerValue::Null);
    }
    if let Some(offset) = place.strip_prefix("image:") {
        let offset = offset.parse().ok()?;
        return Some(PointerValue::Image { offset });
    }
    let numbers: Option<Vec<u64>> = place.split(':').map(|one| one.parse().ok()).collect();
    let [id, element, leaf, byte] = numbers?[..] else {
        return None;
    };
    Some(PointerValue::Register {
        id,
        element,
        leaf,
        byte,
    })
}

impl Session {
    /// Makes persistent requests again, and puts them where they were. Everything else is in its place.
    pub(super) fn requests_again(&mut self, replay: &mut Replay) -> Result<(), Stop> {
        let Prepared {
            lines,
            held,
            held_in_fixed_heap,
        } = std::mem::take(&mut replay.prepared);
        for line in &lines {
            let failed = |reason: String| {
                format!("a persistent request of MPI cannot be made again: {reason}")
            };
            let place = line.split(' ').nth(BUFFER).and_then(meant);
            let place =
                place.ok_or_else(|| failed(format!("its line is not understood: {line}")))?;
            let mut placer = self.placer(
                &mut replay.places,
                &replay.registers,
                &replay.file.checkpoint,
                replay.same_build,
                true,
            );
            let address = placer.place(place).map_err(failed)?;
            let line = with_buffer(line, &address.to_string());
            let made = self.group.make_request(&line);
            made.map_err(|error| failed(error.to_string()))?;
        }
        let mut changed = BTreeSet::new();
        for (id, one, word) in held {
            let bytes = self.group.handle_of(REQUEST_TYPE, &word);
            let all = replay.held.entry(id).or_default();
            all.push(Held { bytes, ..one });
            all.sort_by_key(|one| one.element);
            changed.insert(id);
        }
        for id in changed {
            self.put_again(replay, id);
        }
        for (byte, word) in held_in_fixed_heap {
            let made = self.group.handle_of(REQUEST_TYPE, &word);
            replay
                .held_in_fixed_heap
                .extend(made.map(|made| (byte, made)));
        }
        self.handles_again_in_fixed_heap(replay)
    }

    /// Puts all handles of a register, or of blocks that an item brought, where they were.
    pub(super) fn put_again(&self, replay: &Replay, id: u64) {
        if let Some(pool) = replay.places.heap.pool(id) {
            let one = &replay.places.heap.pools[pool];
            for block in 0..one.count() {
                if let Some(place) = replay.places.heap.placed(pool, block) {
                    self.put_handles_at(replay, id, one.type_index, place, one.range(block));
                }
            }
        } else if let Some(live) = replay.bound.get(&id)
            && let Some(register) = self.registers.get(*live)
            && let Some(&start) = replay.places.objects.get(&id)
            && let Some(saved) = replay.registers.get(&id)
        {
            let range = (0, saved.elements as usize);
            self.put_handles_at(replay, id, register.type_index, start, range);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_is_a_place_in_its_line() {
        let line = "request 3 MPI_Send_init 94000 4 none any MPI_COMM_WORLD named MPI_DOUBLE";
        assert!(is_prepared(line) && !is_prepared("group 3 0 1"));
        let other = with_buffer(line, "7:0:2:8");
        assert_eq!(
            other,
            "request 3 MPI_Send_init 7:0:2:8 4 none any MPI_COMM_WORLD named MPI_DOUBLE"
        );
        let place = other.split(' ').nth(BUFFER).and_then(meant);
        let expected = PointerValue::Register {
            id: 7,
            element: 0,
            leaf: 2,
            byte: 8,
        };
        assert_eq!(place, Some(expected));
        assert_eq!(meant("image:16"), Some(PointerValue::Image { offset: 16 }));
        assert_eq!(meant("null"), Some(PointerValue::Null));
        assert_eq!(meant("7:0:2"), None);
    }

    #[test]
    fn the_null_handle_is_not_made_again() {
        assert!(is_made_last(REQUEST_TYPE, "r3"));
        assert!(!is_made_last(REQUEST_TYPE, "MPI_REQUEST_NULL"));
        assert!(!is_made_last("MPI_Comm", "r3"));
    }
}
