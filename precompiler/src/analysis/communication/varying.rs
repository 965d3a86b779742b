//! What may differ from rank to rank, or from one number of threads to another, wherever it is: a first, coarse answer.
//!
//! In: steps, effects, and what differs to begin with ([`Sources`]). Out: cells that may hold different things at the same place of
//! the program, and nodes that some ranks may pass more often than others. The one idea: a value varies when it comes from a source
//! (of ranks: a rank, a clock, a file, a received message), or from something that varies, or when it is stored where only some
//! ranks come by. The order of statements is not looked at, but for what a collective call replaces soon.
//!
//! Errors fall on the side of varying.

use super::library::{Kind, Library, is_mpi};
use super::replaced::{NodeAt, Replaced};
use crate::analysis::effects::Effects;
use crate::analysis::memory::{CellId, CellSet, ObjectKind};
use crate::analysis::points_to::PointsTo;
use crate::dataflow::Decisions;
use crate::dataflow::steps::{
    Call, Called, Combination, Location, RoutineId, Step, StepKind, Steps, TextPlace, ValueId,
};
use crate::solver::rounds;
use crate::source::Span;
use std::collections::{HashMap, HashSet};

/// Where differences come from.
pub trait Sources {
    /// How a library function relates what differs.
    fn kind(&self, routine: RoutineId, call: &Call, name: &str) -> Kind;
    /// Whether all that differ have the same behind a call, together.
    fn shares(&self, _: RoutineId, _: &Call, _name: &str) -> bool {
        false
    }
    /// Through which channels (bits) a function hands on what differs, and through which it may get that.
    fn channels(&self, _: RoutineId, _: &Call, _name: &str) -> (u8, u8) {
        (0, 0)
    }
    /// The cells that a call may read.
    fn read(&self, routine: RoutineId, call: Span) -> &[CellId];
    /// The cells that a call may store to; true: surely all of it.
    fn stored(&self, routine: RoutineId, call: Span) -> &[(CellId, bool)];
    /// Memory that differs whatever is stored there, and where that is.
    fn differing(&self) -> &[(CellId, TextPlace)] {
        &[]
    }
}

/// What differs because of the ranks' numbers and messages: files and clocks are taken to say the same to all, also after one rank
/// alone has printed something.
pub struct ByRank<'a>(Library<'a>);

impl<'a> ByRank<'a> {
    /// For a program.
    pub fn of(mut library: Library<'a>, points_to: &PointsTo) -> ByRank<'a> {
        let memory = &points_to.memory;
        library.forget(|cell| {
            let object = memory.cells[cell.0 as usize].object;
            matches!(&memory.objects[object.0 as usize].kind, ObjectKind::Library(name) if &**name == STREAMS)
        });
        ByRank(library)
    }
}

/// What the C library knows of open files.
const STREAMS: &str = "@streams";

impl Sources for ByRank<'_> {
    fn kind(&self, routine: RoutineId, call: &Call, name: &str) -> Kind {
        match self.0.kind_of(routine, call, name) {
            Kind::Varying if !is_mpi(name) => Kind::Plain,
            kind => kind,
        }
    }

    fn shares(&self, routine: RoutineId, call: &Call, name: &str) -> bool {
        self.0.shares(routine, call, name)
    }

    fn read(&self, routine: RoutineId, call: Span) -> &[CellId] {
        self.0.read(routine, call)
    }

    fn stored(&self, routine: RoutineId, call: Span) -> &[(CellId, bool)] {
        self.0.stored(routine, call)
    }
}

impl Sources for Library<'_> {
    fn kind(&self, routine: RoutineId, call: &Call, name: &str) -> Kind {
        self.kind_of(routine, call, name)
    }

    fn shares(&self, routine: RoutineId, call: &Call, name: &str) -> bool {
        self.kind_of(routine, call, name) == Kind::Sharing
    }

    fn read(&self, routine: RoutineId, call: Span) -> &[CellId] {
        self.read(routine, call)
    }

    fn stored(&self, routine: RoutineId, call: Span) -> &[(CellId, bool)] {
        self.stored(routine, call)
    }
}

