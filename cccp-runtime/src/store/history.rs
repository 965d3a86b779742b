//! What happened to the runs of a directory: `<directory>/history.jsonl`, a JSON object per line.
//!
//! In: the start of a run, each checkpoint that was published or could not be taken, and how the run ended, from rank 0.
//! Out, in another process or a later run: the runs with their checkpoints and how each ended. A start that no end follows
//! is a death: nobody writes down that he was killed.
//!
//! It is for people and for estimates, and no restart depends on it. So a line is never made durable on its own, one that
//! cannot be written is dropped without a word, and one that cannot be read is passed over. A line is written with one
//! call, behind what others have written. A run that takes very many checkpoints notes some of them only.
//!
//! Not here: where a run goes on from (`restore`).

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

pub(super) mod line;

use super::holder::host_name;
use line::{Line, Word};

/// The name of the file.
const NAME: &str = "history.jsonl";
/// So many lines of a run are written without looking at the clock, and later ones so many seconds apart.
const MANY: u64 = 10_000;
const APART: u64 = 10;

/// The history of a directory, as a run writes it.
#[derive(Debug)]
pub struct History {
    path: Option<PathBuf>,
    process: u32,
    lines: AtomicU64,
    latest: AtomicU64,
}

/// Why a checkpoint was due.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Why {
    /// So many calls had passed.
    #[default]
    Calls,
    /// So much time had passed.
    Interval,
    /// Somebody asked for it.
    Signal,
    /// The time of the job was about to end.
    Walltime,
}

const REASONS: [(Why, &str); 4] = [
    (Why::Calls, "calls"),
    (Why::Interval, "interval"),
    (Why::Signal, "signal"),
    (Why::Walltime, "walltime"),
];

/// A run that begins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Started {
    /// The program's name.
    pub program: String,
    /// How many ranks it has.
    pub size: u32,
    /// The process of rank 0.
    pub process: u32,
    /// Its machine.
    pub host: String,
    /// The generation it goes on from.
    pub from: Option<u64>,
    /// Which try this is, for one that is started again and again.
    pub attempt: Option<u64>,
}

impl Started {
    /// A run of this process.
    pub fn here(program: &str, size: u32, from: Option<u64>, attempt: Option<u64>) -> Started {
        Started {
            program: program.to_string(),
            size,
            process: std::process::id(),
            host: host_name(),
            from,
            attempt,
        }
    }
}

/// A checkpoint that was published.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Taken {
    /// Its generation.
    pub generation: u64,
    /// Seconds for which the program stood still.
    pub stood: f64,
    /// Seconds in which it was written.
    pub wrote: f64,
    /// The bytes of rank 0.
    pub bytes: u64,
    /// The program's file with the checkpoint.
    pub file: String,
    /// The line in it.
    pub line: u32,
    /// Why it was due.
    pub why: Why,
}

/// What happens to a run after its start.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A checkpoint was published.
    Taken(Taken),
    /// A checkpoint stands in this file of the program, in this line.
    Place(String, u32),
    /// A checkpoint was due, and could not be taken or written.
    Skipped(String),
    /// The run was asked to end, and ends after a checkpoint.
    Leaving(String),
    /// The library stopped the run, or takes no more checkpoints of it.
    Stopped(String),
    /// The run is complete, and has come to so many calls of checkpoints; none when the line does not say so.
    Ended(Option<u64>),
    /// It died like this: from whoever had started it, and waited for it.
    Died(String),
}

/// A run, as it can be read.
#[derive(Clone, Debug, PartialEq)]
pub struct Past {
    /// When it began, in seconds since 1970.
    pub begun: f64,
    /// What it said of itself.
    pub started: Started,
    /// What happened in it, with the time, in order; its end is the last one, if it had one.
    pub events: Vec<(f64, Event)>,
    /// When the next run of the directory began.
    pub next: Option<f64>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// It reached its `shutdown`.
    Complete,
    /// It was asked to end.
    Left(String),
    /// The library stopped it, or knows nothing more of it.
    Stopped(String),
    /// It died, between these two moments.
    Died(f64, f64),
    /// Nothing is known since its last line: it still runs, or has died.
    Open,
}

