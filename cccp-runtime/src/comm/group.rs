//! What a job of one or more processes can do. See the header of the room.

use std::fmt;

/// The processes of a job, seen from one of them.
pub trait Group: Send {
    /// Which process this is, from 0.
    fn rank(&self) -> u32;

    /// How many processes the job has.
    fn size(&self) -> u32;

    /// Replaces every value by the smallest one at its place on any rank. All ranks call it with the same number of
    /// values, in the same order of calls.
    fn min(&mut self, values: &mut [i64]) -> Result<(), CommError>;

    /// Replaces every value by the sum of those at its place on all ranks, modulo 2^64. Called as [`min`](Group::min) is.
    fn sum(&mut self, values: &mut [u64]) -> Result<(), CommError>;

    /// Ends all processes of the job with this exit status. For what one rank found alone: when all ranks know, each
    /// of them just ends.
    fn abort(&self, status: i32) -> !;
}

/// The ranks could not talk to each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommError {
    /// What failed, for people.
    pub reason: String,
}

impl CommError {
    /// An error with this explanation.
    pub fn new(reason: impl Into<String>) -> CommError {
        CommError {
            reason: reason.into(),
        }
    }
}

impl fmt::Display for CommError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.reason)
    }
}

impl std::error::Error for CommError {}
