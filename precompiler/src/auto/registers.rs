//! Registers for what the check finds missing.
//!
//! In: the live locations of every checkpoint that nothing brings back. Out: `register` lines. A local is registered in
//! its own function, before the outermost statement around the checkpoint, or around the call that leads there, in which
//! its name is visible: so a register stands in front of loops rather than in them. What lives as long as the program is
//! registered in `main`; when `main` does not see its name, in a function at the end of the file that defines it,
//! which `main` calls.
//!
//! Not here: what items look like (`items`).

use std::collections::{BTreeMap, BTreeSet};

use super::facts::Facts;
use super::insert::{At, Insertion};
use super::items::{Root, Wanted, is_static, wanted};
use super::proposal::Proposal;
use super::refusal;
use super::spots::{self, Chain, scope_at};
use crate::analysis::completeness::{CheckpointCheck, Decision, LiveLocation};
use crate::analysis::memory::CellId;
use crate::dataflow::steps::{RoutineId, TextPlace, VariableId};
use crate::program::{Statement, StatementId};

/// How long a line of items may get.
const WIDTH: usize = 96;

/// Items at one place, with the reads that need them.
type Items = BTreeMap<Rank, (String, String)>;

/// Plain variables come back before memory, whose size may depend on them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rank(bool, String);

/// Proposes registers for everything that a register brings back.
/// `served` is what new blocks will bring back.
pub(super) fn propose(facts: &Facts, served: &BTreeSet<CellId>, proposal: &mut Proposal) {
    let mut places = Places::default();
    for (number, check) in facts.completeness.checkpoints.iter().enumerate() {
        for location in &check.locations {
            let Decision::Missing(missing) = &location.decision else {
                continue;
            };
            if location.cells.iter().any(|cell| served.contains(cell)) {
                continue;
            }
            let Some(item) = wanted(facts, location, missing) else {
                refusal::cannot_be_brought_back(facts, check, location, missing, proposal);
                continue;
            };
            let way = Way::to(facts, number, check);
            let text = item.text.clone();
            let reason = missing.read.as_ref().map(|one| one.read);
            let found = match &item.root {
                Root::Variable(variable) => of_variable(facts, &way, location, *variable),
                Root::Name(name) => of_memory(facts, &way, location, name),
            };
            match found {
                Some(spot) => places.add(facts, spot, item, reason),
                None => {
                    refusal::no_place(facts, check, location, missing, &text, proposal);
                }
            }
        }
    }
    places.finish(facts, proposal);
}

/// The activations on the way to a checkpoint, that of the checkpoint first.
struct Way {
    frames: Vec<(RoutineId, TextPlace)>,
}

impl Way {
    fn to(facts: &Facts, number: usize, check: &CheckpointCheck) -> Way {
        let live = facts.liveness.checkpoints();
        let directive = &facts.program.units[check.directive.unit].directives[check.directive.id.0];
        let place = TextPlace {
            unit: check.directive.unit,
            span: directive.span,
        };
        let mut frames = vec![(check.routine, place)];
        let same = live
            .get(number)
            .filter(|one| one.unit == check.directive.unit && one.directive == check.directive.id);
        if let Some(live) = same {
            frames.extend(live.frames.iter().map(|one| (one.routine, one.call)));
        }
        Way { frames }
    }

    /// The place on the way in a function.
    fn in_routine(&self, routine: RoutineId, call: Option<TextPlace>) -> Option<TextPlace> {
        let of_routine = |(one, _): &&(RoutineId, TextPlace)| *one == routine;
        call.or_else(|| self.frames.iter().find(of_routine).map(|(_, place)| *place))
    }
}

/// Where a register stands.
enum Spot {
    /// Before a statement of a function.
    Before(RoutineId, StatementId, usize),
    /// In a function of its own at the end of a unit.
    EndOf(usize),
}

fn of_variable(
    facts: &Facts,
    way: &Way,
    location: &LiveLocation,
    variable: VariableId,
) -> Option<Spot> {
    let facts_of = facts.steps.variable(variable);
    if is_static(facts_of.storage) {
        if facts_of.owner.is_some() {
            return None;
        }
        return of_global(facts, way, variable);
    }
    let routine = location.frame.or(facts_of.owner)?;
    let place = way.in_routine(routine, location.call)?;
    before(facts, routine, place, facts_of.symbol?)
}

/// Before the outermost statement around a place that sees a symbol.
fn before(
    facts: &Facts,
    routine: RoutineId,
    place: TextPlace,
    symbol: crate::program::SymbolId,
) -> Option<Spot> {
    let unit = facts.unit(routine);
    let chain = Chain::of(facts.function(routine), place.span.start);
    let symbol = &unit.symbols[symbol.0];
    let statement = outermost(facts, routine, &chain, |statement| {
        statement.span.start >= symbol.visible_from
            && spots::is_within(unit, statement.scope, symbol.scope)
    })?;
    Some(Spot::Before(routine, statement.id, place.span.start))
}

/// The outermost statement of a chain, behind `init` if that is in the function, for which `sees` holds.
fn outermost<'a>(
    facts: &Facts,
    routine: RoutineId,
    chain: &Chain<'a>,
    sees: impl Fn(&Statement) -> bool,
) -> Option<&'a Statement> {
    let unit = facts.unit_index(routine);
    let init = facts.directives().find(|(of, one)| {
        let is_init = matches!(one.directive, crate::program::Directive::Init { .. });
        *of == unit && is_init && facts.function(routine).span.contains(one.span)
    });
    let from = init.map_or(0, |(_, one)| one.span.end);
    chain
        .statements
        .iter()
        .find(|statement| {
            statement.in_compound
                && statement.place.is_some()
                && statement.span.start >= from
                && sees(statement)
        })
        .copied()
}

