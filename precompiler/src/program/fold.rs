//! Constant expressions: their values as far as they do not depend on the machine, and whether something is one.

use super::builder::Builder;
use super::machine::Machine;
use super::model::{
    BinaryOperator, Expression, ExpressionKind, Initialiser, Storage, Symbol, SymbolKind,
    UnaryOperator, Unit,
};
use super::types::{FloatKind, IntegerKind, TypeId, TypeKind};
use crate::source::SourceFile;

/// The value of an integer constant expression. `sizeof` of types whose size differs between machines has none.
pub(super) fn integer(builder: &Builder, expression: &Expression) -> Option<i128> {
    let value = |inner: &Expression| integer(builder, inner);
    let bits = |flag: bool| Some(i128::from(flag));
    match &expression.kind {
        ExpressionKind::Number(number) => *number,
        ExpressionKind::Name {
            symbol: Some(symbol),
            ..
        } => match builder.symbols[symbol.0].kind {
            SymbolKind::EnumConstant(number) => number,
            _ => None,
        },
        ExpressionKind::Unary(operator, inner) => {
            let inner = value(inner)?;
            match operator {
                UnaryOperator::Plus => Some(inner),
                UnaryOperator::Minus => inner
                    .checked_neg()
                    .map(|v| wrapped(builder, expression.ty, v)),
                UnaryOperator::Complement => Some(wrapped(builder, expression.ty, !inner)),
                UnaryOperator::Not => bits(inner == 0),
                _ => None,
            }
        }
        ExpressionKind::Binary(operator, left, right) => {
            let result = operator.of(value(left)?, value(right)?)?;
            Some(wrapped(builder, expression.ty, result))
        }
        ExpressionKind::Logical { and, left, right } => match (value(left)? != 0, and) {
            (false, true) => Some(0),
            (true, false) => Some(1),
            _ => bits(value(right)? != 0),
        },
        ExpressionKind::Conditional {
            condition,
            then,
            otherwise,
        } => {
            let chosen = value(condition)?;
            match then {
                _ if chosen == 0 => value(otherwise),
                Some(then) => value(then),
                None => Some(chosen),
            }
        }
        ExpressionKind::Cast(inner) => match builder.kind(expression.ty) {
            TypeKind::Integer(_) | TypeKind::Enum(_) => {
                Some(wrapped(builder, expression.ty, value(inner)?))
            }
            TypeKind::Bool => bits(value(inner)? != 0),
            _ => None,
        },
        ExpressionKind::Unevaluated(Some(inner)) => size(builder, inner.ty),
        _ => None,
    }
}

pub(super) fn size(builder: &Builder, ty: TypeId) -> Option<i128> {
    match builder.kind(ty) {
        TypeKind::Array {
            element,
            extent: super::types::Extent::Constant(count),
        } => size(builder, *element)?.checked_mul(i128::from(*count)),
        kind => kind.fixed_size(),
    }
}

impl TypeKind {
    /// The size of a scalar in bytes, as far as it is the same wherever there is POSIX.
    pub fn fixed_size(&self) -> Option<i128> {
        match self {
            TypeKind::Integer(
                IntegerKind::Char | IntegerKind::SignedChar | IntegerKind::UnsignedChar,
            ) => Some(1),
            TypeKind::Integer(IntegerKind::Short | IntegerKind::UnsignedShort) => Some(2),
            TypeKind::Integer(IntegerKind::Int | IntegerKind::UnsignedInt) => Some(4),
            TypeKind::Integer(IntegerKind::LongLong | IntegerKind::UnsignedLongLong) => Some(8),
            TypeKind::Float(FloatKind::Float) => Some(4),
            TypeKind::Float(FloatKind::Double) => Some(8),
            _ => None,
        }
    }
}

impl BinaryOperator {
    /// The result for two known values, before it is fitted into a type.
    pub fn of(self, left: i128, right: i128) -> Option<i128> {
        let shift = || u32::try_from(right).ok().filter(|bits| *bits < 64);
        match self {
            BinaryOperator::Multiply => left.checked_mul(right),
            BinaryOperator::Divide => left.checked_div(right),
            BinaryOperator::Modulo => left.checked_rem(right),
            BinaryOperator::Add => left.checked_add(right),
            BinaryOperator::Subtract => left.checked_sub(right),
            BinaryOperator::ShiftLeft => left.checked_mul(1i128.checked_shl(shift()?)?),
            BinaryOperator::ShiftRight => Some(left >> shift()?),
            BinaryOperator::Less => Some(i128::from(left < right)),
            BinaryOperator::Greater => Some(i128::from(left > right)),
            BinaryOperator::LessOrEqual => Some(i128::from(left <= right)),
            BinaryOperator::GreaterOrEqual => Some(i128::from(left >= right)),
            BinaryOperator::Equal => Some(i128::from(left == right)),
            BinaryOperator::NotEqual => Some(i128::from(left != right)),
            BinaryOperator::And => Some(left & right),
            BinaryOperator::Xor => Some(left ^ right),
            BinaryOperator::Or => Some(left | right),
        }
    }

    /// Gives 0 or 1.
    pub fn compares(self) -> bool {
        matches!(
            self,
            BinaryOperator::Less
                | BinaryOperator::Greater
                | BinaryOperator::LessOrEqual
                | BinaryOperator::GreaterOrEqual
                | BinaryOperator::Equal
                | BinaryOperator::NotEqual
        )
    }
}

