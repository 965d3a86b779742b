//! What it costs that the library knows every allocated block: `malloc` and `free` alone, and with the table.
//!
//! ```text
//! cargo bench -p cccp-runtime --bench blocks [-- LIVE]
//! ```
//!
//! `LIVE` blocks of 16 to 215 bytes are there at a time, and are replaced in random order, before the run begins and in it,
//! by one thread or by two, each with its own. Times are those of the processor, of the slower thread; every figure is the
//! median of nine, and so is the ratio, of plain and table in turn. The last rows are those of the fixed heap, which knows its blocks without the table. In between, how long a checkpoint takes to look at a
//! million blocks from before the run.

use std::hint::black_box;

use cccp::memory::{blocks, fixed};

fn plain(size: usize) -> usize {
    // SAFETY: asks for new memory.
    unsafe { libc::malloc(size) as usize }
}

fn plain_free(block: usize) {
    // SAFETY: every block comes from `plain`, and is released once.
    unsafe { libc::free(block as *mut libc::c_void) }
}

fn known(size: usize) -> usize {
    let block = plain(size);
    blocks::got(block, size);
    block
}

fn known_free(block: usize) {
    blocks::gone(block);
    plain_free(block);
}

fn fixed_block(size: usize) -> usize {
    fixed::allocate(size, 16).unwrap_or(0)
}

fn fixed_free(block: usize) {
    fixed::release(block);
}

type Pair = (fn(usize) -> usize, fn(usize));
const FIXED: Pair = (fixed_block, fixed_free);
const PLAIN: Pair = (plain, plain_free);
const KNOWN: Pair = (known, known_free);

/// Seconds that this thread has had the processor.
fn now() -> f64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `time` takes the result.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Nanoseconds per pair of calls.
fn replace(live: usize, (allocate, release): Pair) -> f64 {
    let rounds = (4_000_000 / live).max(1);
    let mut slots: Vec<usize> = (0..live).map(|_| allocate(32)).collect();
    let mut random = 12345u32;
    let start = now();
    for _ in 0..rounds * live {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let slot = &mut slots[random as usize % live];
        release(*slot);
        *slot = black_box(allocate(16 + (random >> 20) as usize % 200));
    }
    let time = now() - start;
    slots.into_iter().for_each(release);
    time * 1e9 / (rounds * live) as f64
}

/// The same by several threads at once: the slowest.
fn by_threads(threads: usize, live: usize, pair: Pair) -> f64 {
    std::thread::scope(|scope| {
        if threads == 1 {
            return replace(live, pair);
        }
        let all: Vec<_> = (0..threads)
            .map(|_| scope.spawn(move || replace(live, pair)))
            .collect();
        let times = all.into_iter().map(|one| one.join().unwrap_or(f64::NAN));
        times.fold(0.0, f64::max)
    })
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn compare(when: &str, threads: usize, live: usize, other: Pair) {
    let turns: Vec<(f64, f64)> = (0..9)
        .map(|_| {
            (
                by_threads(threads, live, PLAIN),
                by_threads(threads, live, other),
            )
        })
        .collect();
    let of = |part: fn(&(f64, f64)) -> f64| median(turns.iter().map(part).collect());
    println!(
        "{when:>10}  {threads:>7}  {live:>9}  {:>5.0} ns  {:>7.0} ns  {:.2}",
        of(|turn| turn.0),
        of(|turn| turn.1),
        of(|turn| turn.1 / turn.0)
    );
}

fn main() {
    let given = std::env::args().skip(1).find_map(|one| one.parse().ok());
    let all = given.map_or(vec![100, 10_000, 1_000_000], |one| vec![one]);
    println!("      when  threads       live     plain  with table  ratio");
    for threads in [1, 2] {
        all.iter()
            .for_each(|&live| compare("before", threads, live, KNOWN));
    }
    let early: Vec<usize> = (0..1_000_000).map(|_| known(32)).collect();
    blocks::begin();
    let look = || {
        let start = now();
        blocks::with_early(|early| black_box(early.around(0x1000)));
        (now() - start) * 1e6
    };
    let first = look();
    let rest = early[..9].iter().map(|one| {
        known_free(*one);
        look()
    });
    let rest = median(rest.collect());
    println!(
        "{} blocks from before the run: {first:.0} us at the first checkpoint, {rest:.1} us at later ones",
        early.len()
    );
    for threads in [1, 2] {
        all.iter()
            .for_each(|&live| compare("in the run", threads, live, KNOWN));
    }
    for threads in [1, 2] {
        all.iter()
            .for_each(|&live| compare("fixed heap", threads, live, FIXED));
    }
}
