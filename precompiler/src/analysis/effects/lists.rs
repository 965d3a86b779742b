//! Lists of cells by numbers, and the same as runs: what pointers may point to is often thousands of neighbours.

use std::ops::Range;
use std::rc::Rc;

use crate::analysis::memory::{CellId, CellSet};

use super::model::SetId;

/// All lists; the first one is empty.
#[derive(Debug)]
pub struct Lists {
    cells: Vec<Rc<[CellId]>>,
    /// Neighbours together.
    runs: Vec<Box<[Range<usize>]>>,
}

impl Default for Lists {
    fn default() -> Lists {
        Lists {
            cells: vec![Rc::default()],
            runs: vec![Box::default()],
        }
    }
}

impl Lists {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.cells.len()
    }

    /// Takes one over, sorted and each cell once.
    pub fn add(&mut self, cells: Rc<[CellId]>) -> SetId {
        let runs = cells.chunk_by(|one, next| one.0 + 1 == next.0);
        let runs = runs.filter_map(|run| {
            let (first, last) = (run.first()?, run.last()?);
            Some(first.0 as usize..last.0 as usize + 1)
        });
        self.runs.push(runs.collect());
        self.cells.push(cells);
        SetId(self.cells.len() as u32 - 1)
    }

    /// All of them, in the order of their numbers.
    pub fn all(&self) -> impl Iterator<Item = &[CellId]> {
        self.cells.iter().map(|list| &**list)
    }

    /// The cells of a list.
    pub fn cells(&self, set: SetId) -> &[CellId] {
        &self.cells[set.0 as usize]
    }

    /// Puts them into a set.
    pub fn insert_into(&self, list: SetId, set: &mut CellSet) {
        for run in &self.runs[list.0 as usize] {
            set.insert_range(run.clone());
        }
    }

    /// Takes them out of a set.
    pub fn remove_from(&self, list: SetId, set: &mut CellSet) {
        for run in &self.runs[list.0 as usize] {
            set.remove_range(run.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_the_cells_of_a_list() {
        let mut lists = Lists::default();
        let cells: Rc<[CellId]> = [1, 2, 3, 7, 64, 65, 200].map(CellId).into();
        let list = lists.add(cells.clone());
        let mut set = CellSet::with_capacity(256);
        lists.insert_into(list, &mut set);
        assert!(set.ones().eq(cells.iter().map(|cell| cell.0 as usize)));
        set.insert(8);
        lists.remove_from(list, &mut set);
        assert_eq!(set.ones().collect::<Vec<_>>(), [8]);
        lists.insert_into(SetId::default(), &mut set);
        assert_eq!(set.count_ones(..), 1);
    }
}
