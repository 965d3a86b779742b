//! Machines that are not this one: how programs are built for them and run on them.
//!
//! Programs are built with Debian's cross compilers and run under qemu; the libraries are built on first use, beside
//! those of this machine, for the same profile. A machine whose tools are missing is left out with a word; one that is
//! named in CCCP_REQUIRE_FOREIGN ("s390x i686") has to be there.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::harness::{Program, finish, have, precompiler, root, tools_directory};

/// A kind of machine.
#[derive(Debug)]
pub struct Machine {
    /// What we call it.
    pub name: &'static str,
    /// What Rust calls it; empty for the machine that the tests run on.
    target: &'static str,
    /// The C compiler.
    pub compiler: &'static str,
    /// How a program is started.
    runner: &'static [&'static str],
    /// What the compiler has to be told so that the same C program computes the same on all machines.
    flags: &'static [&'static str],
}

/// All machines; the first one is this one.
pub const MACHINES: [Machine; 4] = [
    Machine {
        name: "x86-64",
        target: "",
        compiler: "gcc",
        runner: &[],
        flags: &[],
    },
    Machine {
        name: "s390x",
        target: "s390x-unknown-linux-gnu",
        compiler: "s390x-linux-gnu-gcc",
        runner: &["qemu-s390x-static", "-L", "/usr/s390x-linux-gnu"],
        flags: &[],
    },
    Machine {
        name: "i686",
        target: "i686-unknown-linux-gnu",
        compiler: "i686-linux-gnu-gcc",
        runner: &["qemu-i386-static", "-L", "/usr/i686-linux-gnu"],
        flags: &["-msse2", "-mfpmath=sse"],
    },
    Machine {
        name: "armv7",
        target: "armv7-unknown-linux-gnueabihf",
        compiler: "arm-linux-gnueabihf-gcc",
        runner: &["qemu-arm-static", "-L", "/usr/arm-linux-gnueabihf"],
        flags: &[],
    },
];

/// The machines that can be tried here, this one first; all alone when there is no other.
pub fn machines() -> &'static [&'static Machine] {
    static FOUND: OnceLock<Vec<&Machine>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let required = std::env::var("CCCP_REQUIRE_FOREIGN").unwrap_or_default();
        let is_required = |name: &str| required.split_whitespace().any(|one| one == name);
        let unknown = |name: &&str| MACHINES.iter().all(|machine| machine.name != *name);
        if let Some(name) = required.split_whitespace().find(unknown) {
            panic!("CCCP_REQUIRE_FOREIGN: there is no machine `{name}`");
        }
        let mut found = Vec::new();
        for machine in &MACHINES {
            match machine.missing() {
                None => found.push(machine),
                Some(what) => {
                    assert!(!is_required(machine.name), "{} needs {what}", machine.name);
                    eprintln!("no {what} here: {} is left out", machine.name);
                }
            }
        }
        found
    })
}

/// The machine with this name, when it can be tried here.
pub fn machine(name: &str) -> Option<&'static Machine> {
    machines().iter().copied().find(|one| one.name == name)
}

/// Every ordered pair of two machines.
pub fn pairs() -> Vec<(&'static Machine, &'static Machine)> {
    let all = machines();
    all.iter()
        .flat_map(|&from| all.iter().map(move |&to| (from, to)))
        .filter(|(from, to)| from.name != to.name)
        .collect()
}

impl Machine {
    /// A tool without which it cannot be tried.
    fn missing(&self) -> Option<String> {
        if self.target.is_empty() {
            return (!cfg!(target_arch = "x86_64")).then(|| "x86-64 processor".to_owned());
        }
        for tool in [Some(&self.compiler), self.runner().first()]
            .into_iter()
            .flatten()
        {
            if !have(tool) {
                return Some((*tool).to_owned());
            }
        }
        let mut rustc = Command::new("rustc");
        rustc.args(["--print", "target-libdir", "--target", self.target]);
        let output = rustc.current_dir(root()).output().ok()?;
        let directory = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
        (!directory.is_dir()).then(|| format!("Rust target {}", self.target))
    }

    /// Builds the library for it, once.
    fn library(&self) {
        static BUILT: Mutex<Vec<&str>> = Mutex::new(Vec::new());
        let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
        if self.target.is_empty() || built.contains(&self.target) {
            return;
        }
        let targets = tools_directory().parent().expect("a target directory");
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["rustc", "--quiet", "-p", "cccp-runtime", "--lib"]);
        // The archive alone: it needs no linker.
        cargo.args([
            "--crate-type",
            "staticlib",
            "--target",
            self.target,
            "--target-dir",
        ]);
        cargo.arg(targets).current_dir(root());
        if !cfg!(debug_assertions) {
            cargo.arg("--release");
        }
        finish(&mut cargo);
        built.push(
            MACHINES
                .iter()
                .find(|one| one.name == self.name)
                .map_or("", |one| one.target),
        );
    }

    /// The flags of the C compiler.
    pub fn flags(&self) -> Vec<&'static str> {
        // Without contracted operations and with the arithmetic of IEEE 754 everywhere.
        let common = ["-O2", "-Wall", "-Wextra", "-ffp-contract=off"];
        common
            .into_iter()
            .chain(self.flags.iter().copied())
            .collect()
    }

    /// The precompiled text of a C file, as made for this machine.
    pub fn precompile(&self, source: &Path, result: &Path) {
        let mut tool = Command::new(precompiler());
        tool.args(["--cc", self.compiler, "-o"])
            .arg(result)
            .arg(source);
        for flag in self.flags {
            tool.args(["--cpp-flag", flag]);
        }
        finish(&mut tool);
    }

    /// Builds `directory/<machine>/name`.
    pub fn build(&self, source: &str, directory: &Path, name: &str) -> Program {
        self.library();
        let place = directory.join(self.name);
        std::fs::create_dir_all(&place).expect("a directory for the program");
        let text = place.join(format!("{name}.c"));
        self.precompile(&root().join(source), &text);
        let path = place.join(name);
        let mut cc = Command::new(self.compiler);
        cc.args(self.flags()).args(ask(&["--cflags"]));
        cc.arg(&text).arg("-o").arg(&path);
        let target = ["--libs", "--target", self.target];
        cc.args(ask(if self.target.is_empty() {
            &target[..1]
        } else {
            &target
        }));
        cc.arg("-lm");
        let output = finish(&mut cc);
        let warnings = String::from_utf8_lossy(&output.stderr);
        assert!(warnings.is_empty(), "warnings of {cc:?}:\n{warnings}");
        let text = std::fs::read_to_string(root().join(source)).unwrap_or_default();
        Program {
            path,
            mpi: false,
            each: !text.contains("every("),
        }
    }

    /// How a program is started: an emulator, or nothing where this machine runs such programs itself. The emulator of i686 hangs
    /// with some kernels as soon as a program makes a thread.
    pub fn runner(&self) -> &'static [&'static str] {
        static IS_32_BIT: OnceLock<bool> = OnceLock::new();
        let runs = || {
            let mut loader = Command::new("/lib/ld-linux.so.2");
            let output = loader.arg("--version").output();
            cfg!(target_arch = "x86_64") && output.is_ok_and(|output| output.status.success())
        };
        match self.name == "i686" && *IS_32_BIT.get_or_init(runs) {
            true => &[],
            false => self.runner,
        }
    }
}

/// What the compiler and the linker need, in the tool's own words.
fn ask(words: &[&str]) -> Vec<String> {
    let output = finish(Command::new(precompiler()).args(words));
    String::from_utf8_lossy(&output.stdout)
        .split_whitespace()
        .map(str::to_owned)
        .collect()
}
