//! Where the pointers of an element are, and what lies at a byte of it.

use std::rc::Rc;

use crate::comm;
use crate::format::{Kind, Type};
use crate::libraries;
use crate::memory::is_lock;
use crate::messages::REQUEST_TYPE;

use super::block_type::byte_type;

/// Whether handles of this type come back by themselves in this program: a request as none, a lock as one that nobody holds.
pub fn comes_back(kind: &str) -> bool {
    kind == REQUEST_TYPE
        || is_lock(kind)
        || comm::comes_back(kind)
        || libraries::is_object(kind) && libraries::are_noted()
}

/// A pointer of an element: its byte, and its type.
pub type PointerAt = (usize, u32);

/// Types, with the places of their pointers remembered.
#[derive(Debug)]
pub struct Kinds {
    /// All of them.
    pub types: Vec<Type>,
    /// Pointers to objects and to functions, and handles, by type.
    pointers: Vec<[Option<Rc<Vec<PointerAt>>>; 3]>,
}

/// Views of the same memory that C programs mix: a number and its parts.
fn is_view(whole: Kind, part: Kind) -> bool {
    let signs = [
        (Kind::Short, Kind::UnsignedShort),
        (Kind::Int, Kind::UnsignedInt),
        (Kind::Long, Kind::UnsignedLong),
        (Kind::LongLong, Kind::UnsignedLongLong),
    ];
    let parts = [
        (Kind::ComplexFloat, Kind::Float),
        (Kind::ComplexDouble, Kind::Double),
        (Kind::ComplexLongDouble, Kind::LongDouble),
    ];
    signs.contains(&(whole, part))
        || signs.contains(&(part, whole))
        || parts.contains(&(whole, part))
}

impl Kinds {
    /// These types.
    pub fn new(types: Vec<Type>) -> Kinds {
        Kinds {
            types,
            pointers: Vec::new(),
        }
    }

    /// Bytes of an element.
    pub fn size(&self, type_index: u32) -> usize {
        self.types
            .get(type_index as usize)
            .map_or(0, |one| one.size as usize)
    }

    /// The pointers to objects in an element.
    pub fn pointers(&mut self, type_index: u32) -> Rc<Vec<PointerAt>> {
        self.leaves(type_index, Kind::Pointer)
    }

    /// The pointers to functions in an element.
    pub fn functions(&mut self, type_index: u32) -> Rc<Vec<PointerAt>> {
        self.leaves(type_index, Kind::Function)
    }

    /// The handles of libraries in an element: nothing is saved of them.
    pub fn handles(&mut self, type_index: u32) -> Rc<Vec<PointerAt>> {
        self.leaves(type_index, Kind::Handle)
    }

    fn leaves(&mut self, type_index: u32, kind: Kind) -> Rc<Vec<PointerAt>> {
        let row = type_index as usize;
        let column = match kind {
            Kind::Pointer => 0,
            Kind::Function => 1,
            _ => 2,
        };
        if let Some(known) = self.pointers.get(row).and_then(|row| row[column].as_ref()) {
            return Rc::clone(known);
        }
        let mut found = Vec::new();
        self.collect(type_index, kind, 0, &mut found);
        let found = Rc::new(found);
        if self.pointers.len() <= row {
            self.pointers.resize(row + 1, [None, None, None]);
        }
        self.pointers[row][column] = Some(Rc::clone(&found));
        found
    }

    fn collect(&self, type_index: u32, kind: Kind, start: usize, found: &mut Vec<PointerAt>) {
        let Some(one) = self.types.get(type_index as usize) else {
            return;
        };
        match one.kind {
            found_kind if found_kind == kind => found.push((start, type_index)),
            Kind::Struct => {
                for member in one.members.iter().filter(|member| member.bits.is_none()) {
                    let from = found.len();
                    self.collect(
                        member.type_index,
                        kind,
                        start + member.offset as usize,
                        found,
                    );
                    let size = self.size(member.type_index);
                    let one: Vec<PointerAt> = found[from..].to_vec();
                    if member.count == 0 {
                        found.truncate(from);
                    } else if !one.is_empty() {
                        for element in 1..member.count as usize {
                            let moved = one.iter().map(|&(at, kind)| (at + element * size, kind));
                            found.extend(moved);
                        }
                    }
                }
            }
            _ => {}
        }
    }

    /// Whether an element of `type_index` has an object of type `part` at this byte.
    pub fn covers(&self, type_index: u32, byte: usize, part: u32) -> bool {
        let (Some(whole), Some(inner)) = (
            self.types.get(type_index as usize),
            self.types.get(part as usize),
        ) else {
            return false;
        };
        if byte == 0 && type_index == part || inner.kind.is_character() {
            return true;
        }
        if whole.kind != Kind::Struct {
            return is_view(whole.kind, inner.kind)
                && inner.size > 0
                && byte.is_multiple_of(inner.size as usize);
        }
        whole.members.iter().any(|member| {
            let (start, size) = (member.offset as usize, self.size(member.type_index));
            let end = start + size * member.count as usize;
            member.bits.is_none()
                && size > 0
                && (start..end).contains(&byte)
                && self.covers(member.type_index, (byte - start) % size, part)
        })
    }

    /// The flexible array at the end of a struct: where it begins, and the type of its elements.
    pub fn flexible(&self, type_index: u32) -> Option<(usize, u32)> {
        let one = self.types.get(type_index as usize)?;
        let last = one.members.last()?;
        (one.kind == Kind::Struct && last.count == 0 && last.bits.is_none())
            .then_some((last.offset as usize, last.type_index))
    }

    /// The type of a byte that is copied, never converted.
    pub fn byte(&mut self) -> u32 {
        let wanted = byte_type();
        let known = self.types.iter().position(|one| *one == wanted);
        known.unwrap_or_else(|| {
            self.types.push(wanted);
            self.types.len() - 1
        }) as u32
    }

    /// The type of a number of elements.
    pub fn number(&mut self) -> u32 {
        let name = "unsigned long long";
        let known = self
            .types
            .iter()
            .position(|one| one.kind == Kind::UnsignedLongLong && one.name == name);
        known.unwrap_or_else(|| {
            self.types.push(Type {
                name: name.to_string(),
                kind: Kind::UnsignedLongLong,
                size: 8,
                members: Vec::new(),
            });
            self.types.len() - 1
        }) as u32
    }

    /// What C calls it.
    pub fn name(&self, type_index: u32) -> &str {
        self.types
            .get(type_index as usize)
            .map_or("", |one| one.name.as_str())
    }
}
