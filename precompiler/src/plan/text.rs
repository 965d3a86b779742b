//! The readable form of a Plan, and the fingerprint made from it.
//!
//! One line per fact. Without line numbers and file names the same text is hashed: the fingerprint of a function
//! changes when what a checkpoint relies on changes, and not when the user moves code around. The types of registered
//! items are left out: the checkpoint describes them itself, and a restart that compares them can name both sides.

use super::data::{BlockKind, Brings, FilePlan, FunctionPlan, Value};
use super::table::{Shape, TypeTable};
use crate::solver::reached;
use std::fmt::Write;

/// The whole file.
pub fn print(plan: &FilePlan) -> String {
    let mut out = format!("file {}\n", plan.file);
    for function in &plan.functions {
        out.push('\n');
        out.push_str(&print_function(function, true));
    }
    let _ = writeln!(out, "\nedits {}", plan.edits.len());
    out
}

/// FNV-1a, 64 bits, of the text without places.
pub fn fingerprint(plan: &FunctionPlan) -> u64 {
    print_function(plan, false)
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
}

fn shape(shape: &Shape, types: &TypeTable, places: bool) -> String {
    match shape {
        // Which integer `int64_t` or `wchar_t` is differs between machines, and a run may move to another one. A restart
        // compares the types themselves.
        Shape::Named(
            "short" | "ushort" | "int" | "uint" | "long" | "ulong" | "llong" | "ullong",
        ) if !places => "integer".to_string(),
        Shape::Named(word) => (*word).to_string(),
        Shape::Elsewhere(name) => name.clone(),
        Shape::Table(index) | Shape::Linked(index) => types
            .types
            .get(*index)
            .map_or_else(String::new, |entry| entry.name.clone()),
    }
}

fn value(one: &Value, types: &TypeTable, places: bool) -> String {
    format!(
        "{}: {}{}",
        one.name,
        shape(&one.shape, types, places),
        if one.read_by_blocks {
            " read by blocks"
        } else {
            ""
        }
    )
}

/// The types of parameters and recorded locals, with those of their members.
fn compared_types(plan: &FunctionPlan) -> Vec<bool> {
    let values = plan.blocks.iter().flat_map(|block| &block.values);
    let types = &plan.types.types;
    let entry = |shape: &Shape| match shape {
        Shape::Table(index) | Shape::Linked(index) if *index < types.len() => Some(*index),
        _ => None,
    };
    let all = plan.parameters.iter().chain(values);
    reached(
        types.len(),
        all.filter_map(|one| entry(&one.shape)),
        |index, open| {
            let members = types[index].members.iter();
            open.extend(members.filter_map(|member| entry(&member.shape)));
        },
    )
}

