//! Is MPI running, and did the right launcher start the job?
//!
//! The `mpirun` of another MPI does not fail: it starts every process as a job of its own, each of them rank 0 of 1.
//! Such processes would all write the same checkpoint, so this is looked for.

use cccp::comm::{CommError, one_of_several};
use mpi::environment::is_initialized;
use mpi::ffi;

/// An error unless MPI has been started and not ended.
pub fn check_running() -> Result<(), CommError> {
    if !is_initialized() {
        return Err(CommError::new(
            "MPI is not running yet: call MPI_Init before #pragma cccp init (or CCCP_Init_MPI)",
        ));
    }
    if is_finalized() {
        return Err(CommError::new("MPI has been ended by MPI_Finalize"));
    }
    Ok(())
}

/// Whether `MPI_Finalize` has been called; may be asked at any time.
pub(super) fn is_finalized() -> bool {
    let mut ended = 0;
    // SAFETY: MPI allows this call at any time; it stores one number.
    unsafe { ffi::MPI_Finalized(&mut ended) };
    ended != 0
}

/// An error when this process is a job of its own although a launcher started several.
pub fn check_launcher() -> Result<(), CommError> {
    check_running()?;
    let mut size = 0;
    // SAFETY: MPI is running; one number is stored.
    unsafe { ffi::MPI_Comm_size(ffi::RSMPI_COMM_WORLD, &mut size) };
    match one_of_several() {
        Some(name) if size == 1 => Err(CommError::new(format!(
            "every process is a job of its own (MPI_COMM_WORLD has 1 process) although several were started \
             ({name}): use the mpirun of the MPI that the program was built with",
        ))),
        _ => Ok(()),
    }
}
