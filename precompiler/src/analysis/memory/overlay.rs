//! What an access under one type touches of an object that has another.
//!
//! In: the layout of an object, a leaf in it where a pointer points to, the type of the access. Out: leaves. The one
//! idea: where the object has a part of this very layout, leaf answers leaf; otherwise bytes are compared, and an access
//! touches every leaf that it shares a bit with.
//!
//! ```text
//! struct base { int kind; void *data; };  struct derived { struct base base; double x; } d;
//! ((struct base *)&d)->data    touches d.base.data        ((double *)&d)[2]    touches d.x, among others
//! ```
//!
//! Errors fall on the side of more leaves. A pointer to an element of an array is a pointer to the first one: what would
//! be different for others is outside of the array.

use std::ops::Range;

use super::layout::{LayoutId, Layouts, LeafKind, Shape};
use crate::dataflow::steps::Projection;

/// Leaves of a type that a place names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// The first one.
    pub first: u32,
    /// How many.
    pub count: u32,
    /// The layout of what is there; that of the union or of the unknown type when the place is inside of one.
    pub layout: LayoutId,
    /// The place is inside of a leaf.
    pub is_inside: bool,
    /// The place is one of several elements of an array.
    pub is_element: bool,
    /// The place is an element that is reached from a pointer which does not point to an array.
    pub is_step: bool,
}

/// What an access touches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hit {
    /// These leaves, in ascending order.
    pub leaves: Vec<u32>,
    /// Each is all of a leaf that is accessed.
    pub is_exact: bool,
    /// It does not begin in the middle of something that is not an array or a union.
    pub is_aligned: bool,
}

/// Where a pointer points to after arithmetic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stepped {
    /// These leaves, in ascending order.
    pub leaves: Vec<u32>,
    /// It may be anywhere in the object.
    pub is_anywhere: bool,
}

/// A part of an object that contains a leaf.
#[derive(Clone, Copy, Debug)]
struct Level {
    layout: LayoutId,
    first: u32,
    offset: u64,
}

impl Layouts {
    /// The leaves that a way from a type leads to.
    pub fn named(&self, base: LayoutId, path: &[Projection]) -> Named {
        let mut named = Named {
            first: 0,
            count: 0,
            layout: base,
            is_inside: false,
            is_element: false,
            is_step: false,
        };
        for projection in path {
            let shape = &self.get(named.layout).shape;
            match (projection, shape) {
                (Projection::Member(_, index), Shape::Record(parts, _)) => {
                    let Some(part) = parts.get(*index) else {
                        continue;
                    };
                    named.first += part.first;
                    match part.layout {
                        Some(layout) => named.layout = layout,
                        None => return named,
                    }
                }
                (Projection::Element(_), Shape::Array(element, count)) => {
                    named.is_element |= *count != Some(1);
                    named.layout = *element;
                }
                (_, Shape::Leaf(LeafKind::Union(_) | LeafKind::Opaque, _)) => {
                    named.is_inside = true;
                }
                (Projection::Element(_), _) => named.is_step = true,
                (Projection::Member(..), _) => named.is_inside = true,
            }
        }
        named.count = self.get(named.layout).leaves.len() as u32;
        named
    }

    /// What an access to leaf `leaf` of type `used` touches when the type is put on an object, at leaf `from`.
    pub fn overlay(&self, object: LayoutId, from: u32, used: LayoutId, leaf: u32) -> Hit {
        self.overlay_all(object, from, used, leaf..leaf + 1)
    }

