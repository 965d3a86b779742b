//! Communicators: each has a number that all its members know, and no other one has.
//!
//! Who is rank 0 of a new communicator names it after itself and tells the others. The name is an attribute, so MPI
//! forgets it with the communicator; a duplicate gets a name of its own. A communicator that was not made here is
//! named after its members.

use std::ffi::{c_int, c_void};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use cccp::comm::notes_handles;
use cccp::messages::{Member, counts, mix, tally};
use mpi::ffi;
use mpi::ffi::{MPI_Comm as Comm, MPI_Group as Group};

use crate::comm::not_copied;
use crate::handles::{Class, forget, note_communicator, number};

use crate::success::succeeded;

/// The name of `MPI_COMM_WORLD`.
const WORLD: u64 = 1;
/// Begins the names of communicators that were made here.
const MADE: u64 = 2;
/// Begins the names of those that were not.
const FOUND: u64 = 3;

/// This process as a member of a communicator that MPI has just accepted.
pub(super) fn member(comm: Comm) -> Member {
    static OF_WORLD: OnceLock<Member> = OnceLock::new();
    // SAFETY: a constant of MPI.
    if comm == unsafe { ffi::RSMPI_COMM_WORLD } {
        return *OF_WORLD.get_or_init(|| among(comm, WORLD));
    }
    let (mut attribute, mut found): (*mut c_void, c_int) = (std::ptr::null_mut(), 0);
    // SAFETY: the communicator is alive; MPI stores a pointer, and a number that says whether there is one.
    unsafe { ffi::MPI_Comm_get_attr(comm, key(), (&raw mut attribute).cast(), &mut found) };
    if found != 0 {
        // SAFETY: the attribute is one of `name`, alive as long as the communicator.
        return unsafe { *attribute.cast::<Member>() };
    }
    name(comm, after_members(comm))
}

/// The rank and the size of this process in a communicator with this name.
fn among(comm: Comm, id: u64) -> Member {
    let (mut rank, mut size) = (0, 1);
    // SAFETY: the communicator is alive; numbers are stored.
    unsafe {
        ffi::MPI_Comm_rank(comm, &mut rank);
        ffi::MPI_Comm_size(comm, &mut size);
    }
    Member { id, rank, size }
}

/// Attaches a name.
fn name(comm: Comm, id: u64) -> Member {
    let member = among(comm, id);
    let attribute = Box::into_raw(Box::new(member)).cast();
    // SAFETY: the communicator is alive; `release` gives the attribute back.
    unsafe { ffi::MPI_Comm_set_attr(comm, key(), attribute) };
    member
}

/// A name that says who is a member.
fn after_members(comm: Comm) -> u64 {
    // SAFETY: a constant of MPI.
    let (mut members, mut all): (Group, Group) =
        unsafe { (ffi::RSMPI_GROUP_NULL, ffi::RSMPI_GROUP_NULL) };
    let mut size = 0;
    // SAFETY: the communicators are alive, the groups are freed here, and the lists have room for all ranks.
    unsafe {
        ffi::MPI_Comm_group(comm, &mut members);
        ffi::MPI_Comm_group(ffi::RSMPI_COMM_WORLD, &mut all);
        ffi::MPI_Group_size(members, &mut size);
        let own: Vec<c_int> = (0..size).collect();
        let mut ranks = own.clone();
        ffi::MPI_Group_translate_ranks(members, size, own.as_ptr(), all, ranks.as_mut_ptr());
        ffi::MPI_Group_free(&mut members);
        ffi::MPI_Group_free(&mut all);
        let ranks = ranks.into_iter().map(c_int::cast_unsigned);
        ranks.fold(FOUND, |id, rank| mix(id, u64::from(rank)))
    }
}

/// How many communicators were named after this process.
static NUMBER: AtomicU64 = AtomicU64::new(0);

/// See [`numbers_from`].
pub fn last_number() -> u64 {
    NUMBER.load(Ordering::Relaxed)
}

/// No communicator gets a name again that one had before the checkpoint of a restart.
pub fn numbers_from(last: u64) {
    NUMBER.fetch_max(last, Ordering::Relaxed);
}

/// Gives a communicator of a restart the name that it had.
pub fn call_again(comm: Comm, id: u64) {
    name(comm, id);
}

/// Names a communicator that all its members have just made, notes it and counts that.
fn made(comm: Comm) {
    if !counts() && !notes_handles() {
        return;
    }
    // SAFETY: constants of MPI.
    let (none, world) = unsafe { (ffi::RSMPI_COMM_NULL, ffi::RSMPI_COMM_WORLD) };
    let mut between_groups = 0;
    // SAFETY: the communicator is alive, if it is one; a number is stored.
    if comm == none || {
        unsafe { ffi::MPI_Comm_test_inter(comm, &mut between_groups) };
        between_groups != 0
    } {
        return;
    }
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let mut id = mix(mix(MADE, member(world).rank.cast_unsigned().into()), number);
    // SAFETY: all members of the new communicator are here; one number is sent.
    let code = unsafe { ffi::MPI_Bcast((&raw mut id).cast(), 1, ffi::RSMPI_UINT64_T, 0, comm) };
    if succeeded(code) {
        name(comm, id);
    }
    let member = member(comm);
    note_communicator(comm, member.id);
    tally().collective(&member);
}

