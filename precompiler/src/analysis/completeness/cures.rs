//! What brings a missing location back: the item, how many elements, and where the directive can stand.
//!
//! Extents are told where they are proven: the number that the allocating call was given, in what can be named where the
//! directive stands, unchanged since. Otherwise the user knows better than we do.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::cover::is_heap;
use super::decide::Deciding;
use super::facts::Facts;
use super::model::{Cure, Site};
use super::names::{Names, Viewpoint};
use super::seen::Seen;
use super::sites::Wanted;
use crate::analysis::coverage::{Amount, Extents};
use crate::analysis::effects::{ActionKind, Note, walk};
use crate::analysis::handles::{REQUEST, array_handle, lies_in};
use crate::analysis::memory::{CellId, CellSet, ObjectId, ObjectKind};
use crate::dataflow::Flow;
use crate::dataflow::steps::{RoutineId, TextPlace, TypeRef, Variable, VariableKind};
use crate::program::TypeKind;

/// A missing location.
pub(super) struct Asked<'q, 's, 'n> {
    pub name: &'q str,
    pub cells: &'q [Seen<'s>],
    /// Where it is changed.
    pub changed: Option<TextPlace>,
    /// From where it is seen: the checkpoint, calls that lead there.
    pub views: Vec<Viewpoint>,
    pub names: &'q Names<'n>,
    /// All that is live.
    pub live: &'q CellSet,
    /// The names as seen from each view alone, when somebody asks.
    pub apart: &'q Apart<'n>,
}

/// A location as it is named further down the stack, where its extent is known.
struct Further {
    item: String,
    site: Site,
    exact: String,
    /// Where the name can be used, whatever is allocated by then.
    seen: Option<Site>,
}

/// Names by the place from which they are seen.
pub(super) type Apart<'n> = RefCell<BTreeMap<Viewpoint, Rc<Names<'n>>>>;

