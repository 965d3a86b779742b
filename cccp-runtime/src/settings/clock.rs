//! `CCCP_CLOCK`: a clock that stands still between two calls of checkpoints, to rehearse time.

/// How the clock of this process goes.
#[derive(Clone, Debug, PartialEq)]
pub struct CallClock {
    /// Seconds that each call takes.
    pub step: f64,
    /// Seconds that it is ahead of the others from the first call on.
    pub ahead: f64,
    /// Which rank is ahead; none for all.
    pub rank: Option<u32>,
}

impl CallClock {
    /// From `step[+ahead][@rank]`.
    pub(super) fn parse(text: &str) -> Result<CallClock, String> {
        let (rest, rank) = match text.split_once('@') {
            Some((rest, rank)) => (
                rest,
                Some(rank.parse().map_err(|_| format!("{rank} is not a rank"))?),
            ),
            None => (text, None),
        };
        let (step, ahead) = rest.split_once('+').unwrap_or((rest, "0"));
        let seconds = |text: &str| match text.parse::<f64>() {
            Ok(seconds) if seconds.is_finite() && seconds >= 0.0 => Ok(seconds),
            _ => Err(format!("{text} is not a number of seconds")),
        };
        Ok(CallClock {
            step: seconds(step)?,
            ahead: seconds(ahead)?,
            rank,
        })
    }

    /// What it shows a rank after so many calls.
    pub fn after(&self, calls: u64, rank: u32) -> f64 {
        let ahead = self.rank.is_none_or(|own| own == rank);
        calls as f64 * self.step + if ahead && calls > 0 { self.ahead } else { 0.0 }
    }
}
