//! The functions that a program calls instead of MPI's: they do the same, and note what MPI would not tell at a checkpoint.

use std::ffi::{c_char, c_int, c_void};

use cccp::messages::{Effect, Request, counts, requests, tally};
use mpi::ffi;
use mpi::ffi::{MPI_Datatype as Type, MPI_File as File, MPI_Info as Options, MPI_Offset as Offset};

use super::opened::{Opened, files, hints, note, opened, path};
use crate::success::succeeded;

type Out = *mut c_void;
type In = *const c_void;
type Status = *mut ffi::MPI_Status;
type Made = *mut ffi::MPI_Request;

/// Changes what is known of a file, and gives it.
fn change(handle: File, work: impl FnOnce(&mut Opened)) {
    files(|all| all.get_mut(&(handle as usize)).map(work));
}

/// This rank may have made the file longer.
fn wrote(handle: File) {
    change(handle, |file| file.wrote = true);
}

/// A call that all members make was made here.
fn collective(handle: File) {
    if let Some(file) = opened(handle) {
        tally().collective(&file.member);
    }
}

/// A request was started.
fn started(handle: File, request: Made, call: &'static str, effect: Effect) {
    if counts()
        && let Some(file) = opened(handle)
    {
        // SAFETY: MPI has stored the request.
        let request = unsafe { *request }.0 as usize;
        requests(|all, tally| all.started(tally, request, made(call, effect, &file)));
    }
}

fn made(call: &'static str, effect: Effect, file: &Opened) -> Request {
    Request {
        call,
        effect,
        member: file.member,
        peer: None,
        tag: None,
    }
}

/// A split collective call begins: it is under way until it ends.
fn begins(handle: File, call: &'static str) {
    change(handle, |file| {
        file.begun = Some(call);
        if counts() {
            let begun = made(call, Effect::Collective, file);
            requests(|all, tally| all.started(tally, handle as usize, begun));
        }
    });
}

fn ends(handle: File) {
    change(handle, |file| file.begun = None);
    if counts() {
        requests(|all, tally| all.completed(tally, handle as usize, 0, 0));
    }
}

/// All ranks have moved the shared pointer by their parts.
fn moved(handle: File, count: c_int, datatype: Type) {
    let mut size = 0;
    // SAFETY: MPI has just used the datatype; a number is stored.
    unsafe { ffi::MPI_Type_size(datatype, &mut size) };
    change(handle, |file| {
        file.moved += i64::from(count) * i64::from(size) / file.element.max(1);
    });
}

/// A rank has moved the shared pointer for itself.
fn alone(handle: File, call: &'static str) {
    change(handle, |file| file.alone = Some(call));
}

