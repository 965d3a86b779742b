//! What is known about every cell at checkpoints, calls and blocks: states ([`Running`]), forward through the whole program.
//!
//! Only functions that contain or reach a directive are looked at step by step. Of the others it matters what they may
//! store to. First every function's [`Basis`], callees before callers and again until nothing changes; then the states
//! at all entries, callers before callees; then what stands at the places that are asked for.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::basis::Basis;
use super::classes::{Alike, Parts, first_classes, known};
use super::cover::Covers;
use super::facts::Facts;
use super::found::{Found, Seen, keep};
use super::model::DirectivePlace;
use super::out_of_reach::Following;
use super::running::{Part, Running, Universe};
use crate::analysis::effects::{Action, ActionKind, Block, Note, SetId, blocks};
use crate::analysis::memory::{ObjectId, ObjectKind};
use crate::dataflow::Flow;
use crate::dataflow::steps::RoutineId;
use crate::program::{Directive, DirectiveId};
use crate::solver::{Analysis, rounds, settle, solve};
use crate::source::Span;
use rustc_hash::FxHashMap;

/// Everything at hand.
pub(super) struct Engine<'a> {
    facts: &'a Facts<'a>,
    covers: &'a Covers,
    following: Following<'a>,
    universe: Universe,
    parts: Parts,
    /// How much work may still be done, in words of sets.
    patience: Cell<u64>,
    bases: Vec<Basis>,
    /// When each basis has changed last, in changes of any.
    changed: Vec<usize>,
    changes: usize,
    /// Those of functions that one call may call.
    unions: RefCell<Unions>,
}

/// Bases of several functions together, and after how many changes of any.
type Unions = FxHashMap<Box<[RoutineId]>, (usize, Basis)>;

/// A list of actions and where its results go.
struct Walk<'w> {
    routine: RoutineId,
    found: Option<&'w mut Seen>,
    entries: Option<&'w mut Entries>,
}

impl Walk<'_> {
    fn of(routine: RoutineId) -> Self {
        Walk {
            routine,
            found: None,
            entries: None,
        }
    }
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
    states: Vec<Option<Running>>,
    news: Vec<RoutineId>,
}

impl Entries {
    fn enter(&mut self, routine: RoutineId, state: &Running) {
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

/// A function, forward from block to block: states are joined where ways meet.
struct Within<'e, 'a, 'w> {
    engine: &'e Engine<'a>,
    blocks: &'e [Block],
    walk: Walk<'w>,
    /// How much work a block is.
    work: u64,
    /// It has become too much.
    is_over: bool,
}

impl Analysis for Within<'_, '_, '_> {
    type Fact = Running;

    fn join(known: &mut Running, more: &Running) -> bool {
        known.join(more)
    }

    fn transfer(&mut self, block: usize, state: Running, hand_on: &mut dyn FnMut(usize, &Running)) {
        let patience = self.engine.patience.get().checked_sub(self.work);
        self.is_over |= patience.is_none() || self.engine.universe.is_cut();
        if self.is_over {
            return;
        }
        self.engine.patience.set(patience.unwrap_or(0));
        let block = &self.blocks[block];
        if let Some(after) = self.engine.along(&mut self.walk, &block.nodes, state) {
            block.next.iter().for_each(|edge| hand_on(edge.to, &after));
        }
    }
}

impl<'a> Engine<'a> {
    /// The states, or nothing when it would be too much work for them. `patience`: so much work may be done, in words of
    /// sets.
    pub fn run(facts: &'a Facts<'a>, covers: &'a Covers, patience: u64) -> Option<Found> {
        let mut engine = Engine {
            facts,
            covers,
            following: Following::of(facts, covers),
            universe: first_classes(facts, covers),
            parts: Parts::default(),
            patience: Cell::new(patience),
            bases: Vec::new(),
            changed: Vec::new(),
            changes: 0,
            unions: RefCell::default(),
        };
        let order = facts.callees_first();
        loop {
            engine.parts = Parts::default();
            engine.bases = vec![Basis::default(); facts.steps.routines.len()];
            engine.changed = vec![0; facts.steps.routines.len()];
            engine.changes = 0;
            engine.unions.take();
            let seen = engine.follow(&order);
            if !engine.universe.is_cut() {
                return seen.map(|seen| seen.told(&engine.universe));
            }
            engine.universe = std::mem::take(&mut engine.universe).finer();
        }
    }

