//! Which part of the program's work is done in each loop, with everything that is called from there.
//!
//! Functions that call each other in a cycle are one: what is called from within it is not counted again, and a loop that
//! calls its own function again does all the work of the cycle.

use super::iterations::MANY;
use super::judge::{LoopAt, Subject};
use super::phases::Phases;
use super::profile::Profile;
use super::routine::{Amount, Local, LocalLoop, Site};
use crate::analysis::effects::groups;
use crate::dataflow::steps::{RoutineId, Steps};
use crate::program::Program;
use crate::solver::closure;
use std::collections::{BTreeMap, BTreeSet};

/// A group of functions.
#[derive(Default)]
struct Group {
    /// How often it is entered from outside.
    entered: f64,
    /// How often of these no loop is around.
    outside: f64,
    /// What happens in it and in all that it calls.
    whole: Amount,
    is_recursive: bool,
    /// One of its loops calls a function of the group: what the group calls is in this loop.
    is_in_loop: bool,
}

/// The work of all loops.
pub struct Shares {
    /// The functions.
    pub locals: Vec<Local>,
    group_of: Vec<usize>,
    groups: Vec<Group>,
    /// How often each node is executed.
    times: Vec<Vec<f64>>,
    /// What happens in each node, all executions together.
    own: Vec<Vec<Amount>>,
    /// The whole program.
    pub total: Amount,
    /// What runs before and after everything.
    pub phases: Phases,
}

impl Shares {
    /// Looks at a program, or at one pass of a loop. Some loops are taken to iterate `once`.
    pub fn of(subject: &Subject<'_>, once: &BTreeSet<LoopAt>, pass_of: Option<LoopAt>) -> Shares {
        let (program, steps) = (subject.program, subject.steps);
        let (points_to, catalogue) = (subject.points_to, subject.catalogue);
        let locals: Vec<Local> = (steps.routine_ids())
            .map(|id| {
                let unit = steps.routine(id).function.unit;
                let known = (&subject.fixed[unit], &subject.growth);
                let mut local = Local::of(program, steps, points_to, known, id, once);
                local.leave_out_options(catalogue);
                local
            })
            .collect();
        let calls: Vec<Vec<RoutineId>> = locals
            .iter()
            .map(|local| local.sites.iter().map(|site| site.callee).collect())
            .collect();
        let order = groups(&calls);
        let mut group_of = vec![0; locals.len()];
        let mut all: Vec<Group> = Vec::new();
        for (number, members) in order.iter().enumerate() {
            for member in members {
                group_of[member.0 as usize] = number;
            }
            let calls_itself = members
                .iter()
                .any(|one| calls[one.0 as usize].contains(one));
            let is_in_loop = members.iter().any(|one| {
                let local = &locals[one.0 as usize];
                let mut sites = local.sites.iter();
                sites.any(|site| members.contains(&site.callee) && !local.is_outside(site.node))
            });
            all.push(Group {
                is_recursive: members.len() > 1 || calls_itself,
                is_in_loop,
                ..Group::default()
            });
        }
        let mut shares = Shares {
            phases: Phases::of(steps, catalogue, &locals),
            times: locals
                .iter()
                .map(|one| vec![0.0; one.times.len()])
                .collect(),
            own: (locals.iter())
                .map(|one| vec![Amount::default(); one.times.len()])
                .collect(),
            locals,
            group_of,
            groups: all,
            total: Amount::default(),
        };
        let pass_of = pass_of.and_then(|(id, statement)| {
            let mut loops = shares.locals[id.0 as usize].loops.all.iter();
            let index = loops.position(|one| one.statement == statement && !one.by_goto)?;
            Some((id, index))
        });
        shares.frequencies(program, steps, &order, pass_of);
        shares.work(program, steps, subject.profile);
        shares.sum(&order);
        shares
    }

