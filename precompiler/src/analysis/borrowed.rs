//! Pointers into memory of libraries: what `getenv`, `localtime`, `readdir` give back.
//!
//! Such memory is not saved, and lies elsewhere in another process. Where the calls that gave the pointer can be made again
//! (the environment, the locale), they go into blocks; other pointers of this kind that a restarted program reads are a
//! refusal. One that may also point to memory of the program is looked at when a checkpoint is taken ([`super::suspects`]).
//!
//! Unions and numbers as long as a pointer may hold one, too: no register says that it is a pointer that lies there, so each
//! checkpoint looks at them as well, and at bytes and arrays of short numbers; allocated ones are zero at first, so that what was
//! never set in them looks like no pointer (locals may do so, which stops the run). Refused are such arrays into which the program itself stores pointers: structs are
//! carved from them. Numbers that were computed from an address and are none any more are not here: they are values of their own kind
//! ([`super::origins`]).

use std::collections::{BTreeMap, BTreeSet};

use super::Analysed;
use super::allocators::{self, VIEWS};
use super::avoidable::{Avoidable, Calls, allocating};
use super::completeness::{Decision, How};
use super::handles::handle;
use super::kept_states::set_by_readers;
use super::leads::{element, find_member};
use super::liveness::CheckpointLive;
use super::memory::{CellId, ObjectKind};
use super::points_to::{Scope, Why};
use crate::dataflow::steps::{StepKind, TextPlace};
use crate::program::{Layout, TypeId, TypeKind};

/// States whose pointers come back when the same call is made again.
const GIVEN_AGAIN: [&str; 3] = ["environment", "locale", "databases"];

/// States whose memory the library of cccp finds again: the arguments of the command, standard streams.
const COMES_BACK: [&str; 3] = ["arguments", "words", "streams"];

/// Not a state, but blocks that the run does not know: those of libraries.
const BLOCKS: &str = "blocks";

/// Constants of libraries: the run knows them, where the library it has loaded has them as constants, too.
const OF_CONSTANTS: &str = "constants";

/// The state of handlers: as a rule that of the library is none, as in what `sigaction` gives back.
const OF_SIGNALS: &str = "signals";

/// Where only the run knows whether a pointer comes back: it does if it leads to such memory, or to none.
const KNOWN_TO_THE_RUN: [&str; 3] = [OF_SIGNALS, OF_CONSTANTS, VIEWS];

/// Live pointers into memory of libraries.
#[derive(Debug, Default)]
pub struct Borrowed {
    /// The calls that give them can be made again.
    pub given_again: BTreeSet<CellId>,
    /// They are lost; at which checkpoint.
    pub lost: Vec<(CellId, TextPlace)>,
    /// Whether they are lost, only the run knows: they may point to memory of the program.
    pub perhaps: BTreeSet<CellId>,
    /// Those among them that in every run point to what a library has allocated: they are lost, too, unless a block makes them again.
    pub allocated: BTreeSet<CellId>,
    /// They may lie in numbers, unions, bytes or arrays of short numbers.
    pub disguised: BTreeSet<CellId>,
    /// Pointers to memory of the program lie in numbers, unions or bytes that live, as far as the program shows.
    pub are_disguised: bool,
    /// They are stored in bytes, or in arrays of short numbers; at which checkpoint.
    pub arenas: Vec<(CellId, TextPlace)>,
}

