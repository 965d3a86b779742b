//! `list`, `show` and `verify` tell what is in files and directories: exactly these words, and the same as JSON.

mod made;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cccp::format::Encoding;
use cccp::store::{Directory, FileSystem};
use made::{Place, Program, golden, s390x, x86_64};

/// The files that released versions wrote.
fn formats() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/formats");
    let names = fs::read_dir(folder).expect("tests/formats").flatten();
    let mut files: Vec<PathBuf> = names
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|end| end == "cccp"))
        .collect();
    files.sort();
    assert!(files.len() >= 6, "{files:?}");
    files
}

/// Those that are compared to the word.
const EXACTLY: [&str; 4] = [
    "v1.0-xdr.cccp",
    "v1.0-s390x-native.cccp",
    "v1.1-compressed.cccp",
    "v1.1-native.cccp",
];

/// What differs from day to day and from machine to machine: ages and free space.
fn steady(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        let mut line = line.to_string();
        if let Some(end) = line.find(" days ago") {
            let digits = line[..end].bytes().rev().take_while(u8::is_ascii_digit);
            let start = end - digits.count();
            line.replace_range(start..end, &"#".repeat(end - start));
        }
        if let (Some(start), Some(end)) = (line.find(" UTC, "), line.find(" ago, at ")) {
            line.replace_range(start + 6..end, "#");
        }
        if let Some(end) = line.find(" are free")
            && let Some(start) = line[..end].rfind(", ")
        {
            line.replace_range(start + 2..end, "#");
        }
        lines.push(line + "\n");
    }
    lines.concat()
}

/// Two generations of four ranks, of which the older one is complete.
fn two_generations(directory: &Path) {
    let mut program = Program::heat(x86_64(), Encoding::Xdr);
    for rank in 0..4 {
        program.publish(directory, 9, rank, 4);
    }
    program.checkpoint.header.site.name = Some("main_loop".to_string());
    for rank in [0, 1, 3] {
        program.publish(directory, 10, rank, 4);
    }
}

#[test]
fn s23_files_of_every_released_version_are_shown_and_verified() {
    let place = Place::new("inspect-formats");
    let (mut shown, mut verified) = (String::new(), String::new());
    for path in formats() {
        let name = path.file_name().expect("a name").to_string_lossy();
        fs::copy(&path, place.join(&name)).expect("a copy");
        let verdict = place.tool(&["verify", &name]).with(0).out;
        let words = ["show", &name, "--type", "--trace", "--values", "100"];
        let text = place.tool(&words).with(0).out;
        if EXACTLY.contains(&&*name) {
            shown += &format!("== {name}\n{text}");
            verified += &verdict;
        }
    }
    golden("show-formats.txt", &steady(&shown));
    golden("verify-formats.txt", &verified);
}

#[test]
fn s19_a_directory_is_listed_with_what_is_complete_and_what_is_not() {
    let place = Place::new("inspect-list");
    let path = place.join("heat.cccp");
    two_generations(&path);
    let named = place.tool(&["list", "heat.cccp"]).with(0).out;
    golden("list.txt", &steady(&named));
    // Other programs write to the disk, too.
    assert_eq!(
        steady(&place.tool(&["list"]).with(0).out),
        steady(&named),
        "the only directory here is meant"
    );
    let json = place.tool(&["list", "--json"]).with(0).json();
    assert_eq!(json["command"], "list");
    assert_eq!(json["shape"], 1);
    assert_eq!(json["complete"], 1);
    assert_eq!(json["generations"][0]["generation"], 10);
    assert_eq!(json["generations"][0]["complete"], false);
    assert_eq!(json["generations"][0]["site"]["name"], "main_loop");
    assert_eq!(json["generations"][1]["size"], 4);
    assert_eq!(json["ended"]["state"], "no");
    assert_eq!(json["in_use"], serde_json::Value::Null);
    // One byte in the middle is no news to a list, a file that was cut short is.
    let file = path.join("0000000009/000002.cccp");
    let bytes = fs::read(&file).expect("the file");
    fs::write(&file, &bytes[..bytes.len() - 100]).expect("the file");
    fs::write(path.join("0000000010/000003.cccp"), b"").expect("the file");
    golden(
        "list-damaged.txt",
        &steady(&place.tool(&["list"]).with(0).out),
    );
    place
        .tool(&["list", "nowhere"])
        .with(2)
        .saying(&["nowhere"]);
    fs::create_dir(place.join("other.cccp")).expect("a directory");
    place
        .tool(&["list"])
        .with(2)
        .saying(&["heat.cccp, other.cccp", "say which one"]);
}

