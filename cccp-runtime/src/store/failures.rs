//! The disk says no: every operation is refused in turn, and nothing that was there is lost.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use super::*;
use crate::format::{FormatError, Source};

/// A directory of its own for each test, gone at the end.
struct Place(PathBuf);

impl Place {
    fn new() -> Place {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path =
            std::env::temp_dir().join(format!("cccp-failures-{}-{number}", std::process::id()));
        fs::create_dir(&path).unwrap();
        Place(path)
    }

    fn path(&self) -> PathBuf {
        self.0.join("a/b/checkpoints")
    }

    fn directory(&self) -> Directory {
        Directory::new(Arc::new(FileSystem), self.path())
    }

    fn on(&self, disk: &Faulty) -> Directory {
        Directory::new(Arc::new(disk.clone()), self.path())
    }

    /// Generations that hold a file of this rank, newest first.
    fn left(&self, rank: u32) -> Vec<u64> {
        let directory = self.directory();
        let mut all = directory.generations().unwrap();
        all.retain(|&generation| directory.ranks(generation).unwrap().contains(&rank));
        all
    }

    fn unfinished(&self) -> bool {
        fn below(path: &Path) -> bool {
            let mut entries = fs::read_dir(path).into_iter().flatten().flatten();
            entries.any(|entry| {
                entry.path().extension() == Some("tmp".as_ref()) || below(&entry.path())
            })
        }
        below(&self.0)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The real disk, except for what the fields say. Keeps a list of all operations.
#[derive(Clone, Default)]
struct Faulty {
    /// The operation with this number, from 0, is refused.
    fails: Option<usize>,
    /// Why; EIO when nothing is said.
    reason: Option<i32>,
    /// A write takes no more bytes than these.
    at_once: Option<usize>,
    /// Nothing can be written.
    full: bool,
    operations: Arc<Mutex<Vec<String>>>,
}

impl Faulty {
    fn failing(fails: usize) -> Faulty {
        Faulty {
            fails: Some(fails),
            ..Faulty::default()
        }
    }

    fn step(&self, operation: &str, path: &Path) -> io::Result<()> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let mut operations = self.operations.lock().unwrap();
        operations.push(format!("{operation} {name}"));
        if self.fails == Some(operations.len() - 1) {
            let reason = self.reason.unwrap_or(libc::EIO);
            return Err(io::Error::from_raw_os_error(reason));
        }
        Ok(())
    }

    /// Whether this operation was asked for and not refused.
    fn done(&self, operation: &str) -> bool {
        let operations = self.operations.lock().unwrap();
        let found = operations.iter().position(|one| one == operation);
        found.is_some_and(|found| self.fails != Some(found))
    }

    /// The operation that was refused; none when there were fewer.
    fn refused(&self) -> Option<String> {
        self.operations.lock().unwrap().get(self.fails?).cloned()
    }
}

struct FaultyOutput(Faulty, Box<dyn Output>);

impl Write for FaultyOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.full {
            return Err(io::Error::from_raw_os_error(libc::ENOSPC));
        }
        self.0.step("write", Path::new(""))?;
        let most = self.0.at_once.unwrap_or(usize::MAX);
        self.1.write(&bytes[..bytes.len().min(most)])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.1.flush()
    }
}

impl Output for FaultyOutput {
    fn sync(&mut self) -> io::Result<()> {
        self.0.step("sync", Path::new(""))?;
        self.1.sync()
    }
}

