//! Bytes of texts: what a function reads until it comes to a zero. No pointer lies there, as each has zeros in it.
//!
//! ```text
//! while ((c = *s++)) hash = hash * 33 + c;          what lies behind `s` in this loop is a text
//! for (i = 0; i < strlen(s); i++) sum += s[i];      and so it is wherever this function reads behind `s`
//! ```
//!
//! In: the loops of a function and their conditions, and its steps. Out: whether a byte that it reads is one of a text. Containers hand out
//! texts and structs alike, through the same `void *`: what a function does with them tells them apart.
//!
//! Errors fall on the side of a byte that may be one of a pointer, except where a program adds up the bytes of a struct until one of them
//! is zero.

use rustc_hash::FxHashMap;

use super::search::Search;
use crate::analysis::points_to::Scope;
use crate::dataflow::FunctionRef;
use crate::dataflow::steps::{Base, Combination, Location, Step, StepKind, ValueId, VariableId};
use crate::program::{
    BinaryOperator, Expression, ExpressionKind, StatementKind, UnaryOperator, Unit,
};
use crate::source::Span;

/// The texts of a function.
#[derive(Default)]
pub(super) struct Texts {
    /// The pointers to them, and where they are that.
    pointers: Vec<(VariableId, Span)>,
    /// From which variable a pointer was read.
    read: FxHashMap<ValueId, VariableId>,
}

impl Texts {
    /// Takes a step into account.
    pub fn note(&mut self, step: &Step) {
        if self.pointers.is_empty() {
            return;
        }
        match &step.kind {
            StepKind::Read { place, into } => {
                if let (Base::Variable(variable), []) = (&place.base, place.path.as_slice()) {
                    self.read.insert(*into, *variable);
                }
            }
            StepKind::Combine {
                from,
                into,
                how: Combination::Cast | Combination::PointerStep | Combination::PointerBack,
            } => {
                let variable = from.first().and_then(|one| self.read.get(one)).copied();
                self.read.extend(variable.map(|one| (*into, one)));
            }
            _ => {}
        }
    }

    /// Whether what is read here lies in a text.
    pub fn has(&self, place: &Location, here: Span) -> bool {
        let Base::Pointer(pointer, _) = &place.base else {
            return false;
        };
        let Some(variable) = self.read.get(pointer) else {
            return false;
        };
        let mut all = self.pointers.iter();
        all.any(|(text, span)| text == variable && span.contains(here))
    }
}

impl Search<'_> {
    /// The texts of a function.
    pub(super) fn texts(&self, scope: Scope, function: FunctionRef) -> Texts {
        let mut texts = Texts::default();
        if !matches!(scope, Scope::Routine(_)) {
            return texts;
        }
        let unit = &self.program.units[function.unit];
        let body = &unit.function(function.function).body;
        let mut add = |pointer: &Expression, span| {
            let symbol = pointer.symbol();
            let variable = symbol.and_then(|one| self.steps.variable_of(function.unit, one));
            texts.pointers.extend(variable.map(|one| (one, span)));
        };
        body.walk(&mut |statement| {
            let condition = match &statement.kind {
                StatementKind::While { condition, .. }
                | StatementKind::DoWhile { condition, .. }
                | StatementKind::For {
                    condition: Some(condition),
                    ..
                } => condition,
                _ => return true,
            };
            unless_zero(unit, condition, &mut |pointer| add(pointer, statement.span));
            true
        });
        body.walk_expressions(&mut |one| {
            if let ExpressionKind::Call { callee, arguments } = &one.kind
                && let ExpressionKind::Name { name, .. } = &callee.kind
                && name == "strlen"
            {
                let pointer = arguments.first().map(Expression::without_casts);
                pointer.into_iter().for_each(|one| add(one, body.span));
            }
        });
        texts
    }
}

/// The pointers to the elements that are not zero where a condition holds.
fn unless_zero<'a>(unit: &Unit, condition: &'a Expression, found: &mut dyn FnMut(&'a Expression)) {
    let is_zero = |one: &Expression| unit.constant(one, &mut |_| None) == Some(0);
    match &condition.kind {
        ExpressionKind::Logical {
            and: true,
            left,
            right,
        } => {
            unless_zero(unit, left, found);
            unless_zero(unit, right, found);
        }
        ExpressionKind::Binary(BinaryOperator::NotEqual, left, right) if is_zero(right) => {
            unless_zero(unit, left, found);
        }
        ExpressionKind::Binary(BinaryOperator::NotEqual, left, right) if is_zero(left) => {
            unless_zero(unit, right, found);
        }
        ExpressionKind::Cast(value)
        | ExpressionKind::Assign {
            operator: None,
            value,
            ..
        } => unless_zero(unit, value, found),
        ExpressionKind::Unary(UnaryOperator::Indirection, pointer) => found(walked(pointer)),
        ExpressionKind::Index { array, .. } => found(walked(array)),
        _ => {}
    }
}

/// The pointer along which a function walks: `p` of `p++`, `p + i` and `(char *)p`.
fn walked(pointer: &Expression) -> &Expression {
    match &pointer.kind {
        ExpressionKind::Cast(inner)
        | ExpressionKind::Step(_, inner)
        | ExpressionKind::Binary(BinaryOperator::Add, inner, _) => walked(inner),
        _ => pointer,
    }
}
