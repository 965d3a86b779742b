//! Which cells an item of a register directive covers.
//!
//! `x`, `s.f`: the object. `p[n]`: the memory behind the pointer, and the pointer, which a restart sets, too. `p[]` and
//! `follow(x)`: the object, and the allocated blocks that it leads to at the checkpoint, directly or at all. A part of
//! an array whose constant bounds leave some of it out covers nothing for sure; bounds that are computed are taken for
//! what the program needs. What is reached through a pointer that may lead to several objects is covered when it is
//! memory of the heap, which has no name of its own; variables are not.

use std::collections::BTreeMap;

use super::facts::Facts;
use super::model::{DirectivePlace, ItemPlaceInProgram};
use super::running::{BORN, Running, Universe};
use super::shadows::Shadows;
use crate::analysis::constants::is_automatic;
use crate::analysis::memory::{CellId, CellSet, Memory, ObjectKind};
use crate::analysis::points_to::PointsTo;
use crate::dataflow::steps::{Base, Location, Projection, RoutineId, Steps};
use crate::program::{Brings, Expression, ExpressionKind, Item, ItemPlace, TypeId, TypeKind, Unit};
use rustc_hash::FxHashSet;

/// What one item covers.
#[derive(Clone, Debug)]
pub(super) struct Cover {
    /// The item.
    pub item: ItemPlaceInProgram,
    /// The function in which it stands.
    pub routine: RoutineId,
    /// Its canonical name.
    pub name: String,
    /// The object it names or, behind a pointer, the pointer.
    pub named: Vec<usize>,
    /// The memory behind the pointer.
    pub behind: Vec<usize>,
    /// All of them surely.
    pub sure: Vec<usize>,
    /// What it brings besides the object.
    pub brings: Brings,
    /// The memory has the same size for ever.
    fixed: bool,
    /// Memory that is covered whenever it is allocated.
    followed: Vec<usize>,
    /// Some of it is one of many blocks, which is not told apart from the others.
    pub crowd: bool,
}

/// What all items cover.
#[derive(Clone, Debug, Default)]
pub(super) struct Covers {
    /// In the order of units, texts and lists.
    pub all: Vec<Cover>,
    /// Memory of which there may be many blocks at a time: nodes of lists. One register covers one of them.
    pub crowds: CellSet,
    /// The pointers with items behind them.
    pub shadows: Shadows,
    by_directive: BTreeMap<DirectivePlace, Vec<usize>>,
}

/// Memory that is allocated again and again, and to which not only named pointers lead.
fn crowds(points_to: &PointsTo) -> CellSet {
    let memory = &points_to.memory;
    let mut crowds = CellSet::with_capacity(memory.cells.len());
    // What leads to the same blocks need not be looked at again.
    let mut followed: FxHashSet<u32> = FxHashSet::default();
    for number in 0..memory.cells.len() {
        let cell = &memory.cells[number];
        let holder = &memory.objects[cell.object.0 as usize];
        let heap = matches!(holder.kind, ObjectKind::Heap { .. });
        if !(cell.is_many || heap && !holder.is_single)
            || !followed.insert(points_to.pointees_number(CellId(number as u32)))
        {
            continue;
        }
        for target in points_to.pointees(CellId(number as u32)) {
            let object = memory.cells[target.0 as usize].object;
            let object = &memory.objects[object.0 as usize];
            let heap = matches!(object.kind, ObjectKind::Heap { .. });
            if heap && !object.is_single {
                let first = object.first.0 as usize;
                crowds.insert_range(first..first + object.count as usize);
            }
        }
    }
    crowds
}

impl Cover {
    fn leave_out(&mut self, cells: &CellSet) {
        for list in [&mut self.named, &mut self.behind, &mut self.sure] {
            self.crowd |= list.iter().any(|cell| cells.contains(*cell));
            list.retain(|cell| !cells.contains(*cell));
        }
    }
}

