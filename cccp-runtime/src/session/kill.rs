//! Rehearsing a crash: the process dies at the point that CCCP_KILL_AT names.

use std::sync::Mutex;

use crate::memory::die;
use crate::settings::KillAt;
use crate::store::Point;

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
    pub fn reach(&self, point: &str) {
        let Some(at) = self.at.as_ref().filter(|at| at.point == point) else {
            return;
        };
        let Ok(mut passages) = self.passages.lock() else {
            return;
        };
        *passages += 1;
        if at.is_due(point, *passages, self.rank) {
            die();
        }
    }

    /// A file being written is at this point.
    pub fn reach_step(&self, step: Point) {
        self.reach(match step {
            Point::Writing => "writing",
            Point::Written => "written",
            Point::Publishing => "publishing",
            Point::Published => "published",
        });
    }
}
