//! Calls that make communicators or ask for ranks in them.

use super::communicators::{Communicator, Communicators, NULL, factors};
use super::evaluate::Scratch;
use super::mpi::Site;
use super::run::{Question, Run};
use super::state::State;
use super::value::{Shape, Sym, Value};

/// Parameter, element, value.
type Given = Vec<(&'static str, i64, Value)>;

impl<'a> Run<'a, '_> {
    /// What is known of the results of a call: parameter, element, value.
    pub(super) fn given(
        &mut self,
        site: &Site<'_, 'a>,
        state: &mut State,
        scratch: &Scratch<'a>,
    ) -> Given {
        let comm = ["comm", "comm_old"].into_iter().find_map(|name| {
            let value = self.named_argument(site, name, state, scratch)?;
            let handle = value.uniform(&state.mask)?;
            self.communicators.number(handle)
        });
        let Some(comm) = comm else {
            return if site.name == "MPI_Dims_create" {
                self.divided(site, state, scratch).unwrap_or_default()
            } else {
                Vec::new()
            };
        };
        let one = self.communicators.get(comm).clone();
        if one.is_lost && site.name != "MPI_Cart_create" {
            return Vec::new();
        }
        let rank = Shape::Linear {
            rank: 1,
            ranks: 0,
            constant: 0,
        };
        let ranks = Shape::Linear {
            rank: 0,
            ranks: 1,
            constant: 0,
        };
        match site.name {
            "MPI_Comm_rank" => vec![("rank", 0, self.per_rank(&one.rank, rank))],
            "MPI_Comm_size" => vec![("size", 0, self.per_rank(&one.size, ranks))],
            "MPI_Comm_dup" => {
                let handle = self.communicators.add(one);
                vec![("newcomm", 0, Value::same(self.ranks, handle))]
            }
            "MPI_Comm_split" => self.split(site, comm, state, scratch).unwrap_or_default(),
            "MPI_Cart_create" => self.grid(site, comm, state, scratch).unwrap_or_default(),
            "MPI_Cart_shift" | "MPI_Cart_coords" | "MPI_Cart_rank" | "MPI_Cart_get" => {
                self.on_grid(site, &one, state, scratch).unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }

    pub(super) fn split(
        &mut self,
        site: &Site<'_, 'a>,
        comm: usize,
        state: &State,
        scratch: &Scratch<'a>,
    ) -> Option<Given> {
        let special = self.special(site.id);
        let colours = self.named_argument(site, "color", state, scratch)?;
        let keys = self.named_argument(site, "key", state, scratch)?;
        self.is_wild |= colours.shape == Shape::Wild || keys.shape == Shape::Wild;
        let colours = match colours.uniform(&state.mask) {
            Some(Sym::Term(_)) => vec![0; self.ranks],
            _ => colours.numbers(&state.mask)?,
        };
        let keys = match keys.uniform(&state.mask) {
            Some(_) => vec![0; self.ranks],
            None => keys.numbers(&state.mask)?,
        };
        if !state.is_full() {
            return None;
        }
        let colours: Vec<Option<i64>> = (colours.into_iter())
            .map(|colour| (colour != special.undefined).then_some(colour))
            .collect();
        let handle = self.communicators.split(comm, &colours, &keys);
        Some(vec![("newcomm", 0, self.unless_out(handle))])
    }

    /// A handle, or the null handle on ranks that are in no group.
    pub(super) fn unless_out(&self, handle: Sym) -> Value {
        let mut value = Value::same(self.ranks, handle);
        if let Some(number) = self.communicators.number(handle) {
            let group = &self.communicators.get(number).group;
            for (rank, group) in group.iter().enumerate() {
                if group.is_none() {
                    value.parts[rank] = Sym::Int(NULL);
                    value.shape = Shape::Piece;
                }
            }
        }
        value
    }

    pub(super) fn grid(
        &mut self,
        site: &Site<'_, 'a>,
        comm: usize,
        state: &mut State,
        scratch: &Scratch<'a>,
    ) -> Option<Given> {
        let count = self.named_argument(site, "ndims", state, scratch)?;
        let Sym::Int(count) = count.uniform(&state.mask)? else {
            return None;
        };
        let reorder = self.named_argument(site, "reorder", state, scratch)?;
        let extents = self.numbers(site, "dims", count, state, scratch)?;
        let periods = self.numbers(site, "periods", count, state, scratch)?;
        if !state.is_full() {
            return None;
        }
        if reorder.uniform(&state.mask) != Some(Sym::Int(0)) {
            self.reorder(state);
        }
        let periods: Vec<bool> = periods.iter().map(|one| *one != 0).collect();
        let handle = self.communicators.grid(comm, &extents, &periods)?;
        Some(vec![("comm_cart", 0, self.unless_out(handle))])
    }

    /// From now on ranks are numbered as in a communicator that was made with other numbers: what was known of single
    /// ranks is of no use.
    pub(super) fn reorder(&mut self, state: &mut State) {
        let mask = state.mask.clone();
        for value in state.memory.values_mut() {
            if value.uniform(&mask).is_none() {
                *value = Value::unknown(self.ranks);
            }
        }
        self.communicators.reorder();
    }

    pub(super) fn divided(
        &mut self,
        site: &Site<'_, 'a>,
        state: &mut State,
        scratch: &Scratch<'a>,
    ) -> Option<Given> {
        let nodes = self.named_argument(site, "nnodes", state, scratch)?;
        let count = self.named_argument(site, "ndims", state, scratch)?;
        let (Sym::Int(nodes), Sym::Int(count)) =
            (nodes.uniform(&state.mask)?, count.uniform(&state.mask)?)
        else {
            return None;
        };
        let fixed = self.numbers(site, "dims", count, state, scratch)?;
        let ways = factors(nodes, usize::try_from(count).ok()?);
        let ways: Vec<Vec<i64>> = (ways.into_iter())
            .filter(|way| {
                way.iter()
                    .zip(&fixed)
                    .all(|(one, fixed)| *fixed == 0 || one == fixed)
            })
            .collect();
        let question = Question::Result(self.results);
        self.results += 1;
        let chosen = match self.assumed.get(&question) {
            Some(at) => usize::try_from(*at).ok()?,
            None => {
                self.ask(question, (0..ways.len() as i64).collect());
                0
            }
        };
        let way = ways.get(chosen)?;
        let results = way.iter().enumerate().map(|(at, extent)| {
            let mut value = Value::same(self.ranks, Sym::Int(*extent));
            value.shape = Shape::Piece;
            ("dims", at as i64, value)
        });
        Some(results.collect())
    }

    pub(super) fn on_grid(
        &mut self,
        site: &Site<'_, 'a>,
        one: &Communicator,
        state: &mut State,
        scratch: &Scratch<'a>,
    ) -> Option<Given> {
        let (extents, periods) = one.grid.clone()?;
        let special = self.special(site.id);
        let coordinates: Vec<Vec<i64>> = (0..self.ranks)
            .map(|rank| Communicators::coordinates(&extents, one.rank[rank]))
            .collect();
        match site.name {
            "MPI_Cart_shift" => {
                let direction = self.named_argument(site, "direction", state, scratch)?;
                let by = self.named_argument(site, "disp", state, scratch)?;
                let direction = direction.numbers(&state.mask)?;
                let by = by.numbers(&state.mask)?;
                self.is_wild |= by.iter().any(|by| by.abs() > 1);
                let mut ends = [Vec::new(), Vec::new()];
                for rank in 0..self.ranks {
                    for (end, sign) in ends.iter_mut().zip([-1, 1]) {
                        let mut there = coordinates[rank].clone();
                        *there.get_mut(usize::try_from(direction[rank]).ok()?)? += sign * by[rank];
                        let found = Communicators::at(&extents, &periods, &there);
                        end.push(found.unwrap_or(special.nobody));
                    }
                }
                Some(vec![
                    ("rank_source", 0, self.per_rank(&ends[0], Shape::Piece)),
                    ("rank_dest", 0, self.per_rank(&ends[1], Shape::Piece)),
                ])
            }
            "MPI_Cart_coords" => {
                let of = self.named_argument(site, "rank", state, scratch)?;
                let of = of.numbers(&state.mask)?;
                let results = (0..extents.len()).map(|at| {
                    let numbers: Vec<i64> = (of.iter())
                        .map(|rank| Communicators::coordinates(&extents, *rank)[at])
                        .collect();
                    ("coords", at as i64, self.per_rank(&numbers, Shape::Piece))
                });
                Some(results.collect())
            }
            "MPI_Cart_get" => {
                let mut results = Vec::new();
                for at in 0..extents.len() {
                    let here: Vec<i64> = coordinates.iter().map(|one| one[at]).collect();
                    results.push(("coords", at as i64, self.per_rank(&here, Shape::Piece)));
                    let mut extent = Value::same(self.ranks, Sym::Int(extents[at]));
                    extent.shape = Shape::Piece;
                    results.push(("dims", at as i64, extent));
                    let period = Value::same(self.ranks, Sym::Int(i64::from(periods[at])));
                    results.push(("periods", at as i64, period));
                }
                Some(results)
            }
            _ => {
                let keys = self.elements(site, "coords", extents.len() as i64, state, scratch)?;
                let mut there: Vec<Vec<i64>> = vec![Vec::new(); self.ranks];
                for keys in keys {
                    let numbers = self.load_each(state, &keys).numbers(&state.mask)?;
                    for (rank, number) in numbers.into_iter().enumerate() {
                        there[rank].push(number);
                    }
                }
                let ranks: Option<Vec<i64>> = (there.iter())
                    .map(|one| Communicators::at(&extents, &periods, one))
                    .collect();
                Some(vec![("rank", 0, self.per_rank(&ranks?, Shape::Piece))])
            }
        }
    }
}
