//! The samples, with arguments that make them small, and how many checkpoints they then take.

use std::path::Path;

use super::build::Build;

/// A sample.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Its directory in `samples`.
    pub name: &'static str,
    /// Whether it is an MPI program.
    pub mpi: bool,
    /// Arguments for a short run.
    pub arguments: &'static [&'static str],
    /// The checkpoints of such a run.
    pub checkpoints: u64,
    /// Files it writes besides standard output.
    pub files: &'static [&'static str],
    /// Whether it goes through the precompiler.
    pub precompiled: bool,
}

const SERIAL: Sample = Sample {
    name: "",
    mpi: false,
    arguments: &[],
    checkpoints: 0,
    files: &[],
    precompiled: true,
};
const MPI: Sample = Sample {
    mpi: true,
    ..SERIAL
};

/// All of them.
pub const SAMPLES: [Sample; 8] = [
    Sample {
        name: "heat-serial",
        arguments: &["500", "10000"],
        checkpoints: 10,
        ..SERIAL
    },
    Sample {
        name: "n-body",
        arguments: &["30", "100"],
        checkpoints: 9,
        ..SERIAL
    },
    Sample {
        name: "adaptive",
        arguments: &["300", "200"],
        checkpoints: 10,
        ..SERIAL
    },
    Sample {
        name: "recursion",
        arguments: &["12", "4"],
        checkpoints: 8,
        ..SERIAL
    },
    Sample {
        name: "by-hand",
        arguments: &["500", "5000"],
        checkpoints: 10,
        precompiled: false,
        ..SERIAL
    },
    Sample {
        name: "heat-mpi",
        arguments: &["40", "1000"],
        checkpoints: 10,
        ..MPI
    },
    Sample {
        name: "conjugate-gradient-mpi",
        arguments: &["40", "12"],
        checkpoints: 9,
        ..MPI
    },
    Sample {
        name: "communicators-and-files",
        arguments: &["100", "300"],
        checkpoints: 10,
        files: &["half-0.log", "half-1.log"],
        ..MPI
    },
];

impl Sample {
    /// The sample with this name.
    pub fn named(name: &str) -> Sample {
        *SAMPLES
            .iter()
            .find(|sample| sample.name == name)
            .expect("a sample with this name")
    }

    /// How to build it.
    pub fn build(&self) -> Build {
        let build =
            Build::files(&[Path::new("samples").join(self.name).join("main.c")]).mpi(self.mpi);
        if self.precompiled {
            build
        } else {
            build.by_hand()
        }
    }

    /// What it wrote in `directory` besides standard output, one text for all files.
    pub fn written(&self, directory: &Path) -> String {
        let read = |name: &&str| match std::fs::read_to_string(directory.join(name)) {
            Ok(text) => format!("== {name}\n{text}"),
            Err(_) => format!("== {name} is missing\n"),
        };
        self.files.iter().map(read).collect()
    }
}
