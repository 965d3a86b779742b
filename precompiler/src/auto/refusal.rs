//! What is said when a program cannot be served.

use super::items::not_savable;
use super::proposal::Proposal;
use crate::analysis::Analysed;
use crate::analysis::Finding;
use crate::analysis::completeness::{
    BlockCheck, CheckpointCheck, Cure, LiveLocation, Missing, StackLocal,
};
use crate::analysis::lost_states::{Lost, Passed};
use crate::analysis::memory::{CellId, ObjectKind};
use crate::analysis::origins::Origin;
use crate::dataflow::steps::{RoutineId, TextPlace, VariableId, VariableKind};
use crate::diagnostic::Code;
use crate::source::Span;
use cccp_grammar::GENERATOR_TYPE;

/// No file has `main`.
pub(super) fn no_main(proposal: &mut Proposal) {
    let finding = Finding::error(
        Code::AUTO_NO_PLACE,
        "auto mode needs the whole program: none of the files defines `main`",
    )
    .help("give all files of the program in one call");
    proposal.findings.push((0, finding));
}

/// `init` cannot be put anywhere.
pub(super) fn no_room(facts: &Analysed, routine: RoutineId, span: Span, proposal: &mut Proposal) {
    let unit = facts.unit_index(routine);
    let place = facts.program.units[unit].file.message_place(span);
    let finding = Finding::error(
        Code::AUTO_NO_PLACE,
        "there is no place for `#pragma cccp init`",
    )
    .at(place, span)
    .label("a line cannot be put here")
    .reason("`init` has to be a line of its own between two statements of `main`")
    .help("write `#pragma cccp init` by hand; auto mode does the rest");
    proposal.findings.push((unit, finding));
}

/// What it is called when the check gave up.
pub const UNFINISHED: &str = "what a restart needs could not be found out";

/// The check gave up.
pub(super) fn unfinished(why: &str, proposal: &mut Proposal) {
    let finding = Finding::error(Code::AUTO_NOT_SAVED, UNFINISHED)
        .reason(why.to_string())
        .help("write the registers by hand");
    proposal.findings.push((0, finding));
}

/// What every message about something lost begins with: what it is, and what happens at the place.
pub(super) fn not_brought_back(
    facts: &Analysed,
    at: TextPlace,
    what: &str,
    label: &str,
) -> Finding {
    let file = &facts.program.units[at.unit].file;
    Finding::error(
        Code::AUTO_NOT_SAVED,
        format!("auto mode cannot restore {what}"),
    )
    .at(file.message_place(at.span), at.span)
    .label(label)
}

/// A state of a library that is read after a restart.
pub(super) fn lost(facts: &Analysed, one: &Lost, proposal: &mut Proposal) {
    let label = "a run that is restarted from here would need it";
    let finding = not_brought_back(facts, one.checkpoint, one.what, label)
        .reason(one.reason(facts, one.checkpoint.unit))
        .help(one.cure);
    proposal.findings.push((one.checkpoint.unit, finding));
}

/// A directory or file of a library that is gone through before a checkpoint and after it.
pub(super) fn passed(facts: &Analysed, one: &Passed, proposal: &mut Proposal) {
    let finding = not_brought_back(
        facts,
        one.opened,
        &format!("how far what `{}` opens has been read or written", one.name),
        "every start opens it again, at its beginning",
    )
    .reason("its place is known to its library only")
    .help("go through it before the first checkpoint, or between two of them: open it behind a checkpoint and close it before the next");
    proposal.findings.push((one.opened.unit, finding));
}

/// A stream that belongs to no file.
pub(super) fn nameless(facts: &Analysed, name: &str, call: TextPlace, proposal: &mut Proposal) {
    let finding = not_brought_back(
        facts,
        call,
        &format!("what `{name}` opens"),
        "a stream without a file begins here, and is used after a checkpoint",
    )
    .reason("what was written to it lies in the process, and ends with it")
    .help("use `fopen` with a name, or close the stream before the checkpoint");
    proposal.findings.push((call.unit, finding));
}

/// A standard stream, or a descriptor, becomes another file.
pub(super) fn redirects(facts: &Analysed, name: &str, call: TextPlace, proposal: &mut Proposal) {
    let finding = not_brought_back(
        facts,
        call,
        &format!("what `{name}` redirects"),
        "from here on a descriptor is another file",
    )
    .reason("a restarted process begins with the descriptors that it is given, and does not redirect them again")
    .help("use `freopen`, whose files come back, redirect the output where the program is started (`prog > file`), or open a stream of its own with `fopen`; or put this between `#pragma cccp execute on restart` and `#pragma cccp end execute`, and open the file to append: what was written after the checkpoint is cut off");
    proposal.findings.push((call.unit, finding));
}

