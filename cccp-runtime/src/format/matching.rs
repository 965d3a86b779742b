//! Which bytes of the file go where in the program: two types compared member by member.
//!
//! In: the file's type and the program's. Out: a list of [`Step`](super::step::Step)s in the order of the file, or the first difference,
//! naming the member and both sides; nothing has been written then. Members find each other by name, so a struct may
//! be laid out or ordered differently; a member more or less, another kind or another extent is a mismatch. Integers
//! may differ in kind only when the machines differ (`int64_t` is `long` here and `long long` there); whether the
//! values fit is checked one by one when they are decoded. A union is bytes: it comes back on the same kind of
//! machine only.
//!
//! [`Fit::ByName`] is for a program whose changes the user has accepted: what the file has no value for becomes zero,
//! what the program has no place for is passed over, and integers may have grown. `differences` says what that means.

use super::FormatError;
use super::encode::{is_wide, words_of};
use super::model::Encoding;
use super::step::{Step, Work, push, width, zero};
use super::types::{BitField, Kind, Layout, Member, Type};

/// How much a type of the file and one of the program may differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// In layout and order only.
    Whole,
    /// In members, in the lengths of arrays and in the width of integers as well.
    ByName,
}

/// Compares a type of the file with one of the program.
pub fn compatible(
    file: Layout,
    file_type: u32,
    program: Layout,
    program_type: u32,
) -> Result<(), FormatError> {
    fits(Fit::Whole, file, file_type, program, program_type)
}

/// The same for types that may differ more.
pub fn fits(
    fit: Fit,
    file: Layout,
    file_type: u32,
    program: Layout,
    program_type: u32,
) -> Result<(), FormatError> {
    match_types(
        file,
        file_type,
        program,
        program_type,
        Encoding::Xdr,
        1,
        fit,
    )
    .map(|_| ())
}

/// The steps for `count` elements.
pub(super) fn match_types(
    file: Layout,
    file_type: u32,
    program: Layout,
    program_type: u32,
    encoding: Encoding,
    count: u64,
    fit: Fit,
) -> Result<Step, FormatError> {
    for (side, layout, index) in [
        ("file", file, file_type),
        ("program", program, program_type),
    ] {
        if index as usize >= layout.types.len() {
            return Err(FormatError::Types {
                name: index.to_string(),
                reason: format!("the {side} has no such type"),
            });
        }
    }
    let same = file.machine.same_layout(program.machine);
    Matcher {
        file,
        program,
        encoding,
        same,
        fit,
    }
    .run(
        "",
        file_type,
        program_type,
        Place {
            from: 0,
            to: 0,
            count,
        },
    )
}

/// Where a run of elements is.
struct Place {
    from: u64,
    to: u64,
    count: u64,
}

struct Matcher<'a> {
    file: Layout<'a>,
    program: Layout<'a>,
    encoding: Encoding,
    same: bool,
    fit: Fit,
}

fn spell(kind: &Type) -> String {
    format!("{} ({} bytes)", kind.name, kind.size)
}

