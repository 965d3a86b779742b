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
//! threads and lie alike on the machine (OpenMP 5.2, 5.2), so the region names the number that all others name, and nothing is added
//! where these differ, where one says where its threads are, where the number is set after the checkpoint, where a team may be at work already, or where the file is compiled
//! without OpenMP. There the program is refused, and the user is told.

use super::insert::{At, Insertion};
use super::proposal::Proposal;
use crate::analysis::Analysed;
use crate::analysis::completeness::{CheckpointCheck, Cure, Decision};
use crate::analysis::threads::{By, Executed};
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
    let Some(threads) = threads_of_all(facts).filter(|_| !needing.is_empty()) else {
        return proposal;
    };
    let clause = threads.map_or_else(String::new, |number| format!(" num_threads({number})"));
    let executed = Executed::of(facts);
    for check in needing {
        let unit = check.directive.unit;
        let file = &facts.program.units[unit].file;
        let one = &facts.program.units[unit].directives[check.directive.id.0];
        let is_compiled = file.macro_at("_OPENMP", one.span.start).is_some();
        let is_serial = executed.by(facts, check.routine, one.span) == By::Nobody;
        if !is_compiled || !is_serial || number_is_set(facts, check) {
            continue;
        }
        let begin = vec![format!("#pragma omp parallel{clause}"), "{".to_string()];
        let around = [
            (At::Before(one.lines.start), begin),
            (At::After(one.lines.end), vec!["}".to_string()]),
        ];
        let insertions = around.map(|(at, lines)| Insertion {
            at,
            order: 0,
            lines,
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

/// How many threads all regions have: as many as the next one would have, too, or the number that every one of them names. None when
/// they may differ, or when one of them says where its threads are.
fn threads_of_all(facts: &Analysed) -> Option<Option<u64>> {
    let units = facts.program.units.iter();
    let all = units.flat_map(|unit| unit.openmp.iter().map(|one| (&unit.file, one)));
    let mut named = all.filter(|(_, one)| one.is_parallel()).map(|(file, one)| {
        let clauses = &one.clauses;
        let mut clauses = clauses
            .iter()
            .filter(|clause| clause.kind == ClauseKind::NumThreads);
        match (clauses.next(), one.has_clause(ClauseKind::ProcBind)) {
            (_, true) => None,
            (None, false) => Some(None),
            (Some(clause), false) => {
                let text = clause.expression()?.text.trim();
                let number = text.parse().ok();
                let meant = || file.expanded(text, one.span.start)?.trim().parse().ok();
                number.or_else(meant).map(Some)
            }
        }
    });
    let first = named.next().flatten()?;
    named.all(|one| one == Some(first)).then_some(first)
}

/// The number of threads may be set after the checkpoint: between two regions it would be another one.
fn number_is_set(facts: &Analysed, check: &CheckpointCheck) -> bool {
    let one = &facts.program.units[check.directive.unit].directives[check.directive.id.0];
    let after = facts.control.after([(check.routine, one.span.start)]);
    facts.steps.routine_ids().any(|id| {
        facts.calls(id).into_iter().any(|(place, call)| {
            let mut names = facts.points_to.callees(id, call).named.into_iter();
            names.any(|name| SETS_NUMBER.contains(&name.as_str()))
                && facts.control.has(&after, id, place.span.start)
        })
    })
}
