//! A program that was changed since its checkpoint: every difference is named with both sides and stops the restart;
//! those that a restart can live with are accepted when the user says so, and every value is what it has to be.
//!
//! The programs in `changed/` are built twice, with and without a macro. The first build is killed at its sixth
//! checkpoint, the second one finds its fifth generation.

mod harness;
#[path = "changed/pair.rs"]
mod pair;

use harness::{Build, Compiler, Program, Workplace, mpi_or_word, root};
use pair::{Base, STOPPED, exact_rows};

/// What the unchanged program of `state.c` prints, with other ends of the lines that a change concerns.
fn state(changed: &[(&str, &str)]) -> String {
    let mut text = String::from(
        "step 10 count 10 total 27.50\n\
         cell 57.6650 0 0 10 10\ncell 57.6650 10 0 10 10\ncell 57.6650 20 0 10 10\n\
         grid 0 100 10 110 20 120\nline 10 20 30 40\ncounters 20 10\n",
    );
    for (then, now) in changed {
        assert!(text.contains(then), "{then}");
        text = text.replace(then, now);
    }
    text
}

#[test]
fn s21_registers_that_were_added_removed_renamed_or_moved() {
    let base = Base::of("state");
    let here = "tests/changed/state.c";
    let at = |text: &str| format!("{text}, {here}");
    let row = |what: &str, then: &str, now: &str| format!("{what} | {then} | {now}");
    base.with(&[]).goes_on(&state(&[]));
    base.with(&["-DADDED"]).is_accepted(
        &[
            &row("register `extra` of main added", "-", &at("long")),
            &row("register `more` of main added", "-", &at("double[n]")),
        ],
        &format!("{}extra 6 more 0 18\n", state(&[])),
    );
    base.with(&["-DREMOVED"]).is_accepted(
        &[
            &row("register `grid` of main removed", &at("double[3][2]"), "-"),
            &row("register `counters` of main removed", &at("int[2]"), "-"),
        ],
        &state(&[
            ("grid 0 100 10 110 20 120", "grid 0 60 6 66 12 72"),
            ("counters 20 10\n", ""),
        ]),
    );
    base.with(&["-DRENAMED"]).is_accepted(
        &[&row(
            "register of main renamed?",
            &at("`line` double[4]"),
            &at("`row` double[4]"),
        )],
        &state(&[("line 10 20 30 40", "line 6 12 18 24")]),
    );
    base.with(&["-DORDERED"]).is_accepted(
        &[&row(
            "order of a register statement of main",
            &at("step, count, total, n, cells, grid, counters, line"),
            &at("line, grid, counters, n, total, count, step, cells"),
        )],
        &state(&[]),
    );
    base.with(&["-DPOINTER"]).stops(&[
        &row(
            "! kind of register `line` of main",
            &at("the memory behind a local pointer"),
            &at("a local object"),
        ),
        &row(
            "! type of register `line` of main",
            &at("double"),
            &at("void *"),
        ),
        &row(
            "! extents of register `line` of main",
            &at("[4]"),
            &at("one object"),
        ),
    ]);
    base.with(&["-DUNKNOWN"]).stops(&[&row(
        "! register `more` of main added",
        "-",
        &at("double[size]"),
    )]);
}

#[test]
fn s21_types_and_extents_of_registers_that_changed() {
    let base = Base::of("state");
    let at = |text: &str| format!("{text}, tests/changed/state.c");
    let row = |mark: &str, what: &str, then: &str, now: &str| {
        format!("{mark}{what} of main | {} | {}", at(then), at(now))
    };
    let count = |now: &str, mark: &str| row(mark, "type of register `count`", "int", now);
    base.with(&["-DCOUNT=long"])
        .is_accepted(&[&count("long", "")], &state(&[]));
    base.with(&["-DCOUNT=double"])
        .stops(&[&count("double", "! ")]);
    base.with(&["-DCOUNT=short"])
        .stops(&[&count("short", "! ")]);
    base.with(&["-DCOUNT=unsigned"])
        .stops(&[&count("unsigned int", "! ")]);
    let grid = |now: &str, mark: &str| row(mark, "extents of register `grid`", "[3][2]", now);
    base.with(&["-DROWS=5"]).is_accepted(
        &[&grid("[5][2]", "")],
        &state(&[("20 120\n", "20 120 18 78 24 84\n")]),
    );
    base.with(&["-DROWS=2"]).stops(&[&grid("[2][2]", "! ")]);
    base.with(&["-DCOLUMNS=3"]).stops(&[&grid("[3][3]", "! ")]);
    // Behind a pointer, with a macro for the number: today's heap overflow.
    let line = |now: &str, mark: &str| row(mark, "extents of register `line`", "[4]", now);
    base.with(&["-DLENGTH=6"]).is_accepted(
        &[&line("[6]", "")],
        &state(&[("line 10 20 30 40", "line 10 20 30 40 30 36")]),
    );
    base.with(&["-DLENGTH=3"]).stops(&[&line("[3]", "! ")]);
    base.with(&["-DEXPRESSION"]).is_accepted(
        &[&row("", "extents of register `cells`", "[n]", "[1 * n]")],
        &state(&[]),
    );
}

