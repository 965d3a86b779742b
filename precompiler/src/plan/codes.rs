//! The codes of what planning may have to say. Each has a page.

/// An item cannot be saved.
pub const ITEM: &str = "E0401";
/// A client call at a place where no block can be made.
pub const CALL: &str = "E0402";
/// Inside an OpenMP region, a statement expression, or the scope of a cleanup variable.
pub const SCOPE: &str = "E0403";
/// An execute block is left, or contains what it must not.
pub const EXECUTE: &str = "E0404";
/// The text that has to change comes from a macro.
pub const MACRO: &str = "E0405";
/// The function cannot be a client.
pub const FUNCTION: &str = "E0406";
/// A pointer argument that leads to nothing restored.
pub const POINTER: &str = "E0407";
/// Loops made of gotos that overlap.
pub const TANGLED: &str = "E0408";
