//! Lines for people.

use std::io::Write;

/// One line on standard error, with the rank when the job has several. What all ranks would say is said by one.
pub fn say(rank: Option<u32>, message: &str) {
    let rank = match rank {
        Some(rank) if message.starts_with("warning") || message.starts_with("cannot") => {
            format!("rank {rank}: ")
        }
        _ => String::new(),
    };
    // In one piece: other ranks write to the same place. A closed standard error is no reason to stop.
    let line = format!("cccp: {rank}{message}\n");
    let _ = std::io::stderr().write_all(line.as_bytes());
}

/// A text that was asked for, on standard output.
pub fn print(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
}
