//! What a run with the setting `profile` has seen of its places so far: `<directory>/places.<rank>`.
//!
//! ```text
//! {"event":"places","time":0.000,"program":"heat","text":"00c0ffee","size":2,"stride":1}
//! {"event":"place","time":0.000,"file":"heat.c","line":31}
//! {"event":"passed","time":1.250,"generation":40,"place":0,"bytes":800000}
//! ```
//!
//! A rank adds to it before each of its checkpoints: what came before the generation from which a run is restarted is there, however the
//! run before it ended, and what came later is passed again. A rank that has ended gives it the name `places.<rank>.end`, so that
//! whoever ends last sees it, and reads those of all ranks. Times are seconds since the program began, without what was passed twice.
//!
//! No restart depends on it, and it is not made durable on its own. A line that was cut short ends it.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::history::line::{Line, read};
use super::profile::{number, word};

/// A candidate that was passed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Passage {
    /// Number of the place.
    pub place: usize,
    /// The generation that a checkpoint there would have had: ranks pass the same ones.
    pub generation: u64,
    /// Seconds since the run began.
    pub time: f64,
    /// Bytes of a checkpoint.
    pub bytes: u64,
}

/// What one rank has seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// Places: a file and a line each.
    pub sites: Vec<(String, u32)>,
    /// When they were passed.
    pub passages: Vec<Passage>,
    /// Of each place every n-th passage is remembered.
    pub stride: u64,
}

impl Default for Seen {
    fn default() -> Seen {
        Seen {
            sites: Vec::new(),
            passages: Vec::new(),
            stride: 1,
        }
    }
}

/// Which program it was: another one has other places.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Whose {
    /// Its name.
    pub program: String,
    /// A number of its text.
    pub text: String,
    /// How many ranks it has.
    pub size: u32,
}

/// The file of a rank.
#[derive(Debug, Default)]
pub struct Passed {
    directory: PathBuf,
    rank: u32,
    whose: Whose,
    /// So many places and passages are in it.
    kept: (usize, usize),
    /// It has been made by this run, and nothing in it is out of date.
    is_begun: bool,
}

impl Passed {
    /// Of a rank of this program.
    pub fn new(directory: &Path, rank: u32, whose: Whose) -> Passed {
        Passed {
            directory: directory.to_path_buf(),
            rank,
            whose,
            ..Passed::default()
        }
    }

    fn path(&self, rank: u32) -> PathBuf {
        self.directory.join(format!("places.{rank:06}"))
    }

    fn ended(&self, rank: u32) -> PathBuf {
        self.directory.join(format!("places.{rank:06}.end"))
    }

    /// What a run before this one has seen up to the generation from which this one goes on. Nothing is left of the file that could be
    /// taken for one of this run.
    pub fn take_over(&mut self, resumed: Option<u64>) -> Seen {
        let (path, ended) = (self.path(self.rank), self.ended(self.rank));
        let _ = std::fs::rename(&ended, &path);
        let text = resumed.and_then(|_| std::fs::read_to_string(&path).ok());
        let _ = std::fs::remove_file(&path);
        let mut seen = text
            .and_then(|text| parse(&text, &self.whose))
            .unwrap_or_default();
        let resumed = resumed.unwrap_or(0);
        seen.passages.retain(|one| one.generation <= resumed);
        if !seen.passages.is_empty() {
            let _ = self.keep(&seen);
        }
        seen
    }

    /// Adds what is new; `seen` has no less than before, unless [`Passed::thinned`] has said so.
    pub fn keep(&mut self, seen: &Seen) -> io::Result<()> {
        let path = self.path(self.rank);
        let mut text = String::new();
        if !self.is_begun {
            let mut head = Line::new("places", 0.0);
            head.text("program", &self.whose.program);
            head.text("text", &self.whose.text);
            head.plain("size", self.whose.size);
            head.plain("stride", seen.stride);
            text = head.end();
            self.kept = (0, 0);
        }
        for (file, number) in &seen.sites[self.kept.0..] {
            let mut line = Line::new("place", 0.0);
            line.text("file", file);
            line.plain("line", number);
            text.push_str(&line.end());
        }
        for passage in &seen.passages[self.kept.1..] {
            let mut line = Line::new("passed", passage.time);
            line.plain("generation", passage.generation);
            line.plain("place", passage.place);
            line.plain("bytes", passage.bytes);
            text.push_str(&line.end());
        }
        if self.is_begun {
            let mut file = OpenOptions::new().append(true).open(&path)?;
            file.write_all(text.as_bytes())?;
        } else {
            replace(&path, &text)?;
        }
        self.is_begun = true;
        self.kept = (seen.sites.len(), seen.passages.len());
        Ok(())
    }

    /// Passages have been left out: the file is made anew.
    pub fn thinned(&mut self) {
        self.is_begun = false;
    }

