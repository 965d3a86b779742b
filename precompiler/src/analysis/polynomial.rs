//! Sums of products of cells, with integer coefficients: `n * m - 1`; and amounts of the catalogue as such sums.

use std::collections::BTreeMap;

use cccp_grammar::Amount;

use crate::catalog::LibraryFunction;

use crate::analysis::memory::CellId;

/// More terms than any extent or index has.
const MOST_TERMS: usize = 24;

/// Something whose value is not known.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Atom {
    /// What a cell holds.
    Cell(CellId),
    /// The size of a type that is not the same on all machines, by its spelling.
    Size(String),
}

/// A polynomial. No term has the coefficient 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Polynomial {
    terms: BTreeMap<Vec<Atom>, i128>,
}

impl Polynomial {
    /// A number.
    pub fn constant(value: i128) -> Polynomial {
        let mut terms = BTreeMap::new();
        if value != 0 {
            terms.insert(Vec::new(), value);
        }
        Polynomial { terms }
    }

    /// An atom.
    pub fn atom(atom: Atom) -> Polynomial {
        Polynomial {
            terms: BTreeMap::from([(vec![atom], 1)]),
        }
    }

    /// A number of elements or bytes that a library function computes. `argument`: what it is given at a position; `items`: of how
    /// many bytes the datatype of MPI is that is handed over there.
    pub fn amount(
        amount: &Amount,
        function: &LibraryFunction,
        argument: &dyn Fn(usize) -> Option<Polynomial>,
        items: &dyn Fn(usize) -> Option<u64>,
    ) -> Option<Polynomial> {
        let inner = |one: &Amount| Polynomial::amount(one, function, argument, items);
        let position = |name: &str| function.parameters.iter().position(|one| one == name);
        match amount {
            Amount::Number(number) => Some(Polynomial::constant(i128::from(*number))),
            Amount::Parameter {
                name,
                behind: false,
            } => argument(position(&name.text)?),
            Amount::Of(count, datatype) => {
                let bytes = items(position(&datatype.text)?)?;
                inner(count)?.times(&Polynomial::constant(i128::from(bytes)))
            }
            Amount::Product(factors) => {
                let one = Polynomial::constant(1);
                { factors.iter() }.try_fold(one, |product, factor| product.times(&inner(factor)?))
            }
            Amount::Sum(terms) => {
                let mut terms = terms.iter();
                terms.try_fold(Polynomial::default(), |sum, (subtracted, term)| {
                    let term = inner(term)?;
                    match subtracted {
                        true => sum.minus(&term),
                        false => sum.plus(&term),
                    }
                })
            }
            Amount::Parameter { .. } | Amount::Measure(..) => None,
        }
    }

    /// Its value, when it is a number.
    pub fn as_constant(&self) -> Option<i128> {
        match self.terms.len() {
            0 => Some(0),
            1 => self.terms.get(&Vec::new()).copied(),
            _ => None,
        }
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// The atoms, some of them more than once.
    pub fn atoms(&self) -> impl Iterator<Item = &Atom> {
        self.terms.keys().flatten()
    }

    /// All terms: what is multiplied with each other, and the factor before it.
    pub fn terms(&self) -> impl DoubleEndedIterator<Item = (&[Atom], i128)> {
        let terms = self.terms.iter();
        terms.map(|(atoms, factor)| (atoms.as_slice(), *factor))
    }

    /// The cells among them.
    pub fn cells(&self) -> impl Iterator<Item = CellId> + '_ {
        self.atoms().filter_map(|atom| match atom {
            Atom::Cell(cell) => Some(*cell),
            Atom::Size(_) => None,
        })
    }

    /// The sum.
    pub fn plus(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut sum = self.clone();
        for (atoms, factor) in &other.terms {
            sum.add(atoms.clone(), *factor)?;
        }
        Some(sum)
    }

    /// The difference.
    pub fn minus(&self, other: &Polynomial) -> Option<Polynomial> {
        self.plus(&other.times(&Polynomial::constant(-1))?)
    }

