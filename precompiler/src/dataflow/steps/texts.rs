//! What is known by its text only, or stands in a directive: clauses, inline assembly, computed gotos.

use super::lower::Lowerer;
use super::model::{RegisteredItem, StepKind, VariableId};
use crate::program::{
    ClauseExpression, Directive, DirectiveId, ItemPlace, ScopeId, Statement, Storage, SymbolId,
    TypeId,
};
use crate::source::Span;

/// Instructions that only put accesses into an order, or do nothing.
const HARMLESS: [&str; 9] = [
    "mfence", "lfence", "sfence", "pause", "nop", "dmb", "dsb", "isb", "yield",
];

impl<'a> Lowerer<'a, '_> {
    /// Inline assembly and computed gotos: whatever their text names; all that the file can name when it says that it
    /// changes memory.
    pub fn opaque(&mut self, statement: &'a Statement) {
        let file = &self.unit.file;
        let from = file.end_of_previous_token(statement.span.start);
        let text = file.preprocessed_text(Span::new(from, statement.span.end));
        let mut named = self.named_in(text, statement.scope, statement.span.start);
        if changes_memory(text) {
            let symbols = (0..self.unit.symbols.len()).map(SymbolId);
            for symbol in symbols {
                let variable = self.variable(symbol);
                let facts = &self.unit.symbols[symbol.0];
                let lasts = !matches!(facts.storage, Storage::Automatic | Storage::Register);
                if let Some(variable) = variable.filter(|_| lasts)
                    && !named.iter().any(|(known, _)| *known == variable)
                {
                    named.push((variable, facts.ty));
                }
            }
        }
        let named = named
            .into_iter()
            .map(|(variable, ty)| self.whole(variable, ty))
            .collect();
        self.push(StepKind::Assembly { named }, statement.span);
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
        match &one.directive {
            Directive::Init { communicator } => self.clause(id, communicator.as_ref()),
            Directive::Checkpoint {
                every, condition, ..
            } => {
                self.clause(id, every.as_ref());
                self.clause(id, condition.as_ref());
            }
            Directive::Register { items } => {
                for (index, item) in items.iter().enumerate() {
                    if let Some(base) = &item.base {
                        self.note_effects(base);
                        let place = self.place(base);
                        if item.kind == ItemPlace::BehindPointer {
                            self.load_place(place.clone(), base.ty, one.span);
                        }
                        self.items.push(RegisteredItem {
                            directive: id,
                            index,
                            place,
                        });
                    }
                    self.clause(id, item.lower.as_ref());
                    for extent in &item.extents {
                        self.clause(id, extent.written.as_ref());
                    }
                }
            }
            _ => {}
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

/// Whether assembly says that it changes memory that it does not name, and does more than to put accesses into an order.
fn changes_memory(text: &str) -> bool {
    let (mut template, mut clobbers, mut colons) = (String::new(), Vec::new(), 0);
    let mut rest = text;
    while let Some(at) = rest.find(['"', ':']) {
        let found = rest.as_bytes()[at];
        rest = &rest[at + 1..];
        if found == b':' {
            colons += 1;
            continue;
        }
        let quoted = |(at, _): &(usize, &str)| !rest[..*at].ends_with('\\');
        let end = rest.match_indices('"').find(quoted);
        let end = end.map_or(rest.len(), |(at, _)| at);
        match colons {
            0 => template.push_str(&rest[..end]),
            3 => clobbers.push(&rest[..end]),
            _ => {}
        }
        rest = rest.get(end + 1..).unwrap_or("");
    }
    let mut lines = template
        .split([';', '\n'])
        .flat_map(|line| line.split("\\n"));
    let is_harmless = |line: &str| {
        let mut words = line.split_whitespace().map(|word| word.trim_matches('\\'));
        let first = words.find(|word| !word.is_empty() && *word != "t" && *word != "lock");
        first.is_none_or(|word| HARMLESS.contains(&word))
    };
    clobbers.contains(&"memory") && !lines.all(is_harmless)
}

#[cfg(test)]
mod tests {
    use super::changes_memory;

    #[test]
    fn a_barrier_changes_nothing() {
        assert!(!changes_memory(r#"asm volatile ("" ::: "memory")"#));
        assert!(!changes_memory(
            r#"asm volatile ("mfence\n\t" : : : "cc", "memory")"#
        ));
        assert!(!changes_memory(
            r#"asm ("mov %0, %1" : "=r"(x) : "m"(memory))"#
        ));
        assert!(changes_memory(
            r#"asm volatile ("rep stosb" : "+D"(p) : "a"(0) : "memory")"#
        ));
        assert!(changes_memory(r#"asm ("call f" ::: "memory", "rax")"#));
    }
}
