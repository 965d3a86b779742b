//! What the library reads in a checkpoint file, as the JSON that `read.py` prints.
//!
//! In: a verified [`File`]. Out: JSON, and where two of them differ. How bytes are cut into chunks is not compared: the
//! library does not tell. The values are those of `elements`.

use crate::elements;
use cccp::format::{
    BitField, Entry, File, FormatError, Header, Kind, Member, Node, Payload, Plan, PlannedExtent,
    PlannedField, Register, Type, Value as Kept,
};
use serde_json::{Value, json};

/// Meanings of a register's flags, from the lowest bit on.
const FLAGS: [(u32, &str); 10] = [
    (1, "behind a pointer"),
    (2, "a local object"),
    (4, "behind a local pointer"),
    (8, "found through a pointer"),
    (16, "kept by the library"),
    (32, "allocated blocks"),
    (64, "with its block"),
    (128, "with all that it leads to"),
    (256, "lengths of blocks"),
    (512, "descriptors of open files"),
];

/// All that the file says.
pub fn of(file: &File) -> Result<Value, FormatError> {
    let checkpoint = &file.checkpoint;
    let functions = checkpoint.functions.iter().map(|function| {
        json!({
            "name": function.name, "file": function.file, "line": function.line,
            "fingerprint": format!("{:016x}", function.fingerprint),
        })
    });
    let sections = checkpoint.sections.iter().map(|section| {
        let registers = section.registers.iter().map(|one| register(file, one));
        let registers = registers.collect::<Result<Vec<Value>, FormatError>>()?;
        Ok(json!({ "number": section.number, "registers": registers }))
    });
    let nodes = checkpoint.trace.nodes.iter().map(|one| node(file, one));
    Ok(json!({
        "header": header(&checkpoint.header),
        "types": checkpoint.types.iter().map(one_type).collect::<Value>(),
        "functions": functions.collect::<Value>(),
        "nodes": nodes.collect::<Result<Vec<Value>, FormatError>>()?,
        "roots": checkpoint.trace.roots,
        "plans": checkpoint.plans.iter().map(plan).collect::<Value>(),
        "sections": sections.collect::<Result<Vec<Value>, FormatError>>()?,
    }))
}

/// Bytes as the characters of Latin-1.
fn latin(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| char::from(byte)).collect()
}

fn header(header: &Header) -> Value {
    let machine = &header.machine;
    let arguments: Value = header.arguments.iter().map(|bytes| latin(bytes)).collect();
    json!({
        "program": header.program,
        "fingerprint": format!("{:016x}", header.fingerprint),
        "arguments": arguments,
        "rank": header.rank,
        "size": header.size,
        "generation": header.generation,
        "time": header.time,
        "byte order": if machine.big_endian { "big" } else { "little" },
        "sizes": { "pointer": machine.pointer, "long": machine.long, "long double": machine.long_double },
        "long double": format!("{:?}", machine.long_double_format),
        "machine": machine.description,
        "encoding": header.encoding.word(),
        "function": header.site.function,
        "line": header.site.line,
        "name": header.site.name,
    })
}

fn one_type(one: &Type) -> Value {
    let mut value =
        json!({ "name": one.name, "kind": format!("{:?}", one.kind), "size": one.size });
    if one.kind == Kind::Struct {
        value["members"] = one.members.iter().map(member).collect();
    }
    value
}

fn member(member: &Member) -> Value {
    let mut value = json!({
        "name": member.name, "type": member.type_index, "offset": member.offset, "count": member.count,
    });
    if let Some(BitField {
        start,
        width,
        signed,
    }) = member.bits
    {
        value["bits"] = json!({ "start": start, "width": width, "signed": signed });
    }
    value
}

fn node(file: &File, node: &Node) -> Result<Value, FormatError> {
    let entries = node.entries.iter().map(|one| entry(file, one));
    Ok(json!({
        "function": node.function,
        "arguments": kept(file, &node.arguments)?,
        "entries": entries.collect::<Result<Vec<Value>, FormatError>>()?,
        "active": node.active,
    }))
}

fn kept(file: &File, values: &[Kept]) -> Result<Value, FormatError> {
    let one = |value: &Kept| {
        let read = elements::of_trace(file, value)?;
        Ok(json!({ "name": value.name, "type": value.type_index, "value": read }))
    };
    values.iter().map(one).collect()
}

