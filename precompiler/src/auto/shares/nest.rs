//! Loops in OpenMP's canonical form (OpenMP 5.2, 4.4.1): their variable, first value, number of iterations and step, as C text.

use crate::program::{
    BinaryOperator, Expression, ExpressionKind, ForStart, Initialiser, Statement, StatementKind,
    StepOperator, SymbolId, TypeKind, Unit,
};
use crate::source::{SourceRange, tokens};

/// A loop of a nest.
pub(super) struct Level<'a> {
    /// Its variable.
    pub variable: SymbolId,
    pub name: &'a str,
    /// Its declaration, without a value.
    pub declaration: String,
    /// The head declares the variable.
    pub declares: bool,
    /// The first value.
    pub first: String,
    /// What is added after each iteration; negative when it counts down.
    pub step: String,
    /// The step as the user wrote it.
    pub increment: String,
    /// `for (…)` in the user's file.
    pub head: SourceRange,
    relation: BinaryOperator,
    bound: String,
}

impl Level<'_> {
    /// How many iterations there are, with the first value in a variable.
    pub fn count(&self, first: &str) -> String {
        let (bound, step) = (&self.bound, &self.step);
        let bound = format!("(long long)({bound})");
        match self.relation {
            BinaryOperator::Less => {
                format!("({bound} > {first} ? ({bound} - {first} + {step} - 1) / {step} : 0)")
            }
            BinaryOperator::LessOrEqual => {
                format!("({bound} >= {first} ? ({bound} - {first}) / {step} + 1 : 0)")
            }
            BinaryOperator::Greater => {
                format!("({bound} < {first} ? ({first} - {bound} - {step} - 1) / -{step} : 0)")
            }
            BinaryOperator::GreaterOrEqual => {
                format!("({bound} <= {first} ? ({first} - {bound}) / -{step} + 1 : 0)")
            }
            _ => format!("(({bound} - {first}) / {step})"),
        }
    }
}

/// The loops of a nest, the outermost first, and the body of the innermost. `None` when they have another form, a macro makes a
/// part of a head, or the number of iterations of one depends on another.
pub(super) fn nest<'a>(
    unit: &'a Unit,
    outermost: &'a Statement,
    depth: usize,
) -> Option<Vec<Level<'a>>> {
    let mut levels: Vec<Level> = Vec::new();
    let mut inside = outermost;
    loop {
        let (level, parts, body) = level(unit, inside)?;
        let mut variables = levels.iter().map(|one| one.variable);
        let is_known = |symbol: SymbolId| variables.any(|one| one == symbol);
        if names(&parts, level.variable, is_known) {
            return None;
        }
        levels.push(level);
        if levels.len() == depth {
            return Some(levels);
        }
        inside = only(body)?;
        if !inside.openmp.is_empty() {
            return None;
        }
    }
}

/// Whether expressions name the loop's own variable or one of others.
fn names(parts: &[&Expression], own: SymbolId, mut is_known: impl FnMut(SymbolId) -> bool) -> bool {
    let mut found = false;
    for part in parts {
        part.walk(&mut |one| {
            if let Some(symbol) = one.symbol() {
                found |= symbol == own || is_known(symbol);
            }
        });
    }
    found
}

/// The statement that a body consists of.
fn only(body: &Statement) -> Option<&Statement> {
    match &body.kind {
        StatementKind::Compound { items, .. } => match items.as_slice() {
            [one] => only(one),
            _ => None,
        },
        _ => Some(body),
    }
}

