//! Damage and a power failure: what was passed over at a restart does not count when old files are removed.

use super::crashes::{SHARED, empty, orders, work};
use super::job::{Job, Work, versions};
use super::verdict::Judge;
use crate::restore::Decision;
use crate::store::twin::{Content, Twin};

/// Generations 2 and 3 are there, and the file of rank 1 in generation 3 rots. The next run restarts from 2, with a
/// single generation kept. Until 4 is complete on both ranks, 2 is all there is, although 3 looks complete.
#[test]
fn s19_the_last_good_generation_stays_until_a_newer_one_is_complete_though_a_damaged_one_lies_between()
 {
    let (mut first, disk) = (Job::new(SHARED), empty());
    let unfinished = Work {
        completes: false,
        ..work(3, 2)
    };
    first.run(&disk, &unfinished);
    let mut tree = disk.tree();
    let path = "scratch/run/heat.cccp/0000000003/000001.cccp";
    let mut bytes = tree.0[path].as_ref().unwrap().bytes().to_vec();
    bytes[200] ^= 4;
    let rotten = Content::new(bytes);
    tree.0.insert(path.to_string(), Some(rotten.clone()));
    let mut first = first.after(disk.steps());
    first.withdraw(3);
    let mut versions = versions(5, 2);
    versions.insert((3, 1, u64::MAX), rotten);
    let mut judge = Judge::new(versions);
    let second = work(2, 1);
    for turns in orders(&second) {
        let (mut job, disk) = (first.clone(), Twin::holding(&tree));
        let work = Work {
            turns: turns.clone(),
            ..second.clone()
        };
        let agreement = job.run(&disk, &work);
        assert_eq!(
            (agreement.decision, agreement.next),
            (Decision::Restart(2), 4)
        );
        let found = judge.crashes(&job, &disk, 0);
        found.unwrap_or_else(|wrong| panic!("turns {turns:?}, {wrong}"));
    }
    judge.print("second runs beside a damaged file");
    assert!(judge.examined > 100_000 && judge.distinct > 1_500);
}
