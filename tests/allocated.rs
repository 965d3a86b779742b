//! Allocated blocks: what cannot be saved is refused with a reason, threads and ranks allocate as they like, and a list
//! may be as long as memory allows. That everything comes back is tried in `restart.rs`.

mod harness;

use std::process::Command;

use harness::{Build, Checkpoints, Compiler, Workplace, have, mpi_or_word, tools_directory};

/// What `cccp-pp` says about a program whose item is `item`.
fn refused(declarations: &str, item: &str) -> String {
    let place = Workplace::new("refused");
    // A function that no word of `main` reaches is no part of the program.
    let reached = match declarations.contains(" fill(") {
        true => "if (fill == NULL) return 1;",
        false => "",
    };
    let text = format!(
        "#include <stdlib.h>\n{declarations}\nint main(void)\n{{\n{reached}\n#pragma cccp init\n#pragma cccp register({item})\n\
         #pragma cccp checkpoint\nreturn 0;\n}}\n"
    );
    place.write("main.c", &text);
    let mut tool = Command::new(tools_directory().join("cccp-pp"));
    let output = tool.arg("main.c").current_dir(place.path()).output();
    let output = output.expect("cccp-pp");
    assert_eq!(output.status.code(), Some(1), "{item}");
    assert!(output.stdout.is_empty());
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn s29_what_nobody_can_follow_is_an_error_that_names_the_member() {
    let cases = [
        (
            "struct n { void *value; struct n *next; } *p; void fill(void) { p = malloc(sizeof *p); p->value = getenv(\"HOME\"); }",
            "follow(p)",
            "member `value` of `struct n`",
        ),
        (
            "struct n { void *value; struct n *next; } *p; void fill(void) { p = malloc(sizeof *p); p->value = getenv(\"HOME\"); }",
            "follow(p)",
            "it may point to memory of a library",
        ),
        (
            "struct n { void *value; } *p; void fill(int n) { p = malloc(sizeof *p); p->value = malloc(n); }",
            "follow(p)",
            "it is unknown what the memory holds that it may point to (main.c:2)",
        ),
        (
            "struct n { void *value; } *p; struct x { int n; int *at; }; struct y { int n; long *at; };\n\
             void fill(struct x *x, struct y *y) { p = malloc(sizeof *p); x = malloc(sizeof *x); y = malloc(sizeof *y);\n\
             x->at = &x->n; y->at = (long *)x->at; p->value = x; }",
            "follow(p)",
            "is one of `struct x` and `struct y`, which look alike",
        ),
        (
            "struct n { void *value; } *p; void fill(void) { p = malloc(sizeof *p); p->value = fill; }",
            "follow(p)",
            "it may hold the address of a function",
        ),
        (
            "struct hidden; struct n { struct { struct hidden *in[2]; } part; } n; struct hidden *make(void);\n\
             void fill(void) { n.part.in[0] = make(); }",
            "follow(n)",
            "the members of the struct it points to are not declared here",
        ),
        (
            "void *p; void fill(int n) { p = malloc(n); }",
            "follow(p)",
            "`follow(p)` cannot go through",
        ),
        ("void *p;", "p[]", "the elements of `p` have no size"),
        (
            "double a[3];",
            "a[]",
            "an array has its extents already: `a`",
        ),
        ("double x;", "x[]", "`x[]` is no block of allocated memory"),
    ];
    for (declarations, item, words) in cases {
        let said = refused(declarations, item);
        assert!(said.contains(words), "{item}:\n{said}");
    }
}

/// A program that takes two checkpoints; `change` stands between them.
fn program(place: &Workplace, declarations: &str, begin: &str, item: &str, change: &str) -> Build {
    let text = format!(
        "#include <stdio.h>\n#include <stdlib.h>\n{declarations}\nint main(void)\n{{\nint step;\n#pragma cccp init\n\
         {begin}\n#pragma cccp register(step, {item})\nfor (step = 0; step < 2; step++) {{\n#pragma cccp checkpoint\n\
         {change}\n}}\nputs(\"end\");\n#pragma cccp shutdown\nreturn 0;\n}}\n"
    );
    let file = place.write("main.c", &text);
    Build::files(&[file])
        .with(Compiler::Gcc, &["-O1"])
        .careless()
}

#[test]
fn s28_s29_what_cannot_be_saved_stops_at_the_first_checkpoint() {
    let cases = [
        (
            "static double a[4]; double *p = a;",
            "",
            "p[]",
            "`p[]`, registered by main",
        ),
        (
            "struct s { double x; char *t; } *s;",
            "s = malloc(12);",
            "follow(s)",
            "less than one `struct s`",
        ),
        (
            "struct s { double x; char *t; } *s; float *f;",
            "s = malloc(sizeof *s); s->t = *(char **)&s->x = (char *)s; f = (float *)s;",
            "follow(s), follow(f)",
            "is reached as `struct s` and as `float`",
        ),
        (
            "struct s { double x; char *t; double y; } *s; double *y;",
            "s = malloc(sizeof *s); s->t = (char *)s; y = &s->y;",
            "follow(y)",
            "in the middle of a block of 24 bytes",
        ),
    ];
    for (number, (declarations, begin, item, words)) in cases.into_iter().enumerate() {
        let place = Workplace::new(&format!("first-{number}"));
        let program = program(&place, declarations, begin, item, "").to(place.path(), "main");
        let outcome = program.run(place.path()).go();
        outcome.assert_stopped(75, &["no checkpoint can be taken", words]);
        assert_eq!(Checkpoints::of(place.path(), "main").generations(), [0; 0]);
    }
}

#[test]
fn s25_s28_what_cannot_be_saved_later_is_a_warning_and_the_older_checkpoint_stays() {
    let place = Workplace::new("later");
    let program = program(
        &place,
        "static double a[4]; double *p;",
        "p = malloc(sizeof *p); *p = 1;",
        "p[]",
        "p = a;",
    );
    let program = program.to(place.path(), "main");
    let outcome = program.run(place.path()).set("CCCP_WRITE", "synchronous");
    let outcome = outcome.well();
    outcome.assert_said(&["a checkpoint could not be written", "`p[]`"]);
    assert_eq!(outcome.output, "end\n");
    assert_eq!(Checkpoints::of(place.path(), "main").generations(), [1]);
}

#[test]
fn s13_a_pointer_in_a_block_that_led_to_nothing_is_told_with_the_name_of_the_blocks() {
    let place = Workplace::new("nothing");
    // Nothing is where the second element leads.
    let program = program(
        &place,
        "double **p;",
        "p = malloc(2 * sizeof *p); p[0] = malloc(8); *p[0] = 3; p[1] = (double *)0x123456789000;",
        "follow(p)",
        "*p[0] += 1;",
    );
    let program = program.to(place.path(), "main");
    program
        .run(place.path())
        .set("CCCP_WRITE", "synchronous")
        .kill_at("checkpoint:2");
    let resumed = program.run(place.path()).well();
    resumed.assert_resumed();
    resumed.assert_said(&[
        "blocks `follow(p): double *`",
        "a pointer in it pointed to nothing that was registered",
    ]);
}

#[test]
fn s13_of_pointers_to_what_was_freed_nothing_is_said_also_after_several_restarts() {
    let place = Workplace::new("freed");
    let program = program(
        &place,
        "double **p, *q;",
        "p = malloc(2 * sizeof *p); p[0] = malloc(8); p[1] = malloc(8); q = malloc(8); *p[0] = 3; free(p[1]); free(q);",
        "follow(p), q",
        "*p[0] += 1;",
    );
    let program = program.to(place.path(), "main");
    let run = || program.run(place.path()).set("CCCP_WRITE", "synchronous");
    let killed = run().kill_at("checkpoint:2");
    let again = run().kill_at("checkpoint:1");
    let resumed = run().well();
    resumed.assert_resumed();
    for errors in [&killed.errors, &again.errors, &resumed.errors] {
        assert!(!errors.contains("nothing"), "{errors}");
    }
}

#[test]
fn s29_a_long_list_needs_no_stack_and_threads_allocate_side_by_side() {
    for flags in [&["-O2", "-fopenmp"][..], &["-O2"]] {
        let place = Workplace::new("nodes");
        let build = Build::files(&["tests/programs/nodes.c"])
            .with(Compiler::Gcc, flags)
            .careless();
        let program = build.to(place.path(), "nodes");
        let run = |name: &str| program.run(&place.directory(name)).arguments(&["100000"]);
        let expected = run("undisturbed").well().output;
        run("killed").kill_at("checkpoint:3");
        let resumed = run("killed").under(&["sh", "-c", "ulimit -s 256; exec \"$@\"", "sh"]);
        let resumed = resumed.well();
        resumed.assert_resumed();
        assert_eq!(resumed.output, expected);
    }
}

#[test]
fn s29_every_rank_follows_its_own_list() {
    if !mpi_or_word() {
        return;
    }
    let place = Workplace::new("ranks");
    let build = Build::files(&["tests/programs/nodes.c"])
        .mpi(true)
        .tool_flags(&["-DWITH_MPI"])
        .with(Compiler::Gcc, &["-O2", "-DWITH_MPI"])
        .careless();
    let program = build.to(place.path(), "nodes");
    let run = |name: &str| program.run(&place.directory(name)).ranks(2);
    let expected = run("undisturbed").well().output;
    run("killed").kill_at("checkpoint:3@1");
    // The other rank may be behind, as far as the program lets it.
    let resumes = Checkpoints::of(&place.join("killed"), "nodes").has_common(2);
    let resumed = run("killed").well();
    assert_eq!(resumed.resumed(), resumes, "{}", resumed.errors);
    assert_eq!(resumed.output, expected);
}

#[test]
fn s29_memory_checkers_find_nothing() {
    if !have("valgrind") {
        return;
    }
    let place = Workplace::new("valgrind");
    let build = Build::files(&["tests/programs/nodes.c"])
        .with(Compiler::Gcc, &["-O1"])
        .careless();
    let program = build.to(place.path(), "nodes");
    let check = [
        "valgrind",
        "-q",
        "--error-exitcode=9",
        "--leak-check=full",
        "--errors-for-leak-kinds=definite,possible",
    ];
    program
        .run(place.path())
        .arguments(&["50"])
        .kill_at("checkpoint:3");
    let resumed = program.run(place.path()).arguments(&["50"]).under(&check);
    resumed.well().assert_resumed();
}

#[test]
fn s28_declarations_of_the_c_library_may_come_before_the_file() {
    let place = Workplace::new("included");
    let text = ("double *p;", "p = malloc(800); p[99] = 1;");
    let program = program(&place, text.0, text.1, "p[]", "p[99]++;");
    let program = program
        .with(Compiler::Gcc, &["-O1", "-include", "stdlib.h"])
        .tool_flags(&["-include", "stdlib.h"])
        .to(place.path(), "main");
    let outcome = program.run(place.path()).set("CCCP_WRITE", "synchronous");
    assert_eq!(outcome.well().output, "end\n");
    assert_eq!(Checkpoints::of(place.path(), "main").generations(), [1, 2]);
}