    /// This rank has ended. When all have, what they have seen, by their ranks: for one of them only.
    pub fn end(&self) -> io::Result<Option<Vec<Seen>>> {
        std::fs::rename(self.path(self.rank), self.ended(self.rank))?;
        if !(0..self.whose.size).all(|rank| self.ended(rank).exists()) {
            return Ok(None);
        }
        // Two may see that. One of them can take the first file away.
        if std::fs::rename(self.ended(0), self.path(0)).is_err() {
            return Ok(None);
        }
        let all = (0..self.whose.size).map(|rank| {
            let path = match rank {
                0 => self.path(rank),
                _ => self.ended(rank),
            };
            let text = std::fs::read_to_string(path)?;
            parse(&text, &self.whose).ok_or_else(|| io::Error::from(io::ErrorKind::InvalidData))
        });
        all.collect::<io::Result<Vec<Seen>>>().map(Some)
    }

    /// The profile is written: nobody needs the files of the ranks any more.
    pub fn remove(&self) {
        for rank in 0..self.whose.size {
            let _ = std::fs::remove_file(self.path(rank));
            let _ = std::fs::remove_file(self.ended(rank));
        }
    }
}

fn parse(text: &str, whose: &Whose) -> Option<Seen> {
    let mut lines = text.lines();
    let head = read(lines.next()?)?;
    let is_theirs = word(&head, "event")? == "places"
        && word(&head, "program")? == whose.program
        && word(&head, "text")? == whose.text
        && number(&head, "size")? == f64::from(whose.size);
    let mut seen = Seen {
        stride: number(&head, "stride")?.max(1.0) as u64,
        ..Seen::default()
    };
    for words in lines.map_while(read) {
        if word(&words, "event")? == "place" {
            let line = number(&words, "line")? as u32;
            seen.sites.push((word(&words, "file")?.to_string(), line));
            continue;
        }
        seen.passages.push(Passage {
            place: number(&words, "place")? as usize,
            generation: number(&words, "generation")? as u64,
            time: number(&words, "time")?,
            bytes: number(&words, "bytes")? as u64,
        });
    }
    let fits = seen.passages.iter().all(|one| one.place < seen.sites.len());
    (is_theirs && fits).then_some(seen)
}

/// Writes a file, beside it first.
pub(super) fn replace(path: &Path, text: &str) -> io::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}.tmp", std::process::id()));
    std::fs::write(&beside, text)?;
    std::fs::rename(&beside, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(name: &str) -> PathBuf {
        let place = std::env::temp_dir().join(format!("cccp-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&place).unwrap();
        place
    }

    fn whose(size: u32) -> Whose {
        Whose {
            program: "a".to_string(),
            text: "1".to_string(),
            size,
        }
    }

    fn seen(count: u64) -> Seen {
        let passages = (1..=count).map(|generation| Passage {
            place: (generation % 2) as usize,
            generation,
            time: generation as f64,
            bytes: 10 * generation,
        });
        Seen {
            sites: vec![("a.c".to_string(), 3), ("b\".c".to_string(), 4)],
            passages: passages.collect(),
            stride: 1,
        }
    }

    #[test]
    fn what_was_passed_up_to_a_generation_is_there_again_whatever_came_later_and_wherever_the_file_ends()
     {
        let place = place("passed");
        let mut file = Passed::new(&place, 0, whose(1));
        file.keep(&seen(2)).unwrap();
        file.keep(&seen(6)).unwrap();
        let path = file.path(0);
        let text = std::fs::read(&path).unwrap();
        for cut in (0..text.len()).step_by(7) {
            std::fs::write(&path, &text[..cut]).unwrap();
            let mut next = Passed::new(&place, 0, whose(1));
            let found = next.take_over(Some(4)).passages;
            assert_eq!(found, seen(4).passages[..found.len()]);
        }
        std::fs::write(&path, &text).unwrap();
        assert_eq!(Passed::new(&place, 0, whose(1)).take_over(Some(4)), seen(4));
        // What is there now goes on from there, and is made anew when less is remembered.
        let mut next = Passed::new(&place, 0, whose(1));
        assert_eq!(next.take_over(Some(9)), seen(4));
        let mut less = seen(8);
        less.passages.retain(|one| one.generation > 4);
        less.stride = 2;
        next.thinned();
        next.keep(&less).unwrap();
        assert_eq!(Passed::new(&place, 0, whose(1)).take_over(Some(9)), less);
        // Another program, other ranks, and a run from the beginning have not seen it.
        for (whose, resumed) in [(whose(2), Some(9)), (whose(1), None)] {
            Passed::new(&place, 0, self::whose(1)).keep(&less).unwrap();
            let nothing = Passed::new(&place, 0, whose).take_over(resumed);
            assert_eq!(nothing, Seen::default());
            assert!(!path.exists());
        }
        std::fs::remove_dir_all(&place).unwrap();
    }

    #[test]
    fn the_last_rank_that_ends_sees_what_all_have_seen_and_only_that_one() {
        let place = place("ended");
        let files: Vec<Passed> = (0..3)
            .map(|rank| {
                let mut file = Passed::new(&place, rank, whose(3));
                file.keep(&seen(u64::from(rank) + 1)).unwrap();
                file
            })
            .collect();
        assert_eq!(files[2].end().unwrap(), None);
        assert_eq!(files[0].end().unwrap(), None);
        let all = files[1].end().unwrap().unwrap();
        assert_eq!(all, [seen(1), seen(2), seen(3)]);
        files[1].remove();
        assert_eq!(std::fs::read_dir(&place).unwrap().count(), 0);
        std::fs::remove_dir_all(&place).unwrap();
    }
}
