//! What the program has done to files since a checkpoint, so that a restart from there can undo it.
//!
//! In: each file that the program opens for writing, makes, renames or removes. Out: a text beside the generations,
//! `files.<rank>.<generation>`, with one line per change, in the page cache before the program goes on. A restart plays
//! the lines of all generations from its own on forward and knows then what came later: files that were made are removed,
//! those that grew are cut off, those that were renamed get their names back (`undo`). What cannot be undone is *lost*: a file that was
//! there, was emptied, replaced or removed, and is in no copy (`aside`). Usually it is written anew; reading it before is reported.
//!
//! What is to be overwritten where it lies is copied before: a file that is opened again to change it, and one that is open at
//! a checkpoint and may be read and written.
//!
//! A file that was closed before the checkpoint and is not touched after it needs no line, so there is one line per file
//! and checkpoint at most; a long text is written anew, shorter. Only what this run has done is undone: a file that is
//! another one by now (device and number) stays as it is.
//!
//! Not here: lengths that several ranks have to agree on (`session`).

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use super::aside::{aside_name, copy};
use super::directory::digits;
use super::tree::NameChange;
use super::undo::{Undo, known_file};

/// Device and number of a file.
pub type Which = (u64, u64);

/// A change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// It was not there.
    Made(PathBuf, Which),
    /// It is written to, and had so many bytes.
    Long(PathBuf, Which, u64),
    /// It had so many bytes at the checkpoint, where several ranks may write to it: what it has when this rank opens it
    /// next may be another one's. What this rank had written ended at the second number of bytes at most.
    Seen(PathBuf, Which, u64, u64),
    /// It has this name, had the second one at the checkpoint, and so many bytes.
    Was(PathBuf, PathBuf, Which, u64),
    /// It had bytes, and was emptied.
    Emptied(PathBuf),
    /// It had so many bytes; a file that had the new name is gone.
    Renamed {
        /// Its name before.
        from: PathBuf,
        /// Its name now.
        to: PathBuf,
        /// Which file it is.
        which: Which,
        /// How long it was.
        length: u64,
        /// Another file had the new name.
        replaced: bool,
    },
    /// It is gone.
    Removed(PathBuf),
    /// It will be gone, empty or changed: its contents are in a copy of this name beside the generations.
    Aside(PathBuf, PathBuf),
    /// What was done to a name that is no file's.
    Name(NameChange),
}

/// The text of one generation, while it grows.
pub struct Journal {
    directory: PathBuf,
    rank: u32,
    base: PathBuf,
    generation: u64,
    file: Option<File>,
    bytes: u64,
    /// A text of more bytes is written anew when that makes it much shorter.
    long: u64,
    undo: Undo,
    failed: bool,
    /// The last copy of each file that is open to be changed.
    copies: BTreeMap<PathBuf, PathBuf>,
}

/// So many bytes are never too long.
const LONG: u64 = 1 << 18;

impl Journal {
    /// For a run that begins. `base` is the directory in which the program is.
    pub fn new(directory: &Path, rank: u32, base: &Path) -> Journal {
        Journal {
            directory: directory.to_path_buf(),
            rank,
            base: base.to_path_buf(),
            generation: 0,
            file: None,
            bytes: 0,
            long: LONG,
            undo: Undo::default(),
            failed: false,
            copies: BTreeMap::new(),
        }
    }

    fn path(&self, generation: u64) -> PathBuf {
        self.directory.join(file_name(self.rank, generation))
    }

    /// What comes now comes after this generation; 0 is none. Gives the files that were written since the one before.
    pub fn begin(&mut self, generation: u64) -> Vec<PathBuf> {
        self.generation = generation;
        (self.file, self.bytes, self.long) = (None, 0, LONG);
        std::mem::take(&mut self.undo).written()
    }

    /// Copies a file that is about to be gone, empty or changed, unless it is new or was copied before. `again`: it is open to be changed
    /// at a checkpoint, where most are what they were at the last one.
    pub fn set_aside(&mut self, path: &Path, again: bool) -> io::Result<()> {
        if self.generation == 0 || self.undo.without_copy(path).is_none() {
            return Ok(());
        }
        let name = aside_name(self.rank, self.generation, self.undo.copies());
        let place = self.directory.join(&name);
        let last = self.copies.get(path).filter(|_| again);
        copy(path, &place, last.map(PathBuf::as_path))?;
        // What was added since the checkpoint was not there.
        if let Some(length) = self.undo.length(path).filter(|_| !again)
            && place.metadata()?.len() > length
        {
            OpenOptions::new()
                .write(true)
                .open(&place)?
                .set_len(length)?;
        }
        if again {
            self.copies.insert(path.to_path_buf(), place);
        }
        let change = Change::Aside(path.to_path_buf(), PathBuf::from(name));
        self.note(&change).map_err(io::Error::other)
    }

