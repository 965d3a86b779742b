//! What a restart really needs, found out by trying: one register of a checkpoint of every sample gets
//! other values, and the run goes on from there. When the results are different, or it crashes, hangs or stops, the register is
//! needed there; when no change is noticed, it was not seen to be needed.
//!
//! The answers are kept as tables in `oracle/`, a file per sample; `CCCP_BLESS=1` writes them. All registers of one name are
//! changed together, on all ranks; a member of a struct is tried alone. Each checkpoint of the text is tried at
//! several passages; with CCCP_TEST_EVERYTHING=1 at all of them.

#[path = "oracle/corruption.rs"]
mod corruption;
mod harness;
#[path = "annotated/recipe.rs"]
mod recipe;
#[path = "oracle/table.rs"]
mod table;
#[path = "oracle/trial.rs"]
mod trial;

use std::path::PathBuf;

use harness::{Sample, Workplace, mpi_or_word, root};
use recipe::{recipes, unmarked};
use table::Table;
use trial::{Subject, Trial};

/// The table that is kept of a sample.
fn kept(name: &str) -> PathBuf {
    root().join(format!("tests/oracle/{name}.txt"))
}

/// Asks the oracle about a sample.
fn ask(name: &str) {
    let sample = Sample::named(name);
    if !sample.mpi || mpi_or_word() {
        compare(name, Subject::sample(&sample));
    }
}

/// Asks the oracle, and compares with what is kept.
fn compare(name: &str, subject: Subject) {
    let path = kept(name);
    let known = Table::parse(&std::fs::read_to_string(&path).unwrap_or_default());
    let found = Trial::new(subject).table(&known);
    let needed = found.needed.values().filter(|needed| **needed).count();
    eprintln!("{name}: {needed} of {} are needed", found.needed.len());
    if std::env::var_os("CCCP_BLESS").is_some() {
        std::fs::write(&path, found.print()).expect("a table to keep");
    }
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        Table::parse(&text),
        found,
        "the oracle says\n{}",
        found.print()
    );
}

#[test]
fn s07_what_a_restart_of_heat_serial_needs() {
    ask("heat-serial");
}

#[test]
fn s07_s15_what_a_restart_of_n_body_needs() {
    ask("n-body");
}

#[test]
fn s07_s13_what_a_restart_of_adaptive_needs() {
    ask("adaptive");
}

#[test]
fn s07_s14_what_a_restart_of_recursion_needs() {
    ask("recursion");
}

#[test]
fn s07_what_a_restart_of_by_hand_needs() {
    ask("by-hand");
}

#[test]
fn s07_what_a_restart_of_heat_mpi_needs() {
    ask("heat-mpi");
}

#[test]
fn s07_s11_what_a_restart_of_conjugate_gradient_needs() {
    ask("conjugate-gradient-mpi");
}

#[test]
fn s07_s16_what_a_restart_of_communicators_and_files_needs() {
    ask("communicators-and-files");
}

#[test]
fn s08_what_restarts_of_annotated_programs_need() {
    for recipe in recipes() {
        let place = Workplace::new(&recipe.name);
        let files = recipe.make(place.path());
        let subject = Subject {
            name: recipe.name.clone(),
            build: recipe.build(place.path(), &files),
            ranks: recipe.ranks,
            arguments: recipe.arguments.clone(),
            checkpoints: recipe.checkpoints,
            files: Vec::new(),
        };
        compare(&recipe.name, subject);
    }
}

#[test]
fn s08_what_restarts_of_programs_of_others_need_in_auto_mode() {
    for recipe in unmarked() {
        let place = Workplace::new(&recipe.name);
        let files = recipe.make_plain(place.path());
        let subject = Subject {
            name: format!("auto-{}", recipe.name),
            build: recipe.automatic(place.path(), &files),
            ranks: recipe.ranks,
            arguments: recipe.arguments.clone(),
            checkpoints: 0,
            files: Vec::new(),
        };
        compare(&format!("auto-{}", recipe.name), subject);
    }
}
