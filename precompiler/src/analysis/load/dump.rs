//! Loops and their loads as text.
//!
//! ```text
//! main heat.c:12 selected: h 0.04, 98.2 % of the instructions, 97.9 % of the accesses, the same data again
//! main heat.c:14 inside: h 0.91, 62.1 % of the instructions, 65.0 % of the accesses
//! main heat.c:20 excluded: it iterates twice; h 5.31
//! ```

use std::fmt::Write;

use super::model::Load;
use crate::dataflow::steps::Steps;
use crate::program::Program;

/// One line per loop of the user's own files that the program comes to, in the order of units and text.
pub fn dump(program: &Program, steps: &Steps, load: &Load) -> String {
    let mut out = String::new();
    for one in load.all() {
        let routine = steps.routine(one.routine);
        let unit = &program.units[routine.function.unit];
        if !unit.function(routine.function.function).in_user_file {
            continue;
        }
        let (path, line) = unit.file.origin_text(one.span.start);
        let file = path.rsplit('/').next().unwrap_or(&path);
        let _ = write!(out, "{} {file}:{line} ", routine.name);
        if let Some(why) = &one.excluded {
            let _ = writeln!(out, "excluded: {why}; h {:.2}", one.value);
            continue;
        }
        let selected = load.selected().iter();
        let is_selected =
            { selected }.any(|chosen| chosen.routine == one.routine && chosen.span == one.span);
        let word = match (is_selected, one.is_outermost) {
            (true, _) => "selected",
            (false, true) => "outermost",
            (false, false) => "inside",
        };
        let times = one
            .iterations
            .map_or_else(String::new, |times| format!(", iterates {times} times"));
        let again = match one.repeats {
            true => ", the same data again",
            false => "",
        };
        let also = match load.worth().any(|worth| worth.at() == one.at()) && !is_selected {
            true => ", also worth a checkpoint",
            false => "",
        };
        let aside = one
            .aside
            .map_or_else(String::new, |why| format!(", aside: {why}"));
        let _ = writeln!(
            out,
            "{word}: h {:.2}, {:.1} % of the instructions, {:.1} % of the accesses{times}{again}{aside}{also}",
            one.value,
            one.instructions * 100.0,
            one.accesses * 100.0
        );
    }
    out
}
