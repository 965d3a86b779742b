//! What is assumed of an unknown function for the sake of its declaration.
//!
//! A function that every file has from a header of the system belongs to a library: it can use what it is handed, and what code that we
//! do not see has been handed before, and does not know the names of the program. What any function takes as a pointer to constant
//! numbers or text it reads, and hands out again as a result or in a call back; it neither stores to it nor stores the pointer. What
//! comes behind a format as a pointer to numbers or text, like the arguments of `printf` and `scanf`, it reads and stores to.

use std::collections::{BTreeMap, BTreeSet};

use crate::program::{IntegerKind, Program, SymbolKind, TypeId, TypeKind, Unit};

/// An unknown function, as it is declared.
#[derive(Clone, Debug, Default)]
pub struct DeclaredFunction {
    /// It cannot name functions and variables of the program.
    pub is_of_library: bool,
    /// For each parameter: it is only read.
    only_reads: Vec<bool>,
    /// The last one before `...` is text.
    has_format: bool,
}

/// What a function does with a pointer that it is handed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// It reads the numbers or the text there.
    Reads,
    /// It reads them and stores to them.
    Fills,
    /// All that can be done.
    Anything,
}

impl DeclaredFunction {
    /// What it does with an argument of a type.
    pub fn takes(&self, parameter: usize, given: Option<(&Unit, TypeId)>) -> Use {
        if self.only_reads.get(parameter) == Some(&true) {
            return Use::Reads;
        }
        let is_behind = self.has_format && parameter >= self.only_reads.len();
        match given.filter(|_| is_behind) {
            Some((unit, ty)) if is_only_read(unit, ty) => Use::Reads,
            Some((unit, ty)) if numbers(unit, ty).is_some() => Use::Fills,
            _ => Use::Anything,
        }
    }
}

/// The unknown functions of these names; what no file declares can do anything.
pub fn declared_functions(
    program: &Program,
    names: &BTreeSet<String>,
) -> BTreeMap<String, DeclaredFunction> {
    let mut found: BTreeMap<String, DeclaredFunction> = BTreeMap::new();
    for unit in &program.units {
        let symbols = unit.scopes.iter().take(1).flat_map(|scope| &scope.symbols);
        for symbol in symbols.map(|id| &unit.symbols[id.0]) {
            if !names.contains(&symbol.name) {
                continue;
            }
            let is_of_library =
                symbol.kind == SymbolKind::Function && unit.file.is_system(symbol.declared.start);
            let (only_reads, has_format) = parameters(unit, symbol.ty);
            found
                .entry(symbol.name.clone())
                .and_modify(|known| {
                    known.is_of_library &= is_of_library;
                    known.has_format &= has_format && known.only_reads.len() == only_reads.len();
                    let both = known.only_reads.iter().zip(&only_reads);
                    known.only_reads = both.map(|(one, other)| *one && *other).collect();
                })
                .or_insert(DeclaredFunction {
                    is_of_library,
                    only_reads: only_reads.clone(),
                    has_format,
                });
        }
    }
    found
}

/// Which parameters are only read, and whether arguments behind them are those of a format.
fn parameters(unit: &Unit, function: TypeId) -> (Vec<bool>, bool) {
    let TypeKind::Function {
        parameters,
        prototype: true,
        variadic,
        ..
    } = unit.kind(function)
    else {
        return (Vec::new(), false);
    };
    let only_read = parameters.iter().map(|one| is_only_read(unit, *one));
    let last = parameters.last().and_then(|one| unit.pointee(*one));
    let is_text = last.is_some_and(|target| {
        matches!(unit.kind(target), TypeKind::Integer(IntegerKind::Char))
            && unit.ty(target).qualifiers.is_const
    });
    (only_read.collect(), *variadic && is_text)
}

/// Whether a type is that of a pointer to constant numbers or text.
pub(super) fn is_only_read(unit: &Unit, ty: TypeId) -> bool {
    numbers(unit, ty).is_some_and(|target| unit.is_const_element(target))
}

/// What a type of a pointer to numbers or text leads to.
fn numbers(unit: &Unit, ty: TypeId) -> Option<TypeId> {
    let TypeKind::Pointer(target) = unit.kind(ty) else {
        return None;
    };
    let mut element = *target;
    while let TypeKind::Array { element: inner, .. } = unit.kind(element) {
        element = *inner;
    }
    let is_number = matches!(
        unit.kind(element),
        TypeKind::Bool
            | TypeKind::Integer(_)
            | TypeKind::Float(_)
            | TypeKind::Complex(_)
            | TypeKind::ComplexInteger(_)
            | TypeKind::Enum(_)
    );
    is_number.then_some(*target)
}
