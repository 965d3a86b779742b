//! A diagnostic as data.

use std::ops::Range;

use super::code::Code;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Good to know; nothing is wrong.
    Note,
    /// Worth a look; the output is written.
    Warning,
    /// No output is written.
    Error,
}

/// Where a diagnostic points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Bytes of the user's file.
    Range {
        /// The file as the user named it.
        path: String,
        /// In its text.
        range: Range<usize>,
    },
    /// A line of a file whose text we do not hold (an included one).
    Line {
        /// The file.
        path: String,
        /// From 1.
        line: usize,
    },
    /// A file as a whole.
    File(String),
    /// Nowhere in particular.
    Nowhere,
}

/// A message for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What sort of message.
    pub code: Code,
    /// One sentence without a full stop.
    pub message: String,
    /// What it is about.
    pub place: Place,
    /// A few words under the carets.
    pub label: String,
    /// Why this is so.
    pub reason: Option<String>,
    /// What to write instead.
    pub help: Option<String>,
    /// Lines to put into a file, shown as they are.
    pub paste: Option<String>,
    /// Other places that belong to it, with a few words each.
    pub others: Vec<(Place, String)>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(code: Code, place: Place, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            code,
            message: message.into(),
            place,
            label: String::new(),
            reason: None,
            help: None,
            paste: None,
            others: Vec::new(),
        }
    }

    /// A warning at a place.
    pub fn warning(code: Code, place: Place, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::error(code, place, message)
        }
    }

    /// With words under the carets.
    pub fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = label.into();
        self
    }

    /// With a reason.
    pub fn reason(mut self, reason: impl Into<String>) -> Diagnostic {
        self.reason = Some(reason.into());
        self
    }

    /// With what to do.
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// With another place that belongs to it.
    pub fn also(mut self, place: Place, label: impl Into<String>) -> Diagnostic {
        self.others.push((place, label.into()));
        self
    }
}

/// Whether there is an error among the diagnostics.
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics
        .iter()
        .any(|diagnostic| diagnostic.severity == Severity::Error)
}
