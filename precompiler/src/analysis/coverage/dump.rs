//! Coverage as text, for `--emit coverage` and tests.
//!
//! ```text
//! function clear
//!   loop line 4: u[] (line 5)
//!   call line 6: heap@heat.c:3[]
//! ```

use std::fmt::Write;

use super::model::{Coverage, Covered};
use crate::analysis::points_to::PointsTo;
use crate::dataflow::steps::Steps;
use crate::program::{Program, Statement, Unit};

/// The coverage of a program.
pub fn dump(program: &Program, steps: &Steps, points_to: &PointsTo, coverage: &Coverage) -> String {
    let mut out = String::new();
    for id in steps.routine_ids() {
        let routine = steps.routine(id);
        let unit = &program.units[routine.function.unit];
        let mut lines: Vec<(usize, String)> = Vec::new();
        let body = &unit.function(routine.function.function).body;
        body.walk(&mut |statement: &Statement| {
            for one in coverage.overwritten_by_loop(id, statement.id) {
                let at = line(unit, statement.span.start);
                let by = line(unit, one.by.start);
                let text = format!("loop line {at}: {} (line {by})", names(points_to, one));
                lines.push((statement.span.start, text));
            }
            true
        });
        for (span, one) in coverage.calls(id) {
            let at = line(unit, span.start);
            let text = format!("call line {at}: {}", names(points_to, one));
            lines.push((span.start, text));
        }
        lines.sort();
        if !lines.is_empty() {
            let _ = writeln!(out, "function {}", routine.name);
        }
        for (_, line) in lines {
            let _ = writeln!(out, "  {line}");
        }
    }
    out
}

fn names(points_to: &PointsTo, covered: &Covered) -> String {
    let names: Vec<String> = covered
        .cells
        .iter()
        .map(|cell| points_to.cell_name(*cell))
        .collect();
    names.join(", ")
}

fn line(unit: &Unit, offset: usize) -> usize {
    unit.file.origin_text(offset).1
}
