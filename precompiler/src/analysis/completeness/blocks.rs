//! Blocks that are executed on restart read what a restart has restored by then.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use super::cover::Covers;
use super::decide::Deciding;
use super::facts::Facts;
use super::later::{Block, Later};
use super::model::{BlockCheck, DirectivePlace};
use super::names::Names;
use super::state::State;
use crate::analysis::constants::is_set_again;
use crate::analysis::effects::{Action, ActionKind};
use crate::analysis::execute::{self, First};
use crate::analysis::handles::handle;
use crate::analysis::joined::has_regions;
use crate::analysis::memory::{CellId, CellSet, ObjectKind};
use crate::analysis::picture::Picture;
use crate::catalog::Catalogue;
use crate::dataflow::Flow;
use crate::dataflow::FunctionRef;
use crate::dataflow::steps::{RoutineId, TextPlace, TypeRef};
use crate::program::{Directive, DirectiveId, Storage, SymbolId, TypeKind};
use crate::solver::{Analysis, closure, keep_common, reached, solve};
use crate::source::Span;

/// Something that a block reads before it stores to it, if it does at all.
#[derive(Clone, Debug)]
pub(super) struct BlockRead {
    /// What.
    pub cell: CellId,
    /// The directive with which the block begins.
    pub block: TextPlace,
    /// Its function.
    pub routine: RoutineId,
    /// The read, in that function.
    pub read: TextPlace,
    /// It is a local pointer without an item: it has what blocks before this one have set.
    pub from_blocks: bool,
}

/// What all blocks read, but for the local numbers and pointers of their own functions: the trace keeps those. Pointers with an
/// item come with it; with a fixed heap only those that blocks set, as the others mean the same everywhere.
pub(super) fn reads(facts: &Facts, catalogue: &Catalogue, covers: &Covers) -> Vec<BlockRead> {
    let named = covers.all.iter().flat_map(|cover| &cover.named);
    let mut named: CellSet = named.copied().collect();
    if facts.program.has_fixed_heap() {
        named = not_traced(facts, catalogue, &named);
    }
    let mut all = Vec::new();
    for (unit, one) in facts.program.units.iter().enumerate() {
        for number in 0..one.directives.len() {
            let id = DirectiveId(number);
            let directive = DirectivePlace { unit, id };
            all.extend(reads_of(facts, catalogue, &named, directive));
        }
    }
    if all.is_empty() {
        return all;
    }
    let running = Activations::of(facts);
    let mut around = BTreeMap::new();
    all.retain(|read| {
        let around = around
            .entry(read.routine)
            .or_insert_with(|| running.around(read.routine));
        let owner = owner(facts, read.cell);
        owner.is_none_or(|owner| around.as_ref().is_none_or(|all| all.contains(&owner)))
    });
    all
}

/// The function whose activation a cell belongs to, if it is one of an automatic local.
fn owner(facts: &Facts, cell: CellId) -> Option<RoutineId> {
    let object = facts.memory.cells[cell.0 as usize].object;
    let ObjectKind::Variable(variable) = facts.memory.objects[object.0 as usize].kind else {
        return None;
    };
    let variable = facts.steps.variable(variable);
    let is_automatic = matches!(variable.storage, Storage::Automatic | Storage::Register);
    variable.owner.filter(|_| is_automatic)
}

/// Which functions may have begun and not ended when a block comes. A local of any other is not there then: what the block calls has
/// its own from there on, and seems to read others only because other calls of it hand them over.
struct Activations {
    /// Who calls each; nothing where several functions run at a time.
    callers: Option<Vec<Vec<RoutineId>>>,
    /// What is called by somebody else besides.
    called_elsewhere: BTreeSet<RoutineId>,
}

