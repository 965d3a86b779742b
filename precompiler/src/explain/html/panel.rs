//! The decisions: a part per checkpoint, a row per location.

use super::escape::{escaped, sentence};
use super::source::{Lines, class};
use crate::explain::report::{Checkpoint, Conservative, Place, Report, Row, Verdict};
use crate::explain::words::{
    Mark, Piece, because, bytes, count, heading, meaning, name, title, total,
};

/// All checkpoints.
pub fn panel(report: &Report, lines: &Lines) -> String {
    let mut out = String::new();
    if report.checkpoints.is_empty() {
        out += "<p class=none>There is no checkpoint in these files.</p>\n";
    }
    for (number, checkpoint) in report.checkpoints.iter().enumerate() {
        out += &one(number, checkpoint, lines);
    }
    for (title, notes) in [
        ("About the whole program", &report.remarks),
        ("Assumed: what could not be checked", &report.assumed),
    ] {
        if !notes.is_empty() {
            out += &format!("<section class=remarks><h2>{title}</h2>\n<ul>\n");
            for one in notes {
                out += &format!("<li>{}</li>\n", note(one, &Place::default(), lines));
            }
            out += "</ul></section>\n";
        }
    }
    if !report.wanted.is_empty() {
        let names: Vec<String> = report
            .wanted
            .iter()
            .map(|name| format!("<code>--size {}=…</code>", escaped(name)))
            .collect();
        out += &format!(
            "<p class=hint>For numbers of bytes: {}</p>\n",
            names.join(" ")
        );
    }
    out
}

/// A link to a place, as seen from another one: in the same file the line is enough, in the same function its name is
/// left out.
fn link(place: &Place, mark: Mark, here: &Place, lines: &Lines) -> String {
    let mut text = escaped(&Piece::at(place, &here.file));
    if let Some(function) = &place.function
        && place.function != here.function
    {
        text += &format!(" in {}", escaped(function));
    }
    match lines.anchor(place) {
        Some(anchor) => format!("<a class={} href=#{anchor}>{text}</a>", class(mark)),
        None => format!("<span class={}>{text}</span>", class(mark)),
    }
}

fn one(number: usize, checkpoint: &Checkpoint, lines: &Lines) -> String {
    let here = &checkpoint.place;
    let at = match lines.anchor(&checkpoint.place) {
        Some(anchor) => format!(
            "<a href=#{anchor}>{}</a>",
            escaped(&checkpoint.place.text())
        ),
        None => escaped(&checkpoint.place.text()),
    };
    let mut out = format!(
        "<section class=cp id=c{number}>\n<h2><span class=dia>◆</span> {at} <small>{}</small></h2>\n",
        escaped(&heading(checkpoint))
    );
    for why in &checkpoint.why_here {
        out += &format!("<p class=hint>{}</p>\n", escaped(why));
    }
    if !checkpoint.way.is_empty() {
        let calls: Vec<String> = checkpoint
            .way
            .iter()
            .map(|frame| {
                format!(
                    "{} ({})",
                    escaped(&frame.function),
                    link(
                        &frame.call,
                        Mark::Way,
                        &Place {
                            function: Some(frame.function.clone()),
                            ..here.clone()
                        },
                        lines
                    )
                )
            })
            .collect();
        out += &format!("<p class=way>called by {}</p>\n", calls.join(", "));
    }
    out += &format!(
        "<p class=total>every checkpoint: <b>{}</b></p>\n",
        escaped(&total(&checkpoint.total))
    );
    for (verdict, kind) in [
        (Verdict::Missing, "missing"),
        (Verdict::Removable, "removable"),
        (Verdict::Saved, "saved"),
        (Verdict::NotSaved, "not_saved"),
    ] {
        let rows: Vec<&Row> = checkpoint
            .rows
            .iter()
            .filter(|row| row.verdict == verdict)
            .collect();
        if rows.is_empty() {
            continue;
        }
        let mut told = meaning(verdict).to_string();
        if verdict == Verdict::Removable {
            told += &format!("; {}", total(&checkpoint.removable));
        }
        out += &format!(
            "<div class=part data-verdict={kind}><h3 class={kind} title=\"{}\">{} {}</h3>\n",
            escaped(&told),
            rows.len(),
            title(verdict)
        );
        for row in rows {
            out += &article(row, kind, checkpoint, lines);
        }
        out += "</div>\n";
    }
    out + "</section>\n"
}

fn article(row: &Row, kind: &str, checkpoint: &Checkpoint, lines: &Lines) -> String {
    let here = &checkpoint.place;
    let own = Place {
        function: row.function.clone(),
        ..here.clone()
    };
    let mut hits: Vec<String> = Vec::new();
    let mut why = String::new();
    for piece in because(row) {
        match piece {
            Piece::Words(words) => why += &sentence(&words),
            Piece::Place(place, mark) => {
                // A register of another function is said to be one by the row's name.
                let seen = if mark == Mark::Register && place.function == row.function {
                    &own
                } else {
                    here
                };
                why += &link(&place, mark, seen, lines);
                if let Some(anchor) = lines.anchor(&place) {
                    hits.push(format!("{anchor}:{}", class(mark)));
                }
            }
        }
    }
    if let Some(declared) = &row.declared
        && let Some(anchor) = lines.anchor(declared)
    {
        hits.push(format!("{anchor}:declared"));
    }
    hits.sort();
    hits.dedup();
    let shown = name(row, checkpoint);
    let mut out = format!(
        "<article class={kind} tabindex=0 data-hits=\"{}\" data-words=\"{} {}\">\n",
        hits.join(" "),
        escaped(&shown),
        escaped(&row.type_name)
    );
    out += &format!(
        "<div class=top><code class=name>{}</code> <span class=type>{}</span><span class=bytes title=\"{}\">{}</span></div>\n",
        escaped(&shown),
        escaped(&row.type_name),
        escaped(&format!("{}: {}", row.bytes.expression, total(&row.bytes))),
        escaped(&bytes(&row.bytes))
    );
    if let (Some(own), Some(all)) = (row.bytes.memory, checkpoint.total.memory)
        && matches!(row.verdict, Verdict::Saved | Verdict::Removable)
        && all > 0
    {
        let share = own as f64 * 100.0 / all as f64;
        out += &format!("<div class=share><i style=\"width:{share:.2}%\"></i></div>\n");
    }
    out += &format!("<p class=why>{why}</p>\n");
    if row.members.len() > 1 {
        out += &format!(
            "<details class=members><summary>{}</summary><code>{}</code></details>\n",
            count(row.members.len(), "member"),
            escaped(&row.members.join(", "))
        );
    }
    for one in &row.conservative {
        out += &format!("<p class=safe>{}</p>\n", note(one, here, lines));
    }
    out + "</article>\n"
}

fn note(one: &Conservative, here: &Place, lines: &Lines) -> String {
    let mut text = sentence(&one.because);
    if let Some(place) = &one.place {
        text += &format!(" ({})", link(place, Mark::Way, here, lines));
    }
    if !one.lift.is_empty() {
        text += &format!("; <em>{}</em>", sentence(&one.lift));
    }
    text
}
