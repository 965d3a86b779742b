//! What the values of a register are like, in a few words.

use cccp::format::{File, Kind, LIBRARY, MESSAGES, Messages, Scalar, scalar_name};

use super::view::Row;
use crate::elements::{Targets, spell};
use crate::measure::{Measured, Number, Summary};
use crate::render::{count, printable, short, thousands};

/// Characters of a text that are shown.
const LONGEST: usize = 40;

/// What the values are like, in a few words.
pub fn glance(file: &File, row: &Row, found: &Measured, targets: &Targets) -> String {
    if row.register.flags & LIBRARY != 0
        && row.register.name == MESSAGES
        && let Ok(Some(counted)) = Messages::of(file)
    {
        let requests = count(counted.in_flight, "request");
        return format!("counted {:016x}, {requests} in flight", counted.number);
    }
    let kind = file.checkpoint.types[row.register.type_index as usize].kind;
    match &found.members[..] {
        _ if found.count == 0 => "none".to_string(),
        _ if kind == Kind::Char => text(found),
        [(name, summary)] if name.is_empty() => summarise(summary),
        _ => {
            let types = &file.checkpoint.types;
            let mut words = String::new();
            let mut shown = 0;
            for (place, scalar) in (0..found.per_element).zip(&found.first) {
                let name = scalar_name(types, row.register.type_index, place).unwrap_or_default();
                let value = printable(&spell(scalar, targets));
                let word = match name.is_empty() {
                    true => value,
                    false => format!("{} = {value}", printable(&name)),
                };
                if shown > 0 && words.chars().count() + word.chars().count() > LONGEST {
                    break;
                }
                if shown > 0 {
                    words.push_str(", ");
                }
                words.push_str(&word);
                shown += 1;
            }
            if shown < found.count {
                words.push_str(", …");
            }
            words
        }
    }
}

/// Characters as text, up to the first NUL.
fn text(found: &Measured) -> String {
    let letters: Vec<u8> = found
        .first
        .iter()
        .map_while(|scalar| match scalar {
            Scalar::Character(0) => None,
            Scalar::Character(letter) => Some(*letter),
            _ => None,
        })
        .collect();
    let cut = letters.len() == found.first.len() && found.count > letters.len() as u64;
    let dots = if cut || letters.len() > LONGEST {
        "…"
    } else {
        ""
    };
    let letters = &letters[..letters.len().min(LONGEST)];
    format!("\"{}\"{dots}", letters.escape_ascii())
}

/// Numbers in a few words.
pub fn summarise(summary: &Summary) -> String {
    let number = |number: Number| match number {
        Number::Whole(value) => value.to_string(),
        Number::Real(value) => short(value),
    };
    let mut words = match (summary.least, summary.largest, summary.mean()) {
        (Some(least), Some(largest), Some(mean)) => match least == largest {
            true if summary.count == 1 => number(least),
            true => format!("all {}", number(least)),
            false => format!(
                "{} … {}, mean {}",
                number(least),
                number(largest),
                short(mean)
            ),
        },
        _ => "no finite number".to_string(),
    };
    if summary.nan > 0 {
        words.push_str(&format!(", {} NaN", thousands(summary.nan)));
    }
    if summary.infinite > 0 {
        words.push_str(&format!(", {} infinite", thousands(summary.infinite)));
    }
    words
}
