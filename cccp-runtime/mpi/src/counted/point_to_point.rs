//! Messages from one rank to another: what is sent counts at once, what is received when it has come.

use std::collections::BTreeMap;
use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::sync::{Mutex, MutexGuard, PoisonError};

use cccp::comm::CommError;
use cccp::messages::{Effect, Member, Request, tally};
use mpi::ffi;
use mpi::ffi::{
    MPI_Comm as Comm, MPI_Datatype as Type, MPI_Message as Message, MPI_Status as Status,
};

use super::communicators::member;
use super::requests::{made, prepared};
use crate::comm::check;
use crate::handles::{Arguments, note_request};
use crate::success::succeeded;

type In = *const c_void;
type Out = *mut c_void;
type Made = *mut ffi::MPI_Request;

/// The place for a status: the program's, or one of ours where it wants none.
pub(super) fn place(theirs: *mut Status, own: &mut MaybeUninit<Status>) -> *mut Status {
    // SAFETY: a constant of MPI.
    match theirs == unsafe { ffi::RSMPI_STATUS_IGNORE } {
        true => own.as_mut_ptr(),
        false => theirs,
    }
}

/// Whether there is nobody at the other end.
fn is_nobody(peer: c_int) -> bool {
    // SAFETY: a constant of MPI.
    peer == unsafe { ffi::RSMPI_PROC_NULL }
}

fn sent(comm: Comm, destination: c_int, tag: c_int) {
    if !is_nobody(destination) {
        tally().sent(&member(comm), destination, tag);
    }
}

/// A message has come, as the status says.
fn received(by: &Member, status: &Status) {
    if !is_nobody(status.MPI_SOURCE) {
        tally().received(by, status.MPI_SOURCE, status.MPI_TAG);
    }
}

/// A request that sends.
pub(super) fn sends(call: &'static str, comm: Comm, destination: c_int, tag: c_int) -> Request {
    Request {
        call,
        effect: match is_nobody(destination) {
            true => Effect::Nothing,
            false => Effect::Sends,
        },
        member: member(comm),
        peer: Some(destination),
        tag: Some(tag),
    }
}

/// A request that receives.
fn receives(call: &'static str, comm: Comm, source: c_int, tag: c_int) -> Request {
    // SAFETY: constants of MPI.
    let (any_source, any_tag) = unsafe { (ffi::RSMPI_ANY_SOURCE, ffi::RSMPI_ANY_TAG) };
    Request {
        call,
        effect: match is_nobody(source) {
            true => Effect::Nothing,
            false => Effect::Receives,
        },
        member: member(comm),
        peer: (source != any_source).then_some(source),
        tag: (tag != any_tag).then_some(tag),
    }
}

/// A row for each function that sends and returns.
macro_rules! sending {
    ($($wrapper:ident = $call:ident;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $wrapper(
            buf: In, count: c_int, datatype: Type, dest: c_int, tag: c_int, comm: Comm,
        ) -> c_int {
            // SAFETY: the caller's promises are those of MPI.
            let code = unsafe { ffi::$call(buf, count, datatype, dest, tag, comm) };
            if succeeded(code) {
                sent(comm, dest, tag);
            }
            code
        }
    )*};
}

/// A row for each function that starts a request with the buffer of this kind, and what it does.
macro_rules! requesting {
    ($($wrapper:ident = $call:ident($buffer:ty), $does:ident;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $wrapper(
            buf: $buffer, count: c_int, datatype: Type, peer: c_int, tag: c_int, comm: Comm, request: Made,
        ) -> c_int {
            // SAFETY: the caller's promises are those of MPI.
            let code = unsafe { ffi::$call(buf, count, datatype, peer, tag, comm, request) };
            if succeeded(code) {
                // SAFETY: MPI has stored the request.
                unsafe { made(request.cast_const(), $does(stringify!($call), comm, peer, tag)) };
            }
            code
        }
    )*};
}

/// A row for each function that makes a persistent request.
macro_rules! preparing {
    ($($wrapper:ident = $call:ident($buffer:ty), $does:ident;)*) => {
        $(
            #[unsafe(no_mangle)]
            unsafe extern "C" fn $wrapper(
                buf: $buffer, count: c_int, datatype: Type, peer: c_int, tag: c_int, comm: Comm, request: Made,
            ) -> c_int {
                // SAFETY: the caller's promises are those of MPI, which has stored the request where it succeeded.
                unsafe {
                    let code = ffi::$call(buf, count, datatype, peer, tag, comm, request);
                    if succeeded(code) {
                        let buffer = buf as usize;
                        let arguments = Arguments { buffer, count, datatype, peer, tag, comm };
                        prepared(*request, $does(stringify!($call), comm, peer, tag));
                        note_request(*request, stringify!($call), &arguments);
                    }
                    code
                }
            }
        )*

        /// Makes a persistent request as the program would; none when there is no such function.
        ///
        /// # Safety
        ///
        /// What MPI asks of the caller of the function.
        pub unsafe fn prepare(function: &str, with: &Arguments) -> Option<Result<ffi::MPI_Request, CommError>> {
            // SAFETY: a constant of MPI; the promise of the caller.
            unsafe {
                let mut request = ffi::RSMPI_REQUEST_NULL;
                let code = match function {
                    $(
                        stringify!($call) => $wrapper(
                            with.buffer as $buffer, with.count, with.datatype, with.peer, with.tag, with.comm, &mut request,
                        ),
                    )*
                    _ => return None,
                };
                Some(check(function, code).map(|()| request))
            }
        }
    };
}

sending! {
    cccp_MPI_Send = MPI_Send;
    cccp_MPI_Bsend = MPI_Bsend;
    cccp_MPI_Ssend = MPI_Ssend;
    cccp_MPI_Rsend = MPI_Rsend;
}

