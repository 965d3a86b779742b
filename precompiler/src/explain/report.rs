//! The report as plain data: what a checkpoint holds and what not, and why.
//!
//! Built by [`collect`](super::collect), shown by [`text`](super::text), [`json`](super::json) and
//! [`html`](super::html). The names of the fields are those of the JSON form, which the README of this room documents.
//! Everything is in the order in which it is shown: what is missing first, then what is saved, the largest first, then
//! what is not saved.

use serde::Serialize;
use std::collections::BTreeMap;

use super::size::Amount;
use crate::source::UserLines;

/// Everything there is to say about a program.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// Sizes that were given on the command line.
    pub sizes: BTreeMap<String, u64>,
    /// Names whose values would turn every amount into a number.
    pub wanted: Vec<String>,
    /// The files of the program.
    pub files: Vec<SourceText>,
    /// In the order of the files and lines.
    pub checkpoints: Vec<Checkpoint>,
    /// What concerns the program as a whole.
    pub remarks: Vec<Conservative>,
    /// What has to hold and could not be checked; empty when the program rests on nothing of that kind.
    pub assumed: Vec<Conservative>,
}

/// A file of the program.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SourceText {
    /// As the user named it.
    pub path: String,
    /// Its text, for the page that shows it.
    #[serde(skip)]
    pub text: String,
    /// Lines with directives of cccp.
    pub directives: Vec<usize>,
    /// Which line of the user's file each line of the text is; auto mode adds some.
    #[serde(skip)]
    pub lines: UserLines,
}

/// A place in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Place {
    /// The file as the user would find it; a header is named by its own path.
    pub file: String,
    /// From 1.
    pub line: usize,
    /// The function it stands in; none outside of functions.
    pub function: Option<String>,
}

/// A checkpoint directive.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Checkpoint {
    /// Where it stands.
    pub place: Place,
    /// What its `name` clause says.
    pub name: Option<String>,
    /// The clauses as they are written.
    pub clauses: String,
    /// Why it stands where it stands: the loop around it, and whether a message can be in flight there.
    pub why_here: Vec<String>,
    /// Calls that lead to it, the outermost first: one of them may be in progress in each function on the way.
    pub way: Vec<Frame>,
    /// What stands in the file for all registers, and how much memory that is.
    pub total: Amount,
    /// What could be left out.
    pub removable: Amount,
    /// How often each verdict occurs.
    pub counts: Counts,
    /// All that is in scope, and what can be reached from there.
    pub rows: Vec<Row>,
}

/// A function on the way to a checkpoint.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Frame {
    /// Its name.
    pub function: String,
    /// The call in it that leads there.
    pub call: Place,
}

/// How many locations there are of each verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Read after a restart, but restored by nobody.
    pub missing: usize,
    /// Registered and read.
    pub saved: usize,
    /// Registered, but never read.
    pub removable: usize,
    /// Not registered, and not needed.
    pub not_saved: usize,
}

/// What becomes of a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// A restarted program reads it, and nothing restores it.
    Missing,
    /// It stands in the checkpoint and is needed.
    Saved,
    /// It stands in the checkpoint, and nothing reads it afterwards.
    Removable,
    /// It does not stand in the checkpoint and need not.
    NotSaved,
}

/// What a location is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// A local variable of a function on the way.
    Local,
    /// A parameter of a function on the way.
    Parameter,
    /// A local variable that lives as long as the program.
    StaticLocal,
    /// A variable outside of functions.
    Global,
    /// Memory that a call allocates.
    Heap,
    /// What a library keeps to itself.
    Library,
}

/// A location, or members of one that share their fate.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// As the program would write it.
    pub name: String,
    /// The members that are meant, when it is not the whole.
    pub members: Vec<String>,
    /// What it is.
    pub what: What,
    /// The function it belongs to.
    pub function: Option<String>,
    /// Its type as C spells it; empty when it is not known.
    #[serde(rename = "type")]
    pub type_name: String,
    /// Where it is declared or allocated.
    pub declared: Option<Place>,
    /// What becomes of it.
    pub verdict: Verdict,
    /// Why.
    pub reason: Reason,
    /// What to write, when it is missing.
    pub cure: Option<Cure>,
    /// Where it is changed after `init`, when it is missing.
    pub changed: Option<Place>,
    /// The items of register directives that hold it.
    pub registers: Vec<Register>,
    /// How many bytes it is or would be.
    pub bytes: Amount,
    /// Where nothing was certain and the worst was assumed.
    pub conservative: Vec<Conservative>,
}

