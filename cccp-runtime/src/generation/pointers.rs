//! Pointers as something that means the same in another process.
//!
//! In: the places of everything registered, the program's arguments, functions and read-only data. Out: what a raw
//! pointer points to. A pointer into an allocated block that an item brought belongs to it; one into several registers
//! belongs to the one that begins last; one past the end of a register belongs to it only when nothing else begins there.
//! One that leads to nothing may lie shortly before something (`malloc(n) - 1`), which [`Map::ahead`] tells.

use crate::format::types::{leaf_at, leaf_count};
use crate::format::{Kind, PointerValue, Type};
use crate::memory::{Arguments, Libraries, LibraryPlace, Program, blocks, fixed, on_stack, views};
use std::cell::{OnceCell, Ref, RefCell};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

/// The name of the function at an address; not when two files of the program have a function of that name each.
pub fn only_name(functions: &HashMap<usize, String>, address: usize) -> Option<&String> {
    let name = functions.get(&address)?;
    let namesakes = functions.values().filter(|other| *other == name);
    (namesakes.count() == 1).then_some(name)
}

/// Where a register's elements lie.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// Names the register in the file.
    pub id: u64,
    /// Address of the first element that is saved.
    pub start: usize,
    /// Bytes per element.
    pub size: usize,
    /// How many elements.
    pub elements: usize,
    /// Their type.
    pub type_index: u32,
}

impl Extent {
    fn end(&self) -> usize {
        self.start
            .saturating_add(self.size.saturating_mul(self.elements))
    }
}

/// Blocks of allocated memory that are saved without a register directive of their own.
pub trait Blocks: std::fmt::Debug {
    /// The register, the type of its elements, the element and the byte in it, and whether the end of a block is meant:
    /// then the element is the last one of the block.
    fn find(&self, address: usize, at_end: bool) -> Option<(u64, u32, u64, usize, bool)>;

    /// Where the first block behind an address begins, and its register.
    fn next(&self, address: usize) -> Option<(usize, u64)>;
}

/// A pointer that lies before something that is saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ahead {
    /// Bytes from the pointer to it.
    pub bytes: usize,
    /// Its register; of a block that an item brought, the one that stands for it. None when nothing saves it.
    pub id: Option<u64>,
    /// The pointer points to allocated memory of which only what is further behind is saved.
    pub is_inside: bool,
}

/// So near to the beginning of a block no other one can have begun: before each the C library has a note, and the least it gives
/// is as long as two of them.
const NEAR: usize = 4 * size_of::<usize>();

/// All places, ready to be searched.
#[derive(Debug)]
pub struct Map<'a> {
    extents: Vec<Extent>,
    farthest: Vec<usize>,
    types: &'a [Type],
    program: &'a Program,
    arguments: &'a Arguments,
    functions: &'a HashMap<usize, String>,
    streams: HashMap<usize, u64>,
    blocks: Option<&'a dyn Blocks>,
    /// All blocks of the program, once somebody asks: where each begins, and its length.
    all: OnceCell<Vec<(usize, usize)>>,
    /// The shared libraries, once somebody asks.
    libraries: OnceCell<Libraries>,
    /// Constants of theirs to which pointers led, by address.
    constants: RefCell<BTreeMap<u64, LibraryPlace>>,
}

impl<'a> Map<'a> {
    /// The same with blocks of allocated memory.
    pub fn with_blocks(mut self, blocks: &'a dyn Blocks) -> Map<'a> {
        self.blocks = Some(blocks);
        self
    }

    /// Sorts the places.
    pub fn new(
        mut extents: Vec<Extent>,
        types: &'a [Type],
        program: &'a Program,
        arguments: &'a Arguments,
        functions: &'a HashMap<usize, String>,
    ) -> Map<'a> {
        // Of registers of the same memory the first one counts: it is back before a call that was handed a pointer there.
        extents.sort_unstable_by_key(|extent| {
            let (end, id) = (extent.end(), extent.id);
            (extent.start, Reverse(end), Reverse(id))
        });
        let farthest = extents
            .iter()
            .scan(0usize, |end, extent| {
                *end = (*end).max(extent.end());
                Some(*end)
            })
            .collect();
        Map {
            extents,
            farthest,
            types,
            program,
            arguments,
            functions,
            streams: HashMap::new(),
            blocks: None,
            all: OnceCell::new(),
            libraries: OnceCell::new(),
            constants: RefCell::default(),
        }
    }

