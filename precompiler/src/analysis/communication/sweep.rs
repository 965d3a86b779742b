//! Where ranks go different ways, and nobody knows which.

use super::run::{ONLY_SOME, Run, Trouble, Ways};
use super::state::State;
use super::traffic::ends_well;
use crate::analysis::effects::{ActionKind, walk};
use crate::dataflow::steps::{RoutineId, StepKind};
use crate::program::{Construct, Statement, StatementKind};
use crate::solver::closure;
use crate::source::Span;
use cccp_grammar::openmp::DirectiveName;

impl<'a> Run<'a, '_> {
    /// Nobody knows which rank goes which way.
    pub(super) fn apart(
        &mut self,
        id: RoutineId,
        statement: &'a Statement,
        alternatives: &mut Vec<Option<&'a Statement>>,
        mut state: State,
    ) -> Ways {
        // A way on which the process ends ends all others.
        alternatives.retain(|one| one.is_none_or(|one| !self.ends(id, one)));
        if alternatives.len() == 1 {
            return match alternatives[0] {
                Some(only) => self.statement(id, only, state),
                None => Ways::on(state),
            };
        }
        let place = self.place(id, statement.span);
        let on = self.depending_on(id, statement);
        if self.view(id).is_busy(statement.span) {
            let why = format!(
                "Ranks may go different ways here{on}, and there is communication on one of them."
            );
            self.fail(&why, place);
        } else if self.leaves(statement) {
            let why = format!("Some ranks may leave what comes next out{on}.");
            self.fail(&why, place);
        }
        let found = Some(Trouble::surely(ONLY_SOME, place));
        for alternative in alternatives.iter().flatten() {
            self.sweep(id, (alternative, None), &mut state, found.clone(), false);
        }
        Ways::on(state)
    }

    /// The condition that cannot be shown to be the same on all ranks, for a message.
    pub(super) fn depending_on(&self, id: RoutineId, statement: &Statement) -> String {
        let condition = match &statement.kind {
            StatementKind::If { condition, .. }
            | StatementKind::While { condition, .. }
            | StatementKind::DoWhile { condition, .. }
            | StatementKind::For {
                condition: Some(condition),
                ..
            } => condition,
            StatementKind::Switch { value, .. } => value,
            _ => return String::new(),
        };
        let text = self.view(id).unit.file.preprocessed_text(condition.span);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        match text.chars().count() {
            0..=60 => {
                format!(", because `{text}` is not known to be the same on all of them")
            }
            _ => ", because the condition is not known to be the same on all of them".to_string(),
        }
    }

    /// Whether a statement surely ends the process.
    pub(super) fn ends(&self, id: RoutineId, statement: &'a Statement) -> bool {
        let view = self.view(id);
        match &statement.kind {
            StatementKind::Compound { items, .. } => items.iter().any(|one| self.ends(id, one)),
            StatementKind::Expression(Some(_)) => view.nodes_of(statement.id).iter().any(|&node| {
                let body = &self.known.effects.bodies[id.0 as usize];
                let mut stops = false;
                walk(&body.nodes[node], &mut |action| {
                    stops |= matches!(action.kind, ActionKind::Stop);
                });
                stops && !self.ends_well(id, node)
            }),
            _ => false,
        }
    }

    /// `exit(0)`: the others go on.
    fn ends_well(&self, id: RoutineId, node: usize) -> bool {
        ends_well(self.known.steps.routine(id), node)
    }

    /// Whether control may leave a statement for somewhere else than what comes next.
    pub(super) fn leaves(&self, statement: &Statement) -> bool {
        let mut found = false;
        walk_exits(statement, 0, 0, &mut found);
        found
    }

    /// After trouble: nothing in a part of the text is safe, nor in what is called from there.
    pub(super) fn condemn(&mut self, id: RoutineId, span: Span) {
        let (steps, points_to) = (self.known.steps, self.known.points_to);
        let views = &self.known.traffic.views;
        let condemned = &mut self.condemned;
        let mut new = Vec::new();
        closure([(id, span)], |(id, span), open| {
            if condemned.insert((id, span)) {
                new.push((id, span));
                let view = &views[id.0 as usize];
                for node in view.nodes_in(span) {
                    for step in &steps.routine(id).nodes[node] {
                        step.walk(&mut |step| {
                            if let StepKind::Call(call) = &step.kind {
                                let callees = points_to.callees(id, call).routines.into_iter();
                                let span = |one: RoutineId| views[one.0 as usize].function.span;
                                open.extend(callees.map(|callee| (callee, span(callee))));
                            }
                        });
                    }
                }
            }
        })
        .for_each(drop);
        for (id, span) in new {
            for node in views[id.0 as usize].nodes_in(span) {
                let trouble = self.trouble.clone();
                Trouble::add(self.verdicts.entry((id, node)).or_default(), trouble);
            }
        }
    }

    /// What does not communicate and need not be followed: what it stores is not known, and whether a place in it is
    /// safe says the coarse answer, but for the node that is `visited` already. `same`: all ranks do it alike.
    pub(super) fn sweep(
        &mut self,
        id: RoutineId,
        (statement, visited): (&'a Statement, Option<usize>),
        state: &mut State,
        found: Option<Trouble>,
        same: bool,
    ) {
        let view = self.view(id);
        let nodes = view.nodes_in(statement.span);
        let nodes: Vec<usize> = nodes.filter(|node| Some(*node) != visited).collect();
        for &node in &nodes {
            let mut here = match &found {
                Some(apart) if apart.apart_in.is_some() => {
                    self.found(id, node, state).or_else(|| found.clone())
                }
                Some(_) => found.clone(),
                None => self.found(id, node, state),
            };
            if here.is_none() && self.ranks > 1 && self.known.varying.parted[id.0 as usize][node] {
                let place = self.place(id, view.routine.flow.nodes[node].span);
                let why = "Some ranks may pass this place more often than others.";
                here = Some(Trouble::at(why, place));
            }
            Trouble::add(self.verdicts.entry((id, node)).or_default(), here.clone());
            // Only places of the loop itself are known not to be passed outside of it.
            if let Some(here) = &mut here {
                here.apart_in = None;
            }
            if self.ends_well(id, node) {
                let place = self.place(id, view.routine.flow.nodes[node].span);
                self.end(place);
            }
            for step in &self.known.steps.routine(id).nodes[node] {
                step.walk(&mut |step| {
                    if let StepKind::Call(call) = &step.kind {
                        for callee in self.known.points_to.callees(id, call).routines {
                            self.context(callee, here.clone());
                            if self.known.traffic.quits.contains(&callee) {
                                let place = self.place(id, step.span);
                                self.end(place);
                            }
                        }
                    }
                });
            }
        }
        self.spoil_stored(id, statement.span, state, same);
    }

    /// What threads of a team have stored, each its share or all of them one after the other, is not what one thread alone
    /// stores. A loop that begins its own team comes out as if one thread had executed it.
    pub(super) fn after_team(&mut self, id: RoutineId, statement: &'a Statement, ways: &mut Ways) {
        let is_other = |construct: &Construct| match construct.is_parallel() {
            true => construct.reduces() && !construct.divides(),
            false => {
                construct.has(&DirectiveName::Critical)
                    || construct.has(&DirectiveName::Atomic)
                    || construct.divides() && !construct.is_by_one_thread()
            }
        };
        if statement.openmp.iter().any(is_other)
            && let Some(state) = &mut ways.on
        {
            self.spoil_stored(id, statement.span, state, true);
        }
    }

    /// What a part of the text may store to is not known any more. `same`: all ranks do it alike.
    fn spoil_stored(&mut self, id: RoutineId, text: Span, state: &mut State, same: bool) {
        let nodes: Vec<usize> = self.view(id).nodes_in(text).collect();
        let mut cells: Vec<u32> = Vec::new();
        let effects = self.known.effects;
        for &node in &nodes {
            crate::analysis::effects::walk(
                &effects.bodies[id.0 as usize].nodes[node],
                &mut |action| {
                    use crate::analysis::effects::ActionKind;
                    match &action.kind {
                        ActionKind::Write { cells: set, .. } => {
                            cells.extend(effects.cells(*set).iter().map(|cell| cell.0));
                        }
                        ActionKind::Call { routines, .. } => {
                            for routine in routines {
                                let writes = &effects.summary(*routine).writes;
                                cells.extend(writes.ones().map(|cell| cell as u32));
                            }
                        }
                        _ => {}
                    }
                },
            );
        }
        cells.sort_unstable();
        cells.dedup();
        for cell in cells {
            let is_same = same && !self.known.varying.cells.contains(cell as usize);
            self.spoil(state, cell, is_same);
        }
    }
}

/// Looks for jumps out of a statement.
fn walk_exits(statement: &Statement, loops: usize, breakable: usize, found: &mut bool) {
    match &statement.kind {
        StatementKind::Return(_) | StatementKind::Goto(_) => *found = true,
        StatementKind::Break => *found |= breakable == 0,
        StatementKind::Continue => *found |= loops == 0,
        _ => {}
    }
    let is_loop = usize::from(statement.is_loop());
    let is_switch = usize::from(matches!(statement.kind, StatementKind::Switch { .. }));
    for child in statement.children() {
        walk_exits(
            child,
            loops + is_loop,
            breakable + is_loop + is_switch,
            found,
        );
    }
}
