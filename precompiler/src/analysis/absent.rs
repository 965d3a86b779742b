//! Ranks that never come to a place, whatever happens: `if (rank == 0) hand_out(); else work();`.
//!
//! In: the program. Out: for a node whether rank 0, or 1, never comes there, and the condition at which it goes another way. The
//! one idea: the flow graph of a rank is that of the program without the ways that conditions on its number shut out. A variable
//! holds the rank's number when nothing but `MPI_Comm_rank` stores to it, or when it is a parameter that only gets such a variable.
//!
//! Rank 0 there is in every communicator, rank 1 in the world of every run with messages. Where rank 1 is, the world has more than one
//! rank: `if (size == 1)` shuts it out, too. Errors fall on the side of coming.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::Analysed;
use super::finding::Finding;
use super::liveness::CheckpointLive;
use crate::dataflow::calls::CallGraph;
use crate::dataflow::certain::Settled;
use crate::dataflow::steps::{Called, RoutineId, StepKind, TextPlace};
use crate::dataflow::{Flow, NodeId, Reached};
use crate::diagnostic::Code;
use crate::program::{
    Expression, ExpressionKind, Program, Storage, SymbolId, SymbolKind, UnaryOperator, Unit, Width,
};
use crate::solver::closure;

/// Numbers of ranks: what is the same with all of these is taken to be so with every number.
const SIZES: [i128; 16] = [
    1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 27, 64, 125, 1024, 1_048_576,
];

/// The flow of ranks.
pub struct Absent {
    ranks: Vec<OfRank>,
}

/// Where one rank comes.
struct OfRank {
    rank: i128,
    flows: Vec<Flow>,
    reached: Reached,
}

impl Absent {
    /// Looks at a program; none when no condition of it asks for the rank.
    pub fn of(facts: &Analysed) -> Option<Absent> {
        let numbers = Holders::of(facts.program, "MPI_Comm_rank");
        if numbers.all.is_empty() {
            return None;
        }
        let sizes = Holders::of(facts.program, "MPI_Comm_size");
        let settled = Settled::of(facts.program, facts.catalogue);
        let ranks = [0, 1].map(|rank| OfRank::of(facts, &settled, (&numbers, &sizes), rank));
        Some(Absent {
            ranks: ranks.into(),
        })
    }

    /// The first rank that never comes to a node, and where it goes another way.
    pub fn at(
        &self,
        facts: &Analysed,
        routine: RoutineId,
        node: usize,
    ) -> Option<(i128, Option<TextPlace>)> {
        let all = self.ranks.iter();
        let mut never = all.filter(|one| !one.reached.has_node(routine, node));
        let one = never.next()?;
        Some((one.rank, one.parting(facts, routine, node)))
    }
}

/// Checkpoints of the program to which a rank never comes, when it comes to no other either: no generation would ever be complete.
/// By unit, at the first of them.
pub fn findings(facts: &Analysed) -> Vec<(usize, Finding)> {
    let Some(absent) = Absent::of(facts).filter(|_| facts.effects.main.is_some()) else {
        return Vec::new();
    };
    let checkpoints = facts.liveness.checkpoints();
    let node = |one: &CheckpointLive| {
        let flow = &facts.steps.routine(one.routine).flow;
        Some((one.routine, flow.node_at(one.place.span.start)?.0))
    };
    let Some(nodes) = checkpoints.iter().map(node).collect::<Option<Vec<_>>>() else {
        return Vec::new();
    };
    let comes = |one: &OfRank| {
        let mut nodes = nodes.iter();
        nodes.any(|(routine, node)| one.reached.has_node(*routine, *node))
    };
    let missing = absent.ranks.iter().find(|one| !comes(one));
    let (Some(first), Some(one)) = (checkpoints.first(), missing) else {
        return Vec::new();
    };
    // Nobody comes there: that is another matter.
    if !absent.ranks.iter().any(comes) {
        return Vec::new();
    }
    let (unit, span) = (first.place.unit, first.place.span);
    let (routine, node) = nodes[0];
    let parting = one.parting(facts, routine, node);
    let parting = parting.map_or_else(String::new, |place| {
        format!(" ({})", facts.line(place, unit))
    });
    let rank = one.rank;
    let finding = Finding::warning(
        Code::ABSENT,
        format!("rank {rank} never comes to a checkpoint: with it, no restart ever resumes from one"),
    )
    .at(facts.program.units[unit].file.message_place(span), span)
    .label("other ranks come here")
    .reason(format!(
        "a checkpoint is complete when all ranks have taken their part of it; rank {rank} goes another way{parting}"
    ))
    .help(
        "put the checkpoint where all ranks pass equally often; where one rank hands out work to the others, let it do so in rounds: \
         a loop that all ranks go through, at whose end every message has been received",
    );
    vec![(unit, finding)]
}

