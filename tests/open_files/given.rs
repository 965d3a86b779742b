//! Streams that every process has and to which the program gives other files (`freopen`).

use super::{STOPPED, assert_same, build, inputs};
use crate::harness::{Build, Workplace};

/// A program ends like its plain twin, wherever it is killed, and no line of cccp comes into its files.
fn goes_on(name: &str, checkpoints: u32) {
    let place = Workplace::new(name);
    let plain = build(name).plain().to(place.path(), "plain");
    let program = build(name).to(place.path(), name);
    let undisturbed = inputs(&place, "undisturbed");
    let expected = plain.run(&undisturbed).well();
    for checkpoint in 1..=checkpoints {
        let directory = inputs(&place, &format!("at-{checkpoint}"));
        let point = format!("published:{checkpoint}");
        let killed = program.run(&directory).kill_at(&point);
        assert_eq!(killed.errors, expected.errors, "nothing to complain of");
        let resumed = program.run(&directory).well();
        resumed.assert_resumed();
        assert!(!resumed.errors.contains("warning"), "{}", resumed.errors);
        assert!(expected.output.ends_with(&resumed.output), "{point}");
        assert_same(&directory, &undisturbed, &point);
    }
}

#[test]
fn s16_s32_files_given_to_the_streams_of_the_process_come_back_without_a_register() {
    goes_on("given", 20);
}

#[test]
fn s16_s35_a_stream_of_the_process_given_one_file_before_init_and_another_behind_it_comes_back() {
    goes_on("given_early", 9);
}

#[test]
fn s16_what_was_printed_before_standard_output_got_a_file_is_put_back_where_the_shell_has_emptied_its_own()
 {
    let place = Workplace::new("given-and-emptied");
    let program = build("given").to(place.path(), "given");
    let wrapper = ["sh", "-c", "exec \"$0\" \"$@\" > of-the-shell.txt"];
    let undisturbed = inputs(&place, "undisturbed");
    program.run(&undisturbed).under(&wrapper).well();
    let directory = inputs(&place, "again");
    program
        .run(&directory)
        .under(&wrapper)
        .kill_at("published:12");
    let resumed = program.run(&directory).under(&wrapper).well();
    resumed.assert_said(&["the file of standard output was emptied"]);
    assert_same(&directory, &undisturbed, "emptied");
}

#[test]
fn s36_a_stream_of_the_process_given_what_cannot_come_back_stops_the_first_checkpoint() {
    let place = Workplace::new("given-a-pipe");
    let text = "#include <stdio.h>\nint main(int argc, char **argv)\n{\n    int i;\n#pragma cccp init\n    if (argc > 1)\n        \
                freopen(argv[1], \"r+\", stdout);\n#pragma cccp register(i)\n    for (i = 0; i < 9; i++) {\n#pragma cccp checkpoint\n        \
                fprintf(stderr, \"%d\\n\", i);\n    }\n#pragma cccp shutdown\n    return 0;\n}\n";
    place.write("main.c", text);
    let program = Build::files(&[place.join("main.c")]).to(place.path(), "main");
    let directory = place.directory("run");
    program.run(&directory).well();
    let made = std::process::Command::new("mkfifo")
        .arg(directory.join("pipe"))
        .status();
    assert!(made.expect("mkfifo").success());
    for (given, reason) in [("pipe", "it is a pipe"), ("missing", "it is closed")] {
        let stopped = program.run(&directory).arguments(&[given]).go();
        stopped.assert_stopped(STOPPED, &["freopen has given stdout another file", reason]);
    }
}
