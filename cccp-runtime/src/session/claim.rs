//! The directory belongs to this run: it is claimed before anything in it is looked at.
//!
//! In: the directory, the processes of the job. Out: the lock of this rank; or, on all ranks alike, a stop that names
//! the run that has it. A predecessor that is just being killed is waited for.
//!
//! The one idea: only another run is a reason to stop. Where nothing can be written, or the storage knows no locks,
//! the program can still restart and compute: the first rank that met with it says so, and the run goes on.

use std::sync::Arc;
use std::time::Duration;

use crate::comm::{CommError, Group};
use crate::memory::without_writing_signals;
use crate::restore::{Stop, first_to_speak};
use crate::store::{Directory, Lock, Refusal};

/// How long a run that seems to be in the way has to end. `mpirun` takes some seconds to end its ranks.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// The lock of this rank.
pub(super) struct Claim {
    /// Taken, unless that was impossible for other reasons than another run.
    pub lock: Arc<Lock>,
    /// Nothing can be written now.
    pub failing: bool,
    /// What the user should know.
    pub warning: Option<String>,
}

/// Claims the directory for this rank. All ranks come here at the same time. What is said cannot wait until the run has
/// begun.
pub(super) fn claim(
    directory: &Directory,
    group: &mut dyn Group,
    patience: Duration,
    say: &dyn Fn(&str),
) -> Result<Claim, Stop> {
    let lock = Arc::new(directory.lock(group.rank()));
    let mut claim = Claim {
        lock: lock.clone(),
        failing: false,
        warning: None,
    };
    let mut stop = None;
    let first = group.rank() == 0;
    let mut told = |taken: &Refusal| {
        if first {
            say(&format!(
                "waiting for up to {} s: {taken}",
                patience.as_secs()
            ));
        }
    };
    match without_writing_signals(|| lock.wait(patience, &mut told)) {
        Ok(()) => {}
        Err(taken @ (Refusal::Taken(_) | Refusal::Lost(_))) => {
            stop = Some(format!(
                "cannot start: {taken}; wait until that run has ended, or end it, or give this one a directory of its \
                 own with --cccp-dir=PATH"
            ));
        }
        Err(Refusal::Unknown(error)) => {
            claim.warning = Some(format!(
                "warning: {error}; this storage has no locks, so see to it that no other run uses the directory"
            ));
        }
        Err(Refusal::Unwritable(error)) => {
            claim.failing = true;
            claim.warning = Some(format!(
                "warning: {error}; no checkpoint can be written there now: the program continues, every checkpoint tries \
                 again"
            ));
        }
    }
    let failed = |error: CommError| format!("cannot start: {error}");
    if let Some(reason) = first_to_speak(group, stop).map_err(failed)? {
        return Err(reason.unwrap_or_default());
    }
    claim.warning = first_to_speak(group, claim.warning)
        .map_err(failed)?
        .flatten();
    Ok(claim)
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};
    use std::thread;

    use super::*;
    use crate::comm::threads;
    use crate::store::FileSystem;

    /// What three ranks come to in this directory.
    fn claims(directory: &Path) -> Vec<Result<Claim, Stop>> {
        let ranks: Vec<_> = threads(3)
            .into_iter()
            .map(|mut group| {
                let directory = Directory::new(Arc::new(FileSystem), directory);
                thread::spawn(move || {
                    let claim = claim(&directory, &mut group, Duration::ZERO, &|_| {});
                    (group, claim)
                })
            })
            .collect();
        let all: Vec<_> = ranks.into_iter().map(|rank| rank.join().unwrap()).collect();
        all.into_iter().map(|(_, claim)| claim).collect()
    }

    fn place(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("cccp-{name}-{}", std::process::id()));
        std::fs::create_dir(&path).unwrap();
        path
    }

    #[test]
    fn s25_when_one_rank_meets_another_run_all_stop_and_one_says_why() {
        let place = place("claims");
        let other = Directory::new(Arc::new(FileSystem), &place).lock(1);
        other.take(Duration::ZERO).unwrap();
        let reasons: Vec<String> = claims(&place)
            .into_iter()
            .map(|claim| claim.err().expect("a stop"))
            .collect();
        assert!(reasons[1].contains("is in use by process"), "{reasons:?}");
        assert_eq!([&reasons[0], &reasons[2]], ["", ""]);
        drop(other);
        assert!(claims(&place).iter().all(Result::is_ok));
        std::fs::remove_dir_all(place).unwrap();
    }

    #[test]
    fn s25_where_nothing_can_be_written_all_ranks_go_on_and_one_says_so() {
        let place = place("unclaimed");
        std::fs::write(place.join("file"), "").unwrap();
        let claims: Vec<Claim> = claims(&place.join("file"))
            .into_iter()
            .map(|claim| claim.expect("no reason to stop"))
            .collect();
        assert!(claims.iter().all(|claim| claim.failing));
        let warned: Vec<bool> = claims.iter().map(|claim| claim.warning.is_some()).collect();
        assert_eq!(warned, [true, false, false]);
        std::fs::remove_dir_all(place).unwrap();
    }
}
