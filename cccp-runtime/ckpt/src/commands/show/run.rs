//! From the command line to what is shown.

use cccp::format::FormatError;

use super::answer::answer;
use super::arguments::Arguments;
use super::text;
use super::view::{Row, State, View};
use crate::measure::{Measured, measure};
use crate::outcome::{Failure, Status};
use crate::output::Output;
use crate::select::choose;

/// Values that are kept for the table: a short text, a few members.
const GLANCE: u64 = 64;
/// Values that are printed of registers that were named.
const SOME: u64 = 10;
/// Values that are kept of all registers together: whoever wants more exports them.
const MOST: u64 = 1_000_000;

/// A register and what its values are like; none when they were not looked at or cannot be read.
pub type Item<'a> = (&'a Row, Option<Result<Measured, FormatError>>);

/// Shows a file.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Failure> {
    let path = choose(&arguments.path, &arguments.which)?;
    let view = View::of(&path)?;
    let rows = select(&view, &arguments.registers)?;
    let first = match (arguments.values, arguments.registers.is_empty()) {
        (Some(count), _) => count,
        (None, false) => SOME,
        (None, true) => 0,
    };
    let share = MOST / (rows.len() as u64).max(1);
    let (first, kept) = (first.min(share), first.max(GLANCE).min(share.max(4)));
    let total = rows
        .iter()
        .fold(0u64, |sum, row| sum.saturating_add(row.register.elements));
    let progress = output.progress(format!("reading {}", path.display()), total);
    let items: Vec<Item> = rows
        .into_iter()
        .map(|row| {
            let file = view.file.as_ref().filter(|_| !arguments.heads);
            let file = file.filter(|_| !matches!(row.state, State::Lost(_)));
            let advance = |count| progress.advance(count);
            let found = file.map(|file| measure(file, &row.register, kept, &advance));
            (row, found)
        })
        .collect();
    drop(progress);
    let spoilt = items.iter().any(|(_, found)| matches!(found, Some(Err(_))));
    if output.is_json() {
        let answer = answer(&path, &view, &items, arguments, first);
        output.json("show", &answer)?;
    } else {
        text::print(&path, &view, &items, arguments, first, output)?;
    }
    Ok(match view.reason.is_some() || spoilt {
        true => Status::Bad,
        false => Status::Good,
    })
}

/// The registers that were named, in the order of the file; all when none was.
fn select<'a>(view: &'a View, words: &[String]) -> Result<Vec<&'a Row>, Failure> {
    for word in words {
        if !view.rows.iter().any(|row| row.is_called(word)) {
            const NAMED: usize = 20;
            let names = view.rows.iter().take(NAMED).map(|row| row.name.clone());
            let names: Vec<String> = names.collect();
            let dots = if view.rows.len() > NAMED { ", …" } else { "" };
            return Err(Failure::said(format!(
                "there is no register {word}; there are {}{dots}",
                names.join(", ")
            )));
        }
    }
    let wanted = |row: &&Row| words.is_empty() || words.iter().any(|word| row.is_called(word));
    Ok(view.rows.iter().filter(wanted).collect())
}
