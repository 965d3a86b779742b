//! What the machine, the kernel and the C library keep for the program: the floating-point environment, blocked signals, interval timers,
//! `errno`, and how much time has passed.
//!
//! In: what is in force at a checkpoint. Out: a register of the library for each that is not as usual, and the same in force
//! again when a restart ends, whatever was executed again on the way. In a region of OpenMP each thread has its own of the
//! first two and of the last. While values are collected or filled in, no handler runs: what it changed would be half old and half new.

use std::collections::BTreeMap;

use crate::format::Buffering;
use crate::format::ERRORS;
use crate::memory::clocks;
use crate::memory::controls::{self, Machine};
use crate::memory::{
    Floating, TIMERS, Timer, block_signals, blocked_signals, pending_signals, raise_signals,
    set_blocked_signals, set_timer, standard_streams, this_thread, timer,
};
use crate::restore::{Replay, Stop};
use crate::store::blocked_by;

use super::Session;
use super::library::Kept;

const FLOATING: &str = "floating-point environment";
const BLOCKED: &str = "blocked signals";
const RUNNING: &str = "interval timers";
const PENDING: &str = "pending signals";
const BUFFERING: &str = "buffering of standard streams";
const TOLD: &str = "clocks";
/// Of the threads of a region.
const EACH: &str = "machine of each thread of OpenMP";

/// The format from which on a register that is missing means that all was as usual.
const KEPT_SINCE: u32 = 6;

/// What the program had when the library was entered.
#[derive(Clone, Copy, Debug)]
pub struct Process {
    floating: Option<Floating>,
    blocked: u64,
    /// Signals that the program had sent itself and wanted later; in a restart those that are sent again.
    pending: u64,
}

impl Process {
    /// What is in force.
    pub fn now() -> Process {
        Process {
            floating: Floating::now(),
            blocked: blocked_signals(),
            pending: 0,
        }
    }

    /// From here on no handler runs, and the library computes as it is used to.
    pub(super) fn hold() -> Process {
        let floating = Floating::now();
        if floating.is_some() {
            Floating::BEGUN.put();
        }
        Process {
            floating,
            blocked: block_signals(),
            pending: 0,
        }
    }

    /// Puts it into force.
    pub(super) fn put(self) {
        if let Some(floating) = self.floating {
            floating.put();
        }
        raise_signals(self.pending);
        set_blocked_signals(self.blocked);
    }
}

/// How the numbers of an environment are saved: how it rounds, what was raised, whether its control registers hold anything else that is
/// not usual, and these.
fn numbers(floating: Floating) -> [u64; 5] {
    let special = u64::from(floating.control != Floating::BEGUN.control);
    let [first, second] = floating.control;
    [floating.rounding, floating.raised, special, first, second]
}

impl Session {
    /// What the initial thread had; `self.process` is what the one had that takes the checkpoint.
    fn of_initial(&self) -> Process {
        match controls::noted().get(&0) {
            Some((kernel, said)) => Process {
                floating: said.floating,
                blocked: self.blocked_by(*kernel),
                pending: 0,
            },
            None => self.process,
        }
    }

    /// The signals that a thread has blocked; where the system does not tell, as at `init`.
    fn blocked_by(&self, kernel: u32) -> u64 {
        match kernel == this_thread() {
            true => self.process.blocked,
            false => blocked_by(kernel).unwrap_or(self.process_at_init.blocked),
        }
    }

    /// What a checkpoint keeps of the threads of a region, only where one of them has something else than a new process.
    pub(super) fn machines_of_threads(&self) -> Option<Kept> {
        let mut all = vec![Floating::MACHINE];
        let mut is_usual = true;
        for (thread, (kernel, said)) in controls::noted() {
            if thread == 0 {
                continue;
            }
            let floating = said.floating.unwrap_or(Floating::BEGUN);
            let blocked = self.blocked_by(kernel);
            is_usual &= floating.is_usual() && blocked == self.process_at_init.blocked;
            let [rounding, raised, special, first, second] = numbers(floating);
            all.extend([thread, rounding, raised, special, first, second, blocked]);
        }
        (!is_usual).then(|| Kept::numbers(EACH, &all))
    }

