//! Checkpoints in a parallel region behind which a thread may go on before all have come (S60).
//!
//! In: a checkpoint, and what comes behind it in its blocks. Out: whether the thread has something to do that changes nothing
//! which the checkpoint saves, and the place behind that, at which it waits. What it has of its own was copied at the checkpoint
//! (its shadows), or is an array that no checkpoint holds, so statements that set such variables alone, read anything, and call
//! functions without effects, may run while
//! other threads are still on their way. At the first statement that is something else it waits: a store to anything else, a call,
//! a barrier or another construct of OpenMP, a directive, a jump, and the end of the body of a loop, of a construct and of the
//! function. So it never holds or hands out anything that the others need to come.
//!
//! ```c
//! #pragma cccp checkpoint            if (… cccp_pass(…)) { … cccp_save(&cccp_f, 6, &cccp_thread); } …
//! for (i = 0; i < n; i++)            for (i = 0; i < n; i++)
//!     own += u[i];                       own += u[i]; ; if (cccp_thread.saved) { cccp_await(&cccp_thread); }
//! u[k] = own;                        u[k] = own;
//! ```

use super::builder::Builder;
use super::data::Step;
use crate::dataflow::called_name;
use crate::program::{
    Declaration, Directive, DirectiveId, Expression, ExpressionKind, ForStart, Initialiser,
    Program, Statement, StatementKind, SymbolId, TypeKind, UnaryOperator,
};

/// What comes behind a place in each block around it, from the outermost to the innermost.
type Behind<'a> = Vec<&'a [Statement]>;

/// Whether there may be several threads.
fn has_regions(program: &Program) -> bool {
    let mut functions = program.units.iter().flat_map(|unit| &unit.functions);
    functions.any(|one| {
        let mut found = false;
        one.body.walk(&mut |statement| {
            found |= statement.openmp.iter().any(|one| one.is_parallel());
            !found
        });
        found
    })
}

impl<'a> Builder<'a> {
    /// Finds the checkpoints behind which a thread has something to do, and lets it wait where that ends.
    pub(super) fn collect_going_on(&mut self) {
        if !has_regions(self.program) {
            return;
        }
        let mut found = Vec::new();
        self.find_going_on(&self.function.body, &mut Vec::new(), &mut found);
        // Text of a macro stays as it is.
        for (id, last) in found.into_iter().filter(|(_, last)| last.place.is_some()) {
            self.going_on.insert(id);
            self.after(last, 0, vec![Step::Await]);
        }
    }

