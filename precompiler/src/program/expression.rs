//! Expressions of the program's picture. Part of [`model`](super::model).

use super::model::SymbolId;
use super::statement::{Initialiser, Statement};
use super::types::TypeId;
use crate::source::{SourceRange, Span};
pub use crate::syntax::tree::{BinaryOperator, StepOperator, UnaryOperator};

/// An expression.
#[derive(Clone, Debug)]
pub struct Expression {
    /// What it is.
    pub kind: ExpressionKind,
    /// Its text, with the parentheses around it.
    pub span: Span,
    /// Its exact range in the user's file; `None` when a macro touched either end or anything between.
    pub place: Option<SourceRange>,
    /// Its type, before arrays and functions decay to pointers.
    pub ty: TypeId,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExpressionKind {
    /// A name. `None` when it is declared nowhere (a builtin, an implicit function).
    Name {
        /// As written.
        name: String,
        /// What it stands for.
        symbol: Option<SymbolId>,
    },
    /// A number or character, with its value when it is an integer.
    Number(Option<i128>),
    /// A string literal.
    Text,
    /// `f(…)`.
    Call {
        /// What is called.
        callee: Box<Expression>,
        /// With what.
        arguments: Vec<Expression>,
    },
    /// `+ - ~ ! & *` before a value.
    Unary(UnaryOperator, Box<Expression>),
    /// `++`, `--`, before or after.
    Step(StepOperator, Box<Expression>),
    /// Operators between two values that are both evaluated, without effect.
    Binary(BinaryOperator, Box<Expression>, Box<Expression>),
    /// `&&` (true) and `||` (false).
    Logical {
        /// `&&`.
        and: bool,
        /// Left side.
        left: Box<Expression>,
        /// Right side, evaluated or not.
        right: Box<Expression>,
    },
    /// `=` (no operator) and `+=` ….
    Assign {
        /// The operator before `=`.
        operator: Option<BinaryOperator>,
        /// What changes.
        target: Box<Expression>,
        /// To what.
        value: Box<Expression>,
    },
    /// `condition ? then : otherwise`. `then` is `None` for GNU's `a ?: b`.
    Conditional {
        /// Condition.
        condition: Box<Expression>,
        /// Value when it holds.
        then: Option<Box<Expression>>,
        /// Value when it does not.
        otherwise: Box<Expression>,
    },
    /// `a, b, …`.
    Comma(Vec<Expression>),
    /// `(type)value`.
    Cast(Box<Expression>),
    /// `value.name` or `value->name`.
    Member {
        /// The struct, or the pointer to it.
        value: Box<Expression>,
        /// Its name.
        name: String,
        /// `->`.
        through_pointer: bool,
    },
    /// `array[index]`.
    Index {
        /// What stands before the bracket.
        array: Box<Expression>,
        /// What stands in it.
        index: Box<Expression>,
    },
    /// `sizeof` of an expression that is not evaluated, or of a type: then a number of that type. None: `_Alignof`,
    /// `offsetof` and the like.
    Unevaluated(Option<Box<Expression>>),
    /// `(type){ … }`.
    Compound(InitialiserList),
    /// `({ … })`.
    Statement(Box<Statement>),
    /// `_Generic(…)`: the controlling value (not evaluated) and the associations.
    Generic(Vec<Expression>),
    /// `va_arg(list, type)`.
    VariadicArgument(Box<Expression>),
    /// `&&label`.
    LabelAddress,
}

/// An initialiser in braces.
#[derive(Clone, Debug)]
pub struct InitialiserList {
    /// From `{` to `}`.
    pub span: Span,
    /// The same in the user's file.
    pub place: Option<SourceRange>,
    /// Designator expressions (`[i] =`), in order.
    pub designators: Vec<Expression>,
    /// The values.
    pub items: Vec<Initialiser>,
    /// What is designated before each value; empty for the next in the order of the type.
    pub designations: Vec<Vec<Designator>>,
}

/// A part of what stands before `=` in braces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Designator {
    /// `.name`
    Member(String),
    /// `[i]`, with its value when it is known.
    Element(Option<i128>),
    /// `[i ... j]`
    Elements(Option<i128>, Option<i128>),
}
