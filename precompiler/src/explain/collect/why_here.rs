//! Why a checkpoint stands where it stands: the loop around it, whether a message can be in flight there, and whether a restart may
//! have another number of threads.

use super::report::Found;
use crate::analysis::communication::{Ranks, Safety};
use crate::analysis::completeness::DirectivePlace;
use crate::analysis::threads::Answer;
use crate::dataflow::FunctionRef;
use crate::dataflow::steps::TextPlace;
use crate::program::DirectiveUse;

/// Sentences without full stops; none for what is not known.
pub fn why_here(found: &Found, at: DirectivePlace, one: &DirectiveUse) -> Vec<String> {
    let Some(function) = one.function else {
        return Vec::new();
    };
    let routine = found.analysed.steps.routine_of(FunctionRef {
        unit: at.unit,
        function,
    });
    let file = &found.analysed.program.units[at.unit].file;
    let line = |place: TextPlace| {
        let (path, line) = found.analysed.program.units[place.unit]
            .file
            .origin_text(place.span.start);
        match path == file.path {
            true => format!("line {line}"),
            false => format!("{path}:{line}"),
        }
    };
    let mut why = Vec::new();
    let around = |of: crate::dataflow::steps::RoutineId, span: crate::source::Span| {
        of == routine && span.contains(one.span)
    };
    let known = found.load.worth().chain(found.load.next());
    let chosen = known.filter(|one| around(one.routine, one.span));
    let mut all = found.load.all().iter();
    if let Some(chosen) = chosen.min_by_key(|one| one.span.end - one.span.start) {
        let place = TextPlace {
            unit: at.unit,
            span: chosen.span,
        };
        why.push(format!(
            "in the loop at {}: {}",
            line(place),
            chosen.reason.trim_end_matches('.')
        ));
    } else if let Some(outermost) = all.find(|one| around(one.routine, one.span)) {
        let place = TextPlace {
            unit: at.unit,
            span: outermost.span,
        };
        why.push(format!(
            "in the loop at {}, which does {:.0} % of the program's work",
            line(place),
            100.0 * outermost.instructions
        ));
    }
    if found.is_brief && !why.is_empty() {
        return why;
    }
    let flow = &found.analysed.steps.routine(routine).flow;
    if let Some(node) = flow.node_at(one.span.start) {
        why.push(match (found.safety)(routine, node) {
            Safety::Safe {
                ranks,
                is_alone,
                why,
            } => {
                let ranks = match ranks {
                    Ranks::All => String::new(),
                    some => format!(" with ranks({some})"),
                };
                let alone = match is_alone {
                    true => " as long as there is no checkpoint outside of this loop",
                    false => "",
                };
                format!("safe{ranks}{alone}: {}", why.trim_end_matches('.'))
            }
            Safety::Unequal { why, .. } => format!(
                "threads stop at their next checkpoint or barrier: {}",
                why.trim_end_matches('.')
            ),
            Safety::Unsafe { why, places, .. } => {
                let places: Vec<String> = places.into_iter().map(line).collect();
                let places = match places.is_empty() {
                    true => String::new(),
                    false => format!(" ({})", places.join(", ")),
                };
                format!(
                    "not proven to be safe: {}{places}",
                    why.trim_end_matches('.')
                )
            }
        });
    }
    why.extend(found.threads.map(|threads| number(threads.answer(at))));
    why
}

/// What a restart does about the number of threads.
fn number(answer: Answer) -> String {
    match answer {
        Answer::Any { rounded } if rounded.is_empty() => {
            "any number of threads: nothing that is saved depends on it".to_string()
        }
        Answer::Any { rounded } => format!(
            "any number of threads: of what is saved only the last bits of reductions depend on it: {}",
            rounded.join(", ")
        ),
        Answer::Saved { why } => {
            format!("a restart has the number of threads that is saved: {why}")
        }
    }
}
