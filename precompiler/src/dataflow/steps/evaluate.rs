//! Values of expressions.

use super::lower::Lowerer;
use super::model::{Combination, Location, StepKind, ValueId};
use crate::program::value::typed;
use crate::program::{
    BinaryOperator, Expression, ExpressionKind, StepOperator, SymbolKind, TypeId, TypeKind,
    UnaryOperator, converted,
};
use crate::source::Span;

impl<'a> Lowerer<'a, '_> {
    /// Evaluates an expression; of a struct or union everything in it is read.
    pub fn value(&mut self, expression: &'a Expression) -> ValueId {
        let span = expression.span;
        let ty = expression.ty;
        if let Some(value) = self.evaluated(expression) {
            return value;
        }
        match &expression.kind {
            ExpressionKind::Number(Some(number)) => self.constant(ty, Some(*number)),
            ExpressionKind::Number(None) | ExpressionKind::LabelAddress => self.nothing(ty, span),
            ExpressionKind::Name { symbol, .. } => {
                let kind = symbol.map(|symbol| self.unit.symbols[symbol.0].kind);
                match kind {
                    Some(SymbolKind::EnumConstant(Some(number))) => self.constant(ty, Some(number)),
                    Some(SymbolKind::EnumConstant(None) | SymbolKind::Typedef) => {
                        self.nothing(ty, span)
                    }
                    _ => self.load(expression),
                }
            }
            ExpressionKind::Text
            | ExpressionKind::Member { .. }
            | ExpressionKind::Index { .. }
            | ExpressionKind::Compound(_)
            | ExpressionKind::Unary(UnaryOperator::Indirection, _) => self.load(expression),
            ExpressionKind::Unary(operator, operand) => self.unary(expression, *operator, operand),
            ExpressionKind::Step(operator, operand) => self.step(expression, *operator, operand),
            ExpressionKind::Binary(operator, left, right) => {
                self.binary(expression, *operator, left, right)
            }
            ExpressionKind::Logical { and, left, right } => {
                let known = self.value(left);
                let known = self.constant_of(known).map(|known| known != 0);
                if known == Some(!*and) {
                    return self.constant(ty, Some(i128::from(!*and)));
                }
                let (other, steps) = self.apart(|lowerer| lowerer.value(right));
                self.perhaps(steps, right.span);
                match (known, self.constant_of(other)) {
                    (Some(_), Some(other)) => self.constant(ty, Some(i128::from(other != 0))),
                    _ => self.nothing(ty, span),
                }
            }
            ExpressionKind::Assign { .. } if self.is_aggregate(ty) => {
                let place = self.aggregate(expression);
                self.load_place(place, ty, span)
            }
            ExpressionKind::Assign {
                operator,
                target,
                value,
            } => self.assign(expression, *operator, target, value),
            ExpressionKind::Conditional { .. } | ExpressionKind::Generic(_)
                if self.is_aggregate(ty) =>
            {
                let place = self.aggregate(expression);
                self.load_place(place, ty, span)
            }
            ExpressionKind::Conditional {
                condition,
                then,
                otherwise,
            } => self.conditional(expression, condition, then.as_deref(), otherwise),
            ExpressionKind::Generic(values) => {
                let mut from = Vec::new();
                let mut lists = Vec::new();
                for value in values {
                    let (value, steps) = self.apart(|lowerer| lowerer.value(value));
                    from.push(value);
                    lists.push(steps);
                }
                self.choose(lists, span);
                self.combined(ty, from, Combination::Choice, span)
            }
            ExpressionKind::Comma(values) => match values.split_last() {
                Some((last, before)) => {
                    self.before_last(expression, before);
                    self.value(last)
                }
                None => self.nothing(ty, span),
            },
            ExpressionKind::Cast(inner) => self.cast(expression, inner),
            ExpressionKind::Unevaluated(inner) => {
                // The size of a variable-length array needs what is written before its brackets.
                if let Some(inner) = inner
                    && matches!(self.kind(inner.ty), TypeKind::Array { .. })
                    && self.unit.is_variably_modified(inner.ty)
                {
                    self.effect(inner);
                }
                let size = inner.as_ref().and_then(|inner| self.layout.bytes(inner.ty));
                let value = match size {
                    Some(size) => self.constant(ty, Some(i128::from(size))),
                    None => self.nothing(ty, span),
                };
                let of = inner.as_ref().map(|inner| self.ty(inner.ty));
                self.sized(value, of)
            }
            ExpressionKind::Call { callee, arguments } => {
                let (value, aggregate) = self.call(expression, callee, arguments);
                match aggregate {
                    Some(temporary) => {
                        let place = self.whole(temporary, ty);
                        self.load_place(place, ty, span)
                    }
                    None => value,
                }
            }
            ExpressionKind::Statement(body) => self.statement_value(expression, body),
            ExpressionKind::VariadicArgument(list) => {
                let place = self.variadic_argument(list, ty, span);
                self.load_place(place, ty, span)
            }
        }
    }

    /// Evaluates an expression for its effect only. What is not looked at is not read, unless it is volatile.
    pub fn effect(&mut self, expression: &'a Expression) {
        match &expression.kind {
            ExpressionKind::Name { .. }
            | ExpressionKind::Member { .. }
            | ExpressionKind::Index { .. }
            | ExpressionKind::Text
            | ExpressionKind::Unary(UnaryOperator::Indirection, _) => {
                if self.unit.ty(expression.ty).qualifiers.is_volatile {
                    self.value(expression);
                } else {
                    self.place(expression);
                }
            }
            ExpressionKind::Cast(inner) => self.effect(inner),
            ExpressionKind::Comma(values) => {
                if let Some((last, before)) = values.split_last() {
                    self.before_last(expression, before);
                    self.effect(last);
                }
            }
            ExpressionKind::Logical { and, left, right } => {
                let known = self.value(left);
                if self.constant_of(known).map(|known| known != 0) != Some(!*and) {
                    let ((), steps) = self.apart(|lowerer| lowerer.effect(right));
                    self.perhaps(steps, right.span);
                }
            }
            ExpressionKind::Conditional {
                condition,
                then: Some(then),
                otherwise,
            } => {
                let known = self.value(condition);
                match self.constant_of(known) {
                    Some(0) => self.effect(otherwise),
                    Some(_) => self.effect(then),
                    None => {
                        let ((), first) = self.apart(|lowerer| lowerer.effect(then));
                        let ((), second) = self.apart(|lowerer| lowerer.effect(otherwise));
                        self.choose(vec![first, second], expression.span);
                    }
                }
            }
            ExpressionKind::Call { callee, arguments } => {
                self.call(expression, callee, arguments);
            }
            ExpressionKind::Statement(body) => self.statement_effect(body),
            _ if self.is_aggregate(expression.ty) => {
                self.aggregate(expression);
            }
            _ => {
                self.value(expression);
            }
        }
    }

    /// A value of which nothing is known.
    pub fn nothing(&mut self, ty: TypeId, span: Span) -> ValueId {
        self.combined(ty, Vec::new(), Combination::Arithmetic, span)
    }

    pub fn choose(&mut self, lists: Vec<Vec<super::model::Step>>, span: Span) {
        if lists.iter().any(|list| !list.is_empty()) {
            self.push(StepKind::Choose(lists), span);
        }
    }

    pub fn perhaps(&mut self, steps: Vec<super::model::Step>, span: Span) {
        self.choose(vec![steps, Vec::new()], span);
    }

    fn load(&mut self, expression: &'a Expression) -> ValueId {
        let place = self.place(expression);
        self.load_place(place, expression.ty, expression.span)
    }

    /// The value of what is in a place: of an array or function its address.
    pub fn load_place(&mut self, place: Location, ty: TypeId, span: Span) -> ValueId {
        match self.kind(ty) {
            TypeKind::Array { element, .. } => {
                let zero = self.constant(TypeId::UNKNOWN, Some(0));
                let place = self.element(place, zero, *element);
                self.address(place, self.decayed(ty), span)
            }
            TypeKind::Function { .. } => self.address(place, self.decayed(ty), span),
            _ => {
                let into = self.fresh(ty);
                self.push(StepKind::Read { place, into }, span);
                into
            }
        }
    }

    /// The address of a place. What a pointer points to has that pointer for its address.
    pub fn address(&mut self, place: Location, ty: TypeId, span: Span) -> ValueId {
        if let super::model::Base::Pointer(value, _) = place.base
            && place.path.is_empty()
        {
            return value;
        }
        let into = self.fresh(ty);
        self.push(StepKind::Address { place, into }, span);
        into
    }

    fn unary(
        &mut self,
        expression: &'a Expression,
        operator: UnaryOperator,
        operand: &'a Expression,
    ) -> ValueId {
        let (span, ty) = (expression.span, expression.ty);
        match operator {
            UnaryOperator::Address => {
                let place = self.place(operand);
                self.address(place, ty, span)
            }
            UnaryOperator::Not => {
                let value = self.value(operand);
                match self.constant_of(value) {
                    Some(known) => self.constant(ty, Some(i128::from(known == 0))),
                    None => self.nothing(ty, span),
                }
            }
            _ => {
                let value = self.value(operand);
                let known = self.constant_of(value);
                match known.and_then(|known| operator.of(typed(self.unit, known, operand.ty))) {
                    Some(known) => self.constant(ty, Some(known)),
                    None => {
                        let how = match operator {
                            UnaryOperator::Plus => Combination::Arithmetic,
                            _ => Combination::Scramble,
                        };
                        self.combined(ty, vec![value], how, span)
                    }
                }
            }
        }
    }

    fn binary(
        &mut self,
        expression: &'a Expression,
        operator: BinaryOperator,
        left: &'a Expression,
        right: &'a Expression,
    ) -> ValueId {
        self.hoist(&[left, right]);
        let (a, b) = (self.value(left), self.value(right));
        let types = (left.ty, right.ty);
        self.arithmetic(operator, (a, b), types, expression.ty, expression.span)
    }

    /// The result of an operator.
    pub fn arithmetic(
        &mut self,
        operator: BinaryOperator,
        (a, b): (ValueId, ValueId),
        (left, right): (TypeId, TypeId),
        ty: TypeId,
        span: Span,
    ) -> ValueId {
        use BinaryOperator as B;
        let size_of = match (operator, self.size_of(a), self.size_of(b)) {
            (B::Multiply, one, None) | (B::Multiply, None, one) => one,
            (B::Add | B::Subtract, one, other) if one == other => one,
            _ => None,
        };
        if let (Some(x), Some(y)) = (self.constant_of(a), self.constant_of(b))
            && let (x, y) = (typed(self.unit, x, left), typed(self.unit, y, right))
            && let Some(known) = operator.of(x, y)
        {
            let value = self.constant(ty, Some(known));
            return self.sized(value, size_of);
        }
        let points = |lowerer: &Self, ty| lowerer.unit.pointee(ty).is_some();
        let sum = matches!(operator, B::Add | B::Subtract);
        let (from, how) = match (points(self, left), points(self, right)) {
            (true, false) if operator == B::Subtract => (vec![a, b], Combination::PointerBack),
            (true, false) if sum => (vec![a, b], Combination::PointerStep),
            (false, true) if sum => (vec![b, a], Combination::PointerStep),
            // A distance within one array.
            (true, true) if sum => (Vec::new(), Combination::Arithmetic),
            _ if operator.compares() => (Vec::new(), Combination::Arithmetic),
            // What memory is aligned to it is aligned to after a restart.
            _ if self.is_alignment(operator, (a, b)) => (Vec::new(), Combination::Arithmetic),
            _ => (vec![a, b], self.left_of_addresses(operator, (a, b))),
        };
        let value = self.combined(ty, from, how, span);
        self.sized(value, size_of)
    }

    /// Whether an operator on numbers leaves so few of the lowest bits that they tell the alignment, or a tag.
    fn is_alignment(&self, operator: BinaryOperator, (a, b): (ValueId, ValueId)) -> bool {
        let (a, b) = (self.constant_of(a), self.constant_of(b));
        match operator {
            BinaryOperator::And => a.or(b).is_some_and(|mask| (0..16).contains(&mask)),
            BinaryOperator::Modulo => b.is_some_and(|by| matches!(by, 1 | 2 | 4 | 8 | 16)),
            _ => false,
        }
    }

    /// What an operator on numbers leaves of an address: sums and tags leave it, and what masks its lowest bits.
    fn left_of_addresses(
        &self,
        operator: BinaryOperator,
        (a, b): (ValueId, ValueId),
    ) -> Combination {
        use BinaryOperator as B;
        let known = || self.constant_of(a).or(self.constant_of(b));
        // The number of a page or a word, as a signed or an unsigned constant.
        let keeps_the_upper_bits = |mask: i128| (mask as u64) >> 20 == u64::MAX >> 20;
        let is_address = match operator {
            B::Add | B::Or => true,
            B::Subtract => self.constant_of(b).is_some(),
            B::And => {
                known().is_some_and(|mask| (-16..=16).contains(&mask) || keeps_the_upper_bits(mask))
            }
            _ => false,
        };
        match is_address {
            true => Combination::Arithmetic,
            false => Combination::Scramble,
        }
    }

    fn assign(
        &mut self,
        expression: &'a Expression,
        operator: Option<BinaryOperator>,
        target: &'a Expression,
        value: &'a Expression,
    ) -> ValueId {
        let span = expression.span;
        self.hoist_assignment(target, operator, value);
        let place = self.place(target);
        let Some(operator) = operator else {
            let value = self.value(value);
            self.store(place, Some(value), span);
            return value;
        };
        let into = self.fresh(target.ty);
        let from = place.clone();
        self.push(StepKind::Read { place: from, into }, target.span);
        let other = self.value(value);
        let types = (target.ty, value.ty);
        let result = self.arithmetic(operator, (into, other), types, expression.ty, span);
        self.store(place, Some(result), span);
        result
    }

    fn step(
        &mut self,
        expression: &'a Expression,
        operator: StepOperator,
        operand: &'a Expression,
    ) -> ValueId {
        let span = expression.span;
        let place = self.place(operand);
        let old = self.fresh(operand.ty);
        let from = place.clone();
        self.push(
            StepKind::Read {
                place: from,
                into: old,
            },
            operand.span,
        );
        let one = self.constant(TypeId::UNKNOWN, Some(1));
        let is_back = matches!(
            operator,
            StepOperator::PreDecrement | StepOperator::PostDecrement
        );
        let how = match self.unit.pointee(operand.ty).is_some() {
            true if is_back => Combination::PointerBack,
            true => Combination::PointerStep,
            false => Combination::Arithmetic,
        };
        let new = self.combined(expression.ty, vec![old, one], how, span);
        self.store(place, Some(new), span);
        match operator {
            StepOperator::PreIncrement | StepOperator::PreDecrement => new,
            StepOperator::PostIncrement | StepOperator::PostDecrement => old,
        }
    }

    fn conditional(
        &mut self,
        expression: &'a Expression,
        condition: &'a Expression,
        then: Option<&'a Expression>,
        otherwise: &'a Expression,
    ) -> ValueId {
        let (span, ty) = (expression.span, expression.ty);
        let decided = self.value(condition);
        match (self.constant_of(decided), then) {
            (Some(0), _) => return self.value(otherwise),
            (Some(_), Some(then)) => return self.value(then),
            (Some(_), None) => return decided,
            (None, _) => {}
        }
        let (first, steps) = self.apart(|lowerer| match then {
            Some(then) => lowerer.value(then),
            None => decided,
        });
        let (second, others) = self.apart(|lowerer| lowerer.value(otherwise));
        self.choose(vec![steps, others], span);
        self.combined(ty, vec![first, second], Combination::Choice, span)
    }

    fn cast(&mut self, expression: &'a Expression, inner: &'a Expression) -> ValueId {
        let (span, ty) = (expression.span, expression.ty);
        match self.kind(ty) {
            TypeKind::Void => {
                self.effect(inner);
                return self.constant(ty, Some(0));
            }
            TypeKind::Record(_) => {
                let place = self.aggregate(expression);
                return self.load_place(place, ty, span);
            }
            _ => {}
        }
        let value = self.value(inner);
        let size_of = self.size_of(value);
        let known = self.constant_of(value);
        let value = match known.and_then(|known| converted(self.unit, (known, inner.ty), ty)) {
            Some(known) => self.constant(ty, Some(known)),
            None => {
                let opaque = self.is_opaque(self.values[value.0 as usize].ty.id);
                let from = if opaque { Vec::new() } else { vec![value] };
                self.combined(ty, from, Combination::Cast, span)
            }
        };
        self.sized(value, size_of)
    }

    pub fn is_aggregate(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Record(_))
    }

    /// Stores a value. What may go to another copy of the variable, or whose size is not known, kills nothing.
    pub fn store(&mut self, place: Location, value: Option<ValueId>, span: Span) {
        let value = value.filter(|value| {
            self.constant_of(*value).is_none()
                && !self.is_opaque(self.values[value.0 as usize].ty.id)
        });
        let weak = self.is_weak(&place);
        self.push(StepKind::Write { place, value, weak }, span);
    }
}