impl Covers {
    /// Looks at all register directives.
    pub fn of(facts: &Facts, points_to: &PointsTo) -> Covers {
        let (program, steps) = (facts.program, facts.steps);
        let often = facts.run_often();
        let mut covers = Covers {
            crowds: crowds(points_to),
            ..Covers::default()
        };
        for routine in steps.routine_ids() {
            let one = steps.routine(routine);
            let unit = &program.units[one.function.unit];
            for registered in &one.items {
                let directive = DirectivePlace {
                    unit: one.function.unit,
                    id: registered.directive,
                };
                let crate::program::Directive::Register { items } =
                    &unit.directives[registered.directive.0].directive
                else {
                    continue;
                };
                let Some(item) = items.get(registered.index) else {
                    continue;
                };
                let looked = Looking {
                    unit,
                    steps,
                    points_to,
                    routine,
                };
                let mut cover = looked.cover(item, &registered.place);
                // All blocks that can be reached are saved, however many there are.
                if !often.contains(&routine) && item.brings != Brings::Everything {
                    cover.leave_out(&covers.crowds);
                }
                cover.item = ItemPlaceInProgram {
                    directive,
                    index: registered.index,
                };
                let place = unit.directives[registered.directive.0].span.start;
                cover.fixed = item.extents.iter().all(|extent| {
                    extent.value.is_some()
                        || extent
                            .written
                            .as_ref()
                            .and_then(|one| one.expression.as_deref())
                            .is_some_and(|one| looked.is_steady(one, place))
                });
                if cover.fixed {
                    let behind = cover.behind.iter().copied();
                    cover.followed = behind.filter(|cell| facts.heap.contains(*cell)).collect();
                }
                covers.all.push(cover);
            }
        }
        covers.all.sort_by_key(|cover| cover.item);
        covers.shadows = Shadows::of(&covers.all, &points_to.memory);
        for (number, cover) in covers.all.iter().enumerate() {
            let list = covers.by_directive.entry(cover.item.directive).or_default();
            list.push(number);
        }
        covers
    }

    /// A register directive is executed.
    pub fn register(
        &self,
        directive: DirectivePlace,
        heap: &CellSet,
        universe: &Universe,
        state: &mut Running,
    ) {
        let Some(list) = self.by_directive.get(&directive) else {
            return;
        };
        for &number in list {
            let cover = &self.all[number];
            // The same name again replaces the register.
            let older = self.all.iter().enumerate().filter(|(other, one)| {
                *other != number && one.routine == cover.routine && one.name == cover.name
            });
            for (_, older) in older {
                let gone = older.sure.iter().chain(&older.behind);
                let gone = gone.filter(|cell| !self.is_covered_by_others(**cell, older));
                let exists =
                    |cell: &usize| !heap.contains(*cell) || universe.has(state, BORN, *cell);
                let gone = universe.exactly(gone.copied().filter(exists));
                state.uncover(&gone);
                let brought = self.shadows.covered_by(older);
                let gone = brought.filter(|shadow| !self.is_brought_by_others(*shadow, older));
                state.uncover(&universe.exactly(gone));
                self.loosen(older, universe, state);
            }
            let exists = |cell: &usize| !heap.contains(*cell) || universe.has(state, BORN, *cell);
            let all = cover.named.iter().chain(&cover.behind);
            let all = universe.exactly(all.copied().filter(exists));
            let sure = universe.exactly(cover.sure.iter().copied().filter(exists));
            state.cover(&sure);
            state.may_cover(&all);
            state.cover(&universe.exactly(self.shadows.covered_by(cover)));
            state.follow(&universe.exactly(cover.followed.iter().copied()));
        }
    }

    /// Whether a register follows its pointer into new memory.
    pub fn follow(&self) -> bool {
        self.all.iter().any(|cover| !cover.followed.is_empty())
    }

    /// The memory into which registers follow pointers that are locals of a function.
    pub fn followed_by(&self, facts: &Facts, routine: RoutineId) -> impl Iterator<Item = usize> {
        let locals = &facts.locals[routine.0 as usize];
        let own = self.all.iter().filter(move |cover| {
            cover.routine == routine && cover.named.iter().any(|cell| locals.contains(cell))
        });
        own.flat_map(|cover| cover.followed.iter().copied())
    }

    /// A register follows its pointer no more.
    fn loosen(&self, cover: &Cover, universe: &Universe, state: &mut Running) {
        let gone = cover.followed.iter().copied();
        let gone = gone.filter(|cell| !self.is_covered_by_others(*cell, cover));
        state.loosen(&universe.part(gone));
    }

    /// An item under another name covers the cell, too.
    fn is_covered_by_others(&self, cell: usize, cover: &Cover) -> bool {
        self.all.iter().any(|one| {
            one.name != cover.name && (one.named.contains(&cell) || one.behind.contains(&cell))
        })
    }

    /// An item under another name brings what a pointer leads to, too.
    fn is_brought_by_others(&self, shadow: usize, cover: &Cover) -> bool {
        let mut others = self.all.iter().filter(|one| one.name != cover.name);
        others.any(|one| self.shadows.covered_by(one).any(|other| other == shadow))
    }