impl Borrowed {
    /// Those at all checkpoints that no block sets yet.
    pub fn of(facts: &Analysed) -> Borrowed {
        let memory = &facts.points_to.memory;
        let mut found = Borrowed::default();
        let mut seen = BTreeSet::new();
        let mut carved = None;
        let set_by_readers = set_by_readers(facts.steps, facts.catalogue);
        let is_set_by_readers = |cell: CellId| {
            let object = memory.cells[cell.0 as usize].object;
            matches!(memory.objects[object.0 as usize].kind,
                ObjectKind::Variable(id) if set_by_readers.contains(&id))
        };
        let foreign = allocators::foreign_calls(facts.program, facts.steps, facts.points_to);
        let mut of_libraries = OfLibraries::of(facts);
        let has_fixed_heap = facts.program.has_fixed_heap();
        // What unknown functions leave may be anything: they are named instead.
        let is_closed = facts.points_to.unknown_functions().is_empty();
        for live in facts.liveness.checkpoints() {
            for cell in live.everywhere() {
                if !seen.insert(cell) {
                    continue;
                }
                let object = memory.cells[cell.0 as usize].object;
                // Of the fixed heap the run looks at everything, whatever its type.
                let is_fixed = has_fixed_heap
                    && matches!(&memory.objects[object.0 as usize].kind,
                        ObjectKind::Heap { call, .. } if !foreign.contains(call));
                if let Some(disguise) = disguise(facts, cell).filter(|_| !is_fixed) {
                    let mut is_carved = || {
                        let carved = carved.get_or_insert_with(|| carved_from(facts));
                        carved.contains(&cell)
                    };
                    match disguise == Disguise::Arena && !has_fixed_heap && is_carved() {
                        true => found.arenas.push((cell, live.place)),
                        false => {
                            found.disguised.insert(cell);
                        }
                    }
                }
                found.are_disguised |= holds_own(facts, cell);
                if !is_plain_pointer(facts, cell) || is_set_by_readers(cell) {
                    continue;
                }
                let mut states: BTreeSet<&str> = facts
                    .points_to
                    .pointees(cell)
                    .filter_map(|target| {
                        let object = memory.cells[target.0 as usize].object;
                        match &memory.objects[object.0 as usize].kind {
                            ObjectKind::Library(state) => Some(state.trim_start_matches('@')),
                            ObjectKind::Unknown => Some("escaped"),
                            ObjectKind::Heap { call, .. } if foreign.contains(call) => Some(BLOCKS),
                            _ => None,
                        }
                    })
                    .collect();
                states.retain(|state| !COMES_BACK.contains(state));
                // What unknown functions leave in a library's own variables is assumed to be nothing.
                let is_left = states.contains("escaped") && is_left_alone(facts, cell);
                if states.is_empty() || is_left {
                    continue;
                }
                if states.iter().all(|state| GIVEN_AGAIN.contains(state)) {
                    found.given_again.insert(cell);
                } else if match states.contains("escaped") {
                    true => is_closed || is_only_named(facts, cell),
                    false => {
                        may_be_own(facts, cell)
                            || states.iter().all(|one| KNOWN_TO_THE_RUN.contains(one))
                    }
                } {
                    found.perhaps.insert(cell);
                    if states.iter().eq([&BLOCKS]) && of_libraries.are_all(facts, cell, live) {
                        found.allocated.insert(cell);
                    }
                } else {
                    found.lost.push((cell, live.place));
                }
            }
        }
        found
    }
}

/// Pointers of which a register keeps an address of before, or a fixed heap, where no block makes them again.
#[derive(Debug, Default)]
pub struct Kept {
    /// They are lost; at which checkpoint.
    pub lost: Vec<(CellId, TextPlace)>,
    /// They may point to memory of the program instead (`value = getenv(name)`, or a text): the run looks.
    pub perhaps: BTreeSet<CellId>,
}

impl Kept {
    /// Those at all checkpoints.
    pub fn of(facts: &Analysed, borrowed: &Borrowed) -> Kept {
        let mut found = Kept::default();
        for check in &facts.completeness.checkpoints {
            let unit = check.directive.unit;
            let span = facts.program.units[unit].directives[check.directive.id.0].span;
            let place = TextPlace { unit, span };
            for location in &check.locations {
                let is_kept = matches!(
                    location.decision,
                    Decision::Held(How::Registered(_) | How::FixedHeap)
                );
                for &cell in location.cells.iter().filter(|_| is_kept) {
                    if borrowed.allocated.contains(&cell) {
                        found.lost.push((cell, place));
                    } else if borrowed.given_again.contains(&cell) {
                        match may_be_own(facts, cell) {
                            true => _ = found.perhaps.insert(cell),
                            false => found.lost.push((cell, place)),
                        }
                    }
                }
            }
        }
        found
    }
}

/// Calls at which libraries allocate for themselves. What some runs leave out is no reason to refuse all: there the run looks.
struct OfLibraries<'a> {
    calls: BTreeSet<TextPlace>,
    avoidable: BTreeMap<Calls, Avoidable<'a>>,
}

