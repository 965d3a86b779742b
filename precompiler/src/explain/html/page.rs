//! The page as a whole.

use super::escape::escaped;
use super::panel::panel;
use super::source::{Lines, legend, source};
use crate::explain::report::{Report, Verdict};
use crate::explain::words::{count, title};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// The page.
pub fn html(report: &Report) -> String {
    let names: Vec<&str> = report.files.iter().map(|file| file.path.as_str()).collect();
    let lines = Lines::of(report);
    let mut out = String::from("<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n");
    // Nothing is fetched, whatever stands in the text.
    out += "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'; \
            script-src 'unsafe-inline'\">\n";
    out += "<meta name=viewport content=\"width=device-width, initial-scale=1\">\n";
    out += &format!(
        "<title>Checkpoints of {}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n",
        escaped(&names.join(", "))
    );
    out += &head(report, &names);
    out += "<main>\n<div id=source>\n";
    out += &legend();
    for number in 0..report.files.len() {
        out += &source(report, number, &lines);
    }
    out += "</div>\n<div id=panel>\n";
    out += &panel(report, &lines);
    out += &format!("</div>\n</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n");
    out
}

fn head(report: &Report, names: &[&str]) -> String {
    let all = |pick: fn(&crate::explain::report::Counts) -> usize| -> usize {
        report
            .checkpoints
            .iter()
            .map(|checkpoint| pick(&checkpoint.counts))
            .sum()
    };
    let numbers = [
        (Verdict::Missing, all(|counts| counts.missing), "missing"),
        (
            Verdict::Removable,
            all(|counts| counts.removable),
            "removable",
        ),
        (Verdict::Saved, all(|counts| counts.saved), "saved"),
        (
            Verdict::NotSaved,
            all(|counts| counts.not_saved),
            "not_saved",
        ),
    ];
    let mut out = String::from("<header>\n<h1>What the checkpoints hold</h1>\n");
    out += &format!(
        "<p class=sub>{} in {}</p>\n",
        count(report.checkpoints.len(), "checkpoint"),
        escaped(&names.join(", "))
    );
    out += "<div class=tools>\n";
    for (verdict, number, class) in numbers {
        out += &format!(
            "<label class=\"pick {class}\"><input type=checkbox checked data-verdict={class}> \
             <b>{number}</b> {}</label>\n",
            title(verdict)
        );
    }
    out += "<input id=find type=search placeholder=\"name or type\" aria-label=\"show locations with this name or type\">\n";
    out +=
        "<button id=theme type=button aria-label=\"dark or light\">◐</button>\n</div>\n</header>\n";
    out
}
