//! What the items of register directives cover, and what becomes of it when directives are executed.
//!
//! A register replaces an older one of the same name in the same function. Memory of which there may be many blocks at a
//! time is covered by what saves everything that can be reached, and nothing else.
//!
//! Not here: which cells an item covers ([`item_cells`](super::item_cells)).

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use super::begun::allocated_behind_init;
use super::classes::{Table, known};
use super::facts::Facts;
use super::item_cells::Looking;
use super::model::{DirectivePlace, ItemPlaceInProgram};
use super::registered::{Existing, Registered};
use super::running::{Part, Running, Universe};
use super::shadows::Shadows;
use crate::analysis::allocators::calls_for_several;
use crate::analysis::effects::ActionKind;
use crate::analysis::memory::{CellId, CellSet, Memory, ObjectId, ObjectKind};
use crate::analysis::origins::Origins;
use crate::analysis::points_to::PointsTo;
use crate::dataflow::steps::RoutineId;
use crate::program::Brings;
use crate::solver::reached;
use crate::source::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// What one item covers.
#[derive(Clone, Debug)]
pub(super) struct Cover {
    /// The item.
    pub item: ItemPlaceInProgram,
    /// The function in which it stands.
    pub routine: RoutineId,
    /// The parallel region in which it stands: a part of a thread is an activation of its own.
    pub region: Option<Span>,
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
    pub fixed: bool,
    /// Memory that is covered whenever it is allocated.
    pub followed: Vec<usize>,
    /// Some of it is one of many blocks, which is not told apart from the others.
    pub crowd: bool,
    /// What is saved as a number or an address only: what it stands for is gone after a restart.
    pub empty: Vec<usize>,
}

/// For each cell the name of the item that covers it; none when there are several.
#[derive(Clone, Debug, Default)]
struct Names(FxHashMap<usize, Option<String>>);

impl Names {
    fn add(&mut self, cells: impl IntoIterator<Item = usize>, name: &str) {
        for cell in cells {
            let known = { self.0.entry(cell) }.or_insert_with(|| Some(name.to_string()));
            *known = known.take().filter(|one| one == name);
        }
    }

    /// Whether there is another one.
    fn has_other(&self, cell: usize, name: &str) -> bool {
        let known = self.0.get(&cell);
        known.is_some_and(|one| one.as_deref() != Some(name))
    }
}

/// What all items cover.
#[derive(Clone, Debug, Default)]
pub(super) struct Covers {
    /// In the order of units, texts and lists.
    pub all: Vec<Cover>,
    /// Memory of which there may be many blocks at a time: nodes of lists. One register covers one of them.
    pub crowds: CellSet,
    /// Memory of calls that give several blocks at once: only what follows all pointers covers it.
    pub linked: CellSet,
    /// The pointers with items behind them.
    pub shadows: Shadows,
    /// Blocks that a restart does not allocate.
    pub late: BTreeSet<ObjectId>,
    /// Pointers in blocks that an item saves as numbers or bytes, and that item.
    pub numbers: BTreeMap<CellId, String>,
    by_directive: BTreeMap<DirectivePlace, Vec<usize>>,
    /// For each item the others that it replaces: of the same name in the same function.
    replaced: Vec<Vec<usize>>,
    /// Under which names items cover a cell.
    names_of_cells: Names,
    /// Under which names they bring what a pointer leads to, by its shadow.
    names_of_shadows: Names,
    /// Functions with registers that follow their pointers, and which functions may run before these return.
    during: BTreeMap<RoutineId, Vec<bool>>,
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

/// Memory of calls that give several blocks at once, one of which leads to the others.
fn linked(facts: &Facts, points_to: &PointsTo) -> CellSet {
    let memory = &points_to.memory;
    let mut linked = CellSet::with_capacity(memory.cells.len());
    let calls = calls_for_several(facts.steps, points_to);
    for object in &memory.objects {
        if matches!(&object.kind, ObjectKind::Heap { call, .. } if calls.contains(call)) {
            let first = object.first.0 as usize;
            linked.insert_range(first..first + object.count as usize);
        }
    }
    linked
}

impl Cover {
    fn leave_out(&mut self, cells: &CellSet) {
        for list in [&mut self.named, &mut self.behind, &mut self.sure] {
            self.crowd |= list.iter().any(|cell| cells.contains(*cell));
            list.retain(|cell| !cells.contains(*cell));
        }
    }

