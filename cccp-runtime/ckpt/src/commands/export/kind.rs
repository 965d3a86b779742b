//! Which form a file gets.

use std::path::Path;

use clap::ValueEnum;
use serde::Serialize;

use crate::outcome::Failure;

/// The forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// NumPy's format
    Npy,
    /// A table, one row per element
    Csv,
    /// A picture of a field: a heat map
    Png,
}

impl Kind {
    /// What the user said, or what the name of the file says.
    pub fn of(said: Option<Kind>, path: &Path) -> Result<Kind, Failure> {
        if let Some(kind) = said {
            return Ok(kind);
        }
        if path.as_os_str() == "-" {
            return Ok(Kind::Csv);
        }
        let suffix = path.extension().and_then(|suffix| suffix.to_str());
        match suffix.map(str::to_ascii_lowercase).as_deref() {
            Some("npy") => Ok(Kind::Npy),
            Some("csv") => Ok(Kind::Csv),
            Some("png") => Ok(Kind::Png),
            _ => Err(Failure::said(format!(
                "{}: the name does not say the form; end it with .npy, .csv or .png, or say --format",
                path.display()
            ))),
        }
    }
}
