//! How often a loop iterates, as far as its text tells.
//!
//! In: a loop statement. Out: a number, and whether it is sure. An unknown bound counts as [`MANY`], a product of
//! two such bounds as its square, so that bounds which are written alike weigh alike. A variable that is only ever given
//! constants, by assignments or calls, counts as the largest of them: it is an estimate, and no more than that.

use super::halving::halves;
use super::lookups::looks_up;
use crate::dataflow::called_name;
use crate::program::value::{Numbers, evaluate};
use crate::program::{
    BinaryOperator, Declarator, Expression, ExpressionKind, ForStart, Initialiser, Statement,
    StatementKind, StepOperator, SymbolId, UnaryOperator, Unit, Width, converted,
};
use std::collections::{HashMap, HashSet};

/// What an unknown number counts as.
pub const MANY: f64 = 1000.0;
/// What the number of its digits counts as.
const DIGITS: f64 = 10.0;
/// The number of words on a command line.
const WORDS: f64 = 4.0;
/// The number of names in a table, or of characters in one.
const NAMES: f64 = 30.0;
/// How many ranks or threads there are.
const RANKS: f64 = 16.0;
const MOST: f64 = 1e12;

/// How often a loop iterates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Iterations {
    /// About so often.
    pub count: f64,
    /// Exactly so often, or less (`break`).
    pub is_known: bool,
    /// Its bound is not known at all.
    pub is_guessed: bool,
    /// Its bound begins as 1, and what else it may be is known in the run: an option of the program.
    pub is_option: bool,
    /// It looks something up.
    pub looks_up: bool,
}

/// How often a loop iterates of which nobody knows it.
pub const UNKNOWN: Iterations = Iterations {
    count: MANY,
    is_known: false,
    is_guessed: true,
    is_option: false,
    looks_up: false,
};

/// The variables of a unit that keep the value they are initialised with.
pub struct Fixed<'a> {
    unit: &'a Unit,
    values: HashMap<SymbolId, &'a Expression>,
    /// What the others are given, one after the other.
    given: HashMap<SymbolId, Vec<&'a Expression>>,
    begins_as_one: HashSet<SymbolId>,
    /// Those that `MPI_Comm_size` stores to.
    ranks: HashSet<SymbolId>,
}

