//! How live locations get their values on restart, those that do.

use super::cover::is_heap;
use super::decide::Deciding;
use super::model::How;
use super::seen::Seen;
use crate::analysis::constants::is_set_again;
use crate::analysis::liveness::CheckpointLive;
use crate::dataflow::steps::{Variable, VariableKind};

impl Deciding<'_> {
    /// What brings it back.
    pub(super) fn how(&self, one: &Seen, live: &CheckpointLive) -> How {
        let index = one.cell.0 as usize;
        let covering = self.covers.all.iter().find(|cover| {
            let here = cover.named.contains(&index) || cover.behind.contains(&index);
            here && one.states.iter().any(|state| state.kept.contains(index))
        });
        if let Some(cover) = covering {
            return How::Registered(cover.item);
        }
        if let Some(block) = self.places.block_that_writes(one.cell) {
            return How::ReExecuted(block);
        }
        match self.variable(one.cell) {
            None if self.is_fixed(one.cell) => How::FixedHeap,
            None if is_heap(self.memory(), index) => How::RebuiltBeforeInit,
            None => How::Library,
            Some(variable) if !variable.is_of_program(self.program, self.catalogue) => How::Library,
            Some(variable) if self.is_constant(variable) => How::Constant,
            Some(variable) => {
                let changed = one.states.iter().any(|state| state.changed.contains(index));
                match variable.kind {
                    VariableKind::Parameter(_) if !changed => How::Parameter,
                    _ if changed && self.is_set_up(one) => How::SetUp,
                    _ if live.written_before.contains(index) => How::RebuiltBeforeInit,
                    _ => How::Unchanged,
                }
            }
        }
    }

    /// Whether the next call sets it up anew: nothing of its group may be registered.
    pub(super) fn is_set_up(&self, one: &Seen) -> bool {
        let mut groups = self.set_up.iter();
        let Some(group) = groups.find(|group| group.contains(&(one.cell.0 as usize))) else {
            return false;
        };
        let mut states = one.states.iter();
        states.all(|state| group.iter().all(|cell| !state.kept.contains(*cell)))
    }

    /// Whether it is a local that its declaration sets again.
    pub(super) fn is_constant(&self, variable: &Variable) -> bool {
        let (Some(owner), Some(symbol)) = (variable.owner, variable.symbol) else {
            return false;
        };
        self.known.is_constant((owner, symbol), || {
            let place = self.steps.routine(owner).function;
            let unit = &self.program.units[place.unit];
            is_set_again(unit, unit.function(place.function), symbol)
        })
    }
}
