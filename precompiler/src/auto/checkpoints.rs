//! Where checkpoints go: the first safe point in every loop that was selected for its load.
//!
//! A point before an item of the loop's body is tried first, from the top; then those of loops inside it. A loop whose
//! body is a single statement gets braces. Points that are safe with every number of ranks come before those that are safe
//! with some: these say with which (`ranks(…)`). A loop that ranks iterate differently often is taken when nothing else in
//! it is to be had; then it is the only one, and it has to be the one with the most work. Where nothing is known to be safe,
//! and nothing to be unsafe, the library has to find out in the run: it counts messages (`messages(counted)`); then a point at
//! which no requests seem to be in flight comes first.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use super::idle;
use super::insert::{At, Insertion, Replacement};
use super::loop_refusal;
use super::proposal::Proposal;
use super::spots;
use crate::analysis::Analysed;
use crate::analysis::absent::Absent;
use crate::analysis::communication::{ByRank, Communication, Library, Ranks, Safety, Varying};
use crate::analysis::counted;
use crate::analysis::effects::leading;
use crate::analysis::load::{Load, SelectedLoop};
use crate::analysis::points_to::Callees;
use crate::analysis::posted::Posted;
use crate::analysis::unknown::MentionedFunction;
use crate::catalog::Role;
use crate::dataflow::Reached;
use crate::dataflow::steps::{RoutineId, TextPlace};
use crate::dataflow::{FunctionRef, NodeId};
use crate::program::{Directive, DirectiveUse, Statement, StatementKind};
use crate::source::{SourceFile, SourceRange, Span};

/// How often a checkpoint is taken, and at which places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Frequency<'a> {
    /// At every n-th pass; none: as the settings of the run say.
    pub every: Option<u64>,
    /// Only in these lines of files, because a profile chooses them.
    pub only: Option<&'a BTreeSet<(String, usize)>>,
}

/// Puts checkpoints into the selected loops, where runs come to them after `init`.
pub(super) fn place(
    facts: &Analysed,
    (load, reach): (&Load, Option<&Reached>),
    communication: &Communication,
    frequency: Frequency<'_>,
    proposal: &mut Proposal,
) {
    let search = Search {
        facts,
        communication,
        frequency,
        all_ranks: !facts.has(|one| match one {
            Directive::Init { communicator, .. } => communicator
                .as_ref()
                .is_some_and(|one| one.text != "MPI_COMM_WORLD"),
            _ => false,
        }),
        uncounted: counted::uncounted(facts.program, facts.catalogue),
        absent: Absent::of(facts),
        posted: OnceCell::new(),
    };
    let selected = load.selected();
    if selected.is_empty() {
        return idle::no_loop(facts, load, proposal);
    }
    idle::idle_loops(facts, load, proposal);
    let (mut refused, mut counted) = (Vec::new(), Vec::new());
    let mut placed: Option<bool> = None;
    let mut tried = Vec::new();
    for one in selected {
        if reach.is_some_and(|reach| !facts.control.has_part(reach, one.routine, one.span)) {
            loop_refusal::before_mpi(facts, one, proposal);
            continue;
        }
        let found = search.in_loop(one).and_then(|found| {
            let absent = found.unproven.as_ref().and_then(|_| search.absent(one));
            absent.map_or(Ok(found), Err)
        });
        tried.push((one, found));
    }
    // Ranks that count differently are at different checkpoints, whatever others there are.
    search.set_apart(&mut tried);
    for (one, found) in tried {
        let found = match found {
            Ok(found) if placed == Some(true) || found.is_alone && placed.is_some() => {
                Err(NoPoint::Alone)
            }
            found => found,
        };
        match found {
            Ok(found) if !search.is_chosen(one, &found) => {}
            Ok(found) => {
                placed = Some(found.is_alone);
                match found.unproven {
                    Some(safety) => counted.push((one, safety)),
                    None => loop_refusal::some_ranks(facts, one, &found.ranks, proposal),
                }
                proposal.add(facts.unit_index(one.routine), found.insertions);
            }
            Err(no_point) => refused.push((one, no_point)),
        }
    }
    loop_refusal::counted(facts, &counted, proposal);
    for (one, found) in refused {
        let uncounted = search.uncounted.first().map(|one| one.name.as_str());
        loop_refusal::no_safe_point(facts, one, (&found, uncounted), placed.is_some(), proposal);
    }
}

