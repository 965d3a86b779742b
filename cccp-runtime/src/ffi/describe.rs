//! Descriptions in the words of cccp.h, turned into plain data.
//!
//! In: tables that the precompiler made, or a type that somebody wrote by hand. Out: an index into the session's types,
//! a `registry::Function`. A table that makes no sense is refused with a reason.

use std::collections::{BTreeMap, HashMap};
use std::ffi::{CStr, c_char, c_int};
use std::rc::Rc;
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::mirror;
use crate::format::{BitField, Kind, Member, PlannedExtent, REGISTER_FLAGS, Type, types};
use crate::registry::{
    Block, BlockKind, Field, Function, Holds, Item, Lead, Loop, RankSet, TypeTable, UNSET_POINTER,
};
use crate::session::{Doubt, Suspect};

/// Structs nested deeper than this are a mistake.
const DEEPEST: usize = 100;
/// `CCCP_KIND_STREAM`
const STREAM: u32 = 24;
/// `CCCP_KIND_OPTIONAL`
const OPTIONAL: u32 = 25;
/// `CCCP_HOLDS_BLOCK`
const HOLDS_BLOCK: u64 = u64::MAX;
/// `CCCP_VALUE_READ_BY_BLOCKS`
const READ_BY_BLOCKS: c_int = 1;
/// `CCCP_VALUE_UNREAD`
const UNREAD: c_int = 2;

/// Rows of pointers to descriptors, from the first one up to the end: what the files of the program announced.
static ANNOUNCED: Mutex<Vec<(usize, usize)>> = Mutex::new(Vec::new());

/// A file of the program has announced its functions.
pub fn announce(first: usize, end: usize) {
    let mut rows = ANNOUNCED.lock().unwrap_or_else(PoisonError::into_inner);
    if first < end && !rows.contains(&(first, end)) {
        rows.push((first, end));
    }
}

/// Describes all functions that were announced. One that makes no sense is left out: it is refused when it is called.
///
/// # Safety
///
/// What was announced still stands there.
pub unsafe fn announced(tables: &mut Tables) {
    let rows = ANNOUNCED
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone();
    let mut files: BTreeMap<usize, String> = BTreeMap::new();
    for (first, end) in rows {
        let step = size_of::<*const mirror::Function>();
        for place in (first..end).step_by(step) {
            // SAFETY: the promise of the caller.
            unsafe {
                let descriptor = *(place as *const *const mirror::Function);
                let _ = function(tables.known(), descriptor);
                let Some(found) = descriptor.as_ref() else {
                    continue;
                };
                for name in table(found.names, found.name_count) {
                    let file = text(found.file);
                    let known = files.entry(name.address as usize).or_insert(file.clone());
                    *known = file.min(std::mem::take(known));
                }
            }
        }
    }
    tell_apart(&mut tables.names, &files);
}

/// Static functions of one name in several files: the file belongs to the name.
fn tell_apart(names: &mut HashMap<usize, String>, files: &BTreeMap<usize, String>) {
    let mut count: HashMap<String, usize> = HashMap::new();
    for name in names.values() {
        *count.entry(name.clone()).or_default() += 1;
    }
    for (address, file) in files {
        if let Some(name) = names.get_mut(address).filter(|name| count[*name] > 1) {
            *name = format!("{name} of {file}");
        }
    }
}

/// What has been described already.
pub struct Known<'a> {
    /// By the addresses of their descriptors.
    pub functions: &'a mut FxHashMap<usize, Rc<Function>>,
    /// Of functions whose address the program takes.
    pub names: &'a mut HashMap<usize, String>,
    /// All types.
    pub types: &'a mut TypeTable,
}

/// The same before there is a session.
#[derive(Default)]
pub struct Tables {
    pub functions: FxHashMap<usize, Rc<Function>>,
    pub names: HashMap<usize, String>,
    pub types: TypeTable,
}

impl Tables {
    /// To look up and to add.
    pub fn known(&mut self) -> Known<'_> {
        Known {
            functions: &mut self.functions,
            names: &mut self.names,
            types: &mut self.types,
        }
    }
}

/// The text at `text`, empty for NULL.
///
/// # Safety
///
/// `text` is NULL or a C string.
pub unsafe fn text(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: the promise of the caller.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_string_lossy().into_owned()
}

