//! Where requests that were posted before are over, and the next ones are not posted yet.
//!
//! Of a place that is not known to be safe the run finds out whether messages cross it. Some places of a loop are better
//! guesses than others:
//!
//! ```text
//! for (step = 0; step < n; step++) {
//!                                      posted in the pass before, and completed below
//!     MPI_Waitall(4, requests, …);     completed, and posted below: here
//!     compute();
//!     MPI_Isend(…); MPI_Irecv(…);      posted
//! }
//! ```
//!
//! In: all functions. Out: for a place what may have come last before it, and what may come next: a call that posts requests, or
//! one that completes some. A forward and a backward may-analysis with summaries of functions; calls that block, and collective ones,
//! count as nothing. Not a proof: it only chooses between places, and the library counts at any of them.

use super::Analysed;
use super::communication::is_mpi;
use crate::catalog::Role;
use crate::dataflow::steps::{Call, RoutineId, StepKind};
use crate::dataflow::{Flow, NodeId};
use crate::solver::{Analysis, rounds, solve};

/// What may be the last, or the next, that happened to requests: a set of the three.
type Events = u8;

/// Requests were posted.
const POSTED: Events = 1;
/// Requests were completed.
const COMPLETED: Events = 2;
/// Nothing, so it is what was before, or what comes behind.
const NOTHING: Events = 4;

/// One thing, and then another, as the other one leaves it.
fn then(first: Events, second: Events) -> Events {
    let through = if second & NOTHING != 0 { first } else { 0 };
    second & !NOTHING | through
}

/// A direction in which functions are gone through.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Forward,
    Backward,
}

/// What happens to requests in all functions.
pub struct Posted<'a> {
    facts: &'a Analysed<'a>,
    /// For each function what may be the last thing in it, and what may be the first.
    summaries: Vec<(Events, Events)>,
}

impl<'a> Posted<'a> {
    /// Looks at all functions.
    pub fn of(facts: &'a Analysed<'a>) -> Posted<'a> {
        let mut posted = Posted {
            facts,
            summaries: vec![(0, 0); facts.steps.routines.len()],
        };
        rounds(|| {
            let mut is_new = false;
            for id in facts.steps.routine_ids() {
                let last = posted.through(id, Way::Forward, NOTHING)[Flow::EXIT.0];
                let first = posted.through(id, Way::Backward, NOTHING)[Flow::ENTRY.0];
                let known = &mut posted.summaries[id.0 as usize];
                is_new |= *known != (last, first);
                *known = (last, first);
            }
            is_new
        });
        posted
    }

    /// The places before nodes of a function at which no requests seem to be in flight.
    pub fn quiet(&self, id: RoutineId) -> impl Fn(NodeId) -> bool + use<> {
        let last = self.through(id, Way::Forward, NOTHING);
        let behind = self.through(id, Way::Backward, NOTHING);
        let next: Vec<Events> = { behind.iter().enumerate() }
            .map(|(node, &behind)| then(behind, self.node(id, node, Way::Backward)))
            .collect();
        // One that is left out in the first pass of a loop completes what was posted in the pass before.
        move |node| {
            let (last, next) = (last[node.0], next[node.0]);
            next & COMPLETED == 0 && (last & POSTED == 0 || last & COMPLETED != 0)
        }
    }

    /// What there is before each node, or behind it.
    fn through(&self, id: RoutineId, way: Way, outside: Events) -> Vec<Events> {
        let flow = &self.facts.steps.routine(id).flow;
        let mut to = vec![Vec::new(); flow.nodes.len()];
        for (from, node) in flow.nodes.iter().enumerate() {
            for next in &node.next {
                match way {
                    Way::Forward => to[from].push(next.0),
                    Way::Backward => to[next.0].push(from),
                }
            }
        }
        let nodes = (0..to.len()).map(|node| self.node(id, node, way)).collect();
        let first = match way {
            Way::Forward => Flow::ENTRY,
            Way::Backward => Flow::EXIT,
        };
        let known = solve(
            &mut Through { to, nodes },
            flow.nodes.len(),
            [(first.0, outside)],
        );
        known.into_iter().map(Option::unwrap_or_default).collect()
    }

    /// What a node does, from the side from which it is come to.
    fn node(&self, id: RoutineId, node: usize, way: Way) -> Events {
        let mut calls = Vec::new();
        for step in self
            .facts
            .steps
            .routine(id)
            .nodes
            .get(node)
            .into_iter()
            .flatten()
        {
            step.walk(&mut |step| {
                if let StepKind::Call(call) = &step.kind {
                    calls.push(self.call(id, call, way));
                }
            });
        }
        if way == Way::Backward {
            calls.reverse();
        }
        calls.into_iter().fold(NOTHING, then)
    }

    /// What a call does.
    fn call(&self, id: RoutineId, call: &Call, way: Way) -> Events {
        let callees = self.facts.points_to.callees(id, call);
        let mut all = 0;
        for name in &callees.named {
            let found = self.facts.catalogue.find(name).filter(|_| is_mpi(name));
            all |= found.map_or(NOTHING, |one| {
                let is = |roles: [Role; 2]| roles.into_iter().any(|role| one.is(role));
                match () {
                    () if is([Role::Waits, Role::Tests]) => COMPLETED,
                    () if is([Role::NonBlocking, Role::Starts]) => POSTED,
                    () => NOTHING,
                }
            });
        }
        for one in &callees.routines {
            let (last, first) = self.summaries[one.0 as usize];
            all |= match way {
                Way::Forward => last,
                Way::Backward => first,
            };
        }
        match callees.named.is_empty() && callees.routines.is_empty() {
            true => NOTHING,
            false => all,
        }
    }
}

/// Going through a function.
struct Through {
    to: Vec<Vec<usize>>,
    nodes: Vec<Events>,
}

impl Analysis for Through {
    type Fact = Events;

    fn join(known: &mut Events, more: &Events) -> bool {
        let old = *known;
        *known |= more;
        *known != old
    }

    fn transfer(&mut self, node: usize, fact: Events, hand_on: &mut dyn FnMut(usize, &Events)) {
        let fact = then(fact, self.nodes[node]);
        self.to[node].iter().for_each(|to| hand_on(*to, &fact));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_later_counts_and_nothing_changes_nothing() {
        assert_eq!(then(POSTED, COMPLETED), COMPLETED);
        assert_eq!(then(POSTED, NOTHING), POSTED);
        assert_eq!(then(POSTED, COMPLETED | NOTHING), POSTED | COMPLETED);
    }
}
