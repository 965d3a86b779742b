//! Which functions and statements take part in communication, and the text and steps of functions side by side.

use super::library::{Library, communicates, is_mpi};
use crate::analysis::effects::Effects;
use crate::analysis::points_to::PointsTo;
use crate::dataflow::steps::{Called, Routine, RoutineId, StepKind, Steps, TextPlace};
use crate::program::{Expression, Function, Initialiser, Program, StatementId, Unit};
use crate::solver::rounds;
use crate::source::Span;
use std::collections::{HashMap, HashSet};

/// A function: its text and its steps.
pub struct View<'a> {
    /// Its steps.
    pub routine: &'a Routine,
    /// Its unit.
    pub unit: &'a Unit,
    /// Its text.
    pub function: &'a Function,
    nodes: HashMap<StatementId, Vec<usize>>,
    expressions: HashMap<Span, &'a Expression>,
    /// What stands after `=` in declarations, by declarator.
    initial: HashMap<Span, &'a Expression>,
    /// Nodes in which messages are sent or received, or functions called that do so.
    pub busy: Vec<bool>,
    /// Nodes in which something is called that nobody knows, or functions that do so.
    pub blind: Vec<bool>,
    /// Nodes in which the process may end as if all were well, or functions are called that do so.
    pub quits: Vec<bool>,
}

impl<'a> View<'a> {
    fn of(program: &'a Program, steps: &'a Steps, id: RoutineId) -> View<'a> {
        let routine = steps.routine(id);
        let unit = &program.units[routine.function.unit];
        let function = unit.function(routine.function.function);
        let mut nodes: HashMap<StatementId, Vec<usize>> = HashMap::new();
        for (number, node) in routine.flow.nodes.iter().enumerate() {
            if let Some(statement) = node.statement {
                nodes.entry(statement).or_default().push(number);
            }
        }
        let mut expressions = HashMap::new();
        function.body.walk_expressions(&mut |one| {
            expressions.entry(one.span).or_insert(one);
        });
        let mut initial = HashMap::new();
        function.body.walk_declarations(&mut |declaration| {
            for declarator in &declaration.declarators {
                if let Some(Initialiser::Expression(value)) = &declarator.initialiser {
                    initial.insert(declarator.span, value);
                }
            }
        });
        View {
            routine,
            unit,
            function,
            nodes,
            expressions,
            initial,
            busy: vec![false; routine.flow.nodes.len()],
            blind: vec![false; routine.flow.nodes.len()],
            quits: vec![false; routine.flow.nodes.len()],
        }
    }

    /// The nodes of a statement, in ascending order.
    pub fn nodes_of(&self, statement: StatementId) -> &[usize] {
        self.nodes.get(&statement).map_or(&[], Vec::as_slice)
    }

    /// The expression at a span.
    pub fn expression(&self, span: Span) -> Option<&'a Expression> {
        self.expressions.get(&span).copied()
    }

    /// What a declarator is initialised with.
    pub fn initial(&self, declarator: Span) -> Option<&'a Expression> {
        self.initial.get(&declarator).copied()
    }

    /// The nodes inside a span of the text.
    pub fn nodes_in(&self, span: Span) -> impl Iterator<Item = usize> + '_ {
        let nodes = self.routine.flow.nodes.iter().enumerate();
        nodes
            .filter(move |(_, node)| node.statement.is_some() && span.contains(node.span))
            .map(|(number, _)| number)
    }

    /// Whether anything communicates in a part of the text.
    pub fn is_busy(&self, span: Span) -> bool {
        self.nodes_in(span).any(|node| self.busy[node])
    }
}

/// All functions, and which of them communicate.
pub struct Traffic<'a> {
    /// By number.
    pub views: Vec<View<'a>>,
    /// Functions that communicate, themselves or through what they call; not those that only end MPI and then the process.
    pub busy: HashSet<RoutineId>,
    /// Functions that may end the process as if all were well, themselves or through what they call.
    pub quits: HashSet<RoutineId>,
    /// A window may be accessed by other ranks at any time.
    pub locks: bool,
    uses_mpi: bool,
    /// Errors of MPI do not end the program.
    pub goes_on: bool,
    /// What several threads of a team may call, each for itself, that communicates: a first one.
    pub by_team: Option<(String, TextPlace)>,
}

