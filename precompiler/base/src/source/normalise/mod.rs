//! Makes preprocessed text digestible for a C11 parser without moving a byte.
//!
//! Compilers accept much that the parser does not: attributes anywhere, `__int128`, `asm`, `a ?: b`, … One pass over
//! the tokens blanks or overwrites them *in place*, so that every span of the tree still indexes the real text. The
//! tree is used for its structure only. What the change hides but somebody needs to know is kept as a [`Note`].
//!
//! | written | parsed as |
//! |---|---|
//! | `__int128`, `__float128`, `__auto_type`, `_BitInt(n)` | `long`, `double`, `int`, `long` |
//! | `__alignof__ x` | `sizeof x` |
//! | `__real__ z`, `__imag__ z` | `+ z` |
//! | `&&label` | `& label` |
//! | `goto *e;` | `*e;` |
//! | `a ?: b` | `a \|\| b` |
//! | `(T){}` | `(T)0` |
//! | `label: }`, `label: int x;` | `label:;}`, `label:;int x;` |
//! | `main() {}`, `static n;` after enough white space ([`with_room_for_types`]) | `int main() {}`, `static int n;` |
//! | `sizeof (T){ … }` | `+ (T){ … }` |
//! | `asm ("…" : "=r"(x) : "r"(y))` as a statement | `("…", "=r"(x), "r"(y))` |
//! | attributes, other assembly, static assertions | nothing |
//!
//! Errors fall on the side of leaving the text alone: then the parser complains. No input makes it panic.
//!
//! Not here: nested functions, which no overwriting in place can help.

mod literals;
mod notes;
mod operators;
mod pass;
#[cfg(test)]
mod tests;
mod words;

pub use notes::{Note, NoteKind};
pub use pass::{Normalised, normalise};
pub use words::with_room_for_types;
