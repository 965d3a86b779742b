//! Blocks on the way back.
//!
//! In: the pools of a checkpoint. Out: where each block is in this process, and what it holds. A block gets its memory
//! when something first leads to it: memory that the program has there already, when it is as long (`bind`), or new
//! memory. It then waits in a queue to be filled. Contents are decoded once per pool, with numbers in the places of
//! pointers, so that a block can be filled again after everything is back.

use std::collections::HashMap;

use crate::format::types::leaf_count;
use crate::format::{
    self, Checkpoint, Fit, FormatError, Kind, Layout, Machine, PointerValue, Register, Type,
};
use crate::memory::{MemoryError, Program, Regions};
use crate::registry::{BEHIND, BLOCKS, HEAP, TypeTable};

use super::block_type::{Parts, byte_type, flexible, parts, with_rest};

/// Decoded elements: a number in the place of each pointer, 0 for NULL, otherwise the target's number plus 1.
#[derive(Debug, Default)]
pub struct Image {
    /// In the program's layout.
    pub bytes: Vec<u8>,
    /// What the numbers mean.
    pub targets: Vec<PointerValue>,
}

/// The blocks of one register.
#[derive(Debug)]
pub struct Pool {
    /// Its number in the file.
    pub id: u64,
    /// The program's type.
    pub type_index: u32,
    /// Bytes of an element.
    pub size: usize,
    /// The first element of each block, and the number of all.
    first: Vec<u64>,
    /// Where each block is; 0 when it has no memory yet.
    places: Vec<usize>,
    /// Placed like memory behind a pointer.
    tied: bool,
    /// Each block has its old address.
    fixed: bool,
    /// The leaves of an element in the file.
    leaves: u64,
    /// Its contents, once they were needed.
    pub image: Option<Image>,
}

impl Pool {
    /// The elements of a block.
    pub fn range(&self, block: usize) -> (usize, usize) {
        (self.first[block] as usize, self.first[block + 1] as usize)
    }

    /// How many blocks there are.
    pub fn count(&self) -> usize {
        self.places.len()
    }

    /// Bytes of a block.
    pub fn length(&self, block: usize) -> usize {
        let (first, end) = self.range(block);
        (end - first) * self.size
    }
}

/// All blocks of a checkpoint.
#[derive(Debug, Default)]
pub struct Heap {
    /// By their registers.
    pub pools: Vec<Pool>,
    by_id: HashMap<u64, usize>,
    /// Memory that the program has again for blocks to which nothing has led yet, by pool and block.
    reserved: HashMap<(usize, usize), usize>,
    /// Blocks that have memory and wait for their contents.
    pub due: Vec<(usize, usize)>,
}

impl Heap {
    /// The pools among the registers. `lengths` reads the elements of each block from a register of numbers.
    pub fn new(
        registers: &[&Register],
        known: &HashMap<u64, u32>,
        file: &[Type],
        program: &[Type],
        mut lengths: impl FnMut(&Register) -> Result<Vec<u64>, String>,
    ) -> Result<Heap, String> {
        let mut heap = Heap::default();
        let mut blocks: Option<Vec<u64>> = None;
        for register in registers {
            if register.flags & BLOCKS != 0 {
                blocks = Some(lengths(register)?);
                continue;
            }
            let counts = blocks.take();
            if register.flags & HEAP == 0 {
                continue;
            }
            let counts = counts.unwrap_or_else(|| vec![register.elements]);
            let mut first = vec![0u64];
            for count in &counts {
                let end = first[first.len() - 1].checked_add(*count);
                first.push(end.ok_or("blocks of more elements than there are")?);
            }
            if first.last() != Some(&register.elements) {
                return Err(format!(
                    "the blocks of `{}` have other elements than it has",
                    register.name
                ));
            }
            let type_index = *known
                .get(&register.id)
                .ok_or_else(|| format!("the type of `{}` is not known", register.name))?;
            heap.by_id.insert(register.id, heap.pools.len());
            heap.pools.push(Pool {
                id: register.id,
                type_index,
                size: program[type_index as usize].size as usize,
                places: vec![0; counts.len()],
                first,
                tied: register.flags & BEHIND != 0,
                fixed: false,
                leaves: leaf_count(file, register.type_index),
                image: None,
            });
        }
        Ok(heap)
    }

