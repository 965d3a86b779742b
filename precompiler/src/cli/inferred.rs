//! What is said about lines that auto mode wrote, in words about the user's own text.
//!
//! In: a message at such a line. Out: one at the declaration of the variable that the line is about, or at the user's next
//! line, with the same reason. A user never saw the line, and cannot change it.

use crate::diagnostic::{Code, Diagnostic, Place, Severity};
use crate::program::{Program, Symbol, SymbolKind, Unit};

/// What can always be done.
const HELP: &str = "or write the directives by hand: `#pragma cccp init` behind what makes this memory, so that every start makes it, \
                    and registers of what changes after that; without --auto, what is missing is reported";

/// What the messages of a round are about, said to the user.
pub fn in_users_words(found: Vec<Diagnostic>, program: &Program) -> Vec<Diagnostic> {
    let mut all: Vec<Diagnostic> = Vec::new();
    for one in found {
        let words = about_variable(&one, program);
        let one = words.or_else(|| next_own(&one, program)).unwrap_or(one);
        // Several items of one variable may fail for one reason.
        if !all.contains(&one) {
            all.push(one);
        }
    }
    all
}

/// The message at the variable with which the item begins that it is about.
fn about_variable(one: &Diagnostic, program: &Program) -> Option<Diagnostic> {
    let Place::Range { path, range } = &one.place else {
        return None;
    };
    let mut units = program.units.iter();
    let unit = units.find(|unit| unit.file.path == *path)?;
    if one.severity != Severity::Error || !unit.file.is_added(range.start) {
        return None;
    }
    let item = &unit.file.original[range.clone()];
    let item = ["follow(", "file("]
        .iter()
        .find_map(|word| item.strip_prefix(word)?.strip_suffix(')'))
        .unwrap_or(item);
    let end = item.find(|one: char| !(one.is_alphanumeric() || one == '_'));
    let name = &item[..end.unwrap_or(item.len())];
    // A line of a block is about no variable; parameters of types have no names.
    if name.is_empty() {
        return None;
    }
    let variable = variable(unit, name, range.start)?;
    let place = unit.file.message_place(variable.declared)?;
    let what = match item == name && one.code != Code::CANNOT_FOLLOW {
        true => format!("`{name}`"),
        false => format!("all that `{name}` points to"),
    };
    let message = match one.message.split_once(" cannot go through ") {
        Some((_, holder)) => format!("{holder} cannot be followed"),
        None => one.message.clone(),
    };
    let why = match &one.reason {
        Some(reason) => format!("{message}: {reason}"),
        None => message,
    };
    let help = one.help.as_ref().map_or_else(
        || HELP.trim_start_matches("or ").to_string(),
        |help| format!("{help}; {HELP}"),
    );
    let place = Place::Range {
        path: path.clone(),
        range: place.start..place.end,
    };
    let message = format!("auto mode cannot restore {what}");
    let mut said = Diagnostic::error(Code::AUTO_NOT_SAVED, place, message)
        .label("a restarted program reads what it points to");
    if item == name && one.code != Code::CANNOT_FOLLOW {
        said.label = "a restarted program reads it".to_string();
    }
    said.reason = Some(why);
    said.help = Some(help);
    Some(said)
}

/// The message at the user's line before which the added one stands.
fn next_own(one: &Diagnostic, program: &Program) -> Option<Diagnostic> {
    let Place::Range { path, range } = &one.place else {
        return None;
    };
    let mut units = program.units.iter();
    let file = &units.find(|unit| unit.file.path == *path)?.file;
    if !file.is_added(range.start) {
        return None;
    }
    let text = &file.original;
    let ends = text[range.start..].match_indices('\n');
    let mut starts = ends.map(|(at, _)| range.start + at + 1);
    let (start, line) = starts.find_map(|start| {
        let line = text[start..].lines().next().unwrap_or_default();
        let is_own = start < text.len() && !file.is_added(start) && !line.trim().is_empty();
        is_own.then_some((start, line))
    })?;
    let start = start + line.len() - line.trim_start().len();
    let mut said = one.clone();
    said.place = Place::Range {
        path: path.clone(),
        range: start..start + line.trim().len(),
    };
    said.label = format!("before this line: {}", one.label);
    Some(said)
}

/// The variable of a name that a place sees: of its function, or of the file.
fn variable<'a>(unit: &'a Unit, name: &str, at: usize) -> Option<&'a Symbol> {
    let directive = unit
        .directives
        .iter()
        .find(|one| (one.lines.start..one.lines.end).contains(&at));
    let function = directive.and_then(|one| one.function);
    let mut all: Vec<&Symbol> = unit
        .symbols
        .iter()
        .filter(|one| one.name == name && one.kind == SymbolKind::Variable)
        .collect();
    // A line that is wrong may belong to no function.
    all.sort_by_key(|one| match one.function {
        Some(_) if one.function == function => 0,
        None => 1,
        Some(_) => 2,
    });
    all.first().copied()
}
