//! A function seen as a list of statements with their parents, its loops and its control flow.

use crate::catalog::Catalogue;
use crate::dataflow::{Flow, Loop, Loops};
use crate::program::{Function, ScopeId, Statement, StatementId, SymbolId, Unit};

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
    pub loops: Vec<Loop>,
    /// Where control may go.
    pub flow: Flow,
}

impl<'a> Picture<'a> {
    /// Looks at a function.
    pub fn of(unit: &'a Unit, function: &'a Function, catalogue: &Catalogue) -> Picture<'a> {
        let mut picture = Picture {
            unit,
            function,
            statements: Vec::new(),
            parents: Vec::new(),
            loops: Loops::of(function).all,
            flow: Flow::of(function, catalogue),
        };
        picture.collect(&function.body, None);
        picture
    }

    fn collect(&mut self, statement: &'a Statement, parent: Option<usize>) {
        let number = self.statements.len();
        self.statements.push(statement);
        self.parents.push(parent);
        for child in statement.children() {
            self.collect(child, Some(number));
        }
    }

    /// The number here of a statement.
    pub fn number(&self, id: StatementId) -> Option<usize> {
        self.statements
            .iter()
            .position(|statement| statement.id == id)
    }

    /// Index of the innermost loop around a place.
    pub fn loop_at(&self, position: usize) -> Option<usize> {
        (0..self.loops.len())
            .rev()
            .find(|&index| self.loops[index].has(position))
    }

    /// Whether some loop contains both places.
    pub fn share_a_loop(&self, a: usize, b: usize) -> bool {
        self.loops.iter().any(|one| one.has(a) && one.has(b))
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
        self.exists(symbol, scope, position) && !self.hidden(symbol, scope, position)
    }

    /// Whether a place lies in the scope of a symbol, which may be hidden there.
    pub fn exists(&self, symbol: SymbolId, scope: ScopeId, position: usize) -> bool {
        let facts = &self.unit.symbols[symbol.0];
        facts.visible_from <= position && self.scope_within(scope, facts.scope)
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
