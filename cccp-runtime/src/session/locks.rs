//! Locks of OpenMP that threads hold at a checkpoint, in programs that tell who holds which.
//!
//! In: registers and blocks that items bring, and the holders. Out: a register of the library with a line for each lock that is held;
//! on restart the same locks, wherever they lie then, and who takes them before the program goes on.

use std::collections::BTreeMap;

use crate::format::types::{LeafIn, leaf_at, leaf_in, offset_of};
use crate::generation::Extent;
use crate::heap::Kinds;
use crate::memory::holders::{self, Holder, ToTake};
use crate::memory::{fixed, has_holder, length_of_lock, lock_of_number, number_of_lock};
use crate::registry::RegisterId;
use crate::restore::{HeldLock, Obstacle, Replay, Stop};

use super::Session;
use super::collected::Refusal;
use super::library::Kept;
use super::reach::Numbered;

/// What the register is called.
const LOCKS: &str = "locks of OpenMP";
/// What the other one is called.
const IN_FIXED_HEAP: &str = "locks in the fixed heap";

impl Session {
    /// Who holds which lock. Nothing where nobody holds one.
    pub(super) fn locks_held(
        &self,
        extents: &BTreeMap<RegisterId, Extent>,
        reached: Option<&Numbered>,
    ) -> Result<Option<Kept>, Refusal> {
        let mut left = holders::all();
        left.retain(|at, _| !fixed::holds(*at));
        if left.is_empty() {
            return Ok(None);
        }
        let mut lines = String::new();
        let mut kinds = Kinds::new(self.types.types().to_vec());
        for (id, extent) in extents {
            let blocks = [(extent.start, extent.elements as u64)];
            let whom = (*id, extent.type_index);
            locks_in(&mut kinds, whom, &blocks, &mut left, &mut lines);
        }
        if let Some(reached) = reached {
            let mut kinds = Kinds::new(reached.reached.kinds.types.clone());
            for (id, pool) in reached.all() {
                let whom = (id, pool.type_index);
                locks_in(&mut kinds, whom, &pool.blocks, &mut left, &mut lines);
            }
        }
        if let Some(Holder { thread, .. }) = left.values().next() {
            let reason = format!(
                "thread {thread} holds a lock of OpenMP that lies in no registered memory: a restart does not know which it is. \
                 Register the lock, and leave it out of blocks that are executed on restart; or give it back before the checkpoint"
            );
            return Err(Refusal::Obstacle(Obstacle::Everywhere(reason)));
        }
        Ok(Some(Kept::text(LOCKS.to_string(), 0, lines.into_bytes())))
    }

    /// The locks that lie in the fixed heap, of whose blocks no types are known: where, of which type, who held them and how often.
    pub(super) fn locks_in_fixed_heap(&self) -> Result<Option<Kept>, Refusal> {
        let all = holders::made_in(fixed::addresses());
        let holders = holders::all();
        let mut numbers = Vec::with_capacity(all.len() * 4);
        for (at, kind) in all {
            let is_held = match length_of_lock(kind) {
                Some(length) => has_holder(kind, self.program.view(at, length)),
                // Where holders are noted, one that was given to a thread that waits for it is not taken yet.
                None => {
                    let is_nested = holders::is_nested_type(kind);
                    !holders::are_noted() && self.program.is_held(at, is_nested)
                }
            };
            let holder = holders.get(&at).copied();
            if is_held {
                let reason = format!(
                    "the `{kind}` at {at:#x} of the fixed heap is held by a thread, and a restart has others. Give it back before the \
                     checkpoint"
                );
                return Err(Refusal::Obstacle(Obstacle::Everywhere(reason)));
            }
            let Holder { thread, count } = holder.unwrap_or(Holder {
                thread: 0,
                count: 0,
            });
            numbers.extend([at as u64, number_of_lock(kind), thread, count]);
        }
        Ok((!numbers.is_empty()).then(|| Kept::numbers(IN_FIXED_HEAP, &numbers)))
    }

