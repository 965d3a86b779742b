//! The types of a checkpoint and the machine whose memory they describe.
//!
//! In: descriptions made from `cccp_type` (the program) or read from a file. Out: the same as plain data, checked by
//! [`check`] so that whoever walks a type needs no limits of his own: a struct refers only to types before it, its
//! members lie inside it, and it has no more scalars than bits. When unsure a type is refused.
//!
//! Not here: values (`encode`, `decode`).

use super::FormatError;
pub use super::leaves::{
    LeafIn, MPI_FILE_TYPE, STREAM_TYPE, Stream, leaf_at, leaf_count, leaf_in, offset_of,
    stream_offsets,
};

/// What a scalar is. The numbers are those on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u32)]
pub enum Kind {
    /// `_Bool`
    Bool = 1,
    /// `char`
    Char = 2,
    /// `signed char`
    SignedChar = 3,
    /// `unsigned char`
    UnsignedChar = 4,
    /// `short`
    Short = 5,
    /// `unsigned short`
    UnsignedShort = 6,
    /// `int`, signed enum types
    Int = 7,
    /// `unsigned int`, unsigned enum types
    UnsignedInt = 8,
    /// `long`
    Long = 9,
    /// `unsigned long`
    UnsignedLong = 10,
    /// `long long`
    LongLong = 11,
    /// `unsigned long long`
    UnsignedLongLong = 12,
    /// `float`
    Float = 13,
    /// `double`
    Double = 14,
    /// `long double`
    LongDouble = 15,
    /// `float _Complex`
    ComplexFloat = 16,
    /// `double _Complex`
    ComplexDouble = 17,
    /// `long double _Complex`
    ComplexLongDouble = 18,
    /// Pointer to an object.
    Pointer = 19,
    /// Pointer to a function.
    Function = 20,
    /// A struct with members.
    Struct = 21,
    /// A union, or memory of unknown shape: copied, never converted.
    Bytes = 22,
    /// A library object: never saved.
    Handle = 23,
}

impl Kind {
    /// All kinds in the order of their numbers.
    pub const ALL: [Kind; 23] = [
        Kind::Bool,
        Kind::Char,
        Kind::SignedChar,
        Kind::UnsignedChar,
        Kind::Short,
        Kind::UnsignedShort,
        Kind::Int,
        Kind::UnsignedInt,
        Kind::Long,
        Kind::UnsignedLong,
        Kind::LongLong,
        Kind::UnsignedLongLong,
        Kind::Float,
        Kind::Double,
        Kind::LongDouble,
        Kind::ComplexFloat,
        Kind::ComplexDouble,
        Kind::ComplexLongDouble,
        Kind::Pointer,
        Kind::Function,
        Kind::Struct,
        Kind::Bytes,
        Kind::Handle,
    ];

    /// The kind with this number on disk (and in cccp.h).
    pub fn from_number(number: u32) -> Option<Kind> {
        Kind::ALL.get((number as usize).checked_sub(1)?).copied()
    }

    /// Whether it is an integer other than `_Bool` and the character types.
    pub fn is_integer(self) -> bool {
        (Kind::Short..=Kind::UnsignedLongLong).contains(&self)
    }

    /// Whether it is one of the character types.
    pub fn is_character(self) -> bool {
        (Kind::Char..=Kind::UnsignedChar).contains(&self)
    }

    /// Whether its values may be negative; plain `char` counts as signed.
    pub fn is_signed(self) -> bool {
        matches!(
            self,
            Kind::Char | Kind::SignedChar | Kind::Short | Kind::Int | Kind::Long | Kind::LongLong
        )
    }
}

/// A type. A file's types form a list in which a struct stands after the types of its members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type {
    /// As C spells it.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// Bytes in the memory it describes.
    pub size: u64,
    /// Of a struct; otherwise empty.
    pub members: Vec<Member>,
}

/// A member of a struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name; empty for an anonymous one.
    pub name: String,
    /// The type of one element, smaller than the index of the struct.
    pub type_index: u32,
    /// Bytes from the start of the struct; 0 for a bit-field.
    pub offset: u64,
    /// How many elements; 0 for a flexible array, of which nothing is saved.
    pub count: u64,
    /// Where its bits are when it is a bit-field.
    pub bits: Option<BitField>,
}

