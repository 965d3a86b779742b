//! Auto mode: programs without a single directive survive, and what is inferred for them is what a person would write
//! (S8, S9, S10, S12, S26).
//!
//! Every sample without its directives, and the programs in `auto/`, are built with `cccp-pp --auto`, killed at
//! checkpoints and started again; they have to end like the plain C program. What `--annotate` prints for them is kept
//! in `auto/annotated`; CCCP_BLESS=1 writes it anew.

#[path = "auto/cases.rs"]
mod cases;
mod harness;
#[path = "auto/refused.rs"]
mod refused;

use std::path::Path;
use std::process::Command;

use cases::{CASES, Case};
use harness::{Build, Checkpoints, Workplace, finish, mpi_or_word, precompiler, root};

fn survives(name: &str) {
    let case = Case::named(name);
    if case.mpi && !mpi_or_word() {
        return;
    }
    let place = Workplace::new(name);
    let files = case.write_to(&place.directory("source"));
    let build = Build::files(&files).mpi(case.mpi);
    let include = format!("-I{}", place.join("source").display());
    let flags: Vec<&str> = case
        .flags
        .iter()
        .copied()
        .chain([include.as_str()])
        .collect();
    let build = build.with(harness::Compiler::Gcc, &flags);
    let plain = build.clone().plain().to(place.path(), "plain");
    let every = case.every.to_string();
    let openmp = case.flags.contains(&"-fopenmp");
    let build = match openmp {
        true => build.tool_flags(&["--cpp-flag", "-fopenmp"]),
        false => build,
    };
    let automatic = build.tool_flags(&["--auto", "--every", &every]);
    let program = automatic.to(place.path(), "automatic");
    for &ranks in case.ranks {
        let run = |program: &harness::Program, directory: &str| {
            let directory = place.directory(&format!("{directory}-{ranks}"));
            program
                .run(&directory)
                .ranks(ranks)
                .arguments(case.arguments)
        };
        let results = |directory: &str| -> String {
            let directory = place.directory(&format!("{directory}-{ranks}"));
            let read = |name: &&str| std::fs::read_to_string(directory.join(name));
            let texts = case.written.iter().map(|name| match read(name) {
                Ok(text) => format!("== {name}\n{text}"),
                Err(error) => format!("== {name}: {error}\n"),
            });
            texts.collect()
        };
        let has_common = |directory: &str| {
            let directory = place.directory(&format!("{directory}-{ranks}"));
            Checkpoints::of(&directory, "automatic").has_common(ranks)
        };
        let expected = run(&plain, "plain").well().output + &results("plain");
        let undisturbed = run(&program, "undisturbed").well();
        assert_eq!(undisturbed.output + &results("undisturbed"), expected);
        for (number, kill) in case.kills.iter().enumerate() {
            let directory = format!("killed-{number}");
            for (attempt, point) in kill.iter().enumerate() {
                let rank = (number + attempt) % ranks;
                let point = format!("checkpoint:{point}@{rank}");
                let resumes = has_common(&directory);
                let outcome = run(&program, &directory).kill_at(&point);
                assert_eq!(outcome.resumed(), resumes, "{}", outcome.errors);
            }
            // Other ranks than the one that was killed may be behind, as far as the program lets them.
            let resumes = has_common(&directory);
            assert!(resumes || ranks > 1, "{name}: no checkpoint");
            let outcome = run(&program, &directory).well();
            assert_eq!(outcome.resumed(), resumes, "{}", outcome.errors);
            let found = outcome.output + &results(&directory);
            assert_eq!(found, expected, "{name}, {ranks} ranks, killed at {kill:?}");
        }
    }
}

/// The tool's answer for a case in the directory of its files.
fn tool(case: &Case, directory: &Path, words: &[&str]) -> String {
    let mut tool = Command::new(precompiler());
    tool.current_dir(directory).args(words).args(case.options());
    if case.mpi {
        tool.args(["--cc", "mpicc"]);
    }
    tool.args(
        case.files
            .iter()
            .map(|file| Path::new(file).file_name().expect("a name")),
    );
    let output = finish(&mut tool);
    String::from_utf8(output.stdout).expect("the tool writes UTF-8")
}

