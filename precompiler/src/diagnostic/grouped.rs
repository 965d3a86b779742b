//! One message for one cause: what is said alike of several places is said once, with all of them.

use super::message::{Diagnostic, Place};

/// As many places as are shown; the others are counted.
const SHOWN: usize = 4;

/// The diagnostics, with those that differ in nothing but their places and labels put together, where the first one stood.
pub fn grouped(diagnostics: &[Diagnostic]) -> Vec<Diagnostic> {
    let mut all: Vec<(Diagnostic, usize)> = Vec::new();
    for one in diagnostics {
        match all.iter_mut().find(|(known, _)| are_alike(known, one)) {
            None => all.push((one.clone(), 0)),
            Some((known, _)) if known.others.len() + 1 < SHOWN => {
                let is_same = known.label == one.label;
                let label = if is_same { "the same" } else { &one.label };
                known.others.push((one.place.clone(), label.to_string()));
            }
            Some((_, more)) => *more += 1,
        }
    }
    let groups = all.into_iter();
    groups.map(|(one, more)| counted(one, more)).collect()
}

/// Something is said of both beside where it is, and it is the same.
fn are_alike(one: &Diagnostic, other: &Diagnostic) -> bool {
    let said = |one: &Diagnostic| one.reason.is_some() && one.place != Place::Nowhere;
    let parts = |one: &Diagnostic| (one.severity, one.code, one.paste.is_some());
    said(one)
        && said(other)
        && parts(one) == parts(other)
        && one.message == other.message
        && one.reason == other.reason
        && one.help == other.help
        && one.paste == other.paste
        && other.others.is_empty()
}

fn counted(mut one: Diagnostic, more: usize) -> Diagnostic {
    if more > 0 {
        let reason = one.reason.unwrap_or_default();
        let places = if more == 1 { "place" } else { "places" };
        one.reason = Some(format!("{reason}; the same holds at {more} more {places}"));
    }
    one
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;

    fn warning(line: usize, reason: &str) -> Diagnostic {
        let place = Place::Line {
            path: "a.c".to_string(),
            line,
        };
        let one = Diagnostic::warning(Code::AUTO_NO_CHECKPOINT, place, "no checkpoint here");
        one.reason(reason)
    }

    #[test]
    fn what_is_said_alike_of_several_places_is_said_once() {
        let all: Vec<_> = (1..=7).map(|line| warning(line, "a macro")).collect();
        let groups = grouped(&all);
        assert_eq!(groups.len(), 1);
        assert_eq!(groups[0].others.len(), SHOWN - 1);
        let reason = groups[0].reason.as_deref();
        assert_eq!(reason, Some("a macro; the same holds at 3 more places"));
    }

    #[test]
    fn other_reasons_are_other_messages_and_the_order_stays() {
        let all = [warning(1, "b"), warning(2, "a"), warning(3, "b")];
        let groups = grouped(&all);
        let reasons: Vec<_> = groups.iter().map(|one| one.reason.as_deref()).collect();
        assert_eq!(reasons, [Some("b"), Some("a")]);
        assert_eq!(groups[0].others.len(), 1);
    }
}
