//! Expressions: names resolved, types computed.

use super::builder::Builder;
use super::machine::Machine;
use super::model::{Expression, ExpressionKind, StatementKind, SymbolKind};
use super::types::{Extent, FloatKind, IntegerKind, TypeId, TypeKind};
use crate::source::{NoteKind, SourceFile, Span};
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
                let kind = integer_literal(self.file, *value, *long, *unsigned, *decimal);
                let (value, ty) = match imaginary {
                    true => (None, TypeKind::ComplexInteger(kind)),
                    false => (*value, TypeKind::Integer(kind)),
                };
                (ExpressionKind::Number(value), self.plain(ty))
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
                let extent = match length {
                    Some(length) => Extent::Constant(*length as u64 + 1),
                    None => Extent::Unspecified,
                };
                (
                    ExpressionKind::Text,
                    self.plain(TypeKind::Array { element, extent }),
                )
            }
            Source::Call { callee, arguments } => {
                self.declare_called(callee);
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
                let of = match operator {
                    tree::UnaryOperator::Address => operand.ty,
                    _ => self.value_type(&operand),
                };
                let ty = self.unary_type(*operator, of);
                (ExpressionKind::Unary(*operator, operand), ty)
            }
            Source::Step(operator, operand) => {
                let operand = self.boxed(operand);
                let ty = self.unqualified(operand.ty);
                (ExpressionKind::Step(*operator, operand), ty)
            }
            Source::Binary(operator, left, right) => {
                let (left, right) = (self.boxed(left), self.boxed(right));
                let (a, b) = (self.value_type(&left), self.value_type(&right));
                let ty = self.binary_type(*operator, a, b);
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
                let ty = self.type_name(name);
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
            Source::AlignOfValue(value) => {
                self.expression(value);
                (ExpressionKind::Unevaluated(None), self.size_type())
            }
            Source::OffsetOf(name, indices) => {
                self.type_name(name);
                self.offset(indices, source.span)
            }
            Source::CompoundLiteral(name, list) => {
                let ty = self.type_name(name);
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
                let ty = self.type_name(name);
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

    /// An offset. An extension of compilers: indices that are no constants, which are evaluated as elsewhere.
    fn offset(&mut self, indices: &[tree::Expression], span: Span) -> (ExpressionKind, TypeId) {
        let ty = self.size_type();
        let mut offset = ExpressionKind::Unevaluated(None);
        for index in indices {
            let index = self.expression(index);
            if super::fold::is_integer_constant(self, &index) {
                continue;
            }
            let before = Expression {
                kind: offset,
                span,
                place: None,
                ty,
            };
            let sum = tree::BinaryOperator::Add;
            offset = ExpressionKind::Binary(sum, Box::new(before), Box::new(index));
        }
        (offset, ty)
    }

    fn size_of_type(&mut self, name: &tree::TypeName, span: Span) -> (ExpressionKind, TypeId) {
        let ty = self.type_name(name);
        let result = self.size_type();
        let aligned = self.within_directive.is_none()
            && self
                .file
                .has_note(span.start, name.span.start, NoteKind::AlignOf);
        let variable = self.is_variably_modified(ty);
        match super::fold::size(self, ty).filter(|_| !aligned) {
            None if variable => (ExpressionKind::Number(None), result),
            None if aligned => (ExpressionKind::Unevaluated(None), result),
            _ => {
                let (span, place) = match self.within_directive {
                    Some((span, place)) => (span, Some(place)),
                    None => (name.span, self.file.place(name.span)),
                };
                let of_type = Expression {
                    kind: ExpressionKind::Number(None),
                    span,
                    place,
                    ty,
                };
                (ExpressionKind::Unevaluated(Some(Box::new(of_type))), result)
            }
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
                    let ty = self.type_name(name);
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
}

/// The type of an integer constant (C17 6.4.4.1): the first of its list that holds the value.
fn integer_literal(
    file: &SourceFile,
    value: Option<i128>,
    long: u8,
    unsigned: bool,
    decimal: bool,
) -> IntegerKind {
    let value = value.unwrap_or(0);
    let fits_int = value <= i128::from(i32::MAX);
    let fits_unsigned = value <= i128::from(u32::MAX);
    // Small numbers fit into `long` everywhere.
    let is_short = !fits_int && Machine::bytes_of_long(file) == 4;
    let most = if is_short {
        i128::from(i32::MAX)
    } else {
        i128::from(i64::MAX)
    };
    let fits_long = value <= most;
    let fits_unsigned_long = value <= 2 * most + 1;
    match (long, unsigned) {
        (0, false) if fits_int => IntegerKind::Int,
        (0, false) if !decimal && fits_unsigned => IntegerKind::UnsignedInt,
        (0, true) if fits_unsigned => IntegerKind::UnsignedInt,
        (0 | 1, false) if fits_long => IntegerKind::Long,
        (0 | 1, false) if !decimal && fits_unsigned_long => IntegerKind::UnsignedLong,
        (0 | 1, true) if fits_unsigned_long => IntegerKind::UnsignedLong,
        (_, false) if decimal || value <= i128::from(i64::MAX) => IntegerKind::LongLong,
        _ => IntegerKind::UnsignedLongLong,
    }
}
