//! Where the variables of a function are set, and where they certainly have a value.

use crate::program::{
    Expression, ExpressionKind, ForStart, Function, Initialiser, Statement, StatementKind,
    SymbolId, TypeKind, UnaryOperator, Unit,
};
use std::collections::{BTreeSet, HashMap};

/// Positions at which variables are set by name (assignment, `++`, initialiser), and at which their address is taken.
#[derive(Debug, Default)]
pub struct Uses {
    /// Assignments, steps and initialisers.
    pub set: HashMap<SymbolId, Vec<usize>>,
    /// `&x` with `x` as the root.
    pub address: HashMap<SymbolId, Vec<usize>>,
    /// Every mention.
    pub named: HashMap<SymbolId, Vec<usize>>,
}

impl Uses {
    /// Collects them.
    pub fn of(unit: &Unit, function: &Function) -> Uses {
        let mut uses = Uses::default();
        function.body.walk(&mut |statement| {
            let declaration = match &statement.kind {
                StatementKind::Declaration(declaration) => Some(declaration),
                StatementKind::For {
                    start: ForStart::Declaration(declaration),
                    ..
                } => Some(declaration),
                _ => None,
            };
            for declarator in declaration
                .iter()
                .flat_map(|declaration| &declaration.declarators)
            {
                if declarator.initialiser.is_some() {
                    uses.set
                        .entry(declarator.symbol)
                        .or_default()
                        .push(declarator.span.start);
                }
            }
            true
        });
        function
            .body
            .walk_expressions(&mut |expression| uses.note(unit, expression));
        uses
    }

    fn note(&mut self, unit: &Unit, expression: &Expression) {
        let position = expression.span.start;
        match &expression.kind {
            ExpressionKind::Assign { target, .. } => {
                if let Some(symbol) = root(unit, target) {
                    self.set.entry(symbol).or_default().push(position);
                }
            }
            ExpressionKind::Step(_, target) => {
                if let Some(symbol) = root(unit, target) {
                    self.set.entry(symbol).or_default().push(position);
                }
            }
            ExpressionKind::Unary(UnaryOperator::Address, target) => {
                if let Some(symbol) = root(unit, target) {
                    self.address.entry(symbol).or_default().push(position);
                }
            }
            ExpressionKind::Name {
                symbol: Some(symbol),
                ..
            } => {
                self.named.entry(*symbol).or_default().push(position);
            }
            _ => {}
        }
    }

    /// Whether every place that may change it lies before `position` (and there is one).
    pub fn only_set_before(&self, symbol: SymbolId, position: usize) -> bool {
        let mut all = self.changes(symbol).peekable();
        all.peek().is_some() && all.all(|place| place < position)
    }

    /// Every place that may change it.
    pub fn changes(&self, symbol: SymbolId) -> impl Iterator<Item = usize> {
        [self.set.get(&symbol), self.address.get(&symbol)]
            .into_iter()
            .flatten()
            .flatten()
            .copied()
    }

    /// Whether it is set somewhere before `position`.
    pub fn set_before(&self, symbol: SymbolId, position: usize) -> bool {
        self.changes(symbol).any(|place| place < position)
    }
}

/// The variable whose own memory an lvalue names: `x`, `x.m`, `x[i]` with an array.
pub fn root(unit: &Unit, expression: &Expression) -> Option<SymbolId> {
    match &expression.kind {
        ExpressionKind::Name { symbol, .. } => *symbol,
        ExpressionKind::Member {
            value,
            through_pointer: false,
            ..
        } => root(unit, value),
        ExpressionKind::Index { array, .. }
            if matches!(unit.kind(array.ty), TypeKind::Array { .. }) =>
        {
            root(unit, array)
        }
        _ => None,
    }
}

/// Which variables certainly have a value at each statement (by its start), looking at the structure only. Labels
/// forget everything: that errs on the side of "no value".
pub fn assigned_at(function: &Function) -> HashMap<usize, BTreeSet<SymbolId>> {
    let mut facts = HashMap::new();
    let mut state: BTreeSet<SymbolId> = function.parameters.iter().copied().collect();
    walk(&function.body, &mut state, &mut facts);
    facts
}

