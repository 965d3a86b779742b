//! The control-flow graph of a function, for questions of the kind "may control come from here to there?".
//!
//! In: a [`Function`]. Out: a [`Flow`], whose nodes are simple statements, directives, and the heads of compound ones
//! (the condition of an `if`, the three parts of a `for`). The one idea: places are offsets in the preprocessed text,
//! as everywhere, and a place belongs to the smallest node that contains it.
//!
//! ```text
//! for (i = 0; i < n; i++) { a(); }  b();      a → b, a → a, i++ → a, but not b → a
//! ```
//!
//! Errors fall on the side of *yes*: within one node everything may follow everything else, a computed goto goes to
//! every label, `setjmp` may come back from anywhere, an unknown place reaches all.
//!
//! Not here: values (only constant conditions of loops are looked at), other functions.

use super::lowering::{self, Work};
use crate::catalog::Catalogue;
use crate::program::{Expression, Function, StatementId};
use crate::solver::reached;
use crate::source::Span;

/// Number of a node in [`Flow::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub usize);

/// A step of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its text. Empty for a part of a `for` that is left out.
    pub span: Span,
    /// The statement it belongs to; `None` for the entry and the exit.
    pub statement: Option<StatementId>,
    /// Where control may go from here.
    pub next: Vec<NodeId>,
}

/// The control flow of a function.
#[derive(Clone, Debug)]
pub struct Flow {
    /// All nodes, the entry first, the exit second, then in the order of the text.
    pub nodes: Vec<Node>,
    /// Control may come back into it out of what it calls, at a `setjmp`.
    pub returns_twice: bool,
}

impl Flow {
    /// Where an activation begins.
    pub const ENTRY: NodeId = NodeId(0);
    /// Where it ends.
    pub const EXIT: NodeId = NodeId(1);

    /// Looks at a function. The catalogue says which functions return twice.
    pub fn of(function: &Function, catalogue: &Catalogue) -> Flow {
        Flow::with_work(function, catalogue).0
    }

    /// Looks at a function, and tells what is evaluated in each node.
    pub fn with_work<'a>(
        function: &'a Function,
        catalogue: &'a Catalogue,
    ) -> (Flow, Vec<Work<'a>>) {
        Flow::with_truth(function, catalogue, &|_| None)
    }

    /// The same without the ways on which control never goes, by what is known of conditions.
    pub fn with_truth<'a>(
        function: &'a Function,
        catalogue: &'a Catalogue,
        truth: &dyn Fn(&Expression) -> Option<bool>,
    ) -> (Flow, Vec<Work<'a>>) {
        lowering::lower(&function.body, catalogue, truth)
    }

    /// For every node: whether control may come there at all.
    pub fn reached(&self) -> Vec<bool> {
        self.along([Flow::ENTRY.0], |_, _| true)
    }

    /// The step that a place belongs to.
    pub fn node_at(&self, place: usize) -> Option<NodeId> {
        let holding = |(_, node): &(usize, &Node)| node.span.has(place);
        self.nodes
            .iter()
            .enumerate()
            .filter(holding)
            .min_by_key(|(_, node)| node.span.end - node.span.start)
            .map(|(index, _)| NodeId(index))
    }

    /// Where control may go from a node.
    pub fn next(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        self.nodes[node].next.iter().map(|to| to.0)
    }

    /// For every node: whether control may come to it after it has left `from`.
    pub fn after(&self, from: NodeId) -> Vec<bool> {
        self.along(self.next(from.0), |_, _| true)
    }

    /// For every node: whether it is one of `from`, or control may come to it from there along edges that are open.
    pub fn along(
        &self,
        from: impl IntoIterator<Item = usize>,
        is_open: impl Fn(usize, usize) -> bool,
    ) -> Vec<bool> {
        reached(self.nodes.len(), from, |node, open| {
            open.extend(self.next(node).filter(|to| is_open(node, *to)));
        })
    }

    /// The nodes to which control may come from one along edges that are open, with that one, nearest first.
    pub fn nearest(&self, from: usize, is_open: impl Fn(usize, usize) -> bool) -> Vec<usize> {
        let mut seen = vec![false; self.nodes.len()];
        seen[from] = true;
        let mut order = vec![from];
        let mut next = 0;
        while let Some(&node) = order.get(next) {
            next += 1;
            for to in self.next(node).filter(|to| is_open(node, *to)) {
                if !std::mem::replace(&mut seen[to], true) {
                    order.push(to);
                }
            }
        }
        order
    }

    /// For every node: from which ones control may come there.
    pub fn previous(&self) -> Vec<Vec<usize>> {
        let mut previous = vec![Vec::new(); self.nodes.len()];
        for node in 0..self.nodes.len() {
            self.next(node).for_each(|to| previous[to].push(node));
        }
        previous
    }

    /// For every node: whether control may come to one of `to` after it has left it.
    pub fn before(&self, to: &[usize]) -> Vec<bool> {
        let previous = self.previous();
        let first = to.iter().flat_map(|to| &previous[*to]).copied();
        reached(self.nodes.len(), first, |node, open| {
            open.extend(&previous[node])
        })
    }

    /// Whether control may come from `earlier` to `later` within one activation. A place follows itself only when it
    /// is in a cycle.
    pub fn may_follow(&self, earlier: usize, later: usize) -> bool {
        match (self.node_at(earlier), self.node_at(later)) {
            (Some(from), Some(to)) if from == to => earlier != later || self.after(from)[to.0],
            (Some(from), Some(to)) => self.after(from)[to.0],
            _ => true,
        }
    }

    /// Whether the activation may end after control was at `place`.
    pub fn may_return_after(&self, place: usize) -> bool {
        self.node_at(place)
            .is_none_or(|from| self.after(from)[Flow::EXIT.0])
    }
}

