//! Where a test works, and the tool run there.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A directory of a test; it goes with it.
pub struct Place(PathBuf);

impl Place {
    pub fn new(name: &str) -> Place {
        let path =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a directory");
        Place(path)
    }

    pub fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Runs the tool here.
    pub fn tool(&self, arguments: &[&str]) -> Ran {
        Ran::of(self.command(arguments).output().expect("the tool runs"))
    }

    /// Runs the tool here with so many megabytes of addresses.
    pub fn bounded(&self, arguments: &[&str], megabytes: u32) -> Ran {
        let limit = format!("ulimit -v {} && exec \"$0\" \"$@\"", megabytes * 1000);
        let mut shell = Command::new("sh");
        shell.args(["-c", &limit, env!("CARGO_BIN_EXE_cccp-ckpt")]);
        shell
            .args(arguments)
            .current_dir(&self.0)
            .stdin(Stdio::null());
        Ran::of(shell.output().expect("sh runs"))
    }

    /// The tool, to be run here.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cccp-ckpt"));
        command
            .args(arguments)
            .current_dir(&self.0)
            .stdin(Stdio::null())
            .env_remove("NO_COLOR");
        command
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // What a failed test leaves helps to understand it.
        if !std::thread::panicking() {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }
}

/// What a run of the tool gave.
#[derive(Debug)]
pub struct Ran {
    pub status: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Ran {
    fn of(output: Output) -> Ran {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
        Ran {
            status: output.status.code(),
            out: text(&output.stdout),
            err: text(&output.stderr),
        }
    }

    /// Ends with this status, and without a word on the standard error if it is 0.
    pub fn with(self, status: i32) -> Ran {
        assert_eq!(self.status, Some(status), "{self:?}");
        assert!(status != 0 || self.err.is_empty(), "{self:?}");
        self
    }

    /// Says these words on the standard error.
    pub fn saying(self, words: &[&str]) -> Ran {
        for word in words {
            assert!(self.err.contains(word), "no {word:?} in {}", self.err);
        }
        self
    }

    /// The one JSON object of the standard output.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.out))
    }
}

/// Compares with a file in `golden/`; CCCP_BLESS=1 writes it.
pub fn golden(name: &str, found: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(name);
    if std::env::var_os("CCCP_BLESS").is_some_and(|value| value == "1") {
        std::fs::create_dir_all(path.parent().expect("a directory")).expect("golden/");
        std::fs::write(&path, found).expect("a golden file");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == expected,
        "{} differs (CCCP_BLESS=1 accepts):\n{found}",
        path.display()
    );
}
