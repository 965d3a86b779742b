//! Where `init` may have run.
//!
//! May-analysis over all functions: a place has seen `init` when one can come before it in its function, in a call
//! before it, or before a call that leads to its function.

use std::collections::{HashMap, HashSet};

use super::calls::{CallGraph, CallSite, Callee, FunctionRef, client_names};
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
        let called: HashSet<FunctionRef> = (graph.sites.iter())
            .filter_map(|site| match site.callee {
                Callee::Defined(function) => Some(function),
                _ => None,
            })
            .collect();
        let taken: HashSet<FunctionRef> = graph.address_taken.iter().copied().collect();
        for (unit, one) in program.units.iter().enumerate() {
            for (index, definition) in one.functions.iter().enumerate() {
                let function = FunctionRef {
                    unit,
                    function: FunctionId(index),
                };
                let open = taken.contains(&function)
                    || !called.contains(&function)
                    || (!definition.is_static && !complete);
                if open && definition.name != "main" {
                    started.entered.insert(function);
                }
            }
        }
        started.close(&graph);
        started
    }

    /// Enters what is called where `init` may have run, and what is called there in turn.
    fn close(&mut self, graph: &CallGraph) {
        let mut calls: HashMap<FunctionRef, Vec<&CallSite>> = HashMap::new();
        for site in &graph.sites {
            calls.entry(site.caller).or_default().push(site);
        }
        let mut entered: Vec<FunctionRef> = self.entered.iter().copied().collect();
        let first = graph.sites.iter();
        let first = first.filter(|site| self.before(site.caller, site.place));
        let first: Vec<FunctionRef> = first.flat_map(|site| graph.targets(&site.callee)).collect();
        entered.extend(first.into_iter().filter(|one| self.entered.insert(*one)));
        // All pointers lead to the same functions.
        let mut through_pointers = false;
        while let Some(function) = entered.pop() {
            for site in calls.get(&function).into_iter().flatten() {
                if site.callee == Callee::Pointer && std::mem::replace(&mut through_pointers, true)
                {
                    continue;
                }
                let targets = graph.targets(&site.callee).into_iter();
                entered.extend(targets.filter(|one| self.entered.insert(*one)));
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
    let mut found: HashSet<(FunctionRef, usize)> = places.iter().copied().collect();
    loop {
        let before = leading.len();
        for site in &graph.sites {
            let leads = match &site.callee {
                Callee::Defined(function) => leading.contains(function),
                Callee::Named(_) => false,
                Callee::Pointer => graph.address_taken.iter().any(|one| leading.contains(one)),
            };
            let place = (site.caller, site.place);
            if leads && found.insert(place) {
                places.push(place);
                leading.insert(site.caller);
            }
        }
        if leading.len() == before {
            return places;
        }
    }
}
