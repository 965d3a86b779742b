//! What auto mode cannot serve is refused with its reason, once for each cause.

use std::process::Command;

use crate::harness::{Workplace, mpi_or_word, precompiler};

/// What the tool says about a text that auto mode refuses.
fn refused(name: &str, text: &str, words: &[&str]) -> String {
    // A fixed heap may serve it all the same.
    let all = ["--auto", "--heap=typed"].iter().chain(words);
    refused_with(name, text, &all.copied().collect::<Vec<_>>())
}

/// The same with these flags.
fn refused_with(name: &str, text: &str, words: &[&str]) -> String {
    let place = Workplace::new(name);
    let path = place.join("refused.c");
    std::fs::write(&path, text).expect("the program");
    let mut tool = Command::new(precompiler());
    let output = tool.args(words).arg(&path).output();
    let output = output.expect("the precompiler runs");
    assert_eq!(output.status.code(), Some(1), "{name} is refused");
    assert!(output.stdout.is_empty(), "nothing is written for {name}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn what_a_thread_keeps_for_itself_is_refused_though_no_other_thread_is_started() {
    let text = "#include <pthread.h>\n#include <stdio.h>\nstatic pthread_key_t key;\nstatic double x[100];\nint main(void)\n{\n    \
                pthread_key_create(&key, NULL);\n    pthread_setspecific(key, x);\n    for (int step = 0; step < 40; step++) {\n        \
                double *at = pthread_getspecific(key);\n        for (int i = 1; i < 100; i++)\n            at[i] += at[i - 1] + step;\n    }\n    \
                printf(\"%g\\n\", x[99]);\n    return 0;\n}\n";
    let errors = refused("kept-by-a-thread", text, &[]);
    assert!(errors.contains("cannot restore threads"), "{errors}");
}

#[test]
fn s64_what_c11_keeps_for_a_thread_is_refused_beside_threads_that_are_joined() {
    let text = |make: &str, set: &str| {
        format!(
            "#include <pthread.h>\n#include <stdio.h>\n#include <threads.h>\nstatic tss_t key;\nstatic once_flag once = ONCE_FLAG_INIT;\n\
             static double x[100];\nstatic void make(void)\n{{\n    {make}\n}}\nstatic void *work(void *at)\n{{\n    double *y = at;\n    \
             for (int i = 1; i < 100; i++)\n        y[i] += y[i - 1] + 1;\n    return NULL;\n}}\nint main(void)\n{{\n    {set}\n    \
             for (int step = 0; step < 40; step++) {{\n        pthread_t thread;\n        \
             pthread_create(&thread, NULL, work, x);\n        pthread_join(thread, NULL);\n    }}\n    printf(\"%g\\n\", x[99]);\n    return key == 77 \
             && once.__data;\n}}\n"
        )
    };
    let cases = [
        (
            "kept-in-tss",
            text("", "tss_create(&key, NULL); tss_set(key, x);"),
        ),
        ("made-once", text("x[0] = 1;", "call_once(&once, make);")),
    ];
    for ((name, text), call) in cases.into_iter().zip(["tss_create", "call_once"]) {
        let errors = refused(name, &text, &[]);
        let why = "`work` runs in a thread of its own";
        let but = format!("would be counted, but not beside `{call}` (line ");
        assert!(errors.contains(why) && errors.contains(&but), "{errors}");
    }
}

#[test]
fn s55_copies_of_other_threads_are_refused_where_a_region_of_its_own_would_change_them() {
    let text = |clause: &str, call: &str| {
        format!(
            "#include <omp.h>\n#include <stdio.h>\nstatic unsigned long seed;\n#pragma omp threadprivate(seed)\n\
             int count = 3;\nint main(void)\n{{\n    double x[1000] = {{0}}, sum = 0;\n    #pragma omp parallel {clause}\n    seed = 17;\n    \
             for (int step = 0; step < 40; step++) {{\n        {call}\n        #pragma omp parallel for {clause}\n        \
             for (int i = 0; i < 1000; i++) {{\n            seed = seed * 77 + 5;\n            x[i] += seed % 10;\n        }}\n    \
             }}\n    for (int i = 0; i < 1000; i++)\n        sum += x[i];\n    printf(\"%g\\n\", sum);\n    return 0;\n}}\n"
        )
    };
    let openmp = &["--cpp-flag", "-fopenmp"][..];
    let cases = [
        (
            "numbers",
            text("num_threads(3)", "").replacen("3)", "2)", 1),
            openmp,
        ),
        ("a-variable", text("num_threads(count)", ""), openmp),
        ("a-place", text("proc_bind(spread)", ""), openmp),
        (
            "a-call",
            text("", "omp_set_num_threads(1 + step % 3);"),
            openmp,
        ),
        ("no-openmp", text("", ""), &[]),
    ];
    for (name, text, words) in cases {
        let said = refused(name, &text, words);
        let reason =
            "each thread has its own, and a restart restores that of the initial thread only";
        for words in ["error[CCCP403]", "`seed`", reason, "region of its own"] {
            assert!(said.contains(words), "{name}: {said}");
        }
    }
    // The same number in all regions is that of the new one, whatever it is called.
    let place = Workplace::new("all-numbers");
    let path = place.join("numbers.c");
    let same = format!("#define THREADS 3\n{}", text("num_threads(THREADS)", ""));
    std::fs::write(&path, same.replacen("THREADS)", "3)", 1)).expect("the program");
    let mut tool = Command::new(precompiler());
    let output = tool
        .args(["--annotate", "--cpp-flag", "-fopenmp"])
        .arg(&path)
        .output();
    let output = output.expect("the precompiler runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let region = "#pragma omp parallel num_threads(3)\n{\n#pragma cccp register(seed)";
    assert!(output.status.success() && text.contains(region), "{text}");
}

#[test]
fn s02_what_cannot_be_brought_back_is_refused_with_its_reason() {
    let directory = "#include <dirent.h>\n#include <stdio.h>\nint main(void)\n{\n    DIR *d = opendir(\".\");\n    long sum = 0;\n    \
                     if (d == NULL)\n        return 1;\n    while (readdir(d) != NULL)\n        for (int i = 0; i < 1000; i++)\n            \
                     sum += i % 7;\n    printf(\"%ld\\n\", sum);\n    return 0;\n}\n";
    let said = refused("a-directory", directory, &[]);
    for words in [
        "error[CCCP403]",
        "`d`",
        "refused.c:9:",
        "handle of a library",
        "help:",
    ] {
        assert!(said.contains(words), "{words} in\n{said}");
    }
    let nothing =
        "#include <stdio.h>\nint main(void)\n{\n    puts(\"no loop\");\n    return 0;\n}\n";
    let said = refused("no-loop", nothing, &[]);
    assert!(said.contains("error[CCCP402]"), "{said}");
    let part = "int half(int n) { return n / 2; }\n";
    let said = refused("no-main", part, &[]);
    assert!(said.contains("error[CCCP401]"), "{said}");
}

#[test]
fn s35_what_is_redirected_is_refused_and_the_block_and_the_call_of_the_message_are_cures() {
    let text = |before: &str, call: &str, behind: &str| {
        format!(
            "#include <fcntl.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\nint main(int argc, char **argv)\n{{\n    double *x = calloc(100, sizeof *x);\n    \
             x[0] = argc;\n    for (int step = 0; step < 40; step++)\n        for (int i = 1; i < 100; i++)\n            x[i] += x[i - 1] + step;\n    \
             if (argc > 1) {{\n{before}        {call};\n{behind}    }}\n    \
             for (int step = 0; step < 40; step++) {{\n        for (int i = 1; i < 100; i++)\n            x[i] += x[i - 1] + step;\n        \
             printf(\"%g\\n\", x[99]);\n    }}\n    return 0;\n}}\n"
        )
    };
    let redirect =
        |flags: &str| format!("dup2(open(argv[1], O_WRONLY | O_CREAT | {flags}, 0666), 1)");
    let said = refused("redirected", &text("", &redirect("O_TRUNC"), ""), &[]);
    let [begin, end] = [
        "#pragma cccp execute on restart",
        "#pragma cccp end execute",
    ];
    assert!(said.contains("what `dup2` redirects"), "{said}");
    assert!(
        said.contains(&format!("between `{begin}` and `{end}`")),
        "{said}"
    );
    let place = Workplace::new("redirected-again");
    let path = place.join("cured.c");
    let [begin, end] = [begin, end].map(|line| format!("{line}\n"));
    for cured in [
        text(&begin, &redirect("O_APPEND"), &end),
        text("", "freopen(argv[1], \"w\", stdout)", ""),
    ] {
        std::fs::write(&path, cured).expect("the program");
        let output = Command::new(precompiler())
            .arg("--auto")
            .arg(&path)
            .output();
        let output = output.expect("the precompiler runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
    }
}

#[test]
fn s15_what_depends_on_one_address_is_told_once_with_the_line_where_it_becomes_a_number() {
    let hash = "#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\nstatic unsigned first, second, third[4];\nint main(void)\n{\n    \
                double *block = malloc(800);\n    uintptr_t address = (uintptr_t)block;\n    unsigned hash = (unsigned)(address >> 4) * 31u;\n    \
                first = hash % 7;\n    second = first + 1;\n    for (int i = 0; i < 4; i++)\n        third[i] = second + i;\n    double sum = 0;\n    \
                for (int i = 0; i < 100; i++)\n        block[i] = i;\n    for (int step = 0; step < 1000; step++)\n        for (int i = 0; i < 100; i++)\n            \
                sum += block[i] * (first + second + third[i % 4]);\n    printf(\"%g\\n\", sum);\n    return 0;\n}\n";
    let said = refused("one-root", hash, &[]);
    assert_eq!(said.matches("error[").count(), 1, "{said}");
    for words in ["becomes a number in line 8", "the same holds for", "`third"] {
        assert!(said.contains(words), "{words} in\n{said}");
    }
}

#[test]
fn s01_a_call_without_a_declaration_of_what_returns_no_int_is_refused_with_both_places() {
    let place = Workplace::new("undeclared");
    let caller = |declared: &str| {
        format!(
            "#include <stdio.h>\nint main(argc, argv)\nint argc;\nchar **argv;\n{{\n    {declared}\n    \
             printf(\"%g\\n\", relax(1000 * argc) * 1.0);\n    return argv[argc] != NULL;\n}}\n"
        )
    };
    let callee = "static double u[100];\ndouble relax(steps)\nint steps;\n{\n    int step, k;\n    for (step = 0; step < steps; step++)\n        \
                  for (k = 1; k < 99; k++)\n            u[k] = 0.5 * (u[k - 1] + u[k + 1]) + k;\n    return u[50];\n}\n";
    let part = place.join("part.c");
    std::fs::write(&part, callee).expect("the program");
    let said = |declared: &str| {
        let path = place.join("undeclared.c");
        std::fs::write(&path, caller(declared)).expect("the program");
        let mut tool = Command::new(precompiler());
        tool.args(["--auto", "-d"])
            .arg(place.join("out"))
            .arg(&path);
        let output = tool.arg(&part).output().expect("the precompiler runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.success(), said)
    };
    let (is_served, refusal) = said("");
    assert!(!is_served, "{refusal}");
    for words in [
        "error[CCCP202]: `relax` is called without a declaration, and does not return `int`",
        "undeclared.c:7:",
        "line 2 of",
        "part.c defines it with the result `double`",
        "help: declare `relax` in front of this function",
    ] {
        assert!(refusal.contains(words), "{words} in\n{refusal}");
    }
    // The advice helps.
    let (is_served, told) = said("double relax();");
    assert!(is_served, "{told}");
}

#[test]
fn s15_a_local_to_which_pointers_lead_is_refused_with_the_one_cause_that_it_has() {
    let text = |members: &str, handed: &str| {
        format!(
            "#include <regex.h>\n#include <stdio.h>\nstruct pattern {{ regex_t code; int count; }};\n\
             struct tables {{ double weight[4]; {members} }};\nstatic double scan(struct tables *tables, int steps)\n{{\n    double sum = 0;\n    \
             for (int step = 0; step < steps; step++)\n        for (int k = 0; k < 4; k++)\n            \
             sum += tables->weight[k] *= 1.0001;\n    return sum;\n}}\nint main(int argc, char **argv)\n{{\n    \
             struct tables tables = {{ .weight = {{ 1, 2, 3, argc }} }};\n    printf(\"%g\\n\", scan({handed}, 100000));\n    \
             return argv[argc] != NULL;\n}}\n"
        )
    };
    let cases = [
        (
            "a-handle",
            text("struct pattern pattern[2];", "&tables"),
            "`tables.pattern[…].code` is a `regex_t`, which a library keeps",
        ),
        (
            "no-name",
            text(
                "",
                "&(struct tables){ .weight[0] = tables.weight[0] + argc }",
            ),
            "it has no name, and so no register can bring it back",
        ),
    ];
    for (name, text, reason) in cases {
        let said = refused(name, &text, &[]);
        assert_eq!(said.matches("error[").count(), 1, "{said}");
        assert_eq!(said.matches("= reason:").count(), 1, "{said}");
        assert!(said.contains(reason), "{reason} in\n{said}");
    }
}

#[test]
fn s57_a_mutex_with_attributes_is_refused_where_a_checkpoint_holds_it() {
    let text = |kind: &str, in_loop: &str| {
        format!(
            "#include <pthread.h>\n#include <stdio.h>\nstatic pthread_mutex_t guard;\nint main(void)\n{{\n    long sum = 0;\n    \
             pthread_mutexattr_t how;\n    pthread_mutexattr_init(&how);\n    pthread_mutexattr_settype(&how, {kind});\n    \
             pthread_mutex_init(&guard, &how);\n    for (int step = 0; step < 50000; step++) {{\n        {in_loop}\n        sum += step;\n    \
             }}\n    printf(\"%ld\\n\", sum);\n    return 0;\n}}\n"
        )
    };
    let locks = "pthread_mutex_lock(&guard); pthread_mutex_unlock(&guard);";
    let said = refused(
        "recursive",
        &text("PTHREAD_MUTEX_RECURSIVE", locks),
        &["-D_GNU_SOURCE"],
    );
    for words in [
        "error[CCCP403]",
        "refused.c:9:",
        "attributes of a mutex",
        "help:",
    ] {
        assert!(said.contains(words), "{words} in\n{said}");
    }
    for (kind, in_loop) in [
        ("PTHREAD_MUTEX_DEFAULT", locks),
        ("PTHREAD_MUTEX_RECURSIVE", ""),
    ] {
        let place = Workplace::new("served");
        let path = place.join("served.c");
        std::fs::write(&path, text(kind, in_loop)).expect("the program");
        let mut tool = Command::new(precompiler());
        let output = tool.args(["--auto", "-D_GNU_SOURCE"]).arg(&path).output();
        let output = output.expect("the precompiler runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{kind}: {said}");
    }
}

#[test]
fn s55_a_function_that_is_called_outside_of_regions_too_registers_for_one_thread_only() {
    let text = |outside: &str| {
        format!(
            "#include <omp.h>\n#include <stdio.h>\nstatic unsigned seed = 1u;\n#pragma omp threadprivate(seed)\n\
             static unsigned field[64], last[8];\nstatic void steps(int from, int to)\n{{\n    for (int step = 0; step < 4000; step++)\n        \
             for (int i = from; i < to; i++) {{\n            seed = seed * 77u + 5u;\n            field[i] += seed % 10u;\n        }}\n}}\n\
             int main(void)\n{{\n    {outside}\n    #pragma omp parallel num_threads(2)\n    \
             {{\n        int me = omp_get_thread_num();\n        steps(me * 32, me * 32 + 32);\n        last[me] = seed;\n    }}\n    \
             printf(\"%u %u %u\\n\", field[3], last[0], last[1]);\n    return 0;\n}}\n"
        )
    };
    let words = &["--cpp-flag", "-fopenmp"][..];
    let before = "#pragma omp parallel num_threads(2)\n    seed += (unsigned)omp_get_thread_num();\n    steps(0, 8);";
    let said = refused("called-outside", &text(before), words);
    assert!(
        said.contains("`seed`") && said.contains("each thread has its own"),
        "{said}"
    );
    let place = Workplace::new("called-inside");
    let path = place.join("served.c");
    std::fs::write(&path, text("")).expect("the program");
    let mut tool = Command::new(precompiler());
    let output = tool.arg("--auto").args(words).arg(&path).output();
    let output = output.expect("the precompiler runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
}

#[test]
fn s02_a_table_of_pointers_with_its_data_in_the_same_block_is_refused() {
    let text = |size: &str| {
        format!(
            "#include <stdio.h>\n#include <stdlib.h>\nstatic double **u;\nint main(int argc, char **argv)\n{{\n    \
             long n = argc > 1 ? atol(argv[1]) : 40, m = 30, size;\n    {size}\n    u = malloc(size);\n    \
             for (long i = 0; i < n; i++)\n        u[i] = (double *)(u + n) + i * m;\n    for (int step = 0; step < 100; step++)\n        \
             for (long i = 1; i < n; i++)\n            for (long j = 0; j < m; j++)\n                \
             u[i][j] = 0.5 * (u[i][j] + u[i - 1][j]);\n    printf(\"%g\\n\", u[n / 2][m / 2]);\n    return 0;\n}}\n"
        )
    };
    for (name, size) in [
        ("sum", "size = n * sizeof *u + n * m * sizeof **u;"),
        (
            "added",
            "size = n * sizeof(double *);\n    size += n * m * sizeof(double);",
        ),
        ("times", "size = n * (sizeof *u + m * sizeof **u);"),
        ("unknown", "size = n * sizeof *u + 8 * n * m;"),
    ] {
        let said = refused(name, &text(size), &[]);
        for words in [
            "error[CCCP403]",
            "a table of `double *` with something else behind it",
            "allocate the table and what it points to each by itself",
        ] {
            assert!(said.contains(words), "{name}: {said}");
        }
    }
}

#[test]
fn s02_a_loop_beside_a_thread_is_refused_because_of_the_thread_in_mpi_programs_too() {
    if !mpi_or_word() {
        return;
    }
    let text = "#include <mpi.h>\n#include <pthread.h>\n#include <stdio.h>\nstatic double v[1000], w[10];\nstatic void *work(void *of)\n{\n    \
                for (int i = 0; i < 10; i++)\n        w[i] += i;\n    return of;\n}\nint main(int argc, char **argv)\n{\n    pthread_t thread;\n    \
                MPI_Init(&argc, &argv);\n    pthread_create(&thread, 0, work, 0);\n    for (int step = 0; step < 1000; step++)\n        \
                for (int i = 0; i < 1000; i++)\n            v[i] += i * step;\n    pthread_join(thread, 0);\n    \
                printf(\"%g %g\\n\", v[3], w[3]);\n    MPI_Finalize();\n    return 0;\n}\n";
    let said = refused("beside-a-thread", text, &["--cc", "mpicc"]);
    assert!(
        said.contains("a checkpoint goes where one thread runs"),
        "{said}"
    );
    assert!(!said.contains("all ranks pass"), "{said}");
}

#[test]
fn s02_what_a_block_reads_of_its_caller_is_refused_where_the_block_stands() {
    let text = "#include <stdio.h>\n#include <sys/resource.h>\nstatic void set_up(const int *asked)\n{\n    \
                setpriority(PRIO_PROCESS, 0, *asked);\n}\nint main(void)\n{\n    int level;\n    double sum = 0;\n    \
                if (scanf(\"%d\", &level) != 1)\n        return 1;\n    set_up(&level);\n    level = 0;\n    \
                for (int step = 0; step < 100; step++)\n        for (int i = 0; i < 100000; i++)\n            \
                sum += i % 7 * step + level;\n    printf(\"%g\\n\", sum);\n    return 0;\n}\n";
    let errors = refused("read-of-caller", text, &[]);
    let words = [
        "a block that is executed on restart reads it here",
        "refused.c:5:",
    ];
    for words in words {
        assert!(errors.contains(words), "`{words}` in\n{errors}");
    }
    assert!(!errors.contains("not declared"), "{errors}");
}

#[test]
fn a_function_of_any_number_of_arguments_is_refused_once_and_not_its_calls() {
    let text = "#include <stdarg.h>\n#include <stdio.h>\nstatic double x = 1;\nstatic void advance(int steps)\n{\n    \
                for (int i = 0; i < steps; i++) {\n#pragma cccp checkpoint\n        x = x * 0.999 + i;\n    }\n}\n\
                static double run(int steps, const char *format, ...)\n{\n    va_list all;\n    va_start(all, format);\n    \
                advance(steps);\n    double more = va_arg(all, double);\n    va_end(all);\n    return x * more;\n}\n\
                int main(void)\n{\n#pragma cccp init\n    double r = run(100, \"%g\", 2.5);\n    r += run(100, \"%g %d\", 1.5, 3);\n    \
                printf(\"%g\\n\", r);\n    return 0;\n}\n";
    let errors = refused_with("any-number", text, &[]);
    assert!(errors.contains("error[CCCP206]: `run`"), "{errors}");
    assert_eq!(errors.matches("error[").count(), 1, "{errors}");
}

#[test]
fn s15_what_one_unknown_function_may_have_left_anywhere_is_one_message() {
    let text = "#include <stdio.h>\n#include <stdlib.h>\nstruct node { char *name; double *values; struct node *next; };\nvoid \
                fill(struct node *);\nint main(void)\n{\n    double sum = 0;\n    struct node *node = calloc(1, sizeof *node);\n    struct node \
                *other = calloc(1, sizeof *other);\n    if (!node || !other)\n        return 1;\n    fill(node);\n    fill(other);\n    for (int \
                step = 0; step < 100000; step++) {\n        sum += node->values[step % 3] * node->name[0] + other->next->values[0];\n    }\n    \
                printf(\"%g\\n\", sum);\n    return 0;\n}\n";
    let said = refused("one-cause", text, &[]);
    assert_eq!(said.matches("may point into memory").count(), 1, "{said}");
    assert!(
        said.contains("what `fill` may do is unknown; the same holds for"),
        "{said}"
    );
}
