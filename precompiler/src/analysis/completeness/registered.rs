//! What the register of an item does to states, in terms of classes.
//!
//! Not here: which cells these are ([`cover`](super::cover)).

use super::running::{Part, Running};

/// Cells that are there whenever the program runs, and those of the heap, which count as far as they may exist.
pub(super) struct Existing {
    pub always: Part,
    pub born: Part,
}

/// What the register of an item covers.
pub(super) struct Registered {
    pub sure: Existing,
    /// And what it may cover.
    pub all: Existing,
    /// Shadows of the pointers behind which it brings everything.
    pub brought: Part,
    pub followed: Part,
    /// What items of other names do not cover, bring or follow.
    pub only: Existing,
    pub only_brought: Part,
    pub only_followed: Part,
}

impl Registered {
    /// The directive is executed.
    pub fn begin(&self, state: &mut Running) {
        let (sure, all) = (state.born(&self.sure.born), state.born(&self.all.born));
        state.cover(&self.sure.always);
        state.cover(&sure);
        state.may_cover(&self.all.always);
        state.may_cover(&all);
        state.cover(&self.brought);
        state.follow(&self.followed);
    }

    /// Another register replaces it.
    pub fn end(&self, state: &mut Running) {
        let only = state.born(&self.only.born);
        state.uncover(&self.only.always);
        state.uncover(&only);
        state.uncover(&self.only_brought);
        state.loosen(&self.only_followed);
    }
}