impl Store for Faulty {
    fn make_directory(&self, path: &Path) -> io::Result<()> {
        self.step("make_directory", path)?;
        FileSystem.make_directory(path)
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn Output>> {
        self.step("create", path)?;
        let output = FileSystem.create(path)?;
        Ok(Box::new(FaultyOutput(self.clone(), output)))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step("rename", to)?;
        FileSystem.rename(from, to)
    }

    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        self.step("sync_directory", path)?;
        FileSystem.sync_directory(path)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        self.step("list", path)?;
        FileSystem.list(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn Source>> {
        self.step("open", path)?;
        FileSystem.open(path)
    }

    fn read(&self, path: &Path) -> io::Result<String> {
        self.step("read", path)?;
        FileSystem.read(path)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.step("remove", path)?;
        FileSystem.remove(path)
    }

    fn remove_directory(&self, path: &Path) -> io::Result<()> {
        self.step("remove_directory", path)?;
        FileSystem.remove_directory(path)
    }

    fn lock(&self, path: &Path, words: &str) -> io::Result<Locking> {
        self.step("lock", path)?;
        FileSystem.lock(path, words)
    }

    fn free(&self, path: &Path) -> io::Result<u64> {
        self.step("free", path)?;
        FileSystem.free(path)
    }
}

fn put(out: &mut dyn Write, bytes: &[u8]) -> Result<u64, FormatError> {
    match out.write_all(bytes) {
        Ok(()) => Ok(bytes.len() as u64),
        Err(error) => Err(FormatError::Storage {
            offset: 0,
            reason: error.to_string(),
        }),
    }
}

fn save(directory: &Directory, generation: u64, rank: u32) -> Result<u64, StoreError> {
    directory.publish(generation, rank, &mut |_| {}, |out| put(out, b"0123456789"))
}

fn bytes(directory: &Directory, generation: u64, rank: u32) -> Vec<u8> {
    fs::read(directory.file(generation, rank)).unwrap()
}

#[test]
fn s25_whichever_operation_fails_the_old_checkpoint_stays_and_the_next_one_works() {
    for (reason, words) in [
        (libc::EIO, "Input/output error"),
        (libc::EDQUOT, "quota exceeded"),
        (libc::EROFS, "Read-only file system"),
        (libc::ESTALE, "Stale file handle"),
    ] {
        each_operation_fails(reason, words);
    }
}

fn each_operation_fails(reason: i32, words: &str) {
    let mut failures = 0;
    for fails in 0.. {
        let place = Place::new();
        save(&place.directory(), 1, 0).unwrap();
        let disk = Faulty {
            reason: Some(reason),
            ..Faulty::failing(fails)
        };
        let directory = place.on(&disk);
        let result = save(&directory, 2, 0);
        let Some(refused) = disk.refused() else {
            assert_eq!(result.unwrap(), 10, "nothing failed");
            break;
        };
        if disk.done("sync_directory b") {
            // Far above our own directory: not made by this run, and not counted.
            assert_eq!(result.unwrap(), 10, "{refused}");
            continue;
        }
        failures += 1;
        let error = result.expect_err(&refused).to_string();
        assert!(error.contains(words), "{error}");
        assert!(error.contains("/a/b"), "{error}");
        assert!(!error.contains(".tmp"), "{error}");
        assert!(place.left(0).contains(&1), "{refused}");
        assert_eq!(bytes(&directory, 1, 0), b"0123456789");
        // Renamed, but perhaps not durable: whole all the same.
        let renamed = disk.done("rename 000000.cccp");
        assert_eq!(place.left(0).contains(&2), renamed, "{refused}");
        assert_eq!(directory.generations().unwrap().contains(&2), renamed);
        assert!(!place.unfinished(), "{refused}");
        save(&directory, 3, 0).unwrap();
        assert_eq!(place.left(0)[0], 3);
    }
    assert!(failures >= 9, "only {failures} operations");
}

#[test]
fn s24_the_file_is_durable_before_its_name_and_its_name_before_it_counts() {
    let place = Place::new();
    let disk = Faulty::default();
    save(&place.on(&disk), 1, 0).unwrap();
    let operations = disk.operations.lock().unwrap().clone();
    let at = |what: &str| {
        let found = operations.iter().rposition(|operation| operation == what);
        found.unwrap_or_else(|| panic!("no {what} in {operations:?}"))
    };
    let order = [
        at("make_directory 0000000001"),
        at("write "),
        at("sync "),
        at("rename 000000.cccp"),
        at("sync_directory 0000000001"),
        at("sync_directory checkpoints"),
    ];
    assert!(order.is_sorted(), "{operations:?}");
}

#[test]
fn s24_at_each_point_the_file_is_where_it_should_be() {
    let place = Place::new();
    let directory = place.directory();
    let last = directory.file(1, 0);
    let folder = last.parent().unwrap().to_owned();
    let mut seen = Vec::new();
    directory
        .publish(
            1,
            0,
            &mut |point| {
                let entry = fs::read_dir(&folder).unwrap().next().unwrap().unwrap();
                seen.push((point, entry.path() == last, entry.metadata().unwrap().len()));
            },
            |out| put(out, b"0123456789"),
        )
        .unwrap();
    assert_eq!(
        seen,
        [
            (Point::Writing, false, 5),
            (Point::Written, false, 10),
            (Point::Publishing, true, 10),
            (Point::Published, true, 10)
        ]
    );
}

#[test]
fn s24_publishing_again_replaces_the_whole_file() {
    let place = Place::new();
    let directory = place.directory();
    let write =
        |text: &'static [u8]| directory.publish(1, 0, &mut |_| {}, move |out| put(out, text));
    write(b"a long one").unwrap();
    write(b"short").unwrap();
    assert_eq!(bytes(&directory, 1, 0), b"short");
}

#[test]
fn s25_a_full_disk_leaves_nothing_behind_and_says_so() {
    let place = Place::new();
    let disk = Faulty {
        full: true,
        ..Faulty::default()
    };
    let error = save(&place.on(&disk), 1, 0).unwrap_err().to_string();
    assert!(error.contains("No space left on device"), "{error}");
    assert!(!place.path().join("0000000001").exists());
}

#[test]
fn s25_a_short_write_is_completed_or_refused() {
    let place = Place::new();
    for (at_once, expected) in [(3, true), (0, false)] {
        let disk = Faulty {
            at_once: Some(at_once),
            ..Faulty::default()
        };
        let directory = place.on(&disk);
        assert_eq!(save(&directory, 1, 0).is_ok(), expected);
        assert_eq!(bytes(&directory, 1, 0), b"0123456789");
    }
}

#[test]
fn s25_a_vanished_directory_is_made_again() {
    let place = Place::new();
    let directory = place.directory();
    save(&directory, 1, 0).unwrap();
    fs::remove_dir_all(place.path().parent().unwrap()).unwrap();
    assert!(directory.generations().unwrap().is_empty());
    save(&directory, 2, 0).unwrap();
    assert_eq!(place.left(0), [2]);
    directory.mark_complete(0, 2).unwrap();
    assert_eq!(directory.completed(0).unwrap(), Some(2));
}

#[test]
fn s25_a_file_in_the_place_of_the_directory_is_an_error_of_the_checkpoint_only() {
    let place = Place::new();
    fs::write(place.0.join("in-the-way"), "").unwrap();
    let directory = Directory::new(Arc::new(FileSystem), place.0.join("in-the-way"));
    assert!(directory.generations().unwrap().is_empty());
    assert_eq!(directory.completed(0).unwrap(), None);
    assert_eq!(directory.clean(0).unwrap(), 0);
    assert_eq!(directory.retain(0, 1, 1).unwrap(), 0);
    let error = save(&directory, 1, 0).unwrap_err().to_string();
    assert!(error.contains("in-the-way"), "{error}");
    assert!(error.contains("Not a directory"), "{error}");
}

#[test]
fn s24_only_names_that_we_give_count() {
    let place = Place::new();
    for name in [
        "0000000003/000000.cccp",
        "0000000004/000000.cccp.1.tmp",
        "0000000005/0.cccp",
        "0000000006/+00000.cccp",
        "7/000000.cccp",
        "00000000008/000000.cccp",
        "notes/000000.cccp",
        "12345678901/000000.cccp",
    ] {
        let path = place.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }
    fs::write(place.path().join("0000000009"), "a file").unwrap();
    assert_eq!(place.left(0), [12_345_678_901, 3]);
}

#[test]
fn s19_nothing_is_removed_when_the_newer_names_cannot_be_made_durable() {
    for fails in 0.. {
        let place = Place::new();
        for generation in 1..=3 {
            save(&place.directory(), generation, 0).unwrap();
        }
        let disk = Faulty::failing(fails);
        let result = place.on(&disk).retain(0, 1, 2);
        let Some(refused) = disk.refused() else {
            break;
        };
        // A directory that stays behind empty is no error: other ranks meet that all the time.
        let removed = refused.starts_with("remove_directory");
        assert_eq!(result.is_ok(), removed, "{refused}");
        let expected: &[u64] = if removed { &[3, 2] } else { &[3, 2, 1] };
        assert_eq!(place.left(0), expected, "{refused}");
    }
}

#[test]
fn s19_what_is_not_ours_is_left_alone() {
    let place = Place::new();
    let directory = place.directory();
    for generation in 1..=2 {
        save(&directory, generation, 0).unwrap();
    }
    let foreign = [
        "0000000001/notes",
        "0000000001/000007.cccp.1.tmp",
        "readme",
        "complete.000007.1.tmp",
    ];
    for name in foreign {
        fs::write(place.path().join(name), "").unwrap();
    }
    fs::create_dir(place.path().join("0000000000")).unwrap();
    directory.clean(0).unwrap();
    assert_eq!(directory.retain(0, 1, 1).unwrap(), 1);
    for name in foreign {
        assert!(place.path().join(name).exists(), "{name}");
    }
    assert!(!place.path().join("0000000000").exists(), "empty and old");
}

#[test]
fn s06_a_mark_is_the_old_one_or_the_new_one_whichever_operation_fails() {
    for fails in 0.. {
        let place = Place::new();
        place.directory().mark_complete(0, 1).unwrap();
        let disk = Faulty::failing(fails);
        let result = place.on(&disk).mark_complete(0, 2);
        if disk.refused().is_none() {
            result.unwrap();
            break;
        }
        assert_eq!(result.is_ok(), disk.done("sync_directory b"));
        let kept = place.directory().completed(0).unwrap();
        assert!(kept == Some(1) || kept == Some(2), "{kept:?}");
        assert!(!place.unfinished());
    }
}

#[test]
fn s24_ranks_that_publish_and_clear_away_at_once_do_not_hurt_each_other() {
    let place = Place::new();
    std::thread::scope(|scope| {
        for rank in 0..4 {
            let directory = place.directory();
            scope.spawn(move || {
                for generation in 1..=30 {
                    save(&directory, generation, rank).unwrap();
                    directory.retain(rank, 4, 2).unwrap();
                    assert_eq!(bytes(&directory, generation, rank), b"0123456789");
                }
            });
        }
    });
    let directory = place.directory();
    assert!(directory.is_complete(30, 4).unwrap());
    assert!(directory.is_complete(29, 4).unwrap());
}
