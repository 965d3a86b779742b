//! Blocks that are executed on restart, for what libraries keep and nobody can save: communicators, datatypes, files.
//!
//! In: live locations that hold handles. Out: `execute on restart` … `end execute` around every statement on the way to a
//! checkpoint that makes such a handle or changes it; and around the statements that compute what these statements read,
//! when nothing else brings it back. Statements that cannot be repeated (they communicate, read input, draw random
//! numbers) are not put into blocks: the check then goes on complaining, and the program is refused with its reason.

use std::collections::{BTreeMap, BTreeSet};

use cccp_grammar::HANDLES;

use super::adds_up;
use super::insert::{At, Insertion};
use super::proposal::Proposal;
use super::refusal;
use super::spots::{self, Chain};
use super::ways::Ways;
use super::written_out::write_out;
use crate::analysis::Analysed;
use crate::analysis::borrowed::Borrowed;
use crate::analysis::completeness::{BlockCheck, Cure, Decision, LiveLocation};
use crate::analysis::effects::ActionKind;
use crate::analysis::handed_on::handed_on;
use crate::analysis::memory::{CellId, ObjectKind};
use crate::analysis::origins::Origin;
pub(super) use crate::analysis::ways::is_in_block;
use crate::catalog::Role;
use crate::dataflow::FunctionRef;
use crate::dataflow::steps::{Called, RoutineId, StepKind, TextPlace};
use crate::program::{DirectiveUse, Statement, StatementId, StatementKind, Storage, TypeKind};
use crate::source::Span;

/// What makes a statement unfit for a block.
const UNREPEATABLE: [Role; 14] = [
    Role::Sends,
    Role::Receives,
    Role::Probes,
    Role::NonBlocking,
    Role::Waits,
    Role::Tests,
    Role::Random,
    Role::Seeds,
    Role::ReadsInput,
    Role::ReadsClock,
    Role::Prints,
    Role::Exits,
    Role::Spawns,
    Role::OneSided,
];

/// Proposes blocks, and says for which cells there are new ones.
pub(super) fn propose(
    facts: &Analysed,
    ways: &Ways,
    borrowed: &Borrowed,
    proposal: &mut Proposal,
) -> BTreeSet<CellId> {
    let mut cells: BTreeSet<CellId> = BTreeSet::new();
    for check in &facts.completeness.checkpoints {
        for location in &check.locations {
            if let Decision::Missing(missing) = &location.decision
                && matches!(missing.cure, Cure::Execute { .. })
                && location
                    .cells
                    .iter()
                    .all(|cell| can_be_made_again(facts, *cell))
            {
                cells.extend(&location.cells);
            }
        }
    }
    cells.extend(inputs(facts));
    cells.extend(given_again(facts, borrowed));
    let before = proposal.size();
    let mut each = adds_up::is_there(facts) || adds_up::is_lost(facts, ways, &cells);
    if each {
        adds_up::propose(facts, ways, proposal);
    }
    if cells.is_empty() {
        return cells;
    }
    let called = called_in_blocks(facts);
    let own = { facts.steps.routine_ids() }.filter(|routine| !called.contains(routine));
    let mut all = Vec::new();
    for routine in own {
        let spans = stores(facts, ways, routine, &cells);
        let statements = statements(facts, routine, &spans);
        each |= adds_up::asks(facts, ways, routine, &statements);
        all.push((routine, statements));
    }
    for (routine, statements) in &all {
        wrap(facts, ways, (*routine, statements), each, proposal);
    }
    if proposal.size() == before {
        cells.clear();
        return cells;
    }
    let without_memory = { facts.completeness.blocks.iter() }.flat_map(|one| &one.without_memory);
    let memory = without_memory.flat_map(|pointer| facts.points_to.pointees(*pointer));
    let is_allocated = |cell: &CellId| {
        let memory = &facts.points_to.memory;
        let object = memory.cells[cell.0 as usize].object;
        matches!(
            memory.objects[object.0 as usize].kind,
            ObjectKind::Heap { .. }
        )
    };
    cells.extend(memory.filter(is_allocated));
    cells
}

/// Handles to what is the same when it is made again; persistent requests are, too. Others have a state of their own: a
/// directory that is being read, a request under way, a generator of random numbers.
pub(super) const MADE_AGAIN: [&str; 6] = [
    "MPI_Comm",
    "MPI_Group",
    "MPI_Datatype",
    "MPI_Op",
    "MPI_Errhandler",
    "MPI_Info",
];

