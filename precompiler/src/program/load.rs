//! From file names to a [`Program`]: source, syntax, directives and names in one straight line.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::builder::build;
use super::model::{Program, Unit};
use super::parts::{Headers, whole};
use crate::diagnostic::{Code, Diagnostic, Place};
use crate::directive::read_directives;
use crate::source::{LoadFailure, PreprocessFailure, Preprocessor, SourceFile, Span, UserLines};
use crate::syntax::tree::Tree;
use crate::syntax::{ParseFailure, parse, with_stack};

/// A pass over the files, and how long it took.
pub type Spent = (&'static str, Duration);

/// So many files are read at a time, at most.
const WORKERS: usize = 16;

/// Reads all files, side by side where the machine has several processors; what comes of it is in their order. Files
/// that cannot be read or preprocessed are left out, with a diagnostic. `done` is told the passes: the time they took all
/// together, divided among them as the work was.
pub fn load(
    paths: &[String],
    preprocessor: &Preprocessor,
    done: impl FnMut(Spent),
) -> (Program, Vec<Diagnostic>) {
    let read = |path: &String| {
        let file = SourceFile::load(path, preprocessor)?;
        Ok(whole(file, preprocessor, Headers::WithDirectives))
    };
    let failed = |path: &String, failure: LoadFailure| load_failure(path, preprocessor, failure);
    load_all(paths, read, failed, done)
}

/// A file's text that did not come from the disk as it is.
#[derive(Clone, Debug)]
pub struct Text {
    /// Where the file lies.
    pub path: String,
    /// What it would contain.
    pub bytes: Vec<u8>,
    /// Whose its lines are.
    pub lines: UserLines,
}

impl Text {
    /// The text of a file that was read.
    pub fn of(file: &SourceFile) -> Text {
        Text {
            path: file.path.clone(),
            bytes: file.encode(&file.original),
            lines: file.lines.clone(),
        }
    }

    /// Whether this file was read from it.
    pub fn is_of(&self, file: &SourceFile) -> bool {
        self.path == file.path
            && self.lines == file.lines
            && self.bytes == file.encode(&file.original)
    }
}

/// The same as [`load`] for texts at hand.
pub fn load_texts(
    texts: Vec<Text>,
    preprocessor: &Preprocessor,
    done: impl FnMut(Spent),
) -> (Program, Vec<Diagnostic>) {
    let read = |text: &Text| {
        let (bytes, lines) = (text.bytes.clone(), text.lines.clone());
        let file = SourceFile::with_lines(&text.path, bytes, lines, preprocessor);
        let file = file.map_err(LoadFailure::Preprocessor)?;
        Ok(whole(file, preprocessor, Headers::WithDirectives))
    };
    let failed =
        |text: &Text, failure: LoadFailure| load_failure(&text.path, preprocessor, failure);
    load_all(&texts, read, failed, done)
}

impl Program {
    /// Says that these are all files of the program: what none of them defines is a library's, and what nothing reaches from
    /// `main` does not run. `is_known`: whether the catalogue knows a function.
    pub fn close(&mut self, is_known: &dyn Fn(&str) -> bool) {
        self.is_whole = true;
        self.leave_out_unreached(is_known);
        self.find_opaque();
    }

    /// Puts units in the place of those with these numbers, unless one of them could not be read. Then the program is to be
    /// closed again.
    pub fn replace(&mut self, numbers: &[usize], changed: Program) {
        if changed.units.len() == numbers.len() {
            for (number, mut unit) in numbers.iter().zip(changed.units) {
                unit.notes_handles = self.units[*number].notes_handles;
                self.units[*number] = unit;
            }
            self.find_hidden_types();
        }
    }

    /// Whether handles of MPI come back when they are registered.
    pub fn note_handles(&mut self, notes: bool) {
        for unit in &mut self.units {
            unit.notes_handles = notes;
        }
    }
}

fn load_all<J: Sync>(
    jobs: &[J],
    source: impl Fn(&J) -> Result<SourceFile, LoadFailure> + Sync,
    failed: impl Fn(&J, LoadFailure) -> Diagnostic + Sync,
    mut done: impl FnMut(Spent),
) -> (Program, Vec<Diagnostic>) {
    let start = Instant::now();
    let read = side_by_side(jobs, |job| {
        let mut diagnostics = Vec::new();
        let mut clock = Passes::start();
        let loaded = source(job);
        clock.lap("source");
        let unit = match loaded {
            Ok(file) => Some(passes(file, &mut diagnostics, &mut clock)),
            Err(failure) => {
                diagnostics.push(failed(job, failure));
                None
            }
        };
        (unit, diagnostics, clock.spent)
    });
    let elapsed = start.elapsed();
    let mut program = Program::default();
    let mut diagnostics = Vec::new();
    let mut spent: Vec<Spent> = Vec::new();
    for (unit, more, times) in read {
        program.units.extend(unit);
        diagnostics.extend(more);
        for (pass, time) in times {
            match spent.iter_mut().find(|(name, _)| *name == pass) {
                Some((_, sum)) => *sum += time,
                None => spent.push((pass, time)),
            }
        }
    }
    let work: Duration = spent.iter().map(|(_, time)| *time).sum();
    for (pass, time) in spent {
        let share = time.as_secs_f64() / work.as_secs_f64().max(f64::MIN_POSITIVE);
        done((pass, elapsed.mul_f64(share)));
    }
    program.find_opaque();
    program.find_hidden_types();
    (program, diagnostics)
}

/// Does all jobs; the results are in their order.
pub(super) fn side_by_side<J: Sync, R: Send>(jobs: &[J], work: impl Fn(&J) -> R + Sync) -> Vec<R> {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let workers = processors.min(WORKERS).min(jobs.len());
    if workers < 2 {
        return jobs.iter().map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let take = || {
        let mut results = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(index) else {
                return results;
            };
            results.push((index, work(job)));
        }
    };
    let mut results: Vec<(usize, R)> = std::thread::scope(|scope| {
        let spawned = (0..workers).map(|_| scope.spawn(|| with_stack(take)));
        let spawned: Vec<_> = spawned.collect();
        let joined = spawned.into_iter().map(|one| match one.join() {
            Ok(results) => results,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        joined.flatten().collect()
    });
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// The unit of a file that has been read. Always gives the file back, for the texts that diagnostics show: when it
/// does not parse, as a unit without contents.
pub fn load_unit(file: SourceFile, diagnostics: &mut Vec<Diagnostic>) -> Unit {
    passes(file, diagnostics, &mut Passes::start())
}

/// The passes over a file so far.
struct Passes {
    last: Instant,
    spent: Vec<Spent>,
}

impl Passes {
    fn start() -> Passes {
        Passes {
            last: Instant::now(),
            spent: Vec::new(),
        }
    }

    fn lap(&mut self, pass: &'static str) {
        let now = Instant::now();
        self.spent.push((pass, now - self.last));
        self.last = now;
    }
}

fn passes(file: SourceFile, diagnostics: &mut Vec<Diagnostic>, clock: &mut Passes) -> Unit {
    let tree = match parse(&file) {
        Ok(tree) => tree,
        Err(failure) => {
            diagnostics.push(parse_failure(&file, &failure));
            Tree::default()
        }
    };
    clock.lap("syntax");
    let placed = if tree.items.is_empty() {
        Vec::new()
    } else {
        read_directives(&file, &tree, diagnostics)
    };
    clock.lap("directive");
    let (unit, more) = build(file, &tree, &placed);
    diagnostics.extend(more);
    // The tree is large: taking it apart belongs to the pass.
    drop(tree);
    clock.lap("program");
    unit
}

fn load_failure(path: &str, preprocessor: &Preprocessor, failure: LoadFailure) -> Diagnostic {
    let file = Place::File(path.to_string());
    let preprocessor = preprocessor.of(path);
    match failure {
        LoadFailure::Unreadable(reason) => {
            Diagnostic::error(Code::UNREADABLE, file, format!("cannot read `{path}`"))
                .reason(reason)
        }
        LoadFailure::Preprocessor(PreprocessFailure::NotStarted(reason)) => Diagnostic::error(
            Code::PREPROCESSOR,
            file,
            format!("cannot start `{}`", preprocessor.compiler),
        )
        .reason(reason)
        .help("name the C compiler with --cc"),
        LoadFailure::Preprocessor(PreprocessFailure::Rejected(messages)) => Diagnostic::error(
            Code::PREPROCESSOR,
            file,
            format!("`{} -E` rejects the file", preprocessor.compiler),
        )
        .help(match messages.contains("mpi.h") {
            true => "this is an MPI program: name its compiler, `--cc mpicc`",
            false => "give the same -I, -D and -include options as to the compiler",
        })
        .reason(messages),
    }
}

fn parse_failure(file: &SourceFile, failure: &ParseFailure) -> Diagnostic {
    let offset = failure.offset.min(file.preprocessed.len());
    let word = next_token(file, offset);
    let place = match file.message_place(word) {
        Some(range) => Place::Range {
            path: file.path.clone(),
            range: range.start..range.end,
        },
        None => {
            let (path, line) = file.origin_text(word.start);
            Place::Line { path, line }
        }
    };
    let near = file.preprocessed_text(word);
    let message = if near.is_empty() {
        "the file ends too early".to_string()
    } else {
        format!("the C text is not understood at `{near}`")
    };
    Diagnostic::error(Code::SYNTAX, place, message)
        .reason("either the compiler rejects this as well, or it is an extension that the precompiler does not know")
        .help("try the compiler first; `cccp-pp --explain CCCP103` lists what is not known")
}

fn next_token(file: &SourceFile, offset: usize) -> Span {
    let text = &file.preprocessed;
    let mut start = offset;
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let rest = &text[start..];
    let skipped = rest.len() - rest.trim_start().len();
    let rest = rest.trim_start();
    let word = rest
        .find(|c: char| !(c.is_alphanumeric() || c == '_'))
        .unwrap_or(rest.len());
    let length = if word == 0 {
        rest.chars().next().map_or(0, char::len_utf8)
    } else {
        word
    };
    Span::new(start + skipped, start + skipped + length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Line;

    #[test]
    fn a_file_is_read_again_only_when_its_text_is_another() {
        let read = |name: &str, text: &str| {
            SourceFile::with_preprocessor(name, text.into(), <[u8]>::to_vec)
        };
        let one = Text::of(&read("a.c", "int a;\n"));
        assert!(one.is_of(&read("a.c", "int a;\n")));
        assert!(!one.is_of(&read("a.c", "int a;\n#pragma cccp init\n")));
        assert!(!one.is_of(&read("b.c", "int a;\n")));
        let added = Line {
            number: 1,
            part: 0,
            is_added: true,
        };
        let other = Text {
            lines: UserLines::new(vec![added], Vec::new()),
            ..one
        };
        assert!(!other.is_of(&read("a.c", "int a;\n")));
    }
}
