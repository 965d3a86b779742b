//! What is known about every cell at one place: changed or not since a restart would set it, covered by a register or
//! not.
//!
//! A cell is *changed* when code that does not run again on restart may have stored to it. It is *open* when on some
//! way no register covers it, and *lost* when on one and the same way it is changed and open: then a restart does not
//! bring it back. Ways are told apart as far as that, so that `if (root) { p = …; register(p); }` is right.
//!
//! Blocks of the heap are open from their allocation on. `made`: allocated by code that does not run again. What may
//! exist is `born`: a register covers nothing else. An allocation that a function makes only in some cases, and a register
//! that depends on the same cases, are not seen together; there it is enough that some way registers the block: `kept`.
//!
//! All sets are *may* sets: ways that meet unite them, and every operation works on each cell by itself. Hence what a
//! function does as a whole is known from what it does with four states ([`Basis`]).

use crate::analysis::memory::CellSet;

/// Cells by what may have happened to them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct State {
    /// Changed by code that does not run again.
    pub changed: CellSet,
    /// Without a register.
    pub open: CellSet,
    /// Both at once.
    pub lost: CellSet,
    /// Allocated by code that does not run again.
    pub made: CellSet,
    /// With a register.
    pub kept: CellSet,
    /// May exist; of no meaning for variables.
    pub born: CellSet,
}

impl State {
    /// Nothing has been changed, nothing is registered. `heap`: what is allocated.
    pub fn begin(count: usize, heap: &CellSet) -> State {
        let mut open = full(count);
        open.difference_with(heap);
        State {
            open,
            ..State::covered(count)
        }
    }

    /// A restart has done the same up to here.
    pub fn restarted(&mut self, heap: &CellSet) {
        let mut state = State::begin(self.open.len(), heap);
        state.open.union_with(&self.born);
        state.born = std::mem::take(&mut self.born);
        *self = state;
    }

    /// Nothing has been changed, and all is as if it were registered.
    fn covered(count: usize) -> State {
        let empty = || CellSet::with_capacity(count);
        State {
            changed: empty(),
            open: empty(),
            lost: empty(),
            made: empty(),
            kept: empty(),
            born: empty(),
        }
    }

    /// Ways meet. Whether that is news.
    pub fn join(&mut self, other: &State) -> bool {
        let mut news = false;
        for (mine, theirs) in self.sets_mut().into_iter().zip(other.sets()) {
            if !theirs.is_subset(mine) {
                mine.union_with(theirs);
                news = true;
            }
        }
        news
    }

    fn sets(&self) -> [&CellSet; 6] {
        [
            &self.changed,
            &self.open,
            &self.lost,
            &self.made,
            &self.kept,
            &self.born,
        ]
    }

    fn sets_mut(&mut self) -> [&mut CellSet; 6] {
        [
            &mut self.changed,
            &mut self.open,
            &mut self.lost,
            &mut self.made,
            &mut self.kept,
            &mut self.born,
        ]
    }

    /// These are as in another state.
    pub fn take(&mut self, other: &State, cells: impl Iterator<Item = usize>) {
        for cell in cells {
            for (mine, theirs) in self.sets_mut().into_iter().zip(other.sets()) {
                mine.set(cell, theirs.contains(cell));
            }
        }
    }

    /// Code that does not run again may store to them.
    pub fn change(&mut self, cells: impl Iterator<Item = usize>) {
        for cell in cells {
            self.changed.insert(cell);
            if self.open.contains(cell) {
                self.lost.insert(cell);
            }
        }
    }

    /// A restart sets them to what they are now.
    pub fn set_again(&mut self, cells: impl Iterator<Item = usize>) {
        for cell in cells {
            self.changed.set(cell, false);
            self.lost.set(cell, false);
        }
    }

    /// They are registered.
    pub fn cover(&mut self, cells: impl Iterator<Item = usize>) {
        for cell in cells {
            self.open.set(cell, false);
            self.lost.set(cell, false);
            self.kept.insert(cell);
        }
    }

    /// They may be registered.
    pub fn may_cover(&mut self, cells: impl Iterator<Item = usize>) {
        cells.for_each(|cell| self.kept.insert(cell));
    }

    /// They are not registered any more.
    pub fn uncover(&mut self, cells: impl Iterator<Item = usize>) {
        for cell in cells {
            self.open.insert(cell);
            self.kept.set(cell, false);
            if self.changed.contains(cell) {
                self.lost.insert(cell);
            }
        }
    }

