//! Functions as steps: reads, writes, calls, and the values that go from one to the other.
//!
//! In: the program. Out: for every node of a function's [`Flow`] a list of [`Step`]s in the order in which they happen.
//! The one idea: every mention of memory is a [`Location`], every result an unnamed [`ValueId`] that is set once, so
//! that no analysis has to know C. What is evaluated or not (`&&`, `?:`) is a [`StepKind::Choose`], what may happen any
//! number of times in any order (a statement expression with a loop) is a [`StepKind::Repeat`].
//!
//! ```text
//! if (p->next && n > 0) *q = f(p->next, n);
//!
//! node 2   v0 = read p          v1 = read (*v0).next
//!          choose { v2 = read n } or { }
//! node 3   v3 = read p          v4 = read (*v3).next     v5 = read n
//!          v6 = call f(v4, v5)  v7 = read q              write *v7 = v6
//! ```
//!
//! Errors fall on the side of doing more: a construct that is not understood reads and writes what it names
//! ([`StepKind::Assembly`]), a write that may be to another copy of a variable is [`weak`](StepKind::Write::weak).
//!
//! Not here: what a pointer points to, what a library function does.

use std::collections::HashSet;

use crate::catalog::Catalogue;
use crate::dataflow::{Flow, FunctionRef};
use crate::program::{DirectiveId, Program, RecordId, Storage, SymbolId, TypeId};
use crate::source::Span;

/// Number of a variable in [`Steps::variables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VariableId(pub u32);

/// Number of a function in [`Steps::routines`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RoutineId(pub u32);

/// Number of a value in [`Routine::values`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValueId(pub u32);

/// A type of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeRef {
    /// Index of the unit.
    pub unit: usize,
    /// The type there.
    pub id: TypeId,
}

/// A place in the preprocessed text of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TextPlace {
    /// Index of the unit.
    pub unit: usize,
    /// The text there.
    pub span: Span,
}

/// A program as steps.
#[derive(Debug, Default)]
pub struct Steps {
    /// All variables; those with external linkage once for all units.
    pub variables: Vec<Variable>,
    /// All functions that are defined in the files given, by unit and in the order of the text.
    pub routines: Vec<Routine>,
    /// What the initialisers of variables with static storage store, before `main`. One list per unit, with values of
    /// its own; its `function` is of no meaning.
    pub initial: Vec<Routine>,
    /// Number of each unit's first function.
    pub(super) first_routines: Vec<u32>,
    /// The variable of each symbol, by unit.
    pub(super) symbols: Vec<Vec<Option<VariableId>>>,
    /// Variables of which threads have copies, by unit: where in the text, of what, and the copy.
    pub(super) copies: Vec<Vec<(Span, VariableId, VariableId)>>,
    /// Functions that are called in parallel regions and nowhere else, in programs with variables of which every thread has a copy.
    pub only_in_teams: HashSet<RoutineId>,
}

/// A variable of the program, or one that stands for a value without a name.
#[derive(Clone, Debug)]
pub struct Variable {
    /// As it is written; of what has no name a description in angle brackets.
    pub name: String,
    /// What it is.
    pub kind: VariableKind,
    /// Its type, in the unit of its definition (of its first declaration when it is defined elsewhere).
    pub ty: TypeRef,
    /// Its symbol in that unit.
    pub symbol: Option<SymbolId>,
    /// Where it lives, and how long.
    pub storage: Storage,
    /// Every thread has a copy. This is the initial thread's, see [`VariableKind::OtherThreads`].
    pub per_thread: bool,
    /// The function it belongs to: locals, parameters, static locals.
    pub owner: Option<RoutineId>,
    /// Code that is not among the files given can name it: it has external linkage.
    pub is_shared: bool,
    /// Defined in one of the files given (always so when it has an owner).
    pub is_defined: bool,
    /// The files given store to it by its name, or may store to a number or a pointer through its address.
    pub is_set: bool,
    /// Its declaration.
    pub declared: TextPlace,
}

