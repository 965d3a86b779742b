//! A checkpoint as JSON.

use std::path::Path;

use cccp::format::{Checkpoint, Data, Scalar, scalar_name};
use serde::Serialize;
use serde_json::{Value, json};

use super::arguments::Arguments;
use super::run::Item;
use super::trace;
use super::view::{State, View};
use crate::elements::{Grid, Targets, spell};
use crate::measure::{Measured, Number, Summary};
use crate::render::{HeaderShape, kind, layout};

/// The answer.
#[derive(Serialize)]
pub struct Answer {
    path: String,
    bytes: u64,
    format: String,
    /// none when the file is sound
    damaged: Option<String>,
    damage: Vec<DamageShape>,
    header: Option<HeaderShape>,
    functions: Vec<FunctionShape>,
    /// functions in progress, the outermost first
    stack: Option<String>,
    sections: Vec<u64>,
    registers: Vec<RegisterShape>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<Vec<NodeShape>>,
}

#[derive(Serialize)]
struct DamageShape {
    part: String,
    reason: String,
}

#[derive(Serialize)]
struct FunctionShape {
    name: String,
    file: String,
    line: u32,
}

#[derive(Serialize)]
struct RegisterShape {
    section: u64,
    number: u64,
    name: String,
    full_name: String,
    line: u32,
    #[serde(rename = "type")]
    type_name: Option<String>,
    kind: Option<&'static str>,
    extents: Vec<u64>,
    first: u64,
    elements: u64,
    element_bytes: u64,
    bytes: u64,
    stored_bytes: u64,
    compressed: bool,
    /// sound, unverified, damaged
    state: &'static str,
    reason: Option<String>,
    members: Vec<MemberShape>,
    values: Vec<ValueShape>,
    #[serde(skip_serializing_if = "Option::is_none")]
    layout: Option<Vec<LayoutShape>>,
}

/// Numbers of a member; its name is empty for a register of numbers.
#[derive(Serialize)]
struct MemberShape {
    name: String,
    count: u64,
    nan: u64,
    infinite: u64,
    min: Option<Value>,
    max: Option<Value>,
    mean: Option<f64>,
}

#[derive(Serialize)]
struct ValueShape {
    index: Vec<u64>,
    member: String,
    value: Value,
}

#[derive(Serialize)]
struct LayoutShape {
    byte: u64,
    bit: Option<u64>,
    bits: Option<u32>,
    bytes: u64,
    declaration: String,
}

#[derive(Serialize)]
struct NodeShape {
    function: u32,
    active: Option<u32>,
    entries: Vec<EntryShape>,
}

#[derive(Serialize)]
struct EntryShape {
    sequence: u64,
    block: u32,
    kind: &'static str,
    dormant: bool,
    loops: Vec<u64>,
    /// registers of a register block
    registers: Vec<Option<u64>>,
    /// node of a call
    node: Option<u32>,
}

/// Puts it together.
pub fn answer(
    path: &Path,
    view: &View,
    items: &[Item],
    arguments: &Arguments,
    first: u64,
) -> Answer {
    let checkpoint = view.file.as_ref().map(|file| &file.checkpoint);
    let mut sections: Vec<u64> = view.rows.iter().map(|row| row.section).collect();
    if let Some(checkpoint) = checkpoint {
        sections.extend(checkpoint.sections.iter().map(|section| section.number));
    }
    sections.sort_unstable();
    sections.dedup();
    let damage = view.damage.iter().map(|damage| DamageShape {
        part: damage.part.clone(),
        reason: damage.error.to_string(),
    });
    Answer {
        path: path.display().to_string(),
        bytes: view.length,
        format: format!("{}.{}", view.version.0, view.version.1),
        damaged: view.reason.clone(),
        damage: damage.collect(),
        header: view.header.as_ref().map(HeaderShape::of),
        functions: checkpoint.map_or(Vec::new(), functions),
        stack: checkpoint.map(trace::stack),
        sections,
        registers: items
            .iter()
            .map(|item| register(checkpoint, item, arguments, first))
            .collect(),
        trace: checkpoint.filter(|_| arguments.trace).map(nodes),
    }
}

fn functions(checkpoint: &Checkpoint) -> Vec<FunctionShape> {
    let all = checkpoint.functions.iter();
    all.map(|function| FunctionShape {
        name: function.name.clone(),
        file: function.file.clone(),
        line: function.line,
    })
    .collect()
}

