//! What makes handles again: a line for each, and each from its line.
//!
//!     communicator NUMBER HANDLER NAME RANKS… [/ TOPOLOGY]    group NUMBER RANKS…
//!     datatype NUMBER WORDS…                                  operation NUMBER COMMUTES FUNCTION
//!     request …, which `prepared` reads

use std::collections::BTreeSet;
use std::ffi::{CString, c_char, c_int, c_void};

use cccp::comm::CommError;
use mpi::ffi;
use mpi::ffi::{MPI_Comm as Comm, MPI_Datatype as Type, MPI_Group as Group};

use super::known::{Class, Known, handle, number, table};
use super::prepared::lines_of_requests;
use super::{predefined, topology};
use crate::comm::check;
use crate::counted::{call_again, last_number, numbers_from};
use crate::files;

/// The lines for these words, and for all communicators. `name` knows the program's functions. `job` is the communicator whose
/// ranks are told.
///
/// # Safety
///
/// MPI is running, and `job` one of its communicators.
pub unsafe fn lines(
    words: &BTreeSet<String>,
    name: &dyn Fn(usize) -> Option<String>,
    job: Comm,
) -> Result<String, CommError> {
    let of = |class: Class| {
        let mut all: Vec<(usize, Known)> = table(|known| known.all(class).collect());
        let is_used = |one: &Known| {
            class == Class::Communicator
                || words.contains(&format!("{}{}", class.letter(), one.number))
        };
        all.retain(|one| is_used(&one.1));
        all.sort_by_key(|one| one.1.number);
        all
    };
    let mut out = format!("last {}\n", last_number());
    // SAFETY: the promise of the caller; what the table knows is alive.
    unsafe {
        for (place, known) in of(Class::Communicator) {
            out += &communicator(handle(place), known.number, job)?;
        }
        for (place, known) in of(Class::Group) {
            let ranks = ranks(handle(place), job, "a group")?;
            out += &format!("group {}{}\n", known.number, listed(&ranks));
        }
        for (place, known) in of(Class::Datatype) {
            let mut words = Vec::new();
            files::words(handle(place), named, &mut words)?;
            out += &format!("datatype {} {}\n", known.number, words.join(" "));
        }
    }
    for (_, known) in of(Class::Operation) {
        let (address, commutes) = known.operation;
        let name = name(address).ok_or_else(|| {
            CommError::new(
                "the function of an operation has no name that is known: it is that of a library, or two functions have it",
            )
        })?;
        out += &format!(
            "operation {} {} {name}\n",
            known.number,
            i32::from(commutes)
        );
    }
    out += &lines_of_requests(words)?;
    Ok(out)
}

pub(super) fn named(datatype: Type) -> Option<[String; 2]> {
    let name = predefined::name(Class::Datatype, number(datatype))?;
    Some(["named".to_string(), name.to_string()])
}

fn listed(ranks: &[c_int]) -> String {
    ranks.iter().map(|rank| format!(" {rank}")).collect()
}

/// The ranks in `job` of a group, in its order.
unsafe fn ranks(group: Group, job: Comm, what: &str) -> Result<Vec<c_int>, CommError> {
    let (mut all, mut size) = (group, 0);
    // SAFETY: the group and the communicator are alive, what is made is freed, and the lists have room for all.
    let ranks = unsafe {
        check("MPI_Comm_group", ffi::MPI_Comm_group(job, &mut all))?;
        ffi::MPI_Group_size(group, &mut size);
        let own: Vec<c_int> = (0..size).collect();
        let mut ranks = own.clone();
        ffi::MPI_Group_translate_ranks(group, size, own.as_ptr(), all, ranks.as_mut_ptr());
        ffi::MPI_Group_free(&mut all);
        ranks
    };
    match ranks.iter().all(|rank| *rank >= 0) {
        true => Ok(ranks),
        false => Err(CommError::new(format!(
            "{what} has processes that are not in the communicator of init"
        ))),
    }
}

