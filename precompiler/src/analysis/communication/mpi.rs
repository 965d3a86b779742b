//! Calls of MPI.

use super::evaluate::Scratch;
use super::run::Run;
use super::state::State;
use super::value::{Sym, Value};
use crate::catalog::{LibraryFunction, Role};
use crate::dataflow::steps::{Call, RoutineId, Step, TextPlace, ValueId};

/// Numbers that have a meaning for an implementation of MPI.
#[derive(Clone, Copy)]
pub struct Special {
    pub any_source: i64,
    pub nobody: i64,
    pub any_tag: i64,
    pub undefined: i64,
    pub no_succeed: i64,
}

/// A call, its surroundings.
pub struct Site<'x, 'a> {
    pub id: RoutineId,
    pub step: &'x Step,
    pub name: &'x str,
    pub found: &'x LibraryFunction,
    pub call: &'a Call,
    pub place: TextPlace,
}

impl<'a> Run<'a, '_> {
    pub(super) fn special(&self, id: RoutineId) -> Special {
        let symbols = &self.view(id).unit.symbols;
        if symbols.iter().any(|one| one.name.starts_with("ompi_mpi_")) {
            return Special {
                any_source: -1,
                nobody: -2,
                any_tag: -1,
                undefined: -32766,
                no_succeed: 16,
            };
        }
        Special {
            any_source: -2,
            nobody: -1,
            any_tag: -1,
            undefined: -32766,
            no_succeed: 16384,
        }
    }

    /// The value of a parameter by its name.
    pub(super) fn named_argument(
        &mut self,
        site: &Site<'_, 'a>,
        name: &str,
        state: &State,
        scratch: &Scratch<'a>,
    ) -> Option<Value> {
        let at = site.found.parameters.iter().position(|one| one == name)?;
        let argument = site.call.arguments.get(at)?;
        Some(self.argument(site.id, argument, state, scratch))
    }

    pub(super) fn pointer(&self, site: &Site<'_, 'a>, name: &str) -> Option<ValueId> {
        let at = site.found.parameters.iter().position(|one| one == name)?;
        Some(site.call.arguments.get(at)?.value)
    }

    /// A call of MPI.
    #[expect(clippy::too_many_arguments, reason = "a call with its surroundings")]
    pub fn mpi(
        &mut self,
        id: RoutineId,
        step: &Step,
        name: &str,
        found: &LibraryFunction,
        call: &'a Call,
        state: &mut State,
        scratch: &mut Scratch<'a>,
    ) -> Option<Value> {
        let site = Site {
            id,
            step,
            name,
            found,
            call,
            place: self.place(id, step.span),
        };
        let success = Value::same(self.ranks, Sym::Int(0));
        match name {
            "MPI_Init" | "MPI_Init_thread" => self.has_begun = true,
            "MPI_Finalize" => self.has_begun = false,
            "MPI_Abort" => return None,
            _ => {}
        }
        let dead = if found.is(Role::Collective) {
            self.collective(&site, state, scratch)
        } else if found.is(Role::Persistent) {
            self.prepare(&site, state, scratch)
        } else if found.is(Role::Starts) {
            self.start(&site, state, scratch)
        } else if found.is(Role::Sends)
            || found.is(Role::Receives)
            // A file is read or written.
            || found.is(Role::NonBlocking) && !found.is(Role::OneSided)
        {
            self.point_to_point(&site, state, scratch)
        } else if name.starts_with("MPI_Win_") {
            self.one_sided(&site, state, scratch);
            false
        } else if found.is(Role::Waits) {
            self.wait(&site, state, scratch);
            false
        } else if name == "MPI_Mprobe" {
            self.point_to_point(&site, state, scratch)
        } else if name == "MPI_Improbe" {
            self.fail("A message may or may not be taken here.", site.place);
            false
        } else {
            false
        };
        if dead {
            return None;
        }
        self.results_of(&site, state, scratch);
        Some(success)
    }

    pub(super) fn each_rank(&mut self, state: &State, mut with: impl FnMut(&mut Self, usize)) {
        for rank in 0..self.ranks {
            if state.mask[rank] {
                with(self, rank);
            }
        }
    }

    /// What a call stores.
    pub(super) fn results_of(
        &mut self,
        site: &Site<'_, 'a>,
        state: &mut State,
        scratch: &Scratch<'a>,
    ) {
        let given = self.given(site, state, scratch);
        let same = match site.name {
            "MPI_Bcast" | "MPI_Allreduce" | "MPI_Allgather" | "MPI_Allgatherv" => {
                let comm = self.named_argument(site, "comm", state, scratch);
                let number = comm
                    .and_then(|comm| comm.uniform(&state.mask))
                    .and_then(|comm| self.communicators.number(comm));
                state.is_full()
                    && number.is_some_and(|number| {
                        let group = &self.communicators.get(number).group;
                        group.iter().all(|one| one.is_some() && *one == group[0])
                    })
            }
            "MPI_Init" | "MPI_Init_thread" | "MPI_Comm_size" => true,
            "MPI_Comm_rank" => false,
            _ => self.library.kind(site.name) == super::library::Kind::Handle && state.is_full(),
        };
        let is_handle = self.library.kind(site.name) == super::library::Kind::Handle;
        if !is_handle || !self.made(site, state, scratch) {
            let sure = matches!(site.name, "MPI_Init" | "MPI_Init_thread");
            for (cell, all) in self.library.stored(site.id, site.step.span).to_vec() {
                let kept = all || sure || self.are_same(&[cell], state);
                self.spoil(state, cell.0, same && kept);
            }
        }
        for (name, at, value) in given {
            self.give(site, name, at, &value, state, scratch);
        }
    }

    /// Handles are stored where they are wanted, and nothing else changes. False: where that is cannot be told.
    pub(super) fn made(
        &mut self,
        site: &Site<'_, 'a>,
        state: &mut State,
        scratch: &Scratch<'a>,
    ) -> bool {
        use crate::catalog::{EffectKind, Root};
        let mut names: Vec<String> = Vec::new();
        for effect in &site.found.effects {
            let stores = matches!(
                effect.kind,
                EffectKind::Creates | EffectKind::Fills | EffectKind::Writes | EffectKind::Destroys
            );
            if let (true, Root::Parameter(at)) = (stores, &effect.place.root) {
                names.push(site.found.parameters[*at].clone());
            }
        }
        names.sort();
        names.dedup();
        let mut all = Vec::new();
        for name in &names {
            match self.elements(site, name, 1, state, scratch) {
                Some(mut keys) => all.extend(keys.pop()),
                None => return false,
            }
        }
        for keys in all {
            let value = self.fresh();
            self.store_each(state, &keys, &value);
        }
        true
    }
}
