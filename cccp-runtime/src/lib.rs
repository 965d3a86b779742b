//! Save and come back: the library that precompiled programs call.

pub mod comm;
pub mod format;
pub mod memory;
<<<<<<< HEAD
pub mod registry;
pub mod generation;
pub mod restore;
pub mod session;
=======
pub mod restore;
pub mod store;
>>>>>>> main
