//! Expressions: names resolved, types computed.

use super::builder::Builder;
use super::model::{
    BinaryOperator, Expression, ExpressionKind, StatementKind, SymbolKind, UnaryOperator,
};
use super::types::{Extent, FloatKind, IntegerKind, Qualifiers, Type, TypeId, TypeKind};
use crate::source::{NoteKind, Span};
use crate::syntax::tree;

impl Builder<'_> {
    pub fn expression(&mut self, source: &tree::Expression) -> Expression {
        let (kind, ty) = self.kind_and_type(source);
        let (span, place) = match self.within_directive {
            Some((span, place)) => (span, Some(place)),
            None => (source.span, self.file.place(source.span)),
        };
        Expression {
            kind,
            span,
            place,
            ty,
        }
    }

    fn boxed(&mut self, source: &tree::Expression) -> Box<Expression> {
        Box::new(self.expression(source))
    }

    fn kind_and_type(&mut self, source: &tree::Expression) -> (ExpressionKind, TypeId) {
        use tree::ExpressionKind as Source;
        match &source.kind {
            Source::Name(name) => {
                let symbol = self
                    .lookup(name)
                    .filter(|id| self.symbols[id.0].kind != SymbolKind::Typedef);
                let ty = symbol.map_or(TypeId::UNKNOWN, |symbol| self.symbols[symbol.0].ty);
                (
                    ExpressionKind::Name {
                        name: name.clone(),
                        symbol,
                    },
                    ty,
                )
            }
            Source::Integer {
                value,
                long,
                unsigned,
                decimal,
                imaginary,
            } => {
                let kind = integer_literal(*value, *long, *unsigned, *decimal);
                let ty = if *imaginary {
                    TypeKind::Unknown
                } else {
                    TypeKind::Integer(kind)
                };
                (ExpressionKind::Number(*value), self.plain(ty))
            }
            Source::Float {
                single,
                long,
                other,
                imaginary,
            } => {
                let kind = match (single, long, other) {
                    (_, _, true) => FloatKind::Other,
                    (true, ..) => FloatKind::Float,
                    (_, true, _) => FloatKind::LongDouble,
                    _ => FloatKind::Double,
                };
                let ty = self.plain(if *imaginary {
                    TypeKind::Complex(kind)
                } else {
                    TypeKind::Float(kind)
                });
                (ExpressionKind::Number(None), ty)
            }
            Source::Character { value, wide } => {
                let ty = if *wide {
                    TypeKind::Unknown
                } else {
                    TypeKind::Integer(IntegerKind::Int)
                };
                (ExpressionKind::Number(*value), self.plain(ty))
            }
            Source::Text { wide, length } => {
                let element = if *wide {
                    TypeKind::Unknown
                } else {
                    TypeKind::Integer(IntegerKind::Char)
                };
                let element = self.plain(element);
                let extent = Extent::Constant(*length as u64 + 1);
                (
                    ExpressionKind::Text,
                    self.plain(TypeKind::Array { element, extent }),
                )
            }
            Source::Call { callee, arguments } => {
                let callee = self.boxed(callee);
                let arguments: Vec<_> = arguments
                    .iter()
                    .map(|argument| self.expression(argument))
                    .collect();
                let ty = self.result_of(callee.ty);
                (ExpressionKind::Call { callee, arguments }, ty)
            }
            Source::Unary(operator, operand) => {
                let operand = self.boxed(operand);
                let ty = self.unary_type(*operator, operand.ty);
                (ExpressionKind::Unary(*operator, operand), ty)
            }
            Source::Step(operator, operand) => {
                let operand = self.boxed(operand);
                let ty = self.unqualified(operand.ty);
                (ExpressionKind::Step(*operator, operand), ty)
            }
            Source::Binary(operator, left, right) => {
                let (left, right) = (self.boxed(left), self.boxed(right));
                let ty = self.binary_type(*operator, left.ty, right.ty);
                (ExpressionKind::Binary(*operator, left, right), ty)
            }
            Source::Logical { and, left, right } => {
                let (left, right) = (self.boxed(left), self.boxed(right));
                (
                    ExpressionKind::Logical {
                        and: *and,
                        left,
                        right,
                    },
                    self.int(),
                )
            }
            Source::Assign {
                operator,
                target,
                value,
            } => {
                let (target, value) = (self.boxed(target), self.boxed(value));
                let ty = self.unqualified(target.ty);
                (
                    ExpressionKind::Assign {
                        operator: *operator,
                        target,
                        value,
                    },
                    ty,
                )
            }
            Source::Conditional {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.boxed(condition);
                let then = then.as_ref().map(|then| self.boxed(then));
                let otherwise = self.boxed(otherwise);
                let first = then.as_deref().unwrap_or(&condition).clone();
                let ty = self.conditional_type(&first, &otherwise);
                (
                    ExpressionKind::Conditional {
                        condition,
                        then,
                        otherwise,
                    },
                    ty,
                )
            }
            Source::Comma(values) => {
                let values: Vec<_> = values.iter().map(|value| self.expression(value)).collect();
                let ty = values.last().map_or(TypeId::UNKNOWN, |last| last.ty);
                let ty = self.decayed(ty);
                (ExpressionKind::Comma(values), ty)
            }
            Source::Cast(name, value) => {
                let ty = self.type_name(name).0;
                let value = self.boxed(value);
                (ExpressionKind::Cast(value), ty)
            }
            Source::Member {
                value,
                name,
                through_pointer,
            } => {
                let value = self.boxed(value);
                let ty = self.member_type(value.ty, name, *through_pointer);
                let kind = ExpressionKind::Member {
                    value,
                    name: name.clone(),
                    through_pointer: *through_pointer,
                };
                (kind, ty)
            }
            Source::Index { array, index } => {
                let (array, index) = (self.boxed(array), self.boxed(index));
                let left = self.pointee(array.ty);
                let ty = left
                    .or_else(|| self.pointee(index.ty))
                    .unwrap_or(TypeId::UNKNOWN);
                (ExpressionKind::Index { array, index }, ty)
            }
            Source::SizeOfType(name) => self.size_of_type(name, source.span),
            Source::SizeOfValue(value) => {
                let value = self.boxed(value);
                (ExpressionKind::Unevaluated(Some(value)), self.size_type())
            }
            Source::OffsetOf(name) => {
                self.type_name(name);
                (ExpressionKind::Unevaluated(None), self.size_type())
            }
            Source::CompoundLiteral(name, list) => {
                let ty = self.type_name(name).0;
                let list = self.initialiser_list(list);
                (ExpressionKind::Compound(list), ty)
            }
            Source::Statement(body) => {
                let body = self.statement(body, source.span.start, false);
                let ty = self.value_of_statement(&body);
                (ExpressionKind::Statement(Box::new(body)), ty)
            }
            Source::Generic {
                control,
                associations,
            } => self.generic(control, associations),
            Source::VariadicArgument(list, name) => {
                let list = self.boxed(list);
                let ty = self.type_name(name).0;
                (ExpressionKind::VariadicArgument(list), ty)
            }
            Source::LabelAddress => {
                let void = self.plain(TypeKind::Void);
                (
                    ExpressionKind::LabelAddress,
                    self.plain(TypeKind::Pointer(void)),
                )
            }
        }
    }

    fn size_of_type(&mut self, name: &tree::TypeName, span: Span) -> (ExpressionKind, TypeId) {
        let ty = self.type_name(name).0;
        let result = self.size_type();
        let aligned = self.within_directive.is_none()
            && self
                .file
                .has_note(span.start, name.span.start, NoteKind::AlignOf);
        let variable = self.is_variably_modified(ty);
        match super::fold::size(self, ty).filter(|_| !aligned) {
            Some(size) => (ExpressionKind::Number(Some(size)), result),
            None if variable => (ExpressionKind::Number(None), result),
            None => (ExpressionKind::Unevaluated(None), result),
        }
    }

    fn generic(
        &mut self,
        control: &tree::Expression,
        associations: &[(Option<tree::TypeName>, tree::Expression)],
    ) -> (ExpressionKind, TypeId) {
        let control = self.expression(control);
        let wanted = self.decayed(control.ty);
        let (mut chosen, mut default) = (None, TypeId::UNKNOWN);
        let mut values = vec![];
        for (name, value) in associations {
            let value = self.expression(value);
            match name {
                None => default = value.ty,
                Some(name) => {
                    let ty = self.type_name(name).0;
                    if chosen.is_none() && self.kind(ty) == self.kind(wanted) {
                        chosen = Some(value.ty);
                    }
                }
            }
            values.push(value);
        }
        (ExpressionKind::Generic(values), chosen.unwrap_or(default))
    }

    /// The type of the last expression of a statement expression.
    fn value_of_statement(&mut self, body: &super::model::Statement) -> TypeId {
        let StatementKind::Compound { items, .. } = &body.kind else {
            return TypeId::UNKNOWN;
        };
        let mut last = items.last();
        while let Some(StatementKind::Labelled { body, .. }) = last.map(|statement| &statement.kind)
        {
            last = Some(body);
        }
        match last.map(|statement| &statement.kind) {
            Some(StatementKind::Expression(Some(value))) => {
                let ty = value.ty;
                self.decayed(ty)
            }
            _ => self.plain(TypeKind::Void),
        }
    }

    fn int(&mut self) -> TypeId {
        self.plain(TypeKind::Integer(IntegerKind::Int))
    }

    fn size_type(&mut self) -> TypeId {
        self.plain(TypeKind::Integer(IntegerKind::UnsignedLong))
    }

    fn pointee(&self, ty: TypeId) -> Option<TypeId> {
        match self.kind(ty) {
            TypeKind::Pointer(target) => Some(*target),
            TypeKind::Array { element, .. } => Some(*element),
            _ => None,
        }
    }

    /// What a call of a value of this type returns.
    fn result_of(&mut self, ty: TypeId) -> TypeId {
        let function = match self.kind(ty) {
            TypeKind::Pointer(target) => *target,
            _ => ty,
        };
        match *self.kind(function) {
            TypeKind::Function { result, .. } => self.unqualified(result),
            _ => TypeId::UNKNOWN,
        }
    }

    /// The type without qualifiers at its outermost level.
    pub fn unqualified(&mut self, id: TypeId) -> TypeId {
        let ty = &self.types[id.0];
        if ty.qualifiers == Qualifiers::default() {
            return id;
        }
        let ty = Type {
            qualifiers: Qualifiers::default(),
            ..ty.clone()
        };
        self.intern(ty)
    }

    /// The type of a value: arrays and functions become pointers, qualifiers vanish.
    pub fn decayed(&mut self, id: TypeId) -> TypeId {
        match *self.kind(id) {
            TypeKind::Array { element, .. } => self.plain(TypeKind::Pointer(element)),
            TypeKind::Function { .. } => self.plain(TypeKind::Pointer(id)),
            _ => self.unqualified(id),
        }
    }

    fn unary_type(&mut self, operator: UnaryOperator, operand: TypeId) -> TypeId {
        match operator {
            UnaryOperator::Address => self.plain(TypeKind::Pointer(operand)),
            UnaryOperator::Indirection => match self.kind(operand) {
                TypeKind::Function { .. } => operand,
                _ => self.pointee(operand).unwrap_or(TypeId::UNKNOWN),
            },
            UnaryOperator::Not => self.int(),
            UnaryOperator::ComplexPart => match *self.kind(operand) {
                TypeKind::Complex(kind) => self.plain(TypeKind::Float(kind)),
                _ => self.unqualified(operand),
            },
            UnaryOperator::Plus | UnaryOperator::Minus | UnaryOperator::Complement => {
                self.promoted(operand)
            }
        }
    }

    /// Integer promotion.
    fn promoted(&mut self, id: TypeId) -> TypeId {
        match *self.kind(id) {
            TypeKind::Bool => self.int(),
            TypeKind::Enum(number) => {
                let kind = self.enumerations[number.0].underlying;
                self.plain(TypeKind::Integer(kind))
            }
            TypeKind::Integer(kind) if rank(kind) < rank(IntegerKind::Int) => self.int(),
            TypeKind::Integer(kind) => self.plain(TypeKind::Integer(kind)),
            TypeKind::Float(kind) if kind != FloatKind::Other => self.plain(TypeKind::Float(kind)),
            _ => self.unqualified(id),
        }
    }

    fn binary_type(&mut self, operator: BinaryOperator, left: TypeId, right: TypeId) -> TypeId {
        use BinaryOperator as B;
        match operator {
            B::Less | B::Greater | B::LessOrEqual | B::GreaterOrEqual | B::Equal | B::NotEqual => {
                self.int()
            }
            B::ShiftLeft | B::ShiftRight => self.promoted(left),
            B::Add | B::Subtract => {
                match (self.pointee(left).is_some(), self.pointee(right).is_some()) {
                    (true, true) => self.plain(TypeKind::Integer(IntegerKind::Long)),
                    (true, false) => self.decayed(left),
                    (false, true) => self.decayed(right),
                    _ => self.common(left, right),
                }
            }
            _ => self.common(left, right),
        }
    }

    /// The usual arithmetic conversions.
    fn common(&mut self, left: TypeId, right: TypeId) -> TypeId {
        let (left, right) = (self.promoted(left), self.promoted(right));
        let (a, b) = (self.kind(left).clone(), self.kind(right).clone());
        let kind = match (a, b) {
            (TypeKind::Complex(a), TypeKind::Complex(b) | TypeKind::Float(b))
            | (TypeKind::Float(a), TypeKind::Complex(b)) => TypeKind::Complex(a.max(b)),
            (TypeKind::Complex(a), TypeKind::Integer(_))
            | (TypeKind::Integer(_), TypeKind::Complex(a)) => TypeKind::Complex(a),
            (TypeKind::Float(a), TypeKind::Float(b)) => TypeKind::Float(a.max(b)),
            (TypeKind::Float(a), TypeKind::Integer(_))
            | (TypeKind::Integer(_), TypeKind::Float(a)) => TypeKind::Float(a),
            (TypeKind::Integer(a), TypeKind::Integer(b)) => TypeKind::Integer(common_integer(a, b)),
            (a, b) if a == b => a,
            _ => TypeKind::Unknown,
        };
        if kind == TypeKind::Float(FloatKind::Other) {
            // Which of them it is, the typedef name may tell.
            return if matches!(self.kind(left), TypeKind::Float(FloatKind::Other)) {
                left
            } else {
                right
            };
        }
        self.plain(kind)
    }

    fn conditional_type(&mut self, then: &Expression, otherwise: &Expression) -> TypeId {
        let (left, right) = (self.decayed(then.ty), self.decayed(otherwise.ty));
        if left == right {
            return left;
        }
        match (self.kind(left).clone(), self.kind(right).clone()) {
            (TypeKind::Pointer(_), TypeKind::Pointer(_)) if is_null(then) => right,
            (TypeKind::Pointer(_), TypeKind::Pointer(_)) if is_null(otherwise) => left,
            (TypeKind::Pointer(a), TypeKind::Pointer(b)) => match (self.kind(a), self.kind(b)) {
                (_, TypeKind::Void) => right,
                _ => left,
            },
            (TypeKind::Pointer(_), _) => left,
            (_, TypeKind::Pointer(_)) => right,
            (a, b) if a == b => left,
            (TypeKind::Void, _) | (_, TypeKind::Void) => self.plain(TypeKind::Void),
            _ => self.common(left, right),
        }
    }

    fn member_type(&mut self, ty: TypeId, name: &str, through_pointer: bool) -> TypeId {
        let owner = if through_pointer {
            self.pointee(ty).unwrap_or(TypeId::UNKNOWN)
        } else {
            ty
        };
        let TypeKind::Record(record) = *self.kind(owner) else {
            return TypeId::UNKNOWN;
        };
        let qualifiers = self.types[owner.0].qualifiers;
        match self.find_member(record, name) {
            Some((ty, _)) => self.qualified(ty, qualifiers),
            None => TypeId::UNKNOWN,
        }
    }

    /// Type of a member, and whether it is a bit-field; looks into anonymous structs and unions.
    pub fn find_member(
        &self,
        record: super::types::RecordId,
        name: &str,
    ) -> Option<(TypeId, bool)> {
        for member in self.records[record.0].members.as_ref()? {
            match &member.name {
                Some(found) if found == name => return Some((member.ty, member.is_bit_field)),
                None => {
                    if let TypeKind::Record(inner) = *self.kind(member.ty)
                        && let Some(found) = self.find_member(inner, name)
                    {
                        return Some(found);
                    }
                }
                _ => {}
            }
        }
        None
    }
}

