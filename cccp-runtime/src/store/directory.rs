//! The directory of a program's checkpoints: names, generations, completion, retention.
//!
//! Nothing is removed unless something newer is known to be complete (S19), and nothing that does not have one of our
//! names is touched.

use std::collections::BTreeSet;
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use super::aside::aside_of;
use super::error::{StoreError, is_absent};
use super::journal::of_rank;
use super::lock::Lock;
use super::open::{glance, head, open};
use super::operations::Store;
use super::publish::{Point, publish};
use crate::format::{File, FormatError, Head};

/// Where a program's checkpoints live.
pub struct Directory {
    pub(super) store: Arc<dyn Store>,
    pub(super) path: PathBuf,
    /// The directory's own name has been made durable.
    anchored: AtomicBool,
    /// Generations that could not be used at the start of this run.
    passed_over: OnceLock<Range<u64>>,
    /// It has been noted that this run has a generation that is complete.
    noted: AtomicBool,
}

impl Directory {
    /// A directory that need not exist yet. A relative path is meant from where the program is now, wherever it goes
    /// later.
    pub fn new(store: Arc<dyn Store>, path: impl Into<PathBuf>) -> Directory {
        let path = path.into();
        Directory {
            store,
            path: std::path::absolute(&path).unwrap_or(path),
            anchored: AtomicBool::new(false),
            passed_over: OnceLock::new(),
            noted: AtomicBool::new(false),
        }
    }

