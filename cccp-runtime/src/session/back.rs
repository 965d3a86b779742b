//! The allocated blocks that items brought, on the way back.
//!
//! In: an item that is being restored. Out: its blocks in memory. First the program's own memory is taken where it has
//! some: what was allocated before `init` stays where it is, because other pointers may lead there. Then everything that
//! something leads to is filled, block after block.

use std::collections::BTreeMap;

use crate::format::{self, PointerValue, Register};
use crate::heap::{Image, Kinds};
use crate::memory::blocks;
use crate::restore::{LedTo, Replay, Stop};

use super::Session;
use super::items::Lost;

/// The number in the place of a pointer.
fn number(bytes: &[u8], at: usize) -> usize {
    let word = bytes.get(at..at + size_of::<usize>());
    word.and_then(|word| word.try_into().ok())
        .map_or(0, usize::from_ne_bytes)
}

impl Session {
    /// The values of a register, with numbers in the places of pointers.
    fn image(&mut self, replay: &Replay, saved: &Register, type_index: u32) -> Result<Image, Stop> {
        let bytes = replay.file.load(saved).map_err(|error| error.to_string())?;
        let size = self.types.get(type_index).map_or(0, |one| one.size);
        let length = usize::try_from(saved.elements.saturating_mul(size))
            .map_err(|_| "it does not fit into memory".to_string())?;
        let mut image = Image {
            bytes: vec![0; length],
            targets: Vec::new(),
        };
        let targets = &mut image.targets;
        format::decode_fitting(
            replay.fit,
            replay.file.checkpoint.layout(),
            saved.type_index,
            self.types.layout(),
            type_index,
            replay.file.checkpoint.header.encoding,
            &bytes,
            saved.elements,
            &mut |pointer| {
                if pointer == PointerValue::Null {
                    return Ok(0);
                }
                targets.push(pointer);
                Ok(targets.len() as u64)
            },
            &mut image.bytes,
        )
        .map_err(|error| error.to_string())?;
        Ok(image)
    }

    /// Makes sure that the contents of a pool are there.
    fn load_pool(&mut self, replay: &mut Replay, pool: usize) -> Result<(), Stop> {
        let one = &replay.places.heap.pools[pool];
        if one.image.is_some() {
            return Ok(());
        }
        let saved = replay.registers.get(&one.id).cloned();
        let saved = saved.ok_or("the checkpoint has no such blocks")?;
        let whom = |reason| format!("`{}` (line {}): {reason}", saved.name, saved.line);
        let image = self.image(replay, &saved, one.type_index).map_err(whom)?;
        replay.places.heap.pools[pool].image = Some(image);
        Ok(())
    }

    /// Lets blocks be where the program has memory for them: the item at `start`, not yet filled, leads there.
    pub(super) fn bind_blocks(
        &mut self,
        replay: &mut Replay,
        saved: &Register,
        type_index: u32,
        start: usize,
        whom: &str,
    ) -> Result<(), Stop> {
        if replay.places.heap.pools.is_empty() {
            return Ok(());
        }
        let mut kinds = Kinds::new(self.types.types().to_vec());
        let root = self
            .image(replay, saved, type_index)
            .map_err(|reason| format!("{whom}: {reason}"))?;
        let mut due: Vec<(usize, usize)> = Vec::new();
        let elements = saved.elements as usize;
        self.bind_those(
            replay,
            &mut kinds,
            &root,
            (type_index, 0, elements),
            start,
            &mut due,
        );
        while let Some((pool, block)) = due.pop() {
            self.load_pool(replay, pool)?;
            let one = &mut replay.places.heap.pools[pool];
            let (first, end) = one.range(block);
            let within = (one.type_index, first, end);
            let Some(image) = one.image.take() else {
                continue;
            };
            if let Some(place) = replay.places.heap.placed(pool, block) {
                self.bind_those(replay, &mut kinds, &image, within, place, &mut due);
            }
            replay.places.heap.pools[pool].image = Some(image);
        }
        Ok(())
    }

