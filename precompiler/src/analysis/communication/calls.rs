//! Calls: of functions of the program, which are walked through, and of the library.

use super::evaluate::Scratch;
use super::library::{Kind, is_mpi};
use super::run::{Run, Trouble};
use super::shared::Shared;
use super::state::State;
use super::value::{Sym, Value};
use crate::catalog::Role;
use crate::dataflow::steps::{Call, Called, RoutineId, Step, TextPlace};

/// Functions deeper than that are not walked through when they do not communicate.
const DEEP: usize = 12;
/// Functions with more statements are not walked through when they do not communicate.
const LONG: usize = 80;

impl<'a> Run<'a, '_> {
    /// Whether a call may lead to communication.
    pub fn can_communicate(&mut self, id: RoutineId, call: &Call) -> bool {
        let callees = self.known.points_to.callees(id, call);
        let named = callees.named.iter().any(|name| {
            is_mpi(name)
                && self
                    .library
                    .find(name)
                    .is_none_or(|one| super::library::communicates(&one))
        });
        named
            || callees
                .routines
                .iter()
                .any(|one| self.known.traffic.busy.contains(one))
    }

    /// A call; what comes back, or none when control does not.
    pub fn call(
        &mut self,
        id: RoutineId,
        step: &Step,
        call: &'a Call,
        state: &mut State,
        scratch: &mut Scratch<'a>,
        maybe: bool,
    ) -> Option<Value> {
        let place = self.place(id, step.span);
        let callees = self.known.points_to.callees(id, call);
        if let Called::Named(name) = &call.callee {
            return self.library_call(id, step, name, call, state, scratch, maybe);
        }
        let pointer = matches!(call.callee, Called::Pointer(_));
        let busy = callees
            .routines
            .iter()
            .any(|one| self.known.traffic.busy.contains(one))
            || callees.named.iter().any(|name| is_mpi(name));
        let is_same = match call.callee {
            Called::Pointer(value) => self
                .value(id, value, state, scratch)
                .uniform(&state.mask)
                .is_some(),
            _ => true,
        };
        if pointer && busy && (!is_same || callees.unknown || !callees.named.is_empty()) {
            self.fail("Which function is called here may differ between the ranks, and one of them communicates.", place);
        }
        let mut ways: Option<(State, Value)> = None;
        let before = self.messages.clone();
        let mut after = None;
        let mut ended = callees.routines.is_empty();
        for &callee in &callees.routines {
            let mut inner = state.clone();
            self.messages = before.clone();
            let Some(value) = self.routine(id, call, callee, &mut inner, scratch, place, maybe)
            else {
                ended = true;
                continue;
            };
            if after.as_ref().is_some_and(|known| *known != self.messages) {
                self.fail(
                    "Functions that may be called here do not communicate alike.",
                    place,
                );
            }
            after = Some(self.messages.clone());
            ways = Some(match ways {
                None => (inner, value),
                Some((other, result)) => {
                    let same = result == value;
                    let both_same = result.uniform(&inner.mask).is_some()
                        && value.uniform(&inner.mask).is_some()
                        && is_same;
                    let result = if same {
                        value
                    } else if both_same {
                        self.fresh()
                    } else {
                        Value::unknown(self.ranks)
                    };
                    let joined = self.join(Some(other), Some(inner))?;
                    (joined, result)
                }
            });
        }
        if let Some(messages) = after {
            self.messages = messages;
        }
        match ways {
            Some((inner, value)) => {
                *state = inner;
                Some(if is_same {
                    value
                } else {
                    Value::unknown(self.ranks)
                })
            }
            None if callees.routines.is_empty() || !ended => {
                self.spoil_call(id, step, state, false);
                Some(Value::unknown(self.ranks))
            }
            None => None,
        }
    }

    /// A function of the program.
    #[expect(clippy::too_many_arguments, reason = "a call with its surroundings")]
    fn routine(
        &mut self,
        id: RoutineId,
        call: &Call,
        callee: RoutineId,
        state: &mut State,
        scratch: &mut Scratch<'a>,
        place: TextPlace,
        maybe: bool,
    ) -> Option<Value> {
        let busy = self.known.traffic.busy.contains(&callee);
        let view = self.view(callee);
        if busy && self.stack.contains(&callee) {
            self.fail("A function that communicates calls itself again.", place);
        }
        let is_walked = !maybe
            && !self.stack.contains(&callee)
            && (busy
                || (self.stack.len() < DEEP
                    && self.quiet == 0
                    && view.function.statement_count <= LONG
                    && !self.known.points_to.is_recursive(callee)));
        if !is_walked {
            return self.passed_by(id, call, callee, state, scratch, maybe);
        }
        let quiet_before =
            (!busy && self.trouble.is_none()).then(|| (self.snapshot(), state.clone()));
        for (at, parameter) in view.routine.parameters.iter().enumerate() {
            let Some(object) = self.known.points_to.variable(*parameter) else {
                continue;
            };
            let argument = call.arguments.get(at);
            let value = match argument {
                Some(argument) if argument.aggregate.is_none() => {
                    let ty = self.known.steps.variable(*parameter).ty.id;
                    Some(self.handed(id, argument, (view.unit, ty), state, scratch))
                }
                _ => None,
            };
            for cell in self.known.points_to.cells(object) {
                state.forget(cell.0);
                if let Some(value) = &value {
                    state.memory.insert((cell.0, None), value.clone());
                }
            }
        }
        self.stack.push(callee);
        let quiet = std::mem::take(&mut self.quiet);
        let result = self.body(callee, state);
        self.quiet = quiet;
        self.stack.pop();
        if let (Some((before, outside)), None, true) =
            (quiet_before, &self.question, self.trouble.is_some())
        {
            // Where nothing communicates, ranks that go different ways meet again behind the call.
            self.restore(before);
            *state = outside;
            return self.passed_by(id, call, callee, state, scratch, true);
        }
        let result = result?;
        // Its own variables are gone.
        for variable in self.known.steps.variable_ids() {
            let one = self.known.steps.variable(variable);
            if one.owner == Some(callee)
                && crate::analysis::effects::owner_of_local(self.known.steps, variable).is_some()
                && let Some(object) = self.known.points_to.variable(variable)
            {
                for cell in self.known.points_to.cells(object) {
                    state.forget(cell.0);
                }
            }
        }
        Some(result)
    }

    /// A function of the program that does not communicate and is not walked through.
    fn passed_by(
        &mut self,
        id: RoutineId,
        call: &Call,
        callee: RoutineId,
        state: &mut State,
        scratch: &Scratch<'a>,
        maybe: bool,
    ) -> Option<Value> {
        if self.known.traffic.quits.contains(&callee) {
            let place = self.place(callee, self.view(callee).function.span);
            self.end(place);
        }
        let found = self.found(id, 0, state);
        self.context(callee, found);
        self.forget_routine(callee, state);
        let returns = self.known.effects.summary(callee).returns;
        if !returns {
            return None;
        }
        let mut same = !maybe;
        for argument in &call.arguments {
            let value = self.argument(id, argument, state, scratch);
            same &= value.uniform(&state.mask).is_some();
        }
        let same = same && !self.known.varying.gives(callee);
        Some(if same {
            self.fresh()
        } else {
            Value::unknown(self.ranks)
        })
    }

    /// A function from its beginning to its end.
    pub fn body(&mut self, id: RoutineId, state: &mut State) -> Option<Value> {
        let view = self.view(id);
        let place = self.place(id, view.function.span);
        let inner = std::mem::replace(state, State::new(self.ranks));
        let mask = inner.mask.clone();
        let ways = self.statement(id, &view.function.body, inner);
        if !ways.gotos.is_empty() {
            self.fail("A goto leads backward around what communicates.", place);
        }
        let mut returns = ways.returns;
        returns.extend(ways.on.map(|state| (state, None)));
        returns.extend(ways.gotos.into_iter().map(|(_, state)| (state, None)));
        let mut result: Option<(State, Option<Value>)> = None;
        for (other, value) in returns {
            result = Some(match result {
                None => (other, value),
                Some((one, known)) => {
                    let value = self.merged(&one, known, &other, value);
                    let joined = self.join(Some(one), Some(other));
                    (joined?, value)
                }
            });
        }
        let (end, value) = result?;
        if end.mask != mask && !end.is_empty() {
            let place = self.place(id, view.function.span);
            self.fail("Some ranks do not return from this function.", place);
        }
        *state = end;
        state.mask = mask;
        Some(value.unwrap_or_else(|| Value::unknown(self.ranks)))
    }

    fn merged(
        &mut self,
        one: &State,
        a: Option<Value>,
        two: &State,
        b: Option<Value>,
    ) -> Option<Value> {
        let (a, b) = (a?, b?);
        let mut left = State {
            memory: Shared::default(),
            mask: one.mask.clone(),
        };
        let mut right = State {
            memory: Shared::default(),
            mask: two.mask.clone(),
        };
        left.memory.insert((0, None), a);
        right.memory.insert((0, None), b);
        let terms = &mut self.terms;
        let joined = left.join(right, &mut |_| terms.fresh());
        let mut value = joined.memory.get(&(0, None)).cloned()?;
        self.settle_value(&mut value);
        Some(value)
    }

    /// What was found where a function is called that does not communicate.
    pub fn context(&mut self, callee: RoutineId, found: Option<Trouble>) {
        Trouble::add(self.contexts.entry(callee).or_default(), found);
    }

    /// All that a function may store to is not known any more.
    pub fn forget_routine(&mut self, callee: RoutineId, state: &mut State) {
        let writes = &self.known.effects.summary(callee).writes;
        let known: Vec<u32> = state.memory.keys().map(|(cell, _)| *cell).collect();
        for cell in known {
            if writes.contains(cell as usize) {
                state.forget(cell);
            }
        }
    }

    /// All that a call of the library may store to.
    pub fn spoil_call(&mut self, id: RoutineId, step: &Step, state: &mut State, same: bool) {
        for (cell, all) in self.library.stored(id, step.span).to_vec() {
            let kept = all || self.are_same(&[cell], state);
            self.spoil(state, cell.0, same && kept);
        }
    }

    #[expect(clippy::too_many_arguments, reason = "a call with its surroundings")]
    fn library_call(
        &mut self,
        id: RoutineId,
        step: &Step,
        name: &str,
        call: &'a Call,
        state: &mut State,
        scratch: &mut Scratch<'a>,
        maybe: bool,
    ) -> Option<Value> {
        let place = self.place(id, step.span);
        let Some(found) = self.library.find(name) else {
            let back = &self.known.effects.from_outside;
            let calls_back = back.iter().any(|one| self.known.traffic.busy.contains(one));
            if calls_back || !self.library.is_silent(name) {
                let why = self.library.why_not_silent(name);
                let why = why.map_or_else(String::new, |why| format!(": it {why}"));
                self.fail(
                    &format!("It is unknown whether `{name}` communicates{why}."),
                    place,
                );
            }
            self.spoil_call(id, step, state, false);
            return Some(Value::unknown(self.ranks));
        };
        if is_mpi(name) {
            let name = name.strip_prefix('P').unwrap_or(name);
            let name = name.strip_suffix("_c").unwrap_or(name);
            return self.mpi(id, step, name, &found, call, state, scratch);
        }
        if found.never_returns {
            let status = match call.arguments.first() {
                Some(argument) if found.is(Role::Exits) => self
                    .argument(id, argument, state, scratch)
                    .uniform(&state.mask),
                _ => None,
            };
            // A process that ends well lets the others go on.
            if matches!(name, "exit" | "_exit" | "_Exit")
                && matches!(status, Some(Sym::Int(0)) | None)
                && !state.is_full()
            {
                self.end(place);
            }
            return None;
        }
        let mut same = true;
        let mut numbers = Vec::new();
        for argument in &call.arguments {
            let value = self.argument(id, argument, state, scratch);
            same &= value.uniform(&state.mask).is_some();
            numbers.push(value);
        }
        let cells = self.library.read(id, step.span).to_vec();
        let memory = self.are_same(&cells, state);
        let kind = self.library.kind(name);
        let all_same = kind == Kind::Plain && same && memory;
        self.spoil_call(id, step, state, all_same && !maybe);
        if kind != Kind::Plain {
            return Some(Value::unknown(self.ranks));
        }
        if cells.is_empty()
            && let Some(value) = self.computed(name, &numbers)
        {
            return Some(value);
        }
        Some(if all_same {
            self.fresh()
        } else {
            Value::unknown(self.ranks)
        })
    }

    /// A function of numbers only.
    fn computed(&mut self, name: &str, arguments: &[Value]) -> Option<Value> {
        let [first, rest @ ..] = arguments else {
            return None;
        };
        let exact = |a: f64, b: f64| match name {
            "log2" => Some(a.log2()),
            "sqrt" => Some(a.sqrt()),
            "pow" => Some(a.powf(b)),
            "abs" | "labs" | "fabs" => Some(a.abs()),
            "floor" | "ceil" | "round" | "rint" => Some(a),
            _ => None,
        };
        let second = match rest {
            [] => first,
            [second] => second,
            _ => return None,
        };
        let mut value = first.clone();
        for rank in 0..self.ranks {
            let number = match (first.parts[rank], second.parts[rank]) {
                (Sym::Int(a), Sym::Int(b)) => exact(a as f64, b as f64)
                    .filter(|number| number.fract() == 0.0 && number.abs() < 1e9)
                    .map(|number| Sym::Int(number as i64)),
                _ => None,
            };
            let operation = 220 + (name.len() % 30) as u8;
            let letter = Sym::Int(name.bytes().fold(7i64, |sum, one| {
                sum.wrapping_mul(31).wrapping_add(i64::from(one))
            }));
            value.parts[rank] = match number {
                Some(number) => number,
                None => {
                    let inner = self
                        .terms
                        .of(operation, first.parts[rank], second.parts[rank]);
                    self.terms.of(operation, letter, inner)
                }
            };
        }
        value.shape = super::value::other(first, second);
        self.settle_value(&mut value);
        Some(value)
    }
}
