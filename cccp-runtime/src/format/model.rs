//! What a checkpoint file says, as plain data.
//!
//! The writer is handed a [`Checkpoint`]; the reader gives one back whose register data are still in the file.
//! Nothing here knows about the running program: a pointer is a [`PointerValue`], a type is an index into
//! [`Checkpoint::types`], a function an index into [`Checkpoint::functions`]. The numbers of the enums are those on
//! disk (FORMAT.md) and never change.
//!
//! The trace is a list of nodes that refer to each other by index, not a tree of boxes: a program that recurses a
//! hundred thousand calls deep must not overflow the stack of the library that saves it.
//!
//! Not here: what the program's text says (`plan`), bytes (`write`, `read`), values (`encode`, `decode`), types (`types`).

use super::plan::Plan;
use super::types::{Layout, Machine, Type};

/// Everything one rank saves in one generation.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// Who wrote it, when and where.
    pub header: Header,
    /// All types that registers and values refer to; a struct stands after the types of its members.
    pub types: Vec<Type>,
    /// The functions that the trace and the registers refer to.
    pub functions: Vec<Function>,
    /// What the program's text says about each function, in the same order; empty when that is not known.
    pub plans: Vec<Plan>,
    /// What ran on the way.
    pub trace: Trace,
    /// The registers, grouped by the checkpoint interval in which they were made.
    pub sections: Vec<Section>,
}

impl Checkpoint {
    /// Its types on the machine that wrote it.
    pub fn layout(&self) -> Layout<'_> {
        Layout {
            types: &self.types,
            machine: &self.header.machine,
        }
    }
}

/// Who wrote the file, when and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The program's name, without its directory.
    pub program: String,
    /// Of the build of the program: its code and constants.
    pub fingerprint: u64,
    /// The program's arguments after the library took its own, the program's name not included.
    pub arguments: Vec<Vec<u8>>,
    /// Which process of the job, from 0.
    pub rank: u32,
    /// How many processes the job has.
    pub size: u32,
    /// Counts the checkpoints of the job, from 1.
    pub generation: u64,
    /// Seconds since 1970-01-01 00:00 UTC.
    pub time: u64,
    /// Byte order and sizes of the writer.
    pub machine: Machine,
    /// How values are stored.
    pub encoding: Encoding,
    /// Where the checkpoint was taken.
    pub site: Site,
}

/// How values are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Encoding {
    /// RFC 4506: the same bytes from every machine.
    Xdr = 1,
    /// The writer's memory as it was; readable elsewhere because the types carry offsets.
    Native = 2,
}

impl Encoding {
    /// All of them, in the order of their numbers. The match makes the compiler ask here for a new one.
    pub const ALL: [Encoding; 2] = match Encoding::Xdr {
        Encoding::Xdr | Encoding::Native => [Encoding::Xdr, Encoding::Native],
    };

    /// The one with this number on disk.
    pub fn from_number(number: u32) -> Option<Encoding> {
        Encoding::ALL.into_iter().find(|one| *one as u32 == number)
    }

    /// Its word in settings and tools.
    pub fn word(self) -> &'static str {
        match self {
            Encoding::Xdr => "xdr",
            Encoding::Native => "native",
        }
    }

    /// Whether the data are the writer's memory with its pointers behind it, not one value after the other.
    pub(super) fn is_memory(self) -> bool {
        match self {
            Encoding::Xdr => false,
            Encoding::Native => true,
        }
    }
}

/// A place in the program's text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Site {
    /// Name of the function.
    pub function: String,
    /// Line in the user's file.
    pub line: u32,
    /// What the directive's `name` clause says.
    pub name: Option<String>,
}

/// A function that the trace or a register refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// As in the source.
    pub name: String,
    /// The user's file.
    pub file: String,
    /// Line of its definition.
    pub line: u32,
    /// Of its blocks, items and parameters.
    pub fingerprint: u64,
}

/// What ran on the way, as a forest of activations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// Every node is referred to exactly once, by `roots` or by a [`Payload::Call`] of a node before it.
    pub nodes: Vec<Node>,
    /// The nodes that no precompiled function called, in the order of time.
    pub roots: Vec<u32>,
}

/// One activation of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Index into [`Checkpoint::functions`].
    pub function: u32,
    /// The parameters as they were at entry.
    pub arguments: Vec<Value>,
    /// What ran in it, in the order of time.
    pub entries: Vec<Entry>,
    /// Index of the entry (a call or the checkpoint) that was in progress; none when the activation had returned.
    pub active: Option<u32>,
}

impl Node {
    /// It is no activation: it holds the items that its function has from `init` on, which belong to no block.
    pub fn is_residence(&self) -> bool {
        self.active.is_none() && self.entries.iter().any(|entry| entry.block == 0)
    }
}

/// One execution of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Position in the order of time.
    pub sequence: u64,
    /// Number of the block, from 1; 0 for items that belong to none.
    pub block: u32,
    /// Superseded while its loop is running: on the way again only when the loop has ended.
    pub dormant: bool,
    /// All loop counters of the frame when the block ran.
    pub instances: Vec<u64>,
    /// Sequence number of the region entry it lies in.
    pub region: Option<u64>,
    /// What kind of block, and what it needs when it runs again.
    pub payload: Payload,
}

/// What a block needs when it runs again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Payload {
    /// The items it registered.
    Register(Vec<RegisterLink>),
    /// The values that an `execute on restart` block read.
    Execute(Vec<Value>),
    /// The values that a declaration read.
    Region(Vec<Value>),
    /// Index of the callee's node in [`Trace::nodes`], larger than that of the caller's.
    Call(u32),
    /// Where the checkpoint was taken.
    Checkpoint,
}

