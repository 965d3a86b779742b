//! Actions on cells, and summaries of functions.

use super::lists::Lists;
use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::memory::{CellId, CellSet, ObjectId};
use crate::catalog::Role;
use crate::dataflow::steps::RoutineId;
use crate::program::DirectiveId;
use crate::source::Span;

/// Number of a list of cells in [`Effects::sets`]. The first one is empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SetId(pub u32);

/// What all functions do.
#[derive(Debug, Default)]
pub struct Effects {
    /// Lists of cells.
    pub sets: Lists,
    /// What happens in each function, by [`RoutineId`].
    pub bodies: Vec<Body>,
    /// What each function does as a whole, by [`RoutineId`].
    pub summaries: Vec<Summary>,
    /// Functions that may run at any time: handlers of signals, and what other threads run.
    pub any_time: BTreeSet<RoutineId>,
    /// Those of them that run beside everything else: they may be anywhere at a checkpoint.
    pub threads: BTreeSet<RoutineId>,
    /// What threads run that are joined before a checkpoint is taken.
    pub joined: BTreeSet<RoutineId>,
    /// Functions that run at the end of the process.
    pub at_exit: BTreeSet<RoutineId>,
    /// Functions that code which is not among the files given may call. Empty when there is no such code.
    pub from_outside: BTreeSet<RoutineId>,
    /// Cells that such code may read at any time.
    pub outside: CellSet,
    /// Requests of MPI that are made once, started and waited for: what makes them may be done again.
    pub persistent: CellSet,
    /// Some call makes persistent requests, or nobody knows whether one does.
    pub may_make_persistent: bool,
    /// The buffers of persistent requests.
    pub prepared: BTreeSet<ObjectId>,
    /// The arrays of plans of FFTW.
    pub planned: BTreeSet<ObjectId>,
    /// Locals that nobody reaches through a pointer: every activation has its own, and only it knows them.
    pub private: CellSet,
    /// Where the program begins, if that is among the files given.
    pub main: Option<RoutineId>,
    /// Functions that return nothing but memory that they have just allocated, or null.
    pub hands_out: Vec<bool>,
    /// What is set up on first use, and that before `init`.
    pub first_use: FirstUse,
}

/// What no run sets up behind `init`: `first_use` finds it.
#[derive(Clone, Debug, Default)]
pub struct FirstUse {
    /// Blocks behind guards: no run comes into them behind `init`.
    pub blocks: Vec<(RoutineId, Span)>,
    /// Blocks of the heap that are allocated there, once in a run.
    pub single: BTreeSet<ObjectId>,
}

impl Effects {
    /// Whether a function returns nothing but memory that it has just allocated, or null.
    pub fn hands_out(&self, routine: RoutineId) -> bool {
        self.hands_out.get(routine.0 as usize) == Some(&true)
    }

    /// What a function does.
    pub fn summary(&self, routine: RoutineId) -> &Summary {
        &self.summaries[routine.0 as usize]
    }

    /// Whether a cell changes at a moment that no action tells: handlers of signals, other threads, code outside.
    pub fn is_unsteady(&self, cell: CellId) -> bool {
        self.outside.contains(cell.0 as usize)
            || self
                .any_time
                .iter()
                .any(|&routine| self.summary(routine).writes.contains(cell.0 as usize))
    }

    /// Whether a call surely leaves a cell alone, whatever the summaries of what it calls say.
    pub fn is_spared(&self, spared: SetId, cell: CellId) -> bool {
        self.cells(spared).binary_search(&cell).is_ok()
    }

    /// What a call leaves of a set of cells that the functions it calls touch.
    pub fn unspared(&self, spared: SetId, cells: &CellSet) -> CellSet {
        let mut cells = cells.clone();
        self.sets.remove_from(spared, &mut cells);
        cells
    }

    /// The cells of a list.
    pub fn cells(&self, set: SetId) -> &[CellId] {
        self.sets.cells(set)
    }
}

/// What happens in a function.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// For every node of its flow, in order.
    pub nodes: Vec<Vec<Action>>,
    /// It calls `setjmp` or the like: control may go on there from anywhere.
    pub returns_twice: bool,
    /// Ways between two nodes on which cells are surely overwritten before anybody reads them: loops that fill arrays.
    pub overwritten: BTreeMap<(usize, usize), Vec<Filled>>,
}

