//! The loop around a command.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, Stdio};
use std::time::Duration;

use cccp::format::span;
use cccp::store::{End, Event, History, Past, history};
use cccp_ckpt::outcome::Failure;
use cccp_ckpt::render::count;
use serde::Serialize;

use super::decide::{Step, Try, decide};
use crate::account::{Account, latest};
use crate::child::{CANNOT_RESTART, Child, Ending, Signals, now};
use crate::output::{Log, Scratch, appended, say};
use crate::place::{DIRECTORIES, Place};

/// How a command is started again.
#[derive(Debug)]
pub struct Options<'a> {
    /// The command.
    pub command: &'a [OsString],
    /// Where its checkpoints are, when that is said.
    pub directory: Option<&'a Path>,
    /// How often it is started again at most.
    pub retries: u64,
    /// Seconds before it is started again; doubled after each try that brought nothing new.
    pub backoff: f64,
    /// Where the log goes.
    pub log: Option<&'a Path>,
    /// The file that the command's standard output is added to.
    pub output: Option<&'a Path>,
}

/// The longest that is waited, as a multiple of the first wait.
const LONGEST: f64 = 64.0;
/// How long is slept at a time, to hear of signals.
const NAP: Duration = Duration::from_millis(50);

/// A line of the log.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum Line<'a> {
    Start {
        time: f64,
        attempt: u64,
        command: &'a [String],
    },
    Death {
        time: f64,
        attempt: u64,
        how: &'a str,
        generation: Option<u64>,
        lost: f64,
    },
    End {
        time: f64,
        outcome: &'a str,
        starts: u64,
        lost: f64,
        saved: f64,
    },
}

/// What is known of the checkpoints after a try.
struct Known {
    directory: PathBuf,
    /// The runs since the command was started first.
    runs: Vec<Past>,
}

/// Runs a command until it is done.
pub fn run(options: &Options) -> Result<ExitCode, Failure> {
    let scratch = Scratch::new("run")?;
    // Within a batch job that is started again and again its file is the one.
    let told = std::env::var_os(DIRECTORIES).map(PathBuf::from);
    let told = told.unwrap_or_else(|| scratch.path("directories"));
    let place = Place::of(options.command, options.directory, &told)?;
    let mut log = Log::open(options.log)?;
    let mut signals = Signals::take()?;
    let words: Vec<String> = options
        .command
        .iter()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let (mut attempt, mut fruitless, mut before) = (1u64, 0, None);
    let mut first = None;
    loop {
        let told = place.told().as_os_str().to_owned();
        let variables = [
            ("CCCP_ATTEMPT", attempt.to_string().into()),
            (DIRECTORIES, told),
        ];
        let output = options.output.map(appended).transpose()?;
        let mut child = Child::start(options.command, &variables, output.map(Stdio::from))?;
        let begun = child.begun;
        let first = *first.get_or_insert(begun);
        log.line(&Line::Start {
            time: begun,
            attempt,
            command: &words,
        });
        let ending = signals.wait(&mut child, &|since| place.all_since(since))?;
        let ended = now();
        let mut known = known(&place, begun, first);
        if let Some(known) = &mut known
            && known.runs.last().is_some_and(|run| run.end() == End::Open)
            && ending != Ending::Status(0)
        {
            History::new(&known.directory, true).note(&Event::Died(ending.to_string()));
            known.reread(first);
        }
        let this = tried(ending, known.as_ref());
        let asked = signals.asked().is_some();
        let left = (options.retries + 1).saturating_sub(attempt);
        let step = decide(this, before, asked, fruitless, left);
        let sums = sums(known.as_ref());
        if !matches!(step, Step::Done | Step::Left) {
            log.line(&Line::Death {
                time: ended,
                attempt,
                how: &ending.to_string(),
                generation: this.newest,
                lost: lost(known.as_ref(), begun, ended),
            });
        }
        let Step::Again { fruitless: more } = step else {
            let outcome = outcome(step, ending, known.as_ref(), options.retries);
            log.line(&Line::End {
                time: ended,
                outcome: &outcome,
                starts: attempt,
                lost: sums.lost,
                saved: sums.saved,
            });
            if attempt > 1 || step != Step::Done {
                say(outcome);
            }
            if attempt > 1 && known.is_some() {
                say(summary(attempt, &sums));
            }
            return Ok(ExitCode::from(ending.code()));
        };
        fruitless = more;
        let doubled = 2f64.powi(fruitless.saturating_sub(1).min(20) as i32);
        let waits = options.backoff * doubled.min(LONGEST);
        say(again(ending, known.as_ref(), waits));
        if !pause(waits, &mut signals) {
            say("asked to end while nothing ran; not started again");
            return Ok(ExitCode::from(ending.code()));
        }
        before = Some(this);
        attempt += 1;
    }
}

