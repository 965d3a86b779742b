//! One process between `init` and `shutdown`: what it knows, and everything that happens to it.
//!
//! In: what the program does, in plain data. Out: the trace and the registers, kept (`record`); a checkpoint of them
//! (`collect`, `checkpoint`); and, in a restart, the same restored (`replaying`, `values`, `items`, `asleep`).
//! `library`, `generators`, `fixed`, `files` and `reopen` keep what the C library has for the program, `origins` where memory came from, `messages` what was counted of
//! them; `looked` and `profile` choose among places. `start` begins and ends it, `claim` keeps other
//! runs out of its directory, `need` counts the disk space. Whatever goes wrong in a checkpoint, the program goes on; whatever goes wrong in a
//! restart is an error, because a wrong restart is the worst thing that can happen.

mod adopt;
mod asleep;
mod back;
mod by_name;
mod changed;
mod checkpoint;
mod claim;
mod collect;
mod collected;
mod constants;
mod cost;
mod dispositions;
mod files;
mod fixed;
mod generators;
mod handles;
mod held;
mod in_parts;
mod in_turn;
mod items;
mod kill;
mod last;
mod later;
mod lengths;
mod library;
mod locks;
mod looked;
mod messages;
mod need;
mod numbers;
pub mod opened;
mod origins;
mod prepared;
mod printed;
mod process;
mod profile;
mod reach;
mod record;
mod remade;
mod reopen;
mod replaying;
mod residents;
mod start;
mod state;
mod summary;
mod suspects;
mod threads;
mod together;
mod values;
mod views;
mod when;
mod words;

pub use collected::Place;
pub use profile::Passing;
pub use record::Handed;
pub use residents::Resident;
pub use start::Start;
pub use state::Session;
pub use suspects::{Doubt, Suspect};
pub use when::Wanted;
