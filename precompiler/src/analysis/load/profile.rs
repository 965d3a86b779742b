//! What a profiler measured.

/// Shares of the run time.
#[derive(Clone, Debug, Default)]
pub struct Profile {}
