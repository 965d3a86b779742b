//! How to write a type down at file scope.
//!
//! The spelling uses builtin names and tags only (`unsigned long`, `struct particle *`, `double (*)[3]`), so that it
//! means the same wherever it is put in the file. A struct without a tag is spelt by its typedef. What has neither, or
//! is declared in a block, cannot be named: the answer is the reason. Descriptors name a [copy](super::copies) of it.

use super::arithmetic::Types;
use super::model::{ScopeId, SymbolId, SymbolKind, Unit};
use super::types::{
    EnumId, Enumeration, Extent, FloatKind, IntegerKind, Qualifiers, Record, RecordId, Type,
    TypeId, TypeKind, is_variably_modified,
};
use crate::source::SourceFile;

/// Why a type has no name at file scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unspeakable {
    /// A struct, union or enum without tag and typedef.
    Anonymous,
    /// A struct, union or enum that is declared in a block.
    Local,
    /// An array whose extent is computed when the program runs.
    Variable,
    /// A type that we could not compute.
    Unknown,
}

impl Unspeakable {
    /// As half a sentence.
    pub fn reason(self) -> &'static str {
        match self {
            Unspeakable::Anonymous => "its type has neither a tag nor a typedef name",
            Unspeakable::Local => {
                "its type is declared inside a function, with attributes or extents that only its block understands; \
                 at file scope it could be described"
            }
            Unspeakable::Variable => {
                "its type contains an extent that is computed when the program runs"
            }
            Unspeakable::Unknown => "its type is not known",
        }
    }
}

/// How types are spelt that are declared in a block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Local {
    /// Not at all.
    Refused,
    /// By their copies.
    Copied,
    /// As their block does.
    Shown,
}

impl Types for Unit {
    fn kind_of(&self, ty: TypeId) -> &TypeKind {
        self.kind(ty)
    }

    fn meaning(&self, symbol: SymbolId) -> SymbolKind {
        self.symbols[symbol.0].kind
    }

    fn enumeration(&self, id: EnumId) -> &Enumeration {
        &self.enumerations[id.0]
    }

    fn record(&self, id: RecordId) -> &Record {
        &self.records[id.0]
    }

    fn source(&self) -> &SourceFile {
        &self.file
    }
}

impl Unit {
    /// The type with a number.
    pub fn ty(&self, id: TypeId) -> &Type {
        &self.types[id.0]
    }

    /// The kind of the type with a number.
    pub fn kind(&self, id: TypeId) -> &TypeKind {
        &self.types[id.0].kind
    }

    /// What a vector of the compiler consists of; none for other types.
    pub fn vector_element(&self, id: TypeId) -> Option<&TypeKind> {
        match self.kind(id) {
            TypeKind::Builtin(name) => Some(self.kind(*self.vectors.get(name)?)),
            _ => None,
        }
    }

    /// Whether two types are the same but for qualifiers and typedef names.
    pub fn same_type(&self, a: TypeId, b: TypeId) -> bool {
        if a == b {
            return true;
        }
        match (self.kind(a), self.kind(b)) {
            (TypeKind::Pointer(a), TypeKind::Pointer(b)) => self.same_type(*a, *b),
            (
                TypeKind::Array {
                    element: a,
                    extent: x,
                },
                TypeKind::Array {
                    element: b,
                    extent: y,
                },
            ) => x == y && self.same_type(*a, *b),
            (
                TypeKind::Function {
                    result: a,
                    parameters: p,
                    variadic: v,
                    ..
                },
                TypeKind::Function {
                    result: b,
                    parameters: q,
                    variadic: w,
                    ..
                },
            ) => {
                v == w
                    && p.len() == q.len()
                    && self.same_type(*a, *b)
                    && p.iter().zip(q).all(|(p, q)| self.same_type(*p, *q))
            }
            (x, y) => x == y,
        }
    }

    /// What a pointer points to or an array consists of.
    pub fn pointee(&self, id: TypeId) -> Option<TypeId> {
        match self.kind(id) {
            TypeKind::Pointer(target) => Some(*target),
            TypeKind::Array { element, .. } => Some(*element),
            _ => None,
        }
    }

    /// Whether the type has a size.
    pub fn is_complete(&self, id: TypeId) -> bool {
        match self.kind(id) {
            TypeKind::Unknown | TypeKind::Void | TypeKind::Function { .. } => false,
            TypeKind::Record(record) => self.records[record.0].members.is_some(),
            TypeKind::Array { element, extent } => {
                !matches!(extent, Extent::Unspecified | Extent::Flexible)
                    && self.is_complete(*element)
            }
            _ => true,
        }
    }

