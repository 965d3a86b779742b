//! The way back: control goes from block to block as the trace says.
//!
//! In: a verified checkpoint, and the program asking "what next?" in each activation. Out: block numbers, values of
//! arguments and locals, restored items; and the live trace, built anew by the blocks that run. Steps: `begin` matches
//! the activations in which `init` was reached · `next` walks the entries of each activation · `resume` restores
//! everything once more and ends the restart.
//!
//! When the program does not go the way the trace says, the restart stops with an explanation: a wrong restart is the
//! worst thing that can happen.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use crate::format::{self, File, Layout, Payload, Register, Value, types};
use crate::memory::{Regions, Span};
use crate::registry::{BEHIND, Field, Function, INDIRECT, NodeId, RegisterId};
use crate::session::{Handed, Session};

use super::asleep::Asleep;
use super::place::{Placer, Places};

/// Why a restart cannot go on, for people.
pub type Stop = String;

/// An activation that is on the stack when a restart begins, or asks for its next block.
#[derive(Clone, Debug)]
pub struct Standing {
    /// Address of its frame.
    pub frame: usize,
    /// What runs.
    pub function: Rc<Function>,
    /// The call in progress in it, or the block of `init`.
    pub block: u32,
}

/// What an activation does next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Next {
    /// The block; 0 = return.
    pub block: u32,
    /// The loop counters to go on with.
    pub counters: Vec<u64>,
    /// Dormant entries that were passed over: the activation's node in the checkpoint, and their indices.
    pub(super) passed: (usize, Vec<usize>),
}

/// How far an activation has come.
#[derive(Clone, Debug)]
struct Cursor {
    /// Its node in the file; none when nothing of it is on the way.
    node: Option<usize>,
    /// Index of the next entry.
    at: usize,
    /// Index of the entry that runs.
    entry: Option<usize>,
    /// The activation that the entry called.
    callee: Option<usize>,
}

/// A restart in progress.
pub struct Replay {
    pub(super) file: File,
    registers: BTreeMap<u64, Register>,
    cursors: HashMap<usize, Cursor>,
    places: Places,
    bound: BTreeMap<u64, RegisterId>,
    pub(super) asleep: Asleep,
    buffers: Vec<Box<[u8]>>,
    same_build: bool,
}

impl std::fmt::Debug for Replay {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Replay")
            .field("bound", &self.bound)
            .finish_non_exhaustive()
    }
}

impl Replay {
    /// Matches the activations on the stack (outermost first) with those of the checkpoint.
    pub fn begin(session: &mut Session, file: File, standing: &[Standing]) -> Result<Replay, Stop> {
        let checkpoint = &file.checkpoint;
        let registers: BTreeMap<u64, Register> = checkpoint
            .sections
            .iter()
            .flat_map(|section| section.registers.iter().cloned())
            .map(|register| (register.id, register))
            .collect();
        let machine = checkpoint.header.machine.clone();
        let mut known = HashMap::new();
        let mut spans = Vec::new();
        for register in registers.values() {
            let Some(type_index) =
                session
                    .types
                    .counterpart(&checkpoint.types, register.type_index, &machine)
            else {
                continue;
            };
            known.insert(register.id, type_index);
            if register.flags & (BEHIND | INDIRECT) != 0 {
                let old_size = register.element_size;
                spans.push(Span {
                    key: register.id,
                    start: register
                        .address
                        .saturating_sub(register.first.saturating_mul(old_size)),
                    elements: register.first.saturating_add(register.elements),
                    old_size,
                    new_size: session.types.get(type_index).map_or(0, |one| one.size),
                });
            }
        }
        let inside = |key: u64, byte: u64| {
            let register = &registers[&key];
            let (leaf, rest) = types::leaf_at(&checkpoint.types, register.type_index, byte);
            types::offset_of(session.types.types(), known[&key], leaf, rest).unwrap_or(byte)
        };
        let regions = Regions::new(spans, &inside);
        let same_build = standing.first().is_some_and(|root| {
            root.function.fingerprint == checkpoint.header.fingerprint
                && machine.same_layout(session.types.machine())
        });
        let cursors = match_stack(&file, standing)?;
        Ok(Replay {
            registers,
            cursors,
            places: Places {
                regions,
                objects: HashMap::new(),
                types: known,
            },
            bound: BTreeMap::new(),
            asleep: Asleep::default(),
            buffers: Vec::new(),
            same_build,
            file,
        })
    }