impl<'a> OfLibraries<'a> {
    fn of(facts: &Analysed<'a>) -> OfLibraries<'a> {
        OfLibraries {
            calls: allocators::calls_of_libraries(
                facts.program,
                facts.steps,
                facts.points_to,
                facts.catalogue,
            ),
            avoidable: BTreeMap::new(),
        }
    }

    /// Whether a pointer points to such memory alone, in every run that comes to the checkpoint.
    fn are_all(&mut self, facts: &Analysed<'a>, cell: CellId, live: &CheckpointLive) -> bool {
        let is_one = |call: &TextPlace| self.calls.contains(call);
        let Some(calls) = allocating(facts.points_to, cell, is_one) else {
            return false;
        };
        let known = self
            .avoidable
            .entry(calls)
            .or_insert_with_key(|calls| Avoidable::of(facts.steps, facts.effects, calls.clone()));
        !known.leads_to(live)
    }
}

/// Whether a pointer may point to memory of the program.
fn may_be_own(facts: &Analysed, cell: CellId) -> bool {
    let memory = &facts.points_to.memory;
    facts.points_to.pointees(cell).any(|target| {
        let object = memory.cells[target.0 as usize].object;
        matches!(
            memory.objects[object.0 as usize].kind,
            ObjectKind::Variable(_) | ObjectKind::Heap { .. } | ObjectKind::Text(_)
        )
    })
}

/// Whether a union or carved memory holds a pointer to memory of the program. Of other numbers that is known too vaguely: one table
/// of blocks of several kinds, and all of them may hold anything.
fn holds_own(facts: &Analysed, cell: CellId) -> bool {
    let memory = &facts.points_to.memory;
    let one = &memory.cells[cell.0 as usize];
    let is_open = match one.ty {
        None => memory.objects[one.object.0 as usize].ty.is_some(),
        Some(ty) => match facts.program.units[ty.unit].kind(ty.id) {
            TypeKind::Integer(_) | TypeKind::Float(_) | TypeKind::Enum(_) => {
                let mut why = facts.points_to.why(cell).into_iter();
                !memory.objects[one.object.0 as usize].is_said
                    && why.any(|why| matches!(why, Why::Arithmetic(_)))
            }
            TypeKind::Record(_) => true,
            _ => false,
        },
    };
    is_open
        && facts.points_to.pointees(cell).any(|target| {
            let object = memory.cells[target.0 as usize].object;
            matches!(
                memory.objects[object.0 as usize].kind,
                ObjectKind::Variable(_) | ObjectKind::Heap { .. }
            )
        })
}

fn is_plain_pointer(facts: &Analysed, cell: CellId) -> bool {
    let Some(ty) = facts.points_to.memory.cells[cell.0 as usize].ty else {
        return false;
    };
    let unit = &facts.program.units[ty.unit];
    matches!(unit.kind(ty.id), TypeKind::Pointer(_))
        && handle(facts.catalogue, unit, ty.id).is_none()
}

/// What may hold a pointer though its type does not say so.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Disguise {
    /// A number as long as a pointer, or a union: one value that the run can look at.
    Number,
    /// Bytes or short numbers in a row, from which structs may be carved; what lies there by chance looks like pointers, too.
    Arena,
}

/// Whether a number is a member of a struct that a header of the system declares.
fn is_number_of_system(facts: &Analysed, cell: CellId) -> bool {
    let memory = &facts.points_to.memory;
    let one = &memory.cells[cell.0 as usize];
    let Some(ty) = memory.objects[one.object.0 as usize].ty else {
        return false;
    };
    let unit = &facts.program.units[ty.unit];
    let mut here = Some(element(unit, ty.id));
    let names = one.path.split('.').map(|step| step.trim_end_matches("[]"));
    for name in names.filter(|name| !name.is_empty()) {
        let Some(record) = here else { return false };
        if let TypeKind::Record(id) = unit.kind(record)
            && unit.file.is_system(unit.records[id.0].declared.start)
        {
            return true;
        }
        here = find_member(unit, record, name).map(|member| element(unit, member));
    }
    false
}

