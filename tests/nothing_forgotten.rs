//! Nothing is forgotten: with all registers in place the check finds nothing missing; without any one of them it names that
//! variable and a read that needs it. A register that is not needed is reported, and what the oracle needs never is.
//!
//! Nothing is run here but `cccp-pp`: what restarts need stands in the tables of `oracle/`. The check may keep more than that;
//! how many registers, is counted and does not grow.

#[path = "nothing_forgotten/answer.rs"]
mod answer;
#[path = "oracle/corruption.rs"]
#[allow(dead_code, reason = "only its names are needed")]
mod corruption;
mod harness;
#[path = "annotated/recipe.rs"]
#[allow(dead_code, reason = "nothing is built")]
mod recipe;
#[path = "nothing_forgotten/said.rs"]
mod said;
#[path = "oracle/table.rs"]
#[allow(dead_code, reason = "tables are only read")]
mod table;
#[path = "nothing_forgotten/variants.rs"]
mod variants;

use std::collections::BTreeSet;
use std::path::PathBuf;

use answer::compare;
use harness::{Sample, Workplace, mpi_or_word, root};
use recipe::recipes;
use said::{Look, MISSING, Message, OTHER_THREADS, REMOVABLE, TOO_EARLY, put};
use table::Table;
use variants::{Item, variants};

/// A program, looked at with all its registers, and without each.
struct Subject<'a> {
    name: &'a str,
    look: Look,
    files: Vec<PathBuf>,
    place: &'a Workplace,
    /// What the check keeps although the oracle sees no need: registers, or members of one, at checkpoints.
    surplus: usize,
    /// What it calls missing although a restart does without it, and nothing else.
    accepted: &'a [String],
}

impl Subject<'_> {
    fn check(&self) {
        let path = root().join(format!("tests/oracle/{}.txt", self.name));
        let table = Table::parse(&std::fs::read_to_string(path).expect("what the oracle said"));
        let needed = |item: &Item| {
            let mut all = table.needed.iter();
            all.any(|((_, part), needed)| *needed && part.register == item.base())
        };
        let whole = self.look.at(&self.files);
        let missing = with(&whole, &[MISSING, OTHER_THREADS, TOO_EARLY]);
        let missing: BTreeSet<&str> = missing.iter().map(|one| one.name.as_str()).collect();
        let accepted: BTreeSet<&str> = self.accepted.iter().map(String::as_str).collect();
        assert_eq!(missing, accepted, "{}", self.name);
        let removable = with(&whole, &[REMOVABLE]);
        let mut wrong = Vec::new();
        for (index, file) in self.files.iter().enumerate() {
            let text = std::fs::read_to_string(file).expect("a file of the program");
            for (number, variant) in variants(&text).into_iter().enumerate() {
                let item = variant.item;
                let name = file.file_name().and_then(|name| name.to_str());
                let place = self.place.join(&format!("without-{index}-{number}"));
                let mut files = self.files.clone();
                files[index] = put(&place, name.expect("UTF-8"), &variant.text);
                let found = self.look.at(&files);
                let mut found = with(&found, &[MISSING, OTHER_THREADS, TOO_EARLY]);
                found.retain(|one| !self.accepted.contains(&one.name));
                let named = found.iter().find(|message| item.is_meant_by(&message.name));
                let is_removable = removable.iter().any(|one| {
                    one.name == item.text && one.text.contains(&format!(":{}:", item.line))
                });
                let label = format!("{}: line {}: `{}`", self.name, item.line, item.text);
                match (is_removable, needed(&item)) {
                    (true, true) => wrong.push(format!("{label} is needed and called removable")),
                    (true, false) if !found.is_empty() => {
                        wrong.push(format!(
                            "{label} is called removable and missed: {found:#?}"
                        ));
                    }
                    (true, false) => eprintln!("{label} is removable"),
                    (false, _) if named.is_some_and(|message| message.shows_a_read()) => {}
                    (false, false) if found.is_empty() => eprintln!("{label} is not missed"),
                    _ => wrong.push(format!("{label} is not missed: {found:#?}")),
                }
            }
        }
        let answers = compare(&table, &self.look, &self.files);
        for one in &answers.surplus {
            eprintln!("{}: {one} is live, and the oracle sees no need", self.name);
        }
        let missed = answers.missed.iter();
        wrong.extend(missed.map(|one| format!("{}: {one} is needed, not live", self.name)));
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert!(
            answers.surplus.len() <= self.surplus,
            "more is kept than before: {:#?}",
            answers.surplus
        );
    }
}

fn with<'a>(messages: &'a [Message], codes: &[&str]) -> Vec<&'a Message> {
    let all = messages.iter();
    all.filter(|one| codes.contains(&one.code.as_str()))
        .collect()
}

fn sample(name: &str, surplus: usize) {
    let sample = Sample::named(name);
    if sample.mpi && !mpi_or_word() {
        return;
    }
    let place = Workplace::new(&format!("without-{name}"));
    let look = Look {
        options: Vec::new(),
        mpi: sample.mpi,
        out: place.join("out"),
    };
    Subject {
        name,
        look,
        files: vec![root().join(format!("samples/{name}/main.c"))],
        place: &place,
        surplus,
        accepted: &[],
    }
    .check();
}

#[test]
fn s26_every_register_of_heat_serial_is_missed() {
    sample("heat-serial", 0);
}

#[test]
fn s26_every_register_of_n_body_is_missed() {
    sample("n-body", 0);
}

#[test]
fn s26_every_register_of_adaptive_is_missed() {
    // The pointers `mesh.u` and `mesh.width` in `mesh` come back with the items that stand behind them.
    sample("adaptive", 2);
}

#[test]
fn s26_every_register_of_recursion_is_missed() {
    sample("recursion", 0);
}

#[test]
fn s26_every_register_of_heat_mpi_is_missed() {
    sample("heat-mpi", 0);
}

#[test]
fn s26_every_register_of_conjugate_gradient_is_missed() {
    // The contents of `s.q`; the pointers of four items in `s`, which come back with these.
    sample("conjugate-gradient-mpi", 5);
}

#[test]
fn s26_every_register_of_communicators_and_files_is_missed() {
    sample("communicators-and-files", 0);
}

#[test]
fn s26_every_register_of_annotated_programs_is_missed() {
    for recipe in recipes() {
        let place = Workplace::new(&recipe.name);
        let files = recipe.make(place.path());
        let look = Look {
            options: recipe.options(place.path()),
            mpi: recipe.ranks.is_some(),
            out: place.join("out"),
        };
        Subject {
            name: &recipe.name,
            look,
            files,
            place: &place,
            surplus: recipe.surplus,
            accepted: &recipe.accepted,
        }
        .check();
    }
}
