//! Registers for what the check finds missing.
//!
//! In: the live locations of every checkpoint that nothing brings back, each with the place where a register of it can
//! stand. Out: `register` lines. What lives as long as the program and has a name that no function on the way sees is
//! registered in a function at the end of the file that defines it, which `main` calls after `init`.
//!
//! Not here: what items look like (`items`), where they can stand (the check's cures).

use std::collections::{BTreeMap, BTreeSet};

use super::births;
use super::insert::{At, Insertion};
use super::items::{Wanted, base, is_savable, wanted};
use super::marks::{Changes, Marks, stronger};
use super::proposal::Proposal;
use super::refusal;
use super::spots::{self, Chain};
use super::ways::Ways;
use crate::analysis::Analysed;
use crate::analysis::completeness::{CheckpointCheck, Decision, LiveLocation, Site, StackLocal};
use crate::analysis::effects::ActionKind;
use crate::analysis::memory::{CellId, ObjectKind};
use crate::dataflow::steps::{RoutineId, TextPlace, VariableId, VariableKind};
use crate::program::{Directive, Storage};

/// How long a line of items may get.
const WIDTH: usize = 96;

/// Items at one place.
type Items = BTreeMap<Rank, Registered>;

/// An item that is registered.
struct Registered {
    text: String,
    /// The read that needs it.
    reason: String,
    variable: Option<VariableId>,
}

/// Plain variables come back before memory, whose size may depend on them, and memory before that to which it leads.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    is_memory: bool,
    steps: usize,
    text: String,
}

impl Rank {
    fn of(text: &str) -> Rank {
        Rank {
            is_memory: text.contains(['[', '(']),
            steps: text.matches("->").count(),
            text: text.to_string(),
        }
    }
}

/// Proposes registers for everything that a register brings back. `served` is what new blocks will bring back.
pub(super) fn propose(
    facts: &Analysed,
    ways: &Ways,
    served: &BTreeSet<CellId>,
    proposal: &mut Proposal,
) {
    let freed = freed_on_the_way(facts, ways);
    let mut places = Places::default();
    for check in &facts.completeness.checkpoints {
        for location in &check.locations {
            let Decision::Missing(missing) = &location.decision else {
                continue;
            };
            if location.cells.iter().any(|cell| served.contains(cell)) {
                continue;
            }
            let Some(item) = wanted(facts, &freed, location, missing) else {
                refusal::cannot_be_brought_back(facts, check, location, missing, proposal);
                continue;
            };
            if is_brought(&item.text)
                && let Err(variable) = beside(facts, location, &item, &mut places)
            {
                refusal::leads_to_variable(facts, check, location, missing, &variable, proposal);
            }
            let spot = item
                .site
                .map(Spot::At)
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
            on_stack(facts, check, local, &mut places, proposal);
        }
    }
    places.finish(facts, proposal);
}

/// Whether an item brings allocated blocks.
fn is_brought(item: &str) -> bool {
    item.ends_with("[]") || item.starts_with("follow(")
}

/// A local on the stack to which pointers lead has to be registered, for pointers to lead there again.
fn on_stack(
    facts: &Analysed,
    check: &CheckpointCheck,
    local: &StackLocal,
    places: &mut Places,
    proposal: &mut Proposal,
) {
    let one = facts.steps.variable(local.variable);
    let unit = &facts.program.units[one.ty.unit];
    let is_named = matches!(one.kind, VariableKind::Named | VariableKind::Parameter(_));
    match local.site {
        Some(site) if is_named && is_savable(facts, unit, one.ty.id) => {
            let wanted = Wanted {
                text: one.name.clone(),
                base: one.name.clone(),
                variable: Some(local.variable),
                site: Some(site),
            };
            places.add(facts, Spot::At(site), wanted, None);
        }
        _ => refusal::on_stack(facts, check, local, proposal),
    }
}

