//! Generations that a user no longer wants, removed for all ranks together.
//!
//! In: which generations stay and which go. Out: how much is gone. A run removes its own old files itself
//! ([`Directory::retain`]); this is for people, while no run has the directory. What stays is made durable before
//! anything goes, the oldest generation goes first, and a generation that was removed by half is an incomplete one
//! older than a complete one: nobody will miss it (S19).

use std::io;

use super::directory::{Directory, digits};
use super::error::{StoreError, is_absent};

/// What was removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Discarded {
    /// Generations of which nothing of ours is left.
    pub generations: u64,
    /// Files.
    pub files: u64,
}

impl Directory {
    /// Removes generations. All of `going` must be older than every one of `kept`, of which there is at least one:
    /// the caller has verified them. Files that are not ours stay, and so does their directory.
    pub fn discard(&self, kept: &[u64], going: &[u64]) -> Result<Discarded, StoreError> {
        let oldest = kept.iter().min();
        if !going
            .iter()
            .all(|generation| oldest.is_some_and(|oldest| generation < oldest))
        {
            let error = io::Error::new(
                io::ErrorKind::InvalidInput,
                "a generation goes only when newer ones stay",
            );
            return Err(StoreError::system(&self.path, error));
        }
        if going.is_empty() {
            return Ok(Discarded::default());
        }
        let places = kept.iter().map(|generation| self.generation(*generation));
        for place in places.chain([self.path.clone()]) {
            self.store
                .sync_directory(&place)
                .map_err(|error| StoreError::system(&place, error))?;
        }
        let mut going = going.to_vec();
        going.sort_unstable();
        let mut gone = Discarded::default();
        for generation in going {
            let place = self.generation(generation);
            for name in self.names(&place)?.iter().filter(|name| is_ours(name)) {
                let path = place.join(name);
                match self.store.remove(&path) {
                    Ok(()) => gone.files += 1,
                    Err(error) if is_absent(&error) => {}
                    Err(error) => return Err(StoreError::system(&path, error)),
                }
            }
            // Fails when something else lies in it.
            if self.store.remove_directory(&place).is_ok() {
                gone.generations += 1;
            }
        }
        self.store
            .sync_directory(&self.path)
            .map_err(|error| StoreError::system(&self.path, error))?;
        Ok(gone)
    }
}

/// Whether a name in a generation is that of a checkpoint, or of one that was not finished.
fn is_ours(name: &str) -> bool {
    let Some((rank, rest)) = name.split_once(".cccp") else {
        return false;
    };
    let unfinished = rest
        .strip_prefix('.')
        .and_then(|rest| rest.strip_suffix(".tmp"));
    let number = |text: &str| !text.is_empty() && text.bytes().all(|one| one.is_ascii_digit());
    digits(rank, 6).is_some() && (rest.is_empty() || unfinished.is_some_and(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_ours_are_removed() {
        for name in ["000000.cccp", "000012.cccp.4711.tmp", "1234567.cccp"] {
            assert!(is_ours(name), "{name}");
        }
        for name in [
            "0.cccp",
            "000000.cccp.bak",
            "000000.cccp.tmp",
            "notes",
            "000000.cccp..tmp",
        ] {
            assert!(!is_ours(name), "{name}");
        }
    }
}
