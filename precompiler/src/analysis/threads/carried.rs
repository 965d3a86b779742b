//! What a thread's share of a construct leaves in the thread's own variables.
//!
//! ```text
//! #pragma omp parallel private(t, seen)
//! {
//!     seen = 0;
//! #pragma omp for
//!     for (i = 0; i < n; i++) {
//!         t = u[i] * 2;          not carried: every iteration sets it before it reads it
//!         v[i] = t;
//!         w[i] = seen++;         carried: what the iterations before have left depends on which those of this thread are
//!     }
//! ```
//!
//! Errors fall on the side of *carried*: elements of arrays end nothing.

use std::collections::BTreeSet;

use super::executed::{By, Executed, inside, shares_out};
use super::reductions::reduces;
use super::sources::Own;
use crate::analysis::Analysed;
use crate::analysis::effects::{ActionKind, walk};
use crate::analysis::memory::{CellId, ObjectKind};
use crate::dataflow::Flow;
use crate::dataflow::steps::{Base, RoutineId, Step, StepKind, TextPlace};
use crate::program::{ExpressionKind, ForStart, Statement, StatementKind};
use crate::source::Span;
use cccp_grammar::openmp::ClauseKind;

/// All such memory, and the construct.
pub fn carried(found: &Analysed, executed: &Executed, own: &Own) -> Vec<(CellId, TextPlace)> {
    let mut all = Vec::new();
    for id in found.steps.routine_ids() {
        let body = &found.function(id).body;
        body.walk(&mut |statement| {
            if statement.openmp.iter().any(shares_out) {
                let looked = Construct {
                    found,
                    own,
                    id,
                    statement,
                    team: team(found, executed, id, statement),
                };
                if let Some(team) = looked.team {
                    let unit = found.unit_index(id);
                    let place = TextPlace {
                        unit,
                        span: Span::new(statement.span.start, statement.span.start + 1),
                    };
                    let cells = looked.carried(team);
                    all.extend(cells.into_iter().map(|cell| (cell, place)));
                }
            }
            true
        });
    }
    all
}

/// The text that a team executes around a construct that shares out; none where there is no team.
fn team(
    found: &Analysed,
    executed: &Executed,
    id: RoutineId,
    statement: &Statement,
) -> Option<Span> {
    let body = &found.function(id).body;
    let mut by = executed.called(id);
    let mut team = body.span;
    for around in body.regions_around(statement.span) {
        for construct in &around.openmp {
            by = inside(by, construct);
            if construct.runs_in_other_threads() {
                team = around.span;
            }
        }
    }
    (by != By::Nobody).then_some(team)
}

struct Construct<'a, 'f> {
    found: &'f Analysed<'f>,
    own: &'a Own<'a>,
    id: RoutineId,
    statement: &'a Statement,
    team: Option<Span>,
}

impl Construct<'_, '_> {
    fn carried(&self, team: Span) -> Vec<CellId> {
        let flow = &self.found.steps.routine(self.id).flow;
        let within = |span: Span, node: usize| {
            let known = &flow.nodes[node];
            known.statement.is_some() && span.contains(known.span)
        };
        let is_inside = |node: usize| within(self.statement.span, node);
        let nodes = 0..flow.nodes.len();
        let mut entries = BTreeSet::new();
        let mut behind = BTreeSet::new();
        for from in nodes.clone() {
            for to in flow.nodes[from].next.iter().map(|to| to.0) {
                match (is_inside(from), is_inside(to)) {
                    (false, true) => drop(entries.insert(to)),
                    (true, false) if within(team, to) => drop(behind.insert(to)),
                    _ => {}
                }
            }
        }
        let called = self.called();
        let mut written = BTreeSet::new();
        for node in nodes.filter(|node| is_inside(*node)) {
            written.extend(self.written(node));
        }
        let carried = written.into_iter().filter(|cell| {
            let cell = *cell;
            let at = (self.id, self.statement.span);
            if self.own.has(cell, at) == Some(false) || self.is_of_iteration(cell, &called) {
                return false;
            }
            let ends_with_value = self.is_named(cell, ClauseKind::Lastprivate);
            let from_inside = self.is_exposed(&entries, cell, &|node| within(team, node));
            from_inside
                || !ends_with_value && self.is_exposed(&behind, cell, &|node| within(team, node))
        });
        carried.collect()
    }

