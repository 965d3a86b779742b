//! Parts of a function where writes mean less or more happens than is written: OpenMP regions, and the lives of
//! variables that are cleaned up.
//!
//! A variable that a region of OpenMP makes private is another one there, of the same name. Where the value goes in or
//! comes out (`firstprivate`, `lastprivate`, `reduction` …) it stays the same variable, and writes to it are weak. All
//! writes of a task are weak, since nobody knows when it runs. What the clauses name is read where the region begins. A
//! cleanup function may be called after every node in the block of its variable: where it surely is called is among them.

use std::collections::HashSet;

use super::lower::Lowerer;
use super::model::{Argument, Call, Called, FunctionTarget, StepKind, VariableId, VariableKind};
use crate::program::{
    ExpressionKind, ForStart, Function, Statement, StatementKind, SymbolId, TypeId,
};
use crate::source::Span;

/// The regions of a function.
#[derive(Default)]
pub(super) struct Regions<'a> {
    openmp: Vec<Region<'a>>,
    cleanups: Vec<Cleanup>,
}

struct Region<'a> {
    statement: &'a Statement,
    /// Variables with copies whose values go in or come out.
    weak: HashSet<VariableId>,
    /// Private ones, each with its copy.
    copies: Vec<(VariableId, VariableId)>,
    named: Vec<(VariableId, TypeId)>,
    is_task: bool,
    /// Several threads execute it.
    is_parallel: bool,
    /// Not every thread that comes to it executes all of it.
    is_shared_out: bool,
    /// Variables whose copies in all threads become the initial thread's.
    copied_in: Vec<(VariableId, TypeId)>,
    begun: bool,
}

#[derive(Clone)]
struct Cleanup {
    symbol: SymbolId,
    /// From its declaration to the end of its block.
    span: Span,
    function: String,
}

impl<'a> Regions<'a> {
    pub fn of(lowerer: &mut Lowerer<'a, '_>, function: &'a Function) -> Regions<'a> {
        let mut regions = Regions::default();
        function.body.walk(&mut |statement| {
            if !statement.openmp.is_empty() {
                regions.openmp.push(Region::of(lowerer, statement));
            }
            regions.collect_cleanups(lowerer, statement);
            true
        });
        regions
    }

    fn collect_cleanups(&mut self, lowerer: &Lowerer<'a, '_>, statement: &Statement) {
        let StatementKind::Compound { items, .. } = &statement.kind else {
            return;
        };
        for item in items {
            let StatementKind::Declaration(declaration) = &item.kind else {
                continue;
            };
            for declarator in &declaration.declarators {
                if lowerer.unit.symbols[declarator.symbol.0].cleanup {
                    let file = &lowerer.unit.file;
                    let from = file.end_of_previous_token(declaration.span.start);
                    let text = file.preprocessed_text(Span::new(from, declaration.span.end));
                    self.cleanups.push(Cleanup {
                        symbol: declarator.symbol,
                        span: Span::new(declaration.span.start, statement.span.end),
                        function: cleanup_function(text).to_string(),
                    });
                }
            }
        }
    }

    /// What the name of a variable means in a node.
    pub fn copy_of(&self, variable: VariableId, node: Span) -> VariableId {
        self.around(node)
            .flat_map(|region| &region.copies)
            .filter(|(original, _)| *original == variable)
            .last()
            .map_or(variable, |(_, copy)| *copy)
    }

    /// Whether a write to the variable may go to a copy of it.
    pub fn is_private(&self, variable: VariableId, node: Span) -> bool {
        self.around(node)
            .any(|region| region.weak.contains(&variable))
    }

    /// Whether the node belongs to a task.
    pub fn is_task(&self, node: Span) -> bool {
        self.around(node).any(|region| region.is_task)
    }

    /// Whether several threads may execute the node.
    pub fn is_in_region(&self, node: Span) -> bool {
        self.around(node).any(|region| region.is_parallel)
    }

    /// Whether a thread may pass the node by that executes what is around.
    pub fn is_shared_out(&self, node: Span) -> bool {
        let teams = self.around(node).filter(|region| region.is_parallel);
        teams.count() > 1 || self.around(node).any(|region| region.is_shared_out)
    }

    fn around(&self, node: Span) -> impl Iterator<Item = &Region<'a>> {
        self.openmp
            .iter()
            .filter(move |region| region.statement.span.contains(node))
    }
}