/// Checkpoints of the user's own that are not known to be safe: the library counts messages there, where it can. A warning says so.
pub(super) fn look_at(facts: &Analysed, communication: &Communication, proposal: &mut Proposal) {
    let mut can_count = None;
    for (unit, one) in facts.directives() {
        let (
            Directive::Checkpoint {
                ranks,
                messages_counted: false,
                ..
            },
            Some(function),
        ) = (&one.directive, one.function)
        else {
            continue;
        };
        let routine = facts.steps.routine_of(FunctionRef { unit, function });
        let flow = &facts.steps.routine(routine).flow;
        let Some(node) = flow.node_at(one.span.start) else {
            continue;
        };
        let found = communication.safety(routine, node);
        let is_guarded = ranks.is_some() && matches!(found, Safety::Safe { .. });
        let is_served = found.is_always() || matches!(found, Safety::Unequal { .. });
        if is_guarded || is_served {
            continue;
        }
        let can_count = *can_count
            .get_or_insert_with(|| counted::uncounted(facts.program, facts.catalogue).is_empty());
        let file = &facts.program.units[unit].file;
        let clause = can_count.then(|| counting(file, one)).flatten();
        let is_counted = clause.is_some();
        loop_refusal::unproven(facts, (unit, one.span), &found, is_counted, proposal);
        let clause = clause.map(|clause| (unit, clause));
        proposal.replacements.extend(clause);
    }
}

/// The clause that lets a checkpoint count messages; none where its line comes from a macro.
fn counting(file: &SourceFile, checkpoint: &DirectiveUse) -> Option<Replacement> {
    const WORD: &str = "checkpoint";
    let text = file.original_text(checkpoint.lines);
    let directive = text.find("cccp")?;
    let at = directive + text[directive..].find(WORD)? + WORD.len();
    let at = checkpoint.lines.start + at;
    Some(Replacement {
        range: SourceRange { start: at, end: at },
        text: " messages(counted)".to_string(),
    })
}

/// What goes into a loop.
struct Found {
    insertions: Vec<Insertion>,
    /// The statement before which it is.
    before: Option<NodeId>,
    ranks: Ranks,
    is_alone: bool,
    /// Why it is not known to be safe, when the library has to count messages.
    unproven: Option<Safety>,
}

/// Why there is no safe point.
pub(super) enum NoPoint {
    /// The first point that was tried is not safe.
    Unsafe(Safety),
    /// The text leaves no room.
    NoRoom,
    /// There is a checkpoint in another loop, and ranks may iterate this one or that one differently often.
    Alone,
    /// It is safe with some numbers of ranks, but the run is about another communicator than all ranks.
    Some,
    /// There is a checkpoint in another loop, and some ranks may pass this one more often than others: here they part.
    Apart(TextPlace),
    /// This rank never comes to it: there it goes another way.
    Absent(i128, Option<TextPlace>),
}

/// What is looked for: points that are safe with every number of ranks, or with some; in loops that all ranks iterate equally
/// often, or not; or none of that.
#[derive(Clone, Copy, Default)]
struct Wanted {
    some_ranks: bool,
    alone: bool,
    /// Points to which the threads of a team come unequally often.
    unequal: bool,
    /// Points of which nothing is known, with messages counted.
    counted: bool,
    /// Of these the ones at which no requests seem to be in flight, before a statement of the loop's own body.
    quiet: bool,
}

/// The search for safe points.
struct Search<'a> {
    facts: &'a Analysed<'a>,
    communication: &'a Communication<'a>,
    frequency: Frequency<'a>,
    /// The run is one of all ranks: `init` names no other communicator.
    all_ranks: bool,
    /// Functions whose messages cannot be counted.
    uncounted: Vec<MentionedFunction>,
    /// Where ranks never come.
    absent: Option<Absent>,
    /// Where requests are posted and completed.
    posted: OnceCell<Posted<'a>>,
}

