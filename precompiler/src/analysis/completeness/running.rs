//! States while the program is being followed: of classes of cells instead of cells.
//!
//! Every operation on a [`State`](super::state::State) works on each cell by itself. So cells that are in the same sets
//! everywhere in the program have the same fate, and there is one bit for all of them. The one idea: a [`Part`], the only
//! thing that operations take, is made from cells by the [`Universe`], which notices when a class is cut by it. Then what
//! was found so far is thrown away, and the classes become smaller.
//!
//! ```text
//! { a, b } { b, c, d } are used      classes: a | b | c d | everything else
//! ```
//!
//! What a function does as a whole is known from what it does with a few states ([`Basis`](super::basis::Basis)).
//!
//! Not here: which operations there are to be done ([`engine`](super::engine)).

use std::cell::RefCell;
use std::ops::{Index, IndexMut};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::shadows::Shadows;

use crate::analysis::memory::CellSet;

/// Changed by code that does not run again.
pub(super) const CHANGED: usize = 0;
/// Without a register.
pub(super) const OPEN: usize = 1;
/// Both at once.
pub(super) const LOST: usize = 2;
/// Allocated by code that does not run again.
pub(super) const MADE: usize = 3;
/// With a register.
pub(super) const KEPT: usize = 4;
/// May exist; of no meaning for variables.
pub(super) const BORN: usize = 5;
/// No register follows a pointer into it: what is allocated is open.
pub(super) const LOOSE: usize = 6;
/// How many sets there are.
pub(super) const SETS: usize = 7;

/// Cells in classes.
#[derive(Debug, Default)]
pub(super) struct Universe {
    class: Vec<u32>,
    sizes: Vec<u32>,
    cut: RefCell<Vec<Vec<usize>>>,
    /// Some register follows its pointer into new memory.
    pub(super) follows: bool,
    shadows: Shadows,
}

/// Some classes: words of their set that are not empty, with their position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part(Rc<[(u32, u64)]>);

impl Default for Part {
    fn default() -> Part {
        Part(Rc::new([]))
    }
}

impl Universe {
    /// All cells are alike so far, but for the shadows.
    pub fn new(count: usize, follows: bool, shadows: &Shadows) -> Universe {
        let all = count + shadows.cells().len();
        let mut universe = Universe {
            class: vec![0; all],
            sizes: vec![all as u32],
            cut: RefCell::default(),
            follows,
            shadows: shadows.clone(),
        };
        for shadow in shadows.cells() {
            universe.split(std::iter::once(shadow));
        }
        universe
    }

    /// The cells of a set differ from others.
    pub fn split(&mut self, cells: impl Iterator<Item = usize>) {
        let cells = sorted(cells);
        let mut inside: FxHashMap<u32, u32> = FxHashMap::default();
        for cell in &cells {
            *inside.entry(self.class[*cell]).or_default() += 1;
        }
        let mut new: FxHashMap<u32, u32> = FxHashMap::default();
        for cell in cells {
            let old = self.class[cell];
            let count = inside.get(&old).copied().unwrap_or(0);
            if !new.contains_key(&old) && count < self.sizes[old as usize] {
                new.insert(old, self.sizes.len() as u32);
                self.sizes.push(0);
            }
            if let Some(class) = new.get(&old) {
                self.sizes[old as usize] -= 1;
                self.sizes[*class as usize] += 1;
                self.class[cell] = *class;
                inside.entry(old).and_modify(|count| *count -= 1);
            }
        }
    }

    /// The classes of some cells and of their shadows.
    pub fn part(&self, cells: impl Iterator<Item = usize>) -> Part {
        self.exactly(cells.flat_map(|cell| std::iter::once(cell).chain(self.shadows.both(cell))))
    }

    /// The classes of some cells.
    pub fn exactly(&self, cells: impl Iterator<Item = usize>) -> Part {
        let cells = sorted(cells);
        let mut classes: Vec<u32> = cells.iter().map(|cell| self.class[*cell]).collect();
        classes.sort_unstable();
        let mut is_cut = false;
        for alike in classes.chunk_by(|a, b| a == b) {
            is_cut |= alike.len() as u32 != self.sizes[alike[0] as usize];
        }
        if is_cut {
            self.cut.borrow_mut().push(cells);
        }
        classes.dedup();
        let words = classes.chunk_by(|a, b| a / 64 == b / 64).map(|alike| {
            let bits = alike.iter().map(|class| 1 << (class % 64));
            (
                alike[0] / 64,
                bits.fold(0, |word: u64, bit: u64| word | bit),
            )
        });
        Part(words.collect())
    }

    /// Whether a part was asked for that cuts a class: what is known in terms of classes is worth nothing then.
    pub fn is_cut(&self) -> bool {
        !self.cut.borrow().is_empty()
    }

    /// With classes that none of the parts cuts that were asked for.
    pub fn finer(mut self) -> Universe {
        for cells in self.cut.take() {
            self.split(cells.into_iter());
        }
        self
    }

