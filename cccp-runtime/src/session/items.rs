//! Items get their memory and their values back: one by one as their directives run again, and once more at the end.
//!
//! In: what a register directive hands over. Out: the program's memory as it was at the checkpoint. Names, types and
//! sizes are compared first; a difference stops the restart.

use crate::format::{self, FormatError, Payload, Register};
use crate::memory::{blocks, views};
use crate::registry::{BEHIND, BLOCKS, FOLLOW, HEAP, INDIRECT, NodeId, RegisterId, WHOLE};
use crate::restore::{LedTo, Replay, Stop};

use super::in_parts::{Back, spread};
use super::process::Process;
use super::{Handed, Session, opened};

/// Extents for people: `[3][4] elements`.
fn elements(extents: &[u64], first: u64) -> String {
    let all: String = extents
        .iter()
        .enumerate()
        .map(|(index, extent)| match (index, first) {
            (0, 1..) => format!("[{first}:{extent}]"),
            _ if *extent == u64::MAX => "[?]".to_string(),
            _ => format!("[{extent}]"),
        })
        .collect();
    match extents {
        [] => "one element".to_string(),
        _ => format!("{all} elements"),
    }
}

/// Whose pointers became poison, and what they led to.
pub(super) type Lost = (String, LedTo);

/// How many elements.
pub(super) fn count(extents: &[u64]) -> u64 {
    let multiply = |all: u64, one: &u64| all.saturating_mul(*one);
    extents.iter().fold(1, multiply)
}

