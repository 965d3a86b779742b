//! Checkpoint after checkpoint, each with a table per verdict, what is missing first.

use super::table::{Column, table, wrapped};
use crate::explain::report::{Checkpoint, Conservative, Report, Row, Verdict};
use crate::explain::words::{
    Mark, Piece, because, bytes, count, heading, meaning, name, title, total,
};

const COLUMNS: [Column; 4] = [
    Column {
        most: 26,
        right: false,
    },
    Column {
        most: 18,
        right: false,
    },
    Column {
        most: 20,
        right: true,
    },
    Column {
        most: 100,
        right: false,
    },
];

/// The report as text. `colour`: for a terminal that has colours.
pub fn text(report: &Report, colour: bool) -> String {
    let mut out = String::new();
    if report.checkpoints.is_empty() {
        out += "There is no checkpoint in these files.\n";
    }
    for (number, checkpoint) in report.checkpoints.iter().enumerate() {
        if number > 0 {
            out.push('\n');
        }
        one(checkpoint, colour, &mut out);
    }
    if !report.remarks.is_empty() {
        out += "\nabout the whole program\n";
        for remark in &report.remarks {
            note("  - ", remark, &mut out);
        }
    }
    if !report.assumed.is_empty() {
        out += "\nassumed: what could not be checked\n";
        for one in &report.assumed {
            note("  - ", one, &mut out);
        }
    }
    if !report.wanted.is_empty() {
        let names: Vec<String> = report
            .wanted
            .iter()
            .map(|name| format!("--size {name}=…"))
            .collect();
        out += "\n";
        for line in wrapped(&format!("for numbers of bytes: {}", names.join(" ")), 100) {
            out += &line;
            out.push('\n');
        }
    }
    // What must not be broken stands together now.
    out.replace('\u{a0}', " ")
}

fn paint(text: &str, code: &str, colour: bool) -> String {
    if colour {
        format!("\x1b[{code}m{text}\x1b[0m")
    } else {
        text.to_string()
    }
}

fn one(checkpoint: &Checkpoint, colour: bool, out: &mut String) {
    let place = paint(&checkpoint.place.text(), "1", colour);
    *out += &format!("{place}  {}\n", heading(checkpoint));
    let way: Vec<String> = checkpoint
        .way
        .iter()
        .map(|frame| {
            let call = Piece::at(&frame.call, &checkpoint.place.file);
            format!("{} at {call}", frame.function)
        })
        .collect();
    if !way.is_empty() {
        let text = format!("called by {}", way.join(", "));
        for line in wrapped(&text, 98) {
            *out += &format!("  {line}\n");
        }
    }
    for line in checkpoint.why_here.iter().flat_map(|why| wrapped(why, 98)) {
        *out += &format!("  {line}\n");
    }
    *out += &format!("  every checkpoint: {}\n", total(&checkpoint.total));
    let mut notes: Vec<Conservative> = Vec::new();
    for verdict in [
        Verdict::Missing,
        Verdict::Removable,
        Verdict::Saved,
        Verdict::NotSaved,
    ] {
        let rows: Vec<&Row> = checkpoint
            .rows
            .iter()
            .filter(|row| row.verdict == verdict)
            .collect();
        if !rows.is_empty() {
            part(checkpoint, verdict, &rows, colour, &mut notes, out);
        }
    }
    if !notes.is_empty() {
        *out += "\n  assumed on the safe side\n";
        for (number, one) in notes.iter().enumerate() {
            note(&format!("    [{}] ", number + 1), one, out);
        }
    }
}

fn part(
    checkpoint: &Checkpoint,
    verdict: Verdict,
    rows: &[&Row],
    colour: bool,
    notes: &mut Vec<Conservative>,
    out: &mut String,
) {
    let code = match verdict {
        Verdict::Missing => "1;31",
        Verdict::Removable => "1;33",
        Verdict::Saved => "1;32",
        Verdict::NotSaved => "1",
    };
    let mut told = format!("{} – {}", count(rows.len(), "location"), meaning(verdict));
    if verdict == Verdict::Removable {
        told += &format!("; {}", total(&checkpoint.removable));
    }
    let head = title(verdict);
    let lines = wrapped(&format!("{head}: {told}"), 98);
    out.push('\n');
    for (number, line) in lines.iter().enumerate() {
        match line.strip_prefix(head) {
            Some(rest) if number == 0 => {
                *out += &format!("  {}{rest}\n", paint(head, code, colour))
            }
            _ => *out += &format!("    {line}\n"),
        }
    }
    let cells: Vec<Vec<String>> = rows
        .iter()
        .map(|row| cells(checkpoint, row, notes))
        .collect();
    for line in table(&COLUMNS, &cells, 4) {
        *out += &line;
        out.push('\n');
    }
}

fn cells(checkpoint: &Checkpoint, row: &Row, notes: &mut Vec<Conservative>) -> Vec<String> {
    let mut why = String::new();
    for piece in because(row) {
        match piece {
            Piece::Words(words) => why += &words,
            Piece::Place(place, mark) => {
                why += &Piece::at(&place, &checkpoint.place.file);
                if place.function.is_some()
                    && place.function != checkpoint.place.function
                    && !(mark == Mark::Register && place.function == row.function)
                    && let Some(function) = &place.function
                {
                    why += &format!(" in\u{a0}{function}");
                }
            }
        }
    }
    for one in &row.conservative {
        let known = notes.iter().position(|note| note == one);
        let number = known.unwrap_or_else(|| {
            notes.push(one.clone());
            notes.len() - 1
        });
        why += &format!(" [{}]", number + 1);
    }
    vec![
        name(row, checkpoint),
        row.type_name.clone(),
        bytes(&row.bytes),
        why,
    ]
}

fn note(bullet: &str, one: &Conservative, out: &mut String) {
    let mut text = one.because.clone();
    if let Some(place) = &one.place {
        text += &format!(" ({})", place.text());
    }
    if !one.lift.is_empty() {
        text += &format!("; {}", one.lift);
    }
    let indent = bullet.chars().count();
    for (number, line) in wrapped(&text, 100 - indent).into_iter().enumerate() {
        let before = if number == 0 {
            bullet.to_string()
        } else {
            " ".repeat(indent)
        };
        *out += &format!("{before}{line}\n");
    }
}
