//! How many elements a block of memory has when it is allocated, through however many functions.
//!
//! In: the call that allocates it, and the calls of the program's own functions that lead there. Out: a polynomial of
//! cells, and the node of the function after which it holds.
//!
//! ```text
//! double *rod(long n) { return calloc(n, sizeof(double)); }      u = rod(2 * cells);     in main: 2 * cells
//! ```
//!
//! Errors fall on the side of *not known*: a parameter that the function itself changes, a number that may change
//! between the call and the moment of the allocation.

use std::collections::BTreeSet;

use super::extents::Amount;
use super::facts::{Facts, Run, Writer, elements};
use super::term::{converted, term};
use super::view::Look;
use crate::analysis::memory::{CellId, ObjectId, ObjectKind};
use crate::analysis::polynomial::{Atom, Polynomial};
use crate::catalog::{Alternative, EffectKind};
use crate::dataflow::Flow;
use crate::dataflow::steps::{
    Call, Combination, RoutineId, StepKind, TextPlace, TypeRef, ValueId, VariableKind,
};
use crate::program::Expression;
use crate::program::Width;
use crate::source::Span;

/// Pointers and values that are looked at: what leads back to them adds nothing.
#[derive(Default)]
pub struct Asked {
    cells: BTreeSet<CellId>,
    values: BTreeSet<(RoutineId, ValueId)>,
    /// What lies before a beginning counts as well: an integer was taken away from a pointer that points to one.
    or_before: bool,
}

impl Asked {
    /// Beginnings, and what lies before one.
    pub fn or_before() -> Asked {
        Asked {
            or_before: true,
            ..Asked::default()
        }
    }
}

impl<'a> Facts<'a> {
    /// How many elements of a type a block of the heap has, as `routine` sees it, or else as far out as it is known.
    pub fn block(&self, object: ObjectId, element: TypeRef, routine: RoutineId) -> Option<Amount> {
        let memory = &self.known.points_to.memory;
        let ObjectKind::Heap {
            routine: allocator,
            call,
            through,
        } = &memory.objects[object.0 as usize].kind
        else {
            return None;
        };
        let (mut at, node, bytes) = self.allocated_bytes(*allocator, *call)?;
        let mut amount = Amount {
            polynomial: bytes,
            routine: at,
            node,
        };
        for place in through.iter().rev() {
            if at == routine {
                break;
            }
            let (caller, node) = self.caller(at, *place)?;
            amount.polynomial = self.handed(&amount.polynomial, at, caller, node, *place)?;
            (amount.routine, amount.node) = (caller, node);
            at = caller;
        }
        amount.polynomial = elements(self.known.program, &amount.polynomial, element)?;
        Some(amount)
    }

    /// Memory that a call of one of the program's functions has just allocated.
    pub(super) fn handed_out(
        &self,
        look: Look<'_, 'a>,
        call: &Call,
        span: Span,
        element: TypeRef,
    ) -> Option<Run> {
        let callees = self.known.points_to.callees(look.id, call);
        let routine = callees.only_routine()?;
        let [(node, _)] = look.calls(span) else {
            return None;
        };
        if !self.known.effects.hands_out(routine)
            || !self.value_begins(look, call.result, &mut Asked::default())
        {
            return None;
        }
        let cells = &self.known.points_to.memory.cells;
        let targets = self.known.points_to.targets(look.id, call.result);
        let objects: BTreeSet<ObjectId> =
            targets.map(|cell| cells[cell.0 as usize].object).collect();
        let object = objects.first().copied().filter(|_| objects.len() == 1)?;
        let amount = self.block(object, element, look.id)?;
        if (amount.routine, amount.node) != (look.id, *node) {
            return None;
        }
        Some(Run {
            object,
            elements: self.normal(&amount.polynomial)?,
            site: Some((look.id, *node)),
        })
    }

    /// Whether a pointer points to the beginning of a block whenever it leads to one of the heap.
    pub fn begins(&self, pointer: CellId, seen: &mut Asked) -> bool {
        if !seen.cells.insert(pointer) {
            return true;
        }
        let known = self.known;
        if known.effects.is_unsteady(pointer) {
            return false;
        }
        let mut writers = self.writers(pointer);
        writers.all(|writer| {
            let look = self.look(writer.routine);
            let stores = look.stores(writer.span);
            if stores.is_empty() {
                return self.parameter_begins(pointer, writer, seen)
                    || stores_new_blocks(look, writer.span);
            }
            stores.iter().all(|(_, step)| match &step.kind {
                StepKind::Write { place, value, .. } => {
                    let here = look.touched(place).cells.contains(&pointer);
                    !here || value.is_none_or(|value| self.value_begins(look, value, seen))
                }
                // Of another struct: its pointers are looked at when they are stored to there.
                _ => false,
            })
        })
    }

    /// What all callers hand over.
    fn parameter_begins(&self, pointer: CellId, writer: Writer, seen: &mut Asked) -> bool {
        let Some((id, variable)) = self.scalar(pointer) else {
            return false;
        };
        let (VariableKind::Parameter(number), Some(owner)) = (variable.kind, variable.owner) else {
            return false;
        };
        let is_entry = owner == writer.routine && writer.span == variable.declared.span;
        let arguments = self.arguments(owner, id, number);
        is_entry
            && arguments.is_some_and(|all| {
                all.iter().all(|(caller, _, argument)| {
                    self.value_begins(self.look(*caller), argument.value, seen)
                })
            })
    }