    /// Has each thread of a region put that into force when it continues.
    fn machines_again(&mut self, replay: &mut Replay) -> Result<(), Stop> {
        if replay.file.minor < KEPT_SINCE {
            return Ok(());
        }
        let others = Machine {
            floating: Some(Floating::BEGUN),
            blocked: Some(self.process_at_init.blocked),
        };
        let Some(saved) = self.library_numbers(replay, EACH)? else {
            controls::put_machines_later(BTreeMap::new(), others);
            return Ok(());
        };
        let rows = saved
            .split_first()
            .map(|(&machine, rows)| (machine, rows.as_chunks()));
        let Some((machine, (rows, []))) = rows else {
            return Err(format!("{EACH}: they are not seven numbers each"));
        };
        let mut all = BTreeMap::new();
        for &[thread, rounding, raised, special, first, second, blocked] in rows {
            let saved = [rounding, raised, special, machine, first, second];
            let machine = Machine {
                floating: Some(self.floating_of(&saved)?),
                blocked: Some(blocked),
            };
            all.extend([(thread, machine)]);
        }
        controls::put_machines_later(all, others);
        Ok(())
    }

    /// What a checkpoint keeps of `errno`: of each thread that has another one than 0.
    fn errors(&self) -> Option<Kept> {
        let mut of_threads = controls::noted();
        let initial = of_threads.remove(&0).map_or(self.error, |one| one.1.error);
        let others = of_threads
            .into_iter()
            .map(|(thread, (_, said))| (thread, said.error));
        let all = [(0, initial)].into_iter().chain(others);
        let all: Vec<u64> = { all.filter(|(_, error)| *error != 0) }
            .flat_map(|(thread, error)| [thread, u64::from(error.cast_unsigned())])
            .collect();
        (!all.is_empty()).then(|| Kept::numbers(ERRORS, &all))
    }

    /// Has each thread find it when it continues.
    fn errors_again(&mut self, replay: &mut Replay) -> Result<(), Stop> {
        let saved = self.library_numbers(replay, ERRORS)?.unwrap_or_default();
        let all = match saved.as_chunks() {
            (rows, []) => rows.iter().map(|&[thread, error]| {
                let error = u32::try_from(error).ok()?.cast_signed();
                Some((thread, error))
            }),
            _ => return Err(format!("{ERRORS}: they are not two numbers each")),
        };
        let all: Option<BTreeMap<u64, i32>> = all.collect();
        controls::put_errors_later(all.ok_or_else(|| format!("{ERRORS}: one is none"))?);
        Ok(())
    }

    /// What a checkpoint keeps of the process, and of the thread that has its number.
    pub(super) fn process_state(&self) -> Vec<Kept> {
        let mut kept = Vec::new();
        let own = self.of_initial();
        if let Some(floating) = own.floating.filter(|now| !now.is_usual()) {
            let [rounding, raised, special, first, second] = numbers(floating);
            let values = [rounding, raised, special, Floating::MACHINE, first, second];
            kept.push(Kept::numbers(FLOATING, &values));
        }
        if own.blocked != self.process_at_init.blocked {
            kept.push(Kept::number(BLOCKED, own.blocked));
        }
        let pending = pending_signals(own.blocked);
        if pending != 0 {
            kept.push(Kept::number(PENDING, pending));
        }
        let buffering = standard_streams().map(|one| self.program.buffering(one) as u64);
        if buffering[..2] != [0; 2] {
            kept.push(Kept::numbers(BUFFERING, &buffering));
        }
        kept.extend(self.machines_of_threads());
        kept.extend(self.errors());
        kept.extend(self.dispositions());
        let timers = TIMERS.map(timer);
        if timers != [Timer::default(); TIMERS.len()] {
            kept.push(Kept::numbers(RUNNING, timers.as_flattened()));
        }
        if clocks::were_asked() {
            let told = clocks::told(self.group.time()).map(i64::cast_unsigned);
            kept.push(Kept::numbers(TOLD, &told));
        }
        kept
    }

