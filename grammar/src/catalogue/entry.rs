//! What an entry of the catalogue says, as plain data with byte ranges.

use std::ops::Range;

use crate::directive::Text;

/// What stands at the first column and below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// `chapter TEXT`: where the entries below come from.
    Chapter(Text),
    /// `handle NAME, …`, `generator NAME, …`: types whose values only a library understands.
    Handles(Vec<Text>),
    /// `state @NAME: TEXT`: what a library keeps to itself.
    State {
        /// Without the `@`.
        name: Text,
        /// For people.
        meaning: Text,
    },
    /// `variable NAME, … in @STATE`, `variable NAME, … into @STATE`: variables that a library defines.
    Variables {
        /// Their names.
        names: Vec<Text>,
        /// The state that they belong to, without the `@`.
        state: Text,
    },
    /// `family NAME: PART, …`: `{NAME}` in names of functions below stands for each of the parts.
    Family {
        /// Its name.
        name: Text,
        /// What it stands for.
        parts: Vec<Text>,
    },
    /// `NAME, …(PARAMETER, …) [cite TEXT]` and its clauses.
    Function(FunctionEntry),
}

/// Functions that behave alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionEntry {
    /// At least one. `{name}` in it stands for a family.
    pub names: Vec<Text>,
    /// In order, without `...`.
    pub parameters: Vec<Text>,
    /// Takes `...`.
    pub variadic: bool,
    /// Where in the chapter's document.
    pub citation: Option<Text>,
    /// What it does, in the order of the text.
    pub clauses: Vec<Clause>,
}

/// One thing a function does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clause {
    /// May look at the memory before anything is stored there.
    Reads(Vec<Place>),
    /// May store to it.
    Writes(Vec<Place>),
    /// Stores to all of it whenever it succeeds.
    Fills(Vec<Place>),
    /// Ends the life of the memory.
    Frees(Vec<Place>),
    /// Pointers that are in this memory afterwards.
    Stores {
        /// What they lead to.
        values: Vec<Value>,
        /// Where they are.
        places: Vec<Place>,
    },
    /// Remembers pointers after it has returned.
    Keeps {
        /// The pointers.
        places: Vec<Place>,
        /// Where; `None` when nobody asks.
        state: Option<Text>,
    },
    /// Makes an object of the library, for which the handle stands.
    Creates(Vec<Place>),
    /// Ends such an object.
    Destroys(Vec<Place>),
    /// Calls a function that it was given.
    Calls {
        /// Where the pointer to it is.
        callback: Place,
        /// What each argument may be; nothing for what is no pointer into the program.
        arguments: Vec<Vec<Value>>,
    },
    /// The pointers that may come back.
    Returns(Vec<Value>),
    /// Parameters that may be null.
    Nullable(Vec<Text>),
    /// A later call with the same values of these parameters takes the place of this one; of none: any later call.
    Replaces(Vec<Text>),
    /// `MPI_IN_PLACE` may stand for `sent`; `received` is read then.
    InPlace {
        /// The buffer that may be left out.
        sent: Text,
        /// The buffer that is read in its place.
        received: Text,
    },
    /// Words of the analyses.
    Roles(Vec<Text>),
    /// Control does not come back.
    NeverReturns,
}

/// Memory that something in a call leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// `all of`: everything that can be reached from there.
    pub everything: bool,
    /// How often `*` stands before it: a parameter without one is the memory it points to.
    pub stars: usize,
    /// Where the way begins.
    pub root: Root,
    /// Members on the way.
    pub members: Vec<Text>,
    /// How much; `None`: nobody knows.
    pub extent: Option<Extent>,
    /// When.
    pub condition: Option<Condition>,
    /// Its text.
    pub range: Range<usize>,
}

/// Where the way to memory begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Root {
    /// A parameter.
    Parameter(Text),
    /// Every variable argument.
    Rest,
    /// What is returned.
    Returned,
    /// Hidden state, without the `@`.
    Hidden(Text),
}

/// Under which condition something happens to memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// On the rank that this parameter names.
    At(Text),
    /// Not at once: any time until the request is completed.
    Until(Text),
    /// When this parameter is not null or 0.
    If(Text),
    /// When this parameter is null.
    Unless(Text),
    /// When this format may have a `%n`.
    Counting(Text),
}

/// How much memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Up to and including a zero.
    Terminated,
    /// So many elements of what the parameter points to (bytes behind `void *`).
    Elements(Amount),
}

/// A number that a call computes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Amount {
    /// A number.
    Number(u64),
    /// A parameter, or what it points to.
    Parameter {
        /// Its name.
        name: Text,
        /// `*name`
        behind: bool,
    },
    /// Terms; true for those that are subtracted.
    Sum(Vec<(bool, Amount)>),
    /// Factors.
    Product(Vec<Amount>),
    /// So many items of an MPI datatype.
    Of(Box<Amount>, Text),
    /// A function of numbers, of a communicator or of a string.
    Measure(Measure, Vec<Amount>),
}

/// Functions in amounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Absolute value.
    Absolute,
    /// The largest.
    Largest,
    /// The least.
    Least,
    /// Processes of a communicator.
    Size,
    /// Length of a string without its end.
    Length,
    /// Sum of an array with a count for each process.
    Total,
}

/// A pointer that comes back or is handed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Memory that did not exist before.
    New(Option<Extent>),
    /// A null pointer.
    Null,
    /// Somewhere into what this leads to.
    Into(Place),
    /// Exactly this pointer (a parameter), or hidden state.
    Same(Place),
}

/// An entry that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogueError {
    /// The bytes it is about, in the text given.
    pub range: Range<usize>,
    /// One sentence without a full stop.
    pub message: String,
}
