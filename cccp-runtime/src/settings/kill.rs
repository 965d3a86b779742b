//! `CCCP_KILL_AT`: dying at a known point, to rehearse a crash.

use super::error::nearest;

/// The points, in the order in which a run passes them.
pub const POINTS: [&str; 8] = [
    "checkpoint",
    "writing",
    "written",
    "publishing",
    "published",
    "restore",
    "resumed",
    "shutdown",
];

/// Where to die.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KillAt {
    /// One of [`POINTS`].
    pub point: &'static str,
    /// At which passage, from 1.
    pub count: u64,
    /// Which rank; none for all.
    pub rank: Option<u32>,
}

impl KillAt {
    /// From `point[:count][@rank]`.
    pub(super) fn parse(text: &str) -> Result<KillAt, String> {
        let (rest, rank) = match text.split_once('@') {
            Some((rest, rank)) => (
                rest,
                Some(rank.parse().map_err(|_| format!("{rank} is not a rank"))?),
            ),
            None => (text, None),
        };
        let (word, count) = match rest.split_once(':') {
            Some((word, count)) => match count.parse() {
                Ok(count) if count > 0 => (word, count),
                _ => return Err(format!("{count} is not a number from 1")),
            },
            None => (rest, 1),
        };
        match POINTS.into_iter().find(|point| *point == word) {
            Some(point) => Ok(KillAt { point, count, rank }),
            None => Err(format!(
                "{word} is not one of {}{}",
                POINTS.join(", "),
                nearest(word, POINTS)
            )),
        }
    }

    /// Whether to die at the `passage`-th passage of a point on a rank.
    pub fn is_due(&self, point: &str, passage: u64, rank: u32) -> bool {
        self.point == point && self.count == passage && self.rank.is_none_or(|own| own == rank)
    }
}
