//! What number an expression is: one walk over expressions for all who ask.
//!
//! In: an expression, and a [`Domain`]: what is known of what memory holds, and what an operator makes of that. Out: a value of
//! the domain, or none. Constants ([`Constants`]), polynomials of cells (`coverage`) and one number per rank (`communication`)
//! differ in the domain only; how C computes with numbers stands in [`arithmetic`](super::arithmetic).
//!
//! Errors fall on the side of *not known*. Not here: what memory holds.

use super::arithmetic::{Number, Types, Width};
use super::expression::{BinaryOperator, Expression, ExpressionKind, UnaryOperator};
use super::layout::Layout;
use super::model::{SymbolKind, Unit};
use super::types::{TypeId, TypeKind};

/// What is known of an operand, and its type when that is one of whole numbers.
pub type Typed<V> = (V, Option<Width>);

/// Values of one kind.
pub trait Domain {
    /// What is known of a number.
    type Value: Clone;

    /// What has been found out about an expression before.
    fn known(&mut self, _expression: &Expression) -> Option<Self::Value> {
        None
    }

    /// A number in the text, or the constant of an enum.
    fn number(&mut self, value: i128, expression: &Expression) -> Option<Self::Value>;

    /// What is not computed: what memory holds, a call gives back, or an address is.
    fn held(&mut self, expression: &Expression) -> Option<Self::Value>;

    /// The result of `+ - ~ !`.
    fn unary(
        &mut self,
        operator: UnaryOperator,
        operand: Typed<Self::Value>,
        result: TypeId,
    ) -> Option<Self::Value>;

    /// The result of an operator between two values.
    fn binary(
        &mut self,
        operator: BinaryOperator,
        left: Typed<Self::Value>,
        right: Typed<Self::Value>,
        result: TypeId,
    ) -> Option<Self::Value>;

    /// The result of `&&` (true) and `||`.
    fn logical(
        &mut self,
        and: bool,
        left: Option<Self::Value>,
        right: Option<Self::Value>,
    ) -> Option<Self::Value>;

    /// One of two values.
    fn choice(
        &mut self,
        condition: Option<Self::Value>,
        then: Option<Typed<Self::Value>>,
        otherwise: Option<Typed<Self::Value>>,
        result: TypeId,
    ) -> Option<Self::Value>;

    /// The value in another type.
    fn converted(&mut self, value: Typed<Self::Value>, to: TypeId) -> Option<Self::Value>;
}

/// What an expression is.
pub fn evaluate<D: Domain>(
    types: &impl Types,
    domain: &mut D,
    expression: &Expression,
) -> Option<D::Value> {
    if let Some(value) = domain.known(expression) {
        return Some(value);
    }
    let result = expression.ty;
    match &expression.kind {
        ExpressionKind::Number(Some(value)) => domain.number(*value, expression),
        ExpressionKind::Name {
            symbol: Some(symbol),
            ..
        } => match types.meaning(*symbol) {
            SymbolKind::EnumConstant(Some(value)) => domain.number(value, expression),
            _ => domain.held(expression),
        },
        ExpressionKind::Unary(
            operator @ (UnaryOperator::Plus
            | UnaryOperator::Minus
            | UnaryOperator::Complement
            | UnaryOperator::Not),
            operand,
        ) => {
            let value = evaluate(types, domain, operand)?;
            domain.unary(*operator, (value, Width::of_value(types, operand)), result)
        }
        ExpressionKind::Binary(operator, left, right) => {
            // Both, as a domain may say what it misses.
            let a = evaluate(types, domain, left);
            let b = evaluate(types, domain, right);
            let (left, right) = (Width::of_value(types, left), Width::of_value(types, right));
            domain.binary(*operator, (a?, left), (b?, right), result)
        }
        ExpressionKind::Logical { and, left, right } => {
            let left = evaluate(types, domain, left);
            let right = evaluate(types, domain, right);
            domain.logical(*and, left, right)
        }
        ExpressionKind::Conditional {
            condition,
            then,
            otherwise,
        } => {
            let decided = evaluate(types, domain, condition);
            let then = then.as_deref();
            let first = match then {
                Some(then) => evaluate(types, domain, then),
                None => decided.clone(),
            };
            let second = evaluate(types, domain, otherwise);
            let width = Width::of_value(types, then.unwrap_or(condition));
            let first = first.map(|value| (value, width));
            let second = second.map(|value| (value, Width::of_value(types, otherwise)));
            domain.choice(decided, first, second, result)
        }
        ExpressionKind::Cast(inner) => {
            let value = evaluate(types, domain, inner)?;
            domain.converted((value, Width::of_value(types, inner)), result)
        }
        _ => domain.held(expression),
    }
}

/// Values that may be numbers; of what is none, the domain knows more.
pub trait Numbers {
    /// What is known of a number.
    type Value: Clone;
    /// Where types and names are known.
    type Types: Types;

    /// The types.
    fn types(&self) -> &Self::Types;
    /// A number.
    fn constant(&self, value: i128) -> Self::Value;
    /// The number, if it is one.
    fn as_constant(&self, value: &Self::Value) -> Option<i128>;
    /// What memory holds.
    fn held(&mut self, expression: &Expression) -> Option<Self::Value>;

