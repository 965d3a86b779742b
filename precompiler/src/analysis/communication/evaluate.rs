//! Values of expressions.

use super::run::{Question, Run};
use super::state::State;
use super::value::{Shape, Sym, Value, comparison, other, remainder, sum};
use crate::dataflow::steps::{Location, ValueId};
use crate::program::{
    BinaryOperator, Expression, ExpressionKind, IntegerKind, StepOperator, SymbolKind, TypeId,
    TypeKind, UnaryOperator, Unit,
};
use crate::source::Span;
use std::collections::HashMap;

/// What the steps of a node have found out.
#[derive(Default)]
pub struct Scratch<'a> {
    /// Values by number.
    pub values: HashMap<ValueId, Value>,
    /// Values of what was read or called, by its text.
    pub spans: HashMap<Span, Value>,
    /// Places whose address was taken.
    pub places: HashMap<ValueId, &'a Location>,
    /// The text of each value that was computed.
    pub texts: HashMap<ValueId, Span>,
}

const FLOAT: u8 = 200;
const CAST: u8 = 201;
const ELEMENT: u8 = 202;
const UNARY: u8 = 210;

/// Whether a type holds whole numbers.
pub fn is_whole(unit: &Unit, ty: TypeId) -> bool {
    matches!(
        unit.kind(ty),
        TypeKind::Integer(_) | TypeKind::Enum(_) | TypeKind::Bool
    )
}

