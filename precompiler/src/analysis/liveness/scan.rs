//! Cells that are looked for, followed through a list of actions: where are they read or overwritten first?
//!
//! All of them at once: a program may have thousands of live cells, and each list is looked at once for all.

use std::cell::{OnceCell, RefCell};

use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::effects::{Action, ActionKind, Effects, SetId};
use crate::analysis::memory::{CellId, CellSet, Memory, ObjectId, ObjectKind};
use crate::dataflow::steps::{RoutineId, Steps};
use crate::source::Span;

/// Some of the cells that are looked for, by their numbers among these.
pub(super) type Numbers = FixedBitSet;

/// What happens to a cell first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Met {
    /// It may be read here.
    Read(Span),
    /// One of these may read it before it is surely overwritten.
    ReadBy(Vec<RoutineId>, Span),
    /// It is surely overwritten here.
    Overwritten(Span),
    /// The call surely overwrites it.
    OverwrittenBy(RoutineId, Span),
}

impl Met {
    fn is_read(&self) -> bool {
        matches!(self, Met::Read(_))
    }

    fn is_call_that_reads(&self) -> bool {
        matches!(self, Met::ReadBy(..))
    }
}

/// What becomes of cells in a list of actions. Control ends with those that are nowhere in it.
pub(super) struct Walked {
    /// Control comes to the end of the list, and they are as they were.
    pub passed: Numbers,
    /// Control leaves the function.
    pub left: Numbers,
    /// What happens to others, by their numbers.
    pub met: Vec<(usize, Met)>,
}

/// What is met on the ways through a function, nearest first, by the number of the cell.
pub(super) type Inside = FxHashMap<usize, Vec<Met>>;

/// The cells that are looked for.
pub(super) struct Sought<'a> {
    pub steps: &'a Steps,
    pub effects: &'a Effects,
    memory: &'a Memory,
    /// By their numbers.
    cells: &'a [CellId],
    numbers: FxHashMap<CellId, usize>,
    /// Calls are passed over: reads in the function itself are looked for.
    past_calls: bool,
    /// Those in a list of cells, by [`SetId`].
    sets: Vec<OnceCell<Numbers>>,
    /// Those in the summaries of functions, by [`RoutineId`].
    exposed: Vec<OnceCell<Numbers>>,
    overwrites: Vec<OnceCell<Numbers>>,
    /// By [`RoutineId`].
    pub inside: Vec<OnceCell<Inside>>,
    /// Functions in which no read of a cell is found, nor in what they call.
    pub unread: RefCell<FxHashSet<(RoutineId, usize)>>,
}