/// Whether a cell holds no handle, or one to what is the same when it is made again.
fn can_be_made_again(facts: &Analysed, cell: CellId) -> bool {
    if let Some(
        Origin::File
        | Origin::Process(_)
        | Origin::Before
        | Origin::Arranged(_)
        | Origin::Computed(_),
    ) = facts.completeness.origins.in_cell(cell)
    {
        return false;
    }
    let is_same = |name: String| MADE_AGAIN.contains(&name.as_str());
    facts.effects.persistent.contains(cell.0 as usize)
        || facts.handle_in(cell).is_none_or(is_same) && facts.generator_in(cell).is_none()
}

/// Missing pointers that the same calls give again.
fn given_again(facts: &Analysed, borrowed: &Borrowed) -> BTreeSet<CellId> {
    let missing = facts.completeness.checkpoints.iter().flat_map(|check| {
        let is_missing = |one: &&LiveLocation| matches!(one.decision, Decision::Missing(_));
        let locations = check.locations.iter().filter(is_missing);
        locations.flat_map(|one| one.cells.iter().copied())
    });
    missing
        .filter(|cell| borrowed.given_again.contains(cell))
        .collect()
}

/// What blocks read although nothing brings it back, but for what a register before the block brings as it was: what computes that
/// need not be repeated. And pointers to memory that nothing brings back: what allocates it is, and so is what computes such a pointer
/// in the functions that hand it on.
fn inputs(facts: &Analysed) -> BTreeSet<CellId> {
    let blocks = || facts.completeness.blocks.iter();
    let without_memory = || blocks().flat_map(|one| one.without_memory.iter().copied());
    let mut inputs = handed_on(facts, without_memory()).locals;
    inputs.extend(without_memory());
    for block in blocks() {
        let is_registered = block.cells.iter().all(|cell| block.steady.contains(cell))
            && can_be_registered_before(facts, block);
        if !is_registered {
            inputs.extend(&block.cells);
        }
    }
    inputs
}

/// Whether a block that was put in reads nothing but numbers that have names where it stands, and pointers into a fixed heap.
fn can_be_registered_before(facts: &Analysed, block: &BlockCheck) -> bool {
    let unit = &facts.program.units[block.directive.unit];
    let directive = &unit.directives[block.directive.id.0];
    let memory = &facts.points_to.memory;
    let is_number = |cell: &CellId| {
        memory.cells[cell.0 as usize].ty.is_some_and(|ty| {
            let kind = facts.program.units[ty.unit].kind(ty.id);
            match kind {
                TypeKind::Integer(_) | TypeKind::Float(_) | TypeKind::Enum(_) => true,
                TypeKind::Pointer(_) => block.to_fixed_heap.contains(cell),
                _ => false,
            }
        })
    };
    let is_visible = |cell: &CellId| {
        let object = &memory.objects[memory.cells[cell.0 as usize].object.0 as usize];
        let ObjectKind::Variable(variable) = object.kind else {
            return true;
        };
        let owner = facts.steps.variable(variable).owner;
        owner.is_none_or(|owner| {
            let function = facts.steps.routine(owner).function;
            function.unit == block.directive.unit && Some(function.function) == directive.function
        })
    };
    let mut named = block.missing.iter();
    named.all(|(name, _)| is_path(name) && !block.late.contains(name))
        && unit.file.is_added(directive.lines.start)
        && block
            .cells
            .iter()
            .all(|cell| is_number(cell) && is_visible(cell))
}

/// Registers before blocks, of the numbers that blocks read although nothing brings them back and what computes them cannot be
/// repeated: a restart has them as they were at the checkpoint. Whether they are changed in between is for the check to say.
pub fn registers_before(facts: &Analysed) -> Proposal {
    let mut proposal = Proposal::default();
    for block in &facts.completeness.blocks {
        let unit = &facts.program.units[block.directive.unit];
        let directive = &unit.directives[block.directive.id.0];
        if block.missing.is_empty() || !can_be_registered_before(facts, block) {
            continue;
        }
        let reads = block.missing.iter().map(|(name, read)| {
            let line = facts.line(*read, block.directive.unit);
            format!("#pragma cccp register({name}) /* read: {name} {line} */")
        });
        let before = Insertion {
            at: At::Before(directive.lines.start),
            order: 0,
            lines: reads.collect(),
        };
        proposal.add(block.directive.unit, [before]);
    }
    proposal
}

/// Whether a name is that of a variable, or of a member of one.
fn is_path(name: &str) -> bool {
    let mut characters = name.chars();
    characters.all(|one| one.is_alphanumeric() || matches!(one, '_' | '.'))
}

/// Functions that blocks call: they run again with them, and blocks cannot be nested.
fn called_in_blocks(facts: &Analysed) -> BTreeSet<RoutineId> {
    let (steps, points_to) = (facts.steps, facts.points_to);
    let in_blocks = steps.routine_ids().flat_map(|routine| {
        points_to.called_in(steps, routine, |span| is_in_block(facts, routine, span))
    });
    points_to.called_from(steps, in_blocks)
}

