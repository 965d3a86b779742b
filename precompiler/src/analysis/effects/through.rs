//! What functions do through their pointer parameters, told apart by call.
//!
//! A function that is called with several arrays may touch all of them, but each call only those that it is handed. For
//! every function: the cells it touches through the pointers in its parameters, and those it touches otherwise. At a
//! call, the first are narrowed to the objects that the arguments lead to; what remains of them is *spared* by the call.
//!
//! ```text
//! double sum(double *v, int n) { … s += v[i]; … }      reads a[], b[] through v
//! sum(a, 10);                                          spares b[]
//! ```
//!
//! Errors fall on the side of touching: parameters that change or whose address is taken, pointers that come from memory,
//! functions that call each other in a circle.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::analysis::memory::{CellId, CellSet, ObjectId};
use crate::analysis::points_to::PointsTo;
use crate::dataflow::steps::{
    Base, Call, Combination, Routine, RoutineId, StepKind, Steps, ValueId, VariableId,
};
use crate::source::Span;

use super::model::{Action, ActionKind, Effects, SetId};
use super::order;

/// What a function itself touches.
#[derive(Clone, Debug, Default)]
pub(super) struct Own {
    /// The values that lead where a parameter led when the function was called.
    pub values: HashMap<ValueId, usize>,
    /// Cells that are touched through such a value, by the position of the parameter.
    pub through: HashMap<usize, Vec<SetId>>,
    /// Cells that are touched otherwise.
    pub otherwise: Vec<SetId>,
}

/// The same with all that it calls.
#[derive(Clone, Debug)]
struct Touched {
    /// In ascending order, each once.
    through: BTreeMap<usize, Vec<usize>>,
    otherwise: CellSet,
}

/// The values of a function that lead into the object that a parameter led to at the call.
pub(super) fn values(routine: &Routine, is_steady: &dyn Fn(VariableId) -> bool) -> Own {
    let parameters: HashMap<VariableId, usize> = routine
        .parameters
        .iter()
        .enumerate()
        .filter(|(_, variable)| is_steady(**variable))
        .map(|(number, variable)| (*variable, number))
        .collect();
    let mut stored: BTreeSet<VariableId> = BTreeSet::new();
    routine.walk(&mut |step| {
        let place = match &step.kind {
            StepKind::Write { place, .. } | StepKind::Copy { to: place, .. } => vec![place],
            StepKind::Address { place, .. } => vec![place],
            StepKind::Assembly { named } => named.iter().collect(),
            _ => Vec::new(),
        };
        for place in place {
            if let Base::Variable(variable) = place.base {
                stored.insert(variable);
            }
        }
    });
    let mut own = Own::default();
    if parameters.keys().all(|one| stored.contains(one)) {
        return own;
    }
    loop {
        let mut news = false;
        routine.walk(&mut |step| {
            let found = match &step.kind {
                StepKind::Read { place, into } => match place.base {
                    Base::Variable(variable) if place.path.is_empty() => parameters
                        .get(&variable)
                        .filter(|_| !stored.contains(&variable))
                        .map(|number| (*into, *number)),
                    _ => None,
                },
                StepKind::Combine {
                    from,
                    into,
                    how: Combination::Cast | Combination::PointerStep,
                } => {
                    let first = from.first().and_then(|value| own.values.get(value));
                    first.map(|number| (*into, *number))
                }
                StepKind::Address { place, into } => match place.base {
                    Base::Pointer(value, _) => {
                        own.values.get(&value).map(|number| (*into, *number))
                    }
                    _ => None,
                },
                _ => None,
            };
            if let Some((value, number)) = found {
                news |= own.values.insert(value, number).is_none();
            }
        });
        if !news {
            return own;
        }
    }
}

/// The calls of a function at spans at which there is exactly one.
type Calls<'a> = HashMap<Span, Option<&'a Call>>;

fn calls_of(routine: &Routine) -> Calls<'_> {
    let mut calls: Calls = HashMap::new();
    routine.walk(&mut |step| {
        if let StepKind::Call(call) = &step.kind {
            calls
                .entry(step.span)
                .and_modify(|known| *known = None)
                .or_insert(Some(call));
        }
    });
    calls
}

/// Finds out what every call spares.
pub(super) fn spare(effects: &mut Effects, own: &[Own], steps: &Steps, points_to: &PointsTo) {
    let graph = order::calls(&effects.bodies);
    let mut known: Vec<Option<Touched>> = vec![None; effects.bodies.len()];
    for group in order::groups(&graph) {
        let [routine] = group[..] else { continue };
        if graph[routine.0 as usize].binary_search(&routine).is_err() {
            let touched = touched(effects, own, &known, steps, points_to, routine);
            known[routine.0 as usize] = touched;
        }
    }
    let mut numbers = Numbers::default();
    for id in steps.routine_ids() {
        let calls = calls_of(steps.routine(id));
        let mut nodes = std::mem::take(&mut effects.bodies[id.0 as usize].nodes);
        for actions in &mut nodes {
            fill(
                effects,
                &known,
                points_to,
                id,
                &calls,
                actions,
                &mut numbers,
            );
        }
        effects.bodies[id.0 as usize].nodes = nodes;
    }
}

