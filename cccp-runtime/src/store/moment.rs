//! The moment that parts the files that were changed before a checkpoint from those that are changed behind it.
//!
//! In: nothing. Out: a time of the clock that gives files their times, which runs in steps behind the other clocks. What was changed
//! before has a lesser one, what is changed later has not. A kernel since 6.13 gives a finer time to what is changed again after
//! somebody has looked, and from then on nothing gets a lesser one. With others the step of now is unknown.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::fs::{MemfdFlags, Timespec, Timestamps, UTIME_NOW, fstat, futimens, memfd_create};

/// Seconds and nanoseconds.
pub type FileTime = (i64, i64);

/// The moment, and whether it surely parts them: otherwise what was changed shortly before may have the same time.
pub fn moment() -> (FileTime, bool) {
    // The first change may be the first of a new step, as others before it were.
    let twice = || {
        let file = memfd_create("moment", MemfdFlags::CLOEXEC)?;
        Ok::<_, io::Error>((changed_now(&file)?, changed_now(&file)?))
    };
    match twice() {
        Ok((first, second)) => (second, second > first),
        Err(_) => {
            let now = SystemTime::now().duration_since(UNIX_EPOCH);
            let now = now.unwrap_or_default();
            ((now.as_secs() as i64, i64::from(now.subsec_nanos())), false)
        }
    }
}

/// Looks at a file and changes it: the time that it gets.
fn changed_now(file: &OwnedFd) -> io::Result<FileTime> {
    let now = || Timespec {
        tv_sec: 0,
        tv_nsec: UTIME_NOW,
    };
    fstat(file)?;
    futimens(
        file,
        &Timestamps {
            last_access: now(),
            last_modification: now(),
        },
    )?;
    let known = std::fs::File::from(file.try_clone()?).metadata()?;
    Ok((known.ctime(), known.ctime_nsec()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_parts_what_is_changed_before_from_what_is_changed_behind() {
        let file = memfd_create("test", MemfdFlags::CLOEXEC).expect("memory");
        for _ in 0..1000 {
            let before = changed_now(&file).expect("it is changed");
            let (moment, is_sure) = moment();
            let behind = changed_now(&file).expect("it is changed");
            assert!(before <= moment && moment <= behind);
            assert!(!is_sure || before < moment);
        }
    }
}
