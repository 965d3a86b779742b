//! Calls of library functions that fill arrays whose extent is known when the program runs only: `memset(p, 0, n *
//! sizeof *p)` after `p = malloc(n * sizeof *p)`.

use std::collections::BTreeMap;

use super::facts::Run;
use super::model::Covered;
use super::term::size_of;
use super::view::Look;
use crate::analysis::memory::ObjectKind;
use crate::analysis::polynomial::Polynomial;
use crate::catalog::{EffectKind, Extent, LibraryFunction, Root};
use crate::dataflow::steps::{Call, Called, TypeRef};
use crate::program::{SymbolKind, TypeId, TypeKind};
use crate::source::Span;

/// What the calls of a function overwrite.
pub fn calls(look: Look<'_, '_>) -> BTreeMap<Span, Vec<Covered>> {
    let mut found = BTreeMap::new();
    for (span, node, call) in look.all_calls() {
        if look.calls(span).len() != 1 {
            continue;
        }
        let Called::Named(name) = &call.callee else {
            continue;
        };
        let Some(function) = look.known.catalogue.find(name) else {
            continue;
        };
        let filled = function.effects.iter().filter(|one| {
            let place = &one.place;
            one.kind == EffectKind::Fills
                && place.condition.is_none()
                && place.behind == 0
                && place.members.is_empty()
                && !place.everything
        });
        let covered: Vec<Covered> = filled
            .filter_map(|one| match (&one.place.root, &one.place.extent) {
                (Root::Parameter(parameter), Some(Extent::Elements(amount))) => {
                    let amount = look.facts.amount(look, call, &function, amount)?;
                    overwritten(look, node, call, &function, *parameter, &amount)
                }
                _ => None,
            })
            .map(|cells| Covered { cells, by: span })
            .collect();
        if !covered.is_empty() {
            found.insert(span, covered);
        }
    }
    found
}

fn overwritten(
    look: Look<'_, '_>,
    node: usize,
    call: &Call,
    function: &LibraryFunction,
    parameter: usize,
    amount: &Polynomial,
) -> Option<Vec<crate::analysis::memory::CellId>> {
    let expression = look
        .expression(call.arguments.get(parameter)?.span)?
        .without_casts();
    let pointee = look.unit.pointee(expression.ty)?;
    let pointer = look.cell_read(expression)?;
    let element = TypeRef {
        unit: look.routine.function.unit,
        id: pointee,
    };
    let run: Run = look.facts.run(pointer, element)?;
    let memory = &look.known.points_to.memory;
    let object = &memory.objects[run.object.0 as usize];
    let is_single = object.is_single || look.known.effects.first_use.single.contains(&run.object);
    let is_one = matches!(object.kind, ObjectKind::Heap { .. }) && is_single;
    let size = size_of(look.unit, pointee)?;
    let filled = match declared(look, &function.name, parameter)? {
        None => amount.clone(),
        Some(ty) => amount.times(&size_of(look.unit, ty)?)?,
    };
    let behind = look
        .known
        .points_to
        .behind(look.id, call.arguments[parameter].value, None);
    let cells: Vec<_> = look.known.points_to.cells(run.object).collect();
    let is_all = is_one
        && object.collapsed.is_none()
        && !behind.unknown
        && behind.cells.iter().all(|cell| cells.contains(cell))
        && run.elements.times(&size)? == filled
        && look.facts.holds(&run, look, &[node])
        && !filled
            .cells()
            .chain([pointer])
            .any(|cell| look.any_changes(&[node], cell));
    is_all.then_some(cells)
}

/// What a parameter of a function points to by the declaration; nothing inside when that is `void`.
fn declared(look: Look<'_, '_>, name: &str, parameter: usize) -> Option<Option<TypeId>> {
    let unit = look.unit;
    let symbols = unit.scopes.first()?.symbols.iter();
    let symbol = symbols
        .map(|id| &unit.symbols[id.0])
        .find(|symbol| symbol.kind == SymbolKind::Function && symbol.name == name)?;
    let TypeKind::Function { parameters, .. } = unit.kind(symbol.ty) else {
        return None;
    };
    let pointee = unit.pointee(*parameters.get(parameter)?)?;
    Some((*unit.kind(pointee) != TypeKind::Void).then_some(pointee))
}