/// What a call sets in a library is to be set again, and no block can stand around the call.
pub(super) fn has_no_room(facts: &Analysed, name: &str, call: TextPlace, proposal: &mut Proposal) {
    without_room(facts, &format!("what `{name}` sets"), call, proposal);
}

/// No block can stand around a statement that is to be executed again.
pub(super) fn without_room(facts: &Analysed, what: &str, at: TextPlace, proposal: &mut Proposal) {
    let finding = not_brought_back(facts, at, what, "a restart has to execute this again")
        .reason("its text comes from a macro, or leaves no room for the lines of a block that is executed on restart")
        .help("write it as a statement of its own, or put the block there by hand: `#pragma cccp execute on restart` before it and `#pragma cccp end execute` behind");
    proposal.findings.push((at.unit, finding));
}

/// Something runs beside the program.
pub(super) fn spawns(facts: &Analysed, name: &str, call: TextPlace, proposal: &mut Proposal) {
    let finding = not_brought_back(facts, call, &format!("what `{name}` starts"), "a thread, a process or a timer of its own begins here")
    .reason("a checkpoint holds what one thread of one process does, and its timers of `alarm` and `setitimer`; OpenMP's threads are none of them at a checkpoint")
    .help("mark the program by hand: checkpoints where nothing else runs, and what starts it in a block that is executed on restart");
    proposal.findings.push((call.unit, finding));
}

fn location(
    facts: &Analysed,
    check: &CheckpointCheck,
    location: &LiveLocation,
    missing: &Missing,
) -> (usize, Finding) {
    let checkpoint =
        facts.program.units[check.directive.unit].directives[check.directive.id.0].span;
    let place = missing.read.as_ref().map_or(
        TextPlace {
            unit: check.directive.unit,
            span: checkpoint,
        },
        |witness| witness.read,
    );
    let name = match &missing.cure {
        Cure::Moving { name, .. } => name,
        _ => &location.name,
    };
    let name = format!("`{name}`");
    let label = "a restarted program reads it here";
    (place.unit, not_brought_back(facts, place, &name, label))
}

