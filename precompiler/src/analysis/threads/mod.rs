//! What depends on the number of threads of OpenMP.
//!
//! In: all analyses. Out: for every checkpoint whether a restart from it may have another number of threads than the run that wrote
//! it, and if not, why ([`Answer`]); and whether anything before `init` depends on the number ([`come_later`]).
//!
//! A restart with another number is right when nothing that it brings back depends on the number: then the checkpoint is one that a
//! run with the other number could have written, too, and what depends on the number is computed anew. So the question is, for
//! outside of regions, the one which `communication` asks about ranks, with other sources ([`sources`]): a value depends on the number
//! of threads when it comes from a function of OpenMP that tells it or the number of a thread, when every thread of a region stores it
//! (`count++` counts the threads), or when it is left in a thread's own variable by the share that the thread had of a loop
//! ([`carried`]). Each iteration of a loop that is shared out is executed once, whoever does it, so what iterations store to shared
//! memory depends on nothing of that kind; and a reduction that each iteration adds to is the sum over all ([`reductions`]), though
//! the last bits of floating-point numbers are those of the order.
//!
//! ```text
//! int n = omp_get_max_threads();                       depends
//! double *part = calloc(n, sizeof *part);              depends: pointer and memory
//! for (step = 0; step < steps; step++) {
//! #pragma cccp checkpoint                              `part` is saved: a restart has the saved number
//! #pragma omp parallel for reduction(+ : sum)
//!     for (i = 0; i < m; i++) { u[i] += step; sum += u[i]; }       depends not
//! ```
//!
//! What counts is what a restart brings back: what is set before `init` is set anew with the new number, and may depend on it.
//!
//! In a region every thread has a state of its own: there it is right when all of them have the same ([`in_region`]).
//!
//! Errors fall on the side of *depends*.

mod answer;
mod before_init;
mod carried;
mod executed;
mod in_region;
mod reductions;
mod sources;

pub use answer::{Answer, Threads};
pub use before_init::come_later;
pub use executed::{By, Executed};
