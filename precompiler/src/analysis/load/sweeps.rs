//! Whether a loop goes over the same data in all its iterations, in its own text or in what it calls.

use std::collections::{BTreeSet, HashMap};

use super::repeats::{Again, Call};
use super::routine::Local;
use crate::catalog::{Catalogue, Role};
use crate::dataflow::steps::{RoutineId, Steps};
use crate::program::{Program, StatementId};

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
        let at = self.steps.routine(routine).function;
        let unit = &self.program.units[at.unit];
        let mut found = None;
        unit.function(at.function).body.walk(&mut |statement| {
            if statement.id == loop_statement && statement.is_loop() {
                found = Some(statement);
            }
            found.is_none()
        });
        found.is_some_and(|one| self.does(routine, &Again::of_loop(unit, one)))
    }

    fn does(&mut self, routine: RoutineId, again: &Again) -> bool {
        again.stores || again.calls.iter().any(|call| self.calls(routine, call))
    }

    fn calls(&mut self, routine: RoutineId, call: &Call) -> bool {
        if self.communicating.contains(call.name.as_str()) {
            return !call.moving.contains(&true);
        }
        let (locals, steps) = (self.locals, self.steps);
        let mut sites = locals[routine.0 as usize].sites.iter();
        let found = sites.find(|site| steps.routine(site.callee).name == call.name);
        let Some(callee) = found.map(|site| site.callee) else {
            return false;
        };
        let which = [call.moving.clone(), call.returning.clone()];
        let key = (callee, which, call.in_loop);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        // In a recursion the answer is that of its other ways.
        self.known.insert(key.clone(), false);
        let at = steps.routine(callee).function;
        let unit = &self.program.units[at.unit];
        let again = Again::of_function(unit, unit.function(at.function), call);
        let found = self.does(callee, &again);
        self.known.insert(key, found);
        found
    }
}
