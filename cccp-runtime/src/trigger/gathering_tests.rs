//! Threads that meet, miss each other, and never wait for ever.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use super::gathering::{Counter, Gathering, Meeting, Missed};
use crate::memory::Crew;

const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(1);

#[derive(Default)]
struct Cells {
    passed: AtomicU64,
    stop: AtomicU64,
}

struct Seen(Arc<Cells>);

impl Counter for Seen {
    fn passed(&self) -> u64 {
        self.0.passed.load(Ordering::SeqCst)
    }

    fn stop_at(&self, passed: u64) {
        self.0.stop.store(passed, Ordering::SeqCst);
    }
}

fn team(gathering: &Gathering<u64>, threads: usize) -> Vec<Arc<Cells>> {
    gathering.begin();
    let cells: Vec<Arc<Cells>> = (0..threads).map(|_| Arc::default()).collect();
    for (number, one) in cells.iter().enumerate() {
        assert!(gathering.join(number, threads, Box::new(Seen(one.clone()))));
    }
    cells
}

/// A thread that passes so many checkpoints; the initial one announces a meeting at some of them. What it took part in.
fn run(
    (gathering, crew): (&Gathering<u64>, &Crew),
    cells: &Cells,
    number: usize,
    passages: u64,
    ahead: u64,
) -> Vec<u64> {
    let mut met = Vec::new();
    for passage in 1..=passages {
        cells.passed.store(passage, Ordering::SeqCst);
        if number == 0 && passage % 50 == 0 && !gathering.is_announced() {
            gathering.announce(passage + ahead);
        }
        let stop = cells.stop.load(Ordering::SeqCst);
        if passage < stop {
            continue;
        }
        if passage > stop {
            gathering.passed_by(number, passage);
            let _ = (number == 0).then(|| gathering.missed());
            continue;
        }
        match gathering.arrive(number, passage, passage, LONG) {
            Meeting::All(all) => {
                assert!(all.iter().all(|one| *one == passage), "{all:?}");
                met.push(passage);
                crew.over(gathering.done(None));
            }
            Meeting::Still(round) => {
                crew.lend(number, round);
                met.push(passage);
            }
            Meeting::Done => met.push(passage),
            Meeting::Off => {}
        }
    }
    gathering.leave(number);
    met
}

#[test]
fn s51_threads_out_of_step_meet_at_one_passage_or_not_at_all() {
    for ahead in [0, 1, 4, 40] {
        let (gathering, crew) = (Gathering::new(), Crew::new());
        let cells = team(&gathering, 4);
        let met: Vec<Vec<u64>> = thread::scope(|scope| {
            let each = cells.iter().enumerate().map(|(number, cells)| {
                let both = (&gathering, &crew);
                scope.spawn(move || run(both, cells, number, 2000, ahead))
            });
            let all: Vec<_> = each.collect();
            all.into_iter()
                .map(|one| one.join().expect("no panic"))
                .collect()
        });
        assert!(met.iter().all(|one| *one == met[0]), "{ahead}: {met:?}");
    }
}

#[test]
fn s60_a_thread_that_has_come_need_not_wait_at_once() {
    let gathering = Gathering::new();
    let _cells = team(&gathering, 2);
    // It has not waited, and the others find it there.
    let round = gathering.come(1, 5, 50).expect("a meeting");
    assert_eq!(gathering.arrive(0, 5, 51, LONG), Meeting::All(vec![51, 50]));
    assert_eq!(gathering.wait(1, round, LONG), Meeting::Still(round));
    assert_eq!(gathering.done(None), round);
    // Nor does it, when it comes to wait after that.
    assert_eq!(gathering.wait(1, round, LONG), Meeting::Done);
    let late = gathering.come(1, 6, 60).expect("a meeting");
    assert_eq!(gathering.wait(1, late, SHORT), Meeting::Off);
}

#[test]
fn s52_a_thread_that_does_not_come_is_not_waited_for() {
    let gathering = Gathering::new();
    let cells = team(&gathering, 2);
    cells[0].passed.store(7, Ordering::SeqCst);
    let met = gathering.arrive(0, 7, 7, Duration::from_millis(1));
    assert_eq!(met, Meeting::Off);
    assert_eq!(gathering.missed(), Some(Missed::Late(1)));
    // It comes when nobody waits any more.
    assert_eq!(gathering.arrive(1, 7, 7, LONG), Meeting::Off);
}

#[test]
fn s52_a_thread_that_is_further_is_not_waited_for() {
    let gathering = Gathering::new();
    let cells = team(&gathering, 2);
    cells[1].passed.store(9, Ordering::SeqCst);
    gathering.announce(8);
    assert_eq!(gathering.arrive(0, 8, 8, LONG), Meeting::Off);
    assert_eq!(gathering.missed(), Some(Missed::Passed(1)));
    // The initial thread comes in to learn that, the other one is not stopped again.
    assert_eq!(cells[0].stop.load(Ordering::SeqCst), 0);
    assert_eq!(cells[1].stop.load(Ordering::SeqCst), u64::MAX);
}

#[test]
fn s52_nobody_waits_for_threads_that_left_or_meet_elsewhere() {
    let gathering = Gathering::new();
    let _cells = team(&gathering, 2);
    gathering.leave(1);
    assert_eq!(gathering.arrive(0, 3, 3, LONG), Meeting::Off);
    assert_eq!(gathering.missed(), Some(Missed::Elsewhere(0)));
    let gathering = Gathering::new();
    let _cells = team(&gathering, 2);
    let off = thread::scope(|scope| {
        let waits = scope.spawn(|| gathering.arrive(0, 3, 3, LONG));
        while gathering.arrive(1, 4, 4, Duration::ZERO) != Meeting::Off {}
        waits.join().expect("no panic")
    });
    assert_eq!(off, Meeting::Off);
}

#[test]
fn s51_a_meeting_by_calls_before_the_announced_one_takes_its_place() {
    let gathering = Gathering::new();
    let cells = team(&gathering, 2);
    gathering.announce(9);
    let met = thread::scope(|scope| {
        let other = scope.spawn(|| gathering.arrive(1, 7, 7, LONG));
        let met = gathering.arrive(0, 7, 7, LONG);
        gathering.done(None);
        (met, other.join().expect("no panic"))
    });
    assert_eq!(met.0, Meeting::All(vec![7, 7]));
    assert!(matches!(met.1, Meeting::Still(_) | Meeting::Done));
    // The initial thread learns that it has to announce anew.
    assert!(matches!(gathering.missed(), Some(Missed::Passed(_))));
    assert_eq!(cells[0].stop.load(Ordering::SeqCst), u64::MAX);
}

#[test]
fn a_number_is_given_once() {
    let gathering: Gathering<u64> = Gathering::new();
    let cells = team(&gathering, 2);
    assert!(!gathering.join(1, 2, Box::new(Seen(cells[1].clone()))));
    assert!(!gathering.join(2, 2, Box::new(Seen(cells[1].clone()))));
}
