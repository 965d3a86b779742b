//! The loops of a function, those made of gotos too, and how they are nested.
//!
//! In: a function. Out: its loops, outer ones first, each with its parent. A backward goto makes a loop: it reaches
//! from the statement that has the label to the end of the one that contains the goto, both taken at the level of the
//! innermost braces around the two. `do { … } while (0)` is none: it never comes back.
//!
//! ```text
//! again: a(); if (x) goto again;      the loop `again: … goto again;`
//! ```
//!
//! Loops that overlap without one containing the other are marked; whoever relies on nesting must refuse them.
//!
//! Not here: what happens in a loop.

use super::graph::Flow;
use crate::program::{
    Expression, ExpressionKind, ForStart, Function, Statement, StatementId, StatementKind,
};
use crate::source::Span;
use std::collections::HashMap;

/// A loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The loop statement; for a goto the statement before which control enters from above.
    pub statement: StatementId,
    /// Its text.
    pub span: Span,
    /// Places from here to the end are inside: what a `for` does once is not.
    pub inside_from: usize,
    /// Made of gotos.
    pub by_goto: bool,
    /// Index of the loop around it.
    pub parent: Option<usize>,
    /// It overlaps with another loop, and neither contains the other.
    pub overlaps: bool,
}

impl Loop {
    /// Whether a place is inside.
    pub fn has(&self, place: usize) -> bool {
        self.inside_from <= place && place < self.span.end
    }

    /// The nodes to which control goes when it leaves the loop.
    pub fn exits(&self, flow: &Flow) -> Vec<usize> {
        let is_inside = |node: usize| {
            let node = &flow.nodes[node];
            // An empty part of a `for` stands where its first part ends.
            let is_own = node.span.start >= self.inside_from;
            node.statement.is_some() && self.span.contains(node.span) && is_own
        };
        let inside = (0..flow.nodes.len()).filter(|node| is_inside(*node));
        let out = inside.flat_map(|node| flow.next(node).filter(|to| !is_inside(*to)));
        out.collect()
    }
}

/// The loops of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loops {
    /// Outer ones before inner ones.
    pub all: Vec<Loop>,
}

impl Loops {
    /// Looks at a function.
    pub fn of(function: &Function) -> Loops {
        let mut finder = Finder::default();
        finder.collect(&function.body, None);
        finder.statement_loops();
        finder.goto_loops();
        finder.nest()
    }

    /// The innermost loop around a place.
    pub fn around(&self, place: usize) -> Option<usize> {
        (0..self.all.len())
            .rev()
            .find(|&index| self.all[index].has(place))
    }

    /// That loop and all around it, innermost first.
    pub fn path(&self, place: usize) -> Vec<usize> {
        let around = self.around(place).into_iter();
        around.flat_map(|index| self.outward(index)).collect()
    }

    /// A loop and those around it, innermost first.
    pub fn outward(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(index), |&at| self.all[at].parent)
    }
}

#[derive(Default)]
struct Finder<'a> {
    /// Statements, parents first, and the index of each one's parent.
    statements: Vec<(&'a Statement, Option<usize>)>,
    loops: Vec<Loop>,
}

impl<'a> Finder<'a> {
    fn collect(&mut self, statement: &'a Statement, parent: Option<usize>) {
        let index = self.statements.len();
        self.statements.push((statement, parent));
        for child in statement.children() {
            self.collect(child, Some(index));
        }
    }

    fn add(&mut self, statement: &Statement, span: Span, inside_from: usize, by_goto: bool) {
        let known = self
            .loops
            .iter_mut()
            .find(|one| one.by_goto && by_goto && one.span.start == span.start);
        match known {
            Some(one) => one.span.end = one.span.end.max(span.end),
            None => self.loops.push(Loop {
                statement: statement.id,
                span,
                inside_from,
                by_goto,
                parent: None,
                overlaps: false,
            }),
        }
    }

    fn statement_loops(&mut self) {
        for (statement, _) in self.statements.clone() {
            let inside_from = match &statement.kind {
                StatementKind::While { .. } => statement.span.start,
                StatementKind::DoWhile { condition, .. } if !is_zero(condition) => {
                    statement.span.start
                }
                StatementKind::For { start, .. } => match start {
                    ForStart::Nothing => statement.span.start,
                    ForStart::Expression(value) => value.span.end,
                    ForStart::Declaration(declaration) => declaration.span.end,
                },
                _ => continue,
            };
            self.add(statement, statement.span, inside_from, false);
        }
    }

    fn goto_loops(&mut self) {
        let mut labels: HashMap<&str, usize> = HashMap::new();
        for (index, (statement, _)) in self.statements.iter().enumerate() {
            if let Some(name) = statement.label() {
                labels.insert(name, index);
            }
        }
        for goto in 0..self.statements.len() {
            let targets: Vec<usize> = match &self.statements[goto].0.kind {
                StatementKind::Goto(Some(name)) => {
                    labels.get(name.as_str()).copied().into_iter().collect()
                }
                StatementKind::Goto(None) => labels.values().copied().collect(),
                _ => continue,
            };
            for label in targets.into_iter().filter(|&label| label < goto) {
                let (first, last) = self.siblings(label, goto);
                let (first, last) = (self.statements[first].0, self.statements[last].0);
                let span = Span::new(first.span.start, last.span.end.max(first.span.end));
                self.add(first, span, span.start, true);
            }
        }
    }

