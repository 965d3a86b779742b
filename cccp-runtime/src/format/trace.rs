//! Bytes of the trace.

use super::FormatError;
use super::model::{Entry, Node, Payload, RegisterLink, Trace, Value};
use super::wire::{Cursor, put_bytes, put_list, put_u32, put_u64};

pub(super) fn put_trace(trace: &Trace, out: &mut Vec<u8>) {
    put_list(&trace.nodes, out, |node, out| {
        put_u32(node.function, out);
        put_list(&node.arguments, out, put_value);
        put_list(&node.entries, out, put_entry);
        put_list(node.active.as_slice(), out, |index, out| {
            put_u32(*index, out)
        });
    });
    put_list(&trace.roots, out, |root, out| put_u32(*root, out));
}

pub(super) fn get_trace(from: &mut Cursor) -> Result<Trace, FormatError> {
    Ok(Trace {
        nodes: from.list(|from| {
            Ok(Node {
                function: from.u32()?,
                arguments: from.list(get_value)?,
                entries: from.list(get_entry)?,
                active: optional(from, Cursor::u32)?,
            })
        })?,
        roots: from.list(Cursor::u32)?,
    })
}

fn put_entry(entry: &Entry, out: &mut Vec<u8>) {
    put_u64(entry.sequence, out);
    put_u32(entry.block, out);
    put_u32(u32::from(entry.dormant), out);
    put_list(&entry.instances, out, |instance, out| {
        put_u64(*instance, out)
    });
    put_list(entry.region.as_slice(), out, |region, out| {
        put_u64(*region, out)
    });
    match &entry.payload {
        Payload::Register(links) => {
            put_u32(1, out);
            put_list(links, out, |link, out| {
                put_u32(link.item, out);
                put_list(link.register.as_slice(), out, |id, out| put_u64(*id, out));
            });
        }
        Payload::Execute(values) => {
            put_u32(2, out);
            put_list(values, out, put_value);
        }
        Payload::Region(values) => {
            put_u32(3, out);
            put_list(values, out, put_value);
        }
        Payload::Call(node) => {
            put_u32(4, out);
            put_u32(*node, out);
        }
        Payload::Checkpoint => put_u32(5, out),
    }
}

fn get_entry(from: &mut Cursor) -> Result<Entry, FormatError> {
    Ok(Entry {
        sequence: from.u64()?,
        block: from.u32()?,
        dormant: from.flag()?,
        instances: from.list(Cursor::u64)?,
        region: optional(from, Cursor::u64)?,
        payload: match from.u32()? {
            1 => Payload::Register(from.list(|from| {
                Ok(RegisterLink {
                    item: from.u32()?,
                    register: optional(from, Cursor::u64)?,
                })
            })?),
            2 => Payload::Execute(from.list(get_value)?),
            3 => Payload::Region(from.list(get_value)?),
            4 => Payload::Call(from.u32()?),
            5 => Payload::Checkpoint,
            other => return Err(from.damaged(format!("{other} is no kind of block"))),
        },
    })
}

fn put_value(value: &Value, out: &mut Vec<u8>) {
    put_bytes(value.name.as_bytes(), out);
    put_u32(value.type_index, out);
    put_bytes(&value.data, out);
}

fn get_value(from: &mut Cursor) -> Result<Value, FormatError> {
    Ok(Value {
        name: from.string()?,
        type_index: from.u32()?,
        data: from.bytes()?.to_vec(),
    })
}

/// A list of at most one item.
pub(super) fn optional<'a, T>(
    from: &mut Cursor<'a>,
    item: impl FnMut(&mut Cursor<'a>) -> Result<T, FormatError>,
) -> Result<Option<T>, FormatError> {
    let mut items = from.list(item)?;
    if items.len() > 1 {
        return Err(from.damaged("several things where at most one may be"));
    }
    Ok(items.pop())
}
