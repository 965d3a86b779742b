//! What there is to show: a whole file, or what is left of a damaged one.

use std::path::Path;

use cccp::format::{Damage, Data, File, FormatError, Header, Register};
use cccp::store::{FileSystem, Problem, head, open, salvage};

use crate::outcome::Failure;
use crate::select::full_name;

/// A file as far as it can be shown.
pub struct View {
    /// Bytes of it.
    pub length: u64,
    /// Version of the format.
    pub version: (u32, u32),
    /// Its header, if it is sound.
    pub header: Option<Header>,
    /// What can be read; none when header or description are damaged.
    pub file: Option<File>,
    /// All registers, in the order of the file.
    pub rows: Vec<Row>,
    /// In one sentence, when the file is damaged.
    pub reason: Option<String>,
    /// What is damaged, part by part.
    pub damage: Vec<Damage>,
}

/// A register.
pub struct Row {
    /// Number of its section.
    pub section: u64,
    /// Its head.
    pub register: Register,
    /// `function:name`, as far as it is known.
    pub name: String,
    /// What can be said of its values.
    pub state: State,
}

/// Whether the values of a register are those that were written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// They are.
    Sound,
    /// They are, but the file ends before the checksum that vouches for name, type and shape.
    Unverified,
    /// They are not, or nobody knows what they are.
    Lost(String),
}

impl State {
    /// One word, the same in JSON.
    pub fn word(&self) -> &'static str {
        match self {
            State::Sound => "sound",
            State::Unverified => "unverified",
            State::Lost(_) => "damaged",
        }
    }
}

impl View {
    /// Of a file; a damaged one is looked at part by part.
    pub fn of(path: &Path) -> Result<View, Failure> {
        match open(&FileSystem, path) {
            Ok(file) => whole(path, file),
            Err(error) => match error.problem {
                Problem::Contents(
                    FormatError::Damaged { .. }
                    | FormatError::Types { .. }
                    | FormatError::Mismatch { .. }
                    | FormatError::Value { .. },
                ) => remains(path, error.problem.to_string()),
                _ => Err(error.into()),
            },
        }
    }
}

fn whole(path: &Path, file: File) -> Result<View, Failure> {
    let checkpoint = &file.checkpoint;
    let rows = checkpoint.sections.iter().flat_map(|section| {
        section.registers.iter().map(|register| Row {
            section: section.number,
            register: register.clone(),
            name: full_name(checkpoint, register),
            state: State::Sound,
        })
    });
    Ok(View {
        length: file.length,
        version: head(&FileSystem, path)?.version,
        header: Some(checkpoint.header.clone()),
        rows: rows.collect(),
        reason: None,
        damage: Vec::new(),
        file: Some(file),
    })
}

fn remains(path: &Path, reason: String) -> Result<View, Failure> {
    let remains = salvage(&FileSystem, path)?;
    let rows = remains.registers.into_iter().map(|one| {
        let known = remains.file.as_ref().map(|file| &file.checkpoint);
        Row {
            section: one.section,
            name: match known {
                Some(checkpoint) => full_name(checkpoint, &one.register),
                None => one.register.name.clone(),
            },
            register: one.register,
            state: match (one.data, known, one.is_certain) {
                (Err(error), _, _) => State::Lost(error.to_string()),
                (Ok(()), None, _) => {
                    State::Lost("cannot be read: its type is not known".to_string())
                }
                (Ok(()), Some(_), true) => State::Sound,
                (Ok(()), Some(_), false) => State::Unverified,
            },
        }
    });
    Ok(View {
        length: remains.length,
        version: remains.version,
        header: remains.header.clone(),
        rows: rows.collect(),
        reason: Some(reason),
        damage: remains.damage,
        file: remains.file,
    })
}

impl Row {
    /// Bytes in the writer's memory.
    pub fn raw(&self) -> u64 {
        self.register
            .elements
            .saturating_mul(self.register.element_size)
    }

    /// Bytes in the file.
    pub fn stored(&self) -> u64 {
        match self.register.data {
            Data::InFile { stored, .. } => stored,
            Data::Encoded(ref data) => data.len() as u64,
        }
    }

    /// Whether the user named it: by its name, `function:name`, or `#` and its number.
    pub fn is_called(&self, word: &str) -> bool {
        self.register.name == word
            || self.name == word
            || word
                .strip_prefix('#')
                .is_some_and(|number| number.parse() == Ok(self.register.id))
    }
}
