//! The number of this process.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

/// The program's files count messages.
static COUNTS: AtomicBool = AtomicBool::new(false);
/// A [`Dropped`].
static DROPPED: AtomicU8 = AtomicU8::new(Dropped::None as u8);

/// Of this process.
static TALLY: Tally = Tally::new();

/// The program counts its messages.
pub fn count() {
    COUNTS.store(true, Ordering::Relaxed);
}

/// Whether the program counts its messages.
pub fn counts() -> bool {
    COUNTS.load(Ordering::Relaxed)
}

/// Which requests are not in flight once they are complete, although the program has not waited for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dropped {
    /// None.
    #[default]
    None,
    /// What has been sent: the program cannot tell such a request from `MPI_REQUEST_NULL`.
    Sends,
    /// What has been sent, but not by persistent requests: it is complete after a restart, too.
    Remade,
    /// All: the program asks for none that there is at a checkpoint.
    All,
}

/// Complete requests of this process are not in flight.
pub fn drop_requests(which: Dropped) {
    DROPPED.store(which as u8, Ordering::Relaxed);
}

/// Which ones are not.
pub fn dropped_requests() -> Dropped {
    let which = DROPPED.load(Ordering::Relaxed);
    let all = [Dropped::Sends, Dropped::Remade, Dropped::All];
    all.into_iter()
        .find(|one| *one as u8 == which)
        .unwrap_or_default()
}

/// The number of this process.
pub fn tally() -> &'static Tally {
    &TALLY
}

/// This process as a member of a communicator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// The communicator's: the same on all its members, and another one than that of every other communicator.
    pub id: u64,
    /// Of this process in it.
    pub rank: i32,
    /// How many members it has.
    pub size: i32,
}

impl Member {
    /// What a message counts.
    fn message(&self, source: i32, destination: i32, tag: i32) -> u64 {
        let ends = u64::from(source.cast_unsigned()) << 32 | u64::from(destination.cast_unsigned());
        mix(mix(self.id, ends), u64::from(tag.cast_unsigned()))
    }

    /// What a collective call counts for a member; tags are never negative.
    fn collective(&self, rank: i32) -> u64 {
        self.message(rank, rank, -1)
    }
}

/// A hash of two numbers: every bit of both changes every bit of it with even chances.
pub fn mix(first: u64, second: u64) -> u64 {
    // The end of splitmix64 is one to one; twice, so that the first number is not undone by the second.
    scramble(scramble(first.wrapping_add(0x9e37_79b9_7f4a_7c15)) ^ second)
}

fn scramble(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// What one process has sent and received.
#[derive(Debug, Default)]
pub struct Tally(AtomicU64);

impl Tally {
    /// Nothing yet.
    pub const fn new() -> Tally {
        Tally(AtomicU64::new(0))
    }

    /// A message to this member was sent.
    pub fn sent(&self, by: &Member, destination: i32, tag: i32) {
        self.add(by.message(by.rank, destination, tag));
    }

    /// A message of this member has been received.
    pub fn received(&self, by: &Member, source: i32, tag: i32) {
        self.add(by.message(source, by.rank, tag).wrapping_neg());
    }

    /// A call that all members make was made here.
    pub fn collective(&self, by: &Member) {
        let next = if by.rank + 1 == by.size {
            0
        } else {
            by.rank + 1
        };
        self.add(by.collective(by.rank).wrapping_sub(by.collective(next)));
    }

    /// The number.
    pub fn number(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// What was before is forgotten, on all ranks at the same place of the program.
    pub fn begin_anew(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    fn add(&self, number: u64) {
        self.0.fetch_add(number, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RANKS: i32 = 3;

    fn members(id: u64) -> Vec<(Member, Tally)> {
        let member = |rank| Member {
            id,
            rank,
            size: RANKS,
        };
        (0..RANKS)
            .map(|rank| (member(rank), Tally::new()))
            .collect()
    }

    fn sum(all: &[(Member, Tally)]) -> u64 {
        let numbers = all.iter().map(|(_, tally)| tally.number());
        numbers.fold(0, u64::wrapping_add)
    }

    #[test]
    fn s17_the_sum_is_zero_exactly_when_no_message_is_under_way() {
        let all = members(7);
        for (source, destination, tag) in [(0, 1, 5), (1, 0, 5), (2, 2, 0), (0, 1, 5), (0, 1, 6)] {
            let (sender, tally) = &all[source];
            tally.sent(sender, destination, tag);
            assert_ne!(sum(&all), 0);
            let (receiver, tally) = &all[destination as usize];
            tally.received(receiver, source as i32, tag);
            assert_eq!(sum(&all), 0);
        }
    }

    #[test]
    fn s17_another_message_than_the_one_sent_is_not_taken_for_it() {
        for (source, destination, tag, id) in
            [(1, 0, 5, 7), (0, 2, 5, 7), (0, 1, 4, 7), (0, 1, 5, 8)]
        {
            let all = members(7);
            all[0].1.sent(&all[0].0, 1, 5);
            let receiver = Member {
                id,
                rank: destination,
                size: RANKS,
            };
            all[destination as usize].1.received(&receiver, source, tag);
            assert_ne!(sum(&all), 0, "{source} {destination} {tag} {id}");
        }
    }

    #[test]
    fn s17_collective_calls_sum_up_to_zero_when_all_members_made_equally_many() {
        // Every pattern of up to three calls of each member, on two communicators.
        for pattern in 0..4u32.pow(6) {
            let calls: Vec<u32> = (0..6).map(|at| pattern / 4u32.pow(at) % 4).collect();
            let mut total = 0u64;
            for (id, counts) in [(1, &calls[..3]), (2, &calls[3..])] {
                let all = members(id);
                for ((member, tally), count) in all.iter().zip(counts) {
                    (0..*count).for_each(|_| tally.collective(member));
                }
                total = total.wrapping_add(sum(&all));
            }
            let even = |counts: &[u32]| counts.iter().all(|count| *count == counts[0]);
            assert_eq!(
                total == 0,
                even(&calls[..3]) && even(&calls[3..]),
                "{calls:?}"
            );
        }
    }

    #[test]
    fn a_collective_call_of_a_single_member_counts_nothing() {
        let tally = Tally::new();
        tally.collective(&Member {
            id: 3,
            rank: 0,
            size: 1,
        });
        assert_eq!(tally.number(), 0);
    }
}
