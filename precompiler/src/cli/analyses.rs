//! The analyses of the whole program, each once and in their order.

use super::clock::Clock;
use super::options::{Denied, Options, Stage};
use crate::analysis::communication::{self, Communication};
use crate::analysis::completeness::{self, Completeness};
use crate::analysis::coverage::{self, Coverage};
use crate::analysis::effects::{self, Effects};
use crate::analysis::liveness::{self, Liveness};
use crate::analysis::load::{self, Load};
use crate::analysis::points_to::{self, PointsTo};
use crate::catalog::Catalogue;
use crate::dataflow::steps::{Steps, dump};
use crate::diagnostic::Diagnostic;
use crate::program::{Directive, Program};

/// What they found out.
pub struct Analysed<'a> {
    /// The program.
    pub program: &'a Program,
    /// What library functions do.
    pub catalogue: &'a Catalogue,
    /// What happens.
    pub steps: &'a Steps,
    /// What pointers lead to.
    pub points_to: &'a PointsTo,
    /// What functions do.
    pub effects: &'a Effects,
    /// Which arrays loops and calls overwrite.
    pub coverage: &'a Coverage,
    /// What is live at checkpoints.
    pub liveness: &'a Liveness<'a>,
    /// What a restart does about it.
    pub completeness: &'a Completeness,
}

/// Runs them all and hands the results over.
pub fn analyse<R>(
    program: &Program,
    catalogue: &Catalogue,
    clock: &mut Clock,
    with: impl FnOnce(&Analysed) -> R,
) -> R {
    let steps = Steps::of(program, catalogue);
    clock.lap("steps");
    let points_to = PointsTo::of(program, &steps, catalogue);
    clock.lap("points-to");
    let mut effects = Effects::of(program, &steps, &points_to, catalogue);
    clock.lap("effects");
    let coverage = Coverage::of(program, &steps, &points_to, catalogue, &effects);
    effects.cover(&coverage, &steps, &points_to);
    clock.lap("coverage");
    let liveness = Liveness::of(program, &steps, &points_to, &effects);
    clock.lap("liveness");
    let completeness = Completeness::of(catalogue, &liveness);
    clock.lap("completeness");
    with(&Analysed {
        program,
        catalogue,
        steps: &steps,
        points_to: &points_to,
        effects: &effects,
        coverage: &coverage,
        liveness: &liveness,
        completeness: &completeness,
    })
}

/// Whether something is saved, so that something can be forgotten.
pub fn has_checkpoint(program: &Program) -> bool {
    let mut directives = program.units.iter().flat_map(|unit| &unit.directives);
    directives.any(|one| matches!(one.directive, Directive::Checkpoint { .. }))
}

/// The check of a program that has a checkpoint.
pub fn check(
    options: &Options,
    program: &Program,
    catalogue: &Catalogue,
    clock: &mut Clock,
) -> Vec<Diagnostic> {
    if !has_checkpoint(program) {
        return Vec::new();
    }
    let denied = options.denies(Denied::Incomplete);
    analyse(program, catalogue, clock, |found| {
        completeness::diagnostics(program, found.steps, found.completeness, denied)
    })
}

/// What an analysis of the whole program found out, as text; `None` for other stages.
pub fn emit(
    stage: Stage,
    options: &Options,
    program: &Program,
    catalogue: &Catalogue,
    clock: &mut Clock,
) -> Option<String> {
    if stage == Stage::Steps {
        let steps = Steps::of(program, catalogue);
        clock.lap("steps");
        let units = 0..program.units.len();
        return Some(units.map(|unit| dump(program, &steps, unit)).collect());
    }
    if stage == Stage::PointsTo {
        let steps = Steps::of(program, catalogue);
        clock.lap("steps");
        let points_to = PointsTo::of(program, &steps, catalogue);
        clock.lap("points-to");
        return Some(points_to::text::dump(program, &steps, &points_to));
    }
    if stage == Stage::Load {
        let steps = Steps::of(program, catalogue);
        clock.lap("steps");
        let points_to = PointsTo::of(program, &steps, catalogue);
        clock.lap("points-to");
        let profile = options.profile.as_ref();
        let load = Load::of(program, &steps, &points_to, catalogue, profile);
        clock.lap("load");
        return Some(load::dump(program, &steps, &load));
    }
    if stage == Stage::Communication {
        let steps = Steps::of(program, catalogue);
        clock.lap("steps");
        let points_to = PointsTo::of(program, &steps, catalogue);
        clock.lap("points-to");
        let effects = Effects::of(program, &steps, &points_to, catalogue);
        clock.lap("effects");
        let found = Communication::of(program, &steps, &points_to, &effects, catalogue);
        clock.lap("communication");
        return Some(communication::dump(program, &steps, &found));
    }
    if !matches!(
        stage,
        Stage::Effects | Stage::Coverage | Stage::Liveness | Stage::Completeness
    ) {
        return None;
    }
    Some(analyse(program, catalogue, clock, |found| match stage {
        Stage::Effects => effects::dump(program, found.effects, found.steps, found.points_to),
        Stage::Coverage => coverage::dump(program, found.steps, found.points_to, found.coverage),
        Stage::Liveness => liveness::dump(found.liveness),
        _ => completeness::dump(program, found.steps, found.completeness),
    }))
}
