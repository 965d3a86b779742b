//! What can still happen after a loop has ended, or after a function has returned.
//!
//! The use: what ran in a loop that has ended has to run again on a restart only if a checkpoint can follow. If none
//! can, it may be forgotten at once, which keeps the trace short.
//!
//! ```text
//! while (run) { prepare(); checkpoint; }  report();      prunable: after the loop there is no checkpoint
//! for (;;) { while (run) { prepare(); } checkpoint; }    the inner loop is not
//! ```
//!
//! Errors fall on the side of "a checkpoint follows": then the trace is longer, never wrong.

use super::graph::{Flow, NodeId};
use super::loops::Loop;

/// Whether what ran in a loop that has ended may be forgotten: none of the `sites` (places where a checkpoint may be
/// taken) can be reached once control has left the loop, entering it again included, and neither can the function's
/// end when a checkpoint may be `followed` after that.
pub fn is_prunable(flow: &Flow, one: &Loop, sites: &[usize], followed: bool) -> bool {
    let inside: Vec<bool> = flow
        .nodes
        .iter()
        .map(|node| {
            node.statement.is_some() && one.span.contains(node.span) && {
                // An empty part of a `for` stands where its first part ends.
                node.span.start >= one.inside_from
            }
        })
        .collect();
    let mut reached = vec![false; flow.nodes.len()];
    for index in (0..inside.len()).filter(|&index| inside[index]) {
        for &exit in &flow.nodes[index].next {
            if !inside[exit.0] && !reached[exit.0] {
                reached[exit.0] = true;
                for (index, after) in flow.after(exit).into_iter().enumerate() {
                    reached[index] |= after;
                }
            }
        }
    }
    let comes_to = |place: &usize| flow.node_at(*place).is_none_or(|node| reached[node.0]);
    !(sites.iter().any(comes_to) || followed && reached[Flow::EXIT.0])
}

/// A call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallFact {
    /// Where it stands.
    pub place: usize,
    /// Index of what it calls; `None` when it may be any function.
    pub callee: Option<usize>,
}

/// What [`followed_by_checkpoint`] wants to know about a function.
#[derive(Clone, Debug)]
pub struct FunctionFacts {
    /// Its control flow.
    pub flow: Flow,
    /// Places where a checkpoint may be taken, calls that lead to one included.
    pub sites: Vec<usize>,
    /// Calls of functions that are looked at.
    pub calls: Vec<CallFact>,
    /// It may be called from places that are not looked at. For `main` that is not said.
    pub has_unknown_callers: bool,
}

/// For every function: whether a checkpoint may be taken after it has returned.
pub fn followed_by_checkpoint(functions: &[FunctionFacts]) -> Vec<bool> {
    let mut followed: Vec<bool> = functions
        .iter()
        .map(|function| function.has_unknown_callers)
        .collect();
    // Calls that do not decide it at once: caller and callee.
    let mut open: Vec<(usize, Option<usize>)> = Vec::new();
    for (caller, function) in functions.iter().enumerate() {
        let flow = &function.flow;
        let sites: Vec<(usize, Option<NodeId>)> = function
            .sites
            .iter()
            .map(|&site| (site, flow.node_at(site)))
            .collect();
        for call in &function.calls {
            let from = flow.node_at(call.place);
            let after = from.map(|from| flow.after(from));
            let comes_to = |node: NodeId| after.as_ref().is_none_or(|after| after[node.0]);
            let follows = sites.iter().any(|&(place, node)| {
                let same_node = node == from && place != call.place;
                same_node || node.is_none_or(comes_to)
            });
            if follows {
                set(&mut followed, call.callee);
            } else if comes_to(Flow::EXIT) {
                open.push((caller, call.callee));
            }
        }
    }
    loop {
        let mut changed = false;
        for (caller, callee) in &open {
            if followed[*caller] {
                changed |= set(&mut followed, *callee);
            }
        }
        if !changed {
            return followed;
        }
    }
}

/// Says yes for one function, or for all. Whether that is new.
fn set(followed: &mut [bool], function: Option<usize>) -> bool {
    match function {
        Some(index) => followed
            .get_mut(index)
            .is_some_and(|one| !std::mem::replace(one, true)),
        None => followed
            .iter_mut()
            .fold(false, |new, one| new | !std::mem::replace(one, true)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataflow::mini::Mini;

    /// Is the loop around `b` prunable, `p` being the places of checkpoints?
    fn prunable(text: &str, followed: bool) -> bool {
        let mini = Mini::new(text);
        let loops = mini.loops();
        let around = loops.around(mini.at("b")).expect("a loop");
        is_prunable(&mini.flow(), &loops.all[around], &mini.all("p"), followed)
    }

    #[test]
    fn s11_a_loop_without_checkpoint_after_it_may_be_forgotten() {
        assert!(prunable("while (c) { b; p; } e;", false));
        assert!(prunable("p; while (c) { b; } e;", false));
        assert!(prunable("for (i; c; s) { b; if (x) break; p; } e;", false));
        assert!(prunable("if (x) { while (c) b; } else { p; }", false));
        assert!(prunable("while (1) { p; b; }", true));
        assert!(prunable("again: b; p; if (c) goto again; e;", false));
    }

    #[test]
    fn s09_a_loop_with_a_checkpoint_after_it_is_kept() {
        assert!(!prunable("while (c) { b; } p;", false));
        assert!(!prunable("while (c) { while (d) { b; } p; }", false));
        assert!(!prunable("while (c) { while (d) { b; p; } }", false));
        assert!(!prunable(
            "for (;;) { for (i; c; s) b; if (x) break; } p;",
            false
        ));
        assert!(!prunable("while (c) { b; p; } e;", true));
        assert!(!prunable(
            "again: b; if (c) goto again; if (d) { p; }",
            false
        ));
        assert!(!prunable("in: while (c) { b; p; } if (d) goto in;", false));
    }

    fn facts(mini: &Mini, sites: &[&str], calls: &[(&str, usize)], unknown: bool) -> FunctionFacts {
        FunctionFacts {
            flow: mini.flow(),
            sites: sites.iter().map(|name| mini.at(name)).collect(),
            calls: calls
                .iter()
                .map(|(name, callee)| CallFact {
                    place: mini.at(name),
                    callee: Some(*callee),
                })
                .collect(),
            has_unknown_callers: unknown,
        }
    }

    #[test]
    fn a_checkpoint_in_the_caller_follows_what_it_called_before() {
        let main = Mini::new("prepare; while (c) { step; p; } report;");
        let step = Mini::new("inner;");
        let leaf = Mini::new("a;");
        let functions = [
            facts(
                &main,
                &["p"],
                &[("prepare", 2), ("step", 1), ("report", 3)],
                false,
            ),
            facts(&step, &[], &[("inner", 4)], false),
            facts(&leaf, &[], &[], false),
            facts(&leaf, &[], &[], false),
            facts(&leaf, &[], &[], false),
            facts(&leaf, &[], &[], true),
        ];
        // main, step, prepare, report, inner (through step), and one whose callers are not known
        assert_eq!(
            followed_by_checkpoint(&functions),
            [false, true, true, false, true, true]
        );
    }
}
