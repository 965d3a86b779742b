//! The directory of a program's checkpoints: names, generations, completion, retention.
//!
//! Nothing is removed unless something newer is known to be complete (S19), and nothing that does not have one of our
//! names is touched.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::error::{StoreError, is_absent};
use super::lock::Lock;
use super::open::{head, open};
use super::operations::Store;
use super::publish::{Point, publish};
use crate::format::{File, FormatError, Head};

/// Where a program's checkpoints live.
pub struct Directory {
    store: Arc<dyn Store>,
    path: PathBuf,
    /// The directory's own name has been made durable.
    anchored: AtomicBool,
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
        }
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file of a rank in a generation, whether it exists or not.
    pub fn file(&self, generation: u64, rank: u32) -> PathBuf {
        self.generation(generation).join(format!("{rank:06}.cccp"))
    }

    fn generation(&self, generation: u64) -> PathBuf {
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
        let above = match self.path.parent() {
            Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
            Some(parent) => parent,
            None => &self.path,
        };
        let directories = [inner.as_path(), self.path.as_path(), above];
        let needed = if self.anchored.load(Ordering::Relaxed) {
            &directories[..2]
        } else {
            &directories[..]
        };
        let length = publish(
            &*self.store,
            &self.file(generation, rank),
            needed,
            reach,
            write,
        )
        .inspect_err(|_| {
            // Succeeds only when nothing is in it.
            let _ = self.store.remove_directory(&inner);
        })?;
        self.anchored.store(true, Ordering::Relaxed);
        Ok(length)
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

    /// Whether every rank of a job of this size has a file in a generation.
    pub fn is_complete(&self, generation: u64, size: u32) -> Result<bool, StoreError> {
        let ranks = self.ranks(generation)?;
        Ok(ranks.range(..size).count() == size as usize)
    }

    /// Opens and verifies a file.
    pub fn open(&self, generation: u64, rank: u32) -> Result<File, StoreError> {
        open(&*self.store, &self.file(generation, rank))
    }

    /// Reads the header of a file and nothing else.
    pub fn head(&self, generation: u64, rank: u32) -> Result<Head, StoreError> {
        head(&*self.store, &self.file(generation, rank))
    }

    /// Marks the run of a rank complete; `generation` is its last one (0 when there was none).
    pub fn mark_complete(&self, rank: u32, generation: u64) -> Result<(), StoreError> {
        let path = self.mark(rank);
        let text = mark_text(generation);
        publish(&*self.store, &path, &[&self.path], &mut |_| {}, |out| {
            out.write_all(text.as_bytes())
                .map(|()| text.len() as u64)
                .map_err(|error| FormatError::Storage {
                    offset: 0,
                    reason: error.to_string(),
                })
        })?;
        Ok(())
    }

    /// The last generation of the completed run of a rank; none when no run was completed. A mark that cannot be
    /// understood is an error: nobody knows then which generations belong to a completed run.
    pub fn completed(&self, rank: u32) -> Result<Option<u64>, StoreError> {
        let path = self.mark(rank);
        let text = match self.store.read(&path) {
            Ok(text) => text,
            Err(error) if is_absent(&error) => return Ok(None),
            Err(error) => return Err(StoreError::system(&path, error)),
        };
        let generation = text
            .lines()
            .nth(1)
            .and_then(|line| line.strip_prefix("generation ")?.parse().ok());
        match generation {
            Some(generation) if mark_text(generation) == text => Ok(Some(generation)),
            _ => {
                let reason =
                    "no mark of a completed run; remove it to go on from the last checkpoint"
                        .to_string();
                Err(StoreError::contents(
                    &path,
                    FormatError::Damaged { offset: 0, reason },
                ))
            }
        }
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

    /// Bytes that could still be written.
    pub fn free(&self) -> Result<u64, StoreError> {
        let free = self.store.free(&self.path);
        free.map_err(|error| StoreError::system(&self.path, error))
    }

    /// Removes what `rank` no longer needs: its files older than the `keep` newest generations (at least one) that
    /// are complete for a job of this `size`. Gives the number of files removed.
    pub fn retain(&self, rank: u32, size: u32, keep: u32) -> Result<u64, StoreError> {
        let (mut complete, mut old) = (Vec::new(), Vec::new());
        for generation in self.generations()? {
            if complete.len() < keep.max(1) as usize {
                if self.is_complete(generation, size)? {
                    complete.push(generation);
                }
            } else {
                old.push(generation);
            }
        }
        if old.is_empty() {
            return Ok(0);
        }
        // The other ranks' files are visible; they also have to be there after a power failure.
        let kept = complete
            .iter()
            .map(|generation| self.generation(*generation));
        for place in kept.chain([self.path.clone()]) {
            self.store
                .sync_directory(&place)
                .map_err(|error| StoreError::system(&place, error))?;
        }
        let (mut removed, mut failure) = (0, None);
        for generation in old {
            let path = self.file(generation, rank);
            match self.store.remove(&path) {
                Ok(()) => removed += 1,
                Err(error) if is_absent(&error) => {}
                // One that cannot be removed does not hold back the others.
                Err(error) => failure = Some(StoreError::system(&path, error)),
            }
            // The last rank to leave succeeds.
            let _ = self.store.remove_directory(&self.generation(generation));
        }
        failure.map_or(Ok(removed), Err)
    }

    /// Removes the unfinished files that dead runs of `rank` left. Only while no other run uses the directory.
    pub fn clean(&self, rank: u32) -> Result<u64, StoreError> {
        let mut removed = 0;
        let own = [format!("{rank:06}.cccp."), format!("complete.{rank:06}.")];
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
    fn names(&self, path: &Path) -> Result<Vec<String>, StoreError> {
        match self.store.list(path) {
            Err(error) if is_absent(&error) => Ok(Vec::new()),
            other => other.map_err(|error| StoreError::system(path, error)),
        }
    }
}

/// The text of a completion mark.
fn mark_text(generation: u64) -> String {
    let body = format!("cccp complete 1\ngeneration {generation}\n");
    let checksum = crc32fast::hash(body.as_bytes());
    format!("{body}crc-32 {checksum:08x}\n")
}

/// A number written with at least so many digits, and no other way.
fn digits(name: &str, least: usize) -> Option<u64> {
    let number = name
        .bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| name.parse().ok())??;
    (format!("{number:0least$}") == name).then_some(number)
}
