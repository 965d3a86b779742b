//! The Plan: what every client function of a file turns into, as plain data.
//!
//! In: what `analysis` found out. Out: what `rewrite` prints. The one idea: a Plan holds decisions, not text
//! layout. Every block, item, shadow, loop and argument has its record here, and every edit is a span of the
//! user's own file with a list of [`Step`]s to put there. C text appears only where it is the user's own (an
//! expression, a type). When unsure a plan saves more or refuses; it never leaves something out silently.
//!
//! Not here: how a step is spelt in C (`rewrite`), why a decision was taken (`analysis`).

use super::described::DescribedUnit;
use super::opens::Opening;
use super::own_names::OwnName;
use super::table::{Shape, TypeTable};
use crate::analysis::generators::Generators;
use crate::analysis::settled::Settled;
use crate::analysis::suspects::Suspect;
pub use crate::program::{Brings, Stands};
use std::collections::BTreeSet;

/// A number that names a block of a function, counted from 1 in the order of the text.
pub type BlockNumber = usize;

/// The plan of one file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FilePlan {
    /// The file as the user named it.
    pub file: String,
    /// Client functions, and those with resident items, in the order of the text.
    pub functions: Vec<FunctionPlan>,
    /// Edits of the user's text, in no particular order.
    pub edits: Vec<PlannedEdit>,
    /// Directives were seen, so the header is needed even when no function is a client.
    pub has_directives: bool,
    /// Some item of the program brings allocated blocks: these functions of the C library go through the library here.
    pub heap: Vec<&'static str>,
    /// Those of them that the file calls and does not declare.
    pub heap_undeclared: Vec<&'static str>,
    /// Of these the names that mean something else in the file itself, and not in headers.
    pub heap_own_only: Vec<&'static str>,
    /// The program's blocks are known, and this file calls GMP, whose numbers then lie in such blocks.
    pub has_numbers_of_gmp: bool,
    /// The program has `init`: these functions go through the library here, so that no start empties files.
    pub opens: Vec<Opening>,
    /// Names of the program's own that this file mentions and that the library needs: they are others in the object file.
    pub own_names: Vec<OwnName>,
    /// What this file says about types to which pointers of others lead.
    pub described: DescribedUnit,
    /// The descriptors that any file of the program may name.
    pub elsewhere: Vec<String>,
    /// Functions whose address may be saved, with the names by which they are known to the whole program.
    pub names: Vec<(String, String)>,
    /// Messages of the program are counted, and this file has some.
    pub messages_counted: bool,
    /// Which complete requests are not in flight at a checkpoint.
    pub settled: Settled,
    /// The file uses files of MPI, and the program has checkpoints.
    pub opens_files: bool,
    /// The file makes handles of MPI, and the program registers some.
    pub notes_handles: bool,
    /// What the file calls of FFTW and GSL that the library has to see.
    pub of_libraries: BTreeSet<String>,
    /// What this file calls to start threads and processes, to wait for them, and to take locks, as far as the library has to see
    /// it: these functions go through the library here.
    pub watched: Vec<&'static str>,
    /// Generators of random numbers that the library has to know of.
    pub generators: Generators,
    /// The file has `init`, and nothing before it depends on the number of threads.
    pub threads_later: bool,
    /// A number of what this file says; in the file with `init` with that of files which tell the library nothing.
    pub text: u64,
    /// Checkpoints of the program may be passed by several threads.
    pub has_teams: bool,
    /// The program has a fixed heap, and this file has `init`.
    pub heap_fixed: bool,
    /// Values that every checkpoint looks at: those of the whole program in the file with `init`, and unions that this file
    /// describes.
    pub suspects: BTreeSet<Suspect>,
}

impl FilePlan {
    /// Whether the file tells the library something before `main`.
    pub fn is_announced(&self) -> bool {
        !self.functions.is_empty() || !self.names.is_empty()
    }
}

