//! The variables of a program: one for each symbol that is an object, and one in all units for what has a linkage in
//! common.

use std::collections::HashMap;

use super::model::{RoutineId, Steps, TextPlace, TypeRef, Variable, VariableId, VariableKind};
use crate::program::{FunctionId, Program, ScopeId, Storage, Symbol, SymbolId, SymbolKind, Unit};

/// Fills in `variables`, `symbols` and `first_routines`.
pub(super) fn collect(program: &Program, steps: &mut Steps) {
    let mut collector = Collector {
        steps,
        shared: HashMap::new(),
    };
    let mut first = 0;
    for (index, unit) in program.units.iter().enumerate() {
        collector.steps.first_routines.push(first);
        collector.unit(index, unit, first);
        first += unit.functions.len() as u32;
    }
}

struct Collector<'a> {
    steps: &'a mut Steps,
    /// Those with external linkage, by name.
    shared: HashMap<String, VariableId>,
}

impl Collector<'_> {
    fn unit(&mut self, index: usize, unit: &Unit, first: u32) {
        self.steps.symbols.push(vec![None; unit.symbols.len()]);
        for number in 0..unit.symbols.len() {
            let symbol = &unit.symbols[number];
            let is_left_out = symbol.function == Some(FunctionId::LEFT_OUT);
            if symbol.kind != SymbolKind::Variable
                || is_left_out
                || is_prototype_parameter(unit, number)
            {
                continue;
            }
            let owner = symbol
                .function
                .map(|function| RoutineId(first + function.0 as u32));
            let id = if has_linkage(symbol) {
                match self.file_static(index, unit, symbol) {
                    Some(known) => known,
                    None => self.external(index, unit, SymbolId(number)),
                }
            } else {
                let variable = Variable {
                    owner,
                    is_defined: true,
                    ..described(index, unit, SymbolId(number))
                };
                self.add(variable)
            };
            self.steps.symbols[index][number] = Some(id);
        }
    }

    /// `extern int x;` in a block means the `static int x` of the file, if there is one.
    fn file_static(&self, index: usize, unit: &Unit, symbol: &Symbol) -> Option<VariableId> {
        if symbol.scope == ScopeId(0) {
            return None;
        }
        let of_file = unit.scopes[0].symbols.iter().find(|id| {
            let one = &unit.symbols[id.0];
            one.name == symbol.name
                && one.kind == SymbolKind::Variable
                && one.storage == Storage::Static
        })?;
        self.steps.symbols[index][of_file.0]
    }

    fn external(&mut self, index: usize, unit: &Unit, id: SymbolId) -> VariableId {
        let symbol = &unit.symbols[id.0];
        let found = Variable {
            is_shared: true,
            is_defined: symbol.is_defined,
            ..described(index, unit, id)
        };
        match self.shared.get(&symbol.name).copied() {
            Some(known) => {
                let variable = &mut self.steps.variables[known.0 as usize];
                if symbol.is_defined && !variable.is_defined {
                    *variable = found;
                }
                known
            }
            None => {
                let known = self.add(found);
                self.shared.insert(symbol.name.clone(), known);
                known
            }
        }
    }

    fn add(&mut self, variable: Variable) -> VariableId {
        let id = VariableId(self.steps.variables.len() as u32);
        self.steps.variables.push(variable);
        id
    }
}

fn described(index: usize, unit: &Unit, id: SymbolId) -> Variable {
    let symbol = &unit.symbols[id.0];
    Variable {
        name: symbol.name.clone(),
        kind: match symbol.parameter {
            Some(position) => VariableKind::Parameter(position),
            None => VariableKind::Named,
        },
        ty: TypeRef {
            unit: index,
            id: symbol.ty,
        },
        symbol: Some(id),
        storage: symbol.storage,
        per_thread: symbol.per_thread,
        owner: None,
        is_shared: false,
        is_defined: false,
        is_set: false,
        declared: TextPlace {
            unit: index,
            span: symbol.declared,
        },
    }
}

/// Other units may mean the same by this name.
fn has_linkage(symbol: &Symbol) -> bool {
    symbol.storage == Storage::External
}

/// The name of a parameter where there is no function body.
fn is_prototype_parameter(unit: &Unit, number: usize) -> bool {
    let symbol = &unit.symbols[number];
    symbol.parameter.is_some()
        && symbol.function.is_none_or(|function| {
            !unit
                .function(function)
                .parameters
                .contains(&SymbolId(number))
        })
}
