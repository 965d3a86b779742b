//! What threads of a team may store to between the same two barriers.
//!
//! For every node that a team executes: the cells to which some thread may store while another one is at this node. Those are
//! the stores on all ways without a barrier that begin where a way to the node begins: at the entry of the region, or behind a
//! barrier. Barriers are `barrier` and the ends of `for`, `sections`, `single` and the like without `nowait`. What happens in
//! a function up to its first barrier and from its last one on goes together with what is around its calls.
//!
//! Errors fall on the side of more stores: a call is no barrier, whatever it does.

use std::collections::{BTreeMap, HashSet};

use cccp_grammar::openmp::{ClauseKind, DirectiveName};

use super::known::Known;
use crate::analysis::effects::{ActionKind, walk};
use crate::analysis::memory::{CellId, CellSet};
use crate::dataflow::Flow;
use crate::dataflow::steps::{RoutineId, StepKind};
use crate::program::{Construct, StatementId, StatementKind};
use crate::solver::rounds;
use crate::source::Span;

/// The stores around the nodes of a function.
pub(super) struct Phases {
    starts: Vec<Start>,
    /// By node, from which starts control comes there; none where no team is.
    nodes: Vec<Option<Vec<usize>>>,
    /// What is stored around the calls of the function, up to a barrier.
    outside: CellSet,
}

/// The entry of a region or function, or what comes right behind a barrier.
struct Start {
    /// What is stored from here up to the next barriers.
    stored: CellSet,
    /// That may begin before the function is called, or go on when it has returned.
    is_open: bool,
}

impl Phases {
    /// Those of all functions.
    pub fn all(known: Known) -> BTreeMap<RoutineId, Phases> {
        let mut all: BTreeMap<RoutineId, Phases> = BTreeMap::new();
        for id in known.steps.routine_ids() {
            all.insert(id, Phases::of(known, id));
        }
        let mut calls = Vec::new();
        for id in known.steps.routine_ids() {
            for (node, steps) in known.steps.routine(id).nodes.iter().enumerate() {
                for step in steps {
                    step.walk(&mut |step| {
                        if let StepKind::Call(call) = &step.kind {
                            let callees = known.points_to.callees(id, call).routines;
                            let back = known.called_back(id, node, step.span);
                            let all = callees.into_iter().chain(back);
                            calls.extend(all.map(|callee| (id, node, callee)));
                        }
                    });
                }
            }
        }
        rounds(|| {
            let mut changed = false;
            for &(caller, node, callee) in &calls {
                let Some(mut phases) = all.remove(&callee) else {
                    continue;
                };
                let before = phases.outside.count_ones(..);
                if let Some(around) = all.get(&caller) {
                    for stored in around.stored(node) {
                        phases.outside.union_with(stored);
                    }
                }
                changed |= phases.outside.count_ones(..) != before;
                all.insert(callee, phases);
            }
            changed
        });
        all
    }

    /// Whether a team may be at a node.
    pub fn is_by_team(&self, node: usize) -> bool {
        self.nodes.get(node).is_some_and(Option::is_some)
    }

    /// Whether some thread may store to a cell while another one is at a node.
    pub fn may_store(&self, node: usize, cell: CellId) -> bool {
        self.stored(node)
            .any(|stored| stored.contains(cell.0 as usize))
    }

    fn stored(&self, node: usize) -> impl Iterator<Item = &CellSet> {
        let starts = self.nodes.get(node).into_iter().flatten().flatten();
        starts.flat_map(|start| {
            let start = &self.starts[*start];
            let outside = start.is_open.then_some(&self.outside);
            std::iter::once(&start.stored).chain(outside)
        })
    }

