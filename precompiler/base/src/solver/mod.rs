//! One solver for all that is answered by going round until nothing is new.
//!
//! * [`closure`], [`closure_of`] and [`reached`]: all that edges lead to.
//! * [`solve`]: facts that are handed on along edges, and joined where these meet.
//! * [`settle`]: what has to be looked at again when something that it relies on has changed.
//! * [`rounds`]: the same where nobody knows who relies on what.
//! * [`components`] and [`postorder`]: what goes round in circles, and an order for the rest.
//!
//! An analysis says what its facts are, how they are joined and what a node does to them; in which order nodes are looked
//! at, and when it is over, is said here alone.

mod closure;
mod components;
mod fixpoint;

pub use closure::{closure, closure_of, reached};
pub use components::{components, postorder};
pub use fixpoint::{Analysis, keep_common, rounds, settle, solve};
