//! What the analysis looks at, and simple questions to it.

use crate::analysis::effects::{ActionKind, Effects, walk};
use crate::analysis::memory::{CellId, CellSet, ObjectKind};
use crate::analysis::points_to::PointsTo;
use crate::catalog::Catalogue;
use crate::dataflow::steps::{RoutineId, Steps, TextPlace};
use crate::program::{Program, Statement, Storage};
use crate::source::Span;

/// What an analysis looks at.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    pub program: &'a Program,
    pub steps: &'a Steps,
    pub points_to: &'a PointsTo,
    pub effects: &'a Effects,
    pub catalogue: &'a Catalogue,
}

impl<'a> Known<'a> {
    /// The body of a function.
    pub fn body(&self, routine: RoutineId) -> &'a Statement {
        let at = self.steps.routine(routine).function;
        &self.program.units[at.unit].function(at.function).body
    }

    /// A text of a function.
    pub fn place(&self, routine: RoutineId, span: Span) -> TextPlace {
        let unit = self.steps.routine(routine).function.unit;
        TextPlace { unit, span }
    }

    /// The functions that the library calls in a call at a node: those that it is given, wherever they were stored, and those that it
    /// keeps.
    pub fn called_back(&self, routine: RoutineId, node: usize, span: Span) -> Vec<RoutineId> {
        let mut called = Vec::new();
        let actions = self.effects.bodies[routine.0 as usize].nodes.get(node);
        walk(
            actions.into_iter().flatten(),
            &mut |action| match &action.kind {
                ActionKind::Call { routines, .. } if action.span == span => called.extend(routines),
                _ => {}
            },
        );
        called
    }

    /// Whether several threads may be in a function when it is called.
    pub fn is_called_in_team(&self, routine: RoutineId) -> bool {
        self.points_to.teams().may_be_in(routine)
    }
}

/// What can be reached through pointers from memory that is no thread's own.
pub fn reached_from_shared(steps: &Steps, points_to: &PointsTo) -> CellSet {
    let objects = points_to.memory.objects.iter();
    let shared = objects.filter(|object| match &object.kind {
        ObjectKind::Variable(id) => {
            let variable = steps.variable(*id);
            let is_local = matches!(variable.storage, Storage::Automatic | Storage::Register);
            let owner = variable.owner.filter(|_| is_local);
            !owner.is_some_and(|owner| points_to.teams().has(*id, owner))
        }
        ObjectKind::Heap { .. } => object.is_single,
        ObjectKind::Function(_) | ObjectKind::Text(_) => false,
        ObjectKind::Library(_) | ObjectKind::Unknown => true,
    });
    let cells = shared.flat_map(|object| object.first.0..object.first.0 + object.count);
    let pointed = cells.flat_map(|cell| points_to.pointees(CellId(cell)));
    points_to.reachable(pointed)
}
