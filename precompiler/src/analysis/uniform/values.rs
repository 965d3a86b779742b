//! What may differ from thread to thread, and which nodes some threads may pass more often than others.
//!
//! Everything in code that a team executes, until nothing changes. The order of statements is not looked at. Numbers that can
//! hold no pointer are not followed from step to step: once something that varies has been read in a node, all that comes
//! after it there varies.
//!
//! Errors fall on the side of varying.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use super::cause::Cause;
use super::known::{Known, reached_from_shared};
use super::phases::Phases;
use crate::analysis::communication::{Kind, kind};
use crate::analysis::effects::{ActionKind, walk};
use crate::analysis::memory::{CellId, CellSet, ObjectKind};
use crate::dataflow::Decisions;
use crate::dataflow::steps::{
    Base, Call, Called, Combination, Location, RoutineId, Step, StepKind, TextPlace, ValueId,
    VariableId, VariableKind,
};
use crate::program::{Construct, StatementId, StatementKind, Storage};
use crate::solver::rounds;
use crate::source::Span;

type Why = Option<Rc<Cause>>;

/// Functions of OpenMP that give all threads of a team the same.
const SAME_IN_TEAM: [&str; 8] = [
    "omp_get_num_threads",
    "omp_in_parallel",
    "omp_get_level",
    "omp_get_active_level",
    "omp_get_num_procs",
    "omp_get_num_devices",
    "omp_get_initial_device",
    "omp_get_wtick",
];

/// What differs.
#[derive(Default)]
pub(super) struct Values {
    cells: HashMap<CellId, Rc<Cause>>,
    values: HashMap<(RoutineId, ValueId), Rc<Cause>>,
    results: HashMap<RoutineId, Rc<Cause>>,
    /// Nodes that some threads may pass more often than others, once all have come into the function.
    parted: HashMap<(RoutineId, usize), Rc<Cause>>,
    /// Functions that some threads may call more often than others.
    called: HashMap<RoutineId, Rc<Cause>>,
}

struct Look<'a, 'p> {
    known: Known<'a>,
    phases: &'p BTreeMap<RoutineId, Phases>,
    decisions: HashMap<RoutineId, Rc<Decisions>>,
    /// Nodes whose ways on are told apart already.
    decided: HashSet<(RoutineId, usize)>,
    declarations: HashMap<RoutineId, HashMap<StatementId, Rc<[VariableId]>>>,
    /// The regions around the nodes of functions.
    around: HashMap<(RoutineId, usize), Rc<Regions<'a>>>,
    /// What can be reached from what threads share.
    reached: CellSet,
    found: Values,
    changed: bool,
}

/// What is around a node.
struct Regions<'a> {
    /// The innermost statement that a team executes.
    team: Option<(&'a Construct, Span)>,
    /// The first construct in it that divides work.
    divides: Option<&'a Construct>,
}

impl Values {
    /// Why some threads may pass a node more often than others.
    pub fn parted(&self, routine: RoutineId, node: usize) -> Option<&Cause> {
        let here = self.parted.get(&(routine, node));
        here.or_else(|| self.called.get(&routine))
            .map(|cause| &**cause)
    }

    /// Whether a thread's own memory may hold something else than that of others.
    pub fn differs(&self, cell: CellId) -> bool {
        self.cells.contains_key(&cell)
    }

    /// Looks at a program.
    pub fn of(known: Known, phases: &BTreeMap<RoutineId, Phases>) -> Values {
        let mut look = Look {
            known,
            phases,
            decisions: HashMap::new(),
            decided: HashSet::new(),
            declarations: HashMap::new(),
            around: HashMap::new(),
            reached: match phases.is_empty() {
                true => CellSet::default(),
                false => reached_from_shared(known.steps, known.points_to),
            },
            found: Values::default(),
            changed: !phases.is_empty(),
        };
        rounds(|| {
            look.changed = false;
            for id in known.steps.routine_ids() {
                look.routine(id);
            }
            look.changed
        });
        look.found
    }
}

