//! What is so in the whole program: integers that are constant or the same as others, and pointers that always lead to
//! the beginning of one array.
//!
//! Neither depends on the order of things: a parameter that no function stores to is what all its callers hand over, a
//! pointer points to an array's beginning when everything that is ever stored to it does (or is null, which leads
//! nowhere). Only the extent of an array on the heap is that of one moment, its allocation: whoever relies on it has to
//! ask whether the cells in it are [still the same](Facts::holds).

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeSet, HashMap};

use super::term::{converted, size_of, term};
use super::view::{Known, Look, View};
use crate::analysis::effects::{ActionKind, SetId, owner_of_local};
use crate::analysis::memory::{CellId, ObjectId, ObjectKind};
use crate::analysis::polynomial::{Atom, Polynomial};
use crate::dataflow::steps::{Argument, RoutineId, TypeRef, Variable, VariableId, VariableKind};
use crate::dataflow::{Flow, NodeId, Reached};
use crate::program::Width;
use crate::program::{Declaration, Expression, Initialiser, Program, StatementKind, SymbolId};
use crate::source::Span;

/// An array that a pointer points to the beginning of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The object in which it lies.
    pub object: ObjectId,
    /// How many elements it has.
    pub elements: Polynomial,
    /// When it had so many: a node of a function.
    pub site: Option<(RoutineId, usize)>,
}

/// Somewhere a cell is stored to.
#[derive(Clone, Copy, Debug)]
pub struct Writer {
    pub routine: RoutineId,
    pub node: usize,
    pub span: Span,
    /// All of the list is surely stored to.
    pub all: bool,
}

/// Facts, found when they are asked for.
pub struct Facts<'a> {
    pub known: Known<'a>,
    views: Vec<OnceCell<View<'a>>>,
    /// The lists that have a cell in them.
    sets: Vec<Vec<SetId>>,
    /// Where the cells of a list are stored to.
    writers: Vec<Vec<Writer>>,
    /// Where a function is called: the function, the node, the span.
    pub callers: Vec<Vec<Writer>>,
    integers: RefCell<HashMap<CellId, Option<Polynomial>>>,
    pub(super) runs: RefCell<HashMap<(CellId, TypeRef), Option<Run>>>,
    after: RefCell<HashMap<(RoutineId, usize), Reached>>,
}

impl<'a> Facts<'a> {
    pub fn of(known: Known<'a>) -> Facts<'a> {
        let effects = known.effects;
        let cells = known.points_to.memory.cells.len();
        let mut facts = Facts {
            known,
            views: effects.bodies.iter().map(|_| OnceCell::new()).collect(),
            sets: vec![Vec::new(); cells],
            writers: vec![Vec::new(); effects.sets.count()],
            callers: vec![Vec::new(); effects.bodies.len()],
            integers: RefCell::default(),
            runs: RefCell::default(),
            after: RefCell::default(),
        };
        for (number, set) in effects.sets.all().enumerate() {
            for cell in set {
                facts.sets[cell.0 as usize].push(SetId(number as u32));
            }
        }
        for routine in known.steps.routine_ids() {
            let body = &effects.bodies[routine.0 as usize];
            for (node, actions) in body.nodes.iter().enumerate() {
                crate::analysis::effects::walk(actions, &mut |action| {
                    let here = Writer {
                        routine,
                        node,
                        span: action.span,
                        all: false,
                    };
                    match &action.kind {
                        // Nobody reads what was in memory that has been given back.
                        ActionKind::Write { cells, all } => {
                            let here = Writer { all: *all, ..here };
                            facts.writers[cells.0 as usize].push(here);
                        }
                        ActionKind::Call { routines, .. } => {
                            for callee in routines {
                                facts.callers[callee.0 as usize].push(here);
                            }
                        }
                        _ => {}
                    }
                });
            }
        }
        facts
    }

    /// A function.
    pub fn look(&self, routine: RoutineId) -> Look<'_, 'a> {
        let view = self.views[routine.0 as usize].get_or_init(|| View::of(self.known, routine));
        Look { view, facts: self }
    }

    /// Where a cell is stored to after the initialisers of variables with static storage.
    pub fn writers(&self, cell: CellId) -> impl Iterator<Item = Writer> + '_ {
        let sets = self.sets[cell.0 as usize].iter();
        sets.flat_map(|set| &self.writers[set.0 as usize]).copied()
    }

