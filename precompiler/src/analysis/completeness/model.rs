//! What the check finds out, as plain data.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::allocators::FixedHeap;
use crate::analysis::liveness::{Liveness, Witness};
use crate::analysis::memory::{CellId, CellSet, ObjectId};
use crate::analysis::origins::{Origin, Origins};
use crate::dataflow::steps::{RoutineId, TextPlace, VariableId};
use crate::program::{DirectiveId, StatementId};

/// A directive of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DirectivePlace {
    /// Index of the unit.
    pub unit: usize,
    /// The directive there.
    pub id: DirectiveId,
}

/// An item of a register directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ItemPlaceInProgram {
    /// The directive.
    pub directive: DirectivePlace,
    /// Position in its list, from 0.
    pub index: usize,
}

/// The answer for the whole program.
#[derive(Clone, Debug, Default)]
pub struct Completeness {
    /// One per checkpoint that a run can reach, in the order of the files and their texts.
    pub checkpoints: Vec<CheckpointCheck>,
    /// One per item of a register directive, in the same order.
    pub items: Vec<ItemCheck>,
    /// Blocks that are executed on restart, in the same order.
    pub blocks: Vec<BlockCheck>,
    /// Code that is not among the files given can hold or change anything; what is said is about what can be seen.
    pub has_unseen_code: bool,
    /// What lies at the same address in every process.
    pub fixed_heap: FixedHeap,
    /// What holds descriptors of open files, and other values that mean something to a library or the system only.
    pub origins: Origins,
    /// Allocated memory that pointers to handles lead to, and what these are called.
    pub of_handles: BTreeMap<CellId, String>,
    /// Handles that some runs never make: items save them as they are, and the run looks whether they are NULL.
    pub optional: CellSet,
    /// The check was given up, and why: then nothing else is said.
    pub unfinished: Option<String>,
}

/// What a block that is executed on restart reads although nothing has brought it back by then, or not as it was.
#[derive(Clone, Debug)]
pub struct BlockCheck {
    /// The directive with which it begins.
    pub directive: DirectivePlace,
    /// What it reads, as in a register directive, and where.
    pub missing: Vec<(String, TextPlace)>,
    /// The cells of these.
    pub cells: BTreeSet<CellId>,
    /// Of these names, those that a register before the block restores too late: where it ends with its function before a checkpoint,
    /// comes again behind the block, or another directive takes its place.
    pub late: BTreeSet<String>,
    /// Of these cells, variables of the program that nothing changes behind the block: a register before it would do.
    pub steady: BTreeSet<CellId>,
    /// Of these cells, pointers to blocks of a fixed heap: they mean the same in every process.
    pub to_fixed_heap: BTreeSet<CellId>,
    /// Local pointers that it reads, which lead to allocated memory that nothing brings back, or to variables without a register by
    /// then: the run would take no checkpoint, or a restart stop.
    pub without_memory: BTreeSet<CellId>,
    /// Local pointers that it reads, which surely lead to what has no register by then: the trace does not know what they point to.
    pub nowhere: BTreeSet<CellId>,
    /// What it reads that a register has restored as it was later, where, and where it was changed.
    pub later: Vec<(String, TextPlace, TextPlace)>,
    /// What it reads that a block has set in an earlier pass of a loop around a checkpoint, of which only the latest execution runs again;
    /// where, and where it was set.
    pub superseded: Vec<(String, TextPlace, TextPlace)>,
    /// Pointers that it sets and blocks read, although an earlier register sets them back: where they are read, and the register.
    pub set_back: Vec<(String, TextPlace, TextPlace)>,
}

impl BlockCheck {
    /// Of a block that reads nothing which is not there.
    pub fn silent(directive: DirectivePlace) -> BlockCheck {
        BlockCheck {
            directive,
            missing: Vec::new(),
            cells: BTreeSet::new(),
            late: BTreeSet::new(),
            steady: BTreeSet::new(),
            to_fixed_heap: BTreeSet::new(),
            without_memory: BTreeSet::new(),
            nowhere: BTreeSet::new(),
            later: Vec::new(),
            superseded: Vec::new(),
            set_back: Vec::new(),
        }
    }
}

