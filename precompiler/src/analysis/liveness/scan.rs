//! One cell, followed through a list of actions: is it read, overwritten, or does control pass?

use std::cell::OnceCell;
use std::collections::HashSet;

use crate::analysis::effects::{Action, ActionKind, Effects, SetId};
use crate::analysis::memory::{CellId, Memory, ObjectKind};
use crate::dataflow::Flow;
use crate::dataflow::steps::{RoutineId, Steps};
use crate::source::Span;

/// What happens to the cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Scanned {
    /// It may be read here.
    Read(Span),
    /// One of these may read it before it is surely overwritten.
    ReadBy(Vec<RoutineId>, Span),
    /// It is surely overwritten here.
    Overwritten(Span),
    /// The call surely overwrites it.
    OverwrittenBy(RoutineId, Span),
    /// Control does not come to the end of the list.
    Ends,
    /// Control leaves the function.
    Leaves,
    /// Nothing of this.
    Passes,
}

/// A read in a function: where, in which function, and the calls on the way.
pub(super) type Inside = (Span, RoutineId, Vec<(RoutineId, Span)>);

/// A cell that is looked for.
pub(super) struct Scan<'a> {
    pub steps: &'a Steps,
    pub memory: &'a Memory,
    pub effects: &'a Effects,
    pub cell: CellId,
    /// Calls are passed over: reads in the function itself are looked for.
    pub past_calls: bool,
}

