//! What functions without directives allocate, and what they allocate in some cases only.
//!
//! Blocks are told apart by the calls through which they come about (`through`), so a call of an allocating function
//! makes only the blocks on whose way it is.
//!
//! `if (full) { u = realloc(…); changed = 1; } return changed;`: whether the block is new is known to the caller, which
//! registers it then, but not to us.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use super::facts::Facts;
use crate::analysis::effects::{self, Action, ActionKind};
use crate::analysis::memory::{ObjectId, ObjectKind};
use crate::dataflow::Flow;
use crate::dataflow::steps::{RoutineId, TextPlace};
use crate::solver::{Analysis, settle, solve};
use crate::source::Span;

/// Calls that lead to an allocation, with the functions they stand in.
type Way = Vec<(RoutineId, TextPlace)>;

/// A function, a call there, and what it calls.
type CallOf = (RoutineId, Span, RoutineId);

/// Sets of objects by functions; the objects by their position in [`Allocated::objects`].
type Known = FxHashMap<RoutineId, FixedBitSet>;

/// What functions without directives allocate.
#[derive(Default)]
pub(super) struct Allocated {
    /// All that any function allocates, sorted.
    objects: Vec<ObjectId>,
    /// The calls through which each of them comes about.
    ways: Vec<Way>,
    /// What each function may allocate.
    by: Known,
    /// The functions that each of these calls, and those that they call.
    below: FxHashMap<RoutineId, Rc<FixedBitSet>>,
    /// What calls may allocate, of those that somebody asked for.
    made: RefCell<FxHashMap<CallOf, Rc<[ObjectId]>>>,
}

impl Allocated {
    fn position(&self, object: ObjectId) -> Option<usize> {
        self.objects.binary_search(&object).ok()
    }
}

impl Facts<'_> {
    /// Finds the memory that a function without directives allocates on some of its ways, but not on all.
    pub(super) fn find_conditional(&mut self) {
        self.allocated.objects = self.all_allocated();
        self.allocated.ways = self.find_ways();
        let callees = self.callees();
        let below = effects::below(&callees);
        for routine in self.steps.routine_ids() {
            let allocates = &self.effects.summary(routine).allocates;
            if self.is_client(routine) || allocates.is_empty() {
                continue;
            }
            let below = Rc::clone(&below[routine.0 as usize]);
            let mut made = FixedBitSet::with_capacity(self.allocated.objects.len());
            for object in allocates {
                if let Some(position) = self.allocated.position(*object)
                    && self.may_make(routine, &below, position)
                {
                    made.insert(position);
                }
            }
            self.allocated.by.insert(routine, made);
            self.allocated.below.insert(routine, below);
        }
        let surely = self.surely(&callees);
        for (routine, made) in &self.allocated.by {
            for some in made.difference(&surely[routine]) {
                let cells = self.object_cells(self.allocated.objects[some]);
                self.conditional.extend(cells);
            }
        }
    }

    /// What any function allocates.
    fn all_allocated(&self) -> Vec<ObjectId> {
        let mut is_allocated = FixedBitSet::with_capacity(self.memory.objects.len());
        for routine in self.steps.routine_ids() {
            let allocates = self.effects.summary(routine).allocates.iter();
            is_allocated.extend(allocates.map(|object| object.0 as usize));
        }
        let all = is_allocated.ones();
        all.map(|object| ObjectId(object as u32)).collect()
    }

    /// The functions that each function calls.
    fn callees(&self) -> Vec<Vec<RoutineId>> {
        let mut callees = Vec::with_capacity(self.steps.routines.len());
        for routine in 0..self.steps.routines.len() {
            let mut called: Vec<RoutineId> = Vec::new();
            self.visit(routine, &mut |action| {
                if let ActionKind::Call { routines, .. } = &action.kind {
                    called.extend(routines.iter());
                }
            });
            called.sort_unstable();
            called.dedup();
            callees.push(called);
        }
        callees
    }

    /// The calls through which objects come about, the outermost one first, with the functions they stand in.
    fn find_ways(&self) -> Vec<Way> {
        let mut by_unit: Vec<Vec<(Span, RoutineId)>> = vec![Vec::new(); self.program.units.len()];
        for id in self.steps.routine_ids() {
            let at = self.steps.routine(id).function;
            let span = self.program.units[at.unit].function(at.function).span;
            by_unit[at.unit].push((span, id));
        }
        let stands_in = |place: &TextPlace| {
            let mut here = by_unit[place.unit].iter();
            let found = here.find(|(span, _)| span.has(place.span.start))?;
            Some((found.1, *place))
        };
        let objects = self.allocated.objects.iter();
        let ways = objects.map(
            |object| match &self.memory.objects[object.0 as usize].kind {
                ObjectKind::Heap {
                    routine,
                    call,
                    through,
                } => {
                    let outer = through.iter().filter_map(stands_in);
                    outer.chain([(*routine, *call)]).collect()
                }
                _ => Vec::new(),
            },
        );
        ways.collect()
    }

    fn may_make(&self, routine: RoutineId, below: &FixedBitSet, position: usize) -> bool {
        let way = &self.allocated.ways[position];
        let begins_below = way
            .first()
            .is_none_or(|(first, _)| below.contains(first.0 as usize));
        way.len() < 2 || begins_below || way.iter().any(|(one, _)| *one == routine)
    }

    /// What a function without directives may allocate.
    pub(super) fn allocated_by(&self, routine: RoutineId) -> impl Iterator<Item = ObjectId> + '_ {
        let made = self.allocated.by.get(&routine).into_iter();
        made.flat_map(|made| made.ones())
            .map(|position| self.allocated.objects[position])
    }

    /// What a call of a function without directives may allocate, sorted.
    pub(super) fn made_by(
        &self,
        caller: RoutineId,
        call: Span,
        callee: RoutineId,
    ) -> Rc<[ObjectId]> {
        let key = (caller, call, callee);
        if let Some(known) = self.allocated.made.borrow().get(&key) {
            return Rc::clone(known);
        }
        let made: Rc<[ObjectId]> = self.find_made(caller, call, callee).into();
        let mut known = self.allocated.made.borrow_mut();
        known.insert(key, Rc::clone(&made));
        made
    }

    fn find_made(&self, caller: RoutineId, call: Span, callee: RoutineId) -> Vec<ObjectId> {
        let unit = self.steps.routine(caller).function.unit;
        let here = TextPlace { unit, span: call };
        let Some(made) = self.allocated.by.get(&callee) else {
            return Vec::new();
        };
        let below = self.allocated.below.get(&callee);
        let made = made.ones().filter(|position| {
            let way = &self.allocated.ways[*position];
            let mut own = way.iter().filter(|(one, _)| *one == caller).peekable();
            match (own.peek(), way.first()) {
                // Then the calls that are told apart begin further down.
                (None, Some((first, _))) => {
                    *first == callee || below.is_none_or(|below| below.contains(first.0 as usize))
                }
                (None, None) => true,
                _ => own.any(|(_, place)| *place == here),
            }
        });
        made.map(|position| self.allocated.objects[position])
            .collect()
    }

    /// What functions allocate on all ways to their ends: first all, then less and less.
    fn surely(&self, callees: &[Vec<RoutineId>]) -> Known {
        let mut known = self.allocated.by.clone();
        let mut callers: Vec<Vec<RoutineId>> = vec![Vec::new(); callees.len()];
        let mut waiting: BTreeSet<RoutineId> = BTreeSet::new();
        for (caller, called) in self.steps.routine_ids().zip(callees) {
            if !known.contains_key(&caller) {
                continue;
            }
            waiting.insert(caller);
            for callee in called {
                callers[callee.0 as usize].push(caller);
            }
        }
        settle(waiting, |routine, waiting| {
            let surely = self.surely_allocated(routine, &known);
            if known.get(&routine).is_some_and(|old| *old != surely) {
                known.insert(routine, surely);
                waiting.extend(&callers[routine.0 as usize]);
            }
        });
        known
    }

    /// What a function allocates on all ways to its end.
    fn surely_allocated(&self, routine: RoutineId, known: &Known) -> FixedBitSet {
        let none = FixedBitSet::with_capacity(self.allocated.objects.len());
        let Some(all) = self.allocated.by.get(&routine) else {
            return none;
        };
        let flow = &self.steps.routine(routine).flow;
        let nodes = &self.effects.bodies[routine.0 as usize].nodes;
        let mut within = Within {
            flow,
            nodes,
            allocated: &self.allocated,
            known,
            all,
        };
        let first = [(Flow::ENTRY.0, none.clone())];
        let mut before = solve(&mut within, flow.nodes.len(), first);
        before.swap_remove(Flow::EXIT.0).unwrap_or(none)
    }
}