impl Search<'_> {
    fn in_loop(&self, one: &SelectedLoop) -> Result<Found, NoPoint> {
        let function = self.facts.function(one.routine);
        let mut found = None;
        function.body.walk(&mut |statement| {
            if statement.id == one.statement {
                found = Some(statement);
            }
            found.is_none()
        });
        let Some(statement) = found else {
            return Err(NoPoint::NoRoom);
        };
        let (mut first, mut rare) = (None, None);
        let none = Wanted::default();
        for (alone, some_ranks) in [(false, false), (false, true), (true, false), (true, true)] {
            let wanted = Wanted {
                some_ranks,
                alone,
                ..none
            };
            match self.wanted(one, statement, wanted, &mut first) {
                Some(found) if is_rare(&found.ranks) => rare = rare.or(Some(found)),
                Some(found) => return Ok(found),
                None => {}
            }
        }
        let wanted = Wanted {
            unequal: true,
            ..none
        };
        if let Some(found) = self.wanted(one, statement, wanted, &mut first) {
            return Ok(found);
        }
        if self.uncounted.is_empty() {
            for quiet in [true, false] {
                let wanted = Wanted {
                    counted: true,
                    quiet,
                    ..none
                };
                if let Some(found) = self.wanted(one, statement, wanted, &mut first) {
                    return Ok(found);
                }
            }
        }
        rare.ok_or_else(|| first.unwrap_or(NoPoint::NoRoom))
    }

    /// Of several loops with checkpoints those go without one that ranks may pass unequally often because of their numbers, unless
    /// they all are such loops: then the first is the only one. Where all ranks meet in a loop they pass it equally often, or the run
    /// finds out. Loops that only set data up, before one that goes over it again and again, yield to it where both cannot have checkpoints.
    fn set_apart(&self, tried: &mut [(&SelectedLoop, Result<Found, NoPoint>)]) {
        let is_unproven = |found: &Found| found.unproven.is_some();
        let mut served = tried.iter().filter_map(|(_, found)| found.as_ref().ok());
        let is_apart = |found: &Found| found.is_alone || is_unproven(found);
        if served.clone().count() < 2 || !served.any(is_apart) {
            return;
        }
        let facts = self.facts;
        let library = Library::of(
            facts.program,
            facts.steps,
            facts.points_to,
            facts.effects,
            facts.catalogue,
        );
        let varying = Varying::of(
            facts.steps,
            facts.points_to,
            facts.effects,
            &ByRank::of(library, facts.points_to),
        );
        let meeting = Meeting::of(facts);
        let parting = |one: &SelectedLoop, found: &Found| {
            let node = found.before.filter(|_| is_unproven(found))?;
            let place = varying.parts_at(one.routine, node.0)?;
            (!meeting.is_in(one)).then_some(place)
        };
        let parted = tried.iter().map(|(one, found)| {
            let found = found.as_ref().ok()?;
            parting(one, found)
        });
        let parted: Vec<Option<TextPlace>> = parted.collect();
        let served = { tried.iter().zip(&parted) }
            .filter_map(|((one, found), parted)| Some((one, found.as_ref().ok()?, parted)));
        let repeats = |is_apart: bool| {
            let mut loops = served.clone();
            loops.any(|(one, found, parted)| {
                one.repeats && (found.is_alone || parted.is_some()) == is_apart
            })
        };
        let has_repeated = repeats(false);
        let yield_to_it = repeats(true) && !has_repeated;
        let others = !yield_to_it && served.clone().any(|(_, _, parted)| parted.is_none());
        for ((one, found), parted) in tried.iter_mut().zip(parted) {
            match (found.as_mut(), parted) {
                (Ok(set_up), _)
                    if !one.repeats && (yield_to_it || has_repeated && set_up.is_alone) =>
                {
                    *found = Err(NoPoint::Alone);
                }
                (Ok(_), Some(place)) if others => *found = Err(NoPoint::Apart(place)),
                (Ok(found), Some(_)) => found.is_alone = true,
                _ => {}
            }
        }
    }

    /// Whether no profile leaves it out.
    fn is_chosen(&self, one: &SelectedLoop, found: &Found) -> bool {
        let file = &self.facts.program.units[self.facts.unit_index(one.routine)].file;
        let is_there = |insertion: &Insertion, only: &BTreeSet<(String, usize)>| {
            let (At::Before(at) | At::After(at)) = insertion.at;
            only.contains(&(file.path.clone(), file.line_of(at)))
        };
        let place = found.insertions.first();
        self.frequency
            .only
            .is_none_or(|only| place.is_some_and(|place| is_there(place, only)))
    }

    /// Why there is no checkpoint of all ranks: one of them never comes to the loop.
    fn absent(&self, one: &SelectedLoop) -> Option<NoPoint> {
        let absent = self.absent.as_ref()?;
        let flow = &self.facts.steps.routine(one.routine).flow;
        let node = flow.node_at(one.span.start)?;
        let (rank, place) = absent.at(self.facts, one.routine, node.0)?;
        Some(NoPoint::Absent(rank, place))
    }

    fn wanted(
        &self,
        chosen: &SelectedLoop,
        statement: &Statement,
        wanted: Wanted,
        first: &mut Option<NoPoint>,
    ) -> Option<Found> {
        match chosen.by_goto {
            true => self.at(chosen, statement, None, wanted, first),
            false => self.within(chosen, statement, wanted, first),
        }
    }

    /// The first safe point in the body of a loop, then in the loops inside it.
    fn within(
        &self,
        chosen: &SelectedLoop,
        statement: &Statement,
        wanted: Wanted,
        first: &mut Option<NoPoint>,
    ) -> Option<Found> {
        let body = statement.children().into_iter().next()?;
        match &body.kind {
            StatementKind::Compound { items, .. } => {
                for item in items {
                    if let Some(found) = self.at(chosen, item, Some(body), wanted, first) {
                        return Some(found);
                    }
                }
            }
            _ => {
                if let Some(found) = self.at(chosen, body, Some(statement), wanted, first) {
                    return Some(found);
                }
            }
        }
        if wanted.quiet {
            return None;
        }
        let mut inner = Vec::new();
        body.walk(&mut |one| {
            if one.is_loop() {
                inner.push(one);
                return false;
            }
            true
        });
        inner
            .into_iter()
            .find_map(|one| self.within(chosen, one, wanted, first))
    }

    /// The insertion before a statement, if that is a safe point.
    fn at(
        &self,
        chosen: &SelectedLoop,
        statement: &Statement,
        parent: Option<&Statement>,
        wanted: Wanted,
        first: &mut Option<NoPoint>,
    ) -> Option<Found> {
        let (statement, parent) = unlabelled(statement, parent);
        let safety = self.safety(chosen.routine, statement);
        let safety = match safety {
            // With other numbers it is not known.
            Safety::Safe { ranks, .. } if wanted.counted && is_rare(&ranks) => Safety::Unsafe {
                why: format!("It is known to be safe with these numbers of ranks only: {ranks}."),
                places: Vec::new(),
                is_certain: false,
            },
            safety => safety,
        };
        let (ranks, is_alone, safe) = match &safety {
            Safety::Safe {
                ranks,
                is_alone,
                why,
            } if !wanted.counted && !wanted.unequal => {
                let with = match ranks {
                    Ranks::All => "",
                    _ => " with these numbers of ranks",
                };
                (ranks.clone(), *is_alone, format!("safe{with}: {why}"))
            }
            Safety::Unequal { .. } if wanted.unequal => {
                let safe = "safe: threads stop at their next checkpoint or barrier".to_string();
                (Ranks::All, false, safe)
            }
            Safety::Unsafe {
                is_certain: false,
                why,
                ..
            } if wanted.counted => {
                let safe = format!("no restart is made from it when a message crosses it: {why}");
                (Ranks::All, false, safe)
            }
            _ => {
                first.get_or_insert(NoPoint::Unsafe(safety));
                return None;
            }
        };
        let is_some = ranks != Ranks::All;
        if is_some && !self.all_ranks {
            first.get_or_insert(NoPoint::Some);
            return None;
        }
        if (is_some, is_alone) != (wanted.some_ranks, wanted.alone) {
            return None;
        }
        if wanted.quiet && !self.is_quiet(chosen.routine, statement) {
            return None;
        }
        let every = self.frequency.every.map(|every| format!(" every({every})"));
        let only = is_some.then(|| format!(" ranks({ranks})"));
        let counted = wanted.counted.then(|| " messages(counted)".to_string());
        let clauses: String = [every, only, counted].into_iter().flatten().collect();
        let reason = chosen.reason.split(" (estimated").next();
        let line = format!(
            "#pragma cccp checkpoint{clauses} /* {}; {} */",
            plain(reason.unwrap_or_default()),
            plain(&safe)
        );
        let file = &self.facts.program.units[self.facts.unit_index(chosen.routine)].file;
        let lines = vec![line];
        let found = spots::before(statement, parent, lines.clone())
            .or_else(|| spots::at_begin(file, statement, parent, lines));
        if found.is_none() {
            first.get_or_insert(NoPoint::NoRoom);
        }
        Some(Found {
            insertions: found?,
            before: self.entered(chosen.routine, statement),
            ranks,
            is_alone,
            unproven: wanted.counted.then_some(safety),
        })
    }

    fn safety(&self, routine: RoutineId, statement: &Statement) -> Safety {
        match self.entered(routine, statement) {
            Some(node) => self
                .communication
                .safety_before(routine, node, statement.span),
            None => Safety::Unsafe {
                why: "Control never comes here.".to_string(),
                places: Vec::new(),
                is_certain: true,
            },
        }
    }

    /// Whether no requests seem to be in flight before a statement.
    fn is_quiet(&self, routine: RoutineId, statement: &Statement) -> bool {
        let posted = self.posted.get_or_init(|| Posted::of(self.facts));
        let node = self.entered(routine, statement);
        node.is_some_and(posted.quiet(routine))
    }

    /// Where control enters a statement: nodes are in the order of the text.
    fn entered(&self, routine: RoutineId, statement: &Statement) -> Option<NodeId> {
        let flow = &self.facts.steps.routine(routine).flow;
        let inside =
            |span: Span| statement.span.start <= span.start && span.end <= statement.span.end;
        let first = flow.nodes.iter().position(|node| {
            node.statement.is_some() && inside(node.span) && node.span.start < node.span.end
        });
        first.map(NodeId)
    }
}