    /// The same for any of some cells, each once.
    pub(super) fn writers_of_any(
        &self,
        cells: impl IntoIterator<Item = CellId>,
    ) -> impl Iterator<Item = Writer> + '_ {
        let cells = cells.into_iter();
        let sets = cells.flat_map(|cell| self.sets[cell.0 as usize].iter().copied());
        let sets: BTreeSet<SetId> = sets.collect();
        let writers = sets
            .into_iter()
            .flat_map(|set| &self.writers[set.0 as usize]);
        writers.copied()
    }

    /// A polynomial in which equal integers have equal names.
    pub fn normal(&self, polynomial: &Polynomial) -> Option<Polynomial> {
        polynomial.mapped(&mut |atom| match atom {
            Atom::Cell(cell) => Some(self.integer(*cell)),
            Atom::Size(_) => Some(Polynomial::atom(atom.clone())),
        })
    }

    /// What an integer surely is whenever it may be read.
    fn integer(&self, cell: CellId) -> Polynomial {
        let itself = Polynomial::atom(Atom::Cell(cell));
        let known = self.integers.borrow().get(&cell).cloned();
        let found = match known {
            Some(found) => found,
            None => {
                // A function that hands a parameter on to itself leads back to here.
                self.integers.borrow_mut().insert(cell, None);
                let found = self.find_integer(cell);
                self.integers.borrow_mut().insert(cell, found.clone());
                found
            }
        };
        found.unwrap_or(itself)
    }

    fn find_integer(&self, cell: CellId) -> Option<Polynomial> {
        let (id, variable) = self.scalar(cell)?;
        let unit = &self.known.program.units[variable.ty.unit];
        let width = Width::of(unit, variable.ty.id)?;
        if self.known.effects.is_unsteady(cell) {
            return None;
        }
        if let VariableKind::Parameter(number) = variable.kind {
            return self.handed_over(cell, id, variable, number, width);
        }
        let initial = self.initialiser(variable.ty.unit, variable.owner, variable.symbol?)?;
        let is_static = variable
            .owner
            .is_none_or(|_| owner_of_local(self.known.steps, id).is_none());
        let mut writers = self.writers(cell);
        let from = Width::of(unit, initial.0.ty)?;
        if is_static {
            let value = converted(term(unit, initial.0, &|_| None)?, from, width)?;
            return (writers.next().is_none() && variable.is_defined).then_some(value);
        }
        let owner = variable.owner?;
        let value = self.look(owner).normal_term(initial.0)?;
        let value = converted(value, from, width)?;
        // What it was computed from is the same for good.
        let is_steady = |site: (RoutineId, usize)| {
            value.cells().all(|cell| {
                let mut writers = self.writers(cell);
                !self.known.effects.is_unsteady(cell)
                    && !writers.any(|one| (one.routine, one.node) == site)
                    && self.is_settled_for_its_owner(site, cell)
            })
        };
        let is_initial = writers.all(|one| {
            one.span == initial.1 && one.routine == owner && is_steady((owner, one.node))
        });
        is_initial.then_some(value)
    }

    /// What all callers hand over.
    fn handed_over(
        &self,
        cell: CellId,
        id: VariableId,
        variable: &Variable,
        number: usize,
        width: Width,
    ) -> Option<Polynomial> {
        let mut found: Option<Polynomial> = None;
        let owner = variable.owner?;
        let is_handed = |one: Writer| {
            one.routine == owner && one.node == Flow::ENTRY.0 && one.span == variable.declared.span
        };
        if !self.writers(cell).all(is_handed) {
            return None;
        }
        for (caller, node, argument) in self.arguments(owner, id, number)? {
            let look = self.look(caller);
            let expression = look.expression(argument.span)?;
            let from = Width::of(look.unit, expression.ty)?;
            let value = converted(look.normal_term(expression)?, from, width)?;
            let summary = self.known.effects.summary(owner);
            for cell in value.cells() {
                let changes = summary.writes.contains(cell.0 as usize)
                    || self.known.effects.is_unsteady(cell)
                    || look.any_changes(&[node], cell);
                if changes || caller == owner {
                    return None;
                }
            }
            if found.as_ref().is_some_and(|found| *found != value) {
                return None;
            }
            found = Some(value);
        }
        found
    }

    /// What is handed over for a parameter, at all calls: the caller, the node, the argument.
    pub(super) fn arguments(
        &self,
        owner: RoutineId,
        id: VariableId,
        number: usize,
    ) -> Option<Vec<(RoutineId, usize, &'a Argument)>> {
        let effects = self.known.effects;
        let is_open = effects.main == Some(owner)
            || [&effects.any_time, &effects.at_exit, &effects.from_outside]
                .into_iter()
                .any(|routines| routines.contains(&owner));
        if is_open || self.known.steps.routine(owner).parameters.get(number) != Some(&id) {
            return None;
        }
        let mut arguments = Vec::new();
        for caller in &self.callers[owner.0 as usize] {
            let look = self.look(caller.routine);
            let [(node, call)] = look.calls(caller.span) else {
                return None;
            };
            let callees = self.known.points_to.callees(caller.routine, call);
            callees.routines.binary_search(&owner).ok()?;
            arguments.push((caller.routine, *node, call.arguments.get(number)?));
        }
        Some(arguments)
    }

    /// The variable that a cell is all of.
    pub(super) fn scalar(&self, cell: CellId) -> Option<(VariableId, &'a Variable)> {
        let memory = &self.known.points_to.memory;
        let object = &memory.objects[memory.cells[cell.0 as usize].object.0 as usize];
        match object.kind {
            ObjectKind::Variable(id) if object.count == 1 && object.collapsed.is_none() => {
                Some((id, self.known.steps.variable(id)))
            }
            _ => None,
        }
    }

    /// What a variable is initialised with, and the span of its declarator.
    fn initialiser(
        &self,
        unit: usize,
        owner: Option<RoutineId>,
        symbol: SymbolId,
    ) -> Option<(&'a Expression, Span)> {
        let unit = &self.known.program.units[unit];
        let mut declarations: Vec<&Declaration> = unit.globals.iter().collect();
        if let Some(owner) = owner {
            let look = self.look(owner);
            declarations.clear();
            look.function.body.walk(&mut |statement| {
                match &statement.kind {
                    StatementKind::Declaration(declaration) => declarations.push(declaration),
                    StatementKind::For {
                        start: crate::program::ForStart::Declaration(declaration),
                        ..
                    } => declarations.push(declaration),
                    _ => {}
                }
                true
            });
        }
        let mut all = declarations.into_iter().flat_map(|one| &one.declarators);
        let declarator = all.find(|one| one.symbol == symbol && one.initialiser.is_some())?;
        match &declarator.initialiser {
            Some(Initialiser::Expression(value)) => Some((value, declarator.span)),
            _ => None,
        }
    }

    /// Whether the extent of an array is still the same when control comes to some nodes of a function.
    pub fn holds(&self, run: &Run, look: Look<'_, '_>, nodes: &[usize]) -> bool {
        let Some(site) = run.site else {
            return run.elements.cells().next().is_none();
        };
        run.elements
            .cells()
            .all(|cell| self.is_same(site, cell, look, nodes))
    }

    /// Whether a cell still holds what it held at a site when control comes to some nodes of a function.
    pub(super) fn is_same(
        &self,
        site: (RoutineId, usize),
        cell: CellId,
        look: Look<'_, '_>,
        nodes: &[usize],
    ) -> bool {
        let here = |one: Writer| (one.routine, one.node) == site;
        !self.known.effects.is_unsteady(cell)
            && !self.writers(cell).any(here)
            && (self.is_kept(site, cell, look, nodes) || self.is_settled(site, cell))
    }

    /// The same, as long as the function of the site has not returned.
    fn is_settled_for_its_owner(&self, site: (RoutineId, usize), cell: CellId) -> bool {
        let (routine, node) = site;
        let is_own = self.known.effects.private.contains(cell.0 as usize)
            && self
                .scalar(cell)
                .is_some_and(|(id, _)| owner_of_local(self.known.steps, id) == Some(routine));
        if !is_own {
            return self.is_settled(site, cell);
        }
        // No other function, and no other activation of this one, stores there.
        let later = self.known.steps.routine(routine).flow.after(NodeId(node));
        !self
            .writers(cell)
            .any(|one| one.routine != routine || later[one.node])
    }

    /// No store to the cell may come after the site, in the whole program.
    fn is_settled(&self, site: (RoutineId, usize), cell: CellId) -> bool {
        if self.writers(cell).next().is_none() {
            return true;
        }
        // What comes later in the same function needs no search in the whole program.
        let later = self.known.steps.routine(site.0).flow.after(NodeId(site.1));
        let mut own = self.writers(cell).filter(|one| one.routine == site.0);
        if own.any(|one| later[one.node]) {
            return false;
        }
        let mut memo = self.after.borrow_mut();
        let after = memo.entry(site);
        let after = after.or_insert_with(|| self.known.control.behind_node(site.0, site.1));
        !self
            .writers(cell)
            .any(|one| after.has_node(one.routine, one.node))
    }

    /// No store to the cell may come after the site and before the nodes, all in the same function.
    fn is_kept(
        &self,
        (routine, node): (RoutineId, usize),
        cell: CellId,
        look: Look<'_, '_>,
        nodes: &[usize],
    ) -> bool {
        if look.id != routine || nodes.contains(&node) {
            return false;
        }
        let flow = &look.routine.flow;
        let between: Vec<usize> = between(flow, node, nodes);
        !look.any_changes(&between, cell)
    }
}