    /// The site that a program without directives has to reach.
    pub fn site(&self) -> u32 {
        let checkpoint = &self.file.checkpoint;
        checkpoint
            .trace
            .nodes
            .iter()
            .filter_map(|node| node.entries.get(node.active? as usize))
            .find(|entry| entry.payload == Payload::Checkpoint)
            .map_or(0, |entry| entry.block)
    }

    /// The entry that runs in an activation.
    fn entry(&self, frame: usize) -> Option<&format::Entry> {
        let cursor = self.cursors.get(&frame)?;
        let node = self.file.checkpoint.trace.nodes.get(cursor.node?)?;
        node.entries.get(cursor.entry?)
    }

    /// What the activation does next.
    fn next(
        &mut self,
        frame: usize,
        caller: Option<usize>,
        function: &Function,
    ) -> Result<Next, Stop> {
        if !self.cursors.contains_key(&frame) {
            self.enter(frame, caller, function)?;
        }
        let trace = &self.file.checkpoint.trace;
        let Some(cursor) = self.cursors.get_mut(&frame) else {
            return Err(format!("{} is not on the way", function.name));
        };
        cursor.entry = None;
        cursor.callee = None;
        let mut next = Next {
            block: 0,
            counters: Vec::new(),
            passed: (cursor.node.unwrap_or(0), Vec::new()),
        };
        let Some(node) = cursor.node.and_then(|node| trace.nodes.get(node)) else {
            return Ok(next);
        };
        while let Some(entry) = node.entries.get(cursor.at) {
            cursor.at += 1;
            if entry.dormant {
                next.passed.1.push(cursor.at - 1);
                continue;
            }
            if function.block(entry.block).is_none() {
                return Err(format!(
                    "{} has no block {}; the program has changed",
                    function.name, entry.block
                ));
            }
            cursor.entry = Some(cursor.at - 1);
            next.block = entry.block;
            next.counters.clone_from(&entry.instances);
            return Ok(next);
        }
        match node.active {
            None => Ok(next),
            Some(_) => Err(format!(
                "a call in {} returned, but in the original run it had not; a block that runs on restart has taken \
                 another way",
                function.name
            )),
        }
    }

    fn enter(
        &mut self,
        frame: usize,
        caller: Option<usize>,
        function: &Function,
    ) -> Result<(), Stop> {
        let checkpoint = &self.file.checkpoint;
        let called = caller.and_then(|caller| self.entry(caller));
        let node = match called.map(|entry| &entry.payload) {
            Some(Payload::Call(node)) => *node as usize,
            _ => {
                return Err(format!(
                    "{} ({}:{}) was entered, but no call of it is on the way",
                    function.name, function.file, function.line
                ));
            }
        };
        same_function(checkpoint, node, function)?;
        if let Some(caller) = caller.and_then(|caller| self.cursors.get_mut(&caller)) {
            caller.callee = Some(frame);
        }
        self.cursors.insert(
            frame,
            Cursor {
                node: Some(node),
                at: 0,
                entry: None,
                callee: None,
            },
        );
        Ok(())
    }

    /// The call that runs in an activation has returned.
    pub fn returned(&mut self, frame: usize) {
        let mut due = self
            .cursors
            .get_mut(&frame)
            .and_then(|cursor| cursor.callee.take());
        while let Some(callee) = due {
            due = self
                .cursors
                .remove(&callee)
                .and_then(|cursor| cursor.callee);
        }
    }

    /// Whether the call due in an activation went to the function with this name.
    pub fn target(&self, frame: usize, name: &str) -> bool {
        let Some(Payload::Call(node)) = self.entry(frame).map(|entry| &entry.payload) else {
            return false;
        };
        let checkpoint = &self.file.checkpoint;
        checkpoint
            .trace
            .nodes
            .get(*node as usize)
            .and_then(|node| checkpoint.functions.get(node.function as usize))
            .is_some_and(|function| function.name == name)
    }
}

fn match_stack(file: &File, standing: &[Standing]) -> Result<HashMap<usize, Cursor>, Stop> {
    let checkpoint = &file.checkpoint;
    let mut cursors = HashMap::new();
    let mut node = match standing.first() {
        None => None,
        Some(root) => {
            let found = checkpoint
                .trace
                .roots
                .iter()
                .map(|&root| root as usize)
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
            },
        );
        node = inner;
    }
    Ok(cursors)
}

