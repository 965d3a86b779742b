//! Writing a generation while the program goes on.
//!
//! In: a checkpoint whose values are copies. Out: a published file, or the reason why not. One generation is in flight
//! at most: whoever brings the next one waits. A failure leaves the older generations as they were (S25).

use std::cell::Cell;
use std::io::Write;
use std::ops::RangeInclusive;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::crossed::{Crossings, Found, Look};
use crate::format::{self, Checkpoint, Data, FormatError};
use crate::memory::{computed, without_signals, without_writing_signals};
use crate::store::{
    Directory, Event, History, Lock, Point, Taken, make_durable, make_paths_durable,
};

/// What is written, where and how.
pub struct Job {
    /// The values are encoded.
    pub checkpoint: Checkpoint,
    /// Where it goes.
    pub directory: Arc<Directory>,
    /// Ours when the file is written.
    pub lock: Arc<Lock>,
    /// 0 = off, 1 to 9.
    pub compress: u32,
    /// How many generations stay.
    pub keep: u32,
    /// Files that the program writes: durable before the checkpoint that counts on them.
    pub files: Vec<OwnedFd>,
    /// The same for those that it has written and closed since the last one.
    pub paths: Vec<PathBuf>,
    /// The program counts its messages, and not every generation can be restarted from: what is known of that.
    pub counted: Option<Arc<Crossings>>,
    /// Older generations of this run, to find out whether all ranks have written one of them, and whether messages cross it.
    pub look_at: Option<RangeInclusive<u64>>,
    /// For the history, when it is published.
    pub note: Option<Note>,
    /// Told when the file reaches a step of its way.
    pub reach: Box<dyn FnMut(Point) + Send>,
}

/// What is noted of a checkpoint that is published.
pub struct Note {
    /// Where.
    pub history: Arc<History>,
    /// What is known of it before it is written.
    pub taken: Taken,
    /// The program stands still until then, since this moment.
    pub waits: Option<Instant>,
}

impl Note {
    fn make(mut self, wrote: Duration, bytes: u64) {
        if let Some(begun) = self.waits {
            self.taken.stood = begun.elapsed().as_secs_f64();
        }
        self.taken.wrote = wrote.as_secs_f64();
        self.taken.bytes = bytes;
        self.history.note(&Event::Taken(self.taken));
    }
}

/// How it went.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Which generation.
    pub generation: u64,
    /// Bytes of the file, or why there is none.
    pub result: Result<u64, String>,
    /// Why older generations could not be removed, if so.
    pub retention: Option<String>,
    /// What was found out about older generations.
    pub found: Option<Found>,
    /// Bytes that can still be written after that, if anybody knows.
    pub free: Option<u64>,
    /// From the begin to the durable name.
    pub duration: Duration,
    /// What the thread that wrote it has computed.
    pub computed: Duration,
    /// The memory that held the values, to be used again.
    pub buffers: Vec<Vec<u8>>,
}

impl Outcome {
    /// There was no file to speak of.
    fn failed(generation: u64, reason: &str) -> Outcome {
        Outcome {
            generation,
            result: Err(reason.to_string()),
            retention: None,
            found: None,
            free: None,
            duration: Duration::ZERO,
            computed: Duration::ZERO,
            buffers: Vec::new(),
        }
    }
}

/// The writer of a process.
#[derive(Default)]
pub struct Writer {
    /// With the process that started it.
    flight: Option<(u32, JoinHandle<Outcome>)>,
    generation: u64,
}

impl Writer {
    /// Waits for the generation in flight, if there is one.
    pub fn finish(&mut self) -> Option<Outcome> {
        let generation = self.generation;
        let (process, flight) = self.flight.take()?;
        if process != std::process::id() {
            // A child made by `fork` has no such thread, and would wait for ever.
            std::mem::forget(flight);
            return None;
        }
        Some(flight.join().unwrap_or_else(|_| {
            Outcome::failed(generation, "the writer failed; this is a defect of cccp")
        }))
    }

    /// Whether a generation has been written that nobody has asked about.
    pub fn is_done(&self) -> bool {
        let ours = |process| process == std::process::id();
        let flight = self.flight.as_ref().filter(|flight| ours(flight.0));
        flight.is_some_and(|flight| flight.1.is_finished())
    }

