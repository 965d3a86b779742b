//! What a command found.

/// What a command found; the exit status of scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// All is as it should be: exit status 0.
    Good,
    /// Something is damaged, incomplete or different, which has been said: exit status 1.
    Bad,
    /// Something could not be looked at, which has been said: exit status 2.
    Unread,
}

impl Status {
    /// The worse of two.
    pub fn and(self, other: Status) -> Status {
        self.max(other)
    }
}
