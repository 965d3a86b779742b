//! A sample that is killed once, and restarted again and again from what it left, each time with another wrong value.

use std::path::PathBuf;
use std::time::Duration;

use cccp::format::Checkpoint;

use super::corruption::{Change, Part, corrupt, parts, put, read};
use super::harness::{Checkpoints, Program, Run, Sample, Workplace, everything};
use super::table::Table;

/// Beyond this a restart hangs: an undisturbed run takes a part of a second.
const LIMIT: Duration = Duration::from_secs(10);

/// What showed that a register is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// The library did not go on.
    Stopped,
    /// The program ended badly.
    Crashed,
    /// The program did not end.
    Hung,
    /// The results are different.
    Results,
}

/// The sample, killed.
pub struct Trial {
    sample: Sample,
    place: Workplace,
    program: Program,
    ranks: usize,
    expected: String,
    left: Checkpoints,
    runs: usize,
}

impl Trial {
    /// Runs it undisturbed, and until it dies at its last checkpoint with all generations kept.
    pub fn new(sample: Sample) -> Trial {
        let place = Workplace::quick(&format!("oracle-{}", sample.name));
        let program = sample.build().to(place.path(), sample.name);
        let ranks = if sample.mpi { 2 } else { 1 };
        let mut trial = Trial {
            left: Checkpoints::of(&place.join("killed"), sample.name),
            sample,
            place,
            program,
            ranks,
            expected: String::new(),
            runs: 0,
        };
        let undisturbed = trial.run("undisturbed").well();
        trial.expected = trial.results(undisturbed.output, "undisturbed");
        trial
            .run("killed")
            .set("CCCP_WRITE", "synchronous")
            .set("CCCP_ENCODING", "native")
            .set("CCCP_KEEP", "1000")
            .kill_at(&format!("checkpoint:{}", sample.checkpoints));
        trial
    }

    /// The table of all checkpoints that are to be tried.
    pub fn table(&mut self) -> Table {
        let mut table = Table::default();
        for generation in self.generations() {
            let ranks: Vec<Checkpoint> = (0..self.ranks)
                .map(|rank| read(&self.left.file(generation, rank)))
                .collect();
            let site = &ranks[0].header.site;
            let checkpoint = match &site.name {
                Some(name) => format!("{} {name}", site.function),
                None => site.function.clone(),
            };
            let same = self.restart(generation, &ranks);
            assert_eq!(
                same, None,
                "{checkpoint}, generation {generation}: unchanged"
            );
            let mut all: Vec<Part> = ranks.iter().flat_map(parts).collect();
            all.sort();
            all.dedup();
            for part in all {
                if !table.is_needed(&checkpoint, &part) {
                    let evidence = self.evidence(generation, &ranks, &part);
                    table.add(&checkpoint, &part, evidence.is_some());
                    if let Some((change, evidence)) = evidence {
                        eprintln!(
                            "{}: {checkpoint}, generation {generation}: {part} {change:?}: {evidence:?}",
                            self.sample.name
                        );
                    }
                }
            }
        }
        eprintln!("{}: {} restarts", self.sample.name, self.runs);
        table
    }

    /// The generations to try: of MPI programs, whose start takes long, the first, the middle and the last one.
    fn generations(&self) -> Vec<u64> {
        let complete = |generation: &u64| {
            (0..self.ranks).all(|rank| self.left.file(*generation, rank).exists())
        };
        let all: Vec<u64> = self
            .left
            .generations()
            .into_iter()
            .filter(complete)
            .collect();
        assert!(all.len() > 2, "{}: {all:?}", self.sample.name);
        if self.sample.mpi && !everything() {
            vec![all[0], all[all.len() / 2], all[all.len() - 1]]
        } else {
            all
        }
    }

    /// The first change of a part that shows that it is needed.
    fn evidence(
        &mut self,
        generation: u64,
        ranks: &[Checkpoint],
        part: &Part,
    ) -> Option<(Change, Evidence)> {
        Change::ALL.into_iter().find_map(|change| {
            let mut changed = ranks.to_vec();
            let mut different = false;
            for checkpoint in &mut changed {
                different |= corrupt(checkpoint, part, change);
            }
            // What was zero already shows nothing.
            if !different {
                return None;
            }
            let evidence = self.restart(generation, &changed);
            evidence.map(|evidence| (change, evidence))
        })
    }

    /// Restarts from these checkpoints of a generation, beside the files that the killed run left.
    fn restart(&mut self, generation: u64, ranks: &[Checkpoint]) -> Option<Evidence> {
        self.runs += 1;
        let directory = self.place.join("again");
        if directory.exists() {
            std::fs::remove_dir_all(&directory).expect("the last trial can be removed");
        }
        let again = self.run("again");
        for name in self.sample.files {
            std::fs::copy(self.place.join("killed").join(name), directory.join(name))
                .expect("a file that the killed run left");
        }
        let checkpoints = Checkpoints::of(&directory, self.sample.name);
        for (rank, checkpoint) in ranks.iter().enumerate() {
            put(checkpoint, &checkpoints.file(generation, rank));
        }
        // It takes no checkpoints of its own: they would prove nothing.
        let Some(outcome) = again.set("CCCP_EVERY", "0").within(LIMIT) else {
            return Some(Evidence::Hung);
        };
        if outcome.code() == Some(75) {
            return Some(Evidence::Stopped);
        }
        if !outcome.status.success() {
            return Some(Evidence::Crashed);
        }
        outcome.assert_resumed();
        let results = self.results(outcome.output, "again");
        (results != self.expected).then_some(Evidence::Results)
    }

    fn run(&self, directory: &str) -> Run {
        let directory: PathBuf = self.place.directory(directory);
        self.program
            .run(&directory)
            .ranks(self.ranks)
            .arguments(self.sample.arguments)
    }

    fn results(&self, output: String, directory: &str) -> String {
        output + &self.sample.written(&self.place.join(directory))
    }
}
