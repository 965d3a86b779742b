//! What to do when a command has ended: a pure function of how it ended, this time and last time.

use crate::child::{CANNOT_RESTART, CHECKPOINTED, Ending};

/// How a try went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Try {
    /// How the command ended.
    pub ending: Ending,
    /// The newest generation that was published when it ended.
    pub newest: Option<u64>,
    /// The run said that the time of its job was up.
    pub is_out_of_time: bool,
}

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It is done.
    Done,
    /// It took a checkpoint and left because it was asked to, and whoever asked does not want it again now.
    Left,
    /// It cannot begin or resume, and has said why.
    Refused,
    /// It fails at the same place twice.
    SamePlace,
    /// It was started as often as it may be.
    TooOften,
    /// Somebody wanted an end.
    Ended,
    /// It is started again: after a death without any progress later and later.
    Again {
        /// How many tries in a row have published nothing new.
        fruitless: u32,
    },
}

/// How it goes on. `fruitless` tries in a row before this one have published nothing new; `left` are the starts that remain.
pub fn decide(this: Try, before: Option<Try>, asked: bool, fruitless: u32, left: u64) -> Step {
    let has_progress = match before {
        Some(before) => this.newest > before.newest,
        None => this.newest.is_some(),
    };
    match this.ending {
        Ending::Status(0) => Step::Done,
        Ending::Status(CHECKPOINTED) if asked || this.is_out_of_time => Step::Left,
        Ending::Status(CHECKPOINTED) if left > 0 => Step::Again { fruitless: 0 },
        Ending::Status(CANNOT_RESTART) => Step::Refused,
        _ if asked => Step::Ended,
        ending
            if !has_progress
                && !ending.is_from_outside()
                && before.is_some_and(|before| before.ending == ending) =>
        {
            Step::SamePlace
        }
        _ if left == 0 => Step::TooOften,
        _ if has_progress => Step::Again { fruitless: 0 },
        _ => Step::Again {
            fruitless: fruitless + 1,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(ending: Ending, newest: Option<u64>) -> Try {
        Try {
            ending,
            newest,
            is_out_of_time: false,
        }
    }

    const SEGV: Ending = Ending::Signal(11);
    const KILL: Ending = Ending::Signal(9);

    #[test]
    fn who_fails_twice_with_nothing_new_in_between_is_not_started_again() {
        let first = ended(SEGV, Some(3));
        assert_eq!(
            decide(first, None, false, 0, 9),
            Step::Again { fruitless: 0 }
        );
        assert_eq!(decide(first, Some(first), false, 0, 9), Step::SamePlace);
        let newer = ended(SEGV, Some(4));
        assert_eq!(
            decide(newer, Some(first), false, 0, 9),
            Step::Again { fruitless: 0 }
        );
        let other = ended(Ending::Status(3), Some(3));
        assert_eq!(
            decide(other, Some(first), false, 0, 9),
            Step::Again { fruitless: 1 }
        );
        let nothing = ended(Ending::Status(1), None);
        assert_eq!(
            decide(nothing, None, false, 0, 9),
            Step::Again { fruitless: 1 }
        );
        assert_eq!(decide(nothing, Some(nothing), false, 1, 9), Step::SamePlace);
    }

    #[test]
    fn a_kill_from_outside_is_no_failure_of_the_program() {
        let killed = ended(KILL, Some(3));
        assert_eq!(
            decide(killed, Some(killed), false, 4, 9),
            Step::Again { fruitless: 5 }
        );
        assert_eq!(decide(killed, Some(killed), false, 4, 0), Step::TooOften);
    }

    #[test]
    fn who_left_after_a_checkpoint_is_started_again_unless_that_was_asked_for_here() {
        let left = ended(Ending::Status(CHECKPOINTED), Some(3));
        assert_eq!(
            decide(left, Some(left), false, 0, 9),
            Step::Again { fruitless: 0 }
        );
        assert_eq!(decide(left, None, true, 0, 9), Step::Left);
        let late = Try {
            is_out_of_time: true,
            ..left
        };
        assert_eq!(decide(late, None, false, 0, 9), Step::Left);
    }

    #[test]
    fn what_cannot_resume_is_not_tried_again() {
        let refused = ended(Ending::Status(CANNOT_RESTART), None);
        assert_eq!(decide(refused, None, false, 0, 9), Step::Refused);
        assert_eq!(
            decide(ended(Ending::Status(0), None), None, false, 0, 0),
            Step::Done
        );
        assert_eq!(decide(ended(KILL, None), None, true, 0, 9), Step::Ended);
    }
}
