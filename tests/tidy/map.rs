//! The map of the house, `tests/HOUSE.md`, and the rooms are held together; and so are the theory and the analyses.

use std::collections::BTreeSet;
use std::path::Path;

use super::none;
use super::source::top;

/// A table of the map: the folder, its rooms, and what is in each where the table says so.
struct Table {
    folder: String,
    rooms: Vec<(String, Option<BTreeSet<String>>)>,
}

/// The words in backquotes.
fn quoted(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split('`').skip(1).step_by(2).map(str::to_owned)
}

/// The tables below `## The map`.
fn tables(page: &str) -> Vec<Table> {
    let map = page.split("\n## ").find(|part| part.starts_with("The map"));
    let sections = map.unwrap_or_default().split("\n### ").skip(1);
    let table = |section: &str| {
        let mut lines = section.lines().skip(2);
        let folder = quoted(lines.next()?).next()?;
        let rows = lines.filter(|line| line.starts_with("| `"));
        let room = |row: &str| {
            let cells: Vec<&str> = row.trim_matches('|').split(" | ").collect();
            let inside = cells.get(2).map(|cell| quoted(cell).collect());
            Some((quoted(cells[0]).next()?, inside))
        };
        Some(Table {
            folder,
            rooms: rows.filter_map(room).collect(),
        })
    };
    sections.filter_map(table).collect()
}

/// The rooms of a folder, or what is in one: Rust files and folders, without tests and what only declares.
fn found(folder: &Path) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().into_string().expect("UTF-8");
        let name = match (entry.path().is_dir(), name.strip_suffix(".rs")) {
            (true, _) => name,
            (false, Some(name)) => name.to_owned(),
            (false, None) => continue,
        };
        if !["mod", "lib", "tests"].contains(&name.as_str()) {
            names.insert(name);
        }
    }
    names
}

/// What is on one side only.
fn compare(place: &str, told: &BTreeSet<String>, there: &BTreeSet<String>) -> Vec<String> {
    let gone = told
        .difference(there)
        .map(|one| format!("{place}: {one} is on the map and not there"));
    let new = there
        .difference(told)
        .map(|one| format!("{place}: {one} is not on the map"));
    gone.chain(new).collect()
}

#[test]
fn every_room_is_on_the_map_and_every_room_of_the_map_exists() {
    let page = std::fs::read_to_string(top().join("tests/HOUSE.md")).expect("the map");
    let tables = tables(&page);
    let mut offences = Vec::new();
    let folders: BTreeSet<&str> = tables.iter().map(|one| one.folder.as_str()).collect();
    let all = [
        "precompiler/base/src/",
        "precompiler/src/",
        "cccp-runtime/src/",
        "cccp-runtime/mpi/src/",
        "cccp-runtime/ckpt/src/",
        "cccp-runtime/run/src/",
        "grammar/src/",
    ];
    let lost = all.iter().filter(|folder| !folders.contains(*folder));
    offences.extend(lost.map(|folder| format!("no table for {folder}")));
    for table in &tables {
        let folder = top().join(&table.folder);
        let rooms = table.rooms.iter().map(|(room, _)| room.clone()).collect();
        offences.extend(compare(&table.folder, &rooms, &found(&folder)));
        for (room, inside) in &table.rooms {
            if let Some(inside) = inside {
                let place = format!("{}{room}", table.folder);
                offences.extend(compare(&place, inside, &found(&folder.join(room))));
            }
        }
    }
    none("tests/HOUSE.md", offences);
}

#[test]
fn every_analysis_stands_in_the_theory() {
    let page = std::fs::read_to_string(top().join("precompiler/THEORY.md")).expect("the theory");
    let bold = page.split("**").skip(1).step_by(2);
    let bold = bold.map(|name| name.trim_end_matches('.').to_owned());
    let named: BTreeSet<String> = bold.chain(quoted(&page)).collect();
    let there = found(&top().join("precompiler/src/analysis"));
    let untold = there.iter().filter(|name| !named.contains(*name));
    let untold = untold.map(|name| format!("analysis/{name} is not in the theory"));
    none("precompiler/THEORY.md", untold.collect());
}
