//! Declarations: lives that begin, extents that are evaluated, initialisers.

use super::lower::Lowerer;
use super::model::StepKind;
use crate::program::{
    Declaration, Declarator, ExpressionKind, Initialiser, Storage, SymbolKind, TypeKind,
};

impl<'a> Lowerer<'a, '_> {
    pub fn declaration(&mut self, declaration: &'a Declaration) {
        for extent in &declaration.extents {
            self.value(extent);
        }
        if declaration.is_typedef {
            return;
        }
        for declarator in &declaration.declarators {
            let symbol = &self.unit.symbols[declarator.symbol.0];
            let Some(variable) = self.variable(declarator.symbol) else {
                continue;
            };
            match symbol.storage {
                Storage::Automatic | Storage::Register if symbol.parameter.is_none() => {
                    self.push(StepKind::Begin(variable), declarator.span);
                    self.initialised(declarator);
                }
                Storage::Static if declarator.initialiser.is_some() => {
                    self.statics.push(declarator);
                }
                _ => {}
            }
        }
    }

    /// What the initialiser of a declarator stores.
    pub fn initialised(&mut self, declarator: &'a Declarator) {
        let symbol = &self.unit.symbols[declarator.symbol.0];
        let (Some(initialiser), Some(variable)) =
            (&declarator.initialiser, self.variable(declarator.symbol))
        else {
            return;
        };
        if symbol.kind != SymbolKind::Variable {
            return;
        }
        let place = self.whole(variable, symbol.ty);
        match initialiser {
            Initialiser::List(list) => self.list(place, list),
            Initialiser::Expression(value) => match self.kind(symbol.ty) {
                TypeKind::Record(_) => {
                    let from = self.aggregate(value);
                    self.copy(from, place, value.span);
                }
                TypeKind::Array { .. } => {
                    // A string; a compound literal is GNU's.
                    if !matches!(value.kind, ExpressionKind::Text) {
                        let from = self.place(value);
                        self.copy(from, place, value.span);
                    } else {
                        self.store(place, None, value.span);
                    }
                }
                _ => {
                    let stored = self.value(value);
                    self.store(place, Some(stored), declarator.span);
                }
            },
        }
    }
}
