//! Calls, and what looks like one: builtins of the compiler, variable arguments.

use super::lower::Lowerer;
use super::model::{
    Argument, Base, Call, Called, Combination, FunctionTarget, Location, StepKind, ValueId,
    VariableId,
};
use crate::dataflow::FunctionRef;
use crate::dataflow::calls::called_name;
use crate::program::{Expression, FunctionId, TypeId, TypeKind};
use crate::source::Span;

impl<'a> Lowerer<'a, '_> {
    /// What comes back: a value, or the place of a struct or union.
    pub fn call(
        &mut self,
        expression: &'a Expression,
        callee: &'a Expression,
        arguments: &'a [Expression],
    ) -> (ValueId, Option<VariableId>) {
        let key = std::ptr::from_ref(expression);
        if let Some(known) = self.early_calls.get(&key) {
            return *known;
        }
        let name = called_name(callee);
        if let Some((name, None)) = name
            && let Some(value) = self.builtin(name, expression, arguments)
        {
            self.early_calls.insert(key, (value, None));
            return (value, None);
        }
        let target = name.and_then(|(name, symbol)| self.function(name, symbol));
        let pointer = target.is_none().then_some(callee);
        let operands: Vec<&Expression> = pointer.into_iter().chain(arguments).collect();
        self.hoist(&operands);
        let pointer = match target {
            Some(_) => None,
            None => Some(self.value(callee)),
        };
        let values = arguments.iter().map(|one| self.argument(one)).collect();
        let called = match (target, pointer) {
            (Some(FunctionTarget::Routine(routine)), _) => Called::Routine(routine),
            (Some(FunctionTarget::Named(name)), _) => Called::Named(name),
            (None, Some(pointer)) => Called::Pointer(pointer),
            (None, None) => Called::Named(String::new()),
        };
        let aggregate = self
            .is_aggregate(expression.ty)
            .then(|| self.temporary(expression.ty, expression.span));
        let result = self.fresh(expression.ty);
        let call = Call {
            callee: called,
            arguments: values,
            result,
            aggregate,
        };
        self.push(StepKind::Call(Box::new(call)), expression.span);
        self.early_calls.insert(key, (result, aggregate));
        (result, aggregate)
    }

    fn argument(&mut self, argument: &'a Expression) -> Argument {
        let (value, aggregate) = if self.is_aggregate(argument.ty) {
            let place = self.aggregate(argument);
            (self.constant(argument.ty, Some(0)), Some(place))
        } else {
            (self.value(argument), None)
        };
        Argument {
            value,
            aggregate,
            span: argument.span,
        }
    }

    pub fn routine_in_unit(&self, function: FunctionId) -> super::model::RoutineId {
        self.known.routine_of(FunctionRef {
            unit: self.index,
            function,
        })
    }

    /// What the compiler itself evaluates.
    fn builtin(
        &mut self,
        name: &str,
        expression: &'a Expression,
        arguments: &'a [Expression],
    ) -> Option<ValueId> {
        let (span, ty) = (expression.span, expression.ty);
        match (name, arguments) {
            (
                "__builtin_expect"
                | "__builtin_expect_with_probability"
                | "__builtin_assume_aligned",
                [value, others @ ..],
            ) => {
                for other in others {
                    self.effect(other);
                }
                Some(self.value(value))
            }
            (
                "__builtin_constant_p"
                | "__builtin_object_size"
                | "__builtin_dynamic_object_size"
                | "__builtin_types_compatible_p"
                | "__builtin_classify_type",
                _,
            ) => Some(self.nothing(ty, span)),
            ("__builtin_choose_expr", [condition, then, otherwise]) => {
                let decided = self.value(condition);
                match self.constant_of(decided) {
                    Some(0) => return Some(self.value(otherwise)),
                    Some(_) => return Some(self.value(then)),
                    None => {}
                }
                let (first, steps) = self.apart(|lowerer| lowerer.value(then));
                let (second, others) = self.apart(|lowerer| lowerer.value(otherwise));
                self.choose(vec![steps, others], span);
                Some(self.combined(ty, vec![first, second], Combination::Choice, span))
            }
            (
                "__builtin_va_start" | "__builtin_stdarg_start" | "__builtin_c23_va_start",
                [list, ..],
            ) => {
                let place = self.place(list);
                let arguments = self.variable_arguments.map(|variable| {
                    let whole = self.whole(variable, TypeId::UNKNOWN);
                    self.address(whole, TypeId::UNKNOWN, span)
                });
                self.store(place, arguments, span);
                Some(self.constant(ty, Some(0)))
            }
            ("__builtin_va_end", [list]) => {
                self.effect(list);
                Some(self.constant(ty, Some(0)))
            }
            ("__builtin_va_copy" | "__va_copy", [to, from]) => {
                let place = self.place(to);
                let value = self.value(from);
                self.store(place, Some(value), span);
                Some(self.constant(ty, Some(0)))
            }
            _ => None,
        }
    }

    /// Where the next variable argument is; the list goes on behind it.
    pub fn variadic_argument(&mut self, list: &'a Expression, ty: TypeId, span: Span) -> Location {
        let place = self.place(list);
        let into = self.fresh(list.ty);
        let from = place.clone();
        self.push(StepKind::Read { place: from, into }, list.span);
        let one = self.constant(TypeId::UNKNOWN, Some(1));
        let next = self.combined(list.ty, vec![into, one], Combination::PointerStep, span);
        self.store(place, Some(next), span);
        let pointee = match self.kind(ty) {
            TypeKind::Array { .. } => TypeId::UNKNOWN,
            _ => ty,
        };
        Location {
            base: Base::Pointer(into, self.ty(pointee)),
            path: Vec::new(),
            ty: self.ty(ty),
        }
    }
}
