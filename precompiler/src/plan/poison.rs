//! For tests: what a restart fills with values that show, at each place where it ends.
//!
//! In: what holds nothing after it (`analysis`). Out: names, for each checkpoint and each call on the way to one. Filled is what
//! the code there can name: locals, statics and globals. Not filled is what has its value without a restart (constants), what
//! is no part of the state (each thread's own copies), what the end of a region reads though its text does not name it (`reduction`), and
//! what the way back itself still needs: arguments that are evaluated anew, and what blocks set.

use super::builder::Builder;
use super::data::BlockKind;
use crate::analysis::constants;
use crate::program::{Storage, SymbolId, SymbolKind, TypeId, TypeKind};
use crate::source::find_word;

impl Builder<'_> {
    /// Names for all blocks, when that is wanted.
    pub fn poison(&mut self) {
        let Some(spent) = &self.proven.spent else {
            return;
        };
        let candidates: Vec<SymbolId> = (0..self.unit.symbols.len())
            .map(SymbolId)
            .filter(|&symbol| self.can_be_poisoned(symbol))
            .collect();
        for number in 1..=self.plan.blocks.len() {
            let site = self.sites[number - 1];
            let kind = self.plan.blocks[number - 1].kind;
            let is_call = matches!(kind, BlockKind::Call | BlockKind::Parallel);
            if !site.checkpoint || site.keep {
                continue;
            }
            let (scope, names_at) = site.label_names();
            let chosen = candidates.iter().filter(|&&symbol| {
                spent.contains(self.unit_index, site.position, symbol)
                    && self.home(symbol, site.position) == self.parallel_at(site.position)
                    && self.picture.visible(symbol, scope, names_at)
                    && !(is_call && self.is_needed_on_the_way(symbol))
                    && !self.is_read_at_end(symbol, site.position)
            });
            let names: Vec<String> = chosen.map(|&one| self.symbol(one).name.clone()).collect();
            let block = &mut self.plan.blocks[number - 1];
            block.silence.retain(|name| !names.contains(name));
            block.poisoned = names;
        }
    }

    /// Whether values that show may stand in a variable, if nobody reads it.
    fn can_be_poisoned(&self, symbol: SymbolId) -> bool {
        let facts = self.symbol(symbol);
        let is_ours = match facts.function {
            Some(function) => function == self.key.function,
            None => facts.is_defined,
        };
        let has_value = match facts.storage {
            Storage::Register => true,
            Storage::Automatic => {
                constants::can_be_static(self.unit, symbol) || self.is_constant_local(symbol)
            }
            Storage::Static | Storage::External => false,
        };
        facts.kind == SymbolKind::Variable
            && is_ours
            && !has_value
            && !facts.per_thread
            && !facts.name.is_empty()
            && !self.is_const(facts.ty)
            && self.unit.is_complete(facts.ty)
            && !self.unit.is_variably_modified(facts.ty)
    }

    fn is_const(&self, mut ty: TypeId) -> bool {
        while let TypeKind::Array { element, .. } = self.unit.kind(ty) {
            ty = *element;
        }
        self.unit.ty(ty).qualifiers.is_const
    }

    fn is_needed_on_the_way(&self, symbol: SymbolId) -> bool {
        let name = &self.symbol(symbol).name;
        let mut texts = self.again_texts.iter();
        let mut executes = self.executes.values();
        self.symbol(symbol).parameter.is_some()
            || texts.any(|text| find_word(text, name).is_some())
            || executes.any(|(facts, _)| facts.sets.contains(&symbol))
    }
}
