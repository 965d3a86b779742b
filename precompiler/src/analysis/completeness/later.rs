//! What a block reads that has another value on restart: a register before the block has brought it back by then, as it was at the
//! checkpoint, and it was changed in between.
//!
//! ```text
//! register(g.n)   g.n = 4;   block { make(g.n); }   loop { checkpoint;  g.n++; }      on restart the block makes another one
//! ```
//!
//! Local numbers and pointers of the block's own function are in the trace, and have the values of then. A person may write such a block
//! on purpose; auto mode must not. Errors fall on the side of refusing.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::cover::Cover;
use super::decide::Deciding;
use crate::analysis::effects::{ActionKind, SetId, buffers};
use crate::analysis::memory::{CellId, ObjectId};
use crate::dataflow::Reached;
use crate::dataflow::steps::{Called, RoutineId, StepKind, TextPlace};
use crate::source::Span;

/// The way from blocks to checkpoints, looked at when somebody asks.
pub(super) struct Later<'d, 'a> {
    deciding: &'d Deciding<'a>,
    /// From where a checkpoint may follow.
    leading: OnceCell<Reached>,
    /// Whether a checkpoint may be taken when a function is over.
    over: RefCell<BTreeMap<RoutineId, bool>>,
    /// From where control may come to a block.
    earlier: RefCell<BTreeMap<Place, Rc<Reached>>>,
    /// Whether a checkpoint comes after a place without a block.
    passes: RefCell<BTreeMap<(Place, Place), bool>>,
    /// Memory whose address libraries keep: what is in it when they are told does not matter.
    kept: OnceCell<BTreeSet<ObjectId>>,
    /// What blocks store of which only the latest execution runs again.
    superseded: OnceCell<Vec<(RoutineId, Span, SetId)>>,
}

/// A function, and an offset in its text.
type Place = (RoutineId, usize);

/// A block.
pub(super) struct Block {
    pub routine: RoutineId,
    /// Where its directive stands.
    pub begin: usize,
    pub inside: Span,
    pub unit: usize,
}

impl<'d, 'a> Later<'d, 'a> {
    pub fn of(deciding: &'d Deciding<'a>) -> Later<'d, 'a> {
        Later {
            deciding,
            leading: OnceCell::new(),
            over: RefCell::default(),
            earlier: RefCell::default(),
            passes: RefCell::default(),
            kept: OnceCell::new(),
            superseded: OnceCell::new(),
        }
    }

    /// Where something may be changed behind the beginning of a block and before a checkpoint.
    pub fn change(
        &self,
        block: &Block,
        behind: &OnceCell<Reached>,
        cell: CellId,
    ) -> Option<TextPlace> {
        let facts = self.deciding.facts;
        let kept = self.kept.get_or_init(|| self.kept_by_libraries());
        if kept.contains(&self.deciding.object(cell)) {
            return None;
        }
        let stored = facts.stored_in(block.routine, block.inside);
        if stored.contains(cell.0 as usize) {
            return Some(TextPlace {
                unit: block.unit,
                span: block.inside,
            });
        }
        let control = &facts.control;
        let behind = behind.get_or_init(|| control.behind(block.routine, block.inside));
        let leading = self.leading();
        let begin = (block.routine, block.begin);
        let latest_counts = self.latest_counts(block);
        let mut stores = self.deciding.places.stores(cell).into_iter();
        let found = stores.find(|(routine, at)| {
            let has = |reached| control.has(reached, *routine, at.span.start);
            has(behind)
                && has(leading)
                && (!latest_counts
                    || control.runs_unseen(*routine)
                    || self.passes((*routine, at.span.start), begin))
        });
        found.map(|(_, at)| at)
    }

    /// Whether a checkpoint needs the latest execution of a block only: it is the one that runs again, and one chain of calls leads to it,
    /// so that no other execution finds the values that this one needs.
    ///
    /// ```text
    /// loop { checkpoint;  if (first) { n = 4;  block { make(n); }  first = 0; } }      no way from `n = 4` past the block
    /// ```
    fn latest_counts(&self, block: &Block) -> bool {
        let facts = self.deciding.facts;
        facts.is_superseded(block.routine, block.inside)
            && facts.control.is_called_one_way(block.routine)
    }

