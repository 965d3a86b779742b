//! Rehearsing a crash: the process dies at the point that CCCP_KILL_AT names.

use std::sync::Mutex;

use crate::memory::die;
use crate::settings::{KillAt, KillPoint};

/// Counts passages, on whatever thread they happen.
#[derive(Debug)]
pub struct Killer {
    at: Option<KillAt>,
    rank: u32,
    passages: Mutex<u64>,
}

impl Killer {
    /// For this rank.
    pub fn new(at: Option<KillAt>, rank: u32) -> Killer {
        Killer {
            at,
            rank,
            passages: Mutex::new(0),
        }
    }

    /// The run is at this point.
    pub fn reach(&self, point: KillPoint) {
        let Some(at) = self.at.as_ref().filter(|at| at.point == point) else {
            return;
        };
        let Ok(mut passages) = self.passages.lock() else {
            return;
        };
        *passages += 1;
        if at.strikes(point, self.rank, *passages) {
            die();
        }
    }
}
