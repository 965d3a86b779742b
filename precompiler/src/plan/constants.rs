//! Locals that are initialised by a constant and never change: they keep their value on restart.
//!
//! Where all of a declaration qualifies it becomes `static`; otherwise the variable is set again at every label in its
//! scope. The same is done for pointers that always point to one named object.

use super::builder::Builder;
use super::data::{BlockKind, Step};
use super::raw::RawEdit;
use crate::analysis::constants;
use crate::program::{Expression, ForStart, Initialiser, StatementKind, SymbolId};
use crate::source::{SourceRange, Span};

impl Builder<'_> {
    /// A named object or a part of it that is found without looking at a variable.
    pub fn is_fixed_object(&self, value: &Expression) -> bool {
        constants::is_fixed_object(self.unit, value)
    }

    /// Whether a local never changes after a constant initialiser (or one that is a fixed address).
    pub fn is_constant_local(&self, symbol: SymbolId) -> bool {
        let declarator = self.declarator_of(symbol).map(|(_, _, one)| one);
        constants::is_constant_local(self.unit, symbol, declarator)
    }

    /// Edits and label texts for them.
    pub fn constants(&mut self) {
        let targets: Vec<usize> = (1..=self.plan.blocks.len())
            .filter(|&number| self.plan.blocks[number - 1].kind != BlockKind::Init)
            .collect();
        let (mut statics, mut kept) = (Vec::new(), Vec::new());
        let mut again: Vec<(SymbolId, Span)> = Vec::new();
        for statement in &self.picture.statements {
            let (declaration, head) = match &statement.kind {
                StatementKind::Declaration(declaration) => (declaration, false),
                StatementKind::For {
                    start: ForStart::Declaration(declaration),
                    ..
                } => (declaration, true),
                _ => continue,
            };
            if declaration.is_typedef
                || declaration.declarators.is_empty()
                || declaration.variably_modified
            {
                continue;
            }
            let symbols: Vec<SymbolId> = declaration
                .declarators
                .iter()
                .map(|one| one.symbol)
                .collect();
            let used = symbols.iter().any(|&symbol| {
                targets.iter().any(|&number| {
                    let site = self.sites[number - 1];
                    let (scope, names_at) = site.label_names();
                    self.picture.exists(symbol, scope, names_at)
                })
            });
            if !used {
                continue;
            }
            let shadowed = symbols.iter().any(|&symbol| self.has_shadow(symbol));
            if !head
                && !shadowed
                && symbols
                    .iter()
                    .all(|&symbol| constants::can_be_static(self.unit, symbol))
            {
                statics.push((declaration.span, declaration.place));
                kept.extend(symbols);
                continue;
            }
            for declarator in &declaration.declarators {
                let Some(Initialiser::Expression(value)) = &declarator.initialiser else {
                    continue;
                };
                let symbol = declarator.symbol;
                let scalar = self.is_scalar(self.symbol(symbol).ty)
                    && !constants::says_what_changes(self.symbol(symbol));
                if scalar && self.is_constant_local(symbol) && !self.has_shadow(symbol) {
                    again.push((symbol, value.span));
                }
            }
        }
        for (span, place) in statics {
            let edit = RawEdit {
                span: Span::new(span.start, span.start),
                place: place.map(|place| SourceRange::new(place.start, place.start)),
                order: 3_000_000,
                steps: vec![Step::Text("static ".to_string())],
            };
            self.raw.push(edit);
        }
        for symbol in kept {
            let name = self.symbol(symbol).name.clone();
            for &number in &targets {
                let (scope, names_at) = self.sites[number - 1].label_names();
                if self.picture.visible(symbol, scope, names_at) {
                    let block = &mut self.plan.blocks[number - 1];
                    block.silence.retain(|other| *other != name);
                }
            }
        }
        for (symbol, span) in again {
            if self.unit.ty(self.symbol(symbol).ty).qualifiers.is_const {
                self.blank_const(symbol);
            }
            let text = self.render(span);
            let name = self.symbol(symbol).name.clone();
            // A copy that threads have of it begins as OpenMP says, a reduction's with another value.
            let declared = self.parallel_at(span.start);
            for &number in &targets {
                let site = self.sites[number - 1];
                let (scope, names_at) = site.label_names();
                let is_here = declared == self.parallel_at(site.position);
                if is_here && self.picture.visible(symbol, scope, names_at) {
                    let block = &mut self.plan.blocks[number - 1];
                    block.constants.push((name.clone(), text.clone()));
                    block.silence.retain(|other| *other != name);
                }
            }
        }
    }
}