    /// How many words a set of classes has.
    pub fn width(&self) -> usize {
        self.sizes.len().div_ceil(64)
    }

    /// All cells of a set.
    pub fn cells(&self, state: &Running, set: usize) -> CellSet {
        let mut cells = CellSet::with_capacity(self.class.len());
        for (cell, class) in self.class.iter().enumerate() {
            if state.has(set, *class) {
                cells.insert(cell);
            }
        }
        cells
    }
}

fn sorted(cells: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut cells: Vec<usize> = cells.collect();
    cells.sort_unstable();
    cells.dedup();
    cells
}

/// Classes of cells by what may have happened to them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Running {
    /// The sets, one behind the other.
    words: Box<[u64]>,
    pub(super) width: usize,
}

impl Running {
    /// Nothing has been changed, nothing is registered. `heap`: what is allocated.
    pub fn begin(universe: &Universe, heap: &Part) -> Running {
        let mut state = Running::covered(universe);
        state.fill(OPEN);
        state.fill(LOOSE);
        for (at, heap) in heap.words() {
            state[(OPEN, at)] &= !heap;
        }
        state
    }

    /// A restart has done the same up to here.
    pub fn restarted(&mut self, universe: &Universe, heap: &Part) {
        let mut state = Running::begin(universe, heap);
        for word in 0..self.width {
            let born = self.words[BORN * self.width + word];
            state.words[OPEN * self.width + word] |= born;
            state.words[BORN * self.width + word] = born;
        }
        *self = state;
    }

    /// Nothing has been changed, and all is as if it were registered.
    pub(super) fn covered(universe: &Universe) -> Running {
        let width = universe.width();
        let mut state = Running {
            words: vec![0; width * SETS].into(),
            width,
        };
        // Where nothing follows, nobody has to tell it apart.
        if !universe.follows {
            state.fill(LOOSE);
        }
        state
    }

    pub(super) fn fill(&mut self, set: usize) {
        self.set_mut(set).fill(u64::MAX);
    }

    pub(super) fn set(&self, set: usize) -> &[u64] {
        &self.words[set * self.width..(set + 1) * self.width]
    }

    pub(super) fn set_mut(&mut self, set: usize) -> &mut [u64] {
        &mut self.words[set * self.width..(set + 1) * self.width]
    }

    fn has(&self, set: usize, class: u32) -> bool {
        self[(set, class as usize / 64)] & (1 << (class % 64)) != 0
    }

