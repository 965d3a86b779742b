//! Whether a variable surely holds an address where it is read, by what happened just before.
//!
//! ```text
//! char *line = NULL; … line = malloc(n); … while (fgets(line, n, file)) { word = strtok(line, " "); … }
//! ```
//!
//! In: a read of a variable. Out: that on every way to it the variable was set to memory last, or that it was used as an address
//! since: what lies there was read or stored to, or a function of the C library was given it that takes no null pointer; or that a
//! condition has found it to be none (`tested`). The one idea:
//! from the read backward through the flow, each way until it is decided. A program that uses a null pointer has ended there.
//!
//! Errors fall on the side of *not known*: nothing is known where another thread or a handler may store to the variable, where its
//! address is taken, or where a call may set it.
//!
//! Not here: what a variable is set to anywhere in the program (`given`).

use std::collections::BTreeSet;

use crate::catalog::{EffectKind, Extent, LibraryFunction, Root};
use crate::dataflow::Flow;
use crate::dataflow::steps::{
    Base, Call, Called, Combination, Location, Routine, RoutineId, Step, StepKind, ValueId,
    VariableId, VariableKind,
};
use crate::program::Storage;
use crate::solver::closure;

use super::given::{Asked, setter};
use super::kept::state_name;
use super::lower::Lowering;

/// The way back from a read.
struct Back<'r> {
    id: RoutineId,
    routine: &'r Routine,
    variable: VariableId,
    is_local: bool,
    /// Values of the variable that are used as addresses later; what sets them has not been met yet.
    used: BTreeSet<ValueId>,
}

/// What a list of steps says, looked at from its end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Met {
    /// The variable holds an address behind it.
    Memory,
    /// It may hold a null pointer, or nobody knows.
    Unknown,
    /// Nothing: it depends on what comes before.
    Nothing,
}