impl<'a> Region<'a> {
    fn of(lowerer: &mut Lowerer<'a, '_>, statement: &'a Statement) -> Region<'a> {
        let mut region = Region {
            statement,
            weak: HashSet::new(),
            copies: Vec::new(),
            named: Vec::new(),
            is_task: false,
            is_parallel: false,
            is_shared_out: false,
            copied_in: Vec::new(),
            begun: false,
        };
        let mut private = Vec::new();
        for pragma in &statement.openmp {
            let named = |text: &str| lowerer.named_in(text, statement.scope, statement.span.start);
            let kind = pragma.split('(').next().unwrap_or("");
            let has = |wanted: &[&str]| kind.split_whitespace().any(|word| wanted.contains(&word));
            region.is_task |= has(&["task", "taskloop", "target"]);
            region.is_parallel |= region.is_task || has(&["parallel", "teams"]);
            let mut words = kind.split_whitespace();
            region.is_shared_out |= words.any(|word| !BY_EVERY_THREAD.contains(&word))
                || !clauses(pragma, "if").is_empty();
            for inner in clauses(pragma, "copyin") {
                region.copied_in.extend(named(inner));
            }
            for clause in VALUE_GOES_IN_OR_OUT {
                for inner in clauses(pragma, clause) {
                    region
                        .weak
                        .extend(named(inner).into_iter().map(|one| one.0));
                }
            }
            for inner in clauses(pragma, "private") {
                private.extend(named(inner));
            }
            let silent: Vec<(VariableId, TypeId)> = ["shared", "lastprivate"]
                .iter()
                .flat_map(|clause| clauses(pragma, clause))
                .flat_map(&named)
                .collect();
            let read = named(pragma).into_iter();
            region
                .named
                .extend(read.filter(|one| !silent.contains(one)));
            if has(&["for", "simd", "distribute", "loop", "taskloop"]) {
                let depth = ["collapse", "ordered"]
                    .iter()
                    .flat_map(|clause| clauses(pragma, clause))
                    .filter_map(|inner| inner.trim().parse().ok())
                    .max();
                let mut symbols = Vec::new();
                loop_variables(statement, depth.unwrap_or(1), &mut symbols);
                for symbol in symbols {
                    let ty = lowerer.unit.symbols[symbol.0].ty;
                    let Some(variable) = lowerer.variable(symbol) else {
                        continue;
                    };
                    // With `simd` its last value comes out.
                    if has(&["simd"]) {
                        region.weak.insert(variable);
                    } else {
                        private.push((variable, ty));
                    }
                }
            }
        }
        for (variable, ty) in private {
            region.named.retain(|(named, _)| *named != variable);
            if !region.weak.contains(&variable) {
                let name = lowerer.variables[variable.0 as usize].name.clone();
                let copy = lowerer.unnamed(&name, VariableKind::Named, ty, statement.span);
                region.copies.push((variable, copy));
            }
        }
        region
    }

    /// What its first node runs only once.
    fn begins_once(&self) -> bool {
        match &self.statement.kind {
            StatementKind::For { .. } => true,
            StatementKind::Compound { items, .. } => items.first().is_some_and(|first| {
                matches!(
                    first.kind,
                    StatementKind::Expression(_)
                        | StatementKind::Declaration(_)
                        | StatementKind::For { .. }
                        | StatementKind::If { .. }
                )
            }),
            _ => false,
        }
    }
}

/// Words of directives that every thread executes, up to the first parenthesis.
const BY_EVERY_THREAD: [&str; 12] = [
    "parallel",
    "critical",
    "simd",
    "default",
    "num_threads",
    "private",
    "firstprivate",
    "shared",
    "copyin",
    "reduction",
    "proc_bind",
    "allocate",
];

/// Clauses whose variables have copies that begin with the value outside, or end as it.
const VALUE_GOES_IN_OR_OUT: [&str; 8] = [
    "firstprivate",
    "lastprivate",
    "reduction",
    "in_reduction",
    "task_reduction",
    "linear",
    "copyin",
    "copyprivate",
];

/// The variables of the outermost loops of a nest.
fn loop_variables(statement: &Statement, depth: usize, found: &mut Vec<SymbolId>) {
    match &statement.kind {
        StatementKind::For { start, body, .. } if depth > 0 => {
            if let ForStart::Expression(value) = start
                && let ExpressionKind::Assign { target, .. } = &value.kind
            {
                found.extend(target.symbol());
            }
            loop_variables(body, depth - 1, found);
        }
        StatementKind::Compound { items, .. } => {
            for item in items {
                loop_variables(item, depth, found);
            }
        }
        _ => {}
    }
}

/// What stands in the parentheses of every clause of that name.
fn clauses<'t>(pragma: &'t str, name: &str) -> Vec<&'t str> {
    let mut found = Vec::new();
    for (at, _) in pragma.match_indices(name) {
        let before = pragma[..at].chars().next_back();
        let rest = pragma[at + name.len()..].trim_start();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_') || !rest.starts_with('(') {
            continue;
        }
        let mut depth = 0;
        let end = rest.find(|c| {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        found.push(&rest[1..end.unwrap_or(rest.len())]);
    }
    found
}

/// The name in `cleanup(name)`.
fn cleanup_function(text: &str) -> &str {
    let after = text.find("cleanup").map_or("", |at| &text[at + 7..]);
    let inside = after.find('(').map_or("", |at| &after[at + 1..]);
    inside.split(')').next().unwrap_or("").trim()
}

impl<'a> Lowerer<'a, '_> {
    /// What the clauses of regions name that begin with this node.
    pub fn region_reads(&mut self, node: Span) {
        let (mut named, mut begun, mut copied) = (Vec::new(), Vec::new(), Vec::new());
        for region in &mut self.regions.openmp {
            if !region.begun && region.statement.span.contains(node) {
                region.begun = true;
                named.append(&mut region.named);
                if region.begins_once() {
                    begun.extend(region.copies.iter().map(|(_, copy)| *copy));
                    copied.append(&mut region.copied_in);
                }
            }
        }
        for copy in begun {
            self.push(StepKind::Begin(copy), node);
        }
        for (variable, ty) in copied {
            self.copied_in(variable, ty, node);
        }
        for (variable, ty) in named {
            self.read_all(variable, ty, node);
        }
    }

    /// Cleanup functions that may be called after this node.
    pub fn cleanups(&mut self, node: Span) {
        let here: Vec<Cleanup> = self
            .regions
            .cleanups
            .iter()
            .filter(|cleanup| cleanup.span.contains(node))
            .cloned()
            .collect();
        for cleanup in here {
            let symbol = &self.unit.symbols[cleanup.symbol.0];
            let Some(variable) = self.variable(cleanup.symbol) else {
                continue;
            };
            let place = self.whole(variable, symbol.ty);
            let named = self
                .unit
                .lookup(symbol.scope, &cleanup.function, usize::MAX);
            let callee = match self.function(&cleanup.function, named) {
                Some(FunctionTarget::Routine(routine)) => Called::Routine(routine),
                Some(FunctionTarget::Named(name)) => Called::Named(name),
                None => Called::Named(cleanup.function.clone()),
            };
            let (_, steps) = self.apart(|lowerer| {
                let pointer = lowerer.pointer_to(symbol.ty);
                let value = lowerer.address(place, pointer, symbol.declared);
                let result = lowerer.fresh(TypeId::UNKNOWN);
                let call = Call {
                    callee,
                    arguments: vec![Argument {
                        value,
                        aggregate: None,
                        span: symbol.declared,
                    }],
                    result,
                    aggregate: None,
                };
                lowerer.push(StepKind::Call(Box::new(call)), symbol.declared);
            });
            self.push(StepKind::Repeat(steps), node);
        }
    }
}
