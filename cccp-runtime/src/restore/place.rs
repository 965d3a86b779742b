//! Where the pointers of a checkpoint lead in this process.
//!
//! In: a pointer as something that means the same everywhere. Out: an address. Memory behind registered pointers gets
//! its place on first need; an object has one as soon as its register directive has run again. What leads nowhere
//! becomes *poison*, an address whose use stops the program at once; an argument that leads nowhere stops the restart.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

use crate::format::types::LeafIn;
use crate::format::{self, PointerValue, types};
use crate::heap::Heap;
use crate::memory::{Arguments, Program, Regions, fixed, views};
use crate::registry::TypeTable;

use super::origins::Origins;

/// Where registered things are in this process.
#[derive(Debug, Default)]
pub struct Places {
    /// Memory behind pointers.
    pub regions: Regions,
    /// Allocated blocks that items brought.
    pub heap: Heap,
    /// Objects that have been registered again: address of the first element saved.
    pub objects: HashMap<u64, usize>,
    /// The program's types of the registers, as far as known.
    pub types: HashMap<u64, u32>,
    /// Where the memory of items came from.
    pub origins: Origins,
    /// Addresses of the pointers that point to items and that this restart has set.
    pub pointers: HashSet<usize>,
    /// Open streams, by the registers that stand for them.
    pub streams: HashMap<u64, usize>,
    /// Constants of shared libraries, by the addresses that they had; none where the library is not there.
    pub constants: HashMap<u64, Option<usize>>,
}

/// What a pointer led to that leads nowhere now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LedTo {
    /// Nothing that was saved.
    Nothing,
    /// A constant of a shared library.
    OtherLibrary,
    /// A constant of the program.
    OtherBuild,
}

impl fmt::Display for LedTo {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            LedTo::Nothing => "nothing that was registered",
            LedTo::OtherLibrary => {
                "constant data of a shared library that is not loaded now, or is another build"
            }
            LedTo::OtherBuild => {
                "constant data (a string literal) of the build that wrote the checkpoint"
            }
        })
    }
}

/// What is needed to place pointers, borrowed for one value.
pub struct Placer<'a> {
    /// Where registered things are.
    pub places: &'a mut Places,
    /// The checkpoint's registers.
    pub registers: &'a BTreeMap<u64, format::Register>,
    /// The program's memory.
    pub program: &'a Program,
    /// Its command line.
    pub arguments: &'a Arguments,
    /// Its functions by address.
    pub names: &'a HashMap<usize, String>,
    /// Its types.
    pub table: &'a TypeTable,
    /// The checkpoint's types.
    pub file_types: &'a [format::Type],
    /// Addresses of read-only data mean the same: the program is the same build.
    pub same_build: bool,
    /// An object that has not been registered again is an error, and so is a pointer that leads nowhere.
    pub strict: bool,
    /// What pointers led to that became poison; the last kind of several.
    pub lost: Option<LedTo>,
}

