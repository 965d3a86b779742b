//! Registers for what the check finds missing.
//!
//! In: the live locations of every checkpoint that nothing restores, each with the place where a register of it can
//! stand. Out: `register` lines. What lives as long as the program and has a name that no function on the way sees is
//! registered in a function at the end of the file that defines it, which `main` calls after `init`.
//!
//! Not here: what items look like (`items`), where they can stand (the check's cures).

use std::collections::BTreeSet;

use super::births;
use super::items::{Wanted, is_savable_around_handles, wanted};
use super::places::{Places, Spot};
use super::proposal::Proposal;
use super::refusal;
use super::statics;
use super::ways::Ways;
use crate::analysis::Analysed;
use crate::analysis::completeness::{
    CheckpointCheck, Cure, Decision, DirectivePlace, LiveLocation, Site, StackLocal,
};
use crate::analysis::constants::is_read_only;
use crate::analysis::handles::leads_to_library;
use crate::analysis::memory::{CellId, ObjectKind};
use crate::dataflow::steps::{VariableId, VariableKind};
use crate::program::{Directive, Extent, Storage, SymbolId, TypeKind};

/// Proposes registers for everything that a register restores. `served` is what new blocks will restore.
pub(super) fn propose(
    facts: &Analysed,
    ways: &Ways,
    served: &BTreeSet<CellId>,
    proposal: &mut Proposal,
) {
    let freed = ways.freed();
    let mut places = Places::default();
    for check in &facts.completeness.checkpoints {
        for location in &check.locations {
            let Decision::Missing(missing) = &location.decision else {
                continue;
            };
            if location.cells.iter().any(|cell| served.contains(cell)) {
                continue;
            }
            let each = || of_each_thread(facts, check, location);
            let one = || wanted(facts, &freed, location, missing).map(|item| (item, None));
            let root = location.root.map(|root| facts.steps.variable(root));
            let item = match missing.cure {
                Cure::OtherThreads => each(),
                // In a region the initial thread registers its copy as the others do.
                _ if root.is_some_and(|root| root.per_thread) => each().or_else(one),
                _ => one(),
            };
            let Some((item, spot)) = item else {
                refusal::cannot_be_brought_back(facts, check, location, missing, proposal);
                continue;
            };
            if is_brought(&item.text)
                && let Err(variable) = beside(facts, location, &item, &mut places)
            {
                refusal::leads_to_variable(facts, check, location, missing, variable, proposal);
            }
            let site = || {
                let found = statics::site(facts, &item).or(item.site);
                found.filter(|site| is_complete_at(facts, site, &item))
            };
            let spot = spot
                .or_else(|| site().map(Spot::At))
                .or_else(|| end_of_unit(facts, &item))
                .or_else(|| births::of(facts, item.variable?).map(Spot::At));
            let text = item.text.clone();
            let read = missing.read.as_ref().map(|one| one.read);
            match spot {
                Some(spot) => places.add(facts, spot, item, read),
                None => refusal::no_place(facts, check, location, missing, &text, proposal),
            }
        }
        for local in check.pointed.iter().filter(|one| !one.is_registered) {
            on_stack(facts, local, &mut places, proposal);
        }
    }
    places.finish(facts, proposal);
}

/// The item of a variable of which each thread has its own: first in the region that makes the copies, or that is the innermost one, or in the function that is called in regions only, where
/// each of them registers it; in a function that they call there where its name is not seen.
fn of_each_thread(
    facts: &Analysed,
    check: &CheckpointCheck,
    location: &LiveLocation,
) -> Option<(Wanted, Option<Spot>)> {
    let DirectivePlace { unit, id } = check.directive;
    let directive = facts.program.units[unit].directives[id.0].span;
    let body = &facts.function(check.routine).body;
    let around = body.regions_around(directive).into_iter();
    let around: Vec<_> = around.filter(|one| one.is_parallel_region()).collect();
    let made = { location.root }.map(|root| facts.steps.variable(root).declared.span);
    let mut copied = around.iter().filter(|one| Some(one.span) == made);
    let is_of_all = || facts.steps.only_in_teams.contains(&check.routine);
    let region = copied.next().or(around.last()).copied();
    let first = births::first(region.or_else(|| is_of_all().then_some(body))?);
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let name = &location.name;
    let base = &name[..name.find(|c| !is_name(c)).unwrap_or(name.len())];
    let seen = facts.program.units[unit].lookup(first.scope, base, first.span.start);
    // Not one of the same name that is seen there instead.
    let is_own = |id: VariableId| {
        let one = facts.steps.variable(id);
        seen.is_some() && one.name == base && (one.symbol.is_none() || one.symbol == seen)
    };
    let root = location.root?;
    let site = Site {
        routine: check.routine,
        statement: first.id,
        after: false,
    };
    let item = Wanted {
        text: name.clone(),
        base: base.to_string(),
        root: location.root,
        variable: None,
        site: is_own(root).then_some(site),
    };
    match (item.site, end_of_unit(facts, &item)) {
        (Some(_), _) => Some((item, None)),
        (None, Some(Spot::EndOf(unit, None))) => Some((item, Some(Spot::EndOf(unit, Some(site))))),
        // One of a function, by its name.
        _ if item.text == item.base => {
            let site = at_declaration(facts, root)?;
            Some((item, Some(Spot::At(site))))
        }
        _ => None,
    }
}

/// Behind the declaration of a static of a function, of which each thread has its own: every thread that comes there registers it.
fn at_declaration(facts: &Analysed, root: VariableId) -> Option<Site> {
    let one = facts.steps.variable(root);
    let routine = one.owner?;
    let is_it = |id: &VariableId| {
        let other = facts.steps.variable(*id);
        other.kind == VariableKind::Named
            && other.per_thread
            && (other.owner, other.declared) == (one.owner, one.declared)
    };
    let named = facts.steps.variable_ids().find(is_it)?;
    let has_init = facts.inits().any(|(holder, _)| holder == routine);
    births::of(facts, named).filter(|_| !has_init)
}

