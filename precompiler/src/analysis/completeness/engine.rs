//! What is known about every cell at checkpoints, calls and blocks: [`State`]s, forward through the whole program.
//!
//! Only functions that contain or reach a directive are looked at step by step. Of the others it matters what they may
//! store to. First every function's [`Basis`], callees before callers and again until nothing changes; then the states
//! at all entries, callers before callees; then what stands at the places that are asked for.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use super::cover::Covers;
use super::facts::Facts;
use super::model::DirectivePlace;
use super::state::{Basis, State};
use crate::analysis::effects::{Action, ActionKind, Note, SetId};
use crate::analysis::memory::{ObjectId, ObjectKind};
use crate::dataflow::Flow;
use crate::dataflow::steps::RoutineId;
use crate::program::{Directive, DirectiveId};
use crate::source::Span;

/// A call: the function in which it stands and its text.
pub(super) type CallPlace = (RoutineId, Span);

/// The states at the places that are asked for.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// At checkpoints.
    pub checkpoints: BTreeMap<DirectivePlace, State>,
    /// Before the blocks that are executed on restart.
    pub blocks: BTreeMap<DirectivePlace, State>,
    /// Before calls of functions that contain or reach a directive.
    pub calls: Vec<(CallPlace, State)>,
}

/// Everything at hand.
pub(super) struct Engine<'a> {
    facts: &'a Facts<'a>,
    covers: &'a Covers,
    /// How much work may still be done, in words of sets.
    patience: Cell<u64>,
    bases: Vec<Basis>,
}

/// A list of actions and where its results go.
struct Walk<'w> {
    routine: RoutineId,
    found: Option<&'w mut Found>,
    entries: Option<&'w mut Entries>,
}

/// A call that is looked at.
struct Calling<'c> {
    span: Span,
    routines: &'c [RoutineId],
    surely: bool,
    spared: SetId,
    /// It is made again on restart.
    again: bool,
}

/// The states in which functions are entered, and those that have become news.
#[derive(Default)]
struct Entries {
    states: Vec<Option<State>>,
    news: Vec<RoutineId>,
}

impl Entries {
    fn enter(&mut self, routine: RoutineId, state: &State) {
        let known = &mut self.states[routine.0 as usize];
        let news = match known {
            Some(known) => known.join(state),
            None => {
                *known = Some(state.clone());
                true
            }
        };
        if news {
            self.news.push(routine);
        }
    }
}