/// All ranks know where the shared pointer is; none where only MPI does.
fn placed(handle: File, first: Option<i64>) {
    change(handle, |file| {
        (file.first, file.moved, file.alone) = (first, 0, None);
    });
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cccp_MPI_File_open(
    comm: ffi::MPI_Comm,
    filename: *const c_char,
    amode: c_int,
    info: Options,
    fh: *mut File,
) -> c_int {
    // SAFETY: the caller's promises are those of MPI; a constant of it.
    unsafe {
        let code = ffi::MPI_File_open(comm, filename, amode, info, fh);
        if comm != ffi::RSMPI_COMM_NULL {
            let handle = match succeeded(code) {
                true => *fh,
                false => ffi::RSMPI_FILE_NULL,
            };
            if let Some(member) = note(comm, path(filename), hints(info), code, handle) {
                tally().collective(&member);
            }
        }
        code
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cccp_MPI_File_close(fh: *mut File) -> c_int {
    // SAFETY: the caller's promises are those of MPI.
    let (handle, code) = unsafe { (*fh, ffi::MPI_File_close(fh)) };
    if succeeded(code) {
        collective(handle);
        files(|all| all.remove(&(handle as usize)));
    }
    code
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cccp_MPI_File_set_view(
    fh: File,
    disp: Offset,
    etype: Type,
    filetype: Type,
    datarep: *const c_char,
    info: Options,
) -> c_int {
    // SAFETY: the caller's promises are those of MPI; a number is stored.
    unsafe {
        let code = ffi::MPI_File_set_view(fh, disp, etype, filetype, datarep, info);
        if succeeded(code) {
            let mut size = 1;
            ffi::MPI_Type_size(etype, &mut size);
            collective(fh);
            placed(fh, Some(0));
            let more = hints(info);
            change(fh, |file| {
                file.element = size.into();
                file.hints.extend(more);
            });
        }
        code
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cccp_MPI_File_set_info(fh: File, info: Options) -> c_int {
    // SAFETY: the caller's promises are those of MPI.
    unsafe {
        let code = ffi::MPI_File_set_info(fh, info);
        if succeeded(code) {
            collective(fh);
            let more = hints(info);
            change(fh, |file| file.hints.extend(more));
        }
        code
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cccp_MPI_File_seek_shared(fh: File, offset: Offset, whence: c_int) -> c_int {
    // SAFETY: the caller's promises are those of MPI.
    let code = unsafe { ffi::MPI_File_seek_shared(fh, offset, whence) };
    if succeeded(code) {
        collective(fh);
        placed(fh, (whence == ffi::MPI_SEEK_SET as c_int).then_some(offset));
    }
    code
}

/// A row for each function, with what is noted when it has succeeded.
macro_rules! noted {
    ($($wrapper:ident = $call:ident($($argument:ident: $kind:ty),*) $note:block)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $wrapper($($argument: $kind),*) -> c_int {
            // SAFETY: the caller's promises are those of MPI.
            let code = unsafe { ffi::$call($($argument),*) };
            if succeeded(code) {
                $note
            }
            code
        }
    )*};
}

// Calls that all members make together.
noted! {
    cccp_MPI_File_set_size = MPI_File_set_size(fh: File, size: Offset) { wrote(fh); collective(fh) }
    cccp_MPI_File_preallocate = MPI_File_preallocate(fh: File, size: Offset) { wrote(fh); collective(fh) }
    cccp_MPI_File_set_atomicity = MPI_File_set_atomicity(fh: File, flag: c_int) { collective(fh) }
    cccp_MPI_File_sync = MPI_File_sync(fh: File) { collective(fh) }
    cccp_MPI_File_read_all = MPI_File_read_all(fh: File, buf: Out, count: c_int, datatype: Type, status: Status) { collective(fh) }
    cccp_MPI_File_read_at_all = MPI_File_read_at_all(fh: File, offset: Offset, buf: Out, count: c_int, datatype: Type, status: Status) { collective(fh) }
    cccp_MPI_File_read_ordered = MPI_File_read_ordered(fh: File, buf: Out, count: c_int, datatype: Type, status: Status) { collective(fh); moved(fh, count, datatype) }
    cccp_MPI_File_write_all = MPI_File_write_all(fh: File, buf: In, count: c_int, datatype: Type, status: Status) { wrote(fh); collective(fh) }
    cccp_MPI_File_write_at_all = MPI_File_write_at_all(fh: File, offset: Offset, buf: In, count: c_int, datatype: Type, status: Status) { wrote(fh); collective(fh) }
    cccp_MPI_File_write_ordered = MPI_File_write_ordered(fh: File, buf: In, count: c_int, datatype: Type, status: Status) { wrote(fh); collective(fh); moved(fh, count, datatype) }
}

// The same in two halves.
noted! {
    cccp_MPI_File_read_all_begin = MPI_File_read_all_begin(fh: File, buf: Out, count: c_int, datatype: Type) { begins(fh, "MPI_File_read_all_begin") }
    cccp_MPI_File_read_at_all_begin = MPI_File_read_at_all_begin(fh: File, offset: Offset, buf: Out, count: c_int, datatype: Type) { begins(fh, "MPI_File_read_at_all_begin") }
    cccp_MPI_File_read_ordered_begin = MPI_File_read_ordered_begin(fh: File, buf: Out, count: c_int, datatype: Type) { begins(fh, "MPI_File_read_ordered_begin"); moved(fh, count, datatype) }
    cccp_MPI_File_read_all_end = MPI_File_read_all_end(fh: File, buf: Out, status: Status) { ends(fh) }
    cccp_MPI_File_read_at_all_end = MPI_File_read_at_all_end(fh: File, buf: Out, status: Status) { ends(fh) }
    cccp_MPI_File_read_ordered_end = MPI_File_read_ordered_end(fh: File, buf: Out, status: Status) { ends(fh) }
    cccp_MPI_File_write_all_begin = MPI_File_write_all_begin(fh: File, buf: In, count: c_int, datatype: Type) { wrote(fh); begins(fh, "MPI_File_write_all_begin") }
    cccp_MPI_File_write_at_all_begin = MPI_File_write_at_all_begin(fh: File, offset: Offset, buf: In, count: c_int, datatype: Type) { wrote(fh); begins(fh, "MPI_File_write_at_all_begin") }
    cccp_MPI_File_write_ordered_begin = MPI_File_write_ordered_begin(fh: File, buf: In, count: c_int, datatype: Type) { wrote(fh); begins(fh, "MPI_File_write_ordered_begin"); moved(fh, count, datatype) }
    cccp_MPI_File_write_all_end = MPI_File_write_all_end(fh: File, buf: In, status: Status) { ends(fh) }
    cccp_MPI_File_write_at_all_end = MPI_File_write_at_all_end(fh: File, buf: In, status: Status) { ends(fh) }
    cccp_MPI_File_write_ordered_end = MPI_File_write_ordered_end(fh: File, buf: In, status: Status) { ends(fh) }
}

// Calls that move the shared pointer for one rank alone.
noted! {
    cccp_MPI_File_read_shared = MPI_File_read_shared(fh: File, buf: Out, count: c_int, datatype: Type, status: Status) { alone(fh, "MPI_File_read_shared") }
    cccp_MPI_File_write_shared = MPI_File_write_shared(fh: File, buf: In, count: c_int, datatype: Type, status: Status) { wrote(fh); alone(fh, "MPI_File_write_shared") }
}

// Calls that return at once. The request is there when MPI has accepted the call.
noted! {
    cccp_MPI_File_iread_all = MPI_File_iread_all(fh: File, buf: Out, count: c_int, datatype: Type, request: Made) { started(fh, request, "MPI_File_iread_all", Effect::Collective) }
    cccp_MPI_File_iread_at_all = MPI_File_iread_at_all(fh: File, offset: Offset, buf: Out, count: c_int, datatype: Type, request: Made) { started(fh, request, "MPI_File_iread_at_all", Effect::Collective) }
    cccp_MPI_File_iread = MPI_File_iread(fh: File, buf: Out, count: c_int, datatype: Type, request: Made) { started(fh, request, "MPI_File_iread", Effect::Nothing) }
    cccp_MPI_File_iread_at = MPI_File_iread_at(fh: File, offset: Offset, buf: Out, count: c_int, datatype: Type, request: Made) { started(fh, request, "MPI_File_iread_at", Effect::Nothing) }
    cccp_MPI_File_iread_shared = MPI_File_iread_shared(fh: File, buf: Out, count: c_int, datatype: Type, request: Made) { alone(fh, "MPI_File_iread_shared"); started(fh, request, "MPI_File_iread_shared", Effect::Nothing) }
    cccp_MPI_File_iwrite_all = MPI_File_iwrite_all(fh: File, buf: In, count: c_int, datatype: Type, request: Made) { wrote(fh); started(fh, request, "MPI_File_iwrite_all", Effect::Collective) }
    cccp_MPI_File_iwrite_at_all = MPI_File_iwrite_at_all(fh: File, offset: Offset, buf: In, count: c_int, datatype: Type, request: Made) { wrote(fh); started(fh, request, "MPI_File_iwrite_at_all", Effect::Collective) }
    cccp_MPI_File_iwrite = MPI_File_iwrite(fh: File, buf: In, count: c_int, datatype: Type, request: Made) { wrote(fh); started(fh, request, "MPI_File_iwrite", Effect::Nothing) }
    cccp_MPI_File_iwrite_at = MPI_File_iwrite_at(fh: File, offset: Offset, buf: In, count: c_int, datatype: Type, request: Made) { wrote(fh); started(fh, request, "MPI_File_iwrite_at", Effect::Nothing) }
    cccp_MPI_File_iwrite_shared = MPI_File_iwrite_shared(fh: File, buf: In, count: c_int, datatype: Type, request: Made) { wrote(fh); alone(fh, "MPI_File_iwrite_shared"); started(fh, request, "MPI_File_iwrite_shared", Effect::Nothing) }
}

// Calls that a rank makes alone.
noted! {
    cccp_MPI_File_write = MPI_File_write(fh: File, buf: In, count: c_int, datatype: Type, status: Status) { wrote(fh) }
    cccp_MPI_File_write_at = MPI_File_write_at(
        fh: File, offset: Offset, buf: In, count: c_int, datatype: Type, status: Status
    ) { wrote(fh) }
}
