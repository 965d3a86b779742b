//! The fixed heap in a checkpoint, and back.
//!
//! In: the blocks that the program has in it. Out: their bytes in one pool, and a register of the library with the address of each; on
//! restart both, before anything else of the program is there. A restart is right only where everything that the bytes may
//! point to has its old address: the build of the program has to be the same, and linked so that it always lies at the same place, and what it has allocated before `init`
//! has to be what it allocated there before. Bytes that look like an address of the stack, of a library or of its memory, which
//! lie elsewhere in another process, stop the run at its first checkpoint; but for open streams of the C library and handles of MPI
//! that are known, and constants of shared libraries: where one is pointed to is noted, and a restart puts the pointer to the stream
//! there that it has opened, the handle that it has made, and the place of the constant.
//!
//! Not here: which place a block gets (`memory::fixed`).

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use crate::comm::{comes_back, handle_types};
use crate::format::{HANDLES, Machine};
use crate::generation::Extent;
use crate::libraries;
use crate::memory::{
    Libraries, LibraryPlace, fixed, holders, nested_lock_has_owner, stack, standard_streams, views,
};
use crate::registry::{NodeId, RegisterId};
use crate::restore::{Replay, Stop};
use crate::store::Mappings;

use super::Session;
use super::library::Kept;
use super::reach::Numbered;

/// What its register is called.
pub(super) const FIXED_HEAP: &str = "fixed heap";
/// What the register with its addresses is called.
const ADDRESSES: &str = "addresses of the fixed heap";
/// What the register is called with the blocks in which no address ever lies.
const BYTES: &str = "bytes of the fixed heap";
/// What the register is called with that which decides where the next blocks lie.
const SLABS: &str = "slabs of the fixed heap";
/// What the register is called with the places of others on the fixed stack.
const PLACES: &str = "places on the fixed stack";
/// What the register with the places of streams is called.
const STREAMS: &str = "streams in the fixed heap";
/// Numbers before the addresses: of the pool's register, and of the blocks before `init`.
const BEFORE: usize = 3;

/// The blocks that the program had when `init` began: how many, and a number for where they are and how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FixedHeap {
    count: u64,
    layout: u64,
}

/// The registers on the fixed stack.
fn in_fixed_stack(extents: &BTreeMap<RegisterId, Extent>) -> impl Iterator<Item = &Extent> {
    extents.values().filter(|one| stack::holds(one.start))
}

/// So many words of a block are looked at together.
const ROW: usize = 64;

/// Whether the upper half of one of these words is in a range. Without a branch: the compiler looks at several at a time.
fn any_near(words: &[[u8; 8]], span: &RangeInclusive<u32>) -> bool {
    let (first, length) = (*span.start(), span.end() - span.start());
    let is_near = |word: &[u8; 8]| {
        let upper = (u64::from_ne_bytes(*word) >> 32) as u32;
        u32::from(upper.wrapping_sub(first) <= length)
    };
    words.iter().fold(0, |found, word| found | is_near(word)) != 0
}

impl FixedHeap {
    /// As it is now; none in a program without one.
    pub(super) fn now() -> Option<FixedHeap> {
        fixed::is_on().then(|| {
            let blocks = fixed::blocks();
            let mut hasher = crc32fast::Hasher::new();
            for (start, length) in &blocks {
                hasher.update(&(*start as u64).to_le_bytes());
                hasher.update(&(*length as u64).to_le_bytes());
            }
            FixedHeap {
                count: blocks.len() as u64,
                layout: hasher.finalize().into(),
            }
        })
    }
}

/// What a checkpoint says of the fixed heap.
struct Saved {
    /// The number of its pool's register.
    id: u64,
    at_init: FixedHeap,
    addresses: Vec<usize>,
    /// Those of blocks in which no address ever lies.
    bytes: Vec<usize>,
    /// Where the next blocks will lie.
    slabs: Vec<u64>,
}

