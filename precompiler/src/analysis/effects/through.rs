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
//! A function that is called through a member of what a parameter leads to, `h->load(h)`, is called for those objects only
//! that may hold it there.
//!
//! The same for what a function touches in memory that it has just allocated ([`fresh`](super::fresh)): at a call, that
//! is what this call makes.
//!
//! Errors fall on the side of touching: parameters that change or whose address is taken, pointers that come from memory,
//! functions that call each other in a circle.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use crate::analysis::memory::{CellId, CellSet, ObjectId, ObjectKind};
use crate::analysis::points_to::PointsTo;
use crate::dataflow::steps::{
    Base, Call, Called, Combination, FunctionTarget, Routine, RoutineId, StepKind, ValueId,
    VariableId,
};
use crate::solver::rounds;
use crate::source::Span;

use super::fresh::{Making, View};
use super::model::{Action, ActionKind, Effects, SetId};
use super::order;

/// Stands for the position of a parameter where there is none: memory that the function has allocated itself.
pub(super) const OWN: usize = usize::MAX;

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
    /// What functions touch that are called through members of what parameters lead to.
    members: Vec<ByMember>,
}

/// What a function touches that is called through a member.
#[derive(Clone, Debug)]
struct ByMember {
    /// The position of the parameter.
    parameter: usize,
    /// The objects that may hold the function there, in ascending order.
    holders: Vec<ObjectId>,
    cells: Rc<CellSet>,
}

impl ByMember {
    fn is_called(&self, leads: &[ObjectId]) -> bool {
        let mut holders = self.holders.iter();
        holders.any(|one| leads.binary_search(one).is_ok())
    }
}

/// The values of a function that lead into the object that a parameter led to at the call, or into memory of its own.
pub(super) fn values(
    routine: &Routine,
    fresh: HashSet<ValueId>,
    is_steady: &dyn Fn(VariableId) -> bool,
) -> Own {
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
            StepKind::Assembly { named, .. } => named.iter().collect(),
            _ => Vec::new(),
        };
        for place in place {
            if let Base::Variable(variable) = place.base {
                stored.insert(variable);
            }
        }
    });
    let mut own = Own {
        values: fresh.into_iter().map(|value| (value, OWN)).collect(),
        ..Own::default()
    };
    if parameters.keys().all(|one| stored.contains(one)) {
        return own;
    }
    rounds(|| {
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
                    how: Combination::Cast | Combination::PointerStep | Combination::PointerBack,
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
            if let Some((value, number)) = found
                && !own.values.contains_key(&value)
            {
                own.values.insert(value, number);
                news = true;
            }
        });
        news
    });
    own
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
pub(super) fn spare(effects: &mut Effects, own: &[Own], view: &View) {
    let (steps, graph) = (view.steps, &view.graph);
    let mut known: Vec<Option<Touched>> = vec![None; effects.bodies.len()];
    let mut recursive = vec![true; effects.bodies.len()];
    for group in order::groups(graph) {
        let [routine] = group[..] else { continue };
        if graph[routine.0 as usize].binary_search(&routine).is_err() {
            recursive[routine.0 as usize] = false;
            let touched = touched(effects, own, &known, view, routine);
            known[routine.0 as usize] = touched;
        }
    }
    let mut numbers = Numbers::default();
    for id in steps.routine_ids() {
        let calls = calls_of(steps.routine(id));
        let mut nodes = std::mem::take(&mut effects.bodies[id.0 as usize].nodes);
        for actions in &mut nodes {
            let mut filling = Filling {
                effects: &mut *effects,
                known: &known,
                view,
                caller: id,
                is_recursive: recursive[id.0 as usize],
                calls: &calls,
                numbers: &mut numbers,
            };
            filling.fill(actions);
        }
        effects.bodies[id.0 as usize].nodes = nodes;
    }
}

fn touched(
    effects: &Effects,
    own: &[Own],
    known: &[Option<Touched>],
    view: &View,
    routine: RoutineId,
) -> Option<Touched> {
    let (steps, points_to) = (view.steps, view.points_to);
    let count = points_to.memory.cells.len();
    let mine = &own[routine.0 as usize];
    let mut all = Touched {
        through: BTreeMap::new(),
        otherwise: CellSet::with_capacity(count),
        members: Vec::new(),
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
                if let Some(call) = call
                    && let Some((parameter, holders)) =
                        by_member(view, routine, call, *callee, mine)
                {
                    all.members.push(ByMember {
                        parameter,
                        holders,
                        cells: Rc::new(theirs.all()),
                    });
                    continue;
                }
                all.otherwise.union_with(&theirs.otherwise);
                for member in &theirs.members {
                    let argument = call.and_then(|call| call.arguments.get(member.parameter));
                    let leads = argument.map(|one| objects(points_to, routine, one.value));
                    if leads.is_some_and(|leads| !member.is_called(&leads)) {
                        continue;
                    }
                    let mine = argument.and_then(|one| mine.values.get(&one.value));
                    match mine.filter(|mine| **mine != OWN) {
                        Some(mine) => all.members.push(ByMember {
                            parameter: *mine,
                            ..member.clone()
                        }),
                        None => all.otherwise.union_with(&member.cells),
                    }
                }
                for (number, cells) in &theirs.through {
                    let argument = call.and_then(|call| call.arguments.get(*number));
                    let cells = cells.iter().copied();
                    if let (OWN, Some(_)) = (*number, call) {
                        let made = Making::by(view, routine, action.span, routines);
                        let to = all.through.entry(OWN).or_default();
                        to.extend(cells.filter(|cell| made.may_make(*cell)));
                        continue;
                    }
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
        ActionKind::Begin { object, .. } => {
            let cells = range(points_to, *object);
            match points_to.memory.objects[object.0 as usize].kind {
                ObjectKind::Heap { .. } => all.through.entry(OWN).or_default().extend(cells),
                _ => all.otherwise.extend(cells),
            }
        }
        ActionKind::Free { cells: set, .. } => all.otherwise.extend(cells(set)),
        _ => {}
    });
    for cells in all.through.values_mut() {
        cells.sort_unstable();
        cells.dedup();
    }
    is_known.then_some(all)
}

