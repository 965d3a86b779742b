//! What is said about pointers, and numbers made of them, that cannot come back: where the user declares them or allocates the memory
//! that they lie in.

use std::collections::BTreeSet;

use super::proposal::Proposal;
use super::refusal::not_brought_back;
use crate::analysis::Analysed;
use crate::analysis::memory::{CellId, ObjectKind};
use crate::analysis::origins::Origin;
use crate::dataflow::steps::TextPlace;
use crate::program::TypeKind;

/// So many names are listed.
const FEW: usize = 3;

/// What is in a cell, in the user's words: where its variable is declared or its memory allocated, what it is, and what happens there.
fn cell_in_text(facts: &Analysed, cell: CellId) -> Option<(TextPlace, String, &'static str)> {
    let memory = &facts.points_to.memory;
    let one = &memory.cells[cell.0 as usize];
    match &memory.objects[one.object.0 as usize].kind {
        ObjectKind::Variable(variable) => {
            let declared = facts.steps.variable(*variable).declared;
            let file = &facts.program.units[declared.unit].file;
            let name = facts.points_to.cell_name(cell).replace("[]", "[…]");
            // What a header declares nobody can change.
            file.is_own(declared.span.start)
                .then(|| (declared, format!("`{name}`"), "declared here"))
        }
        ObjectKind::Heap { call, through, .. } => {
            let member = one.path.trim_start_matches("[]").replace("[]", "[…]");
            let what = match member.strip_prefix('.') {
                Some(member) => format!("the member `{member}` of memory of the program"),
                None => format!("{} in memory of the program", kind_of(facts, cell)),
            };
            Some((*through.last().unwrap_or(call), what, "allocated here"))
        }
        _ => None,
    }
}

/// What a cell holds by its type.
fn kind_of(facts: &Analysed, cell: CellId) -> &'static str {
    let ty = facts.points_to.memory.cells[cell.0 as usize].ty;
    match ty.map(|ty| facts.program.units[ty.unit].kind(ty.id)) {
        Some(TypeKind::Pointer(_)) => "a pointer",
        Some(TypeKind::Record(_)) => "a union",
        Some(_) => "a number",
        None => "something",
    }
}

/// The same, or the checkpoint where no text of the user tells of the cell.
fn cell_or_checkpoint(
    facts: &Analysed,
    cell: CellId,
    checkpoint: TextPlace,
) -> (TextPlace, String, &'static str) {
    cell_in_text(facts, cell).unwrap_or_else(|| {
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
            "; what {} and {} others do is unknown",
            names.join(", "),
            count - FEW
        ),
        _ => format!("; what {} may do is unknown", names.join(", ")),
    }
}

/// Why pointers cannot come back: the first of them, and what the others are called.
struct Cause {
    what: String,
    made: &'static str,
    place: TextPlace,
    is_allocated: bool,
    reason: String,
    others: Vec<String>,
}

/// Pointers into memory of libraries that are read after a restart, and whether a call allocates that in every run: one message for each
/// cause. What unknown functions may have left anywhere is one, and so is what lies in one variable or block.
pub(super) fn borrowed(
    facts: &Analysed,
    pointers: impl IntoIterator<Item = (CellId, TextPlace, bool)>,
    proposal: &mut Proposal,
) {
    let are_known = facts.points_to.unknown_functions().is_empty();
    let mut causes: Vec<Cause> = Vec::new();
    for (cell, checkpoint, is_allocated) in pointers {
        let (place, what, made) = cell_or_checkpoint(facts, cell, checkpoint);
        let reason = match is_allocated {
            true => format!(
                "a library allocates it for itself, in {}; that lies elsewhere after a restart, and it is not saved",
                allocated_in(facts, cell, place.unit)
            ),
            false => format!(
                "it may point into memory of a library or of code that is not among the files given; that lies elsewhere after a restart{}",
                strangers(facts)
            ),
        };
        let is_same = |one: &&mut Cause| {
            one.reason == reason && (one.place == place || !is_allocated && !are_known)
        };
        match causes.iter_mut().find(is_same) {
            Some(cause) => cause.others.push(what),
            None => causes.push(Cause {
                what,
                made,
                place,
                is_allocated,
                reason,
                others: Vec::new(),
            }),
        }
    }
    for cause in causes {
        let Cause {
            what,
            made,
            place,
            is_allocated,
            mut reason,
            others: more,
        } = cause;
        reason.push_str(&others(&what, more.into_iter()));
        let label = format!("{made}; a restarted program may use the pointer");
        let finding = not_brought_back(facts, place, &format!("what {what} points to"), &label);
        let finding = finding.reason(reason).help(match (is_allocated, are_known) {
            (true, _) => {
                "copy what is needed of it into memory of the program; or, where the program does not change it any more, make and fill it \
                 between `#pragma cccp execute on restart` and `#pragma cccp end execute`, so that every start makes it again"
            }
            (false, true) => "copy what it points to into memory of the program (`strdup`, a struct of its own)",
            (false, false) => {
                "say what they do in a file for `--catalog` (`--emit unknown` writes one), or give the files that define them"
            }
        });
        proposal.findings.push((place.unit, finding));
    }
}

