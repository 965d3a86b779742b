//! The analyses of the whole program, each once and in their order.

use super::borrowed::Borrowed;
use super::byte_blocks::byte_blocks;
use super::changed::Changed;
use super::clients::lowered;
use super::communication::Communication;
use super::completeness::{Completeness, DirectivePlace, Spent};
use super::coverage::Coverage;
use super::effects::{Effects, FirstUse, calls, leading};
use super::handed_on::handed_on;
use super::handles::{array_handle, handle, lies_in, named};
use super::liveness::{Liveness, Unread};
use super::load::{Load, Profile};
use super::memory::{CellId, ObjectId};
use super::optional::Optional;
use super::origins::Origin;
use super::points_to::PointsTo;
use super::reach::control;
use super::settled::Settled;
use super::suspects::{Suspect, suspects};
use super::threads::{Answer, Threads};
use super::ways::Ways;
use crate::catalog::Catalogue;
use crate::dataflow::steps::{Call, RoutineId, StepKind, Steps, TextPlace, TypeRef};
use crate::dataflow::{Control, FunctionRef};
use crate::diagnostic::Place;
use crate::program::{
    Directive, DirectiveId, DirectiveUse, Function, Item, Program, SymbolId, Unit,
};
use std::cell::{LazyCell, OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Deref;

/// A program and what the analyses found out about it.
#[derive(Clone, Copy)]
pub struct Analysed<'a> {
    /// The program.
    pub program: &'a Program,
    /// What library functions do.
    pub catalogue: &'a Catalogue,
    /// What happens.
    pub steps: &'a Steps,
    /// What pointers point to.
    pub points_to: &'a PointsTo,
    /// What functions do.
    pub effects: &'a Effects,
    /// Where control may go.
    pub control: &'a Control<'a>,
    /// Which arrays loops and calls overwrite.
    pub coverage: &'a Coverage,
    /// What is live at checkpoints.
    pub liveness: &'a Liveness<'a>,
    /// What a restart does about it. Found when somebody asks: that takes long, and auto mode begins without it.
    pub completeness: &'a dyn Deref<Target = Completeness>,
    /// A thread may hold a lock of OpenMP at a checkpoint.
    pub holds_locks: bool,
}

/// What the analyses have proven that plans rest on. Without them nothing is proven, and plans are good all the same.
#[derive(Debug, Default)]
pub struct Proven {
    /// Parameters that may point to nothing after a restart.
    pub unread: Unread,
    /// Pointers that may not be what the way to `init` sets.
    pub changed: Changed,
    /// Items whose pointers are null or point to the beginning of an allocated block: the unit, and where the item stands.
    begins: HashSet<(usize, usize)>,
    /// No memory of an item behind a pointer is released while checkpoints are still to come.
    pub keeps_memory: bool,
    /// The program uses OpenMP, and nothing before `init` depends on the number of threads.
    pub threads_later: bool,
    /// Whether a restart from each checkpoint may have another number of threads; empty without OpenMP.
    pub threads: BTreeMap<DirectivePlace, Answer>,
    /// A thread may hold a lock of OpenMP at a checkpoint.
    pub holds_locks: bool,
    /// Which complete requests of MPI are not in flight at a checkpoint.
    pub settled: Settled,
    /// Values that every checkpoint looks at.
    pub suspects: BTreeSet<Suspect>,
    /// Parameters that surely lead to what the trace does not know, and through which blocks get pointers: the unit of each.
    pub nowhere: BTreeSet<(usize, SymbolId)>,
    /// Calls that allocate blocks in which no address ever lies, with the types of what they give.
    pub byte_blocks: BTreeMap<TextPlace, TypeRef>,
    /// Handles of libraries that every checkpoint looks at: they have to be NULL.
    pub optional: Optional,
    /// Pointers to memory of the program lie in numbers, unions or bytes that live, as far as it shows.
    pub are_disguised: bool,
    /// What restarts fill with values that show; none when that is not wanted.
    pub spent: Option<Spent>,
}

fn keeps_memory(found: &Analysed) -> bool {
    let items = found.completeness.items.iter();
    let named: BTreeSet<ObjectId> = items
        .flat_map(|item| item.length.objects.iter().copied())
        .collect();
    let memory = &found.points_to.memory;
    let object = |cell: CellId| memory.cells[cell.0 as usize].object;
    let is_freed = || {
        let mut freed = Ways::of(found).freed().into_iter();
        freed.any(|cell| named.contains(&object(cell)))
    };
    named.is_empty() || !is_freed()
}

