//! The files with line numbers, and marks at the lines that decisions speak of.

use std::collections::{BTreeMap, BTreeSet};

use super::escape::escaped;
use super::highlight::lines;
use crate::explain::report::{Place, Report};
use crate::explain::words::{Mark, Piece, because};

/// The lines that something is said about.
#[derive(Debug, Default)]
pub struct Lines {
    /// File and line → what happens there.
    marks: BTreeMap<(usize, usize), BTreeSet<Mark>>,
    /// File and line → checkpoints there.
    checkpoints: BTreeMap<(usize, usize), usize>,
    paths: BTreeMap<String, usize>,
}

impl Lines {
    /// Those of a report.
    pub fn of(report: &Report) -> Lines {
        let paths = report
            .files
            .iter()
            .enumerate()
            .map(|(number, file)| (file.path.clone(), number))
            .collect();
        let mut all = Lines {
            paths,
            ..Lines::default()
        };
        for (number, checkpoint) in report.checkpoints.iter().enumerate() {
            if let Some(at) = all.find(&checkpoint.place) {
                all.checkpoints.insert(at, number);
            }
            for frame in &checkpoint.way {
                all.add(&frame.call, Mark::Way);
            }
            for row in &checkpoint.rows {
                for piece in because(row) {
                    if let Piece::Place(place, mark) = piece {
                        all.add(&place, mark);
                    }
                }
            }
        }
        all
    }

    fn add(&mut self, place: &Place, mark: Mark) {
        if let Some(at) = self.find(place) {
            self.marks.entry(at).or_default().insert(mark);
        }
    }

    fn find(&self, place: &Place) -> Option<(usize, usize)> {
        Some((*self.paths.get(&place.file)?, place.line))
    }

    /// The name of a place in the page, when its file is in it.
    pub fn anchor(&self, place: &Place) -> Option<String> {
        let (file, line) = self.find(place)?;
        Some(format!("f{file}-{line}"))
    }
}

/// The class of a mark.
pub fn class(mark: Mark) -> &'static str {
    match mark {
        Mark::Read => "read",
        Mark::Write => "write",
        Mark::Way => "way",
        Mark::Register => "register",
        Mark::Block => "block",
        Mark::Declared => "declared",
    }
}

/// The letter of a mark in the margin.
fn letter(mark: Mark) -> (&'static str, &'static str) {
    match mark {
        Mark::Read => ("r", "read after a restart"),
        Mark::Write => ("w", "set or changed"),
        Mark::Way => ("→", "on the way"),
        Mark::Register => ("●", "registered"),
        Mark::Block => ("↻", "executed on restart"),
        Mark::Declared => ("·", "declared or allocated"),
    }
}

/// What the letters mean.
pub fn legend() -> String {
    let mut out = String::from("<p id=legend><span><b class=dia>◆</b> checkpoint</span>");
    for mark in [
        Mark::Register,
        Mark::Read,
        Mark::Write,
        Mark::Way,
        Mark::Block,
        Mark::Declared,
    ] {
        let (sign, meaning) = letter(mark);
        out += &format!("<span><b class={}>{sign}</b> {meaning}</span>", class(mark));
    }
    out + "</p>\n"
}

/// A file.
pub fn source(report: &Report, number: usize, known: &Lines) -> String {
    let Some(file) = report.files.get(number) else {
        return String::new();
    };
    let mut out = format!(
        "<section class=file><h2 id=f{number}>{}</h2>\n<div class=code>\n",
        escaped(&file.path)
    );
    for (index, text) in lines(&file.text).into_iter().enumerate() {
        let own = file.lines.line(index + 1);
        let line = own.number;
        let at = (number, line);
        let mut classes = vec!["l"];
        let mut signs = String::new();
        if own.is_added {
            out += &format!(
                "<div class=\"l directive\"><a class=no>+</a><span class=m></span><code>{text}</code></div>\n"
            );
            continue;
        }
        if let Some(checkpoint) = known.checkpoints.get(&at) {
            classes.push("checkpoint");
            signs += &format!("<a href=#c{checkpoint} title=\"checkpoint: its decisions\">◆</a>");
        } else if file.directives.contains(&line) {
            classes.push("directive");
        }
        for mark in known.marks.get(&at).into_iter().flatten() {
            let (sign, meaning) = letter(*mark);
            signs += &format!("<b class={} title=\"{meaning}\">{sign}</b>", class(*mark));
        }
        out += &format!(
            "<div class=\"{}\" id=f{number}-{line}><a class=no href=#f{number}-{line}>{line}</a>\
             <span class=m>{signs}</span><code>{text}</code></div>\n",
            classes.join(" ")
        );
    }
    out += "</div>\n</section>\n";
    out
}
