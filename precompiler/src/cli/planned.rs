//! Whether there is a plan for the directives that auto mode writes.

use super::analyses;
use super::clock::Clock;
use super::inferred::in_users_words;
use super::options::Options;
use super::run::diagnostic;
use crate::analysis::{Analysed, Finding, Proven};
use crate::auto::Findings;
use crate::catalog::Catalogue;
use crate::diagnostic::{Code, Diagnostic};
use crate::plan::{Dispatch, plan_program};
use crate::program::Program;

/// Arguments for which calls have no value on restart, where blocks read them.
pub fn lost_arguments(found: &Analysed) -> Findings {
    let mut blocks = found.completeness.blocks.iter();
    if blocks.all(|one| one.nowhere.is_empty()) {
        return Findings::new();
    }
    let proven = Proven::of(found);
    let plans = plan_program(found.program, found.catalogue, &proven, Dispatch::Label);
    let findings = plans.into_iter().enumerate().flat_map(|(unit, planned)| {
        let findings = planned.findings.into_iter();
        findings.map(move |one| (unit, one))
    });
    let is_lost = |(_, one): &(usize, Finding)| one.code == Code::LOST_POINTER && !one.warning;
    findings.filter(is_lost).collect()
}

/// Why there is no plan for a program whose directives are good by themselves; and whether checkpoints would hold pointers in numbers,
/// unions or bytes, as far as it shows.
pub fn plan_errors(
    options: &Options,
    program: &Program,
    catalogue: &Catalogue,
    clock: &mut Clock,
) -> (Vec<Diagnostic>, bool) {
    let proven = analyses::check(options, program, catalogue, false, clock).proven;
    let plans = plan_program(program, catalogue, &proven, Dispatch::Label);
    clock.lap("plan");
    let mut errors = Vec::new();
    for (unit, planned) in program.units.iter().zip(plans) {
        let found = planned.findings.iter().filter(|one| !one.warning);
        let found = found.map(|one| diagnostic(unit, one));
        errors.extend(in_users_words(found.collect(), program));
    }
    (errors, proven.are_disguised)
}
