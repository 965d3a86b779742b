//! What is known on the ways from the allocation of a struct to `init`: which pointers point to it, and whether its member
//! has been set.
//!
//! Ways that meet keep what all of them know.

use std::collections::BTreeSet;

use fixedbitset::FixedBitSet;

use super::guards::{Ground, Guarded};
use crate::analysis::effects::{Action, ActionKind, walk};
use crate::analysis::memory::CellId;
use crate::dataflow::Flow;
use crate::dataflow::steps::{
    Base, Call, Called, Combination, Location, RoutineId, Step, StepKind, ValueId,
};
use crate::program::ExpressionKind;
use crate::solver::{Analysis, solve};

/// So many calls within each other are followed.
const DEPTH: usize = 16;

/// What is known at a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Known {
    /// The member has been set, to anything but zero.
    pub set: bool,
    /// It may have been set.
    pub may_be_set: bool,
    /// These hold a pointer to the struct.
    pub cells: BTreeSet<CellId>,
    /// So do these values of the function.
    pub values: BTreeSet<ValueId>,
    /// What is returned is a pointer to the struct.
    pub returned: Option<bool>,
}

impl Known {
    fn join(&mut self, other: &Known) -> bool {
        let before = self.clone();
        self.set &= other.set;
        self.may_be_set |= other.may_be_set;
        self.cells.retain(|cell| other.cells.contains(cell));
        self.values.retain(|value| other.values.contains(value));
        if self.returned != other.returned {
            self.returned = Some(false);
        }
        *self != before
    }

    /// Something else is stored in cells. Whether that resets a member that may have been set.
    fn forget(&mut self, flag: CellId, is_touched: &dyn Fn(CellId) -> bool) -> bool {
        self.cells.retain(|cell| !is_touched(*cell));
        self.set &= !is_touched(flag);
        is_touched(flag) && self.may_be_set
    }
}

/// Where a function is begun to be followed.
pub(super) enum Start {
    Entry,
    /// Behind a step of a node.
    After(usize, usize),
}

/// Follows the ways.
pub(super) struct Follow<'f, 'a> {
    ground: &'f Ground<'a>,
    guarded: &'f Guarded,
    /// Functions that may come to the guard.
    reaches: &'f FixedBitSet,
    /// Something was met that is not known.
    pub is_lost: bool,
    /// The member may have been reset, or the block may have left it as it was.
    pub is_reset: bool,
    /// Whether the member was set when `init` was reached.
    pub at_init: Vec<bool>,
    active: Vec<RoutineId>,
}

/// A function, forward: what all ways know.
struct Within<'w, 'f, 'a> {
    follow: &'w mut Follow<'f, 'a>,
    routine: RoutineId,
}

impl Analysis for Within<'_, '_, '_> {
    type Fact = Known;

    fn join(known: &mut Known, more: &Known) -> bool {
        known.join(more)
    }

    fn transfer(&mut self, node: usize, known: Known, hand_on: &mut dyn FnMut(usize, &Known)) {
        if self.follow.is_lost || node == Flow::EXIT.0 {
            return;
        }
        let actions = &self.follow.ground.steps.routine(self.routine).nodes[node];
        let after = self.follow.list(self.routine, node, actions, Some(known));
        self.follow.hand_on(self.routine, node, after, hand_on);
    }
}

impl<'f, 'a> Follow<'f, 'a> {
    pub fn of(
        ground: &'f Ground<'a>,
        guarded: &'f Guarded,
        reaches: &'f FixedBitSet,
    ) -> Follow<'f, 'a> {
        Follow {
            ground,
            guarded,
            reaches,
            is_lost: false,
            is_reset: false,
            at_init: Vec::new(),
            active: Vec::new(),
        }
    }

