//! One function, seen as text, as steps and as actions at once: what is read and stored where in the text.

use std::collections::HashMap;
use std::ops::Deref;

use crate::analysis::effects::{Action, ActionKind, Body, Effects, SetId, walk};
use crate::analysis::memory::{CellId, ObjectId};
use crate::analysis::points_to::{PointsTo, Touched};
use crate::catalog::Catalogue;
use crate::dataflow::steps::{Call, Location, Routine, RoutineId, Step, StepKind, Steps, ValueId};
use crate::dataflow::{Control, Flow};
use crate::program::{Expression, Function, Program, StatementId, TypeId, TypeKind, Unit};
use crate::source::Span;

use super::facts::Facts;

/// What all passes before found out.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    pub program: &'a Program,
    pub steps: &'a Steps,
    pub points_to: &'a PointsTo,
    pub catalogue: &'a Catalogue,
    pub effects: &'a Effects,
    pub control: &'a Control<'a>,
}

/// A function.
pub struct View<'a> {
    pub known: Known<'a>,
    pub id: RoutineId,
    pub routine: &'a Routine,
    pub unit: &'a Unit,
    pub function: &'a Function,
    pub body: &'a Body,
    /// What is read by the expression at a span.
    reads: HashMap<Span, Vec<&'a Location>>,
    /// The steps that store, by their span, with their nodes.
    writes: HashMap<Span, Vec<(usize, &'a Step)>>,
    /// The nodes of a statement, in ascending order.
    nodes: HashMap<StatementId, Vec<usize>>,
    expressions: HashMap<Span, &'a Expression>,
    /// The step that sets a value.
    setters: HashMap<ValueId, &'a Step>,
    /// The calls at a span, with their nodes.
    calls: HashMap<Span, Vec<(usize, &'a Call)>>,
    /// What is returned, when it is a scalar.
    pub returned: Vec<ValueId>,
}

/// A function and what is known of arrays and integers in the whole program.
#[derive(Clone, Copy)]
pub struct Look<'v, 'a> {
    pub view: &'v View<'a>,
    pub facts: &'v Facts<'a>,
}

impl<'a> Deref for Look<'_, 'a> {
    type Target = View<'a>;

    fn deref(&self) -> &View<'a> {
        self.view
    }
}

impl<'a> View<'a> {
    pub fn of(known: Known<'a>, id: RoutineId) -> View<'a> {
        let routine = known.steps.routine(id);
        let unit = &known.program.units[routine.function.unit];
        let mut view = View {
            known,
            id,
            routine,
            unit,
            function: unit.function(routine.function.function),
            body: &known.effects.bodies[id.0 as usize],
            reads: HashMap::new(),
            writes: HashMap::new(),
            nodes: HashMap::new(),
            expressions: HashMap::new(),
            setters: HashMap::new(),
            calls: HashMap::new(),
            returned: Vec::new(),
        };
        for (number, steps) in routine.nodes.iter().enumerate() {
            for step in steps {
                step.walk(&mut |step| {
                    view.setters.extend(step.sets().map(|value| (value, step)));
                    match &step.kind {
                        StepKind::Read { place, .. } => {
                            view.reads.entry(step.span).or_default().push(place);
                        }
                        StepKind::Write { .. } | StepKind::Copy { .. } => {
                            let writes = view.writes.entry(step.span).or_default();
                            writes.push((number, step));
                        }
                        StepKind::Call(call) => {
                            view.calls
                                .entry(step.span)
                                .or_default()
                                .push((number, call));
                        }
                        StepKind::Return { value, .. } => view.returned.extend(value),
                        _ => {}
                    }
                });
            }
        }
        for (number, node) in routine.flow.nodes.iter().enumerate() {
            if let Some(statement) = node.statement {
                view.nodes.entry(statement).or_default().push(number);
            }
        }
        let expressions = &mut view.expressions;
        let add = &mut |expression: &'a Expression| {
            expressions.entry(expression.span).or_insert(expression);
        };
        view.function.body.walk_expressions(add);
        view
    }

