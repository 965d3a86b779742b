//! A program that runs once, and is restarted again and again from what it left, each time with another wrong value.

use std::time::Duration;

use cccp::format::Checkpoint;

use super::corruption::{Change, Part, corrupt, parts, put, read};
use super::harness::{Build, Checkpoints, Program, Run, Sample, Workplace, everything};
use super::table::Table;

/// Beyond this a restart hangs: an undisturbed run takes a part of a second.
const LIMIT: Duration = Duration::from_secs(10);
/// The same for programs of others, and where a restart that seems to hang would be news: a busy machine is slow.
const LONG: Duration = Duration::from_secs(40);

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

/// A program to try.
pub struct Subject {
    /// Its name.
    pub name: String,
    /// How to build it.
    pub build: Build,
    /// How many ranks; none when it is no MPI program.
    pub ranks: Option<usize>,
    /// Arguments for a short run.
    pub arguments: Vec<String>,
    /// The checkpoints of such a run; 0 when nobody has counted them, and a few are enough.
    pub checkpoints: u64,
    /// Files it writes besides standard output.
    pub files: Vec<String>,
}

impl Subject {
    /// A sample.
    pub fn sample(sample: &Sample) -> Subject {
        let owned = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
        Subject {
            name: sample.name.to_owned(),
            build: sample.build(),
            ranks: sample.mpi.then_some(2),
            arguments: owned(sample.arguments),
            checkpoints: sample.checkpoints,
            files: owned(sample.files),
        }
    }
}

/// The program, and what its run left.
pub struct Trial {
    subject: Subject,
    place: Workplace,
    program: Program,
    ranks: usize,
    expected: String,
    left: Checkpoints,
    runs: usize,
}

impl Trial {
    /// Runs it with all generations kept. It is not killed: ranks that wait for nobody are then at different checkpoints, and
    /// what one of them lacks cannot be tried.
    pub fn new(subject: Subject) -> Trial {
        let place = Workplace::new(&format!("oracle-{}", subject.name));
        let program = subject.build.to(place.path(), &subject.name);
        let mut trial = Trial {
            left: Checkpoints::of(&place.join("undisturbed"), &subject.name),
            ranks: subject.ranks.unwrap_or(1),
            subject,
            place,
            program,
            expected: String::new(),
            runs: 0,
        };
        let undisturbed = trial.run("undisturbed").set("CCCP_WRITE", "synchronous");
        let undisturbed = undisturbed.set("CCCP_ENCODING", "native");
        let undisturbed = undisturbed.set("CCCP_KEEP", "1000").well();
        trial.expected = trial.results(undisturbed.output, "undisturbed");
        trial
    }

    /// The table of all checkpoints that are to be tried. What is `known` to be needed is tried with less patience.
    pub fn table(&mut self, known: &Table) -> Table {
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
            // What was printed before the checkpoint is not printed again.
            let right = self.within(LONG, generation, &ranks).unwrap_or_default();
            assert!(
                !right.is_empty() && self.expected.ends_with(&right),
                "{checkpoint}, generation {generation}: {right}\ninstead of {}",
                self.expected
            );
            let mut all: Vec<Part> = ranks.iter().flat_map(parts).collect();
            all.sort();
            all.dedup();
            for part in all {
                if !table.is_needed(&checkpoint, &part) {
                    let limit = match self.subject.checkpoints {
                        0 => LONG,
                        _ if known.is_needed(&checkpoint, &part) => LIMIT,
                        _ => LONG,
                    };
                    let evidence = self.evidence(generation, &ranks, &part, (&right, limit));
                    table.add(&checkpoint, &part, evidence.is_some());
                    if let Some((change, evidence)) = evidence {
                        eprintln!(
                            "{}: {checkpoint}, generation {generation}: {part} {change:?}: {evidence:?}",
                            self.subject.name
                        );
                    }
                }
            }
        }
        eprintln!("{}: {} restarts", self.subject.name, self.runs);
        table
    }

    /// The generations to try: of MPI programs, whose start takes long, and where nobody counted, the first, the middle and
    /// the last one.
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
        assert!(all.len() > 2, "{}: {all:?}", self.subject.name);
        let few = self.subject.ranks.is_some() || self.subject.checkpoints == 0;
        if few && !everything() {
            vec![all[0], all[all.len() / 2], all[all.len() - 1]]
        } else {
            all
        }
    }

    /// The first change of a part that shows that it is needed: other results than the right ones, or no end within the limit.
    fn evidence(
        &mut self,
        generation: u64,
        ranks: &[Checkpoint],
        part: &Part,
        (right, limit): (&str, Duration),
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
            match self.within(limit, generation, &changed) {
                Ok(results) => (results != right).then_some((change, Evidence::Results)),
                Err(evidence) => Some((change, evidence)),
            }
        })
    }

    /// Restarts from these checkpoints of a generation, beside the files that the run left.
    fn within(
        &mut self,
        limit: Duration,
        generation: u64,
        ranks: &[Checkpoint],
    ) -> Result<String, Evidence> {
        self.runs += 1;
        let directory = self.place.join("again");
        if directory.exists() {
            std::fs::remove_dir_all(&directory).expect("the last trial can be removed");
        }
        let again = self.run("again");
        for name in &self.subject.files {
            std::fs::copy(
                self.place.join("undisturbed").join(name),
                directory.join(name),
            )
            .expect("a file that the run left");
        }
        let checkpoints = Checkpoints::of(&directory, &self.subject.name);
        for (rank, checkpoint) in ranks.iter().enumerate() {
            put(checkpoint, &checkpoints.file(generation, rank));
        }
        // It takes no checkpoints of its own: they would prove nothing.
        let Some(outcome) = again.set("CCCP_EVERY", "0").within(limit) else {
            return Err(Evidence::Hung);
        };
        if outcome.code() == Some(75) {
            return Err(Evidence::Stopped);
        }
        if !outcome.status.success() {
            return Err(Evidence::Crashed);
        }
        outcome.assert_resumed();
        Ok(self.results(outcome.output, "again"))
    }

    fn run(&self, directory: &str) -> Run {
        let arguments = self.subject.arguments.iter().map(String::as_str);
        let directory = self.place.directory(directory);
        let run = self.program.run(&directory).ranks(self.ranks);
        run.arguments(&arguments.collect::<Vec<&str>>())
    }

    /// What it printed, and the files it wrote.
    fn results(&self, output: String, directory: &str) -> String {
        let read = |name: &String| {
            let text = std::fs::read_to_string(self.place.join(directory).join(name));
            text.unwrap_or_else(|_| format!("{name} is missing\n"))
        };
        output + &self.subject.files.iter().map(read).collect::<String>()
    }
}
