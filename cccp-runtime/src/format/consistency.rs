//! What the parts of a checkpoint say about each other must fit together.
//!
//! Run on every file after its checksums, so that nobody who uses a checkpoint has to check an index again. It also
//! guards against a writer's defect: right checksums over wrong contents.

use std::collections::HashSet;

use super::FormatError;
use super::lengths::Lengths;
use super::model::{Checkpoint, Data, Encoding, Payload, Register, Value};
use super::plan;
use super::types::{self};

/// Checks a checkpoint that was read.
pub(super) fn check(checkpoint: &Checkpoint) -> Result<(), FormatError> {
    head(checkpoint)?;
    let lengths = Lengths::new(checkpoint.layout(), checkpoint.header.encoding);
    let ids = registers(checkpoint, &lengths)?;
    trace(checkpoint, &ids)
}

/// Checks header, types and plans: what everything else relies on.
pub(super) fn head(checkpoint: &Checkpoint) -> Result<(), FormatError> {
    let header = &checkpoint.header;
    if header.rank >= header.size {
        return wrong(format!("rank {} of {}", header.rank, header.size));
    }
    if header.generation == 0 {
        return wrong("generation 0: they count from 1".to_string());
    }
    if header.generation > i64::MAX as u64 {
        return wrong(format!("generation {} is none", header.generation));
    }
    types::check(&checkpoint.types, &header.machine)?;
    plan::check(
        &checkpoint.plans,
        checkpoint.functions.len(),
        checkpoint.types.len(),
    )
    .or_else(wrong)
}

fn wrong<T>(reason: String) -> Result<T, FormatError> {
    Err(FormatError::Damaged { offset: 0, reason })
}

fn registers(checkpoint: &Checkpoint, lengths: &Lengths) -> Result<HashSet<u64>, FormatError> {
    let mut ids = HashSet::new();
    for register in checkpoint
        .sections
        .iter()
        .flat_map(|section| &section.registers)
    {
        if !ids.insert(register.id) {
            return wrong(format!("two registers have the number {}", register.id));
        }
        if let Err(reason) = one_register(checkpoint, lengths, register) {
            return wrong(format!("register {}: {reason}", register.name));
        }
    }
    Ok(ids)
}

/// Checks a register against the types and functions.
pub(super) fn one_register(
    checkpoint: &Checkpoint,
    lengths: &Lengths,
    register: &Register,
) -> Result<(), String> {
    let kind = checkpoint
        .types
        .get(register.type_index as usize)
        .ok_or("there is no such type")?;
    if register.function as usize >= checkpoint.functions.len() {
        return Err("there is no such function".to_string());
    }
    if register.element_size != kind.size {
        return Err(format!(
            "{} bytes per element, but {} has {}",
            register.element_size, kind.name, kind.size
        ));
    }
    let bytes = register
        .first
        .checked_add(register.elements)
        .and_then(|elements| elements.checked_mul(register.element_size));
    if bytes.is_none_or(|bytes| bytes > types::MOST_BYTES) {
        return Err("more bytes than an address space has".to_string());
    }
    let product = register
        .extents
        .iter()
        .try_fold(1u64, |product, extent| product.checked_mul(*extent));
    if product != Some(register.elements) {
        return Err(format!(
            "{} elements are not {:?}",
            register.elements, register.extents
        ));
    }
    let length = match &register.data {
        Data::InFile { length, .. } => *length,
        Data::Encoded(data) => data.len() as u64,
    };
    let expected = lengths.of(register.type_index, register.elements);
    if !expected.is_some_and(|expected| expected.allows(length)) {
        return Err(format!(
            "{length} bytes of data are not {} elements of {}",
            register.elements, kind.name
        ));
    }
    Ok(())
}

/// Checks the trace; `ids` are the numbers of all registers.
pub(super) fn trace(checkpoint: &Checkpoint, ids: &HashSet<u64>) -> Result<(), FormatError> {
    // The values of the trace are XDR in every file.
    let lengths = &Lengths::new(checkpoint.layout(), Encoding::Xdr);
    let nodes = &checkpoint.trace.nodes;
    let mut reached = vec![false; nodes.len()];
    let mut reach = |index: u32| {
        reached
            .get_mut(index as usize)
            .is_some_and(|reached| !std::mem::replace(reached, true))
    };
    for root in &checkpoint.trace.roots {
        if !reach(*root) {
            return wrong(format!("node {root} of the trace is not there, or twice"));
        }
    }
    for (index, node) in nodes.iter().enumerate() {
        let refuse = |reason: &str| wrong(format!("node {index} of the trace: {reason}"));
        if node.function as usize >= checkpoint.functions.len() {
            return refuse("there is no such function");
        }
        let active = node.active.map(|active| {
            node.entries
                .get(active as usize)
                .map(|entry| &entry.payload)
        });
        if !matches!(
            active,
            None | Some(Some(Payload::Call(_) | Payload::Checkpoint))
        ) {
            return refuse("what is in progress is neither a call nor the checkpoint");
        }
        values(lengths, &node.arguments)?;
        for entry in &node.entries {
            match &entry.payload {
                Payload::Register(links) => {
                    if links
                        .iter()
                        .filter_map(|link| link.register)
                        .any(|id| !ids.contains(&id))
                    {
                        return refuse("a register that is not in the file");
                    }
                }
                Payload::Execute(list) | Payload::Region(list) => values(lengths, list)?,
                Payload::Call(child) => {
                    if (*child as usize) <= index || !reach(*child) {
                        return refuse("a call that leads to no node of its own");
                    }
                }
                Payload::Checkpoint => {}
            }
        }
    }
    match reached.iter().position(|reached| !reached) {
        Some(index) => wrong(format!("node {index} of the trace was never called")),
        None => Ok(()),
    }
}

fn values(lengths: &Lengths, values: &[Value]) -> Result<(), FormatError> {
    for value in values {
        let length = value.data.len() as u64;
        let Some(expected) = lengths.of(value.type_index, 1) else {
            return wrong(format!("value {}: there is no such type", value.name));
        };
        if !expected.allows(length) {
            return wrong(format!("value {} has {length} bytes of data", value.name));
        }
    }
    Ok(())
}
