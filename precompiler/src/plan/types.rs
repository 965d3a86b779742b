//! The shape of everything that is saved: from C types to descriptors.
//!
//! In: a type and how the program spells it. Out: a [`Shape`], or the reason why it cannot be saved. The one idea: a
//! descriptor is built from expressions that the compiler evaluates (`sizeof`, offsets, mask objects), so nothing
//! here has to know a layout. What has no meaning in another process (handles, locks, saved contexts) is refused,
//! never copied byte by byte.

use super::described::Described;
use super::table::{MemberEntry, Shape, TypeEntry, TypeTable};
use crate::analysis::handles::{
    MPI_FILE, REQUEST, array_handle, handle, holds_stream, is_mpi_file, is_remade, is_stream,
};
use crate::analysis::optional::Optional;
use crate::analysis::suspects::{Doubt, Suspect};
use crate::catalog::Catalogue;
use crate::program::{Extent, FloatKind, IntegerKind, Member, RecordId, TypeId, TypeKind, Unit};
use std::collections::{BTreeSet, HashMap};

/// Why something cannot be saved: half a sentence for the user.
pub type Reason = String;

/// Builds the type table of one function.
#[derive(Debug)]
pub struct Shapes<'a> {
    /// Unions that may hold pointers: the run looks whether they do.
    pub suspects: BTreeSet<Suspect>,
    /// The table so far.
    pub table: TypeTable,
    pub(super) known: HashMap<String, Shape>,
    pub(super) catalogue: &'a Catalogue,
    pub(super) described: &'a Described,
    /// Pointers say what they lead to.
    pub(super) linked: bool,
    requests_end: bool,
    /// Handles that are saved as they are, and have to be NULL.
    optional: &'a Optional,
    /// Pointers whose targets have not been described yet: entry, target, how it is spelt without a name.
    pub(super) pending: Vec<(usize, TypeId, Option<String>)>,
}

/// What a shape is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A registered item: streams come back, requests as none; other handles are refused.
    Item,
    /// What lies in one: other handles are described as such.
    Member,
    /// A value of the trace: all handles are described as such.
    Trace,
}

