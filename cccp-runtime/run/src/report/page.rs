//! The page.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use cccp::format::date;
use cccp::store::{Directory, End, FileSystem, Past, history};
use cccp_ckpt::outcome::Failure;
use cccp_ckpt::output::create;
use cccp_ckpt::render::{count, size};

use super::drawing::{safe, time};
use super::series;
use super::timeline::{self, MOST, ended, how};
use super::variables::{Variables, variables};
use crate::account::{Account, latest};
use crate::child::now;
use crate::output::print;
use crate::place::holders;

const STYLE: &str = include_str!("style.css");

/// Writes the page; beside the directory when no place is said.
pub fn run(directory: &Path, to: Option<&Path>, force: bool) -> Result<(), Failure> {
    let runs = history(directory);
    if runs.is_empty() {
        return Err(Failure::said(format!(
            "{}: there is no history of runs here; give the directory of checkpoints, such as `heat.cccp`",
            directory.display()
        )));
    }
    let is_held = !holders(directory).is_empty();
    let files = variables(&Directory::new(Arc::new(FileSystem), directory));
    let text = page(directory, latest(&runs), is_held, &files);
    let to = to.map_or_else(|| beside(directory), Path::to_path_buf);
    create(&to, force, |out| out.write_all(text.as_bytes()))?;
    print(format!("{}\n", to.display()))
}

/// `heat.cccp` gives `heat.html`.
fn beside(directory: &Path) -> PathBuf {
    let name = directory.file_name().unwrap_or_default();
    PathBuf::from(name).with_extension("html")
}

fn page(directory: &Path, runs: &[Past], is_held: bool, files: &Variables) -> String {
    let last = &runs[runs.len() - 1];
    let is_running = is_held && last.end() == End::Open;
    let now = is_running.then(now);
    let sums = Account::of(runs, now);
    let program = safe(&last.started.program);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{program}: runs and checkpoints</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{program}</h1>\n"
    );
    let state = match (is_running, last.end()) {
        (true, _) => "running".to_string(),
        (_, End::Open) => "died".to_string(),
        _ => how(last),
    };
    let ranks = match last.started.size {
        1 => String::new(),
        ranks => format!(" on {ranks} ranks"),
    };
    out += &format!(
        "<p class=\"lead\">{}{ranks} · since {} · checkpoints in <code>{}</code></p>\n",
        safe(&state),
        date(runs[0].begun as u64),
        safe(&directory.display().to_string())
    );
    out += &tiles(&sums);
    out += &happened(runs, now);
    out += &costs(runs, &sums);
    out += &held(files);
    out += &table(runs, now);
    out + "</main>\n</body>\n</html>\n"
}

fn tiles(sums: &Account) -> String {
    let share = 100.0 * sums.stood / sums.ran.max(1e-9);
    let tile =
        |number: String, what: String| format!("<div><b>{number}</b><span>{what}</span></div>\n");
    let failures = match sums.deaths {
        0 => "no failure".to_string(),
        deaths => count(deaths, "failure"),
    };
    let mut out = "<section class=\"tiles\">\n".to_string();
    out += &tile(
        time(sums.ran),
        format!("of running in {}", count(sums.runs, "run")),
    );
    out += &tile(
        sums.checkpoints.to_string(),
        format!("checkpoints, {} of rank 0 written", size(sums.bytes, false)),
    );
    out += &tile(
        format!("{share:.2} %"),
        format!("of the time for checkpoints: {}", time(sums.stood)),
    );
    out += &tile(time(sums.lost), format!("of work lost to {failures}"));
    out += &tile(
        time(sums.saved),
        "of work not done again, because of checkpoints".to_string(),
    );
    out += &tile(
        time(sums.longest),
        "longest time between checkpoints: what a failure would cost at most".to_string(),
    );
    out + "</section>\n"
}

fn happened(runs: &[Past], now: Option<f64>) -> String {
    let first = runs.len().saturating_sub(MOST);
    let mut out = "<section>\n<h2>What happened when</h2>\n".to_string();
    if first > 0 {
        out += &format!("<p>The newest {MOST} of {} runs.</p>\n", runs.len());
    }
    out += &timeline::draw(&runs[first..], first + 1, now);
    out += "<p class=\"key\"><i class=\"k bar\"></i> running <i class=\"k taken\"></i> checkpoint <i class=\"k lost\"></i> work that was lost \
            <i class=\"k death\">×</i> failure <i class=\"k skipped\"></i> checkpoint not taken <i class=\"k way\"></i> restart</p>\n";
    out + "</section>\n"
}