    /// Whether a checkpoint may come after a place without a block between them.
    fn passes(&self, place: Place, begin: Place) -> bool {
        let deciding = self.deciding;
        let control = &deciding.facts.control;
        let passes = || {
            let then = control.after_without(place, begin);
            let mut checkpoints = deciding.liveness.checkpoints().iter();
            checkpoints.any(|one| control.has(&then, one.routine, one.place.span.start))
        };
        let mut known = self.passes.borrow_mut();
        *known.entry((place, begin)).or_insert_with(passes)
    }

    /// Where a block sets what this one reads, and may have set something else by the time of a checkpoint, with only its latest execution
    /// to run again.
    pub fn superseded(
        &self,
        block: &Block,
        behind: &OnceCell<Reached>,
        cell: CellId,
    ) -> Option<TextPlace> {
        let deciding = self.deciding;
        let (facts, control) = (deciding.facts, &deciding.facts.control);
        let begin = (block.routine, block.begin);
        let stores = self.superseded.get_or_init(|| self.superseded_stores());
        let found = stores.iter().find(|(routine, span, cells)| {
            if !facts.effects.cells(*cells).contains(&cell) {
                return false;
            }
            let own = *routine == block.routine && block.inside.has(span.start);
            let place = (*routine, span.start);
            let comes_between = || {
                let behind = behind.get_or_init(|| control.behind(block.routine, block.inside));
                control.has(behind, place.0, place.1) && self.passes(place, begin)
            };
            own || comes_between()
        });
        found.map(|(routine, span, _)| TextPlace {
            unit: deciding.steps.routine(*routine).function.unit,
            span: *span,
        })
    }

    /// What blocks store of which only the latest execution runs again.
    fn superseded_stores(&self) -> Vec<(RoutineId, Span, SetId)> {
        let facts = self.deciding.facts;
        let mut found = Vec::new();
        for routine in self.deciding.steps.routine_ids() {
            facts.visit(routine.0 as usize, &mut |action| {
                if let ActionKind::Write { cells, .. } = &action.kind
                    && facts.is_superseded(routine, action.span)
                {
                    found.push((routine, action.span, *cells));
                }
            });
        }
        found
    }

    fn leading(&self) -> &Reached {
        self.leading.get_or_init(|| {
            let checkpoints = self.deciding.liveness.checkpoints().iter();
            let control = &self.deciding.facts.control;
            control.before(checkpoints.map(|one| (one.routine, one.place.span.start)))
        })
    }

    /// Whether a register before a block brings something only where the block has run, or never: the variable is a local of a function
    /// that may be over at a checkpoint, and its register ends with it; or it is registered again behind the block, by the same
    /// directive in a later pass or by another one, and that takes the place of the first. A variable of the program that two
    /// directives name stays with the first until that is executed again.
    pub fn comes_too_late(&self, block: &Block, behind: &OnceCell<Reached>, cell: CellId) -> bool {
        let deciding = self.deciding;
        let control = &deciding.facts.control;
        if let Some(owner) = deciding.automatic(cell)
            && self.may_be_over(owner)
        {
            return true;
        }
        let index = cell.0 as usize;
        let behind = behind.get_or_init(|| control.behind(block.routine, block.inside));
        let begin = (block.routine, block.begin);
        let earlier = self.earlier(begin);
        let place = |cover: &Cover| self.place(cover);
        let is_in = |reached: &Reached, cover: &Cover| {
            let (routine, at) = place(cover);
            control.has(reached, routine, at)
        };
        // Behind the block, and on a way to a checkpoint on which the block is not executed once more.
        let comes_again = |cover: &Cover| {
            is_in(behind, cover) && is_in(self.leading(), cover) && self.passes(place(cover), begin)
        };
        let covers = &deciding.covers.all;
        let first: Vec<&Cover> = { covers.iter() }
            .filter(|one| one.named.contains(&index) || one.behind.contains(&index))
            .filter(|one| is_in(&earlier, one))
            .collect();
        if deciding.is_of_program(cell) {
            // `init` restores those.
            if first.iter().any(|one| self.is_resident(one)) {
                return false;
            }
            let again: Vec<&&Cover> = first.iter().filter(|one| comes_again(one)).collect();
            // One that is executed before these, and once, has it for good.
            let is_for_good = |one: &Cover| {
                let before = control.before([place(one)]);
                !is_in(&control.after([place(one)]), one)
                    && again.iter().all(|other| !is_in(&before, other))
            };
            return !again.is_empty() && !first.iter().any(|one| is_for_good(one));
        }
        let is_replaced = |first: &&Cover| {
            covers.iter().any(|one| {
                (one.routine, one.region, &one.name) == (first.routine, first.region, &first.name)
                    && comes_again(one)
            })
        };
        !first.is_empty() && first.iter().all(is_replaced)
    }

