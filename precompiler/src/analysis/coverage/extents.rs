//! How many elements a block of memory has, in terms of what a function can name.
//!
//! In: the call that allocates it, and the calls of the program's own functions that lead there. Out: a polynomial of
//! cells, and the node of the function after which it holds. [`blocks`](super::blocks) finds it; here it is told.

use super::blocks::Asked;
use super::facts::{Facts, Writer};
use super::term::term;
use super::view::Known;
use crate::analysis::effects::Effects;
use crate::analysis::memory::{CellId, ObjectId};
use crate::analysis::points_to::PointsTo;
use crate::analysis::polynomial::{Atom, Polynomial};
use crate::catalog::Catalogue;
use crate::dataflow::Control;
use crate::dataflow::steps::{RoutineId, Steps, TypeRef, ValueId};
use crate::program::Width;
use crate::program::{BinaryOperator, Expression, ExpressionKind, Program};

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

/// A number of elements that can be compared with others: a polynomial, divided by a constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elements {
    number: Polynomial,
    divisor: i128,
}

/// Which of two numbers is larger, when what varies is positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// The second one.
    Negative,
    /// Neither.
    Zero,
    /// The first one.
    Positive,
}

impl Elements {
    /// A constant.
    pub fn number(value: u64) -> Elements {
        Elements {
            number: Polynomial::constant(i128::from(value)),
            divisor: 1,
        }
    }

    /// Its value, when it is a constant.
    pub fn as_number(&self) -> Option<i128> {
        self.number.as_constant().filter(|_| self.divisor == 1)
    }

    /// The product.
    pub fn times(&self, other: &Elements) -> Option<Elements> {
        Some(Elements {
            number: self.number.times(&other.number)?,
            divisor: self.divisor.checked_mul(other.divisor)?,
        })
    }

    /// The sum.
    pub fn plus(&self, other: &Elements) -> Option<Elements> {
        let scaled = |one: &Elements, by: i128| one.number.times(&Polynomial::constant(by));
        Some(Elements {
            number: scaled(self, other.divisor)?.plus(&scaled(other, self.divisor)?)?,
            divisor: self.divisor.checked_mul(other.divisor)?,
        })
    }

    /// Compares two numbers; none when it depends on what varies.
    pub fn compared(&self, other: &Elements) -> Option<Sign> {
        let negative = Elements {
            number: other.number.times(&Polynomial::constant(-1))?,
            ..other.clone()
        };
        let difference = self.plus(&negative)?.number;
        if difference.is_zero() {
            return Some(Sign::Zero);
        }
        let all = |is: fn(i128) -> bool| difference.terms().all(|(_, factor)| is(factor));
        match (all(|factor| factor > 0), all(|factor| factor < 0)) {
            (true, _) => Some(Sign::Positive),
            (_, true) => Some(Sign::Negative),
            _ => None,
        }
    }
}

/// What is divided by a constant, and that constant.
fn quotient(expression: &Expression) -> Option<(&Expression, i128)> {
    if let ExpressionKind::Binary(operator, left, right) = &expression.kind
        && let ExpressionKind::Number(Some(by)) = right.kind
    {
        let by = match operator {
            BinaryOperator::Divide => by,
            BinaryOperator::ShiftRight if (0..63).contains(&by) => 1 << by,
            _ => return Some((expression, 1)),
        };
        return (by > 0).then_some((&**left, by));
    }
    Some((expression, 1))
}

impl<'a> Extents<'a> {
    /// Gets ready; what is asked for is found then.
    pub fn of(
        program: &'a Program,
        steps: &'a Steps,
        points_to: &'a PointsTo,
        catalogue: &'a Catalogue,
        effects: &'a Effects,
        control: &'a Control<'a>,
    ) -> Extents<'a> {
        let facts = Facts::of(Known {
            program,
            steps,
            points_to,
            catalogue,
            effects,
            control,
        });
        Extents { facts }
    }

    /// Where any of some cells may be stored to.
    pub fn writers_of_any(
        &self,
        cells: impl IntoIterator<Item = CellId>,
    ) -> impl Iterator<Item = Writer> + '_ {
        self.facts.writers_of_any(cells)
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

    /// The number that an expression of a function stands for; `held`: the cell that a name reads.
    pub fn elements(
        &self,
        routine: RoutineId,
        expression: &Expression,
        held: &dyn Fn(&Expression) -> Option<CellId>,
    ) -> Option<Elements> {
        let unit = self.facts.look(routine).unit;
        let held = |one: &Expression| Some(Polynomial::atom(Atom::Cell(held(one)?)));
        let (inner, divisor) = quotient(expression)?;
        Some(Elements {
            number: self.facts.normal(&term(unit, inner, &held)?)?,
            divisor,
        })
    }

    /// The same of a block.
    pub fn elements_of(&self, amount: &Amount) -> Option<Elements> {
        Some(Elements {
            number: self.facts.normal(&amount.polynomial)?,
            divisor: 1,
        })
    }

    /// The variable at whose beginning a pointer points, and how many elements of a type it has.
    pub fn array(&self, pointer: CellId, element: TypeRef) -> Option<(ObjectId, Elements)> {
        let run = self.facts.run(pointer, element)?;
        let number = run.elements.as_constant().filter(|_| run.site.is_none())?;
        Some((run.object, Elements::number(u64::try_from(number).ok()?)))
    }

    /// Whether a value leads to the beginning of a block of the heap, or lies before one, whenever it has to do with one.
    pub fn begins_or_lies_before(&self, routine: RoutineId, value: ValueId) -> bool {
        let look = self.facts.look(routine);
        self.facts
            .value_begins(look, value, &mut Asked::or_before())
    }

    /// Whether a pointer points to the beginning of a block whenever it leads to one of the heap.
    pub fn leads_to_beginnings(&self, pointer: CellId) -> bool {
        self.facts.begins(pointer, &mut Asked::default())
    }
}
