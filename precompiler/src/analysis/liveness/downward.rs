//! What is live when each function returns, and at the points that matter, callers first.
//!
//! Only functions from which a checkpoint may be reached are looked at: no other one can be active at a checkpoint. What
//! is live after any call of a function is live when it returns; locals that only an activation itself knows stay
//! with that activation.

use std::collections::BTreeSet;

use crate::analysis::effects::{self, ActionKind, Backward, Blocks, Effects, Later, Together};
use crate::analysis::memory::{CellSet, Memory};
use crate::dataflow::steps::{RoutineId, Steps};
use crate::program::{Directive, DirectiveId, Program};
use crate::solver::rounds;
use crate::source::Span;

/// A checkpoint directive, with what is live after it.
pub(super) struct Found {
    pub routine: RoutineId,
    pub directive: DirectiveId,
    pub span: Span,
    pub live: CellSet,
}

/// A call that may lead to a checkpoint, with what is live after it.
pub(super) struct After {
    pub routine: RoutineId,
    pub span: Span,
    pub callees: Vec<RoutineId>,
    pub live: CellSet,
}

/// Everything at the points that matter.
pub(super) struct Downward<'a> {
    steps: &'a Steps,
    memory: &'a Memory,
    effects: &'a Effects,
    /// Functions that one call may call.
    together: Together,
    /// For every function: a checkpoint may be reached from it.
    pub clients: Vec<bool>,
    /// Groups of clients that call each other, callers first.
    pub groups: Vec<Vec<RoutineId>>,
    /// The functions that each function calls.
    pub calls: Vec<Vec<RoutineId>>,
    /// What is live when a function returns.
    pub exits: Vec<CellSet>,
    pub checkpoints: Vec<Found>,
    pub after_calls: Vec<After>,
}

impl<'a> Downward<'a> {
    pub fn of(
        program: &Program,
        steps: &'a Steps,
        memory: &'a Memory,
        effects: &'a Effects,
    ) -> Downward<'a> {
        let calls = effects::calls(&effects.bodies);
        let mut groups = effects::groups(&calls);
        let clients = clients(program, steps, effects, &calls);
        groups.retain(|group| group.iter().any(|one| clients[one.0 as usize]));
        groups.reverse();
        groups.iter_mut().for_each(|group| group.reverse());
        let mut all = Downward {
            steps,
            memory,
            effects,
            clients,
            groups,
            calls,
            exits: vec![CellSet::with_capacity(memory.cells.len()); effects.bodies.len()],
            checkpoints: Vec::new(),
            after_calls: Vec::new(),
            together: Together::default(),
        };
        all.begin();
        for group in all.groups.clone() {
            all.group(program, &group);
        }
        all
    }

    /// What is live after functions that nobody in the program calls.
    fn begin(&mut self) {
        let effects = self.effects;
        if let Some(main) = effects.main {
            for &routine in &effects.at_exit {
                self.exits[main.0 as usize].union_with(&effects.summary(routine).exposed);
            }
        }
        for &routine in &effects.from_outside {
            self.exits[routine.0 as usize].union_with(&effects.outside);
        }
        // What runs at any time comes back to anywhere.
        for &routine in effects.any_time.iter().chain(&effects.at_exit) {
            let readers = effects
                .main
                .iter()
                .chain(&effects.any_time)
                .chain(&effects.at_exit);
            for &reader in readers {
                self.exits[routine.0 as usize].union_with(&effects.summary(reader).reads);
            }
        }
    }

    /// Functions that call each other, until nothing changes any more; then their points.
    fn group(&mut self, program: &Program, group: &[RoutineId]) {
        let members: Vec<(RoutineId, Blocks)> = group
            .iter()
            .map(|&routine| (routine, effects::blocks(self.effects, self.steps, routine)))
            .collect();
        // Those again at whose end something new is live.
        let mut looked_at: Vec<Option<CellSet>> = vec![None; members.len()];
        rounds(|| {
            let mut is_over = true;
            for ((routine, blocks), last) in members.iter().zip(&mut looked_at) {
                let exit = &self.exits[routine.0 as usize];
                if last.as_ref() != Some(exit) {
                    *last = Some(exit.clone());
                    is_over = false;
                    self.routine(program, *routine, blocks, false);
                }
            }
            !is_over
        });
        for (routine, blocks) in &members {
            self.routine(program, *routine, blocks, true);
        }
    }

    fn routine(&mut self, program: &Program, routine: RoutineId, blocks: &Blocks, keep: bool) {
        let effects = self.effects;
        let unit = self.steps.routines[routine.0 as usize].function.unit;
        let exit = Later::at_exit(self.exits[routine.0 as usize].clone(), false);
        let backward = Backward {
            effects,
            objects: &self.memory.objects,
            blocks,
            body: &effects.bodies[routine.0 as usize],
            exit: &exit,
            together: &self.together,
        };
        let found = backward.solve();
        let clients = &self.clients;
        let mut checkpoints = Vec::new();
        let mut after_calls: Vec<After> = Vec::new();
        backward.visit(&found, &mut |action, later| match &action.kind {
            ActionKind::Call { routines, .. } => {
                let callees: Vec<RoutineId> = routines
                    .iter()
                    .copied()
                    .filter(|one| clients[one.0 as usize])
                    .collect();
                if !callees.is_empty() {
                    after_calls.push(After {
                        routine,
                        span: action.span,
                        callees,
                        live: later.live.clone(),
                    });
                }
            }
            ActionKind::Directive(directive) if is_checkpoint(program, unit, *directive) => {
                checkpoints.push(Found {
                    routine,
                    directive: *directive,
                    span: action.span,
                    live: later.live.clone(),
                });
            }
            _ => {}
        });
        for after in &after_calls {
            let mut live = after.live.clone();
            live.difference_with(&effects.private);
            for callee in &after.callees {
                let exit = &mut self.exits[callee.0 as usize];
                exit.union_with(&live);
            }
            let jumping = after
                .callees
                .iter()
                .filter(|callee| effects.summary(**callee).may_jump);
            for callee in jumping {
                let further = self.exits[routine.0 as usize].clone();
                self.exits[callee.0 as usize].union_with(&further);
            }
        }
        if keep {
            self.checkpoints.extend(checkpoints);
            self.after_calls.extend(after_calls);
        }
    }
}

/// Whether a directive is a checkpoint.
pub(super) fn is_checkpoint(program: &Program, unit: usize, directive: DirectiveId) -> bool {
    program.units[unit]
        .directives
        .get(directive.0)
        .is_some_and(|one| matches!(one.directive, Directive::Checkpoint { .. }))
}

/// For every function: whether a checkpoint may be reached from it.
fn clients(
    program: &Program,
    steps: &Steps,
    effects: &Effects,
    calls: &[Vec<RoutineId>],
) -> Vec<bool> {
    let holding = steps.routine_ids().filter(|routine| {
        let unit = steps.routine(*routine).function.unit;
        let mut has = false;
        effects.bodies[routine.0 as usize].walk(&mut |action| {
            if let ActionKind::Directive(directive) = action.kind {
                has |= is_checkpoint(program, unit, directive);
            }
        });
        has
    });
    effects::leading(calls, holding)
}

/// The functions that may be active below a checkpoint in `routine`: those that lead to it.
pub(super) fn below(calls: &[Vec<RoutineId>], routine: RoutineId) -> BTreeSet<RoutineId> {
    effects::all_leading(calls, [routine]).collect()
}