#[test]
fn every_line_that_is_inferred_is_known_and_has_its_reason() {
    for case in CASES {
        if case.mpi && !mpi_or_word() {
            continue;
        }
        let place = Workplace::new(case.name);
        case.write_to(place.path());
        let patch = tool(case, place.path(), &["--annotate=patch"]);
        let golden = case.annotated();
        if std::env::var_os("CCCP_BLESS").is_some() {
            std::fs::write(&golden, &patch).expect("the golden file");
        }
        let known = std::fs::read_to_string(&golden).unwrap_or_default();
        assert_eq!(patch, known, "{}: CCCP_BLESS=1 writes it anew", case.name);
    }
}

#[test]
fn an_annotated_program_has_the_plan_of_auto_mode() {
    for case in CASES {
        if case.mpi && !mpi_or_word() {
            continue;
        }
        let place = Workplace::new(case.name);
        case.write_to(place.path());
        let automatic = tool(case, place.path(), &["--auto", "--emit", "plan"]);
        let mut apply = Command::new("patch");
        apply.current_dir(place.path()).args(["-p0", "--quiet"]);
        // What `--annotate=patch` prints: the test above compares it.
        finish(apply.arg("-i").arg(case.annotated()));
        let words = ["--deny", "incomplete", "--emit", "plan"];
        let annotated = tool(case, place.path(), &words);
        // Lines of the text are counted with the added ones there; fingerprints are not about lines.
        let plain = |text: &str| -> Vec<String> {
            let words = text.lines().map(|line| {
                let words: Vec<&str> = line.split_whitespace().collect();
                let mut kept: Vec<&str> = Vec::new();
                let mut skip = false;
                for word in words {
                    if !skip && word != "line" {
                        kept.push(word);
                    }
                    skip = word == "line";
                }
                kept.join(" ")
            });
            words.filter(|line| !line.starts_with("edits")).collect()
        };
        assert_eq!(plain(&automatic), plain(&annotated), "{}", case.name);
    }
}

#[test]
fn s08_heat_serial_without_directives_survives() {
    survives("heat-serial");
}

#[test]
fn s08_memory_behind_a_member_of_a_struct_that_was_handed_over_survives() {
    survives("handed-over");
}

#[test]
fn s08_s36_memory_that_one_branch_allocates_survives() {
    survives("branches");
}

#[test]
fn s08_s15_n_body_without_directives_survives() {
    survives("n-body");
}

#[test]
fn s09_recursion_without_directives_survives() {
    survives("recursion");
}

#[test]
fn s12_s13_s14_adaptive_without_directives_survives() {
    survives("adaptive");
}

#[test]
fn s08_state_in_another_file_survives() {
    survives("two-files");
}

#[test]
fn s08_s28_memory_of_functions_that_nobody_declares_survives() {
    survives("undeclared");
}

#[test]
fn s08_s29_pointers_to_structs_that_nothing_makes_survive() {
    survives("never_made");
}

#[test]
fn s08_s55_what_each_thread_has_of_its_own_survives_between_regions() {
    survives("own_copies");
}

#[test]
fn s08_s29_structs_whose_members_only_another_file_declares_survive() {
    survives("opaque");
}

#[test]
fn s08_variables_whose_size_only_another_file_knows_survive() {
    survives("unsized");
}

#[test]
fn s08_s13_matrices_that_come_and_go_survive_beside_threads() {
    survives("matrices");
}

#[test]
fn s08_s14_locals_that_come_to_be_between_calls_of_a_function_with_a_checkpoint_survive() {
    survives("operators");
}

#[test]
fn s08_words_of_the_command_line_that_change_and_variables_that_libraries_set_survive() {
    survives("options");
}

#[test]
fn s9_what_is_made_by_one_call_of_a_function_counts_for_the_later_ones_only() {
    survives("products");
}

