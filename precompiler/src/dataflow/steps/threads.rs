//! Variables of which every thread has a copy, where other threads than the initial one may run.
//!
//! In serial code such a variable is the copy of the initial thread, and an ordinary static. The copies of all other threads
//! are one more variable, [`VariableKind::OtherThreads`]: code that other threads may execute reads and writes both. A
//! restart restores the initial thread only, so what is live of the others at a checkpoint is missing there.
//!
//! ```text
//! static _Thread_local int hits;
//! hits = 1;                       write hits
//! #pragma omp parallel
//! hits += 1;                      v0 = read hits   v1 = read hits of other threads   v2 = choice(v0, v1) …
//! ```
//!
//! Errors fall on the side of more threads: a function whose address is taken may be what a thread runs, as soon as
//! anything is called that may start one. A write is strong only where every thread executes it for itself: in the text
//! of a region, and not where its work is shared out.

use std::collections::{HashMap, HashSet};

use super::lower::Lowerer;
use super::model::{
    Base, Combination, Location, RoutineId, Step, StepKind, Steps, Variable, VariableId,
    VariableKind,
};
use crate::catalog::{Catalogue, Role};
use crate::program::{
    Expression, ExpressionKind, Initialiser, Program, Statement, SymbolKind, TypeId,
};
use crate::solver::closure;
use crate::source::Span;

/// What is known of threads before anything is lowered.
#[derive(Default)]
pub(super) struct Threads {
    /// The variables with a copy per thread, each with what stands for the other threads' copies.
    others: HashMap<VariableId, VariableId>,
    /// Functions that other threads may call.
    routines: HashSet<RoutineId>,
}

impl Threads {
    /// Looks at a program, and adds the copies of other threads to its variables.
    pub fn of(
        program: &Program,
        steps: &mut Steps,
        functions: &HashMap<&str, RoutineId>,
        catalogue: &Catalogue,
    ) -> Threads {
        let mut threads = Threads::default();
        if !steps.variables.iter().any(|one| one.per_thread) {
            return threads;
        }
        let mentions = Mentions::of(program, steps, functions, catalogue);
        if !mentions.has_regions && !mentions.starts_threads {
            return threads;
        }
        let mut work: Vec<RoutineId> = mentions.in_regions.iter().copied().collect();
        if mentions.starts_threads || mentions.calls_pointers_in_regions {
            work.extend(&mentions.taken);
        }
        let next = |id: RoutineId, open: &mut Vec<RoutineId>| {
            if mentions.calls_pointers.contains(&id) {
                open.extend(&mentions.taken);
            }
            open.extend(mentions.by_routine.get(&id).into_iter().flatten());
        };
        threads.routines = closure(work, next).collect();
        let count = program.units.iter().map(|unit| unit.functions.len()).sum();
        steps.only_in_teams = mentions.only_in_teams(count, &threads.routines);
        for index in 0..steps.variables.len() {
            let one = &steps.variables[index];
            if one.per_thread && one.is_defined {
                let copy = Variable {
                    kind: VariableKind::OtherThreads,
                    symbol: None,
                    is_shared: false,
                    ..one.clone()
                };
                let id = VariableId(steps.variables.len() as u32);
                threads.others.insert(VariableId(index as u32), id);
                steps.variables.push(copy);
            }
        }
        threads
    }
}

/// Which functions of the program are mentioned where.
#[derive(Default)]
struct Mentions {
    by_routine: HashMap<RoutineId, HashSet<RoutineId>>,
    /// Outside of such texts.
    outside: HashMap<RoutineId, HashSet<RoutineId>>,
    /// In the text of regions that several threads execute.
    in_regions: HashSet<RoutineId>,
    /// Other than to be called.
    taken: HashSet<RoutineId>,
    /// Functions that call what a pointer points to, and whether the text of a region does.
    calls_pointers: HashSet<RoutineId>,
    calls_pointers_in_regions: bool,
    has_regions: bool,
    /// A function is called that starts threads, or one that nobody knows.
    starts_threads: bool,
}