fn register(
    checkpoint: Option<&Checkpoint>,
    (row, found): &Item,
    arguments: &Arguments,
    first: u64,
) -> RegisterShape {
    let register = &row.register;
    let types = checkpoint.map_or(&[][..], |checkpoint| &checkpoint.types[..]);
    let own = types.get(register.type_index as usize);
    let (measured, reason) = match (&row.state, found) {
        (State::Lost(reason), _) => (None, Some(reason.clone())),
        (_, Some(Err(error))) => (None, Some(error.to_string())),
        (_, Some(Ok(found))) => (Some(found), None),
        (_, None) => (None, None),
    };
    let values = match (checkpoint, measured) {
        (Some(checkpoint), Some(found)) if first > 0 => values(checkpoint, row, found, first),
        _ => Vec::new(),
    };
    RegisterShape {
        section: row.section,
        number: register.id,
        name: register.name.clone(),
        full_name: row.name.clone(),
        line: register.line,
        type_name: own.map(|own| own.name.clone()),
        kind: own.map(|own| kind(own.kind)),
        extents: register.extents.clone(),
        first: register.first,
        elements: register.elements,
        element_bytes: register.element_size,
        bytes: row.raw(),
        stored_bytes: row.stored(),
        compressed: matches!(
            register.data,
            Data::InFile {
                compressed: true,
                ..
            }
        ),
        state: match reason {
            Some(_) => "damaged",
            None => row.state.word(),
        },
        reason,
        members: measured.map_or(Vec::new(), |found| {
            found.members.iter().map(member).collect()
        }),
        values,
        layout: arguments.types.then(|| {
            let lines = layout(types, register.type_index).into_iter();
            lines
                .map(|line| LayoutShape {
                    byte: line.offset,
                    bit: line.bits.map(|(bit, _)| bit),
                    bits: line.bits.map(|(_, bits)| bits),
                    bytes: line.size,
                    declaration: line.declaration,
                })
                .collect()
        }),
    }
}

fn member((name, summary): &(String, Summary)) -> MemberShape {
    MemberShape {
        name: name.clone(),
        count: summary.count,
        nan: summary.nan,
        infinite: summary.infinite,
        min: summary.least.map(number),
        max: summary.largest.map(number),
        mean: summary.mean(),
    }
}

fn number(number: Number) -> Value {
    match number {
        Number::Whole(value) => match (i64::try_from(value), u64::try_from(value)) {
            (Ok(value), _) => json!(value),
            (_, Ok(value)) => json!(value),
            _ => json!(value.to_string()),
        },
        Number::Real(value) => real(value),
    }
}

/// JSON has no word for what is no number.
fn real(value: f64) -> Value {
    match value {
        value if value.is_finite() => json!(value),
        value if value.is_nan() => json!("NaN"),
        value if value > 0.0 => json!("Infinity"),
        _ => json!("-Infinity"),
    }
}

fn values(
    checkpoint: &Checkpoint,
    row: &super::view::Row,
    found: &Measured,
    first: u64,
) -> Vec<ValueShape> {
    let targets = Targets::of(checkpoint);
    let grid = Grid::of(&row.register);
    let mut place = 0;
    let mut shapes = Vec::new();
    for scalar in found.first.iter().take(first as usize) {
        let (element, leaf) = (place / found.per_element, place % found.per_element);
        let member = scalar_name(&checkpoint.types, row.register.type_index, leaf);
        shapes.push(ValueShape {
            index: grid.indices(element),
            member: member.unwrap_or_default(),
            value: value(scalar, &targets),
        });
        place += u64::from(!matches!(scalar, Scalar::Bytes { more: true, .. }));
    }
    shapes
}

/// Numbers as numbers, complex ones as pairs, everything else in words.
fn value(scalar: &Scalar, targets: &Targets) -> Value {
    match scalar {
        Scalar::Bool(value) => json!(value),
        Scalar::ComplexFloat(re, im) => json!([real((*re).into()), real((*im).into())]),
        Scalar::ComplexDouble(re, im) => json!([real(*re), real(*im)]),
        Scalar::ComplexLongDouble(parts) => json!(parts.map(|part| real(part.to_f64()))),
        scalar => match Number::of(scalar) {
            Some(one) => number(one),
            None => json!(spell(scalar, targets)),
        },
    }
}

fn nodes(checkpoint: &Checkpoint) -> Vec<NodeShape> {
    use cccp::format::Payload;
    let entry = |entry: &cccp::format::Entry| {
        let (kind, registers, node) = match &entry.payload {
            Payload::Register(links) => (
                "register",
                links.iter().map(|link| link.register).collect(),
                None,
            ),
            Payload::Execute(_) => ("execute", Vec::new(), None),
            Payload::Region(_) => ("region", Vec::new(), None),
            Payload::Call(node) => ("call", Vec::new(), Some(*node)),
            Payload::Checkpoint => ("checkpoint", Vec::new(), None),
        };
        EntryShape {
            sequence: entry.sequence,
            block: entry.block,
            kind,
            dormant: entry.dormant,
            loops: entry.instances.clone(),
            registers,
            node,
        }
    };
    let all = checkpoint.trace.nodes.iter();
    all.map(|node| NodeShape {
        function: node.function,
        active: node.active,
        entries: node.entries.iter().map(entry).collect(),
    })
    .collect()
}
