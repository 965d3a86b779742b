//! What a checkpoint holds and what not, and why: for people, programs and browsers.
//!
//! In: the program, its plans and what the analyses found. Out: a [`Report`](report::Report), plain data, and three
//! ways to show it: [`text`] for a terminal, [`json`] for programs, [`html`] as a page with the source beside the
//! decisions. The one idea: everything is decided before; this room only says it, in the program's own names and with
//! the lines of the user's own files.
//!
//! ```text
//! heat.c:33  checkpoint in main, every(1000)
//!   saved   u[n]   double *   8·n = 781 KiB   read at heat.c:35   registered at heat.c:30
//! ```
//!
//! Errors fall on the side of saying less: a size that is not certain is a formula, a reason that is not known is left
//! out. Nothing here changes what is saved.
//!
//! Not here: the decisions themselves (`analysis`), warnings (`diagnostic`), files and the terminal (`cli`). What the
//! JSON form means stands in `README.md` beside this file.

pub mod collect;
pub mod html;
pub mod json;
pub mod report;
pub mod size;
pub mod text;
pub mod words;
