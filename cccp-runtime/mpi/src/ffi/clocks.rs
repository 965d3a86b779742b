//! `MPI_Wtime`, as the program calls it where the library has to see that: it continues in a restart.

use cccp::memory::clocks::{Clock, SECOND, ahead};
use mpi::ffi;

/// `MPI_Wtime`
#[unsafe(no_mangle)]
pub extern "C" fn cccp_MPI_Wtime() -> f64 {
    // SAFETY: takes nothing; the program calls it where it may.
    unsafe { ffi::MPI_Wtime() + ahead(Clock::Mpi) as f64 / SECOND as f64 }
}
