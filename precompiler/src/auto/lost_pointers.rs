//! What is said about pointers that cannot come back: where the user declares them or allocates the memory that they lie in.

use super::proposal::Proposal;
use super::refusal::not_brought_back;
use crate::analysis::Analysed;
use crate::analysis::memory::{CellId, ObjectKind};
use crate::dataflow::steps::TextPlace;

/// So many names are listed.
const FEW: usize = 3;

/// A pointer in the user's words: where its variable is declared or its memory allocated, what it is, and what happens there.
fn pointer_in_text(facts: &Analysed, cell: CellId) -> Option<(TextPlace, String, &'static str)> {
    let memory = &facts.points_to.memory;
    let one = &memory.cells[cell.0 as usize];
    match &memory.objects[one.object.0 as usize].kind {
        ObjectKind::Variable(variable) => {
            let declared = facts.steps.variable(*variable).declared;
            let file = &facts.program.units[declared.unit].file;
            let name = facts.points_to.cell_name(cell);
            // What a header declares nobody can change.
            file.is_own(declared.span.start)
                .then(|| (declared, format!("`{name}`"), "declared here"))
        }
        ObjectKind::Heap { call, through, .. } => {
            let member = one.path.trim_start_matches("[]").replace("[]", "[…]");
            let what = match member.strip_prefix('.') {
                Some(member) => format!("the member `{member}` of memory of the program"),
                None => "a pointer in memory of the program".to_string(),
            };
            Some((*through.last().unwrap_or(call), what, "allocated here"))
        }
        _ => None,
    }
}

/// The same, or the checkpoint where no text of the user tells of the pointer.
fn pointer_or_checkpoint(
    facts: &Analysed,
    cell: CellId,
    checkpoint: TextPlace,
) -> (TextPlace, String, &'static str) {
    pointer_in_text(facts, cell).unwrap_or_else(|| {
        let name = format!("`{}`", facts.points_to.cell_name(cell));
        (checkpoint, name, "a checkpoint is here")
    })
}

/// The functions of which nothing is known: any of them may have left a pointer anywhere.
fn strangers(facts: &Analysed) -> String {
    let all = facts.points_to.unknown_functions();
    let names: Vec<String> = all
        .iter()
        .take(FEW)
        .map(|name| format!("`{name}`"))
        .collect();
    match all.len() {
        0 => String::new(),
        count if count > FEW => format!(
            "; nobody knows what {} and {} others do",
            names.join(", "),
            count - FEW
        ),
        _ => format!("; nobody knows what {} may do", names.join(", ")),
    }
}

/// A pointer into memory of a library that is read after a restart.
pub(super) fn borrowed(
    facts: &Analysed,
    cell: CellId,
    checkpoint: TextPlace,
    proposal: &mut Proposal,
) {
    let (place, what, made) = pointer_or_checkpoint(facts, cell, checkpoint);
    let finding = not_brought_back(facts, place, &format!("what {what} points to"), &format!("{made}; a restarted program may use the pointer"))
    .reason(format!("it may point into memory of a library or of code that is not among the files given; that lies elsewhere after a restart{}", strangers(facts)))
    .help(match facts.points_to.unknown_functions().is_empty() {
        true => "copy what it points to into memory of the program (`strdup`, a struct of its own)",
        false => "say what they do in a file for `--catalog` (`--emit unknown` writes one), or give the files that define them",
    });
    proposal.findings.push((place.unit, finding));
}

/// Why a value cannot come back, and what to do about it.
pub(super) struct Why {
    reason: &'static str,
    help: &'static str,
}

/// A number that depends on an address.
pub(super) const SCRAMBLED: Why = Why {
    reason: "it may hold a number that is computed from an address, as a hash or a distance; after a restart the memory lies elsewhere, and the number no longer fits it",
    help: "keep the pointer itself in a variable or member of a pointer type, and compute the number when it is needed",
};

/// A pointer that lies in bytes.
pub(super) const IN_BYTES: Why = Why {
    reason: "it may hold a pointer, but consists of bytes or of short numbers: what it points to lies elsewhere after a restart, and nobody knows whether it holds the pointer now",
    help: "keep the pointer in a variable or member of its own; allocate with `malloc` what is carved from an array of bytes",
};

/// A value that is read after a restart, and that no register brings back.
pub(super) fn misplaced(
    facts: &Analysed,
    (cell, checkpoint): (CellId, TextPlace),
    why: &Why,
    proposal: &mut Proposal,
) {
    let (place, what, made) = pointer_or_checkpoint(facts, cell, checkpoint);
    let label = format!("{made}; a restarted program may use it");
    let finding = not_brought_back(facts, place, &what, &label)
        .reason(why.reason)
        .help(why.help);
    proposal.findings.push((place.unit, finding));
}