    /// Functions that may run in the construct because of a call there.
    fn called(&self) -> BTreeSet<RoutineId> {
        let inside = self.statement.span;
        let mut called = super::super::in_step::called(self.found, (self.id, inside));
        called.remove(&self.id);
        called
    }

    /// What a node may store to.
    fn written(&self, node: usize) -> Vec<CellId> {
        let effects = self.found.effects;
        let actions = effects.bodies[self.id.0 as usize].nodes.get(node);
        let mut all = Vec::new();
        walk(
            actions.into_iter().flatten(),
            &mut |action| match &action.kind {
                ActionKind::Write { cells, .. } => all.extend(effects.cells(*cells)),
                ActionKind::Call {
                    routines, spared, ..
                } => {
                    for routine in routines {
                        let writes = &effects.summary(*routine).writes;
                        let cells = effects.unspared(*spared, writes);
                        all.extend(cells.ones().map(|cell| CellId(cell as u32)));
                    }
                }
                _ => {}
            },
        );
        all
    }

    /// Made in the construct's body, the number of an iteration, or a variable that `reductions` looks at.
    fn is_of_iteration(&self, cell: CellId, called: &BTreeSet<RoutineId>) -> bool {
        match self.own.kind(cell) {
            ObjectKind::Variable(id) => {
                let variable = self.found.steps.variable(*id);
                let declared = variable.declared.span;
                let text = self.statement.span;
                let is_inside = text.contains(declared) && text != declared;
                // Locals of functions that are called in it are new with each call.
                let is_called = variable.owner.is_some_and(|owner| called.contains(&owner));
                is_inside
                    || is_called
                    || self.is_counter(&variable.name)
                    || reduces(self.found, self.id, self.statement.span, &variable.name)
            }
            ObjectKind::Heap { routine, call, .. } => {
                *routine == self.id && self.statement.span.contains(call.span)
            }
            _ => true,
        }
    }

    /// Whether OpenMP sets a variable for each iteration.
    fn is_counter(&self, name: &str) -> bool {
        let depth = self.statement.openmp.iter().map(|one| one.loop_depth());
        let mut depth = depth.max().unwrap_or(1);
        let mut inside = Some(self.statement);
        while let Some(statement) = inside.filter(|_| depth > 0) {
            inside = match &statement.kind {
                StatementKind::For { start, body, .. } => {
                    depth -= 1;
                    if let ForStart::Expression(value) = start
                        && let ExpressionKind::Assign { target, .. } = &value.kind
                        && matches!(&target.kind, ExpressionKind::Name { name: one, .. } if one == name)
                    {
                        return self.statement.openmp.iter().any(|one| one.is_loop());
                    }
                    Some(body)
                }
                StatementKind::Compound { items, .. } => items.first(),
                _ => None,
            };
        }
        false
    }

    fn is_named(&self, cell: CellId, kind: ClauseKind) -> bool {
        let ObjectKind::Variable(id) = self.own.kind(cell) else {
            return false;
        };
        let name = &self.found.steps.variable(*id).name;
        let clauses = self.statement.openmp.iter();
        let mut clauses = clauses.flat_map(|one| one.clauses_of(kind.clone()));
        clauses.any(|one| one.variables().any(|one| one.text == *name))
    }

    /// Whether what a cell holds at these nodes may be read, by whatever follows in the team.
    fn is_exposed(
        &self,
        from: &BTreeSet<usize>,
        cell: CellId,
        is_in_team: &dyn Fn(usize) -> bool,
    ) -> bool {
        let routine = self.found.steps.routine(self.id);
        let filled = &self.found.effects.bodies[self.id.0 as usize].overwritten;
        let first = |node: usize| {
            let steps = routine.nodes.get(node).map_or(&[][..], Vec::as_slice);
            self.first(steps, cell)
        };
        let is_kept = |node: usize, next: usize| {
            let filled = filled.get(&(node, next)).into_iter().flatten();
            let mut filled = filled.flat_map(|one| self.found.effects.cells(one.cells));
            matches!(first(node), First::Nothing) && !filled.any(|one| *one == cell)
        };
        let held = routine.flow.along(from.iter().copied(), |node, next| {
            is_in_team(next) && is_kept(node, next)
        });
        let goes_out = |node: usize| {
            let mut next = routine.flow.next(node);
            next.any(|next| next == Flow::EXIT.0 && is_kept(node, next))
        };
        let mut held = (0..held.len()).filter(|node| held[*node]);
        held.any(|node| {
            matches!(first(node), First::Read) || self.is_left_behind(cell) && goes_out(node)
        })
    }

