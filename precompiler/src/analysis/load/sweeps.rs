//! Whether a loop goes over the same data in all its iterations, in its own text or in what it calls.

use std::collections::{BTreeSet, HashMap};

use super::repeats::{Again, Call, walks};
use super::routine::Local;
use crate::catalog::{Catalogue, Role};
use crate::dataflow::steps::{RoutineId, Steps};
use crate::program::{Program, Statement, StatementId, Unit};

/// What has been found out about functions.
pub struct Sweeps<'a> {
    program: &'a Program,
    steps: &'a Steps,
    locals: &'a [Local],
    /// The library's functions that communicate, of those that are called.
    communicating: BTreeSet<&'a str>,
    /// Functions, called with parameters that depend on the iteration or not, in a loop of it or not.
    known: HashMap<(RoutineId, [Vec<bool>; 2], bool), bool>,
}

impl<'a> Sweeps<'a> {
    /// Of a program.
    pub fn of(
        program: &'a Program,
        steps: &'a Steps,
        catalogue: &Catalogue,
        locals: &'a [Local],
    ) -> Sweeps<'a> {
        let names = locals.iter().flat_map(|local| &local.library);
        let communicates = |name: &&str| {
            let found = catalogue.find(name);
            found.is_some_and(|one| one.is(Role::Communicates) || one.is(Role::Collective))
        };
        Sweeps {
            communicating: names.map(|one| &*one.1).filter(communicates).collect(),
            known: HashMap::new(),
            program,
            steps,
            locals,
        }
    }

    /// Looks at a loop statement.
    pub fn repeats(&mut self, routine: RoutineId, loop_statement: StatementId) -> bool {
        let found = self.statement(routine, loop_statement);
        found.is_some_and(|(unit, one)| self.does(routine, &Again::of_loop(unit, one)))
    }

    /// Whether a loop statement counts through its data.
    pub fn walks(&self, routine: RoutineId, loop_statement: StatementId) -> bool {
        let found = self.statement(routine, loop_statement);
        found.is_some_and(|(unit, one)| walks(unit, one))
    }

    fn statement(&self, routine: RoutineId, id: StatementId) -> Option<(&'a Unit, &'a Statement)> {
        let at = self.steps.routine(routine).function;
        let unit = &self.program.units[at.unit];
        let mut found = None;
        unit.function(at.function).body.walk(&mut |statement| {
            if statement.id == id && statement.is_loop() {
                found = Some(statement);
            }
            found.is_none()
        });
        Some((unit, found?))
    }

    fn does(&mut self, routine: RoutineId, again: &Again) -> bool {
        again.stores || again.calls.iter().any(|call| self.calls(routine, call))
    }

    fn calls(&mut self, routine: RoutineId, call: &Call) -> bool {
        let name = call.name.as_deref();
        if name.is_some_and(|name| self.communicating.contains(name)) {
            return !call.moving.contains(&true);
        }
        let (locals, steps) = (self.locals, self.steps);
        let Local { sites, library, .. } = &locals[routine.0 as usize];
        if library.iter().any(|one| name == Some(one.1.as_str())) {
            return false;
        }
        let is_named = |callee: RoutineId| name == Some(steps.routine(callee).name.as_str());
        let mut callees: BTreeSet<RoutineId> = sites.iter().map(|site| site.callee).collect();
        if callees.iter().any(|callee| is_named(*callee)) {
            callees.retain(|callee| is_named(*callee));
        } else {
            // Which of the calls through pointers it is makes no difference to an estimate.
            callees = { sites.iter() }
                .filter(|site| site.by_pointer)
                .map(|site| site.callee)
                .collect();
        }
        callees
            .into_iter()
            .any(|callee| self.does_called(callee, call))
    }

    fn does_called(&mut self, callee: RoutineId, call: &Call) -> bool {
        let (program, steps) = (self.program, self.steps);
        let which = [call.moving.clone(), call.returning.clone()];
        let key = (callee, which, call.in_loop);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        // In a recursion the answer is that of its other ways.
        self.known.insert(key.clone(), false);
        let at = steps.routine(callee).function;
        let unit = &program.units[at.unit];
        let again = Again::of_function(unit, unit.function(at.function), call);
        let found = self.does(callee, &again);
        self.known.insert(key, found);
        found
    }
}