impl<'a> Traffic<'a> {
    /// Looks at a program.
    pub fn of(
        program: &'a Program,
        steps: &'a Steps,
        points_to: &PointsTo,
        effects: &Effects,
        library: &mut Library<'_>,
    ) -> Traffic<'a> {
        let mut traffic = Traffic {
            views: (steps.routine_ids())
                .map(|id| View::of(program, steps, id))
                .collect(),
            busy: HashSet::new(),
            quits: HashSet::new(),
            locks: false,
            uses_mpi: false,
            goes_on: false,
            by_team: None,
        };
        let mut calls: Vec<(RoutineId, usize, RoutineId)> = Vec::new();
        let mut blind: HashSet<RoutineId> = HashSet::new();
        let mut leaving: Vec<(RoutineId, usize)> = Vec::new();
        for id in steps.routine_ids() {
            for (node, list) in steps.routine(id).nodes.iter().enumerate() {
                for step in list {
                    step.walk(&mut |step| {
                        let StepKind::Call(call) = &step.kind else {
                            return;
                        };
                        let callees = points_to.callees(id, call);
                        calls.extend(callees.routines.iter().map(|&one| (id, node, one)));
                        if callees.unknown {
                            traffic.views[id.0 as usize].blind[node] = true;
                            blind.insert(id);
                        }
                        for name in &callees.named {
                            traffic.locks |= name.contains("MPI_Win_lock");
                            traffic.goes_on |= name.contains("_set_errhandler")
                                || name.contains("MPI_Errhandler_set");
                            traffic.uses_mpi |= is_mpi(name);
                            if library.find(name).is_none() {
                                let back = effects.from_outside.iter();
                                calls.extend(back.map(|&one| (id, node, one)));
                            }
                            // Nobody takes a checkpoint behind that.
                            if name == "MPI_Finalize" && !effects.summary(id).returns {
                                leaving.push((id, node));
                            } else if traffic.names_traffic(name, library) {
                                traffic.views[id.0 as usize].busy[node] = true;
                                traffic.busy.insert(id);
                                let unit = steps.routine(id).function.unit;
                                let span = step.span;
                                if traffic.by_team.is_none()
                                    && points_to.teams().make(program, steps, id, span)
                                {
                                    traffic.by_team =
                                        Some((name.clone(), TextPlace { unit, span }));
                                }
                            }
                        }
                    });
                }
            }
        }
        if !traffic.uses_mpi {
            traffic.busy.clear();
        }
        for id in steps.routine_ids() {
            let routine = steps.routine(id);
            for node in (0..routine.nodes.len()).filter(|&node| ends_well(routine, node)) {
                traffic.quits.insert(id);
                traffic.views[id.0 as usize].quits[node] = true;
            }
        }
        rounds(|| {
            let before = traffic.busy.len() + traffic.quits.len() + blind.len();
            for &(id, node, callee) in &calls {
                if traffic.quits.contains(&callee) {
                    traffic.views[id.0 as usize].quits[node] = true;
                    traffic.quits.insert(id);
                }
                if blind.contains(&callee) {
                    traffic.views[id.0 as usize].blind[node] = true;
                    blind.insert(id);
                }
                if traffic.busy.contains(&callee) {
                    traffic.views[id.0 as usize].busy[node] = true;
                    traffic.busy.insert(id);
                }
            }
            traffic.busy.len() + traffic.quits.len() + blind.len() != before
        });
        for (id, node) in leaving {
            traffic.views[id.0 as usize].busy[node] = traffic.busy.contains(&id);
        }
        traffic
    }

    fn names_traffic(&self, name: &str, library: &mut Library<'_>) -> bool {
        match library.find(name) {
            Some(found) => {
                is_mpi(name)
                    && (communicates(&found) || name.contains("Init") || name.contains("Finalize"))
            }
            // Nobody knows what it does.
            None => !library.is_silent(name),
        }
    }
}

/// Whether a node calls `exit(0)`.
pub fn ends_well(routine: &Routine, node: usize) -> bool {
    let mut found = false;
    for step in routine.nodes.get(node).into_iter().flatten() {
        step.walk(&mut |step| {
            if let StepKind::Call(call) = &step.kind
                && let Called::Named(name) = &call.callee
                && matches!(name.as_str(), "exit" | "_exit" | "_Exit")
            {
                let status = call.arguments.first();
                let constant = status.map(|one| routine.value(one.value).constant);
                found |= matches!(constant, Some(Some(0)));
            }
        });
    }
    found
}
