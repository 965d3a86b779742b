//! Ranks that never come to a place, whatever happens: `if (rank == 0) hand_out(); else work();`.
//!
//! In: the program. Out: for a node whether rank 0, or 1, never comes there, and the condition at which it goes another way. The
//! one idea: the flow graph of a rank is that of the program without the ways that conditions on its number shut out. A variable, or
//! a member of all structs of a type, holds the rank's number when nothing is stored there but what `MPI_Comm_rank` says, or what such a place holds.
//!
//! Rank 0 there is in every communicator, rank 1 in the world of every run with messages. Where rank 1 is, the world has more than one
//! rank: `if (size == 1)` shuts it out, too. Errors fall on the side of coming, but for what is stored into a struct as a whole, by
//! `memcpy` and the like: nobody looks there. What is said is a message, and no proof rests on it.

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
    Declaration, Expression, ExpressionKind, Initialiser, Program, RecordId, Storage, SymbolId,
    SymbolKind, TypeId, TypeKind, UnaryOperator, Unit, Width,
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
            let value = |size: i128, one: &Expression| {
                let is_number = numbers.get(at.unit, one);
                if is_number.is_some_and(|is_world| rank == 0 || is_world) {
                    return Some(rank);
                }
                sizes.get(at.unit, one).filter(|is_world| *is_world)?;
                Some(size)
            };
            // With every number of ranks among which there is this one.
            let truth = |condition: &Expression| {
                let mut all = SIZES.into_iter().filter(|size| *size > rank).map(|size| {
                    settled.truth_with(unit, at.unit, condition, &|one| value(size, one))
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

/// What holds a number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Name {
    /// A variable that one file knows: the number of its unit, and what it is there.
    Own(usize, SymbolId),
    /// One that several may know.
    Shared(String),
    /// A member of all structs of a type.
    Member(usize, String),
}

/// What is stored somewhere.
#[derive(Debug)]
enum Stored {
    /// What the function of MPI says about the world (true), or another communicator.
    Said(bool),
    /// What is there.
    From(Name),
}

/// Places that hold what a function of MPI says about a communicator, its rank or its size; true: about the world.
struct Holders<'a> {
    program: &'a Program,
    /// The same number for the same struct in all files.
    records: HashMap<(usize, RecordId), usize>,
    all: HashMap<Name, bool>,
}

/// What is done with places.
#[derive(Default)]
struct Uses {
    /// What is stored there, each time.
    stored: HashMap<Name, Vec<Stored>>,
    /// How often its address is taken.
    addressed: HashMap<Name, usize>,
    /// How often for the function of MPI to store there.
    asked: HashMap<Name, usize>,
    /// Something else is stored there.
    changed: HashSet<Name>,
    /// By name of a function: the arguments of all calls.
    given: BTreeMap<String, Vec<Vec<Option<Name>>>>,
}

impl<'a> Holders<'a> {
    fn of(program: &'a Program, function: &'static str) -> Holders<'a> {
        let mut holders = Holders {
            program,
            records: numbers_of_records(program),
            all: HashMap::new(),
        };
        let mut uses = Uses::default();
        for (number, unit) in program.units.iter().enumerate() {
            let mut look =
                |one: &Expression| holders.look((number, unit), function, one, &mut uses);
            for declaration in &unit.globals {
                for expression in declaration.expressions() {
                    expression.walk(&mut look);
                }
            }
            for function in &unit.functions {
                function.body.walk_expressions(&mut look);
            }
            for function in &unit.functions {
                function.body.walk_declarations(&mut |declaration| {
                    holders.look_at_declaration((number, unit), declaration, &mut uses);
                });
            }
        }
        holders.look_at_parameters(&mut uses);
        // Whoever has its address may store there.
        for (at, count) in &uses.addressed {
            if *count > uses.asked.get(at).copied().unwrap_or(0) {
                uses.changed.insert(at.clone());
            }
        }
        uses.stored.retain(|at, _| !uses.changed.contains(at));
        loop {
            let mut found = Vec::new();
            for (at, stored) in &uses.stored {
                let worlds = stored.iter().map(|one| match one {
                    Stored::Said(is_world) => Some(*is_world),
                    Stored::From(name) => holders.all.get(name).copied(),
                });
                let worlds: Option<Vec<bool>> = worlds.collect();
                if let Some(worlds) = worlds.filter(|_| !holders.all.contains_key(at)) {
                    found.push((at.clone(), worlds.iter().all(|one| *one)));
                }
            }
            if found.is_empty() {
                return holders;
            }
            holders.all.extend(found);
        }
    }

    /// Whether it is the number of the world; none where something else may be there.
    fn get(&self, unit: usize, one: &Expression) -> Option<bool> {
        self.all
            .get(&self.name((unit, &self.program.units[unit]), one)?)
            .copied()
    }

    /// The place that an expression is.
    fn name(&self, (number, unit): (usize, &Unit), one: &Expression) -> Option<Name> {
        match &one.kind {
            ExpressionKind::Name { symbol, .. } => self.name_of(number, (*symbol)?),
            ExpressionKind::Member {
                value,
                name,
                through_pointer,
            } => {
                let ty = match through_pointer {
                    true => unit.pointee(value.ty)?,
                    false => value.ty,
                };
                let TypeKind::Record(id) = unit.kind(ty) else {
                    return None;
                };
                let record = &unit.records[id.0];
                let mut members = record.members.iter().flatten();
                let is_its_own = members.any(|one| one.name.as_deref() == Some(name.as_str()));
                let number = self.records.get(&(number, *id)).copied();
                (is_its_own && !record.is_union)
                    .then(|| Some(Name::Member(number?, name.clone())))
                    .flatten()
            }
            _ => None,
        }
    }

    fn name_of(&self, number: usize, symbol: SymbolId) -> Option<Name> {
        let known = &self.program.units[number].symbols[symbol.0];
        let is_shared = known.function.is_none() && known.storage != Storage::Static;
        (known.kind == SymbolKind::Variable).then(|| match is_shared {
            true => Name::Shared(known.name.clone()),
            false => Name::Own(number, symbol),
        })
    }

    /// The place from which a value comes as it is.
    fn source(&self, unit: (usize, &Unit), value: &Expression) -> Option<Name> {
        match &value.kind {
            ExpressionKind::Cast(inner) if is_wide(unit.1, value.ty) => self.source(unit, inner),
            _ => self.name(unit, value),
        }
    }

    fn look(&self, unit: (usize, &Unit), function: &str, one: &Expression, uses: &mut Uses) {
        match &one.kind {
            ExpressionKind::Assign {
                operator,
                target,
                value,
            } => {
                if let Some(at) = self.name(unit, target) {
                    let source = self.source(unit, value);
                    let source =
                        source.filter(|_| operator.is_none() && is_wide(unit.1, target.ty));
                    uses.store(at, source);
                }
            }
            ExpressionKind::Step(_, target) => {
                uses.changed.extend(self.name(unit, target));
            }
            ExpressionKind::Unary(UnaryOperator::Address, target) => {
                if let Some(at) = self.name(unit, target) {
                    *uses.addressed.entry(at).or_insert(0) += 1;
                }
            }
            ExpressionKind::Call { callee, arguments } => {
                let ExpressionKind::Name { name, .. } = &callee.kind else {
                    return;
                };
                if name == function
                    && let [communicator, result] = &arguments[..]
                    && let ExpressionKind::Unary(UnaryOperator::Address, target) = &result.kind
                    && let Some(at) = self.name(unit, target)
                {
                    let text = unit.1.file.preprocessed_text(communicator.span);
                    let is_world = text.contains("world") || text.contains("0x44000000");
                    *uses.asked.entry(at.clone()).or_insert(0) += 1;
                    let stored = uses.stored.entry(at).or_default();
                    stored.push(Stored::Said(is_world));
                    return;
                }
                let given = arguments.iter().map(|one| self.source(unit, one)).collect();
                uses.given.entry(name.clone()).or_default().push(given);
            }
            _ => {}
        }
    }

    /// `int rank = run->rank;` stores there. Before the first call of MPI there may be any number.
    fn look_at_declaration(
        &self,
        unit: (usize, &Unit),
        declaration: &Declaration,
        uses: &mut Uses,
    ) {
        for one in &declaration.declarators {
            if let Some(Initialiser::Expression(value)) = &one.initialiser
                && let Some(at) = self.name_of(unit.0, one.symbol)
                && !uses.asked.contains_key(&at)
            {
                let ty = unit.1.symbols[one.symbol.0].ty;
                uses.store(at, self.source(unit, value).filter(|_| is_wide(unit.1, ty)));
            }
        }
    }

    /// Parameters get what all calls give.
    fn look_at_parameters(&self, uses: &mut Uses) {
        let graph = CallGraph::of(self.program);
        let taken: HashSet<&str> = { graph.address_taken.iter() }
            .map(|one| {
                self.program.units[one.unit]
                    .function(one.function)
                    .name
                    .as_str()
            })
            .collect();
        for (number, unit) in self.program.units.iter().enumerate() {
            for function in &unit.functions {
                let calls = uses.given.remove(&function.name).unwrap_or_default();
                for (position, parameter) in function.parameters.iter().enumerate() {
                    let at = Name::Own(number, *parameter);
                    // A narrower type may hold another number.
                    let is_known = is_wide(unit, unit.symbols[parameter.0].ty)
                        && !taken.contains(function.name.as_str());
                    for arguments in &calls {
                        let given = arguments.get(position).cloned().flatten();
                        uses.store(at.clone(), given.filter(|_| is_known));
                    }
                }
                uses.given.insert(function.name.clone(), calls);
            }
        }
    }
}

impl Uses {
    /// What one place holds is stored in another one; none: something else is.
    fn store(&mut self, at: Name, source: Option<Name>) {
        match source {
            Some(from) => self.stored.entry(at).or_default().push(Stored::From(from)),
            None => {
                self.changed.insert(at);
            }
        }
    }
}

/// Whether a type holds all numbers of ranks.
fn is_wide(unit: &Unit, ty: TypeId) -> bool {
    Width::of(unit, ty).is_some_and(|width| width.bits >= 32)
}

/// Structs with the same name and members are the same in all files.
fn numbers_of_records(program: &Program) -> HashMap<(usize, RecordId), usize> {
    let mut known: HashMap<(String, Vec<Option<&str>>), usize> = HashMap::new();
    let mut numbers = HashMap::new();
    for (number, unit) in program.units.iter().enumerate() {
        for (index, record) in unit.records.iter().enumerate() {
            let members = record.members.iter().flatten();
            let key = (
                record.name(),
                members.map(|one| one.name.as_deref()).collect(),
            );
            let next = known.len();
            let one = *known.entry(key).or_insert(next);
            numbers.insert((number, RecordId(index)), one);
        }
    }
    numbers
}
