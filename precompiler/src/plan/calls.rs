//! One call of a client function: its block, its arguments, and what has to be kept while it runs.

use super::arguments::changes_something;
use super::builder::{Builder, Site};
use super::data::{Again, Argument, BlockKind, CallStep, Step, Value};
use super::hoist::{Known, Spot};
use super::table::Shape;
use crate::analysis::{Callee, Finding};
use crate::diagnostic::Code;
use crate::program::{Expression, ExpressionKind, TypeId, TypeKind, UnaryOperator};

impl<'a> Builder<'a> {
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
        let reach = self.clients.reach_of(target);
        self.plan.reaches_init |= reach.init;
        let line = self.line(e.place, spot.statement);
        let parameters = self.parameter_types(callee);
        // What takes any number is refused itself.
        if !self.takes_any_number(callee)
            && parameters
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
            if matches!(again, Again::Anew | Again::Known(_)) {
                passed |= 1u64
                    .checked_shl(u32::try_from(index).unwrap_or(64))
                    .unwrap_or(0);
                self.again_texts.push(text.clone());
            }
            // A side effect has to be seen by the copies that are published before the call.
            let text = if changes_something(argument) {
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
            // Where the tag may mean another struct the argument itself says which one is meant.
            let again = match again {
                Again::Trace(_) if self.has_namesakes(argument.ty) => {
                    Again::Trace(format!("__typeof__({text}) *"))
                }
                again => again,
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
        let called = callee.symbol().map(|symbol| &self.unit.symbols[symbol.0]);
        let is_implicit = called.is_some_and(|symbol| symbol.is_implicit);
        if is_implicit {
            self.result_is_that_of_no_declaration(e, callee, target);
        }
        let through_pointer = matches!(target, Callee::Pointer(_));
        self.plan.says_functions |= through_pointer;
        let name = match &callee.kind {
            _ if through_pointer => None,
            ExpressionKind::Name { name, .. } => Some(name.clone()),
            _ => Some(self.render(callee.span)),
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
            shutdown: reach.shutdown,
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
            through_pointer,
            may_call_others: !matches!(target, Callee::Known(_)),
            is_implicit,
            arguments: list,
            result,
            reaches_checkpoint: reach.checkpoint,
            reaches_init: reach.init,
            known: known.clone(),
        })));
    }

    /// A call without a declaration is that of a function which returns `int`; of another function C says nothing.
    fn result_is_that_of_no_declaration(
        &mut self,
        e: &Expression,
        callee: &Expression,
        target: &Callee,
    ) {
        let Callee::Known(key) = target else {
            return;
        };
        let unit = &self.program.units[key.unit];
        let function = &unit.functions[key.function.0];
        let returned = function.return_type;
        if matches!(
            unit.kind(returned),
            TypeKind::Integer(_) | TypeKind::Enum(_) | TypeKind::Void
        ) {
            return;
        }
        let name = self.render(callee.span);
        let returned = unit.spell(returned, "").unwrap_or_default();
        let finding = Finding::error(
            Code::CALL_PLACE,
            format!("`{name}` is called without a declaration, and does not return `int`"),
        )
        .at(e.place, e.span)
        .reason(format!(
            "line {} of {} defines it with the result `{}`; without a declaration the compiler takes it for a function that returns \
             `int`, and what the call gives is undefined",
            function.line,
            unit.file.path,
            returned.trim()
        ))
        .help(format!("declare `{name}` in front of this function"));
        self.findings.push(finding);
    }

    /// The value of an argument in a variable of its own.
    pub(super) fn argument_temporary(
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
        let value = format!("({text})");
        steps.push(Step::Set {
            name: name.clone(),
            value,
        });
        name
    }

    /// Records the temporaries that live across the next call.
    pub(super) fn keep(&mut self, line: usize, site: Site, steps: &mut Vec<Step>) {
        let block = self.block(BlockKind::Execute, None, line, Site { keep: true, ..site });
        let mut values = Vec::new();
        for name in self.pending.clone() {
            let ty = self.temporary_types.get(&name).copied().flatten();
            let shape = match ty {
                None => Ok(Shape::Named("int")),
                Some(ty) => self.shapes.value(self.unit, ty),
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
                    unread: false,
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

    /// Whether it is a function whose parameters end with `...`.
    fn takes_any_number(&self, callee: &Expression) -> bool {
        let kind = match self.unit.kind(callee.ty) {
            TypeKind::Pointer(target) => self.unit.kind(*target),
            kind => kind,
        };
        matches!(kind, TypeKind::Function { variadic: true, .. })
    }

    pub(super) fn parameter_types(
        &self,
        callee: &Expression,
    ) -> Option<Vec<crate::program::TypeId>> {
        let mut ty = callee.ty;
        if let Some(symbol) = callee.symbol()
            && let Some(definition) = self.symbol(symbol).definition
        {
            let function = &self.unit.functions[definition.0];
            return Some(
                function
                    .parameters
                    .iter()
                    .map(|&one| self.symbol(one).ty)
                    .collect(),
            );
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

    /// Whether a struct or union has the tag of another one, which may hide it.
    fn has_namesakes(&self, ty: TypeId) -> bool {
        let TypeKind::Record(record) = self.unit.kind(ty) else {
            return false;
        };
        let records = &self.unit.records;
        let tag = records[record.0].tag.as_ref();
        tag.is_some() && records.iter().filter(|one| one.tag.as_ref() == tag).count() > 1
    }
}