    /// Whether an object of the type may hold a pointer.
    pub fn holds_pointers(&self, id: TypeId) -> bool {
        match self.kind(id) {
            TypeKind::Pointer(_) => true,
            TypeKind::Array { element, .. } => self.holds_pointers(*element),
            TypeKind::Record(record) => {
                let mut members = self.records[record.0].members.iter().flatten();
                members.any(|member| !member.is_bit_field && self.holds_pointers(member.ty))
            }
            _ => false,
        }
    }

    /// Whether an extent in the type is computed when the program runs.
    pub fn is_variably_modified(&self, id: TypeId) -> bool {
        is_variably_modified(&self.types, &self.records, id)
    }

    /// `Type declarator` in a spelling that is valid at file scope; an empty declarator gives a type name. Qualifiers
    /// at the outermost level are left out, so that a variable of that type can be assigned to.
    pub fn spell(&self, id: TypeId, declarator: &str) -> Result<String, Unspeakable> {
        self.spell_inner(id, declarator, false, Local::Refused)
    }

    /// The same with the outermost qualifiers.
    pub fn spell_qualified(&self, id: TypeId, declarator: &str) -> Result<String, Unspeakable> {
        self.spell_inner(id, declarator, true, Local::Refused)
    }

    /// The same for descriptors, which say how a value lies in memory: types that are declared in a block by their copies.
    pub fn spell_copied(&self, id: TypeId, declarator: &str) -> Result<String, Unspeakable> {
        self.spell_inner(id, declarator, false, Local::Copied)
    }

    pub(super) fn spell_copied_qualified(
        &self,
        id: TypeId,
        declarator: &str,
    ) -> Result<String, Unspeakable> {
        self.spell_inner(id, declarator, true, Local::Copied)
    }

    /// For people: types that are declared in a block as they are called there.
    pub fn spell_shown(&self, id: TypeId) -> Result<String, Unspeakable> {
        self.spell_inner(id, "", false, Local::Shown)
    }

    fn spell_inner(
        &self,
        id: TypeId,
        declarator: &str,
        qualified: bool,
        local: Local,
    ) -> Result<String, Unspeakable> {
        let ty = self.ty(id);
        let prefix = if qualified {
            qualifier_text(ty.qualifiers)
        } else {
            String::new()
        };
        let base = |name: &str| {
            if declarator.is_empty() {
                format!("{prefix}{name}")
            } else {
                format!("{prefix}{name} {declarator}")
            }
        };
        match &ty.kind {
            TypeKind::Unknown => Err(Unspeakable::Unknown),
            TypeKind::Void => Ok(base("void")),
            TypeKind::Bool => Ok(base("_Bool")),
            TypeKind::Integer(kind) => Ok(base(kind.spelling())),
            TypeKind::Float(FloatKind::Other) => ty
                .typedef_name
                .as_ref()
                .map(|n| base(n))
                .ok_or(Unspeakable::Unknown),
            TypeKind::Float(kind) => Ok(base(kind.spelling())),
            TypeKind::Complex(kind) => Ok(base(&format!("{} _Complex", kind.spelling()))),
            TypeKind::ComplexInteger(kind) => Ok(base(&format!("{} _Complex", kind.spelling()))),
            TypeKind::Builtin(name) => Ok(base(name)),
            TypeKind::Enum(number) => {
                let e = &self.enumerations[number.0];
                if e.scope != ScopeId(0) && local == Local::Copied {
                    return Ok(base(e.underlying.spelling()));
                }
                self.named("enum", &e.tag, &e.typedef_name, (e.scope, local))
                    .map(|n| base(&n))
            }
            TypeKind::Record(number) => {
                let r = &self.records[number.0];
                let word = if r.is_union { "union" } else { "struct" };
                if r.scope != ScopeId(0) && local == Local::Copied {
                    return self.copied_name(*number).map(|n| base(&n));
                }
                self.named(word, &r.tag, &r.typedef_name, (r.scope, local))
                    .map(|n| base(&n))
            }
            TypeKind::Pointer(target) => {
                let space = if declarator.is_empty() || prefix.is_empty() {
                    ""
                } else {
                    " "
                };
                let inner = format!("*{}{space}{declarator}", prefix.trim_end());
                let inner = match self.kind(*target) {
                    TypeKind::Array { .. } | TypeKind::Function { .. } => format!("({inner})"),
                    _ => inner,
                };
                self.spell_inner(*target, &inner, true, local)
            }
            TypeKind::Array { element, extent } => {
                let extent = match extent {
                    Extent::Constant(n) => n.to_string(),
                    Extent::Expression(span) => self.file.preprocessed_text(*span).to_string(),
                    Extent::Variable(_) => return Err(Unspeakable::Variable),
                    Extent::Unspecified | Extent::Flexible | Extent::Initialised(_) => {
                        String::new()
                    }
                };
                self.spell_inner(
                    *element,
                    &format!("{declarator}[{extent}]"),
                    qualified,
                    local,
                )
            }
            TypeKind::Function {
                result,
                parameters,
                variadic,
                prototype,
            } => {
                let mut list = Vec::new();
                for parameter in parameters {
                    list.push(self.spell_inner(*parameter, "", true, local)?);
                }
                if *variadic {
                    list.push("...".to_string());
                }
                if list.is_empty() && *prototype {
                    list.push("void".to_string());
                }
                self.spell_inner(
                    *result,
                    &format!("{declarator}({})", list.join(", ")),
                    true,
                    local,
                )
            }
        }
    }