impl Unit {
    /// The value as the type holds it on the unit's machine.
    pub fn wrapped(&self, ty: TypeId, value: i128) -> i128 {
        fitted(self.kind(ty), &self.file, value)
    }
}

fn wrapped(builder: &Builder, ty: TypeId, value: i128) -> i128 {
    fitted(builder.kind(ty), builder.file, value)
}

fn fitted(kind: &TypeKind, file: &SourceFile, value: i128) -> i128 {
    let TypeKind::Integer(kind) = kind else {
        return value;
    };
    match kind {
        IntegerKind::Char | IntegerKind::SignedChar => i128::from(value as i8),
        IntegerKind::UnsignedChar => i128::from(value as u8),
        IntegerKind::Short => i128::from(value as i16),
        IntegerKind::UnsignedShort => i128::from(value as u16),
        IntegerKind::Int => i128::from(value as i32),
        IntegerKind::UnsignedInt => i128::from(value as u32),
        // Small numbers are the same everywhere.
        IntegerKind::Long | IntegerKind::UnsignedLong if (0..1 << 31).contains(&value) => value,
        IntegerKind::Long if Machine::of(file).long == 4 => i128::from(value as i32),
        IntegerKind::UnsignedLong if Machine::of(file).long == 4 => i128::from(value as u32),
        IntegerKind::Long | IntegerKind::LongLong => i128::from(value as i64),
        IntegerKind::UnsignedLong | IntegerKind::UnsignedLongLong => i128::from(value as u64),
        IntegerKind::Int128 | IntegerKind::UnsignedInt128 => value,
    }
}

/// Whether it is an integer constant expression, known or not.
pub(super) fn is_integer_constant(builder: &Builder, expression: &Expression) -> bool {
    constant(builder, expression, false)
}

/// Whether an initialiser may initialise a static object.
pub(super) fn is_constant_initialiser(builder: &Builder, initialiser: &Initialiser) -> bool {
    match initialiser {
        Initialiser::Expression(value) => constant(builder, value, true),
        Initialiser::List(list) => list
            .items
            .iter()
            .all(|item| is_constant_initialiser(builder, item)),
    }
}

fn constant(builder: &Builder, expression: &Expression, addresses: bool) -> bool {
    let all = |inner: &Expression| constant(builder, inner, addresses);
    match &expression.kind {
        ExpressionKind::Number(_) | ExpressionKind::LabelAddress => true,
        ExpressionKind::Text => addresses,
        ExpressionKind::Name { name, symbol } => {
            match symbol.map(|symbol| &builder.symbols[symbol.0]) {
                Some(symbol) => match symbol.kind {
                    SymbolKind::EnumConstant(_) => true,
                    SymbolKind::Function => addresses,
                    SymbolKind::Variable => {
                        addresses
                            && is_static(symbol)
                            && matches!(builder.kind(symbol.ty), TypeKind::Array { .. })
                    }
                    SymbolKind::Typedef => false,
                },
                None => name.starts_with("__builtin_") && addresses,
            }
        }
        ExpressionKind::Unary(UnaryOperator::Address, inner) => {
            addresses && static_lvalue(builder, inner)
        }
        ExpressionKind::Unary(UnaryOperator::Indirection, _) => false,
        ExpressionKind::Unary(_, inner) | ExpressionKind::Cast(inner) => all(inner),
        ExpressionKind::Binary(_, left, right) | ExpressionKind::Logical { left, right, .. } => {
            all(left) && all(right)
        }
        ExpressionKind::Conditional {
            condition,
            then,
            otherwise,
        } => all(condition) && then.as_deref().is_none_or(all) && all(otherwise),
        ExpressionKind::Unevaluated(inner) => inner
            .as_ref()
            .is_none_or(|inner| !builder.is_variably_modified(inner.ty)),
        // __builtin_inf(), __builtin_nan(""), __builtin_expect(…) of constants
        ExpressionKind::Call { callee, arguments } => {
            matches!(&callee.kind, ExpressionKind::Name { name, .. } if foldable_builtin(name))
                && arguments
                    .iter()
                    .all(|argument| constant(builder, argument, true))
        }
        ExpressionKind::Member { .. } | ExpressionKind::Index { .. } => {
            addresses
                && matches!(builder.kind(expression.ty), TypeKind::Array { .. })
                && static_lvalue(builder, expression)
        }
        _ => false,
    }
}

fn foldable_builtin(name: &str) -> bool {
    [
        "__builtin_inf",
        "__builtin_huge_val",
        "__builtin_nan",
        "__builtin_expect",
        "__builtin_constant_p",
    ]
    .iter()
    .any(|known| name.starts_with(known))
}

/// Its address is the same in every thread.
fn is_static(symbol: &Symbol) -> bool {
    matches!(symbol.storage, Storage::Static | Storage::External) && !symbol.per_thread
}

/// Whether the address of the lvalue is a constant.
fn static_lvalue(builder: &Builder, expression: &Expression) -> bool {
    match &expression.kind {
        ExpressionKind::Name {
            symbol: Some(symbol),
            ..
        } => {
            let symbol = &builder.symbols[symbol.0];
            symbol.kind == SymbolKind::Function || is_static(symbol)
        }
        ExpressionKind::Member {
            value,
            through_pointer: false,
            ..
        } => static_lvalue(builder, value),
        ExpressionKind::Index { array, index } => {
            matches!(builder.kind(array.ty), TypeKind::Array { .. })
                && static_lvalue(builder, array)
                && is_integer_constant(builder, index)
        }
        ExpressionKind::Text => true,
        _ => false,
    }
}
