//! Part 2 of cccp.h: what a thread of a parallel region registers, until somebody needs it.
//!
//! Most regions are entered and left without a checkpoint, and then a register of an object that ends with the region leaves nothing behind.
//! So it is only noted with its thread, and comes into the trace when the activation of the thread gets a node there: as every checkpoint
//! gives it one, every other directive in this activation, and every call in it that leaves something behind ([`super::frames`]). What was
//! noted comes first, in its order; between threads there is none.
//!
//! In: register blocks of a region's text as they run. Out: the same calls of the session, or nothing. Only what is like this is
//! postponed: objects that end with the activation, in a region before whose end no older execution can be superseded. When unsure
//! nothing is.
//!
//! Example: `#pragma cccp register(y)` of a private `double y`, in a region that is entered a million times in a loop.

use std::ffi::{CStr, c_char};

use super::describe;
use super::directives::{UNKNOWN, accept, running_register};
use super::mirror::{Frame, Type};
use crate::registry::{LOCAL, NodeId};
use crate::session::{Handed, Session};

/// A thread that registers more is not asked to note it: a loop may do so without end.
const MOST: usize = 64;

/// Numbers of a list, from one on and so many.
type Part = (usize, usize);

enum Noted {
    Block {
        block: u32,
        counters: Part,
    },
    Item {
        item: u32,
        kind: *const Type,
        address: usize,
        first: u64,
        extents: Part,
    },
    Ended {
        name: *const c_char,
    },
}

/// What a thread has registered since it entered the region.
#[derive(Default)]
pub struct Postponed {
    noted: Vec<Noted>,
    numbers: Vec<u64>,
}

// SAFETY: the descriptors of types and the names that it points to are constants of the program.
unsafe impl Send for Postponed {}

/// An item as the program hands it over.
#[derive(Clone, Copy)]
pub struct Item<'a> {
    pub item: u32,
    pub kind: *const Type,
    pub address: usize,
    pub first: u64,
    /// None where they are not known.
    pub extents: Option<&'a [u64]>,
}

impl Postponed {
    /// Nothing is noted.
    pub fn is_empty(&self) -> bool {
        self.noted.is_empty()
    }

    /// Nothing is noted any more; the memory is used again.
    pub fn clear(&mut self) {
        self.noted.clear();
        self.numbers.clear();
    }

    fn part(&mut self, numbers: impl Iterator<Item = u64>) -> Part {
        let from = self.numbers.len();
        self.numbers.extend(numbers);
        (from, self.numbers.len() - from)
    }

    /// A register block begins. False where it cannot be noted.
    ///
    /// # Safety
    ///
    /// `frame` is a live frame.
    pub unsafe fn begin(&mut self, frame: *const Frame, block: u32) -> bool {
        if self.noted.len() >= MOST {
            return false;
        }
        // SAFETY: the promise of the caller.
        let counters = unsafe {
            let count = (*frame)
                .function
                .as_ref()
                .map_or(0, |one| one.counter_count);
            match usize::try_from(count) {
                Ok(count) if count > 0 && !(*frame).instances.is_null() => {
                    std::slice::from_raw_parts((*frame).instances, count)
                }
                Ok(0) => &[],
                _ => return false,
            }
        };
        let counters = self.part(counters.iter().map(|&one| one as usize as u64));
        self.noted.push(Noted::Block { block, counters });
        true
    }

    /// An item of the block that began last. False where it cannot be noted.
    ///
    /// # Safety
    ///
    /// `frame` is a live frame.
    pub unsafe fn item(&mut self, frame: *const Frame, handed: Item<'_>) -> bool {
        if self.noted.len() >= MOST || self.noted.is_empty() {
            return false;
        }
        // SAFETY: the promise of the caller: a function has as many items as it says.
        let flags = unsafe {
            let Some(function) = (*frame).function.as_ref() else {
                return false;
            };
            match u32::try_from(function.item_count) {
                Ok(count) if handed.item < count => {
                    (*function.items.add(handed.item as usize)).flags
                }
                _ => return false,
            }
        };
        let Some(extents) = handed.extents else {
            return false;
        };
        if u32::try_from(flags) != Ok(LOCAL) || extents.contains(&UNKNOWN) {
            return false;
        }
        let extents = self.part(extents.iter().copied());
        self.noted.push(Noted::Item {
            item: handed.item,
            kind: handed.kind,
            address: handed.address,
            first: handed.first,
            extents,
        });
        true
    }

    /// The register of this name ends. False where it is not among those that are noted.
    ///
    /// # Safety
    ///
    /// `frame` is a live frame, and `name` a constant of the program.
    pub unsafe fn end(&mut self, frame: *const Frame, name: *const c_char) -> bool {
        // SAFETY: the promise of the caller; items that are noted are among those of the function.
        let is_this = |other: *const c_char| unsafe {
            !name.is_null() && !other.is_null() && CStr::from_ptr(other) == CStr::from_ptr(name)
        };
        let named = |item: u32| unsafe { (*(*(*frame).function).items.add(item as usize)).name };
        let latest = self.noted.iter().rev().find_map(|one| match *one {
            Noted::Item { item, .. } if is_this(named(item)) => Some(true),
            Noted::Ended { name } if is_this(name) => Some(false),
            _ => None,
        });
        let is_noted = latest == Some(true) && self.noted.len() < MOST;
        if is_noted {
            self.noted.push(Noted::Ended { name });
        }
        is_noted
    }

    /// It is needed now: the activation has got this node.
    pub fn put(&self, session: &mut Session, node: NodeId) -> Result<(), String> {
        let numbers = |(from, count): Part| self.numbers[from..from + count].to_vec();
        for one in &self.noted {
            match *one {
                Noted::Block { block, counters } => {
                    session.register_begin(node, block, numbers(counters));
                }
                Noted::Ended { name } => {
                    // SAFETY: a constant of the program.
                    session.unregister(&[node], &unsafe { describe::text(name) });
                }
                Noted::Item {
                    item,
                    kind,
                    address,
                    first,
                    extents,
                } => {
                    let handed = Handed {
                        item,
                        // SAFETY: the program has handed it over as the descriptor of a type, a constant.
                        type_index: unsafe { describe::type_index(&mut session.types, kind) }?,
                        address,
                        first,
                        extents: numbers(extents),
                        known: true,
                    };
                    let sequence = running_register(session, node)?;
                    if accept(session, node, &handed)? {
                        session.register(node, sequence, handed);
                    }
                }
            }
        }
        Ok(())
    }
}