/// `count` elements at `first`; none when one of them is missing.
///
/// # Safety
///
/// `first` is NULL, or there are `count` elements that stay as they are.
unsafe fn table<'a, T>(first: *const T, count: c_int) -> &'a [T] {
    match usize::try_from(count) {
        // SAFETY: the promise of the caller.
        Ok(count) if !first.is_null() => unsafe { std::slice::from_raw_parts(first, count) },
        _ => &[],
    }
}

/// Values that each checkpoint looks at. What makes no sense is left out.
///
/// # Safety
///
/// `first` points to `count` of them, or is NULL.
pub unsafe fn suspects(first: *const mirror::Suspect, count: u64) -> Vec<Suspect> {
    // SAFETY: the promise of the caller.
    let all = unsafe { table(first, c_int::try_from(count).unwrap_or(0)) };
    let read = |one: &mirror::Suspect| {
        let doubt = match one.what {
            1 => Doubt::Number,
            2 => Doubt::Pointer,
            3 => Doubt::Before,
            _ => return None,
        };
        // SAFETY: the names are texts of the program.
        let (type_name, member) = unsafe { (text(one.type_name), text(one.member)) };
        Some(Suspect {
            type_name,
            member: (!one.member.is_null()).then_some(member),
            doubt,
        })
    };
    all.iter().filter_map(read).collect()
}

/// The session's index of a type of the precompiler's, which stays where it is.
///
/// # Safety
///
/// `descriptor` is NULL or a `cccp_type` as cccp.h says.
pub unsafe fn type_index(
    types: &mut TypeTable,
    descriptor: *const mirror::Type,
) -> Result<u32, String> {
    if let Some(index) = types.known(descriptor as usize) {
        return Ok(index);
    }
    // SAFETY: the promise of the caller, for what pointers point to as well.
    unsafe {
        let index = read_type(types, descriptor, 0)?;
        // One after the other, not one inside the other: a struct may hold pointers to itself.
        while let Some((pointer, target)) = types.unread() {
            let found = match types.known(target) {
                Some(found) => found,
                None => read_type(types, target as *const mirror::Type, 0)?,
            };
            types.set_target(pointer, target, found);
        }
        Ok(index)
    }
}

/// Whether two descriptors say the same, whatever they lead to included. `assumed` are pairs that are being compared.
///
/// # Safety
///
/// Both are NULL or a `cccp_type` as cccp.h says.
unsafe fn is_same(
    one: *const mirror::Type,
    other: *const mirror::Type,
    assumed: &mut Vec<(usize, usize)>,
) -> bool {
    let pair = (one as usize, other as usize);
    if pair.0 == pair.1 || assumed.contains(&pair) {
        return true;
    }
    // SAFETY: the promise of the caller, for every table of the types.
    unsafe {
        let (Some(one), Some(other)) = (one.as_ref(), other.as_ref()) else {
            return false;
        };
        assumed.push(pair);
        let heads = one.kind == other.kind
            && one.member_count == other.member_count
            && one.size == other.size
            && text(one.name) == text(other.name);
        let (members, others) = (
            table(one.members, one.member_count),
            table(other.members, other.member_count),
        );
        heads
            && members.len() == others.len()
            && members.iter().zip(others).all(|(member, twin)| {
                member.offset == twin.offset
                    && member.count == twin.count
                    && member.mask.is_null() == twin.mask.is_null()
                    && text(member.name) == text(twin.name)
                    && is_same(member.kind, twin.kind, assumed)
            })
    }
}

/// A pointer that says what it leads to: its only member, or blocks of which its members say what they hold.
unsafe fn read_pointer(
    types: &mut TypeTable,
    descriptor: *const mirror::Type,
    made: Type,
    members: &[mirror::Member],
) -> u32 {
    let lead = |member: &mirror::Member| {
        let target = member.kind as usize;
        // SAFETY: the precompiler's words stay where they are.
        match (unsafe { text(member.name) }.is_empty(), member.count) {
            (true, _) => Lead::Element(target),
            (false, 1) => Lead::One(target),
            (false, _) => Lead::Many(target),
        }
    };
    let leads: Vec<Lead<usize>> = members.iter().map(lead).collect();
    let known = types.pointers(&made.name).into_iter();
    let mut alike = known.filter(|(_, others)| {
        let mut pairs = leads.iter().zip(others);
        leads.len() == others.len()
            && pairs.all(|(one, other)| {
                let (target, twin) = (one.target() as *const mirror::Type, other.target());
                // SAFETY: descriptors of the precompiler stay where they are.
                std::mem::discriminant(one) == std::mem::discriminant(other)
                    && unsafe { is_same(target, twin as *const mirror::Type, &mut Vec::new()) }
            })
    });
    let index = match alike.next() {
        Some((index, _)) => index,
        None => {
            drop(alike);
            types.add_pointer(made, &leads)
        }
    };
    types.also(descriptor as usize, index);
    index
}

