//! From the parser's tree to ours: expressions, constants and initialisers.

use lang_c::ast;
use lang_c::span::Node;

use super::convert::Converter;
use super::literal::{character_value, is_plain, string_length};
use super::tree::{
    BinaryOperator, Designator, Expression, ExpressionKind, Initialiser, InitialiserList,
    StepOperator, UnaryOperator,
};
use crate::source::Span;
use crate::source::normalise::NoteKind;

impl Converter<'_> {
    pub(super) fn expression(&self, node: &Node<ast::Expression>) -> Expression {
        let span = self.span(node);
        let boxed = |inner: &Node<ast::Expression>| Box::new(self.expression(inner));
        let kind = match &node.node {
            ast::Expression::Identifier(name) => ExpressionKind::Name(self.name(name)),
            ast::Expression::Constant(constant) => {
                let plain = is_plain(self.spelt(span));
                constant_kind(
                    &constant.node,
                    self.has_note(span, NoteKind::OtherFloat),
                    plain,
                )
            }
            ast::Expression::StringLiteral(pieces) => ExpressionKind::Text {
                wide: pieces
                    .node
                    .iter()
                    .any(|piece| piece.starts_with(['L', 'U', 'u']) && !piece.starts_with("u8")),
                length: match is_plain(self.spelt(span)) {
                    true => Some(pieces.node.iter().map(|piece| string_length(piece)).sum()),
                    false => None,
                },
            },
            ast::Expression::GenericSelection(generic) => ExpressionKind::Generic {
                control: boxed(&generic.node.expression),
                associations: generic
                    .node
                    .associations
                    .iter()
                    .map(|association| match &association.node {
                        ast::GenericAssociation::Type(choice) => (
                            Some(self.type_name(&choice.node.type_name)),
                            self.expression(&choice.node.expression),
                        ),
                        ast::GenericAssociation::Default(value) => (None, self.expression(value)),
                    })
                    .collect(),
            },
            ast::Expression::Member(member) => ExpressionKind::Member {
                value: boxed(&member.node.expression),
                name: self.name(&member.node.identifier),
                through_pointer: member.node.operator.node == ast::MemberOperator::Indirect,
            },
            ast::Expression::Call(call) => ExpressionKind::Call {
                callee: boxed(&call.node.callee),
                arguments: call
                    .node
                    .arguments
                    .iter()
                    .map(|argument| self.expression(argument))
                    .collect(),
            },
            ast::Expression::CompoundLiteral(literal) => ExpressionKind::CompoundLiteral(
                Box::new(self.type_name(&literal.node.type_name)),
                self.list(&literal.node.initializer_list, span),
            ),
            ast::Expression::SizeOfTy(size) => {
                ExpressionKind::SizeOfType(Box::new(self.type_name(&size.node.0)))
            }
            ast::Expression::SizeOfVal(size) => {
                let before = Span::new(span.start, self.span(&size.node.0).start);
                self.size_of_value(boxed(&size.node.0), before)
            }
            ast::Expression::AlignOf(size) => {
                ExpressionKind::SizeOfType(Box::new(self.type_name(&size.node.0)))
            }
            ast::Expression::UnaryOperator(unary) => self.unary(&unary.node, span),
            ast::Expression::Cast(cast) => {
                let name = Box::new(self.type_name(&cast.node.type_name));
                if self.has_note(Span::new(name.span.end, span.end), NoteKind::EmptyBraces)
                    && matches!(cast.node.expression.node, ast::Expression::Constant(_))
                {
                    let list = InitialiserList {
                        span: Span::new(self.span(&cast.node.expression).start, span.end),
                        items: Vec::new(),
                    };
                    ExpressionKind::CompoundLiteral(name, list)
                } else {
                    ExpressionKind::Cast(name, boxed(&cast.node.expression))
                }
            }
            ast::Expression::BinaryOperator(binary) => self.binary(&binary.node),
            ast::Expression::Conditional(conditional) => ExpressionKind::Conditional {
                condition: boxed(&conditional.node.condition),
                then: Some(boxed(&conditional.node.then_expression)),
                otherwise: boxed(&conditional.node.else_expression),
            },
            ast::Expression::Comma(values) => {
                ExpressionKind::Comma(values.iter().map(|value| self.expression(value)).collect())
            }
            ast::Expression::OffsetOf(offset) => {
                let members = offset.node.designator.node.members.iter();
                let indices = members.filter_map(|member| match &member.node {
                    ast::OffsetMember::Index(index) => Some(self.expression(index)),
                    ast::OffsetMember::Member(_) | ast::OffsetMember::IndirectMember(_) => None,
                });
                let name = Box::new(self.type_name(&offset.node.type_name));
                ExpressionKind::OffsetOf(name, indices.collect())
            }
            ast::Expression::VaArg(argument) => ExpressionKind::VariadicArgument(
                boxed(&argument.node.va_list),
                Box::new(self.type_name(&argument.node.type_name)),
            ),
            ast::Expression::Statement(statement) => {
                ExpressionKind::Statement(Box::new(self.statement(statement)))
            }
        };
        Expression { span, kind }
    }

    /// `sizeof` of a value, or what was written as that for the parser.
    fn size_of_value(&self, value: Box<Expression>, before: Span) -> ExpressionKind {
        match self.has_note(before, NoteKind::AlignOf) {
            true => ExpressionKind::AlignOfValue(value),
            false => ExpressionKind::SizeOfValue(value),
        }
    }

    fn unary(&self, unary: &ast::UnaryOperatorExpression, span: Span) -> ExpressionKind {
        let operand = Box::new(self.expression(&unary.operand));
        let before = Span::new(span.start, operand.span.start);
        let plain = |operator| (operator, None);
        let (operator, step) = match unary.operator.node {
            ast::UnaryOperator::PostIncrement => {
                (UnaryOperator::Plus, Some(StepOperator::PostIncrement))
            }
            ast::UnaryOperator::PostDecrement => {
                (UnaryOperator::Plus, Some(StepOperator::PostDecrement))
            }
            ast::UnaryOperator::PreIncrement => {
                (UnaryOperator::Plus, Some(StepOperator::PreIncrement))
            }
            ast::UnaryOperator::PreDecrement => {
                (UnaryOperator::Plus, Some(StepOperator::PreDecrement))
            }
            ast::UnaryOperator::Address if self.has_note(before, NoteKind::LabelAddress) => {
                return ExpressionKind::LabelAddress;
            }
            ast::UnaryOperator::Address => plain(UnaryOperator::Address),
            ast::UnaryOperator::Indirection => plain(UnaryOperator::Indirection),
            ast::UnaryOperator::Plus if self.has_note(before, NoteKind::SizeOfLiteral) => {
                return self.size_of_value(operand, before);
            }
            ast::UnaryOperator::Plus if self.has_note(before, NoteKind::ComplexPart) => {
                plain(UnaryOperator::ComplexPart)
            }
            ast::UnaryOperator::Plus => plain(UnaryOperator::Plus),
            ast::UnaryOperator::Minus => plain(UnaryOperator::Minus),
            ast::UnaryOperator::Complement => plain(UnaryOperator::Complement),
            ast::UnaryOperator::Negate => plain(UnaryOperator::Not),
        };
        match step {
            Some(step) => ExpressionKind::Step(step, operand),
            None => ExpressionKind::Unary(operator, operand),
        }
    }

    fn binary(&self, binary: &ast::BinaryOperatorExpression) -> ExpressionKind {
        use ast::BinaryOperator as Theirs;
        let left = Box::new(self.expression(&binary.lhs));
        let right = Box::new(self.expression(&binary.rhs));
        let assign = |operator| (operator, true);
        let (operator, assigns) = match binary.operator.node {
            Theirs::Index => {
                return ExpressionKind::Index {
                    array: left,
                    index: right,
                };
            }
            Theirs::LogicalAnd => {
                return ExpressionKind::Logical {
                    and: true,
                    left,
                    right,
                };
            }
            Theirs::LogicalOr => {
                let between = Span::new(left.span.end, right.span.start);
                if self.has_note(between, NoteKind::OmittedThen) {
                    return ExpressionKind::Conditional {
                        condition: left,
                        then: None,
                        otherwise: right,
                    };
                }
                return ExpressionKind::Logical {
                    and: false,
                    left,
                    right,
                };
            }
            Theirs::Assign => {
                return ExpressionKind::Assign {
                    operator: None,
                    target: left,
                    value: right,
                };
            }
            Theirs::Multiply => (BinaryOperator::Multiply, false),
            Theirs::Divide => (BinaryOperator::Divide, false),
            Theirs::Modulo => (BinaryOperator::Modulo, false),
            Theirs::Plus => (BinaryOperator::Add, false),
            Theirs::Minus => (BinaryOperator::Subtract, false),
            Theirs::ShiftLeft => (BinaryOperator::ShiftLeft, false),
            Theirs::ShiftRight => (BinaryOperator::ShiftRight, false),
            Theirs::Less => (BinaryOperator::Less, false),
            Theirs::Greater => (BinaryOperator::Greater, false),
            Theirs::LessOrEqual => (BinaryOperator::LessOrEqual, false),
            Theirs::GreaterOrEqual => (BinaryOperator::GreaterOrEqual, false),
            Theirs::Equals => (BinaryOperator::Equal, false),
            Theirs::NotEquals => (BinaryOperator::NotEqual, false),
            Theirs::BitwiseAnd => (BinaryOperator::And, false),
            Theirs::BitwiseXor => (BinaryOperator::Xor, false),
            Theirs::BitwiseOr => (BinaryOperator::Or, false),
            Theirs::AssignMultiply => assign(BinaryOperator::Multiply),
            Theirs::AssignDivide => assign(BinaryOperator::Divide),
            Theirs::AssignModulo => assign(BinaryOperator::Modulo),
            Theirs::AssignPlus => assign(BinaryOperator::Add),
            Theirs::AssignMinus => assign(BinaryOperator::Subtract),
            Theirs::AssignShiftLeft => assign(BinaryOperator::ShiftLeft),
            Theirs::AssignShiftRight => assign(BinaryOperator::ShiftRight),
            Theirs::AssignBitwiseAnd => assign(BinaryOperator::And),
            Theirs::AssignBitwiseXor => assign(BinaryOperator::Xor),
            Theirs::AssignBitwiseOr => assign(BinaryOperator::Or),
        };
        if assigns {
            ExpressionKind::Assign {
                operator: Some(operator),
                target: left,
                value: right,
            }
        } else {
            ExpressionKind::Binary(operator, left, right)
        }
    }

    pub(super) fn initialiser(&self, node: &Node<ast::Initializer>) -> Initialiser {
        match &node.node {
            ast::Initializer::Expression(value) => Initialiser::Expression(self.expression(value)),
            ast::Initializer::List(items) => Initialiser::List(self.list(items, self.span(node))),
        }
    }

    fn list(&self, nodes: &[Node<ast::InitializerListItem>], span: Span) -> InitialiserList {
        let designator = |node: &Node<ast::Designator>| match &node.node {
            ast::Designator::Index(value) => Designator::Element(self.expression(value)),
            ast::Designator::Range(range) => Designator::Elements(
                self.expression(&range.node.from),
                self.expression(&range.node.to),
            ),
            ast::Designator::Member(name) => Designator::Member(self.name(name)),
        };
        let items = nodes.iter().map(|node| {
            let designation = node.node.designation.iter().map(designator).collect();
            (designation, self.initialiser(&node.node.initializer))
        });
        InitialiserList {
            span,
            items: items.collect(),
        }
    }
}

