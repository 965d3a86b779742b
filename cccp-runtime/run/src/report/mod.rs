//! A page about a run: what happened when, what its checkpoints hold, and what they cost.
//!
//! In: the history of a directory, and the checkpoint files that are there. Out: one HTML file that needs nothing else: no
//! script, no network. Pictures are SVG; what they show stands in tables, too. Not here: what is in a file (`cccp::format`).

mod drawing;
mod page;
mod series;
mod timeline;
mod variables;

pub use page::run;
