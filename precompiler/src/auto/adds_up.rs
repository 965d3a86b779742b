//! Statements in loops around checkpoints that are made again for all passes of the loop, not for the latest one only.
//!
//! In: blocks, and what is to be put into blocks. Out: whether they have `each`. A block of which only the latest execution runs
//! again is right for what replaces itself: a handle in one variable, the handler of one signal. What adds up is lost that way:
//!
//! ```c
//! for (step = 0; step < n; step++) {
//! #pragma cccp checkpoint
//!     if (step < 4)
//!         MPI_Type_vector(m, step, m, MPI_INT, &types[step]);     one element each time
//!     if (step % 10 == 0)
//!         atexit(report);                                         one call more each time
//! ```
//!
//! So does what is computed from what is set: `nice(1)`, or `setenv` of a text that `getenv` has given.
//!
//! What the program makes is looked at when the check has found it missing although a block makes it, what libraries keep when its
//! block is put in. What such a block reads is computed in blocks of the same kind, so one of them makes all others in loops around
//! checkpoints alike: when unsure, more is made again.

use std::collections::{BTreeMap, BTreeSet};

use super::insert::Replacement;
use super::proposal::Proposal;
use super::spots::Chain;
use super::ways::Ways;
use crate::analysis::Analysed;
use crate::analysis::effects::ActionKind;
use crate::analysis::kept_states::gives_what_is_set;
use crate::analysis::memory::{CellId, ObjectKind};
use crate::analysis::ways::is_in_plain_block;
use crate::catalog::LibraryFunction;
use crate::dataflow::FunctionRef;
use crate::dataflow::steps::{Call, RoutineId, TextPlace};
use crate::program::{Directive, StatementId};

/// The line with which a block begins.
pub(super) fn begin(each: bool) -> String {
    let each = if each { " each" } else { "" };
    format!("#pragma cccp execute on restart{each}")
}

/// Whether some block has `each`.
pub(super) fn is_there(facts: &Analysed) -> bool {
    facts.has(|one| matches!(one, Directive::ExecuteOnRestart { each: true }))
}

/// Whether a later execution of a call of the same statement leaves something of what this one has set in its library.
pub(super) fn adds_up(
    facts: &Analysed,
    routine: RoutineId,
    call: &Call,
    function: &LibraryFunction,
) -> bool {
    let Some(keys) = &function.replaces else {
        return true;
    };
    let values = &facts.steps.routine(routine).values;
    let is_the_same = |parameter: &usize| {
        call.arguments.get(*parameter).is_some_and(|argument| {
            let known = values.get(argument.value.0 as usize);
            known.is_some_and(|value| value.constant.is_some()) || {
                let behind = facts.points_to.behind(routine, argument.value, None);
                !behind.unknown
                    && matches!(&behind.cells[..], [only] if never_changes(facts, *only))
            }
        })
    };
    !keys.iter().all(is_the_same)
}

/// Whether statements that come back ask a library for what such calls set: what they make of it may be set in turn.
pub(super) fn asks(
    facts: &Analysed,
    ways: &Ways,
    routine: RoutineId,
    statements: &BTreeMap<StatementId, Chain>,
) -> bool {
    let is_asked = |place: &TextPlace, call: &Call| {
        let named = facts.points_to.callees(routine, call).named;
        let gives = |name: &String| {
            let found = facts.catalogue.find(name);
            found.is_some_and(|function| gives_what_is_set(&function))
        };
        named.iter().any(gives) && ways.comes_back(routine, place.span)
    };
    let calls = facts.calls(routine);
    statements.values().any(|chain| {
        let span = chain.innermost().span;
        calls
            .iter()
            .any(|(place, call)| span.contains(place.span) && is_asked(place, call))
    })
}

/// A text in the program, or a variable of a library (`MPI_COMM_WORLD`).
fn never_changes(facts: &Analysed, cell: CellId) -> bool {
    let memory = &facts.points_to.memory;
    let object = memory.cells[cell.0 as usize].object;
    match &memory.objects[object.0 as usize].kind {
        ObjectKind::Text(_) => true,
        ObjectKind::Variable(variable) => !facts.steps.variable(*variable).is_defined,
        _ => false,
    }
}

/// Whether cells that are missing are stored to in blocks of which only the latest execution runs again, here or there; or a block reads
/// what an earlier execution has set.
pub(super) fn is_lost(facts: &Analysed, ways: &Ways, missing: &BTreeSet<CellId>) -> bool {
    let mut blocks = facts.completeness.blocks.iter();
    let mut is_lost = blocks.any(|block| !block.superseded.is_empty());
    for routine in facts.steps.routine_ids() {
        facts.effects.bodies[routine.0 as usize].walk(&mut |action| {
            let ActionKind::Write { cells, all: false } = &action.kind else {
                return;
            };
            let mut stored = facts.effects.cells(*cells).iter();
            is_lost |= stored.any(|cell| missing.contains(cell))
                && is_in_plain_block(facts, routine, action.span)
                && ways.comes_back(routine, action.span);
        });
    }
    is_lost
}

/// Blocks of auto mode in loops around checkpoints get `each`.
pub(super) fn propose(facts: &Analysed, ways: &Ways, proposal: &mut Proposal) {
    for (unit, one) in facts.directives() {
        let Directive::ExecuteOnRestart { each: false } = one.directive else {
            continue;
        };
        let file = &facts.program.units[unit].file;
        let Some(function) = one.function.filter(|_| file.is_added(one.lines.start)) else {
            continue;
        };
        let routine = facts.steps.routine_of(FunctionRef { unit, function });
        if ways.comes_back(routine, one.span) {
            let range = one.lines;
            let text = begin(true);
            proposal
                .replacements
                .push((unit, Replacement { range, text }));
        }
    }
}
