//! How many bytes an item puts into a checkpoint.

use super::model::Bytes;
use crate::program::{Item, Layout, Unit};

/// As C text, and as a number where that is known without the compiler.
pub(super) fn bytes(unit: &Unit, item: &Item) -> Bytes {
    let spelt = unit.spell(item.element, "").ok();
    let spelt = spelt.map_or_else(|| "*…".to_string(), |text| text.trim().to_string());
    let mut factors: Vec<String> = item.extents.iter().map(|one| factor(&one.text)).collect();
    factors.push(format!("sizeof({spelt})"));
    let count = item.extents.iter().try_fold(1u64, |product, one| {
        one.value.and_then(|value| product.checked_mul(value))
    });
    let number = count
        .zip(Layout::of(unit).bytes(item.element))
        .and_then(|(count, size)| count.checked_mul(size));
    Bytes {
        number,
        text: factors.join(" * "),
    }
}

fn factor(text: &str) -> String {
    let simple = text
        .chars()
        .all(|c| c.is_alphanumeric() || "_.->[]()".contains(c));
    if simple {
        text.to_string()
    } else {
        format!("({text})")
    }
}