    /// The product.
    pub fn times(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut product = Polynomial::default();
        for (left, a) in &self.terms {
            for (right, b) in &other.terms {
                let mut atoms = [left.as_slice(), right.as_slice()].concat();
                atoms.sort_unstable();
                product.add(atoms, a.checked_mul(*b)?)?;
            }
        }
        Some(product)
    }

    fn add(&mut self, atoms: Vec<Atom>, factor: i128) -> Option<()> {
        let sum = self.terms.get(&atoms).copied().unwrap_or(0);
        match sum.checked_add(factor)? {
            0 => self.terms.remove(&atoms),
            sum => self.terms.insert(atoms, sum),
        };
        (self.terms.len() <= MOST_TERMS).then_some(())
    }

    /// By what a cell is multiplied; none when it is not linear in the cell.
    pub fn coefficient(&self, cell: CellId) -> Option<Polynomial> {
        let wanted = Atom::Cell(cell);
        let mut found = Polynomial::default();
        for (atoms, factor) in &self.terms {
            match atoms.iter().filter(|atom| **atom == wanted).count() {
                0 => {}
                1 => {
                    let rest = atoms.iter().filter(|atom| **atom != wanted);
                    found.add(rest.cloned().collect(), *factor)?;
                }
                _ => return None,
            }
        }
        Some(found)
    }

    /// The quotient, when nothing remains of any term. The divisor must be a product of a number and atoms.
    pub fn divided(&self, by: &Polynomial) -> Option<Polynomial> {
        let (divisor, number) = by.terms.iter().next().filter(|_| by.terms.len() == 1)?;
        let mut quotient = Polynomial::default();
        for (atoms, factor) in &self.terms {
            if factor % number != 0 {
                return None;
            }
            let mut rest = atoms.clone();
            for atom in divisor {
                let at = rest.iter().position(|one| one == atom)?;
                rest.remove(at);
            }
            quotient.add(rest, factor / number)?;
        }
        Some(quotient)
    }

    /// With another polynomial in the place of every atom.
    pub fn mapped(&self, of: &mut dyn FnMut(&Atom) -> Option<Polynomial>) -> Option<Polynomial> {
        let mut sum = Polynomial::default();
        for (atoms, factor) in &self.terms {
            let mut product = Polynomial::constant(*factor);
            for atom in atoms {
                product = product.times(&of(atom)?)?;
            }
            sum = sum.plus(&product)?;
        }
        Some(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(number: u32) -> Polynomial {
        Polynomial::atom(Atom::Cell(CellId(number)))
    }

    #[test]
    fn equal_sums_are_equal() {
        let (n, m, one) = (cell(1), cell(2), Polynomial::constant(1));
        let left = n.plus(&one).and_then(|sum| sum.times(&m));
        let right = m.times(&n).and_then(|product| product.plus(&m));
        assert_eq!(left, right);
        assert_eq!(n.minus(&n), Some(Polynomial::constant(0)));
        assert_eq!(Polynomial::constant(0).as_constant(), Some(0));
        assert_eq!(n.as_constant(), None);
    }

    #[test]
    fn coefficients_are_taken_out() {
        let (i, m) = (cell(1), cell(2));
        let index = i.times(&m).and_then(|row| row.plus(&cell(3)));
        let index = index.expect("small");
        assert_eq!(index.coefficient(CellId(1)), Some(m));
        assert_eq!(index.coefficient(CellId(3)), Some(Polynomial::constant(1)));
        assert_eq!(i.times(&i).expect("small").coefficient(CellId(1)), None);
    }

    #[test]
    fn what_leaves_a_remainder_is_not_divided() {
        let bytes = cell(1).times(&Polynomial::constant(8)).expect("small");
        assert_eq!(bytes.divided(&Polynomial::constant(8)), Some(cell(1)));
        assert_eq!(bytes.divided(&Polynomial::constant(16)), None);
        assert_eq!(bytes.divided(&cell(1)), Some(Polynomial::constant(8)));
        assert_eq!(bytes.divided(&cell(2)), None);
        assert_eq!(bytes.divided(&Polynomial::constant(0)), None);
    }
}
