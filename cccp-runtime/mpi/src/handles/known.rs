//! Which handles the program has.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};

use cccp::comm::{is_in_block, notes_handles, null_handle};
use mpi::ffi::{MPI_Comm, MPI_Datatype, MPI_Group, MPI_Op, MPI_Request};

use super::predefined;
use crate::counted;

/// The word for a request of what was sent, which is complete.
const SENT: &str = "sent";

/// What a handle is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// `MPI_Comm`
    Communicator,
    /// `MPI_Group`
    Group,
    /// `MPI_Datatype`
    Datatype,
    /// `MPI_Op`
    Operation,
    /// `MPI_Request`, of a persistent one
    Request,
}

impl Class {
    /// By the name of its type.
    pub fn of(kind: &str) -> Option<Class> {
        Some(match kind {
            "MPI_Comm" => Class::Communicator,
            "MPI_Group" => Class::Group,
            "MPI_Datatype" => Class::Datatype,
            "MPI_Op" => Class::Operation,
            "MPI_Request" => Class::Request,
            _ => return None,
        })
    }

    /// How many bytes a handle has.
    fn size(self) -> usize {
        match self {
            Class::Communicator => size_of::<MPI_Comm>(),
            Class::Group => size_of::<MPI_Group>(),
            Class::Datatype => size_of::<MPI_Datatype>(),
            Class::Operation => size_of::<MPI_Op>(),
            Class::Request => size_of::<MPI_Request>(),
        }
    }

    /// Begins the words of handles that the program has made.
    pub fn letter(self) -> char {
        match self {
            Class::Communicator => 'c',
            Class::Group => 'g',
            Class::Datatype => 't',
            Class::Operation => 'o',
            Class::Request => 'r',
        }
    }
}

/// A handle of any MPI, a number or an address, as a number.
pub fn number<T: Copy>(handle: T) -> usize {
    const { assert!(size_of::<T>() <= size_of::<usize>()) };
    let mut bytes = [0; size_of::<usize>()];
    // SAFETY: all bytes of a handle are there, and there is room for them.
    unsafe {
        bytes
            .as_mut_ptr()
            .copy_from_nonoverlapping((&raw const handle).cast::<u8>(), size_of::<T>());
    }
    usize::from_ne_bytes(bytes)
}

/// The handle with a number.
pub fn handle<T: Copy>(number: usize) -> T {
    const { assert!(size_of::<T>() <= size_of::<usize>()) };
    // SAFETY: the bytes of a handle are at the beginning of its number, and all values are allowed.
    unsafe { (&raw const number).cast::<T>().read_unaligned() }
}

/// What is known of a handle that the program has made.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// Its number: of communicators the same on all members.
    pub number: u64,
    /// A block makes it again.
    pub in_block: bool,
    /// Of an operation: the address of its function, and whether it commutes.
    pub operation: (usize, bool),
}

/// All that the program has.
#[derive(Debug, Default)]
pub struct Table {
    known: HashMap<(Class, usize), Known>,
    /// Handles that the program has given back, and MPI has not given again: copies of them may be anywhere.
    freed: HashSet<(Class, usize)>,
    /// What had the number last; communicators have numbers of their own.
    last: u64,
}

/// Lets `work` use it.
pub fn table<T>(work: impl FnOnce(&mut Table) -> T) -> T {
    static TABLE: Mutex<Option<Table>> = Mutex::new(None);
    let mut guard = TABLE.lock().unwrap_or_else(PoisonError::into_inner);
    work(guard.get_or_insert_default())
}

impl Table {
    /// What is known of a handle; nothing of MPI's own.
    pub fn get(&self, class: Class, handle: usize) -> Option<Known> {
        self.known.get(&(class, handle)).copied()
    }

    /// The handle with a number.
    pub fn find(&self, class: Class, number: u64) -> Option<usize> {
        let mut all = self.known.iter();
        let found =
            all.find(|((of, _), one)| *of == class && one.number == number && !one.in_block);
        found.map(|((_, handle), _)| *handle)
    }

    /// All handles of a class that no block makes.
    pub fn all(&self, class: Class) -> impl Iterator<Item = (usize, Known)> + '_ {
        let all = self.known.iter();
        all.filter(move |((of, _), one)| *of == class && !one.in_block)
            .map(|((_, handle), one)| (*handle, *one))
    }

    /// A handle is there again, and what else had its number is not meant by it any more.
    pub fn again(&mut self, class: Class, handle: usize, known: Known) {
        let number = known.number;
        self.known
            .retain(|(of, _), one| *of != class || one.number != number || one.in_block);
        if class != Class::Communicator {
            self.last = self.last.max(known.number);
        }
        self.insert(class, handle, known);
    }

    fn insert(&mut self, class: Class, handle: usize, known: Known) {
        self.freed.remove(&(class, handle));
        self.known.insert((class, handle), known);
    }
}

/// The program has made a handle that is no communicator.
pub fn note(class: Class, handle: usize, operation: (usize, bool)) {
    if !notes_handles() || predefined::name(class, handle).is_some() {
        return;
    }
    table(|all| {
        // Two names of one object: the library of MPI may count references.
        let older = all.get(class, handle).filter(|one| !one.in_block);
        all.last += u64::from(older.is_none());
        let known = Known {
            number: older.map_or(all.last, |one| one.number),
            in_block: is_in_block(),
            operation,
        };
        all.insert(class, handle, known);
    });
}

/// The program has made a communicator, whose members call it by this number.
pub fn note_communicator(handle: MPI_Comm, name: u64) {
    if notes_handles() {
        let known = Known {
            number: name,
            in_block: is_in_block(),
            operation: (0, false),
        };
        let handle = number(handle);
        table(|all| all.insert(Class::Communicator, handle, known));
    }
}

/// The program has given a handle back.
pub fn forget(class: Class, handle: usize) {
    if notes_handles() {
        table(|all| {
            all.known.remove(&(class, handle));
            all.freed.insert((class, handle));
        });
    }
}

/// What a handle stands for, in a word: nothing any more where it was freed.
pub fn word(kind: &str, bytes: &[u8]) -> Option<String> {
    let class = Class::of(kind)?;
    let mut whole = [0; size_of::<usize>()];
    let place = whole.get_mut(..bytes.len())?;
    place.copy_from_slice(bytes);
    let handle = (bytes.len() == class.size()).then(|| usize::from_ne_bytes(whole))?;
    if let Some(name) = predefined::name(class, handle) {
        return Some(name.to_string());
    }
    if class == Class::Request && counted::is_sent(handle) {
        return Some(SENT.to_string());
    }
    if table(|all| all.freed.contains(&(class, handle))) {
        return null_handle(kind).map(str::to_string);
    }
    let known = table(|all| all.get(class, handle))?;
    (!known.in_block).then(|| format!("{}{}", class.letter(), known.number))
}

/// The bytes of the handle for which a word stands.
pub fn handle_of(kind: &str, word: &str) -> Option<Vec<u8>> {
    let class = Class::of(kind)?;
    let handle = match predefined::named(class, word) {
        Some(handle) => Some(handle),
        None if class == Class::Request && word == SENT => counted::complete_send(),
        None => {
            let number = word.strip_prefix(class.letter())?.parse().ok()?;
            table(|all| all.find(class, number))
        }
    };
    handle.map(|handle| handle.to_ne_bytes()[..class.size()].to_vec())
}