    /// An unregister directive is executed: that of this function or, failing that, of another one. Memory of the heap
    /// is about to be given back.
    pub fn unregister(
        &self,
        routine: RoutineId,
        name: &str,
        heap: &CellSet,
        universe: &Universe,
        state: &mut Running,
    ) {
        let named = |cover: &&Cover| cover.name == name;
        let own: Vec<&Cover> = self
            .all
            .iter()
            .filter(named)
            .filter(|cover| cover.routine == routine)
            .collect();
        let ended = if own.is_empty() {
            self.all.iter().filter(named).collect()
        } else {
            own
        };
        for cover in ended {
            self.loosen(cover, universe, state);
            let cells = cover.sure.iter().chain(&cover.named).chain(&cover.behind);
            let cells = cells.filter(|cell| !self.is_covered_by_others(**cell, cover));
            let (blocks, others): (Vec<usize>, Vec<usize>) =
                cells.copied().partition(|cell| heap.contains(*cell));
            state.release(&universe.part(blocks.into_iter()));
            state.uncover(&universe.part(others.into_iter()));
        }
    }
}

/// Whether a cell belongs to memory that a call allocates.
pub(super) fn is_heap(memory: &Memory, cell: usize) -> bool {
    let object = memory.cells[cell].object;
    matches!(
        memory.objects[object.0 as usize].kind,
        ObjectKind::Heap { .. }
    )
}

struct Looking<'a> {
    unit: &'a Unit,
    steps: &'a Steps,
    points_to: &'a PointsTo,
    routine: RoutineId,
}