    /// Gives a file that is about to be gone another name beside the generations, when it is as it was at the checkpoint. The caller knows
    /// that nobody changes it from now on. False when a copy has to be made.
    pub fn rename_aside(&mut self, path: &Path) -> Result<bool, String> {
        if self.generation == 0 || self.undo.without_copy(path).is_none() {
            return Ok(true);
        }
        let grown = |length| std::fs::metadata(path).is_ok_and(|known| known.len() != length);
        if self.undo.length(path).is_some_and(grown) {
            return Ok(false);
        }
        let name = aside_name(self.rank, self.generation, self.undo.copies());
        let place = self.directory.join(&name);
        let _ = std::fs::remove_file(&place);
        if std::fs::hard_link(path, &place).is_err() {
            return Ok(false);
        }
        let change = Change::Aside(path.to_path_buf(), PathBuf::from(name));
        self.note(&change).map(|()| true)
    }

    /// A file is about to be changed that has another name here, because it did not go after all: its contents are copied.
    pub fn unshare(&mut self, path: &Path) -> io::Result<()> {
        let Some(copied) = self.undo.copy_of(path) else {
            return Ok(());
        };
        let place = self.directory.join(copied);
        match (known_file(path), known_file(&place)) {
            (Some(own), Some(other)) if own == other => copy(path, &place, None),
            _ => Ok(()),
        }
    }

    /// Whether it is known that a file was there at the checkpoint.
    pub fn was_there(&self, path: &Path) -> bool {
        self.undo.length(path).is_some()
    }

    /// Notes a change that the program has just made. The reason when that fails for the first time.
    pub fn note(&mut self, change: &Change) -> Result<(), String> {
        if !self.undo.apply(change) || self.generation == 0 {
            return Ok(());
        }
        let written = match self.bytes > self.long {
            true => self.anew(),
            false => self.write(std::slice::from_ref(change)),
        };
        match written {
            Err(error) if !self.failed => {
                self.failed = true;
                Err(format!(
                    "warning: {} cannot be written ({error}): what is written to files from now on is not undone by a restart",
                    self.path(self.generation).display()
                ))
            }
            _ => Ok(()),
        }
    }

    fn write(&mut self, changes: &[Change]) -> io::Result<()> {
        let mut text = Vec::new();
        if self.file.is_none() {
            let path = self.path(self.generation);
            let file = OpenOptions::new().create(true).append(true).open(path)?;
            let far = rustix::io::fcntl_dupfd_cloexec(file.as_fd(), super::early::FAR);
            self.file = Some(far.map_or(file, File::from));
            line(&mut text, &[b"at", self.base.as_os_str().as_bytes()]);
        }
        for change in changes {
            self.text(change, &mut text);
        }
        self.bytes += text.len() as u64;
        match &mut self.file {
            Some(file) => file.write_all(&text),
            None => Ok(()),
        }
    }

    /// Writes a long text anew, when it becomes shorter.
    fn anew(&mut self) -> io::Result<()> {
        let path = self.path(self.generation);
        let shorter = path.with_extension("shorter");
        let _ = std::fs::remove_file(&shorter);
        let (own, generation) = (self.undo.changes(), self.generation);
        let mut other = Journal::new(&self.directory, self.rank, &self.base);
        other.generation = generation;
        other.file = Some(
            OpenOptions::new()
                .create(true)
                .append(true)
                .open(&shorter)?,
        );
        let mut head = Vec::new();
        line(&mut head, &[b"at", self.base.as_os_str().as_bytes()]);
        if let Some(file) = &mut other.file {
            file.write_all(&head)?;
        }
        other.write(&own)?;
        std::fs::rename(&shorter, &path)?;
        // The next change opens it anew.
        self.file = None;
        self.bytes = other.bytes;
        self.long = LONG.max(2 * other.bytes);
        Ok(())
    }

