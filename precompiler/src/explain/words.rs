//! The sentences that text and page have in common.

use super::report::{Checkpoint, Cure, Place, Reason, Row, Verdict, What};
use super::size::{Amount, short, thousands};

/// A piece of a sentence: words, or a place that can be shown as a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Words.
    Words(String),
    /// A place; what happens there.
    Place(Place, Mark),
}

impl Piece {
    /// A place as seen from a file: within it the line is enough.
    pub fn at(place: &Place, file: &str) -> String {
        if place.file == file {
            format!("line\u{a0}{}", place.line)
        } else {
            place.text()
        }
    }
}

/// What happens at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// It is read.
    Read,
    /// It is stored to.
    Write,
    /// Control goes on from there.
    Way,
    /// It is registered.
    Register,
    /// A block sets it.
    Block,
    /// It is declared or allocated.
    Declared,
}

/// A verdict as the title of its part.
pub fn title(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Missing => "missing",
        Verdict::Saved => "saved",
        Verdict::Removable => "saved, but nothing reads it",
        Verdict::NotSaved => "not saved",
    }
}

/// What a part is about, as a sentence.
pub fn meaning(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Missing => "read after a restart, but neither registered nor set again",
        Verdict::Saved => "registered, and read after a restart",
        Verdict::Removable => "registered, but never read again: the item can go",
        Verdict::NotSaved => "not registered, and not needed",
    }
}

/// Why a location is where it is.
pub fn because(row: &Row) -> Vec<Piece> {
    let mut said = Said::default();
    match &row.reason {
        Reason::Read { read, through } => {
            said.words("read at ").place(read, Mark::Read);
            for (number, one) in through.iter().enumerate() {
                said.words(if number == 0 { ", by way of " } else { ", " });
                said.place(one, Mark::Way);
            }
        }
        Reason::MayBeRead => {
            said.words("something that is not seen may read it");
        }
        Reason::Elsewhere { checkpoint } => {
            said.words("not read from here on; the checkpoint at ");
            said.place(checkpoint, Mark::Way).words(" needs it");
        }
        Reason::Registered => {
            said.words("whether something reads it is not known");
        }
        Reason::NeverRead => {
            said.words("never read again");
        }
        Reason::Overwritten { write } => {
            said.words("set at ").place(write, Mark::Write);
            said.words(" before it is read");
        }
        Reason::NeverWritten => {
            said.words("nothing was stored there before");
        }
        Reason::NotThere => {
            said.words("does not exist at this checkpoint");
        }
        Reason::Unchanged => {
            said.words("nothing changes what its initialiser says");
        }
        Reason::Constant => {
            said.words("constant initialiser, never changed: set again");
        }
        Reason::BeforeInit => {
            said.words("set before init, in every start, and not changed afterwards");
        }
        Reason::ReExecuted { block } => {
            said.words("set again by the block at ");
            said.place(block, Mark::Block);
        }
        Reason::Parameter => {
            said.words("a parameter that does not change: the call is made again with it");
        }
        Reason::SetUp => {
            said.words("the first call after a restart computes it again");
        }
        Reason::FixedHeap => {
            said.words("in the fixed heap, which is saved as it is");
        }
        Reason::Library => {
            said.words("the library makes it anew");
        }
        Reason::Unknown => {
            said.words("not needed");
        }
    }
    if let Some(changed) = &row.changed {
        said.words("; changed at ").place(changed, Mark::Write);
    }
    for (number, one) in row.registers.iter().enumerate() {
        said.words(if number == 0 {
            "; registered at "
        } else {
            ", "
        });
        said.place(&one.place, Mark::Register);
    }
    match &row.cure {
        Some(Cure::Register { item, after }) => {
            said.words(&format!("; write `register({item})`"));
            if let Some(after) = after {
                said.words(" after ").place(after, Mark::Declared);
            }
        }
        Some(Cure::Execute { made }) => {
            said.words("; no file can hold it: put what makes it");
            if let Some(made) = made {
                said.words(", at ").place(made, Mark::Write).words(",");
            }
            said.words(" into `execute on restart`");
        }
        Some(Cure::Nothing) => {
            said.words("; nothing restores what a library keeps to itself");
        }
        Some(Cure::Numbers { item }) => {
            said.words(&format!(
                "; `{item}` saves its address as a number: write `init heap(fixed)`"
            ));
        }
        Some(Cure::OtherThreads) => {
            said.words(
                "; each thread has its own, and a restart restores the initial thread's only",
            );
        }
        None => {}
    }
    said.0
}