/// Where the bits of a bit-field are, in the order in which the machine fills a struct: from the least significant
/// bit of each byte on a little-endian machine, from the most significant one on a big-endian machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitField {
    /// First bit, counted from the start of the struct in that order.
    pub start: u64,
    /// How many bits, 1 to 64.
    pub width: u32,
    /// Whether the value may be negative.
    pub signed: bool,
}

impl BitField {
    /// From an object of the struct in which exactly the bits of the member are ones. None when there are no ones,
    /// more than 64, or not all in a row.
    pub fn from_mask(mask: &[u8], big_endian: bool, signed: bool) -> Option<BitField> {
        let order = |byte: u8| {
            if big_endian {
                byte.reverse_bits()
            } else {
                byte
            }
        };
        let first = mask.iter().position(|byte| *byte != 0)?;
        let start = first as u64 * 8 + u64::from(order(mask[first]).trailing_zeros());
        let width: u32 = mask.iter().map(|byte| byte.count_ones()).sum();
        let inside = |bit: u64| bit >= start && bit < start + u64::from(width);
        let in_a_row = mask.iter().enumerate().skip(first).all(|(index, byte)| {
            (0..8u32).all(|bit| {
                inside(index as u64 * 8 + u64::from(bit)) == (order(*byte) >> bit & 1 == 1)
            })
        });
        (in_a_row && width <= 64).then_some(BitField {
            start,
            width,
            signed,
        })
    }
}

/// Byte order and sizes of a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// Most significant byte first.
    pub big_endian: bool,
    /// Bytes of a pointer.
    pub pointer: u32,
    /// Bytes of a `long`.
    pub long: u32,
    /// Bytes of a `long double`, padding included.
    pub long_double: u32,
    /// How a `long double` is represented.
    pub long_double_format: LongDouble,
    /// For people: architecture and operating system.
    pub description: String,
}

/// Representations of `long double`. The numbers are those on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum LongDouble {
    /// The same as `double`.
    Double = 1,
    /// The 80 bits of the x87.
    X87 = 2,
    /// IEEE binary128.
    Quad = 3,
    /// Two doubles whose sum is the value.
    DoubleDouble = 4,
}

impl LongDouble {
    /// The representation with this number on disk.
    pub fn from_number(number: u32) -> Option<LongDouble> {
        [
            LongDouble::Double,
            LongDouble::X87,
            LongDouble::Quad,
            LongDouble::DoubleDouble,
        ]
        .into_iter()
        .find(|format| *format as u32 == number)
    }

    /// The sizes in memory that it comes in, padding included.
    pub(super) fn sizes(self) -> &'static [u32] {
        match self {
            LongDouble::Double => &[8],
            LongDouble::X87 => &[12, 16],
            LongDouble::Quad | LongDouble::DoubleDouble => &[16],
        }
    }
}

impl Machine {
    /// The machine this library was built for.
    pub fn host() -> Machine {
        let (long_double_format, long_double) = if cfg!(target_arch = "x86_64") {
            (LongDouble::X87, 16)
        } else if cfg!(target_arch = "x86") {
            (LongDouble::X87, 12)
        } else if cfg!(any(target_arch = "powerpc", target_arch = "powerpc64")) {
            (LongDouble::DoubleDouble, 16)
        } else if cfg!(target_pointer_width = "32") {
            (LongDouble::Double, 8)
        } else {
            (LongDouble::Quad, 16)
        };
        Machine {
            big_endian: cfg!(target_endian = "big"),
            pointer: size_of::<usize>() as u32,
            long: size_of::<std::ffi::c_long>() as u32,
            long_double,
            long_double_format,
            description: format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS),
        }
    }

    /// Whether memory has the same meaning on both; the descriptions may differ.
    pub fn same_layout(&self, other: &Machine) -> bool {
        let plain = |machine: &Machine| Machine {
            description: String::new(),
            ..machine.clone()
        };
        plain(self) == plain(other)
    }
}

/// Types together with the machine whose memory they describe.
#[derive(Clone, Copy, Debug)]
pub struct Layout<'a> {
    /// Checked by [`check`].
    pub types: &'a [Type],
    /// Whose memory.
    pub machine: &'a Machine,
}

/// Most members of a struct when the structs in it are spelt out.
pub const MOST_MEMBERS: u64 = 1 << 16;
/// Most bytes of a type, and of a register. No machine has as many; and no sum of lengths that is computed from
/// numbers below it leaves 64 bits.
pub const MOST_BYTES: u64 = 1 << 55;
/// Deepest nesting of structs.
pub const DEEPEST: u32 = 200;

