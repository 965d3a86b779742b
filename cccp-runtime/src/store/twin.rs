//! A disk that crashes: the twin of the real one for tests.
//!
//! Contents become durable by `sync`, names by `sync_directory`. After a crash the disk holds what is durable
//! ([`Twin::after_crash`] with `lucky` false), or everything that was done (`lucky` true): real disks end up between.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, Weak};

use super::operations::{Hold, Locking, Output, Store};
use crate::format::Source;

type Content = Arc<Mutex<(Vec<u8>, Vec<u8>)>>;

#[derive(Default)]
struct Disk {
    names: BTreeMap<PathBuf, Content>,
    durable: BTreeMap<PathBuf, Content>,
    /// Locks, as long as somebody has them: a crash gives them all back.
    locks: BTreeMap<PathBuf, (Weak<()>, String)>,
    steps_left: Option<u64>,
    steps: u64,
}

#[derive(Clone, Default)]
pub(crate) struct Twin(Arc<Mutex<Disk>>);

fn no_entry() -> io::Error {
    io::ErrorKind::NotFound.into()
}

impl Twin {
    /// Crashes at the operation with this number, counted from now: it and all later ones fail.
    pub(crate) fn crash_after(&self, steps: u64) {
        self.0.lock().unwrap().steps_left = Some(steps);
    }

    /// How many operations have been done.
    pub(crate) fn steps(&self) -> u64 {
        self.0.lock().unwrap().steps
    }

    /// The disk as the next run finds it.
    pub(crate) fn after_crash(&self, lucky: bool) -> Twin {
        let disk = self.0.lock().unwrap();
        let names = if lucky { &disk.names } else { &disk.durable };
        let names: BTreeMap<PathBuf, Content> = names
            .iter()
            .map(|(path, content)| {
                let (volatile, durable) = &*content.lock().unwrap();
                let bytes = if lucky { volatile } else { durable };
                (
                    path.clone(),
                    Arc::new(Mutex::new((bytes.clone(), bytes.clone()))),
                )
            })
            .collect();
        Twin(Arc::new(Mutex::new(Disk {
            durable: names.clone(),
            names,
            ..Disk::default()
        })))
    }

    fn step<T>(&self, operation: impl FnOnce(&mut Disk) -> io::Result<T>) -> io::Result<T> {
        let mut disk = self.0.lock().unwrap();
        match &mut disk.steps_left {
            Some(0) => return Err(io::Error::other("the machine is down")),
            Some(left) => *left -= 1,
            None => {}
        }
        disk.steps += 1;
        operation(&mut disk)
    }
}

impl Store for Twin {
    fn make_directory(&self, _: &Path) -> io::Result<()> {
        self.step(|_| Ok(()))
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn Output>> {
        self.step(|disk| {
            let content = Content::default();
            disk.names.insert(path.to_path_buf(), content.clone());
            Ok(Box::new(Writing {
                twin: self.clone(),
                content,
            }) as Box<dyn Output>)
        })
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step(|disk| {
            let content = disk.names.remove(from).ok_or_else(no_entry)?;
            disk.names.insert(to.to_path_buf(), content);
            Ok(())
        })
    }

    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        self.step(|disk| {
            let inside = |name: &Path| name.parent() == Some(path);
            disk.durable.retain(|name, _| !inside(name));
            let now = disk.names.iter().filter(|(name, _)| inside(name));
            let now: Vec<_> = now
                .map(|(name, content)| (name.clone(), content.clone()))
                .collect();
            disk.durable.extend(now);
            Ok(())
        })
    }

    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        self.step(|disk| {
            let below = disk
                .names
                .keys()
                .filter_map(|name| name.strip_prefix(path).ok());
            let first =
                below.filter_map(|name| Some(name.iter().next()?.to_string_lossy().into_owned()));
            let mut names: Vec<String> = first.collect();
            names.dedup();
            Ok(names)
        })
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn Source>> {
        self.step(|disk| {
            let content = disk.names.get(path).ok_or_else(no_entry)?;
            Ok(Box::new(content.lock().unwrap().0.clone()) as Box<dyn Source>)
        })
    }

    fn read(&self, path: &Path) -> io::Result<String> {
        self.step(|disk| {
            let content = disk.names.get(path).ok_or_else(no_entry)?;
            Ok(String::from_utf8_lossy(&content.lock().unwrap().0).into_owned())
        })
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.step(|disk| disk.names.remove(path).map(|_| ()).ok_or_else(no_entry))
    }

    fn remove_directory(&self, _: &Path) -> io::Result<()> {
        self.step(|_| Ok(()))
    }

    /// The text of a lock's file means nothing after a crash, so there is no file.
    fn lock(&self, path: &Path, words: &str) -> io::Result<Locking> {
        self.step(|disk| {
            let held = disk.locks.get(path);
            if let Some((_, words)) = held.filter(|(hold, _)| hold.strong_count() > 0) {
                return Ok(Locking::Taken(words.clone()));
            }
            let hold = Arc::new(());
            let held = (Arc::downgrade(&hold), words.to_string());
            disk.locks.insert(path.to_path_buf(), held);
            Ok(Locking::Held(Box::new(Holding(hold))))
        })
    }

    fn free(&self, _: &Path) -> io::Result<u64> {
        self.step(|_| Ok(u64::MAX))
    }
}

struct Holding(Arc<()>);

impl Hold for Holding {
    fn is_ours(&self) -> bool {
        Arc::weak_count(&self.0) > 0
    }
}

struct Writing {
    twin: Twin,
    content: Content,
}

impl Write for Writing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.twin.step(|_| {
            self.content.lock().unwrap().0.extend_from_slice(bytes);
            Ok(bytes.len())
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Output for Writing {
    fn sync(&mut self) -> io::Result<()> {
        self.twin.step(|_| {
            let mut content = self.content.lock().unwrap();
            content.1 = content.0.clone();
            Ok(())
        })
    }
}
