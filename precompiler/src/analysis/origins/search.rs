//! Origins go where values go: step by step, until nothing is new.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use std::rc::Rc;

use super::addresses::copied;
use super::model::{Origin, Origins};
use super::texts::Texts;
use super::unions::Unions;
use super::visits::Visits;
use super::wholes::{Kinds, Wholes};
use crate::analysis::allocators::FixedHeap;
use crate::analysis::handles::{handle, is_stream, named};
use crate::analysis::memory::{CellId, CellSet, ObjectKind};
use crate::analysis::points_to::{PointsTo, Scope};
use crate::catalog::{Catalogue, EffectKind, LibraryFunction, Role, Root};
use crate::dataflow::steps::{
    Base, Call, Called, Combination, Location, Routine, RoutineId, Step, StepKind, Steps,
    TextPlace, TypeRef, ValueId, VariableId,
};
use crate::program::{Layout, Program, TypeKind};
use crate::solver::rounds;
use rustc_hash::FxHashMap;

/// Lists of the arguments of a call.
const ARGUMENTS: [&str; 2] = ["va_list", "__builtin_va_list"];

/// What is sought.
#[derive(Clone, Copy)]
pub(super) enum Sought<'a> {
    /// What means something to a library or the system, and pointers from the beginning of a block, which this tells.
    Values(&'a dyn Fn(RoutineId, ValueId) -> bool),
    /// Pointers from which anything was taken away.
    Back,
    /// Pointers that were made of numbers.
    Made,
    /// Numbers that depend on addresses.
    Addresses {
        /// Also where only the program knows whether it is a pointer that is read as a number.
        perhaps: bool,
        /// Pointers through which bytes of pointers may be read, as far as they have been sought.
        wholes: Option<&'a Wholes>,
    },
    /// Pointers through which bytes of pointers may be read.
    Wholes,
}

/// The search for one kind of origin.
pub(super) struct Search<'a> {
    pub(super) sought: Sought<'a>,
    pub(super) fixed_heap: &'a FixedHeap,
    pub(super) program: &'a Program,
    catalogue: &'a Catalogue,
    pub(super) steps: &'a Steps,
    pub(super) points_to: &'a PointsTo,
    pub(super) values: BTreeMap<(Scope, ValueId), Origin>,
    returned: BTreeMap<RoutineId, Origin>,
    given: BTreeMap<RoutineId, BTreeSet<CellId>>,
    pub(super) known: Origins,
    /// What is known of each cell: a number in `origins`.
    marks: Vec<Option<NonZeroU32>>,
    /// All that is known of cells, each once.
    origins: Vec<Origin>,
    numbers: BTreeMap<Origin, NonZeroU32>,
    /// The pointers that some function steps forward.
    forward: OnceCell<CellSet>,
    /// Whether a set of pointees has memory in it that lies elsewhere in another process, as far as it was asked for.
    pub(super) to_memory: RefCell<FxHashMap<u32, bool>>,
    /// For each cell a number for the member that it is: of the members on the way the last one.
    members: Vec<u32>,
    /// What lies in the unions of the function that is looked at.
    pub(super) unions: Unions,
    /// What texts the function reads that is looked at.
    pub(super) texts: Texts,
    visits: Visits,
    /// From where pointers to bytes were read that the function has cast since.
    pub(super) bytes: FxHashMap<ValueId, &'a Location>,
    /// The step that is looked at.
    pub(super) here: Option<TextPlace>,
    /// The steps are looked at for the first time.
    pub(super) is_first: bool,
    /// Nothing is known of any cell.
    is_blind: bool,
    pub(super) more: bool,
}

/// Numbers for the last members of the paths of cells, brackets left out.
fn members(points_to: &PointsTo) -> Vec<u32> {
    let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
    let cells = points_to.memory.cells.iter();
    let member = |path: &str| path.rsplit('.').next().unwrap_or("").replace("[]", "");
    cells
        .map(|cell| {
            let next = numbers.len() as u32;
            *numbers.entry(member(&cell.path)).or_insert(next)
        })
        .collect()
}

