//! What the normalised text does not show any more.

/// Something that the normalised text does not show any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteKind {
    /// `__attribute__((cleanup(f)))`
    Cleanup,
    /// `__attribute__((packed))`
    Packed,
    /// An attribute that makes copies of a function: `always_inline`, `target_clones`.
    Copied,
    /// `__attribute__((const))` or `pure`
    WithoutEffects,
    /// An attribute that changes the type: `mode`.
    ChangedType,
    /// One that makes a vector of the type: `vector_size`, `ext_vector_type`.
    Vector,
    /// `__thread`
    Thread,
    /// `__int128`
    Int128,
    /// `_BitInt`
    BitInt,
    /// `__float128`
    Float128,
    /// `__bf16` or another type of the compiler
    OtherFloat,
    /// `__auto_type`
    AutoType,
    /// `asm`, as a statement or at file scope
    Assembly,
    /// `goto *p`
    ComputedGoto,
    /// `&&label`
    LabelAddress,
    /// `a ?: b`
    OmittedThen,
    /// `__alignof__`
    AlignOf,
    /// `__real__` or `__imag__`
    ComplexPart,
    /// `(T){}`
    EmptyBraces,
    /// `sizeof` before `(T){ … }`
    SizeOfLiteral,
}

/// A note and where it belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Note {
    /// Offset of the token that was changed.
    pub offset: usize,
    /// What it was.
    pub kind: NoteKind,
}
