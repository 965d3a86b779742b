//! Threads that stop at checkpoints or before barriers, wherever they are.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::Duration;

use super::line::{Line, Stop, Walker};
use super::member::Inside;
use crate::memory::Crew;

const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(20);

#[derive(Default)]
struct Cells {
    barriers: AtomicU64,
    constructs: AtomicU64,
    place: AtomicU64,
    asks: AtomicBool,
    waits: AtomicBool,
}

impl Cells {
    fn comes_to_barrier(&self, place: u64) {
        self.place.store(place, Ordering::SeqCst);
        self.barriers.fetch_add(1, Ordering::SeqCst);
    }
}

struct Seen(Arc<Cells>);

impl Walker<u64> for Seen {
    fn barriers(&self) -> u64 {
        self.0.barriers.load(Ordering::SeqCst)
    }

    fn constructs(&self) -> u64 {
        self.0.constructs.load(Ordering::SeqCst)
    }

    fn latest(&self) -> u64 {
        self.0.place.load(Ordering::SeqCst)
    }

    fn waits(&self) -> bool {
        self.0.waits.load(Ordering::SeqCst)
    }

    fn ask(&self, always: bool) {
        self.0.asks.store(always, Ordering::SeqCst);
    }
}

fn team(line: &Line<u64>, threads: usize) -> Vec<Arc<Cells>> {
    line.begin();
    let cells: Vec<Arc<Cells>> = (0..threads).map(|_| Arc::default()).collect();
    for (number, one) in cells.iter().enumerate() {
        line.join(number, threads, Box::new(Seen(one.clone())));
    }
    cells
}

#[test]
fn s57_who_waits_for_a_lock_stands_before_it_and_takes_it_when_the_round_is_done() {
    let line = Line::new();
    let cells = team(&line, 2);
    cells[0].place.store(40, Ordering::SeqCst);
    cells[0].waits.store(true, Ordering::SeqCst);
    assert_eq!(line.stop(1, 11, LONG), Stop::All(vec![40, 11]));
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| line.waited(|| cells[0].waits.store(false, Ordering::SeqCst)));
        std::thread::sleep(SHORT);
        assert!(!waiting.is_finished());
        line.done();
    });
    assert!(!cells[0].waits.load(Ordering::SeqCst));
    // Nobody takes a checkpoint: it need not stand still.
    line.waited(|| ());
}

#[test]
fn s57_who_wakes_in_the_next_round_stands_before_its_lock_there_too() {
    let line = Line::new();
    for _ in 0..10 {
        let cells = team(&line, 2);
        let is_at_work = AtomicBool::new(false);
        cells[0].waits.store(true, Ordering::SeqCst);
        assert_eq!(line.stop(1, 2, LONG), Stop::All(vec![0, 2]));
        is_at_work.store(true, Ordering::SeqCst);
        let goes_on = || {
            assert!(
                !is_at_work.load(Ordering::SeqCst),
                "a checkpoint is being taken"
            );
            cells[0].waits.store(false, Ordering::SeqCst);
            cells[0].comes_to_barrier(1);
        };
        thread::scope(|scope| {
            let waiting = scope.spawn(|| line.waited(goes_on));
            for _ in 0..300 {
                is_at_work.store(false, Ordering::SeqCst);
                line.done();
                let all = line.stop(1, 2, LONG);
                is_at_work.store(true, Ordering::SeqCst);
                assert!(matches!(all, Stop::All(_)), "{all:?}");
                // Some rounds end when it sleeps already.
                thread::yield_now();
            }
            is_at_work.store(false, Ordering::SeqCst);
            line.done();
            waiting.join().expect("the thread that waits for its lock");
        });
    }
}

#[test]
fn who_waits_at_the_next_barrier_stands_still() {
    let line = Line::new();
    let cells = team(&line, 3);
    cells[0].comes_to_barrier(70);
    cells[2].comes_to_barrier(72);
    assert_eq!(line.stop(1, 11, LONG), Stop::All(vec![70, 11, 72]));
    assert!(cells.iter().all(|one| one.asks.load(Ordering::SeqCst)));
    line.done();
    assert!(!cells.iter().any(|one| one.asks.load(Ordering::SeqCst)));
}

#[test]
fn who_leaves_a_barrier_late_does_not_stand_there() {
    let line = Line::new();
    let cells = team(&line, 2);
    // Both have come to the first barrier; one is through and stands at a checkpoint.
    for one in &cells {
        one.comes_to_barrier(70);
    }
    assert_eq!(line.stop(0, 10, SHORT), Stop::Late(1));
    cells[1].comes_to_barrier(71);
    assert_eq!(line.stop(0, 10, LONG), Stop::All(vec![10, 71]));
    line.done();
}

