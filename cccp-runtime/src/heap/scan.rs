//! Which blocks are reached, and what they hold.
//!
//! In: objects to begin with, and where everything registered lies. Out: pools. Blocks are looked at one after the other
//! from a queue: a list of a million nodes needs no stack. A block is looked at again when a later pointer says more
//! about its type.

use std::collections::{HashMap, HashSet, VecDeque};

use crate::format::Kind;
use crate::generation::Extent;
use crate::memory::{Program, blocks};
use crate::registry::{Lead, TypeTable};

use super::addresses::{Addresses, Spread};
use super::block_type::{Made, held, of_block};
use super::kinds::{Kinds, comes_back};

/// A registered object whose pointers are looked at.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its register.
    pub extent: Extent,
    /// All that can be reached, not only the blocks that its own pointers lead to.
    pub follow: bool,
    /// For people: "`follow(head)`, registered by main (list.c:12)".
    pub holder: String,
}

/// Blocks of one type that one item brought.
#[derive(Clone, Debug)]
pub struct Pool {
    /// Which of the objects.
    pub object: usize,
    /// Of one element; an index into [`Reached::kinds`].
    pub type_index: u32,
    /// Where each block begins, and how many elements it has.
    pub blocks: Vec<(usize, u64)>,
    /// Its only block overlaps with another register, or has no elements: it is placed like memory behind a pointer.
    pub tied: bool,
}

impl Pool {
    /// All elements.
    pub fn elements(&self) -> u64 {
        self.blocks.iter().map(|block| block.1).sum()
    }
}

/// What was found.
#[derive(Debug)]
pub struct Reached {
    /// All pools, in the order in which their first blocks were found.
    pub pools: Vec<Pool>,
    /// The session's types, and those of blocks.
    pub kinds: Kinds,
    /// The type of a number of elements.
    pub number: u32,
    by_start: Addresses<(u32, u64)>,
    sorted: Vec<(usize, usize)>,
    /// The first element of each of `sorted`, where all are in one pool; nothing is in `by_start` then.
    firsts: Vec<u64>,
}

impl Reached {
    /// Which pool an address lies in, in which element (one past the last for the end of a block) and at which byte,
    /// and whether that is the end of a block.
    pub fn find(&self, address: usize, at_end: bool) -> Option<(usize, u64, usize, bool)> {
        if let Some(&(pool, first)) = self.by_start.get(&address) {
            return Some((pool as usize, first, 0, false));
        }
        let at = self.sorted.partition_point(|block| block.0 <= address);
        let &(start, length) = self.sorted.get(at.checked_sub(1)?)?;
        let inside = address - start;
        if inside > length || (inside == length) != at_end {
            return None;
        }
        let (pool, first) = match self.firsts.get(at - 1) {
            Some(first) => (0, *first),
            None => *self.by_start.get(&start)?,
        };
        let size = self.kinds.size(self.pools[pool as usize].type_index);
        if at_end {
            let elements = length.checked_div(size)? as u64;
            return Some((pool as usize, first + elements - 1, 0, true));
        }
        let element = inside.checked_div(size).unwrap_or(0);
        Some((
            pool as usize,
            first + element as u64,
            inside - element * size,
            false,
        ))
    }
}

impl Reached {
    /// Blocks of bytes, by their addresses: one pool of them all, which no object has brought.
    pub fn of_bytes(table: &TypeTable, blocks: Vec<(usize, usize)>) -> Reached {
        let mut kinds = Kinds::new(table.types().to_vec());
        let (type_index, number) = (kinds.byte(), kinds.number());
        let firsts = blocks.iter().scan(0, |end, block| {
            let first = *end;
            *end += block.1 as u64;
            Some(first)
        });
        let firsts = firsts.collect();
        let elements = blocks.iter().map(|&(start, length)| (start, length as u64));
        Reached {
            pools: vec![Pool {
                object: 0,
                type_index,
                blocks: elements.collect(),
                tied: false,
            }],
            kinds,
            number,
            by_start: Addresses::default(),
            sorted: blocks,
            firsts,
        }
    }

    /// Where the first block behind an address begins, and its pool.
    pub fn next(&self, address: usize) -> Option<(usize, usize)> {
        let at = self.sorted.partition_point(|block| block.0 <= address);
        let (start, _) = *self.sorted.get(at)?;
        let pool = match self.firsts.is_empty() {
            true => self.by_start.get(&start)?.0,
            false => 0,
        };
        Some((start, pool as usize))
    }
}

