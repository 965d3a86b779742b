//! SIGKILL at every named point, on 1, 2 and 4 ranks, one rank at a time: the rerun ends like an undisturbed run
//! (S8), whatever the death left on disk (S24).

mod harness;

use harness::{Outcome, Program, Run, Sample, Workplace, everything, mpi_or_word};

/// The points passed at a checkpoint, in their order, with a passage to die at.
const WHILE_RUNNING: [&str; 5] = [
    "checkpoint:5",
    "writing:5",
    "written:5",
    "publishing:5",
    "published:5",
];
/// The points passed by a run that restarts.
const WHILE_RESTARTING: [&str; 2] = ["restore:1", "resumed:1"];

struct Trial {
    sample: Sample,
    place: Workplace,
    program: Program,
    expected: String,
    ranks: usize,
}

impl Trial {
    fn new(name: &str, ranks: usize) -> Trial {
        let sample = Sample::named(name);
        let place = Workplace::on_disk(&format!("kill-{name}-{ranks}"));
        let program = sample.build().to(place.path(), name);
        let trial = Trial {
            sample,
            place,
            program,
            expected: String::new(),
            ranks,
        };
        let expected = trial.run("undisturbed").well();
        Trial {
            expected: trial.result(&expected, "undisturbed"),
            ..trial
        }
    }

    fn run(&self, directory: &str) -> Run {
        let directory = self.place.directory(directory);
        self.program
            .run(&directory)
            .ranks(self.ranks)
            .arguments(self.sample.arguments)
    }

    fn result(&self, outcome: &Outcome, directory: &str) -> String {
        outcome.output.clone() + &self.sample.written(&self.place.join(directory))
    }

    /// Dies at each of these points in turn, then is left alone.
    fn dies_at(&self, points: &[String], settings: &[(&str, &str)]) {
        let words: Vec<&str> = settings.iter().map(|&(_, value)| value).collect();
        let directory = format!(
            "{}-{}",
            points.join("-").replace([':', '@'], "_"),
            words.join("-")
        );
        let run = || {
            settings
                .iter()
                .fold(self.run(&directory), |run, (name, value)| {
                    run.set(name, value)
                })
        };
        for point in points {
            run().kill_at(point);
        }
        let outcome = run().well();
        outcome.assert_resumed();
        assert_eq!(
            self.result(&outcome, &directory),
            self.expected,
            "after {points:?}:\n{}",
            outcome.errors
        );
    }

    /// All points with one rank dying.
    fn dies_everywhere(&self, rank: usize, settings: &[(&str, &str)]) {
        for point in WHILE_RUNNING {
            self.dies_at(&[format!("{point}@{rank}")], settings);
        }
        for point in WHILE_RESTARTING {
            let other = self.ranks - 1 - rank;
            self.dies_at(
                &[format!("checkpoint:5@{other}"), format!("{point}@{rank}")],
                settings,
            );
        }
        self.dies_at(&[format!("shutdown:1@{rank}")], settings);
    }
}

fn on_ranks(ranks: usize) {
    if !mpi_or_word() {
        return;
    }
    let trial = Trial::new("heat-mpi", ranks);
    trial.dies_everywhere(ranks - 1, &[]);
    if everything() && ranks > 1 {
        trial.dies_everywhere(0, &[]);
    }
}

#[test]
fn s08_s24_a_death_at_any_named_point_is_harmless_without_mpi() {
    Trial::new("heat-serial", 1).dies_everywhere(0, &[]);
}

#[test]
fn s08_s24_a_death_at_any_named_point_is_harmless_when_writing_is_synchronous() {
    Trial::new("heat-serial", 1).dies_everywhere(0, &[("CCCP_WRITE", "synchronous")]);
}

#[test]
fn s08_s23_a_death_at_any_named_point_is_harmless_with_native_compressed_files() {
    Trial::new("n-body", 1)
        .dies_everywhere(0, &[("CCCP_ENCODING", "native"), ("CCCP_COMPRESS", "1")]);
}

#[test]
fn s08_s17_a_death_at_any_named_point_is_harmless_on_1_rank() {
    on_ranks(1);
}

#[test]
fn s08_s17_a_death_of_one_of_2_ranks_at_any_named_point_is_harmless() {
    on_ranks(2);
}

#[test]
fn s08_s17_a_death_of_one_of_4_ranks_at_any_named_point_is_harmless() {
    on_ranks(4);
}

#[test]
fn s08_deaths_at_different_points_one_after_the_other_are_harmless() {
    let trial = Trial::new("heat-serial", 1);
    let points = [
        "writing:3",
        "restore:1",
        "publishing:2",
        "resumed:1",
        "written:2",
        "shutdown:1",
    ];
    trial.dies_at(&points.map(str::to_owned), &[]);
}

#[test]
fn s08_random_deaths_of_a_rank_are_harmless() {
    // By the clock instead of a named point; a run that is over before its death is as good.
    let trial = Trial::new("heat-serial", 1);
    for milliseconds in [3, 7, 15, 31] {
        let directory = format!("clock-{milliseconds}");
        let kill = format!("0.{milliseconds:03}");
        let outcome = trial
            .run(&directory)
            .under(&["timeout", "-s", "KILL", &kill])
            .go();
        if outcome.status.success() {
            continue;
        }
        let outcome = trial.run(&directory).well();
        assert_eq!(
            trial.result(&outcome, &directory),
            trial.expected,
            "{}",
            outcome.errors
        );
    }
}