    /// The blocks of a register are at these addresses, and wait for their contents. False when there are not as many.
    pub fn fix(&mut self, pool: usize, addresses: &[usize]) -> bool {
        let Some(one) = self.pools.get_mut(pool) else {
            return false;
        };
        if one.places.len() != addresses.len() {
            return false;
        }
        one.places.copy_from_slice(addresses);
        one.fixed = true;
        self.due
            .extend((0..addresses.len()).map(|block| (pool, block)));
        true
    }

    /// The pool whose blocks are at their old addresses.
    pub fn fixed(&self) -> Option<usize> {
        self.pools.iter().position(|one| one.fixed)
    }

    /// The pool of a register.
    pub fn pool(&self, id: u64) -> Option<usize> {
        self.by_id.get(&id).copied()
    }

    /// Which block an element belongs to, and which element of it. `leaf` tells whether its end is meant.
    pub fn block_of(&self, pool: usize, element: u64, leaf: u64) -> Option<(usize, u64, bool)> {
        let one = &self.pools[pool];
        let ended = leaf > 0 && leaf == one.leaves;
        let at = one.first.partition_point(|first| *first <= element);
        let empty = one.first.last() == Some(&0) && element == 0;
        let block = match empty {
            true => 0,
            false => at.checked_sub(1)?,
        };
        (block < one.places.len()).then(|| (block, element - one.first[block], ended))
    }

    /// Where a block is; it gets memory when it has none.
    pub fn place(
        &mut self,
        program: &Program,
        regions: &mut Regions,
        pool: usize,
        block: usize,
    ) -> Result<usize, MemoryError> {
        let reserved = self.reserved(pool, block);
        let one = &mut self.pools[pool];
        if one.places[block] == 0 {
            one.places[block] = match (one.tied, reserved) {
                (true, _) => regions.place(program, one.id)?.unwrap_or(0),
                (false, Some(at)) => at,
                (false, None) => program.allocate(one.length(block) as u64, 16)?,
            };
            self.due.push((pool, block));
        }
        Ok(self.pools[pool].places[block])
    }

    /// The program has a block again, at an address and as long: it will be there when something leads to it.
    pub fn reserve(
        &mut self,
        regions: &mut Regions,
        pool: usize,
        block: usize,
        (address, length): (usize, usize),
    ) {
        let one = &self.pools[pool];
        if block >= one.places.len() || one.length(block) != length {
            return;
        }
        match one.tied {
            true => {
                regions.bind(one.id, address);
            }
            false => {
                self.reserved.insert((pool, block), address);
            }
        }
    }

    /// Memory that was [reserved](Heap::reserve).
    pub fn reserved(&self, pool: usize, block: usize) -> Option<usize> {
        self.reserved.get(&(pool, block)).copied()
    }

    /// The memory that a block has.
    pub fn placed(&self, pool: usize, block: usize) -> Option<usize> {
        let place = self.pools[pool].places[block];
        (place != 0).then_some(place)
    }

    /// All that have memory: where, and how many bytes.
    pub fn all_placed(&self) -> impl Iterator<Item = (usize, usize)> {
        let blocks = |pool: &Pool| {
            let of = |(block, &place): (usize, &usize)| (place, pool.length(block));
            pool.places.iter().enumerate().map(of).collect::<Vec<_>>()
        };
        self.pools
            .iter()
            .flat_map(blocks)
            .filter(|(place, _)| *place != 0)
    }