#[derive(Debug)]
struct Block {
    start: usize,
    length: usize,
    /// What pointers say: the type they point to, and the byte they point at. Empty when all say that the block begins
    /// with `element`.
    claims: Vec<(u32, usize)>,
    element: Option<u32>,
    object: usize,
    follow: bool,
    /// An item says that its pointer leads to an array, if to the middle of it.
    whole: bool,
    /// An item is a pointer to it. Others may be garbage that nobody reads.
    named: bool,
    /// The claims disagree.
    disputed: bool,
    /// It cannot be saved: a pointer to it leads to nothing.
    left_out: bool,
}

/// What is done with a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    /// Its block is reached, and what the block leads to.
    Follow,
    /// Its block is reached.
    Whole,
    /// It only tells what it knows about a block that was reached.
    Claim,
}

/// The search.
pub struct Scan<'a> {
    program: &'a Program,
    table: &'a TypeTable,
    kinds: Kinds,
    registered: Vec<Extent>,
    blocks: Vec<Block>,
    known: Addresses<usize>,
    queue: VecDeque<usize>,
    /// Registers that were looked at.
    visited: HashSet<u64>,
    due: Vec<(Extent, usize)>,
    /// The pointer that is looked at is an item itself.
    named: bool,
    /// All blocks of the program, once somebody asked for the inside of one.
    all: Option<Vec<(usize, usize)>>,
}

impl<'a> Scan<'a> {
    /// A search that has not begun. `registered` is where everything registered lies.
    pub fn new(program: &'a Program, table: &'a TypeTable, mut registered: Vec<Extent>) -> Self {
        registered.sort_by_key(|extent| extent.start);
        Scan {
            program,
            table,
            kinds: Kinds::new(table.types().to_vec()),
            registered,
            blocks: Vec::new(),
            known: Addresses::default(),
            queue: VecDeque::new(),
            visited: HashSet::new(),
            due: Vec::new(),
            named: false,
            all: None,
        }
    }

    /// Finds what the objects reach.
    pub fn run(mut self, objects: &[Object]) -> Result<Reached, String> {
        for (number, object) in objects.iter().enumerate() {
            let whom = |reason| format!("{}: {reason}", object.holder);
            if object.follow {
                self.visited.insert(object.extent.id);
            }
            let manner = match object.follow {
                true => Manner::Follow,
                false => Manner::Whole,
            };
            self.object(&object.extent, number, manner).map_err(whom)?;
            self.all_due().map_err(whom)?;
        }
        self.other_claims(objects)?;
        self.settle(objects)?;
        self.pools(objects)
    }

    /// Looks at everything in the queues.
    fn all_due(&mut self) -> Result<(), String> {
        loop {
            if let Some((extent, number)) = self.due.pop() {
                self.object(&extent, number, Manner::Follow)?;
            } else if let Some(block) = self.queue.pop_front() {
                self.block(block, Manner::Follow)?;
            } else {
                return Ok(());
            }
        }
    }

    /// What other registered pointers, and those in blocks that are not followed, say about the blocks that were found.
    fn other_claims(&mut self, objects: &[Object]) -> Result<(), String> {
        if self.blocks.is_empty() {
            return Ok(());
        }
        for extent in self.registered.clone() {
            if !self.visited.contains(&extent.id) {
                self.object(&extent, 0, Manner::Claim)?;
            }
        }
        for block in 0..self.blocks.len() {
            let holder = &objects[self.blocks[block].object].holder;
            if !self.blocks[block].follow {
                self.block(block, Manner::Claim)
                    .map_err(|reason| format!("{holder}: {reason}"))?;
            }
        }
        self.all_due()
    }

    /// Looks at the pointers of a registered object.
    fn object(&mut self, extent: &Extent, number: usize, manner: Manner) -> Result<(), String> {
        let (start, elements) = (extent.start, extent.elements);
        let kind = self.kinds.types[extent.type_index as usize].kind;
        self.named = kind == Kind::Pointer && manner != Manner::Claim;
        let seen = self.elements(start, elements, extent.type_index, number, manner);
        self.named = false;
        seen
    }

    fn block(&mut self, index: usize, manner: Manner) -> Result<(), String> {
        let block = &self.blocks[index];
        let (start, length, object) = (block.start, block.length, block.object);
        let Some(element) = block.element else {
            return Ok(());
        };
        let size = self.kinds.size(element);
        if let Some((begin, part)) = self.kinds.flexible(element) {
            let step = self.kinds.size(part);
            if length >= size {
                self.elements(start, 1, element, object, manner)?;
            }
            let count = length.saturating_sub(begin).checked_div(step).unwrap_or(0);
            return self.elements(start + begin, count, part, object, manner);
        }
        let count = length.checked_div(size).unwrap_or(0);
        self.elements(start, count, element, object, manner)
    }