/// What may differ.
pub struct Varying {
    /// Memory, at any place.
    pub cells: CellSet,
    /// By function, nodes that some ranks may pass more often than others, once all have entered the function.
    pub parted: Vec<Vec<bool>>,
    /// Where memory was found to differ first, and as the how manieth.
    since: HashMap<CellId, (usize, TextPlace)>,
    /// Where ranks part that may pass a node unequally often.
    parted_at: HashMap<(RoutineId, usize), TextPlace>,
    values: Vec<HashSet<ValueId>>,
    results: HashSet<RoutineId>,
    /// Functions that some ranks may call more often than others, and where.
    called_apart: HashMap<RoutineId, TextPlace>,
}

struct Look<'a> {
    steps: &'a Steps,
    points_to: &'a PointsTo,
    sources: &'a dyn Sources,
    /// Channels through which something has gone that differs.
    channels: u8,
    decisions: Vec<Decisions>,
    /// Nodes whose ways on are told apart already.
    decided: HashSet<(RoutineId, usize)>,
    /// What is replaced soon by what is the same.
    replaced: Replaced<'a>,
    /// Memory that may differ at any place.
    everywhere: CellSet,
    /// Nodes where it may differ until it is replaced.
    until_then: HashSet<(NodeAt, CellId)>,
    /// The node that is looked at.
    node: usize,
    found: Varying,
    changed: bool,
}

impl Varying {
    /// Whether what a function returns may differ.
    pub fn gives(&self, routine: RoutineId) -> bool {
        self.results.contains(&routine)
    }

    /// Whether some ranks may call a function more often than others.
    pub fn is_called_apart(&self, routine: RoutineId) -> bool {
        self.called_apart.contains_key(&routine)
    }

    /// Where ranks part that may come to a node unequally often; none when they come equally often.
    pub fn parts_at(&self, routine: RoutineId, node: usize) -> Option<TextPlace> {
        let here = self.parted_at.get(&(routine, node));
        here.or_else(|| self.called_apart.get(&routine)).copied()
    }

    /// Where memory is found to differ, behind a number that is the smaller the nearer it is to a source; none when it does not.
    pub fn since(&self, cell: CellId) -> Option<(usize, TextPlace)> {
        self.since.get(&cell).copied()
    }

    /// Whether a value may differ.
    pub fn is_varying(&self, routine: RoutineId, value: ValueId) -> bool {
        self.values[routine.0 as usize].contains(&value)
    }

    /// Looks at a program.
    pub fn of(
        steps: &Steps,
        points_to: &PointsTo,
        effects: &Effects,
        sources: &dyn Sources,
    ) -> Varying {
        let count = steps.routines.len();
        let cells = points_to.memory.cells.len();
        let mut look = Look {
            steps,
            points_to,
            sources,
            replaced: Replaced::of(steps, points_to, effects, sources),
            everywhere: CellSet::with_capacity(cells),
            until_then: HashSet::new(),
            node: 0,
            channels: 0,
            decided: HashSet::new(),
            decisions: (steps.routine_ids())
                .map(|id| {
                    let stops = effects.bodies[id.0 as usize].stops();
                    steps.routine(id).flow.decisions(&stops)
                })
                .collect(),
            found: Varying {
                cells: CellSet::with_capacity(cells),
                parted: (steps.routines.iter())
                    .map(|one| vec![false; one.flow.nodes.len()])
                    .collect(),
                values: vec![HashSet::new(); count],
                results: HashSet::new(),
                since: HashMap::new(),
                parted_at: HashMap::new(),
                called_apart: HashMap::new(),
            },
            changed: true,
        };
        for (cell, place) in sources.differing() {
            look.differs(*cell, *place);
        }
        rounds(|| {
            look.changed = false;
            for id in steps.routine_ids() {
                look.routine(id);
            }
            look.changed
        });
        look.found
    }
}