    /// What it lies on.
    pub fn store(&self) -> Arc<dyn Store> {
        self.store.clone()
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file of a rank in a generation, whether it exists or not.
    pub fn file(&self, generation: u64, rank: u32) -> PathBuf {
        self.generation(generation).join(format!("{rank:06}.cccp"))
    }

    pub(super) fn generation(&self, generation: u64) -> PathBuf {
        self.path.join(format!("{generation:010}"))
    }

    /// Writes a file and gives it its name when it is complete and durable; gives its length. `write` gets the bytes'
    /// destination. After an error everything older is as it was.
    pub fn publish(
        &self,
        generation: u64,
        rank: u32,
        reach: &mut dyn FnMut(Point),
        write: impl FnOnce(&mut dyn Write) -> Result<u64, FormatError>,
    ) -> Result<u64, StoreError> {
        let inner = self.generation(generation);
        publish(
            &*self.store,
            &self.file(generation, rank),
            || self.settle(&[&inner, &self.path]),
            reach,
            write,
        )
        .inspect_err(|_| {
            // Succeeds only when nothing is in it.
            let _ = self.store.remove_directory(&inner);
        })
    }

    /// Makes the names in our directories durable, and once those that lead to them.
    fn settle(&self, places: &[&Path]) -> Result<(), StoreError> {
        for place in places {
            self.sync(place)?;
        }
        if self.anchored.load(Ordering::Relaxed) {
            return Ok(());
        }
        // All of them: a run that was killed or refused may have made them without getting to this. What lies further up
        // is rarely made by us, and not every place can be synchronised: that is tried again, but is no failure.
        let mut above = self.path.ancestors().skip(1);
        above.next().map_or(Ok(()), |parent| self.sync(parent))?;
        let all = above.all(|place| self.sync(place).is_ok());
        self.anchored.store(all, Ordering::Relaxed);
        Ok(())
    }

    fn sync(&self, place: &Path) -> Result<(), StoreError> {
        self.store
            .sync_directory(place)
            .map_err(|error| StoreError::system(place, error))
    }

    /// All generations, complete or not, the newest first. Empty when the directory does not exist.
    pub fn generations(&self) -> Result<Vec<u64>, StoreError> {
        let mut found: Vec<u64> = self
            .names(&self.path)?
            .iter()
            .filter_map(|name| digits(name, 10))
            .collect();
        found.sort_unstable_by(|one, other| other.cmp(one));
        Ok(found)
    }

    /// The ranks whose files a generation has.
    pub fn ranks(&self, generation: u64) -> Result<BTreeSet<u32>, StoreError> {
        let names = self.names(&self.generation(generation))?;
        let rank = |name: &String| u32::try_from(digits(name.strip_suffix(".cccp")?, 6)?).ok();
        Ok(names.iter().filter_map(rank).collect())
    }

    /// Tells that the run goes on from one generation and counts on from another: what lies between them was passed over
    /// because it is missing or damaged somewhere, and does not count as complete, whatever the names say.
    pub fn passed_over(&self, restarted: u64, next: u64) {
        let _ = self.passed_over.set(restarted + 1..next);
    }

    /// Whether every rank of a job of this size has a file in a generation.
    pub fn is_complete(&self, generation: u64, size: u32) -> Result<bool, StoreError> {
        let ranks = self.ranks(generation)?;
        Ok(ranks.range(..size).count() == size as usize)
    }

    /// Opens and verifies a file.
    pub fn open(&self, generation: u64, rank: u32) -> Result<File, StoreError> {
        open(&*self.store, &self.file(generation, rank))
    }

    /// Reads what is small in a file: see [`File::glance`].
    pub fn glance(&self, generation: u64, rank: u32) -> Result<File, StoreError> {
        glance(&*self.store, &self.file(generation, rank))
    }

    /// Reads the header of a file and nothing else.
    pub fn head(&self, generation: u64, rank: u32) -> Result<Head, StoreError> {
        head(&*self.store, &self.file(generation, rank))
    }

    /// Marks the run of a rank complete; `generation` is its last one (0 when there was none).
    pub fn mark_complete(&self, rank: u32, generation: u64) -> Result<(), StoreError> {
        self.publish_mark(&self.mark(rank), generation)
    }

    fn publish_mark(&self, path: &Path, generation: u64) -> Result<(), StoreError> {
        let text = mark_text(generation);
        let settle = || self.settle(&[&self.path]);
        publish(&*self.store, path, settle, &mut |_| {}, |out| {
            out.write_all(text.as_bytes())
                .map(|()| text.len() as u64)
                .map_err(|error| FormatError::Storage {
                    offset: 0,
                    reason: error.to_string(),
                })
        })?;
        Ok(())
    }

    /// A generation of the newest run that some rank is known to have seen complete; none when there was none. Where its
    /// files are gone, they were lost.
    pub fn whole(&self) -> Result<Option<u64>, StoreError> {
        let mut newest = None;
        for name in self.names(&self.path)? {
            let rank = name.strip_prefix(WHOLE).and_then(|rank| digits(rank, 6));
            if rank.is_some() {
                let otherwise = "no mark of a complete generation; remove it if there was none";
                newest = newest.max(self.marked(&self.path.join(name), otherwise)?);
            }
        }
        Ok(newest)
    }

    /// Notes once per run that there is a generation that all ranks have.
    pub fn note_whole(&self, rank: u32, size: u32) -> Result<(), StoreError> {
        if self.noted.load(Ordering::Relaxed) {
            return Ok(());
        }
        let (complete, _) = self.aged(size, 1)?;
        if let Some(&newest) = complete.first() {
            self.publish_mark(&self.path.join(format!("{WHOLE}{rank:06}")), newest)?;
            self.noted.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    /// The last generation of the completed run of a rank; none when no run was completed. A mark that cannot be
    /// understood is an error: nobody knows then which generations belong to a completed run.
    pub fn completed(&self, rank: u32) -> Result<Option<u64>, StoreError> {
        self.marked(
            &self.mark(rank),
            "no mark of a completed run; remove it to resume from the last checkpoint",
        )
    }

    fn marked(&self, path: &Path, otherwise: &str) -> Result<Option<u64>, StoreError> {
        let text = match self.store.read(path) {
            Ok(text) => text,
            Err(error) if is_absent(&error) => return Ok(None),
            Err(error) => return Err(StoreError::system(path, error)),
        };
        let generation = text
            .lines()
            .nth(1)
            .and_then(|line| line.strip_prefix("generation ")?.parse().ok());
        match generation {
            Some(generation) if mark_text(generation) == text => Ok(Some(generation)),
            _ => {
                let reason = otherwise.to_string();
                Err(StoreError::contents(
                    path,
                    FormatError::Damaged { offset: 0, reason },
                ))
            }
        }
    }

    /// Whether there is nothing to go on from: no generation, or all ranks that have written the newest one have completed
    /// their run. When that cannot be known there may be something.
    pub fn is_finished(&self) -> bool {
        let newest = match self.generations() {
            Ok(all) => all.first().copied(),
            Err(_) => return false,
        };
        let Some(newest) = newest else {
            return true;
        };
        let Ok(ranks) = self.ranks(newest) else {
            return false;
        };
        let complete = |rank: u32| self.completed(rank).is_ok_and(|last| last >= Some(newest));
        !ranks.is_empty() && ranks.iter().all(|&rank| complete(rank))
    }

    fn mark(&self, rank: u32) -> PathBuf {
        self.path.join(format!("complete.{rank:06}"))
    }

    /// The lock of a rank, not taken yet. A run takes those of its ranks before it looks at anything.
    pub fn lock(&self, rank: u32) -> Lock {
        Lock::new(
            self.store.clone(),
            self.path.join(format!("lock.{rank:06}")),
        )
    }

    /// Whether a descriptor is that of a lock of this directory: it is the library's, not the program's.
    pub fn is_lock(&self, descriptor: i32) -> bool {
        let Ok(path) = super::reopen::path_of(descriptor) else {
            return false;
        };
        let name = path.file_name().and_then(|name| name.to_str());
        let is_named = name
            .and_then(|name| name.strip_prefix("lock."))
            .is_some_and(|rest| digits(rest, 6).is_some());
        is_named && std::fs::canonicalize(&self.path).ok().as_deref() == path.parent()
    }

    /// The files of all locks, whether anybody has them or not, by rank.
    pub fn locks(&self) -> Result<Vec<PathBuf>, StoreError> {
        let names = self.names(&self.path)?;
        let rank = |name: &String| digits(name.strip_prefix("lock.")?, 6);
        let ranks: BTreeSet<u64> = names.iter().filter_map(rank).collect();
        Ok(ranks
            .into_iter()
            .map(|rank| self.path.join(format!("lock.{rank:06}")))
            .collect())
    }

    /// Bytes that could still be written.
    pub fn free(&self) -> Result<u64, StoreError> {
        let free = self.store.free(&self.path);
        free.map_err(|error| StoreError::system(&self.path, error))
    }

    /// Removes what `rank` no longer needs: its files older than the `keep` newest generations (at least one) that
    /// are complete for a job of this `size`. Files of ranks that this job does not have are shared out among those it
    /// has. Gives the number of files removed.
    pub fn retain(&self, rank: u32, size: u32, keep: u32) -> Result<u64, StoreError> {
        let (complete, old) = self.aged(size, keep)?;
        self.leave(rank, size, complete, old)
    }

    /// The same where not every generation that is complete can be restarted from: when none of those that stay is known to
    /// be `usable`, the newest older one that is stays, too, and what nobody knows anything about.
    pub fn retain_usable(
        &self,
        rank: u32,
        size: u32,
        keep: u32,
        usable: &dyn Fn(u64) -> Option<bool>,
    ) -> Result<u64, StoreError> {
        let (mut complete, mut old) = self.aged(size, keep)?;
        let mut is_found = old.is_empty() || complete.iter().any(|&one| usable(one) == Some(true));
        let passed_over = self.passed_over.get().cloned().unwrap_or_default();
        let mut left = Vec::new();
        for generation in old.drain(..) {
            let is_whole = || self.is_complete(generation, size);
            if is_found || passed_over.contains(&generation) || !is_whole()? {
                left.push(generation);
                continue;
            }
            match usable(generation) {
                Some(false) => left.push(generation),
                known => {
                    is_found |= known.is_some();
                    complete.push(generation);
                }
            }
        }
        self.leave(rank, size, complete, left)
    }

    /// The same for a rank that does not know what is usable: of what is old it removes what another rank has left before,
    /// which nobody can restart from any more.
    pub fn retain_after(
        &self,
        first: u32,
        rank: u32,
        size: u32,
        keep: u32,
    ) -> Result<u64, StoreError> {
        let (complete, old) = self.aged(size, keep)?;
        let mut left = Vec::new();
        for generation in old {
            if !self.ranks(generation)?.contains(&first) {
                left.push(generation);
            }
        }
        self.leave(rank, size, complete, left)
    }

    /// The newest generations that are complete, so many, and all that are older than these.
    fn aged(&self, size: u32, keep: u32) -> Result<(Vec<u64>, Vec<u64>), StoreError> {
        let passed_over = self.passed_over.get().cloned().unwrap_or_default();
        let (mut complete, mut old) = (Vec::new(), Vec::new());
        for generation in self.generations()? {
            if complete.len() == keep.max(1) as usize {
                old.push(generation);
            } else if !passed_over.contains(&generation) && self.is_complete(generation, size)? {
                complete.push(generation);
            }
        }
        Ok((complete, old))
    }

    /// Removes the files of a rank in old generations, once those that stay are durable.
    fn leave(
        &self,
        rank: u32,
        size: u32,
        complete: Vec<u64>,
        old: Vec<u64>,
    ) -> Result<u64, StoreError> {
        let mut files = Vec::new();
        for &generation in &old {
            let mut ranks = self.ranks(generation)?;
            ranks.retain(|&one| one == rank || (one >= size && one % size.max(1) == rank));
            files.extend(ranks.iter().map(|&one| self.file(generation, one)));
        }
        if let Some(&oldest) = complete.last() {
            let own = |name: &String| {
                let generation = of_rank(name, rank).or_else(|| aside_of(name, rank));
                generation.is_some_and(|one| one < oldest)
            };
            let names = self.names(&self.path)?;
            files.extend(
                names
                    .iter()
                    .filter(|name| own(name))
                    .map(|name| self.path.join(name)),
            );
        }
        if !files.is_empty() {
            // The other ranks' files are visible; they also have to be there after a power failure.
            for generation in complete {
                self.sync(&self.generation(generation))?;
            }
            self.sync(&self.path)?;
        }
        let (mut removed, mut failure) = (0, None);
        for path in files {
            match self.store.remove(&path) {
                Ok(()) => removed += 1,
                Err(error) if is_absent(&error) => {}
                // One that cannot be removed does not hold back the others.
                Err(error) => failure = Some(StoreError::system(&path, error)),
            }
        }
        for generation in old {
            // The last rank to leave succeeds.
            let _ = self.store.remove_directory(&self.generation(generation));
        }
        failure.map_or(Ok(removed), Err)
    }

    /// Removes the unfinished files that dead runs of `rank` left. Only while no other run uses the directory.
    pub fn clean(&self, rank: u32) -> Result<u64, StoreError> {
        let mut removed = 0;
        let own = [
            format!("{rank:06}.cccp."),
            format!("complete.{rank:06}."),
            format!("{WHOLE}{rank:06}."),
            format!("places.{rank:06}."),
        ];
        let mut places = vec![self.path.clone()];
        places.extend(
            self.generations()?
                .into_iter()
                .map(|generation| self.generation(generation)),
        );
        for place in places {
            for name in self.names(&place)? {
                if name.ends_with(".tmp") && own.iter().any(|prefix| name.starts_with(prefix)) {
                    let path = place.join(name);
                    self.store
                        .remove(&path)
                        .map_err(|error| StoreError::system(&path, error))?;
                    removed += 1;
                }
            }
        }
        Ok(removed)
    }

    /// The names in a directory; none when it does not exist.
    pub(super) fn names(&self, path: &Path) -> Result<Vec<String>, StoreError> {
        match self.store.list(path) {
            Err(error) if is_absent(&error) => Ok(Vec::new()),
            other => other.map_err(|error| StoreError::system(path, error)),
        }
    }
}

/// What the names of marks of complete generations begin with.
const WHOLE: &str = "whole.";

/// The text of a completion mark.
fn mark_text(generation: u64) -> String {
    let body = format!("cccp complete 1\ngeneration {generation}\n");
    let checksum = crc32fast::hash(body.as_bytes());
    format!("{body}crc-32 {checksum:08x}\n")
}

/// A number written with at least so many digits, and no other way.
pub(super) fn digits(name: &str, least: usize) -> Option<u64> {
    let number = name
        .bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| name.parse().ok())??;
    (format!("{number:0least$}") == name).then_some(number)
}
