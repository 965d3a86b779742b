//! The tools where memory is limited (`ulimit -v`, batch systems): small programs need little, and where it runs out a sentence says so.

mod harness;

use std::process::Command;

use harness::{Workplace, tools_directory};

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
    let place = Workplace::quick("memory");
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
