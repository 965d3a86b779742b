//! Files of MPI that are open at a checkpoint: what a restart does not restore of them.
//!
//! In: the calls of the program. Out: a refusal where a rank moves a shared pointer alone, because nobody can tell what was in
//! the file by then; a warning where a file is read and then overwritten in place, because that is not undone. Which ones are
//! registered is found out as for all variables (`registers`). Errors fall on the side of saying too much.

use super::proposal::Proposal;
use super::refusal::not_brought_back;
use super::ways::Ways;
use crate::analysis::handles::is_mpi_file;
use crate::analysis::memory::CellId;
use crate::analysis::{Analysed, Finding};
use crate::dataflow::steps::{Call, Called, RoutineId, TextPlace};
use crate::diagnostic::Code;

/// Calls that move the shared pointer of a file of MPI for one rank alone, and those that the library does not see.
const ALONE: [&str; 12] = [
    "MPI_File_iread_shared",
    "MPI_File_iread_shared_c",
    "MPI_File_iwrite_shared",
    "MPI_File_iwrite_shared_c",
    "MPI_File_read_ordered_begin_c",
    "MPI_File_read_ordered_c",
    "MPI_File_read_shared",
    "MPI_File_read_shared_c",
    "MPI_File_write_ordered_begin_c",
    "MPI_File_write_ordered_c",
    "MPI_File_write_shared",
    "MPI_File_write_shared_c",
];

/// What to do about a file that is overwritten.
const OVERWRITTEN: &str = "nothing has to be done when every byte is written once, or is not read before it is written again; a file that is \
                      only written or only read is opened with `MPI_MODE_WRONLY` or `MPI_MODE_RDONLY`";

/// `MPI_MODE_RDWR`.
const READ_AND_WRITE: i128 = 8;

/// Refuses shared pointers that do not come back.
pub(super) fn refuse(facts: &Analysed, proposal: &mut Proposal) {
    for one in calls(facts).iter().filter(|one| ALONE.contains(&one.name)) {
        say_alone(facts, one.name, one.place, proposal);
    }
}

/// The calls for files of MPI, when there are some at a checkpoint.
fn calls<'a>(facts: &'a Analysed) -> Vec<Known<'a>> {
    let memory = &facts.points_to.memory;
    let is_file = |cell: CellId| {
        let ty = memory.cells[cell.0 as usize].ty;
        ty.is_some_and(|ty| is_mpi_file(&facts.program.units[ty.unit], ty.id))
    };
    let mut known = Vec::new();
    let mut checkpoints = facts.liveness.checkpoints().iter();
    if !checkpoints.any(|live| live.everywhere().into_iter().any(is_file)) {
        return known;
    }
    for routine in facts.steps.routine_ids() {
        for (place, call) in facts.calls(routine) {
            if let Called::Named(name) = &call.callee
                && name.starts_with("MPI_File_")
            {
                known.push(Known {
                    routine,
                    place,
                    name,
                    call,
                });
            }
        }
    }
    known
}

/// A call of a function for files of MPI.
struct Known<'a> {
    routine: RoutineId,
    place: TextPlace,
    name: &'a str,
    call: &'a Call,
}

/// Warns where a file may be read and overwritten: what was read after a checkpoint is another one when it is read again.
pub(super) fn overwritten(facts: &Analysed, proposal: &mut Proposal) {
    let known = calls(facts);
    let opens_both = |one: &&Known| {
        let routine = facts.steps.routine(one.routine);
        let mode = one.call.arguments.get(2);
        let mode = mode.and_then(|mode| routine.values.get(mode.value.0 as usize)?.constant);
        one.name == "MPI_File_open" && mode.is_none_or(|mode| mode & READ_AND_WRITE != 0)
    };
    let Some(opened) = known.iter().find(opens_both) else {
        return;
    };
    let ways = Ways::of(facts);
    let does = |one: &&Known, what: &str| one.name.contains(what) && !one.name.ends_with("_end");
    let is_later = |one: &&Known| ways.may_come_later(one.routine, one.place.span);
    for read in known
        .iter()
        .filter(|one| does(one, "read"))
        .filter(is_later)
    {
        let flow = &facts.steps.routine(read.routine).flow;
        let follows = |one: &&Known| {
            one.routine != read.routine
                || flow.may_follow(read.place.span.start, one.place.span.start)
        };
        let mut written = known.iter().filter(|one| does(one, "write"));
        if let Some(written) = written.find(follows) {
            say_overwritten(facts, opened.place, read.place, written.place, proposal);
            return;
        }
    }
}

/// A shared pointer of a file of MPI that each rank moves for itself.
fn say_alone(facts: &Analysed, name: &str, call: TextPlace, proposal: &mut Proposal) {
    let finding = not_brought_back(
        facts,
        call,
        &format!("the shared pointer that `{name}` moves"),
        "each rank moves it for itself, and files of MPI are open at a checkpoint",
    )
    .reason("what one rank writes behind its checkpoint may lie before what another one writes ahead of its own: nobody can tell what was in the file")
    .help("use `MPI_File_write_ordered` or `MPI_File_read_ordered`, which all ranks call together, or offsets; or close the file before the checkpoint");
    proposal.findings.push((call.unit, finding));
}

/// A file of MPI that is read and written.
fn say_overwritten(
    facts: &Analysed,
    opened: TextPlace,
    read: TextPlace,
    written: TextPlace,
    proposal: &mut Proposal,
) {
    let file = &facts.program.units[opened.unit].file;
    let line = |place: TextPlace| facts.line(place, opened.unit);
    let finding = Finding::warning(
        Code::AUTO_NOT_SAVED,
        "what is overwritten in this file after a checkpoint is not undone",
    )
    .at(file.message_place(opened.span), opened.span)
    .label("it may be read and written, and is open at a checkpoint")
    .reason(format!(
        "if the program reads something ({}) and overwrites it ({}), a restarted program reads what it has written itself",
        line(read),
        line(written)
    ))
    .help(OVERWRITTEN);
    proposal.findings.push((opened.unit, finding));
}
