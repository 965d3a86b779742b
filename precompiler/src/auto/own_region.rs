//! Checkpoints between parallel regions at which other threads' own variables are live.
//!
//! In: checkpoints in serial code, and what is missing there: copies of `threadprivate` variables that other threads read again, as the
//! random numbers of each. Out: a region of its own around such a checkpoint, in which every thread registers its copy (S55):
//!
//! ```c
//! #pragma omp parallel
//! {
//! #pragma cccp checkpoint
//! }
//! ```
//!
//! The region must not change what the copies of others are. OpenMP keeps them from one region to the next while all have as many
//! threads and lie alike on the machine (OpenMP 5.2, 5.2), so nothing is added where a region of the program says how many it has or
//! where they are, where the number is set after the checkpoint, where a team may be at work already, or where the file is compiled
//! without OpenMP. There the program is refused, and the user is told.

use super::insert::{At, Insertion};
use super::proposal::Proposal;
use crate::analysis::Analysed;
use crate::analysis::completeness::{CheckpointCheck, Cure, Decision};
use crate::analysis::reach::{Calls, Reach};
use crate::analysis::threads::{By, Executed};
use crate::dataflow::steps::StepKind;
use crate::program::Construct;
use cccp_grammar::openmp::ClauseKind;

/// Functions that change with how many threads the next region runs.
const SETS_NUMBER: [&str; 4] = [
    "omp_set_num_threads",
    "omp_set_dynamic",
    "omp_set_nested",
    "omp_set_max_active_levels",
];

/// The regions to add; none where no checkpoint needs one, or where one would not be safe.
pub fn own_regions(facts: &Analysed) -> Proposal {
    let mut proposal = Proposal::default();
    let checks = facts.completeness.checkpoints.iter();
    let needing: Vec<&CheckpointCheck> = checks.filter(|one| needs_others(one)).collect();
    if needing.is_empty() || !are_alike(facts) {
        return proposal;
    }
    let executed = Executed::of(facts);
    let calls = Calls::of(facts.program, facts.steps, facts.points_to);
    for check in needing {
        let unit = check.directive.unit;
        let file = &facts.program.units[unit].file;
        let one = &facts.program.units[unit].directives[check.directive.id.0];
        let is_compiled = file.macro_at("_OPENMP", one.span.start).is_some();
        let is_serial = executed.by(facts, check.routine, one.span) == By::Nobody;
        if !is_compiled || !is_serial || number_is_set(facts, &calls, check) {
            continue;
        }
        let around = [
            (
                At::Before(one.lines.start),
                &["#pragma omp parallel", "{"][..],
            ),
            (At::After(one.lines.end), &["}"]),
        ];
        let insertions = around.map(|(at, lines)| Insertion {
            at,
            order: 0,
            lines: lines.iter().map(|&line| line.to_string()).collect(),
        });
        proposal.add(unit, insertions);
    }
    proposal
}

fn needs_others(check: &CheckpointCheck) -> bool {
    check.locations.iter().any(|one| match &one.decision {
        Decision::Missing(missing) => missing.cure == Cure::OtherThreads,
        _ => false,
    })
}

/// No region says how many threads it has, or where they are.
fn are_alike(facts: &Analysed) -> bool {
    let says = |one: &Construct| {
        let mut kinds = [ClauseKind::NumThreads, ClauseKind::ProcBind].into_iter();
        one.is_parallel() && kinds.any(|kind| one.has_clause(kind))
    };
    let mut all = facts.program.units.iter().flat_map(|unit| &unit.openmp);
    !all.any(says)
}

/// The number of threads may be set after the checkpoint: between two regions it would be another one.
fn number_is_set(facts: &Analysed, calls: &Calls, check: &CheckpointCheck) -> bool {
    let one = &facts.program.units[check.directive.unit].directives[check.directive.id.0];
    let flow = &facts.steps.routine(check.routine).flow;
    let Some(node) = flow.node_at(one.span.start) else {
        return true;
    };
    let behind = Reach::after(facts.steps, calls, check.routine, node);
    facts.steps.routine_ids().any(|id| {
        let mut is_set = false;
        facts.steps.routine(id).walk(&mut |step| {
            if let StepKind::Call(call) = &step.kind {
                let names = facts.points_to.callees(id, call).named;
                let sets = names
                    .iter()
                    .any(|name| SETS_NUMBER.contains(&name.as_str()));
                is_set |= sets && behind.comes_to(facts.steps, id, step.span.start);
            }
        });
        is_set
    })
}
