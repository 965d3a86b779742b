//! The processes of a communicator.
//!
//! The duplicate of the program's communicator must not outlive MPI, and freeing it is collective. The one moment at
//! which every rank is sure to be there is the end of MPI, which begins by deleting what is attached to
//! `MPI_COMM_SELF`: the duplicate is attached there and freed by MPI itself, whatever else the program forgets.
//! After that every question is an error.

use std::collections::BTreeSet;
use std::ffi::{c_char, c_int, c_void};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

pub use cccp::comm::CommError;
use cccp::comm::{FileOfRanks, Group, Numbers, Reduced};
use cccp::memory::clocks::SECOND;
use cccp::messages::set_no_request;
use mpi::ffi;

use super::environment::{check_running, is_finalized};
use super::rounds::Rounds;
use crate::{counted, files, handles};

/// Larger than the texts of every MPI (`MPI_MAX_ERROR_STRING` is at most 1024 in those known).
const TEXT: usize = 8192;

/// The processes of the program's communicator.
#[derive(Debug)]
pub struct Communicator {
    rank: u32,
    size: u32,
    shared: Arc<Shared>,
}

/// The duplicate, until MPI ends.
#[derive(Debug)]
struct Shared {
    duplicate: Mutex<Option<Handle>>,
    /// Reductions beside the work of the program; with one rank there are none.
    rounds: Mutex<Rounds>,
}

/// A communicator of MPI: a number or a pointer, meaningful in the whole process.
#[derive(Clone, Copy, Debug)]
struct Handle(ffi::MPI_Comm);

// SAFETY: MPI's handles may be used by any thread; the runtime calls MPI only in calls of the program.
unsafe impl Send for Handle {}

impl Communicator {
    /// Duplicates the program's communicator; all its processes do so together.
    ///
    /// # Safety
    ///
    /// `program` is a communicator of the running MPI, or `MPI_COMM_NULL`.
    pub unsafe fn new(program: ffi::MPI_Comm) -> Result<Communicator, CommError> {
        check_running()?;
        // SAFETY: a constant of MPI.
        if program == unsafe { ffi::RSMPI_COMM_NULL } {
            return Err(CommError::new(
                "the communicator of init is MPI_COMM_NULL: this process is not part of it",
            ));
        }
        let mut duplicate = program;
        let (mut rank, mut size) = (0, 0);
        // SAFETY: MPI is running and the communicator is one of its own; results go to variables of this function.
        unsafe {
            check("MPI_Comm_dup", ffi::MPI_Comm_dup(program, &mut duplicate))?;
            check(
                "MPI_Comm_set_errhandler",
                ffi::MPI_Comm_set_errhandler(duplicate, ffi::RSMPI_ERRORS_RETURN),
            )?;
            check("MPI_Comm_rank", ffi::MPI_Comm_rank(duplicate, &mut rank))?;
            check("MPI_Comm_size", ffi::MPI_Comm_size(duplicate, &mut size))?;
        }
        let shared = Arc::new(Shared {
            duplicate: Mutex::new(Some(Handle(duplicate))),
            rounds: Mutex::default(),
        });
        free_at_the_end_of_mpi(&shared)?;
        set_no_request(&no_request());
        let number = |value: c_int| u32::try_from(value).unwrap_or(0);
        Ok(Communicator {
            rank: number(rank),
            size: number(size),
            shared,
        })
    }

    /// One reduction of 64-bit numbers of this kind.
    fn reduce<T: Copy>(
        &self,
        values: &mut [T],
        kind: ffi::MPI_Datatype,
        operation: ffi::MPI_Op,
    ) -> Result<(), CommError> {
        let duplicate = self.alive()?;
        let mine = values.to_vec();
        let count = c_int::try_from(mine.len())
            .map_err(|_| CommError::new("too many values for one reduction"))?;
        // SAFETY: both buffers hold `count` numbers of this kind, and the communicator lives as long as it is held here.
        // The return code is looked at, which is why this is not the wrapper that drops it.
        let code = unsafe {
            ffi::MPI_Allreduce(
                mine.as_ptr().cast(),
                values.as_mut_ptr().cast(),
                count,
                kind,
                operation,
                duplicate,
            )
        };
        check("MPI_Allreduce", code)
    }

