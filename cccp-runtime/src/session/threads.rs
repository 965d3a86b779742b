//! A restart has as many threads as the run that wrote the checkpoint, or, where that is wanted and right, as many as its start gives.
//!
//! In: what OpenMP says at `init` and at every checkpoint. Out: a register of the library. On restart the number at `init` is put
//! into force where `init` stands, and that of the checkpoint when the restart ends. What the program does before `init` may
//! depend on the number, too: unless the precompiler says that it does not, another number is a stop. One warning says when that are
//! more threads than this start would have had, and more than there are cores for them.
//!
//! With the setting `threads = given` the number of the start stays, where the precompiler has proved for the checkpoint that
//! nothing depends on it that a restart restores; elsewhere the restart stops before anything is restored, with the reason.

use std::collections::BTreeMap;

use crate::memory::controls::{self, Controls};
use crate::memory::{Team, TeamControls};
use crate::restore::{Replay, Stop};
use crate::settings::TeamSize;

use super::Session;
use super::library::Kept;

/// What the register is called.
const THREADS: &str = "threads of OpenMP";

/// What the register with the schedule of `schedule(runtime)` and the levels of regions is called.
const REGIONS: &str = "regions of OpenMP";

/// What the register is called with what each thread of a region has of all that.
const EACH: &str = "regions of each thread of OpenMP";

/// The numbers of how regions share out loops, and back.
fn numbers_of_regions(of: &TeamControls) -> [u64; 3] {
    [of.kind, of.chunk, of.levels].map(|one| u64::from(one.cast_unsigned()))
}

fn regions(numbers: &[u64]) -> Option<TeamControls> {
    let number = |one: &u64| u32::try_from(*one).ok().map(u32::cast_signed);
    let numbers: Option<Vec<i32>> = numbers.iter().map(number).collect();
    let &[kind, chunk, levels] = numbers?.as_slice() else {
        return None;
    };
    Some(TeamControls {
        kind,
        chunk,
        levels,
    })
}

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

/// So many threads.
fn counted(team: &Team) -> String {
    let ending = if team.threads == 1 { "" } else { "s" };
    format!("{team} thread{ending}")
}

impl Session {
    /// What a checkpoint keeps of the number of threads. Nothing without OpenMP.
    pub(super) fn threads(&self) -> Option<Kept> {
        let outside = controls::outside().and_then(|one| one.team);
        let (begun, now) = (self.team.as_ref()?, outside.or_else(Team::now)?);
        let all = [&numbers(begun)[..], &numbers(&now), &begun.inner].concat();
        Some(Kept::numbers(THREADS, &all))
    }

    /// What a checkpoint keeps of how regions share out loops and nest; only where the program has changed it.
    pub(super) fn regions(&self) -> Option<Kept> {
        let outside = controls::outside().map(|one| one.regions);
        let now = outside.or_else(TeamControls::now)?;
        (self.team_controls != Some(now)).then(|| Kept::numbers(REGIONS, &numbers_of_regions(&now)))
    }

    /// The same of the threads of a region, where that is not what a new team gets.
    pub(super) fn controls_of_threads(&self) -> Option<Kept> {
        let (begun, outside) = (self.team.as_ref()?, controls::outside()?);
        let mut all = Vec::new();
        let noted = controls::noted().into_iter();
        let noted = noted.filter_map(|(thread, (_, said))| Some((thread, said.controls?)));
        for (thread, one) in noted.chain(controls::around()) {
            let Some(team) = one.team else {
                continue;
            };
            if (one.regions, numbers(&team)) != (outside.regions, numbers(begun)) {
                all.push(thread);
                all.extend(numbers_of_regions(&one.regions));
                all.extend(numbers(&team));
            }
        }
        (!all.is_empty()).then(|| Kept::numbers(EACH, &all))
    }

    /// Has each thread put that into force.
    fn same_for_each_thread(&self, replay: &mut Replay, is_given: bool) -> Result<(), Stop> {
        let all = self.library_numbers(replay, EACH)?.unwrap_or_default();
        let mut later = BTreeMap::new();
        for one in all.chunks(6) {
            let found = one.split_at_checked(1).and_then(|(thread, rest)| {
                let (of_regions, of_team) = rest.split_at_checked(3)?;
                let team = team(of_team, &[])?;
                let regions = regions(of_regions)?;
                let team = Some(team).filter(|_| !is_given);
                Some((thread[0], Controls { regions, team }))
            });
            later.extend([found.ok_or_else(|| format!("{EACH}: they are not six numbers each"))?]);
        }
        controls::put_later(later);
        Ok(())
    }

