//! What has changed between a type of the file and one of the program, all of it, and what of that may be accepted.
//!
//! In: the same two types that `matching` compares. Out: a list of differences in the order of the members, each with
//! both sides for people, and with a reason when a value could not keep its meaning. No difference here means that the
//! types fit as a whole; differences without a reason mean that they fit by name ([`super::Fit`]).

use super::matching::{find, has_grown};
use super::types::{Kind, Layout, Member, Type};

/// What a difference is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// The type of the register itself.
    Whole,
    /// A member of this struct.
    Member {
        /// As C spells the struct.
        owner: String,
        /// The member.
        name: String,
    },
    /// The order of the members of this struct.
    Order(String),
}

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Difference {
    /// What it is about.
    pub subject: Subject,
    /// In the file; none when only the program has it.
    pub then: Option<String>,
    /// In the program; none when only the file has it.
    pub now: Option<String>,
    /// Why it cannot be accepted.
    pub refused: Option<String>,
}

/// All differences between a type of the file and one of the program.
pub fn differences(
    file: Layout,
    file_type: u32,
    program: Layout,
    program_type: u32,
) -> Vec<Difference> {
    let mut search = Search {
        file,
        program,
        same: file.machine.same_layout(program.machine),
        found: Vec::new(),
    };
    search.types(&Subject::Whole, file_type, program_type);
    search.found
}

struct Search<'a> {
    file: Layout<'a>,
    program: Layout<'a>,
    same: bool,
    found: Vec<Difference>,
}

impl Search<'_> {
    fn add(
        &mut self,
        subject: &Subject,
        then: Option<String>,
        now: Option<String>,
        refused: Option<String>,
    ) {
        let one = Difference {
            subject: subject.clone(),
            then,
            now,
            refused,
        };
        if !self.found.contains(&one) {
            self.found.push(one);
        }
    }

    fn types(&mut self, subject: &Subject, file_type: u32, program_type: u32) {
        let (file, program) = (self.file, self.program);
        let (Some(from), Some(to)) = (
            file.types.get(file_type as usize),
            program.types.get(program_type as usize),
        ) else {
            return;
        };
        let integers = from.kind.is_integer() && to.kind.is_integer();
        let twins = from.size == to.size && from.kind.is_signed() == to.kind.is_signed();
        let refused = match (from.kind, to.kind) {
            (Kind::Struct, Kind::Struct) => return self.structs(from, to),
            (Kind::Bytes, Kind::Bytes) if from.size != to.size => {
                Some("it is unknown what a union holds".to_string())
            }
            (Kind::Bytes, Kind::Bytes) if !self.same => {
                Some("it was written on another kind of machine".to_string())
            }
            _ if from.is_other_stream(to) => Some("its values have no meaning there".to_string()),
            (one, other) if one == other => return,
            // Before 1.2 nothing was saved of a stream.
            (Kind::Handle, Kind::Pointer) if to.stream().is_some() => return,
            _ if integers && (!self.same || twins) => return,
            _ if has_grown(from, to) => None,
            _ if integers => Some("not all of its values fit".to_string()),
            _ => Some("its values have no meaning there".to_string()),
        };
        let (then, now) = (spell(from), spell(to));
        let sizes = |text: String, kind: &Type| match then == now {
            true => format!("{text} ({} bytes)", kind.size),
            false => text,
        };
        let (then, now) = (sizes(then.clone(), from), sizes(now.clone(), to));
        self.add(subject, Some(then), Some(now), refused);
    }

    fn structs(&mut self, from: &Type, to: &Type) {
        let (file, program) = (self.file, self.program);
        let about = |name: &str| Subject::Member {
            owner: to.name.clone(),
            name: match name {
                "" => "(without a name)".to_string(),
                name => name.to_string(),
            },
        };
        let mut order = Vec::new();
        for (index, member) in from.members.iter().enumerate() {
            let subject = about(&member.name);
            match find(&from.members[..index], member, &to.members) {
                Some(twin) => {
                    order.push(to.members.iter().position(|one| std::ptr::eq(one, twin)));
                    self.member(&subject, member, twin);
                }
                None => self.add(&subject, Some(declared(file, member)), None, None),
            }
        }
        for (index, member) in to.members.iter().enumerate() {
            if find(&to.members[..index], member, &from.members).is_none() {
                let now = Some(declared(program, member));
                self.add(&about(&member.name), None, now, None);
            }
        }
        if !order.is_sorted() {
            let common = |members: &[Member], others: &[Member]| {
                let names = members.iter().map(|member| member.name.as_str());
                let both = names.filter(|name| others.iter().any(|other| other.name == *name));
                both.collect::<Vec<_>>().join(", ")
            };
            let then = common(&from.members, &to.members);
            let now = common(&to.members, &from.members);
            self.add(
                &Subject::Order(to.name.clone()),
                Some(then),
                Some(now),
                None,
            );
        }
    }

    fn member(&mut self, subject: &Subject, from: &Member, to: &Member) {
        let refused = match (from.bits, to.bits) {
            (None, None) => {
                self.types(subject, from.type_index, to.type_index);
                match (from.count, to.count) {
                    (one, other) if one == other => return,
                    (0, _) | (_, 0) => Some("a flexible array is saved on its own".to_string()),
                    (one, other) if one > other => Some("not all elements fit".to_string()),
                    // A member says how many elements it has, not in how many dimensions: rows could shift.
                    _ => Some("its dimensions are not known".to_string()),
                }
            }
            (Some(one), Some(other)) if one.width == other.width => return,
            (Some(one), Some(other)) if one.width > other.width || one.signed != other.signed => {
                Some("not all of its values fit".to_string())
            }
            (Some(_), Some(_)) => None,
            _ => Some("a bit-field and something else".to_string()),
        };
        let then = declared(self.file, from);
        let now = declared(self.program, to);
        self.add(subject, Some(then), Some(now), refused);
    }
}

/// The name of a type as C has it.
fn spell(kind: &Type) -> String {
    kind.name.clone()
}

/// A member for people: `double[3]`, `unsigned int : 5`.
fn declared(layout: Layout, member: &Member) -> String {
    let kind = layout.types.get(member.type_index as usize);
    let name = kind.map_or_else(String::new, spell);
    match (member.bits, member.count) {
        (Some(bits), _) => format!("{name} : {}", bits.width),
        (None, 1) => name,
        (None, 0) => format!("{name}[]"),
        (None, count) => format!("{name}[{count}]"),
    }
}
