//! Coming back: which checkpoint, and how the program gets there again.
//!
//! In: what each rank has on its shelf, then a verified file and the program's questions. Out: the same decision on all
//! ranks, and the program at the place of the checkpoint with everything registered as it was there. When unsure nobody
//! restarts. Not here: reading files (`format`), the raw frames of the program (`ffi`).

mod agreement;
#[cfg(test)]
mod agreement_tests;
mod asleep;
pub mod changes;
mod known;
mod layout;
pub mod origins;
mod place;
mod rehearsal;
mod replay;
mod shelf;
mod stack;
mod team;
#[cfg(test)]
mod tests;

pub use agreement::{
    Agreement, Decision, Examined, Expected, Mode, Shelf, Stock, agree, first_to_speak,
    no_rank_stops,
};
pub use asleep::{Asleep, Passed};
pub use place::{LedTo, Placer, Places};
pub use rehearsal::{Need, Obstacle, rehearse};
pub use replay::{Held, HeldLock, Next, Prepared, Reopened, Replay, Standing, Stop};
pub use shelf::Files;
pub use stack::name_of;
pub use team::resize;
