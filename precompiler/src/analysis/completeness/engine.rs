//! What is known about every cell at checkpoints, calls and blocks: [`State`]s, forward through the whole program.
//!
//! Only functions that contain or reach a directive are looked at step by step. Of the others it matters what they may
//! store to. First every function's [`Basis`], callees before callers and again until nothing changes; then the states
//! at all entries, callers before callees; then what stands at the places that are asked for.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use super::cover::Covers;
use super::model::DirectivePlace;
use super::state::{Basis, State};
use crate::analysis::effects::{Action, ActionKind, Effects, Note};
use crate::analysis::memory::{CellSet, Memory, ObjectId, ObjectKind};
use crate::dataflow::Flow;
use crate::dataflow::steps::{RoutineId, Steps};
use crate::program::{Directive, DirectiveId, Program, Storage};
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
    pub program: &'a Program,
    pub steps: &'a Steps,
    pub memory: &'a Memory,
    pub effects: &'a Effects,
    pub covers: &'a Covers,
    pub until: Instant,
    clients: Vec<bool>,
    changes: Vec<CellSet>,
    blocks: Vec<Vec<Span>>,
    locals: Vec<Vec<usize>>,
    bases: Vec<Basis>,
}

/// A list of actions and where its results go.
struct Walk<'w> {
    routine: RoutineId,
    found: Option<&'w mut Found>,
    entries: Option<&'w mut Entries>,
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
    /// Gets ready.
    pub fn new(
        program: &'a Program,
        steps: &'a Steps,
        memory: &'a Memory,
        effects: &'a Effects,
        covers: &'a Covers,
        until: Instant,
    ) -> Engine<'a> {
        let count = steps.routines.len();
        let mut engine = Engine {
            program,
            steps,
            memory,
            effects,
            covers,
            until,
            clients: vec![false; count],
            changes: vec![CellSet::with_capacity(memory.cells.len()); count],
            blocks: vec![Vec::new(); count],
            locals: vec![Vec::new(); count],
            bases: vec![Basis::default(); count],
        };
        engine.find_blocks();
        engine.find_locals();
        engine.find_clients();
        engine.find_changes();
        engine
    }

    /// The states, or nothing when there is no time for them.
    pub fn run(&mut self) -> Option<Found> {
        let order = self.callees_first();
        self.find_bases(&order)?;
        let mut entries = Entries {
            states: vec![None; self.steps.routines.len()],
            news: Vec::new(),
        };
        let begin = State::begin(self.memory.cells.len());
        for root in self.roots() {
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

    fn unit_of(&self, routine: RoutineId) -> usize {
        self.steps.routine(routine).function.unit
    }

    fn find_blocks(&mut self) {
        for (unit, one) in self.program.units.iter().enumerate() {
            for begin in &one.directives {
                let (Directive::ExecuteOnRestart, Some(end), Some(function)) =
                    (&begin.directive, begin.partner, begin.function)
                else {
                    continue;
                };
                let place = crate::dataflow::FunctionRef { unit, function };
                let routine = self.steps.routine_of(place);
                let end = one.directives[end.0].span.start;
                self.blocks[routine.0 as usize].push(Span::new(begin.span.end, end));
            }
        }
    }

    fn find_locals(&mut self) {
        for object in &self.memory.objects {
            let ObjectKind::Variable(variable) = object.kind else {
                continue;
            };
            let variable = self.steps.variable(variable);
            if let Some(owner) = variable.owner
                && matches!(variable.storage, Storage::Automatic | Storage::Register)
            {
                let first = object.first.0 as usize;
                self.locals[owner.0 as usize].extend(first..first + object.count as usize);
            }
        }
    }

    /// Calls `visit` for every action of a list, those inside others too.
    pub fn walk(actions: &[Action], visit: &mut dyn FnMut(&Action)) {
        for action in actions {
            visit(action);
            match &action.kind {
                ActionKind::Choose(lists) => lists.iter().for_each(|one| Self::walk(one, visit)),
                ActionKind::Repeat(one) => Self::walk(one, visit),
                _ => {}
            }
        }
    }

    /// Calls `visit` for every action of a function.
    pub fn visit(&self, routine: usize, visit: &mut dyn FnMut(&Action)) {
        if let Some(body) = self.effects.bodies.get(routine) {
            body.nodes.iter().for_each(|node| Self::walk(node, visit));
        }
    }

    /// Whether a function contains or reaches a directive.
    pub fn is_client(&self, routine: RoutineId) -> bool {
        self.clients[routine.0 as usize]
    }

    /// Whether an action is a call of such a function, or contains one.
    pub fn calls_client(&self, action: &Action) -> bool {
        let mut found = false;
        Self::walk(std::slice::from_ref(action), &mut |one| {
            if let ActionKind::Call { routines, .. } = &one.kind {
                found |= routines.iter().any(|routine| self.is_client(*routine));
            }
        });
        found
    }

    /// The cells to which a part of a function may store, with all that it calls.
    pub fn stored_in(&self, routine: RoutineId, part: Span) -> CellSet {
        let mut cells = CellSet::with_capacity(self.memory.cells.len());
        self.visit(routine.0 as usize, &mut |action| {
            if !part.has(action.span.start) {
                return;
            }
            match &action.kind {
                ActionKind::Write { cells: set, .. } => {
                    cells.extend(self.effects.cells(*set).iter().map(|cell| cell.0 as usize));
                }
                ActionKind::Call { routines, .. } => {
                    for called in routines {
                        cells.union_with(&self.changes[called.0 as usize]);
                    }
                }
                _ => {}
            }
        });
        cells
    }

    fn find_clients(&mut self) {
        let mut callers: Vec<Vec<usize>> = vec![Vec::new(); self.clients.len()];
        let mut work = Vec::new();
        for routine in 0..self.clients.len() {
            let mut has_directive = false;
            let mut callees = Vec::new();
            self.visit(routine, &mut |action| match &action.kind {
                ActionKind::Directive(_) => has_directive = true,
                ActionKind::Call { routines, .. } => callees.extend(routines.iter().copied()),
                _ => {}
            });
            for callee in callees {
                callers[callee.0 as usize].push(routine);
            }
            if has_directive {
                work.push(routine);
            }
        }
        while let Some(routine) = work.pop() {
            if !std::mem::replace(&mut self.clients[routine], true) {
                work.extend(&callers[routine]);
            }
        }
    }

    /// What every function may store to, with all that it calls, blocks that run again left out.
    fn find_changes(&mut self) {
        let mut callees: Vec<Vec<usize>> = vec![Vec::new(); self.clients.len()];
        for (routine, called) in callees.iter_mut().enumerate() {
            let mut cells = std::mem::take(&mut self.changes[routine]);
            let mut unknown = Vec::new();
            self.visit(routine, &mut |action| {
                if let ActionKind::Note(Note::Unknown(_)) = action.kind {
                    unknown.push(action.span);
                }
            });
            self.visit(routine, &mut |action| match &action.kind {
                ActionKind::Write { cells: set, .. } if !unknown.contains(&action.span) => {
                    cells.extend(self.effects.cells(*set).iter().map(|cell| cell.0 as usize));
                }
                ActionKind::Call { routines, .. } => {
                    called.extend(routines.iter().map(|one| one.0 as usize));
                }
                _ => {}
            });
            self.changes[routine] = cells;
        }
        let mut news = true;
        while news {
            news = false;
            for (routine, called) in callees.iter().enumerate() {
                for &callee in called {
                    if callee != routine && !self.changes[callee].is_subset(&self.changes[routine])
                    {
                        let more = self.changes[callee].clone();
                        self.changes[routine].union_with(&more);
                        news = true;
                    }
                }
            }
        }
    }

    /// `main`, and what nobody here calls when there is none.
    fn roots(&self) -> Vec<RoutineId> {
        let main = self.steps.routine_named(self.program, "main");
        let mut roots: Vec<RoutineId> = main.into_iter().collect();
        let mut called = vec![false; self.clients.len()];
        for routine in 0..self.clients.len() {
            self.visit(routine, &mut |action| {
                if let ActionKind::Call { routines, .. } = &action.kind {
                    routines
                        .iter()
                        .for_each(|one| called[one.0 as usize] = true);
                }
            });
        }
        if main.is_none() || !self.effects.from_outside.is_empty() {
            let more = self.steps.routine_ids().filter(|one| {
                let outside = self.effects.from_outside.contains(one);
                self.clients[one.0 as usize] && (outside || !called[one.0 as usize])
            });
            roots.extend(more);
        }
        roots
    }

    fn callees_first(&self) -> Vec<RoutineId> {
        let mut order = Vec::new();
        let mut seen = vec![false; self.clients.len()];
        for start in self.steps.routine_ids() {
            let mut stack = vec![(start, false)];
            while let Some((routine, done)) = stack.pop() {
                if done {
                    order.push(routine);
                    continue;
                }
                let index = routine.0 as usize;
                if !self.clients[index] || std::mem::replace(&mut seen[index], true) {
                    continue;
                }
                stack.push((routine, true));
                self.visit(index, &mut |action| {
                    if let ActionKind::Call { routines, .. } = &action.kind {
                        stack.extend(routines.iter().map(|&callee| (callee, false)));
                    }
                });
            }
        }
        order
    }

    fn find_bases(&mut self, order: &[RoutineId]) -> Option<()> {
        let starts = Basis::entries(self.memory.cells.len());
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

    /// What a function makes of a state. The outer `None`: there is no time; the inner: it does not return.
    fn routine(&self, walk: &mut Walk, mut entry: State) -> Option<Option<State>> {
        let index = walk.routine.0 as usize;
        entry.renew(self.locals[index].iter().copied(), false);
        let flow = &self.steps.routine(walk.routine).flow;
        let nodes = &self.effects.bodies[index].nodes;
        let mut states: Vec<Option<State>> = vec![None; flow.nodes.len()];
        states[Flow::ENTRY.0] = Some(entry);
        let mut waiting: BTreeSet<usize> = BTreeSet::from([Flow::ENTRY.0]);
        let mut quiet = Walk {
            routine: walk.routine,
            found: None,
            entries: walk.entries.take(),
        };
        while let Some(node) = waiting.pop_first() {
            if Instant::now() > self.until {
                return None;
            }
            let Some(state) = states[node].clone() else {
                continue;
            };
            let after = match nodes.get(node) {
                Some(actions) => self.list(&mut quiet, actions, Some(state)),
                None => Some(state),
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
            let again = self.runs_again(walk.routine, action.span);
            match &action.kind {
                ActionKind::Write { cells, all } => {
                    let cells = self.effects.cells(*cells).iter();
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
                    let cells = self.effects.cells(*cells).iter();
                    state.renew(cells.map(|cell| cell.0 as usize), false);
                }
                ActionKind::Call { routines, surely } => {
                    state = self.call(walk, action.span, routines, *surely, again, state)?;
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

    /// Whether a place lies in a block that is executed on restart.
    pub fn runs_again(&self, routine: RoutineId, span: Span) -> bool {
        let blocks = &self.blocks[routine.0 as usize];
        blocks.iter().any(|block| block.has(span.start))
    }

    fn object_cells(&self, object: ObjectId) -> std::ops::Range<usize> {
        let object = &self.memory.objects[object.0 as usize];
        let first = object.first.0 as usize;
        first..first + object.count as usize
    }

    fn begin(&self, state: &mut State, object: ObjectId, all: bool, again: bool) {
        let cells = self.object_cells(object);
        let heap = matches!(
            self.memory.objects[object.0 as usize].kind,
            ObjectKind::Heap { .. }
        );
        match (heap, all) {
            (false, _) => state.renew(cells, false),
            (true, true) => state.renew(cells, !again),
            (true, false) if !again => state.add_others(cells),
            (true, false) => {}
        }
    }

    fn call(
        &self,
        walk: &mut Walk,
        span: Span,
        routines: &[RoutineId],
        surely: bool,
        again: bool,
        state: State,
    ) -> Option<State> {
        let client = |routine: &RoutineId| self.clients[routine.0 as usize];
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
                self.plain(*routine, again, state.clone())
            };
            after = either(after, one);
        }
        after
    }

    /// A call of a function without directives.
    fn plain(&self, routine: RoutineId, again: bool, mut state: State) -> Option<State> {
        let summary = self.effects.summary(routine);
        if !summary.returns {
            return None;
        }
        if again {
            for &object in &summary.allocates {
                let cells = self.object_cells(object);
                cells.for_each(|cell| state.made.set(cell, false));
            }
            state.set_again(summary.overwrites.ones());
        } else {
            for &object in &summary.allocates {
                state.add_others(self.object_cells(object));
            }
            state.change(self.changes[routine.0 as usize].ones());
        }
        Some(state)
    }

    fn directive(&self, walk: &mut Walk, id: DirectiveId, state: &mut State) {
        let unit = self.unit_of(walk.routine);
        let place = DirectivePlace { unit, id };
        match &self.program.units[unit].directives[id.0].directive {
            Directive::Init { .. } => *state = State::begin(self.memory.cells.len()),
            Directive::Register { .. } => self.covers.register(place, state),
            Directive::Unregister { names } => {
                for name in names {
                    self.covers
                        .unregister(walk.routine, name, self.memory, state);
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