#[test]
fn s6_a_run_that_ended_is_listed_as_one() {
    let place = Place::new("inspect-ended");
    let path = place.join("heat.cccp");
    two_generations(&path);
    let directory = Directory::new(Arc::new(FileSystem), &path);
    for rank in [0, 1, 3] {
        directory.mark_complete(rank, 10).expect("a mark");
    }
    let words = place.tool(&["list"]).with(0).out;
    assert!(
        words.contains("the run that took generation 10 has ended"),
        "{words}"
    );
    let lock = directory.lock(1);
    lock.take(std::time::Duration::ZERO).expect("a free lock");
    let words = place.tool(&["list"]).with(0).out;
    let own = format!("in use by process {}", std::process::id());
    assert!(words.contains(&own), "{words}");
    let json = place.tool(&["list", "--json"]).with(0).json();
    assert_eq!(json["in_use"]["process"], std::process::id());
    assert_eq!(json["ended"]["generation"], 10);
    drop(lock);
    let words = place.tool(&["list"]).with(0).out;
    assert!(!words.contains("in use"), "{words}");
}

#[test]
fn s17_verify_finds_missing_damaged_and_strange_files() {
    let place = Place::new("inspect-verify");
    let path = place.join("heat.cccp");
    two_generations(&path);
    place
        .tool(&["verify", "heat.cccp", "--generation", "9"])
        .with(0);
    place.tool(&["verify", "heat.cccp"]).with(1);
    let file = path.join("0000000009/000001.cccp");
    let mut bytes = fs::read(&file).expect("the file");
    let middle = bytes.len() - 300;
    bytes[middle] ^= 0x10;
    fs::write(&file, &bytes).expect("the file");
    let mut other = Program::heat(x86_64(), Encoding::Xdr);
    other.checkpoint.header.program = "water".to_string();
    other.publish(&path, 9, 2, 4);
    let found = place.tool(&["verify", "heat.cccp"]).with(1).out;
    golden(
        "verify.txt",
        &found.replace(&path.display().to_string(), "heat.cccp"),
    );
    let json = place
        .tool(&["verify", "heat.cccp", "--json"])
        .with(1)
        .json();
    assert_eq!(json["status"], "bad");
    let files = &json["groups"][1]["files"];
    assert_eq!(files[0]["state"], "good");
    assert_eq!(files[1]["state"], "damaged");
    assert_eq!(files[2]["state"], "strange");
    assert_eq!(json["groups"][0]["files"][2]["state"], "missing");
    place
        .tool(&["verify", "nowhere.cccp"])
        .with(2)
        .saying(&["nowhere.cccp"]);
    fs::write(
        place.join("notes"),
        "a text, long enough to have a beginning",
    )
    .expect("a file");
    let words = place.tool(&["verify", "notes"]).with(1).out;
    assert!(words.contains("not a checkpoint file"), "{words}");
}

