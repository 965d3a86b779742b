//! Which functions nobody knows, each at its first mention.

use std::collections::{HashMap, HashSet, VecDeque};

use crate::catalog::Catalogue;
use crate::dataflow::calls::{client_names, innermost};
use crate::program::{
    Expression, ExpressionKind, FunctionId, Program, SymbolId, SymbolKind, TypeId, Unit,
};
use crate::source::{SourceRange, Span};

/// A function that is defined in none of the files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MentionedFunction {
    /// Its name.
    pub name: String,
    /// The unit of its first mention.
    pub unit: usize,
    /// The mention in the preprocessed text.
    pub span: Span,
    /// The same in the user's file.
    pub place: Option<SourceRange>,
    /// Its declaration in that unit.
    pub symbol: Option<SymbolId>,
    /// The types of the arguments when it is first called.
    pub arguments: Vec<TypeId>,
}

/// The unknown functions of a program, in the order of the text.
pub fn unknown_functions(program: &Program, catalogue: &Catalogue) -> Vec<MentionedFunction> {
    mentioned_functions(program, &|name| !catalogue.contains(name))
}

/// The functions of these names that the program may use and does not define, in the order of the text.
pub fn mentioned_functions(
    program: &Program,
    is_wanted: &dyn Fn(&str) -> bool,
) -> Vec<MentionedFunction> {
    let mut search = Search {
        program,
        is_wanted,
        external: HashMap::new(),
        known: HashSet::new(),
        queue: VecDeque::new(),
        queued: HashSet::new(),
        found: Vec::new(),
        numbers: HashMap::new(),
    };
    for (number, unit) in program.units.iter().enumerate() {
        search.known.extend(client_names(unit));
        for (index, function) in unit.functions.iter().enumerate() {
            let here = (number, FunctionId(index));
            if !function.is_static {
                search.external.entry(&function.name).or_insert(here);
            }
            if function.in_user_file {
                search.enter(here);
            }
        }
    }
    while let Some((unit, function)) = search.queue.pop_front() {
        let body = &program.units[unit].functions[function.0].body;
        body.walk_expressions(&mut |expression| search.expression(unit, expression));
    }
    for (number, unit) in program.units.iter().enumerate() {
        for value in unit.globals.iter().flat_map(|global| global.expressions()) {
            value.walk(&mut |expression| search.expression(number, expression));
        }
    }
    let mut found = search.found;
    found.sort_by_key(|one| (one.unit, one.span.start));
    found
}

struct Search<'a> {
    program: &'a Program,
    is_wanted: &'a dyn Fn(&str) -> bool,
    /// Definitions with external linkage.
    external: HashMap<&'a str, (usize, FunctionId)>,
    /// Names of clients that are promised.
    known: HashSet<&'a str>,
    queue: VecDeque<(usize, FunctionId)>,
    queued: HashSet<(usize, FunctionId)>,
    found: Vec<MentionedFunction>,
    /// Where in `found` a name stands.
    numbers: HashMap<String, usize>,
}

impl Search<'_> {
    fn enter(&mut self, function: (usize, FunctionId)) {
        if self.queued.insert(function) {
            self.queue.push_back(function);
        }
    }

    fn expression(&mut self, unit: usize, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Call { callee, arguments } => {
                if let ExpressionKind::Name { name, symbol } = &innermost(callee).kind {
                    let types: Vec<TypeId> = arguments.iter().map(|one| one.ty).collect();
                    self.mention(unit, name, *symbol, innermost(callee), Some(types));
                }
            }
            ExpressionKind::Name { name, symbol } if symbol.is_some() => {
                self.mention(unit, name, *symbol, expression, None);
            }
            _ => {}
        }
    }

    fn mention(
        &mut self,
        unit: usize,
        name: &str,
        symbol: Option<SymbolId>,
        at: &Expression,
        arguments: Option<Vec<TypeId>>,
    ) {
        let picture: &Unit = &self.program.units[unit];
        if let Some(symbol) = symbol.map(|symbol| &picture.symbols[symbol.0]) {
            if symbol.kind != SymbolKind::Function {
                return;
            }
            if let Some(function) = symbol.definition {
                return self.enter((unit, function));
            }
        }
        if let Some(definition) = self.external.get(name) {
            return self.enter(*definition);
        }
        if self.known.contains(name) || !(self.is_wanted)(name) {
            return;
        }
        let one = MentionedFunction {
            name: name.to_string(),
            unit,
            span: at.span,
            place: at.place,
            symbol: symbol.filter(|symbol| !picture.symbols[symbol.0].is_implicit),
            arguments: arguments.unwrap_or_default(),
        };
        match self.numbers.get(name) {
            None => {
                self.numbers.insert(one.name.clone(), self.found.len());
                self.found.push(one);
            }
            Some(&number) => {
                let known = &mut self.found[number];
                // The first one in the text, and a call rather than nothing.
                if (one.unit, one.span.start) < (known.unit, known.span.start) {
                    let arguments = std::mem::take(&mut known.arguments);
                    let same_unit = known.unit == one.unit;
                    *known = one;
                    if known.arguments.is_empty() && same_unit {
                        known.arguments = arguments;
                    }
                } else if known.arguments.is_empty() && known.unit == one.unit {
                    known.arguments = one.arguments;
                }
            }
        }
    }
}
