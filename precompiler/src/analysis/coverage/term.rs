//! From integer expressions to polynomials of the cells that they read.
//!
//! Arithmetic that may wrap around within 32 bits is left alone. In 64 bits no extent wraps: what is computed from a
//! negative number is then larger than any array, and a loop up to it does not end within one.

use crate::analysis::polynomial::{Atom, Polynomial};
use crate::program::value::{Numbers, evaluate};
use crate::program::{
    BinaryOperator, Expression, ExpressionKind, Extent, Layout, Symbol, SymbolId, SymbolKind,
    TypeId, TypeKind, UnaryOperator, Unit, Width,
};

/// The polynomials of a unit. `of`: what the memory that an expression names holds.
struct Terms<'a> {
    unit: &'a Unit,
    of: &'a dyn Fn(&Expression) -> Option<Polynomial>,
}

impl Numbers for Terms<'_> {
    type Value = Polynomial;
    type Types = Unit;

    fn types(&self) -> &Unit {
        self.unit
    }

    fn constant(&self, value: i128) -> Polynomial {
        Polynomial::constant(value)
    }

    fn as_constant(&self, value: &Polynomial) -> Option<i128> {
        value.as_constant()
    }

    fn held(&mut self, expression: &Expression) -> Option<Polynomial> {
        match &expression.kind {
            ExpressionKind::Name { .. }
            | ExpressionKind::Member { .. }
            | ExpressionKind::Unary(UnaryOperator::Indirection, _) => (self.of)(expression),
            ExpressionKind::Unevaluated(operand) => size(self.unit, expression, operand.as_deref()),
            _ => None,
        }
    }

    fn computed(
        &mut self,
        operator: BinaryOperator,
        left: &Polynomial,
        right: &Polynomial,
        result: Option<Width>,
    ) -> Option<Polynomial> {
        let found = match operator {
            BinaryOperator::Add => left.plus(right)?,
            BinaryOperator::Subtract => left.minus(right)?,
            BinaryOperator::Multiply => left.times(right)?,
            _ => return None,
        };
        let width = result?;
        let stays = match found.as_constant() {
            Some(value) => width.holds(value),
            None => width.is_signed || width.bits >= 64,
        };
        stays.then_some(found)
    }

    fn carried(
        &mut self,
        value: &Polynomial,
        from: Option<Width>,
        to: Option<Width>,
    ) -> Option<Polynomial> {
        converted(value.clone(), from?, to?)
    }
}

/// What an integer expression is made of; none when that is not said by a polynomial. `held`: what the memory that an
/// expression names holds.
pub fn term(
    unit: &Unit,
    expression: &Expression,
    held: &dyn Fn(&Expression) -> Option<Polynomial>,
) -> Option<Polynomial> {
    Width::of(unit, expression.ty)?;
    evaluate(unit, &mut Terms { unit, of: held }, expression)
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
