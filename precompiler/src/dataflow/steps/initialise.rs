//! Initialisers in braces: which value goes where.
//!
//! The object is set as a whole first; after it come the values that could be pointers. Where a value goes follows C's
//! rules: in the order of the type, from a designation on, with braces left out around inner structs and arrays.
//!
//! ```text
//! struct { struct { int *a; int b[2]; } in; int *c; } x = { &i, 1, 2, &j, .in.a = &k };
//!
//! write x     write x.in.a = &i     write x.c = &j     write x.in.a = &k
//! ```

use super::lower::Lowerer;
use super::model::{Location, Projection};
use crate::program::{
    Designator, Expression, ExpressionKind, Extent, Initialiser, InitialiserList, TypeId, TypeKind,
};

/// A struct, union or array that is being filled, and what comes next in it.
#[derive(Clone)]
struct Open {
    place: Location,
    next: Next,
}

#[derive(Clone, Copy)]
enum Next {
    /// The member or element with this number.
    At(i128),
    /// Nobody knows which.
    Unknown,
    /// Nothing: a union takes one value.
    Nothing,
}

fn set(stack: &mut [Open], next: Next) {
    if let Some(open) = stack.last_mut() {
        open.next = next;
    }
}

impl<'a> Lowerer<'a, '_> {
    /// What braces store into a place. Calls in them come before all of it.
    pub fn list(&mut self, place: Location, list: &'a InitialiserList) {
        self.hoist(&list.expressions());
        self.store(place.clone(), None, list.span);
        self.fill(place, list);
    }

    fn fill(&mut self, place: Location, list: &'a InitialiserList) {
        for designator in &list.designators {
            self.note_effects(designator);
            self.effect(designator);
        }
        if !self.has_parts(place.ty.id) {
            // A scalar in braces, or a type that is not known.
            for item in &list.items {
                self.item(place.clone(), item);
            }
            return;
        }
        if let [Initialiser::Expression(value)] = &list.items[..]
            && matches!(self.kind(place.ty.id), TypeKind::Array { .. })
            && self.fits(place.ty.id, value)
        {
            // A string in braces.
            return;
        }
        let top = Open {
            place,
            next: Next::At(0),
        };
        let mut stack = vec![top.clone()];
        let none = Vec::new();
        for (number, item) in list.items.iter().enumerate() {
            let designation = list.designations.get(number).unwrap_or(&none);
            if !designation.is_empty() {
                stack = self.designated(&top, designation);
            }
            let Some(target) = self.next_part(&mut stack, item) else {
                continue;
            };
            self.item(target, item);
            self.advance(&mut stack);
        }
    }

    fn advance(&self, stack: &mut [Open]) {
        let Some(open) = stack.last_mut() else { return };
        let is_union = match *self.kind(open.place.ty.id) {
            TypeKind::Record(record) => self.unit.records[record.0].is_union,
            _ => false,
        };
        if let Next::At(number) = open.next {
            open.next = if is_union {
                Next::Nothing
            } else {
                Next::At(number + 1)
            };
        }
    }

    fn item(&mut self, place: Location, item: &'a Initialiser) {
        match item {
            Initialiser::List(list) => self.fill(place, list),
            Initialiser::Expression(value) if self.is_aggregate(value.ty) => {
                let from = self.aggregate(value);
                self.copy(from, place, value.span);
            }
            Initialiser::Expression(value) => {
                // What is no pointer has been set with the whole.
                if matches!(value.kind, ExpressionKind::Number(_)) {
                    return;
                }
                if matches!(value.kind, ExpressionKind::Text)
                    && matches!(self.kind(place.ty.id), TypeKind::Array { .. })
                {
                    return;
                }
                let stored = self.value(value);
                if self.constant_of(stored).is_none() {
                    self.store(place, Some(stored), value.span);
                }
            }
        }
    }

    fn has_parts(&self, ty: TypeId) -> bool {
        match self.kind(ty) {
            TypeKind::Array { .. } => true,
            TypeKind::Record(record) => self.unit.records[record.0].members.is_some(),
            _ => false,
        }
    }

    /// Opens what a designation names; its last part is the next one there.
    fn designated(&mut self, top: &Open, designation: &[Designator]) -> Vec<Open> {
        let mut stack = vec![top.clone()];
        for (depth, designator) in designation.iter().enumerate() {
            if depth > 0
                && let Some(part) = self.part(&mut stack)
            {
                stack.push(Open {
                    place: part,
                    next: Next::At(0),
                });
            }
            match designator {
                Designator::Element(Some(number)) => set(&mut stack, Next::At(*number)),
                Designator::Element(None) | Designator::Elements(..) => {
                    set(&mut stack, Next::Unknown);
                }
                Designator::Member(name) => self.open_member(&mut stack, name),
            }
        }
        stack
    }

    /// A member by name, perhaps within anonymous ones.
    fn open_member(&mut self, stack: &mut Vec<Open>, name: &str) {
        let Some(ty) = stack.last().map(|open| open.place.ty.id) else {
            return;
        };
        let mut path = Vec::new();
        if let TypeKind::Record(record) = *self.kind(ty) {
            self.find_member(record, name, &mut path);
        }
        if path.is_empty() {
            set(stack, Next::Unknown);
        }
        for (depth, projection) in path.iter().enumerate() {
            if depth > 0
                && let Some(part) = self.part(stack)
            {
                stack.push(Open {
                    place: part,
                    next: Next::At(0),
                });
            }
            if let Projection::Member(_, number) = projection {
                set(stack, Next::At(*number as i128));
            }
        }
    }

    /// Where the next value goes: closes what is full, opens what has no braces of its own.
    fn next_part(&mut self, stack: &mut Vec<Open>, item: &Initialiser) -> Option<Location> {
        let mut part = loop {
            match self.part(stack) {
                Some(part) => break part,
                None => {
                    stack.pop();
                    if stack.is_empty() {
                        return None;
                    }
                    self.advance(stack);
                }
            }
        };
        if let Initialiser::Expression(value) = item {
            while self.has_parts(part.ty.id) && !self.fits(part.ty.id, value) {
                stack.push(Open {
                    place: part.clone(),
                    next: Next::At(0),
                });
                match self.part(stack) {
                    Some(inner) => part = inner,
                    None => {
                        // Nothing in it: the value goes somewhere.
                        stack.pop();
                        break;
                    }
                }
            }
        }
        Some(part)
    }

    /// Whether a value initialises all of an aggregate.
    fn fits(&self, ty: TypeId, value: &Expression) -> bool {
        match self.kind(ty) {
            TypeKind::Record(_) => self.is_aggregate(value.ty) && self.unit.same_type(ty, value.ty),
            TypeKind::Array { element, .. } => {
                matches!(value.kind, ExpressionKind::Text)
                    && !matches!(
                        self.kind(*element),
                        TypeKind::Array { .. } | TypeKind::Pointer(_) | TypeKind::Record(_)
                    )
            }
            _ => true,
        }
    }

    /// The next part of the innermost open aggregate; none when it is full.
    fn part(&mut self, stack: &mut [Open]) -> Option<Location> {
        let open = stack.last_mut()?;
        let mut place = open.place.clone();
        match *self.unit.kind(place.ty.id) {
            TypeKind::Array { element, extent } => {
                let index = match (open.next, extent) {
                    (Next::At(number), Extent::Constant(count)) if number >= i128::from(count) => {
                        return None;
                    }
                    (Next::At(number), _) => self.constant(TypeId::UNKNOWN, Some(number)),
                    _ => self.nothing(TypeId::UNKNOWN, self.node),
                };
                Some(self.element(place, index, element))
            }
            TypeKind::Record(record) => {
                let number = match open.next {
                    Next::At(number) => usize::try_from(number).ok()?,
                    Next::Nothing => return None,
                    Next::Unknown => {
                        place.ty = self.ty(TypeId::UNKNOWN);
                        return Some(place);
                    }
                };
                let members = self.unit.records[record.0].members.as_ref()?;
                // Bit-fields without a name take no value.
                let skipped = members[number.min(members.len())..]
                    .iter()
                    .take_while(|member| member.name.is_none() && member.is_bit_field)
                    .count();
                let number = number + skipped;
                open.next = Next::At(number as i128);
                let member = members.get(number)?;
                place.path.push(Projection::Member(record, number));
                place.ty = self.ty(member.ty);
                Some(place)
            }
            _ => None,
        }
    }
}