    /// What an access to some leaves of type `used` touches.
    pub fn overlay_all(
        &self,
        object: LayoutId,
        from: u32,
        used: LayoutId,
        leaves: Range<u32>,
    ) -> Hit {
        if self.has_part(object, from, used) {
            return Hit {
                leaves: (from + leaves.start..from + leaves.end).collect(),
                is_exact: true,
                is_aligned: true,
            };
        }
        let mut all = Hit {
            leaves: Vec::new(),
            is_exact: true,
            is_aligned: true,
        };
        for leaf in leaves {
            let hit = self.overlay_bytes(object, from, used, leaf);
            all.is_exact &= hit.is_exact;
            all.is_aligned &= hit.is_aligned;
            all.leaves.extend(hit.leaves);
        }
        all.leaves.sort_unstable();
        all.leaves.dedup();
        all
    }

    /// The leaves that share a bit with a leaf of type `used`.
    fn overlay_bytes(&self, object: LayoutId, from: u32, used: LayoutId, leaf: u32) -> Hit {
        let whole = self.get(object);
        let Some(accessed) = self.get(used).leaves.get(leaf as usize) else {
            return Hit::default();
        };
        let Some(start) = whole.leaves.get(from as usize) else {
            return Hit::default();
        };
        let low = start.offset.saturating_add(accessed.offset);
        let length = self.spanned(used, leaf);
        let leaves = self.touched(object, low, low.saturating_add(length));
        let only = |leaf: &u32| {
            let leaf = &whole.leaves[*leaf as usize];
            Some(length) == leaf.size
                && self.position(object, low) == self.position(object, leaf.offset)
        };
        let is_aligned = match self.leaf_at(object, low) {
            Some((_, is_start)) => is_start,
            None => true,
        };
        Hit {
            is_exact: matches!(&leaves[..], [leaf] if only(leaf)) && is_aligned,
            is_aligned,
            leaves,
        }
    }

    /// Where a pointer to `used` points to after so many elements were added or taken away.
    pub fn step(
        &self,
        object: LayoutId,
        from: u32,
        used: LayoutId,
        count: Option<i128>,
    ) -> Stepped {
        let stays = Stepped {
            leaves: vec![from],
            is_anywhere: false,
        };
        let whole = self.get(object);
        let (Some(start), Some(size)) = (whole.leaves.get(from as usize), self.get(used).size)
        else {
            return stays;
        };
        if matches!(start.kind, LeafKind::Union(_) | LeafKind::Opaque) || count == Some(0) {
            return stays;
        }
        let levels = self.levels(object, from);
        for level in &levels {
            if let Shape::Array(element, _) = self.get(level.layout).shape {
                let inner = self.get(element);
                if inner.leaves.len() == 1 || inner.size.is_none_or(|one| size % one.max(1) == 0) {
                    return stays;
                }
            }
        }
        if let Some(found) = count.and_then(|count| self.step_exactly(object, from, size, count)) {
            return found;
        }
        if let Some(leaves) = self.neighbours(object, from, used, size) {
            return Stepped {
                leaves,
                is_anywhere: false,
            };
        }
        Stepped {
            leaves: (0..whole.leaves.len() as u32).collect(),
            is_anywhere: true,
        }
    }

    /// A known number of elements, in either direction.
    fn step_exactly(&self, object: LayoutId, from: u32, size: u64, count: i128) -> Option<Stepped> {
        let start = i128::from(self.get(object).leaves[from as usize].offset);
        let far = i128::from(size).checked_mul(count)?;
        let mut leaves = Vec::new();
        for place in [start.checked_add(far)?, start.checked_sub(far)?] {
            let Ok(place) = u64::try_from(place) else {
                continue;
            };
            match self.leaf_at(object, place) {
                Some((leaf, true)) => leaves.push(leaf),
                Some((_, false)) => return None,
                None => {}
            }
        }
        leaves.sort_unstable();
        leaves.dedup();
        (!leaves.is_empty()).then_some(Stepped {
            leaves,
            is_anywhere: false,
        })
    }

