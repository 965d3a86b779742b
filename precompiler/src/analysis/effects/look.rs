//! The whole program: bodies, what code outside may do, summaries.

use crate::analysis::memory::CellSet;
use crate::analysis::points_to::PointsTo;
use crate::catalog::Catalogue;
use crate::dataflow::steps::{RoutineId, StepKind, Steps};
use crate::program::Program;
use crate::solver::closure;

use super::lower::Lowering;
use super::model::{ActionKind, Effects};
use super::summarise;

impl Effects {
    /// Looks at a program.
    pub fn of(
        program: &Program,
        steps: &Steps,
        points_to: &PointsTo,
        catalogue: &Catalogue,
    ) -> Effects {
        let mut lowering = Lowering::new(program, steps, points_to, catalogue);
        lowering.keep();
        if !is_complete(program, steps, points_to, catalogue) {
            lowering.open(program);
        }
        lowering.find_persistent();
        let bodies = steps.routine_ids().map(|id| lowering.body(id)).collect();
        let mut effects = lowering.finish(bodies);
        if !effects.from_outside.is_empty() {
            what_is_called_from_outside_reads(&mut effects);
        }
        effects.summarise(steps, points_to);
        effects
    }

    /// Summaries of all functions, after their bodies have changed.
    pub fn summarise(&mut self, steps: &Steps, points_to: &PointsTo) {
        summarise::summarise(self, steps, &points_to.memory);
    }
}

/// Whether there is no code that we do not see, libraries apart: `main` is there, and nothing unknown is called.
fn is_complete(
    program: &Program,
    steps: &Steps,
    points_to: &PointsTo,
    catalogue: &Catalogue,
) -> bool {
    if steps.routine_named(program, "main").is_none() {
        return false;
    }
    steps.routine_ids().all(|id| {
        let mut complete = true;
        steps.routine(id).walk(&mut |step| {
            if let StepKind::Call(call) = &step.kind {
                let callees = points_to.callees(id, call);
                complete &=
                    !callees.unknown && callees.named.iter().all(|name| catalogue.contains(name));
            }
        });
        complete
    })
}

impl Lowering<'_> {
    /// Code outside may call what has external linkage or escapes, and touch what it can name or reach.
    fn open(&mut self, program: &Program) {
        let mut outside: CellSet = self.points_to.escaped().clone();
        let is_open = self.points_to.is_open();
        for variable in self.steps.variable_ids() {
            if is_open
                && self.steps.variable(variable).is_shared
                && let Some(object) = self.points_to.variable(variable)
            {
                for cell in self.points_to.cells(object) {
                    outside.insert(cell.0 as usize);
                }
            }
        }
        let escaped: Vec<_> = super::lower::list_of(&outside);
        let mut routines: Vec<RoutineId> = self.routines_in(&escaped);
        routines.extend(self.steps.routine_ids().filter(|&id| {
            let at = self.steps.routine(id).function;
            let function = program.units[at.unit].function(at.function);
            is_open && !function.is_static && function.name != "main"
        }));
        routines.sort_unstable();
        routines.dedup();
        self.from_outside = routines.into();
        self.outside = outside;
    }
}

/// Code outside may call functions at any time, and so read what they read.
fn what_is_called_from_outside_reads(effects: &mut Effects) {
    let calls = super::order::calls(&effects.bodies);
    let first: Vec<RoutineId> = effects.from_outside.iter().copied().collect();
    for routine in closure(first, |one, open| open.extend(&calls[one.0 as usize])) {
        let mut read = Vec::new();
        effects.bodies[routine.0 as usize].walk(&mut |action| {
            if let ActionKind::Read(cells) = action.kind {
                read.push(cells);
            }
        });
        for cells in read {
            for cell in effects.sets.cells(cells) {
                if !effects.private.contains(cell.0 as usize) {
                    effects.outside.insert(cell.0 as usize);
                }
            }
        }
    }
}
