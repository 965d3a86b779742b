//! From file names to a [`Program`]: source, syntax, directives and names in one straight line.

use super::builder::build;
use super::model::{Program, Unit};
use crate::diagnostic::{Code, Diagnostic, Place};
use crate::directive::read_directives;
use crate::source::{LoadFailure, PreprocessFailure, Preprocessor, SourceFile, Span, UserLines};
use crate::syntax::tree::Tree;
use crate::syntax::{ParseFailure, parse};

/// Reads all files. Files that cannot be read or preprocessed are left out, with a diagnostic. `done` is told the name of
/// each pass over a file when it is over.
pub fn load(
    paths: &[String],
    preprocessor: &Preprocessor,
    mut done: impl FnMut(&'static str),
) -> (Program, Vec<Diagnostic>) {
    let mut program = Program::default();
    let mut diagnostics = Vec::new();
    for path in paths {
        let loaded = SourceFile::load(path, preprocessor);
        done("source");
        match loaded {
            Ok(file) => {
                let unit = passes(file, &mut diagnostics, &mut done);
                program.units.push(unit);
            }
            Err(failure) => diagnostics.push(load_failure(path, preprocessor, failure)),
        }
    }
    (program, diagnostics)
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

/// The same as [`load`] for texts at hand.
pub fn load_texts(
    texts: Vec<Text>,
    preprocessor: &Preprocessor,
    mut done: impl FnMut(&'static str),
) -> (Program, Vec<Diagnostic>) {
    let mut program = Program::default();
    let mut diagnostics = Vec::new();
    for text in texts {
        let read = SourceFile::from_bytes(&text.path, text.bytes, preprocessor);
        done("source");
        match read {
            Ok(mut file) => {
                file.lines = text.lines;
                let unit = passes(file, &mut diagnostics, &mut done);
                program.units.push(unit);
            }
            Err(failure) => {
                let failure = LoadFailure::Preprocessor(failure);
                diagnostics.push(load_failure(&text.path, preprocessor, failure));
            }
        }
    }
    (program, diagnostics)
}

/// The unit of a file that has been read. Always gives the file back, for the texts that diagnostics show: when it
/// does not parse, as a unit without contents.
pub fn load_unit(file: SourceFile, diagnostics: &mut Vec<Diagnostic>) -> Unit {
    passes(file, diagnostics, &mut |_| {})
}

fn passes(
    file: SourceFile,
    diagnostics: &mut Vec<Diagnostic>,
    done: &mut dyn FnMut(&'static str),
) -> Unit {
    let tree = match parse(&file) {
        Ok(tree) => tree,
        Err(failure) => {
            diagnostics.push(parse_failure(&file, &failure));
            Tree::default()
        }
    };
    done("syntax");
    let placed = if tree.items.is_empty() {
        Vec::new()
    } else {
        read_directives(&file, &tree, diagnostics)
    };
    done("directive");
    let (unit, more) = build(file, &tree, &placed);
    diagnostics.extend(more);
    // The tree is large: taking it apart belongs to the pass.
    drop(tree);
    done("program");
    unit
}

fn load_failure(path: &str, preprocessor: &Preprocessor, failure: LoadFailure) -> Diagnostic {
    let file = Place::File(path.to_string());
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
        .reason(messages)
        .help("give the same -I, -D and -include options as to the compiler"),
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