impl Variable {
    /// Whether the program sees to its value: others are what their library makes them, in every start. What it shares with a kernel in
    /// another language is its own, wherever it is defined.
    pub fn is_of_program(&self, program: &Program, catalogue: &Catalogue) -> bool {
        self.is_defined || self.is_set || self.is_of_unseen_object(program, catalogue)
    }

    /// Whether an object defines it that nobody sees, and no library does.
    pub fn is_of_unseen_object(&self, program: &Program, catalogue: &Catalogue) -> bool {
        !self.is_defined
            && catalogue.is_unseen_variable(&self.name)
            && !self.is_of_library(program, catalogue)
    }

    /// Whether it belongs to a library: a header of the system or of MPI declares it, or the catalogue knows it, and none of the files
    /// given defines it.
    pub fn is_of_library(&self, program: &Program, catalogue: &Catalogue) -> bool {
        let TextPlace { unit, span } = self.declared;
        let file = program.units.get(unit).map(|unit| &unit.file);
        let is_foreign = !self.is_defined && self.owner.is_none();
        is_foreign
            && (file.is_some_and(|file| {
                let at = span.start;
                file.is_system(at)
                    || !file.is_of_program(at) && file.header_mentions(at, "MPI_Init")
            }) || catalogue.state_of_variable(&self.name).is_some())
    }

    /// Whether it belongs to a library and the program itself does not set it: it has in every start what the library gives it, and what
    /// it leads to is the library's.
    pub fn is_left_to_library(&self, program: &Program, catalogue: &Catalogue) -> bool {
        !self.is_set && self.is_of_library(program, catalogue)
    }
}

/// What a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableKind {
    /// Declared by the program.
    Named,
    /// A parameter, with its position.
    Parameter(usize),
    /// `(type){ … }`
    CompoundLiteral,
    /// A struct or union that a function returned, or that a conditional expression chose.
    Temporary,
    /// The copies that all threads but the initial one have of a variable.
    OtherThreads,
    /// What the variable arguments of a function with `...` are: `va_arg` reads it, calls write it.
    VariableArguments,
}

/// A function as steps.
#[derive(Debug)]
pub struct Routine {
    /// The function.
    pub function: FunctionRef,
    /// Its name.
    pub name: String,
    /// Where control may go.
    pub flow: Flow,
    /// What happens in each node of `flow`.
    pub nodes: Vec<Vec<Step>>,
    /// Its parameters.
    pub parameters: Vec<VariableId>,
    /// The variable arguments, if it takes any.
    pub variable_arguments: Option<VariableId>,
    /// All values.
    pub values: Vec<Value>,
    /// The items of its register directives. Values in their places are set in the node of the directive.
    pub items: Vec<RegisteredItem>,
}

/// An item of a register directive.
#[derive(Clone, Debug)]
pub struct RegisteredItem {
    /// The directive.
    pub directive: DirectiveId,
    /// The item's position in it.
    pub index: usize,
    /// Its base: the pointer when memory behind a pointer is registered, otherwise the object (an array as a whole).
    pub place: Location,
}

/// A value: set by one step, used by others. A constant is set by none.
#[derive(Clone, Debug)]
pub struct Value {
    /// Its type. Arrays and functions have become pointers.
    pub ty: TypeRef,
    /// What it is when that is known: an integer constant expression. A null pointer constant is 0.
    pub constant: Option<i128>,
    /// It is the size of this type, or a multiple of that: `n * sizeof(T)`.
    pub size_of: Option<TypeRef>,
}

/// Something that happens.
#[derive(Clone, Debug)]
pub struct Step {
    /// What.
    pub kind: StepKind,
    /// The expression or declarator it comes from, in the preprocessed text of the function's unit.
    pub span: Span,
}

