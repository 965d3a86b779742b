//! C types as values.
//!
//! A [`TypeId`] names an entry of [`Unit::types`](super::Unit::types). Equal types have equal numbers when qualifiers
//! and typedef names are equal too; [`Unit::same_type`](super::Unit::same_type) looks through both. Typedef names are
//! kept on the way because `MPI_Comm` and `FILE` are recognised by them.
//!
//! What cannot be known is `Unknown`: the consumer refuses, it never guesses.

use super::model::ScopeId;
use crate::source::Span;

/// Number of a type in [`Unit::types`](super::Unit::types).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(pub usize);

impl TypeId {
    /// The type of what could not be typed.
    pub const UNKNOWN: TypeId = TypeId(0);
}

/// Number of a struct or union in [`Unit::records`](super::Unit::records).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordId(pub usize);

/// Number of an enum in [`Unit::enumerations`](super::Unit::enumerations).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EnumId(pub usize);

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// `const` and friends at its outermost level.
    pub qualifiers: Qualifiers,
    /// The outermost typedef by which the program named it: `MPI_Comm`, `FILE`, `size_t`.
    pub typedef_name: Option<String>,
    /// Typedefs of libraries among the names that it has been given, from the outermost to the innermost: `MPI_Comm` for
    /// `comm_t` after `typedef MPI_Comm comm_t`.
    pub library_names: Vec<String>,
}

/// Qualifiers of one level of a type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Qualifiers {
    /// `const`
    pub is_const: bool,
    /// `volatile`
    pub is_volatile: bool,
    /// `restrict`
    pub is_restrict: bool,
    /// `_Atomic`
    pub is_atomic: bool,
}

/// The kinds of types.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TypeKind {
    /// Not known.
    Unknown,
    /// `void`
    Void,
    /// `_Bool`
    Bool,
    /// Integers and characters.
    Integer(IntegerKind),
    /// Real floating types.
    Float(FloatKind),
    /// Complex types.
    Complex(FloatKind),
    /// Complex integers, an extension of GNU C.
    ComplexInteger(IntegerKind),
    /// An enum.
    Enum(EnumId),
    /// A pointer.
    Pointer(TypeId),
    /// An array.
    Array {
        /// Of what.
        element: TypeId,
        /// How many.
        extent: Extent,
    },
    /// A struct or union.
    Record(RecordId),
    /// A function.
    Function {
        /// What it returns.
        result: TypeId,
        /// Types of its parameters, after adjustment.
        parameters: Vec<TypeId>,
        /// Takes `...`.
        variadic: bool,
        /// Its parameters are known (`int f()` is not a prototype).
        prototype: bool,
    },
    /// `va_list` and a vector or other type of the compiler that we do not look into.
    Builtin(String),
}

/// Integer types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names say it")]
pub enum IntegerKind {
    Char,
    SignedChar,
    UnsignedChar,
    Short,
    UnsignedShort,
    Int,
    UnsignedInt,
    Long,
    UnsignedLong,
    LongLong,
    UnsignedLongLong,
    Int128,
    UnsignedInt128,
}

/// Floating types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatKind {
    /// `float`
    Float,
    /// `double`
    Double,
    /// `long double`
    LongDouble,
    /// `__float128`
    Float128,
    /// `_Float16`, `__bf16` and others. The name is not kept.
    Other,
}

/// How many elements an array has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extent {
    /// A constant.
    Constant(u64),
    /// A constant expression whose value we cannot compute (it contains `sizeof` of something, say): its text.
    Expression(Span),
    /// `[]` with an initialiser whose elements we do not count: the array's name, so that `sizeof a / sizeof a[0]` can
    /// be written.
    Initialised(Span),
    /// A variable-length array: the text of the extent.
    Variable(Span),
    /// `[*]` or `[]` in a parameter or an extern declaration.
    Unspecified,
    /// `[]` as the last member of a struct.
    Flexible,
}

/// A struct or union.
#[derive(Clone, Debug)]
pub struct Record {
    /// Otherwise a struct.
    pub is_union: bool,
    /// Its tag.
    pub tag: Option<String>,
    /// The first typedef of exactly this type.
    pub typedef_name: Option<String>,
    /// All typedefs of libraries for it, and for pointers to it: `FILE`, `MPI_Comm`.
    pub aliases: Vec<(Alias, String)>,
    /// A library keeps to itself what is in it: it is declared in a header of the system, or anywhere when all files of the
    /// program are given, and defined in none of them.
    pub is_opaque: bool,
    /// Where it is declared; a type with a scope other than the file's cannot be named at file scope.
    pub scope: ScopeId,
    /// Its members; `None` while it is incomplete.
    pub members: Option<Vec<Member>>,
    /// Its first mention.
    pub declared: Span,
}

impl Record {
    /// How messages and checkpoints call it: by its tag, else by its typedef.
    pub fn name(&self) -> String {
        let word = if self.is_union { "union" } else { "struct" };
        match (&self.tag, &self.typedef_name) {
            (Some(tag), _) => format!("{word} {tag}"),
            (None, Some(name)) => name.clone(),
            (None, None) => word.to_string(),
        }
    }
}

/// What a typedef stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alias {
    /// The struct.
    Itself,
    /// A pointer to it.
    Pointer,
}

/// A member of a struct or union.
#[derive(Clone, Debug)]
pub struct Member {
    /// Its name; `None` for an anonymous struct or union, and for unnamed bit-fields.
    pub name: Option<String>,
    /// Its type.
    pub ty: TypeId,
    /// A bit-field.
    pub is_bit_field: bool,
    /// Bits of a bit-field when known.
    pub width: Option<u64>,
    /// Its name in the text.
    pub declared: Span,
}

/// An enum.
#[derive(Clone, Debug)]
pub struct Enumeration {
    /// Its tag.
    pub tag: Option<String>,
    /// The first typedef of exactly this type.
    pub typedef_name: Option<String>,
    /// Where it is declared.
    pub scope: ScopeId,
    /// Its constants and their values.
    pub constants: Vec<(String, Option<i128>)>,
    /// The type that holds it, as gcc chooses it (`unsigned int` without negative constants).
    pub underlying: IntegerKind,
    /// Its constants are known.
    pub complete: bool,
}

/// Whether an extent in a type is computed when the program runs.
pub(super) fn is_variably_modified(types: &[Type], records: &[Record], ty: TypeId) -> bool {
    let is = |ty| is_variably_modified(types, records, ty);
    match &types[ty.0].kind {
        TypeKind::Array { element, extent } => {
            matches!(extent, Extent::Variable(_)) || is(*element)
        }
        TypeKind::Pointer(target) => is(*target),
        TypeKind::Function { result, .. } => is(*result),
        // An extension of gcc: an array of variable length in a struct. What members point to is no part of it, and may be
        // the same struct.
        TypeKind::Record(record) => {
            let mut members = records[record.0].members.iter().flatten();
            members.any(|member| {
                let mut inner = member.ty;
                loop {
                    match &types[inner.0].kind {
                        TypeKind::Array {
                            extent: Extent::Variable(_),
                            ..
                        } => return true,
                        TypeKind::Array { element, .. } => inner = *element,
                        TypeKind::Pointer(_) => return false,
                        _ => return is(inner),
                    }
                }
            })
        }
        _ => false,
    }
}