/// The key of names.
fn key() -> c_int {
    static KEY: OnceLock<c_int> = OnceLock::new();
    *KEY.get_or_init(|| {
        let mut key = 0;
        // SAFETY: MPI is running; both functions have the types that MPI wants and live as long as the process.
        unsafe {
            ffi::MPI_Comm_create_keyval(
                Some(not_copied), // a duplicate is another communicator
                Some(release),
                &mut key,
                std::ptr::null_mut(),
            );
        }
        key
    })
}

/// The communicator ends, and its name with it.
unsafe extern "C" fn release(
    _communicator: Comm,
    _key: c_int,
    attribute: *mut c_void,
    _extra: *mut c_void,
) -> c_int {
    // SAFETY: the attribute is one of `name`, and MPI calls this once.
    drop(unsafe { Box::from_raw(attribute.cast::<Member>()) });
    ffi::MPI_SUCCESS as c_int
}

/// A row for each function that makes a communicator together with all members of the first one.
macro_rules! constructors {
    ($($wrapper:ident = $call:ident($($argument:ident: $kind:ty),*);)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $wrapper(comm: Comm, $($argument: $kind,)* newcomm: *mut Comm) -> c_int {
            // SAFETY: the caller's promises are those of MPI.
            let code = unsafe { ffi::$call(comm, $($argument,)* newcomm) };
            if succeeded(code) {
                if counts() {
                    tally().collective(&member(comm));
                }
                // SAFETY: MPI has stored the new communicator.
                made(unsafe { *newcomm });
            }
            code
        }
    )*};
}

type Numbers = *const c_int;
type Options = ffi::MPI_Info;

constructors! {
    cccp_MPI_Comm_dup = MPI_Comm_dup();
    cccp_MPI_Comm_dup_with_info = MPI_Comm_dup_with_info(info: Options);
    cccp_MPI_Comm_split = MPI_Comm_split(color: c_int, key: c_int);
    cccp_MPI_Comm_split_type = MPI_Comm_split_type(split_type: c_int, key: c_int, info: Options);
    cccp_MPI_Comm_create = MPI_Comm_create(group: Group);
    cccp_MPI_Cart_create = MPI_Cart_create(ndims: c_int, dims: Numbers, periods: Numbers, reorder: c_int);
    cccp_MPI_Cart_sub = MPI_Cart_sub(remain_dims: Numbers);
    cccp_MPI_Graph_create = MPI_Graph_create(nnodes: c_int, index: Numbers, edges: Numbers, reorder: c_int);
    cccp_MPI_Dist_graph_create = MPI_Dist_graph_create(
        n: c_int, nodes: Numbers, degrees: Numbers, targets: Numbers, weights: Numbers, info: Options, reorder: c_int
    );
    cccp_MPI_Dist_graph_create_adjacent = MPI_Dist_graph_create_adjacent(
        indegree: c_int, sources: Numbers, sourceweights: Numbers, outdegree: c_int, destinations: Numbers,
        destweights: Numbers, info: Options, reorder: c_int
    );
}

/// Only the members of the new communicator make it.
#[unsafe(no_mangle)]
unsafe extern "C" fn cccp_MPI_Comm_create_group(
    comm: Comm,
    group: Group,
    tag: c_int,
    newcomm: *mut Comm,
) -> c_int {
    // SAFETY: the caller's promises are those of MPI.
    let code = unsafe { ffi::MPI_Comm_create_group(comm, group, tag, newcomm) };
    if succeeded(code) {
        // SAFETY: MPI has stored the new communicator.
        made(unsafe { *newcomm });
    }
    code
}

/// All members give it up together.
#[unsafe(no_mangle)]
unsafe extern "C" fn cccp_MPI_Comm_free(comm: *mut Comm) -> c_int {
    // SAFETY: the caller's promises are those of MPI; a constant of it.
    let (handle, member) = unsafe {
        let is_counted = counts() && *comm != ffi::RSMPI_COMM_NULL;
        (*comm, is_counted.then(|| member(*comm)))
    };
    // SAFETY: the caller's promises are those of MPI.
    let code = unsafe { ffi::MPI_Comm_free(comm) };
    if succeeded(code) {
        forget(Class::Communicator, number(handle));
    }
    if let Some(member) = member.filter(|_| succeeded(code)) {
        tally().collective(&member);
    }
    code
}
