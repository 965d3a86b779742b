//! Lines for people.

use std::io::Write;

use crate::memory::without_writing_signals;

/// How a line begins that is about one rank only.
const OWN: [&str; 3] = ["warning", "cannot", "checkpoints are"];

/// A line on standard error, or several for a table, with the rank when the job has several. What all ranks would say is said by one.
pub fn say(rank: Option<u32>, message: &str) {
    let rank = match rank {
        Some(rank) if OWN.iter().any(|word| message.starts_with(word)) => format!("rank {rank}: "),
        _ => String::new(),
    };
    // In one piece: other ranks write to the same place. Neither a closed standard error nor one that
    // may not grow is a reason to stop.
    let line = format!("cccp: {rank}{}\n", message.replace('\n', "\ncccp: "));
    without_writing_signals(|| {
        let _ = std::io::stderr().write_all(line.as_bytes());
    });
}

/// A text that was asked for, on standard output.
pub fn print(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
}