impl<'a> Run<'a, '_> {
    /// The value of an expression whose steps have been taken.
    pub fn evaluate(
        &mut self,
        unit: &'a Unit,
        expression: &Expression,
        scratch: &Scratch<'a>,
        state: &State,
    ) -> Value {
        if let Some(value) = scratch.spans.get(&expression.span) {
            return value.clone();
        }
        let ranks = self.ranks;
        match &expression.kind {
            ExpressionKind::Number(Some(number)) => match i64::try_from(*number) {
                Ok(number) => Value::same(ranks, Sym::Int(number)),
                Err(_) => self.text(expression.span),
            },
            ExpressionKind::Number(None)
            | ExpressionKind::Text
            | ExpressionKind::Unevaluated(_) => self.text(expression.span),
            ExpressionKind::Name {
                symbol: Some(symbol),
                ..
            } => {
                let symbol = &unit.symbols[symbol.0];
                match (symbol.kind, symbol.name.as_str()) {
                    (SymbolKind::EnumConstant(Some(value)), _) => {
                        let number = i64::try_from(value).unwrap_or(i64::MAX);
                        Value::same(ranks, Sym::Int(number))
                    }
                    (_, "ompi_mpi_comm_world") => {
                        Value::same(ranks, Sym::Int(super::communicators::WORLD))
                    }
                    (_, "ompi_mpi_comm_self") => {
                        Value::same(ranks, Sym::Int(super::communicators::SELF))
                    }
                    (_, "ompi_mpi_comm_null") => {
                        Value::same(ranks, Sym::Int(super::communicators::NULL))
                    }
                    // The name of an array or a function: an address.
                    (SymbolKind::Function, _) => self.text(expression.span),
                    _ if matches!(unit.kind(expression.ty), TypeKind::Array { .. }) => {
                        self.text(expression.span)
                    }
                    _ => Value::unknown(ranks),
                }
            }
            ExpressionKind::Unary(UnaryOperator::Address, inner) => match &inner.kind {
                ExpressionKind::Name { name, .. } if name.starts_with("ompi_mpi_comm_") => {
                    self.evaluate(unit, inner, scratch, state)
                }
                _ => self.text(expression.span),
            },
            ExpressionKind::Cast(inner) => {
                let value = self.evaluate(unit, inner, scratch, state);
                if is_whole(unit, inner.ty) == is_whole(unit, expression.ty)
                    || !is_whole(unit, expression.ty)
                {
                    return value;
                }
                self.each(&value.clone(), &value, CAST, value.shape, &|one, _| {
                    Some(one)
                })
            }
            ExpressionKind::Unary(operator, inner) => {
                let value = self.evaluate(unit, inner, scratch, state);
                self.unary(unit, expression, *operator, inner, &value, state)
            }
            ExpressionKind::Binary(operator, left, right) => {
                let left_value = self.evaluate(unit, left, scratch, state);
                let right_value = self.evaluate(unit, right, scratch, state);
                let whole = is_whole(unit, left.ty) && is_whole(unit, right.ty);
                self.binary(
                    unit,
                    expression.ty,
                    *operator,
                    &left_value,
                    &right_value,
                    whole,
                    state,
                )
            }
            ExpressionKind::Logical { and, left, right } => {
                let left = self.evaluate(unit, left, scratch, state);
                let right = self.evaluate(unit, right, scratch, state);
                self.logical(*and, &left, &right)
            }
            ExpressionKind::Conditional {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.evaluate(unit, condition, scratch, state);
                let yes = match then {
                    Some(then) => self.evaluate(unit, then, scratch, state),
                    None => condition.clone(),
                };
                let no = self.evaluate(unit, otherwise, scratch, state);
                self.choose(&condition, &yes, &no, state)
            }
            // Not what is there, which would have been read, but where it is.
            ExpressionKind::Index { array, index } => {
                let array = self.evaluate(unit, array, scratch, state);
                let index = self.evaluate(unit, index, scratch, state);
                self.each(&array, &index, ELEMENT, other(&array, &index), &|_, _| None)
            }
            ExpressionKind::Assign {
                operator: None,
                value,
                ..
            } => self.evaluate(unit, value, scratch, state),
            ExpressionKind::Assign {
                operator: Some(operator),
                target,
                value,
            } => {
                let left = self.evaluate(unit, target, scratch, state);
                let right = self.evaluate(unit, value, scratch, state);
                let whole = is_whole(unit, target.ty) && is_whole(unit, value.ty);
                self.binary(unit, target.ty, *operator, &left, &right, whole, state)
            }
            ExpressionKind::Step(operator, target) => {
                let old = self.evaluate(unit, target, scratch, state);
                match operator {
                    StepOperator::PreIncrement | StepOperator::PreDecrement => {
                        self.stepped(unit, *operator, target, &old, state)
                    }
                    StepOperator::PostIncrement | StepOperator::PostDecrement => old,
                }
            }
            ExpressionKind::Comma(all) => match all.last() {
                Some(last) => self.evaluate(unit, last, scratch, state),
                None => Value::unknown(ranks),
            },
            _ => Value::unknown(ranks),
        }
    }

    /// What stands in the text and is the same for all, whatever it is.
    fn text(&mut self, span: Span) -> Value {
        let unit = self.stack.last().map_or(0, |id| self.place(*id, span).unit) as i64;
        let start = Sym::Int((unit << 40) + span.start as i64);
        let sym = self.terms.of(FLOAT, start, Sym::Int(span.end as i64));
        let mut value = Value::same(self.ranks, sym);
        self.settle_value(&mut value);
        value
    }

    /// One more, or one less.
    pub fn stepped(
        &mut self,
        unit: &'a Unit,
        operator: StepOperator,
        target: &Expression,
        old: &Value,
        state: &State,
    ) -> Value {
        let one = Value::same(self.ranks, Sym::Int(1));
        let operator = match operator {
            StepOperator::PreIncrement | StepOperator::PostIncrement => BinaryOperator::Add,
            StepOperator::PreDecrement | StepOperator::PostDecrement => BinaryOperator::Subtract,
        };
        let whole = is_whole(unit, target.ty);
        self.binary(unit, target.ty, operator, old, &one, whole, state)
    }

    /// Computes each component; a term where there is no number.
    fn each(
        &mut self,
        left: &Value,
        right: &Value,
        operation: u8,
        shape: Shape,
        number: &dyn Fn(i64, i64) -> Option<i64>,
    ) -> Value {
        let mut parts = Vec::with_capacity(self.ranks);
        for (left, right) in left.parts.iter().zip(&right.parts) {
            let known = match (left, right) {
                (Sym::Int(left), Sym::Int(right)) => number(*left, *right),
                _ => None,
            };
            parts.push(match known {
                Some(number) => Sym::Int(number),
                None => self.terms.of(operation, *left, *right),
            });
        }
        let mut value = Value { parts, shape };
        self.settle_value(&mut value);
        value
    }

    fn unary(
        &mut self,
        unit: &Unit,
        expression: &Expression,
        operator: UnaryOperator,
        inner: &Expression,
        value: &Value,
        _state: &State,
    ) -> Value {
        let zero = Value::same(self.ranks, Sym::Int(0));
        let whole = is_whole(unit, inner.ty);
        match operator {
            UnaryOperator::Plus => value.clone(),
            UnaryOperator::Minus => {
                let shape = sum(&zero, value, -1);
                let is_unsigned = is_unsigned(unit, expression.ty);
                self.each(&zero, value, UNARY, shape, &|_, one| {
                    (whole && !(is_unsigned && one > 0))
                        .then(|| one.checked_neg())
                        .flatten()
                })
            }
            UnaryOperator::Not => {
                let shape = comparison(value, &zero);
                self.each(value, &zero, UNARY + 1, shape, &|one, _| {
                    Some(i64::from(one == 0))
                })
            }
            UnaryOperator::Complement => {
                let shape = other(value, value);
                self.each(value, &zero, UNARY + 2, shape, &|one, _| Some(!one))
            }
            // Reads have been noted; what is left is an array or a function.
            UnaryOperator::Indirection | UnaryOperator::Address | UnaryOperator::ComplexPart => {
                Value::unknown(self.ranks)
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "an operation with both operands")]
    fn binary(
        &mut self,
        unit: &Unit,
        ty: TypeId,
        operator: BinaryOperator,
        left: &Value,
        right: &Value,
        whole: bool,
        state: &State,
    ) -> Value {
        use BinaryOperator as B;
        let is_unsigned = is_unsigned(unit, ty);
        match operator {
            B::Modulo | B::Divide if whole => self.ask_divisor(left, right, state),
            B::Equal | B::NotEqual if whole => {
                self.ask_factor(left, right, state);
                self.ask_factor(right, left, state);
            }
            _ => {}
        }
        let shape = match operator {
            B::Add => sum(left, right, 1),
            B::Subtract => sum(left, right, -1),
            B::Modulo => remainder(left, right),
            B::Less | B::Greater | B::LessOrEqual | B::GreaterOrEqual | B::Equal | B::NotEqual => {
                self.ask_compared(left, right, state);
                self.ask_compared(right, left, state);
                comparison(left, right)
            }
            B::And if right.parts.iter().all(|one| *one == Sym::Int(1)) => {
                let two = Value::same(self.ranks, Sym::Int(2));
                remainder(left, &two)
            }
            B::Divide if right.parts.iter().all(|one| *one == Sym::Int(2)) => match left.shape {
                Shape::Linear { rank: 0, .. } if !left.shape.is_constant() => Shape::Piece,
                _ => other(left, right),
            },
            _ => other(left, right),
        };
        let compares = matches!(
            operator,
            B::Less | B::Greater | B::LessOrEqual | B::GreaterOrEqual | B::Equal | B::NotEqual
        );
        let mut value = self.each(left, right, operator as u8, shape, &|left, right| {
            if !whole && !compares {
                return None;
            }
            let result = operator.of(i128::from(left), i128::from(right))?;
            let result = i64::try_from(result).ok()?;
            (compares || !is_unsigned || result >= 0).then_some(result)
        });
        // Equal terms are equal numbers.
        if compares {
            for (at, part) in value.parts.iter_mut().enumerate() {
                if matches!(left.parts[at], Sym::Term(_))
                    && left.parts[at] == right.parts[at]
                    && whole
                {
                    let equal = matches!(operator, B::Equal | B::LessOrEqual | B::GreaterOrEqual);
                    *part = Sym::Int(i64::from(equal));
                }
            }
        }
        if let Shape::Linear { rank: 0, .. } = value.shape
            && value.numbers(&state.mask).is_some()
            && value.uniform(&state.mask).is_none()
        {
            value.shape = Shape::Wild;
        }
        value
    }

    /// Ranks are compared with something that is the same for all: it has to be known.
    fn ask_compared(&mut self, ranks: &Value, with: &Value, state: &State) {
        let differs = ranks.numbers(&state.mask).is_some() && ranks.uniform(&state.mask).is_none();
        if differs && let Some(Sym::Term(term)) = with.uniform(&state.mask) {
            self.ask_rank(term);
        }
    }

    /// Asks which rank a term is: one of them, or none. It is taken to be none of the numbers that mean something else
    /// to MPI: those are written down in the program.
    pub fn ask_rank(&mut self, term: u32) {
        self.ask(Question::Term(term), (0..=self.ranks as i64).collect());
    }

    /// Ranks are divided by something that is the same for all: an extent of a grid of ranks. It has to be known.
    fn ask_divisor(&mut self, ranks: &Value, by: &Value, state: &State) {
        let Some(Sym::Term(term)) = by.uniform(&state.mask) else {
            return;
        };
        let is_rank = |part: Sym| match part {
            Sym::Int(_) => true,
            // `(rank + extent) % extent`
            Sym::Term(sum) => matches!(
                self.terms.made(sum),
                Some((operation, left, right))
                    if operation == BinaryOperator::Add as u8
                        && matches!((left, right), (Sym::Int(_), Sym::Term(one)) | (Sym::Term(one), Sym::Int(_)) if one == term)
            ),
            Sym::Unknown => false,
        };
        // One extent that is known may make the ranks in the next one all alike.
        let differs = ranks.uniform(&state.mask).is_none() || !self.assumed.is_empty();
        if differs && ranks.on(&state.mask).all(is_rank) {
            self.ask_extent(term);
        }
    }

    /// The product of the extents of a grid is compared with the number of ranks: the last of them has to be known, too.
    fn ask_factor(&mut self, product: &Value, with: &Value, state: &State) {
        let (Some(Sym::Term(product)), Some(Sym::Int(count))) =
            (product.uniform(&state.mask), with.uniform(&state.mask))
        else {
            return;
        };
        if count == self.ranks as i64
            && let Some((operation, left, right)) = self.terms.made(product)
            && operation == BinaryOperator::Multiply as u8
            && let (Sym::Int(1..), Sym::Term(term)) | (Sym::Term(term), Sym::Int(1..)) =
                (left, right)
            && self.terms.made(term).is_none()
        {
            self.ask_extent(term);
        }
    }

    /// Asks which extent of a grid of ranks a term is: up to their number, or more.
    fn ask_extent(&mut self, term: u32) {
        self.ask(Question::Term(term), (1..=self.ranks as i64 + 1).collect());
    }

    fn logical(&mut self, and: bool, left: &Value, right: &Value) -> Value {
        let shape = match (left.shape, right.shape) {
            (one, other) if one.is_constant() && other.is_constant() => Shape::CONSTANT,
            (Shape::Wild, _) | (_, Shape::Wild) => Shape::Wild,
            _ => Shape::Piece,
        };
        let mut parts = Vec::with_capacity(self.ranks);
        for (left, right) in left.parts.iter().zip(&right.parts) {
            parts.push(match (left, right) {
                (Sym::Int(one), _) if (*one != 0) != and => Sym::Int(i64::from(!and)),
                (_, Sym::Int(other)) if (*other != 0) != and => Sym::Int(i64::from(!and)),
                (Sym::Int(_), Sym::Int(other)) => Sym::Int(i64::from(*other != 0)),
                (left, right) => self.terms.of(UNARY + 3 + u8::from(and), *left, *right),
            });
        }
        let mut value = Value { parts, shape };
        self.settle_value(&mut value);
        value
    }

    fn choose(&mut self, condition: &Value, yes: &Value, no: &Value, state: &State) -> Value {
        let mut shape = yes.shape.or(no.shape);
        if !condition.shape.is_constant() {
            shape = shape.or(if condition.shape == Shape::Wild {
                Shape::Wild
            } else {
                Shape::Piece
            });
        }
        let is_same = yes.uniform(&state.mask).is_some()
            && no.uniform(&state.mask).is_some()
            && condition.uniform(&state.mask).is_some();
        let fresh = self.fresh();
        let fresh = fresh.parts.first().copied().unwrap_or(Sym::Unknown);
        let mut parts = Vec::with_capacity(self.ranks);
        for rank in 0..self.ranks {
            parts.push(match condition.parts[rank] {
                Sym::Int(0) => no.parts[rank],
                Sym::Int(_) => yes.parts[rank],
                _ if yes.parts[rank] == no.parts[rank] => yes.parts[rank],
                _ if is_same => fresh,
                _ => Sym::Unknown,
            });
        }
        Value { parts, shape }
    }
}

fn is_unsigned(unit: &Unit, ty: TypeId) -> bool {
    matches!(
        unit.kind(ty),
        TypeKind::Integer(
            IntegerKind::UnsignedChar
                | IntegerKind::UnsignedShort
                | IntegerKind::UnsignedInt
                | IntegerKind::UnsignedLong
                | IntegerKind::UnsignedLongLong
                | IntegerKind::UnsignedInt128
        )
    )
}