    /// Paths below the directory of the program are noted from there, so that a run can be moved.
    fn text(&self, change: &Change, out: &mut Vec<u8>) {
        let short = |path: &Path| {
            path.strip_prefix(&self.base)
                .unwrap_or(path)
                .as_os_str()
                .as_bytes()
                .to_vec()
        };
        let number = |number: u64| number.to_string().into_bytes();
        let mut words: Vec<Vec<u8>> = Vec::new();
        match change {
            Change::Made(path, which) => {
                words.extend([
                    b"made".to_vec(),
                    short(path),
                    number(which.0),
                    number(which.1),
                ]);
            }
            Change::Long(path, which, length) => {
                words.extend([
                    b"long".to_vec(),
                    short(path),
                    number(which.0),
                    number(which.1),
                    number(*length),
                ]);
            }
            Change::Was(path, origin, which, length) => words.extend([
                b"was".to_vec(),
                short(path),
                short(origin),
                number(which.0),
                number(which.1),
                number(*length),
            ]),
            Change::Seen(path, which, length, own) => words.extend([
                b"seen".to_vec(),
                short(path),
                number(which.0),
                number(which.1),
                number(*length),
                number(*own),
            ]),
            Change::Emptied(path) => words.extend([b"emptied".to_vec(), short(path)]),
            Change::Removed(path) => words.extend([b"removed".to_vec(), short(path)]),
            Change::Name(NameChange::Directory(path, which)) => {
                words.extend([b"directory".to_vec(), short(path)]);
                words.extend(which.iter().flat_map(|one| [number(one.0), number(one.1)]));
            }
            Change::Name(NameChange::Node(path, which)) => words.extend([
                b"node".to_vec(),
                short(path),
                number(which.0),
                number(which.1),
            ]),
            Change::Name(NameChange::Gone(path, mode, target)) => {
                let target = target.as_os_str().as_bytes().to_vec();
                let mode = number(u64::from(*mode));
                words.extend([b"gone".to_vec(), short(path), mode, target]);
            }
            Change::Name(NameChange::Moved(from, to, which)) => {
                words.extend([b"moved".to_vec(), short(from), short(to)]);
                words.extend([number(which.0), number(which.1)]);
            }
            Change::Aside(path, copy) => {
                let copy = copy.as_os_str().as_bytes().to_vec();
                words.extend([b"aside".to_vec(), short(path), copy]);
            }
            Change::Renamed {
                from,
                to,
                which,
                length,
                replaced,
            } => {
                let rest = [
                    number(which.0),
                    number(which.1),
                    number(*length),
                    number(u64::from(*replaced)),
                ];
                words.extend([b"renamed".to_vec(), short(from), short(to)]);
                words.extend(rest);
            }
        }
        let words: Vec<&[u8]> = words.iter().map(Vec::as_slice).collect();
        line(out, &words);
    }

    /// What has to be undone for a restart from a generation.
    pub fn undo(&self, generation: u64) -> io::Result<Undo> {
        let mut undo = Undo::default();
        for (of, path) in texts(&self.directory, self.rank, generation)? {
            let text = std::fs::read(&path)?;
            let mut at = self.base.clone();
            for words in lines(&text) {
                if let [b"at", base] = words.iter().map(Vec::as_slice).collect::<Vec<_>>()[..] {
                    at = path_of(base, Path::new(""));
                    undo.moved |= at != self.base;
                } else if let Some(change) = change(&words, &self.base)
                    // What was seen at a later checkpoint is no length at this one.
                    && (of == generation || !matches!(change, Change::Seen(..)))
                {
                    undo.apply(&change);
                }
            }
            let _ = at;
        }
        undo.find_copies(&self.directory);
        Ok(undo)
    }

    /// Forgets what was undone.
    pub fn undone(&self, generation: u64) -> io::Result<()> {
        for (_, path) in texts(&self.directory, self.rank, generation)?
            .into_iter()
            .rev()
        {
            std::fs::remove_file(path)?;
        }
        Ok(())
    }
}

/// The name of a text.
fn file_name(rank: u32, generation: u64) -> String {
    format!("files.{rank:06}.{generation:010}")
}

/// The texts of a rank from a generation on, oldest first.
fn texts(directory: &Path, rank: u32, from: u64) -> io::Result<Vec<(u64, PathBuf)>> {
    let entries = match std::fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        other => other?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let name = path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        let generation = name.and_then(|name| of_rank(&name, rank));
        found.extend(generation.filter(|&one| one >= from).map(|one| (one, path)));
    }
    found.sort_unstable();
    Ok(found)
}

/// The generation of a text of this rank, by its name.
pub(super) fn of_rank(name: &str, rank: u32) -> Option<u64> {
    let (own, generation) = name.strip_prefix("files.")?.split_once('.')?;
    (digits(own, 6)? == u64::from(rank)).then(|| digits(generation, 10))?
}

/// Words with a zero behind each, which no path holds, and a line feed behind the last.
fn line(out: &mut Vec<u8>, words: &[&[u8]]) {
    for word in words {
        out.extend_from_slice(word);
        out.push(0);
    }
    out.push(b'\n');
}

