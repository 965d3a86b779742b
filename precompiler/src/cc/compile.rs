//! The compile step: the compiler compiles, and the object learns what it was compiled from.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use super::command::{Command, Kind, Part};
use super::depends::{checksum, included};
use super::object::with_section;
use super::own::Own;
use super::record::{Record, SECTION, UNSERVED, VERSION, WARNING, has_directive};
use super::scratch::{Scratch, command, put, show, status};

/// Runs a command with `-c`. The status is the compiler's.
pub fn compile(step: &Command, own: &Own) -> Result<u8, String> {
    let to = Object {
        is_verbose: own.verbose,
        warns: Some(own.auto),
    };
    let sources = sources(step);
    if let ([source], false) = (&sources[..], has_other_inputs(step)) {
        let object = step
            .output()
            .unwrap_or_else(|| object_of(source.path(step)));
        let mut words = step.compiler.clone();
        words.extend(step.given.iter().cloned());
        return one(step, source, words, &object, to);
    }
    // Several sources make several objects, one command for each.
    let mut worst = 0;
    for source in &sources {
        let object = object_of(source.path(step));
        let words = source.words(step, &object);
        worst = worst.max(one(step, source, words, &object, to)?);
    }
    if has_other_inputs(step) && worst == 0 {
        let is_ours = |part: &&Part| part.kind != Kind::Source;
        let mut words = step.compiler.clone();
        words.extend(
            step.parts
                .iter()
                .filter(is_ours)
                .flat_map(|part| part.words.clone()),
        );
        show(own.verbose, &words);
        worst = command(&words).status().map_or(1, status);
    }
    Ok(worst)
}

/// Other languages beside C in one command.
fn has_other_inputs(step: &Command) -> bool {
    step.has(Kind::Foreign) || step.has(Kind::Object)
}

/// A source among the words of a command.
pub struct Source {
    /// The number of its part.
    at: usize,
}

/// All sources of a command.
pub fn sources(step: &Command) -> Vec<Source> {
    let numbered = step.parts.iter().enumerate();
    let found = numbered.filter(|(_, part)| part.kind == Kind::Source);
    found.map(|(at, _)| Source { at }).collect()
}

impl Source {
    /// The number of its part.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Its name in the command.
    pub fn path<'a>(&self, step: &'a Command) -> &'a str {
        step.parts[self.at].value()
    }

    /// The words of its own command, before and after it.
    fn around(&self, step: &Command) -> (Vec<String>, Vec<String>) {
        let is_kept = |part: &&Part| matches!(part.kind, Kind::Flag | Kind::Language);
        let words = |parts: &[Part]| -> Vec<String> {
            let kept = parts.iter().filter(is_kept);
            kept.flat_map(|part| part.words.clone()).collect()
        };
        (
            words(&step.parts[..self.at]),
            words(&step.parts[self.at + 1..]),
        )
    }

    /// The command that compiles it alone.
    pub fn words(&self, step: &Command, object: &Path) -> Vec<String> {
        let is_kept =
            |part: &&Part| matches!(part.kind, Kind::Flag | Kind::Language | Kind::Beside);
        let words = |parts: &[Part]| -> Vec<String> {
            let kept = parts.iter().filter(is_kept);
            kept.flat_map(|part| part.words.clone()).collect()
        };
        let mut all = step.compiler.clone();
        all.extend(words(&step.parts[..self.at]));
        all.push(self.path(step).to_string());
        all.extend(words(&step.parts[self.at + 1..]));
        all.extend([
            "-c".to_string(),
            "-o".to_string(),
            object.display().to_string(),
        ]);
        all
    }
}

/// The object that the compiler makes of a source when no name is given.
fn object_of(source: &str) -> PathBuf {
    let name = Path::new(source).with_extension("o");
    name.file_name().map_or_else(PathBuf::new, PathBuf::from)
}

/// How an object is made.
#[derive(Clone, Copy, Debug)]
pub struct Object {
    /// The command is shown.
    pub is_verbose: bool,
    /// The object stays, and a linker that cccp-cc has not called says so when there are marks in it, or in any case.
    pub warns: Option<bool>,
}

