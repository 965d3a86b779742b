//! The entry points of the program.

use std::ffi::{c_char, c_int, c_void};
use std::panic::catch_unwind;

use cccp::comm::CommError;
use cccp::ffi::mirror::Frame;
use cccp::ffi::{give_up, init_by_hand_with, init_with, refuse};
use mpi::ffi::{MPI_Comm, MPI_Datatype, RSMPI_COMM_WORLD};

use super::descriptors::{Type, describe};
use crate::comm::{Communicator, check_launcher, check_running, elements};

const ARGUMENT: c_int = 1;
const STATE: c_int = 2;
const INTERNAL: c_int = 4;

unsafe extern "C" {
    /// Of cccp.h, in libcccp.
    fn CCCP_Register(
        address: *mut c_void,
        count: u64,
        kind: *const Type,
        name: *const c_char,
    ) -> c_int;
}

/// The processes of the program's communicator; an error when the ranks are none.
///
/// # Safety
///
/// As for [`Communicator::new`].
unsafe fn group(communicator: MPI_Comm) -> Result<Box<Communicator>, CommError> {
    check_launcher()?;
    // SAFETY: the promise of the caller.
    unsafe { Communicator::new(communicator) }.map(Box::new)
}

/// Starts the library from the directive `init` of an MPI program.
///
/// # Safety
///
/// As cccp.h says; so for all functions here.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_init_mpi(
    frame: *mut Frame,
    block: c_int,
    argc: *mut c_int,
    argv: *mut *mut *mut c_char,
    communicator: *const c_void,
) {
    let communicator = communicator.cast::<MPI_Comm>();
    // SAFETY: the promise of the caller: it is NULL or points to a communicator; the other one is a constant of MPI.
    let group = catch_unwind(|| unsafe {
        group(if communicator.is_null() {
            RSMPI_COMM_WORLD
        } else {
            communicator.read()
        })
    });
    match group {
        // SAFETY: the promise of the caller.
        Ok(Ok(group)) => unsafe { init_with(frame, block, argc, argv, group) },
        Ok(Err(error)) => give_up(&error.to_string()),
        Err(_) => give_up("the library failed; this is a defect of cccp"),
    }
}

/// Its name is what the linker says where it is missing.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals, reason = "a name of C")]
pub static cccp_an_MPI_program_needs_libcccp_mpi_instead_of_libcccp: c_char = 0;

/// CCCP_Init_MPI.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn CCCP_Init_MPI(
    argc: *mut c_int,
    argv: *mut *mut *mut c_char,
    communicator: MPI_Comm,
) -> c_int {
    // SAFETY: the promise of the caller.
    match catch_unwind(|| unsafe { group(communicator) }) {
        // SAFETY: the promise of the caller.
        Ok(Ok(group)) => unsafe { init_by_hand_with(argc, argv, group) },
        Ok(Err(error)) => refuse(STATE, &error.to_string()),
        Err(_) => refuse(INTERNAL, "the library failed; this is a defect of cccp"),
    }
}

/// CCCP_Register_MPI.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn CCCP_Register_MPI(
    address: *mut c_void,
    count: u64,
    datatype: MPI_Datatype,
    name: *const c_char,
) -> c_int {
    let found = catch_unwind(|| {
        if let Err(error) = check_running() {
            return Err((STATE, error.to_string()));
        }
        // SAFETY: the promise of the caller.
        let (element, per_datatype) =
            unsafe { elements(datatype) }.map_err(|error| (ARGUMENT, error.to_string()))?;
        let total = count.checked_mul(per_datatype);
        let total = total.ok_or((ARGUMENT, "there are too many elements".to_string()))?;
        let kind =
            describe(element).ok_or((ARGUMENT, "the datatype has no counterpart".to_string()))?;
        Ok((kind, total))
    });
    match found {
        // SAFETY: the promise of the caller.
        Ok(Ok((kind, total))) => unsafe { CCCP_Register(address, total, kind, name) },
        Ok(Err((code, reason))) => refuse(code, &format!("CCCP_Register_MPI: {reason}")),
        Err(_) => refuse(INTERNAL, "the library failed; this is a defect of cccp"),
    }
}
