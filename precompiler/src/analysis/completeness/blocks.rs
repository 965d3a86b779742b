//! Blocks that are executed on restart read what a restart has brought back by then.

use std::collections::BTreeMap;

use super::cover::is_heap;
use super::decide::Deciding;
use super::facts::Facts;
use super::model::BlockCheck;
use super::names::Names;
use crate::analysis::constants::is_set_again;
use crate::analysis::effects::{Action, ActionKind};
use crate::analysis::memory::{CellId, CellSet, ObjectKind};
use crate::dataflow::FunctionRef;
use crate::dataflow::steps::TextPlace;
use crate::program::{Storage, TypeKind};
use crate::source::Span;

/// All blocks that a run can reach.
pub(super) fn blocks(deciding: &Deciding, facts: &Facts) -> Vec<BlockCheck> {
    let mut checks = Vec::new();
    for (&directive, state) in &deciding.found.blocks {
        let unit = &deciding.program.units[directive.unit];
        let begin = &unit.directives[directive.id.0];
        let (Some(end), Some(function)) = (begin.partner, begin.function) else {
            continue;
        };
        let routine = deciding.steps.routine_of(FunctionRef {
            unit: directive.unit,
            function,
        });
        let inside = Span::new(begin.span.end, unit.directives[end.0].span.start);
        let stored = facts.stored_in(routine, inside);
        let mut read: BTreeMap<usize, Span> = BTreeMap::new();
        facts.visit(routine.0 as usize, &mut |action: &Action| {
            if !inside.has(action.span.start) {
                return;
            }
            let mut add = |cell: usize| {
                read.entry(cell).or_insert(action.span);
            };
            match &action.kind {
                ActionKind::Read(set) => {
                    let cells = facts.effects.cells(*set).iter();
                    cells.for_each(|cell| add(cell.0 as usize));
                }
                ActionKind::Call { routines, .. } => {
                    for called in routines {
                        facts
                            .effects
                            .summary(*called)
                            .exposed
                            .ones()
                            .for_each(&mut add);
                    }
                }
                _ => {}
            }
        });
        let place = TextPlace {
            unit: directive.unit,
            span: begin.span,
        };
        let none = CellSet::with_capacity(0);
        let names = Names::of(
            deciding.program,
            deciding.steps,
            deciding.points_to,
            &[(routine, place)],
            &none,
        );
        let mut missing: BTreeMap<String, TextPlace> = BTreeMap::new();
        for (cell, span) in read {
            let lost = if is_heap(deciding.memory(), cell) {
                state.changed.contains(cell) && !state.kept.contains(cell)
            } else {
                state.lost.contains(cell) && is_for_the_user(deciding, cell, routine)
            };
            if lost
                && !stored.contains(cell)
                && let Some(name) = names.item(CellId(cell as u32))
            {
                let unit = directive.unit;
                missing.entry(name).or_insert(TextPlace { unit, span });
            }
        }
        checks.push(BlockCheck {
            directive,
            missing: missing.into_iter().collect(),
        });
    }
    checks
}

/// Variables, but for the local numbers and pointers of the function itself: the trace keeps those.
fn is_for_the_user(
    deciding: &Deciding,
    cell: usize,
    routine: crate::dataflow::steps::RoutineId,
) -> bool {
    let object = deciding.memory().cells[cell].object;
    let ObjectKind::Variable(variable) = deciding.memory().objects[object.0 as usize].kind else {
        return false;
    };
    let variable = deciding.steps.variable(variable);
    if !variable.is_defined {
        return false;
    }
    let (Some(owner), Some(symbol)) = (variable.owner, variable.symbol) else {
        return true;
    };
    let function = deciding.steps.routine(owner).function;
    let unit = &deciding.program.units[function.unit];
    let automatic = matches!(variable.storage, Storage::Automatic | Storage::Register);
    let scalar = !matches!(
        unit.kind(variable.ty.id),
        TypeKind::Array { .. } | TypeKind::Record(_)
    );
    let is_traced = automatic && owner == routine && scalar;
    let is_constant = is_set_again(unit, unit.function(function.function), symbol);
    !is_traced && !is_constant
}