    /// Leaves that begin so many bytes before or behind a leaf.
    pub fn near(&self, object: LayoutId, from: u32, bytes: i128) -> Vec<u32> {
        let leaves = &self.get(object).leaves;
        let Some(start) = leaves
            .get(from as usize)
            .map(|leaf| i128::from(leaf.offset))
        else {
            return Vec::new();
        };
        let places = [start + bytes * 8, start - bytes * 8];
        let there = |place: i128| match self.leaf_at(object, u64::try_from(place).ok()?)? {
            (leaf, true) => Some(leaf),
            (_, false) => None,
        };
        places.into_iter().filter_map(there).collect()
    }

    /// What is of the same kind and lies directly before or behind: `double x, y, z` as an array of three.
    fn neighbours(
        &self,
        object: LayoutId,
        from: u32,
        used: LayoutId,
        size: u64,
    ) -> Option<Vec<u32>> {
        let start = self.get(object).leaves[from as usize].offset;
        let fits = |place: u64| {
            let (leaf, is_start) = self.leaf_at(object, place)?;
            let same = self.has_part(object, leaf, used) || self.is_alike(object, leaf, used);
            (is_start && same).then_some(leaf)
        };
        fits(start)?;
        let mut leaves = Vec::new();
        let mut place = start;
        // An object that goes on for ever has a last leaf, too.
        for _ in 0..=self.get(object).leaves.len() {
            match fits(place) {
                Some(leaf) => leaves.push(leaf),
                None => break,
            }
            place = place.saturating_add(size);
        }
        place = start;
        while let Some(leaf) = place.checked_sub(size).and_then(fits) {
            leaves.push(leaf);
            place -= size;
        }
        leaves.sort_unstable();
        leaves.dedup();
        Some(leaves)
    }

    /// A scalar of the same size.
    fn is_alike(&self, object: LayoutId, leaf: u32, used: LayoutId) -> bool {
        let there = &self.get(object).leaves[leaf as usize];
        match &self.get(used).shape {
            Shape::Leaf(LeafKind::Opaque | LeafKind::Union(_), _) => false,
            Shape::Leaf(kind, size) => {
                *kind == there.kind && *size == there.size
                    || *size == there.size
                        && !matches!(kind, LeafKind::Float)
                        && !matches!(there.kind, LeafKind::Float | LeafKind::BitField)
            }
            _ => false,
        }
    }

    /// Whether the object has a part of this layout that begins at this leaf.
    fn has_part(&self, object: LayoutId, from: u32, used: LayoutId) -> bool {
        if object == used {
            return from == 0;
        }
        let element = self.element(used);
        let wanted = self.elements(used);
        let mut there = Some(1);
        for level in self.levels(object, from) {
            if level.first != from {
                there = Some(1);
                continue;
            }
            if level.layout == used {
                return true;
            }
            if element == level.layout {
                // Arrays of arrays lie like one array.
                return match (there, wanted) {
                    (None, _) => true,
                    (Some(there), Some(wanted)) => wanted <= there,
                    (Some(_), None) => false,
                };
            }
            there = match self.get(level.layout).shape {
                Shape::Array(_, count) => there.zip(count).map(|(there, count)| there * count),
                _ => Some(1),
            };
        }
        false
    }

    /// Whether the object surely has a part of this layout at this leaf, which is not one of several elements.
    pub fn is_only(&self, object: LayoutId, from: u32, used: LayoutId) -> bool {
        for level in self.levels(object, from) {
            if level.first == from && level.layout == used {
                return true;
            }
            if matches!(self.get(level.layout).shape, Shape::Array(_, count) if count != Some(1)) {
                return false;
            }
        }
        false
    }

    /// The part of so many bits that begins at this leaf, if it is not one of several elements: how many leaves.
    pub fn only_part(&self, object: LayoutId, from: u32, bits: u64) -> Option<u32> {
        for level in self.levels(object, from) {
            let layout = self.get(level.layout);
            if level.first == from && layout.size == Some(bits) {
                return Some(layout.leaves.len() as u32);
            }
            if matches!(layout.shape, Shape::Array(_, count) if count != Some(1)) {
                return None;
            }
        }
        None
    }