    /// A descriptor comes back with its file where the item says so, a pointer before its memory where the item says how far
    /// (`is_behind`); other values of this kind never do, nor do `handles`.
    fn leave_out_values(&mut self, origins: &Origins, handles: &CellSet, is_behind: bool) {
        let is_file = self.brings == Brings::File;
        let named = self.named.clone();
        let is_empty = |cell: usize| {
            let origin = origins.in_cell(CellId(cell as u32));
            let is_behind = is_behind && named.contains(&cell);
            origin.is_some_and(|one| !one.comes_back(is_file, is_behind))
        };
        for list in [&mut self.named, &mut self.behind, &mut self.sure] {
            list.retain(|cell| !handles.contains(*cell));
        }
        for list in [&mut self.named, &mut self.behind, &mut self.sure] {
            let (empty, rest) = list.iter().partition(|cell| is_empty(**cell));
            *list = rest;
            self.empty.extend::<Vec<usize>>(empty);
        }
    }

    /// A part of a block that is allocated behind `init` comes back with the block: where no item brings that, there is nothing to
    /// put the part into. A descriptor has an item of its own beside the block's.
    fn leave_out_pieces(&mut self, late: &BTreeSet<ObjectId>, memory: &Memory) {
        if self.brings == Brings::File {
            return;
        }
        let Cover { named, behind, .. } = self;
        let is_piece = |cell: &usize| {
            is_heap(memory, *cell)
                && named.contains(cell)
                && behind.binary_search(cell).is_err()
                && late.contains(&memory.cells[*cell].object)
        };
        self.sure.retain(|cell| !is_piece(cell));
    }
}

impl Covers {
    /// Looks at all register directives. `handles` come back with none of them.
    pub fn of(facts: &Facts, points_to: &PointsTo, origins: &Origins, handles: &CellSet) -> Covers {
        let (program, steps) = (facts.program, facts.steps);
        let linked = linked(facts, points_to);
        let mut crowds = crowds(points_to);
        crowds.union_with(&linked);
        let mut covers = Covers {
            crowds,
            linked,
            late: allocated_behind_init(facts),
            ..Covers::default()
        };
        for routine in steps.routine_ids() {
            let one = steps.routine(routine);
            let unit = &program.units[one.function.unit];
            let often = !one.items.is_empty() && facts.control.runs_again(routine);
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
                    program,
                    unit,
                    steps,
                    points_to,
                    routine,
                };
                let mut cover = looked.cover(item, &registered.place);
                for cell in looked.saved_as_numbers(item, &cover.named) {
                    let written = || {
                        let extents = item.extents.iter().map(|one| format!("[{}]", one.text));
                        format!("register({}{})", item.name, extents.collect::<String>())
                    };
                    covers.numbers.entry(cell).or_insert_with(written);
                }
                // All blocks that can be reached are saved, however many there are.
                if item.brings != Brings::Everything {
                    cover.leave_out(&covers.linked);
                    if !often {
                        cover.leave_out(&covers.crowds);
                    }
                }
                cover.leave_out_values(origins, handles, item.lower.is_some());
                cover.leave_out_pieces(&covers.late, &points_to.memory);
                cover.item = ItemPlaceInProgram {
                    directive,
                    index: registered.index,
                };
                let place = unit.directives[registered.directive.0].span.start;
                let body = &unit.function(one.function.function).body;
                let around = unit.directives[registered.directive.0].span;
                let mut around = body.regions_around(around).into_iter().rev();
                let region = around.find(|one| one.is_parallel_region());
                cover.region = region.map(|one| one.span);
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
        let following = covers.all.iter().filter(|one| !one.followed.is_empty());
        for routine in following.map(|one| one.routine).collect::<BTreeSet<_>>() {
            let called = reached(facts.changes.len(), [routine.0 as usize], |one, open| {
                facts.visit(one, &mut |action| {
                    if let ActionKind::Call { routines, .. } = &action.kind {
                        open.extend(routines.iter().map(|one| one.0 as usize));
                    }
                });
            });
            covers.during.insert(routine, called);
        }
        let mut alike: HashMap<_, Vec<usize>> = HashMap::new();
        for (number, cover) in covers.all.iter().enumerate() {
            let list = covers.by_directive.entry(cover.item.directive).or_default();
            list.push(number);
            let key = (cover.routine, cover.region, cover.name.as_str());
            alike.entry(key).or_default().push(number);
            let cells = cover.named.iter().chain(&cover.behind).copied();
            covers.names_of_cells.add(cells, &cover.name);
            let brought = covers.shadows.covered_by(cover);
            covers.names_of_shadows.add(brought, &cover.name);
        }
        let replaced = covers.all.iter().map(|cover| {
            let key = (cover.routine, cover.region, cover.name.as_str());
            let others = alike[&key].iter().copied();
            let others = others.filter(|other| covers.all[*other].item != cover.item);
            others.collect()
        });
        covers.replaced = replaced.collect();
        covers
    }