fn name_of(checkpoint: &format::Checkpoint, node: usize) -> &str {
    checkpoint
        .trace
        .nodes
        .get(node)
        .and_then(|node| checkpoint.functions.get(node.function as usize))
        .map_or("", |function| function.name.as_str())
}

fn same_function(
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
        return Err(format!(
            "the program has changed since the checkpoint: {} ({}:{}) has other directives, registered types, \
             calls or parameters than {}:{} had. Run the old program, or start anew with --cccp-restart=fresh",
            function.name, function.file, function.line, saved.file, saved.line
        ));
    }
    Ok(())
}

impl Session {
    /// Runs `work` with the restart in progress; an error without one.
    fn with_replay<T>(
        &mut self,
        work: impl FnOnce(&mut Session, &mut Replay) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        let mut replay = self
            .replay
            .take()
            .ok_or_else(|| "no restart is in progress".to_string())?;
        let result = work(self, &mut replay);
        self.replay = Some(replay);
        result
    }

    /// What the activation does next. Dormant entries on the way there get their places in the live trace.
    pub fn replay_next(
        &mut self,
        frame: usize,
        caller: Option<usize>,
        node: NodeId,
    ) -> Result<Next, Stop> {
        let function = self.trace.node(node).function.clone();
        self.with_replay(|session, replay| {
            let next = replay.next(frame, caller, &function)?;
            replay.asleep.pass(&mut session.trace, node, &next.passed);
            Ok(next)
        })
    }

    /// A value of the trace, decoded into `memory` as the program's type `type_index`.
    pub(super) fn value(
        &mut self,
        replay: &mut Replay,
        value: &Value,
        type_index: u32,
        memory: &mut [u8],
    ) -> Result<(), Stop> {
        let file = Layout {
            types: &replay.file.checkpoint.types,
            machine: &replay.file.checkpoint.header.machine,
        };
        let program = Layout {
            types: self.types.types(),
            machine: self.types.machine(),
        };
        let mut placer = Placer {
            places: &mut replay.places,
            registers: &replay.registers,
            program: &self.program,
            arguments: &self.arguments,
            names: &self.names,
            table: &self.types,
            same_build: replay.same_build,
            strict: true,
            poisoned: 0,
        };
        format::decode(
            file,
            value.type_index,
            program,
            type_index,
            format::Encoding::Xdr,
            &value.data,
            1,
            &mut |pointer| placer.place(pointer),
            memory,
        )
        .map_err(|error| error.to_string())
    }

    /// Argument `parameter` of the call due in `frame`: the address of a copy.
    pub fn replay_argument(&mut self, frame: usize, parameter: usize) -> Result<usize, Stop> {
        self.with_replay(|session, replay| {
            let node = match replay.entry(frame).map(|entry| &entry.payload) {
                Some(Payload::Call(node)) => *node as usize,
                _ => return Err("no call is due".to_string()),
            };
            let checkpoint = &replay.file.checkpoint;
            let name = name_of(checkpoint, node).to_string();
            let value = checkpoint.trace.nodes[node].arguments.get(parameter).cloned();
            let Some(value) = value else {
                return Err(format!("{name} has no parameter number {parameter}"));
            };
            let machine = checkpoint.header.machine.clone();
            let types = checkpoint.types.clone();
            let active = checkpoint.trace.nodes[node].active.is_some();
            let type_index = session
                .types
                .counterpart(&types, value.type_index, &machine)
                .ok_or_else(|| {
                    format!(
                        "the argument `{}` of {name} is a struct and was saved on another kind of machine",
                        value.name
                    )
                })?;
            let size = session.types.get(type_index).map_or(0, |one| one.size) as usize;
            let mut memory = vec![0u8; size.max(1)].into_boxed_slice();
            let decoded = session.value(replay, &value, type_index, &mut memory[..size]);
            if let Err(reason) = decoded {
                // A call that has returned may never look at it.
                if active {
                    return Err(format!(
                        "the argument `{}` of the call of {name} cannot be given again: {reason}",
                        value.name
                    ));
                }
                let poison = session.program.poison();
                if size == size_of::<usize>() {
                    memory.copy_from_slice(&poison.to_ne_bytes());
                }
            }
            let address = memory.as_ptr() as usize;
            replay.buffers.push(memory);
            Ok(address)
        })
    }

