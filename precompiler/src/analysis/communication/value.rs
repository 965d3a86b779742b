//! Values with one component per rank.
//!
//! A component is a number, a term that stands for a number which nobody knows but which is the same wherever the same
//! term stands, or nothing that is known. A value whose components are all the same is *uniform*: every rank has it.
//!
//! A [`Shape`] says how a value depends on the rank `r` and the number of ranks `p`. Shapes other than [`Shape::Wild`] are
//! such that what holds for a few consecutive numbers of ranks holds for all larger ones: near both ends of `0 … p−1` the
//! value depends on the distance from that end only, and between them all ranks are alike, so that one more rank (two,
//! where odd and even ones differ) in the middle changes nothing.

use super::shared::Shared;

/// A component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sym {
    /// A number.
    Int(i64),
    /// An unknown number.
    Term(u32),
    /// Nothing is known, and other ranks may have something else.
    Unknown,
}

/// How a value depends on rank and number of ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `rank·r + ranks·p + constant`
    Linear {
        /// −1, 0 or 1.
        rank: i8,
        /// −1, 0 or 1.
        ranks: i8,
        /// What is added.
        constant: i64,
    },
    /// Put together from such forms by comparisons, remainders and choices.
    Piece,
    /// Anything else.
    Wild,
}

/// Constants beside ranks that are near enough to both ends.
const NEAR: u64 = 3;

impl Shape {
    /// A constant.
    pub const CONSTANT: Shape = Shape::Linear {
        rank: 0,
        ranks: 0,
        constant: 0,
    };

    /// Whether it does not depend on the number of ranks at all.
    pub fn is_constant(self) -> bool {
        matches!(
            self,
            Shape::Linear {
                rank: 0,
                ranks: 0,
                ..
            }
        )
    }

    /// That of a choice between two.
    pub fn or(self, other: Shape) -> Shape {
        match (self, other) {
            (Shape::Wild, _) | (_, Shape::Wild) => Shape::Wild,
            (one, other) if one == other => one,
            _ => Shape::Piece,
        }
    }
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// One component per rank.
    pub parts: Shared<Vec<Sym>>,
    /// How they come about.
    pub shape: Shape,
}

impl Value {
    /// The same on all ranks.
    pub fn same(ranks: usize, part: Sym) -> Value {
        let constant = match part {
            Sym::Int(number) => number,
            _ => 0,
        };
        Value {
            parts: Shared::new(vec![part; ranks]),
            shape: Shape::Linear {
                rank: 0,
                ranks: 0,
                constant,
            },
        }
    }

    /// Of which nothing is known.
    pub fn unknown(ranks: usize) -> Value {
        Value {
            parts: Shared::new(vec![Sym::Unknown; ranks]),
            shape: Shape::Piece,
        }
    }

    /// The same known thing on all these ranks.
    pub fn uniform(&self, mask: &[bool]) -> Option<Sym> {
        let mut parts = self.on(mask);
        let first = parts.next()?;
        (first != Sym::Unknown && parts.all(|one| one == first)).then_some(first)
    }

    /// Whether these ranks surely go the same way when control depends on it: all have the same, or there is only one.
    pub fn is_alike(&self, mask: &[bool]) -> bool {
        self.uniform(mask).is_some() || mask.iter().filter(|one| **one).count() == 1
    }

    /// The components of these ranks.
    pub fn on<'a>(&'a self, mask: &'a [bool]) -> impl Iterator<Item = Sym> + 'a {
        let parts = self.parts.iter().zip(mask);
        parts.filter(|(_, active)| **active).map(|(part, _)| *part)
    }

    /// Whether nothing is known on one of these ranks.
    pub fn is_varying(&self, mask: &[bool]) -> bool {
        self.on(mask).any(|part| part == Sym::Unknown)
    }

    /// The numbers of all these ranks.
    pub fn numbers(&self, mask: &[bool]) -> Option<Vec<i64>> {
        let parts = self.parts.iter().zip(mask);
        let number = |(part, active): (&Sym, &bool)| match (part, active) {
            (Sym::Int(number), true) => Some(*number),
            (_, false) => Some(0),
            _ => None,
        };
        parts.map(number).collect()
    }
}