    /// A register directive is executed. `parts`: what is known of items.
    pub fn register(
        &self,
        directive: DirectivePlace,
        heap: &CellSet,
        universe: &Universe,
        parts: &Table<usize, Rc<Registered>>,
        state: &mut Running,
    ) {
        let of = |number: usize| known(parts, number, || self.registered(number, heap, universe));
        for &number in self.by_directive.get(&directive).into_iter().flatten() {
            // The same name again replaces the register.
            for &older in &self.replaced[number] {
                of(older).end(state);
            }
            of(number).begin(state);
        }
    }

    /// What the register of an item covers, and what is covered no more when another one replaces it.
    fn registered(&self, number: usize, heap: &CellSet, universe: &Universe) -> Rc<Registered> {
        let cover = &self.all[number];
        let (cells, shadows) = (&self.names_of_cells, &self.names_of_shadows);
        let is_only = |cell: &&usize| !cells.has_other(**cell, &cover.name);
        let existing = |cells: &mut dyn Iterator<Item = &usize>| {
            let (born, always): (Vec<usize>, Vec<usize>) =
                cells.copied().partition(|cell| heap.contains(*cell));
            Existing {
                always: universe.exactly(always.into_iter()),
                born: universe.exactly(born.into_iter()),
            }
        };
        let brought = || self.shadows.covered_by(cover);
        let only_brought = brought().filter(|shadow| !shadows.has_other(*shadow, &cover.name));
        Rc::new(Registered {
            sure: existing(&mut cover.sure.iter()),
            all: existing(&mut cover.named.iter().chain(&cover.behind)),
            brought: universe.exactly(brought()),
            followed: universe.exactly(cover.followed.iter().copied()),
            only: existing(&mut cover.sure.iter().chain(&cover.behind).filter(is_only)),
            only_brought: universe.exactly(only_brought),
            only_followed: self.only_followed(cover, universe),
        })
    }

    /// For each parallel region in a function: the locals whose registers end with the threads' parts of it. Those that were registered
    /// before it stay so.
    pub fn ended(&self, facts: &Facts, routine: RoutineId) -> Vec<(Span, Vec<usize>)> {
        let locals = &facts.locals[routine.0 as usize];
        let own: Vec<&Cover> = { self.all.iter() }
            .filter(|cover| cover.routine == routine)
            .collect();
        let place = |cover: &Cover| {
            let DirectivePlace { unit, id } = cover.item.directive;
            facts.program.units[unit].directives[id.0].span.start
        };
        let mut ended: Vec<(Span, Vec<usize>)> = Vec::new();
        for cover in &own {
            let Some(region) = cover.region else { continue };
            let stays = |cell: &usize| {
                let mut before = own.iter().filter(|one| {
                    place(one) < region.start && one.region.is_none_or(|one| one.contains(region))
                });
                before.any(|one| one.sure.contains(cell))
            };
            let named = cover.named.iter().copied();
            let gone = named.filter(|cell| locals.contains(cell) && !stays(cell));
            ended.push((region, gone.collect()));
        }
        ended.retain(|(_, cells)| !cells.is_empty());
        ended
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

    /// Whether the register of an item that follows its pointer may be there when a function makes a call.
    pub fn may_be_there(&self, item: usize, caller: RoutineId) -> bool {
        let during = self.during.get(&self.all[item].routine);
        during.is_some_and(|one| one[caller.0 as usize])
    }

    /// What only registers of this name follow.
    fn only_followed(&self, cover: &Cover, universe: &Universe) -> Part {
        let only = cover.followed.iter().copied();
        let only = only.filter(|cell| !self.names_of_cells.has_other(*cell, &cover.name));
        universe.part(only)
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
            state.loosen(&self.only_followed(cover, universe));
            let cells = cover.sure.iter().chain(&cover.named).chain(&cover.behind);
            let cells = cells.filter(|cell| !self.names_of_cells.has_other(**cell, &cover.name));
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
