//! What is known of messages at a place.

use crate::dataflow::steps::TextPlace;
use std::fmt;

/// Whether a checkpoint may be taken at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Safety {
    /// Under these conditions.
    Safe {
        /// With which numbers of ranks; the program has to make sure of it.
        ranks: Ranks,
        /// Only while all checkpoints of the program are in the loop around it: ranks may pass it differently often.
        is_alone: bool,
        /// Why, as the end of a sentence "it is safe because …".
        why: String,
    },
    /// Safe where the threads of a team that come unequally often stop at barriers, too.
    Unequal {
        /// Why they do, as a sentence.
        why: String,
        /// Where they part.
        places: Vec<TextPlace>,
    },
    /// Nobody knows, or surely not.
    Unsafe {
        /// Why, as a sentence.
        why: String,
        /// Where that is: the messages or conditions that the sentence is about.
        places: Vec<TextPlace>,
        /// Surely not: a message is in flight here, or some ranks may never come here. Otherwise it is not known.
        is_certain: bool,
    },
}

impl Safety {
    /// Whether it is so without a condition.
    pub fn is_always(&self) -> bool {
        matches!(
            self,
            Safety::Safe {
                ranks: Ranks::All,
                is_alone: false,
                ..
            }
        )
    }

    /// Always.
    pub(super) fn always(why: &str) -> Safety {
        Safety::Safe {
            ranks: Ranks::All,
            is_alone: false,
            why: why.to_string(),
        }
    }
}

/// Numbers of ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ranks {
    /// All.
    All,
    /// Even numbers, and perhaps 1.
    Even {
        /// 1, too.
        one: bool,
    },
    /// These, in ascending order.
    These(Vec<u32>),
}

/// As in the clause `ranks(…)`: `1-4, 8, even`.
impl fmt::Display for Ranks {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ranks::All => write!(out, "all"),
            Ranks::Even { one } => write!(out, "{}even", if *one { "1, " } else { "" }),
            Ranks::These(all) => {
                let mut rest = all.as_slice();
                let mut comma = "";
                while let Some(&first) = rest.first() {
                    let row = (first..).zip(rest).take_while(|(next, one)| next == *one);
                    let length = row.count();
                    let last = rest[length - 1];
                    match length {
                        1 => write!(out, "{comma}{first}")?,
                        2 => write!(out, "{comma}{first}, {last}")?,
                        _ => write!(out, "{comma}{first}-{last}")?,
                    }
                    rest = &rest[length..];
                    comma = ", ";
                }
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_in_the_clause() {
        let text = Ranks::These(vec![1, 2, 4, 5, 6, 8]).to_string();
        assert_eq!(text, "1, 2, 4-6, 8");
        assert_eq!(Ranks::Even { one: false }.to_string(), "even");
        assert_eq!(Ranks::Even { one: true }.to_string(), "1, even");
    }
}
