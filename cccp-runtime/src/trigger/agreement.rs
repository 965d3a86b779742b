//! At which call all ranks take a checkpoint that they do not all see to be due: by time, by a signal, by the end of the job.
//!
//! Ranks are never stopped for it. They make one reduction after the other, each begun without waiting, and each rank begins
//! the next one at a call of a checkpoint. Which reduction comes next follows from the results, which are the same everywhere:
//!
//! 1. *ask*: does anyone want one, and why? The largest counts. Nobody: ask again at the next look.
//! 2. *choose*: a call that this rank has not reached, and will not reach before the others have heard; the largest counts.
//!    At the call that it has named itself a rank waits for the result, because the answer may be this one.
//! 3. *tell*: has this rank's file its final name? Only when all have, a run that was asked to leave does so.
//!
//! The wait cannot last for ever where messages do not cross checkpoints: the others come to the same call without this rank.
//! Where they do, where ranks make different numbers of calls, where one has left its loop or never comes to a checkpoint, the
//! wait is bounded. Whoever finds that he has passed the call takes none, and tells so: the generation is never complete, no
//! restart uses it, and the next try names calls that are further away. Generations have the number of the call, so files
//! of different calls never meet. A rank that is gone says so in every reduction that it still makes, the last at the end of
//! MPI; then nobody begins another one.
//!
//! Where a profile has chosen places for checkpoints by time, the one that was agreed on may be put off to the first such place behind the
//! call (`session`): then the third number is about that only, and what is asked meanwhile has agreements of its own.
//!
//! With each number goes the latest call at which the rank has taken a checkpoint, and how often it had met loops and conditions
//! around checkpoints by then. Where all ranks name the same call, and not the same of that, they pass checkpoints unequally
//! often: they were at different moments, and no restart may be made from there. All see it in the same result, and none of them
//! begins another one. Nothing here looks at a clock: clocks of ranks may differ by any amount.

use crate::comm::{CommError, Group, Numbers, Reduced};

/// A call is named at most so many times further away than it seems necessary.
const FURTHEST: u64 = 1 << 16;

/// What a rank does at a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing.
    Nothing,
    /// Nothing, but it has to look at its next call, too.
    Follow,
    /// It waits for the other ranks, and looks again; or goes on and says so with [`Agreement::go_on`].
    Wait,
    /// It takes the checkpoint that was wanted for this reason.
    Take(i64),
    /// The checkpoint for this reason is complete on all ranks.
    Complete(i64),
    /// It is not, on some rank.
    Incomplete,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Idle,
    Asking,
    Choosing { own: u64, waits: bool },
    Agreed { at: u64 },
    Taken { call: u64 },
    Known { complete: bool },
    Telling,
    Over,
}

/// Where a rank stands.
#[derive(Debug)]
pub struct Agreement {
    stage: Stage,
    /// Why the checkpoint is wanted that is talked about.
    reason: i64,
    further: u64,
    /// The latest call with a checkpoint, and where this rank was in its program.
    moment: (u64, u64),
    /// The ranks were found to be at different moments at this call.
    apart: Option<u64>,
    /// Each rank has taken a checkpoint.
    all_have_one: bool,
    /// The latest ones of ranks were at different calls.
    had_latest_apart: bool,
}

impl Default for Agreement {
    fn default() -> Agreement {
        Agreement {
            stage: Stage::Idle,
            reason: 0,
            further: 1,
            moment: (0, 0),
            apart: None,
            all_have_one: false,
            had_latest_apart: false,
        }
    }
}

impl Agreement {
    /// This rank is at a call, wants a checkpoint for a reason (0 for none, larger ones are more urgent), and makes about so
    /// many calls before the others have heard of something.
    pub fn look(&mut self, group: &mut dyn Group, call: u64, wants: i64, ahead: u64) -> Verdict {
        match self.step(group, call, wants, ahead) {
            Ok(verdict) => verdict,
            Err(_) => {
                self.stage = Stage::Over;
                Verdict::Nothing
            }
        }
    }

