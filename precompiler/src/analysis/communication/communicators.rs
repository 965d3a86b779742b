//! Communicators: who is in them, and at which place of a grid.
//!
//! Handles are numbers from [`FIRST`] on, one per call that made one: all ranks have the same number, and each is in one
//! of its groups.

use super::value::Sym;

/// The handle of `MPI_COMM_NULL`.
pub const NULL: i64 = 1 << 40;
/// The handle of `MPI_COMM_WORLD`.
pub const WORLD: i64 = NULL + 1;
/// The handle of `MPI_COMM_SELF`.
pub const SELF: i64 = NULL + 2;

/// A communicator, or several that were made by one call.
#[derive(Clone, Debug, PartialEq)]
pub struct Communicator {
    /// The group of every rank; none where it is in none.
    pub group: Vec<Option<u32>>,
    /// Its rank there.
    pub rank: Vec<i64>,
    /// The size of its group.
    pub size: Vec<i64>,
    /// Extents and periods of a grid.
    pub grid: Option<(Vec<i64>, Vec<bool>)>,
    /// Which rank is which process is not known any more.
    pub is_lost: bool,
}

/// All communicators of a run.
#[derive(Debug)]
pub struct Communicators {
    all: Vec<Communicator>,
}

impl Communicators {
    /// Those that are always there.
    pub fn new(ranks: usize) -> Communicators {
        let none = Communicator {
            group: vec![None; ranks],
            rank: vec![0; ranks],
            size: vec![0; ranks],
            grid: None,
            is_lost: false,
        };
        let world = Communicator {
            group: vec![Some(0); ranks],
            rank: (0..ranks as i64).collect(),
            size: vec![ranks as i64; ranks],
            grid: None,
            is_lost: false,
        };
        let own = Communicator {
            group: (0..ranks as u32).map(Some).collect(),
            rank: vec![0; ranks],
            size: vec![1; ranks],
            grid: None,
            is_lost: false,
        };
        Communicators {
            all: vec![none, world, own],
        }
    }

    /// The number of a handle.
    pub fn number(&self, handle: Sym) -> Option<usize> {
        let number = match handle {
            Sym::Int(0x0400_0000) => 0,
            Sym::Int(0x4400_0000) => 1,
            Sym::Int(0x4400_0001) => 2,
            Sym::Int(number) => usize::try_from(number - NULL).ok()?,
            _ => return None,
        };
        (number < self.all.len()).then_some(number)
    }

    /// A communicator.
    pub fn get(&self, number: usize) -> &Communicator {
        &self.all[number]
    }

    /// A new one. The same one when an equal one was made before at the end of the list: loops that make one in every
    /// iteration do not fill the table.
    pub fn add(&mut self, communicator: Communicator) -> Sym {
        self.all.push(communicator);
        Sym::Int(NULL + self.all.len() as i64 - 1)
    }

    /// The rank in the world of a member of a rank's group.
    pub fn member(&self, number: usize, of: usize, rank: i64) -> Option<usize> {
        let one = &self.all[number];
        let group = one.group[of]?;
        (0..one.group.len())
            .find(|&other| one.group[other] == Some(group) && one.rank[other] == rank)
    }

    /// Ranks are numbered anew: who is who in communicators made before is not known any more.
    pub fn reorder(&mut self) {
        for one in &mut self.all[1..] {
            let is_own = one.size.iter().all(|size| *size == 1);
            if !is_own {
                one.rank.fill(-1);
                one.is_lost = true;
            }
        }
    }

