//! Files with their inferred directives, as a whole or as a patch.

use super::options::Annotate;
use crate::program::Unit;
use crate::source::{UserLines, quoted};
use std::collections::BTreeSet;
use std::fmt::Write;

/// A file in the form asked for.
pub fn text(unit: &Unit, form: Annotate) -> String {
    match form {
        Annotate::Text => whole(unit),
        Annotate::Patch => patches(unit),
    }
}

/// What was taken in stays outside when nothing was added to it.
fn whole(unit: &Unit) -> String {
    let (file, lines) = (&unit.file, &unit.file.lines);
    let all = (1..=file.line_starts.len()).map(|line| lines.line(line));
    let has_added = all.into_iter().any(|line| line.is_added && line.part > 0);
    if !has_added {
        return file.as_written().into_owned();
    }
    lines.marked(&file.original, |line| {
        let name = lines.name(line).unwrap_or(&file.path);
        format!("#line {} {}", lines.of(line), quoted(name))
    })
}

/// One patch for each file that was changed.
fn patches(unit: &Unit) -> String {
    let (file, parts) = (&unit.file, unit.file.lines.parts());
    if parts.is_empty() {
        return patch(&file.path, &file.original, &file.lines);
    }
    let mut out = String::new();
    let mut changed = BTreeSet::new();
    let names = std::iter::once(&file.path).chain(parts.iter().map(|part| &part.name));
    for (part, name) in names.enumerate() {
        let (text, lines) = file.lines.alone(&file.original, part);
        let patch = patch(name, &text, &lines);
        if patch.contains("\n@@") && changed.insert(name) {
            out += &patch;
        }
    }
    out
}

/// How many lines of the user's text stand around a change.
const CONTEXT: usize = 3;

/// A unified diff. Lines are only added, or cut in two, so no search for the shortest difference is needed.
fn patch(path: &str, text: &str, lines: &UserLines) -> String {
    if lines.is_plain() {
        return String::new();
    }
    let now: Vec<&str> = text.split_inclusive('\n').collect();
    let mut rows: Vec<Row> = Vec::new();
    let mut index = 0;
    while index < now.len() {
        let line = lines.line(index + 1);
        if line.is_added {
            rows.push(Row::Added(now[index].to_string()));
            index += 1;
            continue;
        }
        // Further parts of a line that was cut, with what was put between them.
        let part = |at: &usize| {
            let other = lines.line(at + 1);
            !other.is_added && other.number == line.number
        };
        let same_line = (index..now.len()).take_while(|at| lines.of(at + 1) == line.number);
        let last = same_line.filter(part).last().unwrap_or(index);
        if last == index {
            rows.push(Row::Same(now[index].to_string()));
        } else {
            let parts: Vec<&str> = (index..=last).filter(part).map(|at| now[at]).collect();
            rows.push(Row::Removed(joined(&parts)));
            rows.extend((index..=last).map(|at| Row::Added(now[at].to_string())));
        }
        index = last + 1;
    }
    let mut out = String::new();
    let _ = write!(out, "--- {0}\n+++ {0}\n", path);
    let changed = |row: &Row| !matches!(row, Row::Same(_));
    let mut at = 0;
    while let Some(first) = rows[at..].iter().position(changed).map(|found| at + found) {
        let mut last = first;
        while let Some(next) = rows[last + 1..]
            .iter()
            .position(changed)
            .map(|found| last + 1 + found)
            .filter(|next| next - last <= 2 * CONTEXT)
        {
            last = next;
        }
        let from = first.saturating_sub(CONTEXT);
        let to = (last + 1 + CONTEXT).min(rows.len());
        hunk(&rows, from, to, &mut out);
        at = last + 1;
    }
    out
}

/// A row of a patch.
enum Row {
    Same(String),
    Added(String),
    Removed(String),
}

/// The line that was cut: every part but the first keeps its column by white space in front.
fn joined(parts: &[&str]) -> String {
    let mut whole = String::new();
    for part in parts {
        let text = part.trim_end_matches(['\n', '\r']);
        whole.push_str(text.get(whole.len()..).unwrap_or(text));
    }
    let last = parts.last().map_or("", |part| *part);
    whole + &last[last.trim_end_matches(['\n', '\r']).len()..]
}

fn hunk(rows: &[Row], from: usize, to: usize, out: &mut String) {
    let counts = |rows: &[Row]| {
        let old = rows
            .iter()
            .filter(|row| !matches!(row, Row::Added(_)))
            .count();
        let new = rows
            .iter()
            .filter(|row| !matches!(row, Row::Removed(_)))
            .count();
        (old, new)
    };
    let (old_start, new_start) = counts(&rows[..from]);
    let (old, new) = counts(&rows[from..to]);
    let _ = writeln!(
        out,
        "@@ -{},{old} +{},{new} @@",
        old_start + 1,
        new_start + 1
    );
    for row in &rows[from..to] {
        let (sign, text) = match row {
            Row::Same(text) => (' ', text),
            Row::Added(text) => ('+', text),
            Row::Removed(text) => ('-', text),
        };
        out.push(sign);
        out.push_str(text);
        if !text.ends_with('\n') {
            out.push_str("\n\\ No newline at end of file\n");
        }
    }
}