/// Whether a place is safe with hardly any of the numbers of ranks with which programs are run: with one and two only, too, for
/// then it is the ranks with two neighbours of which nothing is known. A program for two ranks is not safe with one.
fn is_rare(ranks: &Ranks) -> bool {
    let Ranks::These(all) = ranks else {
        return false;
    };
    let is_usual = all.iter().any(|one| (2..=4).contains(one));
    let is_without_middle = all.contains(&1) && all.iter().all(|one| *one <= 2);
    !is_usual || is_without_middle
}

/// Where ranks meet: in collective calls behind which control goes on. Behind others the run ends, so that they say nothing of a
/// loop: `if (!fits) { MPI_Finalize(); exit(1); }`.
struct Meeting<'a> {
    facts: &'a Analysed<'a>,
    /// For each function: whether they do in it, or in what it calls, and it returns.
    routines: Vec<bool>,
}

impl<'a> Meeting<'a> {
    fn of(facts: &'a Analysed<'a>) -> Meeting<'a> {
        let (mut called, mut first) = (Vec::new(), Vec::new());
        for id in facts.steps.routine_ids() {
            let flow = &facts.steps.routine(id).flow;
            let decisions = flow.decisions(&facts.effects.bodies[id.0 as usize].stops());
            let mut all = Vec::new();
            for (place, call) in facts.calls(id) {
                let node = flow.node_at(place.span.start);
                if node.is_none_or(|node| decisions.returns(node.0)) {
                    let callees = facts.points_to.callees(id, call);
                    first.extend(is_collective(facts, &callees).then_some(id));
                    all.extend(callees.routines);
                }
            }
            called.push(all);
        }
        Meeting {
            facts,
            routines: leading(&called, first),
        }
    }

    /// Whether they do in the passes of a loop.
    fn is_in(&self, one: &SelectedLoop) -> bool {
        let id = one.routine;
        let flow = &self.facts.steps.routine(id).flow;
        let stops = self.facts.effects.bodies[id.0 as usize].stops();
        let comes_again = |node: NodeId| {
            let ways = flow.next(node.0).filter(|_| !stops[node.0]);
            flow.along(ways, |from, _| !stops[from])[node.0]
        };
        let mut calls = self.facts.calls(id).into_iter();
        calls.any(|(place, call)| {
            let callees = self.facts.points_to.callees(id, call);
            let meets = |one: &RoutineId| self.routines[one.0 as usize];
            one.span.contains(place.span)
                && (is_collective(self.facts, &callees) || callees.routines.iter().any(meets))
                && flow.node_at(place.span.start).is_none_or(comes_again)
        })
    }
}

/// Whether a call may be one of all ranks together.
fn is_collective(facts: &Analysed, callees: &Callees) -> bool {
    callees.named.iter().any(|name| {
        let found = facts.catalogue.find(name);
        found.is_some_and(|one| one.is(Role::Collective))
    })
}

fn unlabelled<'a>(
    statement: &'a Statement,
    parent: Option<&'a Statement>,
) -> (&'a Statement, Option<&'a Statement>) {
    match &statement.kind {
        StatementKind::Labelled { body, .. } => unlabelled(body, Some(statement)),
        _ => (statement, parent),
    }
}

/// A sentence inside a comment.
fn plain(text: &str) -> String {
    text.trim_end_matches('.').replace("*/", "* /")
}
