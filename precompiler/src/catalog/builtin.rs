//! The files of `precompiler/catalog`, in the order of their names; the build script lists them.

/// Name and text of each file.
pub(super) const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/catalogue.rs"));
