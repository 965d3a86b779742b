//! Our own picture of a C program: symbols, types, statements, expressions and directives, with places in the text.
//!
//! Everything here is plain data. Names are resolved, expressions are typed, and each node knows its [`Span`] in the
//! preprocessed text and, where that is certain, its [`SourceRange`] in the user's own file. Nothing here knows which
//! parser made it. Types live in [`types`](super::types), helpers that walk the tree in [`walk`](super::walk).
//!
//! Errors fall on the side of not knowing: a type that cannot be computed is `Unknown`, a place that a macro touched is
//! `None`. Whoever needs it then refuses with a reason.

use super::types::{Enumeration, Record, Type, TypeId};
use crate::source::{SourceFile, SourceRange, Span};
pub use crate::syntax::tree::{BinaryOperator, StepOperator, UnaryOperator};

/// The files that are precompiled together.
#[derive(Debug, Default)]
pub struct Program {
    /// One per file given, in the order given.
    pub units: Vec<Unit>,
}

/// One translation unit.
#[derive(Debug)]
pub struct Unit {
    /// The user's file, its preprocessed text, and the map between them.
    pub file: SourceFile,
    /// All types, see [`TypeId`].
    pub types: Vec<Type>,
    /// All structs and unions, see [`RecordId`](super::types::RecordId).
    pub records: Vec<Record>,
    /// All enums, see [`EnumId`](super::types::EnumId).
    pub enumerations: Vec<Enumeration>,
    /// All names of objects, functions, enum constants and typedefs, see [`SymbolId`].
    pub symbols: Vec<Symbol>,
    /// All scopes, see [`ScopeId`]; number 0 is the file's.
    pub scopes: Vec<Scope>,
    /// Function definitions, in the order of the text, those from included files too.
    pub functions: Vec<Function>,
    /// Declarations at file scope that have initialisers.
    pub globals: Vec<Declaration>,
    /// Directives, in the order of the text.
    pub directives: Vec<DirectiveUse>,
    /// `MPI_Init` is declared in this unit.
    pub uses_mpi: bool,
}

/// Number of a symbol in [`Unit::symbols`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId(pub usize);

/// Number of a scope in [`Unit::scopes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ScopeId(pub usize);

/// Number of a function definition in [`Unit::functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId(pub usize);

/// Number of a directive in [`Unit::directives`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DirectiveId(pub usize);

/// Number of a statement within its function, in the order of the text (a parent comes before its children).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StatementId(pub usize);

/// A region of names: the file, a function (its parameters), a compound statement, a `for` statement.
#[derive(Clone, Debug)]
pub struct Scope {
    /// The scope around it; `None` for the file.
    pub parent: Option<ScopeId>,
    /// The function it belongs to; `None` for the file and for prototypes.
    pub function: Option<FunctionId>,
    /// Ordinary names declared in it, in order.
    pub symbols: Vec<SymbolId>,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// An object.
    Variable,
    /// A function, declared or defined.
    Function,
    /// An enum constant; `None` when its value is not known.
    EnumConstant(Option<i128>),
    /// A typedef.
    Typedef,
}

/// Where an object lives and how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// Local of an activation (parameters, too).
    Automatic,
    /// The same, declared `register`: its address cannot be taken.
    Register,
    /// Lives as long as the program; visible in this unit only (file scope) or in its block.
    Static,
    /// Lives as long as the program; linkage across units.
    External,
    /// One per thread.
    Thread,
}

/// An initialiser as far as it concerns us.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InitialiserFact {
    /// Its text, from after the `=`.
    pub span: Span,
    /// A constant expression, or braces with constant expressions only (address constants count).
    pub constant: bool,
}

/// A declared name.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// As it is written.
    pub name: String,
    /// What it stands for.
    pub kind: SymbolKind,
    /// Where it is declared.
    pub scope: ScopeId,
    /// Storage of a variable; linkage of a function (`Static` or `External`).
    pub storage: Storage,
    /// Its type. A parameter declared as an array has a pointer type here.
    pub ty: TypeId,
    /// The name in its (first) declaration, in the preprocessed text.
    pub declared: Span,
    /// From here on the name is visible in its scope.
    pub visible_from: usize,
    /// The function whose local it is.
    pub function: Option<FunctionId>,
    /// Position in the parameter list of a function *definition*.
    pub parameter: Option<usize>,
    /// `&x` (or `&x.member`, `&x[i]`) occurs somewhere, or `x` is an array, or a member of it that is an array decays.
    pub address_taken: bool,
    /// Assigned, incremented, decremented or possibly changed through its address after its declaration.
    pub assigned_after_declaration: bool,
    /// What it is initialised with.
    pub initialiser: Option<InitialiserFact>,
    /// `__attribute__((cleanup(f)))`.
    pub cleanup: bool,
    /// The definition in this unit, when it is a function that has one.
    pub definition: Option<FunctionId>,
}

