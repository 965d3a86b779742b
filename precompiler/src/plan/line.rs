//! Regions whose threads come to checkpoints unequally often (S51, S53).
//!
//! In: `checkpoint barrier` before the barriers of such a region. Out: a block there, at which a thread stands still while others
//! take a checkpoint. A restart cannot enter `single`, `masked` and `master`; where blocks are in them, they get another form, in
//! which the library says which thread executes them:
//!
//! ```c
//! #pragma omp single nowait          { if (cccp_single(&cccp_thread))
//! { BODY }                             { BODY } }
//! #pragma cccp checkpoint barrier    if (0) { cccp_7: cccp_resume(…); } cccp_barrier(&cccp_f, 7, &cccp_thread);
//! #pragma omp barrier                #pragma omp barrier
//! ```
//!
//! Other constructs that hand out work once, to whichever thread comes, are counted behind them: a checkpoint must find all
//! threads on the same side.

use super::builder::Builder;
use super::data::Step;
use super::raw::RawEdit;
use super::statements::text;
use crate::program::{Construct, Directive, Statement, StatementKind};
use cccp_grammar::openmp::{ClauseKind, DirectiveName};

impl<'a> Builder<'a> {
    /// Whether a thread may stand at a barrier or before a lock inside.
    pub(super) fn has_stands(&self, s: &Statement) -> bool {
        let mut found = false;
        s.walk(&mut |inner| {
            found |= matches!(inner.kind, StatementKind::Directive(id) if matches!(
                self.unit.directives[id.0].directive,
                Directive::Checkpoint { stands: Some(_), .. }
            ));
            !found
        });
        found
    }

    /// Plans a construct with blocks that one thread executes. False when it is none, or cannot have another form.
    pub(super) fn by_one_thread(&mut self, s: &'a Statement) -> bool {
        let [construct] = s.openmp.as_slice() else {
            return false;
        };
        let Some(step) = chosen(construct) else {
            return false;
        };
        let Some(lines) = construct.place else {
            return false;
        };
        if self.parallel_at(s.span.start) == 0 && !self.has_stands(&self.function.body)
            || !self.contains_block(s)
        {
            return false;
        }
        self.raw.push(RawEdit {
            span: construct.span,
            place: Some(lines),
            order: 0,
            steps: vec![step],
        });
        self.inside(s);
        let depth = self.depth * 10;
        self.after(s, depth, vec![text(" }")]);
        true
    }

    /// Counts a construct that hands out work once, where threads may stand at barriers.
    pub(super) fn count_construct(&mut self, s: &'a Statement) {
        let hands_out =
            |one: &Construct| one.is_worksharing() && !one.is_parallel() && !one.is_static_loop();
        if s.openmp.iter().any(hands_out) && self.has_stands(&self.function.body) {
            let depth = self.depth * 10;
            self.after(s, depth, vec![Step::CountConstruct]);
        }
    }
}

/// The construct in another form; none when it is not for one thread, or has clauses that make copies.
fn chosen(construct: &Construct) -> Option<Step> {
    if !construct.is_plainly_by_one_thread() {
        return None;
    }
    if construct.has(&DirectiveName::Single) {
        // Without `nowait` there is no place for the barrier behind it.
        return (construct.has_clause(ClauseKind::Nowait))
            .then_some(Step::OneThread { number: None });
    }
    let filter = construct.clauses_of(ClauseKind::Filter).next();
    let number = filter.and_then(|one| Some(one.expression()?.text.trim().to_string()));
    let number = Some(number.unwrap_or_else(|| "0".to_string()));
    Some(Step::OneThread { number })
}
