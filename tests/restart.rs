//! The way back, construct by construct: each program in tests/restart is killed when a checkpoint has just been
//! published and run again. What the two runs printed together is what an undisturbed run of the plain C program
//! prints, so nothing was lost, nothing was done twice, and every value came back.
//!
//! A case is a C file. Lines `restarted at N: a, b, c` in its first comment say which blocks tell on standard error
//! that they run on a restart from checkpoint N, in this order; `nothing` says that none does.

mod harness;

use std::collections::BTreeSet;

use harness::{Build, Checkpoints, Compiler, Program, Run, Workplace, everything, root};

/// A program built in one way, with what it prints.
struct Case {
    name: &'static str,
    place: Workplace,
    program: Program,
    expected: String,
    /// What the blocks of an undisturbed run tell.
    told: Vec<String>,
}

impl Case {
    fn run(&self, directory: &str) -> Run {
        let directory = self.place.directory(directory);
        self.program
            .run(&directory)
            .set("CCCP_WRITE", "synchronous")
            .set("CCCP_KEEP", "2")
    }

    /// Killed after this checkpoint and run again, which takes checkpoints or not.
    fn restarted_at(&self, checkpoint: u64, told: Option<&[String]>, again: bool) {
        let directory = format!("at-{checkpoint}");
        let killed = self
            .run(&directory)
            .kill_at(&format!("published:{checkpoint}"));
        let mut resumed = self.run(&directory);
        if !again {
            resumed = resumed.set("CCCP_EVERY", "0");
        }
        let resumed = resumed.well();
        let context = || {
            format!(
                "{} restarted at {checkpoint}:\n{}",
                self.name, resumed.errors
            )
        };
        assert!(resumed.resumed(), "{}", context());
        assert_eq!(
            killed.output + &resumed.output,
            self.expected,
            "{}",
            context()
        );
        if let Some(told) = told {
            let lines = lines_of_blocks(&resumed.errors);
            assert!(lines.starts_with(told), "{}", context());
            // And nothing else: what follows is what the undisturbed run tells from there on.
            assert!(self.told.ends_with(&lines[told.len()..]), "{}", context());
        }
        std::fs::remove_dir_all(self.place.join(&directory))
            .expect("the test's directory can be removed");
    }
}

/// The lines on standard error that are the program's own.
fn lines_of_blocks(errors: &str) -> Vec<String> {
    errors
        .lines()
        .filter(|line| !line.starts_with("cccp:"))
        .map(str::to_owned)
        .collect()
}

/// What the first comment of a case says about restarts.
fn told(source: &str) -> Vec<(u64, Vec<String>)> {
    let mut found = Vec::new();
    for line in source.lines().take_while(|line| !line.contains("*/")) {
        let Some((_, rest)) = line.split_once("restarted at ") else {
            continue;
        };
        let (number, blocks) = rest.split_once(": ").expect("restarted at N: blocks");
        let blocks = if blocks == "nothing" { "" } else { blocks };
        let blocks = blocks
            .split(", ")
            .filter(|block| !block.is_empty())
            .map(str::to_owned)
            .collect();
        found.push((number.parse().expect("a number"), blocks));
    }
    found
}

/// The checkpoints to be killed at: all when there are few, otherwise the first, the last and some between. The first way of
/// building tries most of them; the others make the same restart of other code.
fn choice(count: u64, way: usize) -> Vec<u64> {
    let most = match (everything(), way) {
        (true, _) => u64::MAX,
        (_, 0) => 12,
        _ => 3,
    };
    let step = count.div_ceil(most).max(1);
    (1..=count)
        .filter(|&number| number <= 2 || number == count || number % step == 0)
        .collect()
}

