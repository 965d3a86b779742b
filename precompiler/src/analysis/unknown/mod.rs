//! Unknown functions: neither in the files given, nor in the catalogue, nor promised as clients.
//!
//! In: the program and the catalogue. Out: each such function once, at its first mention; as findings, or as a file with
//! the entries to write. The one idea: an entry says what is assumed of a function anyway, the worst that its
//! declaration allows, so that people have to delete only and never to look up how something is written.
//!
//! ```text
//! extern double solve(struct system *s, const double *b);      solve(s, b)
//!                                                                  reads all of s, b, @escaped
//!                                                                  writes all of s, @escaped
//!                                                                  keeps s in @escaped
//! ```
//!
//! Errors fall on the side of reporting: a function counts when it is mentioned in a function of the user's files, or in
//! one of an included file that such a function leads to, whether or not it is ever called.
//!
//! Not here: what the analyses assume of unknown functions; that is theirs.

mod declared;
mod entry;
mod find;
mod report;
mod silent;

pub use declared::{DeclaredFunction, Use, declared_functions};
pub use find::{MentionedFunction, mentioned_functions, unknown_functions};
pub use report::{entries_file, unknown_findings};
pub use silent::{functions_without_team, silent_functions, why_not_silent};