impl Past {
    /// How it ended.
    pub fn end(&self) -> End {
        match (self.events.last(), self.next) {
            (Some((_, Event::Ended(_))), _) => End::Complete,
            (Some((_, Event::Leaving(why))), _) => End::Left(why.clone()),
            (Some((_, Event::Stopped(reason))), _) => End::Stopped(reason.clone()),
            (Some((time, Event::Died(_))), _) => End::Died(*time, *time),
            (_, Some(next)) => End::Died(self.latest(), next),
            (_, None) => End::Open,
        }
    }

    /// When it was last known to run.
    pub fn latest(&self) -> f64 {
        self.events.last().map_or(self.begun, |(time, _)| *time)
    }

    /// How many calls of checkpoints it has come to, when it has come to its end.
    pub fn calls(&self) -> Option<u64> {
        match self.events.last() {
            Some((_, Event::Ended(calls))) => *calls,
            _ => None,
        }
    }

    /// Where checkpoints stand in the program, when it has told.
    pub fn places(&self) -> impl Iterator<Item = (&str, u32)> {
        self.events.iter().filter_map(|(_, event)| match event {
            Event::Place(file, line) => Some((&**file, *line)),
            _ => None,
        })
    }

    /// Its checkpoints, with the time of each.
    pub fn taken(&self) -> impl DoubleEndedIterator<Item = (f64, &Taken)> {
        self.events.iter().filter_map(|(time, event)| match event {
            Event::Taken(taken) => Some((*time, taken)),
            _ => None,
        })
    }
}

impl History {
    /// Of a directory, for this process. Of several ranks one writes: `writes` is false for the others.
    pub fn new(directory: &Path, writes: bool) -> History {
        History {
            path: writes.then(|| directory.join(NAME)),
            process: std::process::id(),
            lines: AtomicU64::new(0),
            latest: AtomicU64::new(0),
        }
    }

    /// A run begins.
    pub fn started(&self, started: &Started) {
        self.write(started_line(now(), started));
    }

    /// Something happened.
    pub fn note(&self, event: &Event) {
        let now = now();
        let is_end = !matches!(event, Event::Taken(_) | Event::Skipped(_));
        let many = self.lines.fetch_add(1, Ordering::Relaxed) >= MANY;
        if many
            && !is_end
            && now as u64 - self.latest.load(Ordering::Relaxed).min(now as u64) < APART
        {
            return;
        }
        self.latest.store(now as u64, Ordering::Relaxed);
        self.write(event_line(now, event));
    }

    fn write(&self, line: String) {
        // A child made by `fork` is not the run.
        let Some(path) = self
            .path
            .as_ref()
            .filter(|_| self.process == std::process::id())
        else {
            return;
        };
        let opened = OpenOptions::new().append(true).create(true).open(path);
        let _ = opened.and_then(|mut file| file.write_all(line.as_bytes()));
    }
}

/// Adds the path of a directory to a file, for whoever has started the run. What is not told can be looked for.
pub fn tell(told: &Path, directory: &Path) {
    let path = std::path::absolute(directory).unwrap_or_else(|_| directory.to_path_buf());
    let line = format!("{}\n", path.display());
    let opened = OpenOptions::new().append(true).create(true).open(told);
    let _ = opened.and_then(|mut file| file.write_all(line.as_bytes()));
}

/// The directories that runs have told, each once.
pub fn told(told: &Path) -> Vec<PathBuf> {
    let bytes = std::fs::read(told).unwrap_or_default();
    let mut all: Vec<PathBuf> = Vec::new();
    for line in String::from_utf8_lossy(&bytes).lines() {
        if !all.iter().any(|known| known == Path::new(line)) {
            all.push(PathBuf::from(line));
        }
    }
    all
}

fn now() -> f64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0.0, |since| since.as_secs_f64())
}

