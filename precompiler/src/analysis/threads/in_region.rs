//! Checkpoints in parallel regions: whether a team of another size can go on from there.
//!
//! A new thread has no state of its own in the checkpoint, and what one had that is not there any more is lost. So what threads have of
//! their own has to be the same for all of them: then new ones get copies of what the initial thread has. That is so when all threads
//! come to the checkpoint equally often, and everything that is live there and a thread's own is uniform, as `uniform` says. A pointer
//! is not copied: it might lead to the initial thread's own memory.
//!
//! Errors fall on the side of *not the same*.

use crate::analysis::Analysed;
use crate::analysis::communication::Parallel;
use crate::analysis::completeness::DirectivePlace;
use crate::analysis::memory::{CellId, ObjectKind};
use crate::analysis::uniform::Uniform;
use crate::dataflow::FunctionRef;
use crate::dataflow::steps::{RoutineId, VariableKind};
use crate::program::{Construct, Storage, TypeKind};
use crate::source::Span;
use cccp_grammar::openmp::{ClauseKind, DirectiveName};

/// Why the team of a region cannot have another size; none outside of regions, too.
pub fn of_region(
    found: &Analysed,
    parallel: &Parallel,
    checkpoint: DirectivePlace,
) -> Option<String> {
    let one = &found.program.units[checkpoint.unit].directives[checkpoint.id.0];
    let id = found.steps.routine_of(FunctionRef {
        unit: checkpoint.unit,
        function: one.function?,
    });
    if !parallel.is_in_region(id, one.span) {
        return None;
    }
    let around = found.function(id).body.regions_around(one.span);
    let constructs: Vec<&Construct> = around.iter().flat_map(|one| &one.openmp).collect();
    let region = match constructs.as_slice() {
        [region] if region.directives == [DirectiveName::Parallel] => *region,
        _ => {
            return Some(
                "each thread of the region around it resumes at its own place".to_string(),
            );
        }
    };
    if found.points_to.teams().may_be_in(id) {
        return Some(
            "each thread of a region that leads here resumes at its own place".to_string(),
        );
    }
    let fixed = [ClauseKind::NumThreads, ClauseKind::If];
    if fixed.into_iter().any(|kind| region.has_clause(kind)) {
        return Some("a clause of the region says how many threads it has".to_string());
    }
    let uniform = Uniform::of(
        found.program,
        found.steps,
        found.points_to,
        found.effects,
        found.catalogue,
    );
    let is_unequal = found.has(|one| one.stands().is_some())
        || uniform.why_not(id, one.span, one.span).is_some();
    if is_unequal {
        return Some("threads of the region may come here unequally often".to_string());
    }
    let mut checks = found.completeness.checkpoints.iter();
    let check = checks.find(|check| check.directive == checkpoint)?;
    let team = around.last().map(|one| one.span)?;
    check.locations.iter().find_map(|location| {
        let mut cells = location.cells.iter();
        let differs = cells.any(|cell| {
            is_own(found, *cell, (id, team))
                && (uniform.differs(*cell) || !is_number(found, *cell) || stays(found, *cell))
        });
        differs.then(|| format!("each thread of the region has its own `{}`", location.name))
    })
}

/// Whether there may be one of it for each thread of a region.
fn is_own(found: &Analysed, cell: CellId, (id, team): (RoutineId, Span)) -> bool {
    let memory = &found.points_to.memory;
    let object = &memory.objects[memory.cells[cell.0 as usize].object.0 as usize];
    match &object.kind {
        ObjectKind::Variable(variable) => {
            let variable = found.steps.variable(*variable);
            let is_local = matches!(variable.storage, Storage::Automatic | Storage::Register);
            let of_function = variable.owner == Some(id) && is_local;
            stays(found, cell) || of_function && team.contains(variable.declared.span)
        }
        // What is live there may lead to it from a thread's own pointer only, which is no number.
        _ => false,
    }
}

/// Whether each thread has a copy of it from region to region.
fn stays(found: &Analysed, cell: CellId) -> bool {
    let memory = &found.points_to.memory;
    let object = &memory.objects[memory.cells[cell.0 as usize].object.0 as usize];
    match &object.kind {
        ObjectKind::Variable(variable) => {
            let variable = found.steps.variable(*variable);
            variable.per_thread || variable.kind == VariableKind::OtherThreads
        }
        _ => false,
    }
}

/// Whether it is no pointer, and nothing that may hold one.
fn is_number(found: &Analysed, cell: CellId) -> bool {
    let Some(ty) = found.points_to.memory.cells[cell.0 as usize].ty else {
        return false;
    };
    let unit = &found.program.units[ty.unit];
    let mut kind = unit.kind(ty.id);
    while let TypeKind::Array { element, .. } = kind {
        kind = unit.kind(*element);
    }
    matches!(
        kind,
        TypeKind::Bool
            | TypeKind::Integer(_)
            | TypeKind::Float(_)
            | TypeKind::Complex(_)
            | TypeKind::ComplexInteger(_)
            | TypeKind::Enum(_)
    )
}
