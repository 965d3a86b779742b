//! What is said of loops: of those that get no checkpoint, and of checkpoints in them that are not known to be safe.

use std::collections::BTreeMap;

use super::checkpoints::NoPoint;
use super::idle::head;
use super::proposal::Proposal;
use crate::analysis::Analysed;
use crate::analysis::Finding;
use crate::analysis::communication::{Parallel, Ranks, Safety};
use crate::analysis::joined;
use crate::analysis::load::SelectedLoop;
use crate::analysis::unknown::why_not_silent;
use crate::dataflow::steps::TextPlace;
use crate::diagnostic::Code;
use crate::source::Span;

/// A loop that runs come to which do not initialise MPI.
pub(super) fn before_mpi(facts: &Analysed, chosen: &SelectedLoop, proposal: &mut Proposal) {
    let unit = facts.unit_index(chosen.routine);
    let file = &facts.program.units[unit].file;
    let head = head(file, chosen.span);
    let finding = Finding::warning(
        Code::AUTO_NO_CHECKPOINT,
        "no checkpoint can be taken in this loop",
    )
    .at(file.message_place(head), head)
    .label("no way leads here from where MPI is initialised")
    .reason("a run has one beginning, behind `MPI_Init`; runs that come here have none, and are not protected")
    .help("initialise MPI in all runs, before the ways part");
    proposal.findings.push((unit, finding));
}

/// A loop without a safe point. An error when no other loop has one. Beside the reason: a function whose messages cannot be
/// counted.
pub(super) fn no_safe_point(
    facts: &Analysed,
    chosen: &SelectedLoop,
    (found, uncounted): (&NoPoint, Option<&str>),
    others: bool,
    proposal: &mut Proposal,
) {
    let unit = facts.unit_index(chosen.routine);
    let file = &facts.program.units[unit].file;
    let message = "no checkpoint can be taken in this loop";
    let mut finding = match others {
        true => Finding::warning(Code::AUTO_NO_CHECKPOINT, message),
        false => Finding::error(Code::AUTO_NO_CHECKPOINT, message),
    };
    let head = head(file, chosen.span);
    finding = finding
        .at(file.message_place(head), head)
        .label(chosen.reason.clone());
    finding = match found {
        NoPoint::Unsafe(safety) => {
            let reason = because(facts, unit, safety);
            finding.reason(match (safety, uncounted) {
                // Otherwise the library would find out in the run.
                (
                    Safety::Unsafe {
                        is_certain: false, ..
                    },
                    Some(name),
                ) => {
                    let why = why_not_silent(facts.catalogue, name);
                    let why = why.map_or_else(String::new, |why| format!(", which {why}"));
                    format!("{reason}; and messages cannot be counted in the run, because of `{name}`{why}")
                }
                _ => reason,
            })
        }
        NoPoint::Alone => finding.reason(
            "ranks may iterate one of the loops with a checkpoint differently often, so that their checkpoints do not belong \
             together when some are taken elsewhere",
        ),
        NoPoint::Apart(place) => finding.reason(format!(
            "some ranks may pass it more often than others ({}), so that their checkpoints do not belong together when others are \
             taken elsewhere",
            facts.line(*place, unit)
        )),
        NoPoint::Some => finding.reason(
            "it is known to be safe with some numbers of ranks only, and `init` names a communicator with another number",
        ),
        NoPoint::Absent(rank, place) => {
            let at = place.map_or_else(String::new, |place| {
                format!(" ({})", facts.line(place, unit))
            });
            finding.reason(format!(
                "rank {rank} never comes to it: it goes another way{at}, so there would never be a checkpoint of all ranks"
            ))
        }
        NoPoint::NoRoom => {
            finding.reason("its text comes from a macro, or leaves no room for a line")
        }
    };
    let is_beside = runs_beside_others(facts, chosen);
    finding = finding.help(match found {
        NoPoint::Absent(..) => {
            "where one rank hands out work to the others, let it do so in rounds: a loop that all ranks go through, at whose end every \
             message has been received; auto mode then puts the checkpoint between two rounds".to_string()
        }
        // Without ranks only other threads can be in the way.
        NoPoint::Unsafe(_)
            if is_beside
                || !facts.program.units.iter().any(|one| one.uses_mpi) =>
        {
            let uncounted = match is_beside {
                true => joined::in_the_way(facts.program, facts.catalogue),
                false => None,
            };
            let uncounted = uncounted.map_or_else(String::new, |(what, place)| {
                let line = place.map(|place| format!(" ({})", facts.line(place, unit)));
                let line = line.unwrap_or_default();
                format!("; threads that are joined would be counted, but not beside {what}{line}")
            });
            format!(
                "a checkpoint goes where one thread runs: let a loop make its threads and join them in each pass, or have its parallel \
                 regions inside; auto mode then puts the checkpoint there, and `#pragma cccp checkpoint` does it by hand{uncounted}"
            )
        }
        _ => {
            let unknown = uncounted.filter(|name| facts.catalogue.find(name).is_none());
            let unknown = unknown.map_or_else(String::new, |name| {
                format!("; or, if `{name}` does not communicate, give the file that defines it, or say what it does in a file for `--catalog` (`--emit unknown` writes one)")
            });
            format!(
                "if all ranks pass a place equally often and no message is in flight there, write `#pragma cccp checkpoint` there by \
                 hand; auto mode does the rest{unknown}"
            )
        }
    });
    proposal.findings.push((unit, finding));
}

/// Whether other threads are there while a loop runs, whatever ranks do.
fn runs_beside_others(facts: &Analysed, chosen: &SelectedLoop) -> bool {
    let parallel = Parallel::of(facts.program, facts.steps, facts.points_to, facts.effects);
    let around = (chosen.span, chosen.span);
    parallel
        .around(facts.steps, chosen.routine, around, true)
        .is_some()
}

