//! Auto mode: which directives a program needs that has none, or not all of them.
//!
//! In: a program with what the analyses found out about it. Out: lines to add to its files ([`Proposal`]), each with
//! its reason. The one idea: auto mode writes what a person would write. Its lines go into the text, and from there on
//! everything is as for directives written by hand; so the annotated program and auto mode cannot differ. It works in
//! rounds: first where a run begins and ends and where checkpoints are ([`skeleton`]); then what the completeness check
//! finds missing there ([`complete`]), until it finds nothing more.
//!
//! ```text
//! for (step = 0; step < steps; step++)     #pragma cccp register(n, steps, step, u[])     in front
//!     { … }                                #pragma cccp checkpoint                        as its first line
//! ```
//!
//! Errors fall on the side of refusing: what the check still finds missing when there is nothing left to propose is an
//! error that says what it is and what would help. Nothing is guessed.
//!
//! Not here: what is live and what brings it back (`analysis`), what directives turn into (`plan`).

mod acquisitions;
mod adds_up;
mod attributes;
mod barriers;
mod begin;
mod births;
mod blocks;
mod checkpoints;
mod declarations;
mod ends;
mod files;
mod idle;
mod insert;
mod items;
mod libraries;
mod loop_refusal;
mod lost_pointers;
mod marks;
mod merged_tasks;
mod mixed;
mod own_region;
mod places;
mod plans;
mod proposal;
mod refusal;
mod registers;
mod shares;
mod spots;
mod statics;
mod written_out;

use crate::analysis::ways;

pub use barriers::barriers;
pub use blocks::registers_before;
pub use checkpoints::Frequency;
pub use declarations::declarations;
pub use insert::{At, Edited, Insertion, Replacement, insert, replace};
pub use loop_refusal::{LEFT_OUT, left_out};
pub use merged_tasks::{apart, merged_tasks};
pub use own_region::own_regions;
pub use proposal::{Findings, Proposal, complete, remaining, skeleton};
pub use refusal::UNFINISHED;
pub use shares::{shares, wanted_shares};
pub use written_out::{
    functions_written_out, is_made_by_macro, locals_written_out, loops_written_out,
};
