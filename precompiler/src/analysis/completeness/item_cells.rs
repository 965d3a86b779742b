//! The cells that one item names, and those that it brings.
//!
//! In: an item with the place where it stands. Out: a [`Cover`]. Errors fall on the side of covering less.
//!
//! `x`, `s.f`: the object. `p[n]`: the memory behind the pointer, and the pointer, which a restart sets, too. `p[]` and
//! `follow(x)`: the object, and the allocated blocks that it leads to at the checkpoint, directly or at all. A part of
//! an array whose constant bounds leave some of it out covers nothing for sure; bounds that are computed are taken for
//! what the program needs. What is reached through a pointer that may point to several objects is covered when it is
//! memory of the heap, which has no name of its own; variables are not.
//!
//! Not here: when it covers them ([`cover`](super::cover)).

use std::collections::BTreeSet;

use super::cover::{Cover, is_heap};
use super::model::{DirectivePlace, ItemPlaceInProgram};
use crate::analysis::constants::is_automatic;
use crate::analysis::memory::{CellId, ObjectId, ObjectKind};
use crate::analysis::points_to::PointsTo;
use crate::dataflow::steps::{Base, Location, Projection, RoutineId, Steps};
use crate::program::{
    Brings, Expression, ExpressionKind, Item, ItemPlace, Program, TypeId, TypeKind, Unit,
};

/// The place from which an item is looked at.
pub(super) struct Looking<'a> {
    pub program: &'a Program,
    pub unit: &'a Unit,
    pub steps: &'a Steps,
    pub points_to: &'a PointsTo,
    pub routine: RoutineId,
}

impl Looking<'_> {
    /// What an item covers whose base is at a place.
    pub fn cover(&self, item: &Item, place: &Location) -> Cover {
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
            region: None,
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
            empty: Vec::new(),
        }
    }

    /// The allocated memory that an item brings: whole blocks, whatever its pointers point to at a checkpoint.
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

    /// The pointers to memory in blocks behind an item whose elements hold none.
    pub fn saved_as_numbers(&self, item: &Item, named: &[usize]) -> Vec<CellId> {
        if item.kind != ItemPlace::BehindPointer || holds_pointers(self.unit, item.element, 0) {
            return Vec::new();
        }
        let memory = &self.points_to.memory;
        let targets = named
            .iter()
            .flat_map(|&cell| self.points_to.pointees(CellId(cell as u32)));
        let objects = targets.map(|target| memory.cells[target.0 as usize].object);
        let objects: BTreeSet<ObjectId> = objects
            .filter(|object| {
                let kind = &memory.objects[object.0 as usize].kind;
                matches!(kind, ObjectKind::Heap { .. })
            })
            .collect();
        let is_memory = |target: CellId| {
            let object = memory.cells[target.0 as usize].object;
            matches!(
                memory.objects[object.0 as usize].kind,
                ObjectKind::Variable(_) | ObjectKind::Heap { .. }
            )
        };
        // Numbers that may hold one are looked at in the run.
        let is_pointer = |cell: CellId| {
            memory.cells[cell.0 as usize].ty.is_some_and(|ty| {
                let unit = &self.program.units[ty.unit];
                matches!(unit.kind(ty.id), TypeKind::Pointer(_))
            })
        };
        let cells = objects
            .into_iter()
            .flat_map(|one| self.points_to.cells(one));
        cells
            .filter(|&cell| is_pointer(cell) && self.points_to.pointees(cell).any(is_memory))
            .collect()
    }

    /// Whether an extent is the same ever after: numbers, and locals that nothing changes after the directive.
    pub fn is_steady(&self, extent: &Expression, directive: usize) -> bool {
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

/// Whether an object of a type has pointers in it.
fn holds_pointers(unit: &Unit, ty: TypeId, depth: usize) -> bool {
    match unit.kind(ty) {
        TypeKind::Array { element, .. } => depth > 64 || holds_pointers(unit, *element, depth + 1),
        TypeKind::Record(record) => {
            let members = unit.records[record.0].members.iter().flatten();
            depth > 64 || unit.records[record.0].members.is_none() || { members }
                .any(|member| holds_pointers(unit, member.ty, depth + 1))
        }
        TypeKind::Integer(_) | TypeKind::Float(_) | TypeKind::Bool | TypeKind::Enum(_) => false,
        _ => true,
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
