//! The decisions: a part per checkpoint, a row per location.

use super::escape::escaped;
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
    if !report.remarks.is_empty() {
        out += "<section class=remarks><h2>About the whole program</h2>\n<ul>\n";
        for remark in &report.remarks {
            out += &format!("<li>{}</li>\n", note(remark, lines));
        }
        out += "</ul></section>\n";
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

fn link(place: &Place, mark: Mark, here: Option<&str>, lines: &Lines) -> String {
    let mut text = escaped(&place.text());
    if let Some(function) = &place.function
        && Some(function.as_str()) != here
    {
        text += &format!(" in {}", escaped(function));
    }
    match lines.anchor(place) {
        Some(anchor) => format!("<a class={} href=#{anchor}>{text}</a>", class(mark)),
        None => format!("<span class={}>{text}</span>", class(mark)),
    }
}

fn one(number: usize, checkpoint: &Checkpoint, lines: &Lines) -> String {
    let here = checkpoint.place.function.as_deref();
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
    if !checkpoint.way.is_empty() {
        let calls: Vec<String> = checkpoint
            .way
            .iter()
            .map(|frame| {
                format!(
                    "{} ({})",
                    escaped(&frame.function),
                    link(&frame.call, Mark::Way, Some(&frame.function), lines)
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
            told += &format!(", {}", total(&checkpoint.removable));
        }
        out += &format!(
            "<div class=part data-verdict={kind}><h3 class={kind} title=\"{}\">{} {}</h3>\n",
            escaped(&told),
            rows.len(),
            title(verdict)
        );
        for row in rows {
            out += &article(row, kind, here, checkpoint, lines);
        }
        out += "</div>\n";
    }
    out + "</section>\n"
}

fn article(
    row: &Row,
    kind: &str,
    here: Option<&str>,
    checkpoint: &Checkpoint,
    lines: &Lines,
) -> String {
    let mut hits: Vec<String> = Vec::new();
    let mut why = String::new();
    for piece in because(row) {
        match piece {
            Piece::Words(words) => why += &escaped(&words),
            Piece::Place(place, mark) => {
                why += &link(&place, mark, here, lines);
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
    let shown = name(row, here);
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
        out += &format!("<p class=safe>{}</p>\n", note(one, lines));
    }
    out + "</article>\n"
}

fn note(one: &Conservative, lines: &Lines) -> String {
    let mut text = escaped(&one.because);
    if let Some(place) = &one.place {
        text += &format!(" ({})", link(place, Mark::Way, None, lines));
    }
    if !one.lift.is_empty() {
        text += &format!("; <em>{}</em>", escaped(&one.lift));
    }
    text
}
