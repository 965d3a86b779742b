//! Items are as long as the memory that they name: what is known to be wrong before the run is a message of the precompiler,
//! the rest is found at the first checkpoint. What is right is met with silence.

mod harness;

use std::process::Command;

use harness::{Build, Checkpoints, Compiler, Program, Workplace, tools_directory};

/// What `cccp-pp` says about a program with these declarations at the start of `main` and this register.
fn told(name: &str, declarations: &str, items: &str, flags: &[&str]) -> (Option<i32>, String) {
    let place = Workplace::new(name);
    let text = format!(
        "#include <stdlib.h>\n#include <stdio.h>\nint main(int argc, char **argv)\n{{\nlong step, n = argc + 10;\n#pragma cccp init\n\
         {declarations}\n#pragma cccp register(step, n, {items})\nfor (step = 0; step < 5; step++) {{\n#pragma cccp checkpoint\n\
         u[step] += u[n - 1] + **argv;\n}}\nprintf(\"%g\\n\", (double)u[0]);\n#pragma cccp shutdown\nreturn 0;\n}}\n"
    );
    place.write("main.c", &text);
    let mut tool = Command::new(tools_directory().join("cccp-pp"));
    let output = tool.args(flags).arg("main.c").current_dir(place.path());
    let output = output.output().expect("cccp-pp");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), said)
}

#[test]
fn s36_lengths_that_differ_are_told_before_the_run() {
    let cases = [
        (
            "double *u = malloc(n * sizeof *u);",
            "u[n/2]",
            "registers `n/2`, where there are `n`",
        ),
        (
            "double *u = calloc(n, sizeof *u);",
            "u[2*n]",
            "registers `2*n`, where there are `n`",
        ),
        (
            "typedef float real; real *u = malloc(sizeof(real) * n * 3);",
            "u[n]",
            "registers `n`, where there are `3 * n`",
        ),
        (
            "struct s { double *at; } s, *p = &s; double *u = p->at = malloc(n * n * 8);",
            "p->at[n], u",
            "there are `n * n`",
        ),
        (
            "int u[12];",
            "u[13]",
            "registers `13`, where there are `12`",
        ),
        (
            "double v[12], *u = v;",
            "v, u[13]",
            "registers `13`, where there are `12`",
        ),
        (
            "long *u = malloc(n * sizeof *u); u = realloc(u, 2 * n * sizeof *u);",
            "u[n]",
            "",
        ),
        ("long *u = malloc((n + 1) * sizeof *u);", "u[n + 1]", ""),
        ("long *u = malloc(n * sizeof *u); n--;", "u[n + 1]", ""),
        (
            "long *u = malloc(n * sizeof *u), *v = u + 3;",
            "u[3], v[n - 3]",
            "",
        ),
    ];
    for (number, (declarations, items, words)) in cases.into_iter().enumerate() {
        let (code, said) = told(&format!("told-{number}"), declarations, items, &[]);
        assert_eq!(code, Some(0), "{items}:\n{said}");
        match words {
            "" => assert!(!said.contains("CCCP306"), "{items}:\n{said}"),
            words => assert!(
                said.contains("warning[CCCP306]") && said.contains(words),
                "{items}:\n{said}"
            ),
        }
    }
    let (declarations, items, _) = cases[0];
    let (code, said) = told("denied", declarations, items, &["--deny", "incomplete"]);
    assert_eq!(code, Some(1));
    assert!(said.contains("error[CCCP306]"), "{said}");
    // Auto mode answers for what is saved.
    let pointed = "struct s { double *at; } s, *p = &s; double *u = p->at = malloc(n * n * 8);";
    for (declarations, items) in [
        (declarations, items),
        (
            "#define LENGTH(of) (of / 2)\ndouble *u = calloc(n, sizeof *u);",
            "u[LENGTH(n)]",
        ),
        (
            "typedef double real; real *u = malloc(n * sizeof(real));",
            "u[n - 3]",
        ),
        (pointed, "p->at[n], u"),
    ] {
        let (code, said) = told("auto", declarations, items, &["--auto"]);
        assert_eq!(code, Some(1), "{items}: {said}");
        assert!(said.contains("error[CCCP306]"), "{items}: {said}");
    }
    // The cure works.
    let (code, said) = told("cured", declarations, "u[]", &["--deny", "incomplete"]);
    assert_eq!((code, said.as_str()), (Some(0), ""));
}

struct Forms {
    place: Workplace,
    program: Program,
}

impl Forms {
    fn built(name: &str) -> Forms {
        let place = Workplace::new(name);
        let build = Build::files(&["tests/lengths/forms.c", "tests/lengths/rods.c"]);
        let program = build.with(Compiler::Gcc, &["-O1"]).careless();
        let program = program.to(place.path(), "forms");
        Forms { place, program }
    }

    fn run(&self, item: &str, by: &str) -> harness::Run {
        let directory = format!("{item}{by}").replace("->", "-");
        let run = self.program.run(&self.place.directory(&directory));
        run.arguments(&[item, by]).set("CCCP_WRITE", "synchronous")
    }
}

