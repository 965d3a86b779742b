//! How long messages are followed before it is given up: for a run, and for all runs of a program together.
//!
//! In: the steps of runs, with how much is known at each. Out: whether there may be one more. What is known is copied wherever ways
//! part, so a step costs as much as there is; where ranks have many possibilities in a large program, the runs together would take
//! longer than everything else. Who gives up knows nothing of the places, which is the safe side: messages are counted in the run.

/// Steps of a run.
const STEPS: u64 = 100_000;
/// What all runs together may cost: in each step, the values that are known there.
const WORK: u64 = 50_000_000;

/// What may still be spent.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    steps: u64,
    work: u64,
}

impl Budget {
    /// For all runs of a program.
    pub fn new() -> Budget {
        Budget {
            steps: STEPS,
            work: WORK,
        }
    }

    /// For the next run, after this one.
    pub fn of_next_run(self) -> Budget {
        Budget {
            steps: STEPS,
            ..self
        }
    }

    /// A step is taken where so much is known.
    pub fn spend(&mut self, known: usize) {
        self.steps = self.steps.saturating_sub(1);
        self.work = self.work.saturating_sub(1 + known as u64);
    }

    /// Whether nothing is left.
    pub fn is_spent(self) -> bool {
        self.steps == 0 || self.work == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_has_so_many_steps_and_the_next_one_has_them_again() {
        let mut budget = Budget::new();
        for _ in 1..STEPS {
            budget.spend(3);
        }
        assert!(!budget.is_spent());
        budget.spend(3);
        assert!(budget.is_spent());
        assert!(!budget.of_next_run().is_spent());
    }

    #[test]
    fn what_all_runs_cost_together_is_limited() {
        let mut budget = Budget::new();
        let known = 9_999;
        for _ in 1..WORK / 10_000 {
            budget = budget.of_next_run();
            budget.spend(known);
        }
        assert!(!budget.is_spent());
        budget.spend(known);
        assert!(budget.is_spent());
        assert!(budget.of_next_run().is_spent(), "the next run has no more");
    }
}
