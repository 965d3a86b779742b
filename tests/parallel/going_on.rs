//! Where a thread that has come to a checkpoint has to wait for the others (S60).

use std::process::Command;

use crate::harness::{precompiler, root};

#[test]
fn s60_a_thread_goes_on_until_it_would_change_what_is_saved() {
    let text = |file: &str| {
        let mut tool = Command::new(precompiler());
        tool.args(["--cpp-flag", "-fopenmp"])
            .arg(root().join("tests/parallel/by_hand").join(file));
        let output = tool.output().expect("the precompiler");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).expect("text")
    };
    let wait = "; if (cccp_thread.saved) { cccp_await(&cccp_thread); }";
    let places = |text: &str| -> Vec<String> {
        let before = text.lines().filter_map(|line| line.split_once(wait));
        before
            .map(|(before, _)| before.trim().to_string())
            .collect()
    };
    // Behind the last statement that sets nothing but what is the thread's own.
    let found = text("goes_on.c");
    assert_eq!(
        places(&found),
        ["}", "own = own * 0.5 + part;", "k = step;"]
    );
    assert_eq!(found.matches("cccp_save(&cccp_f").count(), 3);
    // Also where threads come unequally often, and into arrays that no checkpoint holds.
    let found = text("goes_on_unequally.c");
    assert_eq!(places(&found), ["}", "}"]);
    // Where it changes something at once, it waits at the checkpoint.
    for file in ["in_parts.c", "waits_at_once.c"] {
        let found = text(file);
        assert_eq!(places(&found), [""; 0], "{file}");
        assert!(!found.contains("cccp_save(&cccp_f"), "{file}");
    }
}
