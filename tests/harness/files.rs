//! The checkpoint directory of a program, to look at and to damage: `<program>.cccp/<generation>/<rank>.cccp`.

use std::path::{Path, PathBuf};

/// The directory.
pub struct Checkpoints {
    path: PathBuf,
}

impl Checkpoints {
    /// That of the program `name` which runs in `directory`.
    pub fn of(directory: &Path, name: &str) -> Checkpoints {
        Checkpoints {
            path: directory.join(format!("{name}.cccp")),
        }
    }

    /// At this path.
    pub fn at(path: PathBuf) -> Checkpoints {
        Checkpoints { path }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The generations that are there, in order.
    pub fn generations(&self) -> Vec<u64> {
        let Ok(entries) = std::fs::read_dir(&self.path) else {
            return Vec::new();
        };
        let mut numbers: Vec<u64> = entries
            .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
            .collect();
        numbers.sort_unstable();
        numbers
    }

    /// The newest generation, 0 when there is none.
    pub fn newest(&self) -> u64 {
        self.generations().last().copied().unwrap_or(0)
    }

    /// How many checkpoints all runs in this directory have published, as rank 0 has noted.
    pub fn taken(&self) -> u64 {
        let history = std::fs::read_to_string(self.path.join("history.jsonl")).unwrap_or_default();
        let events = history.lines();
        let taken = events.filter(|line| line.starts_with("{\"event\":\"checkpoint\""));
        taken.count() as u64
    }

    /// The file of a rank.
    pub fn file(&self, generation: u64, rank: usize) -> PathBuf {
        self.path
            .join(format!("{generation:010}"))
            .join(format!("{rank:06}.cccp"))
    }

    /// The generations in which this rank has a file under its final name.
    pub fn published(&self, rank: usize) -> Vec<u64> {
        self.generations()
            .into_iter()
            .filter(|&generation| self.file(generation, rank).exists())
            .collect()
    }

    /// Whether there is a generation of which each of so many ranks has its file.
    pub fn has_common(&self, ranks: usize) -> bool {
        let has = |generation: &u64| (0..ranks).all(|rank| self.file(*generation, rank).exists());
        self.generations().iter().any(has)
    }

    /// Changes one bit in the middle of a file.
    pub fn damage(&self, generation: u64, rank: usize) {
        let path = self.file(generation, rank);
        let mut bytes =
            std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0x10;
        std::fs::write(&path, bytes).expect("a damaged file");
    }

    /// Cuts a file to half of its length.
    pub fn truncate(&self, generation: u64, rank: usize) {
        let path = self.file(generation, rank);
        let bytes =
            std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        std::fs::write(&path, &bytes[..bytes.len() / 2]).expect("a short file");
    }

    /// Removes the file of a rank.
    pub fn remove(&self, generation: u64, rank: usize) {
        std::fs::remove_file(self.file(generation, rank)).expect("a file to remove");
    }

    /// Copies everything to the checkpoint directory of another program.
    pub fn copy_to(&self, other: &Checkpoints) {
        copy(&self.path, &other.path);
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a directory for the copy");
    for entry in std::fs::read_dir(from).expect("a directory to copy") {
        let entry = entry.expect("an entry to copy");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).expect("a copy");
        }
    }
}

/// The files with this ending that a program left, by name.
pub fn left(directory: &Path, ending: &str) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|end| end == ending) {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            found.push((name, std::fs::read(&path).unwrap()));
        }
    }
    found.sort();
    found
}
