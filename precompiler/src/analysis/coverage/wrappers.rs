//! Functions that overwrite the array that they are handed: `clear(a, n)`, whatever array that is.
//!
//! A function does so when on every way to its end a counting loop stores to all elements of a pointer parameter, from
//! the first one on, before anything reads them; how many, is a polynomial of its integer parameters and of what it does
//! not change. A call of it overwrites an array of as many elements.
//!
//! ```text
//! void clear(double *v, int n) { for (int i = 0; i < n; i++) v[i] = 0; }
//! clear(a, 10);   clear(b, m);        a[] of ten elements, b[] of m
//! ```

use std::collections::HashMap;

use super::counting::Counting;
use super::cover::Finder;
use super::facts::{Facts, Writer, is_same_type};
use super::fill::reached;
use super::model::Covered;
use super::term::converted;
use super::view::Look;
use super::writes::{Writes, leaves};
use crate::analysis::effects::ActionKind;
use crate::analysis::memory::CellId;
use crate::analysis::polynomial::{Atom, Polynomial};
use crate::dataflow::Flow;
use crate::dataflow::steps::{RoutineId, TypeRef, VariableKind};
use crate::program::Width;
use crate::program::{Statement, StatementKind};
use crate::source::Span;

/// What a function overwrites through a parameter.
#[derive(Clone, Debug)]
pub struct Filling {
    /// The position of the pointer.
    parameter: usize,
    /// What it points to.
    element: TypeRef,
    /// How many elements, in the integer parameters.
    count: Polynomial,
    /// The cells of all arrays that anybody hands over.
    cells: Vec<CellId>,
}

/// What a function overwrites through its parameters.
pub fn fillings(look: Look<'_, '_>) -> Vec<Filling> {
    let has_pointer = look.routine.parameters.iter().any(|one| {
        let ty = look.known.steps.variable(*one).ty;
        look.known.program.units[ty.unit].pointee(ty.id).is_some()
    });
    let StatementKind::Compound { items, .. } = &look.function.body.kind else {
        return Vec::new();
    };
    if !has_pointer || look.body.returns_twice {
        return Vec::new();
    }
    let finder = Finder::of(look);
    let mut found = Vec::new();
    let mut before: Option<&Statement> = None;
    for item in items {
        if item.is_loop()
            && !leaves(item)
            && let Some(counting) = look.counting(item, before)
            && is_passed(look, &counting)
        {
            for one in Writes::of(look, &counting).handed {
                let Some(filling) = filling(&finder, &counting, one) else {
                    continue;
                };
                found.push(filling);
            }
        }
        before = Some(item);
    }
    found
}

/// Whether every way from the beginning to the end of the function enters the loop.
fn is_passed(look: Look<'_, '_>, counting: &Counting<'_>) -> bool {
    let around = look.routine.flow.along([Flow::ENTRY.0], |node, to| {
        !counting.ways.contains(&(node, to))
    });
    !around[Flow::EXIT.0]
}

fn filling(
    finder: &Finder<'_, '_>,
    counting: &Counting<'_>,
    one: super::writes::Written,
) -> Option<Filling> {
    let look = finder.look;
    let pointer = one.pointer?;
    let (_, variable) = look.facts.scalar(pointer)?;
    let (VariableKind::Parameter(parameter), Some(owner)) = (variable.kind, variable.owner) else {
        return None;
    };
    if owner != look.id || !is_steady(look.facts, look.id, pointer) {
        return None;
    }
    let unit = &look.known.program.units[variable.ty.unit];
    let element = TypeRef {
        id: unit.pointee(variable.ty.id)?,
        ..variable.ty
    };
    let [index] = one.indices.as_slice() else {
        return None;
    };
    let count = reached(index, &one.counters)?;
    let is_parameter = |cell: CellId| {
        let scalar = look.facts.scalar(cell);
        scalar.is_some_and(|(_, one)| {
            one.owner == Some(look.id) && matches!(one.kind, VariableKind::Parameter(_))
        }) && is_steady(look.facts, look.id, cell)
    };
    // What all callers hand over may be known by another name.
    let summary = look.known.effects.summary(look.id);
    let is_other = |cell: CellId| {
        let owner = look.facts.scalar(cell).map(|(_, one)| one.owner);
        owner.is_some_and(|owner| owner != Some(look.id))
            && !look.known.effects.is_unsteady(cell)
            && !summary.writes.contains(cell.0 as usize)
    };
    if !count
        .cells()
        .all(|cell| is_parameter(cell) || is_other(cell))
        || finder.is_odd(counting)
        || finder.is_read(&one, counting)
        || is_touched_before(finder, counting, &one.cells)
    {
        return None;
    }
    Some(Filling {
        parameter,
        element,
        count,
        cells: one.cells,
    })
}