#[test]
fn s9_a_number_that_a_block_reads_and_that_was_asked_for_is_registered_before_it() {
    survives("asked");
}

#[test]
fn s9_numbers_that_one_rank_read_into_a_buffer_that_is_gone_come_back_for_communicators() {
    survives("read_by_one_rank");
}

#[test]
fn s08_functions_behind_the_macros_of_tgmath_keep_nothing() {
    survives("generic_math");
}

#[test]
fn s9_a_copied_word_of_the_command_line_holds_no_pointer() {
    survives("households");
}

#[test]
fn s08_s14_what_a_function_made_through_a_local_pointer_survives_its_return() {
    survives("makers");
}

#[test]
fn s64_threads_that_each_pass_makes_and_joins_are_served() {
    survives("joined");
}

#[test]
fn s64_a_program_whose_thread_nobody_starts_has_none() {
    survives("unstarted");
    survives("countdown");
}

#[test]
fn s64_a_checkpoint_waits_until_threads_are_joined() {
    survives("waiting");
    let place = Workplace::new("waits");
    let build = Build::files(&["tests/auto/waiting.c"]).tool_flags(&["--auto"]);
    let program = build.to(place.path(), "waiting");
    let run = program.run(&place.directory("run")).well();
    let said = "a checkpoint waits for 1 thread of the program to be joined";
    assert!(run.errors.contains(said), "{}", run.errors);
}

#[test]
fn s08_the_loop_that_does_the_work_of_a_job_has_a_checkpoint_too() {
    survives("jobs");
    survives("histories");
}

#[test]
fn s08_a_word_before_a_call_stays_a_word() {
    survives("word");
}

#[test]
fn s65_processes_that_each_pass_starts_and_waits_for_are_served() {
    survives("commands");
    survives("regions_and_commands");
}

#[test]
fn s65_a_checkpoint_waits_while_a_process_of_the_program_is_there() {
    let place = Workplace::new("commands");
    let build = Build::files(&["tests/auto/commands.c"]).tool_flags(&["--auto"]);
    let program = build.to(place.path(), "commands");
    let own = program.run(&place.directory("file")).well();
    let said = "a checkpoint waits for a process that the program has started";
    assert!(!own.errors.contains(said), "{}", own.errors);
    let run = program
        .run(&place.directory("pipe"))
        .arguments(&["pipe"])
        .well();
    assert!(run.errors.contains(said), "{}", run.errors);
    assert_eq!(own.output, run.output);
}

#[test]
fn s08_a_line_that_is_taken_to_pieces_in_each_pass_needs_nothing_of_the_one_before() {
    survives("tokens");
}

#[test]
fn s08_buffers_of_libraries_to_which_nothing_leads_are_not_needed() {
    survives("messages");
}

#[test]
fn s08_a_program_whose_work_is_in_the_value_of_main_survives() {
    survives("returned");
}

#[test]
fn s08_an_array_that_a_function_fills_for_its_caller_survives() {
    survives("filled");
}

#[test]
fn s08_s36_blocks_of_different_types_in_one_table_have_the_types_that_their_allocations_name() {
    survives("tables");
}

#[test]
fn s13_s36_blocks_that_functions_of_the_program_allocate_through_an_address_survive() {
    survives("wrappers");
}

#[test]
fn s16_a_number_of_threads_that_is_set_in_a_region_is_gone_with_its_team() {
    survives("teams");
}

#[test]
fn s13_s28_s29_blocks_that_change_places_survive() {
    survives("swapped");
}

#[test]
fn s15_a_struct_with_arrays_of_pointers_to_itself_survives() {
    survives("children");
}

#[test]
fn s08_arrays_of_pointers_in_structs_survive() {
    survives("rings");
}

#[test]
fn s10_s15_a_tree_of_nodes_survives() {
    survives("words");
}

#[test]
fn s08_s16_files_random_numbers_and_what_libraries_keep_survive() {
    survives("files");
}

#[test]
fn s08_what_threads_have_of_their_own_and_hand_on_by_address_needs_no_register() {
    survives("stations");
}

