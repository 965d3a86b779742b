//! The language-neutral picture of the program. See [`model`].

pub mod arithmetic;
pub mod directives;
pub mod dump;
pub mod expression;
pub mod layout;
pub mod machine;
pub mod model;
pub mod openmp;
pub mod spelling;
pub mod statement;
pub mod types;
pub mod value;
pub mod walk;

mod body;
mod builder;
mod conversions;
mod copies;
mod declare;
mod facts;
mod fold;
mod hidden_types;
mod implicit;
mod items;
mod load;
mod opaque;
mod parts;
mod reached;
mod records;
mod resolve;
mod typing;
mod uses;

pub use arithmetic::{Types, Width};
pub use copies::StructCopy;
pub use layout::Layout;
pub use load::{Text, load, load_texts, load_unit};
pub use model::*;
pub use parts::{before_headers, with_headers};
pub use types::*;
pub use value::converted;
