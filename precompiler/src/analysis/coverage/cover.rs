//! From what loops store to what they overwrite.

use std::collections::{BTreeMap, HashMap};

use super::calls::calls;
use super::counting::Counting;
use super::facts::Facts;
use super::fill::fills;
use super::model::{Coverage, Covered};
use super::view::{Known, Look};
use super::wrappers::{Filling, covered as wrapped, fillings};
use super::writes::{Writes, Written, leaves, named};
use crate::analysis::effects::{Action, ActionKind, Effects};
use crate::analysis::memory::CellId;
use crate::analysis::points_to::PointsTo;
use crate::catalog::Catalogue;
use crate::dataflow::Control;
use crate::dataflow::steps::{RoutineId, Steps};
use crate::program::{Expression, ExpressionKind, Program, Statement, StatementId, StatementKind};
use crate::source::Span;

impl Coverage {
    /// Looks at a program. Of the effects only the bodies matter and what does not depend on the order of things
    /// ([`reads`](crate::analysis::effects::Summary::reads),
    /// [`writes`](crate::analysis::effects::Summary::writes) and the like).
    pub fn of(
        program: &Program,
        steps: &Steps,
        points_to: &PointsTo,
        catalogue: &Catalogue,
        effects: &Effects,
        control: &Control<'_>,
    ) -> Coverage {
        let facts = Facts::of(Known {
            program,
            steps,
            points_to,
            catalogue,
            effects,
            control,
        });
        let mut coverage = Coverage::default();
        for id in steps.routine_ids() {
            let at = steps.routine(id).function;
            let body = &program.units[at.unit].function(at.function).body;
            let mut has_loop = false;
            body.walk(&mut |statement| {
                has_loop |= statement.is_loop();
                !has_loop
            });
            if has_loop && !effects.bodies[id.0 as usize].returns_twice {
                let mut finder = Finder::of(facts.look(id));
                finder.statement(body, None);
                coverage.loops.insert(id, finder.loops);
                coverage.ways.insert(id, finder.ways);
            }
            let calls = calls(facts.look(id));
            if !calls.is_empty() {
                coverage.calls.insert(id, calls);
            }
        }
        let fillings: HashMap<RoutineId, Vec<Filling>> = steps
            .routine_ids()
            .map(|id| (id, fillings(facts.look(id))))
            .filter(|(_, all)| !all.is_empty())
            .collect();
        for id in steps.routine_ids().filter(|_| !fillings.is_empty()) {
            for (span, covered) in wrapped(facts.look(id), &fillings) {
                let calls = coverage.calls.entry(id).or_default();
                calls.entry(span).or_default().push(covered);
            }
        }
        coverage
    }
}

pub(super) struct Finder<'v, 'a> {
    pub(super) look: Look<'v, 'a>,
    loops: BTreeMap<StatementId, Vec<Covered>>,
    ways: BTreeMap<(usize, usize), Vec<Covered>>,
}

impl<'v, 'a> Finder<'v, 'a> {
    pub(super) fn of(look: Look<'v, 'a>) -> Finder<'v, 'a> {
        Finder {
            look,
            loops: BTreeMap::new(),
            ways: BTreeMap::new(),
        }
    }

    /// Looks at all loops, inner ones first.
    fn statement(&mut self, statement: &'a Statement, before: Option<&'a Statement>) {
        let mut previous = None;
        for child in statement.children() {
            self.statement(child, previous);
            previous = Some(child);
        }
        if !statement.is_loop() || leaves(statement) {
            return;
        }
        if let Some(counting) = self.look.counting(statement, before) {
            let covered = self.covered(&counting);
            if !covered.is_empty() {
                for way in &counting.ways {
                    self.ways.insert(*way, covered.clone());
                }
                self.loops.insert(statement.id, covered);
            }
        }
    }

    fn covered(&self, counting: &Counting<'a>) -> Vec<Covered> {
        let writes = Writes::of(self.look, counting);
        let mut all: Vec<Covered> = writes
            .found
            .iter()
            .filter(|one| self.is_filled(one, counting))
            .filter(|one| !self.is_read(one, counting))
            .map(|one| Covered {
                cells: one.cells.clone(),
                by: one.by,
            })
            .collect();
        let runs = counting.runs || counting.counter.counts();
        let inner = writes.loops.iter().filter(|(_, depth)| runs && *depth == 1);
        for (inner, _) in inner {
            let covered = self.loops.get(&inner.id).into_iter().flatten();
            let first = covered.filter(|one| !self.is_read_before(one, inner, counting));
            all.extend(first.cloned());
        }
        if all.is_empty() || self.is_odd(counting) {
            return Vec::new();
        }
        all.sort();
        all.dedup_by(|one, other| one.cells == other.cells);
        all
    }

