//! What the steps of a node do to memory.

use super::evaluate::Scratch;
use super::run::Run;
use super::state::{Key, State};
use super::value::{Sym, Value};
use crate::dataflow::steps::{
    Argument, Base, Location, Projection, RoutineId, Step, StepKind, ValueId,
};
use crate::program::{ExpressionKind, TypeId, Unit, Width};
use crate::source::Span;

impl<'a> Run<'a, '_> {
    /// Takes all steps of a node. None when control does not come out of it.
    pub fn node(&mut self, id: RoutineId, node: usize, state: &mut State) -> Option<Scratch<'a>> {
        let mut scratch = Scratch::default();
        let steps: &'a [Step] = self.known.steps.routine(id).nodes.get(node)?;
        let alive = self.list(id, steps, state, &mut scratch, false);
        alive.then_some(scratch)
    }

    /// Takes steps; `maybe`: or not.
    fn list(
        &mut self,
        id: RoutineId,
        steps: &'a [Step],
        state: &mut State,
        scratch: &mut Scratch<'a>,
        maybe: bool,
    ) -> bool {
        for step in steps {
            match &step.kind {
                StepKind::Read { place, into } => {
                    let value = self.read(id, place, state, scratch);
                    scratch.spans.insert(step.span, value.clone());
                    scratch.values.insert(*into, value);
                }
                StepKind::Address { place, into } => {
                    scratch.places.insert(*into, place);
                    scratch.texts.insert(*into, step.span);
                }
                StepKind::Combine { into, .. } => {
                    scratch.texts.insert(*into, step.span);
                }
                StepKind::Write { place, weak, .. } => {
                    let value = self.stored(id, step.span, place, state, scratch);
                    self.write(id, place, value, *weak || maybe, state, scratch);
                }
                StepKind::Copy { from, to, .. } => {
                    let read = self.known.points_to.touched(id, from);
                    let cells = read.cells.clone();
                    let same = !read.unknown && self.are_same(&cells, state);
                    let stored = self.known.points_to.touched(id, to).cells;
                    let exact = !maybe && cells.len() == stored.len() && read.exact;
                    for (at, cell) in stored.iter().enumerate() {
                        if exact && !self.known.points_to.memory.cells[cell.0 as usize].is_many {
                            let value = self.load(state, (cells[at].0, None));
                            state.store((cell.0, None), &value);
                        } else {
                            self.spoil(state, cell.0, same && !maybe);
                        }
                    }
                }
                StepKind::Call(call) => {
                    if maybe && self.can_communicate(id, call) {
                        let place = self.place(id, step.span);
                        self.fail("Whether there is communication here depends on the expression around it.", place);
                    }
                    match self.call(id, step, call, state, scratch, maybe) {
                        Some(value) => {
                            scratch.spans.insert(step.span, value.clone());
                            scratch.values.insert(call.result, value);
                        }
                        None if maybe => {}
                        None => return false,
                    }
                }
                StepKind::Begin(variable) => {
                    if let Some(object) = self.known.points_to.variable(*variable) {
                        for cell in self.known.points_to.cells(object) {
                            state.forget(cell.0);
                        }
                    }
                }
                StepKind::Choose(lists) => {
                    for list in lists {
                        self.list(id, list, state, scratch, true);
                    }
                }
                StepKind::Repeat(list) => {
                    self.list(id, list, state, scratch, true);
                    self.list(id, list, state, scratch, true);
                }
                StepKind::Assembly { named, .. } => {
                    for place in named {
                        for &cell in &*self.known.points_to.touched(id, place).cells {
                            self.spoil(state, cell.0, false);
                        }
                    }
                }
                StepKind::Return { .. } | StepKind::Directive(_) => {}
            }
        }
        true
    }

    /// A value by its number.
    pub fn value(
        &mut self,
        id: RoutineId,
        value: ValueId,
        state: &State,
        scratch: &Scratch<'a>,
    ) -> Value {
        if let Some(known) = scratch.values.get(&value) {
            return known.clone();
        }
        let constant = self.known.steps.routine(id).value(value).constant;
        if let Some(number) = constant.and_then(|number| i64::try_from(number).ok()) {
            return Value::same(self.ranks, Sym::Int(number));
        }
        let view = self.view(id);
        match scratch
            .texts
            .get(&value)
            .and_then(|span| view.expression(*span))
        {
            Some(expression) => self.evaluate(view.unit, expression, scratch, state),
            None => Value::unknown(self.ranks),
        }
    }

    /// What a call is given.
    pub fn argument(
        &mut self,
        id: RoutineId,
        argument: &Argument,
        state: &State,
        scratch: &Scratch<'a>,
    ) -> Value {
        let view = self.view(id);
        match view.expression(argument.span) {
            Some(expression) => self.evaluate(view.unit, expression, scratch, state),
            None => self.value(id, argument.value, state, scratch),
        }
    }

    /// The same, as a parameter of a type holds it.
    pub fn handed(
        &mut self,
        id: RoutineId,
        argument: &Argument,
        to: (&Unit, TypeId),
        state: &State,
        scratch: &Scratch<'a>,
    ) -> Value {
        let view = self.view(id);
        match view.expression(argument.span) {
            Some(expression) => self.evaluate_as(view.unit, expression, to, scratch, state),
            None => self.value(id, argument.value, state, scratch),
        }
    }

    /// What an assignment, a step or a declarator stores.
    fn stored(
        &mut self,
        id: RoutineId,
        span: Span,
        place: &Location,
        state: &State,
        scratch: &Scratch<'a>,
    ) -> Value {
        let view = self.view(id);
        let value = self.stored_there(id, span, place.ty.id, state, scratch);
        // What does not fit into a bit-field is not followed.
        let member = place.path.last().and_then(|step| match step {
            Projection::Member(record, at) => {
                view.unit.records[record.0].members.as_ref()?.get(*at)
            }
            Projection::Element(_) => None,
        });
        let Some(member) = member.filter(|member| member.is_bit_field) else {
            return value;
        };
        let own = Width::of(view.unit, member.ty);
        let bits = member.width.and_then(|bits| u32::try_from(bits).ok());
        let bits = bits.filter(|bits| *bits > 0);
        let fits = |part: &Sym| match (part, own.zip(bits)) {
            (Sym::Int(number), Some((own, bits))) => {
                Width { bits, ..own }.holds(i128::from(*number))
            }
            _ => false,
        };
        match value.uniform(&state.mask) {
            _ if value.parts.iter().all(fits) => value,
            Some(_) => self.fresh(),
            None => Value::unknown(self.ranks),
        }
    }

    fn stored_there(
        &mut self,
        id: RoutineId,
        span: Span,
        to: TypeId,
        state: &State,
        scratch: &Scratch<'a>,
    ) -> Value {
        let view = self.view(id);
        if let Some(value) = view.initial(span) {
            return self.evaluate_as(view.unit, value, (view.unit, to), scratch, state);
        }
        let Some(expression) = view.expression(span) else {
            // An aggregate is set to zeros before what its initialiser says.
            return Value::same(self.ranks, Sym::Int(0));
        };
        match &expression.kind {
            ExpressionKind::Step(operator, target) => {
                let old = self.evaluate(view.unit, target, scratch, state);
                self.stepped(view.unit, *operator, target, &old, state)
            }
            _ => self.evaluate(view.unit, expression, scratch, state),
        }
    }

    /// Whether all ranks have the same in these cells.
    pub fn are_same(&mut self, cells: &[crate::analysis::memory::CellId], state: &State) -> bool {
        cells.iter().all(|cell| {
            let mut known = state
                .memory
                .range((cell.0, None)..=(cell.0, Some(i64::MAX)))
                .peekable();
            if known.peek().is_none() || !state.memory.contains_key(&(cell.0, None)) {
                let is_many = self.known.points_to.memory.cells[cell.0 as usize].is_many;
                if (known.peek().is_none() || is_many)
                    && self.known.varying.cells.contains(cell.0 as usize)
                {
                    return false;
                }
            }
            known.all(|(_, value)| value.uniform(&state.mask).is_some())
        })
    }

    /// The key of each rank's place, when it is surely one cell, or one element.
    pub fn keys(
        &mut self,
        id: RoutineId,
        place: &Location,
        state: &State,
        scratch: &Scratch<'a>,
    ) -> Option<Vec<Key>> {
        let touched = self.known.points_to.touched(id, place);
        let [cell] = &touched.cells[..] else {
            return None;
        };
        if touched.unknown {
            return None;
        }
        let one = &self.known.points_to.memory.cells[cell.0 as usize];
        let object = &self.known.points_to.memory.objects[one.object.0 as usize];
        if !object.is_single || object.collapsed.is_some() {
            return None;
        }
        if !one.is_many {
            return touched.exact.then(|| vec![(cell.0, None); self.ranks]);
        }
        let mut elements = place.path.iter().filter_map(|step| match step {
            Projection::Element(value) => Some(*value),
            Projection::Member(..) => None,
        });
        let (Some(element), None, Base::Variable(_)) =
            (elements.next(), elements.next(), &place.base)
        else {
            return None;
        };
        let index = self
            .value(id, element, state, scratch)
            .numbers(&state.mask)?;
        Some(index.into_iter().map(|at| (cell.0, Some(at))).collect())
    }

    fn read(
        &mut self,
        id: RoutineId,
        place: &Location,
        state: &mut State,
        scratch: &Scratch<'a>,
    ) -> Value {
        if let Some(keys) = self.keys(id, place, state, scratch) {
            return self.load_each(state, &keys);
        }
        let touched = self.known.points_to.touched(id, place);
        let mut way = Vec::new();
        for value in place.values() {
            way.push(self.value(id, value, state, scratch));
        }
        let same_way = way.iter().all(|value| value.uniform(&state.mask).is_some());
        if !touched.unknown && same_way && self.are_same(&touched.cells, state) {
            self.fresh()
        } else {
            Value::unknown(self.ranks)
        }
    }

    /// What each rank has at its key.
    pub fn load_each(&mut self, state: &mut State, keys: &[Key]) -> Value {
        let first = (keys.iter().zip(&state.mask))
            .find(|(_, here)| **here)
            .map(|(key, _)| *key);
        let Some(first) = first else {
            return Value::unknown(self.ranks);
        };
        let mut value = self.load(state, first);
        for (rank, key) in keys.iter().enumerate() {
            if state.mask[rank] && *key != first {
                let other = self.load(state, *key);
                value.parts[rank] = other.parts[rank];
                value.shape = value.shape.or(other.shape);
            }
        }
        value
    }

    /// Stores at each rank's key.
    pub fn store_each(&mut self, state: &mut State, keys: &[Key], value: &Value) {
        let mut done: Vec<Key> = Vec::new();
        for key in keys {
            if done.contains(key) {
                continue;
            }
            done.push(*key);
            let mask = keys
                .iter()
                .zip(&state.mask)
                .map(|(one, here)| *here && one == key);
            let mask: Vec<bool> = mask.collect();
            if !mask.contains(&true) {
                continue;
            }
            // What an element was before is not lost on the ranks that store to another one.
            if mask != state.mask && !state.memory.contains_key(key) {
                let old = self.load(state, *key);
                state.memory.insert(*key, old);
            }
            let full = std::mem::replace(&mut state.mask, mask);
            state.store(*key, value);
            state.mask = full;
        }
    }

    pub fn write(
        &mut self,
        id: RoutineId,
        place: &Location,
        value: Value,
        weak: bool,
        state: &mut State,
        scratch: &Scratch<'a>,
    ) {
        if !weak && let Some(keys) = self.keys(id, place, state, scratch) {
            self.store_each(state, &keys, &value);
            return;
        }
        let is_whole = matches!(place.base, Base::Variable(_)) && place.path.is_empty() && !weak;
        if is_whole && state.is_full() && value.uniform(&state.mask) == Some(Sym::Int(0)) {
            for &cell in &*self.known.points_to.touched(id, place).cells {
                state.forget(cell.0);
                state.memory.insert((cell.0, None), value.clone());
            }
            return;
        }
        let mut same = value.uniform(&state.mask).is_some() && !weak;
        for value in place.values() {
            same &= self
                .value(id, value, state, scratch)
                .uniform(&state.mask)
                .is_some();
        }
        for &cell in &*self.known.points_to.touched(id, place).cells {
            let kept = same && {
                let only = [cell];
                self.are_same(&only, state)
            };
            self.spoil(state, cell.0, kept);
        }
    }
}
