//! The order of operands.
//!
//! C leaves most of it open. A call happens before everything that is not done before it by a rule of C, since that is
//! what a checkpoint in it has to keep: `a[i] = f()` reads `i` after `f` has returned. What the call may overwrite is
//! read before it, too. Where calls of client functions are among the operands, it is known what happens: the plan
//! makes them statements of their own, in the order of the text, and all else in the expression comes after them.
//!
//! ```text
//! a[i] = x + f(y);      read y   call f   read i   read x   write a[i]
//! x = g(y) + f(z);      f is a client function:   read z   call f   read y   call g   write x
//! ```

use super::lower::Lowerer;
use super::model::ValueId;
use crate::program::{
    BinaryOperator, Expression, ExpressionKind, Storage, SymbolKind, TypeKind, UnaryOperator,
};

impl<'a> Lowerer<'a, '_> {
    /// Notes which expressions in it have an effect, and which have calls of client functions; whether it has these itself.
    pub fn note_effects(&mut self, expression: &'a Expression) -> (bool, bool) {
        let mut has = expression.is_effect();
        let mut leads = (self.names.is_client_call)(self.index, expression);
        for child in expression.children() {
            let (has_inside, leads_inside) = self.note_effects(child);
            has |= has_inside;
            leads |= leads_inside;
        }
        let key = std::ptr::from_ref(expression);
        if leads {
            self.leading.insert(key);
            self.led.remove(&key);
            self.discarded.remove(&key);
        }
        if has {
            self.effects.insert(key);
            self.early.remove(&key);
            self.early_calls.remove(&key);
            self.hoisted.remove(&key);
        }
        (has, leads)
    }

    pub fn has_effect(&self, expression: &Expression) -> bool {
        self.effects.contains(&std::ptr::from_ref(expression))
    }

    /// The value of an expression that has been evaluated in advance.
    pub fn evaluated(&self, expression: &Expression) -> Option<ValueId> {
        self.early.get(&std::ptr::from_ref(expression)).copied()
    }

    fn leads(&self, expression: &Expression) -> bool {
        self.leading.contains(&std::ptr::from_ref(expression))
    }

    /// Makes the calls of client functions in some operands, as the plan does (`plan/hoist`).
    fn lead(&mut self, operands: &[&'a Expression]) {
        let led = |operand: &&Expression| self.led.contains(&std::ptr::from_ref(*operand));
        if operands.iter().all(|one| !self.leads(one) || led(one)) {
            return;
        }
        for operand in operands {
            if !self.has_effect(operand) && self.may_be_overwritten(operand) {
                self.value(operand);
            }
        }
        for operand in operands {
            if self.leads(operand) && self.led.insert(*operand) {
                self.lead_one(operand);
            }
        }
    }

    fn lead_one(&mut self, expression: &'a Expression) {
        match &expression.kind {
            ExpressionKind::Call { callee, arguments }
                if (self.names.is_client_call)(self.index, expression) =>
            {
                self.call(expression, callee, arguments);
            }
            ExpressionKind::Logical { right, .. } if self.leads(right) => {
                self.evaluate_early(expression);
            }
            ExpressionKind::Conditional {
                then, otherwise, ..
            } if self.leads(otherwise) || then.as_ref().is_some_and(|then| self.leads(then)) => {
                self.evaluate_early(expression);
            }
            ExpressionKind::Comma(values) => {
                let Some((last, before)) = values.split_last() else {
                    return;
                };
                self.discard(before);
                self.discarded.insert(expression);
                self.lead(&[last]);
            }
            ExpressionKind::Generic(_)
            | ExpressionKind::Statement(_)
            | ExpressionKind::VariadicArgument(_) => self.evaluate_early(expression),
            ExpressionKind::Assign {
                operator,
                target,
                value,
            } if Expression::value_comes_first(*operator, value) => self.lead(&[value, target]),
            _ => self.lead(&expression.children()),
        }
    }

    /// A value that an order of its own leads to; structs are evaluated where they are used.
    fn evaluate_early(&mut self, expression: &'a Expression) {
        let kind = self.kind(expression.ty);
        if !matches!(kind, TypeKind::Record(_) | TypeKind::Void) {
            let value = self.value(expression);
            self.early.insert(expression, value);
        }
    }

    /// Evaluates what stands before the last comma, unless that has been done.
    pub fn before_last(&mut self, comma: &'a Expression, before: &'a [Expression]) {
        if !self.discarded.contains(&std::ptr::from_ref(comma)) {
            self.discard(before);
        }
    }

    fn discard(&mut self, values: &'a [Expression]) {
        for value in values {
            self.effect(value);
        }
    }

    /// Evaluates calls, and what C evaluates in an order of its own, in some operands before the operands themselves.
    pub fn hoist(&mut self, operands: &[&'a Expression]) {
        self.lead(operands);
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
        operator: Option<BinaryOperator>,
        value: &'a Expression,
    ) {
        if operator.is_some() || self.has_effect(target) {
            match Expression::value_comes_first(operator, value) {
                true => self.hoist(&[value, target]),
                false => self.hoist(&[target, value]),
            }
        } else if self.has_effect(value) {
            if !matches!(target.kind, ExpressionKind::Name { .. }) {
                self.place(target);
            }
            self.lead(&[value]);
            self.hoist_one(value);
        }
    }

    fn hoist_one(&mut self, expression: &'a Expression) {
        if !self.has_effect(expression) || !self.hoisted.insert(expression) {
            return;
        }
        match &expression.kind {
            ExpressionKind::Call { callee, arguments } => {
                self.call(expression, callee, arguments);
            }
            ExpressionKind::Logical { .. }
            | ExpressionKind::Conditional { .. }
            | ExpressionKind::Comma(_)
            | ExpressionKind::Generic(_)
            | ExpressionKind::Statement(_)
            | ExpressionKind::VariadicArgument(_) => self.evaluate_early(expression),
            ExpressionKind::Compound(_) => {}
            ExpressionKind::Assign {
                operator,
                target,
                value,
            } => self.hoist_assignment(target, *operator, value),
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
