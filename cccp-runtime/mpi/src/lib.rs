//! libcccp_mpi: libcccp and, besides, the restart of a job whose processes talk MPI.
//!
//! A program links either libcccp or this library, which exports everything that libcccp does. The program starts and
//! ends MPI itself; the library has a duplicate of its communicator, over which the ranks agree at a restart, and
//! lets go of it when the program ends MPI.

pub mod comm;
mod counted;
mod ffi;
mod files;
mod handles;
mod success;
