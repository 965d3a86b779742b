//! Regions inside of other regions (S50).

use super::{SAME, built, has_libomp, said_of, survives, survives_with};
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

/// Killed at checkpoints of each level, which stand in one text.
#[test]
fn s50_threads_of_regions_in_one_text_come_back_to_their_places() {
    survives_inside("by_hand/one_text.c", Compiler::Gcc, "-O2", &[]);
    survives_inside("by_hand/one_text.c", Compiler::Gcc, "-O0", &[]);
    if has_libomp() {
        survives_inside("by_hand/one_text.c", Compiler::Clang, "-O2", &[]);
    }
}

#[test]
fn s62_a_time_loop_in_a_region_in_the_text_of_another_one_needs_no_mark() {
    let file = "auto/steps_in_one_text.c";
    survives_inside(file, Compiler::Gcc, "-O2", &["--auto"]);
    if has_libomp() {
        survives_inside(file, Compiler::Clang, "-O1", &["--auto"]);
    }
}

#[test]
fn s55_what_copies_of_copies_begin_with_is_saved() {
    let file = "auto/copies_of_copies.c";
    survives(file, Compiler::Gcc, "-O2", &["--auto"], &SAME);
    if has_libomp() {
        survives(file, Compiler::Clang, "-O1", &["--auto"], &SAME);
    }
}

#[test]
fn s55_what_belongs_to_the_thread_that_enters_a_region_is_registered_in_that_region() {
    survives_inside("by_hand/owned_by_callers.c", Compiler::Gcc, "-O2", &[]);
}

/// The parts that threads have of a region are activations of their own, and a register of a local ends with them.
#[test]
fn s55_a_local_that_is_registered_in_a_region_only_is_missing_behind_it() {
    let program = |before: &str| {
        format!(
            "long out;\nint main(void)\n{{\n#pragma cccp init\n#pragma cccp register(out)\nint k = 0;\nlong both[2] = {{1, 2}};\n\
             #pragma cccp register(k)\n{before}for (k = 0; k < 3; k++) {{\n#pragma omp parallel num_threads(2)\n{{\n\
             #pragma cccp register(both)\n#pragma cccp checkpoint\n#pragma omp atomic\nboth[1] += k;\n}}\n\
             #pragma cccp checkpoint\nout += both[1];\n}}\n#pragma cccp shutdown\nreturn out < 0;\n}}\n"
        )
    };
    let (status, said) = said_of(&program(""), &[]);
    assert_eq!(status, Some(0), "{said}");
    for word in ["CCCP302", "`both` is live", "main.c:18"] {
        assert!(said.contains(word), "{word} in {said}");
    }
    let (_, said) = said_of(&program("#pragma cccp register(both)\n"), &[]);
    assert!(!said.contains("CCCP302"), "{said}");
}

#[test]
fn s50_checkpoints_in_regions_that_begin_together_are_an_error_with_what_to_write() {
    let (status, said) = said_of(
        "double u[9];\nint main(void)\n{\n#pragma cccp init\n#pragma cccp register(u)\n#pragma omp parallel\n\
         #pragma omp parallel num_threads(1)\nfor (int i = 0; i < 9; i++) {\n#pragma cccp register(i)\n\
         #pragma cccp checkpoint\n#pragma omp atomic\nu[i] += 1;\n}\n#pragma cccp shutdown\nreturn u[1] < 0;\n}\n",
        &[],
    );
    assert_eq!(status, Some(1), "{said}");
    for word in [
        "error[CCCP203]",
        "regions that begin together",
        "braces around the inner region",
    ] {
        assert!(said.contains(word), "{word} in {said}");
    }
}
