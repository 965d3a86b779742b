//! What may differ from rank to rank, wherever it is: a first, coarse answer.
//!
//! In: steps, effects. Out: cells that may hold different things on different ranks at the same place of the program, and
//! nodes that some ranks may pass more often than others. The one idea: a value varies when it comes from a rank, a
//! clock, a file, a received message, or from something that varies, or when it is stored where only some ranks come by.
//! The order of statements is not looked at.
//!
//! Errors fall on the side of varying.

use super::library::{Kind, Library};
use crate::analysis::effects::Effects;
use crate::analysis::memory::{CellId, CellSet};
use crate::analysis::points_to::PointsTo;
use crate::dataflow::Decisions;
use crate::dataflow::steps::{
    Called, Combination, Location, RoutineId, Step, StepKind, Steps, ValueId,
};
use std::collections::HashSet;

/// What may differ.
pub struct Varying {
    /// Memory.
    pub cells: CellSet,
    /// By function, nodes that some ranks may pass more often than others, once all have entered the function.
    pub parted: Vec<Vec<bool>>,
    values: Vec<HashSet<ValueId>>,
    results: HashSet<RoutineId>,
    /// Functions that some ranks may call more often than others.
    called_apart: HashSet<RoutineId>,
}

struct Look<'a, 'b> {
    steps: &'a Steps,
    points_to: &'a PointsTo,
    library: &'a Library<'b>,
    decisions: Vec<Decisions>,
    /// Nodes whose ways on are told apart already.
    decided: HashSet<(RoutineId, usize)>,
    found: Varying,
    changed: bool,
}

impl Varying {
    /// Whether what a function returns may differ.
    pub fn gives(&self, routine: RoutineId) -> bool {
        self.results.contains(&routine)
    }

    /// Whether some ranks may call a function more often than others.
    pub fn is_called_apart(&self, routine: RoutineId) -> bool {
        self.called_apart.contains(&routine)
    }

    /// Looks at a program.
    pub fn of(
        steps: &Steps,
        points_to: &PointsTo,
        effects: &Effects,
        library: &Library<'_>,
    ) -> Varying {
        let count = steps.routines.len();
        let cells = points_to.memory.cells.len();
        let mut look = Look {
            steps,
            points_to,
            library,
            decided: HashSet::new(),
            decisions: (steps.routine_ids())
                .map(|id| {
                    let stops = effects.bodies[id.0 as usize].stops();
                    steps.routine(id).flow.decisions(&stops)
                })
                .collect(),
            found: Varying {
                cells: CellSet::with_capacity(cells),
                parted: (steps.routines.iter())
                    .map(|one| vec![false; one.flow.nodes.len()])
                    .collect(),
                values: vec![HashSet::new(); count],
                results: HashSet::new(),
                called_apart: HashSet::new(),
            },
            changed: true,
        };
        while std::mem::take(&mut look.changed) {
            for id in steps.routine_ids() {
                look.routine(id);
            }
        }
        look.found
    }
}

impl Look<'_, '_> {
    fn routine(&mut self, id: RoutineId) {
        let routine = self.steps.routine(id);
        for node in 0..routine.flow.nodes.len() {
            let mut seen = false;
            let Some(steps) = routine.nodes.get(node) else {
                continue;
            };
            let apart =
                self.found.parted[id.0 as usize][node] || self.found.called_apart.contains(&id);
            self.list(id, steps, apart, &mut seen);
            if seen && routine.flow.nodes[node].next.len() > 1 && self.decided.insert((id, node)) {
                for inside in self.decisions[id.0 as usize].of(node) {
                    let parted = &mut self.found.parted[id.0 as usize][inside];
                    self.changed |= !std::mem::replace(parted, true);
                }
            }
        }
    }

    fn list(&mut self, id: RoutineId, steps: &[Step], apart: bool, seen: &mut bool) {
        for step in steps {
            self.step(id, step, apart, seen);
        }
    }

    fn varies(&self, id: RoutineId, value: ValueId) -> bool {
        self.found.values[id.0 as usize].contains(&value)
    }

    fn way_varies(&self, id: RoutineId, place: &Location) -> bool {
        place.values().any(|value| self.varies(id, value))
    }

    fn holds(&self, cells: &[CellId]) -> bool {
        cells
            .iter()
            .any(|cell| self.found.cells.contains(cell.0 as usize))
    }

    fn set(&mut self, id: RoutineId, value: ValueId, varies: bool, seen: &mut bool) {
        if varies {
            *seen = true;
            self.changed |= self.found.values[id.0 as usize].insert(value);
        }
    }

