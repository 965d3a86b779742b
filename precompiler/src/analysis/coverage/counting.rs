//! Loops that count: a variable takes every value from a lowest to a highest one.
//!
//! ```text
//! for (i = 0; i < n; i++)    for (i = n - 1; i >= 0; i--)    i = 0; while (i < n) { …; i++; }    do { …; i++; } while (i < n)
//! ```
//!
//! Only the form is looked at here, and that nothing else in the loop stores to the counter. A counter that overflows
//! never reaches the end of its loop, or what is undefined happens: no such loop is left in the ordinary way with an
//! element missing.

use super::fill::Counter;
use super::view::Look;
use crate::analysis::effects::ActionKind;
use crate::analysis::memory::CellId;
use crate::analysis::polynomial::Polynomial;
use crate::dataflow::Flow;
use crate::program::Width;
use crate::program::{
    BinaryOperator, Declaration, Expression, ExpressionKind, ForStart, Initialiser, Statement,
    StatementKind, StepOperator, SymbolId,
};
use crate::source::Span;

/// The largest first value of a counter that every type holds.
const LARGEST_LOW: i128 = 127;

/// A loop that counts.
pub struct Counting<'a> {
    pub statement: &'a Statement,
    pub body: &'a Statement,
    pub counter: Counter,
    /// The body is run at least once, whatever the limits are.
    pub runs: bool,
    /// The nodes of the loop; what a `for` does once is not among them.
    pub nodes: Vec<usize>,
    /// The ways on which control enters it.
    pub ways: Vec<(usize, usize)>,
    /// The part of the body in which the counter keeps its value.
    pub steady: Span,
}

/// The parts of a loop statement.
struct Parts<'a> {
    condition: &'a Expression,
    body: &'a Statement,
    start: Option<(&'a Expression, Span)>,
    step: &'a Expression,
    step_in_body: Option<Span>,
    first: usize,
    nodes: Vec<usize>,
}

/// How a counter goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Up,
    Down,
}