/// Tries the case `name` (with further files of the same program) with both compilers and both dispatches.
fn try_case(name: &'static str, more: &[&str]) {
    let folder = "tests/restart";
    let files: Vec<String> = [name]
        .iter()
        .chain(more)
        .map(|file| format!("{folder}/{file}.c"))
        .collect();
    let source = std::fs::read_to_string(root().join(&files[0])).expect("the case");
    let told = told(&source);
    let build = Build::files(&files);
    let ways = [
        build.clone().with(Compiler::Gcc, &["-O2"]),
        build
            .clone()
            .with(Compiler::Clang, &["-O1", "-std=c11"])
            .tool_flags(&["--dispatch", "switch"]),
        build.with(Compiler::Gcc, &["-O3", "-flto", "-std=c99"]),
    ];
    for (number, way) in ways.iter().enumerate() {
        let place = Workplace::new(name);
        let plain = way
            .clone()
            .plain()
            .to(place.path(), "plain")
            .run(place.path())
            .well();
        let program = way.to(place.path(), name);
        let run = program.run(&place.directory("undisturbed"));
        let undisturbed = run.set("CCCP_WRITE", "synchronous").well();
        let blocks = lines_of_blocks(&undisturbed.errors);
        let case = Case {
            name,
            place,
            program,
            expected: plain.output,
            told: blocks,
        };
        assert_eq!(
            undisturbed.output, case.expected,
            "{name}, way {number}, undisturbed"
        );
        let checkpoints = Checkpoints::of(&case.place.join("undisturbed"), name).newest();
        assert!(checkpoints > 0, "{name} takes no checkpoint");
        let numbered = told
            .iter()
            .map(|(checkpoint, _)| *checkpoint)
            .chain(choice(checkpoints, number));
        let numbered: BTreeSet<u64> = numbered.collect();
        for checkpoint in numbered {
            let told = told
                .iter()
                .find(|(at, _)| *at == checkpoint)
                .map(|(_, blocks)| blocks.as_slice());
            case.restarted_at(checkpoint, told, true);
        }
        case.restarted_at(checkpoints.div_ceil(2), None, false);
    }
}

#[test]
fn s07_s11_calls_may_stand_wherever_c_lets_them() {
    try_case("calls_everywhere", &[]);
}

#[test]
fn s07_s11_calls_may_stand_without_braces_and_beside_side_effects() {
    try_case("calls_more", &[]);
}

#[test]
fn s15_calls_through_pointers_and_pointers_to_functions_come_back() {
    try_case("function_pointers", &[]);
}

/// Such a value was called a pointer before the memory, and no checkpoint was taken.
#[test]
fn s15_s36_pointers_to_functions_that_were_never_set_stand_in_no_ones_way() {
    try_case("unset_function_pointers", &[]);
}

#[test]
fn s09_blocks_run_as_on_the_way_to_the_checkpoint_and_nothing_else() {
    try_case("blocks_in_loops", &[]);
}

#[test]
fn s10_blocks_behind_the_checkpoint_run_and_do_not_overwrite_what_was_restored() {
    try_case("blocks_after_the_checkpoint", &[]);
}

#[test]
fn s11_blocks_and_calls_have_the_values_of_the_original_run() {
    try_case("values_of_blocks", &[]);
}

#[test]
fn s11_what_blocks_declare_is_there_behind_them() {
    try_case("declared_in_blocks", &[]);
}

#[test]
fn s12_sizes_and_parts_and_variable_length_arrays_come_back() {
    try_case("sizes", &[]);
}

#[test]
fn s13_pointers_into_the_same_memory_stay_so_and_it_can_be_grown_and_freed() {
    try_case("shared_memory", &[]);
}

#[test]
fn s13_s14_memory_from_before_init_may_have_grown_and_changed_hands() {
    try_case("grown_memory", &[]);
}

#[test]
fn s13_pointers_that_were_given_other_memory_do_not_take_that_of_others() {
    try_case("other_memory", &[]);
}

#[test]
fn s11_s14_what_the_set_up_phase_made_is_found_again() {
    try_case("setup_phase", &[]);
}

#[test]
fn s07_what_only_the_first_call_registered_stays_registered() {
    try_case("first_call", &[]);
}

#[test]
fn s12_s14_what_is_registered_twice_is_there_from_the_first_time_on() {
    try_case("registered_twice", &[]);
}

#[test]
fn s14_names_belong_to_their_activation() {
    try_case("names", &[]);
}

