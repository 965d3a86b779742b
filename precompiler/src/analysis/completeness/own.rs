//! Pointers that may point to several blocks.
//!
//! An item behind a pointer (`p[n]`, `p[]`) brings the block to which the pointer leads at the checkpoint: one of those to
//! which it may lead at all; `follow(x)` what can be reached from `x` then. So a block is brought for sure when an item can
//! lead nowhere else, or when every pointer by which a restarted program may reach it brings what it leads to itself.
//!
//! ```text
//! a = rows(n); b = rows(n);  register(a[n], follow(b));  … s = a; a = b; b = s; …
//!     a leads to either block of pointers, and nothing brings the rows to which those in it lead: `follow(a)` does
//! ```
//!
//! A parameter has what the caller's variable has that was handed over, while neither changes. In a program that a person
//! marked, where there is nothing left to infer, as many pointers with items as there are blocks are believed to lead to
//! all of them, because buffers are swapped; and a pointer without an item to lead to what as many items of others bring.
//! Otherwise errors fall on the side of a register too many.

use std::collections::{BTreeMap, BTreeSet};

use super::cover::{Cover, is_heap};
use super::decide::Deciding;
use super::facts::Facts;
use super::seen::Seen;
use super::state::State;
use crate::analysis::effects::ActionKind;
use crate::analysis::liveness::CheckpointLive;
use crate::analysis::memory::{CellId, CellSet, ObjectId, ObjectKind};
use crate::dataflow::steps::{Called, RoutineId, StepKind, TextPlace, ValueId, VariableKind};
use crate::program::Brings;
use crate::solver::closure;
use rustc_hash::{FxHashMap, FxHashSet};

/// How far behind a pointer lies what nothing brings for sure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Depth {
    /// The block itself.
    Block,
    /// What pointers in it lead to.
    Beyond,
}

/// What items bring at a checkpoint.
struct Brought<'a, 'd> {
    deciding: &'d Deciding<'a>,
    state: &'d State,
    /// Cells of blocks that are there only because an item brings them.
    depends: CellSet,
    /// Those of them that an item brings which leads nowhere else.
    sure: CellSet,
    /// Items are inferred: every line of the program has to say what it means, on every way.
    is_strict: bool,
    /// The items that stand behind a pointer, by the pointer.
    behind: BTreeMap<usize, Vec<&'d Cover>>,
    /// Live pointers in memory, by its block.
    inside: BTreeMap<ObjectId, Vec<CellId>>,
    /// What depends on items and is not sure, by its block.
    unsure: FxHashMap<ObjectId, Vec<usize>>,
    /// Blocks with pointers behind which something lies that nothing brings for sure.
    beyond: FxHashSet<ObjectId>,
}

impl<'a> Deciding<'a> {
    /// The pointers in variables that lead to memory which nothing brings for sure.
    pub(super) fn strayed(
        &self,
        live: &CheckpointLive,
        state: &State,
        seen: &[Seen],
    ) -> BTreeMap<CellId, Depth> {
        // The fixed heap brings every block.
        if self.fixed_heap.is_there() {
            return BTreeMap::new();
        }
        let is_marked = self
            .program
            .units
            .iter()
            .all(|unit| unit.file.lines.is_plain());
        let mut brought = Brought::of(self, state, seen, !is_marked);
        let leads = |one: &&Seen| {
            one.is_plain()
                && self.handle_name(one.cell).is_none()
                && !self.is_number(one.cell)
                && !self.is_left_to_library(one.cell)
        };
        let is_typed = |cell: CellId| self.memory().cells[cell.0 as usize].ty.is_some();
        let mut roots: BTreeMap<CellId, Vec<&State>> = BTreeMap::new();
        for one in seen.iter().filter(leads) {
            match is_heap(self.memory(), one.cell.0 as usize) {
                true if is_marked && !is_typed(one.cell) => {}
                true => {
                    let object = self.memory().cells[one.cell.0 as usize].object;
                    brought.inside.entry(object).or_default().push(one.cell);
                }
                false => {
                    let states = roots.entry(one.cell).or_default();
                    states.extend(one.states.iter().copied());
                }
            }
        }
        brought.find_beyond();
        let mut found = BTreeMap::new();
        for (&root, states) in &roots {
            if let Some(depth) = brought.missing_behind(root, states)
                && !brought.is_handed_over(root, live, 0)
                && !(is_marked && brought.is_believed(root, depth))
            {
                found.insert(root, depth);
            }
        }
        if !is_marked {
            brought.add_unknown(&roots, &mut found);
        }
        found
    }
}