fn evaluate(expression: &Expression, state: &mut BTreeSet<SymbolId>) {
    match &expression.kind {
        ExpressionKind::Assign { target, value, .. } => {
            evaluate(value, state);
            evaluate(target, state);
            if let ExpressionKind::Name {
                symbol: Some(symbol),
                ..
            } = target.kind
            {
                state.insert(symbol);
            }
        }
        ExpressionKind::Logical { left, right, .. } => {
            evaluate(left, state);
            let mut maybe = state.clone();
            evaluate(right, &mut maybe);
        }
        ExpressionKind::Conditional {
            condition,
            then,
            otherwise,
        } => {
            evaluate(condition, state);
            let mut one = state.clone();
            let mut other = state.clone();
            if let Some(then) = then {
                evaluate(then, &mut one);
            }
            evaluate(otherwise, &mut other);
            *state = one.intersection(&other).copied().collect();
        }
        _ => expression
            .children()
            .into_iter()
            .for_each(|child| evaluate(child, state)),
    }
}

fn declare(declaration: &crate::program::Declaration, state: &mut BTreeSet<SymbolId>) {
    for declarator in &declaration.declarators {
        match &declarator.initialiser {
            Some(Initialiser::Expression(value)) => {
                evaluate(value, state);
                state.insert(declarator.symbol);
            }
            Some(Initialiser::List(_)) => {
                state.insert(declarator.symbol);
            }
            None => {
                state.remove(&declarator.symbol);
            }
        }
    }
}

fn walk(
    statement: &Statement,
    state: &mut BTreeSet<SymbolId>,
    facts: &mut HashMap<usize, BTreeSet<SymbolId>>,
) {
    facts.insert(statement.span.start, state.clone());
    match &statement.kind {
        StatementKind::Compound { items, .. } => {
            items.iter().for_each(|item| walk(item, state, facts))
        }
        StatementKind::Expression(value) | StatementKind::Return(value) => {
            value.iter().for_each(|value| evaluate(value, state));
        }
        StatementKind::Declaration(declaration) => declare(declaration, state),
        StatementKind::If {
            condition,
            then,
            otherwise,
        } => {
            evaluate(condition, state);
            let mut other = state.clone();
            walk(then, state, facts);
            if let Some(otherwise) = otherwise {
                walk(otherwise, &mut other, facts);
            }
            // A branch that leaves says nothing about what follows; that is not looked at.
            *state = state.intersection(&other).copied().collect();
        }
        StatementKind::While { condition, body } => {
            evaluate(condition, state);
            walk(body, &mut state.clone(), facts);
        }
        StatementKind::DoWhile { body, condition } => {
            let before = state.clone();
            walk(body, state, facts);
            evaluate(condition, state);
            *state = state.intersection(&before).copied().collect();
        }
        StatementKind::For {
            start,
            condition,
            step,
            body,
            ..
        } => {
            match start {
                ForStart::Nothing => {}
                ForStart::Expression(value) => evaluate(value, state),
                ForStart::Declaration(declaration) => declare(declaration, state),
            }
            condition.iter().for_each(|value| evaluate(value, state));
            let mut inside = state.clone();
            walk(body, &mut inside, facts);
            step.iter().for_each(|value| evaluate(value, &mut inside));
        }
        StatementKind::Switch { value, body } => {
            evaluate(value, state);
            walk(body, &mut state.clone(), facts);
        }
        StatementKind::Labelled { label, body } => {
            if matches!(label, crate::program::Label::Name(_)) {
                state.clear();
            }
            walk(body, state, facts);
        }
        _ => {}
    }
}

/// All mentions of names in a file that are not defined in it and no local variables: functions of libraries, mostly. A
/// name counts wherever it stands, so that a pointer to a function counts, too.
pub fn library_names<'a>(unit: &'a Unit, found: &mut dyn FnMut(&'a str, &'a Expression)) {
    let mut note = |expression: &'a Expression| {
        let ExpressionKind::Name { name, symbol } = &expression.kind else {
            return;
        };
        let own = symbol.is_some_and(|symbol| {
            let symbol = &unit.symbols[symbol.0];
            symbol.definition.is_some() || symbol.scope.0 != 0
        });
        if !own {
            found(name, expression);
        }
    };
    for function in &unit.functions {
        function.body.walk_expressions(&mut note);
    }
    for declaration in &unit.globals {
        for expression in declaration.expressions() {
            expression.walk(&mut note);
        }
    }
}
