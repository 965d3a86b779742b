//! Can a checkpoint follow a place? Then what ran there may have to run again one day; otherwise it may be forgotten.

use super::clients::{Clients, FunctionKey};
use super::picture::Picture;
use crate::program::{Directive, FunctionId, Program};
use std::collections::{BTreeMap, BTreeSet};

/// Functions after whose return a checkpoint may be taken. When unsure a function is one of them.
#[derive(Debug, Default)]
pub struct Following {
    after: BTreeSet<FunctionKey>,
}

impl Following {
    /// Looks at the whole program.
    pub fn of(program: &Program, clients: &Clients) -> Following {
        let mut sites: BTreeMap<FunctionKey, Vec<(FunctionKey, bool)>> = BTreeMap::new();
        let mut following = Following::default();
        for (index, unit) in program.units.iter().enumerate() {
            for (number, function) in unit.functions.iter().enumerate() {
                let caller = FunctionKey {
                    unit: index,
                    function: FunctionId(number),
                };
                if !clients.reach(caller).client {
                    continue;
                }
                let picture = Picture::of(unit, function);
                let places = checkpoints(program, clients, &picture, index);
                function.body.walk_expressions(&mut |expression| {
                    let Some(callee) = clients.callee(program, index, expression) else {
                        return;
                    };
                    let position = expression.span.start;
                    let follows = places.iter().any(|&place| {
                        place > position
                            || (place != position && picture.share_a_loop(position, place))
                    }) || (places.contains(&position)
                        && picture.loop_at(position).is_some());
                    match callee {
                        super::Callee::Known(key) => {
                            sites.entry(key).or_default().push((caller, follows))
                        }
                        super::Callee::Promised(_) | super::Callee::Pointer(_) => {
                            for key in
                                program
                                    .units
                                    .iter()
                                    .enumerate()
                                    .flat_map(|(unit, picture)| {
                                        (0..picture.functions.len()).map(move |function| {
                                            FunctionKey {
                                                unit,
                                                function: FunctionId(function),
                                            }
                                        })
                                    })
                            {
                                sites.entry(key).or_default().push((caller, true));
                            }
                        }
                    }
                });
            }
        }
        for (index, unit) in program.units.iter().enumerate() {
            for (number, function) in unit.functions.iter().enumerate() {
                let key = FunctionKey {
                    unit: index,
                    function: FunctionId(number),
                };
                let seen = sites.get(&key);
                let unknown = function.name != "main"
                    && (seen.is_none() || (!clients.complete && !function.is_static));
                if unknown || seen.is_some_and(|list| list.iter().any(|(_, follows)| *follows)) {
                    following.after.insert(key);
                }
            }
        }
        loop {
            let more: Vec<FunctionKey> = sites
                .iter()
                .filter(|(key, list)| {
                    !following.after.contains(key)
                        && list
                            .iter()
                            .any(|(caller, _)| following.after.contains(caller))
                })
                .map(|(key, _)| *key)
                .collect();
            if more.is_empty() {
                return following;
            }
            following.after.extend(more);
        }
    }

    /// Whether a checkpoint may be taken after the function has returned.
    pub fn after(&self, key: FunctionKey) -> bool {
        self.after.contains(&key)
    }
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
            && clients.reach_of(program, unit, &callee).checkpoint
        {
            places.push(expression.span.start);
        }
    });
    places
}