impl<'a, 'd> Brought<'a, 'd> {
    fn of(
        deciding: &'d Deciding<'a>,
        state: &'d State,
        seen: &[Seen],
        is_strict: bool,
    ) -> Brought<'a, 'd> {
        let count = deciding.memory().cells.len();
        let mut brought = Brought {
            deciding,
            state,
            depends: CellSet::with_capacity(count),
            sure: CellSet::with_capacity(count),
            is_strict,
            behind: BTreeMap::new(),
            inside: BTreeMap::new(),
            unsure: FxHashMap::default(),
            beyond: FxHashSet::default(),
        };
        for one in seen {
            let index = one.cell.0 as usize;
            let depends = state.kept.contains(index)
                && (state.made.contains(index) || state.changed.contains(index));
            if is_heap(deciding.memory(), index) && depends && !deciding.is_missing(one) {
                brought.depends.insert(index);
            }
        }
        for cover in &deciding.covers.all {
            for (cells, is_behind) in [(&cover.behind, true), (&cover.named, false)] {
                brought.add_sure(cover, cells, is_behind);
            }
        }
        let covers = &deciding.covers;
        for (pointer, items) in covers.shadows.pointers() {
            let items = items.iter().map(|item| &covers.all[*item]);
            brought.behind.insert(pointer, items.collect());
        }
        for cell in brought.depends.difference(&brought.sure) {
            let object = deciding.memory().cells[cell].object;
            brought.unsure.entry(object).or_default().push(cell);
        }
        brought
    }

    /// Finds the blocks with pointers behind which something lies that nothing brings for sure, at once or further behind.
    fn find_beyond(&mut self) {
        let mut first = BTreeSet::new();
        let mut holders: FxHashMap<ObjectId, Vec<ObjectId>> = FxHashMap::default();
        let mut seen: FxHashSet<(ObjectId, u32)> = FxHashSet::default();
        for (&object, pointers) in &self.inside {
            for &pointer in pointers {
                let (index, states) = (pointer.0 as usize, [self.state]);
                if self.is_accompanied(index, &states, Brings::Everything) {
                    continue;
                }
                let own = self.own(index, &states);
                let targets = self.deciding.points_to.pointees_number(pointer);
                if own.is_empty() && !seen.insert((object, targets)) {
                    continue;
                }
                for target in self.blocks_of(pointer) {
                    if self.lost_in(target, own).is_some() {
                        first.insert(object);
                    }
                    holders.entry(target).or_default().push(object);
                }
            }
        }
        let found = closure(first, |one, open| {
            open.extend(holders.get(&one).into_iter().flatten());
        });
        self.beyond = found.into_iter().collect();
    }

    /// The allocated blocks that a pointer may point to; not those of libraries.
    fn blocks_of(&self, pointer: CellId) -> BTreeSet<ObjectId> {
        let memory = self.deciding.memory();
        let targets = self.deciding.points_to.pointees(pointer);
        let heap = targets.filter(|target| is_heap(memory, target.0 as usize));
        let objects = heap.map(|target| memory.cells[target.0 as usize].object);
        objects
            .filter(|object| !self.deciding.opened.contains(object))
            .collect()
    }

