//! What a name, a type, a storage duration and an asm statement are (S8, S15, S39): programs without a directive in
//! `declarations/` are built in auto mode, killed at checkpoints and started again, and end like the plain C program;
//! programs with directives are built as they are. A program whose first comment says `refused: TEXT | TEXT` is refused
//! with these words, and what the message advises is served.

mod harness;

use std::process::Command;

use harness::{Build, Checkpoints, Compiler, Workplace, precompiler, root};

/// The text of a case, and the flags that its compiler needs.
fn source(name: &str) -> (String, &'static [&'static str]) {
    let path = root().join("tests/declarations").join(format!("{name}.c"));
    let text = std::fs::read_to_string(&path).expect("the case");
    let is_parallel = text.contains("#pragma omp");
    (text, if is_parallel { &["-fopenmp"] } else { &[] })
}

fn survives(name: &'static str, more: &[&str]) {
    let (text, flags) = source(name);
    survives_as(name, &text, flags, more);
}

fn survives_as(name: &'static str, text: &str, flags: &[&str], more: &[&str]) {
    survives_built(name, text, flags, more, Compiler::Gcc);
}

fn survives_built(
    name: &'static str,
    text: &str,
    flags: &[&str],
    more: &[&str],
    compiler: Compiler,
) {
    let place = Workplace::new(name);
    let mut files = vec![place.write(&format!("{name}.c"), text)];
    for other in more {
        files.push(place.write(&format!("{other}.c"), &source(other).0));
    }
    let build = Build::files(&files).with(compiler, flags);
    let plain = build.clone().plain().to(place.path(), "plain");
    let mut words: Vec<&str> = flags.iter().flat_map(|flag| ["--cpp-flag", flag]).collect();
    if !text.contains("#pragma cccp") {
        words.extend(["--auto", "--every", "1"]);
    }
    let program = build.tool_flags(&words).to(place.path(), name);
    let expected = plain.run(&place.directory("plain-run")).well().output;
    let undisturbed = program.run(&place.directory("undisturbed")).well();
    assert_eq!(undisturbed.output, expected, "{name}, undisturbed");
    let last = Checkpoints::of(&place.join("undisturbed"), name).newest();
    assert!(last > 3, "{name} takes no checkpoints");
    for at in [2, last / 2, last - 1] {
        let directory = place.directory(&format!("at-{at}"));
        let run = || program.run(&directory).set("CCCP_WRITE", "synchronous");
        let killed = run().kill_at(&format!("published:{at}"));
        let resumed = run().well();
        assert!(resumed.resumed(), "{name} at {at}: {}", resumed.errors);
        // What was printed before the checkpoint is there again where the output begins anew.
        let output = match resumed.output == expected {
            true => resumed.output,
            false => killed.output + &resumed.output,
        };
        assert_eq!(output, expected, "{name} at {at}");
    }
}

/// What the tool says of a program that it refuses.
fn refused(name: &'static str) -> String {
    refused_as(name, &source(name).0)
}

/// The same with another text.
fn refused_as(name: &'static str, text: &str) -> String {
    let (_, flags) = source(name);
    let place = Workplace::new(name);
    let file = place.write(&format!("{name}.c"), text);
    let mut tool = Command::new(precompiler());
    for flag in flags {
        tool.args(["--cpp-flag", flag]);
    }
    if !text.contains("#pragma cccp") {
        tool.args(["--auto", "--every", "1"]);
    }
    let output = tool.arg("--deny").arg("incomplete").arg(&file).output();
    let output = output.expect("the tool");
    assert_eq!(output.status.code(), Some(1), "{name}");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let wanted = text.split_once("refused: ").expect("words").1;
    let wanted = wanted.split_once("*/").expect("a comment").0;
    for words in wanted.split('|').map(str::trim) {
        assert!(said.contains(words), "{name}: no `{words}` in\n{said}");
    }
    said
}

#[test]
fn s08_s15_thread_local_variables_of_the_initial_thread_come_back() {
    survives("thread_local", &["thread_local_part"]);
}

#[test]
fn s15_s26_thread_local_variables_can_be_registered() {
    survives("thread_local_by_hand", &["thread_local_part"]);
}

#[test]
fn s08_s15_copies_that_each_thread_sets_in_the_region_need_not_come_back() {
    survives("threadprivate", &[]);
}

