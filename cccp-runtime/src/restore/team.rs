//! A checkpoint in a parallel region, as a team of another size would have written it.
//!
//! In: a checkpoint of which the precompiler has proved that what each thread has of its own is the same for all of them. Out: the
//! same checkpoint with another number of threads in the region that is in progress: threads that are too many are left out, and
//! new ones have copies of what the initial thread has. What all threads share stays as it is.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::rc::Rc;

use super::known;
use crate::format::{Checkpoint, Entry, File, Node, Payload, Register};
use crate::registry::{BEHIND, Block, Function, INDIRECT};

/// The region that is in progress: its activation, and the entries of its threads there.
struct Region {
    node: usize,
    entries: Vec<usize>,
    /// Where the number of a thread stands among the counters; behind it the number of threads.
    at: usize,
}

/// Gives the region in progress so many threads, where the program says that this is right; nothing happens outside of regions.
pub fn resize<'f>(
    file: &mut File,
    announced: impl Iterator<Item = &'f Rc<Function>>,
    threads: u64,
) {
    let checkpoint = &mut file.checkpoint;
    let functions = known::functions(checkpoint, announced);
    let known = stand(checkpoint, &functions).and_then(|block| block.threads.as_deref());
    if known != Some("") {
        return;
    }
    let Some(region) = region(checkpoint, &functions) else {
        return;
    };
    let entries = &mut checkpoint.trace.nodes[region.node].entries;
    for &entry in &region.entries {
        entries[entry].instances[region.at + 1] = threads;
    }
    let (first, rest): (Vec<usize>, Vec<usize>) = region
        .entries
        .iter()
        .partition(|entry| entries[**entry].instances[region.at] == 0);
    let &[first] = first.as_slice() else {
        return;
    };
    let there = region.entries.len() as u64;
    if threads < there {
        let is_gone = |entry: &usize| entries[*entry].instances[region.at] >= threads;
        let gone: Vec<usize> = rest.into_iter().filter(is_gone).collect();
        leave_out(checkpoint, region.node, &gone);
        // The initial thread is one of those that are left.
        let before = gone.iter().filter(|one| **one < first).count();
        checkpoint.trace.nodes[region.node].active = Some((first - before) as u32);
        return;
    }
    for number in there..threads {
        let mut entry = file.checkpoint.trace.nodes[region.node].entries[first].clone();
        entry.instances[region.at] = number;
        if let Payload::Call(part) = &mut entry.payload {
            *part = copy(file, *part);
        }
        let entries = &mut file.checkpoint.trace.nodes[region.node].entries;
        entries.push(entry);
    }
}

/// How many threads the region in progress has.
pub(super) fn team_size(
    checkpoint: &Checkpoint,
    functions: &[Option<Rc<Function>>],
) -> Option<u64> {
    let region = region(checkpoint, functions)?;
    let first = &checkpoint.trace.nodes[region.node].entries[*region.entries.first()?];
    first.instances.get(region.at + 1).copied()
}

/// The program's block of the checkpoint; none where it is not known.
pub(super) fn stand<'f>(
    checkpoint: &Checkpoint,
    functions: &'f [Option<Rc<Function>>],
) -> Option<&'f Block> {
    let nodes = checkpoint.trace.nodes.iter();
    let mut stand = nodes.filter_map(|node| {
        let entry = node.entries.get(node.active? as usize)?;
        (entry.payload == Payload::Checkpoint).then_some((node.function, entry.block))
    });
    let (function, block) = stand.next()?;
    let function = functions.get(function as usize)?.as_ref()?;
    function.blocks.get(block.checked_sub(1)? as usize)
}

