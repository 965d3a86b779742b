//! What a thread of a team may have left behind that is not over yet.
//!
//! In: the flow of functions with their constructs of OpenMP. Out: for a place the explicit tasks that may be unfinished there, and
//! the constructs with `nowait` whose iterations, sections or block OpenMP hands out to whoever comes first, when no barrier has come
//! since. Both are known to OpenMP alone: a restart brings neither back.
//!
//! A forward analysis, the union over all ways. A barrier, explicit or implied, ends everything; `taskwait` the tasks that have none of
//! their own; the end of a `taskgroup` or `taskloop` all tasks in it. What comes in from the caller is one value of its own
//! ([`Left::Before`]), so a function is looked at once for all its calls.
//!
//! ```text
//! #pragma omp single nowait
//! { #pragma omp task              { task }
//!   f(); }                        { task, single }
//! #pragma omp barrier             { }
//! ```
//!
//! Errors fall on the side of more: a task with `if(0)` is one that may be unfinished, and so is what `taskwait depend(…)` waits for.
//! A lock is known by how it is written, or ends with a function that gives any back. One that is tried for is held, but on the way on
//! which the condition of a statement says that it was not taken.

use std::collections::{BTreeMap, BTreeSet};

use cccp_grammar::openmp::{ClauseKind, DirectiveName as Name};

use super::effects::leading;
use super::locks::{self, Locking};
use super::points_to::PointsTo;
use super::uniform::ends_with_barrier;
use crate::catalog::Catalogue;
use crate::dataflow::steps::{RoutineId, StepKind, Steps, TextPlace};
use crate::dataflow::{Flow, NodeId};
use crate::program::{Construct, Program, Statement, StatementId, StatementKind};
use crate::solver::{Analysis, settle, solve};
use crate::source::Span;

/// What may not be over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Left {
    /// What was when the function was called.
    Before,
    /// Tasks of this construct. With `nested`, tasks of theirs, too, for which `taskwait` does not wait.
    Tasks {
        /// The directive.
        place: TextPlace,
        /// They may have tasks of their own.
        nested: bool,
    },
    /// A lock is held that was taken here.
    Lock(TextPlace),
    /// A construct that other threads may not have come to yet, and of which OpenMP knows who has what.
    Handed(TextPlace),
}

type State = BTreeSet<Left>;

/// A statement with a construct.
struct Region<'a> {
    construct: &'a Construct,
    span: Span,
}

struct Routine<'a> {
    flow: &'a Flow,
    /// The outermost first.
    regions: Vec<Region<'a>>,
    alone: BTreeMap<StatementId, &'a Construct>,
    /// The functions that each node calls.
    calls: Vec<Vec<RoutineId>>,
    /// The nodes that take locks, and those that give them back: the call and the lock as it is written.
    locks: BTreeMap<usize, Vec<Locking>>,
    /// By node: whether a function that it calls gives locks back.
    frees: Vec<bool>,
    /// Several threads may be in it when it is called.
    is_called_in_team: bool,
    /// What is left before each node.
    before: Vec<State>,
    /// What is left where control enters a task with a node: in front of its directive.
    entering: Vec<State>,
}

/// What is left unfinished, everywhere.
pub struct Unfinished<'a> {
    routines: BTreeMap<RoutineId, Routine<'a>>,
    /// What is left where functions are called.
    outside: BTreeMap<RoutineId, State>,
}

