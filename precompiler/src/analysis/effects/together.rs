//! What a call does that may call any of several functions, as far as the order of reads and writes goes.
//!
//! In: the summaries of the functions. Out: one summary, made once for each list of functions. While summaries still grow, what has grown since
//! is joined in: they never shrink.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::model::{Effects, Summary};
use crate::dataflow::steps::RoutineId;

/// By the functions: when they were looked at, and what they do together.
type Known = FxHashMap<Box<[RoutineId]>, (u64, Rc<Summary>)>;

/// Summaries of several functions together.
#[derive(Default)]
pub struct Together {
    known: RefCell<Known>,
    /// When the summary of a function has changed last.
    changed: RefCell<FxHashMap<RoutineId, u64>>,
    now: Cell<u64>,
}

impl Together {
    /// The summary of a function has grown.
    pub fn changes(&self, routine: RoutineId) {
        self.now.set(self.now.get() + 1);
        self.changed.borrow_mut().insert(routine, self.now.get());
    }

    /// What is so of a call of any of these functions; only what [`Backward`](super::Backward) asks for is set.
    pub fn of(&self, effects: &Effects, routines: &[RoutineId]) -> Rc<Summary> {
        let mut known = self.known.borrow_mut();
        let Some((looked_at, all)) = known.get_mut(routines) else {
            let mut summaries = routines.iter().map(|one| effects.summary(*one));
            let mut all = summaries.next().map_or_else(Summary::default, order_of);
            summaries.for_each(|one| join(&mut all, one));
            let all = Rc::new(all);
            known.insert(routines.into(), (self.now.get(), Rc::clone(&all)));
            return all;
        };
        if *looked_at < self.now.get() {
            let changed = self.changed.borrow();
            let is_new = |one: &&RoutineId| changed.get(one).is_some_and(|at| at > looked_at);
            for routine in routines.iter().filter(is_new) {
                join(Rc::make_mut(all), effects.summary(*routine));
            }
            *looked_at = self.now.get();
        }
        Rc::clone(all)
    }
}

/// A summary, as far as the order of things goes.
fn order_of(one: &Summary) -> Summary {
    Summary {
        exposed: one.exposed.clone(),
        // A function that never returns overwrites all.
        overwrites: one.overwrites.clone(),
        returns: one.returns,
        may_jump: one.may_jump,
        ..Summary::default()
    }
}

/// Either this is called or that.
fn join(all: &mut Summary, one: &Summary) {
    all.exposed.union_with(&one.exposed);
    all.overwrites.intersect_with(&one.overwrites);
    all.returns |= one.returns;
    all.may_jump |= one.may_jump;
}
