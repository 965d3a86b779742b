//! Structs of which a library keeps to itself what is in them.
//!
//! In: the files of a program. Out: which incomplete structs are a library's ([`Record::is_opaque`](super::types::Record)): those of
//! system headers, and in a whole program those that no file defines and that something from outside may hand over. That is a
//! function or a variable that no file defines and the program names, with the struct in its type, however deep; what such a function is
//! called with; and what is called through a pointer, unless a function of the program of that type is handed around: then the pointer
//! leads to such functions. A table of functions that a library hands over is in the type of what hands it over. A struct that nothing
//! hands over is never made: pointers to it are null, or point to memory of the program.
//!
//! Errors fall on the side of libraries.

use std::collections::BTreeSet;

use super::expression::{Expression, ExpressionKind};
use super::model::{Program, Storage, SymbolKind, Unit};
use super::types::{TypeId, TypeKind};

impl Program {
    /// Structs that no file defines belong to libraries, as far as one may hand them over.
    pub(super) fn find_opaque(&mut self) {
        let records = self.units.iter().flat_map(|unit| &unit.records);
        let defined: BTreeSet<String> = records
            .filter(|record| record.members.is_some())
            .filter_map(|record| record.tag.clone())
            .collect();
        let from_outside = match self.is_whole {
            true => from_outside(self),
            false => BTreeSet::new(),
        };
        for unit in &mut self.units {
            for record in unit.records.iter_mut().filter(|one| one.members.is_none()) {
                let is_in = |tags: &BTreeSet<String>| {
                    let tag = record.tag.as_ref();
                    tag.is_none_or(|tag| tags.contains(tag))
                };
                let is_defined = record.tag.is_some() && is_in(&defined);
                let is_system = unit.file.is_system(record.declared.start);
                record.is_opaque = !is_defined && (is_system || is_in(&from_outside));
            }
        }
    }
}

/// The tags of structs that something from outside may hand over.
fn from_outside(program: &Program) -> BTreeSet<String> {
    let units = program.units.iter();
    let functions = units.clone().flat_map(|unit| &unit.functions);
    let own: BTreeSet<&str> = functions.map(|one| one.name.as_str()).collect();
    let handed = handed_around(program, &own);
    let mut tags = BTreeSet::new();
    for unit in units {
        let mut seen = BTreeSet::new();
        let leads_to_own = |callee: &Expression| {
            is_own(callee, &own)
                || is_pointer(unit, callee)
                    && spelt_function(unit, callee.ty).is_some_and(|ty| handed.contains(&ty))
        };
        let mut look = |expression: &Expression| match &expression.kind {
            ExpressionKind::Call { callee, arguments } if !leads_to_own(callee) => {
                collect(unit, callee.ty, &mut seen, &mut tags);
                // What lies behind an argument of the program's own type is not for a function that does not say so.
                tags.extend(arguments.iter().filter_map(|one| pointed(unit, one.ty)));
            }
            ExpressionKind::Name { name, symbol } => {
                let symbol = symbol.map(|symbol| &unit.symbols[symbol.0]);
                let is_outside = symbol.is_some_and(|one| match one.kind {
                    SymbolKind::Function => !own.contains(name.as_str()),
                    // Where it is defined is not looked up.
                    _ => one.storage == Storage::External,
                });
                if is_outside {
                    collect(unit, expression.ty, &mut seen, &mut tags);
                }
            }
            _ => {}
        };
        for function in &unit.functions {
            function.body.walk_expressions(&mut look);
        }
        for value in unit.globals.iter().flat_map(|one| one.expressions()) {
            value.walk(&mut look);
        }
    }
    tags
}

/// The types of the program's functions that it names without calling them there, as text that means the same in all files.
fn handed_around(program: &Program, own: &BTreeSet<&str>) -> BTreeSet<String> {
    let mut types = BTreeSet::new();
    for unit in &program.units {
        let mut called = BTreeSet::new();
        let mut look = |expression: &Expression| match &expression.kind {
            ExpressionKind::Call { callee, .. } => {
                called.insert(callee.span.start);
            }
            ExpressionKind::Name { name, .. }
                if own.contains(name.as_str()) && !called.contains(&expression.span.start) =>
            {
                types.extend(spelt_function(unit, expression.ty));
            }
            _ => {}
        };
        for function in &unit.functions {
            function.body.walk_expressions(&mut look);
        }
        for value in unit.globals.iter().flat_map(|one| one.expressions()) {
            value.walk(&mut look);
        }
    }
    types
}

/// What is called is no function of that name.
fn is_pointer(unit: &Unit, callee: &Expression) -> bool {
    match &callee.kind {
        ExpressionKind::Name { symbol, .. } => {
            symbol.is_some_and(|one| unit.symbols[one.0].kind != SymbolKind::Function)
        }
        _ => true,
    }
}

/// The type of a function that is called through an expression of a type.
fn spelt_function(unit: &Unit, ty: TypeId) -> Option<String> {
    match unit.kind(ty) {
        TypeKind::Pointer(target) => spelt_function(unit, *target),
        TypeKind::Function { .. } => unit.spell(ty, "").ok(),
        _ => None,
    }
}

/// A function of the program is called by its name.
fn is_own(callee: &Expression, own: &BTreeSet<&str>) -> bool {
    matches!(&callee.kind, ExpressionKind::Name { name, .. } if own.contains(name.as_str()))
}

/// The tag of the incomplete struct to which a pointer points, over however many pointers.
fn pointed(unit: &Unit, ty: TypeId) -> Option<String> {
    match unit.kind(ty) {
        TypeKind::Pointer(target) => pointed(unit, *target),
        TypeKind::Array { element, .. } => pointed(unit, *element),
        TypeKind::Record(record) => {
            let record = &unit.records[record.0];
            record.tag.clone().filter(|_| record.members.is_none())
        }
        _ => None,
    }
}

/// The tags of incomplete structs in a type.
fn collect(unit: &Unit, ty: TypeId, seen: &mut BTreeSet<TypeId>, tags: &mut BTreeSet<String>) {
    if !seen.insert(ty) {
        return;
    }
    match unit.kind(ty) {
        TypeKind::Pointer(target) => collect(unit, *target, seen, tags),
        TypeKind::Array { element, .. } => collect(unit, *element, seen, tags),
        TypeKind::Function {
            result, parameters, ..
        } => {
            collect(unit, *result, seen, tags);
            for one in parameters {
                collect(unit, *one, seen, tags);
            }
        }
        TypeKind::Record(record) => {
            let record = &unit.records[record.0];
            match &record.members {
                None => tags.extend(record.tag.clone()),
                Some(members) => {
                    for member in members {
                        collect(unit, member.ty, seen, tags);
                    }
                }
            }
        }
        _ => {}
    }
}
