//! Arrays that are surely overwritten, and by what.

use std::collections::{BTreeMap, HashMap};

use crate::analysis::memory::CellId;
use crate::dataflow::steps::RoutineId;
use crate::program::StatementId;
use crate::source::Span;

/// Cells of an array all of whose elements are overwritten.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Covered {
    /// Which cells, in ascending order.
    pub cells: Vec<CellId>,
    /// The write or the call that does it.
    pub by: Span,
}

/// The arrays that loops and calls overwrite.
#[derive(Debug, Default)]
pub struct Coverage {
    pub(super) loops: HashMap<RoutineId, BTreeMap<StatementId, Vec<Covered>>>,
    pub(super) ways: HashMap<RoutineId, BTreeMap<(usize, usize), Vec<Covered>>>,
    pub(super) calls: HashMap<RoutineId, BTreeMap<Span, Vec<Covered>>>,
}

impl Coverage {
    /// Cells that are surely overwritten, all elements, before any of them is read, when control enters the loop from
    /// outside. Not when it goes back to the beginning: what earlier iterations stored is needed.
    pub fn overwritten_by_loop(
        &self,
        routine: RoutineId,
        loop_statement: StatementId,
    ) -> &[Covered] {
        self.loops
            .get(&routine)
            .and_then(|loops| loops.get(&loop_statement))
            .map_or(&[], Vec::as_slice)
    }

    /// The same by ways between two nodes of the routine's flow: those on which control enters such a loop.
    pub fn ways(&self, routine: RoutineId) -> impl Iterator<Item = ((usize, usize), &[Covered])> {
        let ways = self.ways.get(&routine).into_iter().flatten();
        ways.map(|(way, covered)| (*way, covered.as_slice()))
    }

    /// Cells of which a call of a library function surely overwrites all elements, by the span of the call. What the
    /// call reads it reads before.
    pub fn overwritten_by_call(&self, routine: RoutineId, span: Span) -> &[Covered] {
        self.calls
            .get(&routine)
            .and_then(|calls| calls.get(&span))
            .map_or(&[], Vec::as_slice)
    }

    /// All calls of a function that overwrite arrays, in the order of the text.
    pub fn calls(&self, routine: RoutineId) -> impl Iterator<Item = (Span, &Covered)> {
        let calls = self.calls.get(&routine).into_iter().flatten();
        calls.flat_map(|(span, covered)| covered.iter().map(|one| (*span, one)))
    }
}
