//! Facts about variables that need the whole unit: whose address is taken, what is assigned.
//!
//! When unsure: taken, and assigned.

use super::model::{
    Expression, ExpressionKind, FunctionId, ScopeId, Statement, StatementKind, SymbolId,
    SymbolKind, UnaryOperator, Unit,
};
use super::types::TypeKind;
use crate::source::Span;

/// Fills in the facts of all symbols of a unit.
pub(super) fn complete(unit: &mut Unit) {
    let mut facts = Facts {
        taken: Vec::new(),
        assigned: Vec::new(),
    };
    for function in &unit.functions {
        function
            .body
            .walk_expressions(&mut |expression| facts.expression(unit, expression));
        function.body.walk(&mut |statement| {
            if matches!(statement.kind, StatementKind::Assembly) {
                facts.assembly(unit, statement);
            }
            for value in statement.expressions() {
                facts.whole(unit, value);
            }
            true
        });
    }
    for (index, symbol) in unit.symbols.iter().enumerate() {
        if symbol.kind == SymbolKind::Variable
            && matches!(unit.kind(symbol.ty), TypeKind::Array { .. })
        {
            facts.taken.push(SymbolId(index));
        }
    }
    for symbol in facts.taken {
        unit.symbols[symbol.0].address_taken = true;
    }
    for symbol in facts.assigned {
        unit.symbols[symbol.0].assigned_after_declaration = true;
    }
}

struct Facts {
    taken: Vec<SymbolId>,
    assigned: Vec<SymbolId>,
}

impl Facts {
    fn expression(&mut self, unit: &Unit, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Unary(UnaryOperator::Address, operand) => {
                if let Some(symbol) = base(unit, operand) {
                    self.taken.push(symbol);
                    self.assigned.push(symbol);
                }
            }
            ExpressionKind::Assign { target, .. } => self.assigned.extend(base(unit, target)),
            ExpressionKind::Step(_, target) => self.assigned.extend(base(unit, target)),
            _ => {}
        }
        // An array that decays hands its address out; one that is only indexed does not.
        for inner in decaying(unit, expression) {
            self.decays(unit, inner);
        }
    }

    /// An expression that is no part of another one: an initialiser, what is returned.
    fn whole(&mut self, unit: &Unit, expression: &Expression) {
        if matches!(unit.kind(expression.ty), TypeKind::Array { .. }) {
            self.decays(unit, expression);
        }
    }

    fn decays(&mut self, unit: &Unit, array: &Expression) {
        if let Some(symbol) = base(unit, array) {
            self.taken.push(symbol);
            if !is_const_array(unit, array) {
                self.assigned.push(symbol);
            }
        }
    }

    /// Every variable that the text of an `asm` names may be changed by it.
    fn assembly(&mut self, unit: &Unit, statement: &Statement) {
        let from = unit.file.end_of_previous_token(statement.span.start);
        let text = unit
            .file
            .preprocessed_text(Span::new(from, statement.span.end));
        for word in text
            .split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .filter(|word| !word.is_empty())
        {
            if let Some(symbol) = unit.lookup(statement.scope, word, statement.span.start) {
                self.taken.push(symbol);
                self.assigned.push(symbol);
            }
        }
    }
}

/// The operands of an expression that are arrays and turn into pointers.
fn decaying<'a>(unit: &Unit, expression: &'a Expression) -> Vec<&'a Expression> {
    let is_array = |inner: &&Expression| matches!(unit.kind(inner.ty), TypeKind::Array { .. });
    match &expression.kind {
        // Indexing hands nothing out; when the result is an array again, it decays further up.
        ExpressionKind::Index { index, .. } => std::iter::once(&**index).filter(is_array).collect(),
        ExpressionKind::Member {
            through_pointer: false,
            ..
        }
        | ExpressionKind::Unary(UnaryOperator::Address, _) => Vec::new(),
        _ => expression.children().into_iter().filter(is_array).collect(),
    }
}

fn is_const_array(unit: &Unit, expression: &Expression) -> bool {
    let mut ty = expression.ty;
    while let TypeKind::Array { element, .. } = unit.kind(ty) {
        ty = *element;
    }
    unit.ty(ty).qualifiers.is_const
}

/// The variable whose memory an lvalue is a part of.
pub fn base(unit: &Unit, expression: &Expression) -> Option<SymbolId> {
    match &expression.kind {
        ExpressionKind::Name { symbol, .. } => {
            symbol.filter(|symbol| unit.symbols[symbol.0].kind == SymbolKind::Variable)
        }
        ExpressionKind::Member {
            value,
            through_pointer: false,
            ..
        } => base(unit, value),
        ExpressionKind::Index { array, .. }
            if matches!(unit.kind(array.ty), TypeKind::Array { .. }) =>
        {
            base(unit, array)
        }
        ExpressionKind::Cast(value) => base(unit, value),
        ExpressionKind::Conditional {
            then: Some(then), ..
        } => base(unit, then),
        ExpressionKind::Comma(values) => values.last().and_then(|value| base(unit, value)),
        _ => None,
    }
}

impl Unit {
    /// What a name stands for in a scope at an offset of the preprocessed text.
    pub fn lookup(&self, scope: ScopeId, name: &str, offset: usize) -> Option<SymbolId> {
        let mut scope = Some(scope);
        while let Some(id) = scope {
            let here = &self.scopes[id.0];
            let found = here.symbols.iter().rev().find(|symbol| {
                let symbol = &self.symbols[symbol.0];
                symbol.name == name && (symbol.visible_from <= offset || symbol.parameter.is_some())
            });
            if let Some(symbol) = found {
                return Some(*symbol);
            }
            scope = here.parent;
        }
        None
    }

    /// The function definition with a number.
    pub fn function(&self, id: FunctionId) -> &super::model::Function {
        &self.functions[id.0]
    }
}
