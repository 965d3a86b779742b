//! How many bytes something is: `sizeof` of the target, what stands in a checkpoint, and both with names instead of
//! numbers. See [`layout`], [`stored`] and [`amount`].

pub mod amount;
pub mod given;
pub mod layout;
pub mod machine;
pub mod stored;
pub mod value;

pub use amount::{Amount, short, thousands};
pub use given::Sizes;
pub use layout::Layout;
pub use stored::stored;
pub use value::{Factor, Reader};
