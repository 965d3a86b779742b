//! The order in which the scalars of elements are stored: a walk over a type that names no scalar twice.
//!
//! In: a type and how many elements. Out: [`Run`]s, equal scalars in a row, in the order of elements and members;
//! handles and empty members, of which nothing is stored, have none. Memory grows with the nesting of the type only,
//! and every step of the walk leads to a scalar that is in the file, so a walk is never longer than its data.

use super::types::{BitField, Kind, Type};

/// Equal scalars in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// Where they lie in the writer's memory, from the first element on; of the struct for a bit-field.
    pub(super) offset: u64,
    pub(super) kind: Kind,
    /// Bytes of one of them.
    pub(super) size: u64,
    pub(super) count: u64,
    pub(super) bits: Option<BitField>,
}

/// A member of which something is stored.
#[derive(Clone, Copy)]
struct Part {
    offset: u64,
    type_index: u32,
    count: u64,
    bits: Option<BitField>,
}

/// An array of structs that the walk is in.
struct Frame {
    type_index: u32,
    /// Elements that are left, this one included.
    left: u64,
    /// Where this element begins.
    base: u64,
    /// The next part of it.
    part: usize,
}

/// A walk over the elements of a register.
pub(super) struct Walk<'a> {
    types: &'a [Type],
    /// The parts of each struct that the walk meets, by the index of its type; none of what was not looked at.
    parts: Vec<Option<Vec<Part>>>,
    stack: Vec<Frame>,
    /// What is left when the elements are scalars themselves.
    scalars: Option<Run>,
}

impl<'a> Walk<'a> {
    /// Over `count` elements of a type.
    pub(super) fn new(types: &'a [Type], type_index: u32, count: u64) -> Walk<'a> {
        let mut walk = Walk {
            types,
            parts: vec![None; type_index as usize + 1],
            stack: Vec::new(),
            scalars: None,
        };
        if count == 0 || !walk.is_stored(type_index) {
            return walk;
        }
        let kind = &types[type_index as usize];
        if kind.kind == Kind::Struct {
            walk.stack.push(Frame {
                type_index,
                left: count,
                base: 0,
                part: 0,
            });
        } else {
            walk.scalars = Some(Run {
                offset: 0,
                kind: kind.kind,
                size: kind.size,
                count,
                bits: None,
            });
        }
        walk
    }

    /// Whether anything of a type is stored. Notes the parts of the structs on the way.
    fn is_stored(&mut self, type_index: u32) -> bool {
        let types = self.types;
        let kind = &types[type_index as usize];
        match kind.kind {
            Kind::Handle => return false,
            Kind::Struct => {}
            _ => return kind.size > 0,
        }
        if let Some(parts) = &self.parts[type_index as usize] {
            return !parts.is_empty();
        }
        let mut parts = Vec::new();
        for member in &kind.members {
            if member.bits.is_some() || member.count > 0 && self.is_stored(member.type_index) {
                parts.push(Part {
                    offset: member.offset,
                    type_index: member.type_index,
                    count: member.count,
                    bits: member.bits,
                });
            }
        }
        let stored = !parts.is_empty();
        self.parts[type_index as usize] = Some(parts);
        stored
    }

    /// Whether any scalar that a walk meets is a pointer.
    pub(super) fn meets_pointers(&self) -> bool {
        let is_pointer = |kind: Kind| matches!(kind, Kind::Pointer | Kind::Function);
        let parts = self.parts.iter().flatten().flatten();
        self.scalars.is_some_and(|run| is_pointer(run.kind))
            || parts
                .filter(|part| part.bits.is_none())
                .any(|part| is_pointer(self.types[part.type_index as usize].kind))
    }
}

impl Iterator for Walk<'_> {
    type Item = Run;

    fn next(&mut self) -> Option<Run> {
        if let Some(run) = self.scalars.take() {
            return Some(run);
        }
        loop {
            let top = self.stack.last_mut()?;
            let parts = self.parts[top.type_index as usize].as_deref();
            let Some(part) = parts.and_then(|parts| parts.get(top.part)) else {
                top.left -= 1;
                top.part = 0;
                top.base += self.types[top.type_index as usize].size;
                if top.left == 0 {
                    self.stack.pop();
                }
                continue;
            };
            top.part += 1;
            let kind = &self.types[part.type_index as usize];
            let run = Run {
                offset: top.base + if part.bits.is_some() { 0 } else { part.offset },
                kind: kind.kind,
                size: kind.size,
                count: part.count,
                bits: part.bits,
            };
            if kind.kind != Kind::Struct {
                return Some(run);
            }
            self.stack.push(Frame {
                type_index: part.type_index,
                left: part.count,
                base: run.offset,
                part: 0,
            });
        }
    }
}
