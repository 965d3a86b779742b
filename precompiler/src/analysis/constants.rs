//! Locals that keep their value on restart although nobody registers them (S26): initialised by a constant expression or
//! a fixed address, and never changed.

use crate::dataflow::steps::Variable;
use crate::program::{
    Declaration, Declarator, Directive, Expression, ExpressionKind, ForStart, Function,
    Initialiser, Program, ScopeId, Statement, StatementKind, Storage, Symbol, SymbolId, SymbolKind,
    TypeKind, UnaryOperator, Unit,
};

/// Whether it is an object of the whole run that C allows nobody to change, whatever pointers seem to lead there.
pub fn is_read_only(program: &Program, variable: &Variable) -> bool {
    let is_local = matches!(variable.storage, Storage::Automatic | Storage::Register);
    let unit = &program.units[variable.ty.unit];
    !is_local && unit.is_const_element(variable.ty.id)
}

/// Whether a symbol is a local with automatic storage.
pub fn is_automatic(symbol: &Symbol) -> bool {
    symbol.kind == SymbolKind::Variable
        && symbol.function.is_some()
        && matches!(symbol.storage, Storage::Automatic | Storage::Register)
}

/// A parameter that keeps the value it was called with.
pub fn is_steady_parameter(symbol: &Symbol) -> bool {
    symbol.parameter.is_some() && symbol.function.is_some() && !symbol.assigned_after_declaration
}

/// Whether an initialiser always gives the same address.
fn is_fixed_address(unit: &Unit, value: &Expression) -> bool {
    match &value.kind {
        ExpressionKind::Cast(inner) => is_fixed_address(unit, inner),
        ExpressionKind::Unary(UnaryOperator::Address, target) => is_fixed_object(unit, target),
        _ => matches!(unit.kind(value.ty), TypeKind::Array { .. }) && is_fixed_object(unit, value),
    }
}

/// A named object or a part of it that is found without looking at a variable.
pub fn is_fixed_object(unit: &Unit, value: &Expression) -> bool {
    match &value.kind {
        ExpressionKind::Name {
            symbol: Some(symbol),
            ..
        } => {
            let symbol = &unit.symbols[symbol.0];
            // An array parameter is a pointer.
            symbol.parameter.is_none()
                || !matches!(unit.kind(value.ty), TypeKind::Pointer(_))
                || is_steady_parameter(symbol)
        }
        ExpressionKind::Member {
            value,
            through_pointer: false,
            ..
        } => is_fixed_object(unit, value),
        ExpressionKind::Index { array, index } => {
            matches!(unit.kind(array.ty), TypeKind::Array { .. })
                && is_fixed_object(unit, array)
                && matches!(index.kind, ExpressionKind::Number(_))
        }
        _ => false,
    }
}

/// The declaration of a statement; whether it stands in the head of a `for`.
fn declaration_of(statement: &Statement) -> Option<(&Declaration, bool)> {
    match &statement.kind {
        StatementKind::Declaration(declaration) => Some((declaration, false)),
        StatementKind::For {
            start: ForStart::Declaration(declaration),
            ..
        } => Some((declaration, true)),
        _ => None,
    }
}

/// The declarator that declares a symbol.
pub fn declarator_in(
    statement: &Statement,
    symbol: SymbolId,
) -> Option<(&Declaration, &Declarator)> {
    let (declaration, _) = declaration_of(statement)?;
    let declarators = &mut declaration.declarators.iter();
    let found = declarators.find(|one| one.symbol == symbol)?;
    Some((declaration, found))
}

/// Whether a local never changes after a constant initialiser, or one that is a fixed address: the one of
/// `declarator`.
pub fn is_constant_local(unit: &Unit, symbol: SymbolId, declarator: Option<&Declarator>) -> bool {
    let facts = &unit.symbols[symbol.0];
    if !is_automatic(facts) || facts.parameter.is_some() || facts.assigned_after_declaration {
        return false;
    }
    if says_what_changes(facts) {
        return can_be_static(unit, symbol);
    }
    if is_constant(facts) {
        return true;
    }
    declarator.is_some_and(|declarator| {
        matches!(&declarator.initialiser, Some(Initialiser::Expression(value))
            if matches!(unit.kind(facts.ty), TypeKind::Pointer(_)) && is_fixed_address(unit, value))
    })
}

/// A local with a constant initialiser that can become `static`.
pub fn can_be_static(unit: &Unit, symbol: SymbolId) -> bool {
    let facts = &unit.symbols[symbol.0];
    let big = matches!(
        unit.kind(facts.ty),
        TypeKind::Array { .. } | TypeKind::Record(_)
    );
    is_automatic(facts)
        && facts.storage == Storage::Automatic
        && facts.parameter.is_none()
        && !facts.assigned_after_declaration
        && is_constant(facts)
        && (big
            || unit.ty(facts.ty).qualifiers.is_const
            || is_hidden_somewhere(unit, symbol)
            || says_what_changes(facts))
}

/// Whether a local is initialised by a constant.
fn is_constant(facts: &Symbol) -> bool {
    facts.initialiser.as_ref().is_some_and(|one| one.constant)
}

/// Whether the text of its initialiser is another value further on: there it cannot be set again.
pub fn says_what_changes(facts: &Symbol) -> bool {
    facts.initialiser.as_ref().is_some_and(|one| one.changes)
}

/// Whether something of the same name is declared inside its scope: there it cannot be named, and so not be set.
pub fn is_hidden_somewhere(unit: &Unit, symbol: SymbolId) -> bool {
    let facts = &unit.symbols[symbol.0];
    let parent = |scope: &ScopeId| unit.scopes[scope.0].parent;
    unit.symbols.iter().any(|other| {
        other.name == facts.name
            && other.scope != facts.scope
            && std::iter::successors(Some(other.scope), parent).any(|scope| scope == facts.scope)
    })
}

/// Whether a restart gives a local of a function its constant again.
pub fn is_set_again(unit: &Unit, function: &Function, symbol: SymbolId) -> bool {
    let mut answer = false;
    function.body.walk(&mut |statement| {
        if let Some((declaration, declarator)) = declarator_in(statement, symbol)
            && !declaration.variably_modified
            && is_constant_local(unit, symbol, Some(declarator))
        {
            let in_head = declaration_of(statement).is_some_and(|(_, in_head)| in_head);
            let scalar = !matches!(
                unit.kind(unit.symbols[symbol.0].ty),
                TypeKind::Array { .. } | TypeKind::Record(_)
            );
            let single = matches!(declarator.initialiser, Some(Initialiser::Expression(_)));
            let others = &mut declaration.declarators.iter().map(|one| one.symbol);
            let can_be_said =
                !is_hidden_somewhere(unit, symbol) && !says_what_changes(&unit.symbols[symbol.0]);
            answer = scalar && single && can_be_said
                || !in_head
                    && others.all(|one| can_be_static(unit, one) && !is_registered(unit, one));
        }
        true
    });
    answer
}

fn is_registered(unit: &Unit, symbol: SymbolId) -> bool {
    unit.directives.iter().any(|one| match &one.directive {
        Directive::Register { items } => items.iter().any(|item| item.symbol == symbol),
        _ => false,
    })
}
