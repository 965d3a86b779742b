//! Communicators, groups, datatypes, operations and persistent requests of MPI, and objects of other libraries, in memory that comes
//! back, in programs whose calls are noted.
//!
//! In: registers, and blocks that items bring. Out: a register of the library with words for each handle in them, and lines from
//! which it can be made again; on restart the new handles where the old ones were, each time a register gets its values. A
//! handle that a block of the program makes has no words, and stays what the block has put there; where nobody has put anything
//! it is the null handle. Not here: what MPI knows of handles (`cccp-mpi`, behind `comm`), what other
//! libraries make (`libraries`).

use std::collections::{BTreeMap, BTreeSet};

use crate::comm::{comes_back, notes_handles, null_handle, some_come_back};
use crate::format::types::{LeafIn, leaf_at, leaf_in, offset_of};
use crate::format::{HANDLES, Register};
use crate::generation::{Extent, Map, only_name};
use crate::heap::Kinds;
use crate::libraries;
use crate::registry::RegisterId;
use crate::restore::{Held, Obstacle, Replay, Stop};
use crate::store::Refused;

use super::Session;
use super::collected::Refusal;
use super::fixed::Pointed;
use super::library::Kept;
use super::prepared::{is_made_last, is_prepared, with_places};
use super::reach::Numbered;
use super::remade::FoundObjects;

/// The word for a handle of which all bytes are zero.
const ZERO: &str = "0";
/// Begins a line about where a handle is.
pub(super) const HELD: &str = "held";
/// Begins one about where one is in the fixed heap.
pub(super) const FIXED: &str = "fixed";
/// Begins one about a handle in an argument of a call.
const GIVEN: &str = "given";

/// An argument of a call on the way: the node of the trace, the parameter, its type, its bytes.
pub(super) type Given<'a> = (usize, usize, u32, &'a [u8]);

/// What is found of handles.
#[derive(Default)]
struct Found {
    lines: String,
    words: BTreeSet<String>,
    objects: FoundObjects,
}

impl Session {
    /// What handles of MPI in registers stand for, and objects of other libraries, with the types of those that are not known; nothing in
    /// programs whose calls are not noted.
    pub(super) fn handles_and_objects(
        &self,
        extents: &BTreeMap<RegisterId, Extent>,
        reached: Option<&Numbered>,
        given: &[Given],
        (pointed, map): (&Pointed, &Map),
        inputs: &BTreeMap<usize, Refused>,
    ) -> Result<(Vec<Kept>, BTreeSet<String>), Refusal> {
        if !some_come_back() && !libraries::are_noted() {
            return Ok(Default::default());
        }
        let mut found = Found::default();
        let mut kinds = Kinds::new(self.types.types().to_vec());
        for (id, extent) in extents {
            let blocks = [(extent.start, extent.elements as u64)];
            self.handles_in(&mut kinds, (*id, extent.type_index), &blocks, &mut found);
        }
        for &(node, parameter, type_index, bytes) in given {
            for &(at, kind) in kinds.handles(type_index).iter() {
                if let Some(value) = bytes.get(at..at + kinds.size(kind)) {
                    let leaf = leaf_at(&kinds.types, type_index, at as u64).0;
                    let place = format!("{GIVEN} {node} {parameter} {leaf}");
                    self.handle_here(&kinds.types[kind as usize].name, value, place, &mut found);
                }
            }
        }
        if let Some(reached) = reached {
            let mut kinds = Kinds::new(reached.reached.kinds.types.clone());
            for (id, pool) in reached.all() {
                self.handles_in(&mut kinds, (id, pool.type_index), &pool.blocks, &mut found);
            }
        }
        for (byte, word) in &pointed.objects {
            found.objects.add_in_fixed_heap(*byte, word);
        }
        for (byte, kind, word) in &pointed.handles {
            found.lines += &format!("{FIXED} {byte} {kind} {word}\n");
            found.words.insert(word.clone());
        }
        let mut kept: Vec<Kept> = found.objects.kept(map, inputs)?.into_iter().collect();
        let unseen = std::mem::take(&mut found.objects.unseen);
        if !some_come_back() {
            return Ok((kept, unseen));
        }
        let name = |address: usize| only_name(&self.names, address).cloned();
        let refused = |reason: String| {
            let reason = format!("the handles of MPI cannot be restored: {reason}");
            Refusal::Obstacle(Obstacle::Everywhere(reason))
        };
        let lines = match notes_handles() {
            true => self.group.handles(&found.words, &name),
            false => Ok(String::new()),
        };
        let lines = lines.map_err(|error| refused(error.to_string()))?;
        let lines = with_places(&lines, map).map_err(refused)?;
        let text = (lines + &found.lines).into_bytes();
        kept.push(Kept::text(HANDLES.to_string(), 0, text));
        Ok((kept, unseen))
    }