impl Touched {
    /// All that is touched.
    fn all(&self) -> CellSet {
        let mut all = self.otherwise.clone();
        all.extend(self.through.values().flatten().copied());
        self.members
            .iter()
            .for_each(|one| all.union_with(&one.cells));
        all
    }
}

/// The parameter through a member of which a call calls a function, and the objects that may hold it there.
fn by_member(
    view: &View,
    routine: RoutineId,
    call: &Call,
    callee: RoutineId,
    own: &Own,
) -> Option<(usize, Vec<ObjectId>)> {
    let Called::Pointer(function) = call.callee else {
        return None;
    };
    let mut read = None;
    view.steps.routine(routine).walk(&mut |step| {
        if let StepKind::Read { place, into } = &step.kind
            && *into == function
        {
            read = Some(place);
        }
    });
    let place = read?;
    let Base::Pointer(pointer, _) = place.base else {
        return None;
    };
    let parameter = own.values.get(&pointer).filter(|number| **number != OWN)?;
    let touched = view.points_to.touched(routine, place);
    if touched.unknown {
        return None;
    }
    let memory = &view.points_to.memory;
    let object = |cell: CellId| memory.cells[cell.0 as usize].object;
    let target = ObjectKind::Function(FunctionTarget::Routine(callee));
    let holds = |cell: &CellId| {
        let mut targets = view.points_to.pointees(*cell);
        targets.any(|one| memory.objects[object(one).0 as usize].kind == target)
    };
    let holders = touched.cells.iter().copied().filter(holds).map(object);
    let holders: BTreeSet<ObjectId> = holders.collect();
    (!holders.is_empty()).then(|| (*parameter, holders.into_iter().collect()))
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

/// The calls of a function while it is said what they spare.
struct Filling<'f, 'a> {
    effects: &'f mut Effects,
    known: &'f [Option<Touched>],
    view: &'f View<'a>,
    caller: RoutineId,
    is_recursive: bool,
    calls: &'f Calls<'a>,
    numbers: &'f mut Numbers,
}

impl Filling<'_, '_> {
    fn fill(&mut self, actions: &mut [Action]) {
        for action in actions {
            let span = action.span;
            match &mut action.kind {
                ActionKind::Call {
                    routines, spared, ..
                } => {
                    let call = self.calls.get(&span).copied().flatten();
                    let call = call
                        .filter(|call| is_direct(self.view.points_to, self.caller, call, routines));
                    let Some(call) = call else { continue };
                    let cells = self.spared_by(routines, call, span);
                    *spared = match self.numbers.get(&cells) {
                        Some(known) => *known,
                        None => {
                            let new = self.effects.add_set(cells.clone());
                            self.numbers.insert(cells, new);
                            new
                        }
                    };
                }
                ActionKind::Choose(lists) => lists.iter_mut().for_each(|list| self.fill(list)),
                ActionKind::Repeat(list) => self.fill(list),
                _ => {}
            }
        }
    }

    /// What functions touch through parameters, but not those that this call hands over, and in memory of their own, but
    /// not what this call makes.
    fn spared_by(&self, routines: &[RoutineId], call: &Call, span: Span) -> Vec<CellId> {
        let (known, points_to, caller) = (self.known, self.view.points_to, self.caller);
        let made = (!self.is_recursive).then(|| Making::by(self.view, caller, span, routines));
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
                if *number == OWN {
                    let made = made.as_ref().map(|made| {
                        let cells = cells.iter().filter(|cell| made.may_make(**cell));
                        let objects: BTreeSet<ObjectId> = cells.map(|cell| object(*cell)).collect();
                        objects.into_iter().collect()
                    });
                    return (cells, made);
                }
                let argument = call.arguments.get(*number);
                let leads = argument.map(|argument| objects(points_to, caller, argument.value));
                (cells, leads)
            })
            .collect();
        let members: Vec<(&ByMember, bool)> = called
            .iter()
            .flat_map(|theirs| &theirs.members)
            .map(|member| {
                let argument = call.arguments.get(member.parameter);
                let leads = argument.map(|one| objects(points_to, caller, one.value));
                (member, leads.is_none_or(|leads| member.is_called(&leads)))
            })
            .collect();
        let mut spared: Vec<usize> = Vec::new();
        for (member, _) in members.iter().filter(|(_, is_called)| !is_called) {
            spared.extend(member.cells.ones());
        }
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
            let mut by_member = members.iter();
            called.iter().any(|theirs| theirs.otherwise.contains(cell))
                || by_member.any(|(one, is_called)| *is_called && one.cells.contains(cell))
                || through.any(|(cells, to)| leads(to) && cells.binary_search(&cell).is_ok())
        };
        spared.retain(|cell| !hit(*cell));
        let spared = spared.into_iter();
        spared.map(|cell| CellId(cell as u32)).collect()
    }
}