/// What else a message is about, by a few names.
fn others(what: &str, names: impl Iterator<Item = String>) -> String {
    let names: BTreeSet<String> = names.filter(|name| name != what).collect();
    let few: Vec<&str> = names.iter().take(FEW).map(String::as_str).collect();
    match names.len() - few.len() {
        _ if few.is_empty() => String::new(),
        0 => format!("; the same holds for {}", few.join(", ")),
        more => format!("; the same holds for {} and {more} others", few.join(", ")),
    }
}

/// The first calls that allocate what a pointer points to.
fn allocated_in(facts: &Analysed, cell: CellId, unit: usize) -> String {
    let memory = &facts.points_to.memory;
    let calls = facts.points_to.pointees(cell).filter_map(|target| {
        let object = memory.cells[target.0 as usize].object;
        match &memory.objects[object.0 as usize].kind {
            ObjectKind::Heap { call, .. } => Some(facts.line(*call, unit)),
            _ => None,
        }
    });
    let lines: BTreeSet<String> = calls.collect();
    let lines: Vec<String> = lines.into_iter().take(FEW).collect();
    lines.join(", ")
}

/// A pointer that lies in bytes.
pub(super) fn in_bytes(
    facts: &Analysed,
    (cell, checkpoint): (CellId, TextPlace),
    proposal: &mut Proposal,
) {
    let (place, what, made) = cell_or_checkpoint(facts, cell, checkpoint);
    let label = format!("{made}; a restarted program may use it");
    let finding = not_brought_back(facts, place, &what, &label)
        .reason("pointers are stored in it, but it consists of bytes or of short numbers: what they point to lies elsewhere after a restart, and where in it one lies now is unknown")
        .help("keep the pointer in a variable or member of its own; allocate with `malloc` what is carved from an array of bytes");
    proposal.findings.push((place.unit, finding));
}

/// Numbers that depend on addresses, and what such numbers have arranged: one message for each place where an address is made a
/// number.
pub(super) fn computed(facts: &Analysed, proposal: &mut Proposal) {
    let origins = &facts.completeness.origins;
    for (root, all) in std::mem::take(&mut proposal.dependent) {
        let named = all.iter().map(|(cell, checkpoint)| {
            let unit = checkpoint.unit;
            let span = facts.program.units[unit].directives[checkpoint.id.0].span;
            let (place, what, _) = cell_or_checkpoint(facts, *cell, TextPlace { unit, span });
            (what, origins.place(*cell).unwrap_or(place), *cell)
        });
        let mut named = named.collect::<Vec<_>>().into_iter();
        let Some((what, place, cell)) = named.next() else {
            continue;
        };
        let (label, mut reason) = match origins.in_cell(cell) {
            Some(Origin::Arranged(_)) => (
                "it is stored here, where a number that is computed from an address has chosen the place",
                "a number that is computed from an address, as a hash, chooses what is stored where; after a restart the memory lies \
                 elsewhere, and nothing is found again"
                    .to_string(),
            ),
            _ => (
                "it is computed here",
                "it may hold a number that is computed from an address, as a hash or a distance; after a restart the memory lies \
                 elsewhere, and the number no longer fits it"
                    .to_string(),
            ),
        };
        if let Some(root) = root.filter(|root| *root != place) {
            let line = facts.line(root, place.unit);
            reason.push_str(&format!("; an address becomes a number in {line}"));
        }
        reason.push_str(&others(&what, named.map(|(other, ..)| other)));
        let finding = not_brought_back(facts, place, &what, label)
            .reason(reason)
            .help(
                "compute it from something that lasts, as an index or a name; or mark the program by hand and compute it again between \
                 `#pragma cccp execute on restart` and `#pragma cccp end execute`",
            );
        proposal.findings.push((place.unit, finding));
    }
}
