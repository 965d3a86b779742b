//! Dormant entries during a restart: not run, not lost.
//!
//! An execution that a running loop supersedes is on the way again once the loop has ended, perhaps only after the
//! restart. Steps: `pass` reserves its place in the live trace when control goes past it · `lay_down` fills these places
//! when everything is restored and all functions on the way are known. Dormant registers have no data; nothing of them
//! is needed. What cannot be kept is said in one warning.

use std::rc::Rc;

use crate::format::{Entry, Payload};
use crate::registry::{Function, Left, NodeId};
use crate::restore::{Passed, Replay};

use super::Session;

impl Session {
    /// Puts the dormant entries into the live trace.
    pub(super) fn lay_down(&mut self, replay: &mut Replay) {
        let mut due = std::mem::take(&mut replay.asleep.passed);
        let mut lost = None;
        // The entries of a call are appended while the list is worked on.
        let mut at = 0;
        while let Some(&one) = due.get(at) {
            at += 1;
            let entry = replay.file.checkpoint.trace.nodes[one.node].entries[one.entry].clone();
            // Its region, when it is one that was passed in the same activation.
            let region = entry.region.and_then(|wanted| {
                let nodes = &replay.file.checkpoint.trace.nodes;
                let mut same = due[..at].iter().filter(|other| other.live == one.live);
                same.find(|other| nodes[other.node].entries[other.entry].sequence == wanted)
                    .map(|other| other.sequence)
            });
            match self.left_asleep(replay, one.live, &entry) {
                Ok(Some(left)) => {
                    if let (Payload::Call(callee), &Left::Called(live)) = (&entry.payload, &left) {
                        let node = *callee as usize;
                        let entries = replay.file.checkpoint.trace.nodes[node].entries.len();
                        due.extend((0..entries).map(|entry| Passed {
                            live,
                            sequence: self.trace.reserve(),
                            node,
                            entry,
                        }));
                    }
                    self.trace.put(
                        one.live,
                        one.sequence,
                        entry.block,
                        entry.instances,
                        region,
                        left,
                    );
                }
                Ok(None) => {}
                Err(reason) => {
                    let function = &self.trace.node(one.live).function;
                    lost.get_or_insert_with(|| format!("{}: {reason}", function.name));
                }
            }
        }
        if let Some(reason) = lost {
            self.say(format!(
                "warning: a block of an earlier iteration cannot be run again after a further restart ({reason})"
            ));
        }
    }

    /// What a dormant entry leaves in the live trace; none when nothing of it is needed.
    fn left_asleep(
        &mut self,
        replay: &mut Replay,
        live: NodeId,
        entry: &Entry,
    ) -> Result<Option<Left>, String> {
        let function = self.trace.node(live).function.clone();
        let block = function
            .block(entry.block)
            .ok_or_else(|| format!("there is no block {}", entry.block))?;
        Ok(match &entry.payload {
            Payload::Register(_) | Payload::Checkpoint => None,
            Payload::Execute(values) => Some(Left::Executed(self.record(
                replay,
                values,
                &block.fields,
                block.record_size,
            )?)),
            Payload::Region(values) => Some(Left::Entered(self.record(
                replay,
                values,
                &block.fields,
                block.record_size,
            )?)),
            Payload::Call(callee) => {
                let checkpoint = &replay.file.checkpoint;
                let node = checkpoint.trace.nodes[*callee as usize].clone();
                let saved = &checkpoint.functions[node.function as usize];
                let mut known = self.functions.values();
                let called: Option<Rc<Function>> = known
                    .find(|one| one.name == saved.name && one.fingerprint == saved.fingerprint)
                    .cloned();
                let called =
                    called.ok_or_else(|| format!("{} was not called again", saved.name))?;
                let arguments = self.record(
                    replay,
                    &node.arguments,
                    &called.parameters,
                    called.arguments_size,
                );
                // Arguments that no block reads may lead nowhere.
                let arguments = match arguments {
                    Err(reason) if called.parameters.iter().any(|one| one.read_by_blocks) => {
                        return Err(reason);
                    }
                    other => other.unwrap_or_else(|_| vec![0; called.arguments_size]),
                };
                Some(Left::Called(
                    self.trace.returned_call(live, called, arguments),
                ))
            }
        })
    }
}
