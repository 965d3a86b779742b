//! Which restarts are tried: after which checkpoints, and what is special about each.

use cccp_ckpt::outcome::Failure;

/// A restart to be tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planned {
    /// Killed after this checkpoint, from 1.
    pub checkpoint: u64,
    /// What is special.
    pub with: With,
}

/// What is special about a restart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum With {
    /// Nothing.
    Nothing,
    /// Memory that is not restored holds values that show.
    Poison,
    /// The addresses of all processes are the same.
    FixedAddresses,
    /// The directory has another name.
    AnotherDirectory,
    /// OpenMP has another number of threads.
    Threads(u32),
}

impl With {
    /// For people.
    pub fn words(self) -> &'static str {
        match self {
            With::Nothing => "",
            With::Poison => "with what is not restored made to show",
            With::FixedAddresses => "without randomised addresses",
            With::AnotherDirectory => "in another directory",
            With::Threads(_) => "with another number of OpenMP threads",
        }
    }
}

/// So many of the numbers from 1 to `all`, evenly apart, the first and the last among them; one alone is in the middle.
pub fn evenly(all: u64, sample: u64) -> impl Iterator<Item = u64> {
    let sample = sample.min(all);
    let steps = sample.saturating_sub(1).max(1);
    let first = match sample {
        1 => all.div_ceil(2),
        _ => 1,
    };
    (0..sample).map(move |step| first + (all - 1) * step / steps)
}

/// The checkpoints after which a run of `all` is killed: those that were asked for, or those of the sample.
pub fn checkpoints(
    all: u64,
    at: &[u64],
    sample: impl FnOnce() -> Vec<u64>,
) -> Result<Vec<u64>, Failure> {
    if let Some(far) = at.iter().find(|&&one| one == 0 || one > all) {
        return Err(Failure::said(format!(
            "--at {far}: an undisturbed run publishes {all} checkpoints, counted from 1"
        )));
    }
    let mut chosen = match at {
        [] => sample(),
        _ => at.to_vec(),
    };
    chosen.sort_unstable();
    chosen.dedup();
    Ok(chosen)
}

/// An undisturbed run takes about so many checkpoints at most, unless a setting says how often.
const MOST: u64 = 100;

/// At every n-th call a checkpoint is taken, in a run that comes to so many calls.
fn every(calls: u64) -> u64 {
    calls.div_ceil(MOST).max(1)
}

/// As many where a setting says so: each checkpoint is written to the disk, in all runs of a proof.
const MOST_OF_A_SETTING: u64 = 500;

/// The same where a setting takes a checkpoint at every `asked`-th call and `needed` of them are to be tried: more than a proof needs
/// are not taken. Those that are left are among those of the setting.
fn every_of(asked: u64, calls: u64, needed: u64) -> u64 {
    let taken = calls / asked.max(1);
    asked * taken.div_ceil(MOST_OF_A_SETTING.max(needed)).max(1)
}

/// At least so many of each place are taken where there are several.
const LEAST_OF_A_PLACE: u64 = 8;

/// Which checkpoints the runs of a proof take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Often {
    /// At every n-th call of a place.
    pub every: u64,
    /// Of these so many of each place until its calls double; none: all.
    pub spread: Option<u64>,
}

/// In a run with so many calls at so many places, where a setting may say every how many and so many are to be tried. Several places
/// take each its own share: one that is passed seldom would have none where the calls of all of them are thinned alike.
pub fn often(setting: Option<u64>, calls: u64, places: u64, needed: u64) -> Often {
    let (asked, most, least) = match setting {
        None => (1, MOST, LEAST_OF_A_PLACE),
        Some(asked) => (asked.max(1), MOST_OF_A_SETTING.max(needed), needed),
    };
    if places > 1 && calls / asked > most {
        return Often {
            every: asked,
            spread: Some((most / places).max(least).max(LEAST_OF_A_PLACE)),
        };
    }
    let every = match setting {
        None => every(calls),
        Some(asked) => every_of(asked, calls, needed),
    };
    Often {
        every,
        spread: None,
    }
}

/// All restarts: each of these checkpoints, those of `shown` with what is not restored made to show, and the one in the middle under
/// each other special condition.
pub fn plan(
    chosen: &[u64],
    (shown, middle): (&[u64], u64),
    threads: Option<u32>,
    can_fix_addresses: bool,
) -> Vec<Planned> {
    let with = |with: With| move |checkpoint: u64| Planned { checkpoint, with };
    let plain = chosen.iter().copied().map(with(With::Nothing));
    let shown = shown.iter().copied().map(with(With::Poison));
    let fixed = can_fix_addresses.then_some(With::FixedAddresses);
    let special = [
        fixed,
        Some(With::AnotherDirectory),
        threads.map(With::Threads),
    ];
    let special = special.into_iter().flatten().map(|one| with(one)(middle));
    plain.chain(shown).chain(special).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_and_the_last_checkpoint_are_among_those_that_are_tried() {
        let chosen = |all, sample| evenly(all, sample).collect::<Vec<u64>>();
        assert_eq!(chosen(100, 4), [1, 34, 67, 100]);
        assert_eq!(chosen(2, 4), [1, 2]);
        assert_eq!(chosen(1, 4), [1]);
        assert_eq!(chosen(9, 1), [5]);
        assert_eq!(chosen(4, u64::MAX), [1, 2, 3, 4]);
        assert_eq!(
            checkpoints(9, &[7, 2, 7], Vec::new).expect("a choice"),
            [2, 7]
        );
        assert!(checkpoints(9, &[10], Vec::new).is_err());
    }

    #[test]
    fn a_run_with_very_many_calls_takes_some_checkpoints_only() {
        assert_eq!([0, 1, 100, 101, 10_000].map(every), [1, 1, 1, 2, 100]);
    }

    #[test]
    fn of_the_checkpoints_of_a_setting_those_are_taken_that_a_proof_needs() {
        assert_eq!(every_of(1, 500, 3), 1);
        assert_eq!(every_of(1, 40_000, 3), 80);
        assert_eq!(every_of(10, 40_000, 3), 80, "a multiple of the setting");
        assert_eq!(every_of(7, 40_000, 3) % 7, 0);
        assert_eq!(every_of(1, 40_000, u64::MAX), 1, "all are wanted");
    }

    #[test]
    fn where_there_are_several_places_each_takes_some() {
        let of = |setting, calls, places, needed| {
            let often = often(setting, calls, places, needed);
            (often.every, often.spread)
        };
        assert_eq!(of(None, 100, 4, 3), (1, None));
        assert_eq!(of(None, 5000, 1, 3), (50, None));
        assert_eq!(of(None, 5000, 4, 3), (1, Some(25)));
        assert_eq!(of(None, 5000, 40, 3), (1, Some(8)));
        assert_eq!(of(None, 5000, 4, u64::MAX), (1, Some(25)));
        assert_eq!(of(Some(10), 5000, 4, 3), (10, None));
        assert_eq!(of(Some(2), 5000, 4, 3), (2, Some(125)));
        assert_eq!(of(Some(2), 5000, 4, u64::MAX), (2, None), "all are wanted");
    }

    #[test]
    fn every_special_condition_is_tried_once() {
        let all = plan(&[1, 5, 9], (&[5], 5), Some(3), true);
        assert_eq!(all.len(), 3 + 4);
        assert!(all[3..].iter().all(|one| one.checkpoint == 5));
    }
}