/// Where a function stores to the cells, on the way to a checkpoint.
fn stores(
    facts: &Analysed,
    ways: &Ways,
    routine: RoutineId,
    cells: &BTreeSet<CellId>,
) -> Vec<Span> {
    let mut spans = Vec::new();
    facts.effects.bodies[routine.0 as usize].walk(&mut |action| {
        let is_stored = |cell: &CellId| {
            cells.contains(cell) && !comes_with_more(facts, *cell, action.span, cells)
        };
        if let ActionKind::Write { cells: set, .. } = &action.kind
            && facts.effects.cells(*set).iter().any(is_stored)
            && ways.may_follow(routine, action.span)
            && !is_in_block(facts, routine, action.span)
        {
            spans.push(action.span);
        }
    });
    spans
}

/// Whether a cell lies in memory that is allocated at this place and holds something else besides: registers bring that, and the
/// memory with it.
fn comes_with_more(facts: &Analysed, cell: CellId, span: Span, cells: &BTreeSet<CellId>) -> bool {
    let memory = &facts.points_to.memory;
    let object = memory.cells[cell.0 as usize].object;
    let ObjectKind::Heap { call, .. } = &memory.objects[object.0 as usize].kind else {
        return false;
    };
    let is_allocated = call.span.contains(span) || span.contains(call.span);
    is_allocated
        && facts
            .points_to
            .cells(object)
            .into_iter()
            .any(|one| !cells.contains(&one))
}

/// The statements around places, each once, that can be repeated.
fn statements<'a>(
    facts: &Analysed<'a>,
    routine: RoutineId,
    spans: &[Span],
) -> BTreeMap<StatementId, Chain<'a>> {
    let mut found = BTreeMap::new();
    let mut spans = spans.to_vec();
    spans.sort_by_key(|span| span.start);
    let mut is_made = false;
    for span in spans {
        let chain = Chain::of(facts.function(routine), span.start);
        let statement = chain.innermost();
        // What is given back before anything was made here was made in an iteration before, which a restart does not repeat.
        let (makes, gives_back) = handles_made(facts, routine, statement);
        if can_be_repeated(facts, routine, statement)
            && (is_made || !gives_back)
            && !holds_directives(facts, routine, statement)
        {
            found.insert(statement.id, chain);
        }
        is_made |= makes;
    }
    found
}

/// Whether a statement calls what makes handles of MPI, and whether it calls what gives them back.
fn handles_made(facts: &Analysed, routine: RoutineId, statement: &Statement) -> (bool, bool) {
    let (mut makes, mut gives_back) = (false, false);
    for (place, call) in facts.calls(routine) {
        let is_inside =
            statement.span.start <= place.span.start && place.span.end <= statement.span.end;
        if let (true, Called::Named(name)) = (is_inside, &call.callee)
            && HANDLES.binary_search(&name.as_str()).is_ok()
        {
            gives_back |= name.ends_with("_free");
            makes |= !name.ends_with("_free");
        }
    }
    (makes, gives_back)
}

/// Whether a restart may execute a statement again with all that it calls.
pub(super) fn can_be_repeated(facts: &Analysed, routine: RoutineId, statement: &Statement) -> bool {
    let inside = |span: Span| statement.span.start <= span.start && span.end <= statement.span.end;
    facts.calls(routine).iter().all(|(place, call)| {
        !inside(place.span)
            || match &call.callee {
                Called::Named(name) => facts.catalogue.find(name).is_some_and(|function| {
                    // It says what is sent or received once it is started.
                    function.is(Role::Persistent)
                        || UNREPEATABLE.iter().all(|role| !function.is(*role))
                }),
                // What makes handles in there has blocks of its own.
                Called::Routine(routine) => only_computes(facts, *routine),
                Called::Pointer(_) => false,
            }
    })
}

/// Whether directives stand in a statement, or in what it calls: no block can be around them.
pub(super) fn holds_directives(
    facts: &Analysed,
    routine: RoutineId,
    statement: &Statement,
) -> bool {
    let (steps, points_to) = (facts.steps, facts.points_to);
    let calls = points_to.called_in(steps, routine, |span| statement.span.contains(span));
    let called = points_to.called_from(steps, calls);
    let holds = |(unit, one): (usize, &DirectiveUse)| {
        let home = one
            .function
            .map(|function| steps.routine_of(FunctionRef { unit, function }));
        home.is_some_and(|home| called.contains(&home))
    };
    statement.holds_directives() || facts.directives().any(holds)
}