/// Items behind pointers to blocks.
const BLOCKS: [&str; 8] = [
    "plain", "f->cells", "helped", "made", "again", "flat", "large", "aligned",
];

#[test]
fn s36_an_item_that_is_too_long_stops_the_first_checkpoint() {
    let forms = Forms::built("long");
    for item in BLOCKS.iter().chain(&["table", "f->row", "text"]) {
        let outcome = forms.run(item, "600").go();
        let whom = format!("`{item}` of main");
        outcome.assert_stopped(
            75,
            &["no checkpoint can be taken", &whom, "goes beyond the end"],
        );
        let directory = forms.place.join(&format!("{item}600").replace("->", "-"));
        assert_eq!(Checkpoints::of(&directory, "forms").generations(), [0; 0]);
    }
}

#[test]
fn s36_an_item_that_is_too_short_is_reported_at_the_first_checkpoint() {
    let forms = Forms::built("short");
    let expected = forms.run("none", "0").well();
    assert_eq!(expected.errors, "", "right ones are met with silence");
    for item in BLOCKS {
        // Blocks of pages of their own are known to a page.
        let by = if item == "large" { "-1000" } else { "-40" };
        let outcome = forms.run(item, by).well();
        let whom = format!("`{item}` of main");
        outcome.assert_said(&[&whom, "leaves out a part of its block"]);
        assert_eq!(outcome.output, expected.output);
    }
}

#[test]
fn s36_a_restart_allocates_as_much_as_there_was_although_less_is_registered() {
    let forms = Forms::built("room");
    // Only what is not registered is lost: the program writes to all of the block, which is there.
    for (item, by) in [("made", "-40"), ("plain", "-900"), ("large", "-190000")] {
        forms.run(item, by).kill_at("checkpoint:2");
        let resumed = forms
            .run(item, by)
            .under(&["env", "MALLOC_CHECK_=3"])
            .well();
        resumed.assert_resumed();
        resumed.assert_said(&["leaves out a part of its block"]);
    }
}

#[test]
fn s36_poison_shows_what_no_register_brings_back() {
    let forms = Forms::built("poison");
    for (by, is_right) in [("0", true), ("-900", false)] {
        forms.run("helped", by).kill_at("checkpoint:2");
        let resumed = forms.run("helped", by).set("CCCP_POISON", "on").well();
        resumed.assert_resumed();
        assert_eq!(
            resumed.output.contains("nan"),
            !is_right,
            "{}",
            resumed.output
        );
    }
}

#[test]
fn s26_poison_shows_every_variable_that_no_register_brings_back() {
    let place = Workplace::new("unregistered");
    for (compiler, flags) in [(Compiler::Gcc, "-O2"), (Compiler::Clang, "-O0")] {
        let build = Build::files(&["tests/lengths/unregistered.c"]);
        let name = format!("{}{flags}", compiler.command());
        let program = build
            .with(compiler, &[flags])
            .careless()
            .to(place.path(), &name);
        let directory = place.directory(&format!("{name}-run"));
        let run = program.run(&directory).set("CCCP_WRITE", "synchronous");
        run.clone().kill_at("published:1");
        let resumed = run.well();
        assert!(resumed.resumed(), "{}", resumed.errors);
        let number = 0x7fa4_dead;
        assert_eq!(
            resumed.output,
            format!(
                "inner {number} nan {number} 0\nkept 2 5 4 7 1\nouter nan nan nan nan\nkept 1 2 3 6\n"
            )
        );
    }
}

#[test]
fn s13_an_item_whose_memory_others_have_now_stops_no_restart_and_is_reported() {
    let place = Workplace::new("reused");
    let build = || Build::files(&["tests/lengths/reused.c"]).with(Compiler::Gcc, &["-O1"]);
    let expected = build().plain().to(place.path(), "plain").run(place.path());
    let expected = expected.well().output;
    let program = build().to(place.path(), "reused");
    // Where the C library puts later blocks depends on how much lies on the heap before: on the environment, too.
    let mut reported = 0;
    for fill in 0..12 {
        let run = program.run(&place.directory(&format!("kept-{fill}")));
        let run = run.set("CCCP_WRITE", "synchronous");
        let run = run.set("FILL", &"x".repeat(333 * fill));
        run.clone().kill_at("checkpoint:3");
        let resumed = run.well();
        resumed.assert_resumed();
        assert_eq!(resumed.output, expected);
        let words = [
            "`table` of main",
            "goes beyond the end of its memory",
            "unregister it",
        ];
        reported += usize::from(words.iter().all(|word| resumed.errors.contains(word)));
    }
    assert!(reported > 0, "the block is never used again");
    // The cure works.
    let run = program.run(&place.directory("cure")).arguments(&["cured"]);
    run.clone().kill_at("published:3");
    let resumed = run.well();
    resumed.assert_resumed();
    assert_eq!(resumed.output, expected);
    assert!(!resumed.errors.contains("warning"), "{}", resumed.errors);
}
