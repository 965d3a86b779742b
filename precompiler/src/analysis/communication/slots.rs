//! Which variables and elements of arrays a call is given by their addresses.

use super::evaluate::Scratch;
use super::messages::Slot;
use super::mpi::Site;
use super::run::Run;
use super::shared::Shared;
use super::state::{Key, State};
use super::value::{Shape, Sym, Value};
use crate::analysis::memory::{Object, ObjectKind};
use crate::dataflow::steps::{Base, Location, Projection, RoutineId, TypeRef, ValueId};
use crate::program::TypeKind;

impl<'a> Run<'a, '_> {
    /// The request that each rank means.
    pub(super) fn slots(
        &mut self,
        site: &Site<'_, 'a>,
        name: &str,
        state: &State,
        scratch: &Scratch<'a>,
    ) -> Option<Vec<Slot>> {
        let value = self.pointer(site, name)?;
        self.slots_of(site.id, value, state, scratch)
    }

    pub(super) fn slots_of(
        &mut self,
        id: RoutineId,
        value: ValueId,
        state: &State,
        scratch: &Scratch<'a>,
    ) -> Option<Vec<Slot>> {
        if let Some(place) = scratch.places.get(&value) {
            return self.slots_at(id, place, state, scratch);
        }
        // A pointer that points to one variable.
        let touched = self.known.points_to.behind(id, value, None);
        let [cell] = &touched.cells[..] else {
            return None;
        };
        let one = &self.known.points_to.memory.cells[cell.0 as usize];
        let object = &self.known.points_to.memory.objects[one.object.0 as usize];
        if touched.unknown || !object.is_single || object.collapsed.is_some() {
            return None;
        }
        let base = match one.is_many {
            true => self.value(id, value, state, scratch),
            false => Value::same(self.ranks, Sym::Int(0)),
        };
        let slots = base.parts.iter().map(|base| (u64::from(cell.0), *base, 0));
        (!base.is_varying(&state.mask)).then(|| slots.collect())
    }

    pub(super) fn slots_at(
        &mut self,
        id: RoutineId,
        place: &Location,
        state: &State,
        scratch: &Scratch<'a>,
    ) -> Option<Vec<Slot>> {
        let touched = self.known.points_to.touched(id, place);
        let [cell] = &touched.cells[..] else {
            return None;
        };
        let one = &self.known.points_to.memory.cells[cell.0 as usize];
        let object = &self.known.points_to.memory.objects[one.object.0 as usize];
        if touched.unknown || !object.is_single || object.collapsed.is_some() {
            return None;
        }
        let elements: Vec<ValueId> = (place.path.iter())
            .filter_map(|step| match step {
                Projection::Element(value) => Some(*value),
                Projection::Member(..) => None,
            })
            .collect();
        let index = match elements.as_slice() {
            [] => vec![0; self.ranks],
            [element] => self
                .value(id, *element, state, scratch)
                .numbers(&state.mask)?,
            _ => return None,
        };
        // Elements behind a pointer are counted from where it points: the pointer itself is part of the name.
        let base = match &place.base {
            Base::Variable(_) => Value::same(self.ranks, Sym::Int(0)),
            Base::Pointer(pointer, ty) if one.is_many && !self.is_whole(id, object, *ty) => {
                self.value(id, *pointer, state, scratch)
            }
            Base::Pointer(..) => Value::same(self.ranks, Sym::Int(0)),
            _ => return None,
        };
        if base.is_varying(&state.mask) {
            return None;
        }
        let slots = (0..self.ranks).map(|rank| (u64::from(cell.0), base.parts[rank], index[rank]));
        Some(slots.collect())
    }

    /// Whether a pointer to a type can only lead to the beginning of a variable: it is a struct of this type.
    fn is_whole(&self, id: RoutineId, object: &Object, ty: TypeRef) -> bool {
        let view = &self.known.traffic.views[id.0 as usize];
        let record = |ty: TypeRef| match view.unit.kind(ty.id) {
            TypeKind::Record(record) if ty.unit == view.routine.function.unit => Some(record.0),
            _ => None,
        };
        let is_variable = matches!(object.kind, ObjectKind::Variable(_));
        is_variable
            && object
                .ty
                .and_then(record)
                .is_some_and(|own| record(ty) == Some(own))
    }

    /// The keys of elements of an array that a call is given.
    pub(super) fn elements(
        &mut self,
        site: &Site<'_, 'a>,
        name: &str,
        count: i64,
        state: &State,
        scratch: &Scratch<'a>,
    ) -> Option<Vec<Vec<Key>>> {
        let value = self.pointer(site, name)?;
        let slots = self.slots_of(site.id, value, state, scratch)?;
        let cell = &self.known.points_to.memory.cells[slots.first()?.0 as usize];
        let is_many = cell.is_many;
        if !is_many && count > 1 || slots.iter().any(|slot| slot.1 != Sym::Int(0)) {
            return None;
        }
        let keys = (0..count).map(|at| {
            let keys = slots
                .iter()
                .map(|slot| (slot.0 as u32, is_many.then_some(slot.2 + at)));
            keys.collect()
        });
        Some(keys.collect())
    }

    /// Reads elements of an array that is the same on all ranks.
    pub(super) fn numbers(
        &mut self,
        site: &Site<'_, 'a>,
        name: &str,
        count: i64,
        state: &mut State,
        scratch: &Scratch<'a>,
    ) -> Option<Vec<i64>> {
        let keys = self.elements(site, name, count, state, scratch)?;
        let mut all = Vec::new();
        for keys in keys {
            match self.load_each(state, &keys).uniform(&state.mask)? {
                Sym::Int(number) => all.push(number),
                _ => return None,
            }
        }
        Some(all)
    }

    /// Stores one value per rank in what a parameter points to, from its element `at` on.
    pub(super) fn give(
        &mut self,
        site: &Site<'_, 'a>,
        name: &str,
        at: i64,
        value: &Value,
        state: &mut State,
        scratch: &Scratch<'a>,
    ) {
        if let Some(keys) = self.elements(site, name, at + 1, state, scratch)
            && let Some(keys) = keys.last()
        {
            self.store_each(state, keys, value);
        }
    }

    pub(super) fn per_rank(&self, numbers: &[i64], shape: Shape) -> Value {
        Value {
            parts: Shared::new(numbers.iter().map(|number| Sym::Int(*number)).collect()),
            shape,
        }
    }
}