    /// The items of the innermost braces around both statements that contain them.
    fn siblings(&self, a: usize, b: usize) -> (usize, usize) {
        let (path_a, path_b) = (self.path(a), self.path(b));
        let common = path_a.iter().zip(&path_b).take_while(|(a, b)| a == b);
        let braces = common
            .enumerate()
            .filter(|(_, (index, _))| {
                matches!(
                    self.statements[**index].0.kind,
                    StatementKind::Compound { .. }
                )
            })
            .map(|(depth, _)| depth + 1)
            .last()
            .unwrap_or(0);
        let item = |path: &[usize], own: usize| path.get(braces).copied().unwrap_or(own);
        (item(&path_a, a), item(&path_b, b))
    }

    /// From the body down to the statement.
    fn path(&self, statement: usize) -> Vec<usize> {
        let mut path = vec![statement];
        while let Some(parent) = path.last().and_then(|&last| self.statements[last].1) {
            path.push(parent);
        }
        path.reverse();
        path
    }

    fn nest(mut self) -> Loops {
        let loops = &mut self.loops;
        loops.sort_by_key(|one| (one.span.start, usize::MAX - one.span.end, !one.by_goto));
        for inner in 0..loops.len() {
            for outer in (0..inner).rev() {
                let (a, b) = (loops[outer].span, loops[inner].span);
                if a.contains(b) {
                    loops[inner].parent.get_or_insert(outer);
                } else if b.start < a.end {
                    loops[inner].overlaps = true;
                    loops[outer].overlaps = true;
                }
            }
        }
        Loops { all: self.loops }
    }
}

fn is_zero(condition: &Expression) -> bool {
    matches!(condition.kind, ExpressionKind::Number(Some(0)))
}

#[cfg(test)]
mod tests {
    use crate::dataflow::mini::Mini;

    /// The loops as text, each with the number of its parent.
    #[track_caller]
    fn check(text: &str, expected: &[(&str, Option<usize>)]) {
        let mini = Mini::new(text);
        let loops = mini.loops();
        let found: Vec<(&str, Option<usize>)> = loops
            .all
            .iter()
            .map(|one| (mini.text(one.span), one.parent))
            .collect();
        assert_eq!(found, expected);
        assert!(loops.all.iter().all(|one| !one.overlaps));
    }

    #[test]
    fn loops_know_their_parents() {
        check(
            "while (c) { for (;;) a; do b; while (d); } for (i; n; s) { }",
            &[
                ("while (c) { for (;;) a; do b; while (d); }", None),
                ("for (;;) a;", Some(0)),
                ("do b; while (d);", Some(0)),
                ("for (i; n; s) { }", None),
            ],
        );
        check("do { a; } while (0);", &[]);
    }

    #[test]
    fn a_for_begins_after_what_it_does_once() {
        let mini = Mini::new("for (i; n; s) { a; }");
        let loops = mini.loops();
        let inside = ["i", "n", "s", "a"].map(|name| loops.around(mini.at(name)).is_some());
        assert_eq!(inside, [false, true, true, true]);
    }

    #[test]
    fn backward_gotos_make_loops_at_the_level_of_the_label() {
        check(
            "x; again: a; if (c) { b; goto again; } d;",
            &[("again: a; if (c) { b; goto again; }", None)],
        );
        check("goto out; a; out: b;", &[]);
        check(
            "a: x; if (c) goto a; y; if (d) goto a; z;",
            &[("a: x; if (c) goto a; y; if (d) goto a;", None)],
        );
        check(
            "a: x; b: y; if (c) goto b; if (d) goto a; z;",
            &[
                ("a: x; b: y; if (c) goto b; if (d) goto a;", None),
                ("b: y; if (c) goto b;", Some(0)),
            ],
        );
        check(
            "a: b: x; if (c) goto b; z;",
            &[("a: b: x; if (c) goto b;", None)],
        );
        check(
            "switch (v) { case 1: again: x; if (c) goto again; y; } z;",
            &[("case 1: again: x; if (c) goto again;", None)],
        );
        check(
            "{ in: x; } y; if (c) goto in; z;",
            &[("{ in: x; } y; if (c) goto in;", None)],
        );
        check(
            "while (c) { again: x; if (d) goto again; }",
            &[
                ("while (c) { again: x; if (d) goto again; }", None),
                ("again: x; if (d) goto again;", Some(0)),
            ],
        );
        check(
            "a: while (c) { x; goto a; }",
            &[
                ("a: while (c) { x; goto a; }", None),
                ("while (c) { x; goto a; }", Some(0)),
            ],
        );
    }

    #[test]
    fn loops_that_overlap_say_so() {
        let mini = Mini::new("a: x; b: y; if (c) goto a; z; if (d) goto b;");
        assert!(mini.loops().all.iter().all(|one| one.overlaps));
    }

    #[test]
    fn the_path_leads_outward() {
        let mini = Mini::new("while (c) { for (;;) a; b; }");
        let loops = mini.loops();
        assert_eq!(loops.path(mini.at("a")), [1, 0]);
        assert_eq!(loops.path(mini.at("b")), [0]);
    }
}
