//! The type of a whole block, from the type of its elements and its length.
//!
//! A length that is a multiple of the size means so many elements. A struct that ends with a flexible array is one
//! element with as many array elements as fit. What is left over behind elements without pointers is kept as bytes.

use std::collections::HashMap;

use crate::format::{Kind, Member, Type};
use crate::memory::blocks;
use crate::registry::{Lead, MADE, TypeTable};

use super::kinds::Kinds;

const ELEMENTS: &str = "elements";
const REST: &str = "rest";

/// Types of blocks that were made: by element type, and length.
pub type Made = HashMap<(u32, usize), u32>;

/// The type of what lies in a block, and how many of it.
pub fn of_block(
    kinds: &mut Kinds,
    made: &mut Made,
    element: u32,
    length: usize,
) -> Result<(u32, u64), String> {
    let size = kinds.size(element);
    if let Some((start, part)) = kinds.flexible(element) {
        let step = kinds.size(part);
        let count = length.checked_sub(start).map(|rest| rest / step.max(1));
        return match count {
            None => Err(too_short(kinds, element, length)),
            Some(0) if length >= size => Ok((element, 1)),
            Some(count) if step > 0 => {
                let known = made.get(&(element, length)).copied();
                let index = known.unwrap_or_else(|| {
                    let whole = flexible(&kinds.types[element as usize], count as u64, length);
                    add(kinds, made, (element, length), whole)
                });
                Ok((index, 1))
            }
            Some(_) => Err(too_short(kinds, element, length)),
        };
    }
    let count = length.checked_div(size).unwrap_or(0);
    let rest = length - count * size;
    if rest == 0 {
        return Ok((element, count as u64));
    }
    if !kinds.pointers(element).is_empty() {
        return Err(match count {
            0 => too_short(kinds, element, length),
            _ => format!(
                "it has {length} bytes, which are no whole number of `{}` ({size} bytes each)",
                kinds.name(element)
            ),
        });
    }
    if let Some(&known) = made.get(&(element, length)) {
        return Ok((known, 1));
    }
    let bytes = kinds.byte();
    let whole = with_rest(
        kinds.name(element).to_string(),
        (element, count as u64, (count * size) as u64),
        (bytes, rest as u64),
    );
    Ok((add(kinds, made, (element, length), whole), 1))
}

fn too_short(kinds: &Kinds, element: u32, length: usize) -> String {
    format!(
        "it has {length} bytes, less than one `{}`",
        kinds.name(element)
    )
}

fn add(kinds: &mut Kinds, made: &mut Made, key: (u32, usize), whole: Type) -> u32 {
    kinds.types.push(whole);
    let index = kinds.types.len() as u32 - 1;
    made.insert(key, index);
    index
}

/// One byte that is copied, never converted.
pub fn byte_type() -> Type {
    Type {
        name: "byte".to_string(),
        kind: Kind::Bytes,
        size: 1,
        members: Vec::new(),
    }
}

fn member(name: &str, type_index: u32, count: u64, offset: u64) -> Member {
    Member {
        name: name.to_string(),
        type_index,
        offset,
        count,
        bits: None,
    }
}

/// Elements (type, number, bytes of all), and bytes behind them (type, number).
pub fn with_rest(name: String, elements: (u32, u64, u64), rest: (u32, u64)) -> Type {
    Type {
        name: format!("{MADE}{name}"),
        kind: Kind::Struct,
        size: elements.2 + rest.1,
        members: vec![
            member(ELEMENTS, elements.0, elements.1, 0),
            member(REST, rest.0, rest.1, elements.2),
        ],
    }
}

/// A struct whose flexible array has so many elements.
pub fn flexible(one: &Type, count: u64, length: usize) -> Type {
    let mut whole = one.clone();
    whole.name = format!("{MADE}{}", one.name);
    whole.size = length as u64;
    if let Some(last) = whole.members.last_mut() {
        last.count = count;
    }
    whole
}

/// What a block holds to which a pointer leads that may lead to several kinds of blocks: the program has said it when it got
/// the block, or the length tells.
pub fn held(
    table: &TypeTable,
    kinds: &Kinds,
    pointer: u32,
    (start, length): (usize, usize),
) -> Result<u32, String> {
    let leads: Vec<Lead<u32>> = table.leads(pointer).collect();
    if let [only] = leads[..] {
        return Ok(only.target());
    }
    let is_one_of = |found: &u32| leads.iter().any(|lead| lead.target() == *found);
    let said = blocks::said(start).and_then(|descriptor| table.known(descriptor));
    if let Some(said) = said.filter(is_one_of) {
        return Ok(said);
    }
    let fits = |lead: &&Lead<u32>| {
        let size = kinds.size(lead.target());
        match lead {
            Lead::One(_) => length == size,
            _ => size > 0 && length.is_multiple_of(size),
        }
    };
    let fitting: Vec<&Lead<u32>> = leads.iter().filter(fits).collect();
    if let [only] = fitting[..] {
        return Ok(only.target());
    }
    let names = leads
        .iter()
        .map(|lead| format!("`{}`", kinds.name(lead.target())));
    Err(format!(
        "a `{}` points to a block of {length} bytes, and it is unknown which of {} it holds",
        kinds.name(pointer),
        names.collect::<Vec<_>>().join(" and ")
    ))
}

/// What a made type was made of: elements and bytes behind them, or a struct with a flexible array.
pub enum Parts {
    /// Type and number of the elements, number of bytes.
    Rest(u32, u64, u64),
    /// Name of the struct, elements of its array.
    Flexible(String, u64),
}

/// Takes a made type apart.
pub fn parts(one: &Type) -> Option<Parts> {
    let name = one.name.strip_prefix(MADE)?;
    match one.members.as_slice() {
        [elements, rest] if elements.name == ELEMENTS && rest.name == REST => {
            Some(Parts::Rest(elements.type_index, elements.count, rest.count))
        }
        [.., last] => Some(Parts::Flexible(name.to_string(), last.count)),
        [] => None,
    }
}
