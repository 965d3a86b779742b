//! What the text of a program says about its functions: blocks, loops, items, parameters.
//!
//! A checkpoint carries the plans of its functions, so that another build of the program can say what has changed, in
//! names and lines, and find its blocks and items again. Here are the plain data and their bytes. The numbers are those
//! on disk (FORMAT.md) and those of cccp.h.
//!
//! Not here: comparing two plans (`restore`).

use super::FormatError;
use super::model::REGISTER_FLAGS;
use super::trace::optional;
use super::wire::{Cursor, put_bytes, put_list, put_u32, put_u64};

/// What the text says about a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Block 1 stands at index 0.
    pub blocks: Vec<PlannedBlock>,
    /// Loop 1 stands at index 0.
    pub loops: Vec<PlannedLoop>,
    /// What the register directives name.
    pub items: Vec<PlannedItem>,
    /// Its parameters.
    pub parameters: Vec<PlannedField>,
}

/// Kinds of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum BlockKind {
    /// The directive `init`.
    Init = 1,
    /// A register directive.
    Register = 2,
    /// An execute-on-restart block.
    Execute = 3,
    /// A call of a client function.
    Call = 4,
    /// A declaration that must be executed to be entered.
    Region = 5,
    /// A checkpoint.
    Checkpoint = 6,
    /// A parallel region of OpenMP with blocks in it.
    Parallel = 7,
}

impl BlockKind {
    /// All kinds in the order of their numbers.
    pub const ALL: [BlockKind; 7] = [
        BlockKind::Init,
        BlockKind::Register,
        BlockKind::Execute,
        BlockKind::Call,
        BlockKind::Region,
        BlockKind::Checkpoint,
        BlockKind::Parallel,
    ];

    /// The kind with this number on disk and in cccp.h.
    pub fn from_number(number: u32) -> Option<BlockKind> {
        BlockKind::ALL
            .get((number as usize).checked_sub(1)?)
            .copied()
    }
}

/// A block of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedBlock {
    /// What it is.
    pub kind: BlockKind,
    /// Line in the user's file.
    pub line: u32,
    /// Innermost loop around it, from 1; 0 for none.
    pub in_loop: u32,
    /// Innermost region block it lies in; 0 for none.
    pub region: u32,
    /// Callee, or the name of the checkpoint.
    pub name: Option<String>,
    /// Bit per argument that the program evaluates anew on restart.
    pub passed: u64,
    /// What it reads.
    pub values: Vec<PlannedField>,
}

/// A loop that contains blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlannedLoop {
    /// The loop around it, from 1; 0 for none.
    pub parent: u32,
    /// Which of an entry's instances counts how often it was entered.
    pub counter: Option<u32>,
    /// No checkpoint can follow its end.
    pub prunable: bool,
}

/// What a register directive names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedItem {
    /// As the user wrote it, without extents.
    pub name: String,
    /// Line of the directive.
    pub line: u32,
    /// `CCCP_ITEM_…`.
    pub flags: u32,
    /// The register block it belongs to; 0 when that is not known.
    pub block: u32,
    /// Type of one element.
    pub type_index: Option<u32>,
    /// Elements skipped at the start.
    pub first: PlannedExtent,
    /// Row-major; empty for a single object.
    pub extents: Vec<PlannedExtent>,
}

/// A number of elements.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlannedExtent {
    /// As the program spells it.
    pub text: String,
    /// When it is a constant.
    pub value: Option<u64>,
}

/// A parameter, or a local that a block reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedField {
    /// Its name.
    pub name: String,
    /// Index into the types.
    pub type_index: u32,
    /// `CCCP_VALUE_…`.
    pub flags: u32,
}

/// The bits of [`PlannedField::flags`].
const FIELD_FLAGS: u32 = 1;

impl Plan {
    /// Keeps the flags of this version. Whether there were others.
    pub(super) fn forget_unknown_flags(&mut self) -> bool {
        let read = self.blocks.iter_mut().flat_map(|block| &mut block.values);
        let fields = self.parameters.iter_mut().chain(read);
        let fields = fields.map(|field| (&mut field.flags, FIELD_FLAGS));
        let items = self.items.iter_mut();
        let items = items.map(|item| (&mut item.flags, REGISTER_FLAGS));
        let mut others = false;
        for (flags, known) in items.chain(fields) {
            others |= *flags & !known != 0;
            *flags &= known;
        }
        others
    }
}

