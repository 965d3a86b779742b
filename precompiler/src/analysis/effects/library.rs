//! What a call of a library function does, by the catalogue.
//!
//! In: a call and the entry of what it calls. Out: actions: first all that may be read, then callbacks, then what comes
//! to life, then what is stored to. `fills` overwrites when the memory is surely all of what it names: one variable, or
//! as many bytes as it has.
//!
//! ```text
//! MPI_Comm_rank(comm, &rank);         read comm's object, @mpi; overwrite rank
//! memcpy(a, b, sizeof a);             read b[]; overwrite a[]
//! fread(a, 8, n, file);               read @streams; store to a[], @streams
//! ```
//!
//! Errors fall on the side of reading and of not overwriting.

use std::collections::{BTreeSet, HashMap};

use rustc_hash::FxHashSet;

use crate::analysis::kept_states::BUFFERS;
use crate::analysis::memory::{CellId, ObjectId};
use crate::catalog::{
    Alternative, Condition, Effect, EffectKind, LibraryFunction, Place, Role, Root,
};
use crate::dataflow::steps::{Call, Routine, RoutineId};
use crate::program::{Program, SymbolKind, TypeId, Unit};
use crate::source::Span;

use super::extents::Measured;
use super::formats;
use super::kept::state_name;
use super::lower::{Lowering, list_of};
use super::model::{Action, ActionKind, Note, SetId};

/// State that stands for all that code which nobody sees can reach.
const ESCAPED: &str = "@escaped";

