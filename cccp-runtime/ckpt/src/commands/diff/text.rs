//! The answer for people.

use super::answer::{Answer, Compared, LargestAt, Rank, Source, Values, Verdict};
use crate::outcome::Failure;
use crate::output::{Look, Output};
use crate::render::thousands;

/// Width of the column of verdicts.
const VERDICT: usize = 10;

/// Shows all of it.
pub fn show(answer: &Answer, output: &mut Output) -> Result<(), Failure> {
    for (letter, source) in [("A", &answer.a), ("B", &answer.b)] {
        let letter = output.paint(Look::Name, letter);
        output.line(format!("{letter}  {}", describe(source)))?;
    }
    for header in &answer.header {
        let (look, word) = match header.counts {
            true => (Look::Bad, "different"),
            false => (Look::Faint, "note"),
        };
        let word = output.paint(look, format!("{word:VERDICT$}"));
        let line = format!(
            "{word}  {}: {} in A, {} in B",
            header.what, header.a, header.b
        );
        output.line(line)?;
    }
    let several = answer.ranks.len() > 1;
    for rank in &answer.ranks {
        show_rank(rank, several, output)?;
    }
    output.line(conclusion(answer, output))
}

fn describe(source: &Source) -> String {
    let ranks = match source.ranks {
        1 => "1 rank".to_string(),
        ranks => format!("{ranks} ranks"),
    };
    format!(
        "{}  {}, generation {}, {ranks}, {}, {}",
        source.path, source.program, source.generation, source.encoding, source.machine
    )
}

fn conclusion(answer: &Answer, output: &Output) -> String {
    let verdicts = || answer.ranks.iter().flat_map(|rank| &rank.registers);
    if answer.equal {
        let tolerated = verdicts().any(|register| register.verdict == Verdict::Tolerated);
        let word = output.paint(Look::Good, "equal");
        return match tolerated {
            true => format!("{word} within the tolerance"),
            false => word,
        };
    }
    format!(
        "{}: {} of {} registers",
        output.paint(Look::Bad, "different"),
        thousands(answer.different_registers),
        thousands(answer.registers)
    )
}

fn show_rank(rank: &Rank, several: bool, output: &mut Output) -> Result<(), Failure> {
    let equal = rank
        .registers
        .iter()
        .all(|register| register.verdict == Verdict::Equal);
    if several && equal {
        let word = output.paint(Look::Good, "equal");
        return output.line(format!(
            "rank {}: {word}, {} registers",
            rank.rank,
            thousands(rank.registers.len() as u64)
        ));
    }
    if several {
        output.line(format!("rank {}:", rank.rank))?;
    }
    let name = |register: &Compared| format!("{}:{}", register.function, register.name);
    let width = rank
        .registers
        .iter()
        .map(|register| name(register).chars().count())
        .max();
    let width = width.unwrap_or(0);
    for register in &rank.registers {
        let (look, word) = match register.verdict {
            Verdict::Equal => (Look::Good, "equal"),
            Verdict::Tolerated => (Look::Good, "near"),
            Verdict::Different => (Look::Bad, "different"),
            Verdict::OnlyA => (Look::Bad, "only in A"),
            Verdict::OnlyB => (Look::Bad, "only in B"),
            Verdict::Type => (Look::Bad, "type"),
            Verdict::Shape => (Look::Bad, "shape"),
        };
        let extents: String = register
            .extents
            .iter()
            .map(|extent| format!("[{extent}]"))
            .collect();
        let word = output.paint(look, format!("{word:VERDICT$}"));
        let name = format!("{:width$}", name(register));
        let name = output.paint(Look::Name, name);
        output.line(format!("{word}  {name}  {}{extents}", register.kind))?;
        if let Some(reason) = &register.reason {
            detail(reason, output)?;
        }
        if let Some(values) = &register.values {
            show_values(values, output)?;
        }
    }
    Ok(())
}

fn detail(text: &str, output: &mut Output) -> Result<(), Failure> {
    output.line(format!("{:VERDICT$}  {text}", ""))
}

fn show_values(values: &Values, output: &mut Output) -> Result<(), Failure> {
    if values.unknown_pointers > 0 {
        let count = thousands(values.unknown_pointers);
        detail(
            &format!("{count} pointers to nothing saved were not compared"),
            output,
        )?;
    }
    let Some(first) = &values.first else {
        return Ok(());
    };
    let [a, b] = &first.words;
    let mut line = format!(
        "{} of {} values; first{}: {a} in A, {b} in B",
        thousands(values.different),
        thousands(values.compared),
        place(&first.index)
    );
    if values.beyond_tolerance > 0 && values.beyond_tolerance < values.different {
        line = format!(
            "{} beyond the tolerance, {line}",
            thousands(values.beyond_tolerance)
        );
    }
    detail(&line, output)?;
    if let (Some(absolute), Some(relative)) = (&values.largest_absolute, &values.largest_relative) {
        let line = match values.compared {
            1 => {
                let sizes = [absolute, relative].map(|largest| few(largest.distance));
                format!("difference {}, relative {}", sizes[0], sizes[1])
            }
            _ => {
                let [absolute, relative] = [absolute, relative].map(largest);
                format!("largest difference {absolute}; relative {relative}")
            }
        };
        // Beyond that many it is no rounding any more.
        let steps = values.largest_ulp.filter(|steps| *steps < 1_000_000);
        let steps = steps.map_or(String::new(), |steps| {
            format!("; at most {} ulp", thousands(steps))
        });
        detail(&format!("{line}{steps}"), output)?;
    }
    if values.without_distance > 0 && values.largest_absolute.is_some() {
        let count = thousands(values.without_distance);
        detail(
            &format!("{count} of the differences are no distances (NaN)"),
            output,
        )?;
    }
    Ok(())
}

fn largest(largest: &LargestAt) -> String {
    let [a, b] = &largest.at.words;
    let size = few(largest.distance);
    format!("{size} at{} ({a}, {b})", place(&largest.at.index))
}

/// An index after a word; a single value has none.
fn place(index: &str) -> String {
    match index.is_empty() {
        true => String::new(),
        false => format!(" {index}"),
    }
}

/// A number in four digits.
fn few(number: f64) -> String {
    match number {
        0.0 => "0".to_string(),
        number if (1e-3..1e4).contains(&number) => {
            let digits = (3 - number.log10().floor() as i32).max(0) as usize;
            let text = format!("{number:.digits$}");
            match text.contains('.') {
                true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
                false => text,
            }
        }
        number if number.is_finite() => format!("{number:.3e}"),
        number => number.to_string(),
    }
}
