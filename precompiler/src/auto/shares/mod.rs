//! Loops whose iterations are divided among threads, written as what each thread does with its share (S54).
//!
//! In: a program and places in it where a checkpoint stands or is wanted. Out: the loops of OpenMP around them as plain loops of each
//! thread, as lines of the text. The one idea: the share that a thread has is worked out in C, as compilers do it for
//! `schedule(static)`, so that the same thread executes the same iterations as before, and how far it has come is a variable:
//!
//! ```c
//! #pragma omp parallel for                { long long count = …;
//! for (i = 0; i < n; i++)                 #pragma omp parallel private(i) shared(count)
//!     BODY                                { long long at = …, end = …;         the thread's share
//!                                         while (at < end) {
//!                                             long long stop = …;              a strip of it
//!                                             for (i = at; at < stop; i++, at++)
//!                                                 BODY
//!                                         } } }
//! ```
//!
//! Checkpoints that auto mode wants go between strips, so that the loop inside stays as fast as it was. With `schedule(dynamic)` and
//! `guided` a thread takes its next share from a counter that all of them see.
//!
//! A loop that cannot be written so stays as it is, with all others around the same place.

mod clauses;
mod lines;
mod loops;
mod nest;

pub use loops::{shares, wanted_shares};
