//! Whether all threads of a team pass a place equally often.
//!
//! In: steps, what pointers point to, effects. Out: [`Uniform`], which says for a place in a parallel region, or in a function
//! that is called from one, that all threads of the team pass it the same number of times, or why that is not certain.
//!
//! Two ideas. First, as for ranks (`communication`, `varying`): a value varies when it comes from the number of the thread, a
//! clock, a file, or from something that varies, or when it is stored to a thread's own variable where only some threads come
//! by; a place is passed unequally often when a condition, the bound of a loop, or a call on the way varies. The order of
//! statements is not looked at, so a variable that once holds something else than in other threads varies for good.
//!
//! Second, for what threads share ([`phases`]): all threads pass barriers together, as OpenMP demands of a program. So between
//! two barriers they read the same from shared memory unless one of them stores to it there. A read is uniform when nothing
//! stores to those cells on any way, free of barriers, from a barrier before it. Where the value comes from does not matter.
//!
//! ```text
//! #pragma omp parallel
//! while (error > 1e-6) {                     uniform: behind the barrier nobody stores to `error` before the next one
//! #pragma omp barrier
//! #pragma omp single
//!     error = 0;
//! #pragma omp for reduction(max : error)
//!     for (i = 1; i < n; i++) …
//!     if (omp_get_thread_num() == 0) report();     not uniform inside
//! }
//! ```
//!
//! What is approximated: everything in constructs that divide work (`for`, `sections`, `single`, `masked`, tasks) is not
//! uniform; a call counts as free of barriers; a function called in a region is looked at for all its calls at once; a value
//! that `single copyprivate` hands out varies; in nested regions and where a region can be cancelled nothing is uniform.
//! What is assumed: the program is legal, so that all threads come to the same barriers, and memory can be had by all threads
//! or by none.
//!
//! Errors fall on the side of *not uniform*.
//!
//! Not here: constructs in which no checkpoint can stand ([`nesting`](super::nesting)).

mod answer;
mod cause;
mod known;
mod phases;
mod values;

pub use answer::Uniform;
pub use cause::Cause;
pub(super) use known::reached_from_shared;
pub use phases::ends_with_barrier;