    /// Where a pointer is registered before a block that sets it: when all blocks have run it points again to the memory that its register
    /// has restored, and what they have made of it does not. Behind the block a register keeps what is there.
    ///
    /// ```text
    /// register(p[4])   block { p = malloc(4);  keep(p); }      a restart has two blocks of memory
    /// ```
    pub fn set_back(
        &self,
        block: &Block,
        behind: &OnceCell<Reached>,
        cell: CellId,
    ) -> Option<TextPlace> {
        let facts = self.deciding.facts;
        let index = cell.0 as usize;
        let of_pointer = |cover: &&Cover| cover.named.contains(&index) && !cover.behind.is_empty();
        let covers = self.deciding.covers.all.iter();
        let covers: Vec<&Cover> = covers.filter(of_pointer).collect();
        let earlier = self.earlier((block.routine, block.begin));
        let control = &facts.control;
        let behind = behind.get_or_init(|| control.behind(block.routine, block.inside));
        let comes_before = |cover: &Cover| {
            let (routine, at) = self.place(cover);
            let has = |reached| control.has(reached, routine, at);
            self.is_resident(cover) || has(&earlier) && !has(behind)
        };
        let first = covers.first()?;
        let directive = first.item.directive;
        let unit = &facts.program.units[directive.unit];
        covers
            .iter()
            .all(|cover| comes_before(cover))
            .then(|| TextPlace {
                unit: directive.unit,
                span: unit.directives[directive.id.0].span,
            })
    }

    fn is_resident(&self, cover: &Cover) -> bool {
        let directive = cover.item.directive;
        let residents = &self.deciding.facts.residents;
        residents.contains(directive.unit, directive.id)
    }

    /// Where the directive of an item stands.
    fn place(&self, cover: &Cover) -> Place {
        let directive = cover.item.directive;
        let unit = &self.deciding.program.units[directive.unit];
        (cover.routine, unit.directives[directive.id.0].span.start)
    }

    /// From where control may come to a block.
    fn earlier(&self, begin: Place) -> Rc<Reached> {
        let control = &self.deciding.facts.control;
        let mut known = self.earlier.borrow_mut();
        let earlier = known
            .entry(begin)
            .or_insert_with(|| Rc::new(control.before([begin])));
        Rc::clone(earlier)
    }

    /// Whether a checkpoint may be taken when a function is over.
    fn may_be_over(&self, routine: RoutineId) -> bool {
        let deciding = self.deciding;
        let find = || {
            let control = &deciding.facts.control;
            let over = control.when_over(routine);
            let mut checkpoints = deciding.liveness.checkpoints().iter();
            checkpoints.any(|one| control.has(&over, one.routine, one.place.span.start))
        };
        if let Some(known) = self.over.borrow().get(&routine) {
            return *known;
        }
        let found = find();
        self.over.borrow_mut().insert(routine, found);
        found
    }

    fn kept_by_libraries(&self) -> BTreeSet<ObjectId> {
        let (steps, points_to) = (self.deciding.steps, self.deciding.points_to);
        let mut kept = BTreeSet::new();
        for routine in steps.routine_ids() {
            steps.routine(routine).walk(&mut |step| {
                if let StepKind::Call(call) = &step.kind
                    && let Called::Named(name) = &call.callee
                    && let Some(function) = self.deciding.catalogue.find(name)
                {
                    kept.extend(buffers(points_to, routine, call, &function));
                }
            });
        }
        kept
    }
}
