//! Loops that stand aside of the work: they give memory back, or the run fails behind them.
//!
//! In: the steps of a loop, and where control goes behind it. Out: why no checkpoint is needed in it, where others are worth one.
//!
//! ```text
//! while (p) { next = p->next; free(p); p = next; }                    gives memory back, and does nothing else
//! for (i = 0; i < n; i++) print(line[i]);  exit(1);                   all ways from here end in a failure
//! ```
//!
//! How often they iterate is unknown as a rule, so that the estimate makes much of them. When unsure a loop is as good as others.

use std::collections::BTreeSet;

use super::judge::Subject;
use super::phases::{last_nodes, nodes_leading};
use super::routine::Local;
use crate::catalog::{Catalogue, EffectKind, Role};
use crate::dataflow::Flow;
use crate::dataflow::steps::{
    Base, Call, Called, Location, Routine, RoutineId, Step, StepKind, Steps,
};
use crate::program::{Program, TypeKind};
use crate::solver::rounds;

/// What ends a run with this exit status.
const EXITS: [&str; 4] = ["exit", "_exit", "_Exit", "quick_exit"];
/// What ends a run that has failed.
const FAILS: [&str; 6] = ["abort", "__assert_fail", "err", "errx", "verr", "verrx"];

/// What is known of all functions.
pub struct Aside<'a> {
    /// By function and node, whether what is called there does not come back.
    last: Vec<Vec<bool>>,
    /// The same, where the run has failed then.
    failing: Vec<BTreeSet<usize>>,
    /// Nodes where the run may end without a failure.
    ending: Vec<BTreeSet<usize>>,
    /// Nodes where memory is given back.
    freeing: Vec<BTreeSet<usize>>,
    /// Nodes that do nothing else.
    clearing: &'a [Vec<bool>],
    /// Some programs end with `exit(1)` whatever has become of them.
    main: Option<RoutineId>,
}

impl<'a> Aside<'a> {
    /// Looks at all functions.
    pub fn of(subject: &'a Subject<'_>, locals: &[Local]) -> Aside<'a> {
        let (steps, catalogue) = (subject.steps, subject.catalogue);
        let last = last_nodes(steps, catalogue, locals);
        let frees = |name: &str| gives_back(catalogue, name);
        let listed = |is: &dyn Fn(&str) -> bool| {
            let mut leading = nodes_leading(locals, is);
            let all = steps.routine_ids();
            all.map(|id| leading.remove(&id).unwrap_or_default())
                .collect()
        };
        Aside {
            failing: failing(steps, locals, &last),
            ending: ending(steps, catalogue, locals),
            freeing: listed(&frees),
            clearing: &subject.clearing,
            main: steps.routine_named(subject.program, "main"),
            last,
        }
    }

    /// Why a loop stands aside.
    pub fn why(
        &self,
        steps: &Steps,
        local: &Local,
        (id, index): (RoutineId, usize),
    ) -> Option<&'static str> {
        let number = id.0 as usize;
        let inside: Vec<usize> = (0..local.around.len())
            .filter(|&node| local.is_in(node, index))
            .collect();
        if inside.is_empty() {
            return None;
        }
        let frees = inside
            .iter()
            .any(|node| self.freeing[number].contains(node));
        if frees && inside.iter().all(|&node| self.clearing[number][node]) {
            return Some("it gives memory back, and does nothing else");
        }
        if self.main == Some(id) {
            return None;
        }
        let (last, failing) = (&self.last[number], &self.failing[number]);
        let flow = &steps.routine(id).flow;
        let reached = flow.along(inside.iter().copied(), |from, _| !last[from]);
        let mut behind = (0..reached.len()).filter(|&node| reached[node]);
        let leaves = behind.clone().any(|node| !local.is_in(node, index));
        let fails = behind.all(|node| {
            node != Flow::EXIT.0
                && (!last[node] || failing.contains(&node))
                && !self.ending[number].contains(&node)
        });
        (leaves && fails).then_some("the run has failed behind it")
    }
}

fn gives_back(catalogue: &Catalogue, name: &str) -> bool {
    catalogue.find(name).is_some_and(|one| {
        let mut effects = one.effects.iter();
        effects.any(|effect| effect.kind == EffectKind::Frees) || one.is(Role::Closes)
    })
}

/// Calls of the library that end a run: whether each says that it has failed.
fn end_of_run(routine: &Routine, call: &Call) -> Option<bool> {
    let Called::Named(name) = &call.callee else {
        return None;
    };
    if FAILS.contains(&name.as_str()) {
        return Some(true);
    }
    EXITS.contains(&name.as_str()).then(|| {
        let status = call.arguments.first();
        let status = status.and_then(|one| routine.values[one.value.0 as usize].constant);
        status.is_some_and(|status| status & 0xff != 0)
    })
}

/// The calls of the library in each node that end a run.
fn ends(routine: &Routine) -> Vec<(usize, bool)> {
    let mut found = Vec::new();
    for (node, steps) in routine.nodes.iter().enumerate() {
        for step in steps {
            step.walk(&mut |step| {
                if let StepKind::Call(call) = &step.kind {
                    found.extend(end_of_run(routine, call).map(|fails| (node, fails)));
                }
            });
        }
    }
    found
}

