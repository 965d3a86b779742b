//! A checkpoint in the words of the changed program.
//!
//! In: a checkpoint and what its functions became, all of it acceptable. Out: the same checkpoint with the new numbers
//! of blocks, items and counters, without the registers that are gone, and what has no values in the file: items that
//! begin with zeros, registers that have become longer.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::function::FunctionChange;
use super::program::Changes;
use crate::format::{Checkpoint, Entry, Node, Payload};
use crate::registry::{Function, LOCAL};

/// What a restart adds to the checkpoint.
#[derive(Debug, Default)]
pub struct Adopted {
    /// Items that begin with zeros: node and entry of the checkpoint, item.
    pub fresh: HashSet<(usize, usize, u32)>,
    /// Registers that have more elements now: their extents.
    pub grown: BTreeMap<u64, Vec<u64>>,
}

/// Translates the checkpoint.
pub fn translate(checkpoint: &mut Checkpoint, changes: &Changes) -> Adopted {
    let mut adopted = Adopted::default();
    let mut dropped: BTreeSet<u64> = BTreeSet::new();
    for (number, node) in checkpoint.trace.nodes.iter_mut().enumerate() {
        let change = changes.functions.get(node.function as usize);
        if let Some(Some((function, change))) = change {
            let plan = checkpoint.plans.get(node.function as usize);
            let counters = plan.map_or(usize::MAX, |plan| {
                plan.loops.iter().filter_map(|one| one.counter).count()
            });
            let alive = entries(node, (function, counters), change, &mut dropped);
            fresh(number, node, &alive, function, change, &mut adopted);
        }
    }
    for section in &mut checkpoint.sections {
        section
            .registers
            .retain(|register| !dropped.contains(&register.id));
    }
    for (index, change) in changes.functions.iter().enumerate() {
        let Some((function, change)) = change else {
            continue;
        };
        if let Some(saved) = checkpoint.functions.get_mut(index) {
            saved.fingerprint = function.fingerprint;
        }
        adopted.grown.extend(change.grown.iter().cloned());
    }
    // What the plans say is no longer what the trace means.
    checkpoint.plans.clear();
    adopted
}

/// The entries of an activation, which had so many counters. Gives which of them hold registers.
fn entries(
    node: &mut Node,
    (function, counters): (&Function, usize),
    change: &FunctionChange,
    dropped: &mut BTreeSet<u64>,
) -> Vec<bool> {
    let mut kept: Vec<Entry> = Vec::with_capacity(node.entries.len());
    let mut active = None;
    let mut alive = Vec::new();
    for (index, mut entry) in std::mem::take(&mut node.entries).into_iter().enumerate() {
        let mut holds = false;
        if let Payload::Register(links) = &mut entry.payload {
            holds = links.iter().any(|link| link.register.is_some());
            links.retain_mut(|link| match change.items.get(&link.item) {
                Some(&item) => {
                    link.item = item;
                    true
                }
                None => {
                    dropped.extend(link.register);
                    false
                }
            });
        }
        if entry.block != 0 {
            let Some(&block) = change.blocks.get(&entry.block) else {
                continue;
            };
            entry.block = block;
        }
        let mut instances = vec![0; function.counters];
        for (&old, &new) in &change.counters {
            if let (Some(to), Some(&from)) = (instances.get_mut(new), entry.instances.get(old)) {
                *to = from;
            }
        }
        // Which thread of a team it was.
        instances.extend(entry.instances.iter().skip(counters));
        entry.instances = instances;
        if node.active == Some(index as u32) {
            active = Some(kept.len() as u32);
        }
        kept.push(entry);
        alive.push(holds);
    }
    node.entries = kept;
    node.active = active;
    alive
}

/// New items come to life where the others of their statement live: in its latest execution.
fn fresh(
    number: usize,
    node: &Node,
    alive: &[bool],
    function: &Function,
    change: &FunctionChange,
    adopted: &mut Adopted,
) {
    for &(block, item) in &change.fresh {
        let flags = function
            .items
            .get(item as usize)
            .map_or(0, |item| item.flags);
        if node.active.is_none() && flags & LOCAL != 0 {
            continue;
        }
        let entries = node.entries.iter().zip(alive);
        let latest = entries
            .enumerate()
            .rev()
            .find(|(_, (entry, alive))| **alive && !entry.dormant && entry.block == block)
            .map(|(index, _)| index);
        if let Some(entry) = latest {
            adopted.fresh.insert((number, entry, item));
        }
    }
}
