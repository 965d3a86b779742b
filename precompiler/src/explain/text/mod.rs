//! The report for a terminal of 100 columns. See [`page`].

mod page;
mod table;

pub use page::text;