fn touched(
    effects: &Effects,
    own: &[Own],
    known: &[Option<Touched>],
    steps: &Steps,
    points_to: &PointsTo,
    routine: RoutineId,
) -> Option<Touched> {
    let count = points_to.memory.cells.len();
    let mine = &own[routine.0 as usize];
    let mut all = Touched {
        through: BTreeMap::new(),
        otherwise: CellSet::with_capacity(count),
    };
    let cells = |set: &SetId| effects.cells(*set).iter().map(|cell| cell.0 as usize);
    for (number, sets) in &mine.through {
        let to = all.through.entry(*number).or_default();
        to.extend(sets.iter().flat_map(cells));
    }
    all.otherwise.extend(mine.otherwise.iter().flat_map(cells));
    let calls = calls_of(steps.routine(routine));
    let mut is_known = true;
    effects.bodies[routine.0 as usize].walk(&mut |action| match &action.kind {
        ActionKind::Call { routines, .. } => {
            let call = calls.get(&action.span).copied().flatten();
            let call = call.filter(|call| is_direct(points_to, routine, call, routines));
            for callee in routines {
                let Some(theirs) = &known[callee.0 as usize] else {
                    is_known = false;
                    continue;
                };
                all.otherwise.union_with(&theirs.otherwise);
                for (number, cells) in &theirs.through {
                    let argument = call.and_then(|call| call.arguments.get(*number));
                    let cells = cells.iter().copied();
                    let Some(argument) = argument else {
                        all.otherwise.extend(cells);
                        continue;
                    };
                    let objects = objects(points_to, routine, argument.value);
                    let object = |cell: &usize| points_to.memory.cells[*cell].object;
                    let cells = cells.filter(|cell| objects.binary_search(&object(cell)).is_ok());
                    match mine.values.get(&argument.value) {
                        Some(mine) => all.through.entry(*mine).or_default().extend(cells),
                        None => all.otherwise.extend(cells),
                    }
                }
            }
        }
        ActionKind::Begin { object, .. } => all.otherwise.extend(range(points_to, *object)),
        ActionKind::Free { cells: set, .. } => all.otherwise.extend(cells(set)),
        _ => {}
    });
    for cells in all.through.values_mut() {
        cells.sort_unstable();
        cells.dedup();
    }
    is_known.then_some(all)
}

/// Whether it is the call itself that calls these functions, and not the library function that it calls.
fn is_direct(points_to: &PointsTo, caller: RoutineId, call: &Call, routines: &[RoutineId]) -> bool {
    points_to.callees(caller, call).routines == routines
}

/// The objects that a value may lead to, in ascending order.
fn objects(points_to: &PointsTo, routine: RoutineId, value: ValueId) -> Vec<ObjectId> {
    let cells = &points_to.memory.cells;
    let targets = points_to.targets(routine, value);
    let mut objects: Vec<ObjectId> = targets
        .map(|target| cells[target.0 as usize].object)
        .collect();
    objects.sort_unstable();
    objects.dedup();
    objects
}

fn range(points_to: &PointsTo, object: ObjectId) -> std::ops::Range<usize> {
    let object = &points_to.memory.objects[object.0 as usize];
    object.first.0 as usize..(object.first.0 + object.count) as usize
}

/// Sets that have a number already: many calls spare the same.
type Numbers = HashMap<Vec<CellId>, SetId>;

fn fill(
    effects: &mut Effects,
    known: &[Option<Touched>],
    points_to: &PointsTo,
    id: RoutineId,
    calls: &Calls,
    actions: &mut [Action],
    numbers: &mut Numbers,
) {
    for action in actions {
        match &mut action.kind {
            ActionKind::Call {
                routines, spared, ..
            } => {
                let call = calls.get(&action.span).copied().flatten();
                let call = call.filter(|call| is_direct(points_to, id, call, routines));
                let Some(call) = call else { continue };
                let cells = spared_by(known, points_to, id, routines, call);
                *spared = match numbers.get(&cells) {
                    Some(known) => *known,
                    None => {
                        let new = effects.add_set(cells.clone());
                        numbers.insert(cells, new);
                        new
                    }
                };
            }
            ActionKind::Choose(lists) => {
                for list in lists {
                    fill(effects, known, points_to, id, calls, list, numbers);
                }
            }
            ActionKind::Repeat(list) => {
                fill(effects, known, points_to, id, calls, list, numbers);
            }
            _ => {}
        }
    }
}

/// What functions touch through parameters, but not those that this call hands over.
fn spared_by(
    known: &[Option<Touched>],
    points_to: &PointsTo,
    caller: RoutineId,
    routines: &[RoutineId],
    call: &Call,
) -> Vec<CellId> {
    let mut called = Vec::new();
    for callee in routines {
        match &known[callee.0 as usize] {
            Some(theirs) => called.push(theirs),
            None => return Vec::new(),
        }
    }
    let object = |cell: usize| points_to.memory.cells[cell].object;
    // What is touched through a parameter, and where it leads at this call.
    let parameters: Vec<(&Vec<usize>, Option<Vec<ObjectId>>)> = called
        .iter()
        .flat_map(|theirs| &theirs.through)
        .map(|(number, cells)| {
            let argument = call.arguments.get(*number);
            let leads = argument.map(|argument| objects(points_to, caller, argument.value));
            (cells, leads)
        })
        .collect();
    let mut spared: Vec<usize> = Vec::new();
    for (cells, leads) in &parameters {
        let Some(leads) = leads else { continue };
        let elsewhere = |cell: &usize| leads.binary_search(&object(*cell)).is_err();
        spared.extend(cells.iter().copied().filter(elsewhere));
    }
    spared.sort_unstable();
    spared.dedup();
    // What one parameter does not lead to, another one may.
    let hit = |cell: usize| {
        let leads = |leads: &Option<Vec<ObjectId>>| {
            leads
                .as_ref()
                .is_none_or(|leads| leads.binary_search(&object(cell)).is_ok())
        };
        let mut through = parameters.iter();
        called.iter().any(|theirs| theirs.otherwise.contains(cell))
            || through.any(|(cells, to)| leads(to) && cells.binary_search(&cell).is_ok())
    };
    spared.retain(|cell| !hit(*cell));
    let spared = spared.into_iter();
    spared.map(|cell| CellId(cell as u32)).collect()
}