    /// The same for the pointers of some elements, which are at `start` in this process.
    fn bind_those(
        &self,
        replay: &mut Replay,
        kinds: &mut Kinds,
        image: &Image,
        (type_index, first, end): (u32, usize, usize),
        start: usize,
        due: &mut Vec<(usize, usize)>,
    ) {
        let size = kinds.size(type_index);
        let pointers = kinds.pointers(type_index);
        for element in first..end {
            for &(at, _) in pointers.iter() {
                let target = number(&image.bytes, element * size + at);
                let Some(PointerValue::Register {
                    id,
                    element: target,
                    leaf: 0,
                    byte: 0,
                }) = target.checked_sub(1).and_then(|at| image.targets.get(at))
                else {
                    continue;
                };
                let heap = &mut replay.places.heap;
                let Some(pool) = heap.pool(*id) else {
                    continue;
                };
                let Some((block, inside, false)) = heap.block_of(pool, *target, 0) else {
                    continue;
                };
                let there = self.program.pointer(start + (element - first) * size + at);
                let one = &heap.pools[pool];
                let length = one.length(block);
                let base = match heap.reserved(pool, block) {
                    Some(reserved) => reserved,
                    None => there.wrapping_sub(inside as usize * one.size),
                };
                let origins = &mut replay.places.origins;
                let is_own = || {
                    there != 0
                        && blocks::length(base) == Some(length)
                        && !origins.is_early(base)
                        && !origins.is_taken(base, length)
                };
                if (heap.reserved(pool, block).is_some() || is_own())
                    && heap.bind(&mut replay.places.regions, pool, block, base)
                {
                    origins.take(base, length);
                    due.push((pool, block));
                }
            }
        }
    }

    /// Fills the blocks that something leads to now, and those that these lead to.
    pub(super) fn fill_blocks(&mut self, replay: &mut Replay) -> Result<Vec<Lost>, Stop> {
        if replay.places.heap.due.is_empty() {
            return Ok(Vec::new());
        }
        let mut kinds = Kinds::new(self.types.types().to_vec());
        // By the pool: what pointers led to that became poison.
        let mut poisoned: BTreeMap<usize, Option<LedTo>> = BTreeMap::new();
        while let Some((pool, block)) = replay.places.heap.due.pop() {
            let Some(place) = replay.places.heap.placed(pool, block) else {
                continue;
            };
            self.load_pool(replay, pool)?;
            let one = &mut replay.places.heap.pools[pool];
            let (first, end) = one.range(block);
            let (size, type_index) = (one.size, one.type_index);
            let Some(image) = one.image.take() else {
                continue;
            };
            if let Some(descriptor) = self.types.of_blocks(type_index) {
                blocks::say(place, descriptor);
            }
            let pointers = kinds.pointers(type_index);
            let functions = kinds.functions(type_index);
            let bytes = &image.bytes[first * size..end * size];
            self.write_around_handles(&mut kinds, type_index, place, bytes);
            let mut placer = self.placer(
                &mut replay.places,
                &replay.registers,
                &replay.file.checkpoint,
                replay.same_build,
                false,
            );
            for element in 0..end - first {
                for &(at, _) in pointers.iter().chain(functions.iter()) {
                    let at = element * size + at;
                    let target = number(bytes, at);
                    if let Some(target) = target.checked_sub(1).and_then(|at| image.targets.get(at))
                    {
                        let address = placer.place(target.clone())?;
                        self.program.set_pointer(place + at, address as usize);
                    }
                }
            }
            let lost = poisoned.entry(pool).or_default();
            *lost = placer.lost.max(*lost);
            let id = replay.places.heap.pools[pool].id;
            replay.places.heap.pools[pool].image = Some(image);
            self.put_handles_of_block(replay, id, type_index, place, (first, end));
        }
        let found = poisoned.into_iter().filter_map(|(pool, lost)| {
            let saved = replay.registers.get(&replay.places.heap.pools[pool].id)?;
            let whom = format!("blocks `{}` (line {})", saved.name, saved.line);
            Some((whom, lost?))
        });
        Ok(found.collect())
    }
}
