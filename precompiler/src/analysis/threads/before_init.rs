//! Whether anything before `init` depends on the number of threads of OpenMP.
//!
//! In: what runs before `init`, and all that it calls. Out: whether a program that uses OpenMP asks for none of its numbers there,
//! and adds up nothing in several threads. Then a restart may choose the number where `init` stands. Errors fall on the side of
//! *depends*: functions that nobody knows, an `init` that is not in `main`.

use std::collections::BTreeSet;

use super::sources::gives_number;
use crate::analysis::Analysed;
use crate::dataflow::steps::{Call, RoutineId, StepKind};
use crate::program::{Construct, Directive, Function};

/// Whether a program uses OpenMP, and what it does before `init` does not depend on the number of threads.
pub fn come_later(found: &Analysed) -> bool {
    let Some(main) = found.effects.main else {
        return false;
    };
    let uses = found.steps.routine_ids().any(|id| {
        has_region(found.function(id), &|_| true)
            || found
                .calls(id)
                .iter()
                .any(|(_, call)| asks(found, id, call) == Some(true))
    });
    let mut directives = found.directives();
    let init = directives.find(|(_, one)| matches!(one.directive, Directive::Init { .. }));
    let Some((_, init)) = init.filter(|(unit, one)| {
        uses && *unit == found.unit_index(main)
            && one.function == Some(found.steps.routine(main).function.function)
    }) else {
        return false;
    };
    let flow = &found.steps.routine(main).flow;
    let Some(at) = flow.node_at(init.span.start) else {
        return false;
    };
    // What runs before `init` in main, in the order of control.
    let mut due = Vec::new();
    let mut seen = BTreeSet::new();
    for (number, steps) in found.steps.routine(main).nodes.iter().enumerate() {
        if number == at.0 || !flow.after(crate::dataflow::NodeId(number))[at.0] {
            continue;
        }
        for step in steps {
            let mut fine = true;
            step.walk(&mut |step| {
                if let StepKind::Call(call) = &step.kind {
                    fine &= asks(found, main, call) == Some(false);
                    due.extend(found.points_to.callees(main, call).routines.iter().copied());
                }
            });
            if !fine {
                return false;
            }
        }
    }
    let adds = |one: &Construct| one.reduces();
    let before = |function: &Function| {
        let mut found = false;
        function.body.walk(&mut |statement| {
            found |= statement.span.start < init.span.start && statement.openmp.iter().any(adds);
            true
        });
        found
    };
    if before(found.function(main)) {
        return false;
    }
    while let Some(id) = due.pop() {
        if !seen.insert(id) {
            continue;
        }
        if id == main || has_region(found.function(id), &adds) {
            return false;
        }
        for (_, call) in found.calls(id) {
            if asks(found, id, call) != Some(false) {
                return false;
            }
            due.extend(found.points_to.callees(id, call).routines.iter().copied());
        }
    }
    true
}

fn has_region(function: &Function, which: &dyn Fn(&Construct) -> bool) -> bool {
    let mut found = false;
    function.body.walk(&mut |statement| {
        found |= statement.openmp.iter().any(which);
        !found
    });
    found
}

/// Whether a call asks OpenMP for one of its numbers; none when it may be anything.
fn asks(found: &Analysed, routine: RoutineId, call: &Call) -> Option<bool> {
    let callees = found.points_to.callees(routine, call);
    let mut asks = false;
    for name in &callees.named {
        let function = found.catalogue.find(name)?;
        asks |= gives_number(&function, name);
    }
    (!callees.unknown).then_some(asks)
}
