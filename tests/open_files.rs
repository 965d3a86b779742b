//! Open files come back: a run that is killed and run again leaves the files of an undisturbed run, byte for byte, and
//! reads its input where it was. What cannot come back is told at the checkpoint; what is missing at the restart stops it, and
//! nothing has been touched then.

#[path = "open_files/given.rs"]
mod given;
mod harness;
#[path = "open_files/mapped.rs"]
mod mapped;
#[path = "open_files/names.rs"]
mod names;
#[path = "open_files/of_libraries.rs"]
mod of_libraries;
#[path = "open_files/overwritten.rs"]
mod overwritten;
#[path = "open_files/streams.rs"]
mod streams;
#[path = "open_files/unnamed.rs"]
mod unnamed;

use std::path::Path;

use harness::{Build, Compiler, Program, Workplace, left, mpi_or_word, precompiler};

/// The exit status of a restart that is impossible.
const STOPPED: i32 = 75;

fn build(name: &str) -> Build {
    Build::files(&[format!("tests/open_files/{name}.c")])
}

/// A directory with the input that the programs read.
fn inputs(place: &Workplace, name: &str) -> std::path::PathBuf {
    let directory = place.directory(name);
    let lines = |count: u32, text: &dyn Fn(u32) -> String| -> String {
        (1..=count).map(|number| text(number) + "\n").collect()
    };
    std::fs::write(
        directory.join("input.txt"),
        lines(100, &|one| one.to_string()),
    )
    .unwrap();
    let update = lines(40, &|one| format!("line {}", one * one));
    std::fs::write(directory.join("update.txt"), update).unwrap();
    directory
}

fn assert_same(found: &Path, expected: &Path, context: &str) {
    let (found, expected) = (left(found, "txt"), left(expected, "txt"));
    let names = |all: &[(String, Vec<u8>)]| all.iter().map(|one| one.0.clone()).collect::<Vec<_>>();
    assert_eq!(names(&found), names(&expected), "{context}");
    for (one, other) in found.iter().zip(&expected) {
        assert_eq!(
            String::from_utf8_lossy(&one.1),
            String::from_utf8_lossy(&other.1),
            "{}: {context}",
            one.0
        );
    }
}

#[test]
fn s16_s32_streams_of_every_mode_come_back_and_files_end_as_undisturbed() {
    let ways = [
        build("modes").with(Compiler::Gcc, &["-O2"]),
        build("modes")
            .with(Compiler::Clang, &["-O1"])
            .tool_flags(&["--dispatch", "switch"]),
    ];
    for (number, way) in ways.iter().enumerate() {
        let place = Workplace::new("modes");
        let plain = way.clone().plain().to(place.path(), "plain");
        let program = way.to(place.path(), "modes");
        let undisturbed = inputs(&place, "undisturbed");
        let expected = plain.run(&undisturbed).well().output;
        for (checkpoint, encoding, point) in [
            (1, "xdr", "published"),
            (2, "native", "published"),
            (6, "xdr", "published"),
            (8, "xdr", "checkpoint"),
            (13, "native", "writing"),
            (15, "xdr", "published"),
            (20, "xdr", "published"),
        ] {
            let directory = inputs(&place, &format!("at-{checkpoint}"));
            let run = || program.run(&directory).set("CCCP_ENCODING", encoding);
            let killed = run().kill_at(&format!("{point}:{checkpoint}"));
            assert_eq!(killed.errors, "", "nothing to complain of");
            let context = format!("way {number}, killed at {point}:{checkpoint}");
            let resumed = run().well();
            assert!(resumed.resumed(), "{context}");
            assert!(!resumed.errors.contains("warning"), "{}", resumed.errors);
            assert!(expected.ends_with(&resumed.output), "{context}");
            assert_same(&directory, &undisturbed, &context);
        }
    }
}

