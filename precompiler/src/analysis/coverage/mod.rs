//! Which loops and calls surely overwrite whole arrays before anybody reads them.
//!
//! In: the program's tree, steps, what pointers point to, and effects. Out: [`Coverage`]: for the ways into loops and for
//! calls, the arrays that are overwritten from the first element to the last. The one idea: the indices that a nest of
//! counting loops stores to are compared, as polynomials of cells that do not change meanwhile, with the extents of the
//! array.
//!
//! ```text
//! double u[N], *v = malloc(n * sizeof *v);
//! for (i = 0; i < N; i++) u[i] = 0;       u[] overwritten on the way into the loop
//! for (i = 0; i < n; i++) v[i] = u[i];    v[] as well
//! for (i = 1; i < N; i++) u[i] = 1;       nothing: u[0] keeps its value
//! ```
//!
//! The answer holds on the way *into* a loop only. A loop may have a checkpoint in it: there the elements that earlier
//! iterations stored are needed, and they are live there, because nothing is dropped on the way back to its beginning; a
//! restart goes on behind the checkpoint and never comes by the way in. A loop that control leaves by `return`, `goto`,
//! `break` or `longjmp` is none of ours; a call that ends the process leaves nobody who could read.
//!
//! Errors fall on the side of *not overwritten*.
//!
//! Not here: writes that overwrite a scalar or a struct as a whole (they are exact already), what is live.

mod blocks;
mod calls;
mod counting;
mod cover;
mod dump;
mod extents;
mod facts;
mod fill;
mod model;
mod runs;
mod term;
mod view;
mod wrappers;
mod writes;

pub use dump::dump;
pub use extents::{Amount, Elements, Extents, Sign};
pub use model::{Coverage, Covered};
