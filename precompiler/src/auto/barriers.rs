//! Barriers at which threads stop where checkpoints are passed unequally often (S51, S53).
//!
//! In: a program with such checkpoints. Out: `checkpoint barrier` before every barrier that threads of the same regions may come to,
//! as lines of the text. The one idea: an implied barrier is written out, so that there is a place before it:
//!
//! ```c
//! #pragma omp single              #pragma omp single nowait
//! { BODY }                        { BODY }
//!                                 #pragma cccp checkpoint barrier
//!                                 #pragma omp barrier
//! ```
//!
//! What hands out work once, to whichever thread comes, gets a barrier also where it has `nowait`, so that threads come past it
//! together; `single copyprivate` gets it before, because its own one cannot be written out. Static loops stay as they are with
//! `nowait`. Locks are looked for elsewhere ([`acquisitions`](super::acquisitions)).
//!
//! Nothing is added when some barrier cannot be changed, because a macro makes it, or may not be seen, because it may stand in a file
//! that is not given: then the checkpoints are as they were, and the user is told so elsewhere.

use std::collections::BTreeSet;

use super::acquisitions::Acquisitions;
use super::insert::{At, Insertion, Replacement};
use super::proposal::Proposal;
use crate::analysis::{Analysed, called, unequal, unseen};
use crate::dataflow::steps::RoutineId;
use crate::program::{Construct, Statement, StatementKind};
use crate::source::{SourceRange, Span};
use cccp_grammar::openmp::ClauseKind;

const STAND: &str = "#pragma cccp checkpoint barrier";
const LOCK: &str = "#pragma cccp checkpoint lock";
const BARRIER: &str = "#pragma omp barrier";

/// The lines to add; none where all threads pass all checkpoints equally often.
pub fn barriers(facts: &Analysed) -> Proposal {
    let mut proposal = Proposal::default();
    // Ranks agree by what the initial thread passes.
    let has_ranks = facts.program.units.iter().any(|unit| unit.uses_mpi);
    if has_ranks || facts.has(|one| one.stands().is_some()) {
        return proposal;
    }
    let unequal = unequal(facts);
    if unequal.is_empty() {
        return proposal;
    }
    let mut adding = Adding {
        facts,
        unit: 0,
        proposal: &mut proposal,
        is_whole: true,
    };
    let mut done: BTreeSet<RoutineId> = BTreeSet::new();
    let acquisitions = Acquisitions::of(facts);
    for routine in facts.steps.routine_ids() {
        let mut regions = Vec::new();
        let body = &facts.function(routine).body;
        body.walk(&mut |one| {
            regions.extend(one.is_parallel_region().then_some(one));
            true
        });
        let mut end = 0;
        for region in regions {
            // Locks of the regions in its text are among its own.
            let is_outermost = region.span.start >= end;
            end = end.max(region.span.end);
            let called = called(facts, (routine, region.span));
            let is_here = |(home, span): &(RoutineId, Span)| {
                called.contains(home) || *home == routine && region.span.contains(*span)
            };
            if !unequal.iter().any(is_here) {
                continue;
            }
            adding.is_whole &= unseen(facts, (routine, region.span)).is_none();
            adding.unit = facts.unit_index(routine);
            adding.end_of(region);
            adding.inside(region);
            if is_outermost {
                adding.locks(acquisitions.before(routine, region));
            }
            for callee in called {
                if done.insert(callee) {
                    adding.unit = facts.unit_index(callee);
                    let body = &facts.function(callee).body;
                    adding.statement(body);
                    adding.locks(acquisitions.before(callee, body));
                }
            }
        }
    }
    match adding.is_whole {
        true => proposal,
        false => Proposal::default(),
    }
}

struct Adding<'a> {
    facts: &'a Analysed<'a>,
    unit: usize,
    proposal: &'a mut Proposal,
    /// Every barrier could be changed so far.
    is_whole: bool,
}

