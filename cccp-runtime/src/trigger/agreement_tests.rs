//! Ranks that run at any speed against each other, and agree.

use std::collections::BTreeSet;

use super::agreement::{Agreement, Verdict};
use crate::comm::{Group, Threads, threads};

/// Numbers that only look random.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }
}

struct Rank {
    group: Option<Threads>,
    agreement: Agreement,
    call: u64,
    turns: u64,
    wants: i64,
    waits: bool,
    taken: BTreeSet<u64>,
    complete: u32,
    incomplete: u32,
}

fn ranks(size: u32) -> Vec<Rank> {
    let groups = threads(size).into_iter();
    let rank = |group| Rank {
        group: Some(group),
        agreement: Agreement::default(),
        call: 0,
        turns: 7,
        wants: 0,
        waits: false,
        taken: BTreeSet::new(),
        complete: 0,
        incomplete: 0,
    };
    groups.map(rank).collect()
}

impl Rank {
    /// Goes to its next call, unless it waits, and looks.
    fn go(&mut self, ahead: u64) -> Verdict {
        let group = self.group.as_mut().expect("a rank that is not gone");
        self.call += u64::from(!self.waits);
        let verdict = self.agreement.look(group, self.call, self.wants, ahead);
        self.waits = verdict == Verdict::Wait;
        match verdict {
            Verdict::Take(_) => {
                self.taken.insert(self.call);
                self.wants = 0;
                self.agreement.taken(self.call, self.turns);
                self.agreement.known(self.call, true);
            }
            Verdict::Complete(_) => self.complete += 1,
            Verdict::Incomplete => {
                self.incomplete += 1;
                self.wants = 1;
            }
            _ => {}
        }
        verdict
    }
}

#[test]
fn s18_all_ranks_take_the_same_call_whatever_their_speed() {
    for seed in 1..400 {
        let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed));
        let size = 1 + numbers.below(5) as u32 + 1;
        let mut all = ranks(size);
        let wanting = numbers.below(u64::from(size)) as usize;
        all[wanting].wants = 3;
        let speeds: Vec<u64> = (0..size).map(|_| 1 + numbers.below(9)).collect();
        for _ in 0..3000 {
            let who = numbers.below(u64::from(size)) as usize;
            for _ in 0..speeds[who] {
                all[who].go(1);
            }
        }
        assert!(all.iter().all(|rank| rank.incomplete == 0), "{seed}");
        assert!(all.iter().all(|rank| rank.complete == 1), "{seed}");
        assert!(all.iter().all(|rank| rank.taken == all[0].taken), "{seed}");
    }
}

#[test]
fn s18_a_rank_that_does_not_wait_may_miss_the_call_and_nobody_believes_in_it() {
    let (mut missed, mut complete) = (0, 0);
    for seed in 1..400 {
        let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed));
        let mut all = ranks(3);
        all[0].wants = 1;
        for _ in 0..20_000 {
            let who = numbers.below(3) as usize;
            // The first one is never stopped.
            if who == 0 && all[0].waits {
                all[0].waits = false;
                all[0].agreement.go_on();
            }
            all[who].go(1);
        }
        let [first, second, third] = [0, 1, 2].map(|rank: usize| &all[rank]);
        assert!(second.taken == third.taken, "{seed}");
        missed += first.incomplete;
        complete += first.complete;
        // What was called complete was taken by all of them.
        let common = first.taken.intersection(&second.taken).count() as u32;
        assert!(first.complete <= common, "{seed}");
    }
    assert!(missed > 20, "{missed}");
    assert!(complete > 300, "{complete}");
}

#[test]
fn s18_a_rank_that_comes_to_no_checkpoint_stops_nobody() {
    let mut all = ranks(3);
    all[0].wants = 5;
    for _ in 0..1000 {
        for who in [0, 1] {
            assert_eq!(all[who].go(1), Verdict::Nothing);
        }
    }
}

#[test]
fn s18_a_rank_that_is_gone_ends_the_agreement() {
    let mut all = ranks(3);
    for _ in 0..10 {
        for rank in &mut all {
            let _ = rank.go(1);
        }
    }
    if let Some(mut group) = all[2].group.take() {
        group.leave();
        std::mem::forget(group);
    }
    all[0].wants = 5;
    for _ in 0..1000 {
        for who in [0, 1] {
            assert_eq!(all[who].go(1), Verdict::Nothing);
        }
    }
}

#[test]
fn s18_ranks_at_different_moments_of_the_same_call_are_found_out_and_nothing_is_complete() {
    let (mut found, mut complete) = (0, 0);
    for seed in 1..200 {
        let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed));
        let mut all = ranks(3);
        all[0].wants = 1;
        all[1].turns = 8;
        for _ in 0..3000 {
            let who = numbers.below(3) as usize;
            all[who].go(1);
        }
        found += all
            .iter()
            .filter(|rank| rank.agreement.apart().is_some())
            .count();
        complete += all.iter().map(|rank| rank.complete).sum::<u32>();
    }
    assert_eq!((found, complete), (3 * 199, 0));
}

#[test]
fn s18_s37_ranks_that_put_a_checkpoint_off_to_a_place_take_it_there_together_and_an_urgent_one_before()
 {
    let (mut at_places, mut before) = (0, 0);
    for seed in 1..400 {
        let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed));
        let size = 2 + numbers.below(4) as u32;
        let (mut all, apart) = (ranks(size), 20 + numbers.below(1200));
        let mut put_off = vec![false; size as usize];
        let wanting = numbers.below(u64::from(size)) as usize;
        all[wanting].wants = 1;
        let speeds: Vec<u64> = (0..size).map(|_| 1 + numbers.below(9)).collect();
        for round in 0..3000 {
            let who = numbers.below(u64::from(size)) as usize;
            for _ in 0..speeds[who] {
                let rank = &mut all[who];
                let group = rank.group.as_mut().expect("a rank that is not gone");
                rank.call += u64::from(!rank.waits);
                let verdict = rank.agreement.look(group, rank.call, rank.wants, 1);
                rank.waits = verdict == Verdict::Wait;
                let is_place = rank.call.is_multiple_of(apart);
                let is_taken = match verdict {
                    Verdict::Take(1) if !is_place => {
                        put_off[who] = rank.agreement.put_off().is_some();
                        rank.wants = 0;
                        false
                    }
                    Verdict::Take(_) => true,
                    _ => put_off[who] && is_place && !rank.waits,
                };
                if is_taken && rank.taken.insert(rank.call) {
                    (put_off[who], rank.wants) = (false, 0);
                    rank.agreement.taken(rank.call, rank.turns);
                    rank.agreement.known(rank.call, true);
                }
            }
            // Somebody is asked to leave while they wait.
            if round == 300 && put_off.iter().all(|one| *one) {
                all[wanting].wants = 4;
            }
        }
        // The slowest one may not have come to the latest of them.
        let until = all.iter().map(|rank| rank.call).min().unwrap_or(0);
        let taken = |rank: &Rank| -> Vec<u64> { rank.taken.range(..=until).copied().collect() };
        let first = taken(&all[0]);
        assert!(all.iter().all(|rank| taken(rank) == first), "{seed}");
        let urgent = first.iter().filter(|call| **call % apart != 0);
        before += urgent.count();
        at_places += first.len();
    }
    at_places -= before;
    assert!(before > 20 && at_places > 100, "{before} {at_places}");
}
