//! The stages as text.

use super::options::Stage;
use crate::analysis::{Clients, FunctionKey};
use crate::plan::{Planned, text};
use crate::program::{FunctionId, Program};
use std::fmt::Write;

/// A stage of one unit as text; `None` for the result itself.
pub fn stage(stage: Stage, program: &Program, unit: usize, planned: &Planned) -> Option<String> {
    let picture = &program.units[unit];
    match stage {
        Stage::Source => Some(picture.file.preprocessed.clone()),
        Stage::Syntax => Some(format!("{:#?}\n", picture.functions)),
        Stage::Directive => Some(
            picture
                .directives
                .iter()
                .fold(String::new(), |mut out, one| {
                    let _ = writeln!(out, "line {}: {:#?}", one.line, one.directive);
                    out
                }),
        ),
        Stage::Program => Some(format!("{picture:#?}\n")),
        Stage::Analysis => Some(analysis(program, unit)),
        Stage::Plan => Some(text::print(&planned.plan)),
        Stage::Steps
        | Stage::PointsTo
        | Stage::Unknown
        | Stage::Effects
        | Stage::Coverage
        | Stage::Load
        | Stage::Communication
        | Stage::Liveness
        | Stage::Completeness
        | Stage::Rewrite => None,
    }
}

fn analysis(program: &Program, unit: usize) -> String {
    let clients = Clients::of(program);
    let mut out = String::new();
    for (number, function) in program.units[unit].functions.iter().enumerate() {
        let reach = clients.reach(FunctionKey {
            unit,
            function: FunctionId(number),
        });
        if reach.client {
            let _ = write!(out, "client {}", function.name);
            for (set, word) in [(reach.checkpoint, " checkpoint"), (reach.init, " init")] {
                if set {
                    out.push_str(word);
                }
            }
            out.push('\n');
        }
    }
    out
}