#[test]
fn s08_s55_what_other_threads_keep_comes_back_where_all_regions_have_as_many_threads() {
    let (text, flags) = source("threadprivate_kept");
    survives_as("threadprivate_kept", &text, flags, &[]);
    refused_as("threadprivate_kept", &unequal(&text));
    let cured = unequal(&text).replace(UNEQUAL, &format!("{UNEQUAL} copyin(kept, table)"));
    survives_as("threadprivate_copied", &cured, flags, &[]);
}

#[test]
fn s08_s55_what_other_threads_keep_is_seen_in_functions_that_are_called_through_pointers() {
    let (text, flags) = source("threadprivate_pointer");
    for variant in ["PLAIN", "IN_TABLE", "DEEP"] {
        let text = format!("#define {variant}\n{text}");
        refused_as("threadprivate_pointer", &unequal(&text));
        survives_as("threadprivate_pointer", &text, flags, &[]);
    }
}

const UNEQUAL: &str = "num_threads(1 + i % 2)";

/// With another number of threads in each pass: no region of its own has as many.
fn unequal(text: &str) -> String {
    text.replace("num_threads(2)", UNEQUAL)
}

#[test]
fn s08_s15_constant_structs_and_arrays_come_back_with_what_was_computed_for_them() {
    survives("constant_structs", &[]);
    refused("constant_by_name");
    let (text, flags) = source("constant_by_name");
    let cured = text.replace("typedef const", "typedef");
    survives_as("variable_by_name", &cured, flags, &[]);
}

#[test]
fn s15_strings_are_as_long_as_the_compiler_makes_them() {
    survives("strings", &[]);
}

#[test]
fn s15_complex_integers_come_back() {
    survives("complex_integers", &[]);
}

#[test]
fn s15_complex_numbers_without_a_portable_form_are_refused() {
    refused("complex_quad");
}

#[test]
fn s15_sizes_of_compound_literals_are_known() {
    survives("sizes_of_literals", &[]);
}

#[test]
fn s08_inline_assembly_does_what_its_operands_say() {
    if cfg!(target_arch = "x86_64") {
        survives("assembly", &[]);
    }
}

#[test]
fn s02_a_call_that_leads_to_a_checkpoint_in_an_operand_is_refused_and_a_variable_is_the_cure() {
    refused("assembly_call");
    let (text, flags) = source("assembly_call");
    let cured = text.replace(
        "__asm__(\"\" : \"+r\"(*next(i)));",
        "int *cell = next(i); __asm__(\"\" : \"+r\"(*cell));",
    );
    assert_ne!(cured, text);
    survives_as("assembly_called_before", &cured, flags, &[]);
}

#[test]
fn s08_structs_with_arrays_of_variable_length_are_declared_again() {
    survives("variable_structs", &[]);
}

#[test]
fn s08_structs_and_unions_that_commas_give_are_the_last_values_and_the_others_have_their_effects() {
    survives("values_of_commas", &[]);
}

#[test]
fn s08_pointers_to_variables_of_a_thread_lead_to_those_of_the_restarted_one() {
    survives("thread_local_pointed", &[]);
}

#[test]
fn s39_variables_that_others_of_the_same_name_hide_come_back_each_with_its_value() {
    survives("hidden", &[]);
    survives("hidden_and_calls", &[]);
    survives("hidden_by_hand", &[]);
}

#[test]
fn s26_s39_what_is_set_again_has_the_value_of_where_it_was_declared() {
    survives("changing_names", &[]);
    survives("changing_names_by_hand", &[]);
}

#[test]
fn s26_what_is_const_for_the_whole_run_needs_no_register_whatever_pointers_lead_there() {
    survives("read_only", &[]);
}

#[test]
fn s03_s08_functions_and_variables_may_have_names_that_the_library_needs() {
    survives("names_of_the_library", &["names_of_the_library_more"]);
}

#[test]
fn s03_s08_macros_may_have_the_names_of_functions_that_the_library_has_to_see() {
    for compiler in [Compiler::Gcc, Compiler::Clang] {
        let (text, flags) = source("macros_of_allocators");
        let path = format!("-I{}", root().join("tests/declarations").display());
        let flags = [flags, &[path.as_str()]].concat();
        let more = ["macros_of_allocators_part"];
        survives_built("macros_of_allocators", &text, &flags, &more, compiler);
    }
}