/// A sentence in the making.
#[derive(Default)]
struct Said(Vec<Piece>);

impl Said {
    fn words(&mut self, words: &str) -> &mut Said {
        self.0.push(Piece::Words(words.to_string()));
        self
    }

    fn place(&mut self, place: &Place, mark: Mark) -> &mut Said {
        self.0.push(Piece::Place(place.clone(), mark));
        self
    }
}

/// The name of a location, with its function when that is not the checkpoint's, and with its line when another one has
/// the same name.
pub fn name(row: &Row, checkpoint: &Checkpoint) -> String {
    let here = checkpoint.place.function.as_deref();
    let mut own = match row.members.as_slice() {
        [] => row.name.clone(),
        [one] => one.clone(),
        [first, rest @ ..] => format!("{first} and {} more", rest.len()),
    };
    let twin = |other: &Row| {
        other.name == row.name
            && other.function == row.function
            && other.members == row.members
            && other.declared != row.declared
    };
    if let Some(declared) = &row.declared
        && checkpoint.rows.iter().any(twin)
    {
        own += &format!(" ({})", Piece::at(declared, &checkpoint.place.file));
    }
    match (&row.function, row.what) {
        (Some(function), what)
            if what != What::Global && !function.is_empty() && Some(function.as_str()) != here =>
        {
            format!("{function}: {own}")
        }
        _ => own,
    }
}

/// `8·n = 781 KiB`.
pub fn bytes(amount: &Amount) -> String {
    match amount.memory {
        _ if amount.formula.is_empty() => "?".to_string(),
        Some(number) if amount.formula == number.to_string() => short(number),
        Some(number) => format!("{} = {}", amount.formula, short(number)),
        None => amount.formula.clone(),
    }
}

/// The same in whole sentences: memory and file.
pub fn total(amount: &Amount) -> String {
    let memory = memory(amount);
    match amount.stored {
        Some(stored) => {
            let most = if amount.exact { "" } else { "at most " };
            format!("{memory}; {most}{} in the file", thousands(stored))
        }
        None => memory,
    }
}

/// `8·n = 800 000 bytes`.
fn memory(amount: &Amount) -> String {
    match amount.memory {
        Some(number) if amount.formula == number.to_string() => {
            format!("{} bytes", thousands(number))
        }
        Some(number) => format!("{} = {} bytes", amount.formula, thousands(number)),
        None => format!("{} bytes", amount.formula),
    }
}

/// `checkpoint in main, every(1000)`.
pub fn heading(checkpoint: &Checkpoint) -> String {
    let mut text = String::from("checkpoint");
    if let Some(name) = &checkpoint.name {
        text += &format!(" {name}");
    }
    if let Some(function) = &checkpoint.place.function {
        text += &format!(" in {function}");
    }
    if !checkpoint.clauses.is_empty() {
        text += &format!(", {}", checkpoint.clauses);
    }
    text
}

/// `heat.c:30: checkpoint in main, in the loop at line 29: no loop is around it; 16·n + 24 bytes`.
pub fn line(checkpoint: &Checkpoint) -> String {
    let place = checkpoint.place.text();
    let mut text = format!("{place}: {}", heading(checkpoint));
    let why = checkpoint.why_here.first();
    // What the share of the work is estimated from stands in the report.
    if let Some(why) = why.and_then(|why| why.split(" (estimated").next()) {
        text += &format!(", {why}");
    }
    let amount = &checkpoint.total;
    if !amount.formula.is_empty() {
        text += &format!("; {}", memory(amount));
    }
    // A line of a log may be broken anywhere.
    text.replace('\u{a0}', " ")
}

/// So many of something: `1 location`, `3 locations`.
pub fn count(number: usize, word: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {word}{ending}")
}