impl Mentions {
    fn of(
        program: &Program,
        steps: &Steps,
        functions: &HashMap<&str, RoutineId>,
        catalogue: &Catalogue,
    ) -> Mentions {
        let mut found = Mentions::default();
        for (number, unit) in program.units.iter().enumerate() {
            let first = steps.first_routines[number];
            let named = |expression: &Expression| -> Option<Result<RoutineId, String>> {
                let ExpressionKind::Name { name, symbol } = &expression.kind else {
                    return None;
                };
                let symbol = symbol.map(|symbol| &unit.symbols[symbol.0]);
                if symbol.is_some_and(|symbol| symbol.kind != SymbolKind::Function) {
                    return None;
                }
                let own = symbol.and_then(|symbol| symbol.definition);
                let own = own.map(|function| RoutineId(first + function.0 as u32));
                Some(
                    own.or_else(|| functions.get(name.as_str()).copied())
                        .ok_or_else(|| name.clone()),
                )
            };
            for (index, function) in unit.functions.iter().enumerate() {
                let id = RoutineId(first + index as u32);
                let regions = regions(&function.body);
                found.has_regions |= !regions.is_empty();
                let mut called: HashSet<*const Expression> = HashSet::new();
                function.body.walk_expressions(&mut |expression| {
                    let is_in = |region: &Span| region.contains(expression.span);
                    if let ExpressionKind::Call { callee, .. } = &expression.kind {
                        called.insert(&raw const **callee);
                        if named(callee).is_none() {
                            found.calls_pointers.insert(id);
                            found.calls_pointers_in_regions |= regions.iter().any(is_in);
                        }
                    }
                    match named(expression) {
                        Some(Ok(mentioned)) => {
                            found.by_routine.entry(id).or_default().insert(mentioned);
                            if regions.iter().any(is_in) {
                                found.in_regions.insert(mentioned);
                            } else {
                                found.outside.entry(id).or_default().insert(mentioned);
                            }
                            if !called.contains(&(expression as *const Expression)) {
                                found.taken.insert(mentioned);
                            }
                        }
                        Some(Err(name)) => {
                            let known = catalogue.find(&name);
                            found.starts_threads |= match known {
                                Some(known) => known.is(Role::Spawns),
                                None => !name.starts_with("__builtin_"),
                            };
                        }
                        None => {}
                    }
                });
            }
            for declarator in unit.globals.iter().flat_map(|one| &one.declarators) {
                let values = match &declarator.initialiser {
                    Some(Initialiser::Expression(value)) => vec![value],
                    Some(Initialiser::List(list)) => list.expressions(),
                    None => Vec::new(),
                };
                for value in values {
                    value.walk(&mut |expression| {
                        found.taken.extend(named(expression).and_then(Result::ok));
                    });
                }
            }
        }
        found
    }

    /// Of the functions that other threads may call, those that nobody calls but in a region: not `main` or what is never mentioned,
    /// not what is called through a pointer, not what these call outside of regions.
    fn only_in_teams(&self, count: usize, in_teams: &HashSet<RoutineId>) -> HashSet<RoutineId> {
        let mentioned: HashSet<RoutineId> = self.by_routine.values().flatten().copied().collect();
        let all = (0..count).map(|index| RoutineId(index as u32));
        let first = all.filter(|one| !mentioned.contains(one) || self.taken.contains(one));
        let next = |id: RoutineId, open: &mut Vec<RoutineId>| {
            open.extend(self.outside.get(&id).into_iter().flatten());
        };
        let alone: HashSet<RoutineId> = closure(first, next).collect();
        in_teams.difference(&alone).copied().collect()
    }
}

/// The texts that several threads execute, or one that is not known.
fn regions(body: &Statement) -> Vec<Span> {
    let mut found = Vec::new();
    body.walk(&mut |statement| {
        let mut constructs = statement.openmp.iter();
        if constructs.any(|one| one.runs_in_other_threads()) {
            found.push(statement.span);
        }
        true
    });
    found
}

impl Lowerer<'_, '_> {
    /// Whether other threads may execute what is being lowered.
    fn is_apart(&self) -> bool {
        self.is_initial
            || self
                .owner
                .is_some_and(|owner| self.names.threads.routines.contains(&owner))
            || self.regions.is_in_region(self.node)
    }

    /// Whether a thread may not come here that executes what is around.
    pub fn is_shared_out(&self) -> bool {
        let owner = |owner: RoutineId| self.names.threads.routines.contains(&owner);
        !self.is_initial && (self.owner.is_some_and(owner) || self.regions.is_shared_out(self.node))
    }

