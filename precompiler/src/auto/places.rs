//! The registers of a round, by the places where they stand, and the lines that become of them.
//!
//! In: items with their places. Out: lines: one item per name in a function, plain variables before memory, in functions
//! of their own at the end of a file where no function on the way sees the name. Not here: what has to be registered
//! (`registers`), what items look like (`items`).

use std::collections::{BTreeMap, BTreeSet};

use super::births;
use super::insert::{At, Insertion};
use super::items::{Wanted, base};
use super::marks::{Changes, Marks, stronger};
use super::proposal::Proposal;
use super::spots::{self, Chain};
use super::statics;
use crate::analysis::Analysed;
use crate::analysis::completeness::Site;
use crate::dataflow::steps::{RoutineId, TextPlace, VariableId};
use crate::program::Directive;

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
    /// A static local as a whole, behind its declaration.
    is_resident: bool,
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

/// Where a register stands.
pub(super) enum Spot {
    /// Before or after a statement of a function.
    At(Site),
    /// In a function of its own at the end of a unit, which `main` calls, or every thread before this statement of a region.
    EndOf(usize, Option<Site>),
}

/// Everything that is to be registered, by place.
#[derive(Default)]
pub(super) struct Places {
    inside: BTreeMap<Site, Items>,
    /// At the ends of units; whether each thread calls the function.
    at_end: BTreeMap<(usize, bool), Items>,
    /// Where threads call the function of a unit.
    by_threads: BTreeSet<(Site, usize)>,
    /// What pointers point to: registered where its file ends, or where it is declared.
    pub(super) beside: Vec<(Spot, Wanted)>,
}

impl Places {
    pub(super) fn add(
        &mut self,
        facts: &Analysed,
        spot: Spot,
        mut item: Wanted,
        read: Option<TextPlace>,
    ) {
        // Right after `init` the pointers on the way to memory may still be NULL.
        if matches!(spot, Spot::EndOf(..)) && item.text.contains("->") {
            item.text = format!("follow({})", item.base);
        }
        let rank = Rank::of(&item.text);
        let is_behind = matches!(&spot, Spot::At(site) if site.after);
        let is_resident = is_behind && statics::is_whole(facts, &item);
        let (items, unit) = match spot {
            Spot::At(site) => {
                let items = self.inside.entry(site).or_default();
                (items, facts.unit_index(site.routine))
            }
            Spot::EndOf(unit, caller) => {
                self.by_threads.extend(caller.map(|site| (site, unit)));
                let items = self.at_end.entry((unit, caller.is_some()));
                (items.or_default(), unit)
            }
        };
        items.entry(rank).or_insert_with(|| {
            let reason = read.map_or_else(String::new, |read| facts.line(read, unit));
            Registered {
                is_resident,
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

    pub(super) fn finish(mut self, facts: &Analysed, proposal: &mut Proposal) {
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
        for ((unit, by_threads), items) in &self.at_end {
            let name = registering(facts, *unit, *by_threads);
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
            let who = match by_threads {
                true => "what each thread has of its own; each calls it where checkpoints are",
                false => "what lives as long as the program; main calls it",
            };
            let mut text = vec![
                format!("void {name}(void); /* {who} */"),
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
            if !by_threads {
                calls.push(call(&name));
            }
        }
        for (site, unit) in &self.by_threads {
            call_by_threads(facts, *site, &registering(facts, *unit, true), proposal);
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
        // What is reached from a name that is followed comes with it.
        let comes_along = text.contains("->") && all.contains(&base(text));
        followed(text).is_some() || !all.contains(name) && !comes_along && !more
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

/// The function that registers what no function on the way sees.
fn registering(facts: &Analysed, unit: usize, by_threads: bool) -> String {
    let paths = facts.program.units.iter().map(|one| &*one.file.path);
    let stem = stem(&facts.program.units[unit].file.path, paths);
    match by_threads {
        true => format!("cccp_register_of_threads_{stem}"),
        false => format!("cccp_register_{stem}"),
    }
}

fn call(name: &str) -> String {
    format!("{{ extern void {name}(void); {name}(); }}")
}

/// A call before a statement of a region, but when it stands there already.
fn call_by_threads(facts: &Analysed, site: Site, name: &str, proposal: &mut Proposal) {
    let is_it = |callee: &RoutineId| facts.function(*callee).name == name;
    let function = facts.function(site.routine);
    let Some(chain) = Chain::to(function, site.statement) else {
        return;
    };
    let statement = chain.innermost();
    let parent = chain.parent(statement);
    let region = parent.map_or(statement.span, |one| one.span);
    let is_there = facts.calls(site.routine).iter().any(|(place, call)| {
        let callees = facts.points_to.callees(site.routine, call).routines;
        region.contains(place.span) && callees.iter().any(is_it)
    });
    if !is_there {
        let insertions = spots::before(statement, parent, vec![call(name)]);
        proposal.add(
            facts.unit_index(site.routine),
            insertions.unwrap_or_default(),
        );
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

/// `register` lines with their reasons; first those that need not be executed.
fn lines(items: &Items) -> Vec<String> {
    let (residents, others): (Vec<_>, Vec<_>) = items.values().partition(|one| one.is_resident);
    let mut lines = lines_of(&residents);
    lines.extend(lines_of(&others));
    lines
}

fn lines_of(items: &[&Registered]) -> Vec<String> {
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
    for Registered { text, reason, .. } in items.iter().copied() {
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

/// What a file is called in names: without its directory, unless another of these files has the same name.
fn stem<'a>(path: &str, others: impl Iterator<Item = &'a str>) -> String {
    let short = |path: &'a str| path.rsplit('/').next().unwrap_or(path);
    let name = path.rsplit('/').next().unwrap_or(path);
    let alike = others.filter(|other| short(other) == name).count();
    let name = if alike > 1 { path } else { name };
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
