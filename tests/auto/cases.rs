//! The programs of the tests of auto mode, and how they are run.

use std::path::{Path, PathBuf};

use super::harness::root;

/// A program without directives.
pub struct Case {
    /// Its name.
    pub name: &'static str,
    /// Its files, from the top of the house; directives in them do not count.
    pub files: &'static [&'static str],
    /// Headers beside them.
    pub headers: &'static [&'static str],
    /// An MPI program.
    pub mpi: bool,
    /// On how many ranks it runs.
    pub ranks: &'static [usize],
    /// For a short run.
    pub arguments: &'static [&'static str],
    /// For the compiler.
    pub flags: &'static [&'static str],
    /// A checkpoint at every so many passes.
    pub every: u64,
    /// Runs that are killed at these checkpoints, one after the other, before one is left alone.
    pub kills: &'static [&'static [u64]],
    /// Files it writes besides standard output.
    pub written: &'static [&'static str],
}

const SERIAL: Case = Case {
    name: "",
    files: &[],
    headers: &[],
    mpi: false,
    ranks: &[1],
    arguments: &[],
    flags: &["-O2"],
    every: 1,
    kills: &[&[3], &[3, 3, 3], &[6]],
    written: &[],
};

const MPI: Case = Case {
    mpi: true,
    ..SERIAL
};

