//! What libraries keep of the program: memory and functions, by the state in which they are kept.
//!
//! A buffer of a communication that is under way is told apart from what is kept for good: it is touched again only by
//! what waits for the communication, not by every other function of the library.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::joined::has_regions;
use crate::analysis::kept_states::starts;
use crate::analysis::memory::{CellId, CellSet};
use crate::catalog::{EffectKind, LibraryFunction, Place, Role, Root};
use crate::dataflow::steps::{Call, RoutineId, StepKind};
use crate::source::Span;

use super::lower::Lowering;

/// What libraries keep.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    /// By the name of the state.
    pub states: BTreeMap<String, State>,
    /// Functions that may run at any time: handlers of signals, and what other threads run.
    pub any_time: BTreeSet<RoutineId>,
    /// Those of them that run beside everything else.
    pub threads: BTreeSet<RoutineId>,
    /// Functions that run at the end of the process.
    pub at_exit: BTreeSet<RoutineId>,
}

/// What is kept in one state.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    /// Memory that may be touched at any use of the state.
    pub lasting: BTreeSet<CellId>,
    /// Memory that is touched until a request is complete.
    pub requested: BTreeSet<CellId>,
    /// Functions.
    pub routines: BTreeSet<RoutineId>,
}

impl Kept {
    /// What threads run that are joined before a checkpoint is taken.
    pub fn joined(&self) -> BTreeSet<RoutineId> {
        let joined = self.states.get("@joined");
        joined.map(|one| one.routines.clone()).unwrap_or_default()
    }
}

impl Lowering<'_> {
    /// Looks at all calls of the program.
    pub fn keep(&mut self) {
        let mut kept = Kept::default();
        for id in self.steps.routine_ids() {
            let routine = self.steps.routine(id);
            routine.walk(&mut |step| {
                if let StepKind::Call(call) = &step.kind {
                    self.keep_call(id, call, step.span, &mut kept);
                }
            });
        }
        for variable in self.steps.variable_ids() {
            let name = &self.steps.variable(variable).name;
            let is_named = self.steps.variable(variable).owner.is_none();
            // `stdout` stays the pointer that it is.
            let changes = |state: &&str| is_named && state_name(state) != "@streams";
            if let Some(state) = self.catalogue.state_of_variable(name).filter(changes)
                && let Some(object) = self.points_to.variable(variable)
            {
                let state = kept.states.entry(state_name(state)).or_default();
                state.lasting.extend(self.points_to.cells(object));
            }
        }
        for (name, state) in &kept.states {
            match name.as_str() {
                "@signals" => kept.any_time.extend(&state.routines),
                // What is kept for the end of a thread runs there; without other threads only where the program ends its own.
                "@threads" if !kept.threads.is_empty() => {
                    kept.any_time.extend(&state.routines);
                    kept.threads.extend(&state.routines);
                }
                "@threads" if self.program.units.iter().any(has_regions) => {
                    kept.any_time.extend(&state.routines);
                }
                "@exit" => kept.at_exit.extend(&state.routines),
                _ => {}
            }
        }
        self.kept = kept;
    }

    fn keep_call(&mut self, id: RoutineId, call: &Call, span: Span, kept: &mut Kept) {
        for name in self.points_to.callees(id, call).named {
            let Some(function) = self.catalogue.find(&name) else {
                continue;
            };
            self.jumps |= function.is(Role::ReturnsTwice);
            if function.is(Role::Spawns) {
                let started = self.callbacks(id, call, &function);
                kept.any_time.extend(&started);
                kept.threads.extend(started);
            }
            for effect in &function.effects {
                let EffectKind::Keeps(Some(state)) = &effect.kind else {
                    continue;
                };
                let (mut cells, _) = self.place(id, call, &function, &effect.place, span);
                cells.extend(self.handed(id, call, &effect.place));
                let routines = match function.is_data(&effect.place) {
                    true => Vec::new(),
                    false => self.routines_in(&cells),
                };
                if state_name(state) == "@threads" && starts(&function) {
                    kept.any_time.extend(&routines);
                    kept.threads.extend(&routines);
                }
                let state = kept.states.entry(state_name(state)).or_default();
                state.routines.extend(routines);
                if until_request(&function) {
                    state.requested.extend(cells);
                } else {
                    state.lasting.extend(cells);
                }
            }
        }
    }

    /// What a parameter itself points to, functions as well.
    fn handed(&self, id: RoutineId, call: &Call, place: &Place) -> Vec<CellId> {
        let Root::Parameter(parameter) = place.root else {
            return Vec::new();
        };
        // `act->sa_handler`: what the member points to is kept, not the struct.
        if !place.members.is_empty() || place.behind > 0 {
            return Vec::new();
        }
        call.arguments
            .get(parameter)
            .map(|argument| self.points_to.targets(id, argument.value).collect())
            .unwrap_or_default()
    }

    /// The functions of the program that can be reached from some cells.
    pub fn routines_in(&self, cells: &[CellId]) -> Vec<RoutineId> {
        let all: CellSet = self.points_to.reachable(cells.iter().copied());
        let routine = |cell: usize| self.points_to.memory.routine(CellId(cell as u32));
        all.ones().filter_map(routine).collect()
    }
}

/// A name of a state as the user writes it.
pub(super) fn state_name(state: &str) -> String {
    if state.starts_with('@') {
        state.to_string()
    } else {
        format!("@{state}")
    }
}

/// Whether the memory that it keeps is touched only while a communication is under way.
fn until_request(function: &LibraryFunction) -> bool {
    function.is(Role::NonBlocking) || function.is(Role::Persistent)
}
