//! What a function has last put into the unions that it names: who stores a pointer and reads a number looks into the pointer.
//!
//! In: the steps of one function, in the order of the text. Branches count as if all of them were passed: of `if` and `else` the
//! later one is the last.

use std::collections::BTreeMap;

use crate::dataflow::steps::{Base, Location, Projection, Step, StepKind, ValueId, VariableId};
use crate::program::{Program, RecordId, TypeKind};

/// A union of a variable, or of what a pointer in it points to: the members on the way, and the union.
type Place = (VariableId, Vec<(RecordId, usize)>, RecordId);

/// The unions of a function.
#[derive(Default)]
pub(super) struct Unions {
    read: BTreeMap<ValueId, VariableId>,
    hold_pointers: BTreeMap<Place, bool>,
}

impl Unions {
    /// Takes a step into account.
    pub fn note(&mut self, program: &Program, step: &Step) {
        let (place, is_pointer) = match &step.kind {
            StepKind::Read { place, into } => {
                if let (Base::Variable(variable), []) = (&place.base, place.path.as_slice()) {
                    self.read.insert(*into, *variable);
                } else if self.place(program, place).is_none() {
                    // Something beside the union, which may tell what it holds.
                    let variable = self.variable(place);
                    self.hold_pointers.retain(|one, _| Some(one.0) != variable);
                }
                return;
            }
            StepKind::Write { place, .. } => {
                let kind = program.units[place.ty.unit].kind(place.ty.id);
                (place, matches!(kind, TypeKind::Pointer(_)))
            }
            StepKind::Copy { to, .. } => (to, false),
            _ => return,
        };
        if let Some(place) = self.place(program, place) {
            self.hold_pointers.insert(place, is_pointer);
        }
    }

    /// Whether the function has put a pointer into the union, and nothing else since.
    pub fn holds_pointer(&self, program: &Program, place: &Location) -> bool {
        let place = self.place(program, place);
        place.is_some_and(|place| self.hold_pointers.get(&place) == Some(&true))
    }

    fn variable(&self, place: &Location) -> Option<VariableId> {
        match &place.base {
            Base::Variable(variable) => Some(*variable),
            Base::Pointer(value, _) => self.read.get(value).copied(),
            Base::Function(_) | Base::Text(_) => None,
        }
    }

    fn place(&self, program: &Program, place: &Location) -> Option<Place> {
        let variable = self.variable(place)?;
        let mut members = members(place);
        while let Some((record, _)) = members.pop() {
            if program.units[place.ty.unit].records[record.0].is_union {
                return Some((variable, members, record));
            }
        }
        None
    }
}

/// The members on the way to a place.
pub(super) fn members(place: &Location) -> Vec<(RecordId, usize)> {
    let steps = place.path.iter().filter_map(|one| match one {
        Projection::Member(record, number) => Some((*record, *number)),
        Projection::Element(_) => None,
    });
    steps.collect()
}
