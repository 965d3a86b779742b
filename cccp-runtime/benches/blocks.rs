//! What it costs that the library knows every allocated block: `malloc` and `free` alone, and with the table.
//!
//! ```text
//! cargo bench -p cccp-runtime --bench blocks [-- LIVE]
//! ```
//!
//! `LIVE` blocks of 16 to 215 bytes are there at a time, and are replaced in random order. Every figure is the median of
//! seven.

use std::hint::black_box;
use std::time::Instant;

use cccp::memory::blocks;

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

/// Nanoseconds per pair of calls.
fn measure(live: usize, allocate: fn(usize) -> usize, release: fn(usize)) -> f64 {
    let rounds = (4_000_000 / live).max(1);
    let mut times: Vec<f64> = (0..7)
        .map(|_| {
            let mut slots: Vec<usize> = (0..live).map(|_| allocate(32)).collect();
            let mut random = 12345u32;
            let start = Instant::now();
            for _ in 0..rounds * live {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let slot = &mut slots[random as usize % live];
                release(*slot);
                *slot = black_box(allocate(16 + (random >> 20) as usize % 200));
            }
            let time = start.elapsed().as_secs_f64();
            slots.into_iter().for_each(release);
            time * 1e9 / (rounds * live) as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[3]
}

fn main() {
    let given = std::env::args().skip(1).find_map(|one| one.parse().ok());
    let all = given.map_or(vec![100, 10_000, 1_000_000], |one| vec![one]);
    println!("{:>9}  {:>8}  {:>10}  ratio", "live", "plain", "with table");
    for live in all {
        let without = measure(live, plain, plain_free);
        let with = measure(live, known, known_free);
        println!(
            "{live:>9}  {without:>5.0} ns  {with:>7.0} ns  {:.2}",
            with / without
        );
    }
}