impl<'a> Fixed<'a> {
    /// Looks at a unit.
    pub fn of(unit: &'a Unit) -> Fixed<'a> {
        let mut fixed = Fixed {
            unit,
            values: HashMap::new(),
            given: HashMap::new(),
            begins_as_one: HashSet::new(),
            ranks: HashSet::new(),
        };
        for global in &unit.globals {
            global.declarators.iter().for_each(|one| fixed.add(one));
        }
        for function in &unit.functions {
            function.body.walk_declarations(&mut |declaration| {
                declaration
                    .declarators
                    .iter()
                    .for_each(|one| fixed.add(one));
            });
        }
        for function in &unit.functions {
            function.body.walk_expressions(&mut |one| fixed.give(one));
        }
        fixed
    }

    /// Notes what an expression gives to a variable.
    fn give(&mut self, expression: &'a Expression) {
        match &expression.kind {
            ExpressionKind::Assign {
                operator: None,
                target,
                value,
            } => {
                if let Some(symbol) = symbol_of(target) {
                    self.given.entry(symbol).or_default().push(value);
                }
            }
            ExpressionKind::Call { callee, arguments } => {
                if name_of(callee) == Some("MPI_Comm_size")
                    && let [_, size] = arguments.as_slice()
                    && let ExpressionKind::Unary(UnaryOperator::Address, size) = &size.kind
                {
                    self.ranks.extend(symbol_of(size));
                }
                let symbol = callee.symbol();
                let mut functions = self.unit.functions.iter();
                let called = functions.find(|one| Some(one.symbol) == symbol);
                let parameters = called.map_or(&[][..], |one| &one.parameters);
                for (parameter, value) in parameters.iter().zip(arguments) {
                    self.given.entry(*parameter).or_default().push(value);
                }
            }
            _ => {}
        }
    }

    fn add(&mut self, declarator: &'a Declarator) {
        let symbol = &self.unit.symbols[declarator.symbol.0];
        let shared = symbol.storage == crate::program::Storage::External
            && !self.unit.ty(symbol.ty).qualifiers.is_const;
        if let Some(Initialiser::Expression(value)) = &declarator.initialiser {
            if !symbol.assigned_after_declaration && !symbol.address_taken && !shared {
                self.values.insert(declarator.symbol, value);
            } else {
                let given = self.given.entry(declarator.symbol);
                given.or_default().push(value);
                if self.value(value) == Some(1) {
                    self.begins_as_one.insert(declarator.symbol);
                }
            }
        }
    }

    /// The value of an expression, when it is always the same.
    pub fn value(&self, expression: &Expression) -> Option<i128> {
        match self.size(expression) {
            Size::Exact(value) => Some(value),
            Size::Usual(_) | Size::Guess(_) => None,
        }
    }

    /// About how large an expression is.
    fn size(&self, expression: &Expression) -> Size {
        self.size_within(expression, 8)
    }

    fn size_within(&self, expression: &Expression, depth: u32) -> Size {
        let mut sizes = Sizes { fixed: self, depth };
        let found = evaluate(self.unit, &mut sizes, expression);
        found.unwrap_or(Size::Guess(MANY))
    }

    /// What a variable is initialised with and keeps, or the largest of what it is given.
    fn named(&self, symbol: SymbolId, depth: u32) -> Option<Size> {
        let depth = depth.checked_sub(1)?;
        if let Some(first) = self.values.get(&symbol) {
            return Some(match self.size_within(first, depth) {
                Size::Exact(value) => {
                    let to = self.unit.symbols[symbol.0].ty;
                    Size::Exact(converted(self.unit, (value, first.ty), to)?)
                }
                about => about,
            });
        }
        let own = |one: &&&Expression| !mentions(one, symbol);
        let given = self.given.get(&symbol)?.iter().filter(own);
        let mut most: Option<f64> = None;
        for one in given {
            let value = match self.size_within(one, depth) {
                Size::Guess(_) => return None,
                known => known.number(),
            };
            most = Some(most.map_or(value, |most| most.max(value)));
        }
        // What begins at 0 or 1 is changed in a way that is not seen here.
        most.filter(|most| *most >= 2.0).map(Size::Usual)
    }

    /// Whether a variable begins as 1, and is given what a function gives back: `int count = 1; … count = atoi(argv[i]);`
    fn is_option(&self, symbol: SymbolId) -> bool {
        let given = self.given.get(&symbol).map_or(&[][..], |given| given);
        let calls = |one: &&Expression| {
            let mut found = false;
            one.walk(&mut |part| found |= matches!(part.kind, ExpressionKind::Call { .. }));
            found
        };
        self.begins_as_one.contains(&symbol) && given.iter().any(calls)
    }

    /// How often a loop iterates.
    pub fn iterations(&self, statement: &Statement) -> Iterations {
        if halves(statement) {
            return Iterations {
                count: DIGITS,
                ..UNKNOWN
            };
        }
        let counted = match &statement.kind {
            StatementKind::For {
                start,
                condition: Some(condition),
                step: Some(step),
                ..
            } => self.counted(start, condition, step),
            _ => None,
        };
        let found = counted.unwrap_or(UNKNOWN);
        if found.is_guessed && looks_up(statement) {
            return Iterations {
                count: found.count.min(NAMES),
                looks_up: true,
                ..found
            };
        }
        found
    }

    fn counted(
        &self,
        start: &ForStart,
        condition: &Expression,
        step: &Expression,
    ) -> Option<Iterations> {
        let ExpressionKind::Binary(comparison, left, right) = &condition.kind else {
            return None;
        };
        let (counter, by) = self.step(step)?;
        let ahead = |side: &Expression| self.ahead(side, counter);
        let (limit, is_turned, ahead) = match (ahead(left), ahead(right)) {
            (Some(ahead), _) => (right, false, ahead),
            (None, Some(ahead)) => (left, true, ahead),
            (None, None) => return None,
        };
        let first = first_value(start, counter)?;
        let one_more = matches!(
            comparison,
            BinaryOperator::LessOrEqual | BinaryOperator::GreaterOrEqual
        );
        let goes_up = match comparison {
            BinaryOperator::Less | BinaryOperator::LessOrEqual => !is_turned,
            BinaryOperator::Greater | BinaryOperator::GreaterOrEqual => is_turned,
            BinaryOperator::NotEqual => by.is_none_or(|by| by > 0),
            _ => return None,
        };
        let stride = by.unwrap_or(1).unsigned_abs().max(1) as f64;
        if let (Some(first), Some(limit), Some(_)) = (self.value(first), self.value(limit), by) {
            let limit = limit.saturating_sub(ahead);
            let (low, high) = if goes_up {
                (first, limit)
            } else {
                (limit, first)
            };
            let distance = high
                .saturating_sub(low)
                .saturating_add(i128::from(one_more));
            let count = (distance.max(0) as f64 / stride).ceil();
            return Some(Iterations {
                count: count.min(MOST),
                is_known: true,
                is_guessed: false,
                is_option: false,
                looks_up: false,
            });
        }
        let far = if goes_up { limit } else { first };
        let size = self.size(far);
        Some(Iterations {
            count: (size.number().abs() / stride).clamp(1.0, MOST),
            is_known: false,
            is_guessed: matches!(size, Size::Guess(_)),
            is_option: goes_up && symbol_of(far).is_some_and(|one| self.is_option(one)),
            looks_up: false,
        })
    }

    /// How far a side of a comparison is ahead of the counter: 1 for `i + 1`; none where it is another thing.
    fn ahead(&self, side: &Expression, counter: SymbolId) -> Option<i128> {
        if symbol_of(side) == Some(counter) {
            return Some(0);
        }
        let ExpressionKind::Binary(operator, left, right) = &side.kind else {
            return None;
        };
        let is_counter = |side: &Expression| symbol_of(side) == Some(counter);
        match operator {
            BinaryOperator::Add if is_counter(left) => self.value(right),
            BinaryOperator::Add if is_counter(right) => self.value(left),
            BinaryOperator::Subtract if is_counter(left) => self.value(right).map(|by| -by),
            _ => None,
        }
    }

    /// What counts, and by how much; none when that is not constant.
    fn step(&self, step: &Expression) -> Option<(SymbolId, Option<i128>)> {
        match &step.kind {
            ExpressionKind::Step(operator, target) => {
                let goes_up = matches!(
                    operator,
                    StepOperator::PreIncrement | StepOperator::PostIncrement
                );
                let by = if goes_up { 1 } else { -1 };
                Some((symbol_of(target)?, Some(by)))
            }
            ExpressionKind::Assign {
                operator: Some(operator),
                target,
                value,
            } => {
                let by = match operator {
                    BinaryOperator::Add => self.value(value),
                    BinaryOperator::Subtract => self.value(value).map(|by| -by),
                    _ => return None,
                };
                Some((symbol_of(target)?, by))
            }
            ExpressionKind::Assign {
                operator: None,
                target,
                value,
            } => {
                let counter = symbol_of(target)?;
                let ExpressionKind::Binary(operator, left, right) = &value.kind else {
                    return None;
                };
                let by = match operator {
                    BinaryOperator::Add if symbol_of(left) == Some(counter) => self.value(right),
                    BinaryOperator::Add if symbol_of(right) == Some(counter) => self.value(left),
                    BinaryOperator::Subtract if symbol_of(left) == Some(counter) => {
                        self.value(right).map(|by| -by)
                    }
                    _ => return None,
                };
                Some((counter, by))
            }
            ExpressionKind::Comma(all) => all.iter().find_map(|one| self.step(one)),
            _ => None,
        }
    }
}

/// How large a number is.
#[derive(Clone, Copy)]
enum Size {
    /// Always the same.
    Exact(i128),
    /// The largest of what is seen.
    Usual(f64),
    /// Nobody knows.
    Guess(f64),
}

impl Size {
    fn number(self) -> f64 {
        match self {
            Size::Exact(value) => value as f64,
            Size::Usual(value) | Size::Guess(value) => value,
        }
    }
}

/// Sizes of expressions; so many variables deep.
struct Sizes<'s, 'a> {
    fixed: &'s Fixed<'a>,
    depth: u32,
}

impl Numbers for Sizes<'_, '_> {
    type Value = Size;
    type Types = Unit;