    fn elements(
        &mut self,
        start: usize,
        count: usize,
        type_index: u32,
        object: usize,
        manner: Manner,
    ) -> Result<(), String> {
        let pointers = self.kinds.pointers(type_index);
        if pointers.is_empty() {
            return Ok(());
        }
        let size = self.kinds.size(type_index);
        for element in 0..count {
            for &(at, kind) in pointers.iter() {
                let pointer = self.program.pointer(start + element * size + at);
                if pointer != 0 {
                    self.pointer(pointer, kind, object, manner)?;
                }
            }
        }
        Ok(())
    }

    fn pointer(
        &mut self,
        pointer: usize,
        kind: u32,
        object: usize,
        manner: Manner,
    ) -> Result<(), String> {
        let Some(lead) = self.table.leads(kind).next() else {
            return Ok(());
        };
        let follow = manner == Manner::Follow;
        let Some((start, length)) = self.block_at(pointer) else {
            let register = self
                .register_at(pointer, pointer.saturating_add(1))
                .cloned();
            match register {
                Some(extent) => self.enter(extent, object, follow),
                // A pointer that outlived its block leads to nothing, and after a restart it is poison; so does one to a place on the
                // stack, or what an uninitialised variable holds.
                None if pointer == self.program.poison()
                    || self.program.image_offset(pointer).is_none() => {}
                None if manner == Manner::Whole => {
                    return Err(format!(
                        "the `{}` points to memory that is neither registered nor allocated by the program itself (a \
                         static or local object, a block of a library, or one that was freed); register that memory \
                         instead",
                        self.kinds.name(kind)
                    ));
                }
                None => {}
            }
            return Ok(());
        };
        if let Some(extent) = self.register_at(start, start + length.max(1)).cloned()
            && extent.start <= start
            && extent.start + extent.size * extent.elements >= start + length
        {
            self.enter(extent, object, follow);
            return Ok(());
        }
        let index = match self.known.get(&start) {
            Some(&index) => index,
            None if manner == Manner::Claim => return Ok(()),
            None => {
                self.blocks.push(Block {
                    start,
                    length,
                    claims: Vec::new(),
                    element: None,
                    object,
                    follow: false,
                    whole: false,
                    named: false,
                    disputed: false,
                    left_out: false,
                });
                self.known.insert(start, self.blocks.len() - 1);
                self.blocks.len() - 1
            }
        };
        let (target, byte) = match lead {
            Lead::Element(target) => (target, pointer - start),
            Lead::One(_) | Lead::Many(_) => {
                (held(self.table, &self.kinds, kind, (start, length))?, 0)
            }
        };
        let block = &mut self.blocks[index];
        block.whole |= manner == Manner::Whole;
        block.named |= self.named;
        let more = self.claim(index, target, byte)?;
        let block = &mut self.blocks[index];
        if block.follow && more || follow && !block.follow {
            block.follow = true;
            self.queue.push_back(index);
        }
        Ok(())
    }

    /// A register that is reached is followed, too.
    fn enter(&mut self, extent: Extent, object: usize, follow: bool) {
        if follow && self.visited.insert(extent.id) {
            self.due.push((extent, object));
        }
    }

    /// Blocks of which no pointer, or more than one kind of pointer, says what they are: what is in them decides.
    fn settle(&mut self, objects: &[Object]) -> Result<(), String> {
        let mut at = 0;
        while at < self.blocks.len() {
            let block = &self.blocks[at];
            let holder = &objects[block.object].holder;
            let (follow, named, disputed) = (block.follow, block.named, block.disputed);
            if disputed || block.element.is_none() || !self.is_whole_number(at) {
                let chosen = self.by_content(at);
                if chosen.is_none() && named {
                    return Err(format!("{holder}: {}", self.dispute(at)));
                }
                let block = &mut self.blocks[at];
                block.left_out = chosen.is_none();
                block.disputed = false;
                if block.element != chosen {
                    block.element = chosen;
                    if follow && chosen.is_some() {
                        self.queue.push_back(at);
                    }
                    self.all_due()
                        .map_err(|reason| format!("{holder}: {reason}"))?;
                }
            }
            at += 1;
        }
        Ok(())
    }

