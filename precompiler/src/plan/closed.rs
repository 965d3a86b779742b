//! Constructs of OpenMP that a restart cannot enter (S54): which of them is in the way, why, and what to write instead.
//!
//! In: a statement with pragmas of OpenMP, and blocks inside of it. Out: one error; parts of a construct that is refused,
//! `section` and `ordered`, get none of their own. Of pragmas that stand together the last one is named that is more than
//! a choice of one thread.
//!
//! ```c
//! #pragma omp single
//! #pragma omp target            named: it may run on another device
//! { checkpoint }
//! ```

use super::builder::Builder;
use crate::analysis::Finding;
use crate::analysis::nesting::WRITTEN_OUT;
use crate::diagnostic::Code;
use crate::program::{Construct, Statement};
use cccp_grammar::openmp::{ClauseKind, DirectiveName};

/// The clauses of a loop that is written out as what each thread does with its share.
const WRITTEN_OUT_WITH: [ClauseKind; 7] = [
    ClauseKind::Private,
    ClauseKind::Firstprivate,
    ClauseKind::Lastprivate,
    ClauseKind::Reduction,
    ClauseKind::Collapse,
    ClauseKind::Nowait,
    ClauseKind::Schedule,
];

impl Builder<'_> {
    /// Blocks inside of a construct that not all threads execute together.
    pub(super) fn refuse_construct(&mut self, s: &Statement) {
        let mut known = self.findings.iter();
        let is_around = |one: &Finding| {
            one.code == Code::CLOSED_SCOPE && one.span.is_some_and(|span| span.contains(s.span))
        };
        // Parts of a construct that is refused as a whole.
        let is_part =
            |one: &Construct| one.has(&DirectiveName::Ordered) || one.has(&DirectiveName::Section);
        if s.openmp.iter().any(is_part) && known.any(is_around) {
            return;
        }
        // Of a combined construct, like `parallel for`, the part that divides the work is what a restart cannot enter.
        let is_divided = |one: &&Construct| !one.is_parallel() || one.directives.len() > 1;
        let divided: Vec<&Construct> = s.openmp.iter().filter(is_divided).collect();
        let mut closed = divided.iter().rev();
        let closed = closed.find(|one| !one.is_plainly_by_one_thread());
        let Some(construct) = closed.or(divided.first()) else {
            let together = Finding::error(Code::CLOSED_SCOPE, "restart blocks inside parallel regions that begin together")
                .at(s.place, s.span)
                .label("a restart has to enter each region by itself")
                .reason("nothing stands between their directives where threads of the outer one could be told what to do")
                .help("put braces around the inner region: `#pragma omp parallel`, `{`, `#pragma omp parallel` …");
            self.findings.push(together);
            return;
        };
        let help = match instead(construct) {
            Some(help) => help.to_string(),
            None => self.outside(s, construct),
        };
        self.findings.push(
            Finding::error(
                Code::CLOSED_SCOPE,
                format!("restart blocks inside `#pragma omp {}`", construct.text),
            )
            .at(s.place, s.span)
            .label("a restart cannot enter this construct")
            .reason(self.why_closed(construct))
            .help(help),
        );
    }

    /// Where blocks may stand before and behind a construct.
    fn outside(&self, s: &Statement, construct: &Construct) -> String {
        let first = s.openmp.iter().find_map(|one| one.place);
        let lines = first.zip(s.place).map(|(first, last)| {
            let file = &self.unit.file;
            (
                file.line_of(first.start),
                file.line_of(last.end.saturating_sub(1)),
            )
        });
        let (before, behind) = match lines {
            Some((first, last)) => (
                format!("before line {first}"),
                format!("behind line {last}"),
            ),
            None => ("before it".to_string(), "behind it".to_string()),
        };
        let whole = match construct.is_parallel() {
            true => "outside of it",
            false => "where all threads of the parallel region come",
        };
        format!("put directives, and calls that lead to them, {before} or {behind}, {whole}")
    }

    /// Why a restart cannot enter a construct.
    fn why_closed(&self, construct: &Construct) -> String {
        let is = |name: DirectiveName| construct.has(&name);
        if construct.is_target() {
            return "it may run on another device".to_string();
        }
        if construct.is_task() {
            return "other tasks may be unfinished, and it is unknown which thread executes it; a task is executed at once, and a checkpoint may \
                    be in it, where it has no clauses but `if`, `final`, `untied`, `mergeable`, `priority`, `shared`, `firstprivate`, \
                    changes no variable of which it has a copy, and the program has no messages"
                .to_string();
        }
        if is(DirectiveName::For) || is(DirectiveName::Loop) {
            return self.why_not_written_out(construct);
        }
        let reason = if is(DirectiveName::Sections) || is(DirectiveName::Section) {
            "its sections would be shared out again, those too that are done"
        } else if is(DirectiveName::Ordered) {
            "the other threads wait in the loop for their turn, and cannot come to a checkpoint"
        } else if is(DirectiveName::Critical) || is(DirectiveName::Atomic) {
            "one thread is in it while others wait for it, and cannot come to a checkpoint"
        } else if is(DirectiveName::Simd) {
            "its iterations are executed several at a time"
        } else if is(DirectiveName::Distribute) || is(DirectiveName::Teams) {
            "its work is divided among teams, and would be shared out again, that too which is done"
        } else if is(DirectiveName::Taskgroup) {
            "its end waits for the tasks that it has made: a restart would not know them"
        } else if is(DirectiveName::Scope) {
            "compilers refuse jumps into it, although all threads execute it"
        } else if is(DirectiveName::Tile) || is(DirectiveName::Unroll) {
            "compilers make another loop of the one behind it, into which no restart can jump"
        } else {
            "one thread executes it while the others wait, or continue; a checkpoint may be in it where `single` has no clause but `nowait`, \
             `masked` none but `filter`, and the program has no messages"
        };
        reason.to_string()
    }

    /// Why a loop is not written out as what each thread does with its share: the clause in the way, if it is one.
    fn why_not_written_out(&self, construct: &Construct) -> String {
        let again = "its iterations would be shared out again, those too that are done";
        if construct.has(&DirectiveName::Simd) {
            return format!("{again}, and are executed several at a time");
        }
        if construct.has_clause(ClauseKind::Ordered) {
            return "a thread that waits in it for its turn cannot come to a checkpoint, and OpenMP keeps whose turn it is to itself"
                .to_string();
        }
        let is_divided_alone =
            |name: &DirectiveName| matches!(name, DirectiveName::Parallel | DirectiveName::For);
        let is_odd = |kind: &ClauseKind| {
            // Those of the region may stand there, too.
            let is_of_region = construct.is_parallel() && OF_REGIONS.contains(kind);
            !is_of_region && !WRITTEN_OUT_WITH.contains(kind)
        };
        let mut odd = { construct.clauses.iter() }.filter(|one| {
            is_odd(&one.kind)
                || ["conditional", "inscan", "task", "simd"]
                    .iter()
                    .any(|word| one.has_modifier(word))
        });
        match odd.next() {
            Some(clause) if construct.directives.iter().all(is_divided_alone) => format!(
                "{again}; with `{}` it cannot be written out as what each thread does with its share",
                construct.text_of(&self.unit.file, clause).trim()
            ),
            _ => format!("{again}; {WRITTEN_OUT}"),
        }
    }
}

