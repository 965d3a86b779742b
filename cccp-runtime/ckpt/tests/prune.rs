//! `prune` removes only what has enough complete and sound generations after it.

mod made;

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use cccp::format::Encoding;
use cccp::store::{Directory, FileSystem};
use made::{Place, Program, x86_64};

/// Generations of two ranks each.
fn generations(directory: &Path, numbers: impl IntoIterator<Item = u64>) {
    let mut program = Program::heat(x86_64(), Encoding::Xdr);
    for number in numbers {
        for rank in 0..2 {
            program.publish(directory, number, rank, 2);
        }
    }
}

fn left(directory: &Path) -> Vec<u64> {
    let directory = Directory::new(Arc::new(FileSystem), directory);
    directory.generations().expect("a directory")
}

fn flip(path: &Path) {
    let mut bytes = fs::read(path).expect("the file");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(path, bytes).expect("the file");
}

#[test]
fn s19_a_generation_goes_only_when_enough_newer_ones_are_complete_and_sound() {
    let place = Place::new("prune-sound");
    let path = place.join("heat.cccp");
    generations(&path, 1..=6);
    // 6 is not complete, 5 is damaged: 4 and 3 are the two that vouch for 2 and 1.
    fs::remove_file(path.join("0000000006/000001.cccp")).expect("the file");
    flip(&path.join("0000000005/000000.cccp"));
    let words = ["prune", "--keep", "2"];
    place.tool(&words).with(2).saying(&["no terminal", "--yes"]);
    assert_eq!(left(&path), [6, 5, 4, 3, 2, 1], "nobody said yes");
    let shown = place
        .tool(&["prune", "--keep", "2", "--dry-run"])
        .with(0)
        .out;
    for line in [
        "4  verified, stays",
        "3  verified, stays",
        "2  goes",
        "1  goes",
    ] {
        assert!(shown.contains(line), "{line}: {shown}");
    }
    assert_eq!(left(&path), [6, 5, 4, 3, 2, 1]);
    let json = place
        .tool(&["prune", "--keep", "2", "--yes", "--json"])
        .with(0)
        .json();
    assert_eq!(json["kept"], serde_json::json!([4, 3]));
    assert_eq!(json["going"][0]["generation"], 2);
    assert_eq!(json["removed"], true);
    assert_eq!(left(&path), [6, 5, 4, 3]);
    let shown = place.tool(&["prune", "--keep", "3", "--yes"]).with(0).out;
    assert!(shown.contains("nothing goes: 2 of 3"), "{shown}");
    assert_eq!(left(&path), [6, 5, 4, 3]);
    place.tool(&["prune", "--keep", "1", "--yes"]).with(0);
    assert_eq!(left(&path), [6, 5, 4]);
    place.tool(&["prune", "--keep", "0", "--yes"]).with(2);
}

#[test]
fn s25_what_is_not_ours_stays() {
    let place = Place::new("prune-notes");
    let path = place.join("heat.cccp");
    generations(&path, 1..=3);
    fs::write(path.join("0000000001/notes.txt"), "mine").expect("a file");
    fs::write(path.join("0000000002/000000.cccp.77.tmp"), "half").expect("a file");
    let shown = place.tool(&["prune", "--keep", "1", "--yes"]).with(0).out;
    assert!(shown.contains("removed 1 generation, 5 files"), "{shown}");
    let names = fs::read_dir(path.join("0000000001")).expect("it is there");
    assert_eq!(names.count(), 1, "only the notes");
    assert!(!path.join("0000000002").exists());
}

#[test]
fn s25_while_a_run_has_the_directory_nothing_is_touched() {
    let place = Place::new("prune-lock");
    let path = place.join("heat.cccp");
    generations(&path, 1..=3);
    let directory = Directory::new(Arc::new(FileSystem), &path);
    let lock = directory.lock(1);
    lock.take(Duration::ZERO).expect("a free lock");
    let own = format!("process {}", std::process::id());
    for words in [
        &["prune", "--keep", "1", "--yes"][..],
        &["prune", "--keep", "1", "-n"],
    ] {
        place.tool(words).with(2).saying(&["in use by", &own]);
    }
    assert_eq!(left(&path), [3, 2, 1]);
    drop(lock);
    place.tool(&["prune", "--keep", "1", "--yes"]).with(0);
    assert_eq!(left(&path), [3]);
}
