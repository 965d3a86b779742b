//! What is known of messages at a place.

use crate::dataflow::steps::TextPlace;

/// Whether a checkpoint may be taken at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Safety {
    /// For every number of ranks.
    Safe {
        /// Why, as the end of a sentence "it is safe because …".
        why: String,
    },
    /// For some numbers of ranks; the program has to make sure of it before it starts.
    SafeFor {
        /// Which.
        ranks: Ranks,
        /// Why, as for `Safe`.
        why: String,
    },
    /// Nobody knows, or surely not.
    Unsafe {
        /// Why, as a sentence.
        why: String,
        /// Where that is: the messages or conditions that the sentence is about.
        places: Vec<TextPlace>,
    },
}

impl Safety {
    /// Whether it is so for every number of ranks.
    pub fn is_safe(&self) -> bool {
        matches!(self, Safety::Safe { .. })
    }
}

/// Numbers of ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ranks {
    /// Powers of two.
    PowersOfTwo,
    /// Even numbers.
    Even,
    /// Up to this one.
    UpTo(u32),
    /// These, in ascending order.
    These(Vec<u32>),
}

impl Ranks {
    /// Whether a number is one of them.
    pub fn has(&self, count: u32) -> bool {
        match self {
            Ranks::PowersOfTwo => count.is_power_of_two(),
            Ranks::Even => count.is_multiple_of(2),
            Ranks::UpTo(last) => (1..=*last).contains(&count),
            Ranks::These(all) => all.binary_search(&count).is_ok(),
        }
    }

    /// A condition in C for the number of ranks in a variable.
    pub fn condition(&self, size: &str) -> String {
        match self {
            Ranks::PowersOfTwo => format!("({size} & ({size} - 1)) == 0"),
            Ranks::Even => format!("{size} % 2 == 0"),
            Ranks::UpTo(last) => format!("{size} <= {last}"),
            Ranks::These(all) => {
                let each = all.iter().map(|count| format!("{size} == {count}"));
                each.collect::<Vec<_>>().join(" || ")
            }
        }
    }
}
