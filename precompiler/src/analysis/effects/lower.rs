//! From steps to actions.
//!
//! A place becomes the cells that it may touch. A call becomes a call of functions of the program, or what the catalogue
//! says of a library function ([`library`](super::library)), or the worst case. Parameters come to life, with their
//! values, at the entry.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::memory::{CellId, CellSet, ObjectId, ObjectKind};
use crate::analysis::points_to::{PointsTo, Touched};
use crate::catalog::{Catalogue, Role};
use crate::dataflow::Flow;
use crate::dataflow::steps::{
    Base, Location, Routine, RoutineId, Step, StepKind, Steps, TextPlace, VariableId,
};
use crate::program::{Program, Storage, TypeId, TypeKind};
use crate::source::Span;

use super::fresh::{Fresh, View};
use super::kept::Kept;
use super::lists::Lists;
use super::model::{Action, ActionKind, Body, Effects, Note, SetId};
use super::through::{self, Own};

/// What the translation needs and collects.
pub(super) struct Lowering<'a> {
    pub program: &'a Program,
    pub steps: &'a Steps,
    pub points_to: &'a PointsTo,
    pub catalogue: &'a Catalogue,
    /// What libraries keep of the program.
    pub kept: Kept,
    /// Some function calls `setjmp`: unknown functions may come back there.
    pub jumps: bool,
    /// Functions that code outside may call.
    pub from_outside: Box<[RoutineId]>,
    /// What code outside may touch.
    pub outside: CellSet,
    /// Requests that stay what they are.
    pub persistent: CellSet,
    pub may_make_persistent: bool,
    /// Buffers of persistent requests.
    pub prepared: BTreeSet<ObjectId>,
    /// Arrays of plans.
    pub planned: BTreeSet<ObjectId>,
    /// The objects that a call of a library function allocates.
    allocations: HashMap<(RoutineId, TextPlace), Vec<ObjectId>>,
    /// Function symbols of the units, by name.
    pub prototypes: Vec<HashMap<&'a str, TypeId>>,
    sets: Lists,
    numbers: FxHashMap<Rc<[CellId]>, SetId>,
    /// Those of what accesses touch, by where the lists are.
    of_touched: FxHashMap<*const [CellId], SetId>,
    /// The lists of what accesses through pointers touch.
    behind: FxHashSet<*const [CellId]>,
    /// Cells that are reached through pointers.
    pointed: CellSet,
    /// Functions that hand out new memory.
    fresh: Fresh,
    /// What the function that is looked at touches.
    pub own: Own,
    /// The same of those that have been looked at.
    owns: Vec<Own>,
}

