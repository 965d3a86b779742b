//! Locks at checkpoints in regions: made again, stopped at, and held (S51, S57).

use std::process::Command;

use super::{SAME, built, has_libomp, said_of, survives};
use crate::harness::{Build, Compiler, Program, Workplace, precompiler, root};

/// Whether a program tells the library when it takes locks.
fn is_noted(program: &str) -> bool {
    let place = Workplace::new("noted");
    place.write("main.c", program);
    let mut tool = Command::new(precompiler());
    tool.args(["--cpp-flag", "-fopenmp", "main.c"])
        .current_dir(place.path());
    let output = tool.output().expect("the precompiler runs");
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout);
    text.contains("redefine_extname omp_set_lock")
}

#[test]
fn s51_threads_that_come_to_no_checkpoint_stop_before_they_take_a_lock() {
    let file = "by_hand/queue_under_lock.c";
    survives(file, Compiler::Gcc, "-O2", &[], &[("3", "3"), ("2", "1")]);
    survives(file, Compiler::Gcc, "-O0", &["--auto"], &[("2", "2")]);
    if has_libomp() {
        survives(file, Compiler::Clang, "-O2", &[], &[("2", "2")]);
    }
}

#[test]
fn s57_locks_that_threads_hold_at_a_checkpoint_are_held_by_them_after_a_restart() {
    let file = "by_hand/held_locks.c";
    for (level, flags) in [("-O2", &[][..]), ("-O0", &["--auto"][..])] {
        survives(file, Compiler::Gcc, level, flags, &[("1", "1"), ("3", "3")]);
        if has_libomp() {
            survives(file, Compiler::Clang, level, flags, &[("3", "3")]);
        }
    }
}

#[test]
fn s57_who_tries_for_a_lock_sets_nothing_that_a_restart_sets_again() {
    survives(
        "auto/tried_locks.c",
        Compiler::Gcc,
        "-O2",
        &["--auto"],
        &SAME[1..],
    );
}

#[test]
fn s51_who_waits_for_what_one_thread_copies_to_all_is_not_waited_for() {
    let file = "auto/copied_by_one.c";
    survives(
        file,
        Compiler::Gcc,
        "-O2",
        &["--auto"],
        &[("1", "1"), ("3", "3")],
    );
}

#[test]
fn s57_a_lock_that_is_held_and_registered_nowhere_stops_the_first_checkpoint() {
    let place = Workplace::new("held-nowhere");
    let source = place.write(
        "main.c",
        "#include <omp.h>\nstatic omp_lock_t guard;\nstatic long sum;\nint main(void)\n{\n#pragma cccp init\n\
         #pragma cccp execute on restart\nomp_init_lock(&guard);\n#pragma cccp end execute\n#pragma cccp register(sum)\n\
         #pragma omp parallel\nfor (int i = 0; i < 9; i++) {\n#pragma cccp register(i)\nomp_set_lock(&guard); sum += i;\n\
         #pragma cccp checkpoint\nomp_unset_lock(&guard);\n}\n#pragma cccp shutdown\nreturn sum < 0;\n}\n",
    );
    let text = std::fs::read_to_string(&source).expect("the program");
    let (status, said) = said_of(&text, &[]);
    assert_eq!(status, Some(0), "{said}");
    for word in ["`guard` is live at this checkpoint", "register(guard)"] {
        assert!(said.contains(word), "{word} in {said}");
    }
    let build = Build::files(&[&source]).with(Compiler::Gcc, &["-O2", "-fopenmp"]);
    let build = build.careless();
    let flags = ["--cpp-flag", "-fopenmp"];
    let program = build.tool_flags(&flags).to(place.path(), "served");
    let outcome = program.run(place.path()).set("CCCP_EVERY", "1").go();
    outcome.assert_stopped(75, &["holds a lock of OpenMP", "Register the lock"]);
}

#[test]
fn s57_a_lock_of_another_library_that_a_thread_may_hold_is_an_error() {
    let (status, said) = said_of(
        "#include <pthread.h>\nstatic pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;\nstatic long sum;\nint main(void)\n{\n\
         #pragma cccp init\n#pragma cccp register(sum, guard)\n#pragma omp parallel\nfor (int i = 0; i < 9; i++) {\n\
         #pragma cccp register(i)\npthread_mutex_lock(&guard); sum += i;\n#pragma cccp checkpoint\n\
         pthread_mutex_unlock(&guard);\n}\n#pragma cccp shutdown\nreturn sum < 0;\n}\n",
        &[],
    );
    assert_eq!(status, Some(1), "{said}");
    for word in ["error[CCCP313]", "may hold a lock", "taken here"] {
        assert!(said.contains(word), "{word} in {said}");
    }
}

