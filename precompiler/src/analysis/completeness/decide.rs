//! What a restart does about every live location of a checkpoint.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use super::blocks::BlockRead;
use super::cover::{Covers, is_heap};
use super::cures::{Apart, Asked};
use super::facts::Facts;
use super::found::Found;
use super::model::{
    CheckpointCheck, Cure, Decision, DirectivePlace, How, LiveLocation, Missing, Reader,
};
use super::names::{Homes, Names, Viewpoint};
use super::own::Depth;
use super::places::Places;
use super::seen::Seen;
use super::sites::Known;
use super::state::State;
use crate::analysis::allocators::FixedHeap;
use crate::analysis::constants::is_read_only;
use crate::analysis::coverage::Extents;
use crate::analysis::handles::{
    MPI_FILE, REQUEST, handle, is_lock_of_openmp, is_made_last_name, is_remade_name, is_stream,
    is_stream_of_c, leads_to_library,
};
use crate::analysis::liveness::{CheckpointLive, Liveness, Witness};
use crate::analysis::memory::{CellId, CellSet, Memory, ObjectId, ObjectKind};
use crate::analysis::optional::behind;
use crate::analysis::origins::{Origin, Origins};
use crate::analysis::points_to::PointsTo;
use crate::catalog::Catalogue;
use crate::dataflow::steps::{
    RoutineId, StepKind, Steps, TextPlace, TypeRef, Variable, VariableId, VariableKind,
};
use crate::program::{Program, Storage, TypeId, TypeKind, Unit};
use cccp_grammar::{HANDLE_TYPES, LOCK_TYPES};
use rustc_hash::FxHashSet;

/// Everything at hand.
pub(super) struct Deciding<'a> {
    pub program: &'a Program,
    pub catalogue: &'a Catalogue,
    pub steps: &'a Steps,
    pub points_to: &'a PointsTo,
    pub liveness: &'a Liveness<'a>,
    pub covers: &'a Covers,
    pub found: &'a Found,
    pub places: &'a Places<'a>,
    pub facts: &'a Facts<'a>,
    pub block_reads: &'a [BlockRead],
    /// Groups that the first call of a function sets up.
    pub set_up: Vec<BTreeSet<usize>>,
    /// Statics that are registered before anything can be stored to them.
    pub begun: BTreeSet<VariableId>,
    /// The pointers that get new memory.
    pub homes: Homes,
    /// How large blocks of memory are, when somebody asks.
    pub extents: OnceCell<Extents<'a>>,
    /// What was found about places where directives can stand.
    pub known: Known<'a>,
    /// What handles lead to: it comes with them.
    pub opened: BTreeSet<ObjectId>,
    /// Those of them that move on, generators of random numbers and files that a library reads: made again they begin anew.
    pub moving: BTreeSet<ObjectId>,
    /// Those that the library gives back where their handles are registered, and these are not.
    pub moving_of_starts: BTreeSet<ObjectId>,
    /// A thread may hold a lock of OpenMP at a checkpoint: a restart finds it by its register.
    pub holds_locks: bool,
    /// Allocated memory that pointers to handles lead to, and what these are called: its type may have another name.
    pub of_handles: BTreeMap<CellId, String>,
    /// The library restores the state of all generators of random numbers.
    pub generators_restored: bool,
    /// The run notes handles of MPI, because a register holds some.
    pub notes_handles: bool,
    /// It finds them in the fixed heap, too.
    pub finds_handles: bool,
    /// The blocks that a checkpoint holds as they are.
    pub fixed_heap: &'a FixedHeap,
    /// What holds descriptors of open files, and other values that mean something to a library or the system only.
    pub origins: Origins,
    /// Handles that some runs never make.
    pub optional: CellSet,
    /// What is made by functions that make plans and generators and are not noted: the library does not make it again.
    pub made_unseen: BTreeSet<ObjectId>,
    /// Files that zlib writes, which do not come back either.
    pub written_by_zlib: BTreeSet<ObjectId>,
    /// Variables of libraries that whoever reads them sets before.
    pub set_by_readers: BTreeSet<VariableId>,
}

