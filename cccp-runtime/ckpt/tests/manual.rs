//! Completions and man pages are made of the description of the command line, so they know every command.

use std::path::Path;
use std::process::{Command, Output};

fn tool(arguments: &[&str]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_cccp-ckpt"))
        .args(arguments)
        .output()
        .expect("the tool runs");
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    output
}

/// The commands that `--help` names.
fn commands() -> Vec<String> {
    let help = String::from_utf8(tool(&["--help"]).stdout).expect("UTF-8");
    let list = help.split("Commands:\n").nth(1).expect("a list");
    let commands: Vec<String> = list
        .lines()
        .take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .map(str::to_string)
        .collect();
    assert!(commands.len() > 2, "{help}");
    commands
}

#[test]
fn the_completions_of_each_shell_know_every_command() {
    for shell in ["bash", "zsh", "fish"] {
        let script = String::from_utf8(tool(&["completions", shell]).stdout).expect("UTF-8");
        for command in commands() {
            assert!(script.contains(&command), "{shell} lacks {command}");
        }
        assert!(script.contains("json"), "{shell} lacks the options");
    }
}

#[test]
fn there_is_a_man_page_for_the_tool_and_for_every_command() {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("man-{}", std::process::id()));
    let directory = place.join("share/man1");
    let text = directory.to_str().expect("UTF-8");
    tool(&["man", text]);
    let read = |name: &str| std::fs::read_to_string(Path::new(text).join(name)).expect(name);
    let whole = read("cccp-ckpt.1");
    for command in commands() {
        // A hyphen is escaped in a man page.
        assert!(
            whole.contains(&format!("cccp\\-ckpt\\-{command}")),
            "{command}"
        );
        let page = read(&format!("cccp-ckpt-{command}.1"));
        assert!(page.contains(".SH SYNOPSIS"), "{page}");
    }
    // A newer version replaces them.
    tool(&["man", text]);
    assert_eq!(
        std::fs::read_dir(&directory)
            .expect("the directory")
            .count(),
        commands().len() + 1
    );
    std::fs::remove_dir_all(place).expect("our own directory");
}