    /// Whether memory lives on behind the function, in the team that has called it.
    fn is_left_behind(&self, cell: CellId) -> bool {
        let is_outside = self.team == Some(self.found.function(self.id).body.span);
        let is_local = match self.own.kind(cell) {
            ObjectKind::Variable(id) => self.found.steps.variable(*id).owner == Some(self.id),
            _ => false,
        };
        is_outside && !is_local
    }

    /// What steps do with a cell first.
    fn first(&self, steps: &[Step], cell: CellId) -> First {
        let points_to = self.found.points_to;
        let id = self.id;
        for step in steps {
            let reads = |place| {
                points_to
                    .touched(id, place)
                    .cells
                    .binary_search(&cell)
                    .is_ok()
            };
            let first = match &step.kind {
                StepKind::Read { place, .. } if reads(place) => First::Read,
                StepKind::Copy { from, .. } if reads(from) => First::Read,
                StepKind::Write { place, .. } | StepKind::Copy { to: place, .. } => {
                    let touched = points_to.touched(id, place);
                    let is_whole = place.path.is_empty() && matches!(place.base, Base::Variable(_));
                    match (is_whole || touched.exact) && touched.cells.contains(&cell) {
                        true => First::Set,
                        false => First::Nothing,
                    }
                }
                StepKind::Call(_) => self.first_of_call(step, cell),
                StepKind::Choose(lists) => {
                    let mut all = lists.iter().map(|list| self.first(list, cell));
                    let firsts: Vec<First> = all.by_ref().collect();
                    if firsts.contains(&First::Read) {
                        First::Read
                    } else if !firsts.is_empty() && firsts.iter().all(|one| *one == First::Set) {
                        First::Set
                    } else {
                        First::Nothing
                    }
                }
                StepKind::Repeat(list) => match self.first(list, cell) {
                    First::Set => First::Nothing,
                    first => first,
                },
                StepKind::Return {
                    aggregate: Some(place),
                    ..
                } if reads(place) => First::Read,
                StepKind::Assembly { named, .. } if named.iter().any(reads) => First::Read,
                _ => First::Nothing,
            };
            if first != First::Nothing {
                return first;
            }
        }
        First::Nothing
    }

    fn first_of_call(&self, step: &Step, cell: CellId) -> First {
        let effects = self.found.effects;
        let mut first = First::Nothing;
        let actions = &effects.bodies[self.id.0 as usize].nodes;
        // The actions of a call have its text.
        walk(actions.iter().flatten(), &mut |action| {
            if action.span != step.span || first == First::Read {
                return;
            }
            let now = match &action.kind {
                ActionKind::Read(cells) if effects.cells(*cells).contains(&cell) => First::Read,
                ActionKind::Write { cells, all: true } if effects.cells(*cells).contains(&cell) => {
                    First::Set
                }
                ActionKind::Call {
                    routines,
                    surely,
                    spared,
                } => {
                    let has = |cells| effects.unspared(*spared, cells).contains(cell.0 as usize);
                    let mut routines = routines.iter().map(|one| effects.summary(*one));
                    if routines.clone().any(|one| has(&one.exposed)) {
                        First::Read
                    } else if *surely && routines.all(|one| has(&one.overwrites)) {
                        First::Set
                    } else {
                        First::Nothing
                    }
                }
                _ => First::Nothing,
            };
            if first == First::Nothing || now == First::Read {
                first = now;
            }
        });
        first
    }
}

/// What happens first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum First {
    Nothing,
    Read,
    Set,
}