unsafe fn communicator(comm: Comm, name_of: u64, job: Comm) -> Result<String, CommError> {
    // SAFETY: it is alive; what is made is freed; the buffer is longer than MPI's names.
    unsafe {
        let mut group = ffi::RSMPI_GROUP_NULL;
        check("MPI_Comm_group", ffi::MPI_Comm_group(comm, &mut group))?;
        let ranks = ranks(group, job, "a communicator");
        ffi::MPI_Group_free(&mut group);
        let mut handler = ffi::RSMPI_ERRORS_RETURN;
        let code = ffi::MPI_Comm_get_errhandler(comm, &mut handler);
        check("MPI_Comm_get_errhandler", code)?;
        let returns = i32::from(handler == ffi::RSMPI_ERRORS_RETURN);
        let mut text = [0u8; 1024];
        let mut length = 0;
        ffi::MPI_Comm_get_name(comm, text.as_mut_ptr().cast::<c_char>(), &mut length);
        let text = &text[..usize::try_from(length).unwrap_or(0).min(text.len())];
        let name: String = text.iter().map(|byte| format!("{byte:02x}")).collect();
        let topology = topology::words(comm)?;
        let shape = match topology.is_empty() {
            true => String::new(),
            false => format!(" / {}", topology.join(" ")),
        };
        Ok(format!(
            "communicator {name_of} {returns} ={name}{}{shape}\n",
            listed(&ranks?)
        ))
    }
}

/// What all ranks ask each other for: the smallest of a number, and sums.
pub trait Asking {
    /// See `cccp::comm::Group`.
    fn least(&mut self, value: i64) -> Result<i64, CommError>;
    /// See `cccp::comm::Group`.
    fn sums(&mut self, values: [u64; 2]) -> Result<[u64; 2], CommError>;
}

/// Makes handles again from their lines. All ranks call it.
///
/// # Safety
///
/// MPI is running, and `job` one of its communicators.
pub unsafe fn make(
    lines: &str,
    address: &dyn Fn(&str) -> Option<usize>,
    job: Comm,
    asking: &mut dyn Asking,
) -> Result<(), CommError> {
    let mut communicators: Vec<Line> = Vec::new();
    let mut others: Vec<Line> = Vec::new();
    let mut read = Ok(());
    for line in lines.lines() {
        match Line::read(line) {
            Some(Line {
                what: "last",
                number: last,
                ..
            }) => numbers_from(last),
            Some(line) if line.what == "communicator" => communicators.push(line),
            Some(line) => others.push(line),
            None => read = Err(nonsense()),
        }
    }
    communicators.sort_by_key(|one| one.number);
    // SAFETY: the promise of the caller.
    unsafe {
        let kept = all_are_there(&communicators, &|line| made_before_init(line, job), asking)?;
        for (line, kept) in communicators.iter().zip(kept) {
            communicator_again(line, kept, job)?;
        }
        read?;
        for line in &others {
            other_again(line, address, job)?;
        }
    }
    Ok(())
}

pub(super) fn nonsense() -> CommError {
    CommError::new("the checkpoint does not say what a handle of MPI stood for")
}

/// What a line says.
struct Line<'a> {
    what: &'a str,
    number: u64,
    rest: Vec<&'a str>,
    /// Of a communicator.
    ranks: Vec<c_int>,
}

impl Line<'_> {
    fn read(line: &str) -> Option<Line<'_>> {
        let mut words = line.split(' ');
        let (what, number) = (words.next()?, words.next()?.parse().ok()?);
        let mut rest: Vec<&str> = words.collect();
        let mut ranks = Vec::new();
        if what == "communicator" || what == "group" {
            let first = if what == "group" { 0 } else { 2 };
            let end = rest.iter().position(|word| *word == "/");
            let listed = rest.get(first..end.unwrap_or(rest.len()))?;
            let read: Option<Vec<c_int>> = listed.iter().map(|word| word.parse().ok()).collect();
            ranks = read?;
            rest.drain(first..end.map_or(rest.len(), |end| end + 1));
        }
        Some(Line {
            what,
            number,
            rest,
            ranks,
        })
    }
}

