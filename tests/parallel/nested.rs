//! Regions inside of other regions (S50).

use super::{built, has_libomp, said_of, survives};
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

#[test]
fn s50_no_checkpoint_is_taken_in_a_region_of_several_threads_in_another_one() {
    let place = Workplace::new("several-in-others");
    let [program, plain] = built(place.path(), FILE, Compiler::Gcc, "-O2", &[]);
    let directory = place.directory("run");
    let nested = |run: crate::harness::Run| {
        run.set("OMP_NUM_THREADS", "2")
            .set("OMP_MAX_ACTIVE_LEVELS", "2")
    };
    let expected = nested(plain.run(&directory)).well().output;
    let outcome = nested(program.run(&directory))
        .set("CCCP_EVERY", "1")
        .well();
    assert_eq!(outcome.output, expected);
    outcome.assert_said(&["the inner region has several threads"]);
    // Nothing was left that a restart could begin with.
    let again = nested(program.run(&directory)).well();
    assert_eq!(again.output, expected);
    assert!(!again.errors.contains("restart of"), "{}", again.errors);
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