/// What is allocated on all ways to the nodes of a function.
struct Within<'w> {
    flow: &'w Flow,
    nodes: &'w [Vec<Action>],
    allocated: &'w Allocated,
    known: &'w Known,
    /// What the function may allocate.
    all: &'w FixedBitSet,
}

impl Analysis for Within<'_> {
    type Fact = FixedBitSet;

    fn join(known: &mut FixedBitSet, more: &FixedBitSet) -> bool {
        let is_new = !known.is_subset(more);
        known.intersect_with(more);
        is_new
    }

    fn transfer(
        &mut self,
        node: usize,
        mut state: FixedBitSet,
        hand_on: &mut dyn FnMut(usize, &FixedBitSet),
    ) {
        let actions = self.nodes.get(node).map_or(&[][..], Vec::as_slice);
        if allocate(actions, self.allocated, self.known, &mut state) {
            state.intersect_with(self.all);
            self.flow.next(node).for_each(|to| hand_on(to, &state));
        }
    }
}

/// Adds what a list surely allocates. Whether control comes to its end.
fn allocate(
    actions: &[Action],
    allocated: &Allocated,
    known: &Known,
    state: &mut FixedBitSet,
) -> bool {
    for action in actions {
        match &action.kind {
            ActionKind::Begin { object, .. } => {
                if let Some(position) = allocated.position(*object) {
                    state.insert(position);
                }
            }
            ActionKind::Call {
                routines,
                surely: true,
                ..
            } => {
                if let [callee] = &**routines
                    && let Some(known) = known.get(callee)
                {
                    state.union_with(known);
                }
            }
            ActionKind::Choose(lists) => {
                let mut joined: Option<FixedBitSet> = None;
                for list in lists {
                    let mut one = state.clone();
                    if allocate(list, allocated, known, &mut one) {
                        joined = Some(match joined {
                            None => one,
                            Some(mut other) => {
                                other.intersect_with(&one);
                                other
                            }
                        });
                    }
                }
                match joined {
                    None => return false,
                    Some(joined) => *state = joined,
                }
            }
            ActionKind::Stop => return false,
            _ => {}
        }
    }
    true
}