    /// The record that the block due in `frame` had, laid out by `fields`.
    pub fn replay_values(
        &mut self,
        frame: usize,
        fields: &[Field],
        size: usize,
    ) -> Result<Vec<u8>, Stop> {
        self.with_replay(|session, replay| {
            let values = match replay.entry(frame).map(|entry| &entry.payload) {
                Some(Payload::Execute(values) | Payload::Region(values)) => values.clone(),
                _ => return Err("no such block is due".to_string()),
            };
            session.record(replay, &values, fields, size)
        })
    }

    /// Values of the trace as a record of the program.
    pub(super) fn record(
        &mut self,
        replay: &mut Replay,
        values: &[Value],
        fields: &[Field],
        size: usize,
    ) -> Result<Vec<u8>, Stop> {
        let mut record = vec![0u8; size];
        for field in fields {
            let Some(value) = values.iter().find(|value| value.name == field.name) else {
                return Err(format!("the checkpoint has no value of `{}`", field.name));
            };
            let length = self.types.get(field.type_index).map_or(0, |one| one.size) as usize;
            let Some(memory) = record.get_mut(field.offset..field.offset + length) else {
                return Err(format!("`{}` lies outside its record", field.name));
            };
            self.value(replay, value, field.type_index, memory)
                .map_err(|reason| {
                    format!("`{}` cannot have its value again: {reason}", field.name)
                })?;
        }
        Ok(record)
    }

    /// An item of the register block due in `frame`.
    pub fn replay_register(
        &mut self,
        frame: usize,
        node: NodeId,
        sequence: u64,
        handed: Handed,
    ) -> Result<(), Stop> {
        self.with_replay(|session, replay| {
            let found = match replay.entry(frame).map(|entry| &entry.payload) {
                Some(Payload::Register(links)) => links
                    .iter()
                    .find(|link| link.item == handed.item)
                    .and_then(|link| link.register),
                _ => return Err("no register block is due".to_string()),
            };
            // Not in the checkpoint: it was unregistered or replaced later.
            match found {
                Some(id) => session.restore(replay, id, node, sequence, handed),
                None => Ok(()),
            }
        })
    }

    /// An item of a program that calls the library by hand: found by its name. False when the checkpoint has none.
    pub fn replay_named(
        &mut self,
        node: NodeId,
        sequence: u64,
        handed: Handed,
        name: &str,
    ) -> Result<bool, Stop> {
        self.with_replay(|session, replay| {
            let bound = &replay.bound;
            let mut named = replay.registers.values().filter(|one| one.name == name);
            let Some(saved) = named.find(|one| !bound.contains_key(&one.id)) else {
                return Ok(false);
            };
            let elements: u64 = handed.extents.iter().product();
            if elements != saved.elements {
                return Err(format!(
                    "register `{name}` has {} elements in the checkpoint and {elements} in the program",
                    saved.elements
                ));
            }
            let id = saved.id;
            session.restore(replay, id, node, sequence, handed)?;
            Ok(true)
        })
    }

    /// Gives an item its memory and its value, and registers it.
    fn restore(
        &mut self,
        replay: &mut Replay,
        id: u64,
        node: NodeId,
        sequence: u64,
        handed: Handed,
    ) -> Result<(), Stop> {
        let session = self;
        let Some(saved) = replay.registers.get(&id).cloned() else {
            return Err("the checkpoint refers to a register it does not hold".to_string());
        };
        let function = session.trace.node(node).function.clone();
        let item = function.items.get(handed.item as usize);
        let name = item.map_or("", |item| item.name.as_str());
        if name != saved.name {
            return Err(format!(
                "{} registers `{name}` where the checkpoint has `{}`",
                function.name, saved.name
            ));
        }
        let whom = format!(
            "register `{}` of {} ({}:{})",
            saved.name, function.name, function.file, saved.line
        );
        if handed.address < 4096 {
            return Err(format!(
                "{whom}: the pointer that leads to it is NULL on restart; register that pointer first"
            ));
        }
        let size = session
            .types
            .get(handed.type_index)
            .map_or(0, |one| one.size);
        if let Some(planned) = replay.places.types.get(&id)
            && session.types.get(*planned).map_or(0, |one| one.size) != size
            && saved.flags & BEHIND != 0
        {
            return Err(format!(
                "{whom}: its elements have another size than in the checkpoint"
            ));
        }
        replay.places.types.insert(id, handed.type_index);
        let base = if saved.flags & BEHIND != 0 {
            let pointer = session.program.pointer(handed.address);
            if pointer != 0 && pointer != session.program.poison() {
                replay.places.regions.bind(id, pointer);
            }
            let place = replay
                .places
                .regions
                .place(&session.program, id)
                .map_err(|error| format!("{whom}: {error}"))?
                .ok_or_else(|| format!("{whom}: there is no place for it"))?;
            session.program.set_pointer(handed.address, place);
            place
        } else {
            if saved.flags & INDIRECT != 0 {
                replay.places.regions.bind(id, handed.address);
            }
            handed.address
        };
        let start = base + (saved.first * size) as usize;
        replay.places.objects.insert(id, start);
        session.fill(replay, &saved, handed.type_index, start, &whom)?;
        let live = session.register(
            node,
            sequence,
            Handed {
                first: saved.first,
                extents: saved.extents.clone(),
                ..handed
            },
        );
        if let Some(live) = live {
            replay.bound.insert(id, live);
        }
        Ok(())
    }