    /// Ways meet. Whether that is news.
    pub fn join(&mut self, other: &Running) -> bool {
        let mut news = 0;
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            news |= theirs & !*mine;
            *mine |= theirs;
        }
        news != 0
    }

    /// These are as in another state.
    pub fn take(&mut self, other: &Running, part: &Part) {
        for (at, part) in part.words() {
            for set in 0..SETS {
                self.choose((set, at), part, other);
            }
        }
    }

    /// Code that does not run again may store to them.
    pub fn change(&mut self, part: &Part) {
        for (at, part) in part.words() {
            self[(CHANGED, at)] |= part;
            self[(LOST, at)] |= self[(OPEN, at)] & part;
        }
    }

    /// A restart sets them to what they are now.
    pub fn set_again(&mut self, part: &Part) {
        for (at, part) in part.words() {
            self[(CHANGED, at)] &= !part;
            self[(LOST, at)] &= !part;
        }
    }

    /// Those that may exist.
    pub fn born(&self, part: &Part) -> Part {
        let born = part
            .0
            .iter()
            .map(|(at, part)| (*at, part & self[(BORN, *at as usize)]));
        Part(born.filter(|(_, part)| *part != 0).collect())
    }

    /// They are registered.
    pub fn cover(&mut self, part: &Part) {
        part.words().for_each(|(at, part)| self.close(at, part));
    }

    /// A register follows its pointer into such memory, whenever that is allocated.
    pub fn follow(&mut self, part: &Part) {
        for (at, part) in part.words() {
            self[(LOOSE, at)] &= !part;
        }
    }

    /// No register does any more.
    pub fn loosen(&mut self, part: &Part) {
        for (at, part) in part.words() {
            self[(LOOSE, at)] |= part;
        }
    }

    /// Registers follow there as in another state.
    pub fn follow_as(&mut self, other: &Running, part: &Part) {
        for (at, part) in part.words() {
            self.choose((LOOSE, at), part, other);
        }
    }

    /// What was allocated in a call is covered where a register of the caller follows its pointer there.
    pub fn cover_new(&mut self, before: &Running, part: &Part) {
        for (at, part) in part.words() {
            let new = self[(OPEN, at)] & !before[(OPEN, at)];
            self.close(at, part & new & !self[(LOOSE, at)]);
        }
    }

    /// A call is over: what is registered is as before it, and what was changed before it or in it.
    pub fn come_back(&mut self, before: &Running, part: &Part) {
        for (at, part) in part.words() {
            self.choose((OPEN, at), part, before);
            self.choose((KEPT, at), part, before);
            self[(CHANGED, at)] |= before[(CHANGED, at)] & part;
            let open = before[(OPEN, at)] & self[(CHANGED, at)];
            self[(LOST, at)] &= !part | open;
            self[(LOST, at)] |= before[(LOST, at)] & part;
        }
    }

    /// They may be registered.
    pub fn may_cover(&mut self, part: &Part) {
        for (at, part) in part.words() {
            self[(KEPT, at)] |= part;
        }
    }

    /// They are not registered any more.
    pub fn uncover(&mut self, part: &Part) {
        part.words().for_each(|(at, part)| self.open(at, part));
    }

    /// Locals come to life: nothing is in them.
    pub fn renew(&mut self, part: &Part) {
        for (at, part) in part.words() {
            self[(CHANGED, at)] &= !part;
            self[(LOST, at)] &= !part;
            self.open(at, part);
        }
    }

    /// Memory is allocated. `made`: by code that does not run again; `others`: there may be more of the same name, and
    /// what is in those stays.
    pub fn allocate(&mut self, part: &Part, made: bool, others: bool) {
        for (at, part) in part.words() {
            if !others {
                self[(CHANGED, at)] &= !part;
                self[(LOST, at)] &= !part;
                self[(MADE, at)] &= !part;
            }
            self[(BORN, at)] |= part;
            if made {
                self[(MADE, at)] |= part;
                let followed = part & !self[(LOOSE, at)];
                self.close(at, followed);
                self.open(at, part & !followed);
            } else if !others {
                self.open(at, part);
            }
        }
    }

    /// Memory may be allocated by code that runs again: no register has it, and nothing is in it that a restart does not bring.
    pub fn allocate_again(&mut self, part: &Part) {
        for (at, part) in part.words() {
            self[(BORN, at)] |= part;
            self[(OPEN, at)] |= part;
        }
    }

    /// Memory is given back.
    pub fn release(&mut self, part: &Part) {
        for (at, part) in part.words() {
            (0..SETS).for_each(|set| self[(set, at)] &= !part);
        }
    }

    /// These of a word are registered.
    fn close(&mut self, at: usize, part: u64) {
        self[(OPEN, at)] &= !part;
        self[(LOST, at)] &= !part;
        self[(KEPT, at)] |= part;
    }

    /// These of a word are not.
    fn open(&mut self, at: usize, part: u64) {
        self[(OPEN, at)] |= part;
        self[(KEPT, at)] &= !part;
        self[(LOST, at)] |= self[(CHANGED, at)] & part;
    }

    /// These of a word are as in another state.
    fn choose(&mut self, word: (usize, usize), part: u64, other: &Running) {
        self[word] = self[word] & !part | other[word] & part;
    }
}

impl Part {
    /// The words, with their positions.
    fn words(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        self.0.iter().map(|(at, word)| (*at as usize, *word))
    }
}

/// A word of a set.
impl Index<(usize, usize)> for Running {
    type Output = u64;

    fn index(&self, (set, at): (usize, usize)) -> &u64 {
        &self.words[set * self.width + at]
    }
}

impl IndexMut<(usize, usize)> for Running {
    fn index_mut(&mut self, (set, at): (usize, usize)) -> &mut u64 {
        &mut self.words[set * self.width + at]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every cell is a class.
    fn universe(count: usize) -> Universe {
        let mut universe = Universe::new(count, true, &Shadows::default());
        (0..count).for_each(|cell| universe.split(std::iter::once(cell)));
        universe
    }

    fn one(universe: &Universe, cell: usize) -> Part {
        universe.part(std::iter::once(cell))
    }

    fn count(part: &Part) -> u32 {
        part.words().map(|(_, word)| word.count_ones()).sum()
    }

    #[test]
    fn a_way_that_changes_and_registers_loses_nothing() {
        let cells = universe(2);
        let first = one(&cells, 0);
        let mut then = Running::begin(&cells, &cells.part(std::iter::empty()));
        let otherwise = then.clone();
        then.change(&first);
        then.cover(&first);
        then.join(&otherwise);
        assert!(!cells.cells(&then, LOST).contains(0));
        then.change(&first);
        assert!(
            cells.cells(&then, LOST).contains(0),
            "the other way has no register"
        );
    }

    #[test]
    fn a_part_that_cuts_a_class_is_noticed_and_makes_the_classes_smaller() {
        let mut cells = Universe::new(70, false, &Shadows::default());
        cells.split([1, 2, 3].into_iter());
        cells.split([3, 4].into_iter());
        assert_eq!(count(&cells.part(1..3)), 1);
        assert_eq!(count(&cells.part(1..5)), 3);
        assert!(!cells.is_cut());
        cells.part(2..4);
        assert!(cells.is_cut());
        let cells = cells.finer();
        assert!(!cells.is_cut());
        assert_eq!(count(&cells.part(2..4)), 2);
        assert_eq!(count(&cells.part(0..70)), 5);
        assert!(!cells.is_cut());
    }
}
