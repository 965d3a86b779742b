//! More about a register: the layout of its type, its members, its first values.

use cccp::format::{File, FormatError, Scalar, scalar_name};

use super::arguments::Arguments;
use super::glance::summarise;
use super::text::type_name;
use super::view::{Row, View};
use crate::elements::{Grid, Targets, spell};
use crate::measure::Measured;
use crate::outcome::Failure;
use crate::output::{Look, Output};
use crate::render::{LayoutLine, Side, Table, faint, layout, plain, printable, thousands};

/// Members, layout and first values of a register, as far as they are wanted.
pub fn details(
    view: &View,
    row: &Row,
    found: Option<&Result<Measured, FormatError>>,
    arguments: &Arguments,
    first: u64,
    output: &mut Output,
) -> Result<(), Failure> {
    let Some(file) = &view.file else {
        return Ok(());
    };
    let types = &file.checkpoint.types;
    let lines = match arguments.types {
        true => layout(types, row.register.type_index),
        false => Vec::new(),
    };
    let found = match found {
        Some(Ok(found)) => Some(found),
        _ => None,
    };
    let members = found.filter(|found| {
        !arguments.registers.is_empty()
            && !matches!(&found.members[..], [(name, _)] if name.is_empty())
    });
    let values = found.filter(|found| first > 0 && !found.first.is_empty());
    if lines.is_empty() && members.is_none_or(|found| found.members.is_empty()) && values.is_none()
    {
        return Ok(());
    }
    output.line("")?;
    let name = printable(&row.name);
    output.line(output.paint(
        Look::Name,
        format!("  {name}: {}", type_name(Some(file), row)),
    ))?;
    if !lines.is_empty() {
        print_layout(lines, output)?;
    }
    if let Some(found) = members.filter(|found| !found.members.is_empty()) {
        let mut table = Table::new(&[("member", Side::Left), ("values", Side::Left)]);
        for (name, summary) in &found.members {
            table.row(vec![plain(printable(name)), plain(summarise(summary))]);
        }
        table.print(4, output)?;
    }
    match values {
        Some(found) => print_values(file, row, found, first, output),
        None => Ok(()),
    }
}

fn print_layout(lines: Vec<LayoutLine>, output: &mut Output) -> Result<(), Failure> {
    let mut table = Table::new(&[
        ("byte", Side::Right),
        ("bits", Side::Left),
        ("size", Side::Right),
        ("member", Side::Left),
    ]);
    for line in lines {
        let bits = line.bits.map_or(String::new(), |(start, width)| {
            format!("{start}..{}", start + u64::from(width))
        });
        table.row(vec![
            plain(line.offset.to_string()),
            faint(bits),
            plain(line.size.to_string()),
            plain(line.declaration),
        ]);
    }
    table.print(4, output)
}

fn print_values(
    file: &File,
    row: &Row,
    found: &Measured,
    first: u64,
    output: &mut Output,
) -> Result<(), Failure> {
    let types = &file.checkpoint.types;
    let targets = Targets::of(&file.checkpoint);
    let grid = Grid::of(&row.register);
    let (mut place, mut shown) = (0u64, 0u64);
    for scalar in found.first.iter().take(first as usize) {
        let (element, leaf) = (place / found.per_element, place % found.per_element);
        let member = scalar_name(types, row.register.type_index, leaf).unwrap_or_default();
        let place_in_c = format!("{}{}", row.register.name, grid.spell(element, &member));
        output.line(format!(
            "    {} = {}",
            printable(&place_in_c),
            printable(&spell(scalar, &targets))
        ))?;
        place += u64::from(!matches!(scalar, Scalar::Bytes { more: true, .. }));
        shown += 1;
    }
    if shown < found.count {
        let left = thousands(found.count - shown);
        output.line(output.paint(Look::Faint, format!("    … {left} more")))?;
    }
    Ok(())
}
