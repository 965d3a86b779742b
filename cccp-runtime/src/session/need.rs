//! The disk space that checkpoints need, told before it is missing.
//!
//! In: the length of the file that was just written, what is free. Out: with `verbose` one line after the first
//! generation; without it one warning when the next generation will not fit. A checkpoint talks to no other rank, so
//! what all ranks need is what they would need if their files were as long as this one.

use crate::format::amount;

use super::Session;

impl Session {
    /// A generation was written and older ones were cleared away.
    pub(super) fn tell_need(&mut self, generation: u64, bytes: u64, free: Option<u64>) {
        let (rank, size) = (self.group.rank(), self.group.size());
        let directory = self.directory.path().display().to_string();
        if self.settings.verbose && rank == 0 && !self.disk_told {
            self.disk_told = true;
            self.say(need(
                generation,
                bytes,
                size,
                self.settings.keep,
                free,
                &directory,
            ));
        }
        // The first rank speaks for all, the others for themselves: their disks may be others.
        let next = if rank == 0 {
            bytes.saturating_mul(u64::from(size))
        } else {
            bytes
        };
        if let Some(free) = free
            && free < next
            && self.warned.insert("space".to_string())
        {
            self.say(shortage(next, rank, size, free, &directory));
        }
    }
}

/// What a generation takes, and all that will be there at once.
fn need(
    generation: u64,
    bytes: u64,
    size: u32,
    keep: u32,
    free: Option<u64>,
    directory: &str,
) -> String {
    // Those that are kept, and the one that is being written.
    let most = bytes.saturating_mul(u64::from(keep) + 1);
    let whose = match size {
        1 => String::new(),
        _ => format!(
            " on this rank, or {} on {size} ranks if theirs are as long",
            amount(most.saturating_mul(u64::from(size)))
        ),
    };
    let free = free.map_or(String::new(), |free| {
        format!("; {} are free now in {directory}", amount(free))
    });
    format!(
        "disk: generation {generation} takes {}; with keep = {keep} and one in flight {} are needed{whose}{free}",
        amount(bytes),
        amount(most),
    )
}

/// The next generation will not fit.
fn shortage(next: u64, rank: u32, size: u32, free: u64, directory: &str) -> String {
    let whose = match (rank, size) {
        (_, 1) => String::new(),
        (0, _) => {
            format!(" for all {size} ranks, if their files are as long as the one of this rank")
        }
        _ => " for this rank".to_string(),
    };
    format!(
        "warning: the disk is almost full: {} are free in {directory}, the next checkpoint takes about {}{whose}",
        amount(free),
        amount(next)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_need_of_disk_space_is_told_for_one_rank_and_for_all() {
        assert_eq!(
            need(1, 1 << 20, 1, 2, Some(10 << 30), "/d"),
            "disk: generation 1 takes 1.00 MiB; with keep = 2 and one in flight 3.00 MiB are needed; 10.0 GiB are free now in /d"
        );
        assert_eq!(
            need(1, 1 << 20, 4, 1, None, "/d"),
            "disk: generation 1 takes 1.00 MiB; with keep = 1 and one in flight 2.00 MiB are needed on this rank, \
             or 8.00 MiB on 4 ranks if theirs are as long"
        );
    }

    #[test]
    fn a_shortage_says_whose_it_is() {
        assert!(shortage(4096, 0, 1, 100, "/d").ends_with("about 4.00 KiB"));
        assert!(shortage(4096, 0, 4, 100, "/d").contains("all 4 ranks"));
        assert!(shortage(4096, 3, 4, 100, "/d").ends_with("for this rank"));
    }
}