#[test]
fn s16_a_second_and_a_third_death_change_nothing() {
    let place = Workplace::new("modes-again");
    let plain = build("modes").plain().to(place.path(), "plain");
    let program = build("modes").to(place.path(), "modes");
    let undisturbed = inputs(&place, "undisturbed");
    plain.run(&undisturbed).well();
    let directory = inputs(&place, "again");
    for point in [
        "published:4",
        "resumed:1",
        "published:3",
        "restore:2",
        "checkpoint:5",
    ] {
        program.run(&directory).kill_at(point);
    }
    program.run(&directory).well().assert_resumed();
    assert_same(&directory, &undisturbed, "killed five times");
}

#[test]
fn s16_streams_in_allocated_blocks_come_back_with_them() {
    let place = Workplace::new("reached");
    let plain = build("reached").plain().to(place.path(), "plain");
    let program = build("reached").to(place.path(), "reached");
    let undisturbed = place.directory("undisturbed");
    plain.run(&undisturbed).well();
    for checkpoint in [1, 4, 10] {
        let directory = place.directory(&format!("at-{checkpoint}"));
        let point = format!("published:{checkpoint}");
        program.run(&directory).kill_at(&point);
        program.run(&directory).well().assert_resumed();
        assert_same(&directory, &undisturbed, &point);
    }
}

#[test]
fn s09_s16_streams_of_blocks_in_a_recursion_come_back_and_end_with_their_blocks() {
    let place = Workplace::new("outlived");
    let plain = build("outlived").plain().to(place.path(), "plain");
    let program = build("outlived").to(place.path(), "outlived");
    let undisturbed = place.directory("undisturbed");
    let expected = plain.run(&undisturbed).well().output;
    for checkpoint in 1..15 {
        let directory = place.directory(&format!("at-{checkpoint}"));
        let point = format!("published:{checkpoint}");
        let killed = program.run(&directory).kill_at(&point);
        assert_eq!(killed.errors, "", "{point}");
        let resumed = program.run(&directory).well();
        resumed.assert_resumed();
        assert_eq!(resumed.output, expected, "{point}");
        assert_same(&directory, &undisturbed, &point);
    }
}

#[test]
fn s16_descriptors_come_back_under_their_numbers() {
    let place = Workplace::new("descriptors");
    let plain = build("descriptors").plain().to(place.path(), "plain");
    let undisturbed = inputs(&place, "undisturbed");
    let expected = plain.run(&undisturbed).well().output;
    for (number, compiler) in [Compiler::Gcc, Compiler::Clang].into_iter().enumerate() {
        let name = format!("descriptors-{number}");
        let program = build("descriptors")
            .with(compiler, &["-O2"])
            .to(place.path(), &name);
        for checkpoint in [1, 5, 12] {
            let directory = inputs(&place, &format!("{name}-{checkpoint}"));
            let point = format!("published:{checkpoint}");
            let killed = program.run(&directory).kill_at(&point);
            assert_eq!(killed.errors, "");
            let resumed = program.run(&directory).well();
            assert!(resumed.resumed());
            assert_eq!(resumed.output, expected);
            assert_same(&directory, &undisturbed, &point);
        }
        // A number that is taken by then: the shell opens a file under it.
        let directory = inputs(&place, &format!("{name}-taken"));
        program.run(&directory).kill_at("published:4");
        let wrapper = ["bash", "-c", "exec 77< /dev/null; exec \"$0\" \"$@\""];
        let stopped = program.run(&directory).under(&wrapper).go();
        stopped.assert_stopped(STOPPED, &["row-3.txt had the descriptor 77", "taken"]);
    }
}

/// A run of `one` that was killed after its fifth checkpoint; later it has read and written more.
fn killed(place: &Workplace, name: &str) -> (Program, std::path::PathBuf) {
    let program = build("one").to(place.path(), "one");
    let directory = inputs(place, name);
    let run = program.run(&directory).arguments(&["input.txt"]);
    run.kill_at("published:5");
    let sums = directory.join("sums.txt");
    std::fs::write(
        &sums,
        std::fs::read_to_string(&sums).unwrap() + "from the future\n",
    )
    .unwrap();
    (program, directory)
}

