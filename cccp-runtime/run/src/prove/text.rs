//! The answer for people.

use super::answer::{Answer, Difference, Tried, Verdict};
use super::places::Place;
use super::run::OUTPUT;
use cccp_ckpt::render::count;

/// A restart in one line.
pub fn line(tried: &Tried) -> String {
    let with = match tried.with {
        "" => String::new(),
        with => format!(" {with}"),
    };
    let outcome = match (tried.same, &tried.reason) {
        (Some(true), _) => "the same".to_string(),
        (_, Some(reason)) => reason.clone(),
        _ => "DIFFERENT".to_string(),
    };
    format!(
        "killed after checkpoint {}, restarted{with}: {outcome}",
        tried.checkpoint
    )
}

/// All of it.
pub fn text(answer: &Answer) -> String {
    let mut lines = Vec::new();
    match (answer.verdict, &answer.reason) {
        (Verdict::Untried, Some(reason)) => lines.push(format!("not tried: {reason}")),
        (Verdict::Untried, None) => lines.push("not tried: no restart could be made".to_string()),
        (Verdict::Proved, _) => {
            let tried = answer
                .trials
                .iter()
                .filter(|one| one.same == Some(true))
                .count() as u64;
            lines.push(format!(
                "proved: {} end like the undisturbed run",
                count(tried, "restart")
            ));
        }
        (Verdict::Refused, _) => {
            let refused = || answer.trials.iter().filter(|one| one.refused);
            lines.push(format!(
                "REFUSED: {} of {} stopped at the start, and lost nothing; no restart ended differently",
                refused().count(),
                count(answer.trials.len() as u64, "restart")
            ));
            lines.extend(refused().next().map(line));
        }
        (Verdict::Different, _) => {
            let wrong: Vec<&Tried> = answer
                .trials
                .iter()
                .filter(|one| one.same == Some(false))
                .collect();
            lines.push(format!(
                "DIFFERENT: {} of {}",
                wrong.len(),
                count(answer.trials.len() as u64, "restart")
            ));
            let first = wrong[0];
            lines.push(line(first));
            lines.extend(first.differences.iter().map(difference));
            if !first.at_next_checkpoint.is_empty() {
                lines.push("at the next checkpoint after the restart already:".to_string());
                lines.extend(first.at_next_checkpoint.iter().map(difference));
            }
        }
    }
    lines.extend(answer.unrepeatable.iter().map(|one| told(one, "and")));
    lines.extend(
        answer
            .likely
            .iter()
            .map(|reason| format!("likely reason: {reason}")),
    );
    if answer.verdict != Verdict::Untried {
        let files = match answer.files.len() {
            0 => "no file".to_string(),
            _ => answer.files.join(", "),
        };
        let output = match answer.not_compared.iter().any(|one| one == OUTPUT) {
            true => "",
            false => "standard output, ",
        };
        lines.push(format!(
            "compared: {output}exit status, {files}, the last values of {}",
            count(answer.registers, "register")
        ));
        if !answer.not_compared.is_empty() {
            lines.push(format!(
                "not compared, because two undisturbed runs differ there: {}",
                answer.not_compared.join(", ")
            ));
        }
        if !answer.at_one_place {
            lines.push(
                "not compared: registers at checkpoints; these stand at several places, and come at other moments after a restart"
                    .to_string(),
            );
        }
        lines.extend(places(&answer.places));
        let every = match answer.every {
            _ if answer.spread.is_some() => {
                ", the more seldom at a place the more calls it has".to_string()
            }
            Some(1) => ", one at each call".to_string(),
            Some(every) => format!(", one after every {every} calls"),
            None => String::new(),
        };
        let more = answer.of_setting.map_or(String::new(), |all| {
            format!("; the setting `every` would take {all}, of which a proof needs these (`--sample all` and `--at` take them all)")
        });
        lines.push(format!(
            "{} in an undisturbed run{every}{more}",
            count(answer.checkpoints, "checkpoint")
        ));
    }
    lines.join("\n") + "\n"
}

/// Where checkpoints stand, when that is more than one place.
fn places(all: &[Place]) -> Vec<String> {
    if all.len() < 2 {
        return Vec::new();
    }
    let (reached, never): (Vec<&Place>, Vec<&Place>) =
        { all.iter() }.partition(|one| one.checkpoints > 0);
    let mut lines: Vec<String> = { reached.iter() }
        .map(|one| {
            format!(
                "at {}: {}, killed after {} of them",
                one.place,
                count(one.checkpoints, "checkpoint"),
                one.tried.len()
            )
        })
        .collect();
    let never: Vec<&str> = never.iter().map(|one| &*one.place).collect();
    if !never.is_empty() {
        lines.push(format!(
            "no checkpoint was taken, and nothing is proved, at {}",
            never.join(", ")
        ));
    }
    lines
}

fn difference(one: &Difference) -> String {
    told(one, "became")
}

/// A difference, with a word between what was expected and what was found.
fn told(one: &Difference, between: &str) -> String {
    let place = one
        .place
        .as_ref()
        .map_or(String::new(), |place| format!(" ({place})"));
    let extent = one
        .extent
        .as_ref()
        .map_or(String::new(), |extent| format!("; {extent}"));
    format!(
        "  {}{place}: {} {between} {}{extent}",
        one.what, one.expected, one.found
    )
}

/// What the reason may be. `forgotten` is what the precompiler misses in the source.
pub fn likely(trials: &[Tried], forgotten: Vec<String>) -> Vec<String> {
    let wrong = || trials.iter().filter(|one| one.same == Some(false));
    if wrong().next().is_none() || !forgotten.is_empty() {
        return forgotten;
    }
    let is_plain = |one: &&Tried| one.with.is_empty();
    if !wrong().any(|one| is_plain(&one)) && wrong().all(|one| one.with.contains("made to show")) {
        return vec![
            "something is read after a restart that is neither registered nor set again: memory that held the right value by chance"
                .to_string(),
        ];
    }
    if wrong().all(|one| one.with.contains("another directory")) {
        return vec!["a path is kept from before the checkpoint".to_string()];
    }
    if wrong().any(|one| one.reason.is_some()) {
        return Vec::new();
    }
    vec![
        "something that the program reads after the checkpoint is neither registered nor set again on the way; `cccp-pp --explain` \
         of the source shows what is saved. Or the program reads outside of its arrays, where other memory lies after a restart: \
         compiled with -fsanitize=address and without cccp it says so"
            .to_string(),
    ]
}
