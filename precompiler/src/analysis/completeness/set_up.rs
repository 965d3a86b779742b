//! What the first call of a function computes for all later ones: a restart computes it again.
//!
//! ```text
//! double next(void) { static int ready; static double a, b;
//!     if (!ready) { a = 0.5; for (…) b = b * a; ready = 1; }
//!     … a … b …
//! ```
//!
//! After a restart `ready` is what it was when the program started, and the next call sets all of the group anew, before
//! it reads any of it. That holds when the flag and the group have static storage and are stored to nowhere but in the
//! guarded block; when the block ends with a constant in the flag that keeps later calls out; when the block depends on
//! nothing but constants and the group itself, and does nothing else; and when the group is read behind the guard only.
//! The guard may be the other way round, `if (ready) return;` with the rest of the function as its block. Other functions
//! may read the group behind a call of this one.
//! A register of any of them takes that away: then all of them have to be registered.
//!
//! Errors fall on the side of *not set up again*.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use super::facts::Facts;
use super::leaving::returns;
use crate::analysis::effects::{Action, ActionKind, Backward, Later, Together, blocks};
use crate::analysis::memory::{CellId, CellSet, ObjectKind};
use crate::analysis::points_to::PointsTo;
use crate::dataflow::Flow;
use crate::dataflow::steps::{RoutineId, VariableId, VariableKind};
use crate::program::{
    Declaration, Expression, ExpressionKind, Initialiser, Statement, StatementKind, Storage,
    SymbolId, TypeKind, UnaryOperator, Unit, converted,
};
use crate::solver::{Analysis, keep_common, solve};

/// Groups of cells, each with the flag that guards it.
pub(super) fn groups(facts: &Facts, points_to: &PointsTo) -> Vec<BTreeSet<usize>> {
    let mut found = Vec::new();
    for routine in facts.steps.routine_ids() {
        let place = facts.steps.routine(routine).function;
        let unit = &facts.program.units[place.unit];
        if facts.is_client(routine) || facts.effects.bodies[routine.0 as usize].returns_twice {
            continue;
        }
        unit.function(place.function).body.walk(&mut |statement| {
            if let StatementKind::If {
                condition,
                then,
                otherwise: None,
            } = &statement.kind
            {
                let guard = Guard {
                    facts,
                    points_to,
                    routine,
                    unit,
                    statement,
                    condition,
                    then,
                    leaves: returns(then),
                };
                found.extend(guard.group());
            }
            true
        });
    }
    found
}

/// A statement that may be such a guard.
pub(super) struct Guard<'g> {
    pub(super) facts: &'g Facts<'g>,
    pub(super) points_to: &'g PointsTo,
    pub(super) routine: RoutineId,
    pub(super) unit: &'g Unit,
    pub(super) statement: &'g Statement,
    pub(super) condition: &'g Expression,
    pub(super) then: &'g Statement,
    /// The block is all that follows: the guard leaves the function.
    pub(super) leaves: bool,
}

/// What is surely stored to in the block of a guard, and whether that is enough.
struct Within<'w, 'a> {
    guard: &'w Guard<'a>,
    locals: &'w BTreeSet<usize>,
    flag: usize,
    inside: &'w [bool],
    right: &'w mut bool,
}

impl Analysis for Within<'_, '_> {
    type Fact = BTreeSet<usize>;

    fn join(known: &mut BTreeSet<usize>, more: &BTreeSet<usize>) -> bool {
        keep_common(known, more)
    }

    fn transfer(
        &mut self,
        node: usize,
        mut state: BTreeSet<usize>,
        hand_on: &mut dyn FnMut(usize, &BTreeSet<usize>),
    ) {
        let routine = self.guard.routine;
        let actions = &self.guard.facts.effects.bodies[routine.0 as usize].nodes[node];
        *self.right &= self.guard.passes(actions, self.locals, &mut state);
        for next in self.guard.facts.steps.routine(routine).flow.next(node) {
            match self.inside[next] {
                true => hand_on(next, &state),
                false => *self.right &= state.contains(&self.flag),
            }
        }
    }
}

