//! What happens later, seen from every point of a function.
//!
//! In: the blocks and actions of a function, the summaries of what it calls, and what is so when it returns. Out: a
//! [`Later`] at the beginning of every block; [`Backward::visit`] walks through the points between.
//!
//! Errors fall on the side of *live* and *not surely overwritten*. A function that calls `setjmp` may go on there from
//! anywhere: in it nothing overwrites anything. Nor does anything in a node in which things happen in any order.

use crate::analysis::memory::{CellSet, Object};
use crate::solver::settle;
use std::borrow::Cow;
use std::cmp::Reverse;

use super::blocks::Blocks;
use super::model::{Action, ActionKind, Body, Effects, SetId};
use super::together::Together;
use crate::dataflow::steps::RoutineId;

/// What happens from a point on.
#[derive(Clone, Debug, PartialEq)]
pub struct Later {
    /// May be read before it is surely overwritten.
    pub live: CellSet,
    /// Surely overwritten before the function returns; all when it never does. Not asked for when it is none.
    pub sure: Option<CellSet>,
    /// The function may return.
    pub returns: bool,
}

/// A function, looked at from its end.
pub struct Backward<'a> {
    /// Lists of cells and summaries.
    pub effects: &'a Effects,
    /// All objects.
    pub objects: &'a [Object],
    /// The function's blocks.
    pub blocks: &'a Blocks,
    /// The function's actions.
    pub body: &'a Body,
    /// What is so when it returns.
    pub exit: &'a Later,
    /// Functions that one call may call.
    pub together: &'a Together,
}

/// What is told of an action and of what is so right after it.
pub type Visitor<'v> = dyn FnMut(&Action, &Later) + 'v;

impl Later {
    /// Nothing happens any more, and control does not come to the end.
    pub fn never(cells: usize, with_sure: bool) -> Later {
        Later {
            live: CellSet::with_capacity(cells),
            sure: with_sure.then(|| all(cells)),
            returns: false,
        }
    }

    /// Nothing happens before the function returns.
    pub fn at_exit(live: CellSet, with_sure: bool) -> Later {
        let sure = with_sure.then(|| CellSet::with_capacity(live.len()));
        Later {
            live,
            sure,
            returns: true,
        }
    }

    /// Either this happens or that.
    pub fn or(&mut self, other: &Later) {
        self.live.union_with(&other.live);
        if let (Some(sure), Some(more)) = (&mut self.sure, &other.sure) {
            sure.intersect_with(more);
        }
        self.returns |= other.returns;
    }
}

/// All cells.
fn all(cells: usize) -> CellSet {
    let mut set = CellSet::with_capacity(cells);
    set.insert_range(..);
    set
}