    fn fill(
        &mut self,
        replay: &mut Replay,
        saved: &Register,
        type_index: u32,
        start: usize,
        whom: &str,
    ) -> Result<usize, Stop> {
        let bytes = replay
            .file
            .load(saved)
            .map_err(|error| format!("{whom}: {error}"))?;
        let file = Layout {
            types: &replay.file.checkpoint.types,
            machine: &replay.file.checkpoint.header.machine,
        };
        let program = Layout {
            types: self.types.types(),
            machine: self.types.machine(),
        };
        let size = self.types.get(type_index).map_or(0, |one| one.size);
        let length = usize::try_from(saved.elements.saturating_mul(size))
            .map_err(|_| format!("{whom}: it does not fit into memory"))?;
        let encoding = replay.file.checkpoint.header.encoding;
        let mut placer = Placer {
            places: &mut replay.places,
            registers: &replay.registers,
            program: &self.program,
            arguments: &self.arguments,
            names: &self.names,
            table: &self.types,
            same_build: replay.same_build,
            strict: false,
            poisoned: 0,
        };
        self.program
            .change(start, length, |memory| {
                format::decode(
                    file,
                    saved.type_index,
                    program,
                    type_index,
                    encoding,
                    &bytes,
                    saved.elements,
                    &mut |pointer| placer.place(pointer),
                    memory,
                )
            })
            .map_err(|error| format!("{whom}: {error}"))?;
        Ok(placer.poisoned)
    }

    /// Everything registered gets its value of the checkpoint; the restart ends (S10).
    pub fn resume(&mut self) -> Result<(), Stop> {
        let mut poisoned: Vec<String> = Vec::new();
        self.with_replay(|session, replay| {
            let missing: Vec<&Register> = replay
                .registers
                .values()
                .filter(|saved| !replay.bound.contains_key(&saved.id))
                .collect();
            if let Some(saved) = missing.first() {
                return Err(format!(
                    "`{}` (line {}) is in the checkpoint, but no block registered it again",
                    saved.name, saved.line
                ));
            }
            let bound: Vec<(u64, RegisterId)> =
                replay.bound.iter().map(|(&id, &live)| (id, live)).collect();
            for (id, live) in bound {
                let Some(register) = session.registers.get(live).cloned() else {
                    continue;
                };
                let saved = replay.registers[&id].clone();
                let start = replay.places.objects[&id];
                let size = session
                    .types
                    .get(register.type_index)
                    .map_or(0, |one| one.size);
                let base = start - (saved.first * size) as usize;
                if register.is_behind() && register.floating.is_none() {
                    session.program.set_pointer(register.address, base);
                }
                let whom = format!(
                    "register `{}` of {} ({}:{})",
                    saved.name, register.function.name, register.function.file, saved.line
                );
                let count = session.fill(replay, &saved, register.type_index, start, &whom)?;
                if count > 0 {
                    poisoned.push(whom);
                }
            }
            session.lay_down(replay);
            Ok(())
        })?;
        if let Some(first) = poisoned.first() {
            let more = poisoned.len() - 1;
            let others = match more {
                0 => String::new(),
                _ => format!(" and {more} more"),
            };
            self.say(format!(
                "warning: {first}{others}: a pointer in it led to nothing that was registered; using it will stop the \
                 program"
            ));
        }
        self.replay = None;
        self.section += 1;
        Ok(())
    }
}
