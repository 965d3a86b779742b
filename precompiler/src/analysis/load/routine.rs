//! One function: how often each of its nodes is executed when it is called once, and what it calls.

use super::growth::Growth;
use super::iterations::{Fixed, Iterations, MANY, UNKNOWN};
use super::refills::Counters;
use crate::analysis::kept_states::goes_through_options;
use crate::analysis::nesting::WRITTEN_OUT;
use crate::analysis::points_to::PointsTo;
use crate::catalog::Catalogue;
use crate::dataflow::steps::{Called, Routine, RoutineId, Step, StepKind, Steps};
use crate::dataflow::{Flow, Loop, Loops, NodeId};
use crate::program::{
    Construct, Function, Label, Program, Statement, StatementId, StatementKind, Unit,
};
use crate::solver::reached;
use cccp_grammar::openmp::DirectiveName;
use std::collections::{BTreeSet, HashMap};

/// Statements and accesses.
#[derive(Clone, Copy, Debug, Default)]
pub struct Amount {
    /// Instructions: steps of any kind.
    pub instructions: f64,
    /// Those of them that read or store a variable.
    pub accesses: f64,
}

impl Amount {
    /// Adds a multiple of another amount.
    pub fn add(&mut self, other: Amount, times: f64) {
        self.instructions += other.instructions * times;
        self.accesses += other.accesses * times;
    }
}

/// What makes room for a checkpoint where threads share the iterations of a loop.
const CUT: &str = "do it in parts: put a loop around the region, in which each iteration lets the threads share a part of the \
     work; the checkpoint then goes between two parts";
/// The same where every thread runs the loop.
const TURN: &str = "put the region into the loop instead of the loop into the region; the checkpoint then goes between two \
     regions";

/// A loop of the function.
pub struct LocalLoop {
    /// How often it iterates.
    pub iterations: Iterations,
    /// Why it is no place for a checkpoint.
    pub excluded: Option<String>,
    /// What would make it one.
    pub cure: Option<&'static str>,
    /// Loops inside are looked at as if it were not there.
    pub is_transparent: bool,
}

/// A call of a function of the program.
pub struct Site {
    /// Its node.
    pub node: usize,
    /// What may be called.
    pub callee: RoutineId,
    /// With which probability.
    pub part: f64,
    /// The call goes through a pointer.
    pub by_pointer: bool,
    /// Whoever comes to the node makes the call: no condition inside an expression is around it.
    pub surely: bool,
}

/// A function.
pub struct Local {
    /// Its loops.
    pub loops: Loops,
    /// The same, what is known of each.
    pub known: Vec<LocalLoop>,
    /// The innermost loop around each node.
    pub around: Vec<Option<usize>>,
    /// How often each node is executed for one call.
    pub times: Vec<f64>,
    /// With which probability control comes to each node in one pass of the loops around it.
    pub chances: Vec<f64>,
    /// What happens in each node.
    pub amounts: Vec<Amount>,
    /// Its calls.
    pub sites: Vec<Site>,
    /// Calls of the library, by node.
    pub library: Vec<(usize, String)>,
}

impl Local {
    /// Looks at a function.
    pub fn of(
        program: &Program,
        steps: &Steps,
        points_to: &PointsTo,
        (fixed, growth): (&Fixed<'_>, &Growth<'_>),
        id: RoutineId,
        once: &BTreeSet<(RoutineId, StatementId)>,
    ) -> Local {
        let routine = steps.routine(id);
        let unit = &program.units[routine.function.unit];
        let function = unit.function(routine.function.function);
        let mut loops = Loops::of(function);
        let mut known = known_loops(fixed, function, routine, &loops);
        for (one, known) in loops.all.iter().zip(&mut known) {
            if once.contains(&(id, one.statement)) {
                known.is_transparent = true;
                known.iterations.count = 1.0;
            }
        }
        let branches = branches((unit, growth), &function.body, function.statement_count);
        let around = innermost(&routine.flow, &mut loops);
        let mut local = Local {
            around: Vec::new(),
            times: Vec::new(),
            chances: Vec::new(),
            amounts: Vec::new(),
            sites: Vec::new(),
            library: Vec::new(),
            loops,
            known,
        };
        for (number, node) in routine.flow.nodes.iter().enumerate() {
            let around = around[number];
            let chance = node.statement.map_or(1.0, |at| branches[at.0]);
            let mut times = chance;
            for index in around.into_iter().flat_map(|at| local.path(at)) {
                times *= local.known[index].iterations.count;
            }
            local.around.push(around);
            local.times.push(times.min(1e100));
            local.chances.push(chance);
            let steps = &routine.nodes[number];
            local.amounts.push(
                steps
                    .iter()
                    .map(amount)
                    .fold(Amount::default(), |mut sum, one| {
                        sum.add(one, 1.0);
                        sum
                    }),
            );
            for one in steps {
                let surely = matches!(one.kind, StepKind::Call(_));
                one.walk(&mut |step| local.call(points_to, id, (number, surely), step));
            }
        }
        local
    }

