//! A difference between the checkpoint and the program, and all of them as a table.

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// What it is about.
    pub what: String,
    /// As it is in the checkpoint; empty when it is not there.
    pub then: String,
    /// As it is in the program; empty when it is not there.
    pub now: String,
    /// Why it cannot be accepted, if so.
    pub refused: Option<String>,
    /// What accepting it means.
    pub note: Option<String>,
}

impl Row {
    /// A difference that can be accepted.
    pub fn new(what: impl Into<String>, then: impl Into<String>, now: impl Into<String>) -> Row {
        Row {
            what: what.into(),
            then: then.into(),
            now: now.into(),
            refused: None,
            note: None,
        }
    }

    /// It cannot be accepted when there is a reason.
    pub fn refused(mut self, reason: Option<String>) -> Row {
        self.refused = reason;
        self
    }

    /// It cannot be accepted.
    pub fn never(self, reason: &str) -> Row {
        self.refused(Some(reason.to_string()))
    }

    /// What accepting it means.
    pub fn note(mut self, note: &str) -> Row {
        self.note = Some(note.to_string());
        self
    }
}

const HEADS: [&str; 3] = ["what", "in the checkpoint", "in the program"];

/// The rows below each other, with reasons and consequences; `!` marks those that cannot be accepted.
pub fn table(rows: &[Row], accepting: &str) -> String {
    let cells = |row: &Row| {
        [&row.what, &row.then, &row.now].map(|cell| match cell.as_str() {
            "" => "-".to_string(),
            cell => cell.to_string(),
        })
    };
    let mut widths = HEADS.map(str::len);
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(cells(row)) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let line = |mark: &str, cells: [String; 3]| {
        let [what, then, now] = cells;
        let text = format!(
            "{mark} {what:<0$} | {then:<1$} | {now}",
            widths[0], widths[1]
        );
        text.trim_end().to_string()
    };
    let mut lines = vec![line(" ", HEADS.map(str::to_string))];
    let rule = |width: usize| "-".repeat(width);
    lines.push(format!(
        "  {}-+-{}-+-{}",
        rule(widths[0]),
        rule(widths[1]),
        rule(widths[2])
    ));
    for row in rows {
        let mark = if row.refused.is_some() { "!" } else { " " };
        lines.push(line(mark, cells(row)));
        match (&row.refused, &row.note) {
            (Some(reason), _) => lines.push(format!("    cannot be accepted: {reason}")),
            (None, Some(note)) => lines.push(format!("    {accepting}: {note}")),
            (None, None) => {}
        }
    }
    lines.join("\n")
}