impl<'a> Look<'_, 'a> {
    /// A loop that counts, if it is one. `before`: the statement before it in the same braces.
    pub fn counting(
        &self,
        statement: &'a Statement,
        before: Option<&'a Statement>,
    ) -> Option<Counting<'a>> {
        let nodes = self.nodes_of(statement.id);
        let inside: Vec<usize> = self.nodes_in(statement.span).collect();
        let mut parts = match &statement.kind {
            StatementKind::For {
                start,
                condition: Some(condition),
                step,
                body,
                ..
            } => {
                let &[begin, head, _] = nodes else {
                    return None;
                };
                let (step, step_in_body) = match step {
                    Some(step) => (step, None),
                    None => last_step(body)?,
                };
                Parts {
                    condition,
                    body,
                    start: None,
                    step,
                    step_in_body,
                    first: head,
                    nodes: inside.into_iter().filter(|&node| node != begin).collect(),
                }
                .starting(start)
            }
            StatementKind::While { condition, body }
            | StatementKind::DoWhile { body, condition } => {
                let (step, step_in_body) = last_step(body)?;
                // The condition's node comes first, or for `do` last: that loop begins with its body.
                let first = match &statement.kind {
                    StatementKind::While { .. } => nodes.first(),
                    _ => inside.first(),
                };
                Parts {
                    condition,
                    body,
                    start: None,
                    step,
                    step_in_body,
                    first: *first?,
                    nodes: inside,
                }
            }
            _ => return None,
        };
        let (name, symbol) = counter_in(parts.condition, parts.step)?;
        let cell = self.cell_read(name)?;
        if self.known.effects.is_unsteady(cell) {
            return None;
        }
        let ways = self.ways_to(parts.first, &parts.nodes);
        let mut starting: Vec<usize> = Vec::new();
        let start = match parts.start.take() {
            Some((value, at)) => {
                // What a `for` does once.
                starting.push(nodes[0]);
                self.sets_once(nodes[0], at, cell).then_some(value)?
            }
            None => {
                let mut ways = ways.clone();
                if let StatementKind::For { .. } = statement.kind {
                    starting.push(nodes[0]);
                    ways = self.ways_to(nodes[0], &parts.nodes);
                    if self.any_changes(&starting, cell) {
                        return None;
                    }
                }
                let before = before?;
                starting.extend(self.nodes_of(before.id));
                self.start_before(before, symbol, &ways, cell)?
            }
        };
        let direction = direction(parts.step, symbol)?;
        if !self.is_only_step(&parts, cell) {
            return None;
        }
        let counter = self.limits(parts.condition, name, symbol, cell, start, direction)?;
        // The limits are still the same when the loop begins.
        if counter
            .high
            .cells()
            .any(|one| self.any_changes(&starting, one))
        {
            return None;
        }
        let end = parts
            .step_in_body
            .map_or(parts.body.span.end, |step| step.start);
        let steady = Span::new(parts.body.span.start, end);
        Some(Counting {
            statement,
            body: parts.body,
            runs: matches!(statement.kind, StatementKind::DoWhile { .. }),
            counter,
            nodes: parts.nodes,
            ways,
            steady,
        })
    }

    /// Ways to a node from elsewhere than some nodes.
    fn ways_to(&self, to: usize, except: &[usize]) -> Vec<(usize, usize)> {
        let nodes = self.routine.flow.nodes.iter().enumerate();
        nodes
            .filter(|(number, node)| {
                except.binary_search(number).is_err() && node.next.iter().any(|one| one.0 == to)
            })
            .map(|(number, _)| (number, to))
            .collect()
    }

    /// The counter gets its first value in the statement right before, and control comes from there only.
    fn start_before(
        &self,
        before: &'a Statement,
        symbol: SymbolId,
        ways: &[(usize, usize)],
        cell: CellId,
    ) -> Option<&'a Expression> {
        let (value, at) = match &before.kind {
            StatementKind::Expression(Some(value)) => started_by(value, symbol)?,
            StatementKind::Declaration(declaration) => declared(declaration, symbol)?,
            _ => return None,
        };
        let &[node] = self.nodes_of(before.id) else {
            return None;
        };
        let only = ways.iter().all(|(from, _)| *from == node) && !ways.is_empty();
        (only && node > Flow::EXIT.0 && self.sets_once(node, at, cell)).then_some(value)
    }

    /// The only store to a cell in a node is made by what stands at a span.
    fn sets_once(&self, node: usize, at: Span, cell: CellId) -> bool {
        let mut stores = Vec::new();
        self.actions(&[node], &mut |_, action| {
            if self.changes(action, cell) && !matches!(action.kind, ActionKind::Begin { .. }) {
                stores.push((
                    action.span,
                    matches!(action.kind, ActionKind::Write { all: true, .. }),
                ));
            }
        });
        stores == [(at, true)]
    }

    /// The counter goes on once in an iteration and does not change otherwise.
    fn is_only_step(&self, parts: &Parts<'_>, cell: CellId) -> bool {
        let mut spans = Vec::new();
        self.actions(&parts.nodes, &mut |_, action| {
            if self.changes(action, cell) {
                spans.push((
                    action.span,
                    matches!(action.kind, ActionKind::Write { all: true, .. }),
                ));
            }
        });
        matches!(spans.as_slice(), [(span, true)] if parts.step.span.contains(*span))
    }

    fn limits(
        &self,
        condition: &Expression,
        name: &Expression,
        symbol: SymbolId,
        cell: CellId,
        start: &Expression,
        direction: Direction,
    ) -> Option<Counter> {
        use BinaryOperator as B;
        let ExpressionKind::Binary(operator, left, right) = &condition.kind else {
            return None;
        };
        let (operator, limit) = if left.symbol() == Some(symbol) {
            (*operator, right)
        } else {
            (mirrored(*operator)?, left)
        };
        let one = Polynomial::constant(1);
        let (start_value, limit) = (self.normal_term(start)?, self.normal_term(limit)?);
        let width = Width::of(self.unit, name.ty)?;
        let (low, high) = match direction {
            Direction::Up => {
                let high = match operator {
                    B::Less | B::NotEqual => limit,
                    B::LessOrEqual => limit.plus(&one)?,
                    _ => return None,
                };
                (start_value, high)
            }
            Direction::Down => {
                let from = Width::of(self.unit, start.ty)?;
                let fits = match start_value.as_constant() {
                    Some(value) => width.holds(value),
                    None => from.fits_into(width),
                };
                if !width.is_signed || !fits {
                    return None;
                }
                let low = match operator {
                    B::Greater | B::NotEqual => limit.plus(&one)?,
                    B::GreaterOrEqual => limit,
                    _ => return None,
                };
                (low, start_value.plus(&one)?)
            }
        };
        let is_small = (0..=LARGEST_LOW).contains(&low.as_constant()?);
        is_small.then_some(Counter { cell, low, high })
    }
}

