//! What expressions name in memory.

use super::lower::Lowerer;
use super::model::{
    Base, Combination, FunctionTarget, Location, Projection, StepKind, TextPlace, ValueId,
    VariableId, VariableKind,
};
use crate::program::{
    BinaryOperator, Expression, ExpressionKind, RecordId, Storage, SymbolKind, TypeId, TypeKind,
    UnaryOperator,
};
use crate::source::Span;

impl<'a> Lowerer<'a, '_> {
    /// The place that an expression names. What is no place is put into one.
    pub fn place(&mut self, expression: &'a Expression) -> Location {
        let ty = expression.ty;
        match &expression.kind {
            ExpressionKind::Name { name, symbol } => {
                if let Some(variable) = symbol.and_then(|symbol| self.variable(symbol)) {
                    return self.whole(variable, ty);
                }
                let base = match self.function(name, *symbol) {
                    Some(target) => Base::Function(target),
                    None => Base::Text(self.text(expression.span)),
                };
                self.at(base, ty)
            }
            ExpressionKind::Text => {
                let base = Base::Text(self.text(expression.span));
                self.at(base, ty)
            }
            ExpressionKind::Member {
                value,
                name,
                through_pointer,
            } => {
                let (place, record) = if *through_pointer {
                    let target = self.unit.pointee(value.ty).unwrap_or(TypeId::UNKNOWN);
                    let place = match self.kind(value.ty) {
                        TypeKind::Array { .. } => {
                            let place = self.place(value);
                            let zero = self.constant(TypeId::UNKNOWN, Some(0));
                            self.element(place, zero, target)
                        }
                        _ => {
                            let pointer = self.value(value);
                            self.behind(pointer, target)
                        }
                    };
                    (place, target)
                } else {
                    (self.place(value), value.ty)
                };
                self.member(place, record, name, ty)
            }
            ExpressionKind::Index { array, index } => self.indexed(array, index, expression),
            ExpressionKind::Unary(UnaryOperator::Indirection, operand) => {
                self.indirection(operand, expression)
            }
            ExpressionKind::Unary(UnaryOperator::ComplexPart, operand) => {
                // Half of what is there: not known well enough to say that all of it is overwritten.
                let mut place = self.place(operand);
                place.ty = self.ty(TypeId::UNKNOWN);
                place
            }
            ExpressionKind::Compound(list) => {
                let kind = VariableKind::CompoundLiteral;
                let variable = self.unnamed("<literal>", kind, ty, expression.span);
                let place = self.whole(variable, ty);
                self.list(place.clone(), list);
                place
            }
            _ if self.is_aggregate(ty) => self.aggregate(expression),
            _ => {
                let value = self.value(expression);
                let temporary = self.temporary(ty, expression.span);
                let place = self.whole(temporary, ty);
                self.store(place.clone(), Some(value), expression.span);
                place
            }
        }
    }

    fn text(&self, span: Span) -> TextPlace {
        TextPlace {
            unit: self.index,
            span,
        }
    }

    fn at(&self, base: Base, ty: TypeId) -> Location {
        Location {
            base,
            path: Vec::new(),
            ty: self.ty(ty),
        }
    }

    /// Where a pointer points to.
    pub fn behind(&self, pointer: ValueId, ty: TypeId) -> Location {
        self.at(Base::Pointer(pointer, self.ty(ty)), ty)
    }

    pub fn temporary(&mut self, ty: TypeId, span: Span) -> VariableId {
        self.unnamed("<temporary>", VariableKind::Temporary, ty, span)
    }

    /// The function of that name.
    pub fn function(
        &self,
        name: &str,
        symbol: Option<crate::program::SymbolId>,
    ) -> Option<FunctionTarget> {
        let symbol = symbol.map(|symbol| &self.unit.symbols[symbol.0]);
        if let Some(symbol) = symbol {
            if symbol.kind != SymbolKind::Function {
                return None;
            }
            if let Some(function) = symbol.definition {
                return Some(FunctionTarget::Routine(self.routine_in_unit(function)));
            }
        } else if matches!(name, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") {
            return None;
        }
        Some(match self.names.functions.get(name) {
            Some(routine) => FunctionTarget::Routine(*routine),
            None => FunctionTarget::Named(name.to_string()),
        })
    }

    /// A member, reached through the anonymous structs around it. What is not known stays the whole of unknown type.
    fn member(&self, mut place: Location, record: TypeId, name: &str, ty: TypeId) -> Location {
        let mut path = Vec::new();
        if let TypeKind::Record(record) = *self.kind(record)
            && place.ty.id != TypeId::UNKNOWN
            && self.find_member(record, name, &mut path)
        {
            place.path.append(&mut path);
            place.ty = self.ty(ty);
        } else {
            place.ty = self.ty(TypeId::UNKNOWN);
        }
        place
    }

    pub fn find_member(&self, record: RecordId, name: &str, path: &mut Vec<Projection>) -> bool {
        let members = self.unit.records[record.0].members.iter().flatten();
        for (number, member) in members.enumerate() {
            path.push(Projection::Member(record, number));
            match &member.name {
                Some(found) if found == name => return true,
                Some(_) => {}
                None => {
                    if let TypeKind::Record(inner) = *self.kind(member.ty)
                        && self.find_member(inner, name, path)
                    {
                        return true;
                    }
                }
            }
            path.pop();
        }
        false
    }

    fn indexed(
        &mut self,
        array: &'a Expression,
        index: &'a Expression,
        expression: &'a Expression,
    ) -> Location {
        // `2[a]` is `a[2]`.
        let (array, index) = match self.unit.pointee(array.ty) {
            None if self.unit.pointee(index.ty).is_some() => (index, array),
            _ => (array, index),
        };
        self.stepped(array, index, expression)
    }

    fn indirection(&mut self, operand: &'a Expression, expression: &'a Expression) -> Location {
        if let ExpressionKind::Binary(BinaryOperator::Add, array, index) = &operand.kind
            && matches!(self.kind(array.ty), TypeKind::Array { .. })
        {
            return self.stepped(array, index, expression);
        }
        match self.kind(operand.ty) {
            TypeKind::Array { .. } => {
                let place = self.place(operand);
                let zero = self.constant(TypeId::UNKNOWN, Some(0));
                self.element(place, zero, expression.ty)
            }
            TypeKind::Function { .. } => self.place(operand),
            _ => {
                let pointer = self.value(operand);
                self.behind(pointer, expression.ty)
            }
        }
    }

    /// `array[index]` of an array, a pointer, or something of unknown type.
    fn stepped(
        &mut self,
        array: &'a Expression,
        index: &'a Expression,
        expression: &'a Expression,
    ) -> Location {
        self.hoist(&[array, index]);
        match self.kind(array.ty) {
            TypeKind::Array { .. } => {
                let place = self.place(array);
                let index = self.value(index);
                self.element(place, index, expression.ty)
            }
            TypeKind::Pointer(_) => {
                let pointer = self.value(array);
                let index = self.value(index);
                let stepped = if self.constant_of(index) == Some(0) {
                    pointer
                } else {
                    let ty = self.values[pointer.0 as usize].ty.id;
                    let from = vec![pointer, index];
                    self.combined(ty, from, Combination::PointerStep, expression.span)
                };
                self.behind(stepped, expression.ty)
            }
            _ => {
                // A vector, or a pointer: what it is and what it leads to is touched.
                let mut place = self.place(array);
                self.value(index);
                let named = vec![place.clone()];
                self.push(
                    StepKind::Assembly {
                        named,
                        keeps_pointers: false,
                    },
                    expression.span,
                );
                place.ty = self.ty(TypeId::UNKNOWN);
                place
            }
        }
    }

    /// The place of a struct or union that an expression gives.
    pub fn aggregate(&mut self, expression: &'a Expression) -> Location {
        let (span, ty) = (expression.span, expression.ty);
        match &expression.kind {
            ExpressionKind::Name { .. }
            | ExpressionKind::Member { .. }
            | ExpressionKind::Index { .. }
            | ExpressionKind::Compound(_)
            | ExpressionKind::Unary(UnaryOperator::Indirection, _) => self.place(expression),
            ExpressionKind::Assign { target, value, .. } => {
                self.hoist_assignment(target, None, value);
                let to = self.place(target);
                let from = self.aggregate(value);
                self.copy(from, to.clone(), span);
                to
            }
            ExpressionKind::Comma(values) if !values.is_empty() => {
                let (before, last) = values.split_at(values.len() - 1);
                self.before_last(expression, before);
                self.aggregate(&last[0])
            }
            ExpressionKind::Conditional {
                condition,
                then: Some(then),
                otherwise,
            } => {
                self.value(condition);
                self.chosen(&[then, otherwise], ty, span)
            }
            ExpressionKind::Generic(values) => {
                let values: Vec<&Expression> = values.iter().collect();
                self.chosen(&values, ty, span)
            }
            ExpressionKind::VariadicArgument(list) => self.variadic_argument(list, ty, span),
            ExpressionKind::Statement(body) => self.statement_aggregate(expression, body),
            ExpressionKind::Call { callee, arguments } => {
                let (value, aggregate) = self.call(expression, callee, arguments);
                match aggregate {
                    Some(temporary) => self.whole(temporary, ty),
                    // A builtin: what it gave is not known.
                    None => self.kept(value, ty, span),
                }
            }
            ExpressionKind::Cast(inner) if self.is_aggregate(inner.ty) => {
                let from = self.aggregate(inner);
                if self.unit.same_type(inner.ty, ty) {
                    return from;
                }
                let temporary = self.temporary(ty, span);
                let to = self.whole(temporary, ty);
                self.copy(from, to.clone(), span);
                to
            }
            ExpressionKind::Cast(inner) => {
                let value = self.value(inner);
                self.kept(value, ty, span)
            }
            _ => {
                let value = self.nothing(ty, span);
                self.kept(value, ty, span)
            }
        }
    }

    /// A value as a part, nobody knows which, of a struct or union.
    fn kept(&mut self, value: ValueId, ty: TypeId, span: Span) -> Location {
        let temporary = self.temporary(ty, span);
        let part = self.whole(temporary, TypeId::UNKNOWN);
        self.store(part, Some(value), span);
        self.whole(temporary, ty)
    }

    fn chosen(&mut self, values: &[&'a Expression], ty: TypeId, span: Span) -> Location {
        let temporary = self.temporary(ty, span);
        let to = self.whole(temporary, ty);
        let mut lists = Vec::new();
        for value in values {
            let ((), steps) = self.apart(|lowerer| {
                let from = lowerer.aggregate(value);
                lowerer.copy(from, to.clone(), span);
            });
            lists.push(steps);
        }
        self.choose(lists, span);
        to
    }

    pub fn copy(&mut self, from: Location, to: Location, span: Span) {
        let weak = self.is_weak(&to);
        self.push(StepKind::Copy { from, to, weak }, span);
    }

    /// Whether storing there may not reach the variable that is meant, or not all of what has this name.
    pub fn is_weak(&self, place: &Location) -> bool {
        let ty = self.unit.ty(place.ty.id);
        let private = place.variable().is_some_and(|variable| {
            let known = &self.variables[variable.0 as usize];
            let is_local = matches!(known.storage, Storage::Automatic | Storage::Register);
            let passed = || self.regions.is_passed_by(known.declared.span, self.node);
            known.per_thread && self.is_shared_out()
                || self.regions.is_private(variable, self.node)
                || is_local && known.owner == self.owner && passed()
        });
        private
            || ty.qualifiers.is_volatile
            || ty.kind == TypeKind::Unknown
            || self.regions.is_task(self.node)
    }
}
