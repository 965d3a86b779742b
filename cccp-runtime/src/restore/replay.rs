//! The way back: control goes from block to block as the trace says.
//!
//! In: a verified checkpoint, and the program asking "what next?" in each activation. Out: block numbers, values of
//! arguments and locals, restored items; and the live trace, built anew by the blocks that run. Steps: `begin` matches
//! the activations in which `init` was reached · `next` walks the entries of each activation · `resume` restores
//! everything once more and ends the restart.
//!
//! When the program does not go the way the trace says, the restart stops with an explanation: a wrong restart is the
//! worst thing that can happen.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::rc::Rc;

use crate::format::{self, File, Fit, LIBRARY, OpenFile, Payload, Register, RegisterLink};
use crate::heap::{Heap, lengths, program_type};
use crate::memory::Regions;
use crate::memory::holders::Holder;
use crate::memory::views::View;
use crate::registry::{Block, Function, HEAP, RegisterId, TypeTable};

use super::asleep::Asleep;
use super::changes::Adopted;
use super::known;
use super::layout::{inside, make_room, spans};
use super::origins::Origins;
use super::place::Places;
use super::stack::{match_stack, same_function, same_parameters};
use super::team::{stand, team_size};

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
    /// Dormant entries that were passed over.
    pub passed: Passing,
}

/// Dormant entries: the activation's node in the checkpoint, and their indices.
pub type Passing = (usize, Vec<usize>);

/// How far an activation has come.
#[derive(Clone, Debug, Default)]
pub(super) struct Cursor {
    /// Its node in the file; none when nothing of it is on the way.
    pub(super) node: Option<usize>,
    /// Index of the next entry.
    pub(super) at: usize,
    /// Index of the entry that runs.
    pub(super) entry: Option<usize>,
    /// The activation that the entry called.
    pub(super) callee: Option<usize>,
    /// The entry is a parallel region: the nodes of its threads, by their numbers.
    pub(super) team: BTreeMap<u64, usize>,
}

/// A file of the program that is open again.
#[derive(Debug)]
pub struct Reopened {
    /// What the checkpoint says about it.
    pub kept: OpenFile,
    /// Where it is.
    pub path: PathBuf,
    /// The stream; none for a descriptor.
    pub stream: Option<usize>,
    /// The descriptor that it has now, which may be another one than at the checkpoint.
    pub descriptor: i32,
    /// Other ranks write to it, too.
    pub shared: bool,
    /// The file that was made for it, where the old one has no name.
    pub unnamed: Option<Rc<OwnedFd>>,
}

/// A restart in progress.
pub struct Replay {
    /// The checkpoint, verified.
    pub file: File,
    /// Its registers by their identifiers.
    pub registers: BTreeMap<u64, Register>,
    /// Those that the library kept for the program, which no directive names.
    pub library: Vec<Register>,
    /// Files that are open again.
    pub reopened: Vec<Reopened>,
    pub(super) cursors: HashMap<usize, Cursor>,
    /// The program's functions, by their indices in the file.
    pub functions: Vec<Option<Rc<Function>>>,
    /// Their sections.
    pub section_of: HashMap<u64, u64>,
    /// Where they are in this run.
    pub places: Places,
    /// Those that are back, with their live registers.
    pub bound: BTreeMap<u64, RegisterId>,
    /// Dormant entries that have been passed.
    pub asleep: Asleep,
    /// Copies of arguments, alive until the restart ends.
    pub buffers: Vec<Box<[u8]>>,
    /// Handles of MPI that are there again, by the registers that hold them.
    pub held: BTreeMap<u64, Vec<Held>>,
    /// The same in the fixed heap: the byte among all blocks, and what is there now.
    pub held_in_fixed_heap: Vec<(u64, Vec<u8>)>,
    /// Where the fixed heap points to constants of shared libraries: the byte among all blocks, and the address now.
    pub constants_in_fixed_heap: Vec<(u64, usize)>,
    /// Files that are mapped again: where, and the path of each.
    pub views: Vec<(View, PathBuf)>,
    /// The same in arguments of calls, by the node of the trace and the parameter.
    pub given: BTreeMap<(u64, u64), Vec<Held>>,
    /// Persistent requests of MPI.
    pub prepared: Prepared,
    /// Locks that threads held, by the registers that hold them.
    pub locks: BTreeMap<u64, Vec<HeldLock>>,
    /// The very same build wrote it.
    pub same_build: bool,
    /// What the changed program adds; empty when it was not changed.
    pub adopted: Adopted,
    /// How far types may differ.
    pub fit: Fit,
    /// Residences that functions of the program have taken, by their numbers in the trace of the file.
    resided: Vec<u32>,
}