impl<'a> Lowering<'a> {
    pub fn new(
        program: &'a Program,
        steps: &'a Steps,
        points_to: &'a PointsTo,
        catalogue: &'a Catalogue,
    ) -> Lowering<'a> {
        let cells = points_to.memory.cells.len();
        Lowering {
            program,
            steps,
            points_to,
            catalogue,
            kept: Kept::default(),
            jumps: false,
            from_outside: Box::default(),
            outside: CellSet::with_capacity(cells),
            persistent: CellSet::with_capacity(cells),
            may_make_persistent: false,
            prepared: BTreeSet::new(),
            planned: BTreeSet::new(),
            allocations: allocations(points_to),
            prototypes: super::library::prototypes(program),
            sets: Lists::default(),
            numbers: FxHashMap::from_iter([(Rc::default(), SetId::default())]),
            of_touched: FxHashMap::default(),
            behind: FxHashSet::default(),
            pointed: CellSet::with_capacity(cells),
            fresh: Fresh::of(steps, catalogue),
            own: Own::default(),
            owns: Vec::new(),
        }
    }

    /// All bodies. Functions must have been translated before private locals are known.
    pub fn finish(mut self, bodies: Vec<Body>) -> Effects {
        let cells = self.points_to.memory.cells.len();
        self.pointed.union_with(self.points_to.escaped());
        let mut private = CellSet::with_capacity(cells);
        for object in &self.points_to.memory.objects {
            if let ObjectKind::Variable(variable) = object.kind
                && owner_of_local(self.steps, variable).is_some()
            {
                private.insert_range(
                    object.first.0 as usize..(object.first.0 + object.count) as usize,
                );
            }
        }
        private.difference_with(&self.pointed);
        let main = self.steps.routine_named(self.program, "main");
        let mut effects = Effects {
            sets: self.sets,
            bodies,
            any_time: self.kept.any_time.clone(),
            threads: self.kept.threads.clone(),
            joined: self.kept.joined(),
            at_exit: self.kept.at_exit.clone(),
            from_outside: self.from_outside.iter().copied().collect(),
            outside: self.outside,
            persistent: self.persistent,
            may_make_persistent: self.may_make_persistent,
            prepared: self.prepared,
            planned: self.planned,
            private,
            main,
            hands_out: self.fresh.returns(),
            ..Effects::default()
        };
        let view = View::of(self.program, self.steps, self.points_to, &effects);
        through::spare(&mut effects, &self.owns, &view);
        effects
    }

    /// The number of a list of cells.
    pub fn set(&mut self, mut cells: Vec<CellId>) -> SetId {
        cells.sort_unstable();
        cells.dedup();
        match self.numbers.get(cells.as_slice()) {
            Some(known) => *known,
            None => self.new_set(cells.into()),
        }
    }

    fn new_set(&mut self, cells: Rc<[CellId]>) -> SetId {
        let number = self.sets.add(Rc::clone(&cells));
        self.numbers.insert(cells, number);
        number
    }

    /// The same for what an access touches.
    fn set_of(&mut self, touched: &Touched) -> SetId {
        let list = Rc::as_ptr(&touched.cells);
        if let Some(known) = self.of_touched.get(&list) {
            return *known;
        }
        let known = self.numbers.get(&touched.cells).copied();
        let number = known.unwrap_or_else(|| self.new_set(Rc::clone(&touched.cells)));
        self.of_touched.insert(list, number);
        number
    }

    fn touched(&mut self, id: RoutineId, place: &Location) -> Touched {
        let touched = self.points_to.touched(id, place);
        let is_behind = matches!(place.base, Base::Pointer(..));
        if is_behind && self.behind.insert(Rc::as_ptr(&touched.cells)) {
            self.through_pointer(&touched.cells);
        }
        touched
    }

    /// Cells that somebody reaches through a pointer.
    pub fn through_pointer(&mut self, cells: &[CellId]) {
        for cell in cells {
            self.pointed.insert(cell.0 as usize);
        }
    }

    /// The cells of an object.
    pub fn object(&self, object: ObjectId) -> Vec<CellId> {
        self.points_to.cells(object).collect()
    }

    /// The actions of a function.
    pub fn body(&mut self, id: RoutineId) -> Body {
        let routine = &self.steps.routines[id.0 as usize];
        let mut nodes: Vec<Vec<Action>> = Vec::with_capacity(routine.nodes.len());
        let steps = self.steps;
        let fresh = self.fresh.values(steps, self.catalogue, id);
        self.own = through::values(routine, fresh, &|variable| {
            let one = &steps.variables[variable.0 as usize];
            let kind = self.program.units[one.ty.unit].kind(one.ty.id);
            matches!(kind, TypeKind::Pointer(_))
                && matches!(one.storage, Storage::Automatic | Storage::Register)
        });
        for steps in &routine.nodes {
            let mut actions = Vec::new();
            self.list(id, routine, steps, &mut actions);
            nodes.push(actions);
        }
        nodes.resize(routine.flow.nodes.len(), Vec::new());
        let entry = self.parameters(routine);
        if let Some(first) = nodes.get_mut(Flow::ENTRY.0) {
            first.splice(0..0, entry);
        }
        let mut body = Body {
            nodes,
            ..Body::default()
        };
        self.owns.push(std::mem::take(&mut self.own));
        let mut returns_twice = false;
        body.walk(&mut |action| {
            returns_twice |= action.kind == ActionKind::Note(Note::Role(Role::ReturnsTwice));
        });
        body.returns_twice = returns_twice;
        body
    }

    /// Parameters come to life with a value.
    fn parameters(&mut self, routine: &Routine) -> Vec<Action> {
        let mut actions = Vec::new();
        let all = routine.parameters.iter().chain(&routine.variable_arguments);
        for &parameter in all {
            if let Some(object) = self.points_to.variable(parameter) {
                let span = self.steps.variables[parameter.0 as usize].declared.span;
                let all = self.points_to.memory.objects[object.0 as usize].is_single;
                let cells = self.object(object);
                let cells = self.set(cells);
                for kind in [
                    ActionKind::Begin { object, all },
                    ActionKind::Write { cells, all },
                ] {
                    actions.push(Action { kind, span });
                }
            }
        }
        actions
    }

    fn list(&mut self, id: RoutineId, routine: &Routine, steps: &[Step], to: &mut Vec<Action>) {
        for step in steps {
            self.step(id, routine, step, to);
        }
    }

    fn step(&mut self, id: RoutineId, routine: &Routine, step: &Step, to: &mut Vec<Action>) {
        let span = step.span;
        match &step.kind {
            StepKind::Read { place, .. } => self.read(id, place, span, to),
            StepKind::Write { place, weak, .. } => self.write(id, place, *weak, span, to),
            StepKind::Copy {
                from,
                to: target,
                weak,
            } => {
                self.read(id, from, span, to);
                self.write(id, target, *weak, span, to);
            }
            StepKind::Call(call) => self.call(id, routine, call, span, to),
            StepKind::Begin(variable) => {
                if let Some(object) = self.points_to.variable(*variable) {
                    let all = self.points_to.memory.objects[object.0 as usize].is_single;
                    to.push(Action {
                        kind: ActionKind::Begin { object, all },
                        span,
                    });
                }
            }
            StepKind::Choose(lists) => {
                let mut chosen = Vec::with_capacity(lists.len());
                for list in lists {
                    let mut actions = Vec::new();
                    self.list(id, routine, list, &mut actions);
                    chosen.push(actions);
                }
                if chosen.iter().any(|list| !list.is_empty()) {
                    let kind = ActionKind::Choose(chosen);
                    to.push(Action { kind, span });
                }
            }
            StepKind::Repeat(list) => {
                let mut actions = Vec::new();
                self.list(id, routine, list, &mut actions);
                let kind = ActionKind::Repeat(actions);
                to.push(Action { kind, span });
            }
            StepKind::Return { aggregate, .. } => {
                if let Some(place) = aggregate {
                    self.read(id, place, span, to);
                }
                let kind = ActionKind::Return;
                to.push(Action { kind, span });
            }
            StepKind::Directive(directive) => {
                let kind = ActionKind::Directive(*directive);
                to.push(Action { kind, span });
            }
            StepKind::Assembly { named, .. } => self.assembly(id, named, span, to),
            StepKind::Address { .. } | StepKind::Combine { .. } => {}
        }
    }

    pub(super) fn read(
        &mut self,
        id: RoutineId,
        place: &Location,
        span: Span,
        to: &mut Vec<Action>,
    ) {
        let touched = self.touched(id, place);
        if !touched.cells.is_empty() {
            let set = self.set_of(&touched);
            self.note_set(self.behind_parameter(place), set);
            let kind = ActionKind::Read(set);
            to.push(Action { kind, span });
        }
    }

    fn write(
        &mut self,
        id: RoutineId,
        place: &Location,
        weak: bool,
        span: Span,
        to: &mut Vec<Action>,
    ) {
        let touched = self.touched(id, place);
        let all = touched.exact && !touched.unknown && !weak;
        if !touched.cells.is_empty() {
            let cells = self.set_of(&touched);
            self.note_set(self.behind_parameter(place), cells);
            let kind = ActionKind::Write { cells, all };
            to.push(Action { kind, span });
        }
    }

    /// Inline assembly: all that it names, and all that can be reached from there.
    fn assembly(&mut self, id: RoutineId, named: &[Location], span: Span, to: &mut Vec<Action>) {
        let mut cells = Vec::new();
        for place in named {
            cells.extend(self.touched(id, place).cells.iter());
        }
        let cells = list_of(&self.points_to.reachable(cells));
        self.through_pointer(&cells);
        self.push_read(cells.clone(), span, to);
        self.push_write(cells, false, span, to);
    }

    fn behind_parameter(&self, place: &Location) -> Option<usize> {
        match place.base {
            Base::Pointer(value, _) => self.own.values.get(&value).copied(),
            _ => None,
        }
    }

    /// The function touches cells, surely behind this parameter of its own or else somehow.
    pub fn note(&mut self, parameter: Option<usize>, cells: Vec<CellId>) {
        if !cells.is_empty() {
            let set = self.set(cells);
            self.note_set(parameter, set);
        }
    }

    fn note_set(&mut self, parameter: Option<usize>, set: SetId) {
        let list = match parameter {
            Some(number) => self.own.through.entry(number).or_default(),
            None => &mut self.own.otherwise,
        };
        list.push(set);
    }

    /// Some cells may be read; nobody knows how the function comes to them.
    pub fn push_read(&mut self, cells: Vec<CellId>, span: Span, to: &mut Vec<Action>) {
        self.note(None, cells.clone());
        self.add_read(cells, span, to);
    }

    /// The same for stores.
    pub fn push_write(&mut self, cells: Vec<CellId>, all: bool, span: Span, to: &mut Vec<Action>) {
        self.note(None, cells.clone());
        self.add_write(cells, all, span, to);
    }

    /// Some cells may be read.
    pub fn add_read(&mut self, cells: Vec<CellId>, span: Span, to: &mut Vec<Action>) {
        if !cells.is_empty() {
            let kind = ActionKind::Read(self.set(cells));
            to.push(Action { kind, span });
        }
    }

    /// Some cells may be stored to.
    pub fn add_write(&mut self, cells: Vec<CellId>, all: bool, span: Span, to: &mut Vec<Action>) {
        if !cells.is_empty() {
            let cells = self.set(cells);
            let kind = ActionKind::Write { cells, all };
            to.push(Action { kind, span });
        }
    }

    /// The objects that a call of a library function allocates.
    pub fn allocated(&self, id: RoutineId, span: Span) -> &[ObjectId] {
        let unit = self.steps.routines[id.0 as usize].function.unit;
        self.allocations
            .get(&(id, TextPlace { unit, span }))
            .map_or(&[], Vec::as_slice)
    }
}

fn allocations(points_to: &PointsTo) -> HashMap<(RoutineId, TextPlace), Vec<ObjectId>> {
    let mut all: HashMap<(RoutineId, TextPlace), Vec<ObjectId>> = HashMap::new();
    for (index, object) in points_to.memory.objects.iter().enumerate() {
        if let ObjectKind::Heap { routine, call, .. } = object.kind {
            let object = ObjectId(index as u32);
            all.entry((routine, call)).or_default().push(object);
        }
    }
    all
}

/// The cells of a set.
pub(super) fn list_of(set: &CellSet) -> Vec<CellId> {
    set.ones().map(|cell| CellId(cell as u32)).collect()
}

/// The function that a variable is a local of: every activation has its own. Static locals are none.
pub fn owner_of_local(steps: &Steps, variable: VariableId) -> Option<RoutineId> {
    let variable = &steps.variables[variable.0 as usize];
    let local = matches!(variable.storage, Storage::Automatic | Storage::Register);
    variable.owner.filter(|_| local)
}
