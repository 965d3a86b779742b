//! The forms in which the values of a register leave: NumPy's, a table, a picture.
//!
//! Each takes the values one by one and writes as it goes. Not here: which register, which file (`commands`).

mod blocks;
mod colours;
mod drawing;
mod glyphs;
mod numpy;
mod rows;
mod table;

pub use blocks::{Blocks, Heat};
pub use colours::{NO_NUMBER, colour};
pub use drawing::{Scale, draw};
pub use numpy::write_numpy;
pub use rows::{Losses, Rows};
pub use table::write_table;
