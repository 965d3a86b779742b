//! Wherever the power fails, a run comes back.
//!
//! A run is done once, its journal gives every disk that a power failure may leave after every step
//! (`store::twin` says what is varied), and each of them is judged (`verdict`). Two ranks that write at the same time
//! meet in all pairs of places: rank 0 gets to any of its operations, then rank 1 works to its end, then rank 0 goes on;
//! and the other way round; and they take turns after every operation and after every few. In the second of two
//! generations, where files are removed, both of them wait once, in all pairs of places.

use super::job::{Job, Work, versions};
use super::verdict::Judge;
use crate::store::twin::{Tree, Twin};

/// All ranks see one directory; nothing of the path is there at the beginning.
pub(super) const SHARED: [&str; 2] = ["/scratch/run/heat.cccp", "/scratch/run/heat.cccp"];

/// Each rank has a disk of its own.
pub(super) const SEPARATE: [&str; 2] = ["/disk0/heat.cccp", "/disk1/heat.cccp"];

/// An empty disk with the places for the disks that are mounted.
pub(super) fn empty() -> Twin {
    let mount = |name: &str| (name.to_string(), None);
    Twin::holding(&Tree(["disk0", "disk1"].map(mount).into()))
}

/// So many checkpoints, and as many generations kept.
pub(super) fn work(checkpoints: u64, keep: u32) -> Work {
    Work {
        checkpoints,
        completes: true,
        keep,
        turns: Vec::new(),
        refused: None,
        publishing: None,
        removing: None,
    }
}