/// A location before it is decided: its name, the variable with which that begins, frame and call.
type Key = (
    String,
    Option<VariableId>,
    Option<RoutineId>,
    Option<TextPlace>,
);

impl Deciding<'_> {
    /// Finds the objects to which handles lead, and memory with handles in it.
    pub fn find_opened(&mut self) {
        let given = self.given_by_calls(|unit, ty| leads_to_library(self.catalogue, unit, ty));
        // What leads to the same objects need not be looked at again.
        let mut followed: FxHashSet<u32> = FxHashSet::default();
        let never_made = behind(self.liveness, &self.optional);
        for number in 0..self.memory().cells.len() {
            let cell = CellId(number as u32);
            if let Some(name) = self.leads_to_handles(cell) {
                for target in self.points_to.pointees(cell) {
                    let object = self.object(target);
                    let kind = &self.memory().objects[object.0 as usize].kind;
                    if matches!(kind, ObjectKind::Heap { .. }) {
                        self.of_handles
                            .entry(target)
                            .or_insert_with(|| name.clone());
                    }
                }
            }
            let holders: Vec<CellId> = if self.leads_to_library(cell) {
                // The library gives one back its state where it is registered; a block does not, nor does what every start makes.
                let is_from_block = self.places.block_that_writes(cell).is_some();
                let is_given_back = self.is_made_last(cell) && !is_from_block;
                if self.moves_on(cell) && !(is_given_back && self.is_named(cell)) {
                    let made = self.points_to.pointees(cell).map(|one| self.object(one));
                    let made = made.filter(|one| {
                        !never_made.contains(one) && !self.written_by_zlib.contains(one)
                    });
                    let made: Vec<ObjectId> = made
                        .filter(|one| self.may_be_opened(*one, &given))
                        .collect();
                    match is_given_back {
                        true => self.moving_of_starts.extend(made),
                        false => self.moving.extend(made),
                    }
                }
                vec![cell]
            } else if self.leads_to_streams(cell) {
                // Memory with streams in it, which may have no type of its own.
                self.points_to.pointees(cell).collect()
            } else {
                continue;
            };
            for holder in holders {
                if !followed.insert(self.points_to.pointees_number(holder)) {
                    continue;
                }
                let targets = self.points_to.pointees(holder);
                let objects = targets.map(|target| self.object(target));
                let objects: Vec<ObjectId> = objects
                    .filter(|&one| self.may_be_opened(one, &given))
                    .collect();
                self.opened.extend(objects);
            }
        }
        // In the fixed heap the run finds streams, whatever the type of the memory is that points to them.
        if self.fixed_heap.is_there() {
            let given = self.given_by_calls(is_stream_of_c);
            let objects = self.memory().objects.iter().enumerate();
            let streams = objects.filter(|(_, object)| match &object.kind {
                ObjectKind::Heap { call, .. } => {
                    !self.fixed_heap.holds(call) && given.contains(call)
                }
                _ => false,
            });
            let streams: Vec<ObjectId> =
                streams.map(|(number, _)| ObjectId(number as u32)).collect();
            self.opened.extend(streams);
        }
    }

    /// The calls that give what has such a type.
    fn given_by_calls(&self, is_one: impl Fn(&Unit, TypeId) -> bool) -> BTreeSet<TextPlace> {
        let mut found = BTreeSet::new();
        for id in self.steps.routine_ids() {
            let routine = self.steps.routine(id);
            let unit = routine.function.unit;
            routine.walk(&mut |step| {
                if let StepKind::Call(call) = &step.kind {
                    let ty = routine.values[call.result.0 as usize].ty;
                    if is_one(&self.program.units[ty.unit], ty.id) {
                        let span = step.span;
                        found.insert(TextPlace { unit, span });
                    }
                }
            });
        }
        found
    }

    /// Whether a library may have made it: no variable of the program, nor memory in which the program keeps what is no
    /// handle. A pointer to a handle may point to these as far as anybody knows, and they are saved all the same. `given` are the calls
    /// that give handles: what such a one leads to may have a type that everybody sees (`struct gzFile_s`).
    fn may_be_opened(&self, object: ObjectId, given: &BTreeSet<TextPlace>) -> bool {
        let object = &self.memory().objects[object.0 as usize];
        if matches!(&object.kind, ObjectKind::Heap { call, .. } if given.contains(call)) {
            return true;
        }
        let is_ours = match object.kind {
            ObjectKind::Variable(variable) => self.steps.variable(variable).is_defined,
            _ => false,
        };
        let is_handle = |ty: TypeRef| {
            let unit = &self.program.units[ty.unit];
            handle(self.catalogue, unit, ty.id).is_some()
        };
        object.ty.map_or(!is_ours, is_handle)
    }

    /// All checkpoints.
    pub fn checkpoints(&self) -> Vec<CheckpointCheck> {
        let live = self.liveness.checkpoints().iter().enumerate();
        live.filter_map(|(number, live)| self.checkpoint(number, live))
            .collect()
    }

    /// All memory.
    pub fn memory(&self) -> &Memory {
        &self.points_to.memory
    }

    fn checkpoint(&self, number: usize, live: &CheckpointLive) -> Option<CheckpointCheck> {
        let directive = DirectivePlace {
            unit: live.unit,
            id: live.directive,
        };
        let state = self.found.checkpoints.get(&directive)?;
        let states = live.cells.intersection(&state.changed);
        let states = states.map(|cell| CellId(cell as u32));
        let states = states.filter(|cell| self.is_of_library(*cell)).collect();
        let seen = self.seen(live, state);
        let pointed = self.pointed(live, state, &seen);
        let mut all_live = live.cells.clone();
        let mut views: Vec<Viewpoint> = vec![(live.routine, live.place)];
        for frame in &live.frames {
            all_live.union_with(&frame.cells);
            views.push((frame.routine, frame.call));
        }
        let names = Names::of(
            self.program,
            self.steps,
            self.points_to,
            &views,
            &all_live,
            (&self.covers.crowds, &self.homes),
        );
        let mut missing: BTreeMap<Key, Vec<Seen>> = BTreeMap::new();
        let strayed = self.strayed(live, state, &seen);
        let mut held: Vec<(Key, How, CellId)> = Vec::new();
        for one in seen {
            let hidden = self.hidden_state(one.cell).map(str::to_string);
            let Some(mut name) = names.item(one.cell).or(hidden) else {
                continue;
            };
            // What is in a lock is its library's.
            if self.holds_locks
                && self.is_lock(one.cell)
                && let Some(end) = name.find('.')
            {
                name.truncate(end);
            }
            let stray = strayed.get(&one.cell).filter(|_| one.is_plain());
            let is_linked = self.covers.linked.contains(one.cell.0 as usize);
            name.push_str(match stray {
                Some(Depth::Block) => "[…]",
                Some(Depth::Beyond) => "[…][…]",
                None if is_linked && name.ends_with("[…]") => "[…]",
                None => "",
            });
            let (routine, call) = one.frame.unzip();
            let key = (name, names.root(one.cell), routine, call.flatten());
            if stray.is_some() || self.is_missing(&one) {
                missing.entry(key).or_default().push(one);
            } else if one.only_memory.is_none() && one.read_by_block.is_none() {
                held.push((key, self.how(&one, live), one.cell));
            }
        }
        let mut locations = self.missing(number, live, missing, (&names, &views, &all_live));
        locations.extend(group(held));
        locations.sort_by(|a, b| (&a.name, a.frame, a.call).cmp(&(&b.name, b.frame, b.call)));
        Some(CheckpointCheck {
            directive,
            routine: live.routine,
            locations,
            pointed,
            states,
        })
    }

    pub(super) fn object(&self, cell: CellId) -> ObjectId {
        self.memory().cells[cell.0 as usize].object
    }

    pub(super) fn variable(&self, cell: CellId) -> Option<&Variable> {
        match self.memory().objects[self.object(cell).0 as usize].kind {
            ObjectKind::Variable(variable) => Some(self.steps.variable(variable)),
            _ => None,
        }
    }

    /// Whether it is of a variable of a library that the program does not set.
    pub(super) fn is_left_to_library(&self, cell: CellId) -> bool {
        let variable = self.variable(cell);
        variable.is_some_and(|one| one.is_left_to_library(self.program, self.catalogue))
    }

    /// Whether it is a variable that lives as long as the program.
    pub(super) fn is_of_program(&self, cell: CellId) -> bool {
        self.variable(cell).is_some() && self.automatic(cell).is_none()
    }

    /// The function whose automatic local it is.
    pub(super) fn automatic(&self, cell: CellId) -> Option<RoutineId> {
        let variable = self.variable(cell)?;
        let is_automatic = matches!(variable.storage, Storage::Automatic | Storage::Register);
        variable.owner.filter(|_| is_automatic)
    }

    /// Whether a cell has no value in one state.
    pub fn is_lost<'s>(&'s self, cell: CellId, state: &'s State) -> bool {
        // A block that makes a generator again looks at nothing that another one has drawn.
        !self.moving.contains(&self.object(cell))
            && self.is_missing(&Seen::new(cell, None, vec![state]))
    }

    pub(super) fn is_missing(&self, one: &Seen) -> bool {
        let index = one.cell.0 as usize;
        let any = |test: &dyn Fn(&State) -> bool| one.states.iter().any(|state| test(state));
        if self.opened.contains(&self.object(one.cell)) {
            // It comes with its handle, but for what a generator has drawn since it was made again.
            let object = self.object(one.cell);
            let by_starts = self.moving_of_starts.contains(&object);
            let begins_anew = |state: &State| {
                let by_start = by_starts && !state.made.contains(index);
                by_start || self.moving.contains(&object)
            };
            return one.only_memory.is_none()
                && any(&|state| state.lost.contains(index) && begins_anew(state));
        }
        if self.is_in_fixed_heap(one.cell) {
            // What every start sets before `init` is overwritten, too.
            return !self.is_fixed(one.cell)
                && one.only_memory.is_none()
                && any(&|state| state.open.contains(index));
        }
        if self.covers.numbers.contains_key(&one.cell) && one.only_memory.is_none() {
            return true;
        }
        if is_heap(self.memory(), index) {
            let made = any(&|state| state.made.contains(index));
            let content = one.only_memory.is_none();
            if self.facts.conditional.contains(index) {
                let kept = any(&|state| state.kept.contains(index));
                let changed = any(&|state| state.changed.contains(index));
                return !kept && (made || changed && content);
            }
            let open = any(&|state| state.open.contains(index));
            let lost = any(&|state| state.lost.contains(index));
            return made && open || lost && content;
        }
        let Some(variable) = self.variable(one.cell) else {
            return self.hidden_state(one.cell).is_some()
                && !self.generators_restored
                && one.only_memory.is_none()
                && any(&|state| state.changed.contains(index))
                && self.places.block_that_writes(one.cell).is_none();
        };
        let is_ours = matches!(
            variable.kind,
            VariableKind::Named | VariableKind::Parameter(_) | VariableKind::OtherThreads
        ) && variable.is_of_program(self.program, self.catalogue);
        let is_open = any(&|state| state.open.contains(index));
        if one.only_memory.is_some() {
            // The run finds constants by themselves.
            return is_ours && is_open && !is_read_only(self.program, variable);
        }
        // It is made when everything is back, and the call that is given it comes before.
        let is_given = matches!(variable.kind, VariableKind::Parameter(_));
        if is_given && (self.is_request_made_again(one.cell) || self.is_made_last(one.cell)) {
            return is_ours && is_open;
        }
        if is_given && self.is_lost_by_value(one.cell, variable) && one.only_memory.is_none() {
            return is_ours && is_open;
        }
        is_ours
            && !self.is_begun(one.cell)
            && (any(&|state| state.lost.contains(index))
                || (one.later || self.holds_locks && self.is_lock(one.cell))
                    && any(&|state| state.open.contains(index)))
            && !self.is_set_by_readers(one.cell)
            && !self.is_constant(variable)
            && !is_read_only(self.program, variable)
            && !self.is_set_up(one)
    }

    /// Whether it is a handle in a struct that is handed over by value: the replay log has that, and knows handles only where all are
    /// noted, and the streams of C.
    fn is_lost_by_value(&self, cell: CellId, variable: &Variable) -> bool {
        let unit = &self.program.units[variable.ty.unit];
        let is_struct = matches!(unit.kind(variable.ty.id), TypeKind::Record(_));
        let ty = self.memory().cells[cell.0 as usize].ty;
        let is_handle = ty.is_some_and(|ty| {
            let unit = &self.program.units[ty.unit];
            !is_stream_of_c(unit, ty.id) && handle(self.catalogue, unit, ty.id).is_some()
        });
        is_struct && is_handle && !self.notes_handles
    }

    fn is_set_by_readers(&self, cell: CellId) -> bool {
        matches!(self.memory().objects[self.object(cell).0 as usize].kind,
            ObjectKind::Variable(id) if self.set_by_readers.contains(&id))
    }

    /// Whether it is a lock of OpenMP, or lies in an array of such.
    fn is_lock(&self, cell: CellId) -> bool {
        let Some(ty) = self.memory().objects[self.object(cell).0 as usize].ty else {
            return false;
        };
        let unit = &self.program.units[ty.unit];
        let mut id = ty.id;
        while let TypeKind::Array { element, .. } = unit.kind(id) {
            id = *element;
        }
        is_lock_of_openmp(unit, id)
    }

    /// The item for the block in which a member lies, where a restart does not allocate it.
    fn block_around(&self, name: &str, cells: &[Seen]) -> Option<String> {
        let (pointer, _) = name.rsplit_once("->")?;
        let mut objects = cells.iter().map(|one| self.object(one.cell));
        let is_late = objects.any(|object| self.covers.late.contains(&object));
        is_late.then(|| format!("{pointer}[1]"))
    }

    /// Whether it is a handle of what moves on: a generator of random numbers, a file that a library reads.
    pub(super) fn moves_on(&self, cell: CellId) -> bool {
        self.reads(cell) || self.is_kind_of(cell, |name| self.catalogue.is_generator(name))
    }

    /// Whether it is a handle of a file that a library reads.
    pub(super) fn reads(&self, cell: CellId) -> bool {
        self.is_kind_of(cell, |name| self.catalogue.is_reader(name))
    }

    fn is_kind_of(&self, cell: CellId, is_one: impl Fn(&str) -> bool) -> bool {
        let name = self.handle_name(cell);
        name.is_some_and(|name| is_one(name.trim_end_matches([' ', '*'])))
    }

    /// Whether it lies in the fixed heap.
    pub(super) fn is_in_fixed_heap(&self, cell: CellId) -> bool {
        let object = &self.memory().objects[self.object(cell).0 as usize];
        matches!(&object.kind, ObjectKind::Heap { call, .. } if self.fixed_heap.holds(call))
    }

    /// Whether it comes back with the fixed heap: not what means nothing in another process.
    pub(super) fn is_fixed(&self, cell: CellId) -> bool {
        // The run finds the streams of the C library in it, what it makes again, locks, and handles of MPI that are addresses.
        let ty = self.memory().cells[cell.0 as usize].ty;
        let is_stream = ty.is_some_and(|ty| is_stream_of_c(&self.program.units[ty.unit], ty.id));
        // Memory as large as several numbers has no type of its own.
        let led_to = || self.of_handles.get(&cell).cloned();
        let is_found = { self.handle_name(cell).or_else(led_to) }.is_some_and(|name| {
            let is_of_mpi = HANDLE_TYPES.contains(&name.as_str());
            let is_of_c = name == STREAM || LOCK_TYPES.contains(&name.as_str());
            is_of_c || is_of_mpi && self.finds_handles
        });
        if is_stream || is_found || self.is_made_last(cell) {
            return self.is_in_fixed_heap(cell);
        }
        self.is_in_fixed_heap(cell)
            && !self.liveness.jump_buffers.contains(cell.0 as usize)
            && !self.is_descriptor(cell)
            && !self.is_stream(cell)
            && !self.depends_on_addresses(cell)
            && (self.handle_name(cell).is_none() || self.optional.contains(cell.0 as usize))
    }

    /// Who makes it needed at a checkpoint.
    pub fn reader(&self, checkpoint: usize, one: &Seen) -> Reader {
        match one.read_by_block {
            Some(read) => Reader::Block(Witness {
                read: read.read,
                routine: read.routine,
                through: vec![read.block],
            }),
            None => Reader::Later {
                checkpoint,
                cell: one.only_memory.unwrap_or(one.cell),
            },
        }
    }

    /// Whether it belongs to a static that is registered before anything can be stored to it.
    pub(super) fn is_begun(&self, cell: CellId) -> bool {
        match self.memory().objects[self.object(cell).0 as usize].kind {
            ObjectKind::Variable(variable) => self.begun.contains(&variable),
            _ => false,
        }
    }

    /// For each location the nearest read of its first cell for which one is seen.
    fn witnesses(&self, number: usize, missing: &[(Key, Vec<Seen>)]) -> Vec<Option<Witness>> {
        let mut found: Vec<Option<Witness>> = vec![None; missing.len()];
        // There may be many cells, and nearly always one is seen for the first.
        for others in [false, true] {
            let asked = |cells: &[Seen]| -> Vec<Reader> {
                let (first, rest) = cells.split_at(1.min(cells.len()));
                let chosen = if others { rest } else { first };
                { chosen.iter() }
                    .map(|one| self.reader(number, one))
                    .collect()
            };
            let open = found.iter_mut().zip(missing);
            let open: Vec<(&mut Option<Witness>, Vec<Reader>)> = open
                .filter(|(known, _)| known.is_none())
                .map(|(known, (_, cells))| (known, asked(cells)))
                .collect();
            let readers = open.iter().flat_map(|(_, readers)| readers);
            let later = readers.filter_map(|one| match one {
                Reader::Later { cell, .. } => Some(*cell),
                Reader::Block(_) => None,
            });
            let reads = { self.liveness }.why_all_live(number, &later.collect::<Vec<_>>());
            for (known, readers) in open {
                *known = readers.into_iter().find_map(|one| match one {
                    Reader::Block(witness) => Some(witness),
                    Reader::Later { cell, .. } => reads.get(&cell).cloned(),
                });
            }
        }
        found
    }

    fn missing(
        &self,
        number: usize,
        live: &CheckpointLive,
        missing: BTreeMap<Key, Vec<Seen>>,
        (names, views, all_live): (&Names, &[Viewpoint], &CellSet),
    ) -> Vec<LiveLocation> {
        // The pointer comes with the memory behind it.
        let with_memory: BTreeSet<(String, Option<VariableId>)> = missing
            .keys()
            .filter_map(|(name, root, ..)| Some((name.strip_suffix("[…]")?.to_string(), *root)))
            .collect();
        let missing: Vec<(Key, Vec<Seen>)> = { missing.into_iter() }
            .filter(|((name, root, ..), _)| !with_memory.contains(&(name.clone(), *root)))
            .collect();
        let mut locations = Vec::new();
        let apart = Apart::default();
        let witnesses = self.witnesses(number, &missing);
        for (((name, root, frame, call), cells), witness) in missing.into_iter().zip(witnesses) {
            let read = witness.as_ref().map(|one| one.read);
            let changed = cells
                .iter()
                .find_map(|one| self.places.change(one.cell, live.routine, live.place, read));
            let empty = cells.iter().find_map(|one| self.saved_empty(one.cell));
            let made = cells.iter().find_map(|one| self.origins.place(one.cell));
            let changed = made.filter(|_| empty.is_some()).or(changed);
            let block = self.block_around(&name, &cells);
            let cure = self.cure(&Asked {
                name: &name,
                cells: &cells,
                changed,
                views: match (frame, call) {
                    (None, _) => views.to_vec(),
                    (Some(routine), None) => vec![(routine, live.place)],
                    (Some(routine), Some(call)) => vec![(routine, call)],
                },
                names,
                live: all_live,
                apart: &apart,
            });
            let changed = match cure {
                Cure::Execute { made, .. } => made.or(changed),
                _ => changed,
            };
            locations.push(LiveLocation {
                name,
                root,
                cells: cells.into_iter().map(|one| one.cell).collect(),
                frame,
                call,
                decision: Decision::Missing(Box::new(Missing {
                    read: witness,
                    changed,
                    empty,
                    block,
                    cure,
                })),
            });
        }
        locations
    }

    /// The name of the state of a library that a restart changes the results of: that of random numbers.
    pub(super) fn hidden_state(&self, cell: CellId) -> Option<&str> {
        match &self.memory().objects[self.object(cell).0 as usize].kind {
            ObjectKind::Library(name) if name.trim_start_matches('@') == "random" => Some(name),
            _ => None,
        }
    }

    /// Whether it is a state of a library.
    fn is_of_library(&self, cell: CellId) -> bool {
        let object = &self.memory().objects[self.object(cell).0 as usize];
        matches!(object.kind, ObjectKind::Library(_))
    }

    /// Where a value comes from of which an item saves the number or the address only.
    fn saved_empty(&self, cell: CellId) -> Option<Origin> {
        let mut covers = self.covers.all.iter();
        let is_saved = covers.any(|cover| cover.empty.contains(&(cell.0 as usize)));
        self.origins.in_cell(cell).filter(|_| is_saved).cloned()
    }

    /// Whether a cell holds a pointer that lies before its memory.
    pub(super) fn lies_before(&self, cell: CellId) -> bool {
        self.origins.in_cell(cell) == Some(&Origin::Before)
    }

    /// Whether a cell holds what fits the addresses of this process only.
    pub(super) fn depends_on_addresses(&self, cell: CellId) -> bool {
        let origin = self.origins.in_cell(cell);
        origin.is_some_and(Origin::depends_on_addresses)
    }

    /// Whether a cell holds the descriptor of an open file.
    pub(super) fn is_descriptor(&self, cell: CellId) -> bool {
        let ty = self.memory().cells[cell.0 as usize].ty;
        let is_integer = ty.is_some_and(|ty| {
            let unit = &self.program.units[ty.unit];
            matches!(unit.kind(ty.id), TypeKind::Integer(_))
        });
        is_integer && self.origins.in_cell(cell) == Some(&Origin::File)
    }

    /// Whether a cell is a handle, and what it leads to the library's.
    fn leads_to_library(&self, cell: CellId) -> bool {
        let ty = self.memory().cells[cell.0 as usize].ty;
        ty.is_some_and(|ty| leads_to_library(self.catalogue, &self.program.units[ty.unit], ty.id))
    }

    /// Whether a cell holds a request that may be persistent, and that the library makes again.
    pub(super) fn is_request_made_again(&self, cell: CellId) -> bool {
        self.liveness.effects.may_make_persistent
            && self.is_stream(cell)
            && self.handle_name(cell).as_deref() == Some(REQUEST)
    }

    /// Whether a cell holds a plan of FFTW or a generator of GSL that the library makes again.
    pub(super) fn is_made_last(&self, cell: CellId) -> bool {
        let name = self.handle_name(cell);
        name.is_some_and(|name| is_made_last_name(&name)) && !self.is_made_unseen(cell)
    }

    /// Whether a cell holds one of which the library does not know how it was made, or that it cannot make again.
    fn is_made_unseen(&self, cell: CellId) -> bool {
        let all = [&self.made_unseen, &self.written_by_zlib];
        let made = |one| all.iter().any(|all| all.contains(&self.object(one)));
        all.iter().any(|all| !all.is_empty()) && self.points_to.pointees(cell).any(made)
    }

    /// Whether a register names a cell, or brings the memory in which it lies.
    fn is_named(&self, cell: CellId) -> bool {
        let index = cell.0 as usize;
        let mut covers = self.covers.all.iter();
        covers.any(|cover| cover.named.contains(&index) || cover.behind.contains(&index))
    }

    /// What handles are called that a pointer points to, when it is no handle itself.
    fn leads_to_handles(&self, cell: CellId) -> Option<String> {
        let ty = self.memory().cells[cell.0 as usize].ty?;
        let unit = &self.program.units[ty.unit];
        let target = unit.pointee(ty.id)?;
        let is_handle = leads_to_library(self.catalogue, unit, target);
        let found = is_handle && !leads_to_library(self.catalogue, unit, ty.id);
        found
            .then(|| handle(self.catalogue, unit, target))
            .flatten()
    }

    /// Whether a cell is a pointer to memory with streams of the C library.
    fn leads_to_streams(&self, cell: CellId) -> bool {
        let ty = self.memory().cells[cell.0 as usize].ty;
        ty.is_some_and(|ty| {
            let unit = &self.program.units[ty.unit];
            let target = unit.pointee(ty.id);
            target.is_some_and(|target| is_stream(unit, target))
        })
    }

    /// Whether a cell is a stream of the C library or a file of MPI, which come back when they are registered.
    pub(super) fn is_stream(&self, cell: CellId) -> bool {
        let ty = self.memory().cells[cell.0 as usize].ty;
        let in_memory = || {
            let is_noted = self.program.units.iter().any(|unit| unit.notes_handles);
            let name = self.of_handles.get(&cell).map(String::as_str);
            name.is_some_and(|one| {
                one == MPI_FILE || one == STREAM || is_remade_name(one, is_noted)
            })
        };
        let is_one = ty.is_some_and(|ty| is_stream(&self.program.units[ty.unit], ty.id));
        (is_one || in_memory()) && !self.is_made_unseen(cell)
    }

    /// The name of the handle type that is in a cell, or of the function whose number is there.
    pub(super) fn handle_name(&self, cell: CellId) -> Option<String> {
        if !self.is_descriptor(cell)
            && !self.lies_before(cell)
            && !self.depends_on_addresses(cell)
            && let Some(origin) = self.origins.in_cell(cell)
        {
            return Some(origin.name().to_string());
        }
        let ty = self.memory().cells[cell.0 as usize].ty?;
        let unit = &self.program.units[ty.unit];
        if matches!(unit.kind(ty.id), TypeKind::Void) {
            return None;
        }
        let in_memory = || self.of_handles.get(&cell).cloned();
        handle(self.catalogue, unit, ty.id).or_else(in_memory)
    }
}

/// What `handle` calls a stream of the C library.
const STREAM: &str = "FILE *";

/// Cells of one name that are held in the same way.
fn group(held: Vec<(Key, How, CellId)>) -> Vec<LiveLocation> {
    let mut locations: Vec<LiveLocation> = Vec::new();
    for ((name, root, frame, call), how, cell) in held {
        let decision = Decision::Held(how);
        let known = locations.iter_mut().find(|one| {
            one.name == name
                && one.root == root
                && one.frame == frame
                && one.call == call
                && one.decision == decision
        });
        match known {
            Some(known) => known.cells.push(cell),
            None => locations.push(LiveLocation {
                name,
                root,
                cells: vec![cell],
                frame,
                call,
                decision,
            }),
        }
    }
    locations
}
