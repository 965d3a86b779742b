//! What a checkpoint costs, and how far apart they are to be for that.

/// No checkpoint is cheaper than that, whatever a clock says.
const LEAST: f64 = 1e-3;
/// Before the first one: what any checkpoint takes, and bytes per second.
const ALWAYS: f64 = 0.01;
const RATE: f64 = 200e6;

/// Seconds that one checkpoint takes from the program, and how long it is in flight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// The program stands still, or gives a processor to the thread that writes.
    pub taken: f64,
    /// Until it is published, from its begin.
    pub flight: f64,
}

impl Cost {
    /// The program stood still, and the writer computed, for so long; after `flight` seconds all was published.
    pub fn measured(stood: f64, computed: f64, flight: f64) -> Cost {
        Cost {
            taken: (stood + computed).max(LEAST),
            flight: flight.max(stood),
        }
    }

    /// What a checkpoint with so many bytes may cost, when none has been taken.
    pub fn estimated(bytes: u64) -> Cost {
        let taken = ALWAYS + bytes as f64 / RATE;
        Cost {
            taken,
            flight: taken,
        }
    }

    /// The next one is between this and what was measured now.
    pub fn then(self, now: Cost) -> Cost {
        Cost {
            taken: (self.taken + now.taken) / 2.0,
            flight: (self.flight + now.flight) / 2.0,
        }
    }

    /// The best interval between two checkpoints when failures are `mtbf` seconds apart: Young's, with Daly's terms of
    /// higher order.
    pub fn interval(self, mtbf: f64) -> f64 {
        let ratio = self.taken / (2.0 * mtbf);
        if ratio >= 1.0 {
            return mtbf;
        }
        let young = (2.0 * self.taken * mtbf).sqrt();
        young * (1.0 + ratio.sqrt() / 3.0 + ratio / 9.0) - self.taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s37_the_interval_is_that_of_young_and_daly() {
        let cost = Cost::measured(10.0, 0.0, 10.0);
        // √(2 · 10 · 86400) is 1314.5; Daly's terms add a third of the cost, and take away the cost.
        assert!((cost.interval(86400.0) - 1307.9).abs() < 0.2);
        assert_eq!(cost.interval(4.0), 4.0);
        let quick = Cost::measured(0.0, 0.0, 0.0);
        assert!((quick.interval(86400.0) - 13.145).abs() < 0.01);
    }

    #[test]
    fn the_estimate_grows_with_what_is_registered() {
        assert!(Cost::estimated(0).taken < 0.05);
        assert!(Cost::estimated(2_000_000_000).taken > 5.0);
        let between = Cost::estimated(0).then(Cost::measured(1.0, 0.0, 2.0));
        assert!((between.taken - 0.505).abs() < 1e-9);
    }
}
