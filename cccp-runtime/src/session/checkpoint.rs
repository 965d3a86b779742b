//! A checkpoint, as the program sees it: its values are copied, and it goes on.

use std::time::Instant;

use crate::format::write_in_turn;
use crate::generation::{Job, Note, Outcome, publish};
use crate::memory::{blocks, children, standard_output, without_writing_signals};
use crate::registry::{INDIRECT, Trace};
use crate::restore::{Obstacle, rehearse};
use crate::settings::Writing;
use crate::store::{Event, Taken, Why};

use super::collect::collect;
use super::collected::{Collected, Copying, Loss, Lost, Place, Refusal};
use super::process::Process;
use super::{Session, opened};

/// Why a rank that shall take its checkpoint with the others takes none.
const HAS_CHILDREN: &str = "a process that the program has started (`popen`) is there, or has not been waited for (`pclose`), and a \
                            restart would not have it";

impl Session {
    /// Takes a checkpoint with the activations in these places, outermost first. Whatever goes wrong, the program goes
    /// on and the older generations stay (S25).
    ///
    /// An error when allocated memory cannot be saved, and there is no older generation of this run to be glad of.
    pub fn checkpoint(&mut self, places: &[Place]) -> Result<(), String> {
        if self.when.leaves_now {
            return Ok(());
        }
        if self.knows_places() {
            let at = taken_at(places, &self.trace);
            if self.look_at_place(at.file, at.line) {
                return Ok(());
            }
        }
        self.process = Process::hold();
        let done = self.take(places);
        self.crew = None;
        self.process.put();
        done
    }

    fn take(&mut self, places: &[Place]) -> Result<(), String> {
        self.killer.reach("checkpoint");
        let begun = Instant::now();
        self.settle();
        if let Some(innermost) = places.last() {
            self.roots_below_ended(innermost.node);
        }
        for place in places {
            self.look(place.node);
        }
        self.look_at_all();
        let generation = self.generation_here();
        self.latest_generation = generation;
        without_writing_signals(|| self.keep_places());
        let copying = match self.settings.write {
            Writing::Background => Copying::Into(std::mem::take(&mut self.buffers)),
            Writing::Synchronous => Copying::Later,
        };
        if self.group.size() == 1 {
            self.printed_now = without_writing_signals(|| self.printed.keep(standard_output()));
        }
        let collected = match self.collected(places, generation, copying) {
            Ok(collected) => collected,
            Err(refusal) => return self.untaken(places, refusal),
        };
        self.untaken = None;
        self.tell_in_flight();
        for id in collected.gone {
            self.lose(id);
        }
        for lost in collected.lost {
            let message = format!(
                "warning: {}: a pointer points to nothing that is registered; after a restart, using it will stop the program; \
                 register what it points to if it is still needed: `p[n]` is n elements behind p",
                lost.holder
            );
            self.say_once(message);
        }
        for message in collected.warnings {
            self.say_once(message);
        }
        self.tell_generators(collected.generators);
        let (paths, told) = opened::checkpoint(generation);
        for message in told {
            self.say(message);
        }
        self.section += 1;
        let killer = self.killer.clone();
        let extents = collected.extents;
        self.tally.take(begun);
        let note = Note {
            history: self.history.clone(),
            taken: Taken {
                generation,
                stood: begun.elapsed().as_secs_f64(),
                why: self.when.why,
                ..taken_at(places, &self.trace)
            },
            waits: (self.settings.write == Writing::Synchronous).then_some(begun),
        };
        let mut job = Job {
            note: Some(note),
            checkpoint: collected.checkpoint,
            directory: self.directory.clone(),
            lock: self.lock.clone(),
            compress: self.settings.compress,
            keep: self.settings.keep,
            files: collected
                .written
                .into_iter()
                .chain(self.printed.copy())
                .collect(),
            paths,
            counted: self.counts.then(|| self.looks.known.clone()),
            look_at: self.generations_to_look_at(generation),
            reach: Box::new(move |point| killer.reach_step(point)),
        };
        let done = match self.settings.write {
            Writing::Background => self.writer.begin(job),
            Writing::Synchronous => {
                let compress = self.settings.compress;
                let values = self.values_in_turn(&extents);
                Some(publish(&mut job, |checkpoint, out| {
                    write_in_turn(checkpoint, compress, out, values)
                }))
            }
        };
        self.stood_since(begun);
        self.tally.stood(begun.elapsed());
        if let Some(outcome) = done {
            self.report(outcome);
        }
        if self.settings.verbose && self.group.rank() == 0 {
            self.say(format!(
                "checkpoint: generation {generation}, the program stood still for {:.1} ms",
                begun.elapsed().as_secs_f64() * 1e3
            ));
        }
        if self.when.why == Why::Calls {
            self.tell_cost(begun);
        }
        Ok(())
    }