    fn follow(&mut self, order: &[Vec<RoutineId>]) -> Option<Seen> {
        let heap = self.universe.part(self.facts.heap.ones());
        self.parts.heap = heap;
        self.find_bases(order)?;
        self.unions.take();
        let count = self.facts.steps.routines.len();
        let mut entries = Entries {
            states: vec![None; count],
            news: Vec::new(),
        };
        let mut begin = Running::begin(&self.universe, &self.parts.heap);
        self.reside(&mut begin);
        for root in self.facts.roots() {
            entries.enter(root, &begin);
        }
        let mut waiting = vec![false; count];
        // Callers first: the last of the order.
        for group in order.iter().rev() {
            let mut left = Some(());
            rounds(|| {
                let mut is_over = true;
                for &routine in group.iter().rev() {
                    for routine in entries.news.drain(..) {
                        waiting[routine.0 as usize] = true;
                    }
                    if !std::mem::take(&mut waiting[routine.0 as usize]) {
                        continue;
                    }
                    let Some(entry) = entries.states[routine.0 as usize].clone() else {
                        continue;
                    };
                    is_over = false;
                    let mut walk = Walk {
                        routine,
                        found: None,
                        entries: Some(&mut entries),
                    };
                    left = left.and_then(|()| self.routine(&mut walk, entry).map(drop));
                }
                !is_over && left.is_some()
            });
            left?;
        }
        let mut seen = Seen::default();
        for &routine in order.iter().flatten() {
            if let Some(entry) = entries.states[routine.0 as usize].clone() {
                let mut walk = Walk {
                    routine,
                    found: Some(&mut seen),
                    entries: None,
                };
                self.routine(&mut walk, entry)?;
            }
        }
        Some(seen)
    }

    /// Callees before callers; those again whose callees have news.
    fn find_bases(&mut self, order: &[Vec<RoutineId>]) -> Option<()> {
        let starts = Basis::entries(&self.universe);
        for group in order {
            self.find_bases_of(group, &starts)?;
        }
        Some(())
    }

    fn find_bases_of(&mut self, group: &[RoutineId], starts: &[Running]) -> Option<()> {
        let mut callers: BTreeMap<RoutineId, BTreeSet<usize>> = BTreeMap::new();
        for (at, routine) in group.iter().enumerate() {
            self.facts.visit(routine.0 as usize, &mut |action| {
                if let ActionKind::Call { routines, .. } = &action.kind {
                    for callee in routines {
                        callers.entry(*callee).or_default().insert(at);
                    }
                }
            });
        }
        let mut left = Some(());
        settle(0..group.len(), |at, waiting| {
            for (number, start) in starts.iter().enumerate() {
                let routine = group[at];
                let mut walk = Walk::of(routine);
                left = left.and_then(|()| {
                    let exit = self.routine(&mut walk, start.clone())?;
                    let known = &mut self.bases[routine.0 as usize].0[number];
                    if *known != exit {
                        *known = exit;
                        self.changes += 1;
                        self.changed[routine.0 as usize] = self.changes;
                        waiting.extend(callers.get(&routine).into_iter().flatten());
                    }
                    Some(())
                });
            }
        });
        left
    }