/// Where blocks of the fixed heap point to what another process has elsewhere: the byte among all of them, and what lies there.
#[derive(Debug, Default)]
pub(super) struct Pointed {
    /// Addresses of streams.
    pub streams: Vec<(u64, usize)>,
    /// Words for objects of libraries that are made again.
    pub objects: Vec<(u64, String)>,
    /// Types and words of handles of MPI.
    pub handles: Vec<(u64, &'static str, String)>,
    /// Constants of shared libraries.
    pub constants: Vec<(u64, LibraryPlace)>,
}

/// The place of a byte among all blocks.
pub(super) fn place_in_fixed_heap(replay: &Replay, byte: u64) -> Option<usize> {
    let heap = &replay.places.heap;
    let pool = heap.fixed()?;
    let (block, inside, _) = heap.block_of(pool, byte, 0)?;
    Some(heap.placed(pool, block)? + usize::try_from(inside).ok()?)
}

impl Session {
    /// What is mapped and lies elsewhere in another process; none when the kernel does not say it. Of the fixed stack all that is in use
    /// and no register brings back is meant, too.
    pub(super) fn moving(&self, extents: &BTreeMap<RegisterId, Extent>) -> Option<Mappings> {
        let mapped = Mappings::now()?;
        let views = views::all().into_iter();
        let mapped = views.fold(mapped, |mapped, one| {
            mapped.without(one.addresses.start as u64..one.addresses.end as u64)
        });
        if !fixed::is_on() {
            return Some(mapped);
        }
        let on_stack = in_fixed_stack(extents);
        let on_stack = on_stack.map(|one| one.start..one.start + one.size * one.elements);
        let stay = [
            self.program.image_bounds(),
            fixed::addresses(),
            stack::unused(),
        ];
        let stay = on_stack.chain(stay);
        Some(stay.fold(mapped, |mapped, one| {
            mapped.without(one.start as u64..one.end as u64)
        }))
    }

    /// Where activations and registers lie on the fixed stack, at a checkpoint in this activation.
    pub(super) fn fixed_places(
        &self,
        innermost: NodeId,
        extents: &BTreeMap<RegisterId, Extent>,
    ) -> Option<Kept> {
        let frames = self.fixed_frames(innermost);
        let registers = in_fixed_stack(extents).flat_map(|one| [one.id, one.start as u64]);
        let numbers: Vec<u64> = std::iter::once(frames.len() as u64)
            .chain(frames.iter().copied())
            .chain(registers)
            .collect();
        (!frames.is_empty()).then(|| Kept::numbers(PLACES, &numbers))
    }

    /// The activations around one that have their frames there, from the outermost.
    fn fixed_frames(&self, innermost: NodeId) -> Vec<u64> {
        let node = |id: &NodeId| self.trace.node(*id).caller;
        let frames = std::iter::successors(Some(innermost), node)
            .filter_map(|id| self.trace.node(id).frame)
            .filter(|&frame| stack::holds(frame));
        let mut frames: Vec<u64> = frames.map(|frame| frame as u64).collect();
        frames.reverse();
        frames
    }

    /// At the end of a restart: what there is on the fixed stack lies where it lay.
    pub(super) fn fixed_places_stay(
        &self,
        innermost: NodeId,
        replay: &mut Replay,
    ) -> Result<(), Stop> {
        let Some(numbers) = self.library_numbers(replay, PLACES)? else {
            return Ok(());
        };
        let (count, numbers) = numbers.split_first().unwrap_or((&0, &[]));
        let count = usize::try_from(*count).unwrap_or(usize::MAX);
        let (frames, registers) = numbers
            .split_at_checked(count)
            .ok_or_else(|| format!("`{PLACES}` is too short"))?;
        let now = self.fixed_frames(innermost);
        // Of other threads, each is elsewhere.
        let mut frames = frames.iter().zip(now);
        let mut registers = registers.as_chunks::<2>().0.iter();
        let moved = registers.find(|[id, place]| {
            let now = replay.places.objects.get(id);
            now.is_some_and(|&now| now as u64 != *place)
        });
        let what = match moved {
            Some([id, _]) => replay
                .registers
                .get(id)
                .map(|one| format!("`{}`", one.name)),
            None => None,
        };
        if frames.all(|(then, now)| *then == now) && moved.is_none() {
            return Ok(());
        }
        let what = what.unwrap_or_else(|| "a function on the way".to_string());
        Err(format!(
            "{what} has another place on the stack now than when the checkpoint was written, and blocks of the fixed heap may point \
             there: before the checkpoint a function has called `alloca`, or an array in one has another length. Allocate that with \
             `malloc`, or start from the beginning, beside the old generations: --cccp-restart=fresh"
        ))
    }

