//! Memory as the analyses see it: objects, and the cells they consist of. See [`model`].

pub mod layout;
pub mod model;
pub mod overlay;

pub use layout::{Layout, LayoutId, Layouts, Leaf, LeafKind, Shape};
pub use model::*;
pub use overlay::{Hit, Named, Stepped};
