//! Large files need little memory, and nobody who stops listening is scolded.

mod made;

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter};
use std::process::Stdio;

use cccp::format::{Encoding, Writer};
use made::{Place, Program, x86_64};

/// Bytes of the register in the large file.
const LARGE: u64 = 200 << 20;

/// Writes a file with one register of many doubles.
fn large(path: &std::path::Path, encoding: Encoding, bytes: u64) {
    let mut program = Program::new(x86_64(), encoding);
    program.doubles("u", &[bytes / 8], &[]);
    let chunk: Vec<u8> = (0..1 << 17)
        .flat_map(|one| f64::from(one).to_be_bytes())
        .collect();
    let mut out = BufWriter::new(File::create(path).expect("the file"));
    let checkpoint = &program.checkpoint;
    let register = &checkpoint.sections[0].registers[0];
    let mut writer = Writer::new(&mut out, checkpoint, 1, 0).expect("a writer");
    writer.section(0, 1).expect("a section");
    writer.begin_register(register).expect("a register");
    for _ in 0..bytes / chunk.len() as u64 {
        writer.values(&chunk).expect("room");
    }
    writer.end_register().expect("the end");
    writer.finish().expect("the end");
}

#[test]
fn a_large_file_is_shown_and_verified_in_a_hundred_megabytes() {
    let place = Place::new("memory");
    let length = LARGE;
    large(&place.join("large.cccp"), Encoding::Xdr, length);
    for words in [
        &["verify", "large.cccp"][..],
        &["show", "large.cccp", "--values", "1000"],
    ] {
        let ran = place.bounded(words, 100).with(0);
        assert!(ran.out.contains("200 MiB"), "{ran:?}");
        if words[0] == "show" {
            assert!(ran.out.contains("0 … 131071, mean 65535.5"), "{ran:?}");
        }
    }
    // It is the limit that is kept, not the file that is small.
    assert_ne!(place.bounded(&["verify", "large.cccp"], 3).status, Some(0));
}

#[test]
fn a_large_file_is_converted_compared_and_exported_in_little_memory() {
    let place = Place::new("memory-convert");
    large(&place.join("large.cccp"), Encoding::Xdr, 32 << 20);
    for words in [
        &["convert", "large.cccp", "native.cccp", "--native"][..],
        &["diff", "large.cccp", "native.cccp"],
        &["export", "native.cccp", "u", "-o", "u.npy"],
    ] {
        place.bounded(words, 25).with(0);
    }
}

#[test]
fn s21_whoever_stops_listening_is_not_scolded() {
    let place = Place::new("memory-pipe");
    large(&place.join("a.cccp"), Encoding::Xdr, 4 << 20);
    let mut child = place
        .command(&["show", "a.cccp", "--values", "100000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the tool runs");
    let mut line = String::new();
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    out.read_line(&mut line).expect("a line");
    drop(out);
    let output = child.wait_with_output().expect("the end");
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
}

#[test]
fn colours_are_for_terminals_and_for_those_who_ask() {
    let place = Place::new("memory-colours");
    Program::heat(x86_64(), Encoding::Xdr).write(&place.join("a.cccp"), 0);
    let shown = |words: &[&str]| {
        place
            .tool(&[&["show", "a.cccp"], words].concat())
            .with(0)
            .out
    };
    assert!(!shown(&[]).contains('\x1b'));
    assert!(shown(&["--color", "always"]).contains('\x1b'));
    assert!(!shown(&["--color", "never"]).contains('\x1b'));
    assert!(!shown(&["--color", "always", "--json"]).contains('\x1b'));
}
