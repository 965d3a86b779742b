//! A directory for the files of one step, removed at its end; and the compiler's commands, shown where that is wanted.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use super::called::below;

/// The directory.
pub struct Scratch {
    path: PathBuf,
}

impl Scratch {
    /// A new one, empty.
    pub fn new() -> Result<Scratch, String> {
        let process = std::process::id();
        for number in 0.. {
            let path = std::env::temp_dir().join(format!("cccp-cc-{process}-{number}"));
            match std::fs::create_dir(&path) {
                Ok(()) => return Ok(Scratch { path }),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(format!("{}: {error}", path.display())),
            }
        }
        Err("no room for temporary files".to_string())
    }

    /// A file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// A new directory in it.
    pub fn directory(&self, name: &str) -> Result<PathBuf, String> {
        let path = self.path.join(name);
        std::fs::create_dir_all(&path).map_err(|error| in_file(&path, &error))?;
        Ok(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What stays in a temporary directory does no harm.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// A fault with the file's name.
pub fn in_file(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

/// Writes a file whole or not at all, also while others do the same.
pub fn put(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let part = path.with_file_name(format!(".{name}.{}", std::process::id()));
    std::fs::write(&part, bytes)
        .and_then(|()| std::fs::rename(&part, path))
        .map_err(|error| {
            let _ = std::fs::remove_file(&part);
            in_file(path, &error)
        })
}

/// A command of these words.
pub fn command(words: &[String]) -> Command {
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).envs(below(&words[0]));
    command
}

/// Shows a command.
pub fn show(is_verbose: bool, words: &[String]) {
    if is_verbose {
        let _ = writeln!(std::io::stderr(), "cccp-cc: {}", words.join(" "));
    }
}

/// The status that a shell would give.
pub fn status(status: ExitStatus) -> u8 {
    use std::os::unix::process::ExitStatusExt;
    let code = status.code().or(status.signal().map(|signal| 128 + signal));
    code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}

/// Becomes the compiler.
pub fn become_compiler(compiler: &[String], words: &[String]) -> String {
    use std::os::unix::process::CommandExt;
    let error = command(&[compiler, words].concat()).exec();
    format!("cannot start `{}`: {error}", compiler[0])
}