    /// Its blocks, and the streams and objects of libraries to which they point. No blocks when there are none. An error when one holds what means
    /// nothing in another process.
    pub(super) fn fixed_heap(
        &self,
        extents: &BTreeMap<RegisterId, Extent>,
    ) -> Result<(Option<Numbered>, Pointed), String> {
        let blocks = fixed::blocks();
        if blocks.is_empty() {
            return Ok((None, Pointed::default()));
        }
        let pointed = match self.stays(&blocks, extents) {
            Err(reason) if self.settings.suspects => return Err(reason),
            found => found.unwrap_or_default(),
        };
        let numbered = Numbered::of_bytes(&self.types, blocks, self.registers.next());
        Ok((Some(numbered), pointed))
    }

    /// Looks for addresses that another process does not have, and for streams and objects of libraries.
    fn stays(
        &self,
        blocks: &[(usize, usize)],
        extents: &BTreeMap<RegisterId, Extent>,
    ) -> Result<Pointed, String> {
        let is_trusted = !self.settings.suspects;
        let mut pointed = Pointed::default();
        let mut before = 0;
        let moving = self.moving(extents).map(|one| one.without(0..fixed::LOW));
        let Some(moving) = moving else {
            return Err(
                "blocks of the fixed heap may hold addresses that another process does not have, and /proc/self/maps, which \
                 tells them, cannot be read; make it readable, or set suspects = trust if none does"
                    .to_string(),
            );
        };
        let spans = moving.spans();
        let libraries = OnceCell::new();
        let of_bytes = fixed::byte_blocks();
        for &(start, length) in blocks {
            // What looks like an address there does so by chance.
            if of_bytes.binary_search(&start).is_ok() {
                before += length as u64;
                continue;
            }
            let memory = self.program.view(start, length);
            let (words, _) = memory.as_chunks::<8>();
            for (rows, some) in words.chunks(ROW).enumerate() {
                // Hardly any number is one: a row is looked at together.
                if !spans.iter().any(|span| any_near(some, span)) {
                    continue;
                }
                let value = |word: &[u8; 8]| u64::from_ne_bytes(*word);
                let suspects = some.iter().enumerate();
                let mut suspects = suspects.filter(|(_, word)| moving.contains(value(word)));
                let found = suspects.find(|(at, word)| {
                    let address = value(word) as usize;
                    let byte = before + ((rows * ROW + at) * 8) as u64;
                    if self.is_open_stream(address) {
                        pointed.streams.push((byte, address));
                        return false;
                    }
                    if let Some(object) = libraries::word(*word) {
                        pointed.objects.push((byte, object));
                        return false;
                    }
                    if let Some((kind, handle)) = self.handle_of_mpi(*word) {
                        pointed.handles.push((byte, kind, handle));
                        return false;
                    }
                    let libraries = libraries.get_or_init(Libraries::loaded);
                    if let Some(place) = libraries.named_place(&self.program, address) {
                        pointed.constants.push((byte, place));
                        return false;
                    }
                    let of_lock = || {
                        let before = start + (rows * ROW + at) * 8 - 8;
                        holders::is_nested_at(before) && nested_lock_has_owner()
                    };
                    !is_trusted && !of_lock()
                });
                let Some((at, word)) = found else {
                    continue;
                };
                let address = value(word);
                let name = Mappings::name(address);
                let elsewhere = |what: &str| {
                    format!("an address in {what}, which lies elsewhere in another process")
                };
                let what = match name.as_str() {
                    _ if usize::try_from(address).is_ok_and(stack::holds) => {
                        "the address of a local variable that no register brings back".to_string()
                    }
                    "[stack]" => elsewhere("the stack"),
                    "" => elsewhere("memory of a library or of the system"),
                    name => elsewhere(&format!("`{name}`")),
                };
                let byte = (rows * ROW + at) * 8;
                return Err(format!(
                    "the block of {length} bytes at {start:#x} of the fixed heap holds {address:#x} at byte {byte}, {what}. \
                     Let it point to memory that the program has allocated, or to a \
                     variable outside of functions. If the program has never set it, initialise it; if it is not used any more, or no \
                     pointer, set suspects = trust"
                ));
            }
            before += length as u64;
        }
        Ok(pointed)
    }

    /// Whether a stream of the C library lies at an address.
    fn is_open_stream(&self, address: usize) -> bool {
        standard_streams().contains(&address) || self.program.stream_descriptor(address).is_some()
    }