    /// Something in the loop goes beyond what is understood here.
    pub(super) fn is_odd(&self, counting: &Counting<'_>) -> bool {
        let statement = counting.statement;
        let mut odd = false;
        statement.walk(&mut |inner| {
            odd |= inner.openmp.iter().any(|one| !one.is_complete_behind());
            odd |= matches!(&inner.kind, StatementKind::OpenMp(one) if one.leaves());
            !odd
        });
        statement.walk_expressions(&mut |inner: &Expression| {
            odd |= matches!(inner.kind, ExpressionKind::Statement(_));
        });
        self.look.actions(&counting.nodes, &mut |_, action| {
            odd |= match &action.kind {
                ActionKind::Jump | ActionKind::Repeat(_) => true,
                ActionKind::Call { routines, .. } => routines
                    .iter()
                    .any(|one| self.look.known.effects.summary(*one).may_jump),
                _ => false,
            };
        });
        odd
    }

    /// Whether the elements that are stored to are all of the array, the same one all the time.
    fn is_filled(&self, one: &Written, counting: &Counting<'_>) -> bool {
        let look = self.look;
        let is_counter = |cell: CellId| one.counters.iter().any(|counter| counter.cell == cell);
        let limits = one.counters.iter().map(|counter| &counter.high);
        let fixed = one.extents.iter().chain(&one.indices).chain(limits);
        let changes = |cell: CellId| {
            look.facts.known.effects.is_unsteady(cell) || look.any_changes(&counting.nodes, cell)
        };
        let mut fixed = fixed.flat_map(|polynomial| polynomial.cells());
        let run = one.run.as_ref();
        fills(&one.extents, &one.indices, &one.counters)
            && !fixed.any(|cell| !is_counter(cell) && changes(cell))
            && !one.pointer.is_some_and(changes)
            && run.is_none_or(|run| look.facts.holds(run, look, &counting.nodes))
            && one.declared.is_none_or(|node| {
                let mut cells = one.extents.iter().flat_map(|extent| extent.cells());
                cells.all(|cell| {
                    look.facts
                        .is_same((look.id, node), cell, look, &counting.nodes)
                })
            })
    }

    /// Whether somebody may read the array in the loop before it has stored to the element in the same iteration.
    pub(super) fn is_read(&self, one: &Written, counting: &Counting<'_>) -> bool {
        let look = self.look;
        let mut found = false;
        look.actions(&counting.nodes, &mut |_, action| {
            if self.touches(action, &one.cells) {
                let is_after = one.done <= action.span.start && action.span.end <= one.body.end;
                found |= !is_after
                    || !matches!(action.kind, ActionKind::Read(_))
                    || !self.is_element(action.span, one);
            }
        });
        found
    }

    /// Whether an action may read or end some cells.
    pub(super) fn touches(&self, action: &Action, cells: &[CellId]) -> bool {
        let look = self.look;
        cells.iter().any(|&cell| {
            look.looks_at(action, cell)
                || match &action.kind {
                    ActionKind::Free { .. } | ActionKind::Begin { .. } => {
                        look.changes(action, cell)
                    }
                    ActionKind::Call { routines, .. } => routines.iter().any(|one| {
                        let summary = look.known.effects.summary(*one);
                        summary.frees.contains(cell.0 as usize)
                    }),
                    _ => false,
                }
        })
    }

    /// Whether the expression at a span is the element that was stored to.
    fn is_element(&self, span: Span, one: &Written) -> bool {
        let look = self.look;
        let same = || {
            let expression = look.expression(span)?;
            let named = named(look, expression)?;
            let pointer = match named.pointer {
                Some((pointer, _)) => Some(look.cell_read(pointer)?),
                None => None,
            };
            let mut indices = Vec::new();
            for dimension in &named.dimensions {
                indices.push(super::writes::index(look, dimension)?);
            }
            Some(pointer == one.pointer && indices == one.indices)
        };
        same().unwrap_or(false)
    }

    /// Whether an array that an inner loop overwrites may be read before that loop.
    fn is_read_before(&self, one: &Covered, inner: &Statement, counting: &Counting<'_>) -> bool {
        let begin = match inner.kind {
            StatementKind::For { .. } => self.look.nodes_of(inner.id).first().copied(),
            _ => None,
        };
        let mut found = false;
        self.look.actions(&counting.nodes, &mut |number, action| {
            let node = &self.look.routine.flow.nodes[number];
            let is_later = counting.body.span.contains(node.span)
                && node.span.start >= inner.span.start
                && begin != Some(number);
            found |= !is_later && self.touches(action, &one.cells);
        });
        found
    }
}