#[test]
fn s21_structs_whose_members_changed() {
    let base = Base::of("state");
    let at = |text: &str| format!("{text}, tests/changed/state.c");
    base.with(&["-DCHARGE"]).is_accepted(
        &[&format!(
            "struct cell: member `charge` added | - | {}",
            at("double")
        )],
        &state(&[(" 0 10 10\n", " 0 10 charge 12 10\n")]),
    );
    base.with(&["-DNO_LEVEL"]).is_accepted(
        &[&format!(
            "struct cell: member `level` removed | {} | -",
            at("int")
        )],
        &state(&[
            ("57.6650 0 0", "57.6650 0"),
            ("57.6650 10 0", "57.6650 0"),
            ("57.6650 20 0", "57.6650 0"),
        ]),
    );
    base.with(&["-DSWAPPED"]).is_accepted(
        &[&format!(
            "struct cell: order of the members | {} | {}",
            at("x, level, marks, bits, watch"),
            at("level, x, marks, bits, watch")
        )],
        &state(&[]),
    );
    let member = |mark: &str, name: &str, then: &str, now: &str| {
        format!(
            "{mark}struct cell: member `{name}` | {} | {}",
            at(then),
            at(now)
        )
    };
    base.with(&["-DLEVEL=long"])
        .is_accepted(&[&member("", "level", "int", "long")], &state(&[]));
    base.with(&["-DLEVEL=short"])
        .stops(&[&member("! ", "level", "int", "short")]);
    base.with(&["-DLEVEL=double"])
        .stops(&[&member("! ", "level", "int", "double")]);
    base.with(&["-DMARKS=3"])
        .stops(&[&member("! ", "marks", "int[2]", "int[3]")]);
    base.with(&["-DMARKS=1"])
        .stops(&[&member("! ", "marks", "int[2]", "int")]);
}

#[test]
fn s21_all_differences_are_shown_at_once_with_their_lines() {
    let base = Base::of("state");
    let changed = base.with(&["-DADDED", "-DCOUNT=long", "-DROWS=2", "-DCHARGE"]);
    let (outcome, _) = changed.run("refuse");
    outcome.assert_stopped(
        STOPPED,
        &[
            "rows with !",
            "--cccp-changes=accept",
            "--cccp-restart=fresh",
        ],
    );
    let source = std::fs::read_to_string(harness::root().join("tests/changed/state.c"))
        .expect("the program");
    let line = |wanted: &str| {
        let found = source.lines().position(|line| line.ends_with(wanted));
        found.expect("the statement") + 1
    };
    let now = line("extra, more[n])");
    let same = |line: &str| line.ends_with("counters, line[LENGTH])");
    let then = source.lines().count() - source.lines().rev().position(same).expect("it");
    let place = |line: usize| format!("tests/changed/state.c:{line}");
    let rows = exact_rows(&outcome);
    assert_eq!(
        rows,
        [
            format!(
                "type of register `count` of main | int, {} | long, {}",
                place(then),
                place(now)
            ),
            format!(
                "struct cell: member `charge` added | - | double, {}",
                place(now)
            ),
            format!(
                "! extents of register `grid` of main | [3][2], {} | [2][2], {}",
                place(then),
                place(now)
            ),
            format!("register `extra` of main added | - | long, {}", place(now)),
            format!(
                "register `more` of main added | - | double[n], {}",
                place(now)
            ),
        ],
        "{}",
        outcome.errors
    );
}

/// What the unchanged program of `way.c` prints.
const WAY: &str = "u 45 45 45 45\nsetups 1 ends 20 opened 4\n";

