//! What pointers may point to, as text: `--emit points-to`.
//!
//! ```text
//! main
//!   list.c:12 p → heap@list.c:11[].next, x
//! memory
//!   heap@list.c:11[].next → heap@list.c:11[]
//! ```
//!
//! Locals stand under their function with the line of their declaration, all else under `memory`. Pointers to nothing
//! are left out.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::query::{PointsTo, Why};
use crate::analysis::memory::{CellId, ObjectKind};
use crate::dataflow::steps::{Called, RoutineId, Step, StepKind, Steps, TextPlace};
use crate::program::Program;

/// All of it.
pub fn dump(program: &Program, steps: &Steps, points_to: &PointsTo) -> String {
    let mut sections: BTreeMap<Option<RoutineId>, String> = BTreeMap::new();
    for (index, object) in points_to.memory.objects.iter().enumerate() {
        let (owner, line) = match object.kind {
            ObjectKind::Variable(id) => {
                let variable = &steps.variables[id.0 as usize];
                let line = place(program, variable.declared);
                (variable.owner, format!("{line} "))
            }
            _ => (None, String::new()),
        };
        let escaped = points_to.escaped().contains(object.first.0 as usize);
        if index > 0 && escaped && owner.is_none() {
            continue;
        }
        for cell in (object.first.0..object.first.0 + object.count).map(CellId) {
            let targets = targets(points_to, cell);
            if targets.is_empty() {
                continue;
            }
            let name = points_to.cell_name(cell);
            let out = sections.entry(owner).or_default();
            let line = if owner.is_some() { line.as_str() } else { "" };
            let _ = writeln!(out, "  {line}{name} → {}", targets.join(", "));
        }
    }
    let mut out = String::new();
    for (owner, text) in sections.iter().rev() {
        let name = owner.map_or("memory", |id| steps.routine(id).name.as_str());
        let _ = write!(out, "{name}\n{text}");
    }
    out.push_str(&notes(program, points_to));
    out.push_str(&calls(program, steps, points_to));
    out
}

/// What a pointer in a cell points to, by name. Of what escaped only that.
pub fn targets(points_to: &PointsTo, cell: CellId) -> Vec<String> {
    let mut names = Vec::new();
    for target in points_to.pointees(cell) {
        names.push(points_to.cell_name(target));
        if target == CellId(0) {
            names.push("all that escaped".to_string());
            break;
        }
    }
    names
}

fn notes(program: &Program, points_to: &PointsTo) -> String {
    let mut escaped = Vec::new();
    let mut collapsed = String::new();
    for object in points_to.memory.objects.iter().skip(1) {
        let cell = object.first;
        let name = points_to.object_name(points_to.memory.cells[cell.0 as usize].object);
        if points_to.escaped().contains(cell.0 as usize) {
            escaped.push(name.to_string());
        }
        for why in points_to.why(cell) {
            let _ = match why {
                Why::Collapsed { at, used_as } => {
                    let at = place(program, at);
                    writeln!(collapsed, "  {name}: one cell, used as `{used_as}` at {at}")
                }
                Why::Arithmetic(at) => {
                    let at = place(program, at);
                    writeln!(collapsed, "  {name}: pointers into it are computed at {at}")
                }
                Why::MentionedFunction(function) => {
                    writeln!(collapsed, "  {name}: escapes to {function}()")
                }
                Why::Shared => Ok(()),
            };
        }
    }
    let mut out = String::new();
    if !escaped.is_empty() {
        let _ = writeln!(out, "escaped\n  {}", escaped.join(", "));
    }
    if !collapsed.is_empty() {
        let _ = write!(out, "little is known of\n{collapsed}");
    }
    out
}

/// Calls through pointers, and what they call.
fn calls(program: &Program, steps: &Steps, points_to: &PointsTo) -> String {
    let mut out = String::new();
    for id in steps.routine_ids() {
        let routine = steps.routine(id);
        routine.walk(&mut |step: &Step| {
            let StepKind::Call(call) = &step.kind else {
                return;
            };
            if !matches!(call.callee, Called::Pointer(_)) {
                return;
            }
            let callees = points_to.callees(id, call);
            let named = callees.routines.iter().map(|id| &steps.routine(*id).name);
            let mut names: Vec<&str> = named.chain(&callees.named).map(String::as_str).collect();
            if callees.unknown {
                names.push("anything");
            }
            let at = TextPlace {
                unit: routine.function.unit,
                span: step.span,
            };
            let (at, names) = (place(program, at), names.join(", "));
            let _ = writeln!(out, "  {at} in {}: {names}", routine.name);
        });
    }
    if out.is_empty() {
        out
    } else {
        format!("calls through pointers\n{out}")
    }
}

fn place(program: &Program, at: TextPlace) -> String {
    let unit = &program.units[at.unit];
    let (file, line) = unit.file.origin_text(at.span.start);
    let file = file.rsplit('/').next().unwrap_or(&file);
    format!("{file}:{line}")
}
