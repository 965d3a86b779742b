//! Places that messages point to: where a cell is changed, which block sets it, where it is made.

use std::collections::BTreeMap;

use super::facts::Facts;
use super::model::DirectivePlace;
use crate::analysis::effects::ActionKind;
use crate::analysis::memory::{CellId, ObjectKind};
use crate::dataflow::FunctionRef;
use crate::dataflow::steps::{RoutineId, TextPlace};
use crate::program::{Directive, Expression, ExpressionKind, Initialiser, StatementKind};
use crate::source::Span;

/// Where things happen.
pub(super) struct Places<'a> {
    facts: &'a Facts<'a>,
    /// Which block may store to a cell.
    blocks: BTreeMap<usize, DirectivePlace>,
}

impl<'a> Places<'a> {
    /// Looks at all blocks.
    pub fn of(facts: &'a Facts<'a>) -> Places<'a> {
        let mut blocks = BTreeMap::new();
        for (unit, one) in facts.program.units.iter().enumerate() {
            for (number, begin) in one.directives.iter().enumerate() {
                let (Directive::ExecuteOnRestart, Some(end), Some(function)) =
                    (&begin.directive, begin.partner, begin.function)
                else {
                    continue;
                };
                let routine = facts.steps.routine_of(FunctionRef { unit, function });
                let inside = Span::new(begin.span.end, one.directives[end.0].span.start);
                let place = DirectivePlace {
                    unit,
                    id: crate::program::DirectiveId(number),
                };
                for cell in facts.stored_in(routine, inside).ones() {
                    blocks.entry(cell).or_insert(place);
                }
            }
        }
        Places { facts, blocks }
    }

    /// A block that runs again and may store to a cell.
    pub fn block_that_writes(&self, cell: CellId) -> Option<DirectivePlace> {
        self.blocks.get(&(cell.0 as usize)).copied()
    }

    /// Where a cell is changed by code that does not run again: in the function of the checkpoint before anywhere else,
    /// before the checkpoint rather than after it, and rather not at `read`.
    pub fn change(
        &self,
        cell: CellId,
        near: RoutineId,
        checkpoint: TextPlace,
        read: Option<TextPlace>,
    ) -> Option<TextPlace> {
        let mut best: Option<((bool, bool, usize), TextPlace)> = None;
        for routine in self.facts.steps.routine_ids() {
            let unit = self.facts.steps.routine(routine).function.unit;
            self.facts.visit(routine.0 as usize, &mut |action| {
                let ActionKind::Write { cells, .. } = &action.kind else {
                    return;
                };
                let stores = self.facts.effects.cells(*cells).contains(&cell);
                if !stores || self.facts.runs_again(routine, action.span) {
                    return;
                }
                let place = TextPlace {
                    unit,
                    span: action.span,
                };
                let after = routine == near && action.span.start > checkpoint.span.start;
                let distance = if routine == near {
                    action.span.start.abs_diff(checkpoint.span.start)
                } else {
                    usize::MAX - action.span.start
                };
                let rank = (read == Some(place), routine != near || after, distance);
                if best.as_ref().is_none_or(|(known, _)| rank < *known) {
                    best = Some((rank, place));
                }
            });
        }
        best.map(|(_, place)| place)
    }

    /// A local pointer of the function that allocates memory, with the place: what it is called there.
    pub fn allocated_as(&self, cell: CellId) -> Option<(String, TextPlace)> {
        let memory = self.facts.memory;
        let object = memory.cells[cell.0 as usize].object;
        let ObjectKind::Heap { routine, call, .. } = &memory.objects[object.0 as usize].kind else {
            return None;
        };
        let routine = self.facts.steps.routine(*routine);
        let call = *call;
        let unit = &self.facts.program.units[call.unit];
        let body = &unit.function(routine.function.function).body;
        let mut found = None;
        let holds = |value: &Expression| value.span.contains(call.span);
        if call.unit == routine.function.unit {
            body.walk(&mut |statement| {
                if let StatementKind::Declaration(declaration) = &statement.kind {
                    for one in &declaration.declarators {
                        if let Some(Initialiser::Expression(value)) = &one.initialiser
                            && holds(value)
                        {
                            found = Some(unit.symbols[one.symbol.0].name.clone());
                        }
                    }
                }
                true
            });
            body.walk_expressions(&mut |expression| {
                if let ExpressionKind::Assign { target, value, .. } = &expression.kind
                    && holds(value)
                {
                    found = Some(unit.file.preprocessed_text(target.span).to_string());
                }
            });
        }
        found.map(|name| (name, call))
    }

    /// Where an object is declared or allocated.
    pub fn birth(&self, cell: CellId) -> Option<TextPlace> {
        let memory = self.facts.memory;
        let object = memory.cells[cell.0 as usize].object;
        match &memory.objects[object.0 as usize].kind {
            ObjectKind::Variable(variable) => Some(self.facts.steps.variable(*variable).declared),
            ObjectKind::Heap { call, through, .. } => Some(*through.first().unwrap_or(call)),
            _ => None,
        }
    }
}
