//! Pointers to constants of shared libraries, and to their code, in a checkpoint and back.
//!
//! In: the addresses in pointers that lead to nothing else, and in the fixed heap. Out: a register of the library that says where each
//! lies in its library; on restart where that is now. Without the same build of the library a pointer leads nowhere, and a
//! fixed heap cannot come back. Not here: which memory of a library is meant (`memory`).

use std::collections::HashMap;

use crate::generation::Map;
use crate::memory::{Libraries, LibraryPlace, fixed};
use crate::restore::{Replay, Stop};

use super::Session;
use super::fixed::{Pointed, place_in_fixed_heap};
use super::library::Kept;

/// What the register is called.
const CONSTANTS: &str = "constants of libraries";
/// Begins a line about the value of pointers.
const POINTER: &str = "pointer";
/// Begins one about a byte of the fixed heap.
const FIXED: &str = "fixed";

fn line(what: &str, number: u64, place: &LibraryPlace) -> String {
    let LibraryPlace {
        library,
        build,
        offset,
    } = place;
    format!("{what} {number} {build} {offset} {library}\n")
}

/// What a line is about, and the place that it names.
fn parsed(line: &str) -> Option<(&str, u64, LibraryPlace)> {
    let mut words = line.splitn(5, ' ');
    let what = words.next()?;
    let mut number = || words.next()?.parse().ok();
    let (about, build, offset) = (number()?, number()?, number()?);
    let library = words.next()?.to_string();
    Some((
        what,
        about,
        LibraryPlace {
            library,
            build,
            offset,
        },
    ))
}

impl Session {
    /// Where the constants lie to which pointers of a checkpoint lead.
    pub(super) fn constants_of_libraries(&self, map: &Map, pointed: &Pointed) -> Option<Kept> {
        let constants = map.constants();
        let pointers = constants
            .iter()
            .map(|(address, place)| line(POINTER, *address, place));
        let in_heap = pointed.constants.iter();
        let in_heap = in_heap.map(|(byte, place)| line(FIXED, *byte, place));
        let text: String = pointers.chain(in_heap).collect();
        (!text.is_empty()).then(|| Kept::text(CONSTANTS.to_string(), 0, text.into_bytes()))
    }

    /// Finds out where they lie in this process.
    pub(super) fn find_constants(&self, replay: &mut Replay) -> Result<(), Stop> {
        let Some(text) = self.library_text(replay, CONSTANTS)? else {
            return Ok(());
        };
        let libraries = Libraries::loaded();
        let mut found: HashMap<u64, Option<usize>> = HashMap::new();
        let mut in_heap = Vec::new();
        for line in String::from_utf8_lossy(&text).lines() {
            let (what, number, place) = parsed(line)
                .ok_or_else(|| format!("`{CONSTANTS}` of the checkpoint says `{line}`"))?;
            let address = libraries.address(&self.program, &place);
            match (what, address) {
                (FIXED, Some(address)) => in_heap.push((number, address)),
                (FIXED, None) if fixed::is_on() => {
                    return Err(format!(
                        "the checkpoint has a fixed heap that points to constants of the library {}, which is not loaded now, or is \
                         another build; use the library of the run that wrote it, or start from the beginning, beside the old \
                         generations: --cccp-restart=fresh",
                        place.library
                    ));
                }
                (POINTER, address) => {
                    found.insert(number, address);
                }
                _ => {}
            }
        }
        replay.places.constants = found;
        replay.constants_in_fixed_heap = in_heap;
        Ok(())
    }

    /// Puts their addresses where the fixed heap points to them.
    pub(super) fn constants_again_in_fixed_heap(&self, replay: &Replay) -> Result<(), Stop> {
        for &(byte, address) in &replay.constants_in_fixed_heap {
            let place = place_in_fixed_heap(replay, byte).ok_or_else(|| {
                format!("`{CONSTANTS}` of the checkpoint names no place in the fixed heap")
            })?;
            self.program.set_pointer(place, address);
        }
        Ok(())
    }
}
