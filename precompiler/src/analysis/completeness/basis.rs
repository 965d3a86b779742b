//! What a function does as a whole.
//!
//! In: what it makes of a few states. Out: what it makes of any. The one idea: every operation works on each cell by
//! itself and keeps unions, so that what happens to a cell depends on nothing but in which sets it was.
//!
//! Not here: the operations ([`running`](super::running)).

use super::running::{BORN, CHANGED, KEPT, LOOSE, LOST, MADE, OPEN, Running, SETS, Universe};

/// What a function makes of a few states: all cells unchanged and covered, changed and covered, unchanged and open,
/// changed and open; and, where registers follow pointers, the first two without that. `None`: it does not return.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Basis(pub [Option<Running>; 6]);

impl Basis {
    /// The states before the call.
    pub fn entries(universe: &Universe) -> Vec<Running> {
        let covered = Running::covered(universe);
        let with = |sets: &[usize]| {
            let mut state = covered.clone();
            sets.iter().for_each(|set| state.fill(*set));
            state
        };
        let mut entries = vec![
            covered.clone(),
            with(&[CHANGED, MADE, KEPT, BORN]),
            // Memory that is open exists: a register covers it.
            with(&[BORN, OPEN]),
            with(&[CHANGED, MADE, KEPT, BORN, OPEN, LOST]),
        ];
        if universe.follows {
            entries.push(with(&[LOOSE]));
            entries.push(with(&[CHANGED, MADE, KEPT, BORN, LOOSE]));
        }
        entries
    }

    /// What this one or the other one makes of states, as long as they return.
    pub fn join(&mut self, other: &Basis) {
        let [covered, changed, open, lost, ..] = &other.0;
        if [covered, changed, open, lost]
            .iter()
            .any(|one| one.is_none())
        {
            return;
        }
        for (known, more) in self.0.iter_mut().zip(&other.0) {
            match (known, more) {
                (Some(known), Some(more)) => {
                    known.join(more);
                }
                (known, Some(more)) => *known = Some(more.clone()),
                (_, None) => {}
            }
        }
    }

    /// What the function makes of a state.
    pub fn apply(&self, before: &Running) -> Option<Running> {
        let [covered, changed, open, lost, loose, changed_loose] = &self.0;
        let chosen = |tight: &Option<Running>, loose: &Option<Running>| {
            let mut chosen = tight.clone()?;
            for set in 0..if loose.is_some() { SETS } else { 0 } {
                let from = loose.iter().flat_map(|loose| loose.set(set));
                let masks = from.zip(before.set(LOOSE));
                for (word, (loose, is_loose)) in chosen.set_mut(set).iter_mut().zip(masks) {
                    *word = *word & !is_loose | loose & is_loose;
                }
            }
            Some(chosen)
        };
        let (mut after, changed) = (chosen(covered, loose)?, chosen(changed, changed_loose)?);
        let (open, lost) = (open.as_ref()?, lost.as_ref()?);
        let mut add = |set: usize, from: &Running, when: usize| {
            let parts = from.set(set).iter().zip(before.set(when));
            for (word, (from, when)) in after.set_mut(set).iter_mut().zip(parts) {
                *word |= from & when;
            }
        };
        add(CHANGED, &changed, CHANGED);
        add(MADE, &changed, MADE);
        add(KEPT, &changed, KEPT);
        add(BORN, &changed, BORN);
        // What existed at `init` is open from there on.
        add(OPEN, &changed, BORN);
        add(OPEN, open, OPEN);
        add(LOST, &changed, CHANGED);
        add(LOST, open, OPEN);
        add(LOST, lost, LOST);
        Some(after)
    }
}

#[cfg(test)]
mod tests {
    use super::super::running::Part;
    use super::super::shadows::Shadows;
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

    #[test]
    fn functions_are_known_from_a_few_states() {
        let cells = universe(3);
        let [a, b, c] = [0, 1, 2].map(|cell| one(&cells, cell));
        let act = |state: &mut Running| {
            let mut other = state.clone();
            state.cover(&a);
            state.change(&b);
            other.uncover(&a);
            other.set_again(&c);
            other.allocate(&c, true, true);
            state.join(&other);
        };
        let results = Basis::entries(&cells).into_iter().map(|mut state| {
            act(&mut state);
            Some(state)
        });
        let mut basis = Basis::default();
        basis
            .0
            .iter_mut()
            .zip(results)
            .for_each(|(to, one)| *to = one);
        for changes in 0..8 {
            for covers in 0..8 {
                let mut state = Running::begin(&cells, &cells.part(std::iter::empty()));
                state.change(&cells.part((0..3).filter(|cell| changes >> cell & 1 == 1)));
                state.cover(&cells.part((0..3).filter(|cell| covers >> cell & 1 == 1)));
                let applied = basis.apply(&state);
                act(&mut state);
                assert_eq!(applied, Some(state));
            }
        }
    }
}
