//! Plans of FFTW: which there are, with what they were made, and how they are made again.
//!
//! In: the program's calls (FFTW 3.3, 4.3 to 4.5), which `ffi` notes here. Out: a word for a plan, a line from which it can be
//! made again once its arrays are in their places, and the new plan. Not here: where plans lie (`session`), FFTW's functions themselves (`ffi`, behind
//! [`Planner`]).
//!
//! ```text
//! plan 3 fftw_plan_dft_r2c_1d 1 - 64 @94000 @95000 64      number, function, threads, wisdom, arguments
//! ```
//!
//! A plan that was estimated is the same each time. One that was measured depends on how busy the machine was: a checkpoint
//! takes FFTW's wisdom with it, and with that the same plan is made without measuring (4.1.4), so results stay the same.

mod again;
mod line;
mod table;

pub use again::{Made, Maker, Planner, make, read_wisdom, set_planner, wisdom};
pub use line::{Argument, is_plan_line, with_arrays};
pub use table::{
    are_noted, executes_own_arrays, forget, forget_all, function, is_plan, lines, note,
    note_function, set_threads, word,
};
