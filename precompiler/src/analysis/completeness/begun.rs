//! Statics of functions that are registered where they begin.
//!
//! A name of a static local is known in its function only, and so nothing leads to it before control has come to the first
//! place that names it. What pointers may point to is known for the program as a whole, without an order: a store in `main`
//! counts for the static of a function that has not been called yet. A register through which control passes before every
//! place that names the static is on all ways on which it may have been changed.
//!
//! ```text
//! *p = 3;  f(&p);        void f(int **p) { static int x;  register(x)  *p = &x;  … }      the store is not to `x`
//! ```
//!
//! Functions that may be called before `init`, by a handler or from outside count for nothing: errors fall on the side of a
//! register too many.

use std::collections::BTreeSet;

use super::cover::{Cover, Covers};
use super::facts::Facts;
use crate::analysis::effects::ActionKind;
use crate::analysis::inits;
use crate::analysis::memory::{ObjectId, ObjectKind};
use crate::analysis::points_to::PointsTo;
use crate::dataflow::steps::{RoutineId, VariableId, VariableKind};
use crate::dataflow::{Flow, Reached};
use crate::program::{Directive, Storage, SymbolId};
use crate::source::Span;

/// The statics that are registered before anything can be stored to them.
pub(super) fn registered_where_they_begin(
    facts: &Facts,
    covers: &Covers,
    points_to: &PointsTo,
) -> BTreeSet<VariableId> {
    let early = before_init(facts);
    let mut found = BTreeSet::new();
    for object in &points_to.memory.objects {
        let ObjectKind::Variable(id) = object.kind else {
            continue;
        };
        let one = facts.steps.variable(id);
        let is_static =
            one.kind == VariableKind::Named && one.storage == Storage::Static && !one.per_thread;
        let (Some(owner), Some(symbol), true) = (one.owner, one.symbol, is_static) else {
            continue;
        };
        let first = object.first.0 as usize;
        let mut cells = first..first + object.count as usize;
        let mut own = covers
            .all
            .iter()
            .filter(|cover| cover.routine == owner && cover.name == one.name)
            .peekable();
        // All registers of that name have to be of all of it: a later one replaces the first.
        let is_whole = |cover: &&Cover| cells.clone().all(|cell| cover.sure.contains(&cell));
        if own.peek().is_none() || !own.clone().all(|one| is_whole(&one)) {
            continue;
        }
        let is_ended = has_unregister(facts, &one.name);
        let registers: Vec<Span> = own
            .map(|cover| {
                let place = cover.item.directive;
                facts.program.units[place.unit].directives[place.id.0].span
            })
            .collect();
        let is_early = |span: &Span| facts.control.has(&early, owner, span.start);
        if registers.iter().any(is_early) {
            continue;
        }
        if !is_ended && cells.next().is_some() && come_first(facts, owner, symbol, &registers) {
            found.insert(id);
        }
    }
    found
}

fn has_unregister(facts: &Facts, name: &str) -> bool {
    let mut all = facts.program.units.iter().flat_map(|unit| &unit.directives);
    all.any(|one| match &one.directive {
        Directive::Unregister { names } => names.iter().any(|one| one == name),
        _ => false,
    })
}

/// Whether control comes to one of the registers before it comes to any place that names a symbol.
fn come_first(facts: &Facts, routine: RoutineId, symbol: SymbolId, registers: &[Span]) -> bool {
    let one = facts.steps.routine(routine);
    let flow = &one.flow;
    let stops: BTreeSet<usize> = registers
        .iter()
        .filter_map(|span| flow.node_at(span.start))
        .map(|node| node.0)
        .collect();
    let reached = flow.along([Flow::ENTRY.0], |_, to| !stops.contains(&to));
    let unit = &facts.program.units[one.function.unit];
    let body = &unit.function(one.function.function).body;
    let mut is_first = !stops.is_empty();
    body.walk_expressions(&mut |expression| {
        if expression.symbol() == Some(symbol) {
            let node = flow.node_at(expression.span.start);
            is_first &= node.is_some_and(|node| !reached[node.0]);
        }
    });
    is_first
}

/// From where control may come to `init`, and what may run at any time.
fn before_init(facts: &Facts) -> Reached {
    facts.control.before(inits(facts.program, facts.steps))
}

/// Blocks of the heap that may be allocated behind `init`, by code that a restart does not execute again.
pub(super) fn allocated_behind_init(facts: &Facts) -> BTreeSet<ObjectId> {
    let begun = facts.control.after(inits(facts.program, facts.steps));
    let mut late = BTreeSet::new();
    for routine in facts.steps.routine_ids() {
        facts.visit(routine.0 as usize, &mut |action| {
            if let ActionKind::Begin { object, .. } = action.kind
                && facts.control.has(&begun, routine, action.span.start)
                && !facts.runs_again(routine, action.span)
                && !facts.is_made_early(object)
            {
                late.insert(object);
            }
        });
    }
    late
}