/// The nodes that may come after one and before others.
fn between(flow: &Flow, from: usize, to: &[usize]) -> Vec<usize> {
    let after = flow.after(NodeId(from));
    let before = flow.before(to);
    (0..flow.nodes.len())
        .filter(|node| after[*node] && before[*node])
        .collect()
}

impl Look<'_, '_> {
    /// What an integer expression is made of, in names that are the same in all functions.
    pub fn normal_term(&self, expression: &Expression) -> Option<Polynomial> {
        let held = |one: &Expression| Some(Polynomial::atom(Atom::Cell(self.cell_read(one)?)));
        let found = term(self.unit, expression, &held)?;
        self.facts.normal(&found)
    }
}

/// Whether two types are the same, in whatever units.
pub fn is_same_type(program: &Program, a: TypeRef, b: TypeRef) -> bool {
    let (first, second) = (&program.units[a.unit], &program.units[b.unit]);
    if a.unit == b.unit {
        return first.same_type(a.id, b.id);
    }
    let spelt = (first.spell(a.id, ""), second.spell(b.id, ""));
    matches!(spelt, (Ok(a), Ok(b)) if a == b)
}

/// How many elements of a type so many bytes are.
pub(super) fn elements(program: &Program, bytes: &Polynomial, of: TypeRef) -> Option<Polynomial> {
    bytes.divided(&size_of(&program.units[of.unit], of.id)?)
}