    /// What was a lock in the fixed heap is one again, which nobody holds: bytes alone are none of a library that keeps its locks
    /// elsewhere, as libraries of OpenMP may do. At the end of a restart they are to be taken by those that held them. Locks of the C
    /// library are their bytes, attributes among them.
    pub(super) fn locks_again_in_fixed_heap(
        &self,
        replay: Option<&mut Replay>,
        is_end: bool,
    ) -> Result<(), Stop> {
        let Some(replay) = replay else { return Ok(()) };
        let numbers = self.library_numbers(replay, IN_FIXED_HEAP)?;
        if replay.places.heap.fixed().is_some() {
            holders::forget(fixed::addresses());
        }
        for &[at, number, thread, count] in numbers.unwrap_or_default().as_chunks().0 {
            let address = at as usize;
            let Some(kind) = lock_of_number(number).filter(|_| fixed::holds(address)) else {
                return Err(format!(
                    "`{IN_FIXED_HEAP}` of the checkpoint names no lock in it"
                ));
            };
            if length_of_lock(kind).is_none() {
                self.program.begin_locks(kind, [address].into_iter());
            }
            holders::made(address, kind);
            if is_end && count != 0 {
                let holder = Holder { thread, count };
                holders::take_later(ToTake {
                    address,
                    is_nested: holders::is_nested_type(kind),
                    holder,
                });
            }
        }
        Ok(())
    }

    /// Reads who held which lock.
    pub(super) fn locks_again(&mut self, replay: Option<&mut Replay>) -> Result<(), Stop> {
        let Some(replay) = replay else { return Ok(()) };
        let text = self.library_text(replay, LOCKS)?.unwrap_or_default();
        for line in String::from_utf8_lossy(&text).lines() {
            let numbers = line.split(' ').map(str::parse::<u64>);
            let numbers: Vec<u64> = numbers.filter_map(Result::ok).collect();
            let [id, element, leaf, thread, count] = numbers[..] else {
                return Err(format!(
                    "the checkpoint does not say which lock this was: {line}"
                ));
            };
            let holder = Holder { thread, count };
            replay.locks.entry(id).or_default().push(HeldLock {
                element,
                leaf,
                holder,
            });
        }
        Ok(())
    }

    /// Whether all of them are where a restart can take them.
    pub(super) fn locks_found(&self, replay: &Replay) -> Result<(), Stop> {
        let held: usize = replay.locks.values().map(Vec::len).sum();
        match held == holders::how_many_to_take() {
            true => Ok(()),
            false => Err(
                "a thread held a lock of OpenMP when the checkpoint was written, and the program was changed so that it is not \
                 found again"
                    .to_string(),
            ),
        }
    }

    /// Has the locks be taken that lie in a block: some elements of a register that has just got its values.
    pub(super) fn locks_of_block(
        &self,
        replay: &Replay,
        id: u64,
        type_index: u32,
        start: usize,
        (first, end): (usize, usize),
    ) {
        let Some(held) = replay.locks.get(&id) else {
            return;
        };
        let mut kinds = Kinds::new(self.types.types().to_vec());
        let size = kinds.size(type_index);
        let all = kinds.handles(type_index);
        let file_type = replay.registers.get(&id).map_or(0, |one| one.type_index);
        for one in held {
            let element = one.element as usize;
            let file_types = &replay.file.checkpoint.types;
            let own = leaf_in(file_types, file_type, one.leaf, &kinds.types, type_index);
            let LeafIn::Leaf(leaf) = own else { continue };
            let offset = offset_of(&kinds.types, type_index, leaf, 0);
            let kind = all.iter().find(|(at, _)| Some(*at as u64) == offset);
            let (Some(&(at, kind)), true) = (kind, (first..end).contains(&element)) else {
                continue;
            };
            holders::take_later(ToTake {
                address: start + (element - first) * size + at,
                is_nested: holders::is_nested_type(&kinds.types[kind as usize].name),
                holder: one.holder,
            });
        }
    }
}

/// Adds a line for each lock in some blocks that a thread holds, and takes it from those that are left.
fn locks_in(
    kinds: &mut Kinds,
    (id, type_index): (u64, u32),
    blocks: &[(usize, u64)],
    left: &mut BTreeMap<usize, Holder>,
    lines: &mut String,
) {
    let size = kinds.size(type_index);
    let all = kinds.handles(type_index);
    let mut before = 0;
    for &(start, count) in blocks.iter().filter(|block| block.0 != 0) {
        let end = start + count as usize * size;
        let here: Vec<usize> = left
            .range(start..end)
            .map(|(&address, _)| address)
            .collect();
        for address in here {
            let (element, offset) = ((address - start) / size, (address - start) % size);
            let kind = all.iter().find(|(at, _)| *at == offset);
            let is_lock = kind
                .is_some_and(|&(_, kind)| holders::is_noted_type(&kinds.types[kind as usize].name));
            if is_lock && let Some(holder) = left.remove(&address) {
                let leaf = leaf_at(&kinds.types, type_index, offset as u64).0;
                let element = before + element as u64;
                *lines += &format!("{id} {element} {leaf} {} {}\n", holder.thread, holder.count);
            }
        }
        before += count;
    }
}