/// A location that no register restores.
pub(super) fn cannot_be_brought_back(
    facts: &Analysed,
    check: &CheckpointCheck,
    live: &LiveLocation,
    missing: &Missing,
    proposal: &mut Proposal,
) {
    let origins = &facts.completeness.origins;
    let mut cells = live.cells.iter();
    let is_computed = |cell: &&CellId| {
        let origin = origins.in_cell(**cell);
        origin.is_some_and(Origin::depends_on_addresses)
    };
    if let Some(&cell) = cells.find(is_computed) {
        let root = origins.in_cell(cell).and_then(Origin::root);
        let all = proposal.dependent.entry(root).or_default();
        return all.push((cell, check.directive));
    }
    let (unit, finding) = location(facts, check, live, missing);
    let origin = live.cells.iter().find_map(|cell| origins.in_cell(*cell));
    let drawn = live.cells.iter().find_map(|cell| facts.generator_in(*cell));
    let moves_on = || generator(drawn.as_deref().unwrap_or(GENERATOR_TYPE));
    let (reason, help) = match &missing.cure {
        Cure::Execute { .. } if matches!(origin, Some(Origin::Process(_))) => (
            format!(
                "it holds what `{}` gave: that is good for this process only, and what is behind it ends with it",
                origin.map_or("", Origin::name)
            ),
            "close it before the checkpoint and open it behind it; or mark the program by hand and open it in a block between \
             `#pragma cccp execute on restart` and `#pragma cccp end execute`",
        ),
        Cure::Execute { .. } if matches!(origin, Some(Origin::File)) => (
            "it holds the descriptor of a file, and no `file(…)` can name it: its type is no integer, or it is one of many in \
             allocated memory"
                .to_string(),
            "keep the descriptor in an `int` of its own, or use streams (`FILE *`)",
        ),
        Cure::Moving { in_block: false, .. } => (
            "every start makes it before `init`, and how far it has come since is its own".to_string(),
            "write `#pragma cccp register(…)` with its name behind `init`: it comes back as it was",
        ),
        Cure::Moving { reads: true, .. } => (
            "it is a file that a library reads: opened again it would be read from its beginning".to_string(),
            "take what opens it out of the block that is executed on restart, and register it: it comes back at its place",
        ),
        Cure::Moving { .. } => moves_on(),
        Cure::Execute { .. } if drawn.is_some() => moves_on(),
        Cure::Execute {
            superseded: true, ..
        } => (
            "what makes it runs again in a loop around the checkpoint, and of such a block only the latest execution does".to_string(),
            "begin the block with `#pragma cccp execute on restart each`: then all its executions run again",
        ),
        Cure::Execute { made, .. } => {
            let made =
                made.map_or_else(String::new, |made| format!(" ({})", facts.line(made, unit)));
            let what = match origin {
                Some(Origin::Handle(name)) => format!("it may hold a handle of a library (`{name}`)"),
                Some(Origin::Number(name)) => format!("it may hold what `{name}` gave"),
                _ => "it is a handle of a library".to_string(),
            };
            (
                format!(
                    "{what}; what makes it{made} cannot be repeated by itself, or would not give the same again"
                ),
                "if it would, put what makes it, with all that it needs, between `#pragma cccp execute on restart` and `#pragma cccp end execute`",
            )
        }
        Cure::Ahead { .. } => (
            "it points before the memory that it belongs to: a restart knows pointers by what they point to, and this one points \
             to nothing, or to what happens to lie there"
                .to_string(),
            "keep the pointer to the beginning and use `p[i - 1]` for `p[i]`; or mark the program by hand, with \
             `#pragma cccp register(p[1:n])` for the pointer `p` whose memory begins at `p + 1`",
        ),
        Cure::Numbers { item } => (
            format!(
                "it is a pointer in a block that `{item}` saves as numbers: a restart has the address, and what lay there lies elsewhere"
            ),
            "allocate by itself what is carved from the block; or mark the program by hand, with `#pragma cccp init heap(fixed)`",
        ),
        Cure::OtherThreads => (
            "each thread has its own, and a restart restores that of the initial thread only".to_string(),
            "put the checkpoint into a region of its own that has as many threads as the others, by hand: `#pragma omp parallel`, `{`, \
             `#pragma cccp checkpoint`, `}`; or use an array with one element per thread",
        ),
        Cure::Compute { made } => (
            format!(
                "it depends on where memory lies{}, and a restart has all addresses anew",
                made.map_or_else(String::new, |made| format!(" ({})", facts.line(made, unit)))
            ),
            "compute it from something that lasts, as an index or a name; or mark the program by hand, and compute it again between \
             `#pragma cccp execute on restart` and `#pragma cccp end execute`",
        ),
        Cure::Nothing => (
            "a library keeps it".to_string(),
            "keep the state in a variable of the program",
        ),
        Cure::Register { .. } | Cure::RegisterEach { .. } => no_item(facts, live, unit),
    };
    proposal
        .findings
        .push((unit, finding.reason(reason).help(help)));
}

/// Why no item saves what a register would restore, and what helps.
fn no_item(facts: &Analysed, live: &LiveLocation, unit: usize) -> (String, &'static str) {
    let memory = &facts.points_to.memory;
    let fixed_heap = &facts.completeness.fixed_heap;
    let mut made = live.cells.iter().filter_map(|cell| {
        let object = memory.cells[cell.0 as usize].object;
        match memory.objects[object.0 as usize].kind {
            ObjectKind::Heap { call, .. } => Some(call),
            _ => None,
        }
    });
    if fixed_heap.is_there()
        && let Some(call) = made.find(|call| !fixed_heap.holds(call))
    {
        return (
            format!(
                "it lies in memory that is no part of the fixed heap, made in {}: that heap has what `malloc` and its like allocate",
                facts.line(call, unit)
            ),
            "allocate it with `malloc`, or copy what is needed of it into such memory; or do without a fixed heap: --heap=typed says all that is in the way",
        );
    }
    let handle = live.cells.iter().find_map(|cell| facts.handle_in(*cell));
    match (handle, fixed_heap.is_there()) {
        (Some(handle), true) => (
            format!(
                "it is a handle of a library (`{handle}`) in memory that is saved as it is, with the fixed heap: what it stands for is not found there"
            ),
            "keep it in a variable of the program, which a register restores; or do without a fixed heap: --heap=typed says all that is in the way",
        ),
        (Some(handle), false) => (
            format!(
                "it is a handle of a library (`{handle}`), which is good for this process only"
            ),
            "mark the program by hand, and make it again between `#pragma cccp execute on restart` and `#pragma cccp end execute`",
        ),
        (None, _) => (
            "no item of a register names it".to_string(),
            "keep it in a variable of the program, or reach it through pointers of its own type",
        ),
    }
}

