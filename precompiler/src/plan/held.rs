//! Locals of inner blocks that hold their values where a restart jumps into the block.
//!
//! In: items that are such locals at their own addresses. Out: names, for each label. Control has left the block since the
//! register was executed again, and for a compiler that ended the local: until the code behind the label names it, its place on
//! the stack is free for what only the way through the label uses, such as the result of the call there or the locals of a
//! function that is inlined into it. Naming it at the label keeps the place.

use super::builder::Builder;
use super::data::BlockKind;
use crate::program::SymbolId;

impl Builder<'_> {
    /// Names for all blocks behind whose label other code than the usual one runs.
    pub fn hold(&mut self) {
        let candidates: Vec<SymbolId> = (0..self.unit.symbols.len())
            .map(SymbolId)
            .filter(|&symbol| {
                let facts = self.symbol(symbol);
                facts.function == Some(self.key.function)
                    && facts.scope != self.function.scope
                    && self.is_automatic(symbol)
                    && self.is_registered_in_place(symbol)
            })
            .collect();
        for number in 1..=self.plan.blocks.len() {
            let site = self.sites[number - 1];
            let has_own_way = match self.plan.blocks[number - 1].kind {
                BlockKind::Call | BlockKind::Parallel => site.checkpoint,
                BlockKind::Execute | BlockKind::Region => !site.keep,
                _ => false,
            };
            if !has_own_way {
                continue;
            }
            let (scope, names_at) = site.label_names();
            let held = candidates.iter().filter(|&&symbol| {
                self.home(symbol, site.position) == self.parallel_at(site.position)
                    && self.picture.visible(symbol, scope, names_at)
            });
            self.plan.blocks[number - 1].held =
                held.map(|&one| self.symbol(one).name.clone()).collect();
        }
    }
}
