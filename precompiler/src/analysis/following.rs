//! Can a checkpoint follow a place? Then what ran there may have to run again one day; otherwise it may be forgotten.

use super::clients::{Clients, FunctionKey, Target};
use super::picture::Picture;
use crate::catalog::Catalogue;
use crate::dataflow::steps::RoutineId;
use crate::dataflow::{Control, ControlCall, Flow, Loop, Others, Reached};
use crate::program::{Directive, FunctionId, Program};
use std::collections::BTreeMap;

/// From where a checkpoint may follow.
#[derive(Debug, Default)]
pub struct Following {
    numbers: BTreeMap<FunctionKey, RoutineId>,
    leading: Reached,
}

impl Following {
    /// Looks at the functions of a program that contain or reach directives.
    pub fn of(program: &Program, clients: &Clients, catalogue: &Catalogue) -> Following {
        let mut pictures = Vec::new();
        let mut numbers = BTreeMap::new();
        for (unit, one) in program.units.iter().enumerate() {
            for (number, function) in one.functions.iter().enumerate() {
                let key = FunctionKey {
                    unit,
                    function: FunctionId(number),
                };
                if clients.reach(key).client {
                    numbers.insert(key, RoutineId(pictures.len() as u32));
                    pictures.push((key, Picture::of(one, function, catalogue)));
                }
            }
        }
        let mut calls = Vec::new();
        let mut places = Vec::new();
        // Code that is not here may call anything, and take a checkpoint afterwards.
        let mut elsewhere = false;
        for (caller, (key, picture)) in pictures.iter().enumerate() {
            let caller = RoutineId(caller as u32);
            let own = directives(picture).map(|place| (caller, place));
            places.extend(own);
            picture.function.body.walk_expressions(&mut |expression| {
                let Some(callee) = clients.callee(program, key.unit, expression) else {
                    return;
                };
                let place = expression.span.start;
                let targets = match callee {
                    super::Callee::Known(callee) => vec![Target::Known(callee)],
                    super::Callee::Promised(name) => {
                        elsewhere = true;
                        vec![Target::Named(name)]
                    }
                    super::Callee::Pointer(targets) => targets,
                };
                for target in targets {
                    let callee = match &target {
                        Target::Known(callee) => numbers.get(callee).copied(),
                        Target::Named(_) => None,
                    };
                    match callee {
                        Some(callee) => calls.push(ControlCall {
                            caller,
                            place,
                            node: picture.flow.node_at(place),
                            callee,
                            is_repeated: false,
                        }),
                        None if clients.reach_of_target(&target).checkpoint => {
                            places.push((caller, place));
                        }
                        None => {}
                    }
                }
            });
        }
        let is_called = |one: RoutineId| calls.iter().any(|call| call.callee == one);
        let is_open = |(key, picture): &(FunctionKey, Picture)| {
            let function = picture.function;
            let exported = !clients.complete && !function.is_static;
            function.name != "main" && (elsewhere || exported || !is_called(numbers[key]))
        };
        let outside = pictures
            .iter()
            .filter(|one| is_open(one))
            .map(|(key, _)| numbers[key]);
        let others = Others {
            outside: outside.collect(),
            ..Others::default()
        };
        let flows = pictures.iter().map(|(_, picture)| &picture.flow);
        let leading = Control::of(flows.collect(), calls, others).before(places);
        Following { numbers, leading }
    }

    /// Whether what ran in a loop of a function that has ended may be forgotten: no checkpoint may be taken once control has
    /// left the loop, entering it again included.
    ///
    /// ```text
    /// while (run) { prepare(); checkpoint; }  report();      prunable: after the loop there is no checkpoint
    /// for (;;) { while (run) { prepare(); } checkpoint; }    the inner loop is not
    /// ```
    pub fn is_prunable(&self, key: FunctionKey, flow: &Flow, one: &Loop) -> bool {
        let number = self.numbers.get(&key);
        number.is_some_and(|number| {
            let mut exits = one.exits(flow).into_iter();
            exits.all(|node| !self.leading.has_node(*number, node))
        })
    }
}

fn directives(picture: &Picture) -> impl Iterator<Item = usize> {
    let directives = &picture.unit.directives;
    picture
        .statements
        .iter()
        .filter_map(move |statement| match statement.kind {
            crate::program::StatementKind::Directive(id)
                if matches!(directives[id.0].directive, Directive::Checkpoint { .. }) =>
            {
                Some(statement.span.start)
            }
            _ => None,
        })
}

/// Places in a function where a checkpoint may be taken: directives, and calls that may lead to one.
pub fn checkpoints(
    program: &Program,
    clients: &Clients,
    picture: &Picture,
    unit: usize,
) -> Vec<usize> {
    let mut places: Vec<usize> = directives(picture).collect();
    picture.function.body.walk_expressions(&mut |expression| {
        if let Some(callee) = clients.callee(program, unit, expression)
            && clients.reach_of(&callee).checkpoint
        {
            places.push(expression.span.start);
        }
    });
    places
}
