//! Loops over the digits of a number: `while (n >>= 1)`, `for (d = 1; d < n; d *= 2)`.

use crate::program::{
    BinaryOperator, Expression, ExpressionKind, Statement, StatementKind, SymbolId,
};

/// Whether a variable in the condition of a loop is only ever multiplied or divided by a constant in it.
pub fn halves(statement: &Statement) -> bool {
    let (condition, step) = match &statement.kind {
        StatementKind::While { condition, .. } | StatementKind::DoWhile { condition, .. } => {
            (condition, None)
        }
        StatementKind::For {
            condition: Some(condition),
            step,
            ..
        } => (condition, step.as_ref()),
        _ => return false,
    };
    let mut changes: Vec<(SymbolId, bool)> = Vec::new();
    let mut look = |one: &Expression| match &one.kind {
        ExpressionKind::Assign {
            operator,
            target,
            value,
        } => {
            let by = match (operator, &value.kind) {
                (Some(operator), _) => is_scale(*operator, value),
                (None, ExpressionKind::Binary(operator, left, right)) => {
                    left.symbol().is_some()
                        && left.symbol() == target.symbol()
                        && is_scale(*operator, right)
                }
                _ => false,
            };
            changes.extend(target.symbol().map(|symbol| (symbol, by)));
        }
        ExpressionKind::Step(_, target) => {
            changes.extend(target.symbol().map(|symbol| (symbol, false)));
        }
        _ => {}
    };
    condition.walk(&mut look);
    if let Some(step) = step {
        step.walk(&mut look);
    }
    for body in statement.children() {
        body.walk_expressions(&mut look);
    }
    let mut found = false;
    condition.walk(&mut |one| {
        if let Some(symbol) = one.symbol() {
            let mut own = changes
                .iter()
                .filter(|change| change.0 == symbol)
                .peekable();
            found |= own.peek().is_some() && own.all(|change| change.1);
        }
    });
    found
}

fn is_scale(operator: BinaryOperator, by: &Expression) -> bool {
    let least = match operator {
        BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight => 1,
        BinaryOperator::Multiply | BinaryOperator::Divide => 2,
        _ => return false,
    };
    matches!(by.kind, ExpressionKind::Number(Some(value)) if value >= least)
}
