//! Reading, writing, and reading again.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use cccp::format::{File, FormatError, rewrite};
use cccp::store::{self, Directory, FileSystem, Store, publish_file};
use serde::Serialize;

use super::arguments::Arguments;
use super::verify::verify;
use crate::outcome::{Failure, Status};
use crate::output::{Output, Progress, refuse_existing};
use crate::render::{size, thousands};
use crate::select::{Place, as_said, open_file, place};

#[derive(Serialize)]
struct Answer {
    encoding: &'static str,
    files: Vec<Converted>,
    /// Files of the directory that could not be read.
    left_out: Vec<LeftOut>,
}

/// A file that was made.
#[derive(Serialize)]
struct Converted {
    from: PathBuf,
    to: PathBuf,
    bytes_before: u64,
    bytes_after: u64,
}

/// A file that could not be read.
#[derive(Serialize)]
struct LeftOut {
    path: PathBuf,
    reason: String,
}

/// Converts; good when every file could be.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Failure> {
    let encoding = arguments.encoding();
    let mut answer = Answer {
        encoding: encoding.word(),
        files: Vec::new(),
        left_out: Vec::new(),
    };
    match place(&arguments.from)? {
        Place::File(from) => {
            refuse_existing(&arguments.to, arguments.force)?;
            let original = open_file(&from, output)?;
            let progress = progress(output, &from, &original);
            let write = |write: &mut Rewrite| {
                publish_file(&FileSystem, &arguments.to, |out| write(out)).map_err(Failure::from)
            };
            answer.files.push(convert(
                arguments,
                &original,
                [&from, &arguments.to],
                &progress,
                write,
            )?);
        }
        Place::Directory(from) => directory(arguments, &from, output, &mut answer)?,
    }
    let status = match answer.left_out.is_empty() {
        true => Status::Good,
        false => Status::Bad,
    };
    if output.is_json() {
        output.json("convert", &answer)?;
    } else {
        show(&answer, output)?;
    }
    Ok(status)
}

/// Writes the converted file to where it is told.
type Rewrite<'a> = dyn FnMut(&mut dyn std::io::Write) -> Result<u64, FormatError> + 'a;

fn directory(
    arguments: &Arguments,
    from: &Directory,
    output: &Output,
    answer: &mut Answer,
) -> Result<(), Failure> {
    let to = &arguments.to;
    // Generations of two runs must not get mixed up.
    if FileSystem.list(to).is_ok_and(|names| !names.is_empty()) || to.is_file() {
        return Err(Failure::said(format!(
            "{}: exists already and is not empty; name a new directory",
            to.display()
        )));
    }
    let target = Directory::new(Arc::new(FileSystem), to);
    let mut generations = from.generations()?;
    // The newest one is complete last, as when a program writes them.
    generations.reverse();
    let mut ranks = 0;
    for generation in generations {
        for rank in from.ranks(generation)? {
            let path = as_said(&arguments.from, from, from.file(generation, rank));
            let original = match open_file(&path, output) {
                Ok(original) => original,
                Err(error) => {
                    answer.left_out.push(LeftOut {
                        path,
                        reason: error.to_string(),
                    });
                    continue;
                }
            };
            ranks = ranks.max(original.checkpoint.header.size);
            let progress = progress(output, &path, &original);
            let write = |write: &mut Rewrite| {
                let published = target.publish(generation, rank, &mut |_| {}, |out| write(out));
                published.map_err(Failure::from)
            };
            let made = as_said(to, &target, target.file(generation, rank));
            let places = [path.as_path(), &made];
            answer
                .files
                .push(convert(arguments, &original, places, &progress, write)?);
        }
    }
    for rank in 0..ranks {
        if let Some(generation) = from.completed(rank)? {
            target.mark_complete(rank, generation)?;
        }
    }
    Ok(())
}

/// Every element is written and compared.
fn progress(output: &Output, path: &Path, file: &File) -> Arc<Progress> {
    let sections = file.checkpoint.sections.iter();
    let elements = sections
        .flat_map(|section| &section.registers)
        .map(|register| register.elements);
    let total = elements.fold(0u64, u64::saturating_add).saturating_mul(2);
    output.progress(path.display().to_string(), total)
}

/// Converts one file, then reads what was written and compares.
fn convert(
    arguments: &Arguments,
    original: &File,
    [from, to]: [&Path; 2],
    progress: &Progress,
    publish: impl FnOnce(&mut Rewrite) -> Result<u64, Failure>,
) -> Result<Converted, Failure> {
    let level = arguments.level(&original.checkpoint);
    let bytes_after = publish(&mut |out| {
        rewrite(
            original,
            arguments.encoding(),
            level,
            out,
            &mut |elements| {
                progress.advance(elements);
            },
        )
    })?;
    let made = store::open(&FileSystem, to).map_err(Failure::from);
    if let Err(failure) = made.and_then(|made| verify(original, &made, progress)) {
        // Nobody may restart from it.
        let removed = FileSystem.remove(to);
        return Err(Failure::said(format!(
            "{}: {failure}; it {}",
            to.display(),
            match removed {
                Ok(()) => "was removed".to_string(),
                Err(error) => format!("must not be used and could not be removed: {error}"),
            }
        )));
    }
    Ok(Converted {
        from: from.to_path_buf(),
        to: to.to_path_buf(),
        bytes_before: original.length,
        bytes_after,
    })
}

fn show(answer: &Answer, output: &mut Output) -> Result<(), Failure> {
    for left_out in &answer.left_out {
        output.remark(format!("left out: {}", left_out.reason));
    }
    let sum = |of: fn(&Converted) -> u64| answer.files.iter().map(of).sum();
    let exact = output.exact_bytes();
    let before = size(sum(|file| file.bytes_before), exact);
    let after = size(sum(|file| file.bytes_after), exact);
    let what = match &answer.files[..] {
        [file] => file.to.display().to_string(),
        files => format!("{} files", thousands(files.len() as u64)),
    };
    output.line(format!(
        "{what}: {}, verified, {before} before, {after} now",
        answer.encoding
    ))
}
