//! What pointers may point to, in the whole program.
//!
//! In: the steps of all functions, the catalogue. Out: [`PointsTo`]: the memory as cells, and for every pointer the
//! cells it may lead to. The one idea: what is assigned to a pointer is *included* in what it may point to, whatever the
//! order in which things happen and whoever calls (Andersen's analysis), but members of structs are told apart, and so
//! are blocks of memory by the call that allocates them.
//!
//! ```text
//! struct list { struct list *next; double *data; } *head;
//! head = malloc(sizeof *head);  head->data = a;       head → heap@3    heap@3.data → a[]
//! ```
//!
//! Errors fall on the side of more: a pointer may point to everything that the set names, and to nothing else. What code
//! that we do not see may do is the object [`Unknown`](super::memory::ObjectKind::Unknown), and what has
//! [escaped](PointsTo::escaped) to it.
//!
//! Not here: when something is pointed to. No order of statements is looked at.

mod amount;
mod calls;
mod constrain;
mod cycles;
mod declared;
mod derive;
mod element;
mod freeze;
mod generate;
mod graph;
mod instance;
mod joined;
mod lent;
mod library;
mod misfits;
mod moved;
mod names;
pub mod query;
mod recent;
mod set;
mod single;
mod solver;
mod supply;
mod teams;
pub mod text;
mod touch;

pub use query::{Callees, PointsTo, Room, Scope, Touched, Why};
pub use teams::Teams;
