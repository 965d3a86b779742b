//! The tools where memory is limited (`ulimit -v`, batch systems): small programs need little, and where it runs out a sentence says so.
//! A program that touches little of its memory needs little for its checkpoints, too.

mod harness;

use std::os::unix::fs::MetadataExt;
use std::process::Command;

use harness::{Build, Checkpoints, Outcome, Workplace, tools_directory};

/// The tools in so many kilobytes of memory.
fn limited(kilobytes: u32, tool: &str, words: &str, place: &Workplace) -> (Option<i32>, String) {
    let tool = tools_directory().join(tool);
    let script = format!("ulimit -v {kilobytes}; exec {} {words}", tool.display());
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]).current_dir(place.path());
    let output = shell.output().expect("a shell");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), said)
}

#[test]
fn memory_that_runs_out_ends_the_tools_with_a_sentence_and_little_is_enough_for_small_programs() {
    let place = Workplace::new("memory");
    place.write("small.c", "int main(void) { return 0; }\n");
    let mut large = String::new();
    for number in 0..3000 {
        large.push_str(&format!(
            "static double f{number}(int n) {{ double x = {number}; for (int k = 0; k < n; k++) x += k * x; return x; }}\n"
        ));
    }
    large.push_str("int main(void) { double s = 0; for (int t = 0; t < 1000; t++) {\n");
    large.extend((0..3000).map(|number| format!("s += f{number}(t);\n")));
    large.push_str("} return s > 1; }\n");
    place.write("large.c", &large);
    for kilobytes in [250_000, 1_000_000] {
        let (status, said) = limited(kilobytes, "cccp-pp", "small.c", &place);
        assert_eq!(status, Some(0), "{kilobytes}: {said}");
    }
    let tools = [
        ("cccp-pp", "--auto large.c"),
        ("cccp-cc", "--cccp-auto cc large.c -o large"),
    ];
    for (tool, words) in tools {
        let (status, said) = limited(200_000, tool, words, &place);
        assert_eq!(status, Some(2), "{tool}: {said}");
        assert!(said.contains("no memory is left"), "{tool}: {said}");
        assert!(!said.contains("panicked"), "{tool}: {said}");
    }
    assert!(!place.join("large").exists());
}

#[test]
fn s15_what_a_program_has_never_touched_takes_no_memory_and_no_room_on_the_disk() {
    const ARRAYS: u64 = 64 << 20;
    let place = Workplace::new("sparse");
    let build = Build::files(&["tests/programs/sparse.c"]);
    let plain = build.clone().plain().to(place.path(), "plain");
    // Poison would be written everywhere.
    let program = build.unpoisoned().to(place.path(), "program");
    let most = |outcome: &Outcome| -> u64 {
        let line = outcome.errors.lines().rev();
        let words = line.filter_map(|line| line.strip_prefix("most memory: "));
        let mut numbers = words.filter_map(|words| words.parse().ok());
        numbers.next().expect("a line about memory")
    };
    let expected = plain.run(&place.directory("undisturbed")).well();
    for (encoding, write) in [("xdr", "synchronous"), ("native", "background")] {
        let directory = place.directory(encoding);
        let run = || {
            let run = program.run(&directory).set("CCCP_ENCODING", encoding);
            run.set("CCCP_POISON", "off").set("CCCP_WRITE", write)
        };
        run().kill_at("checkpoint:3");
        let checkpoints = Checkpoints::of(&directory, "program");
        let newest = checkpoints.published(0).into_iter().max();
        let file = checkpoints.file(newest.expect("a generation"), 0);
        let file = file.metadata().expect("a checkpoint");
        assert!(file.len() > ARRAYS, "{encoding}: {}", file.len());
        let on_disk = file.blocks() * 512;
        assert!(on_disk < ARRAYS / 8, "{encoding}: {on_disk} bytes");
        let outcome = run().well();
        outcome.assert_resumed();
        assert!(
            expected.output.ends_with(&outcome.output),
            "{}",
            outcome.output
        );
        // The library is in it, and malloc keeps up to 32 MiB that were given back.
        let (more, before) = (most(&outcome), most(&expected));
        let bytes = more.saturating_sub(before) << 10;
        assert!(
            bytes < ARRAYS / 3 * 2,
            "{encoding}: {before} kilobytes became {more}"
        );
    }
}
