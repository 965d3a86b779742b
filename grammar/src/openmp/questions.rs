//! What a directive does to threads and variables. Of what is unknown the worst is said.

use super::construct::{Clause, Construct};
use super::names::ClauseKind as C;
use super::names::DirectiveName as D;
use crate::directive::Text;

impl Construct {
    /// Whether this directive is among those that it consists of.
    pub fn has(&self, name: &D) -> bool {
        self.directives.contains(name)
    }

    fn has_any(&self, names: &[D]) -> bool {
        names.iter().any(|name| self.has(name))
    }

    /// The clauses of a kind.
    pub fn clauses_of(&self, kind: C) -> impl Iterator<Item = &Clause> {
        self.clauses.iter().filter(move |one| one.kind == kind)
    }

    /// Whether it has a clause of a kind.
    pub fn has_clause(&self, kind: C) -> bool {
        self.clauses_of(kind).next().is_some()
    }

    /// Nobody here knows what it does: a directive that is not known, or one that stands for several.
    pub fn is_unknown(&self) -> bool {
        let is_unknown = |one: &D| matches!(one, D::Unknown(_));
        self.directives.iter().any(is_unknown)
            || self.has_any(&[D::Metadirective, D::BeginMetadirective])
    }

    /// A team executes what follows: `parallel`.
    pub fn is_parallel(&self) -> bool {
        self.has(&D::Parallel)
    }

    /// What follows may run later, by another thread: `task`, `taskloop`.
    pub fn is_task(&self) -> bool {
        self.has_any(&[D::Task, D::Taskloop])
    }

    /// What follows, or a part of it, may run on another device.
    pub fn is_target(&self) -> bool {
        self.has_any(&[D::Target, D::TargetData])
    }

    /// The iterations, sections or the block that follow are divided among the threads of a team.
    pub fn is_worksharing(&self) -> bool {
        self.has_any(&[
            D::For,
            D::Loop,
            D::Distribute,
            D::Sections,
            D::Single,
            D::Scope,
        ])
    }

    /// What follows is a loop, or a nest of loops, with variables of its own.
    pub fn is_loop(&self) -> bool {
        self.has_any(&[D::For, D::Simd, D::Distribute, D::Loop, D::Taskloop])
    }

    /// Other threads than the one that comes here may execute what follows.
    pub fn runs_in_other_threads(&self) -> bool {
        self.is_parallel() || self.runs_at_any_time() || self.has(&D::Teams)
    }

    /// Nobody knows when, and by whom, what follows is executed.
    pub fn runs_at_any_time(&self) -> bool {
        self.is_task() || self.is_target() || self.is_unknown()
    }

    /// Not every thread that comes here executes all that follows, or perhaps there is no team.
    pub fn shares_out(&self) -> bool {
        self.divides() || self.has_clause(C::If)
    }

    /// Not every thread of a team that comes here executes all that follows.
    pub fn divides(&self) -> bool {
        const BY_EVERY_THREAD: [D; 10] = [
            D::Assume,
            D::Atomic,
            D::Critical,
            D::Ordered,
            D::Parallel,
            D::Scope,
            D::Simd,
            D::Taskgroup,
            D::Tile,
            D::Unroll,
        ];
        let mut all = self.directives.iter();
        !all.all(|one| BY_EVERY_THREAD.contains(one))
    }

    /// One thread of the team executes what follows, and the others pass it by.
    pub fn is_by_one_thread(&self) -> bool {
        let is_chosen = self.has(&D::Masked) && !self.has_clause(C::Filter);
        is_chosen || self.has_any(&[D::Single, D::Master])
    }

    /// One thread executes what follows, and nothing else is said but which one, and that the others do not wait.
    pub fn is_plainly_by_one_thread(&self) -> bool {
        let only = |kind: C| self.clauses.iter().all(|one| one.kind == kind);
        match self.directives.as_slice() {
            [D::Single] => only(C::Nowait),
            [D::Master] => self.clauses.is_empty(),
            [D::Masked] => only(C::Filter),
            _ => false,
        }
    }

    /// By the time that control is behind it, somebody has executed all of what follows, as if one thread had.
    pub fn is_complete_behind(&self) -> bool {
        let by_somebody = |one: &D| {
            matches!(
                one,
                D::Parallel
                    | D::For
                    | D::Simd
                    | D::Single
                    | D::Master
                    | D::Critical
                    | D::Atomic
                    | D::Ordered
            )
        };
        self.directives.iter().all(by_somebody)
    }

    /// It belongs to no statement.
    pub fn stands_alone(&self) -> bool {
        const ALONE: [D; 13] = [
            D::Barrier,
            D::Cancel,
            D::CancellationPoint,
            D::Depobj,
            D::Error,
            D::Flush,
            D::Interop,
            D::Nothing,
            D::Scan,
            D::TargetEnterData,
            D::TargetExitData,
            D::TargetUpdate,
            D::Taskyield,
        ];
        let waits = self.has(&D::Taskwait);
        let orders =
            self.has(&D::Ordered) && (self.has_clause(C::Depend) || self.has_clause(C::Doacross));
        self.is_declarative() || waits || orders || self.has_any(&ALONE)
    }

