//! Whether anything before `init` depends on the number of threads of OpenMP.
//!
//! In: what runs before `init`, and all that it calls. Out: whether a program that uses OpenMP asks for none of its numbers there,
//! and adds up nothing in several threads. Then a restart may choose the number where `init` stands. Errors fall on the side of
//! *depends*: functions that nobody knows, an `init` that is not in `main`.

use super::sources::gives_number;
use crate::analysis::Analysed;
use crate::dataflow::steps::{Call, RoutineId, TextPlace};
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
    let before = found.control.leading_to([(main, init.span.start)]);
    found.control.routines(&before).into_iter().all(|id| {
        let is_early = |place: usize| found.control.has(&before, id, place);
        let is_fine = |(place, call): &(TextPlace, &Call)| {
            !is_early(place.span.start) || asks(found, id, call) == Some(false)
        };
        let mut adds = false;
        found.function(id).body.walk(&mut |statement| {
            let is_early = || found.control.has_part(&before, id, statement.span);
            adds |= statement.openmp.iter().any(|one| one.reduces()) && is_early();
            true
        });
        !adds && found.calls(id).iter().all(is_fine)
    })
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
