//! Constant expressions: their values as far as they do not depend on the machine, and whether something is one.

use super::builder::Builder;
use super::model::{
    Expression, ExpressionKind, Initialiser, Storage, Symbol, SymbolKind, UnaryOperator,
};
use super::types::{FloatKind, IntegerKind, TypeId, TypeKind};
use super::value::{Constants, evaluate};

/// The value of an integer constant expression. `sizeof` of types whose size differs between machines has none.
pub(super) fn integer(builder: &Builder, expression: &Expression) -> Option<i128> {
    let of = |one: &Expression| match &one.kind {
        ExpressionKind::Unevaluated(Some(inner)) => size(builder, inner.ty),
        _ => None,
    };
    evaluate(builder, &mut Constants::of(builder, of), expression)
}

/// The size of a type in bytes, as far as it is the same wherever there is POSIX.
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
            TypeKind::Integer(IntegerKind::Long | IntegerKind::UnsignedLong) => None,
            TypeKind::Integer(kind) => Some(i128::from(kind.bytes(|| 8))),
            TypeKind::Float(FloatKind::Float) => Some(4),
            TypeKind::Float(FloatKind::Double) => Some(8),
            _ => None,
        }
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
