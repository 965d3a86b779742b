//! Loops: iteration by iteration where every rank knows how often, and in general otherwise.

use super::messages::Messages;
use super::run::{Run, Trouble, Ways};
use super::shared::Shared;
use super::state::{Key, State};
use super::value::{Sym, Value};
use crate::dataflow::steps::RoutineId;
use crate::program::{Expression, Statement};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Loops whose limits are known for every rank are followed through so many iterations.
const ITERATIONS: usize = 40;
/// A loop about which nothing is known is followed until nothing new is found, but no longer.
const ROUNDS: usize = 12;

/// What has been found out so far, in order to go back.
pub(super) struct Snapshot {
    messages: Messages,
    trouble: Option<Trouble>,
    verdicts: BTreeMap<(RoutineId, usize), Option<Trouble>>,
    contexts: BTreeMap<RoutineId, Option<Trouble>>,
    condemned: BTreeSet<(RoutineId, Span)>,
    is_wild: bool,
    has_begun: bool,
}

/// The parts of a loop.
pub(super) struct Loop<'a> {
    pub statement: &'a Statement,
    /// The node before its first condition, where control has been already.
    pub begin: Option<usize>,
    pub condition: Option<&'a Expression>,
    /// The nodes of its condition and of what happens after each iteration.
    pub head: Option<usize>,
    pub step: Option<usize>,
    pub body: &'a Statement,
    /// The body comes first.
    pub is_do: bool,
}

