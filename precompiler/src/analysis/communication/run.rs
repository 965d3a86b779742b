//! One run of the analysis: for one number of ranks, through the program in the order of execution, all ranks together.
//!
//! Where control depends on something that is known for each rank, the ranks part: some are here, the others wait until
//! the ways come together again. Where it depends on something that is the same on all ranks but not known, both ways are
//! walked, and have to leave the same messages behind. Where nobody knows what it depends on, what communicates is not
//! understood from there on.

use super::budget::Budget;
use super::communicators::Communicators;
use super::library::Library;
use super::messages::Messages;
use super::state::{Key, State};
use super::traffic::{Traffic, View};
use super::value::{Shape, Sym, Terms, Value};
use super::varying::Varying;
use crate::analysis::effects::Effects;
use crate::analysis::points_to::PointsTo;
use crate::dataflow::steps::{RoutineId, Steps, TextPlace};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// What a run needs to know of the program.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    /// Its steps.
    pub steps: &'a Steps,
    /// What pointers point to.
    pub points_to: &'a PointsTo,
    /// What functions do.
    pub effects: &'a Effects,
    /// Which functions communicate.
    pub traffic: &'a Traffic<'a>,
    /// What may differ.
    pub varying: &'a Varying,
}

/// Why a place is not safe.
#[derive(Clone, Debug, PartialEq)]
pub struct Trouble {
    /// As a sentence.
    pub why: String,
    /// The places it is about.
    pub places: Vec<TextPlace>,
    /// Nothing is wrong but that ranks may iterate this loop differently often: they do not communicate in it, and nothing
    /// is under way when they enter it.
    pub apart_in: Option<(RoutineId, Span)>,
    /// The place is known to be unsafe, as far as the run has been understood; or some ranks may never come here.
    pub is_certain: bool,
}

impl Trouble {
    /// At one place.
    pub fn at(why: &str, place: TextPlace) -> Trouble {
        Trouble {
            why: why.to_string(),
            places: vec![place],
            apart_in: None,
            is_certain: false,
        }
    }

    /// At one place that is surely unsafe.
    pub fn surely(why: &str, place: TextPlace) -> Trouble {
        Trouble {
            is_certain: true,
            ..Trouble::at(why, place)
        }
    }

    /// What is known of a place, with what was found there now. What is worse stays.
    pub fn add(known: &mut Option<Trouble>, found: Option<Trouble>) {
        let Some(found) = found else {
            return;
        };
        match known {
            None => *known = Some(found),
            Some(old) if old.apart_in.is_some() && old.apart_in != found.apart_in => {
                *old = Trouble {
                    apart_in: None,
                    ..found
                };
            }
            Some(old) if found.is_certain && !old.is_certain => {
                *old = Trouble {
                    apart_in: None,
                    ..found
                };
            }
            Some(_) => {}
        }
    }
}

/// Where control parts by what need not be the same on all ranks: a checkpoint there may be one of some ranks only, and would
/// never be complete.
pub const ONLY_SOME: &str = "Only some of the ranks may come here.";

/// Something that a run has assumed, in order to be concrete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Question {
    /// The number that a term stands for.
    Term(u32),
    /// Which of several results a call gives, by the position of the call in the run.
    Result(u32),
}

/// A run.
pub struct Run<'a, 'b> {
    pub known: Known<'a>,
    pub library: &'b mut Library<'a>,
    pub ranks: usize,
    pub terms: Terms,
    pub communicators: Communicators,
    pub messages: Messages,
    /// What has gone wrong: it stays so.
    pub trouble: Option<Trouble>,
    /// Some ranks may have ended before others.
    pub ended: Option<Trouble>,
    /// Shapes were seen of which nothing follows for other numbers of ranks.
    pub is_wild: bool,
    /// MPI is in use.
    pub has_begun: bool,
    /// Answers to questions of earlier runs.
    pub assumed: &'b BTreeMap<Question, i64>,
    /// A question that has to be answered first, and the possible answers.
    pub question: Option<(Question, Vec<i64>)>,
    pub results: u32,
    /// What was found at places: none where all is well.
    pub verdicts: BTreeMap<(RoutineId, usize), Option<Trouble>>,
    /// Functions that are called where nothing in them communicates: what was found there.
    pub contexts: BTreeMap<RoutineId, Option<Trouble>>,
    /// Parts of the text in which everything has been found in trouble.
    pub condemned: BTreeSet<(RoutineId, Span)>,
    pub stack: Vec<RoutineId>,
    /// What may still be spent, by this run and by those after it.
    pub budget: Budget,
    /// Loops in which nothing communicates, around this place.
    pub quiet: u32,
}

/// Ways on which control leaves a statement.
#[derive(Default)]
pub struct Ways {
    /// To what comes next.
    pub on: Option<State>,
    pub breaks: Vec<State>,
    pub continues: Vec<State>,
    pub returns: Vec<(State, Option<Value>)>,
    pub gotos: Vec<(String, State)>,
}

impl Ways {
    /// Straight on.
    pub fn on(state: State) -> Ways {
        Ways {
            on: Some(state),
            ..Ways::default()
        }
    }

    /// Takes over the ways of a part, and hands back what goes on there.
    pub fn take(&mut self, part: Ways) -> Option<State> {
        self.breaks.extend(part.breaks);
        self.continues.extend(part.continues);
        self.returns.extend(part.returns);
        self.gotos.extend(part.gotos);
        part.on
    }

    /// Whether nobody goes on anywhere.
    pub fn is_dead(&self) -> bool {
        self.on.is_none()
            && self.breaks.is_empty()
            && self.continues.is_empty()
            && self.returns.is_empty()
            && self.gotos.is_empty()
    }
}

