//! Where `init` may have run.
//!
//! May-analysis over all functions: a place has seen `init` when one can come before it in its function, in a call
//! before it, or before a call that leads to its function.

use std::collections::HashSet;

use super::calls::{CallGraph, FunctionRef, client_names};
use super::graph::Flow;
use crate::catalog::Catalogue;
use crate::program::{Directive, FunctionId, Program};

/// Where `init` may have run.
pub struct Started {
    /// For every function, the places after which it has: directives, and calls that lead to one.
    places: Vec<(FunctionRef, usize)>,
    /// Functions that may be entered after it.
    entered: HashSet<FunctionRef>,
    flows: Vec<Vec<Flow>>,
}

impl Started {
    /// Looks at a program.
    pub fn of(program: &Program, catalogue: &Catalogue) -> Started {
        let graph = CallGraph::of(program);
        let flows = program.units.iter().map(|unit| {
            let functions = unit.functions.iter();
            functions.map(|one| Flow::of(one, catalogue)).collect()
        });
        let mut started = Started {
            places: places(program, &graph),
            entered: HashSet::new(),
            flows: flows.collect(),
        };
        let complete = is_complete(program);
        for (unit, one) in program.units.iter().enumerate() {
            for (index, definition) in one.functions.iter().enumerate() {
                let function = FunctionRef {
                    unit,
                    function: FunctionId(index),
                };
                let open = graph.address_taken.contains(&function)
                    || graph.callers(function).next().is_none()
                    || (!definition.is_static && !complete);
                if open && definition.name != "main" {
                    started.entered.insert(function);
                }
            }
        }
        loop {
            let before = started.entered.len();
            for site in &graph.sites {
                if started.before(site.caller, site.place) {
                    started.entered.extend(graph.targets(&site.callee));
                }
            }
            if started.entered.len() == before {
                return started;
            }
        }
    }

    /// Whether `init` may have run when control comes to a place (an offset in the preprocessed text).
    pub fn before(&self, function: FunctionRef, place: usize) -> bool {
        let flow = &self.flows[function.unit][function.function.0];
        self.entered.contains(&function)
            || self
                .places
                .iter()
                .any(|(within, init)| *within == function && flow.may_follow(*init, place))
    }
}

/// Whether nothing but the given files calls their functions.
fn is_complete(program: &Program) -> bool {
    let main = program.units.iter().any(|unit| {
        unit.functions
            .iter()
            .any(|function| function.name == "main")
    });
    main && !program
        .units
        .iter()
        .any(|unit| client_names(unit).next().is_some())
}

/// Places of `init` directives, and of calls of functions that lead to one.
fn places(program: &Program, graph: &CallGraph) -> Vec<(FunctionRef, usize)> {
    let mut places = Vec::new();
    for (unit, one) in program.units.iter().enumerate() {
        for directive in one
            .directives
            .iter()
            .filter(|one| matches!(one.directive, Directive::Init { .. }))
        {
            if let Some(function) = directive.function {
                places.push((FunctionRef { unit, function }, directive.span.start));
            }
        }
    }
    let mut leading: HashSet<FunctionRef> = places.iter().map(|(function, _)| *function).collect();
    loop {
        let before = leading.len();
        for site in &graph.sites {
            let leads = graph
                .targets(&site.callee)
                .iter()
                .any(|target| leading.contains(target));
            let place = (site.caller, site.place);
            if leads && !places.contains(&place) {
                places.push(place);
                leading.insert(site.caller);
            }
        }
        if leading.len() == before {
            return places;
        }
    }
}
