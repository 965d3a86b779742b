//! From the live program to a checkpoint as plain data.
//!
//! In: the session, and where each activation on the stack stands. Out: a `format::Checkpoint` with every register's
//! value now, encoded, and the trace; and the pointers that lead nowhere. Steps: find what is on the way · find where
//! the live registers are now · encode them · copy the trace.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

use crate::format::{
    self, Checkpoint, Data, Elements, Encoding, Entry, FormatError, Kind, Layout, Payload,
    PointerValue, RegisterLink, Section, Site, Type, Value,
};
use crate::generation::{Ahead, Extent, Map};
use crate::heap::byte_type;
use crate::memory::blocks::{self, Present};
use crate::memory::{fixed, make_room};
use crate::registry::{
    BEHIND, FOLLOW, Field, Function, INDIRECT, Left, NodeId, Register, RegisterId, WHOLE,
};

use crate::restore::{Need, Obstacle};

use super::Session;
use super::collected::{Collected, Copying, Loss, Lost, Place, Refusal};
use super::fixed::{FIXED_HEAP, Pointed};
use super::held::Given;
use super::in_parts::{Parts, encoded_alone};
use super::in_turn::holds_pointers;
use super::library::library_registers;
use super::reach::{Numbered, Source, brought};
use super::suspects::{Look, Whose};

pub(super) struct Collector<'a> {
    pub(super) session: &'a Session,
    /// The session's types, and those of blocks.
    types: &'a [Type],
    look: Look<'a>,
    /// The first value of the trace that is not what its type says.
    suspected: Option<String>,
    map: Map<'a>,
    places: HashMap<NodeId, &'a Place>,
    functions: Vec<format::Function>,
    plans: Vec<format::Plan>,
    function_index: HashMap<usize, u32>,
    saved: HashSet<RegisterId>,
    lost: Vec<Lost>,
    needs: Vec<Need>,
    /// The variables with registers to which the value that was encoded last points.
    pointed: Vec<RegisterId>,
    /// Streams that cannot come back, which has been told.
    refused: HashSet<usize>,
    /// Arguments of the calls on the way that are structs.
    given: Vec<Given<'a>>,
    pub(super) copying: Copying,
    /// What the next value is encoded into.
    pub(super) buffer: Vec<u8>,
    /// Values that are left to all threads.
    parts: Parts<'a>,
}

