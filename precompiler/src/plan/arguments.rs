//! How each argument of a call gets its value on restart: from the trace, or by evaluating its text once more.
//!
//! The trace knows numbers and pointers into restored memory. It cannot know the addresses of this run's named
//! objects, handles that an execute block has made anew, or memory that the program sets up again before `init`:
//! such arguments are evaluated anew, when that has no effect. So is the address of a part of what a parameter leads to, where the trace
//! does not know it: the variable of a caller may have its register further on. When unsure the trace is asked: it stops with a clear
//! message rather than pass something wrong.

use super::builder::Builder;
use super::data::Again;
use crate::analysis::{Callee, Finding, FunctionKey};
use crate::catalog::Role;
use crate::dataflow::called_name;
use crate::diagnostic::Code;
use crate::program::{
    Directive, Expression, ExpressionKind, FloatKind, Initialiser, StatementKind, SymbolId,
    SymbolKind, TypeId, TypeKind, UnaryOperator,
};

impl Builder<'_> {
    /// Decides about one argument.
    pub fn classify(
        &mut self,
        argument: &Expression,
        parameter: Option<TypeId>,
        callee: &Callee,
        index: usize,
    ) -> Again {
        let unread = self.is_unread(callee, index);
        // A name that is not read again does not have to lead anywhere.
        let is_own = |e: &Expression| {
            let symbol = e.symbol();
            symbol.is_some_and(|symbol| self.proven.unread.contains(self.unit_index, symbol))
        };
        let passed_on = unread && is_own(argument);
        let anew = !passed_on && !self.has_call(argument) && self.evaluates_anew(argument);
        if anew && !self.is_member(argument) {
            return Again::Anew;
        }
        if anew {
            let ty = parameter.unwrap_or(argument.ty);
            // An array is handed over as a pointer, which one says who takes it.
            let spelt = match self.unit.kind(ty) {
                TypeKind::Array { .. } => Ok("void **".to_string()),
                _ => self.unit.spell(ty, "*"),
            };
            return spelt.map_or(Again::Anew, Again::Known);
        }
        if !unread {
            self.check_pointer(argument, callee, index);
            self.check_handed_on(argument, callee, index);
        }
        let ty = parameter.unwrap_or(argument.ty);
        let pointer = matches!(
            self.unit.kind(ty),
            TypeKind::Pointer(_) | TypeKind::Array { .. } | TypeKind::Function { .. }
        );
        // An array is handed over as a pointer, what there is no declaration of as its definition says.
        let is_pointer = matches!(self.unit.kind(ty), TypeKind::Pointer(_));
        let defined = || self.defined_number(callee, index);
        let spelt = match parameter {
            _ if pointer && (!is_pointer || self.unit.is_variably_modified(ty)) => None,
            None => defined().or_else(|| match self.unit.kind(ty) {
                TypeKind::Float(FloatKind::Float) => Some("double *".to_string()),
                _ => self.unit.spell(ty, "*").ok(),
            }),
            Some(_) => self.unit.spell(ty, "*").ok(),
        };
        match spelt {
            Some(text) => Again::Trace(text),
            None if pointer => Again::Trace("void **".to_string()),
            None => {
                self.findings.push(
                    Finding::error(
                        Code::CALL_PLACE,
                        "the type of this argument cannot be named",
                    )
                    .at(argument.place, argument.span)
                    .help("give the type a tag or a typedef name at file scope"),
                );
                Again::Anew
            }
        }
    }

    fn evaluates_anew(&self, e: &Expression) -> bool {
        match &e.kind {
            ExpressionKind::Cast(inner) => self.evaluates_anew(inner),
            ExpressionKind::Text | ExpressionKind::Unevaluated(_) => true,
            ExpressionKind::Number(_) => true,
            ExpressionKind::Unary(UnaryOperator::Address, target) => {
                self.is_fixed_object(target)
                    || matches!(target.kind, ExpressionKind::Name { .. })
                    || self.is_part_behind(target)
                    || self.is_handle(e.ty) && is_pure(target)
            }
            ExpressionKind::Name {
                symbol: Some(symbol),
                ..
            } => self.name_anew(*symbol, e),
            _ if self.is_handle(e.ty) => is_pure(e),
            _ if matches!(self.unit.kind(e.ty), TypeKind::Array { .. }) => {
                self.is_fixed_object(e) || self.is_part_behind(e)
            }
            ExpressionKind::Member { .. }
                if matches!(self.unit.kind(e.ty), TypeKind::Pointer(_)) =>
            {
                self.member_anew(e)
            }
            _ => false,
        }
    }

    /// A part of what a pointer leads to that keeps its value: `d->dims`, where `d` is a parameter.
    fn is_part_behind(&self, e: &Expression) -> bool {
        match &e.kind {
            ExpressionKind::Member {
                value,
                through_pointer: true,
                ..
            } => value.symbol().is_some_and(|symbol| {
                // What nobody reads any more need not lead anywhere.
                self.is_steady_parameter(symbol)
                    && !self.proven.unread.contains(self.unit_index, symbol)
                    || self.is_constant_local(symbol)
            }),
            ExpressionKind::Member { value, .. } => self.is_part_behind(value),
            ExpressionKind::Index { array, index } => {
                matches!(self.unit.kind(array.ty), TypeKind::Array { .. })
                    && matches!(index.kind, ExpressionKind::Number(_))
                    && self.is_part_behind(array)
            }
            _ => false,
        }
    }

    /// A pointer in a struct, or to a part of what a pointer leads to: whether the struct is what it was, only the run knows.
    fn is_member(&self, e: &Expression) -> bool {
        match &e.kind {
            ExpressionKind::Cast(inner) => self.is_member(inner),
            ExpressionKind::Unary(UnaryOperator::Address, target) => {
                self.is_part_behind(target) && !self.is_handle(e.ty)
            }
            _ if matches!(self.unit.kind(e.ty), TypeKind::Array { .. }) => self.is_part_behind(e),
            ExpressionKind::Member { .. } => {
                matches!(self.unit.kind(e.ty), TypeKind::Pointer(_)) && !self.is_handle(e.ty)
            }
            _ => false,
        }
    }

    fn name_anew(&self, symbol: SymbolId, e: &Expression) -> bool {
        let facts = self.symbol(symbol);
        if facts.kind != SymbolKind::Variable {
            return true;
        }
        if self.is_handle(e.ty)
            || self.is_steady_parameter(symbol)
            || self.is_constant_local(symbol)
        {
            return true;
        }
        match self.unit.kind(e.ty) {
            TypeKind::Array { .. } => true,
            TypeKind::Pointer(_) => {
                self.is_still_set_before_init(symbol, e.span.start)
                    || self.is_set_by_execute_only(symbol, e.span.start)
                    || (!self.is_on_stack(symbol, e.span.start)
                        && !self.is_registered_anywhere(symbol)
                        && !self.proven.changed.contains(self.unit_index, symbol))
            }
            _ => false,
        }
    }

    /// `ctx->buffer`: memory of the set-up phase unless it is registered.
    fn member_anew(&self, e: &Expression) -> bool {
        let mut root = e;
        while let ExpressionKind::Member { value, .. } = &root.kind {
            root = value;
        }
        let Some(symbol) = root.symbol() else {
            return false;
        };
        let text: String =
            super::flatten::flatten(self.unit.file.preprocessed_text(e.span)).replace(' ', "");
        let registered = self.unit.directives.iter().any(|one| {
            matches!(&one.directive, Directive::Register { items } if items.iter().any(|item| item.name == text))
        });
        let steady = self.is_steady_parameter(symbol)
            || self.is_still_set_before_init(symbol, e.span.start)
            || self.is_constant_local(symbol)
            || !matches!(self.unit.kind(root.ty), TypeKind::Pointer(_));
        steady && !registered
    }

    fn is_set_by_execute_only(&self, symbol: SymbolId, position: usize) -> bool {
        let Some(index) = self.shadow_of(symbol, position) else {
            return false;
        };
        let Some(places) = self.uses.set.get(&symbol) else {
            return false;
        };
        !self.shadow_facts[index].kept.is_empty()
            && places.iter().all(|&place| {
                self.executes
                    .values()
                    .any(|(facts, _)| facts.start <= place && place < facts.end)
                    || self
                        .declarator_of(symbol)
                        .is_some_and(|(_, _, declarator)| declarator.span.start == place)
            })
    }

    fn is_registered_anywhere(&self, symbol: SymbolId) -> bool {
        let name = &self.symbol(symbol).name;
        self.program
            .units
            .iter()
            .flat_map(|unit| unit.directives.iter().map(move |one| (unit, one)))
            .any(|(unit, one)| {
                matches!(&one.directive, Directive::Register { items }
                if items.iter().any(|item| unit.symbols[item.symbol.0].name == *name))
            })
    }

    /// A pointer to what a parameter is in the definition of its function, where that is a number.
    fn defined_number(&self, callee: &Callee, index: usize) -> Option<String> {
        let Callee::Known(FunctionKey { unit, function }) = callee else {
            return None;
        };
        let unit = &self.program.units[*unit];
        let parameter = unit.functions[function.0].parameters.get(index)?;
        let ty = unit.symbols[parameter.0].ty;
        let is_number = matches!(
            unit.kind(ty),
            TypeKind::Bool | TypeKind::Integer(_) | TypeKind::Float(_)
        );
        is_number.then(|| unit.spell(ty, "*").ok()).flatten()
    }

    /// Whether nobody reads what the callee gets here, after a restart.
    fn is_unread(&self, callee: &Callee, index: usize) -> bool {
        let Callee::Known(FunctionKey { unit, function }) = callee else {
            return false;
        };
        let parameters = &self.program.units[*unit].functions[function.0].parameters;
        let parameter = parameters.get(index);
        parameter.is_some_and(|&parameter| self.proven.unread.contains(*unit, parameter))
    }

    /// S11: so is a pointer that a block reads in what is called, to what has no register by then.
    fn check_handed_on(&mut self, argument: &Expression, callee: &Callee, index: usize) {
        let Callee::Known(FunctionKey { unit, function }) = callee else {
            return;
        };
        let called = &self.program.units[*unit];
        let parameters = &called.functions[function.0].parameters;
        let is_nowhere = |one: &&SymbolId| self.proven.nowhere.contains(&(*unit, **one));
        let Some(parameter) = parameters.get(index).filter(is_nowhere) else {
            return;
        };
        let name = &called.symbols[parameter.0].name;
        let function = &called.functions[function.0].name;
        self.findings.push(
            Finding::error(
                Code::LOST_POINTER,
                "this argument points to what no restart knows when it makes the call again",
            )
            .at(argument.place, argument.span)
            .label("on restart the call has no value for this argument")
            .reason(format!(
                "a block that is executed on restart gets it from `{function}` by `{name}`, and what it points to has no register before \
                 this call"
            ))
            .help(
                "register what it points to before this call, or let a block that is executed on restart set the pointer that is \
                 handed over",
            ),
        );
    }

    /// S11: a pointer to memory that nobody restores is an error where that can be known.
    fn check_pointer(&mut self, argument: &Expression, callee: &Callee, index: usize) {
        let mut value = argument;
        while let ExpressionKind::Cast(inner) = &value.kind {
            value = inner;
        }
        let Some(symbol) = value.symbol() else { return };
        if !self.is_automatic(symbol)
            || !matches!(self.unit.kind(value.ty), TypeKind::Pointer(_))
            || self.symbol(symbol).parameter.is_some()
            || self.symbol(symbol).address_taken
            || !self.clients.reach_of(callee).checkpoint
            || self.is_registered_anywhere(symbol)
            || !self.only_allocated(symbol)
            || self.registers_parameter(callee, index, 0)
        {
            return;
        }
        let name = self.symbol(symbol).name.clone();
        let function = self.function.name.clone();
        self.findings.push(
            Finding::error(Code::LOST_POINTER, format!("`{name}` points to memory that no restart restores"))
                .at(argument.place, argument.span)
                .label("on restart the call has no value for this argument")
                .reason(format!("the memory is allocated in `{function}` and neither `{function}` nor the function called registers it"))
                .help(format!("add `#pragma cccp register({name}[…])` before this call")),
        );
    }

    /// Every value the pointer gets comes straight from an allocation, and nobody else gets hold of it.
    fn only_allocated(&self, symbol: SymbolId) -> bool {
        let mut sources = 0;
        let mut other = 0;
        for statement in &self.picture.statements {
            if let StatementKind::Declaration(declaration) = &statement.kind {
                for declarator in declaration
                    .declarators
                    .iter()
                    .filter(|one| one.symbol == symbol)
                {
                    match &declarator.initialiser {
                        None => {}
                        Some(Initialiser::Expression(value)) if self.is_allocation(value) => {
                            sources += 1
                        }
                        Some(_) => other += 1,
                    }
                }
                for declarator in declaration
                    .declarators
                    .iter()
                    .filter(|one| one.symbol != symbol)
                {
                    if let Some(Initialiser::Expression(value)) = &declarator.initialiser {
                        other += usize::from(mentions(value, symbol));
                    }
                }
            }
        }
        self.function.body.walk_expressions(&mut |e| {
            if let ExpressionKind::Assign { target, value, .. } = &e.kind {
                if target.symbol() == Some(symbol) {
                    if self.is_allocation(value) {
                        sources += 1;
                    } else {
                        other += 1;
                    }
                } else if value.symbol() == Some(symbol) {
                    other += 1;
                }
            }
        });
        sources > 0 && other == 0
    }

    /// Whether the callee (or a function it passes the pointer on to) registers something through its parameter.
    fn registers_parameter(&self, callee: &Callee, index: usize, depth: usize) -> bool {
        let Callee::Known(FunctionKey { unit, function }) = callee else {
            return true;
        };
        if depth > 8 {
            return true;
        }
        let picture = &self.program.units[*unit];
        let facts = &picture.functions[function.0];
        let Some(&parameter) = facts.parameters.get(index) else {
            return true;
        };
        let registered = picture.directives.iter().any(|one| {
            one.function == Some(*function)
                && matches!(&one.directive, Directive::Register { items } if items.iter().any(|item| item.symbol == parameter))
        });
        if registered {
            return true;
        }
        let mut found = false;
        facts.body.walk_expressions(&mut |e| match &e.kind {
            ExpressionKind::Call { arguments, .. } => {
                for (position, argument) in arguments.iter().enumerate() {
                    if argument.symbol() == Some(parameter)
                        && let Some(inner) = self.clients.callee(self.program, *unit, e)
                    {
                        found |= self.registers_parameter(&inner, position, depth + 1);
                    }
                }
            }
            ExpressionKind::Assign { value, .. } => found |= value.symbol() == Some(parameter),
            _ => {}
        });
        found
    }
}

fn mentions(value: &Expression, symbol: SymbolId) -> bool {
    let mut found = false;
    value.walk(&mut |inner| found |= inner.symbol() == Some(symbol));
    found
}

impl Builder<'_> {
    /// Whether a value is memory that a library function has just made.
    fn is_allocation(&self, value: &Expression) -> bool {
        match &value.kind {
            ExpressionKind::Cast(inner) => self.is_allocation(inner),
            ExpressionKind::Call { callee, .. } => called_name(callee)
                .and_then(|(name, _)| self.catalogue.find(name))
                .is_some_and(|function| function.is(Role::Allocates)),
            _ => false,
        }
    }
}

/// Evaluating it has no effect.
pub fn is_pure(e: &Expression) -> bool {
    let mut pure = true;
    e.walk(&mut |inner| {
        pure &= !inner.is_effect();
    });
    pure
}

/// Evaluating it changes a variable.
pub fn changes_something(e: &Expression) -> bool {
    let mut changes = false;
    e.walk(&mut |inner| {
        changes |= matches!(
            inner.kind,
            ExpressionKind::Assign { .. } | ExpressionKind::Step(..)
        );
    });
    changes
}