    /// The expression at a span.
    pub fn expression(&self, span: Span) -> Option<&'a Expression> {
        self.expressions.get(&span).copied()
    }

    /// The nodes of a statement.
    pub fn nodes_of(&self, statement: StatementId) -> &[usize] {
        self.nodes.get(&statement).map_or(&[], Vec::as_slice)
    }

    /// The only store that an expression makes, and its node.
    pub fn store(&self, span: Span) -> Option<(usize, &'a Step)> {
        match self.writes.get(&span)?.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// All stores that the expression or declarator at a span makes.
    pub fn stores(&self, span: Span) -> &[(usize, &'a Step)] {
        self.writes.get(&span).map_or(&[], Vec::as_slice)
    }

    /// The calls at a span.
    pub fn calls(&self, span: Span) -> &[(usize, &'a Call)] {
        self.calls.get(&span).map_or(&[], Vec::as_slice)
    }

    /// All calls, with their spans and nodes.
    pub fn all_calls(&self) -> impl Iterator<Item = (Span, usize, &'a Call)> + '_ {
        let calls = self.calls.iter();
        calls.flat_map(|(span, calls)| calls.iter().map(|(node, call)| (*span, *node, *call)))
    }

    /// The step that sets a value.
    pub fn setter(&self, value: ValueId) -> Option<&'a Step> {
        self.setters.get(&value).copied()
    }

    pub fn kind(&self, ty: TypeId) -> &'a TypeKind {
        self.unit.kind(ty)
    }

    pub fn touched(&self, place: &Location) -> Touched {
        self.known.points_to.touched(self.id, place)
    }

    /// The one cell that an expression reads, when it is surely that one.
    pub fn cell_read(&self, expression: &Expression) -> Option<CellId> {
        let qualifiers = self.unit.ty(expression.ty).qualifiers;
        if qualifiers.is_volatile || qualifiers.is_atomic {
            return None;
        }
        let (first, others) = self.reads.get(&expression.span)?.split_first()?;
        let same = others.iter().all(|other| other == first);
        same.then(|| self.exact(first)).flatten()
    }

    /// The one cell that a place is.
    pub fn exact(&self, place: &Location) -> Option<CellId> {
        let touched = self.touched(place);
        match &touched.cells[..] {
            [only] if touched.exact && !touched.unknown => {
                let cell = &self.known.points_to.memory.cells[only.0 as usize];
                (!cell.is_many).then_some(*only)
            }
            _ => None,
        }
    }

    /// The object in which cells lie, when it is one that there is only one of.
    pub fn single_object(&self, cells: &[CellId]) -> Option<ObjectId> {
        let memory = &self.known.points_to.memory;
        let object = memory.cells[cells.first()?.0 as usize].object;
        let one = &memory.objects[object.0 as usize];
        let same = cells
            .iter()
            .all(|cell| memory.cells[cell.0 as usize].object == object);
        (same && one.is_single && one.collapsed.is_none()).then_some(object)
    }

    /// The nodes inside a span of the text.
    pub fn nodes_in(&self, span: Span) -> impl Iterator<Item = usize> + '_ {
        let nodes = self.routine.flow.nodes.iter().enumerate();
        nodes
            .filter(move |(number, node)| {
                *number > Flow::EXIT.0 && node.statement.is_some() && span.contains(node.span)
            })
            .map(|(number, _)| number)
    }

    /// Calls `visit` for every action of some nodes, those inside others too.
    pub fn actions(&self, nodes: &[usize], visit: &mut dyn FnMut(usize, &'a Action)) {
        for &node in nodes {
            walk(&self.body.nodes[node], &mut |action| visit(node, action));
        }
    }

    pub fn has(&self, set: SetId, cell: CellId) -> bool {
        self.known.effects.cells(set).binary_search(&cell).is_ok()
    }

    /// Whether an action may change what a cell holds, itself or through what it calls.
    pub fn changes(&self, action: &Action, cell: CellId) -> bool {
        match &action.kind {
            ActionKind::Write { cells, .. } | ActionKind::Free { cells, .. } => {
                self.has(*cells, cell)
            }
            ActionKind::Begin { object, .. } => {
                self.known.points_to.memory.cells[cell.0 as usize].object == *object
            }
            ActionKind::Call {
                routines, spared, ..
            } => {
                !self.known.effects.is_spared(*spared, cell)
                    && routines.iter().any(|&routine| {
                        let summary = self.known.effects.summary(routine);
                        let number = cell.0 as usize;
                        summary.writes.contains(number) || summary.frees.contains(number)
                    })
            }
            _ => false,
        }
    }

    /// Whether anything in some nodes may change what a cell holds.
    pub fn any_changes(&self, nodes: &[usize], cell: CellId) -> bool {
        let mut found = false;
        self.actions(nodes, &mut |_, action| found |= self.changes(action, cell));
        found
    }

    /// Whether an action may read a cell, itself or through what it calls.
    pub fn looks_at(&self, action: &Action, cell: CellId) -> bool {
        match &action.kind {
            ActionKind::Read(cells) => self.has(*cells, cell),
            ActionKind::Call {
                routines, spared, ..
            } => {
                !self.known.effects.is_spared(*spared, cell)
                    && routines.iter().any(|&routine| {
                        let summary = self.known.effects.summary(routine);
                        summary.reads.contains(cell.0 as usize)
                    })
            }
            _ => false,
        }
    }
}
