//! A job of two ranks on a disk that crashes: what it does, and what it was promised.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use crate::comm::in_turn::in_turn;
use crate::format::tests::samples;
use crate::format::{Checkpoint, Data, Encoding, Trace, write};
use crate::restore::{Agreement, Decision, Expected, Files, Mode, agree};
use crate::store::Directory;
use crate::store::twin::{Content, Flaw, Turns, Twin};

/// Ranks of the job.
pub(super) const SIZE: u32 = 2;
/// More reductions than an agreement needs.
pub(super) const REDUCTIONS: usize = 20;

/// Something that counts from now on.
#[derive(Clone, Copy, Debug)]
enum Said {
    /// A rank begins to write a generation.
    Begun(u64),
    /// A rank was told that its file is published.
    Published(u64, u32),
    /// A rank begins to mark the run complete.
    Completing(u64),
    /// A rank was told that its run is marked complete.
    Completed(u64, u32),
}

/// What a restart has to respect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Promise {
    /// The newest generation whose publication was reported on all ranks.
    pub(super) published: u64,
    /// The newest generation that was begun.
    pub(super) begun: u64,
    /// The last generation of the run that all ranks were told is complete.
    pub(super) completed: u64,
    /// The last generation of a run that may be marked complete on all ranks.
    pub(super) completing: u64,
}

/// All that was said, with the number of steps that the disk had done.
#[derive(Clone, Debug, Default)]
pub(super) struct History(Vec<(usize, Said)>);

impl History {
    /// What counts after so many steps.
    pub(super) fn after(&self, steps: usize) -> Promise {
        let said = || {
            self.0
                .iter()
                .filter(move |(at, _)| *at <= steps)
                .map(|(_, said)| *said)
        };
        let newest = |choose: fn(Said) -> Option<(u64, u32)>, rank: u32| {
            let chosen = said().filter_map(choose).filter(|(_, one)| *one == rank);
            chosen.map(|(generation, _)| generation).max().unwrap_or(0)
        };
        let all = |choose: fn(Said) -> Option<(u64, u32)>| {
            (0..SIZE)
                .map(|rank| newest(choose, rank))
                .min()
                .unwrap_or(0)
        };
        Promise {
            // The ranks publish in the order of the numbers, but not every one.
            published: (1..=said().count() as u64 + 1)
                .rev()
                .find(|&generation| {
                    (0..SIZE).all(|rank| {
                        said().any(|one| {
                            matches!(one, Said::Published(number, by) if (number, by) == (generation, rank))
                        })
                    })
                })
                .unwrap_or(0),
            begun: newest(
                |said| match said {
                    Said::Begun(generation) => Some((generation, 0)),
                    _ => None,
                },
                0,
            ),
            completed: all(|said| match said {
                Said::Completed(generation, rank) => Some((generation, rank)),
                _ => None,
            }),
            completing: newest(
                |said| match said {
                    Said::Completing(generation) => Some((generation, 0)),
                    _ => None,
                },
                0,
            ),
        }
    }
}

/// What a run does after it has started.
#[derive(Clone, Debug)]
pub(super) struct Work {
    /// Checkpoints taken.
    pub(super) checkpoints: u64,
    /// Whether it comes to its end.
    pub(super) completes: bool,
    /// Generations kept.
    pub(super) keep: u32,
    /// After how many operations it is the other rank's turn.
    pub(super) turns: Vec<u64>,
    /// An operation of the disk that is refused.
    pub(super) refused: Option<u64>,
    /// What the disk does wrong when a file is published.
    pub(super) publishing: Option<Flaw>,
    /// What it does wrong when old files are removed.
    pub(super) removing: Option<Flaw>,
}

/// The files' contents, one version for each run that wrote them.
pub(super) type Versions = HashMap<(u64, u32, u64), Content>;