    /// A loop over the words of the command line goes on where its library is, and no restart brings that back.
    pub fn leave_out_options(&mut self, catalogue: &Catalogue) {
        for (node, name) in &self.library {
            let is_such = || {
                let found = catalogue.find(name);
                found.is_some_and(|one| goes_through_options(&one))
            };
            if let Some(index) = self.around[*node]
                && is_such()
            {
                let why = "it goes through the words of the command line";
                self.known[index].excluded.get_or_insert(why.to_string());
            }
        }
    }

    fn call(
        &mut self,
        points_to: &PointsTo,
        id: RoutineId,
        (node, surely): (usize, bool),
        step: &Step,
    ) {
        let StepKind::Call(call) = &step.kind else {
            return;
        };
        if let Called::Named(name) = &call.callee {
            self.library.push((node, name.clone()));
        }
        let callees = points_to.callees(id, call).routines;
        let part = 1.0 / callees.len().max(1) as f64;
        let by_pointer = matches!(call.callee, Called::Pointer(_));
        self.sites.extend(callees.into_iter().map(|callee| Site {
            node,
            callee,
            part,
            by_pointer,
            surely,
        }));
    }

    /// Whether a loop is the outermost one of those that count.
    pub fn is_outermost(&self, index: usize) -> bool {
        !self.known[index].is_transparent
            && self
                .path(index)
                .skip(1)
                .all(|one| self.known[one].is_transparent)
    }

    /// Whether a node is in no loop that counts.
    pub fn is_outside(&self, node: usize) -> bool {
        let mut path = self.around[node].into_iter().flat_map(|at| self.path(at));
        path.all(|one| self.known[one].is_transparent)
    }

    /// A loop and those around it, innermost first.
    pub fn path(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        self.loops.outward(index)
    }

    /// Whether a node lies in a loop.
    pub fn is_in(&self, node: usize, index: usize) -> bool {
        self.around[node].is_some_and(|at| self.path(at).any(|one| one == index))
    }
}

/// What a step costs. Of alternatives the average.
fn amount(step: &Step) -> Amount {
    let simple = |accesses: f64| Amount {
        instructions: 1.0,
        accesses,
    };
    match &step.kind {
        StepKind::Read { .. } | StepKind::Write { .. } => simple(1.0),
        StepKind::Copy { .. } => simple(2.0),
        StepKind::Address { .. }
        | StepKind::Combine { .. }
        | StepKind::Call(_)
        | StepKind::Return { .. }
        | StepKind::Assembly { .. } => simple(0.0),
        StepKind::Begin(_) | StepKind::Directive(_) => Amount::default(),
        StepKind::Choose(lists) => {
            let mut sum = Amount::default();
            for step in lists.iter().flatten() {
                sum.add(amount(step), 1.0 / lists.len() as f64);
            }
            sum
        }
        StepKind::Repeat(list) => {
            let mut sum = Amount::default();
            for step in list {
                sum.add(amount(step), MANY);
            }
            sum
        }
    }
}