#[test]
fn work_that_is_handed_out_once_is_behind_all_or_none() {
    let line = Line::new();
    let cells = team(&line, 2);
    cells[0].constructs.store(1, Ordering::SeqCst);
    cells[0].comes_to_barrier(70);
    assert_eq!(line.stop(1, 11, LONG), Stop::Apart);
    cells[1].constructs.store(1, Ordering::SeqCst);
    assert_eq!(line.stop(1, 11, LONG), Stop::All(vec![70, 11]));
    line.done();
}

/// Threads that do unequal numbers of steps between barriers; what they have done is the same sum at each checkpoint as seen from
/// where they stand.
#[test]
fn s51_all_threads_stand_on_the_same_side_of_each_barrier() {
    const THREADS: usize = 3;
    const ROUNDS: u64 = 60;
    let line: Arc<Line<u64>> = Arc::new(Line::new());
    let cells = team(&line, THREADS);
    let barrier = Arc::new(Barrier::new(THREADS));
    let taken = Arc::new(AtomicU64::new(0));
    let crew = Arc::new(Crew::new());
    let all = (0..THREADS).map(|number| {
        let (line, barrier, taken) = (line.clone(), barrier.clone(), taken.clone());
        let crew = crew.clone();
        let (own, cells) = (cells[number].clone(), cells.clone());
        thread::spawn(move || {
            for round in 0..ROUNDS {
                for step in 0..=(round + number as u64) % 4 {
                    let is_due = step == 1 && number as u64 == round % 3;
                    if !is_due && !own.asks.load(Ordering::SeqCst) {
                        continue;
                    }
                    let stop = line.stop(number, 1000 + round, LONG);
                    if let Stop::Still(round) = stop {
                        crew.lend(number, round);
                    } else if let Stop::All(stands) = stop {
                        // At a checkpoint of this round, or at the barrier that ends it.
                        assert!(
                            stands.iter().all(|one| [round, 1000 + round].contains(one)),
                            "{stands:?} in {round}"
                        );
                        let before = |one: &Arc<Cells>| one.barriers.load(Ordering::SeqCst);
                        let first: Vec<u64> = cells.iter().map(before).collect();
                        thread::yield_now();
                        assert_eq!(first, cells.iter().map(before).collect::<Vec<_>>());
                        taken.fetch_add(1, Ordering::SeqCst);
                        crew.over(line.done());
                    }
                }
                own.comes_to_barrier(round);
                barrier.wait();
            }
        })
    });
    let all: Vec<_> = all.collect();
    all.into_iter().for_each(|one| one.join().unwrap());
    assert!(taken.load(Ordering::SeqCst) >= ROUNDS / 6);
}

/// A thread enters a team inside of the outermost one: its counters there.
fn enter(line: &Line<u64>, (inside, number): (Inside, usize), outside: &Arc<Cells>) -> Arc<Cells> {
    let cells = match number {
        0 => outside.clone(),
        _ => Arc::default(),
    };
    line.enter((inside, number), Box::new(Seen(cells.clone())), || {
        let counts = [&outside.barriers, &outside.constructs];
        counts.map(|one| one.swap(0, Ordering::SeqCst))
    });
    cells
}

#[test]
fn s50_in_each_team_one_stands_at_a_checkpoint_and_all_others_at_its_next_barrier() {
    let line = Line::new();
    let cells = team(&line, 2);
    // One of the outer team waits at its barrier; the other one is in a team of two.
    cells[1].comes_to_barrier(70);
    let inside = Inside {
        parent: 0,
        level: 1,
        threads: 2,
    };
    let second = enter(&line, (inside, 1), &cells[0]);
    // Its first thread has not come in yet.
    assert_eq!(line.stop(inside.member(1), 21, SHORT), Stop::Late(0));
    cells[0].constructs.store(5, Ordering::SeqCst);
    cells[1].constructs.store(5, Ordering::SeqCst);
    enter(&line, (inside, 0), &cells[0]);
    cells[0].comes_to_barrier(80);
    assert_eq!(
        line.stop(inside.member(1), 21, LONG),
        Stop::All(vec![80, 70, 21])
    );
    line.done();
    // Where all of a team wait at its barrier it opens.
    second.comes_to_barrier(81);
    assert_eq!(line.stop(1, 12, SHORT), Stop::Late(0));
    line.leave((inside, 1), |_| ());
    line.leave((inside, 0), |before| {
        let counts = [&cells[0].barriers, &cells[0].constructs];
        for (one, before) in counts.into_iter().zip(before) {
            one.store(before, Ordering::SeqCst);
        }
    });
    assert_eq!(line.stop(0, 10, LONG), Stop::All(vec![10, 70]));
}