impl Proven {
    /// All of it.
    pub fn of(found: &Analysed) -> Proven {
        let items = found.completeness.items.iter();
        let begins = items.filter(|one| one.length.begins).filter_map(|one| {
            let place = one.item.directive;
            let unit = &found.program.units[place.unit];
            match &unit.directives[place.id.0].directive {
                Directive::Register { items } => {
                    Some((place.unit, items.get(one.item.index)?.place.start))
                }
                _ => None,
            }
        });
        let borrowed = Borrowed::of(found);
        let blocks = found.completeness.blocks.iter();
        let nowhere = blocks.flat_map(|one| one.nowhere.iter().copied());
        Proven {
            unread: Unread::of(found.liveness),
            changed: Changed::of(found),
            begins: begins.collect(),
            keeps_memory: keeps_memory(found),
            threads_later: super::threads::come_later(found),
            threads: answers(found),
            holds_locks: found.holds_locks,
            settled: Settled::of(found),
            suspects: suspects(found, &borrowed),
            nowhere: handed_on(found, nowhere).parameters,
            byte_blocks: byte_blocks(found),
            optional: Optional::of(found),
            are_disguised: borrowed.are_disguised,
            spent: None,
        }
    }

    /// Why a restart from a checkpoint has the number of threads that is saved; empty where it may have another one, none without OpenMP.
    pub fn threads_at(&self, unit: usize, id: DirectiveId) -> Option<String> {
        let answer = self.threads.get(&DirectivePlace { unit, id })?;
        Some(match answer {
            Answer::Any { .. } => String::new(),
            Answer::Saved { why } => why.clone(),
        })
    }

    /// Whether the pointer of an item of a unit is null or points to the beginning of an allocated block.
    pub fn begins(&self, unit: usize, item: &Item) -> bool {
        self.begins.contains(&(unit, item.place.start))
    }
}

/// Whether restarts may have another number of threads, for every checkpoint.
fn answers(found: &Analysed) -> BTreeMap<DirectivePlace, Answer> {
    let Some(threads) = Threads::of(found) else {
        return BTreeMap::new();
    };
    let checks = found.completeness.checkpoints.iter();
    let all = checks.map(|one| (one.directive, threads.answer(one.directive)));
    all.collect()
}

