//! What the user may choose, and where: command line, then environment, then `cccp.toml` (S5).
//!
//! In: the words of `argv`, the environment, the text of the file. Out: [`Settings`] with the place each came from, and
//! which words of `argv` are the program's own. A setting or value that is not known is an error that proposes the
//! nearest word: a misspelt `keep` must not cost a checkpoint.
//!
//! ```text
//! --cccp-keep=3      CCCP_KEEP=3      keep = 3
//! ```
//!
//! Not here: printing (`tool`), what the settings do (`generation`, `trigger`).

mod clock;
mod error;
mod kill;
mod read;
mod table;
#[cfg(test)]
mod tests;
mod time;
mod values;

pub use clock::CallClock;
pub use error::SettingsError;
pub use kill::{KillAt, POINTS};
pub use read::{Found, read};
pub use table::help;
pub use values::{
    AtWalltime, Changed, Interval, Numbers, Origin, Protocol, Restart, Settings, Signals, TeamSize,
    Writing,
};