impl Activations {
    fn of(facts: &Facts) -> Activations {
        let effects = facts.effects;
        let is_alone = effects.threads.is_empty()
            && effects.joined.is_empty()
            && !facts.program.units.iter().any(has_regions)
            && facts.steps.routine_named(facts.program, "main").is_some();
        let elsewhere = [&effects.any_time, &effects.at_exit, &effects.from_outside];
        let callers = is_alone.then(|| {
            let count = effects.bodies.len();
            let mut callers = vec![Vec::new(); count];
            for (caller, id) in (0..count).zip(facts.steps.routine_ids()) {
                facts.visit(caller, &mut |action| {
                    if let ActionKind::Call { routines, .. } = &action.kind {
                        for called in routines {
                            callers[called.0 as usize].push(id);
                        }
                    }
                });
            }
            callers
        });
        Activations {
            callers,
            called_elsewhere: elsewhere.into_iter().flatten().copied().collect(),
        }
    }

    /// This function, and all that may have called it; nothing where that is unknown.
    fn around(&self, routine: RoutineId) -> Option<BTreeSet<RoutineId>> {
        let callers = self.callers.as_ref()?;
        let all: BTreeSet<RoutineId> = closure([routine], |one, open| {
            open.extend(&callers[one.0 as usize]);
        })
        .collect();
        self.called_elsewhere.is_disjoint(&all).then_some(all)
    }
}

/// Of pointers with items in a program with a fixed heap, those that the trace does not keep: what blocks set, by name or otherwise, and
/// whose type needs a length.
fn not_traced(facts: &Facts, catalogue: &Catalogue, named: &CellSet) -> CellSet {
    let mut stored = CellSet::with_capacity(facts.memory.cells.len());
    let mut by_name: BTreeSet<(usize, SymbolId)> = BTreeSet::new();
    for (number, unit) in facts.program.units.iter().enumerate() {
        for (id, one) in unit.directives.iter().enumerate() {
            if let (Directive::ExecuteOnRestart { .. }, Some(end), Some(function)) =
                (&one.directive, one.partner, one.function)
            {
                let home = FunctionRef {
                    unit: number,
                    function,
                };
                let inside = Span::new(one.span.end, unit.directives[end.0].span.start);
                stored.union_with(&facts.stored_in(facts.steps.routine_of(home), inside));
                let picture = Picture::of(unit, unit.function(function), catalogue);
                let sets = execute::facts(&picture, DirectiveId(id)).sets;
                by_name.extend(sets.into_iter().map(|symbol| (number, symbol)));
            }
        }
    }
    let is_one = |cell: &usize| {
        let object = facts.memory.cells[*cell].object;
        let ObjectKind::Variable(variable) = facts.memory.objects[object.0 as usize].kind else {
            return true;
        };
        let variable = facts.steps.variable(variable);
        let TypeRef { unit, id } = variable.ty;
        let is_set = |symbol| by_name.contains(&(unit, symbol));
        stored.contains(*cell)
            || variable.symbol.is_none_or(is_set)
            || facts.program.units[unit].is_variably_modified(id)
    };
    named.ones().filter(is_one).collect()
}

fn reads_of(
    facts: &Facts,
    catalogue: &Catalogue,
    named: &CellSet,
    directive: DirectivePlace,
) -> Vec<BlockRead> {
    let unit = &facts.program.units[directive.unit];
    let begin = &unit.directives[directive.id.0];
    let (Directive::ExecuteOnRestart { .. }, Some(end), Some(function)) =
        (&begin.directive, begin.partner, begin.function)
    else {
        return Vec::new();
    };
    let routine = facts.steps.routine_of(FunctionRef {
        unit: directive.unit,
        function,
    });
    let inside = Span::new(begin.span.end, unit.directives[end.0].span.start);
    let read = Exposed::of(facts, routine, inside).read;
    let picture = Picture::of(unit, unit.function(function), catalogue);
    let first = execute::facts(&picture, directive.id).first;
    let place = |span| TextPlace {
        unit: directive.unit,
        span,
    };
    read.into_iter()
        .filter_map(|(cell, span)| {
            let is_pointer = is_pointer(facts, cell);
            let has_item = is_pointer && named.contains(cell);
            let is_traced = is_traced(facts, catalogue, cell, (routine, &first));
            (has_item || !is_traced || is_pointer).then(|| BlockRead {
                cell: CellId(cell as u32),
                block: place(begin.span),
                routine,
                read: place(span),
                from_blocks: is_traced && !has_item,
            })
        })
        .collect()
}