#[test]
fn s16_s17_heat_mpi_without_directives_survives() {
    survives("heat-mpi");
}

#[test]
fn s18_conjugate_gradient_mpi_without_directives_survives() {
    survives("conjugate-gradient-mpi");
}

#[test]
fn s09_s16_datatypes_and_communicators_of_several_passes_survive() {
    survives("spokes");
}

#[test]
fn s16_communicators_and_files_without_directives_survive() {
    survives("communicators-and-files");
}

/// A program of `auto/`, plain and with the directives that are inferred, which may come with warnings.
fn both(place: &Workplace, name: &str) -> (harness::Program, harness::Program) {
    both_with(place, name, &["--auto"])
}

fn both_with(
    place: &Workplace,
    name: &str,
    flags: &[&str],
) -> (harness::Program, harness::Program) {
    let build = Build::files(&[format!("tests/auto/{name}.c")]).mpi(true);
    let automatic = build.clone().tool_flags(flags).careless();
    (
        build.plain().to(place.path(), "plain"),
        automatic.to(place.path(), "automatic"),
    )
}

#[test]
fn s17_s18_s19_ranks_that_iterate_differently_often_come_back_together() {
    if !mpi_or_word() {
        return;
    }
    let place = Workplace::new("shares-killed");
    let (plain, program) = both(&place, "shares");
    let run = |directory: &str, keep: &str| {
        let run = program.run(&place.directory(directory)).ranks(3);
        run.set("CCCP_KEEP", keep).set("CCCP_WRITE", "synchronous")
    };
    let expected = plain.run(place.path()).ranks(3).well().output;
    // All ranks have left the loop, after 12, 6 and 4 iterations. What they have in common is the last checkpoint of the one
    // that left it first, and it stays that, however often the others take more.
    for _ in 0..2 {
        run("left", "1").kill_at("shutdown");
    }
    let outcome = run("left", "1").well();
    outcome.assert_said(&["restart", "generation 4,"]);
    assert_eq!(outcome.output, expected);
    // The run was completed, by every rank after another number of checkpoints.
    let outcome = run("left", "1").well();
    assert!(!outcome.resumed(), "{}", outcome.errors);
    assert_eq!(outcome.output, expected);
    // While some are in the loop; who is how far is left to chance.
    for point in ["checkpoint:10@0", "published:3@1"] {
        let directory = point.replace([':', '@'], "-");
        run(&directory, "2").kill_at(point);
        run(&directory, "2").kill_at("published:1@0");
        assert_eq!(run(&directory, "2").well().output, expected);
    }
}

#[test]
fn s08_s18_a_checkpoint_is_taken_with_the_numbers_of_ranks_for_which_it_is_safe() {
    if !mpi_or_word() {
        return;
    }
    let place = Workplace::new("pairs-killed");
    let (plain, program) = both(&place, "pairs");
    for ranks in [2, 3] {
        let expected = plain.run(place.path()).ranks(ranks).well().output;
        let directory = place.directory(&format!("on-{ranks}"));
        let run = || program.run(&directory).ranks(ranks);
        if ranks % 2 == 0 {
            run().kill_at("checkpoint:4@1");
            let outcome = run().well();
            outcome.assert_resumed();
            assert_eq!(outcome.output, expected);
            continue;
        }
        run().kill_at("shutdown:1@1");
        let outcome = run().well();
        assert!(!outcome.resumed(), "{}", outcome.errors);
        outcome.assert_said(&[
            "warning: the checkpoint in main (",
            "is for ranks(1, even); this run has 3 ranks: no checkpoint is taken",
        ]);
        assert_eq!(outcome.errors.lines().count(), 1, "{}", outcome.errors);
        assert_eq!(outcome.output, expected);
        let outcome = run().set("CCCP_RANKS", "stop").go();
        outcome.assert_stopped(
            75,
            &[
                "is for ranks(1, even); this run has 3 ranks",
                "ranks = stop",
            ],
        );
    }
}