/// Why a generator of random numbers cannot come back by itself, and what helps.
fn generator(name: &str) -> (String, &'static str) {
    let reason = format!(
        "it is a generator of random numbers (`{name}`): made again it would begin anew, and what it has drawn so far is its own"
    );
    let help = match name.starts_with("gsl_") {
        true => {
            "make it in a block that is executed on restart, with `state = gsl_rng_state(r)` (an `unsigned char *`) and \
             `size = gsl_rng_size(r)`, and write `register(state[size])` behind the block; or draw from `drand48` or `random`"
        }
        false => {
            "draw from `drand48` or `random`, which continue after a restart, or from a generator in the program's own variables"
        }
    };
    (reason, help)
}

/// A location that a register would restore, if there were a place for it.
pub(super) fn no_place(
    facts: &Analysed,
    check: &CheckpointCheck,
    live: &LiveLocation,
    missing: &Missing,
    item: &str,
    proposal: &mut Proposal,
) {
    let (unit, finding) = location(facts, check, live, missing);
    let finding = finding
        .reason(format!(
            "`register({item})` has to stand where its name is visible, on every way to the checkpoint; there is no such place"
        ))
        .help(format!(
            "if it is a static local, declare it at file scope; otherwise write `#pragma cccp register({item})` by hand"
        ));
    proposal.findings.push((unit, finding));
}

/// What a block reads and nothing restores.
pub(super) fn block_reads(facts: &Analysed, block: &BlockCheck, proposal: &mut Proposal) {
    for (name, read) in &block.missing {
        let label = "a block that is executed on restart reads it here";
        let (reason, help) = match block.late.contains(name) {
            true => (
                "what computes it cannot be repeated, and a restart executes the block before any register of it",
                "keep what is read here in a variable of the file",
            ),
            false => (
                "what computes it cannot be repeated",
                "put what computes it into a block that is executed on restart, too, or register it by hand before the block",
            ),
        };
        let finding = not_brought_back(facts, *read, &format!("`{name}`"), label)
            .reason(reason)
            .help(help);
        proposal.findings.push((read.unit, finding));
    }
    // A block that a person wrote may want what a register has restored: where a file ended, say.
    let unit = &facts.program.units[block.directive.unit];
    let directive = &unit.directives[block.directive.id.0];
    let is_own = unit.file.is_added(directive.lines.start);
    let own = match is_own {
        true => &block.later[..],
        false => &[],
    };
    for (name, read, register) in block.set_back.iter().filter(|_| is_own) {
        let label = "a block that is executed on restart reads it here";
        let finding = not_brought_back(facts, *read, &format!("`{name}`"), label)
            .reason(format!(
                "such a block sets it, and a register ({}) sets it back to other memory",
                facts.line(*register, read.unit)
            ))
            .help("allocate the memory before the loop around the checkpoint, and make what is made of it behind that");
        proposal.findings.push((read.unit, finding));
    }
    for (name, read, change) in own {
        let label = "a block that is executed on restart reads it here";
        let finding = not_brought_back(facts, *read, &format!("`{name}`"), label)
            .reason(format!(
                "it is changed later ({}), and a restart brings it back as it was at the checkpoint",
                facts.line(*change, read.unit)
            ))
            .help("give what is made here a variable of its own to be made from, which nobody changes");
        proposal.findings.push((read.unit, finding));
    }
}

/// A pointer that may point to allocated memory, or to a variable that cannot be registered with it.
pub(super) fn leads_to_variable(
    facts: &Analysed,
    check: &CheckpointCheck,
    live: &LiveLocation,
    missing: &Missing,
    variable: VariableId,
    proposal: &mut Proposal,
) {
    let (unit, finding) = location(facts, check, live, missing);
    let variable = facts.steps.variable(variable);
    let is_foreign = variable.owner.is_none() && !variable.is_defined;
    let why = match is_foreign {
        true => "which is not of the files given",
        false => "which lives in one function only",
    };
    let finding = finding
        .reason(format!(
            "pointers may point to it, and to the variable `{}`, {why}",
            variable.name
        ))
        .help("use pointers of their own for the two, or register both by hand");
    proposal.findings.push((unit, finding));
}

