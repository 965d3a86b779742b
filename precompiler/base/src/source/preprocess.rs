//! Runs the C compiler's preprocessor on the tagged text.
//!
//! The text is fed through standard input, so no file is left behind and the directory of the user's file may be
//! read-only. The compiler runs in that directory, with the paths among its options made absolute, so that
//! `#include "x.h"` finds what it finds in an ordinary compilation.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

/// How the preprocessor is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preprocessor {
    /// The compiler: `cc`, `mpicc`, `clang`.
    pub compiler: String,
    /// Options as `cc` takes them: `-I`, `-D`, `-U`, `-include`, `-std`, `-fopenmp`, ….
    pub arguments: Vec<String>,
    /// The program is compiled by this very command: without OpenMP in it, `#pragma omp` means nothing.
    pub is_complete: bool,
    /// Files that were compiled by other commands, by their paths.
    pub others: BTreeMap<String, Preprocessor>,
    /// What it has made of texts so far.
    pub made: Made,
}

/// Texts and what became of them: auto mode comes back to the same ones, and starting a compiler takes as long as reading what it
/// gives.
#[derive(Clone, Default)]
pub struct Made(Arc<Mutex<Texts>>);

/// A text, and what became of it.
type Known = (Vec<u8>, Vec<u8>);

#[derive(Default)]
struct Texts {
    by_path: HashMap<String, Vec<Known>>,
    bytes: usize,
}

/// More than so many bytes are not kept.
const MOST: usize = 64 << 20;

impl Made {
    fn find(&self, path: &str, tagged: &[u8]) -> Option<Vec<u8>> {
        let texts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = texts.by_path.get(path)?;
        let found = known.iter().find(|(text, _)| text == tagged)?;
        Some(found.1.clone())
    }

    fn add(&self, path: &str, tagged: &[u8], output: &[u8]) {
        let mut texts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = tagged.len() + output.len();
        if texts.bytes + bytes > MOST {
            *texts = Texts::default();
        }
        texts.bytes += bytes;
        let known = texts.by_path.entry(path.to_string()).or_default();
        known.push((tagged.to_vec(), output.to_vec()));
    }
}

impl PartialEq for Made {
    /// Two preprocessors do the same whatever they have done.
    fn eq(&self, _: &Made) -> bool {
        true
    }
}

impl Eq for Made {}

impl std::fmt::Debug for Made {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Made")
    }
}

impl Preprocessor {
    /// The one for a file.
    pub fn of(&self, path: &str) -> &Preprocessor {
        self.others.get(path).unwrap_or(self)
    }
}

impl Default for Preprocessor {
    fn default() -> Self {
        Preprocessor {
            compiler: "cc".to_string(),
            arguments: Vec::new(),
            is_complete: false,
            others: BTreeMap::new(),
            made: Made::default(),
        }
    }
}

/// Why there is no preprocessed text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PreprocessFailure {
    /// The compiler could not be started.
    NotStarted(String),
    /// It said no; this is what it wrote.
    Rejected(String),
}

/// Options that are followed by a path, joined or in the next word.
const PATH_OPTIONS: [&str; 9] = [
    "-idirafter",
    "-iquote",
    "-isystem",
    "-isysroot",
    "-iprefix",
    "-include",
    "-imacros",
    "--sysroot=",
    "-I",
];

