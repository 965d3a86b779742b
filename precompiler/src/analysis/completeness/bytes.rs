//! How many bytes an item puts into a checkpoint.

use super::model::Bytes;
use crate::program::{FloatKind, IntegerKind, Item, TypeId, TypeKind, Unit};

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
        .zip(size(unit, item.element))
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

/// The size of numbers that have the same one on all machines we know, and of pointers on usual ones.
fn size(unit: &Unit, ty: TypeId) -> Option<u64> {
    Some(match unit.kind(ty) {
        TypeKind::Bool => 1,
        TypeKind::Integer(kind) => match kind {
            IntegerKind::Char | IntegerKind::SignedChar | IntegerKind::UnsignedChar => 1,
            IntegerKind::Short | IntegerKind::UnsignedShort => 2,
            IntegerKind::Int | IntegerKind::UnsignedInt => 4,
            IntegerKind::LongLong | IntegerKind::UnsignedLongLong => 8,
            IntegerKind::Int128 | IntegerKind::UnsignedInt128 => 16,
            IntegerKind::Long | IntegerKind::UnsignedLong => macro_value(unit, "__SIZEOF_LONG__")?,
        },
        TypeKind::Enum(_) => 4,
        TypeKind::Float(FloatKind::Float) => 4,
        TypeKind::Float(FloatKind::Double) => 8,
        TypeKind::Pointer(_) => macro_value(unit, "__SIZEOF_POINTER__")?,
        _ => return None,
    })
}

fn macro_value(unit: &Unit, name: &str) -> Option<u64> {
    let body = unit.file.macro_at(name, usize::MAX)?.body.trim();
    body.parse().ok()
}