/// Compiles one source, and puts the record into its object.
pub fn one(
    step: &Command,
    source: &Source,
    mut words: Vec<String>,
    object: &Path,
    to: Object,
) -> Result<u8, String> {
    // The text as the compiler sees it; what is written to the file while it compiles is not in the object.
    let text = std::fs::read(source.path(step)).ok();
    let scratch = Scratch::new()?;
    let list = scratch.file("depends");
    let own_list = !step.has(Kind::Beside);
    if own_list {
        words.extend(["-MD", "-MF"].map(str::to_string));
        words.push(list.display().to_string());
    }
    show(to.is_verbose, &words);
    let done = command(&words)
        .status()
        .map_err(|error| format!("cannot start `{}`: {error}", words[0]))?;
    if !done.success() {
        return Ok(status(done));
    }
    let Some(text) = text else { return Ok(0) };
    let rules = match own_list {
        true => std::fs::read_to_string(&list).ok(),
        false => their_list(step, object),
    };
    let (before, after) = source.around(step);
    let included = match rules {
        Some(rules) => included(&rules),
        None => listed(step, source, &before, &after),
    };
    if let Some(record) = record(step, source, text, &included, (before, after)) {
        attach(object, &record, to);
    }
    Ok(0)
}

/// The list of dependencies that the command itself asks for.
fn their_list(step: &Command, object: &Path) -> Option<String> {
    let has = |word: &str| step.says(word);
    let named = step
        .of(Kind::Beside)
        .filter(|part| part.words[0].starts_with("-MF"));
    let path = match named.last() {
        Some(part) => PathBuf::from(match &part.words[..] {
            [_, value] => value,
            words => words[0].strip_prefix("-MF")?,
        }),
        None => object.with_extension("d"),
    };
    // `-MMD` leaves the system's headers out: they do not change between two steps.
    (has("-MD") || has("-MMD")).then(|| std::fs::read_to_string(path).ok())?
}

/// The list of dependencies, asked for.
fn listed(step: &Command, source: &Source, before: &[String], after: &[String]) -> Vec<String> {
    let mut words = step.compiler.clone();
    words.extend(before.iter().cloned());
    words.push(source.path(step).to_string());
    words.extend(after.iter().cloned());
    words.extend(["-M", "-w"].map(str::to_string));
    let output = command(&words).stdin(Stdio::null()).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    included(&text.unwrap_or_default())
}

fn record(
    step: &Command,
    source: &Source,
    text: Vec<u8>,
    included: &[String],
    (before, after): (Vec<String>, Vec<String>),
) -> Option<Record> {
    let mut is_marked = has_directive(&text);
    let mut sums = Vec::with_capacity(included.len());
    for name in included {
        let bytes = std::fs::read(name).ok()?;
        is_marked |= has_directive(&bytes);
        sums.push((name.clone(), checksum(&bytes)));
    }
    Some(Record {
        version: VERSION.to_string(),
        directory: std::env::current_dir().ok()?.to_str()?.to_string(),
        compiler: step.compiler.clone(),
        before,
        after,
        source: source.path(step).to_string(),
        included: sums,
        is_marked,
        text,
    })
}

/// An object that cannot take a record stays as the compiler made it: the link step calls it unknown.
fn attach(object: &Path, record: &Record, to: Object) {
    let Ok(bytes) = record.encode() else { return };
    match to.warns {
        Some(always) if always || record.is_marked => {
            put_in(object, &[(SECTION, &bytes), (WARNING, UNSERVED)]);
        }
        _ => put_in(object, &[(SECTION, &bytes)]),
    }
}

/// Puts sections into a file, if it can take them.
pub fn put_in(object: &Path, sections: &[(&str, &[u8])]) {
    let Ok(object) = object.canonicalize() else {
        return;
    };
    let (Ok(meta), Ok(bytes)) = (object.metadata(), std::fs::read(&object)) else {
        return;
    };
    let mut all = sections.iter();
    let whole = all.try_fold(bytes, |bytes, (name, contents)| {
        with_section(&bytes, name, contents)
    });
    // A new file: the old one may be a second name of one in the compiler's cache.
    let whole = whole.filter(|_| meta.is_file());
    if whole.is_some_and(|whole| put(&object, &whole).is_ok()) {
        let _ = std::fs::set_permissions(&object, meta.permissions());
    }
}