#[test]
fn s03_s08_macros_of_the_command_line_may_have_names_of_the_librarys_headers() {
    let first = root().join("tests/declarations/macros_of_the_command_line.h");
    let first = first.display().to_string();
    let flags = [
        "-Dfirst=3",
        "-Dsize=8",
        "-Dkind=1",
        "-Dcalls=40",
        "-include",
        &first,
    ];
    for compiler in [Compiler::Gcc, Compiler::Clang] {
        let (text, _) = source("macros_of_the_command_line");
        survives_built("macros_of_the_command_line", &text, &flags, &[], compiler);
        let lines = text
            .lines()
            .filter(|line| !line.starts_with("#pragma cccp"));
        let inferred = lines.collect::<Vec<_>>().join("\n") + "\n";
        survives_built(
            "macros_of_the_command_line",
            &inferred,
            &flags,
            &[],
            compiler,
        );
    }
}

#[test]
fn s03_s08_all_names_that_the_library_needs_are_known() {
    let place = Workplace::new("needed");
    let text = "#include <stdio.h>\nint main(void)\n{\n#pragma cccp init\n    puts(\"\");\n    return 0;\n}\n";
    let file = place.write("needed.c", text);
    let program = Build::files(&[file])
        .statically()
        .to(place.path(), "needed");
    let mut nm = Command::new("nm");
    nm.args(["-D", "--undefined-only", "--format=just-symbols"]);
    let found = nm.arg(&program.path).output().expect("nm");
    assert!(found.status.success());
    let found = String::from_utf8(found.stdout).expect("names");
    let names = found
        .lines()
        .map(|line| line.split('@').next().unwrap_or(line));
    // What compilers call on their own, what allocates, and what a program that defines it means for everybody.
    let meant = [
        "malloc",
        "calloc",
        "realloc",
        "free",
        "aligned_alloc",
        "memalign",
        "posix_memalign",
        "mallopt",
        "bcmp",
        "memcmp",
        "memcpy",
        "memmove",
        "memset",
        "strlen",
        "strnlen",
        "strdup",
        "strndup",
        "abort",
        "exit",
        "environ",
        "stdin",
        "stdout",
        "stderr",
        "puts",
        "on_exit",
        "clock_gettime",
    ];
    let generators = ["initstate", "setstate", "seed48", "lcong48", "jrand48"];
    let names: Vec<&str> = names
        .filter(|name| {
            !name.starts_with('_') && !meant.contains(name) && !generators.contains(name)
        })
        .collect();
    assert!(names.len() > 100, "{names:?}");
    let defined: String = names.iter().map(|name| format!("int {name};\n")).collect();
    let text = format!("{defined}int main(void)\n{{\n#pragma cccp init\n    return 0;\n}}\n");
    let file = place.write("defined.c", &text);
    let output = Command::new(precompiler())
        .arg(file)
        .output()
        .expect("the precompiler");
    let output = String::from_utf8(output.stdout).expect("C text");
    for name in names {
        let line = format!("#pragma redefine_extname {name} cccp_own_{name}\n");
        assert!(output.contains(&line), "{name}");
    }
}

#[test]
fn s15_types_that_are_declared_in_a_block_come_back() {
    for name in [
        "local_types",
        "local_types_in_callers",
        "local_types_in_types",
        "local_types_by_hand",
    ] {
        for compiler in [Compiler::Gcc, Compiler::Clang] {
            let (text, flags) = source(name);
            survives_built(name, &text, flags, &[], compiler);
        }
    }
}

#[test]
fn s15_types_of_a_block_with_attributes_are_refused_and_the_file_is_the_cure() {
    for name in ["local_types_packed", "local_types_aligned"] {
        refused(name);
        let (text, flags) = source(name);
        let start = text.find("    struct").expect("the type");
        let end = start + text[start..].find('\n').expect("its end") + 1;
        let cured = text.replacen(&text[start..end], "", 1);
        let cured = cured.replacen("int main", &format!("{}\nint main", &text[start..end]), 1);
        survives_as("at_file_scope", &cured, flags, &[]);
    }
}

#[test]
fn s21_structs_of_the_same_name_in_two_files_are_told_apart() {
    survives("namesake_structs", &["namesake_structs_part"]);
}

#[test]
fn s08_declarations_in_which_several_calls_lead_to_checkpoints_are_cut_between_them() {
    survives("several_declarators", &[]);
}

#[test]
fn s11_s33_pointers_in_structs_that_are_handed_over_by_value_may_lead_nowhere_when_nobody_follows_them()
 {
    survives("struct_by_value", &[]);
}

#[test]
fn s03_s08_variables_may_have_the_names_of_their_types() {
    survives(
        "types_named_like_variables",
        &["types_named_like_variables_part"],
    );
}