/// A function definition.
#[derive(Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its symbol in the file's scope.
    pub symbol: SymbolId,
    /// From the first specifier to the closing brace.
    pub span: Span,
    /// In the user's file (not an included one).
    pub in_user_file: bool,
    /// Offset right after `{` in the user's file; `None` when the brace comes from a macro or an included file.
    pub body_open: Option<usize>,
    /// Offset of the closing `}` in the user's file.
    pub body_close: Option<usize>,
    /// The line of its name in the user's file (or in the file it comes from).
    pub line: usize,
    /// Parameters in order. Unnamed ones have a symbol with an empty name.
    pub parameters: Vec<SymbolId>,
    /// What it returns.
    pub return_type: TypeId,
    /// Takes `...`.
    pub variadic: bool,
    /// Defined in the old style, `f(a) int a; {}`.
    pub old_style: bool,
    /// Declared `static`.
    pub is_static: bool,
    /// Declared `inline`.
    pub is_inline: bool,
    /// The scope of the parameters and of the body's outermost declarations.
    pub scope: ScopeId,
    /// The compound statement.
    pub body: Statement,
    /// How many statements it has: they are numbered 0 … count-1.
    pub statement_count: usize,
}

/// A statement or declaration.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Number within the function.
    pub id: StatementId,
    /// What it is.
    pub kind: StatementKind,
    /// Its text, with its `;` and its labels.
    pub span: Span,
    /// The same in the user's file. `Some` when both ends are tokens of the user's file outside macros, or the
    /// statement begins or ends with a whole macro invocation (which then lies inside the range, with its `;`).
    pub place: Option<SourceRange>,
    /// Some token of it comes from a macro (so that inner places may be missing).
    pub touched_by_macro: bool,
    /// The scope in which it stands (for a compound: the scope around it).
    pub scope: ScopeId,
    /// It is an item of a compound statement, so that another statement may be put before it.
    pub in_compound: bool,
    /// `#pragma omp …` lines right before it that make it a region or a loop of OpenMP. Text after `#pragma omp`.
    pub openmp: Vec<String>,
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// `{ … }`, with the scope it opens.
    Compound {
        /// Declarations, statements and directives.
        items: Vec<Statement>,
        /// Its own scope.
        scope: ScopeId,
    },
    /// `expression;` or `;`.
    Expression(Option<Expression>),
    /// `if`.
    If {
        /// Condition.
        condition: Expression,
        /// Statement when it holds.
        then: Box<Statement>,
        /// Statement when it does not.
        otherwise: Option<Box<Statement>>,
    },
    /// `while`.
    While {
        /// Condition.
        condition: Expression,
        /// Body.
        body: Box<Statement>,
    },
    /// `do … while`.
    DoWhile {
        /// Body.
        body: Box<Statement>,
        /// Condition.
        condition: Expression,
    },
    /// `for`.
    For {
        /// What stands before the first `;`.
        start: ForStart,
        /// Condition.
        condition: Option<Expression>,
        /// What happens after each iteration.
        step: Option<Expression>,
        /// Body.
        body: Box<Statement>,
        /// The scope of names declared in its head.
        scope: ScopeId,
    },
    /// `switch`.
    Switch {
        /// The value.
        value: Expression,
        /// Body.
        body: Box<Statement>,
    },
    /// A label, `case` or `default` and its statement.
    Labelled {
        /// The label.
        label: Label,
        /// What it labels.
        body: Box<Statement>,
    },
    /// `goto name;`. `None` for a computed goto.
    Goto(Option<String>),
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `return …;`
    Return(Option<Expression>),
    /// A declaration.
    Declaration(Declaration),
    /// One of our directives. Its place is its physical lines.
    Directive(DirectiveId),
    /// Inline assembly.
    Assembly,
}

/// What stands before the first `;` of a `for`.
#[derive(Clone, Debug)]
pub enum ForStart {
    /// Nothing.
    Nothing,
    /// An expression.
    Expression(Expression),
    /// A declaration.
    Declaration(Declaration),
}

/// A label of a statement.
#[derive(Clone, Debug)]
pub enum Label {
    /// `name:`
    Name(String),
    /// `case value:`
    Case(Expression),
    /// `case low ... high:`
    CaseRange(Expression, Expression),
    /// `default:`
    Default,
}

/// A declaration with all its declarators.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// From the first specifier to the `;`.
    pub span: Span,
    /// The same in the user's file.
    pub place: Option<SourceRange>,
    /// What is declared. Empty for a mere `struct s { … };` and for typedefs.
    pub declarators: Vec<Declarator>,
    /// It is a typedef.
    pub is_typedef: bool,
    /// It declares or names a variably modified type, so that it must be executed to be entered.
    pub variably_modified: bool,
    /// The sizes it evaluates (extents of variable-length arrays, `typeof` and `sizeof` operands excluded).
    pub extents: Vec<Expression>,
    /// It also defines a struct, union or enum (so its specifiers cannot be repeated).
    pub defines_type: bool,
}

