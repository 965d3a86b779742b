//! Loops that look something up: they compare texts, and do something only where these are the same.
//!
//! In: a loop statement. Out: whether it is one. What is read and looked up in a table costs the length of the table each time, and the
//! loop that reads goes over its input once, though it stores into the same table again and again.
//!
//! ```text
//! for (i = 0; i < count; i++) if (strcmp(name, known[i].name) == 0) known[i].value = value;      looks up
//! for (i = 0; i < strlen(name); i++) name[i] = toupper(name[i]);                                 goes through a text: short, with no loop inside
//! for (i = 0; i < count; i++) value[i] = next(value[i]);                                         does neither
//! ```
//!
//! Errors cost time: a loop that is taken for one has no checkpoint beside others.

use crate::dataflow::called_name;
use crate::program::{Expression, ExpressionKind, Statement, StatementKind, SymbolId};
use std::collections::BTreeSet;

/// What compares texts.
const COMPARES: [&str; 6] = [
    "memcmp",
    "strcasecmp",
    "strcmp",
    "strncasecmp",
    "strncmp",
    "strstr",
];
/// What looks at texts and characters besides.
const LOOKS: [&str; 5] = ["strchr", "strcspn", "strlen", "tolower", "toupper"];

/// Whether a loop looks something up, or goes through a text.
pub fn looks_up(statement: &Statement) -> bool {
    let condition = match &statement.kind {
        StatementKind::While { condition, .. } | StatementKind::DoWhile { condition, .. } => {
            Some(condition)
        }
        StatementKind::For { condition, .. } => condition.as_ref(),
        _ => None,
    };
    let mut loops = 0;
    statement.walk(&mut |one| {
        loops += usize::from(one.is_loop());
        true
    });
    if loops == 1 && condition.is_some_and(|one| calls(one, &["strlen"])) {
        return true;
    }
    let mut compares = false;
    let mut counters = BTreeSet::new();
    statement.walk(&mut |one| {
        for expression in one.expressions() {
            compares |= calls(expression, &COMPARES);
        }
        let heads: Vec<&Expression> = match &one.kind {
            StatementKind::For {
                condition, step, ..
            } => condition.iter().chain(step).collect(),
            StatementKind::While { condition, .. } | StatementKind::DoWhile { condition, .. } => {
                vec![condition]
            }
            _ => Vec::new(),
        };
        counters.extend(heads.into_iter().flat_map(symbols));
        true
    });
    compares && is_idle(statement, &counters)
}

/// Whether a statement changes nothing, where no condition asks for it, but what loops count with, and variables that get a constant.
fn is_idle(statement: &Statement, counters: &BTreeSet<SymbolId>) -> bool {
    if let StatementKind::If { condition, .. } = &statement.kind {
        return is_harmless(condition, counters);
    }
    let mut expressions = statement.expressions().into_iter();
    expressions.all(|one| is_harmless(one, counters)) && { statement.children().into_iter() }
        .all(|one| is_idle(one, counters))
}

fn is_harmless(expression: &Expression, counters: &BTreeSet<SymbolId>) -> bool {
    let mut harmless = true;
    let is_counter =
        |target: &Expression| target.symbol().is_some_and(|one| counters.contains(&one));
    expression.walk(&mut |one| match &one.kind {
        ExpressionKind::Assign {
            operator,
            target,
            value,
        } => {
            let is_flag = operator.is_none()
                && target.symbol().is_some()
                && matches!(value.kind, ExpressionKind::Number(Some(_)));
            harmless &= is_flag || is_counter(target);
        }
        ExpressionKind::Step(_, target) => harmless &= is_counter(target),
        ExpressionKind::Call { callee, .. } => {
            harmless &= is_named(callee, &COMPARES) || is_named(callee, &LOOKS);
        }
        _ => {}
    });
    harmless
}

fn is_named(callee: &Expression, names: &[&str]) -> bool {
    called_name(callee).is_some_and(|(name, _)| names.contains(&name))
}

fn calls(expression: &Expression, names: &[&str]) -> bool {
    let mut found = false;
    expression.walk(&mut |one| {
        if let ExpressionKind::Call { callee, .. } = &one.kind {
            found |= is_named(callee, names);
        }
    });
    found
}

fn symbols(expression: &Expression) -> Vec<SymbolId> {
    let mut found = Vec::new();
    expression.walk(&mut |one| found.extend(one.symbol()));
    found
}
