//! A file that the program has mapped to read it is mapped again, as long as it holds the same.

use std::path::{Path, PathBuf};

use super::harness::{Program, Workplace};
use super::{STOPPED, build, inputs};

/// A run that was killed after its fifth checkpoint, and what an undisturbed one prints.
fn killed(place: &Workplace) -> (Program, PathBuf, String) {
    let program = build("mapped").to(place.path(), "mapped");
    let undisturbed = program.run(&inputs(place, "undisturbed")).well().output;
    let directory = inputs(place, "killed");
    program.run(&directory).kill_at("published:5");
    (program, directory, undisturbed)
}

/// The same files with other dates.
fn copied(from: &Path, to: &Path) {
    let mut copy = std::process::Command::new("cp");
    assert!(copy.arg("-r").arg(from).arg(to).status().unwrap().success());
}

#[test]
fn s16_a_file_that_is_mapped_to_be_read_is_mapped_again_in_a_run_that_was_moved_too() {
    let place = Workplace::new("mapped");
    let (program, directory, undisturbed) = killed(&place);
    let moved = place.join("moved");
    copied(&directory, &moved);
    std::fs::remove_file(directory.join("input.txt")).unwrap();
    let resumed = program.run(&moved).well();
    resumed.assert_resumed();
    assert_eq!(resumed.output, undisturbed);
}

#[test]
fn s16_a_file_that_is_mapped_and_has_changed_or_gone_stops_the_restart() {
    let place = Workplace::new("mapped-changed");
    let (program, directory, undisturbed) = killed(&place);
    let input = directory.join("input.txt");
    let whole = std::fs::read_to_string(&input).unwrap();
    std::fs::write(&input, whole.replacen('1', "2", 1)).unwrap();
    let stopped = program.run(&directory).go();
    let said = "input.txt was mapped at the checkpoint and has changed since";
    stopped.assert_stopped(STOPPED, &[said, "restart=fresh"]);
    std::fs::remove_file(&input).unwrap();
    let stopped = program.run(&directory).go();
    stopped.assert_stopped(STOPPED, &["input.txt was open", "put it back"]);
    std::fs::write(&input, whole).unwrap();
    let resumed = program.run(&directory).well();
    resumed.assert_resumed();
    assert_eq!(resumed.output, undisturbed);
}

#[test]
fn s16_what_a_restart_could_not_map_again_stops_the_first_checkpoint() {
    let place = Workplace::new("mapped-replaced");
    let program = build("mapped").to(place.path(), "mapped");
    for (argument, said) in [
        ("replaced", "input.txt, which was removed or replaced"),
        ("registered", "register the pointer alone"),
    ] {
        let run = program.run(&inputs(&place, argument));
        let run = run.arguments(&[argument]).set("CCCP_EVERY", "1");
        run.go().assert_stopped(STOPPED, &[said]);
    }
}
