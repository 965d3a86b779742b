//! What stands below the rest of the precompiler and knows no program: texts, and going round until nothing is new.
//!
//! A crate of its own, so that the passes over texts, most of which are headers, can be fast where the rest is compiled for debugging.

pub mod solver;
pub mod source;