    /// A block is to be in memory that the program has already. False when it is elsewhere.
    pub fn bind(
        &mut self,
        regions: &mut Regions,
        pool: usize,
        block: usize,
        address: usize,
    ) -> bool {
        let one = &mut self.pools[pool];
        if one.places[block] != 0 {
            return false;
        }
        if one.tied {
            regions.bind(one.id, address);
            if regions.address(one.id) != Some(address) {
                return false;
            }
        }
        one.places[block] = address;
        self.due.push((pool, block));
        true
    }

    /// Memory that was released meanwhile is forgotten, and everything is to be filled again.
    pub fn again(&mut self, released: &[usize]) {
        let released: std::collections::HashSet<usize> = released.iter().copied().collect();
        self.due.clear();
        self.reserved.retain(|_, place| !released.contains(place));
        for (pool, one) in self.pools.iter_mut().enumerate() {
            for (block, place) in one.places.iter_mut().enumerate() {
                if !one.tied && !one.fixed && released.contains(place) {
                    *place = 0;
                }
                if *place != 0 {
                    self.due.push((pool, block));
                }
            }
        }
    }
}

/// The numbers in a register that says how many elements each block has.
pub fn lengths(
    checkpoint: &Checkpoint,
    register: &Register,
    bytes: &[u8],
) -> Result<Vec<u64>, FormatError> {
    let own = [Type {
        name: String::new(),
        kind: Kind::UnsignedLongLong,
        size: 8,
        members: Vec::new(),
    }];
    let machine = Machine::host();
    let program = Layout {
        types: &own,
        machine: &machine,
    };
    let count = usize::try_from(register.elements).unwrap_or(0);
    let mut memory = vec![0; count.saturating_mul(8)];
    format::decode(
        checkpoint.layout(),
        register.type_index,
        program,
        0,
        checkpoint.header.encoding,
        bytes,
        register.elements,
        &mut |_| Ok(0),
        &mut memory,
    )?;
    let words = memory.as_chunks::<8>().0.iter();
    Ok(words.map(|word| u64::from_ne_bytes(*word)).collect())
}

/// The program's type of what a pool holds.
pub fn program_type(
    table: &mut TypeTable,
    fit: Fit,
    file: Layout,
    index: u32,
) -> Result<u32, String> {
    let one = &file.types[index as usize];
    if *one == byte_type() {
        return Ok(table.made(byte_type()));
    }
    if one.kind != Kind::Struct {
        return table
            .counterpart(file.types, index, file.machine)
            .ok_or_else(|| format!("the type `{}` is not known here", one.name));
    }
    match parts(one) {
        Some(Parts::Rest(element, count, rest)) => {
            let element = program_type(table, fit, file, element)?;
            let byte = table.made(byte_type());
            let size = table.get(element).map_or(0, |one| one.size);
            let name = table
                .get(element)
                .map_or(String::new(), |one| one.name.clone());
            let bytes = size.saturating_mul(count);
            return Ok(table.made(with_rest(name, (element, count, bytes), (byte, rest))));
        }
        Some(Parts::Flexible(name, count)) => {
            let found = table.types().iter().find(|other| {
                let last = other.members.last();
                other.name == name && last.is_some_and(|last| last.count == 0)
            });
            let found = found.ok_or_else(|| missing(&name))?.clone();
            let last = &found.members[found.members.len() - 1];
            let step = table.get(last.type_index).map_or(0, |one| one.size);
            let length = last.offset.saturating_add(step.saturating_mul(count));
            let length = length.max(match file.machine.same_layout(table.machine()) {
                true => one.size,
                false => found.size,
            });
            return Ok(table.made(flexible(&found, count, length as usize)));
        }
        None => {}
    }
    let fits = |&other: &u32| {
        let program = table.layout();
        program.types[other as usize].name == one.name
            && program.types[other as usize].kind == Kind::Struct
            && format::fits(fit, file, index, program, other).is_ok()
    };
    let mut candidates = (0..table.types().len() as u32).filter(fits);
    candidates.next().ok_or_else(|| missing(&one.name))
}

fn missing(name: &str) -> String {
    format!("the program has no type `{name}` like the one in the checkpoint")
}