impl Backward<'_> {
    /// What is so at the beginning of every block.
    pub fn solve(&self) -> Vec<Later> {
        let cells = self.exit.live.len();
        let never = Later::never(cells, self.exit.sure.is_some());
        let mut found = vec![never; self.blocks.all.len()];
        settle(
            self.blocks.backward.iter().copied().map(Reverse),
            |Reverse(block), waiting| {
                let mut later = self.after(block, &found);
                for &node in self.blocks.all[block].nodes.iter().rev() {
                    self.node(node, &mut later, &mut None);
                }
                if later != found[block] {
                    found[block] = later;
                    waiting.extend(self.blocks.all[block].before.iter().copied().map(Reverse));
                }
            },
        );
        found
    }

    /// Tells of every action, later ones first, what is so right after it.
    pub fn visit(&self, found: &[Later], visitor: &mut Visitor<'_>) {
        for &block in &self.blocks.backward {
            let mut later = self.after(block, found);
            for &node in self.blocks.all[block].nodes.iter().rev() {
                self.node(node, &mut later, &mut Some(visitor));
            }
        }
    }

    /// What is so at the end of a block.
    fn after(&self, block: usize, found: &[Later]) -> Later {
        let ends = self.blocks.exit == Some(block);
        let mut later = ends.then(|| self.exit.clone());
        for edge in &self.blocks.all[block].next {
            let mut there = Cow::Borrowed(&found[edge.to]);
            for &cells in &edge.overwritten {
                self.overwrite(cells, there.to_mut());
            }
            match &mut later {
                Some(later) => later.or(&there),
                None => later = Some(there.into_owned()),
            }
        }
        later.unwrap_or_else(|| Later::never(self.exit.live.len(), self.exit.sure.is_some()))
    }

    fn node(&self, node: usize, later: &mut Later, visitor: &mut Option<&mut Visitor<'_>>) {
        let actions = &self.body.nodes[node];
        let in_any_order = self.body.returns_twice
            || actions
                .iter()
                .any(|one| matches!(one.kind, ActionKind::Repeat(_)));
        if in_any_order {
            self.repeat(actions, later, visitor);
        } else {
            self.list(actions, later, visitor);
        }
    }

    fn list(&self, actions: &[Action], later: &mut Later, visitor: &mut Option<&mut Visitor<'_>>) {
        for action in actions.iter().rev() {
            if let Some(visitor) = visitor {
                visitor(action, later);
            }
            self.action(action, later, visitor);
        }
    }

    fn action(&self, action: &Action, later: &mut Later, visitor: &mut Option<&mut Visitor<'_>>) {
        match &action.kind {
            ActionKind::Read(cells) => self.read(*cells, later),
            ActionKind::Write { cells, all: true } | ActionKind::Free { cells, all: true } => {
                self.overwrite(*cells, later);
            }
            ActionKind::Begin { object, all: true } => {
                let object = &self.objects[object.0 as usize];
                let cells = object.first.0 as usize..(object.first.0 + object.count) as usize;
                later.live.remove_range(cells.clone());
                if let Some(sure) = &mut later.sure {
                    sure.insert_range(cells);
                }
            }
            ActionKind::Call {
                routines,
                surely,
                spared,
            } => {
                self.call(routines, *surely, *spared, later);
            }
            ActionKind::Choose(lists) => {
                let mut joined = Later::never(later.live.len(), later.sure.is_some());
                for list in lists {
                    let mut one = later.clone();
                    self.list(list, &mut one, visitor);
                    joined.or(&one);
                }
                if !lists.is_empty() {
                    *later = joined;
                }
            }
            ActionKind::Repeat(actions) => self.repeat(actions, later, visitor),
            ActionKind::Return => *later = self.exit.clone(),
            ActionKind::Stop => *later = Later::never(later.live.len(), later.sure.is_some()),
            ActionKind::Jump => {
                *later = Later::never(later.live.len(), later.sure.is_some());
                later.live.union_with(&self.exit.live);
            }
            ActionKind::Write { .. }
            | ActionKind::Free { .. }
            | ActionKind::Begin { .. }
            | ActionKind::Directive(_)
            | ActionKind::Note(_) => {}
        }
    }

    /// Things that may happen in any order, any number of times.
    fn repeat(
        &self,
        actions: &[Action],
        later: &mut Later,
        visitor: &mut Option<&mut Visitor<'_>>,
    ) {
        self.gather(actions, later);
        if let Some(visitor) = visitor {
            tell(actions, later, *visitor);
        }
    }

    /// Adds what these read, and where they go.
    fn gather(&self, actions: &[Action], later: &mut Later) {
        for action in actions {
            match &action.kind {
                ActionKind::Read(cells) => self.read(*cells, later),
                ActionKind::Call {
                    routines, spared, ..
                } => self.call(routines, false, *spared, later),
                ActionKind::Choose(lists) => {
                    for list in lists {
                        self.gather(list, later);
                    }
                }
                ActionKind::Repeat(list) => self.gather(list, later),
                ActionKind::Return => later.or(self.exit),
                ActionKind::Jump => later.live.union_with(&self.exit.live),
                _ => {}
            }
        }
    }

    fn call(&self, routines: &[RoutineId], surely: bool, spared: SetId, later: &mut Later) {
        let together;
        let all = match routines {
            [] => return,
            [routine] => self.effects.summary(*routine),
            _ => {
                together = self.together.of(self.effects, routines);
                &*together
            }
        };
        if surely {
            later.live.difference_with(&all.overwrites);
            if let Some(sure) = &mut later.sure {
                sure.union_with(&all.overwrites);
            }
            later.returns &= all.returns;
        }
        match self.effects.cells(spared) {
            [] => later.live.union_with(&all.exposed),
            _ => {
                let exposed = self.effects.unspared(spared, &all.exposed);
                later.live.union_with(&exposed);
            }
        }
        if all.may_jump {
            later.live.union_with(&self.exit.live);
        }
    }

    fn read(&self, cells: SetId, later: &mut Later) {
        self.effects.sets.insert_into(cells, &mut later.live);
    }

    fn overwrite(&self, cells: SetId, later: &mut Later) {
        self.effects.sets.remove_from(cells, &mut later.live);
        if let Some(sure) = &mut later.sure {
            self.effects.sets.insert_into(cells, sure);
        }
    }
}

/// Tells of these and of all inside.
fn tell(actions: &[Action], later: &Later, visitor: &mut Visitor<'_>) {
    for action in actions {
        visitor(action, later);
        match &action.kind {
            ActionKind::Choose(lists) => {
                for list in lists {
                    tell(list, later, visitor);
                }
            }
            ActionKind::Repeat(list) => tell(list, later, visitor),
            _ => {}
        }
    }
}