impl Lowering<'_> {
    /// The actions of a call of a library function.
    pub fn library(
        &mut self,
        id: RoutineId,
        routine: &Routine,
        call: &Call,
        function: &LibraryFunction,
        span: Span,
        to: &mut Vec<Action>,
    ) {
        let mut reads: Vec<CellId> = Vec::new();
        let mut writes: Vec<CellId> = Vec::new();
        let mut fills: Vec<Vec<CellId>> = Vec::new();
        let mut frees: Vec<(Vec<CellId>, bool)> = Vec::new();
        let mut notes: Vec<Note> = function
            .roles
            .iter()
            .map(|&role| Note::Role(role))
            .collect();
        let mut routines: BTreeSet<RoutineId> =
            self.callbacks(id, call, function).into_iter().collect();
        for effect in &function.effects {
            // Making a persistent request touches no buffer: starting it does.
            let until = matches!(effect.place.condition, Some(Condition::Until(_)));
            if until && function.is(Role::Persistent) {
                continue;
            }
            let given = match effect.place.condition {
                Some(Condition::If(parameter)) => routine.constant_argument(call, parameter),
                _ => None,
            };
            if given == Some(0) {
                continue;
            }
            if let Some(Condition::Counting(format)) = effect.place.condition
                && !self.may_count(id, call, format)
            {
                continue;
            }
            let (cells, exact) = self.place(id, call, function, &effect.place, span);
            self.through_pointer(&cells);
            self.note(self.parameter_behind(call, &effect.place), cells.clone());
            let always = match effect.place.condition {
                None => true,
                Some(Condition::If(_)) => given.is_some(),
                Some(
                    Condition::At(_)
                    | Condition::Until(_)
                    | Condition::Unless(_)
                    | Condition::Counting(_),
                ) => false,
            };
            let spared = match effect.place.condition {
                Some(Condition::Unless(parameter)) => self.hands_over_memory(id, call, parameter),
                _ => None,
            };
            let memory =
                spared.or_else(|| self.begins_anew(id, call, function, &effect.place.root));
            let (spared, begins) = (spared.is_some(), memory.is_some());
            if memory.is_some_and(|memory| memory.once_set) && !notes.contains(&Note::OnceSet) {
                notes.push(Note::OnceSet);
            }
            match &effect.kind {
                EffectKind::Reads if begins => {}
                EffectKind::Writes
                    if begins && !spared || sets_buffer(function, &effect.place.root) =>
                {
                    fills.push(cells);
                }
                EffectKind::Reads => reads.extend(cells),
                EffectKind::Writes => {
                    if let Root::Hidden(state) = &effect.place.root
                        && !only_installs(function, state)
                    {
                        routines.extend(self.handlers(&state_name(state)));
                    }
                    writes.extend(self.without_persistent(function, cells));
                }
                EffectKind::Fills if always && exact => {
                    fills.push(self.without_persistent(function, cells));
                }
                EffectKind::Fills => writes.extend(self.without_persistent(function, cells)),
                EffectKind::Frees => frees.push((cells, exact && always)),
                EffectKind::Keeps(state) => {
                    if state
                        .as_deref()
                        .is_some_and(|state| state_name(state) == ESCAPED)
                    {
                        routines.extend(&self.from_outside);
                    }
                }
                EffectKind::Creates => {
                    // A handle is put where the entry says what is filled; otherwise anywhere there.
                    let filled = function.effects.iter().find(|other| {
                        other.kind == EffectKind::Fills
                            && other.place.root == effect.place.root
                            && other.place.behind == effect.place.behind
                            && other.place.members == effect.place.members
                            && effect.place.extent.is_none()
                    });
                    let cells = match filled {
                        Some(filled) => self.place(id, call, function, &filled.place, span).0,
                        None => cells,
                    };
                    let set = self.set(cells.clone());
                    notes.push(Note::Creates(set));
                    if filled.is_none() {
                        writes.extend(cells);
                    }
                }
                EffectKind::Destroys => {
                    reads.extend(&cells);
                    let set = self.without_persistent(function, cells);
                    let set = self.set(set);
                    notes.push(Note::Destroys(set));
                }
            }
        }
        for (place, _) in &function.stores {
            let (cells, _) = self.place(id, call, function, place, span);
            self.note(None, cells.clone());
            writes.extend(cells);
        }
        if let Some((sent, received)) = function.in_place {
            let cells = self.in_place(id, routine, call, sent, received);
            self.note(None, cells.clone());
            reads.extend(cells);
        }
        let is_exit = |effect: &Effect| {
            effect.kind == EffectKind::Reads
                && matches!(&effect.place.root, Root::Hidden(state) if state_name(state) == "@exit")
        };
        if function.is(Role::Exits) && function.effects.iter().any(is_exit) {
            routines.extend(self.handlers("@exit"));
        }
        self.add_read(reads, span, to);
        for (cells, all) in frees {
            if !cells.is_empty() {
                let cells = self.set(cells);
                let kind = ActionKind::Free { cells, all };
                to.push(Action { kind, span });
            }
        }
        if !routines.is_empty() {
            let kind = ActionKind::Call {
                routines: routines.into_iter().collect(),
                surely: false,
                spared: SetId::default(),
            };
            to.push(Action { kind, span });
        }
        let begun = self.allocated(id, span).to_vec();
        for &object in &begun {
            let object_of = &self.points_to.memory.objects[object.0 as usize];
            // In a function that allocates for several callers it is any one of theirs.
            let all = object_of.is_single && begun.len() == 1;
            to.push(Action {
                kind: ActionKind::Begin { object, all },
                span,
            });
        }
        self.add_write(writes, false, span, to);
        for cells in fills {
            self.add_write(cells, true, span, to);
        }
        to.extend(notes.into_iter().map(|note| Action {
            kind: ActionKind::Note(note),
            span,
        }));
        if function.is(Role::JumpsFar) {
            to.push(Action {
                kind: ActionKind::Jump,
                span,
            });
        } else if function.never_returns && !function.is(Role::EndsThread) {
            // Where a thread alone ends, those that run on find what it has changed, as if its functions had returned.
            to.push(Action {
                kind: ActionKind::Stop,
                span,
            });
        }
    }

    /// The parameter of the function itself behind which a place surely lies.
    fn parameter_behind(&self, call: &Call, place: &Place) -> Option<usize> {
        let Root::Parameter(position) = place.root else {
            return None;
        };
        let argument = call.arguments.get(position)?;
        let near = place.behind == 0 && place.members.is_empty() && !place.everything;
        let value = (near && argument.aggregate.is_none()).then_some(argument.value)?;
        self.own.values.get(&value).copied()
    }

    /// The functions of the program that the library calls because of this call, before it returns.
    pub fn callbacks(
        &self,
        id: RoutineId,
        call: &Call,
        function: &LibraryFunction,
    ) -> Vec<RoutineId> {
        let mut routines = Vec::new();
        for one in &function.calls {
            let Root::Parameter(parameter) = one.callback.root else {
                continue;
            };
            if let Some(argument) = call.arguments.get(parameter) {
                let targets: Vec<CellId> = self.points_to.targets(id, argument.value).collect();
                routines.extend(self.routines_in(&targets));
            }
        }
        routines
    }

    /// The functions that whoever uses a state may call.
    fn handlers(&self, state: &str) -> Vec<RoutineId> {
        match state {
            "@signals" => self.kept.any_time.iter().copied().collect(),
            "@threads" => {
                let ends = self.kept.states.get(state).map(|kept| &kept.routines);
                let any_time = self.kept.any_time.iter();
                any_time
                    .chain(ends.into_iter().flatten())
                    .copied()
                    .collect()
            }
            "@exit" => self.kept.at_exit.iter().copied().collect(),
            ESCAPED => self.from_outside.to_vec(),
            _ => self
                .kept
                .states
                .get(state)
                .map(|kept| kept.routines.iter().copied().collect())
                .unwrap_or_default(),
        }
    }

    /// The cells of a place, and whether these are surely stored to as a whole when all of the place is.
    pub fn place(
        &self,
        id: RoutineId,
        call: &Call,
        function: &LibraryFunction,
        place: &Place,
        span: Span,
    ) -> (Vec<CellId>, bool) {
        let (start, mut exact) = match &place.root {
            Root::Parameter(parameter) => {
                let of = Measured {
                    routine: id,
                    call,
                    function,
                };
                let bytes = self.bytes(&of, *parameter, place.extent.as_ref());
                self.argument(id, call, *parameter, bytes)
            }
            Root::Rest => {
                let mut cells = Vec::new();
                for parameter in function.parameters.len()..call.arguments.len() {
                    cells.extend(self.argument(id, call, parameter, None).0);
                }
                (cells, false)
            }
            Root::Returned => {
                let mut cells = Vec::new();
                for &object in self.allocated(id, span) {
                    cells.extend(self.points_to.cells(object));
                }
                let targets = self.points_to.targets(id, call.result);
                cells.extend(self.whole(targets));
                (cells, false)
            }
            Root::Hidden(state) => (self.state(&state_name(state), function), false),
        };
        let mut cells = start;
        let mut levels = place.behind;
        if !place.members.is_empty() {
            cells = self.members(cells, &place.members);
            levels += 1;
        }
        for _ in 0..levels {
            exact = false;
            cells = self.behind(&cells);
        }
        if place.everything {
            exact = false;
            cells = list_of(&self.points_to.reachable(cells));
        }
        (cells, exact)
    }

    /// Whether a format may have a `%n`: it is no text of the program, or one that has.
    fn may_count(&self, id: RoutineId, call: &Call, format: usize) -> bool {
        let Some(argument) = call.arguments.get(format) else {
            return true;
        };
        let texts = self.points_to.texts_behind(id, argument.value);
        texts.is_none_or(|texts| {
            let mut texts = texts.into_iter();
            texts.any(|at| {
                let file = &self.program.units[at.unit].file;
                formats::counts(file.preprocessed_text(at.span))
            })
        })
    }

    /// The memory behind an argument.
    fn argument(
        &self,
        id: RoutineId,
        call: &Call,
        parameter: usize,
        bytes: Option<u64>,
    ) -> (Vec<CellId>, bool) {
        let Some(argument) = call.arguments.get(parameter) else {
            return (Vec::new(), false);
        };
        match &argument.aggregate {
            None => {
                let touched = self.points_to.behind(id, argument.value, bytes);
                let exact = touched.exact && !touched.unknown && bytes.is_some();
                (touched.cells.to_vec(), exact)
            }
            Some(place) => {
                let cells = self.points_to.touched(id, place).cells;
                (self.behind(&cells), false)
            }
        }
    }

    /// All of what these cells point to. Many of them point to the same, so each set and each object is looked at once.
    fn behind(&self, cells: &[CellId]) -> Vec<CellId> {
        let mut sets = FxHashSet::default();
        let fresh = cells
            .iter()
            .filter(|cell| sets.insert(self.points_to.pointees_number(**cell)));
        self.whole(fresh.flat_map(|cell| self.points_to.pointees(*cell)))
    }

    /// All cells of the objects to which these belong, in order.
    fn whole(&self, cells: impl IntoIterator<Item = CellId>) -> Vec<CellId> {
        let memory = &self.points_to.memory;
        let objects: FxHashSet<ObjectId> = cells
            .into_iter()
            .map(|cell| memory.cells[cell.0 as usize].object)
            .collect();
        let mut whole: Vec<CellId> = objects
            .into_iter()
            .flat_map(|object| self.points_to.cells(object))
            .collect();
        whole.sort_unstable();
        whole
    }

    /// The cells of the members that are named last; of an object without such a member all of its cells.
    fn members(&self, cells: Vec<CellId>, members: &[String]) -> Vec<CellId> {
        let path = format!(".{}", members.join("."));
        let memory = &self.points_to.memory;
        let is_named = |cell: &CellId| memory.cells[cell.0 as usize].path.contains(&path);
        let object_of = |cell: &CellId| memory.cells[cell.0 as usize].object;
        let named: BTreeSet<ObjectId> = cells
            .iter()
            .filter(|cell| is_named(cell))
            .map(object_of)
            .collect();
        cells
            .into_iter()
            .filter(|cell| is_named(cell) || !named.contains(&object_of(cell)))
            .collect()
    }

    /// What a library keeps to itself, and what it keeps there of the program.
    fn state(&self, state: &str, function: &LibraryFunction) -> Vec<CellId> {
        if state == ESCAPED {
            let mut all = self.points_to.escaped().clone();
            all.union_with(&self.outside);
            return list_of(&all);
        }
        let mut cells: Vec<CellId> = self
            .points_to
            .library(state)
            .map(|object| self.object(object))
            .unwrap_or_default();
        if let Some(kept) = self.kept.states.get(state) {
            cells.extend(&kept.lasting);
            let completes = [Role::Waits, Role::Tests, Role::Starts, Role::Finalises]
                .into_iter()
                .any(|role| function.is(role));
            if completes {
                cells.extend(&kept.requested);
            }
        }
        cells
    }

    /// `MPI_IN_PLACE` may stand for what is sent: then what is received to is read.
    fn in_place(
        &self,
        id: RoutineId,
        routine: &Routine,
        call: &Call,
        sent: usize,
        received: usize,
    ) -> Vec<CellId> {
        let surely_not = routine.constant_argument(call, sent).is_none()
            && call.arguments.get(sent).is_some_and(|argument| {
                let touched = self.points_to.behind(id, argument.value, None);
                !touched.unknown && !touched.cells.is_empty()
            });
        if surely_not {
            Vec::new()
        } else {
            self.argument(id, call, received, None).0
        }
    }
}