    /// Something in a block that neither these items nor others bring for sure.
    fn lost_in(&self, object: ObjectId, own: &[&Cover]) -> Option<usize> {
        let brings = |cell: usize| own.iter().any(|cover| cover.behind.contains(&cell));
        let mut unsure = self.unsure.get(&object).into_iter().flatten().copied();
        unsure.find(|cell| !brings(*cell))
    }

    fn add_sure(&mut self, cover: &Cover, cells: &[usize], is_behind: bool) {
        let memory = self.deciding.memory();
        let heap = |cell: &&usize| is_heap(memory, **cell);
        let objects: BTreeSet<ObjectId> = cells
            .iter()
            .filter(heap)
            .map(|cell| memory.cells[*cell].object)
            .collect();
        let is_everything = is_behind && cover.brings == Brings::Everything;
        let leads_elsewhere = match is_behind {
            true => {
                let pointers = cover.named.iter();
                let mut targets = pointers
                    .flat_map(|cell| self.deciding.points_to.pointees(CellId(*cell as u32)));
                targets.any(|target| !is_heap(memory, target.0 as usize))
            }
            false => !cells.iter().all(|cell| heap(&cell)),
        };
        for object in &objects {
            let one = &memory.objects[object.0 as usize];
            // Each block gets a register of its own where it is allocated. In a recursion others may wait for theirs.
            let waits = self.is_strict && self.deciding.points_to.is_recursive(cover.routine);
            let each =
                !one.is_single && !is_everything && !waits && self.is_allocated_in(*object, cover);
            let alone = one.is_single && objects.len() == 1 && !leads_elsewhere;
            if each || alone {
                let own = cells
                    .iter()
                    .filter(|cell| memory.cells[**cell].object == *object);
                self.sure.extend(own.copied());
            }
        }
    }

    /// Whether a block is allocated by the function in which an item stands.
    fn is_allocated_in(&self, object: ObjectId, cover: &Cover) -> bool {
        let ObjectKind::Heap { call, through, .. } =
            &self.deciding.memory().objects[object.0 as usize].kind
        else {
            return false;
        };
        let function = self.deciding.steps.routine(cover.routine).function;
        let unit = &self.deciding.program.units[function.unit];
        let body = unit.function(function.function).body.span;
        through
            .iter()
            .chain([call])
            .any(|place| place.unit == function.unit && body.contains(place.span))
    }

    /// Whether an item that stands behind a pointer, and brings so much, has been executed on the ways to a place.
    fn is_accompanied(&self, pointer: usize, states: &[&State], brings: Brings) -> bool {
        if self.is_begun(pointer, brings) {
            return true;
        }
        let shadow = self.deciding.covers.shadows.shadow(pointer, brings);
        shadow.is_some_and(|shadow| {
            let mut sets = states.iter().map(|state| match self.is_strict {
                true => &state.open,
                false => &state.lost,
            });
            !sets.any(|set| set.contains(shadow))
        })
    }

    /// Whether a pointer leads nowhere before an item is executed that stands behind it and brings so much.
    fn is_begun(&self, pointer: usize, brings: Brings) -> bool {
        let cell = CellId(pointer as u32);
        let Some(variable) = self.deciding.variable(cell) else {
            return false;
        };
        let covers = self.deciding.covers.all.iter();
        let mut own = covers
            .filter(|cover| Some(cover.routine) == variable.owner && cover.name == variable.name);
        self.deciding.is_begun(cell)
            && own.all(|cover| match brings {
                Brings::Everything => cover.brings == Brings::Everything,
                _ => !cover.behind.is_empty(),
            })
    }

    /// The items of a pointer that have been executed on the ways to a place.
    fn own(&self, pointer: usize, states: &[&State]) -> &[&'d Cover] {
        let own = self.behind.get(&pointer);
        let own = own.filter(|_| self.is_accompanied(pointer, states, Brings::Block));
        own.map_or(&[][..], Vec::as_slice)
    }

