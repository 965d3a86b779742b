//! What the analysis looks at, and simple questions to it.

use crate::analysis::effects::Effects;
use crate::analysis::points_to::PointsTo;
use crate::catalog::Catalogue;
use crate::dataflow::steps::{RoutineId, Steps, TextPlace};
use crate::program::{Program, Statement};
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

    /// Whether several threads may be in a function when it is called.
    pub fn is_called_in_team(&self, routine: RoutineId) -> bool {
        self.points_to.teams().may_be_in(routine)
    }
}