/// The nodes from which no call comes back because the run has failed there.
fn failing(steps: &Steps, locals: &[Local], last: &[Vec<bool>]) -> Vec<BTreeSet<usize>> {
    let mut failing: Vec<BTreeSet<usize>> = { steps.routine_ids() }
        .map(|id| {
            let ends = ends(steps.routine(id));
            let fails = ends.iter().filter(|(_, fails)| *fails);
            fails.map(|(node, _)| *node).collect()
        })
        .collect();
    rounds(|| {
        let fails: Vec<bool> = { steps.routine_ids() }
            .map(|id| {
                let number = id.0 as usize;
                let flow = &steps.routine(id).flow;
                let reached = flow.along([Flow::ENTRY.0], |from, _| !last[number][from]);
                let mut ends = (0..reached.len()).filter(|&at| reached[at] && last[number][at]);
                !reached[Flow::EXIT.0] && ends.all(|at| failing[number].contains(&at))
            })
            .collect();
        let mut is_changed = false;
        for (number, local) in locals.iter().enumerate() {
            for site in local.sites.iter().filter(|one| last[number][one.node]) {
                let mut others = local.sites.iter().filter(|one| one.node == site.node);
                if others.all(|one| fails[one.callee.0 as usize]) {
                    is_changed |= failing[number].insert(site.node);
                }
            }
        }
        is_changed
    });
    failing
}

/// The nodes where a run may end that has not failed, there or in what is called; what is unknown may do so.
fn ending(steps: &Steps, catalogue: &Catalogue, locals: &[Local]) -> Vec<BTreeSet<usize>> {
    let mut ending: Vec<BTreeSet<usize>> = { steps.routine_ids() }
        .map(|id| {
            let routine = steps.routine(id);
            let local = &locals[id.0 as usize];
            let ends = ends(routine);
            let well = ends.iter().filter(|(_, fails)| !*fails);
            let well = well.map(|(node, _)| *node);
            let unknown = { local.library.iter() }.filter(|(_, name)| {
                let known = catalogue.find(name);
                let is_end = EXITS.contains(&name.as_str()) || FAILS.contains(&name.as_str());
                known.is_none_or(|one| one.never_returns && !is_end)
            });
            well.chain(unknown.map(|(node, _)| *node)).collect()
        })
        .collect();
    rounds(|| {
        let leads: Vec<bool> = ending.iter().map(|nodes| !nodes.is_empty()).collect();
        let mut is_changed = false;
        for (local, nodes) in locals.iter().zip(&mut ending) {
            for site in &local.sites {
                is_changed |= leads[site.callee.0 as usize] && nodes.insert(site.node);
            }
        }
        is_changed
    });
    ending
}

/// By function and node, whether nothing happens there but that memory is given back: pointers and counters of the function move, and
/// members are set to constants.
pub fn clearing(program: &Program, steps: &Steps, catalogue: &Catalogue) -> Vec<Vec<bool>> {
    let known = (program, steps, catalogue);
    let mut clearing: Vec<Vec<bool>> = { steps.routine_ids() }
        .map(|id| vec![true; steps.routine(id).nodes.len()])
        .collect();
    rounds(|| {
        let whole: Vec<bool> = { clearing.iter() }
            .map(|nodes| nodes.iter().all(|one| *one))
            .collect();
        let mut is_changed = false;
        for id in steps.routine_ids() {
            let routine = steps.routine(id);
            let nodes = &mut clearing[id.0 as usize];
            for (node, all) in routine.nodes.iter().enumerate() {
                if !nodes[node] {
                    continue;
                }
                for step in all {
                    let is_it = &mut nodes[node];
                    step.walk(&mut |step| *is_it = *is_it && clears(known, id, step, &whole));
                }
                is_changed |= !nodes[node];
            }
        }
        is_changed
    });
    clearing
}

fn clears(
    (program, steps, catalogue): (&Program, &Steps, &Catalogue),
    id: RoutineId,
    step: &Step,
    whole: &[bool],
) -> bool {
    match &step.kind {
        StepKind::Write { place, value, .. } => moves((program, steps), id, place, value.is_none()),
        StepKind::Call(call) => match &call.callee {
            Called::Routine(callee) => whole[callee.0 as usize],
            Called::Named(name) => gives_back(catalogue, name),
            Called::Pointer(_) => false,
        },
        StepKind::Read { .. }
        | StepKind::Address { .. }
        | StepKind::Combine { .. }
        | StepKind::Begin(_)
        | StepKind::Choose(_)
        | StepKind::Repeat(_)
        | StepKind::Return { .. } => true,
        _ => false,
    }
}

/// Whether what is stored is no result of anything.
fn moves(
    (program, steps): (&Program, &Steps),
    id: RoutineId,
    place: &Location,
    is_constant: bool,
) -> bool {
    let kind = program.units[place.ty.unit].kind(place.ty.id);
    match (kind, &place.base) {
        (TypeKind::Pointer(_), _) => true,
        (TypeKind::Integer(_), Base::Variable(variable)) => {
            is_constant || steps.variable(*variable).owner == Some(id)
        }
        _ => is_constant,
    }
}
