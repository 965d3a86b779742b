//! Functions in groups that call each other, callees first.

use std::rc::Rc;

use fixedbitset::FixedBitSet;

use crate::dataflow::steps::RoutineId;
use crate::solver::{components, postorder, reached};

use super::model::{ActionKind, Body};

/// Groups of functions that call each other in a cycle (most have one member); a group comes after all that it calls, and
/// so does a member, as far as cycles allow: what goes round in them then comes to rest after few visits.
pub fn groups(calls: &[Vec<RoutineId>]) -> Vec<Vec<RoutineId>> {
    let callee = |routine: usize, number: usize| Some(calls[routine].get(number)?.0 as usize);
    let mut position = vec![0; calls.len()];
    let order = postorder(calls.len(), 0..calls.len(), callee);
    for (at, routine) in order.into_iter().enumerate() {
        position[routine] = at;
    }
    let mut groups = Vec::new();
    for mut component in components(calls.len(), 0..calls.len(), callee) {
        component.sort_unstable_by_key(|one| position[*one]);
        let routines = component.into_iter().map(|one| RoutineId(one as u32));
        groups.push(routines.collect());
    }
    groups
}

/// The functions that each function may call, in ascending order.
pub fn calls(bodies: &[Body]) -> Vec<Vec<RoutineId>> {
    bodies
        .iter()
        .map(|body| {
            let mut called = Vec::new();
            body.walk(&mut |action| {
                if let ActionKind::Call { routines, .. } = &action.kind {
                    called.extend_from_slice(routines);
                }
            });
            called.sort_unstable();
            called.dedup();
            called
        })
        .collect()
}

/// For each function: whether it is one of the first ones, or calls one of them, or what does.
pub fn leading(calls: &[Vec<RoutineId>], first: impl IntoIterator<Item = RoutineId>) -> Vec<bool> {
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); calls.len()];
    for (caller, callees) in calls.iter().enumerate() {
        for callee in callees {
            callers[callee.0 as usize].push(caller);
        }
    }
    let first = first.into_iter().map(|one| one.0 as usize);
    reached(calls.len(), first, |one, open| open.extend(&callers[one]))
}

/// The same as the functions themselves.
pub fn all_leading(
    calls: &[Vec<RoutineId>],
    first: impl IntoIterator<Item = RoutineId>,
) -> impl Iterator<Item = RoutineId> {
    let leading = leading(calls, first).into_iter().enumerate();
    leading.filter_map(|(number, leads)| leads.then_some(RoutineId(number as u32)))
}

/// Functions that each function calls, and those that these call: one set for all that call each other.
pub fn below(callees: &[Vec<RoutineId>]) -> Vec<Rc<FixedBitSet>> {
    let none = Rc::new(FixedBitSet::new());
    let mut below = vec![none; callees.len()];
    for group in groups(callees) {
        let mut all = FixedBitSet::with_capacity(callees.len());
        for callee in group.iter().flat_map(|one| &callees[one.0 as usize]) {
            all.insert(callee.0 as usize);
            all.union_with(&below[callee.0 as usize]);
        }
        let all = Rc::new(all);
        for one in group {
            below[one.0 as usize] = Rc::clone(&all);
        }
    }
    below
}