impl Matcher<'_> {
    fn run(
        &self,
        path: &str,
        file_type: u32,
        program_type: u32,
        place: Place,
    ) -> Result<Step, FormatError> {
        let from = &self.file.types[file_type as usize];
        let to = &self.program.types[program_type as usize];
        let differ = |note: &str| FormatError::Mismatch {
            path: path.to_string(),
            reason: format!(
                "the file has {}, the program {}{note}",
                spell(from),
                spell(to)
            ),
        };
        let native = self.encoding.is_memory();
        let integers = from.kind.is_integer() && to.kind.is_integer();
        let twins = from.size == to.size && from.kind.is_signed() == to.kind.is_signed();
        let grown = self.fit == Fit::ByName && has_grown(from, to);
        // Before 1.2 nothing was saved of a stream.
        let handle = from.kind == Kind::Handle && to.stream().is_some();
        if from.is_other_stream(to) {
            return Err(differ(""));
        }
        if from.kind != to.kind && !handle && !(integers && (!self.same || twins || grown)) {
            return Err(differ(""));
        }
        let (count, work) = match from.kind {
            Kind::Bool => (place.count, Work::Bool),
            Kind::Char | Kind::SignedChar | Kind::UnsignedChar => (place.count, bytes(native)),
            Kind::Bytes if from.size != to.size => return Err(differ("")),
            Kind::Bytes if !self.same => return Err(differ(", but on another kind of machine")),
            Kind::Bytes => (place.count * from.size, bytes(native)),
            Kind::LongDouble => (place.count, Work::LongDouble),
            Kind::ComplexLongDouble => (2 * place.count, Work::LongDouble),
            Kind::Pointer | Kind::Function => (place.count, Work::Pointer { to: to.size }),
            Kind::Handle => (0, Work::Nothing),
            Kind::Struct => return self.structs(path, from, to, place, &differ),
            _ => self.words(from, to, place.count),
        };
        Ok(Step {
            path: path.to_string(),
            from: place.from,
            to: place.to,
            count,
            work,
        })
    }

    /// Integers and floating-point numbers.
    fn words(&self, from: &Type, to: &Type, count: u64) -> (u64, Work) {
        let signed = (from.kind.is_signed(), to.kind.is_signed());
        let wide = is_wide(from.kind, from.size);
        let as_words = words_of(to.kind, to.size).filter(|(_, width)| match self.encoding {
            Encoding::Native => from.size == to.size,
            // A number that is narrower in the file's memory than on the wire may be none of its type: one by one.
            Encoding::Xdr if from.kind.is_integer() => {
                *width == from.size && *width == if wide { 8 } else { 4 }
            }
            Encoding::Xdr => true,
        });
        match as_words {
            Some((_, _)) if self.encoding.is_memory() && self.same && signed.0 == signed.1 => {
                (count * to.size, Work::Copy)
            }
            Some((per_scalar, width)) if signed.0 == signed.1 => {
                (count * per_scalar, Work::Words(width))
            }
            _ => {
                let work = Work::Integer {
                    from: from.size,
                    from_signed: signed.0,
                    wide,
                    to: to.size,
                    to_signed: signed.1,
                    name: to.name.clone(),
                };
                (count, work)
            }
        }
    }

    fn structs(
        &self,
        path: &str,
        from: &Type,
        to: &Type,
        place: Place,
        differ: &dyn Fn(&str) -> FormatError,
    ) -> Result<Step, FormatError> {
        let mut steps = Vec::new();
        for (index, member) in from.members.iter().enumerate() {
            let path = format!("{path}.{}", member.name);
            let twin = match find(&from.members[..index], member, &to.members) {
                Some(twin) => twin,
                None if self.fit == Fit::ByName => {
                    steps.push(self.skip(&path, member)?);
                    continue;
                }
                None => {
                    let note = format!("; only the file's has the member {}", member.name);
                    return Err(differ(&note));
                }
            };
            let step = self.member(&path, member, twin)?;
            if member.bits.is_none() && twin.count > member.count {
                let size = self.program.types[twin.type_index as usize].size;
                let grown = zero(&path, twin.offset + member.count * size, {
                    (twin.count - member.count) * size
                });
                steps.push(grown);
            }
            match step.work {
                _ if step.count == 0 => {}
                Work::Group { steps: inner, .. } if step.count == 1 => {
                    for mut inside in inner {
                        match &mut inside.work {
                            Work::Bits { from, to } => {
                                from.start += step.from * 8;
                                to.start += step.to * 8;
                            }
                            Work::ZeroBits(to) => to.start += step.to * 8,
                            _ => {
                                inside.from += step.from;
                                inside.to += step.to;
                            }
                        }
                        push(&mut steps, inside);
                    }
                }
                _ => push(&mut steps, step),
            }
        }
        for (index, member) in to.members.iter().enumerate() {
            if find(&to.members[..index], member, &from.members).is_some() {
                continue;
            }
            if self.fit == Fit::ByName {
                let size = self.program.types[member.type_index as usize].size;
                let mut new = zero(&member.name, member.offset, member.count * size);
                if let Some(bits) = member.bits {
                    (new.to, new.count, new.work) = (0, 1, Work::ZeroBits(bits));
                }
                steps.push(new);
            } else {
                let note = format!("; only the program's has the member {}", member.name);
                return Err(differ(&note));
            }
        }
        let mut step = Step {
            path: path.to_string(),
            from: place.from,
            to: place.to,
            count: place.count,
            work: Work::Group {
                steps: Vec::new(),
                from: from.size,
                to: to.size,
            },
        };
        match steps.as_slice() {
            [] => step.work = Work::Nothing,
            [
                Step {
                    from: 0,
                    to: 0,
                    count,
                    work: work @ (Work::Copy | Work::Words(_)),
                    ..
                },
            ] if count * width(work) == to.size && from.size == to.size => {
                step.count *= count;
                step.work = steps.swap_remove(0).work;
            }
            _ => {
                step.work = Work::Group {
                    steps,
                    from: from.size,
                    to: to.size,
                }
            }
        }
        Ok(step)
    }

    /// Passes over a member of the file.
    fn skip(&self, path: &str, member: &Member) -> Result<Step, FormatError> {
        let own = Matcher {
            file: self.file,
            program: self.file,
            encoding: self.encoding,
            same: true,
            fit: Fit::Whole,
        };
        let (from, work) = match member.bits {
            Some(bits) => (
                0,
                Work::Bits {
                    from: bits,
                    to: BitField { start: 0, ..bits },
                },
            ),
            None => (member.offset, Work::Nothing),
        };
        let mut step = Step {
            path: path.to_string(),
            from: 0,
            to: 0,
            count: 1,
            work,
        };
        let mut size = 8;
        if member.bits.is_none() {
            let place = Place {
                from: 0,
                to: 0,
                count: member.count,
            };
            step = own.run(path, member.type_index, member.type_index, place)?;
            size = member.count * self.file.types[member.type_index as usize].size;
        }
        Ok(Step {
            path: path.to_string(),
            from,
            to: 0,
            count: 1,
            work: Work::Skip {
                step: Box::new(step),
                size,
            },
        })
    }

    fn member(&self, path: &str, from: &Member, to: &Member) -> Result<Step, FormatError> {
        let differ = |reason: String| FormatError::Mismatch {
            path: path.to_string(),
            reason,
        };
        match (from.bits, to.bits) {
            (None, None)
                if from.count == to.count
                    || self.fit == Fit::ByName && (1..to.count).contains(&from.count) =>
            {
                let place = Place {
                    from: from.offset,
                    to: to.offset,
                    count: from.count,
                };
                self.run(path, from.type_index, to.type_index, place)
            }
            (None, None) => Err(differ(format!(
                "the file has {} elements, the program {}",
                from.count, to.count
            ))),
            (Some(one), Some(other))
                if one.width == other.width
                    || self.fit == Fit::ByName && one.width < other.width =>
            {
                let work = Work::Bits {
                    from: one,
                    to: other,
                };
                Ok(Step {
                    path: path.to_string(),
                    from: 0,
                    to: 0,
                    count: 1,
                    work,
                })
            }
            (one, other) => {
                let say = |bits: Option<BitField>| {
                    bits.map_or("no bit-field".to_string(), |bits| {
                        format!("a bit-field of {} bits", bits.width)
                    })
                };
                Err(differ(format!(
                    "the file has {}, the program {}",
                    say(one),
                    say(other)
                )))
            }
        }
    }
}

/// An integer of equal sign that holds all values of the other one.
pub(super) fn has_grown(from: &Type, to: &Type) -> bool {
    from.kind.is_integer()
        && to.kind.is_integer()
        && from.kind.is_signed() == to.kind.is_signed()
        && from.size <= to.size
}

fn bytes(native: bool) -> Work {
    if native { Work::Copy } else { Work::Opaque }
}

/// The member with the same name; the n-th of them for the n-th without a name.
pub(super) fn find<'m>(
    before: &[Member],
    member: &Member,
    members: &'m [Member],
) -> Option<&'m Member> {
    let position = before
        .iter()
        .filter(|other| other.name == member.name)
        .count();
    members
        .iter()
        .filter(|other| other.name == member.name)
        .nth(position)
}
