//! From integer expressions to polynomials of the cells that they read.
//!
//! Arithmetic that may wrap around within 32 bits is left alone. In 64 bits no extent wraps: what is computed from a
//! negative number is then larger than any array, and a loop up to it does not end within one.

use super::polynomial::{Atom, Polynomial};
use crate::program::machine::Machine;
use crate::program::{
    BinaryOperator, Expression, ExpressionKind, Extent, IntegerKind, Layout, Symbol, SymbolId,
    SymbolKind, TypeId, TypeKind, UnaryOperator, Unit,
};

/// How an integer type represents numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Width {
    pub bits: u32,
    pub is_signed: bool,
}

impl Width {
    /// Of an integer type, on the unit's machine.
    pub fn of(unit: &Unit, ty: TypeId) -> Option<Width> {
        let kind = match unit.kind(ty) {
            TypeKind::Integer(kind) => *kind,
            TypeKind::Enum(id) => unit.enumerations[id.0].underlying,
            _ => return None,
        };
        let (bits, is_signed) = match kind {
            IntegerKind::Char | IntegerKind::SignedChar => (8, true),
            IntegerKind::UnsignedChar => (8, false),
            IntegerKind::Short => (16, true),
            IntegerKind::UnsignedShort => (16, false),
            IntegerKind::Int => (32, true),
            IntegerKind::UnsignedInt => (32, false),
            IntegerKind::Long => (long(unit), true),
            IntegerKind::UnsignedLong => (long(unit), false),
            IntegerKind::LongLong => (64, true),
            IntegerKind::UnsignedLongLong => (64, false),
            IntegerKind::Int128 | IntegerKind::UnsignedInt128 => return None,
        };
        Some(Width { bits, is_signed })
    }

    /// Whether a number of this type is the same in another one.
    pub fn fits_into(self, to: Width) -> bool {
        to.bits >= 64
            || (self.is_signed == to.is_signed && to.bits >= self.bits)
            || (to.is_signed && to.bits > self.bits)
    }

    /// Whether a number is one of this type.
    pub fn holds(self, value: i128) -> bool {
        let (low, high) = match self.is_signed {
            true => (-(1i128 << (self.bits - 1)), 1i128 << (self.bits - 1)),
            false => (0, 1i128 << self.bits),
        };
        (low..high).contains(&value)
    }
}

fn long(unit: &Unit) -> u32 {
    match Machine::of(&unit.file).long {
        4 => 32,
        _ => 64,
    }
}

/// What an integer expression is made of; none when that is not said by a polynomial. `held`: what the memory that an
/// expression names holds.
pub fn term(
    unit: &Unit,
    expression: &Expression,
    held: &dyn Fn(&Expression) -> Option<Polynomial>,
) -> Option<Polynomial> {
    let width = Width::of(unit, expression.ty)?;
    let inner = |inner: &Expression| term(unit, inner, held);
    let found = match &expression.kind {
        ExpressionKind::Number(value) => Polynomial::constant((*value)?),
        ExpressionKind::Name {
            symbol: Some(symbol),
            ..
        } => match unit.symbols[symbol.0].kind {
            SymbolKind::EnumConstant(value) => Polynomial::constant(value?),
            _ => return held(expression),
        },
        ExpressionKind::Member { .. } | ExpressionKind::Unary(UnaryOperator::Indirection, _) => {
            return held(expression);
        }
        ExpressionKind::Unary(UnaryOperator::Plus, value) => inner(value)?,
        ExpressionKind::Unary(UnaryOperator::Minus, value) => {
            inner(value)?.times(&Polynomial::constant(-1))?
        }
        ExpressionKind::Binary(operator, left, right) => {
            let (left, right) = (inner(left)?, inner(right)?);
            match operator {
                BinaryOperator::Add => left.plus(&right)?,
                BinaryOperator::Subtract => left.minus(&right)?,
                BinaryOperator::Multiply => left.times(&right)?,
                _ => Polynomial::constant(operator.of(left.as_constant()?, right.as_constant()?)?),
            }
        }
        ExpressionKind::Cast(value) => {
            let term = inner(value)?;
            return converted(term, Width::of(unit, value.ty)?, width);
        }
        ExpressionKind::Unevaluated(operand) => size(unit, expression, operand.as_deref())?,
        _ => return None,
    };
    match found.as_constant() {
        Some(value) => width.holds(value).then_some(found),
        None => (width.is_signed || width.bits >= 64).then_some(found),
    }
}

/// A number that goes from one type into another, when it stays the same.
pub fn converted(term: Polynomial, from: Width, to: Width) -> Option<Polynomial> {
    let fits = match term.as_constant() {
        Some(value) => to.holds(value),
        None => from.fits_into(to),
    };
    fits.then_some(term)
}

/// `sizeof`.
fn size(unit: &Unit, expression: &Expression, operand: Option<&Expression>) -> Option<Polynomial> {
    let text = unit.file.preprocessed_text(expression.span);
    let text = text.trim_start_matches(['(', ' ']);
    let named = text.strip_prefix("sizeof")?;
    if let Some(operand) = operand {
        return size_of(unit, operand.ty);
    }
    let words: Vec<&str> = named
        .split(['(', ')', ' ', '\n', '\t'])
        .filter(|one| !one.is_empty())
        .collect();
    let name = words.join(" ");
    let scope = unit.scopes.first()?;
    let is_named = |id: &&SymbolId| {
        let symbol = &unit.symbols[id.0];
        symbol.kind == SymbolKind::Typedef && symbol.name == name
    };
    let typedef = scope.symbols.iter().find(is_named);
    // What a block declares may have the same name.
    let has_name = |symbol: &&Symbol| symbol.kind == SymbolKind::Typedef && symbol.name == name;
    if unit.symbols.iter().filter(has_name).count() > usize::from(typedef.is_some()) {
        return None;
    }
    let spelt = typedef.and_then(|id| unit.spell(unit.symbols[id.0].ty, "").ok());
    Some(Polynomial::atom(Atom::Size(spelt.unwrap_or(name))))
}

/// The size of a type: a number when it is the same on all machines.
pub fn size_of(unit: &Unit, ty: TypeId) -> Option<Polynomial> {
    if let TypeKind::Array {
        element,
        extent: Extent::Constant(count),
    } = unit.kind(ty)
    {
        let count = Polynomial::constant(i128::from(*count));
        return size_of(unit, *element)?.times(&count);
    }
    if let Some(bytes) = unit.kind(ty).fixed_size() {
        return Some(Polynomial::constant(bytes));
    }
    match unit.kind(ty) {
        TypeKind::Pointer(_) | TypeKind::Integer(_) | TypeKind::Record(_) => {
            match unit.spell(ty, "") {
                Ok(spelt) => Some(Polynomial::atom(Atom::Size(spelt))),
                // Its name means something in its block only.
                Err(_) => {
                    let bytes = Layout::of(unit).bytes(ty)?;
                    Some(Polynomial::constant(i128::from(bytes)))
                }
            }
        }
        _ => None,
    }
}