impl<'a> Search<'a> {
    /// Finds what is sought.
    pub(super) fn run(
        program: &'a Program,
        catalogue: &'a Catalogue,
        steps: &'a Steps,
        (points_to, fixed_heap): (&'a PointsTo, &'a FixedHeap),
        sought: Sought<'a>,
    ) -> Origins {
        let mut search = Search {
            sought,
            fixed_heap,
            program,
            catalogue,
            steps,
            points_to,
            values: BTreeMap::new(),
            returned: BTreeMap::new(),
            given: BTreeMap::new(),
            known: Origins::default(),
            marks: vec![None; points_to.memory.cells.len()],
            origins: Vec::new(),
            numbers: BTreeMap::new(),
            forward: OnceCell::new(),
            to_memory: RefCell::default(),
            members: members(points_to),
            unions: Unions::default(),
            texts: Texts::default(),
            visits: Visits::default(),
            bytes: FxHashMap::default(),
            here: None,
            is_first: true,
            is_blind: true,
            more: true,
        };
        rounds(|| {
            search.more = false;
            let initial = steps.initial.iter().enumerate();
            let initial = initial.map(|(unit, list)| (Scope::Initial(unit), list));
            let routines = steps.routine_ids();
            let routines = routines.map(|one| (Scope::Routine(one), steps.routine(one)));
            for (number, (scope, list)) in initial.chain(routines).enumerate() {
                if search.visits.begin(number, search.is_blind) {
                    search.list(scope, list);
                }
            }
            search.is_first = false;
            search.more
        });
        for (number, mark) in search.marks.iter().enumerate() {
            if let Some(mark) = mark {
                let origin = search.origins[mark.get() as usize - 1].clone();
                search.known.cells.insert(CellId(number as u32), origin);
            }
        }
        if search.seeks_wholes() {
            search.known.wholes = search.values.into_keys().collect();
        }
        search.known
    }

    fn list(&mut self, scope: Scope, routine: &'a Routine) {
        let unit = match scope {
            Scope::Initial(unit) => unit,
            Scope::Routine(_) => routine.function.unit,
        };
        self.unions = Unions::default();
        self.bytes.clear();
        if self.seeks_addresses() && self.is_first {
            self.texts = self.texts(scope, routine.function);
        }
        routine.walk(&mut |step| self.step(scope, routine, step, unit));
    }

    fn step(&mut self, scope: Scope, routine: &'a Routine, step: &'a Step, unit: usize) {
        let span = step.span;
        self.here = Some(TextPlace { unit, span });
        if self.seeks_addresses() && self.is_first {
            self.unions.note(self.program, step);
            self.texts.note(step);
        }
        if self.seeks_wholes() {
            self.note_bytes(scope, routine, step);
        }
        match &step.kind {
            StepKind::Read { place, into } if self.may_hold(routine.values[into.0 as usize].ty) => {
                let ty = routine.values[into.0 as usize].ty;
                let origin = self.there(scope, place);
                // What has been arranged is good; only where it lies is not.
                let is_arranged = |one: &Origin| matches!(one, Origin::Arranged(_));
                let origin = origin.filter(|one| !is_arranged(one) || self.is_pointer(ty));
                let origin = origin.or_else(|| self.piece(scope, place, ty));
                self.value(scope, *into, origin);
            }
            StepKind::Write { place, value, .. } => {
                let chosen = self.chosen(scope, place);
                self.store(scope, place, chosen.map(Origin::Arranged));
                if let Some(value) = value {
                    let origin = self.origin(scope, routine, *value);
                    self.store(scope, place, origin);
                }
            }
            StepKind::Address { place, into } => {
                let chosen = self.chosen(scope, place).map(Origin::Arranged);
                let made = match place.base {
                    Base::Pointer(value, _) if self.seeks_made() || self.is_among_bytes(place) => {
                        self.values.get(&(scope, value)).cloned()
                    }
                    _ => None,
                };
                self.value(scope, *into, chosen.or(made));
            }
            StepKind::Combine { from, into, how } if self.seeks_addresses() => {
                let origin = self.computed(scope, routine, from, *into, *how);
                self.value(scope, *into, origin);
            }
            StepKind::Combine { from, into, how } if self.seeks_made() => {
                let origin = self.made(scope, routine, from, *into, *how);
                self.value(scope, *into, origin);
            }
            StepKind::Copy { from, to, .. } => self.copy(scope, from, scope, to),
            StepKind::Combine { from, into, how }
                if self.keeps_origin(*how) && self.may_hold(routine.values[into.0 as usize].ty) =>
            {
                for one in copied(from, *how) {
                    let origin = self.origin(scope, routine, *one);
                    self.value(scope, *into, origin);
                }
            }
            StepKind::Combine {
                from,
                into,
                how: how @ (Combination::PointerBack | Combination::PointerStep),
            } if self.lies_before(scope, routine, *how, from) => {
                self.value(scope, *into, Some(Origin::Before));
            }
            StepKind::Call(call) => self.call(scope, routine, call),
            StepKind::Return { value, aggregate } => {
                let Scope::Routine(id) = scope else { return };
                let value = value.filter(|_| !self.seeks_wholes() || !self.gives_memory(routine));
                if let Some(origin) = value.and_then(|one| self.origin(scope, routine, one))
                    && is_news(self.returned.get(&id), &origin)
                {
                    self.returned.insert(id, origin);
                    self.visits.result_changes(id);
                    self.more = true;
                }
                if let Some(from) = aggregate
                    && !self.is_blind
                {
                    let cells = self.points_to.touched(scope, from).cells;
                    let given = self.given.entry(id).or_default();
                    let before = given.len();
                    given.extend(cells.iter());
                    if given.len() > before {
                        self.visits.result_changes(id);
                        self.more = true;
                    }
                }
            }
            _ => {}
        }
    }

