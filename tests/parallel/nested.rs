//! Regions inside of other regions (S50).

use super::{built, has_libomp, said_of, survives, survives_with};
use crate::harness::{Compiler, Workplace};

const FILE: &str = "by_hand/nested.c";

#[test]
fn s50_a_region_of_one_thread_in_another_region_is_like_any_other_call() {
    survives(FILE, Compiler::Gcc, "-O2", &[], &[("2", "2"), ("3", "1")]);
    survives(FILE, Compiler::Gcc, "-O0", &[], &[("3", "3")]);
    if has_libomp() {
        survives(FILE, Compiler::Clang, "-O2", &[], &[("3", "3")]);
    }
}

/// Killed at checkpoints in the inner teams.
fn survives_inside(file: &str, compiler: Compiler, level: &str, flags: &[&str]) {
    survives(file, compiler, level, flags, &[("3", "3")]);
}

#[test]
fn s50_threads_of_teams_inside_of_others_come_back_to_their_places() {
    survives_inside("by_hand/teams_inside.c", Compiler::Gcc, "-O2", &[]);
    survives_inside("by_hand/teams_inside.c", Compiler::Gcc, "-O0", &[]);
    if has_libomp() {
        survives_inside("by_hand/teams_inside.c", Compiler::Clang, "-O2", &[]);
    }
}

#[test]
fn s50_threads_of_three_levels_come_back_to_their_places() {
    survives_inside("by_hand/three_levels.c", Compiler::Gcc, "-O2", &[]);
    if has_libomp() {
        survives_inside("by_hand/three_levels.c", Compiler::Clang, "-O2", &[]);
    }
}

#[test]
fn s62_a_time_loop_in_a_region_in_another_one_needs_no_mark() {
    survives_inside(
        "auto/steps_in_teams_inside.c",
        Compiler::Gcc,
        "-O2",
        &["--auto"],
    );
    if has_libomp() {
        survives_inside(
            "auto/steps_in_teams_inside.c",
            Compiler::Clang,
            "-O1",
            &["--auto"],
        );
    }
}

#[test]
fn s57_what_threads_set_is_in_force_in_each_team_and_behind_it() {
    survives_inside("by_hand/controls_inside.c", Compiler::Gcc, "-O2", &[]);
    if has_libomp() {
        survives_inside("by_hand/controls_inside.c", Compiler::Clang, "-O2", &[]);
    }
}

#[test]
fn s60_threads_of_teams_inside_of_others_need_not_wait_at_once() {
    let file = "by_hand/teams_inside.c";
    survives_with(
        file,
        Compiler::Gcc,
        "-O2",
        &[],
        &[("3", "3")],
        "nonblocking",
    );
}

#[test]
fn s50_no_checkpoint_is_taken_in_teams_of_more_levels_than_are_told_apart() {
    let place = Workplace::new("four-levels");
    let [program, plain] = built(
        place.path(),
        "by_hand/four_levels.c",
        Compiler::Gcc,
        "-O2",
        &[],
    );
    let directory = place.directory("run");
    let expected = plain.run(&directory).well().output;
    let outcome = program.run(&directory).set("CCCP_EVERY", "1").well();
    assert_eq!(outcome.output, expected);
    outcome.assert_said(&["teams of several threads inside of each other"]);
    // The last checkpoint is one of fewer levels, or there is none.
    let again = program.run(&directory).well();
    assert_eq!(again.output, expected);
}

#[test]
fn s50_a_checkpoint_in_a_region_in_the_text_of_another_one_is_an_error_with_what_to_write() {
    let (status, said) = said_of(
        "double u[9];\nint main(void)\n{\n#pragma cccp init\n#pragma cccp register(u)\n#pragma omp parallel\n{\n\
         #pragma omp parallel num_threads(1)\nfor (int i = 0; i < 9; i++) {\n#pragma cccp register(i)\n\
         #pragma cccp checkpoint\n#pragma omp atomic\nu[i] += 1;\n}\n}\n#pragma cccp shutdown\nreturn u[1] < 0;\n}\n",
        &[],
    );
    assert_eq!(status, Some(1), "{said}");
    for word in [
        "error[CCCP203]",
        "nested parallel regions",
        "function of its own",
    ] {
        assert!(said.contains(word), "{word} in {said}");
    }
}