/// Whether a parameter keeps the value that it was handed.
fn is_steady(facts: &Facts<'_>, owner: RoutineId, cell: CellId) -> bool {
    let entry = |one: Writer| one.routine == owner && one.node == Flow::ENTRY.0;
    !facts.known.effects.is_unsteady(cell) && facts.writers(cell).all(entry)
}

/// Whether anything outside of the loop that may come before it reads the array.
fn is_touched_before(finder: &Finder<'_, '_>, counting: &Counting<'_>, cells: &[CellId]) -> bool {
    let look = finder.look;
    let flow = &look.routine.flow;
    let mut found = false;
    for node in 0..flow.nodes.len() {
        let is_loop = counting.nodes.binary_search(&node).is_ok();
        let mut after = flow
            .after(crate::dataflow::NodeId(node))
            .into_iter()
            .enumerate();
        let leads = after.any(|(to, reached)| {
            reached
                && counting
                    .ways
                    .iter()
                    .any(|(from, into)| to == *from || to == *into)
        });
        let starts = counting.ways.iter().any(|(from, _)| *from == node);
        if !is_loop && (leads || starts) {
            look.actions(&[node], &mut |_, action| {
                found |= finder.touches(action, cells)
            });
        }
    }
    found
}

/// What calls in a function overwrite because of what they call.
pub fn covered(
    look: Look<'_, '_>,
    fillings: &HashMap<RoutineId, Vec<Filling>>,
) -> Vec<(Span, Covered)> {
    let mut found = Vec::new();
    for (node, actions) in look.body.nodes.iter().enumerate() {
        for action in actions {
            let ActionKind::Call {
                routines,
                surely: true,
                ..
            } = &action.kind
            else {
                continue;
            };
            let [callee] = routines[..] else { continue };
            for filling in fillings.get(&callee).into_iter().flatten() {
                if let Some(cells) = filled(look, node, action.span, callee, filling) {
                    let by = action.span;
                    found.push((by, Covered { cells, by }));
                }
            }
        }
    }
    found
}

fn filled<'a>(
    look: Look<'_, 'a>,
    node: usize,
    span: Span,
    callee: RoutineId,
    filling: &Filling,
) -> Option<Vec<CellId>> {
    let [(_, call)] = look.calls(span) else {
        return None;
    };
    if look.known.points_to.callees(look.id, call).routines != [callee] {
        return None;
    }
    let argument = call.arguments.get(filling.parameter)?;
    let run = look
        .facts
        .value_run(look, argument.value, filling.element)??;
    let memory = &look.known.points_to.memory;
    let object = &memory.objects[run.object.0 as usize];
    let own: Vec<CellId> = look.known.points_to.cells(run.object).collect();
    let behind = look.known.points_to.behind(look.id, argument.value, None);
    let cells: Vec<CellId> = filling
        .cells
        .iter()
        .copied()
        .filter(|cell| behind.cells.contains(cell))
        .collect();
    let is_one = object.is_single
        && object.collapsed.is_none()
        && !behind.unknown
        && behind.cells.iter().all(|cell| own.contains(cell));
    let [cell] = cells[..] else { return None };
    let same = memory.cells[cell.0 as usize]
        .ty
        .is_some_and(|ty| is_same_type(look.known.program, ty, filling.element));
    let id = callee;
    let callee = look.known.steps.routine(id);
    let count = filling.count.mapped(&mut |atom| {
        let Atom::Cell(cell) = atom else {
            return Some(Polynomial::atom(atom.clone()));
        };
        let (_, variable) = look.facts.scalar(*cell)?;
        let number = match variable.kind {
            VariableKind::Parameter(number) if variable.owner == Some(id) => number,
            _ => return Some(Polynomial::atom(atom.clone())),
        };
        (number < callee.parameters.len()).then_some(())?;
        let handed = look.expression(call.arguments.get(number)?.span)?;
        let unit = &look.known.program.units[variable.ty.unit];
        let width = Width::of(unit, variable.ty.id)?;
        let from = Width::of(look.unit, handed.ty)?;
        converted(look.normal_term(handed)?, from, width)
    })?;
    let mut changing = count.cells();
    let is_all = is_one
        && same
        && run.elements == count
        && look.facts.holds(&run, look, &[node])
        && !changing
            .any(|cell| look.known.effects.is_unsteady(cell) || look.any_changes(&[node], cell));
    is_all.then_some(cells)
}
