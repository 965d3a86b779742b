//! Requests: what was started is in flight until MPI says that it is complete.

use std::ffi::c_int;
use std::mem::MaybeUninit;

use cccp::messages::{Dropped, Held, Request, dropped_requests, requests};
use mpi::ffi;
use mpi::ffi::{MPI_Request as Handle, MPI_Status as Status};

use super::point_to_point::{place, sends};
use crate::comm::check_running;
use crate::handles::{forget_request, handle, number};
use crate::success::succeeded;

/// A handle that the program has there.
fn held(handle: Handle, at: *const Handle) -> Held {
    Held {
        handle: number(handle),
        at: at.addr(),
    }
}

/// A request was started, and stored there.
///
/// # Safety
///
/// It was.
pub(super) unsafe fn made(at: *const Handle, request: Request) {
    // SAFETY: the promise of the caller.
    let held = held(unsafe { *at }, at);
    requests(|all, tally| {
        // Where requests are dropped, cccp-pp has seen that no handle is copied, or that none is asked for.
        if matches!(dropped_requests(), Dropped::Sends | Dropped::All) {
            all.overwritten(held.at);
        }
        all.started(tally, held, request);
    });
}

/// A persistent request was made.
pub(super) fn prepared(handle: Handle, request: Request) {
    requests(|all, _| all.prepared(number(handle), request));
}

/// Which of these requests of the program are complete, with source and tag. MPI is running.
pub fn complete(handles: &[usize]) -> Vec<(usize, c_int, c_int)> {
    let complete = |&place: &usize| {
        let (mut flag, mut status) = (0, MaybeUninit::<Status>::zeroed());
        // SAFETY: a request that the program has made and not completed; a number and a status are stored, and the request stays.
        let (code, status) = unsafe {
            let request: Handle = handle(place);
            let code = ffi::MPI_Request_get_status(request, &mut flag, status.as_mut_ptr());
            (code, status.assume_init())
        };
        let is_complete = succeeded(code) && flag != 0 && !is_cancelled(&status);
        is_complete.then_some((place, status.MPI_SOURCE, status.MPI_TAG))
    };
    handles.iter().filter_map(complete).collect()
}

/// Whether a handle is one of what was sent, complete, and comes back so.
pub fn is_sent(handle: usize) -> bool {
    requests(|all, _| all.is_settled(handle))
}

/// A request that stands for a complete send: nothing is sent, to nobody, and it is complete at once. None where MPI cannot make it.
pub fn complete_send() -> Option<usize> {
    check_running().ok()?;
    // SAFETY: constants of MPI, which is running; a handle is stored.
    let (code, made, request) = unsafe {
        let (own, nobody) = (ffi::RSMPI_COMM_SELF, ffi::RSMPI_PROC_NULL);
        let mut made: Handle = ffi::RSMPI_REQUEST_NULL;
        let (nothing, byte) = (std::ptr::null(), ffi::RSMPI_INT8_T);
        let code = ffi::MPI_Isend(nothing, 0, byte, nobody, 0, own, &mut made);
        (code, made, sends("MPI_Isend", own, nobody, 0))
    };
    let handle = succeeded(code).then(|| number(made))?;
    requests(|all, _| all.remade(handle, request));
    Some(handle)
}

/// Whether a request ended without its message, as its status says.
fn is_cancelled(status: &Status) -> bool {
    let mut flag = 0;
    // SAFETY: a status that MPI has stored; a number is stored.
    let code = unsafe { ffi::MPI_Test_cancelled(status, &mut flag) };
    succeeded(code) && flag != 0
}

/// A handle, and where it was.
type One = (Handle, *const Handle);

/// Requests are complete, each as its status says.
fn completed<'a>(some: impl Iterator<Item = (One, &'a Status)>) {
    // SAFETY: a constant of MPI.
    let none = unsafe { ffi::RSMPI_REQUEST_NULL };
    requests(|all, tally| {
        for ((handle, at), status) in some.filter(|((handle, _), _)| *handle != none) {
            let held = held(handle, at);
            match is_cancelled(status) {
                true => all.cancelled(held),
                false => all.completed(tally, held, status.MPI_SOURCE, status.MPI_TAG),
            }
        }
    });
}

