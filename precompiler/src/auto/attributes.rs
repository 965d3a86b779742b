//! Locks of POSIX with attributes.
//!
//! A restart initialises a lock in registered memory anew, free and without attributes: a mutex that was recursive would no longer be.
//! The run finds that at its first checkpoint and stops. Where a call sets an attribute to a constant that is not the default one, it is
//! known before.

use super::proposal::Proposal;
use super::refusal::not_brought_back;
use crate::analysis::Analysed;
use crate::analysis::completeness::{Decision, How};
use crate::analysis::handles::holds_named;
use crate::dataflow::steps::{Called, TypeRef};

/// The functions that set one, the type of the lock, and what the lock is called. The default of each is 0.
const SETS: [(&str, &str, &str); 9] = [
    ("pthread_mutexattr_settype", MUTEX, "a mutex"),
    ("pthread_mutexattr_setprotocol", MUTEX, "a mutex"),
    ("pthread_mutexattr_setpshared", MUTEX, "a mutex"),
    ("pthread_mutexattr_setrobust", MUTEX, "a mutex"),
    ("pthread_mutexattr_setprioceiling", MUTEX, "a mutex"),
    (
        "pthread_rwlockattr_setkind_np",
        READ_WRITE,
        "a read-write lock",
    ),
    (
        "pthread_rwlockattr_setpshared",
        READ_WRITE,
        "a read-write lock",
    ),
    (
        "pthread_condattr_setclock",
        CONDITION,
        "a condition variable",
    ),
    (
        "pthread_condattr_setpshared",
        CONDITION,
        "a condition variable",
    ),
];

const MUTEX: &str = "pthread_mutex_t";
const READ_WRITE: &str = "pthread_rwlock_t";
const CONDITION: &str = "pthread_cond_t";

/// Refuses such calls where checkpoints hold such locks.
pub(super) fn refuse(facts: &Analysed, proposal: &mut Proposal) {
    let checkpoints = facts.completeness.checkpoints.iter();
    let memory = &facts.points_to.memory;
    let made_again: Vec<TypeRef> = checkpoints
        .flat_map(|check| &check.locations)
        .filter(|location| {
            matches!(
                location.decision,
                Decision::Missing(_) | Decision::Held(How::Registered(_))
            )
        })
        .flat_map(|location| &location.cells)
        .filter_map(|cell| {
            let object = memory.cells[cell.0 as usize].object;
            memory.objects[object.0 as usize].ty
        })
        .collect();
    let are_made_again = |kind: &str| {
        let mut all = made_again.iter();
        all.any(|ty| holds_named(&facts.program.units[ty.unit], ty.id, kind))
    };
    for routine in facts.steps.routine_ids() {
        for (place, call) in facts.calls(routine) {
            let Called::Named(name) = &call.callee else {
                continue;
            };
            let value = call.arguments.get(1).map(|argument| argument.value);
            let value = value.and_then(|value| facts.steps.routine(routine).value(value).constant);
            let Some((_, kind, lock)) = SETS.iter().find(|(set, ..)| set == name) else {
                continue;
            };
            if value.is_none_or(|value| value == 0) || !are_made_again(kind) {
                continue;
            }
            let attributes = format!("the attributes of {lock}");
            let finding = not_brought_back(facts, place, "what this call sets", &attributes)
                .reason(match *kind {
                    MUTEX => "a restart initialises mutexes anew, without attributes: one that is recursive would no longer be",
                    READ_WRITE => "a restart initialises read-write locks anew, without attributes: others would be preferred",
                    _ => "a restart initialises condition variables anew, without attributes: they would wait by another clock",
                })
                .help(format!(
                    "do without them: {}; or mark the program by hand, register what is beside {} only, and initialise it between \
                     `#pragma cccp execute on restart` and `#pragma cccp end execute`",
                    match *kind {
                        MUTEX => "a function that is called with the mutex held needs not take it",
                        READ_WRITE => "whoever writes may take a mutex first",
                        _ => "wait until a time of `CLOCK_REALTIME`",
                    },
                    lock.replacen("a ", "the ", 1)
                ));
            proposal.findings.push((place.unit, finding));
        }
    }
}