#[test]
fn s09_blocks_and_calls_on_the_way_that_changed() {
    let base = Base::of("way");
    let at = |text: &str| match text {
        "" => "tests/changed/way.c".to_string(),
        text => format!("{text}, tests/changed/way.c"),
    };
    let added = |what: &str, now: &str| format!("{what} in main added | - | {}", at(now));
    let removed = |what: &str, then: &str| format!("{what} in main removed | {} | -", at(then));
    base.with(&[]).goes_on(WAY);
    base.with(&["-DNEW_CALL"])
        .stops(&[&added("! call of prepare", "")]);
    // Both blocks read the same: which of them is the old one?
    let block = "block that is executed on restart";
    let unsure = [
        format!("! {block} in main | {} | several", at("")),
        added(&format!("! {block}"), ""),
        added(&format!("! {block}"), ""),
    ];
    let unsure: Vec<&str> = unsure.iter().map(String::as_str).collect();
    base.with(&["-DNEW_BLOCK"]).stops(&unsure);
    base.with(&["-DBLOCK_IN_LOOP"])
        .stops(&[&added(&format!("! {block}"), "")]);
    base.with(&["-DNO_BLOCK"])
        .stops(&[&removed("! block that is executed on restart", "")]);
    base.with(&["-DNEW_STATEMENT"])
        .stops(&[&added("! register statement", "fresh")]);
    base.with(&["-DNO_STATEMENT"]).is_accepted(
        &[&removed("register statement", "ends")],
        "u 45 45 45 45\nsetups 1 ends 12 opened 4\n",
    );
    base.with(&["-DSWAPPED"]).is_accepted(
        &[&format!(
            "order of the register statements of main | {} | {}",
            at("n, step | ends"),
            at("ends | n, step")
        )],
        WAY,
    );
    base.with(&["-DPARAMETER"]).stops(&[
        &format!(
            "! parameters of setup | {} | {}",
            at("(long n)"),
            at("(long n, int twice)")
        ),
        &format!("function main | {} | {}", at(""), at("")),
    ]);
    base.with(&["-DLOOP"]).stops(&[&format!(
        "! loops around call of step_once in main | {} | {}",
        at("1 loop"),
        at("2 loops")
    )]);
    base.with(&["-DNO_INNER"]).stops(&[
        &removed("! call of step_once", ""),
        &added("checkpoint", ""),
        &format!("! function step_once | {} | -", at("")),
    ]);
    base.with(&["-DLATER"])
        .is_accepted(&[&added("register statement", "opened")], WAY);
    // What the loop forgot would be needed there.
    base.with(&["-DOUTER"]).stops(&[
        &format!(
            "! loops around call of step_once in main | {} | {}",
            at("1 loop"),
            at("1 loop")
        ),
        &added("checkpoint `outer`", ""),
    ]);
}

#[test]
fn s17_all_ranks_stop_or_go_on_together() {
    if !mpi_or_word() {
        return;
    }
    let base = Base::on("ranks", 2);
    let at = |text: &str| format!("{text}, tests/changed/ranks.c");
    base.with(&["-DLENGTH=3"]).stops(&[&format!(
        "! extents of register `line` of main | {} | {}",
        at("[4]"),
        at("[3]")
    )]);
    base.with(&["-DADDED"]).is_accepted(
        &[&format!(
            "register `extra` of main added | - | {}",
            at("long")
        )],
        "sum 9 line 10 70\nextra 6\n",
    );
}

#[test]
fn s21_registers_by_hand_are_compared_by_name() {
    let base = Base::of("by_hand");
    let goes_on = |count, extra, line| format!("step 10 count {count} extra {extra} line {line}\n");
    let line = "10 20 30 40";
    base.with(&[]).goes_on(&goes_on(10, 6, line));
    base.with(&["-DADDED"]).is_accepted(
        &["register `extra` added | - | long[1]"],
        &goes_on(10, 6, line),
    );
    base.with(&["-DREMOVED"]).is_accepted(
        &["register `count` removed | long[1] | -"],
        &goes_on(6, 6, line),
    );
    base.with(&["-DLENGTH=6"]).is_accepted(
        &["elements of register `line` | [4] | [6]"],
        &goes_on(10, 6, "10 20 30 40 30 36"),
    );
    base.with(&["-DLENGTH=3"])
        .stops(&["! elements of register `line` | [4] | [3]"]);
    base.with(&["-DCOUNT=double", "-DCCCP_COUNT=CCCP_DOUBLE"])
        .stops(&["! type of register `count` | long | double"]);
}

