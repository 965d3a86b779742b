//! Guards that leave the function: `if (ready) return;`, with the rest of the function as their block.
//!
//! See [`set_up`](super::set_up). The caller must not be able to tell the first call from the others by what comes back.

use std::collections::BTreeSet;

use super::set_up::Guard;
use crate::analysis::effects::{Action, ActionKind};
use crate::dataflow::Flow;
use crate::dataflow::steps::RoutineId;
use crate::program::{Expression, Statement, StatementKind, Storage, SymbolId};

impl Guard<'_> {
    /// Whether callers cannot tell by what is returned which call has been the first: nothing, or always what one static
    /// holds.
    pub(super) fn returns_the_same(&self) -> bool {
        let place = self.facts.steps.routine(self.routine).function;
        let mut returned: BTreeSet<Option<SymbolId>> = BTreeSet::new();
        let mut right = true;
        self.unit
            .function(place.function)
            .body
            .walk(&mut |statement| {
                if let StatementKind::Return(value) = &statement.kind {
                    returned.insert(value.as_ref().and_then(Expression::symbol));
                    right &= value.as_ref().is_none_or(|value| value.symbol().is_some());
                }
                true
            });
        let is_static = |symbol: SymbolId| {
            let variable = self.facts.steps.variable_of(place.unit, symbol);
            variable.is_some_and(|one| {
                let storage = self.facts.steps.variable(one).storage;
                !matches!(storage, Storage::Automatic | Storage::Register)
            })
        };
        right && returned.len() == 1 && returned.into_iter().flatten().all(is_static)
    }

    /// The nodes of the block.
    pub(super) fn inside(&self, head: usize) -> Vec<bool> {
        let flow = &self.facts.steps.routine(self.routine).flow;
        let span = self.then.span;
        let is_then = |node: usize| {
            flow.nodes[node].statement.is_some() && span.contains(flow.nodes[node].span)
        };
        if !self.leaves {
            return (0..flow.nodes.len()).map(is_then).collect();
        }
        let is_in = |node: usize| node != head && node != Flow::EXIT.0 && !is_then(node);
        let begin = flow.next(head).filter(|node| is_in(*node));
        flow.along(begin, |_, to| is_in(to))
    }

    /// The nodes of another function to which control comes only behind a call of this one.
    pub(super) fn sheltered(&self, routine: RoutineId) -> Vec<bool> {
        let body = &self.facts.effects.bodies[routine.0 as usize];
        let flow = &self.facts.steps.routine(routine).flow;
        if self.facts.is_client(routine) || body.returns_twice {
            return vec![false; flow.nodes.len()];
        }
        let calls = |actions: &[Action]| {
            actions.iter().any(|action| {
                matches!(&action.kind, ActionKind::Call { routines, surely: true, .. }
                    if routines[..] == [self.routine])
            })
        };
        let reached = flow.along([Flow::ENTRY.0], |node, _| !calls(&body.nodes[node]));
        reached.into_iter().map(|reached| !reached).collect()
    }
}

/// Whether a statement does nothing but leave the function.
pub(super) fn returns(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Return(_) => true,
        StatementKind::Compound { items, .. } => {
            matches!(items.as_slice(), [only] if returns(only))
        }
        _ => false,
    }
}
