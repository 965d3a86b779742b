//! The precompiler's command line.
fn main() {}
