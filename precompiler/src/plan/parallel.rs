//! Parallel regions of OpenMP that a restart enters again.
//!
//! In: a region with directives, or calls that lead to them, in its text. Out: one block of the function around it, with a dispatch
//! of its own: every thread has a frame, shadows and counters, under the names that the function around uses for its own, and finds
//! its way inside of the region by itself (S55, S57). Compilers refuse jumps into a region; a switch at its top with plain jumps
//! inside of it is what they accept.
//!
//! ```c
//! #pragma omp parallel private(k)
//! { BODY }
//!
//! { cccp_team cccp_g3; cccp_team_begin(…); if (0) { cccp_3: … cccp_team_again(…); }
//! #pragma omp parallel private(k) num_threads(cccp_team_threads(&cccp_g3)) shared(cccp_g3)
//! { cccp_frame cccp_f; … cccp_team_join(…); if (cccp_g3.again) { … switch (cccp_next(&cccp_f)) … }
//! { BODY }
//! cccp_end_3: cccp_team_leave(…); } cccp_team_end(…); … }
//! ```

use super::builder::{Builder, Site};
use super::data::{BlockKind, BlockNumber, Step};
use super::flatten::flatten;
use super::raw::RawEdit;
use crate::analysis::Finding;
use crate::diagnostic::Code;
use crate::program::{Construct, Directive, ExpressionKind, Statement, SymbolId};
use crate::source::{SourceFile, Span};
use cccp_grammar::openmp::ClauseKind;
use std::collections::BTreeSet;

/// A region that a restart may have to enter.
#[derive(Debug, Clone)]
pub struct ParallelRegion {
    /// The statement that all threads execute.
    pub span: Span,
    /// Variables of which every thread has a copy.
    private: BTreeSet<SymbolId>,
    /// Those that begin without a value.
    without_value: BTreeSet<SymbolId>,
    /// Variables of the function around it that its threads use, or that get their value at its end.
    shared: BTreeSet<SymbolId>,
    /// Its block, once the walk has come there.
    pub block: BlockNumber,
}

/// Clauses whose variables have a copy in each thread.
const PRIVATE: [ClauseKind; 4] = [
    ClauseKind::Private,
    ClauseKind::Firstprivate,
    ClauseKind::Lastprivate,
    ClauseKind::Reduction,
];

/// Those whose variables outside get a value at the end of the region.
const ENDS_WITH_VALUE: [ClauseKind; 2] = [ClauseKind::Lastprivate, ClauseKind::Reduction];

impl<'a> Builder<'a> {
    /// Finds the regions of the function.
    pub fn collect_parallel(&mut self) {
        let function = self.function;
        let mut found = Vec::new();
        function.body.walk(&mut |statement| {
            if statement.is_parallel_region() && self.contains_block(statement) {
                found.push(self.parallel_region(statement));
            }
            true
        });
        self.parallel = found;
    }

    fn parallel_region(&self, statement: &Statement) -> ParallelRegion {
        let (mut private, mut shared) = (BTreeSet::new(), BTreeSet::new());
        let mut without_value = BTreeSet::new();
        for clause in statement.openmp.iter().flat_map(|one| &one.clauses) {
            if !PRIVATE.contains(&clause.kind) {
                continue;
            }
            let at = statement.span.start;
            let symbols = clause
                .variables()
                .filter_map(|name| self.unit.lookup(statement.scope, &name.text, at));
            let symbols: Vec<SymbolId> = symbols.collect();
            if ENDS_WITH_VALUE.contains(&clause.kind) {
                shared.extend(symbols.iter().copied());
            }
            if clause.kind == ClauseKind::Private {
                without_value.extend(symbols.iter().copied());
            }
            private.extend(symbols);
        }
        let mut named = BTreeSet::new();
        statement.walk_expressions(&mut |one| {
            if let ExpressionKind::Name {
                symbol: Some(symbol),
                ..
            } = &one.kind
            {
                named.insert(*symbol);
            }
        });
        for one in &self.unit.directives {
            if let Directive::Register { items } = &one.directive
                && one.function == Some(self.key.function)
                && statement.span.contains(one.span)
            {
                named.extend(items.iter().map(|item| item.symbol));
            }
        }
        for (number, symbol) in self.unit.symbols.iter().enumerate() {
            let symbol_id = SymbolId(number);
            if symbol.function == Some(self.key.function)
                && self.is_automatic(symbol_id)
                && statement.span.contains(symbol.declared)
            {
                private.insert(symbol_id);
            }
        }
        ParallelRegion {
            span: statement.span,
            shared: shared
                .into_iter()
                .chain(named.difference(&private).copied())
                .collect(),
            private,
            without_value,
            block: 0,
        }
    }

    /// The innermost region around a place: its number, from 1; 0 outside of all.
    pub fn parallel_at(&self, position: usize) -> usize {
        self.regions_around(position).next().unwrap_or(0)
    }

    /// The numbers of the regions around a place, the innermost first: a region comes before those in its text.
    fn regions_around(&self, position: usize) -> impl Iterator<Item = usize> {
        let all = self.parallel.iter().enumerate().rev();
        let around = all.filter(move |(_, one)| one.span.has(position));
        around.map(|(at, _)| at + 1)
    }

    /// Whether the end of the region around a place reads each thread's copy of a variable.
    pub fn is_read_at_end(&self, symbol: SymbolId, position: usize) -> bool {
        let region = self.parallel_at(position).checked_sub(1);
        region.is_some_and(|number| {
            let region = &self.parallel[number];
            region.private.contains(&symbol) && region.shared.contains(&symbol)
        })
    }