const SUMS: &str = "1\n3\n6\n10\n15\n21\n28\n36\n45\n55\n";

fn sums(directory: &Path) -> String {
    std::fs::read_to_string(directory.join("sums.txt")).unwrap()
}

#[test]
fn s16_a_run_that_is_moved_takes_its_files_along() {
    let place = Workplace::new("moved");
    let (program, directory) = killed(&place, "old");
    let new = place.join("new");
    let copied = std::process::Command::new("cp")
        .arg("-a")
        .arg(&directory)
        .arg(&new)
        .status();
    assert!(copied.unwrap().success());
    program
        .run(&new)
        .arguments(&["input.txt"])
        .well()
        .assert_resumed();
    assert_eq!(sums(&new), SUMS);
    assert!(
        sums(&directory).ends_with("from the future\n"),
        "the old one is left alone"
    );
}

#[test]
fn s16_s32_a_file_that_is_missing_or_shorter_stops_the_restart_before_anything_is_changed() {
    let place = Workplace::new("lost");
    let (program, directory) = killed(&place, "lost");
    let run = || program.run(&directory).arguments(&["input.txt"]).go();
    let whole = sums(&directory);
    std::fs::rename(directory.join("input.txt"), directory.join("hidden")).unwrap();
    run().assert_stopped(
        STOPPED,
        &["input.txt was open at the checkpoint", "put it back"],
    );
    assert_eq!(sums(&directory), whole, "nothing was cut off");
    std::fs::rename(directory.join("hidden"), directory.join("input.txt")).unwrap();
    std::fs::write(directory.join("sums.txt"), "1\n").unwrap();
    run().assert_stopped(
        STOPPED,
        &["sums.txt had 9 bytes at the checkpoint and has 2 now"],
    );
    assert_eq!(sums(&directory), "1\n");
    std::fs::write(directory.join("sums.txt"), whole).unwrap();
    assert!(run().resumed());
    assert_eq!(sums(&directory), SUMS);
}

#[test]
fn s16_input_that_has_changed_is_told() {
    let place = Workplace::new("changed-input");
    let (program, directory) = killed(&place, "changed");
    let input = directory.join("input.txt");
    let longer = std::fs::read_to_string(&input).unwrap() + "101\n";
    std::fs::write(&input, longer).unwrap();
    let resumed = program.run(&directory).arguments(&["input.txt"]).well();
    resumed
        .assert_said(&["input.txt was open for reading at the checkpoint and has changed since"]);
    assert_eq!(sums(&directory), SUMS);
}

#[test]
fn s16_standard_input_from_a_file_is_read_on() {
    let place = Workplace::new("standard-input");
    let program = build("one").to(place.path(), "one");
    let directory = inputs(&place, "run");
    let fed = || {
        let wrapper = ["sh", "-c", "exec \"$0\" \"$@\" < input.txt"];
        program.run(&directory).under(&wrapper)
    };
    fed().kill_at("published:6");
    fed().well().assert_resumed();
    assert_eq!(sums(&directory), SUMS);
}

#[test]
fn s16_what_cannot_come_back_is_told_at_the_checkpoint_and_a_block_may_open_it() {
    let place = Workplace::new("refused");
    let program = build("refused").careless().to(place.path(), "refused");
    let directory = place.directory("run");
    let killed = program.run(&directory).kill_at("published:3");
    killed.assert_said(&[
        "register `closed` of main",
        "it is closed, or has no file (fmemopen)",
        "register `pipe` of main",
        "it is a pipe: what went through it is gone",
        "register `inside` of main",
        "unless an execute on restart block opens it",
    ]);
    let resumed = program.run(&directory).well();
    assert_eq!(resumed.output, "line 3\nline 4\nline 5\nline 6\n15 6\n");
    resumed.assert_said(&[
        "register `closed` of main",
        "using it will stop the program",
    ]);
}

