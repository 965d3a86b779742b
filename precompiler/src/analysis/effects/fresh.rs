//! Memory that functions have allocated themselves, as long as it is in their own hands.
//!
//! In: the steps of all functions and the catalogue. Out: the values of a function that lead to nothing but memory that
//! came to life since the function was called. What is touched through them is none that an earlier call has made.
//!
//! ```text
//! struct list *node(int key) { struct list *n = xmalloc(sizeof *n); n->key = key; return n; }
//! first = node(1); second = node(2);          the second call stores to what `second` leads to, not to what `first` does
//! ```
//!
//! Errors fall on the side of *not fresh*: locals whose address is taken or that hold anything else at times, memory that
//! is kept in statics.
//!
//! Not here: what a call touches in it (`through`).

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::rc::Rc;

use fixedbitset::FixedBitSet;

use crate::analysis::memory::ObjectKind;
use crate::analysis::points_to::PointsTo;
use crate::catalog::{Alternative, Catalogue};
use crate::dataflow::steps::{
    Base, Call, Called, Combination, Location, Routine, RoutineId, StepKind, Steps, TextPlace,
    ValueId, VariableId, VariableKind,
};
use crate::program::{Program, Storage};
use crate::solver::rounds;
use crate::source::Span;

use super::model::Effects;
use super::order;

/// More functions within each other than hand memory on.
const ROUNDS: usize = 8;

/// The functions that return nothing but what they have allocated, or null.
#[derive(Debug, Default)]
pub(super) struct Fresh(Vec<bool>);

impl Fresh {
    /// Looks at all functions.
    pub fn of(steps: &Steps, catalogue: &Catalogue) -> Fresh {
        let mut fresh = Fresh(vec![false; steps.routines.len()]);
        for _ in 0..ROUNDS {
            let mut news = false;
            for id in steps.routine_ids() {
                if !fresh.0[id.0 as usize] && fresh.returns_fresh(steps, catalogue, id) {
                    fresh.0[id.0 as usize] = true;
                    news = true;
                }
            }
            if !news {
                break;
            }
        }
        fresh
    }

    /// By function.
    pub fn returns(&self) -> Vec<bool> {
        self.0.clone()
    }

    fn returns_fresh(&self, steps: &Steps, catalogue: &Catalogue, id: RoutineId) -> bool {
        let routine = steps.routine(id);
        let mut calls = false;
        routine.walk(&mut |step| {
            calls |= matches!(&step.kind, StepKind::Call(call) if self.is_fresh(catalogue, call));
        });
        if !calls {
            return false;
        }
        let values = self.values(steps, catalogue, id);
        let (mut returns, mut right) = (0, true);
        routine.walk(&mut |step| match &step.kind {
            StepKind::Return {
                value: Some(value), ..
            } => {
                returns += 1;
                right &= values.contains(value) || routine.value(*value).constant == Some(0);
            }
            StepKind::Return { .. } => right = false,
            _ => {}
        });
        returns > 0 && right
    }

    /// Whether a call returns nothing but new memory, or null.
    fn is_fresh(&self, catalogue: &Catalogue, call: &Call) -> bool {
        match &call.callee {
            Called::Routine(id) => self.0[id.0 as usize],
            Called::Named(name) => catalogue.find(name).is_some_and(|known| {
                let is_fresh = |one| matches!(one, &Alternative::New(_) | &Alternative::Null);
                let is_new = |one| matches!(one, &Alternative::New(_));
                known.returns.iter().all(is_fresh) && known.returns.iter().any(is_new)
            }),
            Called::Pointer(_) => false,
        }
    }

    /// The values of a function that lead to such memory, or nowhere.
    pub fn values(&self, steps: &Steps, catalogue: &Catalogue, id: RoutineId) -> HashSet<ValueId> {
        let routine = steps.routine(id);
        let mut stored: BTreeMap<VariableId, Vec<Option<ValueId>>> = BTreeMap::new();
        let mut odd: BTreeSet<VariableId> = BTreeSet::new();
        routine.walk(&mut |step| match &step.kind {
            StepKind::Write { place, value, .. } => match local(place) {
                Some(variable) => stored.entry(variable).or_default().push(*value),
                None => odd.extend(root(place)),
            },
            StepKind::Copy { to: place, .. } | StepKind::Address { place, .. } => {
                odd.extend(root(place));
            }
            StepKind::Assembly { named, .. } => odd.extend(named.iter().filter_map(root)),
            _ => {}
        });
        let mut values = HashSet::new();
        rounds(|| {
            let before = values.len();
            routine.walk(&mut |step| {
                let found = match &step.kind {
                    StepKind::Call(call) if self.is_fresh(catalogue, call) => Some(call.result),
                    StepKind::Combine {
                        from,
                        into,
                        how:
                            Combination::Cast
                            | Combination::PointerStep
                            | Combination::PointerBack
                            | Combination::Choice,
                    } => {
                        let pointers = match &step.kind {
                            StepKind::Combine {
                                how: Combination::Choice,
                                ..
                            } => from.as_slice(),
                            _ => from.get(..1).unwrap_or_default(),
                        };
                        let mut all = pointers.iter().map(|one| is_held(routine, &values, *one));
                        let held = all.by_ref().all(|one| one);
                        (held && pointers.iter().any(|one| values.contains(one))).then_some(*into)
                    }
                    StepKind::Read { place, into } => local(place)
                        .filter(|one| is_own(steps, id, *one) && !odd.contains(one))
                        .and_then(|one| stored.get(&one))
                        .filter(|all| {
                            let mut all = all.iter().flatten();
                            all.all(|one| is_held(routine, &values, *one))
                        })
                        .map(|_| *into),
                    StepKind::Address { place, into } => match place.base {
                        Base::Pointer(value, _) if values.contains(&value) => Some(*into),
                        _ => None,
                    },
                    _ => None,
                };
                values.extend(found);
            });
            values.len() != before
        });
        values
    }
}