    /// At the end of a restart: timers run again, and the rest is made ready for [`Process::put`].
    pub(super) fn process_again(&mut self, replay: &mut Replay) -> Result<(), Stop> {
        let is_kept = replay.file.minor >= KEPT_SINCE;
        match self.library_numbers(replay, FLOATING)? {
            Some(saved) => self.floating_again(&saved)?,
            // Inexact results alone are not kept.
            None if is_kept => {
                let begun = self.process.floating.map(|now| Floating {
                    raised: now.raised & !15,
                    ..Floating::BEGUN
                });
                self.process.floating = begun;
            }
            None => {}
        }
        match self.library_numbers(replay, BLOCKED)?.as_deref() {
            Some(&[blocked]) => self.process.blocked = blocked,
            Some(_) => return Err(format!("{BLOCKED}: it is not one number")),
            None if is_kept => self.process.blocked = self.process_at_init.blocked,
            None => {}
        }
        match self.library_numbers(replay, PENDING)?.as_deref() {
            Some(&[pending]) => self.process.pending = pending,
            Some(_) => return Err(format!("{PENDING}: it is not one number")),
            None => {}
        }
        let buffering = self.library_numbers(replay, BUFFERING)?;
        for (stream, saved) in { standard_streams().into_iter() }.zip(buffering.iter().flatten()) {
            self.program
                .set_buffering(stream, Buffering::of_number(*saved));
        }
        if let Some(told) = self.library_numbers(replay, TOLD)? {
            let told: [u64; clocks::CLOCKS.len()] = { told.try_into() }
                .map_err(|_| format!("{TOLD}: there are not {} of them", clocks::CLOCKS.len()))?;
            clocks::proceed(told.map(u64::cast_signed), self.group.time());
        }
        self.machines_again(replay)?;
        if is_kept {
            self.errors_again(replay)?;
            self.dispositions_again(replay)?;
        }
        let timers = match self.library_numbers(replay, RUNNING)? {
            Some(saved) => saved,
            None if is_kept => vec![0; TIMERS.len() * 4],
            None => return Ok(()),
        };
        let (timers, rest) = timers.as_chunks();
        if timers.len() != TIMERS.len() || !rest.is_empty() {
            return Err(format!("{RUNNING}: there are not {} of them", TIMERS.len()));
        }
        for (&which, &saved) in TIMERS.iter().zip(timers) {
            if saved == timer(which) {
                continue;
            }
            if !set_timer(which, saved) {
                return Err(format!("{RUNNING}: the system refuses {saved:?}"));
            }
        }
        Ok(())
    }

    fn floating_again(&mut self, saved: &[u64]) -> Result<(), Stop> {
        let floating = self.floating_of(saved)?;
        self.process.floating = self.process.floating.map(|_| floating);
        Ok(())
    }

    /// The environment that these numbers tell, as far as this machine can have it.
    fn floating_of(&mut self, saved: &[u64]) -> Result<Floating, Stop> {
        let &[
            rounding @ 0..4,
            raised @ 0..32,
            special,
            machine,
            first,
            second,
        ] = saved
        else {
            return Err(format!("{FLOATING}: it is none"));
        };
        let control = match machine == Floating::MACHINE {
            true => [first, second],
            false => Floating::BEGUN.control,
        };
        if self.process.floating.is_none() || (special != 0 && machine != Floating::MACHINE) {
            self.say_once(
                "warning: the program had changed how its machine computes with floating-point numbers (tiny numbers are zero, \
                 traps, precision); this machine is of another kind, where that cannot be restored: set it again",
            );
        }
        Ok(Floating {
            rounding,
            raised,
            control,
        })
    }
}
