//! Who has a directory, on the real disk and on its twin.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use crate::store::twin::Twin;
use crate::store::*;

/// Tells the test's own program that it is the second process.
const HOLD: &str = "CCCP_TEST_HOLD";

/// A directory of its own for each test, gone at the end.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let path = std::env::temp_dir().join(format!("cccp-{name}-{}", std::process::id()));
        fs::create_dir(&path).unwrap();
        Place(path)
    }

    fn directory(&self) -> Directory {
        Directory::new(Arc::new(FileSystem), self.0.join("a/checkpoints"))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The second process: takes the lock of rank 0 and has it until its standard input ends.
#[test]
fn the_second_process() {
    let Some(path) = std::env::var_os(HOLD) else {
        return;
    };
    let directory = Directory::new(Arc::new(FileSystem), path);
    let lock = directory.lock(0);
    lock.take(Duration::ZERO).unwrap();
    io::stdout().write_all(b"\nholding\n").unwrap();
    let _ = io::stdin().read(&mut [0]);
}

/// A second process that has the lock of rank 0.
fn second(directory: &Directory) -> Child {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "store::lock::tests::the_second_process"])
        .args(["--nocapture", "--test-threads=1"])
        .env(HOLD, directory.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = String::new();
    let output = child.stdout.as_mut().unwrap();
    while !said.contains("holding") {
        let mut byte = [0];
        assert_eq!(output.read(&mut byte).unwrap(), 1, "{said}");
        said.push(char::from(byte[0]));
    }
    child
}

fn taken(lock: &Lock) -> Holder {
    match lock.take(Duration::ZERO) {
        Err(Refusal::Taken(holder)) => holder,
        other => panic!("not taken: {other:?}"),
    }
}

#[test]
fn s25_a_second_run_is_told_who_holds_the_directory() {
    let place = Place::new("told");
    let directory = place.directory();
    let mut other = second(&directory);
    let lock = directory.lock(0);
    let holder = taken(&lock);
    assert_eq!(holder.process, Some(other.id()));
    assert!(holder.command.as_ref().unwrap().contains("--exact"));
    let told = Refusal::Taken(holder).to_string();
    let path = directory.path().display().to_string();
    for word in [&path, &other.id().to_string(), "since 20", "UTC", "--exact"] {
        assert!(told.contains(word), "{word} is not in {told}");
    }
    // The ranks of one job do not meet.
    directory.lock(1).take(Duration::ZERO).unwrap();
    other.kill().unwrap();
    other.wait().unwrap();
    lock.take(Duration::ZERO).unwrap();
}

#[test]
fn s25_a_predecessor_that_is_about_to_end_is_waited_for_and_told_of() {
    let place = Place::new("waited");
    let directory = place.directory();
    let mut other = second(&directory);
    let lock = directory.lock(0);
    let process = format!("in use by process {}", other.id());
    let mut told = Vec::new();
    let waited = lock.wait(Duration::from_secs(60), &mut |refusal| {
        told.push(refusal.to_string());
        // It ends when its input does.
        drop(other.stdin.take());
    });
    waited.unwrap();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains(&process), "{told:?}");
    other.wait().unwrap();
}

#[test]
fn s25_a_lock_whose_directory_was_removed_is_taken_again() {
    let place = Place::new("removed");
    let directory = place.directory();
    let lock = directory.lock(0);
    lock.take(Duration::ZERO).unwrap();
    fs::remove_dir_all(directory.path()).unwrap();
    lock.keep().unwrap();
    assert!(directory.path().join("lock.000000").exists());
    let away = place.0.join("away");
    fs::rename(directory.path(), &away).unwrap();
    fs::write(directory.path(), "").unwrap();
    assert!(matches!(lock.keep(), Err(Refusal::Unwritable(_))));
    fs::remove_file(directory.path()).unwrap();
    fs::rename(&away, directory.path()).unwrap();
    lock.keep().unwrap();
}