    /// The type of the handle of MPI that a word is, and what it stands for.
    fn handle_of_mpi(&self, word: &[u8]) -> Option<(&'static str, String)> {
        let mut kinds = handle_types().filter(|kind| comes_back(kind));
        kinds.find_map(|kind| Some((kind, self.group.handle(kind, word)?)))
    }

    /// Puts handles of MPI that are there again where they were.
    pub(super) fn handles_again_in_fixed_heap(&self, replay: &Replay) -> Result<(), Stop> {
        for (byte, handle) in &replay.held_in_fixed_heap {
            let place = place_in_fixed_heap(replay, *byte).ok_or_else(|| {
                format!("`{HANDLES}` of the checkpoint names no place in the fixed heap")
            })?;
            self.program.write(place, handle);
        }
        Ok(())
    }

    /// Where streams are pointed to, with the numbers of their registers.
    pub(super) fn streams_in_fixed_heap(
        &self,
        streams: &[(u64, usize)],
        id: impl Fn(usize) -> Option<u64>,
    ) -> Option<Kept> {
        let known = streams
            .iter()
            .filter_map(|&(byte, stream)| Some([byte, id(stream)?]));
        let numbers: Vec<u64> = known.flatten().collect();
        (!numbers.is_empty()).then(|| Kept::numbers(STREAMS, &numbers))
    }

    /// Puts the streams that are open again where they are pointed to.
    pub(super) fn streams_again_in_fixed_heap(&self, replay: &mut Replay) -> Result<(), Stop> {
        let Some(numbers) = self.library_numbers(replay, STREAMS)? else {
            return Ok(());
        };
        if replay.places.heap.fixed().is_none() {
            return Ok(());
        }
        for &[byte, id] in numbers.as_chunks::<2>().0 {
            let Some(place) = place_in_fixed_heap(replay, byte) else {
                return Err(format!(
                    "`{STREAMS}` of the checkpoint names no place in it"
                ));
            };
            let stream = replay.places.streams.get(&id).copied();
            let stream = stream.unwrap_or_else(|| self.program.poison());
            self.program.set_pointer(place, stream);
        }
        Ok(())
    }

    /// Where its blocks are, which there were at `init`, and where the next ones will lie.
    pub(super) fn fixed_addresses(&self, reached: Option<&Numbered>) -> Vec<Kept> {
        let Some(at_init) = self.fixed_at_init else {
            return Vec::new();
        };
        let pool = reached.and_then(|one| one.fixed().next());
        let blocks = pool.iter().flat_map(|(_, pool, _)| &pool.blocks);
        let id = pool.as_ref().map_or(0, |(id, _, _)| *id);
        let mut numbers = vec![id, at_init.count, at_init.layout];
        numbers.extend(blocks.map(|block| block.0 as u64));
        let bytes: Vec<u64> = { fixed::byte_blocks().into_iter() }
            .map(|start| start as u64)
            .collect();
        let mut kept = vec![
            Kept::numbers(ADDRESSES, &numbers),
            Kept::numbers(SLABS, &fixed::state()),
        ];
        if !bytes.is_empty() {
            kept.push(Kept::numbers(BYTES, &bytes));
        }
        kept
    }

    fn saved_fixed_heap(&self, replay: &mut Replay) -> Result<Option<Saved>, Stop> {
        let Some(numbers) = self.library_numbers(replay, ADDRESSES)? else {
            return Ok(None);
        };
        let slabs = self.library_numbers(replay, SLABS)?.unwrap_or_default();
        let bytes = self.library_numbers(replay, BYTES)?.unwrap_or_default();
        let (first, addresses) = numbers
            .split_at_checked(BEFORE)
            .ok_or_else(|| format!("`{ADDRESSES}` is too short"))?;
        Ok(Some(Saved {
            id: first[0],
            at_init: FixedHeap {
                count: first[1],
                layout: first[2],
            },
            addresses: addresses.iter().map(|&one| one as usize).collect(),
            bytes: bytes.iter().map(|&one| one as usize).collect(),
            slabs,
        }))
    }