/// Collects a checkpoint, of the registers that are wanted. The innermost place is the checkpoint itself.
pub fn collect(
    session: &Session,
    places: &[Place],
    generation: u64,
    copying: Copying,
    is_wanted: &dyn Fn(&Register) -> bool,
) -> Result<Collected, Refusal> {
    let by_node: HashMap<NodeId, &Place> = places.iter().map(|place| (place.node, place)).collect();
    let saved = on_the_way(session, &by_node);
    session.settle_requests();
    let mut gone = Vec::new();
    let mut extents: BTreeMap<RegisterId, Extent> = BTreeMap::new();
    let mut present = None;
    for register in session
        .registers
        .iter()
        .filter(|one| saved.contains(&one.id) && is_wanted(one))
    {
        // The pointer that led to it has outlived its block.
        let has_ended = register.flags & INDIRECT != 0
            && blocks::was_released(register.address)
            && !present
                .get_or_insert_with(Present::now)
                .holds(register.address);
        let extent = match has_ended {
            true => None,
            false => session.extent(register),
        };
        match extent {
            Some(extent) if session.is_stale(register, &extent, &mut present) => {
                match register.floating {
                    Some(_) => gone.push(register.id),
                    None => {
                        let nothing = Extent {
                            start: 0,
                            elements: 0,
                            ..extent
                        };
                        extents.insert(register.id, nothing);
                    }
                }
            }
            Some(extent) => {
                extents.insert(register.id, extent);
            }
            None => gone.push(register.id),
        }
    }
    let lengths = session.compare_lengths(&extents).map_err(Refusal::Heap)?;
    let (reached, pointed) = match fixed::is_on() {
        true => session.fixed_heap(&extents).map_err(Refusal::Heap)?,
        false => (
            session.reach(&extents).map_err(Refusal::Heap)?,
            Pointed::default(),
        ),
    };
    let types = match &reached {
        Some(reached) => &reached.reached.kinds.types,
        None => session.types.types(),
    };
    let next = match &reached {
        Some(reached) => reached.next(),
        None => session.registers.next(),
    };
    let mut files = session.open_files(&extents, reached.as_ref(), &pointed.streams);
    if let Some(reason) = files.obstacle.take() {
        return Err(Refusal::Obstacle(Obstacle::Everywhere(reason)));
    }
    let streams = files.streams.iter();
    let streams = streams.map(|(&address, &at)| (address, next + at as u64));
    let mut map = Map::new(
        extents.values().copied().collect(),
        types,
        &session.program,
        &session.arguments,
        &session.names,
    )
    .with_streams(streams.collect());
    if let Some(reached) = &reached {
        map = map.with_blocks(reached);
    }
    let mut look = Look::now(session, types, &extents);
    look.at_all(session, &map, &extents, reached.as_ref())
        .map_err(Refusal::Heap)?;
    session
        .held_lock(&extents, reached.as_ref())
        .map_err(Refusal::Heap)?;
    let mut collector = Collector {
        session,
        types,
        look,
        suspected: None,
        map,
        places: by_node,
        functions: Vec::new(),
        plans: Vec::new(),
        function_index: HashMap::new(),
        saved: extents.keys().copied().collect(),
        lost: Vec::new(),
        needs: Vec::new(),
        pointed: Vec::new(),
        refused: std::mem::take(&mut files.refused).into_keys().collect(),
        given: Vec::new(),
        copying,
        buffer: Vec::new(),
        parts: Parts::default(),
    };
    let mut sections = collector.sections(&extents, reached.as_ref())?;
    let trace = collector.trace()?;
    if let Some(reason) = collector.suspected {
        return Err(Refusal::Heap(reason));
    }
    let site = places.last().map(|place| {
        let function = &session.trace.node(place.node).function;
        let block = function.block(place.block);
        Site {
            function: function.name.clone(),
            line: block.map_or(0, |block| block.line),
            name: block.and_then(|block| block.name.clone()),
        }
    });
    let site = site.unwrap_or_default();
    let states = session.generator_states();
    let generators = states.len();
    let mut kept = files.kept;
    kept.extend(states);
    match fixed::is_on() {
        true => {
            kept.extend(session.fixed_addresses(reached.as_ref()));
            let innermost = places.last().map(|place| place.node);
            kept.extend(innermost.and_then(|node| session.fixed_places(node, &extents)));
            let id = |stream| Some(next + *files.streams.get(&stream)? as u64);
            kept.extend(session.streams_in_fixed_heap(&pointed.streams, id));
        }
        false => kept.extend(session.origins(&extents, reached.as_ref(), &lengths.longer)),
    }
    let given = std::mem::take(&mut collector.given);
    let map = &collector.map;
    let found = session.handles_and_objects(
        &extents,
        reached.as_ref(),
        &given,
        (&pointed, map),
        &files.inputs,
    );
    let (handles, unseen) = found?;
    kept.extend(handles);
    kept.extend(session.constants_of_libraries(map, &pointed));
    kept.extend(session.views_of_files(&extents).map_err(Refusal::Heap)?);
    collector.lost.extend(unseen.into_iter().map(|kind| Lost {
        holder: format!("a `{kind}`, made where the library does not see it"),
        loss: Loss::Poison,
        ahead: None,
    }));
    kept.extend(session.locks_held(&extents, reached.as_ref())?);
    kept.extend(session.locks_in_fixed_heap()?);
    kept.extend(session.counted_messages());
    kept.extend(session.counted_turns());
    kept.extend(session.told_text());
    kept.extend(session.printed_so_far());
    kept.extend(session.threads());
    kept.extend(session.regions());
    kept.extend(session.controls_of_threads());
    kept.extend(session.process_state());
    kept.extend(session.changed_words());
    let mut types = types.to_vec();
    if let (Some(place), false) = (places.last(), kept.is_empty()) {
        let own = &session.trace.node(place.node).function;
        let mut registers = Vec::new();
        for pool in reached.iter().flat_map(Numbered::fixed) {
            let source = Source {
                name: FIXED_HEAP.to_string(),
                function: own,
                line: site.line,
            };
            registers.extend(collector.pool(pool, source, session.encoding())?);
        }
        let function = collector.function(own);
        let library = library_registers(session, &mut types, kept, next, function, site.line)?;
        registers.extend(library);
        sections.push(Section {
            number: session.section,
            registers,
        });
    }
    // The fixed heap, too, may be left to all threads.
    collector.encode_parts(&mut sections)?;
    Ok(Collected {
        checkpoint: Checkpoint {
            header: session.header(generation, site),
            types,
            functions: collector.functions,
            plans: collector.plans,
            trace,
            sections,
        },
        lost: collector.lost,
        needs: collector.needs,
        gone,
        extents,
        generators,
        written: files.written,
        warnings: files.warnings.into_iter().chain(lengths.warnings).collect(),
    })
}

