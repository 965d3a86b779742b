//! What a call may do: reach `init`, reach a checkpoint; and what may follow a return.

use std::collections::{HashMap, HashSet};

use super::calls::{CallGraph, Callee, FunctionRef, client_names};
use super::flow::Flow;
use crate::program::{Directive, FunctionId, Program, StatementId};

/// Facts about every function of a program.
#[derive(Debug)]
pub struct Summary {
    /// Functions that may take a checkpoint, themselves or in a call.
    pub may_checkpoint: HashSet<FunctionRef>,
    /// Functions after whose return a checkpoint may follow, somewhere up the calls.
    pub checkpoint_may_follow: HashSet<FunctionRef>,
    /// Functions that may run an `init`, themselves or in a call.
    pub may_init: HashSet<FunctionRef>,
    /// Functions that may be entered after an `init`.
    pub entered_after_init: HashSet<FunctionRef>,
    /// For each function the statements that may take a checkpoint.
    pub checkpoint_statements: HashMap<FunctionRef, Vec<StatementId>>,
    flows: HashMap<FunctionRef, Flow>,
}

impl Summary {
    /// The facts of a program.
    pub fn of(program: &Program, graph: &CallGraph) -> Summary {
        let functions: Vec<FunctionRef> = all_functions(program).collect();
        let flows = functions
            .iter()
            .map(|f| (*f, Flow::of(&program.units[f.unit].functions[f.function.0])))
            .collect();
        let mut summary = Summary {
            may_checkpoint: HashSet::new(),
            checkpoint_may_follow: HashSet::new(),
            may_init: HashSet::new(),
            entered_after_init: HashSet::new(),
            checkpoint_statements: HashMap::new(),
            flows,
        };
        let clients: HashSet<&str> = program.units.iter().flat_map(client_names).collect();
        summary.may_checkpoint = transitive(
            program,
            graph,
            |directive| matches!(directive, Directive::Checkpoint { .. }),
            &clients,
        );
        summary.may_init = transitive(
            program,
            graph,
            |directive| matches!(directive, Directive::Init { .. }),
            &HashSet::new(),
        );
        for (function, statement) in events(
            program,
            graph,
            &summary.may_checkpoint,
            &clients,
            |directive| matches!(directive, Directive::Checkpoint { .. }),
        ) {
            summary
                .checkpoint_statements
                .entry(function)
                .or_default()
                .push(statement);
        }
        summary.follow(program, graph, &functions);
        summary.enter(program, graph, &functions);
        summary
    }

    /// The control flow of a function.
    pub fn flow(&self, function: FunctionRef) -> &Flow {
        &self.flows[&function]
    }

    /// Whether a checkpoint may follow once the statements `first..end` (a loop) have been left, in this function or
    /// after its return.
    pub fn checkpoint_may_follow_region(
        &self,
        function: FunctionRef,
        first: StatementId,
        end: usize,
    ) -> bool {
        let after = self.flow(function).after_region(first, end);
        self.any_checkpoint(function, &after)
    }

    /// Whether a checkpoint may follow a statement, in this function or after its return.
    pub fn checkpoint_may_follow(&self, function: FunctionRef, statement: StatementId) -> bool {
        let after = self.flow(function).after(statement);
        self.any_checkpoint(function, &after)
    }

    fn any_checkpoint(&self, function: FunctionRef, after: &[bool]) -> bool {
        let returns = after.last().copied().unwrap_or(true);
        (returns && self.checkpoint_may_follow.contains(&function))
            || self
                .checkpoint_statements
                .get(&function)
                .is_some_and(|all| all.iter().any(|one| after[one.0]))
    }

    fn follow(&mut self, program: &Program, graph: &CallGraph, functions: &[FunctionRef]) {
        for function in functions {
            if called_from_elsewhere(program, graph, *function) {
                self.checkpoint_may_follow.insert(*function);
            }
        }
        loop {
            let before = self.checkpoint_may_follow.len();
            for site in &graph.sites {
                // Another call of the same statement may come after this one.
                let same = self
                    .checkpoint_statements
                    .get(&site.caller)
                    .is_some_and(|all| {
                        all.iter().filter(|one| **one == site.statement).count() > 1
                    });
                if same || self.checkpoint_may_follow(site.caller, site.statement) {
                    self.checkpoint_may_follow
                        .extend(graph.targets(&site.callee));
                }
            }
            if self.checkpoint_may_follow.len() == before {
                return;
            }
        }
    }