/// What a piece of text reads before it has surely overwritten it: forwards over its nodes, with what is overwritten on all
/// ways.
struct Exposed<'f, 'a> {
    facts: &'f Facts<'a>,
    read: BTreeMap<usize, Span>,
}

/// What is overwritten on all ways to the nodes of a block.
struct Within<'w, 'f, 'a> {
    exposed: &'w mut Exposed<'f, 'a>,
    nodes: &'w [Vec<Action>],
    flow: &'w Flow,
    inside: Span,
    comes_out: &'w [bool],
}

impl Analysis for Within<'_, '_, '_> {
    type Fact = BTreeSet<usize>;

    fn join(known: &mut BTreeSet<usize>, more: &BTreeSet<usize>) -> bool {
        keep_common(known, more)
    }

    fn transfer(
        &mut self,
        node: usize,
        mut set: BTreeSet<usize>,
        hand_on: &mut dyn FnMut(usize, &BTreeSet<usize>),
    ) {
        self.exposed.list(&self.nodes[node], &mut set);
        let is_inside = |next: &usize| {
            self.inside.has(self.flow.nodes[*next].span.start) && self.comes_out[*next]
        };
        let next = self.flow.next(node).filter(is_inside);
        next.for_each(|next| hand_on(next, &set));
    }
}

impl<'f, 'a> Exposed<'f, 'a> {
    fn of(facts: &'f Facts<'a>, routine: RoutineId, inside: Span) -> Exposed<'f, 'a> {
        let mut exposed = Exposed {
            facts,
            read: BTreeMap::new(),
        };
        let flow = &facts.steps.routine(routine).flow;
        let body = &facts.effects.bodies[routine.0 as usize];
        let comes_out = exposed.comes_out(routine, inside);
        let nodes: Vec<usize> = (0..flow.nodes.len())
            .filter(|&node| inside.has(flow.nodes[node].span.start) && comes_out[node])
            .collect();
        // Control enters at the first node in the text.
        let first = nodes.first().map(|first| (*first, BTreeSet::new()));
        let mut within = Within {
            exposed: &mut exposed,
            nodes: &body.nodes,
            flow,
            inside,
            comes_out: &comes_out,
        };
        let before = solve(&mut within, flow.nodes.len(), first);
        // Control that enters elsewhere has overwritten nothing.
        for node in nodes {
            if before[node].is_none() {
                exposed.list(&body.nodes[node], &mut BTreeSet::new());
            }
        }
        exposed
    }