impl Scan<'_> {
    /// What happens to the cell in these actions, in this order.
    pub fn list(&self, actions: &[Action], in_any_order: bool) -> Scanned {
        let mut leaves = false;
        for action in actions {
            match self.action(action) {
                Scanned::Passes => {}
                Scanned::Leaves if in_any_order => leaves = true,
                found @ (Scanned::Read(_) | Scanned::ReadBy(..)) => return found,
                _ if in_any_order => {}
                found => return found,
            }
        }
        if leaves {
            Scanned::Leaves
        } else {
            Scanned::Passes
        }
    }

    /// Whether things may happen in any order in a node, so that nothing overwrites anything.
    pub fn in_any_order(&self, routine: RoutineId, node: usize) -> bool {
        let body = &self.effects.bodies[routine.0 as usize];
        body.returns_twice
            || body.nodes[node]
                .iter()
                .any(|one| matches!(one.kind, ActionKind::Repeat(_)))
    }

    fn has(&self, cells: SetId) -> bool {
        self.effects.cells(cells).binary_search(&self.cell).is_ok()
    }

    fn action(&self, action: &Action) -> Scanned {
        let cell = self.cell.0 as usize;
        match &action.kind {
            ActionKind::Read(cells) if self.has(*cells) => Scanned::Read(action.span),
            ActionKind::Write { cells, all: true } | ActionKind::Free { cells, all: true }
                if self.has(*cells) =>
            {
                Scanned::Overwritten(action.span)
            }
            ActionKind::Begin { object, all: true }
                if self.memory.cells[cell].object == *object =>
            {
                Scanned::Overwritten(action.span)
            }
            ActionKind::Call {
                routines,
                surely,
                spared,
            } => self.call(routines, *surely, *spared, action.span),
            ActionKind::Choose(lists) => self.choose(lists),
            ActionKind::Repeat(list) => self.list(list, true),
            ActionKind::Return | ActionKind::Jump => Scanned::Leaves,
            ActionKind::Stop => Scanned::Ends,
            _ => Scanned::Passes,
        }
    }

    fn call(&self, routines: &[RoutineId], surely: bool, spared: SetId, span: Span) -> Scanned {
        let cell = self.cell.0 as usize;
        let readers: Vec<RoutineId> = routines
            .iter()
            .copied()
            .filter(|_| !self.effects.is_spared(spared, self.cell))
            .filter(|one| self.effects.summary(*one).exposed.contains(cell))
            .collect();
        if !readers.is_empty() && self.past_calls {
            return Scanned::Passes;
        }
        if !readers.is_empty() {
            return Scanned::ReadBy(readers, span);
        }
        let all = |what: &dyn Fn(RoutineId) -> bool| {
            surely && !routines.is_empty() && routines.iter().all(|&one| what(one))
        };
        if all(&|one| !self.effects.summary(one).returns) {
            return Scanned::Ends;
        }
        match routines
            .iter()
            .find(|one| self.effects.summary(**one).returns)
        {
            Some(&first) if all(&|one| self.effects.summary(one).overwrites.contains(cell)) => {
                Scanned::OverwrittenBy(first, span)
            }
            _ => Scanned::Passes,
        }
    }

    fn choose(&self, lists: &[Vec<Action>]) -> Scanned {
        let found: Vec<Scanned> = lists.iter().map(|list| self.list(list, false)).collect();
        // What is read here is told rather than what a call may read.
        let here = found.iter().find(|one| matches!(one, Scanned::Read(_)));
        let called = found.iter().find(|one| matches!(one, Scanned::ReadBy(..)));
        if let Some(read) = here.or(called) {
            return read.clone();
        }
        if found.is_empty() || found.contains(&Scanned::Passes) {
            return Scanned::Passes;
        }
        let leaving = found.iter().find(|one| **one == Scanned::Leaves);
        let overwriting = found.iter().find(|one| **one != Scanned::Ends);
        leaving.or(overwriting).cloned().unwrap_or(Scanned::Ends)
    }

    /// The nearest read in a function that may read the cell before it overwrites it: the read, its function, and the
    /// calls on the way.
    pub fn inside(&self, routine: RoutineId) -> Option<Inside> {
        self.inside_unless(routine, &mut HashSet::new())
    }

    fn inside_unless(&self, routine: RoutineId, seen: &mut HashSet<RoutineId>) -> Option<Inside> {
        if !seen.insert(routine) {
            return None;
        }
        let body = &self.effects.bodies[routine.0 as usize];
        let mut calls: Vec<(Vec<RoutineId>, Span)> = Vec::new();
        for node in self.reached(routine) {
            match self.list(&body.nodes[node], self.in_any_order(routine, node)) {
                Scanned::Read(span) => return Some((span, routine, Vec::new())),
                Scanned::ReadBy(readers, span) => calls.push((readers, span)),
                _ => {}
            }
        }
        for (readers, span) in calls {
            for reader in readers {
                if let Some((read, holder, mut through)) = self.inside_unless(reader, seen) {
                    through.insert(0, (routine, span));
                    return Some((read, holder, through));
                }
            }
        }
        None
    }

    /// Nodes of a function that control comes to with the cell as it was, nearest first.
    fn reached(&self, routine: RoutineId) -> Vec<usize> {
        let flow = &self.steps.routines[routine.0 as usize].flow;
        let body = &self.effects.bodies[routine.0 as usize];
        let ends: Vec<OnceCell<bool>> = vec![OnceCell::new(); body.nodes.len()];
        let goes_on = |node: usize| {
            *ends[node].get_or_init(|| {
                let end = self.list(&body.nodes[node], self.in_any_order(routine, node));
                end == Scanned::Passes || end == Scanned::Leaves
            })
        };
        flow.nearest(Flow::ENTRY.0, |node, to| {
            goes_on(node) && self.filled(routine, node, to).is_none()
        })
    }

    /// The nodes that may come next with the cell as it was.
    pub fn followers(&self, routine: RoutineId, node: usize) -> impl Iterator<Item = usize> + '_ {
        let flow = &self.steps.routines[routine.0 as usize].flow;
        let next = flow.nodes[node].next.iter().map(|next| next.0);
        next.filter(move |&next| self.filled(routine, node, next).is_none())
    }

    /// What surely overwrites the cell on some way on from a node: a loop that fills an array.
    pub fn filled_after(&self, routine: RoutineId, node: usize) -> Option<Span> {
        let flow = &self.steps.routines[routine.0 as usize].flow;
        let next = &flow.nodes[node].next;
        next.iter()
            .find_map(|next| self.filled(routine, node, next.0))
    }

    fn filled(&self, routine: RoutineId, from: usize, to: usize) -> Option<Span> {
        let body = &self.effects.bodies[routine.0 as usize];
        let filled = body.overwritten.get(&(from, to))?;
        let found = filled.iter().find(|one| self.has(one.cells))?;
        (!body.returns_twice).then_some(found.by)
    }

    /// The write in a function that surely overwrites the cell, nearest first.
    pub fn write_inside(&self, routine: RoutineId) -> Option<(Span, RoutineId)> {
        let mut at = routine;
        let mut seen = HashSet::new();
        while seen.insert(at) {
            let body = &self.effects.bodies[at.0 as usize];
            let mut further = None;
            for node in self.reached(at) {
                match self.list(&body.nodes[node], self.in_any_order(at, node)) {
                    Scanned::Overwritten(span) => return Some((span, at)),
                    Scanned::Passes if self.filled_after(at, node).is_some() => {
                        return self.filled_after(at, node).map(|span| (span, at));
                    }
                    Scanned::OverwrittenBy(callee, _) => {
                        further = further.or(Some(callee));
                    }
                    _ => {}
                }
            }
            at = further?;
        }
        None
    }

    /// Whether the cell's object is something that exists only on the heap.
    pub fn is_heap(&self) -> bool {
        let object = self.memory.cells[self.cell.0 as usize].object;
        matches!(
            self.memory.objects[object.0 as usize].kind,
            ObjectKind::Heap { .. }
        )
    }
}