impl<'a> Unfinished<'a> {
    /// Looks at a program.
    pub fn of(
        program: &'a Program,
        steps: &'a Steps,
        points_to: &PointsTo,
        catalogue: &Catalogue,
    ) -> Unfinished<'a> {
        let mut all = Unfinished {
            routines: BTreeMap::new(),
            outside: BTreeMap::new(),
        };
        if program.units.iter().all(|unit| unit.openmp.is_empty()) {
            return all;
        }
        for id in steps.routine_ids() {
            let at = steps.routine(id).function;
            let body = &program.units[at.unit].function(at.function).body;
            let mut routine = Routine::of(steps, points_to, id, body);
            routine.locks = locks::of(program, steps, id, body, catalogue);
            all.routines.insert(id, routine);
        }
        all.find_freeing();
        let ids: Vec<RoutineId> = all.routines.keys().copied().collect();
        let mut callers: BTreeMap<RoutineId, Vec<RoutineId>> = BTreeMap::new();
        for (id, one) in &all.routines {
            for callee in one.calls.iter().flatten() {
                callers.entry(*callee).or_default().push(*id);
            }
        }
        settle(ids.iter().copied(), |id, waiting| {
            if all.routine(id, steps) {
                waiting.extend(callers.get(&id).into_iter().flatten());
            }
        });
        settle(ids, |id, waiting| waiting.extend(all.hand_on(id)));
        all
    }

    /// Which functions give locks back, themselves or in calls.
    fn find_freeing(&mut self) {
        let frees = |one: &Routine| one.locks.values().flatten().any(|one| !one.takes);
        let mut calls = vec![Vec::new(); self.routines.len()];
        for (id, one) in &self.routines {
            calls[id.0 as usize] = one.calls.iter().flatten().copied().collect();
        }
        let first = self.routines.iter().filter(|(_, one)| frees(one));
        let freeing = leading(&calls, first.map(|(id, _)| *id));
        for one in self.routines.values_mut() {
            one.frees = (one.calls.iter())
                .map(|callees| callees.iter().any(|one| freeing[one.0 as usize]))
                .collect();
        }
    }

    /// The locks that may be held there: where they were taken.
    pub fn locks_at(&self, routine: RoutineId, node: NodeId) -> Vec<TextPlace> {
        let all = self.at(routine, node).into_iter();
        let places = all.filter_map(|one| match one {
            Left::Lock(place) => Some(place),
            _ => None,
        });
        places.collect()
    }

    /// What may not be over when a thread comes to a node of a function, in front of the constructs that begin with it.
    pub fn at(&self, routine: RoutineId, node: NodeId) -> BTreeSet<Left> {
        let Some(known) = self.routines.get(&routine) else {
            return State::new();
        };
        let both = known.before[node.0].union(&known.entering[node.0]);
        self.resolved(routine, &both.copied().collect())
    }

    /// Tasks that may be unfinished there: where they are made.
    pub fn tasks_at(&self, routine: RoutineId, node: NodeId) -> Vec<TextPlace> {
        let all = self.at(routine, node).into_iter();
        let places = all.filter_map(|one| match one {
            Left::Tasks { place, .. } => Some(place),
            _ => None,
        });
        places.collect()
    }

    /// With what comes from outside instead of [`Left::Before`].
    fn resolved(&self, id: RoutineId, state: &State) -> State {
        let mut state = state.clone();
        if state.remove(&Left::Before) {
            state.extend(self.outside.get(&id).into_iter().flatten().copied());
        }
        state
    }

    /// What is left where a function returns, in terms of what was when it was called.
    fn at_end(&self, id: RoutineId) -> State {
        let end = |one: &Routine| one.before[Flow::EXIT.0].clone();
        self.routines.get(&id).map(end).unwrap_or_default()
    }

    /// Goes over a function once more. True when something new was found.
    fn routine(&mut self, id: RoutineId, steps: &Steps) -> bool {
        let Some(mut one) = self.routines.remove(&id) else {
            return false;
        };
        // For its own calls of itself.
        let ends: BTreeMap<RoutineId, State> = { one.calls.iter().flatten() }
            .map(|callee| match *callee == id {
                true => (id, one.before[Flow::EXIT.0].clone()),
                false => (*callee, self.at_end(*callee)),
            })
            .collect();
        let unit = steps.routine(id).function.unit;
        one.before[Flow::ENTRY.0].insert(Left::Before);
        let known = std::mem::take(&mut one.before);
        let first = known.iter().cloned().enumerate();
        let mut within = Within {
            one: &mut one,
            unit,
            ends: &ends,
        };
        let found = solve(&mut within, known.len(), first).into_iter();
        one.before = found.map(Option::unwrap_or_default).collect();
        // Told to those that call it: what it leaves is in terms of what was when it was called.
        let changed = one.before != known;
        self.routines.insert(id, one);
        changed
    }

    /// Tells the functions that one calls what is left where it calls them.
    fn hand_on(&mut self, id: RoutineId) -> Vec<RoutineId> {
        let Some(one) = self.routines.get(&id) else {
            return Vec::new();
        };
        let mut told = Vec::new();
        for (node, callees) in one.calls.iter().enumerate() {
            for callee in callees {
                let mut state = self.resolved(id, &one.before[node]);
                // Calls in one statement are made in any order.
                for other in callees.iter().filter(|_| callees.len() > 1) {
                    state.extend(self.at_end(*other));
                }
                state.remove(&Left::Before);
                told.push((*callee, state));
            }
        }
        told.retain_mut(|(callee, state)| {
            let known = self.outside.entry(*callee).or_default();
            let count = known.len();
            known.append(state);
            known.len() != count
        });
        told.into_iter().map(|(callee, _)| callee).collect()
    }
}

