//! The order of operands.
//!
//! C leaves most of it open. A call happens before everything that is not done before it by a rule of C, since that is
//! what a checkpoint in it has to keep: `a[i] = f()` reads `i` after `f` has returned. What the call may overwrite is
//! read before it, too.
//!
//! ```text
//! a[i] = x + f(y);      read y   call f   read i   read x   write a[i]
//! ```

use super::lower::Lowerer;
use super::model::ValueId;
use crate::program::{Expression, ExpressionKind, Storage, SymbolKind, TypeKind, UnaryOperator};

impl<'a> Lowerer<'a, '_> {
    /// Notes which expressions in it have an effect.
    pub fn note_effects(&mut self, expression: &'a Expression) -> bool {
        let mut has = matches!(
            expression.kind,
            ExpressionKind::Call { .. }
                | ExpressionKind::Assign { .. }
                | ExpressionKind::Step(..)
                | ExpressionKind::Statement(_)
                | ExpressionKind::VariadicArgument(_)
        );
        for child in expression.children() {
            has |= self.note_effects(child);
        }
        if has {
            let key = std::ptr::from_ref(expression);
            self.effects.insert(key);
            self.early.remove(&key);
            self.early_calls.remove(&key);
            self.hoisted.remove(&key);
        }
        has
    }

    pub fn has_effect(&self, expression: &Expression) -> bool {
        self.effects.contains(&std::ptr::from_ref(expression))
    }

    /// The value of an expression that has been evaluated in advance.
    pub fn evaluated(&self, expression: &Expression) -> Option<ValueId> {
        self.early.get(&std::ptr::from_ref(expression)).copied()
    }

    /// Evaluates calls, and what C evaluates in an order of its own, in some operands before the operands themselves.
    pub fn hoist(&mut self, operands: &[&'a Expression]) {
        let comes_early = |operand: &&Expression| {
            let key = std::ptr::from_ref(*operand);
            self.effects.contains(&key) && !self.hoisted.contains(&key)
        };
        if !operands.iter().any(comes_early) {
            return;
        }
        for operand in operands {
            if !self.has_effect(operand) && self.may_be_overwritten(operand) {
                self.value(operand);
            }
        }
        for operand in operands {
            self.hoist_one(operand);
        }
    }

    /// The same for an assignment, which reads its target only with an operator.
    pub fn hoist_assignment(
        &mut self,
        target: &'a Expression,
        has_operator: bool,
        value: &'a Expression,
    ) {
        if has_operator || self.has_effect(target) {
            self.hoist(&[target, value]);
        } else if self.has_effect(value) {
            if !matches!(target.kind, ExpressionKind::Name { .. }) {
                self.place(target);
            }
            self.hoist_one(value);
        }
    }

    fn hoist_one(&mut self, expression: &'a Expression) {
        if !self.has_effect(expression) || !self.hoisted.insert(expression) {
            return;
        }
        let simple = !matches!(
            self.kind(expression.ty),
            TypeKind::Record(_) | TypeKind::Void
        );
        match &expression.kind {
            ExpressionKind::Call { callee, arguments } => {
                self.call(expression, callee, arguments);
            }
            ExpressionKind::Logical { .. }
            | ExpressionKind::Conditional { .. }
            | ExpressionKind::Comma(_)
            | ExpressionKind::Generic(_)
            | ExpressionKind::Statement(_)
            | ExpressionKind::VariadicArgument(_) => {
                if simple {
                    let value = self.value(expression);
                    self.early.insert(expression, value);
                }
            }
            ExpressionKind::Compound(_) => {}
            ExpressionKind::Assign {
                operator,
                target,
                value,
            } => self.hoist_assignment(target, operator.is_some(), value),
            _ => self.hoist(&expression.children()),
        }
    }

    /// Whether a call could store to what is read here.
    fn may_be_overwritten(&self, expression: &Expression) -> bool {
        match &expression.kind {
            ExpressionKind::Name {
                symbol: Some(symbol),
                ..
            } => {
                let symbol = &self.unit.symbols[symbol.0];
                let local = matches!(symbol.storage, Storage::Automatic | Storage::Register);
                symbol.kind == SymbolKind::Variable
                    && !matches!(
                        self.kind(symbol.ty),
                        TypeKind::Array { .. } | TypeKind::Record(_)
                    )
                    && (!local || symbol.address_taken)
            }
            ExpressionKind::Unary(UnaryOperator::Indirection, _)
            | ExpressionKind::Index { .. }
            | ExpressionKind::Member { .. } => !self.is_aggregate(expression.ty),
            ExpressionKind::Compound(_) => false,
            _ => {
                let mut children = expression.children().into_iter();
                children.any(|child| self.may_be_overwritten(child))
            }
        }
    }
}