#[test]
fn s16_s17_ranks_have_their_own_files_and_share_one() {
    if !mpi_or_word() {
        return;
    }
    let place = Workplace::new("files-of-ranks");
    let plain = build("ranks").mpi(true).plain().to(place.path(), "plain");
    let program = build("ranks").mpi(true).to(place.path(), "ranks");
    let undisturbed = place.directory("undisturbed");
    plain.run(&undisturbed).ranks(2).well();
    for point in ["published:3@0", "published:7@1", "writing:5"] {
        let directory = place.directory(&point.replace([':', '@'], "-"));
        program.run(&directory).ranks(2).kill_at(point);
        let resumed = program.run(&directory).ranks(2).well();
        resumed.assert_resumed();
        resumed.assert_said(&["shared.txt is written by several ranks"]);
        assert_same(&directory, &undisturbed, point);
    }
    // What one rank misses stops all, and no rank has touched anything.
    let directory = place.directory("lost");
    program.run(&directory).ranks(2).kill_at("published:3@0");
    std::fs::write(directory.join("rank-1.txt"), "").unwrap();
    let before = left(&directory, "txt");
    let stopped = program.run(&directory).ranks(2).go();
    stopped.assert_stopped(STOPPED, &["rank-1.txt had", "data are lost"]);
    assert_eq!(left(&directory, "txt"), before);
}

/// The program that opens its files before `init`, in two files.
fn early() -> Build {
    let files = ["early", "early_part"].map(|name| format!("tests/open_files/{name}.c"));
    Build::files(&files).careless()
}

#[test]
fn s35_files_that_are_opened_before_init_are_those_of_the_checkpoint_after_a_restart() {
    let place = Workplace::new("early");
    let before = |name: &str| {
        let directory = place.directory(name);
        std::fs::write(directory.join("log.txt"), "from an older run\n").unwrap();
        directory
    };
    let plain = early().plain().to(place.path(), "plain");
    let undisturbed = before("undisturbed");
    plain.run(&undisturbed).well();
    let large = ["-D_FILE_OFFSET_BITS=64", "-D_FORTIFY_SOURCE=2", "-O2"];
    for (number, flags) in [&["-O1"][..], &large].iter().enumerate() {
        let way = early().with(Compiler::Gcc, flags).tool_flags(match number {
            0 => &[],
            _ => &["-D_FILE_OFFSET_BITS=64"],
        });
        let program = way.to(place.path(), &format!("early-{number}"));
        for point in [
            "published:1",
            "published:2",
            "published:7",
            "resumed:1",
            "published:12",
        ] {
            let directory = before(&format!("at-{number}-{}", point.replace(':', "-")));
            if point.starts_with("resumed") {
                program.run(&directory).kill_at("published:9");
            }
            let killed = program.run(&directory).kill_at(point);
            assert!(!killed.errors.contains("warning"), "{}", killed.errors);
            let resumed = program.run(&directory).well();
            assert!(resumed.resumed(), "{point}");
            assert!(!resumed.errors.contains("warning"), "{}", resumed.errors);
            assert_same(&directory, &undisturbed, point);
            // The run was completed: the next one does all of it anew.
            program.run(&directory).well();
            assert!(
                sums_of(&directory, "log.txt").ends_with(&sums_of(&undisturbed, "log.txt")[18..])
            );
        }
    }
}

fn sums_of(directory: &Path, name: &str) -> String {
    std::fs::read_to_string(directory.join(name)).unwrap()
}

