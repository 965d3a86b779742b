//! Whether ranks come to a checkpoint equally often: what they need to find that out while they run.
//!
//! The n-th checkpoint of all ranks belongs together. Where one rank passes a checkpoint under a condition that another one
//! does not meet, or in a loop of another length, the same number means different moments, and a restart from them is wrong.
//! So the program counts how often it meets each loop and each condition around a checkpoint: at the n-th checkpoint that
//! number is the same on all ranks, unless they came to it on different ways. The library compares it.
//!
//! Counted in MPI programs only, and not where messages are counted, which says more. What a macro writes, and what runs in a
//! team of threads, is left out: alike on all ranks.

use super::builder::Builder;
use super::data::Step;
use crate::analysis::following::checkpoints;
use crate::program::{Directive, Statement, StatementKind};

impl Builder<'_> {
    /// Counts at each loop and condition around a checkpoint, or around a call that may lead to one.
    pub fn count_turns(&mut self) {
        let units = &self.program.units;
        let is_counted = |one: &Directive| {
            matches!(
                one,
                Directive::Checkpoint {
                    messages_counted: true,
                    ..
                }
            )
        };
        let mut directives = units.iter().flat_map(|unit| &unit.directives);
        let is_needed = units.iter().any(|unit| unit.uses_mpi)
            && !directives.any(|one| is_counted(&one.directive));
        if !is_needed {
            return;
        }
        let places = checkpoints(self.program, self.clients, &self.picture, self.unit_index);
        for number in 0..self.picture.statements.len() {
            let statement = self.picture.statements[number];
            let holds =
                |place: &usize| statement.span.start <= *place && *place < statement.span.end;
            if !is_control(statement)
                || statement.place.is_none()
                || !places.iter().any(holds)
                || self.is_left_out(number)
            {
                continue;
            }
            let depth = self.picture.depth(number) * 10;
            let mut steps = vec![Step::CountTurn];
            if !statement.in_compound {
                steps.insert(0, Step::Text("{ ".to_string()));
                self.after(statement, depth - 1, vec![Step::Text(" }".to_string())]);
            }
            self.before(statement, depth + 1, steps);
        }
    }

    /// The condition behind an `else` is met when the one before it is; threads would count in each other's way.
    fn is_left_out(&self, number: usize) -> bool {
        let statement = self.picture.statements[number];
        let parent = self.picture.parents[number].map(|parent| self.picture.statements[parent]);
        let is_else = parent.is_some_and(|parent| match &parent.kind {
            StatementKind::If {
                otherwise: Some(otherwise),
                ..
            } => std::ptr::eq(&raw const **otherwise, statement),
            _ => false,
        });
        let mut at = Some(number);
        while let Some(here) = at {
            if !self.picture.statements[here].openmp.is_empty() {
                return true;
            }
            at = self.picture.parents[here];
        }
        is_else
    }
}

fn is_control(statement: &Statement) -> bool {
    matches!(
        statement.kind,
        StatementKind::If { .. }
            | StatementKind::Switch { .. }
            | StatementKind::While { .. }
            | StatementKind::DoWhile { .. }
            | StatementKind::For { .. }
    )
}