impl<'a> Run<'a, '_> {
    /// A function.
    pub fn view(&self, id: RoutineId) -> &'a View<'a> {
        &self.known.traffic.views[id.0 as usize]
    }

    /// A place in a function.
    pub fn place(&self, id: RoutineId, span: Span) -> TextPlace {
        TextPlace {
            unit: self.view(id).routine.function.unit,
            span,
        }
    }

    /// From here on nothing is understood.
    pub fn fail(&mut self, why: &str, place: TextPlace) {
        self.trouble.get_or_insert_with(|| Trouble::at(why, place));
    }

    /// Some ranks may end here, and the others go on.
    pub fn end(&mut self, place: TextPlace) {
        let why = "Some ranks may have ended, and the others continued.";
        self.ended.get_or_insert_with(|| Trouble::at(why, place));
    }

    /// The same everywhere, but nobody knows what.
    pub fn fresh(&mut self) -> Value {
        let sym = self.terms.fresh();
        self.named(sym)
    }

    /// The value that a term stands for.
    pub fn named(&mut self, sym: Sym) -> Value {
        if let Sym::Term(number) = sym
            && let Some(answer) = self.assumed.get(&Question::Term(number))
        {
            let mut value = Value::same(self.ranks, Sym::Int(*answer));
            value.shape = Shape::Piece;
            return value;
        }
        Value::same(self.ranks, sym)
    }

    /// Asks what a term is.
    pub fn ask(&mut self, question: Question, answers: Vec<i64>) {
        self.question.get_or_insert((question, answers));
    }

    /// What control finds at a node.
    pub fn visit(&mut self, id: RoutineId, node: usize, state: &State) {
        self.budget.spend(state.memory.len());
        // Nothing is worse than what is certain.
        let known = self.verdicts.get(&(id, node)).and_then(Option::as_ref);
        if known.is_some_and(|one| one.is_certain && one.apart_in.is_none()) {
            return;
        }
        let found = self.found(id, node, state);
        Trouble::add(self.verdicts.entry((id, node)).or_default(), found);
    }

    /// Whether all is well where the state is.
    pub fn found(&self, id: RoutineId, node: usize, state: &State) -> Option<Trouble> {
        let span = self.view(id).routine.flow.nodes[node].span;
        let here = self.place(id, span);
        if let Some(trouble) = &self.trouble {
            return Some(trouble.clone());
        }
        if let Some(trouble) = &self.ended {
            return Some(trouble.clone());
        }
        if !self.has_begun {
            return Some(Trouble::surely("MPI is not in use here.", here));
        }
        if !state.is_full() {
            let why = "Only some of the ranks come here, or they come here at different times.";
            return Some(Trouble::surely(why, here));
        }
        let (why, places) = self.messages.trouble()?;
        Some(Trouble {
            why: why.to_string(),
            places,
            apart_in: None,
            is_certain: self.messages.is_certain(),
        })
    }

    /// Two ways come together where all ranks took one of them.
    pub fn join(&mut self, one: Option<State>, other: Option<State>) -> Option<State> {
        match (one, other) {
            (Some(one), Some(other)) => {
                let terms = &mut self.terms;
                let mut state = one.join(other, &mut |_| terms.fresh());
                self.settle(&mut state);
                Some(state)
            }
            (one, other) => one.or(other),
        }
    }

    /// Puts numbers in the place of terms that are assumed to be known.
    pub fn settle(&mut self, state: &mut State) {
        if self.assumed.is_empty() {
            return;
        }
        for value in state.memory.values_mut() {
            self.settle_value(value);
        }
    }

    /// The same for one value.
    pub fn settle_value(&self, value: &mut Value) {
        for part in 0..value.parts.len() {
            if let Sym::Term(number) = value.parts[part]
                && let Some(answer) = self.assumed.get(&Question::Term(number))
            {
                value.parts[part] = Sym::Int(*answer);
                value.shape = value.shape.or(Shape::Piece);
            }
        }
    }

    /// All of these come together.
    pub fn join_all(&mut self, states: Vec<State>) -> Option<State> {
        states
            .into_iter()
            .fold(None, |sum, state| self.join(sum, Some(state)))
    }

    /// What is known of a cell on the ranks that are here.
    pub fn load(&mut self, state: &mut State, key: Key) -> Value {
        if let Some(value) = state.memory.get(&key) {
            return value.clone();
        }
        if let (cell, Some(_)) = key
            && let Some(whole) = state.memory.get(&(cell, None))
        {
            // An element of an array of which only this is known: that all ranks have the same, or not.
            return if let Some(Sym::Int(_)) = whole.uniform(&state.mask) {
                whole.clone()
            } else if whole.uniform(&state.mask).is_some() {
                self.fresh()
            } else {
                Value::unknown(self.ranks)
            };
        }
        if self.known.varying.cells.contains(key.0 as usize) {
            return Value::unknown(self.ranks);
        }
        let value = self.fresh();
        let cell = &self.known.points_to.memory.cells[key.0 as usize];
        if !cell.is_many && state.is_full() {
            state.memory.insert(key, value.clone());
        }
        value
    }

    /// Stores something in a cell of which nothing is known but whether all ranks have the same there from now on.
    pub fn spoil(&mut self, state: &mut State, cell: u32, is_same: bool) {
        state.forget(cell);
        let value = if is_same && state.is_full() {
            self.fresh()
        } else {
            Value::unknown(self.ranks)
        };
        state.memory.insert((cell, None), value);
    }
}