    fn types(&self) -> &Unit {
        self.fixed.unit
    }

    fn constant(&self, value: i128) -> Size {
        Size::Exact(value)
    }

    fn as_constant(&self, value: &Size) -> Option<i128> {
        match value {
            Size::Exact(value) => Some(*value),
            Size::Usual(_) | Size::Guess(_) => None,
        }
    }

    fn held(&mut self, expression: &Expression) -> Option<Size> {
        let named = |symbol| self.fixed.named(symbol, self.depth);
        if let Some(known) = expression.symbol().and_then(named) {
            return Some(known);
        }
        Some(Size::Guess(match &expression.kind {
            ExpressionKind::Name { name, .. } if name == "argc" => WORDS,
            ExpressionKind::Name {
                symbol: Some(symbol),
                ..
            } if self.fixed.ranks.contains(symbol) => RANKS,
            ExpressionKind::Call { callee, .. } if name_of(callee).is_some_and(counts_threads) => {
                RANKS
            }
            _ => MANY,
        }))
    }

    fn computed(
        &mut self,
        operator: BinaryOperator,
        left: &Size,
        right: &Size,
        _: Option<Width>,
    ) -> Option<Size> {
        use BinaryOperator as B;
        let (a, b) = (left.number(), right.number());
        let known = |one: &Size| matches!(one, Size::Exact(_));
        let usual = match operator {
            _ if matches!((left, right), (Size::Guess(_), _) | (_, Size::Guess(_))) => None,
            B::Add => Some(a + b),
            B::Subtract => Some(a - b),
            B::Multiply => Some(a * b),
            B::Divide if b != 0.0 => Some((a / b).trunc()),
            _ => None,
        };
        let (a, b) = (a.abs(), b.abs());
        Some(usual.map_or_else(
            || {
                Size::Guess(match operator {
                    B::Multiply => a * b,
                    B::Add => a.max(b),
                    // A difference of two that are not known is one that is not known.
                    B::Subtract if known(left) || known(right) => a.max(b),
                    B::Divide if known(right) => a / b.max(1.0),
                    B::ShiftLeft if known(right) => a * 2f64.powf(b.min(40.0)),
                    B::Modulo | B::And if known(right) => a.min(b),
                    _ => MANY,
                })
            },
            Size::Usual,
        ))
    }

