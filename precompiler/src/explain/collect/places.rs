//! Places as the user would find them.

use crate::dataflow::steps::TextPlace;
use crate::explain::report::Place;
use crate::program::{DirectiveId, Program};

/// The place of a text: a line of the user's own file where it comes from one, else of the included file.
pub fn place(program: &Program, at: TextPlace) -> Place {
    let Some(unit) = program.units.get(at.unit) else {
        return Place::default();
    };
    let (file, line) = match unit.file.message_place(at.span) {
        Some(range) => {
            let (file, at) = (&unit.file, range.start);
            (file.name_at(at).to_string(), file.line_of(at))
        }
        None => unit.file.origin_text(at.span.start),
    };
    let function = unit
        .functions
        .iter()
        .find(|function| function.span.has(at.span.start))
        .map(|function| function.name.clone());
    Place {
        file,
        line,
        function,
    }
}

/// The place of a directive.
pub fn directive(program: &Program, unit: usize, id: DirectiveId) -> Place {
    let Some(unit) = program.units.get(unit) else {
        return Place::default();
    };
    let Some(found) = unit.directives.get(id.0) else {
        return Place::default();
    };
    Place {
        file: unit.file.name_at(found.lines.start).to_string(),
        line: found.line,
        function: found
            .function
            .map(|function| unit.function(function).name.clone()),
    }
}
