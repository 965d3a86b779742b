//! All functions of a checkpoint compared with those of the program.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::super::known;
use super::function::{FunctionChange, Sides, gone};
use super::items::placed;
use super::row::Row;
use super::usage::Usage;
use crate::format::{self, Checkpoint, Kind, Plan, Subject, differences};
use crate::registry::{Function, HEAP, TypeTable};

/// What is known of the program before anything runs.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    /// Its client functions, by whatever names them.
    pub functions: &'a FxHashMap<usize, Rc<Function>>,
    /// Its types.
    pub types: &'a TypeTable,
}

/// What is different.
#[derive(Debug, Default)]
pub struct Changes {
    /// All differences, function by function.
    pub rows: Vec<Row>,
    /// What the checkpoint's functions became, in their order; none for one that is not known or not different.
    pub functions: Vec<Option<(Rc<Function>, FunctionChange)>>,
}

impl Changes {
    /// Whether a restart can live with all of them.
    pub fn acceptable(&self) -> bool {
        self.rows.iter().all(|row| row.refused.is_none())
    }
}

/// Compares everything.
pub fn find(checkpoint: &Checkpoint, program: Known<'_>) -> Changes {
    let mut changes = Changes::default();
    let mut missing = Vec::new();
    let functions = known::functions(checkpoint, program.functions.values());
    for (index, (saved, function)) in checkpoint.functions.iter().zip(functions).enumerate() {
        let function = match function {
            // A program that calls the library by hand is compared call by call.
            _ if saved.file.is_empty() => None,
            Some(function) => Some(function),
            None => {
                missing.push(gone(saved));
                None
            }
        };
        let change = function.and_then(|function| {
            let change = compare(checkpoint, index, saved, &function, program);
            let different = change.as_ref().is_ok_and(|change| !change.rows.is_empty());
            let mut rows = match &change {
                Ok(change) => change.rows.clone(),
                Err(row) => vec![row.clone()],
            };
            rows.retain(|row| !changes.rows.contains(row));
            changes.rows.append(&mut rows);
            change
                .ok()
                .filter(|_| different)
                .map(|change| (function, change))
        });
        changes.functions.push(change);
    }
    for row in blocks(checkpoint, program.types) {
        if !changes.rows.contains(&row) {
            changes.rows.push(row);
        }
    }
    // A function that nobody announced may still come, with a library that is loaded later; then it is compared when it
    // is called. Together with other differences it has most likely gone.
    if !changes.rows.is_empty() {
        changes.rows.append(&mut missing);
    }
    changes
}

/// What is different in the structs of allocated blocks: no item names them.
fn blocks(checkpoint: &Checkpoint, program: &TypeTable) -> Vec<Row> {
    let mut rows = Vec::new();
    let sections = checkpoint.sections.iter();
    let registers = sections.flat_map(|section| &section.registers);
    let mut seen = BTreeSet::new();
    for register in registers.filter(|one| one.flags & HEAP != 0) {
        let saved = &checkpoint.types[register.type_index as usize];
        if saved.kind != Kind::Struct || !seen.insert(register.type_index) {
            continue;
        }
        let (file, types) = (checkpoint.layout(), program.layout());
        // Files and functions may have structs of the same name each.
        let namesakes = program.types().iter().enumerate();
        let namesakes =
            namesakes.filter(|(_, one)| one.kind == Kind::Struct && one.name == saved.name);
        let compared =
            namesakes.map(|(now, _)| differences(file, register.type_index, types, now as u32));
        let Some(least) = compared.min_by_key(Vec::len) else {
            continue;
        };
        for found in least {
            let what = match &found.subject {
                Subject::Whole => format!("type of `{}`", register.name),
                Subject::Member { owner, name } => format!("{owner}: member `{name}`"),
                Subject::Order(owner) => format!("{owner}: order of the members"),
            };
            let (then, now) = (
                found.then.unwrap_or_default(),
                found.now.unwrap_or_default(),
            );
            let note = match (then.is_empty(), now.is_empty()) {
                (true, _) => "it begins with zeros",
                (_, true) => "its values are dropped",
                _ => "the values are converted",
            };
            rows.push(Row::new(what, then, now).refused(found.refused).note(note));
        }
    }
    rows
}

fn compare(
    checkpoint: &Checkpoint,
    index: usize,
    saved: &format::Function,
    function: &Rc<Function>,
    program: Known<'_>,
) -> Result<FunctionChange, Row> {
    let now = function.plan();
    let same: Plan;
    let plan = match checkpoint.plans.get(index) {
        Some(plan) => plan,
        // Files before 1.1 have no plans; the same fingerprint stands for the same one.
        None if saved.fingerprint == function.fingerprint => {
            same = now.clone();
            &same
        }
        None => {
            let row = Row::new(
                format!("function {}", saved.name),
                placed("", &saved.file, saved.line),
                placed("", &function.file, function.line),
            );
            return Err(row.never(
                "other directives, registered items, calls or parameters; the file is of format 1.0, which does not \
                 say which",
            ));
        }
    };
    let sides = Sides {
        checkpoint,
        types: program.types,
        saved,
        plan,
        usage: Usage::of(checkpoint, index as u32),
        function,
        now,
    };
    Ok(sides.compare())
}