#[test]
fn s21_a_register_is_shown_with_its_values_however_it_was_written() {
    let place = Place::new("inspect-show");
    let mut told = Vec::new();
    for (machine, encoding, compress) in [
        (x86_64(), Encoding::Xdr, 6),
        (x86_64(), Encoding::Native, 0),
        (s390x(), Encoding::Native, 0),
    ] {
        let mut program = Program::heat(machine, encoding);
        let values = [1.0, f64::NAN, f64::INFINITY, -2.5, 4.0];
        program.doubles("odd", &[5], &values);
        program.register("odd").first = 20;
        program.write(&place.join("a.cccp"), compress);
        let words = [
            "show",
            "a.cccp",
            "u",
            "odd",
            "step:name",
            "#3",
            "spot",
            "--values",
            "6",
        ];
        let json = place.tool(&["--json", "show", "a.cccp", "u", "odd", "cells", "-v", "3"]);
        let answer = json.with(0).json();
        let registers = answer["registers"].as_array().expect("registers").clone();
        assert_eq!(registers[0]["members"][0]["mean"], 1.1875);
        assert_eq!(registers[1]["members"][0]["name"], "position");
        assert_eq!(registers[1]["members"][0]["count"], 9);
        assert_eq!(registers[2]["members"][0]["nan"], 1);
        assert_eq!(registers[2]["members"][0]["infinite"], 1);
        assert_eq!(registers[2]["members"][0]["min"], -2.5);
        assert_eq!(registers[2]["values"][1]["value"], "NaN");
        assert_eq!(registers[2]["values"][1]["index"][0], 21);
        let text = place.tool(&words).with(0).out;
        // The table holds stored sizes, which differ.
        let values = text.split_once("\n\n").expect("values below the table").1;
        told.push(values.to_string());
    }
    assert_eq!(told[0], told[1]);
    assert_eq!(told[0], told[2]);
    golden("show-values.txt", &told[0]);
    place
        .tool(&["show", "a.cccp", "v"])
        .with(2)
        .saying(&["no register v", "main:u, main:cells"]);
    place.tool(&["show", "a.cccp", "--rank", "0"]).with(2);
}

#[test]
fn s17_the_newest_complete_generation_is_shown_unless_another_one_is_wanted() {
    let place = Place::new("inspect-which");
    two_generations(&place.join("heat.cccp"));
    let shown = |words: &[&str]| {
        let json = place.tool(&[&["--json", "show", "heat.cccp"], words].concat());
        let header = json.with(0).json()["header"].clone();
        (header["generation"].clone(), header["rank"].clone())
    };
    assert_eq!(shown(&[]), (9.into(), 0.into()));
    assert_eq!(shown(&["--rank", "3"]), (9.into(), 3.into()));
    assert_eq!(shown(&["-g", "10", "-r", "1"]), (10.into(), 1.into()));
    place
        .tool(&["show", "heat.cccp", "-g", "10", "-r", "2"])
        .with(2)
        .saying(&["generation 10 has no file of rank 2"]);
    place
        .tool(&["show", "heat.cccp", "-g", "3"])
        .with(2)
        .saying(&["there are 10, 9"]);
}

#[test]
fn s17_what_was_counted_of_messages_is_shown_and_verified_across_ranks() {
    let place = Place::new("inspect-messages");
    let directory = place.join("heat.cccp");
    // By generation, what two ranks counted; requests in flight.
    for (generation, counted) in [
        (3, [Some([5, 0]), Some([5u64.wrapping_neg(), 0])]),
        (4, [Some([5, 0]), Some([5, 0])]),
        (5, [Some([0, 1]), Some([0, 0])]),
        (6, [Some([0, 0]), None]),
        (7, [None, None]),
    ] {
        for (rank, numbers) in (0..).zip(counted) {
            let mut program = Program::heat(x86_64(), Encoding::Xdr);
            if let Some(numbers) = numbers {
                program.counted(numbers);
            }
            program.publish(&directory, generation, rank, 2);
        }
    }
    let found = place.tool(&["verify", "heat.cccp"]).with(0).out;
    golden("verify-messages.txt", &found);
    let found = place
        .tool(&["verify", "heat.cccp", "--json"])
        .with(0)
        .json();
    let under_way: Vec<Option<bool>> = found["groups"]
        .as_array()
        .expect("groups")
        .iter()
        .map(|group| group["messages_under_way"].as_bool())
        .collect();
    let wanted = [None, Some(true), Some(true), Some(true), Some(false)];
    assert_eq!(under_way, wanted);
    let shown = place
        .tool(&["show", "heat.cccp", "--generation", "5"])
        .with(0)
        .out;
    let words = "counted 0000000000000000, 1 request in flight";
    assert!(shown.contains(words), "{shown}");
    // Only what can be restarted from vouches for older generations.
    let pruned = place
        .tool(&["prune", "heat.cccp", "--keep", "2", "--dry-run", "--json"])
        .with(0)
        .json();
    assert_eq!(pruned["kept"].to_string(), "[7,3]");
}
