//! Handles of libraries that some runs never make: a compressed log that only an option asks for, a generator that only one of
//! several methods draws from. Nothing restores what such a handle stands for, but where it is NULL there is nothing to restore.
//!
//! In: what handles may point to, and the ways to the checkpoints. Out: the cells with such handles. An item that names one saves it
//! as the pointer that it is, and the run looks at each checkpoint whether it is NULL.
//!
//! Errors fall on the side of none: a handle that any code makes which is not known, or that a block makes again, is no such handle. One
//! too many would be a stop at the first checkpoint in the place of a refusal before the run.
//!
//! ```c
//! gzFile log = NULL;
//! if (argc > 1) log = gzopen(argv[1], "w");   // a way leads to the checkpoint without this call
//! ```

use std::collections::{BTreeMap, BTreeSet};

use super::Analysed;
use super::avoidable::{Avoidable, Calls, allocating};
use super::handles::{REQUEST, is_remade_name, is_stream, leads_to_library, named};
use super::leads::element;
use super::liveness::{CheckpointLive, Liveness};
use super::memory::{CellId, CellSet, ObjectId, ObjectKind};
use super::suspects::member;
use crate::catalog::Catalogue;
use crate::program::{TypeId, TypeKind, Unit};
use crate::solver::rounds;

/// The cells with handles that no item brings back by itself, as it does streams and what the library makes again, but for what is `lost`.
pub fn handles(liveness: &Liveness, catalogue: &Catalogue, lost: &BTreeSet<ObjectId>) -> CellSet {
    let memory = &liveness.points_to.memory;
    let mut found = CellSet::with_capacity(memory.cells.len());
    for (number, cell) in memory.cells.iter().enumerate() {
        let Some(ty) = cell.ty else { continue };
        let unit = &liveness.program.units[ty.unit];
        // An item that holds a communicator or the like is what has the calls noted that make it.
        let comes_back = is_stream(unit, ty.id)
            || named(catalogue, unit, ty.id).is_some_and(|name| {
                is_remade_name(name, true)
                    || name == REQUEST && !liveness.effects.may_make_persistent
            });
        let mut made = liveness.points_to.pointees(CellId(number as u32));
        let is_lost =
            !lost.is_empty() && made.any(|one| lost.contains(&memory.cells[one.0 as usize].object));
        if (!comes_back || is_lost) && leads_to_library(catalogue, unit, ty.id) {
            found.insert(number);
        }
    }
    found
}

/// Those of them that a way to each checkpoint leaves as they were. `is_made_again` tells whether a block makes one.
pub fn optional(
    liveness: &Liveness,
    handles: &CellSet,
    is_made_again: &dyn Fn(CellId) -> bool,
) -> CellSet {
    let memory = &liveness.points_to.memory;
    let mut found = CellSet::with_capacity(memory.cells.len());
    let mut known: BTreeMap<Calls, Avoidable<'_>> = BTreeMap::new();
    for number in handles.ones() {
        let cell = CellId(number as u32);
        let lives = |one: &&CheckpointLive| one.everywhere().any(|live| live == cell);
        let checkpoints: Vec<_> = liveness.checkpoints().iter().filter(lives).collect();
        let is_pointer = memory.cells[number].ty.is_some_and(|ty| {
            let kind = liveness.program.units[ty.unit].kind(ty.id);
            matches!(kind, TypeKind::Pointer(_))
        });
        if !is_pointer || checkpoints.is_empty() || is_made_again(cell) {
            continue;
        }
        // Where one of several calls is left out, another one may be made instead.
        let Some(calls) = allocating(liveness.points_to, cell, |_| true) else {
            continue;
        };
        let one = known.entry(calls).or_insert_with_key(|calls| {
            Avoidable::of(liveness.steps, liveness.effects, calls.clone())
        });
        let is_optional = checkpoints
            .iter()
            .all(|checkpoint| one.leads_to(checkpoint));
        if is_optional {
            found.insert(number);
        }
    }
    found
}

/// What nothing leads to at a checkpoint but such handles: where they are NULL it is not there. What code that is not seen keeps does
/// not count: no restart has that.
pub fn behind(liveness: &Liveness, optional: &CellSet) -> BTreeSet<ObjectId> {
    let points_to = liveness.points_to;
    let memory = &points_to.memory;
    let object = |cell: usize| memory.cells[cell].object;
    let targets = |cell: usize| {
        let all = points_to.pointees(CellId(cell as u32));
        all.map(|target| object(target.0 as usize))
    };
    let mut found: BTreeSet<ObjectId> = optional.ones().flat_map(targets).collect();
    if found.is_empty() {
        return found;
    }
    let live = liveness.checkpoints().iter();
    let live = live.flat_map(|one| one.everywhere().map(|cell| cell.0 as usize));
    let is_seen = |cell: &usize| {
        let kind = &memory.objects[object(*cell).0 as usize].kind;
        !matches!(kind, ObjectKind::Unknown | ObjectKind::Library(_))
    };
    let others = live.filter(|cell| !optional.contains(*cell) && is_seen(cell));
    let others: BTreeSet<usize> = others.collect();
    rounds(|| {
        let holders = others
            .iter()
            .filter(|cell| !found.contains(&object(**cell)));
        let held: BTreeSet<ObjectId> = holders.copied().flat_map(targets).collect();
        let count = found.len();
        found.retain(|one| !held.contains(one));
        found.len() < count
    });
    found
}

/// Where such handles are: members by the name of their struct, and variables.
#[derive(Clone, Debug, Default)]
pub struct Optional(BTreeSet<(Option<String>, String)>);

impl Optional {
    /// Of a program.
    pub fn of(facts: &Analysed) -> Optional {
        let memory = &facts.points_to.memory;
        let named = facts.completeness.optional.ones().filter_map(|number| {
            let one = &memory.cells[number];
            let object = &memory.objects[one.object.0 as usize];
            let ty = object.ty?;
            let unit = &facts.program.units[ty.unit];
            match member(unit, element(unit, ty.id), &one.path) {
                Some((record, member)) => Some((Some(record), member?)),
                None => match object.kind {
                    ObjectKind::Variable(id) => Some((None, facts.steps.variable(id).name.clone())),
                    _ => None,
                },
            }
        });
        Optional(named.collect())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a member of a struct is one.
    pub fn has_member(&self, record: &str, member: &str) -> bool {
        self.0
            .contains(&(Some(record.to_string()), member.to_string()))
    }

    /// Whether what is named by a variable of a type, or by a path of members from it, is one.
    pub fn has(&self, unit: &Unit, (variable, ty): (&str, TypeId), path: &str) -> bool {
        match member(unit, element(unit, ty), path) {
            Some((record, Some(member))) => self.has_member(&record, &member),
            Some((_, None)) => false,
            None => path.is_empty() && self.0.contains(&(None, variable.to_string())),
        }
    }
}