fn level<'a>(
    unit: &'a Unit,
    statement: &'a Statement,
) -> Option<(Level<'a>, [&'a Expression; 3], &'a Statement)> {
    let StatementKind::For {
        start,
        condition: Some(condition),
        step: Some(step),
        body,
        ..
    } = &statement.kind
    else {
        return None;
    };
    let (variable, first, declares) = match start {
        ForStart::Expression(start) => match &start.kind {
            ExpressionKind::Assign {
                operator: None,
                target,
                value,
            } => (target.symbol()?, &**value, false),
            _ => return None,
        },
        ForStart::Declaration(declaration) => match declaration.declarators.as_slice() {
            [one] => match &one.initialiser {
                Some(Initialiser::Expression(value)) => (one.symbol, value, true),
                _ => return None,
            },
            _ => return None,
        },
        ForStart::Nothing => return None,
    };
    let ExpressionKind::Binary(relation, left, right) = &condition.kind else {
        return None;
    };
    let (relation, bound) = match left.symbol() == Some(variable) {
        true => (*relation, &**right),
        false if right.symbol() == Some(variable) => (turned(*relation), &**left),
        false => return None,
    };
    use BinaryOperator::{Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
    if !matches!(
        relation,
        Less | LessOrEqual | Greater | GreaterOrEqual | NotEqual
    ) {
        return None;
    }
    let (is_down, by) = stepped(step, variable)?;
    let symbol = &unit.symbols[variable.0];
    if !matches!(unit.kind(symbol.ty), TypeKind::Integer(_)) {
        return None;
    }
    let text = |one: &Expression| unit.file.one_line(one.span);
    let by_text = by.map_or_else(|| Some("1".to_string()), text)?;
    let minus = if is_down { "-" } else { "" };
    let level = Level {
        variable,
        name: &symbol.name,
        declaration: unit.spell(symbol.ty, &symbol.name).ok()?,
        declares,
        first: text(first)?,
        step: format!("({minus}(long long)({by_text}))"),
        increment: text(step)?,
        head: head(unit, statement)?,
        relation,
        bound: text(bound)?,
    };
    Some((level, [first, bound, by.unwrap_or(bound)], body))
}

/// A relation with its sides exchanged.
fn turned(relation: BinaryOperator) -> BinaryOperator {
    match relation {
        BinaryOperator::Less => BinaryOperator::Greater,
        BinaryOperator::Greater => BinaryOperator::Less,
        BinaryOperator::LessOrEqual => BinaryOperator::GreaterOrEqual,
        BinaryOperator::GreaterOrEqual => BinaryOperator::LessOrEqual,
        other => other,
    }
}

/// Whether a loop counts down, and by what; none: by 1.
fn stepped(step: &Expression, variable: SymbolId) -> Option<(bool, Option<&Expression>)> {
    let is_it = |one: &Expression| one.symbol() == Some(variable);
    match &step.kind {
        ExpressionKind::Step(operator, operand) if is_it(operand) => {
            use StepOperator::{PostDecrement, PreDecrement};
            Some((matches!(operator, PreDecrement | PostDecrement), None))
        }
        ExpressionKind::Assign {
            operator: Some(operator),
            target,
            value,
        } if is_it(target) => match operator {
            BinaryOperator::Add => Some((false, Some(&**value))),
            BinaryOperator::Subtract => Some((true, Some(&**value))),
            _ => None,
        },
        ExpressionKind::Assign {
            operator: None,
            target,
            value,
        } if is_it(target) => match &value.kind {
            ExpressionKind::Binary(BinaryOperator::Add, left, right) if is_it(left) => {
                Some((false, Some(&**right)))
            }
            ExpressionKind::Binary(BinaryOperator::Add, left, right) if is_it(right) => {
                Some((false, Some(&**left)))
            }
            ExpressionKind::Binary(BinaryOperator::Subtract, left, right) if is_it(left) => {
                Some((true, Some(&**right)))
            }
            _ => None,
        },
        _ => None,
    }
}

/// `for (…)` in the user's file.
fn head(unit: &Unit, statement: &Statement) -> Option<SourceRange> {
    let place = statement.place?;
    let text = unit.file.original.get(place.start..place.end)?;
    let bytes = text.as_bytes();
    let mut depth = 0usize;
    for (index, token) in tokens(bytes).iter().enumerate() {
        match (index, token.text(bytes)) {
            (0, b"for") | (2.., b"for") => {}
            (0, _) => return None,
            (1, text) if text != b"(" => return None,
            (_, b"(") => depth += 1,
            (_, b")") => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(SourceRange::new(place.start, place.start + token.end));
                }
            }
            (_, text) if text.starts_with(b"#") => return None,
            _ => {}
        }
    }
    None
}