    fn enter(&mut self, program: &Program, graph: &CallGraph, functions: &[FunctionRef]) {
        for function in functions {
            let called = graph.callers(*function).next().is_some();
            if called_from_elsewhere(program, graph, *function)
                || (!called && !is_main(program, *function))
            {
                self.entered_after_init.insert(*function);
            }
        }
        loop {
            let before = self.entered_after_init.len();
            for site in &graph.sites {
                if self.after_init(program, graph, site.caller, site.statement) {
                    self.entered_after_init.extend(graph.targets(&site.callee));
                }
            }
            if self.entered_after_init.len() == before {
                return;
            }
        }
    }

    /// Whether an `init` may have run before a statement (or in it).
    pub fn after_init(
        &self,
        program: &Program,
        graph: &CallGraph,
        function: FunctionRef,
        statement: StatementId,
    ) -> bool {
        if self.entered_after_init.contains(&function) {
            return true;
        }
        let flow = self.flow(function);
        let inits = program.units[function.unit]
            .directives
            .iter()
            .filter(|one| {
                one.function == Some(function.function)
                    && matches!(one.directive, Directive::Init { .. })
            });
        let mut inits = inits.filter_map(|one| one.statement);
        let mut calls = graph.sites.iter().filter(|site| {
            site.caller == function
                && graph
                    .targets(&site.callee)
                    .iter()
                    .any(|target| self.may_init.contains(target))
        });
        inits.any(|init| flow.reaches(init, statement))
            || calls
                .any(|site| site.statement == statement || flow.reaches(site.statement, statement))
    }
}

/// Every function definition of a program.
pub fn all_functions(program: &Program) -> impl Iterator<Item = FunctionRef> {
    program.units.iter().enumerate().flat_map(|(unit, one)| {
        (0..one.functions.len()).map(move |function| FunctionRef {
            unit,
            function: FunctionId(function),
        })
    })
}

fn is_main(program: &Program, function: FunctionRef) -> bool {
    program.units[function.unit].functions[function.function.0].name == "main"
}

/// Whether code that we do not see may call the function.
fn called_from_elsewhere(program: &Program, graph: &CallGraph, function: FunctionRef) -> bool {
    let one = &program.units[function.unit].functions[function.function.0];
    if one.name == "main" {
        return false;
    }
    let complete = all_functions(program).any(|function| is_main(program, function))
        && !program
            .units
            .iter()
            .any(|unit| client_names(unit).next().is_some());
    graph.address_taken.contains(&function) || (!one.is_static && !complete)
}

type Events = Vec<(FunctionRef, StatementId)>;

/// Statements with a wanted directive, or with a call of a function in the set or of a client.
fn events(
    program: &Program,
    graph: &CallGraph,
    set: &HashSet<FunctionRef>,
    clients: &HashSet<&str>,
    wanted: impl Fn(&Directive) -> bool,
) -> Events {
    let mut found = Vec::new();
    for (unit, one) in program.units.iter().enumerate() {
        for directive in one
            .directives
            .iter()
            .filter(|directive| wanted(&directive.directive))
        {
            if let (Some(function), Some(statement)) = (directive.function, directive.statement) {
                found.push((FunctionRef { unit, function }, statement));
            }
        }
    }
    for site in &graph.sites {
        let named = matches!(&site.callee, Callee::Named(name) if clients.contains(name.as_str()));
        if named
            || graph
                .targets(&site.callee)
                .iter()
                .any(|target| set.contains(target))
        {
            found.push((site.caller, site.statement));
        }
    }
    found
}

/// Functions with a wanted directive in them or in what they call.
fn transitive(
    program: &Program,
    graph: &CallGraph,
    wanted: impl Fn(&Directive) -> bool,
    clients: &HashSet<&str>,
) -> HashSet<FunctionRef> {
    let mut set: HashSet<FunctionRef> = HashSet::new();
    loop {
        let before = set.len();
        let found = events(program, graph, &set, clients, &wanted);
        set.extend(found.into_iter().map(|(function, _)| function));
        if set.len() == before {
            return set;
        }
    }
}
