//! From integer expressions to polynomials of the cells that they read.
//!
//! Arithmetic that may wrap around within 32 bits is left alone. In 64 bits no extent wraps: what is computed from a
//! negative number is then larger than any array, and a loop up to it does not end within one.

use super::polynomial::{Atom, Polynomial};
use super::view::View;
use crate::program::{
    BinaryOperator, Expression, ExpressionKind, IntegerKind, SymbolKind, TypeId, TypeKind,
    UnaryOperator, Unit,
};

/// How an integer type represents numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Width {
    pub bits: u32,
    pub is_signed: bool,
}

impl Width {
    /// Of an integer type; `long` counts as 64 bits.
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
            IntegerKind::Long | IntegerKind::LongLong => (64, true),
            IntegerKind::UnsignedLong | IntegerKind::UnsignedLongLong => (64, false),
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

impl View<'_> {
    /// What an integer expression is made of; none when that is not said by a polynomial.
    pub fn term(&self, expression: &Expression) -> Option<Polynomial> {
        let width = Width::of(self.unit, expression.ty)?;
        let found = match &expression.kind {
            ExpressionKind::Number(value) => Polynomial::constant((*value)?),
            ExpressionKind::Name {
                symbol: Some(symbol),
                ..
            } => match self.unit.symbols[symbol.0].kind {
                SymbolKind::EnumConstant(value) => Polynomial::constant(value?),
                _ => return self.held(expression),
            },
            ExpressionKind::Member { .. }
            | ExpressionKind::Unary(UnaryOperator::Indirection, _) => {
                return self.held(expression);
            }
            ExpressionKind::Unary(UnaryOperator::Plus, inner) => self.term(inner)?,
            ExpressionKind::Unary(UnaryOperator::Minus, inner) => {
                self.term(inner)?.times(&Polynomial::constant(-1))?
            }
            ExpressionKind::Binary(operator, left, right) => {
                let (left, right) = (self.term(left)?, self.term(right)?);
                match operator {
                    BinaryOperator::Add => left.plus(&right)?,
                    BinaryOperator::Subtract => left.minus(&right)?,
                    BinaryOperator::Multiply => left.times(&right)?,
                    _ => {
                        let value = operator.of(left.as_constant()?, right.as_constant()?)?;
                        Polynomial::constant(value)
                    }
                }
            }
            ExpressionKind::Cast(inner) => {
                let term = self.term(inner)?;
                let from = Width::of(self.unit, inner.ty)?;
                return match term.as_constant() {
                    Some(value) => width.holds(value).then_some(term),
                    None => from.fits_into(width).then_some(term),
                };
            }
            ExpressionKind::Unevaluated(inner) => self.size(expression, inner.as_deref())?,
            _ => return None,
        };
        match found.as_constant() {
            Some(value) => width.holds(value).then_some(found),
            None => (width.is_signed || width.bits >= 64).then_some(found),
        }
    }

    fn held(&self, expression: &Expression) -> Option<Polynomial> {
        Some(Polynomial::atom(Atom::Cell(self.cell_read(expression)?)))
    }

    /// `sizeof`.
    fn size(&self, expression: &Expression, operand: Option<&Expression>) -> Option<Polynomial> {
        let text = self.unit.file.preprocessed_text(expression.span);
        let text = text.trim_start_matches('(').trim_start();
        let named = text.strip_prefix("sizeof")?;
        match operand {
            Some(operand) => self.size_of(operand.ty),
            None => {
                let words: Vec<&str> = named.split(['(', ')', ' ', '\n', '\t']).collect();
                let words: Vec<&str> = words.into_iter().filter(|one| !one.is_empty()).collect();
                Some(Polynomial::atom(Atom::Size(self.plain_name(&words.join(" ")))))
            }
        }
    }

    /// The name by which a struct is known that has a typedef name.
    fn plain_name(&self, name: &str) -> String {
        let scope = crate::program::ScopeId(0);
        let is_typedef = |symbol: &crate::program::SymbolId| {
            let symbol = &self.unit.symbols[symbol.0];
            symbol.kind == SymbolKind::Typedef && symbol.name == name
        };
        let found = self.unit.scopes[scope.0].symbols.iter().find(|one| is_typedef(one));
        let spelt = found.and_then(|one| self.unit.spell(self.unit.symbols[one.0].ty, "").ok());
        spelt.unwrap_or_else(|| name.to_string())
    }

    /// The size of a type: a number when it is the same on all machines.
    pub fn size_of(&self, ty: TypeId) -> Option<Polynomial> {
        if let TypeKind::Array {
            element,
            extent: crate::program::Extent::Constant(count),
        } = self.kind(ty)
        {
            let count = Polynomial::constant(i128::from(*count));
            return self.size_of(*element)?.times(&count);
        }
        if let Some(bytes) = fixed_size(self.kind(ty)) {
            return Some(Polynomial::constant(bytes));
        }
        match self.kind(ty) {
            TypeKind::Pointer(_) | TypeKind::Integer(_) | TypeKind::Record(_) => {
                Some(Polynomial::atom(Atom::Size(self.unit.spell(ty, "").ok()?)))
            }
            _ => None,
        }
    }
}

fn fixed_size(kind: &TypeKind) -> Option<i128> {
    use crate::program::FloatKind;
    match kind {
        TypeKind::Integer(
            IntegerKind::Char | IntegerKind::SignedChar | IntegerKind::UnsignedChar,
        ) => Some(1),
        TypeKind::Integer(IntegerKind::Short | IntegerKind::UnsignedShort) => Some(2),
        TypeKind::Integer(IntegerKind::Int | IntegerKind::UnsignedInt) => Some(4),
        TypeKind::Integer(IntegerKind::LongLong | IntegerKind::UnsignedLongLong) => Some(8),
        TypeKind::Float(FloatKind::Float) => Some(4),
        TypeKind::Float(FloatKind::Double) => Some(8),
        _ => None,
    }
}
