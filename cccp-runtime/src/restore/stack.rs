//! Which activations of this run stand for which of the checkpoint.
//!
//! In: the frames that stand on the stack when `init` is reached. Out: where each of them goes on in the trace. A
//! function with other directives than the one that wrote the checkpoint stops the restart.

use std::collections::{BTreeMap, HashMap};

use crate::format::{self, Checkpoint, Payload};
use crate::registry::{Function, TypeTable};

use super::replay::{Cursor, Standing, Stop};

pub(super) fn match_stack(
    checkpoint: &Checkpoint,
    standing: &[Standing],
) -> Result<HashMap<usize, Cursor>, Stop> {
    let mut cursors = HashMap::new();
    let mut node = match standing.first() {
        None => None,
        Some(root) => {
            let found = checkpoint
                .trace
                .roots
                .iter()
                .map(|&root| root as usize)
                .filter(|&node| !checkpoint.trace.nodes[node].is_residence())
                .find(|&node| name_of(checkpoint, node) == root.function.name);
            let Some(found) = found else {
                let names: Vec<&str> = checkpoint
                    .trace
                    .roots
                    .iter()
                    .map(|&root| name_of(checkpoint, root as usize))
                    .collect();
                return Err(format!(
                    "the checkpoint begins in {}, this program in {}",
                    names.join(", "),
                    root.function.name
                ));
            };
            Some(found)
        }
    };
    for (depth, here) in standing.iter().enumerate() {
        let mut at = 0;
        let mut entry = None;
        let mut callee = None;
        let mut inner = None;
        if let Some(number) = node {
            same_function(checkpoint, number, &here.function)?;
            // The call in which `init` was reached is the first thing that can be on the way here.
            if let Some(deeper) = standing.get(depth + 1) {
                let entries = &checkpoint.trace.nodes[number].entries;
                let first = entries.iter().position(|entry| !entry.dormant);
                if let Some(first) = first
                    && entries[first].block == here.block
                    && let Payload::Call(called) = entries[first].payload
                    && name_of(checkpoint, called as usize) == deeper.function.name
                {
                    inner = Some(called as usize);
                    entry = Some(first);
                    at = first + 1;
                }
                callee = Some(deeper.frame);
            }
        }
        cursors.insert(
            here.frame,
            Cursor {
                node,
                at,
                entry,
                callee,
                team: BTreeMap::new(),
            },
        );
        node = inner;
    }
    Ok(cursors)
}

/// The name of the function of a node; empty when there is none.
pub fn name_of(checkpoint: &format::Checkpoint, node: usize) -> &str {
    checkpoint
        .trace
        .nodes
        .get(node)
        .and_then(|node| checkpoint.functions.get(node.function as usize))
        .map_or("", |function| function.name.as_str())
}

pub(super) fn same_function(
    checkpoint: &format::Checkpoint,
    node: usize,
    function: &Function,
) -> Result<(), Stop> {
    let Some(saved) = checkpoint
        .trace
        .nodes
        .get(node)
        .and_then(|node| checkpoint.functions.get(node.function as usize))
    else {
        return Err("the checkpoint refers to a function it does not describe".to_string());
    };
    if saved.name != function.name {
        return Err(format!(
            "the original run was in {} ({}:{}), this one is in {} ({}:{})",
            saved.name, saved.file, saved.line, function.name, function.file, function.line
        ));
    }
    if saved.fingerprint != function.fingerprint {
        let place = format!("{}:{}", function.file, function.line);
        let before = match format!("{}:{}", saved.file, saved.line) {
            same if same == place => "it had".to_string(),
            other => format!("{other} had"),
        };
        return Err(format!(
            "the program has changed since the checkpoint: {} ({place}) has other directives, registered items, \
             calls or parameters than {before}. Run the old program, or start anew with --cccp-restart=fresh",
            function.name
        ));
    }
    Ok(())
}

/// The parameters have types that the saved arguments fit.
pub(super) fn same_parameters(
    checkpoint: &format::Checkpoint,
    node: usize,
    function: &Function,
    program_types: &TypeTable,
) -> Result<(), Stop> {
    let file = checkpoint.layout();
    let program = program_types.layout();
    let Some(saved) = checkpoint.trace.nodes.get(node) else {
        return Ok(());
    };
    for (value, parameter) in saved.arguments.iter().zip(&function.parameters) {
        format::compatible(file, value.type_index, program, parameter.type_index).map_err(
            |reason| {
                format!(
                    "the program has changed since the checkpoint: the parameter `{}` of {} ({}:{}): {reason}. Run the \
                     old program, or start anew with --cccp-restart=fresh",
                    parameter.name, function.name, function.file, function.line
                )
            },
        )?;
    }
    Ok(())
}
