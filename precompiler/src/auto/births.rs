//! Where a local begins: the first place at which a register of it can stand.
//!
//! A register stands as early as possible on the way to the checkpoint that needs it. Where control gets to other
//! checkpoints around it (branches, jumps, loops that call the function again), what stands where the local begins is on
//! every way on which it has a value.
//!
//! ```text
//! static int calls = 7;          register(calls) behind it
//! int f(int depth) {             register(depth) before the first statement
//! for (int i = 0; …) {           register(i) before the first statement of the body
//! ```
//!
//! Not here: whether that is enough; the next round of the check tells.

use super::insert::At;
use super::spots::Chain;
use crate::analysis::Analysed;
use crate::analysis::completeness::Site;
use crate::dataflow::steps::{RoutineId, VariableId, VariableKind};
use crate::program::{Directive, Statement, StatementId, StatementKind};

/// The local of a function with which an item begins; none when there is no such local, or more than one.
pub(super) fn local(facts: &Analysed, routine: RoutineId, name: &str) -> Option<VariableId> {
    let mut all = facts.steps.variable_ids().filter(|id| {
        let one = facts.steps.variable(*id);
        let is_declared = matches!(one.kind, VariableKind::Named | VariableKind::Parameter(_));
        one.owner == Some(routine) && is_declared && one.name == name
    });
    let first = all.next()?;
    all.next().is_none().then_some(first)
}

/// Behind the declaration of a local, or where the function begins; not before `init`.
pub(super) fn of(facts: &Analysed, variable: VariableId) -> Option<Site> {
    let one = facts.steps.variable(variable);
    let routine = one.owner?;
    let site = |statement: StatementId, after: bool| Site {
        routine,
        statement,
        after,
    };
    let body = &facts.function(routine).body;
    let (found, offset) = match one.kind {
        VariableKind::Parameter(_) => {
            let first = first(body);
            (site(first.id, false), first.span.start)
        }
        VariableKind::Named if one.symbol.is_none() => {
            // A thread's copy begins with its region.
            let around = body.regions_around(one.declared.span);
            let region = around
                .into_iter()
                .find(|region| region.span == one.declared.span)?;
            let first = first(region);
            (site(first.id, false), first.span.start)
        }
        VariableKind::Named => {
            let chain = Chain::of(facts.function(routine), one.declared.span.start);
            let declaring = chain.innermost();
            match &declaring.kind {
                StatementKind::For { body, .. } => {
                    let first = first(body);
                    (site(first.id, false), first.span.start)
                }
                StatementKind::Declaration(_) if declaring.in_compound => {
                    (site(declaring.id, true), declaring.span.end)
                }
                _ => return None,
            }
        }
        _ => return None,
    };
    match init(facts, routine) {
        Some((statement, end)) if offset < end => {
            // What is declared before it, it can see.
            let is_outermost = body.children().iter().any(|one| one.id == statement);
            (is_outermost && offset <= end).then_some(site(statement, true))
        }
        _ => Some(found),
    }
}

/// Where lines of a site go.
pub(super) fn place(facts: &Analysed, site: Site) -> Option<At> {
    let chain = Chain::to(facts.function(site.routine), site.statement)?;
    let place = chain.innermost().place?;
    Some(match site.after {
        true => At::After(place.end),
        false => At::Before(place.start),
    })
}

/// The first statement of a body.
pub(super) fn first(body: &Statement) -> &Statement {
    match &body.kind {
        StatementKind::Compound { items, .. } => items.first().unwrap_or(body),
        _ => body,
    }
}

/// The `init` of a function, and where it ends.
fn init(facts: &Analysed, routine: RoutineId) -> Option<(StatementId, usize)> {
    let directives = &facts.unit(routine).directives;
    let mut found = None;
    facts.function(routine).body.walk(&mut |one| {
        if let StatementKind::Directive(id) = one.kind
            && matches!(directives[id.0].directive, Directive::Init { .. })
        {
            found = Some((one.id, one.span.end));
        }
        true
    });
    found
}
