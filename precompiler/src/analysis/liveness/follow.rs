//! Cells that are looked for, followed through functions: forwards, breadth first, into calls that may read them.

use std::collections::HashMap;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::dataflow::Flow;
use crate::dataflow::steps::{RoutineId, TextPlace};
use crate::source::Span;

use super::model::Behind;
use super::scan::{Inside, Met, Numbers, Sought};

/// A place in a node of a function, after so many of its actions.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Point {
    pub routine: RoutineId,
    pub node: usize,
    pub after: usize,
}

/// A point that some cells have come to as they were, and from where.
struct Visit {
    point: Point,
    cells: Numbers,
    /// The visit before, and the call that was left on the way from there.
    from: Option<usize>,
    call: Option<TextPlace>,
}

/// Something that happens to a cell first on a way.
pub(super) struct Meeting<'a> {
    /// The cell's number.
    pub number: usize,
    pub met: Met,
    /// The function in which it happens.
    pub routine: RoutineId,
    visits: &'a [Visit],
    at: usize,
}

impl Meeting<'_> {
    /// The calls that were left on the way, in this order.
    pub fn way(&self) -> Vec<TextPlace> {
        let mut places = Vec::new();
        let mut at = Some(self.at);
        while let Some(visit) = at.and_then(|index| self.visits.get(index)) {
            places.extend(visit.call);
            at = visit.from;
        }
        places.reverse();
        places
    }
}

/// A read in a function: where, in which function, and the calls on the way.
pub(super) type ReadInside = (Span, RoutineId, Vec<(RoutineId, Span)>);

impl Sought<'_> {
    /// Follows all cells from a point on, behind the calls of its function too where `callers` are given, and calls `meet` for what
    /// happens to them, for each cell the nearest first. A cell is followed no further on a way on which something has happened to it, and
    /// nowhere any more when `meet` says that it is settled.
    pub fn follow(
        &self,
        start: Point,
        callers: Option<&HashMap<RoutineId, Vec<Behind>>>,
        meet: &mut dyn FnMut(&Meeting<'_>) -> bool,
    ) {
        let mut visits = vec![Visit {
            point: start,
            cells: self.all(),
            from: None,
            call: None,
        }];
        let mut open = self.all();
        let mut seen: FxHashMap<Point, Numbers> = FxHashMap::default();
        let mut left: FxHashMap<RoutineId, Numbers> = FxHashMap::default();
        let mut at = 0;
        while let Some(visit) = visits.get(at) {
            let (here, point) = (at, visit.point);
            at += 1;
            let mut cells = visit.cells.clone();
            cells.intersect_with(&open);
            let known = seen.entry(point).or_insert_with(|| self.none());
            cells.difference_with(known);
            if cells.is_clear() {
                continue;
            }
            known.union_with(&cells);
            let Point { routine, node, .. } = point;
            let actions = &self.effects.bodies[routine.0 as usize].nodes[node];
            let in_any_order = self.in_any_order(routine, node);
            let rest = match in_any_order {
                true => actions,
                false => &actions[point.after.min(actions.len())..],
            };
            let walked = self.list(rest, in_any_order, cells);
            let mut met = walked.met;
            let mut further = walked.passed;
            further.union_with(&walked.left);
            let next = &self.steps.routines[routine.0 as usize].flow.nodes[node].next;
            let mut ways = Vec::new();
            for &to in next {
                let mut cells = further.clone();
                for (filled, by) in self.filled(routine, node, to.0) {
                    let here = filled.intersection(&cells);
                    met.extend(here.map(|number| (number, Met::Overwritten(by))));
                    cells.difference_with(filled);
                }
                ways.push((to.0, cells));
            }
            for (number, met) in met {
                let meeting = Meeting {
                    number,
                    met,
                    routine,
                    visits: &visits,
                    at: here,
                };
                if open.contains(number) && meet(&meeting) {
                    open.remove(number);
                }
            }
            visits.extend(ways.into_iter().map(|(node, cells)| Visit {
                point: Point {
                    routine,
                    node,
                    after: 0,
                },
                cells,
                from: Some(here),
                call: None,
            }));
            let Some(callers) = callers else {
                continue;
            };
            let mut leaving = match node == Flow::EXIT.0 {
                true => further,
                false => walked.left,
            };
            let gone = left.entry(routine).or_insert_with(|| self.none());
            leaving.difference_with(gone);
            if leaving.is_clear() {
                continue;
            }
            gone.union_with(&leaving);
            let behind = callers.get(&routine).into_iter().flatten();
            visits.extend(behind.map(|behind| Visit {
                point: Point {
                    routine: behind.routine,
                    node: behind.node,
                    after: behind.after,
                },
                cells: leaving.clone(),
                from: Some(here),
                call: Some(self.place(behind.routine, behind.span)),
            }));
        }
    }

    /// A place in the text of a function.
    pub fn place(&self, routine: RoutineId, span: Span) -> TextPlace {
        TextPlace {
            unit: self.steps.routines[routine.0 as usize].function.unit,
            span,
        }
    }

    /// What happens to the cells in a function, from its entry on.
    fn inside(&self, routine: RoutineId) -> &Inside {
        self.inside[routine.0 as usize].get_or_init(|| {
            let mut inside = Inside::default();
            let entry = Point {
                routine,
                node: Flow::ENTRY.0,
                after: 0,
            };
            self.follow(entry, None, &mut |meeting| {
                let met = inside.entry(meeting.number).or_default();
                met.push(meeting.met.clone());
                false
            });
            inside
        })
    }

    /// The nearest read in a function that may read a cell before it overwrites it.
    pub fn read_inside(&self, routine: RoutineId, number: usize) -> Option<ReadInside> {
        let mut seen = FxHashSet::default();
        let found = self.read_inside_unless(routine, number, &mut seen);
        if found.is_none() {
            let unread = seen.into_iter().map(|one| (one, number));
            self.unread.borrow_mut().extend(unread);
        }
        found
    }

    fn read_inside_unless(
        &self,
        routine: RoutineId,
        number: usize,
        seen: &mut FxHashSet<RoutineId>,
    ) -> Option<ReadInside> {
        if self.unread.borrow().contains(&(routine, number)) || !seen.insert(routine) {
            return None;
        }
        let met = self.inside(routine).get(&number)?;
        let own = met.iter().find_map(|one| match one {
            Met::Read(span) => Some((*span, routine, Vec::new())),
            _ => None,
        });
        own.or_else(|| {
            let calls = met.iter().filter_map(|one| match one {
                Met::ReadBy(readers, span) => Some((readers, *span)),
                _ => None,
            });
            calls
                .flat_map(|(readers, span)| readers.iter().map(move |&reader| (reader, span)))
                .find_map(|(reader, span)| {
                    let (read, holder, mut through) =
                        self.read_inside_unless(reader, number, seen)?;
                    through.insert(0, (routine, span));
                    Some((read, holder, through))
                })
        })
    }

    /// The write in a function that surely overwrites a cell, nearest first.
    pub fn write_inside(&self, routine: RoutineId, number: usize) -> Option<(Span, RoutineId)> {
        let mut at = routine;
        let mut seen = FxHashSet::default();
        while seen.insert(at) {
            let met = self.inside(at).get(&number)?;
            let own = met.iter().find_map(|one| match one {
                Met::Overwritten(span) => Some((*span, at)),
                _ => None,
            });
            if own.is_some() {
                return own;
            }
            at = met.iter().find_map(|one| match one {
                Met::OverwrittenBy(callee, _) => Some(*callee),
                _ => None,
            })?;
        }
        None
    }
}