/// What is known of the program.
pub(super) struct View<'a> {
    pub program: &'a Program,
    pub steps: &'a Steps,
    pub points_to: &'a PointsTo,
    /// Who calls whom.
    pub graph: Vec<Vec<RoutineId>>,
    /// The function in which the first of the calls stands through which each object comes about.
    outermost: Vec<Option<RoutineId>>,
    /// Functions that each function calls, itself and through others.
    below: Vec<Rc<FixedBitSet>>,
}

impl<'a> View<'a> {
    pub fn of(
        program: &'a Program,
        steps: &'a Steps,
        points_to: &'a PointsTo,
        effects: &Effects,
    ) -> View<'a> {
        let mut functions: BTreeMap<(usize, usize), (Span, RoutineId)> = BTreeMap::new();
        for id in steps.routine_ids() {
            let place = steps.routine(id).function;
            let span = program.units[place.unit].function(place.function).span;
            functions.insert((place.unit, span.start), (span, id));
        }
        let holder = |place: &TextPlace| {
            let before = functions
                .range(..=(place.unit, place.span.start))
                .next_back();
            let (_, (span, id)) = before.filter(|((unit, _), _)| *unit == place.unit)?;
            span.has(place.span.start).then_some(*id)
        };
        let outermost = |kind: &ObjectKind| match kind {
            ObjectKind::Heap { call, through, .. } => holder(through.first().unwrap_or(call)),
            _ => None,
        };
        let objects = points_to.memory.objects.iter();
        let graph = order::calls(&effects.bodies);
        View {
            program,
            steps,
            points_to,
            below: order::below(&graph),
            graph,
            outermost: objects.map(|object| outermost(&object.kind)).collect(),
        }
    }
}

/// A call that may allocate memory.
pub(super) struct Making<'m, 'a> {
    view: &'m View<'a>,
    /// The function in which it stands.
    function: TextPlace,
    call: Span,
    /// What is called.
    routines: Vec<(RoutineId, Rc<FixedBitSet>)>,
}

impl<'m, 'a> Making<'m, 'a> {
    /// The function in which the call stands must not be active twice.
    pub fn by(
        view: &'m View<'a>,
        caller: RoutineId,
        call: Span,
        routines: &[RoutineId],
    ) -> Making<'m, 'a> {
        let place = view.steps.routine(caller).function;
        let unit = place.unit;
        let span = view.program.units[unit].function(place.function).span;
        let routines = routines
            .iter()
            .map(|one| (*one, Rc::clone(&view.below[one.0 as usize])));
        Making {
            view,
            function: TextPlace { unit, span },
            call,
            routines: routines.collect(),
        }
    }

    /// Whether the block with a cell may come about during the call: the calls that lead to its allocation are the last
    /// ones of those that are running then. Either this call is among them, or they begin further down.
    pub fn may_make(&self, cell: usize) -> bool {
        let memory = &self.view.points_to.memory;
        let object = memory.cells[cell].object;
        let ObjectKind::Heap { call, through, .. } = &memory.objects[object.0 as usize].kind else {
            return true;
        };
        let is_here = |place: &&TextPlace| {
            place.unit == self.function.unit && self.function.span.has(place.span.start)
        };
        let mut own = through.iter().chain([call]).filter(is_here).peekable();
        if own.peek().is_some() {
            return own.any(|place| place.span == self.call);
        }
        let mut routines = self.routines.iter();
        self.view.outermost[object.0 as usize].is_none_or(|outermost| {
            routines.any(|(one, below)| *one == outermost || below.contains(outermost.0 as usize))
        })
    }
}

/// Null or known.
fn is_held(routine: &Routine, values: &HashSet<ValueId>, value: ValueId) -> bool {
    values.contains(&value) || routine.value(value).constant == Some(0)
}

/// A local that nobody but this activation knows by name.
fn is_own(steps: &Steps, id: RoutineId, variable: VariableId) -> bool {
    let one = steps.variable(variable);
    one.owner == Some(id)
        && one.kind == VariableKind::Named
        && matches!(one.storage, Storage::Automatic | Storage::Register)
}

fn local(place: &Location) -> Option<VariableId> {
    match place.base {
        Base::Variable(variable) if place.path.is_empty() => Some(variable),
        _ => None,
    }
}

fn root(place: &Location) -> Option<VariableId> {
    match place.base {
        Base::Variable(variable) => Some(variable),
        _ => None,
    }
}
