//! Locks before which threads stop where checkpoints are passed unequally often (S51, S57).
//!
//! In: a program with such checkpoints. Out: the statements that take a lock, before which `checkpoint lock` is put. Where no thread
//! holds a lock at a checkpoint, one that waits for a lock gets it, and comes to its next checkpoint or barrier; so only those are
//! needed that a thread may come to again and again without passing one of these, and it stops there before it takes the lock, itself
//! or in a call:
//!
//! ```c
//! while (!done) {
//!     #pragma cccp checkpoint lock
//!     omp_set_lock(&guard);  take(&queue);  omp_unset_lock(&guard);
//!     work();
//! }
//! ```
//!
//! Where a thread may hold one at a checkpoint, others may wait for it all the time: every statement that takes a lock is such a place.
//! What is left out costs time only: a thread that does not come is not waited for without end (S52). So in a loop with a checkpoint
//! none is put into loops inside that come to their end by themselves, as far as it shows: those that count, and those with loops inside,
//! which work; one that waits for other threads has none. The stop, and the registers that it needs, would cost more than such a pass.

use std::collections::BTreeSet;

use crate::analysis::Analysed;
use crate::analysis::locks::{WAITING, is_of_openmp};
use crate::analysis::nesting::{Holds, Nesting};
use crate::analysis::unfinished::Unfinished;
use crate::dataflow::called_name;
use crate::dataflow::steps::{RoutineId, StepKind};
use crate::program::{
    Directive, Expression, ExpressionKind, Statement, StatementId, StatementKind, Unit,
};

/// What is known of the locks of a program.
pub(super) struct Acquisitions<'a> {
    facts: &'a Analysed<'a>,
    unfinished: Unfinished<'a>,
    nesting: Nesting<'a>,
    /// For each function: whether it takes some, itself or in calls.
    taking: Vec<bool>,
    /// For each function: whether it has a checkpoint, or control comes to one by its calls.
    stopping: Vec<bool>,
    /// For each function: whether it has a loop, itself or in calls.
    looping: Vec<bool>,
}

