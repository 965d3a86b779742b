//! Where a directive can stand that brings a location back.
//!
//! As early as possible on the way to the checkpoint: before the outermost statement around it (or around the call that
//! leads there) that comes after `init`, in the scope of what is named, with the memory there already. Memory that is
//! allocated inside that statement is registered right after the statement that allocates it.
//!
//! ```text
//! double *u = malloc(n * sizeof *u);
//! for (i = 0; i < n; i++) {            register(n, u[n], i) before this statement
//!     #pragma cccp checkpoint
//! ```

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use super::decide::Deciding;
use super::model::Site;
use super::pointed::Scopes;
use crate::analysis::effects::{self, Action, ActionKind};
use crate::analysis::inits;
use crate::analysis::memory::{CellId, ObjectId};
use crate::dataflow::Flow;
use crate::dataflow::steps::{RoutineId, TextPlace, VariableId, VariableKind};
use crate::program::{Directive, Statement, StatementId, StatementKind, Storage, SymbolId, Unit};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is to be registered, and from where it is seen.
pub(super) struct Wanted<'w> {
    /// The variable with which its name begins.
    pub root: VariableId,
    /// Blocks of memory that have to be there.
    pub memory: &'w [ObjectId],
    /// The checkpoint, and the calls that lead to it.
    pub views: &'w [(RoutineId, TextPlace)],
}

/// A statement on the way to a place, and whether another one can be put before it.
struct Step<'s> {
    statement: &'s Statement,
    is_item: bool,
}

/// Something in a function by which blocks of memory come about.
struct Birth<'a> {
    /// Its offset in the text.
    at: usize,
    /// One of these.
    by: Vec<Maker<'a>>,
}

/// What blocks come about by.
enum Maker<'a> {
    Begin(ObjectId),
    /// A call of a function with directives, with all that it may allocate.
    Client(&'a BTreeSet<ObjectId>),
    /// A call of another function, with what this call may allocate, sorted.
    Call(Rc<[ObjectId]>),
}

impl Maker<'_> {
    fn makes(&self, memory: &FxHashSet<ObjectId>) -> bool {
        match self {
            Maker::Begin(object) => memory.contains(object),
            Maker::Client(made) => memory.iter().any(|one| made.contains(one)),
            Maker::Call(made) if memory.len() < made.len() => {
                memory.iter().any(|one| made.binary_search(one).is_ok())
            }
            Maker::Call(made) => made.iter().any(|one| memory.contains(one)),
        }
    }
}

/// The answer to the same question once more.
type Answers<K, V> = RefCell<FxHashMap<K, V>>;

