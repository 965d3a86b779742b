//! Which memory holds values that mean something to a library or the system only, although its type does not say so.
//!
//! In: the steps of all functions, what pointers point to, and the catalogue, which says what gives such values. Out: the origin of
//! what is in a cell: a descriptor of a file, a number that is good for this process only (`pipe`, `MPI_Comm_c2f`), a handle that
//! lies in memory of another type (`void *`). The one idea: origins go where values go, through assignments, copies, calls, casts
//! and choices, not through arithmetic; names of variables and members mean nothing.
//!
//! A pointer before the memory that it belongs to (`malloc(n) - 1`) is such a value, too: in the process where it was computed
//! the memory is found from it, in another one nobody can say to which block it belongs. One from which the program itself steps
//! forward is taken to be inside again, and so is one that was computed from what need not be a beginning; where these are, a
//! checkpoint of the run looks at them ([`super::suspects`]).
//!
//! A number that was computed from an address (a hash, half of it) is one, too, and so is what lies at a place that such a number
//! has chosen: in another process the memory lies elsewhere, and the number or the arrangement no longer fits it. These do go
//! through arithmetic. Numbers that are whole addresses are not among them: a checkpoint looks at those.
//!
//! ```text
//! s->out = open(name, O_WRONLY);   s->out: descriptor        count = 0; count += 3;   count: nothing
//! ```
//!
//! When unsure a number is a number: what is stored through a pointer that may point anywhere has no origin.

use std::collections::{BTreeMap, BTreeSet};

use super::allocators;
use super::handles::{REQUEST, handle, is_stream, named};
use super::memory::{CellId, ObjectId, ObjectKind};
use super::points_to::{PointsTo, Scope};
use crate::catalog::{Catalogue, EffectKind, LibraryFunction, Role, Root};
use crate::dataflow::steps::{
    Base, Call, Combination, Location, Projection, Routine, RoutineId, Step, StepKind, Steps,
    TextPlace, TypeRef, ValueId, VariableId,
};
use crate::program::{Layout, Program, Storage, TypeKind};

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// It is the descriptor of a file with a name.
    File,
    /// A handle of this type.
    Handle(String),
    /// A number for something that this function makes, and makes again.
    Number(String),
    /// A number that this function gave: it is good for this process only.
    Process(String),
    /// A pointer that lies before the beginning of its memory.
    Before,
    /// A whole address, or a piece of one, that was made a number here; only while numbers that depend on addresses are sought.
    Address(TextPlace),
    /// What lies where a number that depends on addresses has put it, or a pointer to such a place; an address was made a number
    /// here.
    Arranged(TextPlace),
    /// A number that depends on addresses and is none; an address was made a number here.
    Computed(TextPlace),
}

impl Origin {
    /// The name of the handle's type, or of the function that gave the number.
    pub fn name(&self) -> &str {
        match self {
            Origin::File => "open",
            Origin::Before | Origin::Address(_) | Origin::Arranged(_) | Origin::Computed(_) => "-",
            Origin::Handle(name) | Origin::Number(name) | Origin::Process(name) => name,
        }
    }

    /// Whether an item brings back what the value stands for: the file of a descriptor when it is a `file(…)`, the memory behind
    /// a pointer when it says how far behind it that begins (`p[1:n]`), and requests, of which none is in flight at a checkpoint.
    pub fn comes_back(&self, is_file: bool, is_behind: bool) -> bool {
        match self {
            Origin::File => is_file,
            Origin::Handle(name) => name == REQUEST,
            Origin::Before => is_behind,
            Origin::Number(_)
            | Origin::Process(_)
            | Origin::Address(_)
            | Origin::Arranged(_)
            | Origin::Computed(_) => false,
        }
    }

    /// Where the address was made a number on which it depends.
    pub fn root(&self) -> Option<TextPlace> {
        match self {
            Origin::Address(root) | Origin::Arranged(root) | Origin::Computed(root) => Some(*root),
            _ => None,
        }
    }

    /// Whether it fits only the addresses of this process.
    pub fn depends_on_addresses(&self) -> bool {
        matches!(self, Origin::Arranged(_) | Origin::Computed(_))
    }
}

