//! The threads of regions, by their frames: which of those that stop at checkpoints each is.

use rustc_hash::{FxHashMap, FxHashSet};

use super::inner::Kind;
use super::mirror::Frame;
use super::postponed::Postponed;
use crate::trigger::Inside;

/// A thread by its first frame in a region.
struct One {
    /// Its number there, and of how many.
    number: [u64; 2],
    /// Which thread it is of all that stop at checkpoints, and the level of its team; none where it is none of them.
    member: Option<(usize, usize)>,
    /// What it has registered that the trace does not know yet; none where it tells the trace at once.
    noted: Option<Postponed>,
}

/// All threads that are in regions.
#[derive(Default)]
pub struct Members {
    threads: FxHashMap<usize, One>,
    /// Regions inside of the outermost one whose threads say to which barriers they come.
    lines: FxHashSet<usize>,
    /// For threads that will note what they register.
    spare: Vec<Postponed>,
}

impl Members {
    /// Which thread a frame belongs to that is the first one in a region, and of how many.
    pub fn number(&self, frame: usize) -> Option<[u64; 2]> {
        self.threads.get(&frame).map(|one| one.number)
    }

    /// Of whom these are the frames, the innermost last.
    pub fn of(&self, chain: &[*mut Frame]) -> Option<(usize, usize)> {
        let mut innermost = chain.iter().rev();
        let found = innermost.find_map(|one| self.threads.get(&(*one as usize)));
        found?.member
    }

    /// The threads of this region say to which barriers they come.
    pub fn is_line(&mut self, team: usize) {
        self.lines.insert(team);
    }

    /// This region is over.
    pub fn has_ended(&mut self, team: usize) {
        self.lines.remove(&team);
    }

    /// A thread has entered the outermost region. It may note what it registers.
    pub fn join(&mut self, frame: usize, number: [u64; 2], may_note: bool) {
        let member = Some((number[0] as usize, 0));
        let noted = may_note.then(|| self.spare.pop().unwrap_or_default());
        let one = One {
            number,
            member,
            noted,
        };
        self.threads.insert(frame, one);
    }

    /// Where the thread with this frame notes what it registers.
    pub fn noted(&mut self, frame: usize) -> Option<&mut Postponed> {
        self.threads.get_mut(&frame)?.noted.as_mut()
    }

    /// What it has noted; it notes nothing any more.
    pub fn take_noted(&mut self, frame: usize) -> Option<Postponed> {
        self.threads.get_mut(&frame)?.noted.take()
    }

    /// A thread has entered a region inside of it, which one with these frames has come to.
    pub fn enter(
        &mut self,
        frame: usize,
        (team, chain): (usize, &[*mut Frame]),
        number: [u64; 2],
    ) -> Kind {
        let (member, kind) = self.inside(chain, team, number);
        let one = One {
            number,
            member,
            noted: None,
        };
        self.threads.insert(frame, one);
        kind
    }

    fn inside(
        &self,
        chain: &[*mut Frame],
        team: usize,
        [number, threads]: [u64; 2],
    ) -> (Option<(usize, usize)>, Kind) {
        let Some((parent, level)) = self.of(chain) else {
            return (None, Kind::AmongOthers);
        };
        if threads == 1 {
            return (Some((parent, level)), Kind::Alone);
        }
        let level = level + 1;
        let (number, threads) = (number as usize, threads as usize);
        let inside = Inside {
            parent,
            level,
            threads,
        };
        match self.lines.contains(&team) && inside.fits() {
            true => {
                let member = Some((inside.member(number), level));
                (member, Kind::Member(inside, number))
            }
            false => (None, Kind::AmongOthers),
        }
    }

    /// It has left the region: its number there.
    pub fn leave(&mut self, frame: usize) -> u64 {
        let Some(one) = self.threads.remove(&frame) else {
            return 0;
        };
        if let Some(mut noted) = one.noted {
            noted.clear();
            self.spare.push(noted);
        }
        one.number[0]
    }
}
