//! What is known by its text only, or stands in a directive: clauses, computed gotos.

use super::lower::Lowerer;
use super::model::{RegisteredItem, StepKind, VariableId};
use crate::program::{
    ClauseExpression, Construct, Directive, DirectiveId, ItemPlace, ScopeId, Statement,
    StatementKind, TypeId,
};
use crate::source::Span;

impl<'a> Lowerer<'a, '_> {
    /// A computed goto: whatever its text names.
    pub fn opaque(&mut self, statement: &'a Statement) {
        if let StatementKind::Assembly(assembly) = &statement.kind {
            return self.assembly(assembly, statement.span);
        }
        let file = &self.unit.file;
        let from = file.end_of_previous_token(statement.span.start);
        let text = file.preprocessed_text(Span::new(from, statement.span.end));
        let named = self.named_in(text, statement.scope, statement.span.start);
        let named = named
            .into_iter()
            .map(|(variable, ty)| self.whole(variable, ty))
            .collect();
        self.push(
            StepKind::Assembly {
                named,
                keeps_pointers: false,
            },
            statement.span,
        );
    }

    /// A directive of OpenMP that belongs to no statement: what its clauses evaluate, and what it may do to variables.
    pub fn alone(&mut self, statement: &'a Statement, construct: &'a Construct) {
        let (scope, at) = (statement.scope, statement.span.start);
        if construct.changes_variables() {
            let named = self.named_in(&construct.text, scope, at).into_iter();
            let named = named
                .map(|(variable, ty)| self.whole(variable, ty))
                .collect();
            let kind = StepKind::Assembly {
                named,
                keeps_pointers: false,
            };
            return self.push(kind, statement.span);
        }
        for text in construct.evaluated() {
            for (variable, ty) in self.named_in(&text.text, scope, at) {
                self.read_all(variable, ty, statement.span);
            }
        }
    }

    /// The variables that a text names, with their types.
    pub fn named_in(&self, text: &str, scope: ScopeId, offset: usize) -> Vec<(VariableId, TypeId)> {
        let mut found = Vec::new();
        let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        for word in words.filter(|word| !word.is_empty()) {
            if let Some(symbol) = self.unit.lookup(scope, word, offset)
                && let Some(variable) = self.variable(symbol)
                && !found.iter().any(|(known, _)| *known == variable)
            {
                found.push((variable, self.unit.symbols[symbol.0].ty));
            }
        }
        found
    }

    pub fn clauses(&mut self, id: DirectiveId) {
        let unit = self.unit;
        let one = &unit.directives[id.0];
        for clause in one.directive.expressions() {
            self.clause(id, Some(clause));
        }
        let Directive::Register { items } = &one.directive else {
            return;
        };
        for (index, item) in items.iter().enumerate() {
            if let Some(base) = &item.base {
                self.note_effects(base);
                let place = self.place(base);
                if item.kind == ItemPlace::BehindPointer {
                    self.load_place(place.clone(), base.ty, one.span);
                }
                // Each thread registers its own.
                let of_others = self.of_all_threads(&place);
                let places = [Some(place), of_others].into_iter().flatten();
                self.items.extend(places.map(|place| RegisteredItem {
                    directive: id,
                    index,
                    place,
                }));
            }
            self.clause(id, item.lower.as_ref());
            for extent in &item.extents {
                self.clause(id, extent.written.as_ref());
            }
        }
    }

    fn clause(&mut self, id: DirectiveId, clause: Option<&'a ClauseExpression>) {
        let Some(clause) = clause else { return };
        if let Some(expression) = clause.expression.as_deref().or(clause.meant.as_deref()) {
            self.note_effects(expression);
            self.value(expression);
            return;
        }
        // Only the compiler can tell what it means; whatever it names is read.
        let directive = &self.unit.directives[id.0];
        let (scope, span) = (directive.scope, directive.span);
        let expanded = self.unit.file.expanded(&clause.text, span.start);
        for text in [Some(clause.text.clone()), expanded].into_iter().flatten() {
            for (variable, ty) in self.named_in(&text, scope, span.start) {
                self.read_all(variable, ty, span);
            }
        }
    }

    /// Reads a variable as a whole.
    pub fn read_all(&mut self, variable: VariableId, ty: TypeId, span: Span) {
        let place = self.whole(variable, ty);
        let into = self.fresh(ty);
        self.push(StepKind::Read { place, into }, span);
    }
}
