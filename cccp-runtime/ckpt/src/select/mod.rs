//! What the user means: from paths, numbers and names to files and registers.
//!
//! Files are opened through `cccp::store` only. When several things could be meant, none is taken: the words say which
//! there are. Not here: what is done with them (`commands`).

mod complete;
mod open;
mod place;
mod registers;
mod survey;
mod which;

pub use complete::{job_size, newest_complete};
pub use open::open_file;
pub use place::{Place, directory, place};
pub use registers::{find_register, full_name};
pub use survey::{Ended, Generation, RankFile, Survey, lock_holder, survey};
pub use which::{Which, as_said, choose, only_directory};