fn started_line(time: f64, started: &Started) -> String {
    let number = |number: Option<u64>| number.map_or("null".to_string(), |one| one.to_string());
    let mut line = Line::new("start", time);
    line.text("program", &started.program);
    line.plain("size", started.size);
    line.plain("pid", started.process);
    line.text("host", &started.host);
    line.plain("from", number(started.from));
    line.plain("attempt", number(started.attempt));
    line.end()
}

fn event_line(time: f64, event: &Event) -> String {
    let with = |name: &str, key: &str, text: &str| {
        let mut line = Line::new(name, time);
        line.text(key, text);
        line.end()
    };
    match event {
        Event::Taken(taken) => {
            let mut line = Line::new("checkpoint", time);
            line.plain("generation", taken.generation);
            line.plain("stood", format_args!("{:.6}", taken.stood));
            line.plain("wrote", format_args!("{:.6}", taken.wrote));
            line.plain("bytes", taken.bytes);
            line.text("file", &taken.file);
            line.plain("line", taken.line);
            let why = REASONS.iter().find(|(why, _)| *why == taken.why);
            line.text("why", why.map_or("calls", |(_, word)| word));
            line.end()
        }
        Event::Place(file, at) => {
            let mut line = Line::new("place", time);
            line.text("file", file);
            line.plain("line", at);
            line.end()
        }
        Event::Skipped(reason) => with("skipped", "reason", reason),
        Event::Leaving(why) => with("leaving", "why", why),
        Event::Stopped(reason) => with("stopped", "reason", reason),
        Event::Ended(calls) => {
            let mut line = Line::new("end", time);
            if let Some(calls) = calls {
                line.plain("calls", calls);
            }
            line.end()
        }
        Event::Died(how) => with("died", "how", how),
    }
}

/// The runs of a directory of the real disk, the oldest first; none where there is no history.
pub fn history(directory: &Path) -> Vec<Past> {
    let bytes = std::fs::read(directory.join(NAME)).unwrap_or_default();
    read(&String::from_utf8_lossy(&bytes))
}

/// The runs that the lines of a history speak of, the oldest first.
pub fn read(text: &str) -> Vec<Past> {
    let mut runs: Vec<Past> = Vec::new();
    for line in text.lines() {
        // Of a line that was cut short, as on a full disk, the rest may be another one.
        let from = line.rfind("{\"event\":").unwrap_or(0);
        let Some(words) = line::read(&line[from..]) else {
            continue;
        };
        let Some(time) = number(&words, "time") else {
            continue;
        };
        if text_of(&words, "event") == Some("start") {
            if let Some(last) = runs.last_mut() {
                last.next = Some(time);
            }
            runs.push(Past {
                begun: time,
                started: started(&words),
                events: Vec::new(),
                next: None,
            });
        } else if let (Some(run), Some(event)) = (runs.last_mut(), event(&words)) {
            run.events.push((time, event));
        }
    }
    runs
}

fn started(words: &[(String, Word)]) -> Started {
    let whole = |name: &str| number(words, name).map(|number| number as u64);
    Started {
        program: text_of(words, "program").unwrap_or_default().to_string(),
        size: whole("size").unwrap_or(1) as u32,
        process: whole("pid").unwrap_or(0) as u32,
        host: text_of(words, "host").unwrap_or_default().to_string(),
        from: whole("from"),
        attempt: whole("attempt"),
    }
}

fn event(words: &[(String, Word)]) -> Option<Event> {
    let text = |name: &str| text_of(words, name).unwrap_or_default().to_string();
    Some(match text_of(words, "event")? {
        "checkpoint" => {
            let why = text("why");
            let why = REASONS.iter().find(|(_, word)| *word == why);
            Event::Taken(Taken {
                generation: number(words, "generation")? as u64,
                stood: number(words, "stood").unwrap_or(0.0),
                wrote: number(words, "wrote").unwrap_or(0.0),
                bytes: number(words, "bytes").unwrap_or(0.0) as u64,
                file: text("file"),
                line: number(words, "line").unwrap_or(0.0) as u32,
                why: why.map_or(Why::Calls, |(why, _)| *why),
            })
        }
        "place" => Event::Place(text("file"), number(words, "line").unwrap_or(0.0) as u32),
        "skipped" => Event::Skipped(text("reason")),
        "leaving" => Event::Leaving(text("why")),
        "stopped" => Event::Stopped(text("reason")),
        "end" => Event::Ended(number(words, "calls").map(|calls| calls as u64)),
        "died" => Event::Died(text("how")),
        _ => return None,
    })
}