impl Lowering<'_> {
    /// Whether a variable holds an address where a value is read from it.
    pub(super) fn is_memory_here(
        &self,
        id: RoutineId,
        read: ValueId,
        variable: VariableId,
        asked: &mut Asked,
    ) -> bool {
        let routine = self.steps.routine(id);
        if !self.is_followed(id, variable) {
            return false;
        }
        let facts = self.steps.variable(variable);
        let mut back = Back {
            id,
            routine,
            variable,
            is_local: matches!(facts.storage, Storage::Automatic | Storage::Register),
            used: BTreeSet::new(),
        };
        let nodes = routine.nodes.iter().enumerate();
        let mut begin = nodes.filter_map(|(node, steps)| {
            let met = self.before_read(&mut back, steps, read, asked)?;
            Some((node, met))
        });
        let Some((node, met)) = begin.next() else {
            return false;
        };
        drop(begin);
        if met != Met::Nothing {
            return met == Met::Memory;
        }
        let previous = routine.flow.previous();
        let mut is_memory = true;
        // The nodes before which nothing is decided yet.
        let undecided = closure([node], |later, open: &mut Vec<usize>| {
            is_memory &= later != Flow::ENTRY.0 || self.is_memory_at_entry(&back, asked);
            for &node in &previous[later] {
                if !is_memory {
                    return;
                }
                if back.is_local && self.is_tested(id, variable, (node, later)) {
                    continue;
                }
                back.used.clear();
                match self.back_through(&mut back, &routine.nodes[node], asked) {
                    Met::Unknown => is_memory = false,
                    Met::Memory => {}
                    Met::Nothing => open.push(node),
                }
            }
        });
        undecided.for_each(drop);
        is_memory
    }

    /// Whether nobody but the text of the functions stores to a variable, one thing after the other.
    fn is_followed(&self, id: RoutineId, variable: VariableId) -> bool {
        let facts = self.steps.variable(variable);
        let is_named = matches!(facts.kind, VariableKind::Named | VariableKind::Parameter(_));
        let is_local = matches!(facts.storage, Storage::Automatic | Storage::Register);
        let is_own = match is_local {
            true => facts.owner == Some(id),
            // What has static storage belongs to all threads.
            false => {
                let mut all = self.steps.routine_ids();
                self.kept.any_time.is_empty() && !all.any(|one| self.has_regions(one))
            }
        };
        is_named
            && is_own
            && !facts.per_thread
            && !self.has_regions(id)
            && !self.is_address_taken(variable)
    }

    /// Whether threads share the locals of a function.
    fn has_regions(&self, id: RoutineId) -> bool {
        let at = self.steps.routine(id).function;
        self.program.units[at.unit]
            .function(at.function)
            .has_constructs()
    }

    fn is_address_taken(&self, variable: VariableId) -> bool {
        let mut taken = false;
        let owner = self.steps.variable(variable).owner;
        let all = self.steps.routines.iter().chain(&self.steps.initial);
        let own = owner.map(|owner| self.steps.routine(owner));
        for routine in all.filter(|one| own.is_none_or(|own| std::ptr::eq(*one, own))) {
            routine.walk(&mut |step| match &step.kind {
                StepKind::Address { place, .. } => taken |= place.variable() == Some(variable),
                StepKind::Assembly { named, .. } => {
                    taken |= named.iter().any(|one| one.variable() == Some(variable));
                }
                _ => {}
            });
        }
        taken
    }

    /// Whether a local holds an address where its function begins. One that is not set yet holds nothing that a program may read.
    fn is_memory_at_entry(&self, back: &Back<'_>, asked: &mut Asked) -> bool {
        match self.steps.variable(back.variable).kind {
            VariableKind::Parameter(position) => self.is_given_memory(back.id, position, asked),
            _ => back.is_local,
        }
    }

    /// What the steps before a read say, or nothing when it is not among them.
    fn before_read(
        &self,
        back: &mut Back<'_>,
        steps: &[Step],
        read: ValueId,
        asked: &mut Asked,
    ) -> Option<Met> {
        for (position, step) in steps.iter().enumerate() {
            let inside = match &step.kind {
                StepKind::Read { into, .. } if *into == read => Met::Nothing,
                StepKind::Choose(ways) => {
                    let mut ways = ways.iter();
                    match ways.find_map(|way| self.before_read(back, way, read, asked)) {
                        Some(met) => met,
                        None => continue,
                    }
                }
                // Any of its steps may have come before.
                StepKind::Repeat(inner) => match self.before_read(back, inner, read, asked) {
                    Some(Met::Nothing) if self.back_over(back, step, asked) == Met::Nothing => {
                        Met::Nothing
                    }
                    Some(_) => Met::Unknown,
                    None => continue,
                },
                _ => continue,
            };
            return Some(match inside {
                Met::Nothing => self.back_through(back, &steps[..position], asked),
                decided => decided,
            });
        }
        None
    }

    /// What a list of steps says, from its end to its beginning.
    fn back_through(&self, back: &mut Back<'_>, steps: &[Step], asked: &mut Asked) -> Met {
        let met = steps
            .iter()
            .rev()
            .map(|step| self.back_over(back, step, asked));
        { met }
            .find(|met| *met != Met::Nothing)
            .unwrap_or(Met::Nothing)
    }

    fn back_over(&self, back: &mut Back<'_>, step: &Step, asked: &mut Asked) -> Met {
        match &step.kind {
            StepKind::Read { place, into } => {
                if place.base == Base::Variable(back.variable) && back.used.contains(into) {
                    return Met::Memory;
                }
                back.uses(place);
            }
            StepKind::Write { place, value, weak } => {
                if place.base == Base::Variable(back.variable) {
                    let is_memory = place.path.is_empty()
                        && value.is_some_and(|value| self.is_memory(back.id, value, asked));
                    return match (is_memory, weak) {
                        (true, false) => Met::Memory,
                        (true, true) => Met::Nothing,
                        (false, _) => Met::Unknown,
                    };
                }
                back.uses(place);
            }
            StepKind::Copy { from, to, .. } => {
                if to.base == Base::Variable(back.variable) {
                    return Met::Unknown;
                }
                back.uses(from);
                back.uses(to);
            }
            StepKind::Begin(variable) if *variable == back.variable => return Met::Memory,
            StepKind::Call(call) => return self.back_over_call(back, call),
            StepKind::Choose(ways) => return self.back_over_ways(back, ways, asked),
            StepKind::Repeat(inner) => {
                let before = std::mem::take(&mut back.used);
                let mut met = inner.iter().map(|one| {
                    back.used.clear();
                    self.back_over(back, one, asked)
                });
                let is_unknown = met.any(|met| met == Met::Unknown);
                drop(met);
                back.used = before;
                if is_unknown {
                    return Met::Unknown;
                }
            }
            StepKind::Assembly { .. } => return Met::Unknown,
            _ => {}
        }
        Met::Nothing
    }

    fn back_over_ways(&self, back: &mut Back<'_>, ways: &[Vec<Step>], asked: &mut Asked) -> Met {
        let used = back.used.clone();
        let mut is_memory = !ways.is_empty();
        for way in ways {
            back.used.clone_from(&used);
            match self.back_through(back, way, asked) {
                Met::Unknown => return Met::Unknown,
                Met::Memory => {}
                Met::Nothing => is_memory = false,
            }
        }
        // What one of them uses says nothing of the others.
        back.used = used;
        match is_memory {
            true => Met::Memory,
            false => Met::Nothing,
        }
    }

    /// A call: what it is given is an address if it takes no null pointer; a variable that is not local may be set in it.
    fn back_over_call(&self, back: &mut Back<'_>, call: &Call) -> Met {
        let function = match &call.callee {
            Called::Named(name) => self.catalogue.find(name),
            _ => None,
        };
        let Some(function) = function else {
            return match back.is_local {
                true => Met::Nothing,
                false => Met::Unknown,
            };
        };
        if !back.is_local && self.may_set(&function, back.variable) {
            return Met::Unknown;
        }
        for (position, argument) in call.arguments.iter().enumerate() {
            if takes_no_null(&function, position) {
                back.uses_value(argument.value);
            }
        }
        Met::Nothing
    }

    /// Whether a function of a library may set a variable that is not local, and of which no address is taken.
    fn may_set(&self, function: &LibraryFunction, variable: VariableId) -> bool {
        let name = &self.steps.variable(variable).name;
        let state = self.catalogue.state_of_variable(name).map(state_name);
        let mut effects = function.effects.iter();
        !function.calls.is_empty()
            || effects.any(|effect| {
                let is_read = effect.kind == EffectKind::Reads;
                let touched = match &effect.place.root {
                    Root::Hidden(hidden) => Some(state_name(hidden)),
                    _ => None,
                };
                !is_read && touched.is_some() && touched == state
            })
    }
}

