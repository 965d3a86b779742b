//! Types as sequences of leaves: the parts of an object that are told apart.
//!
//! In: types of the program. Out: a [`Layout`] per type. The one idea: a leaf is a scalar member, a bit-field or a
//! union, with its offset in bits; an array counts as one element, so its leaves are those of the element. Types of
//! several units that look alike are one layout.
//!
//! ```text
//! struct s { int n; struct { double x, y; } at[3]; union { int i; char *p; } u; }
//! leaves   .n (0, 32)    .at[].x (64, 64)    .at[].y (128, 64)    .u (448, 64)
//! ```
//!
//! Errors fall on the side of one leaf that stands for much: a type whose size we do not know is one opaque leaf.
//! Sizes are those of the machine that the file was preprocessed for, with the alignment of its usual C compilers.
//!
//! Not here: what happens when an object is used under another type ([`overlay`](super::overlay)).

use std::collections::HashMap;

use crate::dataflow::steps::TypeRef;
use crate::program::machine::Machine;
use crate::program::{
    Extent, FloatKind, IntegerKind, Member, Program, RecordId, TypeId, TypeKind, Unit,
};

/// Number of a layout in [`Layouts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LayoutId(pub u32);

/// How a type lies in memory.
#[derive(Clone, Debug)]
pub struct Layout {
    /// What it consists of.
    pub shape: Shape,
    /// Its size in bits; `None`: not known, or as large as it happens to be.
    pub size: Option<u64>,
    /// Its alignment in bits.
    pub align: u64,
    /// The parts that are told apart, by offset.
    pub leaves: Vec<Leaf>,
}

/// What a type consists of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// One leaf.
    Leaf(LeafKind, Option<u64>),
    /// A struct, with its size.
    Record(Vec<Part>, Option<u64>),
    /// An array.
    Array(LayoutId, Option<u64>),
}

/// What can be in a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LeafKind {
    /// A pointer.
    Pointer,
    /// An integer.
    Integer,
    /// A real or complex number.
    Float,
    /// Some bits.
    BitField,
    /// One of several things; whether one of them can hold a pointer.
    Union(bool),
    /// Nobody knows.
    Opaque,
}

/// A member of a struct.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    /// Offset in bits.
    pub offset: u64,
    /// Its name.
    pub name: Option<String>,
    /// What is there; `None` for padding.
    pub layout: Option<LayoutId>,
    /// The number of its first leaf.
    pub first: u32,
}

/// A part of a type that is not divided further.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// Offset in bits, in the first elements of arrays.
    pub offset: u64,
    /// Size in bits.
    pub size: Option<u64>,
    /// What can be in it.
    pub kind: LeafKind,
    /// How it is reached: `.at[].x`.
    pub path: String,
    /// It is an element of an array, or a member of one.
    pub is_many: bool,
}

impl Leaf {
    /// Whether pointers can be kept there without tricks.
    pub fn holds_pointers(&self) -> bool {
        match self.kind {
            LeafKind::Pointer | LeafKind::Opaque | LeafKind::Union(true) => true,
            LeafKind::Integer => self.size.is_none_or(|size| size >= 64),
            LeafKind::Float | LeafKind::BitField | LeafKind::Union(false) => false,
        }
    }
}

/// All layouts.
#[derive(Debug, Default)]
pub struct Layouts {
    layouts: Vec<Layout>,
    by_type: HashMap<TypeRef, LayoutId>,
    by_shape: HashMap<Shape, LayoutId>,
    types: HashMap<LayoutId, TypeRef>,
}

impl Layouts {
    /// The layout of what nobody knows.
    pub const OPAQUE: LayoutId = LayoutId(0);

    /// None yet, but for the opaque one.
    pub fn new() -> Layouts {
        let mut layouts = Layouts::default();
        layouts.intern(Shape::Leaf(LeafKind::Opaque, None), None, 8);
        layouts
    }

    /// A layout by its number.
    pub fn get(&self, id: LayoutId) -> &Layout {
        &self.layouts[id.0 as usize]
    }