    /// The region in which a variable, as seen from a place, is one of the thread's own; 0 when it is none.
    pub fn home(&self, symbol: SymbolId, position: usize) -> usize {
        let mut around = self.regions_around(position);
        let is_own = |number: &usize| self.parallel[number - 1].private.contains(&symbol);
        around.find(is_own).unwrap_or(0)
    }

    /// The blocks of the regions around a place all threads of which see the variable that is seen there as one: those inside of its
    /// home, the innermost first.
    pub fn shared_in(&self, symbol: SymbolId, position: usize) -> Vec<BlockNumber> {
        let around = self.regions_around(position);
        let is_own = |number: &usize| self.parallel[number - 1].private.contains(&symbol);
        let inside = around.take_while(|number| !is_own(number));
        inside
            .map(|number| self.parallel[number - 1].block)
            .collect()
    }

    /// Whether a variable begins without a value in the region that is its home.
    pub fn begins_without_value(&self, symbol: SymbolId, home: usize) -> bool {
        let region = home.checked_sub(1).and_then(|at| self.parallel.get(at));
        region.is_some_and(|region| region.without_value.contains(&symbol))
    }

    /// Whether each thread's copy of a variable has a value from outside in the region that is its home.
    pub fn begins_with_value(&self, symbol: SymbolId, home: usize) -> bool {
        let region = home.checked_sub(1).and_then(|at| self.parallel.get(at));
        let declared = self.symbol(symbol).declared;
        let is_declared_in = |region: &ParallelRegion| region.span.contains(declared);
        region.is_some_and(|one| !is_declared_in(one) && !one.without_value.contains(&symbol))
    }

    /// Whether threads of a region use this variable, as it is seen from a place, and the region is inside of its home.
    pub fn is_shared_inside(&self, symbol: SymbolId, position: usize) -> bool {
        let home = self.home(symbol, position);
        let mut all = self
            .parallel
            .iter()
            .filter(|one| one.shared.contains(&symbol));
        all.any(|one| self.home_around(symbol, one.span) == home)
    }

    /// The home of a variable as it is seen from outside of a region.
    fn home_around(&self, symbol: SymbolId, region: Span) -> usize {
        let mut around = self.regions_around(region.start);
        let is_home = |number: &usize| {
            let one = &self.parallel[number - 1];
            one.span != region && one.private.contains(&symbol)
        };
        around.find(is_home).unwrap_or(0)
    }

    /// Plans a statement that is such a region. False when it is none.
    pub fn parallel(&mut self, s: &'a Statement) -> bool {
        let Some(number) = self.parallel.iter().position(|one| one.span == s.span) else {
            return false;
        };
        let Some(construct) = s.openmp.first() else {
            return false;
        };
        let refuse = |what: &str, reason: String, help: &str| {
            Finding::error(Code::CLOSED_SCOPE, what)
                .at(s.place, s.span)
                .label("a restart has to enter it with as many threads as before")
                .reason(reason)
                .help(help)
        };
        let Some(lines) = construct.place else {
            self.findings.push(refuse(
                "the directive of this parallel region cannot be changed",
                format!(
                    "`#pragma omp {}` comes from a macro, `_Pragma` or an included file",
                    construct.text
                ),
                "write it as a line of its own above the region",
            ));
            return true;
        };
        if construct.is_private_by_default() {
            self.findings.push(refuse(
                "arrays or structs that `default(…)` makes private where a restart resumes",
                "versions of clang differ in whether each thread has its own".to_string(),
                "name them in `private(…)`, `firstprivate(…)` or `shared(…)`",
            ));
            return true;
        }
        let mut sums = construct.clauses_of(ClauseKind::Reduction);
        if sums.any(|one| one.has_modifier("task")) {
            self.findings.push(refuse(
                "a sum over tasks where a restart resumes",
                "OpenMP may keep what tasks have added to it in memory of its own, which is in no checkpoint".to_string(),
                "write `task_reduction` at a `taskgroup` that is over at the checkpoint instead of `reduction(task, …)`",
            ));
            return true;
        }
        let line = self.unit.file.line_of(lines.start);
        let site = Site {
            position: s.span.start.saturating_sub(1),
            scope: s.scope,
            names_at: s.span.start,
            statement: s.span.start,
            label: None,
            checkpoint: true,
            shutdown: false,
            keep: false,
        };
        let block = self.block(BlockKind::Parallel, None, line, site);
        self.plan.blocks[block - 1].passed = u64::MAX;
        self.parallel[number].block = block;
        let is_line = self.has_stands(s);
        let begin = begin(&self.unit.file, construct, (block, is_line));
        self.raw.push(RawEdit {
            span: construct.span,
            place: Some(lines),
            order: 0,
            steps: vec![begin],
        });
        let depth = self.depth * 10;
        self.before(s, depth, vec![Step::ParallelEnter { block }]);
        let (region, around) = (self.region, self.team);
        (self.region, self.team) = (block, block);
        self.inside(s);
        (self.region, self.team) = (region, around);
        self.after(s, depth, vec![Step::ParallelEnd { block }]);
        true
    }
}

/// What comes before a region: its block, and its directive, of which a restart chooses the number of threads.
fn begin(file: &SourceFile, construct: &Construct, (block, is_line): (BlockNumber, bool)) -> Step {
    let (mut others, mut threads, mut condition) = (Vec::new(), None, None);
    for clause in &construct.clauses {
        let expression = clause.expression().map(|one| one.text.trim().to_string());
        match clause.kind {
            ClauseKind::NumThreads => threads = expression,
            ClauseKind::If => condition = expression,
            // Everything is named, and what is added here is shared.
            ClauseKind::Default => {}
            _ => others.push(flatten(&construct.text_of(file, clause))),
        }
    }
    Step::ParallelBegin {
        block,
        is_line,
        clauses: others.join(" "),
        threads,
        condition,
    }
}
