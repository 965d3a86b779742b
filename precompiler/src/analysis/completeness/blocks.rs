//! Blocks that are executed on restart read what a restart has brought back by then.

use std::collections::BTreeMap;

use super::decide::Deciding;
use super::facts::Facts;
use super::model::{BlockCheck, DirectivePlace};
use super::names::Names;
use crate::analysis::constants::is_set_again;
use crate::analysis::effects::{Action, ActionKind};
use crate::analysis::memory::{CellId, CellSet, ObjectKind};
use crate::dataflow::FunctionRef;
use crate::dataflow::steps::{RoutineId, TextPlace};
use crate::program::{Directive, DirectiveId, Storage, TypeKind};
use crate::source::Span;

/// Something that a block reads before it stores to it, if it does at all.
#[derive(Clone, Debug)]
pub(super) struct BlockRead {
    /// What.
    pub cell: CellId,
    /// The directive with which the block begins.
    pub block: TextPlace,
    /// Its function.
    pub routine: RoutineId,
    /// The read, in that function.
    pub read: TextPlace,
}

/// What all blocks read, but for the local numbers and pointers of their own functions: the trace keeps those.
pub(super) fn reads(facts: &Facts) -> Vec<BlockRead> {
    let mut all = Vec::new();
    for (unit, one) in facts.program.units.iter().enumerate() {
        for number in 0..one.directives.len() {
            let id = DirectiveId(number);
            all.extend(reads_of(facts, DirectivePlace { unit, id }));
        }
    }
    all
}

fn reads_of(facts: &Facts, directive: DirectivePlace) -> Vec<BlockRead> {
    let unit = &facts.program.units[directive.unit];
    let begin = &unit.directives[directive.id.0];
    let (Directive::ExecuteOnRestart, Some(end), Some(function)) =
        (&begin.directive, begin.partner, begin.function)
    else {
        return Vec::new();
    };
    let routine = facts.steps.routine_of(FunctionRef {
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
            ActionKind::Call {
                routines, spared, ..
            } => {
                for called in routines {
                    let exposed = &facts.effects.summary(*called).exposed;
                    let exposed = facts.effects.unspared(*spared, exposed);
                    exposed.ones().for_each(&mut add);
                }
            }
            _ => {}
        }
    });
    let place = |span| TextPlace {
        unit: directive.unit,
        span,
    };
    read.into_iter()
        .filter(|(cell, _)| !stored.contains(*cell) && !is_traced(facts, *cell, routine))
        .map(|(cell, span)| BlockRead {
            cell: CellId(cell as u32),
            block: place(begin.span),
            routine,
            read: place(span),
        })
        .collect()
}

/// Local numbers and pointers of the function itself, and constants.
fn is_traced(facts: &Facts, cell: usize, routine: RoutineId) -> bool {
    let object = facts.memory.cells[cell].object;
    let ObjectKind::Variable(variable) = facts.memory.objects[object.0 as usize].kind else {
        return false;
    };
    let variable = facts.steps.variable(variable);
    let (Some(owner), Some(symbol)) = (variable.owner, variable.symbol) else {
        return false;
    };
    let function = facts.steps.routine(owner).function;
    let unit = &facts.program.units[function.unit];
    let automatic = matches!(variable.storage, Storage::Automatic | Storage::Register);
    let scalar = !matches!(
        unit.kind(variable.ty.id),
        TypeKind::Array { .. } | TypeKind::Record(_)
    );
    automatic && owner == routine && scalar
        || is_set_again(unit, unit.function(function.function), symbol)
}

/// All blocks that a run can reach, with what they read although nothing has brought it back by then.
pub(super) fn blocks(deciding: &Deciding) -> Vec<BlockCheck> {
    let mut checks = Vec::new();
    for (&directive, state) in &deciding.found.blocks {
        let begin = &deciding.program.units[directive.unit].directives[directive.id.0];
        let block = TextPlace {
            unit: directive.unit,
            span: begin.span,
        };
        let reads = deciding.block_reads.iter();
        let lost: Vec<&BlockRead> = reads
            .filter(|read| read.block == block && deciding.is_lost(read.cell, state))
            .collect();
        let mut missing: BTreeMap<String, TextPlace> = BTreeMap::new();
        if let Some(first) = lost.first() {
            let none = CellSet::new();
            let views = [(first.routine, block)];
            let (steps, points_to) = (deciding.steps, deciding.points_to);
            let names = Names::of(
                deciding.program,
                steps,
                points_to,
                &views,
                &none,
                (&deciding.covers.crowds, &deciding.homes),
            );
            for read in lost {
                if let Some(name) = names.item(read.cell) {
                    missing.entry(name).or_insert(read.read);
                }
            }
        }
        checks.push(BlockCheck {
            directive,
            missing: missing.into_iter().collect(),
        });
    }
    checks
}