/// The handles of a list, before MPI ends them.
///
/// # Safety
///
/// There are `count` of them.
unsafe fn handles(count: c_int, list: *const Handle) -> Vec<One> {
    match usize::try_from(count) {
        Ok(count) if count > 0 && !list.is_null() => {
            // SAFETY: the promise of the caller.
            let list = unsafe { std::slice::from_raw_parts(list, count) };
            list.iter().map(|one| (*one, &raw const *one)).collect()
        }
        _ => Vec::new(),
    }
}

/// The statuses of a list: the program's, or our own where it wants none.
struct Statuses {
    own: Vec<MaybeUninit<Status>>,
    list: *mut Status,
}

impl Statuses {
    fn new(count: usize, theirs: *mut Status) -> Statuses {
        // SAFETY: a constant of MPI.
        let is_ignored = theirs == unsafe { ffi::RSMPI_STATUSES_IGNORE };
        let mut own = Vec::new();
        let mut list = theirs;
        if is_ignored {
            own.resize_with(count, MaybeUninit::zeroed);
            list = own.as_mut_ptr().cast();
        }
        Statuses { own, list }
    }

    /// Those that MPI has stored.
    ///
    /// # Safety
    ///
    /// MPI has stored the first `count`.
    unsafe fn stored(&self, count: usize) -> &[Status] {
        debug_assert!(self.own.is_empty() || count <= self.own.len());
        if count == 0 {
            return &[];
        }
        // SAFETY: the promise of the caller.
        unsafe { std::slice::from_raw_parts(self.list, count) }
    }
}

/// Whether some of the requests have ended, each as its own status says.
fn is_in_status(code: c_int) -> bool {
    let mut class = 0;
    // SAFETY: a number is stored.
    unsafe { ffi::MPI_Error_class(code, &mut class) };
    class == ffi::MPI_ERR_IN_STATUS as c_int
}

