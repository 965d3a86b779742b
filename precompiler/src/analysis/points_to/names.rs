//! Names of objects, as the user would write them.

use std::collections::HashMap;

use super::solver::Solver;
use crate::analysis::memory::{Memory, ObjectKind};
use crate::dataflow::steps::{FunctionTarget, TextPlace};

/// The names of all objects.
pub fn of(solver: &Solver, memory: &Memory) -> Vec<String> {
    let mut names: Vec<String> = memory
        .objects
        .iter()
        .map(|object| name(solver, &object.kind, false))
        .collect();
    for (object, _) in repeated(memory, &names) {
        names[object] = name(solver, &memory.objects[object].kind, true);
    }
    let mut number: HashMap<String, u32> = HashMap::new();
    for (object, name) in repeated(memory, &names) {
        let number = number.entry(name.clone()).or_default();
        *number += 1;
        names[object] = format!("{name}#{number}");
    }
    names
}

/// Blocks of the heap whose names others have, too.
fn repeated(memory: &Memory, names: &[String]) -> Vec<(usize, String)> {
    let is_heap = |index: &usize| matches!(memory.objects[*index].kind, ObjectKind::Heap { .. });
    let mut count: HashMap<&String, u32> = HashMap::new();
    for index in (0..names.len()).filter(is_heap) {
        *count.entry(&names[index]).or_default() += 1;
    }
    (0..names.len())
        .filter(is_heap)
        .filter(|index| count[&names[*index]] > 1)
        .map(|index| (index, names[index].clone()))
        .collect()
}

fn name(solver: &Solver, kind: &ObjectKind, with_way: bool) -> String {
    match kind {
        ObjectKind::Variable(id) => solver.steps.variables[id.0 as usize].name.clone(),
        ObjectKind::Heap { call, through, .. } => {
            let mut places = through.iter().chain([call]);
            let mut name = "heap@".to_string();
            if let Some(first) = places.next() {
                name.push_str(&place(solver, *first));
            }
            if with_way {
                for one in places {
                    name.push('>');
                    name.push_str(&place(solver, *one));
                }
            }
            name
        }
        ObjectKind::Function(FunctionTarget::Routine(id)) => {
            format!("{}()", solver.routine(*id).name)
        }
        ObjectKind::Function(FunctionTarget::Named(name)) => format!("{name}()"),
        ObjectKind::Text(at) => format!("text@{}", place(solver, *at)),
        ObjectKind::Library(name) => name.clone(),
        ObjectKind::Unknown => "<unknown>".to_string(),
    }
}

/// File (without directories) and line.
fn place(solver: &Solver, at: TextPlace) -> String {
    let unit = &solver.program.units[at.unit];
    let (file, line) = unit.file.origin_text(at.span.start);
    let file = file.rsplit('/').next().unwrap_or(&file);
    format!("{file}:{line}")
}