/// For each communicator whether this start has made it on all its members; `made` says it of this rank. An error on all ranks
/// when a communicator is missing on one of its members.
fn all_are_there(
    own: &[Line],
    made: &dyn Fn(&Line) -> Option<usize>,
    asking: &mut dyn Asking,
) -> Result<Vec<Option<usize>>, CommError> {
    let mut own = own.iter().peekable();
    let mut missing = None;
    let mut kept = Vec::new();
    loop {
        // Half of a number is one that can be compared.
        let half = |one: &Line| (one.number >> 1).cast_signed();
        let least = asking.least(own.peek().map_or(i64::MAX, |one| half(one)))?;
        if least == i64::MAX {
            return missing.map_or(Ok(kept), Err);
        }
        let mine = own.next_if(|one| half(one) == least);
        let members = mine.map_or(0, |one| one.ranks.len() as u64);
        let sums = asking.sums([u64::from(mine.is_some()), members])?;
        let here = mine.and_then(made);
        let those = asking.sums([u64::from(here.is_some()), 0])?;
        if mine.is_some() {
            kept.push(here.filter(|_| those[0] == sums[0]));
        }
        // All that have it say how many should.
        if sums[0] * sums[0] != sums[1] {
            missing = Some(CommError::new(
                "a communicator was there on some of its ranks only when the checkpoint was taken: put the checkpoint where all of \
                 them have made it, or freed it",
            ));
        }
    }
}

/// The communicator of a line, if this start has made it before it knew of the checkpoint. Each start makes the same ones with
/// the same numbers, and some of its variables keep them: one communicator must not become two, of which ranks might take
/// different ones. What has the number only is another one.
unsafe fn made_before_init(line: &Line, job: Comm) -> Option<usize> {
    let place = table(|all| all.find(Class::Communicator, line.number))?;
    // SAFETY: the promise of the caller; what the table knows is alive.
    let text = unsafe { communicator(handle(place), line.number, job) }.ok()?;
    let own = Line::read(text.trim_end())?;
    let is_same = own.ranks == line.ranks && own.rest.get(2..) == line.rest.get(2..);
    is_same.then_some(place)
}

/// `kept` is the communicator that is there already.
unsafe fn communicator_again(line: &Line, kept: Option<usize>, job: Comm) -> Result<(), CommError> {
    let (Some(returns), Some(name)) = (line.rest.first(), line.rest.get(1)) else {
        return Err(nonsense());
    };
    // SAFETY: the promise of the caller; what nobody needs any more is freed.
    unsafe {
        let comm = match kept {
            Some(place) => handle(place),
            None => members_again(line, job)?,
        };
        let mut now = ffi::RSMPI_ERRORS_ARE_FATAL;
        let code = ffi::MPI_Comm_get_errhandler(comm, &mut now);
        check("MPI_Comm_get_errhandler", code)?;
        let (returns, returns_now) = (*returns == "1", now == ffi::RSMPI_ERRORS_RETURN);
        // One of the program's own, which a start has set before `init`, stays.
        if returns != returns_now {
            let handler = match returns {
                true => ffi::RSMPI_ERRORS_RETURN,
                false => ffi::RSMPI_ERRORS_ARE_FATAL,
            };
            ffi::MPI_Comm_set_errhandler(comm, handler);
        }
        let byte = |at: usize| u8::from_str_radix(name.get(at..at + 2)?, 16).ok();
        let text: Option<Vec<u8>> = (1..name.len()).step_by(2).map(byte).collect();
        if let Some(Ok(text)) = text.map(CString::new) {
            ffi::MPI_Comm_set_name(comm, text.as_ptr());
        }
        if kept.is_none() {
            call_again(comm, line.number);
            again(Class::Communicator, number(comm), line.number, (0, false));
        }
    }
    Ok(())
}