impl Adding<'_> {
    fn lines(&self, place: SourceRange) -> usize {
        let file = &self.facts.program.units[self.unit].file;
        file.original_text(place).trim_end().lines().count()
    }

    fn add(&mut self, at: At, lines: &[&str]) {
        let lines = lines.iter().map(|&line| line.to_string()).collect();
        let order = 0;
        self.proposal
            .add(self.unit, [Insertion { at, order, lines }]);
    }

    /// The barrier at the end of a region.
    fn end_of(&mut self, region: &Statement) {
        let (Some(place), true) = (region.place, has_place(region)) else {
            self.is_whole = false;
            return;
        };
        match &region.kind {
            StatementKind::Compound { .. } => {
                self.add(At::Before(place.end - 1), &[STAND, BARRIER]);
            }
            _ => {
                self.add(At::Before(place.start), &["{"]);
                self.add(At::After(place.end), &[STAND, BARRIER, "}"]);
            }
        }
    }

    fn inside(&mut self, statement: &Statement) {
        statement
            .children()
            .into_iter()
            .for_each(|one| self.statement(one));
    }

    fn statement(&mut self, statement: &Statement) {
        if let StatementKind::OpenMp(construct) = &statement.kind
            && construct.is_barrier()
        {
            return self.barrier(statement, construct);
        }
        // No barrier of this team can be in them.
        let is_apart = |one: &Construct| one.is_parallel() || one.is_task() || one.is_target();
        if statement.openmp.iter().any(is_apart) {
            return;
        }
        if let Some(construct) = statement.openmp.iter().find(|one| one.is_worksharing()) {
            self.construct(statement, construct);
        }
        self.inside(statement);
    }

    /// Before statements that take locks.
    fn locks(&mut self, statements: Vec<&Statement>) {
        for statement in statements {
            if let Some(place) = statement.place {
                self.stand(place, statement.in_compound, LOCK);
            }
        }
    }

    fn stand(&mut self, place: SourceRange, in_compound: bool, line: &str) {
        match in_compound {
            true => self.add(At::Before(place.start), &[line]),
            false => {
                self.add(At::Before(place.start), &["{", line]);
                self.add(At::After(place.end), &["}"]);
            }
        }
    }

    fn barrier(&mut self, statement: &Statement, construct: &Construct) {
        let Some(place) = construct.place else {
            self.is_whole = false;
            return;
        };
        self.stand(place, statement.in_compound, STAND);
    }

    /// The barrier behind a construct.
    fn construct(&mut self, statement: &Statement, construct: &Construct) {
        let has_nowait = construct.has_clause(ClauseKind::Nowait);
        // What holds a directive gets another form, and is counted at its begin.
        let is_of_one = construct.is_plainly_by_one_thread() && statement.holds_directives();
        if has_nowait && (construct.is_static_loop() || is_of_one) {
            return;
        }
        let (Some(lines), Some(place), true) =
            (construct.place, statement.place, has_place(statement))
        else {
            self.is_whole = false;
            return;
        };
        let first = statement.openmp.first().and_then(|one| one.place);
        let first = first.unwrap_or(lines).start;
        if construct.has_clause(ClauseKind::Copyprivate) || is_cancelled(statement) {
            // It takes no `nowait`, so that its own barrier stays: who waits there has all others behind the one before it.
            match statement.in_compound {
                true => self.add(At::Before(first), &[STAND, BARRIER]),
                false => {
                    self.add(At::Before(first), &["{", STAND, BARRIER]);
                    self.add(At::After(place.end), &["}"]);
                }
            }
            return;
        }
        if !has_nowait {
            // As many lines as before.
            let more = self.lines(lines).saturating_sub(1);
            let text = format!(
                "#pragma omp {} nowait{}",
                construct.text,
                " \\\n".repeat(more)
            );
            let range = lines;
            self.proposal
                .replacements
                .push((self.unit, Replacement { range, text }));
        }
        match statement.in_compound {
            true => self.add(At::After(place.end), &[STAND, BARRIER]),
            false => {
                self.add(At::Before(first), &["{"]);
                self.add(At::After(place.end), &[STAND, BARRIER, "}"]);
            }
        }
    }
}

/// Whether threads may leave a loop or sections early.
fn is_cancelled(statement: &Statement) -> bool {
    let mut found = false;
    statement.walk(&mut |one| {
        found |= matches!(&one.kind, StatementKind::OpenMp(construct) if construct.leaves());
        !found
    });
    found
}

fn has_place(statement: &Statement) -> bool {
    statement.openmp.iter().all(|one| one.place.is_some())
}
