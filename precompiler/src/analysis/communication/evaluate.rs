//! Values of expressions: numbers, terms and shapes as the domain of [`evaluate`].

use super::run::{Question, Run};
use super::state::State;
use super::value::{Shape, Sym, Value, comparison, other, remainder, sum};
use crate::dataflow::steps::{Location, ValueId};
use crate::program::value::{Domain, Typed, evaluate};
use crate::program::{
    BinaryOperator, Expression, ExpressionKind, StepOperator, SymbolKind, TypeId, TypeKind,
    UnaryOperator, Unit, Width,
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

const LONG: Width = Width {
    bits: 64,
    is_signed: true,
};
const FLOAT: u8 = 200;
const CAST: u8 = 201;
const ELEMENT: u8 = 202;
const UNARY: u8 = 210;

impl<'a> Run<'a, '_> {
    /// The value of an expression whose steps have been taken.
    pub fn evaluate(
        &mut self,
        unit: &'a Unit,
        expression: &Expression,
        scratch: &Scratch<'a>,
        state: &State,
    ) -> Value {
        let unknown = Value::unknown(self.ranks);
        let mut here = Here {
            run: self,
            unit,
            scratch,
            state,
        };
        evaluate(unit, &mut here, expression).unwrap_or(unknown)
    }

    /// The same, as it is stored where there is a type of a unit.
    pub fn evaluate_as(
        &mut self,
        unit: &'a Unit,
        expression: &Expression,
        (there, to): (&Unit, TypeId),
        scratch: &Scratch<'a>,
        state: &State,
    ) -> Value {
        let value = self.evaluate(unit, expression, scratch, state);
        let from = Width::of_value(unit, expression);
        self.fit(value, from, Width::of(there, to))
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
        unit: &Unit,
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
        let width = Width::of_value(unit, target);
        let operands = ((old.clone(), width), (one, Some(Width::INT)));
        let value = self.combined(operator, &operands.0, &operands.1, state);
        self.fit(value, None, width)
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
        let mut value = Value {
            parts: parts.into(),
            shape,
        };
        self.settle_value(&mut value);
        value
    }

    /// The result of an operator before a value.
    fn negated(&mut self, operator: UnaryOperator, (value, width): &Typed<Value>) -> Value {
        let zero = Value::same(self.ranks, Sym::Int(0));
        let (code, shape) = match operator {
            UnaryOperator::Minus => (UNARY, sum(&zero, value, -1)),
            UnaryOperator::Not => (UNARY + 1, comparison(value, &zero)),
            _ => (UNARY + 2, other(value, value)),
        };
        let of = |one: i64| i64::try_from(operator.of((i128::from(one), *width))?).ok();
        let mut found = self.each(&zero, value, code, shape, &|_, one| of(one));
        let is_plain = |part: &Sym| match (operator, part) {
            (UnaryOperator::Minus, Sym::Int(one)) => of(*one).is_none_or(|found| found == -one),
            _ => true,
        };
        if !value.parts.iter().all(is_plain) {
            found.shape = wild(found.shape);
        }
        found
    }

    /// The result of an operator between two values.
    fn combined(
        &mut self,
        operator: BinaryOperator,
        (left, a): &Typed<Value>,
        (right, b): &Typed<Value>,
        state: &State,
    ) -> Value {
        use BinaryOperator as B;
        let whole = a.is_some() && b.is_some();
        match operator {
            B::Modulo | B::Divide if whole => self.ask_divisor(left, right, state),
            B::Equal | B::NotEqual if whole => {
                self.ask_factor(left, right, state);
                self.ask_factor(right, left, state);
            }
            _ => {}
        }
        let compares = operator.compares();
        let shape = match operator {
            B::Add => sum(left, right, 1),
            B::Subtract => sum(left, right, -1),
            B::Modulo => remainder(left, right),
            _ if compares => {
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
        let of = |left: i64, right: i64, a, b| {
            let (left, right) = (i128::from(left), i128::from(right));
            i64::try_from(operator.of((left, a), (right, b))?).ok()
        };
        // Numbers as they are, whatever their types make of them.
        let plain = |left, right| of(left, right, Some(LONG), Some(LONG));
        let mut value = self.each(left, right, operator as u8, shape, &|left, right| match (
            whole, compares,
        ) {
            (true, _) => of(left, right, *a, *b),
            (false, true) => plain(left, right),
            (false, false) => None,
        });
        let is_plain = |(at, part): (usize, &Sym)| match (left.parts[at], right.parts[at], part) {
            (Sym::Int(left), Sym::Int(right), Sym::Int(one)) => plain(left, right) == Some(*one),
            _ => true,
        };
        // A number that goes below zero in an unsigned type is near no end.
        if !value.parts.iter().enumerate().all(is_plain) {
            value.shape = wild(value.shape);
        }
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

    /// A value as another type holds it. What nobody knows is taken for a number that 32 bits hold.
    fn fit(&mut self, mut value: Value, from: Option<Width>, to: Option<Width>) -> Value {
        let Some(to) = to else {
            return value;
        };
        let is_wide = to.bits >= 32 || from.is_some_and(|from| from.fits_into(to));
        let mut changed = !is_wide;
        for part in &mut value.parts {
            let (number, term) = match *part {
                Sym::Int(number) if to.holds(i128::from(number)) => continue,
                Sym::Int(number) => (i64::try_from(to.wrap(i128::from(number))).ok(), *part),
                Sym::Term(_) if !is_wide => (None, *part),
                _ => continue,
            };
            changed = true;
            *part = number.map_or_else(
                || {
                    let code = i64::from(to.bits) * if to.is_signed { -1 } else { 1 };
                    self.terms.of(CAST, term, Sym::Int(code))
                },
                Sym::Int,
            );
        }
        if changed {
            value.shape = wild(value.shape);
        }
        self.settle_value(&mut value);
        value
    }

    /// Ranks are compared with something that is the same for all: it has to be known. Numbers of which none is that of a rank are
    /// shares of the work or the like, as in `i < rows` where ranks have unequally many.
    fn ask_compared(&mut self, ranks: &Value, with: &Value, state: &State) {
        let is_rank =
            |one: Sym| matches!(one, Sym::Int(number) if (0..self.ranks as i64).contains(&number));
        let differs = ranks.numbers(&state.mask).is_some() && ranks.uniform(&state.mask).is_none();
        if differs
            && ranks.on(&state.mask).any(is_rank)
            && let Some(Sym::Term(term)) = with.uniform(&state.mask)
        {
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
        let mut value = Value {
            parts: parts.into(),
            shape,
        };
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
        Value {
            parts: parts.into(),
            shape,
        }
    }
}

/// That of what no shape describes: a constant is one all the same.
fn wild(shape: Shape) -> Shape {
    match shape.is_constant() {
        true => Shape::CONSTANT,
        false => Shape::Wild,
    }
}

/// Where an expression is evaluated.
struct Here<'h, 'r, 'a, 'k> {
    run: &'h mut Run<'r, 'k>,
    unit: &'a Unit,
    scratch: &'h Scratch<'r>,
    state: &'h State,
}

impl Here<'_, '_, '_, '_> {
    /// What a name, an address, or anything else is that no step has read.
    fn named(&mut self, expression: &Expression) -> Value {
        let ranks = self.run.ranks;
        let ExpressionKind::Name {
            symbol: Some(symbol),
            ..
        } = &expression.kind
        else {
            return Value::unknown(ranks);
        };
        let symbol = &self.unit.symbols[symbol.0];
        let known = match symbol.name.as_str() {
            "ompi_mpi_comm_world" => super::communicators::WORLD,
            "ompi_mpi_comm_self" => super::communicators::SELF,
            "ompi_mpi_comm_null" => super::communicators::NULL,
            // The name of an array or a function: an address.
            _ if symbol.kind == SymbolKind::Function
                || matches!(self.unit.kind(expression.ty), TypeKind::Array { .. }) =>
            {
                return self.run.text(expression.span);
            }
            _ => return Value::unknown(ranks),
        };
        Value::same(ranks, Sym::Int(known))
    }
}

impl Domain for Here<'_, '_, '_, '_> {
    type Value = Value;

    fn known(&mut self, expression: &Expression) -> Option<Value> {
        self.scratch.spans.get(&expression.span).cloned()
    }

    fn number(&mut self, value: i128, expression: &Expression) -> Option<Value> {
        Some(match i64::try_from(value) {
            Ok(number) => Value::same(self.run.ranks, Sym::Int(number)),
            Err(_) => self.run.text(expression.span),
        })
    }

    fn held(&mut self, expression: &Expression) -> Option<Value> {
        let (unit, ranks) = (self.unit, self.run.ranks);
        let mut part = |one: &Expression| {
            let found = evaluate(unit, self, one);
            found.unwrap_or_else(|| Value::unknown(ranks))
        };
        Some(match &expression.kind {
            ExpressionKind::Number(_) | ExpressionKind::Text | ExpressionKind::Unevaluated(_) => {
                self.run.text(expression.span)
            }
            ExpressionKind::Unary(UnaryOperator::Address, inner) => match &inner.kind {
                ExpressionKind::Name { name, .. } if name.starts_with("ompi_mpi_comm_") => {
                    part(inner)
                }
                _ => self.run.text(expression.span),
            },
            // Not what is there, which would have been read, but where it is.
            ExpressionKind::Index { array, index } => {
                let (array, index) = (part(array), part(index));
                let shape = other(&array, &index);
                self.run.each(&array, &index, ELEMENT, shape, &|_, _| None)
            }
            ExpressionKind::Assign {
                operator,
                target,
                value,
            } => {
                let stored = part(value);
                let from = Width::of_value(unit, value);
                let to = Width::of_value(unit, target);
                match operator {
                    None => self.run.fit(stored, from, to),
                    Some(operator) => {
                        let (old, new) = ((part(target), to), (stored, from));
                        let value = self.run.combined(*operator, &old, &new, self.state);
                        self.run.fit(value, None, to)
                    }
                }
            }
            ExpressionKind::Step(operator, target) => {
                let old = part(target);
                match operator {
                    StepOperator::PreIncrement | StepOperator::PreDecrement => {
                        let (run, state) = (&mut *self.run, self.state);
                        run.stepped(unit, *operator, target, &old, state)
                    }
                    StepOperator::PostIncrement | StepOperator::PostDecrement => old,
                }
            }
            ExpressionKind::Comma(all) => part(all.last()?),
            _ => self.named(expression),
        })
    }

    fn unary(
        &mut self,
        operator: UnaryOperator,
        operand: Typed<Value>,
        result: TypeId,
    ) -> Option<Value> {
        match operator {
            UnaryOperator::Plus => self.converted(operand, result),
            _ => Some(self.run.negated(operator, &operand)),
        }
    }

    fn binary(
        &mut self,
        operator: BinaryOperator,
        left: Typed<Value>,
        right: Typed<Value>,
        _: TypeId,
    ) -> Option<Value> {
        Some(self.run.combined(operator, &left, &right, self.state))
    }

    fn logical(&mut self, and: bool, left: Option<Value>, right: Option<Value>) -> Option<Value> {
        Some(self.run.logical(and, &left?, &right?))
    }

    fn choice(
        &mut self,
        condition: Option<Value>,
        then: Option<Typed<Value>>,
        otherwise: Option<Typed<Value>>,
        result: TypeId,
    ) -> Option<Value> {
        let yes = self.converted(then?, result)?;
        let no = self.converted(otherwise?, result)?;
        Some(self.run.choose(&condition?, &yes, &no, self.state))
    }

    fn converted(&mut self, value: Typed<Value>, to: TypeId) -> Option<Value> {
        let to = Width::of(self.unit, to);
        let (value, from) = value;
        let value = match (from, to) {
            // Of a number with a fraction, or an address, what is left is another one.
            (None, Some(_)) => {
                let shape = value.shape;
                self.run
                    .each(&value, &value, CAST, shape, &|one, _| Some(one))
            }
            _ => value,
        };
        Some(self.run.fit(value, from, to))
    }
}