/// One edit: the bytes `start..end` of the user's file give way to the steps.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedEdit {
    /// First byte replaced.
    pub start: usize,
    /// Byte after the last one replaced; equal to `start` for an insertion.
    pub end: usize,
    /// Among insertions at one place: smaller numbers come first.
    pub order: i32,
    /// Where it stands in the preprocessed text.
    pub at: usize,
    /// Which function's plan the steps speak about (index into [`FilePlan::functions`]).
    pub function: Option<usize>,
    /// What to put there.
    pub steps: Vec<Step>,
}

/// How control finds the next block on restart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dispatch {
    /// A table of label addresses.
    #[default]
    Label,
    /// A switch with gotos.
    Switch,
}

/// What a function returns when its activation had ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResultType {
    /// Nothing.
    Void,
    /// Something for which `0` is a value.
    Scalar,
    /// A struct or union of this type.
    Aggregate(String),
}

/// One client function, or one with resident items.
#[derive(Debug, Clone, PartialEq)]
pub struct FunctionPlan {
    /// Its name.
    pub name: String,
    /// It is a client: its activations have frames. Otherwise there is nothing but the description of its items.
    pub is_client: bool,
    /// The program has a fixed heap, and its stack lies at the same addresses in every process.
    pub on_fixed_stack: bool,
    /// The file its body stands in.
    pub file: String,
    /// Line of its name.
    pub line: usize,
    /// Stable hash of everything a checkpoint relies on; independent of layout.
    pub fingerprint: u64,
    /// What `return` needs.
    pub result: ResultType,
    /// How control finds the next block.
    pub dispatch: Dispatch,
    /// The function contains `init`: control goes to the dispatch behind it.
    pub init: Option<BlockNumber>,
    /// Parameters.
    pub parameters: Vec<Value>,
    /// Copies of variables whose own addresses stay secret.
    pub shadows: Vec<Shadow>,
    /// Variables that the generated code needs.
    pub temporaries: Vec<Temporary>,
    /// Loops that contain blocks.
    pub loops: Vec<LoopPlan>,
    /// How many loops count their instances.
    pub counters: usize,
    /// Blocks in the order of the text.
    pub blocks: Vec<Block>,
    /// A restart may begin in a call made here: shadows published before `init` runs.
    pub early: Vec<usize>,
    /// A call made here may reach `init`.
    pub reaches_init: bool,
    /// Registered items in the order of the text.
    pub items: Vec<Item>,
    /// Addresses of functions may be saved, or a restart has to call a function by its name.
    pub says_functions: bool,
    /// Code that has no block for it may call it: through a pointer, or from a file that is not given. It then asks at its
    /// entry whether the frame that is about to call means this function.
    pub may_be_called_back: bool,
    /// It is `inline` and no file defines it otherwise: its file has to, as its address is taken here.
    pub defined_here: bool,
    /// Types of items and values.
    pub types: TypeTable,
    /// Unions among them that may hold pointers.
    pub suspects: BTreeSet<Suspect>,
    /// Pointers among them say what they lead to.
    pub linked: bool,
    /// Checkpoints of the program may be passed by several threads.
    pub has_teams: bool,
    /// Handles of MPI or objects of other libraries are noted: the library has to know which of them blocks make again.
    pub notes_handles: bool,
}

impl FunctionPlan {
    /// Whether a variable of the generated code is one of the threads of this parallel block; 0 = of the function.
    pub fn has_in_team(&self, name: &str, team: BlockNumber) -> bool {
        let mut all = self.temporaries.iter();
        all.any(|one| one.name == name && one.team == team)
    }
}

/// A parameter or a recorded local.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value {
    /// Name in the program.
    pub name: String,
    /// Type of the field in the record, as a declaration of the name `@`.
    pub declaration: String,
    /// Expression that gives the field its value.
    pub read: String,
    /// Shape for the descriptor.
    pub shape: Shape,
    /// A block reads it even after the call has returned.
    pub read_by_blocks: bool,
    /// Nobody reads it after a restart: it may lead nowhere.
    pub unread: bool,
}