impl Looking<'_> {
    fn cover(&self, item: &Item, place: &Location) -> Cover {
        let memory = &self.points_to.memory;
        let base = self.points_to.touched(self.routine, place);
        let named: Vec<usize> = base.cells.iter().map(|cell| cell.0 as usize).collect();
        let directly = matches!(place.base, Base::Variable(_));
        let is_element = place
            .path
            .iter()
            .any(|step| matches!(step, Projection::Element(_)));
        let one_object = |cells: &[usize]| {
            let mut objects = cells.iter().map(|&cell| memory.cells[cell].object);
            let first = objects.next();
            first.is_some() && objects.all(|object| Some(object) == first)
        };
        let whole_base = !is_element && (directly || one_object(&named));
        let behind_pointer = item.kind == ItemPlace::BehindPointer;
        let mut sure = Vec::new();
        let mut behind = Vec::new();
        if behind_pointer {
            for &cell in &named {
                for target in self.points_to.pointees(CellId(cell as u32)) {
                    behind.extend(self.elements_at(target, item.element));
                }
            }
            behind.sort_unstable();
            behind.dedup();
            if whole_base {
                sure.extend(named.iter().copied());
            }
            if one_object(&behind) && !self.is_smaller_than_its_object(item, &behind) {
                sure.extend(behind.iter().copied());
            }
        } else if whole_base && !self.is_part(item) {
            sure.extend(named.iter().copied());
        }
        behind.extend(self.brought(item, &base.cells));
        behind.sort_unstable();
        behind.dedup();
        let heap = |cells: &[usize]| -> Vec<usize> {
            let cells = cells.iter().copied();
            cells.filter(|&cell| is_heap(memory, cell)).collect()
        };
        sure.extend(heap(&named));
        sure.extend(heap(&behind));
        sure.sort_unstable();
        sure.dedup();
        Cover {
            item: ItemPlaceInProgram {
                directive: DirectivePlace {
                    unit: 0,
                    id: crate::program::DirectiveId(0),
                },
                index: 0,
            },
            routine: self.routine,
            name: item.name.clone(),
            named,
            behind,
            sure,
            brings: item.brings,
            fixed: false,
            followed: Vec::new(),
            crowd: false,
        }
    }

    /// The allocated memory that an item brings: whole blocks, whatever its pointers lead to at a checkpoint.
    fn brought(&self, item: &Item, named: &[CellId]) -> Vec<usize> {
        let memory = &self.points_to.memory;
        let heap = |cell: &usize| is_heap(memory, *cell);
        match item.brings {
            Brings::Itself | Brings::File => Vec::new(),
            Brings::Block => named
                .iter()
                .flat_map(|cell| self.points_to.pointees(*cell))
                .flat_map(|target| {
                    let object = memory.cells[target.0 as usize].object;
                    self.points_to.cells(object)
                })
                .map(|cell| cell.0 as usize)
                .filter(heap)
                .collect(),
            Brings::Everything => {
                let reached = self.points_to.reachable(named.iter().copied());
                reached.ones().filter(heap).collect()
            }
        }
    }

    /// Whether an extent is the same ever after: numbers, and locals that nothing changes after the directive.
    fn is_steady(&self, extent: &Expression, directive: usize) -> bool {
        let function = self.steps.routine(self.routine).function;
        let function = self.unit.function(function.function);
        let mut steady = true;
        extent.walk(&mut |one| match &one.kind {
            ExpressionKind::Number(_) | ExpressionKind::Binary(..) | ExpressionKind::Cast(_) => {}
            ExpressionKind::Name {
                symbol: Some(symbol),
                ..
            } => {
                let facts = &self.unit.symbols[symbol.0];
                let flow = &self.steps.routine(self.routine).flow;
                let mut changes = false;
                function.body.walk_expressions(&mut |inner| {
                    let target = match &inner.kind {
                        ExpressionKind::Assign { target, .. } | ExpressionKind::Step(_, target) => {
                            target
                        }
                        _ => return,
                    };
                    changes |= target.symbol() == Some(*symbol)
                        && flow.may_follow(directive, inner.span.start);
                });
                steady &= is_automatic(facts) && !facts.address_taken && !changes;
            }
            _ => steady = false,
        });
        steady
    }

    /// The cells of an array of elements of a type that begins at a cell.
    fn elements_at(&self, first: CellId, element: TypeId) -> Vec<usize> {
        let memory = &self.points_to.memory;
        let object = &memory.objects[memory.cells[first.0 as usize].object.0 as usize];
        let start = first.0 as usize;
        let end = object.first.0 as usize + object.count as usize;
        if matches!(object.kind, ObjectKind::Function(_) | ObjectKind::Text(_)) {
            return Vec::new();
        }
        let count = if object.collapsed.is_some() {
            1
        } else {
            leaves(self.unit, element, 0)
        };
        (start..end.min(start + count)).collect()
    }

    /// Constant bounds that leave out some of the array.
    fn is_part(&self, item: &Item) -> bool {
        let mut ty = item.base_type;
        for (position, extent) in item.extents.iter().enumerate() {
            let TypeKind::Array {
                element,
                extent: whole,
            } = self.unit.kind(ty)
            else {
                break;
            };
            let lower = item.lower.as_ref().filter(|_| position == 0);
            let starts_late = lower.is_some_and(|lower| !is_zero(lower));
            let whole = match whole {
                crate::program::Extent::Constant(whole) => Some(*whole),
                _ => None,
            };
            if let (Some(value), Some(whole)) = (extent.value, whole)
                && value < whole
            {
                return true;
            }
            if starts_late && extent.value.is_some() {
                return true;
            }
            ty = *element;
        }
        false
    }

    /// The same for an array that is a variable and is reached through a pointer.
    fn is_smaller_than_its_object(&self, item: &Item, cells: &[usize]) -> bool {
        let memory = &self.points_to.memory;
        let Some(&first) = cells.first() else {
            return false;
        };
        let object = &memory.objects[memory.cells[first].object.0 as usize];
        let (ObjectKind::Variable(variable), Some(_)) = (&object.kind, object.ty) else {
            return false;
        };
        // Only for a variable that is an array of such elements.
        let variable = self.steps.variable(*variable);
        let written = item.extents.first().and_then(|extent| extent.value);
        match self.unit_type(variable.ty.unit, variable.ty.id) {
            Some(crate::program::Extent::Constant(whole)) => {
                written.is_some_and(|written| written < whole)
            }
            _ => false,
        }
    }

    fn unit_type(&self, unit: usize, ty: TypeId) -> Option<crate::program::Extent> {
        let same = self.steps.routine(self.routine).function.unit == unit;
        match self.unit.kind(ty) {
            TypeKind::Array { extent, .. } if same => Some(*extent),
            _ => None,
        }
    }
}

fn is_zero(lower: &crate::program::ClauseExpression) -> bool {
    let meant = lower.expression.as_ref().or(lower.meant.as_ref());
    meant.is_some_and(|one| matches!(one.kind, crate::program::ExpressionKind::Number(Some(0))))
}

/// How many cells an object of a type has.
fn leaves(unit: &Unit, ty: TypeId, depth: usize) -> usize {
    match unit.kind(ty) {
        TypeKind::Array { element, .. } if depth < 64 => leaves(unit, *element, depth + 1),
        TypeKind::Record(record) if depth < 64 => {
            let record = &unit.records[record.0];
            match &record.members {
                Some(members) if !record.is_union => members
                    .iter()
                    .map(|member| leaves(unit, member.ty, depth + 1))
                    .sum::<usize>()
                    .max(1),
                _ => 1,
            }
        }
        _ => 1,
    }
}