    /// What can be reached from a leaf by going through the array that it is an element of, or in the rest of the object.
    pub fn around(&self, object: LayoutId, from: u32) -> Range<u32> {
        let is_array = |level: &&Level| matches!(self.get(level.layout).shape, Shape::Array(..));
        match self.levels(object, from).iter().rev().find(is_array) {
            Some(level) => level.first..level.first + self.get(level.layout).leaves.len() as u32,
            None => from..self.get(object).leaves.len() as u32,
        }
    }

    /// How many elements there are in an array of arrays.
    fn elements(&self, mut id: LayoutId) -> Option<u64> {
        let mut count = 1u64;
        while let Shape::Array(element, here) = self.get(id).shape {
            count = count.saturating_mul(here?);
            id = element;
        }
        Some(count)
    }

    /// From the beginning of a leaf to the end of the last element that it stands for.
    fn spanned(&self, used: LayoutId, leaf: u32) -> u64 {
        let Some(size) = self.get(used).leaves[leaf as usize].size else {
            return u64::MAX;
        };
        let mut length = size;
        for level in self.levels(used, leaf) {
            if let Shape::Array(element, count) = self.get(level.layout).shape {
                let stride = self.get(element).size;
                let Some((stride, count)) = stride.zip(count) else {
                    return u64::MAX;
                };
                length = length.saturating_add(stride.saturating_mul(count.saturating_sub(1)));
            }
        }
        length
    }

    /// The leaves into which so many bits reach behind a pointer to a leaf. Unless it is said that the pointer leads to a `whole` of at least
    /// so many, it may lead to any element of the arrays that the leaf is in.
    pub fn behind(&self, object: LayoutId, from: u32, bits: u64, is_whole: bool) -> Vec<u32> {
        let leaf = &self.get(object).leaves[from as usize];
        let far = match (is_whole, leaf.kind) {
            (true, _) => 0,
            (false, LeafKind::Union(_) | LeafKind::Opaque) => u64::MAX,
            // All elements of the object itself are alike.
            (false, _) => {
                let span = self.spanned(self.element(object), from);
                span.saturating_sub(leaf.size.unwrap_or(0))
            }
        };
        let end = leaf.offset.saturating_add(far).saturating_add(bits);
        self.touched(object, leaf.offset, end)
    }

    /// The leaves of the array in a struct that a leaf is an element of, where a pointer to it surely leads to no more than that: the
    /// array is not what a struct begins with, nor the last of one, which may be longer than it says.
    pub fn array_of(&self, object: LayoutId, leaf: u32) -> Option<Range<u32>> {
        let levels = self.levels(object, leaf);
        let is_array = |level: &Level| matches!(self.get(level.layout).shape, Shape::Array(..));
        let is_record = |level: &&Level| matches!(self.get(level.layout).shape, Shape::Record(..));
        let at = levels.iter().rposition(is_array)?;
        let array = levels[at];
        let inner = levels[at..].iter().find(is_record);
        let outer = levels[..at].iter().rev().find(is_record)?;
        let count = |layout: LayoutId| self.get(layout).leaves.len() as u32;
        let end = array.first + count(array.layout);
        let is_between = outer.first < array.first && end < outer.first + count(outer.layout);
        let is_long = matches!(self.get(array.layout).shape, Shape::Array(_, Some(2..)));
        (is_between && is_long && inner.is_none()).then_some(array.first..end)
    }

