//! Numbers that depend on addresses: where an address becomes a number, and what becomes of it.

use super::model::Origin;
use super::search::{Search, Sought};
use super::unions::members;
use super::wholes::Wholes;
use crate::analysis::leads::element;
use crate::analysis::memory::{CellId, Object, ObjectKind};
use crate::analysis::points_to::Scope;
use crate::dataflow::steps::{
    Base, Call, Combination, Location, Projection, Routine, TextPlace, TypeRef, ValueId,
};
use crate::program::{Layout, Record, TypeKind};

impl Search<'_> {
    pub(super) fn seeks_addresses(&self) -> bool {
        matches!(self.sought, Sought::Addresses { .. })
    }

    /// The root of the number that depends on addresses and has chosen a place.
    pub(super) fn chosen(&self, scope: Scope, place: &Location) -> Option<TextPlace> {
        if !self.seeks_addresses() {
            return None;
        }
        let known = |value: &ValueId| self.values.get(&(scope, *value));
        let by_pointer = match &place.base {
            Base::Pointer(value, _) => known(value).and_then(arranged),
            _ => None,
        };
        let mut by_number = place.path.iter().filter_map(|one| match one {
            Projection::Element(value) => known(value).and_then(computed),
            Projection::Member(..) => None,
        });
        by_pointer.or_else(|| by_number.next())
    }

    /// Whether a number is read where a pointer is stored.
    pub(super) fn piece(&mut self, scope: Scope, place: &Location, ty: TypeRef) -> Option<Origin> {
        if !self.seeks_addresses() || !self.is_first || self.is_pointer(ty) {
            return None;
        }
        let here = self.here?;
        if self.is_byte(place).is_some() && self.texts.has(place, here.span) {
            return None;
        }
        let memory = &self.points_to.memory;
        let touched = self.points_to.touched(scope, place).cells;
        // A member of a struct, read through a pointer that may point to such structs and to others: where those are of another type,
        // the pointer probably does not lead there.
        let is_number = |cell: &CellId| {
            let there = memory.cells[cell.0 as usize].ty;
            there.is_some_and(|there| !self.is_pointer(there) && self.may_hold(there))
        };
        let is_elsewhere = if self.is_byte_of_number(scope, place) {
            touched.iter().any(is_number)
        } else if self.is_behind_numbers(place) {
            // So do numbers through a pointer to numbers: C lets only characters look into what has another type (C11 6.5p7).
            touched.iter().any(|cell| {
                let there = memory.cells[cell.0 as usize].ty;
                there.is_some_and(|there| {
                    self.is_integer(there) && self.width(there) == self.width(ty)
                })
            })
        } else {
            // Of a union in a struct all is one cell.
            match self.is_of_struct(place) {
                Some((_, false)) => touched.iter().any(is_number),
                Some((whole, true)) => {
                    let is_own =
                        |cell: &CellId| self.is_union_cell(*cell) && self.is_in(*cell, &whole);
                    touched.iter().any(|cell| is_number(cell) || is_own(cell))
                }
                // Nor is all of what a union stands for that is a way to look at memory of another type.
                None => !members(place).is_empty() && touched.iter().any(is_number),
            }
        };
        let mut perhaps = None;
        for &cell in &*touched {
            let one = &memory.cells[cell.0 as usize];
            let object = &memory.objects[one.object.0 as usize];
            let is_union = self.is_union_cell(cell);
            let holds_pointers = is_union || one.ty.is_some_and(|there| self.is_pointer(there));
            if !holds_pointers || !self.leads_to_memory(cell) {
                continue;
            }
            // In a struct something else tells what a union holds; one that stands alone is there to look into pointers.
            let is_sure = match is_union {
                true => {
                    let looks_into = || self.unions.holds_pointer(self.program, place);
                    self.stands_alone(object) || self.is_integer(ty) && looks_into()
                }
                false => !is_elsewhere,
            };
            if is_sure {
                self.known.reads_bytes |= self.is_byte(place).is_some();
                return Some(Origin::Address(here));
            }
            perhaps = perhaps.or(object.ty);
        }
        let whole = perhaps.filter(|_| self.is_integer(ty))?;
        let name = match self.name_of(place, whole) {
            Some(name) => format!("`{name}`"),
            None if is_elsewhere => "memory in which pointers may lie, too".to_string(),
            None => return None,
        };
        self.known.read_from.insert(here, name);
        let is_sought = matches!(self.sought, Sought::Addresses { perhaps: true, .. });
        is_sought.then_some(Origin::Address(here))
    }

    /// Whether as many bytes as a pointer has are copied from a pointer to where numbers are and nothing else. Where the memory was not
    /// that of pointers for sure, that is only sought with what else may be.
    pub(super) fn is_address_copied(
        &mut self,
        scope: Scope,
        routine: &Routine,
        call: &Call,
        (from, to): (ValueId, &[CellId]),
    ) -> bool {
        let Sought::Addresses { perhaps, wholes } = self.sought else {
            return false;
        };
        let ty = |cell: CellId| self.points_to.memory.cells[cell.0 as usize].ty;
        let is_pointer = |cell: CellId| {
            ty(cell).is_some_and(|ty| self.is_pointer(ty)) && self.leads_to_memory(cell)
        };
        let unit = &self.program.units[routine.function.unit];
        let width = i128::from(Layout::of(unit).machine.pointer);
        let mut arguments = call.arguments.iter().map(|one| one.value);
        let is_copied = !to.is_empty()
            && arguments.any(|one| routine.values[one.0 as usize].constant == Some(width))
            && { to.iter() }.all(|&cell| ty(cell).is_some_and(|ty| self.is_integer(ty)))
            && self.points_to.targets(scope, from).any(is_pointer);
        if !is_copied {
            return false;
        }
        let is_whole = |wholes: &Wholes| {
            wholes.contains(&(scope, from))
                || self.leads_to_pointers(routine.values[from.0 as usize].ty)
        };
        if wholes.is_none_or(is_whole) {
            self.known.reads_bytes = true;
            return true;
        }
        if let Some(here) = self.here {
            let name = "memory in which pointers may lie, too".to_string();
            self.known.read_from.insert(here, name);
        }
        perhaps
    }

    /// Whether an object is a variable, and a union.
    fn stands_alone(&self, object: &Object) -> bool {
        matches!(object.kind, ObjectKind::Variable(_))
            && object.ty.is_some_and(|ty| {
                let unit = &self.program.units[ty.unit];
                matches!(unit.kind(ty.id), TypeKind::Record(id) if unit.records[id.0].is_union)
            })
    }

    /// The struct or union of which a place is a member, or else of which the whole there consists.
    fn name_of(&self, place: &Location, whole: TypeRef) -> Option<String> {
        let records = &self.program.units[place.ty.unit].records;
        let members = members(place).into_iter().rev();
        let mut all = members.map(|(record, _)| &records[record.0]);
        // One without a tag is called like the one around it.
        let last = { all.clone() }.find(|one| one.tag.is_some()).or(all.next());
        let named = last.map(Record::name);
        named.or_else(|| {
            let unit = &self.program.units[whole.unit];
            match unit.kind(element(unit, whole.id)) {
                TypeKind::Record(id) => Some(unit.records[id.0].name()),
                _ => None,
            }
        })
    }

    /// The struct of which a place is a member, as seen from outside, and whether a union in it is around the place.
    fn is_of_struct(&self, place: &Location) -> Option<(String, bool)> {
        let records = &self.program.units[place.ty.unit].records;
        let members = members(place);
        let mut members = members.iter().map(|(record, _)| &records[record.0]);
        let whole = members.next().filter(|record| !record.is_union)?;
        Some((whole.name(), members.any(|record| record.is_union)))
    }

    /// Whether the object of a cell consists of such structs.
    fn is_in(&self, cell: CellId, name: &str) -> bool {
        let memory = &self.points_to.memory;
        let object = &memory.objects[memory.cells[cell.0 as usize].object.0 as usize];
        object.ty.is_some_and(|ty| {
            let unit = &self.program.units[ty.unit];
            match unit.kind(element(unit, ty.id)) {
                TypeKind::Record(id) => unit.records[id.0].name() == name,
                _ => false,
            }
        })
    }

    /// Whether a cell is a union.
    fn is_union_cell(&self, cell: CellId) -> bool {
        let memory = &self.points_to.memory;
        let one = &memory.cells[cell.0 as usize];
        let object = &memory.objects[one.object.0 as usize];
        one.ty.is_none() && object.collapsed.is_none() && object.ty.is_some()
    }

    /// Whether a place is reached through a pointer to numbers that are no characters.
    fn is_behind_numbers(&self, place: &Location) -> bool {
        matches!(place.base, Base::Pointer(..))
            && members(place).is_empty()
            && self.is_integer(place.ty)
            && self.width(place.ty) > Some(1)
    }

    /// Whether a place is a byte, reached through a pointer that has never been one to what holds pointers.
    fn is_byte_of_number(&self, scope: Scope, place: &Location) -> bool {
        let Sought::Addresses { wholes, .. } = self.sought else {
            return false;
        };
        let pointer = self.is_byte(place).map(|pointer| (scope, pointer));
        wholes
            .zip(pointer)
            .is_some_and(|(wholes, pointer)| !wholes.contains(&pointer))
    }

    /// The pointer through which a byte is read.
    fn is_byte(&self, place: &Location) -> Option<ValueId> {
        let is_byte = self.is_integer(place.ty) && self.width(place.ty) == Some(1);
        match place.base {
            Base::Pointer(value, _) if is_byte && members(place).is_empty() => Some(value),
            _ => None,
        }
    }

    /// The bytes of a type.
    pub(super) fn width(&self, ty: TypeRef) -> Option<u64> {
        Layout::of(&self.program.units[ty.unit]).bytes(ty.id)
    }

    fn is_integer(&self, ty: TypeRef) -> bool {
        let kind = self.program.units[ty.unit].kind(ty.id);
        matches!(kind, TypeKind::Integer(_) | TypeKind::Enum(_))
    }

    /// Whether a pointer is made of what is no address, here or where this value comes from.
    pub(super) fn made(
        &self,
        scope: Scope,
        routine: &Routine,
        from: &[ValueId],
        into: ValueId,
        how: Combination,
    ) -> Option<Origin> {
        let value = |id: ValueId| &routine.values[id.0 as usize];
        let is_pointer = |id: ValueId| self.is_pointer(value(id).ty);
        if !is_pointer(into) {
            return None;
        }
        let known = copied(from, how)
            .iter()
            .any(|one| self.values.contains_key(&(scope, *one)));
        let leads_nowhere = |id: ValueId| self.points_to.targets(scope, id).next().is_none();
        let is_new = match (how, from) {
            // Small numbers are saved as such.
            (Combination::Cast, [one]) if !is_pointer(*one) => {
                let small = |number: i128| number.unsigned_abs() < u128::from(u16::MAX);
                !value(*one).constant.is_some_and(small) && leads_nowhere(*one)
            }
            // A number that is added to NULL.
            (Combination::PointerStep, [one, amount]) => {
                value(*one).constant.is_some()
                    && value(*amount).constant.is_none()
                    && leads_nowhere(*one)
            }
            _ => false,
        };
        (known || is_new).then_some(Origin::Made)
    }

    /// Whether what is stored in a cell may point there.
    fn leads_to_memory(&self, cell: CellId) -> bool {
        let number = self.points_to.pointees_number(cell);
        if let Some(known) = self.to_memory.borrow().get(&number) {
            return *known;
        }
        let leads = self.points_to.pointees(cell).any(|one| self.is_memory(one));
        self.to_memory.borrow_mut().insert(number, leads);
        leads
    }

    /// Whether a target is somewhere in memory that lies elsewhere in another process. With a fixed heap that is what
    /// belongs to other threads that are there at a checkpoint, and blocks of libraries.
    fn is_memory(&self, target: CellId) -> bool {
        let memory = &self.points_to.memory;
        let object = memory.cells[target.0 as usize].object;
        match &memory.objects[object.0 as usize].kind {
            ObjectKind::Heap { call, .. } => !self.fixed_heap.holds(call),
            ObjectKind::Variable(id) => !self.fixed_heap.has_place(*id),
            // With a fixed heap programs are linked to a fixed place.
            ObjectKind::Text(_) | ObjectKind::Function(_) => !self.fixed_heap.is_there(),
            // Nearly every pointer to text may lead to what another library keeps: a word of the command line, say.
            ObjectKind::Library(name) => name == "@streams",
            ObjectKind::Unknown => false,
        }
    }

    pub(super) fn is_pointer(&self, ty: TypeRef) -> bool {
        let kind = self.program.units[ty.unit].kind(ty.id);
        matches!(kind, TypeKind::Pointer(_))
    }

    /// Whether a number has room for an address.
    fn is_wide(&self, ty: TypeRef) -> bool {
        let layout = Layout::of(&self.program.units[ty.unit]);
        layout.bytes(ty.id) >= Some(layout.machine.pointer)
    }

    /// What of addresses is in what was computed.
    pub(super) fn computed(
        &self,
        scope: Scope,
        routine: &Routine,
        from: &[ValueId],
        into: ValueId,
        how: Combination,
    ) -> Option<Origin> {
        let ty = |value: ValueId| routine.values[value.0 as usize].ty;
        let known = |value: ValueId| self.values.get(&(scope, value)).cloned();
        if matches!(how, Combination::PointerStep | Combination::PointerBack) {
            let [pointer, amount] = from else { return None };
            let by_number = known(*amount).as_ref().and_then(computed);
            let chosen = by_number.or_else(|| known(*pointer).as_ref().and_then(arranged));
            return chosen.map(Origin::Arranged);
        }
        let is_copied = matches!(how, Combination::Cast | Combination::Choice);
        let all = from.iter().filter_map(|&value| {
            let origin = match known(value) {
                Some(origin) => origin,
                // Where a pointer holds a number there is no address.
                None if self.is_pointer(ty(value)) && !self.is_pointer(ty(into)) => {
                    let mut targets = self.points_to.targets(scope, value);
                    let is_address = targets.any(|one| self.is_memory(one));
                    Origin::Address(self.here.filter(|_| is_address)?)
                }
                None => return None,
            };
            match (origin, self.is_pointer(ty(into))) {
                (Origin::Arranged(root), true) => Some(Origin::Arranged(root)),
                (_, true) | (Origin::Arranged(_), false) => None,
                (Origin::Address(root), false) => {
                    let is_cut = self.is_wide(ty(value)) && !self.is_wide(ty(into));
                    let is_piece = !self.is_wide(ty(into)) && !is_copied;
                    Some(match is_cut || is_piece || how == Combination::Scramble {
                        true => Origin::Computed(root),
                        false => Origin::Address(root),
                    })
                }
                (origin, false) => Some(origin),
            }
        });
        all.max()
    }
}

/// The values of which what is computed may be one: of a step it is the pointer.
pub(super) fn copied(from: &[ValueId], how: Combination) -> &[ValueId] {
    match how {
        Combination::PointerStep | Combination::PointerBack => &from[..1.min(from.len())],
        _ => from,
    }
}

/// The root of what has been arranged.
fn arranged(origin: &Origin) -> Option<TextPlace> {
    origin
        .root()
        .filter(|_| matches!(origin, Origin::Arranged(_)))
}

/// The root of a number that depends on addresses.
fn computed(origin: &Origin) -> Option<TextPlace> {
    origin
        .root()
        .filter(|_| matches!(origin, Origin::Computed(_)))
}