fn print_function(plan: &FunctionPlan, places: bool) -> String {
    let mut out = String::new();
    let line = |line: usize| {
        if places {
            format!(" line {line}")
        } else {
            String::new()
        }
    };
    let _ = writeln!(out, "function {}{}", plan.name, line(plan.line));
    if places {
        let _ = writeln!(
            out,
            "  fingerprint {:#018x}  dispatch {:?}",
            plan.fingerprint, plan.dispatch
        );
    }
    for one in &plan.parameters {
        let _ = writeln!(out, "  parameter {}", value(one, &plan.types, places));
    }
    let compared = compared_types(plan);
    for (index, entry) in plan.types.types.iter().enumerate() {
        if !places && !compared[index] {
            continue;
        }
        let _ = writeln!(out, "  type {} = {} {}", entry.name, entry.kind, entry.size);
        for member in &entry.members {
            let bits = if member.mask.is_some() { " bits" } else { "" };
            let _ = writeln!(
                out,
                "    {}: {} × {}{bits}",
                member.name,
                shape(&member.shape, &plan.types, places),
                member.count
            );
        }
    }
    if places {
        for shadow in &plan.shadows {
            let why = if shadow.registered {
                "registered"
            } else {
                "kept"
            };
            let _ = writeln!(
                out,
                "  shadow {} {why}",
                shadow.declaration.replace('@', &shadow.variable)
            );
        }
        for one in &plan.temporaries {
            let kept = if one.kept { " kept" } else { "" };
            let _ = writeln!(
                out,
                "  temporary {}{kept}",
                one.declaration.replace('@', &one.name)
            );
        }
    }
    for (index, one) in plan.loops.iter().enumerate() {
        let counter = one.counter.map_or_else(
            || "once".to_string(),
            |counter| format!("counter {counter}"),
        );
        let prunable = if one.prunable { " prunable" } else { "" };
        let _ = writeln!(
            out,
            "  loop {}{} in {} {counter}{prunable}",
            index + 1,
            line(one.line),
            one.parent
        );
    }
    for one in &plan.items {
        let mut flags = String::new();
        for (set, word) in [
            (one.block == 0, " resident"),
            (one.behind, " behind"),
            (one.local, " local"),
            (one.local_pointer, " local-pointer"),
            (one.unset_pointer, " unset-pointer"),
            (one.begins, " block"),
            (one.indirect, " indirect"),
            (one.brings == Brings::Block, " with its block"),
            (one.brings == Brings::Everything, " followed"),
            (one.brings == Brings::File, " open files"),
        ] {
            if set {
                flags.push_str(word);
            }
        }
        let extents: String = one
            .extents
            .iter()
            .map(|extent| format!("[{}]", extent.text))
            .collect();
        let typed = if places {
            format!(": {}", shape(&one.shape, &plan.types, places))
        } else {
            String::new()
        };
        let _ = writeln!(
            out,
            "  item {}{extents}{typed} at {} from {}{flags}{}",
            one.name,
            one.address,
            one.first.text,
            line(one.line)
        );
    }
    for (index, block) in plan.blocks.iter().enumerate() {
        let kind = match block.kind {
            BlockKind::Init => "init",
            BlockKind::Register => "register",
            BlockKind::Execute if block.each => "execute each",
            BlockKind::Execute => "execute",
            BlockKind::Call => "call",
            BlockKind::Region => "region",
            BlockKind::Checkpoint => "checkpoint",
            BlockKind::Parallel => "parallel",
        };
        let name = block
            .name
            .as_ref()
            .map_or_else(String::new, |name| format!(" {name}"));
        let _ = write!(
            out,
            "  block {} {kind}{name}{}",
            index + 1,
            line(block.line)
        );
        let _ = write!(out, " loop {} region {}", block.in_loop, block.region);
        if block.passed != 0 {
            let _ = write!(out, " anew {:#b}", block.passed);
        }
        if !block.values.is_empty() {
            let values: Vec<String> = block
                .values
                .iter()
                .map(|one| value(one, &plan.types, places))
                .collect();
            let _ = write!(out, " records {}", values.join(", "));
        }
        if places {
            if let Some(ranks) = &block.ranks {
                let _ = write!(out, " ranks {ranks}");
            }
            let names = |list: &[usize]| {
                list.iter()
                    .map(|&shadow| plan.shadows[shadow].variable.clone())
                    .collect::<Vec<_>>()
                    .join(" ")
            };
            if !block.publish.is_empty() {
                let _ = write!(out, " publishes {}", names(&block.publish));
            }
            if !block.load.is_empty() {
                let _ = write!(out, " loads {}", names(&block.load));
            }
            for (name, text) in &block.constants {
                let _ = write!(out, " sets {name} = {text}");
            }
            if !block.silence.is_empty() {
                let _ = write!(out, " silences {}", block.silence.join(" "));
            }
            if places && !block.held.is_empty() {
                let _ = write!(out, " holds {}", block.held.join(" "));
            }
            for (at, names) in block.held_before.iter().filter(|_| places) {
                let _ = write!(out, " holds {} at block {at}", names.join(" "));
            }
            if !block.poisoned.is_empty() {
                let _ = write!(out, " poisons {}", block.poisoned.join(" "));
            }
        }
        out.push('\n');
    }
    out
}