    /// The layout of a type that was asked for before; the opaque one otherwise.
    pub fn known(&self, ty: TypeRef) -> LayoutId {
        self.by_type.get(&ty).copied().unwrap_or(Layouts::OPAQUE)
    }

    /// The layout of a type.
    pub fn of(&mut self, program: &Program, ty: TypeRef) -> LayoutId {
        if let Some(id) = self.by_type.get(&ty) {
            return *id;
        }
        // A struct that contains itself does not parse, but must not make us go round in circles.
        self.by_type.insert(ty, Layouts::OPAQUE);
        let id = match program.units.get(ty.unit) {
            Some(unit) if ty.id.0 < unit.types.len() => self.make(program, unit, ty),
            _ => Layouts::OPAQUE,
        };
        self.by_type.insert(ty, id);
        if id != Layouts::OPAQUE {
            self.represent(program, id, ty);
        }
        id
    }

    /// All pointers have one layout, and so has what a library hides behind a name: the plainest type stands for it, so
    /// that no memory is taken for handles because some other type is one.
    fn represent(&mut self, program: &Program, id: LayoutId, ty: TypeRef) {
        let rank = |ty: TypeRef| {
            let unit = &program.units[ty.unit];
            let leads_to_something = match unit.kind(ty.id) {
                TypeKind::Pointer(inner) => !matches!(unit.kind(*inner), TypeKind::Void),
                _ => false,
            };
            let is_named = unit.ty(ty.id).typedef_name.is_some();
            (leads_to_something, is_named)
        };
        let known = self.types.entry(id).or_insert(ty);
        if rank(ty) < rank(*known) {
            *known = ty;
        }
    }

    /// A type that has this layout: the plainest one that was asked for.
    pub fn type_of(&self, id: LayoutId) -> Option<TypeRef> {
        self.types.get(&id).copied()
    }

