//! The program's types, as the checkpoint file wants them.
//!
//! In: the descriptors of cccp.h, one by one, members first (`ffi` reads them). Out: a table without duplicates; a
//! struct stands after the types of its members. Types are never forgotten: there are as many as the program has.

use std::collections::HashMap;

use crate::format::{Kind, Layout, Machine, Member, Type};

/// All types that the session has seen.
#[derive(Debug)]
pub struct TypeTable {
    types: Vec<Type>,
    machine: Machine,
    by_address: HashMap<usize, u32>,
    /// Pointers that say what they lead to: the pointer, the descriptor of its target, and that type once it was read.
    pointers: Vec<(u32, usize, Option<u32>)>,
}

impl TypeTable {
    /// An empty table for this machine.
    pub fn new() -> TypeTable {
        TypeTable {
            types: Vec::new(),
            machine: Machine::host(),
            by_address: HashMap::new(),
            pointers: Vec::new(),
        }
    }

    /// The types, in the order of their indices.
    pub fn types(&self) -> &[Type] {
        &self.types
    }

    /// The machine whose memory they describe.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Both.
    pub fn layout(&self) -> Layout<'_> {
        Layout {
            types: &self.types,
            machine: &self.machine,
        }
    }

    /// The type at this index.
    pub fn get(&self, index: u32) -> Option<&Type> {
        self.types.get(index as usize)
    }

    /// What the descriptor at this address became.
    pub fn known(&self, descriptor: usize) -> Option<u32> {
        self.by_address.get(&descriptor).copied()
    }

    /// Adds the type that a descriptor describes.
    pub fn add(&mut self, descriptor: usize, found: Type) -> u32 {
        let index = self.intern(found);
        self.by_address.insert(descriptor, index);
        index
    }

    /// The index of a type that the library makes itself.
    pub fn made(&mut self, found: Type) -> u32 {
        self.intern(found)
    }

    /// Pointers of this name that say what they lead to, each with the descriptor of its target.
    pub fn pointers(&self, name: &str) -> Vec<(u32, usize)> {
        let named = |index: u32| self.get(index).is_some_and(|one| one.name == name);
        let all = self.pointers.iter().filter(|one| named(one.0));
        all.map(|one| (one.0, one.1)).collect()
    }

    /// Adds a pointer whose target the descriptor `target` describes. It is a type of its own, whatever others are
    /// called.
    pub fn add_pointer(&mut self, found: Type, target: usize) -> u32 {
        self.types.push(found);
        let index = self.types.len() as u32 - 1;
        self.pointers.push((index, target, None));
        index
    }

    /// Says that another descriptor describes a known type, too.
    pub fn also(&mut self, descriptor: usize, index: u32) {
        self.by_address.insert(descriptor, index);
    }

    /// A target that has not been read yet.
    pub fn unread(&self) -> Option<(u32, usize)> {
        let found = self.pointers.iter().find(|one| one.2.is_none());
        found.map(|one| (one.0, one.1))
    }

    /// Says what a pointer leads to.
    pub fn set_target(&mut self, pointer: u32, target: u32) {
        if let Some(one) = self.pointers.iter_mut().find(|one| one.0 == pointer) {
            one.2 = Some(target);
        }
    }

    /// What a pointer leads to, when its type says so.
    pub fn target(&self, pointer: u32) -> Option<u32> {
        self.pointers.iter().find(|one| one.0 == pointer)?.2
    }

    fn intern(&mut self, found: Type) -> u32 {
        let own = |at: usize| self.pointers.iter().any(|one| one.0 as usize == at);
        let mut known = self.types.iter().enumerate();
        let at = known.position(|(at, known)| *known == found && !own(at));
        at.unwrap_or_else(|| {
            self.types.push(found);
            self.types.len() - 1
        }) as u32
    }

    /// The program's counterpart of a type of a checkpoint, for values whose own type the program does not say: the
    /// same kinds with the sizes of this machine. None when a struct would have to be laid out anew.
    pub fn counterpart(&mut self, file: &[Type], index: u32, machine: &Machine) -> Option<u32> {
        let found = file.get(index as usize)?;
        let same = machine.same_layout(&self.machine);
        let size = match found.kind {
            Kind::Struct if !same => return None,
            Kind::Pointer | Kind::Function => u64::from(self.machine.pointer),
            Kind::Long | Kind::UnsignedLong => u64::from(self.machine.long),
            Kind::LongDouble => u64::from(self.machine.long_double),
            Kind::ComplexLongDouble => 2 * u64::from(self.machine.long_double),
            _ => found.size,
        };
        let mut members: Vec<Member> = found.members.clone();
        for member in &mut members {
            member.type_index = self.counterpart(file, member.type_index, machine)?;
        }
        Some(self.intern(Type {
            name: found.name.clone(),
            kind: found.kind,
            size,
            members,
        }))
    }
}

impl Default for TypeTable {
    fn default() -> TypeTable {
        TypeTable::new()
    }
}