    /// What is known when a function returns; none when it does not, or `init` was reached.
    pub fn run(&mut self, routine: RoutineId, start: Start, known: Known) -> Option<Known> {
        let one = self.ground.steps.routine(routine);
        let (node, first) = match start {
            Start::Entry => (Flow::ENTRY.0, one.nodes[Flow::ENTRY.0].len()),
            Start::After(node, index) => (node, index + 1),
        };
        let begun = self.list(routine, node, &one.nodes[node][first..], Some(known));
        let mut entries: Vec<Option<Known>> = vec![None; one.flow.nodes.len()];
        self.hand_on(routine, node, begun, &mut |to, known| {
            match &mut entries[to] {
                Some(old) => _ = old.join(known),
                empty => *empty = Some(known.clone()),
            };
        });
        let first = entries.into_iter().enumerate();
        let first = first.filter_map(|(to, known)| Some((to, known?)));
        let mut within = Within {
            follow: self,
            routine,
        };
        solve(&mut within, one.flow.nodes.len(), first).swap_remove(Flow::EXIT.0)
    }

    fn hand_on(
        &mut self,
        routine: RoutineId,
        node: usize,
        after: Option<Known>,
        to: &mut dyn FnMut(usize, &Known),
    ) {
        let Some(after) = after else { return };
        let is_here = routine == self.guarded.routine;
        let is_guard = is_here && node == self.guarded.head;
        for next in self.ground.steps.routine(routine).flow.next(node) {
            let mut after = after.clone();
            if is_guard && self.guarded.inside[next] {
                if after.set {
                    continue;
                }
                after.may_be_set = true;
            } else if is_guard {
                after.set = true;
            } else if is_here && self.guarded.inside[node] && !self.guarded.inside[next] {
                self.is_reset |= !after.set;
            }
            to(next, &after);
        }
    }

    fn list(
        &mut self,
        routine: RoutineId,
        node: usize,
        steps: &[Step],
        known: Option<Known>,
    ) -> Option<Known> {
        let mut known = known?;
        for step in steps {
            if let Some(value) = step.sets()
                && !matches!(step.kind, StepKind::Combine { .. })
            {
                known.values.remove(&value);
            }
            match &step.kind {
                StepKind::Read { place, into } => {
                    if self.holds(routine, place, &known) {
                        known.values.insert(*into);
                    }
                }
                StepKind::Combine { from, into, how } => {
                    let is_it = matches!(how, Combination::Cast | Combination::Choice)
                        && !from.is_empty()
                        && from.iter().all(|one| known.values.contains(one));
                    match is_it {
                        true => known.values.insert(*into),
                        false => known.values.remove(into),
                    };
                }
                StepKind::Write { place, value, weak } => {
                    let is_it = value.is_some_and(|value| known.values.contains(&value));
                    let sets = |of: &Self| !weak && of.is_not_zero(routine, step, *value);
                    self.store(routine, place, (is_it && !weak, &sets), &mut known);
                }
                StepKind::Copy { to, .. } => {
                    self.store(routine, to, (false, &|_| false), &mut known);
                }
                StepKind::Begin(variable) => {
                    let object = self.ground.points_to.variable(*variable);
                    let cells = object
                        .into_iter()
                        .flat_map(|one| self.ground.points_to.cells(one));
                    cells.for_each(|cell| {
                        known.cells.remove(&cell);
                    });
                }
                StepKind::Choose(ways) => {
                    let mut joined: Option<Known> = None;
                    for way in ways {
                        let one = self.list(routine, node, way, Some(known.clone()));
                        match (&mut joined, one) {
                            (Some(joined), Some(one)) => {
                                joined.join(&one);
                            }
                            (None, one) => joined = one,
                            _ => {}
                        }
                    }
                    known = joined?;
                }
                StepKind::Repeat(inner) => loop {
                    let again = self.list(routine, node, inner, Some(known.clone()));
                    if !again.is_some_and(|again| known.join(&again)) {
                        break;
                    }
                },
                StepKind::Return { value, .. } => {
                    known.returned = Some(value.is_some_and(|value| known.values.contains(&value)));
                }
                StepKind::Call(call) => known = self.call(routine, node, step, call, known)?,
                StepKind::Directive(_) if self.ground.is_init(routine, &step.kind) => {
                    self.at_init.push(known.set);
                    return None;
                }
                StepKind::Directive(_) | StepKind::Address { .. } => {}
                StepKind::Assembly { .. } => self.is_lost = true,
            }
            if self.is_lost {
                return None;
            }
        }
        Some(known)
    }