    fn seeks_made(&self) -> bool {
        matches!(self.sought, Sought::Made)
    }

    /// Whether a pointer to the beginning of a block is less than that when an integer has been taken away.
    fn lies_before(
        &self,
        scope: Scope,
        routine: &Routine,
        how: Combination,
        from: &[ValueId],
    ) -> bool {
        let (Scope::Routine(id), [pointer, amount]) = (scope, from) else {
            return false;
        };
        let known = routine.value(*amount).constant;
        let goes_back = match how {
            Combination::PointerBack => known.is_none_or(|known| known > 0),
            _ => known.is_some_and(|known| known < 0),
        };
        if !goes_back || routine.value(*pointer).constant.is_some() {
            return false;
        }
        let memory = &self.points_to.memory;
        let mut targets = self.points_to.targets(scope, *pointer);
        let leads_to_block = targets.any(|target| {
            let object = memory.cells[target.0 as usize].object;
            let kind = &memory.objects[object.0 as usize].kind;
            matches!(kind, ObjectKind::Heap { call, .. } if !self.fixed_heap.holds(call))
        });
        leads_to_block
            && match self.sought {
                Sought::Values(begins) => begins(id, *pointer),
                Sought::Back => true,
                Sought::Made | Sought::Addresses { .. } | Sought::Wholes => false,
            }
    }

    /// Whether what is computed has the origin of what it is computed from.
    fn keeps_origin(&self, how: Combination) -> bool {
        match how {
            Combination::Cast | Combination::Choice => true,
            Combination::PointerStep | Combination::PointerBack | Combination::Arithmetic => {
                self.seeks_wholes()
            }
            Combination::Scramble => false,
        }
    }

    /// Whether some function steps forward from what a pointer has, and stores it there again.
    fn steps_forward(&self, cell: CellId) -> bool {
        let is_many = self.points_to.memory.cells[cell.0 as usize].is_many;
        let forward = self.forward.get_or_init(|| self.stepped_forward());
        !is_many && forward.contains(cell.0 as usize)
    }

    /// The cells of which some function steps forward from what they have, and stores it there again.
    fn stepped_forward(&self) -> CellSet {
        let mut forward = CellSet::with_capacity(self.points_to.memory.cells.len());
        for id in self.steps.routine_ids() {
            // From where a value was read, and whether it has been stepped forward since.
            let mut read: FxHashMap<ValueId, &Location> = FxHashMap::default();
            let mut stepped: FxHashMap<ValueId, Vec<&Location>> = FxHashMap::default();
            self.steps.routine(id).walk(&mut |step| match &step.kind {
                StepKind::Read { place, into } => {
                    read.insert(*into, place);
                }
                StepKind::Combine {
                    from,
                    into,
                    how: Combination::PointerStep,
                } => {
                    let place = from.first().and_then(|one| read.get(one));
                    stepped.entry(*into).or_default().extend(place);
                }
                StepKind::Combine {
                    from,
                    into,
                    how: Combination::Cast,
                } => {
                    let places = from.iter().filter_map(|one| stepped.get(one));
                    let places: Vec<&Location> = places.flatten().copied().collect();
                    stepped.entry(*into).or_default().extend(places);
                }
                StepKind::Write {
                    place,
                    value: Some(value),
                    ..
                } => {
                    for from in stepped.get(value).into_iter().flatten() {
                        let from = self.points_to.touched(id, from).cells;
                        let to = self.points_to.touched(id, place).cells;
                        let both = to.iter().filter(|one| from.binary_search(one).is_ok());
                        forward.extend(both.map(|one| one.0 as usize));
                    }
                }
                _ => {}
            });
        }
        forward
    }

