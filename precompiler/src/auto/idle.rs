//! Loops that do much of the work and are no place for a checkpoint: what is said about them.
//!
//! In: the loads of all loops. Out: a refusal when there is no other loop, and otherwise a warning, with what would make room
//! for a checkpoint where that is known.

use super::proposal::Proposal;
use crate::analysis::Analysed;
use crate::analysis::Finding;
use crate::analysis::load::{Load, LoopLoad, percent};
use crate::diagnostic::Code;
use crate::source::{SourceFile, Span};

/// The share of the work from which on a loop is worth a word.
const ENOUGH: f64 = 0.05;
/// The same of a loop like that of the time steps.
const SOME: f64 = 0.01;

/// The program has no loop that a checkpoint would be for.
pub(super) fn no_loop(facts: &Analysed, load: &Load, proposal: &mut Proposal) {
    let help =
        "write `#pragma cccp checkpoint` by hand where one may be taken; auto mode does the rest";
    let message = "no loop of the program does enough for a checkpoint";
    let main = facts.effects.main.map_or(0, |main| facts.unit_index(main));
    let excluded = load.all().iter().filter(|one| one.excluded.is_some());
    let largest = excluded.min_by(|a, b| a.value.total_cmp(&b.value));
    let finding = match largest {
        Some(one) if (one.instructions * one.accesses).sqrt() >= ENOUGH => {
            let unit = facts.unit_index(one.routine);
            let file = &facts.program.units[unit].file;
            let head = head(file, one.span);
            let share = percent((one.instructions * one.accesses).sqrt());
            let why = one.excluded.as_deref().unwrap_or_default();
            let finding = Finding::error(Code::AUTO_NO_CHECKPOINT, message)
                .at(file.message_place(head), head)
                .label(format!("this one does {share} of the work"))
                .reason(format!("a checkpoint cannot be taken in it: {why}"))
                .help(one.cure.unwrap_or(help));
            (unit, finding)
        }
        _ => {
            let finding = Finding::error(Code::AUTO_NO_CHECKPOINT, message)
                .reason("checkpoints are put into loops with a large part of the program's work; there is none")
                .help(help);
            (main, finding)
        }
    };
    proposal.findings.push(finding);
}

/// Loops outside of all others that are no place for a checkpoint, beside those that are: they do much, or are the only ones
/// that go over the same data again and again, as the time steps of a program do.
pub(super) fn idle_loops(facts: &Analysed, load: &Load, proposal: &mut Proposal) {
    let share = |one: &LoopLoad| (one.instructions * one.accesses).sqrt();
    let is_selected = |one: &LoopLoad| {
        let mut selected = load.selected().iter();
        selected.any(|chosen| chosen.routine == one.routine && chosen.statement == one.statement)
    };
    let mut all = load.all().iter();
    let least = match all.any(|one| one.repeats && is_selected(one)) {
        true => ENOUGH,
        false => SOME,
    };
    let is_idle = |one: &&LoopLoad| {
        let enough = if one.repeats { least } else { ENOUGH };
        one.is_outermost && share(one) >= enough
    };
    for one in load.all().iter().filter(is_idle) {
        let (Some(why), Some(cure)) = (&one.excluded, one.cure) else {
            continue;
        };
        let unit = facts.unit_index(one.routine);
        let file = &facts.program.units[unit].file;
        let head = head(file, one.span);
        let message = "no checkpoint can be taken in this loop";
        let finding = Finding::warning(Code::AUTO_NO_CHECKPOINT, message)
            .at(file.message_place(head), head)
            .label(format!("it does {} of the work", percent(share(one))))
            .reason(why.clone())
            .help(cure);
        proposal.findings.push((unit, finding));
    }
}

/// The line with which a loop begins.
pub(super) fn head(file: &SourceFile, mut span: Span) -> Span {
    let text = file.preprocessed_text(span);
    span.end = span.start + text.find(['\n', '{']).unwrap_or(text.len());
    span
}