/// Whether an item brings allocated blocks.
fn is_brought(item: &str) -> bool {
    item.ends_with("[]") || item.starts_with("follow(")
}

/// A local on the stack to which pointers lead has to be registered, for pointers to lead there again.
fn on_stack(facts: &Analysed, local: &StackLocal, places: &mut Places, proposal: &mut Proposal) {
    let one = facts.steps.variable(local.variable);
    let unit = &facts.program.units[one.ty.unit];
    let is_named = matches!(one.kind, VariableKind::Named | VariableKind::Parameter(_));
    let origins = &facts.completeness.origins;
    let object = facts.points_to.variable(local.variable);
    let is_plain = !object.is_some_and(|object| origins.are_in(facts.points_to, object));
    match local.site {
        Some(site) if is_named && is_plain && is_savable_around_handles(facts, unit, one.ty.id) => {
            let wanted = Wanted {
                text: one.name.clone(),
                base: one.name.clone(),
                root: Some(local.variable),
                variable: Some(local.variable),
                site: Some(site),
            };
            places.add(facts, Spot::At(site), wanted, None);
        }
        _ => refusal::on_stack(facts, local, proposal),
    }
}

/// Variables to which pointers lead that an item for allocated blocks follows have to be registered, too. Otherwise one
/// that cannot.
fn beside(
    facts: &Analysed,
    location: &LiveLocation,
    item: &Wanted,
    places: &mut Places,
) -> Result<(), VariableId> {
    let memory = &facts.points_to.memory;
    let mut objects: BTreeSet<VariableId> = BTreeSet::new();
    if let Some(root) = item.root {
        let own = facts.points_to.variable(root).into_iter();
        let own: Vec<CellId> = own
            .flat_map(|object| facts.points_to.cells(object))
            .collect();
        // What a communicator leads to is the library's.
        let is_followed = |cell: CellId| !holds_library(facts, cell);
        let points_to = facts.points_to;
        let reached = points_to.reachable_through(own.iter().copied(), is_followed);
        let leads_there = location
            .cells
            .iter()
            .any(|cell| own.contains(cell) || reached.contains(cell.0 as usize));
        let beyond = reached.ones().filter(|_| leads_there);
        for cell in beyond.filter(|cell| !own.contains(&CellId(*cell as u32))) {
            let object = memory.cells[cell].object;
            // A local counts while it is on the stack, and is looked at by itself.
            if let ObjectKind::Variable(variable) = memory.objects[object.0 as usize].kind
                && !is_automatic(facts, variable)
            {
                objects.insert(variable);
            }
        }
    }
    for variable in objects {
        let one = facts.steps.variable(variable);
        // What a library defines is no state of the program: the run stops at a pointer there that it cannot name.
        let is_foreign = one.is_of_library(facts.program, facts.catalogue);
        if is_foreign || is_registered(facts, variable) || is_read_only(facts.program, one) {
            continue;
        }
        let wanted = Wanted {
            text: one.name.clone(),
            base: one.name.clone(),
            root: Some(variable),
            variable: Some(variable),
            site: None,
        };
        let spot =
            end_of_unit(facts, &wanted).or_else(|| births::of(facts, variable).map(Spot::At));
        let spot = spot.ok_or(variable)?;
        places.beside.push((spot, wanted));
    }
    Ok(())
}

/// Whether a cell holds a handle to something of a library.
fn holds_library(facts: &Analysed, cell: CellId) -> bool {
    let ty = facts.points_to.memory.cells[cell.0 as usize].ty;
    facts.completeness.of_handles.contains_key(&cell)
        || ty.is_some_and(|ty| {
            let unit = &facts.program.units[ty.unit];
            leads_to_library(facts.catalogue, unit, ty.id)
        })
}

fn is_automatic(facts: &Analysed, variable: VariableId) -> bool {
    let storage = facts.steps.variable(variable).storage;
    matches!(storage, Storage::Automatic | Storage::Register)
}

/// Whether a directive of the program registers a variable.
fn is_registered(facts: &Analysed, variable: VariableId) -> bool {
    facts.directives().any(|(unit, one)| match &one.directive {
        Directive::Register { items } => items.iter().any(|item| {
            item.is_whole_variable && facts.steps.variable_of(unit, item.symbol) == Some(variable)
        }),
        _ => false,
    })
}

/// Whether the file of a place knows how large the variable is with which an item begins: not behind `extern char text[];`.
fn is_complete_at(facts: &Analysed, site: &Site, item: &Wanted) -> bool {
    let number = facts.unit_index(site.routine);
    let unit = &facts.program.units[number];
    let is_it = |id: &SymbolId| facts.steps.variable_of(number, *id) == item.root;
    let mut here = (0..unit.symbols.len()).map(SymbolId).filter(is_it);
    item.root.is_none()
        || here.all(|id| match unit.kind(unit.symbols[id.0].ty) {
            TypeKind::Array { extent, .. } => !matches!(extent, Extent::Unspecified),
            TypeKind::Record(record) => unit.records[record.0].members.is_some(),
            _ => true,
        })
}

/// The unit that defines the global with which an item begins.
fn end_of_unit(facts: &Analysed, item: &Wanted) -> Option<Spot> {
    let one = facts.steps.variable(item.root?);
    let lives_on = matches!(one.storage, Storage::Static | Storage::External);
    let is_global = one.owner.is_none() && lives_on && one.is_defined;
    is_global.then_some(Spot::EndOf(one.declared.unit, None))
}
