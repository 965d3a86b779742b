//! The document suffices: a second reader, `formats/read.py`, was written from FORMAT.md alone. It and the library find
//! the same in every checkpoint file of `formats/`, and it refuses every damaged one.
//!
//! What it finds is also kept beside each file as `<name>.json`, so that both readers cannot change together.
//! `CCCP_BLESS=1` writes these texts.

#[path = "formats/canonical.rs"]
mod canonical;
#[path = "formats/elements.rs"]
mod elements;
mod harness;
#[path = "formats/machines.rs"]
mod machines;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use cccp::format::Encoding;
use cccp::store::FileSystem;
use harness::{Build, Checkpoints, Workplace, everything, python_or_word, root};
use serde_json::Value;

/// All checkpoint files that were kept.
fn golden() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join("tests/formats")).expect("the directory");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|end| end == "cccp"))
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "no checkpoint files");
    paths
}

/// The second reader, run with these words.
fn read_py(words: &[&Path]) -> Output {
    Command::new("python3")
        .arg(root().join("tests/formats/read.py"))
        .args(words)
        .output()
        .expect("python3")
}

/// Its JSON text for a file that is as it should be.
fn python_says(path: &Path) -> String {
    let output = read_py(&[path, Path::new("--json")]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn s21_the_second_reader_finds_in_every_kept_file_what_it_always_found() {
    if !python_or_word() {
        return;
    }
    let mut changed = Vec::new();
    for path in golden() {
        let found = python_says(&path);
        let expected = path.with_extension("json");
        if std::env::var_os("CCCP_BLESS").is_some() {
            std::fs::write(&expected, found).expect("the expectation can be written");
        } else if std::fs::read_to_string(&expected).ok().as_deref() != Some(&found) {
            changed.push(path);
        }
    }
    assert!(
        changed.is_empty(),
        "changed (CCCP_BLESS=1 accepts): {changed:?}"
    );
}

/// What the library reads is what the second reader reads: this.
fn assert_same(path: &Path) -> Value {
    let file = cccp::store::open(&FileSystem, path).expect("a valid file");
    let library = canonical::of(&file).expect("valid values");
    let python: Value = serde_json::from_str(&python_says(path)).expect("JSON");
    let differences = canonical::differences(&library, &python);
    assert!(
        differences.is_empty(),
        "{}: library and read.py differ:\n{}",
        path.display(),
        differences.join("\n")
    );
    python
}

#[test]
fn s21_both_readers_find_the_same_in_every_kept_file() {
    if !python_or_word() {
        return;
    }
    for path in golden() {
        assert_same(&path);
    }
}

#[test]
fn s23_both_readers_find_the_same_in_what_programs_write() {
    if !python_or_word() {
        return;
    }
    let settings = [("CCCP_ENCODING", "xdr"), ("CCCP_COMPRESS", "6")];
    for name in [
        "types",
        "function_pointers",
        "shared_memory",
        "values_of_blocks",
        "linked",
        "random_numbers",
        "descriptors",
    ] {
        let place = Workplace::new(name);
        let room = match name {
            "descriptors" => "open_files",
            _ => "restart",
        };
        let build = Build::files(&[format!("tests/{room}/{name}.c")]);
        let program = build.to(place.path(), name);
        for (number, (setting, value)) in settings.into_iter().enumerate() {
            let directory = place.directory(&number.to_string());
            std::fs::write(directory.join("input.txt"), "7\n").expect("what one of them reads");
            program.run(&directory).set(setting, value).well();
            let files = Checkpoints::of(&directory, name);
            let generations = files.generations();
            assert!(!generations.is_empty(), "{name} has written nothing");
            for generation in generations {
                assert_same(&files.file(generation, 0));
            }
        }
    }
}

#[test]
fn s23_both_readers_find_the_same_values_of_any_machine_in_both_encodings() {
    if !python_or_word() {
        return;
    }
    let place = Workplace::new("machines");
    for (number, machine) in machines::machines().iter().enumerate() {
        let [xdr, native] = Encoding::ALL.map(|encoding| {
            let checkpoint = machines::checkpoint(number as u64, machine, encoding);
            let checkpoint = checkpoint.expect("values that can be encoded");
            let mut bytes = Vec::new();
            let compress = 3 * (number as u32 % 3);
            cccp::format::write(&checkpoint, compress, &mut bytes).expect("a file");
            let path = place.join(&format!("{number}-{encoding:?}.cccp"));
            std::fs::write(&path, bytes).expect("a file in the test's directory");
            assert_same(&path)
        });
        // The second reader is also the witness that XDR says what the memory said.
        let (left, right) = (&xdr["sections"], &native["sections"]);
        let differences = canonical::differences(left, right);
        assert!(
            differences.is_empty(),
            "{machine:?}: XDR and native values differ:\n{}",
            differences.join("\n")
        );
    }
}

#[test]
fn s25_the_second_reader_refuses_every_damaged_copy_with_place_and_reason() {
    if !python_or_word() {
        return;
    }
    let place = Workplace::new("second-reader");
    // One process for all copies of a file: starting Python hundreds of times would take most of the time.
    for path in golden() {
        let bytes = std::fs::read(&path).expect("the file");
        let mut copies = Vec::new();
        let mut write = |what: String, bytes: &[u8]| {
            let copy = place.join(&format!("{what}.cccp"));
            std::fs::write(&copy, bytes).expect("a damaged copy");
            copies.push(copy);
        };
        let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
        for _ in 0..200 {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            let bit = (seed >> 16) as usize % (8 * bytes.len());
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            write(format!("bit-{bit}"), &damaged);
        }
        for part in 0..40 {
            let length = bytes.len() * part / 40;
            write(format!("cut-{length}"), &bytes[..length]);
        }
        write("longer".to_owned(), &[&bytes[..], &[0; 4]].concat());
        let words: Vec<&Path> = copies.iter().map(PathBuf::as_path).collect();
        let output = read_py(&words);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{errors}");
        assert!(output.stdout.is_empty(), "something was read");
        assert_eq!(errors.lines().count(), copies.len(), "{errors}");
        for (copy, line) in copies.iter().zip(errors.lines()) {
            let start = format!("{}: offset ", copy.display());
            assert!(line.starts_with(&start), "{line}");
        }
    }
}

#[test]
fn s25_both_readers_refuse_the_same_changes_that_no_checksum_notices() {
    if !python_or_word() {
        return;
    }
    let place = Workplace::new("sealed");
    let output = Command::new("python3")
        .arg(root().join("tests/formats/sealed.py"))
        .arg(if everything() { "1000" } else { "200" })
        .arg(place.path())
        .args(golden())
        .output()
        .expect("python3");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let verdicts = String::from_utf8(output.stdout).expect("UTF-8");
    let (mut good, mut refused) = (0, 0);
    for line in verdicts.lines() {
        let (name, python) = line.split_once('\t').expect("a name and a verdict");
        let opened = cccp::store::open(&FileSystem, &place.join(name));
        let library = opened
            .map_err(|error| error.to_string())
            .and_then(|file| canonical::of(&file).map_err(|error| error.to_string()));
        match &library {
            Ok(_) => good += 1,
            Err(_) => refused += 1,
        }
        assert_eq!(
            python == "good",
            library.is_ok(),
            "{name}: read.py says {python}, the library {library:?}"
        );
    }
    assert!(
        good > 100 && refused > 100,
        "{good} good, {refused} refused"
    );
}