/// What is live at a checkpoint, and what a restart does about it.
#[derive(Clone, Debug)]
pub struct CheckpointCheck {
    /// The checkpoint.
    pub directive: DirectivePlace,
    /// The function it stands in.
    pub routine: RoutineId,
    /// Live locations, each as large as what a user can register as one item.
    pub locations: Vec<LiveLocation>,
    /// Locals on the stack to which pointers lead that a restarted program may use.
    pub pointed: Vec<StackLocal>,
    /// States of libraries that are live and changed by code that does not run again.
    pub states: Vec<CellId>,
}

/// A local of an activation that is on the stack at a checkpoint, to which pointers may lead.
#[derive(Clone, Debug)]
pub struct StackLocal {
    /// The local.
    pub variable: VariableId,
    /// The call in its function that leads to the checkpoint; none in the function of the checkpoint itself.
    pub call: Option<TextPlace>,
    /// A register covers it on every way: pointers to it come back.
    pub is_registered: bool,
    /// Where a register of it can stand.
    pub site: Option<Site>,
}

/// Something that a restarted program may read: a variable, a member, the memory behind a pointer.
#[derive(Clone, Debug)]
pub struct LiveLocation {
    /// As the user would write it in a register directive, where that is possible: `n`, `s->count`, `u[…]`.
    pub name: String,
    /// The variable with which the name begins: others may have the same name.
    pub root: Option<VariableId>,
    /// The live cells it stands for.
    pub cells: Vec<CellId>,
    /// The function on the way to the checkpoint in whose activation it lives; none for globals, statics, the heap.
    pub frame: Option<RoutineId>,
    /// The call in that function that leads to the checkpoint; none in the function of the checkpoint itself.
    pub call: Option<TextPlace>,
    /// What a restart does about it.
    pub decision: Decision,
}

/// What a restart does about a live location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It has the value of the checkpoint.
    Held(How),
    /// Nothing brings it back on some way to the checkpoint.
    Missing(Box<Missing>),
}

/// How a location gets its value on restart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum How {
    /// It is registered.
    Registered(ItemPlaceInProgram),
    /// Blocks that run again set it; this is one of them.
    ReExecuted(DirectivePlace),
    /// It is set before `init`, where every start passes, and stays as it is.
    RebuiltBeforeInit,
    /// Its initialiser holds, nothing changes it.
    Unchanged,
    /// A local with a constant initialiser that never changes: it is set again.
    Constant,
    /// A parameter that keeps the value of the call, which is made again.
    Parameter,
    /// The first call of a function sets it up, and does so again after a restart.
    SetUp,
    /// It comes back with the fixed heap.
    FixedHeap,
    /// A library makes it: `stdout`, the state of a library.
    Library,
}

/// Why a location is needed, and what is known about how to bring it back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// Where it is read.
    pub read: Option<Witness>,
    /// Where it is changed after `init`, outside of blocks that run again.
    pub changed: Option<TextPlace>,
    /// An item saves the number or the address that is there, and not what it stands for: where that comes from.
    pub empty: Option<Origin>,
    /// It lies in a block that a restart does not allocate: the item that brings all of that.
    pub block: Option<String>,
    /// What to do.
    pub cure: Cure,
}

