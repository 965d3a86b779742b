//! What a condition has found out about a pointer, on the way that control takes behind it.
//!
//! ```text
//! while ((word = next())) { … }      in the body `word` is no null pointer
//! if (!word) return; …               nor is it here
//! ```
//!
//! In: a step from one node of a function to the next, and a local. Out: that control goes this way only where the condition of an `if`
//! or a loop has found that the local is no null pointer. Errors fall on the side of *not known*.

use crate::dataflow::Flow;
use crate::dataflow::steps::{RoutineId, VariableId};
use crate::program::{
    BinaryOperator, Expression, ExpressionKind, Statement, StatementKind, UnaryOperator, Unit,
};

use super::lower::Lowering;

impl Lowering<'_> {
    /// Whether a local of a function is no null pointer where control goes from `node` to `later`.
    pub(super) fn is_tested(
        &self,
        id: RoutineId,
        variable: VariableId,
        (node, later): (usize, usize),
    ) -> bool {
        let routine = self.steps.routine(id);
        let at = routine.function;
        let unit = &self.program.units[at.unit];
        let flow = &routine.flow;
        let mut found = None;
        unit.function(at.function).body.walk(&mut |statement| {
            if Some(statement.id) == flow.nodes[node].statement {
                found = found.or(tested(flow, node, statement));
            }
            found.is_none()
        });
        let Some((condition, inside)) = found else {
            return false;
        };
        let enters = |to: usize| inside.span.contains(flow.nodes[to].span);
        // Where nothing is inside, both ways lead to the same node.
        let holds = enters(later);
        if !holds && !flow.next(node).any(enters) {
            return false;
        }
        let test = Test {
            unit,
            is_it: &|one: &Expression| {
                let symbol = one.symbol();
                symbol.is_some_and(|one| self.steps.variable_of(at.unit, one) == Some(variable))
            },
        };
        test.says(condition, holds, test.sets(condition))
    }
}

/// The condition that is evaluated in a node, and what control comes into when it holds.
fn tested<'a>(
    flow: &Flow,
    node: usize,
    statement: &'a Statement,
) -> Option<(&'a Expression, &'a Statement)> {
    match &statement.kind {
        StatementKind::If {
            condition, then, ..
        } => Some((condition, then)),
        StatementKind::While { condition, body } => Some((condition, body)),
        StatementKind::For {
            condition: Some(condition),
            body,
            ..
        } if flow.nodes[node].span == condition.span => Some((condition, body)),
        _ => None,
    }
}

/// A condition about a variable.
struct Test<'a> {
    unit: &'a Unit,
    is_it: &'a dyn Fn(&Expression) -> bool,
}

impl Test<'_> {
    /// How often a condition sets the variable.
    fn sets(&self, condition: &Expression) -> usize {
        let mut sets = 0;
        condition.walk(&mut |one| match &one.kind {
            ExpressionKind::Assign { target, .. } | ExpressionKind::Step(_, target) => {
                sets += usize::from((self.is_it)(target));
            }
            _ => {}
        });
        sets
    }

    /// Whether the variable is no null pointer when the condition holds, or does not; the whole of it sets the variable so many times.
    fn says(&self, condition: &Expression, holds: bool, sets: usize) -> bool {
        match &condition.kind {
            ExpressionKind::Unary(UnaryOperator::Not, inner) => self.says(inner, !holds, sets),
            // Both sides of `&&` hold when it does, and neither side of `||` when it does not.
            ExpressionKind::Logical { and, left, right } => {
                holds == *and && (self.says(left, holds, sets) || self.says(right, holds, sets))
            }
            ExpressionKind::Binary(
                operator @ (BinaryOperator::Equal | BinaryOperator::NotEqual),
                left,
                right,
            ) => {
                let is_compared = self.is_null(right) && self.is_value(left, sets)
                    || self.is_null(left) && self.is_value(right, sets);
                is_compared && holds == (*operator == BinaryOperator::NotEqual)
            }
            _ => holds && self.is_value(condition, sets),
        }
    }

    /// Whether an expression has the value that the variable has behind the condition.
    fn is_value(&self, one: &Expression, sets: usize) -> bool {
        match &one.kind {
            ExpressionKind::Assign {
                operator: None,
                target,
                ..
            } => sets == 1 && (self.is_it)(target),
            _ => sets == 0 && (self.is_it)(one),
        }
    }

    fn is_null(&self, value: &Expression) -> bool {
        self.unit.constant(value, &mut |_| None) == Some(0)
            || matches!(&value.kind, ExpressionKind::Cast(inner) if self.is_null(inner))
    }
}