#[test]
fn s25_files_of_two_runs_are_never_mixed() {
    let place = Place::new("mixed");
    let directory = place.directory();
    let lock = directory.lock(0);
    lock.take(Duration::ZERO).unwrap();
    fs::remove_dir_all(directory.path()).unwrap();
    // Another run comes, and goes.
    let mut other = second(&directory);
    match lock.keep() {
        Err(Refusal::Taken(holder)) => assert_eq!(holder.process, Some(other.id())),
        kept => panic!("{kept:?}"),
    }
    other.kill().unwrap();
    other.wait().unwrap();
    for _ in 0..2 {
        match lock.keep() {
            Err(Refusal::Lost(holder)) => assert_eq!(holder.process, Some(other.id())),
            kept => panic!("{kept:?}"),
        }
    }
    // Whoever starts now is a run of its own.
    directory.lock(0).take(Duration::ZERO).unwrap();
}

#[test]
fn s25_a_run_that_could_not_write_at_first_meets_a_run_that_could() {
    let place = Place::new("met");
    fs::write(place.0.join("a"), "in the way").unwrap();
    let directory = place.directory();
    let lock = directory.lock(0);
    assert!(matches!(
        lock.take(Duration::ZERO),
        Err(Refusal::Unwritable(_))
    ));
    fs::remove_file(place.0.join("a")).unwrap();
    let mut other = second(&directory);
    other.kill().unwrap();
    other.wait().unwrap();
    assert!(matches!(lock.keep(), Err(Refusal::Lost(_))));
}

#[test]
fn s25_a_process_meets_its_own_lock_too() {
    let place = Place::new("own");
    let directory = place.directory();
    let lock = directory.lock(0);
    lock.take(Duration::ZERO).unwrap();
    lock.take(Duration::ZERO).unwrap();
    assert_eq!(taken(&directory.lock(0)).process, Some(std::process::id()));
    drop(lock);
    directory.lock(0).take(Duration::ZERO).unwrap();
}

#[test]
fn s25_a_place_where_nothing_can_be_written_is_no_other_run() {
    let place = Place::new("unwritable");
    fs::write(place.0.join("in-the-way"), "").unwrap();
    let directory = Directory::new(Arc::new(FileSystem), place.0.join("in-the-way"));
    let lock = directory.lock(0);
    for _ in 0..2 {
        match lock.take(Duration::ZERO) {
            Err(Refusal::Unwritable(error)) => {
                assert!(error.to_string().contains("in-the-way"), "{error}");
            }
            other => panic!("{other:?}"),
        }
    }
}

/// Storage without locks: everything else is the twin's.
struct Lockless(Twin);

impl Store for Lockless {
    fn make_directory(&self, path: &Path) -> io::Result<()> {
        self.0.make_directory(path)
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn Output>> {
        self.0.create(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.0.rename(from, to)
    }

    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        self.0.sync_directory(path)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        self.0.list(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn crate::format::Source>> {
        self.0.open(path)
    }

    fn read(&self, path: &Path) -> io::Result<String> {
        self.0.read(path)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.0.remove(path)
    }

    fn remove_directory(&self, path: &Path) -> io::Result<()> {
        self.0.remove_directory(path)
    }

    fn lock(&self, _: &Path, _: &str) -> io::Result<Locking> {
        Ok(Locking::Unknown(io::Error::from_raw_os_error(libc::ENOLCK)))
    }

    fn free(&self, path: &Path) -> io::Result<u64> {
        self.0.free(path)
    }
}

#[test]
fn s25_storage_without_locks_is_told_once() {
    let directory = Directory::new(Arc::new(Lockless(Twin::default())), "/d");
    let lock = directory.lock(0);
    match lock.take(Duration::ZERO) {
        Err(Refusal::Unknown(error)) => {
            assert!(error.to_string().contains("No locks available"), "{error}");
        }
        other => panic!("{other:?}"),
    }
    lock.take(Duration::ZERO).unwrap();
}

#[test]
fn s25_the_twin_of_the_disk_has_locks_too_and_a_crash_gives_them_back() {
    let disk = Twin::default();
    let directory = Directory::new(Arc::new(disk.clone()), "/d");
    let lock = directory.lock(3);
    lock.take(Duration::ZERO).unwrap();
    assert_eq!(taken(&directory.lock(3)).process, Some(std::process::id()));
    directory.lock(2).take(Duration::ZERO).unwrap();
    let after = Directory::new(Arc::new(disk.killed_at(disk.steps())), "/d");
    after.lock(3).take(Duration::ZERO).unwrap();
    drop(lock);
    directory.lock(3).take(Duration::ZERO).unwrap();
}
