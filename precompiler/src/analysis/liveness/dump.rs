//! Liveness as text.
//!
//! ```text
//! checkpoint heat.c:12 in main
//!   n: live, read at heat.c:14
//!   heap@heat.c:5[]: live, read at heat.c:15
//!   next: dead, overwritten at heat.c:20
//!   frame solve, called at heat.c:40
//!     tolerance: live
//! ```

use std::fmt::Write;

use crate::analysis::memory::{CellId, ObjectKind};
use crate::dataflow::steps::TextPlace;

use super::model::{Dead, Liveness};

/// One block per checkpoint, in the order of units and text.
pub fn dump(liveness: &Liveness<'_>) -> String {
    let mut out = String::new();
    for (index, at) in liveness.checkpoints().iter().enumerate() {
        let routine = &liveness.steps.routines[at.routine.0 as usize];
        let _ = writeln!(
            out,
            "checkpoint {} in {}",
            shown(liveness, at.place),
            routine.name
        );
        let memory = &liveness.points_to.memory;
        let live: Vec<CellId> = { at.cells.ones() }.map(|one| CellId(one as u32)).collect();
        let reads = liveness.why_all_live(index, &live);
        let mut lines = Vec::new();
        for number in 0..memory.cells.len() {
            let cell = CellId(number as u32);
            let object = &memory.objects[memory.cells[number].object.0 as usize];
            let name = liveness.points_to.cell_name(cell);
            if at.cells.contains(number) {
                let read = reads.get(&cell).map_or_else(String::new, |witness| {
                    format!(", read at {}", shown(liveness, witness.read))
                });
                lines.push(format!("  {name}: live{read}"));
            } else if is_shown_when_dead(liveness, &object.kind, at.routine)
                && at.written_before.contains(number)
            {
                let why = match liveness.why_dead(index, cell) {
                    Some(Dead::Overwritten { write, .. }) => {
                        format!("overwritten at {}", shown(liveness, write))
                    }
                    Some(Dead::NeverRead) => "never read again".to_string(),
                    Some(Dead::NotThere) => "not there".to_string(),
                    Some(Dead::NeverWritten) | None => continue,
                };
                lines.push(format!("  {name}: dead, {why}"));
            }
        }
        lines.sort();
        for line in lines {
            let _ = writeln!(out, "{line}");
        }
        frames(liveness, index, &mut out);
    }
    out
}

fn frames(liveness: &Liveness<'_>, index: usize, out: &mut String) {
    let mut blocks = Vec::new();
    for frame in &liveness.checkpoints()[index].frames {
        let routine = &liveness.steps.routines[frame.routine.0 as usize];
        let call = shown(liveness, frame.call);
        let mut block = format!("  frame {}, called at {call}\n", routine.name);
        for cell in frame.cells.ones() {
            let name = liveness.points_to.cell_name(CellId(cell as u32));
            let _ = writeln!(block, "    {name}: live");
        }
        blocks.push(block);
    }
    blocks.sort();
    out.extend(blocks);
}

/// Globals, statics, the heap, and locals of the checkpoint's function.
fn is_shown_when_dead(
    liveness: &Liveness<'_>,
    kind: &ObjectKind,
    routine: crate::dataflow::steps::RoutineId,
) -> bool {
    match kind {
        ObjectKind::Variable(variable) => {
            let owner = crate::analysis::effects::owner_of_local(liveness.steps, *variable);
            owner.is_none_or(|owner| owner == routine)
        }
        ObjectKind::Heap { .. } => true,
        _ => false,
    }
}

/// File and line, as the user knows them.
fn shown(liveness: &Liveness<'_>, place: TextPlace) -> String {
    let unit = &liveness.program.units[place.unit];
    let (path, line) = unit.file.origin_text(place.span.start);
    let name = path.rsplit('/').next().unwrap_or(&path).to_string();
    format!("{name}:{line}")
}