    fn of(known: Known, id: RoutineId) -> Phases {
        let cells = known.points_to.memory.cells.len();
        let flow = &known.steps.routine(id).flow;
        let mut phases = Phases {
            starts: Vec::new(),
            nodes: vec![None; flow.nodes.len()],
            outside: CellSet::with_capacity(cells),
        };
        let mut regions: Vec<Span> = Vec::new();
        let mut ends: Vec<Span> = Vec::new();
        let mut barriers: HashSet<StatementId> = HashSet::new();
        known.body(id).walk(&mut |statement| {
            for construct in &statement.openmp {
                if construct.runs_in_other_threads() {
                    regions.push(statement.span);
                }
                if ends_with_barrier(construct) {
                    ends.push(statement.span);
                }
            }
            if let StatementKind::OpenMp(construct) = &statement.kind
                && construct.is_barrier()
            {
                barriers.insert(statement.id);
            }
            true
        });
        let is_called = known.is_called_in_team(id);
        if regions.is_empty() && !is_called {
            return phases;
        }
        let is_barrier = |from: usize, to: usize| {
            let (from, to) = (&flow.nodes[from], &flow.nodes[to]);
            from.statement.is_some_and(|one| barriers.contains(&one))
                || ends
                    .iter()
                    .any(|end| end.contains(from.span) && !end.contains(to.span))
        };
        // Inner regions last: what is said of them replaces what is said of those around.
        let outermost = is_called.then_some(None).into_iter();
        for region in outermost.chain(regions.into_iter().map(Some)) {
            let inside = |node: usize| {
                let known = &flow.nodes[node];
                region.is_none_or(|region| known.statement.is_some() && region.contains(known.span))
            };
            let mut begins: BTreeMap<usize, bool> = BTreeMap::new();
            if region.is_none() {
                begins.insert(Flow::ENTRY.0, true);
            }
            for (from, node) in flow.nodes.iter().enumerate() {
                for to in node.next.iter().map(|to| to.0).filter(|to| inside(*to)) {
                    if !inside(from) || is_barrier(from, to) {
                        begins.entry(to).or_insert(false);
                    }
                }
            }
            for node in (0..flow.nodes.len()).filter(|node| inside(*node)) {
                phases.nodes[node] = Some(Vec::new());
            }
            for (begin, is_first) in begins {
                let reached = flow.along([begin], |from, to| inside(to) && !is_barrier(from, to));
                let mut stored = CellSet::with_capacity(cells);
                for node in (0..reached.len()).filter(|node| reached[*node]) {
                    stores(known, id, node, &mut stored);
                }
                let number = phases.starts.len();
                let is_open = is_first || reached[Flow::EXIT.0];
                phases.starts.push(Start { stored, is_open });
                for (node, _) in reached.iter().enumerate().filter(|(_, reached)| **reached) {
                    if let Some(starts) = &mut phases.nodes[node] {
                        starts.push(number);
                    }
                }
            }
        }
        phases
    }
}

/// All threads wait for each other where its statement ends.
pub fn ends_with_barrier(construct: &Construct) -> bool {
    use DirectiveName as Name;
    const ENDS: [Name; 5] = [
        Name::For,
        Name::Sections,
        Name::Single,
        Name::Scope,
        Name::Parallel,
    ];
    !construct.has_clause(ClauseKind::Nowait)
        && !construct.has(&Name::Distribute)
        && ENDS.iter().any(|name| construct.has(name))
}

/// Adds what a node may store to.
fn stores(known: Known, id: RoutineId, node: usize, stored: &mut CellSet) {
    let actions = known.effects.bodies[id.0 as usize].nodes.get(node);
    walk(
        actions.into_iter().flatten(),
        &mut |action| match &action.kind {
            ActionKind::Write { cells, .. } | ActionKind::Free { cells, .. } => {
                for cell in known.effects.cells(*cells) {
                    stored.insert(cell.0 as usize);
                }
            }
            ActionKind::Call {
                routines, spared, ..
            } => {
                for routine in routines {
                    let summary = known.effects.summary(*routine);
                    for cells in [&summary.writes, &summary.frees] {
                        stored.union_with(&known.effects.unspared(*spared, cells));
                    }
                }
            }
            _ => {}
        },
    );
}
