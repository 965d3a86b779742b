//! The restart in progress, and the session that it restores.

use crate::registry::NodeId;
use crate::restore::{Next, Replay, Stop};

use super::Session;

impl Session {
    /// Runs `work` with the restart in progress; an error without one.
    pub(super) fn with_replay<T>(
        &mut self,
        work: impl FnOnce(&mut Session, &mut Replay) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        let mut replay = self
            .replay
            .take()
            .ok_or_else(|| "no restart is in progress".to_string())?;
        let result = work(self, &mut replay);
        self.replay = Some(replay);
        result
    }

    /// The parallel region due in an activation has so many threads.
    pub fn replay_team(&mut self, frame: usize, node: NodeId) -> Result<u64, Stop> {
        let function = self.trace.node(node).function.clone();
        self.with_replay(|session, replay| {
            let (threads, passed) = replay.team(frame, &function)?;
            replay.asleep.pass(&mut session.trace, node, &passed);
            Ok(threads)
        })
    }

    /// What the activation does next, that of a thread in a parallel region with its number. Dormant entries on the way there get their places in the live trace.
    pub fn replay_next(
        &mut self,
        frame: usize,
        caller: Option<usize>,
        thread: Option<u64>,
        node: NodeId,
    ) -> Result<Next, Stop> {
        let function = self.trace.node(node).function.clone();
        self.with_replay(|session, replay| {
            let next = replay.next(frame, caller, thread, (&function, &session.types))?;
            replay.asleep.pass(&mut session.trace, node, &next.passed);
            Ok(next)
        })
    }

    /// Whether the restart ends in the call due in `frame`.
    pub fn replay_ends(&mut self, frame: usize) -> Result<bool, Stop> {
        self.with_replay(|_, replay| Ok(replay.ends_in(frame)))
    }
}