#[test]
fn s14_what_only_a_local_pointer_leads_to_ends_with_its_function() {
    try_case("local_ways", &[]);
}

#[test]
fn s14_the_end_of_a_block_ends_no_register_of_a_caller() {
    try_case("blocks_of_callers", &[]);
}

#[test]
fn s15_every_type_comes_back() {
    try_case("types", &[]);
}

#[test]
fn s26_constants_survive_without_being_registered() {
    try_case("constants", &[]);
}

#[test]
fn s15_what_is_seen_through_pointers_to_const_comes_back_and_constant_data_is_not_written() {
    try_case("constant_views", &[]);
}

#[test]
fn s11_s33_an_argument_that_nothing_reads_any_more_may_point_to_nothing() {
    try_case("unread_arguments", &[]);
}

#[test]
fn s09_loops_of_gotos_and_checkpoints_behind_jumps_come_back() {
    try_case("jumps", &[]);
}

#[test]
fn s09_functions_that_call_each_other_come_back_to_the_same_activation() {
    try_case("recursion_tree", &[]);
}

#[test]
fn s27_what_was_printed_before_a_checkpoint_is_not_lost() {
    try_case("printed", &[]);
}

#[test]
fn s10_blocks_that_set_parts_of_objects_leave_what_is_registered_alone() {
    try_case("parts_of_blocks", &[]);
}

#[test]
fn s08_random_numbers_of_the_c_library_go_on_without_a_directive() {
    try_case("random_numbers", &[]);
}

#[test]
fn s03_macros_do_not_expand_generated_text_again() {
    try_case("macros", &[]);
}

#[test]
fn s09_functions_of_which_compilers_make_copies_and_constant_results_come_back() {
    try_case("copies", &[]);
}

#[test]
fn s09_s15_pointers_call_the_same_function_whatever_its_name_means_there() {
    try_case("two_files_pointers_main", &["two_files_pointers_part"]);
}

#[test]
fn s09_a_program_of_two_files_is_seen_as_one() {
    try_case("two_files_main", &["two_files_part"]);
}

#[test]
fn s09_s14_objects_of_inner_scopes_end_with_them() {
    try_case("inner_scopes", &[]);
}

#[test]
fn s05_s09_init_may_stand_in_another_function_and_conditions_may_move() {
    try_case("moved_conditions", &[]);
}

#[test]
fn s05_s36_init_may_stand_behind_variable_length_arrays_in_loops_and_branches() {
    try_case("init_in_scopes", &[]);
}

#[test]
fn s05_s36_control_may_come_to_init_again() {
    try_case("init_more_than_once", &[]);
}

#[test]
fn s13_s36_null_pointers_bring_nothing_and_come_back_as_null() {
    try_case("null_pointers", &[]);
}

#[test]
fn s08_s26_conditions_of_loops_that_read_what_no_checkpoint_has_are_not_evaluated_on_restart() {
    try_case("conditions_of_loops", &[]);
}

#[test]
fn s28_whole_blocks_come_back_as_long_as_they_were() {
    try_case("blocks", &[]);
}

#[test]
fn s28_what_was_allocated_before_init_stays_where_it_is() {
    try_case("blocks_before_init", &[]);
}

#[test]
fn s28_s36_registered_objects_end_with_the_memory_that_they_are_in() {
    try_case("ended_blocks", &[]);
}

#[test]
fn s28_files_without_marks_allocate_for_the_others() {
    try_case("two_files_blocks_main", &["two_files_blocks_part"]);
}

#[test]
fn s29_everything_that_can_be_reached_comes_back() {
    try_case("linked", &[]);
}

#[test]
fn s15_s30_statics_of_functions_come_back_without_a_block() {
    try_case("two_files_residents_main", &["two_files_residents_part"]);
}

#[test]
fn s28_s29_s30_blocks_behind_static_pointers_come_back_without_a_block_of_code() {
    try_case("static_blocks", &[]);
}

#[test]
fn s29_what_pointers_lead_to_whose_types_do_not_say_it_comes_back() {
    try_case("two_files_leads_main", &["two_files_leads_part"]);
}