/// All of them.
pub const CASES: &[Case] = &[
    Case {
        name: "heat-serial",
        files: &["samples/heat-serial/main.c"],
        arguments: &["500", "10000"],
        every: 1000,
        ..SERIAL
    },
    Case {
        name: "handed-over",
        files: &["tests/auto/handed_over.c"],
        flags: &["-O0", "-fopenmp"],
        kills: &[&[40], &[100], &[20, 70]],
        ..SERIAL
    },
    Case {
        name: "products",
        files: &["tests/auto/products.c"],
        arguments: &["12"],
        kills: &[&[3], &[15], &[30], &[5, 5, 5, 5, 5, 5]],
        ..SERIAL
    },
    Case {
        name: "households",
        files: &["tests/auto/households.c"],
        arguments: &["somebody"],
        ..SERIAL
    },
    Case {
        name: "asked",
        files: &["tests/auto/asked.c"],
        arguments: &["none", "3"],
        flags: &["-O2", "-fopenmp"],
        ..SERIAL
    },
    Case {
        name: "returned",
        files: &["tests/auto/returned.c"],
        ..SERIAL
    },
    Case {
        name: "makers",
        files: &["tests/auto/makers.c"],
        kills: &[&[3], &[40], &[200], &[3, 40, 40]],
        ..SERIAL
    },
    Case {
        name: "joined",
        files: &["tests/auto/joined.c"],
        flags: &["-O2", "-pthread"],
        kills: &[&[3], &[30, 10], &[59]],
        ..SERIAL
    },
    Case {
        name: "commands",
        files: &["tests/auto/commands.c"],
        kills: &[&[3], &[20, 10], &[39]],
        ..SERIAL
    },
    Case {
        name: "regions_and_commands",
        files: &["tests/auto/regions_and_commands.c"],
        flags: &["-O2", "-fopenmp"],
        kills: &[&[3], &[20, 10], &[39]],
        ..SERIAL
    },
    Case {
        name: "jobs",
        files: &["tests/auto/jobs.c"],
        kills: &[&[3], &[20, 10], &[59]],
        ..SERIAL
    },
    Case {
        name: "histories",
        files: &["tests/auto/histories.c"],
        kills: &[&[3], &[20, 10], &[49]],
        ..SERIAL
    },
    Case {
        name: "word",
        files: &["tests/auto/word.c"],
        ..SERIAL
    },
    Case {
        name: "countdown",
        files: &["tests/auto/countdown.c"],
        flags: &["-O2", "-pthread"],
        kills: &[&[3], &[7]],
        ..SERIAL
    },
    Case {
        name: "waiting",
        files: &["tests/auto/waiting.c"],
        flags: &["-O2", "-pthread"],
        kills: &[&[3], &[7]],
        ..SERIAL
    },
    Case {
        name: "tokens",
        files: &["tests/auto/tokens.c"],
        kills: &[&[3], &[11, 5], &[29]],
        ..SERIAL
    },
    Case {
        name: "messages",
        files: &["tests/auto/messages.c"],
        every: 10,
        ..SERIAL
    },
    Case {
        name: "undeclared",
        files: &["tests/auto/undeclared.c"],
        flags: &["-O2", "-std=gnu89", "-w"],
        ..SERIAL
    },
    Case {
        name: "wrappers",
        files: &["tests/auto/wrappers.c"],
        every: 5,
        ..SERIAL
    },
    Case {
        name: "teams",
        files: &["tests/auto/teams.c"],
        flags: &["-O2", "-fopenmp"],
        every: 3,
        ..SERIAL
    },
    Case {
        name: "never_made",
        files: &[
            "tests/auto/never_made/main.c",
            "tests/auto/never_made/accelerator.c",
        ],
        headers: &["tests/auto/never_made/accelerator.h"],
        every: 5,
        ..SERIAL
    },
    Case {
        name: "own_copies",
        files: &[
            "tests/auto/own_copies/main.c",
            "tests/auto/own_copies/generator.c",
        ],
        flags: &["-O2", "-fopenmp"],
        ..SERIAL
    },
    Case {
        name: "tables",
        files: &["tests/auto/tables.c"],
        every: 5,
        ..SERIAL
    },
    Case {
        name: "filled",
        files: &["tests/auto/filled.c"],
        kills: &[&[3], &[50], &[20, 30]],
        ..SERIAL
    },
    Case {
        name: "children",
        files: &["tests/auto/children.c"],
        kills: &[&[3], &[17], &[8, 12]],
        ..SERIAL
    },
    Case {
        name: "rings",
        files: &["tests/auto/rings.c"],
        kills: &[&[3], &[30], &[11, 12]],
        ..SERIAL
    },
    Case {
        name: "branches",
        files: &["tests/auto/branches.c"],
        every: 3,
        ..SERIAL
    },
    Case {
        name: "n-body",
        files: &["samples/n-body/main.c"],
        arguments: &["30", "100"],
        every: 10,
        ..SERIAL
    },
    Case {
        name: "recursion",
        files: &["samples/recursion/main.c"],
        arguments: &["10", "4"],
        every: 200,
        ..SERIAL
    },
    Case {
        name: "adaptive",
        files: &["samples/adaptive/main.c"],
        arguments: &["300", "60"],
        every: 5,
        ..SERIAL
    },
    Case {
        name: "two-files",
        files: &[
            "tests/auto/two-files/main.c",
            "tests/auto/two-files/state.c",
        ],
        headers: &["tests/auto/two-files/state.h"],
        every: 20,
        ..SERIAL
    },
    Case {
        name: "opaque",
        files: &["tests/auto/opaque/main.c", "tests/auto/opaque/series.c"],
        headers: &["tests/auto/opaque/series.h"],
        ..SERIAL
    },
    Case {
        name: "unsized",
        files: &["tests/auto/unsized/main.c", "tests/auto/unsized/table.c"],
        headers: &["tests/auto/unsized/table.h"],
        ..SERIAL
    },
    Case {
        name: "matrices",
        files: &["tests/auto/matrices.c"],
        flags: &["-O2", "-fopenmp"],
        arguments: &["60", "12"],
        ..SERIAL
    },
    Case {
        name: "spokes",
        files: &["tests/auto/spokes.c"],
        ranks: &[2],
        kills: &[&[2], &[7], &[14, 5]],
        ..MPI
    },
    Case {
        name: "operators",
        files: &["tests/auto/operators.c"],
        kills: &[&[5], &[30], &[45, 10]],
        ..SERIAL
    },
    Case {
        name: "namesakes",
        files: &[
            "tests/auto/namesakes/main.c",
            "tests/auto/namesakes/flow.c",
            "tests/auto/namesakes/heat.c",
        ],
        headers: &["tests/auto/namesakes/flow.h"],
        ..SERIAL
    },
    Case {
        name: "unreached",
        files: &["tests/auto/unreached.c"],
        arguments: &["quietly"],
        ..SERIAL
    },
    Case {
        name: "unstarted",
        files: &["tests/auto/unstarted.c"],
        flags: &["-O2", "-fopenmp"],
        ..SERIAL
    },
    Case {
        name: "swapped",
        files: &["tests/auto/swapped.c"],
        ..SERIAL
    },
    Case {
        name: "words",
        files: &["tests/auto/words.c"],
        every: 40,
        ..SERIAL
    },
    Case {
        name: "files",
        files: &["tests/auto/files.c"],
        every: 20,
        written: &["journal.txt", "numbers.txt"],
        ..SERIAL
    },
    Case {
        name: "heat-mpi",
        files: &["samples/heat-mpi/main.c"],
        ranks: &[2, 4],
        arguments: &["40", "1000"],
        every: 100,
        ..MPI
    },
    Case {
        name: "conjugate-gradient-mpi",
        files: &["samples/conjugate-gradient-mpi/main.c"],
        ranks: &[3],
        arguments: &["40", "12"],
        ..MPI
    },
    Case {
        name: "tracers",
        files: &["tests/auto/tracers.c"],
        flags: &["-O2", "-fopenmp"],
        ..SERIAL
    },
    Case {
        name: "stations",
        files: &["tests/auto/stations.c"],
        flags: &["-O2", "-fopenmp"],
        written: &["stations.log"],
        ..SERIAL
    },
    // Ranks pass the checkpoint differently often.
    Case {
        name: "shares",
        files: &["tests/auto/shares.c"],
        ranks: &[],
        ..MPI
    },
    Case {
        name: "generic_math",
        files: &["tests/auto/generic_math.c"],
        flags: &["-O2", "-lm"],
        ..SERIAL
    },
    // Words of the command line that change, and variables that libraries set.
    Case {
        name: "options",
        files: &["tests/auto/options.c"],
        arguments: &["a:b", "other", "-v", "-n", "20"],
        ..SERIAL
    },
    // A communicator of numbers that one rank has read into a buffer of a function that is over.
    Case {
        name: "read_by_one_rank",
        files: &["tests/auto/read_by_one_rank.c"],
        ranks: &[2],
        ..MPI
    },
    Case {
        name: "communicators-and-files",
        files: &["samples/communicators-and-files/main.c"],
        ranks: &[1, 3],
        arguments: &["100", "300"],
        every: 30,
        written: &["half-0.log", "half-1.log"],
        ..MPI
    },
];