/// The same for a type that may be another one at the same address tomorrow.
///
/// # Safety
///
/// As for [`type_index`].
pub unsafe fn type_index_anew(
    types: &mut TypeTable,
    descriptor: *const mirror::Type,
) -> Result<u32, String> {
    // SAFETY: the promise of the caller.
    unsafe { read_type(types, descriptor, 0) }
}

unsafe fn read_type(
    types: &mut TypeTable,
    descriptor: *const mirror::Type,
    depth: usize,
) -> Result<u32, String> {
    // SAFETY: the promise of the caller.
    let Some(found) = (unsafe { descriptor.as_ref() }) else {
        return Err("a type is missing".to_string());
    };
    // SAFETY: the promise of the caller.
    let mut name = unsafe { text(found.name) };
    let mut number = u32::try_from(found.kind).unwrap_or(0);
    if number == STREAM {
        // Whatever the program calls it.
        number = Kind::Pointer as u32;
        if name != types::MPI_FILE_TYPE {
            name = types::STREAM_TYPE.to_string();
        }
    }
    if number == OPTIONAL {
        number = Kind::Pointer as u32;
        types.add_handle(&name);
    }
    let refuse = |reason: &str| format!("the type {name} {reason}");
    let kind = Kind::from_number(number);
    let kind = kind.ok_or_else(|| refuse("has a kind that does not exist"))?;
    if depth > DEEPEST {
        return Err(refuse("contains itself"));
    }
    let mut members = Vec::new();
    if kind == Kind::Struct {
        // SAFETY: the promise of the caller.
        for member in unsafe { table(found.members, found.member_count) } {
            // SAFETY: the promise of the caller.
            let type_index = unsafe { read_type(types, member.kind, depth + 1) }?;
            let part = types.get(type_index).map(|part| part.kind);
            // SAFETY: the promise of the caller: a mask is as large as the struct.
            let mask = (!member.mask.is_null()).then(|| unsafe {
                std::slice::from_raw_parts(member.mask.cast::<u8>(), found.size as usize)
            });
            let bits = match mask {
                None => None,
                Some(mask) => {
                    let signed = part.is_some_and(Kind::is_signed);
                    let bits = BitField::from_mask(mask, cfg!(target_endian = "big"), signed);
                    Some(bits.ok_or_else(|| refuse("has a bit-field with an impossible mask"))?)
                }
            };
            members.push(Member {
                // SAFETY: the promise of the caller.
                name: unsafe { text(member.name) },
                type_index,
                // A bit-field says by its bits where it is.
                offset: match bits {
                    Some(_) => 0,
                    None => member.offset as usize as u64,
                },
                count: member.count,
                bits,
            });
        }
    }
    let made = Type {
        name,
        kind,
        size: found.size as usize as u64,
        members,
    };
    let mut all = types.types().to_vec();
    all.push(made.clone());
    types::check(&all, types.machine()).map_err(|error| error.to_string())?;
    if kind == Kind::Pointer {
        // SAFETY: the promise of the caller.
        let leads = unsafe { table(found.members, found.member_count) };
        if !leads.is_empty() {
            // SAFETY: the promise of the caller.
            return Ok(unsafe { read_pointer(types, descriptor, made, leads) });
        }
    }
    Ok(types.add(descriptor as usize, made))
}

