//! `cccp-ckpt list`: the generations of a directory, from the headers alone.

use std::path::{Path, PathBuf};

use cccp::store::{Directory, Holder};
use clap::Args;
use serde::Serialize;

use crate::outcome::{Failure, Status};
use crate::output::{Look, Output};
use crate::render::{
    Side, SiteShape, Table, age, arguments, command_line, count, faint, plain, site, size,
    thousands,
};
use crate::select::{Ended, Generation, Survey, directory, only_directory, survey};

/// What to list.
#[derive(Args, Debug)]
pub struct Arguments {
    /// A directory of generations; otherwise the only one here that is called <program>.cccp
    #[arg(value_name = "DIR")]
    pub directory: Option<PathBuf>,
}

/// Lists.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Failure> {
    let path = match &arguments.directory {
        Some(path) => path.clone(),
        None => only_directory()?,
    };
    let directory = directory(&path)?;
    let survey = survey(&directory)?;
    if output.is_json() {
        output.json("list", &answer(&path, &directory, &survey))?;
    } else {
        text(&path, &directory, &survey, output)?;
    }
    Ok(Status::Good)
}

fn text(
    path: &Path,
    directory: &Directory,
    survey: &Survey,
    output: &mut Output,
) -> Result<(), Failure> {
    let exact = output.exact_bytes();
    let newest = survey.generations.iter().find_map(Generation::head);
    if let Some(head) = newest {
        let ranks = count(head.header.size.into(), "rank");
        let program = output.paint(Look::Name, command_line(&head.header));
        output.line(format!("{}: {program}, {ranks}", path.display()))?;
    }
    let mut table = Table::new(&[
        ("generation", Side::Right),
        ("state", Side::Left),
        ("ranks", Side::Right),
        ("size", Side::Right),
        ("age", Side::Right),
        ("taken at", Side::Left),
        ("encoding", Side::Left),
    ]);
    for generation in &survey.generations {
        let (state, look) = match (
            generation.is_complete(),
            problems(generation).next().is_some(),
        ) {
            (true, _) => ("complete", Look::Good),
            (false, true) => ("damaged", Look::Bad),
            (false, false) => ("incomplete", Look::Doubtful),
        };
        let there = generation.files.len() as u64;
        let ranks = match generation.size() {
            Some(size) => format!("{} of {}", thousands(there), thousands(size.into())),
            None => format!("{} of ?", thousands(there)),
        };
        let mut row = vec![
            (generation.number.to_string(), Look::Name),
            (state.to_string(), look),
            plain(ranks),
            plain(size(generation.bytes(), exact)),
        ];
        match generation.head() {
            Some(head) => row.extend([
                plain(age(head.header.time)),
                plain(site(&head.header.site)),
                faint(head.header.encoding.word()),
            ]),
            None => row.extend([plain(""), plain(""), plain("")]),
        }
        table.row(row);
    }
    table.print(2, output)?;
    for generation in &survey.generations {
        for problem in problems(generation) {
            let words = format!(
                "generation {}, rank {}: {}",
                generation.number, problem.rank, problem.problem
            );
            let words = output.paint(Look::Bad, words);
            output.line(words)?;
        }
    }
    output.line(totals(directory, survey, exact))?;
    output.line(ended(&survey.ended))?;
    let remark = format!(
        "not verified: headers and lengths only; cccp-ckpt verify {} reads every byte",
        path.display()
    );
    output.line(output.paint(Look::Faint, remark))?;
    if let Some(holder) = &survey.holder {
        let words = output.paint(Look::Doubtful, format!("in use by {holder}"));
        output.line(words)?;
    }
    Ok(())
}

fn totals(directory: &Directory, survey: &Survey, exact: bool) -> String {
    let complete = survey.generations.iter().filter(|one| one.is_complete());
    let bytes: u64 = survey.generations.iter().map(Generation::bytes).sum();
    let mut words = format!(
        "{}, {} of them complete, {}",
        count(survey.generations.len() as u64, "generation"),
        complete.count(),
        size(bytes, exact)
    );
    if let Some(next) = next_checkpoint(survey) {
        words.push_str(&format!("; another checkpoint takes {}", size(next, exact)));
        if let Ok(free) = directory.free() {
            words.push_str(&format!(", {} are free", size(free, exact)));
        }
    }
    words
}

