//! A copy of the project [heat] in a place of its own, and commands in it.

use std::path::PathBuf;
use std::process::{Command, Output};

use crate::harness::{self, Workplace, finish, root, tools_directory};

/// A copy of the project to build.
pub struct Project {
    /// Where it is.
    pub place: Workplace,
}

impl Project {
    pub fn new(name: &str) -> Project {
        let place = Workplace::new(name);
        let from = root().join("tests/build_systems/heat/.");
        finish(Command::new("cp").arg("-r").arg(from).arg(place.path()));
        Project { place }
    }

    /// A command in it, with cccp-cc to be found.
    pub fn command(&self, words: &[&str]) -> Command {
        let tools = tools_directory().display().to_string();
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new(words[0]);
        command
            .args(&words[1..])
            .current_dir(self.place.path())
            .env("PATH", format!("{tools}:{path}"))
            .env("XDG_CACHE_HOME", self.place.join("cache"))
            .env("LC_ALL", "C")
            .env_remove("MAKEFLAGS");
        harness::without_settings(&mut command);
        command
    }

    /// The same, which has to end well; gives what it printed, standard error last.
    pub fn run(&self, words: &[&str]) -> String {
        let output = finish(&mut self.command(words));
        printed(&output)
    }

    /// The same, which may end otherwise.
    pub fn attempt(&self, words: &[&str]) -> Output {
        self.command(words).output().expect("a command")
    }

    /// A program is killed at a checkpoint, and ends as it does undisturbed. `undisturbed` is what the plain one prints.
    pub fn survives(&self, program: &str, arguments: &[&str], undisturbed: &str) {
        let words: Vec<&str> = [&[program][..], arguments].concat();
        self.is_killed(&words);
        let resumed = self.attempt(&words);
        let errors = String::from_utf8_lossy(&resumed.stderr);
        assert!(errors.contains("restart of"), "{program}: {errors}");
        assert_eq!(String::from_utf8_lossy(&resumed.stdout), undisturbed);
    }

    /// A program is killed at a checkpoint.
    pub fn is_killed(&self, words: &[&str]) {
        let mut killed = self.command(words);
        killed
            .env("CCCP_KILL_AT", "checkpoint:7")
            .env("CCCP_EVERY", "1");
        let killed = killed.output().expect("a run");
        assert!(killed.status.code().is_none(), "{words:?} was not killed");
    }

    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        self.place.write(name, text)
    }

    pub fn edit(&self, name: &str, from: &str, to: &str) {
        let text = std::fs::read_to_string(self.place.join(name)).expect("a file");
        assert!(text.contains(from), "{name} has no {from}");
        self.write(name, &text.replace(from, to));
    }
}

/// Both outputs, standard error last.
pub fn printed(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}
