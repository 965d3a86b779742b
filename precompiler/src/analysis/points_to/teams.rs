//! Of what each thread of a team of OpenMP has one of its own, so that there may be several at a time.
//!
//! In: the regions in the text, and who calls whom. Out: locals of which each thread has a copy, functions that several
//! threads may be in, calls that several threads may make. What `single` or `master` lets one thread do happens once.
//! Errors fall on the side of *several*.

use std::collections::{BTreeMap, BTreeSet};

use super::solver::Solver;
use crate::dataflow::steps::{RoutineId, Steps, VariableId};
use crate::program::{Program, Statement, Storage};
use crate::solver::rounds;
use crate::source::Span;

/// What threads of a team have, are in, and do.
#[derive(Clone, Debug, Default)]
pub struct Teams {
    variables: BTreeSet<VariableId>,
    /// Functions that several threads may be in, with the number of teams (1, or 2 for more).
    routines: BTreeMap<RoutineId, usize>,
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
                && body(solver.program, solver.steps, owner).teams_at(variable.declared.span, 0) > 0
            {
                teams.variables.insert(id);
            }
        }
        for id in solver.steps.routine_ids() {
            let unit = solver.steps.routine(id).function.unit;
            body(solver.program, solver.steps, id).walk(&mut |statement| {
                for name in statement.openmp.iter().flat_map(|one| one.keeps_value()) {
                    let at = statement.span.start;
                    let symbol = solver.program.units[unit].lookup(statement.scope, &name.text, at);
                    let known = symbol.and_then(|symbol| solver.steps.variable_of(unit, symbol));
                    teams.variables.extend(known);
                }
                true
            });
        }
        rounds(|| {
            let mut is_changed = false;
            for (called, sites) in &solver.calls_of {
                let around = sites.iter().map(|(caller, at)| match caller {
                    Some(caller) => teams.around(solver.program, solver.steps, *caller, at.span),
                    None => 2,
                });
                let most = around.max().unwrap_or(0);
                if most > teams.inside(*called) {
                    teams.routines.insert(*called, most);
                    is_changed = true;
                }
            }
            is_changed
        });
        teams
    }

    fn inside(&self, routine: RoutineId) -> usize {
        self.routines.get(&routine).copied().unwrap_or(0)
    }

    /// In how many teams several threads may execute a text of a function.
    fn around(&self, program: &Program, steps: &Steps, routine: RoutineId, at: Span) -> usize {
        body(program, steps, routine).teams_at(at, self.inside(routine))
    }

    /// Whether several threads may execute a text of a function.
    pub fn make(&self, program: &Program, steps: &Steps, routine: RoutineId, at: Span) -> bool {
        self.around(program, steps, routine, at) > 0
    }

    /// Whether several threads may be in a function, each for itself.
    pub fn may_be_in(&self, routine: RoutineId) -> bool {
        self.routines.contains_key(&routine)
    }

    /// Whether there may be several of a local.
    pub fn has(&self, variable: VariableId, owner: RoutineId) -> bool {
        self.routines.contains_key(&owner) || self.variables.contains(&variable)
    }
}

fn body<'a>(program: &'a Program, steps: &Steps, routine: RoutineId) -> &'a Statement {
    let at = steps.routine(routine).function;
    &program.units[at.unit].function(at.function).body
}