    /// What is to be written, when a restart could come back from it.
    fn collected(
        &mut self,
        places: &[Place],
        generation: u64,
        copying: Copying,
    ) -> Result<Collected, Refusal> {
        if children::are_there() {
            return Err(Refusal::Obstacle(Obstacle::Here(HAS_CHILDREN.to_string())));
        }
        let collected = collect(self, places, generation, copying, &|_| true)?;
        rehearse(&collected.checkpoint, &self.standing, &collected.needs)
            .map_err(Refusal::Obstacle)?;
        match collected.lost.iter().find(|lost| lost.loss == Loss::Stop) {
            None => Ok(collected),
            Some(Lost {
                holder,
                ahead: Some(ahead),
                ..
            }) => Err(Refusal::Obstacle(Obstacle::Everywhere(format!(
                "{holder}: {ahead}"
            )))),
            Some(lost) => Err(Refusal::Obstacle(Obstacle::Here(format!(
                "{}: a pointer points to nothing that is registered, and a restart needs what it points to; register it: `p[n]` \
                 is n elements behind p",
                lost.holder
            )))),
        }
    }

    /// No checkpoint is taken. An error when none can be and there is no older one of this run to be glad of.
    fn untaken(&mut self, places: &[Place], refusal: Refusal) -> Result<(), String> {
        self.not_taken(self.generation_here());
        let reason = match refusal {
            Refusal::Heap(reason) | Refusal::Obstacle(Obstacle::Everywhere(reason))
                if self.section == 0 =>
            {
                return Err(reason);
            }
            Refusal::Obstacle(Obstacle::Here(reason)) => {
                let at = taken_at(places, &self.trace);
                let place = match at.line {
                    0 => String::new(),
                    line => format!(" at {}:{line}", at.file),
                };
                let message = format!("warning: no checkpoint is taken{place}: {reason}");
                if self.say_once(message) {
                    self.note(Event::Skipped(reason.clone()));
                }
                self.untaken = Some(reason);
                return Ok(());
            }
            Refusal::Heap(reason) | Refusal::Obstacle(Obstacle::Everywhere(reason)) => reason,
            Refusal::Format(error) => error.to_string(),
        };
        self.fail(&reason);
        self.untaken = Some(reason);
        Ok(())
    }

    /// Waits for the generation in flight.
    pub fn settle(&mut self) {
        if let Some(outcome) = self.writer.finish() {
            self.report(outcome);
        }
    }

    fn report(&mut self, outcome: Outcome) {
        self.buffers = outcome.buffers;
        self.buffers.reverse();
        match outcome.result {
            Ok(bytes) => {
                let [computed, flight] = [outcome.computed, outcome.duration];
                self.wrote(
                    outcome.generation,
                    computed.as_secs_f64(),
                    flight.as_secs_f64(),
                );
                self.tally
                    .published(outcome.generation, bytes, outcome.duration);
                self.note_progress();
                if std::mem::take(&mut self.failing) {
                    self.say(format!(
                        "checkpoints are written again, generation {} is the first",
                        outcome.generation
                    ));
                }
                if self.settings.verbose && self.group.rank() == 0 {
                    self.say(format!(
                        "checkpoint: generation {} published, {bytes} bytes in {:.1} ms",
                        outcome.generation,
                        outcome.duration.as_secs_f64() * 1e3
                    ));
                }
                self.tell_need(outcome.generation, bytes, outcome.free);
            }
            Err(reason) => {
                self.not_taken(outcome.generation);
                self.tally.failed(&reason);
                self.fail(&reason);
            }
        }
        if let Some(found) = outcome.found {
            self.looked_at(found);
        }
        // The reason names a generation, which is another one each time.
        if let Some(reason) = outcome.retention
            && self.warned.insert("retention".to_string())
        {
            self.say(format!(
                "warning: an old checkpoint could not be removed: {reason}"
            ));
        }
    }

    /// One warning for a row of failures.
    fn fail(&mut self, reason: &str) {
        self.note(Event::Skipped(reason.to_string()));
        if !self.failing {
            self.failing = true;
            let older = match self.tally.is_empty() && !self.is_resumed {
                true => "there is no older one",
                false => "the older one is kept",
            };
            self.say(format!(
                "warning: a checkpoint could not be written: {reason}; {older}, the program continues, the next checkpoint tries \
                 again"
            ));
        }
    }

    /// Something happened that later runs and people may want to know.
    pub fn note(&self, event: Event) {
        without_writing_signals(|| self.history.note(&event));
    }

    /// The memory of a register is gone.
    fn lose(&mut self, id: u64) {
        let Some(register) = self.registers.get(id).cloned() else {
            return;
        };
        let is_behind = register.floating.is_some();
        // Where the program is known to have released a block there is nothing to say.
        let is_told = register
            .floating
            .is_some_and(|base| !blocks::was_released(base));
        if is_behind || register.flags & INDIRECT != 0 {
            self.registers.remove(id);
            self.trace.unregister(register.node, register.sequence, id);
        }
        if is_told {
            let message = format!(
                "warning: the memory behind `{}`, registered by {} ({}:{}), is gone; unregister it before it is freed",
                register.name, register.function.name, register.function.file, register.line
            );
            self.say_once(message);
        }
    }
}

/// A checkpoint in these places of the program's text.
fn taken_at(places: &[Place], trace: &Trace) -> Taken {
    let Some(place) = places.last() else {
        return Taken::default();
    };
    let function = &trace.node(place.node).function;
    Taken {
        file: function.file.clone(),
        line: function.block(place.block).map_or(0, |block| block.line),
        ..Taken::default()
    }
}