/// `0` or `(void *)0`.
fn is_null(expression: &Expression) -> bool {
    match &expression.kind {
        ExpressionKind::Number(Some(0)) => true,
        ExpressionKind::Cast(inner) => is_null(inner),
        _ => false,
    }
}

fn rank(kind: IntegerKind) -> u8 {
    match kind {
        IntegerKind::Char | IntegerKind::SignedChar | IntegerKind::UnsignedChar => 1,
        IntegerKind::Short | IntegerKind::UnsignedShort => 2,
        IntegerKind::Int | IntegerKind::UnsignedInt => 3,
        IntegerKind::Long | IntegerKind::UnsignedLong => 4,
        IntegerKind::LongLong | IntegerKind::UnsignedLongLong => 5,
        IntegerKind::Int128 | IntegerKind::UnsignedInt128 => 6,
    }
}

fn is_unsigned(kind: IntegerKind) -> bool {
    matches!(
        kind,
        IntegerKind::UnsignedChar
            | IntegerKind::UnsignedShort
            | IntegerKind::UnsignedInt
            | IntegerKind::UnsignedLong
            | IntegerKind::UnsignedLongLong
            | IntegerKind::UnsignedInt128
    )
}

fn common_integer(a: IntegerKind, b: IntegerKind) -> IntegerKind {
    let (high, low) = if rank(a) >= rank(b) { (a, b) } else { (b, a) };
    if rank(high) == rank(low) {
        return if is_unsigned(a) { a } else { b };
    }
    // long and long long are as wide as each other where long has 64 bits.
    let same_width = high == IntegerKind::LongLong && low == IntegerKind::UnsignedLong;
    if same_width {
        IntegerKind::UnsignedLongLong
    } else {
        high
    }
}

fn integer_literal(value: Option<i128>, long: u8, unsigned: bool, decimal: bool) -> IntegerKind {
    let value = value.unwrap_or(0);
    let fits_int = value <= i128::from(i32::MAX);
    let fits_unsigned = value <= i128::from(u32::MAX);
    let fits_long = value <= i128::from(i64::MAX);
    match (long, unsigned) {
        (0, false) if fits_int => IntegerKind::Int,
        (0, false) if !decimal && fits_unsigned => IntegerKind::UnsignedInt,
        (0, true) if fits_unsigned => IntegerKind::UnsignedInt,
        (0 | 1, false) if decimal || fits_long => IntegerKind::Long,
        (0 | 1, _) => IntegerKind::UnsignedLong,
        (_, false) if decimal || fits_long => IntegerKind::LongLong,
        _ => IntegerKind::UnsignedLongLong,
    }
}