/// Runs them all and hands the results over; `lap` is told the name of each one that is done.
pub fn analyse<R>(
    program: &Program,
    catalogue: &Catalogue,
    lap: &mut dyn FnMut(&'static str),
    with: impl FnOnce(&Analysed) -> R,
) -> R {
    let steps = lowered(program, catalogue);
    lap("steps");
    let points_to = PointsTo::of(program, &steps, catalogue);
    lap("points-to");
    let mut effects = Effects::of(program, &steps, &points_to, catalogue);
    lap("effects");
    effects.first_use = FirstUse::of(program, &steps, &points_to, catalogue, &effects);
    let control = control(&steps, &effects);
    let coverage = Coverage::of(program, &steps, &points_to, catalogue, &effects, &control);
    effects.cover(&coverage, &steps, &points_to);
    lap("coverage");
    let liveness = Liveness::of(program, catalogue, &steps, &points_to, &effects);
    lap("liveness");
    let holds_locks = super::holds_locks(program, &steps, &points_to, catalogue);
    let lap = RefCell::new(lap);
    let completeness = LazyCell::new(|| {
        let found = Completeness::of(catalogue, &liveness, &control, holds_locks);
        lap.borrow_mut()("completeness");
        found
    });
    with(&Analysed {
        program,
        catalogue,
        steps: &steps,
        points_to: &points_to,
        effects: &effects,
        control: &control,
        coverage: &coverage,
        liveness: &liveness,
        completeness: &completeness,
        holds_locks,
    })
}

impl<'a> Analysed<'a> {
    /// Where the work is done; a profile replaces the estimate.
    pub fn load(&self, profile: Option<&Profile>) -> Load {
        Load::of(
            self.program,
            self.steps,
            self.points_to,
            self.catalogue,
            profile,
        )
    }

    /// Where messages may be in flight.
    pub fn communication(&self) -> Communication<'a> {
        Communication::of(
            self.program,
            self.steps,
            self.points_to,
            self.effects,
            self.catalogue,
            self.control,
        )
    }

    /// The name of the handle type of what is in a cell, when it has one; without stars.
    pub fn handle_in(&self, cell: CellId) -> Option<String> {
        if let Some(Origin::Handle(name)) = self.completeness.origins.in_cell(cell) {
            return Some(name.clone());
        }
        self.handle_of(cell)
    }

    /// What a cell holds by its type, when that is a handle.
    pub fn handle_of(&self, cell: CellId) -> Option<String> {
        let ty = self.points_to.memory.cells[cell.0 as usize].ty?;
        let name = handle(self.catalogue, &self.program.units[ty.unit], ty.id)?;
        Some(name.trim_end_matches([' ', '*']).to_string())
    }

    /// The name of the type of the generator of random numbers that a cell holds, or lies in.
    pub fn generator_in(&self, cell: CellId) -> Option<String> {
        let name = OnceCell::new();
        let is = |unit: &Unit, ty| {
            let found =
                named(self.catalogue, unit, ty).or_else(|| array_handle(self.catalogue, unit, ty));
            let found = found.filter(|one| self.catalogue.is_generator(one));
            found.is_some_and(|one| name.set(one.to_string()).is_ok())
        };
        let holds = self
            .handle_in(cell)
            .filter(|one| self.catalogue.is_generator(one));
        holds.or_else(|| {
            lies_in(self.program, &self.points_to.memory, cell, &is);
            name.get().cloned()
        })
    }

    /// The unit of a function.
    pub fn unit(&self, routine: RoutineId) -> &'a Unit {
        &self.program.units[self.steps.routine(routine).function.unit]
    }

    /// A function.
    pub fn function(&self, routine: RoutineId) -> &'a Function {
        let FunctionRef { unit, function } = self.steps.routine(routine).function;
        self.program.units[unit].function(function)
    }

    /// The index of a function's unit.
    pub fn unit_index(&self, routine: RoutineId) -> usize {
        self.steps.routine(routine).function.unit
    }

    /// All directives with the index of their unit.
    pub fn directives(&self) -> impl Iterator<Item = (usize, &'a DirectiveUse)> + use<'a> {
        let units = self.program.units.iter().enumerate();
        units.flat_map(|(index, unit)| unit.directives.iter().map(move |one| (index, one)))
    }

    /// Where the library is started: functions, and offsets in their texts.
    pub fn inits(&self) -> impl Iterator<Item = (RoutineId, usize)> + use<'a> {
        inits(self.program, self.steps)
    }

    /// Whether the program has a directive of a kind.
    pub fn has(&self, is: impl Fn(&Directive) -> bool) -> bool {
        self.directives().any(|(_, one)| is(&one.directive))
    }

    /// All calls of a function, in the order of the text.
    pub fn calls(&self, routine: RoutineId) -> Vec<(TextPlace, &'a Call)> {
        let unit = self.unit_index(routine);
        let mut calls = Vec::new();
        self.steps.routine(routine).walk(&mut |step| {
            if let StepKind::Call(call) = &step.kind {
                let span = step.span;
                calls.push((TextPlace { unit, span }, &**call));
            }
        });
        calls.sort_by_key(|(place, _)| place.span.start);
        calls
    }

    /// For each function: whether it is one of these, or control comes to one of these by its calls.
    pub fn leading(&self, to: impl IntoIterator<Item = RoutineId>) -> Vec<bool> {
        leading(&calls(&self.effects.bodies), to)
    }

    /// Where messages point to for a text.
    pub fn at(&self, place: TextPlace) -> Place {
        message_place(self.program, place)
    }

    /// The same for a directive.
    pub fn at_directive(&self, unit: usize, one: &DirectiveUse) -> Place {
        directive_place(&self.program.units[unit], one)
    }

    /// The user's line of a place, with its file when that is another one than `unit`'s.
    pub fn line(&self, place: TextPlace, unit: usize) -> String {
        let (path, line) = self.program.units[place.unit]
            .file
            .origin_text(place.span.start);
        match path == self.program.units[unit].file.path {
            true => format!("line {line}"),
            false => format!("{path}:{line}"),
        }
    }
}

/// Where messages point to for a text.
pub(super) fn message_place(program: &Program, place: TextPlace) -> Place {
    let file = &program.units[place.unit].file;
    match file.message_place(place.span) {
        Some(range) => Place::Range {
            path: file.path.clone(),
            range: range.start..range.end,
        },
        None => {
            let (path, line) = file.origin_text(place.span.start);
            Place::Line { path, line }
        }
    }
}

/// Where messages point to for a directive.
pub fn directive_place(unit: &Unit, one: &DirectiveUse) -> Place {
    let text = unit.file.original_text(one.lines);
    let start = one.lines.start + (text.len() - text.trim_start().len());
    Place::Range {
        path: unit.file.path.clone(),
        range: start..one.lines.end.max(start),
    }
}

/// Where a program starts the library: functions, and offsets in their texts.
pub fn inits<'a>(
    program: &'a Program,
    steps: &'a Steps,
) -> impl Iterator<Item = (RoutineId, usize)> + use<'a> {
    let units = program.units.iter().enumerate();
    let all = units.flat_map(|(unit, one)| one.directives.iter().map(move |one| (unit, one)));
    let inits = all.filter(|(_, one)| matches!(one.directive, Directive::Init { .. }));
    inits.filter_map(move |(unit, one)| {
        let function = one.function?;
        let routine = steps.routine_of(FunctionRef { unit, function });
        Some((routine, one.span.start))
    })
}