/// A copy of a local in the shadow record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shadow {
    /// Field of the shadow record.
    pub field: String,
    /// Name of the variable.
    pub variable: String,
    /// Declaration of the field, with `@` for its name.
    pub declaration: String,
    /// Registered, or only kept because an execute block sets it.
    pub registered: bool,
    /// A parameter: its value at the entry of a restart is already right.
    pub parameter: bool,
    /// Never loaded (`const` parameter).
    pub constant: bool,
    /// An array, copied as memory.
    pub array: bool,
    /// A variably modified pointer type: the cast from `void *` on loading is implicit.
    pub opaque: bool,
    /// The parallel block in which every thread has one; 0 = none.
    pub team: BlockNumber,
    /// The threads' variables have no value at the beginning of the region.
    pub is_unset: bool,
}

/// A variable of the generated code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Temporary {
    /// Its name.
    pub name: String,
    /// Declaration with `@` for the name.
    pub declaration: String,
    /// It lives across calls, so that a restart sets it again: it starts as zero.
    pub kept: bool,
    /// A struct with members that are `const`: C does not assign to it.
    pub is_const_inside: bool,
    /// The parallel block in which every thread has one; 0 = none.
    pub team: BlockNumber,
}

/// A loop that contains blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoopPlan {
    /// Line of the loop.
    pub line: usize,
    /// Number (from 1) of the enclosing loop; 0 = none.
    pub parent: usize,
    /// Index of the counter of its instances.
    pub counter: Option<usize>,
    /// No checkpoint can follow its end.
    pub prunable: bool,
}

/// Kinds of blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BlockKind {
    /// The directive `init`.
    Init,
    /// A `register` directive.
    Register,
    /// An execute-on-restart block, or an internal one that keeps temporaries.
    Execute,
    /// A call of a client function.
    Call,
    /// A declaration that has to be executed to be entered.
    Region,
    /// A `checkpoint` directive.
    Checkpoint,
    /// A parallel region of OpenMP with blocks in it.
    Parallel,
}

/// A restart-relevant block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// Line in the user's file.
    pub line: usize,
    /// Innermost loop (from 1), 0 = none.
    pub in_loop: usize,
    /// Innermost region block, parallel ones among them, 0 = none.
    pub region: BlockNumber,
    /// The parallel block around it, 0 = none.
    pub team: BlockNumber,
    /// Callee or name of the checkpoint.
    pub name: Option<String>,
    /// EXECUTE: no execution supersedes an earlier one.
    pub each: bool,
    /// Locals an execute or region block reads.
    pub values: Vec<Value>,
    /// Shadows loaded at the label.
    pub load: Vec<usize>,
    /// Constants set again at the label: variable and initialiser.
    pub constants: Vec<(String, String)>,
    /// Scalars without a value of their own at this label: set to zero, so that no compiler sees a path on which
    /// they are uninitialised (the path is never taken).
    pub silence: Vec<String>,
    /// Variables that hold nothing after a restart that ends here: filled with values that show, when that is wanted.
    pub poisoned: Vec<String>,
    /// Locals of inner blocks with values of their own at this label: named there, so that they keep their places.
    pub held: Vec<String>,
    /// The same of locals whose names are hidden at this label: the registers where they are not, and their names. A restart passes these
    /// places, one after the other, on its way to the label.
    pub held_before: Vec<(BlockNumber, Vec<String>)>,
    /// Shadows published before the block.
    pub publish: Vec<usize>,
    /// CALL: bit per argument that is evaluated anew.
    pub passed: u64,
    /// CHECKPOINT: the numbers of ranks it is for, as in `ranks(…)`; none: all.
    pub ranks: Option<String>,
    /// CHECKPOINT: why a restart has the number of threads that is saved; empty: it may have another one; none: that is not known.
    pub threads: Option<String>,
    /// CHECKPOINT: no thread takes one of its own accord there.
    pub stands: Option<Stands>,
    /// CHECKPOINT: where a restart comes back.
    pub entry: LoopEntry,
}

/// Where the label of a checkpoint stands. A label inside a loop costs the compiler its knowledge of the loop; a
/// restart that enters through the loop's head costs nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LoopEntry {
    /// At the checkpoint itself.
    #[default]
    Here,
    /// Before the loop whose body the checkpoint begins: coming back, it is passed over once.
    First,
    /// Before the loop whose body the checkpoint ends.
    Last,
}

