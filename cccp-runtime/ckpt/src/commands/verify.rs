//! `cccp-ckpt verify`: every checksum of every file, for people and for scripts.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use crate::check::{State, Verdict, check_file, check_generation, crossed};
use crate::outcome::{Failure, Status};
use crate::output::{Look, Output};
use crate::render::{count, size, thousands};
use crate::select::{Place, as_said, place, survey};

/// What to verify.
#[derive(Args, Debug)]
pub struct Arguments {
    /// Checkpoint files, or directories of generations
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// In a directory: this generation only
    #[arg(long, short, value_name = "NUMBER")]
    pub generation: Option<u64>,
}

/// Verifies; what is wrong is said with the file and the place.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Failure> {
    let mut groups = Vec::new();
    for path in &arguments.paths {
        groups.extend(check(path, arguments.generation, output)?);
    }
    let status = groups
        .iter()
        .map(Group::status)
        .fold(Status::Good, Status::and);
    if output.is_json() {
        output.json("verify", &answer(&groups, status))?;
    } else {
        for group in &groups {
            text(group, output)?;
        }
        output.line(totals(&groups, output))?;
    }
    Ok(status)
}

/// Verdicts that belong together: those of a generation, or of one file.
struct Group {
    name: String,
    generation: Option<u64>,
    /// Ranks of the job.
    size: Option<u32>,
    verdicts: Vec<Verdict>,
}

impl Group {
    fn status(&self) -> Status {
        let known = self.generation.is_none() || self.size.is_some();
        let all = self.verdicts.iter().map(Verdict::status);
        all.fold(if known { Status::Good } else { Status::Bad }, Status::and)
    }

    /// Whether messages were in flight over it, if that is known.
    fn crossed(&self) -> Option<bool> {
        self.generation.and_then(|_| crossed(&self.verdicts))
    }

    fn bytes(&self) -> u64 {
        self.verdicts.iter().map(|verdict| verdict.bytes).sum()
    }
}

fn check(path: &Path, wanted: Option<u64>, output: &Output) -> Result<Vec<Group>, Failure> {
    let name = path.display().to_string();
    let directory = match place(path)? {
        Place::File(file) => {
            let length = cccp::store::length(&cccp::store::FileSystem, &file).unwrap_or(0);
            let progress = output.progress(format!("verifying {name}"), length);
            return Ok(vec![Group {
                name,
                generation: None,
                size: None,
                verdicts: vec![check_file(&file, &progress)],
            }]);
        }
        Place::Directory(directory) => directory,
    };
    let survey = survey(&directory)?;
    let mut generations = survey.generations;
    if let Some(wanted) = wanted {
        generations.retain(|generation| generation.number == wanted);
        if generations.is_empty() {
            return Err(Failure::said(format!(
                "{name}: there is no generation {wanted}"
            )));
        }
    }
    let total = generations
        .iter()
        .map(|generation| generation.bytes())
        .sum();
    let progress = output.progress(format!("verifying {name}"), total);
    let groups = generations.iter().map(|generation| Group {
        name: format!("{name}: generation {}", generation.number),
        generation: Some(generation.number),
        size: generation.size(),
        verdicts: check_generation(&directory, generation, &progress)
            .into_iter()
            .map(|verdict| Verdict {
                path: as_said(path, &directory, verdict.path),
                ..verdict
            })
            .collect(),
    });
    Ok(groups.collect())
}

fn text(group: &Group, output: &mut Output) -> Result<(), Failure> {
    let bad: Vec<&Verdict> = group
        .verdicts
        .iter()
        .filter(|verdict| verdict.status() != Status::Good)
        .collect();
    let bytes = size(group.bytes(), output.exact_bytes());
    let good = output.paint(Look::Good, "good");
    match (group.generation, group.size) {
        (None, _) if bad.is_empty() => {
            return output.line(format!("{}: {good}, {bytes}", group.name));
        }
        (None, _) => {}
        (Some(_), Some(ranks)) => {
            let sound = group.verdicts.len() - bad.len();
            let state = match bad.is_empty() {
                true => good,
                false => output.paint(Look::Bad, "not good"),
            };
            let ranks = thousands(ranks.into());
            let messages = match group.crossed() {
                None => String::new(),
                Some(false) => ", no message in flight".to_string(),
                Some(true) => {
                    let words = "messages in flight: no restart is made from it";
                    format!(", {}", output.paint(Look::Doubtful, words))
                }
            };
            output.line(format!(
                "{}: {state}, {sound} of {ranks} ranks, {bytes}{messages}",
                group.name
            ))?;
        }
        (Some(_), None) => {
            let state = output.paint(Look::Bad, "not good");
            output.line(format!(
                "{}: {state}, no file has a readable header",
                group.name
            ))?;
        }
    }
    for verdict in bad {
        lines(verdict, output)?;
    }
    Ok(())
}

