//! What the engine finds: the states at checkpoints, blocks and calls, in terms of classes and of cells.

use std::collections::BTreeMap;

use super::model::DirectivePlace;
use super::running::{Running, Universe};
use super::state::State;
use crate::dataflow::steps::RoutineId;
use crate::source::Span;
use rustc_hash::FxHashMap;

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
    pub calls: FxHashMap<CallPlace, Vec<State>>,
}

/// The same in terms of classes.
#[derive(Default)]
pub(super) struct Seen {
    pub checkpoints: BTreeMap<DirectivePlace, Running>,
    pub blocks: BTreeMap<DirectivePlace, Running>,
    pub calls: Vec<(CallPlace, Running)>,
}

impl Seen {
    /// The same for every cell.
    pub fn told(self, universe: &Universe) -> Found {
        let all = |states: BTreeMap<DirectivePlace, Running>| {
            let states = states.into_iter();
            states
                .map(|(place, state)| (place, State::of(&state, universe)))
                .collect()
        };
        let mut calls: FxHashMap<CallPlace, Vec<State>> = FxHashMap::default();
        for (place, state) in self.calls {
            let here = calls.entry(place).or_default();
            here.push(State::of(&state, universe));
        }
        Found {
            checkpoints: all(self.checkpoints),
            blocks: all(self.blocks),
            calls,
        }
    }
}

/// Ways that meet at a place unite what is known there.
pub(super) fn keep(
    found: &mut BTreeMap<DirectivePlace, Running>,
    place: DirectivePlace,
    state: &Running,
) {
    match found.get_mut(&place) {
        Some(known) => {
            known.join(state);
        }
        None => {
            found.insert(place, state.clone());
        }
    }
}
