//! How many elements a block of memory has, in terms of what a function can name.
//!
//! In: the call that allocates it, and the calls of the program's own functions that lead there. Out: a polynomial of
//! cells, and the node of the function after which it holds. [`blocks`](super::blocks) finds it; here it is told.

use super::blocks::Asked;
use super::facts::Facts;
use super::polynomial::{Atom, Polynomial};
use super::term::Width;
use super::view::Known;
use crate::analysis::effects::Effects;
use crate::analysis::memory::{CellId, ObjectId};
use crate::analysis::points_to::PointsTo;
use crate::catalog::Catalogue;
use crate::dataflow::steps::{RoutineId, Steps, TypeRef};
use crate::program::Program;

/// Answers for one program.
pub struct Extents<'a> {
    facts: Facts<'a>,
}

/// A number of elements as C has it: what is added up, each a factor and what it is multiplied with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Amount {
    pub(super) polynomial: Polynomial,
    /// The number holds right after this node.
    pub routine: RoutineId,
    /// The node.
    pub node: usize,
}

impl<'a> Extents<'a> {
    /// Gets ready; what is asked for is found then.
    pub fn of(
        program: &'a Program,
        steps: &'a Steps,
        points_to: &'a PointsTo,
        catalogue: &'a Catalogue,
        effects: &'a Effects,
    ) -> Extents<'a> {
        let facts = Facts::of(Known {
            program,
            steps,
            points_to,
            catalogue,
            effects,
        });
        Extents { facts }
    }

    /// How many elements of a type a block of the heap has, as `routine` sees it, or else as far out as it is known.
    pub fn amount(&self, object: ObjectId, element: TypeRef, routine: RoutineId) -> Option<Amount> {
        self.facts.block(object, element, routine)
    }

    /// The same polynomial with constants for what is always the same.
    pub fn normal(&self, amount: &Amount) -> Option<Amount> {
        Some(Amount {
            polynomial: self.facts.normal(&amount.polynomial)?,
            ..amount.clone()
        })
    }

    /// Whether the number is still the same when control comes to a node of a function.
    pub fn holds(&self, amount: &Amount, routine: RoutineId, node: usize) -> bool {
        let look = self.facts.look(routine);
        let site = (amount.routine, amount.node);
        amount
            .polynomial
            .cells()
            .all(|cell| self.facts.is_same(site, cell, look, &[node]))
    }

    /// Whether the number is still the same at the end of the node of its call.
    pub fn is_kept_by_its_node(&self, amount: &Amount) -> bool {
        let look = self.facts.look(amount.routine);
        let mut cells = amount.polynomial.cells();
        cells.all(|cell| {
            !self.facts.known.effects.is_unsteady(cell) && !look.any_changes(&[amount.node], cell)
        })
    }

    /// As C text; `name`: what a cell is called. None when something has no name.
    pub fn text(
        &self,
        amount: &Amount,
        name: &mut dyn FnMut(CellId) -> Option<String>,
    ) -> Option<String> {
        let mut text = String::new();
        // Sums begin with what varies.
        for (atoms, factor) in amount.polynomial.terms().rev() {
            let mut factors = Vec::new();
            if factor.abs() != 1 || atoms.is_empty() {
                factors.push(factor.abs().to_string());
            }
            let cells = atoms.iter().filter_map(|atom| match atom {
                Atom::Cell(cell) => Some(*cell),
                Atom::Size(_) => None,
            });
            // The product may have been computed as a wider type.
            let cells: Vec<CellId> = cells.collect();
            let mut cast = match cells.len() > 1 && cells.iter().all(|cell| self.is_narrow(*cell)) {
                true => "(unsigned long)",
                false => "",
            };
            for atom in atoms {
                factors.push(match atom {
                    Atom::Cell(cell) => format!("{}{}", std::mem::take(&mut cast), name(*cell)?),
                    Atom::Size(spelt) => format!("sizeof({spelt})"),
                });
            }
            let sign = match (factor < 0, text.is_empty()) {
                (true, true) => "-",
                (true, false) => " - ",
                (false, true) => "",
                (false, false) => " + ",
            };
            text.push_str(sign);
            text.push_str(&factors.join(" * "));
        }
        (!text.is_empty() && !text.starts_with('-')).then_some(text)
    }

    fn is_narrow(&self, cell: CellId) -> bool {
        let ty = self.facts.known.points_to.memory.cells[cell.0 as usize].ty;
        let width = ty.and_then(|ty| Width::of(&self.facts.known.program.units[ty.unit], ty.id));
        width.is_none_or(|width| width.bits < 64)
    }

    /// Whether a pointer leads to the beginning of a block whenever it leads to one of the heap.
    pub fn leads_to_beginnings(&self, pointer: CellId) -> bool {
        self.facts.begins(pointer, &mut Asked::default())
    }
}
