//! How things look: numbers, sizes, ages, headers, types, tables.
//!
//! Pure functions from values to text; widths are counted before colours are put on. Not here: what is shown
//! (`commands`), where it goes (`output`).

mod header;
mod numbers;
mod sizes;
mod table;
mod types;

pub use header::{
    HeaderShape, SiteShape, age, arguments, byte_order, command_line, long_double, printable, site,
};
pub use numbers::short;
pub use sizes::{count, size, thousands};
pub use table::{Cell, Side, Table, faint, plain};
pub use types::{LayoutLine, kind, layout, shape};