/// What the next checkpoint is expected to take: as much as the newest complete one.
fn next_checkpoint(survey: &Survey) -> Option<u64> {
    let mut complete = survey.generations.iter().filter(|one| one.is_complete());
    complete.next().map(Generation::bytes)
}

fn ended(ended: &Ended) -> String {
    match ended {
        Ended::No => {
            "no run has ended here: the same command resumes from the newest valid generation"
                .to_string()
        }
        Ended::Yes(0) => {
            "a run has ended here without a checkpoint: the next one starts fresh".to_string()
        }
        Ended::Yes(generation) => format!(
            "the run that took generation {generation} has ended; what is newer belongs to the next one"
        ),
        Ended::Partly(reason) => format!("whether the last run has ended is not certain: {reason}"),
    }
}

#[derive(Serialize)]
struct ProblemShape {
    rank: u32,
    problem: String,
}

/// The files of a generation that say something wrong about themselves.
fn problems(generation: &Generation) -> impl Iterator<Item = ProblemShape> {
    generation.files.iter().filter_map(|file| {
        Some(ProblemShape {
            rank: file.rank,
            problem: generation.doubt(file)?,
        })
    })
}

#[derive(Serialize)]
struct Answer {
    directory: String,
    generations: Vec<GenerationShape>,
    complete: usize,
    bytes: u64,
    next_checkpoint_bytes: Option<u64>,
    free_bytes: Option<u64>,
    ended: EndedShape,
    in_use: Option<HolderShape>,
}

#[derive(Serialize)]
struct GenerationShape {
    generation: u64,
    complete: bool,
    files: usize,
    size: Option<u32>,
    bytes: u64,
    program: Option<String>,
    arguments: Option<Vec<String>>,
    time: Option<u64>,
    site: Option<SiteShape>,
    encoding: Option<&'static str>,
    format: Option<String>,
    problems: Vec<ProblemShape>,
}

#[derive(Serialize)]
struct EndedShape {
    /// yes, no, unknown
    state: &'static str,
    generation: Option<u64>,
    reason: Option<String>,
}

#[derive(Serialize)]
struct HolderShape {
    host: Option<String>,
    process: Option<u32>,
    since: Option<u64>,
    command: Option<String>,
}

fn answer(path: &Path, directory: &Directory, survey: &Survey) -> Answer {
    let shape = |generation: &Generation| {
        let head = generation.head();
        let header = head.map(|head| &head.header);
        GenerationShape {
            generation: generation.number,
            complete: generation.is_complete(),
            files: generation.files.len(),
            size: generation.size(),
            bytes: generation.bytes(),
            program: header.map(|header| header.program.clone()),
            arguments: header.map(arguments),
            time: header.map(|header| header.time),
            site: header.map(|header| SiteShape::of(&header.site)),
            encoding: header.map(|header| header.encoding.word()),
            format: head.map(|head| format!("{}.{}", head.version.0, head.version.1)),
            problems: problems(generation).collect(),
        }
    };
    let (state, generation, reason) = match &survey.ended {
        Ended::No => ("no", None, None),
        Ended::Yes(generation) => ("yes", Some(*generation), None),
        Ended::Partly(reason) => ("unknown", None, Some(reason.clone())),
    };
    Answer {
        directory: path.display().to_string(),
        complete: survey
            .generations
            .iter()
            .filter(|one| one.is_complete())
            .count(),
        bytes: survey.generations.iter().map(Generation::bytes).sum(),
        generations: survey.generations.iter().map(shape).collect(),
        next_checkpoint_bytes: next_checkpoint(survey),
        free_bytes: directory.free().ok(),
        ended: EndedShape {
            state,
            generation,
            reason,
        },
        in_use: survey.holder.as_ref().map(holder),
    }
}

fn holder(holder: &Holder) -> HolderShape {
    HolderShape {
        host: holder.host.clone(),
        process: holder.process,
        since: holder.since,
        command: holder.command.clone(),
    }
}
