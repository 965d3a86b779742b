//! Branches that a counter opens once in a while: `if (--left == 0) refill();`.
//!
//! In: the condition and the branch of an `if`, and what the function steps by one. Out: once in how many times the branch is gone
//! through. A counter is what the condition itself steps and compares for equality, or what the function steps elsewhere, the condition
//! compares, and the branch sets back.
//!
//! ```text
//! if (--left == 0) refill();                                             unknown how often: once in MANY times
//! if (next >= 624) { refill(words); next = 0; }  … words[next++]         once in 624 times
//! ```
//!
//! It is an estimate: a branch taken for the wrong kind weighs more or less.

use std::collections::HashSet;

use super::iterations::MANY;
use crate::program::{BinaryOperator, Expression, ExpressionKind, Statement, UnaryOperator, Unit};

/// What a function steps by one, by its text.
pub struct Counters<'a> {
    unit: &'a Unit,
    stepped: HashSet<&'a str>,
}

impl<'a> Counters<'a> {
    /// Looks at a function.
    pub fn of(unit: &'a Unit, body: &Statement) -> Counters<'a> {
        let mut stepped = HashSet::new();
        body.walk_expressions(&mut |one| {
            if let ExpressionKind::Step(_, target) = &one.kind {
                stepped.insert(text(unit, target));
            }
        });
        Counters { unit, stepped }
    }

    /// Once in how many times a branch is gone through that such a counter opens.
    pub fn period(&self, condition: &Expression, branch: &Statement) -> Option<f64> {
        let (counter, end, is_equality) = match &condition.kind {
            ExpressionKind::Unary(UnaryOperator::Not, counter) => (&**counter, Some(0), true),
            ExpressionKind::Binary(operator, left, right) => {
                let is_equality = *operator == BinaryOperator::Equal;
                if !operator.compares() || *operator == BinaryOperator::NotEqual {
                    return None;
                }
                let is_counter = |one: &Expression| {
                    matches!(one.kind, ExpressionKind::Step(..))
                        || self.stepped.contains(text(self.unit, one))
                };
                let sides = [(left, right), (right, left)];
                let (counter, end) = sides.into_iter().find(|(one, _)| is_counter(one))?;
                (&**counter, self.number(end), is_equality)
            }
            _ => return None,
        };
        let (place, steps_here) = match &counter.kind {
            ExpressionKind::Step(_, place) => (&**place, true),
            _ => (counter, false),
        };
        let set = self.set_back(text(self.unit, place), branch);
        let is_refill = steps_here && is_equality
            || set.is_some() && self.stepped.contains(text(self.unit, place));
        let far = |from: i128, to: i128| (from - to).unsigned_abs() as f64;
        let period = match (end, set.flatten()) {
            (Some(end), Some(begin)) => far(end, begin),
            (Some(end), None) => far(end, 0),
            (None, _) => MANY,
        };
        is_refill.then_some(if period < 2.0 { MANY } else { period })
    }

    /// Whether a branch sets a counter, and to which number.
    fn set_back(&self, counter: &str, branch: &Statement) -> Option<Option<i128>> {
        let mut found = None;
        branch.walk_expressions(&mut |one| {
            if let ExpressionKind::Assign {
                operator: None,
                target,
                value,
            } = &one.kind
                && text(self.unit, target) == counter
            {
                found = Some(self.number(value));
            }
        });
        found
    }

    fn number(&self, value: &Expression) -> Option<i128> {
        self.unit.constant(value, &mut |_| None)
    }
}

fn text<'a>(unit: &'a Unit, expression: &Expression) -> &'a str {
    unit.file.preprocessed_text(expression.span).trim()
}
