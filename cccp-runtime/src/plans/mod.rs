//! Plans of FFTW: which there are, with what they were made, and how they are made again.
//!
//! In: the program's calls (FFTW 3.3, 4.3 to 4.5), which cccp.h leads here. Out: a word for a plan, a line from which it can be
//! made again once its arrays are in their places, and the new plan. Not here: where plans lie (`session`).
//!
//! ```text
//! plan 3 fftw_plan_dft_r2c_1d 1 - 64 @94000 @95000 64      number, function, threads, wisdom, arguments
//! ```
//!
//! A plan that was estimated is the same each time. One that was measured depends on how busy the machine was: a checkpoint
//! takes FFTW's wisdom with it, and with that the same plan is made without measuring (4.1.4), so results stay the same.

mod again;
mod calls;
mod line;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{c_int, c_void};
use std::sync::{Mutex, MutexGuard, PoisonError};

pub use again::{Maker, make, read_wisdom, wisdom};
pub use line::{is_plan_line, with_arrays};

use line::Argument;

/// The types of plans.
const TYPES: [&str; 3] = ["fftw_plan", "fftwf_plan", "fftwl_plan"];

/// `FFTW_ESTIMATE`
const ESTIMATE: i64 = 1 << 6;
/// `FFTW_WISDOM_ONLY`
const WISDOM_ONLY: i64 = 1 << 21;

/// A plan that is alive.
#[derive(Clone, Debug)]
struct Plan {
    number: u64,
    /// The function that made it.
    maker: String,
    threads: c_int,
    /// FFTW had measured something before.
    knows_wisdom: bool,
    arguments: Vec<Argument>,
}

#[derive(Debug)]
struct Table {
    /// FFTW's own functions, as the program is linked with them.
    real: BTreeMap<String, usize>,
    alive: BTreeMap<usize, Plan>,
    /// Those that blocks make, which every restart executes.
    of_blocks: BTreeSet<usize>,
    next: u64,
    /// By precision: how many threads the next plan has, and whether FFTW has measured one.
    threads: [c_int; 3],
    has_measured: [bool; 3],
}

static TABLE: Mutex<Table> = Mutex::new(Table {
    real: BTreeMap::new(),
    alive: BTreeMap::new(),
    of_blocks: BTreeSet::new(),
    next: 1,
    threads: [1; 3],
    has_measured: [false; 3],
});

fn table() -> MutexGuard<'static, Table> {
    TABLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether a type is that of a plan.
pub fn is_plan(kind: &str) -> bool {
    TYPES.contains(&kind)
}

/// Whether the program's calls that make plans come here.
pub fn are_noted() -> bool {
    !table().real.is_empty()
}

/// Notes where a function of FFTW is.
pub fn note_function(name: &str, function: *const c_void) {
    table().real.insert(name.to_string(), function as usize);
}

/// Whether plans may be executed on the arrays for which they were made, those of the precision of a function.
pub fn executes_own_arrays(maker: &str) -> bool {
    let prefix = maker.split_once('_').map_or("", |(prefix, _)| prefix);
    real(&format!("{prefix}_execute")).is_some()
}

fn real(name: &str) -> Option<usize> {
    table().real.get(name).copied()
}

/// Which of the three a function belongs to.
fn precision(name: &str) -> usize {
    match name.as_bytes().get(4) {
        Some(b'f') => 1,
        Some(b'l') => 2,
        _ => 0,
    }
}

/// A function of FFTW has made a plan.
fn note(maker: &str, plan: *const c_void, arguments: Vec<Argument>) {
    let mut table = table();
    let table = &mut *table;
    let precision = precision(maker);
    let is_estimated = matches!(arguments.last(), Some(Argument::Number(flags)) if flags & ESTIMATE != 0);
    let knows_wisdom = table.has_measured[precision];
    table.has_measured[precision] |= !is_estimated;
    if plan.is_null() {
        return;
    }
    table.alive.remove(&(plan as usize));
    table.of_blocks.remove(&(plan as usize));
    if crate::comm::is_in_block() {
        table.of_blocks.insert(plan as usize);
        return;
    }
    let number = table.next;
    table.next += 1;
    table.alive.insert(
        plan as usize,
        Plan {
            number,
            maker: maker.to_string(),
            threads: table.threads[precision],
            knows_wisdom,
            arguments,
        },
    );
}

/// A plan is gone.
fn forget(plan: *const c_void) {
    let mut table = table();
    table.alive.remove(&(plan as usize));
    table.of_blocks.remove(&(plan as usize));
}

/// All plans of a precision are gone, and all that FFTW has learnt.
fn forget_all(of: usize) {
    let mut table = table();
    table.alive.retain(|_, plan| precision(&plan.maker) != of);
    table.has_measured[of] = false;
}

/// The word for a plan; none for one that no call has made which came here.
pub fn word(bytes: &[u8]) -> Option<String> {
    let plan = usize::from_ne_bytes(bytes.try_into().ok()?);
    let table = table();
    Some(format!("p{}", table.alive.get(&plan)?.number))
}

/// The lines of plans, in the order in which they were made.
pub fn lines(words: &BTreeSet<String>) -> String {
    let table = table();
    let meant = table.alive.values();
    let meant = meant.filter(|plan| words.contains(&format!("p{}", plan.number)));
    let mut meant: Vec<&Plan> = meant.collect();
    meant.sort_by_key(|plan| plan.number);
    meant.iter().map(|plan| line::line(plan) + "\n").collect()
}