/// What is left at the nodes of a function: forward, what comes along any way.
struct Within<'w, 'a> {
    one: &'w mut Routine<'a>,
    unit: usize,
    ends: &'w BTreeMap<RoutineId, State>,
}

impl Analysis for Within<'_, '_> {
    type Fact = State;

    fn join(known: &mut State, more: &State) -> bool {
        let count = known.len();
        known.extend(more.iter().copied());
        known.len() != count
    }

    fn transfer(&mut self, node: usize, before: State, hand_on: &mut dyn FnMut(usize, &State)) {
        let behind = self.one.behind(node, before.clone(), self.unit, self.ends);
        let flow = self.one.flow;
        for to in flow.next(node) {
            let mut behind = behind.clone();
            for place in self.one.not_taken(node, to, &before) {
                behind.remove(&place);
            }
            for (target, state) in self.one.across(node, to, self.unit, &behind) {
                hand_on(target, &state);
            }
        }
    }
}

impl<'a> Routine<'a> {
    fn of(steps: &'a Steps, points_to: &PointsTo, id: RoutineId, body: &'a Statement) -> Self {
        let flow = &steps.routine(id).flow;
        let (mut regions, mut alone) = (Vec::new(), BTreeMap::new());
        body.walk(&mut |statement| {
            let span = statement.span;
            let constructs = statement.openmp.iter();
            regions.extend(constructs.map(|construct| Region { construct, span }));
            if let StatementKind::OpenMp(construct) = &statement.kind {
                alone.insert(statement.id, construct);
            }
            true
        });
        let calls = steps.routine(id).nodes.iter().map(|steps| {
            let mut called = Vec::new();
            for step in steps {
                step.walk(&mut |step| {
                    if let StepKind::Call(call) = &step.kind {
                        called.extend(points_to.callees(id, call).routines);
                    }
                });
            }
            called
        });
        Routine {
            flow,
            regions,
            alone,
            calls: calls.collect(),
            locks: BTreeMap::new(),
            frees: Vec::new(),
            is_called_in_team: points_to.teams().may_be_in(id),
            before: vec![State::new(); flow.nodes.len()],
            entering: vec![State::new(); flow.nodes.len()],
        }
    }

    /// What is left behind a node.
    fn behind(
        &self,
        node: usize,
        mut state: State,
        unit: usize,
        ends: &BTreeMap<RoutineId, State>,
    ) -> State {
        let statement = self.flow.nodes[node].statement;
        if let Some(construct) = statement.and_then(|one| self.alone.get(&one)) {
            let waits = construct.has(&Name::Taskwait);
            if construct.is_barrier() {
                end_all(&mut state);
            } else if waits && !construct.has_clause(ClauseKind::Depend) {
                state.retain(|one| !matches!(one, Left::Tasks { nested: false, .. }));
            } else if construct.has_clause(ClauseKind::Nowait) {
                let place = TextPlace {
                    unit,
                    span: construct.span,
                };
                state.insert(Left::Tasks {
                    place,
                    nested: false,
                });
            }
        }
        if self.frees.get(node) == Some(&true) {
            state.retain(|one| !matches!(one, Left::Lock(_)));
        }
        for one in self.locks.get(&node).into_iter().flatten() {
            let all = || self.locks.values().flatten();
            let known = |place: &TextPlace| all().find(|one| one.place == *place);
            let is_it = |place: &TextPlace| known(place).is_none_or(|known| known.lock == one.lock);
            match one.takes {
                true => {
                    state.insert(Left::Lock(one.place));
                }
                false => state.retain(|one| !matches!(one, Left::Lock(place) if is_it(place))),
            }
        }
        let callees = self.calls.get(node).into_iter().flatten();
        let mut after: Option<State> = None;
        for callee in callees {
            let mut end = ends.get(callee).cloned().unwrap_or_default();
            if end.remove(&Left::Before) {
                end.extend(state.iter().copied());
            }
            after.get_or_insert_default().extend(end);
        }
        after.unwrap_or(state)
    }

