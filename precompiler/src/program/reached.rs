//! Which functions of a whole program can run at all: those that do not are taken out of the picture.
//!
//! In: all files of a program. Out: the functions that something reaches from `main`. What the others would do is no reason for
//! anything. Libraries that are given as source are mostly such functions, and headers of compilers have thousands in each file.
//!
//! The one idea: whoever runs a function has its name. So a function can run when its name is a word of the text of one
//! that can: a call, an address, an operand of an assembler statement, an attribute, whatever the macros made of it; words in strings are
//! none, but those of assembler text and of attributes. At file
//! scope initialisers count, pragmas, assembler text, and declarations whose attributes let the linker or the loader use the function.
//!
//! A branch that a constant condition leaves out, `if (MODE == 2)`, is emptied, unless control may come into it by a label, or something
//! in it counts though nothing runs it: a variable with static storage, assembler text, a directive.
//!
//! Errors fall on the side of a function too many. Libraries find some functions by name: what is called like one of theirs
//! always counts, and all that the linker can see when a library is not known, or looks names up.
//!
//! Not here: which of several functions a pointer calls (`points_to`).

use std::collections::{BTreeMap, BTreeSet};

use super::model::{
    ExpressionKind, FunctionId, Program, Statement, StatementKind, Storage, SymbolKind, Unit,
};
use crate::solver::closure;
use crate::source::Span;
use crate::source::unmentioned::{may_run_unmentioned, names};

/// Functions that find others by name.
const LOOKING_UP: &[&str] = &["dlsym", "dlvsym"];

type Key = (usize, usize);

impl Program {
    /// Leaves out the functions that cannot run. `is_known`: whether a function of this name is known, of a library.
    pub(super) fn leave_out_unreached(&mut self, is_known: &dyn Fn(&str) -> bool) {
        self.units.iter_mut().for_each(Unit::empty_branches);
        let Some(reached) = Reaching::of(self, is_known).reached() else {
            return;
        };
        for (unit, one) in self.units.iter_mut().enumerate() {
            one.keep(|number| reached.contains(&(unit, number)));
        }
    }
}

impl Unit {
    /// Empties the branches through which no run goes.
    fn empty_branches(&mut self) {
        let mut functions = std::mem::take(&mut self.functions);
        let mut found = std::mem::take(&mut self.emptied);
        for function in &mut functions {
            empty_branches(self, &mut function.body, &mut found);
        }
        found.sort_by_key(|one| one.start);
        (self.functions, self.emptied) = (functions, found);
    }

    /// Keeps some functions, by their numbers, and gives these new numbers.
    fn keep(&mut self, is_kept: impl Fn(usize) -> bool) {
        let all = std::mem::take(&mut self.functions);
        let mut numbers = Vec::with_capacity(all.len());
        for (number, function) in all.into_iter().enumerate() {
            if is_kept(number) {
                numbers.push(FunctionId(self.functions.len()));
                self.functions.push(function);
            } else {
                numbers.push(FunctionId::LEFT_OUT);
                self.left_out.push(function.span);
            }
        }
        let renumber = |one: &mut Option<FunctionId>| {
            let known = one.filter(|old| *old != FunctionId::LEFT_OUT);
            *one = known.map_or(*one, |old| Some(numbers[old.0]));
        };
        for symbol in &mut self.symbols {
            renumber(&mut symbol.function);
            renumber(&mut symbol.definition);
            symbol.definition = symbol.definition.filter(|one| *one != FunctionId::LEFT_OUT);
        }
        self.scopes
            .iter_mut()
            .for_each(|one| renumber(&mut one.function));
        self.directives
            .iter_mut()
            .for_each(|one| renumber(&mut one.function));
        self.left_out.sort_by_key(|one| one.start);
    }
}

struct Reaching<'a> {
    program: &'a Program,
    is_known: &'a dyn Fn(&str) -> bool,
    /// The definitions that the linker sees.
    external: BTreeMap<&'a str, Vec<Key>>,
    /// Those of each file.
    own: Vec<BTreeMap<&'a str, Vec<Key>>>,
    /// What may find functions by their names: what looks them up, and functions of libraries that are not known.
    finders: BTreeSet<&'a str>,
}