impl<'a> Acquisitions<'a> {
    /// Looks at a program.
    pub fn of(facts: &'a Analysed<'a>) -> Acquisitions<'a> {
        let (program, steps, points_to) = (facts.program, facts.steps, facts.points_to);
        let leading = |is: &dyn Fn(RoutineId) -> bool| {
            facts.leading(steps.routine_ids().filter(|id| is(*id)))
        };
        Acquisitions {
            facts,
            unfinished: Unfinished::of(program, steps, points_to, facts.catalogue),
            nesting: Nesting::of(program, steps, points_to),
            taking: leading(&|id| {
                let mut found = false;
                let body = &facts.function(id).body;
                body.walk_expressions(&mut |one| found |= waits(one));
                found
            }),
            stopping: leading(&|id| {
                let mut found = false;
                let unit = &program.units[facts.unit_index(id)];
                facts.function(id).body.walk(&mut |one| {
                    found |= is_checkpoint(unit, one);
                    !found
                });
                found
            }),
            looping: leading(&|id| facts.function(id).body.has_loop()),
        }
    }

    /// The statements in a text of a function before which a thread stops.
    pub fn before<'s>(&self, routine: RoutineId, text: &'s Statement) -> Vec<&'s Statement> {
        let mut found = Vec::new();
        text.walk(&mut |one| {
            found.extend(self.is_one(routine, one).then_some(one));
            !one.openmp
                .iter()
                .any(|one| one.is_task() || one.is_target())
        });
        found
    }

    fn is_one(&self, routine: RoutineId, statement: &Statement) -> bool {
        let StatementKind::Expression(Some(expression)) = &statement.kind else {
            return false;
        };
        let flow = &self.facts.steps.routine(routine).flow;
        let node = flow.node_at(statement.span.start);
        let (Some(_), Some(node), true) = (statement.place, node, statement.openmp.is_empty())
        else {
            return false;
        };
        let takes = match self.facts.holds_locks {
            true => waits_at_once(expression),
            false => self.takes_at(routine, node.0),
        };
        if !takes || !self.may_stand(routine, statement) {
            return false;
        }
        let held = self.unfinished.locks_at(routine, node);
        match self.facts.holds_locks {
            true => { held.iter() }.all(|place| is_of_openmp(self.facts.program, *place)),
            false => {
                held.is_empty()
                    && self.comes_again(routine, node.0)
                    && !self.comes_to_an_end(routine, statement)
            }
        }
    }

    /// Whether a loop around that has a checkpoint or a barrier comes to its next pass, as far as it shows: the loops in it around the
    /// statement count, or have loops inside.
    fn comes_to_an_end(&self, routine: RoutineId, statement: &Statement) -> bool {
        let unit = self.facts.unit(routine);
        let mut around: Vec<&Statement> = Vec::new();
        self.facts.function(routine).body.walk(&mut |one| {
            let is_around = one.span.contains(statement.span);
            if is_around && one.is_loop() {
                around.push(one);
            }
            is_around
        });
        let Some(last) = around.iter().rposition(|one| has_stop(unit, one)) else {
            return false;
        };
        let mut inside = around[last + 1..].iter();
        inside.all(|one| counts(one) || self.has_loop_inside(routine, one))
    }

    /// Whether a pass of a loop has loops in it, itself or in calls.
    fn has_loop_inside(&self, routine: RoutineId, around: &Statement) -> bool {
        let mut calls = { self.facts.calls(routine).into_iter() }
            .filter(|(place, _)| around.span.contains(place.span));
        { around.children().into_iter() }.any(Statement::has_loop)
            || calls.any(|(_, call)| {
                let called = self.facts.points_to.callees(routine, call).routines;
                called.iter().any(|one| self.looping[one.0 as usize])
            })
    }

    /// Whether a node takes a lock, itself or in a call that leads to no checkpoint.
    fn takes_at(&self, routine: RoutineId, node: usize) -> bool {
        let (mut takes, mut stops) = (false, false);
        for step in &self.facts.steps.routine(routine).nodes[node] {
            step.walk(&mut |step| {
                if let StepKind::Call(call) = &step.kind {
                    let callees = self.facts.points_to.callees(routine, call);
                    takes |= callees
                        .named
                        .iter()
                        .any(|name| WAITING.contains(&name.as_str()));
                    let mut called = callees.routines.iter().map(|one| one.0 as usize);
                    takes |= called.clone().any(|one| self.taking[one]);
                    stops |= called.any(|one| self.stopping[one]);
                }
            });
        }
        takes && !stops
    }

    /// Whether no construct around forbids a checkpoint, or gives its body to some of the threads only.
    fn may_stand(&self, routine: RoutineId, statement: &Statement) -> bool {
        let around = self.nesting.around(routine, statement.span);
        let mut teams = around.iter().filter(|one| one.is_team);
        let is_plain = |holds: &Holds| *holds == Holds::Nothing;
        teams.next().is_some()
            && teams.next().is_none()
            && around.iter().all(|one| is_plain(&one.holds))
    }

    /// Whether control may come to a node again without a checkpoint or a barrier on the way.
    fn comes_again(&self, routine: RoutineId, node: usize) -> bool {
        let steps = self.facts.steps.routine(routine);
        let unit = &self.facts.program.units[self.facts.unit_index(routine)];
        let mut stops: BTreeSet<StatementId> = BTreeSet::new();
        self.facts.function(routine).body.walk(&mut |one| {
            stops.extend(is_stop(unit, one).then_some(one.id));
            true
        });
        let flow = &steps.flow;
        let is_stop = |at: usize| {
            flow.nodes[at]
                .statement
                .is_some_and(|one| stops.contains(&one))
        };
        flow.along(flow.next(node), |from, _| from != node && !is_stop(from))[node]
    }
}

/// Whether an expression is a call that waits for a lock.
fn waits(expression: &Expression) -> bool {
    match &expression.kind {
        ExpressionKind::Call { callee, .. } => {
            called_name(callee).is_some_and(|(name, _)| WAITING.contains(&name))
        }
        _ => false,
    }
}

/// Whether a thread stops at a statement.
fn is_stop(unit: &Unit, statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::OpenMp(construct) => construct.is_barrier(),
        _ => is_checkpoint(unit, statement),
    }
}

fn has_stop(unit: &Unit, statement: &Statement) -> bool {
    let mut found = false;
    statement.walk(&mut |one| {
        found |= is_stop(unit, one);
        !found
    });
    found
}

/// Whether a loop steps what its condition compares.
fn counts(statement: &Statement) -> bool {
    let StatementKind::For {
        condition: Some(condition),
        step: Some(step),
        ..
    } = &statement.kind
    else {
        return false;
    };
    let counter = match &step.kind {
        ExpressionKind::Step(_, target) | ExpressionKind::Assign { target, .. } => target.symbol(),
        _ => None,
    };
    let mut compared = false;
    condition.walk(&mut |one| compared |= counter.is_some() && one.symbol() == counter);
    compared
}

/// Whether a statement is a checkpoint.
fn is_checkpoint(unit: &Unit, statement: &Statement) -> bool {
    match statement.kind {
        StatementKind::Directive(at) => matches!(
            unit.directives[at.0].directive,
            Directive::Checkpoint { .. }
        ),
        _ => false,
    }
}

/// The same where nothing happens between the statement's begin and the wait.
fn waits_at_once(expression: &Expression) -> bool {
    let ExpressionKind::Call { arguments, .. } = &expression.kind else {
        return false;
    };
    let mut has_effect = false;
    for argument in arguments {
        argument.walk(&mut |one| has_effect |= one.is_effect());
    }
    waits(expression) && !has_effect
}
