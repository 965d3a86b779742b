//! Which cells an access to a place touches.
//!
//! A place with a name is part of a variable. A place behind a pointer is part of everything that the pointer may lead to:
//! hundreds of blocks, often, that are all of one kind. What an access is in one of them it is in the next one.
//!
//! ```text
//! p->left, p → heap@3, heap@7      heap@3.left, heap@7.left
//! ```
//!
//! Errors fall on the side of more cells, and of *not exactly these*.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::Scope;
use super::query::{PointsTo, Touched, UNKNOWN};
use crate::analysis::memory::{CellId, LayoutId, Named, ObjectId, ObjectKind};
use crate::dataflow::steps::{Base, Location, TypeRef, ValueId};

/// A place behind a pointer, and what it is in the object that was looked at last.
struct Access {
    used: LayoutId,
    named: Named,
    /// It is all of what it names.
    is_whole: bool,
    /// The layout and the leaf at which it began, and what it was there.
    last: Option<(LayoutId, u32, Rc<Found>)>,
}

/// What an access is that begins at a leaf of an object.
#[derive(Debug)]
pub(super) struct Found {
    /// Nothing else can be meant there.
    is_only: bool,
    /// Each leaf that is touched is touched wholly.
    is_exact: bool,
    /// These are touched.
    leaves: Box<[u32]>,
}

/// The cells that an access touches, while they are being found.
#[derive(Default)]
pub(super) struct Gathered {
    pub(super) cells: Vec<CellId>,
    pub(super) exact: bool,
    pub(super) unknown: bool,
}

impl Gathered {
    /// In ascending order, each once.
    pub(super) fn touched(mut self, lists: &RefCell<FxHashSet<Rc<[CellId]>>>) -> Touched {
        self.cells.sort_unstable();
        self.cells.dedup();
        let known = lists.borrow().get(self.cells.as_slice()).map(Rc::clone);
        let cells = known.unwrap_or_else(|| {
            let list: Rc<[CellId]> = self.cells.into();
            lists.borrow_mut().insert(Rc::clone(&list));
            list
        });
        Touched {
            cells,
            exact: self.exact,
            unknown: self.unknown,
        }
    }
}

/// What a pointer may point to, the type of an access, what of it is meant, and whether that is a step, and all of what is named.
pub(super) type TouchedKey = (u32, LayoutId, u32, u32, bool, bool);

/// An object's layout and a leaf of it, the type of an access, and what of it is meant.
pub(super) type FoundKey = (LayoutId, u32, LayoutId, u32, u32, bool);

impl PointsTo {
    /// The cells that an access to a place may touch.
    pub fn touched(&self, scope: impl Into<Scope>, place: &Location) -> Touched {
        let mut gathered = Gathered::default();
        match &place.base {
            Base::Variable(variable) => {
                if let Some(object) = self.variable(*variable) {
                    self.touch_variable(object, place, &mut gathered);
                }
            }
            Base::Pointer(value, ty) => {
                return self.touched_behind(scope.into(), *value, *ty, place);
            }
            Base::Text(at) => {
                if let Some(object) = self.by_kind.get(&ObjectKind::Text(*at)) {
                    gathered.cells.extend(self.cells(*object));
                }
            }
            Base::Function(_) => {}
        }
        gathered.exact &= !gathered.cells.is_empty();
        gathered.touched(&self.lists)
    }

    /// The same for a place behind a pointer: pointers with the same targets touch the same, which is found once.
    fn touched_behind(
        &self,
        scope: Scope,
        value: ValueId,
        ty: TypeRef,
        place: &Location,
    ) -> Touched {
        let used = self.layouts.known(ty);
        let named = self.layouts.named(used, &place.path);
        let is_all = !named.is_inside || self.fills(place, used, named.first);
        let mut access = Access {
            used,
            named,
            is_whole: is_all && !named.is_element && !named.is_step,
            last: None,
        };
        let set = self.set_number(scope, value);
        let (first, count) = (named.first, named.count);
        let key = (set, used, first, count, named.is_step, access.is_whole);
        if let Some(touched) = self.touched.borrow().get(&key) {
            return touched.clone();
        }
        let mut gathered = Gathered {
            exact: true,
            ..Gathered::default()
        };
        let mut meant = 0;
        for target in self.set(scope, value) {
            meant += usize::from(self.touch_target(*target, &mut access, &mut gathered));
        }
        gathered.exact &= meant == 1 && !gathered.cells.is_empty();
        let touched = gathered.touched(&self.lists);
        self.touched.borrow_mut().insert(key, touched.clone());
        touched
    }