    /// It declares something, and does nothing where it stands.
    pub fn is_declarative(&self) -> bool {
        const DECLARES: [D; 15] = [
            D::Allocate,
            D::Assumes,
            D::BeginAssumes,
            D::BeginDeclareTarget,
            D::BeginDeclareVariant,
            D::DeclareMapper,
            D::DeclareReduction,
            D::DeclareSimd,
            D::DeclareTarget,
            D::DeclareVariant,
            D::EndAssumes,
            D::EndDeclareTarget,
            D::EndDeclareVariant,
            D::Requires,
            D::Threadprivate,
        ];
        let is_end = |one: &D| {
            matches!(one, D::EndMetadirective)
                || matches!(one, D::Unknown(word) if word == "end" || word == "declare")
        };
        self.has_any(&DECLARES) || self.directives.iter().any(is_end)
    }

    /// A directive without a statement may store to the variables that it names, or copies them elsewhere.
    pub fn changes_variables(&self) -> bool {
        const CHANGES: [D; 5] = [
            D::Depobj,
            D::Interop,
            D::TargetEnterData,
            D::TargetExitData,
            D::TargetUpdate,
        ];
        self.has_any(&CHANGES) || self.is_unknown()
    }

    /// Control may go from here to the end of a region around it.
    pub fn leaves(&self) -> bool {
        self.has_any(&[D::Cancel, D::CancellationPoint]) || self.is_unknown()
    }

    /// Threads may go from here to the end of a parallel region, and not only of a loop, of sections or of a task in it.
    pub fn leaves_region(&self) -> bool {
        self.leaves() && matches!(self.cancelled, None | Some(D::Parallel))
    }

    /// All threads of the team wait here for each other.
    pub fn is_barrier(&self) -> bool {
        self.has(&D::Barrier)
    }

    /// The name of a critical region.
    pub fn name(&self) -> Option<&Text> {
        let name = self.arguments.first().filter(|_| self.has(&D::Critical))?;
        name.variable.as_ref()
    }

    fn named_in(&self, kinds: &'static [C]) -> impl Iterator<Item = &Text> {
        let clauses = self.clauses.iter().filter(|one| kinds.contains(&one.kind));
        clauses.flat_map(Clause::variables)
    }

    /// Variables of which each thread has another one, without a value: `private`.
    pub fn private(&self) -> impl Iterator<Item = &Text> {
        self.named_in(&[C::Private])
    }

    /// Variables that no clause names are private, too: `default(private)`, `default(firstprivate)`.
    pub fn is_private_by_default(&self) -> bool {
        let words = self.clauses_of(C::Default).filter_map(Clause::word);
        let mut words = words.map(|word| word.ends_with("private"));
        words.any(|is_private| is_private)
    }

    /// Variables that all threads share.
    pub fn shared(&self) -> impl Iterator<Item = &Text> {
        self.named_in(&[C::Shared])
    }

    /// Variables of which each thread has a copy that begins with the value outside, or whose value goes there.
    pub fn keeps_value(&self) -> impl Iterator<Item = &Text> {
        self.named_in(&[
            C::Firstprivate,
            C::Lastprivate,
            C::Reduction,
            C::InReduction,
            C::TaskReduction,
            C::Linear,
            C::Copyin,
            C::Copyprivate,
        ])
    }

    /// Variables whose copies in all threads become the initial thread's.
    pub fn copied_in(&self) -> impl Iterator<Item = &Text> {
        self.named_in(&[C::Copyin])
    }

    /// What is evaluated where it begins: expressions, and variables whose value goes in. Of what is unknown all of it.
    pub fn evaluated(&self) -> Vec<&Text> {
        let kinds = [C::Private, C::Shared, C::Lastprivate];
        let clauses = self.clauses.iter().filter(|one| !kinds.contains(&one.kind));
        clauses.flat_map(Clause::texts).collect()
    }

    /// Each thread adds up its own part.
    pub fn reduces(&self) -> bool {
        self.has_clause(C::Reduction)
            || self.has_clause(C::InReduction)
            || self.has_clause(C::TaskReduction)
    }

    /// How many loops of a nest belong to it, where that is a number.
    pub fn loop_depth(&self) -> usize {
        let nests =
            { self.clauses.iter() }.filter(|one| matches!(one.kind, C::Collapse | C::Ordered));
        let depths = nests.filter_map(|one| one.expression()?.text.parse().ok());
        depths.max().unwrap_or(1)
    }

    /// A loop of which every thread always executes the same iterations: with `schedule(static)`, which is what compilers take where
    /// nothing is said.
    pub fn is_static_loop(&self) -> bool {
        let word = self.schedule().and_then(Clause::word);
        self.has(&D::For)
            && match self.schedule() {
                None => true,
                Some(_) => word == Some("static"),
            }
    }

    /// What threads do with the iterations of a loop: `static`, `dynamic`, …; none when it does not say.
    pub fn schedule(&self) -> Option<&Clause> {
        self.clauses_of(C::Schedule).next()
    }
}
