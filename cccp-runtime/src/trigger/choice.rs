//! Which of several places take the checkpoints: those that bring the least bytes when no two checkpoints are further apart than an
//! interval (003 §6).
//!
//! In: when the program passed each candidate, and how many bytes a checkpoint there would have had. Out: the passages of the best
//! set, exactly: the least that ends with a passage is what that one brings and the least of those that are near enough before it,
//! found in one go through the passages. The places of these passages are the ones that are used.
//!
//! ```text
//! seconds   1 A  2 B  3 A  4 B  5 A      A brings 1 byte, B 9; at most 2 s apart: A at 1, 3, 5, 3 bytes
//! ```
//!
//! Where even all passages are further apart, the interval is as long as that.

use std::collections::VecDeque;

use crate::store::Passage;

/// The longest time without a passage in a run of this length, its begin and its end included.
pub fn longest(passages: impl Iterator<Item = f64>, length: f64) -> f64 {
    let mut last = 0.0;
    let mut longest: f64 = 0.0;
    for time in passages.chain([length]) {
        longest = longest.max(time - last);
        last = time;
    }
    longest
}

/// The passages of the best set, in the order of time, in which they are handed over.
pub fn choose(passages: &[Passage], interval: f64, length: f64) -> Vec<usize> {
    let bound = interval.max(longest(passages.iter().map(|one| one.time), length));
    if length <= bound {
        return Vec::new();
    }
    // The least bytes of a set that ends with a passage, and the one before it.
    let mut least: Vec<(u64, Option<usize>)> = Vec::with_capacity(passages.len());
    // Passages that are near enough, the bytes growing: the first one is the best.
    let mut near: VecDeque<usize> = VecDeque::new();
    for (at, passage) in passages.iter().enumerate() {
        while near
            .front()
            .is_some_and(|&first| passages[first].time < passage.time - bound)
        {
            near.pop_front();
        }
        let before = match passage.time <= bound {
            true => None,
            false => near.front().copied(),
        };
        let bytes = before.map_or(0, |before| least[before].0) + passage.bytes;
        least.push((bytes, before));
        while near.back().is_some_and(|&last| least[last].0 >= bytes) {
            near.pop_back();
        }
        near.push_back(at);
    }
    let ends = (0..passages.len()).filter(|&at| length - passages[at].time <= bound);
    let mut at = ends.min_by_key(|&at| (least[at].0, std::cmp::Reverse(at)));
    let mut chosen = Vec::new();
    while let Some(one) = at {
        chosen.push(one);
        at = least[one].1;
    }
    chosen.reverse();
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(passages: &[Passage], chosen: impl Iterator<Item = usize>) -> u64 {
        chosen.map(|at| passages[at].bytes).sum()
    }

    #[test]
    fn no_set_of_passages_within_the_interval_has_fewer_bytes() {
        let mut random = 7u64;
        let mut below = |limit: u64| {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (random >> 33) % limit
        };
        for _ in 0..500 {
            let mut time = 0.0;
            let passages: Vec<Passage> = (0..1 + below(10))
                .map(|_| {
                    time += 1.0 + below(5) as f64;
                    let place = below(3) as usize;
                    Passage {
                        place,
                        time,
                        bytes: 1 + below(50) * (1 + place as u64),
                        generation: 0,
                    }
                })
                .collect();
            let length = time + below(6) as f64;
            let interval = 1.0 + below(9) as f64;
            let all = || passages.iter().map(|one| one.time);
            let bound = interval.max(longest(all(), length));
            let chosen = choose(&passages, interval, length);
            let times = chosen.iter().map(|&at| passages[at].time);
            assert!(longest(times, length) <= bound);
            // Every set, tried.
            let fits = |set: &u32| {
                let times = (0..passages.len()).filter(|at| set >> at & 1 == 1);
                longest(times.map(|at| passages[at].time), length) <= bound
            };
            let of = |set: u32| (0..passages.len()).filter(move |at| set >> at & 1 == 1);
            let best = (0..1u32 << passages.len()).filter(fits);
            let best = best.map(|set| bytes(&passages, of(set))).min();
            assert_eq!(Some(bytes(&passages, chosen.into_iter())), best);
        }
    }

    #[test]
    fn the_place_with_fewer_bytes_is_taken_where_it_comes_often_enough() {
        let passages: Vec<Passage> = (1..100)
            .map(|second| Passage {
                place: second % 2,
                time: second as f64,
                bytes: if second % 2 == 0 { 10 } else { 1000 },
                generation: second as u64,
            })
            .collect();
        let chosen = choose(&passages, 20.0, 100.0);
        assert!(chosen.iter().all(|&at| passages[at].place == 0));
        assert_eq!(chosen.len(), 4);
    }
}