requesting! {
    cccp_MPI_Isend = MPI_Isend(In), sends;
    cccp_MPI_Ibsend = MPI_Ibsend(In), sends;
    cccp_MPI_Issend = MPI_Issend(In), sends;
    cccp_MPI_Irsend = MPI_Irsend(In), sends;
    cccp_MPI_Irecv = MPI_Irecv(Out), receives;
}

preparing! {
    cccp_MPI_Send_init = MPI_Send_init(In), sends;
    cccp_MPI_Bsend_init = MPI_Bsend_init(In), sends;
    cccp_MPI_Ssend_init = MPI_Ssend_init(In), sends;
    cccp_MPI_Rsend_init = MPI_Rsend_init(In), sends;
    cccp_MPI_Recv_init = MPI_Recv_init(Out), receives;
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cccp_MPI_Recv(
    buf: Out,
    count: c_int,
    datatype: Type,
    source: c_int,
    tag: c_int,
    comm: Comm,
    status: *mut Status,
) -> c_int {
    let mut own = MaybeUninit::uninit();
    let status = place(status, &mut own);
    // SAFETY: the caller's promises are those of MPI, which stores the status when it succeeds.
    unsafe {
        let code = ffi::MPI_Recv(buf, count, datatype, source, tag, comm, status);
        if succeeded(code) {
            received(&member(comm), &*status);
        }
        code
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cccp_MPI_Sendrecv(
    sendbuf: In,
    sendcount: c_int,
    sendtype: Type,
    dest: c_int,
    sendtag: c_int,
    recvbuf: Out,
    recvcount: c_int,
    recvtype: Type,
    source: c_int,
    recvtag: c_int,
    comm: Comm,
    status: *mut Status,
) -> c_int {
    let mut own = MaybeUninit::uninit();
    let status = place(status, &mut own);
    // SAFETY: as for MPI_Recv.
    unsafe {
        let code = ffi::MPI_Sendrecv(
            sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source,
            recvtag, comm, status,
        );
        if succeeded(code) {
            sent(comm, dest, sendtag);
            received(&member(comm), &*status);
        }
        code
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cccp_MPI_Sendrecv_replace(
    buf: Out,
    count: c_int,
    datatype: Type,
    dest: c_int,
    sendtag: c_int,
    source: c_int,
    recvtag: c_int,
    comm: Comm,
    status: *mut Status,
) -> c_int {
    let mut own = MaybeUninit::uninit();
    let status = place(status, &mut own);
    // SAFETY: as for MPI_Recv.
    unsafe {
        let code = ffi::MPI_Sendrecv_replace(
            buf, count, datatype, dest, sendtag, source, recvtag, comm, status,
        );
        if succeeded(code) {
            sent(comm, dest, sendtag);
            received(&member(comm), &*status);
        }
        code
    }
}

/// Messages that were matched and not yet received, and whose they are.
static MATCHED: Mutex<BTreeMap<usize, Member>> = Mutex::new(BTreeMap::new());

fn matched() -> MutexGuard<'static, BTreeMap<usize, Member>> {
    MATCHED.lock().unwrap_or_else(PoisonError::into_inner)
}

fn keep(message: Message, comm: Comm) {
    // SAFETY: a constant of MPI.
    if message != unsafe { ffi::RSMPI_MESSAGE_NO_PROC } {
        matched().insert(message.0 as usize, member(comm));
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cccp_MPI_Mprobe(
    source: c_int,
    tag: c_int,
    comm: Comm,
    message: *mut Message,
    status: *mut Status,
) -> c_int {
    // SAFETY: the caller's promises are those of MPI, which stores the message when it succeeds.
    unsafe {
        let code = ffi::MPI_Mprobe(source, tag, comm, message, status);
        if succeeded(code) {
            keep(*message, comm);
        }
        code
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cccp_MPI_Improbe(
    source: c_int,
    tag: c_int,
    comm: Comm,
    flag: *mut c_int,
    message: *mut Message,
    status: *mut Status,
) -> c_int {
    // SAFETY: the caller's promises are those of MPI, which stores the message when there is one.
    unsafe {
        let code = ffi::MPI_Improbe(source, tag, comm, flag, message, status);
        if succeeded(code) && *flag != 0 {
            keep(*message, comm);
        }
        code
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cccp_MPI_Mrecv(
    buf: Out,
    count: c_int,
    datatype: Type,
    message: *mut Message,
    status: *mut Status,
) -> c_int {
    let mut own = MaybeUninit::uninit();
    let status = place(status, &mut own);
    // SAFETY: as for MPI_Recv.
    unsafe {
        let known = matched().remove(&((*message).0 as usize));
        let code = ffi::MPI_Mrecv(buf, count, datatype, message, status);
        if let Some(by) = known.filter(|_| succeeded(code)) {
            received(&by, &*status);
        }
        code
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cccp_MPI_Imrecv(
    buf: Out,
    count: c_int,
    datatype: Type,
    message: *mut Message,
    request: Made,
) -> c_int {
    // SAFETY: the caller's promises are those of MPI, which stores the request when it succeeds; a constant of it.
    unsafe {
        let known = matched().remove(&((*message).0 as usize));
        let code = ffi::MPI_Imrecv(buf, count, datatype, message, request);
        if succeeded(code) {
            let effect = known.map_or(Effect::Nothing, |_| Effect::Receives);
            made(
                request.cast_const(),
                Request {
                    call: "MPI_Imrecv",
                    effect,
                    member: known.unwrap_or_else(|| member(ffi::RSMPI_COMM_WORLD)),
                    peer: None,
                    tag: None,
                },
            );
        }
        code
    }
}