/// The plain text of a program: without any directive.
fn stripped(text: &str) -> String {
    let is_directive = |line: &str| line.trim_start().starts_with("#pragma cccp");
    let lines = text.split_inclusive('\n');
    lines.filter(|line| !is_directive(line)).collect()
}

impl Case {
    /// The file with the lines that are inferred for it.
    pub fn annotated(&self) -> PathBuf {
        root().join(format!("tests/auto/annotated/{}.patch", self.name))
    }

    /// The case with this name.
    pub fn named(name: &str) -> &'static Case {
        let mut all = CASES.iter();
        all.find(|case| case.name == name).expect("a case")
    }

    /// Writes its files into a directory, without directives, and names them.
    pub fn write_to(&self, directory: &Path) -> Vec<PathBuf> {
        for header in self.headers {
            let name = Path::new(header).file_name().expect("a name");
            std::fs::copy(root().join(header), directory.join(name)).expect("a header");
        }
        let files = self.files.iter().map(|file| {
            let text = std::fs::read_to_string(root().join(file)).expect("a file of the case");
            let name = Path::new(file).file_name().expect("a name");
            let path = directory.join(name);
            std::fs::write(&path, stripped(&text)).expect("the plain file");
            path
        });
        files.collect()
    }

    /// What the preprocessor needs to know, besides the compiler.
    pub fn options(&self) -> Vec<String> {
        let openmp = self.flags.contains(&"-fopenmp");
        let words: &[&str] = if openmp {
            &["--cpp-flag", "-fopenmp"]
        } else {
            &[]
        };
        words.iter().map(|&word| word.to_owned()).collect()
    }
}