    fn named(
        &self,
        word: &str,
        tag: &Option<String>,
        typedef_name: &Option<String>,
        (scope, local): (ScopeId, Local),
    ) -> Result<String, Unspeakable> {
        if scope != ScopeId(0) && local != Local::Shown {
            return Err(Unspeakable::Local);
        }
        match (tag, typedef_name) {
            (Some(tag), _) => Ok(format!("{word} {tag}")),
            (None, Some(name)) if local == Local::Shown => Ok(name.clone()),
            (None, Some(name)) => Ok(self.visible_name(name)),
            (None, None) => Err(Unspeakable::Anonymous),
        }
    }
}

fn qualifier_text(qualifiers: Qualifiers) -> String {
    let mut text = String::new();
    for (set, word) in [
        (qualifiers.is_const, "const "),
        (qualifiers.is_volatile, "volatile "),
        (qualifiers.is_restrict, "restrict "),
        (qualifiers.is_atomic, "_Atomic "),
    ] {
        if set {
            text.push_str(word);
        }
    }
    text
}

impl IntegerKind {
    /// Whether it has no negative numbers; those of `char` depend on the machine.
    pub fn is_unsigned(self) -> bool {
        matches!(
            self,
            IntegerKind::UnsignedChar
                | IntegerKind::UnsignedShort
                | IntegerKind::UnsignedInt
                | IntegerKind::UnsignedLong
                | IntegerKind::UnsignedLongLong
                | IntegerKind::UnsignedInt128
        )
    }

    /// Its size; `long`: that of `long`, on a machine.
    pub fn bytes(self, long: impl FnOnce() -> u64) -> u64 {
        match self {
            IntegerKind::Char | IntegerKind::SignedChar | IntegerKind::UnsignedChar => 1,
            IntegerKind::Short | IntegerKind::UnsignedShort => 2,
            IntegerKind::Int | IntegerKind::UnsignedInt => 4,
            IntegerKind::Long | IntegerKind::UnsignedLong => long(),
            IntegerKind::LongLong | IntegerKind::UnsignedLongLong => 8,
            IntegerKind::Int128 | IntegerKind::UnsignedInt128 => 16,
        }
    }

    /// The word for it in the names of cccp.h, as in `cccp_type_uint`; none for kinds that have no portable form.
    pub fn word(self) -> Option<&'static str> {
        Some(match self {
            IntegerKind::Char => "char",
            IntegerKind::SignedChar => "schar",
            IntegerKind::UnsignedChar => "uchar",
            IntegerKind::Short => "short",
            IntegerKind::UnsignedShort => "ushort",
            IntegerKind::Int => "int",
            IntegerKind::UnsignedInt => "uint",
            IntegerKind::Long => "long",
            IntegerKind::UnsignedLong => "ulong",
            IntegerKind::LongLong => "llong",
            IntegerKind::UnsignedLongLong => "ullong",
            IntegerKind::Int128 | IntegerKind::UnsignedInt128 => return None,
        })
    }

    /// How C spells it.
    pub fn spelling(self) -> &'static str {
        match self {
            IntegerKind::Char => "char",
            IntegerKind::SignedChar => "signed char",
            IntegerKind::UnsignedChar => "unsigned char",
            IntegerKind::Short => "short",
            IntegerKind::UnsignedShort => "unsigned short",
            IntegerKind::Int => "int",
            IntegerKind::UnsignedInt => "unsigned int",
            IntegerKind::Long => "long",
            IntegerKind::UnsignedLong => "unsigned long",
            IntegerKind::LongLong => "long long",
            IntegerKind::UnsignedLongLong => "unsigned long long",
            IntegerKind::Int128 => "__int128",
            IntegerKind::UnsignedInt128 => "unsigned __int128",
        }
    }
}

impl FloatKind {
    /// How C spells it (`Other` has no single spelling).
    pub fn spelling(self) -> &'static str {
        match self {
            FloatKind::Float => "float",
            FloatKind::Double => "double",
            FloatKind::LongDouble => "long double",
            FloatKind::Float128 | FloatKind::Other => "__float128",
        }
    }
}