    /// How far behind a pointer something lies that nothing brings for sure.
    fn missing_behind(&self, root: CellId, states: &[&State]) -> Option<Depth> {
        let index = root.0 as usize;
        if self.is_accompanied(index, states, Brings::Everything) {
            return None;
        }
        let own = self.own(index, states);
        let depths = self.blocks_of(root).into_iter().filter_map(|object| {
            // An item for one block is none for memory of which there may be many.
            let covers = &self.deciding.covers;
            let is_crowd = |cell: usize| {
                covers.linked.contains(cell) || self.is_strict && covers.crowds.contains(cell)
            };
            match self.lost_in(object, own) {
                Some(cell) if is_crowd(cell) => Some(Depth::Beyond),
                _ if self.beyond.contains(&object) => Some(Depth::Beyond),
                lost => lost.map(|_| Depth::Block),
            }
        });
        depths.max()
    }

    /// Pointers that come back from the checkpoint, and lead to memory that every start allocates before `init`: it needs no
    /// item for what is in it, but without one the pointer is to nothing that is known.
    fn add_unknown(
        &self,
        roots: &BTreeMap<CellId, Vec<&State>>,
        found: &mut BTreeMap<CellId, Depth>,
    ) {
        let memory = self.deciding.memory();
        let object = |cell: CellId| memory.cells[cell.0 as usize].object;
        let leads_to_unknown = |pointer: CellId, states: &[&State]| {
            let own = self.own(pointer.0 as usize, states);
            // Items of other pointers bring it only if these lead there at the checkpoint.
            let is_known = |index: usize| {
                let brings = |cover: &&Cover| cover.behind.contains(&index);
                self.state.kept.contains(index)
                    && (self.sure.contains(index) || own.iter().any(brings))
            };
            let mut targets = self.deciding.points_to.pointees(pointer);
            !self.is_accompanied(pointer.0 as usize, states, Brings::Everything)
                && targets.any(|target| {
                    let index = target.0 as usize;
                    // What may be allocated later only is not there yet.
                    is_heap(memory, index)
                        && self.state.born.contains(index)
                        && !self.deciding.opened.contains(&object(target))
                        && !self.depends.contains(index)
                        && !self.state.made.contains(index)
                        && !is_known(index)
                })
        };
        let inside = self.inside.iter().filter(|(_, cells)| {
            // Items bring whole blocks: what has not changed comes back with the rest.
            let mut cells = cells.iter();
            cells.any(|cell| {
                self.state.kept.contains(cell.0 as usize) && leads_to_unknown(*cell, &[self.state])
            })
        });
        let inside: BTreeSet<ObjectId> = inside.map(|(object, _)| *object).collect();
        for (root, states) in roots {
            let index = root.0 as usize;
            if self.is_accompanied(index, states, Brings::Everything) {
                continue;
            }
            let comes_back = self.state.kept.contains(index) && self.state.changed.contains(index);
            let mut targets = self.deciding.points_to.pointees(*root);
            if targets.any(|target| inside.contains(&object(target))) {
                found.insert(*root, Depth::Beyond);
            } else if comes_back && leads_to_unknown(*root, states) {
                found.entry(*root).or_insert(Depth::Block);
            }
        }
    }

    /// A parameter that has in every call on the way what a variable of the caller has, which brings it.
    fn is_handed_over(&self, parameter: CellId, live: &CheckpointLive, depth: usize) -> bool {
        let deciding = self.deciding;
        let private = &deciding.liveness.effects.private;
        let is_unchanged = |routine: RoutineId, cell: CellId| {
            let mut changed = false;
            for actions in &deciding.liveness.effects.bodies[routine.0 as usize].nodes {
                Facts::walk(actions, &mut |action| {
                    if let ActionKind::Write { cells, .. } = &action.kind {
                        changed |= deciding.liveness.effects.cells(*cells).contains(&cell);
                    }
                });
            }
            private.contains(cell.0 as usize) && !changed
        };
        let known = deciding.variable(parameter);
        let Some((VariableKind::Parameter(position), Some(owner))) =
            known.map(|one| (one.kind, one.owner))
        else {
            return false;
        };
        if depth > live.frames.len() || !is_unchanged(owner, parameter) {
            return false;
        }
        let mut sources: Vec<(CellId, Vec<&State>)> = Vec::new();
        for frame in &live.frames {
            match self.handed(frame.routine, frame.call, owner, position) {
                Handed::Cell(cell) if private.contains(cell.0 as usize) => {
                    sources.push((cell, deciding.at_call(frame.routine, frame.call)));
                }
                Handed::Nothing => {}
                _ => return false,
            }
        }
        !sources.is_empty()
            && sources.iter().all(|(source, states)| {
                self.missing_behind(*source, states).is_none()
                    || self.is_handed_over(*source, live, depth + 1)
            })
    }