/// Clauses of regions with which a loop is written out.
const OF_REGIONS: [ClauseKind; 6] = [
    ClauseKind::NumThreads,
    ClauseKind::If,
    ClauseKind::Default,
    ClauseKind::Shared,
    ClauseKind::ProcBind,
    ClauseKind::Copyin,
];

/// What to write instead of a construct where places before and behind it are not the nearest ones.
fn instead(construct: &Construct) -> Option<&'static str> {
    if construct.is_target() || construct.is_task() {
        return None;
    }
    let is = |name: DirectiveName| construct.has(&name);
    if is(DirectiveName::Ordered) {
        return Some(
            "put directives, and calls that lead to them, before or behind the loop, where all threads of the parallel region come",
        );
    }
    if is(DirectiveName::Scope) {
        return Some(
            "write `{ … }` in its place, with its private variables declared inside, and `#pragma omp barrier` behind it where it has no `nowait`",
        );
    }
    if is(DirectiveName::Loop) {
        return Some(
            "write `#pragma omp for` in its place; or put directives, and calls that lead to them, before or behind the loop",
        );
    }
    if is(DirectiveName::Tile) || is(DirectiveName::Unroll) {
        return Some(
            "leave it out, and let the compiler choose; or put directives, and calls that lead to them, before or behind the loop",
        );
    }
    None
}