/// What is wrong with a file, and where.
fn lines(verdict: &Verdict, output: &mut Output) -> Result<(), Failure> {
    let reason = verdict.state.reason().unwrap_or_default();
    // The reason of a damage begins with that word.
    let words = match verdict.state {
        State::Damaged { .. } => output.paint(Look::Bad, reason),
        _ => format!(
            "{}: {reason}",
            output.paint(Look::Bad, verdict.state.word())
        ),
    };
    let path = verdict.path.display();
    match verdict.rank {
        Some(rank) => output.line(format!("  rank {rank}: {path}: {words}"))?,
        None => output.line(format!("{path}: {words}"))?,
    }
    if let State::Damaged {
        parts, registers, ..
    } = &verdict.state
    {
        for part in parts {
            output.line(format!("    {}: {}", part.part, part.error))?;
        }
        if registers.1 > 0 {
            output.line(format!(
                "    the values of {} of {} registers can still be read",
                registers.0, registers.1
            ))?;
        }
    }
    Ok(())
}

fn totals(groups: &[Group], output: &Output) -> String {
    let all = || groups.iter().flat_map(|group| &group.verdicts);
    let bad = all()
        .filter(|verdict| verdict.status() != Status::Good)
        .count();
    let bytes = size(groups.iter().map(Group::bytes).sum(), output.exact_bytes());
    let files = count(all().count() as u64, "file");
    match bad {
        0 => format!("all good: {files}, {bytes}"),
        bad => format!("{} of {files} not good", thousands(bad as u64)),
    }
}

#[derive(Serialize)]
struct Answer {
    /// good, bad, unreadable
    status: &'static str,
    files: usize,
    bytes: u64,
    groups: Vec<GroupShape>,
}

#[derive(Serialize)]
struct GroupShape {
    name: String,
    generation: Option<u64>,
    size: Option<u32>,
    good: bool,
    /// None where the program did not count its messages, or a file is not good
    messages_under_way: Option<bool>,
    files: Vec<FileShape>,
}

#[derive(Serialize)]
struct FileShape {
    path: String,
    rank: Option<u32>,
    bytes: u64,
    state: &'static str,
    reason: Option<String>,
    damage: Vec<PartShape>,
    readable_registers: Option<usize>,
    registers: Option<usize>,
}

#[derive(Serialize)]
struct PartShape {
    part: String,
    reason: String,
}

fn answer(groups: &[Group], status: Status) -> Answer {
    let file = |verdict: &Verdict| {
        let (parts, registers) = match &verdict.state {
            State::Damaged {
                parts, registers, ..
            } => (&parts[..], Some(*registers)),
            _ => (&[][..], None),
        };
        let damage = parts.iter().map(|damage| PartShape {
            part: damage.part.clone(),
            reason: damage.error.to_string(),
        });
        FileShape {
            path: verdict.path.display().to_string(),
            rank: verdict.rank,
            bytes: verdict.bytes,
            state: verdict.state.word(),
            reason: verdict.state.reason().map(str::to_string),
            damage: damage.collect(),
            readable_registers: registers.map(|(readable, _)| readable),
            registers: registers.map(|(_, all)| all),
        }
    };
    let shapes = groups.iter().map(|group| GroupShape {
        name: group.name.clone(),
        generation: group.generation,
        size: group.size,
        good: group.status() == Status::Good,
        messages_under_way: group.crossed(),
        files: group.verdicts.iter().map(file).collect(),
    });
    Answer {
        status: match status {
            Status::Good => "good",
            Status::Bad => "bad",
            Status::Unread => "unreadable",
        },
        files: groups.iter().map(|group| group.verdicts.len()).sum(),
        bytes: groups.iter().map(Group::bytes).sum(),
        groups: shapes.collect(),
    }
}