impl<'a> Engine<'a> {
    /// Gets ready. `patience`: so much work may be done, in words of sets.
    pub fn new(facts: &'a Facts<'a>, covers: &'a Covers, patience: u64) -> Engine<'a> {
        let count = facts.steps.routines.len();
        Engine {
            facts,
            covers,
            patience: Cell::new(patience),
            bases: vec![Basis::default(); count],
        }
    }

    /// The states, or nothing when it would be too much work for them.
    pub fn run(&mut self) -> Option<Found> {
        let order = self.facts.callees_first();
        self.find_bases(&order)?;
        let mut entries = Entries {
            states: vec![None; self.facts.steps.routines.len()],
            news: Vec::new(),
        };
        let begin = State::begin(self.facts.memory.cells.len(), &self.facts.heap);
        for root in self.facts.roots() {
            entries.enter(root, &begin);
        }
        let mut waiting = BTreeSet::new();
        loop {
            for routine in entries.news.drain(..) {
                waiting.extend(order.iter().position(|&one| one == routine));
            }
            // Callers first: the last of the order.
            let Some(at) = waiting.pop_last() else { break };
            let Some(entry) = entries.states[order[at].0 as usize].clone() else {
                continue;
            };
            let mut walk = Walk {
                routine: order[at],
                found: None,
                entries: Some(&mut entries),
            };
            self.routine(&mut walk, entry)?;
        }
        let mut found = Found::default();
        for &routine in &order {
            if let Some(entry) = entries.states[routine.0 as usize].clone() {
                let mut walk = Walk {
                    routine,
                    found: Some(&mut found),
                    entries: None,
                };
                self.routine(&mut walk, entry)?;
            }
        }
        Some(found)
    }

    fn find_bases(&mut self, order: &[RoutineId]) -> Option<()> {
        let starts = Basis::entries(self.facts.memory.cells.len());
        loop {
            let mut news = false;
            for &routine in order {
                for (number, start) in starts.iter().enumerate() {
                    let mut walk = Walk {
                        routine,
                        found: None,
                        entries: None,
                    };
                    let exit = self.routine(&mut walk, start.clone())?;
                    let known = &mut self.bases[routine.0 as usize].0[number];
                    if *known != exit {
                        *known = exit;
                        news = true;
                    }
                }
            }
            if !news {
                return Some(());
            }
        }
    }

    /// What a function makes of a state. The outer `None`: it would be too much work; the inner: it does not return.
    fn routine(&self, walk: &mut Walk, mut entry: State) -> Option<Option<State>> {
        let index = walk.routine.0 as usize;
        entry.renew(self.facts.locals[index].iter().copied());
        let flow = &self.facts.steps.routine(walk.routine).flow;
        let nodes = &self.facts.effects.bodies[index].nodes;
        let mut states: Vec<Option<State>> = vec![None; flow.nodes.len()];
        states[Flow::ENTRY.0] = Some(entry);
        let mut waiting: BTreeSet<usize> = BTreeSet::from([Flow::ENTRY.0]);
        // A node copies and joins all sets a few times.
        let work = 1 + self.facts.memory.cells.len() as u64 / 64 * 32;
        let mut quiet = Walk {
            routine: walk.routine,
            found: None,
            entries: walk.entries.take(),
        };
        while let Some(node) = waiting.pop_first() {
            self.patience.set(self.patience.get().checked_sub(work)?);
            let Some(state) = states[node].clone() else {
                continue;
            };
            let after = match nodes.get(node) {
                // Parameters get their values, which the call gives again.
                Some(actions) if node != Flow::ENTRY.0 => {
                    self.list(&mut quiet, actions, Some(state))
                }
                _ => Some(state),
            };
            let Some(after) = after else { continue };
            for next in &flow.nodes[node].next {
                let news = match &mut states[next.0] {
                    Some(known) => known.join(&after),
                    empty => {
                        *empty = Some(after.clone());
                        true
                    }
                };
                if news {
                    waiting.insert(next.0);
                }
            }
        }
        walk.entries = quiet.entries;
        if walk.found.is_some() {
            for (node, state) in states.iter().enumerate() {
                if let (Some(state), Some(actions)) = (state, nodes.get(node)) {
                    self.list(walk, actions, Some(state.clone()));
                }
            }
        }
        Some(states.swap_remove(Flow::EXIT.0))
    }

    fn list(&self, walk: &mut Walk, actions: &[Action], state: Option<State>) -> Option<State> {
        let unknown: Vec<Span> = actions
            .iter()
            .filter(|one| matches!(one.kind, ActionKind::Note(Note::Unknown(_))))
            .map(|one| one.span)
            .collect();
        let mut state = state?;
        for action in actions {
            let again = self.facts.runs_again(walk.routine, action.span);
            match &action.kind {
                ActionKind::Write { cells, all } => {
                    let cells = self.facts.effects.cells(*cells).iter();
                    let cells = cells.map(|cell| cell.0 as usize);
                    if !again && !unknown.contains(&action.span) {
                        state.change(cells);
                    } else if again && *all {
                        state.set_again(cells);
                    }
                }
                ActionKind::Begin { object, all } => {
                    self.begin(&mut state, *object, *all, again);
                }
                ActionKind::Free { cells, all: true } => {
                    let cells = self.facts.effects.cells(*cells).iter();
                    state.release(cells.map(|cell| cell.0 as usize));
                }
                ActionKind::Call {
                    routines,
                    surely,
                    spared,
                } => {
                    let call = Calling {
                        span: action.span,
                        routines,
                        surely: *surely,
                        spared: *spared,
                        again,
                    };
                    state = self.call(walk, &call, state)?;
                }
                ActionKind::Choose(lists) => {
                    let mut joined: Option<State> = None;
                    for list in lists {
                        let one = self.list(walk, list, Some(state.clone()));
                        joined = either(joined, one);
                    }
                    state = joined?;
                }
                ActionKind::Repeat(list) => loop {
                    let before = state.clone();
                    state = either(Some(state), self.list(walk, list, Some(before.clone())))?;
                    if state == before {
                        break;
                    }
                },
                ActionKind::Stop => return None,
                ActionKind::Directive(id) => self.directive(walk, *id, &mut state),
                ActionKind::Read(_)
                | ActionKind::Free { all: false, .. }
                | ActionKind::Return
                | ActionKind::Jump
                | ActionKind::Note(_) => {}
            }
        }
        Some(state)
    }

    fn begin(&self, state: &mut State, object: ObjectId, all: bool, again: bool) {
        let cells = self.facts.object_cells(object);
        let heap = matches!(
            self.facts.memory.objects[object.0 as usize].kind,
            ObjectKind::Heap { .. }
        );
        if heap {
            self.allocate(state, object, !again, !all);
        } else {
            state.renew(cells);
        }
    }

    /// A register of a fixed size follows its pointer into new memory.
    fn allocate(&self, state: &mut State, object: ObjectId, made: bool, others: bool) {
        let cells = self.facts.object_cells(object);
        let (followed, open): (Vec<usize>, Vec<usize>) =
            cells.partition(|cell| self.covers.follows(*cell, &state.kept));
        state.allocate(open.into_iter(), made, others);
        state.allocate(followed.iter().copied(), made, others);
        state.cover(followed.into_iter());
    }

    fn call(&self, walk: &mut Walk, call: &Calling, state: State) -> Option<State> {
        let Calling {
            span,
            routines,
            surely,
            ..
        } = *call;
        let client = |routine: &RoutineId| self.facts.is_client(*routine);
        if let Some(found) = &mut walk.found
            && routines.iter().any(client)
        {
            let place = (walk.routine, span);
            found.calls.push((place, state.clone()));
        }
        let mut after = (!surely).then(|| state.clone());
        for routine in routines {
            let one = if client(routine) {
                if let Some(entries) = &mut walk.entries {
                    entries.enter(*routine, &state);
                }
                self.bases[routine.0 as usize].apply(&state)
            } else {
                self.plain(walk.routine, call, *routine, state.clone())
            };
            after = either(after, one);
        }
        // Other activations of this function have locals of their own.
        let mut after = after?;
        let own = &self.facts.locals[walk.routine.0 as usize];
        let private = own.iter().copied();
        after.take(
            &state,
            private.filter(|cell| self.facts.effects.private.contains(*cell)),
        );
        Some(after)
    }

    /// A call of a function without directives.
    fn plain(
        &self,
        caller: RoutineId,
        call: &Calling,
        routine: RoutineId,
        mut state: State,
    ) -> Option<State> {
        let summary = self.facts.effects.summary(routine);
        if !summary.returns {
            return None;
        }
        for object in self.facts.made_by(caller, call.span, routine) {
            self.allocate(&mut state, object, !call.again, true);
        }
        if call.again {
            state.set_again(summary.overwrites.ones());
        } else {
            let changes = &self.facts.changes[routine.0 as usize];
            let changes = self.facts.effects.unspared(call.spared, changes);
            state.change(changes.ones());
        }
        Some(state)
    }

    fn directive(&self, walk: &mut Walk, id: DirectiveId, state: &mut State) {
        let unit = self.facts.steps.routine(walk.routine).function.unit;
        let place = DirectivePlace { unit, id };
        match &self.facts.program.units[unit].directives[id.0].directive {
            Directive::Init { .. } => state.restarted(&self.facts.heap),
            Directive::Register { .. } => self.covers.register(place, &self.facts.heap, state),
            Directive::Unregister { names } => {
                for name in names {
                    self.covers
                        .unregister(walk.routine, name, &self.facts.heap, state);
                }
            }
            Directive::Checkpoint { .. } => {
                if let Some(found) = &mut walk.found {
                    keep(&mut found.checkpoints, place, state);
                }
            }
            Directive::ExecuteOnRestart => {
                if let Some(found) = &mut walk.found {
                    keep(&mut found.blocks, place, state);
                }
            }
            Directive::EndExecute | Directive::Shutdown | Directive::Client { .. } => {}
        }
    }
}

fn either(one: Option<State>, other: Option<State>) -> Option<State> {
    match (one, other) {
        (Some(mut one), Some(other)) => {
            one.join(&other);
            Some(one)
        }
        (one, other) => one.or(other),
    }
}

fn keep(found: &mut BTreeMap<DirectivePlace, State>, place: DirectivePlace, state: &State) {
    match found.get_mut(&place) {
        Some(known) => {
            known.join(state);
        }
        None => {
            found.insert(place, state.clone());
        }
    }
}
