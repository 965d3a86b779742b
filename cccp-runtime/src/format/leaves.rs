//! The scalars of an element, numbered.
//!
//! The scalars of an element are its *leaves*, counted in the order of the members. A pointer into the middle of a
//! struct is saved as a leaf and a byte of it, so it leads to the same scalar in another layout. The types have been
//! checked: every walk ends.

use super::matching::find;
use super::types::{Kind, Member, Type};

/// How many leaves an element has.
pub fn leaf_count(types: &[Type], type_index: u32) -> u64 {
    let kind = &types[type_index as usize];
    if kind.kind != Kind::Struct {
        return u64::from(kind.size > 0);
    }
    kind.members
        .iter()
        .map(|member| member_leaves(types, member))
        .sum()
}

fn member_leaves(types: &[Type], member: &Member) -> u64 {
    if member.bits.is_some() {
        1
    } else {
        member.count * leaf_count(types, member.type_index)
    }
}

/// The leaf that holds the byte at `offset` of an element, and which byte of the leaf. Padding belongs to the leaf
/// before it. `offset` is smaller than the size of the element.
pub fn leaf_at(types: &[Type], type_index: u32, offset: u64) -> (u64, u64) {
    let kind = &types[type_index as usize];
    if kind.kind != Kind::Struct {
        return (0, offset);
    }
    let mut before = 0;
    let mut best = (0, offset);
    let mut best_start = None;
    for member in &kind.members {
        let leaves = member_leaves(types, member);
        let start = member.bits.map_or(member.offset, |bits| bits.start / 8);
        if leaves > 0 && start <= offset && best_start.is_none_or(|best| start > best) {
            best_start = Some(start);
            best = match member.bits {
                Some(_) => (before, offset - start),
                None => {
                    let size = types[member.type_index as usize].size;
                    let element = ((offset - start) / size).min(member.count - 1);
                    let inside = offset - start - element * size;
                    let per_element = leaves / member.count;
                    let (leaf, byte) = leaf_at(types, member.type_index, inside);
                    (before + element * per_element + leaf, byte)
                }
            };
        }
        before += leaves;
    }
    best
}

/// The offset in an element of byte `byte` of leaf `leaf`: the opposite of [`leaf_at`]. None when there is no such
/// leaf, or the byte lies outside of the element.
pub fn offset_of(types: &[Type], type_index: u32, leaf: u64, byte: u64) -> Option<u64> {
    let kind = types.get(type_index as usize)?;
    let start = leaf_start(types, type_index, leaf)?;
    start.checked_add(byte).filter(|offset| *offset < kind.size)
}

fn leaf_start(types: &[Type], type_index: u32, leaf: u64) -> Option<u64> {
    let kind = &types[type_index as usize];
    if kind.kind != Kind::Struct {
        return (leaf == 0).then_some(0);
    }
    let mut rest = leaf;
    for member in &kind.members {
        let leaves = member_leaves(types, member);
        if rest < leaves {
            return match member.bits {
                Some(bits) => Some(bits.start / 8),
                None => {
                    let per_element = leaves / member.count;
                    let inside = leaf_start(types, member.type_index, rest % per_element)?;
                    Some(
                        member.offset
                            + rest / per_element * types[member.type_index as usize].size
                            + inside,
                    )
                }
            };
        }
        rest -= leaves;
    }
    (leaf == 0).then_some(0)
}

/// What the type of a pointer to a stream of the C library is called.
pub const STREAM_TYPE: &str = "FILE *";

/// The same for a file of MPI.
pub const MPI_FILE_TYPE: &str = "MPI_File";

/// Whose an open file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// One of the C library.
    C,
    /// One of MPI.
    Mpi,
}

impl Type {
    /// Whose stream it leads to, if it is a pointer to one.
    pub fn stream(&self) -> Option<Stream> {
        match self.name.as_str() {
            _ if self.kind != Kind::Pointer => None,
            STREAM_TYPE => Some(Stream::C),
            MPI_FILE_TYPE => Some(Stream::Mpi),
            _ => None,
        }
    }

    /// Whether both lead to streams, and one to one of the C library only.
    pub fn is_other_stream(&self, other: &Type) -> bool {
        let streams = self.stream().zip(other.stream());
        streams.is_some_and(|(one, other)| one != other)
    }
}

/// Where an element holds pointers to streams: their offsets, and whose they are.
pub fn stream_offsets(types: &[Type], type_index: u32) -> Vec<(u64, Stream)> {
    let Some(kind) = types.get(type_index as usize) else {
        return Vec::new();
    };
    if let Some(whose) = kind.stream() {
        return vec![(0, whose)];
    }
    let mut found = Vec::new();
    for member in kind.members.iter().filter(|member| member.bits.is_none()) {
        let inner = stream_offsets(types, member.type_index);
        if inner.is_empty() {
            continue;
        }
        let size = types[member.type_index as usize].size;
        let elements = (0..member.count).map(|element| member.offset + element * size);
        let inner = &inner;
        found.extend(elements.flat_map(|start| {
            let here = inner.iter();
            here.map(move |&(offset, whose)| (start + offset, whose))
        }));
    }
    found
}

/// What a leaf becomes in another type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeafIn {
    /// This leaf.
    Leaf(u64),
    /// Its member is gone.
    Gone,
    /// It is the first one of a struct that begins with another member now: a pointer to it may mean either.
    Unsure,
}

/// The leaf of another type that a leaf becomes when members find each other by name.
pub fn leaf_in(types: &[Type], type_index: u32, leaf: u64, others: &[Type], other: u32) -> LeafIn {
    let (Some(from), Some(to)) = (types.get(type_index as usize), others.get(other as usize))
    else {
        return LeafIn::Gone;
    };
    match (from.kind, to.kind) {
        (Kind::Struct, Kind::Struct) => {}
        (Kind::Struct, _) | (_, Kind::Struct) => return LeafIn::Gone,
        _ => return LeafIn::Leaf(leaf),
    }
    match member_in(types, from, leaf, others, to) {
        found if leaf > 0 || found == LeafIn::Leaf(0) => found,
        _ if leaf_count(types, type_index) == 0 => LeafIn::Leaf(0),
        _ => LeafIn::Unsure,
    }
}

fn member_in(types: &[Type], from: &Type, leaf: u64, others: &[Type], to: &Type) -> LeafIn {
    let mut rest = leaf;
    for (index, member) in from.members.iter().enumerate() {
        let leaves = member_leaves(types, member);
        if rest >= leaves {
            rest -= leaves;
            continue;
        }
        let Some(twin) = find(&from.members[..index], member, &to.members) else {
            return LeafIn::Gone;
        };
        let before: u64 = to
            .members
            .iter()
            .take_while(|one| !std::ptr::eq(*one, twin))
            .map(|one| member_leaves(others, one))
            .sum();
        if member.bits.is_some() || twin.bits.is_some() {
            return LeafIn::Leaf(before);
        }
        let per_element = leaves / member.count;
        let element = rest / per_element;
        if element >= twin.count {
            return LeafIn::Gone;
        }
        let start = before + element * leaf_count(others, twin.type_index);
        let inside = rest % per_element;
        return match leaf_in(types, member.type_index, inside, others, twin.type_index) {
            LeafIn::Leaf(inside) => LeafIn::Leaf(start + inside),
            other => other,
        };
    }
    LeafIn::Gone
}
