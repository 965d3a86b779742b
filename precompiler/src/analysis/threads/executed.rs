//! By how many threads of a team a text is executed.

use std::collections::BTreeSet;

use cccp_grammar::openmp::DirectiveName;

use crate::analysis::Analysed;
use crate::dataflow::steps::{Base, FunctionTarget, RoutineId, StepKind};
use crate::program::Construct;
use crate::solver::rounds;
use crate::source::Span;

/// How often what stands somewhere happens, each time that a team comes there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum By {
    /// There is no team.
    Nobody,
    /// Once, or once for each iteration: by some thread.
    Somebody,
    /// As often as there are threads.
    Everybody,
}

/// By whom functions are called.
pub struct Executed {
    called: Vec<By>,
}

impl Executed {
    /// Looks at all calls of a program.
    pub fn of(found: &Analysed) -> Executed {
        let mut executed = Executed {
            called: vec![By::Nobody; found.steps.routines.len()],
        };
        let (mut calls, mut taken) = (Vec::new(), BTreeSet::new());
        for id in found.steps.routine_ids() {
            found.steps.routine(id).walk(&mut |step| {
                if let StepKind::Address { place, .. } = &step.kind
                    && let Base::Function(FunctionTarget::Routine(id)) = &place.base
                {
                    taken.insert(*id);
                }
                if let StepKind::Call(call) = &step.kind {
                    let callees = found.points_to.callees(id, call).routines;
                    calls.extend(callees.into_iter().map(|callee| (id, step.span, callee)));
                }
            });
        }
        executed.follow(found, &calls);
        // Called in another way, as by a library function: once more, with all that these call.
        for id in found.steps.routine_ids() {
            let called = &mut executed.called[id.0 as usize];
            let is_other = *called == By::Nobody || taken.contains(&id);
            if is_other && found.points_to.teams().may_be_in(id) {
                *called = By::Everybody;
            }
        }
        executed.follow(found, &calls);
        executed
    }

    fn follow(&mut self, found: &Analysed, calls: &[(RoutineId, Span, RoutineId)]) {
        rounds(|| {
            let mut changed = false;
            for &(caller, span, callee) in calls {
                let by = self.by(found, caller, span);
                let called = &mut self.called[callee.0 as usize];
                changed |= *called < by;
                *called = by.max(*called);
            }
            changed
        });
    }

    /// Who calls a function.
    pub fn called(&self, routine: RoutineId) -> By {
        self.called[routine.0 as usize]
    }

    /// Who executes a text of a function.
    pub fn by(&self, found: &Analysed, routine: RoutineId, at: Span) -> By {
        let body = &found.function(routine).body;
        let around = body.regions_around(at).into_iter();
        let all = around.flat_map(|one| &one.openmp);
        all.fold(self.called(routine), inside)
    }
}

/// Who executes what is inside of a construct.
pub fn inside(around: By, construct: &Construct) -> By {
    let mut by = around;
    if construct.is_parallel() || construct.has(&DirectiveName::Teams) || construct.is_unknown() {
        by = By::Everybody;
    } else if construct.runs_at_any_time() {
        by = by.max(By::Somebody);
    }
    match by {
        By::Everybody if shares_out(construct) => By::Somebody,
        by => by,
    }
}

/// Each part of what follows is executed by one thread of the team.
pub fn shares_out(construct: &Construct) -> bool {
    const ONCE: [DirectiveName; 3] = [
        DirectiveName::For,
        DirectiveName::Sections,
        DirectiveName::Single,
    ];
    construct.is_by_one_thread() || ONCE.iter().any(|one| construct.has(one))
}