/// Whether a function of the program computes something from memory, and nothing else. It may make a handle in a local and
/// return it: there are no blocks for it in the function.
fn only_computes(facts: &Analysed, routine: RoutineId) -> bool {
    let summary = facts.effects.summary(routine);
    let memory = &facts.points_to.memory;
    let is_local = |cell: usize| {
        let object = memory.cells[cell].object.0 as usize;
        let ObjectKind::Variable(variable) = memory.objects[object].kind else {
            return false;
        };
        let variable = facts.steps.variable(variable);
        let is_automatic = matches!(variable.storage, Storage::Automatic | Storage::Register);
        is_automatic && variable.owner == Some(routine)
    };
    summary.returns
        && !summary.may_jump
        && summary.unknown.is_empty()
        && summary.allocates.is_empty()
        && summary.frees.is_clear()
        && summary.creates.ones().all(is_local)
        && summary.destroys.is_clear()
        && goes_on(facts, routine, &mut BTreeSet::new())
}

/// Whether all that a function calls on ways on which it returns can be repeated. What it says of a wrong argument before it ends
/// the program has not happened in the first run, and a block calls it with the same arguments.
fn goes_on(facts: &Analysed, routine: RoutineId, seen: &mut BTreeSet<RoutineId>) -> bool {
    if !seen.insert(routine) {
        return true;
    }
    let stops = facts.effects.bodies[routine.0 as usize].stops();
    let known = facts.steps.routine(routine);
    let decisions = known.flow.decisions(&stops);
    let mut calls = Vec::new();
    for (_, steps) in (known.nodes.iter().enumerate()).filter(|(node, _)| decisions.returns(*node))
    {
        for step in steps {
            step.walk(&mut |step| {
                if let StepKind::Call(call) = &step.kind {
                    calls.push(facts.points_to.callees(routine, call));
                }
            });
        }
    }
    calls.iter().all(|callees| {
        let mut named = callees.named.iter();
        !callees.unknown
            && named.all(|name| {
                facts.catalogue.find(name).is_some_and(|function| {
                    !function.never_returns && UNREPEATABLE.iter().all(|role| !function.is(*role))
                })
            })
            && callees
                .routines
                .iter()
                .all(|one| goes_on(facts, *one, seen))
    })
}

/// Puts blocks around statements; neighbours share one. `each`: what they do in loops around checkpoints adds up.
pub(super) fn wrap(
    facts: &Analysed,
    ways: &Ways,
    (routine, statements): (RoutineId, &BTreeMap<StatementId, Chain>),
    each: bool,
    proposal: &mut Proposal,
) {
    let unit = facts.unit_index(routine);
    let is_wrapped =
        |one: Option<&Statement>| one.is_some_and(|one| statements.contains_key(&one.id));
    for chain in statements.values() {
        let (statement, around) = (chain.innermost(), chain.statements.iter().rev().skip(1));
        // What lies in another one, as `else if` in its `if`, is executed with that.
        if around.copied().any(|one| is_wrapped(Some(one))) {
            continue;
        }
        let parent = chain.parent(statement);
        let siblings = parent.map(Statement::children).unwrap_or_default();
        let index = siblings.iter().position(|one| one.id == statement.id);
        let neighbour = |offset: isize| {
            let index = index?.checked_add_signed(offset)?;
            let in_braces = matches!(parent?.kind, StatementKind::Compound { .. });
            siblings.get(index).copied().filter(|_| in_braces)
        };
        let mut lines = Vec::new();
        let mut behind = Vec::new();
        if !is_wrapped(neighbour(-1)) {
            let each = each && ways.comes_back(routine, statement.span);
            lines.push(adds_up::begin(each));
        }
        if !is_wrapped(neighbour(1)) {
            behind.push("#pragma cccp end execute".to_string());
        }
        if lines.is_empty() && behind.is_empty() {
            continue;
        }
        // A statement without a place of its own has one with its neighbours that come from the same macro.
        let together = || {
            let file = &facts.program.units[unit].file;
            let is_part = |one: &Statement| is_wrapped(Some(one));
            Some(spots::together(file, &siblings, index?, is_part)?.1)
        };
        let place = statement.place.or_else(together);
        let insertions =
            place.and_then(|place| spots::around_place(statement, parent, place, lines, behind));
        let Some(insertions) = insertions else {
            if !write_out(facts, routine, chain, proposal) {
                let at = TextPlace {
                    unit,
                    span: statement.span,
                };
                let mut refused = Proposal::default();
                refusal::without_room(facts, "what this statement makes", at, &mut refused);
                proposal.without_room.extend(refused.findings);
            }
            continue;
        };
        proposal.add(
            unit,
            insertions.into_iter().filter(|one| !one.lines.is_empty()),
        );
    }
}
