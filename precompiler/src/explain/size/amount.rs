//! Bytes: as C would compute them, as a formula, and as numbers when all sizes are known.

use serde::Serialize;
use std::collections::BTreeMap;

use super::stored::Stored;
use super::value::Factor;

/// So many bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Amount {
    /// `n * m * sizeof(double)`; of a sum, the formula.
    pub expression: String,
    /// `8·n·m`
    pub formula: String,
    /// Bytes in memory; none when a size is not known.
    pub memory: Option<u64>,
    /// Bytes that stand in the checkpoint file for it, in XDR without compression: what `cccp-ckpt show` calls stored.
    pub stored: Option<u64>,
    /// `stored` is exact. Otherwise it holds pointers, and less is needed for those that lead nowhere.
    pub exact: bool,
    #[serde(skip)]
    terms: BTreeMap<Vec<String>, Term>,
}

/// A summand; equal ones have the same names, in whatever order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Term {
    coefficient: u64,
    /// In the order of the program.
    names: Vec<String>,
}

impl Amount {
    /// Nothing at all.
    pub fn none() -> Amount {
        Amount::sum([].iter())
    }

    /// So many elements.
    pub fn of(
        extents: &[Factor],
        element: &str,
        bytes: Option<u64>,
        stored: Option<Stored>,
    ) -> Amount {
        let size = format!("sizeof({element})");
        let mut texts: Vec<&str> = extents.iter().map(|one| one.text.as_str()).collect();
        texts.push(&size);
        let mut coefficient = bytes.unwrap_or(1);
        let mut names: Vec<String> = Vec::new();
        for one in extents {
            match one.value {
                Some(value) if one.number => coefficient = coefficient.saturating_mul(value),
                _ => names.push(one.text.clone()),
            }
        }
        if bytes.is_none() {
            names.push(size.clone());
        }
        let count = extents
            .iter()
            .try_fold(1u64, |product, one| product.checked_mul(one.value?));
        let mut key = names.clone();
        key.sort();
        let terms = BTreeMap::from([(key, Term { coefficient, names })]);
        Amount {
            expression: texts.join(" * "),
            formula: formula(&terms),
            memory: count
                .zip(bytes)
                .and_then(|(count, bytes)| count.checked_mul(bytes)),
            stored: count
                .zip(stored)
                .and_then(|(count, stored)| stored.in_file(count)),
            exact: stored.is_some_and(|stored| !stored.pointers),
            terms,
        }
    }

    /// All of them together.
    pub fn sum<'a>(all: impl Iterator<Item = &'a Amount>) -> Amount {
        let mut sum = Amount {
            memory: Some(0),
            stored: Some(0),
            exact: true,
            ..Amount::default()
        };
        let add = |a: Option<u64>, b: Option<u64>| a.zip(b).and_then(|(a, b)| a.checked_add(b));
        for one in all {
            sum.memory = add(sum.memory, one.memory);
            sum.stored = add(sum.stored, one.stored);
            sum.exact &= one.exact;
            for (key, term) in &one.terms {
                let known = sum.terms.entry(key.clone()).or_default();
                known.coefficient = known.coefficient.saturating_add(term.coefficient);
                known.names.clone_from(&term.names);
            }
        }
        sum.formula = formula(&sum.terms);
        sum.expression = sum.formula.clone();
        sum
    }

    /// By how much it counts: the number, or how many sizes are multiplied.
    pub fn rank(&self) -> (u64, usize, u64) {
        let widest = self.terms.keys().map(Vec::len).max().unwrap_or(0);
        let most = self.terms.values().map(|term| term.coefficient).max();
        match self.memory {
            Some(bytes) => (bytes, 0, 0),
            // Larger than every number, because somebody thought it worth a variable.
            None => (u64::MAX, widest, most.unwrap_or(0)),
        }
    }
}

fn formula(terms: &BTreeMap<Vec<String>, Term>) -> String {
    let mut parts: Vec<&Term> = terms.values().filter(|term| term.coefficient > 0).collect();
    // Stable: within one degree they are in the order of their names.
    parts.sort_by_key(|term| std::cmp::Reverse(term.names.len()));
    if parts.is_empty() {
        return "0".to_string();
    }
    let shown = |term: &&Term| match (term.names.is_empty(), term.coefficient) {
        (true, number) => number.to_string(),
        (false, 1) => term.names.join("·"),
        (false, number) => format!("{number}·{}", term.names.join("·")),
    };
    parts.iter().map(shown).collect::<Vec<_>>().join(" + ")
}

/// A number with its thousands apart: `12 345 678`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('\u{a0}');
        }
        text.push(digit);
    }
    text
}

/// Three digits and a binary unit, as `cccp-ckpt` shows sizes.
pub fn short(bytes: u64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let mut value = bytes as f64 / 1024.0;
    let mut unit = 0;
    while value >= 1023.95 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    let digits = match value {
        value if value < 9.995 => 2,
        value if value < 99.95 => 1,
        _ => 0,
    };
    format!("{value:.digits$} {}", UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str, value: Option<u64>) -> Factor {
        Factor {
            text: text.to_string(),
            value,
            number: false,
        }
    }

    const DOUBLE: Stored = Stored {
        bytes: 8,
        together: false,
        pointers: false,
    };

    #[test]
    fn a_product_is_a_formula_and_with_sizes_a_number() {
        let extents = [name("n", Some(10)), name("m", Some(5))];
        let amount = Amount::of(&extents, "double", Some(8), Some(DOUBLE));
        assert_eq!(amount.expression, "n * m * sizeof(double)");
        assert_eq!(amount.formula, "8·n·m");
        assert_eq!(amount.memory, Some(400));
        // A chunk's two lengths and the end.
        assert_eq!(amount.stored, Some(412));
    }

    #[test]
    fn equal_terms_are_added() {
        let row = Amount::of(&[name("n", None)], "double", Some(8), Some(DOUBLE));
        let one = Amount::of(&[], "double", Some(8), Some(DOUBLE));
        let sum = Amount::sum([row.clone(), row, one].iter());
        assert_eq!(sum.formula, "16·n + 8");
        assert_eq!(sum.memory, None);
        assert_eq!(Amount::none().formula, "0");
    }

    #[test]
    fn letters_are_padded_together() {
        let letters = Stored {
            bytes: 1,
            together: true,
            pointers: false,
        };
        assert_eq!(letters.in_file(5), Some(8 + 8 + 4));
        assert_eq!(DOUBLE.in_file(1 << 18), Some((1 << 21) + 16 + 4));
        assert_eq!(DOUBLE.in_file(0), Some(4));
    }
}