impl<'a> Reaching<'a> {
    fn of(program: &'a Program, is_known: &'a dyn Fn(&str) -> bool) -> Reaching<'a> {
        let mut external: BTreeMap<&str, Vec<Key>> = BTreeMap::new();
        let mut own = vec![BTreeMap::<&str, Vec<Key>>::new(); program.units.len()];
        for (unit, one) in program.units.iter().enumerate() {
            for (number, function) in one.functions.iter().enumerate() {
                let name = function.name.as_str();
                own[unit].entry(name).or_default().push((unit, number));
                if !function.is_static {
                    external.entry(name).or_default().push((unit, number));
                }
            }
        }
        let mut finders = BTreeSet::from_iter(LOOKING_UP.iter().copied());
        for unit in &program.units {
            let unknown = unit.symbols.iter().filter(|symbol| {
                symbol.kind == SymbolKind::Function
                    && !external.contains_key(symbol.name.as_str())
                    && symbol.storage != Storage::Static
                    && !symbol.name.starts_with("__builtin_")
                    && !unit.file.is_system(symbol.declared.start)
                    && !is_known(&symbol.name)
            });
            finders.extend(unknown.map(|symbol| symbol.name.as_str()));
        }
        Reaching {
            program,
            is_known,
            external,
            own,
            finders,
        }
    }

    /// The functions that can run; none when there is no `main` to begin with.
    fn reached(&self) -> Option<BTreeSet<Key>> {
        let mut waiting: Vec<Key> = self.external.get("main")?.clone();
        for (unit, one) in self.program.units.iter().enumerate() {
            for (number, function) in one.functions.iter().enumerate() {
                if self.is_root(one, function.span, number, &function.name) {
                    waiting.push((unit, number));
                }
            }
            for declaration in &one.globals {
                self.mention(unit, text(one, declaration.span), &mut waiting);
            }
            for declaration in outside(one) {
                if may_run_unmentioned(declaration) {
                    self.mention(unit, declaration, &mut waiting);
                }
            }
        }
        let mut everything = false;
        let reached = closure(waiting, |(unit, number), open| {
            let one = &self.program.units[unit];
            let mut finds = false;
            for part in run(one, one.functions[number].span) {
                finds |= self.mention(unit, text(one, part), open);
            }
            if finds && !std::mem::replace(&mut everything, true) {
                open.extend(self.external.values().flatten());
            }
        });
        Some(reached.collect())
    }

    /// Whether a function runs without being mentioned: it has marks, attributes say so, or a library has its name.
    fn is_root(&self, unit: &Unit, span: Span, number: usize, name: &str) -> bool {
        let function = &unit.functions[number];
        let header = Span::new(span.start, function.body.span.start);
        let mut directives = unit.directives.iter();
        let has_marks = directives.any(|one| one.function == Some(FunctionId(number)));
        let declared = unit.symbols[function.symbol.0].declared.start;
        // What a header of the system defines is for those who include it: no library has been linked with it.
        let is_own = !function.is_static && !unit.file.is_system(span.start);
        has_marks
            || may_run_unmentioned(text(unit, header))
            || is_own && ((self.is_known)(name) || unit.file.is_system(declared))
    }

    /// The functions that are named in a text wait to be looked at. Whether it calls what may find others by name.
    fn mention(&self, unit: usize, text: &str, waiting: &mut Vec<Key>) -> bool {
        let mut finds = false;
        for word in names(text) {
            let here = self.own[unit].get(word);
            let found = here.or_else(|| self.external.get(word));
            waiting.extend(found.into_iter().flatten());
            finds |= self.finders.contains(word);
        }
        finds
    }
}

fn text(unit: &Unit, span: Span) -> &str {
    unit.file.preprocessed_text(span)
}

fn empty_branches(unit: &Unit, statement: &mut Statement, found: &mut Vec<Span>) {
    if let StatementKind::If {
        condition,
        then,
        otherwise,
    } = &mut statement.kind
        && let Some(value) = unit.constant(condition, &mut |_| None)
    {
        let branch = match value {
            0 => Some(then),
            _ => otherwise.as_mut(),
        };
        if let Some(branch) = branch.filter(|one| may_be_emptied(unit, one)) {
            found.push(branch.span);
            match &mut branch.kind {
                StatementKind::Compound { items, .. } => items.clear(),
                kind => *kind = StatementKind::Expression(None),
            }
        }
    }
    for inner in statement.children_mut() {
        empty_branches(unit, inner, found);
    }
}

/// Whether control comes into a statement at its begin only, and nothing in it counts though it does not run. One that was emptied is
/// left alone.
fn may_be_emptied(unit: &Unit, statement: &Statement) -> bool {
    let is_empty = match &statement.kind {
        StatementKind::Compound { items, .. } => items.is_empty(),
        StatementKind::Expression(value) => value.is_none(),
        _ => false,
    };
    let mut may = !is_empty;
    statement.walk(&mut |one| {
        may &= one.openmp.is_empty()
            && match &one.kind {
                StatementKind::Labelled { .. }
                | StatementKind::Directive(_)
                | StatementKind::OpenMp(_)
                | StatementKind::Assembly(_) => false,
                StatementKind::Declaration(declaration) => {
                    let mut declared = declaration.declarators.iter();
                    declared.all(|one| {
                        let storage = unit.symbols[one.symbol.0].storage;
                        matches!(storage, Storage::Automatic | Storage::Register)
                    })
                }
                _ => true,
            };
        may
    });
    statement.walk_expressions(&mut |one| {
        may &= !matches!(one.kind, ExpressionKind::Statement(_));
    });
    may
}

/// The parts of a text to which control may come.
fn run(unit: &Unit, span: Span) -> Vec<Span> {
    let mut parts = Vec::new();
    let mut start = span.start;
    for gone in unit.emptied.iter().filter(|one| span.contains(**one)) {
        parts.push(Span::new(start, gone.start));
        start = gone.end;
    }
    parts.push(Span::new(start, span.end));
    parts
}

/// What stands at file scope, outside of functions, cut at semicolons.
fn outside(unit: &Unit) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let end = unit.file.preprocessed.len();
    let functions = unit.functions.iter().map(|one| one.span);
    let mut functions: Vec<Span> = functions.chain(unit.left_out.iter().copied()).collect();
    functions.sort_by_key(|one| one.start);
    for next in functions.into_iter().chain([Span::new(end, end)]) {
        if start < next.start {
            found.extend(text(unit, Span::new(start, next.start)).split(';'));
        }
        start = start.max(next.end);
    }
    found
}
