//! Where `init` may have run, before anything is known of pointers.
//!
//! See [`Control`]: calls through pointers lead to every function whose address is taken, and these, functions that nobody calls,
//! and those that other files may call, to which `client` belongs, may be called at any time.

use std::collections::HashSet;

use super::calls::{CallGraph, Callee, FunctionRef, client_names};
use super::control::{Control, ControlCall, Others};
use super::graph::Flow;
use super::steps::RoutineId;
use crate::catalog::Catalogue;
use crate::program::{Directive, FunctionId, Program};

/// Which of some places control may come to when `init` has run: functions, and offsets in the preprocessed text.
pub fn after_init(
    program: &Program,
    catalogue: &Catalogue,
    places: &[(FunctionRef, usize)],
) -> Vec<bool> {
    let graph = CallGraph::of(program);
    let mut first = vec![0];
    let mut flows: Vec<Flow> = Vec::new();
    for unit in &program.units {
        flows.extend(unit.functions.iter().map(|one| Flow::of(one, catalogue)));
        first.push(flows.len());
    }
    let number = |one: FunctionRef| RoutineId((first[one.unit] + one.function.0) as u32);
    let mut calls = Vec::new();
    for site in &graph.sites {
        let caller = number(site.caller);
        let node = flows[caller.0 as usize].node_at(site.place);
        calls.extend(
            graph
                .targets(&site.callee)
                .into_iter()
                .map(|callee| ControlCall {
                    caller,
                    place: site.place,
                    node,
                    callee: number(callee),
                    is_repeated: false,
                }),
        );
    }
    let others = Others {
        outside: called_by_others(program, &graph)
            .into_iter()
            .map(number)
            .collect(),
        ..Others::default()
    };
    let control = Control::of(flows.iter().collect(), calls, others);
    let mut inits = Vec::new();
    for (unit, one) in program.units.iter().enumerate() {
        for directive in &one.directives {
            if let (Directive::Init { .. }, Some(function)) =
                (&directive.directive, directive.function)
            {
                inits.push((number(FunctionRef { unit, function }), directive.span.start));
            }
        }
    }
    let reached = control.after(inits);
    { places.iter() }
        .map(|(function, place)| control.has(&reached, number(*function), *place))
        .collect()
}

/// Functions that may be called without a call that is seen.
fn called_by_others(program: &Program, graph: &CallGraph) -> Vec<FunctionRef> {
    let complete = is_complete(program);
    let called: HashSet<FunctionRef> = (graph.sites.iter())
        .filter_map(|site| match site.callee {
            Callee::Defined(function) => Some(function),
            _ => None,
        })
        .collect();
    let mut found = Vec::new();
    for (unit, one) in program.units.iter().enumerate() {
        for (index, definition) in one.functions.iter().enumerate() {
            let function = FunctionRef {
                unit,
                function: FunctionId(index),
            };
            let open = graph.address_taken.contains(&function)
                || !called.contains(&function)
                || (!definition.is_static && !complete);
            if open && definition.name != "main" {
                found.push(function);
            }
        }
    }
    found
}

/// Whether nothing but the given files calls their functions.
fn is_complete(program: &Program) -> bool {
    let mut functions = program.units.iter().flat_map(|unit| &unit.functions);
    let mut units = program.units.iter();
    functions.any(|function| function.name == "main")
        && units.all(|unit| client_names(unit).next().is_none())
}
