//! Checkpoints inside of tasks (S53).

use super::{SAME, said_of, survives};
use crate::harness::{Compiler, has_libomp};

#[test]
fn s53_a_time_loop_in_a_task_is_served_where_the_task_can_be_executed_at_once() {
    let (by_hand, auto) = ("by_hand/loop_in_task.c", "auto/loop_in_task.c");
    survives(by_hand, Compiler::Gcc, "-O2", &[], &SAME);
    survives(auto, Compiler::Gcc, "-O0", &["--auto"], &SAME[1..2]);
    if has_libomp() {
        survives(by_hand, Compiler::Clang, "-O0", &[], &SAME[1..2]);
        survives(auto, Compiler::Clang, "-O2", &["--auto"], &SAME[2..]);
    }
}

#[test]
fn s53_a_time_loop_in_a_task_is_served_where_what_it_calls_waits_for_tasks() {
    let file = "auto/loop_in_task_calls.c";
    survives(file, Compiler::Gcc, "-O2", &["--auto"], &SAME[1..]);
}

/// A team with a task: its clauses, what is before it, and what it does at each step.
fn task(clauses: &str, before: &str, work: &str) -> String {
    format!(
        "double u[9];\nstatic int at;\nint main(void)\n{{\n    int outside = 3;\n#pragma cccp init\n#pragma cccp register(u, at, outside)\n\
         #pragma omp parallel\n#pragma omp single\n    {{\n        int own = 4;\n#pragma cccp register(own)\n{before}\n\
         #pragma omp task{clauses}\n        for (int step = 0; step < 9; step++) {{\n#pragma cccp register(step)\n\
         #pragma cccp checkpoint\n            u[step] += own + outside;\n{work}\n        }}\n    }}\n#pragma cccp shutdown\n    \
         return u[1] < 0;\n}}\n"
    )
}

#[test]
fn s53_a_task_with_data_of_its_own_is_an_error() {
    // Each directive in lines above one block.
    let stacked = task("", "", "").replace(
        "    {\n        int own = 4;\n#pragma cccp register(own)\n\n",
        "",
    );
    let stacked = stacked.replace("own + ", "").replacen(
        "    }\n#pragma cccp shutdown",
        "#pragma cccp shutdown",
        1,
    );
    let (status, said) = said_of(&stacked, &[]);
    assert_eq!((status, said.as_str()), (Some(0), ""), "{stacked}");
    let good = [
        ("", ""),
        (" untied if(at == 0) final(at) priority(3)", "outside++;"),
        (" firstprivate(outside, at)", "u[2] += at;"),
        (" shared(own)", "own++;"),
        (" default(shared)", "at++;"),
    ];
    for (clauses, work) in good {
        let (status, said) = said_of(&task(clauses, "", work), &[]);
        assert_eq!((status, said.as_str()), (Some(0), ""), "{clauses} {work}");
    }
    let bad = [
        ("", "own++;"),
        ("", "int *to = &own; ++*to;"),
        (" firstprivate(at)", "at++;"),
        (" firstprivate(outside)", "outside += 2;"),
        (" private(at)", "at = 1;"),
        (" depend(in : u)", ""),
    ];
    for (clauses, work) in bad {
        let (status, said) = said_of(&task(clauses, "", work), &[]);
        assert_eq!(status, Some(1), "{clauses} {work}: {said}");
        for word in ["error[CCCP203]", "task", "executed at once"] {
            assert!(said.contains(word), "{clauses} {work}: {word} in {said}");
        }
    }
    // Another one may not be over.
    let other = "#pragma omp task\n        u[8] += 1;";
    let (status, said) = said_of(&task("", other, ""), &[]);
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("error[CCCP313]"), "{said}");
    let waits = format!("{other}\n#pragma omp taskwait");
    let (status, said) = said_of(&task("", &waits, ""), &[]);
    assert_eq!((status, said.as_str()), (Some(0), ""));
}