    /// Whether a block that only pointers in other blocks lead to is as long as they say. The length of others is looked at
    /// when they are saved.
    fn is_whole_number(&mut self, index: usize) -> bool {
        let block = &self.blocks[index];
        let (Some(element), length) = (block.element, block.length) else {
            return false;
        };
        let (named, count) = (block.named, self.kinds.types.len());
        let fits = named || of_block(&mut self.kinds, &mut Made::new(), element, length).is_ok();
        self.kinds.types.truncate(count);
        fits
    }

    /// The type under which a restart brings the contents of a block back: each address in it is a pointer of that type, and
    /// each pointer of that type is an address or NULL. Without addresses these are bytes.
    fn by_content(&mut self, index: usize) -> Option<u32> {
        let (start, length) = (self.blocks[index].start, self.blocks[index].length);
        let (claims, whole) = (self.blocks[index].claims.clone(), self.blocks[index].whole);
        let mut candidates: Vec<u32> = Vec::new();
        for &(kind, byte) in &claims {
            let size = self.kinds.size(kind);
            let begins = byte == 0 || whole && byte.is_multiple_of(size);
            if begins && length.is_multiple_of(size) && !candidates.contains(&kind) {
                candidates.push(kind);
            }
        }
        let plain = |kinds: &mut Kinds, kind: u32| {
            kinds.pointers(kind).is_empty() && kinds.functions(kind).is_empty()
        };
        // On the same machine numbers of any kind are the same bytes.
        if claims.iter().all(|claim| plain(&mut self.kinds, claim.0))
            && let Some(&first) = candidates.first()
        {
            return Some(first);
        }
        let word = size_of::<usize>();
        let words = (0..length / word).map(|at| at * word);
        let addresses: Vec<usize> = words
            .filter(|at| {
                let pointer = self.program.pointer(start + at);
                self.is_address(pointer)
            })
            .collect();
        let found = candidates.into_iter().find(|&kind| {
            let size = self.kinds.size(kind);
            let mut own: Vec<usize> = Vec::new();
            for element in 0..length / size {
                let pointers = self.kinds.pointers(kind);
                let functions = self.kinds.functions(kind);
                own.extend(
                    pointers
                        .iter()
                        .chain(functions.iter())
                        .map(|one| element * size + one.0),
                );
            }
            let is_null = |at: &&usize| self.program.pointer(start + **at) == 0;
            addresses.iter().all(|at| own.contains(at))
                && own
                    .iter()
                    .filter(|at| !is_null(at))
                    .all(|at| addresses.contains(at))
        });
        found.or_else(|| addresses.is_empty().then(|| self.kinds.byte()))
    }

    /// Whether a word may be a pointer that a restart has to change.
    fn is_address(&mut self, word: usize) -> bool {
        word >= 4096
            && (self.block_at(word).is_some()
                || self.register_at(word, word.saturating_add(1)).is_some()
                || self.program.image_offset(word).is_some())
    }

    /// Why nobody can say what is in a block.
    fn dispute(&self, index: usize) -> String {
        let block = &self.blocks[index];
        let seen: Vec<&str> = block
            .claims
            .iter()
            .map(|claim| self.kinds.name(claim.0))
            .collect();
        match (seen.as_slice(), block.element) {
            ([first, .., last], Some(_)) => format!(
                "a block of {} bytes is reached as `{first}` and as `{last}`, and it is unknown which one it is",
                block.length
            ),
            ([first, ..], _) => format!(
                "a `{first}` in the middle of a block of {} bytes is pointed to, but no pointer to the whole block says \
                 what it is; follow one that does",
                block.length
            ),
            ([], _) => format!(
                "only the end of a block of {} bytes is pointed to, so it is unknown what is in it",
                block.length
            ),
        }
    }

    /// A pointer to `target` leads to this byte of a block. True when more is known about the block now.
    fn claim(&mut self, index: usize, target: u32, byte: usize) -> Result<bool, String> {
        let size = self.kinds.size(target);
        let length = self.blocks[index].length;
        // The end of a block says nothing about what is in it.
        if size == 0 || byte >= length && byte > 0 {
            return Ok(false);
        }
        if let Some(element) = self.blocks[index].element
            && self.holds(element, target, byte)
        {
            return Ok(false);
        }
        let block = &mut self.blocks[index];
        if block.claims.is_empty() {
            match block.element {
                None if byte == 0 => {
                    block.element = Some(target);
                    return Ok(true);
                }
                None => {}
                Some(element) => block.claims.push((element, 0)),
            }
        }
        let claims = &mut self.blocks[index].claims;
        if !claims.contains(&(target, byte)) {
            claims.push((target, byte));
        }
        let claims = self.blocks[index].claims.clone();
        let whole = self.blocks[index].whole;
        let before = self.blocks[index].element;
        let candidates = claims.iter().map(|claim| claim.0);
        let fits = |&candidate: &u32| {
            let size = self.kinds.size(candidate);
            // A pointer to the middle of a struct would make numbers of what else is in it.
            let begins = |&&(kind, byte): &&(u32, usize)| {
                kind == candidate && (byte == 0 || whole && byte.is_multiple_of(size))
            };
            claims.iter().any(|claim| begins(&claim))
                && claims
                    .iter()
                    .all(|&(kind, byte)| self.holds(candidate, kind, byte))
        };
        let best = candidates
            .filter(fits)
            .max_by_key(|&one| self.kinds.size(one));
        match (best, before) {
            (Some(best), _) => {
                self.blocks[index].disputed = false;
                self.blocks[index].element = Some(best);
                Ok(before != Some(best))
            }
            (None, Some(_)) => {
                self.blocks[index].disputed = true;
                Ok(false)
            }
            (None, None) => Ok(false),
        }
    }