/// The lines that are whole.
fn lines(text: &[u8]) -> Vec<Vec<Vec<u8>>> {
    let (mut all, mut words, mut word) = (Vec::new(), Vec::new(), Vec::new());
    for &byte in text {
        match byte {
            0 => words.push(std::mem::take(&mut word)),
            b'\n' if word.is_empty() => all.push(std::mem::take(&mut words)),
            _ => word.push(byte),
        }
    }
    all
}

fn path_of(word: &[u8], base: &Path) -> PathBuf {
    base.join(PathBuf::from(std::ffi::OsString::from_vec(word.to_vec())))
}

fn change(words: &[Vec<u8>], base: &Path) -> Option<Change> {
    let number =
        |at: usize| -> Option<u64> { std::str::from_utf8(words.get(at)?).ok()?.parse().ok() };
    let path = |at: usize| Some(path_of(words.get(at)?, base));
    Some(match words.first()?.as_slice() {
        b"made" => Change::Made(path(1)?, (number(2)?, number(3)?)),
        b"long" => Change::Long(path(1)?, (number(2)?, number(3)?), number(4)?),
        b"seen" => {
            let length = number(4)?;
            Change::Seen(
                path(1)?,
                (number(2)?, number(3)?),
                length,
                number(5).unwrap_or(length),
            )
        }
        b"was" => Change::Was(path(1)?, path(2)?, (number(3)?, number(4)?), number(5)?),
        b"emptied" => Change::Emptied(path(1)?),
        b"removed" => Change::Removed(path(1)?),
        b"directory" => Change::Name(NameChange::Directory(path(1)?, number(2).zip(number(3)))),
        b"node" => Change::Name(NameChange::Node(path(1)?, (number(2)?, number(3)?))),
        b"gone" => {
            let mode = u32::try_from(number(2)?).ok()?;
            Change::Name(NameChange::Gone(
                path(1)?,
                mode,
                path_of(words.get(3)?, Path::new("")),
            ))
        }
        b"moved" => Change::Name(NameChange::Moved(
            path(1)?,
            path(2)?,
            (number(3)?, number(4)?),
        )),
        b"aside" => Change::Aside(path(1)?, path_of(words.get(2)?, Path::new(""))),
        b"renamed" => Change::Renamed {
            from: path(1)?,
            to: path(2)?,
            which: (number(3)?, number(4)?),
            length: number(5)?,
            replaced: number(6)? != 0,
        },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::undo::State;
    use super::*;

    fn place(name: &str) -> PathBuf {
        let place =
            std::env::temp_dir().join(format!("cccp-journal-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&place);
        std::fs::create_dir_all(&place).unwrap();
        place
    }

    fn which(path: &Path) -> Which {
        known_file(path).unwrap().0
    }

    #[test]
    fn s35_what_came_after_a_checkpoint_is_undone_in_whatever_order_it_was_done() {
        let place = place("undo");
        let at = |name: &str| place.join(name);
        let write = |name: &str, text: &str| std::fs::write(at(name), text).unwrap();
        let mut journal = Journal::new(&place, 0, &place);
        write("log", "one\n");
        write("state", "old");
        journal.begin(7);
        let note = |journal: &mut Journal, change: Change| journal.note(&change).unwrap();
        // Grows and is rotated; a new one is made in its place.
        note(&mut journal, Change::Long(at("log"), which(&at("log")), 4));
        write("log", "one\ntwo\n");
        let moved = Change::Renamed {
            from: at("log"),
            to: at("log.1"),
            which: which(&at("log")),
            length: 8,
            replaced: false,
        };
        std::fs::rename(at("log"), at("log.1")).unwrap();
        note(&mut journal, moved);
        journal.begin(8);
        write("log", "three\n");
        note(&mut journal, Change::Made(at("log"), which(&at("log"))));
        note(&mut journal, Change::Emptied(at("state")));
        write("foreign", "made by somebody else");
        note(&mut journal, Change::Made(at("foreign"), (0, 0)));

        let again = Journal::new(&place, 0, &place);
        let undo = again.undo(7).unwrap();
        assert_eq!(undo.lost.iter().collect::<Vec<_>>(), [&at("state")]);
        undo.look().unwrap();
        undo.perform(&|_| None).unwrap();
        undo.perform(&|_| None).unwrap();
        let read = |name: &str| std::fs::read_to_string(at(name)).unwrap();
        assert_eq!(read("log"), "one\n");
        assert_eq!(read("foreign"), "made by somebody else");
        assert!(!at("log.1").exists());
        again.undone(7).unwrap();
        assert!(again.undo(7).unwrap().now.is_empty());
        std::fs::remove_dir_all(&place).unwrap();
    }

    #[test]
    fn s35_a_length_at_a_later_checkpoint_is_none_at_the_one_of_the_restart() {
        let place = place("later");
        let log = place.join("log");
        std::fs::write(&log, "another rank's\n").unwrap();
        let (which, length) = known_file(&log).unwrap();
        let mut journal = Journal::new(&place, 0, &place);
        journal.begin(1);
        let opened = Change::Long(log.clone(), which, length);
        journal.note(&opened).unwrap();
        journal.begin(2);
        let seen = Change::Seen(log.clone(), which, length, 3);
        journal.note(&seen).unwrap();
        let known = |generation| {
            let undo = journal.undo(generation).unwrap();
            let grown = undo.look().unwrap().remove(0);
            (grown.before, grown.after)
        };
        assert_eq!(known(1), (None, Some(length)));
        assert_eq!(known(2), (Some((length, 3)), None));
        std::fs::remove_dir_all(&place).unwrap();
    }

    #[test]
    fn s35_a_file_that_did_not_go_after_all_is_copied_before_it_is_changed() {
        let place = place("unshared");
        let file = place.join("file");
        std::fs::write(&file, "first").unwrap();
        let mut journal = Journal::new(&place, 0, &place);
        journal.begin(1);
        assert!(journal.rename_aside(&file).unwrap());
        journal.unshare(&place.join("another")).unwrap();
        journal.unshare(&file).unwrap();
        journal.unshare(&file).unwrap();
        let changed = Change::Long(file.clone(), which(&file), 5);
        journal.note(&changed).unwrap();
        std::fs::write(&file, "second").unwrap();
        journal.undo(1).unwrap().perform(&|_| None).unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "first");
        std::fs::remove_dir_all(&place).unwrap();
    }

    #[test]
    fn s35_what_a_shorter_text_says_is_the_same() {
        let at = |name: &str| PathBuf::from("/of/the/run").join(name);
        let renamed = |from: &str, to: &str, number| Change::Renamed {
            from: at(from),
            to: at(to),
            which: (1, number),
            length: 10 * number,
            replaced: true,
        };
        let mut undo = Undo::default();
        for change in [
            Change::Long(at("log"), (1, 1), 10),
            renamed("log.1", "log.2", 2),
            renamed("log", "log.1", 1),
            Change::Made(at("log"), (1, 3)),
            Change::Name(NameChange::Moved(at("whole"), at("old"), (1, 4))),
            Change::Name(NameChange::Directory(at("whole"), Some((1, 5)))),
            Change::Long(at("old/values"), (1, 6), 60),
            Change::Removed(at("old/more")),
            Change::Made(at("whole/values"), (1, 7)),
            Change::Name(NameChange::Moved(at("whole"), at("better"), (1, 5))),
            Change::Name(NameChange::Gone(
                at("latest"),
                0o120_777,
                PathBuf::from("whole"),
            )),
            Change::Made(at("whole/values"), (1, 8)),
            Change::Made(at("whole/values"), (1, 9)),
        ] {
            undo.apply(&change);
        }
        assert!(undo.lost.contains(&at("whole/more")));
        assert_eq!(undo.length(&at("log.1")), Some(10));
        assert_eq!(undo.now[&at("better/values")], State::Made((1, 7)));
        let mut again = Undo::default();
        for change in undo.changes() {
            again.apply(&change);
        }
        assert_eq!(again, undo);
    }

    #[test]
    fn s35_the_text_stays_short_and_says_the_same() {
        let place = place("short");
        let (part, whole) = (place.join("part"), place.join("whole"));
        let mut journal = Journal::new(&place, 3, &place);
        journal.begin(1);
        for number in 0..20_000 {
            journal
                .note(&Change::Made(part.clone(), (1, number)))
                .unwrap();
            let renamed = Change::Renamed {
                from: part.clone(),
                to: whole.clone(),
                which: (1, number),
                length: 5,
                replaced: number > 0,
            };
            journal.note(&renamed).unwrap();
        }
        let length = std::fs::metadata(journal.path(1)).unwrap().len();
        assert!(length < 2 * LONG, "{length}");
        let undo = journal.undo(1).unwrap();
        assert_eq!(undo.now.get(&whole), Some(&State::Made((1, 19_999))));
        assert!(undo.lost.is_empty() && undo.now.len() == 1);
        std::fs::remove_dir_all(&place).unwrap();
    }
}