    /// Locals come to life: nothing is in them.
    pub fn renew(&mut self, cells: impl Iterator<Item = usize>) {
        for cell in cells {
            self.changed.set(cell, false);
            self.lost.set(cell, false);
            self.open.insert(cell);
            self.kept.set(cell, false);
        }
    }

    /// Memory is allocated. `made`: by code that does not run again; `others`: there may be more of the same name, and
    /// what is in those stays.
    pub fn allocate(&mut self, cells: impl Iterator<Item = usize>, made: bool, others: bool) {
        for cell in cells {
            if !others {
                self.changed.set(cell, false);
                self.lost.set(cell, false);
                self.made.set(cell, made);
            } else if made {
                self.made.insert(cell);
            }
            self.born.insert(cell);
            if made || !others {
                self.open.insert(cell);
                self.kept.set(cell, false);
                if self.changed.contains(cell) {
                    self.lost.insert(cell);
                }
            }
        }
    }

    /// Memory is given back.
    pub fn release(&mut self, cells: impl Iterator<Item = usize>) {
        for cell in cells {
            for set in self.sets_mut() {
                set.set(cell, false);
            }
        }
    }
}

fn full(count: usize) -> CellSet {
    let mut set = CellSet::with_capacity(count);
    set.insert_range(..);
    set
}

/// What a function makes of four states: all cells unchanged and covered, changed and covered, unchanged and open,
/// changed and open. `None`: it does not return.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Basis(pub [Option<State>; 4]);

impl Basis {
    /// The four states before the call.
    pub fn entries(count: usize) -> [State; 4] {
        let covered = State::covered(count);
        let all = || full(count);
        let changed = State {
            changed: all(),
            made: all(),
            kept: all(),
            born: all(),
            ..covered.clone()
        };
        let open = State {
            open: all(),
            ..covered.clone()
        };
        let lost = State {
            open: all(),
            lost: all(),
            ..changed.clone()
        };
        [covered, changed, open, lost]
    }

    /// What the function makes of a state.
    pub fn apply(&self, before: &State) -> Option<State> {
        let [covered, changed, open, lost] = &self.0;
        let (covered, changed) = (covered.as_ref()?, changed.as_ref()?);
        let (open, lost) = (open.as_ref()?, lost.as_ref()?);
        let mut after = covered.clone();
        let mut add = |into: fn(&mut State) -> &mut CellSet, from: &CellSet, when: &CellSet| {
            let mut part = from.clone();
            part.intersect_with(when);
            into(&mut after).union_with(&part);
        };
        add(|s| &mut s.changed, &changed.changed, &before.changed);
        add(|s| &mut s.made, &changed.made, &before.made);
        add(|s| &mut s.kept, &changed.kept, &before.kept);
        add(|s| &mut s.born, &changed.born, &before.born);
        // What existed at `init` is open from there on.
        add(|s| &mut s.open, &changed.open, &before.born);
        add(|s| &mut s.open, &open.open, &before.open);
        add(|s| &mut s.lost, &changed.lost, &before.changed);
        add(|s| &mut s.lost, &open.lost, &before.open);
        add(|s| &mut s.lost, &lost.lost, &before.lost);
        Some(after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(cell: usize) -> impl Iterator<Item = usize> {
        std::iter::once(cell)
    }

    #[test]
    fn a_way_that_changes_and_registers_loses_nothing() {
        let mut then = State::begin(2, &CellSet::new());
        let otherwise = then.clone();
        then.change(one(0));
        then.cover(one(0));
        then.join(&otherwise);
        assert!(!then.lost.contains(0));
        then.change(one(0));
        assert!(then.lost.contains(0), "the other way has no register");
    }

    #[test]
    fn functions_are_known_from_four_states() {
        let act = |state: &mut State| {
            let mut other = state.clone();
            state.cover(one(0));
            state.change(one(1));
            other.uncover(one(0));
            other.set_again(one(2));
            other.allocate(one(2), true, true);
            state.join(&other);
        };
        let basis = Basis(Basis::entries(3).map(|mut state| {
            act(&mut state);
            Some(state)
        }));
        for changes in 0..8 {
            for covers in 0..8 {
                let mut state = State::begin(3, &CellSet::new());
                state.change((0..3).filter(|cell| changes >> cell & 1 == 1));
                state.cover((0..3).filter(|cell| covers >> cell & 1 == 1));
                let applied = basis.apply(&state);
                act(&mut state);
                assert_eq!(applied, Some(state));
            }
        }
    }
}
