//! Numbers of ranks: `1-4, 8, even`, as the clause `ranks` of a checkpoint says them.
//!
//! In: the text that the precompiler hands over. Out: whether a number is one of them. It is a list of numbers and no C
//! expression, so that all ranks come to the same answer. A text that is not understood is an error.

/// Some numbers of ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankSet {
    text: String,
    /// First, last, step.
    parts: Vec<(u32, u32, u32)>,
}

impl RankSet {
    /// From the text of a clause.
    pub fn read(text: &str) -> Result<RankSet, String> {
        let part = |word: &str| match word {
            "even" => Some((2, u32::MAX, 2)),
            "odd" => Some((1, u32::MAX, 2)),
            _ => {
                let (first, last) = word.split_once('-').unwrap_or((word, word));
                Some((first.parse().ok()?, last.parse().ok()?, 1))
            }
        };
        let parts: Option<Vec<_>> = text.split(", ").map(part).collect();
        match parts {
            Some(parts) => Ok(RankSet {
                text: text.to_string(),
                parts,
            }),
            None => Err(format!("`{text}` are no numbers of ranks")),
        }
    }

    /// Whether a number is one of them.
    pub fn has(&self, count: u32) -> bool {
        let mut parts = self.parts.iter();
        parts.any(|&(first, last, step)| {
            (first..=last).contains(&count) && (count - first).is_multiple_of(step)
        })
    }

    /// As written.
    pub fn text(&self) -> &str {
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_holds_its_numbers_and_no_others() {
        let set = RankSet::read("1-3, 8, even").expect("numbers");
        let found: Vec<u32> = (0..=11).filter(|&count| set.has(count)).collect();
        assert_eq!(found, [1, 2, 3, 4, 6, 8, 10]);
        let odd = RankSet::read("odd").expect("numbers");
        assert!(odd.has(1) && odd.has(4095) && !odd.has(4096));
        assert!(!RankSet::read("5-4").expect("numbers").has(5));
    }

    #[test]
    fn what_is_no_number_is_an_error() {
        for text in ["", "some", "1,2", "-3", "4-", "1 - 2"] {
            assert!(RankSet::read(text).is_err(), "{text}");
        }
    }
}
