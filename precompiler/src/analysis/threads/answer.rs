//! The answer for each checkpoint.

use super::executed::Executed;
use super::in_region::of_region;
use super::reductions::{Reduced, reductions};
use super::sources::{OfThreads, gives_number};
use crate::analysis::Analysed;
use crate::analysis::communication::{Parallel, Varying};
use crate::analysis::completeness::{CheckpointCheck, Decision, DirectivePlace, How};
use crate::analysis::memory::{CellId, ObjectKind};
use crate::dataflow::steps::{RoutineId, StepKind, TextPlace, VariableKind};
use crate::program::{Directive, StatementKind};
use crate::source::Span;

/// Whether a restart from a checkpoint may have another number of threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Any.
    Any {
        /// Reductions whose last bits depend on the number, with their lines.
        rounded: Vec<String>,
    },
    /// Only the one that is saved.
    Saved {
        /// Why, as a sentence without a full stop.
        why: String,
    },
}

/// What depends on the number of threads in a program that uses OpenMP.
pub struct Threads<'a> {
    found: &'a Analysed<'a>,
    varying: Varying,
    parallel: Parallel,
    reductions: Vec<Reduced>,
    /// Where a program asks OpenMP, or sets what it would tell.
    asks: Vec<(RoutineId, Span, String)>,
}