    /// Numbers that are wide enough, and pointers.
    pub(super) fn may_hold(&self, ty: TypeRef) -> bool {
        match self.program.units[ty.unit].kind(ty.id) {
            TypeKind::Integer(_) | TypeKind::Enum(_) | TypeKind::Pointer(_) => true,
            TypeKind::Float(_) | TypeKind::Bool => self.seeks_addresses(),
            _ => false,
        }
    }

    /// Whether something of a type has room for what means something: a pointer, or a handle, none of which is shorter than an `int`.
    fn has_room(&self, ty: TypeRef, origin: &Origin) -> bool {
        let least = match origin {
            Origin::Whole(_) => Layout::of(&self.program.units[ty.unit]).machine.pointer,
            Origin::Handle(_) => 4,
            _ => return true,
        };
        let kind = self.program.units[ty.unit].kind(ty.id);
        let is_number = matches!(kind, TypeKind::Integer(_) | TypeKind::Enum(_));
        !is_number || self.width(ty).is_none_or(|width| width >= least)
    }

    /// The origin of a value: its type, or what is known of it.
    pub(super) fn origin(&self, scope: Scope, routine: &Routine, value: ValueId) -> Option<Origin> {
        let known = self.values.get(&(scope, value)).cloned();
        known.or_else(|| match self.sought {
            Sought::Values(_) => self.of_type(routine.values.get(value.0 as usize)?.ty),
            Sought::Wholes => self
                .leads_to_pointers(routine.values.get(value.0 as usize)?.ty)
                .then_some(Origin::Whole(Kinds::ALL)),
            Sought::Back | Sought::Made | Sought::Addresses { .. } => None,
        })
    }

    /// Streams come back; what a pointer to one is stored in is looked at elsewhere.
    fn of_type(&self, ty: TypeRef) -> Option<Origin> {
        let unit = &self.program.units[ty.unit];
        if is_stream(unit, ty.id) {
            return None;
        }
        let name = named(self.catalogue, unit, ty.id)?;
        Some(Origin::Handle(name.to_string()))
    }

    /// Whether a value is a list of arguments: where it has its type nothing is hidden.
    fn is_list(&self, routine: &Routine, value: ValueId) -> bool {
        let value = routine.values.get(value.0 as usize);
        let name = value
            .and_then(|one| named(self.catalogue, &self.program.units[one.ty.unit], one.ty.id));
        name.is_some_and(|name| ARGUMENTS.contains(&name))
    }

    pub(super) fn value(&mut self, scope: Scope, value: ValueId, origin: Option<Origin>) {
        if let Some(origin) = origin
            && is_news(self.values.get(&(scope, value)), &origin)
            && self.has_room(scope.steps(self.steps).value(value).ty, &origin)
        {
            self.values.insert((scope, value), origin);
            self.visits.own_value_changes();
            self.more = true;
        }
    }

    /// What is known of a place.
    fn there(&mut self, scope: Scope, place: &Location) -> Option<Origin> {
        if self.is_blind {
            return None;
        }
        let touched = self.points_to.touched(scope, place);
        self.visits.look_at_list(&touched.cells);
        let marks = touched
            .cells
            .iter()
            .filter_map(|one| self.marks[one.0 as usize]);
        let mut numbers: Vec<NonZeroU32> = Vec::new();
        for mark in marks {
            if !numbers.contains(&mark) {
                numbers.push(mark);
            }
            if !self.seeks_addresses() && !self.seeks_wholes() {
                break;
            }
        }
        self.read(place, numbers.into_iter().map(|one| self.known_as(one)))
    }

    fn known_as(&self, mark: NonZeroU32) -> &Origin {
        &self.origins[mark.get() as usize - 1]
    }

    /// What is known of a cell.
    fn known_of(&self, cell: CellId) -> Option<&Origin> {
        self.marks[cell.0 as usize].map(|mark| self.known_as(mark))
    }

    /// The number of an origin.
    fn mark_of(&mut self, origin: &Origin) -> Option<NonZeroU32> {
        if let Some(known) = self.numbers.get(origin) {
            return Some(*known);
        }
        self.origins.push(origin.clone());
        let number = NonZeroU32::new(self.origins.len() as u32)?;
        self.numbers.insert(origin.clone(), number);
        Some(number)
    }