impl Look<'_> {
    fn routine(&mut self, id: RoutineId) {
        let routine = self.steps.routine(id);
        for node in 0..routine.flow.nodes.len() {
            let mut seen = false;
            self.node = node;
            let Some(steps) = routine.nodes.get(node) else {
                continue;
            };
            let apart = self.found.parted[id.0 as usize][node] || self.found.is_called_apart(id);
            self.list(id, steps, apart, &mut seen);
            if seen && routine.flow.nodes[node].next.len() > 1 && self.decided.insert((id, node)) {
                let place = self.place(id, routine.flow.nodes[node].span);
                for inside in self.decisions[id.0 as usize].of(node) {
                    let parted = &mut self.found.parted[id.0 as usize][inside];
                    self.changed |= !std::mem::replace(parted, true);
                    let at = self.found.parted_at.entry((id, inside));
                    at.or_insert(place);
                }
            }
        }
    }

    fn list(&mut self, id: RoutineId, steps: &[Step], apart: bool, seen: &mut bool) {
        for step in steps {
            self.step(id, step, apart, seen);
        }
    }

    fn varies(&self, id: RoutineId, value: ValueId) -> bool {
        self.found.values[id.0 as usize].contains(&value)
    }

    fn way_varies(&self, id: RoutineId, place: &Location) -> bool {
        place.values().any(|value| self.varies(id, value))
    }

    /// Whether what is in a place may differ.
    fn reads(&self, id: RoutineId, place: &Location) -> bool {
        let touched = self.points_to.touched(id, place);
        touched.unknown || self.way_varies(id, place) || self.holds(id, &touched.cells)
    }

    fn holds(&self, id: RoutineId, cells: &[CellId]) -> bool {
        let node = (id, self.node);
        cells.iter().any(|cell| {
            self.everywhere.contains(cell.0 as usize) || self.until_then.contains(&(node, *cell))
        })
    }

    fn set(&mut self, id: RoutineId, value: ValueId, varies: bool, seen: &mut bool) {
        if varies {
            *seen = true;
            self.changed |= self.found.values[id.0 as usize].insert(value);
        }
    }

    fn place(&self, id: RoutineId, span: Span) -> TextPlace {
        let unit = self.steps.routine(id).function.unit;
        TextPlace { unit, span }
    }

    /// What a node of a function stores.
    fn store(&mut self, id: RoutineId, cells: &[CellId], varies: bool, place: TextPlace) {
        for cell in cells.iter().filter(|_| varies) {
            match self.replaced.until(id, self.node, *cell) {
                None => self.differs(*cell, place),
                Some(nodes) => {
                    self.found(*cell, place);
                    for node in nodes.iter() {
                        self.changed |= self.until_then.insert((*node, *cell));
                    }
                }
            }
        }
    }

    /// A cell holds from now on what may differ.
    fn differs(&mut self, cell: CellId, place: TextPlace) {
        self.changed |= !self.everywhere.put(cell.0 as usize);
        self.found(cell, place);
    }

    fn found(&mut self, cell: CellId, place: TextPlace) {
        if !self.found.cells.put(cell.0 as usize) {
            let number = self.found.since.len();
            self.found.since.insert(cell, (number, place));
        }
    }

    fn step(&mut self, id: RoutineId, step: &Step, apart: bool, seen: &mut bool) {
        let at = self.place(id, step.span);
        match &step.kind {
            StepKind::Read { place, into } => {
                let varies = self.reads(id, place);
                self.set(id, *into, varies, seen);
            }
            StepKind::Address { place, into } => {
                let varies = self.way_varies(id, place);
                self.set(id, *into, varies, seen);
            }
            StepKind::Combine { from, into, how } => {
                // What an operand was that can hold no pointer is not among the values: all that was read counts.
                let hidden = *seen && (from.is_empty() || !matches!(how, Combination::Cast));
                let varies = hidden || from.iter().any(|value| self.varies(id, *value));
                self.set(id, *into, varies, seen);
            }
            StepKind::Write { place, value, .. } => {
                let cells = self.points_to.touched(id, place).cells;
                let varies = apart
                    || *seen
                    || self.way_varies(id, place)
                    || value.is_some_and(|value| self.varies(id, value));
                self.store(id, &cells, varies, at);
            }
            StepKind::Copy { from, to, .. } => {
                let varies = apart || self.reads(id, from) || self.way_varies(id, to);
                let cells = self.points_to.touched(id, to).cells;
                self.store(id, &cells, varies, at);
            }
            StepKind::Call(_) => self.call(id, step, apart, seen),
            StepKind::Choose(lists) => {
                for list in lists {
                    self.list(id, list, apart || *seen, seen);
                }
            }
            StepKind::Repeat(list) => self.list(id, list, apart || *seen, seen),
            StepKind::Return { value, aggregate } => {
                let aggregate = aggregate
                    .as_ref()
                    .is_some_and(|place| self.reads(id, place));
                let varies = apart
                    || *seen
                    || aggregate
                    || value.is_some_and(|value| self.varies(id, value));
                if varies {
                    self.changed |= self.found.results.insert(id);
                }
            }
            StepKind::Assembly { named, .. } => {
                for place in named {
                    let cells = self.points_to.touched(id, place).cells;
                    self.store(id, &cells, true, at);
                }
            }
            StepKind::Begin(_) | StepKind::Directive(_) => {}
        }
    }

    fn call(&mut self, id: RoutineId, step: &Step, apart: bool, seen: &mut bool) {
        let StepKind::Call(call) = &step.kind else {
            return;
        };
        let at = self.place(id, step.span);
        let callees = self.points_to.callees(id, call);
        let pointer = match call.callee {
            Called::Pointer(value) => self.varies(id, value),
            _ => false,
        };
        let mut gives = pointer;
        for &callee in &callees.routines {
            if (apart || pointer) && !self.found.is_called_apart(callee) {
                self.changed = true;
                self.found.called_apart.insert(callee, at);
            }
            let parameters = &self.steps.routine(callee).parameters;
            for (argument, parameter) in call.arguments.iter().zip(parameters) {
                let aggregate = argument.aggregate.as_ref();
                let aggregate = aggregate.is_some_and(|place| self.reads(id, place));
                // Numbers are not among the values when they can hold no pointer.
                let varies = *seen || aggregate || self.varies(id, argument.value);
                if let Some(object) = self.points_to.variable(*parameter) {
                    let cells: Vec<CellId> = self.points_to.cells(object).collect();
                    for cell in cells.into_iter().filter(|_| varies) {
                        self.differs(cell, at);
                    }
                }
            }
            gives |= self.found.results.contains(&callee);
            self.set(id, call.result, gives, seen);
        }
        if callees.routines.is_empty() || !callees.named.is_empty() {
            let kind = callees.named.iter();
            let kind = kind.map(|name| self.sources.kind(id, call, name));
            let kind = kind.max_by_key(|kind| *kind as u8).unwrap_or(Kind::Varying);
            let read = self.holds(id, self.sources.read(id, step.span));
            let gets = read || *seen || call.arguments.iter().any(|one| self.varies(id, one.value));
            let mut hears = false;
            for name in &callees.named {
                let (out, into) = self.sources.channels(id, call, name);
                hears |= into & self.channels != 0;
                if gets && out & !self.channels != 0 {
                    self.channels |= out;
                    self.changed = true;
                }
            }
            let varies = hears
                || match kind {
                    Kind::Plain => gets,
                    Kind::Sharing | Kind::Handle => false,
                    Kind::Varying => true,
                };
            gives |= varies;
            self.set(id, call.result, varies, seen);
            let cells = self.sources.stored(id, step.span).iter();
            let cells: Vec<CellId> = cells.map(|(cell, _)| *cell).collect();
            self.store(id, &cells, varies || apart, at);
        }
        if let Some(variable) = call.aggregate
            && let Some(object) = self.points_to.variable(variable)
        {
            let cells: Vec<CellId> = self.points_to.cells(object).collect();
            self.store(id, &cells, gives || apart, at);
        }
    }
}
