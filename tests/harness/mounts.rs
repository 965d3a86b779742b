//! Mounts of one test: in a namespace of their own, gone with it.
//!
//! A shell holds the namespace as long as its standard input is open; when the test ends, however it ends, so does the
//! shell, and with it every mount and loop device. Programs are started in it with [`Mounts::inside`], files are looked
//! at through [`Mounts::path`]. This takes root and a kernel that lets us; without them the test says that it is
//! skipped, unless CCCP_REQUIRE_MOUNTS is set, as `tests/run` does where it can.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::run::Run;

/// A namespace.
pub struct Mounts {
    shell: Child,
}

impl Mounts {
    /// A namespace with what this script mounts; `$1` is `place`. None, with a word, where mounting is not possible.
    pub fn new(place: &Path, script: &str) -> Option<Mounts> {
        let hold = format!("{script}\necho ready\nread end || true");
        let shell = Command::new("unshare")
            .args([
                "--mount",
                "--propagation",
                "private",
                "sh",
                "-ec",
                &hold,
                "sh",
            ])
            .arg(place)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let reason = match shell {
            Err(error) => format!("unshare: {error}"),
            Ok(mut shell) => {
                let mut said = [0; 5];
                let output = shell.stdout.as_mut().expect("what the shell says");
                if output.read_exact(&mut said).is_ok() {
                    return Some(Mounts { shell });
                }
                let mut reason = String::new();
                let errors = shell.stderr.as_mut().expect("what the shell says");
                let _ = errors.read_to_string(&mut reason);
                let _ = shell.wait();
                reason
            }
        };
        let required = std::env::var_os("CCCP_REQUIRE_MOUNTS").is_some();
        assert!(!required, "mounting is required, but: {reason}");
        eprintln!("1 test skipped: mounting takes root and a kernel that lets us: {reason}");
        None
    }

    /// Where a path of the namespace is for everybody else.
    pub fn path(&self, path: &Path) -> PathBuf {
        let root = PathBuf::from(format!("/proc/{}/root", self.shell.id()));
        root.join(path.strip_prefix("/").expect("an absolute path"))
    }

    /// The run, inside and in this directory.
    pub fn inside(&self, run: Run, directory: &Path) -> Run {
        let process = self.shell.id().to_string();
        let directory = directory.to_str().expect("a path in UTF-8");
        run.under(&[
            "nsenter",
            "--mount",
            "--target",
            &process,
            "sh",
            "-c",
            "cd \"$0\" && exec \"$@\"",
            directory,
        ])
    }

    /// A script that has to succeed, inside; `$1` is `place`.
    pub fn script(&self, place: &Path, script: &str) {
        let process = self.shell.id().to_string();
        let done = Command::new("nsenter")
            .args(["--mount", "--target", &process, "sh", "-ec", script, "sh"])
            .arg(place)
            .output()
            .expect("nsenter can be run");
        assert!(
            done.status.success(),
            "{script}: {}",
            String::from_utf8_lossy(&done.stderr)
        );
    }
}

impl Drop for Mounts {
    fn drop(&mut self) {
        if let Some(mut input) = self.shell.stdin.take() {
            let _ = input.write_all(b"\n");
        }
        let _ = self.shell.wait();
    }
}
