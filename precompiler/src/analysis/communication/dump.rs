//! Safe and unsafe places as text.
//!
//! ```text
//! main heat.c:12 safe: there are no messages and only one thread
//! main heat.c:14 safe for 1, 2, 4, 8 ranks: …
//! main heat.c:15 unsafe: The message that is sent here may not have been received. (heat.c:14)
//! ```

use std::fmt::Write;

use super::model::{Ranks, Safety};
use super::safety::Communication;
use crate::dataflow::NodeId;
use crate::dataflow::steps::{Steps, TextPlace};
use crate::program::Program;

/// One line per line of the user's own files on which control can be, in the order of units and text: what is said of
/// the first step there.
pub fn dump(program: &Program, steps: &Steps, communication: &Communication<'_>) -> String {
    let mut out = String::new();
    for id in steps.routine_ids() {
        let routine = steps.routine(id);
        let unit = &program.units[routine.function.unit];
        if !unit.function(routine.function.function).in_user_file {
            continue;
        }
        let mut last = 0;
        for (number, node) in routine.flow.nodes.iter().enumerate() {
            let (_, line) = unit.file.origin_text(node.span.start);
            if node.statement.is_none() || node.span.start == node.span.end || line == last {
                continue;
            }
            last = line;
            let at = shown(
                program,
                TextPlace {
                    unit: routine.function.unit,
                    span: node.span,
                },
            );
            let _ = write!(out, "{} {at} ", routine.name);
            let _ = match communication.safety(id, NodeId(number)) {
                Safety::Safe {
                    ranks,
                    is_alone,
                    why,
                } => {
                    let alone = if is_alone { " alone" } else { "" };
                    writeln!(out, "safe{alone}{}: {why}", words(&ranks))
                }
                Safety::Unequal { why, places } => {
                    let places: Vec<String> =
                        places.iter().map(|place| shown(program, *place)).collect();
                    writeln!(out, "unequal: {why} ({})", places.join(", "))
                }
                Safety::Unsafe { why, places, .. } => {
                    let places: Vec<String> =
                        places.iter().map(|place| shown(program, *place)).collect();
                    writeln!(out, "unsafe: {why} ({})", places.join(", "))
                }
            };
        }
    }
    out
}

/// File and line, as the user knows them.
fn shown(program: &Program, place: TextPlace) -> String {
    let (path, line) = program.units[place.unit].file.origin_text(place.span.start);
    let name = path.rsplit('/').next().unwrap_or(&path);
    format!("{name}:{line}")
}

fn words(ranks: &Ranks) -> String {
    match ranks {
        Ranks::All => String::new(),
        Ranks::Even { .. } => format!(" for {ranks} numbers of ranks"),
        Ranks::These(all) => {
            let all: Vec<String> = all.iter().map(ToString::to_string).collect();
            format!(" for {} ranks", all.join(", "))
        }
    }
}
