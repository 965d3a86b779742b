//! What `--emit` prints of the analyses of the whole program, and the check that runs without being asked.

use super::clock::Clock;
use super::explain;
use super::options::{Denied, Options, Stage};
use super::run::diagnostic;
use crate::analysis::absent;
use crate::analysis::assumed;
use crate::analysis::called_back;
use crate::analysis::children;
use crate::analysis::communication::{self, Communication};
use crate::analysis::completeness::{self, Spent};
use crate::analysis::coverage;
use crate::analysis::effects::{self, Effects};
use crate::analysis::ends;
use crate::analysis::joined;
use crate::analysis::lasting;
use crate::analysis::liveness;
use crate::analysis::load::{self, Load};
use crate::analysis::lost_states;
use crate::analysis::passing_files;
use crate::analysis::points_to::{self, PointsTo};
use crate::analysis::reach::control;
use crate::analysis::{Analysed, Proven, analyse, in_step, lowered};
use crate::catalog::Catalogue;
use crate::dataflow::steps::dump;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::program::{Directive, Program};

/// The catalogue for a program of which no process or no thread is there at a checkpoint.
pub fn catalogue_for(program: &Program, catalogue: &Catalogue) -> Option<Catalogue> {
    let awaited = children::catalogue(program, catalogue);
    joined::catalogue(program, awaited.as_ref().unwrap_or(catalogue)).or(awaited)
}

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
        told.extend(lost_states::diagnostics(found, denied));
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
    let steps_of = |clock: &mut Clock| {
        let steps = lowered(program, catalogue);
        clock.lap("steps");
        steps
    };
    let pointers_of = |clock: &mut Clock| {
        let steps = steps_of(clock);
        let points_to = PointsTo::of(program, &steps, catalogue);
        clock.lap("points-to");
        (steps, points_to)
    };
    let analysed = |clock: &mut Clock, dump: &dyn Fn(&Analysed) -> String| {
        analyse(program, catalogue, &mut |pass| clock.lap(pass), dump)
    };
    Some(match stage {
        Stage::Source
        | Stage::Syntax
        | Stage::Directive
        | Stage::Program
        | Stage::Analysis
        | Stage::Unknown
        | Stage::Plan
        | Stage::Rewrite => return None,
        Stage::Steps => {
            let steps = steps_of(clock);
            let units = 0..program.units.len();
            units.map(|unit| dump(program, &steps, unit)).collect()
        }
        Stage::PointsTo => {
            let (steps, points_to) = pointers_of(clock);
            points_to::text::dump(program, &steps, &points_to)
        }
        Stage::Load => {
            let (steps, points_to) = pointers_of(clock);
            let profile = options.loops();
            let load = Load::of(program, &steps, &points_to, catalogue, profile);
            clock.lap("load");
            load::dump(program, &steps, &load)
        }
        Stage::Communication => {
            let (steps, points_to) = pointers_of(clock);
            let effects = Effects::of(program, &steps, &points_to, catalogue);
            clock.lap("effects");
            let control = control(&steps, &effects);
            let found =
                Communication::of(program, &steps, &points_to, &effects, catalogue, &control);
            clock.lap("communication");
            communication::dump(program, &steps, &found)
        }
        Stage::Effects => analysed(clock, &|found| {
            effects::dump(program, found.effects, found.steps, found.points_to)
        }),
        Stage::Coverage => analysed(clock, &|found| {
            coverage::dump(program, found.steps, found.points_to, found.coverage)
        }),
        Stage::Liveness => analysed(clock, &|found| liveness::dump(found.liveness)),
        Stage::Completeness => analysed(clock, &|found| {
            completeness::dump(program, found.liveness, found.completeness)
        }),
    })
}