impl<'a> Shapes<'a> {
    /// An empty table. The catalogue knows what is a handle. `linked`: the program has items that bring allocated
    /// blocks, so pointers say what they lead to. `requests_end`: it makes no persistent requests, so at a checkpoint there is
    /// none.
    pub fn new(
        catalogue: &'a Catalogue,
        linked: bool,
        requests_end: bool,
        optional: &'a Optional,
        described: &'a Described,
    ) -> Shapes<'a> {
        Shapes {
            suspects: BTreeSet::new(),
            table: TypeTable::default(),
            known: HashMap::new(),
            catalogue,
            described,
            linked,
            requests_end,
            optional,
            pending: Vec::new(),
        }
    }

    /// The shape of a value that the trace keeps: nobody follows it.
    pub fn value(&mut self, unit: &Unit, ty: TypeId) -> Result<Shape, Reason> {
        match unit.kind(ty) {
            TypeKind::Pointer(target)
                if handle(self.catalogue, unit, ty).is_none()
                    && !matches!(unit.kind(*target), TypeKind::Function { .. }) =>
            {
                Ok(Shape::Named("pointer"))
            }
            _ => self.of(unit, ty, Purpose::Trace, None),
        }
    }

    /// Why a handle, whose name the catalogue or a struct's tag is, cannot be saved.
    fn handle_reason(unit: &Unit, ty: TypeId, name: &str) -> Reason {
        let is = match &unit.ty(ty).typedef_name {
            Some(alias) if alias != name => format!("`{alias}`, which is `{name}`,"),
            _ => format!("`{name}`"),
        };
        let opaque = unit
            .pointee(ty)
            .and_then(|target| match *unit.kind(target) {
                TypeKind::Record(record) => Some(&unit.records[record.0]),
                _ => None,
            });
        let header = opaque
            .filter(|record| record.is_opaque && name.starts_with("struct "))
            .map_or_else(String::new, |record| {
                let (path, line) = unit.file.origin_text(record.declared.start);
                format!(": only the library of {path}:{line} knows what is in it")
            });
        format!("a value of type {is} means nothing in another process{header}")
    }

    /// The run looks at a union with pointers, wherever it lies: nobody knows before whether it holds one.
    fn suspect(
        &mut self,
        unit: &Unit,
        members: &[Member],
        type_name: String,
        member: Option<String>,
    ) {
        let mut members = members.iter().filter(|member| !member.is_bit_field);
        if self.linked && members.any(|member| unit.holds_pointers(member.ty)) {
            self.suspects.insert(Suspect {
                type_name,
                member,
                doubt: Doubt::Number,
            });
        }
    }

    /// The shape of one object of a type. `spelling` is a C expression for a type that has no name.
    pub fn of(
        &mut self,
        unit: &Unit,
        ty: TypeId,
        purpose: Purpose,
        spelling: Option<&str>,
    ) -> Result<Shape, Reason> {
        let is_remade = is_remade(unit, ty);
        if purpose != Purpose::Trace && is_stream(unit, ty) && !is_remade {
            if !is_mpi_file(unit, ty) {
                return Ok(Shape::Named("stream"));
            }
            return Ok(self.add(
                MPI_FILE,
                TypeEntry {
                    kind: "STREAM",
                    size: format!("sizeof({MPI_FILE})"),
                    name: MPI_FILE.to_string(),
                    ..TypeEntry::default()
                },
            ));
        }
        if let Some(name) = handle(self.catalogue, unit, ty) {
            let comes_back = is_remade || name == REQUEST && self.requests_end;
            if purpose == Purpose::Item && !comes_back {
                return Err(Self::handle_reason(unit, ty, &name));
            }
            return Ok(self.handle(unit, ty, ("HANDLE", name), spelling));
        }
        let named = |word: Option<&'static str>, name: &str| {
            word.map(Shape::Named)
                .ok_or_else(|| format!("the type `{name}` has no portable form"))
        };
        match unit.kind(ty) {
            TypeKind::Bool => Ok(Shape::Named("bool")),
            TypeKind::Integer(kind @ (IntegerKind::Int128 | IntegerKind::UnsignedInt128)) => {
                Ok(self.bytes(kind.spelling()))
            }
            TypeKind::Float(kind @ FloatKind::Float128) => Ok(self.bytes(kind.spelling())),
            TypeKind::Integer(kind) => named(kind.word(), kind.spelling()),
            TypeKind::Float(kind) => named(float_word(*kind, false), kind.spelling()),
            TypeKind::Complex(kind) => named(float_word(*kind, true), "complex"),
            TypeKind::ComplexInteger(kind) => {
                let part = named(kind.word(), "complex integer")?;
                let name = format!("{} _Complex", kind.spelling());
                let members = vec![MemberEntry {
                    name: "parts".to_string(),
                    shape: part,
                    offset: "0".to_string(),
                    count: "2".to_string(),
                    mask: None,
                }];
                Ok(self.add(
                    &name,
                    TypeEntry {
                        kind: "STRUCT",
                        size: format!("sizeof({name})"),
                        name: name.clone(),
                        members,
                        ..TypeEntry::default()
                    },
                ))
            }
            TypeKind::Enum(number) => named(unit.enumerations[number.0].underlying.word(), "enum"),
            TypeKind::Pointer(target) => Ok(match unit.kind(*target) {
                TypeKind::Function { .. } => Shape::Named("function"),
                _ if self.linked => self.pointer(unit, ty, *target, spelling),
                _ => Shape::Named("pointer"),
            }),
            TypeKind::Record(record) => {
                // Streams in the trace are not saved: calls and blocks get them anew.
                let inner = match purpose == Purpose::Trace && holds_stream(unit, ty) {
                    true => Purpose::Trace,
                    false => Purpose::Member,
                };
                self.record(unit, ty, *record, inner, spelling)
            }
            TypeKind::Array { .. } => {
                Err("it is an array inside something that is not a struct".to_string())
            }
            TypeKind::Function { .. } => Err("it is a function".to_string()),
            TypeKind::Void => Err("its type is `void`, which has no size".to_string()),
            TypeKind::Builtin(name) => match unit.vectors.get(name) {
                Some(element) => self.vector(unit, (ty, name), *element, purpose),
                None => Err(format!("the type `{name}` belongs to the compiler")),
            },
            TypeKind::Unknown => Err("its type is not known".to_string()),
        }
    }

    /// A vector of the compiler: its elements lie one behind the other, in the order of their numbers on every machine.
    fn vector(
        &mut self,
        unit: &Unit,
        (ty, name): (TypeId, &str),
        element: TypeId,
        purpose: Purpose,
    ) -> Result<Shape, Reason> {
        let shape = self.of(unit, element, purpose, None)?;
        let spelt = |ty| {
            unit.spell(ty, "")
                .map_err(|reason| reason.reason().to_string())
        };
        let (whole, part) = (spelt(ty)?, spelt(element)?);
        let elements = MemberEntry {
            name: "elements".to_string(),
            shape,
            offset: "0".to_string(),
            count: format!("sizeof({whole}) / sizeof({part})"),
            mask: None,
        };
        let entry = TypeEntry {
            kind: "STRUCT",
            size: format!("sizeof({whole})"),
            name: name.to_string(),
            members: vec![elements],
            ..TypeEntry::default()
        };
        Ok(self.add(&whole, entry))
    }

    /// A number of 128 bits: its bytes, for machines with the same byte order.
    fn bytes(&mut self, name: &str) -> Shape {
        let entry = TypeEntry {
            kind: "BYTES",
            size: format!("sizeof({name})"),
            name: name.to_string(),
            ..TypeEntry::default()
        };
        self.add(name, entry)
    }

    fn handle(
        &mut self,
        unit: &Unit,
        ty: TypeId,
        (kind, name): (&'static str, String),
        spelling: Option<&str>,
    ) -> Shape {
        let size = match unit.spell(ty, "") {
            Ok(text) => format!("sizeof({text})"),
            Err(_) => format!("sizeof({})", spelling.unwrap_or("void *")),
        };
        let key = match kind {
            "HANDLE" => format!("handle {size}"),
            _ => format!("{kind} {name}"),
        };
        let entry = TypeEntry {
            kind,
            size,
            name,
            ..TypeEntry::default()
        };
        self.add(&key, entry)
    }

    /// The shape of a handle that the run need not have made: where it is NULL it is saved as that.
    pub fn optional(&mut self, unit: &Unit, ty: TypeId, spelling: Option<&str>) -> Option<Shape> {
        let name = handle(self.catalogue, unit, ty)?;
        Some(self.handle(unit, ty, ("OPTIONAL", name), spelling))
    }

    pub(super) fn add(&mut self, key: &str, entry: TypeEntry) -> Shape {
        if let Some(shape) = self.known.get(key) {
            return shape.clone();
        }
        let shape = match self.linked {
            true => Shape::Linked(self.table.types.len()),
            false => Shape::Table(self.table.types.len()),
        };
        self.table.types.push(entry);
        self.known.insert(key.to_string(), shape.clone());
        shape
    }

    fn record(
        &mut self,
        unit: &Unit,
        ty: TypeId,
        record: RecordId,
        purpose: Purpose,
        spelling: Option<&str>,
    ) -> Result<Shape, Reason> {
        let facts = &unit.records[record.0];
        let text = match (unit.spell_copied(ty, ""), spelling) {
            (Ok(text), _) => text,
            (Err(_), Some(spelling)) => spelling.to_string(),
            (Err(reason), None) => return Err(reason.reason().to_string()),
        };
        let name = facts.name();
        let key = match purpose {
            Purpose::Trace => format!("trace of {text}"),
            _ => text.clone(),
        };
        if let Some(shape) = self.known.get(&key) {
            return Ok(shape.clone());
        }
        let Some(members) = &facts.members else {
            return Err(format!(
                "`{name}` is incomplete here: its members are not known"
            ));
        };
        for copy in unit.copies(record) {
            if !self.table.copies.contains(&copy) {
                self.table.copies.push(copy);
            }
        }
        let mut entries = Vec::new();
        if !facts.is_union {
            self.members(unit, (&text, &name), members, purpose, &mut entries)
                .map_err(|(member, reason)| {
                    format!("its member `{member}` cannot be saved: {reason}")
                })?;
        }
        let kind = if facts.is_union { "BYTES" } else { "STRUCT" };
        if facts.is_union {
            self.suspect(unit, members, name.clone(), None);
        }
        Ok(self.add(
            &key,
            TypeEntry {
                kind,
                size: format!("sizeof({text})"),
                name,
                members: entries,
                ..TypeEntry::default()
            },
        ))
    }

    fn members(
        &mut self,
        unit: &Unit,
        (outer, record): (&str, &str),
        members: &[Member],
        purpose: Purpose,
        entries: &mut Vec<MemberEntry>,
    ) -> Result<(), (String, Reason)> {
        for member in members {
            let Some(name) = &member.name else {
                self.anonymous(unit, (outer, record), member, purpose, entries)?;
                continue;
            };
            let refused = |reason: Reason| (name.clone(), reason);
            let offset = format!("__builtin_offsetof({outer}, {name})");
            if member.is_bit_field {
                let shape = self.of(unit, member.ty, purpose, None).map_err(refused)?;
                entries.push(MemberEntry {
                    name: name.clone(),
                    shape,
                    offset: "0".to_string(),
                    count: "1".to_string(),
                    mask: Some(outer.to_string()),
                });
                continue;
            }
            let (element, count, path) =
                flatten_array(unit, member.ty, &format!("(({outer} *)0)->{name}"));
            let is_optional = purpose == Purpose::Member && self.optional.has_member(record, name);
            let optional = is_optional.then(|| {
                let spelling = format!("__typeof__({path})");
                self.optional(unit, element, Some(&spelling))
            });
            // What `setjmp` has filled is a handle, though its type says what is in it: a block fills it anew, and that stays.
            let filled = array_handle(self.catalogue, unit, member.ty)
                .filter(|_| handle(self.catalogue, unit, element).is_none())
                .map(str::to_string);
            let shape = match (optional.flatten(), filled) {
                (Some(shape), _) => Some(shape),
                (None, Some(name)) => {
                    let spelling = format!("__typeof__({path})");
                    Some(self.handle(unit, element, ("HANDLE", name), Some(&spelling)))
                }
                (None, None) => self.leading_member(unit, (outer, name), element),
            };
            let shape = match shape {
                Some(shape) => shape,
                None => self
                    .of(unit, element, purpose, Some(&format!("__typeof__({path})")))
                    .map_err(refused)?,
            };
            entries.push(MemberEntry {
                name: name.clone(),
                shape,
                offset,
                count,
                mask: None,
            });
        }
        Ok(())
    }

    /// An anonymous struct gives its members to the outer one; an anonymous union becomes bytes.
    fn anonymous(
        &mut self,
        unit: &Unit,
        (outer, record): (&str, &str),
        member: &Member,
        purpose: Purpose,
        entries: &mut Vec<MemberEntry>,
    ) -> Result<(), (String, Reason)> {
        let TypeKind::Record(inner) = unit.kind(member.ty) else {
            return Ok(());
        };
        let facts = &unit.records[inner.0];
        let Some(members) = &facts.members else {
            return Ok(());
        };
        if !facts.is_union {
            return self.members(unit, (outer, record), members, purpose, entries);
        }
        let names: Vec<&String> = members
            .iter()
            .filter(|one| !one.is_bit_field)
            .filter_map(|one| one.name.as_ref())
            .collect();
        let Some(first) = names.first() else {
            return Err((
                "(union)".to_string(),
                "it is an anonymous union without plain members".to_string(),
            ));
        };
        let size_of = |name: &str| format!("sizeof((({outer} *)0)->{name})");
        let mut size = size_of(first);
        for name in &names[1..] {
            let other = size_of(name);
            size = format!("({other} > {size} ? {other} : {size})");
        }
        self.suspect(unit, members, "union".to_string(), None);
        let shape = self.add(
            &format!("union of {outer} {first}"),
            TypeEntry {
                kind: "BYTES",
                size,
                name: "union".to_string(),
                ..TypeEntry::default()
            },
        );
        entries.push(MemberEntry {
            name: (*first).clone(),
            shape,
            offset: format!("__builtin_offsetof({outer}, {first})"),
            count: "1".to_string(),
            mask: None,
        });
        Ok(())
    }
}

