//! Save and come back: the library that precompiled programs call.

pub mod comm;
pub mod ffi;
pub mod format;
pub mod generation;
pub mod heap;
pub mod libraries;
pub mod memory;
pub mod messages;
pub mod registry;
pub mod restore;
pub mod session;
pub mod settings;
pub mod store;
pub mod tool;
pub mod trigger;
