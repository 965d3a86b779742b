//! What every function does that matters here: whether it contains or reaches a directive, what it may store to, which
//! of its text runs again on restart.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;

use super::allocations::Allocated;
use crate::analysis::Residents;
use crate::analysis::effects::{Action, ActionKind, Effects, Note, SetId, groups, leading};
use crate::analysis::memory::{CellId, CellSet, Memory, ObjectId, ObjectKind};
use crate::catalog::Catalogue;
use crate::dataflow::steps::{RoutineId, Steps, TextPlace, VariableId};
use crate::dataflow::{Control, Flow, FunctionRef};
use crate::program::{Directive, Program, Storage, TypeKind};
use crate::solver::rounds;
use crate::source::Span;

/// Facts about all functions.
pub(super) struct Facts<'a> {
    pub program: &'a Program,
    pub steps: &'a Steps,
    pub memory: &'a Memory,
    pub effects: &'a Effects,
    /// What each may store to, with all that it calls. What unknown functions do to memory that was not handed to them
    /// is left out.
    pub changes: Vec<CellSet>,
    /// What unknown functions store to all the same: variables that their objects define.
    pub shared: CellSet,
    /// What handlers of signals and other threads may store to, at any time.
    pub any_time: CellSet,
    /// What functions without directives allocate.
    pub allocated: Allocated,
    /// Cells of memory that calls allocate.
    pub heap: CellSet,
    /// The part of it that some function allocates in some cases only.
    pub conditional: CellSet,
    /// Cells of the automatic locals of each.
    pub locals: Vec<Vec<usize>>,
    /// Registers that nobody has to execute.
    pub residents: Residents,
    /// Where control may go.
    pub control: &'a Control<'a>,
    clients: Vec<bool>,
    blocks: Vec<Vec<Block>>,
}

/// What is executed on restart.
struct Block {
    /// Where the first directive stands.
    begin: usize,
    /// Between the two directives.
    inside: Span,
    /// Only its latest execution runs again: it lies in a loop around a checkpoint, and has no `each`.
    is_superseded: bool,
    /// Variables of the function that begin anew between two executions, or not.
    begins: RefCell<BTreeMap<VariableId, bool>>,
}

