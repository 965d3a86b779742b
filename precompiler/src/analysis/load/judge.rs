//! What a loop does, and what kind of loop it is.

use super::alternatives::Alternatives;
use super::aside::{Aside, clearing};
use super::growth::Growth;
use super::iterations::Fixed;
use super::model::LoopLoad;
use super::phases::nodes_leading;
use super::profile::Profile;
use super::shares::Shares;
use super::sweeps::Sweeps;
use crate::analysis::points_to::PointsTo;
use crate::catalog::{Catalogue, Role};
use crate::dataflow::steps::{RoutineId, Steps};
use crate::program::{Program, StatementId};
use std::collections::BTreeSet;

/// A loop: its function and its statement.
pub type LoopAt = (RoutineId, StatementId);

/// What is looked at, and what is known of it whichever loops iterate once.
pub struct Subject<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its steps.
    pub steps: &'a Steps,
    /// What its pointers point to.
    pub points_to: &'a PointsTo,
    /// The library's functions.
    pub catalogue: &'a Catalogue,
    /// What has been measured, if it is about this program.
    pub profile: Option<&'a Profile>,
    /// Variables that keep their values, by unit.
    pub fixed: Vec<Fixed<'a>>,
    /// Functions that give tables more room.
    pub growth: Growth<'a>,
    /// Nodes that do nothing but give memory back, by function.
    pub clearing: Vec<Vec<bool>>,
}

impl<'a> Subject<'a> {
    /// Looks at a program.
    pub fn of(
        program: &'a Program,
        steps: &'a Steps,
        points_to: &'a PointsTo,
        catalogue: &'a Catalogue,
        profile: Option<&'a Profile>,
    ) -> Subject<'a> {
        Subject {
            program,
            steps,
            points_to,
            catalogue,
            profile,
            fixed: program.units.iter().map(Fixed::of).collect(),
            growth: Growth::of(program, catalogue),
            clearing: clearing(program, steps, catalogue),
        }
    }

    /// All its loops, of which some are taken to iterate `once`; of the whole program, or of what one pass of a loop does.
    pub fn loops(&self, once: &BTreeSet<LoopAt>, pass_of: Option<LoopAt>) -> Vec<LoopLoad> {
        let shares = Shares::of(self, once, pass_of);
        let mut all = Vec::new();
        for id in self.steps.routine_ids() {
            for index in 0..shares.locals[id.0 as usize].loops.all.len() {
                all.push(judge(&shares, id, index));
            }
        }
        let aside = Aside::of(self, &shares.locals);
        let reads = |name: &str| {
            let found = self.catalogue.find(name);
            found.is_some_and(|one| one.is(Role::ReadsInput))
        };
        let reading = nodes_leading(&shares.locals, &reads);
        for one in &mut all {
            let local = &shares.locals[one.routine.0 as usize];
            let index = { local.loops.all.iter() }
                .position(|known| known.statement == one.statement && !known.by_goto);
            let mut nodes = reading.get(&one.routine).into_iter().flatten();
            one.reads_jobs = one.iterations.is_none()
                && index.is_some_and(|index| nodes.any(|node| local.is_in(*node, index)));
            one.only_reads =
                index.is_some_and(|index| shares.only_reads((one.routine, index), &reading));
            let why = |index| aside.why(self.steps, local, (one.routine, index));
            one.aside = index.and_then(why);
        }
        let alternatives = Alternatives::of(&shares, self.steps);
        let mut sweeps = Sweeps::of(self.program, self.steps, self.catalogue, &shares.locals);
        for one in &mut all {
            let is_candidate = one.excluded.is_none() || one.cure.is_some();
            let is_candidate = is_candidate && one.is_outermost && !one.by_goto;
            one.repeats = is_candidate && sweeps.repeats(one.routine, one.statement);
            one.walks = one.repeats && sweeps.walks(one.routine, one.statement);
            let local = &shares.locals[one.routine.0 as usize];
            let mut loops = local.loops.all.iter();
            let index = loops.position(|known| known.statement == one.statement);
            one.of_its_runs = (index.filter(|_| one.repeats))
                .and_then(|index| alternatives.share(one.routine, index));
        }
        all
    }
}

fn judge(shares: &Shares, id: RoutineId, index: usize) -> LoopLoad {
    let local = &shares.locals[id.0 as usize];
    let one = &local.loops.all[index];
    let known = &local.known[index];
    let mut inside = shares.inside(id, index);
    let part = shares.part_outside(id);
    let is_outermost = local.is_outermost(index) && part > 0.0;
    if is_outermost {
        inside.instructions *= part;
        inside.accesses *= part;
    }
    let share = |some: f64, all: f64| if all > 0.0 { some / all } else { 0.0 };
    let instructions = share(inside.instructions, shares.total.instructions);
    let accesses = share(inside.accesses, shares.total.accesses);
    let nodes = 0..local.around.len();
    let mut inner = nodes.filter(|&node| local.is_in(node, index)).peekable();
    let is_in_phase = |is: &dyn Fn(usize) -> bool, mut nodes: &mut dyn Iterator<Item = usize>| {
        (&mut nodes).all(is)
    };
    let first = inner.peek().copied();
    let outer = local.path(index).skip(1);
    let mut around = outer.filter(|&outer| !local.known[outer].is_transparent);
    let excluded = if !shares.is_reached(id) {
        Some("the program's own code never comes to it from `main`".to_string())
    } else if let Some(why) = &known.excluded {
        Some(why.clone())
    } else if let Some(why) = around.find_map(|outer| local.known[outer].excluded.clone()) {
        Some(why)
    } else if first.is_some_and(|node| shares.phases.is_before(id, node)) {
        Some("it is over before MPI is initialised".to_string())
    } else if is_in_phase(&|node| shares.phases.is_after(id, node), &mut inner) {
        Some("MPI is finalised before it".to_string())
    } else if one.overlaps {
        Some("its gotos make it overlap with another loop".to_string())
    } else {
        None
    };
    LoopLoad {
        routine: id,
        statement: one.statement,
        span: one.span,
        by_goto: one.by_goto,
        is_outermost,
        repeats: false,
        aside: None,
        walks: false,
        is_guessed: shares.is_guessed(id, index),
        is_option: known.iterations.is_option && !one.by_goto,
        reads_jobs: false,
        only_reads: false,
        iterations: known
            .iterations
            .is_known
            .then_some(known.iterations.count as u64),
        instructions,
        accesses,
        work: inside.instructions,
        of_its_runs: None,
        value: (-(instructions * accesses).ln()).max(0.0),
        cure: excluded.is_some().then_some(known.cure).flatten(),
        excluded,
    }
}
