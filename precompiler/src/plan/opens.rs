//! Which functions that open, make, rename, remove and cut off files a program calls through the library, and with several ranks
//! those that close some.
//!
//! In: the whole program. Out: for each file the names that are given another meaning there, when any file has `init`: what
//! stands before it runs in every start, and must not empty the files of a restart. A name that the program defines itself
//! keeps its meaning.

use crate::analysis::Finding;
use crate::analysis::lasting::HELD_BACK;
use crate::diagnostic::Code;
use crate::program::{Directive, ExpressionKind, Program, SymbolKind, Unit};
use crate::source::Span;

/// Where ranks may append to the same file, the library has to know where each has written last.
const CLOSING: [&str; 2] = ["close", "fclose"];

/// What makes files longer or shorter, which a restart undoes.
const RESIZING: [&str; 4] = ["ftruncate", "ftruncate64", "truncate", "truncate64"];

/// What makes and removes directories, links and pipes, and files with names that nobody has: a restart undoes it, and before `init`
/// it is done in every start.
const NAMING: [&str; 17] = [
    "link",
    "linkat",
    "mkdirat",
    "mkdtemp",
    "mkfifo",
    "mkfifoat",
    "mkostemp",
    "mkostemp64",
    "mkostemps",
    "mkostemps64",
    "mkstemp",
    "mkstemp64",
    "mkstemps",
    "mkstemps64",
    "rmdir",
    "symlink",
    "symlinkat",
];

/// A name with another meaning in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opening {
    /// The name.
    pub name: &'static str,
    /// Not in headers: the C library declares it with another symbol there (`_FILE_OFFSET_BITS`).
    pub own_only: bool,
}

/// What cannot be: the headers have given a name another symbol, and the program makes it a macro besides.
pub fn opened_by_macros(unit: &Unit, opens: &[Opening]) -> Vec<Finding> {
    let opens = opens.iter().filter(|one| one.own_only);
    let found = opens.filter_map(|one| Some((one.name, unit.file.own_macro(one.name)?)));
    let finding = |(name, start): (&str, usize)| {
        let text = format!("`{name}` is a macro here, and the library has to see its calls");
        Finding::error(Code::MACRO_TEXT, text)
            .at(None, Span { start, end: start })
            .reason(format!(
                "`_FILE_OFFSET_BITS` has made it `{name}64` already"
            ))
            .help(format!("give the macro another name than `{name}`"))
    };
    found.map(finding).collect()
}

/// The names that change their meaning in a file.
pub fn opening(program: &Program, unit: &Unit) -> Vec<Opening> {
    let mut directives = program.units.iter().flat_map(|unit| &unit.directives);
    if !directives.any(|one| matches!(one.directive, Directive::Init { .. })) {
        return Vec::new();
    }
    let closing = match program.units.iter().any(|unit| unit.uses_mpi) {
        true => &CLOSING[..],
        false => &[],
    };
    let names: Vec<&'static str> = HELD_BACK
        .iter()
        .chain(&RESIZING)
        .chain(&NAMING)
        .chain(closing)
        .copied()
        .collect();
    let end = unit.file.normalised_text().len();
    let text = unit.file.preprocessed_text(Span { start: 0, end });
    let names = used(program, unit, &names).into_iter();
    names
        .map(|name| Opening {
            name,
            own_only: text.contains(&format!("\"{name}64\"")),
        })
        .collect()
}

/// The names that a file uses for functions of others: the program defines none of them.
pub fn used(program: &Program, unit: &Unit, names: &[&'static str]) -> Vec<&'static str> {
    if !unit.mentions(names) {
        return Vec::new();
    }
    let mut used = vec![false; names.len()];
    for function in &unit.functions {
        function.body.walk_expressions(&mut |one| {
            let ExpressionKind::Name { name, .. } = &one.kind else {
                return;
            };
            let symbol = one.symbol().map(|symbol| &unit.symbols[symbol.0]);
            if symbol.is_some_and(|symbol| symbol.kind == SymbolKind::Function)
                && let Some(at) = names.iter().position(|known| known == name)
            {
                used[at] = true;
            }
        });
    }
    let defined = |name: &str| {
        let mut functions = program.units.iter().flat_map(|unit| &unit.functions);
        functions.any(|function| function.in_user_file && function.name == name)
    };
    let names = names.iter().zip(used);
    let used = names.filter(|(name, used)| *used && !defined(name));
    used.map(|(name, _)| *name).collect()
}