/// The preprocessed text of `tagged`, which stands for the file at `path`.
pub fn preprocess(
    preprocessor: &Preprocessor,
    path: &str,
    tagged: &[u8],
) -> Result<Vec<u8>, PreprocessFailure> {
    if let Some(output) = preprocessor.made.find(path, tagged) {
        return Ok(output);
    }
    let made = &preprocessor.made;
    let preprocessor = preprocessor.of(path);
    let directory = Path::new(path)
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    let mut command = Command::new(compiler_path(&preprocessor.compiler, directory.is_some()));
    match directory {
        Some(directory) => {
            command
                .current_dir(directory)
                .args(absolute_paths(&preprocessor.arguments, Path::new("")));
        }
        None => {
            command.args(&preprocessor.arguments);
        }
    }
    command.args(["-E", "-dD", "-x", "c", "-"]);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    // The compiler's messages are shown as they are; ours are English.
    let not_started = |error: std::io::Error| PreprocessFailure::NotStarted(error.to_string());
    let mut child = command.spawn().map_err(not_started)?;
    let mut text = format!("#line 1 {}\n", quoted(path)).into_bytes();
    text.extend_from_slice(tagged.strip_prefix(b"\xef\xbb\xbf").unwrap_or(tagged));
    let mut input = child.stdin.take();
    let writer = std::thread::spawn(move || {
        if let Some(input) = &mut input {
            // A compiler that stops early closes the pipe; its exit status tells.
            let _ = input.write_all(&text);
        }
    });
    let output = child.wait_with_output().map_err(not_started)?;
    let _ = writer.join();
    if output.status.success() {
        made.add(path, tagged, &output.stdout);
        Ok(output.stdout)
    } else {
        Err(PreprocessFailure::Rejected(
            String::from_utf8_lossy(&output.stderr)
                .trim_end()
                .to_string(),
        ))
    }
}

/// A path as a string of C.
pub fn quoted(path: &str) -> String {
    format!("\"{}\"", path.replace('\\', "\\\\").replace('"', "\\\""))
}

/// What stands between the file's name and the number in [`shifted_name`].
const SHIFT: &str = ":cccp+";

/// The lines in front of a text with such names: they are not what `__FILE__` stands for.
pub fn real_name(path: &str) -> String {
    let name = quoted(path);
    format!("#undef __FILE__\n#define __FILE__ {name}")
}

/// A mark that gives a line of the preprocessed text the user's number. The name in it is that of the file at `path`, with what
/// has to be added to this number to have the line of the text again.
pub fn shifted(path: &str, line: usize, number: usize) -> String {
    let shift = line as i64 - number as i64;
    format!(
        "#line {number} {}",
        quoted(&format!("{path}{SHIFT}{shift}"))
    )
}

/// What has to be added, when this is such a name.
pub fn shift(name: &str, path: &str) -> Option<i64> {
    let shift = name.strip_prefix(path)?.strip_prefix(SHIFT)?;
    shift.parse().ok()
}

/// A compiler given by a relative path with a slash is meant from where we are, not from the file's directory.
fn compiler_path(compiler: &str, elsewhere: bool) -> PathBuf {
    let path = Path::new(compiler);
    if elsewhere && compiler.contains('/') {
        absolute(path)
    } else {
        path.to_path_buf()
    }
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

/// The arguments with paths that are seen from `base` made absolute.
pub fn absolute_paths(arguments: &[String], base: &Path) -> Vec<String> {
    let mut changed = Vec::with_capacity(arguments.len());
    let mut path_follows = None;
    for argument in arguments {
        if let Some(option) = path_follows.take() {
            changed.push(absolute_for(option, argument, base));
            continue;
        }
        match PATH_OPTIONS
            .iter()
            .find(|option| argument.starts_with(**option))
        {
            Some(option) if argument == option => {
                path_follows = Some(*option);
                changed.push(argument.clone());
            }
            Some(option) => changed.push(format!(
                "{option}{}",
                absolute_for(option, &argument[option.len()..], base)
            )),
            None => changed.push(argument.clone()),
        }
    }
    changed
}

/// `-include` looks in the search path when there is no such file here.
fn absolute_for(option: &str, path: &str, base: &Path) -> String {
    let searched = matches!(option, "-include" | "-imacros");
    if path.starts_with('=') || (searched && !base.join(path).exists()) {
        return path.to_string();
    }
    absolute(&base.join(path)).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_made_of_a_text_is_known_for_this_file_and_this_text_only() {
        let made = Made::default();
        made.add("a.c", b"int a;", b"# 1\nint a;");
        made.add("a.c", b"int b;", b"# 1\nint b;");
        assert_eq!(made.find("a.c", b"int b;"), Some(b"# 1\nint b;".to_vec()));
        assert_eq!(made.find("a.c", b"int c;"), None);
        assert_eq!(made.find("b.c", b"int a;"), None);
        made.add("a.c", b"", &vec![b' '; MOST]);
        assert_eq!(made.find("a.c", b"int a;"), None);
    }
}
