//! How the memory of the old run is laid out in this one.
//!
//! In: the registers of a checkpoint, and the program's types of them. Out: the spans of memory behind pointers, and where a byte of an element has gone. Not here: memory itself (`memory`).

use std::collections::{BTreeMap, HashMap};

use crate::format::types::LeafIn;
use crate::format::{Checkpoint, Register, types};
use crate::memory::{Regions, Span};
use crate::registry::{BEHIND, INDIRECT, TypeTable};

use super::changes::Adopted;
use super::replay::Stop;

/// Registers that have become longer get their memory.
pub(super) fn make_room(
    regions: &mut Regions,
    registers: &BTreeMap<u64, Register>,
    known: &HashMap<u64, u32>,
    program_types: &TypeTable,
    adopted: &Adopted,
) -> Result<(), Stop> {
    for (id, extents) in &adopted.grown {
        let Some(register) = registers.get(id).filter(|one| one.flags & BEHIND != 0) else {
            continue;
        };
        let index = known.get(id).copied();
        let size = index
            .and_then(|index| program_types.get(index))
            .map_or(0, |one| one.size);
        let bytes = |elements: u64| register.first.saturating_add(elements).saturating_mul(size);
        let now = extents
            .iter()
            .fold(1u64, |all, one| all.saturating_mul(*one));
        if !regions.grow(*id, bytes(register.elements), bytes(now)) {
            return Err(format!(
                "`{}` (line {}) has more elements now, but other registered memory follows it at once",
                register.name, register.line
            ));
        }
    }
    Ok(())
}

/// The memory behind pointers, as far as the program's types are known.
pub(super) fn spans(
    registers: &BTreeMap<u64, Register>,
    known: &HashMap<u64, u32>,
    program_types: &TypeTable,
) -> Vec<Span> {
    let behind = |register: &&Register| register.flags & (BEHIND | INDIRECT) != 0;
    registers
        .values()
        .filter(behind)
        .filter_map(|register| {
            let old_size = register.element_size;
            let skipped = register.first.saturating_mul(old_size);
            Some(Span {
                key: register.id,
                start: register.address.saturating_sub(skipped),
                elements: register.first.saturating_add(register.elements),
                old_size,
                new_size: program_types.get(*known.get(&register.id)?)?.size,
            })
        })
        .collect()
}

/// Where a byte of an element of a register is in this run.
pub(super) fn inside(
    checkpoint: &Checkpoint,
    registers: &BTreeMap<u64, Register>,
    known: &HashMap<u64, u32>,
    program_types: &TypeTable,
) -> impl Fn(u64, u64) -> u64 {
    move |key, byte| {
        let register = &registers[&key];
        let (leaf, rest) = types::leaf_at(&checkpoint.types, register.type_index, byte);
        let own = types::leaf_in(
            &checkpoint.types,
            register.type_index,
            leaf,
            program_types.types(),
            known[&key],
        );
        let own = match own {
            LeafIn::Leaf(leaf) => types::offset_of(program_types.types(), known[&key], leaf, rest),
            LeafIn::Gone | LeafIn::Unsure => None,
        };
        own.unwrap_or(byte)
    }
}