/// An item of a register block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegisterLink {
    /// Number of the item in its function, from 0.
    pub item: u32,
    /// Identifier of the register; none when it has no data (dormant, unregistered).
    pub register: Option<u64>,
}

/// A value that the trace keeps: one element of a type, encoded as registers are, pointers included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// Of the parameter or local.
    pub name: String,
    /// Index into [`Checkpoint::types`].
    pub type_index: u32,
    /// As `encode` gave it.
    pub data: Vec<u8>,
}

/// The registers made between two checkpoints.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// Number of checkpoints taken before the registers were made.
    pub number: u64,
    /// In the order in which they were registered.
    pub registers: Vec<Register>,
}

/// An item with its type and data.
#[derive(Clone, Debug, PartialEq)]
pub struct Register {
    /// Unique in the file.
    pub id: u64,
    /// Of the item as the user wrote it.
    pub name: String,
    /// Index into [`Checkpoint::functions`]: the one that registered it.
    pub function: u32,
    /// Line of the directive.
    pub line: u32,
    /// Where the first element lay in the writer's memory.
    pub address: u64,
    /// Bytes per element in the writer's memory.
    pub element_size: u64,
    /// How many elements.
    pub elements: u64,
    /// Row-major extents, empty for a single object; their product is `elements`.
    pub extents: Vec<u64>,
    /// How many elements lie between the pointer and the first one saved (`p[lo:n]`).
    pub first: u64,
    /// Index into [`Checkpoint::types`]: the type of one element.
    pub type_index: u32,
    /// `CCCP_ITEM_…` of cccp.h: some of [`REGISTER_FLAGS`].
    pub flags: u32,
    /// The values.
    pub data: Data,
}

impl Register {
    /// The pointer of an item with so many extents was NULL: it has no elements, and a 0 before its own extents.
    pub fn is_null(&self, extents: usize) -> bool {
        self.flags & BEHIND != 0
            && (self.address, self.extents.len()) == (0, extents + 1)
            && self.extents[0] == 0
    }
}

/// The flag of a register whose elements lie behind a pointer.
pub const BEHIND: u32 = 1;

/// All flags that a register may have.
pub const REGISTER_FLAGS: u32 = 31 | 32 | 64 | 128 | 256 | FILE;

/// The flag of a register whose numbers are descriptors of open files.
pub const FILE: u32 = 512;

/// The flag of a register that is no item of the program: the library keeps it for the program.
pub const LIBRARY: u32 = 16;

/// Where the values of a register are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Data {
    /// In memory, as `encode` gave them.
    Encoded(Vec<u8>),
    /// In the file that was read: `File::load` gets them.
    InFile {
        /// Offset of the first chunk.
        offset: u64,
        /// Bytes in the file, frames included.
        stored: u64,
        /// Bytes of the encoded values.
        length: u64,
        /// Whether any chunk is compressed.
        compressed: bool,
        /// CRC-32 of the bytes in the file.
        checksum: u32,
    },
}

/// A pointer, as something that means the same in another process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PointerValue {
    /// NULL.
    Null,
    /// Into (or one past the end of) a register.
    Register {
        /// Identifier of the register.
        id: u64,
        /// Which element; the number of elements for the end.
        element: u64,
        /// Which scalar of the element, counted as `types::leaf_at` does.
        leaf: u64,
        /// Which byte of that scalar.
        byte: u64,
    },
    /// Into a string of `argv`.
    Argument {
        /// Index into [`Header::arguments`] plus 1; 0 is the program's name.
        index: u32,
        /// Byte of the string.
        offset: u64,
    },
    /// A function, by name.
    Function {
        /// Its name.
        name: String,
    },
    /// Read-only data of the program (a string literal), meaningful in the same build only.
    Image {
        /// From the start of the loaded program.
        offset: u64,
    },
    /// Leads to nothing the checkpoint knows.
    Unresolved {
        /// The writer's address; negative [numbers](PointerValue::number) as 64 bits.
        address: u64,
    },
}

/// The address of what a program has released: no process has memory there.
const RELEASED: u64 = 1 << 63;

/// Where no process has memory: below this address, and as far from the other end.
const NUMBERS: u64 = 1 << 16;

impl PointerValue {
    /// A pointer that points to nothing known.
    pub fn unresolved(address: usize) -> PointerValue {
        let signed = (address as isize as i64) as u64;
        let number = PointerValue::Unresolved { address: signed };
        match number.number() {
            Some(_) => number,
            None => PointerValue::Unresolved {
                address: address as u64,
            },
        }
    }

    /// A pointer to memory that the program has released: to use it is an error in an undisturbed run, too.
    pub fn released() -> PointerValue {
        PointerValue::Unresolved { address: RELEASED }
    }

    /// Whether it is such a pointer.
    pub fn is_released(&self) -> bool {
        matches!(self, PointerValue::Unresolved { address: RELEASED })
    }

    /// The number that it is, as in `(void *)-1`, `MAP_FAILED`, `(struct node *)1`: no memory can be there, so it means the
    /// same everywhere.
    pub fn number(&self) -> Option<i64> {
        match self {
            PointerValue::Unresolved { address } => {
                let number = *address as i64;
                (number.unsigned_abs() < NUMBERS).then_some(number)
            }
            _ => None,
        }
    }
}
