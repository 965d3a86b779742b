//! What the precompiler says about a client function, as plain data.
//!
//! In: the tables of cccp.h (read by `ffi`). Out: the same in words of this library, with types as indices into the
//! session's type table. Numbers of blocks, loops and regions count from 1 as in cccp.h, 0 means none; items and
//! parameters count from 0.

use super::ranks::RankSet;
pub use crate::format::BlockKind;
use crate::format::{Plan, PlannedBlock, PlannedExtent, PlannedField, PlannedItem, PlannedLoop};

/// A scalar that the trace keeps, in a record of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name in the program.
    pub name: String,
    /// Index into the session's types.
    pub type_index: u32,
    /// Bytes from the start of the record.
    pub offset: usize,
    /// A block reads it, so that even a call that has returned needs it.
    pub read_by_blocks: bool,
    /// Nobody reads it after a restart.
    pub unread: bool,
}

/// A restart-relevant block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// Line in the user's file.
    pub line: u32,
    /// Innermost loop around it.
    pub in_loop: usize,
    /// Innermost region it lies in.
    pub region: u32,
    /// Callee, or the name of the checkpoint.
    pub name: Option<String>,
    /// What an execute or region block reads.
    pub fields: Vec<Field>,
    /// Bytes of the record with these.
    pub record_size: usize,
    /// Bit per argument that the program evaluates anew on restart.
    pub passed: u64,
    /// EXECUTE: no execution supersedes an earlier one.
    pub each: bool,
    /// CHECKPOINT: the numbers of ranks with which it is taken; none: all.
    pub ranks: Option<RankSet>,
    /// CHECKPOINT: why a restart has the number of threads that is saved; empty: it may have another one; none: that is not known.
    pub threads: Option<String>,
}

/// A loop that contains blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The enclosing loop.
    pub parent: usize,
    /// Which counter of the frame counts its instances; none when it is entered once per activation.
    pub counter: Option<usize>,
    /// No checkpoint can follow its end.
    pub prunable: bool,
}

/// What a register directive names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// As the user wrote it, without extents.
    pub name: String,
    /// Line of the directive.
    pub line: u32,
    /// `CCCP_ITEM_…`.
    pub flags: u32,
    /// The register block it belongs to; 0 when that is not known.
    pub block: u32,
    /// Type of one element, when it is known before the directive runs.
    pub type_index: Option<u32>,
    /// Elements skipped at the start.
    pub first: PlannedExtent,
    /// Row-major.
    pub extents: Vec<PlannedExtent>,
    /// The extents are handed over on restart too.
    pub sized: bool,
    /// How much memory there is for it.
    pub holds: Holds,
    /// What its pointer holds on a restart was on the stack before.
    pub unset_pointer: bool,
}

/// How much memory an item has, as far as the precompiler knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Holds {
    /// Not known.
    #[default]
    Unknown,
    /// So many elements.
    Elements(u64),
    /// Its pointer is NULL or points to the beginning of an allocated block.
    Block,
}

/// The item is the memory behind the pointer at the address handed over.
pub const BEHIND: u32 = 1;
/// The object ends with the activation; with [`INDIRECT`] only a local pointer points to it, which ends.
pub const LOCAL: u32 = 2;
/// The pointer ends with the activation, the memory does not.
pub const LOCAL_POINTER: u32 = 4;
/// What the pointer holds on a restart was on the stack before. In programs only, not in checkpoints.
pub const UNSET_POINTER: u32 = 1024;
/// The object lies in memory that a pointer points to.
pub const INDIRECT: u32 = 8;
/// The elements are those of allocated blocks that an item brought, one after the other.
pub const HEAP: u32 = 32;
/// The item is a pointer and the block that it leads to.
pub const WHOLE: u32 = 64;
/// The item is an object and everything that can be reached from it.
pub const FOLLOW: u32 = 128;
/// How many elements each block of the next register has.
pub const BLOCKS: u32 = 256;

/// A client function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Function {
    /// As in the source.
    pub name: String,
    /// The user's file.
    pub file: String,
    /// Line of its definition.
    pub line: u32,
    /// Of blocks, items and parameters.
    pub fingerprint: u64,
    /// Block 1 stands at index 0.
    pub blocks: Vec<Block>,
    /// Loop 1 stands at index 0.
    pub loops: Vec<Loop>,
    /// Items.
    pub items: Vec<Item>,
    /// Parameters.
    pub parameters: Vec<Field>,
    /// Bytes of the record with the parameters.
    pub arguments_size: usize,
    /// How many counters a frame has.
    pub counters: usize,
}

impl Field {
    fn planned(&self) -> PlannedField {
        PlannedField {
            name: self.name.clone(),
            type_index: self.type_index,
            flags: u32::from(self.read_by_blocks),
        }
    }
}

impl Function {
    /// What a checkpoint keeps of it.
    pub fn plan(&self) -> Plan {
        let block = |one: &Block| PlannedBlock {
            kind: one.kind,
            line: one.line,
            in_loop: one.in_loop as u32,
            region: one.region,
            name: one.name.clone(),
            passed: one.passed,
            values: one.fields.iter().map(Field::planned).collect(),
        };
        let looped = |one: &Loop| PlannedLoop {
            parent: one.parent as u32,
            counter: one.counter.map(|counter| counter as u32),
            prunable: one.prunable,
        };
        let item = |one: &Item| PlannedItem {
            name: one.name.clone(),
            line: one.line,
            flags: one.flags,
            block: one.block,
            type_index: one.type_index,
            first: one.first.clone(),
            extents: one.extents.clone(),
        };
        Plan {
            blocks: self.blocks.iter().map(block).collect(),
            loops: self.loops.iter().map(looped).collect(),
            items: self.items.iter().map(item).collect(),
            parameters: self.parameters.iter().map(Field::planned).collect(),
        }
    }

    /// The block with this number.
    pub fn block(&self, number: u32) -> Option<&Block> {
        self.blocks.get((number as usize).wrapping_sub(1))
    }

    /// The loops around a block, the outermost first.
    pub fn path(&self, block: u32) -> Vec<usize> {
        let mut path = Vec::new();
        let mut number = self.block(block).map_or(0, |block| block.in_loop);
        while let Some(found) = self.loops.get(number.wrapping_sub(1)) {
            // A table with a cycle would be a defect of the precompiler; it must not hang the program.
            if path.len() > self.loops.len() {
                break;
            }
            path.push(number);
            number = found.parent;
        }
        path.reverse();
        path
    }

    /// Of an execution of a parallel block: which thread it is.
    pub fn thread(&self, counters: &[u64]) -> Option<u64> {
        self.thread_of_team(counters).map(|(number, _)| number)
    }

    /// The same, and of how many. Both stand behind the counters.
    pub fn thread_of_team(&self, counters: &[u64]) -> Option<(u64, u64)> {
        match counters.get(self.counters..)? {
            &[number, threads] => Some((number, threads)),
            _ => None,
        }
    }

    /// Which instance of a loop these counters speak about.
    pub fn instance(&self, number: usize, counters: &[u64]) -> u64 {
        self.loops
            .get(number.wrapping_sub(1))
            .and_then(|found| found.counter)
            .and_then(|counter| counters.get(counter))
            .copied()
            .unwrap_or(0)
    }
}
