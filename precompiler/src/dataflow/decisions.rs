//! Which nodes of a function are passed or not depending on the way that control takes elsewhere.
//!
//! A node decides about others when some of its ways come by there and others do not (control dependence, by
//! post-dominators). Errors fall on the side of deciding. A region is found when it is asked for: all of them together
//! are as many as the square of the nodes, post-dominators as a tree are as many as the nodes.

use super::graph::Flow;
use crate::solver::{closure, postorder, rounds};

/// The ways through a function, and where they meet again.
pub struct Decisions {
    next: Vec<Vec<usize>>,
    /// How control ends that comes by a node.
    ending: Vec<Ending>,
    /// The first node that all ways from a node to an end have in common; none if they end apart.
    meeting: Vec<Option<usize>>,
}

/// Where ways lead.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// The function may return. What stops on the way ends the program, for all others as well.
    Returns,
    /// It does not, as behind the last way to `return` in a function that ends with `exit`.
    Stops,
    /// Nowhere.
    Never,
}

impl Flow {
    /// Where nodes decide. `stops`: nodes in which control surely stops.
    pub fn decisions(&self, stops: &[bool]) -> Decisions {
        let count = self.nodes.len();
        let next: Vec<Vec<usize>> = (0..count)
            .map(|node| match stops.get(node) {
                Some(true) => Vec::new(),
                _ => self.nodes[node].next.iter().map(|one| one.0).collect(),
            })
            .collect();
        let mut back: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (node, all) in next.iter().enumerate() {
            for &to in all {
                back[to].push(node);
            }
        }
        let mut ending = vec![Ending::Never; count];
        let mut meeting = vec![None; count];
        let exit = Flow::EXIT.0;
        let stopped: Vec<usize> = (0..count)
            .filter(|&node| node != exit && next[node].is_empty())
            .collect();
        for (ends, kind) in [(vec![exit], Ending::Returns), (stopped, Ending::Stops)] {
            let mut order = postorder(count, ends.iter().copied(), |node, edge| {
                back[node].get(edge).copied()
            });
            order.reverse();
            order.iter().for_each(|&node| ending[node] = kind);
            // What may return has got its place, and no way leads back there from what does not.
            back.iter_mut()
                .for_each(|all| all.retain(|from| ending[*from] == Ending::Never));
            set_meeting(&next, &order, &ends, &mut meeting);
        }
        Decisions {
            next,
            ending,
            meeting,
        }
    }
}

impl Decisions {
    /// Whether the function may return behind a node.
    pub fn returns(&self, node: usize) -> bool {
        self.ending[node] == Ending::Returns
    }

    /// The nodes that are passed or not depending on the way on from `node`; none if there is only one.
    pub fn of(&self, node: usize) -> Vec<usize> {
        let next = self.next[node].iter().copied();
        let ways: Vec<usize> = next
            .filter(|to| self.ending[*to] == self.ending[node])
            .collect();
        if ways.len() < 2 {
            return Vec::new();
        }
        // What else all ways have in common lies behind the first.
        let is_inside = |at: &usize| Some(*at) != self.meeting[node];
        closure(ways.into_iter().filter(is_inside), |at, open| {
            open.extend(self.next[at].iter().copied().filter(is_inside));
        })
        .collect()
    }
}

/// Immediate post-dominators, as Cooper, Harvey and Kennedy find them; `order`: each node from which an end can be reached
/// behind those that it leads to, but where they go round in circles.
fn set_meeting(
    next: &[Vec<usize>],
    order: &[usize],
    ends: &[usize],
    meeting: &mut [Option<usize>],
) {
    // Places in the order; what lies behind all ends is 0, so that different ends meet there.
    const BEHIND: usize = 0;
    const UNKNOWN: usize = usize::MAX;
    let mut place = vec![UNKNOWN; next.len()];
    for (at, &node) in order.iter().enumerate() {
        place[node] = at + 1;
    }
    let mut first = vec![UNKNOWN; order.len() + 1];
    first[BEHIND] = BEHIND;
    ends.iter().for_each(|&end| first[place[end]] = BEHIND);
    rounds(|| {
        let mut changed = false;
        for &node in order {
            if first[place[node]] == BEHIND {
                continue;
            }
            let mut met = UNKNOWN;
            let known = next[node].iter().map(|to| place[*to]);
            for mut other in known.filter(|to| *to != UNKNOWN && first[*to] != UNKNOWN) {
                if met == UNKNOWN {
                    met = other;
                }
                while met != other {
                    if met > other {
                        met = first[met];
                    } else {
                        other = first[other];
                    }
                }
            }
            changed |= std::mem::replace(&mut first[place[node]], met) != met;
        }
        changed
    });
    for &node in order {
        meeting[node] = match first[place[node]] {
            BEHIND | UNKNOWN => None,
            met => Some(order[met - 1]),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::super::mini::Mini;

    /// The names in nodes that the node of `c` decides about; control stops at `stop`.
    fn decided(source: &str, names: &[&'static str]) -> Vec<&'static str> {
        let mini = Mini::new(source);
        let flow = mini.flow();
        let node = |name: &str| flow.node_at(mini.at(name)).expect("a node").0;
        let mut stops = vec![false; flow.nodes.len()];
        for place in mini.all("stop") {
            stops[flow.node_at(place).expect("a node").0] = true;
        }
        let found = flow.decisions(&stops).of(node("c"));
        let is_in = |name: &&&str| found.contains(&node(name));
        names.iter().filter(is_in).copied().collect()
    }

    #[test]
    fn s51_what_all_ways_have_in_common_is_not_decided() {
        let all = ["a", "b", "d", "e"];
        assert_eq!(decided("if (c) a; else b; d; e;", &all), ["a", "b"]);
        assert_eq!(
            decided("while (c) { a; if (b) d; } e;", &all),
            ["a", "b", "d"]
        );
        assert_eq!(decided("if (c) { a; return; } b; d; e;", &all), all);
    }

    #[test]
    fn s51_what_ends_the_program_is_no_way_around() {
        let all = ["a", "b", "d"];
        assert_eq!(decided("if (c) { a; stop; } b; d;", &all), [""; 0]);
        // The end of the function, too, though it may return before.
        let text = "if (x) return; if (c) a; else b; d; stop;";
        assert_eq!(decided(text, &all), ["a", "b"]);
        assert_eq!(decided("if (c) a; else b; while (1) d;", &all), all);
    }

    #[test]
    fn s51_twenty_thousand_statements_take_memory_in_proportion() {
        let text = "if (c) a; ".repeat(10_000) + "d;";
        let flow = Mini::new(&text).flow();
        let found = flow.decisions(&[]);
        assert!(flow.nodes.len() > 20_000);
        // One place where ways meet for each node, and each region is as large as what is in it.
        assert_eq!(found.meeting.len(), flow.nodes.len());
        let regions = (0..flow.nodes.len()).map(|node| found.of(node).len());
        assert_eq!(regions.sum::<usize>(), 10_000);
    }
}
