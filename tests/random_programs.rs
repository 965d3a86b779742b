//! Random programs in auto mode: registers are inferred for checkpoints at random places, the program is killed at one of
//! them and started again, and ends like the plain program (S8, S9, S26). A refusal with a reason is right, too.
//!
//! `CCCP_PROGRAMS=2000` tries more of them, `CCCP_SEED=7` others. What a failed test left can be looked at.

#[path = "../precompiler/tests/soundness/generate.rs"]
#[allow(dead_code, reason = "the garbage of the soundness test is not put in")]
mod generate;
mod harness;
#[path = "../precompiler/tests/soundness/random.rs"]
#[allow(dead_code, reason = "not every kind of number is needed")]
mod random;
#[path = "../precompiler/tests/soundness/run.rs"]
#[allow(dead_code, reason = "only the text for the analysis is needed")]
mod run;
#[path = "../precompiler/tests/soundness/statements.rs"]
mod statements;
#[path = "../precompiler/tests/soundness/values.rs"]
mod values;

use std::path::{Path, PathBuf};
use std::process::Command;

use generate::{Generated, generate};
use harness::{Build, Outcome, Workplace, precompiler};
use random::Random;

fn setting(name: &str, otherwise: usize) -> usize {
    let given = std::env::var(name).ok();
    given
        .and_then(|text| text.parse().ok())
        .unwrap_or(otherwise)
}

/// The program as a whole, with a beginning and an end.
fn text(program: &Generated) -> String {
    let (body, _) = run::analysed(program, 1);
    format!(
        "{}{body}int main(void)\n{{\n#pragma cccp init\nout({}start());\nprintf(\"end %u\\n\", sum);\n\
         #pragma cccp shutdown\nreturn 0;\n}}\n",
        run::HEAD,
        program.prefix
    )
}

/// Whether auto mode serves the program; a refusal has to say why.
fn is_served(path: &Path) -> bool {
    let mut tool = Command::new(precompiler());
    let output = tool.args(["--auto", "-o", "/dev/null"]).arg(path).output();
    let output = output.expect("the precompiler runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() || said.contains("error[CCCP") && said.contains("reason:"),
        "{}:\n{said}",
        path.display()
    );
    output.status.success()
}

/// The last line: a number that depends on all that was printed.
fn end(outcome: &Outcome) -> &str {
    outcome.output.lines().last().unwrap_or_default()
}

#[test]
fn s08_s09_s26_random_programs_killed_at_random_checkpoints_end_like_the_plain_ones() {
    let count = setting("CCCP_PROGRAMS", 24);
    let seed = setting("CCCP_SEED", 1);
    let place = Workplace::new("random-programs");
    let (mut served, mut resumed) = (0, 0);
    for number in 0..count {
        let mut random = Random::new((seed * 1_000_000 + number) as u64);
        let program = generate(1, &mut random);
        let path: PathBuf = place.join(&format!("random{number}.c"));
        std::fs::write(&path, text(&program)).expect("the program");
        if !is_served(&path) {
            continue;
        }
        served += 1;
        let build = Build::files(&[&path]).with(harness::Compiler::Gcc, &["-O1", "-w", "-fwrapv"]);
        let plain = build
            .clone()
            .plain()
            .to(place.path(), &format!("plain{number}"));
        let expected = plain.run(&place.directory("plain")).well();
        let automatic = build.careless().tool_flags(&["--auto"]);
        let automatic = automatic.to(place.path(), &format!("automatic{number}"));
        let undisturbed = place.directory(&format!("undisturbed{number}"));
        let outcome = automatic.run(&undisturbed).well();
        assert_eq!(
            end(&outcome),
            end(&expected),
            "program {number}, undisturbed"
        );
        for kill in [2, 3 + number % 5, 9 + number % 40] {
            let directory = place.directory(&format!("killed{number}-{kill}"));
            let point = format!("checkpoint:{kill}");
            let killed = automatic.run(&directory).set("CCCP_KILL_AT", &point).go();
            if !killed.killed() {
                break;
            }
            let outcome = automatic.run(&directory).well();
            resumed += usize::from(outcome.resumed());
            assert_eq!(
                end(&outcome),
                end(&expected),
                "program {number}, killed at {kill}"
            );
        }
    }
    eprintln!("{count} programs, {served} served, {resumed} resumed from a checkpoint");
    assert!(served > count / 8 && resumed > 0, "too little was tried");
}
