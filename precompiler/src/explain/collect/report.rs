//! The report of a program: all checkpoints in the order of files and lines.

use std::collections::BTreeSet;

use super::amounts::Amounts;
use super::items::{Active, held, items};
use super::live::{Here, not_registered, registered};
use super::places::{directive, place};
use super::rest::rest;
use super::why_here::why_here;
use crate::analysis::Analysed;
use crate::analysis::assumed::assumptions;
use crate::analysis::communication::Safety;
use crate::analysis::completeness::DirectivePlace;
use crate::analysis::load::Load;
use crate::analysis::threads::Threads;
use crate::dataflow::steps::RoutineId;
use crate::dataflow::{FunctionRef, NodeId};
use crate::explain::report::{Checkpoint, Conservative, Frame, Report, Row, SourceText, Verdict};
use crate::explain::size::{Amount, Sizes};
use crate::program::{Directive, DirectiveId, DirectiveUse, Unit};
use crate::source::UserLines;

/// What the analyses found.
#[derive(Clone, Copy)]
pub struct Found<'a> {
    /// The program, and what holds at its checkpoints.
    pub analysed: &'a Analysed<'a>,
    /// Which loops do most of the work.
    pub load: &'a Load,
    /// Whether a message may be in flight before a node of a function.
    pub safety: &'a dyn Fn(RoutineId, NodeId) -> Safety,
    /// What depends on the number of threads; none without OpenMP.
    pub threads: Option<&'a Threads<'a>>,
    /// Of why a checkpoint stands where it stands only the first sentence is wanted.
    pub is_brief: bool,
}

/// Puts the report together. `sizes` learns which names it needed.
pub fn collect(found: &Found, sizes: &mut Sizes) -> Report {
    let mut report = Report {
        sizes: sizes.given.clone(),
        files: found
            .analysed
            .program
            .units
            .iter()
            .flat_map(texts)
            .collect(),
        remarks: remarks(found),
        assumed: assumed(found),
        ..Report::default()
    };
    for (number, unit) in found.analysed.program.units.iter().enumerate() {
        for (id, one) in unit.directives.iter().enumerate() {
            if let Directive::Checkpoint { name, .. } = &one.directive {
                let at = DirectivePlace {
                    unit: number,
                    id: DirectiveId(id),
                };
                let mut built = checkpoint(found, at, one, sizes);
                built.name = name.clone();
                built.arrange();
                report.checkpoints.push(built);
            }
        }
    }
    report.wanted = sizes.wanted();
    report
}

/// The file, and those that were taken into it.
fn texts(unit: &Unit) -> Vec<SourceText> {
    let file = &unit.file;
    let one = |path: &str, text: String, lines: UserLines| {
        let directives = unit.directives.iter();
        let own = directives.filter(|one| file.name_at(one.lines.start) == path);
        SourceText {
            path: path.to_string(),
            text,
            directives: own.map(|one| one.line).collect(),
            lines,
        }
    };
    let parts = file.lines.parts();
    if parts.is_empty() {
        return vec![one(&file.path, file.original.clone(), file.lines.clone())];
    }
    let mut all: Vec<SourceText> = Vec::new();
    let names = std::iter::once(&file.path).chain(parts.iter().map(|part| &part.name));
    for (part, name) in names.enumerate() {
        // A file that is included twice is shown once.
        if !all.iter().any(|known| known.path == *name) {
            let (text, lines) = file.lines.alone(&file.original, part);
            all.push(one(name, text, lines));
        }
    }
    all
}

/// What concerns the program as a whole: code that is not seen, and blocks that read what is not back yet.
fn remarks(found: &Found) -> Vec<Conservative> {
    let completeness = found.analysed.completeness;
    let mut all = Vec::new();
    if let Some(reason) = &completeness.unfinished {
        all.push(Conservative {
            because: format!("what is missing is not known: {reason}"),
            lift: String::new(),
            place: None,
        });
    }
    if completeness.has_unseen_code {
        all.push(Conservative {
            because:
                "code that is not among the files given may read and change whatever it can reach"
                    .to_string(),
            lift: "give all files of the program in one call, and the entries that \
                   `--emit unknown` shows in a file for `--catalog`"
                .to_string(),
            place: None,
        });
    }
    for block in &completeness.blocks {
        for (name, read) in &block.missing {
            all.push(Conservative {
                because: format!(
                    "the block at {} reads `{name}`, which nothing has restored by then",
                    directive(
                        found.analysed.program,
                        block.directive.unit,
                        block.directive.id
                    )
                    .text()
                ),
                lift: format!("register `{name}` before the block"),
                place: Some(place(found.analysed.program, *read)),
            });
        }
    }
    all
}

