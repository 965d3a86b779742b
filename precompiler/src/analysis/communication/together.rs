//! Calls that ranks make together: collective ones, and epochs of windows.

use super::evaluate::Scratch;
use super::mpi::Site;
use super::run::Run;
use super::state::State;
use super::value::Sym;
use crate::catalog::Role;

/// All ranks wait for all others in these.
const MEETING: [&str; 3] = ["MPI_Barrier", "MPI_Allreduce", "MPI_Allgather"];

impl<'a> Run<'a, '_> {
    /// The groups of communicators that take part in a collective call.
    pub(super) fn collective(
        &mut self,
        site: &Site<'_, 'a>,
        state: &State,
        scratch: &Scratch<'a>,
    ) -> bool {
        if site.found.is(Role::Persistent) {
            return self.prepare(site, state, scratch);
        }
        if site.name.starts_with("MPI_Win_") {
            self.one_sided(site, state, scratch);
        }
        let name = ["comm", "comm_old", "local_comm", "intercomm"]
            .into_iter()
            .find(|name| site.found.parameters.iter().any(|one| one == name));
        let comms = match name {
            Some(name) => self.named_argument(site, name, state, scratch),
            None => None,
        };
        if site.found.is(Role::NonBlocking) {
            match self.slots(site, "request", state, scratch) {
                Some(slots) => self.each_rank(state, |run, rank| {
                    run.messages.begin(rank, slots[rank], site.place);
                }),
                None => self.fail(
                    match site.name.ends_with("_begin") {
                        true => "What begins here may not have ended.",
                        false => "It is unknown which request this is.",
                    },
                    site.place,
                ),
            }
        }
        let numbers = comms.as_ref().map(|comms| -> Option<Vec<usize>> {
            (0..self.ranks)
                .map(|rank| match state.mask[rank] {
                    true => self.communicators.number(comms.parts[rank]),
                    false => Some(0),
                })
                .collect()
        });
        let Some(Some(numbers)) = numbers else {
            // All ranks call it with what the same call made: every group of it is complete.
            let same = comms.is_none_or(|comms| comms.uniform(&state.mask).is_some());
            if !same || !state.is_full() {
                self.fail(
                    "It is unknown which ranks take part in this call.",
                    site.place,
                );
            }
            return false;
        };
        let mut done: Vec<usize> = Vec::new();
        for rank in 0..self.ranks {
            let comm = numbers[rank];
            if !state.mask[rank] || done.contains(&comm) || comm == 0 {
                continue;
            }
            done.push(comm);
            let callers: Vec<usize> = (0..self.ranks)
                .filter(|&one| state.mask[one] && numbers[one] == comm)
                .collect();
            let mut groups: Vec<Vec<usize>> = Vec::new();
            let group = self.communicators.get(comm).group.clone();
            let mut ids: Vec<u32> = callers.iter().filter_map(|&one| group[one]).collect();
            ids.sort_unstable();
            ids.dedup();
            for id in ids {
                groups.push(
                    (0..self.ranks)
                        .filter(|&one| group[one] == Some(id))
                        .collect(),
                );
            }
            if let Err(place) = self
                .messages
                .collective(comm, site.name, site.place, &callers, &groups)
            {
                self.fail("Ranks call different collective functions here.", place);
            }
            let is_all =
                groups.len() == 1 && groups[0].len() == self.ranks && callers.len() == self.ranks;
            if is_all && MEETING.contains(&site.name) {
                let counted = match self.named_argument(site, "count", state, scratch) {
                    Some(count) => matches!(count.uniform(&state.mask), Some(Sym::Int(1..))),
                    None => match self.named_argument(site, "sendcount", state, scratch) {
                        Some(count) => matches!(count.uniform(&state.mask), Some(Sym::Int(1..))),
                        None => true,
                    },
                };
                if counted {
                    self.messages.meet();
                }
            }
        }
        false
    }

    pub(super) fn one_sided(&mut self, site: &Site<'_, 'a>, state: &State, scratch: &Scratch<'a>) {
        let special = self.special(site.id);
        let opens = match site.name {
            "MPI_Win_fence" => {
                let assertion = self.named_argument(site, "assertion", state, scratch);
                let number = assertion.and_then(|value| value.uniform(&state.mask));
                !matches!(number, Some(Sym::Int(bits)) if bits & special.no_succeed != 0)
            }
            "MPI_Win_free" => false,
            "MPI_Win_create"
            | "MPI_Win_allocate"
            | "MPI_Win_allocate_shared"
            | "MPI_Win_create_dynamic" => {
                if !self.known.traffic.locks {
                    return;
                }
                true
            }
            "MPI_Win_start" | "MPI_Win_post" | "MPI_Win_lock" | "MPI_Win_lock_all" => true,
            "MPI_Win_complete" | "MPI_Win_wait" if !self.known.traffic.locks => false,
            _ => return,
        };
        self.each_rank(state, |run, rank| {
            if opens {
                run.messages.open_window(rank, site.place);
            } else {
                run.messages.close_window(rank);
            }
        });
    }
}