    fn carried(&mut self, value: &Size, _: Option<Width>, _: Option<Width>) -> Option<Size> {
        Some(*value)
    }
}

fn mentions(expression: &Expression, symbol: SymbolId) -> bool {
    let mut found = false;
    expression.walk(&mut |one| found |= one.symbol() == Some(symbol));
    found
}

fn symbol_of(expression: &Expression) -> Option<SymbolId> {
    match &expression.kind {
        ExpressionKind::Name { symbol, .. } => *symbol,
        ExpressionKind::Cast(inner) => symbol_of(inner),
        _ => None,
    }
}

fn name_of(callee: &Expression) -> Option<&str> {
    called_name(callee).map(|(name, _)| name)
}

/// Whether a function of OpenMP says how many threads there are, or the number of one.
fn counts_threads(name: &str) -> bool {
    name.starts_with("omp_get_") && (name.contains("thread") || name.contains("procs"))
}

fn first_value(start: &ForStart, counter: SymbolId) -> Option<&Expression> {
    match start {
        ForStart::Nothing => None,
        ForStart::Expression(value) => assigned(value, counter),
        ForStart::Declaration(declaration) => declaration
            .declarators
            .iter()
            .find(|one| one.symbol == counter)
            .and_then(|one| match &one.initialiser {
                Some(Initialiser::Expression(value)) => Some(value),
                _ => None,
            }),
    }
}

fn assigned(expression: &Expression, counter: SymbolId) -> Option<&Expression> {
    match &expression.kind {
        ExpressionKind::Assign {
            operator: None,
            target,
            value,
        } if symbol_of(target) == Some(counter) => Some(value),
        // `i = j = 0`
        ExpressionKind::Assign {
            operator: None,
            value,
            ..
        } => assigned(value, counter),
        ExpressionKind::Comma(all) => all.iter().find_map(|one| assigned(one, counter)),
        _ => None,
    }
}