/// With which probability each statement is reached when control comes by: of several alternatives each one is as
/// probable as the others, and what is done on a condition only is done, unless a counter opens it once in a while.
fn branches((unit, growth): (&Unit, &Growth<'_>), body: &Statement, count: usize) -> Vec<f64> {
    let mut all = vec![1.0; count];
    let counters = Counters::of(unit, body);
    descend(body, 1.0, &(&counters, growth), &mut all);
    all
}

fn descend(
    statement: &Statement,
    times: f64,
    rare: &(&Counters<'_>, &Growth<'_>),
    all: &mut [f64],
) {
    if let Some(one) = all.get_mut(statement.id.0) {
        *one = times;
    }
    let inside = match &statement.kind {
        StatementKind::If {
            condition,
            then,
            otherwise,
        } => {
            let (counters, growth) = rare;
            let grows = || growth.opens(condition, then).then_some(MANY);
            let period = counters.period(condition, then).or_else(grows);
            let (holds, fails) = match (period, otherwise) {
                (Some(period), _) => (times / period, times),
                (None, Some(_)) => (times / 2.0, times / 2.0),
                (None, None) => (times, times),
            };
            descend(then, holds, rare, all);
            if let Some(otherwise) = otherwise {
                descend(otherwise, fails, rare, all);
            }
            return;
        }
        StatementKind::Switch { body, .. } => times / cases(body).max(1) as f64,
        _ => times,
    };
    for child in statement.children() {
        descend(child, inside, rare, all);
    }
}

fn cases(body: &Statement) -> usize {
    let mut count = 0;
    body.walk(&mut |statement| {
        if let StatementKind::Labelled { label, .. } = &statement.kind {
            count += usize::from(!matches!(label, Label::Name(_)));
        }
        !matches!(statement.kind, StatementKind::Switch { .. })
    });
    count
}

fn known_loops(
    fixed: &Fixed<'_>,
    function: &Function,
    routine: &Routine,
    loops: &Loops,
) -> Vec<LocalLoop> {
    let mut statements: HashMap<StatementId, &Statement> = HashMap::new();
    let mut regions = Vec::new();
    function.body.walk(&mut |statement| {
        statements.insert(statement.id, statement);
        if !statement.openmp.is_empty() {
            let mut constructs = statement.openmp.iter();
            let is_shared = constructs.any(|one| one.has(&DirectiveName::For));
            let by_one = |one: &Construct| one.is_plainly_by_one_thread();
            let is_for_one = matches!(statement.openmp.as_slice(), [one] if by_one(one));
            let entered = (statement.is_parallel_region(), is_for_one);
            regions.push((statement.span, is_shared, entered));
        }
        true
    });
    let known = loops.all.iter().map(|one| {
        let statement = statements.get(&one.statement);
        let iterations = match statement {
            Some(statement) if !one.by_goto => fixed.iterations(statement),
            _ => UNKNOWN,
        };
        let mut known = LocalLoop {
            iterations,
            excluded: None,
            cure: None,
            is_transparent: false,
        };
        let around = { regions.iter() }.filter(|region| region.0.contains(one.span));
        let around: Vec<_> = around.collect();
        // All threads come back into parallel regions together, and one of them into a construct that is for one.
        let mut in_regions = around.iter().skip_while(|(_, _, entered)| entered.0);
        let is_entered = in_regions.all(|(_, _, entered)| entered.1);
        if !is_entered {
            let why = "it is inside an OpenMP region of which each thread executes a part or nothing, and a restart cannot go back \
                       into one";
            let shared = around.iter().any(|region| region.1);
            known.excluded = Some(match shared {
                true => format!("{why}; {WRITTEN_OUT}"),
                false => why.to_string(),
            });
            known.cure = Some(if shared { CUT } else { TURN });
        } else if !comes_back(&routine.flow, one.inside_from, one.span.end) {
            known.excluded = Some("it never comes back to its beginning".to_string());
            known.is_transparent = true;
            known.iterations.count = 1.0;
        } else if iterations.is_known && iterations.count <= 2.0 {
            let times = match iterations.count as u64 {
                0 => "is never entered",
                1 => "iterates once",
                _ => "iterates twice",
            };
            known.excluded = Some(format!("it {times}"));
            known.is_transparent = true;
        } else if !function.in_user_file {
            known.excluded = Some("it stands in an included file".to_string());
            known.is_transparent = true;
        }
        known
    });
    known.collect()
}

/// The innermost loop around each node. A branch that leaves a loop for good (by `return`, `break` or `exit`) is executed once: it is
/// not in that loop, and loops in such a branch have the next loop around as their parent.
fn innermost(flow: &Flow, loops: &mut Loops) -> Vec<Option<usize>> {
    let previous = flow.previous();
    let all = loops.all.iter();
    let turning: Vec<_> = all.map(|one| turning(flow, &previous, one)).collect();
    let mut around = vec![None; flow.nodes.len()];
    for (index, nodes) in turning.iter().enumerate() {
        // A loop that control never reaches has none, and stays where its text is.
        let mut parent = loops.all[index].parent;
        while let Some(outer) = parent
            && !nodes.is_empty()
            && turning[outer].is_disjoint(nodes)
        {
            parent = loops.all[outer].parent;
        }
        loops.all[index].parent = parent;
        // Inner loops come later.
        for node in nodes {
            around[*node] = Some(index);
        }
    }
    around
}

/// The nodes of a loop from which control comes back to where its passes begin.
fn turning(flow: &Flow, previous: &[Vec<usize>], one: &Loop) -> BTreeSet<usize> {
    let is_inside = |node: &usize| {
        let node = &flow.nodes[*node];
        node.statement.is_some() && one.has(node.span.start)
    };
    let is_entered = |node: &usize| previous[*node].iter().any(|from| !is_inside(from));
    let count = flow.nodes.len();
    let entered = (0..count).filter(is_inside).filter(is_entered);
    let comes_again = |node: usize| previous[node].iter().any(is_inside);
    // What is executed once before the first pass (an empty part of a `for`) lies inside, too.
    let ahead = flow.along(entered, |from, to| !comes_again(from) && is_inside(&to));
    let first = (0..count).filter(|node| ahead[*node] && comes_again(*node));
    let found = reached(count, first, |node, open| {
        open.extend(previous[node].iter().copied().filter(is_inside));
    });
    (0..count).filter(|node| found[*node]).collect()
}

/// Whether control may be twice at a node that lies between two places.
fn comes_back(flow: &Flow, from: usize, to: usize) -> bool {
    let inside = flow.nodes.iter().enumerate();
    let mut inside = inside.filter(|(_, node)| {
        node.statement.is_some() && from <= node.span.start && node.span.end <= to
    });
    let first = inside.next();
    let nodes = first.into_iter().chain(inside.next());
    nodes
        .map(|(number, _)| number)
        .any(|number| flow.after(NodeId(number))[number])
}
