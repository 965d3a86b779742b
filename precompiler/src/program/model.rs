//! Our own picture of a C program: symbols, types, statements, expressions and directives, with places in the text.
//!
//! Everything here is plain data. Names are resolved, expressions are typed, and each node knows its [`Span`] in the
//! preprocessed text and, where that is certain, its [`SourceRange`] in the user's own file. Nothing here knows which
//! parser made it. Types live in [`types`](super::types), helpers that walk the tree in [`walk`](super::walk).
//!
//! Errors fall on the side of not knowing: a type that cannot be computed is `Unknown`, a place that a macro touched is
//! `None`. Whoever needs it then refuses with a reason.

pub use super::directives::*;
pub use super::expression::*;
pub use super::openmp::Construct;
pub use super::statement::*;
use super::types::{Enumeration, Record, Type, TypeId};
use crate::source::{SourceFile, Span};
use std::collections::{BTreeMap, BTreeSet};

/// The files that are precompiled together.
#[derive(Debug, Default)]
pub struct Program {
    /// One per file given, in the order given.
    pub units: Vec<Unit>,
    /// There are no other files.
    pub is_whole: bool,
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
    /// Vectors of the compiler ([`TypeKind::Builtin`](super::types::TypeKind)), by name: the types of their elements.
    pub vectors: BTreeMap<String, TypeId>,
    /// All names of objects, functions, enum constants and typedefs, see [`SymbolId`].
    pub symbols: Vec<Symbol>,
    /// All scopes, see [`ScopeId`]; number 0 is the file's.
    pub scopes: Vec<Scope>,
    /// Function definitions, in the order of the text, those from included files too.
    pub functions: Vec<Function>,
    /// Where the definitions of functions stand that cannot run and were left out, in the order of the text.
    pub left_out: Vec<Span>,
    /// Where branches stand through which no run goes and that were emptied, in the order of the text.
    pub emptied: Vec<Span>,
    /// Declarations at file scope that have initialisers.
    pub globals: Vec<Declaration>,
    /// Directives, in the order of the text.
    pub directives: Vec<DirectiveUse>,
    /// Extents of variable-length arrays in type names and parameters, in the order of the text: whatever they stand
    /// in evaluates them.
    pub type_extents: Vec<Expression>,
    /// Directives of OpenMP, in the order of the preprocessed text.
    pub openmp: Vec<Construct>,
    /// `MPI_Init` is declared in this unit.
    pub uses_mpi: bool,
    /// Handles of MPI come back when they are registered: the program's calls that make them are noted.
    pub notes_handles: bool,
    /// Typedefs that are spelt by a second name, see [`Unit::second_names`].
    pub hidden_types: BTreeSet<String>,
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

impl FunctionId {
    /// A function that cannot run, and that was left out: only its locals and scopes are still there.
    pub const LEFT_OUT: FunctionId = FunctionId(usize::MAX);
}

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
}

/// An initialiser as far as it concerns us.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InitialiserFact {
    /// Its text, from after the `=`.
    pub span: Span,
    /// A constant expression, or braces with constant expressions only (address constants count).
    pub constant: bool,
    /// A name in it means something else further on in the scope of what it initialises: there the text is another value.
    pub changes: bool,
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
    /// A variable of which every thread has a copy that lives as long as the thread: `_Thread_local`, or named by
    /// `#pragma omp threadprivate`. `storage` is its linkage.
    pub per_thread: bool,
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
    /// A function of which the compiler has to be able to make copies.
    pub copied: bool,
    /// A function that is said to be without effects: `const` or `pure`.
    pub without_effects: bool,
    /// The definition in this unit, when it is a function that has one.
    pub definition: Option<FunctionId>,
    /// A variable that is defined in this unit, if only tentatively: somewhere it is declared without `extern` or with
    /// an initialiser.
    pub is_defined: bool,
    /// A function that only its calls declare.
    pub is_implicit: bool,
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

impl Function {
    /// Whether it has constructs of OpenMP: threads may share its locals.
    pub fn has_constructs(&self) -> bool {
        let mut found = false;
        self.body.walk(&mut |statement| {
            found |= !statement.openmp.is_empty();
            !found
        });
        found
    }
}
