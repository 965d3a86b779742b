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
pub mod position;
pub mod preprocess;
pub mod prototypes;
pub mod read;
pub mod tag;

pub use file::{ActivePragma, Encoding, LoadFailure, SourceFile};
pub use lexer::{TokenKind, tokens};
pub use lines::{Line, UserLines, moved};
pub use machine::other_machine;
pub use normalise::NoteKind;
pub use position::{SourceRange, Span};
pub use preprocess::{PreprocessFailure, Preprocessor, absolute_paths};
pub use tag::DirectiveLine;