/// Runs a new job to its end and examines all crashes.
pub(super) fn examined(
    judge: &mut Judge,
    places: [&'static str; 2],
    work: &Work,
) -> Result<Vec<(usize, Tree)>, String> {
    let mut job = Job::new(places);
    let disk = empty();
    job.run(&disk, work);
    judge.crashes(&job, &disk, 0)
}

/// At least as many operations as a rank needs for this. The first one has more to do, because it makes the directories.
fn operations(work: &Work) -> u64 {
    let (disk, mut job) = (empty(), Job::new(SHARED));
    job.start(&disk);
    let before = disk.operations();
    job.run(&disk, work);
    (disk.operations() - 2 * before) * 2 / 3
}

/// Every order of two ranks in which one of them waits once, and some more.
pub(super) fn orders(work: &Work) -> Vec<Vec<u64>> {
    let most = operations(work);
    let first = (0..most).map(|first| vec![first]);
    let second = (1..most).map(|second| vec![0, second]);
    let several = [1, 2, 3, 7].map(|turn| vec![turn; 500]);
    first.chain(second).chain(several).collect()
}

/// Every order in which each of them waits once in the second of two generations.
pub(super) fn pairs(work: &Work) -> impl Iterator<Item = Vec<u64>> {
    let most = operations(work);
    let half = most / 2..most;
    half.flat_map(move |first| (most / 4..most * 3 / 4).map(move |second| vec![first, second]))
}

/// Examines all crashes of all these orders.
fn all_orders(name: &str, places: [&'static str; 2], work: &Work, orders: &[Vec<u64>]) -> Judge {
    let mut judge = Judge::new(versions(work.checkpoints, 1));
    for turns in orders {
        let work = Work {
            turns: turns.clone(),
            ..work.clone()
        };
        let found = examined(&mut judge, places, &work);
        found.unwrap_or_else(|wrong| panic!("turns {turns:?}, {wrong}"));
    }
    judge.print(&format!("{name}, {} orders of two ranks", orders.len()));
    judge
}

#[test]
fn s24_a_power_failure_at_any_step_of_two_ranks_on_one_disk_loses_nothing() {
    let work = work(4, 2);
    let judge = all_orders("four generations, keep 2", SHARED, &work, &orders(&work));
    assert!(judge.examined > 100_000 && judge.distinct > 500);
}

#[test]
fn s19_with_a_single_generation_kept_a_power_failure_at_any_step_loses_nothing() {
    let work = work(3, 1);
    let judge = all_orders("three generations, keep 1", SHARED, &work, &orders(&work));
    assert!(judge.examined > 70_000 && judge.distinct > 400);
}

/// A rank that removes must not rely on a name that another rank has just made.
#[test]
fn s19_a_power_failure_at_any_step_of_ranks_that_overtake_each_other_loses_nothing() {
    let work = Work {
        completes: false,
        ..work(2, 1)
    };
    let pairs: Vec<_> = pairs(&work).collect();
    let judge = all_orders("two generations, keep 1", SHARED, &work, &pairs);
    assert!(judge.examined > 150_000 && judge.distinct > 30);
}

#[test]
fn s24_a_power_failure_at_any_step_of_ranks_with_disks_of_their_own_loses_nothing() {
    let work = work(3, 2);
    let some: Vec<_> = orders(&work).into_iter().step_by(3).collect();
    let judge = all_orders("disks of their own", SEPARATE, &work, &some);
    assert!(judge.examined > 15_000 && judge.distinct > 250);
}

#[test]
fn s25_a_power_failure_at_any_step_after_any_refused_operation_loses_nothing() {
    let mut judge = Judge::new(versions(3, 1));
    for refused in 0.. {
        let work = Work {
            refused: Some(refused),
            turns: vec![1; 1000],
            ..work(3, 1)
        };
        let (mut job, disk) = (Job::new(SHARED), empty());
        job.run(&disk, &work);
        let found = judge.crashes(&job, &disk, 0);
        found.unwrap_or_else(|wrong| panic!("refused {refused}, {wrong}"));
        if disk.operations() < refused {
            break;
        }
    }
    judge.print("each operation refused once");
    assert!(judge.examined > 90_000 && judge.distinct > 600);
}

/// A second run that begins after every crash of a first one, and crashes as well: while it clears away, in its
/// checkpoints, at its end.
#[test]
fn s24_a_second_power_failure_at_any_step_after_any_first_one_loses_nothing() {
    let mut judge = Judge::new(versions(4, 2));
    let (mut first, disk) = (Job::new(SHARED), empty());
    let turns = vec![1; 1000];
    first.run(
        &disk,
        &Work {
            turns: turns.clone(),
            ..work(2, 1)
        },
    );
    let crashes = judge.crashes(&first, &disk, 0);
    let crashes = crashes.unwrap_or_else(|wrong| panic!("{wrong}"));
    let mut orders = 0;
    for (steps, tree) in &crashes {
        for turns in [&turns[..], &[]] {
            let mut job = first.after(*steps);
            let disk = Twin::holding(tree);
            let turns = turns.to_vec();
            job.run(
                &disk,
                &Work {
                    turns,
                    ..work(1, 1)
                },
            );
            let found = judge.crashes(&job, &disk, 0);
            found.unwrap_or_else(|wrong| panic!("first crash after step {steps}, {wrong}"));
            orders += 1;
        }
    }
    judge.print(&format!("second runs after {orders} power failures"));
    assert!(judge.examined > 55_000 && judge.distinct > 1_500);
}

/// The same after kills: nothing is lost by them, but what was not durable still is not.
#[test]
fn s08_a_power_failure_at_any_step_after_a_kill_at_any_step_loses_nothing() {
    let mut judge = Judge::new(versions(4, 2));
    let (mut first, disk) = (Job::new(SHARED), empty());
    let turns = vec![1; 1000];
    let turns = |checkpoints| Work {
        turns: turns.clone(),
        ..work(checkpoints, 1)
    };
    first.run(&disk, &turns(2));
    for steps in 0..=disk.steps() {
        let mut job = first.until(steps);
        let disk = disk.killed_at(steps);
        job.run(&disk, &turns(1));
        let found = judge.crashes(&job, &disk, steps);
        found.unwrap_or_else(|wrong| panic!("killed after step {steps}, {wrong}"));
    }
    judge.print("second runs after kills");
    assert!(judge.examined > 40_000 && judge.distinct > 700);
}
