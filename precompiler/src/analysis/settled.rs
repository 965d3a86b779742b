//! Which requests a checkpoint takes out of flight once they are complete, although the program has not waited for them.
//!
//! After a restart every request that was not made persistent is `MPI_REQUEST_NULL`. Where the program never asks again for a request that it has now,
//! that makes no difference. Where it asks, it makes none for what was sent if only these calls ask: they return at once for
//! a complete send, and for `MPI_REQUEST_NULL` with the same results (MPI 4.0, sections 3.7.3 and 3.7.5: nothing but the error and whether it was cancelled is defined in the
//! status of a send).
//!
//! ```text
//! MPI_Wait(&sent, …);             returns at once, as it would for the complete send
//! if (sent == MPI_REQUEST_NULL)   tells them apart
//! MPI_Waitany(2, both, &k, …);    so does this, which says which one is complete
//! ```
//!
//! Where they are told apart, a restart makes a complete one where a complete send was (`Remade`): what asks gets the same results. That
//! needs to know where requests are, which the run does not in a fixed heap in which handles are no addresses. Persistent requests
//! come back inactive, and stay in flight until the program has asked.
//!
//! Errors fall on the side of requests that stay in flight: from such a checkpoint no restart is made.

use std::collections::HashSet;

use super::Analysed;
use super::counted;
use super::effects::ActionKind;
use super::handles::REQUEST;
use super::memory::CellId;
use super::noted::suits_fixed_heap;
use crate::catalog::Role;
use crate::dataflow::steps::{Location, RoutineId, StepKind};
use crate::source::Span;

/// Which complete requests are not in flight at a checkpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Settled {
    /// Only those for which the program has waited.
    #[default]
    None,
    /// What has been sent, too.
    Sends,
    /// The same, but not by persistent requests: a restart makes requests that are complete.
    Remade,
    /// All: the program asks for none of them any more.
    All,
}

/// What asks for requests and does not tell a complete send from `MPI_REQUEST_NULL`.
const INDIFFERENT: [&str; 4] = ["MPI_Test", "MPI_Testall", "MPI_Wait", "MPI_Waitall"];

/// What calls do with requests.
#[derive(Default)]
struct Asked {
    /// Where they are.
    requests: HashSet<CellId>,
    /// What some call asks for, and where it tells what came of it.
    cells: HashSet<CellId>,
    /// Requests in a call that tells a complete send from none.
    told_apart: HashSet<CellId>,
    /// Nobody knows what is called, and whether that asks for requests.
    is_unknown: bool,
}

/// What the program reads itself, and by calls that neither start requests nor wait for them.
#[derive(Default)]
struct Reads {
    cells: HashSet<CellId>,
    /// Nobody knows what else is read.
    is_unknown: bool,
}

impl Settled {
    /// Looks at the whole program.
    pub fn of(found: &Analysed) -> Settled {
        if !counted::is_wanted(found.program) {
            return Settled::None;
        }
        let mut asked = Asked::default();
        for routine in found.steps.routine_ids() {
            asked.look_at(found, routine);
        }
        if asked.requests.is_empty() {
            return Settled::None;
        }
        let checkpoints = found.liveness.checkpoints().iter();
        let live: HashSet<CellId> = { checkpoints.flat_map(|one| one.everywhere()) }
            .filter(|cell| {
                asked.cells.contains(cell) || found.handle_in(*cell).as_deref() == Some(REQUEST)
            })
            .collect();
        if live.is_empty() {
            return Settled::All;
        }
        // The memory of a fixed heap comes back as it was, with requests that are none, or what the run knows of them.
        let has_fixed_heap = found.program.has_fixed_heap();
        let is_hidden = has_fixed_heap && !suits_fixed_heap(found.program, found.catalogue);
        if is_hidden || asked.is_unknown {
            return Settled::None;
        }
        if has_fixed_heap || !live.is_disjoint(&asked.told_apart) {
            return Settled::Remade;
        }
        let mut reads = Reads::default();
        let outside = found.effects.outside.ones();
        reads.cells.extend(outside.map(|cell| CellId(cell as u32)));
        for routine in found.steps.routine_ids() {
            reads.look_at(found, routine);
        }
        let mut cells = reads.cells.into_iter();
        let reads_requests = cells.any(|cell| {
            asked.requests.contains(&cell) || found.handle_of(cell).as_deref() == Some(REQUEST)
        });
        match reads.is_unknown || reads_requests {
            true => Settled::Remade,
            false => Settled::Sends,
        }
    }
}

impl Asked {
    fn look_at(&mut self, found: &Analysed, routine: RoutineId) {
        for (_, call) in found.calls(routine) {
            let callees = found.points_to.callees(routine, call);
            self.is_unknown |= callees.unknown;
            for name in &callees.named {
                let Some(function) = found.catalogue.find(name) else {
                    self.is_unknown = true;
                    continue;
                };
                let does = |roles: &[Role]| roles.iter().any(|role| function.is(*role));
                let asks = does(&[Role::Waits, Role::Tests, Role::Starts]);
                let starts = does(&[Role::NonBlocking, Role::Persistent, Role::Starts]);
                if !asks && !starts {
                    continue;
                }
                let tells_apart = !starts && !INDIFFERENT.contains(&name.as_str());
                for (at, one) in call.arguments.iter().enumerate() {
                    let cells: Vec<CellId> = found.points_to.targets(routine, one.value).collect();
                    if asks {
                        self.cells.extend(&cells);
                    }
                    if function.takes_requests(at) {
                        if tells_apart {
                            self.told_apart.extend(&cells);
                        }
                        self.requests.extend(cells);
                    }
                }
            }
        }
    }
}

impl Reads {
    fn look_at(&mut self, found: &Analysed, routine: RoutineId) {
        let mut others: HashSet<Span> = HashSet::new();
        found.steps.routine(routine).walk(&mut |step| {
            let places: Vec<&Location> = match &step.kind {
                StepKind::Read { place, .. } | StepKind::Copy { from: place, .. } => vec![place],
                StepKind::Return { aggregate, .. } => aggregate.iter().collect(),
                StepKind::Call(call) => {
                    let callees = found.points_to.callees(routine, call);
                    let mut functions = { callees.named.iter() }.map(|name| {
                        INDIFFERENT.contains(&name.as_str())
                            || found.catalogue.find(name).is_some_and(|one| {
                                one.is(Role::NonBlocking) || one.is(Role::Starts)
                            })
                    });
                    if functions.any(|is_known| !is_known) {
                        others.insert(step.span);
                    }
                    let aggregates = { call.arguments.iter() }.map(|one| one.aggregate.as_ref());
                    aggregates.flatten().collect()
                }
                StepKind::Assembly { .. } => {
                    self.is_unknown = true;
                    Vec::new()
                }
                _ => Vec::new(),
            };
            for place in places {
                let touched = found.points_to.touched(routine, place);
                self.cells.extend(touched.cells.iter());
            }
        });
        found.effects.bodies[routine.0 as usize].walk(&mut |action| {
            if let ActionKind::Read(cells) = action.kind
                && others.contains(&action.span)
            {
                self.cells.extend(found.effects.cells(cells));
            }
        });
    }
}
