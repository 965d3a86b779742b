//! What `--emit` prints of the analyses of the whole program, and the check that runs without being asked.

use super::clock::Clock;
use super::explain;
use super::options::{Denied, Options, Stage};
use super::run::diagnostic;
use crate::analysis::absent;
use crate::analysis::assumed;
use crate::analysis::called_back;
use crate::analysis::communication::{self, Communication};
use crate::analysis::completeness::{self, Spent};
use crate::analysis::coverage;
use crate::analysis::effects::{self, Effects};
use crate::analysis::ends;
use crate::analysis::lasting;
use crate::analysis::liveness;
use crate::analysis::load::{self, Load};
use crate::analysis::passing_files;
use crate::analysis::points_to::{self, PointsTo};
use crate::analysis::{Proven, analyse, in_step};
use crate::catalog::Catalogue;
use crate::dataflow::steps::{Steps, dump};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::program::{Directive, Program};

/// Whether something is saved, so that something can be forgotten.
pub fn has_checkpoint(program: &Program) -> bool {
    let mut directives = program.units.iter().flat_map(|unit| &unit.directives);
    directives.any(|one| matches!(one.directive, Directive::Checkpoint { .. }))
}

/// What came of the check.
#[derive(Default)]
pub struct Checked {
    /// What there is to say.
    pub diagnostics: Vec<Diagnostic>,
    /// What the plan has to know.
    pub proven: Proven,
    /// The checkpoints, a line each; none when they are not wanted.
    pub checkpoints: Vec<String>,
}

/// The check of a program that has a checkpoint; `are_shown`: with a line for each.
pub fn check(
    options: &Options,
    program: &Program,
    catalogue: &Catalogue,
    are_shown: bool,
    clock: &mut Clock,
) -> Checked {
    if !has_checkpoint(program) {
        return Checked::default();
    }
    let denied = options.denies(Denied::Incomplete);
    analyse(program, catalogue, &mut |pass| clock.lap(pass), |found| {
        let mut told = completeness::diagnostics(program, found.steps, found.completeness, denied);
        // Who leaves it to auto mode what is saved is not to find out from a warning that a part is missing.
        let lengths = told.iter_mut().filter(|one| one.code == Code::WRONG_LENGTH);
        lengths
            .filter(|_| options.auto)
            .for_each(|one| one.severity = Severity::Error);
        told.extend(lasting::diagnostics(
            found,
            options.denies(Denied::Repeated),
            denied,
        ));
        told.extend(called_back::diagnostics(found));
        told.extend(in_step(found));
        told.extend(passing_files::diagnostics(found, denied));
        let absent = absent::findings(found).into_iter();
        told.extend(absent.map(|(unit, one)| diagnostic(&program.units[unit], &one)));
        let ends = ends::findings(program, catalogue).into_iter();
        told.extend(ends.map(|(unit, one)| diagnostic(&program.units[unit], &one)));
        if options.denies(Denied::Assumed) {
            let all = assumed::findings(found).into_iter();
            told.extend(all.map(|(unit, one)| diagnostic(&program.units[unit], &one)));
        }
        let mut proven = Proven::of(found);
        proven.spent = options
            .poison
            .then(|| Spent::of(found.liveness, found.completeness));
        Checked {
            diagnostics: told,
            proven,
            checkpoints: match are_shown {
                true => explain::checkpoints(options, found),
                false => Vec::new(),
            },
        }
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
        let profile = options.loops();
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
    Some(analyse(
        program,
        catalogue,
        &mut |pass| clock.lap(pass),
        |found| match stage {
            Stage::Effects => effects::dump(program, found.effects, found.steps, found.points_to),
            Stage::Coverage => {
                coverage::dump(program, found.steps, found.points_to, found.coverage)
            }
            Stage::Liveness => liveness::dump(found.liveness),
            _ => completeness::dump(program, found.steps, found.completeness),
        },
    ))
}