/// A registered item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// As the user wrote it, without extents.
    pub name: String,
    /// Line of the directive.
    pub line: usize,
    /// The memory behind a pointer.
    pub behind: bool,
    /// A local object.
    pub local: bool,
    /// The pointer itself is a local.
    pub local_pointer: bool,
    /// On a restart the pointer holds what was on the stack before, until the item is restored.
    pub unset_pointer: bool,
    /// The pointer is null or points to the beginning of an allocated block.
    pub begins: bool,
    /// How many elements the object has, when not all of its extents are constants.
    pub holds: Option<u64>,
    /// The object lies in memory that a pointer points to.
    pub indirect: bool,
    /// The register block it belongs to; 0: none, it is registered from `init` on.
    pub block: BlockNumber,
    /// C expression of the address handed over.
    pub address: String,
    /// Shape of one element.
    pub shape: Shape,
    /// Elements skipped at the start.
    pub first: Extent,
    /// Extents.
    pub extents: Vec<Extent>,
    /// All extents have the same values on restart, before anything but earlier items is restored: they are handed
    /// over there too and compared with those of the checkpoint.
    pub sized: bool,
    /// Shadow loaded after it on restart.
    pub reload: Option<usize>,
    /// An object of an inner block: the variable that says whether it is registered now.
    pub flag: Option<String>,
    /// Blocks of allocated memory that it brings.
    pub brings: Brings,
    /// Which threads see it as one object: one of them registers it.
    pub seen: SeenBy,
}

/// Which threads see an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SeenBy {
    /// The one that registers it.
    Itself,
    /// All threads of these parallel blocks, the innermost first.
    Teams(Vec<BlockNumber>),
    /// All of the program.
    All,
}

/// A number of elements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extent {
    /// C expression that is handed over.
    pub text: String,
    /// The same for people.
    pub shown: String,
    /// Its value when it is a constant.
    pub value: Option<u64>,
    /// Macros stand in it that only the compiler can resolve; they may be a constant.
    pub opaque: bool,
}

/// A call of a client function.
#[derive(Debug, Clone, PartialEq)]
pub struct CallStep {
    /// Its block.
    pub block: BlockNumber,
    /// The called expression as it stands in the program.
    pub callee: String,
    /// It goes through a pointer: a restart calls the function that the original run called.
    pub through_pointer: bool,
    /// What it calls may be another function than a client, which calls a client in its turn.
    pub may_call_others: bool,
    /// Only calls declare what it calls.
    pub is_implicit: bool,
    /// Arguments.
    pub arguments: Vec<Argument>,
    /// Where the result goes.
    pub result: Option<String>,
    /// A restart may end inside the call.
    pub reaches_checkpoint: bool,
    /// A restart may begin inside the call.
    pub reaches_init: bool,
    /// Conditions that are known to hold here: set on the way of a restart.
    pub known: Vec<(String, bool)>,
}

/// The processes that `init` brings together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Communicator {
    /// One process.
    Alone,
    /// All processes of the MPI program, in a file that does not know MPI.
    World,
    /// The communicator that this expression gives.
    Expression(String),
}

/// An argument of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Argument {
    /// As it stands in the program.
    pub text: String,
    /// On restart.
    pub again: Again,
}

/// How an argument gets its value on restart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Again {
    /// Its text is evaluated once more.
    Anew,
    /// From the trace, where the trace knows memory that the restart restores; else its text is evaluated once more: it may
    /// lead to memory of the set-up, which nobody registers. The declaration is that of a pointer to its type.
    Known(String),
    /// From the trace; the declaration is that of a pointer to its type, with nothing for the name.
    Trace(String),
}

