//! The files of the catalogue, in the order of their names.

/// Name and text of each file.
pub(super) const FILES: &[(&str, &str)] = &[];