/// What happens.
#[derive(Clone, Debug)]
pub enum StepKind {
    /// A scalar is read from memory. Where nothing more is known, it may also be all of an aggregate.
    Read {
        /// From where.
        place: Location,
        /// What it is called from now on.
        into: ValueId,
    },
    /// Memory is stored to.
    Write {
        /// Where. A struct, union or array is set as a whole (to zeros, by an initialiser), and `value` is none.
        place: Location,
        /// What is stored; none when it is a constant or nothing that could be a pointer.
        value: Option<ValueId>,
        /// It does not surely end what was there: another copy of the variable may be meant (one that is private to a
        /// thread), it is volatile, or how much is stored is not known.
        weak: bool,
    },
    /// A struct or union is copied as a whole.
    Copy {
        /// What is read.
        from: Location,
        /// What is stored to.
        to: Location,
        /// As for `Write`.
        weak: bool,
    },
    /// The address of a place is computed; nothing is read there.
    Address {
        /// Of what.
        place: Location,
        /// What it is called from now on.
        into: ValueId,
    },
    /// A value is computed from others: arithmetic, a cast, a choice between two.
    Combine {
        /// From which ones; all may be part of it.
        from: Vec<ValueId>,
        /// What it is called from now on.
        into: ValueId,
        /// How.
        how: Combination,
    },
    /// A function is called.
    Call(Box<Call>),
    /// The life of a local begins (or begins anew): what it held before is gone.
    Begin(VariableId),
    /// Exactly one of these lists happens.
    Choose(Vec<Vec<Step>>),
    /// These happen any number of times, in any order, or not at all.
    Repeat(Vec<Step>),
    /// The function returns.
    Return {
        /// What, when it is a scalar.
        value: Option<ValueId>,
        /// What, when it is a struct or union.
        aggregate: Option<Location>,
    },
    /// A directive; its clauses have been read before.
    Directive(DirectiveId),
    /// Inline assembly: reads and stores to what it names, and to whatever it can reach from there.
    Assembly {
        /// What it names.
        named: Vec<Location>,
        /// It stores no pointers that could be others than before.
        keeps_pointers: bool,
    },
}

/// How a value is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combination {
    /// The same value, perhaps in another type.
    Cast,
    /// One of them (`?:`).
    Choice,
    /// A pointer and an integer, in this order: the pointer stays in its array.
    PointerStep,
    /// The same, where the integer is taken away.
    PointerBack,
    /// Arithmetic that leaves an address: of pointers that went through integers something may be left.
    Arithmetic,
    /// Arithmetic after which an address is none any more, though the result depends on it: a hash, a distance, two
    /// pointers in one number. What is computed from that may be an address again.
    Scramble,
}

/// A call.
#[derive(Clone, Debug)]
pub struct Call {
    /// What is called.
    pub callee: Called,
    /// With what, in the order of the parameters.
    pub arguments: Vec<Argument>,
    /// What comes back; of no meaning for `void` and aggregates.
    pub result: ValueId,
    /// Where a struct or union that comes back is put.
    pub aggregate: Option<VariableId>,
}

/// What is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Called {
    /// A function of the files given.
    Routine(RoutineId),
    /// A function that is defined elsewhere.
    Named(String),
    /// Whatever this value points to.
    Pointer(ValueId),
}

/// What a function is called with.
#[derive(Clone, Debug)]
pub struct Argument {
    /// The value; of no meaning for an aggregate.
    pub value: ValueId,
    /// A struct or union that is handed over by value.
    pub aggregate: Option<Location>,
    /// Its text.
    pub span: Span,
}

/// Memory that an expression names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// Where the way to it begins.
    pub base: Base,
    /// Members and elements on the way.
    pub path: Vec<Projection>,
    /// The type of what is there. `TypeId::UNKNOWN`: any part of what the path leads to.
    pub ty: TypeRef,
}

/// Where the way to memory begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Base {
    /// At a variable.
    Variable(VariableId),
    /// Where a pointer points to, and the type it points to.
    Pointer(ValueId, TypeRef),
    /// At a function: it has an address, and is neither read nor written.
    Function(FunctionTarget),
    /// At a string literal.
    Text(TextPlace),
}

/// A function whose address is taken.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FunctionTarget {
    /// Of the files given.
    Routine(RoutineId),
    /// Defined elsewhere.
    Named(String),
}

/// A step on the way to memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Projection {
    /// A member of a struct or union: its number in the list of members of that record of the unit of the location's
    /// type. Members of anonymous structs are reached through them.
    Member(RecordId, usize),
    /// An element of an array.
    Element(ValueId),
}
