//! The loops of `main` and what it calls.

use super::model::{Load, SelectedLoop};
use super::profile::Profile;
use crate::analysis::points_to::PointsTo;
use crate::catalog::Catalogue;
use crate::dataflow::Loops;
use crate::dataflow::steps::Steps;
use crate::program::Program;

impl Load {
    /// Looks at a program.
    pub fn of(
        program: &Program,
        steps: &Steps,
        _points_to: &PointsTo,
        _catalogue: &Catalogue,
        _profile: Option<&Profile>,
    ) -> Load {
        let mut load = Load::default();
        let Some(routine) = steps.routine_named(program, "main") else {
            return load;
        };
        let at = steps.routine(routine).function;
        let function = program.units[at.unit].function(at.function);
        let loops = Loops::of(function);
        let outermost = loops.all.iter().filter(|one| one.parent.is_none());
        if let Some(largest) = outermost.max_by_key(|one| one.span.end - one.span.start) {
            load.selected.push(SelectedLoop {
                routine,
                statement: largest.statement,
                span: largest.span,
                by_goto: largest.by_goto,
                value: 0.0,
                reason: "it is the largest loop of main".to_string(),
            });
        }
        load
    }
}
