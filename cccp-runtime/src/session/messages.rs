//! Messages between ranks: none may be under way where the program begins, comes back to, or goes on from.
//!
//! In: what this process has counted (`messages`). Out: a register of the library in every checkpoint, and words for the
//! user. Which generation is restarted from is decided in `restore`.

use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::comm::{CommError, Group};
use crate::format::{MESSAGES, Messages, TURNS};
use crate::generation::{Crossings, Found};
use crate::messages::{self, Complete, Dropped};
use crate::restore::{Stop, first_to_speak};

use super::Session;
use super::library::Kept;
use super::start::stop_together;

/// Whether the program counts its messages. A stop when some are under way: a restart makes everything before `init` again,
/// and would send them a second time. All ranks come here at the same time.
pub(super) fn nothing_under_way(
    group: &mut dyn Group,
    say: fn(Option<u32>, &str),
) -> Result<bool, Stop> {
    let failed = |error: CommError| format!("cannot start: {error}");
    let mut counts = [-i64::from(messages::counts())];
    group.min(&mut counts).map_err(failed)?;
    if counts[0] == 0 {
        return Ok(false);
    }
    let flight = messages::requests(|all, _| all.in_flight());
    let waiting = flight
        .example
        .map(|request| format!("{request} is not complete"));
    let mut sum = [messages::tally().number()];
    group.sum(&mut sum).map_err(failed)?;
    let crossed = (sum[0] != 0).then(|| {
        "a message was sent before init that is received behind it, or some ranks made a collective call before it and others \
         have not"
            .to_string()
    });
    let spoken = first_to_speak(group, waiting.or(crossed)).map_err(failed)?;
    let Some(words) = spoken else {
        return Ok(true);
    };
    let reason = words.map(|words| {
        format!(
            "cannot start: messages between ranks are in flight where init stands: {words}; a restart would make it again. \
             Move init to where nothing is in flight"
        )
    });
    Err(stop_together(group, reason.unwrap_or_default(), say))
}

/// Takes requests out of flight that are complete.
fn settle(group: &dyn Group, dropped: Dropped) {
    let asked = messages::requests(|all, _| all.asked());
    let complete = group.complete_requests(&asked).into_iter();
    let complete: Vec<Complete> = complete
        .map(|(handle, source, tag)| Complete {
            handle,
            source,
            tag,
        })
        .collect();
    messages::requests(|all, tally| all.settle(tally, dropped, &complete));
}

/// When a rank looks at generations of this run: after 1, 2, 4, 8, … of them, until it has warned.
#[derive(Debug)]
pub struct Looks {
    /// Checkpoints that this run has taken.
    taken: u64,
    /// The generation of the latest.
    latest: u64,
    /// How many there are to be before the next look.
    next: u64,
    /// What was found out about generations.
    pub known: Arc<Crossings>,
}

impl Default for Looks {
    fn default() -> Looks {
        Looks {
            taken: 0,
            latest: 0,
            next: 1,
            known: Arc::default(),
        }
    }
}

impl Session {
    /// The generations that are looked at while this one is written: those before, which other ranks have had time to write.
    pub(super) fn generations_to_look_at(
        &mut self,
        generation: u64,
    ) -> Option<RangeInclusive<u64>> {
        let before = std::mem::replace(&mut self.looks.latest, generation);
        let taken = self.looks.taken;
        self.looks.taken += 1;
        let due = match self.group.rank() {
            0 => taken >= self.looks.next,
            _ => taken.is_power_of_two(),
        };
        (self.counts && due).then_some(self.first_generation..=before)
    }

    /// What was found: a user whose checkpoints are of no use should not learn that from a crash.
    pub(super) fn looked_at(&mut self, found: Found) {
        self.looks.next = match found {
            Found::Whole { crossed: true, .. } => u64::MAX,
            _ => self.looks.taken.saturating_mul(2),
        };
        match found {
            Found::Whole { crossed: false, .. } => {}
            Found::Whole { generation, .. } => self.say(format!(
                "warning: no restart can be made from generation {generation}: messages between ranks were in flight when it \
                 was taken; put the checkpoint where all that was sent has been received and all ranks have made the same \
                 collective calls, as between two steps of the program"
            )),
            Found::Absent { rank } => {
                if self.warned.insert("absent rank".to_string()) {
                    self.say(format!(
                        "warning: no restart can be made from what this run has saved: this rank has taken {} checkpoints, and \
                         rank {rank} none yet; put the checkpoint where all ranks come equally often",
                        self.looks.taken
                    ));
                }
            }
        }
    }

    /// What this rank has counted, for a checkpoint.
    pub(super) fn counted_messages(&self) -> Option<Kept> {
        let now = || {
            messages::requests(|all, tally| Messages {
                number: tally.number(),
                in_flight: all.in_flight().count,
            })
        };
        (self.counts).then(|| Kept::numbers(MESSAGES, &now().elements()))
    }

    /// How often this rank has met loops and conditions around checkpoints, for a checkpoint of several ranks.
    pub(super) fn counted_turns(&self) -> Option<Kept> {
        let is_compared = self.group.size() > 1 && !self.counts;
        is_compared.then(|| Kept::number(TURNS, self.when.turns()))
    }

    /// One warning when ranks were found to be at different moments at a call.
    pub(super) fn tell_apart(&mut self, call: u64) {
        if self.group.rank() != 0 || !self.warned.insert("apart".to_string()) {
            return;
        }
        self.say(format!(
            "warning: no restart can be made from generation {}: the ranks were at different moments when it was taken, because \
             they pass checkpoints unequally often. From here on none is taken by time or by signals. Put the checkpoint where all pass it equally often, write `checkpoint \
             messages(counted)`, or set moments = trust where the ranks exchange nothing between checkpoints",
            self.first_generation + call - 1
        ));
    }

    /// What is complete is not in flight, although the program has not asked, where that makes no difference to it.
    pub(super) fn settle_requests(&self) {
        let dropped = messages::dropped_requests();
        if self.counts && dropped != Dropped::None {
            settle(self.group.as_ref(), dropped);
        }
    }

    /// One warning when a request is in flight at a checkpoint.
    pub(super) fn tell_in_flight(&mut self) {
        if !self.counts {
            return;
        }
        let flight = messages::requests(|all, _| all.in_flight());
        if let Some(request) = flight.example
            && self.warned.insert("in flight".to_string())
        {
            self.say(format!(
                "warning: {request} is not complete at a checkpoint: no restart is made from such a one; put the checkpoint \
                 where all requests are complete"
            ));
        }
    }

    /// A restart ends, on all ranks at the same checkpoint: what was sent on the way has been received there.
    pub(super) fn messages_again(&self) {
        messages::tally().begin_anew();
    }
}
