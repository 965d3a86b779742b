//! Why something differs from thread to thread.

use crate::dataflow::steps::TextPlace;

/// Why threads may pass a place unequally often, or a value may differ from thread to thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// Where threads part: what is read or called in a condition, or the construct.
    pub place: TextPlace,
    /// The variable that is read there.
    pub variable: Option<String>,
    /// Where the difference comes from, as half a sentence without a full stop.
    pub why: String,
    /// The place of that.
    pub origin: TextPlace,
}

impl Cause {
    /// A construct is the reason, not a value.
    pub fn of_construct(place: TextPlace, why: &str) -> Cause {
        Cause {
            place,
            variable: None,
            why: why.to_string(),
            origin: place,
        }
    }

    /// The same difference, seen where a variable is read.
    pub fn read_as(&self, place: TextPlace, variable: String) -> Cause {
        Cause {
            place,
            variable: Some(variable),
            ..self.clone()
        }
    }

    /// The same difference, seen elsewhere.
    pub fn seen_at(&self, place: TextPlace) -> Cause {
        Cause {
            place,
            ..self.clone()
        }
    }
}
