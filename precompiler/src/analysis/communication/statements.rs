//! Statements, in the order of execution.

use super::evaluate::Scratch;
use super::loops::Loop;
use super::messages::Messages;
use super::run::{ONLY_SOME, Run, Trouble, Ways};
use super::state::{Key, State};
use super::value::{Shape, Value};
use crate::dataflow::steps::{RoutineId, TextPlace};
use crate::program::{Expression, ForStart, Label, Statement, StatementKind, TypeKind};
use crate::source::Span;
use std::collections::BTreeMap;

impl<'a> Run<'a, '_> {
    /// A statement; the ways on which control leaves it.
    pub fn statement(&mut self, id: RoutineId, statement: &'a Statement, state: State) -> Ways {
        if self.question.is_some() || self.budget.is_spent() {
            // The answer comes first; what is found until then is of no use.
            return Ways::on(state);
        }
        if self.trouble.is_some() {
            // Nothing that comes now is safe.
            self.condemn(id, statement.span);
            return Ways::on(state);
        }
        let mut ways = self.plain_statement(id, statement, state);
        self.after_team(id, statement, &mut ways);
        ways
    }

    /// A statement without its constructs of OpenMP.
    fn plain_statement(&mut self, id: RoutineId, statement: &'a Statement, state: State) -> Ways {
        let view = self.view(id);
        let nodes = view.nodes_of(statement.id);
        match &statement.kind {
            StatementKind::Compound { items, .. } => self.items(id, items, state),
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => self.branch(id, statement, condition, then, otherwise.as_deref(), state),
            StatementKind::While { condition, body } => {
                let parts = Loop {
                    statement,
                    begin: None,
                    condition: Some(condition),
                    head: nodes.first().copied(),
                    step: None,
                    body,
                    is_do: false,
                };
                self.repeat(id, &parts, state)
            }
            StatementKind::DoWhile { body, condition } => {
                let parts = Loop {
                    statement,
                    begin: None,
                    condition: Some(condition),
                    head: nodes.last().copied(),
                    step: None,
                    body,
                    is_do: true,
                };
                self.repeat(id, &parts, state)
            }
            StatementKind::For {
                start,
                condition,
                body,
                ..
            } => {
                let mut state = state;
                let &[begin, head, step] = nodes else {
                    let place = self.place(id, statement.span);
                    self.fail("This loop is not understood.", place);
                    return Ways::on(state);
                };
                let begin = (!matches!(start, ForStart::Nothing)).then_some(begin);
                if let Some(begin) = begin {
                    self.visit(id, begin, &state);
                    if self.node(id, begin, &mut state).is_none() {
                        return Ways::default();
                    }
                }
                let parts = Loop {
                    statement,
                    begin,
                    condition: condition.as_ref(),
                    head: Some(head),
                    step: Some(step),
                    body,
                    is_do: false,
                };
                self.repeat(id, &parts, state)
            }
            StatementKind::Switch { value, body } => self.switch(id, statement, value, body, state),
            StatementKind::Labelled { body, .. } => self.statement(id, body, state),
            StatementKind::Goto(Some(label)) => {
                self.here(id, nodes, &state);
                Ways {
                    gotos: vec![(label.clone(), state)],
                    ..Ways::default()
                }
            }
            StatementKind::Goto(None) => {
                let place = self.place(id, statement.span);
                self.fail("A computed goto may lead anywhere.", place);
                Ways::on(state)
            }
            StatementKind::Break => {
                self.here(id, nodes, &state);
                Ways {
                    breaks: vec![state],
                    ..Ways::default()
                }
            }
            StatementKind::Continue => {
                self.here(id, nodes, &state);
                Ways {
                    continues: vec![state],
                    ..Ways::default()
                }
            }
            StatementKind::Return(value) => {
                let mut state = state;
                let Some(scratch) = self.take(id, nodes, &mut state) else {
                    return Ways::default();
                };
                let unit = view.unit;
                let function = unit.kind(unit.symbols[view.function.symbol.0].ty);
                let value = value.as_ref().map(|value| match function {
                    TypeKind::Function { result, .. } => {
                        self.evaluate_as(unit, value, (unit, *result), &scratch, &state)
                    }
                    _ => self.evaluate(unit, value, &scratch, &state),
                });
                Ways {
                    returns: vec![(state, value)],
                    ..Ways::default()
                }
            }
            _ => {
                let mut state = state;
                match self.take(id, nodes, &mut state) {
                    Some(_) => Ways::on(state),
                    None => Ways::default(),
                }
            }
        }
    }

    pub(super) fn here(&mut self, id: RoutineId, nodes: &[usize], state: &State) {
        for &node in nodes {
            self.visit(id, node, state);
        }
    }

    /// All nodes of a simple statement.
    pub(super) fn take(
        &mut self,
        id: RoutineId,
        nodes: &[usize],
        state: &mut State,
    ) -> Option<Scratch<'a>> {
        let mut last = Scratch::default();
        for &node in nodes {
            self.visit(id, node, state);
            last = self.node(id, node, state)?;
        }
        Some(last)
    }

    pub(super) fn items(&mut self, id: RoutineId, items: &'a [Statement], state: State) -> Ways {
        let mut ways = Ways::default();
        let mut on = Some(state);
        for item in items {
            // Gotos that lead forward to here.
            for name in labels(item) {
                let (here, other): (Vec<_>, Vec<_>) = (std::mem::take(&mut ways.gotos).into_iter())
                    .partition(|(label, _)| label == name);
                ways.gotos = other;
                let here = here.into_iter().map(|(_, state)| state).collect();
                let arrived = self.join_all(here);
                on = self.join(on, arrived);
            }
            let Some(state) = on.take() else {
                continue;
            };
            let part = self.statement(id, item, state);
            on = ways.take(part);
        }
        ways.on = on;
        ways
    }

    pub(super) fn branch(
        &mut self,
        id: RoutineId,
        statement: &'a Statement,
        condition: &'a Expression,
        then: &'a Statement,
        otherwise: Option<&'a Statement>,
        mut state: State,
    ) -> Ways {
        let nodes = self.view(id).nodes_of(statement.id);
        let Some(scratch) = self.take(id, nodes, &mut state) else {
            return Ways::default();
        };
        let value = self.evaluate(self.view(id).unit, condition, &scratch, &state);
        let mut alternatives = vec![Some(then), otherwise];
        if let Some((yes, no)) = state.parted(&value) {
            let wild = self.is_wild;
            let memory = state.memory.clone();
            self.note_shape(id, statement.span, &value, &state);
            let mut ways = self.part(id, &alternatives, vec![yes, no], state);
            self.contain(id, statement, wild, &memory, &mut ways);
            return ways;
        }
        if value.is_alike(&state.mask) {
            return self.fork(id, &alternatives, state, statement.span);
        }
        self.apart(id, statement, &mut alternatives, state)
    }

    /// Whether something follows for other numbers of ranks from what ranks do here.
    pub(super) fn note_shape(&mut self, id: RoutineId, span: Span, value: &Value, state: &State) {
        let differs = value.uniform(&state.mask).is_none();
        if value.shape == Shape::Wild && (self.view(id).is_busy(span) || differs) {
            self.is_wild = true;
        }
    }

    /// Where nothing communicates, of shapes nothing is left but the values that were stored.
    pub(super) fn contain(
        &mut self,
        id: RoutineId,
        statement: &Statement,
        was_wild: bool,
        memory: &BTreeMap<Key, Value>,
        ways: &mut Ways,
    ) {
        if was_wild
            || !self.is_wild
            || self.view(id).is_busy(statement.span)
            || self.leaves(statement)
        {
            return;
        }
        self.is_wild = false;
        for (key, value) in ways.on.iter_mut().flat_map(|state| &mut state.memory) {
            if memory.get(key) != Some(value) {
                value.shape = Shape::Wild;
            }
        }
    }

    /// The ranks part: each goes its way, one after the other.
    pub(super) fn part(
        &mut self,
        id: RoutineId,
        alternatives: &[Option<&'a Statement>],
        masks: Vec<Vec<bool>>,
        state: State,
    ) -> Ways {
        let mut ways = Ways::default();
        let mut on: Option<State> = None;
        for (alternative, mask) in alternatives.iter().zip(masks) {
            let here = state.only(&mask);
            if here.is_empty() {
                continue;
            }
            let part = match alternative {
                Some(statement) => self.statement(id, statement, here),
                None => Ways::on(here),
            };
            if part.is_dead() && self.trouble.is_none() {
                // The whole program has ended, for this number of ranks.
                return Ways::default();
            }
            let next = ways.take(part);
            on = self.join(on, next);
        }
        ways.on = on;
        ways
    }

    /// All ranks go one of these ways.
    pub(super) fn fork(
        &mut self,
        id: RoutineId,
        alternatives: &[Option<&'a Statement>],
        state: State,
        span: Span,
    ) -> Ways {
        let place = self.place(id, span);
        let why = "What is sent and received here depends on a condition, and is not the same on both ways.";
        self.each_way(
            alternatives,
            (why, place),
            |run, alternative| match alternative {
                Some(statement) => run.statement(id, statement, state.clone()),
                None => Ways::on(state.clone()),
            },
        )
    }

    /// All ranks go one of these ways, which have to leave the same messages behind. Those on which the program ends leave nothing.
    fn each_way<T>(
        &mut self,
        entries: impl IntoIterator<Item = T>,
        differing: (&str, TextPlace),
        mut walk: impl FnMut(&mut Self, T) -> Ways,
    ) -> Ways {
        let mut ways = Ways::default();
        let mut on = None;
        let before = self.messages.clone();
        let begun = self.has_begun;
        let trouble = self.trouble.clone();
        let mut after: Option<(Messages, bool)> = None;
        let mut found = trouble.clone();
        for entry in entries {
            self.messages = before.clone();
            self.has_begun = begun;
            self.trouble = trouble.clone();
            let part = walk(self, entry);
            if part.is_dead() {
                continue;
            }
            found = found.or_else(|| self.trouble.clone());
            let now = (self.messages.clone(), self.has_begun);
            if after.as_ref().is_some_and(|known| *known != now) && found.is_none() {
                found = Some(Trouble::at(differing.0, differing.1));
            }
            after.get_or_insert(now);
            let next = ways.take(part);
            on = self.join(on, next);
        }
        self.trouble = found;
        if let Some((messages, begun)) = after {
            self.messages = messages;
            self.has_begun = begun;
        }
        ways.on = on;
        ways
    }

    pub(super) fn switch(
        &mut self,
        id: RoutineId,
        statement: &'a Statement,
        value: &'a Expression,
        body: &'a Statement,
        mut state: State,
    ) -> Ways {
        let nodes = self.view(id).nodes_of(statement.id);
        let nodes: Vec<usize> = nodes.to_vec();
        let Some(scratch) = self.take(id, &nodes, &mut state) else {
            return Ways::default();
        };
        let value = self.evaluate(self.view(id).unit, value, &scratch, &state);
        let place = self.place(id, statement.span);
        let StatementKind::Compound { items, .. } = &body.kind else {
            self.fail("This switch is not understood.", place);
            return Ways::on(state);
        };
        if !value.is_alike(&state.mask) {
            if self.view(id).is_busy(statement.span) || self.leaves(statement) {
                self.fail("Ranks may go different ways here.", place);
            }
            let found = Some(Trouble::surely(ONLY_SOME, place));
            self.sweep(id, (body, None), &mut state, found, false);
            return Ways::on(state);
        }
        // Every label is a way in, and past all of them when there is no default.
        let starts: Vec<usize> = (items.iter().enumerate())
            .filter(|(_, item)| matches!(&item.kind, StatementKind::Labelled { label, .. } if !matches!(label, Label::Name(_))))
            .map(|(at, _)| at)
            .collect();
        let mut inner = 0;
        body.walk(&mut |one| {
            inner += usize::from(
                matches!(&one.kind, StatementKind::Labelled { label, .. } if !matches!(label, Label::Name(_))),
            );
            !matches!(one.kind, StatementKind::Switch { .. })
        });
        if inner > chained(items) {
            self.fail(
                "A case of this switch stands inside another statement.",
                place,
            );
        }
        let entries = starts.into_iter().map(Some).chain([None]);
        let why = "What is sent and received here depends on a switch.";
        self.each_way(entries, (why, place), |run, entry| {
            let mut part = match entry {
                Some(at) => run.items(id, &items[at..], state.clone()),
                None => Ways::on(state.clone()),
            };
            let left = run.join_all(std::mem::take(&mut part.breaks));
            part.on = run.join(part.on.take(), left);
            part
        })
    }
}

/// The labels of a statement that gotos name.
fn labels(statement: &Statement) -> Vec<&str> {
    let mut all = Vec::new();
    let mut at = statement;
    while let StatementKind::Labelled { body, .. } = &at.kind {
        all.extend(at.label());
        at = body;
    }
    all
}

/// The cases that stand before statements of this list.
fn chained(items: &[Statement]) -> usize {
    let mut count = 0;
    for item in items {
        let mut at = item;
        while let StatementKind::Labelled { label, body } = &at.kind {
            count += usize::from(!matches!(label, Label::Name(_)));
            at = body;
        }
    }
    count
}