/// What was found about places in functions: many locations are asked for at the same places.
#[derive(Default)]
pub(super) struct Known<'a> {
    /// Functions that contain `init`.
    inits: OnceCell<BTreeSet<RoutineId>>,
    /// Those, and functions that call one that does.
    starts: OnceCell<BTreeSet<RoutineId>>,
    after_init: Answers<(RoutineId, TextPlace), Option<usize>>,
    ways: Answers<(RoutineId, TextPlace), Rc<[Step<'a>]>>,
    births: Answers<RoutineId, Rc<[Birth<'a>]>>,
    /// For every node of a function: whether control may come there before a pointer is set.
    unset: Answers<(RoutineId, VariableId), Rc<[bool]>>,
    /// Where the variables of a function can be named.
    scopes: Answers<RoutineId, Rc<Scopes>>,
    /// Locals that a restart sets again by their declarations.
    constant: Answers<(RoutineId, SymbolId), bool>,
    /// The statements that another one can be put before, around offsets of a function.
    around: Answers<(RoutineId, usize), Option<StatementId>>,
    /// By [`StatementId`].
    statements: Answers<RoutineId, Rc<[&'a Statement]>>,
    /// The blocks of the heap that pointers point to.
    behind: Answers<CellId, Rc<[ObjectId]>>,
}

impl Known<'_> {
    /// Where the variables of a function can be named.
    pub fn scopes(&self, routine: RoutineId, find: impl FnOnce() -> Scopes) -> Rc<Scopes> {
        answer(&self.scopes, routine, || Rc::new(find()))
    }

    /// Whether a restart sets a local again by its declaration.
    pub fn is_constant(&self, local: (RoutineId, SymbolId), find: impl FnOnce() -> bool) -> bool {
        answer(&self.constant, local, find)
    }
}

/// The answer that is known, or a new one.
fn answer<K, V>(answers: &Answers<K, V>, key: K, find: impl FnOnce() -> V) -> V
where
    K: std::hash::Hash + Eq,
    V: Clone,
{
    if let Some(known) = answers.borrow().get(&key) {
        return known.clone();
    }
    let found = find();
    answers.borrow_mut().insert(key, found.clone());
    found
}

impl<'a> Deciding<'a> {
    /// Where a register directive can stand.
    pub(super) fn site(&self, wanted: &Wanted) -> Option<Site> {
        let variable = self.steps.variable(wanted.root);
        let starts = self.known.starts.get_or_init(|| self.starting());
        let views = wanted.views.iter();
        let mut views: Vec<&(RoutineId, TextPlace)> = match variable.owner {
            Some(owner) => views.filter(|(routine, _)| *routine == owner).collect(),
            None => views.collect(),
        };
        // Nothing leads to the static of a function before control comes to where it begins.
        let is_static = !matches!(variable.storage, Storage::Automatic | Storage::Register);
        let birth = variable
            .owner
            .filter(|_| is_static)
            .and_then(|owner| self.birth(owner, wanted, starts));
        if birth.is_some() && wanted.memory.is_empty() {
            return birth;
        }
        // Where `init` is, registers of all that everybody sees can stand together; before the first of several calls, so that
        // all of them come behind it.
        let order: Vec<RoutineId> = views.iter().map(|view| view.0).collect();
        views.sort_by_key(|(routine, place)| {
            let first = order.iter().position(|one| one == routine);
            (!self.inits().contains(routine), first, place.span.start)
        });
        if let Some(site) = views
            .iter()
            .find_map(|view| self.site_in(wanted, view.0, view.1, starts))
        {
            return Some(site);
        }
        // Memory need not be there yet where its pointer begins.
        birth.filter(|_| wanted.memory.is_empty())
    }

    /// Right behind the declaration of a static local, when that comes after `init`.
    fn birth(
        &self,
        owner: RoutineId,
        wanted: &Wanted,
        starts: &BTreeSet<RoutineId>,
    ) -> Option<Site> {
        let declared = self.steps.variable(wanted.root).declared;
        if starts.contains(&owner) {
            let mut views = wanted.views.iter().filter(|view| view.0 == owner);
            let is_late = |(routine, to): &(RoutineId, TextPlace)| {
                let from = self.after_init(*routine, *to, starts);
                from.is_some_and(|from| from <= declared.span.start)
            };
            if !views.all(is_late) {
                return None;
            }
        }
        self.after_statement(owner, declared.span.start, wanted.root)
    }

    fn site_in(
        &self,
        wanted: &Wanted,
        routine: RoutineId,
        to: TextPlace,
        starts: &BTreeSet<RoutineId>,
    ) -> Option<Site> {
        let from = self.after_init(routine, to, starts)?;
        let born: Vec<usize> = self.births(routine, wanted.memory);
        let steps = self.way_to(routine, to);
        for step in steps.iter().filter(|step| step.is_item) {
            let span = step.statement.span;
            let inside = |at: &usize| span.has(*at);
            let early = born.is_empty() || born.iter().any(|at| *at < span.start);
            if span.start >= from
                && self.names(routine, wanted.root, step.statement.scope, span.start)
                && early
                && !born.iter().any(inside)
                && (wanted.memory.is_empty() || self.is_set(routine, wanted.root, span.start))
            {
                return Some(Site {
                    routine,
                    statement: step.statement.id,
                    after: false,
                });
            }
        }
        let last = born.iter().filter(|at| **at < to.span.start).max();
        // Not behind the call itself: there the checkpoint is over.
        let at = *last.or(born.iter().find(|at| **at > to.span.start))?;
        (at >= from).then_some(())?;
        self.after_statement(routine, at, wanted.root)
    }

    /// Right after the innermost statement around an offset, where a name can be used there.
    pub(super) fn after_statement(
        &self,
        routine: RoutineId,
        at: usize,
        root: VariableId,
    ) -> Option<Site> {
        let site = self.statement_at(routine, at)?;
        let one = self.statement(&site)?;
        let found = self.names(routine, root, one.scope, one.span.end);
        found.then_some(Site {
            after: true,
            ..site
        })
    }

    /// The statement before or after which a directive stands.
    fn statement(&self, site: &Site) -> Option<&'a Statement> {
        let all = answer(&self.known.statements, site.routine, || {
            let mut all: Vec<(StatementId, &'a Statement)> = Vec::new();
            self.body(site.routine).walk(&mut |one| {
                all.push((one.id, one));
                true
            });
            all.sort_by_key(|one| one.0);
            all.into_iter().map(|one| one.1).collect()
        });
        let at = all.binary_search_by_key(&site.statement, |one| one.id);
        at.ok().map(|at| all[at])
    }

    /// Before the innermost statement around an offset that another one can be put before.
    pub(super) fn statement_at(&self, routine: RoutineId, at: usize) -> Option<Site> {
        let statement = answer(&self.known.around, (routine, at), || {
            let mut way = Vec::new();
            descend(self.body(routine), &|one| one.span.has(at), false, &mut way);
            let is_compound =
                |one: &&Step| matches!(one.statement.kind, StatementKind::Compound { .. });
            let mut items = way.iter().rev().filter(|one| one.is_item);
            Some(items.find(|one| !is_compound(one))?.statement.id)
        });
        Some(Site {
            routine,
            statement: statement?,
            after: false,
        })
    }

    fn unit_of(&self, routine: RoutineId) -> &Unit {
        &self.program.units[self.steps.routine(routine).function.unit]
    }

    fn body(&self, routine: RoutineId) -> &'a Statement {
        let place = self.steps.routine(routine).function;
        let program = self.program;
        &program.units[place.unit].function(place.function).body
    }

    /// The statements around a call or a checkpoint directive, from the outermost to the innermost.
    fn way_to(&self, routine: RoutineId, to: TextPlace) -> Rc<[Step<'a>]> {
        answer(&self.known.ways, (routine, to), || {
            let unit = self.unit_of(routine);
            let is_it = |one: &Statement| match one.kind {
                StatementKind::Directive(id) => unit.directives[id.0].span == to.span,
                _ => one.span.has(to.span.start),
            };
            let mut way = Vec::new();
            descend(self.body(routine), &is_it, false, &mut way);
            way.into()
        })
    }

    /// Whether a variable can be named at an offset in a scope.
    fn names(
        &self,
        routine: RoutineId,
        variable: VariableId,
        scope: crate::program::ScopeId,
        offset: usize,
    ) -> bool {
        let unit = self.unit_of(routine);
        let number = self.steps.routine(routine).function.unit;
        let name = &self.steps.variable(variable).name;
        let symbol = unit.lookup(scope, name, offset);
        symbol.and_then(|one| self.steps.variable_at(number, one, offset)) == Some(variable)
    }

    /// Whether a name can be used where a directive stands.
    pub(super) fn can_name(&self, site: &Site, variable: VariableId) -> bool {
        self.statement(site).is_some_and(|one| {
            let at = match site.after {
                true => one.span.end,
                false => one.span.start,
            };
            self.names(site.routine, variable, one.scope, at)
        })
    }

    /// Whether a place is right behind the declaration of a static local.
    pub(super) fn is_behind_declaration(&self, site: &Site, variable: VariableId) -> bool {
        let one = self.steps.variable(variable);
        let is_static = !matches!(one.storage, Storage::Automatic | Storage::Register);
        is_static
            && site.after
            && one.owner == Some(site.routine)
            && self
                .statement(site)
                .is_some_and(|statement| statement.span.has(one.declared.span.start))
    }

    /// The node of the flow that control is at where a directive stands.
    pub(super) fn node_of(&self, site: &Site) -> Option<usize> {
        let flow = &self.steps.routine(site.routine).flow;
        let mut nodes = flow.nodes.iter().enumerate();
        let is_it =
            |(_, node): &(usize, &crate::dataflow::Node)| node.statement == Some(site.statement);
        let first = nodes.find(is_it).map(|(number, _)| number);
        first.or_else(|| {
            let start = self.statement(site)?.span.start;
            flow.node_at(start).map(|node| node.0)
        })
    }

    /// Whether a pointer has surely been set when control comes to an offset.
    fn is_set(&self, routine: RoutineId, root: VariableId, offset: usize) -> bool {
        let variable = self.steps.variable(root);
        let is_own = variable.owner == Some(routine)
            && matches!(variable.storage, Storage::Automatic | Storage::Register)
            && !matches!(variable.kind, VariableKind::Parameter(_));
        let (Some(object), true) = (self.points_to.variable(root), is_own) else {
            return true;
        };
        let flow = &self.steps.routine(routine).flow;
        let Some(node) = flow.node_at(offset) else {
            return false;
        };
        let unset = answer(&self.known.unset, (routine, root), || {
            let cells = self.facts.object_cells(object);
            let bodies = &self.liveness.effects.bodies[routine.0 as usize].nodes;
            let sets = |number: usize| {
                let mut found = false;
                super::facts::Facts::walk(&bodies[number], &mut |action: &Action| {
                    if let ActionKind::Write { cells: set, .. } = &action.kind {
                        let mut stored = self.liveness.effects.cells(*set).iter();
                        found |= stored.any(|cell| cells.contains(&(cell.0 as usize)));
                    }
                });
                found
            };
            flow.along([Flow::ENTRY.0], |at, _| !sets(at)).into()
        });
        !unset[node.0]
    }

    /// Where blocks of memory come about in a function, itself or through what it calls: offsets in its text.
    pub(super) fn births(&self, routine: RoutineId, memory: &[ObjectId]) -> Vec<usize> {
        if memory.is_empty() {
            return Vec::new();
        }
        let memory: FxHashSet<ObjectId> = memory.iter().copied().collect();
        let all = answer(&self.known.births, routine, || {
            self.all_births(routine).into()
        });
        let made = all
            .iter()
            .filter(|one| one.by.iter().any(|by| by.makes(&memory)));
        let mut found: Vec<usize> = made.map(|one| one.at).collect();
        found.sort_unstable();
        found
    }

    fn all_births(&self, routine: RoutineId) -> Vec<Birth<'a>> {
        let effects = self.liveness.effects;
        let mut found = Vec::new();
        self.facts.visit(routine.0 as usize, &mut |action| {
            let by = match &action.kind {
                ActionKind::Begin { object, .. } => vec![Maker::Begin(*object)],
                ActionKind::Call { routines, .. } => {
                    let by = |callee: &RoutineId| match self.facts.is_client(*callee) {
                        true => Maker::Client(&effects.summary(*callee).allocates),
                        false => Maker::Call(self.facts.made_by(routine, action.span, *callee)),
                    };
                    routines.iter().map(by).collect()
                }
                _ => return,
            };
            let at = action.span.start;
            found.push(Birth { at, by });
        });
        found
    }

    /// Functions that contain `init`.
    fn inits(&self) -> &BTreeSet<RoutineId> {
        self.known.inits.get_or_init(|| {
            let all = inits(self.program, self.steps);
            all.map(|(routine, _)| routine).collect()
        })
    }

    /// Functions that contain `init` or call one that does.
    fn starting(&self) -> BTreeSet<RoutineId> {
        let calls = effects::calls(&self.liveness.effects.bodies);
        effects::all_leading(&calls, self.inits().iter().copied()).collect()
    }

    /// From which offset on a directive comes after `init`; none when that comes with the call itself.
    fn after_init(
        &self,
        routine: RoutineId,
        to: TextPlace,
        starts: &BTreeSet<RoutineId>,
    ) -> Option<usize> {
        answer(&self.known.after_init, (routine, to), || {
            let unit = self.unit_of(routine);
            let mut from = 0;
            let mut in_call = false;
            self.facts
                .visit(routine.0 as usize, &mut |action| match &action.kind {
                    ActionKind::Directive(id)
                        if matches!(unit.directives[id.0].directive, Directive::Init { .. }) =>
                    {
                        from = from.max(action.span.end.max(unit.directives[id.0].span.end));
                    }
                    ActionKind::Call { routines, .. }
                        if routines.iter().any(|one| starts.contains(one)) =>
                    {
                        if action.span == to.span {
                            in_call = true;
                        } else if action.span.start < to.span.start {
                            from = from.max(action.span.end);
                        }
                    }
                    _ => {}
                });
            (!in_call).then_some(from)
        })
    }

    /// The blocks of the heap that a pointer points to.
    pub(super) fn memory_behind(&self, pointer: CellId) -> Rc<[ObjectId]> {
        answer(&self.known.behind, pointer, || {
            let targets = self.points_to.pointees(pointer);
            let blocks = targets.filter(|one| super::cover::is_heap(self.memory(), one.0 as usize));
            let objects = blocks.map(|target| self.memory().cells[target.0 as usize].object);
            objects
                .collect::<BTreeSet<ObjectId>>()
                .into_iter()
                .collect()
        })
    }
}

/// Goes down to the innermost statement of which something is so.
fn descend<'s>(
    statement: &'s Statement,
    is_it: &dyn Fn(&Statement) -> bool,
    in_switch: bool,
    way: &mut Vec<Step<'s>>,
) -> bool {
    let inside = statement.children().into_iter().any(|child| {
        let length = way.len();
        way.push(Step {
            statement: child,
            // A jump to a label behind it would leave it out.
            is_item: child.in_compound && !in_switch,
        });
        let switch = matches!(statement.kind, StatementKind::Switch { .. });
        let found = descend(child, is_it, switch, way);
        if !found {
            way.truncate(length);
        }
        found
    });
    inside || is_it(statement)
}
