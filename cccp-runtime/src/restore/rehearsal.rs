//! Whether a restart could come back to a checkpoint, before the checkpoint is written (S36).
//!
//! In: a checkpoint as it would be written, the activations in which `init` stood: on restart they are there again; and what values
//! of the trace point to. Out: nothing, or why control would not come back. The one idea: what a restart does with the trace is done
//! here without the program. The stack is matched by the function that a restart uses ([`match_stack`]); every activation is walked
//! from dispatch to dispatch; what is registered has to be met on the way, and before what points to it.
//!
//! Not here: pointers to what has no register at all (`session::collect`), lengths of blocks.

use std::collections::{HashMap, HashSet};

use crate::format::{BlockKind, Checkpoint, Entry, Node, Payload, PlannedBlock, Register};
use crate::registry::{BLOCKS, HEAP};

use super::replay::Standing;
use super::stack::{match_stack, name_of};

/// Why a restart from a checkpoint would stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// Checkpoints taken elsewhere may be better.
    Here(String),
    /// So are all checkpoints until something is unregistered.
    Everywhere(String),
}

/// A value of the trace that a restart uses, and that points to variables with registers.
#[derive(Clone, Debug)]
pub struct Need {
    /// The activation that has it.
    pub node: usize,
    /// When the block came that reads it; none for an argument.
    pub sequence: Option<u64>,
    /// The value, for people.
    pub holder: String,
    /// The registers.
    pub registers: Vec<u64>,
}

/// Goes the way of a restart from this checkpoint.
pub fn rehearse(
    checkpoint: &Checkpoint,
    standing: &[Standing],
    needs: &[Need],
) -> Result<(), Obstacle> {
    let Some(outermost) = standing.first() else {
        return Ok(());
    };
    let nodes = &checkpoint.trace.nodes;
    let roots: Vec<usize> = roots_of(checkpoint)
        .filter(|&root| !nodes[root].is_residence())
        .collect();
    let Some(&here) = roots.iter().find(|&&root| nodes[root].active.is_some()) else {
        return Ok(());
    };
    let cursors = match_stack(checkpoint, standing)
        .map_err(|_| called_from_outside(checkpoint, here, outermost))?;
    let node_of = |one: &Standing| cursors.get(&one.frame).and_then(|cursor| cursor.node);
    if node_of(outermost) != Some(here) {
        return Err(called_from_outside(checkpoint, here, outermost));
    }
    // In which region control is when an activation that stood at `init` asks for its first block.
    let begins: HashMap<usize, u32> = standing
        .iter()
        .filter_map(|one| {
            let node = node_of(one)?;
            Some((node, planned(checkpoint, &nodes[node], one.block)?.region))
        })
        .collect();
    // What stood there was called by the program itself.
    let stood: HashSet<usize> = standing.iter().filter_map(node_of).collect();
    let mut wanted: HashMap<(usize, Option<u64>), Vec<&Need>> = HashMap::new();
    for need in needs
        .iter()
        .filter(|one| one.sequence.is_some() || !stood.contains(&one.node))
    {
        let same_time = wanted.entry((need.node, need.sequence)).or_default();
        same_time.push(need);
    }
    let residences = roots_of(checkpoint).filter(|&root| nodes[root].is_residence());
    let residents = residences.flat_map(|root| &nodes[root].entries);
    let mut met: HashSet<u64> = residents.flat_map(registers_of).collect();
    // Activations with their next entries.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut entered = Some(here);
    loop {
        if let Some(number) = entered.take() {
            walk(
                checkpoint,
                &nodes[number],
                begins.get(&number).copied().unwrap_or(0),
            )?;
            come_in_time(checkpoint, wanted.get(&(number, None)), &met)?;
            open.push((number, 0));
        }
        let Some((number, next)) = open.last_mut() else {
            break;
        };
        let Some(entry) = nodes[*number].entries.get(*next) else {
            open.pop();
            continue;
        };
        *next += 1;
        if entry.dormant {
            continue;
        }
        come_in_time(
            checkpoint,
            wanted.get(&(*number, Some(entry.sequence))),
            &met,
        )?;
        met.extend(registers_of(entry));
        if let Payload::Call(callee) = &entry.payload {
            entered = Some(*callee as usize);
        }
    }
    let registers = checkpoint
        .sections
        .iter()
        .flat_map(|section| &section.registers);
    let is_item = |one: &&Register| one.flags & (HEAP | BLOCKS | crate::format::LIBRARY) == 0;
    if let Some(one) = registers.filter(is_item).find(|one| !met.contains(&one.id)) {
        let function = &checkpoint.functions[one.function as usize];
        return Err(Obstacle::Everywhere(format!(
            "`{}` was registered by {} ({}:{}), which was called by code that was not precompiled (a library, a signal, a \
             thread): a restart does not come there to register it again; register it in {} or in a function that is called \
             from there",
            one.name, function.name, function.file, one.line, outermost.function.name
        )));
    }
    let executes = |root: &&usize| {
        let on_the_way = |kind: &Payload| matches!(kind, Payload::Execute(_));
        let mut entries = nodes[**root].entries.iter();
        entries.any(|entry| !entry.dormant && on_the_way(&entry.payload))
    };
    match roots.iter().filter(|root| **root != here).find(executes) {
        None => Ok(()),
        Some(&root) => Err(Obstacle::Everywhere(format!(
            "{} executed a block that a restart has to execute again, but it was called by code that was not precompiled (a \
             library, a signal, a thread): a restart does not come there",
            placed(checkpoint, root)
        ))),
    }
}

