//! The file of the setting `profile`: what each place of a program brought, and which are chosen.
//!
//! ```text
//! {"event":"profile","time":1764.000,"program":"heat","text":"00c0ffee","ranks":2,"seconds":12.5,"interval":4.0,"early":0.2,"calls":30}
//! {"event":"place","time":1764.000,"file":"heat.c","line":31,"passages":900,"bytes":800000,"taken":3}
//! ```
//!
//! The first line is about the program, the others about its places; one of which no checkpoint is taken has `taken` 0. A file is
//! replaced as a whole, and only when it is a profile.

use std::path::Path;

use super::history::line::{Line, Word, read};
use super::passed::replace;

/// What a run with the setting found out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile {
    /// The program's name.
    pub program: String,
    /// A number of its text.
    pub text: String,
    /// How many ranks it had.
    pub ranks: u32,
    /// How long the run was.
    pub seconds: f64,
    /// How far apart checkpoints are to be at most.
    pub interval: f64,
    /// The chosen places are passed at least so often.
    pub early: f64,
    /// One of so many calls of all places was at a chosen one.
    pub calls: u64,
    /// All places.
    pub places: Vec<Profiled>,
}

/// A place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profiled {
    /// The program's file.
    pub file: String,
    /// The line in it.
    pub line: u32,
    /// How often it was passed.
    pub passages: u64,
    /// What a checkpoint there would have had, on average, on all ranks together.
    pub bytes: u64,
    /// How many checkpoints of the best set were there.
    pub taken: u64,
}

/// Why a file is none that can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoProfile {
    /// It is not there.
    Absent,
    /// It cannot be read, or is something else.
    Other,
}

impl Profile {
    /// Reads a file.
    pub fn open(path: &Path) -> Result<Profile, NoProfile> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(NoProfile::Absent);
            }
            Err(_) => return Err(NoProfile::Other),
        };
        Profile::parse(&text).ok_or(NoProfile::Other)
    }

    /// What the text of a file says.
    pub fn parse(text: &str) -> Option<Profile> {
        let mut lines = text.lines();
        let head = read(lines.next()?)?;
        if word(&head, "event")? != "profile" {
            return None;
        }
        let mut profile = Profile {
            program: word(&head, "program")?.to_string(),
            text: word(&head, "text")?.to_string(),
            ranks: number(&head, "ranks").unwrap_or(1.0) as u32,
            seconds: number(&head, "seconds")?,
            interval: number(&head, "interval")?,
            early: number(&head, "early")?,
            calls: number(&head, "calls").unwrap_or(0.0) as u64,
            places: Vec::new(),
        };
        for line in lines {
            let line = read(line)?;
            if word(&line, "event")? != "place" {
                return None;
            }
            profile.places.push(Profiled {
                file: word(&line, "file")?.to_string(),
                line: number(&line, "line")? as u32,
                passages: number(&line, "passages")? as u64,
                bytes: number(&line, "bytes")? as u64,
                taken: number(&line, "taken")? as u64,
            });
        }
        Some(profile)
    }

    /// The text of its file.
    pub fn text(&self, now: f64) -> String {
        let mut head = Line::new("profile", now);
        head.text("program", &self.program);
        head.text("text", &self.text);
        head.plain("ranks", self.ranks);
        head.plain("seconds", format_args!("{:.3}", self.seconds));
        head.plain("interval", format_args!("{:.3}", self.interval));
        head.plain("early", format_args!("{:.3}", self.early));
        head.plain("calls", self.calls);
        let mut text = head.end();
        for place in &self.places {
            let mut line = Line::new("place", now);
            line.text("file", &place.file);
            line.plain("line", place.line);
            line.plain("passages", place.passages);
            line.plain("bytes", place.bytes);
            line.plain("taken", place.taken);
            text.push_str(&line.end());
        }
        text
    }

    /// Writes the file, beside it first.
    pub fn save(&self, path: &Path, now: f64) -> std::io::Result<()> {
        replace(path, &self.text(now))
    }
}

pub(super) fn word<'a>(words: &'a [(String, Word)], name: &str) -> Option<&'a str> {
    words.iter().find_map(|(key, word)| match word {
        Word::Text(text) if key == name => Some(text.as_str()),
        _ => None,
    })
}

pub(super) fn number(words: &[(String, Word)], name: &str) -> Option<f64> {
    words.iter().find_map(|(key, word)| match word {
        Word::Number(number) if key == name => Some(*number),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_is_read_as_it_was_written_and_nothing_else_is_one() {
        let place = std::env::temp_dir().join(format!("cccp-profile-{}", std::process::id()));
        let profile = Profile {
            program: "heat \"x\"".to_string(),
            text: "0f".to_string(),
            seconds: 2.5,
            interval: 0.5,
            early: 0.25,
            ranks: 2,
            calls: 7,
            places: vec![Profiled {
                file: "a.c".to_string(),
                line: 3,
                passages: 10,
                bytes: 80,
                taken: 2,
            }],
        };
        profile.save(&place, 1.0).unwrap();
        assert_eq!(Profile::open(&place), Ok(profile));
        let text = std::fs::read_to_string(&place).unwrap();
        std::fs::remove_file(&place).unwrap();
        assert_eq!(Profile::open(&place), Err(NoProfile::Absent));
        for end in 1..text.len() - 1 {
            // Whole lines are a shorter profile.
            let whole = text.as_bytes()[end - 1] == b'\n' || text.as_bytes()[end] == b'\n';
            assert_eq!(Profile::parse(&text[..end]).is_some(), whole, "{end}");
        }
        assert_eq!(Profile::parse("{\"event\":\"start\",\"time\":1}"), None);
    }
}