/// A local on the stack to which pointers lead, and which no register restores.
pub(super) fn on_stack(facts: &Analysed, local: &StackLocal, proposal: &mut Proposal) {
    let variable = facts.steps.variable(local.variable);
    let place = local.call.unwrap_or(variable.declared);
    let name = &variable.name;
    let what = match variable.kind {
        VariableKind::CompoundLiteral => "pointers to a compound literal".to_string(),
        _ => format!("pointers to `{name}`"),
    };
    let label = "it is on the stack here, and a restarted program may use a pointer to it";
    let finding = not_brought_back(facts, place, &what, label);
    let finding = match held(facts, local.variable) {
        Some((member, holds)) => finding
            .reason(format!("a register would restore all of it, and `{member}` holds {holds}"))
            .help("keep that in a variable of its own, and set it in a block between `#pragma cccp execute on restart` and `#pragma cccp end execute`"),
        None => {
            let unit = &facts.program.units[variable.ty.unit];
            let is_named = matches!(variable.kind, VariableKind::Named | VariableKind::Parameter(_));
            let (why, help) = match not_savable(facts, unit, variable.ty.id) {
                _ if !is_named => (
                    "it has no name, and so no register can bring it back".to_string(),
                    "use a variable in its place",
                ),
                Some((path, kind)) => (
                    format!(
                        "a register would restore all of it, and `{name}{path}` is a `{}`, which a library keeps",
                        kind.trim()
                    ),
                    "keep that in a variable of its own, and set it in a block between `#pragma cccp execute on restart` and \
                     `#pragma cccp end execute`",
                ),
                None => (
                    "no register can bring it back: no place that every way to the checkpoint passes sees its name".to_string(),
                    "hand over a pointer to a variable that is declared before the loop, or to allocated memory",
                ),
            };
            finding.reason(why).help(help)
        }
    };
    proposal.findings.push((place.unit, finding));
}

/// What is in a variable that means nothing in another process: its name, and what it is.
fn held(facts: &Analysed, variable: VariableId) -> Option<(String, String)> {
    let object = facts.points_to.variable(variable)?;
    let origins = &facts.completeness.origins;
    let mut cells = facts.points_to.cells(object);
    let (cell, origin) =
        cells.find_map(|cell| origins.in_cell(cell).map(|origin| (cell, origin)))?;
    let holds = match origin {
        Origin::File => "the descriptor of a file, which no `file(…)` names".to_string(),
        Origin::Handle(name) => format!("a handle (`{name}`)"),
        Origin::Number(name) | Origin::Process(name) => {
            format!("what `{name}` gave, which is good for this process only")
        }
        Origin::Before => "a pointer that lies before the beginning of its memory".to_string(),
        Origin::Made
        | Origin::Whole(_)
        | Origin::Address(_)
        | Origin::Arranged(_)
        | Origin::Computed(_) => "what depends on the address of something".to_string(),
    };
    let name = facts.points_to.cell_name(cell).replace("[]", "[…]");
    Some((name, holds))
}

/// Rounds end without an end.
pub(super) fn still_missing(
    facts: &Analysed,
    check: &CheckpointCheck,
    live: &LiveLocation,
    missing: &Missing,
    proposal: &mut Proposal,
) {
    let (unit, finding) = location(facts, check, live, missing);
    let finding = match live.root.filter(|root| is_made_by_macro(facts, *root)) {
        Some(root) => finding
            .reason("a macro declares it, and leaves no room for the line of its register")
            .help(format!(
                "write out here what the macro stands for, or declare `{}` outside of the macro; auto mode does the rest",
                facts.steps.variable(root).name
            )),
        None => finding
            .reason("a register for it does not reach the checkpoint on every way, or the text there comes from a macro and leaves no room for its line")
            .help("write its register by hand; auto mode does the rest"),
    };
    proposal.findings.push((unit, finding));
}

/// Whether a local comes from a macro.
fn is_made_by_macro(facts: &Analysed, variable: VariableId) -> bool {
    let known = facts.steps.variable(variable);
    let TextPlace { unit, span } = known.declared;
    known.owner.is_some() && facts.program.units[unit].file.touched_by_macro(span)
}