#[test]
fn s35_a_restart_that_is_refused_has_changed_no_file() {
    let place = Workplace::new("early-refused");
    let program = early().to(place.path(), "early");
    let directory = place.directory("run");
    program.run(&directory).kill_at("published:8");
    let whole = left(&directory, "txt");
    let other = program.run(&directory).arguments(&["other"]).go();
    other.assert_stopped(STOPPED, &["written with the arguments []"]);
    assert_eq!(left(&directory, "txt"), whole);
    // A file that is missing stops it, and the others are left alone.
    std::fs::rename(directory.join("raw.txt"), directory.join("hidden")).unwrap();
    let kept = left(&directory, "txt");
    let stopped = program.run(&directory).go();
    stopped.assert_stopped(
        STOPPED,
        &["raw.txt was open at the checkpoint", "put it back"],
    );
    assert_eq!(left(&directory, "txt"), kept);
    std::fs::rename(directory.join("hidden"), directory.join("raw.txt")).unwrap();
    // From the beginning, by request: what was held back is done.
    let plain = early().plain().to(place.path(), "plain");
    let undisturbed = place.directory("undisturbed");
    plain.run(&undisturbed).well();
    std::fs::remove_file(directory.join("log.txt")).unwrap();
    program.run(&directory).set("CCCP_RESTART", "fresh").well();
    assert_same(&directory, &undisturbed, "fresh");
    assert!(!directory.join("aside.txt").exists());
}

#[test]
fn s35_files_that_are_closed_at_the_checkpoint_are_state_as_well() {
    let place = Workplace::new("closed");
    let files = ["closed", "closed_part"].map(|name| format!("tests/open_files/{name}.c"));
    let build = Build::files(&files).careless();
    let plain = build.clone().plain().to(place.path(), "plain");
    let undisturbed = place.directory("undisturbed");
    let expected = plain.run(&undisturbed).well().output;
    let program = build
        .tool_flags(&["--auto", "--every", "1"])
        .to(place.path(), "closed");
    for points in [
        &["published:1"][..],
        &["published:6"],
        &["published:13"],
        // After the renaming, with a checkpoint in front of it.
        &["published:16"],
        &["checkpoint:20"],
        &[
            "published:5",
            "restore:1",
            "published:9",
            "resumed:1",
            "published:3",
        ],
    ] {
        let directory = place.directory(&points.concat().replace(':', "-"));
        std::fs::write(directory.join("foreign.dat"), "not of this run").unwrap();
        for point in points {
            program.run(&directory).kill_at(point);
        }
        let resumed = program.run(&directory).well();
        assert!(resumed.resumed(), "{points:?}");
        assert!(!resumed.errors.contains("warning"), "{}", resumed.errors);
        assert_eq!(resumed.output, expected, "{points:?}");
        assert_same(&directory, &undisturbed, &points.concat());
        assert!(directory.join("foreign.dat").exists());
    }
    // Moved with all its files, which are others by then.
    let directory = place.directory("before");
    program.run(&directory).kill_at("published:8");
    let moved = place.join("moved");
    let copied = std::process::Command::new("cp")
        .arg("-r")
        .arg(&directory)
        .arg(&moved)
        .status();
    assert!(copied.unwrap().success());
    program.run(&moved).well().assert_resumed();
    assert_same(&moved, &undisturbed, "moved");
}

#[test]
fn s35_files_that_ranks_append_to_and_close_are_cut_off_and_a_shared_one_too() {
    if !mpi_or_word() {
        return;
    }
    let place = Workplace::new("closed-ranks");
    let plain = build("closed_ranks")
        .mpi(true)
        .plain()
        .to(place.path(), "plain");
    let program = build("closed_ranks").mpi(true).to(place.path(), "ranks");
    // The shared file is made by the run, or was there before it.
    for earlier in [None, Some("before the run\n")] {
        let name =
            |point: &str| format!("{}-{}", point.replace([':', '@'], "-"), earlier.is_some());
        let begin = |point: &str| {
            let directory = place.directory(&name(point));
            if let Some(text) = earlier {
                std::fs::write(directory.join("all.txt"), text).expect("a file");
            }
            directory
        };
        let undisturbed = begin("undisturbed");
        plain.run(&undisturbed).ranks(2).well();
        // Ranks that write before they go on and meet behind each checkpoint: all have the one before. The ranks that are killed
        // later have, or have not, the next one too.
        for point in [
            "published:2@0",
            "checkpoint:2@0",
            "published:5@1",
            "checkpoint:7@1",
            "published:9@0",
        ] {
            let directory = begin(point);
            let run = program.run(&directory).ranks(2);
            let run = run.set("CCCP_WRITE", "synchronous");
            run.clone().kill_at(point);
            run.well().assert_resumed();
            assert_same(&directory, &undisturbed, point);
        }
    }
}