pub(super) fn put_plan(plan: &Plan, out: &mut Vec<u8>) {
    put_list(&plan.blocks, out, |block, out| {
        put_u32(block.kind as u32, out);
        put_u32(block.line, out);
        put_u32(block.in_loop, out);
        put_u32(block.region, out);
        put_list(block.name.as_slice(), out, |name, out| {
            put_bytes(name.as_bytes(), out)
        });
        put_u64(block.passed, out);
        put_list(&block.values, out, put_field);
    });
    put_list(&plan.loops, out, |one, out| {
        put_u32(one.parent, out);
        put_list(one.counter.as_slice(), out, |counter, out| {
            put_u32(*counter, out)
        });
        put_u32(u32::from(one.prunable), out);
    });
    put_list(&plan.items, out, |item, out| {
        put_bytes(item.name.as_bytes(), out);
        put_u32(item.line, out);
        put_u32(item.flags, out);
        put_u32(item.block, out);
        put_list(item.type_index.as_slice(), out, |index, out| {
            put_u32(*index, out)
        });
        put_extent(&item.first, out);
        put_list(&item.extents, out, put_extent);
    });
    put_list(&plan.parameters, out, put_field);
}

pub(super) fn get_plan(from: &mut Cursor) -> Result<Plan, FormatError> {
    Ok(Plan {
        blocks: from.list(|from| {
            Ok(PlannedBlock {
                kind: {
                    let number = from.u32()?;
                    BlockKind::from_number(number)
                        .ok_or_else(|| from.damaged(format!("{number} is no kind of block")))?
                },
                line: from.u32()?,
                in_loop: from.u32()?,
                region: from.u32()?,
                name: optional(from, |from| from.string())?,
                passed: from.u64()?,
                values: from.list(get_field)?,
            })
        })?,
        loops: from.list(|from| {
            Ok(PlannedLoop {
                parent: from.u32()?,
                counter: optional(from, Cursor::u32)?,
                prunable: from.flag()?,
            })
        })?,
        items: from.list(|from| {
            Ok(PlannedItem {
                name: from.string()?,
                line: from.u32()?,
                flags: from.u32()?,
                block: from.u32()?,
                type_index: optional(from, Cursor::u32)?,
                first: get_extent(from)?,
                extents: from.list(get_extent)?,
            })
        })?,
        parameters: from.list(get_field)?,
    })
}

fn put_extent(extent: &PlannedExtent, out: &mut Vec<u8>) {
    put_bytes(extent.text.as_bytes(), out);
    put_list(extent.value.as_slice(), out, |value, out| {
        put_u64(*value, out)
    });
}

fn get_extent(from: &mut Cursor) -> Result<PlannedExtent, FormatError> {
    Ok(PlannedExtent {
        text: from.string()?,
        value: optional(from, Cursor::u64)?,
    })
}

fn put_field(field: &PlannedField, out: &mut Vec<u8>) {
    put_bytes(field.name.as_bytes(), out);
    put_u32(field.type_index, out);
    put_u32(field.flags, out);
}

fn get_field(from: &mut Cursor) -> Result<PlannedField, FormatError> {
    Ok(PlannedField {
        name: from.string()?,
        type_index: from.u32()?,
        flags: from.u32()?,
    })
}

/// The plans must fit the functions, and their numbers the tables they speak about.
pub(super) fn check(plans: &[Plan], functions: usize, types: usize) -> Result<(), String> {
    if !plans.is_empty() && plans.len() != functions {
        return Err(format!("{} plans for {functions} functions", plans.len()));
    }
    for (index, plan) in plans.iter().enumerate() {
        check_plan(plan, types).map_err(|reason| format!("plan {index}: {reason}"))?;
    }
    Ok(())
}

fn check_plan(plan: &Plan, types: usize) -> Result<(), &'static str> {
    let typed = |index: u32| (index as usize) < types;
    let looped = |number: u32| number as usize <= plan.loops.len();
    let blocked = |number: u32| number as usize <= plan.blocks.len();
    let fields = |fields: &[PlannedField]| fields.iter().all(|field| typed(field.type_index));
    // What lies around something stands before it: whoever walks outwards arrives.
    for (index, block) in plan.blocks.iter().enumerate() {
        if !looped(block.in_loop) || block.region as usize > index || !fields(&block.values) {
            return Err("a block refers to something that is not there");
        }
    }
    for (index, one) in plan.loops.iter().enumerate() {
        if one.parent as usize > index {
            return Err("a loop lies in one that is not there");
        }
    }
    for item in &plan.items {
        if !blocked(item.block) || item.type_index.is_some_and(|index| !typed(index)) {
            return Err("an item refers to something that is not there");
        }
    }
    match fields(&plan.parameters) {
        true => Ok(()),
        false => Err("a parameter has a type that is not there"),
    }
}
