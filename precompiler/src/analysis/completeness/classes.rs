//! Which cells the program tells apart, and the parts that are asked for again and again.
//!
//! In: what functions do, what registers cover. Out: the first [`Universe`], as fine as can be seen at once; where it is
//! too coarse, that is noticed later.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::basis::Basis;
use super::cover::Covers;
use super::facts::Facts;
use super::out_of_reach::Lists;
use super::registered::Registered;
use super::running::{Part, Universe};
use crate::analysis::effects::{ActionKind, Blocks, SetId};
use crate::analysis::memory::ObjectId;
use crate::dataflow::steps::RoutineId;
use crate::source::Span;

/// What is known by some key.
pub(super) type Table<K, V> = RefCell<FxHashMap<K, V>>;

/// A call in a function, the list of functions that it may call, and what it leaves alone.
type CallPlace = (RoutineId, Span, *const [RoutineId], SetId);

/// Parts that are asked for again and again.
#[derive(Default)]
pub(super) struct Parts {
    /// All that is allocated.
    pub heap: Part,
    /// Of a set of the effects.
    pub written: Table<SetId, Part>,
    /// All of an object.
    pub objects: Table<ObjectId, Part>,
    /// What a call of a function without directives may allocate: behind `init`, and before it only.
    pub made: Table<(RoutineId, Span, RoutineId), (Part, Part)>,
    /// What a function without directives may store to.
    pub changed: Table<(RoutineId, SetId), Part>,
    /// What it surely stores to.
    pub overwritten: Table<RoutineId, Part>,
    /// The locals of a function.
    pub locals: Table<RoutineId, Part>,
    /// What registers of a function's own pointers follow.
    pub followed: Table<RoutineId, Part>,
    /// The functions with directives among those that a function may call at one place, these being a list of the effects.
    pub callees: Table<(RoutineId, *const [RoutineId]), Rc<Vec<Alike>>>,
    /// What an action that is done again on restart may store elsewhere.
    pub superseded: Table<(RoutineId, Span, SetId), Part>,
    /// What the register of each item covers.
    pub registered: Table<usize, Rc<Registered>>,
    /// What a call makes of states that may call several functions without directives.
    pub several: Table<CallPlace, Rc<Basis>>,
    /// What registers follow and calls are out of reach of.
    pub out_of_reach: Table<Lists, Part>,
    /// The locals that pointers point to.
    pub shared: Table<RoutineId, Part>,
    /// Those that every activation has for itself.
    pub private: Table<RoutineId, Part>,
    /// What is registered no more outside of each parallel region of a function.
    pub ended: Table<RoutineId, Rc<Vec<(Span, Part)>>>,
    /// The blocks of a function.
    pub blocks: Table<RoutineId, Rc<Blocks>>,
}

/// Functions that may be called at one place and are told apart by nothing but what they do.
pub(super) struct Alike {
    /// What registers follow in the calling function, and not while it calls one of these.
    pub out_of_reach: Part,
    pub callees: Vec<RoutineId>,
}

/// What is in a table, or is put there.
pub(super) fn known<K: Eq + std::hash::Hash, V: Clone>(
    table: &Table<K, V>,
    key: K,
    make: impl FnOnce() -> V,
) -> V {
    if let Some(known) = table.borrow().get(&key) {
        return known.clone();
    }
    let made = make();
    table.borrow_mut().insert(key, made.clone());
    made
}

/// Cells that the program tells apart, as far as that can be seen at once.
pub(super) fn first_classes(facts: &Facts, covers: &Covers) -> Universe {
    let mut universe = Universe::new(facts.memory.cells.len(), covers.follow(), &covers.shadows);
    universe.split(facts.heap.ones());
    for cover in &covers.all {
        universe.split(cover.named.iter().copied());
        universe.split(cover.behind.iter().copied());
        universe.split(cover.sure.iter().copied());
    }
    let (mut sets, mut objects) = (BTreeSet::new(), BTreeSet::new());
    let mut called: BTreeSet<(RoutineId, SetId)> = BTreeSet::new();
    for routine in facts
        .steps
        .routine_ids()
        .filter(|one| facts.is_client(*one))
    {
        let own = facts.locals[routine.0 as usize].iter().copied();
        universe.split(own.clone());
        universe.split(own.filter(|cell| facts.effects.private.contains(*cell)));
        facts.visit(routine.0 as usize, &mut |action| match &action.kind {
            ActionKind::Write { cells, .. } | ActionKind::Free { cells, .. } => {
                sets.insert(*cells);
            }
            ActionKind::Begin { object, .. } => {
                objects.insert(*object);
            }
            ActionKind::Call {
                routines, spared, ..
            } => {
                let plain = routines.iter().filter(|one| !facts.is_client(**one));
                called.extend(plain.map(|one| (*one, *spared)));
            }
            _ => {}
        });
    }
    for (routine, spared) in called {
        let changes = &facts.changes[routine.0 as usize];
        universe.split(facts.effects.unspared(spared, changes).ones());
        universe.split(facts.effects.summary(routine).overwrites.ones());
        objects.extend(facts.allocated_by(routine));
    }
    for set in sets {
        let cells = facts.effects.cells(set).iter();
        universe.split(cells.map(|cell| cell.0 as usize));
    }
    for object in objects {
        universe.split(facts.object_cells(object));
    }
    universe
}