/// Whether a union, numbers or bytes may hold a pointer: to memory, texts or functions of the program, or to what is a library's.
fn disguise(facts: &Analysed, cell: CellId) -> Option<Disguise> {
    let memory = &facts.points_to.memory;
    let one = &memory.cells[cell.0 as usize];
    let object = &memory.objects[one.object.0 as usize];
    let disguise = match one.ty {
        Some(ty) => {
            let unit = &facts.program.units[ty.unit];
            let layout = Layout::of(unit);
            match unit.kind(ty.id) {
                TypeKind::Integer(_) | TypeKind::Float(_)
                    if layout.bytes(ty.id) >= Some(layout.machine.pointer) =>
                {
                    Disguise::Number
                }
                // A small number holds no pointer, but an array of them may: a buffer, an arena that structs are carved from.
                TypeKind::Integer(_) | TypeKind::Float(_) if one.path.ends_with("[]") => {
                    Disguise::Arena
                }
                _ => return None,
            }
        }
        None if object.collapsed.is_some() => return None,
        // A leaf without a type of a whole that has one: a union. A block of which no pointer says what it holds: bytes.
        None if object.ty.is_some() => Disguise::Number,
        None if matches!(object.kind, ObjectKind::Heap { .. }) => Disguise::Arena,
        None => return None,
    };
    let is_handle = object.ty.is_some_and(|ty| {
        let unit = &facts.program.units[ty.unit];
        handle(facts.catalogue, unit, ty.id).is_some()
    });
    // What a function of the C library fills has more in it than it says, as the signals that `sigaction` gives back.
    let is_of_system = one.ty.is_some() && is_number_of_system(facts, cell);
    let may_hold = !is_handle
        && !is_of_system
        && facts.points_to.pointees(cell).any(|target| {
            let object = memory.cells[target.0 as usize].object;
            let kind = &memory.objects[object.0 as usize].kind;
            // What unknown functions leave there is named instead.
            !matches!(kind, ObjectKind::Unknown)
        });
    may_hold.then_some(disguise)
}

/// The cells into which the program stores pointers as such. A store that may also be meant for memory in which pointers have a
/// place tells nothing: the run looks.
fn carved_from(facts: &Analysed) -> BTreeSet<CellId> {
    let mut found = BTreeSet::new();
    for id in facts.steps.routine_ids() {
        facts.steps.routine(id).walk(&mut |step| {
            let place = match &step.kind {
                StepKind::Write { place, .. } => place,
                StepKind::Copy { to, .. } => to,
                _ => return,
            };
            if place.ty.id != TypeId::UNKNOWN
                && facts.program.units[place.ty.unit].holds_pointers(place.ty.id)
            {
                let touched = facts.points_to.touched(Scope::Routine(id), place);
                let is_elsewhere =
                    touched.unknown || touched.cells.iter().any(|cell| holds_pointer(facts, *cell));
                if !is_elsewhere {
                    found.extend(touched.cells.iter());
                }
            }
        });
    }
    found
}

fn holds_pointer(facts: &Analysed, cell: CellId) -> bool {
    let ty = facts.points_to.memory.cells[cell.0 as usize].ty;
    ty.is_some_and(|ty| facts.program.units[ty.unit].holds_pointers(ty.id))
}

/// Whether code that we do not see can reach a cell by the names of the program only, and was not handed it. That it stores something
/// there is unlikely; the run looks.
fn is_only_named(facts: &Analysed, cell: CellId) -> bool {
    let is_handed = |why: &Why| matches!(why, Why::MentionedFunction(_));
    let is_escaped = facts.points_to.escaped().contains(cell.0 as usize);
    is_escaped && !facts.points_to.why(cell).iter().any(is_handed)
}

/// Whether a cell is of a variable of a library that the program itself does not set.
fn is_left_alone(facts: &Analysed, cell: CellId) -> bool {
    let memory = &facts.points_to.memory;
    let object = memory.cells[cell.0 as usize].object;
    match memory.objects[object.0 as usize].kind {
        ObjectKind::Variable(id) => {
            let variable = facts.steps.variable(id);
            variable.is_left_to_library(facts.program, facts.catalogue)
        }
        _ => false,
    }
}
