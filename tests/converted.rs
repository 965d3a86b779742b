//! Checkpoints in another encoding are checkpoints: a run goes on from them and ends like an undisturbed one (S8, S23).
//! And its own last checkpoint is, register by register, that of the undisturbed run.

mod harness;

use std::path::Path;
use std::process::Command;

use harness::{Build, Checkpoints, Sample, Workplace, mpi_or_word, tools_directory};

/// Runs `cccp-ckpt`, which has to end well; gives what it said.
fn tool(directory: &Path, arguments: &[&str]) -> String {
    let output = Command::new(tools_directory().join("cccp-ckpt"))
        .args(arguments)
        .current_dir(directory)
        .output()
        .expect("cccp-ckpt runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{arguments:?}: {said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    said
}

/// Dies half-way with checkpoints of one encoding, goes on from the same ones in the other.
fn goes_on(name: &str, ranks: usize, written: &str, options: &[&str]) {
    let sample = Sample::named(name);
    let place = Workplace::new(&format!("converted-{name}-{written}"));
    let program = sample.build().to(place.path(), name);
    let run = |directory: &str| {
        let directory = place.directory(directory);
        let run = program.run(&directory).ranks(ranks);
        run.arguments(sample.arguments)
            .set("CCCP_ENCODING", written)
    };
    let result = |output: String, directory: &str| output + &sample.written(&place.join(directory));
    let undisturbed = result(run("undisturbed").well().output, "undisturbed");

    run("half").kill_at("checkpoint:6");
    let half = place.join("half");
    let checkpoints = Checkpoints::of(&half, name);
    let original = half.join("original.cccp");
    std::fs::rename(checkpoints.path(), &original).expect("the checkpoints move away");
    let converted = format!("{name}.cccp");
    let convert = [&["convert", "original.cccp", &converted], options].concat();
    tool(&half, &convert);
    tool(&half, &["diff", "original.cccp", &converted]);

    let resumed = run("half").well();
    resumed.assert_resumed();
    assert_eq!(result(resumed.output, "half"), undisturbed, "{name}");
    let last = place.join("undisturbed").join(&converted);
    let said = tool(&half, &["diff", &last.display().to_string(), &converted]);
    assert!(said.ends_with("\nequal\n"), "{name}: {said}");
}

#[test]
fn s08_s23_serial_programs_go_on_from_converted_checkpoints() {
    goes_on("n-body", 1, "xdr", &["--native"]);
    goes_on("adaptive", 1, "xdr", &["--native", "--compress", "3"]);
    goes_on("recursion", 1, "native", &["--xdr"]);
    goes_on("by-hand", 1, "native", &["--xdr", "--compress", "9"]);
}

#[test]
fn s23_s28_s29_allocated_blocks_and_what_leads_to_them_come_back_from_converted_checkpoints() {
    let place = Workplace::new("converted-linked");
    let build = Build::files(&["tests/restart/linked.c".to_owned()]);
    let program = build.to(place.path(), "linked");
    let undisturbed = program.run(&place.directory("undisturbed")).well().output;
    for (written, options) in [
        ("xdr", ["--native", "--compress", "3"]),
        ("native", ["--xdr", "--compress", "off"]),
    ] {
        let half = place.directory(written);
        let run = || program.run(&half).set("CCCP_ENCODING", written);
        run().kill_at("checkpoint:5");
        let checkpoints = Checkpoints::of(&half, "linked");
        let original = half.join("original.cccp");
        std::fs::rename(checkpoints.path(), &original).expect("the checkpoints move away");
        let convert = ["convert", "original.cccp", "linked.cccp"];
        tool(&half, &[&convert[..], &options[..]].concat());
        tool(&half, &["diff", "original.cccp", "linked.cccp"]);
        let resumed = run().well();
        resumed.assert_resumed();
        let rest = &resumed.output;
        assert!(
            undisturbed.ends_with(rest) && rest.lines().count() > 3,
            "from {written}: {rest}"
        );
    }
}

#[test]
fn s08_s23_mpi_programs_go_on_from_converted_checkpoints() {
    if mpi_or_word() {
        goes_on("heat-mpi", 2, "xdr", &["--native"]);
        goes_on("conjugate-gradient-mpi", 2, "native", &["--xdr"]);
    }
}