impl<'a> Run<'a, '_> {
    /// A loop.
    pub(super) fn repeat(&mut self, id: RoutineId, parts: &Loop<'a>, state: State) -> Ways {
        let is_busy = self.view(id).is_busy(parts.statement.span);
        let mut state = state;
        if !is_busy && self.quiet > 0 && !self.leaves(parts.statement) {
            self.sweep(id, (parts.statement, parts.begin), &mut state, None, true);
            return Ways::on(state);
        }
        // Where nothing communicates, ranks that go different ways meet again behind the loop.
        let quiet = (!is_busy && self.trouble.is_none() && !self.leaves(parts.statement))
            .then(|| (self.snapshot(), state.clone()));
        let wild = self.is_wild;
        let memory = if is_busy {
            Shared::default()
        } else {
            state.memory.clone()
        };
        if !is_busy {
            self.quiet += 1;
        }
        let ways = if is_busy && self.trouble.is_none() {
            // In general first; only when that does not do, iteration by iteration.
            let before = self.snapshot();
            let ways = self.abstracted(id, parts, state.clone(), is_busy);
            let failed = self.trouble.is_some() || self.question.is_some();
            if failed && !self.budget.is_spent() {
                let general = self.snapshot();
                let question = self.question.clone();
                self.restore(before);
                match self.concrete(id, parts, &state) {
                    Some(ways) => ways,
                    None => {
                        self.restore(general);
                        self.question = question;
                        ways
                    }
                }
            } else {
                ways
            }
        } else {
            match self.concrete(id, parts, &state) {
                Some(ways) => ways,
                None => self.abstracted(id, parts, state, is_busy),
            }
        };
        if !is_busy {
            self.quiet -= 1;
        }
        if let (Some((before, mut state)), None, Some(trouble)) =
            (quiet, &self.question, self.trouble.clone())
        {
            self.restore(before);
            self.sweep(
                id,
                (parts.statement, parts.begin),
                &mut state,
                Some(trouble),
                false,
            );
            return Ways::on(state);
        }
        let mut ways = ways;
        self.contain(id, parts.statement, wild, &memory, &mut ways);
        ways
    }

    /// The condition of a loop: its value, or none when control does not come out of it.
    pub(super) fn head(
        &mut self,
        id: RoutineId,
        parts: &Loop<'a>,
        state: &mut State,
    ) -> Option<Value> {
        let Some(head) = parts.head else {
            return Some(Value::same(self.ranks, Sym::Int(1)));
        };
        let Some(condition) = parts.condition else {
            return Some(Value::same(self.ranks, Sym::Int(1)));
        };
        self.visit(id, head, state);
        let scratch = self.node(id, head, state)?;
        Some(self.evaluate(self.view(id).unit, condition, &scratch, state))
    }

    /// Follows a loop as long as every rank knows whether it goes on. None: it is not so, and nothing has happened.
    pub(super) fn concrete(
        &mut self,
        id: RoutineId,
        parts: &Loop<'a>,
        state: &State,
    ) -> Option<Ways> {
        parts.condition?;
        if parts.is_do && self.quiet > 0 {
            return None;
        }
        let before = self.snapshot();
        let mut ways = Ways::default();
        let mut here = Some(state.clone());
        let mut out: Option<State> = None;
        let mut first = parts.is_do;
        for _ in 0..=ITERATIONS.max(self.ranks + 2) {
            let Some(mut at) = here.take() else {
                ways.on = out;
                return Some(ways);
            };
            if !std::mem::take(&mut first) {
                let value = match self.head(id, parts, &mut at) {
                    Some(value) => value,
                    None => {
                        ways.on = out;
                        return Some(ways);
                    }
                };
                let Some((yes, no)) = at.parted(&value) else {
                    break;
                };
                self.note_shape(id, parts.statement.span, &value, &at);
                let gone = at.only(&no);
                if !gone.is_empty() {
                    out = self.join(out, Some(gone));
                }
                at = at.only(&yes);
                if at.is_empty() {
                    ways.on = out;
                    return Some(ways);
                }
            }
            let part = self.statement(id, parts.body, at);
            if part.is_dead() && self.trouble.is_none() {
                // The program has ended while some ranks were still in the loop.
                return Some(Ways::default());
            }
            let breaks = part.breaks;
            let left = self.join_all(breaks);
            out = self.join(out, left);
            let continues = self.join_all(part.continues);
            let mut next = self.join(part.on, continues);
            ways.returns.extend(part.returns);
            ways.gotos.extend(part.gotos);
            if let (Some(step), Some(next)) = (parts.step, next.as_mut()) {
                self.visit(id, step, next);
                if self.node(id, step, next).is_none() {
                    return Some(Ways::default());
                }
            }
            here = next;
            if self.question.is_some() {
                break;
            }
        }
        if self.question.is_some() {
            ways.on = here.or(out);
            return Some(ways);
        }
        self.restore(before);
        None
    }

    pub(super) fn snapshot(&self) -> Snapshot {
        Snapshot {
            messages: self.messages.clone(),
            trouble: self.trouble.clone(),
            verdicts: self.verdicts.clone(),
            contexts: self.contexts.clone(),
            condemned: self.condemned.clone(),
            is_wild: self.is_wild,
            has_begun: self.has_begun,
        }
    }

    pub(super) fn restore(&mut self, before: Snapshot) {
        self.messages = before.messages;
        self.trouble = before.trouble;
        self.verdicts = before.verdicts;
        self.contexts = before.contexts;
        self.condemned = before.condemned;
        self.is_wild = before.is_wild;
        self.has_begun = before.has_begun;
        self.question = None;
    }

    /// A loop of which nobody knows how often it iterates: what is found at its beginning has to be so in every
    /// iteration.
    pub(super) fn abstracted(
        &mut self,
        id: RoutineId,
        parts: &Loop<'a>,
        state: State,
        is_busy: bool,
    ) -> Ways {
        let place = self.place(id, parts.statement.span);
        let mut entry = state;
        let mut names: BTreeMap<Key, Sym> = BTreeMap::new();
        for _ in 0..ROUNDS {
            let messages = self.messages.clone();
            let begun = self.has_begun;
            let mut ways = Ways::default();
            let mut at = entry.clone();
            let mut out: Option<State> = None;
            if !parts.is_do {
                let Some(value) = self.head(id, parts, &mut at) else {
                    return Ways::default();
                };
                if !self.goes_on(id, parts, &value, &mut at, is_busy) {
                    return Ways::on(at);
                }
                out = (parts.condition.is_some() && value.uniform(&at.mask) != Some(Sym::Int(1)))
                    .then(|| at.clone());
            }
            let part = self.statement(id, parts.body, at);
            if self.question.is_some() {
                return Ways::on(entry);
            }
            let left = self.join_all(part.breaks);
            out = self.join(out, left);
            let continues = self.join_all(part.continues);
            let mut next = self.join(part.on, continues);
            ways.returns = part.returns;
            ways.gotos = part.gotos;
            if let (Some(step), Some(next)) = (parts.step, next.as_mut()) {
                self.visit(id, step, next);
                if self.node(id, step, next).is_none() {
                    return Ways::default();
                }
            }
            if let (true, Some(at)) = (parts.is_do, next.as_mut()) {
                let Some(value) = self.head(id, parts, at) else {
                    return Ways::default();
                };
                if !self.goes_on(id, parts, &value, at, is_busy) {
                    return Ways::on(at.clone());
                }
                let stays = at.clone();
                out = self.join(out, Some(stays));
            }
            let Some(next) = next else {
                ways.on = out;
                return ways;
            };
            if self.messages != messages || self.has_begun != begun {
                if is_busy && self.trouble.is_none() {
                    let (why, mut places) = self
                        .messages
                        .trouble()
                        .or_else(|| messages.trouble())
                        .unwrap_or(("", vec![place]));
                    places.truncate(4);
                    let why = format!(
                        "What an iteration of this loop sends is not received in it as often as it is sent. {why}"
                    );
                    self.trouble = Some(Trouble {
                        why: why.trim_end().to_string(),
                        places: std::iter::once(place).chain(places).collect(),
                        apart_in: None,
                        is_certain: false,
                    });
                }
                self.messages = messages;
                self.has_begun = begun;
            }
            let mut joined = {
                let terms = &mut self.terms;
                entry.clone().join(next, &mut |key| {
                    *names.entry(key).or_insert_with(|| terms.fresh())
                })
            };
            self.settle(&mut joined);
            if joined.mask != entry.mask {
                self.fail("Ranks leave this loop at different times.", place);
            }
            let same = joined == entry;
            entry = joined;
            if same {
                ways.on = out;
                return ways;
            }
        }
        self.fail("This loop is not understood.", place);
        let mut state = entry;
        self.sweep(id, (parts.statement, parts.begin), &mut state, None, false);
        Ways::on(state)
    }

    /// Whether a loop can be followed when its condition has this value; otherwise it has been swept over.
    pub(super) fn goes_on(
        &mut self,
        id: RoutineId,
        parts: &Loop<'a>,
        value: &Value,
        state: &mut State,
        is_busy: bool,
    ) -> bool {
        if value.is_alike(&state.mask) {
            return true;
        }
        let place = self.place(id, parts.statement.span);
        let mut found = Trouble::at("Ranks may iterate this loop differently often.", place);
        let on = self.depending_on(id, parts.statement);
        if is_busy {
            let why = format!(
                "Ranks may iterate this loop differently often{on}, and there is communication in it."
            );
            self.fail(&why, place);
        } else if self.leaves(parts.statement) {
            let why = format!("Some ranks may leave what comes next out{on}.");
            self.fail(&why, place);
        } else {
            found.apart_in = Some((id, parts.statement.span));
        }
        self.sweep(
            id,
            (parts.statement, parts.begin),
            state,
            Some(found),
            false,
        );
        false
    }
}