#[test]
fn s08_s16_s17_s18_messages_that_nobody_can_follow_before_the_run_are_counted() {
    if !mpi_or_word() {
        return;
    }
    let place = Workplace::new("halos-killed");
    let (plain, program) = both(&place, "halos");
    for ranks in [2, 4] {
        let expected = plain.run(place.path()).ranks(ranks).well().output;
        let directory = place.directory(&format!("on-{ranks}"));
        let run = || {
            let run = program.run(&directory).ranks(ranks);
            run.set("CCCP_WRITE", "synchronous")
        };
        run().kill_at("published:7@1");
        run().kill_at("checkpoint:9@0").assert_resumed();
        let outcome = run().well();
        outcome.assert_resumed();
        assert_eq!(outcome.output, expected);
    }
}

#[test]
fn s08_s55_what_a_region_registers_and_does_not_name_otherwise_survives() {
    survives("tracers");
}

/// A program of `auto/` that is killed twice on three ranks; its checkpoints are in its steps.
fn steps_survive(name: &str, place_of_checkpoint: &str) {
    steps_survive_with(name, &["--auto"], place_of_checkpoint);
}

fn steps_survive_with(name: &str, flags: &[&str], place_of_checkpoint: &str) {
    if !mpi_or_word() {
        return;
    }
    let place = Workplace::new(&format!("{name}-killed"));
    let (plain, program) = both_with(&place, name, flags);
    let expected = plain.run(place.path()).ranks(3).well().output;
    let directory = place.directory("run");
    let run = || {
        let run = program.run(&directory).ranks(3);
        run.set("CCCP_WRITE", "synchronous").set("CCCP_EVERY", "1")
    };
    run().kill_at("published:4@1");
    let outcome = run().kill_at("checkpoint:9@0");
    outcome.assert_said(&["restart", place_of_checkpoint]);
    let outcome = run().well();
    outcome.assert_said(&["restart", place_of_checkpoint]);
    assert_eq!(outcome.output, expected);
}

#[test]
fn s18_messages_of_ranks_with_two_neighbours_are_counted_where_only_one_and_two_ranks_are_known_to_be_safe()
 {
    steps_survive("lost_requests", "checkpoint in main");
}

#[test]
fn s18_ranks_that_read_differently_much_and_then_step_together_have_checkpoints_in_their_steps() {
    steps_survive("basins", "checkpoint in main");
}

#[test]
fn s08_s16_handles_that_mpi_defines_come_back_beside_memory_whatever_points_to_them() {
    steps_survive("untyped", "checkpoint in main");
}

#[test]
fn s08_s16_what_a_message_leads_to_is_called_by_nobody() {
    steps_survive("letters", "checkpoint in relax");
}

#[test]
fn s08_s16_what_mpi_keeps_to_itself_holds_nothing_of_the_program() {
    steps_survive("drawers", "checkpoint in solve");
    let by_types = ["--auto", "--heap=typed"];
    steps_survive_with("compartments", &by_types, "checkpoint in main");
}

#[test]
fn s08_s18_steps_behind_an_error_that_finalises_mpi_have_checkpoints() {
    steps_survive("cords", "checkpoint in swing");
}

#[test]
fn s31_requests_that_the_next_pass_completes_leave_a_place_where_none_is_under_way() {
    if !mpi_or_word() {
        return;
    }
    let place = Workplace::new("ahead-killed");
    let (plain, program) = both(&place, "ahead");
    let expected = plain.run(place.path()).ranks(2).well().output;
    let directory = place.directory("run");
    let run = || {
        let run = program.run(&directory).ranks(2);
        run.set("CCCP_WRITE", "synchronous").set("CCCP_EVERY", "1")
    };
    run().kill_at("checkpoint:9@0");
    // Each has received what the other one sent behind its eighth checkpoint.
    let outcome = run().kill_at("checkpoint:19@1");
    outcome.assert_said(&["restart", "from generation 8,"]);
    let outcome = run().well();
    outcome.assert_resumed();
    assert_eq!(outcome.output, expected);
}

