//! Parts of a function where writes mean less or more happens than is written: OpenMP regions, and the lives of
//! variables that are cleaned up.
//!
//! A variable that a region of OpenMP makes private is another one there, of the same name. Where the value goes in or
//! comes out (`firstprivate`, `lastprivate`, `reduction` …) it stays the same variable, and writes to it are weak. So are
//! writes to what every thread has of its own where only one thread writes, or each its share: in `single`, `sections`, a
//! worksharing loop. All writes of a task are weak, since nobody knows when it runs. What the clauses name is read where the region begins. A
//! cleanup function may be called after every node in the block of its variable: where it surely is called is among them.

use std::collections::HashSet;

use cccp_grammar::Text;
use cccp_grammar::openmp::{ClauseKind, DirectiveName};

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
    /// Of a region that every thread executes as a whole: the copies that begin with the value outside.
    begin_with: Vec<(VariableId, VariableId, TypeId)>,
    /// Those whose values go outside at its end.
    end_with: Vec<(VariableId, VariableId, TypeId)>,
    named: Vec<(VariableId, TypeId)>,
    /// No store surely goes to the variable outside: a task, or everything is private.
    is_task: bool,
    /// Several threads execute it.
    is_parallel: bool,
    /// Not every thread that comes to it executes all of it.
    is_shared_out: bool,
    /// That is so even when a team executes it.
    is_divided: bool,
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
                let region = Region::of(lowerer, statement, &regions);
                regions.openmp.push(region);
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

    /// The copies that regions have: where, of what, and the copy.
    pub fn copies(&self) -> impl Iterator<Item = (Span, VariableId, VariableId)> {
        self.openmp.iter().flat_map(|region| {
            let all = region.copies.iter();
            all.map(|&(original, copy)| (region.statement.span, original, copy))
        })
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

    /// Whether a thread that has a local of its own may pass the node by, while another thread executes it. A construct that is
    /// in no region of this function shares out among threads that all come from outside.
    pub fn is_passed_by(&self, declared: Span, node: Span) -> bool {
        self.around(node).any(|shared| {
            let text = shared.statement.span;
            let around = self.openmp.iter();
            let mut teams =
                around.filter(|one| one.is_parallel && one.statement.span.contains(text));
            let of_thread = |team: &Region| team.statement.span.contains(declared);
            shared.is_divided && !text.contains(declared) && teams.next_back().is_none_or(of_thread)
        })
    }

    fn around(&self, node: Span) -> impl Iterator<Item = &Region<'a>> {
        self.openmp
            .iter()
            .filter(move |region| region.statement.span.contains(node))
    }
}

impl<'a> Region<'a> {
    /// Looks at one in the text of others. What its clauses name may be a copy that one of those has.
    fn of(
        lowerer: &mut Lowerer<'a, '_>,
        statement: &'a Statement,
        around: &Regions<'a>,
    ) -> Region<'a> {
        let seen = |variable| around.copy_of(variable, statement.span);
        let mut region = Region {
            statement,
            weak: HashSet::new(),
            copies: Vec::new(),
            begin_with: Vec::new(),
            end_with: Vec::new(),
            named: Vec::new(),
            is_task: false,
            is_parallel: false,
            is_shared_out: false,
            is_divided: false,
            copied_in: Vec::new(),
            begun: false,
        };
        let mut private = Vec::new();
        for construct in &statement.openmp {
            let named =
                |text: &Text| lowerer.named_in(&text.text, statement.scope, statement.span.start);
            region.is_task |= construct.runs_at_any_time() || construct.is_private_by_default();
            region.is_parallel |= construct.runs_in_other_threads();
            region.is_shared_out |= construct.shares_out();
            region.is_divided |= construct.divides();
            region
                .copied_in
                .extend(construct.copied_in().flat_map(named));
            private.extend(construct.private().flat_map(named));
            let is_whole = statement.is_parallel_region();
            let is_copied = |kind: &ClauseKind| {
                is_whole && matches!(kind, ClauseKind::Firstprivate | ClauseKind::Reduction)
            };
            let copied = construct.clauses.iter().filter(|one| is_copied(&one.kind));
            let copied: Vec<(VariableId, TypeId)> = copied
                .flat_map(|one| one.variables())
                .flat_map(named)
                .collect();
            let kept = construct.keeps_value().flat_map(named);
            let kept = kept.filter(|one| !copied.contains(one));
            region
                .weak
                .extend(kept.flat_map(|one| [one.0, seen(one.0)]));
            private.extend(copied);
            let read = construct.evaluated().into_iter().flat_map(named);
            region.named.extend(read.map(|(one, ty)| (seen(one), ty)));
            if construct.is_loop() {
                let mut symbols = Vec::new();
                loop_variables(statement, construct.loop_depth(), &mut symbols);
                for symbol in symbols {
                    let ty = lowerer.unit.symbols[symbol.0].ty;
                    let Some(variable) = lowerer.variable(symbol) else {
                        continue;
                    };
                    // With `simd` its last value comes out.
                    if construct.has(&DirectiveName::Simd) {
                        region.weak.insert(variable);
                    } else {
                        private.push((variable, ty));
                    }
                }
            }
        }
        for (variable, ty) in private {
            if !region.weak.contains(&variable) {
                let name = lowerer.variables[variable.0 as usize].name.clone();
                let copy = lowerer.unnamed(&name, VariableKind::Named, ty, statement.span);
                region.copies.push((variable, copy));
                let is_named = |kind: ClauseKind| {
                    let clauses = statement
                        .openmp
                        .iter()
                        .flat_map(|one| one.clauses_of(kind.clone()));
                    let mut names = clauses.flat_map(|one| one.variables());
                    names.any(|one| one.text == name)
                };
                if is_named(ClauseKind::Firstprivate) {
                    region.begin_with.push((seen(variable), copy, ty));
                }
                if is_named(ClauseKind::Reduction) {
                    region.end_with.push((seen(variable), copy, ty));
                }
            }
        }
        region
    }

    /// Its first node runs only once.
    fn begins_once(&self) -> bool {
        begins_once(self.statement)
    }
}

fn begins_once(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Expression(Some(_))
        | StatementKind::Declaration(_)
        | StatementKind::If { .. }
        | StatementKind::OpenMp(_)
        | StatementKind::Switch { .. } => true,
        StatementKind::For { start, .. } => !matches!(start, ForStart::Nothing),
        StatementKind::Compound { items, .. } => items.first().is_some_and(begins_once),
        _ => false,
    }
}

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
        let (mut begin_with, mut end_with) = (Vec::new(), Vec::new());
        for region in &mut self.regions.openmp {
            if region.statement.span.contains(node) {
                end_with.extend(region.end_with.iter().copied());
            }
            if !region.begun && region.statement.span.contains(node) {
                region.begun = true;
                named.append(&mut region.named);
                let weak = !region.begins_once();
                let copies = region.begin_with.drain(..);
                begin_with.extend(copies.map(|(from, to, ty)| (from, to, ty, weak)));
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
        for (from, to, ty, weak) in begin_with {
            let (from, to) = (self.whole(from, ty), self.whole(to, ty));
            self.push(StepKind::Copy { from, to, weak }, node);
        }
        // The end of the region may come behind every node.
        for (to, from, ty) in end_with {
            let (from, to) = (self.whole(from, ty), self.whole(to, ty));
            let weak = true;
            self.push(StepKind::Copy { from, to, weak }, node);
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