    /// Writes behind the program's back. Nothing may be in flight. When no thread can be had, the result is there at
    /// once.
    pub fn begin(&mut self, job: Job) -> Option<Outcome> {
        self.generation = job.checkpoint.header.generation;
        let slot = Arc::new(std::sync::Mutex::new(Some(job)));
        let mine = slot.clone();
        let take = move || {
            let job = mine.lock().ok().and_then(|mut slot| slot.take());
            let mut outcome = job.map(perform)?;
            outcome.computed = computed();
            Some(outcome)
        };
        let generation = self.generation;
        let started = without_signals(|| {
            std::thread::Builder::new()
                .name("cccp-writer".to_string())
                .spawn(move || {
                    take().unwrap_or_else(|| {
                        Outcome::failed(generation, "the writer had nothing to write")
                    })
                })
        });
        match started {
            Ok(flight) => {
                self.flight = Some((std::process::id(), flight));
                None
            }
            Err(_) => {
                let job = slot.lock().ok().and_then(|mut slot| slot.take());
                job.map(perform)
            }
        }
    }
}

/// Writes values that were copied before.
pub fn perform(mut job: Job) -> Outcome {
    let compress = job.compress;
    let mut outcome = publish(&mut job, |checkpoint, out| {
        format::write(checkpoint, compress, out)
    });
    // The next checkpoint copies into the same memory: fresh pages cost more than the copy.
    outcome.buffers = job
        .checkpoint
        .sections
        .into_iter()
        .flat_map(|section| section.registers)
        .filter_map(|register| match register.data {
            Data::Encoded(buffer) => Some(buffer),
            Data::InFile { .. } => None,
        })
        .collect();
    outcome
}

/// Writes here and now what `write` gives, and clears away what is no longer needed.
pub fn publish(
    job: &mut Job,
    write: impl FnOnce(&Checkpoint, &mut dyn Write) -> Result<u64, FormatError>,
) -> Outcome {
    // A file that may not grow is a checkpoint that fails, not the end of the program.
    without_writing_signals(|| published(job, write))
}

fn published(
    job: &mut Job,
    write: impl FnOnce(&Checkpoint, &mut dyn Write) -> Result<u64, FormatError>,
) -> Outcome {
    let begun = Instant::now();
    let checkpoint = &job.checkpoint;
    let header = &checkpoint.header;
    let (generation, rank, size) = (header.generation, header.rank, header.size);
    let durable = make_durable(&job.files)
        .and_then(|()| make_paths_durable(&job.paths))
        .map_err(|error| format!("a file of the program cannot be made durable ({error})"));
    let (mut note, length) = (job.note.take(), Cell::new(0));
    let reach = &mut job.reach;
    let mut reached = |point| {
        if point == Point::Published
            && let Some(note) = note.take()
        {
            note.make(begun.elapsed(), length.get());
        }
        reach(point);
    };
    let result = match durable.and_then(|()| job.lock.keep().map_err(|error| error.to_string())) {
        Ok(()) => job
            .directory
            .publish(generation, rank, &mut reached, |out| {
                let written = write(checkpoint, out)?;
                length.set(written);
                Ok(written)
            })
            .map_err(|error| error.to_string()),
        Err(refusal) => Err(refusal),
    };
    let duration = begun.elapsed();
    let (mut retention, mut free, mut found) = (None, None, None);
    if result.is_ok() {
        let directory = &job.directory;
        // Before anything is removed. Where it cannot be noted, the next checkpoint tries again.
        let _ = directory.note_whole(rank, size);
        let cleared = match &job.counted {
            Some(known) => {
                let look = Look::of(directory, known, size);
                // Before it may be removed.
                found = { job.look_at.as_ref() }.and_then(|older| look.newest(rank, older));
                look.retain(rank, job.keep)
            }
            None => directory.retain(rank, size, job.keep),
        };
        retention = cleared.err().map(|error| error.to_string());
        free = job.directory.free().ok();
    }
    Outcome {
        generation,
        result,
        retention,
        found,
        free,
        duration,
        computed: Duration::ZERO,
        buffers: Vec::new(),
    }
}