/// Programs with a checkpoint where a person wants one, in branches, behind labels, in functions that call each other:
/// those of the golden tests, killed at each of the first checkpoints.
#[test]
fn s08_s09_s13_registers_at_the_beginnings_of_names_are_enough() {
    for name in [
        "begun",
        "branches",
        "not_yet",
        "comes_back",
        "turned",
        "leads",
        "set_later",
        "decays",
        "waits",
        "leaves",
        "given_back",
    ] {
        let place = Workplace::new(name);
        let file = root().join(format!("precompiler/tests/golden/auto/{name}.c"));
        let build = Build::files(&[file]).with(
            harness::Compiler::Gcc,
            &["-O1", "-Wno-implicit-fallthrough", "-Wno-pedantic"],
        );
        let plain = build.clone().plain().to(place.path(), "plain");
        let program = build.tool_flags(&["--auto"]).to(place.path(), "automatic");
        let expected = plain.run(place.path()).well().output;
        for kill in 2..9 {
            let directory = place.directory(&format!("killed-{kill}"));
            let run = || program.run(&directory).set("CCCP_WRITE", "synchronous");
            let killed = run().set("CCCP_KILL_AT", &format!("checkpoint:{kill}"));
            if !killed.go().killed() {
                assert!(kill > 2, "{name}: no checkpoint is taken");
                break;
            }
            let outcome = run().well();
            outcome.assert_resumed();
            assert_eq!(outcome.output, expected, "{name}, killed at {kill}");
            let errors = outcome.errors;
            assert!(!errors.contains("could not be written"), "{name}: {errors}");
        }
    }
}

#[test]
fn s08_all_loops_have_checkpoints_of_which_nobody_knows_before_the_run_how_much_they_do() {
    let place = Workplace::new("phases");
    let build = Build::files(&["tests/auto/phases.c"]);
    let plain = build.clone().plain().to(place.path(), "plain");
    let program = build
        .tool_flags(&["--auto", "--every", "1"])
        .to(place.path(), "automatic");
    // All the time goes into the second loop, or into both.
    for arguments in [&[][..], &["12", "60", "0.2"]] {
        let expected = plain.run(place.path()).arguments(arguments).well().output;
        for kill in [3, 15] {
            let directory = place.directory(&format!("killed-{kill}-{}", arguments.len()));
            let run = || program.run(&directory).arguments(arguments);
            run().kill_at(&format!("checkpoint:{kill}"));
            let outcome = run().well();
            outcome.assert_resumed();
            assert_eq!(outcome.output, expected, "{arguments:?}, killed at {kill}");
        }
    }
}

