//! The program's types, as the checkpoint file wants them.
//!
//! In: the descriptors of cccp.h, one by one, members first (`ffi` reads them). Out: a table without duplicates; a
//! struct stands after the types of its members. Types are never forgotten: there are as many as the program has.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::format::{Kind, Layout, Machine, Member, Type};

/// How types of whole blocks are called that the library makes: "block of struct node".
pub const MADE: &str = "block of ";

/// All types that the session has seen.
#[derive(Debug)]
pub struct TypeTable {
    types: Vec<Type>,
    machine: Machine,
    by_address: FxHashMap<usize, u32>,
    /// Pointers that say what they lead to.
    pointers: Vec<Leading>,
    /// Handles of libraries that are saved as pointers: each of them has to be NULL.
    handles: BTreeSet<String>,
}

/// A pointer type that says what it leads to.
#[derive(Debug)]
struct Leading {
    pointer: u32,
    /// The descriptor of each target, and that type once it was read.
    targets: Vec<(Lead<usize>, Option<u32>)>,
}

/// What a pointer points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lead<T> {
    /// To elements of the type that C says; the block may hold more than them.
    Element(T),
    /// To blocks that hold one such element and nothing else.
    One(T),
    /// To blocks that hold such elements and nothing else.
    Many(T),
}

impl<T: Copy> Lead<T> {
    /// The type.
    pub fn target(self) -> T {
        match self {
            Lead::Element(target) | Lead::One(target) | Lead::Many(target) => target,
        }
    }

    fn with<U>(self, target: U) -> Lead<U> {
        match self {
            Lead::Element(_) => Lead::Element(target),
            Lead::One(_) => Lead::One(target),
            Lead::Many(_) => Lead::Many(target),
        }
    }
}

impl TypeTable {
    /// An empty table for this machine.
    pub fn new() -> TypeTable {
        TypeTable {
            types: Vec::new(),
            machine: Machine::host(),
            by_address: FxHashMap::default(),
            pointers: Vec::new(),
            handles: BTreeSet::new(),
        }
    }

    /// Pointers of this name are handles of a library: each of them has to be NULL at a checkpoint.
    pub fn add_handle(&mut self, name: &str) {
        self.handles.insert(name.to_string());
    }

    /// The names of all pointers that are such handles.
    pub fn handles(&self) -> &BTreeSet<String> {
        &self.handles
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

    /// Pointers of this name that say what they lead to, each with the descriptors of its targets.
    pub fn pointers(&self, name: &str) -> Vec<(u32, Vec<Lead<usize>>)> {
        let named = |index: u32| self.get(index).is_some_and(|one| one.name == name);
        let all = self.pointers.iter().filter(|one| named(one.pointer));
        all.map(|one| {
            let targets = one.targets.iter().map(|(lead, _)| *lead);
            (one.pointer, targets.collect())
        })
        .collect()
    }

    /// Adds a pointer whose targets these descriptors describe. It is a type of its own, whatever others are called.
    pub fn add_pointer(&mut self, found: Type, targets: &[Lead<usize>]) -> u32 {
        self.types.push(found);
        let pointer = self.types.len() as u32 - 1;
        self.pointers.push(Leading {
            pointer,
            targets: targets.iter().map(|lead| (*lead, None)).collect(),
        });
        pointer
    }

    /// Says that another descriptor describes a known type, too.
    pub fn also(&mut self, descriptor: usize, index: u32) {
        self.by_address.insert(descriptor, index);
    }

    /// A target that has not been read yet: its pointer, and its descriptor.
    pub fn unread(&self) -> Option<(u32, usize)> {
        self.pointers.iter().find_map(|one| {
            let mut unread = one.targets.iter().filter(|(_, known)| known.is_none());
            unread.next().map(|(lead, _)| (one.pointer, lead.target()))
        })
    }

    /// Says which type a pointer points to that a descriptor describes.
    pub fn set_target(&mut self, pointer: u32, descriptor: usize, target: u32) {
        let pointers = self.pointers.iter_mut();
        for one in pointers.filter(|one| one.pointer == pointer) {
            for (lead, known) in &mut one.targets {
                if lead.target() == descriptor {
                    *known = Some(target);
                }
            }
        }
    }

    /// What a pointer points to, as far as its type says so.
    pub fn leads(&self, pointer: u32) -> impl Iterator<Item = Lead<u32>> + '_ {
        let own = self.pointers.iter().find(|one| one.pointer == pointer);
        let targets = own.into_iter().flat_map(|one| &one.targets);
        targets.filter_map(|(lead, known)| known.map(|target| lead.with(target)))
    }

    /// The descriptor of a type to which pointers lead that may lead to several, also when it is that of a block made of it.
    pub fn of_blocks(&self, index: u32) -> Option<usize> {
        let name = &self.get(index)?.name;
        let mut all = self.pointers.iter().flat_map(|one| &one.targets);
        all.find_map(|(lead, known)| {
            let is_meant = match (lead, known) {
                (Lead::One(_) | Lead::Many(_), Some(known)) => {
                    *known == index
                        || self.get(*known).is_some_and(|one| {
                            name.strip_prefix(MADE).is_some_and(|rest| rest == one.name)
                        })
                }
                _ => false,
            };
            is_meant.then(|| lead.target())
        })
    }

    fn intern(&mut self, found: Type) -> u32 {
        let own = |at: usize| self.pointers.iter().any(|one| one.pointer as usize == at);
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
