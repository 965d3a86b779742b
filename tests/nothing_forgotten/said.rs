//! What the check of `cccp-pp` says, read from its messages.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The precompiler of this build. Nothing is linked here, so the libraries need not be built.
pub fn precompiler() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_cccp-pp"))
}

/// Live at a checkpoint, but neither registered nor re-executed.
pub const MISSING: &str = "CCCP302";
/// Other threads read their own again, and have not registered it.
pub const OTHER_THREADS: &str = "CCCP315";
/// A register that nothing needs.
pub const REMOVABLE: &str = "CCCP303";
/// A block on the way reads what no restart has restored by then.
pub const TOO_EARLY: &str = "CCCP304";

/// A message.
#[derive(Clone, Debug, Default)]
pub struct Message {
    /// Its code.
    pub code: String,
    /// What stands first between backquotes.
    pub name: String,
    /// All of it.
    pub text: String,
}

impl Message {
    /// Whether it shows a read: a place of its own with these words.
    pub fn shows_a_read(&self) -> bool {
        self.text.contains("read here")
    }
}

/// How a program is looked at.
pub struct Look {
    /// Of the preprocessor.
    pub options: Vec<String>,
    /// Whether it is an MPI program.
    pub mpi: bool,
    /// Where results go.
    pub out: PathBuf,
}

impl Look {
    /// What `cccp-pp` says of these files. Errors other than those of the check fail the test.
    pub fn at(&self, files: &[PathBuf]) -> Vec<Message> {
        let mut tool = Command::new(precompiler());
        tool.args(["--cc", if self.mpi { "mpicc" } else { "gcc" }])
            .args(&self.options)
            .arg("-d")
            .arg(&self.out)
            .args(files);
        let output = tool.output().expect("cccp-pp runs");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{tool:?}:\n{errors}");
        messages(&errors)
    }
}

/// The file in `directory`, with this text.
pub fn put(directory: &Path, name: &str, text: &str) -> PathBuf {
    std::fs::create_dir_all(directory).expect("a directory for a variant");
    let path = directory.join(name);
    std::fs::write(&path, text).expect("a variant");
    path
}

fn messages(errors: &str) -> Vec<Message> {
    let mut messages: Vec<Message> = Vec::new();
    for line in errors.lines() {
        let head = ["warning[", "error[", "note["]
            .iter()
            .find_map(|word| line.strip_prefix(word));
        if let Some((code, words)) = head.and_then(|rest| rest.split_once(']')) {
            messages.push(Message {
                code: code.to_owned(),
                name: words.split('`').nth(1).unwrap_or_default().to_owned(),
                text: String::new(),
            });
        }
        if let Some(last) = messages.last_mut() {
            last.text.push_str(line);
            last.text.push('\n');
        }
    }
    messages
}

#[test]
fn codes_and_names_are_found_in_messages() {
    let found = messages(
        "warning[CCCP302]: `u[…]` is live at this checkpoint but neither registered nor re-executed\n  --> a.c:3:1\n   |\n9 | x = u[1];\n  |     ---- read here\nwarning[CCCP303]: nothing needs `n`\n",
    );
    assert_eq!(found.len(), 2);
    assert_eq!(
        (found[0].code.as_str(), found[0].name.as_str()),
        (MISSING, "u[…]")
    );
    assert!(found[0].shows_a_read() && !found[1].shows_a_read());
    assert_eq!(
        (found[1].code.as_str(), found[1].name.as_str()),
        (REMOVABLE, "n")
    );
}
