//! From the program to one Plan per file.

use super::allocations::renamed;
use super::builder::Builder;
use super::data::{Dispatch, FilePlan, PlannedEdit, Step};
use super::raw::fit;
use super::text::fingerprint;
use crate::analysis::following::Following;
use crate::analysis::generators::Generators;
use crate::analysis::{Clients, Finding, FunctionKey, Picture};
use crate::catalog::Catalogue;
use crate::program::{Directive, DirectiveId, DirectiveUse, FunctionId, Program};

/// A file's plan and what there is to say about it.
#[derive(Debug, Default)]
pub struct Planned {
    /// The plan.
    pub plan: FilePlan,
    /// Errors and warnings.
    pub findings: Vec<Finding>,
}

/// Plans all files of a program. The catalogue says what is a handle, and what allocates.
pub fn plan_program(program: &Program, catalogue: &Catalogue, dispatch: Dispatch) -> Vec<Planned> {
    let clients = Clients::of(program);
    let following = Following::of(program, &clients, catalogue);
    (0..program.units.len())
        .map(|unit| plan_unit(program, catalogue, unit, &clients, &following, dispatch))
        .collect()
}

fn plan_unit(
    program: &Program,
    catalogue: &Catalogue,
    index: usize,
    clients: &Clients,
    following: &Following,
    dispatch: Dispatch,
) -> Planned {
    let unit = &program.units[index];
    let mut planned = Planned::default();
    planned.plan.file = unit.file.path.clone();
    planned.plan.has_directives = !unit.directives.is_empty();
    planned.plan.heap = renamed(program, unit);
    let is_init = |one: &DirectiveUse| matches!(one.directive, Directive::Init { .. });
    // The file with `init` speaks for all, those without marks too.
    planned.plan.generators = match unit.directives.iter().any(is_init) {
        true => Generators::of(program),
        false => Generators::of_unit(unit),
    };
    for (number, function) in unit.functions.iter().enumerate() {
        let key = FunctionKey {
            unit: index,
            function: FunctionId(number),
        };
        let has_residents = unit.directives.iter().enumerate().any(|(id, one)| {
            one.function == Some(key.function) && clients.residents.contains(index, DirectiveId(id))
        });
        if !clients.reach(key).client && !has_residents {
            continue;
        }
        let builder = Builder::new(program, catalogue, key, clients, following, dispatch);
        let (mut plan, raw, findings) = builder.build();
        planned.findings.extend(findings);
        plan.fingerprint = fingerprint(&plan);
        let picture = Picture::of(unit, function, catalogue);
        let edits = fit(
            &picture,
            raw,
            planned.plan.functions.len(),
            &mut planned.findings,
        );
        planned.plan.edits.extend(edits);
        planned.plan.functions.push(plan);
    }
    for directive in &unit.directives {
        if directive.function.is_none() || matches!(directive.directive, Directive::Client { .. }) {
            let covered =
                planned.plan.edits.iter().any(|edit| {
                    edit.start == directive.lines.start && edit.end == directive.lines.end
                });
            if !covered {
                planned.plan.edits.push(PlannedEdit {
                    start: directive.lines.start,
                    end: directive.lines.end,
                    order: 0,
                    function: None,
                    steps: vec![Step::Text(String::new())],
                });
            }
        }
    }
    planned
}
