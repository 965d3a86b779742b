//! Save and come back: the library that precompiled programs call.

pub mod comm;
pub mod format;
pub mod memory;
pub mod restore;
pub mod store;
