//! What can be wrong with a file, a type or a value. Errors are values; whoever prints them adds the file's name.

use std::fmt;

/// Why bytes are refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormatError {
    /// Not a checkpoint file at all.
    Foreign {
        /// What it looks like instead.
        reason: String,
    },
    /// Written by a newer version of the format.
    Newer {
        /// The file's version.
        major: u32,
        /// The file's version.
        minor: u32,
    },
    /// A checkpoint file whose bytes are not those that were written.
    Damaged {
        /// Where in the file.
        offset: u64,
        /// What is wrong there.
        reason: String,
    },
    /// The file could not be read or written.
    Storage {
        /// Where in the file.
        offset: u64,
        /// What the system says.
        reason: String,
    },
    /// A type that cannot be.
    Types {
        /// Of the type.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The file has another type than the program.
    Mismatch {
        /// Member path from the register on, such as `.position[2]`; empty for the register itself.
        path: String,
        /// Both sides.
        reason: String,
    },
    /// A value that the reader's type cannot hold.
    Value {
        /// Element and member path.
        path: String,
        /// Which value, which type.
        reason: String,
    },
}

impl fmt::Display for FormatError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormatError::Foreign { reason } => write!(out, "not a checkpoint file: {reason}"),
            FormatError::Newer { major, minor } => {
                write!(
                    out,
                    "written in format version {major}.{minor}; this library reads versions up to 1"
                )
            }
            FormatError::Damaged { offset, reason } => {
                write!(out, "damaged at byte {offset}: {reason}")
            }
            // Nothing was read or written yet: the place would say nothing.
            FormatError::Storage { offset: 0, reason } => write!(out, "{reason}"),
            FormatError::Storage { offset, reason } => write!(out, "byte {offset}: {reason}"),
            FormatError::Types { name, reason } => write!(out, "type {name}: {reason}"),
            FormatError::Mismatch { path, reason } | FormatError::Value { path, reason }
                if path.is_empty() =>
            {
                write!(out, "{reason}")
            }
            FormatError::Mismatch { path, reason } | FormatError::Value { path, reason } => {
                write!(out, "{path}: {reason}")
            }
        }
    }
}

impl std::error::Error for FormatError {}
