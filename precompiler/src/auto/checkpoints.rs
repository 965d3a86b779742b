//! Where checkpoints go: the first safe point in every loop that was selected for its load.
//!
//! A point before an item of the loop's body is tried first, from the top; then those of loops inside it. A loop whose
//! body is a single statement gets braces.

use super::insert::Insertion;
use super::proposal::Proposal;
use super::refusal;
use super::spots;
use crate::analysis::Analysed;
use crate::analysis::communication::{Communication, Safety};
use crate::analysis::load::{Load, SelectedLoop};
use crate::dataflow::steps::RoutineId;
use crate::program::{Statement, StatementKind};

/// How often a checkpoint is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Frequency {
    /// At every n-th pass; none: as the settings of the run say.
    pub every: Option<u64>,
}

/// Puts checkpoints into the selected loops.
pub(super) fn place(
    facts: &Analysed,
    load: &Load,
    communication: &Communication,
    frequency: Frequency,
    proposal: &mut Proposal,
) {
    let search = Search {
        facts,
        communication,
        frequency,
    };
    let selected = load.selected();
    if selected.is_empty() {
        return refusal::no_loop(facts, proposal);
    }
    let mut refused = Vec::new();
    let mut placed = 0;
    for one in selected {
        match search.in_loop(one) {
            Ok(insertions) => {
                placed += 1;
                proposal.add(facts.unit_index(one.routine), insertions);
            }
            Err(unsafe_point) => refused.push((one, unsafe_point)),
        }
    }
    for (one, found) in refused {
        refusal::no_safe_point(facts, one, &found, placed > 0, proposal);
    }
}

/// Why there is no safe point.
pub(super) enum NoPoint {
    /// The first point that was tried is not safe.
    Unsafe(Safety),
    /// The text leaves no room.
    NoRoom,
}

/// The search for safe points.
struct Search<'a> {
    facts: &'a Analysed<'a>,
    communication: &'a Communication<'a>,
    frequency: Frequency,
}

impl Search<'_> {
    fn in_loop(&self, one: &SelectedLoop) -> Result<Vec<Insertion>, NoPoint> {
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
        let mut first = None;
        if one.by_goto {
            return self
                .at(one, statement, None, &mut first)
                .ok_or_else(|| first.unwrap_or(NoPoint::NoRoom));
        }
        self.within(one, statement, &mut first)
            .ok_or_else(|| first.unwrap_or(NoPoint::NoRoom))
    }

    /// The first safe point in the body of a loop, then in the loops inside it.
    fn within(
        &self,
        chosen: &SelectedLoop,
        statement: &Statement,
        first: &mut Option<NoPoint>,
    ) -> Option<Vec<Insertion>> {
        let body = statement.children().into_iter().next()?;
        match &body.kind {
            StatementKind::Compound { items, .. } => {
                for item in items {
                    if let Some(found) = self.at(chosen, item, Some(body), first) {
                        return Some(found);
                    }
                }
            }
            _ => {
                if let Some(found) = self.at(chosen, body, Some(statement), first) {
                    return Some(found);
                }
            }
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
            .find_map(|one| self.within(chosen, one, first))
    }

    /// The insertion before a statement, if that is a safe point.
    fn at(
        &self,
        chosen: &SelectedLoop,
        statement: &Statement,
        parent: Option<&Statement>,
        first: &mut Option<NoPoint>,
    ) -> Option<Vec<Insertion>> {
        let (statement, parent) = unlabelled(statement, parent);
        let why = match self.safety(chosen.routine, statement) {
            Safety::Safe { why } => why,
            other => {
                first.get_or_insert(NoPoint::Unsafe(other));
                return None;
            }
        };
        let every = self
            .frequency
            .every
            .map_or_else(String::new, |every| format!(" every({every})"));
        let line = format!(
            "#pragma cccp checkpoint{every} /* {}; safe: {} */",
            plain(
                chosen
                    .reason
                    .split(" (estimated")
                    .next()
                    .unwrap_or_default()
            ),
            plain(&why)
        );
        let found = spots::before(statement, parent, vec![line]);
        if found.is_none() {
            first.get_or_insert(NoPoint::NoRoom);
        }
        found
    }

    fn safety(&self, routine: RoutineId, statement: &Statement) -> Safety {
        let flow = &self.facts.steps.routine(routine).flow;
        let inside = |span: crate::source::Span| {
            statement.span.start <= span.start && span.end <= statement.span.end
        };
        // Nodes are in the order of the text: the first one inside is where control enters.
        let entered = flow.nodes.iter().position(|node| {
            node.statement.is_some() && inside(node.span) && node.span.start < node.span.end
        });
        match entered {
            Some(node) => self
                .communication
                .safety(routine, crate::dataflow::NodeId(node)),
            None => Safety::Unsafe {
                why: "Control never comes here.".to_string(),
                places: Vec::new(),
            },
        }
    }
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
