//! `cccp-ckpt export`: the values of a register for NumPy, for a spreadsheet, or as a picture.

mod arguments;
mod field;
mod kind;
mod run;

pub use arguments::Arguments;
pub use run::run;
