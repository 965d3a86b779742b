//! The user's file: reading, preprocessing, and the map between the two texts. See [`SourceFile`].

pub mod columns;
pub mod expand;
pub mod file;
pub mod lexer;
pub mod lines;
pub mod machine;
pub mod markers;
pub mod normalise;
pub mod number;
pub mod parts;
pub mod position;
pub mod preprocess;
pub mod read;
pub mod tag;
pub mod unmentioned;

pub use file::{ActivePragma, Encoding, LoadFailure, SourceFile};
pub use lexer::{TokenKind, find_word, tokens};
pub use lines::{Line, UserLines, moved};
pub use machine::other_machine;
pub use markers::Inclusion;
pub use normalise::NoteKind;
pub use parts::with_parts;
pub use position::{SourceRange, Span};
pub use preprocess::{PreprocessFailure, Preprocessor, absolute_paths, quoted};
pub use tag::DirectiveLine;
