//! How many bytes something is: `sizeof` of the target, what stands in a checkpoint, and both with names instead of
//! numbers. See [`layout`](crate::program::layout), [`stored`] and [`amount`].

pub mod amount;
pub mod given;
pub mod stored;
pub mod value;

pub use crate::program::Layout;
pub use amount::{Amount, short, thousands};
pub use given::Sizes;
pub use stored::stored;
pub use value::{Factor, Reader};