    fn alive(&self) -> Result<ffi::MPI_Comm, CommError> {
        let ended = || CommError::new("MPI has been ended by MPI_Finalize");
        self.handle().map(|one| one.0).ok_or_else(ended)
    }

    fn handle(&self) -> Option<Handle> {
        let duplicate = self.shared.duplicate.lock();
        *duplicate.unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shared {
    fn rounds(&self) -> std::sync::MutexGuard<'_, Rounds> {
        self.rounds.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Group for Communicator {
    fn rank(&self) -> u32 {
        self.rank
    }

    fn size(&self) -> u32 {
        self.size
    }

    fn min(&mut self, values: &mut [i64]) -> Result<(), CommError> {
        // SAFETY: constants of MPI.
        let (kind, operation) = unsafe { (ffi::RSMPI_INT64_T, ffi::RSMPI_MIN) };
        self.reduce(values, kind, operation)
    }

    fn sum(&mut self, values: &mut [u64]) -> Result<(), CommError> {
        // SAFETY: constants of MPI. Sums of unsigned numbers wrap.
        let (kind, operation) = unsafe { (ffi::RSMPI_UINT64_T, ffi::RSMPI_SUM) };
        self.reduce(values, kind, operation)
    }

    fn time(&self) -> Option<i64> {
        // SAFETY: MPI is there as long as this is.
        Some((unsafe { ffi::MPI_Wtime() } * SECOND as f64) as i64)
    }

    fn begin_max(&mut self, values: Numbers) -> Result<(), CommError> {
        // SAFETY: the communicator lives as long as it is held here.
        unsafe { self.shared.rounds().begin(self.alive()?, values) }
    }

    fn reduced(&mut self) -> Result<Option<Reduced>, CommError> {
        self.alive()?;
        self.shared.rounds().reduced()
    }

    fn leave(&mut self) {
        if let Ok(duplicate) = self.alive()
            && self.size > 1
        {
            // SAFETY: as above.
            unsafe { self.shared.rounds().leave(duplicate) };
        }
    }

    fn needs_still_threads(&self) -> bool {
        let mut level = 0;
        // SAFETY: a number is stored; MPI is running as long as the communicator is alive.
        let serialized = unsafe {
            if self.alive().is_ok() {
                ffi::MPI_Query_thread(&mut level);
            }
            ffi::RSMPI_THREAD_SERIALIZED
        };
        self.size > 1 && level == serialized
    }

    fn file(&self, handle: usize) -> Result<Option<FileOfRanks>, CommError> {
        check_running()?;
        // SAFETY: MPI is running, and the communicator one of its own.
        unsafe { files::describe(handle, self.alive()?) }
    }

    fn open_file(&mut self, path: &Path, file: &FileOfRanks) -> Result<usize, CommError> {
        // SAFETY: as above.
        unsafe { files::open(path, file, self.alive()?) }
    }

    fn no_file(&self) -> usize {
        // SAFETY: a constant of MPI.
        (unsafe { ffi::RSMPI_FILE_NULL }) as usize
    }

    fn complete_requests(&self, handles: &[usize]) -> Vec<(usize, i32, i32)> {
        match check_running() {
            Ok(()) => counted::complete(handles),
            Err(_) => Vec::new(),
        }
    }

    fn handle(&self, kind: &str, bytes: &[u8]) -> Option<String> {
        handles::word(kind, bytes)
    }

    fn handles(
        &self,
        words: &BTreeSet<String>,
        name: &dyn Fn(usize) -> Option<String>,
    ) -> Result<String, CommError> {
        check_running()?;
        // SAFETY: MPI is running, and the communicator one of its own.
        unsafe { handles::lines(words, name, self.alive()?) }
    }

    fn make_handles(
        &mut self,
        lines: &str,
        address: &dyn Fn(&str) -> Option<usize>,
    ) -> Result<(), CommError> {
        // SAFETY: as above.
        unsafe { handles::make(lines, address, self.alive()?, self) }
    }

    fn handle_of(&self, kind: &str, word: &str) -> Option<Vec<u8>> {
        handles::handle_of(kind, word)
    }

    fn make_request(&mut self, line: &str) -> Result<(), CommError> {
        check_running()?;
        // SAFETY: MPI is running, and `session` puts the address of the buffer into the line.
        unsafe { handles::make_request(line) }
    }

    fn abort(&self, status: i32) -> ! {
        if let Some(Handle(duplicate)) = self.handle()
            && !is_finalized()
        {
            // SAFETY: MPI is running and the communicator is alive.
            unsafe { ffi::MPI_Abort(duplicate, status) };
        }
        std::process::exit(status)
    }
}

impl handles::Asking for Communicator {
    fn least(&mut self, value: i64) -> Result<i64, CommError> {
        let mut values = [value];
        self.min(&mut values).map(|()| values[0])
    }

    fn sums(&mut self, mut values: [u64; 2]) -> Result<[u64; 2], CommError> {
        self.sum(&mut values).map(|()| values)
    }
}

/// The bytes of `MPI_REQUEST_NULL`.
fn no_request() -> Vec<u8> {
    // SAFETY: a constant of MPI.
    let none = unsafe { ffi::RSMPI_REQUEST_NULL };
    let start = (&raw const none).cast::<u8>();
    // SAFETY: a handle is a number or an address: all its bytes are there.
    unsafe { std::slice::from_raw_parts(start, size_of_val(&none)) }.to_vec()
}

/// Turns a return code of MPI into an error that says what MPI says.
pub(crate) fn check(call: &str, code: c_int) -> Result<(), CommError> {
    if code == ffi::MPI_SUCCESS as c_int {
        return Ok(());
    }
    let mut text = [0u8; TEXT];
    let mut length = 0;
    // SAFETY: the buffer is larger than MPI's texts.
    unsafe { ffi::MPI_Error_string(code, text.as_mut_ptr().cast::<c_char>(), &mut length) };
    let text = &text[..usize::try_from(length).unwrap_or(0).min(TEXT)];
    let text = String::from_utf8_lossy(text);
    Err(CommError::new(format!("{call}: {text}")))
}

/// Attaches the duplicate to `MPI_COMM_SELF`. MPI owns one reference until it ends.
fn free_at_the_end_of_mpi(shared: &Arc<Shared>) -> Result<(), CommError> {
    let mut key = 0;
    // SAFETY: MPI is running; both functions have the types that MPI wants and live as long as the process. The
    // attribute is a reference of its own, given back by `release`. Freeing the key only marks it.
    unsafe {
        check(
            "MPI_Comm_create_keyval",
            ffi::MPI_Comm_create_keyval(
                Some(not_copied),
                Some(release),
                &mut key,
                std::ptr::null_mut(),
            ),
        )?;
        let attribute = Arc::into_raw(Arc::clone(shared)).cast_mut();
        check(
            "MPI_Comm_set_attr",
            ffi::MPI_Comm_set_attr(ffi::RSMPI_COMM_SELF, key, attribute.cast()),
        )?;
        check("MPI_Comm_free_keyval", ffi::MPI_Comm_free_keyval(&mut key))
    }
}

/// A duplicate of a communicator does not get the attribute.
pub(crate) unsafe extern "C" fn not_copied(
    _communicator: ffi::MPI_Comm,
    _key: c_int,
    _extra: *mut c_void,
    _attribute: *mut c_void,
    _copy: *mut c_void,
    copied: *mut c_int,
) -> c_int {
    // SAFETY: MPI hands over the address of an int.
    unsafe { copied.write(0) };
    ffi::MPI_SUCCESS as c_int
}

/// MPI ends: the duplicate is freed, and forgotten.
unsafe extern "C" fn release(
    _communicator: ffi::MPI_Comm,
    _key: c_int,
    attribute: *mut c_void,
    _extra: *mut c_void,
) -> c_int {
    // SAFETY: the attribute is the reference that `free_at_the_end_of_mpi` gave away, and MPI calls this once.
    let shared = unsafe { Arc::from_raw(attribute.cast_const().cast::<Shared>()) };
    let duplicate = shared.duplicate.lock();
    let taken = duplicate.unwrap_or_else(PoisonError::into_inner).take();
    if let Some(Handle(mut duplicate)) = taken {
        // SAFETY: MPI still runs while it deletes attributes; nobody has the handle any more. All ranks are here.
        unsafe {
            let mut size = 0;
            ffi::MPI_Comm_size(duplicate, &mut size);
            if size > 1 {
                shared.rounds().end(duplicate);
            }
            ffi::MPI_Comm_free(&mut duplicate);
        }
    }
    ffi::MPI_SUCCESS as c_int
}