/// Checks a list of types; afterwards every walk over them ends and stays inside the memory of an element.
pub fn check(types: &[Type], machine: &Machine) -> Result<(), FormatError> {
    let mut leaves: Vec<u64> = Vec::with_capacity(types.len());
    // Members when all structs are spelt out, and how deep they nest: what a walk costs in time and stack.
    let mut costs: Vec<(u64, u32)> = Vec::with_capacity(types.len());
    for (index, kind) in types.iter().enumerate() {
        let refuse = |reason: String| FormatError::Types {
            name: kind.name.clone(),
            reason,
        };
        if kind.size > MOST_BYTES {
            return Err(refuse(format!("{} bytes", kind.size)));
        }
        let expected = scalar_size(kind.kind, machine);
        if expected.is_some_and(|size| size != kind.size) {
            return Err(refuse(format!(
                "{} bytes is not the size of this kind of scalar",
                kind.size
            )));
        }
        if matches!(kind.kind, Kind::Int | Kind::UnsignedInt) && ![1, 2, 4, 8].contains(&kind.size)
        {
            return Err(refuse(format!("an integer of {} bytes", kind.size)));
        }
        if kind.kind != Kind::Struct {
            if !kind.members.is_empty() {
                return Err(refuse("only a struct has members".to_string()));
            }
            leaves.push(u64::from(kind.size > 0));
            costs.push((0, 0));
            continue;
        }
        let mut sum = 0u64;
        let mut cost = (0u64, 0u32);
        for member in &kind.members {
            let part = types[..index]
                .get(member.type_index as usize)
                .ok_or_else(|| {
                    refuse(format!(
                        "member {} has a type that does not stand before it",
                        member.name
                    ))
                })?;
            let end = match member.bits {
                Some(bits) if (1..=64).contains(&bits.width) => bits
                    .start
                    .checked_add(u64::from(bits.width))
                    .map(|end| end.div_ceil(8)),
                Some(_) => None,
                None => member
                    .count
                    .checked_mul(part.size)
                    .and_then(|size| size.checked_add(member.offset)),
            };
            if end.is_none_or(|end| end > kind.size) {
                return Err(refuse(format!("member {} lies outside of it", member.name)));
            }
            if let Some(bits) = member.bits
                && (member.count != 1
                    || member.offset != 0
                    || !(part.kind.is_integer()
                        || part.kind.is_character()
                        || part.kind == Kind::Bool))
            {
                return Err(refuse(format!(
                    "bit-field {} of {} bits is not a single integer",
                    member.name, bits.width
                )));
            }
            let own = if member.bits.is_some() {
                1
            } else {
                leaves[member.type_index as usize]
            };
            sum = sum.saturating_add(own.saturating_mul(member.count));
            let (members, depth) = costs[member.type_index as usize];
            cost = (cost.0.saturating_add(members + 1), cost.1.max(depth + 1));
        }
        if sum > kind.size.saturating_mul(8) {
            return Err(refuse("its members overlap".to_string()));
        }
        if cost.0 > MOST_MEMBERS || cost.1 > DEEPEST {
            return Err(refuse(format!(
                "{} members, nested {} deep",
                cost.0, cost.1
            )));
        }
        leaves.push(sum);
        costs.push(cost);
    }
    Ok(())
}

/// Bytes of a scalar of this kind; none where the type itself says it (an enum type may be packed).
fn scalar_size(kind: Kind, machine: &Machine) -> Option<u64> {
    Some(match kind {
        Kind::Bool | Kind::Char | Kind::SignedChar | Kind::UnsignedChar => 1,
        Kind::Short | Kind::UnsignedShort => 2,
        Kind::Float => 4,
        Kind::Long | Kind::UnsignedLong => u64::from(machine.long),
        Kind::LongLong | Kind::UnsignedLongLong | Kind::Double | Kind::ComplexFloat => 8,
        Kind::LongDouble => u64::from(machine.long_double),
        Kind::ComplexDouble => 16,
        Kind::ComplexLongDouble => 2 * u64::from(machine.long_double),
        Kind::Pointer | Kind::Function => u64::from(machine.pointer),
        Kind::Int | Kind::UnsignedInt | Kind::Struct | Kind::Bytes | Kind::Handle => return None,
    })
}