    /// The locks that were tried for in vain when control goes along an edge, but those that the thread may have had before.
    fn not_taken(&self, from: usize, to: usize, before: &State) -> Vec<Left> {
        let tried = self.locks.get(&from).into_iter().flatten();
        let target = &self.flow.nodes[to];
        let in_vain = tried.filter(|one| one.is_in_vain(target.statement.map(|_| target.span)));
        let places = in_vain.map(|one| Left::Lock(one.place));
        places.filter(|one| !before.contains(one)).collect()
    }

    /// Where what is left goes along an edge: into the constructs that it enters, out of those that it leaves, and past tasks, which may
    /// be executed later.
    fn across(
        &mut self,
        from: usize,
        to: usize,
        unit: usize,
        state: &State,
    ) -> Vec<(usize, State)> {
        let spans = (self.flow.nodes[from].span, self.flow.nodes[to].span);
        let is_in = |region: &Region, node: usize, span: Span| {
            self.flow.nodes[node].statement.is_some() && region.span.contains(span)
        };
        let entered = self.regions.iter().find(|one| {
            let apart = one.construct.is_task() || one.construct.has(&Name::Taskgroup);
            (apart || is_later_target(one.construct))
                && is_in(one, to, spans.1)
                && !is_in(one, from, spans.0)
        });
        let state = self.left(from, to, unit, state.clone(), None);
        let Some(apart) = entered else {
            return vec![(to, state)];
        };
        self.entering[to].extend(state.iter().copied());
        let mut found = Vec::new();
        for (inside, node) in self.flow.nodes.iter().enumerate() {
            if !is_in(apart, inside, node.span) {
                continue;
            }
            for next in node.next.iter().map(|next| next.0) {
                if !is_in(apart, next, self.flow.nodes[next].span) {
                    let past = self.left(inside, next, unit, state.clone(), Some(apart.span));
                    found.push((next, past));
                }
            }
        }
        found
    }

    /// What is left behind the ends of the constructs that an edge leaves; with `around` only those around that text.
    fn left(
        &self,
        from: usize,
        to: usize,
        unit: usize,
        mut state: State,
        around: Option<Span>,
    ) -> State {
        let (node, next) = (&self.flow.nodes[from], &self.flow.nodes[to]);
        let stays = |one: &Region| next.statement.is_some() && one.span.contains(next.span);
        let is_left =
            |one: &Region| node.statement.is_some() && one.span.contains(node.span) && !stays(one);
        for region in self.regions.iter().rev().filter(|one| is_left(one)) {
            if around.is_some_and(|inner| inner.contains(region.span)) {
                continue;
            }
            let construct = region.construct;
            let place = TextPlace {
                unit,
                span: construct.span,
            };
            let has_tasks = state.iter().any(|one| matches!(one, Left::Tasks { .. }));
            if construct.has(&Name::Parallel) {
                // A team of its own ends; of one around it nothing does.
                let mut around = self.regions.iter();
                let is_inner = around.any(|one| {
                    one.construct.is_parallel()
                        && one.span != region.span
                        && one.span.contains(region.span)
                });
                if !self.is_called_in_team && !is_inner {
                    state.retain(|one| *one == Left::Before);
                }
            } else if construct.has(&Name::Taskgroup) || is_group(construct) {
                state.retain(|one| !matches!(one, Left::Tasks { .. }));
            } else if construct.is_task() || is_later_target(construct) {
                state.clear();
                state.insert(Left::Tasks {
                    place,
                    nested: has_tasks,
                });
            } else if ends_with_barrier(construct) {
                end_all(&mut state);
            } else if is_handed_out(construct) {
                state.insert(Left::Handed(place));
            }
        }
        state
    }
}

/// A barrier ends everything but who holds a lock.
fn end_all(state: &mut State) {
    state.retain(|one| matches!(one, Left::Lock(_)));
}

/// A `taskloop` waits for its tasks.
fn is_group(construct: &Construct) -> bool {
    construct.has(&Name::Taskloop) && !construct.has_clause(ClauseKind::Nogroup)
}

/// What follows may run on a device while the thread goes on.
fn is_later_target(construct: &Construct) -> bool {
    construct.has(&Name::Target) && construct.has_clause(ClauseKind::Nowait)
}

/// OpenMP decides at run time who executes which part. The default schedule is `static` with all compilers we know.
fn is_handed_out(construct: &Construct) -> bool {
    let kind = construct.schedule().and_then(|one| one.word());
    let is_loop = construct.has(&Name::For) && kind.is_some_and(|kind| kind != "static");
    is_loop
        || [Name::Sections, Name::Single, Name::Loop]
            .iter()
            .any(|name| construct.has(name))
}