    /// The nodes of a block from which control may come out of it. The run that took the checkpoint has come out, so what the others
    /// read before they end the program is of no use to a restart: where it comes there all the same, it ends, too.
    fn comes_out(&self, routine: RoutineId, inside: Span) -> Vec<bool> {
        let flow = &self.facts.steps.routine(routine).flow;
        let body = &self.facts.effects.bodies[routine.0 as usize];
        let count = flow.nodes.len();
        if body.returns_twice {
            return vec![true; count];
        }
        let is_inside = |node: usize| inside.has(flow.nodes[node].span.start);
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); count];
        for node in (0..count).filter(|node| is_inside(*node) && !self.ends(&body.nodes[*node])) {
            flow.next(node).for_each(|next| before[next].push(node));
        }
        let outside = (0..count).filter(|node| !is_inside(*node));
        reached(count, outside, |node, open| open.extend(&before[node]))
    }

    /// Whether the process surely ends in these actions, and control does not go on in an activation further up.
    fn ends(&self, actions: &[Action]) -> bool {
        let mut jumps = false;
        Facts::walk(actions, &mut |action| {
            jumps |= match &action.kind {
                ActionKind::Jump => true,
                ActionKind::Call { routines, .. } => routines
                    .iter()
                    .any(|one| self.facts.effects.summary(*one).may_jump),
                _ => false,
            };
        });
        !jumps
            && actions.iter().any(|action| match &action.kind {
                ActionKind::Stop => true,
                ActionKind::Call {
                    routines, surely, ..
                } => {
                    *surely
                        && !routines.is_empty()
                        && routines
                            .iter()
                            .all(|one| !self.facts.effects.summary(*one).returns)
                }
                _ => false,
            })
    }

    fn list(&mut self, actions: &[Action], set: &mut BTreeSet<usize>) {
        for action in actions {
            match &action.kind {
                ActionKind::Read(cells) => {
                    for cell in self.facts.effects.cells(*cells) {
                        self.add(cell.0 as usize, action.span, set);
                    }
                }
                ActionKind::Write { cells, all: true } => {
                    let cells = self.facts.effects.cells(*cells).iter();
                    set.extend(cells.map(|cell| cell.0 as usize));
                }
                ActionKind::Call {
                    routines,
                    spared,
                    surely,
                } => {
                    // A handler that a call may set off is no part of the block.
                    let handlers = &self.facts.effects.any_time;
                    let own = |one: &&RoutineId| *surely || !handlers.contains(one);
                    for called in routines.iter().filter(own) {
                        let exposed = &self.facts.effects.summary(*called).exposed;
                        let exposed = self.facts.effects.unspared(*spared, exposed);
                        for cell in exposed.ones() {
                            self.add(cell, action.span, set);
                        }
                    }
                    if let (true, [only]) = (*surely, &routines[..]) {
                        let all = &self.facts.effects.summary(*only).overwrites;
                        let cells = all.ones();
                        let own = |cell: &usize| {
                            !self.facts.effects.is_spared(*spared, CellId(*cell as u32))
                        };
                        set.extend(cells.filter(own));
                    }
                }
                ActionKind::Choose(lists) => {
                    let mut joined: Option<BTreeSet<usize>> = None;
                    for list in lists {
                        let mut one = set.clone();
                        self.list(list, &mut one);
                        joined = Some(match joined {
                            Some(known) => known.intersection(&one).copied().collect(),
                            None => one,
                        });
                    }
                    *set = joined.unwrap_or_else(|| set.clone());
                }
                ActionKind::Repeat(list) => self.list(list, &mut set.clone()),
                _ => {}
            }
        }
    }

    fn add(&mut self, cell: usize, span: Span, set: &BTreeSet<usize>) {
        if !set.contains(&cell) {
            self.read.entry(cell).or_insert(span);
        }
    }
}

fn is_pointer(facts: &Facts, cell: usize) -> bool {
    let ty = facts.memory.cells[cell].ty;
    ty.is_some_and(|ty| {
        matches!(
            facts.program.units[ty.unit].kind(ty.id),
            TypeKind::Pointer(_)
        )
    })
}

/// Local numbers and pointers of the function itself that the block reads by name, and constants. A handle of a library is of no use to
/// another process.
fn is_traced(
    facts: &Facts,
    catalogue: &Catalogue,
    cell: usize,
    (routine, first): (RoutineId, &BTreeMap<SymbolId, First>),
) -> bool {
    let object = facts.memory.cells[cell].object;
    let ObjectKind::Variable(variable) = facts.memory.objects[object.0 as usize].kind else {
        return false;
    };
    let variable = facts.steps.variable(variable);
    let (Some(owner), Some(symbol)) = (variable.owner, variable.symbol) else {
        return false;
    };
    let function = facts.steps.routine(owner).function;
    let unit = &facts.program.units[function.unit];
    let automatic = matches!(variable.storage, Storage::Automatic | Storage::Register);
    let scalar = !matches!(
        unit.kind(variable.ty.id),
        TypeKind::Array { .. } | TypeKind::Record(_)
    );
    let is_handle = handle(catalogue, unit, variable.ty.id).is_some();
    // What gets its address reads what is there.
    let by_name = first.get(&symbol) != Some(&First::Sets);
    automatic && owner == routine && scalar && !is_handle && by_name
        || is_set_again(unit, unit.function(function.function), symbol)
}

