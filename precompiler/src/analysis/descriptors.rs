//! Which variables and members hold descriptors of open files.
//!
//! In: all files, and the catalogue, which says what opens. Out: the ints that get what `open`, `dup` and the like give,
//! directly, through functions of the program that return it, through other such ints, as an argument. Members count by
//! their names. When unsure an int is a number.

use std::collections::BTreeSet;

use crate::catalog::{Catalogue, Role};
use crate::program::{
    Declaration, Designator, Expression, ExpressionKind, ForStart, Initialiser, InitialiserList,
    IntegerKind, Program, Statement, StatementKind, Storage, SymbolId, TypeId, TypeKind, Unit,
};

/// What holds descriptors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Descriptors {
    variables: BTreeSet<(usize, SymbolId)>,
    globals: BTreeSet<String>,
    members: BTreeSet<String>,
    openers: BTreeSet<String>,
}

struct Search<'a> {
    program: &'a Program,
    catalogue: &'a Catalogue,
    unit: usize,
    known: Descriptors,
    more: bool,
}

impl Descriptors {
    /// Finds them.
    pub fn of(program: &Program, catalogue: &Catalogue) -> Descriptors {
        let mut search = Search {
            program,
            catalogue,
            unit: 0,
            known: Descriptors::default(),
            more: true,
        };
        while std::mem::take(&mut search.more) {
            for number in 0..program.units.len() {
                search.unit = number;
                search.file(&program.units[number]);
            }
        }
        search.known
    }

    /// Whether a variable is one.
    pub fn has_variable(&self, unit: usize, symbol: SymbolId) -> bool {
        self.variables.contains(&(unit, symbol))
    }

    /// Whether members with this name are.
    pub fn has_member(&self, name: &str) -> bool {
        self.members.contains(name)
    }
}

