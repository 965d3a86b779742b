//! Why a cell is live or dead: the nearest read, the nearest write. Searched when somebody asks.
//!
//! Forwards from the checkpoint, breadth first: along the nodes of its function, into calls that may read the cell, and
//! when the function ends on behind every call of it.

use std::collections::{HashMap, HashSet, VecDeque};

use crate::analysis::effects::{Action, ActionKind};
use crate::analysis::memory::CellId;
use crate::dataflow::Flow;
use crate::dataflow::steps::{RoutineId, TextPlace};
use crate::source::Span;

use super::model::{CheckpointLive, Dead, Liveness, Witness};
use super::scan::{Scan, Scanned};

/// Where the search is: in a node of a function, after so many of its actions.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Point {
    routine: RoutineId,
    node: usize,
    after: usize,
}

/// What the search has found.
#[derive(Default)]
struct Outcome {
    witness: Option<Witness>,
    overwritten: Option<(TextPlace, RoutineId)>,
}

impl Liveness<'_> {
    /// Why a cell is live at a checkpoint: the nearest read, or nothing when none is seen.
    pub fn why_live(&self, checkpoint: usize, cell: CellId) -> Option<Witness> {
        let at = self.checkpoints.get(checkpoint)?;
        self.search(at, cell).witness.or_else(|| {
            let any_time = self.effects.any_time.iter().chain(&self.effects.at_exit);
            any_time
                .filter_map(|&routine| self.witness_in(routine, cell, &[]))
                .next()
        })
    }

    /// Why a cell is dead at a checkpoint; nothing when it is live.
    pub fn why_dead(&self, checkpoint: usize, cell: CellId) -> Option<Dead> {
        let at = self.checkpoints.get(checkpoint)?;
        let number = cell.0 as usize;
        if at.cells.contains(number) || at.frames.iter().any(|one| one.cells.contains(number)) {
            return None;
        }
        let scan = self.scan(cell);
        if at.read_later.contains(number) {
            let there = !scan.is_heap() || at.exists.contains(number);
            return Some(match there && !at.written_before.contains(number) {
                true => Dead::NeverWritten,
                false => Dead::NotThere,
            });
        }
        Some(match self.search(at, cell).overwritten {
            Some((write, routine)) => Dead::Overwritten { write, routine },
            None => Dead::NeverRead,
        })
    }

    fn scan(&self, cell: CellId) -> Scan<'_> {
        Scan {
            steps: self.steps,
            memory: &self.points_to.memory,
            effects: self.effects,
            cell,
        }
    }

    fn place(&self, routine: RoutineId, span: Span) -> TextPlace {
        TextPlace {
            unit: self.steps.routines[routine.0 as usize].function.unit,
            span,
        }
    }

    /// A read in a function, as seen from its entry.
    fn witness_in(
        &self,
        routine: RoutineId,
        cell: CellId,
        before: &[TextPlace],
    ) -> Option<Witness> {
        let (span, holder, calls) = self.scan(cell).inside(routine)?;
        let calls = calls.into_iter().map(|(one, span)| self.place(one, span));
        Some(Witness {
            read: self.place(holder, span),
            routine: holder,
            through: before.iter().copied().chain(calls).collect(),
        })
    }

    fn search(&self, at: &CheckpointLive, cell: CellId) -> Outcome {
        let scan = self.scan(cell);
        let mut outcome = Outcome::default();
        let mut open: VecDeque<(Point, Vec<TextPlace>)> = VecDeque::new();
        let mut seen: HashSet<Point> = HashSet::new();
        let mut left: HashSet<RoutineId> = HashSet::new();
        let callers = self.callers();
        let start = self.start(at);
        open.push_back((start, Vec::new()));
        while let Some((point, through)) = open.pop_front() {
            if !seen.insert(point) {
                continue;
            }
            let Point { routine, node, .. } = point;
            let actions = &self.effects.bodies[routine.0 as usize].nodes[node];
            let any_order = scan.in_any_order(routine, node);
            let rest = if any_order {
                actions
            } else {
                &actions[point.after.min(actions.len())..]
            };
            let found = scan.list(rest, any_order);
            let exit = node == Flow::EXIT.0 || found == Scanned::Leaves;
            match found {
                Scanned::Read(span) => {
                    let read = self.place(routine, span);
                    outcome.witness = Some(Witness {
                        read,
                        routine,
                        through,
                    });
                    return outcome;
                }
                Scanned::ReadBy(readers, span) => {
                    let mut through = through;
                    through.push(self.place(routine, span));
                    let found = readers
                        .iter()
                        .find_map(|&reader| self.witness_in(reader, cell, &through));
                    if found.is_some() {
                        outcome.witness = found;
                        return outcome;
                    }
                    continue;
                }
                Scanned::Overwritten(span) => {
                    let write = (self.place(routine, span), routine);
                    outcome.overwritten.get_or_insert(write);
                    continue;
                }
                Scanned::OverwrittenBy(callee, span) => {
                    let inside = scan.write_inside(callee);
                    let write = inside
                        .map_or((self.place(routine, span), routine), |(span, one)| {
                            (self.place(one, span), one)
                        });
                    outcome.overwritten.get_or_insert(write);
                    continue;
                }
                Scanned::Ends => continue,
                Scanned::Leaves | Scanned::Passes => {}
            }
            if let Some(span) = scan.filled_after(routine, node) {
                let write = (self.place(routine, span), routine);
                outcome.overwritten.get_or_insert(write);
            }
            for next in scan.followers(routine, node) {
                let point = Point {
                    routine,
                    node: next,
                    after: 0,
                };
                open.push_back((point, through.clone()));
            }
            if exit && left.insert(routine) {
                for &(caller, node, after, span) in callers.get(&routine).into_iter().flatten() {
                    let point = Point {
                        routine: caller,
                        node,
                        after,
                    };
                    let mut through = through.clone();
                    through.push(self.place(caller, span));
                    open.push_back((point, through));
                }
            }
        }
        outcome
    }

    /// The point right after a checkpoint directive.
    fn start(&self, at: &CheckpointLive) -> Point {
        let body = &self.effects.bodies[at.routine.0 as usize];
        let holds = |action: &Action| action.kind == ActionKind::Directive(at.directive);
        let mut start = Point {
            routine: at.routine,
            node: Flow::ENTRY.0,
            after: 0,
        };
        for (node, actions) in body.nodes.iter().enumerate() {
            if let Some(position) = actions.iter().position(holds) {
                start.node = node;
                start.after = position + 1;
            }
        }
        start
    }

    /// The points right after the calls of every function, and the calls' text.
    fn callers(&self) -> HashMap<RoutineId, Vec<(RoutineId, usize, usize, Span)>> {
        let mut callers: HashMap<RoutineId, Vec<(RoutineId, usize, usize, Span)>> = HashMap::new();
        for (index, body) in self.effects.bodies.iter().enumerate() {
            let caller = RoutineId(index as u32);
            for (node, actions) in body.nodes.iter().enumerate() {
                for (position, action) in actions.iter().enumerate() {
                    let after = match action.kind {
                        // A call inside may be followed by others inside.
                        ActionKind::Choose(_) | ActionKind::Repeat(_) => position,
                        _ => position + 1,
                    };
                    crate::analysis::effects::walk(std::iter::once(action), &mut |inner| {
                        if let ActionKind::Call { routines, .. } = &inner.kind {
                            for &routine in routines {
                                let point = (caller, node, after, inner.span);
                                callers.entry(routine).or_default().push(point);
                            }
                        }
                    });
                }
            }
        }
        callers
    }
}
