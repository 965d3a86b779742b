//! MPI behind the runtime's interface for the processes of a job.
//!
//! In: the program's communicator. Out: a [`Communicator`] that answers with MPI's return codes, never by aborting.
//! The library never starts or ends MPI, so it holds nothing whose end would do so.

mod datatype;
mod environment;
mod group;
mod rounds;

#[cfg(test)]
mod tests;

pub use datatype::{Element, elements};
pub use environment::{check_launcher, check_running};
pub use group::{CommError, Communicator};
pub(crate) use group::{check, not_copied};