    /// The same of all other threads, where none comes without them: what is executed there is executed for the copies of all.
    pub fn of_all_threads(&self, place: &Location) -> Option<Location> {
        let is_called = |owner: RoutineId| self.known.only_in_teams.contains(&owner);
        let is_of_all = self.regions.is_in_region(self.node) || self.owner.is_some_and(is_called);
        let is_of_one = self.regions.is_shared_out(self.node);
        self.other(place).filter(|_| is_of_all && !is_of_one)
    }

    fn other(&self, place: &Location) -> Option<Location> {
        let variable = self.names.threads.others.get(&place.variable()?)?;
        Some(Location {
            base: Base::Variable(*variable),
            ..place.clone()
        })
    }

    /// Adds what a step does to the copies of other threads.
    pub fn push(&mut self, kind: StepKind, span: Span) {
        if self.names.threads.others.is_empty() || !self.is_apart() {
            return self.steps.push(Step { kind, span });
        }
        match kind {
            StepKind::Read { ref place, into } => match self.other(place) {
                Some(place) => self.either(kind, into, span, |into| StepKind::Read { place, into }),
                None => self.steps.push(Step { kind, span }),
            },
            StepKind::Address { ref place, into } => match self.other(place) {
                Some(place) => {
                    self.either(kind, into, span, |into| StepKind::Address { place, into });
                }
                None => self.steps.push(Step { kind, span }),
            },
            StepKind::Write {
                ref place,
                value,
                weak,
            } => {
                let other = self.other(place);
                self.steps.push(Step { kind, span });
                if let Some(place) = other {
                    let kind = StepKind::Write { place, value, weak };
                    self.steps.push(Step { kind, span });
                }
            }
            StepKind::Copy { from, to, weak } => {
                self.perhaps_others(&from, span);
                let other = self.other(&to);
                for to in [Some(to), other].into_iter().flatten() {
                    let from = from.clone();
                    let kind = StepKind::Copy { from, to, weak };
                    self.steps.push(Step { kind, span });
                }
            }
            StepKind::Assembly {
                mut named,
                keeps_pointers,
            } => {
                let others: Vec<Location> =
                    named.iter().filter_map(|one| self.other(one)).collect();
                named.extend(others);
                let kind = StepKind::Assembly {
                    named,
                    keeps_pointers,
                };
                self.steps.push(Step { kind, span });
            }
            kind => {
                let step = Step { kind, span };
                let named: Vec<Location> = step.places().into_iter().cloned().collect();
                for place in named {
                    self.perhaps_others(&place, span);
                }
                self.steps.push(step);
            }
        }
    }

    /// The same of this thread's copy and of another's; what comes of it is one of the two.
    fn either(
        &mut self,
        mut kind: StepKind,
        result: super::model::ValueId,
        span: Span,
        other: impl FnOnce(super::model::ValueId) -> StepKind,
    ) {
        let ty = self.values[result.0 as usize].ty.id;
        let (one, two) = (self.fresh(ty), self.fresh(ty));
        if let StepKind::Read { into, .. } | StepKind::Address { into, .. } = &mut kind {
            *into = one;
        }
        let choice = StepKind::Combine {
            from: vec![one, two],
            into: result,
            how: Combination::Choice,
        };
        for kind in [kind, other(two), choice] {
            self.steps.push(Step { kind, span });
        }
    }

    /// A struct or union that is read as a whole may be another thread's.
    fn perhaps_others(&mut self, place: &Location, span: Span) {
        if let Some(from) = self.other(place) {
            let to = place.clone();
            let weak = true;
            let kind = StepKind::Copy { from, to, weak };
            self.steps.push(Step { kind, span });
        }
    }

    /// `copyin`: the other threads' copies become the initial thread's.
    pub fn copied_in(&mut self, variable: VariableId, ty: TypeId, span: Span) {
        let from = self.whole(variable, ty);
        if let Some(to) = self.other(&from) {
            let all = StepKind::Write {
                place: to.clone(),
                value: None,
                weak: false,
            };
            let weak = true;
            for kind in [all, StepKind::Copy { from, to, weak }] {
                self.steps.push(Step { kind, span });
            }
        }
    }
}