/// The runs of the directory in which one began since `begun`; none of before `first`.
fn known(place: &Place, begun: f64, first: f64) -> Option<Known> {
    let (directory, _) = place.since(begun)?;
    let mut known = Known {
        directory,
        runs: Vec::new(),
    };
    known.reread(first);
    Some(known)
}

impl Known {
    /// The whole computation, which may have begun before this tool was started.
    fn reread(&mut self, first: f64) {
        let all = history(&self.directory);
        let own = all.iter().position(|run| run.begun >= first - 0.001);
        let own = own.unwrap_or(all.len().saturating_sub(1));
        let begin = all[..=own.min(all.len().saturating_sub(1))]
            .iter()
            .rposition(|run| run.started.from.is_none());
        self.runs = all[begin.unwrap_or(own)..].to_vec();
    }

    /// The newest checkpoint: its generation, and the place in the program's text.
    fn newest(&self) -> Option<(u64, String)> {
        let taken = self.runs.iter().flat_map(Past::taken);
        let newest = taken.max_by_key(|(_, taken)| taken.generation)?.1;
        let place = format!("{}:{}", newest.file, newest.line);
        Some((newest.generation, place))
    }
}

fn tried(ending: Ending, known: Option<&Known>) -> Try {
    let last = known.and_then(|known| known.runs.last());
    let is_out_of_time = last.is_some_and(|run| run.end() == End::Left("walltime".to_string()));
    Try {
        ending,
        newest: known.and_then(|known| known.newest().map(|newest| newest.0)),
        is_out_of_time,
    }
}

fn sums(known: Option<&Known>) -> Account {
    known.map_or_else(Account::default, |known| {
        Account::of(latest(&known.runs), None)
    })
}

/// Work since the last checkpoint, or since the start where there is none.
fn lost(known: Option<&Known>, begun: f64, ended: f64) -> f64 {
    let last = known.and_then(|known| known.runs.last());
    let held = last.and_then(|run| run.taken().next_back());
    ended - held.map_or(begun, |(time, _)| time)
}

/// Waits; false when somebody asks for the end meanwhile.
fn pause(seconds: f64, signals: &mut Signals) -> bool {
    let end = now() + seconds;
    while signals.asked().is_none() {
        let left = end - now();
        if left <= 0.0 {
            return true;
        }
        std::thread::sleep(NAP.min(Duration::from_secs_f64(left)));
    }
    false
}

fn after(known: Option<&Known>) -> String {
    match known.and_then(Known::newest) {
        Some((generation, place)) => {
            format!("after its last checkpoint, generation {generation} at {place}")
        }
        None => "before its first checkpoint".to_string(),
    }
}

/// What is said between two starts.
fn again(ending: Ending, known: Option<&Known>, waits: f64) -> String {
    let when = match waits {
        waits if waits < 0.5 => String::new(),
        waits => format!(" in {}", span(waits as u64)),
    };
    match known {
        None => format!("ended with {ending}, and no checkpoints were found; started again{when}"),
        Some(_) => format!("ended with {ending} {}; started again{when}", after(known)),
    }
}

/// What is said at the end.
fn outcome(step: Step, ending: Ending, known: Option<&Known>, retries: u64) -> String {
    match step {
        Step::Done => "done".to_string(),
        Step::Left => {
            format!(
                "left {}, as it was asked to; the same command resumes there",
                after(known)
            )
        }
        Step::Refused => {
            let reason = known.and_then(|known| match known.runs.last()?.end() {
                End::Stopped(reason) => Some(reason),
                _ => None,
            });
            let reason = reason.map_or_else(
                || "the reason stands above".to_string(),
                |reason| format!("the reason: {reason}"),
            );
            format!(
                "exit status {CANNOT_RESTART}: it cannot begin or resume, so it is not started again; {reason}"
            )
        }
        Step::SamePlace => format!(
            "failed twice with {ending} {}; it would fail there again, so it is not started again",
            after(known)
        ),
        Step::TooOften => format!(
            "ended with {ending} {}; started again {} already (--retries)",
            after(known),
            count(retries, "time")
        ),
        Step::Ended => format!(
            "ended with {ending} {}, as somebody asked for",
            after(known)
        ),
        Step::Again { .. } => String::new(),
    }
}

/// What all of it came to.
fn summary(starts: u64, sums: &Account) -> String {
    let time = |seconds: f64| match seconds {
        short if short < 10.0 => format!("{short:.1} s"),
        long => span(long as u64),
    };
    format!(
        "{}, {}; {} of work lost to them, {} saved by checkpoints",
        count(starts, "start"),
        count(sums.deaths, "death"),
        time(sums.lost),
        time(sums.saved)
    )
}
