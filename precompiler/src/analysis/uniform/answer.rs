//! The answer for a place.

use std::collections::BTreeMap;

use super::cause::Cause;
use super::known::Known;
use super::phases::Phases;
use super::values::Values;
use crate::analysis::effects::Effects;
use crate::analysis::memory::CellId;
use crate::analysis::points_to::PointsTo;
use crate::catalog::Catalogue;
use crate::dataflow::steps::{RoutineId, Steps};
use crate::program::{Construct, Program, StatementKind};
use crate::source::Span;

/// Which places all threads of a team pass equally often.
pub struct Uniform<'a> {
    known: Known<'a>,
    values: Values,
}

impl<'a> Uniform<'a> {
    /// Looks at a program.
    pub fn of(
        program: &'a Program,
        steps: &'a Steps,
        points_to: &'a PointsTo,
        effects: &'a Effects,
        catalogue: &'a Catalogue,
    ) -> Uniform<'a> {
        let known = Known {
            program,
            steps,
            points_to,
            effects,
            catalogue,
        };
        let mut phases = BTreeMap::new();
        if program.units.iter().any(|unit| !unit.openmp.is_empty()) {
            phases = Phases::all(known);
        }
        Uniform {
            known,
            values: Values::of(known, &phases),
        }
    }

    /// Why some threads of the innermost team may pass a text of a function more often than others; none when all pass it
    /// equally often. The place is that before a statement, which control enters there, and before its pragmas.
    pub fn why_not(&self, routine: RoutineId, at: Span, before: Span) -> Option<Cause> {
        // With a filter, each thread decides whether it is the one.
        let by_one = self.construct(routine, at, before, &|one| {
            one.is_by_one_thread() || one.is_plainly_by_one_thread()
        });
        let outside = usize::from(self.known.is_called_in_team(routine));
        by_one
            .or_else(|| self.nested(routine, at, before, outside))
            .or_else(|| self.why_never(routine, at, before))
            .or_else(|| {
                let flow = &self.known.steps.routine(routine).flow;
                let node = flow.node_at(at.start)?;
                self.values.parted(routine, node.0).cloned()
            })
    }

    /// Whether memory of which each thread has one may hold something else in each thread.
    pub fn differs(&self, cell: CellId) -> bool {
        self.values.differs(cell)
    }

    /// The construct around a place that divides work in this way.
    fn construct(
        &self,
        routine: RoutineId,
        at: Span,
        before: Span,
        is_it: &dyn Fn(&Construct) -> bool,
    ) -> Option<Cause> {
        let around = self.known.body(routine).regions_around(at).into_iter();
        let mut around = around
            .filter(|one| one.span.start < before.start)
            .flat_map(|one| &one.openmp);
        let construct = around.find(|one| one.divides() && is_it(one))?;
        let why = format!(
            "`#pragma omp {}` divides the work among the threads",
            construct.text
        );
        let place = self.known.place(routine, construct.span);
        Some(Cause::of_construct(place, &why))
    }

    /// The region around a place that is inside of another one, where so many are around the function.
    fn nested(&self, routine: RoutineId, at: Span, before: Span, outside: usize) -> Option<Cause> {
        let around = self.known.body(routine).regions_around(at).into_iter();
        let around = around.filter(|one| one.span.start < before.start);
        let mut regions = { around.flat_map(|one| &one.openmp) }.filter(|one| one.is_parallel());
        let inner = regions.nth(1 - outside)?;
        let place = self.known.place(routine, inner.span);
        Some(Cause::of_construct(
            place,
            "it is in a region inside another one",
        ))
    }

    /// Why threads that come to a place unequally often cannot come back to it at all.
    pub fn why_never(&self, routine: RoutineId, at: Span, before: Span) -> Option<Cause> {
        let body = self.known.body(routine);
        let place = |span| self.known.place(routine, span);
        let divided = self.construct(routine, at, before, &|one| !one.is_plainly_by_one_thread());
        if divided.is_some() {
            return divided;
        }
        let mut cancelled = None;
        body.walk(&mut |statement| {
            if let StatementKind::OpenMp(construct) = &statement.kind
                && construct.leaves_region()
            {
                cancelled = Some(construct.span);
            }
            true
        });
        if let Some(span) = cancelled {
            return Some(Cause::of_construct(
                place(span),
                "threads may leave the region here",
            ));
        }
        if self.known.effects.bodies[routine.0 as usize].returns_twice {
            return Some(Cause::of_construct(
                place(at),
                "a jump may lead back into this function",
            ));
        }
        let flow = &self.known.steps.routine(routine).flow;
        match flow.node_at(at.start) {
            Some(_) => None,
            None => Some(Cause::of_construct(place(at), "it is no statement")),
        }
    }
}