    fn store(&mut self, cells: &[CellId], varies: bool) {
        for cell in cells.iter().filter(|_| varies) {
            self.changed |= !self.found.cells.put(cell.0 as usize);
        }
    }

    fn step(&mut self, id: RoutineId, step: &Step, apart: bool, seen: &mut bool) {
        match &step.kind {
            StepKind::Read { place, into } => {
                let touched = self.points_to.touched(id, place);
                let varies =
                    touched.unknown || self.way_varies(id, place) || self.holds(&touched.cells);
                self.set(id, *into, varies, seen);
            }
            StepKind::Address { place, into } => {
                let varies = self.way_varies(id, place);
                self.set(id, *into, varies, seen);
            }
            StepKind::Combine { from, into, how } => {
                // What an operand was that can hold no pointer is not among the values: all that was read counts.
                let hidden = *seen && (from.is_empty() || !matches!(how, Combination::Cast));
                let varies = hidden || from.iter().any(|value| self.varies(id, *value));
                self.set(id, *into, varies, seen);
            }
            StepKind::Write { place, value, .. } => {
                let cells = self.points_to.touched(id, place).cells;
                let varies = apart
                    || *seen
                    || self.way_varies(id, place)
                    || value.is_some_and(|value| self.varies(id, value));
                self.store(&cells, varies);
            }
            StepKind::Copy { from, to, .. } => {
                let read = self.points_to.touched(id, from);
                let varies = apart
                    || read.unknown
                    || self.way_varies(id, from)
                    || self.way_varies(id, to)
                    || self.holds(&read.cells);
                let cells = self.points_to.touched(id, to).cells;
                self.store(&cells, varies);
            }
            StepKind::Call(_) => self.call(id, step, apart, seen),
            StepKind::Choose(lists) => {
                for list in lists {
                    self.list(id, list, apart || *seen, seen);
                }
            }
            StepKind::Repeat(list) => self.list(id, list, apart || *seen, seen),
            StepKind::Return { value, .. } => {
                let varies = apart || *seen || value.is_some_and(|value| self.varies(id, value));
                if varies {
                    self.changed |= self.found.results.insert(id);
                }
            }
            StepKind::Assembly { named, .. } => {
                for place in named {
                    let cells = self.points_to.touched(id, place).cells;
                    self.store(&cells, true);
                }
            }
            StepKind::Begin(_) | StepKind::Directive(_) => {}
        }
    }

    fn call(&mut self, id: RoutineId, step: &Step, apart: bool, seen: &mut bool) {
        let StepKind::Call(call) = &step.kind else {
            return;
        };
        let callees = self.points_to.callees(id, call);
        let pointer = match call.callee {
            Called::Pointer(value) => self.varies(id, value),
            _ => false,
        };
        for &callee in &callees.routines {
            if apart || pointer {
                self.changed |= self.found.called_apart.insert(callee);
            }
            let parameters = &self.steps.routine(callee).parameters;
            for (argument, parameter) in call.arguments.iter().zip(parameters) {
                let aggregate = argument.aggregate.as_ref().is_some_and(|place| {
                    let touched = self.points_to.touched(id, place);
                    touched.unknown || self.holds(&touched.cells)
                });
                // Numbers are not among the values when they can hold no pointer.
                let varies = *seen || aggregate || self.varies(id, argument.value);
                if let Some(object) = self.points_to.variable(*parameter) {
                    let cells: Vec<CellId> = self.points_to.cells(object).collect();
                    self.store(&cells, varies);
                }
            }
            let varies = self.found.results.contains(&callee) || pointer;
            self.set(id, call.result, varies, seen);
        }
        if callees.routines.is_empty() || !callees.named.is_empty() {
            let kind = callees.named.iter().map(|name| self.library.kind(name));
            let kind = kind.max_by_key(|kind| *kind as u8).unwrap_or(Kind::Varying);
            let read = self.holds(self.library.read(id, step.span));
            let arguments = call.arguments.iter().any(|one| self.varies(id, one.value));
            let varies = match kind {
                Kind::Plain => read || arguments || *seen,
                Kind::Sharing | Kind::Handle => false,
                Kind::Varying => true,
            };
            self.set(id, call.result, varies, seen);
            let cells = self.library.stored(id, step.span).iter();
            let cells: Vec<CellId> = cells.map(|(cell, _)| *cell).collect();
            self.store(&cells, varies || apart);
        }
        if let Some(variable) = call.aggregate
            && let Some(object) = self.points_to.variable(variable)
        {
            let cells: Vec<CellId> = self.points_to.cells(object).collect();
            self.store(&cells, true);
        }
    }
}
