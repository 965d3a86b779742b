//! Of what there is never more than one at a time.
//!
//! In: who calls whom, and where. A local is one when its function cannot be active twice (or nothing points to it: then
//! only its own activation can name it), and when not several threads have one each ([`teams`](super::teams)). A block of the heap is one when the call that allocates it happens once: not in
//! a loop, in `main` or in a function that is called once from such a place. When unsure: more than one.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::calls::Caller;
use super::solver::Solver;
use super::teams::Teams;
use crate::analysis::memory::{CellSet, Object, ObjectKind};
use crate::dataflow::NodeId;
use crate::dataflow::steps::{RoutineId, Step, StepKind, TextPlace};
use crate::program::Storage;
use crate::solver::{components, rounds};

/// Who may be active how often.
pub struct Activity {
    recursive: BTreeSet<RoutineId>,
    /// Functions that are called once.
    once: BTreeSet<RoutineId>,
    /// The function in which a call stands, and whether it may happen more than once per activation.
    calls: HashMap<TextPlace, (RoutineId, bool)>,
    teams: Teams,
}

impl Activity {
    /// Looks at the calls of a program.
    pub fn of(solver: &Solver) -> Activity {
        let mut activity = Activity {
            recursive: recursive(solver),
            once: BTreeSet::new(),
            calls: HashMap::new(),
            teams: Teams::of(solver),
        };
        for id in solver.steps.routine_ids() {
            let routine = solver.routine(id);
            for (index, node) in routine.nodes.iter().enumerate() {
                let mut found = Vec::new();
                for step in node {
                    calls_in(step, false, &mut found);
                }
                if found.is_empty() {
                    continue;
                }
                let flow = &routine.flow;
                let in_loop = index >= flow.nodes.len() || flow.after(NodeId(index))[index];
                for (span, repeated) in found {
                    let unit = routine.function.unit;
                    let again = in_loop
                        || repeated
                        || activity.teams.make(solver.program, solver.steps, id, span);
                    let place = TextPlace { unit, span };
                    activity
                        .calls
                        .entry(place)
                        .and_modify(|known| known.1 = true)
                        .or_insert((id, again));
                }
            }
        }
        activity.find_once(solver);
        activity
    }

    /// Functions that are called once, from the outside in.
    fn find_once(&mut self, solver: &Solver) {
        let mut callers: BTreeMap<RoutineId, BTreeSet<Caller>> = BTreeMap::new();
        for (caller, called) in solver.edges() {
            if let Caller::Routine(called) = called {
                callers.entry(called).or_default().insert(caller);
            }
        }
        if let Some(main) = solver.main()
            && !callers.contains_key(&main)
        {
            self.once.insert(main);
        }
        rounds(|| {
            let before = self.once.len();
            for (called, sites) in &solver.calls_of {
                let known = callers.get(called);
                let [(Some(caller), at)] = sites.iter().collect::<Vec<_>>()[..] else {
                    continue;
                };
                let only = known.is_some_and(|known| known.len() == 1);
                let again = self.calls.get(at).is_none_or(|(_, again)| *again);
                if only && !again && self.once.contains(caller) {
                    self.once.insert(*called);
                }
            }
            self.once.len() != before
        });
    }

    /// Functions that may be active more than once at a time.
    pub fn recursive(&self) -> BTreeSet<RoutineId> {
        self.recursive.clone()
    }

    /// What threads of teams have, and where they are.
    pub fn teams(&self) -> Teams {
        self.teams.clone()
    }

    /// Whether there is never more than one of an object.
    pub fn is_single(&self, solver: &Solver, object: &Object, is_pointed: &CellSet) -> bool {
        match &object.kind {
            ObjectKind::Variable(id) => {
                let variable = &solver.steps.variables[id.0 as usize];
                match (variable.storage, variable.owner) {
                    (Storage::Automatic | Storage::Register, Some(owner)) => {
                        let mut cells = object.first.0..object.first.0 + object.count;
                        !(self.recursive.contains(&owner) || self.teams.has(*id, owner))
                            || !cells.any(|cell| is_pointed.contains(cell as usize))
                    }
                    _ => true,
                }
            }
            ObjectKind::Heap {
                routine,
                call,
                through,
            } => {
                let mut places = through.iter().chain([call]);
                let outer = through
                    .first()
                    .and_then(|first| self.calls.get(first))
                    .map_or(*routine, |(outer, _)| *outer);
                self.once.contains(&outer)
                    && places.all(|at| self.calls.get(at).is_some_and(|(_, again)| !again))
            }
            ObjectKind::Function(_) | ObjectKind::Text(_) => true,
            ObjectKind::Library(_) | ObjectKind::Unknown => false,
        }
    }
}

fn calls_in(step: &Step, repeated: bool, found: &mut Vec<(crate::source::Span, bool)>) {
    match &step.kind {
        StepKind::Call(_) => found.push((step.span, repeated)),
        StepKind::Choose(ways) => {
            for inner in ways.iter().flatten() {
                calls_in(inner, repeated, found);
            }
        }
        StepKind::Repeat(inner) => {
            for inner in inner {
                calls_in(inner, true, found);
            }
        }
        _ => {}
    }
}

/// Functions in a cycle of the call graph. Code that we do not see, and libraries that remember functions, are part of
/// it: whoever can be called at any time can be called while anything is active.
fn recursive(solver: &Solver) -> BTreeSet<RoutineId> {
    let mut next: BTreeMap<Caller, BTreeSet<Caller>> = BTreeMap::new();
    let mut at_any_time = false;
    for (caller, called) in solver.edges() {
        next.entry(caller).or_default().insert(called);
        at_any_time |= caller == Caller::Library;
    }
    if at_any_time {
        for id in solver.steps.routine_ids() {
            next.entry(Caller::Routine(id))
                .or_default()
                .insert(Caller::Library);
        }
    }
    let all: Vec<(Caller, Vec<Caller>)> = { next.into_iter() }
        .map(|(from, to)| (from, to.into_iter().collect()))
        .collect();
    // What leads nowhere is in no cycle.
    let number = |one: &Caller| all.binary_search_by_key(one, |(from, _)| *from).ok();
    let numbers: Vec<Vec<usize>> = { all.iter() }
        .map(|(_, to)| to.iter().filter_map(number).collect())
        .collect();
    let edge = |node: usize, edge: usize| numbers[node].get(edge).copied();
    components(all.len(), 0..all.len(), edge)
        .into_iter()
        .filter(|group| group.len() > 1 || numbers[group[0]].contains(&group[0]))
        .flatten()
        .filter_map(|one| match all[one].0 {
            Caller::Routine(id) => Some(id),
            _ => None,
        })
        .collect()
}
