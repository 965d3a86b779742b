//! Calls of client functions inside expressions become steps of their own before the statement.
//!
//! In: an expression. Out: steps to run before it, and cuts that say what stands in the places of the calls. The
//! order that C demands is kept: the right side of `&&`, `||` and `?:` runs only when it would, commas keep their
//! order, a call's arguments come before the call. What has its value when a later call may take a checkpoint is
//! recorded in a block of its own, so that a restart that ends in the later call finds it again.

use super::builder::Builder;
use super::data::Step;
use crate::analysis::Finding;
use crate::diagnostic::Code;
use crate::program::{Expression, ExpressionKind, ScopeId, Statement, TypeKind};

/// Where the hoisted steps will stand.
#[derive(Clone, Copy)]
pub struct Spot<'a> {
    /// The statement the expression belongs to.
    pub statement: &'a Statement,
    /// The scope of names.
    pub scope: ScopeId,
    /// Where the steps will stand when that is before the declared names; otherwise the call's own place counts.
    pub names_at: Option<usize>,
}

/// Conditions that hold where a step stands: the variable that remembers them, and its value.
pub type Known = Vec<(String, bool)>;

impl<'a> Builder<'a> {
    /// Whether a client function is called somewhere inside.
    pub fn has_call(&self, expression: &Expression) -> bool {
        let mut found = false;
        expression.walk(&mut |inner| {
            found |= self
                .clients
                .callee(self.program, self.unit_index, inner)
                .is_some();
        });
        found
    }

