//! From the program to one Plan per file.

use super::allocations::{knows_blocks, own_only, renamed, undeclared};
use super::builder::Builder;
use super::byte_blocks::said;
use super::clocks::clocks;
use super::data::{BlockKind, Dispatch, FilePlan, PlannedEdit, Step};
use super::declared_before;
use super::described::Described;
use super::opens::{opened_by_macros, opening, used};
use super::own_names;
use super::raw::{RawEdit, fit};
use super::table::Shape;
use super::text::fingerprint;
use super::unset::zeros_where_copied;
use cccp_grammar::OPENING;

use crate::analysis::Proven;
use crate::analysis::allocators::has_numbers_of_gmp;
use crate::analysis::counted;
use crate::analysis::following::Following;
use crate::analysis::generators::Generators;
use crate::analysis::handles::makes_persistent_requests;
use crate::analysis::kept_states::HANDLERS;
use crate::analysis::noted;
use crate::analysis::unknown::{MentionedFunction, why_not_silent};
use crate::analysis::{Clients, Finding, FunctionKey, Picture};
use crate::analysis::{children, joined, locks};
use crate::catalog::Catalogue;
use crate::diagnostic::Code;
use crate::program::{Directive, DirectiveId, DirectiveUse, FunctionId, Program, SymbolKind, Unit};
use std::collections::BTreeSet;

/// A file's plan and what there is to say about it.
#[derive(Debug, Default)]
pub struct Planned {
    /// The plan.
    pub plan: FilePlan,
    /// Errors and warnings.
    pub findings: Vec<Finding>,
}

