//! A checkpoint as text.

use std::path::Path;

use cccp::format::{Checkpoint, File, date};

use super::arguments::Arguments;
use super::details::details;
use super::glance::glance;
use super::run::Item;
use super::trace;
use super::view::{Row, State, View};
use crate::elements::Targets;
use crate::outcome::Failure;
use crate::output::{Look, Output};
use crate::render::{
    Side, Table, age, byte_order, command_line, faint, long_double, plain, printable, shape, site,
    size,
};

/// Functions that are named one by one.
const MOST_FUNCTIONS: usize = 12;

/// Prints it.
pub fn print(
    path: &Path,
    view: &View,
    items: &[Item],
    arguments: &Arguments,
    first: u64,
    output: &mut Output,
) -> Result<(), Failure> {
    if let Some(reason) = &view.reason {
        let words = output.paint(Look::Bad, format!("{}: {reason}", path.display()));
        output.line(words)?;
        for damage in &view.damage {
            let words = format!("  {}: {}", printable(&damage.part), damage.error);
            output.line(output.paint(Look::Bad, words))?;
        }
    }
    if arguments.registers.is_empty() {
        head(path, view, output)?;
    }
    if arguments.trace {
        match &view.file {
            Some(file) => trace::print(file, output)?,
            None => output.line("the trace cannot be read")?,
        }
    }
    table(view, items, output)?;
    for (row, found) in items {
        details(view, row, found.as_ref(), arguments, first, output)?;
    }
    Ok(())
}

fn head(path: &Path, view: &View, output: &mut Output) -> Result<(), Failure> {
    let (major, minor) = view.version;
    let length = size(view.length, output.exact_bytes());
    let mut fact = |name: &str, value: String| {
        let name = output.paint(Look::Faint, format!("{name:<9}"));
        output.line(format!("  {name} {value}"))
    };
    let Some(header) = &view.header else {
        fact("file", format!("{length}, format {major}.{minor}"))?;
        fact("header", "cannot be read".to_string())?;
        return output.line("");
    };
    let machine = &header.machine;
    fact("command", command_line(header))?;
    fact(
        "place",
        format!(
            "generation {}, rank {} of {}, in {}",
            header.generation,
            header.rank,
            header.size,
            path.display()
        ),
    )?;
    fact(
        "taken",
        format!(
            "{}, {}, at {}",
            date(header.time),
            age(header.time),
            site(&header.site)
        ),
    )?;
    fact(
        "machine",
        format!(
            "{}, {}, pointer {}, long {}, long double {} ({})",
            printable(&machine.description),
            byte_order(machine),
            machine.pointer,
            machine.long,
            machine.long_double,
            long_double(machine)
        ),
    )?;
    fact(
        "file",
        format!(
            "{length}, {}, format {major}.{minor}, build {:016x}",
            header.encoding.word(),
            header.fingerprint
        ),
    )?;
    if let Some(file) = &view.file {
        fact("functions", functions(&file.checkpoint))?;
        fact("stack", trace::stack(&file.checkpoint))?;
    }
    output.line("")
}

fn functions(checkpoint: &Checkpoint) -> String {
    let all = checkpoint.functions.iter();
    let mut names: Vec<String> = all
        .take(MOST_FUNCTIONS)
        .map(|function| {
            format!(
                "{} ({}:{})",
                printable(&function.name),
                printable(&function.file),
                function.line
            )
        })
        .collect();
    if checkpoint.functions.len() > MOST_FUNCTIONS {
        names.push(format!(
            "and {} more",
            checkpoint.functions.len() - MOST_FUNCTIONS
        ));
    }
    names.join(", ")
}

fn table(view: &View, items: &[Item], output: &mut Output) -> Result<(), Failure> {
    if items.is_empty() {
        return output.line("no registers");
    }
    let exact = output.exact_bytes();
    let file = view.file.as_ref();
    let mut table = Table::new(&[
        ("section", Side::Right),
        ("register", Side::Left),
        ("line", Side::Right),
        ("type", Side::Left),
        ("size", Side::Right),
        ("stored", Side::Right),
        ("", Side::Right),
        ("values", Side::Left),
    ]);
    let targets = file.map(|file| Targets::of(&file.checkpoint));
    for (row, found) in items {
        let (values, look) = match (&row.state, found) {
            (State::Lost(reason), _) => (reason.clone(), Look::Bad),
            (_, Some(Err(error))) => (error.to_string(), Look::Bad),
            (_, None) => (String::new(), Look::Plain),
            (state, Some(Ok(found))) => {
                let glance = match (file, &targets) {
                    (Some(file), Some(targets)) => glance(file, row, found, targets),
                    _ => String::new(),
                };
                match state {
                    State::Unverified => (
                        format!("{glance} (name, type and shape are not verified)"),
                        Look::Doubtful,
                    ),
                    _ => (glance, Look::Plain),
                }
            }
        };
        table.row(vec![
            faint(row.section.to_string()),
            (printable(&row.name), Look::Name),
            faint(row.register.line.to_string()),
            plain(type_name(file, row)),
            plain(size(row.raw(), exact)),
            plain(size(row.stored(), exact)),
            faint(ratio(row)),
            (values, look),
        ]);
    }
    table.print(2, output)
}

fn ratio(row: &Row) -> String {
    match row.raw() {
        0 => String::new(),
        raw => format!("{:.0} %", 100.0 * row.stored() as f64 / raw as f64),
    }
}

/// The type of a register and its shape.
pub fn type_name(file: Option<&File>, row: &Row) -> String {
    let types = file.map_or(&[][..], |file| &file.checkpoint.types[..]);
    let name = match types.get(row.register.type_index as usize) {
        Some(kind) => printable(&kind.name),
        None => format!("({} bytes)", row.register.element_size),
    };
    format!("{name}{}", shape(&row.register))
}