    /// All types that were asked for.
    pub fn types(&self) -> impl Iterator<Item = (TypeRef, LayoutId)> + '_ {
        self.by_type.iter().map(|(ty, layout)| (*ty, *layout))
    }

    /// The layout of a pointer.
    pub fn pointer(&mut self, program: &Program) -> LayoutId {
        let unit = program.units.first();
        let bits = unit.map_or(64, |unit| Machine::of(&unit.file).pointer * 8);
        self.intern(Shape::Leaf(LeafKind::Pointer, Some(bits)), Some(bits), bits)
    }

    /// The types of the leaves of a type; none for a union and for what nobody knows.
    pub fn leaf_types(&self, program: &Program, ty: TypeRef) -> Vec<Option<TypeRef>> {
        let layout = self.get(self.known(ty));
        let unit = &program.units[ty.unit];
        match (&layout.shape, unit.kind(ty.id)) {
            (Shape::Array(..), TypeKind::Array { element, .. }) => {
                self.leaf_types(program, at(ty, *element))
            }
            (Shape::Record(parts, _), TypeKind::Record(id)) => {
                let members = unit.records[id.0].members.iter().flatten();
                let there = parts.iter().zip(members);
                there
                    .filter(|(part, _)| part.layout.is_some())
                    .flat_map(|(_, member)| match member.is_bit_field {
                        true => vec![Some(at(ty, member.ty))],
                        false => self.leaf_types(program, at(ty, member.ty)),
                    })
                    .collect()
            }
            (Shape::Leaf(LeafKind::Union(_) | LeafKind::Opaque, _), _) => vec![None],
            _ => vec![Some(ty)],
        }
    }

    /// An array of nobody knows how many.
    pub fn many(&mut self, element: LayoutId) -> LayoutId {
        self.array(element, None)
    }

    /// An array of one element.
    pub fn one(&mut self, element: LayoutId) -> LayoutId {
        self.array(element, Some(1))
    }

    /// What remains of a layout when arrays around it are left out.
    pub fn element(&self, mut id: LayoutId) -> LayoutId {
        while let Shape::Array(element, _) = self.get(id).shape {
            id = element;
        }
        id
    }

    fn array(&mut self, element: LayoutId, count: Option<u64>) -> LayoutId {
        let inner = self.get(element);
        let size = inner.size.zip(count).map(|(size, count)| size * count);
        let align = inner.align;
        self.intern(Shape::Array(element, count), size, align)
    }

    fn make(&mut self, program: &Program, unit: &Unit, ty: TypeRef) -> LayoutId {
        let scalar = |kind, bits| (Shape::Leaf(kind, Some(bits)), Some(bits), bits);
        let (shape, size, align) = match unit.kind(ty.id) {
            TypeKind::Unknown | TypeKind::Builtin(_) => {
                let kind = match unit.vector_element(ty.id) {
                    Some(TypeKind::Float(_)) => LeafKind::Float,
                    Some(TypeKind::Integer(_)) => LeafKind::Integer,
                    _ => LeafKind::Opaque,
                };
                (Shape::Leaf(kind, None), None, 8)
            }
            // As of gcc: arithmetic on `void *` goes by bytes.
            TypeKind::Void | TypeKind::Function { .. } => {
                (Shape::Leaf(LeafKind::Opaque, None), Some(8), 8)
            }
            TypeKind::Bool => scalar(LeafKind::Integer, 8),
            TypeKind::Integer(kind) => scalar(LeafKind::Integer, integer_bits(unit, *kind)),
            TypeKind::Enum(id) => {
                let kind = unit.enumerations[id.0].underlying;
                scalar(LeafKind::Integer, integer_bits(unit, kind))
            }
            TypeKind::Float(kind) => {
                let bits = float_bits(unit, *kind);
                (Shape::Leaf(LeafKind::Float, bits), bits, bits.unwrap_or(8))
            }
            TypeKind::Complex(kind) => {
                let bits = float_bits(unit, *kind);
                let both = bits.map(|bits| bits * 2);
                (Shape::Leaf(LeafKind::Float, both), both, bits.unwrap_or(8))
            }
            // No pointers are kept there.
            TypeKind::ComplexInteger(kind) => {
                let bits = integer_bits(unit, *kind);
                (
                    Shape::Leaf(LeafKind::Float, Some(2 * bits)),
                    Some(2 * bits),
                    bits,
                )
            }
            TypeKind::Pointer(_) => scalar(LeafKind::Pointer, Machine::of(&unit.file).pointer * 8),
            TypeKind::Array { element, extent } => {
                let count = match extent {
                    Extent::Constant(0) => None,
                    Extent::Constant(count) => Some(*count),
                    _ => None,
                };
                let element = self.of(program, at(ty, *element));
                return self.array(element, count);
            }
            TypeKind::Record(id) => return self.record(program, unit, ty, *id),
        };
        self.intern(shape, size, align)
    }

    fn record(&mut self, program: &Program, unit: &Unit, ty: TypeRef, id: RecordId) -> LayoutId {
        let record = &unit.records[id.0];
        let Some(members) = &record.members else {
            return Layouts::OPAQUE;
        };
        let inner: Vec<LayoutId> = members
            .iter()
            .map(|member| self.of(program, at(ty, member.ty)))
            .collect();
        if record.is_union {
            return self.union(&inner);
        }
        let mut place = Placing::default();
        let mut parts = Vec::new();
        let mut leaves = 0;
        for (index, (member, layout)) in members.iter().zip(&inner).enumerate() {
            let one = self.get(*layout);
            let is_last = index + 1 == members.len();
            let flexible = is_last && matches!(one.shape, Shape::Array(_, None));
            let size = match one.size {
                Some(size) => size,
                None if flexible => 0,
                None => return self.opaque_record(),
            };
            let (offset, layout) = if member.is_bit_field {
                let (offset, width) = place.bit_field(member, size, one.align);
                let shape = Shape::Leaf(LeafKind::BitField, Some(width));
                let is_there = width > 0 && member.name.is_some();
                let field = is_there.then(|| self.intern(shape, Some(width), 1));
                (offset, field)
            } else {
                (place.member(size, one.align), Some(*layout))
            };
            parts.push(Part {
                offset,
                name: member.name.clone(),
                layout,
                first: leaves,
            });
            leaves += layout.map_or(0, |layout| self.get(layout).leaves.len() as u32);
        }
        let size = Some(round_up(place.end, place.align));
        let shape = Shape::Record(parts, size);
        self.intern(shape, size, place.align)
    }

    /// A struct in which something of unknown size is followed by more: only the struct itself is like it.
    fn opaque_record(&mut self) -> LayoutId {
        self.intern(Shape::Leaf(LeafKind::Opaque, None), None, 64)
    }

    fn union(&mut self, members: &[LayoutId]) -> LayoutId {
        let all = || members.iter().map(|member| self.get(*member));
        let align = all().map(|one| one.align).max().unwrap_or(8);
        let size = all()
            .map(|one| one.size)
            .try_fold(0, |most, size| Some(size?.max(most)))
            .map(|size| round_up(size, align));
        let holds = all().any(|one| one.leaves.iter().any(Leaf::holds_pointers));
        let shape = Shape::Leaf(LeafKind::Union(holds), size);
        self.intern(shape, size, align)
    }

    fn intern(&mut self, shape: Shape, size: Option<u64>, align: u64) -> LayoutId {
        if let Some(id) = self.by_shape.get(&shape) {
            return *id;
        }
        let id = LayoutId(self.layouts.len() as u32);
        let leaves = self.leaves(&shape);
        self.by_shape.insert(shape.clone(), id);
        self.layouts.push(Layout {
            shape,
            size,
            align,
            leaves,
        });
        id
    }

    fn leaves(&self, shape: &Shape) -> Vec<Leaf> {
        let moved = |inner: LayoutId, offset: u64, before: &str, is_many: bool| {
            let all = self.get(inner).leaves.iter();
            let before = before.to_string();
            all.map(move |leaf| Leaf {
                offset: offset + leaf.offset,
                path: format!("{before}{}", leaf.path),
                is_many: leaf.is_many || is_many,
                ..leaf.clone()
            })
        };
        match shape {
            Shape::Leaf(kind, size) => vec![Leaf {
                offset: 0,
                size: *size,
                kind: *kind,
                path: String::new(),
                is_many: false,
            }],
            Shape::Array(element, count) => moved(*element, 0, "[]", *count != Some(1)).collect(),
            Shape::Record(parts, _) => {
                let part = |part: &Part| {
                    let name = part.name.as_ref().map(|name| format!(".{name}"));
                    let layout = part.layout?;
                    Some(moved(layout, part.offset, &name.unwrap_or_default(), false))
                };
                parts.iter().filter_map(part).flatten().collect()
            }
        }
    }
}