    /// `MPI_Comm_split`: ranks with the same colour, in the order of keys.
    pub fn split(&mut self, from: usize, colours: &[Option<i64>], keys: &[i64]) -> Sym {
        let old = self.all[from].clone();
        let ranks = colours.len();
        let mut made = Communicator {
            group: vec![None; ranks],
            rank: vec![0; ranks],
            size: vec![0; ranks],
            grid: None,
            is_lost: false,
        };
        let mut groups: Vec<(u32, i64)> = Vec::new();
        for (rank, colour) in colours.iter().enumerate() {
            let (Some(group), Some(colour)) = (old.group[rank], *colour) else {
                continue;
            };
            let place = groups.iter().position(|one| *one == (group, colour));
            let place = place.unwrap_or_else(|| {
                groups.push((group, colour));
                groups.len() - 1
            });
            made.group[rank] = Some(place as u32);
        }
        for rank in 0..ranks {
            let Some(group) = made.group[rank] else {
                continue;
            };
            let members = (0..ranks).filter(|&other| made.group[other] == Some(group));
            let order = |one: usize| (keys[one], old.rank[one]);
            let members: Vec<usize> = members.collect();
            made.size[rank] = members.len() as i64;
            made.rank[rank] = members
                .iter()
                .filter(|&&one| order(one) < order(rank))
                .count() as i64;
        }
        self.add(made)
    }

    /// `MPI_Cart_create` without reordering.
    pub fn grid(&mut self, from: usize, extents: &[i64], periods: &[bool]) -> Option<Sym> {
        let cells: i64 = extents.iter().product();
        let old = self.all[from].clone();
        let mut made = old.clone();
        made.is_lost = false;
        if old.is_lost {
            if old.group.iter().any(|group| *group != Some(0)) {
                return None;
            }
            made.rank = (0..old.rank.len() as i64).collect();
        }
        for rank in 0..old.group.len() {
            if old.group[rank].is_some() && cells > old.size[rank] {
                return None;
            }
            if old.group[rank].is_some() && old.rank[rank] >= cells {
                made.group[rank] = None;
            }
            made.size[rank] = cells;
        }
        made.grid = Some((extents.to_vec(), periods.to_vec()));
        Some(self.add(made))
    }

    /// Coordinates of a rank in a grid: the last one runs fastest.
    pub fn coordinates(extents: &[i64], rank: i64) -> Vec<i64> {
        let mut rest = rank;
        let mut all = vec![0; extents.len()];
        for (place, extent) in extents.iter().enumerate().rev() {
            all[place] = rest.rem_euclid((*extent).max(1));
            rest /= (*extent).max(1);
        }
        all
    }

    /// The rank at coordinates; none outside of the grid.
    pub fn at(extents: &[i64], periods: &[bool], coordinates: &[i64]) -> Option<i64> {
        let mut rank = 0;
        for ((extent, period), at) in extents.iter().zip(periods).zip(coordinates) {
            let at = if *period {
                at.rem_euclid((*extent).max(1))
            } else {
                *at
            };
            if at < 0 || at >= *extent {
                return None;
            }
            rank = rank * extent + at;
        }
        Some(rank)
    }
}

/// All ways to write a number as a product of so many factors.
pub fn factors(number: i64, count: usize) -> Vec<Vec<i64>> {
    if count == 0 {
        return if number == 1 {
            vec![Vec::new()]
        } else {
            Vec::new()
        };
    }
    let mut all = Vec::new();
    for first in (1..=number).filter(|first| number % first == 0) {
        for mut rest in factors(number / first, count - 1) {
            rest.insert(0, first);
            all.push(rest);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_knows_its_neighbours() {
        let (extents, periods) = ([2, 3], [false, true]);
        assert_eq!(Communicators::coordinates(&extents, 4), [1, 1]);
        assert_eq!(Communicators::at(&extents, &periods, &[1, 3]), Some(3));
        assert_eq!(Communicators::at(&extents, &periods, &[2, 0]), None);
        assert_eq!(factors(4, 2), [vec![1, 4], vec![2, 2], vec![4, 1]]);
    }

    #[test]
    fn a_split_numbers_its_groups() {
        let mut all = Communicators::new(4);
        let handle = all.split(1, &[Some(0), Some(1), Some(0), None], &[1, 0, 0, 0]);
        let made = all.get(all.number(handle).expect("made"));
        assert_eq!(made.group, [Some(0), Some(1), Some(0), None]);
        assert_eq!(made.rank[..3], [1, 0, 0]);
        assert_eq!(made.size[..3], [2, 1, 2]);
    }
}
