//! Statement expressions: `({ … })`.
//!
//! Straight lines and branches are kept as they are; a loop in one becomes a [`StepKind::Repeat`], and so does
//! everything when control may leave by a jump.

use super::lower::Lowerer;
use super::model::{Location, StepKind, ValueId};
use crate::program::{Expression, ExpressionKind, ForStart, Statement, StatementKind};

impl<'a> Lowerer<'a, '_> {
    /// The value of a statement expression: that of its last statement.
    pub fn statement_value(&mut self, whole: &'a Expression, body: &'a Statement) -> ValueId {
        let last = self.all_but_last(body);
        match last {
            Some(last) => self.value(last),
            None => self.nothing(whole.ty, whole.span),
        }
    }

    pub fn statement_effect(&mut self, body: &'a Statement) {
        if let Some(last) = self.all_but_last(body) {
            self.effect(last);
        }
    }

    pub fn statement_aggregate(&mut self, whole: &'a Expression, body: &'a Statement) -> Location {
        match self.all_but_last(body) {
            Some(last) => self.aggregate(last),
            None => {
                let temporary = self.temporary(whole.ty, whole.span);
                self.whole(temporary, whole.ty)
            }
        }
    }

    /// What happens before the last expression, which gives the value.
    fn all_but_last(&mut self, body: &'a Statement) -> Option<&'a Expression> {
        let StatementKind::Compound { items, .. } = &body.kind else {
            self.inner(body);
            return None;
        };
        let (last, before) = items.split_last()?;
        for item in before {
            self.inner(item);
        }
        let mut last = last;
        while let StatementKind::Labelled { body, .. } = &last.kind {
            last = body;
        }
        match &last.kind {
            StatementKind::Expression(Some(value)) => {
                self.note_effects(value);
                Some(value)
            }
            _ => {
                self.inner(last);
                None
            }
        }
    }

    fn inner(&mut self, statement: &'a Statement) {
        for expression in statement.expressions() {
            self.note_effects(expression);
        }
        match &statement.kind {
            StatementKind::Compound { items, .. } => {
                for item in items {
                    self.inner(item);
                }
            }
            StatementKind::Expression(value) => {
                if let Some(value) = value {
                    self.effect(value);
                }
            }
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                self.value(condition);
                let ((), first) = self.apart(|lowerer| lowerer.inner(then));
                let ((), second) = self.apart(|lowerer| {
                    if let Some(otherwise) = otherwise {
                        lowerer.inner(otherwise);
                    }
                });
                self.choose(vec![first, second], statement.span);
            }
            StatementKind::While { condition, body } => {
                self.value(condition);
                self.repeated(statement, |lowerer| {
                    lowerer.inner(body);
                    lowerer.note_effects(condition);
                    lowerer.value(condition);
                });
            }
            StatementKind::DoWhile { body, condition } => {
                if matches!(condition.kind, ExpressionKind::Number(Some(0))) {
                    self.inner(body);
                } else {
                    self.repeated(statement, |lowerer| {
                        lowerer.inner(body);
                        lowerer.value(condition);
                    });
                }
            }
            StatementKind::For {
                start,
                condition,
                step,
                body,
                ..
            } => {
                match start {
                    ForStart::Nothing => {}
                    ForStart::Expression(value) => self.effect(value),
                    ForStart::Declaration(declaration) => self.declaration(declaration),
                }
                self.repeated(statement, |lowerer| {
                    if let Some(condition) = condition {
                        lowerer.value(condition);
                    }
                    lowerer.inner(body);
                    if let Some(step) = step {
                        lowerer.effect(step);
                    }
                });
            }
            StatementKind::Switch { value, body } => {
                self.value(value);
                self.repeated(statement, |lowerer| lowerer.inner(body));
            }
            StatementKind::Labelled { body, .. } => self.inner(body),
            StatementKind::Return(value) => {
                let last = self.returned(value.as_ref());
                self.push(last, statement.span);
            }
            StatementKind::Declaration(declaration) => self.declaration(declaration),
            StatementKind::Directive(id) => self.push(StepKind::Directive(*id), statement.span),
            StatementKind::OpenMp(construct) => self.alone(statement, construct),
            StatementKind::Assembly(_) | StatementKind::Goto(None) => self.opaque(statement),
            StatementKind::Goto(Some(_)) | StatementKind::Break | StatementKind::Continue => {}
        }
    }

    fn repeated(&mut self, statement: &'a Statement, lower: impl FnOnce(&mut Self)) {
        let ((), steps) = self.apart(lower);
        if !steps.is_empty() {
            self.push(StepKind::Repeat(steps), statement.span);
        }
    }
}

/// Whether control may leave an expression, or a part of it, by a jump.
pub(super) fn jumps(expression: &Expression) -> bool {
    let mut found = false;
    expression.walk(&mut |inner| {
        if let ExpressionKind::Statement(body) = &inner.kind {
            found |= leaves(body, false, false);
        }
    });
    found
}

fn leaves(statement: &Statement, in_loop: bool, in_switch: bool) -> bool {
    match &statement.kind {
        StatementKind::Goto(_) | StatementKind::Return(_) => true,
        StatementKind::Assembly(assembly) => !assembly.labels.is_empty(),
        StatementKind::Labelled { .. } if !in_switch => true,
        StatementKind::Break => !in_loop && !in_switch,
        StatementKind::Continue => !in_loop,
        StatementKind::Switch { body, .. } => leaves(body, in_loop, true),
        _ => {
            let inside = in_loop || statement.is_loop();
            let mut children = statement.children().into_iter();
            children.any(|child| leaves(child, inside, in_switch))
        }
    }
}
