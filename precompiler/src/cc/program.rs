//! From the records of objects to the texts that are compiled for the program: the precompiler, called once.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::depends::Checksums;
use super::own::Own;
use super::record::{Record, VERSION};
use super::taken::Taken;
use crate::catalog::Linked;
use crate::cli::explain;
use crate::cli::options::{Denied, Explain, Options};
use crate::cli::run::{Compiled, catalogue, compile_texts, tell};
use crate::diagnostic::{Code, Place, has_errors};
use crate::program::Text;
use crate::source::{Preprocessor, UserLines, absolute_paths};

/// A source of the program.
pub struct Unit<'a> {
    /// Its path as seen from here.
    pub path: String,
    /// The file itself, whatever it is called.
    source: PathBuf,
    /// The number of its object among those that the linker takes.
    pub object: usize,
    /// How it was compiled.
    pub record: &'a Record,
}

/// What came of a program.
pub enum Outcome {
    /// Nothing is to be done for it.
    Plain,
    /// Nothing in it takes time, so auto mode has no place for a checkpoint.
    Idle,
    /// Errors, which have been shown.
    Refused,
    /// The program is another one.
    Changed {
        /// The texts that differ, by the numbers of their units.
        texts: Vec<(usize, Vec<u8>)>,
        /// It has a fixed heap.
        has_fixed_heap: bool,
    },
}

/// All sources of the program.
pub fn units(taken: &[Taken]) -> Vec<Unit<'_>> {
    let here = std::env::current_dir().unwrap_or_default();
    let mut units = Vec::new();
    for (object, one) in taken.iter().enumerate() {
        units.extend(one.contents.records.iter().map(|record| Unit {
            path: path(record, &here),
            source: source(record),
            object,
            record,
        }));
    }
    tell_apart(&mut units, taken);
    units
}

/// Gives sources that were compiled several times, with other macros for each object, a path each: `x.c`, `./x.c`. In what order the
/// linker takes them means nothing.
fn tell_apart(units: &mut [Unit], taken: &[Taken]) {
    let mut made_of: BTreeMap<PathBuf, Vec<(String, usize)>> = BTreeMap::new();
    for (number, unit) in units.iter().enumerate() {
        let object = taken[unit.object].name();
        made_of
            .entry(unit.source.clone())
            .or_default()
            .push((object, number));
    }
    for mut objects in made_of.into_values() {
        objects.sort_unstable();
        for (rank, (_, number)) in objects.into_iter().enumerate().skip(1) {
            let path = &mut units[number].path;
            let at = path.len() - path.trim_start_matches('/').len();
            path.insert_str(at, &"./".repeat(rank));
        }
    }
}

fn source(record: &Record) -> PathBuf {
    let source = Path::new(&record.directory).join(&record.source);
    source.canonicalize().unwrap_or(source)
}

/// The path as the command names it, when that was given here.
fn path(record: &Record, here: &Path) -> String {
    if Path::new(&record.directory) == here {
        return record.source.clone();
    }
    let path = Path::new(&record.directory).join(&record.source);
    let path = path.strip_prefix(here).unwrap_or(&path);
    path.to_string_lossy().into_owned()
}

/// Why the program cannot be made of these sources.
pub fn faults(units: &[Unit], taken: &[Taken]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut sums = Checksums::default();
    let mut seen: BTreeSet<(PathBuf, String)> = BTreeSet::new();
    for unit in units {
        let object = taken[unit.object].name();
        if unit.record.version != VERSION {
            let version = &unit.record.version;
            faults.push(format!(
                "{object} was compiled by cccp-cc {version}, and this is {VERSION}: compile it again"
            ));
            continue;
        }
        let directory = Path::new(&unit.record.directory);
        let mut included = unit.record.included.iter();
        let changed = included.find(|(name, sum)| sums.of(&directory.join(name)) != Some(*sum));
        if let Some((name, _)) = changed {
            faults.push(format!(
                "{object} was compiled with another `{name}` than is there now: compile {} again; \
                 a Makefile that knew that it includes this file would have done so",
                unit.path
            ));
        }
        if !seen.insert((unit.source.clone(), object.clone())) {
            faults.push(format!(
                "two objects are called {object}, and both are made of {}: such a file cannot be told from itself in a checkpoint; \
                 give them two names",
                unit.path
            ));
        }
    }
    faults
}

/// Runs the precompiler.
pub fn translate(
    units: &[Unit],
    linked: Linked,
    own: &Own,
    is_coloured: bool,
) -> Result<Outcome, String> {
    let mut words = vec!["cccp-pp".to_string()];
    words.extend(own.auto.then(|| "--auto".to_string()));
    words.extend(own.precompiler.iter().cloned());
    words.push("--".to_string());
    words.extend(units.iter().map(|unit| unit.path.clone()));
    let read = Options::read(words.iter().map(std::ffi::OsString::from));
    let options = read.map_err(|error| error.to_string())?;
    let catalogue = catalogue(&options.catalog)?.linked(linked);
    let preprocessor = Preprocessor {
        others: units.iter().map(preprocessor).collect(),
        ..Preprocessor::default()
    };
    let text = |unit: &Unit| Text {
        path: unit.path.clone(),
        bytes: unit.record.text.clone(),
        lines: UserLines::default(),
    };
    let texts = units.iter().map(text).collect();
    let compiled = compile_texts(&options, &catalogue, &preprocessor, texts);
    if own.auto && is_idle(&compiled) {
        return Ok(Outcome::Idle);
    }
    tell(&compiled, is_coloured);
    if has_errors(&compiled.diagnostics) {
        return Ok(Outcome::Refused);
    }
    if let Some(output) = &own.explain {
        let told = explain::report(&options, &Explain::Html, &compiled.program, &catalogue)?;
        std::fs::write(output, told.text)
            .map_err(|error| format!("{}: {error}", output.display()))?;
        let is_denied = told.incomplete && options.denies(Denied::Incomplete)
            || told.assumes && options.denies(Denied::Assumed);
        if is_denied {
            return Ok(Outcome::Refused);
        }
    }
    let mut changed = Vec::new();
    for (number, (unit, (_, bytes))) in units.iter().zip(compiled.results).enumerate() {
        if bytes != unit.record.text {
            changed.push((number, bytes));
        }
    }
    Ok(match changed.is_empty() {
        true => Outcome::Plain,
        false => Outcome::Changed {
            has_fixed_heap: compiled.program.has_fixed_heap(),
            texts: changed,
        },
    })
}

/// Auto mode finds nothing in it that takes time.
fn is_idle(compiled: &Compiled) -> bool {
    let mut all = compiled.diagnostics.iter();
    let is_none = |place: &Place| matches!(place, Place::File(_));
    has_errors(&compiled.diagnostics)
        && all.all(|one| one.code == Code::AUTO_NO_CHECKPOINT && is_none(&one.place))
}

/// The compiler of a source, as it was called for it, from the source's own directory.
fn preprocessor(unit: &Unit) -> (String, Preprocessor) {
    let record = unit.record;
    let base = Path::new(&record.directory);
    let mut arguments = record.compiler[1..].to_vec();
    let own = record.before.iter().chain(&record.after).cloned();
    arguments.extend(absolute_paths(&own.collect::<Vec<_>>(), base));
    arguments.push("-w".to_string());
    let compiler = &record.compiler[0];
    let compiler = match compiler.contains('/') {
        true => base.join(compiler).to_string_lossy().into_owned(),
        false => compiler.clone(),
    };
    let preprocessor = Preprocessor {
        compiler,
        arguments,
        is_complete: true,
        ..Preprocessor::default()
    };
    (unit.path.clone(), preprocessor)
}