/// All blocks that a run can reach, with what they read although nothing has brought it back by then, or not as it was.
pub(super) fn blocks(deciding: &Deciding) -> Vec<BlockCheck> {
    let ways = Later::of(deciding);
    let pointers_read = pointers_read(deciding.facts);
    let mut checks = Vec::new();
    for (&directive, state) in &deciding.found.blocks {
        let directives = &deciding.program.units[directive.unit].directives;
        let begin = &directives[directive.id.0];
        let block = TextPlace {
            unit: directive.unit,
            span: begin.span,
        };
        let reads = deciding.block_reads.iter();
        let reads: Vec<&BlockRead> = reads.filter(|read| read.block == block).collect();
        let Some(function) = begin.function else {
            continue;
        };
        let routine = deciding.steps.routine_of(FunctionRef {
            unit: directive.unit,
            function,
        });
        let end = begin
            .partner
            .map_or(begin.span, |end| directives[end.0].span);
        let text = Block {
            routine,
            begin: begin.span.start,
            inside: Span::new(begin.span.end, end.start),
            unit: directive.unit,
        };
        let behind = OnceCell::new();
        let is_late = |cell: CellId| {
            let index = cell.0 as usize;
            state.changed.contains(index)
                && !state.open.contains(index)
                && ways.comes_too_late(&text, &behind, cell)
        };
        let set_before: Vec<&BlockRead> = { reads.iter().copied() }
            .filter(|read| read.from_blocks || state.open.contains(read.cell.0 as usize))
            .collect();
        let (lost, there): (Vec<&BlockRead>, Vec<_>) = (reads.into_iter())
            .filter(|read| !read.from_blocks)
            .partition(|read| deciding.is_lost(read.cell, state) || is_late(read.cell));
        let mut missing: BTreeMap<String, TextPlace> = BTreeMap::new();
        let mut later: BTreeMap<String, (TextPlace, TextPlace)> = BTreeMap::new();
        let mut check = BlockCheck::silent(directive);
        let none = CellSet::new();
        let views = [(routine, block)];
        let (steps, points_to) = (deciding.steps, deciding.points_to);
        let names = OnceCell::new();
        let name = |cell: CellId| {
            let names = names.get_or_init(|| {
                Names::of(
                    deciding.program,
                    steps,
                    points_to,
                    &views,
                    &none,
                    (&deciding.covers.crowds, &deciding.homes),
                )
            });
            names.item(cell).or_else(|| elsewhere(deciding, cell))
        };
        for read in lost {
            if let Some(name) = name(read.cell) {
                if is_late(read.cell) {
                    check.late.insert(name.clone());
                }
                missing.entry(name).or_insert(read.read);
                check.cells.insert(read.cell);
                if deciding.is_of_program(read.cell)
                    && ways.change(&text, &behind, read.cell).is_none()
                {
                    check.steady.insert(read.cell);
                }
                let mut targets = points_to.pointees(read.cell);
                if targets.any(|cell| deciding.is_in_fixed_heap(cell)) {
                    check.to_fixed_heap.insert(read.cell);
                }
            }
        }
        for read in there {
            // Without a register it is what it was, or is set by what runs before.
            if state.open.contains(read.cell.0 as usize) {
                continue;
            }
            if let Some(change) = ways.change(&text, &behind, read.cell)
                && let Some(name) = name(read.cell)
            {
                later.entry(name).or_insert((read.read, change));
            }
        }
        let pointers = set_before.iter().filter(|read| read.from_blocks);
        let lost = pointers.filter(|read| leads_to_lost_memory(deciding, read.cell, state));
        check.without_memory = lost.map(|read| read.cell).collect();
        let pointers = set_before.iter().filter(|read| read.from_blocks);
        let nowhere = pointers.filter(|read| is_unknown_to_the_trace(deciding, read.cell, state));
        check.nowhere = nowhere.map(|read| read.cell).collect();
        for read in set_before {
            if let Some(set) = ways.superseded(&text, &behind, read.cell)
                && let Some(name) = name(read.cell)
            {
                check.superseded.push((name, read.read, set));
            }
        }
        let stored = deciding.facts.stored_in(routine, text.inside);
        for (&cell, &read) in pointers_read
            .iter()
            .filter(|(cell, _)| stored.contains(**cell))
        {
            let cell = CellId(cell as u32);
            if let Some(register) = ways.set_back(&text, &behind, cell)
                && let Some(name) = name(cell)
            {
                check.set_back.push((name, read, register));
            }
        }
        check.missing = missing.into_iter().collect();
        check.later = { later.into_iter() }
            .map(|(name, (read, change))| (name, read, change))
            .collect();
        checks.push(check);
    }
    checks
}