/// What is said of a loop that goes without a checkpoint.
pub const LEFT_OUT: &str = "no checkpoint is taken in this loop";

/// Loops that are worth a checkpoint and go without one, with their numbers. `most`: so many do most of the work, as far as it shows. `why`:
/// the error that there would be with them.
pub fn left_out(
    facts: &Analysed,
    rest: &[(usize, SelectedLoop)],
    most: usize,
    why: &str,
    proposal: &mut Proposal,
) {
    for (number, one) in rest {
        let unit = facts.unit_index(one.routine);
        let file = &facts.program.units[unit].file;
        let head = head(file, one.span);
        let finding = Finding::warning(Code::AUTO_NO_CHECKPOINT, LEFT_OUT)
            .at(file.message_place(head), head)
            .label(one.reason.clone())
            .reason(format!("with a checkpoint here and in the others, {why}"))
            .help(match *number < most {
                true => {
                    "as far as it shows, this loop does most of the work, and a run that is killed in it does all of it again; mark it by hand \
                     with `#pragma cccp checkpoint`: the errors then say what stands in the way"
                }
                false => {
                    "nothing has to be done when other loops take the time; otherwise mark this one by hand with \
                     `#pragma cccp checkpoint`: the errors then say what stands in the way"
                }
            });
        proposal.findings.push((unit, finding));
    }
}

/// Why a place is unsafe, or with what it is safe.
fn because(facts: &Analysed, unit: usize, safety: &Safety) -> String {
    match safety {
        Safety::Unequal { why, places } | Safety::Unsafe { why, places, .. } => {
            let lines: Vec<String> = places
                .iter()
                .map(|place| facts.line(*place, unit))
                .collect();
            let where_ = match lines.is_empty() {
                true => String::new(),
                false => format!(" ({})", lines.join(", ")),
            };
            format!("{}{where_}", why.trim_end_matches('.'))
        }
        Safety::Safe {
            ranks: Ranks::All, ..
        } => "ranks may pass it differently often: it is safe as long as there is no checkpoint outside of this loop".to_string(),
        Safety::Safe { ranks, .. } => format!("it is safe with `ranks({ranks})`"),
    }
}

/// A loop whose checkpoint is not taken with every number of ranks.
pub(super) fn some_ranks(
    facts: &Analysed,
    chosen: &SelectedLoop,
    ranks: &Ranks,
    proposal: &mut Proposal,
) {
    if *ranks == Ranks::All {
        return;
    }
    let unit = facts.unit_index(chosen.routine);
    let file = &facts.program.units[unit].file;
    let head = head(file, chosen.span);
    let finding = Finding::warning(
        Code::AUTO_SOME_RANKS,
        "checkpoints are not taken with every number of ranks",
    )
    .at(file.message_place(head), head)
    .label(format!("in this loop: only with `ranks({ranks})`"))
    .reason("which messages are in flight depends on the number of ranks, and it was followed for some numbers only; a run with \
             another number continues without these checkpoints, and says so at its start")
    .help("start it with one of these numbers; or, if no message is in flight there whatever the number, write \
           `#pragma cccp checkpoint` there by hand");
    proposal.findings.push((unit, finding));
}

/// Loops with a checkpoint of which nothing is known: one message for all that have the same reason.
pub(super) fn counted(facts: &Analysed, all: &[(&SelectedLoop, Safety)], proposal: &mut Proposal) {
    let mut groups: BTreeMap<String, Vec<&(&SelectedLoop, Safety)>> = BTreeMap::new();
    for one in all {
        let alike = groups.entry(because(facts, 0, &one.1)).or_default();
        alike.push(one);
    }
    for group in groups.values() {
        let (chosen, safety) = group[0];
        let unit = facts.unit_index(chosen.routine);
        let file = &facts.program.units[unit].file;
        let head = head(file, chosen.span);
        let others = group[1..].iter().map(|(other, _)| {
            let (unit_of, span) = (facts.unit_index(other.routine), other.span);
            let place = TextPlace {
                unit: unit_of,
                span,
            };
            facts.line(place, unit)
        });
        let others: Vec<String> = others.collect();
        let others = match others.is_empty() {
            true => String::new(),
            false => format!("; the same holds for the loops in {}", others.join(", ")),
        };
        let finding = Finding::warning(
            Code::AUTO_COUNTED,
            "it is found out in the run whether a restart can go on from the checkpoints of this loop",
        )
        .at(file.message_place(head), head)
        .label(COUNTED)
        .reason(format!("{}{others}", because(facts, unit, safety)))
        .help("nothing has to be done; if the run says that messages were in flight at its checkpoints, write `#pragma cccp \
               checkpoint` where none is");
        proposal.findings.push((unit, finding));
    }
}

/// A checkpoint of the user's own that is not known to be safe: with messages counted, or as it is.
pub(super) fn unproven(
    facts: &Analysed,
    (unit, span): (usize, Span),
    found: &Safety,
    is_counted: bool,
    proposal: &mut Proposal,
) {
    let file = &facts.program.units[unit].file;
    let finding = Finding::warning(
        Code::AUTO_SOME_RANKS,
        "this checkpoint is not known to be safe with every number of ranks",
    )
    .at(file.message_place(span), span)
    .label(match is_counted {
        true => COUNTED,
        false => "it is taken all the same",
    })
    .reason(because(facts, unit, found))
    .help("make sure that all ranks pass it equally often, and that no message is in flight there");
    proposal.findings.push((unit, finding));
}

/// What a checkpoint becomes at which messages are counted.
const COUNTED: &str =
    "with `messages(counted)`: no restart is made from a checkpoint that a message crosses";
