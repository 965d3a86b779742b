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
    // Rows of a listing in which every line of the user's text occurs once, in order.
    let mut rows: Vec<Row> = Vec::new();
    let mut index = 0;
    while index < now.len() {
        let number = file.lines.of(index + 1);
        let mut end = index + 1;
        while end < now.len() && file.lines.of(end + 1) == number {
            end += 1;
        }
        let group = &now[index..end];
        rows.extend(difference(group));
        index = end;
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

/// What became of one line of the user's: the last row of the group, unless it was cut in two.
fn difference(group: &[&str]) -> Vec<Row> {
    let (last, added) = group.split_last().expect("a group has a line");
    let is_whole = added.iter().all(|line| is_added(line));
    let mut rows: Vec<Row> = Vec::new();
    if is_whole {
        rows.extend(added.iter().map(|line| Row::Added(line.to_string())));
        rows.push(Row::Same(last.to_string()));
        return rows;
    }
    let parts = group.iter().filter(|line| !is_added(line));
    let mut original = String::new();
    for part in parts {
        let text = part.trim_end_matches(['\n', '\r']);
        match original.is_empty() {
            true => original.push_str(text),
            // The second part of a line keeps its column.
            false => original.push_str(text.get(original.len()..).unwrap_or(text)),
        }
    }
    let end = &last[last.trim_end_matches(['\n', '\r']).len()..];
    rows.push(Row::Removed(format!("{original}{end}")));
    rows.extend(group.iter().map(|line| Row::Added(line.to_string())));
    rows
}

/// Lines that auto mode writes.
fn is_added(line: &str) -> bool {
    let line = line.trim();
    line.starts_with("#pragma cccp ")
        || matches!(line, "{" | "}" | ";")
        || line.starts_with("void cccp_register_")
        || line.starts_with("{ extern void cccp_register_")
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