    /// What a call hands over.
    fn handed(
        &self,
        caller: RoutineId,
        call: TextPlace,
        callee: RoutineId,
        position: usize,
    ) -> Handed {
        let mut value: Option<ValueId> = None;
        let mut is_call = false;
        self.deciding.steps.routine(caller).walk(&mut |step| {
            if let StepKind::Call(one) = &step.kind
                && step.span == call.span
            {
                match one.callee {
                    Called::Routine(routine) if routine != callee => {}
                    _ => {
                        is_call = true;
                        value = one.arguments.get(position).map(|one| one.value);
                    }
                }
            }
        });
        let Some(value) = value else {
            return match is_call {
                true => Handed::Other,
                false => Handed::Nothing,
            };
        };
        let mut found = Handed::Other;
        self.deciding.steps.routine(caller).walk(&mut |step| {
            if let StepKind::Read { place, into } = &step.kind
                && *into == value
                && let [cell] = self.deciding.points_to.touched(caller, place).cells[..]
            {
                found = Handed::Cell(cell);
            }
        });
        found
    }

    /// What a person who marked a program is believed to know.
    fn is_believed(&self, root: CellId, depth: Depth) -> bool {
        let memory = self.deciding.memory();
        let points_to = self.deciding.points_to;
        let objects: BTreeSet<ObjectId> = points_to
            .pointees(root)
            .filter(|target| is_heap(memory, target.0 as usize))
            .map(|target| memory.cells[target.0 as usize].object)
            .collect();
        let one_each = objects
            .iter()
            .all(|one| memory.objects[one.0 as usize].is_single);
        let is_kept = |pointer: &usize| self.state.kept.contains(*pointer);
        if !self.behind.contains_key(&(root.0 as usize)) {
            let object = |cell: &usize| memory.cells[*cell].object;
            let others = self.behind.iter().filter(|(pointer, _)| is_kept(pointer));
            let others = others.flat_map(|(_, covers)| covers);
            let leading: Vec<&&Cover> = others
                .filter(|cover| {
                    cover
                        .behind
                        .iter()
                        .any(|cell| objects.contains(&object(cell)))
                })
                .collect();
            let brought: BTreeSet<ObjectId> = leading
                .iter()
                .flat_map(|cover| cover.behind.iter().map(object))
                .collect();
            // One item that may lead to either of two blocks brings one of them.
            let is_enough = depth == Depth::Beyond
                || leading.len() >= objects.len()
                || leading
                    .iter()
                    .any(|cover| cover.brings == Brings::Everything)
                || !one_each;
            if is_enough && objects.is_subset(&brought) {
                return true;
            }
        }
        let leads_there = |pointer: &&usize| {
            let mut targets = points_to.pointees(CellId(**pointer as u32));
            is_kept(pointer)
                && targets.any(|target| objects.contains(&memory.cells[target.0 as usize].object))
        };
        depth == Depth::Block
            && one_each
            && self.behind.keys().filter(leads_there).count() >= objects.len()
    }
}

/// What a call hands over for a parameter.
enum Handed {
    /// It is not a call of the function.
    Nothing,
    /// What is in a variable.
    Cell(CellId),
    /// Something else.
    Other,
}