fn find<'a>(words: &'a [(String, Word)], name: &str) -> Option<&'a Word> {
    let found = words.iter().find(|(known, _)| known == name);
    found.map(|(_, word)| word)
}

fn number(words: &[(String, Word)], name: &str) -> Option<f64> {
    match find(words, name)? {
        Word::Number(number) => Some(*number),
        _ => None,
    }
}

fn text_of<'a>(words: &'a [(String, Word)], name: &str) -> Option<&'a str> {
    match find(words, name)? {
        Word::Text(text) => Some(text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(generation: u64) -> Event {
        Event::Taken(Taken {
            generation,
            stood: 0.25,
            wrote: 1.5,
            bytes: 4096,
            file: "a \"b\"\\\n\u{1}ü.c".to_string(),
            line: 7,
            why: Why::Interval,
        })
    }

    fn began(attempt: u64) -> Started {
        Started {
            program: "heat".to_string(),
            size: 4,
            process: 12,
            host: "node".to_string(),
            from: (attempt > 1).then_some(9),
            attempt: Some(attempt),
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let events = [
            taken(3),
            Event::Place("a b.c".to_string(), 7),
            Event::Skipped("no space".to_string()),
            Event::Leaving("SIGTERM".to_string()),
            Event::Stopped("a\tb".to_string()),
            Event::Ended(Some(7)),
            Event::Died("SIGSEGV".to_string()),
        ];
        for event in events {
            let text = started_line(10.0, &began(2)) + &event_line(11.5, &event);
            let runs = read(&text);
            assert_eq!(runs[0].started, began(2));
            assert_eq!(runs[0].events, [(11.5, event)], "{text}");
        }
    }

    #[test]
    fn a_start_that_no_end_follows_is_a_death() {
        let mut text = started_line(10.0, &began(1)) + &event_line(12.0, &taken(1));
        assert_eq!(read(&text)[0].end(), End::Open);
        let told = text.clone() + &event_line(13.0, &Event::Died(String::new()));
        assert_eq!(read(&told)[0].end(), End::Died(13.0, 13.0));
        text += &started_line(20.0, &began(2));
        text += &event_line(21.0, &Event::Ended(Some(7)));
        let runs = read(&text);
        assert_eq!(runs[0].end(), End::Died(12.0, 20.0));
        assert_eq!(runs[1].end(), End::Complete);
    }

    #[test]
    fn of_a_damaged_history_the_sound_lines_are_read() {
        let whole = started_line(10.0, &began(1)) + &event_line(12.0, &taken(1));
        let cut = &whole[..whole.len() - 20];
        let text = format!("{cut}{}nonsense\n\n{{}}\n", event_line(13.0, &taken(2)));
        let runs = read(&text);
        let taken: Vec<u64> = runs[0].taken().map(|(_, one)| one.generation).collect();
        assert_eq!(taken, [2]);
        for length in 0..whole.len() {
            if let Some(part) = whole.get(..length) {
                assert!(read(part).len() <= 1);
            }
        }
    }

    #[test]
    fn a_run_with_very_many_checkpoints_notes_some_of_them() {
        let place = std::env::temp_dir().join(format!("cccp-history-{}", std::process::id()));
        std::fs::create_dir(&place).unwrap();
        let notes = History::new(&place, true);
        notes.started(&began(1));
        for generation in 1..=MANY + 500 {
            notes.note(&taken(generation));
        }
        notes.note(&Event::Ended(Some(7)));
        let runs = history(&place);
        assert!(runs[0].taken().count() <= MANY as usize + 60);
        assert_eq!(runs[0].end(), End::Complete);
        std::fs::remove_dir_all(place).unwrap();
    }
}