    /// What a function makes of a state. The outer `None`: it would be too much work, or the classes are too large; the
    /// inner: it does not return.
    fn routine(&self, walk: &mut Walk, mut entry: Running) -> Option<Option<Running>> {
        let index = walk.routine.0 as usize;
        let locals = known(&self.parts.locals, walk.routine, || {
            self.universe.part(self.facts.locals[index].iter().copied())
        });
        let outside = entry.clone();
        entry.renew(&locals);
        // Registers behind pointers of this activation begin with it, and end with it.
        let own = known(&self.parts.followed, walk.routine, || {
            self.universe
                .part(self.covers.followed_by(self.facts, walk.routine))
        });
        entry.loosen(&own);
        let blocks = known(&self.parts.blocks, walk.routine, || {
            Rc::new(blocks(self.facts.effects, self.facts.steps, walk.routine))
        });
        // A block copies and joins all sets a few times.
        let work = 1 + self.universe.width() as u64 * 32;
        let mut within = Within {
            engine: self,
            blocks: &blocks.all,
            walk: Walk {
                routine: walk.routine,
                found: None,
                entries: walk.entries.take(),
            },
            work,
            is_over: false,
        };
        let mut states = solve(&mut within, blocks.all.len(), [(0, entry)]);
        if within.is_over {
            return None;
        }
        let quiet = within.walk;
        walk.entries = quiet.entries;
        if walk.found.is_some() {
            for (block, state) in blocks.all.iter().zip(&states) {
                if let Some(state) = state {
                    self.along(walk, &block.nodes, state.clone());
                }
            }
        }
        let mut exit = blocks.exit.and_then(|last| {
            let state = states.swap_remove(last)?;
            self.along(&mut Walk::of(walk.routine), &blocks.all[last].nodes, state)
        });
        let shared = known(&self.parts.shared, walk.routine, || {
            let own = &self.facts.locals[walk.routine.0 as usize];
            let is_private = |cell: &usize| self.facts.effects.private.contains(*cell);
            self.universe
                .part(own.iter().copied().filter(|cell| !is_private(cell)))
        });
        if let Some(exit) = &mut exit {
            // What is said about the caller's locals is about its activation, not this one.
            exit.come_back(&outside, &shared);
            exit.follow_as(&outside, &own);
        }
        Some(exit)
    }

    /// What the nodes of a block make of a state, one after the other.
    fn along(&self, walk: &mut Walk, nodes: &[usize], state: Running) -> Option<Running> {
        let body = &self.facts.effects.bodies[walk.routine.0 as usize].nodes;
        // Parameters get their values, which the call gives again.
        let mut behind_entry = nodes.iter().filter(|node| **node != Flow::ENTRY.0);
        let ended = known(&self.parts.ended, walk.routine, || {
            let ended = self.covers.ended(self.facts, walk.routine).into_iter();
            let parts =
                ended.map(|(region, cells)| (region, self.universe.exactly(cells.into_iter())));
            Rc::new(parts.collect())
        });
        let flow = &self.facts.steps.routine(walk.routine).flow;
        behind_entry.try_fold(state, |mut state, node| {
            let at = flow.nodes[*node].span;
            let left = ended.iter().filter(|(region, _)| !region.contains(at));
            left.for_each(|(_, part)| state.uncover(part));
            self.list(walk, &body[*node], state)
        })
    }