    /// Whether the fixed heap of a checkpoint can be that of this process.
    pub(super) fn fits_fixed_heap(&self, replay: &mut Replay) -> Result<(), Stop> {
        let machine = &replay.file.checkpoint.header.machine;
        let is_other_machine = *machine != Machine::host();
        let saved = match is_other_machine {
            // What is saved in numbers of another machine can be read; its addresses mean nothing here.
            true => replay
                .library
                .iter()
                .any(|one| one.name == ADDRESSES)
                .then_some(None),
            false => self.saved_fixed_heap(replay)?.map(Some),
        };
        let (saved, now) = match (saved, self.fixed_at_init) {
            (None, None) => return Ok(()),
            (None, Some(_)) => {
                return Err(
                    "the program has a fixed heap now, and had none when the checkpoint was written; start from the beginning, beside the old \
                     generations: --cccp-restart=fresh"
                        .to_string(),
                );
            }
            (Some(_), None) => {
                return Err(
                    "the program had a fixed heap when the checkpoint was written, and has none now; undo that, or start from the \
                     beginning, beside the old generations: --cccp-restart=fresh"
                        .to_string(),
                );
            }
            (Some(saved), Some(now)) => (saved, now),
        };
        let saved = saved.filter(|_| !is_other_machine).ok_or(
            "the checkpoint has a fixed heap, whose bytes and addresses mean something on the kind of machine only on which it was written",
        )?;
        if !replay.same_build {
            return Err(
                "the checkpoint has a fixed heap, which may hold addresses of functions and variables, and this is another build of the \
                 program; start the very executable that wrote it, or start from the beginning, beside the old generations: \
                 --cccp-restart=fresh"
                    .to_string(),
            );
        }
        if saved.at_init != now {
            return Err(format!(
                "what the program allocates before init is not what it allocated in the run that wrote the checkpoint ({} blocks instead \
                 of {}, or of other lengths): variables that are set before init would point to other blocks. Start it with the same \
                 arguments, environment and input, or put init before these allocations",
                now.count, saved.at_init.count
            ));
        }
        Ok(())
    }

    /// Its blocks are there again with all that they held, and no others.
    pub(super) fn fixed_heap_again(&mut self, replay: Option<&mut Replay>) -> Result<(), Stop> {
        let Some(replay) = replay else {
            return Ok(());
        };
        let Some(saved) = self.saved_fixed_heap(replay)? else {
            return Ok(());
        };
        let damaged = || format!("`{FIXED_HEAP}` of the checkpoint is not complete");
        let pool = replay.places.heap.pool(saved.id);
        let lengths: Vec<usize> = match pool {
            Some(pool) => {
                let one = &replay.places.heap.pools[pool];
                (0..one.count()).map(|block| one.length(block)).collect()
            }
            None => Vec::new(),
        };
        if lengths.len() != saved.addresses.len() {
            return Err(damaged());
        }
        let blocks: Vec<(usize, usize)> = saved.addresses.iter().copied().zip(lengths).collect();
        fixed::restore(&blocks, &saved.slabs).map_err(|error| error.to_string())?;
        saved
            .bytes
            .iter()
            .for_each(|&start| fixed::say_bytes(start));
        if let Some(pool) = pool
            && !replay.places.heap.fix(pool, &saved.addresses)
        {
            return Err(damaged());
        }
        self.fill_blocks(replay)?;
        Ok(())
    }

    /// At the end of a restart: what blocks of the program have given back on the way is there again, and the next ones lie where
    /// they would have lain.
    pub(super) fn fixed_heap_stays(&self, replay: &mut Replay) -> Result<(), Stop> {
        let Some(saved) = self.saved_fixed_heap(replay)? else {
            return Ok(());
        };
        let heap = &replay.places.heap;
        let mut bytes = fixed::byte_blocks();
        let is_new = |start: &usize| saved.addresses.binary_search(start).is_err();
        bytes.retain(is_new);
        bytes.extend(&saved.bytes);
        let mut blocks: BTreeMap<usize, usize> = fixed::blocks().into_iter().collect();
        if let Some(pool) = heap.fixed() {
            let one = &heap.pools[pool];
            let all_saved = (0..one.count()).filter_map(|block| {
                let address = heap.placed(pool, block)?;
                Some((address, one.length(block)))
            });
            blocks.extend(all_saved);
        }
        let blocks: Vec<(usize, usize)> = blocks.into_iter().collect();
        fixed::restore(&blocks, &saved.slabs).map_err(|_| {
            "a block that runs on restart has given back memory of the fixed heap, and got other memory in its place".to_string()
        })?;
        bytes.into_iter().for_each(fixed::say_bytes);
        Ok(())
    }
}
