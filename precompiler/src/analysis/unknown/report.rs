//! Unknown functions as findings, and as a file with the entries to write.

use super::entry::{chapter, entry};
use super::find::MentionedFunction;
use crate::analysis::Finding;
use crate::catalog::Catalogue;
use crate::diagnostic::Code;
use crate::program::Program;

/// With more unknown functions than this, one message names them all.
const MOST: usize = 5;

/// Characters of a line of names.
const WIDTH: usize = 100;

const HEAD: &str = "\
# What functions do that are neither in the files given nor in the catalogue: the worst that their declarations allow.
# Delete what does not happen, and give the file to cccp-pp with --catalog. Where `writes x` says that some of x may be
# stored to, `fills x[n]` says that all of it surely is: then its old contents need not be saved.
";

/// What to tell the user, with the unit that it is about; warnings, unless they are to be errors.
pub fn unknown_findings(
    program: &Program,
    catalogue: &Catalogue,
    unknown: &[MentionedFunction],
    denied: bool,
) -> Vec<(usize, Finding)> {
    let finding = |message: String| match denied {
        true => Finding::error(Code::UNKNOWN_FUNCTION, message),
        false => Finding::warning(Code::UNKNOWN_FUNCTION, message),
    };
    if unknown.len() > MOST {
        let first = &unknown[0];
        let count = unknown.len();
        let message =
            format!("{count} functions are neither in the files given nor in the catalogue");
        let finding = finding(message)
            .at(first.place, first.span)
            .label(format!("the first of {count}"))
            .reason(format!(
                "each may read, store to and keep whatever it can reach:\n{}",
                wrapped(unknown)
            ))
            .help(
                "give the files that define them in the same call; of the others `--emit unknown` writes\n\
                 entries for a file: delete there what does not happen, and add it with `--catalog FILE`",
            );
        return vec![(first.unit, finding)];
    }
    let one = |one: &MentionedFunction| {
        let unit = &program.units[one.unit];
        let text = entry(unit, catalogue, one);
        let finding = finding(format!(
            "`{}` is neither in the files given nor in the catalogue",
            one.name
        ))
        .at(one.place, one.span)
        .label("may do anything")
        .reason("it may read, store to and keep whatever it can reach, and so the worst is assumed")
        .help(
            "give the file that defines it in the same call; or put the entry below into a file, delete what does\n\
             not happen, and add it with `--catalog FILE`",
        )
        .paste(format!("chapter {}\n\n{text}", chapter(&unit.file, unit, one)));
        (one.unit, finding)
    };
    unknown.iter().map(one).collect()
}

fn wrapped(unknown: &[MentionedFunction]) -> String {
    let mut lines = vec![String::new()];
    for (number, one) in unknown.iter().enumerate() {
        let last = lines.len() - 1;
        if lines[last].len() + one.name.len() > WIDTH {
            lines.push(String::new());
        }
        let line = lines.len() - 1;
        let comma = if number + 1 < unknown.len() { ", " } else { "" };
        lines[line] += &format!("{}{comma}", one.name);
    }
    let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
    lines.join("\n")
}

/// A file of the catalogue with an entry for each, by the headers that declare them.
pub fn entries_file(
    program: &Program,
    catalogue: &Catalogue,
    unknown: &[MentionedFunction],
) -> String {
    let mut chapters: Vec<(String, Vec<String>)> = Vec::new();
    for one in unknown {
        let unit = &program.units[one.unit];
        let text = entry(unit, catalogue, one);
        let name = chapter(&unit.file, unit, one);
        match chapters.iter_mut().find(|(known, _)| *known == name) {
            Some((_, entries)) => entries.push(text),
            None => chapters.push((name, vec![text])),
        }
    }
    let chapters = chapters
        .iter()
        .map(|(name, entries)| format!("\nchapter {name}\n\n{}", entries.join("\n")));
    HEAD.to_string() + &chapters.collect::<String>()
}
