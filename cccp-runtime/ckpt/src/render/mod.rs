//! How things look: numbers, sizes, ages, tables.
//!
//! Pure functions from values to text; widths are counted before colours are put on. Not here: what is shown
//! (`commands`), where it goes (`output`).

mod sizes;

pub use sizes::{size, thousands};