impl Placer<'_> {
    /// Where `value` leads.
    pub fn place(&mut self, value: PointerValue) -> Result<u64, String> {
        if let Some(number) = value.number() {
            return Ok(number as usize as u64);
        }
        let found = match &value {
            PointerValue::Null => return Ok(0),
            PointerValue::Register {
                id,
                element,
                leaf,
                byte,
            } => self.register(*id, *element, *leaf, *byte)?,
            PointerValue::Argument { index, offset } => self.arguments.address(*index, *offset),
            PointerValue::Function { name } => {
                let mut named = self.names.iter().filter(|(_, known)| *known == name);
                let first = named.next().map(|(&address, _)| address);
                // Two functions of one name: nobody can say which one is meant.
                first.filter(|_| named.next().is_none())
            }
            PointerValue::Image { offset } if self.same_build => {
                self.program.image_address(*offset)
            }
            PointerValue::Unresolved { address } => match self.places.constants.get(address) {
                Some(constant) => *constant,
                None if views::are_around(*address) => usize::try_from(*address).ok(),
                // Before a block of the fixed heap, or where one was.
                None if self.places.heap.fixed().is_some() => {
                    let address = usize::try_from(*address).ok();
                    address.filter(|address| fixed::is_near(*address))
                }
                None => None,
            },
            PointerValue::Image { .. } => None,
        };
        let is_constant = |address| self.places.constants.contains_key(&address);
        match found {
            Some(address) => Ok(address as u64),
            None if self.strict => Err(match value {
                PointerValue::Function { name } => {
                    format!("it points to the function {name}, which this program does not name")
                }
                PointerValue::Image { .. } => {
                    "it points to constant data of another build of the program".to_string()
                }
                PointerValue::Register { id, .. } => match self.registers.get(&id) {
                    Some(register) => format!(
                        "it points to `{}`, which is registered only later (line {})",
                        register.name, register.line
                    ),
                    None => "it points to something that was not saved".to_string(),
                },
                PointerValue::Unresolved { address } if is_constant(address) => {
                    format!("it points to {}", LedTo::OtherLibrary)
                }
                _ => "it points to nothing that is registered".to_string(),
            }),
            None => {
                let led_to = match value {
                    PointerValue::Image { .. } => LedTo::OtherBuild,
                    PointerValue::Unresolved { address } if is_constant(address) => {
                        LedTo::OtherLibrary
                    }
                    _ => LedTo::Nothing,
                };
                if value.is_released() {
                    return Ok(self.program.poison_of_released() as u64);
                }
                self.lost = self.lost.max(Some(led_to));
                Ok(self.program.poison() as u64)
            }
        }
    }

    fn register(
        &mut self,
        id: u64,
        element: u64,
        leaf: u64,
        byte: u64,
    ) -> Result<Option<usize>, String> {
        if let Some(&stream) = self.places.streams.get(&id) {
            return Ok((element == 0 && leaf == 0 && byte == 0).then_some(stream));
        }
        let Some(register) = self.registers.get(&id) else {
            return Ok(None);
        };
        let Some(&type_index) = self.places.types.get(&id) else {
            return Ok(None);
        };
        let mut block = None;
        if let Some(pool) = self.places.heap.pool(id) {
            let Some((number, inside, ended)) = self.places.heap.block_of(pool, element, leaf)
            else {
                return Ok(None);
            };
            let Places {
                heap,
                regions,
                origins,
                ..
            } = &mut *self.places;
            let is_new = heap.placed(pool, number).is_none();
            let start = heap
                .place(self.program, regions, pool, number)
                .map_err(|error| error.to_string())?;
            if is_new {
                // No other block may be here when the program's own pointer leads here by then.
                origins.take(start, heap.pools[pool].length(number));
            }
            let size = self.table.get(type_index).map_or(0, |one| one.size) as usize;
            let place = start + inside as usize * size;
            if ended || leaf == 0 && byte == 0 && inside == 0 {
                return Ok(Some(place + if ended { size } else { 0 }));
            }
            block = Some(place);
        }
        // A file that was forged leads nowhere, not past the memory of a register.
        if element > register.elements || element == register.elements && (leaf, byte) != (0, 0) {
            return Ok(None);
        }
        let size = self.table.get(type_index).map_or(0, |one| one.size);
        let base = match (block, self.places.objects.get(&id)) {
            (Some(place), _) => Some(place.wrapping_sub((element * size) as usize)),
            (None, Some(&address)) => Some(address),
            (None, None) => self
                .places
                .regions
                .place(self.program, id)
                .map_err(|error| error.to_string())?
                .map(|address| address + (register.first * size) as usize),
        };
        let own = types::leaf_in(
            self.file_types,
            register.type_index,
            leaf,
            self.table.types(),
            type_index,
        );
        let inside = match own {
            LeafIn::Leaf(leaf) => types::offset_of(self.table.types(), type_index, leaf, byte),
            LeafIn::Gone => None,
            LeafIn::Unsure if element == register.elements => None,
            LeafIn::Unsure => {
                return Err(format!(
                    "a pointer points to the beginning of an element of `{}`, whose first member is another one now: \
                     it is unknown whether it means the element or the member",
                    register.name
                ));
            }
        };
        let inside = match inside {
            Some(inside) => inside,
            // The end of a register, or an element of no bytes.
            None if (leaf, byte) == (0, 0) && own != LeafIn::Gone => 0,
            None => return Ok(None),
        };
        Ok(base.map(|base| base.wrapping_add((element * size + inside) as usize)))
    }
}
