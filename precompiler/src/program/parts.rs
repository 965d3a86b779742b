//! Which included files are taken into the files that include them: those in which something may have to change.
//!
//! In: files as they were read. Out: the same with the texts of such included files in them. The one idea: a file that is no
//! header and defines functions is a piece of the program that lies elsewhere; a header is looked into only when it is
//! known that a function of it has to change, and where there is a directive in it.
//!
//! Not here: how a text is taken in.

use std::path::Path;

use super::load::{Text, side_by_side};
use super::model::Program;
use crate::source::{Inclusion, Preprocessor, SourceFile, with_parts};
use crate::syntax::parse;
use crate::syntax::tree::TopLevel;

/// Which headers are taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Headers {
    /// Those with directives.
    WithDirectives,
    /// Those that define functions, too.
    WithFunctions,
}

/// So deep may files include each other.
const DEPTH: usize = 200;

/// The file with the texts of those included files in it that may have to change.
pub fn whole(mut file: SourceFile, preprocessor: &Preprocessor, headers: Headers) -> SourceFile {
    for _ in 0..DEPTH {
        if file.inclusions().is_empty() {
            break;
        }
        let mut places = places_to_change(&file, headers);
        let all = taken_in(&file, &places, preprocessor);
        // A header that may be a library's does not stand in the way of the others.
        match all.or_else(|| {
            places.retain(|offset| file.is_of_program(*offset));
            taken_in(&file, &places, preprocessor)
        }) {
            Some(more) => file = more,
            None => break,
        }
    }
    file
}

/// The file with the texts of the included files in it in which these offsets lie; `None` when there are none, or it cannot be.
fn taken_in(
    file: &SourceFile,
    places: &[usize],
    preprocessor: &Preprocessor,
) -> Option<SourceFile> {
    let is_wanted = |one: &Inclusion| places.iter().any(|offset| one.span.has(*offset));
    let is_any = file.inclusions().iter().any(is_wanted);
    is_any.then(|| with_parts(file, is_wanted, preprocessor))?
}

/// The texts of all files, for another try with [`with_headers`]; `None` when no header but the system's defines a function.
pub fn before_headers(program: &Program) -> Option<Vec<Text>> {
    let mut units = program.units.iter();
    let is_in_header = |file: &SourceFile, at: usize| !file.is_own(at) && !file.is_system(at);
    let has_any = units.any(|unit| {
        let mut functions = unit.functions.iter();
        functions.any(|one| is_in_header(&unit.file, one.span.start))
    });
    has_any.then(|| program.texts())
}

impl Program {
    /// The files as texts.
    pub fn texts(&self) -> Vec<Text> {
        let files = self.units.iter().map(|unit| &unit.file);
        files.map(Text::of).collect()
    }
}

/// The same texts with the headers in them that define functions, but for those of the system.
pub fn with_headers(texts: &[Text], preprocessor: &Preprocessor) -> Vec<Text> {
    side_by_side(texts, |text: &Text| {
        let (bytes, lines) = (text.bytes.clone(), text.lines.clone());
        match SourceFile::with_lines(&text.path, bytes, lines, preprocessor) {
            Ok(file) => Text::of(&whole(file, preprocessor, Headers::WithFunctions)),
            Err(_) => text.clone(),
        }
    })
}

/// Offsets of the preprocessed text in included files that may have to change.
fn places_to_change(file: &SourceFile, headers: Headers) -> Vec<usize> {
    let is_users = |offset: &usize| !file.is_own(*offset) && !file.is_system(*offset);
    let pragmas = file.active_pragmas().into_iter();
    let mut places: Vec<usize> = pragmas.map(|one| one.span.start).filter(is_users).collect();
    let may_have = |name: &str| headers == Headers::WithFunctions || !is_header(name);
    if file.included(false).iter().any(|name| may_have(name)) {
        let tree = parse(file).unwrap_or_default();
        let functions = tree.items.iter().filter_map(|item| match item {
            TopLevel::Function(function) => Some(function.span.start),
            TopLevel::Declaration(_) => None,
        });
        let is_wanted = |at: &usize| match is_header(&file.origin_text(*at).0) {
            true => headers == Headers::WithFunctions,
            false => true,
        };
        places.extend(functions.filter(is_users).filter(is_wanted));
    }
    places
}

fn is_header(name: &str) -> bool {
    let end = Path::new(name).extension().unwrap_or_default();
    end.is_empty() || ["h", "H", "hh", "hpp", "hxx"].iter().any(|one| *one == end)
}