    fn list(&self, walk: &mut Walk, actions: &[Action], mut state: Running) -> Option<Running> {
        let unknown: Vec<Span> = actions
            .iter()
            .filter(|one| matches!(one.kind, ActionKind::Note(Note::Unknown(_))))
            .map(|one| one.span)
            .collect();
        for action in actions {
            let again = self.facts.runs_again(walk.routine, action.span);
            match &action.kind {
                ActionKind::Write { cells, all } => match (again, all) {
                    (false, _) if unknown.contains(&action.span) => {
                        let cells = self.facts.effects.cells(*cells).iter();
                        let cells = cells.map(|cell| cell.0 as usize);
                        let shared = cells.filter(|cell| self.facts.shared.contains(*cell));
                        state.change(&self.universe.part(shared));
                    }
                    (false, _) => state.change(&self.written(*cells)),
                    (true, true) => state.set_again(&self.written(*cells)),
                    (true, false) => {
                        // What an execution stores somewhere, the next one may store elsewhere.
                        let place = (walk.routine, action.span, *cells);
                        state.change(&known(&self.parts.superseded, place, || {
                            let cells = self.facts.effects.cells(*cells).iter();
                            let cells = cells.map(|cell| cell.0 as usize);
                            let lost = self.facts.superseded(place.0, place.1, cells);
                            self.universe.part(lost.into_iter())
                        }));
                    }
                },
                ActionKind::Begin { object, all } => {
                    self.begin(&mut state, *object, *all, again);
                }
                ActionKind::Free { cells, all: true } => {
                    state.release(&self.written(*cells));
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
                    let mut joined: Option<Running> = None;
                    for list in lists {
                        let one = self.list(walk, list, state.clone());
                        joined = either(joined, one);
                    }
                    state = joined?;
                }
                ActionKind::Repeat(list) => loop {
                    let before = state.clone();
                    state = either(Some(state), self.list(walk, list, before.clone()))?;
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

    fn begin(&self, state: &mut Running, object: ObjectId, all: bool, again: bool) {
        let heap = matches!(
            self.facts.memory.objects[object.0 as usize].kind,
            ObjectKind::Heap { .. }
        );
        if heap {
            state.allocate(&self.object(object), !again, !all);
        } else {
            state.renew(&self.object(object));
        }
    }

    fn written(&self, cells: SetId) -> Part {
        known(&self.parts.written, cells, || {
            let cells = self.facts.effects.cells(cells).iter();
            self.universe.part(cells.map(|cell| cell.0 as usize))
        })
    }

    fn all_of(&self, objects: &[ObjectId]) -> Part {
        let cells = objects.iter().flat_map(|one| self.facts.object_cells(*one));
        self.universe.part(cells)
    }

    fn object(&self, object: ObjectId) -> Part {
        known(&self.parts.objects, object, || self.all_of(&[object]))
    }

    fn call(&self, walk: &mut Walk, call: &Calling, state: Running) -> Option<Running> {
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
        let mut plain = routines.iter().filter(|one| !client(one));
        let one = match (plain.next(), plain.next()) {
            (Some(routine), None) => self.plain(walk.routine, call, *routine, state.clone()),
            (Some(_), Some(_)) => self.several(walk.routine, call).apply(&state),
            (None, _) => None,
        };
        after = either(after, one);
        for alike in self.callees(walk.routine, routines).iter() {
            let mut entry = state.clone();
            entry.loosen(&alike.out_of_reach);
            if let Some(entries) = &mut walk.entries {
                let callees = alike.callees.iter();
                callees.for_each(|callee| entries.enter(*callee, &entry));
            }
            let mut exit = self.applied(&alike.callees, &entry);
            if let Some(exit) = &mut exit {
                exit.follow_as(&state, &alike.out_of_reach);
                exit.cover_new(&state, &alike.out_of_reach);
            }
            after = either(after, exit);
        }
        // Other activations of this function have locals of their own.
        let mut after = after?;
        let private = known(&self.parts.private, walk.routine, || {
            let own = &self.facts.locals[walk.routine.0 as usize];
            let is_private = |cell: &usize| self.facts.effects.private.contains(*cell);
            self.universe.part(own.iter().copied().filter(is_private))
        });
        after.take(&state, &private);
        Some(after)
    }

    /// The functions with directives among those that a call may call.
    fn callees(&self, caller: RoutineId, routines: &[RoutineId]) -> Rc<Vec<Alike>> {
        known(
            &self.parts.callees,
            (caller, std::ptr::from_ref(routines)),
            || {
                let mut all: Vec<Alike> = Vec::new();
                for &callee in routines.iter().filter(|one| self.facts.is_client(**one)) {
                    let lists = self.following.out_of_reach(caller, callee);
                    let out_of_reach = known(&self.parts.out_of_reach, lists.clone(), || {
                        self.universe
                            .exactly(self.following.cells(&lists).into_iter())
                    });
                    let alike = all.iter_mut().find(|one| one.out_of_reach == out_of_reach);
                    match alike {
                        Some(alike) => alike.callees.push(callee),
                        None => all.push(Alike {
                            out_of_reach,
                            callees: vec![callee],
                        }),
                    }
                }
                Rc::new(all)
            },
        )
    }

    /// What a call of one of these functions makes of a state. What they make of it together is what the union of their bases makes of
    /// it.
    fn applied(&self, callees: &[RoutineId], state: &Running) -> Option<Running> {
        if let [callee] = callees {
            return self.bases[callee.0 as usize].apply(state);
        }
        let mut unions = self.unions.borrow_mut();
        if !unions.contains_key(callees) {
            unions.insert(callees.into(), (0, Basis::default()));
        }
        let (made, union) = unions.get_mut(callees)?;
        // Bases only grow while they are looked for.
        let news = { callees.iter() }.filter(|one| self.changed[one.0 as usize] > *made);
        news.for_each(|one| union.join(&self.bases[one.0 as usize]));
        *made = self.changes;
        union.apply(state)
    }

    /// What a call that may call several functions without directives makes of states, whichever it calls.
    fn several(&self, caller: RoutineId, call: &Calling) -> Rc<Basis> {
        let place = (
            caller,
            call.span,
            std::ptr::from_ref(call.routines),
            call.spared,
        );
        known(&self.parts.several, place, || {
            let plain = call
                .routines
                .iter()
                .filter(|one| !self.facts.is_client(**one));
            let plain: Vec<RoutineId> = plain.copied().collect();
            let starts = Basis::entries(&self.universe);
            let mut basis = Basis::default();
            for (start, exit) in starts.iter().zip(&mut basis.0) {
                let each = plain
                    .iter()
                    .map(|one| self.plain(caller, call, *one, start.clone()));
                *exit = each.fold(None, either);
            }
            Rc::new(basis)
        })
    }

    /// A call of a function without directives.
    fn plain(
        &self,
        caller: RoutineId,
        call: &Calling,
        routine: RoutineId,
        mut state: Running,
    ) -> Option<Running> {
        let summary = self.facts.effects.summary(routine);
        if !summary.returns {
            return None;
        }
        let place = (caller, call.span, routine);
        let (late, early) = known(&self.parts.made, place, || {
            let made = self.facts.made_by(caller, call.span, routine);
            let (early, late): (Vec<ObjectId>, Vec<ObjectId>) =
                { made.iter() }.partition(|one| self.facts.is_made_early(**one));
            (self.all_of(&late), self.all_of(&early))
        });
        match call.again {
            true => state.allocate_again(&late),
            false => state.allocate(&late, true, true),
        }
        state.allocate(&early, false, true);
        let changes = || {
            let changes = &self.facts.changes[routine.0 as usize];
            self.facts.effects.unspared(call.spared, changes)
        };
        if !call.again {
            state.change(&known(&self.parts.changed, (routine, call.spared), || {
                self.universe.part(changes().ones())
            }));
        } else {
            if self.facts.is_superseded(caller, call.span) {
                let lost = (self.facts).superseded(caller, call.span, changes().ones());
                state.change(&self.universe.part(lost.into_iter()));
            }
            state.set_again(&known(&self.parts.overwritten, routine, || {
                self.universe.part(summary.overwrites.ones())
            }));
        }
        Some(state)
    }

    /// What is registered from `init` on; a checkpoint comes after it.
    fn reside(&self, state: &mut Running) {
        for (unit, id) in self.facts.residents.all() {
            self.register(DirectivePlace { unit, id }, state);
        }
    }

    fn register(&self, place: DirectivePlace, state: &mut Running) {
        let (universe, heap) = (&self.universe, &self.facts.heap);
        let known = &self.parts.registered;
        self.covers.register(place, heap, universe, known, state);
    }

    fn directive(&self, walk: &mut Walk, id: DirectiveId, state: &mut Running) {
        let unit = self.facts.steps.routine(walk.routine).function.unit;
        let place = DirectivePlace { unit, id };
        let directive = &self.facts.program.units[unit].directives[id.0].directive;
        if matches!(
            directive,
            Directive::Checkpoint { .. } | Directive::ExecuteOnRestart { .. }
        ) {
            // Handlers and threads may have run since anything else did.
            state.change(&self.universe.part(self.facts.any_time.ones()));
        }
        match directive {
            Directive::Init { .. } => {
                state.restarted(&self.universe, &self.parts.heap);
                self.reside(state);
            }
            // Registered from the beginning.
            Directive::Register { .. } if self.facts.residents.contains(unit, id) => {}
            Directive::Register { .. } => self.register(place, state),
            Directive::Unregister { names } => {
                for name in names {
                    let (universe, heap) = (&self.universe, &self.facts.heap);
                    self.covers
                        .unregister(walk.routine, name, heap, universe, state);
                }
            }
            Directive::Checkpoint { .. } => {
                if let Some(found) = &mut walk.found {
                    keep(&mut found.checkpoints, place, state);
                }
            }
            Directive::ExecuteOnRestart { .. } => {
                if let Some(found) = &mut walk.found {
                    keep(&mut found.blocks, place, state);
                }
            }
            Directive::EndExecute | Directive::Shutdown | Directive::Client { .. } => {}
        }
    }
}

fn either(one: Option<Running>, other: Option<Running>) -> Option<Running> {
    match (one, other) {
        (Some(mut one), Some(other)) => {
            one.join(&other);
            Some(one)
        }
        (one, other) => one.or(other),
    }
}