/// What is sought.
#[derive(Clone, Copy)]
enum Sought<'a> {
    /// What means something to a library or the system, and pointers from the beginning of a block, which this tells.
    Values(&'a dyn Fn(RoutineId, ValueId) -> bool),
    /// Pointers from which anything was taken away.
    Back,
    /// Numbers that depend on addresses.
    Addresses,
}

/// What holds such values.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    cells: BTreeMap<CellId, Origin>,
    places: BTreeMap<CellId, TextPlace>,
    perhaps_before: BTreeMap<CellId, TextPlace>,
}

impl Origins {
    /// Finds them. `begins` tells whether a value leads to the beginning of a block, or lies before one.
    pub fn of(
        program: &Program,
        catalogue: &Catalogue,
        steps: &Steps,
        points_to: &PointsTo,
        begins: &dyn Fn(RoutineId, ValueId) -> bool,
    ) -> Origins {
        let search = |sought| Origins::search(program, catalogue, steps, points_to, sought);
        let mut found = search(Sought::Values(begins));
        let befores = search(Sought::Back).places.into_iter();
        let befores = befores.filter(|(cell, _)| found.cells.get(cell) != Some(&Origin::Before));
        found.perhaps_before = befores.collect();
        let dependent = search(Sought::Addresses);
        for (cell, origin) in dependent.cells {
            if origin.depends_on_addresses() && !found.cells.contains_key(&cell) {
                found.cells.insert(cell, origin);
                let place = dependent.places.get(&cell);
                found.places.extend(place.map(|place| (cell, *place)));
            }
        }
        found
    }

    /// Finds what is sought.
    fn search(
        program: &Program,
        catalogue: &Catalogue,
        steps: &Steps,
        points_to: &PointsTo,
        sought: Sought,
    ) -> Origins {
        let mut search = Search {
            sought,
            foreign: match program.has_fixed_heap() {
                true => Some(allocators::foreign_calls(steps, points_to)),
                false => None,
            },
            program,
            catalogue,
            steps,
            points_to,
            values: BTreeMap::new(),
            returned: BTreeMap::new(),
            given: BTreeMap::new(),
            known: Origins::default(),
            here: None,
            is_first: true,
            more: true,
        };
        while std::mem::take(&mut search.more) {
            for (unit, list) in steps.initial.iter().enumerate() {
                search.list(Scope::Initial(unit), list);
            }
            for routine in steps.routine_ids() {
                search.list(Scope::Routine(routine), steps.routine(routine));
            }
            search.is_first = false;
        }
        search.known
    }

    /// Where what is in a cell comes from.
    pub fn in_cell(&self, cell: CellId) -> Option<&Origin> {
        self.cells.get(&cell)
    }

    /// Where it is put there.
    pub fn place(&self, cell: CellId) -> Option<TextPlace> {
        self.places.get(&cell).copied()
    }

    /// The cells with pointers that may lie before their memory, as far as can be seen, and where they are put there.
    pub fn perhaps_before(&self) -> &BTreeMap<CellId, TextPlace> {
        &self.perhaps_before
    }

    /// Whether some part of an object holds such a value.
    pub fn are_in(&self, points_to: &PointsTo, object: ObjectId) -> bool {
        let mut cells = points_to.cells(object);
        cells.any(|cell| self.cells.contains_key(&cell))
    }
}

struct Search<'a> {
    sought: Sought<'a>,
    /// In a program with a fixed heap: the calls that give blocks which do not lie in it.
    foreign: Option<BTreeSet<TextPlace>>,
    program: &'a Program,
    catalogue: &'a Catalogue,
    steps: &'a Steps,
    points_to: &'a PointsTo,
    values: BTreeMap<(Scope, ValueId), Origin>,
    returned: BTreeMap<RoutineId, Origin>,
    given: BTreeMap<RoutineId, BTreeSet<CellId>>,
    known: Origins,
    /// The step that is looked at.
    here: Option<TextPlace>,
    /// The steps are looked at for the first time.
    is_first: bool,
    more: bool,
}

impl<'a> Search<'a> {
    fn list(&mut self, scope: Scope, routine: &'a Routine) {
        let unit = match scope {
            Scope::Initial(unit) => unit,
            Scope::Routine(_) => routine.function.unit,
        };
        routine.walk(&mut |step| self.step(scope, routine, step, unit));
    }