    /// Makes the value of an expression ready: calls become steps, the expression itself gets cuts.
    pub fn hoist(
        &mut self,
        e: &'a Expression,
        spot: Spot<'a>,
        known: &mut Known,
        steps: &mut Vec<Step>,
    ) {
        if !self.has_call(e) {
            return;
        }
        match &e.kind {
            ExpressionKind::Call { callee, arguments } => {
                let Some(target) = self.clients.callee(self.program, self.unit_index, e) else {
                    self.hoist(callee, spot, known, steps);
                    for argument in arguments {
                        self.hoist(argument, spot, known, steps);
                    }
                    return;
                };
                let result = self.result_temporary(e);
                self.call(e, &target, result.clone(), spot, known, steps);
                match result {
                    Some(name) => {
                        self.cut(e, name.clone());
                        self.pending.push(name);
                    }
                    None => self.cut(e, "((void)0)"),
                }
            }
            ExpressionKind::Logical { and, left, right } if self.has_call(right) => {
                let name = self.truth(left, spot, known, steps);
                let mut then = Vec::new();
                known.push((name.clone(), *and));
                self.hoist(right, spot, known, &mut then);
                known.pop();
                let text = self.render(right.span);
                then.push(Step::Text(format!("{name} = ({text}) != 0; ")));
                steps.push(only_if(&name, *and, then));
                self.cut(e, name.clone());
                self.pending.push(name);
            }
            ExpressionKind::Conditional {
                condition,
                then,
                otherwise,
            } if self.has_call(otherwise)
                || then.as_ref().is_some_and(|then| self.has_call(then)) =>
            {
                self.conditional(e, condition, then.as_deref(), otherwise, spot, known, steps);
            }
            ExpressionKind::Comma(values) => {
                let Some((last, earlier)) = values.split_last() else {
                    return;
                };
                for value in earlier {
                    self.discard(value, spot, known, steps);
                }
                self.hoist(last, spot, known, steps);
                let text = self.render(last.span);
                self.cut(e, format!("({text})"));
            }
            ExpressionKind::Statement(_) => {
                self.refuse_call(e, spot, "a statement expression `({ … })`")
            }
            ExpressionKind::Generic(_) => self.refuse_call(e, spot, "`_Generic`"),
            ExpressionKind::VariadicArgument(_) => self.refuse_call(e, spot, "`va_arg`"),
            ExpressionKind::Assign {
                operator,
                target,
                value,
            } if Expression::value_comes_first(*operator, value) => {
                self.hoist(value, spot, known, steps);
                self.hoist(target, spot, known, steps);
            }
            _ => {
                for child in e.children() {
                    self.hoist(child, spot, known, steps);
                }
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one expression")]
    fn conditional(
        &mut self,
        e: &'a Expression,
        condition: &'a Expression,
        then: Option<&'a Expression>,
        otherwise: &'a Expression,
        spot: Spot<'a>,
        known: &mut Known,
        steps: &mut Vec<Step>,
    ) {
        let Ok(declaration) = self.unit.spell(self.decayed(e), "@") else {
            self.refuse_call(e, spot, "a conditional expression whose type has no name");
            return;
        };
        let is_void = matches!(self.unit.kind(e.ty), TypeKind::Void);
        self.hoist(condition, spot, known, steps);
        let name = self.temporary("c", "int @".to_string(), None);
        let value = if is_void {
            String::new()
        } else {
            self.temporary("t", declaration, Some(e.ty))
        };
        let text = self.render(condition.span);
        let mut first = Vec::new();
        match then {
            Some(then) => {
                steps.push(Step::Text(format!("{name} = ({text}) != 0; ")));
                self.branch(then, &value, (&name, true), spot, known, &mut first);
            }
            None => {
                steps.push(Step::Text(format!(
                    "{value} = {text}; {name} = {value} != 0; "
                )));
                first.push(Step::Text(String::new()));
            }
        }
        let mut second = Vec::new();
        self.branch(otherwise, &value, (&name, false), spot, known, &mut second);
        steps.push(Step::If {
            condition: name,
            then: first,
            otherwise: second,
        });
        if is_void {
            self.cut(e, "((void)0)");
        } else {
            self.cut(e, value.clone());
            self.pending.push(value);
        }
    }

    fn branch(
        &mut self,
        e: &'a Expression,
        value: &str,
        holds: (&str, bool),
        spot: Spot<'a>,
        known: &mut Known,
        steps: &mut Vec<Step>,
    ) {
        known.push((holds.0.to_string(), holds.1));
        if value.is_empty() {
            self.discard(e, spot, known, steps);
        } else {
            self.hoist(e, spot, known, steps);
            let text = self.render(e.span);
            steps.push(Step::Set {
                name: value.to_string(),
                value: text,
            });
        }
        known.pop();
    }

    /// The variable that says whether a condition holds.
    fn truth(
        &mut self,
        condition: &'a Expression,
        spot: Spot<'a>,
        known: &mut Known,
        steps: &mut Vec<Step>,
    ) -> String {
        self.hoist(condition, spot, known, steps);
        let name = self.temporary("c", "int @".to_string(), None);
        let text = self.render(condition.span);
        steps.push(Step::Text(format!("{name} = ({text}) != 0; ")));
        name
    }

    /// Evaluates an expression whose value nobody wants.
    pub fn discard(
        &mut self,
        e: &'a Expression,
        spot: Spot<'a>,
        known: &mut Known,
        steps: &mut Vec<Step>,
    ) {
        if !self.has_call(e) {
            let text = self.render(e.span);
            steps.push(Step::Text(format!("{text}; ")));
            return;
        }
        match &e.kind {
            ExpressionKind::Call { .. } => {
                if let Some(target) = self.clients.callee(self.program, self.unit_index, e) {
                    self.call(e, &target, None, spot, known, steps);
                    return;
                }
            }
            ExpressionKind::Comma(values) => {
                for value in values {
                    self.discard(value, spot, known, steps);
                }
                return;
            }
            ExpressionKind::Logical { and, left, right } if self.has_call(right) => {
                let name = self.truth(left, spot, known, steps);
                let mut then = Vec::new();
                known.push((name.clone(), *and));
                self.discard(right, spot, known, &mut then);
                known.pop();
                steps.push(only_if(&name, *and, then));
                return;
            }
            ExpressionKind::Conditional {
                condition,
                then: Some(then),
                otherwise,
            } => {
                let name = self.truth(condition, spot, known, steps);
                let (mut first, mut second) = (Vec::new(), Vec::new());
                self.branch(then, "", (&name, true), spot, known, &mut first);
                self.branch(otherwise, "", (&name, false), spot, known, &mut second);
                steps.push(Step::If {
                    condition: name,
                    then: first,
                    otherwise: second,
                });
                return;
            }
            ExpressionKind::Cast(inner) if matches!(self.unit.kind(e.ty), TypeKind::Void) => {
                self.discard(inner, spot, known, steps);
                return;
            }
            _ => {}
        }
        self.hoist(e, spot, known, steps);
        let text = self.render(e.span);
        steps.push(Step::Text(format!("{text}; ")));
    }

    fn decayed(&self, e: &Expression) -> crate::program::TypeId {
        e.ty
    }

    pub(super) fn result_temporary(&mut self, e: &Expression) -> Option<String> {
        if matches!(self.unit.kind(e.ty), TypeKind::Void) {
            return None;
        }
        let declaration = match self.unit.spell(e.ty, "@") {
            Ok(text) => text,
            Err(_) if matches!(self.unit.kind(e.ty), TypeKind::Pointer(_)) => "void *@".to_string(),
            Err(reason) => {
                self.findings.push(
                    Finding::error(Code::CALL_PLACE, "the result of this call cannot be kept")
                        .at(e.place, e.span)
                        .reason(reason.reason())
                        .help("give the type a tag or a typedef name at file scope"),
                );
                return None;
            }
        };
        Some(self.temporary("t", declaration, Some(e.ty)))
    }
}

/// What is executed where a variable is true, or where it is not.
fn only_if(name: &str, is_true: bool, then: Vec<Step>) -> Step {
    Step::If {
        condition: format!("{}{name}", if is_true { "" } else { "!" }),
        then,
        otherwise: Vec::new(),
    }
}
