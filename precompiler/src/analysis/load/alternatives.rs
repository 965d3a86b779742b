//! Work that is done only in runs that go another way.
//!
//! In: a loop. Out: its share of the work of those runs that come to it. Two nodes of a function of which control comes from neither to
//! the other are alternatives: the branches of a condition, the cases of a `switch`, what follows a mode that has ended the run. In a
//! run that comes to one, nothing is done in the others. Where several calls of a function lead to the loop, that counts as an alternative
//! which is one to all of them.
//!
//! ```text
//! switch (kind) { case 1: for (…) slow(u); break; case 2: for (…) fast(u); }     the second does all the work of a run of this kind
//! ```

use super::routine::Amount;
use super::shares::Shares;
use crate::dataflow::NodeId;
use crate::dataflow::steps::{RoutineId, Steps};
use crate::solver::closure;
use std::collections::BTreeMap;

/// The nodes by which control comes to one, by their functions.
type Leading = BTreeMap<RoutineId, Vec<usize>>;

/// Which runs come to the loops of a program.
pub struct Alternatives<'a> {
    shares: &'a Shares,
    steps: &'a Steps,
    /// By function: where it is called.
    callers: Vec<Vec<(RoutineId, usize)>>,
}

impl<'a> Alternatives<'a> {
    /// For a program.
    pub fn of(shares: &'a Shares, steps: &'a Steps) -> Alternatives<'a> {
        let mut callers: Vec<Vec<_>> = vec![Vec::new(); shares.locals.len()];
        for caller in steps.routine_ids().filter(|id| shares.is_reached(*id)) {
            for site in &shares.locals[caller.0 as usize].sites {
                callers[site.callee.0 as usize].push((caller, site.node));
            }
        }
        callers.iter_mut().for_each(Vec::dedup);
        Alternatives {
            shares,
            steps,
            callers,
        }
    }

    /// The share that a loop does of the work of those runs that come to it; none where there are no alternatives to it.
    pub fn share(&self, id: RoutineId, index: usize) -> Option<f64> {
        let shares = self.shares;
        let local = &shares.locals[id.0 as usize];
        let node = (0..local.around.len()).find(|node| local.is_in(*node, index))?;
        let leading = self.leading_to(id, node);
        let mut apart = Amount::default();
        for (id, nodes) in &leading {
            apart.add(self.apart(*id, nodes), 1.0);
        }
        let chance = self.chance((id, node), &leading);
        let inside = shares.inside(id, index);
        let share = |inside: f64, apart: f64, total: f64| {
            let others = (total - apart - inside).max(0.0);
            let inside = inside / chance;
            inside / (inside + others)
        };
        let total = shares.total;
        let instructions = share(inside.instructions, apart.instructions, total.instructions);
        let accesses = share(inside.accesses, apart.accesses, total.accesses);
        let is_known = apart.instructions > 0.0 && chance > 0.0;
        Some((instructions * accesses).sqrt()).filter(|share| is_known && share.is_finite())
    }

    /// The nodes by which control comes to a node: itself, and the calls that lead there, by their functions. What calls a function that
    /// may be called again before it has returned is left out: all its work is one.
    fn leading_to(&self, id: RoutineId, node: usize) -> Leading {
        let mut leading = Leading::new();
        for (id, node) in closure([(id, node)], |(id, _), open| {
            if !self.shares.is_recursive(id) {
                open.extend(self.callers[id.0 as usize].iter().copied());
            }
        }) {
            leading.entry(id).or_default().push(node);
        }
        leading
    }

    /// What is done in a function where control comes from none of these nodes, nor to them.
    fn apart(&self, id: RoutineId, nodes: &[usize]) -> Amount {
        let flow = &self.steps.routine(id).flow;
        let mut is_with = flow.before(nodes);
        for node in nodes {
            is_with[*node] = true;
            for (is_with, is_after) in is_with.iter_mut().zip(flow.after(NodeId(*node))) {
                *is_with |= is_after;
            }
        }
        let mut sum = Amount::default();
        let own = self.shares.own(id).iter().zip(&is_with);
        for (own, _) in own.filter(|(_, is_with)| !**is_with) {
            sum.add(*own, 1.0);
        }
        let sites = self.shares.locals[id.0 as usize].sites.iter();
        for site in sites.filter(|site| !is_with[site.node]) {
            sum.add(self.shares.called(id, site), 1.0);
        }
        sum
    }

    /// With which probability a run comes to a node that these lead to: callees first, the largest where nothing more leads on.
    fn chance(&self, (id, node): (RoutineId, usize), leading: &Leading) -> f64 {
        let of_node = |id: RoutineId, node: usize| self.shares.locals[id.0 as usize].chances[node];
        let mut order: Vec<RoutineId> = leading.keys().copied().collect();
        order.sort_by_key(|id| self.shares.group_of(*id));
        let mut chances = BTreeMap::from([(id, of_node(id, node))]);
        let mut most: f64 = 0.0;
        for id in order {
            let chance: f64 = chances.get(&id).copied().unwrap_or_default();
            let chance = chance.min(1.0);
            let callers = &self.callers[id.0 as usize];
            if callers.is_empty() || self.shares.is_recursive(id) {
                most = most.max(chance);
                continue;
            }
            for (caller, node) in callers {
                *chances.entry(*caller).or_default() += chance * of_node(*caller, *node);
            }
        }
        most
    }
}
