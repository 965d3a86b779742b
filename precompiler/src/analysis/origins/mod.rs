//! Which memory holds values that mean something to a library or the system only, although its type does not say so.
//!
//! In: the steps of all functions, what pointers point to, and the catalogue, which says what gives such values. Out: the origin of
//! what is in a cell: a descriptor of a file, a number that is good for this process only (`pipe`, `MPI_Comm_c2f`), a handle that
//! lies in memory of another type (`void *`). The one idea: origins go where values go, through assignments, copies, calls, casts
//! and choices, not through arithmetic; names of variables and members mean nothing.
//!
//! A pointer before the memory that it belongs to (`malloc(n) - 1`) is such a value, too: in the process where it was computed
//! the memory is found from it, in another one nobody can say to which block it belongs. One from which the program itself steps
//! forward is taken to be inside again, and so is one that was computed from what need not be a beginning; where these are, a
//! checkpoint of the run looks at them ([`super::suspects`]).
//!
//! A number that was computed from an address (a hash, half of it) is one, too, and so is what lies at a place that such a number
//! has chosen: in another process the memory lies elsewhere, and the number or the arrangement no longer fits it. These do go
//! through arithmetic. Numbers that are whole addresses are not among them: a checkpoint looks at those.
//!
//! ```text
//! s->out = open(name, O_WRONLY);   s->out: descriptor        count = 0; count += 3;   count: nothing
//! ```
//!
//! When unsure a number is a number: what is stored through a pointer that may point anywhere has no origin.

mod addresses;
mod model;
mod search;
mod texts;
mod unions;
mod visits;
mod wholes;

pub use model::{Origin, Origins};