/// A handle in an element of a register.
#[derive(Clone, Debug)]
pub struct Held {
    /// The element.
    pub element: u64,
    /// Its leaf in the checkpoint.
    pub leaf: u64,
    /// What is there now; nothing where all bytes are zero.
    pub bytes: Option<Vec<u8>>,
}

/// Persistent requests of MPI, which are made when everything has its place.
#[derive(Debug, Default)]
pub struct Prepared {
    /// What makes them.
    pub lines: Vec<String>,
    /// Where they are: the register, the place in it, the word for the request.
    pub held: Vec<(u64, Held, String)>,
    /// The same in the fixed heap: the byte among all blocks, the word.
    pub held_in_fixed_heap: Vec<(u64, String)>,
}

/// A lock in an element of a register that a thread held.
#[derive(Clone, Copy, Debug)]
pub struct HeldLock {
    /// The element.
    pub element: u64,
    /// Its leaf in the checkpoint.
    pub leaf: u64,
    /// Who held it.
    pub holder: Holder,
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
    ///
    /// `build` is the number of this program's build, `announced` are its functions as far as they are known; the types
    /// grow by those of the checkpoint.
    pub fn begin<'f>(
        program_types: &mut TypeTable,
        announced: impl Iterator<Item = &'f Rc<Function>>,
        build: u64,
        file: File,
        standing: &[Standing],
        adopted: Option<Adopted>,
    ) -> Result<Replay, Stop> {
        let checkpoint = &file.checkpoint;
        let sections = checkpoint.sections.iter();
        let (library, registers): (Vec<Register>, Vec<Register>) = sections
            .flat_map(|section| section.registers.iter().cloned())
            .partition(|register| register.flags & LIBRARY != 0);
        let registers: BTreeMap<u64, Register> = registers
            .into_iter()
            .map(|register| (register.id, register))
            .collect();
        let machine = checkpoint.header.machine.clone();
        let fit = match adopted {
            Some(_) => Fit::ByName,
            None => Fit::Whole,
        };
        let adopted = adopted.unwrap_or_default();
        let functions = known::functions(checkpoint, announced);
        let mut known = known::types(checkpoint, &functions, program_types, fit);
        for register in registers.values() {
            if register.flags & HEAP != 0 {
                let layout = checkpoint.layout();
                let found = program_type(program_types, fit, layout, register.type_index)?;
                known.insert(register.id, found);
            }
            if !known.contains_key(&register.id)
                && let Some(type_index) =
                    program_types.counterpart(&checkpoint.types, register.type_index, &machine)
            {
                known.insert(register.id, type_index);
            }
        }
        let mut regions = Regions::new(
            spans(&registers, &known, program_types),
            &inside(checkpoint, &registers, &known, program_types),
        );
        make_room(&mut regions, &registers, &known, program_types, &adopted)?;
        let in_order: Vec<&Register> = checkpoint
            .sections
            .iter()
            .flat_map(|section| &section.registers)
            .collect();
        let read = |register: &Register| {
            let bytes = file.load(register).map_err(|error| error.to_string())?;
            lengths(checkpoint, register, &bytes).map_err(|error| error.to_string())
        };
        let heap = Heap::new(
            &in_order,
            &known,
            &checkpoint.types,
            program_types.types(),
            read,
        )?;
        let origins = Origins::of(checkpoint, &registers);
        let same_build = build == checkpoint.header.fingerprint;
        let cursors = match_stack(checkpoint, standing)?;
        let sections = checkpoint.sections.iter();
        let section_of = sections
            .flat_map(|section| section.registers.iter().map(|one| (one.id, section.number)))
            .collect();
        Ok(Replay {
            registers,
            library,
            reopened: Vec::new(),
            functions,
            section_of,
            cursors,
            places: Places {
                regions,
                heap,
                objects: HashMap::new(),
                types: known,
                origins,
                pointers: HashSet::new(),
                streams: HashMap::new(),
                constants: HashMap::new(),
            },
            bound: BTreeMap::new(),
            asleep: Asleep::default(),
            buffers: Vec::new(),
            held: BTreeMap::new(),
            held_in_fixed_heap: Vec::new(),
            constants_in_fixed_heap: Vec::new(),
            views: Vec::new(),
            given: BTreeMap::new(),
            prepared: Prepared::default(),
            locks: BTreeMap::new(),
            same_build,
            adopted,
            fit,
            resided: Vec::new(),
            file,
        })
    }

    /// The program says what a register's elements are. On another kind of machine, where structs are laid out
    /// differently, nothing was known about them until now.
    pub fn learn(
        &mut self,
        program_types: &TypeTable,
        id: u64,
        type_index: u32,
    ) -> Result<(), Stop> {
        let size = |index: u32| program_types.get(index).map_or(0, |one| one.size);
        let planned = self.places.types.insert(id, type_index);
        if planned.is_some_and(|planned| size(planned) == size(type_index)) {
            return Ok(());
        }
        let Some(found) = self.registers.get(&id).map(|one| one.type_index) else {
            return Ok(());
        };
        for other in self.registers.values() {
            if other.type_index == found && !self.bound.contains_key(&other.id) {
                self.places.types.insert(other.id, type_index);
            }
        }
        let (registers, known) = (&self.registers, &self.places.types);
        let anew = self.places.regions.laid_out_anew(
            spans(registers, known, program_types),
            &inside(&self.file.checkpoint, registers, known, program_types),
        );
        self.places.regions = anew.map_err(|key| {
            let name = registers.get(&key).map_or("", |one| one.name.as_str());
            format!(
                "its memory overlaps with that of `{name}`, which had to be restored before the layout of {} on this \
                 kind of machine was known; register the larger one first",
                program_types.get(type_index).map_or("it", |one| one.name.as_str())
            )
        })?;
        make_room(
            &mut self.places.regions,
            registers,
            known,
            program_types,
            &self.adopted,
        )
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

    /// How many threads a parallel region in progress has; none outside of regions.
    pub fn team_size(&self) -> Option<u64> {
        team_size(&self.file.checkpoint, &self.functions)
    }

    /// The program's block of the checkpoint; none where it is not known.
    pub fn checkpoint(&self) -> Option<&Block> {
        stand(&self.file.checkpoint, &self.functions)
    }

    /// The entry that runs in an activation.
    pub fn entry(&self, frame: usize) -> Option<&format::Entry> {
        let cursor = self.cursors.get(&frame)?;
        let node = self.file.checkpoint.trace.nodes.get(cursor.node?)?;
        node.entries.get(cursor.entry?)
    }

    /// Whether the call that runs in an activation was in progress at the checkpoint.
    pub fn ends_in(&self, frame: usize) -> bool {
        let cursor = self.cursors.get(&frame);
        let node = cursor.and_then(|cursor| cursor.node);
        let node = node.and_then(|node| self.file.checkpoint.trace.nodes.get(node));
        let active = node.and_then(|node| node.entries.get(node.active? as usize));
        // The threads of a region have an entry each.
        active.is_some_and(|active| {
            self.entry(frame)
                .is_some_and(|entry| entry.block == active.block)
        })
    }

    /// What the checkpoint holds of the items that a function has from `init` on. Each residence is taken once, so that
    /// functions of one name each find their own.
    pub fn residence(&mut self, function: &Function) -> Result<Vec<RegisterLink>, Stop> {
        let checkpoint = &self.file.checkpoint;
        let of = |node: u32| {
            let function = checkpoint.trace.nodes[node as usize].function;
            &checkpoint.functions[function as usize]
        };
        let roots = checkpoint.trace.roots.iter().copied();
        let mut found: Vec<u32> = roots
            .filter(|root| checkpoint.trace.nodes[*root as usize].is_residence())
            .filter(|root| !self.resided.contains(root) && of(*root).name == function.name)
            .collect();
        if found.iter().any(|root| of(*root).file == function.file) {
            found.retain(|root| of(*root).file == function.file);
        }
        // The same text more than once in one program: in the very same build they come in the same order.
        if found.len() > 1 && !self.same_build {
            return Err(format!(
                "several functions {} of {} have registered static variables, and another build of the program cannot \
                 tell them apart",
                function.name, function.file
            ));
        }
        let Some(&root) = found.first() else {
            return Ok(Vec::new());
        };
        self.resided.push(root);
        let entries = checkpoint.trace.nodes[root as usize].entries.iter();
        let links = entries.flat_map(|entry| match &entry.payload {
            Payload::Register(links) => links.as_slice(),
            _ => &[],
        });
        Ok(links.copied().collect())
    }

    /// The item of the entry that runs in an activation is new in the program and begins with zeros.
    pub fn is_fresh(&self, frame: usize, item: u32) -> bool {
        let place = self
            .cursors
            .get(&frame)
            .and_then(|cursor| Some((cursor.node?, cursor.entry?, item)));
        place.is_some_and(|place| self.adopted.fresh.contains(&place))
    }

    /// The extents of a register in this run.
    pub fn extents(&self, saved: &Register) -> Vec<u64> {
        let grown = self.adopted.grown.get(&saved.id);
        grown.unwrap_or(&saved.extents).clone()
    }

    /// What the activation does next. One of a thread in a parallel region has the number of the thread.
    pub fn next(
        &mut self,
        frame: usize,
        caller: Option<usize>,
        thread: Option<u64>,
        (function, program_types): (&Function, &TypeTable),
    ) -> Result<Next, Stop> {
        if !self.cursors.contains_key(&frame) {
            match thread {
                Some(number) => self.enter_region(frame, caller, number),
                None => self.enter(frame, caller, function, program_types)?,
            }
        }
        let trace = &self.file.checkpoint.trace;
        let Some(cursor) = self.cursors.get_mut(&frame) else {
            return Err(format!("{} is not on the way", function.name));
        };
        cursor.entry = None;
        cursor.callee = None;
        cursor.team.clear();
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

    /// A thread begins with its part of the parallel region due in an activation. It has none when it left nothing.
    fn enter_region(&mut self, frame: usize, outer: Option<usize>, number: u64) {
        let outer = outer.and_then(|outer| self.cursors.get(&outer));
        let node = outer.and_then(|outer| outer.team.get(&number).copied());
        self.cursors.insert(
            frame,
            Cursor {
                node,
                ..Cursor::default()
            },
        );
    }

    fn enter(
        &mut self,
        frame: usize,
        caller: Option<usize>,
        function: &Function,
        program_types: &TypeTable,
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
        same_parameters(checkpoint, node, function, program_types)?;
        if let Some(caller) = caller.and_then(|caller| self.cursors.get_mut(&caller)) {
            caller.callee = Some(frame);
        }
        self.cursors.insert(
            frame,
            Cursor {
                node: Some(node),
                ..Cursor::default()
            },
        );
        Ok(())
    }

    /// The parallel region due in an activation: how many threads it has, and the dormant entries that were passed over. Each
    /// thread goes its own way from here on.
    pub fn team(&mut self, frame: usize, function: &Function) -> Result<(u64, Passing), Stop> {
        let Some(cursor) = self.cursors.get_mut(&frame) else {
            return Err(format!("{} is not on the way", function.name));
        };
        let nodes = &self.file.checkpoint.trace.nodes;
        let node = cursor.node.and_then(|node| nodes.get(node));
        let first = cursor.entry;
        let entries = node
            .zip(first)
            .map_or(&[][..], |(node, at)| &node.entries[at..]);
        let mut threads = None;
        let mut end = first.unwrap_or(0);
        let mut passed = (cursor.node.unwrap_or(0), Vec::new());
        for (at, entry) in entries.iter().enumerate() {
            let (Payload::Call(member), Some((number, all))) =
                (&entry.payload, function.thread_of_team(&entry.instances))
            else {
                break;
            };
            let is_other = entry.block != entries[0].block || cursor.team.contains_key(&number);
            if !entry.dormant && is_other {
                break;
            }
            end = first.unwrap_or(0) + at + 1;
            match entry.dormant {
                true => passed.1.push(end - 1),
                false => {
                    threads = Some(all);
                    cursor.team.insert(number, *member as usize);
                }
            }
        }
        cursor.at = end.max(cursor.at);
        let threads = threads.map(|all| (all, passed));
        threads.ok_or_else(|| format!("no parallel region of {} is due", function.name))
    }

    /// A thread is at the end of its part of a parallel region.
    pub fn left(&mut self, frame: usize) {
        self.returned(frame);
        self.cursors.remove(&frame);
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

    /// The function to which the call due in an activation went.
    pub fn target(&self, frame: usize) -> Option<&format::Function> {
        let Payload::Call(node) = &self.entry(frame)?.payload else {
            return None;
        };
        let checkpoint = &self.file.checkpoint;
        let node = checkpoint.trace.nodes.get(*node as usize)?;
        checkpoint.functions.get(node.function as usize)
    }
}