#[test]
fn s35_what_ranks_append_in_turn_is_there_once_however_far_each_is_at_its_checkpoint() {
    if !mpi_or_word() {
        return;
    }
    let place = Workplace::new("closed-in-turn");
    let build = build("closed_in_turn").careless().mpi(true);
    let plain = build.clone().plain().to(place.path(), "plain");
    let program = build.to(place.path(), "turn");
    let undisturbed = place.directory("undisturbed");
    plain.run(&undisturbed).ranks(2).well();
    for point in ["published:5@1", "checkpoint:8@1", "checkpoint:11@1"] {
        let directory = place.directory(&point.replace([':', '@'], "-"));
        let run = || {
            let run = program.run(&directory).ranks(2);
            run.set("CCCP_WRITE", "synchronous")
        };
        run().kill_at(point);
        // Once more, from where the restart has come to.
        run().kill_at("checkpoint:2@1").assert_resumed();
        let resumed = run().well();
        resumed.assert_resumed();
        assert!(!resumed.errors.contains("twice"), "{}", resumed.errors);
        assert_same(&directory, &undisturbed, point);
    }
}

#[test]
fn s05_files_of_a_complete_generation_that_are_gone_stop_the_next_start() {
    let place = Workplace::new("gone");
    let program = early().to(place.path(), "early");
    for at in [1, 2, 5] {
        let directory = place.directory(&format!("at-{at}"));
        program
            .run(&directory)
            .kill_at(&format!("checkpoint:{}", at + 2));
        let own = directory.join("early.cccp");
        for entry in std::fs::read_dir(&own).unwrap().flatten() {
            let _ = std::fs::remove_file(entry.path().join("000000.cccp"));
        }
        let whole = left(&directory, "txt");
        let stopped = program.run(&directory).go();
        stopped.assert_stopped(
            STOPPED,
            &["all ranks had generation 1", "restore its files"],
        );
        assert_eq!(left(&directory, "txt"), whole);
        program.run(&directory).set("CCCP_RESTART", "fresh").well();
    }
}

#[test]
fn s35_files_that_are_opened_before_mpi_are_those_of_the_checkpoint_on_every_rank() {
    if !mpi_or_word() {
        return;
    }
    let place = Workplace::new("early-ranks");
    let build = build("early_ranks").mpi(true).careless();
    let plain = build.clone().plain().to(place.path(), "plain");
    let undisturbed = place.directory("undisturbed");
    plain.run(&undisturbed).ranks(2).well();
    let program = build
        .tool_flags(&["--auto", "--every", "1"])
        .to(place.path(), "early_ranks");
    for point in ["published:2@0", "published:9@1"] {
        let directory = place.directory(&point.replace([':', '@'], "-"));
        program.run(&directory).ranks(2).kill_at(point);
        let whole = left(&directory, "txt");
        // With another number of ranks it is refused, and no rank has emptied its file.
        let refused = program.run(&directory).ranks(1).go();
        refused.assert_stopped(STOPPED, &["was written by 2 ranks"]);
        assert_eq!(left(&directory, "txt"), whole, "{point}");
        program.run(&directory).ranks(2).well().assert_resumed();
        assert_same(&directory, &undisturbed, point);
    }
}