impl Guard<'_> {
    fn group(&self) -> Option<BTreeSet<usize>> {
        let symbol = self.flag()?;
        let number = self.facts.steps.routine(self.routine).function.unit;
        let variable = self.facts.steps.variable_of(number, symbol)?;
        let flag = self.static_cell(variable)?;
        let first = self.initial(variable)?;
        if (self.holds(symbol, first)? == 0) != self.leaves || !self.closes(symbol) {
            return None;
        }
        let flow = &self.facts.steps.routine(self.routine).flow;
        let heads = flow.nodes.iter().enumerate();
        let mut heads = heads.filter(|(_, node)| node.statement == Some(self.statement.id));
        let (head, None) = (heads.next()?.0, heads.next()) else {
            return None;
        };
        if self.leaves && !self.returns_the_same() {
            return None;
        }
        let inside = self.inside(head);
        let block = self.block(&inside, head, flag)?;
        let is_sound = block.group.iter().all(|&cell| self.is_ours(cell))
            && self.is_closed(&block.group, flag, head, &inside)
            && self.forgets(&block.locals, head, flag);
        is_sound.then_some(block.group)
    }

    /// The only variable in the condition.
    fn flag(&self) -> Option<SymbolId> {
        match &self.condition.kind {
            ExpressionKind::Name { symbol, .. } => *symbol,
            ExpressionKind::Unary(UnaryOperator::Not, inner) => inner.symbol(),
            ExpressionKind::Binary(operator, left, right) if operator.compares() => {
                left.symbol().or_else(|| right.symbol())
            }
            _ => None,
        }
    }

    /// What the condition is when the flag has a value.
    fn holds(&self, symbol: SymbolId, value: i128) -> Option<i128> {
        let held = &mut |one: &Expression| (one.symbol() == Some(symbol)).then_some(value);
        self.unit.constant(self.condition, held)
    }

    /// What the flag holds when an expression is stored there.
    fn stored(&self, unit: &Unit, symbol: SymbolId, value: &Expression) -> Option<i128> {
        let known = unit.constant(value, &mut |_| None)?;
        converted(unit, (known, value.ty), unit.symbols[symbol.0].ty)
    }

    /// Whether the block stores only constants to the flag, and only such as keep control out.
    fn closes(&self, symbol: SymbolId) -> bool {
        let (mut stores, mut right) = (0, true);
        let place = self.facts.steps.routine(self.routine).function;
        let block = match self.leaves {
            true => &self.unit.function(place.function).body,
            false => self.then,
        };
        block.walk_expressions(&mut |one| match &one.kind {
            ExpressionKind::Assign {
                operator,
                target,
                value,
            } if target.symbol() == Some(symbol) => {
                stores += 1;
                let constant = match operator {
                    None => self.stored(self.unit, symbol, value),
                    Some(_) => None,
                };
                let outside = constant.and_then(|value| self.holds(symbol, value));
                right &= outside.is_some_and(|holds| (holds == 0) != self.leaves);
            }
            ExpressionKind::Step(_, target) if target.symbol() == Some(symbol) => right = false,
            ExpressionKind::Statement(_) => right = false,
            _ => {}
        });
        stores > 0 && right
    }

    /// The cell of an integer with static storage.
    fn static_cell(&self, variable: VariableId) -> Option<usize> {
        let one = self.facts.steps.variable(variable);
        let unit = &self.facts.program.units[one.ty.unit];
        let ty = unit.ty(one.ty.id);
        let plain = !ty.qualifiers.is_volatile && !ty.qualifiers.is_atomic;
        let object = self.points_to.variable(variable)?;
        let cells = self.facts.object_cells(object);
        let is_number = matches!(
            ty.kind,
            TypeKind::Integer(_) | TypeKind::Bool | TypeKind::Enum(_)
        );
        (is_number && plain && cells.len() == 1 && self.is_ours(cells.start)).then_some(cells.start)
    }

    /// Whether a cell belongs to a variable of the program with static storage that nobody changes behind its back.
    fn is_ours(&self, cell: usize) -> bool {
        let object = self.facts.memory.cells[cell].object;
        let ObjectKind::Variable(id) = self.facts.memory.objects[object.0 as usize].kind else {
            return false;
        };
        let one = self.facts.steps.variable(id);
        let lasts = match one.storage {
            Storage::Automatic | Storage::Register => false,
            _ => one.is_defined && !one.per_thread && one.kind == VariableKind::Named,
        };
        lasts && !self.facts.effects.is_unsteady(CellId(cell as u32))
    }

    /// What the flag is when the program starts.
    fn initial(&self, variable: VariableId) -> Option<i128> {
        let mut all: Vec<(usize, &Declaration)> = Vec::new();
        for (number, unit) in self.facts.program.units.iter().enumerate() {
            all.extend(unit.globals.iter().map(|one| (number, one)));
        }
        let place = self.facts.steps.routine(self.routine).function;
        let body = &self.unit.function(place.function).body;
        body.walk(&mut |statement| {
            if let StatementKind::Declaration(one) = &statement.kind {
                all.push((place.unit, one));
            }
            true
        });
        let mut found = 0;
        for (unit, declaration) in all {
            for one in &declaration.declarators {
                if self.facts.steps.variable_of(unit, one.symbol) != Some(variable) {
                    continue;
                }
                match &one.initialiser {
                    None => {}
                    Some(Initialiser::Expression(value)) => {
                        let unit = &self.facts.program.units[unit];
                        found = self.stored(unit, one.symbol, value)?;
                    }
                    Some(_) => return None,
                }
            }
        }
        Some(found)
    }

    /// What the guarded block stores to, if it depends on nothing but constants and that, and does nothing else.
    fn block(&self, inside: &[bool], head: usize, flag: usize) -> Option<Block> {
        let flow = &self.facts.steps.routine(self.routine).flow;
        let bodies = &self.facts.effects.bodies[self.routine.0 as usize].nodes;
        let locals: BTreeSet<usize> = self.facts.locals[self.routine.0 as usize]
            .iter()
            .copied()
            .collect();
        let mut block = Block::default();
        let (mut read, mut right) = (BTreeSet::new(), true);
        for node in (0..inside.len()).filter(|node| inside[*node]) {
            Facts::walk(&bodies[node], &mut |action| match &action.kind {
                ActionKind::Read(cells) => {
                    read.extend(
                        self.facts
                            .effects
                            .cells(*cells)
                            .iter()
                            .map(|one| one.0 as usize),
                    );
                }
                ActionKind::Write { cells, .. } => {
                    for cell in self.facts.effects.cells(*cells) {
                        let cell = cell.0 as usize;
                        match locals.contains(&cell) {
                            true => block.locals.insert(cell),
                            false => block.group.insert(cell),
                        };
                    }
                }
                ActionKind::Begin { object, .. } => {
                    let mut cells = self.facts.object_cells(*object);
                    right &= cells.all(|cell| locals.contains(&cell));
                }
                ActionKind::Choose(_) => {}
                ActionKind::Return => right &= self.leaves,
                _ => right = false,
            });
        }
        // Other locals say what was before the block.
        right &= read
            .iter()
            .all(|cell| block.group.contains(cell) || block.locals.contains(cell));
        right &= block.group.contains(&flag);
        // On every way a local is stored to before it is read, and the flag before the block is left.
        let first: Vec<usize> = flow.next(head).filter(|next| inside[*next]).collect();
        right &= !first.is_empty();
        let mut within = Within {
            guard: self,
            locals: &block.locals,
            flag,
            inside,
            right: &mut right,
        };
        let first = first.into_iter().map(|node| (node, BTreeSet::new()));
        solve(&mut within, inside.len(), first);
        right.then_some(block)
    }

    /// Adds what actions surely store to; whether they read no local before that.
    fn passes(
        &self,
        actions: &[Action],
        locals: &BTreeSet<usize>,
        state: &mut BTreeSet<usize>,
    ) -> bool {
        let mut right = true;
        for action in actions {
            match &action.kind {
                ActionKind::Read(cells) => {
                    let mut cells = self.facts.effects.cells(*cells).iter();
                    right &= cells.all(|cell| {
                        let cell = cell.0 as usize;
                        !locals.contains(&cell) || state.contains(&cell)
                    });
                }
                ActionKind::Write { cells, all: true } => {
                    let cells = self.facts.effects.cells(*cells).iter();
                    state.extend(cells.map(|cell| cell.0 as usize));
                }
                ActionKind::Choose(lists) => {
                    let mut joined: Option<BTreeSet<usize>> = None;
                    for list in lists {
                        let mut one = state.clone();
                        right &= self.passes(list, locals, &mut one);
                        joined = Some(match joined {
                            None => one,
                            Some(known) => known.intersection(&one).copied().collect(),
                        });
                    }
                    if let Some(joined) = joined {
                        *state = joined;
                    }
                }
                _ => {}
            }
        }
        right
    }

    /// Whether the group is stored to in the block only, and read there or behind the guard; the flag only in the guard.
    fn is_closed(
        &self,
        group: &BTreeSet<usize>,
        flag: usize,
        head: usize,
        inside: &[bool],
    ) -> bool {
        let flow = &self.facts.steps.routine(self.routine).flow;
        let around = flow.along([Flow::ENTRY.0], |_, to| to != head);
        let mut right = true;
        for routine in self.facts.steps.routine_ids() {
            let nodes = &self.facts.effects.bodies[routine.0 as usize].nodes;
            let sheltered = OnceCell::new();
            let is_after_call = |node: usize| {
                let known = sheltered.get_or_init(|| self.sheltered(routine));
                routine != self.routine && known.get(node) == Some(&true)
            };
            for (node, actions) in nodes.iter().enumerate() {
                let here = routine == self.routine;
                let in_block = here && inside[node];
                let behind = here && !around[node];
                Facts::walk(actions, &mut |action| {
                    let any = |set, test: &dyn Fn(usize) -> bool| {
                        let mut cells = self.facts.effects.cells(set).iter();
                        cells.any(|cell| test(cell.0 as usize))
                    };
                    let ours = |cell: usize| group.contains(&cell);
                    right &= match &action.kind {
                        ActionKind::Write { cells, .. } | ActionKind::Free { cells, .. } => {
                            in_block || !any(*cells, &ours)
                        }
                        ActionKind::Read(cells) => {
                            let of_flag = any(*cells, &|cell| cell == flag);
                            let of_group = any(*cells, &ours);
                            in_block
                                || (!of_flag || here && node == head)
                                    && (!of_group
                                        || behind
                                        || node == head && here
                                        || is_after_call(node))
                        }
                        _ => true,
                    };
                });
            }
        }
        right
    }

    /// Whether nobody behind the block reads what it left in locals.
    fn forgets(&self, locals: &BTreeSet<usize>, head: usize, flag: usize) -> bool {
        let (effects, memory) = (self.facts.effects, self.facts.memory);
        let exit = Later::at_exit(CellSet::with_capacity(memory.cells.len()), false);
        let blocks = blocks(effects, self.facts.steps, self.routine);
        let backward = Backward {
            effects,
            objects: &memory.objects,
            blocks: &blocks,
            body: &effects.bodies[self.routine.0 as usize],
            exit: &exit,
            together: &Together::default(),
        };
        let spans: Vec<_> = backward.body.nodes[head]
            .iter()
            .map(|one| one.span)
            .collect();
        let found = backward.solve();
        let (mut seen, mut right) = (false, true);
        backward.visit(&found, &mut |action, later| {
            if let ActionKind::Read(cells) = &action.kind
                && effects.cells(*cells).contains(&CellId(flag as u32))
                && spans.contains(&action.span)
            {
                seen = true;
                right &= locals.iter().all(|cell| !later.live.contains(*cell));
            }
        });
        seen && right
    }
}

/// What a guarded block stores to.
#[derive(Default)]
struct Block {
    /// With static storage, the flag among them.
    group: BTreeSet<usize>,
    /// Locals of the function.
    locals: BTreeSet<usize>,
}
