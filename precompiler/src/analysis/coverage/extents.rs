//! How many elements a block of memory has, in terms of what a function can name.
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

use super::facts::{Facts, elements};
use super::polynomial::{Atom, Polynomial};
use super::term::{Width, converted, term};
use super::view::{Known, Look};
use crate::analysis::effects::Effects;
use crate::analysis::memory::{CellId, ObjectId, ObjectKind};
use crate::analysis::points_to::PointsTo;
use crate::catalog::{Alternative, Catalogue, Extent};
use crate::dataflow::Flow;
use crate::dataflow::steps::{
    Combination, RoutineId, StepKind, Steps, TextPlace, TypeRef, ValueId, VariableKind,
};
use crate::program::{Expression, Program};

/// Answers for one program.
pub struct Extents<'a> {
    facts: Facts<'a>,
}

/// Pointers and values that are looked at: what leads back to them adds nothing.
#[derive(Default)]
struct Asked {
    cells: BTreeSet<CellId>,
    values: BTreeSet<(RoutineId, ValueId)>,
}

/// A number of elements as C has it: what is added up, each a factor and what it is multiplied with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Amount {
    polynomial: Polynomial,
    /// The number holds right after this node.
    pub routine: RoutineId,
    /// The node.
    pub node: usize,
}

impl<'a> Extents<'a> {
    /// Gets ready; what is asked for is found then.
    pub fn of(
        program: &'a Program,
        steps: &'a Steps,
        points_to: &'a PointsTo,
        catalogue: &'a Catalogue,
        effects: &'a Effects,
    ) -> Extents<'a> {
        let facts = Facts::of(Known {
            program,
            steps,
            points_to,
            catalogue,
            effects,
        });
        Extents { facts }
    }

    /// How many elements of a type a block of the heap has, as `routine` sees it, or else as far out as it is known.
    pub fn amount(&self, object: ObjectId, element: TypeRef, routine: RoutineId) -> Option<Amount> {
        let memory = &self.facts.known.points_to.memory;
        let ObjectKind::Heap {
            routine: allocator,
            call,
            through,
        } = &memory.objects[object.0 as usize].kind
        else {
            return None;
        };
        let (mut at, node, bytes) = self.allocated(*allocator, *call)?;
        let mut amount = Amount {
            polynomial: elements(self.facts.known.program, &bytes, element)?,
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
        Some(amount)
    }

    /// The same polynomial with constants for what is always the same.
    pub fn normal(&self, amount: &Amount) -> Option<Amount> {
        Some(Amount {
            polynomial: self.facts.normal(&amount.polynomial)?,
            ..amount.clone()
        })
    }

    /// Whether the number is still the same when control comes to a node of a function.
    pub fn holds(&self, amount: &Amount, routine: RoutineId, node: usize) -> bool {
        let look = self.facts.look(routine);
        let site = (amount.routine, amount.node);
        amount
            .polynomial
            .cells()
            .all(|cell| self.facts.is_same(site, cell, look, &[node]))
    }

    /// Whether the number is still the same at the end of the node of its call.
    pub fn is_kept_by_its_node(&self, amount: &Amount) -> bool {
        let look = self.facts.look(amount.routine);
        let mut cells = amount.polynomial.cells();
        cells.all(|cell| {
            !self.facts.known.effects.is_unsteady(cell) && !look.any_changes(&[amount.node], cell)
        })
    }

    /// As C text; `name`: what a cell is called. None when something has no name.
    pub fn text(
        &self,
        amount: &Amount,
        name: &mut dyn FnMut(CellId) -> Option<String>,
    ) -> Option<String> {
        let mut text = String::new();
        // Sums begin with what varies.
        for (atoms, factor) in amount.polynomial.terms().rev() {
            let mut factors = Vec::new();
            if factor.abs() != 1 || atoms.is_empty() {
                factors.push(factor.abs().to_string());
            }
            let cells = atoms.iter().filter_map(|atom| match atom {
                Atom::Cell(cell) => Some(*cell),
                Atom::Size(_) => None,
            });
            // The product may have been computed as a wider type.
            let cells: Vec<CellId> = cells.collect();
            let mut cast = match cells.len() > 1 && cells.iter().all(|cell| self.is_narrow(*cell)) {
                true => "(unsigned long)",
                false => "",
            };
            for atom in atoms {
                factors.push(match atom {
                    Atom::Cell(cell) => format!("{}{}", std::mem::take(&mut cast), name(*cell)?),
                    Atom::Size(spelt) => format!("sizeof({spelt})"),
                });
            }
            let sign = match (factor < 0, text.is_empty()) {
                (true, true) => "-",
                (true, false) => " - ",
                (false, true) => "",
                (false, false) => " + ",
            };
            text.push_str(sign);
            text.push_str(&factors.join(" * "));
        }
        (!text.is_empty() && !text.starts_with('-')).then_some(text)
    }

    fn is_local(&self, cell: CellId, routine: RoutineId) -> bool {
        let memory = &self.facts.known.points_to.memory;
        let object = memory.cells[cell.0 as usize].object;
        match memory.objects[object.0 as usize].kind {
            ObjectKind::Variable(id) => {
                crate::analysis::effects::owner_of_local(self.facts.known.steps, id)
                    == Some(routine)
            }
            _ => false,
        }
    }

    fn is_narrow(&self, cell: CellId) -> bool {
        let ty = self.facts.known.points_to.memory.cells[cell.0 as usize].ty;
        let width = ty.and_then(|ty| Width::of(&self.facts.known.program.units[ty.unit], ty.id));
        width.is_none_or(|width| width.bits < 64)
    }

    /// Whether a pointer leads to the beginning of a block whenever it leads to one of the heap.
    pub fn leads_to_beginnings(&self, pointer: CellId) -> bool {
        self.begins(pointer, &mut Asked::default())
    }

    fn begins(&self, pointer: CellId, seen: &mut Asked) -> bool {
        if !seen.cells.insert(pointer) {
            return true;
        }
        let known = self.facts.known;
        if known.effects.is_unsteady(pointer) {
            return false;
        }
        let mut writers = self.facts.writers(pointer);
        writers.all(|writer| {
            let look = self.facts.look(writer.routine);
            let stores = look.stores(writer.span);
            if stores.is_empty() {
                return self.parameter_begins(pointer, writer, seen);
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
    fn parameter_begins(
        &self,
        pointer: CellId,
        writer: super::facts::Writer,
        seen: &mut Asked,
    ) -> bool {
        let Some((id, variable)) = self.facts.scalar(pointer) else {
            return false;
        };
        let (VariableKind::Parameter(number), Some(owner)) = (variable.kind, variable.owner) else {
            return false;
        };
        let is_entry = owner == writer.routine && writer.span == variable.declared.span;
        let arguments = self.facts.arguments(owner, id, number);
        is_entry
            && arguments.is_some_and(|all| {
                all.iter().all(|(caller, _, argument)| {
                    self.value_begins(self.facts.look(*caller), argument.value, seen)
                })
            })
    }

    fn value_begins(&self, look: Look<'_, 'a>, value: ValueId, seen: &mut Asked) -> bool {
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
                        let inner = self.facts.look(*routine);
                        let mut returned = inner.returned.iter();
                        returned.all(|one| self.value_begins(inner, *one, seen))
                    })
            }
            _ => false,
        }
    }

    /// Bytes that a call of the library allocates, in the cells of its function.
    fn allocated(
        &self,
        routine: RoutineId,
        place: TextPlace,
    ) -> Option<(RoutineId, usize, Polynomial)> {
        let look = self.facts.look(routine);
        let [(node, call)] = look.calls(place.span) else {
            return None;
        };
        let callees = look.known.points_to.callees(routine, call);
        let ([name], true, false) = (
            callees.named.as_slice(),
            callees.routines.is_empty(),
            callees.unknown,
        ) else {
            return None;
        };
        let function = look.known.catalogue.find(name)?;
        let mut amount = None;
        for one in &function.returns {
            match one {
                Alternative::New(Some(Extent::Elements(found))) if amount.is_none() => {
                    amount = Some(found);
                }
                Alternative::Null => {}
                _ => return None,
            }
        }
        let raw = &|expression: &Expression| own_term(look, expression);
        let bytes = self.facts.amount_of(look, call, &function, amount?, raw)?;
        Some((routine, *node, bytes))
    }

    /// The function and the node in which a call of a function stands.
    fn caller(&self, callee: RoutineId, place: TextPlace) -> Option<(RoutineId, usize)> {
        let mut all = self.facts.callers[callee.0 as usize].iter();
        let found = all.find(|one| {
            let unit = self.facts.known.steps.routine(one.routine).function.unit;
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
        let look = self.facts.look(caller);
        let [(_, call)] = look.calls(place.span) else {
            return None;
        };
        let written = &self.facts.known.effects.summary(callee).writes;
        let steady = |cell: CellId| {
            !written.contains(cell.0 as usize)
                && !look.any_changes(&[node], cell)
                && !self.facts.known.effects.is_unsteady(cell)
        };
        amount.mapped(&mut |atom| {
            let Atom::Cell(cell) = atom else {
                return Some(Polynomial::atom(atom.clone()));
            };
            let parameter = self.facts.scalar(*cell).filter(|(_, one)| {
                matches!(one.kind, VariableKind::Parameter(_)) && one.owner == Some(callee)
            });
            let found = match parameter.map(|(_, one)| (one, one.kind)) {
                Some((variable, VariableKind::Parameter(number))) => {
                    let entry = |one: super::facts::Writer| {
                        one.routine == callee && one.node == Flow::ENTRY.0
                    };
                    if !self.facts.writers(*cell).all(entry) {
                        return None;
                    }
                    let argument = look.expression(call.arguments.get(number)?.span)?;
                    let unit = &self.facts.known.program.units[variable.ty.unit];
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

/// What an integer expression is made of, in the cells that it names itself.
fn own_term(look: Look<'_, '_>, expression: &Expression) -> Option<Polynomial> {
    let held = |one: &Expression| Some(Polynomial::atom(Atom::Cell(look.cell_read(one)?)));
    term(look.unit, expression, &held)
}
