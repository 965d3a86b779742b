//! Calls of client functions inside expressions become steps of their own before the statement.
//!
//! In: an expression. Out: steps to run before it, and cuts that say what stands in the places of the calls. The
//! order that C demands is kept: the right side of `&&`, `||` and `?:` runs only when it would, commas keep their
//! order, a call's arguments come before the call. What has its value when a later call may take a checkpoint is
//! recorded in a block of its own, so that a restart that ends in the later call finds it again.

use super::builder::{Builder, Site};
use super::data::{Argument, BlockKind, CallStep, Shape, Step, Value};
use crate::analysis::{Callee, Finding};
use crate::diagnostic::Code;
use crate::program::{Expression, ExpressionKind, ScopeId, Statement, TypeKind, UnaryOperator};

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
                self.hoist(left, spot, known, steps);
                let name = self.temporary("c", "int @".to_string(), None);
                let text = self.render(left.span);
                steps.push(Step::Text(format!("{name} = ({text}) != 0; ")));
                let mut then = Vec::new();
                known.push((name.clone(), *and));
                self.hoist(right, spot, known, &mut then);
                known.pop();
                let text = self.render(right.span);
                then.push(Step::Text(format!("{name} = ({text}) != 0; ")));
                let condition = if *and {
                    name.clone()
                } else {
                    format!("!{name}")
                };
                steps.push(Step::If {
                    condition,
                    then,
                    otherwise: Vec::new(),
                });
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
            steps.push(Step::Text(format!("{value} = {text}; ")));
        }
        known.pop();
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
                self.hoist(left, spot, known, steps);
                let name = self.temporary("c", "int @".to_string(), None);
                let text = self.render(left.span);
                steps.push(Step::Text(format!("{name} = ({text}) != 0; ")));
                let mut then = Vec::new();
                known.push((name.clone(), *and));
                self.discard(right, spot, known, &mut then);
                known.pop();
                let condition = if *and { name } else { format!("!{name}") };
                steps.push(Step::If {
                    condition,
                    then,
                    otherwise: Vec::new(),
                });
                return;
            }
            ExpressionKind::Conditional {
                condition,
                then: Some(then),
                otherwise,
            } => {
                self.hoist(condition, spot, known, steps);
                let name = self.temporary("c", "int @".to_string(), None);
                let text = self.render(condition.span);
                steps.push(Step::Text(format!("{name} = ({text}) != 0; ")));
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

    fn result_temporary(&mut self, e: &Expression) -> Option<String> {
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

    /// A call of a client function: its block and its step.
    pub fn call(
        &mut self,
        e: &'a Expression,
        target: &Callee,
        result: Option<String>,
        spot: Spot<'a>,
        known: &mut Known,
        steps: &mut Vec<Step>,
    ) {
        let ExpressionKind::Call { callee, arguments } = &e.kind else {
            return;
        };
        self.hoist(callee, spot, known, steps);
        for argument in arguments {
            self.hoist(argument, spot, known, steps);
        }
        let reach = self.clients.reach_of(self.program, self.unit_index, target);
        self.plan.reaches_init |= reach.init;
        let line = self.line(e.place, spot.statement);
        let parameters = self.parameter_types(callee);
        if parameters
            .as_ref()
            .is_some_and(|list| list.len() != arguments.len())
        {
            self.findings.push(
                Finding::error(
                    Code::CALL_PLACE,
                    "this call has another number of arguments than its function has parameters",
                )
                .at(e.place, e.span),
            );
        }
        let mut passed = 0u64;
        let mut list = Vec::new();
        for (index, argument) in arguments.iter().enumerate() {
            let again = self.classify(
                argument,
                parameters
                    .as_ref()
                    .and_then(|list| list.get(index))
                    .copied(),
                target,
                index,
            );
            let text = self.render(argument.span);
            if again == super::data::Again::Anew {
                passed |= 1u64
                    .checked_shl(u32::try_from(index).unwrap_or(64))
                    .unwrap_or(0);
                self.again_texts.push(text.clone());
            }
            // A side effect has to be seen by the copies that are published before the call.
            let text = if super::arguments::changes_something(argument) {
                self.argument_temporary(
                    argument,
                    parameters
                        .as_ref()
                        .and_then(|list| list.get(index))
                        .copied(),
                    text,
                    steps,
                )
            } else if matches!(argument.kind, ExpressionKind::Comma(_)) {
                format!("({text})")
            } else {
                text
            };
            list.push(Argument { text, again });
        }
        if arguments.len() > 64 {
            self.findings.push(
                Finding::error(
                    Code::CALL_PLACE,
                    "a call of a client function can have at most 64 arguments",
                )
                .at(e.place, e.span),
            );
        }
        let targets = match target {
            Callee::Pointer(names) => self.visible_targets(names, e),
            Callee::Known(_) | Callee::Promised(_) => Vec::new(),
        };
        let name = match &callee.kind {
            ExpressionKind::Name { name, .. } if !matches!(target, Callee::Pointer(_)) => {
                Some(name.clone())
            }
            _ => match target {
                Callee::Pointer(_) => None,
                _ => Some(self.render(callee.span)),
            },
        };
        let callee_text = self.render(callee.span);
        let callee_text = match callee.kind {
            ExpressionKind::Unary(UnaryOperator::Indirection | UnaryOperator::Address, _)
            | ExpressionKind::Conditional { .. }
            | ExpressionKind::Cast(_)
            | ExpressionKind::Assign { .. } => format!("({callee_text})"),
            _ => callee_text,
        };
        let site = Site {
            position: e.span.start,
            scope: spot.scope,
            names_at: spot.names_at.unwrap_or(e.span.start),
            statement: spot.statement.span.start,
            label: None,
            checkpoint: reach.checkpoint,
            keep: false,
        };
        if reach.checkpoint && !self.pending.is_empty() {
            self.keep(line, site, steps);
        }
        let block = self.block(BlockKind::Call, name, line, site);
        self.plan.blocks[block - 1].passed = passed;
        steps.push(Step::Call(Box::new(CallStep {
            block,
            callee: callee_text,
            targets,
            arguments: list,
            result,
            reaches_checkpoint: reach.checkpoint,
            reaches_init: reach.init,
            known: known.clone(),
        })));
    }

    /// The value of an argument in a variable of its own.
    fn argument_temporary(
        &mut self,
        argument: &Expression,
        parameter: Option<crate::program::TypeId>,
        text: String,
        steps: &mut Vec<Step>,
    ) -> String {
        let ty = parameter.unwrap_or(argument.ty);
        let declaration = match self.unit.spell(ty, "@") {
            Ok(declaration) if !self.unit.is_variably_modified(ty) => declaration,
            _ if matches!(self.unit.kind(ty), TypeKind::Pointer(_)) => "void *@".to_string(),
            _ => return text,
        };
        let name = self.temporary("t", declaration, Some(ty));
        steps.push(Step::Text(format!("{name} = ({text}); ")));
        name
    }

    /// Records the temporaries that live across the next call.
    fn keep(&mut self, line: usize, site: Site, steps: &mut Vec<Step>) {
        let block = self.block(BlockKind::Execute, None, line, Site { keep: true, ..site });
        let mut values = Vec::new();
        for name in self.pending.clone() {
            let ty = self.temporary_types.get(&name).copied().flatten();
            let shape = match ty {
                None => Ok(Shape::Named("int")),
                Some(ty) => self.shapes.of(self.unit, ty, true, None),
            };
            let Some(temporary) = self
                .plan
                .temporaries
                .iter_mut()
                .find(|one| one.name == name)
            else {
                continue;
            };
            temporary.kept = true;
            match shape {
                Ok(shape) => values.push(Value {
                    name: name.clone(),
                    declaration: temporary.declaration.clone(),
                    read: name,
                    shape,
                    read_by_blocks: false,
                }),
                Err(reason) => self.findings.push(
                    Finding::error(Code::CALL_PLACE, format!("the results of the calls on line {line} cannot be kept apart"))
                        .reason(reason)
                        .help("store the result of each call in a variable of its own, one statement each"),
                ),
            }
        }
        self.plan.blocks[block - 1].values = values;
        steps.push(Step::Keep { block });
    }

    fn parameter_types(&self, callee: &Expression) -> Option<Vec<crate::program::TypeId>> {
        let mut ty = callee.ty;
        if let Some(symbol) = callee.symbol() {
            if let Some(definition) = self.symbol(symbol).definition {
                let function = &self.unit.functions[definition.0];
                return Some(
                    function
                        .parameters
                        .iter()
                        .map(|&one| self.symbol(one).ty)
                        .collect(),
                );
            }
        }
        loop {
            match self.unit.kind(ty) {
                TypeKind::Pointer(target) => ty = *target,
                TypeKind::Function {
                    parameters,
                    prototype: true,
                    ..
                } => return Some(parameters.clone()),
                _ => return None,
            }
        }
    }

    /// Client functions that a pointer may lead to, as far as this file can name them.
    fn visible_targets(&mut self, names: &[String], e: &Expression) -> Vec<String> {
        let (mut visible, mut hidden) = (Vec::new(), Vec::new());
        for name in names {
            let declared = self.unit.symbols.iter().any(|symbol| {
                symbol.kind == crate::program::SymbolKind::Function
                    && symbol.name == *name
                    && symbol.scope == ScopeId(0)
            });
            if declared {
                visible.push(name.clone());
            } else if self.clients.is_client_name(self.unit_index, name) {
                hidden.push(name.clone());
            }
        }
        if !hidden.is_empty() {
            self.findings.push(
                Finding::error(
                    Code::CALL_PLACE,
                    format!(
                        "this call may lead to `{}`, which is not declared in this file",
                        hidden.join("`, `")
                    ),
                )
                .at(e.place, e.span)
                .label("on restart the function has to be called by its name")
                .help("declare the function in this file (it must not be `static` in another one)"),
            );
        }
        visible
    }

    /// A call that stays is an error.
    pub fn refuse_call(&mut self, e: &Expression, spot: Spot<'a>, where_: &str) {
        self.findings.push(
            Finding::error(
                Code::CALL_PLACE,
                format!("a client function is called inside {where_}"),
            )
            .at(e.place.or(spot.statement.place), e.span)
            .label("a restart cannot enter this")
            .reason("the call has to be a step of its own, so that a restart can go to it")
            .help("store the result in a variable in a statement of its own before this one"),
        );
    }
}