/// One declared name of a declaration.
#[derive(Clone, Debug)]
pub struct Declarator {
    /// What it declares.
    pub symbol: SymbolId,
    /// The declarator without initialiser.
    pub span: Span,
    /// The same in the user's file.
    pub place: Option<SourceRange>,
    /// What stands after `=`.
    pub initialiser: Option<Initialiser>,
}

/// What stands after `=` in a declaration.
#[derive(Clone, Debug)]
pub enum Initialiser {
    /// An expression.
    Expression(Expression),
    /// Braces.
    List(InitialiserList),
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
}

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
    /// `sizeof`, `_Alignof` of a type or of an expression that is not evaluated; `offsetof`, `typeof` and the like.
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

/// A directive with everything in it resolved.
#[derive(Clone, Debug)]
pub struct DirectiveUse {
    /// What it says.
    pub directive: Directive,
    /// Its physical lines in the user's file, without the last line's end.
    pub lines: SourceRange,
    /// Number of its first physical line, from 1.
    pub line: usize,
    /// Where it stands in the preprocessed text.
    pub span: Span,
    /// The function around it; `None` for `client` at file scope.
    pub function: Option<FunctionId>,
    /// The statement that stands for it in that function.
    pub statement: Option<StatementId>,
    /// The scope in which its names are looked up.
    pub scope: ScopeId,
    /// `execute on restart` ↔ `end execute`: the other one.
    pub partner: Option<DirectiveId>,
}

/// A clause's C expression.
#[derive(Clone, Debug)]
pub struct ClauseExpression {
    /// Its text as the user wrote it (pragmas are not macro-expanded).
    pub text: String,
    /// Where it stands in the user's file.
    pub place: SourceRange,
    /// Resolved and typed. `None` when it contains macro names or syntax that only the compiler can resolve. Spans
    /// and places in it are those of the directive as a whole.
    pub expression: Option<Box<Expression>>,
}

/// What a directive says.
#[derive(Clone, Debug)]
pub enum Directive {
    /// `init [comm(EXPR)]`
    Init {
        /// The communicator.
        communicator: Option<ClauseExpression>,
    },
    /// `register(ITEM, …)`
    Register {
        /// In order.
        items: Vec<Item>,
    },
    /// `unregister(NAME, …)`
    Unregister {
        /// Canonical names, like [`Item::name`].
        names: Vec<String>,
    },
    /// `checkpoint [every(EXPR)] [if(EXPR)] [name(IDENT)]`
    Checkpoint {
        /// Every n-th call.
        every: Option<ClauseExpression>,
        /// Only when this holds.
        condition: Option<ClauseExpression>,
        /// Its name.
        name: Option<String>,
    },
    /// `execute on restart`
    ExecuteOnRestart,
    /// `end execute`
    EndExecute,
    /// `shutdown`
    Shutdown,
    /// `client(NAME, …)`
    Client {
        /// Functions defined in another file.
        names: Vec<String>,
    },
}

/// How the memory of an item is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemPlace {
    /// A named object or a part of one (`x`, `a[n]` with an array, `s.f`).
    Object,
    /// The memory behind a pointer that is a named object or a part of one (`p[n]`, `s.p[n]`), or that lies in
    /// memory itself (`s->f[n]`). The pointer is [`Item::base_text`].
    BehindPointer,
    /// An object in memory that a pointer leads to (`s->f`, `p[3].x`, a flexible array member).
    Indirect,
}

/// An item of a register directive.
#[derive(Clone, Debug)]
pub struct Item {
    /// Canonical name: as written, without white space and without the extents: `u`, `s->f`, `p[3].x`.
    pub name: String,
    /// Where it stands in the user's file.
    pub place: SourceRange,
    /// How its memory is reached.
    pub kind: ItemPlace,
    /// The base without extents as C text: an lvalue. `BehindPointer`: the pointer. Otherwise the object (the array).
    pub base_text: String,
    /// The base, resolved and typed.
    pub base: Option<Box<Expression>>,
    /// The variable the base starts from (`s` in `s->f`).
    pub symbol: SymbolId,
    /// The base is exactly that variable.
    pub is_whole_variable: bool,
    /// Type of one element: what the extents count. Of a whole object: its type with all array dimensions removed.
    pub element: TypeId,
    /// Type of the base lvalue.
    pub base_type: TypeId,
    /// Extents in row-major order as C text: those written, then those that the element's array type adds. Empty: a
    /// single object.
    pub extents: Vec<ItemExtent>,
    /// `lo` of `p[lo:n]`: how many elements of the first dimension are skipped.
    pub lower: Option<ClauseExpression>,
}

/// One extent of an item.
#[derive(Clone, Debug)]
pub struct ItemExtent {
    /// As C text.
    pub text: String,
    /// As written in the directive; `None` when it comes from the array's type.
    pub written: Option<ClauseExpression>,
    /// Its value when it is known.
    pub value: Option<u64>,
}
