//! Which memory of this process is an item's on restart: see [`restore::origins`](crate::restore::origins).
//!
//! In: for a checkpoint, where the items and their blocks are. Out: rows of numbers, in a register of the library, when some of
//! this memory was there before the run began, or is no allocated memory. On restart: for an item, the memory that the
//! program has for it already; none when it gets new memory.

use std::collections::BTreeMap;

use crate::format::{PointerValue, Register};
use crate::generation::Extent;
use crate::memory::blocks::{self, Early};
use crate::memory::{fixed, on_stack};
use crate::registry::RegisterId;
use crate::restore::origins::{
    COUNT, DOWNWARDS, EARLY, IMAGE, LENGTH, ORIGINS, Origin, ROW, STACK, UPWARDS,
};
use crate::restore::{Replay, Stop};

use super::Session;
use super::library::Kept;
use super::reach::Numbered;

/// The first minor version of files that tell origins.
const FIRST: u32 = 3;

/// The rows of the blocks that one register brings.
fn runs(id: u64, starts: impl Iterator<Item = usize>) -> Vec<[u64; ROW]> {
    let mut rows: Vec<[u64; ROW]> = Vec::new();
    for (block, start) in (0u64..).zip(starts) {
        let Some(number) = blocks::early(start) else {
            continue;
        };
        if let Some([what, _, first, begin, count]) = rows.last_mut()
            && *first + *count == block
        {
            let (up, down) = (begin.checked_add(*count), begin.checked_sub(*count));
            if up == Some(number) && (*what == UPWARDS || *count == 1) {
                (*what, *count) = (UPWARDS, *count + 1);
                continue;
            }
            if down == Some(number) && (*what == DOWNWARDS || *count == 1) {
                (*what, *count) = (DOWNWARDS, *count + 1);
                continue;
            }
        }
        rows.push([UPWARDS, id, block, number, 1]);
    }
    rows
}

impl Session {
    /// Where the memory of all items comes from, for a checkpoint. Nothing when all has come since the run began.
    pub(super) fn origins(
        &self,
        extents: &BTreeMap<RegisterId, Extent>,
        reached: Option<&Numbered>,
        longer: &[(RegisterId, u64)],
    ) -> Option<Kept> {
        let mut rows = blocks::with_early(|early| self.rows(early, extents, reached));
        if rows.is_empty() && !longer.is_empty() {
            rows.push([COUNT, 0, 0, blocks::early_count(), 0]);
        }
        let longer = longer.iter();
        rows.extend(longer.map(|&(id, elements)| [LENGTH, id, 0, elements, 0]));
        if rows.is_empty() {
            return None;
        }
        Some(Kept::numbers(ORIGINS, rows.as_flattened()))
    }

    fn rows(
        &self,
        early: &Early,
        extents: &BTreeMap<RegisterId, Extent>,
        reached: Option<&Numbered>,
    ) -> Vec<[u64; ROW]> {
        let mut rows: Vec<[u64; ROW]> = Vec::new();
        let items = self.registers.iter().filter(|one| one.is_behind());
        for one in items {
            let Some(extent) = extents.get(&one.id) else {
                continue;
            };
            let base = extent.start.wrapping_sub(one.first as usize * extent.size);
            if let Some(offset) = self.program.image_offset(base) {
                rows.push([IMAGE, one.id, 0, offset, 0]);
            } else if let Some((start, _, number)) = early.around(base) {
                rows.push([EARLY, one.id, 0, number, (base - start) as u64]);
            } else if on_stack(base) {
                rows.push([STACK, one.id, 0, 0, 0]);
            }
        }
        if !early.is_empty() {
            for (id, pool) in reached.into_iter().flat_map(Numbered::all) {
                rows.extend(runs(id, pool.blocks.iter().map(|block| block.0)));
            }
        }
        if !rows.is_empty() {
            rows.push([COUNT, 0, 0, blocks::early_count(), 0]);
        }
        rows
    }

