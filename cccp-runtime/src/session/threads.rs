//! A restart has as many threads as the run that wrote the checkpoint.
//!
//! In: what OpenMP says at `init` and at every checkpoint. Out: a register of the library. On restart the number at `init` is put
//! into force where `init` stands, and that of the checkpoint when the restart ends. What the program does before `init` may
//! depend on the number, too: unless the precompiler says that it does not, another number is a stop.

use crate::format::{Kind, Register};
use crate::memory::Team;
use crate::restore::{Replay, Stop};

use super::Session;
use super::library::Kept;

/// What the register is called.
const THREADS: &str = "threads of OpenMP";

/// The numbers of a team, and back.
fn numbers(team: &Team) -> [u64; 2] {
    [team.threads, u64::from(team.dynamic)]
}

fn team(numbers: &[u64], inner: &[u64]) -> Option<Team> {
    let &[threads, dynamic] = numbers else {
        return None;
    };
    Some(Team {
        threads,
        dynamic: dynamic != 0,
        inner: inner.to_vec(),
    })
}

impl Session {
    /// What a checkpoint keeps of the number of threads. Nothing without OpenMP.
    pub(super) fn threads(&self) -> Option<Kept> {
        let (begun, now) = (self.team.as_ref()?, Team::now()?);
        let all = [&numbers(begun)[..], &numbers(&now), &begun.inner].concat();
        Some(Kept::numbers(THREADS, &all))
    }

    /// The teams at `init` and at the checkpoint.
    fn saved_teams(&self, replay: &mut Replay) -> Result<Option<(Team, Team)>, Stop> {
        let mut library = replay.library.iter();
        let saved: Option<Register> = library.find(|one| one.name == THREADS).cloned();
        let Some(saved) = saved else {
            return Ok(None);
        };
        let all = self.library_values(replay, &saved, Kind::UnsignedLongLong, 8)?;
        let found = all.split_at_checked(4).and_then(|(both, inner)| {
            let (begun, then) = both.split_at(2);
            Some((team(begun, inner)?, team(then, inner)?))
        });
        Ok(found)
    }

    /// Where `init` stands: as many threads as there were.
    pub(super) fn same_threads(&mut self, replay: &mut Replay) -> Result<(), Stop> {
        let Some((saved, _)) = self.saved_teams(replay)? else {
            return Ok(());
        };
        let Some(now) = self.team.clone() else {
            return Ok(());
        };
        if (saved.threads, &saved.inner) == (now.threads, &now.inner) {
            if saved.dynamic != now.dynamic {
                self.team = saved.put();
            }
            return Ok(());
        }
        let both = format!(
            "the run that wrote the checkpoint had OMP_NUM_THREADS={saved}, and this one has {now}"
        );
        let cure = format!("start it with OMP_NUM_THREADS={saved}");
        if saved.inner != now.inner {
            return Err(format!("{both}: {cure}"));
        }
        if !self.threads_later {
            return Err(format!(
                "{both}; what the program does before init may depend on that: {cure}"
            ));
        }
        let put = saved.put();
        let most = put.map_or(0, |put| put.threads);
        if most != saved.threads {
            return Err(format!(
                "{both}, of which OpenMP gives {most} at the most (OMP_THREAD_LIMIT): {cure}, and without that limit"
            ));
        }
        self.say(format!(
            "OpenMP has {saved} threads, as in the run that wrote the checkpoint, instead of {now}"
        ));
        self.team = Some(saved);
        Ok(())
    }

    /// At the end of a restart: what the program had set by then is in force again.
    pub(super) fn threads_again(&mut self, replay: &mut Replay) -> Result<(), Stop> {
        let Some((_, then)) = self.saved_teams(replay)? else {
            return Ok(());
        };
        let Some(now) = Team::now() else {
            return Ok(());
        };
        if (now.threads, now.dynamic) != (then.threads, then.dynamic)
            && then.put().is_none_or(|put| put.threads != then.threads)
        {
            return Err(format!(
                "the checkpoint was written with {} threads of OpenMP, and this start can have {} at the most",
                then.threads, now.threads
            ));
        }
        Ok(())
    }
}