impl Session {
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
                None if replay.is_fresh(frame, handed.item) => {
                    session.adopt(replay, node, sequence, handed)
                }
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
            let Some(saved) = named.find(|one| !bound.contains_key(&one.id)).cloned() else {
                session.not_in_the_checkpoint(replay, name, &handed);
                return Ok(false);
            };
            if session.as_it_was(replay, &saved, &handed) {
                session.restore(replay, saved.id, node, sequence, handed)?;
            }
            Ok(true)
        })
    }

    /// Gives an item its memory and its value, and registers it.
    pub(super) fn restore(
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
        let mut extents = replay.extents(&saved);
        let is_null = saved.is_null(handed.extents.len());
        if is_null {
            match handed.known {
                true => extents.clone_from(&handed.extents),
                false => drop(extents.remove(0)),
            }
        }
        let same = handed.extents.len() == extents.len()
            && (handed.first == saved.first || !handed.known)
            && handed
                .extents
                .iter()
                .zip(&extents)
                .all(|(now, then)| now == then || *now == u64::MAX);
        if !same {
            return Err(format!(
                "{whom} has {} in the checkpoint and {} in the program",
                elements(&extents, saved.first),
                elements(&handed.extents, handed.first)
            ));
        }
        if handed.address < 4096 {
            return Err(format!(
                "{whom}: the pointer to it is NULL on restart; register that pointer first"
            ));
        }
        if session.program.is_poison(handed.address) {
            return Err(format!(
                "{whom}: the pointer to it pointed to nothing that was saved; register that memory first"
            ));
        }
        let size = session
            .types
            .get(handed.type_index)
            .map_or(0, |one| one.size);
        replay
            .learn(&session.types, id, handed.type_index)
            .map_err(|reason| format!("{whom}: {reason}"))?;
        if is_null {
            session.program.set_pointer(handed.address, 0);
            session.bring_back(replay, id, (node, sequence), Handed { extents, ..handed });
            return Ok(());
        }
        let base = if saved.flags & BEHIND != 0 {
            let needed = saved
                .first
                .saturating_add(count(&extents))
                .saturating_mul(size);
            if replay.places.regions.address(id).is_none() {
                let is_unset = item.is_some_and(|item| item.unset_pointer)
                    && !replay.places.pointers.contains(&handed.address);
                let present = match is_unset {
                    true => 0,
                    false => session.program.pointer(handed.address),
                };
                let memory = session
                    .memory_of(replay, &saved, (handed.address, present), needed)
                    .map_err(|error| format!("{whom}: {error}"))?;
                if let Some(memory) = memory {
                    replay.places.regions.bind(id, memory);
                }
            }
            let place = replay
                .places
                .regions
                .place(&session.program, id)
                .map_err(|error| format!("{whom}: {error}"))?
                .ok_or_else(|| format!("{whom}: there is no place for it"))?;
            // Not for another item whose pointer leads here so far.
            let bytes = usize::try_from(needed).unwrap_or(usize::MAX);
            replay.places.origins.take(place, bytes);
            session.program.set_pointer(handed.address, place);
            replay.places.pointers.insert(handed.address);
            place
        } else {
            if saved.flags & INDIRECT != 0 {
                replay.places.regions.bind(id, handed.address);
            }
            let length = count(&extents).saturating_mul(size) as usize;
            replay.places.origins.take(handed.address, length);
            handed.address
        };
        let start = base + (saved.first * size) as usize;
        replay.places.objects.insert(id, start);
        if saved.flags & (WHOLE | FOLLOW) != 0 {
            session.bind_blocks(replay, &saved, handed.type_index, start, &whom)?;
        }
        session.begin_handles(handed.type_index, start, count(&extents));
        session.fill(replay, &saved, handed.type_index, start, &whom)?;
        session.put_handles(replay, &saved, handed.type_index, start);
        let first = saved.first;
        session.bring_back(
            replay,
            id,
            (node, sequence),
            Handed {
                first,
                extents,
                ..handed
            },
        );
        Ok(())
    }

    /// A register of the checkpoint is a live one from now on.
    fn bring_back(
        &mut self,
        replay: &mut Replay,
        id: u64,
        (node, sequence): (NodeId, u64),
        handed: Handed,
    ) {
        if let Some(live) = self.register(node, sequence, handed) {
            let section = replay.section_of.get(&id).copied().unwrap_or(0);
            self.registers.set_section(live, section);
            replay.bound.insert(id, live);
        }
    }

    fn fill(
        &mut self,
        replay: &mut Replay,
        saved: &Register,
        type_index: u32,
        start: usize,
        whom: &str,
    ) -> Result<Vec<Lost>, Stop> {
        let bytes = replay
            .file
            .load(saved)
            .map_err(|error| format!("{whom}: {error}"))?;
        let file = replay.file.checkpoint.layout();
        let program = self.types.layout();
        let size = self.types.get(type_index).map_or(0, |one| one.size);
        let length = usize::try_from(count(&replay.extents(saved)).saturating_mul(size))
            .map_err(|_| format!("{whom}: it does not fit into memory"))?;
        let encoding = replay.file.checkpoint.header.encoding;
        let mut placer = self.placer(
            &mut replay.places,
            &replay.registers,
            &replay.file.checkpoint,
            replay.same_build,
            false,
        );
        let written = (saved.elements * size) as usize;
        let back = Back {
            file: (file, saved.type_index),
            program: (program, type_index),
            fit: replay.fit,
            encoding,
        };
        let crew = self.crew;
        let mut decode = |memory: &mut [u8]| {
            let (memory, new) = memory.split_at_mut(written);
            new.fill(0);
            let in_parts = crew.and_then(|crew| back.decode(&bytes, memory, crew));
            if let Some(decoded) = in_parts {
                return decoded;
            }
            format::decode_fitting(
                replay.fit,
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
        };
        let mut is_same = true;
        let filled = if self.program.writable(start, length) {
            self.program.change(start, length, decode)
        } else {
            let mut value = self.program.read(start, length);
            let decoded = decode(&mut value);
            is_same = value == self.program.view(start, length);
            decoded
        };
        let filled = filled
            .map_err(|error| match error {
                FormatError::Value { .. } => format!(
                    "{whom}: {error}. The checkpoint is unharmed: a machine like the one that wrote it ({}) can resume",
                    file.machine.description
                ),
                _ => format!("{whom}: {error}"),
            });
        filled?;
        if !is_same {
            return Err(format!(
                "{whom}: it is constant data, which cannot be written, and its value is another one than in the checkpoint"
            ));
        }
        let mut all: Vec<Lost> = (placer.lost)
            .map(|lost| (whom.to_string(), lost))
            .into_iter()
            .collect();
        all.extend(self.fill_blocks(replay)?);
        Ok(all)
    }

    /// Everything registered gets its value of the checkpoint; the restart ends (S10).
    pub fn resume(&mut self, innermost: NodeId) -> Result<(), Stop> {
        self.process = Process::hold();
        let done = self.fill_all(innermost);
        self.crew = None;
        self.process.put();
        done
    }

    fn fill_all(&mut self, innermost: NodeId) -> Result<(), Stop> {
        let mut poisoned: Vec<Lost> = Vec::new();
        let latest = self.with_replay(|session, replay| {
            session.dropped_by_hand(replay);
            session.refuse_by_hand(replay)?;
            let missing: Vec<&Register> = replay
                .registers
                .values()
                .filter(|saved| saved.flags & (HEAP | BLOCKS) == 0)
                .filter(|saved| !replay.bound.contains_key(&saved.id))
                .collect();
            if let Some(saved) = missing.first() {
                return Err(format!(
                    "`{}` (line {}) is in the checkpoint, but no block registered it again",
                    saved.name, saved.line
                ));
            }
            session.fixed_heap_stays(replay)?;
            session.fixed_places_stay(innermost, replay)?;
            replay.places.heap.again(&blocks::released());
            if replay.places.heap.fixed().is_some() {
                session.fill_blocks(replay)?;
                session.streams_again_in_fixed_heap(replay)?;
                session.handles_again_in_fixed_heap(replay)?;
                session.constants_again_in_fixed_heap(replay)?;
            }
            let bound: Vec<(u64, RegisterId)> =
                replay.bound.iter().map(|(&id, &live)| (id, live)).collect();
            for &(id, live) in &bound {
                // The object that it is in may have been registered after it.
                if let Some(place) = session.place_in_object(replay, id)?
                    && let Some(register) = session.registers.get(live)
                {
                    let size = session
                        .types
                        .get(register.type_index)
                        .map_or(0, |one| one.size);
                    let start = place + (replay.registers[&id].first * size) as usize;
                    replay.places.objects.insert(id, start);
                }
            }
            for (id, live) in bound {
                let Some(register) = session.registers.get(live).cloned() else {
                    continue;
                };
                let saved = replay.registers[&id].clone();
                if saved.is_null(register.extents.len()) {
                    if register.floating.is_none() {
                        session.program.set_pointer(register.address, 0);
                    }
                    continue;
                }
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
                let streams = session.streams_in(register.type_index, start, register.elements());
                let lost = session.fill(replay, &saved, register.type_index, start, &whom)?;
                session.leave_streams(&streams);
                session.put_handles(replay, &saved, register.type_index, start);
                poisoned.extend(lost);
            }
            if let Some(crew) = session.crew {
                spread(replay.places.heap.all_placed(), crew);
            }
            session.adopt_again();
            views::are_back();
            session.lay_down(replay);
            session.generators_again(replay)?;
            session.threads_again(replay)?;
            session.locks_found(replay)?;
            session.locks_again_in_fixed_heap(Some(replay), true)?;
            session.files_again(replay)?;
            session.directory_again(replay)?;
            session.messages_again();
            session.process_again(replay)?;
            session.words_again(replay)?;
            session.requests_again(replay)?;
            session.objects_again(replay)?;
            Ok(replay.section_of.values().copied().max().unwrap_or(0))
        })?;
        if let Some((first, lost)) = poisoned.first() {
            let more = poisoned.len() - 1;
            let others = match more {
                0 => String::new(),
                _ => format!(" and {more} more"),
            };
            self.say(format!(
                "warning: {first}{others}: a pointer in it pointed to {lost}; using it will stop the program"
            ));
        }
        blocks::watch(false);
        opened::resumed();
        if self.settings.poison {
            self.program.set_poisons(false);
        }
        self.replay = None;
        self.section = latest + 1;
        Ok(())
    }
}