impl Back<'_> {
    /// What is read or stored there lies behind a pointer.
    fn uses(&mut self, place: &Location) {
        if let Base::Pointer(pointer, _) = place.base {
            self.uses_value(pointer);
        }
    }

    /// A value is used as an address: so is what it is computed from.
    fn uses_value(&mut self, mut value: ValueId) {
        loop {
            value = match setter(self.routine, value) {
                Some(StepKind::Combine { from, how, .. }) => match (how, from.as_slice()) {
                    (Combination::Cast, [only]) => *only,
                    (Combination::PointerStep | Combination::PointerBack, [pointer, ..]) => {
                        *pointer
                    }
                    _ => return,
                },
                Some(StepKind::Address { place, .. }) => match place.base {
                    Base::Pointer(pointer, _) => pointer,
                    _ => return,
                },
                Some(StepKind::Read { place, .. }) => {
                    if place.base == Base::Variable(self.variable) && place.path.is_empty() {
                        self.used.insert(value);
                    }
                    return;
                }
                _ => return,
            };
        }
    }
}

/// Whether a function takes no null pointer there: it reads or stores a text, or C itself says so, which holds for no elements, too.
/// Those of other libraries may be given one then.
fn takes_no_null(function: &LibraryFunction, position: usize) -> bool {
    let is_of_c = function.chapter.starts_with("C17 ");
    let mut effects = function.effects.iter();
    !function.nullable.contains(&position)
        && effects.any(|effect| {
            let place = &effect.place;
            let is_used = matches!(
                effect.kind,
                EffectKind::Reads | EffectKind::Writes | EffectKind::Fills
            );
            is_used
                && place.root == Root::Parameter(position)
                && match place.extent {
                    Some(Extent::Terminated) => true,
                    Some(Extent::Elements(_)) => is_of_c,
                    None => false,
                }
                && place.condition.is_none()
        })
}
