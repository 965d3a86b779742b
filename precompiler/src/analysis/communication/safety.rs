//! The answer for a place.

use super::model::Safety;
use super::parallel::Parallel;
use crate::analysis::effects::Effects;
use crate::analysis::points_to::PointsTo;
use crate::catalog::Catalogue;
use crate::dataflow::NodeId;
use crate::dataflow::steps::{Called, RoutineId, StepKind, Steps, TextPlace};
use crate::program::Program;

/// What is known of the messages of a program.
pub struct Communication<'a> {
    steps: &'a Steps,
    parallel: Parallel,
    /// A call of MPI.
    message: Option<TextPlace>,
}

impl<'a> Communication<'a> {
    /// Looks at a program.
    pub fn of(
        program: &'a Program,
        steps: &'a Steps,
        points_to: &'a PointsTo,
        effects: &'a Effects,
        _catalogue: &'a Catalogue,
    ) -> Communication<'a> {
        let mut message = None;
        for routine in &steps.routines {
            let unit = routine.function.unit;
            routine.walk(&mut |step| {
                if let StepKind::Call(call) = &step.kind
                    && let Called::Named(name) = &call.callee
                    && (name.starts_with("MPI_") || name.starts_with("PMPI_"))
                {
                    message.get_or_insert(TextPlace {
                        unit,
                        span: step.span,
                    });
                }
            });
        }
        Communication {
            steps,
            parallel: Parallel::of(program, steps, points_to, effects),
            message,
        }
    }

    /// Whether a checkpoint may be taken when control is just before this node: on all ranks, in every context.
    pub fn safety(&self, routine: RoutineId, node: NodeId) -> Safety {
        let span = self.steps.routine(routine).flow.nodes[node.0].span;
        if let Some(found) = self.parallel.around(self.steps, routine, span) {
            return Safety::Unsafe {
                why: found.why,
                places: vec![found.place],
            };
        }
        match self.message {
            Some(place) => Safety::Unsafe {
                why: "Messages may be under way.".to_string(),
                places: vec![place],
            },
            None => Safety::Safe {
                why: "there are no messages and only one thread".to_string(),
            },
        }
    }
}
