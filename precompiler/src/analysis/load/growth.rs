//! Branches that give a table more room once it is full: `if (n == room) { room *= 2; table = realloc(table, room); }`.
//!
//! In: the condition and the branch of an `if`, and all functions of the program. Out: whether the branch is of this kind: it compares
//! two things that change, and it, or a function that it calls, sets one of them and allocates memory. However much goes into the table,
//! that happens once for each doubling, so it weighs as what is done once in a while (`refills`).
//!
//! ```text
//! if (h->occupied >= h->most) resize(h);       … h->keys = realloc(h->keys, …); for (…) move(h, i); h->most = … in `resize`
//! ```
//!
//! It is an estimate: a branch taken for the wrong kind weighs more or less.

use std::collections::{BTreeSet, HashMap};

use crate::catalog::{Catalogue, Role};
use crate::program::{BinaryOperator, Expression, ExpressionKind, Program, Statement};
use crate::solver::reached;

/// What functions call and set.
#[derive(Default)]
struct Facts<'a> {
    calls: BTreeSet<&'a str>,
    /// Names of variables and members.
    set: BTreeSet<&'a str>,
}

impl<'a> Facts<'a> {
    fn add(&mut self, one: &'a Expression) {
        match &one.kind {
            ExpressionKind::Call { callee, .. } => self.calls.extend(name(callee)),
            ExpressionKind::Assign { target, .. } | ExpressionKind::Step(_, target) => {
                self.set.extend(name(target));
            }
            _ => {}
        }
    }
}

/// The functions of a program that allocate memory, by name, and the names of members that they set.
pub struct Growth<'a> {
    catalogue: &'a Catalogue,
    allocating: HashMap<&'a str, BTreeSet<&'a str>>,
}

impl<'a> Growth<'a> {
    /// Looks at all functions.
    pub fn of(program: &'a Program, catalogue: &'a Catalogue) -> Growth<'a> {
        let functions = program.units.iter().flat_map(|unit| &unit.functions);
        let all: Vec<(&str, Facts<'_>)> = functions
            .map(|function| {
                let mut facts = Facts::default();
                (function.body).walk_expressions(&mut |one| facts.add(one));
                (function.name.as_str(), facts)
            })
            .collect();
        let mut callers: HashMap<&str, Vec<usize>> = HashMap::new();
        for (number, (_, facts)) in all.iter().enumerate() {
            for called in &facts.calls {
                callers.entry(called).or_default().push(number);
            }
        }
        let numbers = 0..all.len();
        let first = { numbers.clone() }
            .filter(|one| { all[*one].1.calls.iter() }.any(|name| allocates(catalogue, name)));
        let found = reached(all.len(), first, |one, open| {
            open.extend(callers.get(all[one].0).into_iter().flatten());
        });
        let allocating = all.into_iter().zip(numbers);
        let allocating = allocating.filter(|(_, number)| found[*number]);
        Growth {
            catalogue,
            allocating: allocating
                .map(|((name, facts), _)| (name, facts.set))
                .collect(),
        }
    }

    /// Whether a branch gives more room.
    pub fn opens(&self, condition: &Expression, branch: &Statement) -> bool {
        let mut compared = Vec::new();
        compares(condition, &mut compared);
        if compared.is_empty() {
            return false;
        }
        let mut here = Facts::default();
        branch.walk_expressions(&mut |one| here.add(one));
        let is_set_here = compared.iter().any(|one| here.set.contains(one.name));
        here.calls.iter().any(|called| {
            let by_function = self.allocating.get(called);
            let sets = |facts: &BTreeSet<&str>| {
                let mut members = compared.iter().filter(|one| one.is_member);
                members.any(|one| facts.contains(one.name))
            };
            let allocates = by_function.is_some() || allocates(self.catalogue, called);
            allocates && is_set_here || by_function.is_some_and(sets)
        })
    }
}

fn allocates(catalogue: &Catalogue, name: &str) -> bool {
    let function = catalogue.find(name);
    function.is_some_and(|function| function.is(Role::Allocates))
}

/// What a condition compares.
struct Compared<'a> {
    name: &'a str,
    is_member: bool,
}

/// The two sides of comparisons in a condition, where both are things that change.
fn compares<'a>(condition: &'a Expression, found: &mut Vec<Compared<'a>>) {
    match &condition.kind {
        ExpressionKind::Logical { left, right, .. } => {
            compares(left, found);
            compares(right, found);
        }
        ExpressionKind::Binary(operator, left, right) => {
            let sides = [left, right].map(|side| {
                let mut names = Vec::new();
                things(side, &mut names);
                names
            });
            if operator.compares()
                && *operator != BinaryOperator::NotEqual
                && sides.iter().all(|side| !side.is_empty())
            {
                found.extend(sides.into_iter().flatten());
            }
        }
        _ => {}
    }
}

/// The variables and members in one side.
fn things<'a>(side: &'a Expression, found: &mut Vec<Compared<'a>>) {
    match &side.kind {
        ExpressionKind::Cast(inner) | ExpressionKind::Unary(_, inner) => things(inner, found),
        ExpressionKind::Step(_, inner) => things(inner, found),
        ExpressionKind::Binary(_, left, right) => {
            things(left, found);
            things(right, found);
        }
        _ => found.extend(name(side).map(|name| Compared {
            name,
            is_member: matches!(side.kind, ExpressionKind::Member { .. }),
        })),
    }
}

/// The name of a variable, a function or a member.
fn name(one: &Expression) -> Option<&str> {
    match &one.kind {
        ExpressionKind::Name { name, .. } | ExpressionKind::Member { name, .. } => Some(name),
        _ => None,
    }
}