fn entry(file: &File, entry: &Entry) -> Result<Value, FormatError> {
    let (kind, name, detail) = match &entry.payload {
        Payload::Register(links) => {
            let links = links.iter();
            let links = links.map(|link| json!({ "item": link.item, "register": link.register }));
            ("register", "links", links.collect())
        }
        Payload::Execute(values) => ("execute", "values", kept(file, values)?),
        Payload::Region(values) => ("region", "values", kept(file, values)?),
        Payload::Call(callee) => ("call", "callee", json!(callee)),
        Payload::Checkpoint => ("checkpoint", "", Value::Null),
    };
    let mut value = json!({
        "sequence": entry.sequence, "block": entry.block, "dormant": entry.dormant,
        "instances": entry.instances, "region": entry.region, "kind": kind,
    });
    if !name.is_empty() {
        value[name] = detail;
    }
    Ok(value)
}

fn plan(plan: &Plan) -> Value {
    let blocks = plan.blocks.iter().map(|block| {
        json!({
            "kind": format!("{:?}", block.kind).to_lowercase(), "line": block.line, "loop": block.in_loop,
            "region": block.region, "name": block.name, "passed": block.passed,
            "values": block.values.iter().map(field).collect::<Value>(),
        })
    });
    let loops = plan.loops.iter().map(
        |one| json!({ "parent": one.parent, "counter": one.counter, "prunable": one.prunable }),
    );
    let items = plan.items.iter().map(|item| {
        json!({
            "name": item.name, "line": item.line, "flags": flags(item.flags), "block": item.block,
            "type": item.type_index, "first": extent(&item.first),
            "extents": item.extents.iter().map(extent).collect::<Value>(),
        })
    });
    json!({
        "blocks": blocks.collect::<Value>(),
        "loops": loops.collect::<Value>(),
        "items": items.collect::<Value>(),
        "parameters": plan.parameters.iter().map(field).collect::<Value>(),
    })
}

fn field(field: &PlannedField) -> Value {
    json!({ "name": field.name, "type": field.type_index, "read later": field.flags == 1 })
}

fn extent(extent: &PlannedExtent) -> Value {
    json!({ "text": extent.text, "value": extent.value })
}

fn flags(flags: u32) -> Value {
    let meanings = FLAGS.iter().filter(|(bit, _)| flags & bit != 0);
    meanings.map(|(_, meaning)| *meaning).collect()
}

fn register(file: &File, register: &Register) -> Result<Value, FormatError> {
    Ok(json!({
        "address": register.address,
        "bytes per element": register.element_size,
        "elements": register.elements,
        "type": register.type_index,
        "name": register.name,
        "number": register.id,
        "function": register.function,
        "line": register.line,
        "extents": register.extents,
        "first": register.first,
        "flags": flags(register.flags),
        "values": elements::of_register(file, register)?,
    }))
}

/// The places at which the two differ, with both sides; what `UNKNOWN` names is not compared.
pub fn differences(library: &Value, python: &Value) -> Vec<String> {
    let mut found = Vec::new();
    compare("", library, python, &mut found);
    found
}

/// What `read.py` tells and the library does not.
const UNKNOWN: [&str; 4] = ["version", "chunks", "word", "decimal"];

fn compare(place: &str, library: &Value, python: &Value, found: &mut Vec<String>) {
    match (library, python) {
        (Value::Object(left), Value::Object(right)) => {
            let told = |(name, _): &(&String, &Value)| !UNKNOWN.contains(&name.as_str());
            for (name, value) in left.iter().filter(told) {
                let other = right.get(name).unwrap_or(&Value::Null);
                compare(&format!("{place}.{name}"), value, other, found);
            }
            let more = right.keys().filter(|name| !left.contains_key(*name));
            let more = more.filter(|name| !UNKNOWN.contains(&name.as_str()));
            found.extend(more.map(|name| format!("{place}.{name} is unknown to the library")));
        }
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
            for (index, (value, other)) in left.iter().zip(right).enumerate() {
                compare(&format!("{place}[{index}]"), value, other, found);
            }
        }
        _ => {
            // As texts: that tells 0 from -0, and 1 from 1.0.
            let [left, right] = [library, python].map(Value::to_string);
            if left != right {
                found.push(format!("{place}: {left} / {right}"));
            }
        }
    }
}