/// Registers of executions that a restart runs again.
fn on_the_way(session: &Session, places: &HashMap<NodeId, &Place>) -> HashSet<RegisterId> {
    let mut found = HashSet::new();
    let mut due: Vec<NodeId> = session.trace.roots.clone();
    while let Some(id) = due.pop() {
        let node = session.trace.node(id);
        let place = places
            .get(&id)
            .map(|place| (place.block, place.counters.as_slice()));
        for sequence in session.trace.on_the_way(id, place) {
            match &node.executions[&sequence].left {
                Left::Registers(items) => found.extend(items.iter().map(|&(_, id)| id)),
                Left::Called(callee) => due.push(*callee),
                Left::Executed(_) | Left::Entered(_) => {}
            }
        }
    }
    found
}

impl<'a> Collector<'a> {
    pub(super) fn function(&mut self, function: &std::rc::Rc<Function>) -> u32 {
        let key = std::rc::Rc::as_ptr(function) as usize;
        if let Some(&index) = self.function_index.get(&key) {
            return index;
        }
        let index = self.functions.len() as u32;
        self.functions.push(format::Function {
            name: function.name.clone(),
            file: function.file.clone(),
            line: function.line,
            fingerprint: function.fingerprint,
        });
        self.plans.push(function.plan());
        self.function_index.insert(key, index);
        index
    }