    /// Puts that into force: where `init` stands, because threads of a region have it from the one that enters it, and when the
    /// restart ends, because blocks may have changed it.
    fn same_regions(&self, replay: &mut Replay) -> Result<(), Stop> {
        if let Some(found) = self.saved_regions(replay)? {
            found.put();
        }
        Ok(())
    }

    fn saved_regions(&self, replay: &mut Replay) -> Result<Option<TeamControls>, Stop> {
        let Some(all) = self.library_numbers(replay, REGIONS)? else {
            return Ok(None);
        };
        let found =
            regions(&all).ok_or_else(|| format!("{REGIONS}: they are not three numbers"))?;
        Ok(Some(found))
    }

    /// The teams at `init` and at the checkpoint.
    fn saved_teams(&self, replay: &mut Replay) -> Result<Option<(Team, Team)>, Stop> {
        let Some(all) = self.library_numbers(replay, THREADS)? else {
            return Ok(None);
        };
        let found = all.split_at_checked(4).and_then(|(both, inner)| {
            let (begun, then) = both.split_at(2);
            Some((team(begun, inner)?, team(then, inner)?))
        });
        Ok(found)
    }

    /// Where `init` stands: as many threads as there were.
    pub(super) fn same_threads(&mut self, replay: &mut Replay) -> Result<(), Stop> {
        self.same_regions(replay)?;
        let Some((saved, then)) = self.saved_teams(replay)? else {
            return Ok(());
        };
        let Some(now) = self.team.clone() else {
            return Ok(());
        };
        if self.is_given(&saved) {
            return self.given_threads(replay, [&saved, &then], &now);
        }
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
        let cores = std::thread::available_parallelism().map_or(u64::MAX, |one| one.get() as u64);
        let few = saved.threads > now.threads && saved.threads > cores;
        self.say(match few {
            false => format!(
                "OpenMP has {}, as in the run that wrote the checkpoint, instead of {now}",
                counted(&saved)
            ),
            true => format!(
                "warning: OpenMP has {saved} threads, as in the run that wrote the checkpoint, instead of {now}, and {cores} cores for \
                 them; threads = given takes {now} where that gives the same results (cccp-pp --explain)"
            ),
        });
        self.team = Some(saved);
        Ok(())
    }

    /// Whether the number of this start stays, which is another one.
    fn is_given(&self, saved: &Team) -> bool {
        let now = self.team.as_ref();
        self.settings.threads == TeamSize::Given
            && now.is_some_and(|now| (saved.threads, &saved.inner) != (now.threads, &now.inner))
    }

    /// Where `init` stands: as many threads as this start gives, if that is right.
    fn given_threads(
        &mut self,
        replay: &Replay,
        [saved, then]: [&Team; 2],
        now: &Team,
    ) -> Result<(), Stop> {
        let own = (then.threads != saved.threads).then(|| {
            format!(
                "the program had set {} threads itself by then",
                then.threads
            )
        });
        let known = replay.checkpoint().and_then(|block| block.threads.clone());
        // A region in progress has the number by now, but for programs that were changed.
        let is_other = replay.team_size().is_some_and(|size| size != now.threads);
        let why = own.or_else(|| match known.as_deref() {
            None => Some("what depends on it is not known".to_string()),
            Some("") => is_other.then(|| "the program was changed since".to_string()),
            Some(why) => Some(why.to_string()),
        });
        let Some(why) = why else {
            self.say(format!(
                "OpenMP has {}, as the setting threads = given says, instead of {saved} in the run that wrote the checkpoint",
                counted(now)
            ));
            return Ok(());
        };
        let site = &replay.file.checkpoint.header.site;
        Err(format!(
            "the setting threads is given, and this start has {} of OpenMP, but a restart from the checkpoint in {} \
             (line {}) has the {saved} of the run that wrote it: {why}; set threads = saved, or start it with OMP_NUM_THREADS={saved}",
            counted(now),
            site.function,
            site.line
        ))
    }

    /// At the end of a restart: what the program had set by then is in force again. In a region each thread has its own, and what was
    /// in force outside of it is so behind it.
    pub(super) fn threads_again(&mut self, replay: &mut Replay) -> Result<(), Stop> {
        let saved = self.saved_teams(replay)?;
        let is_given = saved
            .as_ref()
            .is_some_and(|(saved, _)| self.is_given(saved));
        if controls::outside().is_some() {
            let (regions, then) = (self.saved_regions(replay)?, saved.map(|(_, then)| then));
            controls::put_behind(regions, then.filter(|_| !is_given));
            return self.same_for_each_thread(replay, is_given);
        }
        self.same_regions(replay)?;
        let Some((_, then)) = saved.filter(|_| !is_given) else {
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