impl<'a> Deciding<'a> {
    /// How large blocks of memory are.
    pub(super) fn extents(&self) -> &Extents<'a> {
        let (points_to, effects) = (self.points_to, self.liveness.effects);
        let known = &self.extents;
        known.get_or_init(|| {
            let control = self.facts.control;
            Extents::of(
                self.program,
                self.steps,
                points_to,
                self.catalogue,
                effects,
                control,
            )
        })
    }

    /// What to do.
    pub(super) fn cure(&self, asked: &Asked) -> Cure {
        let Some(first) = asked.cells.first() else {
            return Cure::Nothing;
        };
        if self.hidden_state(first.cell).is_some() {
            return Cure::Nothing;
        }
        let object = self.object(first.cell);
        let in_block = self.moving.contains(&object);
        if in_block || self.moving_of_starts.contains(&object) {
            let holder = self.holder(asked, object);
            let name = holder.and_then(|holder| asked.names.item(holder));
            return Cure::Moving {
                name: name.unwrap_or_else(|| asked.name.trim_end_matches("[…]").to_string()),
                reads: holder.is_some_and(|holder| self.reads(holder)),
                in_block,
            };
        }
        let is_others = |one: &Variable| one.kind == VariableKind::OtherThreads;
        if self.variable(first.cell).is_some_and(is_others) {
            return Cure::OtherThreads;
        }
        let mut cells = asked.cells.iter();
        if let Some(item) = cells.find_map(|one| self.covers.numbers.get(&one.cell)) {
            return Cure::Numbers { item: item.clone() };
        }
        if asked.cells.iter().any(|one| self.lies_before(one.cell)) {
            return Cure::Ahead {
                item: format!("{}[…:…]", asked.name),
            };
        }
        if asked
            .cells
            .iter()
            .any(|one| self.depends_on_addresses(one.cell))
        {
            return Cure::Compute {
                made: asked.changed,
            };
        }
        let is_stream = asked.cells.iter().all(|one| self.is_stream(one.cell));
        // A stream among other values in memory comes back with them.
        let others = asked.cells.iter().map(|one| one.cell);
        let mut handles = others.filter(|cell| !self.is_stream(*cell));
        let is_made_again = |cell: CellId| {
            let name = self.handle_name(cell);
            name.is_some_and(|name| name != REQUEST || self.liveness.effects.may_make_persistent)
        };
        if !is_stream && (handles.any(is_made_again) || self.is_in_handle(first.cell)) {
            let is_optional = |one: &Seen| self.optional.contains(one.cell.0 as usize);
            let otherwise = (asked.cells.iter().all(is_optional))
                .then(|| Box::new(self.register(asked, first)));
            return self.execute(asked, otherwise);
        }
        self.register(asked, first)
    }

    /// A register.
    fn register(&self, asked: &Asked, first: &Seen) -> Cure {
        // Where memory is allocated before `init` there is no place for a register.
        let index = first.cell.0 as usize;
        let is_later = first.states.iter().any(|state| state.made.contains(index));
        let is_later = is_later || !is_heap(self.memory(), index);
        let after = self.places.birth(first.cell).filter(|_| is_later);
        let seen = asked.names.root(first.cell).and_then(|root| {
            self.site(&Wanted {
                root,
                memory: &[],
                views: &asked.views,
            })
        });
        let is_crowd = self.covers.crowds.contains(index) && !self.covers.linked.contains(index);
        if let (true, Some((pointer, call))) = (is_crowd, self.places.allocated_as(first.cell)) {
            let site = self.site_of_each(first.cell);
            let object = self.memory().cells[index].object;
            let exact = site.and_then(|site| {
                let element = self.element_of(object)?;
                let extent = self.extent(&[object], element, &site, asked.names)?;
                Some(format!("{pointer}[{extent}]"))
            });
            return Cure::RegisterEach {
                item: format!("{pointer}[…]"),
                after: call,
                site,
                exact,
                seen,
            };
        }
        let leads_to_memory = |one: &Seen| {
            let targets = || self.points_to.pointees(one.cell);
            // Memory that a library may have allocated comes back with no item: the run looks whether it is that.
            let is_perhaps_fixed = targets().any(|target| self.is_in_fixed_heap(target));
            !is_perhaps_fixed
                && targets().any(|target| {
                    let index = target.0 as usize;
                    is_heap(self.memory(), index)
                        && one.states.iter().any(|state| state.made.contains(index))
                })
        };
        // What a stream leads to is the C library's, also where other values lie beside it.
        let mut pointers = asked.cells.iter();
        let with_memory = asked.name.ends_with("[…]")
            || pointers.any(|one| {
                !self.is_stream(one.cell) && !self.is_number(one.cell) && leads_to_memory(one)
            });
        let item = match asked.name.ends_with("[…]") {
            false if with_memory => format!("{}[…]", asked.name),
            _ => asked.name.to_string(),
        };
        let (site, exact) = self.place(asked, first.cell, &item, with_memory);
        // An array of pointers in a variable: how long the blocks are is not how many pointers there are.
        let is_table = !is_heap(self.memory(), index)
            && self.memory().cells[index].path.ends_with("[]")
            && asked.cells.iter().any(leads_to_memory);
        let exact = exact.filter(|_| !is_table);
        let mut all = asked.cells.iter();
        if !with_memory && all.all(|one| self.is_descriptor(one.cell)) {
            return Cure::Register {
                item: format!("file({item})"),
                after,
                site,
                exact: None,
                seen,
            };
        }
        // Among other things in memory without a name of its own it cannot be registered as a descriptor.
        if asked.cells.iter().any(|one| self.is_descriptor(one.cell)) {
            return self.execute(asked, None);
        }
        // A function further down may know how large memory is.
        let further = match with_memory && exact.is_none() {
            true => {
                let mut views = asked.views.iter().skip(1);
                views.find_map(|view| self.place_from(asked, first.cell, *view))
            }
            false => None,
        };
        match further {
            Some(further) => Cure::Register {
                item: further.item,
                after,
                site: Some(further.site),
                exact: Some(further.exact),
                seen: further.seen,
            },
            None => Cure::Register {
                item,
                after,
                site,
                exact,
                seen,
            },
        }
    }

    /// Whether a cell is a part of a handle that is an array itself, as `jmp_buf` is: of a variable, or of a member of one.
    fn is_in_handle(&self, cell: CellId) -> bool {
        lies_in(self.program, self.memory(), cell, &|unit, ty| {
            array_handle(self.catalogue, unit, ty).is_some()
        })
    }

    /// A number may hold what went through casts, but no brackets can be put behind it.
    pub(super) fn is_number(&self, cell: CellId) -> bool {
        let ty = self.memory().cells[cell.0 as usize].ty;
        ty.is_some_and(|ty| {
            let kind = self.program.units[ty.unit].kind(ty.id);
            !matches!(
                kind,
                TypeKind::Pointer(_) | TypeKind::Unknown | TypeKind::Array { .. }
            )
        })
    }

    /// The same as it is named from one place only, if the extents are known there.
    fn place_from(&self, asked: &Asked, first: CellId, view: Viewpoint) -> Option<Further> {
        let known = asked.apart.borrow().get(&view).cloned();
        let names = known.unwrap_or_else(|| {
            let names = Rc::new(asked.names.from(view, asked.live));
            asked.apart.borrow_mut().insert(view, Rc::clone(&names));
            names
        });
        let here = Asked {
            views: vec![view],
            names: &names,
            ..*asked
        };
        let name = here.names.item(first)?;
        if asked.name.ends_with("[…]") && !name.ends_with("[…]") {
            // A member of the memory: not as many of it as there is memory.
            return None;
        }
        let item = match name.ends_with("[…]") {
            true => name,
            false => format!("{name}[…]"),
        };
        let (site, exact) = self.place(&here, first, &item, true);
        // The name is that of this place, and so is where it can be seen.
        let seen = names.root(first).and_then(|root| {
            self.site(&Wanted {
                root,
                memory: &[],
                views: &here.views,
            })
        });
        Some(Further {
            item,
            site: site?,
            exact: exact?,
            seen,
        })
    }

    fn place(
        &self,
        asked: &Asked,
        first: CellId,
        item: &str,
        with_memory: bool,
    ) -> (Option<Site>, Option<String>) {
        let Some(root) = asked.names.root(first) else {
            return (None, None);
        };
        // The pointer by which the memory is named, and what it may lead to.
        let pointer = match (with_memory, asked.names.pointer(first)) {
            (true, Some(holder)) => Some(holder),
            (true, None) => Some(first),
            (false, _) => None,
        };
        let memory = match pointer {
            Some(pointer) => self.memory_behind(pointer),
            None if is_heap(self.memory(), first.0 as usize) => {
                Rc::new([self.memory().cells[first.0 as usize].object])
            }
            None => Rc::new([]),
        };
        let wanted = Wanted {
            root,
            memory: &memory,
            views: &asked.views,
        };
        let Some(early) = self.site(&wanted) else {
            return (None, None);
        };
        let (Some(pointer), Some(base)) = (pointer, item.strip_suffix("[…]")) else {
            let exact = (!item.contains('…')).then(|| item.to_string());
            return (Some(early), exact);
        };
        // Right behind the declaration of a static pointer there need be no memory yet.
        if !self.is_behind_declaration(&early, root)
            && let Some(exact) = self.exact(asked, pointer, base, &memory, &early)
        {
            return (Some(early), Some(exact));
        }
        // Right behind the allocation nothing has changed yet.
        let born = self.at_birth(&wanted, pointer);
        let exact = born.and_then(|site| self.exact(asked, pointer, base, &memory, &site));
        match exact {
            Some(exact) => (born, Some(exact)),
            None => (Some(early), None),
        }
    }

    /// A pointer with the number of elements behind it.
    fn exact(
        &self,
        asked: &Asked,
        pointer: CellId,
        base: &str,
        memory: &[ObjectId],
        site: &Site,
    ) -> Option<String> {
        if base.contains('…') || !self.extents().leads_to_beginnings(pointer) {
            return None;
        }
        let extent = self.extent(memory, self.pointee(pointer)?, site, asked.names)?;
        Some(format!("{base}[{extent}]"))
    }

    /// Right behind the statement that allocates memory and puts it into a pointer.
    fn at_birth(&self, wanted: &Wanted, pointer: CellId) -> Option<Site> {
        let [object] = wanted.memory else {
            return None;
        };
        wanted.views.iter().find_map(|(routine, _)| {
            let [at] = self.births(*routine, &[*object])[..] else {
                return None;
            };
            let site = self.after_statement(*routine, at, wanted.root)?;
            let node = self.node_of(&site)?;
            let effects = self.liveness.effects;
            let mut stores = false;
            Facts::walk(
                &effects.bodies[routine.0 as usize].nodes[node],
                &mut |one| {
                    if let ActionKind::Write { cells, all: true } = &one.kind {
                        stores |= effects.cells(*cells) == [pointer];
                    }
                },
            );
            stores.then_some(site)
        })
    }

    /// What a pointer points to.
    fn pointee(&self, pointer: CellId) -> Option<TypeRef> {
        let ty = self.memory().cells[pointer.0 as usize].ty?;
        let unit = &self.program.units[ty.unit];
        let id = unit.pointee(ty.id)?;
        let is_void = matches!(unit.kind(id), TypeKind::Void);
        (!is_void).then_some(TypeRef { id, ..ty })
    }

    /// The type of the elements of a block.
    fn element_of(&self, object: ObjectId) -> Option<TypeRef> {
        self.memory().objects[object.0 as usize].ty
    }

    /// How many elements blocks have, as C text for a place.
    fn extent(
        &self,
        memory: &[ObjectId],
        element: TypeRef,
        site: &Site,
        names: &Names,
    ) -> Option<String> {
        let node = self.node_of(site)?;
        let mut found: Option<String> = None;
        for &object in memory {
            let amount = self.extents().amount(object, element, site.routine)?;
            let text = self.amount_text(&amount, site, node, names).or_else(|| {
                let normal = self.extents().normal(&amount)?;
                self.amount_text(&normal, site, node, names)
            })?;
            if found.as_ref().is_some_and(|known| *known != text) {
                return None;
            }
            found = Some(text);
        }
        found
    }

    fn amount_text(
        &self,
        amount: &Amount,
        site: &Site,
        node: usize,
        names: &Names,
    ) -> Option<String> {
        let at_once = site.after
            && (amount.routine, amount.node) == (site.routine, node)
            && self.extents().is_kept_by_its_node(amount);
        if !at_once && !self.extents().holds(amount, site.routine, node) {
            return None;
        }
        self.extents().text(amount, &mut |cell| {
            let root = names.root(cell)?;
            let name = names.item(cell).filter(|name| !name.contains('…'))?;
            let one = &self.memory().cells[cell.0 as usize];
            let is_one = !one.is_many && self.memory().objects[one.object.0 as usize].is_single;
            (is_one && self.can_name(site, root)).then_some(name)
        })
    }

    /// Right behind the statement that allocates one of many blocks.
    fn site_of_each(&self, cell: CellId) -> Option<Site> {
        let object = self.memory().cells[cell.0 as usize].object;
        let ObjectKind::Heap { routine, call, .. } = &self.memory().objects[object.0 as usize].kind
        else {
            return None;
        };
        let site = self.statement_at(*routine, call.span.start)?;
        Some(Site {
            after: true,
            ..site
        })
    }

    /// A handle: what puts something there runs again.
    fn execute(&self, asked: &Asked, otherwise: Option<Box<Cure>>) -> Cure {
        let mut statements: BTreeSet<Site> = BTreeSet::new();
        let mut superseded = false;
        let cells: Vec<CellId> = asked.cells.iter().map(|one| one.cell).collect();
        let mut makers = Vec::new();
        for writer in self.extents().writers_of_any(cells.iter().copied()) {
            let (routine, span) = (writer.routine, writer.span);
            // At the entry parameters get their values, which the call gives again.
            if writer.node == Flow::ENTRY.0 {
                continue;
            }
            match self.facts.runs_again(routine, span) {
                true => superseded |= !writer.all && self.facts.is_superseded(routine, span),
                false => {
                    statements.extend(self.statement_at(routine, span.start));
                    makers.extend(self.creation((routine, writer.node), &cells));
                }
            }
        }
        // What waits for a request or closes a file changes it, too, and makes nothing.
        let made = asked.changed.filter(|place| makers.contains(place));
        Cure::Execute {
            made: made.or(makers.first().copied()).or(asked.changed),
            statements: statements.into_iter().collect(),
            superseded,
            otherwise,
        }
    }

    /// Where a node puts a handle into one of some cells.
    fn creation(&self, (routine, node): (RoutineId, usize), cells: &[CellId]) -> Option<TextPlace> {
        let effects = self.liveness.effects;
        let unit = self.steps.routine(routine).function.unit;
        let mut found = None;
        walk(
            &effects.bodies[routine.0 as usize].nodes[node],
            &mut |action| {
                if let ActionKind::Note(Note::Creates(set)) = action.kind
                    && effects.cells(set).iter().any(|cell| cells.contains(cell))
                {
                    let span = action.span;
                    found.get_or_insert(TextPlace { unit, span });
                }
            },
        );
        found
    }

    /// What holds a generator or file where that moves on.
    fn holder(&self, asked: &Asked, made: ObjectId) -> Option<CellId> {
        let mut live = asked.live.ones().map(|cell| CellId(cell as u32));
        live.find(|cell| {
            let mut targets = self.points_to.pointees(*cell);
            self.moves_on(*cell) && targets.any(|one| self.object(one) == made)
        })
    }
}
