//! Work that is done only in runs that go another way.
//!
//! In: a loop. Out: its share of the work of those runs that come to it. Two nodes of a function of which control comes from neither to
//! the other are alternatives: the branches of a condition, the cases of a `switch`, what follows a mode that has ended the run. In a
//! run that comes to one, nothing is done in the others.
//!
//! ```text
//! switch (kind) { case 1: for (…) slow(u); break; case 2: for (…) fast(u); }     the second does all the work of a run of this kind
//! ```

use super::routine::Amount;
use super::shares::Shares;
use crate::dataflow::NodeId;
use crate::dataflow::steps::{RoutineId, Steps};

impl Shares {
    /// The share that a loop does of the work of those runs that come to it; none where there are no alternatives to it.
    pub fn of_its_runs(&self, steps: &Steps, id: RoutineId, index: usize) -> Option<f64> {
        let local = &self.locals[id.0 as usize];
        let node = (0..local.around.len()).find(|node| local.is_in(*node, index))?;
        let mut apart = Amount::default();
        let mut chance = 1.0;
        let mut at = Some((id, node));
        // Where a function is called from several places, it is not known which of them the others are alternatives to.
        while let Some((id, node)) = at {
            apart.add(self.apart(steps, id, node), 1.0);
            chance *= self.locals[id.0 as usize].chances[node];
            at = self.only_call(steps, id);
        }
        let inside = self.inside(id, index);
        let share = |inside: f64, apart: f64, total: f64| {
            let inside = inside / chance;
            let others = (total - apart - inside * chance).max(0.0);
            inside / (inside + others)
        };
        let instructions = share(
            inside.instructions,
            apart.instructions,
            self.total.instructions,
        );
        let accesses = share(inside.accesses, apart.accesses, self.total.accesses);
        let is_known = apart.instructions > 0.0 && chance > 0.0;
        Some((instructions * accesses).sqrt()).filter(|share| is_known && share.is_finite())
    }

    /// What is done in a function where control comes neither from a node nor to it.
    fn apart(&self, steps: &Steps, id: RoutineId, node: usize) -> Amount {
        let flow = &steps.routine(id).flow;
        let (after, before) = (flow.after(NodeId(node)), flow.before(&[node]));
        let is_apart = |other: usize| other != node && !after[other] && !before[other];
        let mut sum = Amount::default();
        for (_, own) in { self.own(id).iter().enumerate() }.filter(|one| is_apart(one.0)) {
            sum.add(*own, 1.0);
        }
        let sites = self.locals[id.0 as usize].sites.iter();
        for site in sites.filter(|site| is_apart(site.node)) {
            sum.add(self.called(id, site), 1.0);
        }
        sum
    }

    /// Where a function is called, if that is one place, and not from within itself.
    fn only_call(&self, steps: &Steps, callee: RoutineId) -> Option<(RoutineId, usize)> {
        let callers = steps.routine_ids().filter(|id| self.is_reached(*id));
        let mut calls = callers.flat_map(|id| {
            let sites = self.locals[id.0 as usize].sites.iter();
            let sites = sites.filter(|site| site.callee == callee);
            sites.map(move |site| (id, site.node))
        });
        let only = calls.next().filter(|_| !self.is_recursive(callee))?;
        calls.next().is_none().then_some(only)
    }
}