    pub(super) fn store(&mut self, scope: Scope, place: &Location, origin: Option<Origin>) {
        let Some(origin) = origin.and_then(|one| self.stored(place, one)) else {
            return;
        };
        let touched = self.points_to.touched(scope, place);
        if !touched.unknown {
            self.mark(touched.cells.iter().copied(), &origin);
        }
    }

    pub(super) fn mark(&mut self, cells: impl IntoIterator<Item = CellId>, origin: &Origin) {
        let mark = self.mark_of(origin);
        for cell in cells {
            if !is_news(self.known_of(cell), origin) {
                continue;
            }
            let ty = self.points_to.memory.cells[cell.0 as usize].ty;
            // Where a handle, or a pointer to pointers, has its type nothing is hidden.
            let is_open = ty.is_some_and(|ty| match origin {
                Origin::Handle(_) => {
                    handle(self.catalogue, &self.program.units[ty.unit], ty.id).is_some()
                }
                Origin::Whole(_) => self.leads_to_pointers(ty),
                _ => false,
            });
            let is_wide = matches!(origin, Origin::Arranged(_))
                || ty.is_none_or(|ty| {
                    self.may_hold(ty) && self.has_room(ty, origin) || self.is_union(ty)
                });
            let is_told = matches!(self.sought, Sought::Values(_));
            let is_inside = || *origin == Origin::Before && is_told && self.steps_forward(cell);
            if is_wide && !is_open && !is_inside() {
                self.is_blind = false;
                self.marks[cell.0 as usize] = match (self.known_of(cell), origin) {
                    (Some(Origin::Whole(known)), Origin::Whole(more)) => {
                        let both = Origin::Whole(known.and(*more));
                        self.mark_of(&both)
                    }
                    _ => mark,
                };
                self.visits.cell_changes(cell);
                self.known.places.extend(self.here.map(|here| (cell, here)));
                self.more = true;
            }
        }
    }

    fn is_union(&self, ty: TypeRef) -> bool {
        matches!(self.program.units[ty.unit].kind(ty.id), TypeKind::Record(_))
    }

    /// A struct is copied: what is in its members goes to the same members.
    fn copy(&mut self, from: Scope, source: &Location, to: Scope, target: &Location) {
        if self.is_blind {
            return;
        }
        let from = self.points_to.touched(from, source);
        let to = self.points_to.touched(to, target);
        if !to.unknown {
            self.visits.look_at_list(&from.cells);
            self.move_all(&from.cells, &to.cells);
        }
    }

    fn move_all(&mut self, from: &[CellId], to: &[CellId]) {
        let mut moved: Vec<(u32, &Origin)> = Vec::new();
        for source in from {
            if let Some(origin) = self.known_of(*source) {
                let one = (self.members[source.0 as usize], origin);
                if !moved.contains(&one) {
                    moved.push(one);
                }
            }
        }
        let moved: Vec<(u32, Origin)> = { moved.into_iter() }
            .map(|(member, origin)| (member, origin.clone()))
            .collect();
        for (member, origin) in moved {
            let targets = to.iter().copied();
            let is_same = |one: &CellId| self.members[one.0 as usize] == member;
            let same: Vec<CellId> = targets.filter(is_same).collect();
            self.mark(same, &origin);
        }
    }

    pub(super) fn variable(&self, variable: VariableId) -> Vec<CellId> {
        let object = self.points_to.variable(variable).into_iter();
        object
            .flat_map(|object| self.points_to.cells(object))
            .collect()
    }

    fn call(&mut self, scope: Scope, routine: &'a Routine, call: &'a Call) {
        let callees = self.points_to.callees(scope, call);
        let is_by_pointer = matches!(call.callee, Called::Pointer(_));
        for callee in callees.routines {
            let parameters = &self.steps.routine(callee).parameters;
            for (argument, parameter) in call.arguments.iter().zip(parameters) {
                let target = self.variable(*parameter);
                match &argument.aggregate {
                    Some(place) => {
                        let source = self.points_to.touched(scope, place).cells;
                        self.visits.look_at_list(&source);
                        self.move_all(&source, &target);
                    }
                    // A pointer that may call several functions hands a list over only to those that take one.
                    None if is_by_pointer && self.is_list(routine, argument.value) => {}
                    None => {
                        if let Some(origin) = self.origin(scope, routine, argument.value) {
                            self.mark(target, &origin);
                        }
                    }
                }
            }
            self.hand_over_more(scope, routine, call, self.steps.routine(callee));
            self.visits.look_at_result(callee);
            let origin = self.returned.get(&callee).cloned();
            self.value(scope, call.result, origin);
            if let (Some(given), Some(variable)) = (self.given.get(&callee), call.aggregate) {
                let given: Vec<CellId> = given.iter().copied().collect();
                self.visits.look_at(&given);
                self.move_all(&given, &self.variable(variable));
            }
        }
        for name in callees.named {
            if let Some(function) = self.catalogue.find(&name) {
                self.library(scope, routine, call, &function);
            }
        }
    }