fn costs(runs: &[Past], sums: &Account) -> String {
    let taken: Vec<_> = runs.iter().flat_map(Past::taken).map(|one| one.1).collect();
    if taken.is_empty() {
        return "<section>\n<h2>Checkpoints</h2>\n<p>None has been published.</p>\n</section>\n"
            .to_string();
    }
    let series_of = |number: &dyn Fn(&cccp::store::Taken) -> f64| {
        taken
            .iter()
            .map(|one| (one.generation, number(one)))
            .collect::<Vec<_>>()
    };
    let bytes = series_of(&|one| one.bytes as f64);
    let stood = series_of(&|one| one.stood);
    let wrote = series_of(&|one| one.wrote);
    let largest = bytes.iter().map(|one| one.1).fold(1.0, f64::max);
    let unit = 1024f64.powf(largest.log(1024.0).floor());
    let mean = sums.stood / taken.len() as f64;
    let mut out = "<section>\n<h2>What checkpoints cost</h2>\n".to_string();
    out += &format!(
        "<p>The program stood still for {} per checkpoint on average.</p>\n<h3>Standing still</h3>\n",
        time(mean)
    );
    out += &series::draw(
        &stood,
        &time,
        1.0,
        "Time for which the program stood still, by generation",
    );
    out += "<h3>Writing, beside the program unless the setting <code>write</code> says otherwise</h3>\n";
    out += &series::draw(&wrote, &time, 1.0, "Time of writing, by generation");
    out += "<h3>Bytes of rank 0</h3>\n";
    out += &series::draw(
        &bytes,
        &|number| size(number as u64, false),
        unit,
        "Bytes, by generation",
    );
    out + "</section>\n"
}

fn held(files: &Variables) -> String {
    let mut out = "<section>\n<h2>What they hold</h2>\n".to_string();
    for reason in &files.unread {
        out += &format!("<p class=\"bad\">Not read: {}</p>\n", safe(reason));
    }
    if files.rows.is_empty() {
        return out + "<p>No checkpoint file is there.</p>\n</section>\n";
    }
    out += "<p>Of all ranks, in the generations that are there.</p>\n<table>\n<tr><th>variable</th><th>type</th><th class=\"n\">line</th>";
    for generation in &files.generations {
        out += &format!("<th class=\"n\">generation {generation}</th>");
    }
    out += "<th class=\"wide\">share of the newest</th></tr>\n";
    let newest = |bytes: &[u64]| bytes.last().copied().unwrap_or(0);
    let all: u64 = files.rows.iter().map(|row| newest(&row.bytes)).sum();
    for row in &files.rows {
        out += &format!(
            "<tr><td><code>{}</code></td><td><code>{}</code></td><td class=\"n\">{}</td>",
            safe(&row.name),
            safe(&row.kind),
            row.line
        );
        for bytes in &row.bytes {
            out += &format!("<td class=\"n\">{}</td>", size(*bytes, false));
        }
        let share = 100.0 * newest(&row.bytes) as f64 / all.max(1) as f64;
        out += &format!(
            "<td><div class=\"share\"><i style=\"width:{share:.2}%\"></i></div></td></tr>\n"
        );
    }
    out + "</table>\n</section>\n"
}

fn table(runs: &[Past], now: Option<f64>) -> String {
    let mut out = "<section>\n<h2>Runs</h2>\n<table>\n<tr><th class=\"n\">run</th><th>began</th><th class=\"n\">ran for</th><th>went on from</th>\
                   <th class=\"n\">checkpoints</th><th>machine</th><th>end</th></tr>\n"
        .to_string();
    for (at, run) in runs.iter().enumerate() {
        let from = run
            .started
            .from
            .map_or("the beginning".to_string(), |from| {
                format!("generation {from}")
            });
        out += &format!(
            "<tr><td class=\"n\">{}</td><td>{}</td><td class=\"n\">{}</td><td>{from}</td><td class=\"n\">{}</td><td>{}</td><td>{}</td></tr>\n",
            at + 1,
            date(run.begun as u64),
            time(ended(run, now) - run.begun),
            run.taken().count(),
            safe(&run.started.host),
            safe(&how(run))
        );
    }
    out + "</table>\n</section>\n"
}