    /// How often everything is executed: callers first.
    fn frequencies(
        &mut self,
        program: &Program,
        steps: &Steps,
        order: &[Vec<RoutineId>],
        pass_of: Option<(RoutineId, usize)>,
    ) {
        let main = steps.routine_named(program, "main");
        let begins = |id: RoutineId| {
            // Without `main` any function may be called from outside.
            let shared = || {
                let at = steps.routine(id).function;
                !program.units[at.unit].function(at.function).is_static
            };
            match pass_of {
                Some((routine, _)) => routine == id,
                None => main.map_or_else(shared, |main| main == id),
            }
        };
        for id in steps.routine_ids().filter(|id| begins(*id)) {
            let group = &mut self.groups[self.group_of[id.0 as usize]];
            group.entered += 1.0;
            group.outside += 1.0;
        }
        for (number, members) in order.iter().enumerate().rev() {
            let group = &self.groups[number];
            let is_recursive = group.is_recursive;
            let depth = if is_recursive { MANY } else { 1.0 };
            let entered = group.entered;
            let outside = if group.is_in_loop { 0.0 } else { group.outside };
            for member in members {
                let local = &self.locals[member.0 as usize];
                let of_pass = pass_of.filter(|one| one.0 == *member && !is_recursive);
                let is_left_out = |node: usize| {
                    // What is over before a checkpoint can be taken, or comes when none can be, does not count.
                    !self.phases.is_between(*member, node)
                        || of_pass.is_some_and(|(_, index)| !local.is_in(node, index))
                };
                for (node, times) in local.times.iter().enumerate() {
                    if !is_left_out(node) {
                        self.times[member.0 as usize][node] = (entered * depth * times).min(1e150);
                    }
                }
                for site in &local.sites {
                    let to = self.group_of[site.callee.0 as usize];
                    if to == number || is_left_out(site.node) {
                        continue;
                    }
                    let times = local.times[site.node] * site.part * depth;
                    let target = &mut self.groups[to];
                    target.entered = (target.entered + entered * times).min(1e150);
                    if local.is_outside(site.node) {
                        target.outside = (target.outside + outside * times).min(1e150);
                    }
                }
            }
        }
    }

    /// What every node does: estimated, or measured.
    fn work(&mut self, program: &Program, steps: &Steps, profile: Option<&Profile>) {
        for (routine, local) in self.locals.iter().enumerate() {
            for (node, amount) in local.amounts.iter().enumerate() {
                let mut own = Amount::default();
                own.add(*amount, self.times[routine][node]);
                self.own[routine][node] = own;
            }
        }
        if let Some(profile) = profile {
            profile.measure(program, steps, &mut self.own);
        }
        for amount in self.own.iter().flatten() {
            self.total.add(*amount, 1.0);
        }
    }

    /// What happens in groups as a whole: callees first.
    fn sum(&mut self, order: &[Vec<RoutineId>]) {
        for (number, members) in order.iter().enumerate() {
            let mut whole = Amount::default();
            for member in members {
                let local = &self.locals[member.0 as usize];
                for own in &self.own[member.0 as usize] {
                    whole.add(*own, 1.0);
                }
                for site in &local.sites {
                    if self.group_of[site.callee.0 as usize] != number {
                        whole.add(self.called(*member, site), 1.0);
                    }
                }
            }
            self.groups[number].whole = whole;
        }
    }

    /// What happens in a call, all its executions together.
    pub(super) fn called(&self, caller: RoutineId, site: &Site) -> Amount {
        let group = &self.groups[self.group_of[site.callee.0 as usize]];
        let mut part = Amount::default();
        if group.entered > 0.0 {
            let times = self.times[caller.0 as usize][site.node] * site.part;
            part.add(group.whole, times / group.entered);
        }
        part
    }

    /// What happens in a loop, all its executions together.
    pub fn inside(&self, routine: RoutineId, index: usize) -> Amount {
        let local = &self.locals[routine.0 as usize];
        let group = self.group_of[routine.0 as usize];
        let mut sum = Amount::default();
        for (node, own) in self.own[routine.0 as usize].iter().enumerate() {
            if local.is_in(node, index) {
                sum.add(*own, 1.0);
            }
        }
        for site in &local.sites {
            if local.is_in(site.node, index) {
                if self.group_of[site.callee.0 as usize] == group {
                    return self.groups[group].whole;
                }
                sum.add(self.called(routine, site), 1.0);
            }
        }
        sum
    }

