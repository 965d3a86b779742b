//! A changed program that calls the library by hand: its registers are compared one by one, as they come.
//!
//! In: names, types and numbers of elements. Out: the same table as for a precompiled program, at the latest when the
//! place of the checkpoint is reached. What is different and not accepted gets no values before that.

use crate::format::{Fit, Register, Subject, differences};
use crate::restore::changes::{Changes, Row};
use crate::restore::{Replay, Stop};
use crate::settings::Changed;

use super::changed::{accepted, refusal};
use super::{Handed, Session};

/// `double[10]`.
fn elements(name: &str, extents: &[u64]) -> String {
    let all: String = extents.iter().map(|extent| format!("[{extent}]")).collect();
    format!("{name}{all}")
}

impl Session {
    /// Whether the register is as it was, or what is different has been accepted.
    pub(super) fn as_it_was(
        &mut self,
        replay: &mut Replay,
        saved: &Register,
        handed: &Handed,
    ) -> bool {
        let name = &saved.name;
        let file = replay.file.checkpoint.layout();
        let program = self.types.layout();
        let mut rows = Vec::new();
        for found in differences(file, saved.type_index, program, handed.type_index) {
            let what = match &found.subject {
                Subject::Whole => format!("type of register `{name}`"),
                Subject::Member { owner, name } => format!("{owner}: member `{name}`"),
                Subject::Order(owner) => format!("{owner}: order of the members"),
            };
            let row = Row::new(
                what,
                found.then.unwrap_or_default(),
                found.now.unwrap_or_default(),
            );
            rows.push(
                row.refused(found.refused)
                    .note("new members begin with zeros"),
            );
        }
        let is_null = saved.is_null(handed.extents.len());
        let extents = &saved.extents[usize::from(is_null)..];
        if handed.extents != extents {
            let row = Row::new(
                format!("elements of register `{name}`"),
                elements("", extents),
                elements("", &handed.extents),
            );
            let fewer = handed.extents.as_slice() < extents;
            let refused = fewer.then(|| "not all elements fit".to_string());
            rows.push(
                row.refused(refused)
                    .note("the new elements begin with zeros"),
            );
        }
        let fits = rows.iter().all(|row| row.refused.is_none());
        let go_on = rows.is_empty() || fits && self.settings.changes == Changed::Accept;
        if go_on && !rows.is_empty() {
            replay.fit = Fit::ByName;
            replay
                .adopted
                .grown
                .insert(saved.id, handed.extents.clone());
        }
        self.differences.extend(rows);
        go_on
    }

    /// A name that the checkpoint does not have.
    pub(super) fn not_in_the_checkpoint(&mut self, replay: &Replay, name: &str, handed: &Handed) {
        let checkpoint = &replay.file.checkpoint;
        // Files before 1.1 do not say which names there were; one that was unregistered before is no difference.
        let mut known = checkpoint.plans.iter().flat_map(|plan| &plan.items);
        if checkpoint.plans.is_empty() || known.any(|item| item.name == name) {
            return;
        }
        let kind = self.types.get(handed.type_index);
        let kind = kind.map_or("", |one| one.name.as_str());
        let now = elements(kind, &handed.extents);
        let row = Row::new(format!("register `{name}` added"), "", now);
        self.differences
            .push(row.note("it keeps the values that the program gives it"));
    }

    /// At the place of the checkpoint: what was not registered again is gone.
    pub(super) fn dropped_by_hand(&mut self, replay: &mut Replay) {
        let by_hand = |saved: &Register| {
            let function = replay
                .file
                .checkpoint
                .functions
                .get(saved.function as usize);
            function.is_some_and(|function| function.file.is_empty())
        };
        let gone: Vec<Register> = replay
            .registers
            .values()
            .filter(|saved| !replay.bound.contains_key(&saved.id) && by_hand(saved))
            .cloned()
            .collect();
        for saved in gone {
            let what = format!("register `{}` removed", saved.name);
            if self
                .differences
                .iter()
                .any(|row| row.what.contains(&format!("`{}`", saved.name)))
            {
                continue;
            }
            let kind = replay.file.checkpoint.types.get(saved.type_index as usize);
            let then = elements(kind.map_or("", |one| one.name.as_str()), &saved.extents);
            self.differences
                .push(Row::new(what, then, "").note("its values are dropped"));
            if self.settings.changes == Changed::Accept {
                replay.registers.remove(&saved.id);
            }
        }
    }

    /// Stops when there is something that is not accepted; otherwise says it once.
    pub(super) fn refuse_by_hand(&mut self, replay: &Replay) -> Result<(), Stop> {
        let changes = Changes {
            rows: std::mem::take(&mut self.differences),
            functions: Vec::new(),
        };
        if changes.rows.is_empty() {
            return Ok(());
        }
        let generation = replay.file.checkpoint.header.generation;
        let setting = self.settings.changes;
        if setting == Changed::Accept && changes.acceptable() {
            self.say(accepted(&changes, generation));
            return Ok(());
        }
        Err(refusal(&changes, generation, setting))
    }

    /// Stops before the program goes on with values that it did not get.
    pub fn stop_when_different(&mut self) -> Result<(), Stop> {
        let refused = self.differences.iter().any(|row| row.refused.is_some());
        if self.differences.is_empty() || self.settings.changes == Changed::Accept && !refused {
            return Ok(());
        }
        self.with_replay(|session, replay| session.refuse_by_hand(replay))
    }
}
