//! The files of MPI that this process has open.

use std::collections::BTreeMap;
use std::ffi::{CStr, c_char, c_int};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use cccp::messages::{Member, mix};
use cccp::store::which;
use mpi::ffi;

use crate::success::succeeded;

/// A file, as the calls of the program have made it.
#[derive(Clone, Debug)]
pub struct Opened {
    /// Where it is.
    pub path: PathBuf,
    /// Device and number of the file.
    pub which: Option<(u64, u64)>,
    /// The same for all that have opened it together.
    pub number: u64,
    /// This process among them.
    pub member: Member,
    /// What the program told MPI about its use.
    pub hints: Vec<(Vec<u8>, Vec<u8>)>,
    /// Bytes of the elementary type.
    pub element: i64,
    /// Where the shared pointer was when all ranks last agreed on it; none when they did so where only MPI knows.
    pub first: Option<i64>,
    /// How far this rank has moved it since, in calls of all ranks.
    pub moved: i64,
    /// This rank has written to it.
    pub wrote: bool,
    /// A rank moves the shared pointer alone, too.
    pub alone: Option<&'static str>,
    /// A split collective call that has begun.
    pub begun: Option<&'static str>,
}

static FILES: Mutex<BTreeMap<usize, Opened>> = Mutex::new(BTreeMap::new());

/// Lets `work` use what is known of all files.
pub fn files<T>(work: impl FnOnce(&mut BTreeMap<usize, Opened>) -> T) -> T {
    work(&mut FILES.lock().unwrap_or_else(PoisonError::into_inner))
}

/// What is known of a file.
pub fn opened(handle: ffi::MPI_File) -> Option<Opened> {
    files(|all| all.get(&(handle as usize)).cloned())
}

/// Begins the numbers of files, as ranks of communicators.
const FILE: u64 = 4;

/// All members have opened a file, with or without success here: they agree on its number.
///
/// # Safety
///
/// The communicator is alive, and the handle that of a file if `code` says so.
pub unsafe fn note(
    comm: ffi::MPI_Comm,
    path: PathBuf,
    hints: Vec<(Vec<u8>, Vec<u8>)>,
    code: c_int,
    handle: ffi::MPI_File,
) -> Option<Member> {
    static NUMBER: AtomicU64 = AtomicU64::new(1);
    let (mut rank, mut size, mut world, mut bytes) = (0, 1, 0, 0);
    // SAFETY: the communicators are alive; numbers are stored.
    unsafe {
        ffi::MPI_Comm_rank(comm, &mut rank);
        ffi::MPI_Comm_size(comm, &mut size);
        ffi::MPI_Comm_rank(ffi::RSMPI_COMM_WORLD, &mut world);
    }
    let mut values = [0u64; 3];
    if rank == 0 {
        values[0] = (u64::from(world.cast_unsigned()) + 1) << 32
            | NUMBER.fetch_add(1, Ordering::Relaxed) & 0xffff_ffff;
        // Nobody has written to it yet.
        // SAFETY: the handle is that of a file then.
        if succeeded(code) && succeeded(unsafe { ffi::MPI_File_get_size(handle, &mut bytes) }) {
            values[1] = bytes.cast_unsigned();
        }
    }
    values[2] = u64::from(!succeeded(code));
    let mine = values;
    // SAFETY: all members are here; as many numbers as there are.
    let agreed = unsafe {
        ffi::MPI_Allreduce(
            mine.as_ptr().cast(),
            values.as_mut_ptr().cast(),
            3,
            ffi::RSMPI_UINT64_T,
            ffi::RSMPI_MAX,
            comm,
        )
    };
    if !succeeded(agreed) || values[2] != 0 {
        return None;
    }
    let mut mode = 0;
    // SAFETY: the handle is that of a file; a number is stored.
    unsafe { ffi::MPI_File_get_amode(handle, &mut mode) };
    let appends = mode & ffi::MPI_MODE_APPEND as c_int != 0;
    let member = Member {
        id: mix(FILE, values[0]),
        rank,
        size,
    };
    let (path, which) = match which(&path) {
        Some((path, which)) => (path, Some(which)),
        None => (path, None),
    };
    let file = Opened {
        path,
        which,
        number: values[0],
        member,
        hints,
        element: 1,
        first: Some(if appends { values[1].cast_signed() } else { 0 }),
        moved: 0,
        wrote: false,
        alone: None,
        begun: None,
    };
    files(|all| all.insert(handle as usize, file));
    Some(member)
}

/// The path that the program gives; words for the kind of file system may stand before it.
///
/// # Safety
///
/// `name` is a string or NULL.
pub unsafe fn path(name: *const c_char) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    if name.is_null() {
        return PathBuf::new();
    }
    // SAFETY: the promise of the caller.
    let bytes = unsafe { CStr::from_ptr(name) }.to_bytes();
    let whole = PathBuf::from(std::ffi::OsStr::from_bytes(bytes));
    let inner = bytes.iter().position(|&byte| byte == b':');
    let inner = inner.map(|at| PathBuf::from(std::ffi::OsStr::from_bytes(&bytes[at + 1..])));
    match inner.filter(|inner| which(&whole).is_none() && which(inner).is_some()) {
        Some(inner) => inner,
        None => whole,
    }
}

/// What an info object says.
///
/// # Safety
///
/// It is one of the running MPI, or `MPI_INFO_NULL`.
pub unsafe fn hints(info: ffi::MPI_Info) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut found = Vec::new();
    let mut count = 0;
    // SAFETY: the promise of the caller; the buffers are as long as MPI's texts, and one longer.
    unsafe {
        if info == ffi::RSMPI_INFO_NULL || !succeeded(ffi::MPI_Info_get_nkeys(info, &mut count)) {
            return found;
        }
        for number in 0..count {
            let mut key: [c_char; ffi::MPI_MAX_INFO_KEY as usize + 1] =
                [0; ffi::MPI_MAX_INFO_KEY as usize + 1];
            let mut value = vec![0; ffi::MPI_MAX_INFO_VAL as usize + 1];
            let mut is_there = 0;
            let length = ffi::MPI_MAX_INFO_VAL as c_int;
            if succeeded(ffi::MPI_Info_get_nthkey(info, number, key.as_mut_ptr()))
                && succeeded(ffi::MPI_Info_get(
                    info,
                    key.as_ptr(),
                    length,
                    value.as_mut_ptr(),
                    &mut is_there,
                ))
                && is_there != 0
            {
                let text = |text: *const c_char| CStr::from_ptr(text).to_bytes().to_vec();
                found.push((text(key.as_ptr()), text(value.as_ptr())));
            }
        }
    }
    found
}
