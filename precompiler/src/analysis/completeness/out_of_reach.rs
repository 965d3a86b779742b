//! Memory that registers follow, none of them while one function calls another: what that allocates it does not store to their
//! pointers, so a checkpoint in there knows nothing of it.
//!
//! Many registers follow the same memory, and many calls are in reach of the same registers: lists of cells are told apart once, and what
//! decides between them is looked at once for each caller and each callee.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::classes::{Table, known};
use super::cover::Covers;
use super::facts::Facts;
use crate::analysis::memory::CellSet;
use crate::dataflow::steps::RoutineId;

/// What registers follow.
pub(super) struct Following<'a> {
    facts: &'a Facts<'a>,
    covers: &'a Covers,
    /// The different lists of memory.
    lists: Vec<&'a [usize]>,
    /// Items that follow something, by their number, and which of the lists.
    items: Vec<(usize, usize)>,
    /// For each function those of `items` that may be there when it makes a call.
    there: Table<RoutineId, Rc<CellSet>>,
    /// For each function those whose pointers it may store to.
    reached: Table<RoutineId, Rc<CellSet>>,
}

/// Lists of memory, by number: what is out of reach is in one of the first, and in none of the others.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Lists {
    rest: CellSet,
    reached: CellSet,
}

impl<'a> Following<'a> {
    pub fn of(facts: &'a Facts<'a>, covers: &'a Covers) -> Following<'a> {
        let mut lists: Vec<&[usize]> = Vec::new();
        let mut numbers: FxHashMap<&[usize], usize> = FxHashMap::default();
        let mut items = Vec::new();
        for (number, cover) in covers.all.iter().enumerate() {
            if cover.followed.is_empty() {
                continue;
            }
            let list = *numbers.entry(&cover.followed).or_insert_with(|| {
                lists.push(&cover.followed);
                lists.len() - 1
            });
            items.push((number, list));
        }
        Following {
            facts,
            covers,
            lists,
            items,
            there: Table::default(),
            reached: Table::default(),
        }
    }

    /// What a call of this function by that one is out of reach of.
    pub fn out_of_reach(&self, caller: RoutineId, callee: RoutineId) -> Lists {
        let there = known(&self.there, caller, || {
            self.those(|item| self.covers.may_be_there(item, caller))
        });
        let reached = known(&self.reached, callee, || {
            let written = &self.facts.effects.summary(callee).writes;
            self.those(|item| {
                let named = &self.covers.all[item].named;
                named.iter().any(|cell| written.contains(*cell))
            })
        });
        let mut lists = Lists {
            rest: CellSet::with_capacity(self.lists.len()),
            reached: CellSet::with_capacity(self.lists.len()),
        };
        for one in there.ones() {
            let list = self.items[one].1;
            match reached.contains(one) {
                true => lists.reached.insert(list),
                false => lists.rest.insert(list),
            }
        }
        lists.rest.difference_with(&lists.reached);
        lists
    }

    /// The memory.
    pub fn cells(&self, lists: &Lists) -> Vec<usize> {
        let all = |of: &CellSet| {
            let mut cells = CellSet::with_capacity(self.facts.memory.cells.len());
            let lists = of.ones().flat_map(|one| self.lists[one].iter());
            lists.for_each(|cell| cells.insert(*cell));
            cells
        };
        let mut rest = all(&lists.rest);
        rest.difference_with(&all(&lists.reached));
        rest.ones().collect()
    }

    fn those(&self, is_one: impl Fn(usize) -> bool) -> Rc<CellSet> {
        let mut all = CellSet::with_capacity(self.items.len());
        let numbers = self.items.iter().enumerate();
        let those = numbers.filter(|(_, (item, _))| is_one(*item));
        those.for_each(|(number, _)| all.insert(number));
        Rc::new(all)
    }
}