/// Whether a pointer leads to memory that was allocated on the way, and to nothing else, and neither blocks nor items bring that back;
/// or to variables that have no register by then: the trace finds their address with the register, which may come behind the block.
fn leads_to_lost_memory(deciding: &Deciding, pointer: CellId, state: &State) -> bool {
    let mut targets = deciding.points_to.pointees(pointer).peekable();
    let is_lost = |cell: CellId| {
        let index = cell.0 as usize;
        let object = &deciding.memory().objects[deciding.object(cell).0 as usize];
        if matches!(object.kind, ObjectKind::Variable(_)) {
            return state.open.contains(index);
        }
        matches!(object.kind, ObjectKind::Heap { .. })
            && !deciding.is_in_fixed_heap(cell)
            && state.made.contains(index)
            && state.open.contains(index)
            && !is_in_an_item(deciding, cell)
    };
    targets.peek().is_some() && targets.all(is_lost)
}

/// Whether a pointer leads to what surely has no register by then, and to nothing else: memory that blocks allocate again, too, is somewhere
/// else then.
fn is_unknown_to_the_trace(deciding: &Deciding, pointer: CellId, state: &State) -> bool {
    let mut targets = deciding.points_to.pointees(pointer).peekable();
    let is_unknown = |cell: CellId| {
        let index = cell.0 as usize;
        let object = &deciding.memory().objects[deciding.object(cell).0 as usize];
        let is_free = state.open.contains(index) && !state.kept.contains(index);
        match object.kind {
            ObjectKind::Variable(_) => is_free,
            ObjectKind::Heap { .. } => {
                is_free && !deciding.is_in_fixed_heap(cell) && !is_in_an_item(deciding, cell)
            }
            _ => false,
        }
    };
    targets.peek().is_some() && targets.all(is_unknown)
}

/// Whether some item of the program brings a cell.
fn is_in_an_item(deciding: &Deciding, cell: CellId) -> bool {
    let index = cell.0 as usize;
    deciding.covers.all.iter().any(|cover| {
        let mut lists = [&cover.named, &cover.behind, &cover.followed].into_iter();
        lists.any(|cells| cells.contains(&index))
    })
}

/// Pointers that blocks read, each with a place.
fn pointers_read(facts: &Facts) -> BTreeMap<usize, TextPlace> {
    let mut found = BTreeMap::new();
    for routine in facts.steps.routine_ids() {
        let unit = facts.steps.routine(routine).function.unit;
        facts.visit(routine.0 as usize, &mut |action| {
            let ActionKind::Read(cells) = &action.kind else {
                return;
            };
            if !facts.runs_again(routine, action.span) {
                return;
            }
            let span = action.span;
            let cells = facts.effects.cells(*cells).iter();
            let pointers = cells.map(|cell| cell.0 as usize);
            for cell in pointers.filter(|cell| is_pointer(facts, *cell)) {
                found.entry(cell).or_insert(TextPlace { unit, span });
            }
        });
    }
    found
}

/// What allocated memory is called where it is allocated, when nothing leads there from the names in the block's function: a caller hands
/// it in.
fn elsewhere(deciding: &Deciding, cell: CellId) -> Option<String> {
    if let Some((pointer, _)) = deciding.places.allocated_as(cell) {
        return Some(format!("{pointer}[…]"));
    }
    let object = &deciding.memory().objects[deciding.object(cell).0 as usize];
    let ObjectKind::Heap { call, .. } = &object.kind else {
        return None;
    };
    let (_, line) = deciding.program.units[call.unit]
        .file
        .origin_text(call.span.start);
    Some(format!("memory allocated in line {line}"))
}
