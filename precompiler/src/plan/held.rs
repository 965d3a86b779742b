//! Locals of inner blocks that hold their values where a restart jumps into the block.
//!
//! In: items that are such locals at their own addresses. Out: names, for each label. Control has left the block since the
//! register was executed again, and for a compiler that ended the local: until the code behind the label names it, its place on
//! the stack is free for what only the way through the label uses, such as the result of the call there or the locals of a
//! function that is inlined into it. Naming it at the label keeps the place. Where its name is hidden at the label, a restart comes
//! there by way of a place where it is not: that of the register.

use super::builder::Builder;
use super::data::{BlockKind, BlockNumber};
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
            let there = candidates.iter().copied().filter(|&symbol| {
                self.home(symbol, site.position) == self.parallel_at(site.position)
                    && self.picture.exists(symbol, scope, names_at)
            });
            let (mut held, mut held_before) =
                (Vec::new(), Vec::<(BlockNumber, Vec<String>)>::new());
            for symbol in there {
                let name = self.symbol(symbol).name.clone();
                if self.picture.visible(symbol, scope, names_at) {
                    held.push(name);
                } else if let Some(register) = self.register_before(symbol, number) {
                    match held_before.iter_mut().find(|(at, _)| *at == register) {
                        Some((_, names)) => names.push(name),
                        None => held_before.push((register, vec![name])),
                    }
                }
            }
            let block = &mut self.plan.blocks[number - 1];
            (block.held, block.held_before) = (held, held_before);
        }
    }

    /// A register of a local to which the dispatch of a block can go, too. Inside a declaration that has to be executed, the label of
    /// that comes first, and it names what lives around it.
    fn register_before(&self, symbol: SymbolId, block: BlockNumber) -> Option<BlockNumber> {
        let wanted = &self.plan.blocks[block - 1];
        let mut registers = self.plan.blocks.iter().enumerate().filter(|(_, one)| {
            let is_beside = one.region == wanted.region && one.team == wanted.team;
            one.kind == BlockKind::Register && is_beside
        });
        registers
            .find(|(number, _)| {
                let position = self.sites[*number].position;
                self.registered_in_place(symbol).any(|at| at == position)
            })
            .map(|(number, _)| number + 1)
    }
}
