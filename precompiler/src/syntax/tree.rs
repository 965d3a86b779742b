//! The syntax tree of a C file as we see it: structure and names as written, nothing resolved.
//!
//! It stands between the parser's own tree and [`program`](crate::program), so that only [`convert`](super::convert)
//! has to change with the parser. Spans are trimmed.

use crate::source::Span;

/// A file.
#[derive(Debug, Default)]
pub struct Tree {
    /// In the order of the text.
    pub items: Vec<TopLevel>,
}

/// What stands at file scope.
#[derive(Debug)]
pub enum TopLevel {
    /// A declaration.
    Declaration(Declaration),
    /// A function.
    Function(Box<Function>),
}

/// A function definition.
#[derive(Debug)]
pub struct Function {
    /// Everything.
    pub span: Span,
    /// Before the declarator.
    pub specifiers: Specifiers,
    /// Name and parameters.
    pub declarator: Declarator,
    /// Between declarator and body, in the old style.
    pub old_style: Vec<Declaration>,
    /// The body, a compound statement.
    pub body: Statement,
}

/// A declaration.
#[derive(Debug)]
pub struct Declaration {
    /// With its `;`.
    pub span: Span,
    /// Before the declarators.
    pub specifiers: Specifiers,
    /// What is declared.
    pub declarators: Vec<InitDeclarator>,
}

/// A declarator with its initialiser.
#[derive(Debug)]
pub struct InitDeclarator {
    /// Both.
    pub span: Span,
    /// What is declared.
    pub declarator: Declarator,
    /// What stands after `=`.
    pub initialiser: Option<Initialiser>,
}

/// Storage class as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum StorageWord {
    Typedef,
    Extern,
    Static,
    Thread,
    Auto,
    Register,
}

/// What stands before declarators.
#[derive(Debug, Default)]
pub struct Specifiers {
    /// All of it.
    pub span: Span,
    /// Storage classes.
    pub storage: Vec<StorageWord>,
    /// `inline`
    pub is_inline: bool,
    /// `const`
    pub is_const: bool,
    /// `volatile`
    pub is_volatile: bool,
    /// `restrict`
    pub is_restrict: bool,
    /// `_Atomic` as a qualifier
    pub is_atomic: bool,
    /// Type words, in order.
    pub types: Vec<TypeWord>,
}

/// A type specifier.
#[derive(Debug)]
pub enum TypeWord {
    /// `int`, `unsigned`, … with its offset.
    Builtin(BuiltinWord, usize),
    /// `_Atomic(T)`
    Atomic(Box<TypeName>),
    /// `struct` and `union`
    Record {
        /// `union`
        is_union: bool,
        /// Its tag.
        tag: Option<String>,
        /// Its members.
        fields: Option<Vec<Field>>,
        /// All of it.
        span: Span,
    },
    /// `enum`
    Enum {
        /// Its tag.
        tag: Option<String>,
        /// Its constants, empty for a mere mention.
        constants: Vec<(String, Span, Option<Expression>)>,
        /// All of it.
        span: Span,
    },
    /// A typedef name.
    Named(String),
    /// `typeof(value)`
    TypeOfValue(Box<Expression>),
    /// `typeof(type)`
    TypeOfType(Box<TypeName>),
}

/// Words of builtin types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum BuiltinWord {
    Void,
    Char,
    Short,
    Int,
    Long,
    Float,
    Double,
    Signed,
    Unsigned,
    Bool,
    Complex,
    OtherFloat,
}

/// Members declared together.
#[derive(Debug)]
pub struct Field {
    /// Their common part.
    pub specifiers: Specifiers,
    /// Each with the width of a bit-field. No declarator: unnamed.
    pub declarators: Vec<(Option<Declarator>, Option<Expression>)>,
}

/// A type in parentheses, in `sizeof` and so on.
#[derive(Debug)]
pub struct TypeName {
    /// All of it.
    pub span: Span,
    /// The first part.
    pub specifiers: Specifiers,
    /// The rest.
    pub declarator: Option<Declarator>,
}

/// A declarator, turned inside out.
#[derive(Debug, Default)]
pub struct Declarator {
    /// All of it.
    pub span: Span,
    /// Its name and where it stands; `None` when it is abstract.
    pub name: Option<(String, Span)>,
    /// What is to be applied to the specifiers' type, in this order.
    pub derived: Vec<Derived>,
}

/// A step from a type to another.
#[derive(Debug)]
pub enum Derived {
    /// Pointer to it.
    Pointer {
        /// `const`
        is_const: bool,
        /// `volatile`
        is_volatile: bool,
        /// `restrict`
        is_restrict: bool,
        /// `_Atomic`
        is_atomic: bool,
    },
    /// Array of it.
    Array(ArraySize),
    /// Function returning it.
    Function {
        /// Parameters.
        parameters: Vec<Parameter>,
        /// `...`
        variadic: bool,
        /// Only names, in the old style: `f(a, b)`.
        names: Vec<(String, Span)>,
    },
}

/// What stands in the brackets of an array declarator.
#[derive(Debug)]
pub enum ArraySize {
    /// `[]`
    Nothing,
    /// `[*]`
    Star,
    /// `[n]`
    Expression(Box<Expression>),
}

/// A parameter.
#[derive(Debug)]
pub struct Parameter {
    /// All of it.
    pub span: Span,
    /// Its type's first part.
    pub specifiers: Specifiers,
    /// Name and the rest of its type.
    pub declarator: Option<Declarator>,
}