fn float_word(kind: FloatKind, complex: bool) -> Option<&'static str> {
    Some(match (kind, complex) {
        (FloatKind::Float, false) => "float",
        (FloatKind::Double, false) => "double",
        (FloatKind::LongDouble, false) => "ldouble",
        (FloatKind::Float, true) => "cfloat",
        (FloatKind::Double, true) => "cdouble",
        (FloatKind::LongDouble, true) => "cldouble",
        (FloatKind::Float128 | FloatKind::Other, _) => return None,
    })
}

/// Element type, number of elements as C text, and the path to one element.
fn flatten_array(unit: &Unit, ty: TypeId, path: &str) -> (TypeId, String, String) {
    let TypeKind::Array { extent, .. } = unit.kind(ty) else {
        return (ty, "1".to_string(), path.to_string());
    };
    let mut element = ty;
    let mut inner = path.to_string();
    let mut product = Some(1u64);
    while let TypeKind::Array {
        element: next,
        extent,
    } = unit.kind(element)
    {
        product = match (product, extent) {
            (Some(product), Extent::Constant(count)) => product.checked_mul(*count),
            _ => None,
        };
        inner.push_str("[0]");
        element = *next;
    }
    let count = match (extent, product) {
        (Extent::Flexible, _) => "0".to_string(),
        (_, Some(count)) => count.to_string(),
        (_, None) => format!("sizeof({path}) / sizeof({inner})"),
    };
    (element, count, inner)
}