impl<'a> Look<'a, '_> {
    fn routine(&mut self, id: RoutineId) {
        let routine = self.known.steps.routine(id);
        for (node, steps) in routine.nodes.iter().enumerate() {
            if !self.phases.get(&id).is_some_and(|one| one.is_by_team(node)) {
                continue;
            }
            let regions = self.regions(id, node);
            let apart = match regions.divides {
                Some(construct) => Some(Rc::new(Cause::of_construct(
                    self.known.place(id, construct.span),
                    &format!(
                        "`#pragma omp {}` divides the work among the threads",
                        construct.text
                    ),
                ))),
                None => self
                    .found
                    .parted
                    .get(&(id, node))
                    .or_else(|| self.found.called.get(&id))
                    .cloned(),
            };
            let declared = self.declared(id, routine.flow.nodes[node].statement);
            let mut seen = None;
            let mut here = Here {
                id,
                node,
                apart,
                seen: &mut seen,
                declared: &declared,
                begun: None,
            };
            self.list(steps, &mut here);
            let next = &routine.flow.nodes[node].next;
            if let Some(cause) = seen.filter(|_| next.len() > 1)
                && self.decided.insert((id, node))
            {
                for inside in self.decisions(id).of(node) {
                    self.part(id, inside, &cause);
                }
            }
        }
    }

    fn part(&mut self, id: RoutineId, node: usize, cause: &Rc<Cause>) {
        self.found.parted.entry((id, node)).or_insert_with(|| {
            self.changed = true;
            cause.clone()
        });
    }

    fn decisions(&mut self, id: RoutineId) -> Rc<Decisions> {
        let known = self.known;
        let found = self.decisions.entry(id).or_insert_with(|| {
            let stops = known.effects.bodies[id.0 as usize].stops();
            Rc::new(known.steps.routine(id).flow.decisions(&stops))
        });
        found.clone()
    }

    /// What a declaration declares; nothing for other statements.
    fn declared(&mut self, id: RoutineId, statement: Option<StatementId>) -> Rc<[VariableId]> {
        let known = self.known;
        let all = self.declarations.entry(id).or_insert_with(|| {
            let unit = known.steps.routine(id).function.unit;
            let mut all: HashMap<StatementId, Rc<[VariableId]>> = HashMap::new();
            known.body(id).walk(&mut |statement| {
                if let StatementKind::Declaration(declaration) = &statement.kind {
                    let symbols = declaration.declarators.iter().map(|one| one.symbol);
                    let variables = symbols.filter_map(|one| known.steps.variable_of(unit, one));
                    all.insert(statement.id, variables.collect());
                }
                true
            });
            all
        });
        let found = statement.and_then(|statement| all.get(&statement));
        found.cloned().unwrap_or_default()
    }

    fn regions(&mut self, id: RoutineId, node: usize) -> Rc<Regions<'a>> {
        let known = self.known;
        let found = self.around.entry((id, node)).or_insert_with(|| {
            let at = known.steps.routine(id).flow.nodes[node].span;
            let mut regions = Regions {
                team: None,
                divides: None,
            };
            for statement in known.body(id).regions_around(at) {
                for construct in &statement.openmp {
                    if construct.is_parallel() {
                        regions.team = Some((construct, statement.span));
                        regions.divides = None;
                    }
                    if construct.divides() && regions.divides.is_none() {
                        regions.divides = Some(construct);
                    }
                }
            }
            Rc::new(regions)
        });
        found.clone()
    }

    /// Whether a variable of the function is the thread's own at a node; none when that is not certain.
    fn is_own(&mut self, here: &Here<'_>, variable: VariableId) -> Option<bool> {
        let known = self.known.steps.variable(variable);
        let regions = self.regions(here.id, here.node);
        let Some((construct, team)) = regions.team else {
            return Some(true);
        };
        if team.contains(known.declared.span) {
            return Some(true);
        }
        if construct.is_private_by_default() {
            return None;
        }
        // A variable that a worksharing construct makes private is one of the team's around it.
        let inner = regions.divides.filter(|inner| inner.span != construct.span);
        let kept = construct
            .keeps_value()
            .chain(inner.into_iter().flat_map(|one| one.keeps_value()));
        let mut kept = kept.map(|name| name.text.as_str());
        Some(kept.any(|name| name == known.name))
    }

    /// Why what is read there may differ from thread to thread.
    fn read(&mut self, here: &Here<'_>, place: &Location, span: Span) -> Why {
        let at = self.known.place(here.id, span);
        let name = match place.base {
            Base::Variable(variable) => self.known.steps.variable(variable).name.clone(),
            _ => String::new(),
        };
        if let Some(cause) = self.way(here, place) {
            let named = Some(name).filter(|name| !name.is_empty());
            return Some(match named {
                Some(name) => Rc::new(cause.read_as(at, name)),
                None => cause,
            });
        }
        let touched = self.known.points_to.touched(here.id, place);
        if touched.unknown {
            let why = "it is unknown what is read here";
            return Some(Rc::new(Cause::of_construct(at, why)));
        }
        let direct = place.variable();
        for &cell in &*touched.cells {
            if let Some(cause) = self.cell(here, cell, direct, span) {
                let name = match name.is_empty() {
                    true => self.known.points_to.cell_name(cell),
                    false => name,
                };
                return Some(Rc::new(cause.read_as(at, name)));
            }
        }
        None
    }

    fn cell(
        &mut self,
        here: &Here<'_>,
        cell: CellId,
        direct: Option<VariableId>,
        span: Span,
    ) -> Why {
        let known = self.known;
        let at = known.place(here.id, span);
        let memory = &known.points_to.memory;
        let object = &memory.objects[memory.cells[cell.0 as usize].object.0 as usize];
        let reached = self.reached.contains(cell.0 as usize);
        let (own, shared) = match &object.kind {
            ObjectKind::Function(_) | ObjectKind::Text(_) => (false, false),
            ObjectKind::Variable(id) => {
                let variable = known.steps.variable(*id);
                if variable.per_thread || variable.kind == VariableKind::OtherThreads {
                    let why = "every thread has a copy of it that stays";
                    return Some(Rc::new(Cause::of_construct(at, why)));
                }
                let is_local = matches!(variable.storage, Storage::Automatic | Storage::Register);
                match variable.owner.filter(|_| is_local) {
                    None => (false, true),
                    Some(owner) if owner == here.id && direct == Some(*id) => {
                        match self.is_own(here, *id) {
                            Some(own) => (own, !own || reached),
                            None => (true, true),
                        }
                    }
                    Some(owner) => {
                        let own = known.points_to.teams().has(*id, owner);
                        (own, !own || reached)
                    }
                }
            }
            ObjectKind::Heap { .. } => (!object.is_single, object.is_single || reached),
            ObjectKind::Library(_) | ObjectKind::Unknown => (true, true),
        };
        if own && let Some(cause) = self.found.cells.get(&cell) {
            return Some(cause.clone());
        }
        let stored = || {
            self.phases
                .get(&here.id)
                .is_none_or(|one| one.may_store(here.node, cell))
        };
        if shared && (known.effects.is_unsteady(cell) || stored()) {
            let why = "another thread may store to it before or after this one reads it, without a barrier in between";
            return Some(Rc::new(Cause::of_construct(at, why)));
        }
        None
    }

    fn value(&self, here: &Here<'_>, value: ValueId) -> Why {
        self.found.values.get(&(here.id, value)).cloned()
    }

    fn set(&mut self, here: &mut Here<'_>, value: ValueId, cause: Why) {
        if let Some(cause) = cause {
            here.seen.get_or_insert_with(|| cause.clone());
            self.found
                .values
                .entry((here.id, value))
                .or_insert_with(|| {
                    self.changed = true;
                    cause
                });
        }
    }

    fn store(&mut self, cells: &[CellId], cause: Why) {
        let Some(cause) = cause else { return };
        for cell in cells {
            self.found.cells.entry(*cell).or_insert_with(|| {
                self.changed = true;
                cause.clone()
            });
        }
    }

    fn list(&mut self, steps: &[Step], here: &mut Here<'_>) {
        for step in steps {
            self.step(step, here);
        }
    }

    fn way(&self, here: &Here<'_>, place: &Location) -> Why {
        place.values().find_map(|value| self.value(here, value))
    }

    fn step(&mut self, step: &Step, here: &mut Here<'_>) {
        let points_to = self.known.points_to;
        match &step.kind {
            StepKind::Read { place, into } => {
                let cause = self.read(here, place, step.span);
                self.set(here, *into, cause);
            }
            StepKind::Address { place, into } => {
                let cause = self.way(here, place);
                self.set(here, *into, cause);
            }
            StepKind::Combine { from, into, how } => {
                // What an operand was that can hold no pointer is not among the values: all that was read counts.
                let is_hidden = from.is_empty() || !matches!(how, Combination::Cast);
                let hidden = here.seen.clone().filter(|_| is_hidden);
                let cause = hidden.or_else(|| from.iter().find_map(|one| self.value(here, *one)));
                self.set(here, *into, cause);
            }
            StepKind::Write { place, value, .. } => {
                let cells = points_to.touched(here.id, place).cells;
                let cause = here.differs().or_else(|| self.way(here, place));
                let cause = cause.or_else(|| value.and_then(|value| self.value(here, value)));
                self.store(&cells, cause);
                // What initialises one variable is over before that of the next one begins.
                if here
                    .begun
                    .take_if(|begun| place.variable() == Some(*begun))
                    .is_some()
                {
                    *here.seen = None;
                }
            }
            StepKind::Copy { from, to, .. } => {
                let cause = self
                    .read(here, from, step.span)
                    .or_else(|| self.way(here, to));
                let cells = points_to.touched(here.id, to).cells;
                self.store(&cells, cause.or_else(|| here.differs()));
            }
            StepKind::Call(call) => self.call(step, call, here),
            StepKind::Choose(lists) => {
                let begun = here.begun.take();
                let before = here.apart.clone();
                for list in lists {
                    here.apart = before.clone().or_else(|| here.seen.clone());
                    self.list(list, here);
                }
                (here.apart, here.begun) = (before, begun);
            }
            StepKind::Repeat(list) => {
                let begun = here.begun.take();
                let before = here.apart.clone();
                here.apart = before.clone().or_else(|| here.seen.clone());
                self.list(list, here);
                (here.apart, here.begun) = (before, begun);
            }
            StepKind::Return { value, aggregate } => {
                let value = value.and_then(|value| self.value(here, value));
                let mut cause = here.differs().or(value);
                if let Some(place) = aggregate.as_ref().filter(|_| cause.is_none()) {
                    cause = self.read(here, place, step.span);
                }
                if let Some(cause) = cause {
                    self.found.results.entry(here.id).or_insert_with(|| {
                        self.changed = true;
                        cause
                    });
                }
            }
            StepKind::Assembly { named, .. } => {
                let at = self.known.place(here.id, step.span);
                let cause = Rc::new(Cause::of_construct(at, "it is unknown what this does"));
                for place in named {
                    let cells = points_to.touched(here.id, place).cells;
                    self.store(&cells, Some(cause.clone()));
                }
            }
            StepKind::Begin(variable) => {
                here.begun = Some(*variable).filter(|one| here.declared.contains(one));
            }
            StepKind::Directive(_) => {}
        }
    }

    fn call(&mut self, step: &Step, call: &Call, here: &mut Here<'_>) {
        let (known, id) = (self.known, here.id);
        let callees = known.points_to.callees(id, call);
        let pointer = match call.callee {
            Called::Pointer(value) => self.value(here, value),
            _ => None,
        };
        let mut returned = pointer.clone();
        for &callee in &callees.routines {
            let apart = here.apart.clone().or_else(|| pointer.clone());
            if let Some(cause) = apart {
                self.found.called.entry(callee).or_insert_with(|| {
                    self.changed = true;
                    cause
                });
            }
            let parameters = &known.steps.routine(callee).parameters;
            for (argument, parameter) in call.arguments.iter().zip(parameters) {
                let aggregate = argument.aggregate.as_ref();
                let aggregate = aggregate.and_then(|place| self.read(here, place, argument.span));
                // Numbers are not among the values when they can hold no pointer.
                let cause = here.differs().or(aggregate);
                let cause = cause.or_else(|| self.value(here, argument.value));
                if let Some(object) = known.points_to.variable(*parameter) {
                    let cells: Vec<CellId> = known.points_to.cells(object).collect();
                    self.store(&cells, cause);
                }
            }
            returned = returned.or_else(|| self.found.results.get(&callee).cloned());
        }
        if callees.routines.is_empty() || !callees.named.is_empty() || callees.unknown {
            returned = returned
                .or_else(|| self.library(step, call, &callees.named, callees.unknown, here));
        }
        if let Some(variable) = call.aggregate
            && let Some(object) = known.points_to.variable(variable)
        {
            let cells: Vec<CellId> = known.points_to.cells(object).collect();
            self.store(&cells, returned.clone().or_else(|| here.differs()));
        }
        let returned = returned.map(|cause| Rc::new(cause.seen_at(known.place(id, step.span))));
        self.set(here, call.result, returned);
    }

    /// Why what functions of libraries return may differ. What they store may then, too.
    fn library(
        &mut self,
        step: &Step,
        call: &Call,
        named: &[String],
        is_unknown: bool,
        here: &Here<'_>,
    ) -> Why {
        let known = self.known;
        let at = known.place(here.id, step.span);
        let differs = |name: &&String| {
            !SAME_IN_TEAM.contains(&name.as_str())
                && (name.starts_with("omp_") || kind(known.catalogue, name) != Kind::Plain)
        };
        let mut cause = match named.iter().find(differs) {
            Some(name) => {
                let why = format!("`{name}` may give each thread something else");
                Some(Rc::new(Cause::of_construct(at, &why)))
            }
            None if is_unknown || named.is_empty() => {
                let why = "it is unknown what this function gives each thread";
                Some(Rc::new(Cause::of_construct(at, why)))
            }
            None => None,
        };
        let given = || {
            call.arguments
                .iter()
                .find_map(|one| self.value(here, one.value))
        };
        cause = cause.or_else(|| here.differs()).or_else(given);
        if !named.is_empty() {
            self.called_back(step, at, here);
        }
        let (mut read, mut stored) = (Vec::new(), Vec::new());
        let actions = known.effects.bodies[here.id.0 as usize]
            .nodes
            .get(here.node);
        walk(
            actions.into_iter().flatten(),
            &mut |action| match action.kind {
                _ if action.span != step.span => {}
                ActionKind::Read(cells) => read.extend(known.effects.cells(cells)),
                ActionKind::Write { cells, .. } => stored.extend(known.effects.cells(cells)),
                _ => {}
            },
        );
        if !named
            .iter()
            .all(|name| SAME_IN_TEAM.contains(&name.as_str()))
        {
            for cell in read {
                cause = cause.or_else(|| self.cell(here, cell, None, step.span));
            }
        }
        self.store(&stored, cause.clone());
        cause
    }
}