impl<'a> Facts<'a> {
    /// Looks at all functions.
    pub fn of(
        program: &'a Program,
        catalogue: &Catalogue,
        steps: &'a Steps,
        memory: &'a Memory,
        effects: &'a Effects,
        control: &'a Control<'a>,
    ) -> Facts<'a> {
        let count = steps.routines.len();
        let mut facts = Facts {
            program,
            steps,
            memory,
            effects,
            changes: vec![CellSet::with_capacity(memory.cells.len()); count],
            shared: CellSet::with_capacity(memory.cells.len()),
            any_time: CellSet::with_capacity(memory.cells.len()),
            allocated: Allocated::default(),
            heap: CellSet::with_capacity(memory.cells.len()),
            conditional: CellSet::with_capacity(memory.cells.len()),
            locals: vec![Vec::new(); count],
            residents: Residents::of(program),
            control,
            clients: vec![false; count],
            blocks: Vec::new(),
        };
        facts.find_blocks();
        facts.find_locals();
        facts.find_shared(catalogue);
        facts.find_clients();
        facts.find_changes();
        facts.find_conditional();
        facts
    }

    fn find_blocks(&mut self) {
        self.blocks.resize_with(self.clients.len(), Vec::new);
        let routine_of = |unit, function| self.steps.routine_of(FunctionRef { unit, function });
        let mut checkpoints = Vec::new();
        for (unit, one) in self.program.units.iter().enumerate() {
            for found in &one.directives {
                if let (Directive::Checkpoint { .. }, Some(function)) =
                    (&found.directive, found.function)
                {
                    checkpoints.push((routine_of(unit, function), found.span.start));
                }
            }
        }
        let trips = OnceCell::new();
        let trips = || trips.get_or_init(|| self.control.round_trips(checkpoints.iter().copied()));
        for (unit, one) in self.program.units.iter().enumerate() {
            for begin in &one.directives {
                let (Directive::ExecuteOnRestart { each }, Some(end), Some(function)) =
                    (&begin.directive, begin.partner, begin.function)
                else {
                    continue;
                };
                let routine = routine_of(unit, function);
                let place = (routine, begin.span.start);
                let end = one.directives[end.0].span.start;
                self.blocks[routine.0 as usize].push(Block {
                    begin: begin.span.start,
                    inside: Span::new(begin.span.end, end),
                    is_superseded: !each && self.control.comes_back(trips(), place),
                    begins: RefCell::default(),
                });
            }
        }
    }

    fn find_locals(&mut self) {
        for object in &self.memory.objects {
            let cells = object.first.0 as usize..(object.first.0 + object.count) as usize;
            if let ObjectKind::Heap { .. } = object.kind {
                self.heap.extend(cells);
                continue;
            }
            let ObjectKind::Variable(variable) = object.kind else {
                continue;
            };
            let variable = self.steps.variable(variable);
            if let Some(owner) = variable.owner
                && matches!(variable.storage, Storage::Automatic | Storage::Register)
            {
                let first = object.first.0 as usize;
                self.locals[owner.0 as usize].extend(first..first + object.count as usize);
            }
        }
    }

    /// Calls `visit` for every action of a list, those inside others too.
    pub fn walk(actions: &[Action], visit: &mut dyn FnMut(&Action)) {
        for action in actions {
            visit(action);
            match &action.kind {
                ActionKind::Choose(lists) => lists.iter().for_each(|one| Self::walk(one, visit)),
                ActionKind::Repeat(one) => Self::walk(one, visit),
                _ => {}
            }
        }
    }

    /// Calls `visit` for every action of a function but those at its entry.
    pub fn visit(&self, routine: usize, visit: &mut dyn FnMut(&Action)) {
        if let Some(body) = self.effects.bodies.get(routine) {
            // At the entry parameters get their values, which the call gives again.
            let nodes = body.nodes.iter().skip(Flow::ENTRY.0 + 1);
            nodes.for_each(|node| Self::walk(node, visit));
        }
    }

    /// Whether a cell holds a number for sure.
    pub fn is_number(&self, cell: CellId) -> bool {
        let ty = self.memory.cells[cell.0 as usize].ty;
        ty.is_some_and(|ty| {
            let unit = &self.program.units[ty.unit];
            let ty = unit.ty(ty.id);
            let number = matches!(
                ty.kind,
                TypeKind::Bool | TypeKind::Integer(_) | TypeKind::Float(_) | TypeKind::Enum(_)
            );
            number && ty.typedef_name.is_none()
        })
    }

    /// Whether a function contains or reaches a directive.
    pub fn is_client(&self, routine: RoutineId) -> bool {
        self.clients[routine.0 as usize]
    }

    /// Whether an action is a call of such a function, or contains one.
    pub fn calls_client(&self, action: &Action) -> bool {
        let mut found = false;
        Self::walk(std::slice::from_ref(action), &mut |one| {
            if let ActionKind::Call { routines, .. } = &one.kind {
                found |= routines.iter().any(|routine| self.is_client(*routine));
            }
        });
        found
    }

    /// The cells to which what is called there may store.
    pub fn stored_by(&self, routine: RoutineId, call: Span) -> CellSet {
        let mut cells = CellSet::with_capacity(self.memory.cells.len());
        self.visit(routine.0 as usize, &mut |action| {
            if action.span == call {
                self.add_called(action, &mut cells);
            }
        });
        cells
    }

    fn add_called(&self, action: &Action, cells: &mut CellSet) {
        if let ActionKind::Call {
            routines, spared, ..
        } = &action.kind
        {
            for called in routines {
                let changes = &self.changes[called.0 as usize];
                cells.union_with(&self.effects.unspared(*spared, changes));
            }
        }
    }

    /// The cells to which a part of a function may store, with all that it calls.
    pub fn stored_in(&self, routine: RoutineId, part: Span) -> CellSet {
        let mut cells = CellSet::with_capacity(self.memory.cells.len());
        self.visit(routine.0 as usize, &mut |action| {
            if !part.has(action.span.start) {
                return;
            }
            match &action.kind {
                ActionKind::Write { cells: set, .. } => {
                    cells.extend(self.effects.cells(*set).iter().map(|cell| cell.0 as usize));
                }
                _ => self.add_called(action, &mut cells),
            }
        });
        cells
    }

    fn find_clients(&mut self) {
        let mut calls = Vec::new();
        let mut holding = Vec::new();
        for routine in self.steps.routine_ids() {
            let mut has_directive = false;
            let mut callees = Vec::new();
            let unit = self.steps.routine(routine).function.unit;
            self.visit(routine.0 as usize, &mut |action| match &action.kind {
                ActionKind::Directive(id) => {
                    has_directive |= !self.residents.contains(unit, *id);
                }
                ActionKind::Call { routines, .. } => callees.extend(routines.iter().copied()),
                _ => {}
            });
            calls.push(callees);
            holding.extend(has_directive.then_some(routine));
        }
        self.clients = leading(&calls, holding);
    }

    /// Whether a place lies in a block that no run comes into behind `init`.
    fn is_early(&self, routine: RoutineId, span: Span) -> bool {
        let mut blocks = self.effects.first_use.blocks.iter();
        blocks.any(|(one, block)| *one == routine && block.has(span.start))
    }

    /// Whether a block of the heap is allocated before `init` only.
    pub fn is_made_early(&self, object: ObjectId) -> bool {
        let ObjectKind::Heap { call, through, .. } = &self.memory.objects[object.0 as usize].kind
        else {
            return false;
        };
        let is_in = |place: &TextPlace| {
            self.effects
                .first_use
                .blocks
                .iter()
                .any(|(routine, block)| {
                    let unit = self.steps.routine(*routine).function.unit;
                    unit == place.unit && block.has(place.span.start)
                })
        };
        through.iter().chain([call]).any(is_in)
    }

    fn find_shared(&mut self, catalogue: &Catalogue) {
        for (object, one) in self.memory.objects.iter().enumerate() {
            if let ObjectKind::Variable(id) = one.kind
                && { self.steps.variable(id) }.is_of_unseen_object(self.program, catalogue)
            {
                let cells = self.object_cells(ObjectId(object as u32));
                self.shared.extend(cells);
            }
        }
    }

    /// What every function may store to behind `init`, with all that it calls, blocks that run again left out.
    fn find_changes(&mut self) {
        let mut callees: Vec<Vec<(usize, SetId)>> = vec![Vec::new(); self.clients.len()];
        for (routine, called) in callees.iter_mut().enumerate() {
            let mut cells = std::mem::take(&mut self.changes[routine]);
            let mut unknown = Vec::new();
            self.visit(routine, &mut |action| {
                if let ActionKind::Note(Note::Unknown(_)) = action.kind {
                    unknown.push(action.span);
                }
            });
            let id = RoutineId(routine as u32);
            self.visit(routine, &mut |action| match &action.kind {
                _ if self.is_early(id, action.span) => {}
                ActionKind::Write { cells: set, .. } => {
                    let all = self.effects.cells(*set).iter().map(|cell| cell.0 as usize);
                    let is_handed = !unknown.contains(&action.span);
                    cells.extend(all.filter(|cell| is_handed || self.shared.contains(*cell)));
                }
                ActionKind::Call {
                    routines, spared, ..
                } => {
                    called.extend(routines.iter().map(|one| (one.0 as usize, *spared)));
                }
                _ => {}
            });
            called.sort_unstable();
            called.dedup();
            self.changes[routine] = cells;
        }
        let calls: Vec<Vec<RoutineId>> = callees
            .iter()
            .map(|called| called.iter().map(|one| RoutineId(one.0 as u32)).collect())
            .collect();
        for group in groups(&calls) {
            self.find_changes_of(&group, &callees);
        }
        for routine in &self.effects.any_time {
            self.any_time.union_with(&self.changes[routine.0 as usize]);
        }
        self.any_time.difference_with(&self.effects.private);
    }

    /// The same for functions that call each other, when all others that they call are known.
    fn find_changes_of(&mut self, group: &[RoutineId], callees: &[Vec<(usize, SetId)>]) {
        rounds(|| {
            let mut news = false;
            for routine in group.iter().map(|one| one.0 as usize) {
                for &(callee, spared) in &callees[routine] {
                    if callee == routine || self.changes[callee].is_subset(&self.changes[routine]) {
                        continue;
                    }
                    let more = self.effects.unspared(spared, &self.changes[callee]);
                    if !more.is_subset(&self.changes[routine]) {
                        self.changes[routine].union_with(&more);
                        news = true;
                    }
                }
            }
            news
        });
    }

    /// `main`, and what nobody here calls when there is none.
    pub fn roots(&self) -> Vec<RoutineId> {
        let main = self.steps.routine_named(self.program, "main");
        let mut roots: Vec<RoutineId> = main.into_iter().collect();
        let mut called = vec![false; self.clients.len()];
        for routine in 0..self.clients.len() {
            self.visit(routine, &mut |action| {
                if let ActionKind::Call { routines, .. } = &action.kind {
                    routines
                        .iter()
                        .for_each(|one| called[one.0 as usize] = true);
                }
            });
        }
        if main.is_none() || !self.effects.from_outside.is_empty() {
            let more = self.steps.routine_ids().filter(|one| {
                let outside = self.effects.from_outside.contains(one);
                self.clients[one.0 as usize] && (outside || !called[one.0 as usize])
            });
            roots.extend(more);
        }
        roots
    }

    /// Functions that contain or reach a directive, in groups that call each other, callees before their callers.
    pub fn callees_first(&self) -> Vec<Vec<RoutineId>> {
        let mut calls: Vec<Vec<RoutineId>> = Vec::with_capacity(self.clients.len());
        for routine in 0..self.clients.len() {
            let mut called = Vec::new();
            if self.clients[routine] {
                self.visit(routine, &mut |action| {
                    if let ActionKind::Call { routines, .. } = &action.kind {
                        called.extend(routines.iter().filter(|one| self.is_client(**one)));
                    }
                });
            }
            called.sort_unstable();
            called.dedup();
            calls.push(called);
        }
        let mut all = groups(&calls);
        all.retain(|group| group.iter().all(|one| self.is_client(*one)));
        all
    }

    fn block(&self, routine: RoutineId, span: Span) -> Option<&Block> {
        let mut blocks = self.blocks[routine.0 as usize].iter();
        blocks.find(|block| block.inside.has(span.start))
    }

    /// Whether a place lies in a block that is executed on restart.
    pub fn runs_again(&self, routine: RoutineId, span: Span) -> bool {
        self.block(routine, span).is_some()
    }

    /// Whether a place lies in a block of which only the latest execution runs again.
    pub fn is_superseded(&self, routine: RoutineId, span: Span) -> bool {
        self.block(routine, span)
            .is_some_and(|block| block.is_superseded)
    }

    /// Of cells to which a block may store at a place, those in which something may be that an earlier execution has stored, and only the
    /// latest one runs again.
    pub fn superseded(
        &self,
        routine: RoutineId,
        span: Span,
        cells: impl Iterator<Item = usize>,
    ) -> Vec<usize> {
        let block = self.block(routine, span).filter(|one| one.is_superseded);
        block.map_or_else(Vec::new, |block| {
            cells
                .filter(|cell| !self.begins_between(routine, block, *cell))
                .collect()
        })
    }

    /// Whether a cell belongs to a local whose life begins between any two executions of a block.
    fn begins_between(&self, routine: RoutineId, block: &Block, cell: usize) -> bool {
        let object = self.memory.cells[cell].object;
        let ObjectKind::Variable(id) = self.memory.objects[object.0 as usize].kind else {
            return false;
        };
        let variable = self.steps.variable(id);
        let is_automatic = matches!(variable.storage, Storage::Automatic | Storage::Register);
        if !is_automatic || variable.owner != Some(routine) {
            return false;
        }
        let mut known = block.begins.borrow_mut();
        *known.entry(id).or_insert_with(|| {
            let declared = (routine, variable.declared.span.start);
            let end = (routine, block.inside.end);
            let behind = self.control.after_without(end, declared);
            !self.control.has(&behind, routine, block.begin)
        })
    }

    /// The cells of an object.
    pub fn object_cells(&self, object: ObjectId) -> std::ops::Range<usize> {
        let object = &self.memory.objects[object.0 as usize];
        let first = object.first.0 as usize;
        first..first + object.count as usize
    }
}