#[test]
fn s15_s21_statics_of_functions_that_changed() {
    let base = Base::of("statics");
    let at = |text: &str| format!("{text}, tests/changed/statics.c");
    let end = "total 186 last 36\n";
    base.with(&[]).goes_on(end);
    // What no checkpoint has begins as the program begins.
    base.with(&["-DOTHER"])
        .goes_on(&format!("{end}other 1001\n"));
    base.with(&["-DADDED"]).is_accepted(
        &[&format!(
            "register `more` of next added | - | {}",
            at("int")
        )],
        &format!(
            "{}{end}",
            (31..=38)
                .map(|more| format!("more {more}\n"))
                .collect::<String>()
        ),
    );
    base.with(&["-DREMOVED"]).is_accepted(
        &[&format!(
            "register `list` of next removed | {} | -",
            at("long[3]")
        )],
        "total 168 last 33\n",
    );
    base.with(&["-DCALLS=long"]).is_accepted(
        &[&format!(
            "type of register `calls` of next | {} | {}",
            at("int"),
            at("long")
        )],
        end,
    );
    base.with(&["-DLENGTH=5"]).is_accepted(
        &[&format!(
            "extents of register `list` of next | {} | {}",
            at("[3]"),
            at("[5]")
        )],
        end,
    );
    let call = "call of next in main added | - | tests/changed/statics.c";
    base.with(&["-DEXECUTED"]).stops(&[
        &format!("register `calls` of next removed | {} | -", at("int")),
        &format!("register statement in next added | - | {}", at("calls")),
        &format!("! {call}"),
        &format!("! {call}"),
        call,
    ]);
}

/// The program of `constant.c`, `constant_part.c` and `rate.h`, with other words, in a directory of its own.
fn with_words(place: &Workplace, name: &str, words: &[(&str, &str)], flags: &[&str]) -> Program {
    let directory = place.directory(name);
    for file in ["constant.c", "constant_part.c", "rate.h"] {
        let text = std::fs::read_to_string(root().join("tests/changed").join(file));
        let mut text = text.unwrap();
        for (then, now) in words {
            text = text.replace(then, now);
        }
        std::fs::write(directory.join(file), text).unwrap();
    }
    let files = ["constant.c", "constant_part.c"].map(|file| directory.join(file));
    let include = format!("-I{}", directory.display());
    let flags = [flags, &[&*include]].concat();
    let build = Build::files(&files).with(Compiler::Gcc, &flags);
    build.to(&directory, "cools")
}

#[test]
fn s21_a_constant_that_changed_is_told_in_one_line_and_may_stop_the_restart() {
    let place = Workplace::new("constant");
    let first = with_words(&place, "first", &[], &["-O2"]);
    let begin = |directory: &str| {
        let run = first.run(&place.directory(directory));
        run.set("CCCP_WRITE", "synchronous").kill_at("checkpoint:6");
    };
    let said = "the program's text has changed since generation 5 was written";
    for (name, words, flags, is_other) in [
        ("rate", vec![("RATE 0.25", "RATE 0.2")], ["-O2"], true),
        ("other_file", vec![("0.0625", "0.125")], ["-O2"], true),
        (
            "operator",
            vec![("warm - warm", "warm + warm")],
            ["-O2"],
            true,
        ),
        (
            "name",
            vec![("warm[0] + warm[1]", "warm[0] + warm[2]")],
            ["-O2"],
            true,
        ),
        ("flags", vec![], ["-O0"], false),
        // What assert and `__LINE__` stand for moves along.
        (
            "lines",
            vec![(
                "#include <assert.h>",
                "/* more */\n\n\n\n#include <assert.h>",
            )],
            ["-O2"],
            false,
        ),
        (
            "looks",
            vec![("    ", "  "), ("rod that", "wire that")],
            ["-O2"],
            false,
        ),
        (
            "system",
            vec![(
                "#include <stdio.h>",
                "#include <stdio.h>\n#include <math.h>",
            )],
            ["-O2"],
            false,
        ),
    ] {
        let other = with_words(&place, name, &words, &flags);
        let directory = format!("work-{name}");
        begin(&directory);
        let run = || other.run(&place.join(&directory));
        if is_other {
            let strict = run().set("CCCP_CHANGES", "strict").go();
            strict.assert_stopped(STOPPED, &[said, "--cccp-changes=refuse"]);
        }
        let outcome = run().well();
        outcome.assert_resumed();
        assert_eq!(
            outcome.errors.matches(said).count(),
            usize::from(is_other),
            "{name}: {}",
            outcome.errors
        );
    }
}