    pub(super) fn encode(
        &mut self,
        type_index: u32,
        blocks: &[&[u8]],
        count: u64,
        encoding: Encoding,
        holder: &dyn Fn() -> String,
        loss: Loss,
    ) -> Result<Vec<u8>, FormatError> {
        let elements = Elements {
            encoding,
            ..self.elements(type_index)
        };
        if let Some(encoded) = encoded_alone(elements, blocks, &mut self.buffer)? {
            return Ok(encoded);
        }
        let bytes = blocks.iter().map(|block| block.len()).sum::<usize>();
        let mut out = std::mem::take(&mut self.buffer);
        make_room(&mut out, bytes + 16);
        if self.types[type_index as usize] == byte_type() {
            // The whole heap, perhaps: it is copied once.
            format::encode_bytes(blocks.iter().copied(), encoding, &mut out);
            return Ok(out);
        }
        let memory: Cow<[u8]> = match blocks {
            [memory] => Cow::Borrowed(memory),
            _ => Cow::Owned(blocks.concat()),
        };
        let layout = Layout {
            types: self.types,
            machine: self.session.types.machine(),
        };
        let mut lost = false;
        let mut ahead: Option<Ahead> = None;
        let map = &self.map;
        let registers = &self.session.registers;
        let mut pointed = Vec::new();
        let mut resolve = |raw: u64, kind: Kind| {
            let value = map.resolve(raw, kind);
            // Memory behind pointers gets its place on first need, a variable is where its function has it.
            if let (PointerValue::Register { id, .. }, Loss::Stop) = (&value, loss)
                && { registers.get(*id) }.is_some_and(|one| one.flags & (BEHIND | INDIRECT) == 0)
            {
                pointed.push(*id);
            }
            let told = || usize::try_from(raw).is_ok_and(|raw| self.refused.contains(&raw));
            let is_there = usize::try_from(raw).is_ok_and(fixed::is_near);
            // Whoever uses what is released has a fault without a restart, too.
            let is_used = loss == Loss::Stop || !value.is_released();
            let is_lost = map.leads_nowhere(&value) && is_used && !is_there && !told();
            lost |= is_lost;
            // Nobody keeps a place before memory in a pointer to a function: such a value is one that was never set.
            if is_lost && loss != Loss::None && ahead.is_none() && kind == Kind::Pointer {
                ahead = usize::try_from(raw).ok().and_then(|raw| map.ahead(raw));
            }
            value
        };
        format::encode(
            layout,
            type_index,
            &memory,
            count,
            encoding,
            &mut resolve,
            &mut out,
        )?;
        self.pointed = pointed;
        if lost && loss != Loss::None {
            self.lost.push(Lost {
                holder: holder(),
                loss: ahead.map_or(loss, |_| Loss::Stop),
                ahead: ahead.map(|ahead| self.said_of(ahead)),
            });
        }
        Ok(out)
    }

    /// Leaves the values of a register to all threads that stand still, if there are some and they may.
    pub(super) fn leave(&mut self, id: u64, type_index: u32, blocks: Vec<&'a [u8]>) -> bool {
        if self.session.crew.is_none() || matches!(self.copying, Copying::Later) {
            return false;
        }
        let elements = self.elements(type_index);
        self.parts.add(id, elements, blocks, &mut self.buffer)
    }