/// Something to put into the user's text.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// C text.
    Text(String),
    /// A temporary gets the value of an expression.
    Set {
        /// Its name.
        name: String,
        /// C text.
        value: String,
    },
    /// Words of a directive that the user means as macros: nothing to print.
    Macros(Vec<String>),
    /// Everything a function needs at its entry.
    Entry,
    /// The directive `init`.
    Init {
        /// Its block.
        block: BlockNumber,
        /// `&argc, &argv` or two nulls.
        arguments: String,
        /// The processes of the job.
        communicator: Communicator,
    },
    /// A register block with the numbers (from 0) of its items.
    Register {
        /// Its block.
        block: BlockNumber,
        /// Indices into [`FunctionPlan::items`].
        items: Vec<usize>,
    },
    /// Behind the declaration of a static local: an item that is registered from `init` on.
    Resident {
        /// Index into [`FunctionPlan::items`].
        item: usize,
    },
    /// The directive `unregister`.
    Unregister {
        /// Names as written.
        names: Vec<String>,
        /// The parallel block whose threads have the objects; 0 = none.
        team: BlockNumber,
    },
    /// A checkpoint.
    Checkpoint {
        /// Its block.
        block: BlockNumber,
        /// The clause `every`.
        every: Option<String>,
        /// The clause `if`.
        condition: Option<String>,
        /// A thread may go on before all have come, up to a [`Step::Await`].
        goes_on: bool,
    },
    /// A thread that went on waits until the checkpoint is taken.
    Await,
    /// The label of a checkpoint that stands elsewhere.
    Resume {
        /// Its block.
        block: BlockNumber,
        /// What the loop does between the checkpoint and its head.
        step: String,
    },
    /// In the condition of a loop whose body begins with a checkpoint: true when a restart comes back to it.
    ComingBack {
        /// Its block.
        block: BlockNumber,
    },
    /// The begin of an execute block.
    ExecuteBegin {
        /// Its block.
        block: BlockNumber,
    },
    /// The end of an execute block; the shadows set inside are published.
    ExecuteEnd {
        /// Its block.
        block: BlockNumber,
        /// Shadows in scope.
        publish: Vec<usize>,
    },
    /// Before a statement that leaves an execute block.
    ExecuteLeave {
        /// A block of its own, which says so in the trace.
        block: BlockNumber,
        /// The block that is left.
        of: BlockNumber,
        /// Shadows in scope.
        publish: Vec<usize>,
    },
    /// Before a declaration that has to be executed to be entered.
    RegionBegin {
        /// Its block.
        block: BlockNumber,
    },
    /// After that declaration: the table of the region.
    RegionEnd {
        /// Its block.
        block: BlockNumber,
    },
    /// Before a barrier: a thread stands here while others take a checkpoint.
    Stand {
        /// Its block.
        block: BlockNumber,
    },
    /// In the place of a construct that one thread executes: `single`, or `masked` with this number.
    OneThread {
        /// What the number of the thread is, if it is a certain one.
        number: Option<String>,
    },
    /// Behind a construct that hands out work once.
    CountConstruct,
    /// The directive of a parallel region, and what comes before it.
    ParallelBegin {
        /// Its block.
        block: BlockNumber,
        /// Its threads come to checkpoints unequally often.
        is_line: bool,
        /// Its clauses but for the two below, as written.
        clauses: String,
        /// What stands in `num_threads(…)`.
        threads: Option<String>,
        /// What stands in `if(…)`.
        condition: Option<String>,
    },
    /// First in the region.
    ParallelEnter {
        /// Its block.
        block: BlockNumber,
    },
    /// Last in the region, and behind it.
    ParallelEnd {
        /// Its block.
        block: BlockNumber,
    },
    /// An internal execute block without statements: it records temporaries that live across the next call.
    Keep {
        /// Its block.
        block: BlockNumber,
    },
    /// The directive `shutdown`; registers of numbers have the values that their variables have there.
    Shutdown {
        /// Indices into [`FunctionPlan::shadows`].
        publish: Vec<usize>,
    },
    /// A call.
    Call(Box<CallStep>),
    /// `if (condition) { … } else { … }`.
    If {
        /// C text.
        condition: String,
        /// Taken when it holds.
        then: Vec<Step>,
        /// Taken otherwise.
        otherwise: Vec<Step>,
    },
    /// A block with registered objects of its own is left: their items end.
    EndScope {
        /// Indices into [`FunctionPlan::items`].
        items: Vec<usize>,
    },
    /// A loop is about to be entered.
    CountLoop {
        /// Index of its counter.
        counter: usize,
    },
    /// A loop or a condition around a checkpoint is met: ranks compare how often.
    CountTurn,
}
