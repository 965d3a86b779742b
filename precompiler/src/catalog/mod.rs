//! What is known of library functions: what they read, fill, keep, free, open and send.
//!
//! In: the text files of `precompiler/catalog`, and those of users. Out: a [`LibraryFunction`] by its name, with every
//! parameter as a number, or nothing. The one idea: facts are data, written by the *names* of parameters beside a
//! citation of the document that says so; an entry is read only when somebody asks for it, so a large catalogue costs a
//! small program nothing.
//!
//! ```text
//! chapter C17 7.24 String handling <string.h>
//!
//! memcpy(s1, s2, n) cite 7.24.2.1
//!     reads s2[n]
//!     fills s1[n]
//!     returns s1
//! ```
//!
//! Errors fall on the side of the worst case: a function that is not in the catalogue may do anything to whatever it
//! can reach. That is for those who ask to assume; the catalogue only says that it does not know.
//!
//! Beside the entries stands what a link has found out about functions that have none ([`Linked`]).
//!
//! Not here: the program's own functions (`analysis` looks into them).

mod builtin;
mod check;
mod index;
mod linked;
mod model;
mod roles;

pub use index::{Catalogue, CatalogueFault};
pub use linked::{Linked, UnseenFunction, Way};
pub use model::{
    Alternative, CallBack, Condition, Effect, EffectKind, Extent, LibraryFunction, Place, Root,
};
pub use roles::{ROLES, Role};
