//! Requests of MPI that stay what they are: those that only calls which make persistent requests ever store to.
//!
//! Starting such a request and waiting for it change its state, which MPI keeps, and not the handle that the program has.
//! One call that makes a request of another kind there, or any other store, and it is an ordinary handle: waiting puts
//! `MPI_REQUEST_NULL` there.
//!
//! ```text
//! MPI_Send_init(…, &r[0]);   MPI_Recv_init(…, &r[1]);   MPI_Startall(2, r);   MPI_Waitall(2, r, …);      `r` stays
//! MPI_Send_init(…, &r[0]);   MPI_Irecv(…, &r[1]);       MPI_Start(&r[0]);     MPI_Waitall(2, r, …);      `r` is changed
//! ```
//!
//! A request holds the address of its buffer, too. That is the same thing after a restart when it is a variable, or memory to
//! which every pointer that leads there leads for ever; buffers that change places make an ordinary handle of it.
//!
//! Errors fall on the side of an ordinary handle. Where the library makes requests again (`analysis/noted`), it knows where each buffer is;
//! the buffers of all of them have to be there then. So have the arrays of plans of FFTW.

use std::collections::BTreeSet;

use cccp_grammar::makes_plan;

use crate::analysis::handles::makes_persistent_requests;
use crate::analysis::memory::{CellId, CellSet, ObjectId};
use crate::catalog::{EffectKind, LibraryFunction, Role, Root};
use crate::dataflow::steps::{Call, Location, RoutineId, StepKind};
use crate::source::Span;

use super::buffers::{buffers, moved};
use super::lower::Lowering;

/// What frees a request: it is `MPI_REQUEST_NULL` then, and neither starting nor waiting changes that.
const FREES: &str = "MPI_Request_free";

/// Requests that a call makes.
struct Made {
    cells: Vec<CellId>,
    /// Where their buffers are.
    buffers: BTreeSet<ObjectId>,
}

/// What is stored to memory where requests may be.
#[derive(Default)]
struct Stored {
    /// By calls that make persistent requests.
    made: Vec<Made>,
    /// By anything else that may put another handle there.
    otherwise: CellSet,
}

impl Lowering<'_> {
    /// Looks at all calls of the program.
    pub fn find_persistent(&mut self) {
        let mut stored = Stored::default();
        let mut calls: Vec<(RoutineId, &Call, Span)> = Vec::new();
        let mut places: Vec<(RoutineId, &Location)> = Vec::new();
        for id in self.steps.routine_ids() {
            self.steps.routine(id).walk(&mut |step| match &step.kind {
                StepKind::Call(call) => calls.push((id, call, step.span)),
                StepKind::Write { place, .. } | StepKind::Copy { to: place, .. } => {
                    places.push((id, place));
                }
                StepKind::Assembly { named, .. } => {
                    let touched = named.iter().map(|one| self.points_to.touched(id, one));
                    let cells = touched.flat_map(|one| one.cells.to_vec());
                    stored
                        .otherwise
                        .union_with(&self.points_to.reachable(cells));
                }
                _ => {}
            });
        }
        for (id, call, _) in &calls {
            let callees = self.points_to.callees(*id, call);
            for name in callees.named.iter().filter(|name| makes_plan(name)) {
                if let Some(function) = self.catalogue.find(name) {
                    let arrays = buffers(self.points_to, *id, call, &function);
                    self.planned.extend(arrays);
                }
            }
        }
        let is_unknown =
            |one: &(RoutineId, &Call, Span)| self.points_to.callees(one.0, one.1).unknown;
        self.may_make_persistent =
            makes_persistent_requests(self.program, self.catalogue) || calls.iter().any(is_unknown);
        if !self.may_make_persistent {
            return;
        }
        for (id, call, span) in calls {
            self.stored_by(id, call, span, &mut stored);
        }
        for (id, place) in places {
            let touched = self.points_to.touched(id, place);
            stored.add(&touched.cells);
        }
        stored.otherwise.union_with(&self.outside);
        let buffers = stored.made.iter().flat_map(|one| &one.buffers);
        self.prepared = buffers.copied().collect();
        let moved = moved(self.points_to, &self.prepared);
        for Made { cells, buffers } in &stored.made {
            if buffers.is_empty() || !buffers.is_disjoint(&moved) {
                stored
                    .otherwise
                    .extend(cells.iter().map(|cell| cell.0 as usize));
            }
        }
        let made = stored.made.into_iter().flat_map(|one| one.cells);
        let made = made.map(|cell| cell.0 as usize);
        let kept = made.filter(|cell| !stored.otherwise.contains(*cell));
        self.persistent.extend(kept);
    }

    fn stored_by(&self, id: RoutineId, call: &Call, span: Span, stored: &mut Stored) {
        let callees = self.points_to.callees(id, call);
        if let Some(object) = call.aggregate.and_then(|one| self.points_to.variable(one)) {
            stored.add(&self.object(object));
        }
        let mut is_known = !callees.unknown;
        for name in &callees.named {
            let Some(function) = self.catalogue.find(name) else {
                is_known = false;
                continue;
            };
            let keeps = name == FREES
                || [Role::Starts, Role::Waits, Role::Tests]
                    .iter()
                    .any(|role| function.is(*role));
            for effect in &function.effects {
                if !matches!(effect.kind, EffectKind::Writes | EffectKind::Fills) {
                    continue;
                }
                let (cells, _) = self.place(id, call, &function, &effect.place, span);
                let makes = function.is(Role::Persistent)
                    && effect.kind == EffectKind::Fills
                    && function.effects.iter().any(|one| {
                        one.kind == EffectKind::Creates && one.place.root == effect.place.root
                    });
                match effect.place.root {
                    _ if makes => stored.made.push(Made {
                        cells,
                        buffers: buffers(self.points_to, id, call, &function),
                    }),
                    Root::Parameter(at) if keeps && function.takes_requests(at) => {}
                    _ => stored.add(&cells),
                }
            }
            for (place, _) in &function.stores {
                stored.add(&self.place(id, call, &function, place, span).0);
            }
        }
        if !is_known {
            let values = call.arguments.iter().map(|one| one.value);
            let targets = values.flat_map(|value| self.points_to.targets(id, value));
            let reached = self.points_to.reachable(targets);
            stored.otherwise.union_with(&reached);
        }
    }

    /// What starting, waiting and testing change: no handle of a request that stays.
    pub fn without_persistent(
        &self,
        function: &LibraryFunction,
        mut cells: Vec<CellId>,
    ) -> Vec<CellId> {
        let roles = [Role::Starts, Role::Waits, Role::Tests];
        if roles.iter().any(|role| function.is(*role)) {
            cells.retain(|cell| !self.persistent.contains(cell.0 as usize));
        }
        cells
    }
}

impl Stored {
    fn add(&mut self, cells: &[CellId]) {
        self.otherwise
            .extend(cells.iter().map(|cell| cell.0 as usize));
    }
}