impl<'a> Parts<'a> {
    fn starting(mut self, start: &'a ForStart) -> Parts<'a> {
        if let Some((_, symbol)) = counter_in(self.condition, self.step) {
            self.start = match start {
                ForStart::Nothing => None,
                ForStart::Expression(value) => started_by(value, symbol),
                ForStart::Declaration(declaration) => declared(declaration, symbol),
            };
        }
        self
    }
}

/// The counter in a condition: the side of it that goes on.
fn counter_in<'a>(
    condition: &'a Expression,
    step: &Expression,
) -> Option<(&'a Expression, SymbolId)> {
    let ExpressionKind::Binary(_, left, right) = &condition.kind else {
        return None;
    };
    [left, right].into_iter().find_map(|side| {
        let symbol = side.symbol()?;
        direction(step, symbol)?;
        Some((&**side, symbol))
    })
}

fn mirrored(operator: BinaryOperator) -> Option<BinaryOperator> {
    use BinaryOperator as B;
    Some(match operator {
        B::Less => B::Greater,
        B::Greater => B::Less,
        B::LessOrEqual => B::GreaterOrEqual,
        B::GreaterOrEqual => B::LessOrEqual,
        B::NotEqual => B::NotEqual,
        _ => return None,
    })
}

/// What an expression gives a variable, and the span of the assignment.
fn started_by(expression: &Expression, symbol: SymbolId) -> Option<(&Expression, Span)> {
    match &expression.kind {
        ExpressionKind::Assign {
            operator: None,
            target,
            value,
        } if target.symbol() == Some(symbol) => Some((value, expression.span)),
        ExpressionKind::Comma(values) => values.iter().find_map(|one| started_by(one, symbol)),
        _ => None,
    }
}

fn declared(declaration: &Declaration, symbol: SymbolId) -> Option<(&Expression, Span)> {
    let mut declarators = declaration.declarators.iter();
    let one = declarators.find(|one| one.symbol == symbol)?;
    match &one.initialiser {
        Some(Initialiser::Expression(value)) => Some((value, one.span)),
        _ => None,
    }
}

/// The last statement of a body, when it is an expression.
fn last_step(body: &Statement) -> Option<(&Expression, Option<Span>)> {
    let last = match &body.kind {
        StatementKind::Compound { items, .. } => items.last()?,
        _ => body,
    };
    match &last.kind {
        StatementKind::Expression(Some(value)) => Some((value, Some(last.span))),
        _ => None,
    }
}

/// How an expression moves a variable by one.
fn direction(step: &Expression, symbol: SymbolId) -> Option<Direction> {
    let is_counter = |one: &Expression| one.symbol() == Some(symbol);
    let is_one = |one: &Expression| matches!(one.kind, ExpressionKind::Number(Some(1)));
    let by = |operator: BinaryOperator| match operator {
        BinaryOperator::Add => Some(Direction::Up),
        BinaryOperator::Subtract => Some(Direction::Down),
        _ => None,
    };
    match &step.kind {
        ExpressionKind::Step(operator, target) if is_counter(target) => Some(match operator {
            StepOperator::PreIncrement | StepOperator::PostIncrement => Direction::Up,
            StepOperator::PreDecrement | StepOperator::PostDecrement => Direction::Down,
        }),
        ExpressionKind::Assign {
            operator: Some(operator),
            target,
            value,
        } if is_counter(target) && is_one(value) => by(*operator),
        ExpressionKind::Assign {
            operator: None,
            target,
            value,
        } if is_counter(target) => match &value.kind {
            ExpressionKind::Binary(operator, left, right) if is_counter(left) && is_one(right) => {
                by(*operator)
            }
            ExpressionKind::Binary(BinaryOperator::Add, left, right)
                if is_one(left) && is_counter(right) =>
            {
                Some(Direction::Up)
            }
            _ => None,
        },
        ExpressionKind::Comma(values) => values.iter().find_map(|one| direction(one, symbol)),
        _ => None,
    }
}