    /// Whether what a loop does, with all that it calls, rests on an unknown bound.
    pub fn is_guessed(&self, routine: RoutineId, index: usize) -> bool {
        let mut parts = closure([(routine, Some(index))], |(routine, within), open| {
            let local = &self.locals[routine.0 as usize];
            let is_called = |node: usize| within.is_none_or(|within| local.is_in(node, within));
            let called = local.sites.iter().filter(|site| is_called(site.node));
            open.extend(called.map(|site| (site.callee, None)));
        });
        parts.any(|(routine, within)| {
            let local = &self.locals[routine.0 as usize];
            let is_in =
                |at: usize| within.is_none_or(|within| local.path(at).any(|outer| outer == within));
            let guessed = |one: &LocalLoop| one.iterations.is_guessed && !one.is_transparent;
            (0..local.known.len()).any(|at| guessed(&local.known[at]) && is_in(at))
        })
    }

    /// Whether a loop does no more than a fixed amount of work with each thing that it reads: of the loops in it and in what it calls,
    /// those that may iterate many times read, too, or look up what was read. `reading`: the nodes that read input.
    pub fn only_reads(
        &self,
        (routine, index): (RoutineId, usize),
        reading: &BTreeMap<RoutineId, BTreeSet<usize>>,
    ) -> bool {
        let reads = |routine: RoutineId, at: usize| {
            let local = &self.locals[routine.0 as usize];
            let mut nodes = reading.get(&routine).into_iter().flatten();
            nodes.any(|node| local.is_in(*node, at))
        };
        // Of a file that names another one the rest is done once.
        let first = routine;
        let mut parts = closure([(routine, Some(index))], |(routine, within), open| {
            let local = &self.locals[routine.0 as usize];
            let is_called = |node: usize| within.is_none_or(|within| local.is_in(node, within));
            let called = local.sites.iter().filter(|site| is_called(site.node));
            let others = called.filter(|site| site.callee != first);
            open.extend(others.map(|site| (site.callee, None)));
        });
        reads(routine, index)
            && parts.all(|(routine, within)| {
                let local = &self.locals[routine.0 as usize];
                let is_in = |at: usize| {
                    within.is_none_or(|within| local.path(at).any(|outer| outer == within))
                };
                let is_short = |one: &LocalLoop| {
                    one.iterations.looks_up
                        || !one.iterations.is_guessed && one.iterations.count < MANY
                };
                let mut loops = (0..local.known.len()).filter(|at| is_in(*at));
                let is_recursive = self.groups[self.group_of[routine.0 as usize]].is_recursive;
                (!is_recursive || reading.contains_key(&routine))
                    && loops.all(|at| is_short(&local.known[at]) || reads(routine, at))
            })
    }

    /// How much of the work of a function is done where no loop is around it.
    pub fn part_outside(&self, routine: RoutineId) -> f64 {
        let group = &self.groups[self.group_of[routine.0 as usize]];
        if group.entered > 0.0 {
            group.outside / group.entered
        } else {
            0.0
        }
    }

    /// What happens in each node of a function itself.
    pub(super) fn own(&self, routine: RoutineId) -> &[Amount] {
        &self.own[routine.0 as usize]
    }

    /// The group that a function belongs to: callees have smaller numbers.
    pub(super) fn group_of(&self, routine: RoutineId) -> usize {
        self.group_of[routine.0 as usize]
    }

    /// Whether a function may be called again before it has returned.
    pub(super) fn is_recursive(&self, routine: RoutineId) -> bool {
        self.groups[self.group_of[routine.0 as usize]].is_recursive
    }

    /// Whether the program comes to a function at all.
    pub fn is_reached(&self, routine: RoutineId) -> bool {
        self.groups[self.group_of[routine.0 as usize]].entered > 0.0
    }
}