/// What could be checked neither before the run nor in it.
fn assumed(found: &Found) -> Vec<Conservative> {
    let all = assumptions(found.analysed).into_iter();
    all.map(|one| Conservative {
        because: match one.more {
            0 => one.what,
            more => format!("{} (and {more} more places)", one.what),
        },
        lift: one.lift,
        place: Some(place(found.analysed.program, one.place)),
    })
    .collect()
}

fn checkpoint(
    found: &Found,
    at: DirectivePlace,
    one: &DirectiveUse,
    sizes: &mut Sizes,
) -> Checkpoint {
    let program = found.analysed.program;
    let live = found.analysed.liveness.checkpoints();
    let index = live
        .iter()
        .position(|one| one.unit == at.unit && one.directive == at.id);
    let check = found
        .analysed
        .completeness
        .checkpoints
        .iter()
        .find(|check| check.directive == at);
    let frames = index.map_or(&[][..], |index| &live[index].frames);
    let mut active = Vec::new();
    if let Some(function) = one.function {
        active.push(Active {
            function: FunctionRef {
                unit: at.unit,
                function,
            },
            at: one.span.start,
        });
    }
    active.extend(frames.iter().map(|frame| Active {
        function: found.analysed.steps.routine(frame.routine).function,
        at: frame.call.span.start,
    }));
    let all = items(program);
    let (held, certain) = held(program, found.analysed.catalogue, &all, &active);
    let function = one.function.map_or("", |function| {
        program.units[at.unit].function(function).name.as_str()
    });
    let here = Here {
        found,
        function,
        directive: Some(at),
        index,
        locations: check.map_or(&[][..], |check| &check.locations),
    };
    let mut rows = registered(&here, &held, sizes);
    let mut amounts = Amounts {
        program,
        steps: found.analysed.steps,
        memory: &found.analysed.points_to.memory,
        catalogue: found.analysed.catalogue,
        here: function,
        sizes,
    };
    rows.extend(not_registered(&here, &mut amounts));
    rows.extend(rest(&here, &held, &mut amounts));
    let bytes = |wanted: fn(&Row) -> bool| {
        Amount::sum(rows.iter().filter(|row| wanted(row)).map(|row| &row.bytes))
    };
    let mut total = bytes(|row| matches!(row.verdict, Verdict::Saved | Verdict::Removable));
    total.exact &= certain;
    Checkpoint {
        place: directive(program, at.unit, at.id),
        clauses: clauses(one),
        why_here: why_here(found, at, one),
        way: frames
            .iter()
            .map(|frame| Frame {
                function: found.analysed.steps.routine(frame.routine).name.clone(),
                call: place(program, frame.call),
            })
            .collect::<BTreeSet<Frame>>()
            .into_iter()
            .collect(),
        total,
        removable: bytes(|row| row.verdict == Verdict::Removable),
        rows,
        ..Checkpoint::default()
    }
}

/// `every(…)`, `if(…)`, `ranks(…)` and `messages(counted)` as they are written.
fn clauses(one: &DirectiveUse) -> String {
    let Directive::Checkpoint {
        every,
        condition,
        ranks,
        messages_counted,
        // These do not say when one is taken.
        name: _,
        stands: _,
    } = &one.directive
    else {
        return String::new();
    };
    let written = [("every", every), ("if", condition)];
    let written = written
        .into_iter()
        .filter_map(|(word, clause)| Some(format!("{word}({})", clause.as_ref()?.text)));
    let ranks = ranks.iter().map(|ranks| format!("ranks({ranks})"));
    let counted = messages_counted.then(|| "messages(counted)".to_string());
    let parts: Vec<String> = written.chain(ranks).chain(counted).collect();
    parts.join(" ")
}