impl Look<'_, '_> {
    /// A library calls functions of the program as often, and with what, it likes: in each thread in another way.
    fn called_back(&mut self, step: &Step, at: TextPlace, here: &Here<'_>) {
        let known = self.known;
        for callee in known.called_back(here.id, here.node, step.span) {
            let why =
                "a library calls this function, perhaps more often in one thread than in another";
            let cause = Rc::new(Cause::of_construct(at, why));
            self.found.called.entry(callee).or_insert_with(|| {
                self.changed = true;
                cause.clone()
            });
            for parameter in &known.steps.routine(callee).parameters {
                if let Some(object) = known.points_to.variable(*parameter) {
                    let cells: Vec<CellId> = known.points_to.cells(object).collect();
                    self.store(&cells, Some(cause.clone()));
                }
            }
        }
    }
}

/// Where a step is looked at.
struct Here<'s> {
    id: RoutineId,
    node: usize,
    /// Why not every thread comes here equally often.
    apart: Why,
    /// What has been read in the node that differs.
    seen: &'s mut Why,
    /// The variables that the statement declares, not those of statements in its expressions.
    declared: &'s [VariableId],
    /// The one that is being initialised.
    begun: Option<VariableId>,
}

impl Here<'_> {
    /// Why what is stored here may differ, whatever it is.
    fn differs(&self) -> Why {
        self.apart.clone().or_else(|| self.seen.clone())
    }
}
