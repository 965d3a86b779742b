//! The report as JSON, for other programs. What the fields mean stands in the README of this room.

use serde::Serialize;

use super::report::Report;

/// The number in the object. It changes when a field goes or means something else, not when one is added.
pub const SHAPE: u32 = 1;

#[derive(Serialize)]
struct Whole<'a> {
    command: &'static str,
    shape: u32,
    #[serde(flatten)]
    report: &'a Report,
}

/// The report as one object, ended by a line feed.
pub fn json(report: &Report) -> Result<String, String> {
    let whole = Whole {
        command: "explain",
        shape: SHAPE,
        report,
    };
    let text = serde_json::to_string_pretty(&whole).map_err(|error| format!("no JSON: {error}"))?;
    Ok(text + "\n")
}
