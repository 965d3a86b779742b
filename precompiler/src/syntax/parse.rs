//! Runs the parser, in a thread with a stack that deep nesting does not exhaust.

use lang_c::driver::{Config, Flavor, parse_preprocessed};

use super::convert::Converter;
use super::tree::{Expression, ExpressionKind, StatementKind, TopLevel, Tree};
use std::sync::{Mutex, PoisonError};

use crate::source::normalise::{Note, normalise};
use crate::source::{SourceFile, Span};

/// Reserved, not used: the system hands out pages as they are touched. Where memory is limited (`ulimit -v`), less has to do.
const STACKS: [usize; 2] = [1 << 30, 1 << 26];

/// Text that the parser does not understand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseFailure {
    /// Where it stopped, in the preprocessed text.
    pub offset: usize,
    /// What it expected there.
    pub expected: Vec<String>,
}

/// Parses a file.
pub fn parse(file: &SourceFile) -> Result<Tree, ParseFailure> {
    with_stack(|| {
        parse_text(
            file.normalised_text(),
            file.notes(0, usize::MAX),
            &file.preprocessed,
        )
    })
}

/// Parses C expressions in one go; each may use the given typedef names. For each: its tree, with spans relative to
/// its own text, or `None` when it is no expression.
pub fn parse_expressions(expressions: &[&str], typedefs: &[String]) -> Vec<Option<Expression>> {
    if expressions.is_empty() {
        return Vec::new();
    }
    with_stack(|| match parse_together(expressions, typedefs) {
        Some(all) => all.into_iter().map(Some).collect(),
        None if expressions.len() == 1 => vec![None],
        None => expressions
            .iter()
            .map(|expression| parse_together(&[expression], typedefs).and_then(|mut one| one.pop()))
            .collect(),
    })
}

/// Does some work in a thread whose stack no program is nested too deeply for.
pub fn with_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let work = Mutex::new(Some(work));
    let take = || {
        let mut work = work.lock().unwrap_or_else(PoisonError::into_inner);
        work.take()
    };
    let found = std::thread::scope(|scope| {
        let threads = STACKS.iter().map(|&size| {
            std::thread::Builder::new()
                .name("syntax".to_string())
                .stack_size(size)
                .spawn_scoped(scope, || take().map(|work| work()))
        });
        match threads.flatten().next()?.join() {
            Ok(value) => value,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    });
    match (found, take()) {
        (Some(value), _) => value,
        // No thread is to be had: here, then.
        (None, Some(work)) => work(),
        (None, None) => unreachable!("work is taken once, and gives a value"),
    }
}

fn parse_text(normalised: &str, notes: &[Note], spelt: &str) -> Result<Tree, ParseFailure> {
    let config = Config {
        cpp_command: String::new(),
        cpp_options: Vec::new(),
        flavor: Flavor::GnuC11,
    };
    match parse_preprocessed(&config, normalised.to_string()) {
        Ok(parsed) => Ok(Converter::new(normalised, notes, spelt).unit(&parsed.unit)),
        Err(error) => {
            let mut expected: Vec<String> =
                error.expected.iter().map(|word| word.to_string()).collect();
            expected.sort();
            Err(ParseFailure {
                offset: error.offset,
                expected,
            })
        }
    }
}

fn parse_together(expressions: &[&str], typedefs: &[String]) -> Option<Vec<Expression>> {
    let mut text = String::new();
    for name in typedefs {
        text.push_str(&format!("typedef int {name};\n"));
    }
    text.push_str("void f(void){\n");
    let mut starts = Vec::new();
    for expression in expressions {
        text.push('(');
        starts.push(text.len());
        text.push_str(expression);
        text.push_str(");\n");
    }
    text.push('}');
    let normalised = normalise(&text);
    let tree = parse_text(&normalised.text, &normalised.notes, &text).ok()?;
    let Some(TopLevel::Function(function)) = tree.items.into_iter().last() else {
        return None;
    };
    let StatementKind::Compound(statements) = function.body.kind else {
        return None;
    };
    let mut found = Vec::new();
    for statement in statements {
        let StatementKind::Expression(Some(mut expression)) = statement.kind else {
            return None;
        };
        let start = *starts.get(found.len())?;
        let end = start + expressions[found.len()].len();
        // Our parentheses belong to it; more than those would mean that `1); f(` made two statements of one.
        if expression.span.start + 1 < start || expression.span.end > end + 1 {
            return None;
        }
        expression.span = Span::new(
            expression.span.start.max(start),
            expression.span.end.min(end),
        );
        shift(&mut expression, start);
        found.push(expression);
    }
    (found.len() == expressions.len()).then_some(found)
}

/// Moves the spans of an expression (those inside statement expressions and type names excepted) to the left.
fn shift(expression: &mut Expression, by: usize) {
    expression.span.start = expression.span.start.saturating_sub(by);
    expression.span.end = expression.span.end.saturating_sub(by);
    let go = |inner: &mut Expression| shift(inner, by);
    match &mut expression.kind {
        ExpressionKind::Call { callee, arguments } => {
            go(callee);
            arguments.iter_mut().for_each(go);
        }
        ExpressionKind::Unary(_, a)
        | ExpressionKind::Step(_, a)
        | ExpressionKind::Cast(_, a)
        | ExpressionKind::Member { value: a, .. }
        | ExpressionKind::SizeOfValue(a)
        | ExpressionKind::VariadicArgument(a, _) => go(a),
        ExpressionKind::Binary(_, a, b)
        | ExpressionKind::Logical {
            left: a, right: b, ..
        }
        | ExpressionKind::Assign {
            target: a,
            value: b,
            ..
        }
        | ExpressionKind::Index { array: a, index: b } => {
            go(a);
            go(b);
        }
        ExpressionKind::Conditional {
            condition,
            then,
            otherwise,
        } => {
            go(condition);
            if let Some(then) = then {
                go(then);
            }
            go(otherwise);
        }
        ExpressionKind::Comma(all) => all.iter_mut().for_each(go),
        _ => {}
    }
}