/// An item of a register directive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Register {
    /// As it is written: `u[n]`.
    pub item: String,
    /// What `cccp-ckpt` calls it: `main:u`.
    pub full_name: String,
    /// Its directive.
    pub place: Place,
}

/// Why a location is needed, or why it is not.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "because", rename_all = "snake_case")]
pub enum Reason {
    /// This read may come before anything is stored there.
    Read {
        /// The read.
        read: Place,
        /// Calls and returns on the way to it.
        through: Vec<Place>,
    },
    /// It may be read, but where cannot be said.
    MayBeRead,
    /// It is registered; only another checkpoint needs it.
    Elsewhere {
        /// That checkpoint.
        checkpoint: Place,
    },
    /// It is registered; whether anything needs it is not known.
    Registered,
    /// Nothing reads it any more.
    NeverRead,
    /// It is stored to before it is read.
    Overwritten {
        /// The store.
        write: Place,
    },
    /// Nothing was stored to it before.
    NeverWritten,
    /// It does not exist yet, or not any more.
    NotThere,
    /// Its initialiser holds: nothing changes it.
    Unchanged,
    /// A local with a constant initialiser that never changes: it is set again.
    Constant,
    /// Set before `init`, where every start passes, and not changed afterwards.
    BeforeInit,
    /// A block that is executed on restart sets it.
    ReExecuted {
        /// The block.
        block: Place,
    },
    /// A parameter that keeps the value of the call, which is made again.
    Parameter,
    /// The first call of a function computes it, and does so again after a restart.
    SetUp,
    /// It comes back with the fixed heap.
    FixedHeap,
    /// The library that keeps it makes it anew.
    Library,
    /// Why is not known.
    Unknown,
}

/// What brings a missing location back.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "write", rename_all = "snake_case")]
pub enum Cure {
    /// `#pragma cccp register(item)`
    Register {
        /// The item; an extent that is not known is `…`.
        item: String,
        /// The directive stands behind this place.
        after: Option<Place>,
    },
    /// What makes the handle stands in `execute on restart`.
    Execute {
        /// Where it is made.
        made: Option<Place>,
    },
    /// Nothing brings it back.
    Nothing,
    /// Other threads have copies of it.
    OtherThreads,
    /// An item saves the pointer as a number.
    Numbers {
        /// The item.
        item: String,
    },
}

/// A choice on the safe side.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Conservative {
    /// What was assumed and why: one sentence without a full stop.
    pub because: String,
    /// What would lift it; empty when nothing can.
    pub lift: String,
    /// Where.
    pub place: Option<Place>,
}

impl Checkpoint {
    /// Puts the rows into the order in which they are shown and counts them.
    pub fn arrange(&mut self) {
        // Locations of the checkpoint's own function come before those of others.
        let here = self.place.function.clone();
        let elsewhere = |row: &Row| row.function.is_some() && row.function != here;
        self.rows.sort_by(|a, b| {
            let size = |row: &Row| row.bytes.rank();
            let place = |row: &Row| row.declared.clone();
            a.verdict
                .cmp(&b.verdict)
                .then_with(|| match a.verdict {
                    Verdict::NotSaved => std::cmp::Ordering::Equal,
                    _ => size(b).cmp(&size(a)),
                })
                .then_with(|| elsewhere(a).cmp(&elsewhere(b)))
                .then_with(|| place(a).cmp(&place(b)))
                .then_with(|| a.name.cmp(&b.name))
                .then_with(|| a.members.cmp(&b.members))
        });
        self.counts = Counts::default();
        for row in &self.rows {
            match row.verdict {
                Verdict::Missing => self.counts.missing += 1,
                Verdict::Saved => self.counts.saved += 1,
                Verdict::Removable => self.counts.removable += 1,
                Verdict::NotSaved => self.counts.not_saved += 1,
            }
        }
    }
}

impl Place {
    /// `file:line`.
    pub fn text(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }
}