fn roots_of(checkpoint: &Checkpoint) -> impl Iterator<Item = usize> {
    checkpoint.trace.roots.iter().map(|&root| root as usize)
}

/// The registers that an entry brings.
fn registers_of(entry: &Entry) -> impl Iterator<Item = u64> {
    let links = match &entry.payload {
        Payload::Register(links) => links.as_slice(),
        _ => &[],
    };
    links.iter().filter_map(|link| link.register)
}

/// Whether a restart has met by now what these values point to: before, it does not know where a variable lies.
fn come_in_time(
    checkpoint: &Checkpoint,
    needs: Option<&Vec<&Need>>,
    met: &HashSet<u64>,
) -> Result<(), Obstacle> {
    for need in needs.into_iter().flatten() {
        let Some(late) = need.registers.iter().find(|id| !met.contains(id)) else {
            continue;
        };
        let mut registers = checkpoint.sections.iter().flat_map(|one| &one.registers);
        let Some(late) = registers.find(|one| one.id == *late) else {
            continue;
        };
        let function = &checkpoint.functions[late.function as usize];
        return Err(Obstacle::Here(format!(
            "{}: a pointer points to `{}`, which is registered only later ({}:{}), and a restart needs it before it comes there; \
             register it before that call or block",
            need.holder, late.name, function.file, late.line
        )));
    }
    Ok(())
}

/// An activation that waits for nothing that a restart knows.
fn called_from_outside(checkpoint: &Checkpoint, root: usize, outermost: &Standing) -> Obstacle {
    Obstacle::Here(format!(
        "{} was called by code that was not precompiled (a library, a signal, a thread, or at the end of the program), and a \
         restart, which begins in {}, could not enter it again",
        placed(checkpoint, root),
        outermost.function.name
    ))
}

/// `solve (heat.c:12)`.
fn placed(checkpoint: &Checkpoint, node: usize) -> String {
    let function = checkpoint.trace.nodes[node].function as usize;
    match checkpoint.functions.get(function) {
        Some(one) => format!("{} ({}:{})", one.name, one.file, one.line),
        None => name_of(checkpoint, node).to_string(),
    }
}

fn planned<'a>(checkpoint: &'a Checkpoint, node: &Node, block: u32) -> Option<&'a PlannedBlock> {
    let plan = checkpoint.plans.get(node.function as usize)?;
    plan.blocks.get(block.checked_sub(1)? as usize)
}

/// From dispatch to dispatch: out of a region control comes by itself, into one only through its declaration.
fn walk(checkpoint: &Checkpoint, node: &Node, begin: u32) -> Result<(), Obstacle> {
    let mut inside = begin;
    for entry in node.entries.iter().filter(|entry| !entry.dormant) {
        let Some(block) = planned(checkpoint, node, entry.block) else {
            continue;
        };
        while inside != block.region && inside != 0 {
            inside = planned(checkpoint, node, inside).map_or(0, |outer| outer.region);
        }
        if inside != block.region {
            let function = &checkpoint.functions[node.function as usize];
            let region = planned(checkpoint, node, block.region).map_or(0, |region| region.line);
            return Err(Obstacle::Here(format!(
                "{}:{} lies behind the declaration in line {region}, which a restart does not make again before it comes there",
                function.file, block.line
            )));
        }
        if block.kind == BlockKind::Region {
            inside = entry.block;
        }
    }
    Ok(())
}
