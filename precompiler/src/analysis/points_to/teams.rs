//! Of what each thread of a team of OpenMP has one of its own, so that there may be several at a time.
//!
//! In: the regions in the text, and who calls whom. Out: locals of which each thread has a copy, functions that several
//! threads may be in, calls that several threads may make. What `single` or `master` lets one thread do happens once.
//! Errors fall on the side of *several*.

use std::collections::BTreeSet;

use super::solver::Solver;
use crate::dataflow::steps::{RoutineId, TextPlace, VariableId};
use crate::program::{Statement, Storage};
use crate::source::Span;

/// What threads of a team have, are in, and do.
#[derive(Clone, Debug, Default)]
pub struct Teams {
    variables: BTreeSet<VariableId>,
    routines: BTreeSet<RoutineId>,
}

impl Teams {
    /// Looks at a program.
    pub(super) fn of(solver: &Solver) -> Teams {
        let mut teams = Teams::default();
        if solver
            .program
            .units
            .iter()
            .all(|unit| unit.openmp.is_empty())
        {
            return teams;
        }
        for id in solver.steps.variable_ids() {
            let variable = solver.steps.variable(id);
            let is_local = matches!(variable.storage, Storage::Automatic | Storage::Register);
            if let Some(owner) = variable.owner.filter(|_| is_local)
                && body(solver, owner).is_by_team(variable.declared.span)
            {
                teams.variables.insert(id);
            }
        }
        for id in solver.steps.routine_ids() {
            let unit = solver.steps.routine(id).function.unit;
            body(solver, id).walk(&mut |statement| {
                for name in statement.openmp.iter().flat_map(|one| one.keeps_value()) {
                    let at = statement.span.start;
                    let symbol = solver.program.units[unit].lookup(statement.scope, &name.text, at);
                    let known = symbol.and_then(|symbol| solver.steps.variable_of(unit, symbol));
                    teams.variables.extend(known);
                }
                true
            });
        }
        loop {
            let before = teams.routines.len();
            for (called, sites) in &solver.calls_of {
                let of_team = |(caller, at): &(Option<RoutineId>, TextPlace)| {
                    caller.is_none_or(|caller| teams.makes(solver, caller, at.span))
                };
                if !teams.routines.contains(called) && sites.iter().any(of_team) {
                    teams.routines.insert(*called);
                }
            }
            if teams.routines.len() == before {
                return teams;
            }
        }
    }

    /// Whether several threads may execute a text of a function.
    pub(super) fn makes(&self, solver: &Solver, routine: RoutineId, at: Span) -> bool {
        self.routines.contains(&routine) || body(solver, routine).is_by_team(at)
    }

    /// Whether several threads may be in a function, each for itself.
    pub fn may_be_in(&self, routine: RoutineId) -> bool {
        self.routines.contains(&routine)
    }

    /// Whether there may be several of a local.
    pub fn has(&self, variable: VariableId, owner: RoutineId) -> bool {
        self.routines.contains(&owner) || self.variables.contains(&variable)
    }
}

fn body<'a>(solver: &Solver<'a>, routine: RoutineId) -> &'a Statement {
    let at = solver.steps.routine(routine).function;
    &solver.program.units[at.unit].function(at.function).body
}