/// A variable that lives as long as the program: in `main` where it is on the way and sees the name.
fn of_global(facts: &Facts, way: &Way, variable: VariableId) -> Option<Spot> {
    let facts_of = facts.steps.variable(variable);
    let main = facts.effects.main?;
    if let Some(place) = way.in_routine(main, None) {
        let chain = Chain::of(facts.function(main), place.span.start);
        let unit = facts.unit_index(main);
        let sees = |statement: &Statement| {
            let offset = statement.span.start;
            let scope = scope_at(facts.function(main), offset);
            let found = facts.program.units[unit].lookup(scope, &facts_of.name, offset);
            found.and_then(|symbol| facts.steps.variable_of(unit, symbol)) == Some(variable)
        };
        if let Some(statement) = outermost(facts, main, &chain, sees) {
            return Some(Spot::Before(main, statement.id, place.span.start));
        }
    }
    facts_of
        .is_defined
        .then_some(Spot::EndOf(facts_of.declared.unit))
}

/// Memory behind a pointer: the name is looked up from the outermost activation inwards, because what is registered there
/// is registered once.
fn of_memory(facts: &Facts, way: &Way, location: &LiveLocation, name: &str) -> Option<Spot> {
    let cells: BTreeSet<usize> = location.cells.iter().map(|cell| cell.0 as usize).collect();
    for (routine, place) in way.frames.iter().rev() {
        let unit = facts.unit_index(*routine);
        let function = facts.function(*routine);
        let offset = place.span.start;
        let scope = scope_at(function, offset);
        let found = facts.program.units[unit].lookup(scope, name, offset);
        let Some(variable) = found.and_then(|symbol| facts.steps.variable_of(unit, symbol)) else {
            continue;
        };
        if !leads_to(facts, variable, &cells) {
            continue;
        }
        let facts_of = facts.steps.variable(variable);
        if is_static(facts_of.storage) {
            if facts_of.owner.is_some() {
                return None;
            }
            return of_global(facts, way, variable);
        }
        return before(facts, *routine, *place, facts_of.symbol?);
    }
    let mut globals = facts.steps.variable_ids().filter(|id| {
        let one = facts.steps.variable(*id);
        one.owner.is_none() && one.name == name
    });
    let global = globals.find(|id| leads_to(facts, *id, &cells))?;
    of_global(facts, way, global)
}

fn leads_to(facts: &Facts, variable: VariableId, cells: &BTreeSet<usize>) -> bool {
    let Some(object) = facts.points_to.variable(variable) else {
        return false;
    };
    let own: Vec<CellId> = facts.points_to.cells(object).collect();
    let reached = facts.points_to.reachable(own);
    cells.iter().any(|cell| reached.contains(*cell))
}

/// Everything that is to be registered, by place.
#[derive(Default)]
struct Places {
    inside: BTreeMap<(RoutineId, StatementId), (usize, Items)>,
    at_end: BTreeMap<usize, Items>,
}

impl Places {
    fn add(&mut self, facts: &Facts, spot: Spot, item: Wanted, read: Option<TextPlace>) {
        let rank = Rank(item.text.contains(['[', '(']), item.text.clone());
        let (items, unit) = match spot {
            Spot::Before(routine, statement, offset) => {
                let entry = self.inside.entry((routine, statement));
                let (_, items) = entry.or_insert_with(|| (offset, Items::new()));
                (items, facts.unit_index(routine))
            }
            Spot::EndOf(unit) => (self.at_end.entry(unit).or_default(), unit),
        };
        items.entry(rank).or_insert_with(|| {
            let reason = read.map_or_else(String::new, |read| facts.line(read, unit));
            (item.text, reason)
        });
    }

    fn finish(self, facts: &Facts, proposal: &mut Proposal) {
        let mut calls: Vec<String> = Vec::new();
        for (unit, items) in &self.at_end {
            let name = format!(
                "cccp_register_{}",
                stem(&facts.program.units[*unit].file.path)
            );
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
        for ((routine, statement), (offset, items)) in &self.inside {
            self.put(
                facts,
                *routine,
                *statement,
                *offset,
                lines(items),
                1,
                proposal,
            );
        }
        if !calls.is_empty() {
            call_from_main(facts, calls, proposal);
        }
    }

    #[expect(clippy::too_many_arguments, reason = "a place is four of them")]
    fn put(
        &self,
        facts: &Facts,
        routine: RoutineId,
        statement: StatementId,
        offset: usize,
        lines: Vec<String>,
        order: i32,
        proposal: &mut Proposal,
    ) {
        let chain = Chain::of(facts.function(routine), offset);
        let found = chain.statements.iter().find(|one| one.id == statement);
        let insertions = found.and_then(|one| spots::before(one, chain.parent(one), lines));
        let mut insertions = insertions.unwrap_or_default();
        for one in &mut insertions {
            one.order += order;
        }
        proposal.add(facts.unit_index(routine), insertions);
    }
}

/// Calls right after `init`.
fn call_from_main(facts: &Facts, calls: Vec<String>, proposal: &mut Proposal) {
    let init = facts
        .directives()
        .find(|(_, one)| matches!(one.directive, crate::program::Directive::Init { .. }));
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
    for (text, reason) in items.values() {
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
