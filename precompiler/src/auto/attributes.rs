//! Mutexes of POSIX with attributes.
//!
//! A restart initialises a mutex in registered memory anew, free and without attributes: one that was recursive would no longer be. The
//! run finds that at its first checkpoint and stops. Where a call sets an attribute to a constant that is not the default one, it is
//! known before.

use super::proposal::Proposal;
use super::refusal::not_brought_back;
use crate::analysis::Analysed;
use crate::analysis::completeness::{Decision, How};
use crate::analysis::handles::holds_mutex;
use crate::dataflow::steps::Called;

/// The functions that set one. The default of each is 0.
const SETS: [&str; 5] = [
    "pthread_mutexattr_settype",
    "pthread_mutexattr_setprotocol",
    "pthread_mutexattr_setpshared",
    "pthread_mutexattr_setrobust",
    "pthread_mutexattr_setprioceiling",
];

/// Refuses such calls where checkpoints hold mutexes.
pub(super) fn refuse(facts: &Analysed, proposal: &mut Proposal) {
    let mut locations = facts
        .completeness
        .checkpoints
        .iter()
        .flat_map(|check| &check.locations);
    let memory = &facts.points_to.memory;
    let is_held = locations.any(|location| {
        let mut cells = location.cells.iter();
        let is_made_again = matches!(
            location.decision,
            Decision::Missing(_) | Decision::Held(How::Registered(_))
        );
        is_made_again
            && cells.any(|cell| {
                let object = memory.cells[cell.0 as usize].object;
                let ty = memory.objects[object.0 as usize].ty;
                ty.is_some_and(|ty| holds_mutex(&facts.program.units[ty.unit], ty.id))
            })
    });
    if !is_held {
        return;
    }
    for routine in facts.steps.routine_ids() {
        for (place, call) in facts.calls(routine) {
            let Called::Named(name) = &call.callee else {
                continue;
            };
            let value = call.arguments.get(1).map(|argument| argument.value);
            let value = value.and_then(|value| facts.steps.routine(routine).value(value).constant);
            if !SETS.contains(&name.as_str()) || value.is_none_or(|value| value == 0) {
                continue;
            }
            let finding = not_brought_back(
                facts,
                place,
                "what this call sets",
                "the attributes of a mutex",
            )
            .reason("a restart initialises mutexes anew, without attributes: one that is recursive would no longer be")
            .help(
                "do without them: a function that is called with the mutex held needs not take it; or mark the program by hand, register \
                 what is beside the mutex only, and initialise it between `#pragma cccp execute on restart` and `#pragma cccp end \
                 execute`",
            );
            proposal.findings.push((place.unit, finding));
        }
    }
}