fn constant_kind(constant: &ast::Constant, other: bool, plain: bool) -> ExpressionKind {
    match constant {
        ast::Constant::Integer(integer) => {
            let (digits, radix): (&str, u32) = match integer.base {
                ast::IntegerBase::Decimal => (&integer.number, 10),
                ast::IntegerBase::Octal => (&integer.number, 8),
                ast::IntegerBase::Hexadecimal => (&integer.number, 16),
                ast::IntegerBase::Binary => (&integer.number, 2),
            };
            ExpressionKind::Integer {
                value: if digits.is_empty() {
                    Some(0)
                } else {
                    i128::from_str_radix(digits, radix).ok()
                },
                long: integer.suffix.size as u8,
                unsigned: integer.suffix.unsigned,
                decimal: integer.base == ast::IntegerBase::Decimal,
                imaginary: integer.suffix.imaginary,
            }
        }
        ast::Constant::Float(float) => ExpressionKind::Float {
            single: float.suffix.format == ast::FloatFormat::Float,
            long: float.suffix.format == ast::FloatFormat::LongDouble,
            other: other || matches!(float.suffix.format, ast::FloatFormat::TS18661Format(_)),
            imaginary: float.suffix.imaginary,
        },
        ast::Constant::Character(text) => ExpressionKind::Character {
            value: character_value(text).filter(|_| plain),
            wide: !text.starts_with('\''),
        },
    }
}
