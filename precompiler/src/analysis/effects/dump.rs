//! Summaries as text.
//!
//! ```text
//! step
//!   exposed: n, u[]
//!   overwrites: total
//!   writes: next[], total
//!   roles: prints
//! ```

use std::fmt::Write;

use crate::analysis::memory::{CellId, CellSet, ObjectKind};
use crate::analysis::points_to::PointsTo;
use crate::catalog::ROLES;
use crate::dataflow::steps::{RoutineId, Steps};
use crate::program::Program;

use super::model::{Effects, Summary};

/// One block per function of the user's own files, in the order of units and text.
pub fn dump(program: &Program, effects: &Effects, steps: &Steps, points_to: &PointsTo) -> String {
    let mut out = String::new();
    for id in steps.routine_ids() {
        let at = steps.routine(id).function;
        if !program.units[at.unit].function(at.function).in_user_file {
            continue;
        }
        let _ = writeln!(out, "{}", steps.routine(id).name);
        summary(effects, points_to, id, &mut out);
    }
    out
}

fn summary(effects: &Effects, points_to: &PointsTo, id: RoutineId, out: &mut String) {
    let summary: &Summary = effects.summary(id);
    let overwrites = if summary.returns {
        names(points_to, &summary.overwrites)
    } else {
        Vec::new()
    };
    let objects = summary.allocates.iter().map(|object| {
        let first = points_to.memory.objects[object.0 as usize].first;
        points_to.cell_name(first)
    });
    let roles = ROLES
        .iter()
        .filter(|(role, _, _)| summary.roles.contains(role))
        .map(|(_, word, _)| (*word).to_string());
    let unknown = summary.unknown.iter().map(|name| {
        name.clone()
            .unwrap_or_else(|| "through a pointer".to_string())
    });
    for (word, list) in [
        ("exposed", names(points_to, &summary.exposed)),
        ("overwrites", overwrites),
        ("writes", names(points_to, &summary.writes)),
        ("allocates", objects.collect()),
        ("frees", names(points_to, &summary.frees)),
        ("creates", names(points_to, &summary.creates)),
        ("destroys", names(points_to, &summary.destroys)),
        ("roles", roles.collect()),
        ("unknown", unknown.collect()),
    ] {
        if !list.is_empty() {
            let _ = writeln!(out, "  {word}: {}", list.join(", "));
        }
    }
    for (is, words) in [
        (!summary.returns, "never returns"),
        (summary.may_stop, "may stop"),
        (summary.may_jump, "may jump"),
    ] {
        if is {
            let _ = writeln!(out, "  {words}");
        }
    }
}

/// Names of cells, without what libraries keep to themselves and functions.
fn names(points_to: &PointsTo, set: &CellSet) -> Vec<String> {
    let mut names: Vec<String> = set
        .ones()
        .filter(|&cell| {
            let object = points_to.memory.cells[cell].object;
            let kind = &points_to.memory.objects[object.0 as usize].kind;
            !matches!(kind, ObjectKind::Function(_) | ObjectKind::Text(_))
        })
        .map(|cell| points_to.cell_name(CellId(cell as u32)))
        .collect();
    names.sort();
    names.dedup();
    names
}