impl<'a> Threads<'a> {
    /// Looks at a program; none when it does not use OpenMP.
    pub fn of(found: &'a Analysed<'a>) -> Option<Threads<'a>> {
        let mut asks = Vec::new();
        for id in found.steps.routine_ids() {
            for (place, call) in found.calls(id) {
                for name in found.points_to.callees(id, call).named {
                    let function = found.catalogue.find(&name);
                    if function.is_some_and(|one| gives_number(&one, &name)) {
                        asks.push((id, place.span, name));
                    }
                }
            }
        }
        let parallel = Parallel::of(found.program, found.steps, found.points_to, found.effects);
        if asks.is_empty() && !parallel.has_regions() {
            return None;
        }
        let executed = Executed::of(found);
        let sources = OfThreads::of(found, &executed);
        let varying = Varying::of(found.steps, found.points_to, found.effects, &sources);
        Some(Threads {
            found,
            varying,
            parallel,
            reductions: reductions(found, &executed),
            asks,
        })
    }

    /// The answer for a checkpoint.
    pub fn answer(&self, checkpoint: DirectivePlace) -> Answer {
        let why = of_region(self.found, &self.parallel, checkpoint);
        let why = why.or_else(|| self.of_program(checkpoint.unit));
        match why.or_else(|| self.of_checkpoint(checkpoint)) {
            Some(why) => Answer::Saved { why },
            None => {
                let rounded = self.reductions.iter().filter(|one| one.is_rounded);
                let rounded = rounded.map(|one| {
                    let line = self.found.line(one.place, checkpoint.unit);
                    format!("`{}` ({line})", one.name)
                });
                Answer::Any {
                    rounded: rounded.collect(),
                }
            }
        }
    }

    /// Why no checkpoint may be restarted with another number.
    fn of_program(&self, unit: usize) -> Option<String> {
        let found = self.found;
        let line = |place: TextPlace| found.line(place, unit);
        if let Some(reason) = &found.completeness.unfinished {
            return Some(format!("what is live is not known: {reason}"));
        }
        if found.completeness.has_unseen_code {
            return Some(
                "code that is not among the files given may ask for the number of threads"
                    .to_string(),
            );
        }
        for (id, span, name) in &self.asks {
            if name.starts_with("omp_set_num_threads") || name == "omp_set_dynamic" {
                let unit = found.unit_index(*id);
                let line = line(TextPlace { unit, span: *span });
                return Some(format!("the program sets it itself by `{name}` ({line})"));
            }
        }
        if let Some(one) = self.reductions.iter().find(|one| one.depends) {
            return Some(format!(
                "what comes out of the reduction of `{}` ({}) may depend on it: it is the same only where each iteration adds to it",
                one.name,
                line(one.place)
            ));
        }
        None
    }

    /// Registers whose memory or size depends on the number, and blocks that look at what does.
    fn of_directives(&self, unit: usize) -> Option<String> {
        let found = self.found;
        for id in found.steps.routine_ids() {
            let own = found.unit_index(id);
            let directives = &found.program.units[own].directives;
            let of_routine = directives
                .iter()
                .filter(|one| one.function == Some(found.steps.routine(id).function.function));
            for one in of_routine {
                let span = match (&one.directive, one.partner) {
                    (Directive::Register { .. }, _) => one.span,
                    (Directive::ExecuteOnRestart { .. }, Some(end)) => {
                        Span::new(one.span.start, directives[end.0].span.end)
                    }
                    _ => continue,
                };
                let at = TextPlace {
                    unit: own,
                    span: one.span,
                };
                if self.looks_at_differing(id, span) {
                    let line = found.line(at, unit);
                    return Some(match one.directive {
                        Directive::Register { .. } => {
                            format!("how much the register at {line} saves depends on it")
                        }
                        _ => format!("the block at {line} reads what depends on it"),
                    });
                }
            }
        }
        None
    }

    /// Whether a text of a function reads anything that differs.
    fn looks_at_differing(&self, id: RoutineId, text: Span) -> bool {
        let routine = self.found.steps.routine(id);
        let nodes = routine.flow.nodes.iter().zip(&routine.nodes);
        let nodes = nodes.filter(|(node, _)| node.statement.is_some() && text.contains(node.span));
        let parts = routine.flow.nodes.iter().enumerate().any(|(node, known)| {
            let is_inside = known.statement.is_some() && text.contains(known.span);
            is_inside && self.varying.parts_at(id, node).is_some()
        });
        let mut differs = parts;
        for step in nodes.flat_map(|(_, steps)| steps) {
            step.walk(&mut |step| {
                differs |= match &step.kind {
                    StepKind::Read { into, .. } => self.varying.is_varying(id, *into),
                    StepKind::Call(call) => self.varying.is_varying(id, call.result),
                    _ => false,
                };
            });
        }
        differs
    }

    fn of_checkpoint(&self, checkpoint: DirectivePlace) -> Option<String> {
        let found = self.found;
        let one = &found.program.units[checkpoint.unit].directives[checkpoint.id.0];
        let mut checks = found.completeness.checkpoints.iter();
        let Some(check) = checks.find(|check| check.directive == checkpoint) else {
            return Some("no run comes here".to_string());
        };
        let flow = &found.steps.routine(check.routine).flow;
        let node = flow.node_at(one.span.start);
        let parts = node.and_then(|node| self.varying.parts_at(check.routine, node.0));
        if let Some(place) = parts {
            return Some(format!(
                "whether control comes here depends on it ({})",
                found.line(place, checkpoint.unit)
            ));
        }
        if let Some(why) = self.saved(check, checkpoint.unit) {
            return Some(why);
        }
        if let Some(why) = self.of_directives(checkpoint.unit) {
            return Some(why);
        }
        let live = found.liveness.checkpoints().iter();
        let mut live =
            live.filter(|live| live.unit == checkpoint.unit && live.directive == checkpoint.id);
        let frames = live.next().map_or(&[][..], |live| &live.frames);
        for frame in frames {
            let flow = &found.steps.routine(frame.routine).flow;
            let node = flow.node_at(frame.call.span.start);
            let text = node.map_or(frame.call.span, |node| flow.nodes[node.0].span);
            if self.looks_at_differing(frame.routine, text) {
                let line = found.line(frame.call, checkpoint.unit);
                return Some(format!(
                    "the expression with the call that leads here depends on it ({line})"
                ));
            }
        }
        let active = frames.iter().map(|frame| frame.routine);
        std::iter::once(check.routine)
            .chain(active)
            .find_map(|id| self.long_arrays(id, checkpoint.unit))
    }

    /// Arrays whose length is computed, of a function on the way to a checkpoint: they come back with the length of before.
    fn long_arrays(&self, id: RoutineId, unit: usize) -> Option<String> {
        let found = self.found;
        let mut why = None;
        found.function(id).body.walk(&mut |statement| {
            if let StatementKind::Declaration(declaration) = &statement.kind
                && declaration.variably_modified
                && self.looks_at_differing(id, statement.span)
            {
                let place = TextPlace {
                    unit: found.unit_index(id),
                    span: statement.span,
                };
                let line = found.line(place, unit);
                why = Some(format!("the length of an array depends on it ({line})"));
            }
            why.is_none()
        });
        why
    }

    /// What a restart brings back and depends on the number; of several the one nearest to where that comes from.
    fn saved(&self, check: &CheckpointCheck, unit: usize) -> Option<String> {
        let found = self.found;
        let memory = &found.points_to.memory;
        let is_generator = |cell: CellId| {
            let object = memory.cells[cell.0 as usize].object;
            let kind = &memory.objects[object.0 as usize].kind;
            matches!(kind, ObjectKind::Library(state) if state == "@random")
        };
        let mut all = Vec::new();
        for location in &check.locations {
            // New threads have none, whoever registers those of the others.
            let mut cells = location.cells.iter();
            if cells.any(|cell| is_of_others(found, *cell)) {
                return Some(format!(
                    "each thread has a copy of `{}` that stays",
                    location.name
                ));
            }
            let is_anew = matches!(
                location.decision,
                Decision::Held(
                    How::RebuiltBeforeInit
                        | How::Unchanged
                        | How::Constant
                        | How::SetUp
                        | How::Library
                )
            );
            let cells = location.cells.iter().copied();
            let saved = cells.filter(|cell| !is_anew || is_generator(*cell));
            all.extend(saved.map(|cell| (cell, Some(&location.name))));
        }
        for id in found.steps.routine_ids() {
            for item in &found.steps.routine(id).items {
                let cells = found.points_to.touched(id, &item.place).cells;
                all.extend(cells.iter().map(|cell| (*cell, None)));
            }
        }
        let differing = all.into_iter().filter_map(|(cell, name)| {
            let (number, since) = self.varying.since(cell)?;
            Some((number, since, cell, name))
        });
        let (_, since, cell, name) = differing.min_by_key(|one| one.0)?;
        let name = name.map_or_else(|| found.points_to.cell_name(cell), String::clone);
        Some(format!(
            "`{name}` depends on it ({})",
            found.line(since, unit)
        ))
    }
}

/// Whether it is the copy that other threads than the initial one have of a variable.
fn is_of_others(found: &Analysed, cell: CellId) -> bool {
    let memory = &found.points_to.memory;
    let object = &memory.objects[memory.cells[cell.0 as usize].object.0 as usize];
    match &object.kind {
        ObjectKind::Variable(id) => found.steps.variable(*id).kind == VariableKind::OtherThreads,
        _ => false,
    }
}