#[test]
fn s35_what_else_every_start_repeats_is_named_with_its_line() {
    let place = Workplace::new("repeated");
    let helper = "#include <stdlib.h>\n#include <unistd.h>\n\
                  #define LINKED(name) symlink(name, \"latest\")\n\
                  int begin(const char *what)\n{\n    if (LINKED(what) != 0)\n        return 1;\n    return system(what);\n}\n";
    let main = |before: &str, after: &str| {
        format!(
            "#include <signal.h>\n#include <stdio.h>\ntypedef int (*starter)(const char *);\nint begin(const char *);\n\
             int main(void)\n{{\n    long i;\n    starter start = begin;\n    FILE *f = fopen(\"out\", \"w\");\n{before}\
             #pragma cccp init\n{after}#pragma cccp register(i)\n    for (i = 0; i < 9; i++) {{\n#pragma cccp checkpoint\n    }}\n\
             #pragma cccp shutdown\n    return f == NULL || start == NULL;\n}}\n"
        )
    };
    let run = |before: &str, after: &str, flags: &[&str]| {
        place.write("helper.c", helper);
        place.write("main.c", &main(before, after));
        let mut tool = std::process::Command::new(precompiler());
        tool.current_dir(place.path())
            .args(["main.c", "helper.c", "-d", "out"])
            .args(flags);
        let output = tool.output().expect("cccp-pp");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.success(), said)
    };
    let said = |before: &str, after: &str| -> String {
        let (is_accepted, said) = run(before, after, &[]);
        assert!(is_accepted, "{said}");
        said
    };
    let calls = "    kill(1, SIGUSR1);\n    start(\"true\");\n";
    let told = said(calls, "");
    for words in [
        "warning[CCCP307]: `kill` is called before `init`",
        "main.c:10:",
        "warning[CCCP307]: `symlink` is called before `init`",
        "helper.c:6:",
        "warning[CCCP307]: `system` is called before `init`",
        "helper.c:8:",
        "let it come after `init`",
    ] {
        assert!(told.contains(words), "{words}:\n{told}");
    }
    assert!(!told.contains("`fopen`"), "{told}");
    let told = said("", calls);
    assert!(!told.contains("CCCP307"), "{told}");
    let (is_accepted, told) = run(calls, "", &["--deny", "repeated"]);
    assert!(!is_accepted && told.contains("error[CCCP307]"), "{told}");
    let (is_accepted, told) = run("", calls, &["--deny", "repeated"]);
    assert!(is_accepted, "{told}");
}

#[test]
fn s35_a_block_that_empties_a_file_is_named_with_its_line() {
    let place = Workplace::new("emptied");
    let said = |declared: &str, block: &str| {
        let text = format!(
            "#include <stdio.h>\n#define NEW(name) fopen(name, \"w\")\n{declared}\
             int main(void)\n{{\n    long i;\n    FILE *f;\n#pragma cccp init\n\
             #pragma cccp execute on restart\n    {block};\n#pragma cccp end execute\n#pragma cccp register(i)\n\
             for (i = 0; i < 9; i++) {{\n#pragma cccp checkpoint\n        fprintf(f, \"%ld\\n\", i);\n    }}\n\
             #pragma cccp shutdown\n    return 0;\n}}\n"
        );
        place.write("main.c", &text);
        let mut tool = std::process::Command::new(precompiler());
        let output = tool.current_dir(place.path()).arg("main.c").output();
        String::from_utf8_lossy(&output.expect("cccp-pp").stderr).into_owned()
    };
    let helper = "static FILE *begin(const char *name)\n{\n    return NEW(name);\n}\n";
    for (declared, block, line) in [
        ("", "f = fopen(\"out\", \"w\")", "main.c:9:"),
        ("", "f = NEW(\"out\")", "main.c:9:"),
        (helper, "f = begin(\"out\")", "main.c:5:"),
        (
            "",
            "f = fopen(\"x\", \"r\"); f = freopen(\"out\", \"wb\", f)",
            "main.c:9:",
        ),
        (
            "#include <fcntl.h>\n",
            "f = fdopen(open(\"out\", O_WRONLY | O_CREAT | O_TRUNC, 0644), \"w\")",
            "main.c:10:",
        ),
        (
            "#include <fcntl.h>\nenum { ANEW = O_WRONLY | O_TRUNC };\n",
            "f = fdopen(openat(AT_FDCWD, \"out\", ANEW), \"w\")",
            "main.c:11:",
        ),
    ] {
        let told = said(declared, block);
        let words = "empties a file in a block that every restart executes";
        assert!(
            told.contains(words) && told.contains(line),
            "{block}:\n{told}"
        );
    }
    let told = said("", "f = fopen(\"out\", \"a\")");
    assert!(!told.contains("CCCP307"), "{told}");
    let alone = "f = fdopen(open(\"out\", O_WRONLY | O_CREAT | O_TRUNC | O_EXCL, 0644), \"w\")";
    let told = said("#include <fcntl.h>\n", alone);
    assert!(!told.contains("CCCP307"), "{told}");
}