impl OfRank {
    fn of(
        facts: &Analysed,
        settled: &Settled,
        (numbers, sizes): (&Holders, &Holders),
        rank: i128,
    ) -> OfRank {
        let flows = facts.steps.routine_ids().map(|id| {
            let at = facts.steps.routine(id).function;
            let unit = &facts.program.units[at.unit];
            let value = |size: i128, symbol: SymbolId| {
                let at = (at.unit, symbol);
                let is_number = numbers.all.get(&at);
                if is_number.is_some_and(|is_world| rank == 0 || *is_world) {
                    return Some(rank);
                }
                sizes.all.get(&at).filter(|is_world| **is_world)?;
                Some(size)
            };
            // With every number of ranks among which there is this one.
            let truth = |condition: &Expression| {
                let mut all = SIZES.into_iter().filter(|size| *size > rank).map(|size| {
                    settled.truth_with(unit, at.unit, condition, &|symbol| value(size, symbol))
                });
                let first = all.next()??;
                all.all(|one| one == Some(first)).then_some(first)
            };
            Flow::with_truth(unit.function(at.function), facts.catalogue, &truth).0
        });
        let flows: Vec<Flow> = flows.collect();
        // Who calls functions whose address is taken is not looked at.
        let taken = CallGraph::of(facts.program).address_taken;
        let taken = taken.iter().map(|one| facts.steps.routine_of(*one));
        let first = facts.effects.main.into_iter().chain(taken);
        let reached = facts.control.along(flows.iter().collect()).within(first);
        OfRank {
            rank,
            flows,
            reached,
        }
    }

    /// A condition behind which the others come to a node: in its function, or where that is called.
    fn parting(&self, facts: &Analysed, routine: RoutineId, node: usize) -> Option<TextPlace> {
        let callers = |(id, _): (RoutineId, usize), open: &mut Vec<(RoutineId, usize)>| {
            for caller in facts.steps.routine_ids() {
                for (at, steps) in facts.steps.routine(caller).nodes.iter().enumerate() {
                    let mut calls = false;
                    for step in steps {
                        step.walk(&mut |step| {
                            if let StepKind::Call(call) = &step.kind {
                                calls |= matches!(call.callee, Called::Routine(one) if one == id);
                            }
                        });
                    }
                    open.extend(calls.then_some((caller, at)));
                }
            }
        };
        closure([(routine, node)], callers).find_map(|(id, target)| {
            let full = &facts.steps.routine(id).flow;
            let own = &self.flows[id.0 as usize];
            let parts = |at: &usize| {
                self.reached.has_node(id, *at)
                    && own.nodes[*at].next.len() < full.nodes[*at].next.len()
                    && full.after(NodeId(*at))[target]
            };
            let at = (0..full.nodes.len()).rev().find(parts)?;
            Some(TextPlace {
                unit: facts.steps.routine(id).function.unit,
                span: full.nodes[at].span,
            })
        })
    }
}

/// A variable: the number of its unit, and what it is there.
type Name = (usize, SymbolId);

/// Variables that hold what a function of MPI says about a communicator, its rank or its size; true: about the world.
struct Holders {
    all: HashMap<Name, bool>,
}

/// What a call is given.
type Arguments = Vec<Option<Name>>;

/// What is done with variables.
#[derive(Default)]
struct Uses {
    /// The function that says it.
    function: &'static str,
    /// By variable, for each call of the function whether it asks about the world.
    asked: HashMap<Name, Vec<bool>>,
    /// How often its address is taken.
    addressed: HashMap<Name, usize>,
    /// Something is assigned to it.
    changed: HashSet<Name>,
    /// By name of a function: the arguments of all calls, those that are variables.
    given: BTreeMap<String, Vec<Arguments>>,
}

