//! Who calls whom, across all files.

use std::collections::HashMap;

use crate::program::{
    Directive, Expression, ExpressionKind, Function, FunctionId, Program, Statement, SymbolId,
    SymbolKind, UnaryOperator, Unit,
};

/// A function definition in a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionRef {
    /// Index of the unit.
    pub unit: usize,
    /// The function in it.
    pub function: FunctionId,
}

/// What a call leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Callee {
    /// A function that is defined in the files given.
    Defined(FunctionRef),
    /// A function defined elsewhere.
    Named(String),
    /// Through a pointer.
    Pointer,
}

/// A call.
#[derive(Clone, Debug)]
pub struct CallSite {
    /// The function in which it stands.
    pub caller: FunctionRef,
    /// Its offset in the preprocessed text.
    pub place: usize,
    /// What it leads to.
    pub callee: Callee,
}

/// All calls of a program.
#[derive(Debug, Default)]
pub struct CallGraph {
    /// In the order of the text.
    pub sites: Vec<CallSite>,
    /// Functions whose address the program takes: a call through a pointer may lead to any of them.
    pub address_taken: Vec<FunctionRef>,
    definitions: HashMap<String, FunctionRef>,
}

impl CallGraph {
    /// The calls of a program.
    pub fn of(program: &Program) -> CallGraph {
        let mut graph = CallGraph::default();
        for (unit, one) in program.units.iter().enumerate() {
            for (index, function) in one.functions.iter().enumerate() {
                if !function.is_static {
                    let here = FunctionRef {
                        unit,
                        function: FunctionId(index),
                    };
                    graph
                        .definitions
                        .entry(function.name.clone())
                        .or_insert(here);
                }
            }
        }
        for (unit, one) in program.units.iter().enumerate() {
            for (index, function) in one.functions.iter().enumerate() {
                let caller = FunctionRef {
                    unit,
                    function: FunctionId(index),
                };
                graph.function(one, caller, function);
            }
            for global in &one.globals {
                for value in global.expressions() {
                    graph.addresses(one, unit, value);
                }
            }
        }
        graph.address_taken.sort();
        graph.address_taken.dedup();
        graph
    }

    /// What a name of a unit stands for when it is called.
    pub fn callee(&self, unit: &Unit, index: usize, symbol: SymbolId) -> Callee {
        let symbol = &unit.symbols[symbol.0];
        match (symbol.kind, symbol.definition) {
            (SymbolKind::Function, Some(function)) => Callee::Defined(FunctionRef {
                unit: index,
                function,
            }),
            (SymbolKind::Function, None) => self.definitions.get(&symbol.name).map_or_else(
                || Callee::Named(symbol.name.clone()),
                |found| Callee::Defined(*found),
            ),
            _ => Callee::Pointer,
        }
    }

    /// The definition of a function with external linkage.
    pub fn definition(&self, name: &str) -> Option<FunctionRef> {
        self.definitions.get(name).copied()
    }

    /// The functions that a call may lead to, as far as they are defined in the files given.
    pub fn targets(&self, callee: &Callee) -> Vec<FunctionRef> {
        match callee {
            Callee::Defined(function) => vec![*function],
            Callee::Named(_) => Vec::new(),
            Callee::Pointer => self.address_taken.clone(),
        }
    }

    fn function(&mut self, unit: &Unit, caller: FunctionRef, function: &Function) {
        let mut statements: Vec<&Statement> = Vec::new();
        function.body.walk(&mut |statement| {
            statements.push(statement);
            true
        });
        for statement in statements {
            for expression in statement.expressions() {
                self.calls(unit, caller, expression);
                self.addresses(unit, caller.unit, expression);
            }
        }
    }

    fn calls(&mut self, unit: &Unit, caller: FunctionRef, expression: &Expression) {
        expression.walk(&mut |inner| {
            if let ExpressionKind::Call { callee, .. } = &inner.kind {
                let callee = match called_name(callee) {
                    Some((_, Some(symbol))) => self.callee(unit, caller.unit, symbol),
                    Some((name, None)) => match self.definitions.get(name) {
                        Some(found) => Callee::Defined(*found),
                        None => Callee::Named(name.to_string()),
                    },
                    None => Callee::Pointer,
                };
                self.sites.push(CallSite {
                    caller,
                    place: inner.span.start,
                    callee,
                });
            }
        });
    }

    /// Functions that are named without being called.
    fn addresses(&mut self, unit: &Unit, index: usize, expression: &Expression) {
        let mut called: Vec<*const Expression> = Vec::new();
        let mut named = Vec::new();
        expression.walk(&mut |inner| {
            if let ExpressionKind::Call { callee, .. } = &inner.kind {
                called.push(innermost(callee));
            }
            if let ExpressionKind::Name {
                symbol: Some(symbol),
                ..
            } = &inner.kind
                && unit.symbols[symbol.0].kind == SymbolKind::Function
                && !called.contains(&std::ptr::from_ref(inner))
            {
                named.push(*symbol);
            }
        });
        for symbol in named {
            if let Callee::Defined(function) = self.callee(unit, index, symbol) {
                self.address_taken.push(function);
            }
        }
    }
}

/// `f` in `(*f)` and `(&f)`.
pub fn innermost(callee: &Expression) -> &Expression {
    match &callee.kind {
        ExpressionKind::Unary(UnaryOperator::Indirection | UnaryOperator::Address, inner) => {
            innermost(inner)
        }
        _ => callee,
    }
}

/// The name that is called, and what it stands for.
pub fn called_name(callee: &Expression) -> Option<(&str, Option<SymbolId>)> {
    match &innermost(callee).kind {
        ExpressionKind::Name { name, symbol } => Some((name, *symbol)),
        _ => None,
    }
}

/// The names in `client(…)` directives of a unit.
pub fn client_names(unit: &Unit) -> impl Iterator<Item = &str> {
    unit.directives.iter().flat_map(|one| match &one.directive {
        Directive::Client { names } => names.iter().map(String::as_str).collect::<Vec<_>>(),
        _ => Vec::new(),
    })
}