/// What brings a location back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cure {
    /// `#pragma cccp register(text)`, after this place if one is known.
    Register {
        /// The item; extents that are not known are `…`.
        item: String,
        /// Where the memory is made or the variable declared.
        after: Option<TextPlace>,
        /// Where the directive can stand.
        site: Option<Site>,
        /// The item with its extents as C text, where these are proven to be right there.
        exact: Option<String>,
        /// Where an item for the block that is there at the checkpoint can stand: its memory need not be there yet.
        seen: Option<Site>,
    },
    /// There may be many blocks of this memory; each of them has to be registered where it is allocated.
    RegisterEach {
        /// The item there.
        item: String,
        /// The allocation.
        after: TextPlace,
        /// Where the directive can stand.
        site: Option<Site>,
        /// The item with its extents as C text, where these are proven to be right there.
        exact: Option<String>,
        /// Where an item for all that can be reached from its first name can stand.
        seen: Option<Site>,
    },
    /// A handle of a library: what makes it goes into a block.
    Execute {
        /// Where it is made.
        made: Option<TextPlace>,
        /// All statements that put something there, in the order of the files and their texts: each is before its
        /// block ends and after its block begins.
        statements: Vec<Site>,
        /// Blocks without `each` put something there that a later execution of them need not put there again.
        superseded: bool,
        /// What saves it where the run has not made it: a register.
        otherwise: Option<Box<Cure>>,
    },
    /// The state of a library: nothing brings it back.
    Nothing,
    /// A pointer that lies before its memory: it comes back with the memory, when an item says how far behind it that begins.
    Ahead {
        /// The item; what is not known is `…`.
        item: String,
    },
    /// A number that depends on addresses, or what such numbers have arranged: it is computed again with the new addresses.
    Compute {
        /// Where it is computed.
        made: Option<TextPlace>,
    },
    /// What a generator of random numbers has drawn, or how far a library has read a file: made again it begins anew.
    Moving {
        /// The generator or file.
        name: String,
        /// It is a file.
        reads: bool,
        /// A block makes it; otherwise every start does.
        in_block: bool,
    },
    /// The copies that other threads have of a variable: a restart has new threads.
    OtherThreads,
    /// A pointer in a block that an item saves as numbers or bytes.
    Numbers {
        /// The item.
        item: String,
    },
}

/// A place for a directive: right before or right after a statement that is an item of a compound statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Site {
    /// The function.
    pub routine: RoutineId,
    /// The statement in its body.
    pub statement: StatementId,
    /// Behind it, not before it.
    pub after: bool,
}

impl Site {
    /// Right before a statement.
    pub fn before(routine: RoutineId, statement: StatementId) -> Site {
        Site {
            routine,
            statement,
            after: false,
        }
    }
}

/// What the check says about an item of a register directive.
#[derive(Clone, Debug)]
pub struct ItemCheck {
    /// The item.
    pub item: ItemPlaceInProgram,
    /// Its canonical name, as written.
    pub name: String,
    /// Whether something needs it.
    pub need: Need,
    /// How much it puts into every checkpoint.
    pub bytes: Bytes,
    /// Whether it has as many elements as its memory.
    pub length: Length,
}

/// An item beside the memory that it names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Length {
    /// What its pointer may point to; empty for what is named itself.
    pub objects: Vec<ObjectId>,
    /// Its pointer is null or points to the beginning of an allocated block.
    pub begins: bool,
    /// They are known to be of different lengths.
    pub misfit: Option<Misfit>,
}

/// An item with more or fewer elements than its memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// It goes beyond the end of the memory; otherwise nothing saves the rest.
    pub longer: bool,
    /// The number of elements as the user wrote it.
    pub registered: String,
    /// How many the memory has, as C text.
    pub memory: String,
    /// Where it is allocated or declared; none for an array that the item names itself.
    pub at: Option<TextPlace>,
}

/// Whether something needs a register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Need {
    /// This location at this checkpoint would be missing without it.
    Needed {
        /// The checkpoint.
        checkpoint: DirectivePlace,
        /// Who reads it.
        by: Reader,
    },
    /// Nothing reads it after a restart before it is set anew, or it has its value without the register.
    Removable,
    /// Not known: it is kept without a word.
    Unknown,
}

/// Who reads something after a checkpoint. The read itself is looked for when somebody asks: that is a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reader {
    /// A block that is executed on restart.
    Block(Witness),
    /// What happens from a checkpoint on, by its number in [`Liveness::checkpoints`]: a cell is live there.
    Later {
        /// The checkpoint.
        checkpoint: usize,
        /// The cell.
        cell: CellId,
    },
}

impl Reader {
    /// The read, where one is known.
    pub fn read(&self, liveness: &Liveness) -> Option<Witness> {
        match self {
            Reader::Block(witness) => Some(witness.clone()),
            Reader::Later { checkpoint, cell } => liveness.why_live(*checkpoint, *cell),
        }
    }
}

/// A number of bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bytes {
    /// When all extents are constant: how many.
    pub number: Option<u64>,
    /// As C text: `n * sizeof(double)`.
    pub text: String,
}
