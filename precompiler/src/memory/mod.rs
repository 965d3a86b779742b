//! What happens when the system has no memory left.

mod allocator;

pub use allocator::Memory;