    /// Whether a block of such elements has a `part` at this byte.
    fn holds(&self, element: u32, part: u32, byte: usize) -> bool {
        let size = self.kinds.size(element);
        match self.kinds.flexible(element) {
            Some((start, inner)) if byte >= start => {
                let step = self.kinds.size(inner).max(1);
                self.kinds.covers(inner, (byte - start) % step, part)
            }
            _ => size > 0 && self.kinds.covers(element, byte % size, part),
        }
    }

    /// The block that an address lies in, its end included.
    fn block_at(&mut self, address: usize) -> Option<(usize, usize)> {
        if let Some(length) = blocks::length(address) {
            return Some((address, length));
        }
        let all = self.all.get_or_insert_with(blocks::all);
        let at = all.partition_point(|block| block.0 <= address);
        let &(start, length) = all.get(at.checked_sub(1)?)?;
        (address - start <= length).then_some((start, length))
    }

    /// A register that has a byte between two addresses.
    fn register_at(&self, start: usize, end: usize) -> Option<&Extent> {
        let before = self.registered.partition_point(|extent| extent.start < end);
        let meets = |extent: &&Extent| extent.start + extent.size * extent.elements > start;
        // Registers seldom overlap: the one that begins last is nearly always the one.
        self.registered[..before].iter().rev().find(meets)
    }

    fn pools(self, objects: &[Object]) -> Result<Reached, String> {
        let mut reached = Reached {
            pools: Vec::new(),
            kinds: Kinds::new(Vec::new()),
            number: 0,
            by_start: Addresses::with_capacity_and_hasher(self.blocks.len(), Spread::default()),
            sorted: Vec::with_capacity(self.blocks.len()),
            firsts: Vec::new(),
        };
        let mut made = Made::new();
        let mut counts: Vec<u64> = Vec::new();
        let mut kinds = Kinds::new(self.kinds.types.clone());
        let mut pools: HashMap<(usize, u32), usize> = HashMap::new();
        for block in &self.blocks {
            let holder = &objects[block.object].holder;
            let Some(element) = block.element.filter(|_| !block.left_out) else {
                continue;
            };
            let (type_index, elements) = of_block(&mut kinds, &mut made, element, block.length)
                .map_err(|reason| {
                    format!(
                        "{holder}: a block is reached as `{}`, but {reason}",
                        kinds.name(element)
                    )
                })?;
            let kind = &kinds.types[type_index as usize];
            if kind.kind == Kind::Handle && !comes_back(&kind.name) {
                return Err(format!(
                    "{holder}: a block of `{}` is reached, and such values mean nothing in another process",
                    kinds.name(type_index)
                ));
            }
            let end = block.start + block.length;
            let tied = elements == 0 || self.register_at(block.start, end).is_some();
            let key = (block.object, type_index);
            let pool = match pools.get(&key) {
                Some(&pool) if !tied => pool,
                _ => {
                    reached.pools.push(Pool {
                        object: block.object,
                        type_index,
                        blocks: Vec::new(),
                        tied,
                    });
                    let pool = reached.pools.len() - 1;
                    if !tied {
                        pools.insert(key, pool);
                    }
                    pool
                }
            };
            counts.resize(reached.pools.len(), 0);
            let first = counts[pool];
            counts[pool] += elements;
            reached.pools[pool].blocks.push((block.start, elements));
            reached.by_start.insert(block.start, (pool as u32, first));
            reached.sorted.push((block.start, block.length));
        }
        reached.sorted.sort_unstable();
        reached.number = kinds.number();
        reached.kinds = kinds;
        Ok(reached)
    }
}
