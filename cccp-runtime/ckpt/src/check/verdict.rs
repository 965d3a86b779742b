//! What is known of a file after all of it was read.

use std::path::PathBuf;

use cccp::format::{Damage, Messages};

use crate::outcome::Status;

/// What is known of a file.
pub struct Verdict {
    /// The file, whether it exists or not.
    pub path: PathBuf,
    /// Of the directory it lies in.
    pub generation: Option<u64>,
    /// That its name says.
    pub rank: Option<u32>,
    /// Bytes of it.
    pub bytes: u64,
    /// What it is.
    pub state: State,
    /// What its rank had counted of its messages, if the file is good and the program counted.
    pub messages: Option<Messages>,
}

/// What a file is.
pub enum State {
    /// Every checksum is right and it is where it belongs.
    Good,
    /// It is not there.
    Missing,
    /// Its bytes are not those that were written.
    Damaged {
        /// In one sentence.
        reason: String,
        /// The parts that are wrong, where they can be told apart.
        parts: Vec<Damage>,
        /// Registers whose values can still be read, and all that were found.
        registers: (usize, usize),
    },
    /// It is sound, but does not belong here.
    Strange(String),
    /// The system, or a newer version of the format, does not let us know.
    Unread(String),
}

impl Verdict {
    /// What it means for scripts.
    pub fn status(&self) -> Status {
        match self.state {
            State::Good => Status::Good,
            State::Unread(_) => Status::Unread,
            _ => Status::Bad,
        }
    }
}

/// Whether messages were in flight over a generation with these files, so that no restart is made from it. Nothing where
/// the program did not count them, or a file is not good.
pub fn crossed(verdicts: &[Verdict]) -> Option<bool> {
    let mut counted = Vec::new();
    for verdict in verdicts {
        if verdict.status() != Status::Good {
            return None;
        }
        counted.extend(verdict.messages);
    }
    let all = counted.len() == verdicts.len();
    (!counted.is_empty()).then(|| !all || Messages::cross(&counted))
}

impl State {
    /// One word, the same in JSON.
    pub fn word(&self) -> &'static str {
        match self {
            State::Good => "good",
            State::Missing => "missing",
            State::Damaged { .. } => "damaged",
            State::Strange(_) => "strange",
            State::Unread(_) => "unreadable",
        }
    }

    /// What is wrong, if anything is.
    pub fn reason(&self) -> Option<&str> {
        match self {
            State::Good => None,
            State::Missing => Some("there is no such file"),
            State::Damaged { reason, .. } => Some(reason),
            State::Strange(reason) | State::Unread(reason) => Some(reason),
        }
    }
}
