//! Structured fuzzing: a hundred thousand changed files, each sealed with right checksums, against the promises of the
//! reader. It does not panic, it does not allocate or read more than the file is worth (`reader` watches), and what it
//! takes is what stands there.
//!
//! `CCCP_FUZZ_SECONDS=600` goes on for so long, from a place that the clock chooses; `CCCP_FUZZ_SEED` repeats what a
//! failure names.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use cccp::format::{Checkpoint, Encoding};

use crate::anatomy::{Field, Seal, assemble, dissect};
use crate::everything::everything;
use crate::mutations::{Random, change};
use crate::reader::{decode_all, examine, search};
use crate::samples::{bytes, checkpoint};

/// More of them: `CCCP_FUZZ_SECONDS`.
const ROUNDS: u64 = 40_000;

/// A good file, to be changed.
struct Base {
    original: Checkpoint,
    compress: u32,
    fields: Vec<Field>,
}

fn bases() -> Vec<Base> {
    let mut bases = Vec::new();
    for encoding in Encoding::ALL {
        for compress in [0, 6] {
            for original in [checkpoint(encoding), everything(encoding)] {
                bases.push(Base {
                    compress,
                    fields: dissect(&bytes(&original, compress)),
                    original,
                });
            }
        }
    }
    bases
}

/// One changed file; whether it was taken.
fn round(bases: &[Base], seed: u64, changes: &mut Vec<String>) -> bool {
    let mut random = Random(seed);
    let base = &bases[random.below(bases.len())];
    let mut fields = base.fields.clone();
    for _ in 0..1 + random.below(3) {
        if !fields.is_empty() {
            changes.push(change(&mut fields, &mut random));
        }
    }
    let seal = match random.below(16) {
        0 => Seal::File,
        1 => Seal::Checksums,
        _ => Seal::Lengths,
    };
    let file = assemble(&fields, seal);
    if random.below(4) == 0 {
        search(file.clone());
    }
    let Ok(found) = examine(file) else {
        return false;
    };
    decode_all(&found, &base.original);
    let again = bytes(&found, base.compress);
    assert!(
        examine(again).is_ok_and(|again| again == found),
        "not the same when written again"
    );
    true
}

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn s25_fuzzed_files_are_refused_or_read_as_they_stand() {
    let bases = bases();
    let started = Instant::now();
    let seconds = setting("CCCP_FUZZ_SECONDS").map(Duration::from_secs);
    let first = match (setting("CCCP_FUZZ_SEED"), seconds) {
        (Some(seed), _) => seed,
        (None, Some(_)) => SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |now| now.as_nanos() as u64),
        (None, None) => 1,
    };
    let goes_on = |done: u64| match seconds {
        Some(seconds) => started.elapsed() < seconds,
        None => done < ROUNDS,
    };
    let (mut done, mut taken) = (0, 0u64);
    while goes_on(done) {
        let seed = first.wrapping_add(done);
        let mut changes = Vec::new();
        let result = catch_unwind(AssertUnwindSafe(|| round(&bases, seed, &mut changes)));
        match result {
            Ok(was_taken) => taken += u64::from(was_taken),
            Err(_) => panic!("CCCP_FUZZ_SEED={seed} fails: {changes:?}"),
        }
        done += 1;
    }
    println!("{done} files, {taken} of them taken");
    assert!(
        taken > done / 50 && taken < done / 2,
        "{taken} of {done} files were taken: the changes test nothing"
    );
}