/// A communicator with the ranks and the topology of a line.
unsafe fn members_again(line: &Line, job: Comm) -> Result<Comm, CommError> {
    // SAFETY: the promise of the caller; what nobody needs any more is freed.
    unsafe {
        let mut members = group(&line.ranks, job)?;
        let mut comm = ffi::RSMPI_COMM_NULL;
        let code = ffi::MPI_Comm_create_group(job, members, 0, &mut comm);
        ffi::MPI_Group_free(&mut members);
        check("MPI_Comm_create_group", code)?;
        if let Some(shaped) = topology::with(comm, &mut line.rest[2..].iter().copied())? {
            ffi::MPI_Comm_free(&mut comm);
            comm = shaped;
        }
        Ok(comm)
    }
}

pub(super) fn again(class: Class, place: usize, number: u64, operation: (usize, bool)) {
    let known = Known {
        number,
        in_block: false,
        operation,
    };
    table(|all| all.again(class, place, known));
}

/// The group of these ranks of `job`.
unsafe fn group(ranks: &[c_int], job: Comm) -> Result<Group, CommError> {
    // SAFETY: the promise of the caller; what nobody needs any more is freed.
    unsafe {
        let (mut all, mut made) = (ffi::RSMPI_GROUP_NULL, ffi::RSMPI_GROUP_NULL);
        check("MPI_Comm_group", ffi::MPI_Comm_group(job, &mut all))?;
        let count = c_int::try_from(ranks.len()).unwrap_or(0);
        let code = ffi::MPI_Group_incl(all, count, ranks.as_ptr(), &mut made);
        ffi::MPI_Group_free(&mut all);
        check("MPI_Group_incl", code).map(|()| made)
    }
}

unsafe fn other_again(
    line: &Line,
    address: &dyn Fn(&str) -> Option<usize>,
    job: Comm,
) -> Result<(), CommError> {
    // What this start has made before it knew of the checkpoint, and is the same.
    let there = |class: Class| {
        table(|all| {
            let place = all.find(class, line.number)?;
            Some((place, all.get(class, place)?))
        })
    };
    // SAFETY: the promise of the caller; a function is called as it was before.
    unsafe {
        match line.what {
            "group" => {
                if let Some(one) = there(Class::Group)
                    && ranks(handle(one.0), job, "a group")? == line.ranks
                {
                    return Ok(());
                }
                let made = group(&line.ranks, job)?;
                again(Class::Group, number(made), line.number, (0, false));
            }
            "datatype" => {
                if let Some(one) = there(Class::Datatype) {
                    let mut words = Vec::new();
                    files::words(handle(one.0), named, &mut words)?;
                    if words == line.rest {
                        return Ok(());
                    }
                }
                let mut made = files::datatype(&mut line.rest.iter().copied())?;
                if files::is_own(made) {
                    let own = made;
                    check("MPI_Type_dup", ffi::MPI_Type_dup(own, &mut made))?;
                }
                check("MPI_Type_commit", ffi::MPI_Type_commit(&mut made))?;
                again(Class::Datatype, number(made), line.number, (0, false));
            }
            "operation" => {
                let [commutes, name @ ..] = line.rest.as_slice() else {
                    return Err(nonsense());
                };
                let name = name.join(" ");
                let place = address(&name).ok_or_else(|| {
                    CommError::new(format!(
                        "an operation of MPI calls {name}, which this program does not name"
                    ))
                })?;
                let function: ffi::MPI_User_function =
                    Some(std::mem::transmute::<
                        *const c_void,
                        unsafe extern "C" fn(*mut c_void, *mut c_void, *mut c_int, *mut Type),
                    >(place as *const c_void));
                let commutes = *commutes == "1";
                if there(Class::Operation).is_some_and(|one| one.1.operation == (place, commutes)) {
                    return Ok(());
                }
                let mut made = ffi::RSMPI_SUM;
                let code = ffi::MPI_Op_create(function, c_int::from(commutes), &mut made);
                check("MPI_Op_create", code)?;
                again(
                    Class::Operation,
                    number(made),
                    line.number,
                    (place, commutes),
                );
            }
            _ => return Err(nonsense()),
        }
    }
    Ok(())
}
