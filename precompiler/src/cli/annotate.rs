//! Files with their inferred directives, as a whole or as a patch.

use super::options::Annotate;
use crate::program::Unit;
use std::fmt::Write;

/// A file in the form asked for.
pub fn text(unit: &Unit, form: Annotate) -> String {
    match form {
        Annotate::Text => unit.file.original.clone(),
        Annotate::Patch => patch(unit),
    }
}

/// How many lines of the user's text stand around a change.
const CONTEXT: usize = 3;

/// A unified diff. Lines are only added, or cut in two, so no search for the shortest difference is needed.
fn patch(unit: &Unit) -> String {
    let file = &unit.file;
    if file.lines.is_plain() {
        return String::new();
    }
    let now: Vec<&str> = file.original.split_inclusive('\n').collect();
    let mut rows: Vec<Row> = Vec::new();
    let mut index = 0;
    while index < now.len() {
        let line = file.lines.line(index + 1);
        if line.is_added {
            rows.push(Row::Added(now[index].to_string()));
            index += 1;
            continue;
        }
        // Further parts of a line that was cut, with what was put between them.
        let part = |at: &usize| {
            let other = file.lines.line(at + 1);
            !other.is_added && other.number == line.number
        };
        let same_line = (index..now.len()).take_while(|at| file.lines.of(at + 1) == line.number);
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
    let _ = write!(out, "--- {0}\n+++ {0}\n", file.path);
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
