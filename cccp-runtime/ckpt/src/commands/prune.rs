//! `cccp-ckpt prune`: removes old generations, and only those behind which nothing is lost.
//!
//! A generation goes when as many newer ones as the user wants to keep are complete and every byte of them has been
//! verified just now (S19), and none that messages cross counts. What is newer than the last of these stays, whatever it is. While a run has the directory
//! nothing is touched: it removes its old generations itself.

use std::path::PathBuf;
use std::time::Duration;

use cccp::store::{Directory, Lock, Refusal};
use clap::Args;
use serde::Serialize;

use crate::check::{check_generation, crossed};
use crate::outcome::{Failure, Status};
use crate::output::{Look, Output};
use crate::render::{Side, Table, age, count, plain, size};
use crate::select::{Generation, directory, lock_holder, only_directory, survey};

/// What to remove.
#[derive(Args, Debug)]
pub struct Arguments {
    /// A directory of generations; otherwise the only one here that is called <program>.cccp
    #[arg(value_name = "DIR")]
    pub directory: Option<PathBuf>,
    /// So many complete and sound generations stay, and everything newer than the oldest of them
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub keep: u32,
    /// Do not ask
    #[arg(long, short)]
    pub yes: bool,
    /// Show what would go and stop
    #[arg(long, short = 'n', conflicts_with = "yes")]
    pub dry_run: bool,
}

/// Shows what would go, asks, and removes it.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Failure> {
    let path = match &arguments.directory {
        Some(path) => path.clone(),
        None => only_directory()?,
    };
    let directory = directory(&path)?;
    if let Some(holder) = lock_holder(&directory)? {
        return Err(Failure::said(format!(
            "{}: in use by {holder}; a run removes its old generations itself",
            path.display()
        )));
    }
    // Held until the end: a run that starts meanwhile is told.
    let _lock = match arguments.dry_run {
        true => None,
        false => Some(lock(&directory, output)?),
    };
    let survey = survey(&directory)?;
    let (kept, going) = divide(&directory, &survey.generations, arguments.keep, output);
    if !output.is_json() {
        show(&kept, &going, arguments.keep, output)?;
    }
    let wanted =
        !going.is_empty() && !arguments.dry_run && (arguments.yes || output.ask("remove them?")?);
    if wanted {
        let gone = directory.discard(&numbers(&kept), &numbers(&going))?;
        if !output.is_json() {
            output.line(format!(
                "removed {}, {}, {}",
                count(gone.generations, "generation"),
                count(gone.files, "file"),
                size(bytes(&going), output.exact_bytes())
            ))?;
        }
    }
    if output.is_json() {
        let answer = Answer {
            directory: path.display().to_string(),
            keep: arguments.keep,
            kept: numbers(&kept),
            going: going.iter().map(|one| Going::of(one)).collect(),
            bytes: bytes(&going),
            removed: wanted,
        };
        output.json("prune", &answer)?;
    }
    Ok(Status::Good)
}

/// The lock of the first rank that has files here: every run in this directory needs it.
fn lock(directory: &Directory, output: &mut Output) -> Result<Lock, Failure> {
    let mut first = 0;
    if let Some(newest) = directory.generations()?.first() {
        first = directory.ranks(*newest)?.first().map_or(0, |rank| *rank);
    }
    let lock = directory.lock(first);
    match lock.take(Duration::ZERO) {
        Ok(()) => {}
        Err(Refusal::Unknown(error)) => output.remark(format!(
            "{error}: this storage knows no locks; make sure that no run uses the directory"
        )),
        Err(refusal) => return Err(Failure::said(refusal.to_string())),
    }
    Ok(lock)
}

/// The generations that vouch for the older ones, and those that go, the newest first.
fn divide<'a>(
    directory: &Directory,
    generations: &'a [Generation],
    keep: u32,
    output: &Output,
) -> (Vec<&'a Generation>, Vec<&'a Generation>) {
    let (mut kept, mut going) = (Vec::new(), Vec::new());
    for generation in generations {
        if kept.len() == keep as usize {
            going.push(generation);
            continue;
        }
        let what = format!("verifying generation {}", generation.number);
        let progress = output.progress(what, generation.bytes());
        let sound = || {
            let verdicts = check_generation(directory, generation, &progress);
            let mut all = verdicts.iter();
            all.all(|verdict| verdict.status() == Status::Good) && crossed(&verdicts) != Some(true)
        };
        if generation.is_complete() && sound() {
            kept.push(generation);
        }
    }
    (kept, going)
}

fn show(
    kept: &[&Generation],
    going: &[&Generation],
    keep: u32,
    output: &mut Output,
) -> Result<(), Failure> {
    if going.is_empty() {
        return output.line(match kept.len() < keep as usize {
            true => format!(
                "nothing goes: {} of {keep} generations are complete and sound",
                kept.len()
            ),
            false => "nothing goes: there is nothing older".to_string(),
        });
    }
    let exact = output.exact_bytes();
    let mut table = Table::new(&[
        ("generation", Side::Right),
        ("", Side::Left),
        ("files", Side::Right),
        ("size", Side::Right),
        ("age", Side::Right),
    ]);
    let stays = kept.iter().map(|one| (one, "verified, stays", Look::Good));
    let goes = going.iter().map(|one| (one, "goes", Look::Doubtful));
    for (generation, word, look) in stays.chain(goes) {
        let taken = generation
            .head()
            .map_or(String::new(), |head| age(head.header.time));
        table.row(vec![
            (generation.number.to_string(), Look::Name),
            (word.to_string(), look),
            plain(generation.files.len().to_string()),
            plain(size(generation.bytes(), exact)),
            plain(taken),
        ]);
    }
    table.print(2, output)
}

fn numbers(generations: &[&Generation]) -> Vec<u64> {
    generations.iter().map(|one| one.number).collect()
}

fn bytes(generations: &[&Generation]) -> u64 {
    generations.iter().map(|one| one.bytes()).sum()
}

#[derive(Serialize)]
struct Answer {
    directory: String,
    keep: u32,
    kept: Vec<u64>,
    going: Vec<Going>,
    bytes: u64,
    removed: bool,
}

#[derive(Serialize)]
struct Going {
    generation: u64,
    files: usize,
    bytes: u64,
}

impl Going {
    fn of(generation: &Generation) -> Going {
        Going {
            generation: generation.number,
            files: generation.files.len(),
            bytes: generation.bytes(),
        }
    }
}
