//! The check as text, one line per location and item.
//!
//! ```text
//! checkpoint heat.c:33 in main
//!   n: registered main:n
//!   u[…]: missing, read at heat.c:36, changed at heat.c:38, `u[n]`, before heat.c:32
//! register heat.c:30 main:next: removable, n * sizeof(double)
//! ```

use std::fmt::Write;

use super::model::{
    Completeness, Cure, Decision, DirectivePlace, How, ItemPlaceInProgram, Need, Site,
};
use crate::analysis::liveness::Liveness;
use crate::dataflow::FunctionRef;
use crate::dataflow::steps::{Steps, TextPlace};
use crate::program::{Directive, Program};

/// All of it, in the order of units and texts.
pub fn dump(program: &Program, liveness: &Liveness, completeness: &Completeness) -> String {
    let steps = liveness.steps;
    let dumping = Dumping { program, steps };
    let mut out = String::new();
    if let Some(reason) = &completeness.unfinished {
        let _ = writeln!(out, "unfinished: {reason}");
    }
    for check in &completeness.checkpoints {
        let unit = &program.units[check.directive.unit];
        let name = match &unit.directives[check.directive.id.0].directive {
            Directive::Checkpoint {
                name: Some(name), ..
            } => format!(" name {name}"),
            _ => String::new(),
        };
        let _ = writeln!(
            out,
            "checkpoint {} in {}{name}",
            dumping.directive(check.directive),
            steps.routine(check.routine).name,
        );
        for location in &check.locations {
            let decision = match &location.decision {
                Decision::Held(how) => dumping.how(how),
                Decision::Missing(missing) => {
                    let read = missing.read.as_ref().map_or_else(String::new, |one| {
                        format!(", read at {}", dumping.place(one.read))
                    });
                    let changed = missing.changed.map_or_else(String::new, |one| {
                        format!(", changed at {}", dumping.place(one))
                    });
                    let cure = dumping.cure(&missing.cure);
                    format!("missing{read}{changed}{cure}")
                }
            };
            let frame = match (location.frame, location.call) {
                (Some(frame), Some(call)) => format!(
                    " (of {}, called at {})",
                    steps.routine(frame).name,
                    dumping.place(call)
                ),
                (Some(frame), None) => format!(" (of {})", steps.routine(frame).name),
                _ => String::new(),
            };
            let _ = writeln!(out, "  {}{frame}: {decision}", location.name);
        }
    }
    for block in &completeness.blocks {
        for (name, read) in &block.missing {
            let place = dumping.directive(block.directive);
            let read = dumping.place(*read);
            let _ = writeln!(out, "block {place}: {name} missing, read at {read}");
        }
    }
    for item in &completeness.items {
        let need = match &item.need {
            Need::Needed { checkpoint, by } => {
                let by = by.read(liveness).map_or_else(String::new, |one| {
                    format!(", read at {}", dumping.place(one.read))
                });
                format!("needed at {}{by}", dumping.directive(*checkpoint))
            }
            Need::Removable => "removable".to_string(),
            Need::Unknown => "kept".to_string(),
        };
        let bytes = item
            .bytes
            .number
            .map_or_else(String::new, |number| format!(" = {number}"));
        let _ = writeln!(
            out,
            "register {} {}: {need}, {}{bytes}",
            dumping.directive(item.item.directive),
            dumping.item(item.item),
            item.bytes.text
        );
    }
    out
}

struct Dumping<'a> {
    program: &'a Program,
    steps: &'a Steps,
}

impl Dumping<'_> {
    fn directive(&self, place: DirectivePlace) -> String {
        let unit = &self.program.units[place.unit];
        let line = unit.directives[place.id.0].line;
        format!("{}:{line}", unit.file.path)
    }

    fn place(&self, place: TextPlace) -> String {
        let file = &self.program.units[place.unit].file;
        let (path, line) = file.origin_text(place.span.start);
        format!("{path}:{line}")
    }

    /// `function:item`
    fn item(&self, place: ItemPlaceInProgram) -> String {
        let unit = &self.program.units[place.directive.unit];
        let directive = &unit.directives[place.directive.id.0];
        let function = directive.function.map_or("", |function| {
            let place = FunctionRef {
                unit: place.directive.unit,
                function,
            };
            self.steps
                .routine(self.steps.routine_of(place))
                .name
                .as_str()
        });
        let name = match &directive.directive {
            Directive::Register { items } => items.get(place.index).map(|item| &*item.name),
            _ => None,
        };
        format!("{function}:{}", name.unwrap_or(""))
    }

    fn cure(&self, cure: &Cure) -> String {
        let item = |exact: &Option<String>, site: &Option<Site>| {
            let exact = exact.as_ref().map(|exact| format!(", `{exact}`"));
            let site = site.map(|site| format!(", {}", self.site(site)));
            format!("{}{}", exact.unwrap_or_default(), site.unwrap_or_default())
        };
        match cure {
            Cure::Register { exact, site, .. } => item(exact, site),
            Cure::RegisterEach { exact, site, .. } => {
                format!(", many blocks{}", item(exact, site))
            }
            Cure::Execute { statements, .. } => {
                let sites: Vec<String> = statements.iter().map(|one| self.site(*one)).collect();
                format!(", a handle {}", sites.join(", "))
            }
            Cure::Nothing => ", a library's".to_string(),
            Cure::Ahead { item } => format!(", ahead of its memory: {item}"),
            Cure::Compute { .. } => ", depends on addresses".to_string(),
            Cure::Moving { name, .. } => format!(", moved on by {name}"),
            Cure::OtherThreads => ", other threads'".to_string(),
            Cure::Numbers { item } => format!(", saved as numbers: {item}"),
        }
    }

    fn site(&self, site: Site) -> String {
        let place = self.steps.routine(site.routine).function;
        let mut span = None;
        let body = &self.program.units[place.unit].function(place.function).body;
        body.walk(&mut |statement| {
            if statement.id == site.statement {
                span = Some(statement.span);
            }
            true
        });
        let word = if site.after { "after" } else { "before" };
        let unit = place.unit;
        span.map_or_else(String::new, |span| {
            format!("{word} {}", self.place(TextPlace { unit, span }))
        })
    }

    fn how(&self, how: &How) -> String {
        match how {
            How::Registered(item) => format!("registered {}", self.item(*item)),
            How::ReExecuted(block) => format!("re-executed {}", self.directive(*block)),
            How::RebuiltBeforeInit => "rebuilt before init".to_string(),
            How::Unchanged => "unchanged".to_string(),
            How::Constant => "constant".to_string(),
            How::Parameter => "parameter".to_string(),
            How::SetUp => "set up by the first call".to_string(),
            How::FixedHeap => "fixed heap".to_string(),
            How::Library => "library".to_string(),
        }
    }
}
