//! Four ranks, three generations, and files that are missing, damaged or in the wrong place: real files, real MPI.
//!
//! All patterns are tried in the library's own tests, without MPI; here is one of each sort. The job takes the newest
//! generation that is good on all ranks, names what it passes over, and ends like an undisturbed one; or all ranks stop
//! with the same exit status and one of them says why.

mod harness;

use harness::{Checkpoints, Program, Run, Sample, Workplace, mpi_or_word};

const RANKS: usize = 4;
/// The exit status of a restart that is impossible.
const STOPPED: i32 = 75;

/// A pattern: for each rank its files in the three generations, the oldest first, as `g`ood, `m`issing, `c`orrupt or
/// `o`lder, a file of another generation under this name.
struct Pattern {
    files: [&'static str; RANKS],
    ends: Ends,
}

enum Ends {
    /// A restart from the first, second or third of them, and words.
    Restart(usize, &'static [&'static str]),
    /// A stop with these words.
    Stop(&'static [&'static str]),
}

const PATTERNS: [Pattern; 7] = [
    Pattern {
        files: ["ggg", "ggm", "ggg", "ggg"],
        ends: Ends::Restart(1, &["rank 1 has no file of generation 700"]),
    },
    Pattern {
        files: ["ggc", "ggg", "ggg", "ggo"],
        ends: Ends::Restart(
            1,
            &[
                "generation 700 of rank 0 cannot be used",
                "rank 3",
                "the file holds generation 600",
            ],
        ),
    },
    Pattern {
        files: ["ggg", "gcg", "ggc", "gom"],
        ends: Ends::Restart(0, &["generation 700 of rank 2 cannot be used"]),
    },
    Pattern {
        files: ["mgg", "cgg", "ogg", "mgc"],
        ends: Ends::Restart(1, &["generation 700 of rank 3 cannot be used"]),
    },
    Pattern {
        files: ["ggg", "ggg", "ccc", "ggg"],
        ends: Ends::Stop(&[
            "generation 700 of rank 2 cannot be used",
            "--cccp-restart=fresh",
        ]),
    },
    Pattern {
        files: ["ggg", "ggg", "ggg", "mmm"],
        ends: Ends::Stop(&["rank 3 has no file of generation 700", "restore"]),
    },
    Pattern {
        files: ["gmm", "mgm", "mmg", "goc"],
        ends: Ends::Stop(&["generation 700 of rank 3 cannot be used"]),
    },
];

/// A job that was killed when generations 500, 600 and 700 were there.
struct Job {
    sample: Sample,
    place: Workplace,
    program: Program,
    expected: String,
}

impl Job {
    fn new() -> Job {
        let sample = Sample::named("heat-mpi");
        let place = Workplace::on_disk("patterns");
        let program = sample.build().to(place.path(), "heat");
        let undisturbed = program.run(&place.directory("undisturbed"));
        let undisturbed = undisturbed.ranks(RANKS).arguments(sample.arguments).well();
        let job = Job {
            sample,
            place,
            program,
            expected: undisturbed.output,
        };
        job.run()
            .set("CCCP_WRITE", "synchronous")
            .kill_at("checkpoint:8@1");
        job
    }

    fn run(&self) -> Run {
        let run = self.program.run(self.place.path()).ranks(RANKS);
        run.arguments(self.sample.arguments).set("CCCP_KEEP", "3")
    }
}

#[test]
fn s17_four_ranks_with_damaged_files_take_the_newest_common_generation_or_stop() {
    if !mpi_or_word() {
        return;
    }
    let job = Job::new();
    let checkpoints = Checkpoints::of(job.place.path(), "heat");
    // Ranks may have got further than the one that was killed, and not all of them have removed what is old.
    for generation in [400, 800] {
        let path = checkpoints.path().join(format!("{generation:010}"));
        let _ = std::fs::remove_dir_all(path);
    }
    assert_eq!(checkpoints.generations(), [500, 600, 700]);
    let kept = Checkpoints::at(job.place.join("kept-checkpoints"));
    checkpoints.copy_to(&kept);
    for Pattern { files, ends } in &PATTERNS {
        std::fs::remove_dir_all(checkpoints.path()).expect("the checkpoints can be removed");
        kept.copy_to(&checkpoints);
        for (rank, kinds) in files.iter().enumerate() {
            for (generation, kind) in (500..).step_by(100).zip(kinds.chars()) {
                match kind {
                    'm' => checkpoints.remove(generation, rank),
                    'c' => checkpoints.damage(generation, rank),
                    'o' => {
                        let other = if generation == 500 {
                            600
                        } else {
                            generation - 100
                        };
                        let [from, to] =
                            [kept.file(other, rank), checkpoints.file(generation, rank)];
                        std::fs::copy(from, to).expect("a copy");
                    }
                    _ => {}
                }
            }
        }
        match ends {
            Ends::Restart(place, words) => {
                let outcome = job.run().well();
                outcome.assert_said(&[&format!("from generation {}", 500 + 100 * place)]);
                outcome.assert_said(words);
                assert_eq!(outcome.output, job.expected, "{files:?}");
            }
            Ends::Stop(words) => job.run().go().assert_stopped(STOPPED, words),
        }
    }
}
