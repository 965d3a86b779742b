//! Whether ranks come to a checkpoint equally often: what they need to find that out while they run.
//!
//! The n-th checkpoint of all ranks belongs together. Where one rank passes a checkpoint under a condition that another one
//! does not meet, or in a loop of another length, the same number means different moments, and a restart from them is wrong.
//! So the program counts how often it meets each loop and each condition around a checkpoint: at the n-th checkpoint that
//! number is the same on all ranks, unless they came to it on different ways. The library compares it.
//!
//! Ranks may also come to different places at the same number: one has passed a checkpoint that another one left out, and is behind it
//! with the next. So it counts in front of a checkpoint that comes after another one, too. Where both exclude each other nothing is
//! counted in between: a master and its workers may stand at places of their own. What leaves a checkpoint out by a jump
//! is a condition like any other.
//!
//! ```text
//! for (…) {                          counted when it is met
//!     if (done(rank)) continue;      counted: it jumps over the checkpoint
//!     if (rank == 0) checkpoint;     counted
//!     exchange();
//!     checkpoint;                    counted: rank 0 may be at the one above
//! }
//! ```
//!
//! Counted in MPI programs only, and not where messages are counted, which says more. In a team of threads the initial one counts.

use super::builder::Builder;
use super::data::Step;
use crate::analysis::following::checkpoints;
use crate::dataflow::{NodeId, called_name};
use crate::program::{Directive, Expression, ExpressionKind, Statement, StatementKind};
use crate::source::Span;
use std::collections::BTreeSet;

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
        for number in self.turns_at(&places) {
            let statement = self.picture.statements[number];
            let depth = self.picture.depth(number) * 10;
            let mut steps = vec![Step::CountTurn];
            if !statement.in_compound {
                steps.insert(0, Step::Text("{ ".to_string()));
                self.after(statement, depth - 1, vec![Step::Text(" }".to_string())]);
            }
            self.before(statement, depth + 1, steps);
        }
    }

    /// The statements before which it counts.
    fn turns_at(&self, places: &[usize]) -> BTreeSet<usize> {
        let statements = &self.picture.statements;
        let holds = |number: usize| {
            places
                .iter()
                .any(|place| statements[number].span.has(*place))
        };
        let mut all = BTreeSet::new();
        for (number, statement) in statements.iter().enumerate() {
            let is_counted = match &statement.kind {
                _ if !holds(number) => {
                    all.extend(self.leaves_out(number, places));
                    continue;
                }
                StatementKind::Compound { .. } => false,
                StatementKind::Labelled { .. } => false,
                _ if is_control(statement) => true,
                _ => is_chosen(statement, places) || self.comes_second(number, places),
            };
            if is_counted {
                all.insert(number);
            }
        }
        all.retain(|number| !self.is_left_out(*number));
        all
    }

    /// The condition by which a jump leaves out checkpoints behind it: the outermost one, to which all come that might come to these.
    fn leaves_out(&self, jump: usize, places: &[usize]) -> Option<usize> {
        let statements = &self.picture.statements;
        let statement = statements[jump];
        let left = match statement.kind {
            StatementKind::Continue => self.picture.loop_at(statement.span.start)?,
            // What `main` leaves out then never comes.
            StatementKind::Return(_) if self.function.name == "main" => return None,
            StatementKind::Return(_) | StatementKind::Goto(_) => usize::MAX,
            _ => return None,
        };
        let is_inside = |place: usize| {
            self.picture
                .loops
                .get(left)
                .is_none_or(|one| one.has(place))
        };
        let is_behind = |place: &&usize| **place >= statement.span.end && is_inside(**place);
        places.iter().find(is_behind)?;
        let mut outermost = jump;
        while let Some(parent) = self.picture.parents[outermost] {
            let around = statements[parent].span;
            if places.iter().any(|place| around.has(*place)) {
                break;
            }
            outermost = parent;
        }
        Some(outermost).filter(|number| is_control(statements[*number]))
    }

    /// Whether control may come here from a place before it in the same sequence of statements.
    fn comes_second(&self, number: usize, places: &[usize]) -> bool {
        let statements = &self.picture.statements;
        let target = statements[number].span;
        let mut at = number;
        while let Some(parent) = self.picture.parents[at] {
            let is_sequence = match &statements[parent].kind {
                StatementKind::Compound { .. } => true,
                StatementKind::Labelled { .. } => false,
                _ => return false,
            };
            let own = statements[at].span.start;
            let holds = |one: &&&Statement| places.iter().any(|place| one.span.has(*place));
            let around = statements[parent].children();
            let earlier = around
                .iter()
                .take_while(|one| is_sequence && one.span.start < own);
            // Those before the last one are told apart there.
            if let Some(last) = earlier.filter(holds).last() {
                return self.leads_on(last.span, target, places);
            }
            at = parent;
        }
        false
    }

    /// Whether control may come from a place in a statement to a later one, without going back before that statement or into it again.
    fn leads_on(&self, from: Span, to: Span, places: &[usize]) -> bool {
        let flow = &self.picture.flow;
        let inside = |node: usize| from.contains(flow.nodes[node].span);
        let first = places.iter().filter(|place| from.has(**place));
        let first = first.filter_map(|place| flow.node_at(*place));
        let last = self.last_nodes();
        let is_target = |node: usize| {
            to.contains(flow.nodes[node].span) && flow.nodes[node].statement.is_some()
        };
        let goes_on = |node: usize| !last.contains(&NodeId(node));
        let behind = flow.along(first.map(|node| node.0), |node, next| {
            goes_on(node)
                && flow.nodes[next].span.start >= from.start
                && (inside(node) || !inside(next))
        });
        (0..behind.len())
            .filter(|node| behind[*node] && goes_on(*node))
            .any(|node| flow.next(node).any(is_target))
    }

    /// The nodes in which the run ends: whoever comes there makes the call. One under a condition inside an expression, as in `assert`,
    /// is none of them.
    fn last_nodes(&self) -> BTreeSet<NodeId> {
        let flow = &self.picture.flow;
        let ends = |one: &&&Statement| match &one.kind {
            StatementKind::Expression(Some(value)) => self.ends_run(value),
            _ => false,
        };
        let node = |one: &&Statement| {
            let node = flow.node_at(one.span.start)?;
            (flow.nodes[node.0].statement == Some(one.id)).then_some(node)
        };
        { self.picture.statements.iter() }
            .filter(ends)
            .filter_map(node)
            .collect()
    }

    fn ends_run(&self, value: &Expression) -> bool {
        match &value.kind {
            ExpressionKind::Cast(inner) => self.ends_run(inner),
            ExpressionKind::Call { callee, .. } => {
                let known = called_name(callee).and_then(|(name, _)| self.catalogue.find(name));
                known.is_some_and(|one| one.never_returns)
            }
            _ => false,
        }
    }

    /// The condition behind an `else` is met when the one before it is; a pragma belongs to its statement.
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
        is_else || !statement.openmp.is_empty()
    }
}

/// Whether it depends on the value of an operand that control comes to a place in an expression of the statement.
fn is_chosen(statement: &Statement, places: &[usize]) -> bool {
    let has = |one: &Expression| places.iter().any(|place| one.span.has(*place));
    let mut found = false;
    for expression in statement.expressions() {
        expression.walk(&mut |one| match &one.kind {
            ExpressionKind::Logical { right, .. } => found |= has(right),
            ExpressionKind::Conditional {
                then, otherwise, ..
            } => found |= then.as_deref().is_some_and(has) || has(otherwise),
            _ => {}
        });
    }
    found
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