#[test]
fn s57_locks_that_lie_in_memory_are_made_again_where_they_were() {
    let file = "by_hand/locks_in_memory.c";
    for flags in [&[][..], &["--auto"]] {
        survives(file, Compiler::Gcc, "-O2", flags, &SAME[1..]);
        if has_libomp() {
            survives(file, Compiler::Clang, "-O1", flags, &SAME[1..2]);
        }
    }
}

#[test]
fn s57_a_lock_in_memory_that_is_held_stops_the_checkpoint() {
    let file = "by_hand/held_in_memory.c";
    let place = Workplace::new("held-in-memory");
    let [program, plain] = built(place.path(), file, Compiler::Gcc, "-O1", &[]);
    for (which, name) in [("simple", "omp_lock_t"), ("nested", "omp_nest_lock_t")] {
        let directory = place.directory(which);
        let run = |program: &Program| program.run(&directory).arguments(&[which]);
        run(&plain).well();
        let outcome = run(&program).set("CCCP_EVERY", "1").go();
        let said = format!("the `{name}` of its element 3 is held by a thread");
        outcome.assert_stopped(75, &["held_in_memory.c:", &said]);
    }
    let run = program.run(&place.directory("none")).arguments(&["none"]);
    run.set("CCCP_EVERY", "1").well();
}

#[test]
fn s57_locks_in_memory_of_which_no_types_are_known_are_made_again() {
    let both = [("2", "2")];
    for file in [
        "auto/locks_in_fixed_heap.c",
        "by_hand/holds_in_fixed_heap.c",
    ] {
        let flags: &[&str] = match file.starts_with("auto") {
            true => &["--auto"],
            false => &[],
        };
        survives(file, Compiler::Gcc, "-O2", flags, &both);
        if has_libomp() {
            survives(file, Compiler::Clang, "-O1", flags, &both);
        }
    }
}

#[test]
fn s57_a_lock_in_a_fixed_heap_that_is_held_by_nobody_knows_whom_stops_the_checkpoint() {
    let place = Workplace::new("held-in-fixed-heap");
    let text = std::fs::read_to_string(root().join("tests/parallel/by_hand/held_in_memory.c"));
    let text = text
        .expect("the program")
        .replace("cccp init", "cccp init heap(fixed)");
    let text = text.replace("register(cells[], sum)", "register(cells, sum)");
    place.write("held_in_fixed_heap.c", &text);
    let file = place.path().join("held_in_fixed_heap.c");
    let file = file.to_str().expect("a name");
    let [program, _] = built(place.path(), file, Compiler::Gcc, "-O1", &[]);
    for (which, name) in [("simple", "omp_lock_t"), ("nested", "omp_nest_lock_t")] {
        let run = program.run(&place.directory(which)).arguments(&[which]);
        let outcome = run.set("CCCP_EVERY", "1").go();
        outcome.assert_stopped(75, &[&format!("the `{name}` at"), "is held"]);
    }
    let run = program.run(&place.directory("none")).arguments(&["none"]);
    run.set("CCCP_EVERY", "1").well();
}