    fn elements(&self, type_index: u32) -> Elements<'a> {
        let layout = Layout {
            types: self.types,
            machine: self.session.types.machine(),
        };
        Elements {
            layout,
            type_index,
            encoding: self.session.encoding(),
        }
    }

    /// All threads encode what was left to them.
    fn encode_parts(&mut self, sections: &mut [Section]) -> Result<(), FormatError> {
        let Some(crew) = self.session.crew else {
            return Ok(());
        };
        let parts = std::mem::take(&mut self.parts);
        let mut encoded = parts.encoded(|type_index| self.elements(type_index), crew)?;
        let registers = sections.iter_mut().flat_map(|one| &mut one.registers);
        for register in registers {
            if let Some(data) = encoded.remove(&register.id) {
                register.data = Data::Encoded(data);
            }
        }
        Ok(())
    }

    /// What is said about a pointer that lies before something.
    fn said_of(&self, ahead: Ahead) -> String {
        let Ahead {
            bytes, is_inside, ..
        } = ahead;
        let register = ahead.id.and_then(|id| self.session.registers.get(id));
        let register = register.filter(|one| one.flags & (WHOLE | FOLLOW) == 0);
        let (name, whose) = match register {
            Some(one) => (
                one.name.as_str(),
                format!(
                    "`{}`, registered by {} ({}:{})",
                    one.name, one.function.name, one.function.file, one.line
                ),
            ),
            None => ("p", "an allocated block".to_string()),
        };
        match is_inside {
            true => format!(
                "its pointer points to the beginning of an allocated block, and only what is {bytes} bytes further behind in it is \
                 saved, with {whose}: a restart would have neither the block nor its beginning; register all of it, from its \
                 beginning on",
            ),
            false => format!(
                "its pointer lies {bytes} bytes before the memory of {whose}, and in a restart it is unknown what it has to do with \
                 that; keep the pointer to the beginning of the memory, or register the memory by a pointer that lies before it \
                 with the number of elements between the two: `{name}[1:n]` are n elements from `{name} + 1` on",
            ),
        }
    }

    fn sections(
        &mut self,
        extents: &BTreeMap<RegisterId, Extent>,
        reached: Option<&Numbered>,
    ) -> Result<Vec<Section>, FormatError> {
        let encoding = self.session.encoding();
        let mut sections: BTreeMap<u64, Vec<format::Register>> = BTreeMap::new();
        let session = self.session;
        for register in session.registers.iter() {
            let Some(extent) = extents.get(&register.id) else {
                continue;
            };
            let memory = session
                .program
                .view(extent.start, extent.size * extent.elements);
            let holder = || register.described(&register.name);
            self.buffer = self.copying.buffer(memory.len());
            let later = matches!(self.copying, Copying::Later)
                && !holds_pointers(session.types.types(), register.type_index);
            let later = later || self.leave(register.id, register.type_index, vec![memory]);
            let data = match later {
                true => Vec::new(),
                false => self.encode(
                    register.type_index,
                    &[memory],
                    extent.elements as u64,
                    encoding,
                    &holder,
                    Loss::Poison,
                )?,
            };
            let function = self.function(&register.function);
            let mut lengths = register.extents.clone();
            if register.is_behind() && extent.start == 0 {
                lengths.insert(0, 0);
            }
            sections
                .entry(register.section)
                .or_default()
                .push(format::Register {
                    id: register.id,
                    name: register.name.clone(),
                    function,
                    line: register.line,
                    address: extent.start as u64,
                    element_size: extent.size as u64,
                    elements: extent.elements as u64,
                    extents: lengths,
                    first: register.first,
                    type_index: register.type_index,
                    flags: register.flags,
                    data: Data::Encoded(data),
                });
            for pool in reached.into_iter().flat_map(|one| one.of(register.id)) {
                let source = Source {
                    name: brought(register, pool.2.kinds.name(pool.1.type_index)),
                    function: &register.function,
                    line: register.line,
                };
                let registers = self.pool(pool, source, encoding)?;
                let section = sections.entry(register.section).or_default();
                section.extend(registers);
            }
        }
        Ok(sections
            .into_iter()
            .map(|(number, registers)| Section { number, registers })
            .collect())
    }

    fn values(
        &mut self,
        (node, sequence): (usize, Option<u64>),
        fields: &[Field],
        record: &[u8],
        loss: &dyn Fn(&Field, usize) -> Loss,
        holder: &dyn Fn(&Field) -> String,
    ) -> Result<Vec<Value>, FormatError> {
        let mut values = Vec::with_capacity(fields.len());
        for (number, field) in fields.iter().enumerate() {
            let size = self
                .session
                .types
                .get(field.type_index)
                .map_or(0, |one| one.size) as usize;
            let bytes = record.get(field.offset..field.offset + size).unwrap_or(&[]);
            let loss = loss(field, number);
            if loss != Loss::None
                && self.suspected.is_none()
                && let Err(found) = self.look.at(
                    field.type_index,
                    Whose::Memory(&field.name),
                    bytes,
                    &self.map,
                )
            {
                self.suspected = Some(format!("{}: {found}", holder(field)));
            }
            let data = self.encode(
                field.type_index,
                &[bytes],
                1,
                Encoding::Xdr,
                &|| holder(field),
                loss,
            )?;
            let registers = std::mem::take(&mut self.pointed);
            if !registers.is_empty() {
                self.needs.push(Need {
                    node,
                    sequence,
                    holder: holder(field),
                    registers,
                });
            }
            values.push(Value {
                name: field.name.clone(),
                type_index: field.type_index,
                data,
            });
        }
        Ok(values)
    }

    fn trace(&mut self) -> Result<format::Trace, FormatError> {
        let session = self.session;
        let mut trace = format::Trace::default();
        // Nodes with the block of the caller that called them, and whether a restart from here makes the call.
        let mut due: std::collections::VecDeque<(NodeId, u32, bool)> = Default::default();
        let mut next = 0u32;
        for &root in &session.trace.roots {
            trace.roots.push(next);
            due.push_back((root, 0, true));
            next += 1;
        }
        while let Some((id, called_in, is_made)) = due.pop_front() {
            let node = session.trace.node(id);
            let place = self.places.get(&id).copied();
            let active = place.is_some();
            let passed = node
                .caller
                .and_then(|caller| session.trace.node(caller).function.block(called_in))
                .map_or(0, |block| block.passed);
            // `main`, and what else no precompiled code calls: every start gives it its arguments.
            let is_given = node.caller.is_none();
            let function = node.function.clone();
            for (number, field) in function.parameters.iter().enumerate() {
                let kind = session.types.get(field.type_index);
                if let Some(one) = kind.filter(|one| one.kind == Kind::Struct) {
                    let end = field.offset + one.size as usize;
                    let bytes = node.arguments.get(field.offset..end).unwrap_or(&[]);
                    let place = trace.nodes.len();
                    self.given.push((place, number, field.type_index, bytes));
                }
            }
            let number = trace.nodes.len();
            let arguments = self.values(
                (number, None),
                &function.parameters,
                &node.arguments,
                &|field, number| {
                    let anew = number < 64 && passed >> number & 1 == 1;
                    // What is registered gets its own value in the end, whatever the call is given.
                    let back = session.registers.of(id, &field.name).is_some();
                    if is_made
                        && !is_given
                        && !anew
                        && (active && !back && !field.unread || field.read_by_blocks)
                    {
                        Loss::Stop
                    } else {
                        Loss::None
                    }
                },
                &|field| {
                    format!(
                        "parameter `{}` of {} ({}:{})",
                        field.name, function.name, function.file, function.line
                    )
                },
            )?;
            let way: HashSet<u64> = session
                .trace
                .on_the_way(
                    id,
                    place.map(|place| (place.block, place.counters.as_slice())),
                )
                .into_iter()
                .collect();
            let mut entries = Vec::with_capacity(node.executions.len() + 1);
            let mut standing = None;
            for (&sequence, execution) in &node.executions {
                let block = function.block(execution.block);
                let fields = block.map_or(&[][..], |block| &block.fields);
                let line = block.map_or(0, |block| block.line);
                let holder = |field: &Field| {
                    format!(
                        "`{}`, read by the block at {}:{line}",
                        field.name, function.file
                    )
                };
                let is_run = is_made && way.contains(&sequence);
                let at = (number, Some(sequence));
                let loss = |_: &Field, _: usize| match is_run {
                    true => Loss::Stop,
                    false => Loss::None,
                };
                let payload = match &execution.left {
                    Left::Registers(items) => Payload::Register(
                        items
                            .iter()
                            .map(|&(item, id)| RegisterLink {
                                item,
                                register: self.saved.contains(&id).then_some(id),
                            })
                            .collect(),
                    ),
                    Left::Executed(record) => {
                        Payload::Execute(self.values(at, fields, record, &loss, &holder)?)
                    }
                    Left::Entered(record) => {
                        Payload::Region(self.values(at, fields, record, &loss, &holder)?)
                    }
                    Left::Called(callee) => {
                        due.push_back((*callee, execution.block, is_run));
                        next += 1;
                        if self.places.contains_key(callee) {
                            standing = Some(entries.len() as u32);
                        }
                        Payload::Call(next - 1)
                    }
                };
                entries.push(Entry {
                    sequence,
                    block: execution.block,
                    dormant: !way.contains(&sequence),
                    instances: execution.counters.clone(),
                    region: execution.region,
                    payload,
                });
            }
            if let (Some(place), None) = (place, standing) {
                standing = Some(entries.len() as u32);
                entries.push(Entry {
                    sequence: session.trace.now() + 1,
                    block: place.block,
                    dormant: false,
                    instances: place.counters.clone(),
                    region: session.trace.region_of(id, place.block),
                    payload: Payload::Checkpoint,
                });
            }
            let function = self.function(&function);
            trace.nodes.push(format::Node {
                function,
                arguments,
                entries,
                active: standing,
            });
        }
        Ok(trace)
    }
}