    /// With the numbers of the registers that stand for open streams, by the streams' addresses.
    pub fn with_streams(self, streams: HashMap<usize, u64>) -> Map<'a> {
        Map { streams, ..self }
    }

    /// What a raw pointer points to.
    pub fn resolve(&self, raw: u64, kind: Kind) -> PointerValue {
        let Ok(address) = usize::try_from(raw) else {
            return PointerValue::Unresolved { address: raw };
        };
        if address == 0 {
            return PointerValue::Null;
        }
        if let Some(&id) = self.streams.get(&address) {
            let (element, leaf, byte) = (0, 0, 0);
            return PointerValue::Register {
                id,
                element,
                leaf,
                byte,
            };
        }
        if kind == Kind::Function {
            let function = self.function(address);
            return function.unwrap_or_else(|| self.elsewhere(address));
        }
        if let Some(found) = self
            .block(address, false)
            .or_else(|| self.register(address, false))
            .or_else(|| self.block(address, true))
            .or_else(|| self.register(address, true))
        {
            return found;
        }
        if let Some((index, offset)) = self.arguments.find(address) {
            return PointerValue::Argument { index, offset };
        }
        if let Some(found) = self.function(address) {
            return found;
        }
        match self.program.image_offset(address) {
            Some(offset) => PointerValue::Image { offset },
            None => self.elsewhere(address),
        }
    }

    /// What nothing explains that is saved: a constant of a library is noted.
    fn elsewhere(&self, address: usize) -> PointerValue {
        if self.is_gone(address) {
            return PointerValue::released();
        }
        let value = PointerValue::unresolved(address);
        if value.number().is_none()
            && let Some(place) = self.constant(address)
        {
            self.constants.borrow_mut().insert(address as u64, place);
        }
        value
    }

    /// Whether the program has released what was at an address, and has nothing there now. In a fixed heap addresses stay what they are.
    fn is_gone(&self, address: usize) -> bool {
        let is_there = || {
            let all = self.all.get_or_init(blocks::all);
            let block = all[..all.partition_point(|block| block.0 <= address)].last();
            block.is_some_and(|(start, length)| address - start <= *length)
        };
        let was_released = || blocks::was_released(address) && !is_there();
        !fixed::is_near(address) && (address == self.program.poison_of_released() || was_released())
    }

    /// The constant of a shared library that lies at an address.
    pub fn constant(&self, address: usize) -> Option<LibraryPlace> {
        let libraries = self.libraries.get_or_init(Libraries::loaded);
        libraries.place(self.program, address)
    }

    /// The constants of shared libraries to which pointers have led so far, by address.
    pub fn constants(&self) -> Ref<'_, BTreeMap<u64, LibraryPlace>> {
        self.constants.borrow()
    }

    /// Whether a restart would not know where a pointer leads.
    pub fn leads_nowhere(&self, value: &PointerValue) -> bool {
        match value {
            PointerValue::Unresolved { address } => {
                let is_view = || views::are_around(*address);
                value.number().is_none()
                    && !self.constants.borrow().contains_key(address)
                    && !is_view()
            }
            _ => false,
        }
    }

    /// What a pointer that points to nothing lies before: so near that it can hardly have led to something else, or in the same
    /// allocated block.
    pub fn ahead(&self, address: usize) -> Option<Ahead> {
        let at = self
            .extents
            .partition_point(|extent| extent.start <= address);
        let register = self.extents.get(at).map(|one| (one.start, Some(one.id)));
        let block = self.blocks.and_then(|blocks| blocks.next(address));
        let block = block.map(|(start, id)| (start, Some(id)));
        let all = self.all.get_or_init(blocks::all);
        let behind = all.partition_point(|block| block.0 <= address);
        let other = all.get(behind);
        let around = all[..behind].last();
        let around = around.filter(|(start, length)| address - start <= *length);
        let other = other.map(|block| (block.0, None));
        let found = register.into_iter().chain(block).chain(other);
        let (start, id) = found.min_by_key(|(start, id)| (*start, id.is_none()))?;
        let bytes = start - address;
        let is_near = around.is_none() && bytes < NEAR;
        let is_inside = match around {
            Some((begin, length)) => begin + length > start,
            None => {
                let room = || self.program.room(address);
                !is_near && room().is_some_and(|room| room > bytes as u64)
            }
        };
        // Of variables and of what was freed nobody knows that it is missed; a pointer there lies near to another block by chance. One
        // from which the program takes something away is looked at all the same (`is_between`).
        let is_other = || {
            blocks::was_released(address)
                || self.program.image_offset(address).is_some()
                || on_stack(address)
        };
        ((is_near || is_inside) && !is_other()).then_some(Ahead {
            bytes,
            id,
            is_inside,
        })
    }

    /// Whether a pointer points to the end of something, or to what was freed, while something else begins right behind it: it may
    /// lie before that.
    pub fn is_between(&self, address: usize) -> bool {
        let of = |at_end: bool| {
            let block = self.block(address, at_end);
            block.or_else(|| self.register(address, at_end)).is_some()
        };
        if of(false) || !of(true) && !blocks::was_released(address) {
            return false;
        }
        let all = self.all.get_or_init(blocks::all);
        let block = all.get(all.partition_point(|block| block.0 <= address));
        let block = block.is_some_and(|block| block.0 - address < NEAR);
        let at = self
            .extents
            .partition_point(|extent| extent.start <= address);
        let register = self.extents.get(at);
        // Neither variables nor what is not allocated have anything between them; of them nobody knows.
        block
            || register.is_some_and(|one| {
                one.start - address < NEAR && self.program.room(one.start).is_some()
            })
    }

    /// A function by name.
    fn function(&self, address: usize) -> Option<PointerValue> {
        let name = only_name(self.functions, address)?.clone();
        Some(PointerValue::Function { name })
    }

    fn block(&self, address: usize, at_end: bool) -> Option<PointerValue> {
        let (id, type_index, element, byte, ended) = self.blocks?.find(address, at_end)?;
        let (leaf, byte) = match ended {
            true => (leaf_count(self.types, type_index), 0),
            false => leaf_at(self.types, type_index, byte as u64),
        };
        Some(PointerValue::Register {
            id,
            element,
            leaf,
            byte,
        })
    }

    fn register(&self, address: usize, at_end: bool) -> Option<PointerValue> {
        let mut at = self
            .extents
            .partition_point(|extent| extent.start <= address);
        while at > 0 {
            at -= 1;
            if self.farthest[at] < address {
                return None;
            }
            let extent = &self.extents[at];
            let inside = address < extent.end() || (at_end && address == extent.end());
            if !inside || extent.size == 0 {
                continue;
            }
            let distance = address - extent.start;
            let (leaf, byte) = leaf_at(
                self.types,
                extent.type_index,
                (distance % extent.size) as u64,
            );
            return Some(PointerValue::Register {
                id: extent.id,
                element: (distance / extent.size) as u64,
                leaf,
                byte,
            });
        }
        None
    }
}
