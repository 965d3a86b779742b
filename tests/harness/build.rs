//! From C to a program: `cccp-pp FILE.c > out.c`, then the C compiler, exactly as the README says.
//!
//! The compilers run with -Wall -Wextra, and a warning fails the test: precompiled code has to be as clean as
//! what went in.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::run::Run;
use super::tools::{Compiler, precompiler, root, shared_library};

/// How to build a program.
#[derive(Clone)]
pub struct Build {
    sources: Vec<PathBuf>,
    compiler: Compiler,
    flags: Vec<String>,
    tool_flags: Vec<String>,
    mpi: bool,
    precompiled: bool,
    linked: bool,
    is_static: bool,
    clean: bool,
    poisoned: bool,
}

/// A program that was built.
#[derive(Clone, Debug)]
pub struct Program {
    /// The executable file.
    pub path: PathBuf,
    /// Whether it is started by mpirun.
    pub mpi: bool,
    /// Its checkpoints say nothing about calls: a run takes each of them, unless the test says otherwise.
    pub each: bool,
}

impl Build {
    /// From C files, with gcc -O2, through the precompiler, linked with the shared library of this build: that takes a hundredth of
    /// the linker's time.
    pub fn files<P: AsRef<Path>>(sources: &[P]) -> Build {
        Build {
            sources: sources.iter().map(|path| root().join(path)).collect(),
            compiler: Compiler::Gcc,
            flags: vec!["-O2".to_owned()],
            tool_flags: Vec::new(),
            mpi: false,
            precompiled: true,
            linked: true,
            is_static: false,
            clean: true,
            poisoned: true,
        }
    }

    /// With another compiler and other flags.
    pub fn with(mut self, compiler: Compiler, flags: &[&str]) -> Build {
        self.compiler = compiler;
        self.flags = flags.iter().map(|&flag| flag.to_owned()).collect();
        self
    }

    /// Linked as `cccp-pp --libs` says, with the static library.
    pub fn statically(mut self) -> Build {
        self.is_static = true;
        self
    }

    /// With more flags for the precompiler.
    pub fn tool_flags(mut self, flags: &[&str]) -> Build {
        self.tool_flags
            .extend(flags.iter().map(|&flag| flag.to_owned()));
        self
    }

    /// As an MPI program: mpicc and libcccp_mpi.
    pub fn mpi(mut self, mpi: bool) -> Build {
        self.mpi = mpi;
        self
    }

    /// Without the precompiler, but with the library.
    pub fn by_hand(mut self) -> Build {
        self.precompiled = false;
        self
    }

    /// Warnings do not count.
    pub fn careless(mut self) -> Build {
        self.clean = false;
        self
    }

    /// What a restart does not restore keeps the value that it has by chance.
    pub fn unpoisoned(mut self) -> Build {
        self.poisoned = false;
        self
    }

    /// As the plain C program it is when directives are ignored.
    pub fn plain(mut self) -> Build {
        self.precompiled = false;
        self.linked = false;
        self
    }

    /// Builds `directory/name`.
    pub fn to(&self, directory: &Path, name: &str) -> Program {
        let parts = directory.join(format!("{name}.parts"));
        std::fs::create_dir_all(&parts).expect("a directory for the parts");
        let sources = if self.precompiled {
            self.precompile(&parts)
        } else {
            self.sources.clone()
        };
        let path = directory.join(name);
        let mut cc = self.cc();
        cc.args(["-Wall", "-Wextra"]).args(&self.flags);
        if self.linked {
            cc.args(self.ask("--cflags"));
        }
        if !self.precompiled {
            cc.arg("-Wno-unknown-pragmas");
        }
        cc.args(&sources).arg("-o").arg(&path);
        if self.linked {
            cc.args(match self.is_static {
                true => self.ask("--libs"),
                false => shared_library(self.mpi),
            });
        }
        cc.arg("-lm");
        let output = finish(&mut cc);
        assert!(
            !self.clean || output.stderr.is_empty(),
            "warnings of {cc:?}:\n{}",
            text(&output.stderr)
        );
        Program {
            path,
            mpi: self.mpi,
            each: !self.counts_calls(),
        }
    }

    /// Whether a checkpoint says at which calls it is taken.
    fn counts_calls(&self) -> bool {
        let clause = |path: &PathBuf| {
            std::fs::read_to_string(path).is_ok_and(|text| text.contains("every("))
        };
        // `--every` writes a clause where auto mode puts a checkpoint; every call is the same with a clause and without.
        let mut words = self.tool_flags.windows(2);
        words.any(|two| two[0] == "--every" && two[1] != "1") || self.sources.iter().any(clause)
    }

    fn precompile(&self, parts: &Path) -> Vec<PathBuf> {
        let names: Vec<PathBuf> = self
            .sources
            .iter()
            .map(|source| parts.join(source.file_name().unwrap()))
            .collect();
        let mut tool = self.tool();
        if self.poisoned {
            // In a restart, what is not restored holds values that show.
            tool.arg("--poison");
        }
        tool.args(&self.tool_flags).args(&self.sources);
        if self.sources.len() > 1 {
            tool.arg("-d").arg(parts);
        }
        let output = finish(&mut tool);
        let said = text(&output.stderr);
        // Auto mode says where its checkpoints are.
        let mut warnings = said.lines().filter(|line| !line.contains(": checkpoint "));
        assert!(
            !self.clean || warnings.next().is_none(),
            "warnings of {tool:?}:\n{said}"
        );
        if self.sources.len() == 1 {
            std::fs::write(&names[0], &output.stdout).expect("the precompiled file");
        }
        names
    }

    /// The compiler command.
    fn cc(&self) -> Command {
        let mut cc = Command::new(if self.mpi {
            "mpicc"
        } else {
            self.compiler.command()
        });
        cc.env("OMPI_CC", self.compiler.command());
        cc
    }

    /// The precompiler with the same preprocessor.
    fn tool(&self) -> Command {
        let mut tool = Command::new(precompiler());
        tool.env("OMPI_CC", self.compiler.command());
        tool.args([
            "--cc",
            if self.mpi {
                "mpicc"
            } else {
                self.compiler.command()
            },
        ]);
        tool
    }

    /// What the compiler and linker need, in the tool's own words.
    fn ask(&self, question: &str) -> Vec<String> {
        let mut tool = Command::new(precompiler());
        tool.arg(question);
        if self.mpi {
            tool.arg("--mpi");
        }
        text(&finish(&mut tool).stdout)
            .split_whitespace()
            .map(str::to_owned)
            .collect()
    }
}

impl Program {
    /// A run of it in `directory`, to be adjusted.
    pub fn run(&self, directory: &Path) -> Run {
        Run::new(self, directory)
    }
}

/// Runs a tool that has to succeed.
pub fn finish(command: &mut Command) -> Output {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}{}",
        output.status,
        text(&output.stdout),
        text(&output.stderr)
    );
    output
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
