//! Values that may be something else than their type says: a pointer that is kept in a number, in bytes or in a union, and a
//! pointer to memory that is not the program's. The precompiler knows where such values may be; whether they are, only
//! the run knows, so each checkpoint looks before it is taken.
//!
//! A pointer that may have been moved before its memory is another: there the memory of something else may end. And handles of
//! libraries that the run need not have made have to be NULL.
//!
//! In: which members and scalars are suspected, and where the registers' elements are. Out: an error that names the first value
//! that a restart would get wrong. A number is taken for a pointer when something is mapped where it points to: numbers
//! that programs count with are far from that, and memory that was never set is zero in programs with such values.
//!
//! Not here: numbers that were computed from addresses and are none (a hash): the precompiler refuses them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use crate::format::{Kind, Type};
use crate::generation::{Extent, Map};
use crate::memory::{Program, blocks, fixed};
use crate::registry::{BEHIND, HEAP, INDIRECT, MADE, Register, RegisterId};
use crate::store::Mappings;

use super::Session;
use super::reach::{Numbered, brought};

/// What is doubted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// Whether it is a number: it may be a pointer.
    Number,
    /// Whether a pointer points to memory of the program.
    Pointer,
    /// Whether a pointer that seems to point to the end of its memory does: it may lie before other memory.
    Before,
    /// Whether a handle of a library is NULL.
    Handle,
}

/// Values that each checkpoint looks at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suspect {
    /// A struct or union by its name, else a kind of scalar.
    pub type_name: String,
    /// The member of the struct, or the variable of the kind; none: all of it, or all of the kind; empty: all of the
    /// kind behind pointers.
    pub member: Option<String>,
    /// What is doubted about it.
    pub doubt: Doubt,
}

/// Where scalars in a row lie.
#[derive(Clone, Copy)]
pub(super) enum Whose<'n> {
    /// They are the variable or array of this name itself.
    Variable(&'n str),
    /// Memory behind a pointer of this name, or nobody knows.
    Memory(&'n str),
}

impl<'n> Whose<'n> {
    fn of(register: &'n Register) -> Whose<'n> {
        let name = register.name.as_str();
        let is_own = register.flags & (BEHIND | INDIRECT | HEAP) == 0;
        let is_name = |one: char| one.is_alphanumeric() || one == '_';
        match is_own && name.chars().all(is_name) {
            true => Whose::Variable(name),
            false => Whose::Memory(name),
        }
    }

    /// The members of suspects that mean them.
    fn members(self) -> impl Iterator<Item = &'n str> {
        let (name, behind) = match self {
            Whose::Variable(name) => (name, None),
            Whose::Memory("") => ("", None),
            Whose::Memory(name) => (name, Some("")),
        };
        std::iter::once(name).chain(behind)
    }
}

/// Suspected bytes of an element.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Spot {
    offset: usize,
    length: usize,
    /// Bytes of a value.
    width: usize,
    /// Bytes from one value to the next: in bytes a pointer may lie anywhere.
    step: usize,
    doubt: Doubt,
    kind: Kind,
    /// What its type is called.
    type_name: String,
    /// Path of the member, `.size`; empty for a scalar.
    name: String,
}

/// Looks at values of one checkpoint.
pub(super) struct Look<'a> {
    suspects: &'a [Suspect],
    handles: &'a BTreeSet<String>,
    types: &'a [Type],
    mapped: Option<Mappings>,
    bounds: (u64, u64),
    spots: HashMap<u32, Rc<[Spot]>>,
    program: &'a Program,
}