    fn handles_in(
        &self,
        kinds: &mut Kinds,
        (id, type_index): (u64, u32),
        blocks: &[(usize, u64)],
        found: &mut Found,
    ) {
        let size = kinds.size(type_index);
        let all = kinds.handles(type_index);
        // Most items hold none, and may have very many elements.
        if all.is_empty() {
            return;
        }
        for (start, count, first) in numbered(blocks) {
            for number in 0..count {
                let element = first + number;
                for &(at, kind) in all.iter() {
                    let place = start + number as usize * size + at;
                    let bytes = self.program.read(place, kinds.size(kind));
                    let leaf = leaf_at(&kinds.types, type_index, at as u64).0;
                    let place = format!("{HELD} {id} {element} {leaf}");
                    self.handle_here(&kinds.types[kind as usize].name, &bytes, place, found);
                }
            }
        }
    }

    /// Adds the line for one handle, if it is one that comes back.
    fn handle_here(&self, kind: &str, bytes: &[u8], place: String, found: &mut Found) {
        // One in an argument of a call has a register of its own.
        if libraries::is_object(kind) && place.starts_with(HELD) {
            return found.objects.add(kind, bytes, &place);
        }
        if !comes_back(kind) {
            return;
        }
        let word = match bytes.iter().all(|byte| *byte == 0) {
            true => Some(ZERO.to_string()),
            false => self.group.handle(kind, bytes),
        };
        if let Some(word) = word {
            found.lines += &format!("{place} {kind} {word}\n");
            found.words.insert(word);
        }
    }

    /// Makes the handles of the checkpoint again. All ranks call it.
    pub(super) fn handles_again(&mut self, replay: Option<&mut Replay>) -> Result<(), Stop> {
        if !some_come_back() {
            return Ok(());
        }
        let Some(replay) = replay else { return Ok(()) };
        let text = self.library_text(replay, HANDLES)?.unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let is_place = |line: &&str| [HELD, GIVEN, FIXED].iter().any(|one| line.starts_with(one));
        let (held, made): (Vec<&str>, Vec<&str>) = text.lines().partition(is_place);
        let names = &self.names;
        let address = |name: &str| {
            let mut named = names.iter().filter(|(_, known)| *known == name);
            let first = named.next().map(|(&address, _)| address);
            first.filter(|_| named.next().is_none())
        };
        let (prepared, made): (Vec<&str>, Vec<&str>) =
            made.into_iter().partition(|line| is_prepared(line));
        replay
            .prepared
            .lines
            .extend(prepared.into_iter().map(str::to_string));
        if notes_handles() {
            let made = self.group.make_handles(&made.join("\n"), &address);
            made.map_err(|error| format!("the handles of MPI cannot be made again: {error}"))?;
        }
        for line in held {
            let failed =
                || format!("the checkpoint does not say which handle of MPI this was: {line}");
            if line.starts_with(FIXED) {
                let (byte, kind, word) = in_fixed_heap(line).ok_or_else(failed)?;
                if is_made_last(kind, word) {
                    let all = &mut replay.prepared.held_in_fixed_heap;
                    all.push((byte, word.to_string()));
                } else {
                    let handle = self.group.handle_of(kind, word).ok_or_else(failed)?;
                    replay.held_in_fixed_heap.push((byte, handle));
                }
                continue;
            }
            let (id, one, later) = self.held(line).ok_or_else(failed)?;
            match (line.starts_with(HELD), later) {
                (true, Some(word)) => {
                    replay.prepared.held.push((id, one, word.to_string()));
                }
                (true, None) => replay.held.entry(id).or_default().push(one),
                // A request in an argument has a register of its own.
                (false, Some(_)) => {}
                (false, None) => replay.given.entry((id, one.element)).or_default().push(one),
            }
        }
        self.handles_again_in_fixed_heap(replay)
    }