    /// The same of a value.
    pub fn value_begins(&self, look: Look<'_, 'a>, value: ValueId, seen: &mut Asked) -> bool {
        if look.routine.value(value).constant.is_some() || !seen.values.insert((look.id, value)) {
            return true;
        }
        let Some(step) = look.setter(value) else {
            return false;
        };
        match &step.kind {
            StepKind::Combine {
                from,
                how: Combination::Cast | Combination::Choice,
                ..
            } => !from.is_empty() && from.iter().all(|one| self.value_begins(look, *one, seen)),
            StepKind::Combine {
                from,
                how: Combination::PointerBack,
                ..
            } if seen.or_before => from
                .first()
                .is_some_and(|pointer| self.value_begins(look, *pointer, seen)),
            StepKind::Read { place, .. } => look
                .exact(place)
                .is_some_and(|cell| self.begins(cell, seen)),
            StepKind::Call(call) => {
                let callees = look.known.points_to.callees(look.id, call);
                let allocates = |name: &String| {
                    let function = look.known.catalogue.find(name);
                    function.is_some_and(|function| {
                        let mut all = function.returns.iter();
                        all.all(|one| matches!(one, Alternative::New(_) | Alternative::Null))
                            && !function.returns.is_empty()
                    })
                };
                !callees.unknown
                    && callees.named.iter().all(allocates)
                    && callees.routines.iter().all(|routine| {
                        let inner = self.look(*routine);
                        let mut returned = inner.returned.iter();
                        returned.all(|one| self.value_begins(inner, *one, seen))
                    })
            }
            _ => false,
        }
    }

    /// Bytes that a call of the library allocates, in the cells of its function.
    fn allocated_bytes(
        &self,
        routine: RoutineId,
        place: TextPlace,
    ) -> Option<(RoutineId, usize, Polynomial)> {
        let look = self.look(routine);
        let [(node, call)] = look.calls(place.span) else {
            return None;
        };
        let callees = look.known.points_to.callees(routine, call);
        let name = callees.only_named()?;
        let function = look.known.catalogue.find(name)?;
        let raw = &|expression: &Expression| own_term(look, expression);
        let bytes = self.amount_of(look, call, &function, function.allocates()?, raw)?;
        Some((routine, *node, bytes))
    }

    fn is_local(&self, cell: CellId, routine: RoutineId) -> bool {
        let memory = &self.known.points_to.memory;
        let object = memory.cells[cell.0 as usize].object;
        match memory.objects[object.0 as usize].kind {
            ObjectKind::Variable(id) => {
                crate::analysis::effects::owner_of_local(self.known.steps, id) == Some(routine)
            }
            _ => false,
        }
    }

    /// The function and the node in which a call of a function stands.
    fn caller(&self, callee: RoutineId, place: TextPlace) -> Option<(RoutineId, usize)> {
        let mut all = self.callers[callee.0 as usize].iter();
        let found = all.find(|one| {
            let unit = self.known.steps.routine(one.routine).function.unit;
            unit == place.unit && one.span == place.span
        })?;
        Some((found.routine, found.node))
    }

    /// What a polynomial of a function's parameters is at a call of it.
    fn handed(
        &self,
        amount: &Polynomial,
        callee: RoutineId,
        caller: RoutineId,
        node: usize,
        place: TextPlace,
    ) -> Option<Polynomial> {
        let look = self.look(caller);
        let [(_, call)] = look.calls(place.span) else {
            return None;
        };
        let written = &self.known.effects.summary(callee).writes;
        let steady = |cell: CellId| {
            !written.contains(cell.0 as usize)
                && !look.any_changes(&[node], cell)
                && !self.known.effects.is_unsteady(cell)
        };
        amount.mapped(&mut |atom| {
            let Atom::Cell(cell) = atom else {
                return Some(Polynomial::atom(atom.clone()));
            };
            let parameter = self.scalar(*cell).filter(|(_, one)| {
                matches!(one.kind, VariableKind::Parameter(_)) && one.owner == Some(callee)
            });
            let found = match parameter.map(|(_, one)| (one, one.kind)) {
                Some((variable, VariableKind::Parameter(number))) => {
                    let entry = |one: Writer| one.routine == callee && one.node == Flow::ENTRY.0;
                    if !self.writers(*cell).all(entry) {
                        return None;
                    }
                    let argument = look.expression(call.arguments.get(number)?.span)?;
                    let unit = &self.known.program.units[variable.ty.unit];
                    let width = Width::of(unit, variable.ty.id)?;
                    let from = Width::of(look.unit, argument.ty)?;
                    converted(own_term(look, argument)?, from, width)?
                }
                _ if self.is_local(*cell, callee) => return None,
                _ => Polynomial::atom(atom.clone()),
            };
            let is_steady = found.cells().all(steady);
            is_steady.then_some(found)
        })
    }
}

/// Whether a call is one of library functions that store no other pointers than to new blocks: nothing is read that they could
/// copy.
fn stores_new_blocks(look: Look<'_, '_>, span: Span) -> bool {
    let calls = look.calls(span);
    let is_new = |one: &Alternative| matches!(one, Alternative::New(_) | Alternative::Null);
    !calls.is_empty()
        && calls.iter().all(|(_, call)| {
            let callees = look.known.points_to.callees(look.id, call);
            !callees.unknown
                && callees.routines.is_empty()
                && callees.named.iter().all(|name| {
                    let function = look.known.catalogue.find(name);
                    function.is_some_and(|function| {
                        let mut effects = function.effects.iter();
                        let mut stores = function.stores.iter();
                        effects.all(|one| one.kind != EffectKind::Reads)
                            && stores.all(|(_, stored)| stored.iter().all(is_new))
                    })
                })
        })
}

/// What an integer expression is made of, in the cells that it names itself.
fn own_term(look: Look<'_, '_>, expression: &Expression) -> Option<Polynomial> {
    let held = |one: &Expression| Some(Polynomial::atom(Atom::Cell(look.cell_read(one)?)));
    term(look.unit, expression, &held)
}
