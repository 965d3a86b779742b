//! Can a checkpoint follow a place? Then what ran there may have to run again one day; otherwise it may be forgotten.

use super::clients::{Clients, FunctionKey};
use super::picture::Picture;
use crate::catalog::Catalogue;
use crate::dataflow::{CallFact, FunctionFacts, followed_by_checkpoint};
use crate::program::{Directive, FunctionId, Program};
use std::collections::{BTreeMap, BTreeSet};

/// Functions after whose return a checkpoint may be taken. When unsure a function is one of them.
#[derive(Debug, Default)]
pub struct Following {
    after: BTreeSet<FunctionKey>,
}

impl Following {
    /// Looks at the whole program.
    pub fn of(program: &Program, clients: &Clients, catalogue: &Catalogue) -> Following {
        let mut keys = Vec::new();
        for (unit, one) in program.units.iter().enumerate() {
            let functions = (0..one.functions.len()).map(FunctionId);
            keys.extend(functions.map(|function| FunctionKey { unit, function }));
        }
        let numbers: BTreeMap<FunctionKey, usize> =
            keys.iter().enumerate().map(|(n, key)| (*key, n)).collect();
        let facts: Vec<(FunctionFacts, bool)> = keys
            .iter()
            .map(|key| facts_of(program, clients, catalogue, *key, &numbers))
            .collect();
        // Code that is not here may call anything, and take a checkpoint afterwards.
        let elsewhere = facts.iter().any(|(_, promised)| *promised);
        let mut facts: Vec<FunctionFacts> = facts.into_iter().map(|(one, _)| one).collect();
        let mut called = vec![false; keys.len()];
        for call in facts.iter().flat_map(|one| &one.calls) {
            match call.callee {
                Some(callee) => called[callee] = true,
                None => called.fill(true),
            }
        }
        for (number, key) in keys.iter().enumerate() {
            let function = &program.units[key.unit].functions[key.function.0];
            facts[number].has_unknown_callers = function.name != "main"
                && (elsewhere || !called[number] || (!clients.complete && !function.is_static));
        }
        let followed = followed_by_checkpoint(&facts);
        let after = keys.into_iter().zip(followed);
        Following {
            after: after.filter(|(_, yes)| *yes).map(|(key, _)| key).collect(),
        }
    }

    /// Whether a checkpoint may be taken after the function has returned.
    pub fn after(&self, key: FunctionKey) -> bool {
        self.after.contains(&key)
    }
}

/// The calls of clients in a function, where it may take a checkpoint, and whether it calls clients defined elsewhere.
fn facts_of(
    program: &Program,
    clients: &Clients,
    catalogue: &Catalogue,
    key: FunctionKey,
    numbers: &BTreeMap<FunctionKey, usize>,
) -> (FunctionFacts, bool) {
    let unit = &program.units[key.unit];
    let picture = Picture::of(unit, &unit.functions[key.function.0], catalogue);
    let (mut calls, mut promised) = (Vec::new(), false);
    if clients.reach(key).client {
        picture.function.body.walk_expressions(&mut |expression| {
            let callee = clients.callee(program, key.unit, expression);
            promised |= matches!(callee, Some(super::Callee::Promised(_)));
            let callee = match callee {
                Some(super::Callee::Known(callee)) => numbers.get(&callee).copied(),
                Some(_) => None,
                None => return,
            };
            calls.push(CallFact {
                place: expression.span.start,
                callee,
            });
        });
    }
    let facts = FunctionFacts {
        sites: checkpoints(program, clients, &picture, key.unit),
        flow: picture.flow,
        calls,
        has_unknown_callers: false,
    };
    (facts, promised)
}

/// Places in a function where a checkpoint may be taken: directives, and calls that may lead to one.
pub fn checkpoints(
    program: &Program,
    clients: &Clients,
    picture: &Picture,
    unit: usize,
) -> Vec<usize> {
    let mut places = Vec::new();
    for statement in &picture.statements {
        if let crate::program::StatementKind::Directive(id) = statement.kind
            && matches!(
                picture.unit.directives[id.0].directive,
                Directive::Checkpoint { .. }
            )
        {
            places.push(statement.span.start);
        }
    }
    picture.function.body.walk_expressions(&mut |expression| {
        if let Some(callee) = clients.callee(program, unit, expression)
            && clients.reach_of(&callee).checkpoint
        {
            places.push(expression.span.start);
        }
    });
    places
}