#[test]
fn s35_a_restart_says_which_file_its_blocks_have_emptied() {
    let place = Workplace::new("emptied-in-a-block");
    place.write(
        "main.c",
        "#include <stdio.h>\n#include <string.h>\nint main(int argc, char **argv)\n{\n    int i;\n    FILE *f;\n    char mode[2];\n\
         #pragma cccp init\n#pragma cccp execute on restart\n    strcpy(mode, argc > 9 ? argv[9] : \"w\");\n    \
         f = fopen(\"lines.txt\", mode);\n#pragma cccp end execute\n#pragma cccp register(i)\n    for (i = 0; i < 9; i++) {\n\
         #pragma cccp checkpoint\n        fprintf(f, \"%d\\n\", i);\n    }\n#pragma cccp shutdown\n    return fclose(f);\n}\n",
    );
    let build = Build::files(&[place.join("main.c")]).careless();
    let program = build.to(place.path(), "main");
    let directory = place.directory("run");
    let killed = program.run(&directory).kill_at("published:4");
    assert!(!killed.errors.contains("emptied"), "{}", killed.errors);
    let resumed = program.run(&directory).well();
    resumed.assert_said(&[
        "lines.txt had",
        "a block that every restart executes has emptied it",
    ]);
}

#[test]
fn s35_a_program_that_has_gone_to_another_directory_is_there_after_a_restart() {
    let place = Workplace::new("elsewhere");
    let build = build("elsewhere").careless();
    let plain = build.clone().plain().to(place.path(), "plain");
    let program = build.to(place.path(), "elsewhere");
    let undisturbed = place.directory("undisturbed");
    plain.run(&undisturbed).well();
    for point in ["published:1", "published:6"] {
        let directory = place.directory(&point.replace(':', "-"));
        program.run(&directory).kill_at(point);
        program.run(&directory).well().assert_resumed();
        assert_same(&directory.join("sub"), &undisturbed.join("sub"), point);
        assert!(left(&directory, "txt").is_empty(), "{point}");
    }
}

#[test]
fn s35_macros_with_the_names_of_functions_that_open_files_change_nothing() {
    let place = Workplace::new("macros");
    let large = "-D_FILE_OFFSET_BITS=64";
    let mut tool = std::process::Command::new(precompiler());
    let source = harness::root().join("tests/open_files/macros.c");
    let output = tool.arg(large).arg(source).output().expect("cccp-pp");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains("has made it `fopen64` already") && said.contains("give the macro another"),
        "{said}"
    );
    let plain = build("macros").plain().to(place.path(), "plain");
    let undisturbed = place.directory("undisturbed");
    plain.run(&undisturbed).well();
    for compiler in [Compiler::Gcc, Compiler::Clang] {
        let program = build("macros").with(compiler, &["-O1"]);
        let name = compiler.command();
        let program = program.to(place.path(), name);
        for point in ["published:1", "published:7", "published:11"] {
            let directory = place.directory(&format!("{name}-{}", point.replace(':', "-")));
            program.run(&directory).kill_at(point);
            program.run(&directory).well().assert_resumed();
            assert_same(&directory, &undisturbed, point);
        }
    }
}