#[test]
fn s57_who_holds_a_lock_is_noted_where_a_thread_may_hold_one_at_the_checkpoint() {
    let program = |before: &str, behind: &str| {
        format!(
            "#include <omp.h>\nstatic omp_lock_t guard, other;\nstatic long sum;\nstatic void leave(void) {{ omp_unset_lock(&guard); }}\n\
             int main(void)\n{{\n#pragma cccp init\n#pragma cccp execute on restart\nomp_init_lock(&guard);\nomp_init_lock(&other);\n\
             #pragma cccp end execute\n#pragma cccp register(sum)\n#pragma omp parallel\nfor (int i = 0; i < 9; i++) {{\n\
             #pragma cccp register(i)\n{before}\n#pragma cccp checkpoint\n{behind}\n}}\n#pragma cccp shutdown\nreturn sum < 0;\n}}\n"
        )
    };
    let take = "omp_set_lock(&guard); sum += i;";
    for free in [
        "omp_unset_lock(&guard);",
        "leave();",
        "if (i) leave(); else omp_unset_lock(&guard);",
    ] {
        let (status, said) = said_of(&program(&format!("{take} {free}"), ""), &[]);
        assert_eq!((status, said.as_str()), (Some(0), ""), "{free}");
        assert!(!is_noted(&program(&format!("{take} {free}"), "")), "{free}");
        assert!(is_noted(&program(take, free)), "{free}");
    }
    // One that is tried for is held where it was taken.
    for (tried, is_free) in [
        (
            "if (omp_test_lock(&guard)) { sum += i; omp_unset_lock(&guard); }",
            true,
        ),
        (
            "while (!omp_test_lock(&guard)) { sum += 0; } omp_unset_lock(&guard);",
            true,
        ),
        (
            "if (!omp_test_lock(&guard)) { omp_set_lock(&guard); } leave();",
            true,
        ),
        ("if (omp_test_lock(&guard)) { sum += i; }", false),
        ("if (omp_test_lock(&guard)) { } else { sum += i; }", false),
        ("while (!omp_test_lock(&guard)) { sum += 0; }", false),
        ("if (!omp_test_lock(&guard)) { continue; }", false),
        ("int got = omp_test_lock(&guard); sum += got;", false),
    ] {
        let behind = if is_free { "" } else { "leave();" };
        assert_eq!(is_noted(&program(tried, behind)), !is_free, "{tried}");
    }
    // One in memory is held, too.
    for lock in ["&cells[i].guard", "&cells->guard", "&rows[i][0]"] {
        let (take, free) = (
            format!("omp_set_lock({lock});"),
            format!("omp_unset_lock({lock});"),
        );
        let program = |before: &str, behind: &str| {
            let inside =
                "static struct { omp_lock_t guard; } *cells;\nstatic omp_lock_t **rows;\nint main";
            program(before, behind)
                .replace("int main", inside)
                .replace("register(sum)", "register(sum, cells[], follow(rows))")
        };
        let (status, said) = said_of(&program(&format!("{take} {free}"), ""), &[]);
        assert_eq!((status, said.as_str()), (Some(0), ""), "{lock}");
        assert!(is_noted(&program(&take, &free)), "{lock}");
    }
    // Another one is given back.
    assert!(is_noted(&program(
        &format!("{take} omp_unset_lock(&other);"),
        "leave();"
    )));
}

/// Where the stops of a program are its own, one that is missing in front of a lock would cost every checkpoint.
#[test]
fn s52_a_lock_that_others_wait_for_without_a_stop_is_named_with_the_line_to_write() {
    let program = |stop: &str| {
        format!(
            "#include <omp.h>\nlong out;\nomp_lock_t lock;\nint main(void)\n{{\nomp_init_lock(&lock);\n#pragma cccp init\n\
             #pragma cccp register(out, lock)\n#pragma omp parallel num_threads(2)\n{{\nint k = 0;\n#pragma cccp register(k)\n\
             for (k = 0; k < 9; k++) {{\n{stop}omp_set_lock(&lock);\n#pragma cccp checkpoint\nout += k;\nomp_unset_lock(&lock);\n\
             #pragma cccp checkpoint barrier\n#pragma omp barrier\n}}\n}}\n#pragma cccp shutdown\nreturn out < 0;\n}}\n"
        )
    };
    let (status, said) = said_of(&program(""), &[]);
    assert_eq!(status, Some(0), "{said}");
    for word in [
        "warning[CCCP312]",
        "main.c:15",
        "`#pragma cccp checkpoint lock` as a line of its own before line 14",
    ] {
        assert!(said.contains(word), "{word} in {said}");
    }
    let with_stop = said_of(&program("#pragma cccp checkpoint lock\n"), &[]);
    assert_eq!(with_stop, (Some(0), String::new()));
}

#[test]
fn s57_nestable_locks_in_a_fixed_heap_need_no_register() {
    let file = "by_hand/nestable_in_fixed_heap.c";
    survives(file, Compiler::Gcc, "-O1", &[], &[("2", "2")]);
    if has_libomp() {
        survives(file, Compiler::Clang, "-O1", &[], &[("2", "2")]);
    }
}
