//! Facts about variables that need the whole unit: whose address is taken, what is assigned.
//!
//! When unsure: taken, and assigned.

use super::model::{
    Assembly, Expression, ExpressionKind, FunctionId, ScopeId, StatementKind, Storage, Symbol,
    SymbolId, SymbolKind, UnaryOperator, Unit,
};
use super::types::{TypeId, TypeKind};
use crate::source::{TokenKind, tokens};
use cccp_grammar::openmp::DirectiveName;
use std::collections::HashMap;

/// Fills in the facts of all symbols of a unit.
pub(super) fn complete(unit: &mut Unit) {
    for symbol in threadprivate(unit) {
        unit.symbols[symbol.0].per_thread = true;
    }
    let mut facts = Facts {
        taken: Vec::new(),
        assigned: Vec::new(),
    };
    for extent in &unit.type_extents {
        extent.walk(&mut |expression| facts.expression(unit, expression));
    }
    for function in &unit.functions {
        function
            .body
            .walk_expressions(&mut |expression| facts.expression(unit, expression));
        function.body.walk(&mut |statement| {
            if let StatementKind::Assembly(assembly) = &statement.kind {
                facts.assembly(unit, assembly);
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
    for symbol in initialised_by_changing_names(unit) {
        let initialiser = &mut unit.symbols[symbol.0].initialiser;
        if let Some(initialiser) = initialiser {
            initialiser.changes = true;
        }
    }
}

/// The locals with an initialiser in which a name stands that is declared anew further on in their scope.
fn initialised_by_changing_names(unit: &Unit) -> Vec<SymbolId> {
    let mut declared: HashMap<&str, Vec<(ScopeId, usize)>> = HashMap::new();
    let names = unit.symbols.iter();
    let names = names.map(|one| (one.name.as_str(), one.scope, one.visible_from));
    let records = unit.records.iter();
    let records =
        records.filter_map(|one| Some((one.tag.as_deref()?, one.scope, one.declared.start)));
    // Of an enum nobody knows where it is declared.
    let enums = unit.enumerations.iter();
    let enums = enums.filter_map(|one| Some((one.tag.as_deref()?, one.scope, usize::MAX)));
    for (name, scope, from) in names.chain(records).chain(enums) {
        if unit.scopes[scope.0].parent.is_some() {
            declared.entry(name).or_default().push((scope, from));
        }
    }
    let parent = |scope: &ScopeId| unit.scopes[scope.0].parent;
    let changes = |of: &Symbol| {
        let Some(initialiser) = of.initialiser.as_ref().filter(|_| of.function.is_some()) else {
            return false;
        };
        let text = unit.file.preprocessed_text(initialiser.span);
        let words = tokens(text.as_bytes()).into_iter();
        let mut words = words.filter(|one| one.kind == TokenKind::Word);
        words.any(|word| {
            let others = declared.get(&text[word.start..word.end]);
            others.into_iter().flatten().any(|&(scope, from)| {
                let mut around = std::iter::successors(Some(scope), parent);
                from > initialiser.span.start && around.any(|scope| scope == of.scope)
            })
        })
    };
    let symbols = unit.symbols.iter().enumerate();
    let found = symbols.filter(|(_, symbol)| changes(symbol));
    found.map(|(number, _)| SymbolId(number)).collect()
}

/// The variables that `#pragma omp threadprivate` names: those that can be seen there.
fn threadprivate(unit: &Unit) -> Vec<SymbolId> {
    let mut found = Vec::new();
    let all = unit.openmp.iter();
    for pragma in all.filter(|one| one.has(&DirectiveName::Threadprivate)) {
        let offset = pragma.span.start;
        let mut functions = unit.functions.iter().enumerate();
        let function = functions
            .find(|(_, one)| one.span.has(offset))
            .map(|(number, _)| FunctionId(number));
        let names = pragma
            .arguments
            .iter()
            .filter_map(|one| one.variable.as_ref());
        for name in names {
            let mut symbols = unit.symbols.iter().enumerate().filter(|(_, one)| {
                one.name == name.text
                    && one.kind == SymbolKind::Variable
                    && one.visible_from <= offset
                    && (one.function == function || one.function.is_none())
                    && matches!(one.storage, Storage::Static | Storage::External)
            });
            found.extend(symbols.next_back().map(|(number, _)| SymbolId(number)));
        }
    }
    found
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
    fn assembly(&mut self, unit: &Unit, assembly: &Assembly) {
        for operand in &assembly.operands {
            let base = base(unit, &operand.value);
            if operand.in_memory() {
                self.taken.extend(base);
            }
            if operand.in_memory() || operand.is_output() {
                self.assigned.extend(base);
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
    /// Whether the file mentions one of these names.
    pub fn mentions(&self, names: &[&str]) -> bool {
        let mut symbols = self.symbols.iter();
        symbols.any(|one| names.contains(&one.name.as_str()))
    }

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

    /// Whether a value, or the elements of an array of any dimensions, cannot be changed.
    pub fn is_const_element(&self, ty: TypeId) -> bool {
        let mut ty = ty;
        while let TypeKind::Array { element, .. } = self.kind(ty) {
            ty = *element;
        }
        self.ty(ty).qualifiers.is_const
    }

    /// The function definition with a number.
    pub fn function(&self, id: FunctionId) -> &super::model::Function {
        &self.functions[id.0]
    }
}
