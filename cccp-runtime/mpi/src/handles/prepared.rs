//! Persistent requests: MPI does not tell with what one was made, so the call that makes it is noted.
//!
//!     request NUMBER FUNCTION BUFFER COUNT PEER TAG COMMUNICATOR DATATYPE…
//!
//! The datatype is told by how it was made, because the program may give it back while the request is there. The buffer is an
//! address: who keeps the line puts into its place what lies there, as another process has that elsewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::c_int;
use std::sync::{Mutex, MutexGuard, PoisonError};

use cccp::comm::{CommError, notes_handles};
use mpi::ffi;
use mpi::ffi::{MPI_Comm as Comm, MPI_Datatype as Type, MPI_Request as Handle};

use super::again::{again, named, nonsense};
use super::known::{Class, forget, handle, handle_of, note, number, table, word};
use crate::comm::check;
use crate::counted::prepare;
use crate::files;

/// With what a request is made.
#[derive(Clone, Copy, Debug)]
pub struct Arguments {
    /// The address of the buffer.
    pub buffer: usize,
    /// How many elements.
    pub count: c_int,
    /// Of this type.
    pub datatype: Type,
    /// The rank at the other end, or a constant of MPI.
    pub peer: c_int,
    /// The tag of its messages, or a constant of MPI.
    pub tag: c_int,
    /// Where.
    pub comm: Comm,
}

/// What a line says behind the number; why it cannot be said.
type Noted = Result<String, CommError>;

fn noted() -> MutexGuard<'static, BTreeMap<usize, Noted>> {
    static NOTED: Mutex<BTreeMap<usize, Noted>> = Mutex::new(BTreeMap::new());
    NOTED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Constants of MPI in the place of a number, by words: another MPI has other numbers for them.
type Constants = [(&'static str, c_int)];

fn peers() -> [(&'static str, c_int); 2] {
    // SAFETY: constants of MPI.
    unsafe {
        [
            ("any", ffi::RSMPI_ANY_SOURCE),
            ("none", ffi::RSMPI_PROC_NULL),
        ]
    }
}

fn tags() -> [(&'static str, c_int); 1] {
    // SAFETY: a constant of MPI.
    [("any", unsafe { ffi::RSMPI_ANY_TAG })]
}

fn said(value: c_int, constants: &Constants) -> String {
    let known = constants.iter().find(|one| one.1 == value);
    known.map_or_else(|| value.to_string(), |one| one.0.to_string())
}

fn meant(word: &str, constants: &Constants) -> Result<c_int, CommError> {
    let known = constants.iter().find(|one| one.0 == word);
    known.map_or_else(|| word.parse().map_err(|_| nonsense()), |one| Ok(one.1))
}

/// The program has made a request with this function.
///
/// # Safety
///
/// MPI has just made it with these arguments.
pub unsafe fn note_request(request: Handle, function: &str, made: &Arguments) {
    if !notes_handles() {
        return;
    }
    let handle = number(request);
    note(Class::Request, handle, (0, false));
    // SAFETY: MPI has accepted the datatype.
    let words = unsafe { words(function, made) };
    noted().insert(handle, words);
}

unsafe fn words(function: &str, made: &Arguments) -> Noted {
    let comm = number(made.comm).to_ne_bytes();
    let comm = word("MPI_Comm", &comm[..size_of::<Comm>()]).ok_or_else(|| {
        CommError::new(
            "a persistent request uses a communicator that the library does not make again: it was made in a block that is \
             executed on restart; make the request in such a block, too",
        )
    })?;
    let mut datatype = Vec::new();
    // SAFETY: the promise of the caller.
    unsafe { files::words(made.datatype, named, &mut datatype)? };
    Ok(format!(
        "{function} {} {} {} {} {comm} {}",
        made.buffer,
        made.count,
        said(made.peer, &peers()),
        said(made.tag, &tags()),
        datatype.join(" ")
    ))
}

/// The program has given a request back.
pub fn forget_request(request: Handle) {
    let handle = number(request);
    forget(Class::Request, handle);
    noted().remove(&handle);
}

/// The lines for requests with these words.
pub fn lines_of_requests(wanted: &BTreeSet<String>) -> Result<String, CommError> {
    let all: Vec<_> = table(|known| known.all(Class::Request).collect());
    let mut lines = BTreeMap::new();
    for (handle, one) in all {
        if !wanted.contains(&format!("{}{}", Class::Request.letter(), one.number)) {
            continue;
        }
        let words = noted()
            .get(&handle)
            .cloned()
            .unwrap_or_else(|| Err(nonsense()))?;
        let comm = words.split(' ').nth(5).unwrap_or_default();
        if handle_of("MPI_Comm", comm).is_none() {
            return Err(CommError::new(
                "a persistent request uses a communicator that was freed: free it behind the last checkpoint",
            ));
        }
        lines.insert(one.number, format!("request {} {words}\n", one.number));
    }
    Ok(lines.into_values().collect())
}

/// Makes a request again from its line.
///
/// # Safety
///
/// MPI is running, and the buffer is where the line says.
pub unsafe fn make_request(line: &str) -> Result<(), CommError> {
    let mut words = line.split(' ').skip(1);
    let mut next = || words.next().ok_or_else(nonsense);
    let own = next()?.parse().map_err(|_| nonsense())?;
    let function = next()?;
    let buffer = next()?.parse().map_err(|_| nonsense())?;
    let count = next()?.parse().map_err(|_| nonsense())?;
    let peer = meant(next()?, &peers())?;
    let tag = meant(next()?, &tags())?;
    let comm = handle_of("MPI_Comm", next()?).ok_or_else(nonsense)?;
    let mut whole = [0; size_of::<usize>()];
    whole[..comm.len()].copy_from_slice(&comm);
    // SAFETY: the promise of the caller.
    unsafe {
        let mut datatype = files::datatype(&mut words)?;
        let is_made = !files::is_own(datatype);
        if is_made {
            check("MPI_Type_commit", ffi::MPI_Type_commit(&mut datatype))?;
        }
        let arguments = Arguments {
            buffer,
            count,
            datatype,
            peer,
            tag,
            comm: handle(usize::from_ne_bytes(whole)),
        };
        let made = prepare(function, &arguments).ok_or_else(nonsense)?;
        if is_made {
            ffi::MPI_Type_free(&mut datatype);
        }
        let made = made?;
        again(Class::Request, number(made), own, (0, false));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_of_mpi_are_words_and_come_back() {
        for (_, peer) in peers().into_iter().chain([("", 0), ("", 7)]) {
            assert_eq!(meant(&said(peer, &peers()), &peers()).ok(), Some(peer));
        }
        for (_, tag) in tags().into_iter().chain([("", 0), ("", 7)]) {
            assert_eq!(meant(&said(tag, &tags()), &tags()).ok(), Some(tag));
        }
        assert!(meant("nobody", &peers()).is_err());
    }
}