/// A statement.
#[derive(Debug)]
pub struct Statement {
    /// All of it.
    pub span: Span,
    /// What it is.
    pub kind: StatementKind,
}

/// Kinds of statements.
#[derive(Debug)]
#[expect(
    missing_docs,
    reason = "the names say it; program::model describes the same kinds"
)]
pub enum StatementKind {
    Compound(Vec<Statement>),
    Declaration(Declaration),
    Expression(Option<Expression>),
    If {
        condition: Expression,
        then: Box<Statement>,
        otherwise: Option<Box<Statement>>,
    },
    While {
        condition: Expression,
        body: Box<Statement>,
    },
    DoWhile {
        body: Box<Statement>,
        condition: Expression,
    },
    For {
        start: ForStart,
        condition: Option<Expression>,
        step: Option<Expression>,
        body: Box<Statement>,
    },
    Switch {
        value: Expression,
        body: Box<Statement>,
    },
    Labelled {
        label: Label,
        body: Box<Statement>,
    },
    Goto(Option<String>),
    Break,
    Continue,
    Return(Option<Expression>),
    Assembly(Assembly),
}

/// Inline assembly.
#[derive(Debug)]
pub struct Assembly {
    /// The instructions.
    pub template: String,
    /// The constraints and values of the operands.
    pub operands: Vec<(String, Expression)>,
    /// Where `asm goto` may go.
    pub labels: Vec<String>,
    /// It may change memory that no operand names.
    pub changes_memory: bool,
    /// No instruction does anything with the operands.
    pub is_barrier: bool,
    /// It may call or go to other code.
    pub may_call: bool,
}

/// What stands before the first `;` of a `for`.
#[derive(Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum ForStart {
    Nothing,
    Expression(Expression),
    Declaration(Declaration),
}

/// Labels.
#[derive(Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Label {
    Name(String),
    Case(Expression),
    CaseRange(Expression, Expression),
    Default,
}

/// What stands after `=`.
#[derive(Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Initialiser {
    Expression(Expression),
    List(InitialiserList),
}

/// An initialiser in braces.
#[derive(Debug)]
pub struct InitialiserList {
    /// With its braces, as well as they are known.
    pub span: Span,
    /// Values, each with what is designated before it; nothing for the next in the order of the type.
    pub items: Vec<(Vec<Designator>, Initialiser)>,
}

/// A part of a designation.
#[derive(Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Designator {
    Member(String),
    Element(Expression),
    Elements(Expression, Expression),
}

/// An expression.
#[derive(Debug)]
pub struct Expression {
    /// With the parentheses around it.
    pub span: Span,
    /// What it is.
    pub kind: ExpressionKind,
}

/// Kinds of expressions.
#[derive(Debug)]
#[expect(
    missing_docs,
    reason = "the names say it; program::model describes the same kinds"
)]
pub enum ExpressionKind {
    Name(String),
    Integer {
        value: Option<i128>,
        long: u8,
        unsigned: bool,
        decimal: bool,
        imaginary: bool,
    },
    Float {
        single: bool,
        long: bool,
        other: bool,
        imaginary: bool,
    },
    Character {
        value: Option<i128>,
        wide: bool,
    },
    /// `length` without the final zero; none where it depends on the compiler's character sets.
    Text {
        wide: bool,
        length: Option<usize>,
    },
    Call {
        callee: Box<Expression>,
        arguments: Vec<Expression>,
    },
    Unary(UnaryOperator, Box<Expression>),
    Step(StepOperator, Box<Expression>),
    Binary(BinaryOperator, Box<Expression>, Box<Expression>),
    Logical {
        and: bool,
        left: Box<Expression>,
        right: Box<Expression>,
    },
    Assign {
        operator: Option<BinaryOperator>,
        target: Box<Expression>,
        value: Box<Expression>,
    },
    Conditional {
        condition: Box<Expression>,
        then: Option<Box<Expression>>,
        otherwise: Box<Expression>,
    },
    Comma(Vec<Expression>),
    Cast(Box<TypeName>, Box<Expression>),
    Member {
        value: Box<Expression>,
        name: String,
        through_pointer: bool,
    },
    Index {
        array: Box<Expression>,
        index: Box<Expression>,
    },
    SizeOfType(Box<TypeName>),
    SizeOfValue(Box<Expression>),
    AlignOfValue(Box<Expression>),
    /// With what stands in brackets in the designator.
    OffsetOf(Box<TypeName>, Vec<Expression>),
    CompoundLiteral(Box<TypeName>, InitialiserList),
    Statement(Box<Statement>),
    Generic {
        control: Box<Expression>,
        associations: Vec<(Option<TypeName>, Expression)>,
    },
    VariadicArgument(Box<Expression>, Box<TypeName>),
    LabelAddress,
}

/// Operators before a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOperator {
    /// `&`
    Address,
    /// `*`
    Indirection,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `~`
    Complement,
    /// `!`
    Not,
    /// `__real__`, `__imag__`
    ComplexPart,
}

/// `++` and `--`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepOperator {
    /// `++x`
    PreIncrement,
    /// `--x`
    PreDecrement,
    /// `x++`
    PostIncrement,
    /// `x--`
    PostDecrement,
}

/// Operators between two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum BinaryOperator {
    Multiply,
    Divide,
    Modulo,
    Add,
    Subtract,
    ShiftLeft,
    ShiftRight,
    Less,
    Greater,
    LessOrEqual,
    GreaterOrEqual,
    Equal,
    NotEqual,
    And,
    Xor,
    Or,
}