/// The ranks, the places of their files, and what happened so far.
#[derive(Clone)]
pub(super) struct Job {
    pub(super) places: [&'static str; SIZE as usize],
    pub(super) history: History,
    /// Counts the runs.
    pub(super) run: u64,
}

impl Job {
    pub(super) fn new(places: [&'static str; SIZE as usize]) -> Job {
        Job {
            places,
            history: History::default(),
            run: 0,
        }
    }

    /// The job as it was when the disk had done so many steps, on a disk whose steps are counted from 0 again.
    pub(super) fn after(&self, steps: usize) -> Job {
        let mut job = self.until(steps);
        job.history.0.iter_mut().for_each(|(at, _)| *at = 0);
        job
    }

    /// The same on a disk whose steps are counted on.
    pub(super) fn until(&self, steps: usize) -> Job {
        let mut job = self.clone();
        job.history.0.retain(|(at, _)| *at <= steps);
        job
    }

    /// A generation is not promised any more.
    pub(super) fn withdraw(&mut self, generation: u64) {
        let said = &mut self.history.0;
        said.retain(
            |(_, said)| !matches!(said, Said::Published(number, _) if *number == generation),
        );
    }

    fn directories(&self, disk: &Twin) -> Vec<Directory> {
        let one = |place: &&str| Directory::new(Arc::new(disk.clone()), *place);
        self.places.iter().map(one).collect()
    }

    /// What a run does first: it clears away what is unfinished, and agrees on a generation.
    pub(super) fn start(&self, disk: &Twin) -> Agreement {
        let directories = self.directories(disk);
        for (rank, directory) in (0..).zip(&directories) {
            // A disk that refuses does not keep the run from starting.
            let _ = directory.clean(rank);
        }
        let directories: Vec<_> = directories.into_iter().map(Arc::new).collect();
        let expected = Expected {
            program: "heat",
            arguments: &[],
            mode: Mode::Auto,
            counts: false,
            compares: true,
        };
        let mut all = in_turn(SIZE, REDUCTIONS, |group| {
            let rank = group.rank();
            let mut files = Files::new(directories[rank as usize].clone(), rank);
            agree(group, &mut files, &expected)
        });
        let first = all.remove(0);
        let same = |one: &Agreement| (&one.decision, one.next) == (&first.decision, first.next);
        let stops = matches!(first.decision, Decision::Stop(_));
        assert!(stops || all.iter().all(same), "{first:?} {all:?}");
        first
    }

    /// A whole run. Gives what it began with.
    pub(super) fn run(&mut self, disk: &Twin, work: &Work) -> Agreement {
        work.refused.inspect(|&operation| disk.refuse(operation));
        let agreement = self.start(disk);
        let (run, next) = (self.run, agreement.next);
        self.run += 1;
        let restarted = match agreement.decision {
            Decision::Restart(generation) => generation,
            _ => 0,
        };
        let turns = Turns::new(SIZE as usize, &work.turns);
        let history = Mutex::new(&mut self.history);
        std::thread::scope(|scope| {
            for (rank, place) in (0..).zip(self.places) {
                let (turns, history) = (&turns, &history);
                scope.spawn(move || {
                    let turn = turns.of(rank as usize);
                    let say = |said| {
                        let mut history = history.lock().unwrap();
                        history.0.push((disk.steps(), said));
                    };
                    let open = |flaw| {
                        let store = disk.in_turn(turns, rank as usize).flawed(flaw);
                        let directory = Directory::new(Arc::new(store), place);
                        directory.passed_over(restarted, next);
                        directory
                    };
                    let (publishing, removing) = (open(work.publishing), open(work.removing));
                    turn.wait();
                    for generation in next..next + work.checkpoints {
                        say(Said::Begun(generation));
                        let sample = checkpoint(generation, rank, run);
                        let written = publishing
                            .publish(generation, rank, &mut |_| {}, |out| write(&sample, 0, out));
                        if written.is_ok() {
                            say(Said::Published(generation, rank));
                            let _ = removing.retain(rank, SIZE, work.keep);
                        }
                    }
                    let last = next + work.checkpoints - 1;
                    if work.completes && last > 0 {
                        say(Said::Completing(last));
                        if publishing.mark_complete(rank, last).is_ok() {
                            say(Said::Completed(last, rank));
                        }
                    }
                });
            }
        });
        agreement
    }
}

/// A small file whose contents say where it belongs.
fn checkpoint(generation: u64, rank: u32, run: u64) -> Checkpoint {
    let mut sample = samples::checkpoint(Encoding::Xdr);
    sample.header.program = "heat".to_string();
    sample.header.arguments.clear();
    (sample.header.generation, sample.header.rank) = (generation, rank);
    (sample.header.size, sample.header.time) = (SIZE, run);
    (sample.trace, sample.plans) = (Trace::default(), Vec::new());
    sample.sections.truncate(1);
    let registers = &mut sample.sections[0].registers;
    registers.truncate(1);
    let value = generation as f64 + f64::from(rank) / 8.0 + run as f64 / 64.0;
    registers[0].data = Data::Encoded(value.to_be_bytes().to_vec());
    (registers[0].elements, registers[0].extents) = (1, vec![1]);
    sample.types.truncate(1);
    sample
}

/// The contents that a file may have, whichever of so many runs wrote it.
pub(super) fn versions(generations: u64, runs: u64) -> Versions {
    let mut all = Versions::new();
    for generation in 1..=generations {
        for rank in 0..SIZE {
            for run in 0..runs {
                let mut bytes = Vec::new();
                write(&checkpoint(generation, rank, run), 0, &mut bytes).unwrap();
                all.insert((generation, rank, run), Content::new(bytes));
            }
        }
    }
    all
}
