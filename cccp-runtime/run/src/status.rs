//! How far a run is: from its history, its lock and the files that are there.
//!
//! In: a directory of checkpoints. Out: a few lines, or JSON. Nothing in the directory is changed, and a run that has it does
//! not notice.

use std::path::Path;

use cccp::format::{age, span};
use cccp::store::{End, Event, Past, Why, history};
use cccp_ckpt::outcome::Failure;
use cccp_ckpt::render::{count, size};
use serde::Serialize;

use crate::account::{Account, latest};
use crate::child::now;
use crate::output::{json, print};
use crate::place::holders;

/// What is known.
#[derive(Debug, Serialize)]
struct Answer {
    directory: String,
    program: String,
    state: &'static str,
    reason: Option<String>,
    ranks: u32,
    host: String,
    process: u32,
    starts: u64,
    deaths: u64,
    restarts: u64,
    checkpoints: u64,
    skipped: usize,
    last_skipped: Option<String>,
    last: Option<Last>,
    running_seconds: f64,
    stood_seconds: f64,
    lost_seconds: f64,
    saved_seconds: f64,
    at_risk_seconds: Option<f64>,
    due_in_seconds: Option<f64>,
}

/// The last checkpoint.
#[derive(Debug, Serialize)]
struct Last {
    generation: u64,
    time: f64,
    age_seconds: f64,
    bytes: u64,
    place: String,
}

/// Says how far it is.
pub fn run(directory: &Path, as_json: bool) -> Result<(), Failure> {
    let runs = history(directory);
    if runs.is_empty() {
        return Err(Failure::said(format!(
            "{}: there is no history of runs here; give the directory of checkpoints, such as `heat.cccp`",
            directory.display()
        )));
    }
    let answer = look(directory, &runs, !holders(directory).is_empty(), now());
    match as_json {
        true => json("status", &answer),
        false => print(text(&answer, now())),
    }
}

fn look(directory: &Path, runs: &[Past], is_held: bool, now: f64) -> Answer {
    let own = latest(runs);
    let current = &own[own.len() - 1];
    let is_running = is_held && current.end() == End::Open;
    let sums = Account::of(own, is_running.then_some(now));
    let (state, reason) = match current.end() {
        _ if is_running => ("running", None),
        End::Complete => ("complete", None),
        End::Left(why) => ("left", Some(why)),
        End::Stopped(reason) => ("stopped", Some(reason)),
        End::Died(..) | End::Open => ("died", died(current)),
    };
    let last = own
        .iter()
        .flat_map(Past::taken)
        .max_by_key(|one| one.1.generation);
    let last = last.map(|(time, taken)| Last {
        generation: taken.generation,
        time,
        age_seconds: now - time,
        bytes: taken.bytes,
        place: format!("{}:{}", taken.file, taken.line),
    });
    let held = current
        .taken()
        .next_back()
        .map_or(current.begun, |one| one.0);
    let skipped = current.events.iter().filter_map(|(_, event)| match event {
        Event::Skipped(reason) => Some(reason.clone()),
        _ => None,
    });
    let skipped: Vec<String> = skipped.collect();
    Answer {
        directory: directory.display().to_string(),
        program: current.started.program.clone(),
        state,
        reason,
        ranks: current.started.size,
        host: current.started.host.clone(),
        process: current.started.process,
        starts: sums.runs,
        deaths: sums.deaths + u64::from(current.end() == End::Open && !is_running),
        restarts: sums.restarts,
        checkpoints: sums.checkpoints,
        skipped: skipped.len(),
        last_skipped: skipped.into_iter().next_back(),
        last,
        running_seconds: sums.ran,
        stood_seconds: sums.stood,
        lost_seconds: sums.lost,
        saved_seconds: sums.saved,
        at_risk_seconds: is_running.then_some(now - held),
        due_in_seconds: is_running.then(|| due(current, now)).flatten(),
    }
}

fn died(run: &Past) -> Option<String> {
    match run.events.last() {
        Some((_, Event::Died(how))) => Some(how.clone()),
        _ => None,
    }
}

/// When the next checkpoint is due, as far as the last ones tell: those taken by time are evenly apart.
fn due(run: &Past, now: f64) -> Option<f64> {
    let mut taken = run.taken().rev();
    let (last, before) = (taken.next()?, taken.next()?);
    let apart = last.0 - before.0;
    let is_even = [last.1.why, before.1.why]
        .iter()
        .all(|why| [Why::Interval, Why::Calls].contains(why));
    is_even.then_some((last.0 + apart - now).max(0.0))
}

fn text(answer: &Answer, now: f64) -> String {
    let time = |seconds: f64| span(seconds.round() as u64);
    let mut lines = Vec::new();
    let ranks = match answer.ranks {
        1 => String::new(),
        ranks => format!(" on {ranks} ranks"),
    };
    let reason = answer
        .reason
        .as_ref()
        .map_or(String::new(), |reason| format!(" ({reason})"));
    lines.push(match answer.state {
        "running" => format!(
            "{}{ranks}: running as process {} on {}, for {} so far",
            answer.program,
            answer.process,
            answer.host,
            time(answer.running_seconds)
        ),
        state => format!("{}{ranks}: {state}{reason}", answer.program),
    });
    lines.push(format!(
        "starts        {}: {}, {}",
        answer.starts,
        count(answer.restarts, "restart"),
        count(answer.deaths, "death")
    ));
    lines.push(match &answer.last {
        Some(last) => format!(
            "checkpoints   {}; the last one is generation {}, {}, {} at {}",
            answer.checkpoints,
            last.generation,
            age(last.time as u64, now as u64),
            size(last.bytes, false),
            last.place
        ),
        None => "checkpoints   none yet".to_string(),
    });
    if let Some(reason) = &answer.last_skipped {
        let skipped = count(answer.skipped as u64, "checkpoint");
        lines.push(format!(
            "not taken     {skipped}; the last one because {reason}"
        ));
    }
    let share = 100.0 * answer.stood_seconds / answer.running_seconds.max(1e-9);
    lines.push(format!(
        "cost so far   the program stood still for {:.2} s, {share:.2} % of the time",
        answer.stood_seconds
    ));
    if answer.starts > 1 {
        lines.push(format!(
            "deaths        {} of work lost to them, {} saved by checkpoints",
            time(answer.lost_seconds),
            time(answer.saved_seconds)
        ));
    }
    if let Some(risk) = answer.at_risk_seconds {
        let due = answer.due_in_seconds;
        let due = due.map_or(String::new(), |due| {
            format!("; the next checkpoint in about {}", time(due))
        });
        lines.push(format!("work at risk  {}{due}", time(risk)));
    }
    lines.join("\n") + "\n"
}