impl Search<'_> {
    fn file(&mut self, unit: &Unit) {
        for declaration in &unit.globals {
            self.declaration(unit, declaration);
        }
        for function in &unit.functions {
            function.body.walk(&mut |statement| {
                self.statement(unit, statement, &function.name);
                true
            });
            function
                .body
                .walk_expressions(&mut |one| self.expression(unit, one));
        }
    }

    fn statement(&mut self, unit: &Unit, statement: &Statement, function: &str) {
        match &statement.kind {
            StatementKind::Declaration(declaration)
            | StatementKind::For {
                start: ForStart::Declaration(declaration),
                ..
            } => self.declaration(unit, declaration),
            StatementKind::Return(Some(value)) if self.is_descriptor(unit, value) => {
                self.more |= self.known.openers.insert(function.to_string());
            }
            _ => {}
        }
    }

    fn declaration(&mut self, unit: &Unit, declaration: &Declaration) {
        for declarator in &declaration.declarators {
            match &declarator.initialiser {
                Some(Initialiser::Expression(value)) if self.is_descriptor(unit, value) => {
                    self.variable(unit, declarator.symbol);
                }
                Some(Initialiser::List(list)) => {
                    let ty = unit.symbols[declarator.symbol.0].ty;
                    self.list(unit, ty, list, Some(declarator.symbol));
                }
                _ => {}
            }
        }
    }

    /// Values in braces for an object of a type, which may be a variable.
    fn list(&mut self, unit: &Unit, ty: TypeId, list: &InitialiserList, whole: Option<SymbolId>) {
        let mut at = 0;
        for (number, item) in list.items.iter().enumerate() {
            let designated = list.designations.get(number).and_then(|one| one.first());
            let (part, name) = match unit.kind(ty) {
                TypeKind::Array { element, .. } => (*element, None),
                TypeKind::Record(record) => {
                    let members = unit.records[record.0]
                        .members
                        .as_deref()
                        .unwrap_or_default();
                    if let Some(Designator::Member(name)) = designated {
                        let found = members
                            .iter()
                            .position(|one| one.name.as_ref() == Some(name));
                        at = found.unwrap_or(at);
                    }
                    let Some(member) = members.get(at) else {
                        return;
                    };
                    at += 1;
                    (member.ty, member.name.as_ref())
                }
                _ => return,
            };
            match (item, name, whole) {
                (Initialiser::List(inner), _, _) => self.list(unit, part, inner, None),
                (Initialiser::Expression(value), ..) if !self.is_descriptor(unit, value) => {}
                (_, Some(name), _) => self.more |= self.known.members.insert(name.clone()),
                (_, None, Some(symbol)) => {
                    self.more |= self.known.variables.insert((self.unit, symbol));
                }
                _ => {}
            }
        }
    }

    fn expression(&mut self, unit: &Unit, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Assign {
                operator: None,
                target,
                value,
            } if self.is_descriptor(unit, value) => self.holder(unit, target),
            ExpressionKind::Call { callee, arguments } => {
                let Some(symbol) = callee.symbol() else {
                    return;
                };
                let name = &unit.symbols[symbol.0].name;
                for (index, argument) in arguments.iter().enumerate() {
                    if !self.is_descriptor(unit, argument) {
                        continue;
                    }
                    for (number, other) in self.program.units.iter().enumerate() {
                        let here = std::mem::replace(&mut self.unit, number);
                        for function in other.functions.iter().filter(|one| one.name == *name) {
                            if let Some(parameter) = function.parameters.get(index) {
                                self.variable(other, *parameter);
                            }
                        }
                        self.unit = here;
                    }
                }
            }
            _ => {}
        }
    }

    fn holder(&mut self, unit: &Unit, target: &Expression) {
        match &target.kind {
            ExpressionKind::Name {
                symbol: Some(symbol),
                ..
            } => self.variable(unit, *symbol),
            ExpressionKind::Member { name, .. } if is_int(unit, target) => {
                self.more |= self.known.members.insert(name.clone());
            }
            ExpressionKind::Index { array, .. } if is_int(unit, target) => {
                self.holder_of_array(array);
            }
            _ => {}
        }
    }

    fn holder_of_array(&mut self, array: &Expression) {
        match &array.kind {
            ExpressionKind::Name {
                symbol: Some(symbol),
                ..
            } => {
                self.more |= self.known.variables.insert((self.unit, *symbol));
            }
            ExpressionKind::Member { name, .. } => {
                self.more |= self.known.members.insert(name.clone());
            }
            _ => {}
        }
    }

    fn variable(&mut self, unit: &Unit, symbol: SymbolId) {
        let facts = &unit.symbols[symbol.0];
        if !matches!(unit.kind(facts.ty), TypeKind::Integer(IntegerKind::Int)) {
            return;
        }
        self.more |= self.known.variables.insert((self.unit, symbol));
        if facts.function.is_none() && facts.storage != Storage::Static {
            self.known.globals.insert(facts.name.clone());
        }
    }

    fn is_descriptor(&self, unit: &Unit, value: &Expression) -> bool {
        match &value.kind {
            ExpressionKind::Cast(inner) => self.is_descriptor(unit, inner),
            ExpressionKind::Assign {
                operator: None,
                value,
                ..
            } => self.is_descriptor(unit, value),
            ExpressionKind::Conditional {
                then, otherwise, ..
            } => {
                let then = then.as_ref();
                then.is_some_and(|then| self.is_descriptor(unit, then))
                    || self.is_descriptor(unit, otherwise)
            }
            ExpressionKind::Call { callee, .. } => {
                let ExpressionKind::Name { name, symbol } = &callee.kind else {
                    return false;
                };
                let own = symbol.is_some_and(|one| unit.symbols[one.0].definition.is_some());
                self.known.openers.contains(name)
                    || !own
                        && is_int(unit, value)
                        && self
                            .catalogue
                            .find(name)
                            .is_some_and(|function| function.is(Role::Opens))
            }
            ExpressionKind::Name {
                symbol: Some(symbol),
                name,
            } if is_int(unit, value) => {
                let facts = &unit.symbols[symbol.0];
                let global = facts.function.is_none() && facts.storage != Storage::Static;
                self.known.variables.contains(&(self.unit, *symbol))
                    || global && self.known.globals.contains(name)
            }
            ExpressionKind::Member { name, .. } if is_int(unit, value) => {
                self.known.members.contains(name)
            }
            _ => false,
        }
    }
}

fn is_int(unit: &Unit, value: &Expression) -> bool {
    matches!(unit.kind(value.ty), TypeKind::Integer(IntegerKind::Int))
}
