//! Which nodes of a function take locks of OpenMP, try for them, or give them back.
//!
//! In: the steps of a function and its statements. Out: by node the calls, each with the lock as it is written. One that is tried for
//! is taken; where its call alone is the condition of a statement, as it is or behind `!`, it is known on which way it was not:
//!
//! ```text
//! if (omp_test_lock(&a)) { held } else { not held }        while (!omp_test_lock(&a)) { not held }  held
//! ```

use std::collections::BTreeMap;

use crate::catalog::{Catalogue, Role};
use crate::dataflow::steps::{Called, RoutineId, StepKind, Steps, TextPlace};
use crate::program::{
    Expression, ExpressionKind, Program, Statement, StatementKind, UnaryOperator,
};
use crate::source::Span;

/// The functions of OpenMP that take a lock, wait for one, give it back, or end it.
pub const LOCKING: [&str; 8] = [
    "omp_set_lock",
    "omp_test_lock",
    "omp_unset_lock",
    "omp_destroy_lock",
    "omp_set_nest_lock",
    "omp_test_nest_lock",
    "omp_unset_nest_lock",
    "omp_destroy_nest_lock",
];

/// Those that initialise a lock which knows its holder, or end it.
pub const MAKING: [&str; 12] = [
    "omp_init_lock",
    "omp_init_lock_with_hint",
    "omp_init_nest_lock",
    "omp_init_nest_lock_with_hint",
    "omp_destroy_lock",
    "omp_destroy_nest_lock",
    "pthread_mutex_init",
    "pthread_mutex_destroy",
    "pthread_rwlock_init",
    "pthread_rwlock_destroy",
    "mtx_init",
    "mtx_destroy",
];

/// The first of them that wait.
pub const WAITING: [&str; 2] = ["omp_set_lock", "omp_set_nest_lock"];

/// Whether the library knows who holds a lock that is taken there. Ranks agree by what the initial thread passes, and wait for no
/// other.
pub fn is_noted(program: &Program, place: TextPlace) -> bool {
    !program.units.iter().any(|unit| unit.uses_mpi) && is_of_openmp(program, place)
}

/// Whether a call that takes a lock takes one of OpenMP.
pub fn is_of_openmp(program: &Program, place: TextPlace) -> bool {
    begins_with(program, place, &LOCKING)
}

/// Whether a call waits until it has a lock of OpenMP.
pub fn is_waiting(program: &Program, place: TextPlace) -> bool {
    begins_with(program, place, &WAITING)
}

/// Whether the text of a call begins with one of these names.
fn begins_with(program: &Program, place: TextPlace, names: &[&str]) -> bool {
    let text = program.units[place.unit].file.preprocessed_text(place.span);
    names.iter().any(|name| text.trim_start().starts_with(name))
}

/// What a call does to a lock.
pub struct Locking {
    /// It takes the lock, or tries to.
    pub takes: bool,
    /// The call.
    pub place: TextPlace,
    /// The lock as it is written.
    pub lock: String,
    /// What is executed when the call gives zero, or when it does not.
    tried: Option<Tried>,
}

/// A condition that is a call which tries for a lock.
struct Tried {
    /// What is executed when it holds.
    then: Span,
    /// It holds when the lock was taken.
    taken: bool,
}

impl Locking {
    /// Whether the lock was not taken when control goes from the call to a text, or to the function's end. A branch without text says
    /// nothing.
    pub fn is_in_vain(&self, to: Option<Span>) -> bool {
        self.tried.as_ref().is_some_and(|tried| {
            let holds = to.is_some_and(|to| tried.then.contains(to));
            holds != tried.taken
        })
    }
}

/// The nodes that have such calls.
pub fn of(
    program: &Program,
    steps: &Steps,
    id: RoutineId,
    body: &Statement,
    catalogue: &Catalogue,
) -> BTreeMap<usize, Vec<Locking>> {
    let routine = steps.routine(id);
    let unit = routine.function.unit;
    let mut found: BTreeMap<usize, Vec<Locking>> = BTreeMap::new();
    for (node, steps) in routine.nodes.iter().enumerate() {
        for step in steps {
            step.walk(&mut |step| {
                let StepKind::Call(call) = &step.kind else {
                    return;
                };
                let Called::Named(name) = &call.callee else {
                    return;
                };
                let Some(function) = catalogue.find(name) else {
                    return;
                };
                let takes = function.is(Role::Locks);
                if takes || function.is(Role::Unlocks) {
                    let span = step.span;
                    let text = program.units[unit].file.preprocessed_text(span);
                    let lock = text.split_once('(').map_or(text, |(_, lock)| lock);
                    let has_text = |then: Span| {
                        let next = &routine.flow.nodes[node].next;
                        let mut next = next.iter().map(|next| &routine.flow.nodes[next.0]);
                        next.any(|next| next.statement.is_some() && then.contains(next.span))
                    };
                    let tried = name.contains("test").then(|| tried(body, span)).flatten();
                    found.entry(node).or_default().push(Locking {
                        takes,
                        place: TextPlace { unit, span },
                        lock: lock.trim().to_string(),
                        tried: tried.filter(|tried| has_text(tried.then)),
                    });
                }
            });
        }
    }
    found
}

/// The statement whose condition is a call.
fn tried(body: &Statement, call: Span) -> Option<Tried> {
    let mut found = None;
    body.walk(&mut |statement| {
        let (condition, then) = match &statement.kind {
            StatementKind::If {
                condition, then, ..
            } => (condition, then),
            StatementKind::While { condition, body }
            | StatementKind::DoWhile { condition, body }
            | StatementKind::For {
                condition: Some(condition),
                body,
                ..
            } => (condition, body),
            _ => return true,
        };
        if condition.span.contains(call)
            && let Some(taken) = is_call(condition)
        {
            let then = then.span;
            found = Some(Tried { then, taken });
        }
        true
    });
    found
}

/// Whether an expression is a call (`true`), or the opposite of one (`false`).
fn is_call(condition: &Expression) -> Option<bool> {
    match &condition.kind {
        ExpressionKind::Call { .. } => Some(true),
        ExpressionKind::Unary(UnaryOperator::Not, operand) => is_call(operand).map(|one| !one),
        _ => None,
    }
}