    /// Whether a place surely holds a pointer to the struct.
    fn holds(&self, routine: RoutineId, place: &Location, known: &Known) -> bool {
        let touched = self.ground.points_to.touched(routine, place);
        matches!(touched.cells[..], [only] if !touched.unknown && known.cells.contains(&only))
    }

    /// Something is stored in a place: a pointer to the struct, anything but zero.
    fn store(
        &mut self,
        routine: RoutineId,
        place: &Location,
        (is_it, is_not_zero): (bool, &dyn Fn(&Self) -> bool),
        known: &mut Known,
    ) {
        let touched = self.ground.points_to.touched(routine, place);
        let flag = self.guarded.flag;
        // Finding that out takes long, and is of no importance elsewhere.
        let is_not_zero = touched.cells.contains(&flag) && is_not_zero(self);
        let is_reset = known.forget(flag, &|cell| touched.cells.contains(&cell));
        self.is_reset |= is_reset && !is_not_zero;
        if let [only] = touched.cells[..]
            && !touched.unknown
        {
            // Nothing else can be meant: there is only one such place.
            known.set |= only == flag && is_not_zero;
            if is_it && touched.exact && self.ground.is_one_place(only) {
                known.cells.insert(only);
            }
        }
    }

    /// Whether what a step stores is anything but zero.
    fn is_not_zero(&self, routine: RoutineId, step: &Step, value: Option<ValueId>) -> bool {
        let one = self.ground.steps.routine(routine);
        let Some(value) = value else {
            let unit = &self.ground.program.units[one.function.unit];
            let mut found = false;
            unit.function(one.function.function)
                .body
                .walk_expressions(&mut |expression| {
                    if let ExpressionKind::Assign {
                        operator: None,
                        value,
                        ..
                    } = &expression.kind
                        && expression.span == step.span
                    {
                        found = matches!(value.kind, ExpressionKind::Number(Some(number)) if number != 0);
                    }
                });
            return found;
        };
        let mut asked = value;
        loop {
            let mut setter = None;
            one.walk(&mut |step| {
                if step.sets() == Some(asked) {
                    setter = Some(&step.kind);
                }
            });
            match setter {
                Some(StepKind::Combine {
                    from,
                    how: Combination::Cast,
                    ..
                }) if from.len() == 1 => asked = from[0],
                Some(StepKind::Address { .. }) => return true,
                Some(StepKind::Call(call)) => {
                    return match &call.callee {
                        Called::Routine(callee) => self.ground.effects.hands_out(*callee),
                        Called::Named(name) => {
                            let known = self.ground.catalogue.find(name);
                            known.is_some_and(|known| known.allocates().is_some())
                        }
                        Called::Pointer(_) => false,
                    };
                }
                _ => return false,
            }
        }
    }

    fn call(
        &mut self,
        routine: RoutineId,
        node: usize,
        step: &Step,
        call: &Call,
        mut known: Known,
    ) -> Option<Known> {
        let callees = match self.member_called(routine, call, &known) {
            Some(callees) => callees,
            None => {
                let callees = self.ground.points_to.callees(routine, call);
                self.is_lost |= callees.unknown;
                if !callees.named.is_empty() {
                    let after = self.library(routine, node, step, &mut known);
                    if callees.routines.is_empty() || self.is_lost {
                        return after.then_some(known);
                    }
                }
                callees.routines
            }
        };
        let mut joined: Option<Known> = None;
        for callee in callees {
            let Some(after) = self.enter(callee, call, known.clone()) else {
                continue;
            };
            match &mut joined {
                Some(joined) => {
                    joined.join(&after);
                }
                None => joined = Some(after),
            }
        }
        joined
    }

