//! Why a cell is live or dead: the nearest read, the nearest write. Searched when somebody asks.
//!
//! Forwards from the checkpoint, breadth first: along the nodes of its function, into calls that may read the cell, and
//! when the function ends on behind every call of it.

use std::collections::HashMap;

use rustc_hash::FxHashSet;

use crate::analysis::effects::{Action, ActionKind, Effects, walk};
use crate::analysis::memory::CellId;
use crate::dataflow::Flow;
use crate::dataflow::steps::{RoutineId, TextPlace};
use crate::source::Span;

use super::model::{Behind, CheckpointLive, Dead, Liveness, Witness};
use super::scan::{Scan, Scanned};

/// Where the search is: in a node of a function, after so many of its actions.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Point {
    routine: RoutineId,
    node: usize,
    after: usize,
}

/// A point that the search has come to, and from where.
struct Visit {
    point: Point,
    /// The visit before, and the call that was left on the way from there.
    from: Option<usize>,
    call: Option<TextPlace>,
}

/// The calls that were left on the way to a visit, in this order.
fn way(visits: &[Visit], to: usize) -> Vec<TextPlace> {
    let mut places = Vec::new();
    let mut at = Some(to);
    while let Some(visit) = at.and_then(|index| visits.get(index)) {
        places.extend(visit.call);
        at = visit.from;
    }
    places.reverse();
    places
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
        // Calls that lead in a circle hide what is read behind them.
        let find = |past_calls| {
            let scan = self.scan(cell, past_calls);
            self.search(&scan, at).witness.or_else(|| {
                let any_time = self.effects.any_time.iter().chain(&self.effects.at_exit);
                any_time
                    .filter_map(|&routine| self.witness_in(&scan, routine, &[]))
                    .next()
            })
        };
        find(false).or_else(|| find(true))
    }

    /// Why a cell is dead at a checkpoint; nothing when it is live.
    pub fn why_dead(&self, checkpoint: usize, cell: CellId) -> Option<Dead> {
        let at = self.checkpoints.get(checkpoint)?;
        let number = cell.0 as usize;
        if at.cells.contains(number) || at.frames.iter().any(|one| one.cells.contains(number)) {
            return None;
        }
        let scan = self.scan(cell, false);
        if at.read_later.contains(number) {
            let there = !scan.is_heap() || at.exists.contains(number);
            return Some(match there && !at.written_before.contains(number) {
                true => Dead::NeverWritten,
                false => Dead::NotThere,
            });
        }
        Some(match self.search(&scan, at).overwritten {
            Some((write, routine)) => Dead::Overwritten { write, routine },
            None => Dead::NeverRead,
        })
    }

    fn scan(&self, cell: CellId, past_calls: bool) -> Scan<'_> {
        Scan {
            steps: self.steps,
            memory: &self.points_to.memory,
            effects: self.effects,
            cell,
            past_calls,
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
        scan: &Scan<'_>,
        routine: RoutineId,
        before: &[TextPlace],
    ) -> Option<Witness> {
        let (span, holder, calls) = scan.inside(routine)?;
        let calls = calls.into_iter().map(|(one, span)| self.place(one, span));
        Some(Witness {
            read: self.place(holder, span),
            routine: holder,
            through: before.iter().copied().chain(calls).collect(),
        })
    }

    fn search(&self, scan: &Scan<'_>, at: &CheckpointLive) -> Outcome {
        let mut outcome = Outcome::default();
        let mut visits = vec![Visit {
            point: self.start(at),
            from: None,
            call: None,
        }];
        let mut seen: FxHashSet<Point> = FxHashSet::default();
        let mut left: FxHashSet<RoutineId> = FxHashSet::default();
        let mut index = 0;
        while let Some(visit) = visits.get(index) {
            let (here, point) = (index, visit.point);
            index += 1;
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
                    outcome.witness = Some(Witness {
                        read: self.place(routine, span),
                        routine,
                        through: way(&visits, here),
                    });
                    return outcome;
                }
                Scanned::ReadBy(readers, span) => {
                    let mut through = way(&visits, here);
                    through.push(self.place(routine, span));
                    let found = readers
                        .iter()
                        .find_map(|&reader| self.witness_in(scan, reader, &through));
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
                    let (span, holder) = inside.unwrap_or((span, routine));
                    let write = (self.place(holder, span), holder);
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
            let next = scan.followers(routine, node).map(|node| Point {
                routine,
                node,
                after: 0,
            });
            visits.extend(
                next.filter(|point| !seen.contains(point))
                    .map(|point| Visit {
                        point,
                        from: Some(here),
                        call: None,
                    }),
            );
            if exit && left.insert(routine) {
                let callers = self.callers.get(&routine).into_iter().flatten();
                visits.extend(callers.map(|behind| Visit {
                    point: Point {
                        routine: behind.routine,
                        node: behind.node,
                        after: behind.after,
                    },
                    from: Some(here),
                    call: Some(self.place(behind.routine, behind.span)),
                }));
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
}

/// The points right after the calls of every function.
pub(super) fn callers(effects: &Effects) -> HashMap<RoutineId, Vec<Behind>> {
    let mut callers: HashMap<RoutineId, Vec<Behind>> = HashMap::new();
    for (index, body) in effects.bodies.iter().enumerate() {
        for (node, actions) in body.nodes.iter().enumerate() {
            for (position, action) in actions.iter().enumerate() {
                let after = match action.kind {
                    // A call inside may be followed by others inside.
                    ActionKind::Choose(_) | ActionKind::Repeat(_) => position,
                    _ => position + 1,
                };
                walk(std::iter::once(action), &mut |inner| {
                    if let ActionKind::Call { routines, .. } = &inner.kind {
                        for &routine in routines {
                            callers.entry(routine).or_default().push(Behind {
                                routine: RoutineId(index as u32),
                                node,
                                after,
                                span: inner.span,
                            });
                        }
                    }
                });
            }
        }
    }
    callers
}
