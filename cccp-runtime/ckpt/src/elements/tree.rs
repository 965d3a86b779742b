//! A type as a tree: what the values of one element are called, and in which order they come.
//!
//! `double x[3]` becomes an array of a number, a struct its members, `char name[8]` eight letters. Members of an anonymous
//! struct belong to the struct around it, as in C. Nothing is saved of a handle, so there is none in a tree. The types
//! have been checked by the reader of the file: every walk ends.

use cccp::format::{Kind, Layout, Member, Type};

/// What an element consists of.
#[derive(Clone, Debug, PartialEq)]
pub enum Element {
    /// One value.
    Number(Number),
    /// Where something leads.
    Pointer,
    /// So many `char` in a row.
    Letters(u64),
    /// A union, or memory of unknown shape, of so many bytes.
    Opaque(u64),
    /// The same several times.
    Array {
        /// How often.
        count: u64,
        /// What.
        element: Box<Element>,
    },
    /// Members.
    Struct(Vec<Field>),
}

/// A member of a struct.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its name; made up for a union without one.
    pub name: String,
    /// What it consists of.
    pub element: Element,
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// `_Bool`
    Bool,
    /// An integer.
    Integer {
        /// Bytes: 1, 2, 4 or 8.
        size: u64,
        /// Whether it may be negative.
        signed: bool,
    },
    /// `float`
    Float,
    /// `double`
    Double,
    /// `long double`
    LongDouble,
    /// `float _Complex`
    ComplexFloat,
    /// `double _Complex`
    ComplexDouble,
    /// `long double _Complex`
    ComplexLongDouble,
}

impl Element {
    /// The tree of a type.
    pub fn of(layout: Layout, type_index: u32) -> Element {
        let kind = &layout.types[type_index as usize];
        let number = match kind.kind {
            Kind::Char => return Element::Letters(1),
            Kind::Bytes => return Element::Opaque(kind.size),
            Kind::Handle => return Element::Struct(Vec::new()),
            Kind::Pointer | Kind::Function => return Element::Pointer,
            Kind::Struct => return Element::Struct(fields(layout, kind)),
            Kind::Bool => Number::Bool,
            Kind::Float => Number::Float,
            Kind::Double => Number::Double,
            Kind::LongDouble => Number::LongDouble,
            Kind::ComplexFloat => Number::ComplexFloat,
            Kind::ComplexDouble => Number::ComplexDouble,
            Kind::ComplexLongDouble => Number::ComplexLongDouble,
            integer => Number::Integer {
                size: kind.size,
                signed: integer.is_signed(),
            },
        };
        Element::Number(number)
    }

    /// Whether it has no value at all.
    pub fn is_empty(&self) -> bool {
        match self {
            Element::Struct(fields) => fields.is_empty(),
            Element::Opaque(0) => true,
            _ => false,
        }
    }

    /// How many columns of a table it fills: a complex number two, letters or a union one.
    pub fn columns(&self) -> u64 {
        match self {
            Element::Number(
                Number::ComplexFloat | Number::ComplexDouble | Number::ComplexLongDouble,
            ) => 2,
            Element::Array { count, element } => count.saturating_mul(element.columns()),
            Element::Struct(fields) => fields
                .iter()
                .map(|field| field.element.columns())
                .fold(0, u64::saturating_add),
            _ => 1,
        }
    }
}

fn fields(layout: Layout, kind: &Type) -> Vec<Field> {
    let mut fields = Vec::new();
    let mut nameless = 0;
    for member in kind.members.iter().filter(|member| member.count > 0) {
        let element = member_element(layout, member);
        match element {
            element if element.is_empty() => {}
            Element::Struct(inner) if member.name.is_empty() => fields.extend(inner),
            element => {
                let mut name = member.name.clone();
                if name.is_empty() {
                    nameless += 1;
                    name = format!("unnamed{nameless}");
                }
                fields.push(Field { name, element });
            }
        }
    }
    fields
}

fn member_element(layout: Layout, member: &Member) -> Element {
    let part = &layout.types[member.type_index as usize];
    if let Some(bits) = member.bits {
        return Element::Number(match part.kind {
            Kind::Bool => Number::Bool,
            _ => Number::Integer {
                size: part.size,
                signed: bits.signed,
            },
        });
    }
    match Element::of(layout, member.type_index) {
        Element::Letters(one) => Element::Letters(one.saturating_mul(member.count)),
        element if member.count == 1 || element.is_empty() => element,
        element => Element::Array {
            count: member.count,
            element: Box::new(element),
        },
    }
}