    /// What a line says about where a handle is; its word, when it is made later.
    fn held<'l>(&self, line: &'l str) -> Option<(u64, Held, Option<&'l str>)> {
        let mut words = line.split(' ').skip(1);
        let mut number = || words.next()?.parse().ok();
        let (id, element, leaf) = (number()?, number()?, number()?);
        let (kind, word) = (words.next()?, words.next()?);
        let later = is_made_last(kind, word).then_some(word);
        let bytes = match word {
            ZERO => None,
            _ if later.is_some() => None,
            word => Some(self.group.handle_of(kind, word)?),
        };
        let held = Held {
            element,
            leaf,
            bytes,
        };
        Some((id, held, later))
    }

    /// Puts handles into a register that has just got its values.
    pub(super) fn put_handles(
        &self,
        replay: &Replay,
        saved: &Register,
        type_index: u32,
        start: usize,
    ) {
        let elements = saved.elements as usize;
        self.put_handles_of_block(replay, saved.id, type_index, start, (0, elements));
    }

    /// The same for a block: some elements of a register.
    pub(super) fn put_handles_of_block(
        &self,
        replay: &Replay,
        id: u64,
        type_index: u32,
        start: usize,
        (first, end): (usize, usize),
    ) {
        self.locks_of_block(replay, id, type_index, start, (first, end));
        self.put_handles_at(replay, id, type_index, start, (first, end));
    }

    /// The same, but for locks.
    pub(super) fn put_handles_at(
        &self,
        replay: &Replay,
        id: u64,
        type_index: u32,
        start: usize,
        (first, end): (usize, usize),
    ) {
        if !some_come_back() && !libraries::are_noted() {
            return;
        }
        let held = replay.held.get(&id).map_or(&[][..], Vec::as_slice);
        let file_type = replay.registers.get(&id).map_or(0, |one| one.type_index);
        let types = (file_type, type_index);
        self.put(replay, held, types, start, (first, end));
    }

    /// The same for the copy of an argument of the call of a node.
    pub(super) fn put_handles_of_argument(
        &self,
        replay: &Replay,
        (node, parameter): (usize, usize),
        types: (u32, u32),
        start: usize,
    ) {
        let given = replay.given.get(&(node as u64, parameter as u64));
        // All of them are in the first element here.
        let first = |one: &Held| Held {
            element: 0,
            ..one.clone()
        };
        let given: Vec<Held> = given.into_iter().flatten().map(first).collect();
        if some_come_back() {
            self.put(replay, &given, types, start, (0, 1));
        }
    }

    fn put(
        &self,
        replay: &Replay,
        held: &[Held],
        (file_type, type_index): (u32, u32),
        start: usize,
        (first, end): (usize, usize),
    ) {
        let mut kinds = Kinds::new(self.types.types().to_vec());
        let size = kinds.size(type_index);
        let all = kinds.handles(type_index);
        if all.is_empty() {
            return;
        }
        let mut put = BTreeSet::new();
        let range = first as u64..end as u64;
        let from = held.partition_point(|one| one.element < range.start);
        let here = held[from..].iter();
        for one in here.take_while(|one| range.contains(&one.element)) {
            let file_types = &replay.file.checkpoint.types;
            let own = leaf_in(file_types, file_type, one.leaf, &kinds.types, type_index);
            let LeafIn::Leaf(leaf) = own else { continue };
            let offset = offset_of(&kinds.types, type_index, leaf, 0);
            let kind = all.iter().find(|(at, _)| Some(*at as u64) == offset);
            let Some(&(at, kind)) = kind else { continue };
            let length = kinds.size(kind);
            let zeros = vec![0; length];
            let bytes = one.bytes.as_ref().unwrap_or(&zeros);
            let place = start + (one.element as usize - first) * size + at;
            if bytes.len() == length {
                self.program.write(place, bytes);
                put.insert(place);
            }
        }
        for element in 0..end - first {
            for &(at, kind) in all.iter() {
                let place = start + element * size + at;
                let name = &kinds.types[kind as usize].name;
                let null = null_handle(name).filter(|_| comes_back(name));
                let (Some(null), false) = (null, put.contains(&place)) else {
                    continue;
                };
                let length = kinds.size(kind);
                let is_new = self
                    .program
                    .read(place, length)
                    .iter()
                    .all(|byte| *byte == 0);
                if is_new
                    && let Some(bytes) = self.group.handle_of(name, null)
                    && bytes.len() == length
                {
                    self.program.write(place, &bytes);
                }
            }
        }
    }
}

/// What a line says about a handle in the fixed heap: the byte, its type, its word.
fn in_fixed_heap(line: &str) -> Option<(u64, &str, &str)> {
    let mut words = line.split(' ').skip(1);
    Some((words.next()?.parse().ok()?, words.next()?, words.next()?))
}

/// The blocks that are there, with how many elements the ones before have.
fn numbered(blocks: &[(usize, u64)]) -> impl Iterator<Item = (usize, u64, u64)> {
    let there = blocks.iter().filter(|block| block.0 != 0);
    there.scan(0, |before, &(start, count)| {
        let first = *before;
        *before += count;
        Some((start, count, first))
    })
}

#[cfg(test)]
mod tests {
    use super::numbered;

    #[test]
    fn s16_elements_are_numbered_behind_blocks_of_more_than_an_int_can_count() {
        let blocks = [(8, 3_000_000_000), (0, 7), (64, 2)];
        let all: Vec<_> = numbered(&blocks).collect();
        assert_eq!(all, [(8, 3_000_000_000, 0), (64, 2, 3_000_000_000)]);
    }
}
