//! The memory of a program as a finite number of cells.
//!
//! An [`Object`] is a variable, everything that is allocated by one call, or something that stands for memory we do not
//! see. It consists of [`Cell`]s: one per scalar member, arrays counted once (all elements are one cell, or one cell per
//! member of the element), unions once. An object that is used under types that do not fit each other is *collapsed*
//! into a single cell.
//!
//! ```text
//! struct particle { double at[3]; int kind; } *p = malloc(n * sizeof *p);
//! heap@12: cells  .at[] : double, part of an array     .kind : int, part of an array
//! ```
//!
//! Errors fall on the side of one cell that stands for much: it is live when any of it is.

use fixedbitset::FixedBitSet;

use crate::dataflow::steps::{FunctionTarget, RoutineId, TextPlace, TypeRef, VariableId};

/// Number of an object in [`Memory::objects`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(pub u32);

/// Number of a cell in [`Memory::cells`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellId(pub u32);

/// A set of cells, by number. Its length is that of [`Memory::cells`].
pub type CellSet = FixedBitSet;

/// All memory of a program.
#[derive(Debug, Default)]
pub struct Memory {
    /// Objects.
    pub objects: Vec<Object>,
    /// Cells; those of an object follow each other.
    pub cells: Vec<Cell>,
}

impl Memory {
    /// The function of the files given that a cell is.
    pub fn routine(&self, cell: CellId) -> Option<RoutineId> {
        match self.objects[self.cells[cell.0 as usize].object.0 as usize].kind {
            ObjectKind::Function(FunctionTarget::Routine(id)) => Some(id),
            _ => None,
        }
    }
}

/// Something that has an address.
#[derive(Clone, Debug)]
pub struct Object {
    /// What it is.
    pub kind: ObjectKind,
    /// The type of the whole object; of the heap: of one element. `None`: not known, or used as several.
    pub ty: Option<TypeRef>,
    /// Its first cell.
    pub first: CellId,
    /// How many cells it has.
    pub count: u32,
    /// There is never more than one of it at a time: no local of a function that may be active twice, no allocation
    /// that may be made twice. Only then a write to all of it is surely a write to *it*.
    pub is_single: bool,
    /// A block of the heap whose type the call says that allocates it.
    pub is_said: bool,
    /// All of it is one cell because it is used under types that do not fit each other: why.
    pub collapsed: Option<Collapse>,
}

/// What an object is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ObjectKind {
    /// A variable.
    Variable(VariableId),
    /// What a call allocates. `through`: the calls of allocating functions of the program that lead there, from the
    /// outermost to the innermost, as far as they are told apart.
    Heap {
        /// The function in which the call stands.
        routine: RoutineId,
        /// The call of the library function.
        call: TextPlace,
        /// The way there.
        through: Vec<TextPlace>,
    },
    /// A function.
    Function(FunctionTarget),
    /// A string literal.
    Text(TextPlace),
    /// What a library keeps to itself: `@random`.
    Library(String),
    /// All memory of code that we do not see: what it allocates, its variables, what escaped to it is *not* part of it.
    Unknown,
}

/// Why an object is one cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collapse {
    /// Where it is used in another way.
    pub at: TextPlace,
    /// The type it is used under there, as C text.
    pub used_as: String,
}

/// A part of an object.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Of which object.
    pub object: ObjectId,
    /// How it is reached from the object's name: `.at[]`, `[]`; empty for a scalar variable.
    pub path: String,
    /// Its type; none when it is collapsed.
    pub ty: Option<TypeRef>,
    /// It stands for many places: an element of an array, or a member of one. A write to it leaves others as they are.
    pub is_many: bool,
}
