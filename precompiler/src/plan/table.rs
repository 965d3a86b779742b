//! Descriptions of types, as a plan holds them.

use crate::program::StructCopy;

/// The shape of a value: a predefined descriptor or an entry of the function's table.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Shape {
    /// `cccp_type_<word>`.
    Named(&'static str),
    /// Index into [`TypeTable::types`].
    Table(usize),
    /// The same in a table whose pointers say what they lead to.
    Linked(usize),
    /// A type that another file may describe: the name of its descriptor.
    Elsewhere(String),
}

/// Types that have to be described.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TypeTable {
    /// In dependency order.
    pub types: Vec<TypeEntry>,
    /// Structs declared in blocks, once more: what the entries speak of.
    pub copies: Vec<StructCopy>,
}

/// A described type.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TypeEntry {
    /// `STRUCT`, `BYTES`, `INT`, `HANDLE`: the end of a `CCCP_KIND_…`.
    pub kind: &'static str,
    /// C expression of the size.
    pub size: String,
    /// How C spells it.
    pub name: String,
    /// Members of a struct.
    pub members: Vec<MemberEntry>,
    /// Of a pointer: what it leads to.
    pub target: Option<Shape>,
    /// Of a pointer that points to blocks of these types only: whether they hold one element, or any number.
    pub blocks: Option<Vec<(Shape, bool)>>,
    /// Why nobody can follow the pointers in it.
    pub opaque: Option<String>,
}

/// A member of a struct.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberEntry {
    /// Its name.
    pub name: String,
    /// Shape of one element.
    pub shape: Shape,
    /// Expression of its offset.
    pub offset: String,
    /// Expression of the number of elements.
    pub count: String,
    /// Bit-field: the type of the mask object.
    pub mask: Option<String>,
}