    /// The result where not both operands are numbers, in this type.
    fn computed(
        &mut self,
        _operator: BinaryOperator,
        _left: &Self::Value,
        _right: &Self::Value,
        _result: Option<Width>,
    ) -> Option<Self::Value> {
        None
    }

    /// What is no number, in another type.
    fn carried(
        &mut self,
        _value: &Self::Value,
        _from: Option<Width>,
        _to: Option<Width>,
    ) -> Option<Self::Value> {
        None
    }
}

impl<N: Numbers> Domain for N {
    type Value = N::Value;

    fn number(&mut self, value: i128, _: &Expression) -> Option<N::Value> {
        Some(self.constant(value))
    }

    fn held(&mut self, expression: &Expression) -> Option<N::Value> {
        Numbers::held(self, expression)
    }

    fn unary(
        &mut self,
        operator: UnaryOperator,
        (value, from): Typed<N::Value>,
        result: TypeId,
    ) -> Option<N::Value> {
        let to = Width::of(self.types(), result);
        match self.as_constant(&value) {
            Some(number) => operator.of((number, from)).map(|one| self.constant(one)),
            None => match operator {
                UnaryOperator::Plus => self.carried(&value, from, to),
                UnaryOperator::Minus => {
                    let zero = self.constant(0);
                    self.computed(BinaryOperator::Subtract, &zero, &value, to)
                }
                _ => None,
            },
        }
    }

    fn binary(
        &mut self,
        operator: BinaryOperator,
        (left, a): Typed<N::Value>,
        (right, b): Typed<N::Value>,
        result: TypeId,
    ) -> Option<N::Value> {
        match (self.as_constant(&left), self.as_constant(&right)) {
            (Some(one), Some(other)) => {
                let found = operator.of((one, a), (other, b));
                found.map(|value| self.constant(value))
            }
            _ => {
                let width = Width::of(self.types(), result);
                self.computed(operator, &left, &right, width)
            }
        }
    }

    fn logical(
        &mut self,
        and: bool,
        left: Option<N::Value>,
        right: Option<N::Value>,
    ) -> Option<N::Value> {
        let [left, right] = [left, right].map(|side| Some(self.as_constant(&side?)? != 0));
        let found = match (left, right) {
            (Some(side), _) | (_, Some(side)) if side != and => !and,
            (Some(_), Some(_)) => and,
            _ => return None,
        };
        Some(self.constant(i128::from(found)))
    }

    fn choice(
        &mut self,
        condition: Option<N::Value>,
        then: Option<Typed<N::Value>>,
        otherwise: Option<Typed<N::Value>>,
        result: TypeId,
    ) -> Option<N::Value> {
        let chosen = match self.as_constant(&condition?)? {
            0 => otherwise?,
            _ => then?,
        };
        self.converted(chosen, result)
    }

    fn converted(&mut self, (value, from): Typed<N::Value>, to: TypeId) -> Option<N::Value> {
        let Some(number) = self.as_constant(&value) else {
            let to = Width::of(self.types(), to);
            return self.carried(&value, from, to);
        };
        let number = fitted(self.types(), (number, from), to)?;
        Some(self.constant(number))
    }
}

/// A number of a type.
pub fn typed(types: &impl Types, value: i128, ty: TypeId) -> Number {
    (value, Width::of(types, ty))
}

/// A number of one type in another one; none in one that holds no whole numbers.
pub fn converted(types: &impl Types, (value, from): (i128, TypeId), to: TypeId) -> Option<i128> {
    fitted(types, typed(types, value, from), to)
}

fn fitted(types: &impl Types, (value, from): Number, to: TypeId) -> Option<i128> {
    let own = from.map_or(value, |width| width.wrap(value));
    match (Width::of(types, to), types.kind_of(to)) {
        (Some(width), _) => Some(width.wrap(own)),
        (None, TypeKind::Pointer(_)) => Some(own),
        _ => None,
    }
}

/// Numbers that are the same in every run. `of`: what memory holds, where that is known; `size`: what `sizeof` gives.
pub struct Constants<'a, T, F> {
    types: &'a T,
    of: F,
}

impl<'a, T: Types, F: FnMut(&Expression) -> Option<i128>> Constants<'a, T, F> {
    /// Of a unit.
    pub fn of(types: &'a T, of: F) -> Constants<'a, T, F> {
        Constants { types, of }
    }
}

impl<T: Types, F: FnMut(&Expression) -> Option<i128>> Numbers for Constants<'_, T, F> {
    type Value = i128;
    type Types = T;

    fn types(&self) -> &T {
        self.types
    }

    fn constant(&self, value: i128) -> i128 {
        value
    }

    fn as_constant(&self, value: &i128) -> Option<i128> {
        Some(*value)
    }

    fn held(&mut self, expression: &Expression) -> Option<i128> {
        (self.of)(expression)
    }
}

impl Unit {
    /// The number that an expression is in every run. `held`: what is known of names and other memory.
    pub fn constant(
        &self,
        expression: &Expression,
        held: &mut dyn FnMut(&Expression) -> Option<i128>,
    ) -> Option<i128> {
        let of = |one: &Expression| match &one.kind {
            ExpressionKind::Unevaluated(of) => {
                let bytes = Layout::of(self).bytes(of.as_ref()?.ty)?;
                Some(i128::from(bytes))
            }
            _ => held(one),
        };
        evaluate(self, &mut Constants::of(self, of), expression)
    }
}