    fn step(
        &mut self,
        group: &mut dyn Group,
        call: u64,
        wants: i64,
        ahead: u64,
    ) -> Result<Verdict, CommError> {
        loop {
            let result = match self.stage {
                Stage::Asking | Stage::Choosing { .. } | Stage::Telling => group.reduced()?,
                _ => None,
            };
            let value = match result {
                Some(Reduced::Gone) => {
                    self.stage = Stage::Over;
                    return Ok(Verdict::Nothing);
                }
                Some(Reduced::Largest(values)) if self.are_apart(values) => {
                    self.stage = Stage::Over;
                    return Ok(Verdict::Incomplete);
                }
                Some(Reduced::Largest(values)) => Some(values[0]),
                None => None,
            };
            match (self.stage, value) {
                (Stage::Idle, _) => {
                    group.begin_max(self.numbers(wants))?;
                    self.stage = Stage::Asking;
                }
                (Stage::Asking, Some(0)) => {
                    self.stage = Stage::Idle;
                    return Ok(Verdict::Nothing);
                }
                (Stage::Asking, Some(reason)) => {
                    self.reason = reason;
                    let own = call.saturating_add(ahead.max(1).saturating_mul(self.further));
                    let named = i64::try_from(own).unwrap_or(i64::MAX);
                    group.begin_max(self.numbers(named))?;
                    self.stage = Stage::Choosing { own, waits: true };
                }
                (Stage::Choosing { .. }, Some(at)) => {
                    let at = at.unsigned_abs();
                    self.stage = match call > at {
                        true => Stage::Known { complete: false },
                        false => Stage::Agreed { at },
                    };
                }
                (Stage::Choosing { own, waits: true }, None) if call >= own => {
                    return Ok(Verdict::Wait);
                }
                (Stage::Agreed { at }, _) if call >= at => return Ok(Verdict::Take(self.reason)),
                (Stage::Known { complete }, _) => {
                    group.begin_max(self.numbers(i64::from(!complete)))?;
                    self.stage = Stage::Telling;
                }
                (Stage::Telling, Some(missing)) => {
                    self.stage = Stage::Idle;
                    if missing == 0 {
                        self.further = 1;
                        return Ok(Verdict::Complete(self.reason));
                    }
                    self.further = (self.further * 2).min(FURTHEST);
                    return Ok(Verdict::Incomplete);
                }
                (Stage::Choosing { .. } | Stage::Agreed { .. }, _) => return Ok(Verdict::Follow),
                (Stage::Asking | Stage::Telling | Stage::Taken { .. } | Stage::Over, _) => {
                    return Ok(Verdict::Nothing);
                }
            }
        }
    }

    /// Begins a reduction that has a result when all ranks have begun it: the last one, when nothing is asked any more.
    pub fn meet(&self, group: &mut dyn Group) -> Result<(), CommError> {
        group.begin_max(self.numbers(0))
    }

    /// The call that all ranks have agreed on.
    pub fn agreed(&self) -> Option<u64> {
        match self.stage {
            Stage::Agreed { at } => Some(at),
            _ => None,
        }
    }

    /// The call at which this rank has to look again at the latest.
    pub fn next(&self) -> Option<u64> {
        match self.stage {
            Stage::Agreed { at } => Some(at),
            Stage::Choosing { own, waits: true } => Some(own),
            _ => None,
        }
    }

    /// Whether the ranks agree on nothing any more.
    pub fn is_over(&self) -> bool {
        self.stage == Stage::Over
    }

    /// This rank does not wait any longer.
    pub fn go_on(&mut self) {
        if let Stage::Choosing { waits, .. } = &mut self.stage {
            *waits = false;
        }
    }

    /// What goes with a number of this rank.
    fn numbers(&self, value: i64) -> Numbers {
        let (call, turns) = (self.moment.0.cast_signed(), self.moment.1.cast_signed());
        [value, call, -call, turns, -turns]
    }

    /// Whether all ranks took a checkpoint at the same call and at different moments. The largest of numbers and of their
    /// opposites are those of all ranks when they are alike.
    fn are_apart(&mut self, [_, call, least_call, turns, least_turns]: Numbers) -> bool {
        self.all_have_one |= least_call < 0;
        self.had_latest_apart = call != -least_call;
        let are_apart = call > 0 && call == -least_call && turns != -least_turns;
        if are_apart {
            self.apart = Some(call.cast_unsigned());
        }
        are_apart
    }

    /// Whether this rank has heard that each of them has taken a checkpoint.
    pub fn all_have_one(&self) -> bool {
        self.all_have_one
    }

    /// Whether ranks had taken their latest checkpoints at different calls, when they last heard of each other. At a call that they have
    /// agreed on all of them say the same.
    pub fn had_latest_apart(&self) -> bool {
        self.had_latest_apart
    }

    /// The checkpoint of the call that all ranks have agreed on is taken at a later call, which each of them knows by itself; this talk is
    /// over. Which call that was.
    pub fn put_off(&mut self) -> Option<u64> {
        let at = self.agreed();
        if at.is_some() {
            self.stage = Stage::Known { complete: true };
        }
        at
    }

    /// A call at which the ranks were found to be at different moments.
    pub fn apart(&self) -> Option<u64> {
        self.apart
    }

    /// This rank has taken a checkpoint at a call, whatever for, when it had met loops and conditions around checkpoints so often.
    pub fn taken(&mut self, call: u64, turns: u64) {
        self.moment = (call, turns);
        if let Stage::Agreed { at } = self.stage
            && call >= at
        {
            self.stage = Stage::Taken { call };
        }
    }

    /// The checkpoint of a call is published, or there is none.
    pub fn known(&mut self, call: u64, complete: bool) {
        match self.stage {
            Stage::Taken { call: taken } if taken == call => {
                self.stage = Stage::Known { complete };
            }
            Stage::Agreed { at } if call >= at && !complete => {
                self.stage = Stage::Known { complete };
            }
            _ => {}
        }
    }
}