impl<'a> Look<'a> {
    /// With what is mapped now.
    pub fn now(
        session: &'a Session,
        types: &'a [Type],
        extents: &BTreeMap<RegisterId, Extent>,
    ) -> Look<'a> {
        static NONE: BTreeSet<String> = BTreeSet::new();
        let (suspects, handles): (&[Suspect], _) = match session.settings.suspects {
            true => (&session.suspects, session.types.handles()),
            false => (&[], &NONE),
        };
        let mapped = match suspects.iter().any(|one| one.doubt == Doubt::Number) {
            true => session.moving(extents),
            false => None,
        };
        Look {
            suspects,
            handles,
            types,
            bounds: mapped.as_ref().map_or((1, 0), Mappings::bounds),
            mapped,
            spots: HashMap::new(),
            program: &session.program,
        }
    }

    fn looks_at_nothing(&self) -> bool {
        self.suspects.is_empty() && self.handles.is_empty()
    }

    /// Looks at all registers and at the blocks that they bring.
    pub fn at_all(
        &mut self,
        session: &Session,
        map: &Map,
        extents: &BTreeMap<RegisterId, Extent>,
        reached: Option<&Numbered>,
    ) -> Result<(), String> {
        let mut suspects = self.suspects.iter();
        if self.mapped.is_none() && suspects.any(|one| one.doubt == Doubt::Number) {
            return Err(
                "numbers of the program may hold pointers, and /proc/self/maps, which distinguishes addresses from numbers, cannot be read; make it readable, or set suspects = trust if no number does"
                    .to_string(),
            );
        }
        if self.looks_at_nothing() {
            return Ok(());
        }
        for register in session.registers.iter() {
            let Some(extent) = extents.get(&register.id) else {
                continue;
            };
            let memory = session
                .program
                .view(extent.start, extent.size * extent.elements);
            let whose = Whose::of(register);
            self.at(extent.type_index, whose, memory, map)
                .map_err(|found| format!("{}: {found}", register.described(&register.name)))?;
            for (_, pool, reached) in reached.into_iter().flat_map(|one| one.of(register.id)) {
                let size = reached.kinds.size(pool.type_index);
                for &(start, count) in &pool.blocks {
                    let length = size * usize::try_from(count).unwrap_or(0);
                    let memory = session.program.view(start, length);
                    self.at(pool.type_index, Whose::Memory(""), memory, map)
                        .map_err(|found| {
                            let name = brought(register, reached.kinds.name(pool.type_index));
                            format!("{}: {found}", register.described(&name))
                        })?;
                }
            }
        }
        Ok(())
    }

    /// Looks at elements of a type, in what has this name; an error says which value is what it should not be.
    pub fn at(
        &mut self,
        type_index: u32,
        whose: Whose<'_>,
        memory: &[u8],
        map: &Map,
    ) -> Result<(), String> {
        let Some(kind) = self.types.get(type_index as usize) else {
            return Ok(());
        };
        let (spots, size) = match kind.kind {
            Kind::Struct => (self.spots_of(type_index), kind.size as usize),
            _ => (self.spots_of_row(kind, whose, memory.len()), memory.len()),
        };
        if spots.is_empty() || size == 0 {
            return Ok(());
        }
        for (number, element) in memory.chunks_exact(size).enumerate() {
            for spot in spots.iter() {
                let bytes = &element[spot.offset..spot.offset + spot.length];
                let Some(value) = self.find(spot, bytes, map) else {
                    continue;
                };
                let element = match memory.len() > size {
                    true => format!("[{number}]"),
                    false => String::new(),
                };
                let place = format!("{element}{}", spot.name);
                let of = match place.is_empty() {
                    true => "it".to_string(),
                    false => format!("its `{place}`"),
                };
                return Err(match spot.doubt {
                    Doubt::Number => format!(
                        "{of} holds {value:#x}, the address of something in this process; it is restored as a number, and what \
                         lies there lies elsewhere after a restart. Keep the pointer in a variable or member of a pointer \
                         type, or give the program a fixed heap (init heap(fixed), cccp-pp --heap=fixed). If the program has never set it, \
                         initialise it; if it is no pointer, set suspects = trust"
                    ),
                    Doubt::Pointer => format!(
                        "{of} points to {value:#x}, which is no memory that the checkpoint holds: memory of a library, memory that \
                         was freed, or a number that was made a pointer. Copy what it points to into memory of the program, keep \
                         numbers in variables of their own, or set the pointer to NULL; if it is not used any more, set \
                         suspects = trust"
                    ),
                    Doubt::Handle => format!(
                        "{of} is a `{}` that a library made ({value:#x}), and what it stands for is gone after a restart. Run the \
                         program without the option that asks for it, or give it back and set it to NULL before the checkpoint; \
                         or mark the program by hand, and make it in a block that is executed on restart",
                        spot.type_name
                    ),
                    Doubt::Before => format!(
                        "{of} points to {value:#x}, where one block of memory ends and shortly before another one begins; the \
                         program takes something away from this pointer, and it is unknown to which of the two it belongs after a \
                         restart. Keep the pointer to the beginning of the memory; if it is the end that is meant, set suspects = trust"
                    ),
                });
            }
        }
        Ok(())
    }

    /// The first value that is what it should not be.
    fn find(&self, spot: &Spot, bytes: &[u8], map: &Map) -> Option<u64> {
        let values = (0..)
            .map(|number| number * spot.step)
            .take_while(|start| start + spot.width <= bytes.len())
            .map(|start| {
                let mut whole = [0u8; 8];
                let bytes = &bytes[start..start + spot.width];
                match cfg!(target_endian = "big") {
                    true => whole[8 - spot.width..].copy_from_slice(bytes),
                    false => whole[..spot.width].copy_from_slice(bytes),
                }
                u64::from_ne_bytes(whole)
            });
        let (low, high) = self.bounds;
        match spot.doubt {
            Doubt::Number => values
                .filter(|value| (low..high).contains(value))
                .find(|value| self.mapped.as_ref().is_some_and(|one| one.contains(*value))),
            Doubt::Pointer | Doubt::Handle => {
                let mut values = values.filter(|value| *value != 0);
                // What was freed in a fixed heap keeps its address. What was freed, and given back to the system, leads nowhere in
                // this process either: it is no memory of a library.
                let is_past = |address: usize| {
                    fixed::is_near(address)
                        || blocks::was_released(address) && !self.program.readable(address, 1)
                };
                let is_harmless = |value: u64| {
                    spot.doubt == Doubt::Pointer && usize::try_from(value).is_ok_and(is_past)
                };
                values.find(|value| {
                    let meant = map.resolve(*value, spot.kind);
                    map.leads_nowhere(&meant) && !is_harmless(*value)
                })
            }
            Doubt::Before => {
                let mut values = values.filter(|value| *value != 0);
                values.find(|value| usize::try_from(*value).is_ok_and(|one| map.is_between(one)))
            }
        }
    }

    fn spots_of(&mut self, type_index: u32) -> Rc<[Spot]> {
        if let Some(known) = self.spots.get(&type_index) {
            return known.clone();
        }
        let mut found = Vec::new();
        if !self.looks_at_nothing() {
            self.add_spots(type_index, (0, 1), "", &mut found);
        }
        let found: Rc<[Spot]> = found.into();
        self.spots.insert(type_index, found.clone());
        found
    }

    /// The same of so many bytes of scalars in a row.
    fn spots_of_row(&self, kind: &Type, whose: Whose<'_>, length: usize) -> Rc<[Spot]> {
        let count = length.checked_div(kind.size as usize).unwrap_or(0);
        let all = self.doubts(scalar(kind), None);
        let own = { whose.members() }.flat_map(|name| self.doubts(scalar(kind), Some(name)));
        all.chain(own)
            .chain(self.handle(kind))
            .filter_map(|doubt| spot(kind, (0, count), doubt, ""))
            .collect()
    }

    /// What is doubted about a scalar, or a member of a struct; without its name, about all of the struct.
    fn doubts(&self, name: &str, member: Option<&str>) -> impl Iterator<Item = Doubt> {
        let all = self.suspects.iter();
        all.filter(move |one| one.type_name == name && one.member.as_deref() == member)
            .map(|one| one.doubt)
    }

    /// Whether it is a handle that has to be NULL.
    fn handle(&self, kind: &Type) -> Option<Doubt> {
        let is_one = kind.kind == Kind::Pointer && self.handles.contains(&kind.name);
        is_one.then_some(Doubt::Handle)
    }

    /// What is suspected in `count` structs from an offset on.
    fn add_spots(
        &self,
        type_index: u32,
        (offset, count): (usize, usize),
        path: &str,
        found: &mut Vec<Spot>,
    ) {
        let Some(kind) = self.types.get(type_index as usize) else {
            return;
        };
        let size = kind.size as usize;
        let made_of = kind.name.strip_prefix(MADE);
        let is_made = made_of.is_some();
        let name = made_of.unwrap_or(&kind.name);
        for element in 0..count {
            for member in kind.members.iter().filter(|one| one.bits.is_none()) {
                let Some(inner) = self.types.get(member.type_index as usize) else {
                    continue;
                };
                let at = (
                    offset + element * size + member.offset as usize,
                    member.count as usize,
                );
                let path = match member.name.is_empty() {
                    true => path.to_string(),
                    false => format!("{path}.{}", member.name),
                };
                if inner.kind == Kind::Struct {
                    self.add_spots(member.type_index, at, &path, found);
                    continue;
                }
                let own = self.doubts(name, Some(&member.name));
                let whole = self.doubts(name, None);
                // A union is one wherever it lies.
                let is_alone = is_made || inner.kind == Kind::Bytes;
                let alone = is_alone.then(|| self.doubts(scalar(inner), None));
                let names = is_made.then(|| Whose::Memory(&member.name).members());
                let names = names.into_iter().flatten();
                let named = names.flat_map(|name| self.doubts(scalar(inner), Some(name)));
                let alone = alone.into_iter().flatten();
                let doubts = own
                    .chain(whole)
                    .chain(alone)
                    .chain(named)
                    .chain(self.handle(inner));
                found.extend(doubts.filter_map(|doubt| spot(inner, at, doubt, &path)));
            }
        }
    }
}

