//! A function seen as a list of statements with their parents, and the loops among them.
//!
//! Backward gotos form loops, too: from the label to the end of the label's sibling that contains the goto.

use crate::program::{Function, Label, ScopeId, Statement, StatementKind, SymbolId, Unit};
use crate::source::Span;
use std::collections::HashMap;

/// A loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoopFact {
    /// The statement it is (or the labelled statement where a loop of gotos begins).
    pub statement: usize,
    /// Its text. For a `for` the declaration or expression that is evaluated once is outside, see `inside_from`.
    pub span: Span,
    /// Places from here on are inside.
    pub inside_from: usize,
    /// Formed by a goto.
    pub by_goto: bool,
    /// Index of the loop around it.
    pub parent: Option<usize>,
    /// Overlaps with another loop without being nested in it.
    pub tangled: bool,
}

/// One function as analyses want it.
pub struct Picture<'a> {
    /// The unit around it.
    pub unit: &'a Unit,
    /// The function.
    pub function: &'a Function,
    /// Statements by number.
    pub statements: Vec<&'a Statement>,
    /// Parents by number.
    pub parents: Vec<Option<usize>>,
    /// Loops, outer ones before inner ones.
    pub loops: Vec<LoopFact>,
}

impl<'a> Picture<'a> {
    /// Looks at a function.
    pub fn of(unit: &'a Unit, function: &'a Function) -> Picture<'a> {
        let mut picture = Picture {
            unit,
            function,
            statements: Vec::new(),
            parents: Vec::new(),
            loops: Vec::new(),
        };
        let mut numbers = HashMap::new();
        picture.collect(&function.body, None, &mut numbers);
        picture.find_loops();
        picture
    }

    fn collect(
        &mut self,
        statement: &'a Statement,
        parent: Option<usize>,
        numbers: &mut HashMap<*const Statement, usize>,
    ) {
        let number = self.statements.len();
        numbers.insert(statement, number);
        self.statements.push(statement);
        self.parents.push(parent);
        for child in statement.children() {
            self.collect(child, Some(number), numbers);
        }
    }

    fn find_loops(&mut self) {
        let mut loops = Vec::new();
        let mut labels: HashMap<&str, usize> = HashMap::new();
        for (number, statement) in self.statements.iter().enumerate() {
            match &statement.kind {
                StatementKind::Labelled {
                    label: Label::Name(name),
                    ..
                } => {
                    labels.insert(name, number);
                }
                StatementKind::For { start, .. } => {
                    let inside_from = match start {
                        crate::program::ForStart::Nothing => statement.span.start + 1,
                        crate::program::ForStart::Expression(value) => value.span.end,
                        crate::program::ForStart::Declaration(declaration) => declaration.span.end,
                    };
                    loops.push(one_loop(number, statement.span, inside_from, false));
                }
                StatementKind::While { .. } | StatementKind::DoWhile { .. } => {
                    loops.push(one_loop(
                        number,
                        statement.span,
                        statement.span.start + 1,
                        false,
                    ));
                }
                _ => {}
            }
        }
        for (number, statement) in self.statements.iter().enumerate() {
            let StatementKind::Goto(Some(name)) = &statement.kind else {
                continue;
            };
            let Some(&label) = labels.get(name.as_str()) else {
                continue;
            };
            if self.statements[label].span.start > statement.span.start {
                continue;
            }
            let span = self.goto_span(label, number);
            match loops
                .iter_mut()
                .find(|one| one.by_goto && one.statement == label)
            {
                Some(one) => one.span.end = one.span.end.max(span.end),
                None => loops.push(one_loop(label, span, span.start, true)),
            }
        }
        loops.sort_by_key(|one| (one.span.start, usize::MAX - one.span.end, !one.by_goto));
        for inner in 0..loops.len() {
            for outer in (0..inner).rev() {
                let (a, b) = (loops[outer].span, loops[inner].span);
                if a.contains(b) {
                    if loops[inner].parent.is_none() {
                        loops[inner].parent = Some(outer);
                    }
                } else if b.start < a.end {
                    loops[inner].tangled = true;
                    loops[outer].tangled = true;
                }
            }
        }
        self.loops = loops;
    }

    /// From the label to the end of its sibling that contains the goto.
    fn goto_span(&self, label: usize, goto: usize) -> Span {
        let start = self.statements[label].span.start;
        let home = self.parents[label];
        let mut at = goto;
        while self.parents[at] != home {
            match self.parents[at] {
                Some(parent) => at = parent,
                None => break,
            }
        }
        Span::new(
            start,
            self.statements[at]
                .span
                .end
                .max(self.statements[label].span.end),
        )
    }

    /// Index of the innermost loop around a place.
    pub fn loop_at(&self, position: usize) -> Option<usize> {
        self.loops
            .iter()
            .enumerate()
            .filter(|(_, one)| one.inside_from <= position && position < one.span.end)
            .max_by_key(|(index, _)| *index)
            .map(|(index, _)| index)
    }

    /// Whether some loop contains both places.
    pub fn share_a_loop(&self, a: usize, b: usize) -> bool {
        self.loops.iter().any(|one| {
            let inside = |position| one.inside_from <= position && position < one.span.end;
            inside(a) && inside(b)
        })
    }

    /// Whether what happens at `earlier` may have happened when control is at `later`.
    pub fn may_precede(&self, earlier: usize, later: usize) -> bool {
        earlier < later || self.share_a_loop(earlier, later)
    }

    /// Whether a scope lies inside another (or is it).
    pub fn scope_within(&self, mut inner: ScopeId, outer: ScopeId) -> bool {
        loop {
            if inner == outer {
                return true;
            }
            match self.unit.scopes[inner.0].parent {
                Some(parent) => inner = parent,
                None => return false,
            }
        }
    }

    /// Whether a symbol can be named at a place.
    pub fn visible(&self, symbol: SymbolId, scope: ScopeId, position: usize) -> bool {
        let facts = &self.unit.symbols[symbol.0];
        facts.visible_from <= position
            && self.scope_within(scope, facts.scope)
            && !self.hidden(symbol, scope, position)
    }

    /// Whether an inner declaration of the same name hides it.
    fn hidden(&self, symbol: SymbolId, mut scope: ScopeId, position: usize) -> bool {
        let facts = &self.unit.symbols[symbol.0];
        while scope != facts.scope {
            let hides = self.unit.scopes[scope.0].symbols.iter().any(|other| {
                let other = &self.unit.symbols[other.0];
                other.name == facts.name && other.visible_from <= position
            });
            if hides {
                return true;
            }
            match self.unit.scopes[scope.0].parent {
                Some(parent) => scope = parent,
                None => return false,
            }
        }
        false
    }

    /// How many statements a statement lies in, itself included.
    pub fn depth(&self, statement: usize) -> i32 {
        let mut depth = 1;
        let mut at = statement;
        while let Some(parent) = self.parents[at] {
            depth += 1;
            at = parent;
        }
        depth
    }

    /// Whether a statement lies inside another.
    pub fn is_inside(&self, mut inner: usize, outer: usize) -> bool {
        loop {
            if inner == outer {
                return true;
            }
            match self.parents[inner] {
                Some(parent) => inner = parent,
                None => return false,
            }
        }
    }
}

fn one_loop(statement: usize, span: Span, inside_from: usize, by_goto: bool) -> LoopFact {
    LoopFact {
        statement,
        span,
        inside_from,
        by_goto,
        parent: None,
        tangled: false,
    }
}
