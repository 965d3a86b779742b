//! Pointers that functions hand on to blocks that are executed on restart.
//!
//! In: parameters that blocks read, and that lead to what has no register by then: the trace does not know these addresses. Out: the
//! locals and parameters of callers, and of their callers, that are the arguments. A local that a block computes is there again and can
//! be handed on. Over-approximation: all that an argument is computed from counts.

use std::collections::{BTreeMap, BTreeSet};

use super::Analysed;
use super::constants::is_set_again;
use super::memory::{CellId, ObjectKind};
use crate::dataflow::steps::{Base, Call, Called, RoutineId, StepKind, ValueId, VariableId};
use crate::program::{Storage, SymbolId};
use crate::solver::closure;

/// Variables through which pointers come to blocks.
#[derive(Debug, Default)]
pub struct HandedOn {
    /// The cells of locals.
    pub locals: BTreeSet<CellId>,
    /// Parameters, those of the functions with the blocks included: the unit of each.
    pub parameters: BTreeSet<(usize, SymbolId)>,
}

/// How these pointers come to where they are read.
pub fn handed_on(facts: &Analysed, pointers: impl IntoIterator<Item = CellId>) -> HandedOn {
    let mut found = HandedOn::default();
    let first: Vec<VariableId> = pointers
        .into_iter()
        .filter_map(|cell| parameter(facts, cell))
        .collect();
    if first.is_empty() {
        return found;
    }
    let calls = calls(facts);
    let all = closure(first, |variable, open| {
        let Some((routine, position)) = place_of(facts, variable) else {
            return;
        };
        for (caller, call) in calls.get(&routine).into_iter().flatten() {
            if let Some(argument) = call.arguments.get(position) {
                open.extend(locals_in(facts, *caller, argument.value));
            }
        }
    });
    for variable in all {
        match place_of(facts, variable) {
            Some((routine, _)) => {
                let unit = facts.unit_index(routine);
                let symbol = facts.steps.variable(variable).symbol;
                found.parameters.extend(symbol.map(|symbol| (unit, symbol)));
            }
            None => {
                let object = facts.points_to.variable(variable);
                let cells = object
                    .into_iter()
                    .flat_map(|one| facts.points_to.cells(one));
                found.locals.extend(cells);
            }
        }
    }
    found
}

/// Who calls each function, and how.
fn calls<'a>(facts: &Analysed<'a>) -> BTreeMap<RoutineId, Vec<(RoutineId, &'a Call)>> {
    let mut calls: BTreeMap<RoutineId, Vec<_>> = BTreeMap::new();
    for caller in facts.steps.routine_ids() {
        for (_, call) in facts.calls(caller) {
            if let Called::Routine(called) = call.callee {
                calls.entry(called).or_default().push((caller, call));
            }
        }
    }
    calls
}

/// The parameter that a cell is.
fn parameter(facts: &Analysed, cell: CellId) -> Option<VariableId> {
    let memory = &facts.points_to.memory;
    let object = memory.cells[cell.0 as usize].object;
    let ObjectKind::Variable(variable) = memory.objects[object.0 as usize].kind else {
        return None;
    };
    place_of(facts, variable).map(|_| variable)
}

/// The function of which a variable is a parameter, and the number of that.
fn place_of(facts: &Analysed, variable: VariableId) -> Option<(RoutineId, usize)> {
    let owner = facts.steps.variable(variable).owner?;
    let mut parameters = facts.steps.routine(owner).parameters.iter();
    let position = parameters.position(|one| *one == variable)?;
    Some((owner, position))
}

/// The locals of which a value is read, but for those that have their values in every start.
fn locals_in(facts: &Analysed, routine: RoutineId, value: ValueId) -> Vec<VariableId> {
    let steps = facts.steps.routine(routine);
    let mut locals = Vec::new();
    let values = closure([value], |value, open| {
        steps.walk(&mut |step| match &step.kind {
            StepKind::Read { place, into } if *into == value && place.path.is_empty() => {
                if let Base::Variable(variable) = place.base {
                    locals.push(variable);
                }
            }
            StepKind::Combine { from, into, .. } if *into == value => open.extend(from),
            _ => {}
        });
    });
    values.for_each(drop);
    locals.retain(|variable| {
        let variable = facts.steps.variable(*variable);
        let is_local = variable.owner == Some(routine)
            && matches!(variable.storage, Storage::Automatic | Storage::Register);
        let set_again = variable.symbol.is_some_and(|symbol| {
            is_set_again(facts.unit(routine), facts.function(routine), symbol)
        });
        is_local && !set_again
    });
    locals
}