/// The suspected bytes of so many scalars in a row; none when such a scalar cannot be what is suspected.
fn spot(kind: &Type, (offset, count): (usize, usize), doubt: Doubt, path: &str) -> Option<Spot> {
    let width = size_of::<usize>();
    let size = kind.size as usize;
    let length = size * count;
    let step = match (doubt, kind.kind) {
        (Doubt::Pointer | Doubt::Before | Doubt::Handle, Kind::Pointer | Kind::Function) => width,
        (Doubt::Pointer | Doubt::Before | Doubt::Handle, _) => return None,
        // A union is looked at word by word.
        (Doubt::Number, Kind::Bytes) => width,
        (Doubt::Number, Kind::Float | Kind::Double) => size.min(width),
        (Doubt::Number, one) if one.is_character() || one.is_integer() => size.min(width),
        (Doubt::Number, _) => return None,
    };
    (length >= width && width <= 8 && step > 0).then(|| Spot {
        offset,
        length,
        width,
        step,
        doubt,
        kind: kind.kind,
        type_name: kind.name.clone(),
        name: path.to_string(),
    })
}

/// A type that is no struct, as the precompiler calls it.
fn scalar(kind: &Type) -> &str {
    match kind.kind {
        Kind::Bytes => &kind.name,
        other => word(other),
    }
}

/// A kind of scalar, as the precompiler calls it.
fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Char => "char",
        Kind::SignedChar => "schar",
        Kind::UnsignedChar => "uchar",
        Kind::Short => "short",
        Kind::UnsignedShort => "ushort",
        Kind::Int => "int",
        Kind::UnsignedInt => "uint",
        Kind::Long => "long",
        Kind::UnsignedLong => "ulong",
        Kind::LongLong => "llong",
        Kind::UnsignedLongLong => "ullong",
        Kind::Float => "float",
        Kind::Double => "double",
        Kind::Pointer | Kind::Function => "pointer",
        _ => "",
    }
}