    fn touch_variable(&self, object: ObjectId, place: &Location, touched: &mut Gathered) {
        let one = &self.memory.objects[object.0 as usize];
        if one.collapsed.is_some() {
            touched.cells.push(one.first);
            return;
        }
        let layout = self.layout_of(object);
        let named = self.layouts.named(layout, &place.path);
        let first = one.first.0 + named.first.min(one.count - 1);
        let end = (first + named.count).min(one.first.0 + one.count);
        touched.cells.extend((first..end).map(CellId));
        let is_whole = !named.is_inside || self.fills(place, layout, named.first);
        touched.exact = one.is_single && is_whole && !named.is_element && !named.is_step;
    }

    /// A place inside of a union is all of it.
    fn fills(&self, place: &Location, object: LayoutId, leaf: u32) -> bool {
        let size = self.layouts.get(self.layouts.known(place.ty)).size;
        let leaf = self.layouts.get(object).leaves.get(leaf as usize);
        size.is_some() && leaf.is_some_and(|leaf| leaf.size == size)
    }

    /// Whether there is anything of the target: what is too short for the access is not meant.
    fn touch_target(&self, target: CellId, access: &mut Access, out: &mut Gathered) -> bool {
        if target == UNKNOWN {
            out.unknown = true;
            out.exact = false;
            out.cells.push(UNKNOWN);
            out.cells.extend(self.escaped_memory());
            return true;
        }
        let object = self.memory.cells[target.0 as usize].object;
        let one = &self.memory.objects[object.0 as usize];
        if matches!(one.kind, ObjectKind::Function(_)) {
            return true;
        }
        if one.collapsed.is_some() || one.count <= 1 {
            out.cells.push(one.first);
        }
        if one.collapsed.is_some() {
            out.exact = false;
            return true;
        }
        let layout = self.layout_of(object);
        let from = target.0 - one.first.0;
        // Blocks of one kind follow each other.
        let found = match &access.last {
            Some((last, at, found)) if (*last, *at) == (layout, from) => Rc::clone(found),
            _ => self.found(layout, from, access),
        };
        access.last = Some((layout, from, Rc::clone(&found)));
        if one.count > 1 && found.leaves.is_empty() && access.named.count > 0 {
            return false;
        }
        out.exact &= one.is_single && access.is_whole && found.is_only;
        if one.count <= 1 {
            return true;
        }
        out.exact &= found.is_exact;
        let cells = found.leaves.iter().filter(|leaf| **leaf < one.count);
        out.cells
            .extend(cells.map(|leaf| CellId(one.first.0 + leaf)));
        true
    }

    /// The leaves that an access touches when it begins at a leaf of a layout.
    fn found(&self, layout: LayoutId, from: u32, access: &Access) -> Rc<Found> {
        let (used, named) = (access.used, access.named);
        let key = (layout, from, used, named.first, named.count, named.is_step);
        if let Some(found) = self.found.borrow().get(&key) {
            return Rc::clone(found);
        }
        let step = named
            .is_step
            .then(|| self.layouts.step(layout, from, used, None));
        let starts = step.map_or_else(|| vec![from], |step| step.leaves);
        let (mut is_exact, mut leaves) = (true, Vec::new());
        for start in starts {
            let meant = named.first..named.first + named.count;
            let hit = self.layouts.overlay_all(layout, start, used, meant);
            is_exact &= hit.is_exact;
            leaves.extend(hit.leaves);
        }
        let found = Rc::new(Found {
            is_only: self.layouts.is_only(layout, from, used),
            is_exact,
            leaves: leaves.into(),
        });
        self.found.borrow_mut().insert(key, Rc::clone(&found));
        found
    }
}
