//! The memory that items which bring blocks can reach: `follow(x)`, `p[]`.
//!
//! In: a program, and what its pointers may point to. Out: objects: the variables with which such items begin, and all that
//! can be reached from there. What other pointers point to is of no importance to descriptors that are followed: a helper's
//! local `void *` sees every block of a program.
//!
//! Errors fall on the side of more: an item that names a member has all of its variable.

use std::collections::BTreeSet;

use crate::analysis::memory::ObjectId;
use crate::analysis::points_to::PointsTo;
use crate::dataflow::steps::{Steps, VariableId};
use crate::program::{Brings, Directive, Program};

/// The objects that items that bring blocks can reach; empty when there is no such item.
pub fn followed(program: &Program, steps: &Steps, points_to: &PointsTo) -> BTreeSet<ObjectId> {
    let variables = roots(program, steps).into_iter();
    let objects = variables.filter_map(|variable| points_to.variable(variable));
    let reached = points_to.reachable(objects.flat_map(|object| points_to.cells(object)));
    let cells = &points_to.memory.cells;
    reached.ones().map(|cell| cells[cell].object).collect()
}

/// The variables with which the items begin; every thread's copy of one.
fn roots(program: &Program, steps: &Steps) -> BTreeSet<VariableId> {
    let mut named = BTreeSet::new();
    for (index, unit) in program.units.iter().enumerate() {
        for directive in &unit.directives {
            let Directive::Register { items } = &directive.directive else {
                continue;
            };
            let items = items.iter();
            let items =
                items.filter(|item| matches!(item.brings, Brings::Block | Brings::Everything));
            named.extend(items.filter_map(|item| steps.variable_of(index, item.symbol)));
        }
    }
    let declared: BTreeSet<_> = named
        .iter()
        .map(|id| steps.variable(*id).declared)
        .collect();
    let copies = steps.variable_ids();
    named.extend(copies.filter(|id| declared.contains(&steps.variable(*id).declared)));
    named
}
