//! The check's answer, location by location, beside the oracle's.
//!
//! `cccp-pp --emit completeness` prints a line for everything that is live at a checkpoint, and by which register it is held.
//! What the oracle needs has to be among it: when it is not, a restart would be wrong without a word. What is among it
//! without need is surplus, and counted.

use std::process::Command;

use super::said::{Look, precompiler};
use super::table::Table;

/// Something that is live at a checkpoint and held by a register.
#[derive(Debug)]
struct Live {
    /// The function of the checkpoint, and its name.
    checkpoint: String,
    /// `u[…]`, `mesh.cells`.
    location: String,
    /// The function that registered it.
    function: String,
    /// What stands before the first bracket of the item.
    register: String,
}

/// What one answer has over the other.
#[derive(Debug, Default)]
pub struct Compared {
    /// The oracle needs it, and the check calls it dead: wrong.
    pub missed: Vec<String>,
    /// The check calls it live, and the oracle sees no need.
    pub surplus: Vec<String>,
}

/// Both answers for a program.
pub fn compare(table: &Table, look: &Look, files: &[std::path::PathBuf]) -> Compared {
    let (live, for_blocks) = read(look, files);
    let mut compared = Compared::default();
    for ((checkpoint, part), needed) in &table.needed {
        let held = live.iter().any(|one| {
            one.checkpoint == *checkpoint
                && one.function == part.function
                && one.register == part.register
                && is_of(&one.location, &one.register, &part.member)
        });
        // What only a block on the way reads is needed, but not live behind any checkpoint.
        let item = format!("{}:{}", part.function, part.register);
        let held = held || for_blocks.contains(&item);
        match (needed, held) {
            (true, false) => compared.missed.push(format!("{checkpoint}: {part}")),
            (false, true) => compared.surplus.push(format!("{checkpoint}: {part}")),
            _ => {}
        }
    }
    compared
}

/// Whether a location below a register takes part in a member of it.
fn is_of(location: &str, register: &str, member: &str) -> bool {
    let Some(rest) = location.strip_prefix(register) else {
        // Another name for the same memory.
        return true;
    };
    let path = without_brackets(rest);
    let path = path.trim_start_matches(['.', '-', '>']);
    let below = |one: &str, other: &str| {
        other.is_empty()
            || one
                .strip_prefix(other)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    below(path, member) || below(member, path)
}

fn without_brackets(text: &str) -> String {
    let mut depth = 0;
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ if depth == 0 => out.push(letter),
            _ => {}
        }
    }
    out
}

/// What is live, and the items that are needed without being live: those of blocks.
fn read(look: &Look, files: &[std::path::PathBuf]) -> (Vec<Live>, Vec<String>) {
    let output = Command::new(precompiler())
        .args(["--cc", if look.mpi { "mpicc" } else { "gcc" }])
        .args(&look.options)
        .args(["--emit", "completeness"])
        .args(files)
        .output()
        .expect("cccp-pp runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let mut checkpoint = String::new();
    let mut live: Vec<Live> = Vec::new();
    let mut for_blocks = Vec::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("checkpoint ") {
            let (_, place) = rest.split_once(" in ").expect("the checkpoint's function");
            checkpoint = place.replace(" name ", " ");
        } else if let Some(rest) = line.strip_prefix("  ")
            && let Some((location, decision)) = rest.rsplit_once(": ")
            && let Some(item) = decision.strip_prefix("registered ")
        {
            let (function, item) = item.split_once(':').expect("function:item");
            live.push(Live {
                checkpoint: checkpoint.clone(),
                location: location.split(" (").next().unwrap_or_default().to_owned(),
                function: function.to_owned(),
                register: item.split('[').next().unwrap_or_default().to_owned(),
            });
        }
    }
    for line in text.lines().filter(|line| line.starts_with("register ")) {
        let Some((item, _)) = line.split_once(": needed at ") else {
            continue;
        };
        let item = item.rsplit(' ').next().unwrap_or_default().to_owned();
        let is_live = |one: &Live| format!("{}:{}", one.function, one.register) == item;
        if !live.iter().any(is_live) {
            for_blocks.push(item);
        }
    }
    (live, for_blocks)
}

#[test]
fn members_of_locations_and_registers_meet() {
    assert!(is_of("mesh.cells", "mesh", "cells"));
    assert!(!is_of("mesh.cells", "mesh", "capacity"));
    assert!(is_of("body[…]", "body", "position"));
    assert!(is_of("body[…].position", "body", "position"));
    assert!(!is_of("body[…].mass", "body", "position"));
    assert!(is_of("n", "n", ""));
}