    fn library(
        &mut self,
        scope: Scope,
        routine: &Routine,
        call: &Call,
        function: &LibraryFunction,
    ) {
        let gives = match () {
            () if !matches!(self.sought, Sought::Values(_)) => None,
            () if function.is(Role::Descriptor) || duplicates(routine, call, function) => {
                Some(Origin::File)
            }
            () if function.is(Role::Numbers) => Some(Origin::Number(function.name.clone())),
            () if function.is(Role::Unnamed) => Some(Origin::Process(function.name.clone())),
            () => None,
        };
        let behind = |position: usize| {
            let argument = call.arguments.get(position)?;
            let touched = self.points_to.behind(scope, argument.value, None);
            (!touched.unknown).then_some(touched.cells)
        };
        let positions = |kind: &dyn Fn(&EffectKind) -> bool| -> Vec<usize> {
            let effects = function.effects.iter().filter(|one| kind(&one.kind));
            let positions = effects.filter_map(|one| match one.place.root {
                Root::Parameter(position) if one.place.behind == 0 => Some(position),
                _ => None,
            });
            positions.collect()
        };
        let parameter = |kind: &dyn Fn(&EffectKind) -> bool| -> Vec<Rc<[CellId]>> {
            positions(kind).into_iter().filter_map(behind).collect()
        };
        let result = routine.values[call.result.0 as usize].ty;
        if let Some(origin) = gives.filter(|_| self.of_type(result).is_none()) {
            let stored = parameter(&|kind| *kind == EffectKind::Creates);
            if stored.is_empty() && self.may_hold(result) {
                self.value(scope, call.result, Some(origin));
            } else {
                let stored: Vec<CellId> =
                    stored.iter().flat_map(|one| one.iter().copied()).collect();
                self.mark(stored, &origin);
            }
            return;
        }
        self.pass_through(scope, routine, call, function);
        if self.is_blind && !self.seeks_addresses() {
            return;
        }
        // What is moved as it lies in memory: `memcpy`, `realloc`.
        let read = positions(&|kind| *kind == EffectKind::Reads);
        let mut written = parameter(&|kind| matches!(kind, EffectKind::Fills | EffectKind::Writes));
        if function.is(Role::Allocates) {
            let targets = self.points_to.targets(scope, call.result);
            let objects = targets.map(|one| self.points_to.memory.cells[one.0 as usize].object);
            let cells = objects.flat_map(|object| self.points_to.cells(object));
            written.push(cells.collect());
        }
        for position in read {
            let Some(from) = behind(position) else {
                continue;
            };
            let source = call.arguments[position].value;
            if !written.is_empty() {
                self.visits.look_at_list(&from);
            }
            for to in &written {
                self.move_all(&from, to);
                if self.is_address_copied(scope, routine, call, (source, to))
                    && let Some(here) = self.here
                {
                    self.mark(to.iter().copied(), &Origin::Address(here));
                }
            }
        }
    }
}

/// Whether there is more to know now: of what depends on addresses, the number is more than the address.
fn is_news(known: Option<&Origin>, origin: &Origin) -> bool {
    let amount = |one: &Origin| match one {
        Origin::Address(_) => 1,
        Origin::Arranged(_) => 2,
        Origin::Computed(_) => 3,
        _ => 0,
    };
    known.is_none_or(|known| match (known, origin) {
        (Origin::Whole(known), Origin::Whole(more)) => !known.includes(*more),
        _ => amount(known) > 0 && amount(origin) > amount(known),
    })
}

/// Whether a call gives another descriptor of the same open file, as `dup` does.
fn duplicates(routine: &Routine, call: &Call, function: &LibraryFunction) -> bool {
    /// `F_DUPFD` and `F_DUPFD_CLOEXEC` of Linux.
    const COMMANDS: [i128; 2] = [0, 1030];
    let command = || routine.constant_argument(call, 1);
    function.name == "fcntl" && command().is_some_and(|one| COMMANDS.contains(&one))
}
