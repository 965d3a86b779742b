//! How a command ends: [`Status`] when it could do its work, [`Failure`] when it could not.
//!
//! The exit status follows: 0 good, 1 what was looked at is not as it should be (damaged, incomplete, different), 2 the
//! work could not be done (a wrong command line, a file that cannot be read). Not here: who prints the words (`cli`).

mod failure;
mod status;

pub use failure::Failure;
pub use status::Status;