    fn find_going_on(
        &self,
        s: &'a Statement,
        behind: &mut Behind<'a>,
        found: &mut Vec<(DirectiveId, &'a Statement)>,
    ) {
        match &s.kind {
            StatementKind::Directive(id) => {
                let directive = &self.unit.directives[id.0].directive;
                let is_taken_here = matches!(directive, Directive::Checkpoint { stands: None, .. });
                if is_taken_here && let Some(last) = self.last_before_waiting(behind) {
                    found.push((*id, last));
                }
            }
            StatementKind::Compound { items, .. } if s.openmp.is_empty() => {
                for (number, item) in items.iter().enumerate() {
                    behind.push(&items[number + 1..]);
                    self.find_going_on(item, behind, found);
                    behind.pop();
                }
            }
            StatementKind::If {
                then, otherwise, ..
            } if s.openmp.is_empty() => {
                for branch in [Some(then), otherwise.as_ref()].into_iter().flatten() {
                    self.find_going_on(branch, behind, found);
                }
            }
            // Its end is not the end of what is around it: a body that is run again, or by several threads.
            StatementKind::Compound { items, .. } => {
                for (number, item) in items.iter().enumerate() {
                    let mut inside = vec![&items[number + 1..]];
                    self.find_going_on(item, &mut inside, found);
                }
            }
            _ => {
                for child in s.children() {
                    self.find_going_on(child, &mut Vec::new(), found);
                }
            }
        }
    }

    /// The last statement that a thread may execute before it waits; none when it waits at once.
    fn last_before_waiting(&self, behind: &[&'a [Statement]]) -> Option<&'a Statement> {
        let mut last = None;
        for rest in behind.iter().rev() {
            for one in *rest {
                if !self.changes_nothing_saved(one) {
                    return last;
                }
                last = Some(one);
            }
        }
        last
    }

    /// Whether a statement sets nothing but variables of which the checkpoint has a copy, or that are in none.
    fn changes_nothing_saved(&self, s: &Statement) -> bool {
        let is_loop = matches!(
            s.kind,
            StatementKind::For { .. } | StatementKind::While { .. } | StatementKind::DoWhile { .. }
        );
        let mut is_good = true;
        s.walk(&mut |one| {
            is_good &= one.openmp.is_empty()
                && match &one.kind {
                    StatementKind::Compound { .. }
                    | StatementKind::Expression(_)
                    | StatementKind::If { .. }
                    | StatementKind::While { .. }
                    | StatementKind::DoWhile { .. } => true,
                    StatementKind::For { start, .. } => match start {
                        ForStart::Declaration(declaration) => self.declares_own(declaration),
                        _ => true,
                    },
                    StatementKind::Declaration(declaration) => self.declares_own(declaration),
                    StatementKind::Break | StatementKind::Continue => is_loop,
                    _ => false,
                };
            is_good
        });
        if is_good {
            s.walk_expressions(&mut |one| is_good &= self.is_without_effect(one));
        }
        is_good
    }

    /// Whether a declaration makes variables of the thread alone that no checkpoint saves where they lie.
    fn declares_own(&self, declaration: &Declaration) -> bool {
        declaration.declarators.iter().all(|one| {
            let declared = self.symbol(one.symbol).declared.start;
            let is_plain = !matches!(one.initialiser, Some(Initialiser::List(_)));
            let is_own = self.wants_shadow(one.symbol, declared)
                || self.unsaved(one.symbol, declared).is_some();
            is_plain && is_own
        })
    }

    /// Whether an expression, those inside of it aside, changes nothing that is saved.
    fn is_without_effect(&self, e: &Expression) -> bool {
        match &e.kind {
            ExpressionKind::Assign { target, .. } | ExpressionKind::Step(_, target) => {
                match &target.kind {
                    ExpressionKind::Name {
                        symbol: Some(symbol),
                        ..
                    } => self.wants_shadow(*symbol, target.span.start),
                    ExpressionKind::Index { .. } => {
                        array_of(target).is_some_and(|(symbol, depth)| {
                            self.unsaved(symbol, target.span.start) == Some(depth)
                        })
                    }
                    _ => false,
                }
            }
            ExpressionKind::Call { callee, .. } => {
                called_name(callee).is_some_and(|(name, _)| self.is_pure(name))
            }
            ExpressionKind::Name { .. }
            | ExpressionKind::Number(_)
            | ExpressionKind::Text
            | ExpressionKind::Unary(..)
            | ExpressionKind::Binary(..)
            | ExpressionKind::Logical { .. }
            | ExpressionKind::Conditional { .. }
            | ExpressionKind::Comma(_)
            | ExpressionKind::Cast(_)
            | ExpressionKind::Member { .. }
            | ExpressionKind::Index { .. }
            | ExpressionKind::Unevaluated(_) => true,
            _ => false,
        }
    }

    /// How many dimensions an array of numbers has that is the thread's own, is used by its elements alone, and is in no register; none
    /// for anything else.
    fn unsaved(&self, symbol: SymbolId, position: usize) -> Option<usize> {
        let is_shared = self.is_shared_inside(symbol, position);
        if is_shared || !self.is_automatic(symbol) || self.is_registered(symbol) {
            return None;
        }
        let mut ty = self.symbol(symbol).ty;
        let mut dimensions = 0;
        while let TypeKind::Array { element, .. } = &self.unit.ty(ty).kind {
            (ty, dimensions) = (*element, dimensions + 1);
        }
        let (mut mentions, mut elements) = (0isize, 0isize);
        self.function.body.walk_expressions(&mut |one| {
            let is_it = |symbol_here: SymbolId| symbol_here == symbol;
            mentions += isize::from(one.symbol().is_some_and(is_it));
            elements += isize::from(array_of(one) == Some((symbol, dimensions)));
            // Somebody else may register it by its address.
            if let ExpressionKind::Unary(UnaryOperator::Address, operand) = &one.kind {
                elements -= isize::from(array_of(operand).is_some_and(|(at, _)| is_it(at)));
            }
        });
        let is_good = dimensions > 0 && self.is_scalar(ty) && mentions == elements;
        is_good.then_some(dimensions)
    }

    /// Whether this is a function of a library that gives a value and does nothing else.
    fn is_pure(&self, name: &str) -> bool {
        let mut functions = self.program.units.iter().flat_map(|unit| &unit.functions);
        if functions.any(|one| one.name == name) {
            return false;
        }
        self.catalogue.find(name).is_some_and(|one| {
            !one.never_returns
                && !one.variadic
                && one.effects.is_empty()
                && one.stores.is_empty()
                && one.calls.is_empty()
                && one.returns.is_empty()
                && one.roles.is_empty()
        })
    }
}

/// The array of which an expression is an element, and how many indices lead to it.
fn array_of(e: &Expression) -> Option<(SymbolId, usize)> {
    match &e.kind {
        ExpressionKind::Index { array, .. } => match &array.kind {
            ExpressionKind::Name {
                symbol: Some(symbol),
                ..
            } => Some((*symbol, 1)),
            _ => array_of(array).map(|(symbol, depth)| (symbol, depth + 1)),
        },
        _ => None,
    }
}