impl Holders {
    fn of(program: &Program, function: &'static str) -> Holders {
        let mut uses = Uses {
            function,
            ..Uses::default()
        };
        for (number, unit) in program.units.iter().enumerate() {
            for function in &unit.functions {
                function
                    .body
                    .walk_expressions(&mut |one| uses.look((number, unit), one));
            }
        }
        // Whoever has its address may store there.
        for (at, count) in &uses.addressed {
            if *count > uses.asked.get(at).map_or(0, Vec::len) {
                uses.changed.insert(*at);
            }
        }
        // A variable that several files know is one.
        let name = |(unit, symbol): &Name| {
            let symbol = &program.units[*unit].symbols[symbol.0];
            let is_shared = symbol.function.is_none() && symbol.storage != Storage::Static;
            is_shared.then_some(symbol.name.as_str())
        };
        let changed: HashSet<&str> = uses.changed.iter().filter_map(name).collect();
        let mut shared: HashMap<&str, bool> = HashMap::new();
        let mut all: HashMap<Name, bool> = HashMap::new();
        for (at, worlds) in &uses.asked {
            let is_world = worlds.iter().all(|one| *one);
            match name(at) {
                _ if uses.changed.contains(at) => {}
                Some(name) if changed.contains(name) => {}
                Some(name) => *shared.entry(name).or_insert(true) &= is_world,
                None => {
                    all.insert(*at, is_world);
                }
            }
        }
        for (number, unit) in program.units.iter().enumerate() {
            for (index, symbol) in unit.symbols.iter().enumerate() {
                let at = (number, SymbolId(index));
                if symbol.kind == SymbolKind::Variable
                    && let Some(is_world) = name(&at).and_then(|name| shared.get(name))
                {
                    all.insert(at, *is_world);
                }
            }
        }
        let mut holders = Holders { all };
        let graph = CallGraph::of(program);
        let taken: HashSet<&str> = { graph.address_taken.iter() }
            .map(|one| program.units[one.unit].function(one.function).name.as_str())
            .collect();
        while holders.hand_on(program, &uses, &taken) {}
        holders
    }

    /// Parameters that only get such a variable.
    fn hand_on(&mut self, program: &Program, uses: &Uses, taken: &HashSet<&str>) -> bool {
        let mut found = false;
        for (number, unit) in program.units.iter().enumerate() {
            for function in &unit.functions {
                let calls = uses.given.get(&function.name);
                let Some(calls) = calls.filter(|_| !taken.contains(function.name.as_str())) else {
                    continue;
                };
                for (position, parameter) in function.parameters.iter().enumerate() {
                    let at = (number, *parameter);
                    // A narrower type may hold another number.
                    let width = Width::of(unit, unit.symbols[parameter.0].ty);
                    let is_wide = width.is_some_and(|width| width.bits >= 32);
                    if uses.changed.contains(&at) || self.all.contains_key(&at) || !is_wide {
                        continue;
                    }
                    let given = calls.iter().map(|arguments| {
                        let argument = arguments.get(position).copied().flatten();
                        argument.and_then(|one| self.all.get(&one).copied())
                    });
                    let given: Option<Vec<bool>> = given.collect();
                    if let Some(given) = given {
                        self.all.insert(at, given.iter().all(|one| *one));
                        found = true;
                    }
                }
            }
        }
        found
    }
}

impl Uses {
    fn look(&mut self, (number, unit): (usize, &Unit), one: &Expression) {
        let symbol = |one: &Expression| one.symbol().map(|symbol| (number, symbol));
        match &one.kind {
            ExpressionKind::Assign { target, .. } | ExpressionKind::Step(_, target) => {
                self.changed.extend(symbol(target));
            }
            ExpressionKind::Unary(UnaryOperator::Address, target) => {
                if let Some(at) = symbol(target) {
                    *self.addressed.entry(at).or_insert(0) += 1;
                }
            }
            ExpressionKind::Call { callee, arguments } => {
                let ExpressionKind::Name { name, .. } = &callee.kind else {
                    return;
                };
                if name == self.function
                    && let [communicator, result] = &arguments[..]
                    && let ExpressionKind::Unary(UnaryOperator::Address, target) = &result.kind
                    && let Some(at) = symbol(target)
                {
                    let text = unit.file.preprocessed_text(communicator.span);
                    let is_world = text.contains("world") || text.contains("0x44000000");
                    self.asked.entry(at).or_default().push(is_world);
                    return;
                }
                let given = arguments.iter().map(symbol).collect();
                self.given.entry(name.clone()).or_default().push(given);
            }
            _ => {}
        }
    }
}