    /// The parts that contain a leaf, from the outermost on.
    fn levels(&self, object: LayoutId, leaf: u32) -> Vec<Level> {
        let mut levels = Vec::new();
        let mut here = Level {
            layout: object,
            first: 0,
            offset: 0,
        };
        loop {
            levels.push(here);
            match &self.get(here.layout).shape {
                Shape::Leaf(..) => return levels,
                Shape::Array(element, _) => here.layout = *element,
                Shape::Record(parts, _) => {
                    let before = |part: &&super::layout::Part| {
                        part.layout.is_some_and(|layout| {
                            let first = here.first + part.first;
                            let count = self.get(layout).leaves.len() as u32;
                            (first..first + count).contains(&leaf)
                        })
                    };
                    match parts.iter().find(before) {
                        Some(part) => {
                            here.first += part.first;
                            here.offset += part.offset;
                            here.layout = part.layout.unwrap_or(Layouts::OPAQUE);
                        }
                        None => return levels,
                    }
                }
            }
        }
    }

    /// The leaves that share a bit with a part of an object, in ascending order.
    pub fn touched(&self, object: LayoutId, low: u64, high: u64) -> Vec<u32> {
        let mut leaves = Vec::new();
        self.touch(object, 0, low, high, &mut leaves);
        leaves.sort_unstable();
        leaves.dedup();
        leaves
    }

    fn touch(&self, id: LayoutId, first: u32, low: u64, high: u64, out: &mut Vec<u32>) {
        if low >= high {
            return;
        }
        let layout = self.get(id);
        match &layout.shape {
            Shape::Leaf(_, size) => {
                if size.is_none_or(|size| low < size) {
                    out.push(first);
                }
            }
            Shape::Array(element, count) => {
                let inner = self.get(*element);
                let stride = inner.size.unwrap_or(u64::MAX).max(1);
                let end = count.map_or(u64::MAX, |count| stride.saturating_mul(count));
                if low >= end {
                    return;
                }
                let high = high.min(end);
                if high - low >= stride || inner.leaves.len() == 1 {
                    out.extend(first..first + inner.leaves.len() as u32);
                    return;
                }
                let (from, length) = (low % stride, high - low);
                self.touch(*element, first, from, (from + length).min(stride), out);
                if from + length > stride {
                    self.touch(*element, first, 0, from + length - stride, out);
                }
            }
            Shape::Record(parts, _) => {
                for part in parts {
                    let Some(inner) = part.layout else {
                        continue;
                    };
                    if high > part.offset {
                        let low = low.saturating_sub(part.offset);
                        let first = first + part.first;
                        self.touch(inner, first, low, high - part.offset, out);
                    }
                }
            }
        }
    }

    /// The leaf at an offset, and whether the offset is its beginning (or it is an array or a union anyway).
    pub fn leaf_at(&self, object: LayoutId, place: u64) -> Option<(u32, bool)> {
        let mut leaves = Vec::new();
        self.touch(object, 0, place, place.saturating_add(1), &mut leaves);
        let leaf = *leaves.first()?;
        let there = &self.get(object).leaves[leaf as usize];
        let vague = matches!(there.kind, LeafKind::Union(_) | LeafKind::Opaque);
        let alone = self.levels(object, leaf).iter().any(|level| {
            matches!(self.get(level.layout).shape, Shape::Array(element, _) if self.get(element).leaves.len() == 1)
        });
        let at_start = self.position(object, place) == there.offset;
        Some((leaf, vague || alone || at_start))
    }

    /// An offset as it is in the first elements of arrays.
    fn position(&self, object: LayoutId, place: u64) -> u64 {
        let layout = self.get(object);
        match &layout.shape {
            Shape::Leaf(..) => place,
            Shape::Array(element, _) => {
                let stride = self.get(*element).size.unwrap_or(u64::MAX).max(1);
                self.position(*element, place % stride)
            }
            Shape::Record(parts, _) => {
                let part = parts.iter().rev().find(|part| {
                    part.layout.is_some_and(|layout| {
                        let size = self.get(layout).size.unwrap_or(u64::MAX);
                        part.offset <= place && place - part.offset < size
                    })
                });
                match part {
                    Some(part) => {
                        let inner = part.layout.unwrap_or(Layouts::OPAQUE);
                        part.offset + self.position(inner, place - part.offset)
                    }
                    None => place,
                }
            }
        }
    }
}