/// Cells that are surely overwritten, wholly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filled {
    /// Which.
    pub cells: SetId,
    /// By what, in the preprocessed text of the function's unit.
    pub by: Span,
}

impl Body {
    /// The nodes in which control surely stops.
    pub fn stops(&self) -> Vec<bool> {
        self.nodes.iter().map(|actions| stops(actions)).collect()
    }

    /// Calls `visit` for every action, those inside others too.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Action)) {
        walk(self.nodes.iter().flatten(), visit);
    }
}

/// Whether control surely stops, unlike in `assert`.
fn stops(actions: &[Action]) -> bool {
    actions.iter().any(|action| match &action.kind {
        ActionKind::Stop => true,
        ActionKind::Choose(lists) => !lists.is_empty() && lists.iter().all(|list| stops(list)),
        _ => false,
    })
}

/// Calls `visit` for every action, those inside others too.
pub fn walk<'a>(actions: impl IntoIterator<Item = &'a Action>, visit: &mut dyn FnMut(&'a Action)) {
    for action in actions {
        visit(action);
        match &action.kind {
            ActionKind::Choose(lists) => walk(lists.iter().flatten(), visit),
            ActionKind::Repeat(list) => walk(list, visit),
            _ => {}
        }
    }
}

/// Something that happens to memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// What.
    pub kind: ActionKind,
    /// Where, in the preprocessed text of the function's unit.
    pub span: Span,
}

/// What happens.
#[derive(Clone, Debug, PartialEq)]
pub enum ActionKind {
    /// Some of these may be looked at.
    Read(SetId),
    /// Some of these may be stored to; `all`: surely all of them, wholly.
    Write {
        /// Which.
        cells: SetId,
        /// All of them are overwritten.
        all: bool,
    },
    /// An object comes to life, without a value.
    Begin {
        /// Which.
        object: ObjectId,
        /// It is the only one of that name: what was in it before is gone for everybody.
        all: bool,
    },
    /// The life of some of these may end; `all`: surely.
    Free {
        /// Which.
        cells: SetId,
        /// All of them.
        all: bool,
    },
    /// Functions of the program are called.
    Call {
        /// One of these.
        routines: Box<[RoutineId]>,
        /// Exactly one of them, exactly once. Otherwise any of them, any number of times, or none.
        surely: bool,
        /// What they touch when others call them, but surely not now.
        spared: SetId,
    },
    /// Exactly one of these lists happens.
    Choose(Vec<Vec<Action>>),
    /// These happen any number of times, in any order, or not at all.
    Repeat(Vec<Action>),
    /// Control leaves the function.
    Return,
    /// Control does not come back: the process ends, or waits for ever.
    Stop,
    /// Control goes on in an activation further up.
    Jump,
    /// A directive.
    Directive(DirectiveId),
    /// Of no meaning for the order of reads and writes.
    Note(Note),
}

/// Something that is collected in summaries.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// A library function with this role is called.
    Role(Role),
    /// A handle of a library is put there.
    Creates(SetId),
    /// The object behind such a handle ends.
    Destroys(SetId),
    /// An unknown function is called; `None`: through a pointer that may lead anywhere.
    Unknown(Option<String>),
    /// What a library function is handed is an address only if a variable that begins as NULL has been set before.
    OnceSet,
}

/// What a function does, with all that it calls. Sets of cells include locals of the function only where others can
/// reach them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// May be read before the function has surely overwritten it.
    pub exposed: CellSet,
    /// May be read.
    pub reads: CellSet,
    /// May be stored to.
    pub writes: CellSet,
    /// Surely overwritten whenever the function returns; all cells when it never does.
    pub overwrites: CellSet,
    /// Objects that may come to life and live on.
    pub allocates: BTreeSet<ObjectId>,
    /// Memory whose life may end.
    pub frees: CellSet,
    /// Where handles of libraries are put.
    pub creates: CellSet,
    /// Handles whose objects end.
    pub destroys: CellSet,
    /// What the library functions that are called are for.
    pub roles: BTreeSet<Role>,
    /// Unknown functions.
    pub unknown: BTreeSet<Option<String>>,
    /// It returns on some way.
    pub returns: bool,
    /// Control may end in it: it calls `exit`, or what does.
    pub may_stop: bool,
    /// Control may go on in an activation further up.
    pub may_jump: bool,
}
