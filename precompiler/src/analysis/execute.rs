//! Execute-on-restart blocks: what they read before they write it, what they set, and what they must not contain.

use super::picture::Picture;
use crate::program::{
    DirectiveId, Expression, ExpressionKind, ForStart, Statement, StatementKind, SymbolId,
    SymbolKind, UnaryOperator,
};
use std::collections::BTreeMap;

/// The first thing a block does with a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum First {
    /// Its value is used.
    Reads,
    /// It gets a value, or its address is taken.
    Sets,
}

/// What an execute block does with the variables around it.
#[derive(Debug, Default, Clone)]
pub struct ExecuteFacts {
    /// Variables named in it, in the order of the first mention.
    pub first: BTreeMap<SymbolId, First>,
    /// Variables set in it (by name, or whose address it takes).
    pub sets: Vec<SymbolId>,
    /// Where it begins and ends in the preprocessed text.
    pub start: usize,
    /// One past its end.
    pub end: usize,
}

/// The statements between the directive and its end.
pub fn inside<'a>(picture: &Picture<'a>, begin: DirectiveId) -> Vec<&'a Statement> {
    let unit = picture.unit;
    let start = unit.directives[begin.0].span.end;
    let Some(end) = unit.directives[begin.0]
        .partner
        .map(|end| unit.directives[end.0].span.start)
    else {
        return Vec::new();
    };
    picture
        .statements
        .iter()
        .enumerate()
        .filter(|(number, statement)| {
            let within = |span: crate::source::Span| start <= span.start && span.end <= end;
            within(statement.span)
                && !picture.parents[*number]
                    .is_some_and(|parent| within(picture.statements[parent].span))
        })
        .map(|(_, statement)| *statement)
        .collect()
}

/// Looks at a block.
pub fn facts(picture: &Picture, begin: DirectiveId) -> ExecuteFacts {
    let unit = picture.unit;
    let start = unit.directives[begin.0].span.start;
    let end = unit.directives[begin.0]
        .partner
        .map_or(start, |end| unit.directives[end.0].span.end);
    let mut facts = ExecuteFacts {
        start,
        end,
        ..ExecuteFacts::default()
    };
    for statement in inside(picture, begin) {
        look(picture, statement, &mut facts);
        // A block is no scope: what is declared in it is there behind it.
        if let StatementKind::Declaration(declaration) = &statement.kind {
            let declared = declaration.declarators.iter().map(|one| one.symbol);
            let kind = |symbol: SymbolId| picture.unit.symbols[symbol.0].kind;
            let variables = declared.filter(|symbol| kind(*symbol) == SymbolKind::Variable);
            facts.sets.extend(variables);
        }
    }
    facts
}

fn look(picture: &Picture, statement: &Statement, facts: &mut ExecuteFacts) {
    if let StatementKind::For {
        start,
        condition,
        step,
        body,
        ..
    } = &statement.kind
    {
        match start {
            ForStart::Nothing => {}
            ForStart::Expression(value) => read(picture, value, facts),
            ForStart::Declaration(declaration) => {
                declaration
                    .expressions()
                    .into_iter()
                    .for_each(|value| read(picture, value, facts));
            }
        }
        condition
            .iter()
            .for_each(|value| read(picture, value, facts));
        look(picture, body, facts);
        step.iter().for_each(|value| read(picture, value, facts));
        return;
    }
    let conditional = matches!(statement.kind, StatementKind::DoWhile { .. });
    if !conditional {
        statement
            .expressions()
            .into_iter()
            .for_each(|value| read(picture, value, facts));
    }
    for child in statement.children() {
        let mut branch = facts.clone();
        look(picture, child, &mut branch);
        let sequential = matches!(
            statement.kind,
            StatementKind::Compound { .. } | StatementKind::DoWhile { .. }
        );
        if sequential {
            *facts = branch;
        } else {
            // What a branch only sets, the other way may still read afterwards.
            for (symbol, first) in branch.first {
                if first == First::Reads {
                    facts.first.entry(symbol).or_insert(first);
                }
            }
            facts.sets = branch.sets;
        }
    }
    if conditional {
        statement
            .expressions()
            .into_iter()
            .for_each(|value| read(picture, value, facts));
    }
}

fn note(picture: &Picture, symbol: SymbolId, first: First, facts: &mut ExecuteFacts) {
    let symbol_facts = &picture.unit.symbols[symbol.0];
    let outside =
        symbol_facts.declared.start < facts.start || symbol_facts.declared.start >= facts.end;
    if symbol_facts.kind == SymbolKind::Variable && symbol_facts.function.is_some() && outside {
        facts.first.entry(symbol).or_insert(first);
    }
}

fn sets(picture: &Picture, symbol: SymbolId, facts: &mut ExecuteFacts) {
    let declared = picture.unit.symbols[symbol.0].declared.start;
    if (declared < facts.start || declared >= facts.end) && !facts.sets.contains(&symbol) {
        facts.sets.push(symbol);
    }
}

fn read(picture: &Picture, expression: &Expression, facts: &mut ExecuteFacts) {
    match &expression.kind {
        ExpressionKind::Assign {
            operator,
            target,
            value,
        } => {
            read(picture, value, facts);
            if let ExpressionKind::Name {
                symbol: Some(symbol),
                ..
            } = target.kind
            {
                note(
                    picture,
                    symbol,
                    if operator.is_none() {
                        First::Sets
                    } else {
                        First::Reads
                    },
                    facts,
                );
                sets(picture, symbol, facts);
            } else {
                if let Some(symbol) = super::uses::root(picture.unit, target) {
                    sets(picture, symbol, facts);
                }
                read(picture, target, facts);
            }
        }
        ExpressionKind::Step(_, target) => {
            if let Some(symbol) = super::uses::root(picture.unit, target) {
                sets(picture, symbol, facts);
            }
            read(picture, target, facts);
        }
        ExpressionKind::Unary(UnaryOperator::Address, target) => {
            if let ExpressionKind::Name {
                symbol: Some(symbol),
                ..
            } = target.kind
            {
                note(picture, symbol, First::Sets, facts);
                sets(picture, symbol, facts);
            } else {
                if let Some(symbol) = super::uses::root(picture.unit, target) {
                    sets(picture, symbol, facts);
                }
                read(picture, target, facts);
            }
        }
        ExpressionKind::Name {
            symbol: Some(symbol),
            ..
        } => note(picture, *symbol, First::Reads, facts),
        ExpressionKind::Statement(body) => look(picture, body, facts),
        ExpressionKind::Call { callee, arguments } => {
            // Arguments first: `scanf("%d", &n)` sets, `f(n, &n)` reads.
            for argument in arguments.iter().filter(|one| !is_address(one)) {
                read(picture, argument, facts);
            }
            for argument in arguments.iter().filter(|one| is_address(one)) {
                read(picture, argument, facts);
            }
            read(picture, callee, facts);
        }
        _ => expression
            .children()
            .into_iter()
            .for_each(|child| read(picture, child, facts)),
    }
}

fn is_address(expression: &Expression) -> bool {
    matches!(
        expression.kind,
        ExpressionKind::Unary(UnaryOperator::Address, _)
    )
}
