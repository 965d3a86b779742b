//! The random numbers of the C library go on where they were.
//!
//! In: which generators the program's files use, which precompiled code says before `init`. Out: a register of the library
//! for each of them in every checkpoint, and the state put back when a restart ends, whatever blocks drew or seeded on
//! the way. The array of `random` may be one that the program gave: then it goes back to where that array is now. Where
//! the C library does not give the state away, one warning says so.

use std::collections::BTreeMap;

use crate::format::{Kind, Register};
use crate::memory::{
    DRAND48, RANDOM, drand48_state, random_state, set_drand48_state, set_random_state,
};
use crate::restore::Replay;

use super::Session;
use super::library::Kept;

/// What the register of `rand` and `random` is called.
const RANDOM_NAME: &str = "state of random()";
/// What the register of `drand48` is called.
const DRAND48_NAME: &str = "state of drand48()";

impl Session {
    /// The states of the generators that the program uses.
    pub(super) fn generator_states(&self) -> Vec<Kept> {
        let mut kept = Vec::new();
        if self.generators & RANDOM != 0
            && let Some(state) = random_state()
        {
            kept.push(Kept {
                name: RANDOM_NAME.to_string(),
                address: state.address,
                kind: Kind::UnsignedInt,
                kind_name: "unsigned int",
                size: 4,
                bytes: state
                    .words
                    .iter()
                    .flat_map(|one| one.to_ne_bytes())
                    .collect(),
            });
        }
        if self.generators & DRAND48 != 0
            && let Some(state) = drand48_state()
        {
            kept.push(Kept {
                name: DRAND48_NAME.to_string(),
                address: 0,
                kind: Kind::UnsignedShort,
                kind_name: "unsigned short",
                size: 2,
                bytes: state.iter().flat_map(|one| one.to_ne_bytes()).collect(),
            });
        }
        kept
    }

    /// One warning when a generator that is used could not be saved.
    pub(super) fn tell_generators(&mut self, saved: usize) {
        if saved < self.generators.count_ones() as usize
            && self.warned.insert("generators".to_string())
        {
            self.say(
                "warning: the C library does not give the state of its random numbers away; after a restart the program \
                 draws others than an undisturbed run would. Keep the state in a variable: rand_r, erand48",
            );
        }
    }

    /// At the end of a restart: the generators go on with the numbers of the checkpoint.
    pub(super) fn generators_again(&mut self, replay: &mut Replay) -> Result<(), String> {
        for (name, family) in [(RANDOM_NAME, RANDOM), (DRAND48_NAME, DRAND48)] {
            if self.generators & family == 0 {
                continue;
            }
            let saved = replay.library.iter().find(|one| one.name == name).cloned();
            let Some(saved) = saved else {
                self.say(format!(
                    "warning: the checkpoint does not hold the {name}: an older version or another C library wrote it; its \
                     random numbers begin anew"
                ));
                continue;
            };
            let done = match family {
                RANDOM => {
                    let words = self.library_values(replay, &saved, Kind::UnsignedInt, 4)?;
                    let words: Vec<u32> = words.iter().map(|&one| one as u32).collect();
                    set_random_state(&words, now_at(replay, &saved))
                }
                _ => {
                    let words = self.library_values(replay, &saved, Kind::UnsignedShort, 2)?;
                    let words: Vec<u16> = words.iter().map(|&one| one as u16).collect();
                    words.try_into().map(set_drand48_state).is_ok()
                }
            };
            if !done {
                return Err(format!(
                    "the {name} in the checkpoint is of another C library; only a program with that library can resume"
                ));
            }
        }
        Ok(())
    }
}

/// Where memory of the original run that was registered is now.
fn now_at(replay: &Replay, saved: &Register) -> Option<usize> {
    let length = saved.elements * saved.element_size;
    let inside = |one: &&Register| {
        let all = one.elements.saturating_mul(one.element_size);
        saved.address >= one.address
            && saved.address.saturating_add(length) <= one.address.saturating_add(all)
    };
    let registers: &BTreeMap<u64, Register> = &replay.registers;
    let holder = registers.values().find(inside)?;
    let start = replay.places.objects.get(&holder.id)?;
    start.checked_add((saved.address - holder.address) as usize)
}