    fn step(&mut self, scope: Scope, routine: &'a Routine, step: &'a Step, unit: usize) {
        let span = step.span;
        self.here = Some(TextPlace { unit, span });
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
                let chosen = self.chosen(scope, place);
                self.value(scope, *into, chosen.map(Origin::Arranged));
            }
            StepKind::Combine { from, into, how } if self.seeks_addresses() => {
                let origin = self.computed(scope, routine, from, *into, *how);
                self.value(scope, *into, origin);
            }
            StepKind::Copy { from, to, .. } => self.copy(scope, from, scope, to),
            StepKind::Combine {
                from,
                into,
                how: Combination::Cast | Combination::Choice,
            } if self.may_hold(routine.values[into.0 as usize].ty) => {
                for one in from {
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
                if let Some(origin) = value.and_then(|one| self.origin(scope, routine, one))
                    && is_news(self.returned.get(&id), &origin)
                {
                    self.returned.insert(id, origin);
                    self.more = true;
                }
                if let Some(from) = aggregate
                    && !self.known.cells.is_empty()
                {
                    let cells = self.points_to.touched(scope, from).cells;
                    self.given.entry(id).or_default().extend(cells);
                }
            }
            _ => {}
        }
    }

    fn seeks_addresses(&self) -> bool {
        matches!(self.sought, Sought::Addresses)
    }

    /// The root of the number that depends on addresses and has chosen a place.
    fn chosen(&self, scope: Scope, place: &Location) -> Option<TextPlace> {
        if !self.seeks_addresses() {
            return None;
        }
        let known = |value: &ValueId| self.values.get(&(scope, *value));
        let by_pointer = match &place.base {
            Base::Pointer(value, _) => known(value).and_then(arranged),
            _ => None,
        };
        let mut by_number = place.path.iter().filter_map(|one| match one {
            Projection::Element(value) => known(value).and_then(computed),
            Projection::Member(..) => None,
        });
        by_pointer.or_else(|| by_number.next())
    }

    /// Whether a number is read where a pointer is stored.
    fn piece(&self, scope: Scope, place: &Location, ty: TypeRef) -> Option<Origin> {
        if !self.seeks_addresses() || !self.is_first || self.is_pointer(ty) {
            return None;
        }
        let memory = &self.points_to.memory;
        let touched = self.points_to.touched(scope, place).cells;
        // A member of a struct, read through a pointer that may lead to such structs and to others: where those are of another type,
        // the pointer does not lead there.
        let is_number = |cell: &CellId| {
            let there = memory.cells[cell.0 as usize].ty;
            there.is_some_and(|there| !self.is_pointer(there) && self.may_hold(there))
        };
        if self.is_of_struct(place) && touched.iter().any(is_number) {
            return None;
        }
        let mut cells = touched.into_iter();
        let is_address = cells.any(|cell| {
            let one = &memory.cells[cell.0 as usize];
            let object = &memory.objects[one.object.0 as usize];
            let is_stored = match one.ty {
                Some(there) => self.is_pointer(there),
                // In a struct something else tells what a union holds; one that stands alone is there to look into pointers.
                None => object.ty.is_some_and(|ty| {
                    let unit = &self.program.units[ty.unit];
                    matches!(unit.kind(ty.id), TypeKind::Record(id) if unit.records[id.0].is_union)
                        && matches!(object.kind, ObjectKind::Variable(_))
                }),
            };
            is_stored && self.points_to.pointees(cell).any(|one| self.is_memory(one))
        });
        self.here.filter(|_| is_address).map(Origin::Address)
    }

    /// Whether a place is a member of structs, and of no union.
    fn is_of_struct(&self, place: &Location) -> bool {
        let records = &self.program.units[place.ty.unit].records;
        let members = place.path.iter().filter_map(|one| match one {
            Projection::Member(record, _) => Some(&records[record.0]),
            Projection::Element(_) => None,
        });
        let members: Vec<_> = members.collect();
        !members.is_empty() && members.iter().all(|record| !record.is_union)
    }

    /// Whether a target is somewhere in memory that lies elsewhere in another process. With a fixed heap that is the stack, what belongs to a
    /// thread, and blocks of libraries.
    fn is_memory(&self, target: CellId) -> bool {
        let memory = &self.points_to.memory;
        let object = memory.cells[target.0 as usize].object;
        match &memory.objects[object.0 as usize].kind {
            ObjectKind::Heap { call, .. } => self.moves(call),
            ObjectKind::Variable(id) => {
                let one = self.steps.variable(*id);
                let is_of_call = matches!(one.storage, Storage::Automatic | Storage::Register);
                self.foreign.is_none() || is_of_call || one.per_thread
            }
            ObjectKind::Text(_) => self.foreign.is_none(),
            _ => false,
        }
    }

    /// Whether blocks of a call may lie elsewhere in another process.
    fn moves(&self, call: &TextPlace) -> bool {
        let mut foreign = self.foreign.iter();
        foreign.next().is_none_or(|foreign| foreign.contains(call))
    }

    fn is_pointer(&self, ty: TypeRef) -> bool {
        let kind = self.program.units[ty.unit].kind(ty.id);
        matches!(kind, TypeKind::Pointer(_))
    }

    /// Whether a number has room for an address.
    fn is_wide(&self, ty: TypeRef) -> bool {
        let layout = Layout::of(&self.program.units[ty.unit]);
        layout.bytes(ty.id) >= Some(layout.machine.pointer)
    }

    /// What of addresses is in what was computed.
    fn computed(
        &self,
        scope: Scope,
        routine: &Routine,
        from: &[ValueId],
        into: ValueId,
        how: Combination,
    ) -> Option<Origin> {
        let ty = |value: ValueId| routine.values[value.0 as usize].ty;
        let known = |value: ValueId| self.values.get(&(scope, value)).cloned();
        if matches!(how, Combination::PointerStep | Combination::PointerBack) {
            let [pointer, amount] = from else { return None };
            let by_number = known(*amount).as_ref().and_then(computed);
            let chosen = by_number.or_else(|| known(*pointer).as_ref().and_then(arranged));
            return chosen.map(Origin::Arranged);
        }
        let is_copied = matches!(how, Combination::Cast | Combination::Choice);
        let all = from.iter().filter_map(|&value| {
            let origin = match known(value) {
                Some(origin) => origin,
                // Where a pointer holds a number there is no address.
                None if self.is_pointer(ty(value)) && !self.is_pointer(ty(into)) => {
                    let mut targets = self.points_to.targets(scope, value);
                    let is_address = targets.any(|one| self.is_memory(one));
                    Origin::Address(self.here.filter(|_| is_address)?)
                }
                None => return None,
            };
            match (origin, self.is_pointer(ty(into))) {
                (Origin::Arranged(root), true) => Some(Origin::Arranged(root)),
                (_, true) | (Origin::Arranged(_), false) => None,
                (Origin::Address(root), false) => {
                    let is_cut = self.is_wide(ty(value)) && !self.is_wide(ty(into));
                    let is_piece = !self.is_wide(ty(into)) && !is_copied;
                    Some(match is_cut || is_piece || how == Combination::Scramble {
                        true => Origin::Computed(root),
                        false => Origin::Address(root),
                    })
                }
                (origin, false) => Some(origin),
            }
        });
        all.max()
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
            matches!(kind, ObjectKind::Heap { call, .. } if self.moves(call))
        });
        leads_to_block
            && match self.sought {
                Sought::Values(begins) => begins(id, *pointer),
                Sought::Back => true,
                Sought::Addresses => false,
            }
    }

    /// Whether some function steps forward from what a pointer has, and stores it there again.
    fn steps_forward(&self, cell: CellId) -> bool {
        let memory = &self.points_to.memory;
        if memory.cells[cell.0 as usize].is_many {
            return false;
        }
        let is_it = |id: RoutineId, place: &Location| {
            self.points_to
                .touched(Scope::Routine(id), place)
                .cells
                .contains(&cell)
        };
        self.steps.routine_ids().any(|id| {
            let routine = self.steps.routine(id);
            let mut read: BTreeSet<ValueId> = BTreeSet::new();
            let mut stepped: BTreeSet<ValueId> = BTreeSet::new();
            let mut found = false;
            routine.walk(&mut |step| match &step.kind {
                StepKind::Read { place, into } if is_it(id, place) => {
                    read.insert(*into);
                }
                StepKind::Combine {
                    from,
                    into,
                    how: Combination::PointerStep,
                } if from.first().is_some_and(|one| read.contains(one)) => {
                    stepped.insert(*into);
                }
                StepKind::Combine {
                    from,
                    into,
                    how: Combination::Cast,
                } if from.iter().any(|one| stepped.contains(one)) => {
                    stepped.insert(*into);
                }
                StepKind::Write {
                    place,
                    value: Some(value),
                    ..
                } => found |= stepped.contains(value) && is_it(id, place),
                _ => {}
            });
            found
        })
    }

    /// Numbers that are wide enough, and pointers.
    fn may_hold(&self, ty: TypeRef) -> bool {
        match self.program.units[ty.unit].kind(ty.id) {
            TypeKind::Integer(_) | TypeKind::Enum(_) | TypeKind::Pointer(_) => true,
            TypeKind::Float(_) | TypeKind::Bool => self.seeks_addresses(),
            _ => false,
        }
    }

    /// The origin of a value: its type, or what is known of it.
    fn origin(&self, scope: Scope, routine: &Routine, value: ValueId) -> Option<Origin> {
        let known = self.values.get(&(scope, value)).cloned();
        known.or_else(|| match self.sought {
            Sought::Values(_) => self.of_type(routine.values.get(value.0 as usize)?.ty),
            Sought::Back | Sought::Addresses => None,
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

    fn value(&mut self, scope: Scope, value: ValueId, origin: Option<Origin>) {
        if let Some(origin) = origin
            && is_news(self.values.get(&(scope, value)), &origin)
        {
            self.values.insert((scope, value), origin);
            self.more = true;
        }
    }

    /// What is known of a place.
    fn there(&self, scope: Scope, place: &Location) -> Option<Origin> {
        if self.known.cells.is_empty() {
            return None;
        }
        let touched = self.points_to.touched(scope, place);
        let mut cells = touched.cells.iter().map(|cell| self.known.cells.get(cell));
        match self.seeks_addresses() {
            true => cells.flatten().max().cloned(),
            false => cells.find_map(|one| one).cloned(),
        }
    }

    fn store(&mut self, scope: Scope, place: &Location, origin: Option<Origin>) {
        let Some(origin) = origin else { return };
        let touched = self.points_to.touched(scope, place);
        if !touched.unknown {
            self.mark(touched.cells, &origin);
        }
    }

    fn mark(&mut self, cells: impl IntoIterator<Item = CellId>, origin: &Origin) {
        for cell in cells {
            let ty = self.points_to.memory.cells[cell.0 as usize].ty;
            // Where a handle has its type nothing is hidden.
            let is_open = matches!(origin, Origin::Handle(_))
                && ty.is_some_and(|ty| {
                    handle(self.catalogue, &self.program.units[ty.unit], ty.id).is_some()
                });
            let is_wide = matches!(origin, Origin::Arranged(_))
                || ty.is_none_or(|ty| self.may_hold(ty) || self.is_union(ty));
            let is_told = matches!(self.sought, Sought::Values(_));
            let is_inside = || *origin == Origin::Before && is_told && self.steps_forward(cell);
            let is_news = is_news(self.known.cells.get(&cell), origin);
            if is_wide && !is_open && is_news && !is_inside() {
                self.known.cells.insert(cell, origin.clone());
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
        if self.known.cells.is_empty() {
            return;
        }
        let from = self.points_to.touched(from, source);
        let to = self.points_to.touched(to, target);
        if !to.unknown {
            self.move_all(&from.cells, &to.cells);
        }
    }

    fn move_all(&mut self, from: &[CellId], to: &[CellId]) {
        let memory = &self.points_to.memory;
        // Of the members on the way the last one is the same.
        let last = |cell: CellId| {
            let path = &memory.cells[cell.0 as usize].path;
            path.rsplit('.').next().unwrap_or("").replace("[]", "")
        };
        for source in from {
            let Some(origin) = self.known.cells.get(source).cloned() else {
                continue;
            };
            let name = last(*source);
            let same: Vec<CellId> = to
                .iter()
                .copied()
                .filter(|one| last(*one) == name)
                .collect();
            self.mark(same, &origin);
        }
    }

    fn variable(&self, variable: VariableId) -> Vec<CellId> {
        let object = self.points_to.variable(variable).into_iter();
        object
            .flat_map(|object| self.points_to.cells(object))
            .collect()
    }

    fn call(&mut self, scope: Scope, routine: &'a Routine, call: &'a Call) {
        let callees = self.points_to.callees(scope, call);
        for callee in callees.routines {
            let parameters = &self.steps.routine(callee).parameters;
            for (argument, parameter) in call.arguments.iter().zip(parameters) {
                let target = self.variable(*parameter);
                match &argument.aggregate {
                    Some(place) => {
                        let source = self.points_to.touched(scope, place).cells;
                        self.move_all(&source, &target);
                    }
                    None => {
                        if let Some(origin) = self.origin(scope, routine, argument.value) {
                            self.mark(target, &origin);
                        }
                    }
                }
            }
            let origin = self.returned.get(&callee).cloned();
            self.value(scope, call.result, origin);
            if let (Some(given), Some(variable)) = (self.given.get(&callee), call.aggregate) {
                let given: Vec<CellId> = given.iter().copied().collect();
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
            () if function.is(Role::Descriptor) => Some(Origin::File),
            () if function.is(Role::Numbers) => Some(Origin::Number(function.name.clone())),
            () if function.is(Role::Unnamed) => Some(Origin::Process(function.name.clone())),
            () => None,
        };
        let behind = |position: usize| {
            let argument = call.arguments.get(position)?;
            let touched = self.points_to.behind(scope, argument.value, None);
            (!touched.unknown).then_some(touched.cells)
        };
        let parameter = |kind: &dyn Fn(&EffectKind) -> bool| -> Vec<Vec<CellId>> {
            let effects = function.effects.iter().filter(|one| kind(&one.kind));
            let positions = effects.filter_map(|one| match one.place.root {
                Root::Parameter(position) if one.place.behind == 0 => Some(position),
                _ => None,
            });
            positions.filter_map(behind).collect()
        };
        let result = routine.values[call.result.0 as usize].ty;
        if let Some(origin) = gives.filter(|_| self.of_type(result).is_none()) {
            let stored = parameter(&|kind| *kind == EffectKind::Creates);
            if stored.is_empty() && self.may_hold(result) {
                self.value(scope, call.result, Some(origin));
            } else {
                self.mark(stored.into_iter().flatten(), &origin);
            }
            return;
        }
        if self.known.cells.is_empty() {
            return;
        }
        // What is moved as it lies in memory: `memcpy`, `realloc`.
        let read = parameter(&|kind| *kind == EffectKind::Reads);
        let mut written = parameter(&|kind| matches!(kind, EffectKind::Fills | EffectKind::Writes));
        if function.is(Role::Allocates) {
            let targets = self.points_to.targets(scope, call.result);
            let objects = targets.map(|one| self.points_to.memory.cells[one.0 as usize].object);
            let cells = objects.flat_map(|object| self.points_to.cells(object));
            written.push(cells.collect());
        }
        for from in &read {
            for to in &written {
                self.move_all(from, to);
            }
        }
    }
}

/// The root of what has been arranged.
fn arranged(origin: &Origin) -> Option<TextPlace> {
    origin
        .root()
        .filter(|_| matches!(origin, Origin::Arranged(_)))
}

/// The root of a number that depends on addresses.
fn computed(origin: &Origin) -> Option<TextPlace> {
    origin
        .root()
        .filter(|_| matches!(origin, Origin::Computed(_)))
}

/// Whether there is more to know now: of what depends on addresses, the number is more than the address.
fn is_news(known: Option<&Origin>, origin: &Origin) -> bool {
    let amount = |one: &Origin| match one {
        Origin::Address(_) => 1,
        Origin::Arranged(_) => 2,
        Origin::Computed(_) => 3,
        _ => 0,
    };
    known.is_none_or(|known| amount(known) > 0 && amount(origin) > amount(known))
}
