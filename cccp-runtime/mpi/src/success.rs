//! MPI's return codes.

use std::ffi::c_int;

use mpi::ffi;

/// Whether MPI did what it was asked for.
pub(crate) fn succeeded(code: c_int) -> bool {
    code == ffi::MPI_SUCCESS as c_int
}