/// Where the next member of a struct goes.
#[derive(Default)]
struct Placing {
    end: u64,
    align: u64,
}

impl Placing {
    fn member(&mut self, size: u64, align: u64) -> u64 {
        let offset = round_up(self.end, align);
        self.end = offset + size;
        self.align = self.align.max(align);
        offset
    }

    /// A bit-field does not cross a border of its type.
    fn bit_field(&mut self, member: &Member, size: u64, align: u64) -> (u64, u64) {
        let width = member.width.unwrap_or(size).min(size);
        if width == 0 {
            self.end = round_up(self.end, size.max(1));
            return (self.end, 0);
        }
        if self.end / size != (self.end + width - 1) / size {
            self.end = round_up(self.end, size);
        }
        let offset = self.end;
        self.end += width;
        self.align = self.align.max(align);
        (offset, width)
    }
}

fn round_up(value: u64, to: u64) -> u64 {
    value.next_multiple_of(to.max(1))
}

fn at(ty: TypeRef, id: TypeId) -> TypeRef {
    TypeRef { id, ..ty }
}

fn integer_bits(unit: &Unit, kind: IntegerKind) -> u64 {
    kind.bytes(|| Machine::bytes_of_long(&unit.file)) * 8
}

fn float_bits(unit: &Unit, kind: FloatKind) -> Option<u64> {
    match kind {
        FloatKind::Float => Some(32),
        FloatKind::Double => Some(64),
        FloatKind::LongDouble => Some(Machine::of(&unit.file).long_double * 8),
        FloatKind::Float128 => Some(128),
        FloatKind::Other => None,
    }
}
