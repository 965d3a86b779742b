//! The files of `precompiler/catalog`, and where in them everything stands; the build script finds it.

/// A file that comes with the precompiler.
pub(super) struct BuiltinFile {
    /// Its path below `precompiler/catalog`.
    pub(super) name: &'static str,
    /// What is in it.
    pub(super) text: &'static str,
}

/// Where the entry of a function stands.
pub(super) struct BuiltinFunction {
    /// The function.
    pub(super) name: &'static str,
    /// Number of the file.
    pub(super) file: usize,
    /// Bytes of the entry.
    pub(super) entry: (usize, usize),
    /// Bytes of the chapter's text.
    pub(super) chapter: (usize, usize),
}

/// What stands behind a `*` in the name of an entry: the whole rest of a name.
pub(super) const REST: char = '*';

include!(concat!(env!("OUT_DIR"), "/catalogue.rs"));