    /// What the checkpoint says about origins, at the beginning of a restart: memory that is there again is that of its items.
    pub(super) fn read_origins(&self, replay: &mut Replay) -> Result<(), Stop> {
        if replay.file.minor < FIRST {
            return Ok(());
        }
        let numbers = self.library_numbers(replay, ORIGINS)?;
        let numbers = numbers.unwrap_or_else(|| vec![COUNT, 0, 0, blocks::early_count(), 0]);
        let places = &mut replay.places;
        places.origins.read(&numbers);
        for (id, origin) in places.origins.items() {
            let Some(saved) = replay.registers.get(&id) else {
                continue;
            };
            let size = places
                .types
                .get(&id)
                .and_then(|index| self.types.get(*index));
            let length = saved
                .first
                .saturating_add(saved.elements)
                .saturating_mul(size.map_or(saved.element_size, |one| one.size));
            let place = match origin {
                Origin::Image(offset) if replay.same_build => self.program.image_address(offset),
                Origin::Early(number, byte) => {
                    let block = places.origins.early(number);
                    let fits =
                        |(_, room): &(usize, usize)| byte.saturating_add(length) <= *room as u64;
                    block.filter(fits).map(|(at, _)| at + byte as usize)
                }
                _ => None,
            };
            if let Some(place) = place {
                places.regions.bind(id, place);
            }
        }
        for (id, elements) in places.origins.lengths() {
            let (Some(saved), Some(size)) = (
                replay.registers.get(&id),
                places
                    .types
                    .get(&id)
                    .and_then(|index| self.types.get(*index))
                    .map(|one| one.size),
            ) else {
                continue;
            };
            let before = saved
                .first
                .saturating_add(saved.elements)
                .saturating_mul(size);
            let now = elements.saturating_mul(size);
            // Where another item begins there, the memory is that long for its sake already.
            let _ = places.regions.grow(id, before, now);
        }
        for (id, block, number) in places.origins.blocks() {
            let (Some(pool), Ok(block)) = (places.heap.pool(id), usize::try_from(block)) else {
                continue;
            };
            if let Some((at, length)) = places.origins.early(number) {
                places
                    .heap
                    .reserve(&mut places.regions, pool, block, (at, length));
            }
        }
        Ok(())
    }

    /// The place in a registered object that an item is in, once that is back.
    pub(super) fn place_in_object(
        &self,
        replay: &mut Replay,
        id: u64,
    ) -> Result<Option<usize>, Stop> {
        let Some(value) = replay.places.origins.object(id).cloned() else {
            return Ok(None);
        };
        let PointerValue::Register { id: object, .. } = value else {
            return Ok(None);
        };
        if !replay.places.objects.contains_key(&object) {
            return Ok(None);
        }
        let mut placer = self.placer(
            &mut replay.places,
            &replay.registers,
            &replay.file.checkpoint,
            replay.same_build,
            true,
        );
        placer.place(value).map(|place| Some(place as usize))
    }

    /// The memory of `length` bytes that the program has for an item, whose pointer points to `present` now.
    pub(super) fn memory_of(
        &self,
        replay: &mut Replay,
        saved: &Register,
        (holder, present): (usize, usize),
        length: u64,
    ) -> Result<Option<usize>, Stop> {
        if let Some(place) = self.place_in_object(replay, saved.id)? {
            return Ok(Some(place));
        }
        let origins = &replay.places.origins;
        let in_image = self.program.image_offset(present).is_some();
        let is_its_kind = !origins.is_told
            || match origins.item(saved.id) {
                Some(Origin::Image(_)) => in_image,
                Some(Origin::Stack) => on_stack(present),
                Some(Origin::Early(..)) => !origins.same_start && !in_image && !on_stack(present),
                None => !in_image && !on_stack(present) && !origins.is_early(present),
            };
        // Memory from before `init` that has grown since in the original run is too small now.
        let bytes = usize::try_from(length).unwrap_or(usize::MAX);
        let room = self.program.room(present);
        // A variable of a frame that a restart has made holds anything: only a block that somebody has allocated is taken for memory.
        let may_be_unset = origins.is_told
            && origins.item(saved.id).is_none()
            && on_stack(holder)
            && self.program.knows_rooms()
            && !fixed::is_on();
        let is_there = || {
            let last = present.checked_add(bytes.saturating_sub(1));
            let ends = [Some(present), last];
            let is_readable =
                |end: Option<usize>| end.is_some_and(|end| self.program.readable(end, 1));
            !may_be_unset && ends.into_iter().all(is_readable)
        };
        let fits = room.map_or_else(is_there, |room| room >= length);
        let usable = present != 0
            && present != self.program.poison()
            && is_its_kind
            && fits
            && !origins.is_taken(present, bytes);
        Ok(usable.then_some(present))
    }
}
