//! Plans of FFTW: which there are, with what they were made, and how they are made again.
//!
//! In: the program's calls (FFTW 3.3, 4.3 to 4.5), which `ffi` notes here. Out: a word for a plan, a line from which it can be
//! made again once its arrays are in their places, and the new plan. Not here: where plans lie (`session`), FFTW's functions themselves (`ffi`, behind
//! [`Planner`]).
//!
//! ```text
//! plan 3 fftw_plan_dft_r2c_1d 1 - 64 @94000 @95000 64      number, function, threads, wisdom, arguments
//! ```
//!
//! A plan that was estimated is the same each time. One that was measured depends on how busy the machine was: a checkpoint
//! takes FFTW's wisdom with it, and with that the same plan is made without measuring (4.1.4), so results stay the same.

use std::collections::BTreeSet;
use std::ffi::c_int;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::again::is_estimated;
use super::functions::function;
use super::known::Known;
use super::line::{Argument, line};

/// The types of plans.
const TYPES: [&str; 3] = ["fftw_plan", "fftwf_plan", "fftwl_plan"];

/// `FFTW_ESTIMATE`
pub(super) const ESTIMATE: i64 = 1 << 6;

/// A plan that is alive.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// Counted from 1 in a run.
    pub number: u64,
    /// The function that made it.
    pub maker: String,
    pub threads: c_int,
    /// FFTW had measured something before.
    pub knows_wisdom: bool,
    pub arguments: Vec<Argument>,
}

#[derive(Debug)]
pub(super) struct Table {
    pub known: Known<Plan>,
    /// By precision: how many threads the next plan has, and whether FFTW has measured one.
    pub threads: [c_int; 3],
    pub has_measured: [bool; 3],
}

static TABLE: Mutex<Table> = Mutex::new(Table {
    known: Known::new(),
    threads: [1; 3],
    has_measured: [false; 3],
});

pub(super) fn table() -> MutexGuard<'static, Table> {
    TABLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether a type is that of a plan.
pub fn is_plan(kind: &str) -> bool {
    TYPES.contains(&kind)
}

/// The next plans of the precision of a function have so many threads.
pub fn set_threads(of: &str, threads: c_int) {
    table().threads[precision(of)] = threads;
}

/// Whether plans may be executed on the arrays for which they were made, those of the precision of a function.
pub fn executes_own_arrays(maker: &str) -> bool {
    let prefix = maker.split_once('_').map_or("", |(prefix, _)| prefix);
    function(&format!("{prefix}_execute")).is_some()
}

/// Which of the three a function belongs to.
pub(super) fn precision(name: &str) -> usize {
    match name.as_bytes().get(4) {
        Some(b'f') => 1,
        Some(b'l') => 2,
        _ => 0,
    }
}

/// A function of FFTW has made a plan: its address, 0 where it could not.
pub fn note(maker: &str, plan: usize, arguments: Vec<Argument>) {
    let mut table = table();
    let table = &mut *table;
    let precision = precision(maker);
    let knows_wisdom = table.has_measured[precision];
    table.has_measured[precision] |= !is_estimated(&arguments);
    let threads = table.threads[precision];
    table.known.note(plan, |number| Plan {
        number,
        maker: maker.to_string(),
        threads,
        knows_wisdom,
        arguments,
    });
}

/// A plan is gone.
pub fn forget(plan: usize) {
    table().known.forget(plan);
}

/// All plans of the precision of a function are gone, and all that FFTW has learnt.
pub fn forget_all(of: &str) {
    let of = precision(of);
    let mut table = table();
    let is_one = |plan: &Plan| precision(&plan.maker) == of;
    table.known.forget_all(is_one);
    table.has_measured[of] = false;
}

/// The word for a plan; none for one that no call has made which came here.
pub fn plan_word(bytes: &[u8]) -> Option<String> {
    table().known.number(bytes).map(word)
}

fn word(number: u64) -> String {
    format!("p{number}")
}

/// Whether there is nothing to say of an address: it is none, of a plan that is gone, or of one that a block makes.
pub fn is_other_plan(bytes: &[u8]) -> bool {
    table().known.is_other(bytes)
}

/// The lines of plans, in the order in which they were made.
pub fn lines(words: &BTreeSet<String>) -> String {
    let table = table();
    let meant = table.known.meant(|number| words.contains(&word(number)));
    { meant.iter() }
        .map(|(_, _, plan)| line(plan) + "\n")
        .collect()
}