fn region(checkpoint: &Checkpoint, functions: &[Option<Rc<Function>>]) -> Option<Region> {
    let nodes = &checkpoint.trace.nodes;
    let thread = |node: &Node, entry: &Entry| {
        let function = functions.get(node.function as usize)?.as_ref()?;
        let Payload::Call(part) = entry.payload else {
            return None;
        };
        let is_here = nodes.get(part as usize)?.active.is_some() && !entry.dormant;
        function.thread_of_team(&entry.instances)?;
        is_here.then_some(entry.instances.len() - 2)
    };
    nodes.iter().enumerate().find_map(|(number, node)| {
        let all = node.entries.iter().enumerate();
        let found: Vec<(usize, usize)> = all
            .filter_map(|(index, entry)| Some((index, thread(node, entry)?)))
            .collect();
        Some(Region {
            node: number,
            at: found.first()?.1,
            entries: found.into_iter().map(|one| one.0).collect(),
        })
    })
}

/// Takes out the entries of threads, with all that they had registered.
fn leave_out(checkpoint: &mut Checkpoint, node: usize, gone: &[usize]) {
    let mut registers = BTreeSet::new();
    for &entry in gone {
        let mut due = parts(&checkpoint.trace.nodes[node].entries[entry]);
        while let Some(part) = due.pop() {
            let part = &mut checkpoint.trace.nodes[part];
            for entry in std::mem::take(&mut part.entries) {
                due.extend(parts(&entry));
                if let Payload::Register(links) = &entry.payload {
                    registers.extend(links.iter().filter_map(|link| link.register));
                }
            }
            part.active = None;
        }
    }
    let mut index = 0;
    checkpoint.trace.nodes[node].entries.retain(|_| {
        index += 1;
        !gone.contains(&(index - 1))
    });
    for section in &mut checkpoint.sections {
        let is_left = |one: &Register| !registers.contains(&one.id);
        section.registers.retain(is_left);
    }
}

fn parts(entry: &Entry) -> Vec<usize> {
    match entry.payload {
        Payload::Call(part) => vec![part as usize],
        _ => Vec::new(),
    }
}

/// Copies a thread's part of the region; gives the number of the copy. What pointers point to is shared, and stays with the initial
/// thread, which registers it.
fn copy(file: &mut File, part: u32) -> u32 {
    let checkpoint = &mut file.checkpoint;
    let first = checkpoint.trace.nodes.len() as u32;
    let mut copies: HashMap<u32, u32> = HashMap::from([(part, first)]);
    let mut registers: BTreeMap<u64, u64> = BTreeMap::new();
    let sections = checkpoint.sections.iter();
    let ids = sections.flat_map(|section| &section.registers);
    let mut next = ids.map(|one| one.id).max().unwrap_or(0);
    let sections = checkpoint.sections.iter();
    let all = sections.flat_map(|section| &section.registers);
    let shared = all.filter(|one| one.flags & (BEHIND | INDIRECT) != 0);
    let shared: BTreeSet<u64> = shared.map(|one| one.id).collect();
    let mut due = VecDeque::from([part]);
    while let Some(from) = due.pop_front() {
        let mut node = checkpoint.trace.nodes[from as usize].clone();
        for entry in &mut node.entries {
            match &mut entry.payload {
                Payload::Call(callee) => {
                    due.push_back(*callee);
                    let number = first + copies.len() as u32;
                    *callee = *copies.entry(*callee).or_insert(number);
                }
                Payload::Register(links) => {
                    links.retain(|link| link.register.is_none_or(|id| !shared.contains(&id)));
                    for id in links.iter_mut().filter_map(|link| link.register.as_mut()) {
                        *id = *registers.entry(*id).or_insert_with(|| {
                            next += 1;
                            next
                        });
                    }
                }
                _ => {}
            }
        }
        checkpoint.trace.nodes.push(node);
    }
    for section in &mut checkpoint.sections {
        let mut all = Vec::with_capacity(section.registers.len());
        for register in &section.registers {
            if let Some(&id) = registers.get(&register.id) {
                all.push(Register {
                    id,
                    ..register.clone()
                });
            }
        }
        section.registers.extend(all);
    }
    // In the order of their new numbers.
    let mut copies: Vec<(u64, u64)> = registers.into_iter().map(|(old, new)| (new, old)).collect();
    copies.sort_unstable();
    for (new, old) in copies {
        file.copy(old, new);
    }
    first
}