impl<'a> Sought<'a> {
    /// Looks for these cells, each named once.
    pub fn new(
        steps: &'a Steps,
        memory: &'a Memory,
        effects: &'a Effects,
        cells: &'a [CellId],
        past_calls: bool,
    ) -> Sought<'a> {
        let routines = effects.bodies.len();
        let numbers = cells.iter().enumerate();
        Sought {
            steps,
            effects,
            memory,
            cells,
            numbers: numbers.map(|(number, &cell)| (cell, number)).collect(),
            past_calls,
            sets: vec![OnceCell::new(); effects.sets.count()],
            exposed: vec![OnceCell::new(); routines],
            overwrites: vec![OnceCell::new(); routines],
            inside: vec![OnceCell::new(); routines],
            unread: RefCell::default(),
        }
    }

    /// All of them.
    pub fn all(&self) -> Numbers {
        let mut all = self.none();
        all.insert_range(..);
        all
    }

    /// None of them.
    pub fn none(&self) -> Numbers {
        Numbers::with_capacity(self.cells.len())
    }

    /// What happens to cells in these actions, in this order.
    pub fn list(&self, actions: &[Action], in_any_order: bool, cells: Numbers) -> Walked {
        let mut walked = self.begin(cells);
        for action in actions {
            if walked.passed.is_clear() {
                break;
            }
            if !in_any_order {
                self.action(action, &mut walked);
                continue;
            }
            // Others may come before what happens here: only reads are sure to be met.
            let mut here = self.begin(walked.passed.clone());
            self.action(action, &mut here);
            walked.left.union_with(&here.left);
            for (number, met) in here.met {
                if met.is_read() || met.is_call_that_reads() {
                    walked.meets(number, met);
                }
            }
        }
        if in_any_order {
            walked.left.intersect_with(&walked.passed);
            walked.passed.difference_with(&walked.left);
        }
        walked
    }

    /// Whether things may happen in any order in a node, so that nothing overwrites anything.
    pub fn in_any_order(&self, routine: RoutineId, node: usize) -> bool {
        let body = &self.effects.bodies[routine.0 as usize];
        body.returns_twice
            || body.nodes[node]
                .iter()
                .any(|one| matches!(one.kind, ActionKind::Repeat(_)))
    }

    fn begin(&self, cells: Numbers) -> Walked {
        Walked {
            passed: cells,
            left: self.none(),
            met: Vec::new(),
        }
    }

    fn numbers_of(&self, cells: impl IntoIterator<Item = CellId>) -> Numbers {
        let found = cells
            .into_iter()
            .filter_map(|cell| self.numbers.get(&cell).copied());
        let mut numbers = self.none();
        numbers.extend(found);
        numbers
    }

    fn in_summary(&self, all: &CellSet) -> Numbers {
        let named = self.cells.iter().copied();
        self.numbers_of(named.filter(|cell| all.contains(cell.0 as usize)))
    }

    fn of(&self, set: SetId) -> &Numbers {
        let cells = || self.effects.cells(set).iter().copied();
        self.sets[set.0 as usize].get_or_init(|| self.numbers_of(cells()))
    }

    fn of_object(&self, object: ObjectId) -> Numbers {
        let named = self.cells.iter().copied();
        let is_of = |cell: &CellId| self.memory.cells[cell.0 as usize].object == object;
        self.numbers_of(named.filter(is_of))
    }

    fn exposed(&self, routine: RoutineId) -> &Numbers {
        let exposed = &self.effects.summary(routine).exposed;
        self.exposed[routine.0 as usize].get_or_init(|| self.in_summary(exposed))
    }

    fn overwrites(&self, routine: RoutineId) -> &Numbers {
        let overwrites = &self.effects.summary(routine).overwrites;
        self.overwrites[routine.0 as usize].get_or_init(|| self.in_summary(overwrites))
    }

    fn action(&self, action: &Action, walked: &mut Walked) {
        let span = action.span;
        match &action.kind {
            ActionKind::Read(cells) => walked.meet(self.of(*cells), &Met::Read(span)),
            ActionKind::Write { cells, all: true } | ActionKind::Free { cells, all: true } => {
                walked.meet(self.of(*cells), &Met::Overwritten(span));
            }
            ActionKind::Begin { object, all: true } => {
                walked.meet(&self.of_object(*object), &Met::Overwritten(span));
            }
            ActionKind::Call {
                routines,
                surely,
                spared,
            } => self.call(routines, *surely, *spared, span, walked),
            ActionKind::Choose(lists) if !lists.is_empty() => self.choose(lists, walked),
            ActionKind::Repeat(list) => {
                let cells = std::mem::take(&mut walked.passed);
                let inner = self.list(list, true, cells);
                walked.passed = inner.passed;
                walked.left.union_with(&inner.left);
                walked.met.extend(inner.met);
            }
            ActionKind::Return | ActionKind::Jump => {
                walked.left.union_with(&walked.passed);
                walked.passed.clear();
            }
            ActionKind::Stop => walked.passed.clear(),
            _ => {}
        }
    }

    fn call(
        &self,
        routines: &[RoutineId],
        surely: bool,
        spared: SetId,
        span: Span,
        walked: &mut Walked,
    ) {
        let mut readers: FxHashMap<usize, Vec<RoutineId>> = FxHashMap::default();
        for &routine in routines {
            for number in self.exposed(routine).intersection(&walked.passed) {
                if !self.of(spared).contains(number) {
                    readers.entry(number).or_default().push(routine);
                }
            }
        }
        let mut past = self.none();
        for (number, readers) in readers {
            if self.past_calls {
                walked.passed.remove(number);
                past.insert(number);
            } else {
                walked.meets(number, Met::ReadBy(readers, span));
            }
        }
        let surely = surely && !routines.is_empty();
        let mut returning = routines
            .iter()
            .filter(|one| self.effects.summary(**one).returns);
        match returning.next() {
            None if surely => walked.passed.clear(),
            Some(&first) if surely => {
                let mut all = walked.passed.clone();
                for &routine in routines {
                    all.intersect_with(self.overwrites(routine));
                }
                walked.meet(&all, &Met::OverwrittenBy(first, span));
            }
            _ => {}
        }
        walked.passed.union_with(&past);
    }

    fn choose(&self, lists: &[Vec<Action>], walked: &mut Walked) {
        let cells = std::mem::replace(&mut walked.passed, self.none());
        let found: Vec<Walked> = lists
            .iter()
            .map(|list| self.list(list, false, cells.clone()))
            .collect();
        let mut open = cells;
        let settle = |walked: &mut Walked, is_so: &dyn Fn(&Met) -> bool, open: &mut Numbers| {
            for (number, met) in found.iter().flat_map(|one| &one.met) {
                if is_so(met) && open.contains(*number) {
                    open.remove(*number);
                    walked.met.push((*number, met.clone()));
                }
            }
        };
        // What is read here is reported rather than what a call may read.
        settle(walked, &Met::is_read, &mut open);
        settle(walked, &Met::is_call_that_reads, &mut open);
        for one in &found {
            walked.passed.union_with(&one.passed);
        }
        walked.passed.intersect_with(&open);
        open.difference_with(&walked.passed);
        for one in &found {
            let mut left = one.left.clone();
            left.intersect_with(&open);
            walked.left.union_with(&left);
        }
        open.difference_with(&walked.left);
        settle(walked, &|_| true, &mut open);
    }

    /// What surely overwrites cells on the way from one node to the next: a loop that fills an array.
    pub fn filled(
        &self,
        routine: RoutineId,
        from: usize,
        to: usize,
    ) -> impl Iterator<Item = (&Numbers, Span)> {
        let body = &self.effects.bodies[routine.0 as usize];
        let filled = body.overwritten.get(&(from, to)).into_iter().flatten();
        filled
            .filter(|_| !body.returns_twice)
            .map(|one| (self.of(one.cells), one.by))
    }

    /// Whether the cell's object is something that exists only on the heap.
    pub fn is_heap(&self, cell: CellId) -> bool {
        let object = self.memory.cells[cell.0 as usize].object;
        matches!(
            self.memory.objects[object.0 as usize].kind,
            ObjectKind::Heap { .. }
        )
    }
}

impl Walked {
    /// This happens to those of the cells that come here.
    fn meet(&mut self, cells: &Numbers, met: &Met) {
        if cells.is_disjoint(&self.passed) {
            return;
        }
        let here = cells.intersection(&self.passed);
        self.met.extend(here.map(|number| (number, met.clone())));
        self.passed.difference_with(cells);
    }

    fn meets(&mut self, number: usize, met: Met) {
        self.passed.remove(number);
        self.met.push((number, met));
    }
}
