//! The types of expressions: C's rules of promotion, conversion and decay.

use super::arithmetic::{Width, bit_field, find_member};
use super::builder::Builder;
use super::model::{BinaryOperator, Expression, ExpressionKind, UnaryOperator};
use super::types::{FloatKind, IntegerKind, Qualifiers, Type, TypeId, TypeKind};

impl Builder<'_> {
    pub fn int(&mut self) -> TypeId {
        self.plain(TypeKind::Integer(IntegerKind::Int))
    }

    pub fn size_type(&mut self) -> TypeId {
        self.plain(TypeKind::Integer(IntegerKind::UnsignedLong))
    }

    pub fn pointee(&self, ty: TypeId) -> Option<TypeId> {
        match self.kind(ty) {
            TypeKind::Pointer(target) => Some(*target),
            TypeKind::Array { element, .. } => Some(*element),
            _ => None,
        }
    }

    /// What a call of a value of this type returns.
    pub fn result_of(&mut self, ty: TypeId) -> TypeId {
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

    pub fn unary_type(&mut self, operator: UnaryOperator, operand: TypeId) -> TypeId {
        match operator {
            UnaryOperator::Address => self.plain(TypeKind::Pointer(operand)),
            UnaryOperator::Indirection => match self.kind(operand) {
                TypeKind::Function { .. } => operand,
                _ => self.pointee(operand).unwrap_or(TypeId::UNKNOWN),
            },
            UnaryOperator::Not => self.int(),
            UnaryOperator::ComplexPart => match *self.kind(operand) {
                TypeKind::Complex(kind) => self.plain(TypeKind::Float(kind)),
                TypeKind::ComplexInteger(kind) => self.plain(TypeKind::Integer(kind)),
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

    pub fn binary_type(&mut self, operator: BinaryOperator, left: TypeId, right: TypeId) -> TypeId {
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
            (TypeKind::Complex(a), TypeKind::Integer(_) | TypeKind::ComplexInteger(_))
            | (TypeKind::Integer(_) | TypeKind::ComplexInteger(_), TypeKind::Complex(a))
            | (TypeKind::ComplexInteger(_), TypeKind::Float(a))
            | (TypeKind::Float(a), TypeKind::ComplexInteger(_)) => TypeKind::Complex(a),
            (TypeKind::ComplexInteger(a), TypeKind::ComplexInteger(b) | TypeKind::Integer(b))
            | (TypeKind::Integer(a), TypeKind::ComplexInteger(b)) => {
                TypeKind::ComplexInteger(common_integer(a, b))
            }
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

    pub fn conditional_type(&mut self, then: &Expression, otherwise: &Expression) -> TypeId {
        let (left, right) = (self.value_type(then), self.value_type(otherwise));
        let (left, right) = (self.decayed(left), self.decayed(right));
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

    pub fn member_type(&mut self, ty: TypeId, name: &str, through_pointer: bool) -> TypeId {
        let owner = if through_pointer {
            self.pointee(ty).unwrap_or(TypeId::UNKNOWN)
        } else {
            ty
        };
        let TypeKind::Record(record) = *self.kind(owner) else {
            return TypeId::UNKNOWN;
        };
        let qualifiers = self.types[owner.0].qualifiers;
        match find_member(self, record, name).map(|member| member.ty) {
            Some(ty) => self.qualified(ty, qualifiers),
            None => TypeId::UNKNOWN,
        }
    }

    /// The type in which an operator takes a value: a bit-field is an `int` when that holds all its values.
    pub fn value_type(&mut self, expression: &Expression) -> TypeId {
        let is_bit_field = bit_field(self, expression).is_some();
        let width = Width::of_value(self, expression).map(Width::promoted);
        match width == Some(Width::INT) && is_bit_field {
            true => self.int(),
            false => expression.ty,
        }
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

fn common_integer(a: IntegerKind, b: IntegerKind) -> IntegerKind {
    let (high, low) = if rank(a) >= rank(b) { (a, b) } else { (b, a) };
    if rank(high) == rank(low) {
        return if a.is_unsigned() { a } else { b };
    }
    // long and long long are as wide as each other where long has 64 bits.
    let same_width = high == IntegerKind::LongLong && low == IntegerKind::UnsignedLong;
    if same_width {
        IntegerKind::UnsignedLongLong
    } else {
        high
    }
}