#[test]
fn s02_further_loops_that_cannot_be_served_are_named_and_the_others_have_their_checkpoints() {
    let mut tool = Command::new(precompiler());
    let tool = tool.args(["--auto", "--cpp-flag", "-DLISTED"]);
    let output = tool.arg(root().join("tests/auto/phases.c")).output();
    let output = output.expect("the precompiler runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    assert_eq!(said.matches("no checkpoint is taken").count(), 1, "{said}");
    assert_eq!(
        said.matches("while (gas.time < 2 * end)").count(),
        1,
        "{said}"
    );
    assert!(
        said.contains("auto mode cannot restore `directory`"),
        "{said}"
    );
}

/// A program of which a loop goes without a checkpoint: what is said, how often, and that it resumes from this checkpoint.
fn is_served_without_a_loop(name: &str, words: &[(&str, usize)], checkpoint: u64) {
    let place = Workplace::new(name);
    let file = format!("tests/auto/{name}.c");
    let build = Build::files(&[&file]).careless();
    let expected = build.clone().plain().to(place.path(), "plain");
    let expected = expected.run(place.path()).well().output;
    let mut tool = Command::new(precompiler());
    let tool = tool.args(["--auto", "--every", "1", &file]);
    let output = tool.current_dir(root()).output();
    let said = String::from_utf8_lossy(&output.expect("the precompiler runs").stderr).into_owned();
    for (words, count) in words {
        assert_eq!(said.matches(words).count(), *count, "{words}: {said}");
    }
    let build = build.tool_flags(&["--auto", "--every", "1"]);
    let program = build.to(place.path(), "automatic");
    let point = format!("checkpoint:{checkpoint}");
    program.run(place.path()).kill_at(&point);
    let outcome = program.run(place.path()).well();
    outcome.assert_resumed();
    assert_eq!(outcome.output, expected);
}

#[test]
fn s02_one_of_the_loops_that_do_the_most_is_enough_and_the_others_are_named() {
    let words = [
        ("no checkpoint is taken in this loop", 1),
        ("for (int pass = 0; pass < passes; pass++)", 1),
        ("auto mode cannot restore `directory`", 1),
        ("unserved.c:27: checkpoint in main", 1),
        ("error[", 0),
    ];
    is_served_without_a_loop("unserved", &words, 20);
}

#[test]
fn s02_where_the_loop_that_does_the_most_cannot_be_served_the_next_one_is_and_it_is_named() {
    let words = [
        ("no checkpoint is taken in this loop", 1),
        ("for (int i = 0; i < COUNT; i++) {", 1),
        ("auto mode cannot restore what `popen` opens", 1),
        ("as far as it shows, this loop does most of the work", 1),
        ("yields.c:29: checkpoint in main", 1),
        ("error[", 0),
    ];
    is_served_without_a_loop("yields", &words, 5);
}

#[test]
fn s02_where_the_next_loop_cannot_be_served_either_all_others_that_do_a_share_of_what_is_left_are()
{
    let words = [
        ("no checkpoint is taken in this loop", 1),
        ("for (int i = 0; i < COUNT; i++) {", 1),
        ("auto mode cannot restore what `popen` opens", 1),
        ("as far as it shows, this loop does most of the work", 1),
        ("remains.c:38: checkpoint in main", 1),
        ("remains.c:41: checkpoint in main", 1),
        ("error[", 0),
    ];
    is_served_without_a_loop("remains", &words, 5);
    is_served_without_a_loop("remains", &words, 12);
}

#[test]
fn s02_a_served_program_gets_a_line_for_each_checkpoint_where_why_and_how_many_bytes() {
    let mut tool = Command::new(precompiler());
    let output = tool.args(["--auto", "tests/when/phases.c"]);
    let output = output.current_dir(root()).output();
    let output = output.expect("the precompiler runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let lines: Vec<&str> = said.lines().collect();
    let places = ["13: checkpoint in fill, ", "21: checkpoint in follow, "];
    assert_eq!(lines.len(), places.len(), "{said}");
    for (line, place) in lines.iter().zip(places) {
        let begins = format!("tests/when/phases.c:{place}in the loop at line ");
        assert!(line.starts_with(&begins), "{line}");
        assert!(line.contains("no loop is around it"), "{line}");
    }
    assert!(lines[0].ends_with("; 32 008 bytes"), "{said}");
    assert!(lines[1].ends_with("; 16 016 bytes"), "{said}");
}

#[test]
fn s03_messages_and_debuggers_see_the_users_own_lines() {
    let case = CASES
        .iter()
        .find(|case| case.name == "words")
        .expect("a case");
    let place = Workplace::new("lines");
    let files = case.write_to(place.path());
    let text = tool(case, place.path(), &["--auto"]);
    let user = std::fs::read_to_string(&files[0]).expect("the file");
    // What the compiler takes for the line of each of these is the user's.
    for wanted in [
        "seed = seed * 1103515245ul",
        "total += history[i]",
        "print(root);",
    ] {
        let expected = 1 + user
            .lines()
            .position(|line| line.contains(wanted))
            .expect("the line");
        let mut number = 0;
        let mut found = None;
        for line in text.lines() {
            number += 1;
            if let Some(rest) = line.strip_prefix("#line ") {
                let word = rest.split_whitespace().next().unwrap_or_default();
                number = word.parse::<usize>().expect("a number") - 1;
            } else if line.contains(wanted) {
                found = Some(number);
            }
        }
        assert_eq!(found, Some(expected), "{wanted}");
    }
}
