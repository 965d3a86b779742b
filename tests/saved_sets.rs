//! Auto mode saves what is needed, and hardly anything else (S7, S26).
//!
//! Without any one of the entries that are inferred for a program the check of completeness names it, with a read that needs
//! it; for small programs that is compared with the truth: they are killed and restarted without the entry. And a
//! program without its directives saves nothing that a person would not save. What is saved beyond that stands, with the
//! reason, in `saved_sets/surplus.txt`; a line there that has become untrue fails, too.

#[path = "auto/cases.rs"]
#[allow(dead_code, reason = "not everything is run here")]
mod cases;
#[path = "saved_sets/entries.rs"]
mod entries;
mod harness;
#[path = "saved_sets/marks.rs"]
mod marks;
#[path = "annotated/recipe.rs"]
#[allow(dead_code, reason = "some programs are only tried in other tests")]
mod recipe;
#[path = "nothing_forgotten/said.rs"]
mod said;
#[path = "saved_sets/surplus.rs"]
mod surplus;
#[path = "nothing_forgotten/variants.rs"]
mod variants;

use cases::{CASES, Case};
use entries::{Annotated, Entry, Fate};
use harness::{Workplace, everything, mpi_or_word};
use marks::{compare, measure};
use recipe::recipes;
use surplus::{Kept, Why};

/// The entries of a program that are left out, one at a time: those that are known as surplus, and of the others every third one, which begins
/// at another place in each program; with CCCP_TEST_EVERYTHING=1 all.
fn chosen(entries: Vec<Entry>, name: &str, kept: &Kept) -> Vec<Entry> {
    let (known, others): (Vec<Entry>, Vec<Entry>) = entries
        .into_iter()
        .partition(|entry| everything() || kept.knows(&entry.item.text));
    let first = name.len() % others.len().clamp(1, 3);
    known
        .into_iter()
        .chain(others.into_iter().skip(first).step_by(3))
        .collect()
}

/// Every chosen entry of a program is missed by the check, or known as surplus.
fn every_entry_is_missed(case: &Case) {
    if case.mpi && !mpi_or_word() {
        return;
    }
    let place = Workplace::new(&format!("entries-{}", case.name));
    let annotated = Annotated::new(case, &place);
    let mut kept = Kept::of(case.name, Why::Check);
    let mut wrong = Vec::new();
    for entry in chosen(annotated.entries(), case.name, &kept) {
        let said = annotated.said_without(&entry);
        let named = said.iter().find(|one| entry.item.is_meant_by(&one.name));
        let is_missed = named.is_some_and(|message| message.shows_a_read());
        if is_missed == kept.has(&entry.item.text) {
            wrong.push(format!(
                "{}: {entry} is missed: {is_missed}: {said:#?}",
                case.name
            ));
        }
    }
    wrong.extend(kept.unused());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What a program does that is restarted without an entry: it goes wrong, or that is known.
fn every_entry_is_needed(name: &str) {
    let case = Case::named(name);
    let place = Workplace::new(&format!("restarts-{name}"));
    let annotated = Annotated::new(case, &place);
    let trial = annotated.trial();
    assert_eq!(trial.fate(None), Fate::Right, "{name} with all entries");
    let mut kept = Kept::of(name, Why::Restart);
    let mut wrong = Vec::new();
    for entry in annotated.entries() {
        let fate = trial.fate(Some(&entry));
        eprintln!("{name}: without {entry}: {fate:?}");
        if (fate == Fate::Right) != kept.has(&entry.item.text) {
            wrong.push(format!("{name}: without {entry}: {fate:?}"));
        }
    }
    wrong.extend(kept.unused());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Items of two functions bring the same blocks, or blocks of one allocation: the check misses none of these by itself, and
/// the run warns of pointers to what nothing brings.
const BROUGHT_TWICE: [&str; 5] = [
    "handed-over",
    "households",
    "makers",
    "operators",
    "products",
];

#[test]
fn s26_every_entry_of_serial_programs_is_missed() {
    let serial = CASES.iter().filter(|case| !case.mpi);
    for case in serial.filter(|case| !BROUGHT_TWICE.contains(&case.name)) {
        every_entry_is_missed(case);
    }
}

#[test]
fn s26_every_entry_of_mpi_programs_is_missed() {
    for case in CASES.iter().filter(|case| case.mpi) {
        every_entry_is_missed(case);
    }
}

#[test]
fn s07_restarts_of_small_programs_go_wrong_without_any_entry() {
    for name in ["heat-serial", "two-files", "swapped"] {
        every_entry_is_needed(name);
    }
    if everything() {
        every_entry_is_needed("recursion");
    }
}

#[test]
fn s07_serial_samples_save_no_more_than_by_hand() {
    for name in ["heat-serial", "n-body", "adaptive", "recursion"] {
        compare(name);
    }
}

#[test]
fn s07_mpi_samples_save_no_more_than_by_hand() {
    for name in [
        "heat-mpi",
        "conjugate-gradient-mpi",
        "communicators-and-files",
    ] {
        compare(name);
    }
}

#[test]
fn s07_what_annotated_programs_save_by_hand_and_in_auto_mode() {
    for recipe in recipes().iter().filter(|one| !one.is_unserved) {
        measure(recipe);
    }
}