/// Those of the requests that are complete without an error, after a call with this return code.
fn sound<'a>(
    code: c_int,
    some: impl Iterator<Item = (One, &'a Status)>,
) -> impl Iterator<Item = (One, &'a Status)> {
    let one_by_one = !succeeded(code);
    some.filter(move |(_, status)| !one_by_one || succeeded(status.MPI_ERROR))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cccp_MPI_Wait(request: *mut Handle, status: *mut Status) -> c_int {
    let mut own = MaybeUninit::zeroed();
    let status = place(status, &mut own);
    // SAFETY: the caller's promises are those of MPI, which stores the status when it succeeds.
    unsafe {
        let handle = *request;
        let code = ffi::MPI_Wait(request, status);
        if succeeded(code) {
            completed([((handle, request.cast_const()), &*status)].into_iter());
        }
        code
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cccp_MPI_Test(
    request: *mut Handle,
    flag: *mut c_int,
    status: *mut Status,
) -> c_int {
    let mut own = MaybeUninit::zeroed();
    let status = place(status, &mut own);
    // SAFETY: as for MPI_Wait.
    unsafe {
        let handle = *request;
        let code = ffi::MPI_Test(request, flag, status);
        if succeeded(code) && *flag != 0 {
            completed([((handle, request.cast_const()), &*status)].into_iter());
        }
        code
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cccp_MPI_Waitall(
    count: c_int,
    array_of_requests: *mut Handle,
    array_of_statuses: *mut Status,
) -> c_int {
    // SAFETY: the caller's promises are those of MPI, which stores as many statuses.
    unsafe {
        let all = handles(count, array_of_requests);
        let statuses = Statuses::new(all.len(), array_of_statuses);
        let code = ffi::MPI_Waitall(count, array_of_requests, statuses.list);
        if succeeded(code) || is_in_status(code) {
            let stored = statuses.stored(all.len());
            completed(sound(code, all.into_iter().zip(stored)));
        }
        code
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cccp_MPI_Testall(
    count: c_int,
    array_of_requests: *mut Handle,
    flag: *mut c_int,
    array_of_statuses: *mut Status,
) -> c_int {
    // SAFETY: as for MPI_Waitall.
    unsafe {
        let all = handles(count, array_of_requests);
        let statuses = Statuses::new(all.len(), array_of_statuses);
        let code = ffi::MPI_Testall(count, array_of_requests, flag, statuses.list);
        if (succeeded(code) && *flag != 0) || is_in_status(code) {
            let stored = statuses.stored(all.len());
            completed(sound(code, all.into_iter().zip(stored)));
        }
        code
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cccp_MPI_Waitany(
    count: c_int,
    array_of_requests: *mut Handle,
    index: *mut c_int,
    status: *mut Status,
) -> c_int {
    let mut own = MaybeUninit::zeroed();
    let status = place(status, &mut own);
    // SAFETY: as for MPI_Wait.
    unsafe {
        let all = handles(count, array_of_requests);
        let code = ffi::MPI_Waitany(count, array_of_requests, index, status);
        if succeeded(code) {
            completed(
                nth(&all, *index)
                    .map(|handle| (handle, &*status))
                    .into_iter(),
            );
        }
        code
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cccp_MPI_Testany(
    count: c_int,
    array_of_requests: *mut Handle,
    index: *mut c_int,
    flag: *mut c_int,
    status: *mut Status,
) -> c_int {
    let mut own = MaybeUninit::zeroed();
    let status = place(status, &mut own);
    // SAFETY: as for MPI_Wait.
    unsafe {
        let all = handles(count, array_of_requests);
        let code = ffi::MPI_Testany(count, array_of_requests, index, flag, status);
        if succeeded(code) && *flag != 0 {
            completed(
                nth(&all, *index)
                    .map(|handle| (handle, &*status))
                    .into_iter(),
            );
        }
        code
    }
}

/// The handle with this index, which may be `MPI_UNDEFINED`.
fn nth(all: &[One], index: c_int) -> Option<One> {
    let index = usize::try_from(index).ok()?;
    all.get(index).copied()
}

/// A row for each function that completes some of a list.
macro_rules! some {
    ($($wrapper:ident = $call:ident;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $wrapper(
            incount: c_int,
            array_of_requests: *mut Handle,
            outcount: *mut c_int,
            array_of_indices: *mut c_int,
            array_of_statuses: *mut Status,
        ) -> c_int {
            // SAFETY: the caller's promises are those of MPI, which stores `outcount` indices and statuses.
            unsafe {
                let all = handles(incount, array_of_requests);
                let statuses = Statuses::new(all.len(), array_of_statuses);
                let code = ffi::$call(
                    incount, array_of_requests, outcount, array_of_indices, statuses.list,
                );
                if succeeded(code) || is_in_status(code) {
                    // MPI_UNDEFINED is negative.
                    let count = usize::try_from(*outcount).unwrap_or(0);
                    let stored = statuses.stored(count).iter().enumerate();
                    let ended = stored.filter_map(|(at, status)| {
                        Some((nth(&all, array_of_indices.add(at).read())?, status))
                    });
                    completed(sound(code, ended));
                }
                code
            }
        }
    )*};
}

some! {
    cccp_MPI_Waitsome = MPI_Waitsome;
    cccp_MPI_Testsome = MPI_Testsome;
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cccp_MPI_Start(request: *mut Handle) -> c_int {
    // SAFETY: the caller's promises are those of MPI.
    unsafe {
        let handle = *request;
        let code = ffi::MPI_Start(request);
        if succeeded(code) {
            requests(|all, tally| all.starts(tally, number(handle)));
        }
        code
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cccp_MPI_Startall(count: c_int, array_of_requests: *mut Handle) -> c_int {
    // SAFETY: the caller's promises are those of MPI.
    unsafe {
        let some = handles(count, array_of_requests);
        let code = ffi::MPI_Startall(count, array_of_requests);
        if succeeded(code) {
            requests(|all, tally| {
                for (handle, _) in some {
                    all.starts(tally, number(handle));
                }
            });
        }
        code
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cccp_MPI_Request_free(request: *mut Handle) -> c_int {
    // SAFETY: the caller's promises are those of MPI.
    unsafe {
        let handle = *request;
        let code = ffi::MPI_Request_free(request);
        if succeeded(code) {
            requests(|all, _| all.freed(number(handle)));
            forget_request(handle);
        }
        code
    }
}