#[cfg(test)]
mod tests {
    use crate::dataflow::mini::Mini;

    #[track_caller]
    fn check(text: &str, yes: &[(&str, &str)], no: &[(&str, &str)]) {
        let mini = Mini::new(text);
        let flow = mini.flow();
        for (from, to) in yes {
            assert!(
                flow.may_follow(mini.at(from), mini.at(to)),
                "{from} → {to} in {text}"
            );
        }
        for (from, to) in no {
            assert!(
                !flow.may_follow(mini.at(from), mini.at(to)),
                "no {from} → {to} in {text}"
            );
        }
    }

    #[test]
    fn statements_follow_each_other_once() {
        check("a; b;", &[("a", "b")], &[("b", "a"), ("a", "a")]);
    }

    #[test]
    fn branches_exclude_each_other() {
        check(
            "if (c) { a; } else { b; } d;",
            &[("a", "d"), ("b", "d"), ("c", "a"), ("c", "b")],
            &[("a", "b"), ("b", "a"), ("d", "c")],
        );
        check("if (c) { a; return; } b;", &[("c", "b")], &[("a", "b")]);
    }

    #[test]
    fn loops_come_back() {
        check(
            "while (c) { a; b; } d;",
            &[("b", "a"), ("a", "a"), ("a", "c"), ("c", "c"), ("a", "d")],
            &[("d", "a")],
        );
        check(
            "for (i; c; s) { a; if (x) continue; b; } d;",
            &[("s", "a"), ("a", "s"), ("b", "c"), ("x", "s"), ("i", "d")],
            &[("a", "i"), ("i", "i"), ("d", "s")],
        );
        check(
            "do { a; if (x) continue; b; } while (c); d;",
            &[("x", "c"), ("c", "a"), ("b", "d")],
            &[],
        );
        check("do { a; b; } while (0); d;", &[("a", "d")], &[("b", "a")]);
    }

    #[test]
    fn endless_loops_end_by_break_only() {
        check("while (1) { a; } d;", &[("a", "a")], &[("a", "d")]);
        check(
            "for (;;) { a; if (x) break; b; } d;",
            &[("x", "d"), ("b", "d"), ("b", "a")],
            &[],
        );
        check(
            "for (;;) { while (c) { break; } a; } d;",
            &[("a", "c")],
            &[("a", "d")],
        );
    }

    #[test]
    fn cases_fall_through() {
        check(
            "switch (v) { case 1: a; case 2: b; break; default: d; } e;",
            &[("a", "b"), ("v", "b"), ("b", "e"), ("d", "e")],
            &[("b", "d"), ("a", "d"), ("b", "a")],
        );
        check("switch (v) { case 1: a; } e;", &[("v", "e")], &[]);
        check(
            "switch (v) { case 1: a; return; default: return; } e;",
            &[],
            &[("v", "e")],
        );
        check(
            "switch (v) { case 0: do { a; case 1: b; } while (c); } e;",
            &[("v", "b"), ("b", "a"), ("v", "a")],
            &[],
        );
    }

    #[test]
    fn gotos_go_where_they_say() {
        check(
            "again: a; b; if (c) goto again; d;",
            &[("b", "a"), ("c", "a")],
            &[("d", "a")],
        );
        check("a; goto out; b; out: d;", &[("a", "d")], &[("a", "b")]);
        check(
            "if (c) goto in; while (x) { a; in: b; } d;",
            &[("c", "b"), ("b", "a")],
            &[("d", "b")],
        );
    }

    #[test]
    fn what_is_not_known_may_go_anywhere() {
        check(
            "l: a; goto *p; b; m: d;",
            &[("a", "a"), ("a", "d")],
            &[("a", "b")],
        );
        check("setjmp(x); a; b;", &[("b", "a"), ("b", "setjmp")], &[]);
        check("f(g(x)); a;", &[("f", "g"), ("g", "f")], &[("a", "g")]);
    }

    #[test]
    fn an_activation_may_end() {
        let mini = Mini::new("a; while (1) { b; if (c) return; d; }");
        assert!(mini.flow().may_return_after(mini.at("d")));
        let mini = Mini::new("a; while (1) { b; }");
        assert!(!mini.flow().may_return_after(mini.at("a")));
    }
}