    /// What `p->member()` calls, when `p` is known to lead to the struct.
    fn member_called(
        &self,
        routine: RoutineId,
        call: &Call,
        known: &Known,
    ) -> Option<Vec<RoutineId>> {
        let Called::Pointer(value) = call.callee else {
            return None;
        };
        let mut read = None;
        self.ground.steps.routine(routine).walk(&mut |step| {
            if let StepKind::Read { place, into } = &step.kind
                && *into == value
            {
                read = Some(place);
            }
        });
        let place = read?;
        let Base::Pointer(pointer, _) = place.base else {
            return None;
        };
        if !known.values.contains(&pointer) {
            return None;
        }
        let memory = &self.ground.points_to.memory;
        let object = |cell: CellId| memory.cells[cell.0 as usize].object;
        let own = object(self.guarded.flag);
        let touched = self.ground.points_to.touched(routine, place);
        let mut found = Vec::new();
        let cells = touched.cells.iter().copied();
        for cell in cells.filter(|cell| object(*cell) == own) {
            for target in self.ground.points_to.pointees(cell) {
                found.push(memory.routine(target)?);
            }
        }
        (!found.is_empty()).then_some(found)
    }

    /// A function of a library is called. Whether it comes back.
    fn library(&mut self, routine: RoutineId, node: usize, step: &Step, known: &mut Known) -> bool {
        let effects = self.ground.effects;
        let actions: &[Action] = &effects.bodies[routine.0 as usize].nodes[node];
        let (mut comes_back, mut is_lost, mut is_reset) = (true, false, false);
        walk(actions, &mut |action| {
            if action.span != step.span {
                return;
            }
            match &action.kind {
                ActionKind::Write { cells, .. } | ActionKind::Free { cells, .. } => {
                    let cells = effects.cells(*cells);
                    is_reset |= known.forget(self.guarded.flag, &|cell| cells.contains(&cell));
                }
                ActionKind::Call { routines, .. } => {
                    for one in routines {
                        is_lost |= self.reaches.contains(one.0 as usize);
                        is_reset |= self.pass_by(*one, known);
                    }
                }
                ActionKind::Stop => comes_back = false,
                _ => {}
            }
        });
        self.is_lost |= is_lost;
        self.is_reset |= is_reset;
        comes_back
    }

    /// A call that does not come to the guard. Whether it may reset the member.
    fn pass_by(&self, callee: RoutineId, known: &mut Known) -> bool {
        let summary = self.ground.effects.summary(callee);
        known.forget(self.guarded.flag, &|cell| {
            let cell = cell.0 as usize;
            summary.writes.contains(cell) || summary.frees.contains(cell)
        })
    }

    fn enter(&mut self, callee: RoutineId, call: &Call, mut known: Known) -> Option<Known> {
        if !self.ground.effects.summary(callee).returns {
            return None;
        }
        if !self.reaches.contains(callee.0 as usize) {
            self.is_reset |= self.pass_by(callee, &mut known);
            return Some(known);
        }
        if self.active.contains(&callee) || self.active.len() >= DEPTH {
            self.is_lost = true;
            return None;
        }
        let mut inner = Known {
            values: BTreeSet::new(),
            returned: None,
            ..known.clone()
        };
        self.forget_locals(callee, &mut inner);
        let parameters = &self.ground.steps.routine(callee).parameters;
        for (parameter, argument) in parameters.iter().zip(&call.arguments) {
            let object = self.ground.points_to.variable(*parameter);
            let cells = object
                .into_iter()
                .flat_map(|one| self.ground.points_to.cells(one));
            let cells: Vec<CellId> = cells.collect();
            if let [cell] = cells[..]
                && known.values.contains(&argument.value)
                && self.ground.is_one_place(cell)
            {
                inner.cells.insert(cell);
            }
        }
        self.active.push(callee);
        let after = self.run(callee, Start::Entry, inner);
        self.active.pop();
        let mut after = after?;
        self.forget_locals(callee, &mut after);
        if after.returned == Some(true) {
            known.values.insert(call.result);
        }
        known.set = after.set;
        known.may_be_set = after.may_be_set;
        known.cells = after.cells;
        Some(known)
    }

    /// The life of a function's locals is over.
    pub fn forget_locals(&self, routine: RoutineId, known: &mut Known) {
        let locals = &self.ground.locals[routine.0 as usize];
        known.cells.retain(|cell| !locals.contains(cell));
    }
}