/// Variables to which pointers lead that an item for allocated blocks follows have to be registered, too. Otherwise the
/// name of one that cannot.
fn beside(
    facts: &Analysed,
    location: &LiveLocation,
    item: &Wanted,
    places: &mut Places,
) -> Result<(), String> {
    let memory = &facts.points_to.memory;
    let mut objects: BTreeSet<VariableId> = BTreeSet::new();
    for root in facts.steps.variable_ids() {
        if facts.steps.variable(root).name != item.base {
            continue;
        }
        let own = facts.points_to.variable(root).into_iter();
        let own: Vec<CellId> = own
            .flat_map(|object| facts.points_to.cells(object))
            .collect();
        let reached = facts.points_to.reachable(own.iter().copied());
        let leads_there = location
            .cells
            .iter()
            .any(|cell| own.contains(cell) || reached.contains(cell.0 as usize));
        if !leads_there {
            continue;
        }
        for cell in reached
            .ones()
            .filter(|cell| !own.contains(&CellId(*cell as u32)))
        {
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
        if is_registered(facts, variable) {
            continue;
        }
        let one = facts.steps.variable(variable);
        let wanted = Wanted {
            text: one.name.clone(),
            base: one.name.clone(),
            variable: Some(variable),
            site: None,
        };
        let spot =
            end_of_unit(facts, &wanted).or_else(|| births::of(facts, variable).map(Spot::At));
        let spot = spot.ok_or_else(|| one.name.clone())?;
        places.beside.push((spot, wanted));
    }
    Ok(())
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

/// Memory that may be given back while checkpoints are still to come: a register of so many elements would outlive it.
fn freed_on_the_way(facts: &Analysed, ways: &Ways) -> BTreeSet<CellId> {
    let mut freed = BTreeSet::new();
    for routine in facts.steps.routine_ids() {
        facts.effects.bodies[routine.0 as usize].walk(&mut |action| {
            if let ActionKind::Free { cells, .. } = &action.kind
                && ways.may_follow(routine, action.span)
            {
                freed.extend(facts.effects.cells(*cells));
            }
        });
    }
    freed
}

/// Where a register stands.
enum Spot {
    /// Before or after a statement of a function.
    At(Site),
    /// In a function of its own at the end of a unit.
    EndOf(usize),
}

/// The unit that defines the global with which an item begins.
fn end_of_unit(facts: &Analysed, item: &Wanted) -> Option<Spot> {
    let mut globals = facts.steps.variable_ids().filter(|id| {
        let one = facts.steps.variable(*id);
        let lives_on = matches!(one.storage, Storage::Static | Storage::External);
        one.owner.is_none() && lives_on && one.is_defined && one.name == item.base
    });
    let global = match item.variable {
        Some(variable) => globals.find(|id| *id == variable)?,
        None => globals.next()?,
    };
    Some(Spot::EndOf(facts.steps.variable(global).declared.unit))
}

/// Everything that is to be registered, by place.
#[derive(Default)]
struct Places {
    inside: BTreeMap<Site, Items>,
    at_end: BTreeMap<usize, Items>,
    /// What pointers lead to: registered where its file ends, or where it is declared.
    beside: Vec<(Spot, Wanted)>,
}

impl Places {
    fn add(&mut self, facts: &Analysed, spot: Spot, item: Wanted, read: Option<TextPlace>) {
        let rank = Rank::of(&item.text);
        let (items, unit) = match spot {
            Spot::At(site) => {
                let items = self.inside.entry(site).or_default();
                (items, facts.unit_index(site.routine))
            }
            Spot::EndOf(unit) => (self.at_end.entry(unit).or_default(), unit),
        };
        items.entry(rank).or_insert_with(|| {
            let reason = read.map_or_else(String::new, |read| facts.line(read, unit));
            Registered {
                text: item.text,
                reason,
                variable: item.variable,
            }
        });
    }

    /// One strength for all items of a name in a function. Where lines that are there become stronger, nothing is added
    /// before it is known what that is good for.
    fn strengthen(&mut self, marks: &Marks, proposal: &mut Proposal) {
        let mut changes = Changes::default();
        let all: Vec<(RoutineId, String)> = self
            .inside
            .iter()
            .flat_map(|(site, items)| items.values().map(|item| (site.routine, item)))
            .map(|(routine, item)| (routine, marks.strongest(routine, &item.text)))
            .collect();
        for (site, items) in &mut self.inside {
            for (_, mut item) in std::mem::take(items) {
                let here = all.iter().filter(|(routine, _)| *routine == site.routine);
                let text = marks.strongest(site.routine, &item.text);
                let text = here.fold(text.as_str(), |text, (_, other)| stronger(text, other));
                if !marks.strengthen(site.routine, text, &mut changes) {
                    item.text = text.to_string();
                    items.entry(Rank::of(text)).or_insert(item);
                }
            }
        }
        proposal.replacements.extend(marks.changed(changes));
    }

    /// What stands at its place already, and does not bring what it names on every way: where the name begins it does.
    fn move_to_births(&mut self, facts: &Analysed, marks: &Marks) {
        for (site, mut items) in std::mem::take(&mut self.inside) {
            let place = births::place(facts, site);
            let unit = facts.unit_index(site.routine);
            let stands = |item: &Registered| {
                place.is_some_and(|place| marks.stands_at(unit, place, &item.text))
            };
            let moved: Vec<Rank> = items
                .iter()
                .filter(|(_, item)| stands(item))
                .map(|(rank, _)| rank.clone())
                .collect();
            for rank in moved {
                let Some(item) = items.remove(&rank) else {
                    continue;
                };
                let name = base(&item.text);
                let local = item
                    .variable
                    .or_else(|| births::local(facts, site.routine, &name));
                let birth = local.and_then(|local| births::of(facts, local));
                if let Some(birth) = birth.filter(|birth| *birth != site) {
                    let there = self.inside.entry(birth).or_default();
                    there.entry(rank).or_insert(item);
                }
            }
            let here = self.inside.entry(site).or_default();
            for (rank, item) in items {
                here.entry(rank).or_insert(item);
            }
        }
    }

    fn finish(mut self, facts: &Analysed, proposal: &mut Proposal) {
        for (spot, wanted) in std::mem::take(&mut self.beside) {
            let mut inside = self.inside.values().flat_map(BTreeMap::values);
            if !inside.any(|item| item.variable == wanted.variable) {
                self.add(facts, spot, wanted, None);
            }
        }
        let marks = Marks::of(facts);
        self.strengthen(&marks, proposal);
        self.move_to_births(facts, &marks);
        for items in self.inside.values_mut().chain(self.at_end.values_mut()) {
            without_doubles(items);
        }
        let mut calls: Vec<String> = Vec::new();
        for (unit, items) in &self.at_end {
            let name = format!(
                "cccp_register_{}",
                stem(&facts.program.units[*unit].file.path)
            );
            let functions = &facts.program.units[*unit].functions;
            let earlier = functions.iter().find(|one| one.name == name);
            if let Some(close) = earlier.and_then(|one| one.body_close) {
                // An earlier round wrote the function.
                let insertion = Insertion {
                    at: At::Before(close),
                    order: 0,
                    lines: lines(items),
                };
                proposal.add(*unit, [insertion]);
                continue;
            }
            let mut text = vec![
                format!(
                    "void {name}(void); /* what lives as long as the program; main calls it */"
                ),
                format!("void {name}(void)"),
                "{".to_string(),
            ];
            text.extend(lines(items));
            text.push("}".to_string());
            let insertion = Insertion {
                at: At::After(facts.program.units[*unit].file.original.len()),
                order: 0,
                lines: text,
            };
            proposal.add(*unit, [insertion]);
            calls.push(format!("{{ extern void {name}(void); {name}(); }}"));
        }
        for (site, items) in &mut self.inside {
            put(facts, &marks, *site, items, proposal);
        }
        if !calls.is_empty() {
            call_from_main(facts, calls, proposal);
        }
    }
}

/// One item per name, because a register replaces an older one of its name: what is followed comes back with all that it
/// leads to, and memory with the pointer that leads there.
fn without_doubles(items: &mut Items) {
    let followed = |text: &str| -> Option<String> {
        let name = text.strip_prefix("follow(")?.strip_suffix(')')?;
        Some(name.to_string())
    };
    let names = |of: &dyn Fn(&str) -> Option<String>| -> BTreeSet<String> {
        items.keys().filter_map(|rank| of(&rank.text)).collect()
    };
    let all = names(&followed);
    let blocks = names(&|text| text.strip_suffix("[]").map(str::to_owned));
    let memory = names(&|text| text.split_once('[').map(|(name, _)| name.to_string()));
    items.retain(|rank, _| {
        let text = &rank.text;
        let name = text.split('[').next().unwrap_or(text);
        let more = match text.contains('[') {
            true => !text.ends_with("[]") && blocks.contains(name),
            false => memory.contains(name),
        };
        followed(text).is_some() || !all.contains(name) && !more
    });
}

/// Puts lines before or after a statement, but for items that stand there already.
fn put(facts: &Analysed, marks: &Marks, site: Site, items: &mut Items, proposal: &mut Proposal) {
    let function = facts.function(site.routine);
    let unit = facts.unit_index(site.routine);
    let Some(chain) = Chain::to(function, site.statement) else {
        return;
    };
    let statement = chain.innermost();
    if let Some(at) = births::place(facts, site) {
        items.retain(|_, item| !marks.stands_at(unit, at, &item.text));
    }
    let lines = lines(items);
    if lines.is_empty() {
        return;
    }
    if site.after {
        proposal.add(unit, spots::after(statement, lines));
        return;
    }
    let insertions = spots::before(statement, chain.parent(statement), lines);
    for mut one in insertions.unwrap_or_default() {
        // Behind calls that register what lives as long as the program.
        one.order += 1;
        proposal.add(unit, [one]);
    }
}

/// Calls right after `init`.
fn call_from_main(facts: &Analysed, calls: Vec<String>, proposal: &mut Proposal) {
    let init = facts
        .directives()
        .find(|(_, one)| matches!(one.directive, Directive::Init { .. }));
    if let Some((unit, one)) = init {
        let insertion = Insertion {
            at: At::After(one.lines.end),
            order: 0,
            lines: calls,
        };
        proposal.add(unit, [insertion]);
    }
}

/// `register` lines with their reasons.
fn lines(items: &Items) -> Vec<String> {
    let mut lines = Vec::new();
    let mut texts: Vec<&str> = Vec::new();
    let mut reasons: Vec<String> = Vec::new();
    let mut width = 0;
    let mut flush = |texts: &mut Vec<&str>, reasons: &mut Vec<String>| {
        if !texts.is_empty() {
            let read = match reasons.is_empty() {
                true => String::new(),
                false => format!(" /* read: {} */", reasons.join(", ")),
            };
            lines.push(format!("#pragma cccp register({}){read}", texts.join(", ")));
        }
        texts.clear();
        reasons.clear();
    };
    for Registered { text, reason, .. } in items.values() {
        let needed = 2 * text.len() + reason.len() + 4;
        if width + needed > WIDTH {
            flush(&mut texts, &mut reasons);
            width = 0;
        }
        width += needed;
        texts.push(text);
        if !reason.is_empty() {
            reasons.push(format!("{text} {reason}"));
        }
    }
    flush(&mut texts, &mut reasons);
    lines
}

/// A file's name as part of a C name.
fn stem(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    let name = name.strip_suffix(".c").unwrap_or(name);
    name.chars()
        .map(|one| {
            if one.is_ascii_alphanumeric() {
                one
            } else {
                '_'
            }
        })
        .collect()
}