/// Function symbols of the units, by name.
pub(super) fn prototypes(program: &Program) -> Vec<HashMap<&str, TypeId>> {
    let of_unit = |unit: &'_ Unit| -> Vec<(usize, TypeId)> {
        let file = unit.scopes.first().into_iter();
        file.flat_map(|scope| &scope.symbols)
            .filter(|id| unit.symbols[id.0].kind == SymbolKind::Function)
            .map(|id| (id.0, unit.symbols[id.0].ty))
            .collect()
    };
    program
        .units
        .iter()
        .map(|unit| {
            let all = of_unit(unit).into_iter();
            all.map(|(id, ty)| (unit.symbols[id].name.as_str(), ty))
                .collect()
        })
        .collect()
}

/// Whether a function sets a buffer of its library and gives its address: what was there before can only be read through an
/// address from before, and that is a pointer into a library.
fn sets_buffer(function: &LibraryFunction, root: &Root) -> bool {
    let is_buffer = |root: &Root| matches!(root, Root::Hidden(state) if state_name(state).trim_start_matches('@') == BUFFERS);
    is_buffer(root)
        && function.returns.iter().any(|one| match one {
            Alternative::Same(place) | Alternative::Into(place) => is_buffer(&place.root),
            Alternative::New(_) | Alternative::Null => false,
        })
}

/// Whether a function only says what is to run later, at the end of the process or when a signal comes: `atexit`, `sigaction`. Whoever
/// raises a signal, or lets one come through, keeps nothing.
fn only_installs(function: &LibraryFunction, state: &str) -> bool {
    let state = state_name(state);
    let keeps = |effect: &Effect| matches!(&effect.kind, EffectKind::Keeps(Some(kept)) if state_name(kept) == state);
    ["@exit", "@signals"].contains(&state.as_str()) && function.effects.iter().any(keeps)
}