/// The shape of a sum or a difference.
pub fn sum(left: &Value, right: &Value, sign: i8) -> Shape {
    match (left.shape, right.shape) {
        (
            Shape::Linear {
                rank: a,
                ranks: b,
                constant: c,
            },
            Shape::Linear {
                rank: d,
                ranks: e,
                constant: f,
            },
        ) => {
            let (rank, ranks) = (a + sign * d, b + sign * e);
            let constant = c.saturating_add(i64::from(sign).saturating_mul(f));
            let near = rank == 0 && ranks == 0 || constant.unsigned_abs() <= NEAR;
            if rank.abs() <= 1 && ranks.abs() <= 1 && near {
                Shape::Linear {
                    rank,
                    ranks,
                    constant,
                }
            } else {
                Shape::Wild
            }
        }
        (Shape::Piece, Shape::Linear { constant, .. }) if right.shape.is_constant() => {
            near(constant)
        }
        (Shape::Linear { constant, .. }, Shape::Piece) if left.shape.is_constant() => {
            near(constant)
        }
        _ => Shape::Wild,
    }
}

fn near(constant: i64) -> Shape {
    if constant.unsigned_abs() <= NEAR {
        Shape::Piece
    } else {
        Shape::Wild
    }
}

/// The shape of a comparison.
pub fn comparison(left: &Value, right: &Value) -> Shape {
    let is_far = |one: Shape, other: Shape| match one {
        Shape::Linear { constant, .. } => {
            one.is_constant() && !other.is_constant() && constant.unsigned_abs() > NEAR
        }
        _ => false,
    };
    match (left.shape, right.shape) {
        (Shape::Wild, _) | (_, Shape::Wild) => Shape::Wild,
        (one, other) if is_far(one, other) || is_far(other, one) => Shape::Wild,
        (one, other) if one.is_constant() && other.is_constant() => Shape::CONSTANT,
        _ => Shape::Piece,
    }
}

/// The shape of a remainder: in a ring of all ranks, or of odd and even ones.
pub fn remainder(left: &Value, right: &Value) -> Shape {
    match (left.shape, right.shape) {
        (one, other) if one.is_constant() && other.is_constant() => Shape::CONSTANT,
        (
            Shape::Linear { .. },
            Shape::Linear {
                rank: 0,
                ranks: 1,
                constant: 0,
            },
        ) => Shape::Piece,
        (
            Shape::Linear { ranks: 0, .. },
            Shape::Linear {
                constant: 1 | 2, ..
            },
        ) if right.shape.is_constant() => Shape::Piece,
        (
            Shape::Linear { rank: 0, .. },
            Shape::Linear {
                constant: 1 | 2, ..
            },
        ) if right.shape.is_constant() => Shape::Piece,
        _ => Shape::Wild,
    }
}

/// The shape of everything else.
pub fn other(left: &Value, right: &Value) -> Shape {
    if left.shape.is_constant() && right.shape.is_constant() {
        Shape::CONSTANT
    } else {
        Shape::Wild
    }
}

/// Terms that are computed from others, each once.
#[derive(Debug, Default)]
pub struct Terms {
    known: std::collections::HashMap<(u8, Sym, Sym), u32>,
    made: std::collections::HashMap<u32, (u8, Sym, Sym)>,
    next: u32,
}

impl Terms {
    /// The operation that a term is the result of, with its operands.
    pub fn made(&self, term: u32) -> Option<(u8, Sym, Sym)> {
        self.made.get(&term).copied()
    }

    /// A term that stands for something new.
    pub fn fresh(&mut self) -> Sym {
        self.next += 1;
        Sym::Term(self.next)
    }

    /// The result of an operation, the same for the same operands.
    pub fn of(&mut self, operation: u8, left: Sym, right: Sym) -> Sym {
        if left == Sym::Unknown || right == Sym::Unknown {
            return Sym::Unknown;
        }
        let made = (operation, left, right);
        let next = &mut self.next;
        let term = *self.known.entry(made).or_insert_with(|| {
            *next += 1;
            *next
        });
        self.made.insert(term, made);
        Sym::Term(term)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_number_is_far_from_every_rank() {
        let of = |rank, constant| Value {
            shape: Shape::Linear {
                rank,
                ranks: 0,
                constant,
            },
            ..Value::unknown(2)
        };
        let least = of(0, i64::MIN);
        assert_eq!(comparison(&of(1, 0), &least), Shape::Wild);
        assert_eq!(comparison(&of(1, 0), &of(0, 1)), Shape::Piece);
        assert_eq!(near(i64::MIN), Shape::Wild);
    }
}
