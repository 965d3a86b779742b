//! Places that messages point to: where a cell is changed, which block sets it, where it is made.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::facts::Facts;
use super::model::DirectivePlace;
use crate::analysis::effects::{ActionKind, SetId};
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
    stores: OnceCell<Stores>,
    /// What pointers to allocated memory are called where it is allocated.
    names: RefCell<FxHashMap<(RoutineId, TextPlace), Option<String>>>,
}

/// All stores that a restart does not repeat, in the order of the program.
#[derive(Default)]
struct Stores {
    /// Function and place, by set of cells.
    of_set: FxHashMap<SetId, Vec<(usize, RoutineId, TextPlace)>>,
    /// The sets that a cell is in.
    of_cell: FxHashMap<CellId, Vec<SetId>>,
}

impl Stores {
    fn of(facts: &Facts) -> Stores {
        let mut stores = Stores::default();
        let mut number = 0;
        for routine in facts.steps.routine_ids() {
            let unit = facts.steps.routine(routine).function.unit;
            facts.visit(routine.0 as usize, &mut |action| {
                if let ActionKind::Write { cells, .. } = &action.kind
                    && !facts.runs_again(routine, action.span)
                {
                    let span = action.span;
                    let here = (number, routine, TextPlace { unit, span });
                    stores.of_set.entry(*cells).or_default().push(here);
                    number += 1;
                }
            });
        }
        for set in stores.of_set.keys() {
            for cell in facts.effects.cells(*set) {
                stores.of_cell.entry(*cell).or_default().push(*set);
            }
        }
        stores
    }
}

impl<'a> Places<'a> {
    /// Looks at all blocks.
    pub fn of(facts: &'a Facts<'a>) -> Places<'a> {
        let mut blocks = BTreeMap::new();
        for (unit, one) in facts.program.units.iter().enumerate() {
            for (number, begin) in one.directives.iter().enumerate() {
                let (Directive::ExecuteOnRestart { .. }, Some(end), Some(function)) =
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
        Places {
            facts,
            blocks,
            stores: OnceCell::new(),
            names: RefCell::default(),
        }
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
        let stores = self.stores.get_or_init(|| Stores::of(self.facts));
        let sets = stores.of_cell.get(&cell).into_iter().flatten();
        let all = sets.flat_map(|set| &stores.of_set[set]);
        let best = all.min_by_key(|(number, routine, place)| {
            let start = place.span.start;
            let after = *routine == near && start > checkpoint.span.start;
            let distance = if *routine == near {
                start.abs_diff(checkpoint.span.start)
            } else {
                usize::MAX - start
            };
            let elsewhere = *routine != near || after;
            (read == Some(*place), elsewhere, distance, *number)
        });
        best.map(|(_, _, place)| *place)
    }

    /// All places where a cell is changed by code that does not run again.
    pub fn stores(&self, cell: CellId) -> Vec<(RoutineId, TextPlace)> {
        let stores = self.stores.get_or_init(|| Stores::of(self.facts));
        let sets = stores.of_cell.get(&cell).into_iter().flatten();
        let all = sets.flat_map(|set| &stores.of_set[set]);
        all.map(|(_, routine, place)| (*routine, *place)).collect()
    }

    /// A local pointer of the function that allocates memory, with the place: what it is called there.
    pub fn allocated_as(&self, cell: CellId) -> Option<(String, TextPlace)> {
        let memory = self.facts.memory;
        let object = memory.cells[cell.0 as usize].object;
        let ObjectKind::Heap { routine, call, .. } = &memory.objects[object.0 as usize].kind else {
            return None;
        };
        let mut known = self.names.borrow_mut();
        let name = known
            .entry((*routine, *call))
            .or_insert_with(|| self.name_of_made(*routine, *call));
        name.clone().map(|name| (name, *call))
    }

    /// The local pointer to which what a call gives is assigned.
    fn name_of_made(&self, routine: RoutineId, call: TextPlace) -> Option<String> {
        let routine = self.facts.steps.routine(routine);
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
        found
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
