//! A directory of its own for one test, removed at the end unless the test failed.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The directory.
pub struct Workplace {
    path: PathBuf,
}

impl Workplace {
    /// A new empty directory whose name begins with `name`, in memory where the system offers that.
    pub fn new(name: &str) -> Workplace {
        let memory = Path::new("/dev/shm");
        match memory.is_dir() {
            true => Workplace::below(memory, &format!("cccp-{name}")),
            false => Workplace::on_disk(name),
        }
    }

    /// The same on a disk, for tests that are about disks: to wait for one takes most of the time of a run.
    pub fn on_disk(name: &str) -> Workplace {
        Workplace::below(Path::new(env!("CARGO_TARGET_TMPDIR")), name)
    }

    fn below(folder: &Path, name: &str) -> Workplace {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!("{name}-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a directory for the test");
        Workplace { path }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A file or directory in it.
    pub fn join(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// A new directory in it.
    pub fn directory(&self, name: &str) -> PathBuf {
        let path = self.join(name);
        std::fs::create_dir_all(&path).expect("a directory in the test's directory");
        path
    }

    /// Writes a file in it.
    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.join(name);
        std::fs::write(&path, text).expect("a file in the test's directory");
        path
    }
}

impl Drop for Workplace {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("what the failed test left is in {}", self.path.display());
        } else {
            // A directory that stays behind does no harm.
            let _ = std::fs::remove_dir_all(&self.path);
        }
    }
}
