//! The allocated blocks that items bring: found for a checkpoint.
//!
//! In: the registers on the way, with their places. Out: pools, each with numbers of its own in the file, and what
//! pointers into them mean.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::format::{self, Data, Encoding, FormatError};
use crate::generation::{Blocks, Extent};
use crate::heap::{Object, Pool, Reached, Scan};
use crate::registry::{
    BEHIND, BLOCKS, FOLLOW, Function, HEAP, Register, RegisterId, TypeTable, WHOLE,
};

use super::Session;
use super::collect::Collector;
use super::collected::Loss;

/// Pools with the numbers of their registers.
#[derive(Debug)]
pub struct Numbered {
    /// The pools.
    pub reached: Reached,
    /// The registers of the objects that brought them.
    objects: Vec<RegisterId>,
    /// The number of the first pool's register; every pool takes two.
    first: u64,
}

/// Stands for the item where no item has brought the blocks.
const NOBODY: RegisterId = RegisterId::MAX;

/// What the registers of a pool are called, and where they come from.
pub(super) struct Source<'a> {
    /// The blocks' name.
    pub name: String,
    /// The function of the item.
    pub function: &'a Rc<Function>,
    /// Its line.
    pub line: u32,
}

impl Numbered {
    /// Blocks of bytes that no item has brought.
    pub fn of_bytes(table: &TypeTable, blocks: Vec<(usize, usize)>, first: u64) -> Numbered {
        Numbered {
            reached: Reached::of_bytes(table, blocks),
            objects: vec![NOBODY],
            first,
        }
    }

    /// The pools that an item brought, with the numbers of their registers.
    pub fn of(&self, item: RegisterId) -> impl Iterator<Item = (u64, &Pool, &Reached)> {
        let pools = self.reached.pools.iter().enumerate();
        pools
            .filter(move |(_, pool)| self.objects[pool.object] == item)
            .map(|(number, pool)| (self.id(number), pool, &self.reached))
    }

    /// Those that no item has brought: of the fixed heap.
    pub fn fixed(&self) -> impl Iterator<Item = (u64, &Pool, &Reached)> {
        self.of(NOBODY)
    }

    /// All pools, with the numbers of their registers.
    pub fn all(&self) -> impl Iterator<Item = (u64, &Pool)> {
        let pools = self.reached.pools.iter().enumerate();
        pools.map(|(number, pool)| (self.id(number), pool))
    }

    /// The first number that no register has.
    pub fn next(&self) -> u64 {
        self.id(self.reached.pools.len())
    }

    fn id(&self, pool: usize) -> u64 {
        self.first + 2 * pool as u64
    }
}

impl Blocks for Numbered {
    fn find(&self, address: usize, at_end: bool) -> Option<(u64, u32, u64, usize, bool)> {
        let (pool, element, byte, ended) = self.reached.find(address, at_end)?;
        let kind = self.reached.pools[pool].type_index;
        Some((self.id(pool), kind, element, byte, ended))
    }

    fn next(&self, address: usize) -> Option<(usize, u64)> {
        let (start, pool) = self.reached.next(address)?;
        Some((start, self.id(pool)))
    }
}

/// How the blocks of an item are called in a file: `p[]`, `follow(head): struct node`.
pub fn brought(register: &Register, kind: &str) -> String {
    match register.flags & FOLLOW {
        0 => format!("{}[]", register.name),
        _ => format!("follow({}): {kind}", register.name),
    }
}

impl Session {
    /// Finds all blocks that the items bring; none when no item brings any.
    pub(super) fn reach(
        &self,
        extents: &BTreeMap<RegisterId, Extent>,
    ) -> Result<Option<Numbered>, String> {
        let brings =
            |one: &&Register| one.flags & (WHOLE | FOLLOW) != 0 && extents.contains_key(&one.id);
        let items: Vec<&Register> = self.registers.iter().filter(brings).collect();
        if items.is_empty() {
            return Ok(None);
        }
        let objects: Vec<Object> = items
            .iter()
            .map(|one| Object {
                extent: extents[&one.id],
                follow: one.flags & FOLLOW != 0,
                holder: format!(
                    "{}, registered by {} ({}:{})",
                    match one.flags & FOLLOW {
                        0 => format!("`{}[]`", one.name),
                        _ => format!("`follow({})`", one.name),
                    },
                    one.function.name,
                    one.function.file,
                    one.line
                ),
            })
            .collect();
        let registered = extents.values().copied().collect();
        let reached = Scan::new(&self.program, &self.types, registered).run(&objects)?;
        Ok(Some(Numbered {
            reached,
            objects: items.iter().map(|one| one.id).collect(),
            first: self.registers.next(),
        }))
    }
}

impl Collector<'_> {
    /// The registers of a pool: how many elements each block has, unless there is only one, and the elements.
    pub(super) fn pool(
        &mut self,
        (id, pool, reached): (u64, &Pool, &Reached),
        source: Source,
        encoding: Encoding,
    ) -> Result<Vec<format::Register>, FormatError> {
        let size = reached.kinds.size(pool.type_index);
        let elements = pool.elements();
        let program = &self.session.program;
        let blocks: Vec<&[u8]> = { pool.blocks.iter() }
            .map(|&(start, count)| program.view(start, size * usize::try_from(count).unwrap_or(0)))
            .collect();
        let Source {
            name,
            function,
            line,
        } = source;
        let holder = || format!("{name} of {} ({}:{line})", function.name, function.file);
        // In the order of the file, so that each has its memory again at the next checkpoint.
        let for_lengths = match blocks.len() {
            1 => Vec::new(),
            count => self.copying.buffer(count * 8),
        };
        let bytes = blocks.iter().map(|block| block.len()).sum::<usize>();
        self.buffer = self.copying.buffer(bytes);
        let data = match self.leave(id, pool.type_index, blocks.clone()) {
            true => Vec::new(),
            false => self.encode(
                pool.type_index,
                &blocks,
                elements,
                encoding,
                &holder,
                Loss::Poison,
            )?,
        };
        let function = self.function(function);
        let mut whole = format::Register {
            id,
            name: name.clone(),
            function,
            line,
            address: match pool.blocks.as_slice() {
                [(start, _)] => *start as u64,
                _ => 0,
            },
            element_size: size as u64,
            elements,
            extents: vec![elements],
            first: 0,
            type_index: pool.type_index,
            flags: HEAP | if pool.tied { BEHIND } else { 0 },
            data: Data::Encoded(Vec::new()),
        };
        if pool.blocks.len() == 1 {
            whole.data = Data::Encoded(data);
            return Ok(vec![whole]);
        }
        let lengths: Vec<u8> = pool
            .blocks
            .iter()
            .flat_map(|block| block.1.to_ne_bytes())
            .collect();
        let count = pool.blocks.len() as u64;
        let type_index = reached.number;
        self.buffer = for_lengths;
        let encoded = self.encode(
            type_index,
            &[&lengths],
            count,
            encoding,
            &holder,
            Loss::None,
        )?;
        let lengths = format::Register {
            id: id + 1,
            name: format!("blocks of {name}"),
            address: 0,
            element_size: 8,
            elements: count,
            extents: vec![count],
            type_index,
            flags: BLOCKS,
            data: Data::Encoded(encoded),
            // Without what the blocks hold.
            ..whole.clone()
        };
        whole.data = Data::Encoded(data);
        Ok(vec![lengths, whole])
    }
}