/// What the precompiler says about a function; also learns the names of functions whose address it takes.
///
/// # Safety
///
/// `descriptor` is NULL or a `cccp_function` as cccp.h says.
pub unsafe fn function(
    known: Known<'_>,
    descriptor: *const mirror::Function,
) -> Result<Rc<Function>, String> {
    if let Some(function) = known.functions.get(&(descriptor as usize)) {
        return Ok(Rc::clone(function));
    }
    // SAFETY: the promise of the caller.
    let Some(found) = (unsafe { descriptor.as_ref() }) else {
        return Err("a frame has no function".to_string());
    };
    // SAFETY: the promise of the caller, for every table of the function.
    let function = unsafe {
        for name in table(found.names, found.name_count) {
            let address = name.address as usize;
            known.names.insert(address, text(name.name));
        }
        let types = known.types;
        let mut blocks = Vec::new();
        for found in table(found.blocks, found.block_count) {
            blocks.push(block(types, found)?);
        }
        let loops = table(found.loops, found.loop_count).iter().map(|one| Loop {
            parent: usize::try_from(one.parent).unwrap_or(0),
            counter: usize::try_from(one.counter).ok(),
            prunable: one.prunable != 0,
        });
        let mut items = Vec::new();
        for found in table(found.items, found.item_count) {
            items.push(item(types, found)?);
        }
        Function {
            name: text(found.name),
            file: text(found.file),
            line: number(found.line),
            fingerprint: found.fingerprint,
            blocks,
            loops: loops.collect(),
            items,
            parameters: fields(types, found.parameters, found.parameter_count)?,
            arguments_size: found.arguments_size as usize,
            counters: usize::try_from(found.counter_count).unwrap_or(0),
        }
    };
    let function = Rc::new(function);
    known
        .functions
        .insert(descriptor as usize, Rc::clone(&function));
    Ok(function)
}

/// `CCCP_BLOCK_EXECUTE_EACH`. In programs only, not in checkpoints.
const EXECUTE_EACH: c_int = 8;

unsafe fn block(types: &mut TypeTable, found: &mirror::Block) -> Result<Block, String> {
    let kind = match found.kind {
        1 => BlockKind::Init,
        2 => BlockKind::Register,
        3 | EXECUTE_EACH => BlockKind::Execute,
        4 => BlockKind::Call,
        5 => BlockKind::Region,
        6 => BlockKind::Checkpoint,
        7 => BlockKind::Parallel,
        other => return Err(format!("there is no kind {other} of blocks")),
    };
    // SAFETY: the promise of the caller.
    let (name, fields, ranks, threads) = unsafe {
        (
            text(found.name),
            fields(types, found.values, found.value_count)?,
            text(found.ranks),
            text(found.threads),
        )
    };
    let ranks = match found.ranks.is_null() {
        true => None,
        false => Some(RankSet::read(&ranks)?),
    };
    Ok(Block {
        kind,
        line: number(found.line),
        in_loop: usize::try_from(found.in_loop).unwrap_or(0),
        region: number(found.region),
        name: (!found.name.is_null()).then_some(name),
        each: found.kind == EXECUTE_EACH,
        fields,
        record_size: found.record_size as usize,
        passed: found.passed,
        ranks,
        threads: (!found.threads.is_null()).then_some(threads),
    })
}

unsafe fn item(types: &mut TypeTable, found: &mirror::Item) -> Result<Item, String> {
    // SAFETY: the promise of the caller.
    let (name, type_index, extents) = unsafe {
        let kind = match found.kind.is_null() {
            true => None,
            false => Some(type_index(types, found.kind)?),
        };
        let extent = |one: &mirror::Extent| PlannedExtent {
            text: text(one.text),
            value: (one.constant != 0).then_some(one.value),
        };
        let extents = table(found.extents, found.rank.saturating_add(1));
        (text(found.name), kind, extents.iter().map(extent))
    };
    let mut extents = extents;
    Ok(Item {
        name,
        line: number(found.line),
        flags: number(found.flags) & REGISTER_FLAGS,
        block: number(found.block),
        type_index,
        first: extents.next().unwrap_or_default(),
        extents: extents.collect(),
        sized: found.sized != 0,
        holds: match found.holds {
            0 => Holds::Unknown,
            HOLDS_BLOCK => Holds::Block,
            elements => Holds::Elements(elements),
        },
        unset_pointer: number(found.flags) & UNSET_POINTER != 0,
    })
}

unsafe fn fields(
    types: &mut TypeTable,
    first: *const mirror::Value,
    count: c_int,
) -> Result<Vec<Field>, String> {
    // SAFETY: the promise of the caller.
    unsafe {
        let one = |value: &mirror::Value| {
            Ok(Field {
                name: text(value.name),
                type_index: type_index(types, value.kind)?,
                offset: value.offset as usize,
                read_by_blocks: value.flags & READ_BY_BLOCKS != 0,
                unread: value.flags & UNREAD != 0,
            })
        };
        table(first, count).iter().map(one).collect()
    }
}

fn number(value: c_int) -> u32 {
    u32::try_from(value).unwrap_or(0)
}
