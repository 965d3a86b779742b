//! Save and come back: the library that precompiled programs call.

pub mod format;