/// Plans all files of a program. The catalogue says what is a handle, and what allocates; `proven`, what need not be
/// looked at in the run.
pub fn plan_program(
    program: &Program,
    catalogue: &Catalogue,
    proven: &Proven,
    dispatch: Dispatch,
) -> Vec<Planned> {
    let clients = Clients::of(program);
    let following = Following::of(program, &clients, catalogue);
    let how = (dispatch, !makes_persistent_requests(program, catalogue));
    let described = Described::of(program, catalogue, how.1, &proven.optional);
    let whole = Whole {
        clients,
        following,
        described,
        proven,
    };
    let mut plans: Vec<Planned> = (0..program.units.len())
        .map(|unit| plan_unit(program, catalogue, unit, &whole, how))
        .collect();
    let has_directives = program.units.iter().any(|unit| !unit.directives.is_empty());
    let has_fixed_heap = program.has_fixed_heap();
    let clocks = match has_directives {
        true => clocks(program),
        false => Vec::new(),
    };
    let functions = program.units.iter().flat_map(|unit| &unit.functions);
    let own_functions: BTreeSet<&str> = functions.map(|one| one.name.as_str()).collect();
    for (planned, unit) in plans.iter_mut().zip(&program.units) {
        planned.plan.opens_files = has_directives && counted::opens_files(unit);
        planned.plan.notes_handles = has_directives && unit.notes_handles && noted::makes(unit);
        if has_directives {
            planned.plan.of_libraries = noted::of_libraries(program, unit);
        }
        let watched: [(bool, &[&'static str]); 4] = [
            // No checkpoint is taken while a thread or a process is there.
            (
                has_directives && catalogue.joins_threads(),
                &[joined::CREATE, joined::JOIN],
            ),
            // The library notes who holds which lock.
            (proven.holds_locks, &locks::LOCKING),
            // It looks for those that are held in memory of which no types are known, and initialises those of OpenMP again.
            (has_fixed_heap, &locks::MAKING),
            (
                has_directives && catalogue.awaits_children(),
                &children::START,
            ),
        ];
        let watched = watched
            .into_iter()
            .filter(|(is_wanted, names)| *is_wanted && unit.mentions(names));
        for name in watched.flat_map(|(_, names)| names) {
            // A function of the program's own is none of the library that has one of this name.
            if !own_functions.contains(name) && !planned.plan.watched.contains(name) {
                planned.plan.watched.push(name);
            }
        }
        planned.plan.watched.extend(used(program, unit, &clocks));
    }
    // Registers, or a fixed heap, may hold handles where no file makes any: `MPI_COMM_WORLD` and what else is there from the beginning.
    if has_directives && !plans.iter().any(|one| one.plan.notes_handles) {
        let of_mpi = program.units.iter().enumerate();
        let of_mpi = of_mpi.filter(|(_, unit)| unit.notes_handles && unit.uses_mpi);
        if let Some((one, _)) = of_mpi.min_by_key(|(_, unit)| unit.directives.is_empty()) {
            plans[one].plan.notes_handles = true;
        }
    }
    let has_object = |one: &Planned| {
        let mut names = one.plan.of_libraries.iter();
        names.any(|name| !OPENING.contains(&name.as_str()))
    };
    if plans.iter().any(has_object) {
        let functions = plans.iter_mut().flat_map(|one| &mut one.plan.functions);
        functions.for_each(|one| one.notes_handles = true);
    }
    let own = own_names::own_names(program);
    for (planned, unit) in plans.iter_mut().zip(&program.units) {
        let (names, declarations) = own_names::in_file(unit, &own);
        planned.plan.own_names = names;
        planned.plan.edits.extend(declarations);
        let describes =
            !planned.plan.functions.is_empty() || !planned.plan.described.roots.is_empty();
        let names = describes.then(|| declared_before::second_names(unit));
        planned.plan.edits.extend(names.flatten());
    }
    name_functions(program, &whole.clients, &mut plans);
    tell_text(program, &mut plans);
    let mut functions = plans.iter().flat_map(|one| &one.plan.functions);
    if functions.any(|one| one.blocks.iter().any(|one| one.kind == BlockKind::Parallel)) {
        for planned in &mut plans {
            planned.plan.has_teams = true;
            for function in &mut planned.plan.functions {
                function.has_teams = true;
            }
        }
    }
    if counted::is_wanted(program) {
        for (planned, unit) in plans.iter_mut().zip(&program.units) {
            planned.plan.messages_counted = counted::is_concerned(unit);
            planned.plan.settled = proven.settled;
        }
        for one in counted::uncounted(program, catalogue) {
            plans[one.unit].findings.push(not_counted(&one, catalogue));
        }
    }
    let mut found = match has_directives {
        true => noted::unseen(program),
        false => Vec::new(),
    };
    if plans.iter().any(|one| one.plan.notes_handles) {
        found.extend(noted::unnoted(program, catalogue));
    }
    for one in found {
        if !noted::is_in_block(&program.units[one.unit], one.span) {
            plans[one.unit].findings.push(noted::finding(&one, true));
        }
    }
    plans
}

/// What the program says: a file that speaks to the library at all tells its own, the one with `init` that of those which do not.
fn tell_text(program: &Program, plans: &mut [Planned]) {
    let mut silent = 0u64;
    for (planned, unit) in plans.iter_mut().zip(&program.units) {
        let number = unit.file.number();
        match planned.plan.is_announced() {
            true => planned.plan.text = number,
            false => silent = silent.wrapping_add(number),
        }
    }
    let is_init = |one: &DirectiveUse| matches!(one.directive, Directive::Init { .. });
    for (planned, unit) in plans.iter_mut().zip(&program.units) {
        if planned.plan.is_announced() && unit.directives.iter().any(is_init) {
            planned.plan.text = planned.plan.text.wrapping_add(silent);
        }
    }
}

/// Pointers to functions are saved by name, and a restart calls by name what was called through a pointer. So every file
/// says at its end what its functions are called, those without clients too.
fn name_functions(program: &Program, clients: &Clients, plans: &mut [Planned]) {
    let says = |planned: &Planned| {
        let mut functions = planned.plan.functions.iter();
        functions.any(|one| one.says_functions)
    };
    let holds = |planned: &Planned| {
        let mut types = planned.plan.described.table.types.iter();
        types.any(|one| {
            let mut members = one.members.iter();
            members.any(|member| member.shape == Shape::Named("function"))
        })
    };
    // An operation of MPI is known by the name of its function.
    let notes = plans.iter().any(|one| one.plan.notes_handles);
    // So is the handler of a signal.
    let mut units = program.units.iter();
    let handles = units.any(|unit| !used(program, unit, &HANDLERS).is_empty());
    if !notes && !handles && !plans.iter().any(|one| says(one) || holds(one)) {
        return;
    }
    let taken = |name: &str| {
        let mut units = 0..program.units.len();
        units.any(|unit| clients.addresses(unit).contains(name))
    };
    // Functions of one name that are not one function: each is known with its file, too.
    let is_own = |unit: &Unit, name: &str| {
        let mut functions = unit.functions.iter();
        functions.any(|one| one.is_static && one.name == name)
    };
    let namesakes = |index: usize, name: &str| {
        let mut units = program.units.iter().enumerate();
        units.any(|(other, unit)| {
            let mut defined = unit.functions.iter();
            other != index && defined.any(|one| one.name == name)
        })
    };
    for (index, planned) in plans.iter_mut().enumerate() {
        let unit = &program.units[index];
        let is_there = |name: &str| {
            let mut symbols = unit.symbols.iter();
            symbols.any(|one| {
                one.kind == SymbolKind::Function && one.name == name && one.function.is_none()
            })
        };
        let own = unit.functions.iter().filter(|one| !one.is_static);
        let own = own.map(|one| &one.name).filter(|name| taken(name.as_str()));
        let names: BTreeSet<&String> = own.chain(clients.addresses(index)).collect();
        let names = names.into_iter().filter(|name| is_there(name.as_str()));
        let known = |name: &String| match is_own(unit, name) && namesakes(index, name) {
            true => (format!("{name}@{}", unit.file.path), name.clone()),
            false => (name.clone(), name.clone()),
        };
        planned.plan.names = names.map(known).collect();
    }
}

/// A function that may communicate without being counted.
fn not_counted(one: &MentionedFunction, catalogue: &Catalogue) -> Finding {
    let name = &one.name;
    let finding = Finding::error(
        Code::NOT_COUNTED,
        format!("the messages of `{name}` cannot be counted"),
    )
    .at(one.place, one.span)
    .reason("the program has a checkpoint with `messages(counted)`: a restart is right only if every message is counted");
    let instead = "leave `messages(counted)` away where no message is in flight at the checkpoint on any rank";
    match catalogue.contains(name) {
        false => finding
            .label(match why_not_silent(catalogue, name) {
                Some(why) => format!("it is unknown whether this communicates: it {why}"),
                None => "it is unknown whether this communicates".to_string(),
            })
            .help(format!("give the file that defines it, or say what it does in a file for `--catalog`; or {instead}")),
        true => finding
            .label("this may communicate, and the library does not count it")
            .help(instead),
    }
}

/// What is known about the whole program.
pub struct Whole<'a> {
    /// The clients.
    pub clients: Clients,
    /// After which of them a checkpoint may follow.
    pub following: Following,
    /// Types of blocks to which pointers of other types lead.
    pub described: Described,
    /// What the analyses have proven.
    pub proven: &'a Proven,
}

fn plan_unit(
    program: &Program,
    catalogue: &Catalogue,
    index: usize,
    whole: &Whole,
    how: (Dispatch, bool),
) -> Planned {
    let clients = &whole.clients;
    let unit = &program.units[index];
    let mut planned = Planned::default();
    planned.plan.file = unit.file.path.clone();
    planned.plan.has_directives = !unit.directives.is_empty();
    let knows_blocks = knows_blocks(program, whole.proven);
    if knows_blocks {
        planned.plan.heap = renamed(program, unit);
    }
    planned.plan.has_numbers_of_gmp = knows_blocks && has_numbers_of_gmp(program, unit);
    planned.plan.heap_undeclared = undeclared(unit, &planned.plan.heap);
    planned.plan.heap_own_only = own_only(unit, &planned.plan.heap);
    planned.plan.opens = opening(program, unit);
    planned.findings = opened_by_macros(unit, &planned.plan.opens);
    planned.plan.described = whole.described.units[index].clone();
    planned.plan.elsewhere = whole.described.names();
    let is_init = |one: &DirectiveUse| matches!(one.directive, Directive::Init { .. });
    // The file with `init` speaks for all, those without marks too.
    planned.plan.threads_later = whole.proven.threads_later && unit.directives.iter().any(is_init);
    planned.plan.heap_fixed = program.has_fixed_heap() && unit.directives.iter().any(is_init);
    if unit.directives.iter().any(is_init) {
        planned.plan.suspects = whole.proven.suspects.clone();
    }
    planned
        .plan
        .suspects
        .extend(whole.described.units[index].suspects.iter().cloned());
    planned.plan.generators = match unit.directives.iter().any(is_init) {
        true => Generators::of(program),
        false => Generators::of_unit(unit),
    };
    for (number, function) in unit.functions.iter().enumerate() {
        let key = FunctionKey {
            unit: index,
            function: FunctionId(number),
        };
        let has_residents = unit.directives.iter().enumerate().any(|(id, one)| {
            one.function == Some(key.function) && clients.residents.contains(index, DirectiveId(id))
        });
        let makers = whole.described.makers(unit, (index, function.body.span));
        let is_planned = clients.reach(key).client || has_residents;
        let mut edits = makers;
        if !is_planned && function.in_user_file {
            edits.extend(zeros_where_copied(program, whole.proven, unit, function));
        }
        let say_bytes = |edits: &[RawEdit]| match function.in_user_file {
            true => said(whole.proven, unit, (index, function.body.span), edits),
            false => Vec::new(),
        };
        if !is_planned && edits.is_empty() && say_bytes(&[]).is_empty() {
            continue;
        }
        let picture = Picture::of(unit, function, catalogue);
        let number = planned.plan.functions.len();
        if is_planned {
            let builder = Builder::new(program, catalogue, key, whole, how);
            let (mut plan, raw, findings) = builder.build();
            planned.findings.extend(findings);
            plan.fingerprint = fingerprint(&plan);
            edits.extend(raw);
            planned.plan.suspects.append(&mut plan.suspects);
            planned.plan.functions.push(plan);
        }
        edits.extend(say_bytes(&edits));
        let edits = fit(&picture, edits, number, &mut planned.findings);
        planned.plan.edits.extend(edits);
    }
    for directive in &unit.directives {
        if directive.function.is_none() || matches!(directive.directive, Directive::Client { .. }) {
            let covered =
                planned.plan.edits.iter().any(|edit| {
                    edit.start == directive.lines.start && edit.end == directive.lines.end
                });
            if !covered {
                planned.plan.edits.push(PlannedEdit {
                    start: directive.lines.start,
                    end: directive.lines.end,
                    order: 0,
                    at: directive.span.start,
                    function: None,
                    steps: vec![Step::Text(String::new())],
                });
            }
        }
    }
    planned
}
