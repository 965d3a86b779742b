//! Values of the trace during a restart: arguments of calls that are made again, locals that blocks read.
//!
//! In: a value of the checkpoint. Out: bytes in the program's layout. A pointer that leads nowhere is an error here: who
//! asks for the value is going to use it.

use std::collections::BTreeMap;

use crate::format::{self, Checkpoint, Kind, Payload, Register, Value};
use crate::registry::Field;
use crate::restore::{Placer, Places, Replay, Stop, name_of};

use super::Session;

/// The call due in `frame`: its node in the trace.
fn call_due(replay: &Replay, frame: usize) -> Result<usize, Stop> {
    match replay.entry(frame).map(|entry| &entry.payload) {
        Some(Payload::Call(node)) => Ok(*node as usize),
        _ => Err("no call is due".to_string()),
    }
}

impl Session {
    /// What places pointers of a checkpoint in this process. `strict`: one that leads nowhere is an error.
    pub(super) fn placer<'a>(
        &'a self,
        places: &'a mut Places,
        registers: &'a BTreeMap<u64, Register>,
        checkpoint: &'a Checkpoint,
        same_build: bool,
        strict: bool,
    ) -> Placer<'a> {
        Placer {
            places,
            registers,
            program: &self.program,
            arguments: &self.arguments,
            names: &self.names,
            table: &self.types,
            file_types: &checkpoint.types,
            same_build,
            strict,
            lost: None,
        }
    }

    /// A value of the trace, decoded into `memory` as the program's type `type_index`.
    pub(super) fn value(
        &mut self,
        replay: &mut Replay,
        value: &Value,
        type_index: u32,
        memory: &mut [u8],
        strict: bool,
    ) -> Result<(), Stop> {
        let file = replay.file.checkpoint.layout();
        let program = self.types.layout();
        let mut placer = self.placer(
            &mut replay.places,
            &replay.registers,
            &replay.file.checkpoint,
            replay.same_build,
            strict,
        );
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

    /// The address of the function to which the call due in `frame` went. One of several of its name is known with its
    /// file.
    pub fn replay_target(&mut self, frame: usize) -> Result<usize, Stop> {
        self.with_replay(|session, replay| {
            let called = replay.target(frame).ok_or("no call is due")?;
            let own = format!("{}@{}", called.name, called.file);
            let known = |name: &str| {
                let mut names = session.names.iter();
                names.find_map(|(&address, known)| (known == name).then_some(address))
            };
            known(&own).or_else(|| known(&called.name)).ok_or_else(|| {
                format!(
                    "the run called {} ({}:{}) through a pointer, and this program does not name it",
                    called.name, called.file, called.line
                )
            })
        })
    }

    /// Whether argument `parameter` of the call due in `frame` can be given again: it leads to something, or is no pointer.
    pub fn replay_knows_argument(&mut self, frame: usize, parameter: usize) -> Result<bool, Stop> {
        self.with_replay(|session, replay| {
            let node = call_due(replay, frame)?;
            let checkpoint = &replay.file.checkpoint;
            let value = checkpoint.trace.nodes[node]
                .arguments
                .get(parameter)
                .cloned();
            let Some(value) = value else {
                return Ok(false);
            };
            let machine = checkpoint.header.machine.clone();
            let types = checkpoint.types.clone();
            let own = session
                .types
                .counterpart(&types, value.type_index, &machine);
            let Some(type_index) = own else {
                return Ok(false);
            };
            let size = session.types.get(type_index).map_or(0, |one| one.size) as usize;
            let mut memory = vec![0u8; size];
            Ok(session
                .value(replay, &value, type_index, &mut memory, true)
                .is_ok())
        })
    }

    /// Argument `parameter` of the call due in `frame`: the address of a copy.
    pub fn replay_argument(&mut self, frame: usize, parameter: usize) -> Result<usize, Stop> {
        self.with_replay(|session, replay| {
            let node = call_due(replay, frame)?;
            let checkpoint = &replay.file.checkpoint;
            let name = name_of(checkpoint, node).to_string();
            let value = checkpoint.trace.nodes[node].arguments.get(parameter).cloned();
            let Some(value) = value else {
                return Err(format!("{name} has no parameter number {parameter}"));
            };
            let machine = checkpoint.header.machine.clone();
            let types = checkpoint.types.clone();
            let active = checkpoint.trace.nodes[node].active.is_some();
            // The callee says what it takes; where it did not, the type is that of the checkpoint.
            let function = checkpoint.trace.nodes[node].function as usize;
            let declared = replay.functions.get(function).cloned().flatten();
            let declared = declared.and_then(|function| {
                let parameter = function.parameters.get(parameter)?;
                (parameter.name == value.name).then(|| parameter.clone())
            });
            let for_blocks = declared.as_ref().is_none_or(|one| one.read_by_blocks);
            let unread = declared.as_ref().is_some_and(|one| one.unread);
            let kept = unread || !for_blocks && has_register(replay, node, &value.name);
            let declared = declared.map(|one| one.type_index);
            let type_index = declared
                .or_else(|| session.types.counterpart(&types, value.type_index, &machine))
                .ok_or_else(|| {
                    format!(
                        "the argument `{}` of {name} is a struct and was saved on another kind of machine",
                        value.name
                    )
                })?;
            let size = session.types.get(type_index).map_or(0, |one| one.size) as usize;
            let mut memory = vec![0u8; size.max(1)].into_boxed_slice();
            let decoded = session.value(replay, &value, type_index, &mut memory[..size], !unread);
            if let Err(reason) = decoded {
                let kind = session.types.get(type_index).map(|one| one.kind);
                let may_point = matches!(kind, Some(Kind::Pointer | Kind::Function | Kind::Struct));
                // A call that has returned looks at a pointer in its blocks only, a registered parameter gets its own value,
                // and some are not read any more.
                if for_blocks || active && !kept || !may_point {
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
            let types = (value.type_index, type_index);
            session.put_handles_of_argument(replay, (node, parameter), types, address);
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
            self.value(replay, value, field.type_index, memory, true)
                .map_err(|reason| {
                    format!("`{}` cannot have its value again: {reason}", field.name)
                })?;
        }
        Ok(record)
    }
}

/// Whether an activation registered something under a name, so that it gets its own value in the end.
fn has_register(replay: &Replay, node: usize, name: &str) -> bool {
    let entries = replay.file.checkpoint.trace.nodes[node].entries.iter();
    let links = entries.filter_map(|entry| match &entry.payload {
        Payload::Register(links) => Some(links),
        _ => None,
    });
    let mut registers = links.flatten().filter_map(|link| link.register);
    registers.any(|id| {
        replay
            .registers
            .get(&id)
            .is_some_and(|one| one.name == name)
    })
}
